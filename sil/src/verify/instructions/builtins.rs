//! Builtins: the operand and result types of those whose name says them (include/swift/AST/Builtins.def).

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

use super::Checker;
use crate::context::{Context, Name, TypeId};
use crate::instructions::builtins::{BuiltinCast, BuiltinKind, NamedBuiltin, UnaryOperation, parse_builtin};
use crate::model::Details;
use crate::types::{BuiltinType, SilType, TupleElement, Type, VectorElement};

/// The types of a builtin.
struct Rule {
    operands: Box<[TypeId]>,
    result: TypeId,
}

/// The rules of the builtins that a module calls, by name. Shared by threads.
#[derive(Default)]
pub(in crate::verify) struct BuiltinRules {
    rules: RwLock<FxHashMap<Name, Option<Arc<Rule>>>>,
}

impl BuiltinRules {
    fn find(&self, context: &Context, name: Name) -> Option<Arc<Rule>> {
        // A poisoned lock means that another thread panicked while it only inserted a finished pair.
        if let Some(found) = self.rules.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&name) {
            return found.clone();
        }
        let rule = rule(context, context.text(name)).map(Arc::new);
        self.rules.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(name, rule.clone());
        rule
    }
}

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    let Details::Builtin(builtin) = &checker.instruction.details else { return };
    let context = checker.queries().context;
    let Some(rule) = checker.scope.builtins.find(context, builtin.name) else { return };
    if !checker.takes(rule.operands.len()) {
        return;
    }
    for (operand, ty) in rule.operands.iter().enumerate() {
        checker.expect(operand, SilType::object(*ty));
    }
    checker.expect_result(SilType::object(rule.result));
}

fn rule(context: &Context, name: &str) -> Option<Rule> {
    let operation = parse_builtin(name)?;
    let ty = |builtin: BuiltinType| context.ty(Type::Builtin(builtin));
    let tuple = |types: &[TypeId]| {
        context.ty(Type::Tuple(types.iter().map(|ty| TupleElement { label: None, ty: *ty }).collect()))
    };
    let bit = ty(BuiltinType::Integer(1));
    let pointer = ty(BuiltinType::RawPointer);
    let first = operation.types.first().copied();
    let value = first.map(ty);
    let last = operation.types.last().copied().map(ty);
    let (operands, result): (Vec<TypeId>, TypeId) = match operation.kind {
        BuiltinKind::Cast(BuiltinCast::PtrToInt) => (vec![pointer], value?),
        BuiltinKind::Cast(BuiltinCast::IntToPtr) => (vec![value?], pointer),
        BuiltinKind::Cast(_) => (vec![value?], last?),
        BuiltinKind::Binary(_) => (vec![value?, value?], value?),
        BuiltinKind::WithOverflow(_) => (vec![value?, value?, bit], tuple(&[value?, bit])),
        BuiltinKind::Unary(UnaryOperation::FNeg | UnaryOperation::AssumeNonNegative) => (vec![value?], value?),
        BuiltinKind::CompareIntegers(_) | BuiltinKind::CompareFloats(_) => (vec![value?, value?], ty(bits_of(first?))),
        BuiltinKind::AtomicLoad { .. } => (vec![pointer], value?),
        BuiltinKind::AtomicStore { .. } => (vec![pointer, value?], tuple(&[])),
        BuiltinKind::AtomicReadModifyWrite { .. } => (vec![pointer, value?], value?),
        BuiltinKind::CompareExchange { .. } => (vec![pointer, value?, value?], tuple(&[value?, bit])),
        BuiltinKind::Named(
            NamedBuiltin::SToSCheckedTrunc
            | NamedBuiltin::SToUCheckedTrunc
            | NamedBuiltin::UToSCheckedTrunc
            | NamedBuiltin::UToUCheckedTrunc,
        ) => (vec![value?], tuple(&[last?, bit])),
        BuiltinKind::Unary(_)
        | BuiltinKind::GenericBinary(_)
        | BuiltinKind::Fence { .. }
        | BuiltinKind::Intrinsic(_)
        | BuiltinKind::Named(_) => return None,
    };
    Some(Rule { operands: operands.into(), result })
}

/// What a comparison gives: a bit, or one per element of a vector.
fn bits_of(compared: BuiltinType) -> BuiltinType {
    match compared {
        BuiltinType::Vector { count, .. } => BuiltinType::Vector { element: VectorElement::Integer(1), count },
        _ => BuiltinType::Integer(1),
    }
}

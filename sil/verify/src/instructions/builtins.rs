//! Builtins: the operand and result types of those whose name states them (include/swift/AST/Builtins.def).

use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;
use sil_ir::context::{BuiltinType, Context, Name, SilType, TupleElement, Type, TypeId, VectorElement};
use sil_ir::instructions::builtins::{
    BuiltinCast, BuiltinKind, BuiltinOperation, Intrinsic, NamedBuiltin, UnaryOperation,
};
use sil_ir::model::{Builtin, Details};

use super::intrinsics::{self, Outcome, Slot};
use super::{Checker, builtin_types, named_builtins};

/// The types of a builtin.
struct Rule {
    family: Family,
    operands: Box<[TypeId]>,
    /// The result, where it has to be of one type.
    result: Option<TypeId>,
}

/// The relation of the types of a builtin.
#[derive(Clone, Copy)]
enum Family {
    /// From one type to another.
    Cast,
    /// On operands of this type.
    Arithmetic(TypeId),
    /// On memory, or on types that LLVM has a function for.
    Fixed,
}

/// The facts in the name of a builtin.
struct Found {
    /// The fault of the types at its end.
    misfit: Option<String>,
    /// The reason why LLVM has no intrinsic for them.
    oddity: Option<&'static str>,
    /// The kind of builtin.
    kind: BuiltinKind,
    /// The types at the end of the name.
    types: Vec<BuiltinType>,
    /// The types of operands and result, if the name states them.
    rule: Option<Rule>,
}

/// The rules of the builtins that a module calls, by name. Shared by threads.
#[derive(Default)]
pub(crate) struct BuiltinRules {
    rules: RwLock<FxHashMap<Name, Option<Arc<Found>>>>,
}

impl BuiltinRules {
    fn find(&self, context: &Context, builtin: &Builtin) -> Option<Arc<Found>> {
        let name = builtin.name();
        // A poisoned lock means that another thread panicked while it only inserted a finished pair.
        if let Some(found) = self.rules.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&name) {
            return found.clone();
        }
        let found = builtin.operation().map(|operation| {
            let misfit = builtin_types::misfit(operation);
            let oddity = builtin_types::intrinsic_misfit(operation);
            let rule = rule(context, operation);
            Arc::new(Found { misfit, oddity, kind: operation.kind, types: operation.types.clone(), rule })
        });
        self.rules.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(name, found.clone());
        found
    }
}

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    let Details::Builtin(builtin) = &checker.instruction.details else { return };
    let context = checker.queries().context;
    let name = context.text(builtin.name());
    let Some(found) = checker.scope.builtins.find(context, builtin) else {
        return checker.fail("unknown-builtin", format!("there is no builtin `{name}`"));
    };
    if let Some(misfit) = &found.misfit {
        return checker.fail("builtin-type", format!("there is no builtin `{name}`: {misfit}"));
    }
    if let Some(oddity) = found.oddity {
        let message = format!("LLVM has no intrinsic for `{name}`: {oddity}");
        return checker.tolerantly(|checker| checker.fail("builtin-type", message));
    }
    match found.kind {
        BuiltinKind::Named(named) => named_builtins::verify(checker, named, &found.types),
        BuiltinKind::Intrinsic(intrinsic) => intrinsics::verify_literals(checker, intrinsic),
        BuiltinKind::Unary(UnaryOperation::Assume) => assumption(checker),
        _ => {}
    }
    let Some(rule) = &found.rule else { return };
    // Swift's verifier does not compare operands with names, but a combination without an operation is refused.
    match tolerance(checker, rule) {
        Tolerance::None => types(checker, rule),
        Tolerance::Result => {
            operands(checker, rule);
            checker.tolerantly(|checker| result(checker, rule));
        }
        Tolerance::All => checker.tolerantly(|checker| types(checker, rule)),
    }
}

/// An assumption returns its operand, or nothing.
fn assumption(checker: &mut Checker<'_, '_>) {
    let void = SilType::object(checker.queries().void());
    if checker.takes(1) && checker.result() != Some(void) {
        checker.expect_result(checker.ty(0));
    }
}

fn types(checker: &mut Checker<'_, '_>, rule: &Rule) {
    if operands(checker, rule) {
        result(checker, rule);
    }
}

fn operands(checker: &mut Checker<'_, '_>, rule: &Rule) -> bool {
    if !checker.takes(rule.operands.len()) {
        return false;
    }
    for (operand, ty) in rule.operands.iter().enumerate() {
        checker.expect(operand, SilType::object(*ty));
    }
    true
}

fn result(checker: &mut Checker<'_, '_>, rule: &Rule) {
    if let Some(ty) = rule.result {
        checker.expect_result(SilType::object(ty));
    }
}

/// The allowed differences of a builtin from its name.
enum Tolerance {
    None,
    /// The result.
    Result,
    /// Operands and result.
    All,
}

fn tolerance(checker: &Checker<'_, '_>, rule: &Rule) -> Tolerance {
    match rule.family {
        Family::Fixed if checker.operands.len() != rule.operands.len() => Tolerance::All,
        Family::Fixed => Tolerance::None,
        Family::Cast => Tolerance::Result,
        // The operation is on another type than that of the name, but on one type.
        Family::Arithmetic(ty) if checker.operands.len() == rule.operands.len() => {
            let shared = (0..rule.operands.len()).filter(|operand| rule.operands[*operand] == ty);
            let mut found = shared.clone().map(|operand| checker.ty(operand));
            let first = found.next();
            let named = first == Some(SilType::object(ty));
            let alike = found.all(|other| Some(other) == first) && !named;
            let wrapped = shared.map(|operand| checker.operand(operand)).any(|ty| !matches!(ty, Type::Builtin(_)));
            if alike || wrapped { Tolerance::All } else { Tolerance::None }
        }
        Family::Arithmetic(_) => Tolerance::None,
    }
}

fn rule(context: &Context, operation: &BuiltinOperation) -> Option<Rule> {
    let ty = |builtin: BuiltinType| context.ty(Type::Builtin(builtin));
    let tuple = |types: &[TypeId]| {
        context.ty(Type::Tuple(types.iter().map(|ty| TupleElement { label: None, ty: *ty }).collect()))
    };
    let bit = ty(BuiltinType::Integer(1));
    let pointer = ty(BuiltinType::RawPointer);
    let first = operation.types.first().copied();
    let value = first.map(ty);
    let last = operation.types.last().copied().map(ty);
    if let BuiltinKind::Intrinsic(intrinsic) = operation.kind {
        return intrinsic_rule(context, operation, intrinsic);
    }
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
        BuiltinKind::Fence { .. } => (Vec::new(), tuple(&[])),
        BuiltinKind::Named(
            NamedBuiltin::SToSCheckedTrunc
            | NamedBuiltin::SToUCheckedTrunc
            | NamedBuiltin::UToSCheckedTrunc
            | NamedBuiltin::UToUCheckedTrunc,
        ) => (vec![value?], tuple(&[last?, bit])),
        BuiltinKind::Unary(UnaryOperation::Freeze | UnaryOperation::Assume)
        | BuiltinKind::GenericBinary(_)
        | BuiltinKind::Intrinsic(_)
        | BuiltinKind::Named(_) => return None,
    };
    let family = match operation.kind {
        BuiltinKind::Cast(_) | BuiltinKind::Named(_) => Family::Cast,
        BuiltinKind::AtomicLoad { .. }
        | BuiltinKind::AtomicStore { .. }
        | BuiltinKind::AtomicReadModifyWrite { .. }
        | BuiltinKind::CompareExchange { .. }
        | BuiltinKind::Fence { .. } => Family::Fixed,
        _ => Family::Arithmetic(value?),
    };
    Some(Rule { family, operands: operands.into(), result: Some(result) })
}

fn intrinsic_rule(context: &Context, operation: &BuiltinOperation, intrinsic: Intrinsic) -> Option<Rule> {
    let ty = |builtin: BuiltinType| context.ty(Type::Builtin(builtin));
    let first = operation.types.first().copied();
    let slot = |slot: Slot| {
        Some(ty(match slot {
            Slot::First => first?,
            Slot::Last => *operation.types.last()?,
            Slot::Pointer => BuiltinType::RawPointer,
            Slot::Integer(width) => BuiltinType::Integer(width),
            Slot::Bits => bits_of(first?),
        }))
    };
    let tuple = |types: &[TypeId]| {
        context.ty(Type::Tuple(types.iter().map(|ty| TupleElement { label: None, ty: *ty }).collect()))
    };
    let (operands, outcome) = intrinsics::signature(intrinsic)?;
    let result = match outcome {
        Outcome::Anything => None,
        Outcome::Nothing => Some(tuple(&[])),
        Outcome::Value(value) => Some(slot(value)?),
        Outcome::WithOverflow => Some(tuple(&[slot(Slot::First)?, slot(Slot::Bits)?])),
    };
    let operands = operands.iter().map(|operand| slot(*operand)).collect::<Option<_>>()?;
    Some(Rule { family: Family::Fixed, operands, result })
}

/// The result of a comparison: a bit, or one per element of a vector.
fn bits_of(compared: BuiltinType) -> BuiltinType {
    match compared {
        BuiltinType::Vector { count, .. } => BuiltinType::Vector { element: VectorElement::Integer(1), count },
        _ => BuiltinType::Integer(1),
    }
}

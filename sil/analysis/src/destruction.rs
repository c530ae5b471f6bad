//! Whether the ends of values' lifetimes may run deinitialisers with effects that are visible from outside
//! (lib/SILOptimizer/Analysis/DestructorAnalysis.cpp, `isDestructorSideEffectFree` in
//! lib/SILOptimizer/Utils/InstOptUtils.cpp).
//!
//! Does not own: whether an instruction ends a lifetime at all, which `InstructionEffects` knows.

use rustc_hash::FxHashSet;

use sil_ir::context::{BuiltinType, FunctionAttribute, Representation, SignatureId, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::{Body, Details, InstructionId, Module, Value};
use sil_ir::types::TypeQueries;

/// Types nest so deep at most.
const NESTING: usize = 64;

/// The effects of the ends of lifetimes, for the functions of a module.
#[derive(Clone, Copy)]
pub struct Destruction<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
}

impl<'m> Destruction<'m> {
    /// Answers for functions of `module`, or for bodies taken out of it.
    pub fn new(module: &'m Module, queries: &'m TypeQueries<'m>) -> Self {
        Self { module, queries }
    }

    /// Whether the value that `id` releases ends without effects that are visible from outside. `signature` is that of
    /// the function.
    pub fn is_harmless(self, body: &Body, signature: Option<SignatureId>, id: InstructionId) -> bool {
        let instruction = &body.instructions[id];
        match (instruction.opcode, &instruction.details) {
            (Opcode::DestroyValue | Opcode::StrongRelease | Opcode::ReleaseValue, _) => {
                let released = body.operands(id).first();
                released.is_some_and(|value| {
                    self.is_harmless_to_destroy(body.ty(*value).ty, signature)
                        || self.is_harmless_box(body.ty(*value).ty, signature)
                        || self.is_harmless_closure(body, signature, *value)
                })
            }
            (Opcode::Builtin, Details::Builtin(builtin)) => {
                use NamedBuiltin::*;
                let kind = builtin.kind();
                match kind {
                    Some(BuiltinKind::Named(
                        CopyArray | TakeArrayNoAlias | TakeArrayFrontToBack | TakeArrayBackToFront,
                    )) => true,
                    Some(BuiltinKind::Named(
                        AssignCopyArrayNoAlias
                        | AssignCopyArrayFrontToBack
                        | AssignCopyArrayBackToFront
                        | AssignTakeArray
                        | DestroyArray,
                    )) => {
                        let element = self.module.context.replacements(builtin.substitutions).first();
                        element.is_some_and(|element| self.is_harmless_to_destroy(*element, signature))
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether destroying values of a type runs nothing that is seen from outside.
    pub fn is_harmless_to_destroy(self, ty: TypeId, signature: Option<SignatureId>) -> bool {
        self.is_safe(ty, signature, &mut FxHashSet::default())
    }

    /// A type in `open` is being examined, or is safe, or something else is not, which decides.
    fn is_safe(self, ty: TypeId, signature: Option<SignatureId>, open: &mut FxHashSet<TypeId>) -> bool {
        let properties = self.queries.properties(ty, signature);
        if properties.is_trivial() && !properties.is_guessed() || !open.insert(ty) {
            return true;
        }
        if open.len() > NESTING {
            return false;
        }
        match self.queries.get(ty) {
            Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Float(_)) => true,
            Type::Tuple(elements) => elements.iter().all(|element| self.is_safe(element.ty, signature, open)),
            Type::Nominal(nominal) => {
                let declaration = self.queries.declarations.get(nominal.declaration);
                let has_deinit = declaration.attributes.has_deinit
                    || self.module.deinits.iter().any(|deinit| deinit.nominal == nominal.declaration);
                if declaration.kind != NominalKind::Struct || has_deinit || properties.is_guessed() {
                    return false;
                }
                if self.queries.destroys_elements_alone(nominal.declaration) {
                    return nominal.arguments.iter().all(|argument| self.is_safe(*argument, signature, open));
                }
                let fields = self.queries.field_types(ty);
                fields.is_some_and(|fields| fields.iter().all(|field| self.is_safe(*field, signature, open)))
            }
            _ => false,
        }
    }

    fn is_harmless_box(self, ty: TypeId, signature: Option<SignatureId>) -> bool {
        let content = self.queries.box_field_type(ty, 0);
        let is_alone = self.queries.box_field_type(ty, 1).is_none();
        is_alone && content.is_some_and(|content| self.is_harmless_to_destroy(content, signature))
    }

    /// Whether a function value keeps nothing alive whose end is seen.
    fn is_harmless_closure(self, body: &Body, signature: Option<SignatureId>, value: Value) -> bool {
        let Type::Function(function) = self.queries.get(body.ty(value).ty) else { return false };
        let is_thick = function.representation == Representation::Thick;
        if is_thick && function.attributes.contains(FunctionAttribute::NoEscape) {
            return true;
        }
        let is_ownership = |opcode| matches!(opcode, Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue);
        let mut origin = value;
        while let Some(id) = body.defining(origin).filter(|id| is_ownership(body.instructions[*id].opcode)) {
            origin = body.operands(id)[0];
        }
        let closure = body.defining(origin).filter(|id| body.instructions[*id].opcode == Opcode::PartialApply);
        let is_harmless = |captured: &Value| {
            let ty = body.ty(*captured).ty;
            self.is_harmless_to_destroy(ty, signature) || self.is_harmless_box(ty, signature)
        };
        closure.is_some_and(|closure| body.operands(closure).iter().skip(1).all(is_harmless))
    }
}

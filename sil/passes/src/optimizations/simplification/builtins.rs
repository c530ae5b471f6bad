//! Simplifies builtins about types, and `once`
//! (SwiftCompilerSources/Sources/Optimizer/InstructionSimplification/SimplifyBuiltin.swift). Integer builtins are
//! handled in `arithmetic`.

use sil_analysis::Use;
use sil_ir::context::{MetatypeRepresentation, SilType, Type, TypeId};
use sil_ir::instructions::builtins::{BuiltinCast, BuiltinKind, IntegerPredicate, NamedBuiltin};
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{InstructionId, Place, Value};
use sil_ir::types::AbstractionPattern;

use super::{Kinds, Simplifier};
use crate::knowledge::cast_feasibility::SourceType;
use crate::knowledge::metatypes;
use crate::knowledge::static_layouts::StaticLayout;

/// Whether a type may be a class, with the encoding of `canBeClass`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClassQuestion {
    Never,
    Always,
}

impl Simplifier<'_> {
    pub(super) fn builtin_operation(&mut self, id: InstructionId) {
        use NamedBuiltin::*;
        let Some(kind) = self.builtin(id) else { return };
        let _ = match kind {
            BuiltinKind::Named(named) => match named {
                IsConcrete => self.is_concrete(id),
                IsSameMetatype => self.is_same_metatype(id),
                Once => self.once(id),
                CanBeObjCClass => self.can_be_class(id),
                AssertConf => self.assert_configuration(id),
                Sizeof | Strideof | Alignof => self.measure(id, named),
                DestroyArray if self.is_of_trivial_elements(id) => {
                    self.editor.erase(id);
                    Some(())
                }
                DestroyArray
                | CopyArray
                | TakeArrayNoAlias
                | TakeArrayFrontToBack
                | TakeArrayBackToFront
                | AssignCopyArrayNoAlias
                | AssignCopyArrayFrontToBack
                | AssignCopyArrayBackToFront
                | AssignTakeArray
                | IsPOD => self.take_thin_metatype(id),
                _ => self.computed(id),
            },
            BuiltinKind::CompareIntegers(predicate @ (IntegerPredicate::Eq | IntegerPredicate::Ne)) => {
                self.compare_to_null(id, predicate).or_else(|| self.computed(id))
            }
            _ => self.computed(id),
        };
    }

    fn replace_by_number(&mut self, id: InstructionId, number: i128) -> Option<()> {
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        let literal = self.integer(id, number, ty);
        self.editor.replace(id, literal);
        Some(())
    }

    /// Folds `isConcrete`. A type that is not concrete yet may become so, except in the last run.
    pub(super) fn is_concrete(&mut self, id: InstructionId) -> Option<()> {
        let metatype = self.editor.operand(id, 0)?;
        let is_dependent = self.editor.environment.queries.is_dependent(self.editor.body().ty(metatype).ty);
        if is_dependent && self.kinds != Kinds::LateBuiltins {
            return None;
        }
        self.replace_by_number(id, if is_dependent { 0 } else { -1 })
    }

    fn is_same_metatype(&mut self, id: InstructionId) -> Option<()> {
        let (one, other) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
        let are_same = if one == other { true } else { self.are_same_types(one, other)? };
        self.replace_by_number(id, -i128::from(are_same))
    }

    /// Returns whether two existential metatypes are of the same type, or `None` if that is unknown.
    fn are_same_types(&self, one: Value, other: Value) -> Option<bool> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let wrapped =
            |value| Some(Unary::of(body, self.editor.made_by(value, Opcode::InitExistentialMetatype)?).operand);
        let metatypes = [wrapped(one)?, wrapped(other)?];
        let instance = |metatype: Value| match queries.get(body.ty(metatype).ty) {
            Type::Metatype { instance, .. } => Some(*instance),
            _ => None,
        };
        let [one, other] = [instance(metatypes[0])?, instance(metatypes[1])?];
        let is_exact = metatypes.into_iter().all(|metatype| self.editor.made_by(metatype, Opcode::Metatype).is_some());
        let source = if is_exact { SourceType::Exact } else { SourceType::Bound };
        metatypes::are_same(queries, self.editor.environment.function.signature, [one, other], source)
    }

    /// Removes a `once` whose initialiser has no side effects.
    fn once(&mut self, id: InstructionId) -> Option<()> {
        let environment = self.editor.environment;
        let called = self.editor.made_by(self.editor.operand(id, 1)?, Opcode::FunctionRef)?;
        let called = views::FunctionRef::of(self.editor.body(), called).function;
        let body = environment.module.functions[environment.module.function_named(called)?].body.as_ref()?;
        let effects = sil_analysis::InstructionEffects::new(environment.module, environment.queries);
        let does_nothing = |id| {
            matches!(body.instructions[id].opcode, Opcode::DebugStep | Opcode::DebugValue | Opcode::Return)
                || effects.memory_behavior(body, id) == MemoryBehavior::None && !effects.may_have_side_effects(body, id)
        };
        let uses = self.editor.uses(self.editor.body().result(id)?);
        let are_addresses = uses.iter().all(|found| self.editor.opcode(found.user) == Opcode::GlobalAddr);
        if !are_addresses || !body.placed_instructions().all(does_nothing) {
            return None;
        }
        for Use { user, .. } in uses {
            let global = views::GlobalAddr::of(self.editor.body(), user).global;
            let address = self.editor.body().result(user)?;
            let ty = self.editor.body().ty(address);
            let at_once = self.editor.build(Place::Before(user), user, |builder| builder.global_addr(global, ty));
            self.editor.replace(user, at_once);
        }
        self.editor.erase(id);
        Some(())
    }

    pub(super) fn can_be_class(&mut self, id: InstructionId) -> Option<()> {
        let answer = match self.is_class_question(self.type_argument(id)?)? {
            ClassQuestion::Never => 0,
            ClassQuestion::Always => 1,
        };
        self.replace_by_number(id, answer)
    }

    /// Returns whether a type is a class, or `None` if it may be one.
    fn is_class_question(&self, ty: TypeId) -> Option<ClassQuestion> {
        let queries = self.editor.environment.queries;
        if queries.is_type_parameter(ty) {
            // Only layout constraints are known.
            let properties = queries.properties(ty, self.editor.environment.function.signature);
            return match (properties.is_reference(), properties.is_trivial()) {
                (true, _) => Some(ClassQuestion::Always),
                (_, true) => Some(ClassQuestion::Never),
                _ => None,
            };
        }
        match queries.get(ty) {
            Type::Nominal(_) if queries.is_class(ty) => Some(ClassQuestion::Always),
            Type::Nominal(_) => queries.declaration_of(ty)?.is_complete().then_some(ClassQuestion::Never),
            Type::Tuple(_) | Type::FormalFunction(_) | Type::Metatype { .. } | Type::Builtin(_) => {
                Some(ClassQuestion::Never)
            }
            _ => None,
        }
    }

    fn assert_configuration(&mut self, id: InstructionId) -> Option<()> {
        let configuration = self.editor.environment.settings.assert_configuration.number()?;
        self.replace_by_number(id, configuration.into())
    }

    /// The formal type argument of a builtin.
    fn type_argument(&self, id: InstructionId) -> Option<TypeId> {
        let views::Builtin { builtin, .. } = views::Builtin::of(self.editor.body(), id);
        self.editor.environment.queries.context.replacements(builtin.substitutions).first().copied()
    }

    /// The type argument of a builtin, lowered for memory of generic type.
    fn lowered_argument(&self, id: InstructionId) -> Option<TypeId> {
        let formal = self.type_argument(id)?;
        Some(self.editor.environment.queries.lower(formal, AbstractionPattern::Opaque))
    }

    /// The size, stride or alignment of a type with a static layout.
    fn measure(&mut self, id: InstructionId, measure: NamedBuiltin) -> Option<()> {
        let environment = self.editor.environment;
        let layout = StaticLayout::of(environment.queries, environment.module.platform, self.lowered_argument(id)?)?;
        let number = match measure {
            NamedBuiltin::Sizeof => layout.size,
            NamedBuiltin::Strideof => layout.stride(),
            _ => layout.alignment,
        };
        self.replace_by_number(id, number.into())
    }

    pub(super) fn is_of_trivial_elements(&self, id: InstructionId) -> bool {
        let is_trivial = |ty| self.editor.is_trivial(SilType::object(ty));
        self.lowered_argument(id).is_some_and(is_trivial)
    }

    /// Replaces the metatype operand with a thin metatype if only its type matters.
    fn take_thin_metatype(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let mut metatype = self.editor.operand(id, 0)?;
        if let Some(wrapped) = self.editor.made_by(metatype, Opcode::InitExistentialMetatype) {
            metatype = Unary::of(body, wrapped).operand;
        } else {
            self.editor.made_by(metatype, Opcode::Metatype)?;
        }
        let thick = Some(MetatypeRepresentation::Thick);
        let Type::Metatype { instance, representation } = *queries.get(body.ty(metatype).ty) else { return None };
        if representation != thick {
            return None;
        }
        let thin = Some(MetatypeRepresentation::Thin);
        let ty = SilType::object(queries.context.ty(Type::Metatype { instance, representation: thin }));
        let thin = self.editor.build(Place::Before(id), id, |builder| builder.metatype(ty));
        self.editor.set_operand(Use { user: id, operand: 0 }, thin);
        Some(())
    }

    /// Folds the comparison of a string literal's address with zero.
    fn compare_to_null(&mut self, id: InstructionId, predicate: IntegerPredicate) -> Option<()> {
        let (number, zero) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
        if self.literal(zero) != Some(0) {
            return None;
        }
        let mut number = number;
        while let Some(cast) = self.editor.made_by(number, Opcode::Builtin) {
            use BuiltinCast::{PtrToInt, ZExt, ZExtOrBitCast};
            let BuiltinKind::Cast(ZExt | ZExtOrBitCast | PtrToInt) = self.builtin(cast)? else { return None };
            number = self.editor.operand(cast, 0)?;
        }
        self.editor.made_by(number, Opcode::StringLiteral)?;
        self.replace_by_number(id, if predicate == IntegerPredicate::Eq { 0 } else { -1 })
    }
}

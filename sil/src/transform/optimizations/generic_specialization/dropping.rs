//! Arguments that a function does without once it is made for types: metatypes that it knows itself, and memory that it does not read
//! (`canDropMetatypeArg`, `canDropUnusedArg` in lib/SILOptimizer/Utils/Generics.cpp).

use std::cell::OnceCell;

use crate::analysis::{ApplyKind, Effect, FunctionEffects, ProjectionPath, Uses};
use crate::context::{MetatypeRepresentation, SilType, SpecializationHistoryId, Type};
use crate::instructions::Opcode;
use crate::model::{Body, Details, Function, InstructionId, Value};
use crate::transform::knowledge::dynamic_self::{binds_dynamic_self, mentions_dynamic_self};
use crate::types::{ArgumentConvention, FunctionConventions, Triviality, TypeQueries};

/// A call that a function is made for.
#[derive(Clone, Copy)]
pub(in crate::transform) struct SpecializedCall<'c> {
    /// The body that it is in.
    pub(in crate::transform) body: &'c Body,
    /// Its instruction.
    pub(in crate::transform) instruction: InstructionId,
    /// How it calls.
    pub(in crate::transform) kind: ApplyKind,
    /// What it passes.
    pub(in crate::transform) arguments: &'c [Value],
    /// The uses of values in the body, where what uses a closure may become something else, too.
    pub(in crate::transform) uses: Option<&'c Uses>,
}

impl SpecializedCall<'_> {
    /// Of the specialisation that the call was inlined from.
    pub(super) fn history(self) -> Option<SpecializationHistoryId> {
        match &self.body.instructions[self.instruction].details {
            Details::Apply(apply) => apply.history,
            _ => None,
        }
    }
}

/// What is known of a generic function, and of a call of it, where it is told which arguments it needs.
pub(super) struct Dropping<'d> {
    queries: &'d TypeQueries<'d>,
    callee: &'d Function,
    body: &'d Body,
    call: SpecializedCall<'d>,
    /// The SIL argument that the first value becomes that the call passes.
    first: usize,
    effects: OnceCell<FunctionEffects>,
}

impl<'d> Dropping<'d> {
    /// None where the call does not fit the function, or the function has no body. `conventions` are those for the types.
    pub(super) fn new(
        queries: &'d TypeQueries<'d>,
        callee: &'d Function,
        conventions: FunctionConventions<'_>,
        call: SpecializedCall<'d>,
    ) -> Option<Self> {
        let body = callee.body.as_ref()?;
        let count = conventions.argument_count();
        let first = conventions.first_applied_argument(call.arguments.len())?;
        let fits =
            body.blocks[body.entry()].arguments.len() == count && (first == 0 || call.kind == ApplyKind::PartialApply);
        fits.then(|| Self { queries, callee, body, call, first, effects: OnceCell::new() })
    }

    /// Whether the function does without the metatype that is its SIL argument number `argument`, of type `ty` for the types.
    pub(super) fn knows_metatype(&self, argument: usize, ty: SilType) -> bool {
        let Type::Metatype { representation, .. } = self.queries.get(ty.ty) else { return false };
        let Some(passed) = argument.checked_sub(self.first).and_then(|index| self.call.arguments.get(index)) else {
            return false;
        };
        let parameter = self.parameter(argument);
        if ty.is_address() || self.is_dynamic_self(argument) {
            return false;
        }
        // What is passed may be the metatype of a subclass.
        let is_made = |id| self.call.body.instructions[id].opcode == Opcode::Metatype;
        *representation == Some(MetatypeRepresentation::Thin)
            || self.call.body.defining(*passed).is_some_and(is_made)
            || !self.is_used(parameter)
    }

    /// Whether a call does not read the memory that is its SIL argument number `argument`: where nobody reads it, it need not be initialised.
    pub(super) fn leaves_memory(&self, argument: usize, convention: ArgumentConvention, trivial: Triviality) -> bool {
        let queries = self.queries;
        let effects = self
            .effects
            .get_or_init(|| FunctionEffects::of(queries.context, self.callee, queries.conventions(self.callee.ty)));
        let happens = || effects.on_argument(argument, convention, trivial, ProjectionPath::EMPTY);
        self.call.kind.is_full() && !happens().contains(Effect::Read)
    }

    fn parameter(&self, argument: usize) -> Value {
        self.body.blocks[self.body.entry()].arguments[argument]
    }

    /// Whether an argument says what `Self` is in the function.
    fn is_dynamic_self(&self, argument: usize) -> bool {
        let is_last = argument + 1 == self.body.blocks[self.body.entry()].arguments.len();
        mentions_dynamic_self(self.queries, self.body.ty(self.parameter(argument)).ty)
            || is_last && binds_dynamic_self(self.queries, self.callee, self.body)
    }

    fn is_used(&self, value: Value) -> bool {
        let body = self.body;
        let reads = |id| body.instructions[id].opcode != Opcode::DebugValue && body.operands(id).contains(&value);
        body.placed_instructions().any(reads)
    }
}

//! Arguments that a specialisation does not need: metatypes that are known statically, and memory that is not read
//! (`canDropMetatypeArg`, `canDropUnusedArg` in lib/SILOptimizer/Utils/Generics.cpp).

use sil_analysis::{ApplyKind, Effect, FunctionEffects, ProjectionPath, Uses};
use sil_ir::context::{MetatypeRepresentation, SilType, SpecializationHistoryId, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, Function, InstructionId, Value};
use sil_ir::types::{ArgumentConvention, FunctionConventions, Triviality, TypeQueries};
use std::cell::OnceCell;

use crate::knowledge::dynamic_self::{binds_dynamic_self, mentions_dynamic_self};

/// A call that is specialised.
#[derive(Clone, Copy)]
pub(crate) struct SpecializedCall<'c> {
    /// The body that contains the call.
    pub(crate) body: &'c Body,
    /// The instruction.
    pub(crate) instruction: InstructionId,
    /// The kind of apply site.
    pub(crate) kind: ApplyKind,
    /// The passed arguments.
    pub(crate) arguments: &'c [Value],
    /// The uses of values in the body, if users of a closure may be rewritten too.
    pub(crate) uses: Option<&'c Uses>,
}

impl SpecializedCall<'_> {
    /// The specialisation history of the code that the call was inlined from.
    pub(super) fn history(self) -> Option<SpecializationHistoryId> {
        match &self.body.instructions[self.instruction].details {
            Details::Apply(apply) => apply.history,
            _ => None,
        }
    }
}

/// The generic function and the call that determine which arguments are needed.
pub(super) struct Dropping<'d> {
    queries: &'d TypeQueries<'d>,
    callee: &'d Function,
    body: &'d Body,
    call: SpecializedCall<'d>,
    /// The SIL argument index of the first passed value.
    first: usize,
    effects: OnceCell<FunctionEffects>,
}

impl<'d> Dropping<'d> {
    /// Returns `None` if the call does not match the function or the function has no body. `conventions` are those of
    /// the specialised type.
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

    /// Returns whether the specialisation does not need the metatype argument `argument`, of specialised type `ty`: it
    /// can recreate the metatype or does not use it.
    pub(super) fn knows_metatype(&self, argument: usize, ty: SilType) -> bool {
        let Type::Metatype { representation, .. } = self.queries.get(ty.ty) else { return false };
        let Some(passed) = argument.checked_sub(self.first).and_then(|index| self.call.arguments.get(index)) else {
            return false;
        };
        let parameter = self.parameter(argument);
        if ty.is_address() || self.is_dynamic_self(argument) {
            return false;
        }
        // The passed value may be the metatype of a subclass.
        let is_made = |id| self.call.body.instructions[id].opcode == Opcode::Metatype;
        *representation == Some(MetatypeRepresentation::Thin)
            || self.call.body.defining(*passed).is_some_and(is_made)
            || !self.is_used(parameter)
    }

    /// Returns whether the callee does not read the memory of the argument `argument`, so that it need not be
    /// initialised.
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

    /// Returns whether an argument determines dynamic `Self` in the function.
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

//! Replaces `try_apply` with `apply` if the error block is unreachable or the original function does not throw
//! (`simplifyTryApplyBlock` of lib/SILOptimizer/Transforms/SimplifyCFG.cpp).
//!
//! Does not own: functions that are still generic.

use sil_analysis::{ApplySite, Use};
use sil_ir::context::{SubstitutionMapId, Sugar};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{TryApply, Unary};
use sil_ir::model::{Apply, InstructionId, Ownership, Place, Value};
use sil_ir::types::{ArgumentConvention, FunctionConventions};

use super::Simplifier;
use crate::editing::flow_builder::FlowBuilder;
use crate::editing::ownership_replacement::copy_taken_by;
use crate::editing::value_casts::ValueCast;
use crate::optimizations::borrowed_phis;

/// The callee of the new call.
#[derive(Clone, Copy)]
enum Called {
    /// A function without ownership.
    Function(Value),
    /// A copy of a closure that the call consumes.
    TakenCopy(Value),
    /// A copy of a closure that is destroyed after the call.
    BorrowedCopy(Value),
}

impl Simplifier<'_> {
    /// Replaces a `try_apply` that cannot throw with an `apply`.
    pub(in crate::optimizations) fn call_without_error(&mut self, id: InstructionId) {
        let _ = self.call_unthrowing(id).or_else(|| self.ignore_error(id));
    }

    /// Replaces a call whose error block is unreachable.
    fn ignore_error(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let TryApply { normal, error, .. } = TryApply::of(body, id);
        let first = body.first_instruction(error)?;
        let [received] = body.blocks[normal].arguments[..] else { return None };
        if self.editor.opcode(first) != Opcode::Unreachable {
            return None;
        }
        let ty = body.ty(received);
        let (operands, mut attributes) = (body.operands(id).to_vec(), body.instructions[id].attributes);
        let apply = TryApply::of(body, id).apply.clone();
        attributes.insert(Attribute::NoThrow);
        self.editor.build(Place::Before(id), id, |builder| {
            let result = builder.with(attributes).apply(apply, &operands, ty);
            builder.branch(normal, &[result]);
        });
        self.editor.erase(id);
        Some(())
    }

    /// Calls a non-throwing function directly instead of its conversion to a throwing one.
    fn call_unthrowing(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let TryApply { callee, normal, apply, .. } = TryApply::of(body, id);
        let function = self.unthrowing(callee)?;
        let queries = self.editor.environment.queries;
        let [known, before] =
            [queries.conventions(body.ty(function).ty)?, ApplySite::new(body, id)?.conventions(queries)?];
        let is_generic = known.function.signature.is_some() || apply.substitutions != SubstitutionMapId::EMPTY;
        if is_generic || known.function.error.is_some() {
            return None;
        }
        let given = queries.direct_result(known);
        let cast = ValueCast::new(self.editor.environment, given, queries.direct_result(before))?;
        let passed = self.passed_as(id, before, known)?;
        let callee_type = body.ty(function);
        let apply =
            Apply { substitutions: SubstitutionMapId::EMPTY, sugar: Sugar::default(), callee_type, ..apply.clone() };
        let attributes = body.instructions[id].attributes;
        let received = body.blocks[normal].arguments.first().copied().filter(|_| self.editor.has_ownership());
        let of_result = received.map(|received| self.editor.ownership(received));
        let called = self.called_instead(id, function)?;
        self.make_flow(id, |flow, joined| {
            let (Called::Function(value) | Called::TakenCopy(value) | Called::BorrowedCopy(value)) = called;
            let passed = passed.into_iter().map(|(value, ownership, cast)| cast.make(flow, value, ownership, joined));
            let operands: Vec<Value> = std::iter::once(value).chain(passed.collect::<Vec<_>>()).collect();
            if let Called::TakenCopy(_) = called {
                flow.builder().destroy_value(callee);
            }
            let result = flow.builder().with(attributes).apply(apply, &operands, given);
            let result = cast.make(flow, result, of_result, joined);
            if let Called::BorrowedCopy(copy) = called {
                flow.builder().destroy_value(copy);
            }
            flow.builder().branch(normal, &[result]);
        });
        self.editor.erase(id);
        self.editor.forget_ownership();
        Some(())
    }

    /// Inserts instructions, with control flow, before an instruction. Adds `borrowed` instructions for the returned
    /// block arguments.
    fn make_flow(&mut self, id: InstructionId, make: impl FnOnce(&mut FlowBuilder<'_>, &mut Vec<Value>)) {
        let mut joined = Vec::new();
        let ((), placed) = self.editor.build_flow(id, id, |flow| make(flow, &mut joined));
        placed.into_iter().for_each(|(after, block)| self.order.insert_after(after, block));
        if self.editor.has_ownership() {
            borrowed_phis::complete(&mut self.editor, &joined);
        }
    }

    /// The operands of a call of a non-throwing function, with their ownership and casts. `None` if one cannot be cast.
    fn passed_as(
        &self,
        id: InstructionId,
        before: FunctionConventions<'_>,
        known: FunctionConventions<'_>,
    ) -> Option<Vec<(Value, Option<Ownership>, ValueCast)>> {
        let is_error = |index: usize| {
            before.argument(index).is_some_and(|argument| argument.convention == ArgumentConvention::Error)
        };
        let operands = self.editor.body().operands(id)[1..].iter().enumerate();
        let passed = operands.filter(|(index, _)| !is_error(*index)).enumerate();
        let cast = |(own, (index, value)): (usize, (usize, &Value))| {
            let [from, to] = [before.argument(index)?.ty, known.argument(own)?.ty];
            let ownership = self.editor.has_ownership().then(|| self.editor.ownership(*value));
            Some((*value, ownership, ValueCast::new(self.editor.environment, from, to)?))
        };
        passed.map(cast).collect()
    }

    /// The callee if `call` calls `function`: a copy of a closure, since the converted closure has an end of its own.
    fn called_instead(&mut self, call: InstructionId, function: Value) -> Option<Called> {
        if self.editor.ownership(function) == Ownership::None {
            return Some(Called::Function(function));
        }
        let does = self.editor.operand_ownerships(&[Use { user: call, operand: 0 }]);
        let takes = does.first()?.ends_lifetime();
        let copy = copy_taken_by(&mut self.editor, call, function)?;
        Some(if takes { Called::TakenCopy(copy) } else { Called::BorrowedCopy(copy) })
    }

    /// The non-throwing function that a `convert_function` converts to a throwing one.
    fn unthrowing(&self, callee: Value) -> Option<Value> {
        let body = self.editor.body();
        let escaping = self.editor.made_by(callee, Opcode::ConvertEscapeToNoescape);
        let converted = escaping.map_or(callee, |convert| Unary::of(body, convert).operand);
        let convert = self.editor.made_by(converted, Opcode::ConvertFunction)?;
        let mut function = Unary::of(body, convert).operand;
        let throws = |value: Value| {
            let conventions = self.editor.environment.queries.conventions(body.ty(value).ty);
            conventions.map(|conventions| conventions.function.error.is_some())
        };
        if throws(function)? || !throws(converted)? {
            return None;
        }
        while let Some(made) = body.defining(function)
            && let Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape | Opcode::ThinToThickFunction =
                self.editor.opcode(made)
        {
            function = Unary::of(body, made).operand;
        }
        Some(function)
    }
}

//! Calls that may throw as calls that do not, where the errors go nowhere or the function throws none (`simplifyTryApplyBlock` of
//! lib/SILOptimizer/Transforms/SimplifyCFG.cpp).
//!
//! Does not own: functions that are still generic, and arguments that have to be looked into to be cast.

use super::Simplifier;
use crate::analysis::{ApplySite, Use};
use crate::context::{SilType, SubstitutionMapId, Sugar};
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{TryApply, Unary};
use crate::model::{Apply, Details, InstructionId, Ownership, Place, Value};
use crate::transform::editing::ownership_replacement::copy_taken_by;
use crate::transform::optimizations::devirtualization::result_casts::{make_casts, result_casts};
use crate::types::{ArgumentConvention, FunctionConventions};

/// What is called in the place of a function that may throw.
#[derive(Clone, Copy)]
enum Called {
    /// A function that nobody owns.
    Function(Value),
    /// A copy of a closure, which the call takes.
    TakenCopy(Value),
    /// A copy of a closure, which has to be destroyed behind the call.
    BorrowedCopy(Value),
}

impl Simplifier<'_> {
    /// Calls what throws no error without a way for one.
    pub(in crate::transform::optimizations) fn call_without_error(&mut self, id: InstructionId) {
        let _ = self.call_unthrowing(id).or_else(|| self.ignore_error(id));
    }

    /// A call whose error ends nowhere throws none.
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
        let details = body.instructions[id].details.clone();
        attributes.insert(Attribute::NoThrow);
        self.editor.build(Place::Before(id), id, |builder| {
            let result = builder.value_with_attributes(Opcode::Apply, attributes, details, &operands, ty);
            builder.branch(normal, &[result]);
        });
        self.editor.erase(id);
        Some(())
    }

    /// A function that is only converted to one that may throw is called as it is.
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
        let casts = result_casts(self.editor.environment, known.function, before.function)?;
        let given = queries.direct_result(known);
        let passed = self.passed_as(id, before, known)?;
        let details = Details::Apply(Box::new(Apply {
            substitutions: SubstitutionMapId::EMPTY,
            sugar: Sugar::default(),
            callee_type: body.ty(function),
            ..apply.clone()
        }));
        let attributes = body.instructions[id].attributes;
        let called = self.called_instead(id, function)?;
        self.editor.build(Place::Before(id), id, |builder| {
            let (Called::Function(value) | Called::TakenCopy(value) | Called::BorrowedCopy(value)) = called;
            let cast = passed.into_iter().map(|(value, to)| match to {
                Some(to) => builder.value_of_written_type(Opcode::Upcast, Details::None, &[value], to),
                None => value,
            });
            let operands: Vec<Value> = std::iter::once(value).chain(cast.collect::<Vec<_>>()).collect();
            if let Called::TakenCopy(_) = called {
                builder.instruction(Opcode::DestroyValue, Details::None, &[callee]);
            }
            let result = builder.value_with_attributes(Opcode::Apply, attributes, details, &operands, given);
            let result = make_casts(builder, result, &casts);
            if let Called::BorrowedCopy(copy) = called {
                builder.instruction(Opcode::DestroyValue, Details::None, &[copy]);
            }
            builder.branch(normal, &[result]);
        });
        self.editor.erase(id);
        self.editor.forget_ownership();
        Some(())
    }

    /// What a call passes to a function that throws nothing, with the types that some of it is cast to. None where it would have to be cast otherwise.
    fn passed_as(
        &self,
        id: InstructionId,
        before: FunctionConventions<'_>,
        known: FunctionConventions<'_>,
    ) -> Option<Vec<(Value, Option<SilType>)>> {
        let queries = self.editor.environment.queries;
        let is_error = |index: usize| {
            before.argument(index).is_some_and(|argument| argument.convention == ArgumentConvention::Error)
        };
        let operands = self.editor.body().operands(id)[1..].iter().enumerate();
        let passed = operands.filter(|(index, _)| !is_error(*index)).enumerate();
        let cast = |(own, (index, value)): (usize, (usize, &Value))| {
            let [from, to] = [before.argument(index)?.ty, known.argument(own)?.ty];
            let is_upcast =
                || queries.is_class(from.ty) && queries.is_class(to.ty) && queries.is_subclass(from.ty, to.ty);
            match queries.same_sil_type(from, to) {
                true => Some((*value, None)),
                false => is_upcast().then_some((*value, Some(to))),
            }
        };
        passed.map(cast).collect()
    }

    /// What `call` calls if it calls `function`: a copy of a closure, as what was made of the closure has an end of its own.
    fn called_instead(&mut self, call: InstructionId, function: Value) -> Option<Called> {
        if self.editor.ownership(function) == Ownership::None {
            return Some(Called::Function(function));
        }
        let does = self.editor.operand_ownerships(&[Use { user: call, operand: 0 }]);
        let takes = does.first()?.ends_lifetime();
        let copy = copy_taken_by(&mut self.editor, call, function)?;
        Some(if takes { Called::TakenCopy(copy) } else { Called::BorrowedCopy(copy) })
    }

    /// The function that throws nothing and that a `convert_function` makes one of that may throw.
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

//! Calls that may throw as calls that do not, where the errors go nowhere or the function throws none (`simplifyTryApplyBlock` of
//! lib/SILOptimizer/Transforms/SimplifyCFG.cpp).
//!
//! Does not own: closures with ownership, which would have to be copied, and functions that are still generic.

use super::Simplifier;
use crate::analysis::ApplySite;
use crate::context::{SubstitutionMapId, Sugar};
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{TryApply, Unary};
use crate::model::{Apply, Details, InstructionId, Ownership, Place, Value};
use crate::transform::optimizations::devirtualization::result_casts::{make_casts, result_casts};
use crate::types::ArgumentConvention;

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
        if is_generic || known.function.error.is_some() || self.editor.ownership(function) != Ownership::None {
            return None;
        }
        let casts = result_casts(self.editor.environment, known.function, before.function)?;
        let given = queries.direct_result(known);
        let passed: Vec<Value> = body.operands(id)[1..].to_vec();
        let is_error = |index: usize| {
            before.argument(index).is_some_and(|argument| argument.convention == ArgumentConvention::Error)
        };
        let passed: Vec<(usize, Value)> =
            passed.into_iter().enumerate().filter(|(index, _)| !is_error(*index)).collect();
        let mut upcasts = Vec::new();
        for (own, (index, _)) in passed.iter().enumerate() {
            let [from, to] = [before.argument(*index)?.ty, known.argument(own)?.ty];
            let is_upcast =
                || queries.is_class(from.ty) && queries.is_class(to.ty) && queries.is_subclass(from.ty, to.ty);
            upcasts.push(match queries.same_sil_type(from, to) {
                true => None,
                false => Some(to).filter(|_| is_upcast())?.into(),
            });
        }
        let details = Details::Apply(Box::new(Apply {
            substitutions: SubstitutionMapId::EMPTY,
            sugar: Sugar::default(),
            callee_type: body.ty(function),
            ..apply.clone()
        }));
        let attributes = body.instructions[id].attributes;
        self.editor.build(Place::Before(id), id, |builder| {
            let mut operands = vec![function];
            for ((_, value), to) in passed.into_iter().zip(upcasts) {
                operands.push(match to {
                    Some(to) => builder.value_of_written_type(Opcode::Upcast, Details::None, &[value], to),
                    None => value,
                });
            }
            let result = builder.value_with_attributes(Opcode::Apply, attributes, details, &operands, given);
            let result = make_casts(builder, result, &casts);
            builder.branch(normal, &[result]);
        });
        self.editor.erase(id);
        Some(())
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

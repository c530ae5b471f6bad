//! Simplifies calls of known functions. Unneeded calls are handled in `unneeded_calls`.

use sil_analysis::{ApplySite, Use};
use sil_ir::context::{CalleeConvention, FunctionAttribute as TypeAttribute, ParameterConvention, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Apply, Unary};
use sil_ir::model::{Details, FunctionAttribute, InstructionId, Place};

use super::Simplifier;
use crate::knowledge::enum_cases::optional_some;
use crate::optimizations::devirtualization::{MethodTables, devirtualize_call};

impl Simplifier<'_> {
    pub(super) fn apply(&mut self, id: InstructionId) {
        let known = self.call_thin(id).or_else(|| self.apply_key_path(id)).or_else(|| self.remove_array_cast(id));
        if known.is_none() {
            self.devirtualize(id);
        }
    }

    /// Devirtualises a method call.
    pub(super) fn devirtualize(&mut self, id: InstructionId) {
        let lookup = self.editor.operand(id, 0).and_then(|callee| self.editor.body().defining(callee));
        let is_method = |lookup| matches!(self.editor.opcode(lookup), Opcode::ClassMethod | Opcode::WitnessMethod);
        if lookup.is_some_and(is_method) {
            let module = self.editor.environment.module;
            let classes = self.classes.get_or_insert_with(|| MethodTables::new(module));
            devirtualize_call(&mut self.editor, classes, id);
        }
    }

    /// Calls a thin function directly instead of its thick conversion. The call is an `apply` or a `try_apply`.
    pub(super) fn call_thin(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let made = self.editor.made_by(self.editor.operand(id, 0)?, Opcode::ThinToThickFunction)?;
        let thin = Unary::of(body, made).operand;
        let thick = body.ty(body.result(made)?);
        let Type::Function(function) = self.editor.environment.queries.get(thick.ty) else { return None };
        let is_borrowed = function.attributes.contains(TypeAttribute::NoEscape);
        if function.callee == CalleeConvention::Owned && !is_borrowed {
            return None;
        }
        let Details::Apply(mut apply) = body.instructions[id].details.clone() else { return None };
        apply.callee_type = body.ty(thin);
        let throws = matches!(self.editor.environment.queries.get(body.ty(thin).ty), Type::Function(function) if function.error.is_some());
        self.editor.set_operand(Use { user: id, operand: 0 }, thin);
        self.editor.set_details(id, Details::Apply(apply));
        if throws && self.editor.opcode(id) == Opcode::Apply {
            self.editor.edit_attributes(id, |attributes| attributes.insert(Attribute::NoThrow));
        }
        Some(())
    }

    /// Replaces the cast of an array to its own type with a copy.
    fn remove_array_cast(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let Apply { arguments, .. } = Apply::of(body, id);
        let [array] = *arguments else { return None };
        let function = self.called(id)?;
        let casts = |attribute: &FunctionAttribute| match attribute {
            FunctionAttribute::Semantics(name) => queries.context.text(*name) == "array.conditional_cast",
            _ => false,
        };
        let Type::Function(ty) = queries.get(function.ty) else { return None };
        let result = body.ty(body.result(id)?);
        let (from, to) = (body.ty(array), result);
        if !self.editor.has_ownership()
            || !function.attributes.iter().any(casts)
            || ty.parameters.first()?.convention != ParameterConvention::Guaranteed
            || queries.optional_object(to.ty) != Some(from.ty)
        {
            return None;
        }
        let some = optional_some(self.editor.environment, to.ty)?;
        let optional = self.editor.build(Place::After(id), id, |builder| {
            let copy = builder.copy_value(array);
            builder.enumeration(some, Some(copy), to)
        });
        self.editor.forget_ownership();
        self.editor.replace(id, optional);
        Some(())
    }

    /// The known callee of a call.
    pub(super) fn called(&self, id: InstructionId) -> Option<&'_ sil_ir::model::Function> {
        let name = ApplySite::new(self.editor.body(), id)?.called_function()?;
        let module = self.editor.environment.module;
        module.function_named(name).map(|id| &module.functions[id])
    }
}

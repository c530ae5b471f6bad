//! Folds loads of statically initialised globals
//! (SwiftCompilerSources/Sources/Optimizer/InstructionSimplification/SimplifyLoad.swift).

use rustc_hash::FxHashMap;
use sil_ir::instructions::Attribute;
use sil_ir::model::views::Unary;
use sil_ir::model::{Body, Details, InstructionId, Place, Value};

use super::Simplifier;
use crate::editing::initial_values::without_access;
use crate::knowledge::global_values::{InitialValue, is_constant, value_at};
use crate::knowledge::visibility::may_be_named_in;

impl Simplifier<'_> {
    /// Replaces a load of an immutable global with its initial value. Returns whether it was replaced.
    pub(super) fn load_initial_value(&mut self, id: InstructionId) -> bool {
        let environment = self.editor.environment;
        let body = self.editor.body();
        let address = Unary::of(body, id).operand;
        let takes = body.instructions[id].attributes.contains(Attribute::Take);
        let initial = value_at(environment.module, environment.queries, body, address).filter(|_| !takes);
        let Some(InitialValue { body: from, value }) = initial else { return false };
        let mut makers = Vec::new();
        if !self.gather(InitialValue { body: from, value }, &mut makers) {
            return false;
        }
        let mut made: FxHashMap<Value, Value> = FxHashMap::default();
        for maker in makers {
            let operands: Option<Vec<Value>> =
                from.operands(maker).iter().map(|operand| made.get(&without_access(from, *operand)).copied()).collect();
            let (Some(operands), Some(result)) = (operands, from.result(maker)) else { return false };
            let clone = self.editor.build(Place::Before(id), id, |builder| builder.copy_of(from, maker, &operands));
            let Some(clone) = clone else { return false };
            made.insert(result, clone);
        }
        let Some(by) = made.get(&value) else { return false };
        self.editor.replace(id, *by);
        self.remove_address(address);
        true
    }

    /// Collects the definitions of a value in def-use order. Returns whether all of them can be cloned here.
    fn gather(&self, initial: InitialValue<'_>, makers: &mut Vec<InstructionId>) -> bool {
        let InitialValue { body, value } = initial;
        let Some(id) = body.defining(without_access(body, value)) else { return false };
        if makers.contains(&id) {
            return true;
        }
        let can_be_made = is_constant(body, id)
            && self.may_stand_here(body, id)
            && body.operands(id).iter().all(|operand| self.gather(InitialValue { body, value: *operand }, makers));
        if can_be_made {
            makers.push(id);
        }
        can_be_made
    }

    /// Returns whether the function may refer to the function that an instruction of an initial value refers to.
    fn may_stand_here(&self, body: &Body, id: InstructionId) -> bool {
        let environment = self.editor.environment;
        let module = environment.module;
        let Details::Function(name) = body.instructions[id].details else { return true };
        let named = module.function_named(name).map(|function| &module.functions[function]);
        named.is_none_or(|function| may_be_named_in(function, environment.function))
    }

    /// Removes the dead definitions of an address.
    fn remove_address(&mut self, address: Value) {
        let mut value = address;
        while let Some(id) = self.editor.body().defining(value) {
            let is_unused = self.editor.body().results(id).all(|result| self.editor.uses(result).is_empty());
            if !is_unused {
                return;
            }
            let operands = self.editor.body().operands(id).to_vec();
            self.editor.erase(id);
            let [operand] = operands[..] else { return };
            value = operand;
        }
    }
}

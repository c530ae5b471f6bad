//! Rewrites the results of calls: opaque results, and others that the callee returns indirectly, are returned in memory
//! that the call passes.
//!
//! A new call with the addresses replaces each call. The old call stays until it has no uses, since opaque values are
//! found by their definitions. A `try_apply` cannot stay; its block argument stays as a value without a block.

use sil_analysis::ApplyKind;
use sil_ir::context::SilType;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Apply;
use sil_ir::model::{InstructionId, Ownership, Value};
use sil_ir::types::ArgumentConvention;

use super::lowering::{Lowered, Lowering, Site, Transfer};

/// A result of a call.
struct CallResult {
    /// Its value; `None` if the tuple of all results is unused.
    value: Option<Value>,
    /// Its address type, if the callee returns it indirectly.
    memory: Option<SilType>,
}

/// The new call.
struct NewCall {
    /// The call.
    id: InstructionId,
    /// The direct result: one value, or a tuple.
    result: Value,
}

impl Lowering<'_> {
    /// Rewrites a call with indirect results.
    pub(super) fn rewrite_results(&mut self, call: InstructionId) -> Lowered<()> {
        self.calls.retain(|found| *found != call);
        let destructure = self.destructured_results(call)?;
        let results = self.results(call, destructure);
        let behind = self.after_success(call);
        let indirect: Vec<(Option<Value>, SilType)> =
            results.iter().filter_map(|result| Some((result.value, result.memory?))).collect();
        let mut operands = vec![self.body().operands(call)[0]];
        for (value, ty) in indirect {
            operands.push(self.result_memory(call, value, ty)?);
        }
        operands.extend(self.passed(call));
        self.order_operands(call, &mut operands);
        let new = match ApplyKind::of(self.opcode(call)) {
            Some(ApplyKind::TryApply) => self.try_again(call, &operands)?,
            _ => self.call_again(call, &operands)?,
        };
        if let Some(destructure) = destructure {
            self.replace_direct_results(&new, behind, destructure, &results);
        }
        Ok(())
    }

    /// Orders the result addresses as the callee's results. Pack results are operands already; the new addresses are
    /// inserted between them.
    fn order_operands(&self, call: InstructionId, operands: &mut Vec<Value>) {
        let Some([opaque, lowered]) = self.both_conventions(call) else { return };
        let added = lowered.indirect_results().count() - opaque.indirect_results().count();
        let (mut new, mut old) = (1, 1 + added);
        let mut ordered = vec![operands[0]];
        for (before, behind) in opaque.function.results.iter().zip(&lowered.function.results) {
            if !behind.convention.is_indirect() {
                continue;
            }
            let next = if before.convention.is_indirect() { &mut old } else { &mut new };
            ordered.extend(operands.get(*next));
            *next += 1;
        }
        ordered.extend(operands.iter().skip(old));
        *operands = ordered;
    }

    /// Returns the instruction that destructures the tuple of a call's results.
    fn destructured_results(&self, call: InstructionId) -> Lowered<Option<InstructionId>> {
        let Some(tuple) = self.direct_value(call).filter(|value| self.call_of_tuple(*value).is_some()) else {
            return Ok(None);
        };
        match self.editor.uses(tuple)[..] {
            [] => Ok(None),
            [only] if self.opcode(only.user) == Opcode::DestructureTuple => Ok(Some(only.user)),
            _ => self.unsupported(call, "results of a call that are used as a tuple"),
        }
    }

    /// Returns the direct result of a call.
    fn direct_value(&self, call: InstructionId) -> Option<Value> {
        match ApplyKind::of(self.opcode(call))? {
            ApplyKind::TryApply => {
                let normal = self.body().targets(call).first()?;
                self.body().blocks[*normal].arguments.first().copied()
            }
            _ => self.body().result(call),
        }
    }

    /// Returns the direct results of a call before lowering.
    fn results(&self, call: InstructionId, destructure: Option<InstructionId>) -> Vec<CallResult> {
        let Some([opaque, lowered]) = self.both_conventions(call) else { return Vec::new() };
        let is_tuple = opaque.direct_results().count() > 1;
        let mut values: Vec<Value> = match destructure {
            Some(id) => self.body().results(id).collect(),
            None if is_tuple => Vec::new(),
            None => self.direct_value(call).into_iter().collect(),
        };
        values.reverse();
        let results = opaque.function.results.iter().zip(&lowered.function.results);
        let values_now = results.filter(|(before, _)| !before.convention.is_indirect());
        values_now
            .map(|(_, behind)| CallResult {
                value: values.pop(),
                memory: behind.convention.is_indirect().then(|| SilType::object(behind.ty)),
            })
            .collect()
    }

    /// Returns the address that a call passes for a result. A loadable result is loaded after the call.
    fn result_memory(&mut self, call: InstructionId, value: Option<Value>, ty: SilType) -> Lowered<Value> {
        let site = Site::before(call);
        if let Some(value) = value.filter(|value| self.is_opaque(*value)) {
            let at = self.materializer(value, site);
            let address = self.materialize(at, value)?;
            self.storages.set_rewritten(value, address);
            return Ok(address);
        }
        let ty = value.map_or(ty, |value| self.ty(value));
        let memory = self.allocate_stack(site, ty);
        self.after_call(call, |lowering, site| lowering.deallocate_stack(site, memory))?;
        if let Some(value) = value.filter(|value| !self.editor.uses(*value).is_empty()) {
            let behind = match (self.opcode(call), self.body().targets(call).first()) {
                (Opcode::TryApply, Some(normal)) => Site::start(*normal, call),
                _ => Site::after(call),
            };
            let loaded = self.load(behind, memory, Transfer::Take);
            self.replace_all(value, loaded);
        }
        Ok(memory)
    }

    /// Returns the first instruction after the normal return of a call.
    fn after_success(&self, call: InstructionId) -> Option<InstructionId> {
        match (self.opcode(call), self.body().targets(call).first()) {
            (Opcode::TryApply, Some(normal)) => self.body().first_instruction(*normal),
            _ => self.body().next(call),
        }
    }

    /// Returns the type of a call's direct result after lowering.
    fn direct_type(&self, call: InstructionId) -> Lowered<SilType> {
        match self.both_conventions(call) {
            Some([_, lowered]) => Ok(self.lowered.direct_result(lowered)),
            None => self.unsupported(call, "a call of what is no function"),
        }
    }

    fn call_again(&mut self, call: InstructionId, operands: &[Value]) -> Lowered<NewCall> {
        let ty = self.direct_type(call)?;
        let attributes = self.body().instructions[call].attributes;
        let apply = Apply::of(self.body(), call).apply.clone();
        let result = self.build(Site::before(call), |builder| builder.with(attributes).apply(apply, operands, ty));
        let id = self.body().defining(result).unwrap_or(call);
        Ok(NewCall { id, result })
    }

    fn try_again(&mut self, call: InstructionId, operands: &[Value]) -> Lowered<NewCall> {
        let ty = self.direct_type(call)?;
        let targets = self.body().targets(call).to_vec();
        let id = self.build(Site::before(call), |builder| builder.again(call, operands));
        self.editor.erase(call);
        let Some(normal) = targets.first() else { return self.unsupported(id, "a call that leads nowhere") };
        let ownership = if self.is_trivial(ty) { Ownership::None } else { Ownership::Owned };
        let result = self.editor.exchange_argument(*normal, ty, ownership);
        Ok(NewCall { id, result })
    }

    /// Replaces the results that are still direct by those of the new call.
    fn replace_direct_results(
        &mut self,
        new: &NewCall,
        behind: Option<InstructionId>,
        destructure: InstructionId,
        results: &[CallResult],
    ) {
        let direct: Vec<Value> =
            results.iter().filter(|result| result.memory.is_none()).filter_map(|result| result.value).collect();
        let replacements = match direct[..] {
            [] => Vec::new(),
            [_] => vec![new.result],
            _ => {
                let types: Vec<SilType> = direct.iter().map(|value| self.ty(*value)).collect();
                let site = Site { like: new.id, ..Site::before(behind.unwrap_or(destructure)) };
                self.build(site, |builder| builder.destructure_tuple(new.result, &types))
            }
        };
        for (value, by) in direct.into_iter().zip(replacements) {
            self.exchange(value, by);
        }
        let mut values = self.body().results(destructure);
        if values.all(|value| self.editor.uses(value).is_empty()) {
            self.editor.erase(destructure);
        }
    }

    /// Rewrites a coroutine call with indirect yields.
    pub(super) fn rewrite_yields(&mut self, call: InstructionId) -> Lowered<()> {
        self.calls.retain(|found| *found != call);
        let Some([opaque, lowered]) = self.both_conventions(call) else {
            return self.unsupported(call, "a call of what is no function");
        };
        let yields = opaque.function.yields.iter().zip(&lowered.function.yields);
        let yields: Vec<(bool, bool)> = yields
            .map(|(before, behind)| {
                let convention = ArgumentConvention::Parameter(behind.convention);
                (!before.convention.is_indirect() && behind.convention.is_indirect(), convention.is_consumed())
            })
            .collect();
        let operands = self.body().operands(call).to_vec();
        let ends = self.coroutine_ends(call);
        let Some(next) = self.body().next(call) else { return Ok(()) };
        let behind = Site { like: call, ..Site::before(next) };
        let new = self.build(Site::before(call), |builder| builder.again(call, &operands));
        let pairs: Vec<(Value, Value)> = self.body().results(call).zip(self.body().results(new)).collect();
        for (index, (old, value)) in pairs.into_iter().enumerate() {
            match yields.get(index) {
                Some((true, is_taken)) => self.take_yielded((call, behind, &ends), (old, value), *is_taken)?,
                _ => self.exchange(old, value),
            }
        }
        if !self.body().results(call).any(|value| self.storages.ordinal(value).is_some()) {
            self.editor.erase(call);
        }
        Ok(())
    }

    /// Replaces a yielded value by the yielded address. A consumed value may be used after the coroutine ends, and is
    /// moved.
    fn take_yielded(
        &mut self,
        (call, behind, ends): (InstructionId, Site, &[InstructionId]),
        (old, new): (Value, Value),
        is_taken: bool,
    ) -> Lowered<()> {
        let ty = self.ty(old);
        self.editor.set_value_type(new, SilType::address(ty.ty));
        match (self.is_opaque(old), is_taken) {
            (true, true) => {
                let at = self.materializer(old, Site::before(call));
                let address = self.materialize(at, old)?;
                self.storages.set_rewritten(old, address);
                self.move_to_memory(behind, new, address);
            }
            (true, false) => self.storages.set_rewritten(old, new),
            (false, true) => {
                let loaded = self.load(behind, new, Transfer::Take);
                self.replace_all(old, loaded);
            }
            (false, false) => {
                let loaded = self.load_borrow(behind, new);
                self.replace_all(old, loaded);
                if !self.is_trivial(ty) {
                    ends.iter().for_each(|end| self.end_borrow(Site::before(*end), loaded));
                }
            }
        }
        Ok(())
    }
}

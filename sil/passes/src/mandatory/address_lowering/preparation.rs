//! Prepares the function's own arguments and results, and lists its opaque values.
//!
//! A parameter that becomes an address is loaded at the start of the function, so that the value remains; the load is
//! removed when all its uses have the address. Loadable parameters keep their loads.

use sil_analysis::{ApplyKind, ApplySite};
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{ArgumentFlag, InstructionId, Ownership, Place, Value};
use sil_ir::types::{ArgumentConvention, ArgumentRole, FunctionConventions};

use super::lowering::{Lowered, Lowering, Site};

impl Lowering<'_> {
    /// Gives the function its lowered arguments, and lists its opaque values.
    pub(super) fn prepare(&mut self) -> Lowered<()> {
        self.take_addresses();
        self.add_result_arguments()?;
        self.find_opaque_values()?;
        self.separate_returned_tuples();
        self.find_stored_copies();
        self.keep_ownership();
        Ok(())
    }

    fn conventions(&self) -> Option<[FunctionConventions<'_>; 2]> {
        let ty = self.editor.environment.function.ty;
        Some([self.opaque().conventions(ty)?, self.lowered.conventions(ty)?])
    }

    /// Replaces the value arguments of indirect parameters by addresses.
    fn take_addresses(&mut self) {
        let Some([opaque, lowered]) = self.conventions() else { return };
        let entry = self.body().entry();
        let arguments = self.body().blocks[entry].arguments.clone();
        let passed = |role: ArgumentRole| lowered.arguments().find(|argument| argument.role == role);
        let changed: Vec<(Value, ArgumentConvention)> = opaque
            .arguments()
            .zip(arguments)
            .filter_map(|(before, value)| {
                let after = passed(before.role)?;
                (after.ty.is_address() && !before.ty.is_address()).then_some((value, after.convention))
            })
            .collect();
        let Some(first) = self.body().first_instruction(entry) else { return };
        for (value, convention) in changed {
            self.load_argument(first, value, convention);
        }
    }

    fn load_argument(&mut self, first: InstructionId, value: Value, convention: ArgumentConvention) {
        let object = self.ty(value);
        let uses = self.uses(value);
        self.editor.exchange_for_address(value, SilType::address(object.ty));
        let site = Site::before(first);
        let is_borrowed = convention.is_guaranteed() && !self.is_trivial(object);
        let taking = self.taking(object);
        let loaded = self.build(site, |builder| match is_borrowed {
            true => builder.load_borrow(value),
            false => builder.with(taking).load(value),
        });
        for found in uses {
            self.editor.set_operand(found, loaded);
        }
        if is_borrowed {
            for exit in self.exits.clone() {
                self.end_borrow(Site::before(exit), loaded);
            }
        }
        if self.is_address_only(object) {
            self.storages.add_stored(loaded, value);
        }
    }

    fn taking(&self, ty: SilType) -> AttributeSet {
        super::lowering::with(if self.is_trivial(ty) { Attribute::Trivial } else { Attribute::Take })
    }

    /// Adds an address argument for each direct result that becomes indirect.
    fn add_result_arguments(&mut self) -> Lowered<()> {
        let Some([opaque, lowered]) = self.conventions() else { return Ok(()) };
        let is_thrown_as_value = opaque.indirect_error().is_none() && lowered.indirect_error().is_some();
        let results = opaque.function.results.iter().zip(&lowered.function.results);
        let mut added = Vec::new();
        let (mut position, mut direct) = (0, 0);
        for (before, after) in results {
            let is_direct = !before.convention.is_indirect();
            if is_direct && after.convention.is_indirect() {
                added.push((position, direct, SilType::address(after.ty)));
            }
            position += usize::from(after.convention.is_indirect());
            direct += usize::from(is_direct);
        }
        if is_thrown_as_value && let Some(exit) = self.exits.first() {
            return self.unsupported(*exit, "opaque values in a function that throws an error indirectly");
        }
        let entry = self.body().entry();
        for (position, direct, ty) in added {
            let ty = self.returned_type(direct).unwrap_or(ty);
            let argument = self.editor.insert_argument(entry, position, ty, Ownership::None);
            self.editor.flag_argument(argument, ArgumentFlag::ReturnValue);
            self.storages.add_stored(argument, argument);
        }
        Ok(())
    }

    /// Returns the address type of direct result number `direct`, as the body has it: opaque result types are resolved
    /// there.
    fn returned_type(&self, direct: usize) -> Option<SilType> {
        let exit = self.exits.iter().find(|exit| self.opcode(**exit) == Opcode::Return)?;
        let Unary { operand } = Unary::of(self.body(), *exit);
        let whole = self.ty(operand);
        let ty = match self.direct_result_count() {
            1 => whole.ty,
            _ => self.lowered.tuple_element_type(whole.ty, direct as u32)?,
        };
        Some(SilType::address(ty))
    }

    /// Lists the opaque values, and the instructions with arguments, results or yields that become indirect.
    fn find_opaque_values(&mut self) -> Lowered<()> {
        let entry = self.body().entry();
        for block in self.cfg.reverse_post_order().to_vec() {
            if block != entry {
                self.body().blocks[block].arguments.clone().into_iter().for_each(|value| self.add_value(value));
            }
            for id in self.body().instructions_in(block).collect::<Vec<_>>() {
                if ApplyKind::of(self.opcode(id)).is_some() && self.passes_indirectly(id) {
                    self.calls.push(id);
                }
                if self.opcode(id) == Opcode::Yield {
                    self.yields.push(id);
                }
                self.body().results(id).for_each(|value| self.add_value(value));
            }
        }
        Ok(())
    }

    fn add_value(&mut self, value: Value) {
        if self.ty(value).is_address() || self.call_of_tuple(value).is_some() || self.is_returned_tuple(value) {
            return;
        }
        if !self.is_opaque(value) {
            self.note_loadable_cast(value);
        } else if self.storages.ordinal(value).is_none() {
            self.storages.add(value);
        }
    }

    /// Returns whether the function needs lowering.
    pub(super) fn has_anything_opaque(&self) -> bool {
        let changes = |[opaque, lowered]: [FunctionConventions<'_>; 2]| {
            opaque.argument_count() != lowered.argument_count()
                || opaque.arguments().zip(lowered.arguments()).any(|(before, after)| before.ty != after.ty)
        };
        let concerns = |id: InstructionId| {
            let is_call = ApplyKind::of(self.opcode(id)).is_some();
            is_call && self.passes_indirectly(id) || self.body().results(id).any(|value| self.is_opaque(value))
        };
        self.conventions().is_some_and(changes) || self.body().placed_instructions().any(concerns)
    }

    /// Returns whether a value argument or result of a call becomes indirect.
    fn passes_indirectly(&self, call: InstructionId) -> bool {
        let is_full = ApplyKind::of(self.opcode(call)).is_some_and(ApplyKind::is_full);
        let gives = is_full && (self.changes_yields(call) || self.changes_results(call));
        gives || !self.indirect_operands(call).is_empty()
    }

    /// Returns whether a yield of a call becomes indirect.
    pub(super) fn changes_yields(&self, call: InstructionId) -> bool {
        let Some([opaque, lowered]) = self.both_conventions(call) else { return false };
        let mut yields = opaque.function.yields.iter().zip(&lowered.function.yields);
        yields.any(|(before, after)| before.convention.is_indirect() != after.convention.is_indirect())
    }

    /// Returns whether a result of a call becomes indirect.
    pub(super) fn changes_results(&self, call: InstructionId) -> bool {
        let Some([opaque, lowered]) = self.both_conventions(call) else { return false };
        let mut results = opaque.function.results.iter().zip(&lowered.function.results);
        results.any(|(before, after)| before.convention.is_indirect() != after.convention.is_indirect())
    }

    /// Returns the conventions of a call: with opaque values, and lowered.
    pub(super) fn both_conventions(&self, call: InstructionId) -> Option<[FunctionConventions<'_>; 2]> {
        let site = ApplySite::new(self.body(), call)?;
        Some([site.conventions(self.opaque())?, site.conventions(self.lowered)?])
    }

    /// Gives each `return` of several results its own tuple.
    fn separate_returned_tuples(&mut self) {
        if self.direct_result_count() < 2 {
            return;
        }
        for exit in self.exits.clone() {
            if self.opcode(exit) != Opcode::Return {
                continue;
            }
            let Unary { operand } = Unary::of(self.body(), exit);
            if self.is_returned_tuple(operand) {
                continue;
            }
            let ty = self.ty(operand);
            let Some(elements) = self.lowered.tuple_element_types(ty.ty) else { continue };
            let types: Vec<SilType> = elements.into_iter().map(SilType::object).collect();
            let site = Site { place: Place::Before(exit), like: exit };
            let parts = self.build(site, |builder| builder.destructure_tuple(operand, &types));
            let tuple = self.build(site, |builder| builder.tuple(&parts, ty));
            for value in parts.iter().copied().chain([tuple]) {
                self.editor.locate_automatically(value);
            }
            self.editor.set_operands(exit, &[tuple]);
            parts.into_iter().for_each(|part| self.add_value(part));
        }
    }
}

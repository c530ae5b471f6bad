//! Rewrites the returns and yields of the function: opaque results, and others that its type returns indirectly, are
//! stored at the addresses of the caller.

use sil_ir::context::SilType;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Unary, Yield};
use sil_ir::model::{InstructionId, Ownership, Value};
use sil_ir::types::ArgumentConvention;

use super::lowering::{Lowered, Lowering, Site};

impl Lowering<'_> {
    /// Stores all indirect results at their addresses.
    pub(super) fn rewrite_returns(&mut self) -> Lowered<()> {
        if self.result_address_count() == 0 {
            return Ok(());
        }
        for exit in self.exits.clone() {
            if self.opcode(exit) == Opcode::Return {
                self.rewrite_return(exit)?;
            }
        }
        Ok(())
    }

    fn result_address_count(&self) -> usize {
        (0..self.direct_result_count()).filter(|result| self.result_address(*result).is_some()).count()
    }

    fn rewrite_return(&mut self, exit: InstructionId) -> Lowered<()> {
        let Unary { operand } = Unary::of(self.body(), exit);
        let tuple = self.editor.made_by(operand, Opcode::Tuple).filter(|_| self.is_returned_tuple(operand));
        let results = match tuple {
            Some(tuple) => self.body().operands(tuple).to_vec(),
            None => vec![operand],
        };
        let site = self.before_deallocations(exit);
        let mut direct = Vec::new();
        for (index, value) in results.into_iter().enumerate() {
            match self.result_address(index) {
                Some(address) => self.return_in_memory(site, value, address)?,
                None => direct.push(value),
            }
        }
        let returned = match direct[..] {
            [only] => only,
            _ => {
                let ty = self.lowered_result();
                let tuple = self.build(site, |builder| builder.tuple(&direct, ty));
                self.editor.locate_automatically(tuple);
                tuple
            }
        };
        self.editor.set_operands(exit, &[returned]);
        tuple.into_iter().for_each(|tuple| self.editor.erase(tuple));
        Ok(())
    }

    /// Returns the type of the tuple of the remaining direct results.
    fn lowered_result(&self) -> SilType {
        let conventions = self.lowered.conventions(self.editor.environment.function.ty);
        conventions.map_or(SilType::object(self.lowered.void()), |found| self.lowered.direct_result(found))
    }

    /// Returns the place in front of the deallocations at the end of a block.
    fn before_deallocations(&self, exit: InstructionId) -> Site {
        let mut place = exit;
        while let Some(before) = self.body().previous(place).filter(|id| self.opcode(*id) == Opcode::DeallocStack) {
            place = before;
        }
        Site { like: exit, ..Site::before(place) }
    }

    fn return_in_memory(&mut self, site: Site, value: Value, address: Value) -> Lowered<()> {
        if !self.is_opaque(value) {
            self.store(site, value, address);
            return Ok(());
        }
        let source = self.address_of(value, site.like)?;
        if source != address {
            self.move_to_memory(site, source, address);
        }
        Ok(())
    }

    /// Stores loadable values with indirect yields in memory for the duration of the yield. Opaque values are in
    /// memory.
    pub(super) fn rewrite_yield(&mut self, id: InstructionId) -> Lowered<()> {
        let ty = self.editor.environment.function.ty;
        let conventions: Vec<ArgumentConvention> = self.lowered.conventions(ty).map_or_else(Vec::new, |lowered| {
            lowered.function.yields.iter().map(|found| ArgumentConvention::Parameter(found.convention)).collect()
        });
        let values = Yield::of(self.body(), id).values.to_vec();
        for (index, (value, convention)) in values.into_iter().zip(conventions).enumerate() {
            let is_taken = convention.is_consumed();
            if convention.is_indirect_in() && !self.ty(value).is_address() {
                let passed = self.yield_in_memory(id, value, is_taken);
                self.editor.set_operand(sil_analysis::Use { user: id, operand: index as u32 }, passed);
            }
        }
        Ok(())
    }

    fn yield_in_memory(&mut self, id: InstructionId, value: Value, is_taken: bool) -> Value {
        let (site, ty) = (Site::before(id), self.ty(value));
        let memory = self.allocate_stack(site, ty);
        let firsts = self.after_yield(id);
        if is_taken || self.is_trivial(ty) {
            self.store(site, value, memory);
            firsts.into_iter().for_each(|site| self.deallocate_stack(site, memory));
            return memory;
        }
        let borrow = (self.ownership(value) == Ownership::Owned)
            .then(|| self.build(site, |builder| builder.begin_borrow(value)));
        let lent = self.build(site, |builder| builder.store_borrow(borrow.unwrap_or(value), memory));
        for site in firsts {
            self.end_borrow(site, lent);
            borrow.into_iter().for_each(|borrow| self.end_borrow(site, borrow));
            self.deallocate_stack(site, memory);
        }
        lent
    }

    /// Returns the places where the coroutine resumes.
    fn after_yield(&self, id: InstructionId) -> Vec<Site> {
        let firsts = self.body().targets(id).iter().filter_map(|target| self.body().first_instruction(*target));
        firsts.map(Site::before).collect()
    }
}

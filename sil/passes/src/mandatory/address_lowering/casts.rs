//! Rewrites checked casts in memory: casts from or to opaque values, and other casts for which IRGen has no scalar
//! form.

use sil_ir::context::{Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CheckedCastBr, UnconditionalCheckedCast};
use sil_ir::model::{BlockId, Cast, CastConsumption, InstructionId, Value};

use super::lowering::{Lowered, Lowering, Site, Transfer};

impl Lowering<'_> {
    /// Records the cast that defines a loadable value, if its operand is loadable too and the cast has no scalar form.
    pub(super) fn note_loadable_cast(&mut self, value: Value) {
        let found = match self.body().defining(value).or_else(|| self.giving_terminator(value)) {
            Some(id) if self.opcode(id) == Opcode::UnconditionalCheckedCast => {
                let UnconditionalCheckedCast { operand, target } = UnconditionalCheckedCast::of(self.body(), id);
                Some((id, operand, self.ty(operand).ty, target))
            }
            Some(id) if self.opcode(id) == Opcode::CheckedCastBr => {
                let CheckedCastBr { operand, success, cast, .. } = CheckedCastBr::of(self.body(), id);
                let source = cast.source.unwrap_or(self.ty(operand).ty);
                let is_success = self.argument(value).is_some_and(|(block, _)| block == success);
                is_success.then_some((id, operand, source, cast.target))
            }
            _ => None,
        };
        if let Some((id, operand, source, target)) = found
            && !self.is_opaque(operand)
            && !self.is_scalar_cast(source, target)
        {
            self.loadable_casts.push(id);
        }
    }

    /// Returns whether a cast has a scalar form, as casts of references and metatypes do
    /// (lib/SIL/Utils/DynamicCasts.cpp, `canIRGenUseScalarCheckedCastInstructions`).
    fn is_scalar_cast(&self, source: TypeId, target: TypeId) -> bool {
        let queries = self.lowered;
        if [source, target].into_iter().any(|ty| self.has_constrained_existential(ty)) {
            return false;
        }
        let object = queries.optional_object(source).unwrap_or(source);
        let signature = self.editor.environment.function.signature;
        let is_reference =
            |ty: TypeId| queries.properties(ty, signature).is_reference() || self.is_class_existential(ty);
        let is_metatype =
            |ty: TypeId| matches!(queries.get(ty), Type::Metatype { .. } | Type::ExistentialMetatype { .. });
        if queries.is_type_parameter(target) || matches!(queries.get(target), Type::OpenedArchetype { .. }) {
            // A superclass constraint excludes the Objective-C types to which errors are bridged.
            return is_reference(object) && queries.superclass_of(target).is_some();
        }
        (is_reference(object) || is_metatype(object)) && is_reference(target)
            || is_metatype(object) && is_metatype(target)
    }

    fn has_constrained_existential(&self, ty: TypeId) -> bool {
        let is_constrained = |part| self.lowered.is_constrained_existential(part).then_some(());
        self.lowered.find_in(ty, &mut { is_constrained }).is_some()
    }

    fn has_function(&self, ty: TypeId) -> bool {
        let is_function = |part| matches!(self.lowered.get(part), Type::Function(_)).then_some(());
        self.lowered.find_in(ty, &mut { is_function }).is_some()
    }

    fn is_class_existential(&self, ty: TypeId) -> bool {
        matches!(self.lowered.get(ty), Type::Existential(_)) && self.lowered.has_class_bound(ty)
    }

    /// Rewrites an `unconditional_checked_cast` as a cast in memory.
    pub(super) fn rewrite_cast(&mut self, id: InstructionId) -> Lowered<()> {
        let UnconditionalCheckedCast { operand, target } = UnconditionalCheckedCast::of(self.body(), id);
        let Some(result) = self.body().result(id) else { return Ok(()) };
        self.require_owned(id, operand)?;
        let before = Site::before(id);
        let is_loaded = |lowering: &Self, value: Value| !lowering.is_opaque(value);
        let source = match is_loaded(self, operand) {
            true => self.put_on_stack(before, operand),
            false => self.address_of(operand, id)?,
        };
        let destination = match is_loaded(self, result) {
            true => {
                let ty = self.ty(result);
                self.allocate_stack(before, ty)
            }
            false => {
                let at = self.materializer(result, before);
                self.materialize(at, result)?
            }
        };
        let [from, lowered] = [source, destination].map(|address| self.ty(address).ty);
        // Swift writes lowered types here. Lowered function types are no types that a cast at run time could look for.
        let to = if self.has_function(lowered) { target } else { lowered };
        let cast = Cast { source: Some(from), target: to, consumption: None, counts: [None; 2] };
        let attributes = self.isolation(id);
        self.build(before, |builder| {
            builder.with(attributes).unconditional_checked_cast_addr(source, destination, Box::new(cast))
        });
        let Some(next) = self.body().next(id) else { return Ok(()) };
        let after = Site { like: id, ..Site::before(next) };
        if is_loaded(self, operand) {
            self.deallocate_stack(after, source);
        }
        if is_loaded(self, result) {
            let loaded = self.load(after, destination, Transfer::Take);
            self.replace_all(result, loaded);
            self.deallocate_stack(after, destination);
            self.editor.erase(id);
        } else {
            self.storages.set_rewritten(result, destination);
        }
        Ok(())
    }

    fn put_on_stack(&mut self, site: Site, value: Value) -> Value {
        let ty = self.ty(value);
        let memory = self.allocate_stack(site, ty);
        self.store(site, value, memory);
        memory
    }

    fn isolation(&self, id: InstructionId) -> AttributeSet {
        let mut attributes = AttributeSet::default();
        if self.body().instructions[id].attributes.contains(Attribute::ProhibitIsolatedConformances) {
            attributes.insert(Attribute::ProhibitIsolatedConformances);
        }
        attributes
    }

    /// Rewrites a `checked_cast_br` as a cast in memory. If the cast fails, the value stays in its memory.
    pub(super) fn rewrite_cast_branch(&mut self, id: InstructionId) -> Lowered<()> {
        let CheckedCastBr { operand, success, failure, cast } = CheckedCastBr::of(self.body(), id);
        self.require_owned(id, operand)?;
        let cast = Cast {
            source: Some(cast.source.unwrap_or(self.ty(operand).ty)),
            consumption: Some(CastConsumption::TakeOnSuccess),
            ..cast.clone()
        };
        let given = [success, failure].map(|block| self.body().blocks[block].arguments.first().copied());
        let [Some(succeeded), Some(failed)] = given else {
            return self.unsupported(id, "a cast of an opaque value that passes nothing on");
        };
        let firsts = [success, failure].map(|block| self.body().first_instruction(block));
        let (source, is_source_loaded) = self.cast_memory(id, operand)?;
        if is_source_loaded {
            self.store(Site::before(id), operand, source);
        }
        self.free_after(is_source_loaded, source, (id, firsts));
        let (destination, is_result_loaded) = self.cast_memory(id, succeeded)?;
        self.free_after(is_result_loaded, destination, (id, firsts));
        let attributes = self.isolation(id);
        self.build(Site::before(id), |builder| {
            builder.checked_cast_addr_br(source, destination, Box::new(cast), [success, failure]);
        });
        if let Some(new) = self.body().previous(id) {
            self.editor.edit_attributes(new, |found| *found = attributes);
        }
        self.editor.erase(id);
        self.take_argument(success, succeeded, (destination, id));
        self.take_argument(failure, failed, (source, id));
        Ok(())
    }

    /// Returns the memory of a cast's source or result, and whether it was allocated for the cast.
    fn cast_memory(&mut self, id: InstructionId, value: Value) -> Lowered<(Value, bool)> {
        let site = Site::before(id);
        if self.is_opaque(value) {
            let at = self.materializer(value, site);
            return Ok((self.materialize(at, value)?, false));
        }
        let ty = self.ty(value);
        Ok((self.allocate_stack(site, ty), true))
    }

    fn free_after(
        &mut self,
        is_temporary: bool,
        memory: Value,
        (id, firsts): (InstructionId, [Option<InstructionId>; 2]),
    ) {
        if is_temporary {
            for first in firsts.into_iter().flatten() {
                self.deallocate_stack(Site { like: id, ..Site::before(first) }, memory);
            }
        }
    }

    /// Replaces the argument of a block by the value in memory.
    fn take_argument(&mut self, block: BlockId, value: Value, (address, like): (Value, InstructionId)) {
        if self.is_opaque(value) {
            self.storages.set_rewritten(value, address);
        } else {
            let loaded = self.load(Site::start(block, like), address, Transfer::Take);
            self.replace_all(value, loaded);
        }
        self.editor.remove_argument(block, 0);
    }
}

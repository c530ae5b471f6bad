//! Copying and destroying values of an enum.

use inkwell::basic_block::BasicBlock;
use inkwell::values::BasicValueEnum;

use super::super::MemoryOperation;
use super::switch::Destinations;
use super::values::EnumValue;
use crate::generation::{IRGenFunction, Operation};
use crate::layout::enums::{Case, CaseKind, EnumLayout, Strategy};
use crate::layout::{ReferenceKind, TypeInfo, TypeKind};

/// Copies or destroys a loaded value.
pub fn operate_on_explosion<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    operation: Operation,
    info: &TypeInfo,
    layout: &EnumLayout,
    explosion: &[BasicValueEnum<'ctx>],
) {
    match (layout.counted_reference(f, explosion), operation, &layout.strategy) {
        (Some((kind, reference)), Operation::Copy, _) => f.retain(kind, reference),
        (Some((kind, reference)), Operation::Destroy, _) => f.release(kind, reference),
        (None, _, Strategy::Singleton) => layout.emit_operation(f, operation, explosion),
        (None, ..) => layout.call_outlined(f, info, operation, explosion),
    }
}

/// Destroys a value in memory that cannot be loaded, or initialises memory from one.
pub fn operate_in_memory<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    operation: MemoryOperation<'ctx>,
    info: &TypeInfo,
    layout: &EnumLayout,
) {
    match operation {
        MemoryOperation::Destroy(address) => {
            let parts = layout.load_value(f, info, address);
            layout.for_each_payload(f, &parts, |_, payload| f.operate_in_memory(operation, payload));
        }
        MemoryOperation::Take { to, from } | MemoryOperation::Copy { to, from } => {
            let parts = layout.load_value(f, info, from);
            let bits = f.new_block("");
            let done = f.new_block("");
            layout.branch_to_payloads(f, &parts, bits, |_, payload| {
                f.operate_in_memory(operation, payload);
                layout.store_extra_tag(f, info, parts.extra_tag, to);
                f.builder.branch(done);
            });
            f.builder.position_at_end(bits);
            f.builder.memcpy(to, from, f.builder.int(64, info.size), info.alignment);
            f.builder.branch(done);
            f.builder.position_at_end(done);
        }
    }
}

impl EnumLayout {
    /// Copies or destroys the payload of a loaded value, inline.
    pub(super) fn emit_operation<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        operation: Operation,
        explosion: &[BasicValueEnum<'ctx>],
    ) {
        self.for_each_payload(f, &self.loaded_value(explosion), |case, payload| {
            let value = self.project(f, case, explosion);
            f.operate_on_explosion(operation, payload, &value);
        });
    }

    /// Returns the only counted reference in a value. It is null for a case without one.
    fn counted_reference<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        explosion: &[BasicValueEnum<'ctx>],
    ) -> Option<(ReferenceKind, BasicValueEnum<'ctx>)> {
        let kind = self.reference_kind()?;
        let case = self.cases.iter().position(|case| case.pattern.kind == CaseKind::Payload)?;
        Some((kind, *self.project(f, case, explosion).first()?))
    }

    /// Returns the kind of the counted reference that is each payload, or `None` if a payload is anything else, or a
    /// case without payload is not null.
    pub(super) fn reference_kind(&self) -> Option<ReferenceKind> {
        if matches!(self.strategy, Strategy::Singleton) {
            return None;
        }
        let mut kinds = self
            .cases
            .iter()
            .filter(|case| case.pattern.kind == CaseKind::Payload)
            .map(|case| case.payload.as_deref().and_then(single_reference));
        let kind = kinds.next()??;
        let null = |case: &Case| case.pattern.payload.and(&self.payload_tag_bits.not()).is_zero();
        let all_null = self.cases.iter().filter(|case| case.pattern.kind == CaseKind::Empty).all(null);
        (all_null && kinds.all(|other| other == Some(kind))).then_some(kind)
    }

    /// Emits `action` in a separate block for each case with a non-trivial payload, and continues after them.
    fn for_each_payload<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        action: impl Fn(usize, &TypeInfo),
    ) {
        if let (Strategy::Singleton, Some(payload)) = (&self.strategy, self.only_payload()) {
            return action(0, payload);
        }
        let done = f.new_block("");
        self.branch_to_payloads(f, parts, done, |case, payload| {
            action(case, payload);
            f.builder.branch(done);
        });
        f.builder.position_at_end(done);
    }

    /// Ends the block: branches to a block for each case with a non-trivial payload, which `action` emits and ends;
    /// from all other cases to `trivial`.
    fn branch_to_payloads<'ctx>(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        trivial: BasicBlock<'ctx>,
        action: impl Fn(usize, &TypeInfo),
    ) {
        let nontrivial = self.cases.iter().map(|case| case.payload.as_deref().filter(|payload| !payload.is_trivial()));
        let nontrivial: Vec<Option<&TypeInfo>> = nontrivial.collect();
        let blocks: Vec<Option<BasicBlock<'ctx>>> =
            nontrivial.iter().map(|payload| payload.map(|_| f.new_block(""))).collect();
        let destinations = Destinations { cases: blocks.clone(), default: Some(trivial), counts: Vec::new() };
        self.switch(f, parts, &destinations);
        for (case, (block, payload)) in blocks.iter().zip(&nontrivial).enumerate() {
            if let (Some(block), Some(payload)) = (block, payload) {
                f.builder.position_at_end(*block);
                action(case, payload);
            }
        }
    }
}

/// Returns the kind of the counted reference that is a value of this type, or `None` for other values and with a
/// `deinit`.
fn single_reference(info: &TypeInfo) -> Option<ReferenceKind> {
    if info.elements.len() != 1 || info.deinit.is_some() {
        return None;
    }
    match &info.kind {
        TypeKind::Reference(kind) => Some(*kind),
        TypeKind::Record(fields) => fields.iter().find_map(|field| single_reference(&field.info)),
        TypeKind::Enum(layout) if matches!(layout.strategy, Strategy::Singleton) => {
            layout.only_payload().and_then(|payload| single_reference(payload))
        }
        _ => None,
    }
}

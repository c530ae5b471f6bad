//! Copying and destroying values of an enum.

use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, PointerValue};

use super::outlined::Operation;
use super::values::EnumValue;
use super::{CaseKind, Destinations, EnumLayout, Strategy};
use crate::generation::IRGenFunction;
use crate::types::{ReferenceKind, TypeInfo, TypeKind};

/// How the value in memory is initialised from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Initialization {
    /// The source is uninitialised afterwards.
    Take,
    /// The source keeps its value.
    Copy,
}

/// Copies a loaded value.
pub fn copy<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    info: &TypeInfo<'ctx>,
    layout: &EnumLayout<'ctx>,
    explosion: &[BasicValueEnum<'ctx>],
) {
    match layout.counted_reference(f, explosion) {
        Some((kind, reference)) => f.retain(kind, reference),
        None => layout.copy_or_destroy(f, info, Operation::Copy, explosion),
    }
}

/// Destroys a loaded value.
pub fn destroy<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    info: &TypeInfo<'ctx>,
    layout: &EnumLayout<'ctx>,
    explosion: &[BasicValueEnum<'ctx>],
) {
    match layout.counted_reference(f, explosion) {
        Some((kind, reference)) => f.release(kind, reference),
        None => layout.copy_or_destroy(f, info, Operation::Destroy, explosion),
    }
}

/// Destroys a value in memory that cannot be loaded.
pub fn destroy_at<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    info: &TypeInfo<'ctx>,
    layout: &EnumLayout<'ctx>,
    address: PointerValue<'ctx>,
) {
    let parts = layout.load_value(f, info, address);
    layout.for_each_payload(f, &parts, |_, payload| f.destroy_at(payload, address));
}

/// Initialises memory from a value that cannot be loaded.
pub fn initialize_at<'ctx>(
    f: &IRGenFunction<'_, 'ctx>,
    info: &TypeInfo<'ctx>,
    layout: &EnumLayout<'ctx>,
    to: PointerValue<'ctx>,
    from: PointerValue<'ctx>,
    how: Initialization,
) {
    let parts = layout.load_value(f, info, from);
    let bits = f.new_block("");
    let done = f.new_block("");
    layout.branch_to_payloads(f, &parts, bits, |_, payload| {
        match how {
            Initialization::Take => f.initialize_with_take(payload, to, from),
            Initialization::Copy => f.initialize_with_copy(payload, to, from),
        }
        layout.store_extra_tag(f, info, parts.extra_tag, to);
        f.builder.branch(done);
    });
    f.builder.position_at_end(bits);
    f.builder.memcpy(to, from, f.builder.int(64, info.size), info.alignment);
    f.builder.branch(done);
    f.builder.position_at_end(done);
}

impl<'ctx> EnumLayout<'ctx> {
    fn copy_or_destroy(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo<'ctx>,
        operation: Operation,
        explosion: &[BasicValueEnum<'ctx>],
    ) {
        match self.strategy {
            Strategy::Singleton => self.emit_operation(f, operation, explosion),
            _ => self.call_outlined(f, info, operation, explosion),
        }
    }

    /// Copies or destroys the payload of a loaded value, where it stands.
    pub(super) fn emit_operation(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        operation: Operation,
        explosion: &[BasicValueEnum<'ctx>],
    ) {
        self.for_each_payload(f, &self.loaded_value(explosion), |case, payload| {
            let value = self.project(f, case, explosion);
            match operation {
                Operation::Copy => f.copy_explosion(payload, &value),
                Operation::Destroy => f.destroy_explosion(payload, &value),
            }
        });
    }

    /// The reference that is all that there is to count in a value. It is null for a case without one.
    fn counted_reference(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        explosion: &[BasicValueEnum<'ctx>],
    ) -> Option<(ReferenceKind, BasicValueEnum<'ctx>)> {
        let kind = self.reference_kind()?;
        let case = self.cases.iter().position(|case| case.pattern.kind == CaseKind::Payload)?;
        Some((kind, *self.project(f, case, explosion).first()?))
    }

    /// How the reference is counted that each payload is; none where a payload is anything else, or a case without
    /// payload is not null.
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
        let null = |case: &super::Case<'ctx>| case.pattern.payload.and(&self.payload_tag_bits.not()).is_zero();
        let all_null = self.cases.iter().filter(|case| case.pattern.kind == CaseKind::Empty).all(null);
        (all_null && kinds.all(|other| other == Some(kind))).then_some(kind)
    }

    /// Runs `action` in a block of its own for each case whose payload is not trivial, and goes on behind them.
    fn for_each_payload(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        action: impl Fn(usize, &TypeInfo<'ctx>),
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

    /// Ends the block: branches to a block for each case whose payload is not trivial, which `action` fills and ends;
    /// from all other cases to `trivial`.
    fn branch_to_payloads(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        parts: &EnumValue<'ctx>,
        trivial: BasicBlock<'ctx>,
        action: impl Fn(usize, &TypeInfo<'ctx>),
    ) {
        let nontrivial = self.cases.iter().map(|case| case.payload.as_deref().filter(|payload| !payload.is_trivial()));
        let nontrivial: Vec<Option<&TypeInfo<'ctx>>> = nontrivial.collect();
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

/// How the reference is counted that a value of this type is.
fn single_reference(info: &TypeInfo<'_>) -> Option<ReferenceKind> {
    if info.elements.len() != 1 {
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

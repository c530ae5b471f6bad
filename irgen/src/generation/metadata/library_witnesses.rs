//! The choice of a value witness table of the library for a type of this module, which then needs no table of its own
//! (lib/IRGen/GenValueWitness.cpp, `getAddrOfKnownValueWitnessTable`). `value_types` has the contents of a type's own
//! table.

use inkwell::values::PointerValue;
use sil_ir::context::TypeId;
use sil_ir::declarations::{NominalDeclaration, NominalKind};

use crate::generation::{Entity, IRGenModule, LibraryWitnesses, TypePart};
use crate::layout::{ReferenceKind, TypeInfo, TypeKind, TypeLayout};
use crate::refusal::Generated;

/// The size of the largest integer, in bytes, with a table in the library.
const LARGEST_INTEGER: u64 = 64;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the value witness table that the metadata of `ty`, or its pattern, refers to.
    pub(super) fn value_witnesses(&self, ty: TypeId) -> Generated<Entity> {
        Ok(match self.library_witnesses(ty)? {
            Some(witnesses) => Entity::LibraryWitnesses(witnesses),
            None => Entity::OfType(TypePart::ValueWitnessTable, ty),
        })
    }

    /// Returns the library's table for values of `ty`, a struct or an enum of this module, if there is one: not for
    /// enums with cases, which have additional witnesses, nor for noncopyable types.
    fn library_witnesses(&self, ty: TypeId) -> Generated<Option<LibraryWitnesses>> {
        let (_, declaration) = self.value_type(ty)?;
        if self.needs_own_witnesses(declaration) {
            return Ok(None);
        }
        let layout = self.types.layout(self.types.erased(self.witnessed_type(ty), declaration.signature))?;
        Ok(match layout {
            TypeLayout::Fixed(info) => witnesses_by_layout(&info),
            TypeLayout::Dynamic(_) => None,
        })
    }

    fn needs_own_witnesses(&self, declaration: &NominalDeclaration) -> bool {
        let has_cases = declaration.kind == NominalKind::Enum && !declaration.cases.is_empty();
        has_cases || self.is_never_copied(declaration)
    }

    /// Returns the address of `witnesses` in the library.
    pub(in crate::generation) fn address_of_library_witnesses(
        &self,
        witnesses: LibraryWitnesses,
    ) -> PointerValue<'ctx> {
        let entity = Entity::LibraryWitnesses(witnesses);
        let found = self.declared_address(&entity);
        let function = self.builder.ptr_type();
        found.unwrap_or_else(|| self.declare_variable(entity, function, self.pointer_size()).as_pointer_value())
    }
}

fn witnesses_by_layout(info: &TypeInfo) -> Option<LibraryWitnesses> {
    if !info.is_bitwise_takable() || has_inline_array(info) {
        return None;
    }
    if info.size == 0 {
        return (info.is_trivial() && info.alignment == 1).then_some(LibraryWitnesses::Empty);
    }
    if !info.is_trivial() {
        return counted_witnesses(info);
    }
    let is_integer = info.size == info.alignment && info.size <= LARGEST_INTEGER;
    (is_integer && info.extra_inhabitant_count == 0).then_some(LibraryWitnesses::Integer(info.size * 8))
}

/// Returns the witnesses of a single reference, possibly nested in structs and enums without other contents.
fn counted_witnesses(info: &TypeInfo) -> Option<LibraryWitnesses> {
    match &info.kind {
        TypeKind::Reference(ReferenceKind::Native) => Some(LibraryWitnesses::NativeObject),
        TypeKind::Reference(ReferenceKind::Bridge) => Some(LibraryWitnesses::BridgeObject),
        TypeKind::Record(fields) => match &fields[..] {
            [only] => counted_witnesses(&only.info),
            _ => None,
        },
        TypeKind::Enum(layout) => match &layout.cases[..] {
            [only] => only.payload.as_ref().and_then(|payload| counted_witnesses(payload)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether values have inline arrays: code that depends on one depends on its address in memory, which no table
/// of the library supports.
fn has_inline_array(info: &TypeInfo) -> bool {
    match &info.kind {
        TypeKind::FixedArray { .. } => true,
        TypeKind::Enum(layout) => {
            let mut payloads = layout.cases.iter().filter_map(|case| case.payload.as_ref());
            payloads.any(|payload| has_inline_array(payload))
        }
        _ => info.fields().iter().any(|field| has_inline_array(&field.info)),
    }
}

//! Synthesised heap objects: boxes and closure contexts. Their layout is a header and fields; their metadata is the
//! [`Mode`](super::mode::Mode)'s.

use std::sync::Arc;

use inkwell::values::{FunctionValue, PointerValue};
use sil_ir::context::{SignatureId, TypeId};

use super::constants::ConstantStruct;
use super::signature::{LlvmParameter, Signature};
use super::{Entity, IRGenModule};
use crate::layout::{Field, TypeInfo, layout_record};
use crate::llvm::attributes::{Attribute, Place};
use crate::refusal::Generated;

/// The layout of a box or of a closure context.
#[derive(Debug)]
pub struct HeapLayout {
    /// The size of the object in bytes, with its header.
    pub size: u64,
    /// Its alignment in bytes.
    pub alignment: u64,
    /// The fields; offsets are from the start of the object.
    pub fields: Vec<Field>,
    /// The types of the fields.
    pub types: Vec<TypeId>,
}

/// The metadata of boxes and closure contexts.
#[derive(Debug)]
pub struct HeapMetadata {
    /// All of it.
    pub words: ConstantStruct,
    /// The offset that references to it point to, in bytes.
    pub address_point: u64,
}

/// The identity of heap metadata.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HeapMetadataKey {
    /// The types of the fields.
    pub fields: Vec<TypeId>,
    /// The description for debuggers.
    pub captures: CaptureDescription,
}

/// The debugger's description of the fields of boxes and closure contexts (include/swift/RemoteInspection/Records.h,
/// `CaptureDescriptor`).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CaptureDescription {
    /// The signature that the types are in terms of.
    pub signature: Option<SignatureId>,
    /// The number of leading fields that hold generic arguments.
    pub bindings: usize,
    /// The types whose metadata is available, with its source.
    pub sources: Vec<(TypeId, String)>,
}

impl HeapLayout {
    /// Returns the alignment mask for `swift_allocObject`.
    pub fn alignment_mask(&self) -> u64 {
        self.alignment - 1
    }

    pub(crate) fn destroyed_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.info.is_trivial())
    }
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The layout of a heap object with fields of these lowered types.
    pub fn heap_layout(&self, types: &[TypeId]) -> Generated<HeapLayout> {
        let fields: Generated<Vec<Arc<TypeInfo>>> = types.iter().map(|ty| self.types.info(*ty)).collect();
        let record = layout_record(&fields?, self.heap_header_size());
        Ok(HeapLayout {
            size: record.size,
            alignment: record.alignment.max(self.pointer_size()),
            fields: record.fields().to_vec(),
            types: types.to_vec(),
        })
    }

    /// The layout of a box: `ty` is a [`Type::Box`](sil_ir::context::Type::Box). Its fields are those of the box type.
    pub fn box_layout(&self, ty: TypeId) -> Generated<HeapLayout> {
        let mut types = Vec::new();
        while let Some(field) = self.types.queries.box_field_type(ty, types.len() as u32) {
            types.push(field);
        }
        self.heap_layout(&types)
    }

    /// Metadata and reference counts, in bytes.
    pub fn heap_header_size(&self) -> u64 {
        self.pointer_size() * 2
    }

    /// The metadata of heap objects with this layout.
    pub fn heap_metadata(&self, layout: &HeapLayout, captures: CaptureDescription) -> Generated<PointerValue<'ctx>> {
        let key = self.program.mode.heap_metadata_key(HeapMetadataKey { fields: layout.types.clone(), captures });
        let HeapMetadata { words, address_point } = self.program.mode.heap_metadata(self, &key)?;
        let entity = Entity::HeapMetadata(key);
        let address = match self.declared_address(&entity) {
            Some(found) => found,
            None => self.declare_constant(entity, words, self.pointer_size()).as_pointer_value(),
        };
        Ok(self.builder.address_in(address, address_point))
    }

    /// The function that destroys heap objects with fields of these types.
    pub(super) fn heap_destroyer(&self, fields: &[TypeId]) -> FunctionValue<'ctx> {
        let entity = Entity::HeapDestroyer(fields.to_vec());
        let found = self.declared_function(&entity);
        found.unwrap_or_else(|| self.declare_thunk(entity, &self.destroyer_signature()))
    }

    /// A destroyer gets the object in the context register.
    pub(crate) fn destroyer_signature(&self) -> Signature<'ctx> {
        let ty = self.context.void_type().fn_type(&[self.builder.ptr_type().into()], false);
        let swift_self = [(Place::Parameter(0), Attribute::SwiftSelf)];
        let parameters = vec![LlvmParameter::Context];
        Signature::of_thunk(self.context, ty, self.swift_convention(), parameters, &swift_self)
    }

    /// Declares a synthesised function, with the attributes of its signature.
    pub fn declare_thunk(&self, entity: Entity, signature: &Signature<'ctx>) -> FunctionValue<'ctx> {
        let llvm = self.declare_function(entity, signature.llvm);
        llvm.set_call_conventions(signature.convention);
        signature.attributes.add_to(llvm);
        llvm
    }
}

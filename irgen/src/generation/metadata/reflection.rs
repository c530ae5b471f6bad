//! The types and conformances of this module for reflection and debuggers (lib/IRGen/GenReflection.cpp,
//! include/swift/RemoteInspection/Records.h): fields, layouts that do not follow from them, associated types.

use std::sync::Arc;

use inkwell::values::PointerValue;
use sil_ir::context::{Conformance, ConformanceId, Mutability, Name, NominalId, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::model::WitnessEntry;
use sil_ir::types::Copyability;

use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, NominalPart, TypePart};
use crate::layout::{ActorStorage, TypeInfo, TypeKind, TypeLayout};
use crate::refusal::Generated;

/// Kinds of field descriptors, and flags of fields.
const STRUCT_FIELDS: u64 = 0;
const CLASS_FIELDS: u64 = 1;
const ENUM_FIELDS: u64 = 2;
const MULTI_PAYLOAD_ENUM_FIELDS: u64 = 3;
const PROTOCOL_FIELDS: u64 = 4;
const CLASS_PROTOCOL_FIELDS: u64 = 5;
const FIELD_SIZE: u64 = 12;
const INDIRECT_CASE: u64 = 1;
const ARTIFICIAL_FIELD: u64 = 4;
const VARIABLE_FIELD: u64 = 2;

/// The size of the record of an associated type, in bytes.
const ASSOCIATED_TYPE_SIZE: u64 = 8;

/// The flag for bitwise takable values, in the word of the alignment.
const IS_BITWISE_TAKABLE: u64 = 1 << 16;

/// The flag for tags in spare bits of payloads, in the word with the size of an enum's record.
const USES_SPARE_BITS: u64 = 1;

/// The maximum size of a mask in bytes; larger ones are omitted.
const LARGEST_MASK: u64 = 16384;

/// The alignment of names, in bytes.
const NAME_ALIGNMENT: u64 = 2;

/// A field or a case in reflection metadata.
struct ReflectedField {
    flags: u64,
    ty: Option<TypeId>,
    name: Name,
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the descriptor: the type, the superclass, the kind, the record size, the number of records, then the
    /// records.
    pub(super) fn field_descriptor(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let declaration = self.sil.declarations.get(nominal);
        let fields = self.reflected_fields(nominal)?;
        let kind = match declaration.kind {
            NominalKind::Enum if self.multi_payload_layout(nominal)?.is_some() => MULTI_PAYLOAD_ENUM_FIELDS,
            NominalKind::Enum => ENUM_FIELDS,
            NominalKind::Struct => STRUCT_FIELDS,
            NominalKind::Protocol if self.types.queries.is_class_protocol(nominal) => CLASS_PROTOCOL_FIELDS,
            NominalKind::Protocol => PROTOCOL_FIELDS,
            _ => CLASS_FIELDS,
        };
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_relative(self.name_of_nominal(nominal)?);
        match self.superclass_name(self.identity(nominal)) {
            Some(superclass) => words.add_relative(superclass),
            None => words.add_integer(32, 0),
        }
        words.add_integer(16, kind);
        words.add_integer(16, FIELD_SIZE);
        words.add_integer(32, fields.len() as u64);
        for field in fields {
            words.add_integer(32, field.flags);
            match field.ty {
                Some(ty) => words.add_relative(self.name_of_type(ty, declaration.signature)),
                None => words.add_integer(32, 0),
            }
            words.add_relative(Entity::ReflectedName(field.name));
        }
        Ok(words)
    }

    /// Returns the stored properties in order, or the cases in the order of their tags.
    fn reflected_fields(&self, nominal: NominalId) -> Generated<Vec<ReflectedField>> {
        let declaration = self.sil.declarations.get(nominal);
        let stored = declaration.stored.iter().map(|property| {
            let ty = self.types.queries.stored_as(property, property.ty);
            let flags = if property.mutability == Mutability::Var { VARIABLE_FIELD } else { 0 };
            ReflectedField { flags, ty: Some(self.reflected_type(ty)), name: property.name }
        });
        let (payloads, empty) = match declaration.kind {
            NominalKind::Enum => self.cases_by_payload(nominal)?,
            _ => Default::default(),
        };
        let cases = payloads.into_iter().chain(empty).map(|number| &declaration.cases[number]);
        let cases = cases.map(|case| ReflectedField {
            flags: if case.indirect && case.payload.is_some() { INDIRECT_CASE } else { 0 },
            ty: case.payload.map(|payload| self.reflected_type(payload)),
            name: case.name,
        });
        let storage = self.types.actor_storage(self.identity(nominal)).map(|storage| ReflectedField {
            flags: VARIABLE_FIELD | ARTIFICIAL_FIELD,
            ty: Some(self.types.actor_storage_type(storage)),
            name: self.sil.context.name(match storage {
                ActorStorage::Default => "$defaultActor",
                ActorStorage::NonDefaultDistributed => "$nonDefaultDistributedActor",
            }),
        });
        Ok(storage.into_iter().chain(stored).chain(cases).collect())
    }

    /// Returns `ty` in a form that the runtime supports, since reflection copies values (lib/IRGen/GenReflection.cpp).
    fn reflected_type(&self, ty: TypeId) -> TypeId {
        let queries = self.types.queries;
        match queries.properties(ty, None).copyability {
            Copyability::Copyable => ty,
            Copyability::Noncopyable => queries.void(),
        }
    }

    /// Returns the name of a field for reflection.
    pub fn reflected_name(&self, name: Name) -> PointerValue<'ctx> {
        let entity = Entity::ReflectedName(name);
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut text = ConstantStruct::new(self.pointer_size());
        text.add_bytes(&[self.sil.context.text(name).as_bytes(), &[0]].concat());
        self.declare_constant(entity, text, 1).as_pointer_value()
    }

    /// The name of a type without arguments, or of a protocol.
    fn name_of_nominal(&self, nominal: NominalId) -> Generated<Entity> {
        if self.sil.declarations.get(nominal).kind != NominalKind::Protocol {
            return Ok(Entity::OfType(TypePart::MangledName, self.unbound_type(nominal)));
        }
        let name = self.mangled_protocol(nominal)?;
        Ok(Entity::PlainName(name.into()))
    }

    /// Returns the layout of a type that the module declares, if reflection cannot compute it from the fields: of an
    /// enum with several payloads, a C structure, or memory without fields.
    fn opaque_layout(&self, nominal: NominalId) -> Generated<Option<Arc<TypeInfo>>> {
        if self.sil.declarations.get(nominal).attributes.raw_layout.is_none() && !self.is_foreign_type(nominal) {
            return self.multi_payload_layout(nominal);
        }
        match self.types.layout(self.identity(nominal))? {
            TypeLayout::Fixed(info) => Ok(Some(info)),
            TypeLayout::Dynamic(_) => Ok(None),
        }
    }

    /// The layout of an enum with several payloads, if it is fixed.
    fn multi_payload_layout(&self, nominal: NominalId) -> Generated<Option<Arc<TypeInfo>>> {
        let declaration = self.sil.declarations.get(nominal);
        if declaration.kind != NominalKind::Enum || self.cases_by_payload(nominal)?.0.len() < 2 {
            return Ok(None);
        }
        match self.types.layout(self.types.erased(self.identity(nominal), declaration.signature))? {
            TypeLayout::Fixed(info) => Ok(Some(info)),
            TypeLayout::Dynamic(_) => Ok(None),
        }
    }

    /// Declares the entities that are only reachable through their sections: the record by which the runtime finds the
    /// descriptor of a type or a protocol, and the records for reflection.
    pub(super) fn declare_records(&self, nominal: NominalId) -> Generated<()> {
        self.nominal_part(NominalPart::Record, nominal)?;
        self.nominal_part(NominalPart::FieldDescriptor, nominal)?;
        if self.opaque_layout(nominal)?.is_some() {
            self.nominal_part(NominalPart::FixedLayout, nominal)?;
        }
        if self.multi_payload_layout(nominal)?.is_some() {
            self.nominal_part(NominalPart::MultiPayloadLayout, nominal)?;
        }
        Ok(())
    }

    /// The layout of a type, for reflection.
    pub(super) fn layout_descriptor(&self, part: NominalPart, nominal: NominalId) -> Generated<ConstantStruct> {
        let Some(info) = self.opaque_layout(nominal)? else {
            return Err(self.unsupported_type(self.identity(nominal)));
        };
        Ok(match part {
            NominalPart::MultiPayloadLayout => self.multi_payload_descriptor(nominal, &info),
            _ => self.fixed_layout_descriptor(nominal, &info),
        })
    }

    /// Returns the descriptor: the type, the size, the alignment with the flag for bitwise takable values, the stride,
    /// the number of extra inhabitants.
    fn fixed_layout_descriptor(&self, nominal: NominalId, info: &TypeInfo) -> ConstantStruct {
        let numbers = self.layout_numbers(info);
        let taking = if info.is_bitwise_takable() { IS_BITWISE_TAKABLE } else { 0 };
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_relative(Entity::OfType(TypePart::MangledName, self.unbound_type(nominal)));
        words.add_integer(32, numbers.size);
        words.add_integer(32, info.alignment | taking);
        words.add_integer(32, numbers.stride);
        words.add_integer(32, u64::from(numbers.inhabitants));
        words
    }

    /// Returns the descriptor: the type, the number of further words and whether payloads have spare bits; if so their
    /// offset and the mask, without leading and trailing zero bytes.
    fn multi_payload_descriptor(&self, nominal: NominalId, info: &TypeInfo) -> ConstantStruct {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_relative(Entity::OfType(TypePart::MangledName, self.unbound_type(nominal)));
        let spare = match &info.kind {
            TypeKind::Enum(layout) => layout.common_spare_bits().map(|bits| bits.to_bytes()).unwrap_or_default(),
            _ => Vec::new(),
        };
        let is_used = |byte: &u8| *byte != 0;
        let (first, last) = (spare.iter().position(is_used), spare.iter().rposition(is_used));
        match (first, last) {
            (Some(first), Some(last)) if (last + 1 - first) as u64 <= LARGEST_MASK => {
                let mut mask = spare[first..=last].to_vec();
                let count = mask.len() as u64;
                mask.resize(mask.len().next_multiple_of(4), 0);
                words.add_integer(32, (2 + mask.len() as u64 / 4) << 16 | USES_SPARE_BITS);
                words.add_integer(32, (first as u64) << 16 | count);
                words.add_bytes(&mask);
            }
            _ => words.add_integer(32, 1 << 16),
        }
        words
    }

    /// Returns the associated types of a conformance that the module declares, with their witnesses, including those
    /// redeclared from inherited protocols.
    pub(super) fn associated_types(&self, conformance: ConformanceId) -> Vec<(Name, TypeId)> {
        let protocol = self.sil.declarations.get(self.sil.context.get_conformance(conformance).protocol);
        let queries = self.types.queries;
        let declared = protocol.associated_types.iter().map(|declared| declared.name);
        let declared: Option<Vec<_>> =
            declared.map(|name| Some((name, queries.type_witness(conformance, name)?))).collect();
        if let Some(declared) = declared.filter(|declared| !declared.is_empty()) {
            return declared;
        }
        let table = self.program.witness_tables.table(conformance);
        let entries = table.and_then(|table| table.entries.as_deref()).unwrap_or_default();
        let associated = entries.iter().filter_map(|entry| match entry {
            WitnessEntry::AssociatedType { name, ty } => Some((*name, *ty)),
            _ => None,
        });
        associated.collect()
    }

    /// The type, the protocol, the number of associated types, the size of each record; the names and the witnesses.
    pub(super) fn associated_type_descriptor(&self, conformance: ConformanceId) -> Generated<ConstantStruct> {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let Some(nominal) = self.types.queries.as_nominal(ty) else { return Err(self.unsupported_type(ty)) };
        let (associated, signature) = (self.associated_types(conformance), self.conformance_signature(conformance));
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_relative(self.name_of_nominal(nominal.declaration)?);
        words.add_relative(self.name_of_nominal(protocol)?);
        words.add_integer(32, associated.len() as u64);
        words.add_integer(32, ASSOCIATED_TYPE_SIZE);
        for (name, ty) in associated {
            words.add_relative(Entity::ReflectedName(name));
            words.add_relative(self.name_of_type(ty, signature));
        }
        Ok(words)
    }

    /// Returns a name without references, for reflection.
    pub fn plain_name(&self, name: &str) -> PointerValue<'ctx> {
        let entity = Entity::PlainName(name.into());
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut text = ConstantStruct::new(self.pointer_size());
        text.add_bytes(&[name.as_bytes(), &[0]].concat());
        self.declare_constant(entity, text, NAME_ALIGNMENT).as_pointer_value()
    }
}

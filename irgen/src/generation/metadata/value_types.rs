//! The entities of the structs and enums that this module declares (lib/IRGen/GenMeta.cpp): metadata, value witness
//! tables and descriptors.

use inkwell::values::PointerValue;
use sil_ir::context::{Inverse, Name, NominalId, NominalType, SignatureId, Type, TypeId};
use sil_ir::declarations::{Access, NominalDeclaration, NominalKind, Origin};
use sil_ir::model::Linkage;
use sil_ir::symbols::ValueWitness;
use sil_ir::types::Invertible;

use super::class_types;
use super::generic_contexts::inverse_bit;
use crate::generation::constants::ConstantStruct;
use crate::generation::entities::LayoutNumbers;
use crate::generation::{Definition, Entity, Helper, IRGenModule, MetadataStrategy, NominalPart, Roots, TypePart};
use crate::layout::{
    IS_NOT_BITWISE_TAKABLE, IS_NOT_COPYABLE, IS_NOT_INLINE, IS_NOT_TRIVIAL, TypeInfo, TypeKind, TypeLayout,
};
use crate::refusal::Generated;

/// Kinds of metadata (include/swift/ABI/MetadataKind.def).
const STRUCT_METADATA: u64 = 0x200;
const ENUM_METADATA: u64 = 0x201;

/// Kinds of descriptors, and the flag of unique ones (include/swift/ABI/MetadataValues.h, `ContextDescriptorFlags`).
const STRUCT_DESCRIPTOR: u64 = 17;
const ENUM_DESCRIPTOR: u64 = 18;
pub(super) const UNIQUE_DESCRIPTOR: u64 = 1 << 6;

/// The flags of values in a value witness table (`TargetValueWitnessFlags`).
const HAS_ENUM_WITNESSES: u64 = 1 << 21;
const IS_INCOMPLETE: u64 = 1 << 22;

/// The number of words before the address point of struct and enum metadata: layout string, value witnesses.
const WORDS_BEFORE: u64 = 2;

/// Kind and descriptor, before the generic arguments in the metadata of a struct or an enum, in words.
pub(super) const HEADER_WORDS: u64 = 2;

/// The bit position of the payload size's word index in an enum's descriptor.
const PAYLOAD_SIZE_SHIFT: u32 = 24;

/// Flags in the upper half of a descriptor: generic parameters, or singleton metadata that is completed at its first
/// use (`TypeContextDescriptorFlags`).
pub(super) const IS_GENERIC: u64 = 1 << 7;
const HAS_SINGLETON_METADATA: u64 = 1 << 16;
const HAS_INVERSES: u64 = 1 << 5;

const WITNESSES: [ValueWitness; 8] = [
    ValueWitness::InitializeBufferWithCopyOfBuffer,
    ValueWitness::Destroy,
    ValueWitness::InitializeWithCopy,
    ValueWitness::AssignWithCopy,
    ValueWitness::InitializeWithTake,
    ValueWitness::AssignWithTake,
    ValueWitness::GetEnumTagSinglePayload,
    ValueWitness::StoreEnumTagSinglePayload,
];

const ENUM_WITNESSES: [ValueWitness; 3] =
    [ValueWitness::GetEnumTag, ValueWitness::DestructiveProjectEnumData, ValueWitness::DestructiveInjectEnumTag];

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns whether the SIL module declares the subject of `entity`.
    pub(super) fn declares(&self, entity: &Entity) -> bool {
        self.definition_of(entity) != Definition::Elsewhere
    }

    /// Returns the metadata of a type that the module declares: an address in the full metadata, with its own symbol.
    pub(super) fn own_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let metadata = self.own_metadata_address(ty)?;
        self.declare_alias(Entity::OfType(TypePart::Metadata, ty), metadata);
        Ok(metadata)
    }

    /// Returns the address of the metadata in the full metadata.
    pub(crate) fn own_metadata_address(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let full = self.type_part(TypePart::FullMetadata, ty)?;
        Ok(self.builder.address_in(full, self.words_before_metadata(ty) * self.pointer_size()))
    }

    /// Returns the number of words before the address point in the metadata of `ty`.
    fn words_before_metadata(&self, ty: TypeId) -> u64 {
        if self.is_own_class(ty) { class_types::WORDS_BEFORE } else { WORDS_BEFORE }
    }

    /// Returns the declaration of a type whose metadata the module defines, and its kind.
    pub(super) fn value_type(&self, ty: TypeId) -> Generated<(NominalId, &NominalDeclaration)> {
        let queries = self.types.queries;
        let Some(nominal) = queries.as_nominal(ty) else { return Err(self.unsupported_type(ty)) };
        let declaration = queries.declarations.get(nominal.declaration);
        let is_value = matches!(declaration.kind, NominalKind::Struct | NominalKind::Enum);
        if !is_value {
            return Err(self.unsupported_type(ty));
        }
        Ok((nominal.declaration, declaration))
    }

    /// Returns the full metadata: no layout string, value witnesses; then kind, descriptor, and the offsets of a
    /// struct's stored properties.
    pub(super) fn full_metadata(&self, ty: TypeId) -> Generated<ConstantStruct> {
        if self.is_own_class(ty) {
            return self.full_class_metadata(ty);
        }
        let (nominal, declaration) = self.value_type(ty)?;
        let layout = self.types.layout(ty)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        words.add_address(self.value_witnesses(ty)?);
        words.add_integer(self.pointer_bits(), metadata_kind(declaration));
        words.add_address(Entity::OfNominal(NominalPart::Descriptor, nominal));
        match (declaration.kind, &layout) {
            (NominalKind::Struct, TypeLayout::Fixed(info)) => {
                info.fields().iter().for_each(|field| words.add_integer(32, field.offset));
            }
            (NominalKind::Struct, TypeLayout::Dynamic(_)) => {
                declaration.stored.iter().for_each(|_| words.add_integer(32, 0));
            }
            _ if self.has_payload_size(nominal)? => {
                let size = match &layout {
                    TypeLayout::Fixed(info) => info.payload_size(),
                    TypeLayout::Dynamic(_) => 0,
                };
                words.add_integer(self.pointer_bits(), size);
            }
            _ => {}
        }
        words.align_to(self.pointer_size());
        Ok(words)
    }

    /// Returns the table: the functions, size, stride, flags, the number of extra inhabitants, and for enums the
    /// functions of enums.
    pub(super) fn value_witness_table(&self, ty: TypeId) -> Generated<ConstantStruct> {
        let (_, declaration) = self.value_type(ty)?;
        let is_enum = declaration.kind == NominalKind::Enum;
        let numbers = match self.types.layout(self.types.erased(self.witnessed_type(ty), declaration.signature))? {
            TypeLayout::Fixed(info) if info.extra_inhabitant_count > 0 && info.extra_inhabitant_series().is_none() => {
                return Err(self.unsupported_type(ty));
            }
            TypeLayout::Fixed(info) => {
                let numbers = self.layout_numbers(&info);
                let copying = if self.is_never_copied(declaration) { IS_NOT_COPYABLE } else { 0 };
                LayoutNumbers { flags: numbers.flags | copying, ..numbers }
            }
            TypeLayout::Dynamic(_) => {
                let flags = if is_enum { IS_INCOMPLETE | HAS_ENUM_WITNESSES } else { IS_INCOMPLETE };
                LayoutNumbers { size: 0, stride: 0, flags, inhabitants: 0 }
            }
        };
        let enum_witnesses = if is_enum { &ENUM_WITNESSES[..] } else { &[] };
        let mut table = ConstantStruct::new(self.pointer_size());
        let is_never_copied = self.is_never_copied(declaration);
        let add = |table: &mut ConstantStruct, witness: &ValueWitness| {
            table.add_address(match witness {
                ValueWitness::InitializeBufferWithCopyOfBuffer
                | ValueWitness::InitializeWithCopy
                | ValueWitness::AssignWithCopy
                    if is_never_copied =>
                {
                    Entity::Helper(Helper::CannotCopy)
                }
                _ => Entity::ValueWitness(*witness, ty),
            });
        };
        WITNESSES.iter().for_each(|witness| add(&mut table, witness));
        table.add_integer(self.pointer_bits(), numbers.size);
        table.add_integer(self.pointer_bits(), numbers.stride);
        table.add_integer(32, numbers.flags);
        table.add_integer(32, u64::from(numbers.inhabitants));
        enum_witnesses.iter().for_each(|witness| add(&mut table, witness));
        Ok(table)
    }

    pub(super) fn value_flags(&self, info: &TypeInfo) -> u64 {
        let flag = |flag: u64, is_set: bool| if is_set { flag } else { 0 };
        (info.alignment - 1)
            | flag(IS_NOT_TRIVIAL, !info.is_trivial())
            | flag(IS_NOT_INLINE, !info.fits_existential_buffer(self.pointer_size()))
            | flag(IS_NOT_BITWISE_TAKABLE, !info.is_bitwise_takable())
            | flag(HAS_ENUM_WITNESSES, matches!(info.kind, TypeKind::Enum(_)))
    }

    /// Returns the descriptor: flags, the context, the name, the accessor, the fields, the parts of structs and enums
    /// or the members of classes, generic parameters, the completion function; the methods and the default overrides of
    /// a class.
    pub(super) fn type_descriptor(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let mut words = self.descriptor_head(nominal)?;
        if self.is_own_class(self.identity(nominal)) {
            self.add_methods(&mut words, nominal)?;
            self.add_default_overrides(&mut words, nominal)?;
        }
        Ok(words)
    }

    /// The words of a descriptor before the methods of a class.
    pub(super) fn descriptor_head(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let declaration = self.sil.declarations.get(nominal);
        let ty = self.identity(nominal);
        let is_class = self.is_own_class(ty);
        if !is_class {
            self.value_type(ty)?;
        }
        self.require_known_members(declaration)?;
        let strategy = self.metadata_strategy(nominal)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        let kind = match declaration.kind {
            NominalKind::Struct => STRUCT_DESCRIPTOR,
            NominalKind::Enum => ENUM_DESCRIPTOR,
            _ => {
                class_types::CLASS_DESCRIPTOR
                    | self.method_flags(nominal)?
                    | self.default_override_flags(nominal)
                    | self.superclass_flags(ty)?
                    | self.actor_flags(ty)
            }
        };
        let strategy_flags = match strategy {
            MetadataStrategy::Static => 0,
            MetadataStrategy::Foreign => self.foreign_flags(nominal),
            MetadataStrategy::Singleton | MetadataStrategy::Relocated => HAS_SINGLETON_METADATA,
            MetadataStrategy::Generic => IS_GENERIC,
        };
        let inverses = self.inverses(nominal);
        let inverse_flag = if inverses == 0 { 0 } else { HAS_INVERSES };
        let unique = if strategy == MetadataStrategy::Foreign { 0 } else { UNIQUE_DESCRIPTOR };
        words.add_integer(32, kind | unique | strategy_flags | inverse_flag);
        words.add_relative(self.context_around(nominal));
        words.add_relative(Entity::String(self.described_name(nominal)));
        let of_it = |part| Entity::OfNominal(part, nominal);
        words.add_relative(of_it(NominalPart::MetadataAccessor));
        words.add_relative(of_it(NominalPart::FieldDescriptor));
        if is_class {
            self.add_class_description(&mut words, ty)?;
        } else if declaration.kind == NominalKind::Struct {
            words.add_integer(32, declaration.stored.len() as u64);
            words.add_integer(32, HEADER_WORDS + self.argument_count(nominal)?);
        } else {
            let payloads = self.cases_by_payload(nominal)?.0.len() as u64;
            let place = match self.has_payload_size(nominal)? {
                true => HEADER_WORDS + self.argument_count(nominal)?,
                false => 0,
            };
            words.add_integer(32, payloads | place << PAYLOAD_SIZE_SHIFT);
            words.add_integer(32, declaration.cases.len() as u64 - payloads);
        }
        if let Some(signature) = declaration.signature {
            words.add_relative(of_it(NominalPart::InstantiationCache));
            words.add_relative(of_it(NominalPart::Pattern));
            self.add_generic_context(&mut words, signature, &self.conditional_inverses(nominal))?;
        }
        if is_class {
            self.add_resilient_superclass(&mut words, ty)?;
        }
        match strategy {
            MetadataStrategy::Static | MetadataStrategy::Generic => {}
            // The metadata has no completion function.
            MetadataStrategy::Foreign => words.add_integer(32, 0),
            MetadataStrategy::Singleton => {
                words.add_relative(of_it(NominalPart::SingletonCache));
                words.add_relative_with(
                    Entity::OfType(TypePart::FullMetadata, ty),
                    self.words_before_metadata(ty) * self.pointer_size(),
                );
                words.add_relative(of_it(NominalPart::CompletionFunction));
            }
            MetadataStrategy::Relocated => {
                words.add_relative(of_it(NominalPart::SingletonCache));
                words.add_relative(of_it(NominalPart::Pattern));
                words.add_relative(of_it(NominalPart::CompletionFunction));
            }
        }
        if inverses != 0 {
            words.add_integer(16, inverses);
            words.align_to(4);
        }
        Ok(words)
    }

    /// Returns the invertible protocols that `nominal` does not, or not always, conform to.
    fn inverses(&self, nominal: NominalId) -> u64 {
        let declaration = self.sil.declarations.get(nominal);
        let is_inverted =
            |inverse: &Inverse| self.types.queries.invertible(declaration, *inverse) != Invertible::Always;
        let inverted = [Inverse::Copyable, Inverse::Escapable].into_iter().filter(is_inverted);
        inverted.fold(0, |bits, inverse| bits | inverse_bit(inverse))
    }

    /// Returns whether values of a type are noncopyable for all arguments.
    pub(in crate::generation) fn is_never_copied(&self, declaration: &NominalDeclaration) -> bool {
        self.types.queries.invertible(declaration, Inverse::Copyable) == Invertible::Never
    }

    /// Returns the position of the offsets of a struct's stored properties in its metadata, in bytes.
    pub(crate) fn struct_offsets_place(&self, nominal: NominalId) -> Generated<u64> {
        Ok((HEADER_WORDS + self.argument_count(nominal)?) * self.pointer_size())
    }

    /// Returns the non-empty payloads of an enum, and the number of other cases.
    pub(crate) fn payload_cases(&self, ty: TypeId, signature: Option<SignatureId>) -> Generated<(Vec<TypeId>, u64)> {
        let cases = self.types.case_payloads(ty, signature)?;
        let payloads: Vec<TypeId> = cases.iter().flatten().copied().collect();
        let empty = (cases.len() - payloads.len()) as u64;
        Ok((payloads, empty))
    }

    /// Returns the indices of the cases of the enum that `nominal` declares: those with possibly non-empty payloads,
    /// then the others. Tags count them in this order, which the runtime and reflection use too.
    pub(crate) fn cases_by_payload(&self, nominal: NominalId) -> Generated<(Vec<usize>, Vec<usize>)> {
        let signature = self.sil.declarations.get(nominal).signature;
        let payloads = self.types.case_payloads(self.identity(nominal), signature)?;
        Ok((0..payloads.len()).partition(|case| payloads[*case].is_some()))
    }

    /// The type that `nominal` declares, without arguments for its generic parameters.
    pub(super) fn unbound_type(&self, nominal: NominalId) -> TypeId {
        let ty = NominalType { declaration: nominal, parent: None, arguments: Box::default() };
        self.sil.context.ty(Type::Nominal(ty))
    }

    /// The descriptor of a module: its kind, no context, its name.
    pub fn module_descriptor(&self, module: Name) -> PointerValue<'ctx> {
        let entity = Entity::ModuleDescriptor(module);
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, 0);
        words.add_integer(32, 0);
        words.add_relative(Entity::String(self.sil.context.text(module).as_bytes().into()));
        self.declare_constant(entity, words, 4).as_pointer_value()
    }

    /// Declares the descriptors of the types and protocols that other modules, or objects of other files, may refer to.
    pub(in crate::generation) fn declare_types(&self) {
        if self.options.roots != Roots::Visible || !self.is_first_unit() {
            return;
        }
        let least = self.least_referred_access();
        for (nominal, declaration) in self.sil.declarations.iter() {
            let attributes = &declaration.attributes;
            let is_seen = attributes.access >= least && attributes.local.is_none() && !attributes.marker;
            if declaration.origin == Origin::Module
                && is_seen
                && let Err(mut error) = self.nominal_part(NominalPart::Descriptor, nominal)
            {
                error.span.get_or_insert(declaration.span);
                self.push_error(*error);
            }
        }
    }

    /// Returns the minimum access level of declarations whose descriptors other code may refer to.
    pub(super) fn least_referred_access(&self) -> Access {
        let is_internal_seen = self.is_testable() || self.sil.declarations.has_other_files();
        if is_internal_seen { Access::Internal } else { Access::Package }
    }

    /// Returns whether tests see internal declarations (`-enable-testing`): tables of internal conformances are public
    /// then.
    fn is_testable(&self) -> bool {
        let declarations = &self.sil.declarations;
        self.sil.witness_tables.iter().any(|table| {
            let conforming = self.sil.context.get_conformance(table.conformance).ty;
            let nominal = self.types.queries.as_nominal(conforming).map(|nominal| nominal.declaration);
            let is_internal = |nominal| {
                let is_own = declarations.get(nominal).origin == Origin::Module;
                is_own && declarations.access_of(nominal) == Access::Internal
            };
            table.linkage == Linkage::Public && table.entries.is_some() && nominal.is_some_and(is_internal)
        })
    }

    /// Returns the records that the runtime and tools only find through their sections.
    pub(in crate::generation) fn records(&self) -> Vec<PointerValue<'ctx>> {
        let types = self.sil.declarations.iter().map(|(nominal, _)| nominal);
        let parts = types.flat_map(|nominal| {
            [
                NominalPart::FieldDescriptor,
                NominalPart::FixedLayout,
                NominalPart::MultiPayloadLayout,
                NominalPart::Record,
            ]
            .map(|part| Entity::OfNominal(part, nominal))
        });
        let own = parts.filter(|entity| self.definition_of(entity) == Definition::Here);
        own.filter_map(|entity| self.declared_address(&entity)).collect()
    }
}

/// The kind in the metadata of a struct or an enum.
pub(super) fn metadata_kind(declaration: &NominalDeclaration) -> u64 {
    if declaration.kind == NominalKind::Struct { STRUCT_METADATA } else { ENUM_METADATA }
}

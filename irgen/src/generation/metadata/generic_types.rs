//! The origin of metadata of types that the module declares (lib/IRGen/GenMeta.cpp): constants, patterns that the
//! runtime instantiates for the generic arguments of a type, or singletons that are completed at their first use.
//! `definitions` has the code that completes them.

use inkwell::values::{FunctionValue, PointerValue};
use sil_ir::context::{MemberKind, NominalId, Type, TypeId};
use sil_ir::declarations::{NominalKind, Origin};

use crate::generation::constants::ConstantStruct;
use crate::generation::entities::LayoutNumbers;
use crate::generation::signature::Signature;
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::layout::{TypeInfo, TypeLayout};
use crate::refusal::Generated;

/// The initialisation strategy of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetadataStrategy {
    /// The metadata is a constant, or a variable that the runtime writes to when an image is loaded.
    Static,
    /// The metadata is a singleton, which the runtime completes at its first use.
    Singleton,
    /// Each module has metadata of a C type, which the runtime uniques.
    Foreign,
    /// The metadata is a singleton that the runtime creates from a pattern, since the class has a resilient superclass.
    Relocated,
    /// The runtime instantiates the metadata from a pattern.
    Generic,
}

/// The kind in the flags of a value metadata pattern (`GenericValueMetadataPatternFlags`), and the flag for extra data.
const KIND_SHIFT: u32 = 21;
const HAS_MORE_DATA: u64 = 1;

/// Reference counting is Swift's own (`ClassFlags::UsesSwiftRefcounting`).
const USES_SWIFT_REFERENCE_COUNTING: u64 = 2;

/// The number of words of an instantiation cache (`NumGenericMetadataPrivateDataWords`).
const INSTANTIATION_CACHE_WORDS: u64 = 16;

/// The number of words in a singleton's cache: the metadata and the runtime's own (`SingletonMetadataCache`).
const SINGLETON_CACHE_WORDS: u64 = 2;

/// The size of the offset of a stored property in the metadata of a struct.
const FIELD_OFFSET_SIZE: u64 = 4;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The type that `nominal` declares, in terms of its own parameters.
    pub(crate) fn identity(&self, nominal: NominalId) -> TypeId {
        self.types.queries.canonical_type(self.sil.declarations.identity(&self.sil.context, nominal))
    }

    /// The layout of values of the type that `nominal` declares, as far as its parameters determine it.
    pub(crate) fn nominal_layout(&self, nominal: NominalId) -> Generated<TypeLayout> {
        self.types.layout(self.erased_identity(nominal))
    }

    /// Returns the type that `nominal` declares without its parameters that are bound to classes, if that type has the
    /// same layout.
    pub(crate) fn erased_identity(&self, nominal: NominalId) -> TypeId {
        self.types.erased(self.identity(nominal), self.sil.declarations.get(nominal).signature)
    }

    /// Returns the initialisation strategy of the metadata of a type that the module declares.
    pub(crate) fn metadata_strategy(&self, nominal: NominalId) -> Generated<MetadataStrategy> {
        let declaration = self.sil.declarations.get(nominal);
        if declaration.signature.is_some() {
            return Ok(MetadataStrategy::Generic);
        }
        if self.is_foreign_type(nominal) {
            return Ok(MetadataStrategy::Foreign);
        }
        let is_class = matches!(declaration.kind, NominalKind::Class | NominalKind::Actor);
        if is_class && self.has_resilient_superclass(self.identity(nominal))? {
            return Ok(MetadataStrategy::Relocated);
        }
        let is_fixed = match declaration.kind {
            NominalKind::Class | NominalKind::Actor => self.has_fixed_class_metadata(self.identity(nominal))?,
            _ => matches!(self.nominal_layout(nominal)?, TypeLayout::Fixed(_)),
        };
        Ok(if is_fixed { MetadataStrategy::Static } else { MetadataStrategy::Singleton })
    }

    /// Returns whether the metadata of a struct or enum of another module is complete when its image is loaded: no part
    /// of it has a layout known only at run time.
    pub(super) fn has_finished_metadata(&self, nominal: NominalId) -> bool {
        let is_resilient = self.sil.declarations.get(nominal).attributes.resilient;
        !is_resilient && self.metadata_strategy(nominal) == Ok(MetadataStrategy::Static)
    }

    /// Returns whether the runtime writes to the metadata of `ty`.
    pub(in crate::generation) fn is_written_by_runtime(&self, ty: TypeId) -> bool {
        let queries = self.types.queries;
        let nominal = queries
            .as_nominal(ty)
            .filter(|nominal| queries.declarations.get(nominal.declaration).origin == Origin::Module);
        let is_finished_later = |nominal| self.metadata_strategy(nominal) != Ok(MetadataStrategy::Static);
        queries.is_class(ty) || nominal.is_some_and(|nominal| is_finished_later(nominal.declaration))
    }

    /// Returns whether the metadata of a class contains nothing that is only known at run time.
    fn has_fixed_class_metadata(&self, class: TypeId) -> Generated<bool> {
        let mut next = Some(class);
        while let Some(class) = next {
            if self.is_specialized(class) {
                return Ok(false);
            }
            next =
                self.types.queries.superclass_of(class).map(|superclass| self.types.queries.canonical_type(superclass));
        }
        Ok(self.types.fixed_class_layout(class)?.is_some())
    }

    /// Returns whether a function completes the metadata of a type that the module declares.
    pub(crate) fn has_completion(&self, nominal: NominalId) -> Generated<bool> {
        let ty = self.identity(nominal);
        Ok(match self.metadata_strategy(nominal)? {
            MetadataStrategy::Static | MetadataStrategy::Foreign => false,
            MetadataStrategy::Singleton | MetadataStrategy::Relocated => true,
            MetadataStrategy::Generic => {
                self.types.queries.is_class(ty) || matches!(self.nominal_layout(nominal)?, TypeLayout::Dynamic(_))
            }
        })
    }

    /// Returns the pattern from which the runtime instantiates the metadata of a generic type: the allocating function,
    /// the completion function, flags; then the destroyers of a class, or the value witnesses of a value type and the
    /// offsets of its stored properties if they are known.
    pub(super) fn metadata_pattern(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let of_it = |part| Entity::OfNominal(part, nominal);
        let mut words = ConstantStruct::new(self.pointer_size());
        if self.metadata_strategy(nominal)? == MetadataStrategy::Relocated {
            // The runtime allocates the metadata itself.
            words.add_integer(32, 0);
            self.add_lifetime_methods(&mut words, nominal);
            return Ok(words);
        }
        words.add_relative(of_it(NominalPart::InstantiationFunction));
        match self.has_completion(nominal)? {
            true => words.add_relative(of_it(NominalPart::CompletionFunction)),
            false => words.add_integer(32, 0),
        }
        let declaration = self.sil.declarations.get(nominal);
        let ty = self.identity(nominal);
        if self.types.queries.is_class(ty) {
            words.add_integer(32, 0);
            self.add_lifetime_methods(&mut words, nominal);
            return Ok(words);
        }
        let fixed = match self.nominal_layout(nominal)? {
            TypeLayout::Fixed(info) if declaration.kind == NominalKind::Struct => Some(info),
            _ => None,
        };
        let count = fixed.as_ref().map_or(0, |info| info.fields().len() as u64);
        let more = if count > 0 { HAS_MORE_DATA } else { 0 };
        words.add_integer(32, super::value_types::metadata_kind(declaration) << KIND_SHIFT | more);
        words.add_relative(self.value_witnesses(self.unbound_type(nominal))?);
        if count > 0 {
            words.add_relative(of_it(NominalPart::PatternOffsets));
            words.add_integer(16, self.argument_count(nominal)?);
            words.add_integer(16, (count * FIELD_OFFSET_SIZE).div_ceil(self.pointer_size()));
        }
        Ok(words)
    }

    /// Destroyers in the patterns of classes, their flags, and nulls for Objective-C and extra data.
    fn add_lifetime_methods(&self, words: &mut ConstantStruct, nominal: NominalId) {
        for kind in [MemberKind::Deallocator, MemberKind::IvarDestroyer] {
            match self.lifetime_method_of(nominal, kind) {
                Some(method) => words.add_relative(method),
                None => words.add_integer(32, 0),
            }
        }
        words.add_integer(32, USES_SWIFT_REFERENCE_COUNTING);
        words.add_integer(64, 0);
    }

    /// Returns the distance of a class's own members from the address point of metadata, in bytes, and their size: the
    /// runtime initialises them with the first instance.
    pub(super) fn metadata_bounds(&self) -> ConstantStruct {
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(self.pointer_bits(), 0);
        words.add_integer(64, 0);
        words
    }

    /// The offsets of the stored properties of a struct of fixed layout.
    pub(super) fn pattern_offsets(&self, nominal: NominalId) -> Generated<ConstantStruct> {
        let info = self.types.info(self.erased_identity(nominal))?;
        let mut words = ConstantStruct::new(self.pointer_size());
        info.fields().iter().for_each(|field| words.add_integer(32, field.offset));
        words.align_to(self.pointer_size());
        Ok(words)
    }

    /// Returns the number of generic arguments in the metadata of a type.
    pub(crate) fn argument_count(&self, nominal: NominalId) -> Generated<u64> {
        let signature = self.sil.declarations.get(nominal).signature;
        signature.map_or(Ok(0), |signature| Ok(self.generic_requirements(signature)?.len() as u64))
    }

    /// Returns the size of a generic value type's metadata after kind and descriptor.
    pub(crate) fn value_metadata_size(&self, nominal: NominalId) -> Generated<u64> {
        let declaration = self.sil.declarations.get(nominal);
        let word = self.pointer_size();
        let offsets = match declaration.kind {
            NominalKind::Struct => (declaration.stored.len() as u64 * FIELD_OFFSET_SIZE).next_multiple_of(word),
            _ if self.has_payload_size(nominal)? => word,
            _ => 0,
        };
        Ok(self.argument_count(nominal)? * word + offsets)
    }

    /// Returns whether the metadata of an enum contains the size of its payloads.
    pub(super) fn has_payload_size(&self, nominal: NominalId) -> Generated<bool> {
        let declaration = self.sil.declarations.get(nominal);
        if declaration.kind != NominalKind::Enum || self.cases_by_payload(nominal)?.0.len() <= 1 {
            return Ok(false);
        }
        let is_dynamic = matches!(self.nominal_layout(nominal)?, TypeLayout::Dynamic(_));
        Ok(is_dynamic || self.types.is_found_by_runtime(declaration))
    }

    /// Returns private memory of the runtime.
    pub(super) fn runtime_notes(&self, part: NominalPart) -> ConstantStruct {
        let words = match part {
            NominalPart::SingletonCache => SINGLETON_CACHE_WORDS,
            _ => INSTANTIATION_CACHE_WORDS,
        };
        let mut notes = ConstantStruct::new(self.pointer_size());
        notes.add_bytes(&vec![0; (words * self.pointer_size()) as usize]);
        notes
    }

    /// Returns the function that allocates or completes the metadata of a type.
    pub(super) fn metadata_function(&self, part: NominalPart, nominal: NominalId) -> FunctionValue<'ctx> {
        let entity = Entity::OfNominal(part, nominal);
        if let Some(found) = self.declared_function(&entity) {
            return found;
        }
        let pointer = self.builder.ptr_type();
        let parameters = [pointer.into(); 3];
        let (ty, convention) = match part {
            NominalPart::CompletionFunction => {
                let response = self.builder.struct_type(&[pointer.into(), self.word_type().into()]);
                (response.fn_type(&parameters, false), self.swift_convention())
            }
            _ => (pointer.fn_type(&parameters, false), 0),
        };
        let signature = Signature::of_thunk(self.context, ty, convention, Vec::new(), &[]);
        self.declare_thunk(entity, &signature)
    }

    /// The function that finds a method in metadata, its first argument, by the method's descriptor, its second.
    pub(crate) fn method_lookup(&self, class: NominalId) -> FunctionValue<'ctx> {
        let entity = Entity::OfNominal(NominalPart::MethodLookup, class);
        if let Some(found) = self.declared_function(&entity) {
            return found;
        }
        let pointer = self.builder.ptr_type();
        let function = self.declare_function(entity, pointer.fn_type(&[pointer.into(); 2], false));
        function.set_call_conventions(self.swift_convention());
        function
    }

    /// Returns the layout of a type in the format of value witness tables.
    pub fn type_layout(&self, numbers: LayoutNumbers) -> PointerValue<'ctx> {
        let entity = Entity::TypeLayout(numbers);
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(self.pointer_bits(), numbers.size);
        words.add_integer(self.pointer_bits(), numbers.stride);
        words.add_integer(32, numbers.flags);
        words.add_integer(32, u64::from(numbers.inhabitants));
        self.declare_constant(entity, words, self.pointer_size()).as_pointer_value()
    }

    /// The layout in value witness tables for values like `info`.
    pub(crate) fn layout_numbers(&self, info: &TypeInfo) -> LayoutNumbers {
        LayoutNumbers {
            size: info.size,
            stride: info.stride(),
            flags: self.value_flags(info),
            inhabitants: info.extra_inhabitant_count,
        }
    }

    /// Returns the type whose value witnesses are used for `ty`: the declared type instead of one without its
    /// arguments.
    pub(crate) fn witnessed_type(&self, ty: TypeId) -> TypeId {
        match self.types.queries.get(ty) {
            Type::Nominal(nominal) if nominal.arguments.is_empty() => self.identity(nominal.declaration),
            _ => ty,
        }
    }
}

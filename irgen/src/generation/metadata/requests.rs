//! The code that returns the metadata of a type (lib/IRGen/MetadataRequest.cpp): symbols of the library, accessors,
//! caches that the runtime fills by mangled names, and functions of the runtime for types without a name.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_ir::context::{BuiltinType, Name, NominalId, SubstitutionMapId, TupleElement, Type, TypeId};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::types::PathStep;

use super::class_types::ClassPlace;
use super::generic_types::MetadataStrategy;
use super::parts::DIRECT_ARGUMENTS;
use crate::generation::{Helper, IRGenFunction, IRGenModule, NominalPart, RequirementKey, RuntimeFunction, TypePart};
use crate::llvm::attributes::{self, Attribute, Place};
use crate::refusal::{Generated, unsupported_without_place};

/// The state of metadata (include/swift/ABI/MetadataValues.h, `MetadataState`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetadataState {
    /// The metadata is complete.
    Complete,
    /// The layout of the type is known.
    LayoutComplete,
    /// The metadata exists, with the generic arguments of the type.
    Abstract,
}

impl MetadataState {
    /// Returns its number, which is smaller for more complete metadata.
    pub fn number(self) -> u64 {
        match self {
            MetadataState::Complete => 0,
            MetadataState::LayoutComplete => 0x3F,
            MetadataState::Abstract => 0xFF,
        }
    }
}

impl IRGenModule<'_, '_> {
    /// Returns whether `nominal` is a class of which only the name and the module are known: values are references, and
    /// the module has a metadata accessor, if there are no generic arguments.
    pub(super) fn is_named_class(&self, nominal: NominalId) -> bool {
        let declaration = self.sil.declarations.get(nominal);
        declaration.origin == Origin::Named
            && declaration.kind == NominalKind::Class
            && !self.sil.context.text(declaration.module).is_empty()
    }

    /// Returns whether the metadata of `ty` depends on the type parameters of the function.
    pub(in crate::generation) fn is_of_function(&self, ty: TypeId) -> bool {
        let is_bound = |part: TypeId| {
            let bound = matches!(
                self.types.queries.get(part),
                Type::GenericParameter { .. }
                    | Type::NamedParameter { .. }
                    | Type::OpenedArchetype { .. }
                    | Type::DynamicSelf(_)
                    | Type::PackElementArchetype { .. }
            );
            bound.then_some(())
        };
        self.types.queries.find_in(ty, &mut |part| is_bound(part)).is_some()
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    pub(super) fn metadata_request(&self) -> IntValue<'ctx> {
        self.module.word_type().const_int(self.metadata_state.number(), false)
    }

    /// Returns the metadata of the canonical type `ty`, which is not cached.
    pub(in crate::generation) fn request_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let queries = self.module.types.queries;
        match queries.get(ty) {
            Type::Nominal(nominal) => {
                let substitutions = queries.nominal_substitutions(nominal);
                if queries.context.replacements(substitutions).is_empty() {
                    if !nominal.arguments.is_empty() {
                        let what = "metadata of a generic type that is declared in a function";
                        return Err(Box::new(unsupported_without_place(what)));
                    }
                    self.plain_metadata(ty, nominal.declaration, substitutions)
                } else if self.module.is_of_function(ty) {
                    self.call_accessor(nominal.declaration, substitutions)
                } else {
                    self.metadata_by_name(ty)
                }
            }
            // The generic argument for an integer parameter is the integer.
            Type::Integer(_) => Ok(self.builder.int_to_pointer(self.integer_argument(ty)?)),
            Type::Builtin(BuiltinType::FixedArray { count, element }) if self.module.is_of_function(ty) => {
                self.fixed_array_metadata(*count, *element)
            }
            Type::Tuple(elements) if elements.is_empty() => self.library_metadata(ty),
            Type::Tuple(elements) if self.module.is_of_function(ty) => self.tuple_metadata(elements),
            Type::Existential(constraint) if queries.protocols_in(*constraint).is_empty() => {
                self.existential_without_protocols(ty, *constraint)
            }
            Type::Metatype { instance, .. } if self.module.is_of_function(ty) => {
                let instance = self.type_metadata(*instance)?;
                let metadata = self.call_runtime_for(RuntimeFunction::GetMetatypeMetadata, &[instance.into()]);
                Ok(metadata.into_pointer_value())
            }
            Type::Existential(_) | Type::ExistentialMetatype { .. } if self.module.is_of_function(ty) => {
                self.existential_type_metadata(ty)
            }
            Type::FormalFunction(function) if self.module.is_of_function(ty) => self.function_metadata(ty, function),
            Type::DependentMember { base, member, .. } => self.associated_type_metadata(ty, *base, *member),
            Type::OpaqueResult { .. } if self.module.is_of_function(ty) => self.opaque_type_metadata(ty),
            Type::OpenedArchetype { uuid, existential, interface } => match *queries.get(*interface) {
                Type::DependentMember { base, member, .. } => {
                    let archetype = Type::OpenedArchetype { uuid: *uuid, existential: *existential, interface: base };
                    self.associated_type_metadata(ty, queries.context.ty(archetype), member)
                }
                _ => Err(self.module.unsupported_type(ty)),
            },
            Type::PackElementArchetype { uuid, interface } => match *queries.get(*interface) {
                Type::DependentMember { base, member, .. } => {
                    let archetype = Type::PackElementArchetype { uuid: *uuid, interface: base };
                    self.associated_type_metadata(ty, queries.context.ty(archetype), member)
                }
                _ => Err(self.module.unsupported_type(ty)),
            },
            _ if self.module.is_of_function(ty) => Err(self.module.unsupported_type(ty)),
            _ => self.metadata_by_name(ty),
        }
    }

    /// Returns the metadata of the member `member` of the type parameter `base`, from the witness table of a protocol
    /// that declares it.
    fn associated_type_metadata(&self, ty: TypeId, base: TypeId, member: Name) -> Generated<PointerValue<'ctx>> {
        let protocol = self.declaring_protocol(base, member).ok_or_else(|| self.module.unsupported_type(ty))?;
        let table = self.witness_table(base, protocol)?;
        let this = self.type_metadata(base)?;
        let start = self.module.requirement_descriptor(RequirementKey::Start(protocol))?;
        let requirement = self.module.requirement_descriptor(RequirementKey::AssociatedType(member, protocol))?;
        let request = self.metadata_request();
        let arguments = [request.into(), table.into(), this.into(), start.into(), requirement.into()];
        let response = self.call_runtime_for(RuntimeFunction::GetAssociatedTypeWitness, &arguments);
        self.pointer_result(Some(self.builder.extract(response, 0)))
    }

    /// The protocol that declares the associated type `member` of `base`.
    fn declaring_protocol(&self, base: TypeId, member: Name) -> Option<NominalId> {
        let (signature, interface) = self.interface_of(base)?;
        self.module.types.queries.generics().declaring_protocol(signature, interface, member)
    }

    /// Returns the witness table for a requirement of `protocol` on `subject`, which is `this` or a member of it;
    /// `table` is that of `this` for `protocol`.
    pub(in crate::generation) fn required_conformance(
        &self,
        table: PointerValue<'ctx>,
        protocol: NominalId,
        step: PathStep,
        [this, subject]: [TypeId; 2],
    ) -> Generated<PointerValue<'ctx>> {
        let key = match self.module.types.queries.get(step.subject) {
            Type::DependentMember { .. } => {
                RequirementKey::AssociatedConformance(protocol, step.subject, step.protocol)
            }
            _ => RequirementKey::Base(protocol, step.protocol),
        };
        let start = self.module.requirement_descriptor(RequirementKey::Start(protocol))?;
        let requirement = self.module.requirement_descriptor(key)?;
        let subject = self.subject_metadata(step, [this, subject])?;
        let this = self.type_metadata(this)?;
        let arguments = [table.into(), this.into(), subject.into(), start.into(), requirement.into()];
        let found = self.call_runtime_for(RuntimeFunction::GetAssociatedConformanceWitness, &arguments);
        Ok(found.into_pointer_value())
    }

    /// Returns the metadata of `subject`, the member of `this` that `step` concerns. If requirements make it a concrete
    /// type, its arguments may conform through `step`; the witness table of `this` contains the metadata.
    fn subject_metadata(&self, step: PathStep, [this, subject]: [TypeId; 2]) -> Generated<PointerValue<'ctx>> {
        let queries = self.module.types.queries;
        match *queries.get(step.subject) {
            Type::DependentMember { base, member, .. }
                if !matches!(queries.get(base), Type::DependentMember { .. })
                    && !self.is_at_hand(subject)?
                    && self.interface_of(self.subject(subject)).is_none() =>
            {
                let metadata = self.associated_type_metadata(subject, this, member)?;
                self.bind_metadata(self.subject(subject), metadata);
                Ok(metadata)
            }
            _ => self.type_metadata(subject),
        }
    }

    /// The metadata of a type without generic arguments.
    fn plain_metadata(
        &self,
        ty: TypeId,
        nominal: NominalId,
        substitutions: SubstitutionMapId,
    ) -> Generated<PointerValue<'ctx>> {
        let declaration = self.module.sil.declarations.get(nominal);
        let is_value = matches!(declaration.kind, NominalKind::Struct | NominalKind::Enum);
        self.module.require_c_name(declaration)?;
        match declaration.origin {
            Origin::Imported if self.module.is_foreign_type(nominal) => self.call_accessor(nominal, substitutions),
            Origin::Imported if is_value && self.module.has_finished_metadata(nominal) => {
                self.module.type_part(TypePart::Metadata, ty)
            }
            Origin::Imported => self.call_accessor(nominal, substitutions),
            Origin::Module if declaration.kind != NominalKind::Protocol => {
                match self.module.metadata_strategy(nominal)? {
                    MetadataStrategy::Static => self.module.type_part(TypePart::Metadata, ty),
                    MetadataStrategy::Singleton
                    | MetadataStrategy::Foreign
                    | MetadataStrategy::Relocated
                    | MetadataStrategy::Generic => self.call_accessor(nominal, substitutions),
                }
            }
            Origin::Named if self.module.is_named_class(nominal) => self.call_accessor(nominal, substitutions),
            Origin::Module | Origin::Named => Err(self.module.unsupported_type(ty)),
        }
    }

    /// Returns the metadata of `Any` or `AnyObject`, which the library defines.
    fn existential_without_protocols(&self, ty: TypeId, constraint: TypeId) -> Generated<PointerValue<'ctx>> {
        let is_library = match self.module.types.queries.get(constraint) {
            Type::Composition(composition) => composition.members.is_empty(),
            _ => false,
        };
        if is_library { self.library_metadata(ty) } else { self.metadata_by_name(ty) }
    }

    /// Returns metadata of the library with a preceding pointer to value witnesses.
    fn library_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let full = self.module.type_part(TypePart::Metadata, ty)?;
        Ok(self.builder.address_in(full, self.module.pointer_size()))
    }

    /// Returns the integer for `ty`, which is an integer or a value parameter.
    pub(crate) fn integer_argument(&self, ty: TypeId) -> Generated<IntValue<'ctx>> {
        match *self.module.types.queries.get(ty) {
            Type::Integer(number) => Ok(self.module.word_type().const_int(number as u64, true)),
            _ => Ok(self.builder.pointer_to_int(self.type_metadata(ty)?, self.module.pointer_bits())),
        }
    }

    /// Returns the metadata of a fixed-size array that depends on the function's type parameters.
    fn fixed_array_metadata(&self, count: TypeId, element: TypeId) -> Generated<PointerValue<'ctx>> {
        let count = self.integer_argument(count)?;
        let element = self.type_metadata(element)?;
        let arguments = [self.metadata_request().into(), count.into(), element.into()];
        let response = self.call_runtime_for(RuntimeFunction::GetFixedArrayTypeMetadata, &arguments);
        self.pointer_result(Some(self.builder.extract(response, 0)))
    }

    /// Returns metadata that the runtime instantiates once, by the type's mangled name.
    fn metadata_by_name(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let cache = self.module.type_part(TypePart::DemanglingCache, ty)?;
        let call = self.builder.call(self.module.helper(Helper::InstantiateFromMangledName), &[cache.into()]);
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
        self.pointer_result(call.try_as_basic_value().basic())
    }

    pub(super) fn pointer_result(&self, value: Option<BasicValueEnum<'ctx>>) -> Generated<PointerValue<'ctx>> {
        match value {
            Some(value) => Ok(value.into_pointer_value()),
            None => {
                Err(Box::new(unsupported_without_place("a function without a result where metadata are asked for")))
            }
        }
    }

    /// Calls the accessor of `nominal` with the generic arguments of `substitutions`.
    fn call_accessor(&self, nominal: NominalId, substitutions: SubstitutionMapId) -> Generated<PointerValue<'ctx>> {
        let (accessor, requirements) = self.module.metadata_accessor(nominal)?;
        let arguments = self.required_arguments(requirements, substitutions)?;
        let mut passed: Vec<BasicValueEnum<'ctx>> = vec![self.metadata_request().into()];
        if arguments.len() > DIRECT_ARGUMENTS {
            let word = self.module.pointer_size();
            let memory = self.stack_slot(arguments.len() as u64 * word, word);
            for (number, argument) in arguments.iter().enumerate() {
                self.builder.store(*argument, self.builder.offset(memory, number as u64 * word), word);
            }
            passed.push(memory.into());
        } else {
            passed.extend(arguments.into_iter().map(BasicValueEnum::from));
        }
        let call = self.builder.call(accessor, &passed);
        call.set_call_convention(self.module.swift_convention());
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
        let response = call.try_as_basic_value().basic();
        self.pointer_result(response.map(|response| self.builder.extract(response, 0)))
    }

    /// Returns the metadata of a tuple with expansions among its elements. A tuple that expands to a single element is
    /// that element.
    fn expanded_tuple_metadata(&self, elements: &[TupleElement]) -> Generated<PointerValue<'ctx>> {
        if elements.iter().any(|element| element.label.is_some()) {
            return Err(Box::new(unsupported_without_place("tuples of labels and packs")));
        }
        let types: Vec<TypeId> = elements.iter().map(|element| element.ty).collect();
        let (memory, count) =
            self.expanded_array(&types, &|function: &Self, element| function.type_metadata(element))?;
        let (array, null) = (memory.address, self.builder.null().into());
        let arguments = [self.metadata_request().into(), count.into(), array.into(), null, null];
        let response = self.call_runtime_for(RuntimeFunction::GetTupleTypeMetadata, &arguments);
        let mut metadata = self.builder.extract(response, 0);
        if self.module.may_become_one_element(elements) {
            let first = self.builder.load(metadata.get_type(), array, self.module.pointer_size());
            let is_one = self.builder.equal(count, count.get_type().const_int(1, false));
            metadata = self.builder.select(is_one, first, metadata);
        }
        self.free_dynamic(memory);
        self.pointer_result(Some(metadata))
    }

    /// Returns the metadata of a tuple with elements that depend on the function's type parameters: passed directly for
    /// two or three elements, otherwise in memory.
    fn tuple_metadata(&self, elements: &[TupleElement]) -> Generated<PointerValue<'ctx>> {
        if self.module.has_expansions(elements) {
            return self.expanded_tuple_metadata(elements);
        }
        let mut parts: Vec<BasicValueEnum<'ctx>> = Vec::new();
        for element in elements {
            parts.push(self.type_metadata(element.ty)?.into());
        }
        let function = match elements.len() {
            2 => RuntimeFunction::GetTupleTypeMetadata2,
            3 => RuntimeFunction::GetTupleTypeMetadata3,
            count => {
                let word = self.module.pointer_size();
                let memory = self.stack_slot(count as u64 * word, word);
                for (number, part) in parts.iter().enumerate() {
                    self.builder.store(*part, self.builder.offset(memory, number as u64 * word), word);
                }
                parts = vec![self.module.word_type().const_int(count as u64, false).into(), memory.into()];
                RuntimeFunction::GetTupleTypeMetadata
            }
        };
        let mut arguments: Vec<BasicValueEnum<'ctx>> = vec![self.metadata_request().into()];
        arguments.append(&mut parts);
        let label = |element: &TupleElement| element.label.map_or("", |label| self.module.sil.context.text(label));
        let labels: String = elements.iter().map(|element| format!("{} ", label(element))).collect();
        arguments.push(match elements.iter().any(|element| element.label.is_some()) {
            true => self.module.string_constant(labels.as_bytes()).into(),
            false => self.builder.null().into(),
        });
        arguments.push(self.builder.null().into());
        let response = self.call_runtime_for(function, &arguments);
        self.pointer_result(Some(self.builder.extract(response, 0)))
    }

    /// Returns the generic argument number `argument` at a fixed position in the metadata of a nominal type.
    pub(in crate::generation) fn generic_argument(
        &self,
        metadata: PointerValue<'ctx>,
        nominal: NominalId,
        argument: usize,
    ) -> Generated<PointerValue<'ctx>> {
        let declaration = self.module.sil.declarations.get(nominal);
        let place = match declaration.kind {
            NominalKind::Struct | NominalKind::Enum => ClassPlace::Fixed(VALUE_HEADER_WORDS),
            _ if declaration.origin == Origin::Named => ClassPlace::Added(nominal, 0),
            _ => self.module.class_arguments_place(nominal)?,
        };
        let arguments = self.place_in_metadata(metadata, place)?;
        Ok(self.load_constant_pointer(arguments, argument as u64 * self.module.pointer_size()))
    }

    /// Returns the address of a position in the metadata of a class.
    pub(crate) fn place_in_metadata(
        &self,
        metadata: PointerValue<'ctx>,
        place: ClassPlace,
    ) -> Generated<PointerValue<'ctx>> {
        let word = self.module.pointer_size();
        let start = match place {
            ClassPlace::Fixed(_) => metadata,
            // The members that a class adds begin at the end of its superclass's metadata.
            ClassPlace::Added(class, _) => {
                let bounds = self.module.nominal_part(NominalPart::MetadataBounds, class)?;
                let start = self.builder.load(self.module.word_type().into(), bounds, word).into_int_value();
                self.builder.index_bytes(metadata, start)
            }
        };
        Ok(self.builder.offset(start, place.words() * word))
    }
}

/// Kind and descriptor, before the generic arguments of a struct or an enum.
const VALUE_HEADER_WORDS: u64 = 2;

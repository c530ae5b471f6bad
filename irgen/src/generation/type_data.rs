//! Metadata and witness tables of types in a function: of classes, of opened existentials, of its own generic
//! parameters.
//!
//! Available type data is kept in one cache, by type, with the block from which on it is valid
//! (lib/IRGen/LocalTypeData.cpp): the data of a block is valid in the blocks that it dominates. Other conformances are
//! found by their paths through the requirements of the signature, or of the existential, and of its protocols. Type
//! data is requested at the start of an instruction, not in code that is executed conditionally.

use std::cell::{OnceCell, RefCell};

use inkwell::values::{BasicValueEnum, PointerValue};
use rustc_hash::FxHashMap;
use sil_analysis::{ControlFlowGraph, Dominators};
use sil_ir::context::{
    Conformance, ConformanceId, Context, MetatypeRepresentation, Name, NominalId, Representation, SignatureId,
    SubstitutionMapId, Type, TypeId,
};
use sil_ir::model::{BlockId, Body};
use sil_ir::types::PathStep;

use super::polymorphic::{Fulfillment, GenericRequirement, MetadataSource as Source};
use super::signature::LlvmParameter;
use super::{Explosion, IRGenFunction};
use crate::refusal::{Generated, unsupported_without_place};

/// The kind of type data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Shape,
    Metadata,
    WitnessTable(NominalId),
}

impl Kind {
    /// Returns the type and the kind of the requirement.
    fn of(requirement: GenericRequirement) -> (TypeId, Kind) {
        match requirement {
            GenericRequirement::Shape(ty) => (ty, Kind::Shape),
            GenericRequirement::Metadata(ty) => (ty, Kind::Metadata),
            GenericRequirement::WitnessTable(ty, protocol) => (ty, Kind::WitnessTable(protocol)),
        }
    }
}

/// The source of an opened archetype's metadata.
#[derive(Clone, Copy, Debug)]
pub enum MetadataSource<'ctx> {
    /// An object, from which it is loaded on demand.
    Object(PointerValue<'ctx>),
    /// The metadata itself.
    Metadata(PointerValue<'ctx>),
}

/// Type data, and the scope of its validity.
#[derive(Clone, Copy, Debug)]
struct Entry<'ctx> {
    /// The block in which it became available, or `None` for the whole function.
    block: Option<BlockId>,
    data: Data<'ctx>,
}

#[derive(Clone, Copy, Debug)]
enum Data<'ctx> {
    Concrete(PointerValue<'ctx>),
    InObject(PointerValue<'ctx>),
    /// A generic argument in the metadata of a nominal type.
    Argument {
        metadata: PointerValue<'ctx>,
        nominal: NominalId,
        argument: usize,
    },
}

/// The available type data of a function.
#[derive(Default)]
pub(super) struct TypeDataCache<'ctx> {
    entries: RefCell<Entries<'ctx>>,
    dominators: OnceCell<Dominators>,
    /// The signatures of packs with opened elements, by the names of the openings.
    openings: RefCell<FxHashMap<Name, SignatureId>>,
    /// The conformances being looked up, each for the one before it.
    sought: RefCell<Vec<(TypeId, NominalId)>>,
}

/// Type data by their subject.
type Entries<'ctx> = FxHashMap<(TypeId, Kind), Vec<Entry<'ctx>>>;

/// A snapshot of available type data.
pub(super) struct KnownTypeData<'ctx>(Entries<'ctx>);

impl<'ctx> TypeDataCache<'ctx> {
    /// Returns the data available in `block`, the latest first.
    fn find(&self, key: (TypeId, Kind), body: &Body, block: Option<BlockId>) -> Option<Data<'ctx>> {
        let entries = self.entries.borrow();
        let known = entries.get(&key)?;
        let reaches = |entry: &&Entry<'ctx>| match (entry.block, block) {
            (None, _) => true,
            (Some(known), Some(block)) => known == block || self.dominators(body).dominates(known, block),
            (Some(_), None) => false,
        };
        known.iter().rev().find(reaches).map(|entry| entry.data)
    }

    fn add(&self, key: (TypeId, Kind), block: Option<BlockId>, data: Data<'ctx>) {
        self.entries.borrow_mut().entry(key).or_default().push(Entry { block, data });
    }

    /// Returns the data that is available now.
    pub(super) fn known(&self) -> KnownTypeData<'ctx> {
        KnownTypeData(self.entries.borrow().clone())
    }

    /// Makes only `known` available.
    pub(super) fn forget_all_but(&self, known: KnownTypeData<'ctx>) {
        *self.entries.borrow_mut() = known.0;
    }

    /// Returns a name for an opening of packs of `signature` that no instruction uses.
    pub(super) fn new_opening(&self, context: &Context, signature: SignatureId) -> Name {
        let mut openings = self.openings.borrow_mut();
        let name = context.name(&format!("expansion {}", openings.len()));
        openings.insert(name, signature);
        name
    }

    fn dominators(&self, body: &Body) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::new(body, &ControlFlowGraph::new(body)))
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Binds the type data among the function's own arguments.
    pub(crate) fn bind_type_arguments(&self) {
        let context = &self.module.sil.context;
        let abstract_self = context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let this = self.witness_self().unwrap_or(abstract_self);
        // The conforming type may be a subclass (lib/IRGen/GenProto.cpp, `bindExtraSource`).
        let is_inexact = self.module.types.queries.is_class(this);
        for (number, parameter) in self.signature.parameters.iter().enumerate() {
            let key = match parameter {
                LlvmParameter::SelfMetadata(ty) => (*ty, Kind::Metadata),
                LlvmParameter::Generic(requirement) => Kind::of(*requirement),
                LlvmParameter::WitnessSelfMetadata if is_inexact => continue,
                LlvmParameter::WitnessSelfMetadata => (this, Kind::Metadata),
                LlvmParameter::WitnessSelfTable => match self.witness_method_protocol() {
                    Some(protocol) => (this, Kind::WitnessTable(protocol)),
                    None => continue,
                },
                _ => continue,
            };
            if let Some(argument) = self.llvm.get_nth_param(number as u32) {
                self.type_data.add(key, None, Data::Concrete(argument.into_pointer_value()));
            }
        }
    }

    /// Binds a requirement to a value.
    pub(crate) fn bind_requirement(&self, requirement: GenericRequirement, value: PointerValue<'ctx>) {
        self.type_data.add(Kind::of(requirement), self.current_block, Data::Concrete(value));
    }

    /// Binds the metadata of the canonical type `ty`.
    pub(crate) fn bind_metadata(&self, ty: TypeId, metadata: PointerValue<'ctx>) {
        self.type_data.add((ty, Kind::Metadata), self.current_block, Data::Concrete(metadata));
    }

    /// Records the signature of the packs that the opening `uuid` opens.
    pub(super) fn remember_opening(&self, uuid: Name, signature: SignatureId) {
        self.type_data.openings.borrow_mut().insert(uuid, signature);
    }

    /// Returns the value that fulfils a requirement, if it is available.
    pub(super) fn known_requirement(&self, requirement: GenericRequirement) -> Generated<Option<PointerValue<'ctx>>> {
        let (ty, kind) = Kind::of(requirement);
        self.known_type_data(ty, kind)
    }

    /// Binds the archetype `ty` from opening an existential of type `existential`: its metadata, and its witness tables
    /// in the existential's order.
    pub fn open_archetype(
        &self,
        ty: TypeId,
        existential: TypeId,
        source: MetadataSource<'ctx>,
        tables: &Explosion<'ctx>,
    ) {
        let ty = self.module.types.queries.canonical_type(ty);
        let metadata = match source {
            MetadataSource::Object(object) => Data::InObject(object),
            MetadataSource::Metadata(metadata) => Data::Concrete(metadata),
        };
        self.type_data.add((ty, Kind::Metadata), self.current_block, metadata);
        let protocols = self.module.types.witness_table_protocols(existential);
        for (protocol, table) in protocols.into_iter().zip(tables) {
            let table = Data::Concrete(table.into_pointer_value());
            self.type_data.add((ty, Kind::WitnessTable(protocol)), self.current_block, table);
        }
    }

    /// Binds the metadata and the witness table of the conforming type in a function for a conformance, and the
    /// requirements of the conformance on the type's arguments: `conditional` returns the tables for those.
    pub(crate) fn bind_conformance(
        &mut self,
        conformance: ConformanceId,
        metadata: PointerValue<'ctx>,
        conditional: impl Fn(&Self, u64) -> PointerValue<'ctx>,
    ) -> Generated<()> {
        let Conformance { ty, protocol, .. } = *self.module.sil.context.get_conformance(conformance);
        self.bind_nominal_metadata(ty, metadata)?;
        self.generics = self.module.conformance_signature(conformance).or(self.generics);
        for (number, (subject, required)) in self.module.conditional_tables_of(ty, protocol)?.into_iter().enumerate() {
            let table = Data::Concrete(conditional(self, number as u64));
            self.type_data.add((subject, Kind::WitnessTable(required)), None, table);
        }
        Ok(())
    }

    /// Returns type data that is available, or that an argument of the function provides.
    fn known_type_data(&self, ty: TypeId, kind: Kind) -> Generated<Option<PointerValue<'ctx>>> {
        match self.type_data.find((ty, kind), self.body, self.current_block) {
            Some(Data::Concrete(value)) => Ok(Some(value)),
            Some(Data::InObject(object)) => Ok(Some(self.remembered(ty, kind, self.load_heap_metadata(object)))),
            Some(Data::Argument { metadata, nominal, argument }) => {
                let value = self.generic_argument(metadata, nominal, argument)?;
                Ok(Some(self.remembered(ty, kind, value)))
            }
            None => self.fulfilled_type_data(ty, kind),
        }
    }

    /// Binds the metadata of the nominal type `ty` in a function for that type, and its generic arguments.
    pub(crate) fn bind_nominal_metadata(&mut self, ty: TypeId, metadata: PointerValue<'ctx>) -> Generated<()> {
        let queries = self.module.types.queries;
        let nominal = queries.as_nominal(ty).map(|nominal| nominal.declaration);
        let signature = nominal.and_then(|nominal| queries.declarations.get(nominal).signature);
        // A requirement of an extension around the type may imply one of the extended type.
        self.generics = signature.map(|id| queries.generics().canonical_signature(id).unwrap_or(id)).or(self.generics);
        self.type_data.add((self.subject(ty), Kind::Metadata), None, Data::Concrete(metadata));
        let (Some(nominal), Some(signature)) = (nominal, signature) else { return Ok(()) };
        for (argument, requirement) in self.module.generic_requirements(signature)?.into_iter().enumerate() {
            self.type_data.add(Kind::of(requirement), None, Data::Argument { metadata, nominal, argument });
        }
        Ok(())
    }

    /// Binds the generic arguments of `signature`, which are consecutive in memory.
    pub(crate) fn bind_generic_arguments(
        &mut self,
        signature: SignatureId,
        arguments: PointerValue<'ctx>,
    ) -> Generated<()> {
        self.generics = Some(signature);
        for (number, requirement) in self.module.generic_requirements(signature)?.into_iter().enumerate() {
            let argument = self.load_constant_pointer(arguments, number as u64 * self.module.pointer_size());
            self.type_data.add(Kind::of(requirement), None, Data::Concrete(argument));
        }
        Ok(())
    }

    /// Returns the values of the generic arguments of `signature`, with the replacements.
    pub(crate) fn generic_arguments(
        &self,
        signature: SignatureId,
        substitutions: SubstitutionMapId,
    ) -> Generated<Vec<PointerValue<'ctx>>> {
        self.required_arguments(self.module.generic_requirements(signature)?, substitutions)
    }

    /// Returns the values that fulfil `requirements`, with the replacements of `substitutions`.
    pub(super) fn required_arguments(
        &self,
        requirements: Vec<GenericRequirement>,
        substitutions: SubstitutionMapId,
    ) -> Generated<Vec<PointerValue<'ctx>>> {
        let queries = self.module.types.queries;
        let replaced = |ty| queries.canonical_type(queries.substitute(ty, substitutions));
        let value = |requirement| match self.pack_argument(requirement, substitutions)? {
            Some(pack) => Ok(pack),
            None => match requirement {
                GenericRequirement::Shape(ty) => Err(self.module.unsupported_type(ty)),
                GenericRequirement::Metadata(ty) => self.type_metadata(replaced(ty)),
                GenericRequirement::WitnessTable(ty, protocol) => self.witness_table(replaced(ty), protocol),
            },
        };
        requirements.into_iter().map(value).collect()
    }

    /// Returns whether the metadata of `ty` is available.
    pub(super) fn is_at_hand(&self, ty: TypeId) -> Generated<bool> {
        Ok(self.known_type_data(self.subject(ty), Kind::Metadata)?.is_some())
    }

    /// Returns type data from the generic arguments in the metadata of an argument.
    fn fulfilled_type_data(&self, ty: TypeId, kind: Kind) -> Generated<Option<PointerValue<'ctx>>> {
        let signature = self.signature.clone();
        let is_it = |found: &&Fulfillment| Kind::of(found.requirement) == (ty, kind);
        let Some(found) = signature.polymorphic.fulfilled.iter().find(is_it) else { return Ok(None) };
        let Some(mut value) = self.metadata_of_source(found.source) else { return Ok(None) };
        for step in &found.path {
            value = self.generic_argument(value, step.nominal, step.argument)?;
        }
        Ok(Some(self.remembered(ty, kind, value)))
    }

    /// Returns the metadata that an argument of the function is or contains.
    fn metadata_of_source(&self, source: Source) -> Option<PointerValue<'ctx>> {
        let parameter =
            |is: &dyn Fn(&LlvmParameter) -> bool| self.llvm_parameter(is).map(BasicValueEnum::into_pointer_value);
        match source {
            Source::Object(index) => {
                let object = parameter(&|parameter| *parameter == LlvmParameter::Direct(index, 0))?;
                Some(self.load_heap_metadata(object))
            }
            Source::Metatype(index) => parameter(&|parameter| *parameter == LlvmParameter::Direct(index, 0)),
            Source::SelfAddress => parameter(&|parameter| matches!(parameter, LlvmParameter::SelfMetadata(_))),
            Source::BeforeWitnessTable(words) => {
                let table = parameter(&|parameter| *parameter == LlvmParameter::WitnessSelfTable)?;
                Some(self.load_before(table, words))
            }
            Source::KeyPathArguments(words) => {
                let size =
                    self.signature.parameters.iter().position(|it| *it == LlvmParameter::KeyPathArgumentsSize)?;
                let arguments = self.llvm.get_nth_param(size.checked_sub(1)? as u32)?.into_pointer_value();
                let size = self.llvm.get_nth_param(size as u32)?.into_int_value();
                Some(self.load_before(self.builder.index_bytes(arguments, size), words))
            }
            Source::WitnessSelf => parameter(&|parameter| *parameter == LlvmParameter::WitnessSelfMetadata),
        }
    }

    /// Records `value` as available, and returns it.
    fn remembered(&self, ty: TypeId, kind: Kind, value: PointerValue<'ctx>) -> PointerValue<'ctx> {
        self.type_data.add((ty, kind), self.current_block, Data::Concrete(value));
        value
    }

    /// Returns the type that a request for `ty` refers to: the concrete type of the function's requirements.
    pub(super) fn subject(&self, ty: TypeId) -> TypeId {
        let ty = self.module.types.transparent(ty);
        let reduced = self.generics.map_or(ty, |signature| self.module.types.queries.reduced_type(ty, signature));
        self.module.bare_pack(reduced)
    }

    /// Returns the metadata of a class, an opened archetype or a generic parameter.
    pub fn type_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let queries = self.module.types.queries;
        let ty = self.subject(ty);
        if let Some(known) = self.known_type_data(ty, Kind::Metadata)? {
            return Ok(known);
        }
        match queries.get(ty) {
            Type::DynamicSelf(class) => Ok(self.remembered(ty, Kind::Metadata, self.dynamic_self_metadata(*class)?)),
            _ => {
                let metadata = self.module.program.mode.type_metadata(self, ty)?;
                Ok(self.remembered(ty, Kind::Metadata, metadata))
            }
        }
    }

    /// Returns the metadata of the dynamic type of `self`, which is `class` or a subclass: `self` is the last argument,
    /// an object or a metatype, also of closures that mention the type (lib/IRGen/IRGenSIL.cpp, local `Self` metadata).
    fn dynamic_self_metadata(&self, class: TypeId) -> Generated<PointerValue<'ctx>> {
        let arguments = self.body.blocks.values().next().map_or(&[][..], |entry| &entry.arguments);
        for argument in arguments.iter().rev() {
            let ty = self.body.ty(*argument);
            if ty.is_address() {
                continue;
            }
            match self.module.types.queries.get(ty.ty) {
                Type::Metatype { instance, representation: Some(MetatypeRepresentation::Thick) }
                    if self.is_self_type(*instance, class) =>
                {
                    return Ok(self.scalar(*argument)?.into_pointer_value());
                }
                _ if self.is_self_type(ty.ty, class) => {
                    return Ok(self.load_heap_metadata(self.scalar(*argument)?.into_pointer_value()));
                }
                _ => {}
            }
        }
        Err(Box::new(unsupported_without_place("the dynamic type of 'self' where no argument is 'self'")))
    }

    /// Returns whether `ty`, the type of an argument, can be that of `self` in a function with `self` of a `class`.
    fn is_self_type(&self, ty: TypeId, class: TypeId) -> bool {
        let queries = self.module.types.queries;
        let ty = match queries.get(ty) {
            Type::DynamicSelf(class) => *class,
            _ => ty,
        };
        queries.is_class(ty) && (queries.is_subclass(ty, class) || queries.is_subclass(class, ty))
    }

    /// The witness table of `ty` for `protocol`.
    pub fn witness_table(&self, ty: TypeId, protocol: NominalId) -> Generated<PointerValue<'ctx>> {
        let ty = self.subject(ty);
        if let Some(known) = self.known_type_data(ty, Kind::WitnessTable(protocol))? {
            return Ok(known);
        }
        if self.type_data.sought.borrow().contains(&(ty, protocol)) {
            return Err(Box::new(unsupported_without_place(
                "a conformance that is found only by what it is needed for",
            )));
        }
        self.type_data.sought.borrow_mut().push((ty, protocol));
        let found = self.find_witness_table(ty, protocol);
        self.type_data.sought.borrow_mut().pop();
        found
    }

    /// Returns the witness table of `ty`, an interface type or archetype, for `protocol`, which is not available yet.
    fn find_witness_table(&self, ty: TypeId, protocol: NominalId) -> Generated<PointerValue<'ctx>> {
        let types = &self.module.types;
        let requested = |of| {
            let conformance = types.queries.conformance_with_table(of, protocol);
            let table = self.module.program.mode.conformance(self, conformance)?;
            Ok(self.remembered(ty, Kind::WitnessTable(protocol), table))
        };
        let Some((signature, interface)) = self.interface_of(ty) else { return requested(ty) };
        let generics = types.queries.generics();
        let machine = generics.machine(signature);
        let requirements = &self.module.sil.context.get_signature(signature).requirements;
        if let Some(path) = machine.conformance_path(&generics, requirements, interface, protocol)
            && let Some(table) = self.witness_table_along(ty, &path)?
        {
            return Ok(table);
        }
        if let Some(table) = self.witness_table_of_serialized(ty, protocol)? {
            return Ok(self.remembered(ty, Kind::WitnessTable(protocol), table));
        }
        // A type bounded by a superclass has the conformances of the superclass.
        let superclass = machine.bounds(&generics, interface).superclass;
        requested(superclass.unwrap_or(ty))
    }

    /// Returns the signature that the type parameter or archetype `ty` belongs to, and its interface type there.
    pub(crate) fn interface_of(&self, ty: TypeId) -> Option<(SignatureId, TypeId)> {
        let queries = self.module.types.queries;
        match *queries.get(ty) {
            Type::OpenedArchetype { existential, interface, .. } => {
                Some((queries.generics().existential_signature(existential), interface))
            }
            Type::PackElementArchetype { uuid, interface } => {
                Some((self.type_data.openings.borrow().get(&uuid).copied()?, interface))
            }
            _ if let Some(opaque) = queries.opaque_interface(ty) => Some((opaque.signature, opaque.interface)),
            _ if queries.is_type_parameter(ty) => Some((self.generics?, ty)),
            _ => None,
        }
    }

    /// Returns the witness table at the end of `path`, for a member of the same archetype as `ty`. `None` if its start
    /// is not available, or if tables have no entry for a step.
    fn witness_table_along(&self, ty: TypeId, path: &[PathStep]) -> Generated<Option<PointerValue<'ctx>>> {
        let queries = self.module.types.queries;
        let opaque = queries.opaque_interface(ty);
        let archetype = |interface: TypeId| match *queries.get(ty) {
            _ if let Some(opaque) = opaque => {
                queries.canonical_type(queries.substitute(interface, opaque.substitutions))
            }
            Type::OpenedArchetype { uuid, existential, .. } => {
                queries.context.ty(Type::OpenedArchetype { uuid, existential, interface })
            }
            Type::PackElementArchetype { uuid, .. } => {
                let interface = self.module.bare_pack(interface);
                queries.context.ty(Type::PackElementArchetype { uuid, interface })
            }
            _ => interface,
        };
        let Some((first, rest)) = path.split_first() else { return Ok(None) };
        let mut subject = queries.canonical_type(first.subject);
        let mut conforming = Kind::WitnessTable(first.protocol);
        let mut table = match (self.known_type_data(archetype(subject), conforming)?, opaque) {
            (Some(known), _) => known,
            (None, Some(opaque)) => {
                let table = match self.opaque_type_conformance(&opaque, *first)? {
                    Some(table) => table,
                    None => self.witness_table(archetype(subject), first.protocol)?,
                };
                self.remembered(archetype(subject), conforming, table)
            }
            (None, None) => return Ok(None),
        };
        let mut protocol = first.protocol;
        for step in rest {
            let this = subject;
            subject = queries.canonical_type(step.subject_of(queries.context, subject));
            conforming = Kind::WitnessTable(step.protocol);
            table = match self.known_type_data(archetype(subject), conforming)? {
                Some(known) => known,
                None if !self.module.has_conformance_word(protocol, *step) => {
                    let types = [archetype(this), archetype(subject)];
                    let found = self.required_conformance(table, protocol, *step, types)?;
                    self.remembered(archetype(subject), conforming, found)
                }
                None => {
                    let Some(offset) = self.module.conformance_offset(protocol, *step)? else { return Ok(None) };
                    let loaded = self.load_constant_pointer(table, offset);
                    self.remembered(archetype(subject), conforming, loaded)
                }
            };
            protocol = step.protocol;
        }
        Ok(Some(table))
    }

    /// Returns the type of `Self` in a witness method.
    fn witness_self(&self) -> Option<TypeId> {
        let function = self.module.types.queries.conventions(self.function.ty)?.function;
        matches!(function.representation, Representation::WitnessMethod(_)).then_some(())?;
        self.module.self_instance(function)
    }

    fn witness_method_protocol(&self) -> Option<NominalId> {
        match self.module.types.queries.conventions(self.function.ty)?.function.representation {
            Representation::WitnessMethod(protocol) => Some(protocol),
            _ => None,
        }
    }

    /// Returns the metadata of an object, which is its first word.
    pub fn load_heap_metadata(&self, object: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let pointer = self.builder.ptr_type().into();
        self.builder.load(pointer, object, self.module.pointer_size()).into_pointer_value()
    }

    /// Loads the word at a distance of `words` words before `table`, which never changes.
    pub fn load_before(&self, table: PointerValue<'ctx>, words: u64) -> PointerValue<'ctx> {
        let distance = (words * self.module.pointer_size()).wrapping_neg();
        let place = self.builder.raw_index_bytes(table, self.module.word_type().const_int(distance, true));
        self.load_constant_pointer(place, 0)
    }

    /// Loads a word of metadata or of a witness table, which never changes.
    pub fn load_constant_pointer(&self, base: PointerValue<'ctx>, offset: u64) -> PointerValue<'ctx> {
        let place = self.builder.offset(base, offset);
        let pointer = self.builder.ptr_type().into();
        self.builder.load_invariant(pointer, place, self.module.pointer_size()).into_pointer_value()
    }
}

//! Everything that IRGen can define or refer to by a symbol (Swift's `LinkEntity`, lib/IRGen/Linking.cpp): its name,
//! visibility and section. No other code determines names or linkages, or adds functions and variables to the LLVM
//! module.

mod declare;
mod forwarders;
mod key_paths;
mod library;
mod linkage;
mod names;
mod parts;
mod replacements;
mod sections;
mod sharing;

use inkwell::GlobalVisibility;
use inkwell::module::Linkage as LlvmLinkage;
use sil_ir::context::{ConformanceId, CoroutineKind, MemberId, Mutability, Name, NominalId, SignatureId, TypeId};
use sil_ir::declarations::{Access, NominalKind, Origin};
use sil_ir::model::{FunctionAttribute, FunctionFlag, FunctionId, GlobalId, Linkage};
use sil_ir::symbols::ValueWitness;

use super::{
    AsyncDeparture, DifferentiabilityWitnessId, DistributedTarget, FunctionPointerKind, HeapMetadataKey, IRGenModule,
    RuntimeFunction, UnitId,
};
use crate::link::AUTOLINK_SECTION;
use crate::refusal::Generated;
use crate::target::{Architecture, ObjectFormat};

pub use declare::Declared;
pub use forwarders::{ContextStorage, ForwarderKey};
pub use key_paths::{KeyPathFunction, KeyPathPart, KeyPathPattern, KeyPathTable};
pub use linkage::Owner;
pub use parts::{
    ConformancePart, Helper, LayoutNumbers, LibraryWitnesses, NominalPart, RequirementKey, ShapePart, TypePart,
};
pub use replacements::{OpaqueReplacementPart, ReplacementPart};
use sections::MetadataSection;
use sharing::is_local;
pub use sharing::local_name;
pub(super) use sharing::share;

/// An operation on a loaded value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// The references in the value are retained.
    Copy,
    /// The value ends: its `deinit` is called, or its references are released.
    Destroy,
}

/// Something with a symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Entity {
    /// A SIL function.
    Function(FunctionId),
    /// A SIL global.
    Global(GlobalId),
    /// A function of the runtime.
    Runtime(RuntimeFunction),
    /// A function of the C library.
    C(CFunction),
    /// The metadata of a class, by its canonical type.
    ClassMetadata(TypeId),
    /// The witness table of a conformance that has one of its own: one that is neither inherited nor abstract, of a
    /// canonical type.
    WitnessTable(ConformanceId),
    /// The metadata of boxes and closure contexts with these fields.
    HeapMetadata(HeapMetadataKey),
    /// The description of such boxes and contexts for debuggers.
    Captures(HeapMetadataKey),
    /// The function that destroys boxes and closure contexts with fields of these types.
    HeapDestroyer(Vec<TypeId>),
    /// The metadata of static arrays: a class without a superclass and without methods.
    StaticArrayMetadata,
    /// The function that forwards to the function of a closure.
    Forwarder(ForwarderKey),
    /// The value that represents a function if that is not the address of its code.
    FunctionPointer(FunctionPointerKind, Box<Entity>),
    /// The allocator of `@yield_once_2` coroutines.
    CoroutineAllocator,
    /// A function that replaces a suspended async function.
    AsyncDeparture(AsyncDeparture),
    /// The bytes of a string, with a zero after them.
    String(Box<[u8]>),
    /// The words of an integer literal of no fixed width: two's complement, least significant first.
    IntegerLiteral(Box<[u64]>),
    /// A function that copies or destroys the values of all enums of this structure.
    OutlinedEnum(Operation, Box<str>),
    /// A word with the address of another module's definition.
    GotEquivalent(Box<Entity>),
    /// The record of a program's entry point.
    EntryPoint,
    /// The requests to the linker.
    AutolinkEntries,
    /// A part of a canonical type.
    OfType(TypePart, TypeId),
    /// A part of a nominal type or a protocol.
    OfNominal(NominalPart, NominalId),
    /// A helper function, which each module that needs it defines.
    Helper(Helper),
    /// A part of a conformance that the module states.
    OfConformance(ConformancePart, ConformanceId),
    /// The descriptor of a requirement of another module's protocol, or of a method of another module's class.
    Requirement(RequirementKey),
    /// The descriptor of a requirement of the module's own protocol, for other modules.
    OwnRequirement(RequirementKey),
    /// The descriptor of the method that a class of the module introduces with this function, for classes of other
    /// modules.
    MethodDescriptor(FunctionId),
    /// The function that calls the witness for a requirement of another module's protocol, or a method of its class:
    /// the protocol or the class, the member, its formal type, the yielded type of a coroutine.
    DispatchThunk(NominalId, MemberId, TypeId, Option<TypeId>),
    /// A part of the shape of a constrained existential, which is in terms of the shape's own parameters.
    ExistentialShape(ShapePart, TypeId),
    /// The descriptor of a module.
    ModuleDescriptor(Name),
    /// The descriptor with this symbol of a function or an extension around local types.
    LocalContext(Name),
    /// A value witness table of the library.
    LibraryWitnesses(LibraryWitnesses),
    /// A value witness of a canonical type.
    ValueWitness(ValueWitness, TypeId),
    /// The name of a stored property or case, for reflection.
    ReflectedName(Name),
    /// A text without references in type names, for reflection.
    PlainName(Box<str>),
    /// The size, stride, flags and number of extra inhabitants of a type, as in value witness tables.
    TypeLayout(LayoutNumbers),
    /// The prototype by which LLVM determines the convention of continuations for coroutines of this kind.
    CoroutinePrototype(CoroutineKind),
    /// A part of a pattern of key paths.
    KeyPath(KeyPathPart, KeyPathPattern),
    /// The requirements of a signature, for the runtime.
    GenericEnvironment(SignatureId),
    /// The function that returns a witness table for a component of a key path.
    KeyPathTableAccessor(KeyPathTable),
    /// The name by which the runtime finds that function.
    KeyPathTableName(KeyPathTable),
    /// A library's description of a property or subscript for key paths of clients, by the getter.
    PropertyDescriptor(Name),
    /// A part of the path from a function to its replacements, or back.
    OfReplaceable(ReplacementPart, FunctionId),
    /// The dispatch thunk of the method that a class of the module introduces with this function, for other modules.
    MethodThunk(FunctionId),
    /// The dispatch thunk of this requirement of a protocol of the module, for other modules.
    RequirementThunk(NominalId, u32),
    /// The tag of this case of an enum of the module in value witnesses, for other modules.
    CaseTag(NominalId, u32),
    /// The replacement of a class method that dead code elimination removed, by its index among the dispatched methods
    /// of the class.
    RemovedMethod(NominalId, u32),
    /// The variable with the offset of this stored property of a class, for other modules.
    FieldOffset(NominalId, u32),
    /// The descriptor of the opaque result types of the declaration with this symbol.
    OpaqueDescriptor(Name),
    /// The context of an opaque type descriptor, for each level of the declaration's generic parameters: the module,
    /// and the parameters up to that level.
    OpaqueContext(Name, SignatureId),
    /// A part of the path from the opaque types of the declaration with this symbol to their replacements.
    OfOpaqueTypes(OpaqueReplacementPart, Name),
    /// The dynamic replacements.
    Replacements,
    /// The list of replacements for the runtime.
    AutomaticReplacements,
    /// The list of replaced opaque types for the runtime.
    OpaqueReplacements,
    /// The parts of blocks outside of their storage.
    Block(BlockPart),
    /// The derivatives of a function.
    DifferentiabilityWitness(DifferentiabilityWitnessId),
    /// The function that decodes the arguments of a remote call and calls the target.
    DistributedAccessor(DistributedTarget),
    /// The record by which the runtime finds the accessor of a target.
    AccessibleFunction(DistributedTarget),
}

impl Entity {
    /// Returns whether the entity is local to the LLVM module.
    fn is_made_up(&self) -> bool {
        match self {
            Entity::FunctionPointer(_, code) => code.is_made_up(),
            Entity::HeapMetadata(_)
            | Entity::Captures(_)
            | Entity::HeapDestroyer(_)
            | Entity::StaticArrayMetadata
            | Entity::Forwarder(_)
            | Entity::AsyncDeparture(_)
            | Entity::String(_)
            | Entity::IntegerLiteral(_)
            | Entity::OutlinedEnum(..)
            | Entity::GotEquivalent(_)
            | Entity::EntryPoint
            | Entity::AutolinkEntries
            | Entity::OfType(TypePart::MangledName | TypePart::MangledNameIn(_), _)
            | Entity::OfNominal(NominalPart::MultiPayloadLayout, _)
            | Entity::ReflectedName(_)
            | Entity::PlainName(_)
            | Entity::TypeLayout(_)
            | Entity::ExistentialShape(..)
            | Entity::KeyPath(..)
            | Entity::GenericEnvironment(_)
            | Entity::KeyPathTableAccessor(_)
            | Entity::KeyPathTableName(_)
            | Entity::OpaqueContext(..)
            | Entity::Replacements
            | Entity::AutomaticReplacements
            | Entity::OpaqueReplacements
            | Entity::AccessibleFunction(_)
            | Entity::CoroutinePrototype(_) => true,
            Entity::Block(part) => *part != BlockPart::StackClass,
            Entity::Function(_)
            | Entity::Global(_)
            | Entity::Runtime(_)
            | Entity::C(_)
            | Entity::ClassMetadata(_)
            | Entity::OfType(..)
            | Entity::OfNominal(..)
            | Entity::Helper(_)
            | Entity::ModuleDescriptor(_)
            | Entity::LocalContext(_)
            | Entity::LibraryWitnesses(_)
            | Entity::CoroutineAllocator
            | Entity::OfConformance(..)
            | Entity::Requirement(_)
            | Entity::MethodDescriptor(_)
            | Entity::OwnRequirement(_)
            | Entity::DispatchThunk(..)
            | Entity::ValueWitness(..)
            | Entity::PropertyDescriptor(_)
            | Entity::OpaqueDescriptor(_)
            | Entity::OfOpaqueTypes(..)
            | Entity::MethodThunk(_)
            | Entity::RequirementThunk(..)
            | Entity::CaseTag(..)
            | Entity::FieldOffset(..)
            | Entity::RemovedMethod(..)
            | Entity::OfReplaceable(..)
            | Entity::DifferentiabilityWitness(_)
            | Entity::DistributedAccessor(_)
            | Entity::WitnessTable(_) => false,
        }
    }
}

/// A part of blocks outside of their storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockPart {
    /// The class of stack blocks, which the block runtime defines.
    StackClass,
    /// The description of blocks that capture a value of this type.
    Descriptor(TypeId),
    /// The function that copies such a value from one block to another.
    Copier(TypeId),
    /// The function that destroys it.
    Destroyer(TypeId),
}

impl BlockPart {
    /// Its symbol.
    fn symbol(self) -> &'static str {
        match self {
            BlockPart::StackClass => "_NSConcreteStackBlock",
            BlockPart::Descriptor(_) => "block_descriptor",
            BlockPart::Copier(_) => "block_copy_helper",
            BlockPart::Destroyer(_) => "block_destroy_helper",
        }
    }
}

/// A function of the C library that code calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CFunction {
    /// `malloc`.
    Malloc,
    /// `free`.
    Free,
}

impl CFunction {
    /// Its symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            CFunction::Malloc => "malloc",
            CFunction::Free => "free",
        }
    }
}

/// The place of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// This LLVM module, with a body or an initial value that is emitted.
    Here,
    /// The module of another unit of the same SIL module.
    OtherUnit(UnitId),
    /// Only declared.
    Elsewhere,
}

/// Whether the address of a symbol is significant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AddressUse {
    /// The address may be compared.
    Significant,
    /// The address is not compared: equal contents may share an address.
    Insignificant,
}

/// The properties of an entity in the object file.
struct LinkInfo<'m> {
    symbol: String,
    linkage: LlvmLinkage,
    visibility: GlobalVisibility,
    section: Option<&'m str>,
    mutability: Mutability,
    address: AddressUse,
}

impl LinkInfo<'_> {
    /// Returns whether the symbol is visible to others, so that it must be unique.
    fn is_visible(&self) -> bool {
        !matches!(self.linkage, LlvmLinkage::Internal | LlvmLinkage::Private)
    }
}

const LOCAL: (LlvmLinkage, GlobalVisibility) = (LlvmLinkage::Internal, GlobalVisibility::Default);
const PRIVATE: (LlvmLinkage, GlobalVisibility) = (LlvmLinkage::Private, GlobalVisibility::Default);
const SHARED: (LlvmLinkage, GlobalVisibility) = (LlvmLinkage::LinkOnceODR, GlobalVisibility::Hidden);
const DECLARED: (LlvmLinkage, GlobalVisibility) = (LlvmLinkage::External, GlobalVisibility::Default);

impl IRGenModule<'_, '_> {
    /// Types without a mangling are reported. Callers that declare an entity of a type call [`Self::require_symbol`]
    /// first, and have a span for the error.
    fn link_info(&self, entity: &Entity) -> LinkInfo<'_> {
        let (linkage, visibility) = self.linkage_of(entity);
        let address = match entity {
            Entity::String(_) | Entity::IntegerLiteral(_) => AddressUse::Insignificant,
            Entity::GotEquivalent(_) if linkage == LlvmLinkage::Private => AddressUse::Insignificant,
            _ => AddressUse::Significant,
        };
        let symbol = self.symbol_of(entity).unwrap_or_else(|error| {
            self.report(*error);
            String::new()
        });
        let is_of_other_unit = matches!(self.definition_of(entity), Definition::OtherUnit(_));
        let symbol = match is_of_other_unit && is_local(self.linkage_of_definition(entity).0) {
            true => sharing::shared_name(&symbol),
            false => symbol,
        };
        LinkInfo {
            symbol,
            linkage,
            visibility,
            section: self.section_of(entity),
            mutability: self.mutability_of(entity),
            address,
        }
    }

    /// Returns an error if `entity` belongs to a type without a mangling.
    pub fn require_symbol(&self, entity: &Entity) -> Generated<()> {
        self.symbol_of(entity).map(|_| ())
    }

    /// Returns the place of the definition of `entity`, once it is used.
    pub(super) fn definition_of(&self, entity: &Entity) -> Definition {
        match self.other_unit(entity) {
            _ if !self.defines(entity) => Definition::Elsewhere,
            Some(unit) => Definition::OtherUnit(unit),
            None => Definition::Here,
        }
    }

    /// Returns whether the optimiser knows the value of `entity`, which another unit defines.
    pub(super) fn has_copy(&self, entity: &Entity) -> bool {
        // Descriptors of methods and requirements are addresses in those of the type. Only the unit that defines the
        // type gives them symbols.
        let is_value = !matches!(entity, Entity::Function(_) | Entity::MethodDescriptor(_) | Entity::OwnRequirement(_));
        is_value
            && self.optimizes()
            && self.mutability_of(entity) == Mutability::Let
            && matches!(self.definition_of(entity), Definition::OtherUnit(_))
    }

    /// Returns whether the SIL module defines `entity`.
    fn defines(&self, entity: &Entity) -> bool {
        match entity {
            Entity::Function(id) => self.is_defined_here(&self.sil.functions[*id]),
            Entity::Global(id) => self.defines_global(&self.sil.globals[*id]),
            Entity::ClassMetadata(class) => self.vtable(*class).is_some() || self.is_specialized(*class),
            Entity::WitnessTable(conformance) | Entity::OfConformance(ConformancePart::Descriptor, conformance) => {
                self.is_defined_witness_table(*conformance)
            }
            Entity::FunctionPointer(_, code) => self.defines(code),
            Entity::HeapMetadata(_)
            | Entity::AsyncDeparture(_)
            | Entity::CoroutineAllocator
            | Entity::Captures(_)
            | Entity::HeapDestroyer(_)
            | Entity::StaticArrayMetadata
            | Entity::Forwarder(_)
            | Entity::String(_)
            | Entity::IntegerLiteral(_)
            | Entity::OutlinedEnum(..)
            | Entity::GotEquivalent(_)
            | Entity::AutolinkEntries
            | Entity::OfType(TypePart::DemanglingCache | TypePart::MangledName | TypePart::MangledNameIn(_), _)
            | Entity::Helper(_)
            | Entity::ModuleDescriptor(_)
            | Entity::LocalContext(_)
            | Entity::OfConformance(..)
            | Entity::ValueWitness(..)
            | Entity::ReflectedName(_)
            | Entity::PlainName(_)
            | Entity::TypeLayout(_)
            | Entity::ExistentialShape(..)
            | Entity::KeyPath(..)
            | Entity::GenericEnvironment(_)
            | Entity::KeyPathTableAccessor(_)
            | Entity::KeyPathTableName(_)
            | Entity::OpaqueContext(..)
            | Entity::Replacements
            | Entity::AutomaticReplacements
            | Entity::OpaqueReplacements
            | Entity::OwnRequirement(_)
            | Entity::MethodThunk(_)
            | Entity::RemovedMethod(..)
            | Entity::RequirementThunk(..)
            | Entity::DistributedAccessor(DistributedTarget::Requirement(..))
            | Entity::AccessibleFunction(DistributedTarget::Requirement(..))
            | Entity::EntryPoint => true,
            Entity::CaseTag(nominal, _) | Entity::FieldOffset(nominal, _) => {
                self.sil.declarations.get(*nominal).origin == Origin::Module
            }
            Entity::OfReplaceable(_, function)
            | Entity::MethodDescriptor(function)
            | Entity::DistributedAccessor(DistributedTarget::Thunk(function))
            | Entity::AccessibleFunction(DistributedTarget::Thunk(function)) => {
                self.is_defined_here(&self.sil.functions[*function])
            }
            Entity::OfType(_, ty) => self.declares_type(*ty),
            Entity::OfNominal(_, nominal) => {
                self.sil.declarations.get(*nominal).origin == Origin::Module || self.is_foreign_type(*nominal)
            }
            Entity::Runtime(_)
            | Entity::C(_)
            | Entity::Requirement(_)
            | Entity::DispatchThunk(..)
            | Entity::LibraryWitnesses(_)
            | Entity::CoroutinePrototype(_) => false,
            Entity::Block(part) => *part != BlockPart::StackClass,
            Entity::DifferentiabilityWitness(id) => self.defines_differentiability_witness(*id),
            Entity::PropertyDescriptor(getter) => self.own_properties().contains_key(getter),
            Entity::OpaqueDescriptor(symbol) | Entity::OfOpaqueTypes(_, symbol) => self.describes_opaque_types(*symbol),
        }
    }

    /// Returns whether the SIL module declares the nominal type `ty`, or imports it from C.
    fn declares_type(&self, ty: TypeId) -> bool {
        let declaration = self.types.queries.declaration_of(ty);
        declaration.is_some_and(|declaration| {
            declaration.origin == Origin::Module || declaration.attributes.c_name_space.is_some()
        })
    }

    /// Returns whether `entity` is a part of a C type, which several modules of a program may define.
    fn is_of_foreign_type(&self, entity: &Entity) -> bool {
        match entity {
            Entity::OfType(_, ty) | Entity::ValueWitness(_, ty) => {
                self.types.queries.as_nominal(*ty).is_some_and(|nominal| self.is_foreign_type(nominal.declaration))
            }
            Entity::OfNominal(_, nominal) => self.is_foreign_type(*nominal),
            _ => false,
        }
    }

    /// Returns the linkage. A definition of another unit is visible to this one, regardless of its linkage.
    fn linkage_of(&self, entity: &Entity) -> (LlvmLinkage, GlobalVisibility) {
        let (linkage, visibility) = self.linkage_of_definition(entity);
        match self.definition_of(entity) {
            Definition::OtherUnit(_) => {
                let visibility = if is_local(linkage) { GlobalVisibility::Hidden } else { visibility };
                let copies = self.has_copy(entity);
                (if copies { LlvmLinkage::AvailableExternally } else { LlvmLinkage::External }, visibility)
            }
            Definition::Here | Definition::Elsewhere => (linkage, visibility),
        }
    }

    fn linkage_of_definition(&self, entity: &Entity) -> (LlvmLinkage, GlobalVisibility) {
        match entity {
            Entity::Function(id) => {
                let function = &self.sil.functions[*id];
                let definition = self.definition_of(entity);
                if function.has(FunctionFlag::WeakImported) && definition == Definition::Elsewhere {
                    return (LlvmLinkage::ExternalWeak, GlobalVisibility::Default);
                }
                let is_non_abi = matches!(function.linkage, Linkage::PublicNonAbi | Linkage::PackageNonAbi);
                if is_non_abi && definition == Definition::Here && self.sil.declarations.has_other_files() {
                    return (LlvmLinkage::WeakODR, GlobalVisibility::Hidden);
                }
                linkage::lower(self.effective_linkage(function), definition, self.owner(function.name))
            }
            Entity::Global(id) => {
                let global = &self.sil.globals[*id];
                linkage::lower(global.linkage, self.definition_of(entity), self.owner(global.name))
            }
            Entity::DifferentiabilityWitness(id) => {
                let witness = self.differentiability_witness(*id);
                let owner = self.owner(witness.configuration.original);
                linkage::lower(witness.linkage, self.definition_of(entity), owner)
            }
            Entity::Runtime(_)
            | Entity::C(_)
            | Entity::Block(BlockPart::StackClass)
            | Entity::Requirement(_)
            | Entity::DispatchThunk(..)
            | Entity::LibraryWitnesses(_)
            | Entity::CoroutinePrototype(_) => DECLARED,
            Entity::PropertyDescriptor(_)
            | Entity::OpaqueDescriptor(_)
            | Entity::OfOpaqueTypes(..)
            | Entity::CaseTag(..)
                if !self.defines(entity) =>
            {
                DECLARED
            }
            Entity::PropertyDescriptor(_)
            | Entity::OpaqueDescriptor(_)
            | Entity::OfOpaqueTypes(..)
            | Entity::MethodDescriptor(_)
            | Entity::MethodThunk(_)
            | Entity::RemovedMethod(..)
            | Entity::RequirementThunk(..)
            | Entity::CaseTag(..)
            | Entity::OwnRequirement(_) => (LlvmLinkage::External, self.exported_visibility()),
            Entity::FieldOffset(nominal, number) => self.field_offset_linkage(*nominal, *number),
            Entity::OfReplaceable(_, function) => self.linkage_of_definition(&Entity::Function(*function)),
            Entity::ClassMetadata(class) => self.class_metadata_linkage(*class),
            Entity::WitnessTable(conformance) if self.is_named_pattern(*conformance) => LOCAL,
            Entity::WitnessTable(conformance) => match self.program.witness_tables.table(*conformance) {
                Some(table) if self.is_defined_witness_table(*conformance) => {
                    linkage::lower(table.linkage, Definition::Here, Owner::Module)
                }
                _ => DECLARED,
            },
            Entity::FunctionPointer(_, code) => self.linkage_of_definition(code),
            Entity::Forwarder(_) | Entity::AsyncDeparture(_) => LOCAL,
            Entity::HeapMetadata(_)
            | Entity::Captures(_)
            | Entity::HeapDestroyer(_)
            | Entity::Block(_)
            | Entity::StaticArrayMetadata
            | Entity::String(_)
            | Entity::IntegerLiteral(_)
            | Entity::TypeLayout(_)
            | Entity::ExistentialShape(..)
            | Entity::KeyPath(..)
            | Entity::GenericEnvironment(_)
            | Entity::KeyPathTableAccessor(_)
            | Entity::KeyPathTableName(_)
            | Entity::OpaqueContext(..)
            | Entity::Replacements
            | Entity::AutomaticReplacements
            | Entity::OpaqueReplacements
            | Entity::AccessibleFunction(_)
            | Entity::AutolinkEntries
            | Entity::EntryPoint => PRIVATE,
            Entity::OfType(TypePart::DemanglingCache | TypePart::MangledName | TypePart::MangledNameIn(_), _)
            | Entity::OfConformance(ConformancePart::LazyAccessor | ConformancePart::LazyCache, _)
            | Entity::ModuleDescriptor(_)
            | Entity::LocalContext(_)
            | Entity::CoroutineAllocator
            | Entity::DistributedAccessor(_)
            | Entity::Helper(_) => SHARED,
            Entity::OfNominal(NominalPart::Record, _)
            | Entity::OfConformance(
                ConformancePart::Record
                | ConformancePart::BaseAccessorName(_)
                | ConformancePart::AssociatedAccessorName(..),
                _,
            )
            | Entity::ReflectedName(_)
            | Entity::PlainName(_)
            | Entity::OfNominal(NominalPart::MultiPayloadLayout, _) => PRIVATE,
            Entity::OfConformance(ConformancePart::Descriptor, _) if !self.defines(entity) => DECLARED,
            Entity::OfConformance(ConformancePart::Descriptor, _) => {
                (LlvmLinkage::External, self.exported_visibility())
            }
            Entity::OfConformance(..) => LOCAL,
            Entity::OfType(..) | Entity::OfNominal(..) | Entity::ValueWitness(..)
                if self.is_of_foreign_type(entity) =>
            {
                SHARED
            }
            Entity::OfType(TypePart::FullMetadata | TypePart::ValueWitnessTable, _) | Entity::ValueWitness(..) => LOCAL,
            Entity::OfNominal(part, _) if part.is_local() => LOCAL,
            Entity::OfType(..) | Entity::OfNominal(..) if !self.defines(entity) => DECLARED,
            Entity::OfType(..) | Entity::OfNominal(..) => (LlvmLinkage::External, self.exported_visibility()),
            Entity::GotEquivalent(_) => self.got_equivalent_linkage(),
            Entity::OutlinedEnum(..) if self.part.is_some() => LOCAL,
            Entity::OutlinedEnum(..) => SHARED,
        }
    }

    /// Several modules may specialise a generic class or use one of the standard library.
    fn class_metadata_linkage(&self, class: TypeId) -> (LlvmLinkage, GlobalVisibility) {
        let origin = self.types.queries.declaration_of(class).map(|declaration| declaration.origin);
        match self.vtable(class) {
            Some(vtable) if vtable.specialized.is_some() || origin != Some(Origin::Module) => SHARED,
            Some(_) => (LlvmLinkage::External, self.exported_visibility()),
            None if self.is_specialized(class) => SHARED,
            None => DECLARED,
        }
    }

    fn field_offset_linkage(&self, nominal: NominalId, number: u32) -> (LlvmLinkage, GlobalVisibility) {
        let declarations = &self.sil.declarations;
        let property = declarations.get(nominal).stored.get(number as usize);
        let access = property.map_or(Access::Internal, |property| property.access.min(declarations.access_of(nominal)));
        let is_exported = access >= Access::Package;
        (LlvmLinkage::External, if is_exported { self.exported_visibility() } else { GlobalVisibility::Hidden })
    }

    /// Linkers replace LLVM's private variables that contain only an address with entries of their own, with an error
    /// for x86-64 (lib/IRGen/GenDecl.cpp, `createGOTEquivalent`).
    fn got_equivalent_linkage(&self) -> (LlvmLinkage, GlobalVisibility) {
        match (self.options.object_format, self.options.architecture) {
            (ObjectFormat::Elf, Architecture::X86_64) => SHARED,
            _ => PRIVATE,
        }
    }

    /// Returns the visibility of a table that no other module can replace, which only ELF distinguishes.
    fn exported_visibility(&self) -> GlobalVisibility {
        match self.options.object_format {
            ObjectFormat::Elf => GlobalVisibility::Protected,
            ObjectFormat::MachO | ObjectFormat::Coff | ObjectFormat::Wasm => GlobalVisibility::Default,
        }
    }

    fn section_of(&self, entity: &Entity) -> Option<&str> {
        let text = |name| self.sil.context.text(name);
        match entity {
            Entity::Function(id) => self.sil.functions[*id].attributes.iter().find_map(|attribute| match attribute {
                FunctionAttribute::Section(section) => Some(text(*section)),
                _ => None,
            }),
            Entity::Global(id) => self.sil.placement(&self.sil.globals[*id]).section.map(text),
            Entity::EntryPoint => Some(self.metadata_section(MetadataSection::EntryPoint)),
            Entity::Captures(_) => Some(self.metadata_section(MetadataSection::Captures)),
            Entity::AutolinkEntries => Some(AUTOLINK_SECTION),
            Entity::AutomaticReplacements => Some(self.metadata_section(MetadataSection::Replacements)),
            Entity::OpaqueReplacements => Some(self.metadata_section(MetadataSection::OpaqueReplacements)),
            Entity::AccessibleFunction(_) => Some(self.metadata_section(MetadataSection::AccessibleFunctions)),
            Entity::OfType(part, _) if part.is_name() => Some(self.metadata_section(MetadataSection::TypeReferences)),
            Entity::OfNominal(NominalPart::FieldDescriptor, _) => Some(self.metadata_section(MetadataSection::Fields)),
            Entity::OfNominal(NominalPart::FixedLayout, _) => {
                Some(self.metadata_section(MetadataSection::FixedLayouts))
            }
            Entity::OfNominal(NominalPart::MultiPayloadLayout, _) => {
                Some(self.metadata_section(MetadataSection::MultiPayloadLayouts))
            }
            Entity::OfConformance(ConformancePart::AssociatedTypes, ..) => {
                Some(self.metadata_section(MetadataSection::AssociatedTypes))
            }
            Entity::OfNominal(NominalPart::Record, nominal) => {
                let declaration = self.sil.declarations.get(*nominal);
                Some(self.metadata_section(match declaration.kind {
                    NominalKind::Protocol => MetadataSection::Protocols,
                    _ if self.is_never_copied(declaration) => MetadataSection::NoncopyableTypes,
                    _ => MetadataSection::Types,
                }))
            }
            Entity::OfConformance(ConformancePart::Record, ..) => {
                Some(self.metadata_section(MetadataSection::Conformances))
            }
            Entity::OfConformance(
                ConformancePart::BaseAccessorName(_) | ConformancePart::AssociatedAccessorName(..),
                ..,
            ) => Some(self.metadata_section(MetadataSection::TypeReferences)),
            Entity::ExistentialShape(ShapePart::Name, _)
            | Entity::KeyPathTableName(_)
            | Entity::GenericEnvironment(_)
            | Entity::PlainName(_) => Some(self.metadata_section(MetadataSection::TypeReferences)),
            Entity::ReflectedName(_) => Some(self.metadata_section(MetadataSection::ReflectedNames)),
            _ => None,
        }
    }

    /// Returns whether a variable is written to after it is loaded.
    fn mutability_of(&self, entity: &Entity) -> Mutability {
        match entity {
            Entity::Global(id) => self.mutability_of_global(&self.sil.globals[*id]),
            Entity::ClassMetadata(_) if !self.defines(entity) => Mutability::Var,
            Entity::OfType(TypePart::Metadata | TypePart::DemanglingCache, _) => Mutability::Var,
            Entity::ExistentialShape(ShapePart::Cache, _) => Mutability::Var,
            // LLVM sets the size of the context after passes have seen it; if several modules define a coroutine, the
            // linker may choose another's.
            Entity::FunctionPointer(..) => Mutability::Var,
            Entity::OfConformance(ConformancePart::Cache | ConformancePart::LazyCache, ..)
            | Entity::KeyPath(KeyPathPart::Once, _)
            | Entity::OfReplaceable(ReplacementPart::Link, _)
            | Entity::OfOpaqueTypes(OpaqueReplacementPart::Link, _)
            | Entity::FieldOffset(..)
            | Entity::OfNominal(
                NominalPart::InstantiationCache
                | NominalPart::SingletonCache
                | NominalPart::ForeignCache
                | NominalPart::MetadataBounds,
                _,
            ) => Mutability::Var,
            Entity::WitnessTable(conformance) if self.is_table_written_to(*conformance) => Mutability::Var,
            // The runtime writes to it when a class is loaded.
            Entity::OfType(TypePart::FullMetadata, ty) if self.is_written_by_runtime(*ty) => Mutability::Var,
            _ => Mutability::Let,
        }
    }
}

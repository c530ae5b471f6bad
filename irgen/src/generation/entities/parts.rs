//! What types and declarations have in normal Swift, a symbol for each: metadata, descriptors, caches, mangled names; and the functions that
//! every module has which needs them. The facts of each kind stand in one row (lib/IRGen/Linking.cpp).

use sil::symbols::Operation;

/// What a type has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypePart {
    /// Its metadata.
    Metadata,
    /// Where the metadata is kept once the runtime has made it of the mangled name.
    DemanglingCache,
    /// The mangled name, with references to descriptors.
    MangledName,
    /// The metadata with what lies before the place that references lead to.
    FullMetadata,
    /// The table of value witnesses.
    ValueWitnessTable,
}

/// What a nominal type or a protocol has, whatever its arguments are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NominalPart {
    /// The function that gives the metadata of the type for given arguments.
    MetadataAccessor,
    /// The descriptor.
    Descriptor,
    /// The names and types of its stored properties or cases.
    FieldDescriptor,
    /// What the runtime finds the descriptor by.
    Record,
}

/// A function that every module has which needs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Helper {
    /// Gives the metadata that a demangling cache is for.
    InstantiateFromMangledName,
    /// Destroys an existential container with this many witness tables.
    DestroyExistential(usize),
    /// Makes room for a value in an existential container with this many witness tables, in it or in a box.
    AllocateExistential(usize),
    /// Finds the value in an existential container with this many witness tables.
    ProjectExistential(usize),
    /// The same for a value that is written to: what other containers share is copied.
    ProjectMutableExistential(usize),
}

impl TypePart {
    /// What its symbol says of the type; none where the symbol is no mangled one.
    pub(super) fn operation(self) -> Option<Operation> {
        match self {
            TypePart::Metadata => Some(Operation::TypeMetadata),
            TypePart::DemanglingCache => Some(Operation::DemanglingCache),
            TypePart::FullMetadata => Some(Operation::FullTypeMetadata),
            TypePart::ValueWitnessTable => Some(Operation::ValueWitnessTable),
            TypePart::MangledName => None,
        }
    }
}

impl Helper {
    /// Its symbol.
    pub(super) fn symbol(self) -> String {
        match self {
            Helper::InstantiateFromMangledName => "__swift_instantiateConcreteTypeFromMangledName".to_owned(),
            Helper::DestroyExistential(tables) => format!("__swift_destroy_boxed_opaque_existential_{tables}"),
            Helper::AllocateExistential(tables) => format!("__swift_allocate_boxed_opaque_existential_{tables}"),
            Helper::ProjectExistential(tables) => format!("__swift_project_boxed_opaque_existential_{tables}"),
            Helper::ProjectMutableExistential(tables) => {
                format!("__swift_mutable_project_boxed_opaque_existential_{tables}")
            }
        }
    }
}

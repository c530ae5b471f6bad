//! Metadata of types in normal Swift: the code that requests it, and the entities that this module defines.
//!
//! ```text
//! requests      the code that returns the metadata of a type
//! function_types  the same for function types
//! parts         caches, mangled names, descriptors: the form of each in memory
//! value_types   the entities of the module's own structs and enums
//! foreign_types  the differences of C types
//! library_witnesses  value witness tables of the library for them
//! class_types   the entities of the module's own classes
//! generic_types  the patterns from which the runtime instantiates metadata of generic types
//! methods       the methods of classes in descriptors
//! overridden_methods  the class methods that the overrides of a library are called as
//! properties    the module's property descriptors for key paths of other modules
//! opaque_types  opaque result types: descriptors, and requests for the underlying types of other modules' ones
//! offsets       the positions of part offsets in metadata
//! field_offsets  variables with the offsets of properties, for other modules
//! key_paths     the patterns of key paths
//! reflection    types and conformances for reflection and debuggers
//! captures      the same of boxes and contexts of closures
//! removed_methods  symbols of methods that are not there any more
//! replaced_opaque_types  opaque types that are replaced while the program runs
//! replacements  functions that are replaced while the program runs
//! generic_contexts  generic parameters in descriptors
//! evolution     the entities of a resilient library for its clients
//! contexts      the contexts of types in descriptors
//! conformances  the code that returns the witness table of a type
//! stated_conformances  the entities of conformances that the module declares
//! protocols     the entities of the module's own protocols
//! autolinking   the requests to the linker
//! ```

mod autolinking;
mod captures;
mod class_types;
mod conformances;
mod contexts;
mod default_overrides;
mod evolution;
mod existential_types;
mod field_offsets;
mod foreign_types;
mod function_types;
mod generic_contexts;
mod generic_types;
mod key_paths;
mod library_witnesses;
mod local_types;
mod methods;
mod offsets;
mod opaque_types;
mod overridden_methods;
mod parts;
mod properties;
mod protocols;
mod reflection;
mod removed_methods;
mod replaced_opaque_types;
mod replacements;
mod requests;
mod stated_conformances;
mod value_types;

pub use class_types::ClassPlace;
pub use generic_types::MetadataStrategy;
pub use key_paths::{captured, operand_types};
pub use offsets::FIELD_OFFSET_SIZE;
pub use parts::DIRECT_ARGUMENTS;
pub(super) use properties::OwnProperties;
pub use requests::MetadataState;

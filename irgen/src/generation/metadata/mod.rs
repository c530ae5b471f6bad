//! Metadata of types in normal Swift: how code gets at it, and what of it this module has.
//!
//! ```text
//! requests      the code that gives the metadata of a type
//! parts         caches, mangled names, descriptors: what each is in memory
//! value_types   what the module has of its own structs and enums
//! class_types   the same of its classes
//! conformances  the code that gives the witness table of a type
//! stated_conformances  what the module has of its protocols and of conformances that it states
//! autolinking   what the linker is asked for
//! ```

mod autolinking;
mod class_types;
mod conformances;
mod parts;
mod requests;
mod stated_conformances;
mod value_types;

//! Swift's mangling of types, for the symbols that IRGen itself makes up (docs/ABI/Mangling.rst): class metadata, witness tables.
//! Symbols of functions and globals are in the SIL text already.

mod buffer;
mod types;

use sil::context::TypeId;
use sil::declarations::NominalId;
use sil::types::TypeQueries;

/// How mangled names of a module begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavor {
    /// `$s`
    Default,
    /// `$e`: Embedded Swift from 6.2 on.
    Embedded,
}

impl Flavor {
    /// The prefix of a symbol.
    pub fn prefix(self) -> &'static str {
        match self {
            Flavor::Default => "$s",
            Flavor::Embedded => "$e",
        }
    }
}

/// The symbol of the metadata of `ty`, a class; none where the type has parts without a mangling here.
pub fn class_metadata(queries: &TypeQueries<'_>, flavor: Flavor, ty: TypeId) -> Option<String> {
    let mut mangler = types::Mangler::new(queries, flavor);
    mangler.ty(ty)?;
    mangler.operator("N");
    Some(mangler.finish())
}

/// The symbol of the witness table of `ty` for `protocol`, where `module` states the conformance.
pub fn witness_table(
    queries: &TypeQueries<'_>,
    flavor: Flavor,
    ty: TypeId,
    protocol: NominalId,
    module: sil::context::Name,
) -> Option<String> {
    let mut mangler = types::Mangler::new(queries, flavor);
    mangler.ty(ty)?;
    mangler.protocol(protocol)?;
    mangler.module(module);
    mangler.operator("WP");
    Some(mangler.finish())
}

#[cfg(test)]
mod tests;

//! SIL linkage to LLVM linkage and visibility (docs/SIL/SIL.md, "Linkage").

use inkwell::GlobalVisibility;
use inkwell::module::Linkage as LlvmLinkage;
use sil::model::Linkage;

/// Whether a symbol is defined here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// With a body or an initial value that is emitted.
    Here,
    /// Only declared.
    Elsewhere,
}

/// Whose symbol it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The module's own.
    Module,
    /// The standard library's. In Embedded Swift each module defines all that it uses of it, and prints it as public;
    /// of several definitions in a program one stays.
    StandardLibrary,
}

impl Owner {
    /// Tells by its symbol whose a definition of an Embedded module is: mangled names begin with the module `s` or with one of
    /// the standard library's types (docs/ABI/Mangling.rst); entry points of the runtime are not mangled.
    pub fn of_embedded(symbol: &str) -> Owner {
        const STANDARD: &[&str] = &["$es", "$eS", "$ss", "$sS", "swift_"];
        match STANDARD.iter().any(|prefix| symbol.starts_with(prefix)) {
            true => Owner::StandardLibrary,
            false => Owner::Module,
        }
    }
}

/// LLVM's linkage and visibility of a symbol.
pub fn lower(linkage: Linkage, definition: Definition, owner: Owner) -> (LlvmLinkage, GlobalVisibility) {
    if definition == Definition::Elsewhere {
        return (LlvmLinkage::External, GlobalVisibility::Default);
    }
    match linkage {
        Linkage::Public | Linkage::Package | Linkage::Hidden if owner == Owner::StandardLibrary => {
            (LlvmLinkage::WeakODR, GlobalVisibility::Hidden)
        }
        Linkage::Public | Linkage::Package => (LlvmLinkage::External, GlobalVisibility::Default),
        Linkage::Hidden => (LlvmLinkage::External, GlobalVisibility::Hidden),
        Linkage::Private => (LlvmLinkage::Internal, GlobalVisibility::Default),
        Linkage::Shared
        | Linkage::PublicNonAbi
        | Linkage::PackageNonAbi
        | Linkage::PublicExternal
        | Linkage::PackageExternal
        | Linkage::HiddenExternal
        | Linkage::SharedExternal
        | Linkage::PrivateExternal => (LlvmLinkage::LinkOnceODR, GlobalVisibility::Hidden),
    }
}

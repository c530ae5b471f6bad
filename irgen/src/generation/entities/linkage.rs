//! SIL linkage to LLVM linkage and visibility (docs/SIL/SIL.md, "Linkage").

use inkwell::GlobalVisibility;
use inkwell::module::Linkage as LlvmLinkage;
use sil::model::Linkage;
use sil::symbols::Symbol;

use super::Definition;

/// Whose symbol it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The module's own.
    Module,
    /// The standard library's, or what is made for declarations of C. In Embedded Swift each module defines all that it uses of it, and prints it as public;
    /// of several definitions in a program one stays.
    StandardLibrary,
}

impl Owner {
    /// Whose a definition of an Embedded module is, by what its symbol says of the module that declares it. Entry points of the
    /// runtime are not mangled; names like theirs are the runtime's.
    pub fn of_embedded(symbol: &str) -> Owner {
        let is_shared = match Symbol::demangle(symbol) {
            Some(demangled) => matches!(demangled.declaring_module(), Some("Swift" | "__C" | "__C_Synthesized")),
            None => symbol.starts_with("swift_"),
        };
        if is_shared { Owner::StandardLibrary } else { Owner::Module }
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

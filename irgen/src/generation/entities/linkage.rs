//! SIL linkage to LLVM linkage and visibility (docs/SIL/SIL.md, "Linkage").

use inkwell::GlobalVisibility;
use inkwell::module::Linkage as LlvmLinkage;
use sil_ir::model::{Linkage, Module};
use sil_ir::symbols::Symbol;

use super::Definition;
use super::library::is_of_library;

/// The owner of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The module itself.
    Module,
    /// An imported module, or a function synthesised for C declarations. In Embedded Swift each module defines all
    /// imported functions that it uses, and prints them as public; the linker keeps one of several definitions.
    Imported,
}

impl Owner {
    /// Returns the owner of a definition in the Embedded module `module`, by the declaring module in its symbol. A
    /// symbol without mangling belongs to the library if the library is known to define it.
    pub fn of_embedded(module: &Module, symbol: &str) -> Owner {
        let is_imported = match Symbol::demangle(symbol) {
            Some(demangled) => {
                demangled.declaring_module().is_some_and(|name| name != module.context.text(module.name))
            }
            None => is_of_library(symbol),
        };
        if is_imported { Owner::Imported } else { Owner::Module }
    }
}

/// Returns LLVM's linkage and visibility of a symbol.
pub fn lower(linkage: Linkage, definition: Definition, owner: Owner) -> (LlvmLinkage, GlobalVisibility) {
    if definition == Definition::Elsewhere {
        return (LlvmLinkage::External, GlobalVisibility::Default);
    }
    match linkage {
        Linkage::Public | Linkage::Package | Linkage::Hidden if owner == Owner::Imported => {
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

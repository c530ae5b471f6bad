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

/// LLVM's linkage and visibility of a symbol.
pub fn lower(linkage: Linkage, definition: Definition) -> (LlvmLinkage, GlobalVisibility) {
    if definition == Definition::Elsewhere {
        return (LlvmLinkage::External, GlobalVisibility::Default);
    }
    match linkage {
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

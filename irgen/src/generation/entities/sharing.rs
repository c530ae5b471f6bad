//! The visibility of symbols among units of a module. A symbol that is local to the SIL module may have the same name
//! as any symbol outside of it: units refer to it by a unique name, which the object file does not keep.

use inkwell::GlobalVisibility;
use inkwell::module::Linkage;
use inkwell::values::GlobalValue;

use crate::llvm::{globals, modules};

/// The suffix that units add to the names of symbols that are local to their module.
const SUFFIX: &str = ".silc.unit";

/// The name by which units know a symbol that is local to their module.
pub(super) fn shared_name(symbol: &str) -> String {
    format!("{symbol}{SUFFIX}")
}

/// The module's name of the symbol that its units know as `symbol`, if that is local.
pub fn local_name(symbol: &str) -> Option<&str> {
    symbol.strip_suffix(SUFFIX)
}

/// Returns whether symbols of this linkage are local to an LLVM module.
pub(super) fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Internal | Linkage::Private)
}

/// Makes a definition visible to other units, and keeps it even without uses in its own unit.
pub(in crate::generation) fn share(symbol: GlobalValue<'_>) {
    match symbol.get_linkage() {
        linkage if is_local(linkage) => {
            symbol.set_name(&shared_name(&modules::name_of(symbol)));
            symbol.set_linkage(Linkage::External);
            symbol.set_visibility(GlobalVisibility::Hidden);
            globals::remove_comdat(symbol);
        }
        Linkage::LinkOnceODR => symbol.set_linkage(Linkage::WeakODR),
        Linkage::LinkOnceAny => symbol.set_linkage(Linkage::WeakAny),
        _ => {}
    }
}

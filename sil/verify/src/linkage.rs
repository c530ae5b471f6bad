//! Linkage: the symbols that need a body, and those that a serialized body may name (lib/SIL/IR/Linker.cpp,
//! docs/SIL/SIL.md "Linkage").

use sil_ir::model::{Function, FunctionAttribute, Global, LanguageMode, Linkage, Module, Serialization};

/// Whose rules of linkage and of tables hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkageRules {
    /// Swift's.
    Full,
    /// Embedded Swift's: clients compile all that a module has, and tables are specialized.
    Embedded,
}

impl LinkageRules {
    /// Those of `module`. Text that does not show its mode has no mangled names; Swift's rules hold for it.
    pub fn of(module: &Module) -> Self {
        let mangled = |function: &Function| module.context.text(function.name).starts_with('$');
        let specialized = module.vtables.iter().any(|table| table.specialized.is_some());
        let embedded = module.mode == LanguageMode::Embedded;
        if embedded && (specialized || module.functions.values().any(mangled)) { Self::Embedded } else { Self::Full }
    }
}

/// Whether clients of the module see a symbol with this linkage.
fn is_public(linkage: Linkage) -> bool {
    use Linkage::*;
    match linkage {
        Public | PublicNonAbi | Package | PackageNonAbi | PublicExternal | PackageExternal => true,
        Hidden | Shared | Private | HiddenExternal | SharedExternal | PrivateExternal => false,
    }
}

/// Whether the body of a function is C's.
pub(super) fn is_foreign(function: &Function) -> bool {
    function.attributes.iter().any(|attribute| {
        matches!(attribute, FunctionAttribute::Clang(_) | FunctionAttribute::Extern(_) | FunctionAttribute::AsmName(_))
    })
}

/// Whether a body that is serialized like `from` may name `function`: clients must see it or have its body.
pub(super) fn may_name_function(from: Serialization, function: &Function) -> bool {
    let inlinable = match function.serialization {
        Serialization::None => false,
        Serialization::Serialized | Serialization::Serializable => true,
        Serialization::SerializedForPackage => from == Serialization::SerializedForPackage,
    };
    inlinable || is_foreign(function) || is_public(function.linkage)
}

/// Whether a serialized body may name `global`.
pub(super) fn may_name_global(global: &Global) -> bool {
    global.serialization != Serialization::None || is_public(global.linkage)
}

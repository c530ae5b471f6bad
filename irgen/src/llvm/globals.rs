//! Global symbols: linkage and visibility in one, aliases, used lists, comdats, sections.

use inkwell::AddressSpace;
use inkwell::comdat::ComdatSelectionKind;
use inkwell::llvm_sys::comdat::LLVMSetComdat;
use inkwell::llvm_sys::core::{
    LLVMAddAlias2, LLVMSetAlignment, LLVMSetLinkage, LLVMSetUnnamedAddress, LLVMSetVisibility,
};
use inkwell::llvm_sys::{LLVMLinkage, LLVMUnnamedAddr, LLVMVisibility};
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicType;
use inkwell::values::{AsValueRef, FunctionValue, GlobalValue, PointerValue};

use super::c_string;

/// Who sees a symbol: LLVM's linkage and visibility together, as Swift pairs them (`IRLinkage`, lib/IRGen/Linking.cpp).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolLinkage {
    /// Defined here for everybody, and not replaceable at load time.
    ExternalProtected,
    /// Defined here for everybody.
    External,
    /// Defined here for the linked image only.
    ExternalHidden,
    /// Defined here, and maybe elsewhere the same; the linker keeps one, within the image.
    LinkOnceHidden,
    /// As `LinkOnceHidden`, seen from everywhere.
    LinkOnce,
    /// As `LinkOnceHidden`, but always emitted.
    WeakHidden,
    /// As `LinkOnce`, but always emitted.
    Weak,
    /// For this module only, with a symbol.
    Internal,
    /// For this module only, without a symbol.
    Private,
    /// Declared here, defined elsewhere.
    Declared,
    /// Declared here; null when nobody defines it.
    DeclaredWeak,
    /// Declared here, defined elsewhere in the linked image.
    DeclaredHidden,
    /// Defined elsewhere, with a copy here for the optimiser only.
    AvailableExternally,
}

impl SymbolLinkage {
    fn raw(self) -> (LLVMLinkage, LLVMVisibility) {
        use LLVMLinkage::*;
        use LLVMVisibility::*;
        match self {
            SymbolLinkage::ExternalProtected => (LLVMExternalLinkage, LLVMProtectedVisibility),
            SymbolLinkage::External | SymbolLinkage::Declared => (LLVMExternalLinkage, LLVMDefaultVisibility),
            SymbolLinkage::ExternalHidden | SymbolLinkage::DeclaredHidden => {
                (LLVMExternalLinkage, LLVMHiddenVisibility)
            }
            SymbolLinkage::LinkOnceHidden => (LLVMLinkOnceODRLinkage, LLVMHiddenVisibility),
            SymbolLinkage::LinkOnce => (LLVMLinkOnceODRLinkage, LLVMDefaultVisibility),
            SymbolLinkage::WeakHidden => (LLVMWeakODRLinkage, LLVMHiddenVisibility),
            SymbolLinkage::Weak => (LLVMWeakODRLinkage, LLVMDefaultVisibility),
            SymbolLinkage::Internal => (LLVMInternalLinkage, LLVMDefaultVisibility),
            SymbolLinkage::Private => (LLVMPrivateLinkage, LLVMDefaultVisibility),
            SymbolLinkage::DeclaredWeak => (LLVMExternalWeakLinkage, LLVMDefaultVisibility),
            SymbolLinkage::AvailableExternally => (LLVMAvailableExternallyLinkage, LLVMDefaultVisibility),
        }
    }
}

/// What has a symbol: a function or a variable (aliases are variables here).
pub trait Symbol: AsValueRef + Copy {}
impl Symbol for FunctionValue<'_> {}
impl Symbol for GlobalValue<'_> {}

/// Sets who sees a symbol.
pub fn set_linkage(symbol: impl Symbol, linkage: SymbolLinkage) {
    let (linkage, visibility) = linkage.raw();
    // SAFETY: a symbol is a global value. Linkage first: a local one takes no visibility but the default.
    unsafe {
        LLVMSetLinkage(symbol.as_value_ref(), linkage);
        LLVMSetVisibility(symbol.as_value_ref(), visibility);
    }
}

/// Whether the address of a symbol means anything beyond reaching it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressUse {
    /// It may be compared.
    Significant,
    /// Nobody compares it, anywhere: equal contents may share an address.
    Insignificant,
}

/// Sets whether the address of a symbol means anything.
pub fn set_address_use(symbol: impl Symbol, address: AddressUse) {
    let raw = match address {
        AddressUse::Significant => LLVMUnnamedAddr::LLVMNoUnnamedAddr,
        AddressUse::Insignificant => LLVMUnnamedAddr::LLVMGlobalUnnamedAddr,
    };
    // SAFETY: a symbol is a global value.
    unsafe { LLVMSetUnnamedAddress(symbol.as_value_ref(), raw) };
}

/// Sets the alignment of a function or variable in bytes, a power of two.
pub fn set_alignment(symbol: impl Symbol, alignment: u32) {
    debug_assert!(alignment.is_power_of_two());
    // SAFETY: functions and variables take an alignment.
    unsafe { LLVMSetAlignment(symbol.as_value_ref(), alignment) };
}

/// Whether a variable is written after its initialisation by the loader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutability {
    /// Read only.
    Constant,
    /// Written.
    Variable,
}

/// Adds a variable without an initialiser: give it one with `set_initializer`, or leave it declared.
/// The name must not be taken (LLVM would rename silently): ask `module.get_global` first.
pub fn add_variable<'ctx>(
    module: &Module<'ctx>,
    ty: impl BasicType<'ctx>,
    name: &str,
    linkage: SymbolLinkage,
    mutability: Mutability,
    alignment: u32,
) -> GlobalValue<'ctx> {
    let variable = module.add_global(ty, None, name);
    variable.set_constant(mutability == Mutability::Constant);
    set_linkage(variable, linkage);
    set_alignment(variable, alignment);
    variable
}

/// Another name for a constant address of type `ty`, such as the address point within a metadata record.
/// The aliased object has to be defined in this module.
pub fn add_alias<'ctx>(
    module: &Module<'ctx>,
    ty: impl BasicType<'ctx>,
    address: PointerValue<'ctx>,
    name: &str,
    linkage: SymbolLinkage,
) -> GlobalValue<'ctx> {
    let name = c_string(name);
    // SAFETY: an alias is a global value; all belong to the module's context.
    let alias = unsafe {
        GlobalValue::new(LLVMAddAlias2(module.as_mut_ptr(), ty.as_type_ref(), 0, address.as_value_ref(), name.as_ptr()))
    };
    set_linkage(alias, linkage);
    alias
}

/// Puts a symbol into a section of this name; the target's object format decides what names are good.
pub fn set_section(symbol: GlobalValue<'_>, section: &str) {
    symbol.set_section(Some(section));
}

/// Makes the linker keep one of all definitions of this name (ELF, COFF and wasm; Mach-O has no comdats).
pub fn set_comdat_any<'ctx>(module: &Module<'ctx>, symbol: GlobalValue<'ctx>) {
    let name = symbol.get_name().to_string_lossy();
    let comdat = module.get_or_insert_comdat(&name);
    comdat.set_selection_kind(ComdatSelectionKind::Any);
    symbol.set_comdat(comdat);
}

/// Puts every function defined here that has no section into one of its own, so that the linker can drop those that
/// nobody calls (ELF; LLVM's C API has no switch for it).
pub fn give_functions_own_sections(module: &Module<'_>) {
    for function in module.get_functions() {
        if function.count_basic_blocks() > 0 && function.get_section().is_none() {
            let name = function.get_name().to_string_lossy().into_owned();
            function.set_section(Some(&format!(".text.{name}")));
        }
    }
}

/// Makes every symbol defined here local to the module for which `may_be_local` says so: the program has no other
/// module that could refer to it. Local functions can lose arguments, be inlined into their only caller, and vanish.
pub fn make_local(module: &Module<'_>, may_be_local: &dyn Fn(&str) -> bool) {
    let functions = module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    let variables = module.get_globals().filter(|variable| variable.get_initializer().is_some());
    for symbol in functions.map(FunctionValue::as_global_value).chain(variables) {
        let name = symbol.get_name().to_string_lossy();
        let is_local = matches!(symbol.get_linkage(), Linkage::Internal | Linkage::Private);
        // Symbols of LLVM's own mean something by their name and linkage.
        let is_special = symbol.get_linkage() == Linkage::Appending || name.starts_with("llvm.");
        if is_local || is_special || is_called_by_code_generation(&name) || !may_be_local(&name) {
            continue;
        }
        set_linkage(symbol, SymbolLinkage::Internal);
        remove_comdat(symbol);
    }
}

/// Whether LLVM makes calls of the function out of nothing, after the passes that would drop it as unused: the C
/// library's memory functions, and the compiler's own support functions.
fn is_called_by_code_generation(name: &str) -> bool {
    matches!(name, "memcpy" | "memmove" | "memset" | "memcmp" | "bcmp" | "strlen") || name.starts_with("__")
}

/// Nobody else has a symbol that is local.
pub fn remove_comdat(symbol: GlobalValue<'_>) {
    // SAFETY: functions and variables take no comdat as well as one.
    unsafe { LLVMSetComdat(symbol.as_value_ref(), std::ptr::null_mut()) };
}

/// Who has to keep symbols that nothing seems to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsedBy {
    /// The compiler and the linker (`llvm.used`).
    Linker,
    /// The compiler only (`llvm.compiler.used`).
    Compiler,
}

impl UsedBy {
    /// Both.
    pub const ALL: [UsedBy; 2] = [UsedBy::Linker, UsedBy::Compiler];

    /// The variable that LLVM keeps the list in.
    pub fn list_name(self) -> &'static str {
        match self {
            UsedBy::Linker => "llvm.used",
            UsedBy::Compiler => "llvm.compiler.used",
        }
    }
}

/// Keeps symbols alive. Call once per module and kind, with all of them.
pub fn mark_used<'ctx>(module: &Module<'ctx>, by: UsedBy, symbols: &[PointerValue<'ctx>]) {
    if symbols.is_empty() {
        return;
    }
    let list = module.get_context().ptr_type(AddressSpace::default()).const_array(symbols);
    let variable = module.add_global(list.get_type(), None, by.list_name());
    variable.set_initializer(&list);
    variable.set_linkage(Linkage::Appending);
    variable.set_section(Some("llvm.metadata"));
}

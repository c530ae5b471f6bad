//! Functions that other languages know: names that attributes give them beside Swift's own.

use super::DeclarationTable;
use crate::context::{Context, Name};
use crate::symbols::Symbol;

/// A function of the module itself with such names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignFunction {
    /// Its name in Swift, without labels.
    pub name: Name,
    /// Its symbol in C, with which side defines it.
    pub c_name: Option<(Name, DefinedIn)>,
    /// The function of its host that a WebAssembly module imports for it.
    pub wasm_import: Option<WasmImport>,
    /// Its name for the host of a WebAssembly module.
    pub wasm_export: Option<WasmExport>,
}

/// Which side defines a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinedIn {
    /// `@_cdecl("x")`, `@c`: Swift does.
    Swift,
    /// `@_extern(c)`: C does.
    C,
}

/// The name of a function for the host of a WebAssembly module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WasmExport {
    /// By its symbol, `@_expose(wasm)`.
    Symbol,
    /// By this name, `@_expose(wasm, "x")`.
    Named(Name),
}

/// A function of the host, `@_extern(wasm, module: "m", name: "n")`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WasmImport {
    /// The module of the host.
    pub module: Name,
    /// The function's name there.
    pub name: Name,
}

impl DeclarationTable {
    /// The Swift declaration of the function that SIL calls `symbol`. One with a name of C's has that as its symbol;
    /// its other half, with Swift's convention, is not meant.
    pub fn foreign_function(&self, symbol: &str, context: &Context) -> Option<&ForeignFunction> {
        let functions = self.foreign_functions();
        if functions.is_empty() {
            return None;
        }
        let demangled = Symbol::demangle(symbol);
        let swift_name = demangled.as_ref().and_then(Symbol::function_name);
        functions.iter().find(|function| match function.c_name {
            Some((c_name, _)) => context.text(c_name) == symbol,
            None => swift_name == Some(context.text(function.name)),
        })
    }
}

//! The foreign names of functions by attributes: `@_cdecl`, `@c`, `@_extern`, `@_expose`.

use sil_ir::context::{Context, Name};
use sil_ir::declarations::{DefinedIn, ForeignFunction, WasmExport, WasmImport};

use super::modifiers::Modifiers;

/// Returns the foreign names that attributes give the function `name`; `None` if there is none.
pub(super) fn foreign_function(context: &Context, name: Name, modifiers: &Modifiers<'_>) -> Option<ForeignFunction> {
    let mut function = ForeignFunction { name, c_name: None, wasm_import: None, wasm_export: None };
    for piece in &modifiers.written {
        let (attribute, arguments) = piece.slice().split_once('(').unwrap_or((piece.slice(), ""));
        let arguments = arguments.strip_suffix(')').unwrap_or(arguments);
        let language = arguments.split(',').next().unwrap_or_default().trim();
        let mut texts = quoted(arguments).map(|text| context.name(text));
        match (attribute.trim(), language) {
            ("@_cdecl", _) => function.c_name = texts.next().map(|name| (name, DefinedIn::Swift)),
            // The name is not quoted here.
            ("@c", "") => function.c_name = Some((name, DefinedIn::Swift)),
            ("@c", c_name) => function.c_name = Some((context.name(c_name), DefinedIn::Swift)),
            ("@_extern", "c") => function.c_name = Some((texts.next().unwrap_or(name), DefinedIn::C)),
            ("@_extern", "wasm") => {
                function.wasm_import = texts.next().zip(texts.next()).map(|(module, name)| WasmImport { module, name });
            }
            ("@_expose", "wasm") => {
                function.wasm_export = Some(texts.next().map_or(WasmExport::Symbol, WasmExport::Named));
            }
            _ => {}
        }
    }
    let is_known = function.c_name.is_some() || function.wasm_import.is_some() || function.wasm_export.is_some();
    is_known.then_some(function)
}

/// Returns the quoted texts, in order.
fn quoted(arguments: &str) -> impl Iterator<Item = &str> {
    arguments.split('"').skip(1).step_by(2)
}

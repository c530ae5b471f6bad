//! The definitions of C headers, in the module that uses them: clang's bitcode is linked in before anything is
//! optimised, so that it can be inlined.

use headers::{Headers, KEPT, Optimization, Request};
use inkwell::GlobalVisibility;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue};
use rustc_hash::FxHashSet;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model;
use sil_ir::symbols::bit_field_accessor;

use crate::Error;
use crate::error::Failure;
use crate::generation::CDefinitions;
use crate::llvm::{globals, modules};
use crate::target::{Machine, OptimizationLevel};

/// clang's attributes of the processor. The code generator has its own, which all functions share.
const MACHINE_ATTRIBUTES: [&str; 5] = ["target-cpu", "target-features", "tune-cpu", "frame-pointer", "use-soft-float"];

/// Links the definitions that `definitions` requests.
pub fn link<'ctx>(
    module: &Module<'ctx>,
    machine: &Machine,
    context: &'ctx Context,
    headers: Option<&Headers>,
    definitions: &CDefinitions,
) -> Result<(), Error> {
    let Some(headers) = headers.filter(|_| !definitions.request.is_empty()) else { return Ok(()) };
    let optimization = match machine.optimization() {
        OptimizationLevel::O0 => Optimization::None,
        _ => Optimization::Optimize,
    };
    let bitcode = headers.bitcode(&definitions.request, optimization)?;
    let linked = modules::parse(context, &bitcode, "what the C headers define").map_err(|_| Error::NewerClang)?;
    machine.prepare_module(&linked);
    if let Some(kept) = linked.get_global(KEPT) {
        globals::delete_unused(kept);
    }
    let own = prepare(&linked, &definitions.request);
    modules::link(module, linked)?;
    for symbol in own.iter().filter_map(|name| modules::symbol_named(module, name)) {
        globals::make_symbol_local(symbol);
    }
    let bodies = definitions.request.entries.values().filter_map(|(body, _)| modules::symbol_named(module, body));
    bodies.for_each(globals::make_symbol_local);
    for entry in &definitions.entries {
        if let Some(symbol) = modules::symbol_named(module, &entry.symbol) {
            symbol.set_linkage(entry.linkage);
            symbol.set_visibility(entry.visibility);
        }
    }
    Ok(())
}

/// Prepares clang's module so that only the definitions in use are linked in. Returns the names that are local to the
/// module.
fn prepare(linked: &Module<'_>, request: &Request) -> FxHashSet<String> {
    let made_up = request.calls.keys().chain(request.accessors.iter().map(|accessor| &accessor.symbol));
    let mut own: FxHashSet<String> = made_up.cloned().collect();
    for function in linked.get_functions() {
        for attribute in MACHINE_ATTRIBUTES {
            function.remove_string_attribute(AttributeLoc::Function, attribute);
        }
    }
    let functions = linked.get_functions().filter(|function| function.count_basic_blocks() > 0);
    let variables = linked.get_globals().filter(|variable| variable.get_initializer().is_some());
    for symbol in functions.map(FunctionValue::as_global_value).chain(variables) {
        let name = modules::name_of(symbol);
        match symbol.get_linkage() {
            Linkage::Internal if request.definitions.contains(&name) => {
                share(symbol);
                own.insert(name);
            }
            Linkage::External if !request.entries.contains_key(&name) => share(symbol),
            _ => {}
        }
    }
    own
}

/// Marks a symbol such that the linker takes it only if it is used.
fn share(symbol: GlobalValue<'_>) {
    symbol.set_linkage(Linkage::LinkOnceODR);
    symbol.set_visibility(GlobalVisibility::Default);
}

/// Requires a definition of each function that is declared as shared, since a C header defines it in every module that
/// uses it.
pub fn require_bodies(sil: &model::Module, module: &Module<'_>, headers: Option<&Headers>) -> Result<(), Failure> {
    let missing = sil.functions.values().filter(|function| {
        let symbol = symbol_of(sil, function);
        let is_shared = matches!(function.linkage, model::Linkage::Shared) && function.body.is_none();
        is_shared
            && is_of_c(sil, function)
            && module.get_function(symbol).is_some_and(|found| found.count_basic_blocks() == 0)
    });
    let errors: Vec<Diagnostic> = missing
        .map(|function| {
            let message = format!("the body of the C function '{}' is not known", symbol_of(sil, function));
            let error = Diagnostic::error("c-body", message, function.span);
            error.hint(match headers {
                Some(_) => "no C header that is given defines it",
                None => "give the C header that defines it (--import-header FILE)",
            })
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(Failure::Diagnostics(errors)) }
}

/// The symbol in the object file: the SIL name, or that of `[asmname]`.
fn symbol_of<'m>(sil: &'m model::Module, function: &model::Function) -> &'m str {
    let named = function.attributes.iter().find_map(|attribute| match attribute {
        model::FunctionAttribute::AsmName(name) => Some(*name),
        _ => None,
    });
    sil.context.text(named.unwrap_or(function.name))
}

/// Returns whether a C header defines the function, or Swift's importer synthesised it for a bit-field.
fn is_of_c(sil: &model::Module, function: &model::Function) -> bool {
    let is_clang = |attribute: &model::FunctionAttribute| matches!(attribute, model::FunctionAttribute::Clang(_));
    function.attributes.iter().any(is_clang) || bit_field_accessor(symbol_of(sil, function)).is_some()
}

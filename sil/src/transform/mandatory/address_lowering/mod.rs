//! Address lowering: values of types that only live in memory, which `-enable-sil-opaque-values` has as SSA values, are put there
//! (lib/SILOptimizer/Mandatory/AddressLowering.cpp).
//!
//! 1. `preparation` gives the function the arguments that it has behind the pass and lists its opaque values.
//! 2. `allocation` decides where each of them is stored: in memory of its own on the stack, in a part of what it is taken out of (`origins`), or in a
//!    part of what it is put into; `phi_storage` lets block arguments share memory with what is passed for them.
//! 3. `definitions` and `uses` go through the values in order and let instructions make them in memory and find them there; `calls`, `results`,
//!    `casts`, `enums`, `returns`, `borrows` and `phi_moves` have what takes more than one instruction. `materialization` leads to addresses.
//! 4. `cleanup` places memory and projections near their uses and removes what was there for values alone.
//!
//! `lowering` holds what all of them share, `storage` the table of the values. Does not own: stack discipline
//! ([`stack_nesting`]), and what SIL with opaque values is (`types/opaque_values.rs`).

mod allocation;
mod borrows;
mod calls;
mod casts;
mod cleanup;
mod definitions;
mod enums;
mod lowering;
mod materialization;
mod origins;
mod phi_moves;
mod phi_storage;
mod preparation;
mod results;
mod returns;
mod storage;
mod uses;

use crate::analysis::Analyses;
use crate::diagnostic::Diagnostic;
use crate::model::{AddressLowering, Body, Function, FunctionFlag, FunctionId, Module};
use crate::parallel;
use crate::transform::Settings;
use crate::transform::editing::stack_nesting;
use crate::transform::pass::{Description, Environment, Gates, Pass, Runner};
use crate::types::{ConformanceTable, TypeQueries};

use self::lowering::{Lowered, Lowering};

pub(in crate::transform) const ADDRESS_LOWERING: Pass = Pass::new(&Description {
    name: "address-lowering",
    class_name: "AddressLowering",
    summary: "Moves opaque values into memory, in modules whose address-only values are SSA values.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| lower(module, settings)),
});

/// Lowers all functions of a module with opaque values, whose values that only live in memory have addresses from then on. Another module stays as it
/// is, and so does one with a function that is not supported.
pub(in crate::transform) fn lower(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    if module.address_lowering != AddressLowering::Opaque {
        return Vec::new();
    }
    let lowered = lowered_bodies(module, settings);
    let mut diagnostics = Vec::new();
    let mut bodies = Vec::new();
    for (id, body) in lowered {
        match body {
            Ok(body) => bodies.push((id, body)),
            Err(diagnostic) => diagnostics.push(diagnostic.in_function(module.functions[id].name)),
        }
    }
    if diagnostics.is_empty() {
        for (id, body) in bodies {
            module.functions[id].body = Some(body);
        }
        module.address_lowering = AddressLowering::Lowered;
    }
    diagnostics
}

/// The bodies of all functions behind the pass.
fn lowered_bodies(module: &Module, settings: &Settings) -> Vec<(FunctionId, Lowered<Body>)> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries =
        |lowering| TypeQueries::new(&module.context, &module.declarations, &conformances, module.mode, lowering);
    let [opaque, lowered] = [AddressLowering::Opaque, AddressLowering::Lowered].map(queries);
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    let lower = |id: &FunctionId| {
        let function = &module.functions[*id];
        let body = function.body.as_ref()?;
        let analyses = Analyses::default();
        let (queries, analyses, of_module) = (&opaque, &analyses, None);
        let environment = Environment { module, queries, function, body, analyses, of_module, settings };
        Some((*id, lower_function(environment, &lowered)))
    };
    parallel::map(&functions, lower).into_iter().flatten().collect()
}

fn lower_function(environment: Environment<'_>, lowered: &TypeQueries<'_>) -> Lowered<Body> {
    let context = &environment.module.context;
    let mut lowering = Lowering::new(environment, lowered);
    if !environment.function.has(FunctionFlag::Ossa) {
        return match lowering.has_anything_opaque() {
            true => refuse_without_ownership(environment.function),
            false => Ok(environment.body.clone()),
        };
    }
    lowering.prepare()?;
    lowering.allocate()?;
    lowering.rewrite()?;
    lowering.clean_up();
    let mut body = lowering.into_body();
    stack_nesting::fix(context, &mut body);
    Ok(body)
}

fn refuse_without_ownership(function: &Function) -> Lowered<Body> {
    Err(Box::new(Diagnostic::unsupported("opaque values in a function without ownership", function.span)))
}

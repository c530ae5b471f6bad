//! Address lowering: moves SSA values of address-only types, which `-enable-sil-opaque-values` allows, to memory
//! (lib/SILOptimizer/Mandatory/AddressLowering.cpp).
//!
//! 1. `preparation` gives the function its lowered arguments and lists its opaque values.
//! 2. `allocation` assigns storage to each of them: own stack memory, a part of the value it is projected from
//!    (`origins`), or a part of the aggregate that uses it; `phi_storage` lets block arguments share memory with the
//!    values passed for them.
//! 3. `definitions` and `uses` rewrite the values in order, definitions in memory and uses of memory; `calls`,
//!    `results`, `casts`, `enums`, `returns`, `borrows` and `phi_moves` own rewrites of more than one instruction.
//!    `materialization` makes addresses.
//! 4. `cleanup` places memory and projections near their uses and removes instructions that served values only.
//!
//! `lowering` holds the shared state, `storage` the table of values. Does not own: stack discipline
//! ([`stack_nesting`]), and the form of SIL with opaque values (`types/opaque_values.rs`).

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

use sil_analysis::Analyses;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{AddressLowering, Body, Function, FunctionFlag, FunctionId, Module};
use sil_ir::parallel;
use sil_ir::types::{ConformanceTable, TypeQueries};

use crate::Settings;
use crate::editing::stack_nesting;
use crate::pass::{Description, Environment, Gates, Pass, Runner};

use self::lowering::{Lowered, Lowering};

pub(crate) const ADDRESS_LOWERING: Pass = Pass::new(&Description {
    name: "address-lowering",
    class_name: "AddressLowering",
    summary: "Moves opaque values into memory, in modules whose address-only values are SSA values.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| lower(module, settings)),
});

/// Lowers all functions of a module with opaque values. A module that is lowered already, or that has a function that
/// is not supported, is unchanged.
pub(crate) fn lower(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
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

/// Returns the lowered bodies of all functions.
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

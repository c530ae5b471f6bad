//! Redundant load elimination: replaces a load of a value that was stored or loaded before on all paths, if the memory
//! cannot have changed since. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/RedundantLoadElimination.swift.
//!
//! Owns: the choice and order of loads. `search` finds the available values, `replacement` replaces the loads.
//!
//! The search sees the body as it was at the start of a round. A load that is replaced is followed to its replacement.
//! If only a part of the loaded value is available, the load is split. If the available value was written by a
//! `copy_addr`, that is converted to a load and a store. The next round visits the results.

mod replacement;
mod search;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{AccessBase, AccessPath, AnalyzedModule, BodyView, Change};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CopyAddr, Unary};
use sil_ir::model::{Body, FunctionFlag, FunctionId, InstructionId, Value};
use sil_ir::parallel;

use self::replacement::Replacement;
use self::search::{Available, Found, Search};
use crate::knowledge::aggregate_parts::{is_divided, is_in_memory};
use crate::pass::{Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Rounds, Runner};

pub(crate) const MANDATORY_REDUNDANT_LOAD_ELIMINATION: Pass = Pass::new(&Description {
    name: "mandatory-redundant-load-elimination",
    class_name: "MandatoryRedundantLoadElimination",
    summary: "Eliminates redundant loads of local variables.",
    gates: Gates::OPEN,
    runner: Runner::Module(eliminate_mandatory),
});

pub(crate) const EARLY_REDUNDANT_LOAD_ELIMINATION: Pass = Pass::new(&Description {
    name: "early-redundant-load-elimination",
    class_name: "EarlyRedundantLoadElimination",
    summary: "Eliminates redundant loads, except of arrays.",
    gates: Gates::OPEN,
    runner: Runner::Module(eliminate_early),
});

pub(crate) const REDUNDANT_LOAD_ELIMINATION: Pass = Pass::new(&Description {
    name: "redundant-load-elimination",
    class_name: "RedundantLoadElimination",
    summary: "Eliminates redundant loads.",
    gates: Gates::OPEN,
    runner: Runner::Module(eliminate),
});

/// The loads that are replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    /// Loads of local variables, so that diagnostics do not depend on redundant loads.
    Mandatory,
    /// All loads but those of arrays, which would hide the bounds of the arrays.
    Early,
    /// All loads.
    Regular,
}

/// The limit on instructions that searches visit per function.
const BUDGET: usize = 50_000;
/// The limit on rounds.
const MOST_ROUNDS: usize = 50;

/// Replaces redundant loads of local variables.
pub(crate) fn eliminate_mandatory(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_module(environment, Variant::Mandatory)
}

/// Replaces redundant loads of local variables in one function.
pub(crate) fn eliminate_mandatory_in(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let analyzed = AnalyzedModule::new(environment.module, environment.queries);
    over_function(environment, &analyzed, Variant::Mandatory).transpose()
}

/// Replaces redundant loads except for those of arrays.
pub(crate) fn eliminate_early(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_module(environment, Variant::Early)
}

/// Replaces all redundant loads.
pub(crate) fn eliminate(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_module(environment, Variant::Regular)
}

fn over_module(environment: ModuleEnvironment<'_>, variant: Variant) -> Rewrites {
    let worked_on = environment.functions();
    let analyzed = AnalyzedModule::new(environment.module, environment.queries);
    let rewrite = |id: &FunctionId| {
        let function = environment.of_function(*id)?;
        if !function.body.placed_instructions().any(|id| is_load(function.body, id)) {
            return None;
        }
        Some((*id, over_function(function, &analyzed, variant)?))
    };
    parallel::map(&worked_on, rewrite).into_iter().flatten().collect()
}

fn over_function(
    environment: Environment<'_>,
    analyzed: &AnalyzedModule<'_>,
    variant: Variant,
) -> Option<Result<Rewrite, Box<Diagnostic>>> {
    let mut rounds = Rounds::new(environment);
    let mut budget = BUDGET;
    let mut seen = FxHashSet::default();
    for _ in 0..MOST_ROUNDS {
        let Round { body, is_last } = round(rounds.current(), analyzed, variant, &mut budget, &mut seen);
        if let Some(body) = body {
            rounds.set(body, Change::Instructions);
        }
        if is_last {
            break;
        }
    }
    rounds.finish().map(Ok)
}

/// The result of a round.
struct Round {
    /// The body with some redundant loads replaced, or `None` if there were none.
    body: Option<Body>,
    /// Whether all loads were visited.
    is_last: bool,
}

/// Visits the loads that are not in `seen`, in reverse order, as far as the changes for later loads do not affect the
/// search.
fn round(
    environment: Environment<'_>,
    analyzed: &AnalyzedModule<'_>,
    variant: Variant,
    budget: &mut usize,
    seen: &mut FxHashSet<InstructionId>,
) -> Round {
    let body = environment.body;
    let view = environment.view();
    let search = Search::new(analyzed, &view);
    let mut found: FxHashMap<InstructionId, Found> = FxHashMap::default();
    let mut order = Vec::new();
    let candidates: Vec<InstructionId> = body.placed_instructions().filter(|id| is_load(body, *id)).collect();
    let mut divided = Vec::new();
    let mut is_last = true;
    for id in candidates.into_iter().rev() {
        if seen.contains(&id) {
            continue;
        }
        // The parts of a split load are visited before earlier loads of the same memory.
        let base = AccessPath::of(&view, source(body, id)).base;
        if divided.contains(&base) {
            is_last = false;
            continue;
        }
        if !view.cfg.is_reachable(body.instructions[id].block) || !is_eligible(environment, &search, id, variant) {
            seen.insert(id);
            continue;
        }
        let Some(result) = search.of(id, budget) else {
            seen.insert(id);
            continue;
        };
        let new = match &result {
            Found::Part => vec![base],
            // The value that a copy wrote is first loaded and stored, which the load finds in the next round.
            Found::Values(values) => copied_from(&view, values),
        };
        let is_looked_at_again = !new.is_empty() && result != Found::Part;
        if new.iter().any(|base| divided.contains(base)) {
            is_last = false;
            continue;
        }
        // A copy becomes a load and a store in the next round.
        is_last &= new.is_empty() && body.instructions[id].opcode == Opcode::Load;
        divided.extend(new);
        if !is_looked_at_again {
            seen.insert(id);
        }
        found.insert(id, result);
        order.push(id);
        // A taking load shortens a lifetime, so other loads are visited in the next round.
        if taken(&view, id) {
            is_last = false;
            break;
        }
    }
    Round { body: Replacement::new(environment, &view).apply(order, found), is_last }
}

/// The source addresses of the copies that wrote available values.
fn copied_from(view: &BodyView<'_>, values: &[Available]) -> Vec<AccessBase> {
    let copies = values.iter().filter_map(|available| CopyAddr::get(view.body, available.instruction));
    copies.map(|copy| AccessPath::of(view, copy.source).base).collect()
}

/// Returns whether an instruction reads a value from memory.
fn is_load(body: &Body, id: InstructionId) -> bool {
    matches!(body.instructions[id].opcode, Opcode::Load | Opcode::CopyAddr)
}

/// The address that a `load` or `copy_addr` reads.
fn source(body: &Body, id: InstructionId) -> Value {
    match CopyAddr::get(body, id) {
        Some(CopyAddr { source, .. }) => source,
        None => Unary::of(body, id).operand,
    }
}

/// Returns whether an instruction takes an owned value. Without ownership, a take is not visible.
fn taken(view: &BodyView<'_>, id: InstructionId) -> bool {
    let BodyView { body, queries, function, .. } = view;
    let is_owned = || {
        let ty = body.ty(source(body, id)).object_type();
        function.has(FunctionFlag::Ossa) && !queries.properties(ty.ty, function.signature).is_trivial()
    };
    body.instructions[id].attributes.contains(Attribute::Take) && is_owned()
}

/// Returns whether a moving `copy_addr` could be replaced with a load and a store.
fn is_loadable_copy(environment: Environment<'_>, id: InstructionId) -> bool {
    let body = environment.body;
    let Some(CopyAddr { source, .. }) = CopyAddr::get(body, id) else { return false };
    let attributes = body.instructions[id].attributes;
    let moves = attributes.contains(Attribute::Take) && attributes.contains(Attribute::Init);
    body.instructions[id].opcode == Opcode::CopyAddr
        && !is_in_memory(environment, body.ty(source))
        && (environment.function.has(FunctionFlag::Ossa) || moves)
}

fn is_eligible(environment: Environment<'_>, search: &Search<'_, '_>, id: InstructionId, variant: Variant) -> bool {
    let body = environment.body;
    if body.instructions[id].opcode == Opcode::CopyAddr && !is_loadable_copy(environment, id) {
        return false;
    }
    let address = source(body, id);
    let ty = body.ty(address).object_type();
    let is_wanted = match variant {
        Variant::Mandatory => {
            !taken(search.view(), id)
                && matches!(AccessPath::of(search.view(), address).base, AccessBase::Box(_) | AccessBase::Stack(_))
        }
        Variant::Early => {
            let queries = environment.queries;
            let name = queries.declaration_of(ty.ty).map(|declaration| (declaration.name, declaration.module));
            let is_array = name.is_some_and(|(name, module)| {
                (queries.context.text(name), queries.context.text(module)) == ("Array", "Swift")
            });
            !is_array
        }
        Variant::Regular => true,
    };
    is_wanted && is_divided(environment, ty)
}

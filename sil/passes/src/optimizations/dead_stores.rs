//! Removes dead stores: the stored value is overwritten, or its memory is deallocated, before it may be read. A store
//! that is partly overwritten is split, and the next round visits the stores of the parts. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/DeadStoreElimination.swift.
//!
//! Does not own: stores of owned values, whose removal would shorten the lifetime of the value in functions with
//! ownership.

use sil_analysis::{
    AccessBase, AccessPath, AliasAnalysis, AnalyzedModule, BodyView, Change, Projection, ProjectionPath, Worklist,
    reference_root,
};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{BlockId, Body, InstructionId, Place, Value};

use crate::InstructionBuilder;
use crate::editing::debug_values::debug_variable;
use crate::editing::store_division::divide_store;
use crate::knowledge::aggregate_parts::is_divided;
use crate::pass::{
    Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Rounds, Runner, over_analyzed,
};

pub(crate) const DEAD_STORE_ELIMINATION: Pass = Pass::new(&Description {
    name: "dead-store-elimination",
    class_name: "DeadStoreElimination",
    summary: "Removes stores that nothing reads.",
    gates: Gates::OPEN,
    runner: Runner::Module(eliminate),
});

/// The limit on visited instructions per function.
const BUDGET: usize = 10_000;
/// The limit on rounds.
const MOST_ROUNDS: usize = 50;

/// Removes the dead stores of all functions.
pub(crate) fn eliminate(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    let before = environment.body;
    before.placed_instructions().find(|id| before.instructions[*id].opcode == Opcode::Store)?;
    let mut rounds = Rounds::new(environment);
    let mut budget = BUDGET;
    for _ in 0..MOST_ROUNDS {
        let Some(next) = round(rounds.current(), analyzed, &mut budget) else { break };
        rounds.set(next, Change::Instructions);
    }
    rounds.finish()
}

/// Returns the body with some dead stores removed, or `None` if there are none.
fn round(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>, budget: &mut usize) -> Option<Body> {
    let body = environment.body;
    let view = environment.view();
    let aliases = AliasAnalysis::new(analyzed, &view);
    let mut changed = None;
    for block in body.blocks.keys() {
        for store in body.instructions_in(block).filter(|id| is_candidate(environment, *id)) {
            let Store { source, destination } = Store::of(body, store);
            let mut search = |path| Search { view: &view, aliases: &aliases, budget, store, path, part: None }.run();
            match search(AccessPath::of(&view, destination)) {
                Fate::Dead => erase(changed.get_or_insert_with(|| body.clone()), store),
                Fate::DeadInPart(path) if matches!(search(path), Fate::Dead) => {
                    divide_store(
                        environment,
                        changed.get_or_insert_with(|| body.clone()),
                        store,
                        view.ownership(source),
                    );
                }
                Fate::Alive | Fate::DeadInPart(_) => {}
            }
        }
    }
    changed
}

/// Erases a store. Inserts a `debug_value` if it stored to a variable.
fn erase(body: &mut Body, store: InstructionId) {
    let Store { source, destination } = Store::of(body, store);
    let allocation = body.defining(destination).filter(|id| body.instructions[*id].opcode == Opcode::AllocStack);
    if let Some(allocation) = allocation
        && let Some(variable) = debug_variable(body, allocation).filter(|variable| variable.name.is_some())
    {
        InstructionBuilder::new(body, Place::Before(store), allocation).debug_value(source, Some(variable));
    }
    body.erase(store);
}

fn is_candidate(environment: Environment<'_>, id: InstructionId) -> bool {
    let body = environment.body;
    let attributes = body.instructions[id].attributes;
    body.instructions[id].opcode == Opcode::Store
        && !attributes.contains(Attribute::Init)
        && !attributes.contains(Attribute::Assign)
        && is_divided(environment, body.ty(Store::of(body, id).source))
}

/// The fate of a stored value.
enum Fate {
    /// It may be read.
    Alive,
    /// It is never read.
    Dead,
    /// It may be read, but this part of it may be overwritten before.
    DeadInPart(AccessPath),
}

/// The effect of an instruction on the search.
enum Meaning {
    Read,
    Overwritten,
    Transparent,
}

/// A search for instructions that read or overwrite a part of the stored value.
struct Search<'s, 'v, 'm> {
    view: &'v BodyView<'m>,
    aliases: &'s AliasAnalysis<'v, 'm>,
    budget: &'s mut usize,
    store: InstructionId,
    path: AccessPath,
    /// A part that is overwritten.
    part: Option<AccessPath>,
}

impl Search<'_, '_, '_> {
    fn run(mut self) -> Fate {
        let body = self.view.body;
        let block = body.instructions[self.store].block;
        let after: Vec<InstructionId> =
            body.instructions_in(block).skip_while(|id| *id != self.store).skip(1).collect();
        match self.scan(after) {
            Meaning::Overwritten => return Fate::Dead,
            Meaning::Read => return self.alive(),
            Meaning::Transparent => {}
        }
        // The base object is a different one each time that its defining block runs.
        let origin = self.origin();
        let mut open = Worklist::new(successors(body, block));
        while let Some(block) = open.pop() {
            if origin == Some(block) {
                return self.alive();
            }
            match self.scan(body.instructions_in(block).collect()) {
                Meaning::Transparent => open.extend(successors(body, block)),
                Meaning::Overwritten => {}
                Meaning::Read => return self.alive(),
            }
        }
        Fate::Dead
    }

    fn alive(&self) -> Fate {
        self.part.map_or(Fate::Alive, Fate::DeadInPart)
    }

    fn origin(&self) -> Option<BlockId> {
        let reference = reference_root(self.view, self.path.base.reference(self.view)?);
        self.view.body.defining_block(reference)
    }

    fn scan(&mut self, instructions: Vec<InstructionId>) -> Meaning {
        for id in instructions {
            match self.meaning(id) {
                Meaning::Transparent => {}
                meaning => return meaning,
            }
        }
        Meaning::Transparent
    }

    fn meaning(&mut self, id: InstructionId) -> Meaning {
        let body = self.view.body;
        match self.view.opcode(id) {
            Opcode::Store => {
                let path = AccessPath::of(self.view, Store::of(body, id).destination);
                if path.contains(self.view, self.path) {
                    return Meaning::Overwritten;
                }
                let inner = self.path.projection_to(self.view, path);
                if self.part.is_none() && inner.is_some_and(is_divisible) {
                    self.part = Some(path);
                }
                // A store only writes, but with `assign` it may run a deinitialiser that reads.
                if !body.instructions[id].attributes.contains(Attribute::Assign) {
                    return Meaning::Transparent;
                }
            }
            Opcode::DeallocRef | Opcode::DeallocStackRef | Opcode::DeallocBox if self.is_freed(id) => {
                return Meaning::Overwritten;
            }
            Opcode::DeallocStack if self.path.base == AccessBase::Stack(Unary::of(body, id).operand) => {
                return Meaning::Overwritten;
            }
            Opcode::DeallocRef | Opcode::DeallocStackRef | Opcode::DeallocBox | Opcode::DeallocStack => {
                return Meaning::Transparent;
            }
            Opcode::FixLifetime | Opcode::EndAccess => return Meaning::Transparent,
            opcode if opcode.leaves_function() => return Meaning::Read,
            _ => {}
        }
        *self.budget = self.budget.saturating_sub(1);
        let address = Store::of(body, self.store).destination;
        if *self.budget == 0 || self.aliases.may_read(id, address) { Meaning::Read } else { Meaning::Transparent }
    }

    /// Returns whether the instruction deallocates the object that contains the memory.
    fn is_freed(&self, id: InstructionId) -> bool {
        let freed = reference_root(self.view, self.view.body.operands(id)[0]);
        let accessed: Option<Value> = self.path.base.reference(self.view);
        accessed.is_some_and(|reference| reference_root(self.view, reference) == freed)
    }
}

/// Returns whether a store can be split until the part at this path is stored separately.
fn is_divisible(path: ProjectionPath) -> bool {
    let mut rest = path;
    while let Some(step) = rest.first() {
        if !matches!(step, Projection::Struct(_) | Projection::Tuple(_)) {
            return false;
        }
        rest = rest.rest();
    }
    true
}

fn successors(body: &Body, block: BlockId) -> Vec<BlockId> {
    body.terminator(block).map(|end| body.targets(end).to_vec()).unwrap_or_default()
}

//! Dead stores: what is stored is overwritten, or its memory freed, before anything may read it
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/DeadStoreElimination.swift). Where only a part of it is overwritten, the store is
//! divided, and a next round sees the stores of the parts.
//!
//! Does not own: stores that own what they store; in functions with ownership the value would live shorter without them.

use crate::analysis::{
    AccessBase, AccessPath, AliasAnalysis, AnalyzedModule, BodyView, Change, Projection, ProjectionPath, Worklist,
    reference_root,
};
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{Store, Unary};
use crate::model::{BlockId, Body, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::debug_values::debug_variable;
use crate::transform::editing::store_division::divide_store;
use crate::transform::knowledge::aggregate_parts::is_divided;
use crate::transform::pass::{
    Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Rounds, Runner, over_analyzed,
};

pub(in crate::transform) const DEAD_STORE_ELIMINATION: Pass = Pass::new(&Description {
    name: "dead-store-elimination",
    class_name: "DeadStoreElimination",
    summary: "Removes stores that nothing reads.",
    gates: Gates::OPEN,
    runner: Runner::Module(eliminate),
});

/// So many instructions of a function are looked at.
const BUDGET: usize = 10_000;
/// A round may be followed by so many others.
const MOST_ROUNDS: usize = 50;

/// Removes the dead stores of all functions.
pub(in crate::transform) fn eliminate(environment: ModuleEnvironment<'_>) -> Rewrites {
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

/// The body with fewer dead stores; none where there are none.
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

/// Removes a store. Debuggers are shown what it stored to a variable.
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

/// What becomes of what a store writes.
enum Fate {
    /// Something may read it.
    Alive,
    /// Nothing reads it.
    Dead,
    /// Something may read it, but this part of it may be overwritten before.
    DeadInPart(AccessPath),
}

/// What instructions mean for a search.
enum Meaning {
    Read,
    Overwritten,
    Transparent,
}

/// A search for what reads or overwrites a part of what a store writes.
struct Search<'s, 'v, 'm> {
    view: &'v BodyView<'m>,
    aliases: &'s AliasAnalysis<'v, 'm>,
    budget: &'s mut usize,
    store: InstructionId,
    path: AccessPath,
    /// A part that was seen to be overwritten.
    part: Option<AccessPath>,
}

impl Search<'_, '_, '_> {
    fn run(mut self) -> Fate {
        let body = self.view.body;
        let block = body.instructions[self.store].block;
        let behind: Vec<InstructionId> =
            body.instructions_in(block).skip_while(|id| *id != self.store).skip(1).collect();
        match self.scan(behind) {
            Meaning::Overwritten => return Fate::Dead,
            Meaning::Read => return self.alive(),
            Meaning::Transparent => {}
        }
        // The object that is stored to is another one each time that the block where it comes from runs.
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
                // A store writes, and `assign` may run code that reads.
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

    /// Whether an object is freed in which the memory lies.
    fn is_freed(&self, id: InstructionId) -> bool {
        let freed = reference_root(self.view, self.view.body.operands(id)[0]);
        let accessed: Option<Value> = self.path.base.reference(self.view);
        accessed.is_some_and(|reference| reference_root(self.view, reference) == freed)
    }
}

/// Whether a store can be divided until a part at this path is stored by itself.
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

//! Searches backward from a load, on all paths, for stores and loads of the same memory, up to instructions that
//! provide the value or may change it.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{
    AccessPath, AliasAnalysis, AnalyzedModule, BodyView, DeadEndBlocks, Projection, ProjectionPath, reference_root,
};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CopyAddr, Store, Unary};
use sil_ir::model::{BlockId, Definition, FunctionFlag, InstructionId, Value};

use super::{source, taken};

/// An instruction that makes the value available, and the location within its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Available {
    /// A `load`, `store` or `copy_addr`.
    pub(super) instruction: InstructionId,
    /// The projection path from the instruction's value.
    pub(super) path: ProjectionPath,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The value is available on all paths.
    Values(Vec<Available>),
    /// A part of the value is available on all paths.
    Part,
}

/// The effect of an instruction or a block on the search.
enum Meaning {
    /// The value is available after it.
    Available,
    /// The value may be different before it.
    Overwritten,
    /// No effect.
    Transparent,
}

/// The search in one body.
pub(super) struct Search<'v, 'm> {
    view: &'v BodyView<'m>,
    aliases: AliasAnalysis<'v, 'm>,
    dead_ends: DeadEndBlocks,
    /// The access paths of addresses, cached.
    paths: std::cell::RefCell<FxHashMap<Value, AccessPath>>,
}

impl<'v, 'm> Search<'v, 'm> {
    pub(super) fn new(analyzed: &'v AnalyzedModule<'m>, view: &'v BodyView<'m>) -> Self {
        Self {
            view,
            aliases: AliasAnalysis::new(analyzed, view),
            dead_ends: DeadEndBlocks::new(view.body, &view.cfg),
            paths: Default::default(),
        }
    }

    pub(super) fn view(&self) -> &'v BodyView<'m> {
        self.view
    }

    /// Searches the value that `load` reads.
    pub(super) fn of(&self, load: InstructionId, budget: &mut usize) -> Option<Found> {
        let path = self.path(source(self.view.body, load));
        let mut way = Path::new(self, load, path);
        if let Some(values) = way.values(budget) {
            return Some(Found::Values(values));
        }
        let part = way.part?;
        Path::new(self, load, part).values(budget).map(|_| Found::Part)
    }

    fn path(&self, address: Value) -> AccessPath {
        *self.paths.borrow_mut().entry(address).or_insert_with(|| AccessPath::constant(self.view, address))
    }

    /// The projection path from one access to the other, if it consists of struct and tuple projections only.
    fn projection(&self, from: AccessPath, to: AccessPath) -> Option<ProjectionPath> {
        let found = from.projection_to(self.view, to)?;
        let mut rest = found;
        while let Some(step) = rest.first() {
            if !matches!(step, Projection::Struct(_) | Projection::Tuple(_)) {
                return None;
            }
            rest = rest.rest();
        }
        Some(found)
    }

    fn is_loadable_copy(&self, id: InstructionId) -> bool {
        let BodyView { body, function, queries, .. } = self.view;
        let Some(CopyAddr { source, .. }) = CopyAddr::get(body, id) else { return false };
        let properties = queries.properties(body.ty(source).ty, function.signature);
        let attributes = body.instructions[id].attributes;
        let moves = attributes.contains(Attribute::Take) && attributes.contains(Attribute::Init);
        body.instructions[id].opcode == Opcode::CopyAddr
            && !properties.is_address_only()
            && !properties.is_guessed()
            && (function.has(FunctionFlag::Ossa) || moves)
    }
}

/// The search for one load.
struct Path<'s, 'v, 'm> {
    search: &'s Search<'v, 'm>,
    load: InstructionId,
    address: Value,
    path: AccessPath,
    takes: bool,
    /// The block that defines the accessed object. In a loop around it, the object is a different one in each
    /// iteration.
    origin: Option<BlockId>,
    found: Vec<Available>,
    /// A part with an available value.
    part: Option<AccessPath>,
}

impl<'s, 'v, 'm> Path<'s, 'v, 'm> {
    fn new(search: &'s Search<'v, 'm>, load: InstructionId, path: AccessPath) -> Self {
        let view = search.view;
        let reference = path.base.reference(view).map(|reference| reference_root(view, reference));
        let origin = reference.and_then(|reference| view.body.defining_block(reference));
        let (address, takes) = (source(view.body, load), taken(view, load));
        Self { search, load, address, path, takes, origin, found: Vec::new(), part: None }
    }

    /// The available values on all paths, or `None` if the value may be unknown on one.
    fn values(&mut self, budget: &mut usize) -> Option<Vec<Available>> {
        let body = self.search.view.body;
        let block = body.instructions[self.load].block;
        let before: Vec<InstructionId> =
            body.instructions_in(block).take_while(|id| *id != self.load).collect::<Vec<_>>();
        match self.scan(block, before.into_iter().rev(), budget) {
            Meaning::Available => Some(std::mem::take(&mut self.found)),
            Meaning::Overwritten => None,
            Meaning::Transparent => self.values_of_predecessors(block, budget),
        }
    }

    fn values_of_predecessors(&mut self, block: BlockId, budget: &mut usize) -> Option<Vec<Available>> {
        let view = self.search.view;
        let (mut seen, mut begins) = (FxHashSet::default(), FxHashSet::default());
        let mut order = Vec::new();
        let mut open = view.cfg.predecessors(block).to_vec();
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            order.push(next);
            let instructions: Vec<InstructionId> = view.body.instructions_in(next).collect();
            match self.scan(next, instructions.into_iter().rev(), budget) {
                Meaning::Available => {
                    begins.insert(next);
                }
                Meaning::Overwritten => return None,
                Meaning::Transparent => open.extend(view.cfg.predecessors(next)),
            }
        }
        let leaves = |from: &BlockId| {
            let targets = view.body.terminator(*from).map(|end| view.body.targets(end)).unwrap_or_default();
            targets.iter().any(|target| {
                *target != block
                    && (!seen.contains(target) || begins.contains(target))
                    && !self.search.dead_ends.contains(*target)
            })
        };
        // A copy that is created for the load must be consumed on each path.
        let has_ownership = view.function.has(FunctionFlag::Ossa) && !self.is_trivial();
        if has_ownership && (order.iter().any(leaves) || self.search.dead_ends.contains(block)) {
            return None;
        }
        (!self.found.is_empty()).then(|| std::mem::take(&mut self.found))
    }

    fn is_trivial(&self) -> bool {
        let BodyView { body, queries, function, .. } = self.search.view;
        queries.properties(body.ty(self.address).ty, function.signature).is_trivial()
    }

    fn scan(
        &mut self,
        block: BlockId,
        instructions: impl Iterator<Item = InstructionId>,
        budget: &mut usize,
    ) -> Meaning {
        for id in instructions {
            *budget = budget.saturating_sub(1);
            if *budget == 0 {
                // Each search visits at least some instructions, whatever the remaining budget.
                *budget = 20;
                return Meaning::Overwritten;
            }
            match self.meaning(id) {
                Meaning::Transparent => {}
                meaning => return meaning,
            }
        }
        if self.origin == Some(block) || self.search.view.cfg.predecessors(block).is_empty() {
            return Meaning::Overwritten;
        }
        Meaning::Transparent
    }

    fn meaning(&mut self, id: InstructionId) -> Meaning {
        let body = self.search.view.body;
        match body.instructions[id].opcode {
            Opcode::FixLifetime | Opcode::BeginAccess | Opcode::EndAccess | Opcode::EndBorrow if !self.takes => {
                return Meaning::Transparent;
            }
            Opcode::Load => {
                if id == self.load {
                    return Meaning::Available;
                }
                if self.is_available(id, Unary::of(body, id).operand) {
                    return Meaning::Available;
                }
                if !self.takes {
                    return Meaning::Transparent;
                }
            }
            Opcode::Store => {
                let Store { source, destination } = Store::of(body, id);
                if body.values[source].definition == Definition::Undef {
                    return Meaning::Overwritten;
                }
                if self.is_available(id, destination) {
                    return Meaning::Available;
                }
            }
            Opcode::CopyAddr
                if self.search.is_loadable_copy(id) && self.is_available(id, CopyAddr::of(body, id).destination) =>
            {
                return Meaning::Available;
            }
            _ => {}
        }
        let aliases = &self.search.aliases;
        let interferes = match self.takes {
            true => aliases.may_read(id, self.address) || aliases.may_write(id, self.address),
            false => aliases.may_write(id, self.address),
        };
        if interferes { Meaning::Overwritten } else { Meaning::Transparent }
    }

    /// Returns whether the loaded value is, or is a part of, the value that an instruction reads or writes at
    /// `address`.
    fn is_available(&mut self, instruction: InstructionId, address: Value) -> bool {
        let path = self.search.path(address);
        if let Some(path) = self.search.projection(path, self.path) {
            self.found.push(Available { instruction, path });
            return true;
        }
        if self.part.is_none() && self.search.projection(self.path, path).is_some() {
            self.part = Some(path);
        }
        false
    }
}

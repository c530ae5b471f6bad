//! The uses of a box: accesses to its contents, captures of its contents by address, and the places where it escapes.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use sil_analysis::captured_arguments::{CapturedArgument, captured_argument};
use sil_analysis::{ApplyKind, ApplySite, ControlFlowGraph, Use, Uses, Worklist};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, InstructionId, Value};
use sil_ir::types::TypeQueries;

use super::Enforcement;

/// The uses of a box.
pub(super) struct BoxUses<'s> {
    body: &'s Body,
    cfg: &'s ControlFlowGraph,
    uses: &'s Uses,
    /// The accesses whose enforcement is not selected yet.
    accesses: Vec<InstructionId>,
    /// The apply sites that capture its contents.
    captures: Vec<(InstructionId, CapturedArgument)>,
    escapes: FxHashSet<InstructionId>,
    /// The blocks in which the box may escape, and the blocks at whose entry it may have escaped.
    escapes_in: SecondaryMap<BlockId, bool>,
    escaped_before: SecondaryMap<BlockId, bool>,
}

impl<'s> BoxUses<'s> {
    /// Finds the uses of the box `allocated`.
    pub(super) fn new(
        body: &'s Body,
        cfg: &'s ControlFlowGraph,
        uses: &'s Uses,
        queries: &TypeQueries<'_>,
        allocated: Value,
    ) -> Self {
        let mut found = Self {
            body,
            cfg,
            uses,
            accesses: Vec::new(),
            captures: Vec::new(),
            escapes: FxHashSet::default(),
            escapes_in: SecondaryMap::new(),
            escaped_before: SecondaryMap::new(),
        };
        for projection in found.collect_uses(allocated) {
            found.collect_projected(queries, projection);
        }
        found.propagate();
        found
    }

    /// Records the places where the box escapes, and returns the addresses of its contents.
    fn collect_uses(&mut self, allocated: Value) -> Vec<Value> {
        let (mut open, mut projections) = (vec![allocated], Vec::new());
        while let Some(value) = open.pop() {
            for Use { user, .. } in self.uses.of(value) {
                match self.body.instructions[*user].opcode {
                    Opcode::BeginBorrow | Opcode::MarkUninitialized => open.extend(self.body.result(*user)),
                    Opcode::ProjectBox => projections.extend(self.body.result(*user)),
                    Opcode::StrongRetain
                    | Opcode::StrongRelease
                    | Opcode::DestroyValue
                    | Opcode::DeallocBox
                    | Opcode::EndBorrow
                    | Opcode::DebugValue => {}
                    _ => {
                        self.escapes.insert(*user);
                        self.escapes_in[self.body.instructions[*user].block] = true;
                    }
                }
            }
        }
        projections
    }

    fn collect_projected(&mut self, queries: &TypeQueries<'_>, projection: Value) {
        let mut open = vec![projection];
        while let Some(address) = open.pop() {
            for Use { user, operand } in self.uses.of(address) {
                let instruction = &self.body.instructions[*user];
                match instruction.opcode {
                    Opcode::MarkUnresolvedNonCopyableValue => open.extend(self.body.result(*user)),
                    Opcode::BeginAccess if instruction.attributes.contains(Attribute::Unknown) => {
                        self.accesses.push(*user);
                    }
                    _ => {
                        let site = ApplySite::new(self.body, *user);
                        let captured = site.and_then(|site| captured_argument(site, queries, *operand as usize));
                        self.captures.extend(captured.map(|captured| (*user, captured)));
                    }
                }
            }
        }
    }

    /// Propagates the escapes of each block to its transitive successors.
    fn propagate(&mut self) {
        let mut open: Vec<BlockId> = self.body.blocks.keys().filter(|block| self.escapes_in[*block]).collect();
        while let Some(block) = open.pop() {
            for successor in successors(self.body, block) {
                if !std::mem::replace(&mut self.escaped_before[*successor], true) {
                    open.push(*successor);
                }
            }
        }
    }

    /// Returns whether the box may have escaped before `point`.
    fn has_escaped_at(&self, point: InstructionId) -> bool {
        let block = self.body.instructions[point].block;
        let is_before = |id: InstructionId| id != point && self.escapes.contains(&id);
        self.escaped_before[block] || (self.escapes_in[block] && self.body.instructions_up_to(point).any(is_before))
    }

    /// Returns the enforcement of each access: dynamic if the box may have escaped before the end of the access.
    pub(super) fn enforcements(&self) -> impl Iterator<Item = (InstructionId, Enforcement)> + '_ {
        self.accesses.iter().map(|access| {
            let is_dynamic = self.escapes_during(*access);
            (*access, if is_dynamic { Enforcement::Dynamic } else { Enforcement::Static })
        })
    }

    fn escapes_during(&self, access: InstructionId) -> bool {
        let begun = self.body.instructions[access].block;
        let ends = self.ends(access);
        if self.escapes.is_empty() {
            return false;
        }
        if ends.iter().any(|end| self.has_escaped_at(*end)) {
            return true;
        }
        let mut across: FxHashSet<BlockId> = FxHashSet::default();
        let ending: Vec<BlockId> = ends.iter().map(|end| self.body.instructions[*end].block).collect();
        let mut open: Vec<BlockId> = ending.iter().copied().filter(|block| *block != begun).collect();
        while let Some(block) = open.pop() {
            for predecessor in self.cfg.predecessors(block) {
                if across.insert(*predecessor) && *predecessor != begun {
                    open.push(*predecessor);
                }
            }
        }
        self.escapes_beyond(&across, &ending)
    }

    /// Returns whether the box may escape on a path that leaves the blocks `across`, which contain an access, without
    /// reaching the end of the access.
    fn escapes_beyond(&self, across: &FxHashSet<BlockId>, ending: &[BlockId]) -> bool {
        let mut seen: FxHashSet<BlockId> = ending.iter().copied().collect();
        let leaves = across.iter().flat_map(|block| successors(self.body, *block));
        let mut open: Vec<BlockId> =
            leaves.copied().filter(|block| !across.contains(block) && seen.insert(*block)).collect();
        while let Some(block) = open.pop() {
            if self.escapes_in[block] || self.escaped_before[block] {
                return true;
            }
            open.extend(successors(self.body, block).iter().filter(|next| seen.insert(**next)));
        }
        false
    }

    fn ends(&self, access: InstructionId) -> Vec<InstructionId> {
        let Some(begun) = self.body.result(access) else { return Vec::new() };
        let users = self.uses.of(begun).iter().map(|found| found.user);
        users.filter(|user| self.body.instructions[*user].opcode == Opcode::EndAccess).collect()
    }

    /// Returns the captures through which the box is accessed after it may have escaped.
    pub(super) fn dynamic_captures(&self) -> impl Iterator<Item = CapturedArgument> + '_ {
        self.captures.iter().filter(|(site, _)| self.is_used_after_escape(*site)).map(|(_, captured)| *captured)
    }

    fn is_used_after_escape(&self, site: InstructionId) -> bool {
        if ApplyKind::of(self.body.instructions[site].opcode).is_some_and(ApplyKind::is_full) {
            return self.has_escaped_at(site);
        }
        let mut open = Worklist::new([site]);
        while let Some(closure) = open.pop() {
            let users = self.body.result(closure).into_iter().flat_map(|value| self.uses.of(value));
            for user in users.map(|found| found.user) {
                let opcode = self.body.instructions[user].opcode;
                if passes_closure_on(opcode) {
                    open.push(user);
                } else if !leaves_closure_alone(opcode) && self.has_escaped_at(user) {
                    return true;
                }
            }
        }
        false
    }
}

fn passes_closure_on(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        ConvertEscapeToNoescape
            | MarkDependence
            | ConvertFunction
            | BeginBorrow
            | CopyValue
            | Enum
            | Struct
            | Tuple
            | PartialApply
    )
}

/// Returns whether the instruction neither calls nor forwards the closure. `dealloc_stack` ends a closure on the stack.
fn leaves_closure_alone(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        StrongRetain
            | StrongRelease
            | DebugValue
            | DestroyValue
            | RetainValue
            | ReleaseValue
            | EndBorrow
            | DeallocStack
    )
}

fn successors(body: &Body, block: BlockId) -> &[BlockId] {
    body.terminator(block).map_or(&[], |terminator| body.targets(terminator))
}

//! Promotes a box that only its function uses to stack memory. The marks of noncopyable values at its uses are replaced
//! by one mark at the allocation, as no other code can consume the value.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use sil_analysis::{Change, ControlFlowGraph, DeadEndBlocks, InstructionEffects, Loops, Uses};
use sil_ir::context::{SignatureId, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{BlockId, Body, FunctionFlag, InstructionId, LocationKind, Module, Place, Replacements, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::editing::debug_values::debug_variable;
use crate::editing::stack_nesting;
use crate::knowledge::captured_boxes::marks_of;
use crate::pass::settings::Lifetimes;
use crate::pass::{Environment, Rewrite};

/// Promotes the boxes of a function.
pub(crate) fn promote(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body: before, analyses, .. } = environment;
    let is_box = |id: &InstructionId| before.instructions[*id].opcode == Opcode::AllocBox;
    if function.has(FunctionFlag::Canonical) {
        return Ok(None);
    }
    let boxes: Vec<InstructionId> = before.placed_instructions().filter(is_box).collect();
    let uses = analyses.uses(before);
    let cfg = analyses.cfg(before);
    let dead_ends = DeadEndBlocks::new(before, cfg);
    let promotable = boxes.into_iter().filter_map(|id| {
        let found = BoxUses::new(queries, before, uses, id)?;
        let releases = found.final_releases(before, cfg);
        // A callee with the address of an unreleased box may use it after the function returns.
        if releases.is_empty() && !dead_ends.contains(before.instructions[id].block) {
            return None;
        }
        // In the pipeline, paths that never leave the function need no release: an earlier pass of Swift's adds one
        // there.
        let is_needed = environment.settings.lifetimes == Lifetimes::Incomplete;
        let is_released = !is_needed || releases.iter().all(Option::is_some);
        is_released.then(|| (found, releases.into_iter().flatten().collect()))
    });
    let promotable: Vec<(BoxUses, Vec<InstructionId>)> = promotable.collect();
    if promotable.is_empty() {
        return Ok(None);
    }
    let mut promotion = Promotion {
        module,
        queries,
        signature: function.signature,
        before,
        uses,
        dead_ends,
        loops: Loops::new(before, cfg),
        body: before.clone(),
        replacements: Replacements::default(),
    };
    for (found, releases) in &promotable {
        promotion.promote(found, releases);
    }
    let Promotion { mut body, replacements, .. } = promotion;
    body.replace_values(&replacements);
    stack_nesting::fix(environment.queries.context, &mut body);
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// The uses of a box that does not escape.
struct BoxUses {
    allocation: InstructionId,
    /// The type of its contents.
    contents: SilType,
    /// The `mark_uninitialized` of the box.
    uninitialized: Option<InstructionId>,
    /// The addresses of its contents.
    projections: Vec<InstructionId>,
    /// The instructions that retain, copy, borrow and release it.
    owners: Vec<InstructionId>,
    /// The instructions that release it.
    releases: Vec<InstructionId>,
    /// The attributes of its borrows that its memory gets.
    attributes: AttributeSet,
}

impl BoxUses {
    /// Collects the uses; `None` if the box may escape.
    fn new(queries: &TypeQueries<'_>, body: &Body, uses: &Uses, allocation: InstructionId) -> Option<Self> {
        let value = body.result(allocation)?;
        let ty = body.ty(value).ty;
        let Type::Box(_) = queries.get(ty) else { return None };
        if queries.box_field_type(ty, 1).is_some() {
            return None;
        }
        let contents = SilType::address(queries.box_field_type(ty, 0)?);
        let mut attributes = AttributeSet::default();
        if body.instructions[allocation].attributes.contains(Attribute::DynamicLifetime) {
            attributes.insert(Attribute::DynamicLifetime);
        }
        let mut found = Self {
            allocation,
            contents,
            uninitialized: None,
            projections: Vec::new(),
            owners: Vec::new(),
            releases: Vec::new(),
            attributes,
        };
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            for user in uses.of(value).iter().map(|found| found.user) {
                found.add(body, user)?;
                if matches!(
                    body.instructions[user].opcode,
                    Opcode::MarkUninitialized | Opcode::CopyValue | Opcode::BeginBorrow
                ) {
                    open.extend(body.result(user));
                }
            }
        }
        Some(found)
    }

    fn add(&mut self, body: &Body, user: InstructionId) -> Option<()> {
        let attributes = body.instructions[user].attributes;
        match body.instructions[user].opcode {
            Opcode::ProjectBox => {
                self.projections.push(user);
                return Some(());
            }
            Opcode::MarkUninitialized if self.uninitialized.is_none() => self.uninitialized = Some(user),
            Opcode::BeginBorrow => {
                for attribute in [Attribute::Lexical, Attribute::VarDecl] {
                    if attributes.contains(attribute) {
                        self.attributes.insert(attribute);
                    }
                }
            }
            Opcode::CopyValue | Opcode::EndBorrow | Opcode::StrongRetain | Opcode::DebugValue => {}
            Opcode::DestroyValue | Opcode::StrongRelease | Opcode::DeallocBox => self.releases.push(user),
            _ => return None,
        }
        self.owners.push(user);
        Some(())
    }

    /// Returns the final releases of the box: the last release of each block after which the box is dead, or `None` for
    /// a block without one.
    fn final_releases(&self, body: &Body, cfg: &ControlFlowGraph) -> Vec<Option<InstructionId>> {
        if let [only] = self.releases[..] {
            return vec![Some(only)];
        }
        let block_of = |id: InstructionId| body.instructions[id].block;
        let defined = block_of(self.allocation);
        let used: BTreeSet<BlockId> = self.owners.iter().map(|id| block_of(*id)).collect();
        let mut live_in: FxHashSet<BlockId> = FxHashSet::default();
        let mut open: Vec<BlockId> = used.iter().copied().collect();
        while let Some(block) = open.pop() {
            if block != defined && live_in.insert(block) {
                open.extend(cfg.predecessors(block));
            }
        }
        let goes_on = |block: &BlockId| {
            let targets = body.terminator(*block).map_or(&[][..], |terminator| body.targets(terminator));
            targets.iter().any(|target| live_in.contains(target))
        };
        let last_release = |block| body.instructions_in(block).rev().find(|id| self.releases.contains(id));
        used.into_iter().filter(|block| !goes_on(block)).map(last_release).collect()
    }
}

struct Promotion<'p> {
    module: &'p Module,
    queries: &'p TypeQueries<'p>,
    signature: Option<SignatureId>,
    before: &'p Body,
    uses: &'p Uses,
    dead_ends: DeadEndBlocks,
    loops: Loops,
    body: Body,
    replacements: Replacements,
}

impl Promotion<'_> {
    /// Promotes a box whose lifetime ends at `releases`.
    fn promote(&mut self, found: &BoxUses, releases: &[InstructionId]) {
        let like = found.allocation;
        let slot = self.allocate(found);
        let mut address = slot;
        if let Some(mark) = found.uninitialized {
            let attributes = self.before.instructions[mark].attributes;
            let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(like), mark);
            address = builder.with(attributes).mark_uninitialized(address);
        }
        let unmarked = address;
        let marks = marks_of(self.before, self.uses, self.addresses(found));
        if !marks.is_empty() {
            let mut attributes = AttributeSet::default();
            attributes.insert(Attribute::ConsumableAndAssignable);
            let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(like), like);
            address = builder.with(attributes).mark_unresolved_non_copyable_value(unmarked);
        }
        for mark in marks {
            let operand = self.before.operands(mark).first().copied();
            if let (Some(result), Some(operand)) = (self.before.result(mark), operand) {
                self.replacements.replace(result, operand);
            }
            self.body.erase(mark);
        }
        for projection in &found.projections {
            let Some(projected) = self.before.result(*projection) else { continue };
            self.keep_debug_values(projected, unmarked);
            self.replacements.replace(projected, address);
            self.body.erase(*projection);
        }
        for release in releases {
            self.release(found, *release, slot, address);
        }
        found.owners.iter().for_each(|id| self.body.erase(*id));
        self.body.erase(found.allocation);
    }

    /// Returns the addresses of the box's contents.
    fn addresses(&self, found: &BoxUses) -> Vec<Value> {
        found.projections.iter().filter_map(|id| self.before.result(*id)).collect()
    }

    /// Allocates the memory in front of the box.
    fn allocate(&mut self, found: &BoxUses) -> Value {
        let contents = found.contents.object_type();
        let mut variable = debug_variable(self.before, found.allocation);
        // The variable keeps its type in the box.
        if let Some(variable) = variable.as_mut().filter(|variable| variable.name.is_some()) {
            variable.ty.get_or_insert(contents);
        }
        let place = Place::Before(found.allocation);
        let mut builder = InstructionBuilder::new(&mut self.body, place, found.allocation);
        builder.with(found.attributes).alloc_stack(contents, variable)
    }

    /// Debug values refer to the unmarked address.
    fn keep_debug_values(&mut self, projected: Value, address: Value) {
        for found in self.uses.of(projected) {
            if self.before.instructions[found.user].opcode == Opcode::DebugValue {
                self.body.operands_mut(found.user)[found.operand as usize] = address;
            }
        }
    }

    /// Destroys the contents of the box and deallocates the memory, at a release of the box.
    fn release(&mut self, found: &BoxUses, release: InstructionId, slot: Value, address: Value) {
        let is_freed = self.before.instructions[release].opcode == Opcode::DeallocBox;
        let block = self.before.instructions[release].block;
        // A dead-end block need not destroy the contents, unless it is in a loop.
        if self.before.instructions[release].attributes.contains(Attribute::DeadEnd) {
            return;
        }
        if !is_freed && self.dead_ends.contains(block) && !self.loops.contain(block) {
            return;
        }
        let is_trivial = self.queries.properties(found.contents.ty, self.signature).is_trivial();
        let destroys = !is_freed && !is_trivial && !self.takes_in_last_copy(release, address);
        let mut builder =
            InstructionBuilder::new(&mut self.body, Place::Before(release), release).written_at(found.allocation);
        builder.set_location_kind(LocationKind::Cleanup);
        if destroys {
            builder.destroy_addr(address);
        }
        builder.dealloc_stack(slot);
    }

    /// Turns the last copy from `address` into a take, if nothing between it and `release` prevents that. The destroy
    /// is then unnecessary. A copy in an access qualifies if it is the only one.
    fn takes_in_last_copy(&mut self, release: InstructionId, address: Value) -> bool {
        let effects = InstructionEffects::new(self.module, self.queries);
        let ahead: Vec<InstructionId> = self.body.instructions_up_to(release).rev().skip(1).collect();
        let (mut access, mut copy_in_access) = (None, None);
        for id in ahead {
            let instruction = &self.body.instructions[id];
            let attributes = instruction.attributes;
            let operand = self.body.operands(id).first().map(|operand| self.replacements.resolve(*operand));
            match instruction.opcode {
                Opcode::CopyAddr if !attributes.contains(Attribute::Take) && operand == Some(address) => {
                    self.body.instructions[id].attributes.insert(Attribute::Take);
                    return true;
                }
                Opcode::CopyAddr if !attributes.contains(Attribute::Take) && operand.is_some() && operand == access => {
                    copy_in_access = Some(id);
                    continue;
                }
                Opcode::BeginAccess
                    if copy_in_access.is_some()
                        && self.body.result(id) == access
                        && !attributes.contains(Attribute::Dynamic) =>
                {
                    let copy = copy_in_access.into_iter();
                    copy.for_each(|copy| self.body.instructions[copy].attributes.insert(Attribute::Take));
                    let attributes = &mut self.body.instructions[id].attributes;
                    for kind in [Attribute::Read, Attribute::Modify, Attribute::Init] {
                        attributes.remove(kind);
                    }
                    attributes.insert(Attribute::Deinit);
                    return true;
                }
                Opcode::DeallocStack | Opcode::EndBorrow => continue,
                Opcode::EndAccess => {
                    let begun = operand.and_then(|begun| self.body.defining(begun));
                    let source = begun.and_then(|begun| self.body.operands(begun).first());
                    if source.is_some_and(|source| self.replacements.resolve(*source) == address) {
                        access = operand;
                        continue;
                    }
                }
                _ => {}
            }
            if effects.may_have_side_effects(&self.body, id) {
                return false;
            }
        }
        false
    }
}

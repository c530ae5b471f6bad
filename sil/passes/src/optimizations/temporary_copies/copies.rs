//! Removes `copy_addr` to a stack variable that is only read: the source is read instead, if it is not modified before
//! the last read.

use rustc_hash::FxHashSet;
use sil_analysis::{AccessKind, AccessPath, ApplySite, Change};
use sil_ir::instructions::{Attribute, Opcode, Position};
use sil_ir::model::views::{CopyAddr, Unary};
use sil_ir::model::{Body, FunctionFlag, InstructionId, Place, Value};

use super::reads::Reads;
use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::knowledge::lifetime_frontier::lifetime_frontier;
use crate::pass::Analyzed;

/// Returns the body without the variable that the copy `id` initialises, or `None` if it is needed. The copy becomes an
/// identity copy of its source.
pub(super) fn without_temporary(analyzed: &Analyzed<'_, '_>, id: InstructionId) -> Option<Body> {
    let body = analyzed.view.body;
    let CopyAddr { source, destination } = CopyAddr::of(body, id);
    let attributes = body.instructions[id].attributes;
    let allocation = body.defining(destination)?;
    let is_variable = body.instructions[allocation].opcode == Opcode::AllocStack && source != destination;
    if !attributes.contains(Attribute::Init) || !is_variable {
        return None;
    }
    let copy = Copy { analyzed, id, allocation, source, temporary: destination };
    if !copy.outlives_variable() {
        return None;
    }
    let reads = copy.reads()?;
    let last = copy.last_read(&reads)?;
    let is_reinitialized = copy.takes()
        && last != id
        && body.instructions[last].opcode != Opcode::DestroyAddr
        && analyzed.aliases.may_write(last, source);
    let has_ownership = analyzed.environment.function.has(FunctionFlag::Ossa);
    if is_reinitialized || !has_ownership && !copy.is_destroyed_everywhere() {
        return None;
    }
    let moved = copy.access_to_extend(last)?;
    copy.replaced(last, moved)
}

/// A copy to a stack variable.
struct Copy<'a, 'v, 'm> {
    analyzed: &'a Analyzed<'v, 'm>,
    id: InstructionId,
    allocation: InstructionId,
    source: Value,
    temporary: Value,
}

impl Copy<'_, '_, '_> {
    fn opcode(&self, id: InstructionId) -> Opcode {
        self.analyzed.view.opcode(id)
    }

    /// Returns whether the copy takes the source. Then the source must be uninitialised after the last read, too.
    fn takes(&self) -> bool {
        self.analyzed.view.body.instructions[self.id].attributes.contains(Attribute::Take)
    }

    /// Returns whether the source lives at least as long as a lexical variable.
    fn outlives_variable(&self) -> bool {
        let view = self.analyzed.view;
        if !view.body.instructions[self.allocation].attributes.contains(Attribute::Lexical) {
            return true;
        }
        let Some(base) = AccessPath::of(view, self.source).base.address() else { return false };
        view.argument_convention(base).is_none_or(|convention| convention.is_guaranteed())
    }

    /// The reads of the variable, or `None` if it has other uses.
    fn reads(&self) -> Option<FxHashSet<InstructionId>> {
        let view = self.analyzed.view;
        let mut reads = Reads::new(view, self.id, self.temporary);
        let mut users = FxHashSet::default();
        for found in view.uses.of(self.temporary).iter().copied() {
            users.insert(found.user);
            let is_read = match self.opcode(found.user) {
                _ if found.user == self.id => true,
                Opcode::DeallocStack => true,
                // Without ownership, the end of the variable is the only sign of the end of the value.
                Opcode::DestroyAddr if self.takes() && !view.function.has(FunctionFlag::Ossa) => reads.add(found.user),
                Opcode::DestroyAddr => true,
                _ => reads.collect(found),
            };
            if !is_read {
                return None;
            }
        }
        let block = view.body.instructions[self.id].block;
        let before = view.body.instructions_in(block).take_while(|id| *id != self.id);
        (!before.into_iter().any(|id| users.contains(&id))).then_some(reads.found)
    }

    /// The last read, or the copy if there are none. `None` if the source may be modified before.
    fn last_read(&self, reads: &FxHashSet<InstructionId>) -> Option<InstructionId> {
        let Analyzed { view, aliases, .. } = self.analyzed;
        let mut left = reads.len();
        if left == 0 {
            return Some(self.id);
        }
        for id in view.body.instructions_from(self.id).skip(1) {
            left -= usize::from(reads.contains(&id));
            let writes = || aliases.may_write(id, self.source);
            if left == 0 {
                // A call may write before it reads. Other instructions read first.
                let is_call = ApplySite::new(view.body, id).is_some_and(|site| site.kind.is_full());
                let runs_code = is_call || self.opcode(id) == Opcode::Yield;
                return (!runs_code || !writes()).then_some(id);
            }
            if writes() {
                return None;
            }
        }
        None
    }

    /// Returns whether the variable is destroyed as a whole on all paths.
    fn is_destroyed_everywhere(&self) -> bool {
        let view = self.analyzed.view;
        let is_use = |id: &InstructionId| *id != self.id && self.opcode(*id) != Opcode::DeallocStack;
        let users: Vec<InstructionId> =
            view.uses.of(self.temporary).iter().map(|found| found.user).filter(is_use).collect();
        let ends = |place: &Place| match place {
            Place::After(last) => match self.opcode(*last) {
                Opcode::DestroyAddr => true,
                Opcode::CopyAddr => view.body.instructions[*last].attributes.contains(Attribute::Take),
                _ => false,
            },
            Place::Before(_) | Place::Start(_) | Place::End(_) => false,
        };
        lifetime_frontier(view.body, self.id, &users).is_some_and(|places| places.iter().all(ends))
    }

    /// The `end_access` that must be moved after the last read, if there is one. `None` if it cannot be moved.
    fn access_to_extend(&self, last: InstructionId) -> Option<Option<InstructionId>> {
        let Analyzed { view, aliases, .. } = self.analyzed;
        let body = view.body;
        let mut moved: Option<InstructionId> = None;
        let end = body.next(last);
        for id in body.instructions_from(self.id).take_while(|id| Some(*id) != end).skip(1) {
            if self.opcode(id) == Opcode::EndAccess {
                if moved.is_some() {
                    return None;
                }
                let access = Unary::of(body, id).operand;
                let begin = body.defining(access)?;
                let accessed = body.operands(begin).first().copied()?;
                if AccessKind::of(body, begin) == AccessKind::Read && aliases.may_alias(self.source, accessed) {
                    if self.is_terminator(last) {
                        return None;
                    }
                    moved = Some(id);
                }
            } else if let Some(end) = moved {
                let begins = matches!(self.opcode(id), Opcode::BeginAccess | Opcode::BeginUnpairedAccess);
                let accessed = body.defining(Unary::of(body, end).operand)?;
                if begins || aliases.may_write(id, body.operands(accessed).first().copied()?) {
                    return None;
                }
            }
        }
        Some(moved)
    }

    fn is_terminator(&self, id: InstructionId) -> bool {
        self.opcode(id).information().position == Position::Terminator
    }

    /// Returns whether the last read consumes the value that the copy takes.
    fn ends_in(&self, last: InstructionId) -> bool {
        let body = self.analyzed.view.body;
        let reads_whole = body.operands(last).first() == Some(&self.temporary);
        let takes = body.instructions[last].attributes.contains(Attribute::Take);
        last != self.id && matches!(self.opcode(last), Opcode::CopyAddr | Opcode::Load) && reads_whole && takes
    }

    /// The places after the last read. `None` if they have other predecessors.
    fn places_after(&self, last: InstructionId) -> Option<Vec<Place>> {
        let Analyzed { view, .. } = self.analyzed;
        if !self.is_terminator(last) {
            return Some(vec![Place::After(last)]);
        }
        let targets = view.body.targets(last).iter();
        targets.map(|target| view.cfg.single_predecessor(*target).map(|_| Place::Start(*target))).collect()
    }

    /// Returns the body with the source read instead.
    fn replaced(&self, last: InstructionId, moved: Option<InstructionId>) -> Option<Body> {
        let places = match self.takes() && !self.ends_in(last) {
            true => self.places_after(last)?,
            false => Vec::new(),
        };
        let mut editor = Editor::new(self.analyzed.environment);
        for place in places {
            editor.edit_whole(Change::Instructions, |body| destroy(body, place, last, self.source));
        }
        if let Some(end) = moved {
            editor.edit_whole(Change::Instructions, |body| body.move_to(end, Place::After(last)));
        }
        for found in editor.uses(self.temporary) {
            match editor.opcode(found.user) {
                Opcode::DestroyAddr | Opcode::DeallocStack => {
                    editor.erase(found.user);
                    continue;
                }
                Opcode::CopyAddr | Opcode::Load if found.user != self.id && !(self.takes() && found.user == last) => {
                    self.copy_instead(&mut editor, found.user);
                }
                _ => {}
            }
            editor.set_operand(found, self.source);
        }
        editor.erase(self.allocation);
        Some(editor.into_body())
    }

    /// Changes an instruction that takes the variable to copy the source.
    fn copy_instead(&self, editor: &mut Editor<'_>, id: InstructionId) {
        if !editor.body().instructions[id].attributes.contains(Attribute::Take) {
            return;
        }
        let is_load = editor.opcode(id) == Opcode::Load;
        editor.edit_attributes(id, |attributes| {
            attributes.remove(Attribute::Take);
            if is_load {
                attributes.insert(Attribute::Copy);
            }
        });
    }
}

/// Destroys the value at `address`, with the location of the next instruction.
fn destroy(body: &mut Body, place: Place, last: InstructionId, address: Value) {
    let like = body.instructions_after(place).next().unwrap_or(last);
    InstructionBuilder::new(body, place, like).destroy_addr(address);
}

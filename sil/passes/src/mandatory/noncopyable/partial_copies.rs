//! Copies of borrowed marked memory, or of parts of it: each is loaded from the memory directly, so that consuming it
//! consumes only that part of the memory (lib/SILOptimizer/Mandatory/MoveOnlyBorrowToDestructureUtils.cpp).

use sil_analysis::Uses;
use sil_ir::context::SignatureId;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{StructExtract, TupleExtract, Unary};
use sil_ir::model::{Body, InstructionId, Place, Replacements, Value};
use sil_ir::types::{Copyability, TypeQueries};

use crate::InstructionBuilder;
use crate::knowledge::elements::{Step, project};

/// Replaces copies of borrowed noncopyable values by loads from the memory, whose mark `mark_of` finds. Other uses of
/// parts of such a borrowed value get borrows of those parts.
pub(super) fn load(
    queries: &TypeQueries<'_>,
    signature: Option<SignatureId>,
    body: &mut Body,
    mark_of: impl Fn(&Body, Value) -> Option<InstructionId>,
) {
    let uses = Uses::new(body);
    let marked_borrow = |id: InstructionId| {
        let is_borrow = body.instructions[id].opcode == Opcode::LoadBorrow;
        let mark = is_borrow.then(|| mark_of(body, Unary::of(body, id).operand)).flatten()?;
        let mut parts =
            Parts { queries, signature, body, uses: &uses, borrow: id, copies: Vec::new(), borrowed: Vec::new() };
        parts.collect();
        Some((mark, Split { queries, signature, uses: &uses, borrow: id }, parts.copies, parts.borrowed))
    };
    let borrows: Vec<_> = body.placed_instructions().filter_map(marked_borrow).collect();
    let is_partly_copied = |(_, _, copies, _): &&(_, _, Vec<Part>, _)| copies.iter().any(|copy| !copy.path.is_empty());
    let partly_copied: Vec<InstructionId> = borrows.iter().filter(is_partly_copied).map(|(mark, ..)| *mark).collect();
    for (mark, split, copies, borrowed) in borrows {
        if copies.is_empty() && !partly_copied.contains(&mark) {
            continue;
        }
        let mut replacements = Replacements::default();
        copies.iter().for_each(|copy| split.load_copy(body, copy, &mut replacements));
        if !borrowed.iter().any(|part| part.path.is_empty()) {
            borrowed.iter().for_each(|part| split.borrow_part(body, part, &mut replacements));
            split.erase(body);
        }
        body.replace_values(&replacements);
    }
}

/// A use of a borrowed value or of a part of it.
struct Part {
    path: Vec<Step>,
    instruction: InstructionId,
}

/// The uses of a borrowed value and its parts.
struct Parts<'p> {
    queries: &'p TypeQueries<'p>,
    signature: Option<SignatureId>,
    body: &'p Body,
    uses: &'p Uses,
    borrow: InstructionId,
    /// The copies of noncopyable values.
    copies: Vec<Part>,
    /// The definitions of the parts with other uses.
    borrowed: Vec<Part>,
}

impl Parts<'_> {
    fn collect(&mut self) {
        let mut open = vec![Part { path: Vec::new(), instruction: self.borrow }];
        while let Some(Part { path, instruction }) = open.pop() {
            let Some(value) = self.body.result(instruction) else { continue };
            let mut is_borrowed = false;
            for user in self.uses.of(value).iter().map(|found| found.user) {
                let extended = |step| path.iter().copied().chain([step]).collect();
                match self.body.instructions[user].opcode {
                    Opcode::StructExtract => {
                        let step = Step::Property(StructExtract::of(self.body, user).field);
                        open.push(Part { path: extended(step), instruction: user });
                    }
                    Opcode::TupleExtract => {
                        let step = Step::Tuple(TupleExtract::of(self.body, user).index);
                        open.push(Part { path: extended(step), instruction: user });
                    }
                    Opcode::CopyValue if self.is_noncopyable(value) => {
                        self.copies.push(Part { path: path.clone(), instruction: user });
                    }
                    Opcode::EndBorrow | Opcode::DebugValue => {}
                    _ => is_borrowed = true,
                }
            }
            if is_borrowed {
                self.borrowed.push(Part { path, instruction });
            }
        }
    }

    fn is_noncopyable(&self, value: Value) -> bool {
        let properties = self.queries.properties(self.body.ty(value).ty, self.signature);
        properties.copyability == Copyability::Noncopyable
    }
}

/// A borrow that is split into parts.
struct Split<'s> {
    queries: &'s TypeQueries<'s>,
    signature: Option<SignatureId>,
    uses: &'s Uses,
    borrow: InstructionId,
}

impl Split<'_> {
    /// Projects the address of a part at `place`.
    fn address(&self, body: &mut Body, place: Place, path: &[Step]) -> Option<Value> {
        let address = Unary::of(body, self.borrow).operand;
        let ty = body.ty(address);
        project(self.queries, &mut InstructionBuilder::new(body, place, self.borrow), address, ty, path)
    }

    fn load_copy(&self, body: &mut Body, part: &Part, replacements: &mut Replacements) {
        let place = Place::Before(part.instruction);
        let (Some(address), Some(copy)) = (self.address(body, place, &part.path), body.result(part.instruction)) else {
            return;
        };
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Copy);
        let mut builder = InstructionBuilder::new(body, place, part.instruction);
        replacements.replace(copy, builder.with(attributes).load(address));
        body.erase(part.instruction);
    }

    /// Borrows a part for the extent of the whole borrow; a trivial part is loaded.
    fn borrow_part(&self, body: &mut Body, part: &Part, replacements: &mut Replacements) {
        let place = Place::Before(self.borrow);
        let (Some(address), Some(value)) = (self.address(body, place, &part.path), body.result(part.instruction))
        else {
            return;
        };
        let ty = body.ty(value);
        let mut builder = InstructionBuilder::new(body, place, self.borrow);
        if self.queries.properties(ty.ty, self.signature).is_trivial() {
            let mut attributes = AttributeSet::default();
            attributes.insert(Attribute::Trivial);
            let loaded = builder.with(attributes).load(address);
            return replacements.replace(value, loaded);
        }
        let borrowed = builder.load_borrow(address);
        replacements.replace(value, borrowed);
        for end in self.ends(body) {
            InstructionBuilder::new(body, Place::Before(end), end).end_borrow(borrowed);
        }
    }

    fn ends(&self, body: &Body) -> Vec<InstructionId> {
        let uses = body.result(self.borrow).into_iter().flat_map(|value| self.uses.of(value));
        uses.map(|found| found.user).filter(|id| body.instructions[*id].opcode == Opcode::EndBorrow).collect()
    }

    /// Erases the borrow of the whole and its projections.
    fn erase(&self, body: &mut Body) {
        let mut open = vec![self.borrow];
        while let Some(id) = open.pop() {
            let users: Vec<InstructionId> =
                body.result(id).into_iter().flat_map(|value| self.uses.of(value)).map(|found| found.user).collect();
            for user in users {
                match body.instructions[user].opcode {
                    Opcode::StructExtract | Opcode::TupleExtract => open.push(user),
                    Opcode::EndBorrow | Opcode::DebugValue => body.erase(user),
                    _ => {}
                }
            }
            body.erase(id);
        }
    }
}

//! `load_borrow`: while a value that was loaded without a copy is borrowed, nothing may write to the memory it came
//! from.

use sil_analysis::{ApplySite, OperandOwnership, Use};
use sil_ir::context::ParameterConvention;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, Details, InstructionId, Value};
use sil_ir::types::{ArgumentConvention, ArgumentRole};

use super::{Analyses, OwnershipVerifier};
use crate::failures::{BrokenRule, Complaint};

/// An address as the memory it is in and the way to its part.
struct Place {
    root: Value,
    path: Vec<u32>,
}

impl OwnershipVerifier<'_, '_> {
    /// Checks the scope of a `load_borrow`.
    pub(super) fn verify_load_borrow(&mut self, id: InstructionId) {
        let analyses = self.analyses;
        let Unary { operand: address } = Unary::of(analyses.body, id);
        if analyses.body.instructions[id].attributes.contains(Attribute::Unchecked) {
            return;
        }
        let place = self.place(address);
        let mut writes = Vec::new();
        self.collect_writes(place.root, &mut Vec::new(), &place.path, &mut writes);
        if writes.is_empty() {
            return;
        }
        let mut ends = Vec::new();
        for value in analyses.body.results(id) {
            borrow_ends(analyses, value, &mut ends, &mut Vec::new());
        }
        if let Some(write) = self.reached_in_scope(id, &ends, &writes) {
            let name = analyses.opcode(write).name();
            let message = format!("`{name}` writes to memory that a `load_borrow` still borrows");
            let span = analyses.body.instructions[write].span;
            let borrow = Some(analyses.body.instructions[id].span);
            let diagnostic = Diagnostic::error("borrowed-memory-write", message, span);
            let complaint = Complaint::Rule { broken: BrokenRule::BorrowedMemoryWrite, at: write };
            self.verifier.report_as(complaint, diagnostic.note("it is borrowed here", borrow));
        }
    }

    /// The memory and the part of it, within the access around the address: the effects of other accesses are a matter
    /// of exclusivity, and a finding about the Swift program
    /// (SwiftCompilerSources/Sources/Optimizer/Utilities/Verifier.swift, `LoadBorrowInst`).
    fn place(&self, mut address: Value) -> Place {
        let body = self.analyses.body;
        let mut path = Vec::new();
        while let Some(id) = body.defining(address).filter(|id| self.analyses.opcode(*id) != Opcode::BeginAccess) {
            let Some(base) = body.operands(id).first() else { break };
            match self.step(id) {
                Step::Field(field) => path.push(field),
                Step::Same => {}
                Step::Other => break,
            }
            address = *base;
        }
        path.reverse();
        Place { root: address, path }
    }

    fn step(&self, id: InstructionId) -> Step {
        let instruction = &self.analyses.body.instructions[id];
        match (instruction.opcode, &instruction.details) {
            (Opcode::TupleElementAddr, Details::Index(index)) => Step::Field(*index),
            (Opcode::StructElementAddr, Details::Member(member)) => {
                match self.verifier.module.context.get_member(*member).target {
                    sil_ir::context::MemberTarget::Stored(index) => Step::Field(index),
                    _ => Step::Same,
                }
            }
            (
                Opcode::BeginAccess
                | Opcode::MarkDependence
                | Opcode::UncheckedAddrCast
                | Opcode::InitEnumDataAddr
                | Opcode::UncheckedTakeEnumDataAddr
                | Opcode::OpenExistentialAddr,
                _,
            ) => Step::Same,
            _ => Step::Other,
        }
    }

    /// Adds the instructions that write to the memory at `address`, if that overlaps with the part at `path`.
    fn collect_writes(&self, address: Value, here: &mut Vec<u32>, path: &[u32], into: &mut Vec<InstructionId>) {
        let analyses = self.analyses;
        let common = here.len().min(path.len());
        if here[..common] != path[..common] {
            return;
        }
        for found in analyses.uses.of(address) {
            let result = analyses.body.results(found.user).next().filter(|value| analyses.body.ty(*value).is_address());
            match (self.step(found.user), result) {
                (Step::Field(field), Some(result)) if found.operand == 0 => {
                    here.push(field);
                    self.collect_writes(result, here, path, into);
                    here.pop();
                }
                (Step::Same, Some(result)) if found.operand == 0 => self.collect_writes(result, here, path, into),
                _ if self.writes(*found) => into.push(found.user),
                _ => {}
            }
        }
    }

    fn writes(&self, found: Use) -> bool {
        let instruction = &self.analyses.body.instructions[found.user];
        match instruction.opcode {
            Opcode::Store | Opcode::Assign => found.operand == 1,
            Opcode::CopyAddr => found.operand == 1 || instruction.attributes.contains(Attribute::Take),
            Opcode::Load => instruction.attributes.contains(Attribute::Take),
            Opcode::DestroyAddr | Opcode::InjectEnumAddr | Opcode::UnconditionalCheckedCastAddr | Opcode::IsUnique => {
                true
            }
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => self.argument_is_written(found),
            Opcode::PartialApply => {
                !instruction.attributes.contains(Attribute::OnStack) && self.capture_is_consumed(found)
            }
            _ => false,
        }
    }

    fn argument_is_written(&self, found: Use) -> bool {
        use ParameterConvention::*;
        let body = self.analyses.body;
        let Details::Apply(apply) = &body.instructions[found.user].details else { return false };
        let Some(callee) = body.operands(found.user).first() else { return false };
        let conventions = self.verifier.queries.applied_conventions(body.ty(*callee).ty, apply.substitutions);
        let Some((conventions, index)) = conventions.zip((found.operand as usize).checked_sub(1)) else { return false };
        match conventions.arguments().nth(index).map(|argument| argument.role) {
            Some(ArgumentRole::Parameter(parameter)) => {
                matches!(
                    conventions.function.parameters[parameter as usize].convention,
                    In | InConstant | InCxx | InOut
                )
            }
            Some(ArgumentRole::IndirectResult(_) | ArgumentRole::IndirectError) => true,
            None => false,
        }
    }

    /// Whether a closure on the heap takes a capture by its address.
    fn capture_is_consumed(&self, found: Use) -> bool {
        let site = ApplySite::new(self.analyses.body, found.user);
        let argument = site.zip(site.and_then(|site| site.conventions(self.verifier.queries)));
        let argument =
            argument.and_then(|(site, conventions)| site.argument_of_operand(conventions, found.operand as usize));
        matches!(
            argument.map(|argument| argument.convention),
            Some(ArgumentConvention::Parameter(
                ParameterConvention::In
                    | ParameterConvention::InConstant
                    | ParameterConvention::InCxx
                    | ParameterConvention::InGuaranteed
            ))
        )
    }

    /// The first write that a path from `begin` reaches before the scope ends.
    fn reached_in_scope(&self, begin: InstructionId, ends: &[Use], writes: &[InstructionId]) -> Option<InstructionId> {
        let body = self.analyses.body;
        let mut open = vec![body.instructions_from(begin)];
        open[0].next();
        let mut seen: Vec<BlockId> = Vec::new();
        'blocks: while let Some(instructions) = open.pop() {
            let mut terminator = begin;
            for id in instructions {
                if ends.iter().any(|end| end.user == id) {
                    continue 'blocks;
                }
                if writes.contains(&id) {
                    return Some(id);
                }
                terminator = id;
            }
            for target in body.targets(terminator) {
                if !seen.contains(target) {
                    seen.push(*target);
                    open.push(body.instructions_in(*target));
                }
            }
        }
        None
    }
}

/// How an address follows from another.
enum Step {
    /// To a field.
    Field(u32),
    /// To the same memory, or a part of it that is not distinguished.
    Same,
    /// In no way that is followed.
    Other,
}

/// Adds the `end_borrow`s of a borrow scope, through block arguments that it is passed on to.
fn borrow_ends(analyses: &Analyses<'_>, value: Value, into: &mut Vec<Use>, seen: &mut Vec<Value>) {
    if seen.contains(&value) {
        return;
    }
    seen.push(value);
    for found in analyses.uses.of(value) {
        match (analyses.kinds.operand(*found), analyses.opcode(found.user)) {
            (OperandOwnership::EndBorrow, _) => into.push(*found),
            (OperandOwnership::Reborrow, _) => {
                let target = analyses.body.targets(found.user).first().map(|block| &analyses.body.blocks[*block]);
                if let Some(phi) = target.and_then(|block| block.arguments.get(found.operand as usize)) {
                    borrow_ends(analyses, *phi, into, seen);
                }
            }
            (_, Opcode::Borrowed) if found.operand == 0 => {
                for value in analyses.body.results(found.user) {
                    borrow_ends(analyses, value, into, seen);
                }
            }
            _ => {}
        }
    }
}

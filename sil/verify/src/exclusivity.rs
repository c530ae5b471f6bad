//! Static exclusivity: while a variable is modified, nothing else may access it (docs/OwnershipManifesto.md, "The Law
//! of Exclusivity"). Swift's diagnostic passes refuse these accesses.

use rustc_hash::FxHashMap;
use sil_analysis::Uses;
use sil_ir::context::{MemberId, Name};
use sil_ir::diagnostic::{Diagnostic, Level};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views;
use sil_ir::model::{BlockId, Definition, Details, InstructionId, Value};

use super::checker::FunctionVerifier;

/// A variable that formal accesses are made to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    /// Memory that a value names: an argument, stack memory, the content of a box.
    Address(Value),
    Global(Name),
}

/// A way into a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Field(MemberId),
    Element(u32),
}

struct Access {
    storage: Storage,
    path: Vec<Step>,
    modifies: bool,
    /// The accesses that it is made through.
    outer: Vec<InstructionId>,
}

/// A variable, the way into it, and the accesses on the way.
type Place = (Storage, Vec<Step>, Vec<InstructionId>);

/// Checks the accesses of a function.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    let body = verifier.body;
    let begins = body.instructions.keys().filter(|id| body.instructions[*id].opcode == Opcode::BeginAccess);
    let begins: Vec<InstructionId> = begins.collect();
    let modifies = |id: &InstructionId| body.instructions[*id].attributes.contains(Attribute::Modify);
    if begins.len() < 2 || !begins.iter().any(modifies) {
        return;
    }
    let uses = Uses::new(body);
    let accesses: FxHashMap<InstructionId, Access> =
        begins.iter().filter_map(|id| Some((*id, access(verifier, &uses, *id)?))).collect();
    for (access, earlier) in conflicts(verifier, &accesses) {
        let message = "this access overlaps with another one to the same variable, and one of them modifies it";
        let span = body.instructions[access].span;
        let diagnostic = Diagnostic::error("overlapping-access", message, span).at_level(Level::Warning);
        let begun = Some(body.instructions[earlier].span);
        verifier.report(diagnostic.note("the other access begins here, and has not ended", begun));
    }
}

/// The accesses that begin while one that they conflict with is open, with that one.
fn conflicts(
    verifier: &FunctionVerifier<'_>,
    accesses: &FxHashMap<InstructionId, Access>,
) -> Vec<(InstructionId, InstructionId)> {
    let body = verifier.body;
    let mut found = Vec::new();
    // Scopes agree where paths meet, so each block is entered with the scopes of its first path.
    let mut seen = vec![body.entry()];
    let mut open: Vec<(BlockId, Vec<InstructionId>)> = vec![(body.entry(), Vec::new())];
    while let Some((block, mut active)) = open.pop() {
        for id in body.instructions_in(block) {
            match body.instructions[id].opcode {
                Opcode::BeginAccess => {
                    let Some(access) = accesses.get(&id) else { continue };
                    let mut others = active.iter().filter(|earlier| !access.outer.contains(earlier));
                    let earlier = others.find(|earlier| conflict(&accesses[*earlier], access));
                    found.extend(earlier.map(|earlier| (id, *earlier)));
                    active.push(id);
                }
                Opcode::EndAccess => {
                    let ended = body.defining(views::Unary::of(body, id).operand);
                    active.retain(|access| Some(*access) != ended);
                }
                _ => {}
            }
        }
        for target in body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator)) {
            if !seen.contains(target) {
                seen.push(*target);
                open.push((*target, active.clone()));
            }
        }
    }
    found
}

fn conflict(first: &Access, second: &Access) -> bool {
    let common = first.path.len().min(second.path.len());
    first.storage == second.storage
        && (first.modifies || second.modifies)
        && first.path[..common] == second.path[..common]
}

/// The access of a `begin_access`; none if the variable is not known, or if it is neither read nor modified.
fn access(verifier: &FunctionVerifier<'_>, uses: &Uses, id: InstructionId) -> Option<Access> {
    let body = verifier.body;
    let attributes = body.instructions[id].attributes;
    let modifies = attributes.contains(Attribute::Modify);
    if !modifies && !attributes.contains(Attribute::Read) {
        return None;
    }
    let (storage, mut path, outer) = variable(verifier, views::Unary::of(body, id).operand)?;
    let mut inner = body.result(id)?;
    // An access of which only a field is used accesses that field.
    while let Some((step, next)) = only_field(verifier, uses, inner) {
        path.push(step);
        inner = next;
    }
    Some(Access { storage, path, modifies, outer })
}

fn only_field(verifier: &FunctionVerifier<'_>, uses: &Uses, address: Value) -> Option<(Step, Value)> {
    let body = verifier.body;
    let mut projections = uses.of(address).iter().map(|found| found.user);
    let mut projections = projections.by_ref().filter(|user| body.instructions[*user].opcode != Opcode::EndAccess);
    let first = projections.next()?;
    let step = projection(verifier, first)?;
    let same = projections.all(|other| projection(verifier, other) == Some(step));
    // Several projections to one field are followed no further.
    same.then_some(())?;
    let only =
        uses.of(address).iter().filter(|found| body.instructions[found.user].opcode != Opcode::EndAccess).count();
    let result = body.result(first)?;
    if only == 1 { Some((step, result)) } else { None }
}

fn projection(verifier: &FunctionVerifier<'_>, id: InstructionId) -> Option<Step> {
    let instruction = &verifier.body.instructions[id];
    match (instruction.opcode, &instruction.details) {
        (Opcode::StructElementAddr, Details::Member(member)) => Some(Step::Field(*member)),
        (Opcode::TupleElementAddr, Details::Index(index)) => Some(Step::Element(*index)),
        _ => None,
    }
}

/// The variable that an address leads into, and the way.
fn variable(verifier: &FunctionVerifier<'_>, mut address: Value) -> Option<Place> {
    let body = verifier.body;
    let mut path = Vec::new();
    let mut outer = Vec::new();
    let storage = loop {
        let id = match body.values[address].definition {
            Definition::Argument { block, .. } if block == body.entry() => {
                break Storage::Address(address);
            }
            Definition::Result { instruction, .. } => instruction,
            _ => return None,
        };
        let instruction = &body.instructions[id];
        match (instruction.opcode, &instruction.details) {
            (Opcode::AllocStack, _) => {
                break Storage::Address(address);
            }
            (Opcode::GlobalAddr, Details::Global(name, _)) => {
                break Storage::Global(*name);
            }
            (Opcode::ProjectBox, _) => {
                let views::ProjectBox { operand: mut owner, field } = views::ProjectBox::of(body, id);
                path.push(Step::Element(field));
                while let Some(maker) =
                    body.defining(owner).filter(|maker| passes_box(body.instructions[*maker].opcode))
                {
                    owner = views::Unary::of(body, maker).operand;
                }
                break Storage::Address(owner);
            }
            (Opcode::BeginAccess, _) => outer.push(id),
            (Opcode::MarkUninitialized | Opcode::MarkUnresolvedNonCopyableValue, _) => {}
            _ => path.push(projection(verifier, id)?),
        }
        address = *body.operands(id).first()?;
    };
    path.reverse();
    Some((storage, path, outer))
}

/// Whether an instruction gives the box that it takes.
fn passes_box(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::BeginBorrow
            | Opcode::CopyValue
            | Opcode::MoveValue
            | Opcode::MarkUninitialized
            | Opcode::MarkUnresolvedNonCopyableValue
    )
}

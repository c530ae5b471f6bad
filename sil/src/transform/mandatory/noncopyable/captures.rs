//! Boxes that closures capture and that do not escape: nobody but the function that makes them and its closures sees what is in them. They are
//! checked as if they were on the stack: what is in them is marked once, where it is made and where a closure begins, and a variable may be
//! consumed in a closure if something is put back.
//!
//! Does not own: putting such boxes on the stack. Where the function that makes one consumes what is in it, that is refused.

use super::uses::MemoryUses;
use super::{Known, memory, unmark};
use crate::analysis::{ApplyKind, ControlFlowGraph, OwnershipKinds, Uses};
use crate::context::{Mutability, SilType, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::views::ProjectBox;
use crate::model::{Body, Details, InstructionId, NewInstruction, Place, Replacements, Value};
use crate::transform::InstructionBuilder;
use crate::transform::knowledge::captured_boxes::{CapturedBoxes, box_root, marks_of};
use crate::transform::knowledge::element_flow::EventKind;
use crate::transform::pipeline::Environment;
use crate::types::TypeQueries;

/// A box with one value in it, and the marks of that.
struct MarkedBox {
    value: Value,
    contents: SilType,
    mutability: Mutability,
    projections: Vec<InstructionId>,
    marks: Vec<InstructionId>,
}

impl MarkedBox {
    /// None where what is in the box is not marked.
    fn new(queries: &TypeQueries<'_>, body: &Body, uses: &Uses, value: Value) -> Option<Self> {
        let ty = body.ty(value).ty;
        let Type::Box(layout) = queries.get(ty) else { return None };
        let [field] = *layout.fields else { return None };
        let contents = SilType::address(queries.box_field_type(ty, 0)?);
        let is_own =
            |id: &InstructionId| ProjectBox::get(body, *id).is_some_and(|view| box_root(body, view.operand) == value);
        let projections: Vec<InstructionId> = body.placed_instructions().filter(is_own).collect();
        let marks = marks_of(body, uses, &projections);
        let mutability = field.mutability;
        (!marks.is_empty()).then_some(Self { value, contents, mutability, projections, marks })
    }

    /// Lets one mark of `address`, which is made at `place`, stand for all, and gives it.
    fn mark_once(&self, body: &mut Body, address: Value, place: Place, kind: Attribute, like: InstructionId) -> Value {
        let uses = Uses::new(body);
        let projected = self.projections.iter().filter_map(|id| body.result(*id));
        let is_name = |id: InstructionId| body.instructions[id].opcode == Opcode::DebugValue;
        let named: Vec<_> = projected.flat_map(|value| uses.of(value)).filter(|found| is_name(found.user)).collect();
        let mut attributes = AttributeSet::default();
        attributes.insert(kind);
        let opcode = Opcode::MarkUnresolvedNonCopyableValue;
        let mut builder = InstructionBuilder::new(body, place, like);
        let marked = builder.value_with_attributes(opcode, attributes, Details::None, &[address], self.contents);
        let mut replacements = Replacements::default();
        for mark in &self.marks {
            if let (Some(result), Some(operand)) = (body.result(*mark), body.operands(*mark).first().copied()) {
                replacements.replace(result, operand);
            }
            body.erase(*mark);
        }
        for projection in &self.projections {
            if let Some(result) = body.result(*projection) {
                replacements.replace(result, marked);
            }
            body.erase(*projection);
        }
        body.replace_values(&replacements);
        for found in named {
            body.operands_mut(found.user)[found.operand as usize] = address;
        }
        marked
    }
}

/// Marks what is in the boxes that a closure captures where it begins.
pub(super) fn hoist(environment: Environment<'_>, body: &mut Body) {
    let Environment { module, queries, function, .. } = environment;
    let boxes = CapturedBoxes::new(module, queries);
    let entry = body.entry();
    for (index, boxed) in body.blocks[entry].arguments.clone().into_iter().enumerate() {
        let Some(found) = MarkedBox::new(queries, body, &Uses::new(body), boxed) else { continue };
        if !boxes.is_given_local_boxes(function.name, index) {
            continue;
        }
        let kind = match found.mutability {
            Mutability::Var => Attribute::ConsumableAndAssignable,
            Mutability::Let => Attribute::NoConsumeOrAssign,
        };
        let is_other = |id: &InstructionId| !found.projections.contains(id);
        let like = body.instructions_in(entry).find(is_other).unwrap_or(found.projections[0]);
        let mut builder = InstructionBuilder::new(body, Place::Start(entry), like);
        let address = builder.value(Opcode::ProjectBox, Details::Index(0), &[boxed], found.contents);
        if let Some(projection) = body.defining(address) {
            found.mark_once(body, address, Place::After(projection), kind, like);
        }
    }
}

/// What is wrong with the uses of what is in boxes that closures capture, in the function that makes these. What is said something of is not marked any
/// more.
pub(super) fn check(environment: Environment<'_>, body: &mut Body) -> Vec<Diagnostic> {
    let Environment { module, queries, .. } = environment;
    let boxes = CapturedBoxes::new(module, queries);
    let is_box = |id: &InstructionId| body.instructions[*id].opcode == Opcode::AllocBox;
    let allocations: Vec<InstructionId> = body.placed_instructions().filter(is_box).collect();
    let mut diagnostics = Vec::new();
    for allocation in allocations {
        let uses = Uses::new(body);
        let found = body.result(allocation).and_then(|boxed| MarkedBox::new(queries, body, &uses, boxed));
        let Some(found) = found.filter(|found| boxes.is_local_box(body, &uses, found.value)) else { continue };
        let mut wrong = misuses_on_stack(environment, body.clone(), allocation, &found);
        if wrong.is_empty() && is_consumed(environment, body, &uses, &found) {
            let what = "consuming a noncopyable variable that closures capture";
            wrong.push(Diagnostic::unsupported(what, body.instructions[allocation].span));
        }
        if !wrong.is_empty() {
            found.marks.iter().for_each(|mark| unmark(body, *mark));
        }
        diagnostics.extend(wrong);
    }
    diagnostics
}

/// What would be wrong if what is in the box were on the stack, and closures captured it there.
fn misuses_on_stack(
    environment: Environment<'_>,
    mut body: Body,
    allocation: InstructionId,
    found: &MarkedBox,
) -> Vec<Diagnostic> {
    let (slot, made) = (body.values.next_key(), &body.instructions[allocation]);
    let new = NewInstruction {
        opcode: Opcode::AllocStack,
        attributes: AttributeSet::default(),
        details: made.details.clone(),
        operands: &[],
        types: &[found.contents.object_type()],
        targets: &[],
        results: &[found.contents],
        span: made.span,
        location: made.location,
    };
    let slot_made = body.insert(Place::After(allocation), new);
    let kind = Attribute::ConsumableAndAssignable;
    let marked = found.mark_once(&mut body, slot, Place::After(slot_made), kind, allocation);
    let captors: Vec<InstructionId> =
        body.placed_instructions().filter(|id| ApplyKind::of(body.instructions[*id].opcode).is_some()).collect();
    for captor in captors {
        for number in 1..body.operands(captor).len() {
            if box_root(&body, body.operands(captor)[number]) == found.value {
                body.operands_mut(captor)[number] = marked;
            }
        }
    }
    let Some(mark) = body.defining(marked) else { return Vec::new() };
    let (cfg, uses) = (ControlFlowGraph::new(&body), Uses::new(&body));
    let kinds = OwnershipKinds::new(environment.queries, environment.function, &body, &cfg);
    let known = Known { environment, before: &body, cfg: &cfg, uses: &uses, kinds: &kinds };
    let resolved = memory::resolve(&known, &mut body.clone(), mark);
    resolved.unwrap_or_default().into_iter().filter(|diagnostic| !diagnostic.is_unsupported()).collect()
}

/// Whether something consumes what is in the box.
fn is_consumed(environment: Environment<'_>, body: &Body, uses: &Uses, found: &MarkedBox) -> bool {
    let Environment { queries, function, .. } = environment;
    let cfg = ControlFlowGraph::new(body);
    let kinds = OwnershipKinds::new(queries, function, body, &cfg);
    let marked = found.marks.iter().filter_map(|mark| body.result(*mark));
    let mut uses = marked.map(|address| MemoryUses::collect(queries, &kinds, function.signature, body, uses, address));
    uses.any(|uses| uses.is_ok_and(|uses| uses.found.iter().any(|found| found.kind == EventKind::Consume)))
}

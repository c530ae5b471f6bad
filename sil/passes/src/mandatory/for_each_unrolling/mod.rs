//! Unrolls `forEach` on array literals: calls its body with each element of the literal
//! (lib/SILOptimizer/LoopTransforms/ForEachLoopUnroll.cpp). Does not own: the analysis of array literals
//! (`array_literals`).

mod array_literals;

use sil_analysis::{ApplySite, Change, ControlFlowGraph, Dominators, Uses};
use sil_ir::context::{
    FunctionAttribute, FunctionType, ParameterConvention, ResultConvention, SilType, SubstitutionMapId, Type,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::views::Store;
use sil_ir::model::{Apply, BlockId, Body, InstructionId, Ownership, Place, Value};

use self::array_literals::{ArrayLiteral, ForEachCall, allocates_array, array_literal};
use crate::InstructionBuilder;
use crate::editing::unused::{remove_idle, remove_unused};
use crate::knowledge::lifetime_frontier::lifetime_frontier;
use crate::pass::{Description, Environment, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const FOR_EACH_UNROLLING: Pass = Pass::new(&Description {
    name: "for-each-loop-unroll",
    class_name: "ForEachLoopUnroll",
    summary: "Unrolls calls of `forEach` on array literals.",
    gates: Gates { ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(unroll),
});

/// The greatest cost of an unrolled loop (include/swift/AST/SILOptions.h, UnrollThreshold).
const THRESHOLD: usize = 250;
/// The cost of each element: a store and a call.
const COST: usize = 2;

/// Unrolls the calls of `forEach` on array literals in a function with ownership.
pub(crate) fn unroll(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, function, body: before, .. } = environment;
    let mut body = before.clone();
    let mut is_changed = false;
    for allocation in before.placed_instructions().filter(|id| allocates_array(module, before, *id)) {
        while unroll_next(environment, &mut body, allocation).is_some() {
            is_changed = true;
        }
    }
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Blocks)))
}

/// Unrolls the first suitable call on the array of `allocation`.
fn unroll_next(environment: Environment<'_>, body: &mut Body, allocation: InstructionId) -> Option<()> {
    let literal = array_literal(environment.module, body, &Uses::new(body), allocation)?;
    let is_wanted = (1..=THRESHOLD / COST).contains(&literal.elements.len());
    if !is_wanted || !is_whole_everywhere(body, &literal) {
        return None;
    }
    let ends = last_destroys(body, allocation, &literal)?;
    let unrolling = literal.calls.iter().find_map(|call| Unrolling::new(environment, body, &literal, call))?;
    unrolling.apply(body, &literal, &ends);
    Some(())
}

/// Returns whether the stores of all elements dominate the calls and destroys of the array.
fn is_whole_everywhere(body: &Body, literal: &ArrayLiteral) -> bool {
    let dominators = Dominators::new(body, &ControlFlowGraph::new(body));
    let calls = literal.calls.iter().map(|call| &call.call);
    let all: Vec<&InstructionId> = calls.chain(&literal.destroys).collect();
    let is_ahead = |store: &InstructionId| all.iter().all(|id| dominators.instruction_dominates(body, *store, **id));
    literal.elements.iter().all(is_ahead)
}

/// Returns the destroys after which neither the array nor a copy of it is used.
fn last_destroys(body: &Body, allocation: InstructionId, literal: &ArrayLiteral) -> Option<Vec<InstructionId>> {
    if literal.destroys.is_empty() {
        return Some(Vec::new());
    }
    let places = lifetime_frontier(body, allocation, &literal.destroys)?;
    let destroy = |place: &Place| match place {
        Place::After(id) if literal.destroys.contains(id) => Some(*id),
        _ => None,
    };
    places.iter().map(destroy).collect()
}

/// A call of `forEach` that can be unrolled.
struct Unrolling<'u> {
    environment: Environment<'u>,
    call: InstructionId,
    /// The instructions that only serve the call.
    passing: Vec<InstructionId>,
    /// The body of the loop.
    closure: Value,
    element: SilType,
    normal: BlockId,
    error: BlockId,
    /// The error type of the closure.
    thrown: SilType,
}

/// An element that is passed to the closure.
struct Passed {
    address: Value,
    /// The borrow scopes for it, innermost first.
    borrows: Vec<Value>,
}

impl<'u> Unrolling<'u> {
    fn new(environment: Environment<'u>, body: &Body, literal: &ArrayLiteral, found: &ForEachCall) -> Option<Self> {
        let [closure, _] = *ApplySite::new(body, found.call)?.arguments() else { return None };
        let [normal, error] = *body.targets(found.call) else { return None };
        let element = body.ty(Store::of(body, *literal.elements.first()?).source);
        let [thrown] = body.blocks[error].arguments[..] else { return None };
        let thrown = body.ty(thrown);
        let Type::Function(ty) = environment.queries.get(body.ty(closure).ty) else { return None };
        let (call, passing) = (found.call, found.passing.clone());
        let is_usual = body.blocks[normal].arguments.len() == 1 && is_body_of_loop(ty, element, thrown);
        is_usual.then_some(Self { environment, call, passing, closure, element, normal, error, thrown })
    }

    fn apply(&self, body: &mut Body, literal: &ArrayLiteral, ends: &[InstructionId]) {
        let copies = self.copies(body, literal, ends);
        let object = self.element;
        let memory = InstructionBuilder::new(body, Place::Before(self.call), self.call).alloc_stack(object, None);
        let layout = self.call_with_each(body, &copies, memory);
        InstructionBuilder::new(body, Place::Start(self.error), self.call).dealloc_stack(memory);
        let callee = body.operands(self.call).first().copied();
        body.erase(self.call);
        let passed: Vec<Value> = self.passing.iter().flat_map(|id| body.operands(*id).to_vec()).collect();
        self.passing.iter().rev().for_each(|id| body.erase(*id));
        passed.into_iter().for_each(|value| remove_idle(body, value));
        remove_unused(body, callee.into_iter().collect());
        let mut order: Vec<BlockId> = body.blocks.keys().filter(|block| !layout.contains(block)).collect();
        let place = order.iter().position(|block| *block == self.normal).unwrap_or(order.len());
        order.splice(place..place, layout);
        body.reorder_blocks(&order);
    }

    fn is_trivial(&self) -> bool {
        let Environment { queries, function, .. } = self.environment;
        queries.properties(self.element.ty, function.signature).is_trivial()
    }

    /// Copies the elements for the lifetime of the array. Trivial elements are not copied.
    fn copies(&self, body: &mut Body, literal: &ArrayLiteral, ends: &[InstructionId]) -> Vec<Value> {
        let sources = literal.elements.iter().map(|store| (*store, Store::of(body, *store).source));
        let sources: Vec<(InstructionId, Value)> = sources.collect();
        if self.is_trivial() {
            return sources.into_iter().map(|(_, source)| source).collect();
        }
        let copy = |(store, source): &(InstructionId, Value)| {
            let mut builder = InstructionBuilder::new(body, Place::Before(*store), *store);
            builder.copy_value(*source)
        };
        let copies: Vec<Value> = sources.iter().map(copy).collect();
        for end in ends {
            let mut builder = InstructionBuilder::new(body, Place::Before(*end), *end);
            for copy in &copies {
                builder.destroy_value(*copy);
            }
        }
        copies
    }

    /// Calls the closure with each element in order, each but the first in a block of its own. Returns the new blocks
    /// in order.
    fn call_with_each(&self, body: &mut Body, elements: &[Value], memory: Value) -> Vec<BlockId> {
        let mut layout = Vec::new();
        let mut place = Place::Before(self.call);
        for (left, element) in (0..elements.len()).rev().zip(elements) {
            let (next, error) = (if left == 0 { self.normal } else { body.add_block() }, body.add_block());
            layout.push(error);
            let passed = self.pass(body, place, *element, memory);
            self.call_with(body, place, passed.address, [next, error]);
            self.rethrow(body, error, &passed);
            place = Place::Start(self.normal);
            if left > 0 {
                // The closure's result is the empty tuple, which is unused.
                let ty = body.ty(body.blocks[self.normal].arguments[0]);
                body.add_argument(next, ty, Ownership::None);
                layout.push(next);
                place = Place::End(next);
            }
            let mut builder = InstructionBuilder::new(body, place, self.call);
            end_borrows(&mut builder, &passed);
            if left == 0 {
                builder.dealloc_stack(memory);
            }
        }
        layout
    }

    /// Stores or borrows an element in memory.
    fn pass(&self, body: &mut Body, place: Place, element: Value, memory: Value) -> Passed {
        let mut builder = InstructionBuilder::new(body, place, self.call);
        if self.is_trivial() {
            let mut attributes = AttributeSet::default();
            attributes.insert(Attribute::Trivial);
            builder.with(attributes).store(element, memory);
            return Passed { address: memory, borrows: Vec::new() };
        }
        let borrow = builder.begin_borrow(element);
        let address = builder.store_borrow(borrow, memory);
        Passed { address, borrows: vec![address, borrow] }
    }

    fn call_with(&self, body: &mut Body, place: Place, address: Value, targets: [BlockId; 2]) {
        let callee_type = body.ty(self.closure);
        let substitutions = SubstitutionMapId::EMPTY;
        let apply = Apply::new(callee_type, substitutions);
        let mut builder = InstructionBuilder::new(body, place, self.call);
        builder.try_apply(apply, &[self.closure, address], targets);
    }

    fn rethrow(&self, body: &mut Body, block: BlockId, passed: &Passed) {
        let thrown = body.add_argument(block, self.thrown, Ownership::Owned);
        let mut builder = InstructionBuilder::new(body, Place::End(block), self.call);
        end_borrows(&mut builder, passed);
        builder.branch(self.error, &[thrown]);
    }
}

fn end_borrows(builder: &mut InstructionBuilder<'_>, passed: &Passed) {
    for borrow in &passed.borrows {
        builder.end_borrow(*borrow);
    }
}

/// Returns whether a closure takes an element as guaranteed memory, and throws the error of `forEach`.
fn is_body_of_loop(ty: &FunctionType, element: SilType, thrown: SilType) -> bool {
    let is_plain = ty.signature.is_none() && ty.pattern.is_none() && ty.results.is_empty();
    let takes_element = match &ty.parameters[..] {
        [only] => only.convention == ParameterConvention::InGuaranteed && only.ty == element.ty,
        _ => false,
    };
    let throws = ty.error.is_some_and(|error| error.convention == ResultConvention::Owned && error.ty == thrown.ty);
    is_plain && takes_element && throws && !ty.attributes.contains(FunctionAttribute::Async)
}

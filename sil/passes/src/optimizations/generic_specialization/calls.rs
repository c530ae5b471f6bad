//! Rewrites calls of generic functions to call their specialisations: values are loaded from addresses that are now
//! passed directly, and direct results are stored (`replaceWithSpecializedFunction` in
//! lib/SILOptimizer/Utils/Generics.cpp).

use sil_analysis::Uses;
use sil_ir::context::{SignatureId, SilType, SubstitutionMapId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{self, TryApply};
use sil_ir::model::{
    Apply, BlockId, Body, Details, Function, FunctionFlag, InstructionId, NewInstruction, Ownership, Place, Value,
};
use sil_ir::types::TypeQueries;

use super::closures::closure_type;
use super::reabstraction::{Lending, Passing, Reabstraction};
use super::specialization::Specialization;
use crate::InstructionBuilder;
use crate::knowledge::never_returning;

/// A rewritten call.
pub(crate) struct Retargeted {
    /// The new call.
    pub(crate) call: InstructionId,
    /// Callees and operands that may be dead now, and the empty tuple for an unused result.
    pub(crate) unneeded: Vec<Value>,
    /// The replacements of values that no longer exist.
    pub(crate) replaced: Vec<(Value, Value)>,
    /// Other erased instructions.
    pub(super) erased: Vec<InstructionId>,
}

/// The order of the instructions inserted after a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InsertionOrder {
    /// First the stores of results, then the ends of borrows: `replaceWithSpecializedCallee`.
    Stores,
    /// First the ends of borrows, as in thunks.
    Ends,
}

/// Rewrites `call` in `body` to call its specialisation. Returns `None` if it is left unchanged.
pub(crate) fn retarget(
    queries: &TypeQueries<'_>,
    caller: &Function,
    body: &mut Body,
    call: InstructionId,
    specialization: &Specialization,
) -> Option<Retargeted> {
    let Specialization { reabstraction, name, .. } = specialization;
    let ty = SilType::object(reabstraction.ty);
    let callee = |body: &mut Body| {
        let mut builder = InstructionBuilder::new(body, Place::Before(call), call);
        builder.function_ref(*name, ty)
    };
    retarget_with(
        queries,
        caller,
        body,
        call,
        (reabstraction, reabstraction.generic_arguments(), InsertionOrder::Stores),
        callee,
    )
}

/// Rewrites `call` in `body` to call the function that `callee` creates, with the conventions of `reabstraction`.
/// Returns `None` if it is left unchanged.
pub(crate) fn retarget_to(
    queries: &TypeQueries<'_>,
    caller: &Function,
    body: &mut Body,
    call: InstructionId,
    reabstraction: &Reabstraction,
    callee: impl FnOnce(&mut Body) -> Value,
) -> Option<Retargeted> {
    retarget_with(
        queries,
        caller,
        body,
        call,
        (reabstraction, SubstitutionMapId::EMPTY, InsertionOrder::Stores),
        callee,
    )
}

/// Rewrites a call with substitutions.
pub(super) fn retarget_with(
    queries: &TypeQueries<'_>,
    caller: &Function,
    body: &mut Body,
    call: InstructionId,
    (reabstraction, substitutions, after): (&Reabstraction, SubstitutionMapId, InsertionOrder),
    callee: impl FnOnce(&mut Body) -> Value,
) -> Option<Retargeted> {
    let Details::Apply(before) = body.instructions[call].details.clone() else { return None };
    if !can_be_retargeted(body, call, reabstraction) {
        return None;
    }
    let returned_to = reabstraction.position(Passing::Returned);
    let thrown_to = reabstraction.position(Passing::Thrown);
    let has_ownership = caller.has(FunctionFlag::Ossa);
    let called = *body.operands(call).first()?;
    let passed = body.operands(call)[1..].to_vec();
    // A `partial_apply` passes the last arguments.
    let first = reabstraction.arguments.len().checked_sub(passed.len())?;
    let closure = reabstraction
        .passes_values()
        .then(|| closure_type(queries, body, call, (reabstraction, substitutions)))
        .flatten();
    let mut callee = Some(callee);
    // Thunks insert the function reference after the operands.
    let first_made = callee.take_if(|_| after == InsertionOrder::Stores).map(|callee| callee(body));
    let mut operands = Vec::new();
    let mut rewriter = Rewriter {
        queries,
        signature: caller.signature,
        body,
        call,
        has_ownership,
        after,
        borrows: Vec::new(),
        replaced: Vec::new(),
        unneeded: vec![called],
    };
    for (value, passing) in passed.iter().zip(&reabstraction.arguments[first..]) {
        match passing {
            Passing::Same => operands.push(*value),
            Passing::Value(lending) => {
                let lending = rewriter.lending(*lending);
                operands.push(rewriter.read(*value, lending));
            }
            Passing::Dropped => rewriter.unneeded.push(*value),
            Passing::Returned | Passing::Thrown => {}
        }
    }
    let callee = first_made.or_else(|| callee.map(|callee| callee(rewriter.body)))?;
    operands.insert(0, callee);
    let apply = Apply {
        isolation: before.isolation,
        history: before.history,
        ..Apply::new(SilType::object(reabstraction.ty), substitutions)
    };
    let is_closure = rewriter.body.instructions[call].opcode == Opcode::PartialApply;
    let destination = returned_to.filter(|_| !is_closure).map(|index| passed[index]);
    let error_destination = thrown_to.map(|index| passed[index]);
    Some(rewriter.replace(operands, apply, (destination, error_destination), closure))
}

/// Returns whether the results of the new call can be stored at the original addresses. A closure has no results yet.
pub(super) fn can_be_retargeted(body: &Body, call: InstructionId, reabstraction: &Reabstraction) -> bool {
    let is_passed = |passing| reabstraction.position(passing).is_some();
    body.instructions[call].opcode == Opcode::PartialApply
        || (!is_passed(Passing::Returned) || can_be_given_result(body, call))
            && (!is_passed(Passing::Thrown) || can_be_given_error(body, call))
}

/// Returns whether the direct result of the call can be stored after it.
fn can_be_given_result(body: &Body, call: InstructionId) -> bool {
    match TryApply::get(body, call) {
        Some(TryApply { normal, .. }) => predecessors(body, normal) == 1,
        None => body.instructions[call].opcode == Opcode::Apply,
    }
}

/// Returns whether the direct error of the call can be stored after it. A call that never throws has no such place.
fn can_be_given_error(body: &Body, call: InstructionId) -> bool {
    match TryApply::get(body, call) {
        Some(TryApply { error, .. }) => predecessors(body, error) == 1,
        None => body.instructions[call].opcode == Opcode::Apply,
    }
}

fn predecessors(body: &Body, block: BlockId) -> usize {
    let terminators = body.blocks.keys().filter_map(|from| body.terminator(from));
    terminators.map(|id| body.targets(id).iter().filter(|target| **target == block).count()).sum()
}

struct Rewriter<'r> {
    queries: &'r TypeQueries<'r>,
    /// The generic signature of the caller.
    signature: Option<SignatureId>,
    body: &'r mut Body,
    call: InstructionId,
    has_ownership: bool,
    after: InsertionOrder,
    borrows: Vec<Value>,
    replaced: Vec<(Value, Value)>,
    unneeded: Vec<Value>,
}

impl Rewriter<'_> {
    fn builder(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, Place::Before(self.call), self.call)
    }

    /// The ownership of a passed value: a closure owns its captures, unless it is on the stack.
    fn lending(&self, lending: Lending) -> Lending {
        let instruction = &self.body.instructions[self.call];
        match lending {
            Lending::Trivial => lending,
            _ if instruction.opcode != Opcode::PartialApply => lending,
            _ if instruction.attributes.contains(Attribute::OnStack) => Lending::Lent,
            _ => Lending::Given,
        }
    }

    /// Loads the value at an address.
    fn read(&mut self, address: Value, lending: Lending) -> Value {
        let mut attributes = AttributeSet::default();
        match (self.has_ownership, lending) {
            (true, Lending::Lent) => {
                let borrow = self.builder().load_borrow(address);
                self.borrows.push(borrow);
                return borrow;
            }
            (true, Lending::Trivial) => attributes.insert(Attribute::Trivial),
            (true, Lending::Given) => attributes.insert(Attribute::Take),
            (false, _) => {}
        }
        self.builder().with(attributes).load(address)
    }

    /// Replaces the call with one with these operands. Direct results and errors are stored to the destinations.
    fn replace(
        mut self,
        operands: Vec<Value>,
        apply: Apply,
        (destination, error_destination): (Option<Value>, Option<Value>),
        closure: Option<SilType>,
    ) -> Retargeted {
        let before = &self.body.instructions[self.call];
        let (opcode, attributes, span, location, traits) =
            (before.opcode, before.attributes, before.span, before.location, before.traits);
        let targets = self.body.targets(self.call).to_vec();
        let types = self.body.types(self.call).to_vec();
        let old: Vec<Value> = self.body.results(self.call).collect();
        let mut results: Vec<SilType> = old.iter().map(|result| self.body.ty(*result)).collect();
        if let (Some(address), [result]) = (destination, results.as_mut_slice()) {
            *result = self.body.ty(address).object_type();
        }
        if let (Some(made), [result]) = (closure, results.as_mut_slice()) {
            *result = made;
        }
        let ends = self.ends();
        let new = NewInstruction {
            opcode,
            attributes,
            details: Details::Apply(Box::new(apply)),
            operands: &operands,
            types: &types,
            targets: &targets,
            results: &results,
            span,
            location,
            traits,
        };
        let made = self.body.insert(Place::Before(self.call), new);
        let ends: Vec<Place> =
            ends.into_iter().map(|end| if end == Place::After(self.call) { Place::After(made) } else { end }).collect();
        if self.after == InsertionOrder::Stores {
            self.end_borrows(made, &ends);
        }
        if let Some((TryApply { error, .. }, address)) = TryApply::get(self.body, made).zip(error_destination) {
            self.store_argument(error, address);
        }
        self.give_result(made, destination, &old);
        if self.after == InsertionOrder::Ends {
            self.end_borrows(made, &ends);
        }
        self.body.erase(self.call);
        Retargeted { call: made, unneeded: self.unneeded, replaced: self.replaced, erased: Vec::new() }
    }

    /// Stores the result of the new call `made` to its address, or replaces the uses of the original result.
    fn give_result(&mut self, made: InstructionId, destination: Option<Value>, old: &[Value]) {
        match (destination, old) {
            (Some(_), [nothing]) if self.is_end(made) => {
                let void = SilType::object(self.queries.void());
                let mut builder = InstructionBuilder::new(self.body, Place::Before(made), made);
                self.replaced.push((*nothing, builder.tuple(&[], void)));
            }
            (Some(address), [nothing]) => {
                let returned = self.body.result(made);
                let empty = returned.map(|returned| self.store(made, Place::After(made), returned, address));
                self.replaced.extend(empty.map(|empty| (*nothing, empty)));
            }
            (Some(address), _) => {
                let views::TryApply { normal, .. } = TryApply::of(self.body, made);
                self.store_argument(normal, address);
            }
            (None, old) => {
                let new: Vec<Value> = self.body.results(made).collect();
                self.replaced.extend(old.iter().copied().zip(new));
            }
        }
    }

    /// Returns whether the new call `made`, which precedes the original one, never returns.
    fn is_end(&self, made: InstructionId) -> bool {
        let next = self.body.next(self.call).map(|next| self.body.instructions[next].opcode);
        next == Some(Opcode::Unreachable) && never_returning::is_call(self.queries, self.body, made)
    }

    /// The insertion points after the call, if values are borrowed for it.
    fn ends(&self) -> Vec<Place> {
        if self.borrows.is_empty() {
            return Vec::new();
        }
        let body = &*self.body;
        match body.instructions[self.call].opcode {
            Opcode::TryApply => body.targets(self.call).iter().map(|target| Place::Start(*target)).collect(),
            // A closure uses its captures until the end of its lifetime.
            Opcode::PartialApply => {
                let uses = Uses::new(body);
                let users = body.results(self.call).flat_map(|result| uses.of(result)).map(|found| found.user);
                users.filter(|user| body.instructions[*user].opcode == Opcode::DestroyValue).map(Place::After).collect()
            }
            Opcode::BeginApply => {
                let uses = Uses::new(body);
                let users = body.results(self.call).flat_map(|result| uses.of(result)).map(|found| found.user);
                let is_end = |user: &InstructionId| {
                    matches!(body.instructions[*user].opcode, Opcode::EndApply | Opcode::AbortApply)
                };
                users.filter(is_end).map(Place::After).collect()
            }
            _ => vec![Place::After(self.call)],
        }
    }

    fn end_borrows(&mut self, made: InstructionId, ends: &[Place]) {
        for place in ends {
            let mut builder = InstructionBuilder::new(self.body, *place, made);
            for borrow in &self.borrows {
                builder.end_borrow(*borrow);
            }
        }
    }

    /// Stores the result of a call. Returns the empty tuple that was the original result.
    fn store(&mut self, like: InstructionId, place: Place, value: Value, address: Value) -> Value {
        let ty = self.body.ty(address).object_type();
        let void = SilType::object(self.queries.void());
        let mut attributes = AttributeSet::default();
        if self.has_ownership {
            let is_trivial = self.queries.properties(ty.ty, self.signature).is_trivial();
            attributes.insert(if is_trivial { Attribute::Trivial } else { Attribute::Init });
        }
        let mut builder = InstructionBuilder::new(self.body, place, like);
        let nothing = match self.after {
            InsertionOrder::Stores => {
                let nothing = builder.tuple(&[], void);
                builder.with(attributes).store(value, address);
                nothing
            }
            InsertionOrder::Ends => {
                builder.with(attributes).store(value, address);
                builder.tuple(&[], void)
            }
        };
        self.unneeded.push(nothing);
        nothing
    }

    /// Stores the result or error of a `try_apply` at the start of its target.
    fn store_argument(&mut self, block: BlockId, address: Value) {
        let ty = self.body.ty(address).object_type();
        let is_owned = self.has_ownership && !self.queries.properties(ty.ty, self.signature).is_trivial();
        let ownership = if is_owned { Ownership::Owned } else { Ownership::None };
        let nothing = self.body.blocks[block].arguments.first().copied();
        let returned = self.body.add_argument(block, ty, ownership);
        let empty = self.store(self.call, Place::Start(block), returned, address);
        if let Some(nothing) = nothing {
            self.replaced.push((nothing, empty));
            // The original empty tuple is the first argument.
            self.body.remove_argument(block, 0);
        }
    }
}

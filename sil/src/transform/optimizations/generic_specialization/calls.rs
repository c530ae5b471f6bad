//! Calls of generic functions become those of what is made of them for the types: addresses are read where values are passed, and what is returned is
//! put where the address said (`replaceWithSpecializedFunction` in lib/SILOptimizer/Utils/Generics.cpp).

use super::reabstraction::{Lending, Passing, Reabstraction};
use crate::analysis::Uses;
use crate::context::{Name, SilType, SubstitutionMapId, Sugar};
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::views::{self, TryApply};
use crate::model::{
    Apply, BlockId, Body, Details, Function, FunctionFlag, InstructionId, NewInstruction, Ownership, Place,
    Replacements, Value,
};
use crate::transform::InstructionBuilder;
use crate::types::TypeQueries;

/// Lets `call` in `body` call the function `name`. False where it stays as it is.
pub(super) fn retarget(
    queries: &TypeQueries<'_>,
    caller: &Function,
    body: &mut Body,
    call: InstructionId,
    reabstraction: &Reabstraction,
    name: Name,
) -> bool {
    let Details::Apply(before) = body.instructions[call].details.clone() else { return false };
    let position = |wanted| reabstraction.arguments.iter().position(|passing| *passing == wanted);
    let (returned_to, thrown_to) = (position(Passing::Returned), position(Passing::Thrown));
    if returned_to.is_some() && !can_be_given_result(body, call)
        || thrown_to.is_some() && !can_be_given_error(body, call)
    {
        return false;
    }
    let has_ownership = caller.has(FunctionFlag::Ossa);
    let mut rewriter = Rewriter { queries, body, call, has_ownership, borrows: Vec::new() };
    let ty = SilType::object(reabstraction.ty);
    let mut operands = vec![rewriter.reference(name, ty)];
    let passed = rewriter.body.operands(call)[1..].to_vec();
    if rewriter.body.instructions[call].opcode == Opcode::PartialApply {
        operands.extend(&passed);
    } else {
        for (value, passing) in passed.iter().zip(&reabstraction.arguments) {
            match passing {
                Passing::Same => operands.push(*value),
                Passing::Value(lending) => operands.push(rewriter.read(*value, *lending)),
                Passing::Returned | Passing::Thrown | Passing::Dropped => {}
            }
        }
    }
    let apply = Apply {
        substitutions: SubstitutionMapId::EMPTY,
        sugar: Sugar::default(),
        callee_type: ty,
        isolation: before.isolation,
    };
    let destination = returned_to.map(|index| passed[index]);
    if let Some((TryApply { error, .. }, index)) = TryApply::get(rewriter.body, call).zip(thrown_to) {
        rewriter.store_argument(error, passed[index]);
    }
    rewriter.replace(operands, apply, destination);
    true
}

/// Whether what the call returns can be stored behind it.
fn can_be_given_result(body: &Body, call: InstructionId) -> bool {
    match TryApply::get(body, call) {
        Some(TryApply { normal, .. }) => predecessors(body, normal) == 1,
        None => body.instructions[call].opcode == Opcode::Apply,
    }
}

/// The same of what the call throws; a call that never throws needs no such place.
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
    body: &'r mut Body,
    call: InstructionId,
    has_ownership: bool,
    borrows: Vec<Value>,
}

impl Rewriter<'_> {
    fn builder(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, Place::Before(self.call), self.call)
    }

    fn reference(&mut self, name: Name, ty: SilType) -> Value {
        self.builder().value_of_written_type(Opcode::FunctionRef, Details::Function(name), &[], ty)
    }

    /// The value behind an address.
    fn read(&mut self, address: Value, lending: Lending) -> Value {
        let ty = self.body.ty(address).object_type();
        let mut attributes = AttributeSet::default();
        match (self.has_ownership, lending) {
            (true, Lending::Lent) => {
                let borrow = self.builder().value(Opcode::LoadBorrow, Details::None, &[address], ty);
                self.borrows.push(borrow);
                return borrow;
            }
            (true, Lending::Trivial) => attributes.insert(Attribute::Trivial),
            (true, Lending::Given) => attributes.insert(Attribute::Take),
            (false, _) => {}
        }
        self.builder().value_with_attributes(Opcode::Load, attributes, Details::None, &[address], ty)
    }

    /// Puts the call with these operands in the place of the one that is there.
    fn replace(mut self, operands: Vec<Value>, apply: Apply, destination: Option<Value>) {
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
        let mut replacements = Replacements::default();
        match (destination, old.as_slice()) {
            (Some(address), [nothing]) => {
                let returned = self.body.result(made);
                let empty = returned.map(|returned| self.store(made, Place::After(made), returned, address));
                empty.into_iter().for_each(|empty| replacements.replace(*nothing, empty));
            }
            (Some(address), _) => {
                let views::TryApply { normal, .. } = TryApply::of(self.body, made);
                self.store_argument(normal, address);
            }
            (None, old) => {
                let new: Vec<Value> = self.body.results(made).collect();
                old.iter().zip(new).for_each(|(old, new)| replacements.replace(*old, new));
            }
        }
        self.end_borrows(made, &ends);
        self.body.replace_values(&replacements);
        self.body.erase(self.call);
    }

    /// Where the call is over, if something is lent to it.
    fn ends(&self) -> Vec<Place> {
        if self.borrows.is_empty() {
            return Vec::new();
        }
        let body = &*self.body;
        match body.instructions[self.call].opcode {
            Opcode::TryApply => body.targets(self.call).iter().map(|target| Place::Start(*target)).collect(),
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
            for borrow in &self.borrows {
                let mut builder = InstructionBuilder::new(self.body, *place, made);
                builder.instruction(Opcode::EndBorrow, Details::None, &[*borrow]);
            }
        }
    }

    /// Stores what a call returns, and gives the nothing that it returned before.
    fn store(&mut self, like: InstructionId, place: Place, value: Value, address: Value) -> Value {
        let ty = self.body.ty(address).object_type();
        let void = SilType::object(self.queries.void());
        let mut attributes = AttributeSet::default();
        if self.has_ownership {
            let is_trivial = self.queries.properties(ty.ty, None).is_trivial();
            attributes.insert(if is_trivial { Attribute::Trivial } else { Attribute::Init });
        }
        let mut builder = InstructionBuilder::new(self.body, place, like);
        builder.with_attributes(Opcode::Store, attributes, Details::None, &[value, address]);
        builder.value(Opcode::Tuple, Details::None, &[], void)
    }

    /// Stores what a `try_apply` returns or throws where it goes on.
    fn store_argument(&mut self, block: BlockId, address: Value) {
        let ty = self.body.ty(address).object_type();
        let is_owned = self.has_ownership && !self.queries.properties(ty.ty, None).is_trivial();
        let ownership = if is_owned { Ownership::Owned } else { Ownership::None };
        let nothing = self.body.blocks[block].arguments.first().copied();
        let returned = self.body.add_argument(block, ty, ownership);
        let empty = self.store(self.call, Place::Start(block), returned, address);
        if let Some(nothing) = nothing {
            let mut replacements = Replacements::default();
            replacements.replace(nothing, empty);
            self.body.replace_values(&replacements);
            // The nothing that was passed is the first argument.
            self.body.remove_argument(block, 0);
        }
    }
}

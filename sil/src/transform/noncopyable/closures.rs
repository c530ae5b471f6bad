//! Closures that do not escape and capture a copy of a noncopyable value: they are made on the stack and borrow the value itself
//! (lib/SILOptimizer/Mandatory/ClosureLifetimeFixup.cpp, as far as noncopyable values need it).

use crate::analysis::{ApplySite, Uses};
use crate::context::{ParameterConvention, SignatureId};
use crate::instructions::{Attribute, Opcode};
use crate::model::views::Unary;
use crate::model::{Body, Details, InstructionId, NewInstruction, Place, Replacements, Value};
use crate::transform::InstructionBuilder;
use crate::types::{ArgumentConvention, Copyability, TypeQueries};

/// Makes such closures of a body borrow what they capture.
pub(super) fn borrow_captures(queries: &TypeQueries<'_>, signature: Option<SignatureId>, body: &mut Body) {
    let uses = Uses::new(body);
    let closures: Vec<InstructionId> =
        body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::PartialApply).collect();
    for closure in closures {
        if let Some(found) = Closure::new(queries, signature, body, &uses, closure) {
            found.put_on_stack(body);
        }
    }
}

struct Closure {
    closure: InstructionId,
    /// What makes it one that does not escape.
    conversion: InstructionId,
    destroys: Vec<InstructionId>,
    captured: Vec<Captured>,
}

/// A copy that a closure captures.
struct Captured {
    operand: usize,
    value: Value,
    /// Of a noncopyable value, what it is a copy of.
    original: Option<Original>,
}

/// What a copy is of.
#[derive(Clone, Copy)]
enum Original {
    /// This instruction copies this value.
    Value(InstructionId, Value),
    /// This instruction loads what is in memory.
    Memory(InstructionId),
}

impl Original {
    /// None where something else makes the copy.
    fn of(body: &Body, copied: Value) -> Option<Self> {
        let copy = body.defining(copied)?;
        let instruction = &body.instructions[copy];
        match instruction.opcode {
            Opcode::CopyValue => Some(Original::Value(copy, Unary::of(body, copy).operand)),
            Opcode::Load if instruction.attributes.contains(Attribute::Copy) => Some(Original::Memory(copy)),
            _ => None,
        }
    }
}

impl Closure {
    /// None where a closure escapes, or captures nothing noncopyable.
    fn new(
        queries: &TypeQueries<'_>,
        signature: Option<SignatureId>,
        body: &Body,
        uses: &Uses,
        closure: InstructionId,
    ) -> Option<Self> {
        let value = body.result(closure)?;
        let (mut conversion, mut destroys) = (None, Vec::new());
        for found in uses.of(value) {
            match body.instructions[found.user].opcode {
                Opcode::ConvertEscapeToNoescape if conversion.is_none() => conversion = Some(found.user),
                Opcode::DestroyValue => destroys.push(found.user),
                _ => return None,
            }
        }
        let site = ApplySite::new(body, closure)?;
        let conventions = site.conventions(queries)?;
        let (mut captured, mut is_noncopyable) = (Vec::new(), false);
        for (number, operand) in body.operands(closure).iter().enumerate().skip(1) {
            let ty = body.ty(*operand);
            let properties = queries.properties(ty.ty, signature);
            if ty.is_address() || properties.is_trivial() {
                continue;
            }
            let argument = site.argument_of_operand(conventions, number)?;
            if argument.convention != ArgumentConvention::Parameter(ParameterConvention::Guaranteed) {
                return None;
            }
            let mut original = None;
            if properties.copyability == Copyability::Noncopyable {
                is_noncopyable = true;
                if uses.of(*operand).len() != 1 {
                    return None;
                }
                original = Some(Original::of(body, *operand)?);
            }
            captured.push(Captured { operand: number, value: *operand, original });
        }
        is_noncopyable.then_some(Self { closure, conversion: conversion?, destroys, captured })
    }

    fn put_on_stack(&self, body: &mut Body) {
        let Some(converted) = body.result(self.conversion) else { return };
        let ty = body.ty(converted);
        let mut borrows = Vec::new();
        for captured in &self.captured {
            let (copy, original) = match captured.original {
                Some(Original::Value(copy, original)) => (copy, original),
                Some(Original::Memory(load)) => {
                    let address = Unary::of(body, load).operand;
                    let ty = body.ty(captured.value);
                    let mut builder = InstructionBuilder::new(body, Place::Before(load), load);
                    let borrow = builder.value(Opcode::LoadBorrow, Details::None, &[address], ty);
                    borrows.push(borrow);
                    (load, borrow)
                }
                None => continue,
            };
            body.operands_mut(self.closure)[captured.operand] = original;
            body.erase(copy);
        }
        let operands = body.operands(self.closure).to_vec();
        let types = body.types(self.closure).to_vec();
        let old = &body.instructions[self.closure];
        let mut attributes = old.attributes;
        attributes.insert(Attribute::OnStack);
        let (details, span, location) = (old.details.clone(), old.span, old.location);
        let made = body.insert(
            Place::Before(self.conversion),
            NewInstruction {
                opcode: Opcode::PartialApply,
                attributes,
                details,
                operands: &operands,
                types: &types,
                targets: &[],
                results: &[ty],
                span,
                location,
            },
        );
        let mut replacements = Replacements::default();
        if let Some(made) = body.result(made) {
            replacements.replace(converted, made);
        }
        // What was captured as a copy, or borrowed, lives as long as the closure did.
        for destroy in &self.destroys {
            for captured in self.captured.iter().filter(|captured| captured.original.is_none()) {
                let mut builder = InstructionBuilder::new(body, Place::Before(*destroy), *destroy);
                builder.instruction(Opcode::DestroyValue, Details::None, &[captured.value]);
            }
            for borrow in &borrows {
                let mut builder = InstructionBuilder::new(body, Place::Before(*destroy), *destroy);
                builder.instruction(Opcode::EndBorrow, Details::None, &[*borrow]);
            }
            body.erase(*destroy);
        }
        body.replace_values(&replacements);
        body.erase(self.conversion);
        body.erase(self.closure);
    }
}

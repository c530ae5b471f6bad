//! Calls of closures whose `partial_apply` is known: the function is called directly with the captured values as last
//! arguments (lib/SILOptimizer/Utils/PartialApplyCombiner.cpp).
//!
//! A captured value may be dead at the call, so a copy of it is kept alive as long as the closure.

use sil_analysis::{ApplySite, Use};
use sil_ir::context::{CalleeConvention, ParameterConvention, SilType, SubstitutionMapId, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Apply;
use sil_ir::model::{Details, InstructionId, Place, Value};
use sil_ir::types::{ArgumentConvention, Copyability};

use super::Simplifier;
use crate::InstructionBuilder;
use crate::knowledge::counting::Counting;
use crate::knowledge::lifetime_frontier::lifetime_frontier;

/// A captured value.
#[derive(Clone, Copy)]
struct Captured {
    value: Value,
    convention: ParameterConvention,
}

impl Captured {
    /// Returns whether the callee may mutate the captured memory, which it does not own.
    fn is_changed(self) -> bool {
        matches!(self.convention, ParameterConvention::InOut | ParameterConvention::InOutAliasable)
    }

    /// Returns whether the callee consumes the captured value.
    fn is_consumed(self) -> bool {
        matches!(self.convention, ParameterConvention::Owned | ParameterConvention::In | ParameterConvention::InCxx)
    }
}

impl Simplifier<'_> {
    /// Replaces the calls of a closure with calls of its function. Returns the captures that the closure owns, or
    /// `None` if there are no such calls.
    pub(super) fn call_function_of(&mut self, id: InstructionId, closure: Value) -> Option<Vec<Value>> {
        let calls = self.calls_of(closure);
        if calls.is_empty() {
            return None;
        }
        let captured = self.captured_by(id)?;
        let yields = |call: &InstructionId| self.editor.opcode(*call) == Opcode::BeginApply;
        // A coroutine's consumed copy would need memory until the coroutine ends.
        if calls.iter().any(yields) && captured.iter().any(|found| found.is_consumed()) {
            return None;
        }
        let kept = self.keep_captured(id, closure, &calls, &captured)?;
        for call in calls {
            self.call_with(id, call, &captured, &kept);
        }
        self.editor.forget_ownership();
        let is_trivial = |value: Value| self.editor.is_trivial(self.editor.body().ty(value).object_type());
        let owned = captured.iter().filter(|found| !found.is_changed() && !is_trivial(found.value));
        Some(owned.map(|found| found.value).collect())
    }

    /// The calls of a closure, including those of its copies and conversions.
    fn calls_of(&self, closure: Value) -> Vec<InstructionId> {
        let (mut calls, mut open) = (Vec::new(), vec![closure]);
        while let Some(value) = open.pop() {
            for found in self.editor.uses(value) {
                match self.editor.opcode(found.user) {
                    Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue | Opcode::ConvertEscapeToNoescape => {
                        open.extend(self.editor.body().results(found.user));
                    }
                    Opcode::MarkDependence if found.operand == 0 => {
                        open.extend(self.editor.body().results(found.user));
                    }
                    Opcode::Apply | Opcode::TryApply | Opcode::BeginApply if self.is_plain_call(found) => {
                        calls.push(found.user);
                    }
                    _ => {}
                }
            }
        }
        calls
    }

    /// Returns whether a use calls the value without substitutions.
    fn is_plain_call(&self, found: Use) -> bool {
        match &self.editor.body().instructions[found.user].details {
            Details::Apply(apply) => found.operand == 0 && apply.substitutions == SubstitutionMapId::EMPTY,
            _ => false,
        }
    }

    /// The captures that a closure owns.
    pub(super) fn owned_captures(&self, id: InstructionId) -> Option<Vec<Value>> {
        let is_trivial = |value: Value| self.editor.is_trivial(self.editor.body().ty(value).object_type());
        let captured = self.captured_by(id)?.into_iter();
        Some(
            captured.filter(|found| !found.is_changed() && !is_trivial(found.value)).map(|found| found.value).collect(),
        )
    }

    fn captured_by(&self, id: InstructionId) -> Option<Vec<Captured>> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let site = ApplySite::new(body, id)?;
        let conventions = site.conventions(queries)?;
        let captured = body.operands(id).iter().enumerate().skip(1);
        let captured =
            captured.map(|(number, value)| match site.argument_of_operand(conventions, number)?.convention {
                ArgumentConvention::Parameter(convention) => Some(Captured { value: *value, convention }),
                ArgumentConvention::Result(_) | ArgumentConvention::Error => None,
            });
        captured.collect()
    }

    /// Copies the captures that a closure owns. Returns the values to pass, or `None` if that is not possible.
    fn keep_captured(
        &mut self,
        id: InstructionId,
        closure: Value,
        calls: &[InstructionId],
        captured: &[Captured],
    ) -> Option<Vec<Value>> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let signature = self.editor.environment.function.signature;
        let is_lent = captured.iter().any(|found| self.editor.made_by(found.value, Opcode::StoreBorrow).is_some());
        if is_lent {
            return None;
        }
        if body.instructions[id].attributes.contains(Attribute::OnStack) {
            return Some(captured.iter().map(|found| found.value).collect());
        }
        let is_copied = |found: &Captured| {
            let ty = body.ty(found.value);
            !found.is_changed() && (ty.is_address() || !self.editor.is_trivial(ty))
        };
        let copied: Vec<bool> = captured.iter().map(is_copied).collect();
        let is_noncopyable = |ty: SilType| queries.properties(ty.ty, signature).copyability == Copyability::Noncopyable;
        if captured.iter().zip(&copied).any(|(found, copied)| *copied && is_noncopyable(body.ty(found.value))) {
            return None;
        }
        if !copied.contains(&true) {
            return Some(captured.iter().map(|found| found.value).collect());
        }
        let ends = self.ends_of_closure(closure).0.into_iter();
        let resumptions = calls.iter().flat_map(|call| self.resumptions(*call));
        let users: Vec<InstructionId> = ends.chain(calls.iter().copied()).chain(resumptions).collect();
        let places = lifetime_frontier(body, id, &users)?;
        let kept: Vec<Value> = captured
            .iter()
            .zip(&copied)
            .map(|(found, copied)| if *copied { self.copy_before(id, id, found.value) } else { found.value })
            .collect();
        let made: Vec<Value> =
            kept.iter().zip(&copied).filter(|(_, copied)| **copied).map(|(value, _)| *value).collect();
        for place in places {
            self.end_copies(place, id, &made);
        }
        Some(kept)
    }

    /// The ends of a coroutine that a call begins.
    fn resumptions(&self, call: InstructionId) -> Vec<InstructionId> {
        let body = self.editor.body();
        let ends = |id: &InstructionId| matches!(self.editor.opcode(*id), Opcode::EndApply | Opcode::AbortApply);
        body.results(call).flat_map(|result| self.editor.uses(result)).map(|found| found.user).filter(ends).collect()
    }

    /// Copies a value, or the value at an address to new memory.
    fn copy_before(&mut self, place: InstructionId, like: InstructionId, value: Value) -> Value {
        let ty = self.editor.body().ty(value);
        let has_ownership = self.editor.has_ownership();
        let retain = Counting::of(self.editor.environment, ty).retain();
        self.breaks_nesting |= ty.is_address();
        self.editor.build(Place::Before(place), like, |builder| {
            if ty.is_address() {
                let object = ty.object_type();
                let memory = builder.alloc_stack(object, None);
                let mut init = AttributeSet::default();
                init.insert(Attribute::Init);
                builder.with(init).copy_addr(value, memory);
                return memory;
            }
            if has_ownership {
                return builder.copy_value(value);
            }
            if let Some(retain) = retain {
                builder.effect(retain, value);
            }
            value
        })
    }

    pub(super) fn end_copies(&mut self, place: Place, like: InstructionId, copies: &[Value]) {
        let ends: Vec<(Value, Option<Opcode>, bool)> = copies
            .iter()
            .map(|value| {
                let ty = self.editor.body().ty(*value);
                let end = match self.editor.has_ownership() {
                    _ if self.editor.is_trivial(ty) => None,
                    _ if ty.is_address() => Some(Opcode::DestroyAddr),
                    true => Some(Opcode::DestroyValue),
                    false => Counting::of(self.editor.environment, ty).release(),
                };
                (*value, end, ty.is_address())
            })
            .collect();
        self.editor.build(place, like, |builder: &mut InstructionBuilder<'_>| {
            for (value, end, is_memory) in ends {
                if let Some(end) = end {
                    builder.effect(end, value);
                }
                if is_memory {
                    builder.dealloc_stack(value);
                }
            }
        });
    }

    /// Replaces a closure call with a call of the closure's function that passes the kept captures.
    fn call_with(&mut self, closure: InstructionId, call: InstructionId, captured: &[Captured], kept: &[Value]) {
        let mut passed = Vec::new();
        for (captured, value) in captured.iter().zip(kept) {
            let ty = self.editor.body().ty(*value);
            let is_taken = captured.is_consumed() && (ty.is_address() || !self.editor.is_trivial(ty));
            if !is_taken {
                passed.push(*value);
                continue;
            }
            let copy = self.copy_before(call, closure, *value);
            if ty.is_address() {
                self.after_call(call, |builder| {
                    builder.dealloc_stack(copy);
                });
            }
            passed.push(copy);
        }
        let body = self.editor.body();
        let Apply { callee, apply, .. } = Apply::of(body, closure);
        let mut called = apply.clone();
        let own = body.operands(call);
        let closure_value = own[0];
        let operands: Vec<Value> = [callee].iter().chain(&own[1..]).chain(&passed).copied().collect();
        let instruction = &body.instructions[call];
        if let Details::Apply(written) = &instruction.details {
            called.isolation = written.isolation;
        }
        let (opcode, attributes) = (instruction.opcode, instruction.attributes);
        let targets = body.targets(call).to_vec();
        let is_consumed = matches!(
            self.editor.environment.queries.get(body.ty(closure_value).ty),
            Type::Function(function) if function.callee == CalleeConvention::Owned
        );
        if is_consumed {
            let end = if self.editor.has_ownership() { Opcode::DestroyValue } else { Opcode::StrongRelease };
            self.after_call(call, |builder| {
                builder.effect(end, closure_value);
            });
        }
        match self.editor.body().result(call) {
            Some(result) if opcode == Opcode::Apply => {
                let ty = self.editor.body().ty(result);
                let made = self
                    .editor
                    .build(Place::Before(call), call, |builder| builder.with(attributes).apply(called, &operands, ty));
                self.editor.replace(call, made);
            }
            _ if opcode == Opcode::BeginApply => {
                let made = self.editor.build(Place::Before(call), call, |builder| builder.again(call, &operands));
                self.editor.set_details(made, Details::Apply(Box::new(called)));
                let body = self.editor.body();
                let results: Vec<(Value, Value)> = body.results(call).zip(body.results(made)).collect();
                results.into_iter().for_each(|(old, new)| self.editor.replace_all(old, new));
                self.editor.erase(call);
            }
            _ => {
                let &[normal, error] = &targets[..] else { return };
                self.editor
                    .build(Place::Before(call), call, |builder| builder.try_apply(called, &operands, [normal, error]));
                self.editor.erase(call);
            }
        }
    }

    /// Inserts instructions after a call, on each of its successors.
    pub(super) fn after_call(&mut self, call: InstructionId, make: impl Fn(&mut InstructionBuilder<'_>)) {
        let targets = self.editor.body().targets(call).to_vec();
        if targets.is_empty() {
            return self.editor.build(Place::After(call), call, make);
        }
        for target in targets {
            self.editor.build(Place::Start(target), call, &make);
        }
    }

    /// The instructions that count, copy and destroy a closure, and whether there are no other uses.
    pub(super) fn ends_of_closure(&self, closure: Value) -> (Vec<InstructionId>, Sole) {
        let (mut ends, mut sole, mut open) = (Vec::new(), Sole::Alone, vec![closure]);
        while let Some(value) = open.pop() {
            for found in self.editor.uses(value) {
                match self.editor.opcode(found.user) {
                    Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue | Opcode::ConvertEscapeToNoescape => {
                        open.extend(self.editor.body().results(found.user));
                    }
                    Opcode::StrongRetain
                    | Opcode::RetainValue
                    | Opcode::StrongRelease
                    | Opcode::ReleaseValue
                    | Opcode::DestroyValue
                    | Opcode::DebugValue
                    | Opcode::EndBorrow => {}
                    _ => {
                        sole = Sole::Used;
                        continue;
                    }
                }
                ends.push(found.user);
            }
        }
        (ends, sole)
    }
}

/// Whether a value is only counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sole {
    Alone,
    Used,
}

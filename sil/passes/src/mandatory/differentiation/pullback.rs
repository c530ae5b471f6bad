//! Pullbacks: linear maps from tangent vectors of results to those of parameters, by a backward pass over the function
//! (lib/SILOptimizer/Differentiation/PullbackCloner.cpp, AdjointValue.h). Supports active values in registers and in
//! one block only.

use rustc_hash::FxHashMap;
use sil_analysis::ApplySite;
use sil_ir::context::{SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Function, InstructionId, Value};

use super::derivative_functions::{add_arguments, origin_of_function};
use super::emitter::{Emitter, origin_of};
use super::linear_maps::LinearMaps;
use super::values::{call_results, formal_results, parameter_arguments, return_instruction};
use super::vjp::NestedCall;

/// Returns whether pullbacks support an instruction that takes part.
pub(super) fn is_supported(opcode: Opcode) -> bool {
    use Opcode::*;
    is_passed_on(opcode) || needs_nothing(opcode) || matches!(opcode, Apply | Tuple | DestructureTuple)
}

/// Returns whether the result of an instruction is its operand.
fn is_passed_on(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue)
}

fn needs_nothing(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Return | Opcode::DebugValue | Opcode::DestroyValue | Opcode::EndBorrow)
}

/// A partially constructed tangent vector of a value.
#[derive(Clone, Debug)]
enum Adjoint {
    /// Zero, which is materialised when needed.
    Zero,
    /// A value.
    Concrete(Value),
    /// A tuple of adjoints.
    Aggregate(Vec<Adjoint>),
}

/// Creates the body of a pullback. Its parameters are the tangent vectors of the results, followed by the linear maps
/// of `calls`.
pub(super) fn make(
    maps: &LinearMaps<'_, '_>,
    calls: &[NestedCall],
    pullback: &Function,
) -> Result<Body, Box<Diagnostic>> {
    let view = maps.view;
    let mut body = Body::default();
    let arguments = add_arguments(view.queries, &mut body, pullback);
    let entry = body.blocks.keys().next();
    let made = arguments.zip(entry).and_then(|(arguments, entry)| {
        let origin = origin_of_function(view.module, view.function);
        let emitter = Emitter::at_end(view.queries, &mut body, entry, origin);
        let seeds = arguments.len().checked_sub(calls.len())?;
        let (seeds, linear_maps) = arguments.split_at(seeds);
        let mut this = PullbackCloner {
            maps,
            calls,
            linear_maps,
            emitter,
            adjoints: FxHashMap::default(),
            temporaries: Vec::new(),
        };
        this.run(seeds, pullback)
    });
    let refused = || Box::new(Diagnostic::unsupported("this linear map", view.function.span));
    made.map(|()| body).ok_or_else(refused)
}

struct PullbackCloner<'c, 'v, 'm> {
    maps: &'c LinearMaps<'v, 'm>,
    calls: &'c [NestedCall],
    /// The linear maps of the calls, in order.
    linear_maps: &'c [Value],
    emitter: Emitter<'c, 'm>,
    /// The adjoints of values of the original.
    adjoints: FxHashMap<Value, Adjoint>,
    /// Values that are destroyed at the end of the pullback.
    temporaries: Vec<Value>,
}

impl PullbackCloner<'_, '_, '_> {
    fn run(&mut self, seeds: &[Value], pullback: &Function) -> Option<()> {
        let view = self.maps.view;
        let results = formal_results(view);
        let wanted = self.maps.indices.results.iter().map(|index| results.get(*index as usize).copied());
        let wanted: Vec<Value> = wanted.collect::<Option<_>>()?;
        if wanted.iter().any(|result| !self.maps.activity.is_varied(*result, self.maps.indices)) {
            return self.give_zeros(pullback);
        }
        for (result, seed) in wanted.into_iter().zip(seeds) {
            self.add(result, Adjoint::Concrete(*seed))?;
        }
        let exit = return_instruction(view)?;
        let instructions: Vec<InstructionId> = view.body.instructions_in(view.body.instructions[exit].block).collect();
        for id in instructions.into_iter().rev().filter(|id| self.maps.takes_part(*id)) {
            self.emitter.origin = origin_of(view.body, id);
            self.visit(id)?;
        }
        self.give_adjoints()
    }

    /// Returns zero for all parameters, if a result does not depend on them.
    fn give_zeros(&mut self, pullback: &Function) -> Option<()> {
        let conventions = self.emitter.queries.conventions(pullback.ty)?;
        self.linear_maps.iter().for_each(|linear_map| self.emitter.destroy(*linear_map));
        let zeros: Option<Vec<Value>> =
            conventions.function.results.iter().map(|result| self.emitter.zero(result.ty)).collect();
        let whole = self.emitter.joined(&zeros?);
        self.emitter.at().return_value(whole);
        Some(())
    }

    /// Returns the adjoints of the parameters.
    fn give_adjoints(&mut self) -> Option<()> {
        let view = self.maps.view;
        self.emitter.origin = origin_of_function(view.module, view.function);
        let arguments = &view.body.blocks[view.body.entry()].arguments;
        let mut results = Vec::new();
        for index in &self.maps.indices.parameters {
            let argument = *arguments.get(*index as usize)?;
            let adjoint = self.adjoint(argument);
            let value = self.materialize(&adjoint, self.tangent_type(argument)?)?;
            results.push(self.emitter.copy(value));
        }
        for temporary in std::mem::take(&mut self.temporaries) {
            self.emitter.destroy(temporary);
        }
        let whole = self.emitter.joined(&results);
        self.emitter.at().return_value(whole);
        Some(())
    }

    fn tangent_type(&self, value: Value) -> Option<TypeId> {
        let view = self.maps.view;
        view.queries.tangent_space(view.body.ty(value).ty, None)
    }

    fn adjoint(&self, value: Value) -> Adjoint {
        self.adjoints.get(&value).cloned().unwrap_or(Adjoint::Zero)
    }

    /// Adds to the adjoint of a value.
    fn add(&mut self, value: Value, adjoint: Adjoint) -> Option<()> {
        let sum = match self.adjoints.remove(&value) {
            Some(known) => self.sum(known, adjoint)?,
            None => adjoint,
        };
        self.adjoints.insert(value, sum);
        Some(())
    }

    fn sum(&mut self, left: Adjoint, right: Adjoint) -> Option<Adjoint> {
        Some(match (left, right) {
            (Adjoint::Zero, other) | (other, Adjoint::Zero) => other,
            (Adjoint::Concrete(left), Adjoint::Concrete(right)) => {
                let sum = self.emitter.sum(left, right)?;
                self.temporaries.push(sum);
                Adjoint::Concrete(sum)
            }
            (Adjoint::Aggregate(left), Adjoint::Aggregate(right)) => {
                let sums: Option<Vec<Adjoint>> =
                    left.into_iter().zip(right).map(|(left, right)| self.sum(left, right)).collect();
                Adjoint::Aggregate(sums?)
            }
            (Adjoint::Concrete(whole), Adjoint::Aggregate(parts))
            | (Adjoint::Aggregate(parts), Adjoint::Concrete(whole)) => {
                let known = self.divided(whole);
                let sums: Option<Vec<Adjoint>> =
                    known.into_iter().zip(parts).map(|(known, part)| self.sum(known, part)).collect();
                Adjoint::Aggregate(sums?)
            }
        })
    }

    /// Splits a tuple into its elements, which are temporaries.
    fn divided(&mut self, whole: Value) -> Vec<Adjoint> {
        let copy = self.emitter.copy(whole);
        let parts = self.emitter.elements(copy);
        self.temporaries.extend(&parts);
        parts.into_iter().map(Adjoint::Concrete).collect()
    }

    /// Materialises an adjoint as a value of type `ty`, which is a temporary.
    fn materialize(&mut self, adjoint: &Adjoint, ty: TypeId) -> Option<Value> {
        let value = match adjoint {
            Adjoint::Concrete(value) => return Some(*value),
            Adjoint::Zero => self.emitter.zero(ty)?,
            Adjoint::Aggregate(parts) => {
                let Type::Tuple(elements) = self.emitter.queries.get(ty) else { return None };
                let mut values = Vec::new();
                for (part, element) in parts.iter().zip(elements.iter()) {
                    let value = self.materialize(part, element.ty)?;
                    values.push(self.emitter.copy(value));
                }
                self.emitter.at().tuple(&values, SilType::object(ty))
            }
        };
        self.temporaries.push(value);
        Some(value)
    }

    fn visit(&mut self, id: InstructionId) -> Option<()> {
        let body = self.maps.view.body;
        match body.instructions[id].opcode {
            Opcode::Apply => self.call(id),
            Opcode::Tuple => self.tuple(id),
            Opcode::DestructureTuple => self.destructured(id),
            opcode if is_passed_on(opcode) => {
                let (result, operand) = (body.result(id)?, *body.operands(id).first()?);
                let adjoint = self.adjoint(result);
                self.add(operand, adjoint)?;
                if opcode == Opcode::MoveValue {
                    self.adjoints.insert(result, Adjoint::Zero);
                }
                Some(())
            }
            opcode => needs_nothing(opcode).then_some(()),
        }
    }

    /// Propagates adjoints backward through a call, by its linear map.
    fn call(&mut self, id: InstructionId) -> Option<()> {
        let view = self.maps.view;
        let number = self.calls.iter().position(|nested| nested.call == id)?;
        let (nested, linear_map) = (&self.calls[number], *self.linear_maps.get(number)?);
        let call = ApplySite::new(view.body, id)?;
        let results = call_results(view, call, call.conventions(view.queries)?);
        let mut seeds = Vec::new();
        for index in &nested.indices.results {
            let result = (*results.get(*index as usize)?)?;
            let adjoint = self.adjoint(result);
            seeds.push(self.materialize(&adjoint, self.tangent_type(result)?)?);
        }
        let whole = self.emitter.apply(linear_map, &seeds)?;
        self.emitter.destroy(linear_map);
        let tangents = self.emitter.elements(whole);
        self.temporaries.extend(&tangents);
        let arguments = parameter_arguments(view, call);
        for (index, tangent) in nested.indices.parameters.iter().zip(tangents) {
            self.add(*arguments.get(*index as usize)?, Adjoint::Concrete(tangent))?;
        }
        Some(())
    }

    /// Returns the values that have tangent spaces.
    fn with_tangents(&self, values: impl IntoIterator<Item = Value>) -> Vec<Value> {
        values.into_iter().filter(|value| self.tangent_type(*value).is_some()).collect()
    }

    fn tuple(&mut self, id: InstructionId) -> Option<()> {
        let body = self.maps.view.body;
        let elements = self.with_tangents(body.operands(id).iter().copied());
        let parts = match (self.adjoint(body.result(id)?), &elements[..]) {
            (Adjoint::Zero, _) => return Some(()),
            (whole, [only]) => return self.add(*only, whole),
            (Adjoint::Aggregate(parts), _) => parts,
            (Adjoint::Concrete(whole), _) => self.divided(whole),
        };
        elements.into_iter().zip(parts).try_for_each(|(element, part)| self.add(element, part))
    }

    fn destructured(&mut self, id: InstructionId) -> Option<()> {
        let body = self.maps.view.body;
        let operand = *body.operands(id).first()?;
        let parts = self.with_tangents(body.results(id));
        let mut adjoints: Vec<Adjoint> = parts.into_iter().map(|part| self.adjoint(part)).collect();
        match adjoints.len() {
            1 => self.add(operand, adjoints.pop()?),
            _ => self.add(operand, Adjoint::Aggregate(adjoints)),
        }
    }
}

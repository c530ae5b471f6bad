//! References to the derivatives of a function value, with the conversions and captures of the function value itself
//! (lib/SILOptimizer/Mandatory/Differentiation.cpp, `emitDerivativeFunctionReference`, `reapplyFunctionConversion`).

use sil_analysis::ApplySite;
use sil_ir::context::{
    CalleeConvention, Derivative, DerivativeKind, DifferentiabilityIndices, FunctionType, MemberRef, Name,
    Representation, SilType, SubstitutionMapId, Type, TypeId,
};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{
    Apply, Body, DerivativeConfiguration, Details, Extractee, InstructionId, Method, Ownership, Place, Value,
};
use sil_ir::types::ClosureStorage;

use super::emitter::Emitter;
use crate::knowledge::counting::Counting;

/// The source of the derivatives of a function value.
#[derive(Clone, Debug)]
pub(super) enum DerivativeSource {
    /// A differentiable function, from which they are extracted.
    Differentiable(Value),
    /// A witness of the function that this `function_ref` refers to.
    Witness(InstructionId, Box<DerivativeConfiguration>),
    /// Thunks over the functions of a witness for this value: the forward-mode derivative and the reverse-mode one.
    Thunks([(Name, TypeId); 2]),
    /// A method lookup in a table, with the derivative.
    Method(InstructionId, Box<MethodDerivative>),
}

/// A derivative in a table.
#[derive(Clone, Debug)]
pub(super) struct MethodDerivative {
    /// The parameter indices as in the table: `SU.<Self where Self : P>`
    pub(super) words: Name,
    /// The indices of the lowered function's parameters and results.
    pub(super) indices: DifferentiabilityIndices,
}

/// Returns the instruction of kind `opcode` under conversions, copies, borrows and partial applications of a function
/// value (`peerThroughFunctionConversions`).
pub(super) fn after_conversions(body: &Body, value: Value, opcode: Opcode) -> Option<InstructionId> {
    let mut value = value;
    // Unreachable code may be circular.
    for _ in 0..=body.instructions.len() {
        let id = body.defining(value)?;
        let found = body.instructions[id].opcode;
        if found == opcode {
            return Some(id);
        }
        if !is_conversion(found) {
            return None;
        }
        value = *body.operands(id).first()?;
    }
    None
}

fn is_conversion(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, CopyValue | BeginBorrow | ThinToThickFunction | ConvertFunction | PartialApply)
}

/// Emits references to derivatives in front of their user.
pub(super) struct References<'r, 'q> {
    pub(super) emitter: Emitter<'r, 'q>,
    /// Whether the function has ownership.
    pub(super) has_ownership: bool,
    /// The ownership of the original values.
    pub(super) ownership: &'r dyn Fn(Value) -> Ownership,
    /// Copies of memory captures, in the order of creation.
    pub(super) buffers: Vec<Value>,
}

impl References<'_, '_> {
    /// Emits a reference to a derivative of `original`.
    pub(super) fn derivative(
        &mut self,
        source: &DerivativeSource,
        kind: DerivativeKind,
        original: Value,
    ) -> Option<Value> {
        let (made, of) = match source {
            DerivativeSource::Differentiable(value) => return self.extracted(*value, kind),
            DerivativeSource::Thunks([jvp, vjp]) => {
                let (name, ty) = if kind == DerivativeKind::Jvp { *jvp } else { *vjp };
                let made = self.emitter.function_ref(name, ty);
                return self.as_context_of(made, original);
            }
            DerivativeSource::Witness(reference, configuration) => (self.of_witness(configuration, kind), *reference),
            DerivativeSource::Method(lookup, derivative) => (self.of_method(*lookup, derivative, kind), *lookup),
        };
        let made = made?;
        self.reapplied(made, self.emitter.body.result(of), original)
    }

    /// Returns whether an original value has ownership.
    fn is_owned(&self, value: Value) -> bool {
        (self.ownership)(value) != Ownership::None
    }

    /// Extracts this derivative from a differentiable function, as an owned value.
    fn extracted(&mut self, value: Value, kind: DerivativeKind) -> Option<Value> {
        let (queries, ty) = (self.emitter.queries, self.emitter.ty(value).ty);
        let derivative = match queries.get(ty) {
            Type::Function(function) => {
                let original = function.without_differentiability();
                queries.derivative_type(&original, &function.differentiability_indices(), kind, None)
            }
            _ => None,
        };
        let ty = SilType::object(derivative?);
        let extract = |emitter: &mut Emitter<'_, '_>, value| {
            emitter.at().differentiable_function_extract(value, extractee(kind), ty)
        };
        if !self.is_owned(value) {
            return Some(extract(&mut self.emitter, value));
        }
        let borrowed = self.emitter.at().begin_borrow(value);
        let part = extract(&mut self.emitter, borrowed);
        let copy = self.emitter.copy(part);
        self.emitter.at().end_borrow(borrowed);
        Some(copy)
    }

    fn of_witness(&mut self, configuration: &DerivativeConfiguration, kind: DerivativeKind) -> Option<Value> {
        let queries = self.emitter.queries;
        let Type::Function(original) = queries.get(configuration.ty) else { return None };
        let ty = queries.derivative_type(original, &configuration.indices, kind, configuration.signature)?;
        let witness = (extractee(kind), Box::new(configuration.clone()));
        Some(self.emitter.at().differentiability_witness_function(witness, SilType::object(ty)))
    }

    /// Emits the lookup of a derivative of a method.
    fn of_method(
        &mut self,
        lookup: InstructionId,
        derivative: &MethodDerivative,
        kind: DerivativeKind,
    ) -> Option<Value> {
        let Emitter { queries, body, .. } = &self.emitter;
        let original = body.result(lookup)?;
        let Type::Function(function) = queries.get(body.ty(original).ty) else { return None };
        let ty = queries.derivative_type(function, &derivative.indices, kind, None)?;
        let Details::Method(method) = &body.instructions[lookup].details else { return None };
        let member = MemberRef {
            derivative: Some(Derivative { kind, configuration: derivative.words }),
            ..queries.context.get_member(method.member).clone()
        };
        let method = Method { member: queries.context.member(member), ..(**method).clone() };
        Some(self.emitter.at().method_like(lookup, method, SilType::object(ty)))
    }

    /// Reapplies to `made` the conversions from `from` to `to`.
    fn reapplied(&mut self, made: Value, from: Option<Value>, to: Value) -> Option<Value> {
        if Some(to) == from {
            return Some(made);
        }
        let body = &self.emitter.body;
        let Some(conversion) = body.defining(to) else { return Some(made) };
        let inner = |body: &Body| body.operands(conversion).first().copied().unwrap_or(to);
        match body.instructions[conversion].opcode {
            Opcode::PartialApply => self.partially_applied(made, from, conversion),
            Opcode::ThinToThickFunction => {
                let operand = Unary::of(body, conversion).operand;
                let made = self.reapplied(made, from, operand)?;
                let ty = self.thick(made)?;
                Some(self.emitter.at().thin_to_thick_function(made, SilType::object(ty)))
            }
            // The user of the derivative consumes it and converts it if necessary.
            _ => {
                let operand = inner(body);
                self.reapplied(made, from, operand)
            }
        }
    }

    /// Converts a thin function to a thick one, if `original` is thick.
    fn as_context_of(&mut self, made: Value, original: Value) -> Option<Value> {
        let queries = self.emitter.queries;
        let Type::Function(function) = queries.get(self.emitter.ty(original).ty) else { return None };
        if function.representation != Representation::Thick {
            return Some(made);
        }
        let ty = SilType::object(self.thick(made)?);
        Some(self.emitter.at().thin_to_thick_function(made, ty))
    }

    /// Returns the thick form of a thin function type.
    fn thick(&self, function: Value) -> Option<TypeId> {
        let queries = self.emitter.queries;
        let Type::Function(function) = queries.get(self.emitter.ty(function).ty) else { return None };
        let callee = CalleeConvention::Guaranteed;
        let thick = FunctionType { representation: Representation::Thick, callee, ..(**function).clone() };
        Some(queries.context.ty(Type::Function(Box::new(thick))))
    }

    /// Makes a partial application of `made` like `closure`, with copies of its captures.
    fn partially_applied(&mut self, made: Value, from: Option<Value>, closure: InstructionId) -> Option<Value> {
        let body = &self.emitter.body;
        let (attributes, details) = (body.instructions[closure].attributes, body.instructions[closure].details.clone());
        let operands = body.operands(closure).to_vec();
        let Some((callee, captured)) = operands.split_first() else { return Some(made) };
        if attributes.contains(Attribute::OnStack) || !attributes.contains(Attribute::CalleeGuaranteed) {
            return None;
        }
        let Details::Apply(apply) = details else { return Some(made) };
        // The original closure may consume its captures.
        let place = std::mem::replace(&mut self.emitter.place, Place::Before(closure));
        let arguments = self.copied(captured, closure);
        self.emitter.place = place;
        let arguments = arguments?;
        let inner = self.reapplied(made, from, *callee)?;
        let queries = self.emitter.queries;
        let callee_type = self.emitter.ty(inner);
        let is_generic =
            matches!(queries.get(callee_type.ty), Type::Function(function) if function.signature.is_some());
        let substitutions = match (is_generic, &queries.get(self.emitter.ty(*callee).ty)) {
            (false, _) => SubstitutionMapId::EMPTY,
            (true, Type::Function(function)) if self.has_signature_of(callee_type, function) => apply.substitutions,
            (true, _) => return None,
        };
        let (count, convention) = (arguments.len(), CalleeConvention::Guaranteed);
        let ty = queries.partial_apply_type(callee_type.ty, substitutions, count, convention, ClosureStorage::Heap);
        let ty = SilType::object(ty?);
        let operands: Vec<Value> = std::iter::once(inner).chain(arguments).collect();
        let apply = Apply { callee_type, substitutions, ..*apply };
        Some(self.emitter.at().with(attributes).partial_apply(apply, &operands, ty))
    }

    fn has_signature_of(&self, derivative: SilType, original: &FunctionType) -> bool {
        let queries = self.emitter.queries;
        match (queries.get(derivative.ty), original.signature) {
            (Type::Function(function), Some(original)) => {
                function.signature.is_some_and(|signature| queries.same_signature(signature, original))
            }
            _ => false,
        }
    }

    /// Copies the captures of a closure for another one (`copyParameterArgumentsForApply`).
    fn copied(&mut self, captured: &[Value], closure: InstructionId) -> Option<Vec<Value>> {
        let aliased = self.aliased_captures(closure);
        let mut copies = Vec::new();
        for (captured, is_aliased) in captured.iter().zip(aliased) {
            let ty = self.emitter.ty(*captured);
            copies.push(match (ty.is_address(), is_aliased) {
                (true, true) => *captured,
                (true, false) => self.copied_memory(*captured),
                (false, _) if self.has_ownership && !self.is_owned(*captured) => *captured,
                (false, _) if self.has_ownership => self.emitter.copy(*captured),
                (false, _) => self.retained(*captured)?,
            });
        }
        Some(copies)
    }

    /// Returns for each capture whether it is an aliasable address.
    fn aliased_captures(&self, closure: InstructionId) -> Vec<bool> {
        let Emitter { queries, body, .. } = &self.emitter;
        let site = ApplySite::new(body, closure);
        let conventions = site.and_then(|site| site.conventions(queries));
        let (Some(site), Some(conventions)) = (site, conventions) else { return Vec::new() };
        let numbers = 1..=site.arguments().len();
        let conventions = numbers.map(|operand| site.argument_of_operand(conventions, operand));
        conventions.map(|argument| argument.is_some_and(|argument| argument.convention.is_inout())).collect()
    }

    fn copied_memory(&mut self, address: Value) -> Value {
        let ty = self.emitter.ty(address).ty;
        let buffer = self.emitter.at().alloc_stack(SilType::object(ty), None);
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Init);
        self.emitter.at().with(attributes).copy_addr(address, buffer);
        self.buffers.push(buffer);
        buffer
    }

    /// Retains a value in a function without ownership.
    fn retained(&mut self, value: Value) -> Option<Value> {
        let queries = self.emitter.queries;
        if self.emitter.is_trivial(self.emitter.ty(value).ty) {
            return Some(value);
        }
        let counting = match queries.properties(self.emitter.ty(value).ty, None).is_reference() {
            true => Counting::Strong,
            false => return None,
        };
        if let Some(retain) = counting.retain() {
            self.emitter.at().effect(retain, value);
        }
        Some(value)
    }
}

fn extractee(kind: DerivativeKind) -> Extractee {
    match kind {
        DerivativeKind::Jvp => Extractee::Jvp,
        DerivativeKind::Vjp => Extractee::Vjp,
    }
}

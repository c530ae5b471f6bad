//! Calls of array functions that passes may move, copy or remove: direct calls with the signature of the library's
//! function of that semantics (`ArraySemanticsCall`, lib/SILOptimizer/Analysis/ArraySemantic.cpp).
//!
//! Does not own: the semantics of the functions (`array_semantics`), and moving of calls (`editing`).

use sil_analysis::ApplySite;
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{MarkDependence, StructExtract};
use sil_ir::model::{Body, InstructionId, Value};
use sil_ir::types::{ArgumentConvention, FunctionConventions};

use crate::knowledge::array_semantics::ArrayFunction;
use crate::pass::Environment;

/// The convention of the array argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrayConvention {
    /// Guaranteed: the array is borrowed.
    Guaranteed,
    /// Owned: the function consumes the array.
    Owned,
    /// Inout: the function may change the array in place.
    InOut,
    /// Any other convention.
    Other,
}

/// A call of an array function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayCall {
    /// The `apply`.
    pub(crate) instruction: InstructionId,
    /// The semantics of the function.
    pub(crate) function: ArrayFunction,
    /// The convention of the array, which is the last argument. `None` without `self`.
    pub(crate) convention: Option<ArrayConvention>,
}

impl ArrayCall {
    /// Returns the array call at `id`.
    pub(crate) fn of(environment: Environment<'_>, body: &Body, id: InstructionId) -> Option<Self> {
        let site = ApplySite::new(body, id).filter(|_| body.instructions[id].opcode == Opcode::Apply)?;
        let reference = body.defining(site.callee()?)?;
        let function = ArrayFunction::of_call(environment.module, body, id)?;
        if body.instructions[reference].opcode != Opcode::FunctionRef || function == ArrayFunction::Other {
            return None;
        }
        let conventions = site.conventions(environment.queries)?;
        let call = Self { instruction: id, function, convention: own_convention(conventions) };
        let has_array = call.convention.is_some() || function.makes_array();
        (has_array && call.fits(environment, body, conventions)).then_some(call)
    }

    /// Returns whether the signature fits the semantics: apart from the array, no argument is reference-counted.
    fn fits(self, environment: Environment<'_>, body: &Body, conventions: FunctionConventions<'_>) -> bool {
        use ArrayConvention::{Guaranteed, InOut, Owned};
        let arguments = self.arguments(body);
        let is_value = || matches!(self.convention, Some(Guaranteed | Owned));
        let (signature, queries) = (environment.function.signature, environment.queries);
        let is_trivial = |value: &Value| queries.properties(body.ty(*value).ty, signature).is_trivial();
        let others_are_trivial = || arguments.iter().rev().skip(1).all(is_trivial);
        match self.function {
            ArrayFunction::NativeTypeCheck => arguments.len() == 1 && is_value(),
            ArrayFunction::IndexCheck => arguments.len() == 2 && others_are_trivial() && is_value(),
            ArrayFunction::SubscriptCheck => matches!(arguments.len(), 2 | 3) && others_are_trivial() && is_value(),
            ArrayFunction::Count | ArrayFunction::Capacity => arguments.len() == 1,
            ArrayFunction::MakeMutable => self.convention == Some(InOut),
            ArrayFunction::WithUnsafeMutableBufferPointer => {
                arguments.len() == 3 && conventions.indirect_results().count() == 1 && self.convention == Some(InOut)
            }
            _ => true,
        }
    }

    fn arguments(self, body: &Body) -> &[Value] {
        ApplySite::new(body, self.instruction).map_or(&[], ApplySite::arguments)
    }

    /// Returns the array, a value or an address.
    pub(crate) fn array(self, body: &Body) -> Option<Value> {
        self.convention?;
        self.arguments(body).last().copied()
    }

    /// Returns the index of the array operand.
    pub(crate) fn array_operand(self, body: &Body) -> usize {
        body.operands(self.instruction).len().saturating_sub(1)
    }

    /// Returns the index that a check tests.
    pub(crate) fn checked_index(self, body: &Body) -> Option<Value> {
        self.arguments(body).first().copied().filter(|_| self.is_check())
    }

    /// Returns the argument of a subscript check that holds the result of the native type check.
    pub(crate) fn native_type_check(self, body: &Body) -> Option<Value> {
        match self.arguments(body) {
            [_, native, _] if self.function == ArrayFunction::SubscriptCheck => Some(*native),
            _ => None,
        }
    }

    /// Returns whether the call checks an index.
    pub(crate) fn is_check(self) -> bool {
        matches!(self.function, ArrayFunction::SubscriptCheck | ArrayFunction::IndexCheck)
    }

    /// Returns the address of the array if the function takes a loaded value, otherwise the array itself.
    pub(crate) fn storage(self, body: &Body) -> Option<Value> {
        let array = self.array(body)?;
        if body.ty(array).is_address() {
            return Some(array);
        }
        Some(loaded_from(body, array).unwrap_or(array))
    }
}

/// Returns the address that a value was loaded from, looking through copies.
pub(crate) fn loaded_from(body: &Body, value: Value) -> Option<Value> {
    let mut origin = value;
    loop {
        let id = body.defining(origin)?;
        match body.instructions[id].opcode {
            Opcode::CopyValue => origin = *body.operands(id).first()?,
            Opcode::Load => return body.operands(id).first().copied(),
            _ => return None,
        }
    }
}

fn own_convention(conventions: FunctionConventions<'_>) -> Option<ArrayConvention> {
    let own = conventions.argument(conventions.argument_of_parameter(conventions.self_parameter()?))?;
    Some(match own.convention {
        ArgumentConvention::Parameter(ParameterConvention::Guaranteed) => ArrayConvention::Guaranteed,
        ArgumentConvention::Parameter(ParameterConvention::Owned) => ArrayConvention::Owned,
        ArgumentConvention::Parameter(ParameterConvention::InOut) => ArrayConvention::InOut,
        _ => ArrayConvention::Other,
    })
}

/// Returns whether an address is in the buffer of an array (`isAddressOfArrayElement`).
pub(crate) fn is_array_element(environment: Environment<'_>, body: &Body, address: Value) -> bool {
    let made_by =
        |value: Value, opcode: Opcode| body.defining(value).filter(|id| body.instructions[*id].opcode == opcode);
    let mut base = without_projections(body, address);
    if let Some(id) = made_by(base, Opcode::MarkDependence) {
        base = without_projections(body, MarkDependence::of(body, id).value);
    }
    if made_by(base, Opcode::RefTailAddr).is_some() {
        return true;
    }
    let element = || {
        let pointer = *body.operands(made_by(base, Opcode::PointerToAddress)?).first()?;
        let whole = StructExtract::of(body, made_by(pointer, Opcode::StructExtract)?).operand;
        ArrayCall::of(environment, body, body.defining(whole)?)
    };
    element().is_some_and(|call| call.function == ArrayFunction::ElementAddress)
}

fn without_projections(body: &Body, mut address: Value) -> Value {
    while let Some(id) = body.defining(address) {
        let next = match body.instructions[id].opcode {
            Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::IndexAddr => body.operands(id).first(),
            _ => None,
        };
        let Some(next) = next else { break };
        address = *next;
    }
    address
}

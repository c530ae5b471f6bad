//! Standard library functions that are evaluated by their `@_semantics` instead of their bodies
//! (lib/SILOptimizer/Utils/ConstExpr.cpp, `classifyFunction`, `computeWellKnownCallResult`).

use sil_analysis::ApplySite;
use sil_ir::context::{ParameterConvention, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, FunctionId, InstructionId, Module, Value, views};
use sil_ir::types::{ArgumentConvention, Signedness, TypeQueries};
use std::rc::Rc;

use super::evaluator::{Evaluator, FunctionState, Mode};
use super::unknown::{Evaluated, UnknownReason};
use super::values::{Address, ArrayStorage, SymbolicValue};

/// The effect of a known function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KnownFunction {
    /// Creates an empty array.
    ArrayInitEmpty,
    /// Allocates an array of a number of elements, and returns the address of the first one.
    AllocateUninitializedArray,
    /// Ends the mutation of an array.
    EndArrayMutation,
    /// Returns an array whose elements have been initialised.
    FinalizeUninitializedArray,
    ArrayAppendElement,
    StringInitEmpty,
    /// Creates a string from a literal.
    StringMakeUtf8,
    StringAppend,
    StringEquals,
    /// Doubles each `%`.
    StringEscapePercent,
    /// Returns the digits of a number.
    BinaryIntegerDescription,
    /// Ends the program.
    AssertionFailure,
    /// Prints a value for developers of the evaluator.
    DebugPrint,
}

/// The `@_semantics` of constant-evaluable functions.
const EVALUABLE: &str = "constant_evaluable";

fn known_function(module: &Module, function: FunctionId) -> Option<KnownFunction> {
    use KnownFunction::*;
    let named = |name: &str| {
        Some(match name {
            "array.init.empty" => ArrayInitEmpty,
            "array.uninitialized_intrinsic" => AllocateUninitializedArray,
            "array.end_mutation" => EndArrayMutation,
            "array.finalize_intrinsic" => FinalizeUninitializedArray,
            "array.append_element" => ArrayAppendElement,
            "string.init_empty" => StringInitEmpty,
            "string.makeUTF8" => StringMakeUtf8,
            "string.append" => StringAppend,
            "string.equals" => StringEquals,
            "string.escapePercent.get" => StringEscapePercent,
            "binaryInteger.description" => BinaryIntegerDescription,
            name if name.starts_with("programtermination_point") => AssertionFailure,
            name if name.starts_with("constant_evaluator_debug_print") => DebugPrint,
            _ => return None,
        })
    };
    module.functions[function].semantics(&module.context).find_map(named)
}

/// Returns whether a function is annotated as constant-evaluable.
pub(crate) fn is_annotated_evaluable(module: &Module, function: FunctionId) -> bool {
    module.functions[function].semantics(&module.context).any(|name| name == EVALUABLE)
}

/// Returns whether a function is constant-evaluable.
pub(crate) fn is_evaluable(module: &Module, function: FunctionId) -> bool {
    is_annotated_evaluable(module, function) || known_function(module, function).is_some()
}

/// Returns whether a call only reads or destroys its arguments and creates a new value: a call of a constant-evaluable
/// function that is not generic, and that neither returns nor mutates values through addresses
/// (lib/SILOptimizer/Utils/ConstExpr.cpp, `isReadOnlyConstantEvaluableCall`).
pub(crate) fn is_read_only_call(module: &Module, queries: &TypeQueries<'_>, body: &Body, call: InstructionId) -> bool {
    let site = ApplySite::new(body, call).filter(|_| body.instructions[call].opcode == Opcode::Apply);
    let function = site.and_then(|site| Some((site, module.function_named(site.called_function()?)?)));
    let Some((site, function)) = function else { return false };
    use KnownFunction::*;
    match known_function(module, function) {
        Some(
            ArrayInitEmpty
            | AllocateUninitializedArray
            | StringInitEmpty
            | StringMakeUtf8
            | StringEquals
            | StringEscapePercent
            | BinaryIntegerDescription,
        ) => return true,
        Some(_) => return false,
        None if !is_annotated_evaluable(module, function) => return false,
        None => {}
    }
    let is_generic = views::Apply::of(body, call).apply.substitutions != SubstitutionMapId::EMPTY;
    let Some(conventions) = site.conventions(queries).filter(|_| !is_generic) else { return false };
    conventions.arguments().all(|argument| {
        !matches!(
            argument.convention,
            ArgumentConvention::Result(_)
                | ArgumentConvention::Parameter(ParameterConvention::InOut | ParameterConvention::InOutAliasable)
        )
    })
}

/// A call of a known function.
#[derive(Clone, Copy)]
struct KnownCall<'m> {
    body: &'m Body,
    id: InstructionId,
    arguments: &'m [Value],
}

type Done = Evaluated<Option<SymbolicValue>>;

impl<'m> Evaluator<'m> {
    /// Evaluates a call of a known function. Returns whether the function is known.
    pub(super) fn call_known(
        &mut self,
        state: &mut FunctionState<'m>,
        id: InstructionId,
        function: FunctionId,
    ) -> Evaluated<bool> {
        use KnownFunction::*;
        let Some(known) = known_function(self.module, function) else { return Ok(false) };
        let body = state.body;
        let call = KnownCall { body, id, arguments: views::Apply::of(body, id).arguments };
        let expected = match known {
            AssertionFailure | DebugPrint => call.arguments.len(),
            ArrayInitEmpty | AllocateUninitializedArray | EndArrayMutation | FinalizeUninitializedArray => 1,
            StringEscapePercent | BinaryIntegerDescription => 1,
            StringInitEmpty => call.arguments.len(),
            ArrayAppendElement | StringAppend => 2,
            StringEquals => 3,
            StringMakeUtf8 => 4,
        };
        if call.arguments.len() != expected {
            return Err(self.invalid(call));
        }
        let result = match known {
            ArrayInitEmpty => self.empty_array(state, call)?,
            AllocateUninitializedArray => self.uninitialized_array(state, call)?,
            EndArrayMutation | DebugPrint => None,
            FinalizeUninitializedArray => Some(self.constant(state, call.arguments[0])?),
            ArrayAppendElement => self.append_element(state, call)?,
            StringInitEmpty => Some(SymbolicValue::String(Rc::new([]))),
            StringMakeUtf8 => self.string_of_literal(state, call)?,
            StringAppend => self.append_string(state, call)?,
            StringEquals => self.equal_strings(state, call)?,
            StringEscapePercent => self.escaped_percent(state, call)?,
            BinaryIntegerDescription => self.digits(state, call)?,
            AssertionFailure => return Err(self.failure(state, call)),
        };
        if let Some(result) = result {
            state.set_result(id, result);
        }
        Ok(true)
    }

    fn invalid(&self, call: KnownCall<'m>) -> Rc<super::Unknown> {
        self.unknown(call.body, call.id, UnknownReason::InvalidOperandValue)
    }

    /// Returns an argument that must be a string.
    fn string(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>, argument: usize) -> Evaluated<Rc<[u8]>> {
        match self.constant(state, call.arguments[argument])? {
            SymbolicValue::String(bytes) => Ok(bytes),
            _ => Err(self.invalid(call)),
        }
    }

    /// Returns the reason of a failed assertion: the kind of failure, then the message.
    fn failure(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Rc<super::Unknown> {
        let mut message = String::new();
        for (number, argument) in call.arguments.iter().enumerate() {
            let value = self.value(state, *argument);
            let text = value.text().map(String::from_utf8_lossy);
            match (number, text) {
                (0, Some(text)) => message.push_str(&text),
                (0, None) => message.push_str("assertion failed"),
                (_, Some(text)) => message.push_str(&format!(": {text}")),
                (_, None) => {}
            }
        }
        self.unknown(call.body, call.id, UnknownReason::Trap(message))
    }

    /// Returns the element type of an array type.
    fn element_type(&self, array: TypeId) -> Option<TypeId> {
        let nominal = self.queries.as_nominal(array)?;
        self.queries.context.replacements(self.queries.nominal_substitutions(nominal)).first().copied()
    }

    fn array(&mut self, ty: TypeId, elements: Vec<SymbolicValue>) -> Option<SymbolicValue> {
        let element_type = self.element_type(ty)?;
        let storage = SymbolicValue::ArrayStorage(Rc::new(ArrayStorage { element_type, elements }));
        Some(SymbolicValue::Array(self.memory.allocate(ty, storage)))
    }

    fn empty_array(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let SymbolicValue::Metatype(ty) = self.constant(state, call.arguments[0])? else {
            return Err(self.invalid(call));
        };
        let array = self.array(ty, Vec::new());
        array.map(Some).ok_or_else(|| self.invalid(call))
    }

    /// Allocates an array whose elements are stored one by one afterwards.
    fn uninitialized_array(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let SymbolicValue::Integer(count) = self.constant(state, call.arguments[0])? else {
            return Err(self.invalid(call));
        };
        // On demand, the order of these stores is unknown.
        if matches!(state.mode, Mode::OnDemand(_)) {
            return Err(self.unknown(call.body, call.id, UnknownReason::Default));
        }
        let result = call.body.result(call.id).map(|result| self.substituted(state, call.body.ty(result).ty));
        let ty = result.and_then(|ty| match self.queries.get(ty) {
            Type::Tuple(elements) => elements.first().map(|element| element.ty),
            _ => None,
        });
        let count = u32::try_from(count.signed()).ok().filter(|count| *count <= self.limits.instructions);
        let (Some(ty), Some(count)) = (ty, count) else { return Err(self.invalid(call)) };
        match self.array(ty, vec![SymbolicValue::UninitializedMemory; count as usize]) {
            Some(SymbolicValue::Array(memory)) => {
                let first = SymbolicValue::Address(Address::new(memory).part(0));
                Ok(Some(SymbolicValue::aggregate(vec![SymbolicValue::Array(memory), first])))
            }
            _ => Err(self.invalid(call)),
        }
    }

    /// Replaces an array with one that has one more element.
    fn append_element(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let [element, array] = *call.arguments else { return Err(self.invalid(call)) };
        let appended = match self.constant(state, element)? {
            SymbolicValue::Address(_) => self.loaded_constant(state, element)?,
            appended => appended,
        };
        let SymbolicValue::Array(memory) = self.loaded_constant(state, array)? else {
            return Err(self.invalid(call));
        };
        let SymbolicValue::ArrayStorage(storage) = self.memory.value(memory) else { return Err(self.invalid(call)) };
        let elements = storage.elements.iter().cloned().chain([appended]).collect();
        let longer = self.array(self.memory.ty(memory), elements).ok_or_else(|| self.invalid(call))?;
        self.store(state, array, longer)?;
        Ok(None)
    }

    fn string_of_literal(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let SymbolicValue::String(bytes) = self.value(state, call.arguments[0]) else { return Err(self.invalid(call)) };
        match self.value(state, call.arguments[1]) {
            SymbolicValue::Integer(count) if usize::try_from(count.signed()) == Ok(bytes.len()) => {
                Ok(Some(SymbolicValue::String(bytes)))
            }
            _ => Err(self.invalid(call)),
        }
    }

    fn append_string(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let appended = self.string(state, call, 0)?;
        let SymbolicValue::String(first) = self.loaded_constant(state, call.arguments[1])? else {
            return Err(self.invalid(call));
        };
        let longer = first.iter().chain(appended.iter()).copied().collect();
        self.store(state, call.arguments[1], SymbolicValue::String(longer))?;
        Ok(None)
    }

    fn equal_strings(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let (one, other) = (self.string(state, call, 0)?, self.string(state, call, 1)?);
        Ok(Some(SymbolicValue::aggregate(vec![SymbolicValue::bit(one == other)])))
    }

    fn escaped_percent(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let mut escaped = Vec::new();
        for byte in self.string(state, call, 0)?.iter() {
            escaped.extend(std::iter::repeat_n(*byte, if *byte == b'%' { 2 } else { 1 }));
        }
        Ok(Some(SymbolicValue::String(escaped.into())))
    }

    /// Returns the digits of an integer of a standard library type.
    fn digits(&mut self, state: &mut FunctionState<'m>, call: KnownCall<'m>) -> Done {
        let ty = self.substituted(state, call.body.ty(call.arguments[0]).ty);
        let Some(signedness) = self.queries.standard_signedness(ty) else { return Err(self.invalid(call)) };
        let loaded = self.loaded_constant(state, call.arguments[0])?;
        let SymbolicValue::Integer(integer) = loaded.innermost() else { return Err(self.invalid(call)) };
        let digits = match signedness {
            Signedness::Signed => integer.signed().to_string(),
            Signedness::Unsigned => integer.unsigned().to_string(),
        };
        Ok(Some(SymbolicValue::String(digits.into_bytes().into())))
    }
}

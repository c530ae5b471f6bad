//! Hoists, copies and removes array semantics calls, with the operands that they need in the destination block
//! (`ArraySemanticsCall::hoist`, `copyTo` and `removeCall`, lib/SILOptimizer/Analysis/ArraySemantic.cpp).

use sil_analysis::Dominators;
use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Place, Value};

use crate::editing::editor::Editor;
use crate::knowledge::array_calls::{ArrayCall, ArrayConvention, loaded_from};
use crate::knowledge::array_semantics::ArrayFunction;
use crate::knowledge::counting::Counting;

/// Moves calls to the end of a block. The control flow is the one that the dominators were computed for.
pub(crate) struct ArrayCallMotion<'e, 'm> {
    pub(crate) editor: &'e mut Editor<'m>,
    pub(crate) dominators: &'e Dominators,
    /// The destination block.
    pub(crate) to: BlockId,
}

/// Returns whether the definition of a value dominates `block` or is in it.
pub(crate) fn is_available(dominators: &Dominators, body: &Body, value: Value, block: BlockId) -> bool {
    match body.values[value].definition {
        Definition::Undef => false,
        Definition::Argument { block: definition, .. } => dominators.dominates(definition, block),
        Definition::Result { instruction, .. } => dominators.dominates(body.instructions[instruction].block, block),
    }
}

impl ArrayCallMotion<'_, '_> {
    fn body(&self) -> &Body {
        self.editor.body()
    }

    fn is_available(&self, value: Value) -> bool {
        is_available(self.dominators, self.body(), value, self.to)
    }

    /// Returns whether the call can be hoisted to the block.
    pub(crate) fn can_hoist(&self, call: ArrayCall) -> bool {
        use ArrayFunction::*;
        match call.function {
            IndexCheck | NativeTypeCheck | ElementAddress | Count | Capacity | MakeMutable | EndMutation => {
                self.can_hoist_array(call)
            }
            SubscriptCheck => {
                let native = call.native_type_check(self.body());
                native.is_none_or(|native| self.can_hoist_native_check(native)) && self.can_hoist_array(call)
            }
            _ => false,
        }
    }

    /// The call of a native storage check that produces the result `native`.
    fn native_check(&self, native: Value) -> Option<ArrayCall> {
        let call = ArrayCall::of(self.editor.environment, self.body(), self.body().defining(native)?)?;
        (call.function == NATIVE).then_some(call)
    }

    /// The instructions of the result `native` if it is a literal.
    fn native_literal(&self, native: Value) -> Option<[InstructionId; 2]> {
        let made = self.editor.made_by(native, Opcode::Struct)?;
        let literal = self.editor.made_by(self.editor.operand(made, 0)?, Opcode::IntegerLiteral)?;
        Some([made, literal])
    }

    fn can_hoist_native_check(&self, native: Value) -> bool {
        match self.native_check(native) {
            Some(requested) if requested.convention == Some(ArrayConvention::Guaranteed) => true,
            Some(requested) => self.can_hoist_array(requested),
            None => self.native_literal(native).is_some(),
        }
    }

    fn can_hoist_array(&self, call: ArrayCall) -> bool {
        use ArrayConvention::{Guaranteed, InOut, Owned};
        let Some(array) = call.array(self.body()) else { return false };
        match call.convention {
            Some(Guaranteed | Owned | InOut) if self.is_available(array) => true,
            // A value that is loaded for a guaranteed argument would have to be destroyed.
            Some(Guaranteed) if self.editor.has_ownership() => false,
            Some(Guaranteed | Owned) => self.loadable_from(array).is_some(),
            _ => false,
        }
    }

    /// The address that the array can be loaded from again in the block.
    fn loadable_from(&self, array: Value) -> Option<Value> {
        let body = self.body();
        let address = loaded_from(body, array)?;
        let load = body.defining(array)?;
        let copies = body.instructions[load].attributes.contains(Attribute::Copy);
        if self.editor.has_ownership() && self.editor.opcode(load) == Opcode::Load && !copies {
            return None;
        }
        let mut base = address;
        while !self.is_available(base) {
            base = self.editor.operand(self.editor.made_by(base, Opcode::StructElementAddr)?, 0)?;
        }
        Some(address)
    }

    /// Moves the call to the end of the block.
    pub(crate) fn hoist(&mut self, call: ArrayCall) {
        let array = self.array_there(call);
        let native = self.prepare_check(call, array);
        if call.convention == Some(ArrayConvention::Owned) {
            destroy_array(self.editor, call);
        }
        let Some(end) = self.body().terminator(self.to) else { return };
        let operands = self.operands_there(call, array, native);
        self.editor.set_operands(call.instruction, &operands);
        self.editor.move_to(call.instruction, Place::Before(end));
        place_callee(self.editor, self.dominators, call.instruction);
    }

    /// Copies the call to the end of the block. `index` replaces the index of a check. Returns the new `apply`.
    pub(crate) fn copy(&mut self, call: ArrayCall, index: Option<Value>) -> Option<InstructionId> {
        let array = self.array_there(call);
        let native = self.prepare_check(call, array);
        let mut operands = self.operands_there(call, array, native);
        if let Some(index) = index {
            operands[FIRST_ARGUMENT] = index;
        }
        self.make_again(call, operands)
    }

    fn make_again(&mut self, call: ArrayCall, operands: Vec<Value>) -> Option<InstructionId> {
        let end = self.body().terminator(self.to)?;
        let copy = self
            .editor
            .build(Place::Before(end), call.instruction, |builder| builder.again(call.instruction, &operands));
        place_callee(self.editor, self.dominators, copy);
        Some(copy)
    }

    /// The array as an operand for the call at the end of the block.
    fn array_there(&mut self, call: ArrayCall) -> Option<Value> {
        let array = call.array(self.body())?;
        let available = if self.is_available(array) { array } else { self.load_again(array)? };
        if !self.editor.has_ownership() && call.convention == Some(ArrayConvention::Owned) {
            let retain = Counting::of(self.editor.environment, self.body().ty(array)).retain()?;
            let end = self.body().terminator(self.to)?;
            self.editor.build(Place::Before(end), call.instruction, |builder| {
                builder.effect(retain, available);
            });
        }
        Some(available)
    }

    fn load_again(&mut self, array: Value) -> Option<Value> {
        let address = self.loadable_from(array)?;
        self.hoist_projections(address);
        let end = self.body().terminator(self.to)?;
        let made = self.body().defining(array)?;
        let mut attributes = self.body().instructions[made].attributes;
        if self.editor.opcode(made) != Opcode::Load {
            attributes = Default::default();
            attributes.insert(Attribute::Copy);
        }
        Some(self.editor.build(Place::Before(end), made, |builder| builder.with(attributes).load(address)))
    }

    fn hoist_projections(&mut self, address: Value) {
        let Some(mut before) = self.body().terminator(self.to) else { return };
        let mut base = address;
        while !self.is_available(base) {
            let Some(projection) = self.body().defining(base) else { return };
            self.editor.move_to(projection, Place::Before(before));
            before = projection;
            let Some(next) = self.editor.operand(projection, 0) else { return };
            base = next;
        }
    }

    /// Prepares the operands of a subscript check, and detaches its result. Returns the native storage result to pass,
    /// if it is another one.
    fn prepare_check(&mut self, call: ArrayCall, array: Option<Value>) -> Option<Value> {
        let native = call.native_type_check(self.body())?;
        forget_result(self.editor, call);
        if let Some(requested) = self.native_check(native) {
            // The array of the original check may not be available in the block, but that of the subscript check is.
            let array = match requested.convention {
                Some(ArrayConvention::Guaranteed) => array,
                _ => self.array_there(requested),
            };
            let copy = self.make_again(requested, self.operands_there(requested, array, None))?;
            return self.body().result(copy);
        }
        for id in self.native_literal(native)? {
            let block = common_dominator(self.dominators, self.to, self.body().instructions[id].block);
            move_to_start(self.editor, id, block);
        }
        None
    }

    fn operands_there(&self, call: ArrayCall, array: Option<Value>, native: Option<Value>) -> Vec<Value> {
        let mut operands = self.body().operands(call.instruction).to_vec();
        if let Some(native) = native {
            operands[FIRST_ARGUMENT + 1] = native;
        }
        if let Some(array) = array {
            operands[call.array_operand(self.body())] = array;
        }
        operands
    }
}

const NATIVE: ArrayFunction = ArrayFunction::NativeTypeCheck;

/// The operand index of the first argument.
const FIRST_ARGUMENT: usize = 1;

/// Returns whether the result of the call is unused or an empty token.
pub(crate) fn gives_nothing(editor: &Editor<'_>, call: ArrayCall) -> bool {
    let body = editor.body();
    let Some(result) = body.result(call.instruction) else { return true };
    let queries = editor.environment.queries;
    let is_token = queries.field_types(body.ty(result).ty).is_some_and(|fields| fields.is_empty());
    is_token || editor.uses(result).is_empty()
}

/// Removes a call whose result is unused or an empty token.
pub(crate) fn remove_call(editor: &mut Editor<'_>, call: ArrayCall) {
    if call.convention == Some(ArrayConvention::Owned) {
        destroy_array(editor, call);
    }
    forget_result(editor, call);
    editor.erase(call.instruction);
}

/// Replaces the result of a native storage check with true, created at `place`.
pub(crate) fn answer_native_type_check(editor: &mut Editor<'_>, call: ArrayCall, place: Place) {
    let Some(result) = editor.body().result(call.instruction) else { return };
    let ty = editor.body().ty(result);
    let bit = SilType::object(editor.environment.queries.context.ty(Type::Builtin(BuiltinType::Integer(1))));
    let yes = editor.build(place, call.instruction, |builder| {
        let holds = builder.integer_literal(-1, bit);
        builder.structure(&[holds], ty)
    });
    editor.replace_all(result, yes);
    remove_call(editor, call);
}

/// Replaces the empty token of a check with a new one.
fn forget_result(editor: &mut Editor<'_>, call: ArrayCall) {
    let Some(result) = editor.body().result(call.instruction) else { return };
    if editor.uses(result).is_empty() {
        return;
    }
    let ty = editor.body().ty(result);
    let token = editor.build(Place::Before(call.instruction), call.instruction, |builder| builder.structure(&[], ty));
    editor.replace_all(result, token);
}

/// Destroys the array that a call would have consumed.
fn destroy_array(editor: &mut Editor<'_>, call: ArrayCall) {
    let Some(array) = call.array(editor.body()) else { return };
    let counting = Counting::of(editor.environment, editor.body().ty(array));
    let destroy = if editor.has_ownership() { Some(Opcode::DestroyValue) } else { counting.release() };
    let Some(destroy) = destroy else { return };
    editor.build(Place::Before(call.instruction), call.instruction, |builder| {
        builder.effect(destroy, array);
    });
}

/// Moves the function reference of `call` so that it dominates the call (`placeFuncRef`).
pub(crate) fn place_callee(editor: &mut Editor<'_>, dominators: &Dominators, call: InstructionId) {
    let body = editor.body();
    let Some(reference) = editor.operand(call, 0).and_then(|callee| body.defining(callee)) else { return };
    let (here, there) = (body.instructions[call].block, body.instructions[reference].block);
    let block = common_dominator(dominators, here, there);
    if block == here && block != there {
        editor.move_to(reference, Place::Before(call));
    } else {
        move_to_start(editor, reference, block);
    }
}

fn move_to_start(editor: &mut Editor<'_>, id: InstructionId, block: BlockId) {
    if editor.body().first_instruction(block) != Some(id) {
        editor.move_to(id, Place::Start(block));
    }
}

/// The nearest common dominator of two blocks.
pub(crate) fn common_dominator(dominators: &Dominators, one: BlockId, other: BlockId) -> BlockId {
    let mut block = one;
    while !dominators.dominates(block, other) {
        let Some(next) = dominators.immediate_dominator(block) else { break };
        block = next;
    }
    block
}

//! Recognises constant strings: empty ones, and those created from literals.

use sil_analysis::ApplySite;
use sil_ir::context::{MemberId, MemberTarget};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Composition, StructExtract};
use sil_ir::model::{Body, Definition, Details, Function, InstructionId, Module, StringEncoding, Value};

use crate::editing::editor::Editor;
use crate::editing::literals;
use crate::knowledge::strings::makes_string;

/// A constant string.
pub(super) struct KnownString {
    /// The UTF-8 code units.
    pub(super) bytes: Box<[u8]>,
    /// The reserved capacity of an empty string.
    pub(super) reserved: i128,
    /// The call that creates it from a literal, or `None` if it is empty.
    pub(super) made: Option<InstructionId>,
}

/// The `@_semantics` strings of a call's callee.
pub(super) fn semantics_of<'m>(module: &'m Module, body: &Body, call: InstructionId) -> impl Iterator<Item = &'m str> {
    called(module, body, call).into_iter().flat_map(|function| function.semantics(&module.context))
}

fn called<'m>(module: &'m Module, body: &Body, call: InstructionId) -> Option<&'m Function> {
    let name = ApplySite::new(body, call)?.called_function()?;
    Some(&module.functions[module.function_named(name)?])
}

impl KnownString {
    /// The constant string that is `value`.
    pub(super) fn of(editor: &Editor<'_>, value: Value) -> Option<Self> {
        let (body, module) = (editor.body(), editor.environment.module);
        let origin = match extracted(editor, value) {
            Some((whole, field)) => field_of(editor, whole, field)?,
            None => value,
        };
        let call = editor.made_by(origin, Opcode::Apply)?;
        let empty = |reserved: i128| Self { bytes: Box::default(), reserved, made: None };
        if semantics_of(module, body, call).any(|name| name == "string.init_empty") {
            return Some(empty(0));
        }
        let arguments = ApplySite::new(body, call)?.arguments();
        if semantics_of(module, body, call).any(|name| name == "string.init_empty_with_capacity") {
            let capacity = arguments.first().and_then(|capacity| integer(editor, *capacity));
            return Some(empty(capacity.unwrap_or(i128::MAX)));
        }
        let &[text, length, _, _] = arguments else { return None };
        let text = editor.made_by(text, Opcode::StringLiteral).filter(|_| makes_string(module, body, call))?;
        let Details::String(literal) = &body.instructions[text].details else { return None };
        let length = literals::known(editor, length)?.integer()?;
        let is_whole = literal.encoding == StringEncoding::Utf8 && length == literal.bytes.len() as i128;
        is_whole.then(|| Self { bytes: literal.bytes.clone(), reserved: 0, made: Some(call) })
    }

    /// Returns whether the string is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// The aggregate and field that `value` extracts, directly or through a call of a function that only extracts it.
fn extracted(editor: &Editor<'_>, value: Value) -> Option<(Value, MemberId)> {
    let body = editor.body();
    if let Some(id) = editor.made_by(value, Opcode::StructExtract) {
        let StructExtract { operand, field } = StructExtract::of(body, id);
        return Some((operand, field));
    }
    let call = editor.made_by(value, Opcode::Apply)?;
    let callee = called(editor.environment.module, body, call)?.body.as_ref()?;
    let end = callee.terminator(callee.entry()).filter(|end| callee.instructions[*end].opcode == Opcode::Return)?;
    let given = callee.defining(*callee.operands(end).first()?)?;
    if callee.instructions[given].opcode != Opcode::StructExtract {
        return None;
    }
    let StructExtract { operand, field } = StructExtract::of(callee, given);
    let Definition::Argument { block, index } = callee.values[operand].definition else { return None };
    let passed = *ApplySite::new(body, call)?.arguments().get(index as usize)?;
    (block == callee.entry()).then_some((passed, field))
}

/// The operand of a `struct` instruction for a field.
fn field_of(editor: &Editor<'_>, whole: Value, field: MemberId) -> Option<Value> {
    let made = editor.made_by(whole, Opcode::Struct)?;
    let number = stored_number(editor, field)?;
    Composition::of(editor.body(), made).elements.get(number as usize).copied()
}

fn stored_number(editor: &Editor<'_>, field: MemberId) -> Option<u32> {
    match editor.environment.queries.context.get_member(field).target {
        MemberTarget::Stored(index) => Some(index),
        _ => None,
    }
}

/// The integer literal in a single-field struct.
fn integer(editor: &Editor<'_>, value: Value) -> Option<i128> {
    let made = editor.made_by(value, Opcode::Struct)?;
    let &[number] = editor.body().operands(made) else { return None };
    literals::known(editor, number)?.integer()
}

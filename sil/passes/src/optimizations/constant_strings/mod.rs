//! Folds operations on constant strings while string semantics calls are not inlined: concatenates literals, removes
//! appends of empty strings, and replaces UTF-8 queries of literals with string literals. Follows
//! lib/SILOptimizer/Transforms/StringOptimization.cpp.
//!
//! This file owns the visit of calls and the tracking of string variables. `known_strings` recognises constant strings.
//!
//! Does not own: type names and constants of globals, which remain calls.

mod known_strings;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{AccessStorage, ApplySite, BodyView, NestedAccess};
use sil_ir::context::{BuiltinType, ParameterConvention, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{BlockId, Body, InstructionId, Place, StringEncoding, StringLiteral, Value};
use sil_ir::types::ArgumentConvention;

use self::known_strings::{KnownString, semantics_of};
use crate::editing::editor::Editor;
use crate::knowledge::counting::Counting;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const CONSTANT_STRINGS: Pass = Pass::new(&Description {
    name: "string-optimization",
    class_name: "StringOptimization",
    summary: "Folds operations on constant strings.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(optimize),
});

/// An empty string with a larger reserved capacity is kept, since appends to it need fewer allocations.
const MOST_RESERVED: i128 = 50;

/// Optimises the string operations of a function.
pub(crate) fn optimize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { body, .. } = environment;
    let is_call = |id: InstructionId| body.instructions[id].opcode == Opcode::Apply;
    let mut calls = body.placed_instructions().filter(|id| is_call(*id));
    if !calls.any(|id| StringCall::of(environment, body, id).is_some()) {
        return Ok(None);
    }
    let view = environment.view();
    let variables = variables(&view);
    let mut strings = Strings { editor: Editor::new(environment), variables };
    for block in body.blocks.keys() {
        strings.in_block(block);
    }
    Ok(strings.editor.finish())
}

/// The semantics of a string call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StringCall {
    /// Appends the first argument to the string at the second.
    Append,
    /// Returns the concatenation of the first two arguments.
    Concat,
    /// Returns the null-terminated UTF-8 code units of the argument.
    Utf8,
}

impl StringCall {
    /// The semantics of the call `id`, if it only borrows its string arguments.
    fn of(environment: Environment<'_>, body: &Body, id: InstructionId) -> Option<Self> {
        use ParameterConvention::{Guaranteed, InOut};
        let site = ApplySite::new(body, id)?;
        let conventions = site.conventions(environment.queries)?;
        let taken: Vec<ArgumentConvention> = conventions.arguments().map(|argument| argument.convention).collect();
        let [guaranteed, changed] = [Guaranteed, InOut].map(ArgumentConvention::Parameter);
        let has = |wanted: &str| semantics_of(environment.module, body, id).any(|name| name == wanted);
        match taken[..] {
            [first, second] if first == guaranteed && second == changed && has("string.append") => Some(Self::Append),
            [first, second, _] if first == guaranteed && second == guaranteed && has("string.concat") => {
                Some(Self::Concat)
            }
            [first] if first == guaranteed && has("string.getUTF8CString") => Some(Self::Utf8),
            _ => None,
        }
    }
}

/// The string variables whose only uses are loads, stores and calls.
fn variables(view: &BodyView<'_>) -> FxHashSet<Value> {
    let body = view.body;
    let stores = body.placed_instructions().filter(|id| view.opcode(*id) == Opcode::Store);
    let destinations = stores.map(|id| Store::of(body, id).destination);
    let is_plain = |address: &Value| {
        use Opcode::{Apply, DeallocStack, DebugValue, Load, LoadBorrow};
        let storage = AccessStorage::of(view, *address, NestedAccess::Stop);
        let is_own =
            storage.is_some_and(|storage| storage.root() == Some(*address) && storage.is_uniquely_identified(view));
        let mut uses = view.uses.of(*address).iter();
        is_own
            && view.queries.is_string(body.ty(*address).ty)
            && uses.all(|found| match view.opcode(found.user) {
                Opcode::Store => found.operand == 1,
                opcode => matches!(opcode, Apply | DeallocStack | DebugValue | Load | LoadBorrow),
            })
    };
    destinations.filter(is_plain).collect()
}

struct Strings<'m> {
    editor: Editor<'m>,
    variables: FxHashSet<Value>,
}

impl Strings<'_> {
    fn in_block(&mut self, block: BlockId) {
        let mut stored: FxHashMap<Value, Value> = FxHashMap::default();
        for id in self.editor.body().instructions_in(block).collect::<Vec<_>>() {
            match self.editor.opcode(id) {
                Opcode::Store => {
                    let Store { source, destination } = Store::of(self.editor.body(), id);
                    stored.remove(&destination);
                    if self.variables.contains(&destination) {
                        stored.insert(destination, source);
                    }
                }
                Opcode::Apply if self.call(id, &mut stored).is_none() => {
                    for operand in self.editor.body().operands(id) {
                        stored.remove(operand);
                    }
                }
                Opcode::Load if self.editor.body().instructions[id].attributes.contains(Attribute::Take) => {
                    stored.remove(&Unary::of(self.editor.body(), id).operand);
                }
                _ => {}
            }
        }
    }

    /// Folds a call. Returns `None` if its result is not known.
    fn call(&mut self, id: InstructionId, stored: &mut FxHashMap<Value, Value>) -> Option<()> {
        let call = StringCall::of(self.editor.environment, self.editor.body(), id)?;
        let arguments = ApplySite::new(self.editor.body(), id)?.arguments().to_vec();
        match (call, &arguments[..]) {
            (StringCall::Append, &[appended, variable]) => self.append(id, (appended, variable), stored),
            (StringCall::Concat, &[left, right, _]) => self.concat(id, left, right),
            (StringCall::Utf8, &[string]) => self.give_bytes(id, string),
            _ => None,
        }
    }

    fn append(
        &mut self,
        id: InstructionId,
        (appended, variable): (Value, Value),
        stored: &mut FxHashMap<Value, Value>,
    ) -> Option<()> {
        let known = KnownString::of(&self.editor, appended);
        if known.as_ref().is_some_and(KnownString::is_empty) {
            self.editor.erase_with_users(id);
            return Some(());
        }
        let before = KnownString::of(&self.editor, *stored.get(&variable)?)?;
        if before.reserved > MOST_RESERVED {
            return None;
        }
        let string = match before.is_empty() {
            true => self.copy(appended, id)?,
            false => self.literal(&[&before, &known?], id)?,
        };
        self.assign(string, variable, id);
        self.editor.erase_with_users(id);
        stored.insert(variable, if before.is_empty() { appended } else { string });
        Some(())
    }

    fn concat(&mut self, id: InstructionId, left: Value, right: Value) -> Option<()> {
        let known = [left, right].map(|string| KnownString::of(&self.editor, string));
        let is_empty = |string: &Option<KnownString>| string.as_ref().is_some_and(KnownString::is_empty);
        let string = match &known {
            [_, second] if is_empty(second) => self.copy(left, id)?,
            [first, _] if is_empty(first) => self.copy(right, id)?,
            [Some(first), Some(second)] => self.literal(&[first, second], id)?,
            _ => return None,
        };
        self.editor.replace(id, string);
        Some(())
    }

    /// Replaces accesses of a literal's code units with accesses of the null-terminated string literal.
    fn give_bytes(&mut self, id: InstructionId, string: Value) -> Option<()> {
        let known = KnownString::of(&self.editor, string)?;
        let pointer = self.pointer();
        let mut open = vec![self.editor.body().result(id)?];
        let mut bytes = None;
        while let Some(value) = open.pop() {
            for found in self.editor.uses(value) {
                let result = self.editor.body().result(found.user);
                match (self.editor.opcode(found.user), result) {
                    (Opcode::StructExtract, Some(part)) => open.push(part),
                    (Opcode::RefTailAddr, Some(address)) => {
                        let literal =
                            *bytes.get_or_insert_with(|| make_text(&mut self.editor, &known.bytes, pointer, id));
                        let ty = self.editor.body().ty(address);
                        let given = self.editor.build(Place::Before(found.user), found.user, |builder| {
                            builder.pointer_to_address(literal, ty)
                        });
                        self.editor.replace_all(address, given);
                    }
                    _ => {}
                }
            }
        }
        bytes.map(|_| ())
    }

    fn pointer(&self) -> SilType {
        self.builtin(BuiltinType::RawPointer)
    }

    fn builtin(&self, ty: BuiltinType) -> SilType {
        SilType::object(self.editor.environment.queries.context.ty(Type::Builtin(ty)))
    }

    /// Copies a string.
    fn copy(&mut self, string: Value, before: InstructionId) -> Option<Value> {
        let ty = self.editor.body().ty(string);
        if self.editor.has_ownership() {
            return Some(self.editor.build(Place::Before(before), before, |builder| builder.copy_value(string)));
        }
        let retain = Counting::of(self.editor.environment, ty).retain()?;
        self.editor.build(Place::Before(before), before, |builder| {
            builder.effect(retain, string);
        });
        Some(string)
    }

    /// Assigns a string to an initialised variable.
    fn assign(&mut self, string: Value, variable: Value, before: InstructionId) {
        let mut attributes = AttributeSet::default();
        let has_ownership = self.editor.has_ownership();
        if has_ownership {
            attributes.insert(Attribute::Assign);
        }
        self.editor.build(Place::Before(before), before, |builder| {
            if !has_ownership {
                builder.destroy_addr(variable);
            }
            builder.with(attributes).store(string, variable);
        });
    }

    /// Creates the concatenation of constant strings, in the way in which the first of them is created.
    fn literal(&mut self, strings: &[&KnownString], before: InstructionId) -> Option<Value> {
        let bytes: Vec<u8> = strings.iter().flat_map(|string| string.bytes.iter().copied()).collect();
        let made = strings.iter().find_map(|string| string.made)?;
        let &[callee, _, _, _, metatype] = self.editor.body().operands(made) else { return None };
        let [callee, metatype] =
            [self.editor.made_by(callee, Opcode::FunctionRef)?, self.editor.made_by(metatype, Opcode::Metatype)?];
        let (word, bit) = (self.builtin(BuiltinType::Word), self.builtin(BuiltinType::Integer(1)));
        let pointer = self.pointer();
        let text = make_text(&mut self.editor, &bytes, pointer, before);
        let (length, is_ascii) = (bytes.len() as i128, -i128::from(bytes.is_ascii()));
        let place = Place::Before(before);
        let [length, is_ascii] = [(length, word), (is_ascii, bit)]
            .map(|(number, ty)| self.editor.build(place, before, |builder| builder.integer_literal(number, ty)));
        let [metatype, callee] =
            [metatype, callee].map(|id| self.editor.build(place, before, |builder| builder.again(id, &[])));
        let body = self.editor.body();
        let operands = [body.result(callee)?, text, length, is_ascii, body.result(metatype)?];
        let call = self.editor.build(place, before, |builder| builder.again(made, &operands));
        self.editor.body().result(call)
    }
}

/// Creates a string literal before `before`.
fn make_text(editor: &mut Editor<'_>, bytes: &[u8], pointer: SilType, before: InstructionId) -> Value {
    let literal = StringLiteral { encoding: StringEncoding::Utf8, bytes: bytes.into() };
    editor.build(Place::Before(before), before, |builder| builder.string_literal(Box::new(literal), pointer))
}

//! The arguments of tests: words after their name, such as `@block[1].instruction[2]`, `%value`, `true` or `42`
//! (lib/SIL/Parser/ParseTestSpecification.cpp).
//!
//! `@` refers to parts of the module relative to the specification: `@instruction` is the instruction after it,
//! `@instruction[+1]` is counted from there, `@instruction[1]` is counted from the start of the function. `@trace` is a
//! value that `debug_value [trace]` marks; the marks of a function are removed with the first reference to one of them.

use rustc_hash::FxHashMap;
use sil_analysis::Use;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, Details, FunctionId, InstructionId, Module, Value};
use sil_ir::source::Span;

use super::TestResult;

/// A test that a function specifies.
pub(super) struct Specification {
    /// The span of the `specify_test`.
    pub(super) span: Span,
    /// The function that contains it.
    pub(super) function: FunctionId,
    text: Box<str>,
    /// The instruction after it.
    anchor: InstructionId,
}

/// An argument of a test, with its function.
#[derive(Clone)]
pub(super) struct Argument {
    pub(super) function: FunctionId,
    pub(super) kind: ArgumentKind,
}

/// The kind of an argument.
#[derive(Clone)]
pub(super) enum ArgumentKind {
    Value(Value),
    Operand(Use),
    Instruction(InstructionId),
    BlockArgument(Value),
    Block(BlockId),
    Function,
    Bool(bool),
    Number(u64),
    Text(String),
}

/// The marked values of functions whose marks have been removed.
#[derive(Default)]
pub(super) struct Traces(FxHashMap<FunctionId, Vec<Value>>);

impl Traces {
    fn of(&mut self, module: &mut Module, function: FunctionId) -> &[Value] {
        self.0.entry(function).or_insert_with(|| take_traces(module, function))
    }
}

fn take_traces(module: &mut Module, function: FunctionId) -> Vec<Value> {
    let Some(body) = &mut module.functions[function].body else { return Vec::new() };
    let marks: Vec<InstructionId> = body.placed_instructions().filter(|id| is_trace(body, *id)).collect();
    let values = marks.iter().filter_map(|id| body.operands(*id).first().copied()).collect();
    marks.into_iter().for_each(|id| body.erase(id));
    values
}

fn is_trace(body: &Body, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    instruction.opcode == Opcode::DebugValue && instruction.attributes.contains(Attribute::Trace)
}

/// Returns the tests that a function specifies, and removes their instructions.
pub(super) fn take(module: &mut Module, function: FunctionId) -> Vec<Specification> {
    let Some(body) = &mut module.functions[function].body else { return Vec::new() };
    let is_test = |body: &Body, id: InstructionId| body.instructions[id].opcode == Opcode::SpecifyTest;
    let found: Vec<InstructionId> = body.placed_instructions().filter(|id| is_test(body, *id)).collect();
    let mut specifications = Vec::new();
    for id in found {
        let mut after = std::iter::successors(body.next(id), |id| body.next(*id));
        let anchor = after.find(|id| !is_test(body, *id) && !is_trace(body, *id));
        let instruction = &body.instructions[id];
        if let (Some(anchor), Details::Message(text)) = (anchor, &instruction.details) {
            specifications.push(Specification { span: instruction.span, function, text: text.clone(), anchor });
        }
        body.erase(id);
    }
    specifications
}

impl Specification {
    /// Returns the name of the test.
    pub(super) fn name(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    /// Returns the words after the name.
    pub(super) fn words(&self) -> Vec<&str> {
        self.text.split_whitespace().skip(1).collect()
    }

    /// Parses the words.
    pub(super) fn arguments(&self, module: &mut Module, traces: &mut Traces) -> TestResult<Vec<Argument>> {
        let words: Vec<String> = self.words().into_iter().map(str::to_owned).collect();
        words.iter().map(|word| self.argument(module, traces, word)).collect()
    }

    fn argument(&self, module: &mut Module, traces: &mut Traces, word: &str) -> TestResult<Argument> {
        let plain = |kind| Ok(Argument { function: self.function, kind });
        if let Ok(value) = word.parse() {
            return plain(ArgumentKind::Bool(value));
        }
        if let Ok(number) = word.parse() {
            return plain(ArgumentKind::Number(number));
        }
        let found = match (word.strip_prefix('%'), word.strip_prefix('@')) {
            (Some(name), _) => self.value(module, name).map(ArgumentKind::Value).and_then(|kind| plain(kind).ok()),
            (_, Some(path)) => self.reference(module, traces, path),
            _ => return plain(ArgumentKind::Text(word.to_owned())),
        };
        found.ok_or_else(|| self.wrong(format!("'{word}' refers to nothing")))
    }

    /// Returns an error in the specification.
    pub(super) fn wrong(&self, message: String) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("bad-test-specification", message, self.span))
    }

    fn value(&self, module: &Module, name: &str) -> Option<Value> {
        let body = module.functions[self.function].body.as_ref()?;
        let has_name = |value: &Value| body.values[*value].name.is_some_and(|found| module.context.text(found) == name);
        body.values.keys().find(has_name)
    }

    /// Resolves a reference such as `@function.block[1].instruction`.
    fn reference(&self, module: &mut Module, traces: &mut Traces, path: &str) -> Option<Argument> {
        let mut place = Place { within: Within::Anchor, function: self.function };
        let mut kind = None;
        for step in path.split('.') {
            let (step, index) = Index::split(step)?;
            kind = Some(self.step(module, traces, &mut place, step, index)?);
        }
        Some(Argument { function: place.function, kind: kind? })
    }

    /// Resolves the next step of a reference, and returns the result.
    fn step(
        &self,
        module: &mut Module,
        traces: &mut Traces,
        place: &mut Place,
        step: &str,
        index: Index<'_>,
    ) -> Option<ArgumentKind> {
        let kind = match step {
            "function" => {
                place.function = index_function(module, place.function, index)?;
                ArgumentKind::Function
            }
            "trace" => ArgumentKind::Value(*traces.of(module, place.function).get(index.number()?)?),
            _ => {
                let body = module.functions[place.function].body.as_ref()?;
                self.step_in_body(body, place, step, index)?
            }
        };
        place.within = match kind {
            ArgumentKind::Function => Within::Function,
            ArgumentKind::Block(block) => Within::Block(block),
            ArgumentKind::Instruction(id) => Within::Instruction(id),
            ArgumentKind::Value(value) => {
                let maker = module.functions[place.function].body.as_ref()?.defining(value);
                maker.map_or(Within::Nothing, Within::Instruction)
            }
            _ => Within::Nothing,
        };
        Some(kind)
    }

    fn step_in_body(&self, body: &Body, place: &Place, step: &str, index: Index<'_>) -> Option<ArgumentKind> {
        let own_block = || body.instructions[self.anchor].block;
        Some(match (step, place.within) {
            ("block", Within::Anchor) => {
                let blocks: Vec<BlockId> = body.blocks.keys().collect();
                ArgumentKind::Block(*index.in_list_or_from(&blocks, own_block())?)
            }
            ("block", Within::Function) => ArgumentKind::Block(body.blocks.keys().nth(index.number()?)?),
            ("instruction", Within::Anchor) => {
                let instructions: Vec<InstructionId> = body.placed_instructions().collect();
                ArgumentKind::Instruction(*index.in_list_or_from(&instructions, self.anchor)?)
            }
            ("instruction", Within::Function) => {
                ArgumentKind::Instruction(body.placed_instructions().nth(index.number()?)?)
            }
            ("instruction", Within::Block(block)) => {
                ArgumentKind::Instruction(body.instructions_in(block).nth(index.number()?)?)
            }
            ("argument", within) => {
                let block = match within {
                    Within::Anchor => own_block(),
                    Within::Function => body.entry(),
                    Within::Block(block) => block,
                    Within::Instruction(_) | Within::Nothing => return None,
                };
                ArgumentKind::BlockArgument(*body.blocks[block].arguments.get(index.number()?)?)
            }
            ("operand", within) => {
                let user = match within {
                    Within::Anchor => body.placed_instructions().next()?,
                    Within::Instruction(id) => id,
                    _ => return None,
                };
                let operand = index.number()?;
                body.operands(user).get(operand)?;
                ArgumentKind::Operand(Use { user, operand: operand as u32 })
            }
            ("result", Within::Instruction(id)) => ArgumentKind::Value(body.results(id).nth(index.number()?)?),
            _ => return None,
        })
    }
}

/// The current position of a reference.
struct Place {
    within: Within,
    function: FunctionId,
}

#[derive(Clone, Copy)]
enum Within {
    /// At the specification.
    Anchor,
    Function,
    Block(BlockId),
    Instruction(InstructionId),
    Nothing,
}

/// The index in brackets.
#[derive(Clone, Copy)]
enum Index<'a> {
    Absent,
    Number(usize),
    /// A relative index, `[+1]` or `[-1]`
    Offset(isize),
    Name(&'a str),
}

impl<'a> Index<'a> {
    /// Splits a step such as `block[1]`.
    fn split(step: &'a str) -> Option<(&'a str, Index<'a>)> {
        let Some((word, rest)) = step.split_once('[') else { return Some((step, Index::Absent)) };
        let inner = rest.strip_suffix(']')?;
        let index = match inner.chars().next()? {
            '+' | '-' => Index::Offset(inner.parse().ok()?),
            '0'..='9' => Index::Number(inner.parse().ok()?),
            _ => Index::Name(inner),
        };
        Some((word, index))
    }

    /// Returns the absolute index; 0 without one.
    fn number(self) -> Option<usize> {
        match self {
            Index::Absent => Some(0),
            Index::Number(number) => Some(number),
            Index::Offset(_) | Index::Name(_) => None,
        }
    }

    /// Returns the entry of a list with this index, or the one at an offset from `from`; `from` itself without an
    /// index.
    fn in_list_or_from<T: PartialEq>(self, list: &[T], from: T) -> Option<&T> {
        let position = match self {
            Index::Number(number) => number,
            Index::Absent => list.iter().position(|entry| *entry == from)?,
            Index::Offset(offset) => list.iter().position(|entry| *entry == from)?.checked_add_signed(offset)?,
            Index::Name(_) => return None,
        };
        list.get(position)
    }
}

fn index_function(module: &Module, own: FunctionId, index: Index<'_>) -> Option<FunctionId> {
    match index {
        Index::Absent => Some(own),
        Index::Number(number) => module.functions.keys().nth(number),
        Index::Name(name) => {
            let has_name = |id: &FunctionId| module.context.text(module.functions[*id].name) == name;
            module.functions.keys().find(has_name)
        }
        Index::Offset(_) => None,
    }
}

//! What a test works with: the function, what it is told, and where it writes.

use std::fmt::Write;

use super::specification::{Argument, ArgumentKind, Specification};
use super::{TestResult, text};
use crate::analysis::{BodyView, LiveDefinition, Use};
use crate::model::{BlockId, Body, InstructionId, Value};
use crate::print::{CommentedLines, PrintOptions};
use crate::transform::pass::Environment;

/// A test that runs.
pub(super) struct Test<'t> {
    /// The function, and what is known of it.
    pub(super) environment: Environment<'t>,
    /// How functions and blocks are written.
    pub(super) print: PrintOptions,
    specification: &'t Specification,
    left: std::iter::Peekable<std::vec::IntoIter<Argument>>,
    lines: CommentedLines<'t>,
    out: &'t mut String,
}

impl<'t> Test<'t> {
    pub(super) fn new(
        environment: Environment<'t>,
        specification: &'t Specification,
        arguments: Vec<Argument>,
        print: PrintOptions,
        out: &'t mut String,
    ) -> Self {
        let lines = CommentedLines::new(environment.module, environment.queries, environment.body);
        Self { environment, print, specification, left: arguments.into_iter().peekable(), lines, out }
    }

    /// The function's body.
    pub(super) fn body(&self) -> &'t Body {
        self.environment.body
    }

    /// A view of the body.
    pub(super) fn view(&self) -> BodyView<'t> {
        let Environment { module, queries, function, body, .. } = self.environment;
        BodyView::new(module, queries, function, body)
    }

    /// Writes text.
    pub(super) fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        _ = self.out.write_fmt(text);
    }

    /// The line of an instruction.
    pub(super) fn instruction(&self, id: InstructionId) -> String {
        self.lines.instruction(id)
    }

    /// The line of a value's definition.
    pub(super) fn value(&self, value: Value) -> String {
        self.lines.value(value)
    }

    /// The line of what begins a lifetime.
    pub(super) fn definition(&self, definition: LiveDefinition) -> String {
        match definition {
            LiveDefinition::Argument(value) => self.value(value),
            LiveDefinition::Instruction(id) => self.instruction(id),
        }
    }

    /// `operand #0 of …`
    pub(super) fn operand(&self, found: Use) -> String {
        format!("operand #{} of {}", found.operand, self.instruction(found.user))
    }

    /// Writes the function.
    pub(super) fn write_function(&mut self) {
        let text = text(self.environment.module, self.specification.function, self.print);
        self.out.push_str(&text);
    }

    /// Whether anything is left of what the test is told.
    pub(super) fn has_more(&mut self) -> bool {
        self.left.peek().is_some()
    }

    /// The next thing that the test is told.
    pub(super) fn take(&mut self) -> TestResult<Argument> {
        self.left.next().ok_or_else(|| self.specification.wrong("the test is told too little".to_owned()))
    }

    /// Says what the test is to be told.
    pub(super) fn wrong<T>(&self, wanted: &str) -> TestResult<T> {
        Err(self.specification.wrong(format!("the test is to be told {wanted} here")))
    }

    /// A value, or the result of an instruction.
    pub(super) fn take_value(&mut self) -> TestResult<Value> {
        match self.take()?.kind {
            ArgumentKind::Value(value) | ArgumentKind::BlockArgument(value) => Ok(value),
            ArgumentKind::Instruction(id) => self.body().result(id).map_or_else(|| self.wrong("a value"), Ok),
            _ => self.wrong("a value"),
        }
    }

    /// An instruction, or the one that defines a value.
    pub(super) fn take_instruction(&mut self) -> TestResult<InstructionId> {
        match self.take()?.kind {
            ArgumentKind::Instruction(id) => Ok(id),
            ArgumentKind::Value(value) => self.body().defining(value).map_or_else(|| self.wrong("an instruction"), Ok),
            _ => self.wrong("an instruction"),
        }
    }

    /// A block.
    pub(super) fn take_block(&mut self) -> TestResult<BlockId> {
        match self.take()?.kind {
            ArgumentKind::Block(block) => Ok(block),
            _ => self.wrong("a block"),
        }
    }

    /// An operand.
    pub(super) fn take_operand(&mut self) -> TestResult<Use> {
        match self.take()?.kind {
            ArgumentKind::Operand(found) => Ok(found),
            _ => self.wrong("an operand"),
        }
    }

    /// `true` or `false`.
    pub(super) fn take_bool(&mut self) -> TestResult<bool> {
        match self.take()?.kind {
            ArgumentKind::Bool(value) => Ok(value),
            _ => self.wrong("'true' or 'false'"),
        }
    }

    /// A number.
    pub(super) fn take_number(&mut self) -> TestResult<u64> {
        match self.take()?.kind {
            ArgumentKind::Number(number) => Ok(number),
            _ => self.wrong("a number"),
        }
    }

    /// A word.
    pub(super) fn take_text(&mut self) -> TestResult<String> {
        match self.take()?.kind {
            ArgumentKind::Text(text) => Ok(text),
            _ => self.wrong("a word"),
        }
    }

    /// A certain word.
    pub(super) fn take_label(&mut self, label: &str) -> TestResult<()> {
        if self.take_text()? == label { Ok(()) } else { self.wrong(&format!("'{label}'")) }
    }
}

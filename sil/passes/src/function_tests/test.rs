//! The context of a test: the function, the arguments, and the output.

use sil_analysis::{BodyView, LiveDefinition, Use};
use sil_ir::model::{BlockId, Body, InstructionId, Value};
use sil_text::print::{CommentedLines, PrintOptions};
use std::fmt::Write;

use super::specification::{Argument, ArgumentKind, Specification};
use super::{TestResult, text};
use crate::pass::Environment;

/// A running test.
pub(super) struct Test<'t> {
    /// The function, and its analyses.
    pub(super) environment: Environment<'t>,
    /// The options for printing functions and blocks.
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

    /// Returns the function's body.
    pub(super) fn body(&self) -> &'t Body {
        self.environment.body
    }

    /// Returns a view of the body.
    pub(super) fn view(&self) -> BodyView<'t> {
        let Environment { module, queries, function, body, .. } = self.environment;
        BodyView::new(module, queries, function, body)
    }

    /// Prints text.
    pub(super) fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        _ = self.out.write_fmt(text);
    }

    /// Returns the line of an instruction.
    pub(super) fn instruction(&self, id: InstructionId) -> String {
        self.lines.instruction(id)
    }

    /// Returns the line of a value's definition.
    pub(super) fn value(&self, value: Value) -> String {
        self.lines.value(value)
    }

    /// Returns the line of a definition.
    pub(super) fn definition(&self, definition: LiveDefinition) -> String {
        match definition {
            LiveDefinition::Argument(value) => self.value(value),
            LiveDefinition::Instruction(id) => self.instruction(id),
        }
    }

    /// Returns an operand as `operand #0 of …`.
    pub(super) fn operand(&self, found: Use) -> String {
        format!("operand #{} of {}", found.operand, self.instruction(found.user))
    }

    /// Prints the function.
    pub(super) fn write_function(&mut self) {
        let text = text(self.environment.module, self.specification.function, self.print);
        self.out.push_str(&text);
    }

    /// Returns whether arguments are left.
    pub(super) fn has_more(&mut self) -> bool {
        self.left.peek().is_some()
    }

    /// Takes the next argument.
    pub(super) fn take(&mut self) -> TestResult<Argument> {
        self.left.next().ok_or_else(|| self.specification.wrong("the test is told too little".to_owned()))
    }

    /// Returns an error with the expected kind of argument.
    pub(super) fn wrong<T>(&self, wanted: &str) -> TestResult<T> {
        Err(self.specification.wrong(format!("the test is to be told {wanted} here")))
    }

    /// Takes a value, or the result of an instruction.
    pub(super) fn take_value(&mut self) -> TestResult<Value> {
        match self.take()?.kind {
            ArgumentKind::Value(value) | ArgumentKind::BlockArgument(value) => Ok(value),
            ArgumentKind::Instruction(id) => self.body().result(id).map_or_else(|| self.wrong("a value"), Ok),
            _ => self.wrong("a value"),
        }
    }

    /// Takes an instruction, or the definition of a value.
    pub(super) fn take_instruction(&mut self) -> TestResult<InstructionId> {
        match self.take()?.kind {
            ArgumentKind::Instruction(id) => Ok(id),
            ArgumentKind::Value(value) => self.body().defining(value).map_or_else(|| self.wrong("an instruction"), Ok),
            _ => self.wrong("an instruction"),
        }
    }

    /// Takes a block.
    pub(super) fn take_block(&mut self) -> TestResult<BlockId> {
        match self.take()?.kind {
            ArgumentKind::Block(block) => Ok(block),
            _ => self.wrong("a block"),
        }
    }

    /// Takes an operand.
    pub(super) fn take_operand(&mut self) -> TestResult<Use> {
        match self.take()?.kind {
            ArgumentKind::Operand(found) => Ok(found),
            _ => self.wrong("an operand"),
        }
    }

    /// Takes `true` or `false`.
    pub(super) fn take_bool(&mut self) -> TestResult<bool> {
        match self.take()?.kind {
            ArgumentKind::Bool(value) => Ok(value),
            _ => self.wrong("'true' or 'false'"),
        }
    }

    /// Takes a number.
    pub(super) fn take_number(&mut self) -> TestResult<u64> {
        match self.take()?.kind {
            ArgumentKind::Number(number) => Ok(number),
            _ => self.wrong("a number"),
        }
    }

    /// Takes a word.
    pub(super) fn take_text(&mut self) -> TestResult<String> {
        match self.take()?.kind {
            ArgumentKind::Text(text) => Ok(text),
            _ => self.wrong("a word"),
        }
    }

    /// Takes a certain word.
    pub(super) fn take_label(&mut self, label: &str) -> TestResult<()> {
        if self.take_text()? == label { Ok(()) } else { self.wrong(&format!("'{label}'")) }
    }
}

//! Writes bodies: blocks, their arguments, the line around an instruction. Values are numbered in textual order, as Swift
//! numbers them: an instruction without results takes a number too.

use super::users::Users;
use super::{DebugInformation, Printer};
use crate::model::{
    ArgumentFlag, BlockId, Body, Definition, InstructionId, LocationId, Module, Ownership, SourcePlace, Value,
};
use crate::types::TypeQueries;

/// Writes one body.
pub(super) struct BodyPrinter<'p, 'a> {
    pub(super) printer: &'p mut Printer<'a>,
    pub(super) module: &'p Module,
    pub(super) body: &'p Body,
    /// The number of each value.
    pub(super) numbers: Vec<u32>,
    /// The number of each instruction: that of its first result, or its own where it has none.
    pub(super) instructions: Vec<u32>,
    /// The block of the instruction that is being written.
    current: BlockId,
    /// The value that a global starts with.
    initial: Option<Value>,
    /// Who uses what, where comments are written.
    pub(super) users: Option<Users>,
}

impl<'p, 'a> BodyPrinter<'p, 'a> {
    pub(super) fn new(
        printer: &'p mut Printer<'a>,
        module: &'p Module,
        queries: &'p TypeQueries<'p>,
        body: &'p Body,
    ) -> Self {
        let mut numbers = vec![0; body.values.len()];
        let mut instructions = vec![0; body.instructions.len()];
        let mut next = 0;
        for block in body.blocks.values() {
            for argument in &block.arguments {
                numbers[argument.as_u32() as usize] = next;
                next += 1;
            }
            for instruction in &block.instructions {
                instructions[instruction.as_u32() as usize] = next;
                let results = body.results(*instruction);
                if results.len() == 0 {
                    next += 1;
                }
                for result in results {
                    numbers[result.as_u32() as usize] = next;
                    next += 1;
                }
            }
        }
        let users = printer.has_comments().then(|| Users::new(queries, body));
        Self { printer, module, body, numbers, instructions, current: body.entry(), initial: None, users }
    }

    /// Writes all blocks.
    pub(super) fn function_body(mut self) {
        let body = self.body;
        for (block, data) in &body.blocks {
            if block != body.entry() {
                self.printer.text("\n");
            }
            self.current = block;
            self.argument_lines(block);
            self.block(block);
            self.printer.list_arguments(body, &data.arguments, &self.numbers);
            self.printer.text(":");
            self.predecessors(block);
            self.printer.text("\n");
            for instruction in &data.instructions {
                self.instruction(*instruction);
            }
        }
    }

    /// Writes the instructions of a global's initialiser.
    pub(super) fn initializer(mut self) {
        let body = self.body;
        let Some(block) = body.blocks.values().next() else { return };
        self.initial = block.instructions.last().and_then(|last| body.result(*last));
        for instruction in &block.instructions {
            self.instruction(*instruction);
        }
    }

    /// Writes the label of a block.
    pub(super) fn block(&mut self, block: BlockId) {
        self.printer.number(format_args!("bb{}", block.as_u32()));
    }

    fn instruction(&mut self, id: InstructionId) {
        let body = self.body;
        self.referenced_function(id);
        self.printer.text("  ");
        let results = body.results(id);
        match results.len() {
            0 => {}
            1 => {
                results.for_each(|result| self.untyped(result));
                self.printer.text(" = ");
            }
            _ => {
                self.printer.text("(");
                for (index, result) in results.enumerate() {
                    self.printer.text(if index > 0 { ", " } else { "" });
                    self.untyped(result);
                }
                self.printer.text(") = ");
            }
        }
        let instruction = &body.instructions[id];
        self.printer.text(instruction.opcode.name());
        self.operation(id);
        if let Some(location) = instruction.location {
            self.location(location);
        }
        self.instruction_comment(id);
        self.printer.text("\n");
    }

    /// Writes a value without its type.
    pub(super) fn untyped(&mut self, value: Value) {
        if self.initial == Some(value) {
            self.printer.text("%initval");
        } else if self.body.values[value].definition == Definition::Undef {
            self.printer.text("undef");
        } else {
            self.printer.number(format_args!("%{}", self.numbers[value.as_u32() as usize]));
        }
    }

    /// Writes a value, with its type where its definition comes later in the text.
    pub(super) fn value(&mut self, value: Value) {
        let earlier = match self.body.values[value].definition {
            Definition::Undef => false,
            Definition::Argument { block, .. } => block <= self.current,
            Definition::Result { instruction, .. } => self.body.instructions[instruction].block <= self.current,
        };
        if earlier { self.untyped(value) } else { self.typed(value) }
    }

    /// Writes a value with its type.
    pub(super) fn typed(&mut self, value: Value) {
        self.untyped(value);
        self.printer.text(" : ");
        self.printer.sil_type(self.body.values[value].ty);
    }

    fn location(&mut self, location: LocationId) {
        if self.printer.options.debug_information == DebugInformation::Omit {
            return;
        }
        if let Some(place) = location.place {
            self.printer.text(if location.automatic { ", loc * " } else { ", loc " });
            self.printer.place(place);
        }
        if let Some(scope) = location.scope {
            let number = self.module.scopes[scope].number;
            self.printer.number(format_args!(", scope {number}"));
        }
    }

    /// Writes `, loc … , scope …` of a variable.
    pub(super) fn variable_location(&mut self, location: LocationId) {
        self.location(location);
    }
}

impl Printer<'_> {
    /// Writes `"file":1:2`.
    pub(super) fn place(&mut self, place: SourcePlace) {
        self.quoted(self.context.text(place.file));
        self.number(format_args!(":{}:{}", place.line, place.column));
    }

    /// Writes `(%0 : @owned $T)`; nothing where there are no arguments.
    fn list_arguments(&mut self, body: &Body, arguments: &[Value], numbers: &[u32]) {
        if arguments.is_empty() {
            return;
        }
        self.text("(");
        self.list(arguments, |printer, argument| {
            let data = &body.values[*argument];
            printer.number(format_args!("%{} : ", numbers[argument.as_u32() as usize]));
            for flag in ArgumentFlag::ALL.iter().filter(|flag| data.flags.contains(**flag)) {
                printer.text(flag.name());
                printer.text(" ");
            }
            printer.text(match data.ownership {
                Ownership::None => "",
                Ownership::Owned => "@owned ",
                Ownership::Guaranteed => "@guaranteed ",
                Ownership::Unowned => "@unowned ",
            });
            printer.sil_type(data.ty);
        });
        self.text(")");
    }
}

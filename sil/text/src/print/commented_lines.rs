//! Single instructions and values of a body as Swift writes them beside its messages: a line each, with types and
//! users.

use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Module, Value};
use sil_ir::source::SourceMap;
use sil_ir::types::TypeQueries;

use super::body::BodyPrinter;
use super::numbering::Numbering;
use super::users::Users;
use super::{Comments, DebugInformation, OperandTypes, PrintOptions, Printer};
use std::borrow::Cow;

/// The lines of a body's instructions, numbered as in the whole body's text.
pub struct CommentedLines<'m> {
    module: &'m Module,
    body: &'m Body,
    numbering: Numbering,
    users: Users,
    /// The files that the module was read from, where lines have the places of instructions in them.
    sources: Option<&'m SourceMap>,
}

impl<'m> CommentedLines<'m> {
    /// Numbers the values of `body`, a body of `module`, and learns who uses them.
    pub fn new(module: &'m Module, queries: &TypeQueries<'_>, body: &'m Body) -> Self {
        Self { module, body, numbering: Numbering::new(body), users: Users::new(queries, body), sources: None }
    }

    /// Writes where instructions come from as well.
    #[must_use]
    pub fn with_locations(self, sources: &'m SourceMap) -> Self {
        Self { sources: Some(sources), ..self }
    }

    /// The instruction, two spaces in front, with its users; a line for the name of a function that it refers to comes
    /// before it.
    pub fn instruction(&self, id: InstructionId) -> String {
        self.marked_instruction("", id)
    }

    /// The same with `mark` in front.
    pub fn marked_instruction(&self, mark: &str, id: InstructionId) -> String {
        self.write(|printer| {
            printer.printer.text(mark);
            printer.instruction(id);
        })
    }

    /// The values that open the archetypes which the types of an instruction name.
    pub fn dependences(&self, id: InstructionId) -> &[Value] {
        self.users.dependences(id)
    }

    /// The definition of a value: the instruction, or `%0 = argument of bb0 : $T`, with the users of the value. Where
    /// it is one of several results, it stands between stars.
    pub fn value(&self, value: Value) -> String {
        self.marked_value("", value)
    }

    /// The same with `mark` in front.
    pub fn marked_value(&self, mark: &str, value: Value) -> String {
        match self.body.values[value].definition {
            Definition::Result { instruction, .. } if !self.may_have_several_results(instruction) => {
                self.marked_instruction(mark, instruction)
            }
            Definition::Result { instruction, .. } => self.write(|printer| {
                printer.printer.text(mark);
                printer.marked_instruction(instruction, Some(value));
                printer.value_comment(value);
            }),
            Definition::Argument { block, .. } => self.write(|printer| {
                printer.printer.text(mark);
                printer.untyped(value);
                printer.printer.text(" = argument of ");
                printer.block(block);
                printer.printer.text(" : ");
                printer.printer.sil_type(printer.body.ty(value));
                printer.value_comment(value);
            }),
            Definition::Undef => "undef\n".to_owned(),
        }
    }

    /// A block with its instructions, written with `options`.
    pub fn block(&self, block: BlockId, options: PrintOptions) -> String {
        self.write_with(options, |printer| printer.whole_block(block))
    }

    /// Whether there are several results, or only one where there could be more.
    fn may_have_several_results(&self, id: InstructionId) -> bool {
        let destructures =
            matches!(self.body.instructions[id].opcode, Opcode::DestructureStruct | Opcode::DestructureTuple);
        destructures || self.body.results(id).len() != 1
    }

    fn write(&self, write: impl FnOnce(&mut BodyPrinter<'_, '_>)) -> String {
        let options = PrintOptions {
            comments: Comments::Write,
            debug_information: match self.sources {
                Some(_) => DebugInformation::Complete,
                None => DebugInformation::Omit,
            },
            operand_types: OperandTypes::Always,
            ..PrintOptions::default()
        };
        self.write_with(options, write)
    }

    fn write_with(&self, options: PrintOptions, write: impl FnOnce(&mut BodyPrinter<'_, '_>)) -> String {
        let mut printer = Printer::with_options(&self.module.context, &self.module.declarations, options);
        printer.sources = self.sources;
        let numbering = Cow::Borrowed(&self.numbering);
        let users = Some(Cow::Borrowed(&self.users));
        write(&mut BodyPrinter::with_users(&mut printer, self.module, self.body, numbering, users));
        printer.out
    }
}

//! The blocks of a function as pieces of text, for code that draws or lists them: labels, instructions, and the names
//! of edges.

use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, DefaultCase, Details, Function, InstructionId, Module};

use super::Printer;
use super::body::BodyPrinter;

/// A block as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedBlock {
    /// `bb1(%3 : $Int)`
    pub label: String,
    /// The instructions, each without its debug location.
    pub instructions: Vec<String>,
    /// Where the terminator leads.
    pub edges: Vec<PrintedEdge>,
}

/// An edge of the control-flow graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedEdge {
    /// Where it leads.
    pub target: BlockId,
    /// When it is taken: `true`, `some`, `default`, `error`. Empty where it always is.
    pub label: String,
}

/// The blocks of `body`, which is that of `function`, in order.
pub fn print_blocks(module: &Module, function: &Function, body: &Body) -> Vec<PrintedBlock> {
    let mut printer = Printer::new(&module.context, &module.declarations);
    // The body names generic parameters as the function's type does.
    printer.function_type(function.ty, function.signature);
    BodyPrinter::new(&mut printer, module, body).blocks()
}

impl BodyPrinter<'_, '_> {
    pub(super) fn edges(&mut self, terminator: InstructionId) -> Vec<PrintedEdge> {
        let targets = self.body.targets(terminator);
        let edge = |(index, target): (usize, &BlockId)| PrintedEdge {
            target: *target,
            label: self.edge_label(terminator, index),
        };
        targets.iter().enumerate().map(edge).collect()
    }

    /// When the terminator takes its target number `index`.
    fn edge_label(&mut self, terminator: InstructionId, index: usize) -> String {
        let instruction = &self.body.instructions[terminator];
        let last = index + 1 == self.body.targets(terminator).len();
        match (instruction.opcode, &instruction.details) {
            (_, Details::EnumCases(cases)) if last && cases.default == DefaultCase::Present => "default".to_owned(),
            (_, Details::EnumCases(cases)) => {
                let member = self.printer.context.get_member(cases.members[index]);
                self.printer.context.text(member.name).to_owned()
            }
            (_, Details::SwitchValue { default: DefaultCase::Present }) if last => "default".to_owned(),
            (Opcode::SwitchValue, _) => {
                let value = self.body.operands(terminator)[index + 1];
                self.taken(|this| this.untyped(value))
            }
            (opcode, _) => names_of_targets(opcode).get(index).copied().unwrap_or_default().to_owned(),
        }
    }
}

/// The names of the targets of a terminator, in order.
fn names_of_targets(opcode: Opcode) -> &'static [&'static str] {
    match opcode {
        Opcode::CondBr => &["true", "false"],
        Opcode::CheckedCastBr | Opcode::CheckedCastAddrBr | Opcode::DynamicMethodBr => &["yes", "no"],
        Opcode::TryApply => &["normal", "error"],
        Opcode::AwaitAsyncContinuation => &["resume", "error"],
        Opcode::Yield => &["resume", "unwind"],
        _ => &[],
    }
}

//! The comments that Swift's printer writes beside the text: readable names, predecessors, users. The text means the
//! same without them.

use sil_ir::context::{BuiltinType, Name, NominalId, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{
    ArgumentFlag, BlockId, DefaultCase, Details, FunctionPart, InstructionId, LocationKind, LocationTraits, Value,
};
use sil_ir::source::Position;
use sil_ir::symbols::{Style, demangle_as};

use super::body::BodyPrinter;
use super::decimal::{Precision, decimal};
use super::users::Users;
use super::{Comments, LocationComments, Order, Printer, ReadableNames};

/// The column at which comments after a line start.
const COLUMN: usize = 50;

/// How many columns a character takes (`llvm::sys::unicode::charWidth`, by its larger ranges).
fn columns(character: char) -> usize {
    match u32::from(character) {
        0x300..=0x36F | 0x200B..=0x200F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F
        | 0x2E80..=0x303E
        | 0x3041..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1F64F
        | 0x1F680..=0x1F6FF
        | 0x1F900..=0x1F9FF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

impl Printer<'_> {
    /// Whether comments are written.
    pub(super) fn has_comments(&self) -> bool {
        self.options.comments != Comments::Omit
    }

    /// Writes spaces up to the column of comments; one where the line is too long for it.
    fn pad(&mut self) {
        let start = self.out.rfind('\n').map_or(0, |newline| newline + 1);
        let width: usize = self.out[start..].chars().map(columns).sum();
        for _ in width..COLUMN.max(width + 1) {
            self.out.push(' ');
        }
    }

    /// Writes the readable form of a symbol.
    fn readable(&mut self, symbol: Name) {
        let symbol = self.context.text(symbol);
        let style = match self.options.names {
            ReadableNames::Simplified => Style::Simplified,
            ReadableNames::Full => Style::Full,
        };
        match demangle_as(symbol, style) {
            Some(readable) => self.text(&readable),
            None => self.text(symbol),
        }
    }

    /// Writes the readable form of a symbol as a line of its own.
    pub(super) fn symbol_line(&mut self, words: &str, symbol: Name) {
        if self.has_comments() {
            self.number(format_args!("// {words}"));
            self.readable(symbol);
            self.text("\n");
        }
    }

    /// Writes the readable form of a symbol after an entry of a table.
    pub(super) fn symbol_after_entry(&mut self, symbol: Name) {
        if self.has_comments() {
            self.text("\t// ");
            self.readable(symbol);
        }
    }
}

impl BodyPrinter<'_, '_> {
    /// Writes the name of the function that the instruction refers to in a line of its own.
    pub(super) fn referenced_function(&mut self, id: InstructionId) {
        let word = match self.body.instructions[id].opcode {
            Opcode::FunctionRef => "function_ref ",
            Opcode::DynamicFunctionRef => "dynamic_function_ref ",
            Opcode::PrevDynamicFunctionRef => "prev_dynamic_function_ref ",
            _ => return,
        };
        if let Details::Function(name) = self.body.instructions[id].details
            && self.printer.has_comments()
        {
            self.printer.text("  ");
            self.printer.symbol_line(word, name);
        }
    }

    /// Writes the users of the arguments of a block, a line each, in front of the block.
    pub(super) fn argument_lines(&mut self, block: BlockId) {
        let Some(users) = self.users.take() else { return };
        for argument in &self.body.blocks[block].arguments {
            let name = self.argument_name(block, *argument, &users);
            let is_result = self.body.values[*argument].flags.contains(ArgumentFlag::ReturnValue);
            if users.of(*argument).is_empty() && name.is_none() && !is_result {
                continue;
            }
            self.printer.text("// ");
            self.untyped(*argument);
            if let Some(name) = name {
                self.printer.text(" \"");
                self.printer.name(name);
                self.printer.text("\"");
            } else if is_result {
                self.printer.text(" \"");
                self.printer.text(ArgumentFlag::ReturnValue.name());
                self.printer.text("\"");
            }
            if !users.of(*argument).is_empty() {
                self.printer.pad();
                self.printer.text("// ");
                self.list_users(users.of(*argument));
            }
            self.printer.text("\n");
        }
        self.users = Some(users);
    }

    /// The name of a function's argument in the source, if a `debug_value` has it.
    fn argument_name(&self, block: BlockId, argument: Value, users: &Users) -> Option<Name> {
        if block != self.body.entry() {
            return None;
        }
        users.of(argument).iter().rev().find_map(|user| match &self.body.instructions[*user].details {
            Details::Variable(variable) if variable.argument.is_some() => variable.name,
            _ => None,
        })
    }

    /// Writes the predecessors of a block after its label.
    pub(super) fn predecessors(&mut self, block: BlockId) {
        let Some(users) = self.users.take() else { return };
        let mut predecessors = users.predecessors(block);
        if self.printer.options.order == Order::Sorted {
            predecessors.sort_unstable_by_key(|predecessor| self.block_number(*predecessor));
        }
        if !predecessors.is_empty() {
            self.printer.pad();
            self.printer.text("// Preds:");
            for predecessor in predecessors {
                self.printer.text(" ");
                self.block(predecessor);
            }
        }
        self.users = Some(users);
    }

    /// Writes who uses a value that has a line of its own.
    pub(super) fn value_comment(&mut self, value: Value) {
        let Some(users) = self.users.take() else { return };
        if !users.of(value).is_empty() {
            self.printer.pad();
            self.printer.text("// ");
            self.list_users(users.of(value));
        }
        self.printer.text("\n");
        self.users = Some(users);
    }

    /// Writes the comment after an instruction: the case that a default stands for, the values that its types depend
    /// on, and its users, or its number if it has no results.
    pub(super) fn instruction_comment(&mut self, id: InstructionId) {
        let Some(users) = self.users.take() else { return };
        let mut words = CommentStart::Slashes;
        if let Some(case) = self.case_of_default(id) {
            words.write(&mut *self.printer);
            self.printer.text("#");
            self.printer.path(case.0);
            self.printer.text(".");
            self.printer.name(case.1);
            self.printer.text("!enumelt");
        }
        if !users.dependences(id).is_empty() {
            words.write(&mut *self.printer);
            self.printer.text("type-defs: ");
            for (index, value) in users.dependences(id).iter().enumerate() {
                self.printer.text(if index > 0 { ", " } else { "" });
                self.untyped(*value);
            }
        }
        let results = self.body.results(id);
        if results.len() == 0 {
            words.write(&mut *self.printer);
            self.printer.number(format_args!("id: %{}", self.numbering.instruction(id)));
        } else {
            let all: Vec<InstructionId> = results.flat_map(|result| users.of(result).iter().copied()).collect();
            if !all.is_empty() {
                words.write(&mut *self.printer);
                self.list_users(&all);
            }
        }
        if self.printer.options.locations == LocationComments::Write {
            words.write(&mut *self.printer);
            self.location_comment(id);
        }
        self.users = Some(users);
    }

    /// Writes the line of an instruction in the text that was read, and how it came to be there.
    fn location_comment(&mut self, id: InstructionId) {
        let instruction = &self.body.instructions[id];
        if instruction.traits.kind == LocationKind::ArtificialUnreachable {
            return self.printer.text(" no_loc");
        }
        let place = self.place_in_text(id);
        match place {
            Some(place) => self.printer.number(format_args!("line:{}:{}", place.line, place.column)),
            None => self.printer.text("<invalid loc>"),
        }
        self.printer.text(match instruction.traits.kind {
            LocationKind::Regular | LocationKind::ArtificialUnreachable => "",
            LocationKind::MandatoryInlined => ":minlined",
            LocationKind::Cleanup => ":cleanup",
        });
        let is_automatic = instruction.location.is_none_or(|location| location.automatic);
        self.printer.text(match place {
            Some(_) => ":sil",
            None if is_automatic => ":auto_gen",
            None => "",
        });
        self.printer.text(match instruction.traits.part {
            FunctionPart::Body => "",
            FunctionPart::Prologue => ":in_prologue",
        });
    }

    /// Where an instruction without a place in the Swift source stands in the text that was read. Memory that
    /// transparent functions make has no place.
    pub(super) fn place_in_text(&self, id: InstructionId) -> Option<Position> {
        let instruction = &self.body.instructions[id];
        let is_written = instruction.location.is_some_and(|location| location.place.is_some() || location.automatic);
        let LocationTraits { kind, part } = instruction.traits;
        if is_written || kind == LocationKind::MandatoryInlined && part == FunctionPart::Prologue {
            return None;
        }
        Some(self.printer.sources?.file(instruction.span.file).position(instruction.span.start))
    }

    fn list_users(&mut self, users: &[InstructionId]) {
        self.printer.text(if users.len() == 1 { "user: " } else { "users: " });
        let mut numbers: Vec<u32> = users.iter().map(|user| self.numbering.instruction(*user)).collect();
        if self.printer.options.order == Order::Sorted {
            numbers.sort_unstable();
        }
        self.printer.list(numbers, |printer, number| printer.number(format_args!("%{number}")));
    }

    /// The only case that the default of a `switch_enum` stands for.
    fn case_of_default(&self, id: InstructionId) -> Option<(NominalId, Name)> {
        let Details::EnumCases(cases) = &self.body.instructions[id].details else { return None };
        let switch = matches!(self.body.instructions[id].opcode, Opcode::SwitchEnum | Opcode::SwitchEnumAddr);
        let Type::Nominal(nominal) = self.printer.context.get(self.body.ty(self.operands(id)[0]).ty) else {
            return None;
        };
        if cases.default == DefaultCase::Absent || !switch {
            return None;
        }
        let written: Vec<Name> =
            cases.members.iter().map(|member| self.printer.context.get_member(*member).name).collect();
        let mut left = self.printer.declarations.get(nominal.declaration).cases.iter().map(|case| case.name);
        let mut left = left.by_ref().filter(|case| !written.contains(case));
        match (left.next(), left.next()) {
            (Some(only), None) => Some((nominal.declaration, only)),
            _ => None,
        }
    }

    /// Writes the value of a floating-point literal in decimal.
    pub(super) fn float_comment(&mut self, id: InstructionId, bits: u128) {
        let Some(ty) = self.body.types(id).first() else { return };
        let text = match self.printer.context.get(ty.ty) {
            Type::Builtin(BuiltinType::Float(32)) => decimal(f64::from(f32::from_bits(bits as u32)), Precision::SINGLE),
            Type::Builtin(BuiltinType::Float(64)) => decimal(f64::from_bits(bits as u64), Precision::DOUBLE),
            _ => return,
        };
        if self.printer.has_comments() {
            self.printer.number(format_args!(" // {text}"));
        }
    }
}

/// How the next part of a comment after a line starts.
enum CommentStart {
    /// At the column of comments.
    Slashes,
    /// Behind another part.
    Semicolon,
}

impl CommentStart {
    fn write(&mut self, printer: &mut Printer<'_>) {
        match self {
            CommentStart::Slashes => {
                printer.pad();
                printer.text("// ");
            }
            CommentStart::Semicolon => printer.text("; "),
        }
        *self = CommentStart::Semicolon;
    }
}

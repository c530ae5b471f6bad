//! Writes bodies: blocks, their arguments, the line around an instruction. Values are numbered in textual order, as
//! Swift numbers them: an instruction without results takes a number too.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use sil_analysis::{ControlFlowGraph, OwnershipKinds};
use sil_ir::context::{MemberTarget, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{
    ArgumentFlag, BlockId, Body, DebugLocation, Definition, Details, Function, FunctionFlag, InstructionId,
    LocationKind, Module, Ownership, SourcePlace, Value,
};
use sil_ir::source::Span;
use sil_ir::types::TypeQueries;

use super::Order;
use super::blocks::PrintedBlock;
use super::numbering::{Numbering, SortedBlocks};
use super::users::Users;
use super::{Comments, DebugInformation, OperandTypes, Printer};

/// Writes one body.
pub(super) struct BodyPrinter<'p, 'a> {
    pub(super) printer: &'p mut Printer<'a>,
    pub(super) module: &'p Module,
    pub(super) body: &'p Body,
    /// The numbers of values and instructions.
    pub(super) numbering: Cow<'p, Numbering>,
    /// The number of the instruction that is being written: values that are defined before it have smaller ones.
    current: u32,
    /// The value that a global starts with.
    initial: Option<Value>,
    /// The users of each value, if comments are written.
    pub(super) users: Option<Cow<'p, Users>>,
    /// The block arguments that begin borrow scopes.
    reborrows: Vec<Value>,
    /// The instructions that restate the ownership of their operands for their results.
    pub(super) restating: FxHashSet<InstructionId>,
    /// The order of the blocks, where it is not that of the body.
    sorted: Option<SortedBlocks>,
}

/// The location of code without a place in the source.
const NO_PLACE: &str = ", loc * \"<compiler-generated>\":0:0";

impl<'p, 'a> BodyPrinter<'p, 'a> {
    pub(super) fn new(printer: &'p mut Printer<'a>, module: &'p Module, body: &'p Body) -> Self {
        Self::with_numbering(printer, module, body, Cow::Owned(Numbering::new(body)))
    }

    fn with_numbering(
        printer: &'p mut Printer<'a>,
        module: &'p Module,
        body: &'p Body,
        numbering: Cow<'p, Numbering>,
    ) -> Self {
        Self::with_users(printer, module, body, numbering, None)
    }

    /// A printer with the users of each value, if it is to write them.
    pub(super) fn with_users(
        printer: &'p mut Printer<'a>,
        module: &'p Module,
        body: &'p Body,
        numbering: Cow<'p, Numbering>,
        users: Option<Cow<'p, Users>>,
    ) -> Self {
        Self {
            printer,
            module,
            body,
            numbering,
            current: 0,
            initial: None,
            users,
            reborrows: Vec::new(),
            restating: FxHashSet::default(),
            sorted: None,
        }
    }

    /// Computes the users of each value, if comments are to list them.
    pub(super) fn commented(mut self, queries: &TypeQueries<'_>) -> Self {
        let has_uses = self.printer.options.comments == Comments::Write;
        self.users = has_uses.then(|| Cow::Owned(Users::new(queries, self.body)));
        self
    }

    /// Learns which block arguments begin borrow scopes, which older SIL does not mark, and which instructions only
    /// repeat the ownership of an operand.
    pub(super) fn with_ownership(mut self, queries: &TypeQueries<'_>, function: &Function) -> Self {
        let guaranteed = |value: &Value| self.body.values[*value].ownership == Ownership::Guaranteed;
        let phis = self.body.blocks.values().skip(1).flat_map(|block| &block.arguments).copied();
        let candidates: Vec<Value> = phis.filter(guaranteed).collect();
        let stated = |id: InstructionId| Some((id, stated_forwarding(self.body.instructions[id].attributes)?));
        let forwarding: Vec<(InstructionId, Ownership)> = self.body.placed_instructions().filter_map(stated).collect();
        if !(candidates.is_empty() && forwarding.is_empty()) && function.has(FunctionFlag::Ossa) {
            let kinds = OwnershipKinds::new(queries, function, self.body, &ControlFlowGraph::new(self.body));
            self.reborrows = candidates.into_iter().filter(|phi| kinds.is_reborrow(*phi)).collect();
            let restates = |(id, stated): &(InstructionId, Ownership)| {
                self.body.operands(*id).first().is_some_and(|operand| kinds.kind(*operand) == *stated)
            };
            self.restating = forwarding.into_iter().filter(restates).map(|(id, _)| id).collect();
        }
        self
    }

    /// Writes all blocks.
    pub(super) fn function_body(mut self) {
        let body = self.body;
        let is_sorted = self.printer.options.order == Order::Sorted && !body.blocks.is_empty();
        self.sorted = is_sorted.then(|| SortedBlocks::new(body));
        let blocks = match &self.sorted {
            Some(sorted) => sorted.order.clone(),
            None => body.blocks.keys().collect(),
        };
        for block in blocks {
            if block != body.entry() {
                self.printer.text("\n");
            }
            self.whole_block(block);
        }
    }

    /// Writes a block with its instructions.
    pub(super) fn whole_block(&mut self, block: BlockId) {
        self.argument_lines(block);
        self.block(block);
        self.printer.list_arguments(self.body, &self.body.blocks[block].arguments, &self.numbering, &self.reborrows);
        self.printer.text(":");
        self.predecessors(block);
        self.printer.text("\n");
        for instruction in self.body.instructions_in(block) {
            self.instruction(instruction);
        }
    }

    /// The blocks one by one: the label line without its colon, and each instruction without its location.
    pub(super) fn blocks(mut self) -> Vec<PrintedBlock> {
        let body = self.body;
        let mut blocks = Vec::with_capacity(body.blocks.len());
        for (block, data) in &body.blocks {
            let label = self.taken(|this| {
                this.block(block);
                this.printer.list_arguments(body, &data.arguments, &this.numbering, &this.reborrows);
            });
            let instructions =
                body.instructions_in(block).map(|id| self.taken(|this| this.unplaced_instruction(id))).collect();
            let edges = body.terminator(block).map_or_else(Vec::new, |terminator| self.edges(terminator));
            blocks.push(PrintedBlock { label, instructions, edges });
        }
        blocks
    }

    /// The text that `write` writes.
    pub(super) fn taken(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = self.printer.out.len();
        write(self);
        self.printer.out.split_off(before)
    }

    /// Writes the instructions of a global's initialiser.
    pub(super) fn initializer(mut self) {
        let body = self.body;
        if body.blocks.is_empty() {
            return;
        }
        self.initial = body.terminator(body.entry()).and_then(|last| body.result(last));
        for instruction in body.instructions_in(body.entry()) {
            self.instruction(instruction);
        }
    }

    /// Writes the label of a block.
    pub(super) fn block(&mut self, block: BlockId) {
        let number = self.block_number(block);
        self.printer.number(format_args!("bb{number}"));
    }

    /// The number in the label of a block.
    pub(super) fn block_number(&self, block: BlockId) -> u32 {
        self.sorted.as_ref().map_or_else(|| block.as_u32(), |sorted| sorted.numbers[block])
    }

    /// Writes the line of an instruction, with its comments.
    pub(super) fn instruction(&mut self, id: InstructionId) {
        self.referenced_function(id);
        self.printer.text("  ");
        self.unplaced_instruction(id);
        self.location_of(id);
        self.instruction_comment(id);
        self.printer.text("\n");
    }

    /// Writes an instruction without its location.
    fn unplaced_instruction(&mut self, id: InstructionId) {
        self.marked_instruction(id, None);
    }

    /// Writes an instruction without its location; the result `marked` between stars.
    pub(super) fn marked_instruction(&mut self, id: InstructionId, marked: Option<Value>) {
        let body = self.body;
        self.current = self.numbering.instruction(id);
        let results = body.results(id);
        match results.len() {
            0 => {}
            1 => {
                for result in results {
                    let stars = if marked == Some(result) { "**" } else { "" };
                    self.printer.text(stars);
                    self.untyped(result);
                    self.printer.text(stars);
                }
                self.printer.text(" = ");
            }
            _ => {
                self.printer.text("(");
                for (index, result) in results.enumerate() {
                    self.printer.text(if index > 0 { ", " } else { "" });
                    let stars = if marked == Some(result) { "**" } else { "" };
                    self.printer.text(stars);
                    self.untyped(result);
                    self.printer.text(stars);
                }
                self.printer.text(") = ");
            }
        }
        self.printer.text(body.instructions[id].opcode.name());
        let before = self.printer.out.len();
        self.operation(id);
        // If nothing stands after the name, a space does.
        if self.printer.out.len() == before && self.shows_location(id) {
            self.printer.space();
        }
    }

    /// Writes a value without its type.
    pub(super) fn untyped(&mut self, value: Value) {
        if self.initial == Some(value) {
            self.printer.text("%initval");
        } else if self.body.values[value].definition == Definition::Undef {
            self.printer.text("undef");
        } else {
            self.printer.number(format_args!("%{}", self.numbering.value(value)));
        }
    }

    /// Writes a value, with its type where its definition comes later in the text or does not show it, or types are
    /// asked for.
    pub(super) fn value(&mut self, value: Value) {
        let defined = self.body.values[value].definition != Definition::Undef;
        let earlier = defined && self.numbering.value(value) < self.current;
        let omitted = earlier && self.printer.options.operand_types == OperandTypes::WhereNeeded;
        if omitted && !self.is_stated_by_uses(value) { self.untyped(value) } else { self.typed(value) }
    }

    /// Whether a value is a member whose type no declaration gives, because a function declares its type or its type is
    /// known without it.
    fn is_stated_by_uses(&self, value: Value) -> bool {
        if matches!(self.module.context.get(self.body.ty(value).ty), Type::Unresolved { .. }) {
            return false;
        }
        let Some(id) = self.body.defining(value) else { return false };
        let Details::Member(member) = &self.body.instructions[id].details else { return false };
        let reference = self.module.context.get_member(*member);
        let is_local = |parent| self.printer.local_context(parent).is_some();
        let is_written = self.body.instructions[id].opcode == Opcode::Enum;
        !is_written && reference.target == MemberTarget::Other || reference.parent.is_some_and(is_local)
    }

    /// Writes a value with its type.
    pub(super) fn typed(&mut self, value: Value) {
        self.untyped(value);
        self.printer.text(" : ");
        self.printer.sil_type(self.body.values[value].ty);
    }

    /// Whether a location is written after an instruction.
    fn shows_location(&self, id: InstructionId) -> bool {
        let location = self.body.instructions[id].location;
        let is_written = |location: DebugLocation| location.place.is_some() || location.scope.is_some();
        match self.printer.options.debug_information {
            DebugInformation::Omit => false,
            DebugInformation::Write => location.is_some_and(is_written),
            DebugInformation::Complete => true,
        }
    }

    /// Writes the location of an instruction.
    fn location_of(&mut self, id: InstructionId) {
        let instruction = &self.body.instructions[id];
        let is_reported = instruction.location.is_some_and(|location| location.place.is_some() || location.automatic)
            || instruction.traits.kind == LocationKind::ArtificialUnreachable;
        if self.printer.options.debug_information == DebugInformation::Complete && !is_reported {
            if self.place_in_text(id).is_some() {
                self.text_place(instruction.span);
            } else {
                self.printer.text(NO_PLACE);
            }
        }
        if let Some(location) = instruction.location {
            self.location(location);
        }
    }

    /// Writes where something stands in the text that was read.
    pub(super) fn text_place(&mut self, span: Span) {
        let Some(sources) = self.printer.sources else { return };
        let file = sources.file(span.file);
        let position = file.position(span.start);
        self.printer.text(", loc ");
        self.printer.quoted(&file.path.to_string_lossy());
        self.printer.number(format_args!(":{}:{}", position.line, position.column));
    }

    fn location(&mut self, location: DebugLocation) {
        if self.printer.options.debug_information == DebugInformation::Omit {
            return;
        }
        if let Some(place) = location.place {
            self.printer.text(if location.automatic { ", loc * " } else { ", loc " });
            self.printer.place(place);
        } else if location.automatic {
            self.printer.text(NO_PLACE);
        }
        if let Some(scope) = location.scope {
            self.printer.text(", scope ");
            self.printer.scope_number(scope);
        }
    }

    /// Writes `, loc … , scope …` of a variable.
    pub(super) fn variable_location(&mut self, location: DebugLocation) {
        self.location(location);
    }
}

/// The text of a body's values and single instructions, numbered as in the whole body's text.
pub struct BodyText<'m> {
    module: &'m Module,
    body: &'m Body,
    numbering: Numbering,
}

impl<'m> BodyText<'m> {
    /// Numbers the values of `body`, a body of `module`.
    pub fn new(module: &'m Module, body: &'m Body) -> Self {
        Self { module, body, numbering: Numbering::new(body) }
    }

    /// `%4`; `undef` for an undefined value.
    pub fn value(&self, value: Value) -> String {
        self.write(|printer| printer.untyped(value))
    }

    /// `%4 : $*Int`
    pub fn typed_value(&self, value: Value) -> String {
        self.write(|printer| printer.typed(value))
    }

    /// The instruction with its results, without its location.
    pub fn instruction(&self, id: InstructionId) -> String {
        self.write(|printer| printer.unplaced_instruction(id))
    }

    /// The definition of a value: the instruction, or `argument of bb0 : $T`.
    pub fn definition(&self, value: Value) -> String {
        match self.body.values[value].definition {
            Definition::Result { instruction, .. } => self.instruction(instruction),
            Definition::Argument { block, .. } => {
                format!("{} = argument of bb{} : {}", self.value(value), block.as_u32(), self.ty(value))
            }
            Definition::Undef => "undef".to_owned(),
        }
    }

    /// The type of a value: `$*Int`.
    pub fn ty(&self, value: Value) -> String {
        self.write(|printer| printer.printer.sil_type(printer.body.values[value].ty))
    }

    fn write(&self, write: impl FnOnce(&mut BodyPrinter<'_, '_>)) -> String {
        let mut printer = Printer::new(&self.module.context, &self.module.declarations);
        write(&mut BodyPrinter::with_numbering(&mut printer, self.module, self.body, Cow::Borrowed(&self.numbering)));
        printer.out
    }
}

impl Printer<'_> {
    /// Writes `"file":1:2`.
    pub(super) fn place(&mut self, place: SourcePlace) {
        self.quoted(self.context.text(place.file));
        self.number(format_args!(":{}:{}", place.line, place.column));
    }

    /// Writes `(%0 : @owned $T)`; nothing where there are no arguments.
    fn list_arguments(&mut self, body: &Body, arguments: &[Value], numbering: &Numbering, reborrows: &[Value]) {
        if arguments.is_empty() {
            return;
        }
        self.text("(");
        self.list(arguments, |printer, argument| {
            let data = &body.values[*argument];
            printer.number(format_args!("%{} : ", numbering.value(*argument)));
            let mut flags = data.flags;
            if reborrows.contains(argument) {
                flags.insert(ArgumentFlag::Reborrow);
            }
            for flag in ArgumentFlag::ALL.iter().filter(|flag| flags.contains(**flag)) {
                printer.text(flag.name());
                printer.text(" ");
            }
            printer.text(match data.ownership {
                _ if flags.contains(ArgumentFlag::Reborrow) => "",
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

/// The forwarded ownership that an instruction states.
fn stated_forwarding(attributes: AttributeSet) -> Option<Ownership> {
    let kinds = [
        (Attribute::Owned, Ownership::Owned),
        (Attribute::Guaranteed, Ownership::Guaranteed),
        (Attribute::Unowned, Ownership::Unowned),
    ];
    let stated = kinds.into_iter().find(|(attribute, _)| attributes.contains(*attribute));
    let stated = stated.map_or(Ownership::None, |(_, ownership)| ownership);
    attributes.contains(Attribute::Forwarding).then_some(stated)
}

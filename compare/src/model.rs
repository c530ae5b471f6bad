//! The model of a module of LLVM IR for comparison: symbols with their headers, and function bodies as blocks of
//! instructions. An instruction is a list of terms with adornments. Numbers of metadata and attribute groups are
//! replaced by their contents.

use std::ops::Range;

use cranelift_entity::PrimaryMap;

use crate::atoms::Atom;
use crate::part::Part;

/// A function, variable or alias of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);
cranelift_entity::entity_impl!(SymbolId, "symbol");

/// A parameter or the result of an instruction, in one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(u32);
cranelift_entity::entity_impl!(ValueId, "value");

/// A basic block of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u32);
cranelift_entity::entity_impl!(BlockId, "block");

/// An instruction or debug record of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstructionId(u32);
cranelift_entity::entity_impl!(InstructionId, "instruction");

/// A range of bytes in a module's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// As a range for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One word of an instruction, a header or an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// An opcode, a keyword, a type, a number, a string, a bracket, or metadata by its content.
    Word(Atom),
    /// A local value.
    Value(ValueId),
    /// A basic block.
    Block(BlockId),
    /// A global symbol.
    Symbol(SymbolId),
}

/// Something that belongs to a separate part: a flag, an attribute, an alignment, a metadata attachment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Adornment {
    /// The index of the term that it stands before; the number of terms where it stands at the end.
    pub at: u32,
    /// The part.
    pub part: Part,
    /// Its content, with numbers resolved.
    pub content: Atom,
    /// Where it stands.
    pub span: Span,
}

/// An instruction, a function's header, or a global's definition.
#[derive(Clone, Default)]
pub struct Statement {
    /// All of its text, without indentation.
    pub span: Span,
    /// The terms.
    pub terms: Vec<Term>,
    /// Where each term stands.
    pub spans: Vec<Span>,
    /// The adornments.
    pub adornments: Vec<Adornment>,
}

/// The kind of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// A function with a body.
    Function,
    /// A function without a body.
    Declaration,
    /// A global variable or constant.
    Variable,
    /// An alias or ifunc.
    Alias,
}

/// Whether a symbol's name means anything outside of its module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Naming {
    /// It does, or people chose it.
    Meaningful,
    /// It does not: the symbol is private, or has a number only.
    Arbitrary,
}

/// A function, variable or alias.
pub struct Symbol {
    /// Its name as written after `@`, with quotes where it has them.
    pub name: Atom,
    /// Its kind.
    pub kind: SymbolKind,
    /// Whether its name counts.
    pub naming: Naming,
    /// The line that defines or declares it.
    pub header: Statement,
    /// Its body, if it is a function that has one.
    pub body: Option<Body>,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The parameter of this index.
    Parameter(u32),
    /// An instruction.
    Instruction(InstructionId),
}

/// The body of a function.
#[derive(Default)]
pub struct Body {
    /// Parameters first, then results in the order of the text.
    pub values: PrimaryMap<ValueId, Value>,
    /// The blocks in the order of the text; the first is the entry.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The instructions in the order of the text.
    pub instructions: PrimaryMap<InstructionId, Instruction>,
}

/// A parameter or result.
pub struct Value {
    /// Its name as written after `%`.
    pub name: Atom,
    /// Where it comes from.
    pub origin: Origin,
}

/// A basic block.
#[derive(Default)]
pub struct Block {
    /// Its name as written; none for an entry block without label.
    pub name: Option<Atom>,
    /// The line of its label; empty where it has none.
    pub span: Span,
    /// Its first instruction's number.
    pub first: u32,
    /// One past its last instruction's number.
    pub end: u32,
    /// The blocks that its terminator names, in that order.
    pub successors: Vec<BlockId>,
    /// The blocks that branch here, in the order of the text.
    pub predecessors: Vec<BlockId>,
}

impl Block {
    /// Its instructions.
    pub fn instructions(&self) -> impl DoubleEndedIterator<Item = InstructionId> + ExactSizeIterator + use<> {
        (self.first..self.end).map(InstructionId::from_u32)
    }
}

/// Kinds of instructions, as far as comparing and counting need them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InstructionKind {
    /// `phi`.
    Phi,
    /// `alloca`.
    StackSlot,
    /// `load`.
    Load,
    /// `store`.
    Store,
    /// `call`, `invoke`, `callbr`.
    Call,
    /// `br`, `switch`, `ret`, `unreachable` and their like.
    Terminator,
    /// `cmpxchg`, `atomicrmw`, `fence`, `va_arg`.
    OtherMemory,
    /// Integer divisions, which trap.
    Division,
    /// A debug record.
    DebugRecord,
    /// All that computes from its operands alone.
    Computation,
}

impl InstructionKind {
    /// The kind of an opcode.
    pub fn of(opcode: &str) -> Self {
        match opcode {
            "phi" => Self::Phi,
            "alloca" => Self::StackSlot,
            "load" => Self::Load,
            "store" => Self::Store,
            "call" | "invoke" | "callbr" => Self::Call,
            "br" | "switch" | "ret" | "unreachable" | "indirectbr" | "resume" | "catchswitch" | "catchret"
            | "cleanupret" => Self::Terminator,
            "cmpxchg" | "atomicrmw" | "fence" | "va_arg" => Self::OtherMemory,
            "udiv" | "sdiv" | "urem" | "srem" => Self::Division,
            _ if opcode.starts_with("#dbg") => Self::DebugRecord,
            _ => Self::Computation,
        }
    }
}

/// An instruction or debug record.
pub struct Instruction {
    /// Its header or definition.
    pub statement: Statement,
    /// The value that it defines.
    pub result: Option<ValueId>,
    /// Its first term.
    pub opcode: Atom,
    /// The kind of the instruction.
    pub kind: InstructionKind,
    /// The index of the first of two terms, its operands, that may be exchanged.
    pub commutes: Option<u32>,
    /// The block that it is in.
    pub block: BlockId,
}

/// A property of a module as a whole: its target, a flag, a comdat, named metadata.
pub struct Property {
    /// The subject: `target triple`, `!llvm.ident`, `$comdat`.
    pub name: Atom,
    /// The part that it belongs to.
    pub part: Part,
    /// The content, with numbers resolved.
    pub content: Atom,
    /// Where it stands.
    pub span: Span,
}

/// A module of LLVM IR.
pub struct Module {
    /// Its name in reports.
    pub name: String,
    /// LLVM's own text of it.
    pub text: String,
    /// Its symbols, in the order of the text.
    pub symbols: PrimaryMap<SymbolId, Symbol>,
    /// The properties of the module, in the order of the text.
    pub properties: Vec<Property>,
    pub(crate) line_starts: Vec<u32>,
    pub(crate) original_lines: Option<Vec<u32>>,
    pub(crate) provenance: Option<Provenance>,
}

impl Module {
    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The line, from 1, that a byte stands in: of the file that was read where its lines are those of LLVM's text,
    /// else of that text.
    pub fn line(&self, offset: u32) -> u32 {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        match &self.original_lines {
            Some(lines) => lines[line - 1],
            None => line as u32,
        }
    }

    /// The number and text of the line of SIL that a byte came from.
    pub fn sil_line(&self, offset: u32) -> Option<(u32, &str)> {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        self.provenance.as_ref()?.of_line(line - 1)
    }
}

/// Which line of SIL each line of LLVM's text came from.
#[derive(Default)]
pub struct Provenance {
    /// For each line of LLVM's text, from 0, the number of the SIL's line, from 1; 0 for none.
    pub(crate) lines: Vec<u32>,
    /// The lines of the SIL.
    pub(crate) sil: Vec<String>,
}

impl Provenance {
    /// The number and text of the line of SIL that line `index` (from 0) of LLVM's text came from.
    pub fn of_line(&self, index: usize) -> Option<(u32, &str)> {
        let number = *self.lines.get(index)?;
        let text = self.sil.get((number as usize).checked_sub(1)?)?;
        Some((number, text))
    }
}

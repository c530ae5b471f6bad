//! Model to text, in the form that Swift 6.2 prints: types, declarations, functions, tables.

mod blocks;
mod body;
mod commented_lines;
mod comments;
mod coverage_maps;
mod decimal;
mod declarations;
mod differentiation;
mod function_types;
mod functions;
mod instructions;
mod key_path_components;
mod members;
mod module;
mod names;
mod numbering;
mod scopes;
mod signatures;
mod sugar;
mod tables;
mod types;
mod users;

pub use blocks::{PrintedBlock, PrintedEdge, print_blocks};
pub use body::BodyText;
pub use commented_lines::CommentedLines;
pub use function_types::{parameter_word, result_word};
pub use module::{print_function, print_module, print_module_with};
pub use names::{symbol_text, symbol_text_in};

use scopes::ScopeNumbers;
use sil_ir::context::{Context, GenericParameter, Name};
use sil_ir::declarations::DeclarationTable;
use sil_ir::source::SourceMap;
use sugar::SugarCursor;

/// The text beside the SIL itself.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PrintOptions {
    /// The comments of Swift's printer.
    pub comments: Comments,
    /// The readable forms of symbols in comments.
    pub names: ReadableNames,
    /// Debug scopes and locations.
    pub debug_information: DebugInformation,
    /// Whether comments have the line and kind of each instruction's location.
    pub locations: LocationComments,
    /// The types of operands.
    pub operand_types: OperandTypes,
    /// The order of functions, globals, tables and lists in comments.
    pub order: Order,
    /// The Swift part.
    pub declarations: Declarations,
}

/// The readable forms of symbols in comments.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ReadableNames {
    /// Without types and modules, as far as that distinguishes functions.
    #[default]
    Simplified,
    /// With all parts of symbols.
    Full,
}

/// Whether the comments of Swift's printer are written: users, predecessors, readable names.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Comments {
    /// They are left out.
    #[default]
    Omit,
    /// They are written.
    Write,
    /// Names alone are written: neither users nor predecessors.
    WithoutUses,
}

/// Whether `sil_scope` and `loc …, scope …` are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DebugInformation {
    /// They are left out, as Swift's printer does unless it is asked for them.
    Omit,
    /// They are written.
    #[default]
    Write,
    /// They are written, and the place in the text that was read where there is none in the Swift source, as sil-opt
    /// does.
    Complete,
}

/// Whether comments after instructions have their locations, as with `-emit-verbose-sil`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LocationComments {
    /// They are left out.
    #[default]
    Omit,
    /// They are written.
    Write,
}

/// Where the types of operands are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OperandTypes {
    /// Where the definition does not come first.
    #[default]
    WhereNeeded,
    /// After every operand whose type the instruction itself does not determine, as with `-sil-print-types`.
    Always,
}

/// The order of functions, globals, tables and lists in comments.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    /// That of the module.
    #[default]
    Module,
    /// By name, as `-emit-sorted-sil` has it; blocks in reverse post-order, those left out that the entry does not
    /// reach.
    Sorted,
}

/// Whether the declarations of Swift are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Declarations {
    /// They are left out, and cannot be read back.
    Omit,
    /// They are written.
    #[default]
    Write,
}

/// Writes SIL text.
pub struct Printer<'a> {
    /// The names and types.
    pub context: &'a Context,
    /// The declarations of nominal types.
    pub declarations: &'a DeclarationTable,
    /// The text so far.
    pub out: String,
    /// The text beside the SIL itself.
    pub(super) options: PrintOptions,
    /// The texts that were read, where places in them are to be written.
    pub(super) sources: Option<&'a SourceMap>,
    /// The debug scopes of the text, by their numbers in it.
    scopes: ScopeNumbers,
    /// The spelling of the text's types, if it has sugar.
    sugar: Option<SugarCursor>,
    /// The names of generic parameters that stand at a position here; later ones hide earlier ones, also where they
    /// have none.
    pub(super) parameters: Vec<GenericParameter>,
}

impl<'a> Printer<'a> {
    /// A printer that has written nothing.
    pub fn new(context: &'a Context, declarations: &'a DeclarationTable) -> Self {
        Self::with_options(context, declarations, PrintOptions::default())
    }

    /// A printer with these options that has written nothing.
    pub fn with_options(context: &'a Context, declarations: &'a DeclarationTable, options: PrintOptions) -> Self {
        Self {
            context,
            declarations,
            out: String::new(),
            options,
            sources: None,
            scopes: ScopeNumbers::default(),
            sugar: None,
            parameters: Vec::new(),
        }
    }

    /// Writes `text`.
    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes a number.
    pub(super) fn number(&mut self, number: impl std::fmt::Display) {
        use std::fmt::Write;
        // Writing to a string does not fail.
        let _ = write!(self.out, "{number}");
    }

    /// Writes the text of a name.
    pub(super) fn name(&mut self, name: Name) {
        self.out.push_str(self.context.text(name));
    }

    /// Writes a space unless one is there.
    pub(super) fn space(&mut self) {
        if !self.out.ends_with([' ', '\n']) {
            self.out.push(' ');
        }
    }

    /// Writes `items` with ", " between them.
    pub(super) fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            write(self, item);
        }
    }
}

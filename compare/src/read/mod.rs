//! From LLVM's text of a module to the model. The text must be printed by LLVM 22: other text goes through LLVM's
//! reader and printer first. A construct that is not understood stays a word, and is compared by its spelling.
//!
//! ```text
//! lexer       tokens
//! outline     the module cut into entities
//! keywords    which words belong to a separate part
//! contents    the contents of numbers: attribute groups, metadata
//! statements  tokens to terms and adornments
//! canonical   orders that mean nothing
//! functions   bodies
//! provenance  lines of the SIL that silc compiled
//! lines       numbers of lines in the file that LLVM read
//! ```

pub(crate) mod canonical;
mod contents;
mod functions;
mod keywords;
mod lexer;
mod lines;
mod outline;
pub mod provenance;
mod statements;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::atoms::Atoms;
use crate::model::{Module, Naming, Property, Provenance, Span, Statement, Symbol, SymbolId, SymbolKind};
use crate::part::{Part, Parts};
use lexer::TokenKind;
use outline::{Outline, SymbolText};
use statements::{Locals, Place, Statements};

/// A module as text.
pub struct Source {
    /// Its name in reports.
    pub name: String,
    /// LLVM's printed text.
    pub text: String,
    /// The text that LLVM read, if there is one: reports count its lines.
    pub original: Option<String>,
    /// Which SIL the text came from, if silc compiled it.
    pub provenance: Option<Provenance>,
}

/// Reads a module. Parts in `ignored` are left out of the model.
pub fn read(source: Source, ignored: Parts, atoms: &mut Atoms) -> Module {
    let Source { name, text, original, provenance } = source;
    let outline = outline::outline(&text);
    let (symbols, properties) = read_entities(&text, &outline, ignored, atoms);
    let original_lines = original.and_then(|original| lines::original_lines(&text, &outline, &original));
    let line_starts = outline.line_starts;
    Module { name, symbols, properties, line_starts, original_lines, provenance, text }
}

fn read_entities(
    text: &str,
    outline: &Outline<'_>,
    ignored: Parts,
    atoms: &mut Atoms,
) -> (PrimaryMap<SymbolId, Symbol>, Vec<Property>) {
    let metadata = contents::metadata(text, outline);
    let numbers: FxHashMap<&str, SymbolId> = outline
        .symbols
        .iter()
        .enumerate()
        .map(|(index, symbol)| (symbol_name(text, symbol), SymbolId::from_u32(index as u32)))
        .collect();
    let mut reader = Statements { text, outline, symbols: &numbers, metadata: &metadata, atoms, ignored };
    let mut symbols = PrimaryMap::new();
    for symbol in &outline.symbols {
        let name = symbol_name(text, symbol);
        symbols.push(read_symbol(&mut reader, symbol, name));
    }
    let properties = outline.properties.iter().flat_map(|property| read_property(&mut reader, *property)).collect();
    (symbols, properties)
}

fn header_of(symbol: &SymbolText) -> Span {
    match symbol {
        SymbolText::Global(span) | SymbolText::Declaration(span) => *span,
        SymbolText::Function(function) => function.header,
    }
}

/// The name after `@`: the first global name of the line, since none stands before it.
fn symbol_name<'a>(text: &'a str, symbol: &SymbolText) -> &'a str {
    let tokens = lexer::tokens(text, header_of(symbol));
    let name = tokens.iter().find(|token| token.kind == TokenKind::Global);
    name.map_or("", |name| &text[name.span.range()][1..])
}

fn read_symbol<'a>(reader: &mut Statements<'a, '_>, symbol: &SymbolText, name: &'a str) -> Symbol {
    let (kind, header, body) = match symbol {
        SymbolText::Global(span) => {
            let header = read_header(reader, *span);
            let is_alias =
                reader.text[span.range()].contains(" alias ") || reader.text[span.range()].contains(" ifunc ");
            let kind = if is_alias { SymbolKind::Alias } else { SymbolKind::Variable };
            (kind, header, None)
        }
        SymbolText::Declaration(span) => (SymbolKind::Declaration, read_header(reader, *span), None),
        SymbolText::Function(function) => {
            let (header, body) = functions::read(reader, function.header, function.body);
            (SymbolKind::Function, header, Some(body))
        }
    };
    let text = &reader.text[header_of(symbol).range()];
    let is_private = text.contains(" private ") || text.starts_with("define private");
    let is_numbered = name.bytes().all(|byte| byte.is_ascii_digit());
    let naming = if is_private || is_numbered { Naming::Arbitrary } else { Naming::Meaningful };
    Symbol { name: reader.atoms.intern(name), kind, naming, header, body }
}

fn read_header(reader: &mut Statements<'_, '_>, span: Span) -> Statement {
    let tokens = lexer::tokens(reader.text, span);
    reader.read(Place::Header, &tokens, &Locals::default())
}

/// The properties on a line at the module's level. Named metadata has several, one for each operand.
fn read_property(reader: &mut Statements<'_, '_>, (name, said): (Span, Span)) -> Vec<Property> {
    let text = &reader.text[name.range()];
    let part = match text {
        "target triple" | "target datalayout" => Part::Target,
        _ if text.starts_with("!llvm.dbg") => Part::Debug,
        _ if text.starts_with('!') => Part::Metadata,
        _ if text.starts_with('$') => Part::Section,
        _ => Part::Body,
    };
    let span = Span { start: name.start, end: said.end };
    let name = reader.atoms.intern(text);
    let contents = if text.starts_with('!') { reader.operands(said) } else { vec![reader.property(said)] };
    let properties = contents.into_iter().map(|content| {
        let of_debug =
            part == Part::Metadata && DEBUG_FLAGS.iter().any(|flag| reader.atoms.text(content).contains(flag));
        Property { name, part: if of_debug { Part::Debug } else { part }, content, span }
    });
    properties.filter(|property| !reader.ignored.contains(property.part)).collect()
}

/// Module flags that come with debug information.
const DEBUG_FLAGS: [&str; 2] = ["\"Debug Info Version\"", "\"Dwarf Version\""];

/// Whether two texts have the same tokens, numbers of metadata and attribute groups aside.
pub fn same_spelling(ours: &str, theirs: &str) -> bool {
    let spelled = |text: &str| {
        let whole = Span { start: 0, end: text.len() as u32 };
        let numbered = [TokenKind::MetadataNumber, TokenKind::AttributeGroup];
        let tokens = lexer::tokens(text, whole).into_iter().filter(move |token| !numbered.contains(&token.kind));
        tokens.map(|token| text[token.span.range()].to_owned()).collect::<Vec<_>>()
    };
    ours == theirs || spelled(ours) == spelled(theirs)
}

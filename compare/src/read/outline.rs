//! The first pass over a module's text: cuts it into entities by line starts, as LLVM's printer indents them. Nothing
//! is interpreted but the names.

use rustc_hash::FxHashMap;

use super::lexer::{Token, TokenKind, tokens};
use crate::model::Span;

/// A function with a body, as cut from the text.
pub struct FunctionText {
    /// The line with `define`, without the brace that opens the body.
    pub header: Span,
    /// The lines between the braces.
    pub body: Span,
}

/// The definition on a line at the module's level.
pub enum SymbolText {
    /// A variable or alias.
    Global(Span),
    /// A declaration.
    Declaration(Span),
    /// A function.
    Function(FunctionText),
}

/// A module cut into entities.
#[derive(Default)]
pub struct Outline<'a> {
    /// Functions, variables, aliases, in the order of the text.
    pub symbols: Vec<SymbolText>,
    /// Bodies of named types.
    pub types: FxHashMap<&'a str, Vec<Token>>,
    /// Attributes of groups, without braces.
    pub groups: FxHashMap<&'a str, Vec<Token>>,
    /// Numbered metadata nodes in the order of the text: number, tokens after `=`.
    pub nodes: Vec<(&'a str, Vec<Token>)>,
    /// Named metadata, comdats, the target, assembly: the name and the tokens of the content.
    pub properties: Vec<(Span, Span)>,
    /// Where lines start.
    pub line_starts: Vec<u32>,
}

/// Cuts a module.
pub fn outline(text: &str) -> Outline<'_> {
    let mut outline = Outline::default();
    let mut function: Option<FunctionText> = None;
    for line in lines(text) {
        outline.line_starts.push(line.start);
        let content = &text[line.range()];
        if let Some(open) = &mut function {
            if content == "}" {
                open.body.end = line.start;
                outline.symbols.extend(function.take().map(SymbolText::Function));
            }
            continue;
        }
        if content.starts_with("define ") {
            let header = Span { start: line.start, end: line.end - u32::from(content.ends_with('{')) };
            let body = Span { start: line.end + 1, end: line.end + 1 };
            function = Some(FunctionText { header, body });
        } else {
            outline.take_line(text, line, content);
        }
    }
    outline
}

impl<'a> Outline<'a> {
    fn take_line(&mut self, text: &'a str, line: Span, content: &'a str) {
        match content.as_bytes().first() {
            Some(b'@') => self.symbols.push(SymbolText::Global(line)),
            Some(b'd') if content.starts_with("declare ") => self.symbols.push(SymbolText::Declaration(line)),
            Some(b'%') => {
                let mut tokens = tokens(text, line);
                if tokens.len() > 3 {
                    let body = tokens.split_off(3);
                    self.types.insert(&text[tokens[0].span.range()][1..], body);
                }
            }
            Some(b'a') if content.starts_with("attributes ") => {
                let tokens = tokens(text, line);
                if let [_, group, _, _, attributes @ .., _] = &tokens[..] {
                    self.groups.insert(&text[group.span.range()], attributes.to_vec());
                }
            }
            Some(b'!') => self.take_metadata(text, line),
            Some(b';' | b'^') | None => {}
            _ => self.take_property(text, line),
        }
    }

    fn take_metadata(&mut self, text: &'a str, line: Span) {
        let mut tokens = tokens(text, line);
        match tokens.first() {
            Some(first) if first.kind == TokenKind::MetadataNumber && tokens.len() > 2 => {
                let name = &text[first.span.range()];
                self.nodes.push((name, tokens.split_off(2)));
            }
            _ => self.take_property(text, line),
        }
    }

    /// `NAME = CONTENT`, or a line without equals sign, which is all name.
    fn take_property(&mut self, text: &str, line: Span) {
        let content = &text[line.range()];
        if content.starts_with("source_filename") || content.starts_with("uselistorder") {
            return;
        }
        let equals = content.find(" = ").map(|at| line.start + at as u32);
        let name = Span { start: line.start, end: equals.unwrap_or(line.end) };
        let said = Span { start: equals.map_or(line.end, |at| at + 3), end: line.end };
        self.properties.push((name, said));
    }
}

/// The lines of a text, without their ends.
pub fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let span = Span { start, end: start + line.len() as u32 };
        start = span.end + 1;
        span
    })
}

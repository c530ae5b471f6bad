//! From the tokens of an instruction, header or definition to terms and adornments: named types become their members,
//! groups their attributes, metadata its content.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::contents;
use super::keywords::{self, Tail};
use super::lexer::{Token, TokenKind, tokens};
use super::outline::Outline;
use crate::atoms::{Atom, Atoms};
use crate::model::{Adornment, BlockId, Span, Statement, SymbolId, Term, ValueId};
use crate::part::{Part, Parts};

/// The meaning of a local name.
#[derive(Clone, Copy)]
pub enum Local {
    /// A parameter or result.
    Value(ValueId),
    /// A block.
    Block(BlockId),
}

/// The local names of a function.
pub type Locals<'a> = FxHashMap<Cow<'a, str>, Local>;

/// The place of a statement, which decides the meaning of its words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The line that defines or declares a symbol.
    Header,
    /// An instruction.
    Instruction,
}

/// Reads statements of one module.
pub struct Statements<'a, 'b> {
    pub text: &'a str,
    pub outline: &'b Outline<'a>,
    pub symbols: &'b FxHashMap<&'a str, SymbolId>,
    pub metadata: &'b FxHashMap<&'a str, String>,
    pub atoms: &'b mut Atoms,
    /// Parts that are left out.
    pub ignored: Parts,
}

impl<'a> Statements<'a, '_> {
    /// Reads the statement of `tokens`.
    pub fn read(&mut self, place: Place, tokens: &[Token], locals: &Locals<'a>) -> Statement {
        let span = match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => Span { start: first.span.start, end: last.span.end },
            _ => Span::default(),
        };
        let mut statement = Statement { span, ..Statement::default() };
        let mut at = 0;
        while at < tokens.len() {
            at = self.read_token(place, tokens, at, locals, &mut statement);
        }
        statement
    }

    /// Takes the token at `at` with all that belongs to it; gives the next one's index.
    fn read_token(
        &mut self,
        place: Place,
        tokens: &[Token],
        at: usize,
        locals: &Locals<'a>,
        statement: &mut Statement,
    ) -> usize {
        let token = tokens[at];
        match token.kind {
            TokenKind::Word => return self.read_word(place, tokens, at, statement),
            TokenKind::Punctuation => {
                if self.slice(token) != "," {
                    self.push_word(token, statement);
                }
            }
            TokenKind::Local => self.read_local(tokens, at, locals, statement),
            TokenKind::Global => match self.symbols.get(&self.slice(token)[1..]) {
                Some(symbol) => push(statement, Term::Symbol(*symbol), token.span),
                None => self.push_word(token, statement),
            },
            TokenKind::MetadataNumber => {
                let content = self.metadata_content(token);
                push(statement, Term::Word(content), token.span);
            }
            TokenKind::MetadataName if is_attachment(tokens, at) => {
                return self.read_attachment(tokens, at, statement);
            }
            TokenKind::AttributeGroup => self.read_group(token, statement),
            TokenKind::String if tokens.get(at + 1).is_some_and(|next| self.slice(*next) == "=") => {
                return self.adorn(Part::Attributes, tokens, at, (at + 3).min(tokens.len()), statement);
            }
            _ => self.push_word(token, statement),
        }
        at + 1
    }

    fn read_word(&mut self, place: Place, tokens: &[Token], at: usize, statement: &mut Statement) -> usize {
        let word = self.slice(tokens[at]);
        let found = match place {
            Place::Header => keywords::in_header(word),
            Place::Instruction => keywords::in_instruction(word),
        };
        let Some((part, tail)) = found else {
            self.push_word(tokens[at], statement);
            return at + 1;
        };
        let next_is_bracket = tokens.get(at + 1).is_some_and(|next| self.slice(*next) == "(");
        // `constant (…)` and `tail (…)` do not exist; flags of constant expressions stand before their operands.
        let has_argument = next_is_bracket && !matches!(part, Part::Flags | Part::Constness) || word == "inrange";
        let end = match tail {
            _ if has_argument => contents::closing(self.text, tokens, at + 1),
            Tail::NextWord => (at + 2).min(tokens.len()),
            Tail::MayHaveArgument => at + 1,
        };
        self.adorn(part, tokens, at, end, statement)
    }

    fn adorn(&mut self, part: Part, tokens: &[Token], at: usize, end: usize, statement: &mut Statement) -> usize {
        if !self.ignored.contains(part) {
            let mut content = String::new();
            for token in &tokens[at..end] {
                match self.named_type(*token) {
                    Some(_) => self.spell_type(*token, &mut content),
                    None => content.push_str(self.slice(*token)),
                }
                content.push(' ');
            }
            let span = Span { start: tokens[at].span.start, end: tokens[end - 1].span.end };
            self.push_adornment(part, content.trim_end(), span, statement);
        }
        end
    }

    fn push_adornment(&mut self, part: Part, content: &str, span: Span, statement: &mut Statement) {
        let content = self.atoms.intern(content);
        statement.adornments.push(Adornment { at: statement.terms.len() as u32, part, content, span });
    }

    fn read_group(&mut self, token: Token, statement: &mut Statement) {
        if self.ignored.contains(Part::Attributes) {
            return;
        }
        let outline = self.outline;
        if let Some(attributes) = outline.groups.get(self.slice(token)) {
            for attribute in contents::attributes(self.text, attributes) {
                self.push_adornment(Part::Attributes, &attribute, token.span, statement);
            }
        }
    }

    fn read_attachment(&mut self, tokens: &[Token], at: usize, statement: &mut Statement) -> usize {
        let name = self.slice(tokens[at]);
        let part = keywords::of_attachment(name);
        let operand = tokens[at + 1];
        if operand.kind != TokenKind::MetadataNumber {
            let end = contents::closing(self.text, tokens, at + 2);
            return self.adorn(part, tokens, at, end, statement);
        }
        if !self.ignored.contains(part) {
            let content = self.metadata_content(operand);
            let content = format!("{name} {}", self.atoms.text(content));
            let span = Span { start: tokens[at].span.start, end: operand.span.end };
            self.push_adornment(part, &content, span, statement);
        }
        at + 2
    }

    /// Metadata by its content.
    fn metadata_content(&mut self, token: Token) -> Atom {
        let name = self.slice(token);
        self.atoms.intern(self.metadata.get(name).map_or(name, String::as_str))
    }

    fn read_local(&mut self, tokens: &[Token], at: usize, locals: &Locals<'a>, statement: &mut Statement) {
        let token = tokens[at];
        let local = locals.get(&self.slice(token)[1..]).copied();
        match (self.named_type(token).is_some(), local) {
            (true, Some(_)) if self.stands_for_type(tokens, at) => self.push_type(token, token.span, statement),
            (_, Some(Local::Value(value))) => push(statement, Term::Value(value), token.span),
            (_, Some(Local::Block(block))) => push(statement, Term::Block(block), token.span),
            (true, None) => self.push_type(token, token.span, statement),
            (false, None) => self.push_word(token, statement),
        }
    }

    fn named_type(&self, token: Token) -> Option<&[Token]> {
        let named = token.kind == TokenKind::Local;
        named.then(|| self.outline.types.get(&self.slice(token)[1..])).flatten().map(Vec::as_slice)
    }

    /// Whether a name that is both a type's and a value's stands for the type: a value stands after its type or ends
    /// the list.
    fn stands_for_type(&self, tokens: &[Token], at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.slice(tokens[before]));
        let after = tokens.get(at + 1);
        let before_is_type = match before {
            Some(
                "load" | "store" | "alloca" | "getelementptr" | "ret" | "phi" | "x" | "{" | "<" | "to" | "call"
                | "volatile" | "atomic" | "inbounds" | "nuw" | "nusw" | "extractvalue" | "insertvalue" | "select"
                | "freeze" | "inalloca",
            ) => return true,
            Some("," | "(" | "[") | None => false,
            Some(_) => true,
        };
        let after_is_operand = after.is_some_and(|after| match after.kind {
            TokenKind::Punctuation => matches!(self.slice(*after), "{" | "[" | "<" | "("),
            _ => true,
        });
        after_is_operand && !before_is_type
    }

    /// The members of a named type in its place. A type without members stands for itself.
    fn push_type(&mut self, token: Token, span: Span, statement: &mut Statement) {
        let outline = self.outline;
        match outline.types.get(&self.slice(token)[1..]) {
            Some(body) if !self.is_opaque(body) => {
                for member in body {
                    match self.named_type(*member) {
                        Some(_) => self.push_type(*member, span, statement),
                        None if self.slice(*member) == "," => {}
                        None => {
                            let word = self.atoms.intern(self.slice(*member));
                            push(statement, Term::Word(word), span);
                        }
                    }
                }
            }
            _ => {
                let word = self.atoms.intern(self.slice(token));
                push(statement, Term::Word(word), span);
            }
        }
    }

    fn spell_type(&self, token: Token, into: &mut String) {
        match self.named_type(token) {
            Some(body) if !self.is_opaque(body) => body.iter().for_each(|member| self.spell_type(*member, into)),
            _ => into.push_str(self.slice(token)),
        }
    }

    fn is_opaque(&self, body: &[Token]) -> bool {
        matches!(body, [only] if self.slice(*only) == "opaque")
    }

    fn push_word(&mut self, token: Token, statement: &mut Statement) {
        let word = self.atoms.intern(self.slice(token));
        push(statement, Term::Word(word), token.span);
    }

    fn slice(&self, token: Token) -> &'a str {
        &self.text[token.span.range()]
    }

    /// The content of each operand of named metadata.
    pub fn operands(&mut self, said: Span) -> Vec<Atom> {
        let operands = tokens(self.text, said).into_iter().filter(|token| token.kind == TokenKind::MetadataNumber);
        operands.map(|token| self.metadata_content(token)).collect()
    }

    /// The content of a line at the module's level, with metadata by its content.
    pub fn property(&mut self, said: Span) -> Atom {
        let mut content = String::new();
        let mut end = said.start;
        for token in tokens(self.text, said) {
            if token.span.start > end {
                content.push(' ');
            }
            end = token.span.end;
            match token.kind {
                TokenKind::MetadataNumber => {
                    let atom = self.metadata_content(token);
                    content.push_str(self.atoms.text(atom));
                }
                _ => content.push_str(self.slice(token)),
            }
        }
        self.atoms.intern(&content)
    }
}

fn push(statement: &mut Statement, term: Term, span: Span) {
    statement.terms.push(term);
    statement.spans.push(span);
}

/// `!name !5`, `!name !{…}` or `!name !DIExpression(…)`, where `!name(` would be an operand.
fn is_attachment(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|next| {
        matches!(next.kind, TokenKind::MetadataNumber | TokenKind::MetadataName | TokenKind::MetadataMark)
    })
}

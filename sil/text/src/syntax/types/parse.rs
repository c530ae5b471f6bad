//! The interface to the grammar: parses pieces of text into trees, and converts the errors of the grammar to
//! diagnostics.

use lalrpop_util::ParseError;
use sil_ir::context::{NominalId, SignatureId, SilType, SubstitutionMapId, Sugar, Type, TypeId, ValueCategory};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::{FileId, Span};

use super::resolve::{Resolver, Scope};
use super::signatures::Naming;
use super::tokens::{DefaultValues, Spanned, TypeToken, Unexpected, skip_angles, skip_type, tokens};
use super::tree::{NodeId, NodeKind, Requirement, SignatureLevel, Tree};
use super::{Position, grammar};
use crate::syntax::Parsed;
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::reader::{Reader, ScopeNaming};

/// The form of tokens for the generated parsers.
type Tokens<'a> = std::iter::Map<std::vec::IntoIter<Spanned<'a>>, fn(Spanned<'a>) -> Result<Spanned<'a>, Unexpected>>;

type GrammarError<'a> = ParseError<u32, TypeToken<'a>, Unexpected>;

/// A piece of a text that the grammar reads.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    pub(crate) file: FileId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl<'a> Piece<'a> {
    /// Consumes the type at `cursor`.
    pub(crate) fn of_type(cursor: &mut Cursor<'a>) -> Parsed<Self> {
        Self::taken(cursor, skip_type, "a type")
    }

    /// Consumes the list in angle brackets at `cursor`.
    pub(crate) fn of_angles(cursor: &mut Cursor<'a>) -> Parsed<Self> {
        if !cursor.at(Token::Less) {
            return Err(cursor.expected("'<'"));
        }
        Self::taken(cursor, skip_angles, "'<'")
    }

    fn taken(cursor: &mut Cursor<'a>, skip: fn(&mut Cursor<'a>), what: &str) -> Parsed<Self> {
        let start = cursor.position();
        let first = cursor.span().start;
        skip(cursor);
        if cursor.position() == start {
            return Err(cursor.expected(what));
        }
        Ok(Self { text: cursor.text(), file: cursor.file(), start: first, end: cursor.previous_end() })
    }

    /// Returns the text of the piece.
    pub(crate) fn slice(&self) -> &'a str {
        &self.text[self.start as usize..self.end as usize]
    }

    /// Returns whether a type in the text may have sugar: `[T]`, `T?`.
    fn has_sugar(&self) -> bool {
        self.slice().contains(['[', '?', '!'])
    }

    /// Parses a type.
    pub(crate) fn parse_type(&self, tree: &mut Tree<'a>) -> Parsed<NodeId> {
        if let Some(node) = self.plain_path(tree) {
            return Ok(node);
        }
        thread_local!(static PARSER: grammar::CompleteParser = grammar::CompleteParser::new());
        self.run(|tokens| PARSER.with(|parser| parser.parse(tree, tokens)))
    }

    /// Parses the payload of an enum case: a tuple whose elements may have default values.
    pub(crate) fn parse_payload(&self, tree: &mut Tree<'a>) -> Parsed<NodeId> {
        thread_local!(static PARSER: grammar::CompleteParser = grammar::CompleteParser::new());
        self.run_with(DefaultValues::LeftOut, |tokens| PARSER.with(|parser| parser.parse(tree, tokens)))
    }

    /// Returns the tree of `Int` or `Base.Element` without the grammar: most types have this form.
    fn plain_path(&self, tree: &mut Tree<'a>) -> Option<NodeId> {
        if !self.slice().split('.').all(is_plain_word) {
            return None;
        }
        let mut end = self.start;
        let mut path = None;
        for name in self.slice().split('.') {
            end += name.len() as u32;
            let arguments = Vec::new();
            path = Some(match path {
                None => tree.add(NodeKind::Name { name, arguments }, self.start, end),
                Some(base) => tree.extend(NodeKind::Member { base, name, arguments }, base, end),
            });
            end += 1;
        }
        path
    }

    /// Parses types in angle brackets.
    pub(crate) fn parse_arguments(&self, tree: &mut Tree<'a>) -> Parsed<Vec<NodeId>> {
        thread_local!(static PARSER: grammar::ArgumentsParser = grammar::ArgumentsParser::new());
        self.run(|tokens| PARSER.with(|parser| parser.parse(tree, tokens)))
    }

    /// Parses a generic signature.
    pub(crate) fn parse_signature(&self, tree: &mut Tree<'a>) -> Parsed<Vec<SignatureLevel<'a>>> {
        thread_local!(static PARSER: grammar::SignatureParser = grammar::SignatureParser::new());
        self.run(|tokens| PARSER.with(|parser| parser.parse(tree, tokens)))
    }

    /// Parses the requirements after `where`.
    pub(crate) fn parse_requirements(&self, tree: &mut Tree<'a>) -> Parsed<Vec<Requirement>> {
        thread_local!(static PARSER: grammar::RequirementsParser = grammar::RequirementsParser::new());
        self.run(|tokens| PARSER.with(|parser| parser.parse(tree, tokens)))
    }

    fn run<T>(&self, parse: impl FnOnce(Tokens<'a>) -> Result<T, GrammarError<'a>>) -> Parsed<T> {
        self.run_with(DefaultValues::None, parse)
    }

    fn run_with<T>(
        &self,
        defaults: DefaultValues,
        parse: impl FnOnce(Tokens<'a>) -> Result<T, GrammarError<'a>>,
    ) -> Parsed<T> {
        let tokens = tokens(self.text, self.start, self.end, defaults).map_err(|error| self.unexpected(error))?;
        parse(tokens.into_iter().map(Ok)).map_err(|error| self.error(error))
    }

    fn error(&self, error: GrammarError<'a>) -> Box<Diagnostic> {
        match error {
            ParseError::User { error } => self.unexpected(error),
            ParseError::InvalidToken { location } => {
                self.unexpected(Unexpected::Token { start: location, end: location + 1 })
            }
            ParseError::UnrecognizedToken { token: (start, _, end), .. }
            | ParseError::ExtraToken { token: (start, _, end) } => self.unexpected(Unexpected::Token { start, end }),
            ParseError::UnrecognizedEof { .. } => {
                let span = Span { file: self.file, start: self.end, end: self.end };
                Box::new(Diagnostic::error("syntax", "expected a type, found the end of the type", span))
            }
        }
    }

    fn unexpected(&self, error: Unexpected) -> Box<Diagnostic> {
        let (message, start, end) = match error {
            Unexpected::Token { start, end } => {
                (format!("'{}' does not belong into a type here", &self.text[start as usize..end as usize]), start, end)
            }
            Unexpected::UnboundArguments { start, end } => {
                ("'for' gives arguments to a type that has no generic parameters".to_owned(), start, end)
            }
        };
        Box::new(Diagnostic::error("syntax", message, Span { file: self.file, start, end }))
    }
}

/// Returns whether a text is one word.
fn is_plain_word(text: &str) -> bool {
    let continues = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(continues) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// The wanted kind of type, and so the cache for it.
#[derive(Clone, Copy)]
enum Wanted {
    Lowered,
    Formal,
}

impl<'a> Reader<'a> {
    /// Creates a resolver for a tree of this text, with the generic parameters in scope.
    pub(in crate::syntax) fn resolver<'r>(&'r self, tree: &'r Tree<'a>) -> Resolver<'r, 'a> {
        let names = self.generics.iter().map(|parameter| {
            let (name, depth, index) = (parameter.name, parameter.depth, parameter.index);
            let ty = match self.generics.naming() {
                ScopeNaming::Named => Type::NamedParameter { name, depth, index },
                ScopeNaming::Positional => Type::GenericParameter { depth, index },
            };
            (name, self.context.ty(ty))
        });
        let scope = Scope { names: names.collect(), openings: self.generics.openings().to_vec(), ..Scope::default() };
        Resolver::new(self.context, self.declarations, tree, self.cursor.file(), scope)
    }

    fn cached_type(&mut self, wanted: Wanted) -> Parsed<TypeId> {
        let piece = Piece::of_type(&mut self.cursor)?;
        let text = piece.slice();
        let (cache, in_scope) = match wanted {
            Wanted::Lowered => (&self.types.lowered, &self.types.lowered_in_scope),
            Wanted::Formal => (&self.types.formal, &self.types.formal_in_scope),
        };
        if let Some(ty) = in_scope.get(text) {
            return Ok(*ty);
        }
        if let Some(ty) = cache.get(text)
            && !self.names_parameter(text)
        {
            return Ok(*ty);
        }
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree)?;
        let mut resolver = self.resolver(&tree);
        let position = match wanted {
            Wanted::Lowered => Position::Lowered,
            Wanted::Formal => Position::Formal,
        };
        let ty = resolver.ty(node, position)?;
        if resolver.used_place {
            return Ok(ty);
        }
        let scoped = resolver.used_scope;
        let cache = match (wanted, scoped) {
            (Wanted::Lowered, false) => &mut self.types.lowered,
            (Wanted::Lowered, true) => &mut self.types.lowered_in_scope,
            (Wanted::Formal, false) => &mut self.types.formal,
            (Wanted::Formal, true) => &mut self.types.formal_in_scope,
        };
        cache.insert(text, ty);
        Ok(ty)
    }

    /// Returns whether a word of `text` names a generic parameter in scope, so that a cached type may not apply.
    fn names_parameter(&self, text: &str) -> bool {
        let is_name = |character: char| character.is_alphanumeric() || character == '_';
        self.generics.iter().any(|parameter| {
            let name = self.context.text(parameter.name);
            text.match_indices(name)
                .any(|(at, _)| !text[..at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name))
        })
    }

    /// Returns the type whose name is ahead and begins with a dollar, as those that macros declare do.
    pub(in crate::syntax) fn type_with_dollar_ahead(&self) -> Option<NominalId> {
        let mut ahead = self.cursor.clone();
        if !ahead.eat(Token::Dollar) || !ahead.at(Token::Identifier) || !ahead.is_adjacent() {
            return None;
        }
        self.declarations.top_level(self.context.find_name(&format!("${}", ahead.peek_text()))?)
    }

    /// Consumes the dollar in front of a formal type, which older SIL has, unless it belongs to the type's name.
    pub(in crate::syntax) fn eat_older_dollar(&mut self) {
        if self.type_with_dollar_ahead().is_none() {
            self.cursor.eat(Token::Dollar);
        }
    }

    /// Reads `$T` or `$*T`, the dollar included.
    pub fn sil_type(&mut self) -> Parsed<SilType> {
        self.cursor.expect(Token::Dollar)?;
        let category = if self.cursor.eat(Token::Star) { ValueCategory::Address } else { ValueCategory::Object };
        Ok(SilType { ty: self.lowered_type()?, category })
    }

    /// Reads the type of a `sil` function after the dollar, with the names of its generic parameters. The type itself
    /// counts its parameters (`τ_0_0`); the signature has the names that the body uses.
    pub fn function_type(&mut self) -> Parsed<(TypeId, Option<SignatureId>)> {
        let piece = Piece::of_type(&mut self.cursor)?;
        if self.generics.is_empty()
            && let Some(found) = self.types.functions.get(piece.slice())
        {
            return Ok(*found);
        }
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree)?;
        let mut resolver = self.resolver(&tree);
        let found = resolver.named_function(node)?;
        if self.generics.is_empty() && !resolver.used_place {
            self.types.functions.insert(piece.slice(), found);
        }
        Ok(found)
    }

    /// Reads a formal type, such as that after a method's name.
    pub fn formal_type(&mut self) -> Parsed<TypeId> {
        self.cached_type(Wanted::Formal)
    }

    /// Reads a formal type and its spelling.
    pub fn spelled_formal_type(&mut self) -> Parsed<(TypeId, Sugar)> {
        let sugar = self.sugar_ahead();
        Ok((self.formal_type()?, sugar))
    }

    /// Returns the spelling of the type ahead without consuming it.
    pub fn sugar_ahead(&self) -> Sugar {
        let mut tree = Tree::default();
        // An invalid type is reported where it is read.
        match Piece::of_type(&mut self.cursor.clone()) {
            Ok(piece) if piece.has_sugar() && piece.parse_type(&mut tree).is_ok() => tree.sugar(),
            _ => Sugar::default(),
        }
    }

    /// Returns the spelling of the types in the specialised conformance ahead without consuming it: `[Int]: specialize
    /// <Int> (…)`.
    pub fn conformance_sugar_ahead(&self) -> Sugar {
        let mut ahead = self.cursor.clone();
        let mut tree = Tree::default();
        let Ok(ty) = Piece::of_type(&mut ahead) else { return Sugar::default() };
        if !ahead.eat(Token::Colon) || !ahead.eat_word("specialize") {
            return Sugar::default();
        }
        match Piece::of_angles(&mut ahead) {
            Ok(arguments)
                if (ty.has_sugar() || arguments.has_sugar())
                    && ty.parse_type(&mut tree).is_ok()
                    && arguments.parse_arguments(&mut tree).is_ok() =>
            {
                tree.sugar()
            }
            _ => Sugar::default(),
        }
    }

    /// Reads a lowered type, after the dollar.
    pub fn lowered_type(&mut self) -> Parsed<TypeId> {
        self.cached_type(Wanted::Lowered)
    }

    /// Reads `<T where T : P>`, or several such lists for several depths.
    pub fn generic_signature(&mut self) -> Parsed<SignatureId> {
        let mut piece = Piece::of_angles(&mut self.cursor)?;
        while self.cursor.at(Token::Less) {
            piece.end = Piece::of_angles(&mut self.cursor)?.end;
        }
        let mut tree = Tree::default();
        let levels = piece.parse_signature(&mut tree)?;
        self.resolver(&tree).signature(&levels, 0, Naming::Named)
    }

    /// Reads `$T`, where `T` is a formal type.
    pub fn formal_type_with_dollar(&mut self) -> Parsed<TypeId> {
        self.cursor.expect(Token::Dollar)?;
        self.formal_type()
    }

    /// Returns the substitution map of the written generic arguments; empty if there are none.
    pub fn substitutions(&self, signature: SignatureId, arguments: Box<[TypeId]>) -> SubstitutionMapId {
        match arguments.is_empty() {
            true => SubstitutionMapId::EMPTY,
            false => self.context.substitutions(signature, arguments),
        }
    }

    /// Reads `<A, B>`, if it is ahead.
    pub fn optional_generic_arguments(&mut self) -> Parsed<Box<[TypeId]>> {
        Ok(self.spelled_optional_generic_arguments()?.0)
    }

    /// Reads `<A, B>` and its spelling, if it is ahead.
    pub fn spelled_optional_generic_arguments(&mut self) -> Parsed<(Box<[TypeId]>, Sugar)> {
        if self.cursor.at(Token::Less) { self.spelled_generic_arguments() } else { Ok(Default::default()) }
    }

    /// Reads formal types in angle brackets, if they are ahead. If their number is that of `known`, returns `known`,
    /// whatever names the parameters have.
    pub fn generic_arguments_like(&mut self, known: &[TypeId]) -> Parsed<Box<[TypeId]>> {
        if !self.cursor.at(Token::Less) {
            return Ok(Box::default());
        }
        let piece = Piece::of_angles(&mut self.cursor)?;
        let mut tree = Tree::default();
        let nodes = piece.parse_arguments(&mut tree)?;
        match nodes.len() == known.len() {
            true => Ok(known.into()),
            false => self.resolver(&tree).types(&nodes, Position::Formal),
        }
    }

    /// Reads formal types in angle brackets: `<A, B>`.
    pub fn generic_arguments(&mut self) -> Parsed<Box<[TypeId]>> {
        Ok(self.spelled_generic_arguments()?.0)
    }

    /// Reads formal types in angle brackets and their spelling.
    pub fn spelled_generic_arguments(&mut self) -> Parsed<(Box<[TypeId]>, Sugar)> {
        let piece = Piece::of_angles(&mut self.cursor)?;
        let mut tree = Tree::default();
        let nodes = piece.parse_arguments(&mut tree)?;
        let types = self.resolver(&tree).types(&nodes, Position::Formal)?;
        Ok((types, if piece.has_sugar() { tree.sugar() } else { Sugar::default() }))
    }
}

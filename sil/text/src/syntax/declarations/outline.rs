//! The outline of declarations: their nesting, with the texts of types parsed later. Function bodies and initial values
//! are skipped by their brackets.

use sil_ir::context::{Context, Mutability, Name};
use sil_ir::declarations::{MemberDeclarationKind, NominalKind, Origin};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::Span;

use super::conditions::Configuration;
use super::coroutine_accessors::CoroutineAccessors;
use super::modifiers::Modifiers;
use crate::syntax::Parsed;
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::names::plain_name;
use crate::syntax::types::Piece;

/// The greatest nesting depth of declarations.
const DEPTH_LIMIT: u32 = 100;

/// The number of an entry in an [`Outline`].
pub(crate) type EntryIndex = usize;

/// Declarations in textual order; a container precedes its contents.
#[derive(Default)]
pub(crate) struct Outline<'a> {
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) imports: Vec<WrittenImport>,
}

/// `@_exported import struct Foo.Bar`
pub(crate) struct WrittenImport {
    pub(crate) attributes: Vec<Name>,
    pub(crate) module: Name,
}

/// One declaration.
pub(crate) struct Entry<'a> {
    pub(crate) kind: EntryKind<'a>,
    pub(crate) container: Option<EntryIndex>,
    pub(crate) modifiers: Modifiers<'a>,
    pub(crate) owner: Owner,
    pub(crate) span: Span,
}

/// The module that declarations belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    /// The name of the module.
    pub module: Name,
    /// The relation of the module to the module that is read.
    pub origin: Origin,
    /// Whether the stored properties of its types may change.
    pub evolution: Evolution,
    /// The coroutines among its accessors.
    pub coroutines: CoroutineAccessors,
}

/// Whether a module was compiled with library evolution: the stored properties of its types may change without a
/// recompilation of its importers (docs/LibraryEvolution.rst).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evolution {
    /// The stored properties may change, for types that are not declared otherwise.
    Enabled,
    /// The stored properties do not change.
    Disabled,
}

/// The extent of a declaration and its attributes, modifiers and keyword.
pub(crate) struct Extent<'a> {
    /// From its first attribute to its end.
    pub(crate) span: Span,
    /// Attributes and modifiers.
    pub(crate) modifiers: Vec<Piece<'a>>,
    /// The start of its keyword.
    pub(crate) keyword: u32,
}

/// A name in a path, with its span.
pub(crate) type PathName = (Name, Span);

/// The kind of a declaration.
pub(crate) enum EntryKind<'a> {
    Nominal {
        kind: NominalKind,
        name: Name,
        head: Head<'a>,
    },
    Extension {
        path: Vec<PathName>,
        head: Head<'a>,
    },
    Alias {
        name: Name,
        head: Head<'a>,
        ty: Piece<'a>,
    },
    AssociatedType {
        name: Name,
        head: Head<'a>,
        default: Option<Piece<'a>>,
    },
    Property {
        name: Name,
        ty: Option<Piece<'a>>,
        mutability: Mutability,
        storage: Storage,
        accessors: Option<Piece<'a>>,
    },
    Case {
        name: Name,
        payload: Option<Piece<'a>>,
    },
    Member {
        name: Name,
        kind: MemberDeclarationKind,
        syntax: CallableSyntax<'a>,
    },
}

/// `<T>(…) async throws(E) -> R where T : P { … }`; each part is optional.
#[derive(Clone, Copy, Default)]
pub(crate) struct CallableSyntax<'a> {
    pub(crate) generics: Option<Piece<'a>>,
    /// With the parentheses.
    pub(crate) parameters: Option<Piece<'a>>,
    pub(crate) effects: Option<Piece<'a>>,
    pub(crate) result: Option<Piece<'a>>,
    pub(crate) requirements: Option<Piece<'a>>,
    /// With the braces: the body, or the accessors of a subscript.
    pub(crate) braces: Option<Piece<'a>>,
    /// `init?`, `init!`
    pub(crate) failable: bool,
}

/// Whether a property has storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    Stored,
    Computed,
}

/// Generic parameters, inherited types, and requirements.
#[derive(Default)]
pub(crate) struct Head<'a> {
    pub(crate) generics: Option<Piece<'a>>,
    pub(crate) inheritance: Vec<Piece<'a>>,
    pub(crate) requirements: Option<Piece<'a>>,
}

/// Reads declarations into an outline.
pub(crate) struct OutlineReader<'a, 'o> {
    pub(super) context: &'o Context,
    pub(super) configuration: &'o Configuration,
    pub(super) cursor: Cursor<'a>,
    pub(super) outline: &'o mut Outline<'a>,
    container: Option<EntryIndex>,
    depth: u32,
    /// The number of open `#if` conditions whose branch is being read.
    open_conditions: u32,
    owner: Owner,
}

impl<'a, 'o> OutlineReader<'a, 'o> {
    pub(crate) fn new(
        context: &'o Context,
        configuration: &'o Configuration,
        cursor: Cursor<'a>,
        outline: &'o mut Outline<'a>,
        owner: Owner,
    ) -> Self {
        Self { context, configuration, cursor, outline, container: None, depth: 0, open_conditions: 0, owner }
    }

    /// Returns the cursor after the text read so far.
    pub(crate) fn into_cursor(self) -> Cursor<'a> {
        self.cursor
    }

    /// Reads a whole text of declarations.
    pub(crate) fn all(&mut self) -> Parsed<()> {
        while !self.cursor.at(Token::End) {
            self.declaration()?;
        }
        Ok(())
    }

    /// Reads a whole text of declarations without conditions.
    pub(super) fn extents(&mut self) -> Parsed<Vec<Extent<'a>>> {
        let mut extents = Vec::new();
        while !self.cursor.at(Token::End) {
            if self.cursor.eat(Token::Semicolon) {
                continue;
            }
            if self.cursor.at(Token::Hash) {
                return Err(self.cursor.expected("a declaration"));
            }
            let before = self.cursor.clone();
            let start = before.span().start;
            let modifiers = self.modifiers()?.written;
            let keyword = self.cursor.span().start;
            self.cursor = before;
            self.declaration()?;
            extents.push(Extent { span: self.cursor.span_from(start), modifiers, keyword });
        }
        Ok(extents)
    }

    /// Runs `read` one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_LIMIT {
            return Err(self.cursor.error("nesting", "declarations are nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips a bracketed range.
    pub(super) fn skip_balanced(&mut self) -> Parsed<()> {
        let span = self.cursor.span();
        if self.cursor.skip_balanced() {
            return Ok(());
        }
        let text = &self.cursor.text()[span.start as usize..span.end as usize];
        Err(Box::new(Diagnostic::error("syntax", format!("the closing mark of this '{text}' is missing"), span)))
    }

    /// Reads one declaration, or one line of a condition.
    pub(crate) fn declaration(&mut self) -> Parsed<()> {
        if self.cursor.at(Token::Hash) {
            return self.directive();
        }
        if self.cursor.eat(Token::Semicolon) {
            return Ok(());
        }
        let start = self.cursor.span().start;
        let modifiers = self.modifiers()?;
        let span = self.cursor.span();
        let keyword = match self.cursor.peek() {
            Token::Identifier => self.cursor.bump(),
            _ => return Err(self.cursor.expected("a declaration")),
        };
        match keyword {
            "struct" => self.nominal(start, modifiers, NominalKind::Struct),
            "class" => self.nominal(start, modifiers, NominalKind::Class),
            "enum" => self.nominal(start, modifiers, NominalKind::Enum),
            "protocol" => self.nominal(start, modifiers, NominalKind::Protocol),
            "actor" => self.nominal(start, modifiers, NominalKind::Actor),
            "extension" => self.extension(start, modifiers),
            "typealias" => self.alias(start, modifiers),
            "associatedtype" => self.associated_type(start, modifiers),
            "var" => self.properties(start, modifiers, Mutability::Var),
            "let" => self.properties(start, modifiers, Mutability::Let),
            "case" => self.cases(start, modifiers),
            "func" => self.function(start, modifiers),
            "init" => self.callable(start, modifiers, "init", MemberDeclarationKind::Initializer),
            "subscript" => self.callable(start, modifiers, "subscript", MemberDeclarationKind::Subscript),
            "deinit" => self.callable(start, modifiers, "deinit", MemberDeclarationKind::Deinitializer),
            "macro" => {
                self.cursor.bump();
                self.signature_and_body().map(|_| ())
            }
            "import" => self.import(modifiers),
            "operator" => self.operator(),
            "precedencegroup" => {
                self.cursor.expect(Token::Identifier)?;
                self.skip_balanced()
            }
            _ => {
                let message = format!("expected a declaration, found '{keyword}'");
                Err(Box::new(Diagnostic::error("syntax", message, span)))
            }
        }
    }

    fn directive(&mut self) -> Parsed<()> {
        self.cursor.bump();
        match self.cursor.peek_text() {
            "if" => {
                self.cursor.bump();
                self.choose_branch()
            }
            // The branch that holds was read; the rest of the condition is skipped.
            "elseif" | "else" => self.skip_to_directive(&["endif"]).map(|_| self.close_condition()),
            "endif" => {
                self.cursor.bump();
                self.close_condition();
                Ok(())
            }
            _ => Err(self.cursor.expected("'if', 'elseif', 'else' or 'endif'")),
        }
    }

    fn close_condition(&mut self) {
        self.open_conditions = self.open_conditions.saturating_sub(1);
    }

    /// Moves from after `#if` to the branch whose condition holds, or past `#endif`.
    fn choose_branch(&mut self) -> Parsed<()> {
        loop {
            if self.condition()? {
                self.open_conditions += 1;
                return Ok(());
            }
            match self.skip_to_directive(&["elseif", "else", "endif"])? {
                "elseif" => {}
                "else" => {
                    self.open_conditions += 1;
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    /// Moves past the next directive of this condition that is one of `words`.
    fn skip_to_directive(&mut self, words: &[&str]) -> Parsed<&'a str> {
        let mut depth = 0u32;
        loop {
            if self.cursor.at(Token::End) {
                return Err(self.cursor.expected("'#endif'"));
            }
            let hash = self.cursor.at(Token::Hash) && self.cursor.at_line_start();
            self.cursor.bump();
            if !hash {
                continue;
            }
            let word = self.cursor.peek_text();
            match word {
                "if" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                _ if depth == 0 && words.contains(&word) => {
                    self.cursor.bump();
                    return Ok(word);
                }
                _ => {}
            }
        }
    }

    fn push(&mut self, kind: EntryKind<'a>, modifiers: Modifiers<'a>, start: u32) -> EntryIndex {
        let span = self.cursor.span_from(start);
        self.outline.entries.push(Entry { kind, container: self.container, modifiers, owner: self.owner, span });
        self.outline.entries.len() - 1
    }

    fn name(&mut self) -> Parsed<Name> {
        if self.cursor.at(Token::Dollar) {
            self.cursor.bump();
            let name = format!("${}", self.cursor.expect(Token::Identifier)?);
            return Ok(self.context.name(&name));
        }
        let text = self.cursor.expect(Token::Identifier)?;
        Ok(self.context.name(plain_name(text)))
    }

    fn nominal(&mut self, start: u32, modifiers: Modifiers<'a>, kind: NominalKind) -> Parsed<()> {
        let name = self.name()?;
        let mut head = self.head()?;
        if head.requirements.is_none() {
            head.requirements = self.requirements()?;
        }
        let entry = self.push(EntryKind::Nominal { kind, name, head }, modifiers, start);
        self.body(entry)
    }

    fn extension(&mut self, start: u32, modifiers: Modifiers<'a>) -> Parsed<()> {
        let mut path = Vec::new();
        loop {
            let span = self.cursor.span();
            path.push((self.name()?, span));
            if self.cursor.at(Token::Less) {
                // `extension Array<Int>`: the arguments are requirements, which do not affect lookup.
                Piece::of_angles(&mut self.cursor)?;
            }
            if !self.cursor.eat(Token::Period) {
                break;
            }
        }
        let head = self.head()?;
        let entry = self.push(EntryKind::Extension { path, head }, modifiers, start);
        self.body(entry)
    }

    /// Reads the declarations in the braces of `entry`.
    fn body(&mut self, entry: EntryIndex) -> Parsed<()> {
        self.cursor.expect(Token::LeftBrace)?;
        let outer = self.container.replace(entry);
        let conditions = self.open_conditions;
        let result = self.nested(|reader| {
            while !reader.cursor.eat(Token::RightBrace) {
                if reader.cursor.at(Token::End) {
                    return Err(reader.cursor.expected("'}'"));
                }
                reader.declaration()?;
            }
            Ok(())
        });
        self.container = outer;
        self.open_conditions = conditions;
        let end = self.cursor.previous_end();
        self.outline.entries[entry].span.end = end;
        result
    }

    /// `<T> : A, B where T : P`
    fn head(&mut self) -> Parsed<Head<'a>> {
        let mut head = Head::default();
        if self.cursor.at(Token::Less) {
            head.generics = Some(Piece::of_angles(&mut self.cursor)?);
        }
        if self.cursor.eat(Token::Colon) {
            loop {
                head.inheritance.push(Piece::of_type(&mut self.cursor)?);
                if !self.cursor.eat(Token::Comma) {
                    break;
                }
            }
        }
        head.requirements = self.requirements()?;
        Ok(head)
    }

    /// `where T : P, U == V`
    fn requirements(&mut self) -> Parsed<Option<Piece<'a>>> {
        if !self.cursor.eat_word("where") {
            return Ok(None);
        }
        let mut all: Option<Piece<'a>> = None;
        loop {
            let first = Piece::of_type(&mut self.cursor)?;
            if !self.cursor.eat(Token::Colon) {
                self.cursor.expect(Token::Equal)?;
                self.cursor.expect(Token::Equal)?;
            }
            let second = Piece::of_type(&mut self.cursor)?;
            let start = all.map_or(first.start, |all| all.start);
            all = Some(Piece { start, end: second.end, ..first });
            if !self.cursor.eat(Token::Comma) {
                return Ok(all);
            }
        }
    }

    fn alias(&mut self, start: u32, modifiers: Modifiers<'a>) -> Parsed<()> {
        let name = self.name()?;
        let mut head = self.head()?;
        self.cursor.expect(Token::Equal)?;
        let ty = Piece::of_type(&mut self.cursor)?;
        head.requirements = self.requirements()?;
        self.push(EntryKind::Alias { name, head, ty }, modifiers, start);
        Ok(())
    }

    fn associated_type(&mut self, start: u32, modifiers: Modifiers<'a>) -> Parsed<()> {
        let name = self.name()?;
        let mut head = self.head()?;
        let default = if self.cursor.eat(Token::Equal) { Some(Piece::of_type(&mut self.cursor)?) } else { None };
        if head.requirements.is_none() {
            head.requirements = self.requirements()?;
        }
        self.push(EntryKind::AssociatedType { name, head, default }, modifiers, start);
        Ok(())
    }

    /// `var a, b: Int, c = 1 { get set }`
    fn properties(&mut self, start: u32, modifiers: Modifiers<'a>, mutability: Mutability) -> Parsed<()> {
        let mut untyped = Vec::new();
        loop {
            if self.cursor.at(Token::LeftParen) {
                // A pattern declares no storage that SIL could name.
                self.skip_balanced()?;
            } else {
                untyped.push(self.name()?);
            }
            let mut ty = if self.cursor.eat(Token::Colon) { Some(Piece::of_type(&mut self.cursor)?) } else { None };
            if self.cursor.eat(Token::Equal) {
                ty = ty.or_else(|| self.type_of_expression());
                self.skip_expression()?;
            }
            let start_of_accessors = self.cursor.span().start;
            let storage = self.accessors(&modifiers)?;
            let accessors = self.piece_from(start_of_accessors);
            let more = self.cursor.eat(Token::Comma);
            if ty.is_some() || !more || storage == Storage::Computed {
                for name in untyped.drain(..) {
                    self.push(
                        EntryKind::Property { name, ty, mutability, storage, accessors },
                        modifiers.clone(),
                        start,
                    );
                }
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Returns the type of an initial value that is a literal or a call of an initialiser: `= 0`, `= C()`.
    fn type_of_expression(&self) -> Option<Piece<'a>> {
        let file = self.cursor.file();
        let literal = |text: &'static str| Some(Piece { text, file, start: 0, end: text.len() as u32 });
        let mut after = self.cursor.clone();
        match after.peek() {
            Token::Integer => {
                after.bump();
                literal(if after.at(Token::Period) { "Double" } else { "Int" })
            }
            Token::Minus if after.peek_second() == Token::Integer => literal("Int"),
            Token::String => literal("String"),
            Token::Identifier if after.at_word("true") || after.at_word("false") => literal("Bool"),
            Token::Identifier => {
                let piece = Piece::of_type(&mut after).ok()?;
                after.at(Token::LeftParen).then_some(piece)
            }
            _ => None,
        }
    }

    /// Reads the accessors of a property, if any, and returns whether the property is stored.
    fn accessors(&mut self, modifiers: &Modifiers<'a>) -> Parsed<Storage> {
        if !self.cursor.at(Token::LeftBrace) {
            return Ok(if modifiers.is_lazy() { Storage::Computed } else { Storage::Stored });
        }
        let mut inner = self.cursor.clone();
        inner.bump();
        while inner.eat(Token::AtName) {}
        let observed = inner.at_word("willSet") || inner.at_word("didSet");
        self.skip_balanced()?;
        Ok(if observed || modifiers.has_storage() { Storage::Stored } else { Storage::Computed })
    }

    /// `case a, b(Int), c(x: Int) = 1`
    fn cases(&mut self, start: u32, modifiers: Modifiers<'a>) -> Parsed<()> {
        loop {
            let name = self.name()?;
            let payload = if self.cursor.at(Token::LeftParen) {
                let (text, file, start) = (self.cursor.text(), self.cursor.file(), self.cursor.span().start);
                self.skip_balanced()?;
                Some(Piece { text, file, start, end: self.cursor.previous_end() })
            } else {
                None
            };
            if self.cursor.eat(Token::Equal) {
                self.skip_expression()?;
            }
            self.push(EntryKind::Case { name, payload }, modifiers.clone(), start);
            if !self.cursor.eat(Token::Comma) {
                return Ok(());
            }
        }
    }

    fn function(&mut self, start: u32, modifiers: Modifiers<'a>) -> Parsed<()> {
        let name = if self.cursor.peek().is_operator() {
            let from = self.cursor.span().start;
            self.cursor.bump();
            while self.cursor.peek().is_operator() && self.cursor.is_adjacent() {
                self.cursor.bump();
            }
            self.operator_name(from)
        } else {
            self.name()?
        };
        let syntax = self.parameters_and_body()?;
        self.push(EntryKind::Member { name, kind: MemberDeclarationKind::Function, syntax }, modifiers, start);
        Ok(())
    }

    /// Returns the name of the operator whose tokens were consumed. In `func +<T>(…)` its last character opens the
    /// generic parameters.
    fn operator_name(&mut self, from: u32) -> Name {
        let end = self.cursor.previous_end();
        let text = &self.cursor.text()[from as usize..end as usize];
        match text.strip_suffix('<') {
            Some(operator) if !operator.is_empty() && self.cursor.at(Token::Identifier) => {
                self.cursor.seek_byte(end - 1);
                self.context.name(operator)
            }
            _ => self.context.name(text),
        }
    }

    fn callable(
        &mut self,
        start: u32,
        modifiers: Modifiers<'a>,
        name: &str,
        kind: MemberDeclarationKind,
    ) -> Parsed<()> {
        // `init?`, `init!`
        let failable = self.cursor.eat(Token::Question) || self.cursor.eat(Token::Exclamation);
        let syntax = match kind {
            MemberDeclarationKind::Deinitializer => self.signature_and_body()?,
            _ => self.parameters_and_body()?,
        };
        let name = self.context.name(name);
        self.push(EntryKind::Member { name, kind, syntax: CallableSyntax { failable, ..syntax } }, modifiers, start);
        Ok(())
    }

    /// Reads `<T>`, if present.
    fn generic_parameters(&mut self) -> Parsed<Option<Piece<'a>>> {
        if self.cursor.at(Token::Less) { Piece::of_angles(&mut self.cursor).map(Some) } else { Ok(None) }
    }

    /// Returns the text consumed from the byte `start` on, if any.
    fn piece_from(&self, start: u32) -> Option<Piece<'a>> {
        let end = self.cursor.previous_end();
        (end > start).then(|| Piece { text: self.cursor.text(), file: self.cursor.file(), start, end })
    }

    /// Skips a bracketed range, if `open` is ahead.
    fn optional_balanced(&mut self, open: Token) -> Parsed<Option<Piece<'a>>> {
        if !self.cursor.at(open) {
            return Ok(None);
        }
        let start = self.cursor.span().start;
        self.skip_balanced()?;
        Ok(self.piece_from(start))
    }

    /// Reads `<T>(…)` with required parameters, and the rest as in [`signature_and_body`](Self::signature_and_body).
    fn parameters_and_body(&mut self) -> Parsed<CallableSyntax<'a>> {
        let generics = self.generic_parameters()?;
        if !self.cursor.at(Token::LeftParen) {
            return Err(self.cursor.expected("'('"));
        }
        Ok(CallableSyntax { generics, ..self.signature_and_body()? })
    }

    /// Reads `<T>(…) async throws(E) -> R where T : P { … }`; each part is optional.
    fn signature_and_body(&mut self) -> Parsed<CallableSyntax<'a>> {
        let mut syntax = CallableSyntax { generics: self.generic_parameters()?, ..CallableSyntax::default() };
        syntax.parameters = self.optional_balanced(Token::LeftParen)?;
        let start = self.cursor.span().start;
        while let "async" | "throws" | "rethrows" | "reasync" = self.cursor.peek_text() {
            self.cursor.bump();
            if self.cursor.at(Token::LeftParen) {
                self.skip_balanced()?;
            }
        }
        syntax.effects = self.piece_from(start);
        if self.cursor.eat(Token::Arrow) {
            syntax.result = Some(Piece::of_type(&mut self.cursor)?);
        }
        syntax.requirements = self.requirements()?;
        // A macro has its requirements after its definition.
        if self.cursor.eat(Token::Equal) {
            self.skip_expression()?;
            syntax.requirements = self.requirements()?;
        }
        syntax.braces = self.optional_balanced(Token::LeftBrace)?;
        Ok(syntax)
    }

    /// Skips an initial value, or the definition of a macro: up to the end of its line, a comma, a brace, or `where`.
    fn skip_expression(&mut self) -> Parsed<()> {
        loop {
            match self.cursor.peek() {
                Token::End | Token::Comma | Token::RightBrace | Token::Semicolon => return Ok(()),
                _ if self.cursor.at_word("where") => return Ok(()),
                token if token.closing().is_some() => self.skip_balanced()?,
                _ => {
                    self.cursor.bump();
                }
            }
            let accessors = self.cursor.at(Token::LeftBrace);
            if accessors || (self.cursor.at_line_start() && !self.cursor.peek().is_operator()) {
                return Ok(());
            }
        }
    }

    fn import(&mut self, modifiers: Modifiers<'a>) -> Parsed<()> {
        if let "struct" | "class" | "enum" | "protocol" | "typealias" | "func" | "var" | "let" = self.cursor.peek_text()
        {
            self.cursor.bump();
        }
        let module = self.name()?;
        while self.cursor.eat(Token::Period) {
            self.cursor.bump();
        }
        let attributes = modifiers.written.iter().map(|piece| self.context.name(piece.slice())).collect();
        self.outline.imports.push(WrittenImport { attributes, module });
        Ok(())
    }

    /// `infix operator +++ : AdditionPrecedence`
    fn operator(&mut self) -> Parsed<()> {
        while !self.cursor.at(Token::End) && !self.cursor.at_line_start() {
            if self.cursor.at(Token::LeftBrace) {
                self.skip_balanced()?;
            } else {
                self.cursor.bump();
            }
        }
        Ok(())
    }
}

//! Attributes and modifiers of a declaration.

use sil_ir::context::Context;
use sil_ir::declarations::{Availability, DeclaredIsolation, DeclaredPlacement, StaticDemand};

use super::outline::OutlineReader;
use crate::syntax::Parsed;
use crate::syntax::lexer::Token;
use crate::syntax::types::Piece;

/// The attributes (with `@`) and modifiers of a declaration, including arguments in parentheses.
#[derive(Clone, Default)]
pub(crate) struct Modifiers<'a> {
    pub(crate) written: Vec<Piece<'a>>,
}

/// The modifiers of declarations (docs: "Declaration Modifiers").
const WORDS: [&str; 36] = [
    "__consuming",
    "_const",
    "_resultDependsOnSelf",
    "async",
    "borrowing",
    "class",
    "consuming",
    "convenience",
    "distributed",
    "dynamic",
    "fileprivate",
    "final",
    "indirect",
    "infix",
    "internal",
    "isolated",
    "lazy",
    "mutating",
    "nonisolated",
    "nonmutating",
    "open",
    "optional",
    "override",
    "package",
    "postfix",
    "prefix",
    "private",
    "public",
    "reasync",
    "required",
    "sending",
    "static",
    "unowned",
    "weak",
    "__raw_doc_comment",
    "extension_access",
];

/// The keywords that introduce declarations.
const KEYWORDS: [&str; 18] = [
    "actor",
    "associatedtype",
    "case",
    "class",
    "deinit",
    "enum",
    "extension",
    "func",
    "import",
    "init",
    "let",
    "macro",
    "operator",
    "protocol",
    "struct",
    "subscript",
    "typealias",
    "var",
];

impl<'a> Modifiers<'a> {
    /// Returns the text in the parentheses of an attribute or modifier, which is empty without parentheses; `None` if
    /// the attribute is absent.
    pub(crate) fn arguments(&self, name: &str) -> Option<&'a str> {
        let rest = &self.find(name)?.slice()[name.len()..];
        Some(rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest).trim())
    }

    /// Returns the text of an attribute or modifier, including its arguments.
    pub(crate) fn find(&self, name: &str) -> Option<&Piece<'a>> {
        self.written.iter().find(|piece| {
            let rest = piece.slice().strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
        })
    }

    /// Returns whether the attribute or modifier is present.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.arguments(name).is_some()
    }

    /// Returns unavailable if an `@available` attribute makes the declaration unavailable everywhere.
    pub(crate) fn availability(&self) -> Availability {
        let is_unavailable = |piece: &Piece<'_>| {
            let arguments = piece.slice().strip_prefix("@available(").and_then(|rest| rest.strip_suffix(')'));
            let mut arguments = arguments.unwrap_or_default().split(',').map(str::trim);
            arguments.next() == Some("*") && arguments.next() == Some("unavailable")
        };
        match self.written.iter().any(is_unavailable) {
            true => Availability::Unavailable,
            false => Availability::Available,
        }
    }

    /// Returns the declared isolation. Lowercase attributes are the language's own.
    pub(crate) fn isolation(&self, context: &Context) -> Option<DeclaredIsolation> {
        if let Some(arguments) = self.arguments("nonisolated") {
            let is_unsafe = arguments == "unsafe";
            let isolation =
                if is_unsafe { DeclaredIsolation::NonisolatedUnsafe } else { DeclaredIsolation::Nonisolated };
            return Some(isolation);
        }
        self.written.iter().find_map(|piece| {
            let name = piece.slice().strip_prefix('@')?;
            let name = name.split('(').next()?.rsplit('.').next()?;
            let is_type = name.starts_with(char::is_uppercase);
            is_type.then(|| DeclaredIsolation::Attribute(context.name(name)))
        })
    }

    /// Returns the section that `@_section` asks for, whether `@_used` is present, and the demand for a static initial
    /// value; `None` without any.
    pub(crate) fn placement(&self, context: &Context) -> Option<DeclaredPlacement> {
        let section = self.arguments("@_section").map(|section| context.name(section.trim_matches('"')));
        let placement = DeclaredPlacement { section, used: self.has("@_used"), demand: self.static_demand() };
        Some(placement).filter(|placement| *placement != DeclaredPlacement::default())
    }

    fn static_demand(&self) -> Option<StaticDemand> {
        let demands = [
            ("@_silgen_name", StaticDemand::Symbol),
            ("@const", StaticDemand::Const),
            ("@constInitialized", StaticDemand::ConstInitialized),
        ];
        demands.into_iter().find(|(attribute, _)| self.has(attribute)).map(|(_, demand)| demand)
    }

    /// `@_hasStorage`
    pub(crate) fn has_storage(&self) -> bool {
        self.has("@_hasStorage")
    }

    /// `lazy`: the storage is a property of its own.
    pub(crate) fn is_lazy(&self) -> bool {
        self.has("lazy") && !self.has_storage()
    }

    /// `static` or `class`
    pub(crate) fn is_static(&self) -> bool {
        self.has("static") || self.has("class")
    }
}

impl<'a> OutlineReader<'a, '_> {
    /// Reads attributes and modifiers.
    pub(super) fn modifiers(&mut self) -> Parsed<Modifiers<'a>> {
        let mut modifiers = Modifiers::default();
        loop {
            let start = self.cursor.span().start;
            match self.cursor.peek() {
                Token::AtName => {
                    self.cursor.bump();
                    // `@Module.Outer<Int>.Wrapper<String>(1)`
                    while self.cursor.is_adjacent() {
                        match self.cursor.peek() {
                            Token::Period => {
                                self.cursor.bump();
                                self.cursor.bump();
                            }
                            Token::Less => drop(Piece::of_angles(&mut self.cursor)?),
                            _ => break,
                        }
                    }
                }
                Token::Identifier if self.at_modifier() => {
                    self.cursor.bump();
                }
                _ => return Ok(modifiers),
            }
            if self.cursor.at(Token::LeftParen) && self.cursor.is_adjacent() {
                self.skip_balanced()?;
            }
            let (text, file, end) = (self.cursor.text(), self.cursor.file(), self.cursor.previous_end());
            modifiers.written.push(Piece { text, file, start, end });
        }
    }

    fn at_modifier(&self) -> bool {
        let word = self.cursor.peek_text();
        if word != "class" {
            return WORDS.contains(&word);
        }
        // `class` is a modifier in front of another keyword: `class func`.
        let mut next = self.cursor.clone();
        next.bump();
        next.at(Token::AtName)
            || (next.at(Token::Identifier)
                && (KEYWORDS.contains(&next.peek_text()) || WORDS.contains(&next.peek_text())))
    }
}

//! Writes references to declarations and the names in them.

use super::Printer;
use crate::context::{MemberId, Name};
use crate::declarations::{DerivativeKind, Foreign, MemberKind, MemberRef};

/// Words that can be a name only in backticks (include/swift/AST/TokenKinds.def).
const KEYWORDS: [&str; 53] = [
    "Any",
    "Self",
    "as",
    "associatedtype",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "defer",
    "deinit",
    "do",
    "else",
    "enum",
    "extension",
    "fallthrough",
    "false",
    "fileprivate",
    "for",
    "func",
    "guard",
    "if",
    "import",
    "in",
    "init",
    "inout",
    "internal",
    "is",
    "let",
    "nil",
    "operator",
    "precedencegroup",
    "private",
    "protocol",
    "public",
    "repeat",
    "rethrows",
    "return",
    "self",
    "static",
    "struct",
    "subscript",
    "super",
    "switch",
    "throw",
    "throws",
    "true",
    "try",
    "typealias",
    "var",
    "where",
    "while",
];

impl Printer<'_> {
    /// Writes a name in a type: in backticks where it would not be read as one.
    pub(super) fn identifier(&mut self, name: Name) {
        let text = self.context.text(name);
        if is_word(text) && (!is_keyword(text) || matches!(text, "Self" | "Any" | "self")) && text != "Type" {
            self.out.push_str(text);
        } else {
            self.in_backticks(text);
        }
    }

    fn in_backticks(&mut self, text: &str) {
        self.text("`");
        self.text(text);
        self.text("`");
    }

    /// Writes `#Point.x`.
    pub fn member(&mut self, id: MemberId) {
        let member = self.context.get_member(id);
        self.text("#");
        let itself = member.parent.is_some_and(|parent| self.is_itself(member, parent));
        if let Some(parent) = member.parent {
            self.parent_of_member(parent);
            if !itself {
                self.text(".");
            }
        }
        if !itself {
            self.member_name(member.name);
        }
        self.member_suffix(member);
    }

    /// Whether the reference is to the type itself: `#C!deallocator`.
    fn is_itself(&self, member: &MemberRef, parent: crate::declarations::NominalId) -> bool {
        use MemberKind::*;
        let of_type = matches!(
            member.kind,
            Allocator | Initializer | Destroyer | Deallocator | IsolatedDeallocator | IvarDestroyer | IvarInitializer
        );
        of_type && self.declarations.get(parent).name == member.name
    }

    fn parent_of_member(&mut self, parent: crate::declarations::NominalId) {
        let declaration = self.declarations.get(parent);
        match declaration.parent {
            Some(outer) => {
                self.parent_of_member(outer);
                self.text(".");
            }
            None if declaration.attributes.local => self.text("<abstract function>"),
            None => {}
        }
        self.member_name(declaration.name);
    }

    fn member_name(&mut self, name: Name) {
        let text = self.context.text(name);
        if matches!(text, "init" | "subscript" | "deinit") {
            self.out.push_str(text);
        } else if text.starts_with(|first: char| first.is_ascii_punctuation() && !matches!(first, '_' | '$')) {
            self.quoted(text);
        } else if is_keyword(text) {
            self.in_backticks(text);
        } else if is_word(text) || text.starts_with('$') {
            self.out.push_str(text);
        } else {
            self.in_backticks(text);
        }
    }

    fn member_suffix(&mut self, member: &MemberRef) {
        let mut mark = "!";
        let mut part = |this: &mut Self, text: std::fmt::Arguments<'_>| {
            this.text(std::mem::replace(&mut mark, "."));
            this.number(text);
        };
        match member.kind {
            MemberKind::Plain => {}
            MemberKind::DefaultArgument(number) => part(self, format_args!("defaultarg.{number}")),
            kind => part(self, format_args!("{}", word_of(kind))),
        }
        if let Some(level) = member.uncurry_level {
            part(self, format_args!("{level}"));
        }
        if member.foreign == Foreign::Yes {
            part(self, format_args!("foreign"));
        }
        if let Some(derivative) = member.derivative {
            let kind = match derivative.kind {
                DerivativeKind::Jvp => "jvp",
                DerivativeKind::Vjp => "vjp",
            };
            let configuration = self.context.text(derivative.configuration);
            part(self, format_args!("{kind}.{configuration}"));
        }
    }
}

fn is_word(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = |first: char| first == '_' || first.is_ascii_alphabetic() || !first.is_ascii();
    let continues = |next: char| next == '_' || next == '$' || next.is_ascii_alphanumeric() || !next.is_ascii();
    characters.next().is_some_and(starts) && characters.all(continues)
}

fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}

fn word_of(kind: MemberKind) -> &'static str {
    match kind {
        MemberKind::Plain | MemberKind::DefaultArgument(_) => "func",
        MemberKind::Getter => "getter",
        MemberKind::Setter => "setter",
        MemberKind::Read => "read",
        MemberKind::Read2 => "read2",
        MemberKind::Modify => "modify",
        MemberKind::Modify2 => "modify2",
        MemberKind::Addressor => "addressor",
        MemberKind::MutableAddressor => "mutableAddressor",
        MemberKind::WillSet => "willSet",
        MemberKind::DidSet => "didSet",
        MemberKind::InitAccessor => "init",
        MemberKind::Allocator => "allocator",
        MemberKind::Initializer => "initializer",
        MemberKind::EnumElement => "enumelt",
        MemberKind::Destroyer => "destroyer",
        MemberKind::Deallocator => "deallocator",
        MemberKind::IsolatedDeallocator => "isolateddeallocator",
        MemberKind::GlobalAccessor => "globalaccessor",
        MemberKind::IvarDestroyer => "ivardestroyer",
        MemberKind::IvarInitializer => "ivarinitializer",
        MemberKind::PropertyInitializer => "propertyinit",
        MemberKind::BackingInitializer => "backinginit",
    }
}

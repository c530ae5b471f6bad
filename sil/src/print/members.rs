//! Writes references to declarations: `#Point.x`, `#Comparable."<"`, `#A.x!getter.foreign`.

use super::Printer;
use crate::context::{MemberId, Name};
use crate::declarations::{DerivativeKind, Foreign, MemberKind, MemberRef};

impl Printer<'_> {
    /// Writes a reference to a declaration.
    pub fn member(&mut self, member: MemberId) {
        let member = self.context.get_member(member);
        self.text("#");
        match member.parent {
            Some(parent) => {
                self.path(parent);
                if !self.is_type_itself(member) {
                    self.text(".");
                    self.member_name(member.name);
                }
            }
            None => self.member_name(member.name),
        }
        self.member_kind(member.kind);
        let mut separator = if member.kind == MemberKind::Plain { "!" } else { "." };
        if member.foreign == Foreign::Yes {
            self.text(separator);
            self.text("foreign");
            separator = ".";
        }
        if let Some(derivative) = member.derivative {
            self.text(separator);
            self.text(match derivative.kind {
                DerivativeKind::Jvp => "jvp.",
                DerivativeKind::Vjp => "vjp.",
            });
            self.name(derivative.configuration);
        }
    }

    /// Whether the reference is written without the name of a member: `#C!deallocator`.
    fn is_type_itself(&self, member: &MemberRef) -> bool {
        use MemberKind::*;
        let of_type = matches!(
            member.kind,
            Allocator | Initializer | Destroyer | Deallocator | IsolatedDeallocator | IvarDestroyer | IvarInitializer
        );
        of_type && member.parent.is_some_and(|parent| self.declarations.get(parent).name == member.name)
    }

    fn member_name(&mut self, name: Name) {
        let text = self.context.text(name);
        let mut characters = text.chars();
        let starts = characters
            .next()
            .is_some_and(|first| first == '_' || first == '$' || first.is_alphabetic() || !first.is_ascii());
        if starts
            && characters.all(|character| character == '_' || character.is_alphanumeric() || !character.is_ascii())
        {
            self.text(text);
        } else {
            self.quoted(text);
        }
    }

    fn member_kind(&mut self, kind: MemberKind) {
        let word = match kind {
            MemberKind::Plain => return,
            MemberKind::DefaultArgument(index) => {
                self.number(format_args!("!defaultarg.{index}"));
                return;
            }
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
        };
        self.text("!");
        self.text(word);
    }
}

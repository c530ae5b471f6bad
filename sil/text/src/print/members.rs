//! Writes references to declarations: `#Point.x`, `#Comparable."<"`, `#A.x!getter.foreign`.

use sil_ir::context::{
    DerivativeKind, Distribution, Foreign, FormalParameter, MemberId, MemberKind, MemberRef, MemberTarget, Name,
    NominalId, Sugar, Type, TypeId, Variadic,
};
use sil_ir::declarations::{LocalContext, Member, MemberDeclarationKind, Origin};

use super::Printer;

/// Words that are a member's name only in backticks (include/swift/AST/TokenKinds.def); `init` and its like are names.
const KEYWORDS: [&str; 50] = [
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
    /// Writes a reference to a declaration.
    pub fn member(&mut self, member: MemberId) {
        let member = self.context.get_member(member);
        self.text("#");
        match member.parent {
            Some(parent) => {
                self.text(self.local_context(parent).map_or("", LocalContext::spelling));
                self.path(parent);
                if !self.is_type_itself(member) {
                    self.text(".");
                    self.member_name(member.name, Some(parent));
                }
            }
            None => self.member_name(member.name, None),
        }
        self.text(match member.distribution {
            Distribution::None => "",
            Distribution::Method => "!distributed",
            Distribution::Thunk => "!distributed_thunk",
        });
        self.member_kind(member);
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

    /// The formal type that is written after a reference: that of the declaration, if it is known; else as `written`.
    /// Of overloads the written one is meant. `T...` is kept, for which the declarations of a printed module have
    /// `[T]`.
    pub(super) fn interface(&self, member: MemberId, written: Option<(TypeId, Sugar)>) -> Option<(TypeId, Sugar)> {
        let mut candidates = self.declarations.interfaces(self.context.get_member(member));
        match (candidates.next(), candidates.next()) {
            (Some(only), None) if !written.is_some_and(|(ty, _)| self.is_variadic(ty)) => only.ty.or(written),
            // A name alone means the first declaration.
            (Some(first), Some(_)) if written.is_none() && self.declares_all(member) => first.ty,
            _ => written,
        }
    }

    /// Whether the declarations that are known are all that the type has: of imported ones some are left out.
    fn declares_all(&self, member: MemberId) -> bool {
        let parent = self.context.get_member(member).parent;
        parent.is_some_and(|parent| self.declarations.get(parent).origin == Origin::Module)
    }

    /// Whether a method takes any number of arguments.
    fn is_variadic(&self, ty: TypeId) -> bool {
        let Type::FormalFunction(function) = self.context.get(ty) else { return false };
        let variadic = |parameter: &FormalParameter| parameter.variadic == Variadic::Yes;
        function.parameters.iter().any(variadic) || self.is_variadic(function.result)
    }

    /// Writes the formal type after a reference.
    pub(super) fn interface_type(&mut self, (ty, sugar): (TypeId, Sugar)) {
        self.sugared(sugar, |printer| printer.formal_type(ty));
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

    /// Whether a type has a function of this name, not an initialiser or a subscript.
    fn is_function(&self, parent: Option<NominalId>, name: Name) -> bool {
        let function = |member: &Member| member.name == name && member.kind == MemberDeclarationKind::Function;
        parent.is_some_and(|parent| self.declarations.get(parent).members.iter().any(function))
    }

    /// The context of the type, or of the outermost one around it, if that is no module.
    pub(super) fn local_context(&self, nominal: NominalId) -> Option<LocalContext> {
        let declaration = self.declarations.get(nominal);
        declaration
            .parent
            .map_or(declaration.attributes.local.map(|local| local.context), |parent| self.local_context(parent))
    }

    fn member_name(&mut self, name: Name, parent: Option<NominalId>) {
        let text = self.context.text(name);
        if !is_word(text) {
            self.quoted(text);
        } else if KEYWORDS.contains(&text) || (text == "subscript" && self.is_function(parent, name)) {
            self.number(format_args!("`{text}`"));
        } else {
            self.text(text);
        }
    }

    fn member_kind(&mut self, member: &MemberRef) {
        let word = match member.kind {
            MemberKind::Plain if matches!(member.target, MemberTarget::Case(_)) => "enumelt",
            MemberKind::Plain => return,
            MemberKind::DefaultArgument(index) => {
                self.number(format_args!("!defaultarg.{index}"));
                return;
            }
            MemberKind::Getter => "getter",
            MemberKind::DistributedGetter => "_distributed_getter",
            MemberKind::Setter => "setter",
            MemberKind::Read => "read",
            MemberKind::Read2 => "read2",
            MemberKind::Modify => "modify",
            MemberKind::Modify2 => "modify2",
            MemberKind::Borrow => "borrow",
            MemberKind::Mutate => "mutate",
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

fn is_word(text: &str) -> bool {
    let mut characters = text.chars();
    let letter =
        |character: char| matches!(character, '_' | '$') || character.is_alphanumeric() || !character.is_ascii();
    characters.next().is_some_and(|first| letter(first) && !first.is_ascii_digit()) && characters.all(letter)
}

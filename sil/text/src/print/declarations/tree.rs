//! Declarations as they are printed: their parts as text that is spelled as Swift's printer spells it.

use sil_ir::context::NominalId;

/// A declaration with the text before it.
#[derive(Clone)]
pub(super) struct Declaration {
    /// Attributes (with `@`) and modifiers in their order.
    pub(super) attributes: Vec<String>,
    pub(super) kind: Kind,
}

/// The kind of declaration.
#[derive(Clone)]
pub(super) enum Kind {
    Type(TypeDeclaration),
    Property(Property),
    /// The cases after `case`, each with its payload.
    Cases(Vec<Case>),
    Callable(Callable),
    Deinitializer,
    /// A declaration that ends with its line: the text after the attributes.
    Line(String),
    /// A member that is not understood, as it is written.
    Verbatim(String),
}

/// The keyword of a type declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TypeKeyword {
    Struct,
    Class,
    Actor,
    Enum,
    Protocol,
    Extension,
}

/// A nominal type or an extension.
#[derive(Clone)]
pub(super) struct TypeDeclaration {
    pub(super) keyword: TypeKeyword,
    /// The type that is declared or extended.
    pub(super) nominal: Option<NominalId>,
    pub(super) name: String,
    /// `<T, U>`, or nothing.
    pub(super) generics: String,
    pub(super) inherited: Vec<String>,
    pub(super) requirements: Vec<String>,
    pub(super) members: Vec<Declaration>,
    /// The type as it is written inside of itself: `Outer.Inner<T>`.
    pub(super) identity: String,
}

/// `var x: T { get set }`
#[derive(Clone)]
pub(super) struct Property {
    pub(super) introducer: Introducer,
    pub(super) name: String,
    pub(super) ty: PropertyType,
    pub(super) storage: Storage,
    pub(super) accessors: Vec<Accessor>,
    /// How the accessors of a stored property are written: those with observers stand on lines.
    pub(super) layout: AccessorLayout,
    pub(super) initial: Initial,
}

/// The type of a property.
#[derive(Clone)]
pub(super) struct PropertyType {
    pub(super) text: String,
    pub(super) form: TypeForm,
}

/// The property of a type that matters at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TypeForm {
    /// `T?` or `T!`: its variables begin with `nil`.
    ShortOptional,
    /// A function, whose parameters escape.
    Function,
    /// A pointer, which an argument must outlive.
    Pointer,
    Other,
}

/// `var` or `let`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Introducer {
    Var,
    Let,
}

/// Whether a property has storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    Stored,
    Computed,
}

/// The value that a stored property begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Initial {
    None,
    /// `nil`, since the type is an optional.
    Nil,
    Written(String),
}

/// How accessors are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AccessorLayout {
    /// `{ get set }`
    OneLine,
    /// Each on a line of its own.
    Lines,
}

/// `mutating get async throws`
#[derive(Clone)]
pub(super) struct Accessor {
    pub(super) modifiers: Vec<String>,
    /// The word and the text after it.
    pub(super) text: String,
}

/// One case of an enum.
#[derive(Clone)]
pub(super) struct Case {
    /// The name with its payload.
    pub(super) text: String,
    pub(super) payload: Payload,
}

/// Whether a case carries something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Payload {
    None,
    Some,
}

/// The keyword of a callable declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CallableKeyword {
    Function,
    Initializer,
    Subscript,
}

/// A function, an initialiser or a subscript.
#[derive(Clone)]
pub(super) struct Callable {
    pub(super) keyword: CallableKeyword,
    /// The name of a function with a space after an operator; `?` or `!` of an initialiser.
    pub(super) name: String,
    pub(super) generics: String,
    pub(super) parameters: Vec<String>,
    /// ` async throws`, or nothing.
    pub(super) effects: String,
    pub(super) result: Option<String>,
    pub(super) requirements: Vec<String>,
    /// Those of a subscript.
    pub(super) accessors: Vec<Accessor>,
}

impl Declaration {
    /// Whether an attribute or modifier of this name stands before the declaration.
    pub(super) fn has(&self, name: &str) -> bool {
        self.attributes
            .iter()
            .any(|attribute| attribute.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('(')))
    }

    /// Whether it is an extension that adds nothing.
    pub(super) fn is_silent(&self) -> bool {
        let Kind::Type(ty) = &self.kind else { return false };
        ty.keyword == TypeKeyword::Extension && ty.members.is_empty() && ty.inherited.is_empty()
    }

    /// `static` or `class`
    pub(super) fn is_static(&self) -> bool {
        self.has("static") || self.has("class")
    }
}

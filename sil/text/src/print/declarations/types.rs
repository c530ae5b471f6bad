//! The types of declarations as Swift's printer spells them: without needless module names, with `any`, nested types
//! with their contexts.

use sil_ir::context::{Context, Name, NominalId, Type, TypeId};
use sil_ir::declarations::{DeclarationTable, NominalKind, Origin, Visible};
use std::cell::Cell;

use crate::syntax::types::{Effect, Element, InheritanceClause, NodeId, NodeKind, Piece, Tree};

use super::tree::TypeForm;

/// The pointers that a parameter must outlive.
const POINTERS: [&str; 6] = [
    "UnsafePointer",
    "UnsafeMutablePointer",
    "UnsafeRawPointer",
    "UnsafeMutableRawPointer",
    "AutoreleasingUnsafeMutablePointer",
    "OpaquePointer",
];

/// The meanings of names inside of a declaration.
pub(super) struct Frame {
    /// The type whose members can be named.
    pub(super) nominal: Option<NominalId>,
    /// Generic parameters.
    pub(super) names: Vec<String>,
}

/// Spells types inside of declarations.
pub(super) struct TypeTexts<'m> {
    pub(super) context: &'m Context,
    pub(super) table: &'m DeclarationTable,
    /// The declarations around, the outermost first.
    pub(super) frames: Vec<Frame>,
    /// How deep the type is nested that is being spelled.
    pub(super) depth: Cell<u32>,
}

/// The kind of named entity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A type.
    Type,
    /// A constraint of types.
    Constraint,
    /// A constraint in such a clause of the innermost declaration.
    Inherited(InheritanceClause),
    /// The base of a member.
    Base,
}

impl Place {
    /// Whether a type is named, which type parameters are as well.
    fn is_type(self) -> bool {
        matches!(self, Place::Type | Place::Base)
    }
}

/// A type's syntax with the text it was read from.
struct Written<'t, 'a> {
    tree: &'t Tree<'a>,
    text: &'a str,
}

impl Written<'_, '_> {
    fn slice(&self, start: u32, end: u32) -> &str {
        &self.text[start as usize..end as usize]
    }
}

impl TypeTexts<'_> {
    /// A type; none if it is not understood.
    pub(super) fn ty(&self, piece: &Piece<'_>) -> Option<String> {
        self.spelled(piece, Place::Type)
    }

    /// A constraint or superclass of a type.
    pub(super) fn constraint(&self, piece: &Piece<'_>) -> Option<String> {
        self.spelled(piece, Place::Constraint)
    }

    /// The same in an inheritance clause of the innermost declaration.
    pub(super) fn inherited(&self, piece: &Piece<'_>, clause: InheritanceClause) -> Option<String> {
        self.spelled(piece, Place::Inherited(clause))
    }

    /// The meaning of an alias: a type, or a protocol or composition that others can inherit from by the alias.
    pub(super) fn aliased(&self, piece: &Piece<'_>) -> Option<String> {
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree).ok()?;
        let place = match &tree.get(node).kind {
            NodeKind::Member { name: "Type", .. } => Place::Type,
            NodeKind::Name { .. } | NodeKind::Member { .. } | NodeKind::Composition(_) | NodeKind::Inverse(_) => {
                Place::Constraint
            }
            _ => Place::Type,
        };
        self.node(&Written { tree: &tree, text: piece.text }, node, place)
    }

    fn spelled(&self, piece: &Piece<'_>, place: Place) -> Option<String> {
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree).ok()?;
        self.node(&Written { tree: &tree, text: piece.text }, node, place)
    }

    /// A type of a tree that was read from `text`.
    pub(super) fn type_node(&self, tree: &Tree<'_>, text: &str, id: NodeId) -> Option<String> {
        self.node(&Written { tree, text }, id, Place::Type)
    }

    /// The constraints of a type: several for a composition.
    pub(super) fn constraint_nodes(&self, tree: &Tree<'_>, text: &str, id: NodeId) -> Option<Vec<String>> {
        let written = Written { tree, text };
        match &tree.get(id).kind {
            NodeKind::Composition(parts) => {
                parts.iter().map(|part| self.node(&written, *part, Place::Constraint)).collect()
            }
            _ => Some(vec![self.node(&written, id, Place::Constraint)?]),
        }
    }

    /// The form of the type for declarations that use it.
    pub(super) fn form(&self, piece: &Piece<'_>) -> Option<TypeForm> {
        let mut tree = Tree::default();
        let mut node = piece.parse_type(&mut tree).ok()?;
        while let NodeKind::Attributed { body, .. } = &tree.get(node).kind {
            node = *body;
        }
        Some(match &tree.get(node).kind {
            NodeKind::Optional(_) => TypeForm::ShortOptional,
            NodeKind::Function { .. } => TypeForm::Function,
            NodeKind::Name { name, .. } if POINTERS.contains(name) => TypeForm::Pointer,
            _ => TypeForm::Other,
        })
    }

    fn list(&self, written: &Written<'_, '_>, ids: &[NodeId], place: Place, separator: &str) -> Option<String> {
        let texts: Option<Vec<String>> = ids.iter().map(|id| self.node(written, *id, place)).collect();
        Some(texts?.join(separator))
    }

    /// Types nested too deeply are not understood.
    fn node(&self, written: &Written<'_, '_>, id: NodeId, place: Place) -> Option<String> {
        const DEEPEST: u32 = 100;
        if self.depth.get() >= DEEPEST {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let text = self.shallow_node(written, id, place);
        self.depth.set(self.depth.get() - 1);
        text
    }

    fn shallow_node(&self, written: &Written<'_, '_>, id: NodeId, place: Place) -> Option<String> {
        let node = written.tree.get(id);
        let inner = |id: &NodeId| self.node(written, *id, Place::Type);
        Some(match &node.kind {
            NodeKind::Name { name, arguments } => self.name(written, name, arguments, place)?,
            NodeKind::Member { base, name, arguments } => self.member(written, *base, name, arguments, place)?,
            NodeKind::Elements(elements) => self.elements(written, elements)?,
            NodeKind::Function { parameters, effects, result } => {
                let NodeKind::Elements(elements) = &written.tree.get(*parameters).kind else { return None };
                let parameters = self.function_parameters(written, elements)?;
                format!("{parameters}{} -> {}", self.effects(written, effects)?, inner(result)?)
            }
            NodeKind::Attributed { attributes, body } => {
                if attributes.iter().any(|attribute| attribute.ty.is_some()) {
                    return None;
                }
                let words = attributes.iter().map(|attribute| written.slice(attribute.start, attribute.end));
                let words: Vec<&str> = words.collect();
                format!("{} {}", words.join(" "), self.node(written, *body, place)?)
            }
            NodeKind::Optional(wrapped) => {
                let mark = &written.slice(node.start, node.end)[(node.end - node.start) as usize - 1..];
                let text = inner(wrapped)?;
                if needs_brackets(&text) { format!("({text}){mark}") } else { format!("{text}{mark}") }
            }
            NodeKind::Array(element) => format!("[{}]", inner(element)?),
            NodeKind::Dictionary(key, value) => format!("[{} : {}]", inner(key)?, inner(value)?),
            NodeKind::InlineArray(count, element) => format!("[{} of {}]", inner(count)?, inner(element)?),
            NodeKind::Composition(parts) => {
                let text = self.list(written, parts, Place::Constraint, " & ")?;
                self.existential(text, place)
            }
            NodeKind::Existential(constraint) => {
                self.existential(self.node(written, *constraint, Place::Constraint)?, Place::Type)
            }
            NodeKind::Inverse(constraint) => {
                self.existential(format!("~{}", self.node(written, *constraint, Place::Constraint)?), place)
            }
            NodeKind::Each(pack) => format!("each {}", inner(pack)?),
            NodeKind::Repeat(pattern) => format!("repeat {}", inner(pattern)?),
            NodeKind::Integer(digits) => (*digits).to_owned(),
            NodeKind::Layout { name, numbers } => format!("{name}({})", numbers.join(", ")),
            NodeKind::Generic { .. } | NodeKind::Opaque | NodeKind::Pack(_) | NodeKind::Box { .. } => return None,
        })
    }

    fn effects(&self, written: &Written<'_, '_>, effects: &[Effect]) -> Option<String> {
        let mut text = String::new();
        for effect in effects {
            match effect {
                Effect::Async => text.push_str(" async"),
                Effect::Throws => text.push_str(" throws"),
                Effect::Rethrows => text.push_str(" rethrows"),
                Effect::ThrowsTyped(error) => {
                    text.push_str(&format!(" throws({})", self.node(written, *error, Place::Type)?));
                }
            }
        }
        Some(text)
    }

    /// A tuple; brackets around one type mean nothing.
    fn elements(&self, written: &Written<'_, '_>, elements: &[Element<'_>]) -> Option<String> {
        match elements {
            [Element { label: None, ty, variadic: false }]
                if !matches!(written.tree.get(*ty).kind, NodeKind::Repeat(_)) =>
            {
                self.node(written, *ty, Place::Type)
            }
            _ => self.elements_in_brackets(written, elements),
        }
    }

    /// The parameters of a function type: those without a label have no name either.
    fn function_parameters(&self, written: &Written<'_, '_>, elements: &[Element<'_>]) -> Option<String> {
        let mut unlabelled = Vec::with_capacity(elements.len());
        for element in elements {
            unlabelled.push(Element { label: element.label.filter(|label| *label != "_"), ..*element });
        }
        self.elements_in_brackets(written, &unlabelled)
    }

    fn elements_in_brackets(&self, written: &Written<'_, '_>, elements: &[Element<'_>]) -> Option<String> {
        let mut texts = Vec::with_capacity(elements.len());
        for element in elements {
            let mut ty = self.node(written, element.ty, Place::Type)?;
            if element.variadic {
                ty = variadic(&ty);
            }
            texts.push(match element.label {
                Some(label) => format!("{label}: {ty}"),
                None => ty,
            });
        }
        Some(format!("({})", texts.join(", ")))
    }

    /// A type with values of any type that conforms to `constraint`.
    fn existential(&self, constraint: String, place: Place) -> String {
        let bare = matches!(constraint.as_str(), "Any" | "AnyObject" | "Builtin.AnyObject");
        if place != Place::Type || bare { constraint } else { format!("any {constraint}") }
    }

    fn arguments(&self, written: &Written<'_, '_>, arguments: &[NodeId]) -> Option<String> {
        if arguments.is_empty() {
            return Some(String::new());
        }
        Some(format!("<{}>", self.list(written, arguments, Place::Type, ", ")?))
    }

    fn member(
        &self,
        written: &Written<'_, '_>,
        base: NodeId,
        name: &str,
        arguments: &[NodeId],
        place: Place,
    ) -> Option<String> {
        if is_plain(written.tree, base, "Swift")
            && let Some(Visible::Nominal(visible)) =
                self.context.find_name(name).and_then(|name| self.table.visible(name))
            && self.context.text(self.table.get(visible).module) == "Swift"
            && self.local(name, place).is_none()
        {
            return self.name(written, name, arguments, place);
        }
        if name == "AnyObject" && is_plain(written.tree, base, "Builtin") && !self.hides_any_object() {
            return Some("AnyObject".to_owned());
        }
        if name == "Type"
            && let Some(parts) = constraint_in_brackets(written.tree, base)
        {
            let constraint = self.node(written, parts, Place::Constraint)?;
            return Some(self.existential(format!("({constraint}).Type"), place));
        }
        let place = if name == "Type" { place } else { Place::Constraint };
        let base_text = self.node(written, base, Place::Base)?;
        let arguments = self.arguments(written, arguments)?;
        let text = match &written.tree.get(base).kind {
            NodeKind::Name { .. } | NodeKind::Member { .. } => format!("{base_text}.{name}{arguments}"),
            _ => {
                let base_text = self.node(written, base, Place::Type)?;
                let (open, close) = if needs_brackets(&base_text) { ("(", ")") } else { ("", "") };
                format!("{open}{base_text}{close}.{name}{arguments}")
            }
        };
        let is_protocol = name == "Type" && self.is_protocol(written, base);
        Some(if is_protocol { self.existential(text, place) } else { text })
    }

    fn is_protocol(&self, written: &Written<'_, '_>, id: NodeId) -> bool {
        match &written.tree.get(id).kind {
            NodeKind::Name { name, .. } => self.local(name, Place::Base).is_none() && self.is_constraint(name),
            NodeKind::Member { base, name: "Type", .. } => self.is_protocol(written, *base),
            _ => false,
        }
    }

    /// Whether the module has a type of its own that is called `AnyObject`.
    fn hides_any_object(&self) -> bool {
        self.context.find_name("AnyObject").is_some_and(|name| self.table.top_level(name).is_some())
    }

    fn name(&self, written: &Written<'_, '_>, name: &str, arguments: &[NodeId], place: Place) -> Option<String> {
        let written_arguments = self.arguments(written, arguments)?;
        if name == "class" {
            return (!self.hides_any_object()).then(|| "AnyObject".to_owned());
        }
        if let Some(local) = self.local(name, place) {
            // A generic type inside of itself needs no arguments.
            return Some(if arguments.is_empty() {
                local.identity
            } else {
                format!("{}{written_arguments}", local.path)
            });
        }
        let text = format!("{name}{written_arguments}");
        Some(if self.is_constraint(name) { self.existential(text, place) } else { text })
    }

    /// Whether a name outside of all types is that of a protocol, or of an alias of one.
    fn is_constraint(&self, name: &str) -> bool {
        let Some(name) = self.context.find_name(name) else { return false };
        match self.table.visible(name) {
            Some(Visible::Nominal(nominal)) => self.table.get(nominal).kind == NominalKind::Protocol,
            Some(Visible::Alias(alias)) => match self.context.get(alias.ty) {
                Type::Existential(constraint) => match self.context.get(*constraint) {
                    Type::Composition(composition) => !composition.members.is_empty(),
                    _ => true,
                },
                _ => false,
            },
            None => false,
        }
    }

    /// The meaning of a name by the declarations around it. Meanings that cannot stand there, as structs and enums
    /// cannot be constraints, are skipped.
    fn local(&self, text: &str, place: Place) -> Option<Local> {
        for frame in self.frames.iter().rev() {
            if frame.names.iter().any(|name| name == text) || text == "Self" {
                return Some(Local::plain(text.to_owned()));
            }
            let Some(nominal) = frame.nominal else { continue };
            let Some(name) = self.context.find_name(text) else { continue };
            let declaration = self.table.get(nominal);
            if declaration.kind != NominalKind::Protocol && self.is_outermost_meant(nominal, name) {
                continue;
            }
            if let Some(found) = self.member_of(nominal, name, text, place) {
                return Some(found);
            }
            if declaration.name == name && declaration.kind != NominalKind::Protocol && self.fits(nominal, place) {
                return Some(Local { path: self.path(nominal), identity: self.identity(nominal) });
            }
        }
        None
    }

    /// Whether a name inside of `around` means an outermost type of the module, whatever `around` declares: nested
    /// types are written with their contexts.
    fn is_outermost_meant(&self, around: NominalId, name: Name) -> bool {
        let is_own = |nominal| self.table.get(nominal).origin == Origin::Module;
        let outermost = self.table.top_level(name).filter(|outermost| is_own(*outermost));
        outermost.is_some_and(|outermost| outermost != around && is_own(around))
    }

    fn fits(&self, nominal: NominalId, place: Place) -> bool {
        let kind = self.table.get(nominal).kind;
        let is_value = matches!(kind, NominalKind::Struct | NominalKind::Enum);
        match place {
            Place::Type | Place::Base => true,
            Place::Constraint => !is_value,
            Place::Inherited(InheritanceClause::Declaration) => {
                let innermost = self.frames.last().and_then(|frame| frame.nominal);
                !is_value && innermost != Some(nominal)
            }
            Place::Inherited(InheritanceClause::Extension) => {
                matches!(kind, NominalKind::Protocol | NominalKind::Unknown)
            }
        }
    }

    /// Whether the meaning of an alias can be named there.
    fn alias_fits(&self, ty: TypeId, place: Place) -> bool {
        match self.context.get(ty) {
            Type::Nominal(nominal) if place == Place::Constraint => self.fits(nominal.declaration, place),
            Type::GenericParameter { .. } | Type::NamedParameter { .. } | Type::DependentMember { .. } => {
                place.is_type()
            }
            _ => true,
        }
    }

    fn member_of(&self, nominal: NominalId, name: Name, text: &str, place: Place) -> Option<Local> {
        let declaration = self.table.get(nominal);
        if declaration.kind == NominalKind::Protocol {
            let is_meant = place.is_type() && self.has_associated_type(nominal, name, 0);
            return is_meant.then(|| Local::plain(format!("Self.{text}")));
        }
        if let Some(nested) = self.table.nested(nominal, name).filter(|nested| self.fits(*nested, place)) {
            return Some(Local { path: self.path(nested), identity: self.identity(nested) });
        }
        let alias = declaration.aliases.iter().find(|alias| alias.name == name)?;
        if !self.alias_fits(alias.ty, place) {
            return None;
        }
        // An alias of a parameter around that has the same name is spelled as that: `typealias Key = Key`.
        let parameters = declaration.signature.map_or(&[][..], |id| &self.context.get_signature(id).parameters[..]);
        let is_parameter = parameters.iter().any(|parameter| {
            let ty = Type::GenericParameter { depth: parameter.depth, index: parameter.index };
            parameter.name == Some(name) && *self.context.get(alias.ty) == ty
        });
        let path = if is_parameter { text.to_owned() } else { format!("{}.{text}", self.identity(nominal)) };
        Some(Local::plain(path))
    }

    fn has_associated_type(&self, protocol: NominalId, name: Name, depth: u32) -> bool {
        const DEEPEST: u32 = 20;
        let declaration = self.table.get(protocol);
        declaration.associated_types.iter().any(|ty| ty.name == name)
            || depth < DEEPEST
                && declaration.conformances.iter().any(|inherited| match self.context.get(inherited.protocol) {
                    Type::Protocol { protocol, .. } => self.has_associated_type(*protocol, name, depth + 1),
                    _ => false,
                })
    }

    /// The name of a type with those around it, and with the arguments of those.
    fn path(&self, nominal: NominalId) -> String {
        let declaration = self.table.get(nominal);
        let name = self.context.text(declaration.name);
        match declaration.parent {
            Some(parent) => format!("{}.{name}", self.identity(parent)),
            None => name.to_owned(),
        }
    }

    /// A type as it is inside of itself.
    pub(super) fn identity(&self, nominal: NominalId) -> String {
        let declaration = self.table.get(nominal);
        let mut text = self.path(nominal);
        let Some(signature) = declaration.signature.filter(|_| declaration.own_parameters > 0) else { return text };
        let parameters = &self.context.get_signature(signature).parameters;
        let own = parameters.len().saturating_sub(declaration.own_parameters as usize);
        let names = parameters[own..].iter().filter_map(|parameter| {
            let each = if parameter.kind == sil_ir::context::GenericParameterKind::Pack { "repeat each " } else { "" };
            parameter.name.map(|name| format!("{each}{}", self.context.text(name)))
        });
        text.push_str(&format!("<{}>", names.collect::<Vec<_>>().join(", ")));
        text
    }
}

/// A name that means something inside of a declaration.
struct Local {
    /// The text before arguments.
    path: String,
    /// The identity without arguments.
    identity: String,
}

impl Local {
    fn plain(text: String) -> Self {
        Self { path: text.clone(), identity: text }
    }
}

/// `T...`
pub(super) fn variadic(text: &str) -> String {
    if text.contains("->") && needs_brackets(text) { format!("({text})...") } else { format!("{text}...") }
}

/// Whether `?` or `.Type` after the text would bind to a part of it only: if spaces stand outside of brackets.
pub(super) fn needs_brackets(text: &str) -> bool {
    let mut depth = 0u32;
    let mut previous = ' ';
    for character in text.chars() {
        match character {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '>' if previous != '-' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => return true,
            _ => {}
        }
        previous = character;
    }
    text.starts_with('~')
}

/// The composition, or the suppressed protocol, in brackets: `(P & Q)`, `(~Copyable)`.
fn constraint_in_brackets(tree: &Tree<'_>, id: NodeId) -> Option<NodeId> {
    let NodeKind::Elements(elements) = &tree.get(id).kind else { return None };
    let [Element { label: None, ty, variadic: false }] = elements[..] else { return None };
    matches!(tree.get(ty).kind, NodeKind::Composition(_) | NodeKind::Inverse(_)).then_some(ty)
}

/// Whether a node is this name alone.
fn is_plain(tree: &Tree<'_>, id: NodeId, wanted: &str) -> bool {
    matches!(&tree.get(id).kind, NodeKind::Name { name, arguments } if *name == wanted && arguments.is_empty())
}

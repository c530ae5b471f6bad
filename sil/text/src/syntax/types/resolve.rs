//! Resolves written types: a tree becomes an interned type. Does not own: function types (`functions`), names
//! (`lookup`).

use sil_ir::context::{
    AnyObject, BoxField, BoxType, CapturesGenerics, Composition, Context, Inverse, Mutability, Name, NominalId,
    NominalType, PackStorage, SignatureId, StorageKind, SubstitutionMapId, TupleElement, Type, TypeId,
};
use sil_ir::declarations::{DeclarationTable, NominalKind};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::{FileId, Span};

use super::Position;
use super::lookup::{Found, InheritanceClause};
use super::tree::{BoxFieldKind, Element, Node, NodeId, NodeKind, Tree};
use crate::syntax::Parsed;
use crate::syntax::names::{plain_name, string_text};
use crate::syntax::reader::OpeningNames;

/// The greatest nesting depth of types. Deeper types are refused, so that no text overflows the stack.
const DEPTH_LIMIT: u32 = 200;

/// The meanings of names at the place of a type.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// Generic parameters and `Self`, the innermost last.
    pub(crate) names: Vec<(Name, TypeId)>,
    /// The declaration that contains the text.
    pub(crate) nominal: Option<NominalId>,
    /// The names of generic parameters in the archetypes of pack elements.
    pub(crate) openings: Vec<OpeningNames>,
    /// The type of `some P`; `None` if it is not allowed.
    pub(crate) opaque: Option<TypeId>,
}

/// Turns the nodes of one tree into types.
pub(crate) struct Resolver<'r, 'a> {
    pub(crate) context: &'r Context,
    pub(crate) declarations: &'r DeclarationTable,
    pub(crate) tree: &'r Tree<'a>,
    pub(crate) file: FileId,
    pub(crate) scope: Scope,
    /// The number of outer names in the scope. The names after them belong to the type's own signatures, which do not
    /// prevent caching.
    pub(crate) outer_names: usize,
    /// Whether a name of the outer scope was used.
    pub(crate) used_scope: bool,
    /// Whether a name was used that has other meanings in other parts of the text.
    pub(crate) used_place: bool,
    /// Aliases that have no meaning yet, while declarations are being read.
    pub(crate) pending: Option<&'r super::PendingAliases>,
    pub(crate) depth: u32,
}

impl<'r, 'a> Resolver<'r, 'a> {
    /// Creates a resolver for a tree. The names of `scope` belong to the signatures around it.
    pub(crate) fn new(
        context: &'r Context,
        declarations: &'r DeclarationTable,
        tree: &'r Tree<'a>,
        file: FileId,
        scope: Scope,
    ) -> Self {
        let outer_names = scope.names.len();
        Self {
            context,
            declarations,
            tree,
            file,
            scope,
            outer_names,
            used_scope: false,
            used_place: false,
            pending: None,
            depth: 0,
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> &'r Node<'a> {
        self.tree.get(id)
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        let node = self.tree.get(id);
        Span { file: self.file, start: node.start, end: node.end }
    }

    pub(crate) fn error<T>(&self, id: NodeId, code: &'static str, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Diagnostic::error(code, message, self.span(id))))
    }

    /// Returns the type of a node.
    pub(crate) fn ty(&mut self, id: NodeId, position: Position) -> Parsed<TypeId> {
        self.deeper(id, |resolver| resolver.ty_unlimited(id, position))
    }

    /// Runs `read` for a node one level deeper.
    pub(crate) fn deeper<T>(&mut self, id: NodeId, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH_LIMIT {
            return self.error(id, "nesting", "the type is nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Returns the types of nodes.
    pub(crate) fn types(&mut self, ids: &[NodeId], position: Position) -> Parsed<Box<[TypeId]>> {
        ids.iter().map(|id| self.ty(*id, position)).collect()
    }

    fn ty_unlimited(&mut self, id: NodeId, position: Position) -> Parsed<TypeId> {
        let ty = match &self.node(id).kind {
            NodeKind::Name { name, arguments } => return self.named(id, name, arguments, position),
            NodeKind::Member { base, name, arguments } => return self.member(id, *base, name, arguments, position),
            NodeKind::Elements(elements) => return self.tuple(elements, position),
            NodeKind::Function { .. } | NodeKind::Generic { .. } => return self.function(id, &[], position),
            NodeKind::Attributed { attributes, body } => return self.attributed(id, attributes, *body, position),
            NodeKind::Optional(inner) => return self.sugar(id, "Optional", &[*inner], position),
            NodeKind::Array(inner) => return self.sugar(id, "Array", &[*inner], Position::Formal),
            NodeKind::Dictionary(key, value) => return self.sugar(id, "Dictionary", &[*key, *value], Position::Formal),
            NodeKind::InlineArray(count, element) => {
                return self.sugar(id, "InlineArray", &[*count, *element], Position::Formal);
            }
            NodeKind::Composition(_) | NodeKind::Inverse(_) => return self.existential_of(id),
            NodeKind::Existential(inner) => return self.any(*inner, None),
            NodeKind::Opaque => match self.scope.opaque {
                Some(opaque) => return Ok(opaque),
                None => return self.error(id, "unsupported", "not supported yet: 'some' outside of a parameter"),
            },
            NodeKind::Each(inner) => Type::PackElement(self.ty(*inner, position)?),
            NodeKind::Repeat(inner) => Type::PackExpansion { pattern: self.ty(*inner, position)? },
            NodeKind::Pack(elements) => {
                Type::Pack { elements: self.types(elements, position)?, storage: PackStorage::Formal }
            }
            NodeKind::Box { fields, arguments } => {
                let arguments = self.types(arguments, Position::Formal)?;
                return self.boxed(fields, self.bound(SignatureId::EMPTY, arguments), CapturesGenerics::No);
            }
            NodeKind::Integer(text) => match text.parse() {
                Ok(value) => Type::Integer(value),
                Err(_) => return self.error(id, "number", format!("the number {text} is out of range")),
            },
            NodeKind::Layout { name, .. } => {
                return self.error(id, "unknown-type", format!("'{name}' is a constraint, not a type"));
            }
        };
        Ok(self.context.ty(ty))
    }

    fn tuple(&mut self, elements: &[Element<'a>], position: Position) -> Parsed<TypeId> {
        let mut parts = Vec::with_capacity(elements.len());
        for element in elements {
            let ty = self.ty(element.ty, position)?;
            let ty = if element.variadic { self.known(element.ty, "Array", [ty].into())? } else { ty };
            parts.push(TupleElement { label: element.label.and_then(|label| self.label(label)), ty });
        }
        // `(_: Int)` is a tuple of one element, `(Int)` is that element.
        if let [TupleElement { label: None, ty }] = parts[..]
            && elements[0].label.is_none()
            && !matches!(self.context.get(ty), Type::PackExpansion { .. })
        {
            return Ok(ty);
        }
        Ok(self.context.ty(Type::Tuple(parts.into())))
    }

    /// Returns the name of a label; `None` for `_`.
    pub(crate) fn label(&self, text: &str) -> Option<Name> {
        (text != "_").then(|| self.context.name(plain_name(text)))
    }

    /// Returns a type of the standard library with its arguments.
    fn sugar(&mut self, id: NodeId, name: &str, arguments: &[NodeId], position: Position) -> Parsed<TypeId> {
        let arguments = self.types(arguments, position)?;
        self.known(id, name, arguments)
    }

    pub(crate) fn known(&self, id: NodeId, name: &str, arguments: Box<[TypeId]>) -> Parsed<TypeId> {
        let (swift, name_id) = (self.context.name("Swift"), self.context.name(name));
        let found = self.declarations.in_module(swift, name_id).or_else(|| self.declarations.top_level(name_id));
        let Some(declaration) = found.or_else(|| self.declarations.named_type(None, Some(swift), name_id)) else {
            return self.error(id, "unknown-type", format!("cannot find type '{name}' in scope"));
        };
        Ok(self.context.ty(Type::Nominal(NominalType { declaration, parent: None, arguments })))
    }

    /// Returns a substitution map for a type; `None` if neither parameters nor arguments are written.
    pub(crate) fn bound(&self, signature: SignatureId, arguments: Box<[TypeId]>) -> Option<SubstitutionMapId> {
        Some(self.context.substitutions(signature, arguments)).filter(|map| *map != SubstitutionMapId::EMPTY)
    }

    /// Returns a box type. Its fields are in terms of the signature of `substitutions`, whose names are in scope.
    pub(crate) fn boxed(
        &mut self,
        fields: &[(BoxFieldKind, NodeId)],
        substitutions: Option<SubstitutionMapId>,
        captures_generics: CapturesGenerics,
    ) -> Parsed<TypeId> {
        let mut resolved = Vec::with_capacity(fields.len());
        for (kind, ty) in fields {
            let mutability = match kind {
                BoxFieldKind::Var => Mutability::Var,
                BoxFieldKind::Let => Mutability::Let,
            };
            resolved.push(BoxField { mutability, ty: self.ty(*ty, Position::Lowered)? });
        }
        let boxed = BoxType { fields: resolved.into(), captures_generics, substitutions };
        Ok(self.context.ty(Type::Box(Box::new(boxed))))
    }

    /// Returns the type of `any P`: an existential, or an existential metatype for `any P.Type`.
    pub(crate) fn any(
        &mut self,
        id: NodeId,
        representation: Option<sil_ir::context::MetatypeRepresentation>,
    ) -> Parsed<TypeId> {
        match &self.node(id).kind {
            NodeKind::Member { base, name: "Type", arguments } if arguments.is_empty() => {
                let instance = self.any(*base, None)?;
                Ok(self.context.ty(Type::ExistentialMetatype { instance, representation }))
            }
            // `any ~Copyable.Type` is written for `(any ~Copyable).Type`.
            NodeKind::Inverse(inner) if let Some((suppressed, depth)) = self.metatype_of(*inner) => {
                let inverses = vec![self.inverse(suppressed)?];
                let composition = self.composed(Composition { inverses, ..Composition::default() });
                let existential = self.context.ty(Type::Existential(composition));
                let metatype =
                    |instance, representation| self.context.ty(Type::ExistentialMetatype { instance, representation });
                let instance = (1..depth).fold(existential, |instance, _| metatype(instance, None));
                Ok(metatype(instance, representation))
            }
            NodeKind::Optional(inner) => {
                let inner = self.any(*inner, None)?;
                self.known(id, "Optional", [inner].into())
            }
            _ => self.existential_of(id),
        }
    }

    /// Returns `T` of `T.Type`, and the number of `.Type` suffixes.
    fn metatype_of(&self, id: NodeId) -> Option<(NodeId, u32)> {
        let (mut base, mut depth) = (id, 0);
        while let NodeKind::Member { base: instance, name: "Type", .. } = &self.node(base).kind {
            (base, depth) = (*instance, depth + 1);
        }
        (depth > 0).then_some((base, depth))
    }

    /// Returns the existential type of the constraint of a node.
    fn existential_of(&mut self, id: NodeId) -> Parsed<TypeId> {
        let constraint = self.constraint(id)?;
        match self.context.get(constraint) {
            Type::Protocol { .. } | Type::Composition(_) => Ok(self.context.ty(Type::Existential(constraint))),
            _ => Ok(constraint),
        }
    }

    /// Returns the constraint of a node in a requirement: a protocol, a composition, a class.
    pub(crate) fn constraint(&mut self, id: NodeId) -> Parsed<TypeId> {
        self.deeper(id, |resolver| resolver.constraint_unlimited(id))
    }

    /// Returns an element of an inheritance clause of the type around it, as a constraint.
    pub(crate) fn inherited(&mut self, id: NodeId, clause: InheritanceClause) -> Parsed<TypeId> {
        match &self.node(id).kind {
            NodeKind::Attributed { body, .. } => self.inherited(*body, clause),
            NodeKind::Name { name, arguments } => {
                let found = self.find_inherited(id, name, arguments.len(), clause)?;
                self.constraint_found(id, found, arguments)
            }
            _ => self.constraint(id),
        }
    }

    fn constraint_unlimited(&mut self, id: NodeId) -> Parsed<TypeId> {
        match &self.node(id).kind {
            NodeKind::Composition(parts) => self.composition(parts),
            NodeKind::Inverse(_) => self.composition(&[id]),
            NodeKind::Existential(inner) => self.constraint(*inner),
            NodeKind::Attributed { body, .. } => self.constraint(*body),
            NodeKind::Elements(elements) if elements.len() == 1 && elements[0].label.is_none() => {
                self.constraint(elements[0].ty)
            }
            NodeKind::Name { name, arguments } => {
                let found = self.find_constraint(id, name, arguments.len())?;
                self.constraint_found(id, found, arguments)
            }
            _ => {
                let ty = self.ty(id, Position::Formal)?;
                Ok(self.as_constraint(ty))
            }
        }
    }

    fn constraint_found(&mut self, id: NodeId, found: Found, arguments: &[NodeId]) -> Parsed<TypeId> {
        if let Found::Nominal(protocol) = found
            && matches!(self.declarations.get(protocol).kind, NominalKind::Protocol | NominalKind::Unknown)
        {
            let arguments = self.types(arguments, Position::Formal)?;
            return Ok(self.context.ty(Type::Protocol { protocol, arguments }));
        }
        let ty = self.found(id, found, arguments, Position::Formal)?;
        Ok(self.as_constraint(ty))
    }

    /// Returns the constraint of an existential, or the protocol type of a type of unknown kind; other types are
    /// unchanged.
    pub(crate) fn as_constraint(&self, ty: TypeId) -> TypeId {
        match self.context.get(ty) {
            Type::Existential(constraint) => *constraint,
            Type::Nominal(nominal) if self.declarations.get(nominal.declaration).kind == NominalKind::Unknown => {
                let (protocol, arguments) = (nominal.declaration, nominal.arguments.clone());
                self.context.ty(Type::Protocol { protocol, arguments })
            }
            _ => ty,
        }
    }

    fn composition(&mut self, parts: &[NodeId]) -> Parsed<TypeId> {
        let mut all = Composition::default();
        for part in parts {
            if let NodeKind::Inverse(inner) = &self.node(*part).kind {
                all.inverses.push(self.inverse(*inner)?);
                continue;
            }
            let constraint = self.constraint(*part)?;
            match self.context.get(constraint) {
                Type::Composition(inner) => {
                    all.members.extend(&inner.members);
                    all.class_constraint = all.class_constraint.or(inner.class_constraint);
                    all.inverses.extend(&inner.inverses);
                }
                _ => all.members.push(constraint),
            }
        }
        Ok(self.composed(all))
    }

    /// Returns a composition, or its only member.
    pub(crate) fn composed(&self, composition: Composition) -> TypeId {
        match composition.members[..] {
            [only] if composition.class_constraint.is_none() && composition.inverses.is_empty() => only,
            _ => self.context.ty(Type::Composition(Box::new(composition))),
        }
    }

    /// Returns whether the node is `~BitwiseCopyable` or `~Sendable`, which only suppress an inferred conformance.
    pub(crate) fn is_suppressed_inference(&self, id: NodeId) -> bool {
        let NodeKind::Inverse(inner) = self.node(id).kind else { return false };
        let name = match self.node(inner).kind {
            NodeKind::Name { name, .. } | NodeKind::Member { name, .. } => plain_name(name),
            _ => "",
        };
        matches!(name, "BitwiseCopyable" | "Sendable")
    }

    /// Returns the protocol that `~Copyable` or `~Escapable` suppresses; `None` for other types.
    pub(crate) fn inverse_of(&self, id: NodeId) -> Parsed<Option<Inverse>> {
        match self.node(id).kind {
            NodeKind::Inverse(inner) => self.inverse(inner).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns `Copyable` or `Escapable` after `~`.
    pub(crate) fn inverse(&self, id: NodeId) -> Parsed<Inverse> {
        let name = match &self.node(id).kind {
            NodeKind::Name { name, .. } | NodeKind::Member { name, .. } => plain_name(name),
            _ => "",
        };
        match name {
            "Copyable" => Ok(Inverse::Copyable),
            "Escapable" => Ok(Inverse::Escapable),
            _ => self.error(id, "unknown-type", "only 'Copyable' and 'Escapable' can be suppressed by '~'"),
        }
    }

    /// `Any`
    pub(crate) fn any_type(&self) -> TypeId {
        let constraint = self.context.ty(Type::Composition(Box::default()));
        self.context.ty(Type::Existential(constraint))
    }

    /// `AnyObject`
    pub(crate) fn any_object(&self) -> TypeId {
        let composition = Composition { class_constraint: Some(AnyObject), ..Composition::default() };
        let constraint = self.context.ty(Type::Composition(Box::new(composition)));
        self.context.ty(Type::Existential(constraint))
    }

    /// Returns the weak, unowned or unmanaged form of a type.
    pub(crate) fn storage(&mut self, kind: StorageKind, referent: NodeId) -> Parsed<TypeId> {
        let referent = self.ty(referent, Position::Lowered)?;
        Ok(self.context.ty(Type::Storage { kind, referent }))
    }

    /// Returns the name in a string literal of the text.
    pub(crate) fn string_name(&self, id: NodeId, literal: &str) -> Parsed<Name> {
        match string_text(literal) {
            Some(text) => Ok(self.context.name(&text)),
            None => self.error(id, "string", format!("the string {literal} has an escape that SIL does not have")),
        }
    }
}

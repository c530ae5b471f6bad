//! The effects of type attributes such as `@thick`, `@sil_weak` and `@opened(…)` on the attributed type.

use sil_ir::context::{CapturesGenerics, MetatypeRepresentation, PackStorage, StorageKind, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::Span;

use super::Position;
use super::functions::FunctionSyntax;
use super::resolve::Resolver;
use super::tree::{Attribute, NodeId, NodeKind};
use crate::syntax::Parsed;
use crate::syntax::suggestion::closest;

/// The effect of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Metatype(MetatypeRepresentation),
    Storage(StorageKind),
    DynamicSelf,
    Opened,
    PackElement,
    OpaqueResult,
    BlockStorage,
    MoveOnly,
    Pack(PackStorage),
    CapturesGenerics,
    InOut,
    /// Part of a function type.
    Function,
    /// No effect on the type.
    Nothing,
}

/// Each attribute with its effect, sorted by name (include/swift/AST/TypeAttr.def).
const EFFECTS: &[(&str, Effect)] = &[
    ("Sendable", Effect::Function),
    ("__owned", Effect::Nothing),
    ("__shared", Effect::Nothing),
    ("_addressable", Effect::Nothing),
    ("_const", Effect::Nothing),
    ("_local", Effect::Nothing),
    ("_noMetadata", Effect::Nothing),
    ("_opaqueReturnTypeOf", Effect::OpaqueResult),
    ("async", Effect::Function),
    ("autoclosure", Effect::Function),
    ("block_storage", Effect::BlockStorage),
    ("borrowing", Effect::Nothing),
    ("called", Effect::Function),
    ("callee_guaranteed", Effect::Function),
    ("callee_owned", Effect::Function),
    ("callee_unowned", Effect::Function),
    ("captures_generics", Effect::CapturesGenerics),
    ("concurrent", Effect::Function),
    ("consuming", Effect::Nothing),
    ("convention", Effect::Function),
    ("differentiable", Effect::Function),
    ("direct", Effect::Pack(PackStorage::Direct)),
    ("dynamic_self", Effect::DynamicSelf),
    ("escaping", Effect::Nothing),
    ("execution", Effect::Function),
    ("indirect", Effect::Pack(PackStorage::Indirect)),
    ("inout", Effect::InOut),
    ("isolated", Effect::Function),
    ("lifetime", Effect::Nothing),
    ("moveOnly", Effect::MoveOnly),
    ("noDerivative", Effect::Nothing),
    ("noescape", Effect::Function),
    ("nonisolated", Effect::Function),
    ("objc_metatype", Effect::Metatype(MetatypeRepresentation::ObjC)),
    ("opened", Effect::Opened),
    ("pack_element", Effect::PackElement),
    ("preconcurrency", Effect::Nothing),
    ("pseudogeneric", Effect::Function),
    ("retroactive", Effect::Nothing),
    ("sending", Effect::Nothing),
    ("sil_unmanaged", Effect::Storage(StorageKind::Unmanaged)),
    ("sil_unowned", Effect::Storage(StorageKind::Unowned)),
    ("sil_weak", Effect::Storage(StorageKind::Weak)),
    ("substituted", Effect::Function),
    ("thick", Effect::Metatype(MetatypeRepresentation::Thick)),
    ("thin", Effect::Metatype(MetatypeRepresentation::Thin)),
    ("unchecked", Effect::Nothing),
    ("unimplementable", Effect::Function),
    ("unsafe", Effect::Nothing),
    ("yield_many", Effect::Function),
    ("yield_once", Effect::Function),
    ("yield_once_2", Effect::Function),
];

fn effect(name: &str) -> Option<Effect> {
    EFFECTS.binary_search_by_key(&name, |(known, _)| known).ok().map(|at| EFFECTS[at].1)
}

impl<'r, 'a> Resolver<'r, 'a> {
    pub(crate) fn attribute_span(&self, attribute: &Attribute<'_>) -> Span {
        Span { file: self.file, start: attribute.start, end: attribute.end }
    }

    /// Returns the type with these attributes.
    pub(crate) fn attributed(
        &mut self,
        id: NodeId,
        attributes: &'r [Attribute<'a>],
        body: NodeId,
        position: Position,
    ) -> Parsed<TypeId> {
        let attributes: Vec<_> = attributes.iter().collect();
        self.with_attributes(id, &attributes, body, position)
    }

    /// Returns the type with the attributes that the enclosing parameter list did not consume.
    pub(crate) fn with_attributes(
        &mut self,
        id: NodeId,
        attributes: &[&'r Attribute<'a>],
        body: NodeId,
        position: Position,
    ) -> Parsed<TypeId> {
        let Some((first, rest)) = attributes.split_first() else { return self.ty(body, position) };
        let wraps = matches!(
            effect(first.name),
            Some(Effect::BlockStorage | Effect::InOut | Effect::MoveOnly | Effect::Storage(_) | Effect::DynamicSelf)
        );
        if !wraps && FunctionSyntax::is_function(self, body) {
            return self.function(body, attributes, position);
        }
        match self.effect_of(first)? {
            Effect::Nothing => self.with_attributes(id, rest, body, position),
            Effect::Metatype(representation) => self.metatype_after(id, representation, rest, body),
            Effect::Storage(kind) if rest.is_empty() => self.storage(kind, body),
            Effect::DynamicSelf if rest.is_empty() => self.dynamic_self(id, body),
            Effect::Opened => self.opened(id, first, rest, body),
            Effect::PackElement if rest.is_empty() => self.pack_element(id, first, body),
            Effect::OpaqueResult if rest.is_empty() => self.opaque_result(id, first, body),
            Effect::BlockStorage => {
                let captured = self.with_attributes(id, rest, body, position)?;
                Ok(self.context.ty(Type::BlockStorage(captured)))
            }
            Effect::MoveOnly => {
                let inner = self.with_attributes(id, rest, body, position)?;
                Ok(self.context.ty(Type::MoveOnlyWrapper(inner)))
            }
            Effect::InOut => {
                let inner = self.with_attributes(id, rest, body, position)?;
                Ok(self.context.ty(Type::InOut(inner)))
            }
            Effect::Pack(storage) => self.pack(id, first, storage, rest, body),
            Effect::CapturesGenerics if rest.is_empty() => self.box_of(body, CapturesGenerics::Yes),
            _ => self.misplaced(first),
        }
    }

    fn effect_of(&self, attribute: &Attribute<'_>) -> Parsed<Effect> {
        match effect(attribute.name) {
            // `isolated` without arguments is a specifier of a parameter.
            Some(Effect::Function) if attribute.name == "isolated" && attribute.text.is_none() => {
                return Ok(Effect::Nothing);
            }
            Some(effect) => return Ok(effect),
            None => {}
        }
        let message = format!("unknown type attribute '@{}'", attribute.name);
        let error = Diagnostic::error("unknown-attribute", message, self.attribute_span(attribute));
        Err(Box::new(match closest(attribute.name, EFFECTS.iter().map(|(name, _)| *name)) {
            Some(close) => error.hint(format!("did you mean '@{close}'?")),
            None => error,
        }))
    }

    pub(crate) fn misplaced<T>(&self, attribute: &Attribute<'_>) -> Parsed<T> {
        let message = format!("'@{}' does not belong to this kind of type", attribute.name);
        Err(Box::new(Diagnostic::error("attribute", message, self.attribute_span(attribute))))
    }

    /// Returns the type of `@dynamic_self C` for a class. The optional and metatype forms after the attribute apply to
    /// the dynamic type (lib/AST/ASTPrinter.cpp, `visitDynamicSelfType`).
    fn dynamic_self(&mut self, id: NodeId, body: NodeId) -> Parsed<TypeId> {
        match &self.node(body).kind {
            NodeKind::Optional(object) => {
                let object = self.dynamic_self(id, *object)?;
                self.known(id, "Optional", [object].into())
            }
            NodeKind::Member { base, name: "Type", .. } => {
                let instance = self.dynamic_self(id, *base)?;
                Ok(self.context.ty(Type::Metatype { instance, representation: None }))
            }
            _ => {
                let class = self.ty(body, Position::Formal)?;
                Ok(self.context.ty(Type::DynamicSelf(class)))
            }
        }
    }

    /// Returns the type of `@thick T.Type`, `@thick any P.Type` or `@thick @dynamic_self C.Type`.
    fn metatype_after(
        &mut self,
        id: NodeId,
        representation: MetatypeRepresentation,
        attributes: &[&'r Attribute<'a>],
        body: NodeId,
    ) -> Parsed<TypeId> {
        let written = representation;
        let representation = Some(written);
        match &self.node(body).kind {
            NodeKind::Member { base, name: "Type", .. } if attributes.is_empty() => {
                self.metatype(*base, representation)
            }
            NodeKind::Member { base, name: "Type" | "Protocol", .. } => {
                let instance = self.with_attributes(id, attributes, *base, Position::Formal)?;
                Ok(self.context.ty(Type::Metatype { instance, representation }))
            }
            NodeKind::Existential(inner) if attributes.is_empty() => self.any(*inner, representation),
            NodeKind::Elements(elements) if elements.len() == 1 && attributes.is_empty() => {
                self.metatype_after(id, written, &[], elements[0].ty)
            }
            _ => self.error(id, "attribute", "a metatype such as 'T.Type' is expected here"),
        }
    }

    fn opened(
        &mut self,
        id: NodeId,
        attribute: &'r Attribute<'a>,
        rest: &[&'r Attribute<'a>],
        body: NodeId,
    ) -> Parsed<TypeId> {
        let uuid = self.string_name(id, attribute.text.unwrap_or_default())?;
        let this = self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let (existential, interface) = match attribute.ty {
            Some(existential) => {
                let existential = self.ty(existential, Position::Formal)?;
                self.scope.names.push((self.context.name("Self"), this));
                let interface = self.with_attributes(id, rest, body, Position::Formal);
                self.scope.names.pop();
                (existential, interface?)
            }
            // Older SIL writes the protocol after the attribute and has no other members.
            None => (self.with_attributes(id, rest, body, Position::Formal)?, this),
        };
        Ok(self.context.ty(Type::OpenedArchetype { uuid, existential, interface }))
    }

    fn pack_element(&mut self, id: NodeId, attribute: &'r Attribute<'a>, body: NodeId) -> Parsed<TypeId> {
        let uuid = self.string_name(id, attribute.text.unwrap_or_default())?;
        let opening = self.scope.openings.iter().find(|opening| opening.uuid == uuid);
        let names = opening.map(|opening| opening.parameters.clone()).unwrap_or_default();
        let outer = self.scope.names.len();
        self.scope.names.extend(names);
        let interface = self.ty(body, Position::Formal);
        self.scope.names.truncate(outer);
        Ok(self.context.ty(Type::PackElementArchetype { uuid, interface: interface? }))
    }

    /// `@_opaqueReturnTypeOf("symbol", 0) __<T>`, and members of it.
    fn opaque_result(&mut self, id: NodeId, attribute: &'r Attribute<'a>, body: NodeId) -> Parsed<TypeId> {
        match &self.node(body).kind {
            NodeKind::Name { arguments, .. } => {
                let text = attribute.text.unwrap_or_default();
                let (symbol, ordinal) = text.rsplit_once(',').unwrap_or((text, "0"));
                let symbol = self.string_name(id, symbol.trim())?;
                let Ok(ordinal) = ordinal.trim().parse() else {
                    return self.error(id, "number", "the number of an opaque result is expected");
                };
                let arguments = self.types(arguments, Position::Formal)?;
                Ok(self.context.ty(Type::OpaqueResult { symbol, ordinal, arguments }))
            }
            NodeKind::Member { base, name, .. } => {
                let base = self.opaque_result(id, attribute, *base)?;
                if *name == "Type" {
                    return Ok(self.context.ty(Type::Metatype { instance: base, representation: None }));
                }
                let member = self.context.name(name);
                Ok(self.context.ty(Type::DependentMember { base, member, protocol: None }))
            }
            _ => self.misplaced(attribute),
        }
    }

    fn pack(
        &mut self,
        id: NodeId,
        attribute: &'r Attribute<'a>,
        storage: PackStorage,
        rest: &[&'r Attribute<'a>],
        body: NodeId,
    ) -> Parsed<TypeId> {
        let inner = self.with_attributes(id, rest, body, Position::Lowered)?;
        match self.context.get(inner).clone() {
            Type::Pack { elements, .. } => Ok(self.context.ty(Type::Pack { elements, storage })),
            _ => self.misplaced(attribute),
        }
    }
}

//! The members of nominal types: stored properties, cases with their payloads, and the names of all others. Does not
//! own: table entries (`dispatch`), interface types (`interfaces`).

use sil_ir::context::{Mutability, Name, NominalId, StorageKind, TupleElement, Type, TypeId};
use sil_ir::declarations::*;
use sil_ir::diagnostic::Diagnostic;

use super::dispatch::access;
use super::fill::Filler;
use super::init_accessors::init_accessor;
use super::outline::{Entry, EntryIndex, EntryKind, Storage};
use crate::syntax::Parsed;
use crate::syntax::types::{NodeKind, Piece, Position, Tree};

impl<'t, 'a> Filler<'t, 'a> {
    /// Adds the facts of a member's entry to its nominal type.
    pub(super) fn members(&mut self, index: EntryIndex, entry: &'t Entry<'a>) -> Parsed<()> {
        self.note_property_isolation(entry);
        let Some(nominal) = self.container(entry) else { return Ok(()) };
        match &entry.kind {
            EntryKind::AssociatedType { name, default: Some(default), .. } => {
                let ty = self.ty(default, Some(nominal))?;
                let associated = &mut self.table.get_mut(nominal).associated_types;
                if let Some(associated) = associated.iter_mut().find(|associated| associated.name == *name) {
                    associated.default = Some(ty);
                }
                Ok(())
            }
            EntryKind::Property { name, ty, mutability, storage, accessors } => {
                let is_stored = *storage == Storage::Stored
                    && !entry.modifiers.is_static()
                    && self.table.get(nominal).kind != NominalKind::Protocol
                    && !self.in_extension(index);
                // The protocol's own member is a requirement.
                if self.context.text(*name) == "unownedExecutor"
                    && (self.table.get(nominal).kind != NominalKind::Protocol || self.in_extension(index))
                {
                    let is_default = entry.modifiers.arguments("@_semantics") == Some("\"defaultActor\"");
                    let executor = if is_default { StatedExecutor::Default } else { StatedExecutor::Custom };
                    self.table.get_mut(nominal).attributes.executor = Some(executor);
                }
                if !is_stored {
                    let init = accessors.as_ref().and_then(|piece| init_accessor(self.context, *name, piece));
                    self.table.get_mut(nominal).init_accessors.extend(init);
                    self.add_member(nominal, *name, MemberDeclarationKind::ComputedProperty, entry);
                    return Ok(());
                }
                self.stored_property(nominal, *name, ty.as_ref(), *mutability, entry)
            }
            EntryKind::Case { name, payload } => {
                let payload = match payload {
                    Some(piece) => Some(self.payload(piece, nominal)?),
                    None => None,
                };
                let declaration = self.table.get_mut(nominal);
                let indirect = declaration.attributes.indirect || entry.modifiers.has("indirect");
                let availability = entry.modifiers.availability();
                declaration.cases.push(EnumCase { name: *name, payload, indirect, availability, span: entry.span });
                Ok(())
            }
            EntryKind::Member { name, kind, .. } => {
                let declaration = self.table.get_mut(nominal);
                if *kind == MemberDeclarationKind::Deinitializer
                    && !matches!(declaration.kind, NominalKind::Class | NominalKind::Actor)
                {
                    declaration.attributes.has_deinit = true;
                }
                self.add_member(nominal, *name, *kind, entry);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Records the isolation of a member or a global variable, and the section it asks for.
    fn note_property_isolation(&mut self, entry: &'t Entry<'a>) {
        let (EntryKind::Property { name, .. } | EntryKind::Member { name, .. }) = entry.kind else { return };
        let parent = self.container(entry);
        if entry.container.is_some() && parent.is_none() {
            return;
        }
        if let Some(isolation) = entry.modifiers.isolation(self.context) {
            self.table.isolations.add_property(parent, name, isolation);
        }
        if let Some(placement) = entry.modifiers.placement(self.context) {
            self.table.placements.add_variable(parent, name, placement);
        }
    }

    /// Returns whether the entry is in an extension.
    pub(super) fn in_extension(&self, index: EntryIndex) -> bool {
        let container = self.outline.entries[index].container;
        container.is_some_and(|container| matches!(self.outline.entries[container].kind, EntryKind::Extension { .. }))
    }

    fn add_member(&mut self, nominal: NominalId, name: Name, kind: MemberDeclarationKind, entry: &Entry<'a>) {
        self.table.get_mut(nominal).members.push(Member { name, kind, span: entry.span });
    }

    fn stored_property(
        &mut self,
        nominal: NominalId,
        name: Name,
        ty: Option<&Piece<'a>>,
        mutability: Mutability,
        entry: &'t Entry<'a>,
    ) -> Parsed<()> {
        let Some(piece) = ty else {
            let message = format!("the stored property '{}' needs a type", self.context.text(name));
            return Err(Box::new(Diagnostic::error("syntax", message, entry.span)));
        };
        let ty = self.stored_type(piece, nominal, name)?;
        let ownership = match entry.modifiers.arguments("unowned") {
            _ if entry.modifiers.has("weak") => Some(StorageKind::Weak),
            Some("unsafe") => Some(StorageKind::Unmanaged),
            Some(_) => Some(StorageKind::Unowned),
            None => None,
        };
        // `weak var x: @sil_weak C?` is the same as `weak var x: C?`.
        let ty = match (ownership, self.context.get(ty)) {
            (Some(said), Type::Storage { kind, referent }) if said == *kind => *referent,
            _ => ty,
        };
        let lifetime = declared_lifetime(entry);
        let access = match entry.modifiers.has("@usableFromInline") {
            true => Access::Public,
            false => access(&entry.modifiers),
        };
        let initializer = match entry.modifiers.has("@_compilerInitialized") {
            true => PropertyInitializer::Compiler,
            false => PropertyInitializer::Program,
        };
        let differentiation = match entry.modifiers.has("@noDerivative") {
            true => PropertyDifferentiation::NoDerivative,
            false => PropertyDifferentiation::Followed,
        };
        let span = entry.span;
        let property =
            StoredProperty { name, ty, mutability, ownership, lifetime, access, initializer, differentiation, span };
        self.table.get_mut(nominal).stored.push(property);
        Ok(())
    }

    /// Returns the type of a stored property. The underlying type of `some P` follows from uses, which have the type
    /// itself or a symbol for it.
    fn stored_type(&self, piece: &Piece<'a>, nominal: NominalId, property: Name) -> Parsed<TypeId> {
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree)?;
        let mut resolver = self.resolver(&tree, piece, Some(nominal));
        // Each opaque type has a placeholder of its own, which bodies resolve (`local_members`).
        let mut place = format!("some of {}", self.context.text(property));
        let mut next = Some(nominal);
        while let Some(declaration) = next.map(|id| self.table.get(id)) {
            place = format!("{place} of {}", self.context.text(declaration.name));
            next = declaration.parent;
        }
        resolver.scope.opaque = Some(self.context.ty(Type::unresolved(self.context.name(&place))));
        resolver.ty(node, Position::Formal)
    }

    /// Returns the payload type of a case: a tuple, unless it is one value without a label.
    fn payload(&self, piece: &Piece<'a>, nominal: NominalId) -> Parsed<TypeId> {
        let mut tree = Tree::default();
        let node = piece.parse_payload(&mut tree)?;
        let payload = self.resolver(&tree, piece, Some(nominal)).ty(node, Position::Formal)?;
        let Type::Tuple(elements) = self.context.get(payload) else { return Ok(payload) };
        // `_: Int` is one value without a label. `(_: Int)` is a tuple of one element, which differentiation creates
        // for the linear maps of a block.
        match (&**elements, &tree.get(node).kind) {
            ([TupleElement { label: None, ty }], NodeKind::Elements(written)) if written[0].label.is_some() => Ok(*ty),
            _ => Ok(payload),
        }
    }
}

/// Returns the lifetime that attributes of the declaration state.
pub(super) fn declared_lifetime(entry: &Entry<'_>) -> Option<DeclaredLifetime> {
    let is_reported = |attribute| entry.modifiers.find(attribute).is_some();
    match (is_reported("@_eagerMove"), is_reported("@_noEagerMove")) {
        (true, _) => Some(DeclaredLifetime::Eager),
        (false, true) => Some(DeclaredLifetime::Lexical),
        (false, false) => None,
    }
}

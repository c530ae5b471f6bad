//! The opaque results of declarations (`some P`; lib/Sema/TypeCheckGeneric.cpp, `OpaqueResultTypeRequest`). They form
//! another level of generic parameters whose requirements callers know. Declarations that are not understood are left
//! out; no errors are reported here.

use sil_ir::context::{GenericParameter, GenericParameterKind, GenericSignature, Name, Requirement, SignatureId, Type};
use sil_ir::declarations::{MemberDeclarationKind, OpaqueDeclaration};
use sil_ir::source::FileId;

use super::fill::Filler;
use super::interfaces::{parameter_types, without_storage};
use super::outline::{CallableSyntax, EntryIndex, EntryKind};
use crate::syntax::types::{Piece, Scope, Tree};

/// The keyword of opaque types.
const OPAQUE: &str = "some ";

/// The parameters of a declaration and their requirements, under construction.
struct Parameters {
    parameters: Vec<GenericParameter>,
    requirements: Vec<Requirement>,
    /// The meanings of names in the declaration.
    scope: Scope,
}

impl Parameters {
    /// Returns the depth and the index of the first parameter of a new level.
    fn next_level(&self) -> (u32, u32) {
        (self.parameters.last().map_or(0, |last| last.depth + 1), 0)
    }

    /// Returns the depth and the index of the next parameter of the declaration's own level, after `outer` parameters
    /// of its context.
    fn next_own(&self, outer: usize) -> (u32, u32) {
        match self.parameters.get(outer..).and_then(|own| own.last()) {
            Some(last) => (last.depth, last.index + 1),
            None => self.next_level(),
        }
    }
}

impl<'a> Filler<'_, 'a> {
    /// Adds the opaque results of all declarations.
    pub(super) fn opaque_results(&mut self) {
        for index in 0..self.outline.entries.len() {
            if let Some(declaration) = self.opaque_declaration(index) {
                self.table.add_opaque_declaration(declaration);
            }
        }
    }

    fn opaque_declaration(&self, index: EntryIndex) -> Option<OpaqueDeclaration> {
        let outline = self.outline;
        let entry = &outline.entries[index];
        let (name, syntax, kind) = match &entry.kind {
            EntryKind::Property { name, ty, .. } => (
                *name,
                CallableSyntax { result: *ty, ..CallableSyntax::default() },
                MemberDeclarationKind::ComputedProperty,
            ),
            EntryKind::Member { name, kind, syntax } => (*name, *syntax, *kind),
            _ => return None,
        };
        let result = without_storage(syntax.result?.slice());
        let file = entry.span.file;
        let results = opaque_types(result, file)?;
        if results.is_empty() {
            return None;
        }
        let container = self.container(entry);
        if container.is_none() && entry.container.is_some() {
            return None;
        }
        let (explicit, scope) = self.member_signature(container, index, &syntax)?;
        let written = explicit.map_or_else(GenericSignature::default, |id| self.context.get_signature(id).clone());
        let around = container.and_then(|container| self.table.get(container).signature);
        let around = around.map_or(0, |signature| self.context.get_signature(signature).parameters.len());
        let mut parameters =
            Parameters { parameters: written.parameters.to_vec(), requirements: written.requirements.to_vec(), scope };
        for ty in syntax.parameters.iter().filter_map(parameter_types).flatten() {
            for constraint in opaque_types(ty, file)? {
                let place = parameters.next_own(around);
                self.add_opaque(&mut parameters, place, constraint, file)?;
            }
        }
        let outer = self.canonical(&parameters);
        let (depth, _) = parameters.next_level();
        for (constraint, index) in results.iter().zip(0..) {
            self.add_opaque(&mut parameters, (depth, index), constraint, file)?;
        }
        let labels: Vec<Name> = syntax.parameters.as_ref().map(|list| self.labels(list, kind)).unwrap_or_default();
        let signature = self.canonical(&parameters)?;
        let count = results.len() as u32;
        Some(OpaqueDeclaration { container, name, labels: labels.into(), outer, signature, count })
    }

    /// Adds the parameter at `(depth, index)` for `some constraint`.
    fn add_opaque(
        &self,
        parameters: &mut Parameters,
        (depth, index): (u32, u32),
        constraint: &str,
        file: FileId,
    ) -> Option<()> {
        let subject = self.context.ty(Type::GenericParameter { depth, index });
        let piece = Piece { text: constraint, file, start: 0, end: constraint.len() as u32 };
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree).ok()?;
        let mut resolver = self.resolver(&tree, &piece, None);
        resolver.scope = parameters.scope.clone();
        resolver.constrain(subject, node, &mut parameters.requirements).ok()?;
        parameters.parameters.push(GenericParameter { name: None, depth, index, kind: GenericParameterKind::Type });
        Some(())
    }

    fn canonical(&self, parameters: &Parameters) -> Option<SignatureId> {
        if parameters.parameters.is_empty() {
            return None;
        }
        let signature = GenericSignature {
            parameters: parameters.parameters.clone().into(),
            requirements: parameters.requirements.clone().into(),
        };
        self.generics().canonical_signature(self.context.signature(signature))
    }
}

/// Returns the constraint of each `some` in a type, in order. `None` if they are nested.
fn opaque_types(ty: &str, file: FileId) -> Option<Vec<&str>> {
    if !ty.contains(OPAQUE) {
        return Some(Vec::new());
    }
    let piece = Piece { text: ty, file, start: 0, end: ty.len() as u32 };
    let mut tree = Tree::default();
    piece.parse_type(&mut tree).ok()?;
    let places = tree.opaque_places();
    let is_nested = places.windows(2).any(|pair| pair[1].0 < pair[0].1);
    let constraint = |(start, end): &(u32, u32)| ty.get(*start as usize..*end as usize)?.strip_prefix(OPAQUE);
    (!is_nested).then(|| places.iter().map(constraint).collect()).flatten()
}

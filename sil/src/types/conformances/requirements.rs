//! What substitution maps bring for the requirements of their signatures, and whether those hold.

use std::sync::Arc;

use crate::context::{
    Conformance, ConformanceId, ConformanceKind, Requirement, SignatureId, SubstitutionMap, SubstitutionMapId, TypeId,
};
use crate::types::{PathStep, TypeQueries};

/// Conditions of conditional conformances are followed this far: they may be about ever larger types.
const DEPTH_LIMIT: u32 = 16;

impl TypeQueries<'_> {
    /// The conformances that `signature` requires, in canonical order: callers of a generic function pass a witness table for each of those
    /// whose protocol has tables.
    pub fn required_conformances(&self, signature: SignatureId) -> Arc<[PathStep]> {
        if let Some(found) = self.required.get(&signature) {
            return found;
        }
        let generics = self.generics();
        let canonical = generics.canonical_signature(signature).unwrap_or(signature);
        let required = generics.conformances_in(&self.context.get_signature(canonical).requirements);
        self.required.insert(signature, required.into())
    }

    /// The conformances that a map brings: one for each that its signature requires, in the order of
    /// [`required_conformances`](Self::required_conformances).
    pub fn conformances_of(&self, map: SubstitutionMapId) -> Vec<ConformanceId> {
        let SubstitutionMap { signature, .. } = *self.context.get_substitutions(map);
        let required = self.required_conformances(signature);
        required.iter().map(|step| self.conformance(self.substitute(step.subject, map), step.protocol)).collect()
    }

    /// Whether no requirement of a map's signature is known to be broken.
    pub fn requirements_hold(&self, map: SubstitutionMapId) -> bool {
        self.requirements_hold_within(map, 0)
    }

    fn requirements_hold_within(&self, map: SubstitutionMapId, depth: u32) -> bool {
        self.broken_same_type(map).is_none()
            && !self.conformances_of(map).into_iter().any(|found| self.is_broken_within(found, depth))
    }

    /// Two types that a map's signature requires to be the same, and that are known to differ.
    pub fn broken_same_type(&self, map: SubstitutionMapId) -> Option<(TypeId, TypeId)> {
        let SubstitutionMap { signature, .. } = *self.context.get_substitutions(map);
        self.context.get_signature(signature).requirements.iter().find_map(|requirement| {
            let Requirement::SameType { first, second } = requirement else { return None };
            let (first, second) = (self.substitute(*first, map), self.substitute(*second, map));
            let is_open = self.is_dependent(first) || self.is_dependent(second);
            (!is_open && !self.agree_types(first, second)).then_some((first, second))
        })
    }

    /// Whether a conformance is known not to hold: there is none, or what it requires of the type's arguments does not hold.
    pub fn is_broken(&self, conformance: ConformanceId) -> bool {
        self.is_broken_within(conformance, 0)
    }

    fn is_broken_within(&self, conformance: ConformanceId, depth: u32) -> bool {
        if depth > DEPTH_LIMIT {
            return false;
        }
        let Conformance { kind, .. } = self.context.get_conformance(conformance);
        match kind {
            ConformanceKind::Missing => true,
            ConformanceKind::Specialized { substitutions, .. } => {
                !self.requirements_hold_within(*substitutions, depth + 1)
            }
            ConformanceKind::Inherited { base } => self.is_broken_within(*base, depth + 1),
            ConformanceKind::Pack(elements) => {
                elements.iter().any(|element| self.is_broken_within(*element, depth + 1))
            }
            ConformanceKind::Normal { .. }
            | ConformanceKind::Abstract
            | ConformanceKind::SelfConformance
            | ConformanceKind::Builtin
            | ConformanceKind::Unknown => false,
        }
    }
}

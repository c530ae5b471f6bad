//! The conformances of substitution maps for the requirements of their signatures, and whether the requirements hold.

use std::sync::Arc;

use crate::context::{
    Conformance, ConformanceId, ConformanceKind, LayoutConstraint, Requirement, SignatureId, SubstitutionMap,
    SubstitutionMapId, Type, TypeId,
};
use crate::declarations::Origin;
use crate::types::{Knowledge, PathStep, TypeQueries};

/// Conditions of conditional conformances are followed this far: they may be about ever larger types.
const DEPTH_LIMIT: u32 = 16;

/// More superclasses than any class has.
const ANCESTOR_LIMIT: u32 = 256;

/// A requirement on a substitution map's types that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrokenRequirement {
    /// `T == U` of two types that differ.
    SameType { first: TypeId, second: TypeId },
    /// `T : C` of a type that does not inherit from the class.
    Superclass { subject: TypeId, superclass: TypeId },
    /// `T : AnyObject`, `T : _Trivial` of a type with another layout.
    Layout { subject: TypeId, wanted: WantedLayout },
}

/// The layout of a layout constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantedLayout {
    /// One reference to an object.
    Reference,
    /// Nothing to copy or to destroy.
    Trivial,
}

impl TypeQueries<'_> {
    /// The conformances that `signature` requires, in canonical order: callers of a generic function pass a witness
    /// table for each of those whose protocol has tables.
    pub fn required_conformances(&self, signature: SignatureId) -> Arc<[PathStep]> {
        if let Some(found) = self.caches.required.get(&signature) {
            return found;
        }
        let generics = self.generics();
        let canonical = generics.canonical_signature(signature).unwrap_or(signature);
        let required = generics.conformances_in(&self.context.get_signature(canonical).requirements);
        self.caches.required.insert(signature, required.into())
    }

    /// The conformances of a map: one for each that its signature states, in whatever form. Other requirements follow
    /// from those.
    pub fn conformances_of(&self, map: SubstitutionMapId) -> Vec<ConformanceId> {
        let SubstitutionMap { signature, .. } = *self.context.get_substitutions(map);
        let stated = self.generics().conformances_in(&self.context.get_signature(signature).requirements);
        stated.iter().map(|step| self.conformance(self.substitute(step.subject, map), step.protocol)).collect()
    }

    /// Whether no requirement of a map's signature is known to be broken.
    pub fn requirements_hold(&self, map: SubstitutionMapId) -> bool {
        self.requirements_hold_within(map, 0)
    }

    fn requirements_hold_within(&self, map: SubstitutionMapId, depth: u32) -> bool {
        self.broken_requirement(map).is_none()
            && !self.conformances_of(map).into_iter().any(|found| self.is_broken_within(found, depth))
    }

    /// A requirement of a map's signature on types, not on conformances, that its replacements are known to break.
    pub fn broken_requirement(&self, map: SubstitutionMapId) -> Option<BrokenRequirement> {
        let SubstitutionMap { signature, .. } = *self.context.get_substitutions(map);
        let mut requirements = self.context.get_signature(signature).requirements.iter();
        requirements.find_map(|requirement| match requirement {
            Requirement::SameType { first, second } => {
                let (first, second) = (self.substitute(*first, map), self.substitute(*second, map));
                let is_open = self.is_dependent(first) || self.is_dependent(second);
                let is_broken = !is_open && !self.agree_types(first, second);
                is_broken.then_some(BrokenRequirement::SameType { first, second })
            }
            Requirement::Superclass { subject, superclass } => {
                let superclass = self.substitute(*superclass, map);
                let mut subjects = self.pack_elements(self.substitute(*subject, map)).into_iter();
                let broken = subjects.find(|subject| self.is_never_subclass(*subject, superclass));
                broken.map(|subject| BrokenRequirement::Superclass { subject, superclass })
            }
            Requirement::Layout { subject, constraint } => {
                let wanted = wanted_layout(constraint);
                let mut subjects = self.pack_elements(self.substitute(*subject, map)).into_iter();
                let broken = subjects.find(|subject| self.never_has_layout(*subject, wanted));
                broken.map(|subject| BrokenRequirement::Layout { subject, wanted })
            }
            Requirement::Conformance { .. } | Requirement::Inverse { .. } => None,
        })
    }

    /// The types that a requirement on `subject` is about: the elements of `repeat each Pack{A, B}`, or `subject`.
    fn pack_elements(&self, subject: TypeId) -> Vec<TypeId> {
        match self.get(subject) {
            Type::PackExpansion { pattern } | Type::PackElement(pattern) => self.pack_elements(*pattern),
            Type::Pack { elements, .. } => elements.iter().flat_map(|element| self.pack_elements(*element)).collect(),
            _ => vec![subject],
        }
    }

    /// Whether `subject` is known not to be `superclass` and not to inherit from it.
    fn is_never_subclass(&self, subject: TypeId, superclass: TypeId) -> bool {
        let subject = match self.get(subject) {
            Type::DynamicSelf(class) => *class,
            _ => subject,
        };
        if self.is_type_parameter(subject) || self.is_dependent(superclass) {
            return false;
        }
        let mut ancestor = Some(subject);
        // Wrong input may make a class its own superclass.
        for _ in 0..ANCESTOR_LIMIT {
            let Some(class) = ancestor else { return true };
            let is_known = match self.declaration_of(class) {
                Some(declaration) => declaration.origin != Origin::Named,
                None => !matches!(self.get(class), Type::Existential(_) | Type::Unresolved { .. }),
            };
            if !is_known || self.agree_types(class, superclass) {
                return false;
            }
            ancestor = self.superclass_of(class);
        }
        false
    }

    fn never_has_layout(&self, subject: TypeId, wanted: WantedLayout) -> bool {
        if self.is_dependent(subject) {
            return false;
        }
        let properties = self.properties(subject, None);
        let fits = match wanted {
            WantedLayout::Reference => properties.is_reference(),
            WantedLayout::Trivial => properties.is_trivial(),
        };
        !fits && properties.knowledge == Knowledge::Certain
    }

    /// Whether a conformance is known not to hold: there is none, or its requirements on the type's arguments do not
    /// hold.
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

fn wanted_layout(constraint: &LayoutConstraint) -> WantedLayout {
    match constraint {
        LayoutConstraint::Class(_)
        | LayoutConstraint::NativeClass
        | LayoutConstraint::RefCountedObject
        | LayoutConstraint::NativeRefCountedObject
        | LayoutConstraint::BridgeObject => WantedLayout::Reference,
        LayoutConstraint::Trivial(_) | LayoutConstraint::TrivialAtMost(..) | LayoutConstraint::TrivialStride(_) => {
            WantedLayout::Trivial
        }
    }
}

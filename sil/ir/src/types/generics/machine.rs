//! The consequences of the requirements of a generic signature and of the protocols in it (docs/Generics, "Building
//! Rules" and "Property Map").

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Generics;
use super::rewriting::{Completeness, Domain, RuleSet};
use super::term::{Symbol, Term};
use crate::context::{AnyObject, Context, LayoutConstraint, NominalId, Requirement, Type, TypeId};
use crate::declarations::Origin;

/// The requirements of a generic signature, made ready to be asked.
#[derive(Debug)]
pub struct RequirementMachine {
    rules: RuleSet,
}

/// A way to a conformance: the first step is a requirement of the signature, each further one a requirement of the
/// protocol before it, whose subject is a member of `Self`.
pub type ConformancePath = Vec<PathStep>;

/// A step of a conformance path: `subject : protocol`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PathStep {
    /// The type parameter that conforms.
    pub subject: TypeId,
    /// The protocol.
    pub protocol: NominalId,
}

impl PathStep {
    /// The subject of a step after the first one, as a member of `base`, the subject before it.
    pub fn subject_of(self, context: &Context, base: TypeId) -> TypeId {
        fn member_of(context: &Context, subject: TypeId, base: TypeId) -> TypeId {
            match *context.get(subject) {
                Type::DependentMember { base: outer, member, .. } => {
                    let base = member_of(context, outer, base);
                    context.ty(Type::DependentMember { base, member, protocol: None })
                }
                _ => base,
            }
        }
        member_of(context, self.subject, base)
    }
}

/// The bounds of a type parameter.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bounds {
    /// The protocols that it conforms to, in canonical order.
    pub protocols: Vec<NominalId>,
    /// The class that it is or inherits from.
    pub superclass: Option<TypeId>,
    /// Its layout.
    pub layout: Option<LayoutConstraint>,
    /// The type that it is the same as.
    pub concrete: Option<TypeId>,
}

/// Paths through protocols are followed as far as this many conformances.
const PATH_LIMIT: usize = 4000;

impl RequirementMachine {
    pub(super) fn new(generics: &Generics<'_>, requirements: &[Requirement]) -> Self {
        let mut equations = Vec::new();
        for requirement in requirements {
            generics.equations(requirement, None, &mut equations);
        }
        Self { rules: RuleSet::new(generics, Domain::Signature, equations) }
    }

    /// Whether all that follows was found.
    pub(super) fn is_complete(&self) -> bool {
        self.rules.completeness() == Completeness::Complete
    }

    /// The least term that is the same as the type parameter `ty`; none for another type.
    pub(super) fn reduced_term(&self, generics: &Generics<'_>, ty: TypeId) -> Option<Term> {
        Some(self.rules.simplify(generics, generics.term(ty, None)?))
    }

    /// The least type parameter that is the same as the type parameter `ty`; none for another type.
    pub fn reduced_parameter(&self, generics: &Generics<'_>, ty: TypeId) -> Option<TypeId> {
        Some(generics.type_of_term(&self.reduced_term(generics, ty)?))
    }

    /// Whether each member in the type parameter `ty` is an associated type that a protocol is known to have.
    pub fn is_resolved(&self, generics: &Generics<'_>, ty: TypeId) -> bool {
        let term = self.reduced_term(generics, ty);
        term.is_some_and(|term| !term.iter().any(|symbol| matches!(symbol, Symbol::Name(_))))
    }

    /// The bounds of a type parameter.
    pub fn bounds(&self, generics: &Generics<'_>, ty: TypeId) -> Bounds {
        self.reduced_term(generics, ty).map(|term| self.bounds_of(generics, &term)).unwrap_or_default()
    }

    pub(super) fn bounds_of(&self, generics: &Generics<'_>, term: &[Symbol]) -> Bounds {
        let mut bounds = Bounds::default();
        for at in 0..term.len() {
            self.rules.each_beginning_with(generics, &term[at..], |rule| {
                if let [property] = &rule.left[term.len() - at..] {
                    bounds.add(generics, &property.after(&term[..at]));
                }
            });
        }
        bounds.protocols.sort_by(|first, second| generics.compare_declarations(*first, *second));
        bounds.protocols.dedup();
        bounds
    }

    /// Whether the type parameter `ty` conforms to `protocol`.
    pub fn requires_protocol(&self, generics: &Generics<'_>, ty: TypeId, protocol: NominalId) -> bool {
        self.reduced_term(generics, ty).is_some_and(|term| self.term_conforms(generics, &term, protocol))
    }

    /// Whether a reduced term conforms to `protocol`.
    pub(super) fn term_conforms(&self, generics: &Generics<'_>, term: &[Symbol], protocol: NominalId) -> bool {
        let mut conforming = term.to_vec();
        conforming.push(Symbol::Protocol(protocol));
        self.rules.simplify(generics, conforming) == term
    }

    /// The shortest way from the signature's own requirements to the conformance of the type parameter `ty` to
    /// `protocol`, the first in canonical order; none where it does not conform.
    pub fn conformance_path(
        &self,
        generics: &Generics<'_>,
        requirements: &[Requirement],
        ty: TypeId,
        protocol: NominalId,
    ) -> Option<ConformancePath> {
        let target = (self.reduced_term(generics, ty)?, protocol);
        if !self.term_conforms(generics, &target.0, protocol) {
            return None;
        }
        let own = generics.conformances_in(requirements);
        let mut open: Vec<(Term, ConformancePath)> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut next = 0;
        for step in own {
            let term = generics.term(step.subject, None)?;
            open.push((term, vec![step]));
        }
        while let Some((term, path)) = open.get(next).cloned() {
            next += 1;
            let found = (self.rules.simplify(generics, term.clone()), path.last()?.protocol);
            if found == target {
                return Some(path);
            }
            if next > PATH_LIMIT {
                return None;
            }
            let last = found.1;
            if !seen.insert(found) {
                continue;
            }
            for step in generics.conformances_in(&generics.requirement_signature(last)) {
                let member = generics.term(step.subject, None)?;
                let term = [&term[..], &member[1..]].concat();
                open.push((term, [&path[..], &[step]].concat()));
            }
        }
        None
    }
}

impl Bounds {
    fn add(&mut self, generics: &Generics<'_>, property: &Symbol) {
        match property {
            Symbol::Protocol(protocol) => self.protocols.push(*protocol),
            Symbol::Layout(layout) => {
                self.layout.get_or_insert(layout.clone());
            }
            Symbol::Superclass(class) => {
                self.superclass.get_or_insert_with(|| generics.type_of_pattern(class));
            }
            Symbol::Concrete(ty) => {
                self.concrete.get_or_insert_with(|| generics.type_of_pattern(ty));
            }
            Symbol::Associated(..) | Symbol::Parameter(..) | Symbol::Name(_) => {}
        }
    }

    /// Whether values are always references to objects of classes.
    pub fn requires_class(&self) -> bool {
        let is_class = |layout: &LayoutConstraint| {
            matches!(
                layout,
                LayoutConstraint::Class(_)
                    | LayoutConstraint::NativeClass
                    | LayoutConstraint::RefCountedObject
                    | LayoutConstraint::NativeRefCountedObject
            )
        };
        self.superclass.is_some() || self.layout.as_ref().is_some_and(is_class)
    }
}

impl<'a> Generics<'a> {
    /// The rules of the protocols that depend on `protocol` and that it depends on.
    pub(super) fn rules_of(&self, protocol: NominalId) -> Arc<RuleSet> {
        if let Some(found) = self.cache.rules.get(&protocol) {
            return found;
        }
        let closure = self.closure(protocol);
        let component: Vec<NominalId> =
            closure.iter().copied().filter(|other| self.closure(*other).contains(&protocol)).collect();
        // Those with the fewest dependences come first: the requirements of the next one are there.
        let mut others: Vec<NominalId> = closure.iter().copied().filter(|other| !component.contains(other)).collect();
        others.sort_by_key(|other| self.closure(*other).len());
        for other in others {
            self.rules_of(other);
        }
        let mut equations = Vec::new();
        for member in &component {
            self.protocol_equations(*member, &mut equations);
        }
        let set = Arc::new(RuleSet::new(self, Domain::Protocols(component.clone().into()), equations));
        for member in component {
            self.cache.rules.insert(member, set.clone());
        }
        set
    }

    /// `protocol` and all protocols that its requirements mention or that it inherits members from, in the order in
    /// which they are found: rules about it can only mention these, also if some of its requirements are left out to
    /// see whether the rest implies them.
    pub(super) fn closure(&self, protocol: NominalId) -> Arc<[NominalId]> {
        if let Some(found) = self.cache.closures.get(&protocol) {
            return found;
        }
        let mut found = vec![protocol];
        let mut next = 0;
        while let Some(current) = found.get(next).copied() {
            next += 1;
            let mentioned = self.conformances_in(&self.stated(current)).into_iter().map(|step| step.protocol);
            for protocol in mentioned.chain(self.inherited(current).iter().copied()) {
                if !found.contains(&protocol) {
                    found.push(protocol);
                }
            }
        }
        self.cache.closures.insert(protocol, found.into())
    }

    fn protocol_equations(&self, protocol: NominalId, into: &mut Vec<(Term, Term)>) {
        let this = Symbol::Protocol(protocol);
        into.push((vec![this.clone(), this.clone()], vec![this.clone()]));
        let inherited = self.inherited(protocol);
        for owner in std::iter::once(&protocol).chain(&*inherited) {
            for associated in &self.declarations.get(*owner).associated_types {
                let member = Symbol::Associated(protocol, associated.name);
                into.push((vec![this.clone(), Symbol::Name(associated.name)], vec![member.clone()]));
                into.push((vec![this.clone(), Symbol::Associated(*owner, associated.name)], vec![member]));
            }
        }
        for requirement in self.stated(protocol).iter() {
            self.equations(requirement, Some(protocol), into);
        }
    }

    /// The equations of terms of a requirement. In a protocol's, `τ_0_0` is its `Self`.
    pub(super) fn equations(
        &self,
        requirement: &Requirement,
        protocol: Option<NominalId>,
        into: &mut Vec<(Term, Term)>,
    ) {
        let mut holds = |subject: &Term, property: Symbol| {
            into.push(([&subject[..], &[property]].concat(), subject.clone()));
        };
        match requirement {
            Requirement::Conformance { subject, constraint } => {
                let Some(subject) = self.term(*subject, protocol) else { return };
                self.constraint_equations(&subject, *constraint, protocol, into);
            }
            Requirement::Superclass { subject, superclass } => {
                let Some(subject) = self.term(*subject, protocol) else { return };
                holds(&subject, Symbol::Superclass(self.pattern(*superclass, protocol)));
                holds(&subject, Symbol::Layout(LayoutConstraint::Class(AnyObject)));
            }
            Requirement::Layout { subject, constraint } => {
                let Some(subject) = self.term(*subject, protocol) else { return };
                holds(&subject, Symbol::Layout(constraint.clone()));
            }
            Requirement::SameType { first, second } => {
                match (self.term(*first, protocol), self.term(*second, protocol)) {
                    (Some(first), Some(second)) => into.push((first, second)),
                    (Some(subject), None) => holds(&subject, Symbol::Concrete(self.pattern(*second, protocol))),
                    (None, Some(subject)) => holds(&subject, Symbol::Concrete(self.pattern(*first, protocol))),
                    (None, None) => {}
                }
            }
            Requirement::Inverse { .. } => {}
        }
    }

    fn constraint_equations(
        &self,
        subject: &Term,
        constraint: TypeId,
        protocol: Option<NominalId>,
        into: &mut Vec<(Term, Term)>,
    ) {
        let mut holds = |property: Symbol| into.push(([&subject[..], &[property]].concat(), subject.clone()));
        match self.context.get(constraint) {
            Type::Protocol { protocol: required, arguments } => {
                holds(Symbol::Protocol(*required));
                let names = &self.declarations.get(*required).primary_associated_types;
                for (name, argument) in names.iter().zip(arguments) {
                    let member = [&subject[..], &[Symbol::Name(*name)]].concat();
                    match self.term(*argument, protocol) {
                        Some(argument) => into.push((member, argument)),
                        None => {
                            let concrete = Symbol::Concrete(self.pattern(*argument, protocol));
                            into.push(([&member[..], &[concrete]].concat(), member));
                        }
                    }
                }
            }
            Type::Composition(composition) => {
                if composition.class_constraint.is_some() {
                    holds(Symbol::Layout(LayoutConstraint::Class(AnyObject)));
                }
                for member in &composition.members {
                    self.constraint_equations(subject, *member, protocol, into);
                }
            }
            Type::Nominal(_) => {
                holds(Symbol::Superclass(self.pattern(constraint, protocol)));
                holds(Symbol::Layout(LayoutConstraint::Class(AnyObject)));
            }
            Type::Existential(inner) => self.constraint_equations(subject, *inner, protocol, into),
            _ => {}
        }
    }

    /// Whether all requirements of `protocol` are at hand.
    pub fn is_declared(&self, protocol: NominalId) -> bool {
        self.declarations.get(protocol).origin != Origin::Named
    }
}

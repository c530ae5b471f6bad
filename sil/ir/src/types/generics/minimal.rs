//! The canonical form of requirements (docs/Generics, "Minimization"; lib/AST/Requirement.cpp, `Requirement::compare`):
//! none that follows from the others, each about reduced types, in one order.

use std::cmp::Ordering;
use std::sync::Arc;

use super::shapes::Pack;
use super::{Generics, GenericsCache, RequirementMachine};
use crate::context::{
    AnyObject, Context, Inverse, LayoutConstraint, Name, NominalId, Requirement, SignatureId, Type, TypeId,
};
use crate::types::rebuild::{Rebuild, rebuild_parts};
use crate::types::substitution::generic_parameter;

/// The place of a subject among others: parameters stand before members of them, and by name.
type SubjectKey<'c> = (usize, u32, u32, Vec<&'c str>);

/// The owner of requirements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// The signature, which states them.
    Signature(SignatureId),
    /// The protocol.
    Protocol(NominalId),
}

/// One requirement of a kind that nothing can be taken out of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Atom {
    Superclass(TypeId, TypeId),
    Layout(TypeId, LayoutConstraint),
    Conformance(TypeId, NominalId),
    SameType(TypeId, TypeId),
    /// Of packs, the first of which is the subject too.
    SameShape(TypeId, (Pack, Pack)),
    Inverse(TypeId, Inverse),
}

impl<'a> Generics<'a> {
    /// `requirements`, those of `owner`, in canonical form; none if that depends on facts that are not known.
    pub(super) fn minimal_requirements(
        &self,
        requirements: &[Requirement],
        owner: Owner,
    ) -> Option<Box<[Requirement]>> {
        let mut atoms = Vec::new();
        let mut shapes = Vec::new();
        for requirement in requirements {
            match requirement {
                Requirement::Conformance { subject, .. } if self.subject_key(*subject).is_none() => {
                    shapes.push(self.packs_of_shape(*subject)?);
                }
                _ => self.take_apart(requirement, &mut atoms)?,
            }
        }
        let mut distinct: Vec<Atom> = Vec::with_capacity(atoms.len());
        for atom in atoms {
            if !distinct.contains(&atom) {
                distinct.push(atom);
            }
        }
        let mut atoms = if self.is_simple(&distinct) { distinct } else { self.minimized(distinct, owner)? };
        atoms.extend(self.minimal_shape_atoms(&shapes, &atoms));
        let mut keyed: Vec<(SubjectKey<'a>, Atom)> = Vec::with_capacity(atoms.len());
        for atom in atoms {
            keyed.push((self.subject_key(atom.subject())?, atom));
        }
        keyed.sort_by(|(first_key, first), (second_key, second)| {
            let inverses = matches!(first, Atom::Inverse(..)).cmp(&matches!(second, Atom::Inverse(..)));
            inverses.then_with(|| first_key.cmp(second_key)).then_with(|| self.compare_atoms(first, second))
        });
        Some(keyed.into_iter().map(|(_, atom)| self.requirement(&atom)).collect())
    }

    fn minimal_shape_atoms(&self, shapes: &[Vec<Pack>], atoms: &[Atom]) -> Vec<Atom> {
        let equal: Vec<(TypeId, TypeId)> =
            atoms.iter().filter_map(|atom| Some((atom.subject(), atom.second()?))).collect();
        let pairs = self.minimal_shapes(shapes, &equal).into_iter();
        let parameter = |(depth, index)| self.context.ty(Type::GenericParameter { depth, index });
        pairs.map(|(first, second)| Atom::SameShape(parameter(first), (first, second))).collect()
    }

    fn take_apart(&self, requirement: &Requirement, into: &mut Vec<Atom>) -> Option<()> {
        match requirement {
            Requirement::Conformance { subject, constraint } => {
                self.take_constraint_apart(*subject, *constraint, into)?
            }
            Requirement::Superclass { subject, superclass } => into.push(Atom::Superclass(*subject, *superclass)),
            Requirement::Layout { subject, constraint } => into.push(Atom::Layout(*subject, constraint.clone())),
            Requirement::SameType { first, second } => into.push(Atom::SameType(*first, *second)),
            Requirement::Inverse { subject, inverse } => into.push(Atom::Inverse(*subject, *inverse)),
        }
        Some(())
    }

    fn take_constraint_apart(&self, subject: TypeId, constraint: TypeId, into: &mut Vec<Atom>) -> Option<()> {
        match self.context.get(constraint) {
            Type::Protocol { protocol, arguments } => {
                into.push(Atom::Conformance(subject, *protocol));
                let names = &self.declarations.get(*protocol).primary_associated_types;
                if names.len() < arguments.len() {
                    return None;
                }
                for (name, argument) in names.iter().zip(arguments) {
                    let member = Type::DependentMember { base: subject, member: *name, protocol: None };
                    into.push(Atom::SameType(self.context.ty(member), *argument));
                }
            }
            Type::Composition(composition) => {
                for member in &composition.members {
                    self.take_constraint_apart(subject, *member, into)?;
                }
                if composition.class_constraint.is_some() {
                    into.push(Atom::Layout(subject, LayoutConstraint::Class(AnyObject)));
                }
                into.extend(composition.inverses.iter().map(|inverse| Atom::Inverse(subject, *inverse)));
            }
            Type::Nominal(_) => into.push(Atom::Superclass(subject, constraint)),
            Type::Existential(inner) => self.take_constraint_apart(subject, *inner, into)?,
            _ => return None,
        }
        Some(())
    }

    /// Whether nothing can follow from anything else: all are about parameters, and those about the same one have
    /// nothing to do with each other.
    fn is_simple(&self, atoms: &[Atom]) -> bool {
        atoms.iter().enumerate().all(|(number, atom)| match atom {
            Atom::Inverse(..) => true,
            Atom::SameType(..) => false,
            _ => {
                let subject = atom.subject();
                let mut before = atoms[..number].iter().filter(|other| !matches!(other, Atom::Inverse(..)));
                generic_parameter(self.context.get(subject)).is_some()
                    && before.all(|other| other.subject() != subject || self.are_unrelated(other, atom))
            }
        })
    }

    fn minimized(&self, mut atoms: Vec<Atom>, owner: Owner) -> Option<Vec<Atom>> {
        let machine = match owner {
            Owner::Signature(signature) => Some(self.machine(signature)).filter(|machine| machine.is_complete())?,
            Owner::Protocol(_) => Arc::new(self.machine_of(&atoms)?),
        };
        // A type that is the same as another has the conformances of that.
        let concrete = |atom: &Atom| match atom {
            Atom::SameType(..) | Atom::Inverse(..) => false,
            _ => machine.bounds(self, atom.subject()).concrete.is_some(),
        };
        atoms.retain(|atom| !concrete(atom));
        let mut order: Vec<(SubjectKey<'a>, usize)> = Vec::new();
        for (number, atom) in atoms.iter().enumerate() {
            order.push((self.subject_key(atom.subject()).or_else(|| self.subject_key(atom.second()?))?, number));
        }
        order.sort_by(|first, second| second.cmp(first));
        let mut kept: Vec<Option<Atom>> = atoms.into_iter().map(Some).collect();
        for (_, number) in order {
            let Some(atom) = kept[number].take() else { continue };
            let mut others: Vec<Atom> = kept.iter().flatten().cloned().collect();
            if self.is_refinement(&atom, owner) {
                others.retain(|other| self.is_refinement(other, owner));
            }
            if !self.can_imply(&others, &atom, owner) || !self.follows(&atom, &others, owner)? {
                kept[number] = Some(atom);
            }
        }
        let kept: Vec<Atom> = kept.into_iter().flatten().collect();
        let mut minimal = Vec::with_capacity(kept.len());
        for atom in kept.iter().filter(|atom| !matches!(atom, Atom::SameType(..))) {
            minimal.push(atom.about(self.reduced(&machine, atom.subject())?));
        }
        self.chain(&machine, owner, &kept, &mut minimal)?;
        Some(minimal)
    }

    /// Whether `atom` is a conformance of `Self` in a protocol, which follows from others of that form alone: tables of
    /// base protocols are found by way of base protocols (lib/AST/RequirementMachine/MinimalConformances.cpp,
    /// `isValidRefinementPath`).
    fn is_refinement(&self, atom: &Atom, owner: Owner) -> bool {
        let is_self = |subject: TypeId| generic_parameter(self.context.get(subject)).is_some();
        matches!((atom, owner), (Atom::Conformance(subject, _), Owner::Protocol(_)) if is_self(*subject))
    }

    /// The same-type requirements among `atoms` in their form: of all types that they make the same each is the same as
    /// the next one, or as the concrete one of all.
    fn chain(&self, machine: &RequirementMachine, owner: Owner, atoms: &[Atom], into: &mut Vec<Atom>) -> Option<()> {
        let mut classes: Vec<(TypeId, Vec<&Atom>)> = Vec::new();
        for atom in atoms.iter().filter(|atom| matches!(atom, Atom::SameType(..))) {
            let side =
                std::iter::once(atom.subject()).chain(atom.second()).find(|side| self.term(*side, None).is_some());
            let class = machine.reduced_parameter(self, side?)?;
            match classes.iter_mut().find(|(known, _)| *known == class) {
                Some((_, members)) => members.push(atom),
                None => classes.push((class, vec![atom])),
            }
        }
        for (class, equal) in classes {
            // Atoms that are the same without these count as one.
            let rest: Vec<Atom> = atoms.iter().filter(|atom| !equal.contains(atom)).cloned().collect();
            let sides = equal.iter().flat_map(|atom| std::iter::once(atom.subject()).chain(atom.second()));
            let sides: Vec<TypeId> = sides.filter(|side| self.term(*side, None).is_some()).collect();
            let sides = self.with_only(&rest, owner, |generics, rest| {
                sides.into_iter().map(|side| generics.reduced(rest, side)).collect::<Option<Vec<TypeId>>>()
            })??;
            let mut members = Vec::new();
            for side in sides {
                let side = self.pattern_of_expansion(side);
                members.push((self.subject_key(side)?, side));
            }
            members.sort();
            members.dedup();
            match machine.bounds(self, class).concrete {
                Some(concrete) => {
                    let concrete = ConcreteReducer { generics: self, machine, depth: 0 }.rebuild(concrete);
                    into.extend(members.iter().map(|(_, member)| self.same_type(*member, concrete)));
                }
                None => into.extend(members.windows(2).map(|pair| self.same_type(pair[0].1, pair[1].1))),
            }
        }
        Some(())
    }

    /// That two types are the same: of elements of packs the first is written as their expansion.
    fn same_type(&self, first: TypeId, second: TypeId) -> Atom {
        match self.pack_of(first) {
            Some(_) => Atom::SameType(self.context.ty(Type::PackExpansion { pattern: first }), second),
            None => Atom::SameType(first, second),
        }
    }

    fn pattern_of_expansion(&self, ty: TypeId) -> TypeId {
        match self.context.get(ty) {
            Type::PackExpansion { pattern } => *pattern,
            _ => ty,
        }
    }

    /// Whether `atom` could follow from `others` at all: a quick answer before the exact one.
    fn can_imply(&self, others: &[Atom], atom: &Atom, owner: Owner) -> bool {
        let subject = atom.subject();
        let mentions = |other: &Atom| match (atom, other) {
            (_, Atom::Inverse(..)) => false,
            // Whatever is the same, a protocol brings conformances to those that it leads to, and a class to those that
            // it states.
            (Atom::Conformance(_, wanted), Atom::Conformance(_, known)) => self.closure(*known).contains(wanted),
            (Atom::Conformance(..), Atom::Superclass(..)) => true,
            // A type that is the same as `Self` of a protocol conforms to that.
            (Atom::Conformance(..), Atom::SameType(..)) => matches!(owner, Owner::Protocol(_)),
            (Atom::Conformance(..), _) => false,
            (_, Atom::SameType(..)) => true,
            _ => self.is_member_of(subject, other.subject()),
        };
        matches!(atom, Atom::SameType(..)) || others.iter().any(mentions)
    }

    /// Whether `ty` is `base` or a member of it.
    fn is_member_of(&self, ty: TypeId, base: TypeId) -> bool {
        ty == base
            || match self.context.get(ty) {
                Type::DependentMember { base: inner, .. }
                | Type::PackElement(inner)
                | Type::PackExpansion { pattern: inner } => self.is_member_of(*inner, base),
                _ => false,
            }
    }

    /// Whether `atom` follows from `others`; none where that is not found out.
    fn follows(&self, atom: &Atom, others: &[Atom], owner: Owner) -> Option<bool> {
        self.with_only(others, owner, |generics, machine| machine.implies(generics, atom))
    }

    /// The result of `ask` if only `atoms` are required; none if not all consequences are found. The requirements of
    /// the protocol `owner` do not follow from a conformance to it, because only they make it one.
    fn with_only<R>(
        &self,
        atoms: &[Atom],
        owner: Owner,
        ask: impl FnOnce(&Generics<'_>, &RequirementMachine) -> R,
    ) -> Option<R> {
        let Owner::Protocol(owner) = owner else { return Some(ask(self, &self.machine_of(atoms)?)) };
        let cache = GenericsCache::default();
        cache.stated.insert(owner, atoms.iter().map(|atom| self.requirement(atom)).collect());
        // Protocols that do not depend on the owner stay as they were.
        for protocol in self.closure(owner).iter().filter(|protocol| !self.closure(**protocol).contains(&owner)) {
            cache.rules.insert(*protocol, self.rules_of(*protocol));
        }
        let without = Generics { cache: &cache, ..*self };
        Some(ask(&without, &without.machine_of(atoms)?))
    }

    /// The consequences of `atoms`; none if not all of them are found.
    fn machine_of(&self, atoms: &[Atom]) -> Option<RequirementMachine> {
        let requirements: Vec<Requirement> = atoms.iter().map(|atom| self.requirement(atom)).collect();
        let machine = RequirementMachine::new(self, &requirements);
        machine.is_complete().then_some(machine)
    }

    /// The reduced form of a type: of a type parameter the least one; none where a part of it is a member of a concrete
    /// type.
    fn reduced(&self, machine: &RequirementMachine, ty: TypeId) -> Option<TypeId> {
        let Some(own) = self.term(ty, None) else { return Some(ty) };
        let term = machine.reduced_term(self, ty)?;
        if (1..term.len()).any(|length| machine.bounds_of(self, &term[..length]).concrete.is_some()) {
            return None;
        }
        let (own, reduced) = (self.type_of_term(&own), self.type_of_term(&term));
        // `each T` stays as it is written.
        Some(if own == reduced { ty } else { reduced })
    }

    fn requirement(&self, atom: &Atom) -> Requirement {
        match atom {
            Atom::Superclass(subject, superclass) => {
                Requirement::Superclass { subject: *subject, superclass: *superclass }
            }
            Atom::Layout(subject, layout) => Requirement::Layout { subject: *subject, constraint: layout.clone() },
            Atom::Conformance(subject, protocol) => {
                let constraint = Type::Protocol { protocol: *protocol, arguments: Box::default() };
                Requirement::Conformance { subject: *subject, constraint: self.context.ty(constraint) }
            }
            Atom::SameType(first, second) => Requirement::SameType { first: *first, second: *second },
            Atom::SameShape(_, (first, second)) => {
                let (subject, constraint) = self.shape_requirement(*first, *second);
                Requirement::Conformance { subject, constraint }
            }
            Atom::Inverse(subject, inverse) => Requirement::Inverse { subject: *subject, inverse: *inverse },
        }
    }

    /// None for a type that is no parameter and no member of one.
    fn subject_key(&self, ty: TypeId) -> Option<SubjectKey<'a>> {
        match self.context.get(ty) {
            Type::DependentMember { base, member, .. } => {
                let (length, depth, index, mut names) = self.subject_key(*base)?;
                names.push(self.text(*member));
                Some((length + 1, depth, index, names))
            }
            Type::PackElement(inner) | Type::PackExpansion { pattern: inner } => self.subject_key(*inner),
            other => generic_parameter(other).map(|(depth, index)| (0, depth, index, Vec::new())),
        }
    }

    fn text(&self, name: Name) -> &'a str {
        self.context.text(name)
    }

    /// The order of two requirements of one subject.
    fn compare_atoms(&self, first: &Atom, second: &Atom) -> Ordering {
        match (first, second) {
            (Atom::Conformance(_, first), Atom::Conformance(_, second)) => self.compare_declarations(*first, *second),
            (Atom::SameType(_, first), Atom::SameType(_, second)) => {
                self.subject_key(*first).cmp(&self.subject_key(*second))
            }
            _ => first.rank().cmp(&second.rank()),
        }
    }
}

/// Puts the concrete types of type parameters, and the least parameters, into a type.
struct ConcreteReducer<'g, 'a> {
    generics: &'g Generics<'a>,
    machine: &'g RequirementMachine,
    depth: u32,
}

/// Wrong requirements may make a type contain itself.
const DEPTH_LIMIT: u32 = 16;

impl Rebuild for ConcreteReducer<'_, '_> {
    fn context(&self) -> &Context {
        self.generics.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        let term = self.generics.plain_term(ty, None);
        let Some(reduced) = term.and_then(|_| self.machine.reduced_parameter(self.generics, ty)) else {
            return rebuild_parts(self, ty);
        };
        match self.machine.bounds(self.generics, reduced).concrete.filter(|_| self.depth < DEPTH_LIMIT) {
            Some(concrete) => {
                self.depth += 1;
                let concrete = self.rebuild(concrete);
                self.depth -= 1;
                concrete
            }
            None => reduced,
        }
    }
}

impl Atom {
    fn subject(&self) -> TypeId {
        match self {
            Atom::Superclass(subject, _)
            | Atom::Layout(subject, _)
            | Atom::Conformance(subject, _)
            | Atom::SameType(subject, _)
            | Atom::SameShape(subject, _)
            | Atom::Inverse(subject, _) => *subject,
        }
    }

    fn second(&self) -> Option<TypeId> {
        match self {
            Atom::SameType(_, second) => Some(*second),
            _ => None,
        }
    }

    /// The same of another subject.
    fn about(&self, subject: TypeId) -> Atom {
        match self {
            Atom::Superclass(_, superclass) => Atom::Superclass(subject, *superclass),
            Atom::Layout(_, layout) => Atom::Layout(subject, layout.clone()),
            Atom::Conformance(_, protocol) => Atom::Conformance(subject, *protocol),
            Atom::SameType(_, second) => Atom::SameType(subject, *second),
            Atom::SameShape(_, packs) => Atom::SameShape(subject, *packs),
            Atom::Inverse(_, inverse) => Atom::Inverse(subject, *inverse),
        }
    }

    /// The order of the kinds of requirements of one subject.
    fn rank(&self) -> u32 {
        match self {
            Atom::Superclass(..) => 0,
            Atom::Layout(..) => 1,
            Atom::Conformance(..) => 2,
            Atom::SameType(..) => 3,
            Atom::SameShape(..) => 4,
            Atom::Inverse(..) => 5,
        }
    }
}

impl RequirementMachine {
    /// Whether `atom` follows.
    fn implies(&self, generics: &Generics<'_>, atom: &Atom) -> bool {
        match atom {
            Atom::Conformance(subject, protocol) => {
                let inherits = || {
                    self.bounds(generics, *subject)
                        .superclass
                        .is_some_and(|class| generics.class_states(class, *protocol))
                };
                self.requires_protocol(generics, *subject, *protocol) || inherits()
            }
            Atom::Layout(subject, layout) => {
                let bounds = self.bounds(generics, *subject);
                bounds.layout.as_ref() == Some(layout)
                    || (*layout == LayoutConstraint::Class(AnyObject) && bounds.requires_class())
            }
            Atom::Superclass(subject, superclass) => {
                let bound = self.bounds(generics, *subject).superclass;
                bound.is_some_and(|bound| generics.superclasses(bound).contains(superclass))
            }
            Atom::SameType(first, second) => {
                match (self.reduced_term(generics, *first), self.reduced_term(generics, *second)) {
                    (Some(one), Some(other)) => one == other,
                    (Some(one), None) => self.bounds_of(generics, &one).concrete == Some(*second),
                    (None, Some(other)) => self.bounds_of(generics, &other).concrete == Some(*first),
                    (None, None) => first == second,
                }
            }
            Atom::SameShape(..) | Atom::Inverse(..) => false,
        }
    }
}

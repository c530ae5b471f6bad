//! Generic signatures and their consequences: canonical forms, reduced types, conformances of type parameters and the
//! paths to them (docs/Generics of Swift's sources). Owns the consequences of requirements; `conformances` has the
//! conformances of types.

mod machine;
mod minimal;
mod plain;
mod reduction;
mod rewriting;
mod shapes;
mod term;
mod trie;
mod unification;

use std::sync::Arc;

pub use machine::{Bounds, ConformancePath, PathStep, RequirementMachine};

use self::minimal::Owner;
use self::rewriting::RuleSet;
use crate::cache::Cache;
use crate::context::{
    AnyObject, Context, GenericParameter, GenericParameterKind, GenericSignature, LayoutConstraint, Name, NominalId,
    Requirement, SignatureId, Type, TypeId,
};
use crate::declarations::DeclarationTable;

/// Answers that generic signatures and protocols gave once.
#[derive(Default)]
pub struct GenericsCache {
    machines: Cache<SignatureId, Arc<RequirementMachine>>,
    canonical: Cache<SignatureId, Option<SignatureId>>,
    rules: Cache<NominalId, Arc<RuleSet>>,
    closures: Cache<NominalId, Arc<[NominalId]>>,
    inherited: Cache<NominalId, Arc<[NominalId]>>,
    stated: Cache<NominalId, Arc<[Requirement]>>,
    requirement_signatures: Cache<NominalId, Arc<[Requirement]>>,
}

/// The questions about generic signatures.
#[derive(Clone, Copy)]
pub struct Generics<'a> {
    context: &'a Context,
    declarations: &'a DeclarationTable,
    cache: &'a GenericsCache,
}

impl<'a> Generics<'a> {
    /// Questions about signatures that name `declarations`, whose heads must not change as long as `cache` is used.
    pub fn new(context: &'a Context, declarations: &'a DeclarationTable, cache: &'a GenericsCache) -> Self {
        Self { context, declarations, cache }
    }

    /// The consequences of `signature`.
    pub fn machine(&self, signature: SignatureId) -> Arc<RequirementMachine> {
        if let Some(found) = self.cache.machines.get(&signature) {
            return found;
        }
        let requirements = &self.context.get_signature(signature).requirements;
        let machine = RequirementMachine::new(self, requirements);
        self.cache.machines.insert(signature, Arc::new(machine))
    }

    /// The signature whose only parameter is the content of an existential of `constraint`.
    pub fn existential_signature(&self, constraint: TypeId) -> SignatureId {
        let parameter = GenericParameter { name: None, depth: 0, index: 0, kind: GenericParameterKind::Type };
        let subject = self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let requirements = Box::new([Requirement::Conformance { subject, constraint }]);
        self.context.signature(GenericSignature { parameters: Box::new([parameter]), requirements })
    }

    /// The number of protocols that `signature` requires of `base`, without those that others inherit from.
    pub fn required_protocols(&self, signature: SignatureId, base: TypeId) -> usize {
        let protocols = self.machine(signature).bounds(self, base).protocols;
        let is_implied = |protocol: &NominalId| {
            protocols.iter().any(|other| other != protocol && self.inherited(*other).contains(protocol))
        };
        protocols.iter().filter(|protocol| !is_implied(protocol)).count()
    }

    /// The protocol, among those that `base` conforms to by `signature`, that declares the associated type `member`:
    /// the first one in canonical order that inherits it from no other.
    pub fn declaring_protocol(&self, signature: SignatureId, base: TypeId, member: Name) -> Option<NominalId> {
        let bounds = self.machine(signature).bounds(self, base);
        let mut reached = Vec::new();
        for protocol in bounds.protocols {
            reached.push(protocol);
            reached.extend(self.inherited(protocol).iter().copied());
        }
        let declares = |protocol: NominalId| {
            self.declarations.get(protocol).associated_types.iter().any(|declared| declared.name == member)
        };
        let declaring: Vec<NominalId> = reached.into_iter().filter(|protocol| declares(*protocol)).collect();
        let is_first = |protocol: &NominalId| !self.inherited(*protocol).iter().any(|above| declares(*above));
        declaring.into_iter().find(is_first)
    }

    /// The protocols that `protocol` inherits from, or a type states a conformance to, in the order in which they are
    /// found.
    pub fn inherited(&self, protocol: NominalId) -> Arc<[NominalId]> {
        if let Some(found) = self.cache.inherited.get(&protocol) {
            return found;
        }
        let mut found = vec![protocol];
        let mut next = 0;
        while let Some(current) = found.get(next).copied() {
            next += 1;
            for base in self.bases(current) {
                if !found.contains(&base) {
                    found.push(base);
                }
            }
        }
        found.remove(0);
        self.cache.inherited.insert(protocol, found.into())
    }

    /// The protocols that the declaration of `protocol` inherits from.
    fn bases(&self, protocol: NominalId) -> Vec<NominalId> {
        let mut bases = Vec::new();
        for stated in &self.declarations.get(protocol).conformances {
            self.protocols_of(stated.protocol, &mut bases);
        }
        bases
    }

    /// Whether a class, or an ancestor, states a conformance to `protocol`.
    fn class_states(&self, class: TypeId, protocol: NominalId) -> bool {
        self.superclasses(class).iter().any(|class| match self.context.get(*class) {
            Type::Nominal(nominal) => self.inherited(nominal.declaration).contains(&protocol),
            _ => false,
        })
    }

    /// `class` and its ancestors, in the generic parameters of the declarations that name them.
    fn superclasses(&self, class: TypeId) -> Vec<TypeId> {
        let mut found = Vec::new();
        let mut current = Some(class);
        while let Some(class) = current.filter(|class| !found.contains(class)) {
            found.push(class);
            let Type::Nominal(nominal) = self.context.get(class) else { break };
            current = self.declarations.get(nominal.declaration).superclass;
        }
        found
    }

    /// The protocols that a constraint names.
    fn protocols_of(&self, constraint: TypeId, into: &mut Vec<NominalId>) {
        match self.context.get(constraint) {
            Type::Protocol { protocol, .. } => into.push(*protocol),
            Type::Composition(composition) => {
                composition.members.iter().for_each(|member| self.protocols_of(*member, into));
            }
            Type::Existential(inner) => self.protocols_of(*inner, into),
            _ => {}
        }
    }

    /// The conformances among `requirements`, one per protocol.
    pub(in crate::types) fn conformances_in(&self, requirements: &[Requirement]) -> Vec<PathStep> {
        let mut found = Vec::new();
        for requirement in requirements {
            if let Requirement::Conformance { subject, constraint } = requirement {
                let mut protocols = Vec::new();
                self.protocols_of(*constraint, &mut protocols);
                found.extend(protocols.into_iter().map(|protocol| PathStep { subject: *subject, protocol }));
            }
        }
        found
    }

    /// The requirements of the declaration of `protocol` on its `Self`, which is `τ_0_0`, and on the members of that.
    fn stated(&self, protocol: NominalId) -> Arc<[Requirement]> {
        if let Some(found) = self.cache.stated.get(&protocol) {
            return found;
        }
        let declaration = self.declarations.get(protocol);
        let subject = self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let inherited = declaration.conformances.iter();
        let superclass = declaration.superclass.map(|superclass| Requirement::Superclass { subject, superclass });
        let mut stated: Vec<Requirement> = superclass.into_iter().collect();
        if declaration.attributes.class_bound {
            stated.push(Requirement::Layout { subject, constraint: LayoutConstraint::Class(AnyObject) });
        }
        stated.extend(inherited.map(|inherited| Requirement::Conformance { subject, constraint: inherited.protocol }));
        if let Some(signature) = declaration.signature {
            stated.extend(self.context.get_signature(signature).requirements.iter().cloned());
        }
        self.cache.stated.insert(protocol, stated.into())
    }

    /// The requirements of conforming to `protocol` beyond its members, in minimal form and canonical order; `Self` is
    /// `τ_0_0`.
    pub fn requirement_signature(&self, protocol: NominalId) -> Arc<[Requirement]> {
        // Known declarations of libraries have the form that their compiler prints.
        if self.declarations.get(protocol).attributes.evolving {
            return self.stated(protocol);
        }
        self.minimal_requirement_signature(protocol)
    }

    /// The same, derived from the declaration in whatever form.
    pub fn minimal_requirement_signature(&self, protocol: NominalId) -> Arc<[Requirement]> {
        if let Some(found) = self.cache.requirement_signatures.get(&protocol) {
            return found;
        }
        let stated = self.stated(protocol);
        let minimal = self.minimal_requirements(&stated, Owner::Protocol(protocol)).map_or(stated, Arc::from);
        self.cache.requirement_signatures.insert(protocol, minimal)
    }

    /// `signature` with its requirements in minimal form and canonical order; none if that depends on facts that are
    /// not known.
    pub fn canonical_signature(&self, signature: SignatureId) -> Option<SignatureId> {
        if let Some(found) = self.cache.canonical.get(&signature) {
            return found;
        }
        let written = self.context.get_signature(signature);
        let minimal = self.minimal_requirements(&written.requirements, Owner::Signature(signature));
        let canonical = minimal.map(|requirements| {
            let parameters = written.parameters.clone();
            self.context.signature(GenericSignature { parameters, requirements })
        });
        self.cache.canonical.insert(signature, canonical)
    }

    /// The order of declarations in canonical signatures.
    pub fn compare_declarations(&self, first: NominalId, second: NominalId) -> std::cmp::Ordering {
        term::compare_declarations(self.context, self.declarations, first, second)
    }
}

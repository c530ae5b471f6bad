//! The kind of value of a lowered type: trivial, loadable, address-only, a reference, noncopyable; and kinds of
//! existentials.

use super::queries::Viewpoint;
use super::*;
use crate::context::SignatureId;
use crate::declarations::{Access, DeclaredLifetime, NominalDeclaration, NominalKind, Origin, StatedConformance};
use crate::model::LanguageMode;

/// Whether copying and destroying a value does anything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Triviality {
    /// Bits alone.
    Trivial,
    /// Copies retain and destroys release, or worse.
    Nontrivial,
}

/// Whether a value can be held in registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Passing {
    /// `load`ed and passed directly.
    Loadable(Triviality),
    /// Only ever in memory: its layout is not known, or it must not move.
    AddressOnly,
}

/// Whether values can be copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Copyability {
    /// They can.
    Copyable,
    /// `~Copyable`
    Noncopyable,
}

/// Whether values can outlive the values that they were made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Escapability {
    /// They can.
    Escapable,
    /// `~Escapable`
    Nonescapable,
}

/// Whether the program can observe the end of a value's lifetime (docs/SIL/Ownership.md, "Lexical Lifetimes").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lifetime {
    /// It cannot: the type is trivial, or `@_eagerMove` or consists of such types alone.
    Eager,
    /// It can: a deinitialiser may run, or a weak reference become nil.
    Lexical,
}

/// The properties of a lowered type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeProperties {
    /// Loadable or address-only.
    pub passing: Passing,
    /// Copyable or not.
    pub copyability: Copyability,
    /// Escapable or not.
    pub escapability: Escapability,
    /// Whether the program can observe the end of a value's lifetime.
    pub lifetime: Lifetime,
    /// The referent of a single reference to an object.
    pub reference: Option<ReferenceKind>,
    /// Whether all declarations that decide it are known.
    pub knowledge: Knowledge,
}

/// Whether a type conforms to an invertible protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invertible {
    /// It does.
    Always,
    /// It does if this signature's requirements on its arguments hold.
    Conditionally(SignatureId),
    /// It does not.
    Never,
}

/// The referent of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReferenceKind {
    /// An object of a class, or one that is bound to be.
    Class,
    /// A box.
    Box,
    /// `Builtin.NativeObject`
    Native,
    /// `Builtin.BridgeObject`
    Bridge,
    /// An Objective-C block.
    Block,
}

/// Whether an answer rests on declarations alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Knowledge {
    /// All parts are declared.
    Certain,
    /// A part has a type whose layout is not known.
    Assumed,
}

impl TypeProperties {
    const fn loadable(triviality: Triviality) -> Self {
        Self {
            passing: Passing::Loadable(triviality),
            copyability: Copyability::Copyable,
            escapability: Escapability::Escapable,
            lifetime: match triviality {
                Triviality::Trivial => Lifetime::Eager,
                Triviality::Nontrivial => Lifetime::Lexical,
            },
            reference: None,
            knowledge: Knowledge::Certain,
        }
    }

    const TRIVIAL: Self = Self::loadable(Triviality::Trivial);
    /// Of a type whose declaration is not at hand.
    const UNKNOWN: Self = Self { knowledge: Knowledge::Assumed, ..Self::loadable(Triviality::Nontrivial) };
    const ADDRESS_ONLY: Self = Self { passing: Passing::AddressOnly, lifetime: Lifetime::Lexical, ..Self::TRIVIAL };

    const fn reference(kind: ReferenceKind) -> Self {
        Self { reference: Some(kind), ..Self::loadable(Triviality::Nontrivial) }
    }

    fn is_inverted(self, inverse: Inverse) -> bool {
        match inverse {
            Inverse::Copyable => self.copyability == Copyability::Noncopyable,
            Inverse::Escapable => self.escapability == Escapability::Nonescapable,
        }
    }

    /// A type that cannot be copied, or must not outlive something, has ownership whatever its parts are.
    fn add_ownership(&mut self) {
        let is_inverted = self.is_inverted(Inverse::Copyable) || self.is_inverted(Inverse::Escapable);
        if is_inverted && self.is_trivial() {
            self.passing = Passing::Loadable(Triviality::Nontrivial);
            self.lifetime = Lifetime::Lexical;
        }
    }

    /// Whether the program can observe the end of a value's lifetime.
    pub fn is_lexical(&self) -> bool {
        self.lifetime == Lifetime::Lexical
    }

    /// Whether copies and destroys do nothing.
    pub fn is_trivial(self) -> bool {
        self.passing == Passing::Loadable(Triviality::Trivial)
    }

    /// Whether the effects of copies and destroys are not known: a part is a type of another module, of which only the
    /// name is at hand.
    pub fn is_guessed(self) -> bool {
        self.knowledge == Knowledge::Assumed && !self.is_address_only()
    }

    /// Whether copies and destroys do nothing, in one word.
    pub fn triviality(self) -> Triviality {
        if self.is_trivial() { Triviality::Trivial } else { Triviality::Nontrivial }
    }

    /// Whether values only live in memory.
    pub fn is_address_only(self) -> bool {
        self.passing == Passing::AddressOnly
    }

    /// Whether a value is one reference to an object.
    pub fn is_reference(self) -> bool {
        self.reference.is_some()
    }

    /// The properties of an aggregate that has a part with these too.
    fn with_part(self, part: Self) -> Self {
        let passing = match (self.passing, part.passing) {
            (Passing::AddressOnly, _) | (_, Passing::AddressOnly) => Passing::AddressOnly,
            (Passing::Loadable(Triviality::Trivial), other) => other,
            (other, _) => other,
        };
        let copyability = match part.copyability {
            Copyability::Noncopyable => Copyability::Noncopyable,
            Copyability::Copyable => self.copyability,
        };
        let escapability = match part.escapability {
            Escapability::Nonescapable => Escapability::Nonescapable,
            Escapability::Escapable => self.escapability,
        };
        let lifetime = match part.lifetime {
            Lifetime::Lexical => Lifetime::Lexical,
            Lifetime::Eager => self.lifetime,
        };
        let knowledge = self.knowledge.max(part.knowledge);
        Self { passing, copyability, escapability, lifetime, reference: None, knowledge }
    }
}

/// How an existential is represented (docs/ABI/TypeLayout.rst, "Existential Container Layout").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExistentialKind {
    /// An inline buffer, metadata and witness tables.
    Opaque,
    /// A reference and witness tables.
    Class,
    /// `any Error`: a reference to a box.
    Error,
}

impl TypeQueries<'_> {
    /// The properties of a value of the lowered type `ty`, whose free generic parameters are those of `signature`.
    pub fn properties(&self, ty: TypeId, signature: Option<SignatureId>) -> TypeProperties {
        let key = (ty, signature);
        if let Some(found) = self.caches.properties.get(&key) {
            return found;
        }
        let mut classifier = Classifier { queries: self, signature, open: Vec::new() };
        let found = classifier.classify(ty);
        self.caches.properties.insert(key, found)
    }

    /// How an existential type is represented; `ty` is the existential or its constraint.
    pub fn existential_kind(&self, ty: TypeId) -> ExistentialKind {
        let constraint = match self.get(ty) {
            Type::Existential(constraint) => *constraint,
            _ => ty,
        };
        let protocols = self.protocols_in(constraint);
        if protocols.len() == 1 && Some(protocols[0]) == self.caches.known.error && !self.has_class_bound(constraint) {
            return ExistentialKind::Error;
        }
        let is_class = self.has_class_bound(constraint)
            || (self.has_only_class_existentials && self.may_have_class_bound(constraint));
        if is_class { ExistentialKind::Class } else { ExistentialKind::Opaque }
    }

    /// Whether values of a type, for any arguments, can be copied, or can outlive the values that they were made from.
    pub fn invertible(&self, declaration: &NominalDeclaration, inverse: Inverse) -> Invertible {
        let is_inverted = match inverse {
            Inverse::Copyable => declaration.attributes.noncopyable,
            Inverse::Escapable => declaration.attributes.nonescapable,
        };
        if !is_inverted {
            return Invertible::Always;
        }
        let stated = |conformance: &StatedConformance| {
            let mut protocols = self.protocols_in(conformance.protocol).into_iter();
            let is_it = protocols.any(|protocol| self.inverse_of(protocol) == Some(inverse));
            conformance.condition.filter(|_| is_it)
        };
        declaration.conformances.iter().find_map(stated).map_or(Invertible::Never, Invertible::Conditionally)
    }

    /// The inverse that suppresses conformances to `protocol`, if all types conform to it by default.
    pub fn inverse_of(&self, protocol: NominalId) -> Option<Inverse> {
        let protocol = self.declarations.get(protocol);
        let text = |part| self.context.text(part);
        match (text(protocol.module), text(protocol.name)) {
            ("Swift", "Copyable") => Some(Inverse::Copyable),
            ("Swift", "Escapable") => Some(Inverse::Escapable),
            _ => None,
        }
    }

    /// Whether a type that satisfies a constraint is always a reference to an object.
    pub fn has_class_bound(&self, constraint: TypeId) -> bool {
        match self.get(constraint) {
            Type::Existential(inner) => self.has_class_bound(*inner),
            Type::Protocol { protocol, .. } => self.is_class_protocol(*protocol),
            Type::Composition(composition) => {
                composition.class_constraint.is_some()
                    || composition.members.iter().any(|member| self.has_class_bound(*member))
            }
            Type::Nominal(_) => self.is_class(constraint),
            _ => false,
        }
    }

    /// Whether a type that satisfies a constraint may always be a reference to an object: it is, or a protocol is known
    /// by name only.
    pub fn may_have_class_bound(&self, constraint: TypeId) -> bool {
        let mut found = self.has_class_bound(constraint);
        let mut consider = |protocol| found |= self.declarations.get(protocol).origin == Origin::Named;
        for protocol in self.protocols_in(constraint) {
            consider(protocol);
            self.each_protocol(protocol, &mut consider);
        }
        found
    }

    /// Of a constraint that does not state it: whether it is known that not only objects satisfy it.
    fn knowledge_of_class_bound(&self, constraint: TypeId) -> Knowledge {
        if self.may_have_class_bound(constraint) { Knowledge::Assumed } else { Knowledge::Certain }
    }

    /// Whether only classes can conform to `protocol`.
    pub fn is_class_protocol(&self, protocol: NominalId) -> bool {
        let declaration = self.declarations.get(protocol);
        if declaration.attributes.class_bound || declaration.attributes.objc || declaration.superclass.is_some() {
            return true;
        }
        let mut found = false;
        self.each_protocol(protocol, &mut |inherited| {
            let inherited = self.declarations.get(inherited);
            found |= inherited.attributes.class_bound || inherited.attributes.objc || inherited.superclass.is_some();
        });
        // A protocol may inherit from `AnyObject` as if that were a protocol, or from a class.
        let stated = |constraint: TypeId| {
            !matches!(self.get(constraint), Type::Protocol { .. }) && self.has_class_bound(constraint)
        };
        found || declaration.conformances.iter().any(|conformance| stated(conformance.protocol))
    }

    /// Whether `ty` is a class or an actor.
    pub fn is_class(&self, ty: TypeId) -> bool {
        self.declaration_of(ty).is_some_and(|declaration| match declaration.kind {
            NominalKind::Class | NominalKind::Actor => true,
            NominalKind::Struct | NominalKind::Enum | NominalKind::Protocol | NominalKind::Unknown => false,
        })
    }
}

struct Classifier<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    signature: Option<SignatureId>,
    /// The nominal types being classified: wrong input may make a type contain itself.
    open: Vec<TypeId>,
}

/// Types nest this deep at most before the answer is an assumption.
const OPEN_LIMIT: usize = 64;

impl Classifier<'_, '_> {
    fn classify(&mut self, ty: TypeId) -> TypeProperties {
        use TypeProperties as Is;
        match self.queries.get(ty) {
            Type::Builtin(builtin) => self.builtin(*builtin),
            Type::Nominal(_) => self.nominal(ty),
            Type::Tuple(elements) => self.aggregate(elements.iter().map(|element| element.ty)),
            Type::Function(function) => function_properties(function.representation),
            Type::FormalFunction(function) => function_properties(function.representation),
            Type::Metatype { .. } | Type::ExistentialMetatype { .. } => Is::TRIVIAL,
            Type::Existential(constraint) => self.existential(*constraint),
            Type::Protocol { .. } | Type::Composition(_) => self.existential(ty),
            Type::GenericParameter { .. } | Type::NamedParameter { .. } | Type::DependentMember { .. } => {
                self.parameter(ty)
            }
            Type::OpenedArchetype { existential, interface, .. } => self.opened(*existential, *interface),
            Type::Box(_) => Is::reference(ReferenceKind::Box),
            Type::Storage { kind: StorageKind::Weak, .. } => Is::ADDRESS_ONLY,
            Type::Storage { kind: StorageKind::Unowned, .. } => Is::loadable(Triviality::Nontrivial),
            Type::Storage { kind: StorageKind::Unmanaged, .. } => Is::TRIVIAL,
            Type::DynamicSelf(class) => {
                let copyability = self.classify(*class).copyability;
                Is { copyability, ..Is::reference(ReferenceKind::Class) }
            }
            Type::MoveOnlyWrapper(inner) => {
                let mut inner = self.classify(*inner);
                inner.copyability = Copyability::Noncopyable;
                if inner.is_trivial() {
                    inner.passing = Passing::Loadable(Triviality::Nontrivial);
                    inner.lifetime = Lifetime::Lexical;
                }
                inner
            }
            Type::PackElement(inner) => self.classify(*inner),
            // The number of its elements is known at run time alone.
            Type::PackExpansion { pattern } => Is { passing: Passing::AddressOnly, ..self.classify(*pattern) },
            Type::Pack { .. } | Type::BlockStorage(_) => Is::ADDRESS_ONLY,
            Type::PackElementArchetype { .. } | Type::OpaqueResult { .. } => {
                Is { knowledge: Knowledge::Assumed, ..Is::ADDRESS_ONLY }
            }
            Type::InOut(_) | Type::Integer(_) => Is::TRIVIAL,
            Type::Unresolved { .. } => Is::UNKNOWN,
        }
    }

    fn builtin(&mut self, builtin: BuiltinType) -> TypeProperties {
        use TypeProperties as Is;
        match builtin {
            BuiltinType::NativeObject => Is::reference(ReferenceKind::Native),
            BuiltinType::BridgeObject => Is::reference(ReferenceKind::Bridge),
            BuiltinType::UnsafeValueBuffer
            | BuiltinType::DefaultActorStorage
            | BuiltinType::NonDefaultDistributedActorStorage => Is::ADDRESS_ONLY,
            BuiltinType::FixedArray { element, .. } => self.aggregate([element].into_iter()),
            BuiltinType::Integer(_)
            | BuiltinType::Word
            | BuiltinType::IntegerLiteral
            | BuiltinType::Float(_)
            | BuiltinType::RawPointer
            | BuiltinType::RawUnsafeContinuation
            | BuiltinType::Job
            | BuiltinType::Executor
            | BuiltinType::PackIndex
            | BuiltinType::Token
            | BuiltinType::Vector { .. } => Is::TRIVIAL,
            BuiltinType::ImplicitActor => Is::loadable(Triviality::Nontrivial),
        }
    }

    fn aggregate(&mut self, parts: impl Iterator<Item = TypeId>) -> TypeProperties {
        parts.fold(TypeProperties::TRIVIAL, |whole, part| whole.with_part(self.classify(part)))
    }

    fn nominal(&mut self, ty: TypeId) -> TypeProperties {
        if let Some(found) = self.queries.caches.properties.get(&(ty, self.signature)) {
            return found;
        }
        let Some(declaration) = self.queries.declaration_of(ty) else { return TypeProperties::TRIVIAL };
        if matches!(declaration.kind, NominalKind::Class | NominalKind::Actor) {
            let mut class = TypeProperties::reference(ReferenceKind::Class);
            class.lifetime = declared(declaration.attributes.lifetime).unwrap_or(class.lifetime);
            if declaration.attributes.noncopyable {
                class.copyability = Copyability::Noncopyable;
            }
            return class;
        }
        if declaration.origin == Origin::Named {
            return TypeProperties::UNKNOWN;
        }
        if self.open.contains(&ty) || self.open.len() > OPEN_LIMIT {
            return TypeProperties { knowledge: Knowledge::Assumed, ..TypeProperties::TRIVIAL };
        }
        self.open.push(ty);
        let parts = self.queries.formal_parts(ty);
        let said = declaration.stored.iter().map(|property| property.lifetime).chain(std::iter::repeat(None));
        let mut found = parts.into_iter().zip(said).fold(TypeProperties::TRIVIAL, |whole, (part, said)| {
            let part = self.classify(part);
            whole.with_part(TypeProperties { lifetime: declared(said).unwrap_or(part.lifetime), ..part })
        });
        if !declaration.is_complete() {
            found.knowledge = Knowledge::Assumed;
        }
        self.open.pop();
        self.add_attributes(declaration, &mut found);
        self.add_conditions(ty, declaration, &mut found);
        if found.knowledge == Knowledge::Certain && self.open.is_empty() {
            self.queries.caches.properties.insert((ty, self.signature), found);
        }
        found
    }

    /// Whether `declaration` of this module is a value that others, from whose viewpoint types are seen, know no layout
    /// of (lib/AST/Decl.cpp, `isFormallyResilient`).
    fn may_change_for_clients(&self, declaration: &NominalDeclaration) -> bool {
        let attributes = &declaration.attributes;
        let is_value = matches!(declaration.kind, NominalKind::Struct | NominalKind::Enum);
        self.queries.viewpoint == Viewpoint::Clients
            && declaration.origin == Origin::Module
            && is_value
            && !attributes.frozen
            && attributes.access >= Access::Package
    }

    fn add_attributes(&self, declaration: &NominalDeclaration, found: &mut TypeProperties) {
        let attributes = &declaration.attributes;
        // A type that its library may change has no size that its clients know; Embedded Swift has no such libraries.
        let may_change = attributes.resilient || self.may_change_for_clients(declaration);
        if may_change && self.queries.mode == LanguageMode::Full {
            found.passing = Passing::AddressOnly;
        }
        if attributes.raw_layout.is_some() {
            found.passing = Passing::AddressOnly;
            found.copyability = Copyability::Noncopyable;
        }
        if attributes.noncopyable {
            // `Optional` and its like are noncopyable only if their values are; their parts have shown that already.
            if self.queries.invertible(declaration, Inverse::Copyable) == Invertible::Never {
                found.copyability = Copyability::Noncopyable;
            }
        }
        match self.queries.invertible(declaration, Inverse::Escapable) {
            Invertible::Always => found.escapability = Escapability::Escapable,
            Invertible::Conditionally(_) => {}
            Invertible::Never => found.escapability = Escapability::Nonescapable,
        }
        found.add_ownership();
        found.lifetime = declared(attributes.lifetime).unwrap_or(found.lifetime);
    }

    /// A type that may be copied, or may escape, only if its arguments may, whether or not it holds values of their
    /// types.
    fn add_conditions(&mut self, ty: TypeId, declaration: &NominalDeclaration, found: &mut TypeProperties) {
        if self.lacks(ty, declaration, Inverse::Copyable) {
            found.copyability = Copyability::Noncopyable;
        }
        if self.lacks(ty, declaration, Inverse::Escapable) {
            found.escapability = Escapability::Nonescapable;
        }
        found.add_ownership();
    }

    /// Whether an argument of `ty` suppresses a conformance that `ty` has only if its arguments do.
    fn lacks(&mut self, ty: TypeId, declaration: &NominalDeclaration, inverse: Inverse) -> bool {
        let queries = self.queries;
        let (Invertible::Conditionally(condition), Some(nominal)) =
            (queries.invertible(declaration, inverse), queries.as_nominal(ty))
        else {
            return false;
        };
        let condition = queries.context.get_signature(condition);
        // The requirement of an extension on a parameter overrides that of the declaration.
        let is_needed = |parameter: TypeId| {
            let is_reported = |requirement: &Requirement| match requirement {
                Requirement::Conformance { subject, constraint } => {
                    let mut protocols = queries.protocols_in(*constraint).into_iter();
                    queries.same_type(*subject, parameter)
                        && protocols.any(|protocol| queries.inverse_of(protocol) == Some(inverse))
                }
                _ => false,
            };
            let is_inverted = |requirement: &Requirement| {
                matches!(requirement, Requirement::Inverse { subject, inverse: found }
                    if *found == inverse && queries.same_type(*subject, parameter))
            };
            condition.requirements.iter().any(is_reported) || !condition.requirements.iter().any(is_inverted)
        };
        let substitutions = queries.nominal_substitutions(nominal);
        let arguments = &queries.context.get_substitutions(substitutions).replacements;
        condition.parameters.iter().zip(arguments).any(|(parameter, argument)| {
            let ty = queries.context.ty(Type::GenericParameter { depth: parameter.depth, index: parameter.index });
            is_needed(ty) && self.classify(*argument).is_inverted(inverse)
        })
    }

    fn existential(&self, constraint: TypeId) -> TypeProperties {
        match self.queries.existential_kind(constraint) {
            ExistentialKind::Class => TypeProperties::reference(ReferenceKind::Class),
            ExistentialKind::Error => match self.queries.mode {
                LanguageMode::Embedded | LanguageMode::Full => TypeProperties::reference(ReferenceKind::Box),
            },
            ExistentialKind::Opaque => {
                let knowledge = self.queries.knowledge_of_class_bound(constraint);
                self.inverted(constraint, TypeProperties { knowledge, ..TypeProperties::ADDRESS_ONLY })
            }
        }
    }

    /// The properties if values of an existential type need not be copyable, or escapable, by `constraint`.
    fn inverted(&self, constraint: TypeId, mut found: TypeProperties) -> TypeProperties {
        let constraint = match self.queries.get(constraint) {
            Type::Existential(constraint) => self.queries.get(*constraint),
            constraint => constraint,
        };
        let Type::Composition(composition) = constraint else { return found };
        for inverse in &composition.inverses {
            match inverse {
                Inverse::Copyable => found.copyability = Copyability::Noncopyable,
                Inverse::Escapable => found.escapability = Escapability::Nonescapable,
            }
        }
        found
    }

    /// A type parameter of the signature.
    fn parameter(&mut self, ty: TypeId) -> TypeProperties {
        let queries = self.queries;
        let Some(signature) = self.signature else { return TypeProperties::ADDRESS_ONLY };
        let requirements = &queries.context.get_signature(signature).requirements;
        if requirements.is_empty() {
            return TypeProperties::ADDRESS_ONLY;
        }
        let canonical = queries.canonical_type(ty);
        let mut found = self.bounded(signature, canonical);
        for requirement in requirements {
            if let Requirement::Inverse { subject, inverse } = requirement
                && !found.is_reference()
                && queries.same_type(*subject, ty)
            {
                match inverse {
                    Inverse::Copyable => found.copyability = Copyability::Noncopyable,
                    Inverse::Escapable => found.escapability = Escapability::Nonescapable,
                }
            }
        }
        found
    }

    /// The properties of a type parameter by the requirements of its `signature`.
    fn bounded(&mut self, signature: SignatureId, ty: TypeId) -> TypeProperties {
        let queries = self.queries;
        let reduced = queries.reduced_type(ty, signature);
        if !queries.is_type_parameter(reduced) {
            // A type that contains itself by its requirements has no answer.
            if self.open.contains(&reduced) || self.open.len() > OPEN_LIMIT {
                return TypeProperties { knowledge: Knowledge::Assumed, ..TypeProperties::ADDRESS_ONLY };
            }
            self.open.push(reduced);
            let found = self.classify(reduced);
            self.open.pop();
            return found;
        }
        let generics = queries.generics();
        let declared = |protocol: &NominalId| generics.is_declared(*protocol);
        let is_class_protocol = |protocol: &NominalId| queries.is_class_protocol(*protocol);
        // A requirement that binds a parameter to a class, or that is not known, would be among these.
        if matches!(queries.get(reduced), Type::GenericParameter { .. })
            && let Some(protocols) = generics.reached_protocols(signature)
            && protocols.iter().all(|protocol| declared(protocol) && !is_class_protocol(protocol))
        {
            return TypeProperties::ADDRESS_ONLY;
        }
        let machine = generics.machine(signature);
        let bounds = machine.bounds(&generics, reduced);
        if bounds.superclass.is_some() {
            return TypeProperties::reference(ReferenceKind::Class);
        }
        if let Some(layout) = &bounds.layout {
            return layout_properties(layout);
        }
        if bounds.protocols.iter().any(is_class_protocol) {
            return TypeProperties::reference(ReferenceKind::Class);
        }
        let is_certain = machine.is_resolved(&generics, reduced) && bounds.protocols.iter().all(declared);
        let knowledge = if is_certain { Knowledge::Certain } else { Knowledge::Assumed };
        let mut found = TypeProperties { knowledge, ..TypeProperties::ADDRESS_ONLY };
        if let Type::DependentMember { base, member, .. } = queries.get(reduced) {
            let owners = machine.bounds(&generics, *base).protocols;
            self.suppress(*member, &owners, &bounds.protocols, &mut found);
        }
        found
    }

    /// Adds the inverses of an associated type, `associatedtype A : ~Copyable`. They hold if no protocol in `owners`
    /// that declares `member`, and no protocol in `bounds` that the type conforms to, needs the opposite
    /// (lib/AST/RequirementMachine/ApplyInverses.cpp).
    fn suppress(&self, member: Name, owners: &[NominalId], bounds: &[NominalId], found: &mut TypeProperties) {
        let queries = self.queries;
        let declares = |owner: &&NominalDeclaration| owner.associated_types.iter().any(|ty| ty.name == member);
        let declaring = owners.iter().map(|owner| queries.declarations.get(*owner)).filter(declares);
        let declaring: Vec<&NominalDeclaration> = declaring.collect();
        let suppresses = |owner: &NominalDeclaration, inverse: Inverse| {
            let requirements = owner.signature.map(|id| &queries.context.get_signature(id).requirements);
            requirements.into_iter().flatten().any(|requirement| {
                let Requirement::Inverse { subject, inverse: stated } = requirement else { return false };
                let is_member = matches!(queries.get(*subject), Type::DependentMember { base, member: of, .. }
                    if *of == member && matches!(queries.get(*base), Type::GenericParameter { .. }));
                is_member && *stated == inverse
            })
        };
        let lacks = |inverse: Inverse| {
            let is_inverted = |protocol: &NominalId| {
                queries.invertible(queries.declarations.get(*protocol), inverse) != Invertible::Always
            };
            !declaring.is_empty()
                && declaring.iter().all(|owner| suppresses(owner, inverse))
                && bounds.iter().all(is_inverted)
        };
        if lacks(Inverse::Copyable) {
            found.copyability = Copyability::Noncopyable;
        }
        if lacks(Inverse::Escapable) {
            found.escapability = Escapability::Nonescapable;
        }
    }

    /// A type parameter of the signature of an existential's content.
    fn opened(&mut self, existential: TypeId, interface: TypeId) -> TypeProperties {
        let signature = self.queries.generics().existential_signature(existential);
        let canonical = self.queries.canonical_type(interface);
        let found = self.bounded(signature, canonical);
        match self.queries.get(canonical) {
            Type::GenericParameter { .. } if !found.is_reference() => self.inverted(existential, found),
            _ => found,
        }
    }
}

fn layout_properties(constraint: &LayoutConstraint) -> TypeProperties {
    match constraint {
        LayoutConstraint::Class(_)
        | LayoutConstraint::NativeClass
        | LayoutConstraint::RefCountedObject
        | LayoutConstraint::NativeRefCountedObject => TypeProperties::reference(ReferenceKind::Class),
        LayoutConstraint::BridgeObject => TypeProperties::reference(ReferenceKind::Bridge),
        LayoutConstraint::Trivial(_) | LayoutConstraint::TrivialAtMost(..) | LayoutConstraint::TrivialStride(_) => {
            TypeProperties::TRIVIAL
        }
    }
}

fn function_properties(representation: Representation) -> TypeProperties {
    match representation {
        // A closure that does not escape becomes bits in the end, but its captures are checked as borrowed.
        Representation::Thick => TypeProperties::loadable(Triviality::Nontrivial),
        Representation::Block => TypeProperties::reference(ReferenceKind::Block),
        Representation::Thin
        | Representation::Method
        | Representation::WitnessMethod(_)
        | Representation::C
        | Representation::ObjCMethod
        | Representation::Closure
        | Representation::CxxMethod
        | Representation::KeyPathGetter
        | Representation::KeyPathSetter
        | Representation::KeyPathEquals
        | Representation::KeyPathHash => TypeProperties::TRIVIAL,
    }
}

/// The lifetime rule of a declaration.
fn declared(lifetime: Option<DeclaredLifetime>) -> Option<Lifetime> {
    lifetime.map(|lifetime| match lifetime {
        DeclaredLifetime::Eager => Lifetime::Eager,
        DeclaredLifetime::Lexical => Lifetime::Lexical,
    })
}

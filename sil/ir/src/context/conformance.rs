//! Conformances of types to protocols (include/swift/AST/ProtocolConformance.h, ProtocolConformanceRef.h): how a type
//! conforms. [`types`](crate::types) looks conformances up.

use super::{ConformanceId, Context, Name, NominalId, SignatureId, SubstitutionMapId, TypeId};

/// That a type conforms to a protocol, and how.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Conformance {
    /// The type.
    pub ty: TypeId,
    /// The protocol.
    pub protocol: NominalId,
    /// How.
    pub kind: ConformanceKind,
}

/// How a type conforms to a protocol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConformanceKind {
    /// The declaration of the type, or an extension of it, states it: `<T where T : P> Box<T>: P module main`.
    Normal {
        /// The generic parameters, with the requirements of a conditional conformance on them.
        signature: Option<SignatureId>,
        /// The module that states it.
        module: Name,
    },
    /// That of a generic type with its arguments: `Box<Int>: specialize <Int> (…)`.
    Specialized {
        /// That of the declaration.
        base: ConformanceId,
        /// The arguments.
        substitutions: SubstitutionMapId,
    },
    /// That of a superclass: `Derived: inherit (…)`.
    Inherited {
        /// That of the superclass: a normal or a specialised one.
        base: ConformanceId,
    },
    /// Of a type parameter or an archetype: the signature that it belongs to requires it.
    Abstract,
    /// `any Error: Error`
    SelfConformance,
    /// By the language: of tuples, functions, metatypes and existentials to markers.
    Builtin,
    /// Of a pack: those of its elements.
    Pack(Box<[ConformanceId]>),
    /// Declarations that would show whether the type conforms are not at hand.
    Unknown,
    /// The type is known not to conform.
    Missing,
}

impl Context {
    /// Interns a conformance.
    pub fn conformance(&self, conformance: Conformance) -> ConformanceId {
        self.conformances.intern(conformance)
    }

    /// The conformance `id`.
    pub fn get_conformance(&self, id: ConformanceId) -> &Conformance {
        self.conformances.get(id)
    }

    /// The conformance that is declared, where `id` is that of a generic type with its arguments or of a subclass; else
    /// itself.
    pub fn declared_conformance(&self, id: ConformanceId) -> &Conformance {
        let conformance = self.get_conformance(id);
        match conformance.kind {
            ConformanceKind::Specialized { base, .. } | ConformanceKind::Inherited { base } => {
                self.declared_conformance(base)
            }
            _ => conformance,
        }
    }

    /// The module that states a conformance; none for one that no declaration states.
    pub fn conforming_module(&self, id: ConformanceId) -> Option<Name> {
        match self.declared_conformance(id).kind {
            ConformanceKind::Normal { module, .. } => Some(module),
            _ => None,
        }
    }
}

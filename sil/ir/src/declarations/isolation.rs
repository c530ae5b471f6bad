//! The isolation that declarations state: `@MainActor`, `nonisolated`, `nonisolated(unsafe)` (docs: "Isolation").
//!
//! Owns the words as they are written. Which of them hold for a function, a value or a type is for `analysis::regions`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Name, NominalId, TypeId};

/// The attribute before a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredIsolation {
    /// `nonisolated`
    Nonisolated,
    /// `nonisolated(unsafe)`
    NonisolatedUnsafe,
    /// An attribute that may be a global actor, by its name: `@MainActor`.
    Attribute(Name),
}

/// The isolation that the declarations of a module and of its imports state.
#[derive(Clone, Default, Debug)]
pub struct DeclaredIsolations {
    types: FxHashMap<NominalId, DeclaredIsolation>,
    properties: FxHashMap<(Option<NominalId>, Name), DeclaredIsolation>,
    global_actors: FxHashSet<NominalId>,
    unavailable: FxHashSet<(NominalId, TypeId)>,
}

impl DeclaredIsolations {
    /// The isolation that a type states; none for a type that states none.
    pub fn of_type(&self, nominal: NominalId) -> Option<DeclaredIsolation> {
        self.types.get(&nominal).copied()
    }

    /// The isolation that a property of a type, or a global variable, states.
    pub fn of_property(&self, parent: Option<NominalId>, name: Name) -> Option<DeclaredIsolation> {
        self.properties.get(&(parent, name)).copied()
    }

    /// Whether a type is a global actor.
    pub fn is_global_actor(&self, nominal: NominalId) -> bool {
        self.global_actors.contains(&nominal)
    }

    /// The protocols that a type must not be used as: `@available(*, unavailable) extension T : P`.
    pub fn unavailable_conformances(&self, nominal: NominalId) -> impl Iterator<Item = TypeId> + '_ {
        self.unavailable.iter().filter(move |(own, _)| *own == nominal).map(|(_, protocol)| *protocol)
    }

    /// Notes that a type must not be used as a protocol.
    pub fn add_unavailable_conformance(&mut self, nominal: NominalId, protocol: TypeId) {
        self.unavailable.insert((nominal, protocol));
    }

    /// Adds the isolation that a type states.
    pub fn add_type(&mut self, nominal: NominalId, isolation: DeclaredIsolation) {
        self.types.insert(nominal, isolation);
    }

    /// Adds the isolation that a property of a type, or a global variable, states.
    pub fn add_property(&mut self, parent: Option<NominalId>, name: Name, isolation: DeclaredIsolation) {
        self.properties.insert((parent, name), isolation);
    }

    /// Notes that a type is a global actor.
    pub fn add_global_actor(&mut self, nominal: NominalId) {
        self.global_actors.insert(nominal);
    }
}

//! The places that declarations of variables ask for: `@_section("x")`, `@_used`, and their demands for a static
//! initial value. Text of SIL before Swift 6.3 has them at the declaration alone (`SILGlobalVariable::getSectionAttr`,
//! `markedAsUsed` and `mustBeInitializedStatically` in include/swift/SIL/SILGlobalVariable.h).

use rustc_hash::FxHashMap;

use crate::context::{Name, NominalId};

/// The attribute by which a declaration demands a static initial value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticDemand {
    /// `@const`
    Const,
    /// `@constInitialized`
    ConstInitialized,
    /// `@_silgen_name`
    Symbol,
}

/// The place that a declaration asks for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DeclaredPlacement {
    /// The section of the object file.
    pub section: Option<Name>,
    /// Whether the variable stays without a reference to it.
    pub used: bool,
    /// The demand for a static initial value, apart from that of a section.
    pub demand: Option<StaticDemand>,
}

/// The places that variables ask for, by the types that declare them and their names.
#[derive(Clone, Default, Debug)]
pub struct DeclaredPlacements {
    variables: FxHashMap<(Option<NominalId>, Name), DeclaredPlacement>,
}

impl DeclaredPlacements {
    /// Whether no variable asks for a place.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The place of the static property `name` of `parent`, or of a global variable, if it asks for one.
    pub fn of_variable(&self, parent: Option<NominalId>, name: Name) -> Option<DeclaredPlacement> {
        self.variables.get(&(parent, name)).copied()
    }

    /// Adds the place that a variable asks for.
    pub fn add_variable(&mut self, parent: Option<NominalId>, name: Name, placement: DeclaredPlacement) {
        self.variables.insert((parent, name), placement);
    }
}

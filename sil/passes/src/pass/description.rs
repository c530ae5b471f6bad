//! A pass as a value that is defined next to its code: its names, a summary, and the function that runs it.
//!
//! Does not own: the list of all passes (`registry`), and running them (`manager`).

use std::fmt;
use std::hash::{Hash, Hasher};

use super::gates::Gates;
use super::runner::{Runner, Step};

/// A pass over the functions of a module, identified by its description.
#[derive(Clone, Copy)]
pub struct Pass(&'static Description);

/// The facts about a pass.
pub struct Description {
    /// Its name on the command line, which is Swift's (include/swift/SILOptimizer/PassManager/Passes.def). No two
    /// passes have one name.
    pub name: &'static str,
    /// The name of the class in Swift's compiler.
    pub class_name: &'static str,
    /// A summary in one sentence.
    pub summary: &'static str,
    /// The functions that it skips. Passes over the program select functions themselves.
    pub gates: Gates,
    /// The way in which the pass runs.
    pub runner: Runner,
}

impl Pass {
    /// The pass of this description. Panics, as the constant is evaluated, if a pass over the program has gates.
    pub const fn new(description: &'static Description) -> Self {
        assert!(
            description.gates.are_open() || !description.runner.is_over_program(),
            "no gate applies to the program"
        );
        Self(description)
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The name of the class in Swift's compiler.
    pub const fn class_name(self) -> &'static str {
        self.0.class_name
    }

    /// A summary in one sentence.
    pub const fn summary(self) -> &'static str {
        self.0.summary
    }

    /// The way in which the pass runs.
    pub(crate) const fn runner(self) -> &'static Runner {
        &self.0.runner
    }

    /// All of it as one step of the manager.
    pub(crate) const fn step(self) -> Step {
        Step { runner: &self.0.runner, gates: self.0.gates }
    }

    /// Whether its name on the command line or in Swift's compiler contains one of `parts`
    /// (`SILPassManager::isPassDisabled` in lib/SILOptimizer/PassManager/PassManager.cpp, and the options beside that).
    pub(crate) fn is_named(self, parts: &[String]) -> bool {
        parts.iter().any(|part| self.name().contains(part.as_str()) || self.class_name().contains(part.as_str()))
    }
}

impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Pass {}

impl Hash for Pass {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Pass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

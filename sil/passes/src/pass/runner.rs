//! The kinds of passes: the units that a pass runs over, and the form of its results.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::Module;
use sil_text::syntax::Libraries;

use super::environment::{Environment, ModuleEnvironment};
use super::gates::Gates;
use super::rewrite::{Rewrite, Rewrites};
use super::settings::Settings;

/// Rewrites one function. Returns `None` if it is unchanged, and an error if it is not supported.
pub type FunctionPass = fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>;

/// Rewrites the functions of a module. Returns only the changed ones.
pub type ModulePass = fn(ModuleEnvironment<'_>) -> Rewrites;

/// Changes the program. Returns diagnostics of its code.
pub type ProgramPass = fn(&mut Module, &Libraries<'_>, &Settings) -> Vec<Diagnostic>;

/// The way in which a pass runs.
pub enum Runner {
    /// On one function at a time.
    Function(FunctionPass),
    /// On one function after the other, callees first. Each run sees the results of the previous ones.
    FunctionByFunction(FunctionPass, Afterwards),
    /// On the module, since the result for a function depends on those for others.
    Module(ModulePass),
    /// On the module, and never function by function with other passes, since it needs information about all functions.
    Whole(ModulePass),
    /// On the module. If it runs function by function with other passes, they restart with a function that it changes.
    Restarting(ModulePass),
    /// On the program, where it adds functions from libraries or removes functions.
    Program(ProgramPass),
    /// On the program or, if it runs function by function with other passes, on one function.
    ProgramOrFunction(ProgramPass, FunctionPass),
    /// In several steps.
    Steps(&'static [Runner]),
}

/// A pass or a step of one, as the manager runs it.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) runner: &'static Runner,
    /// Those of the pass.
    pub(crate) gates: Gates,
}

/// The next step for a function after a pass that specialised or inlined functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Afterwards {
    /// The next pass.
    GoOn,
    /// All passes of the group again.
    BeginAnew,
}

/// The scope of one run of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// All functions at once, independently.
    Functions,
    /// All functions at once, but function by function with other passes.
    FunctionsAgain,
    /// One function after the other.
    FunctionByFunction,
    /// The whole program.
    Program,
}

impl Runner {
    /// The scope of one run.
    pub(crate) fn scope(&self) -> Scope {
        match self {
            Runner::Function(_) | Runner::Module(_) | Runner::ProgramOrFunction(..) => Scope::Functions,
            Runner::Restarting(_) => Scope::FunctionsAgain,
            Runner::FunctionByFunction(..) => Scope::FunctionByFunction,
            Runner::Steps(steps) if steps.iter().all(|step| step.scope() == Scope::Functions) => Scope::Functions,
            Runner::Steps(_) | Runner::Whole(_) | Runner::Program(_) => Scope::Program,
        }
    }

    /// The next step for a function that the pass changed.
    pub(crate) fn afterwards(&self) -> Afterwards {
        match self {
            Runner::FunctionByFunction(_, afterwards) => *afterwards,
            Runner::Restarting(_) => Afterwards::BeginAnew,
            _ => Afterwards::GoOn,
        }
    }

    /// Whether it, or a step of it, runs over the program.
    pub(super) const fn is_over_program(&self) -> bool {
        match self {
            Runner::Program(_) | Runner::ProgramOrFunction(..) => true,
            Runner::Steps(steps) => {
                let mut number = 0;
                while number < steps.len() {
                    if steps[number].is_over_program() {
                        return true;
                    }
                    number += 1;
                }
                false
            }
            _ => false,
        }
    }

    /// Returns whether it visits one function at a time and looks at no others.
    pub(crate) fn is_local(&self) -> bool {
        match self {
            Runner::Function(_) => true,
            Runner::Steps(steps) => steps.iter().all(Runner::is_local),
            Runner::FunctionByFunction(..)
            | Runner::Module(_)
            | Runner::Whole(_)
            | Runner::Restarting(_)
            | Runner::Program(_)
            | Runner::ProgramOrFunction(..) => false,
        }
    }
}

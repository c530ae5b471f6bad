//! The kinds of passes: what a pass runs over, and in which form it is told of it.

use super::environment::{Environment, ModuleEnvironment};
use super::gates::Gates;
use super::rewrite::{Rewrite, Rewrites};
use super::settings::Settings;
use crate::diagnostic::Diagnostic;
use crate::model::Module;
use crate::syntax::Libraries;

/// The rewriting of one function: none where the function stays as it is, an error where it is not supported.
pub type FunctionPass = fn(Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>>;

/// The rewriting of a module's functions, those that change alone.
pub type ModulePass = fn(ModuleEnvironment<'_>) -> Rewrites;

/// A change of the program, with what is to be said of its code.
pub type ProgramPass = fn(&mut Module, &Libraries<'_>, &Settings) -> Vec<Diagnostic>;

/// How a pass runs.
pub enum Runner {
    /// Over one function at a time.
    Function(FunctionPass),
    /// Over one function after the other, callees first, each with the results of those before in view.
    FunctionByFunction(FunctionPass, Afterwards),
    /// Over the module, where the result for a function depends on those for others.
    Module(ModulePass),
    /// The same, but never with other passes function by function: it looks at all functions to know something of the module.
    Whole(ModulePass),
    /// The same as over the module. Where it runs with other passes function by function, all of them begin again with a function that it changes.
    Restarting(ModulePass),
    /// Over the program, where functions are added from libraries or taken away.
    Program(ProgramPass),
    /// The same or, where it runs with other passes function by function, over one function.
    ProgramOrFunction(ProgramPass, FunctionPass),
    /// In several steps.
    Steps(&'static [Runner]),
}

/// A pass or a step of one, as the manager runs it.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Step {
    pub(in crate::transform) runner: &'static Runner,
    /// Those of the pass.
    pub(in crate::transform) gates: Gates,
}

/// The next step for a function after a pass that made others of it, or put others into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Afterwards {
    /// The next pass.
    GoOn,
    /// All passes of the group once more.
    BeginAnew,
}

/// The extent of one run of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum Scope {
    /// All functions at once, each for itself.
    Functions,
    /// The same, but with others function by function.
    FunctionsAgain,
    /// One function after the other.
    FunctionByFunction,
    /// The whole program.
    Program,
}

impl Runner {
    /// The extent of one run.
    pub(in crate::transform) fn scope(&self) -> Scope {
        match self {
            Runner::Function(_) | Runner::Module(_) | Runner::ProgramOrFunction(..) => Scope::Functions,
            Runner::Restarting(_) => Scope::FunctionsAgain,
            Runner::FunctionByFunction(..) => Scope::FunctionByFunction,
            Runner::Steps(steps) if steps.iter().all(|step| step.scope() == Scope::Functions) => Scope::Functions,
            Runner::Steps(_) | Runner::Whole(_) | Runner::Program(_) => Scope::Program,
        }
    }

    /// The next step for a function that it changed.
    pub(in crate::transform) fn afterwards(&self) -> Afterwards {
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

    /// Whether it looks at one function at a time, and at no others.
    pub(in crate::transform) fn is_local(&self) -> bool {
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

//! Passes: what changes functions. Each is a file or a folder; `silc print --pass NAME` runs it alone.

mod dead_code;
mod ownership_lowering;

use crate::diagnostic::Diagnostic;
use crate::model::{Body, Function, FunctionId, Module};
use crate::types::{ConformanceTable, TypeQueries};

macro_rules! passes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A pass over the functions of a module.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Pass {
            $($(#[$doc])* $name,)*
        }

        impl Pass {
            /// All passes.
            pub const ALL: &'static [Pass] = &[$(Pass::$name,)*];

            /// The pass of this name.
            pub fn from_name(name: &str) -> Option<Pass> {
                Pass::ALL.iter().copied().find(|pass| pass.name() == name)
            }

            /// Its name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Pass::$name => $text,)*
                }
            }
        }
    };
}

passes! {
    /// Removes instructions that nothing useful needs, dead block arguments, and branches that decide nothing.
    DeadCodeElimination = "dead-code-elimination",
    /// Makes functions with ownership (`[ossa]`) into functions without: copies and destroys become retains and releases.
    OwnershipLowering = "ownership-lowering",
}

/// What a pass knows beside the body it works on.
#[derive(Clone, Copy)]
struct Environment<'m> {
    /// The module; the bodies of its functions are not in it while a pass runs.
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    /// The function that the body belongs to.
    function: &'m Function,
}

/// Runs `pass` on all functions of a module that the verifier accepts. Gives what the pass does not support; such functions stay as
/// they are.
pub fn run(module: &mut Module, pass: Pass) -> Vec<Diagnostic> {
    let mut bodies: Vec<(FunctionId, Body)> = Vec::new();
    for (id, function) in &mut module.functions {
        bodies.extend(function.body.take().map(|body| (id, body)));
    }
    let mut diagnostics = Vec::new();
    let mut changed = Vec::new();
    {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = TypeQueries::of(module, &conformances);
        for (id, body) in &mut bodies {
            let environment = Environment { module, queries: &queries, function: &module.functions[*id] };
            match run_on(environment, pass, body) {
                Ok(Change::Body) => changed.push(*id),
                Ok(Change::None) => {}
                Err(diagnostic) => diagnostics.push(diagnostic.in_function(environment.function.name)),
            }
        }
    }
    for (id, body) in bodies {
        module.functions[id].body = Some(body);
    }
    if pass == Pass::OwnershipLowering {
        changed.into_iter().for_each(|id| ownership_lowering::forget_ownership(&mut module.functions[id]));
    }
    diagnostics
}

/// Whether a pass changed a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    None,
    Body,
}

fn run_on(environment: Environment<'_>, pass: Pass, body: &mut Body) -> Result<Change, Box<Diagnostic>> {
    match pass {
        Pass::DeadCodeElimination => Ok(dead_code::eliminate(environment, body)),
        Pass::OwnershipLowering => ownership_lowering::lower(environment, body),
    }
}

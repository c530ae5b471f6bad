//! The vocabulary of passes: the pass itself, its environment, its results and its settings. All passes depend on this
//! folder, and it depends on none of them.
//!
//! Does not own: running passes (`manager`), the list of them (`registry`), their order (`pipelines`), and changing
//! bodies (`editing`).

mod analyzed_functions;
mod application;
mod description;
mod environment;
mod findings;
mod gates;
mod limits;
mod printing;
mod remarks;
mod rewrite;
mod rounds;
mod runner;
pub(crate) mod settings;

pub(crate) use self::analyzed_functions::{Analyzed, change_one_by_one, over_analyzed};
pub(crate) use self::application::apply;
pub use self::description::{Description, Pass};
pub use self::environment::{Environment, ModuleEnvironment};
pub use self::findings::{Findings, MadeWrong, PassTimes};
pub use self::gates::{Gate, Gates, OwnershipGate};
pub use self::limits::PassLimit;
pub(crate) use self::printing::Unit;
pub use self::printing::{Listener, OtherPasses, PassPrinting};
pub use self::remarks::{Outcome, Remark, RemarkPart};
pub use self::rewrite::{Rewrite, Rewrites};
pub(crate) use self::rounds::Rounds;
pub use self::runner::{Afterwards, FunctionPass, ModulePass, ProgramPass, Runner};
pub(crate) use self::runner::{Scope, Step};

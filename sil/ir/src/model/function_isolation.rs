//! Which actor a `sil` function runs on.

use crate::context::Name;

macro_rules! function_isolations {
    ($($name:ident = $text:literal,)*) => {
        /// `[isolation "nonisolated"]`: which actor a function runs on (include/swift/AST/ActorIsolation.h).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum FunctionIsolation {
            $(
                #[doc = concat!("`", $text, "`")]
                $name,
            )*
        }

        impl FunctionIsolation {
            /// The spelling between the quotes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(FunctionIsolation::$name => $text,)*
                }
            }

            /// The isolation that is spelled `name`.
            pub fn from_name(name: &str) -> Option<FunctionIsolation> {
                match name {
                    $($text => Some(FunctionIsolation::$name),)*
                    _ => None,
                }
            }
        }
    };
}

function_isolations! {
    Unspecified = "unspecified",
    ActorInstance = "actor_instance",
    Nonisolated = "nonisolated",
    NonisolatedUnsafe = "nonisolated_unsafe",
    GlobalActor = "global_actor",
    GlobalActorUnsafe = "global_actor_unsafe",
    CallerIsolationInheriting = "caller_isolation_inheriting",
    Erased = "erased",
}

/// The comment above a function in the text on the actor that it runs on: `// Isolation: global_actor. type: MainActor`
/// (`SILFunction::print`, lib/SIL/IR/SILPrinter.cpp).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StatedIsolation {
    /// Which kind of actor.
    pub kind: FunctionIsolation,
    /// The type of a global actor, or the name of the parameter that is the actor.
    pub actor: Option<Name>,
}

//! Which actor a `sil` function runs on.

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

//! The error for a type whose values are not supported: the Swift feature that it belongs to, and a hint for the user.

use sil_ir::context::{BuiltinType, FunctionAttribute, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::types::TypeQueries;
use sil_passes::type_in_words;

use crate::refusal::unsupported_without_place;

/// Returns the error for values of `ty`. It is the same for all of them.
pub(super) fn refused_type(queries: &TypeQueries<'_>, ty: TypeId) -> Diagnostic {
    let values = format!("values of the type '{}'", type_in_words(queries, ty));
    let refused = match Feature::of(queries, ty) {
        Some(feature) => {
            unsupported_without_place(format!("{values} ({})", feature.name())).hint(feature.alternative())
        }
        None => unsupported_without_place(values),
    };
    refused.once()
}

/// The unsupported feature of a type.
#[derive(Clone, Copy)]
enum Feature {
    Pack,
    Generic,
    OpaqueResult,
    Local,
    Async,
    Builtin,
}

impl Feature {
    fn of(queries: &TypeQueries<'_>, ty: TypeId) -> Option<Feature> {
        Some(match queries.get(ty) {
            Type::Pack { .. }
            | Type::PackExpansion { .. }
            | Type::PackElement(_)
            | Type::PackElementArchetype { .. } => Feature::Pack,
            Type::GenericParameter { .. }
            | Type::NamedParameter { .. }
            | Type::DependentMember { .. }
            | Type::OpenedArchetype { .. } => Feature::Generic,
            Type::OpaqueResult { .. } => Feature::OpaqueResult,
            Type::Unresolved { .. } => Feature::Local,
            Type::Function(function) if function.attributes.contains(FunctionAttribute::Async) => Feature::Async,
            Type::Builtin(BuiltinType::Token) => return None,
            Type::Builtin(_) => Feature::Builtin,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Feature::Pack => "a parameter pack",
            Feature::Generic => "generic code that was not specialised",
            Feature::OpaqueResult => "an opaque result type whose underlying type the module does not show",
            Feature::Local => "a member of a type that a function declares, of which the module does not show the type",
            Feature::Async => "an async function",
            Feature::Builtin => "a builtin type",
        }
    }

    fn alternative(self) -> &'static str {
        match self {
            Feature::Pack => {
                "write the function for a fixed number of parameters, or let Swift specialise it (`-O -wmo`)"
            }
            Feature::Generic => "emit the SIL with `-wmo`, so that Swift specialises it, or as ordinary Swift",
            Feature::OpaqueResult => "give the SIL of the module that declares it as well",
            Feature::Local => {
                "emit the SIL with `-Onone`, which has all members, or declare the type outside of the function"
            }
            Feature::Async => "emit the SIL as ordinary Swift and build it with `--runtime swift`",
            Feature::Builtin => "use a type of Swift's library that is made of other builtin types",
        }
    }
}

//! The names of functions that passes make of others for what these are called with. How a name is spelt is the business of `symbols`.

use crate::context::Name;
use crate::model::{LanguageMode, Module, Serialization};
use crate::symbols::{Flavor, ParameterChange, SpecializationPass, SpecializedBody, Symbol};

/// The name of what `pass` makes of `original`, whose parameters change as `changes` say, for a caller with this `serialization`; none where the name of
/// the original cannot be part of another one (docs/ABI/Mangling.rst, "Function Specializations").
pub(in crate::transform) fn specialized_name(
    module: &Module,
    original: Name,
    pass: SpecializationPass,
    serialization: Serialization,
    changes: &[ParameterChange],
) -> Option<Name> {
    let flavor = match module.mode {
        LanguageMode::Embedded => Flavor::Embedded,
        LanguageMode::Full => Flavor::Default,
    };
    let visibility = match serialization {
        Serialization::None => SpecializedBody::Hidden,
        _ => SpecializedBody::Serialized,
    };
    let original = module.context.text(original);
    let symbol = Symbol::of_signature_specialization(original, flavor, pass, visibility, changes).remangle()?;
    Some(module.context.name(&symbol))
}

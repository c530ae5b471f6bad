//! Properties of specialised functions that derive from the original (lib/SILOptimizer/Utils/InstOptUtils.cpp,
//! `getSpecializedLinkage`).

use sil_ir::context::{Context, GenericParameter, Name, SubstitutionMapId, Type, TypeId};
use sil_ir::model::{Function, FunctionAttribute, FunctionFlag, Linkage, Serialization};

/// The linkage of a specialisation of `original`. Each module creates its own.
pub(crate) fn specialized_linkage(original: &Function) -> Linkage {
    match original.linkage {
        Linkage::Private if original.serialization == Serialization::None => Linkage::Private,
        _ => Linkage::Shared,
    }
}

/// The forwarding substitutions of a function, or `None` if it is not generic.
pub(crate) fn own_arguments(context: &Context, function: &Function) -> Option<SubstitutionMapId> {
    let Type::Function(ty) = context.get(function.ty) else { return None };
    let parameters = &context.get_signature(function.signature?).parameters;
    let named = |parameter: &GenericParameter| {
        let GenericParameter { name, depth, index, .. } = *parameter;
        context.ty(match name {
            Some(name) => Type::NamedParameter { name, depth, index },
            None => Type::GenericParameter { depth, index },
        })
    };
    Some(context.substitutions(ty.signature?, parameters.iter().map(named).collect::<Vec<TypeId>>()))
}

/// The attributes of a function without its effects, which refer to arguments by index and thus to a certain signature.
pub(crate) fn attributes_without_effects(original: &Function) -> Vec<FunctionAttribute> {
    let is_effect = |attribute: &&FunctionAttribute| matches!(attribute, FunctionAttribute::Effects(_));
    original.attributes.iter().filter(|attribute| !is_effect(attribute)).cloned().collect()
}

/// The attributes of a function with the body of `original` and another signature: those that describe the code, and
/// the semantics that `is_kept` selects. Attributes by which others find the function remain with the original.
pub(crate) fn code_attributes(original: &Function, is_kept: impl Fn(Name) -> bool) -> Vec<FunctionAttribute> {
    let is_of_code = |attribute: &&FunctionAttribute| match attribute {
        FunctionAttribute::Flag(flag) => is_of_code(*flag),
        FunctionAttribute::Semantics(name) => is_kept(*name),
        _ => false,
    };
    original.attributes.iter().filter(is_of_code).cloned().collect()
}

fn is_of_code(flag: FunctionFlag) -> bool {
    use FunctionFlag::*;
    matches!(
        flag,
        AlwaysInline
            | BackDeployedThunk
            | HeuristicAlwaysInline
            | NoInline
            | Ossa
            | ReabstractionThunk
            | ReadNone
            | ReadOnly
            | ReadWrite
            | ReleaseNone
            | StackProtection
            | Thunk
            | Transparent
            | WithoutActuallyEscaping
    )
}

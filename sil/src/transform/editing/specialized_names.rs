//! The names of functions that passes make of others for what these are called with. How a name is spelt is the business of `symbols`.

use crate::context::{
    GenericParameter, GenericSignature, Name, Requirement, SubstitutionMap, SubstitutionMapId, Type, TypeId,
};
use crate::model::{KeyPathComponent, LanguageMode, Module, Serialization};
use crate::print::Printer;
use crate::symbols::{
    Abstraction, Flavor, ParameterChange, ResultChange, SpecializationPass, SpecializedBody, Symbol, Tree,
};
use crate::types::{SymbolTypes, TypeQueries};

/// The name of what `pass` makes of `original`, whose parameters change as `changes` say, for a caller with this `serialization`; none where the name of
/// the original cannot be part of another one (docs/ABI/Mangling.rst, "Function Specializations").
pub(in crate::transform) fn specialized_name(
    module: &Module,
    original: Name,
    pass: SpecializationPass,
    serialization: Serialization,
    changes: &[ParameterChange],
) -> Option<Name> {
    signature_specialized_name(module, original, pass, serialization, changes, ResultChange::Unchanged)
}

/// The same where its result changes as `result` says.
pub(in crate::transform) fn signature_specialized_name(
    module: &Module,
    original: Name,
    pass: SpecializationPass,
    serialization: Serialization,
    changes: &[ParameterChange],
    result: ResultChange,
) -> Option<Name> {
    let (flavor, visibility) = kind(module, serialization);
    let original = module.context.text(original);
    let symbol = Symbol::of_signature_specialization(original, flavor, pass, visibility, changes, result).remangle()?;
    Some(module.context.name(&symbol))
}

/// How symbols say that a closure over the function called `callee` was put in the place of a parameter, which captures values of these types; none
/// where a type cannot be a part of a symbol.
pub(in crate::transform) fn closure_change(
    queries: &TypeQueries<'_>,
    callee: Name,
    captured: &[TypeId],
) -> Option<ParameterChange> {
    let types: Option<Vec<Symbol>> = captured.iter().map(|ty| type_symbol(queries, *ty)).collect();
    Some(ParameterChange::Closure(queries.context.text(callee).to_owned(), types?))
}

/// How symbols say that a key path with these components stands for a parameter, which leads from a root to a value of these types; none where a type
/// cannot be a part of a symbol. The components themselves would be too long: symbols have the MD5 hash of their text.
pub(in crate::transform) fn key_path_change(
    queries: &TypeQueries<'_>,
    components: &[KeyPathComponent],
    [root, value]: [TypeId; 2],
) -> Option<ParameterChange> {
    let mut printer = Printer::new(queries.context, queries.declarations);
    components.iter().for_each(|component| printer.key_path_component(component));
    let digest = format!("{:x}", md5::compute(printer.out));
    Some(ParameterChange::KeyPath(digest, [type_symbol(queries, root)?, type_symbol(queries, value)?]))
}

fn type_symbol(queries: &TypeQueries<'_>, ty: TypeId) -> Option<Symbol> {
    let mut tree = Tree::default();
    let node = SymbolTypes::new(queries, &mut tree).ty(ty)?;
    Some(Symbol::new(Flavor::Default, tree, node))
}

/// The name of the generic function `original` with `substitutions` for its parameters, without the parameters in `dropped`, for a caller with this
/// `serialization`; none where a type cannot be a part of a symbol (docs/ABI/Mangling.rst, "Function Specializations").
pub(in crate::transform) fn generic_specialized_name(
    queries: &TypeQueries<'_>,
    module: &Module,
    original: Name,
    substitutions: SubstitutionMapId,
    serialization: Serialization,
    (abstraction, dropped): (Abstraction, &[usize]),
) -> Option<Name> {
    let (flavor, visibility) = kind(module, serialization);
    let original = module.context.text(original);
    let symbol = Symbol::of_generic_specialization(original, flavor, abstraction, visibility, dropped, |tree| {
        let types = replaced(queries, substitutions).into_iter();
        types.map(|ty| SymbolTypes::new(queries, tree).ty(ty)).collect()
    })?;
    Some(module.context.name(&symbol.remangle()?))
}

/// What replaces the parameters of a signature that are no others, nor bound to a type: signatures in SIL are canonical and say that plainly.
fn replaced(queries: &TypeQueries<'_>, substitutions: SubstitutionMapId) -> Vec<TypeId> {
    let SubstitutionMap { signature, replacements } = queries.context.get_substitutions(substitutions);
    let GenericSignature { parameters, requirements } = queries.context.get_signature(*signature);
    let number = |ty: TypeId| {
        let is_it = |parameter: &GenericParameter| {
            *queries.get(queries.canonical_type(ty))
                == Type::GenericParameter { depth: parameter.depth, index: parameter.index }
        };
        parameters.iter().position(is_it)
    };
    let bound = requirements.iter().filter_map(|requirement| match requirement {
        Requirement::SameType { first, second } => match (number(*first), number(*second)) {
            (Some(first), Some(second)) => Some(first.max(second)),
            (Some(one), None) if !queries.is_type_parameter(*second) => Some(one),
            (None, Some(one)) if !queries.is_type_parameter(*first) => Some(one),
            _ => None,
        },
        _ => None,
    });
    let bound: Vec<usize> = bound.collect();
    (0..).zip(replacements.iter()).filter(|(index, _)| !bound.contains(index)).map(|(_, ty)| *ty).collect()
}

/// The name of what is made of the generic function `original` for types that are not all known: its type is `ty`.
pub(in crate::transform) fn partial_specialized_name(
    queries: &TypeQueries<'_>,
    module: &Module,
    original: Name,
    ty: TypeId,
    serialization: Serialization,
    abstraction: Abstraction,
) -> Option<Name> {
    let (flavor, visibility) = kind(module, serialization);
    let original = module.context.text(original);
    let signature = match queries.get(ty) {
        Type::Function(function) => function.signature,
        _ => None,
    };
    let symbol = Symbol::of_partial_specialization(original, flavor, abstraction, visibility, |tree| {
        SymbolTypes::new(queries, tree).with_signature(signature).ty(queries.canonical_type(ty))
    })?;
    Some(module.context.name(&symbol.remangle()?))
}

/// How the symbol of a specialisation in `module` says that it is one, and that its body is, or is not, the same in each module.
fn kind(module: &Module, serialization: Serialization) -> (Flavor, SpecializedBody) {
    let flavor = match module.mode {
        LanguageMode::Embedded => Flavor::Embedded,
        LanguageMode::Full => Flavor::Default,
    };
    let visibility = match serialization {
        Serialization::None => SpecializedBody::Hidden,
        _ => SpecializedBody::Serialized,
    };
    (flavor, visibility)
}

//! The mangled names of specialised functions. `symbols` owns the mangling.

use sil_ir::context::{
    GenericParameter, GenericSignature, Name, Requirement, SubstitutionMap, SubstitutionMapId, Type, TypeId,
};
use sil_ir::model::{KeyPathComponent, LanguageMode, Module, Serialization};
use sil_ir::symbols::{
    Abstraction, Flavor, ParameterChange, ResultChange, SpecializationPass, SpecializedBody, Symbol, Tree,
};
use sil_ir::types::{SymbolTypes, TypeQueries};
use sil_text::print::Printer;

/// The name of the specialisation of `original` by `pass`, with the parameter `changes`, for a caller with this
/// `serialization`. `None` if the original name cannot be mangled (docs/ABI/Mangling.rst, "Function Specializations").
pub(crate) fn specialized_name(
    module: &Module,
    original: Name,
    pass: SpecializationPass,
    serialization: Serialization,
    changes: &[ParameterChange],
) -> Option<Name> {
    signature_specialized_name(module, original, pass, serialization, changes, ResultChange::Unchanged)
}

/// The name of a specialisation that also changes the result.
pub(crate) fn signature_specialized_name(
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

/// The mangling of a parameter that is replaced with a closure over the function `callee` with captures of these types.
/// `None` if a type cannot be mangled.
pub(crate) fn closure_change(queries: &TypeQueries<'_>, callee: Name, captured: &[TypeId]) -> Option<ParameterChange> {
    let types: Option<Vec<Symbol>> = captured.iter().map(|ty| type_symbol(queries, *ty)).collect();
    Some(ParameterChange::Closure(queries.context.text(callee).to_owned(), types?))
}

/// The mangling of a parameter that is replaced with a key path of these components, with the root and value types.
/// `None` if a type cannot be mangled. The components are represented by the MD5 hash of their text.
pub(crate) fn key_path_change(
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

/// The name of the generic specialisation of `original` with `substitutions`, without the parameters in `dropped`, for
/// a caller with this `serialization`. `None` if a type cannot be mangled (docs/ABI/Mangling.rst, "Function
/// Specializations").
pub(crate) fn generic_specialized_name(
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

/// The replacements of the parameters of a signature that have no same-type requirement. Signatures in SIL are
/// canonical, so such requirements are explicit.
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

/// The name of the partial specialisation of `original`, of type `ty`.
pub(crate) fn partial_specialized_name(
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

/// The flavor and the visibility of a specialisation's body in its symbol.
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

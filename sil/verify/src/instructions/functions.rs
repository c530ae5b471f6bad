//! Conversions between function types: the changes that keep the convention of a function.

use sil_ir::context::{
    CoroutineKind, FunctionAttribute, FunctionType, MemberKind, MemberRef, MetatypeRepresentation, Representation,
    SilType, Type, TypeId, Variadic,
};
use sil_ir::instructions::Attribute;
use sil_ir::model::views::Unary;
use sil_ir::types::TypeQueries;

use super::Checker;

/// `convert_escape_to_noescape`
pub(super) fn convert_escape_to_noescape(checker: &mut Checker<'_, '_>) {
    convert(checker, Escaping::Removed);
    let result = checker.result().map(|result| checker.queries().get(result.ty));
    let escapes = match result {
        Some(Type::Function(function)) => !function.attributes.contains(FunctionAttribute::NoEscape),
        _ => false,
    };
    checker
        .require(!escapes, "result-type", || "the result of `convert_escape_to_noescape` must be `@noescape`".into());
    let unguaranteed = checker.instruction.attributes.contains(Attribute::NotGuaranteed);
    let raw = checker.scope.is_raw();
    checker.require(!unguaranteed || raw, "stage", || {
        "`convert_escape_to_noescape [not_guaranteed]` may only stand in raw SIL".into()
    });
}

/// `convert_function`
pub(super) fn convert_function(checker: &mut Checker<'_, '_>) {
    convert(checker, Escaping::Kept);
}

/// The function types of operand and result; reports it if one is none.
fn function_types<'m>(checker: &mut Checker<'_, 'm>, operand: usize) -> Option<(&'m FunctionType, &'m FunctionType)> {
    if !checker.object(operand) {
        return None;
    }
    let result = checker.result()?;
    match (checker.operand(operand), checker.queries().get(result.ty)) {
        (Type::Function(from), Type::Function(to)) => Some((from, to)),
        (Type::Function(_), _) => {
            let (name, shown) = (checker.name(), checker.scope.show(result));
            checker.fail("result-type", format!("the result of `{name}` must be a function, not `{shown}`"));
            None
        }
        _ => {
            checker.require_operand(operand, false, "a function");
            None
        }
    }
}

pub(super) fn thin_to_thick(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    let Some((from, to)) = function_types(checker, operand) else { return };
    checker.require_operand(operand, from.representation == Representation::Thin, "a thin function");
    let mut expected = from.clone();
    expected.representation = Representation::Thick;
    expected.callee = to.callee;
    // That a function throws may be left out where its callers know that this one does not.
    expected.error = to.error;
    // Nothing is captured that could escape.
    match to.attributes.contains(FunctionAttribute::NoEscape) {
        true => expected.attributes.insert(FunctionAttribute::NoEscape),
        false => expected.attributes.remove(FunctionAttribute::NoEscape),
    }
    let expected = checker.queries().context.ty(Type::Function(Box::new(expected)));
    checker.expect_result(SilType::object(expected));
}

/// Whether a conversion may make an escaping function one that does not escape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escaping {
    Kept,
    Removed,
}

fn convert(checker: &mut Checker<'_, '_>, escaping: Escaping) {
    let Unary { operand } = checker.view();
    if function_types(checker, operand).is_none() {
        return;
    }
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let (from, to) = (queries.unsubstituted(checker.ty(operand).ty), queries.unsubstituted(result.ty));
    let (Type::Function(from), Type::Function(to)) = (queries.get(from), queries.get(to)) else { return };
    if let Err(difference) = compatible_functions(queries, from, to, escaping) {
        let (name, from, to) = (checker.name(), checker.scope.show(checker.ty(operand)), checker.scope.show(result));
        checker.fail_at_operand(
            operand,
            "function-abi",
            format!("`{name}` cannot convert `{from}` to `{to}`: {difference}"),
        );
    }
}

/// The difference of two function types in their conventions (SILFunctionType::isABICompatibleWith states the rule).
fn compatible_functions(
    queries: &TypeQueries<'_>,
    from: &FunctionType,
    to: &FunctionType,
    escaping: Escaping,
) -> Result<(), String> {
    let is = |function: &FunctionType, attribute| function.attributes.contains(attribute);
    let differ = |what: &str| Err(format!("{what} differ"));
    if from.representation != to.representation {
        return differ("the representations");
    }
    if is(from, FunctionAttribute::Async) != is(to, FunctionAttribute::Async) {
        return Err("only one of them is `@async`".into());
    }
    if from.error.is_some() != to.error.is_some() && is(from, FunctionAttribute::Async) {
        return Err("only one of them throws, and `@async` functions return errors in another way".into());
    }
    if is(to, FunctionAttribute::IsolatedAny) && !is(from, FunctionAttribute::IsolatedAny) {
        return Err("`@isolated(any)` cannot be added".into());
    }
    if from.results.len() != to.results.len() {
        return differ("the numbers of results");
    }
    let results = from.results.iter().zip(&to.results).chain(from.error.iter().zip(&to.error));
    for (first, second) in results {
        if first.convention != second.convention {
            return differ("the conventions of a result");
        }
        if !first.convention.is_indirect() && !compatible_values(queries, first.ty, second.ty) {
            return differ("the types of a result");
        }
    }
    if from.parameters.len() != to.parameters.len() {
        return differ("the numbers of parameters");
    }
    for (index, (first, second)) in from.parameters.iter().zip(&to.parameters).enumerate() {
        if first.convention != second.convention {
            return Err(format!("the conventions of parameter {} differ", index + 1));
        }
        if !first.convention.is_indirect() && !compatible_values(queries, second.ty, first.ty) {
            return Err(format!("the types of parameter {} differ", index + 1));
        }
    }
    let noescape = is(from, FunctionAttribute::NoEscape) != is(to, FunctionAttribute::NoEscape);
    if noescape && escaping == Escaping::Kept && from.representation == Representation::Thick {
        return Err("only one of them may escape".into());
    }
    Ok(())
}

/// The difference of a function from the convention of a method of a formal type `(Self) -> (A) -> B`; none if it fits.
pub(crate) fn method_misfit(
    queries: &TypeQueries<'_>,
    found: &FunctionType,
    formal: TypeId,
    member: &MemberRef,
) -> Option<String> {
    use MemberKind::{Modify, Modify2, Read, Read2};
    let Type::FormalFunction(outer) = queries.get(formal) else { return None };
    // A derivative has another convention than its original.
    if member.derivative.is_some() {
        return None;
    }
    let yields = matches!(member.kind, Read | Read2 | Modify | Modify2);
    if yields != (found.coroutine != CoroutineKind::None) {
        return Some(if yields { "it must be a coroutine" } else { "it must be no coroutine" }.to_owned());
    }
    let Type::FormalFunction(inner) = queries.get(outer.result) else { return None };
    // How packs and variadic parameters are passed is not worked out here.
    let variadic = inner.parameters.iter().any(|parameter| parameter.variadic == Variadic::Yes);
    let mut pack = |ty| matches!(queries.get(ty), Type::PackExpansion { .. } | Type::Pack { .. }).then_some(());
    if yields || variadic || queries.find_in(outer.result, &mut pack).is_some() {
        return None;
    }
    let lowered = queries.lower_formal(outer.result);
    let Type::Function(expected) = queries.get(lowered) else { return None };
    functions_differ(queries, found, expected)
}

/// The difference of a method, whose last parameter is `self`, from a lowered formal type without it; none if it fits.
/// Types are compared if no generic parameter can change how they are passed. The actor that the caller passes on is no
/// parameter of the declaration, and formal types in the text do not show it.
fn functions_differ(queries: &TypeQueries<'_>, method: &FunctionType, formal: &FunctionType) -> Option<String> {
    let is_async = |function: &FunctionType| function.attributes.contains(FunctionAttribute::Async);
    if is_async(method) != is_async(formal) {
        return Some(format!("it must {}be `@async`", if is_async(formal) { "" } else { "not " }));
    }
    if method.error.is_some() && formal.error.is_none() {
        return Some("the declaration does not throw".to_owned());
    }
    let (in_method, in_formal) = (method.declared_parameters(), formal.declared_parameters());
    let (expected, found) = (in_formal.len() + 1, in_method.len());
    if expected != found {
        return Some(format!("with `self`, the declaration takes {expected} parameters, but the function {found}"));
    }
    let (expected, found) = (formal.results.len(), method.results.len());
    if expected != found {
        return Some(format!("the declaration gives {expected} results, but the function {found}"));
    }
    let certain = |ty| matches!(queries.get(ty), Type::Builtin(_)) || queries.is_class(ty);
    for (index, (first, second)) in in_method.iter().zip(in_formal).enumerate() {
        let differs = first.convention.is_indirect() != second.convention.is_indirect()
            || !compatible_values(queries, second.ty, first.ty);
        if certain(second.ty) && differs && !queries.is_dependent(first.ty) {
            return Some(format!("the types of parameter {} differ", index + 1));
        }
    }
    for (first, second) in method.results.iter().zip(&formal.results) {
        let differs = first.convention.is_indirect() != second.convention.is_indirect()
            || !compatible_values(queries, first.ty, second.ty);
        if certain(second.ty) && differs && !queries.is_dependent(first.ty) {
            return Some("the types of a result differ".to_owned());
        }
    }
    None
}

/// Whether a value of one type can be passed where the other is declared, without a change of its bits.
fn compatible_values(queries: &TypeQueries<'_>, first: TypeId, second: TypeId) -> bool {
    if let (Type::Tuple(firsts), Type::Tuple(seconds)) = (queries.get(first), queries.get(second)) {
        return firsts.len() == seconds.len()
            && firsts.iter().zip(seconds).all(|(first, second)| compatible_values(queries, first.ty, second.ty));
    }
    if queries.agree_types(first, second) || queries.is_dependent(first) || queries.is_dependent(second) {
        return true;
    }
    let (first_object, second_object) = (queries.optional_object(first), queries.optional_object(second));
    if let (Some(first), Some(second)) = (first_object, second_object) {
        return compatible_values(queries, first, second);
    }
    let (first, second) = (first_object.unwrap_or(first), second_object.unwrap_or(second));
    if queries.properties(first, None).is_reference() && queries.properties(second, None).is_reference() {
        return true;
    }
    match (queries.get(first), queries.get(second)) {
        (Type::Metatype { representation: one, .. }, Type::Metatype { representation: other, .. }) => {
            one == other
                && (*one != Some(MetatypeRepresentation::Thin) || first_object.is_none() && second_object.is_none())
        }
        (
            Type::ExistentialMetatype { representation: one, .. },
            Type::ExistentialMetatype { representation: other, .. },
        ) => one == other,
        (Type::Function(from), Type::Function(to)) => compatible_functions(queries, from, to, Escaping::Kept).is_ok(),
        _ => false,
    }
}

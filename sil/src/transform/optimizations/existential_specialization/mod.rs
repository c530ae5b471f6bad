//! Existential specialisation: a function that takes an existential gets a generic one beside it, which takes the value that is in there. The old one
//! becomes a thunk that opens the existential; where that is inlined, the generic function is called with the type that is known there
//! (lib/SILOptimizer/FunctionSignatureTransforms/ExistentialSpecializer.cpp).
//!
//! That is done for a call which passes something of a known type (`concrete`). `generic` makes the new function, `thunk` the other one. Generic
//! functions, coroutines, and those that throw or return something indirectly are left alone.

mod concrete;
mod generic;
mod thunk;

use self::concrete::KnownTypes;
use crate::analysis::{Analyses, ApplyKind, ApplySite, Change};
use crate::context::{
    CoroutineKind, FunctionAttribute as TypeAttribute, Parameter, ParameterConvention, Representation, Type, TypeId,
};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, AttributeSet};
use crate::model::{Body, Function, FunctionAttribute, FunctionFlag, FunctionId, InstructionId, Value};
use crate::symbols::{ParameterChange, SpecializationPass, ValueChanges};
use crate::transform::editing::editor::Editor;
use crate::transform::editing::specialized_names::specialized_name;
use crate::transform::pass::{Afterwards, Description, Environment, Gate, Gates, Pass, Rewrite, Runner};
use crate::types::{Copyability, ExistentialKind, TypeQueries};

pub(in crate::transform) const EXISTENTIAL_SPECIALIZER: Pass = Pass::new(&Description {
    name: "existential-specializer",
    class_name: "ExistentialSpecializer",
    summary: "Specialises functions that take existentials as generic functions.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::FunctionByFunction(specialize, Afterwards::GoOn),
});

/// Specialises what a function calls with existentials of known content. What it calls becomes a thunk.
pub(in crate::transform) fn specialize(caller: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let calls = calls(caller);
    if calls.is_empty() {
        return Ok(None);
    }
    let (editor, module) = (Editor::new(caller), caller.module);
    let mut rewrite = Rewrite::new(caller.function, caller.body.clone(), Change::Instructions);
    for call in calls {
        let Some(Specialized { callee, thunk, function }) = specialized(&editor, call, &rewrite) else { continue };
        rewrite.appended.extend(function);
        rewrite.others.push((callee, as_thunk(&module.functions[callee], thunk)));
    }
    Ok((!rewrite.others.is_empty()).then_some(rewrite))
}

/// The calls of functions that may get generic ones beside them.
fn calls(caller: Environment<'_>) -> Vec<InstructionId> {
    let Environment { module, queries, function, body, .. } = caller;
    let is_call = |id: &InstructionId| {
        let is_full = ApplyKind::of(body.instructions[*id].opcode).is_some_and(ApplyKind::is_full);
        let site = ApplySite::new(body, *id).filter(|_| is_full);
        let callee = site.and_then(|site| module.function_named(site.called_function()?));
        let callee = callee.map(|callee| &module.functions[callee]);
        callee.is_some_and(|callee| callee.name != function.name && is_specialized(queries, callee))
    };
    body.placed_instructions().filter(is_call).collect()
}

/// The function with another body, which whoever calls it inlines.
fn as_thunk(function: &Function, body: Body) -> Function {
    use FunctionFlag::{AlwaysInline, HeuristicAlwaysInline, NoInline, SignatureOptimizedThunk};
    let replaced =
        [AlwaysInline, HeuristicAlwaysInline, NoInline, SignatureOptimizedThunk].map(FunctionAttribute::Flag);
    let kept = function.attributes.iter().filter(|attribute| !replaced.contains(attribute)).cloned();
    let attributes = kept.chain([SignatureOptimizedThunk, AlwaysInline].map(FunctionAttribute::Flag)).collect();
    Function { body: Some(body), attributes, ..function.clone() }
}

/// What becomes of a function.
struct Specialized {
    callee: FunctionId,
    /// Its body.
    thunk: Body,
    /// The generic function; none where there is one already.
    function: Option<Function>,
}

/// What a call that is looked at lets its callee become, where `so_far` does not say that already.
fn specialized(caller: &Editor<'_>, call: InstructionId, so_far: &Rewrite) -> Option<Specialized> {
    let Environment { module, queries, settings, .. } = caller.environment;
    let site = ApplySite::new(caller.body(), call)?;
    let callee = module.function_named(site.called_function()?)?;
    let function = &module.functions[callee];
    if so_far.others.iter().any(|(other, _)| *other == callee) {
        return None;
    }
    let body = function.body.as_ref()?;
    let analyses = &Analyses::default();
    let environment = Environment { module, queries, function, body, analyses, of_module: None, settings };
    let known = KnownTypes::new(caller, site);
    let opened = opened_arguments(environment, &known)?;
    let changes: Vec<ParameterChange> = changes(body, &opened);
    let pass = SpecializationPass::FunctionSignature;
    let name = specialized_name(module, function.name, pass, function.serialization, &changes)?;
    let ty = generic::function_type(environment, &opened)?;
    let made = match module.function_named(name).map(|id| &module.functions[id]) {
        Some(known) if queries.same_type(known.ty, ty) => None,
        Some(_) => return None,
        None => Some(generic::function(environment, &opened, name, ty)?),
    };
    let thunk = thunk::body(environment, &opened, name, ty)?;
    Some(Specialized { callee, thunk, function: made })
}

/// Whether a function is one that gets a generic one beside it.
fn is_specialized(queries: &TypeQueries<'_>, function: &Function) -> bool {
    let Type::Function(ty) = queries.get(function.ty) else { return false };
    let is_left_alone = [FunctionFlag::OptimizeNone, FunctionFlag::AlwaysInline, FunctionFlag::DynamicallyReplaceable];
    let is_existential = |parameter: &Parameter| matches!(queries.get(parameter.ty), Type::Existential(_));
    function.body.is_some()
        && ty.parameters.iter().any(is_existential)
        && !function.linkage.is_external()
        && function.signature.is_none()
        && ty.pattern.is_none()
        && ty.error.is_none()
        && ty.coroutine == CoroutineKind::None
        && !ty.results.iter().any(|result| result.convention.is_indirect())
        && !matches!(ty.representation, Representation::ObjCMethod | Representation::Block)
        && !ty.attributes.contains(TypeAttribute::Async)
        && !is_left_alone.into_iter().any(|flag| function.has(flag))
}

/// An argument that the generic function takes for an existential.
struct Opened {
    /// Its number.
    index: usize,
    /// The existential argument.
    argument: Value,
    /// The type of the existential.
    existential: TypeId,
    kind: ExistentialKind,
    taking: Taking,
}

/// How a reference is taken out of memory for a call: where nothing says who owns what, and it is not taken over, nothing need be done for it.
fn load_attributes(taking: Taking, has_ownership: bool) -> AttributeSet {
    let mut attributes = AttributeSet::default();
    if has_ownership {
        attributes.insert(match taking {
            Taking::Consumed => Attribute::Take,
            Taking::Borrowed => Attribute::Copy,
        });
    }
    attributes
}

/// How a reference is put into memory that nothing is in.
fn store_attributes(has_ownership: bool) -> AttributeSet {
    let mut attributes = AttributeSet::default();
    if has_ownership {
        attributes.insert(Attribute::Init);
    }
    attributes
}

/// Who owns the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taking {
    /// The function that is called.
    Consumed,
    /// The caller.
    Borrowed,
}

/// The arguments that are existentials with something of a known type; none where there are none.
fn opened_arguments(environment: Environment<'_>, known: &KnownTypes<'_, '_>) -> Option<Vec<Opened>> {
    let Environment { queries, function, body, .. } = environment;
    let conventions = queries.conventions(function.ty)?;
    let arguments = &body.blocks[body.entry()].arguments;
    let mut opened = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let ty = body.ty(*argument);
        let Type::Existential(constraint) = queries.get(ty.ty) else { continue };
        let parameter = conventions.function.parameters.get(conventions.parameter_of_argument(index)?)?;
        let taking = match parameter.convention {
            ParameterConvention::Owned | ParameterConvention::In => Taking::Consumed,
            ParameterConvention::Guaranteed | ParameterConvention::InGuaranteed | ParameterConvention::Unowned => {
                Taking::Borrowed
            }
            _ => continue,
        };
        let kind = queries.existential_kind(ty.ty);
        let is_fit = match kind {
            ExistentialKind::Opaque => ty.is_address(),
            ExistentialKind::Class => true,
            ExistentialKind::Error => false,
        };
        let is_movable =
            taking == Taking::Consumed || queries.properties(ty.ty, None).copyability != Copyability::Noncopyable;
        if is_fit && is_movable && says_something(queries, *constraint) && known.is_known(index, ty) {
            let existential = queries.canonical_type(ty.ty);
            opened.push(Opened { index, argument: *argument, existential, kind, taking });
        }
    }
    (!opened.is_empty()).then_some(opened)
}

/// Whether a constraint is more than `Any` or `AnyObject`.
fn says_something(queries: &TypeQueries<'_>, constraint: TypeId) -> bool {
    match queries.get(constraint) {
        Type::Composition(composition) => !composition.members.is_empty(),
        _ => true,
    }
}

fn changes(body: &Body, opened: &[Opened]) -> Vec<ParameterChange> {
    let mut changes = vec![ParameterChange::Unchanged; body.blocks[body.entry()].arguments.len()];
    for Opened { index, .. } in opened {
        let change = ValueChanges { existential_to_generic: true, ..ValueChanges::default() };
        changes[*index] = ParameterChange::Value(change);
    }
    changes
}

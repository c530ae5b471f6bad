//! Existential specialisation: creates a generic version of a function that takes existentials. The original function
//! becomes a thunk that opens the existentials. Once the thunk is inlined, the generic function is called with the
//! known concrete type. Follows lib/SILOptimizer/FunctionSignatureTransforms/ExistentialSpecializer.cpp.
//!
//! A function is specialised for a call that passes an existential of a known dynamic type (`concrete`). `generic`
//! creates the generic function, `thunk` the thunk. Generic functions, coroutines, and functions with indirect results
//! or errors are left alone.

mod concrete;
mod generic;
mod thunk;

use sil_analysis::{Analyses, ApplyKind, ApplySite, Change};
use sil_ir::context::{
    CoroutineKind, FunctionAttribute as TypeAttribute, Parameter, ParameterConvention, Representation, Type, TypeId,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::{Body, Function, FunctionAttribute, FunctionFlag, FunctionId, InstructionId, Value};
use sil_ir::symbols::{ParameterChange, SpecializationPass, ValueChanges};
use sil_ir::types::{Copyability, ExistentialKind, TypeQueries};

use self::concrete::KnownTypes;
use crate::editing::editor::Editor;
use crate::editing::specialized_names::specialized_name;
use crate::pass::{Afterwards, Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const EXISTENTIAL_SPECIALIZER: Pass = Pass::new(&Description {
    name: "existential-specializer",
    class_name: "ExistentialSpecializer",
    summary: "Specialises functions that take existentials as generic functions.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::FunctionByFunction(specialize, Afterwards::GoOn),
});

/// Specialises the callees of a function for existentials of known dynamic types. The callees become thunks.
pub(crate) fn specialize(caller: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
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

/// The calls whose callees may be specialised.
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

/// Replaces the body of a function with that of a thunk, which is always inlined.
fn as_thunk(function: &Function, body: Body) -> Function {
    use FunctionFlag::{AlwaysInline, HeuristicAlwaysInline, NoInline, SignatureOptimizedThunk};
    let replaced =
        [AlwaysInline, HeuristicAlwaysInline, NoInline, SignatureOptimizedThunk].map(FunctionAttribute::Flag);
    let kept = function.attributes.iter().filter(|attribute| !replaced.contains(attribute)).cloned();
    let attributes = kept.chain([SignatureOptimizedThunk, AlwaysInline].map(FunctionAttribute::Flag)).collect();
    Function { body: Some(body), attributes, ..function.clone() }
}

/// The result of specialising a function.
struct Specialized {
    callee: FunctionId,
    /// The body of the thunk.
    thunk: Body,
    /// The generic function, or `None` if it already exists.
    function: Option<Function>,
}

/// Specialises the callee of a call, unless `so_far` already contains it.
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

/// Returns whether a function can be specialised.
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

/// An argument of the generic function that replaces an existential.
struct Opened {
    /// The argument index.
    index: usize,
    /// The existential argument.
    argument: Value,
    /// The type of the existential.
    existential: TypeId,
    kind: ExistentialKind,
    taking: Taking,
}

/// The attributes of a load of a reference for a call. Without ownership, and if the reference is not consumed, no
/// ownership is balanced.
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

/// The attributes of a store of a reference to uninitialised memory.
fn store_attributes(has_ownership: bool) -> AttributeSet {
    let mut attributes = AttributeSet::default();
    if has_ownership {
        attributes.insert(Attribute::Init);
    }
    attributes
}

/// The owner of the value during the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taking {
    /// The callee.
    Consumed,
    /// The caller.
    Borrowed,
}

/// The existential arguments of known dynamic types. `None` if there are none.
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
        if is_fit && is_movable && has_message(queries, *constraint) && known.is_known(index, ty) {
            let existential = queries.canonical_type(ty.ty);
            opened.push(Opened { index, argument: *argument, existential, kind, taking });
        }
    }
    (!opened.is_empty()).then_some(opened)
}

/// Returns whether a constraint requires more than `Any` or `AnyObject`.
fn has_message(queries: &TypeQueries<'_>, constraint: TypeId) -> bool {
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

//! Function signature optimisation. Follows lib/SILOptimizer/FunctionSignatureTransforms. Dead arguments are removed
//! (`dead_arguments`), owned arguments with epilogue releases become guaranteed and results with epilogue retains
//! become unowned (`counting`), and only used parts of structs and tuples are passed (`explosion`).
//!
//! The body moves to a new function (`specialized`), and the original becomes a thunk that callers inline (`thunk`).
//! `callers` decides whether that is profitable. Functions with ownership are left alone.

mod callers;
mod counting;
mod dead_arguments;
mod explosion;
mod specialized;
mod thunk;

use sil_analysis::{Change, ModuleExtent};
use sil_ir::context::{CoroutineKind, FunctionType, ParameterConvention, Representation, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, Function, FunctionAttribute, FunctionFlag, InstructionId, Linkage, Value};
use sil_ir::types::FunctionConventions;

use self::callers::Callers;
use self::explosion::{ArgumentTree, Callees};
use crate::editing::editor::Editor;
use crate::pass::settings::{AssumedCallers, Settings, SignatureStep};
use crate::pass::{Afterwards, Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const FUNCTION_SIGNATURE_OPTIMIZATION: Pass = Pass::new(&Description {
    name: "function-signature-opts",
    class_name: "FunctionSignatureOpts",
    summary: "Optimises signatures: owned to guaranteed, dead arguments, exploded arguments.",
    gates: Gates::OPEN,
    runner: Runner::FunctionByFunction(optimize, Afterwards::BeginAnew),
});

pub(crate) const CAPTURED_ARGUMENT_ELIMINATION: Pass = Pass::new(&Description {
    name: "dead-arg-signature-opt",
    class_name: "DeadArgSignatureOpt",
    summary: "Removes unused captured arguments from signatures.",
    gates: Gates::OPEN,
    runner: Runner::FunctionByFunction(remove_captured_arguments, Afterwards::GoOn),
});

/// The planned change of an argument.
#[derive(Clone, Debug)]
struct ArgumentPlan {
    argument: Value,
    ty: SilType,
    /// The parameter index.
    parameter: usize,
    convention: ParameterConvention,
    passing: Passing,
    shape: Shape,
}

impl ArgumentPlan {
    /// Returns whether the argument may be changed: it is an object, or the address of a generic value that is not
    /// mutated.
    fn may_change(&self, environment: Environment<'_>) -> bool {
        use ParameterConvention::{In, InGuaranteed};
        !self.ty.is_address()
            || environment.queries.is_dependent(self.ty.ty) && matches!(self.convention, In | InGuaranteed)
    }
}

/// The ownership of a passed argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    /// The original convention.
    AsBefore,
    /// Guaranteed instead of owned.
    Lent,
}

/// The passed parts of an argument.
#[derive(Clone, Debug)]
enum Shape {
    /// The whole argument.
    Whole,
    /// Nothing, since it is dead.
    Dead,
    /// The used parts.
    Exploded(ArgumentTree),
}

/// The owner of the result's retain.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ResultPlan {
    /// The original convention.
    AsBefore,
    /// The caller retains. These instructions, retains and recursive calls, did it before.
    Unowned(Vec<InstructionId>),
}

/// A function whose signature is to be changed.
struct Signature<'m> {
    /// The body of the new function, with the original arguments.
    editor: Editor<'m>,
    ty: &'m FunctionType,
    conventions: FunctionConventions<'m>,
    arguments: Vec<ArgumentPlan>,
    result: ResultPlan,
}

/// Changes the signature of a function if that makes its calls cheaper.
pub(crate) fn optimize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    Ok(optimized(environment))
}

/// Removes dead arguments that all closures over the function capture, so that closures over the new function capture
/// nothing.
pub(crate) fn remove_captured_arguments(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    Ok(without_captured_arguments(environment))
}

fn optimized(environment: Environment<'_>) -> Option<Rewrite> {
    let Environment { function, settings, .. } = environment;
    if is_left_alone(function, settings) || function.has(FunctionFlag::AlwaysInline) {
        return None;
    }
    let mut signature = Signature::of(environment)?;
    if matches!(signature.ty.representation, Representation::WitnessMethod(_)) {
        return None;
    }
    let callers = Callers::of(environment);
    let has_caller = callers.has_full_application || settings.signatures.callers == AssumedCallers::Always;
    let is_looked_up = may_be_looked_up(signature.ty.representation) || is_found_by_others(function);
    if !has_caller && is_looked_up {
        return None;
    }
    let is_seen = is_used_elsewhere(environment);
    let all_known = callers.are_all_known && !is_looked_up && !is_seen;
    let mut is_changed = settings.signatures.performs(SignatureStep::OwnedToGuaranteed) && signature.lend();
    if has_caller || is_changed || all_known {
        if settings.signatures.performs(SignatureStep::DeadArguments) {
            is_changed |= signature.remove_dead_arguments();
        }
        if settings.signatures.performs(SignatureStep::ArgumentExplosion) {
            let is_direct = all_known && !is_seen;
            is_changed |= signature.explode(if is_direct { Callees::Direct } else { Callees::ThroughThunk });
        }
    }
    is_changed |= signature.ty.signature.is_some() && !signature.uses_generic_parameters();
    if is_changed { signature.rewrite() } else { None }
}

fn without_captured_arguments(environment: Environment<'_>) -> Option<Rewrite> {
    let Environment { queries, function, settings, .. } = environment;
    if is_left_alone(function, settings) {
        return None;
    }
    let mut signature = Signature::of(environment)?;
    let captured = Callers::of(environment).fewest_captured?;
    if captured == 0 || !signature.find_dead_arguments() {
        return None;
    }
    let open = signature.arguments.len().checked_sub(captured)?;
    for plan in &mut signature.arguments[..open] {
        plan.shape = Shape::Whole;
    }
    // Nothing would release an argument that is no longer passed.
    let may_go = |plan: &ArgumentPlan| {
        let is_trivial = !plan.ty.is_address() && queries.properties(plan.ty.ty, function.signature).is_trivial();
        matches!(plan.shape, Shape::Dead) && is_trivial
    };
    if !signature.arguments[open..].iter().all(may_go) {
        return None;
    }
    signature.erase_dead_uses();
    signature.rewrite()
}

/// Returns whether a function keeps its signature.
fn is_left_alone(function: &Function, settings: &Settings) -> bool {
    use FunctionFlag::{DynamicallyReplaceable, OptimizeNone, Ossa, SignatureOptimizedThunk};
    let flags = [DynamicallyReplaceable, OptimizeNone, Ossa, SignatureOptimizedThunk];
    settings.is_for_size(function) || flags.into_iter().any(|flag| function.has(flag))
}

/// Returns whether functions of a representation may be in dispatch tables.
fn may_be_looked_up(representation: Representation) -> bool {
    matches!(representation, Representation::Method | Representation::WitnessMethod(_) | Representation::ObjCMethod)
}

/// Returns whether the runtime or other modules find the function by its attributes.
fn is_found_by_others(function: &Function) -> bool {
    let attributes = function.attributes.iter();
    let mut attributes = attributes.filter(|attribute| {
        matches!(attribute, FunctionAttribute::DynamicReplacementFor(_) | FunctionAttribute::AdHocRequirementWitness(_))
    });
    attributes.next().is_some()
}

/// Returns whether other modules may call the function or contain a copy of it.
fn is_used_elsewhere(environment: Environment<'_>) -> bool {
    match environment.function.linkage {
        Linkage::Shared | Linkage::Private => false,
        Linkage::Hidden => environment.settings.extent == ModuleExtent::Files,
        _ => true,
    }
}

impl<'m> Signature<'m> {
    /// The current signature of a function, or `None` if functions of its kind are not changed.
    fn of(environment: Environment<'m>) -> Option<Self> {
        use Representation::{Block, ObjCMethod};
        let Environment { queries, function, body, .. } = environment;
        let Type::Function(ty) = queries.get(function.ty) else { return None };
        let conventions = queries.conventions(function.ty)?;
        let is_fixed = ty.coroutine != CoroutineKind::None
            || conventions.first_parameter() > 0
            || ty.pattern.is_some()
            || ty.attributes.contains(sil_ir::context::FunctionAttribute::Pseudogeneric)
            || matches!(ty.representation, Block | ObjCMethod);
        let arguments = &body.blocks[body.entry()].arguments;
        if is_fixed || arguments.len() != ty.parameters.len() {
            return None;
        }
        let plan = |(parameter, argument): (usize, &Value)| ArgumentPlan {
            argument: *argument,
            ty: body.ty(*argument),
            parameter,
            convention: ty.parameters[parameter].convention,
            passing: Passing::AsBefore,
            shape: Shape::Whole,
        };
        let arguments = arguments.iter().enumerate().map(plan).collect();
        let editor = Editor::new(environment);
        Some(Self { editor, ty, conventions, arguments, result: ResultPlan::AsBefore })
    }

    fn environment(&self) -> Environment<'m> {
        self.editor.environment
    }

    /// Returns whether the convention of `self` changes, so that the function is no longer a method.
    fn changes_self(&self) -> bool {
        let own = self.conventions.self_parameter();
        let changes = |plan: &ArgumentPlan| plan.passing == Passing::Lent || !matches!(plan.shape, Shape::Whole);
        own.and_then(|own| self.arguments.get(own)).is_some_and(changes)
    }

    /// Turns the function into a thunk, together with the new function. `None` if the new function has no name.
    fn rewrite(self) -> Option<Rewrite> {
        let environment = self.environment();
        let function = environment.function;
        let plan = thunk::Plan::of(&self);
        let made = self.into_function()?;
        let body: Body = thunk::body(environment, &plan, &made);
        let is_kept = |attribute: &&FunctionAttribute| {
            let is_inlining = [FunctionFlag::NoInline, FunctionFlag::AlwaysInline, FunctionFlag::HeuristicAlwaysInline];
            !is_inlining.map(FunctionAttribute::Flag).contains(attribute)
        };
        let mut attributes: Vec<FunctionAttribute> = function.attributes.iter().filter(is_kept).cloned().collect();
        attributes.push(FunctionAttribute::Flag(FunctionFlag::SignatureOptimizedThunk));
        attributes.push(FunctionAttribute::Flag(FunctionFlag::AlwaysInline));
        let appended = vec![made];
        Some(Rewrite { attributes, appended, ..Rewrite::new(function, body, Change::Blocks) })
    }
}

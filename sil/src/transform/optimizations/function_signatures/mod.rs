//! Function signature optimisation: functions get parameters and results that cost their callers less (lib/SILOptimizer/FunctionSignatureTransforms).
//! Arguments that nothing needs are not passed (`dead_arguments`), those that are only released at the end are lent, and results that are retained
//! at the end are retained by the caller (`counting`), and of structs and tuples only the parts are
//! passed that are used (`explosion`).
//!
//! The code goes to a new function (`specialized`), the old one becomes a thunk that callers inline (`thunk`). `callers` knows whether it is worth it.
//! Functions with ownership are left alone.

mod callers;
mod counting;
mod dead_arguments;
mod explosion;
mod specialized;
mod thunk;

use self::callers::Callers;
use self::explosion::{ArgumentTree, Callees};
use crate::analysis::{Change, ModuleExtent};
use crate::context::{CoroutineKind, FunctionType, ParameterConvention, Representation, SilType, Type};
use crate::diagnostic::Diagnostic;
use crate::model::{Body, Function, FunctionAttribute, FunctionFlag, InstructionId, Linkage, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::pass::settings::{AssumedCallers, Settings, SignatureStep};
use crate::transform::pass::{Afterwards, Description, Environment, Gates, Pass, Rewrite, Runner};
use crate::types::FunctionConventions;

pub(in crate::transform) const FUNCTION_SIGNATURE_OPTIMIZATION: Pass = Pass::new(&Description {
    name: "function-signature-opts",
    class_name: "FunctionSignatureOpts",
    summary: "Optimises signatures: owned to guaranteed, dead arguments, exploded arguments.",
    gates: Gates::OPEN,
    runner: Runner::FunctionByFunction(optimize, Afterwards::BeginAnew),
});

pub(in crate::transform) const CAPTURED_ARGUMENT_ELIMINATION: Pass = Pass::new(&Description {
    name: "dead-arg-signature-opt",
    class_name: "DeadArgSignatureOpt",
    summary: "Removes unused captured arguments from signatures.",
    gates: Gates::OPEN,
    runner: Runner::FunctionByFunction(remove_captured_arguments, Afterwards::GoOn),
});

/// What becomes of an argument.
#[derive(Clone, Debug)]
struct ArgumentPlan {
    argument: Value,
    ty: SilType,
    /// The number of the parameter.
    parameter: usize,
    convention: ParameterConvention,
    passing: Passing,
    shape: Shape,
}

impl ArgumentPlan {
    /// Whether something may become of the argument: of a value, or of the address of a generic one that is not changed.
    fn may_change(&self, environment: Environment<'_>) -> bool {
        use ParameterConvention::{In, InGuaranteed};
        !self.ty.is_address()
            || environment.queries.is_dependent(self.ty.ty) && matches!(self.convention, In | InGuaranteed)
    }
}

/// Who owns what is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    /// Who owned it before.
    AsBefore,
    /// The caller, not the function.
    Lent,
}

/// What is passed.
#[derive(Clone, Debug)]
enum Shape {
    /// All of it.
    Whole,
    /// Nothing.
    Dead,
    /// Parts of it.
    Exploded(ArgumentTree),
}

/// Who retains the result.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ResultPlan {
    /// Who did before.
    AsBefore,
    /// The caller: these instructions, retains and calls of the function itself, did it before.
    Unowned(Vec<InstructionId>),
}

/// A function whose signature is about to be another one.
struct Signature<'m> {
    /// The body of the new function, with the old arguments.
    editor: Editor<'m>,
    ty: &'m FunctionType,
    conventions: FunctionConventions<'m>,
    arguments: Vec<ArgumentPlan>,
    result: ResultPlan,
}

/// Gives a function another signature where that makes it cheaper to call.
pub(in crate::transform) fn optimize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    Ok(optimized(environment))
}

/// Takes the arguments away that nothing needs and that all closures over a function capture: closures over the new function capture nothing then.
pub(in crate::transform) fn remove_captured_arguments(
    environment: Environment<'_>,
) -> Result<Option<Rewrite>, Box<Diagnostic>> {
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
    // What is not passed any more nobody would release.
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

/// Whether a function keeps its signature, whatever it does.
fn is_left_alone(function: &Function, settings: &Settings) -> bool {
    use FunctionFlag::{DynamicallyReplaceable, OptimizeNone, Ossa, SignatureOptimizedThunk};
    let flags = [DynamicallyReplaceable, OptimizeNone, Ossa, SignatureOptimizedThunk];
    settings.is_for_size(function) || flags.into_iter().any(|flag| function.has(flag))
}

/// Whether functions of a representation are called by what tables say, too.
fn may_be_looked_up(representation: Representation) -> bool {
    matches!(representation, Representation::Method | Representation::WitnessMethod(_) | Representation::ObjCMethod)
}

/// Whether the runtime or other modules find a function by what it is there for.
fn is_found_by_others(function: &Function) -> bool {
    let attributes = function.attributes.iter();
    let mut attributes = attributes.filter(|attribute| {
        matches!(attribute, FunctionAttribute::DynamicReplacementFor(_) | FunctionAttribute::AdHocRequirementWitness(_))
    });
    attributes.next().is_some()
}

/// Whether other modules may call the function, or have it themselves.
fn is_used_elsewhere(environment: Environment<'_>) -> bool {
    match environment.function.linkage {
        Linkage::Shared | Linkage::Private => false,
        Linkage::Hidden => environment.settings.extent == ModuleExtent::Files,
        _ => true,
    }
}

impl<'m> Signature<'m> {
    /// The signature of a function as it is; none where it is of a kind that keeps its signature.
    fn of(environment: Environment<'m>) -> Option<Self> {
        use Representation::{Block, ObjCMethod};
        let Environment { queries, function, body, .. } = environment;
        let Type::Function(ty) = queries.get(function.ty) else { return None };
        let conventions = queries.conventions(function.ty)?;
        let is_fixed = ty.coroutine != CoroutineKind::None
            || conventions.first_parameter() > 0
            || ty.pattern.is_some()
            || ty.attributes.contains(crate::context::FunctionAttribute::Pseudogeneric)
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

    /// Whether `self` is passed in another way, so that the function is no method any more.
    fn changes_self(&self) -> bool {
        let own = self.conventions.self_parameter();
        let changes = |plan: &ArgumentPlan| plan.passing == Passing::Lent || !matches!(plan.shape, Shape::Whole);
        own.and_then(|own| self.arguments.get(own)).is_some_and(changes)
    }

    /// The thunk that the function becomes, with the function that has its code; none where that has no name.
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

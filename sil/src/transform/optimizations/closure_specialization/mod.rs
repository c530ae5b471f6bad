//! Closure specialisation: a function that calls a closure which it is passed is made anew for a closure of known code. It is passed what the closure
//! captures and makes the closure itself, so that the call may become a direct one (lib/SILOptimizer/IPO/ClosureSpecializer.cpp).
//!
//! `candidates` finds the calls, `specialized` makes the functions, `rewriting` lets the callers call them and removes closures that nothing needs any
//! more. Functions with ownership, generic ones, and calls that are passed several closures are left alone.

mod candidates;
mod rewriting;
mod specialized;

use self::candidates::candidates;
use self::rewriting::Rewriting;
use self::specialized::{name, specialized};
use crate::context::{self, ParameterConvention, SilType, SubstitutionMapId, Type, TypeId};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{Apply, FunctionRef, Unary};
use crate::model::{Body, Function, FunctionId, InstructionId, Value};
use crate::transform::pass::{Afterwards, Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};
use crate::types::{ArgumentConvention, Copyability, TypeQueries};

pub(in crate::transform) const CLOSURE_SPECIALIZATION: Pass = Pass::new(&Description {
    name: "closure-specialize",
    class_name: "ClosureSpecializer",
    summary: "Specialises functions for the closures that they are called with.",
    gates: Gates { optimize_none: Gate::Skip, ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::FunctionByFunction(specialize, Afterwards::GoOn),
});

/// Specialises what a function calls with closures.
pub(in crate::transform) fn specialize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, .. } = environment;
    let found = candidates(environment);
    let mut rewriting = Rewriting::new(environment);
    let mut functions: Vec<(FunctionId, Function)> = Vec::new();
    for candidate in &found {
        rewriting.begin(candidate);
        for site in &candidate.sites {
            let Some(name) = name(environment, &candidate.closure, site) else { continue };
            let known = module.function_named(name).map(|id| module.functions[id].ty);
            let made = functions.iter().find(|(_, function)| function.name == name).map(|(_, function)| function.ty);
            let ty = known.or(made).or_else(|| {
                let function = specialized(environment, &candidate.closure, site, name)?;
                let ty = function.ty;
                functions.push((site.callee, function));
                Some(ty)
            });
            if let Some(ty) = ty {
                rewriting.replace_call(candidate, site, name, ty);
            }
        }
    }
    let rewrite = rewriting.finish(&found);
    Ok(rewrite.map(|rewrite| Rewrite { functions, ..rewrite }))
}

/// A closure over a known function.
struct Closure<'m> {
    /// What makes it.
    id: InstructionId,
    value: Value,
    kind: ClosureKind,
    /// Its code.
    function: &'m Function,
    /// The type of references to that.
    callee_type: SilType,
    captured: Vec<Value>,
}

/// What a closure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClosureKind {
    /// A function that captures nothing.
    Thick,
    /// A function with what it captures in an object.
    Object,
    /// The same on the stack.
    OnStack,
}

impl<'m> Closure<'m> {
    /// The closure that `id` makes, where that can be made elsewhere too: it captures no addresses but those of variables that others see as well.
    fn of(environment: Environment<'m>, body: &Body, id: InstructionId) -> Option<Self> {
        let Environment { module, queries, .. } = environment;
        let value = body.result(id)?;
        let instruction = &body.instructions[id];
        let (callee, captured, kind) = match instruction.opcode {
            Opcode::ThinToThickFunction => (Unary::of(body, id).operand, Vec::new(), ClosureKind::Thick),
            Opcode::PartialApply => {
                let Apply { callee, arguments, apply } = Apply::of(body, id);
                if apply.substitutions != SubstitutionMapId::EMPTY {
                    return None;
                }
                let is_on_stack = instruction.attributes.contains(Attribute::OnStack);
                let kind = if is_on_stack { ClosureKind::OnStack } else { ClosureKind::Object };
                (callee, arguments.to_vec(), kind)
            }
            _ => return None,
        };
        let name = FunctionRef::get(body, body.defining(callee)?)?.function;
        let function = &module.functions[module.function_named(name)?];
        let callee_type = body.ty(callee);
        let closure = Self { id, value, kind, function, callee_type, captured };
        let conventions = closure.conventions(queries)?;
        let may_be_passed = |(value, convention): (&Value, ArgumentConvention)| {
            let ty = body.ty(*value);
            let properties = queries.properties(ty.ty, environment.function.signature);
            let is_block = matches!(queries.get(ty.ty), Type::Function(function) if function.representation == context::Representation::Block);
            let is_copied = body.defining(*value).is_some_and(|id| body.instructions[id].opcode == Opcode::CopyBlock);
            properties.copyability != Copyability::Noncopyable
                && !(is_block && kind == ClosureKind::OnStack && !is_copied)
                && (!ty.is_address() || is_variable(convention))
        };
        closure.captured.iter().zip(conventions).all(may_be_passed).then_some(closure)
    }

    /// How the function takes what is captured.
    fn conventions(&self, queries: &TypeQueries<'_>) -> Option<Vec<ArgumentConvention>> {
        let conventions = queries.conventions(self.function.ty)?;
        let first = conventions.first_applied_argument(self.captured.len())?;
        Some(conventions.arguments().skip(first).map(|argument| argument.convention).collect())
    }

    /// Whether something has to be released for it.
    fn is_counted(&self) -> bool {
        self.kind == ClosureKind::Object
    }
}

/// Whether an address is one of a variable that the caller has.
fn is_variable(convention: ArgumentConvention) -> bool {
    use ParameterConvention::{InOut, InOutAliasable};
    matches!(convention, ArgumentConvention::Parameter(InOut | InOutAliasable))
}

/// Whether a type is of closures that do not escape, which nothing is released for.
fn is_noescape(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    match queries.get(ty) {
        Type::Function(function) => function.attributes.contains(context::FunctionAttribute::NoEscape),
        _ => false,
    }
}

//! Closure specialisation: clones a function for a closure of a known function. The clone takes the captured values and
//! creates the closure itself, so that its calls may become direct. Follows
//! lib/SILOptimizer/IPO/ClosureSpecializer.cpp.
//!
//! `candidates` finds the apply sites, `specialized` creates the clones, `rewriting` redirects the callers and removes
//! dead closures. Functions with ownership, generic functions, and calls that take several closures are left alone.

mod candidates;
mod rewriting;
mod specialized;

use sil_ir::context::{self, ParameterConvention, SilType, SubstitutionMapId, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Apply, FunctionRef, Unary};
use sil_ir::model::{Body, Function, FunctionId, InstructionId, Value};
use sil_ir::types::{ArgumentConvention, Copyability, TypeQueries};

use self::candidates::candidates;
use self::rewriting::Rewriting;
use self::specialized::{name, specialized};
use crate::pass::{Afterwards, Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const CLOSURE_SPECIALIZATION: Pass = Pass::new(&Description {
    name: "closure-specialize",
    class_name: "ClosureSpecializer",
    summary: "Specialises functions for the closures that they are called with.",
    gates: Gates { optimize_none: Gate::Skip, ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::FunctionByFunction(specialize, Afterwards::GoOn),
});

/// Specialises the callees of a function for its closures.
pub(crate) fn specialize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
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

/// A closure of a known function.
struct Closure<'m> {
    /// The instruction that creates the closure.
    id: InstructionId,
    value: Value,
    kind: ClosureKind,
    /// The closure's function.
    function: &'m Function,
    /// The type of the function reference.
    callee_type: SilType,
    captured: Vec<Value>,
}

/// The representation of a closure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClosureKind {
    /// A thick function without captures.
    Thick,
    /// A heap object with captures.
    Object,
    /// A stack closure with captures.
    OnStack,
}

impl<'m> Closure<'m> {
    /// Returns the closure that `id` creates, if it can be recreated in another function: it captures no addresses but
    /// those of `inout` variables.
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

    /// The conventions of the captured parameters.
    fn conventions(&self, queries: &TypeQueries<'_>) -> Option<Vec<ArgumentConvention>> {
        let conventions = queries.conventions(self.function.ty)?;
        let first = conventions.first_applied_argument(self.captured.len())?;
        Some(conventions.arguments().skip(first).map(|argument| argument.convention).collect())
    }

    /// Returns whether the closure is reference counted.
    fn is_counted(&self) -> bool {
        self.kind == ClosureKind::Object
    }
}

/// Returns whether an address refers to a variable of the caller.
fn is_variable(convention: ArgumentConvention) -> bool {
    use ParameterConvention::{InOut, InOutAliasable};
    matches!(convention, ArgumentConvention::Parameter(InOut | InOutAliasable))
}

/// Returns whether a function type is non-escaping, so that its values are not released.
fn is_noescape(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    match queries.get(ty) {
        Type::Function(function) => function.attributes.contains(context::FunctionAttribute::NoEscape),
        _ => false,
    }
}

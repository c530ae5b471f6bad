//! Violations of performance annotations, such as reference counting in a `@_noLocks` function or its callees
//! (lib/SILOptimizer/Mandatory/PerformanceDiagnostics.cpp). For each function the first fault is reported.
//!
//! Owns: the set of examined functions, and the diagnostics. `effects` has the effects of instructions, `embedded` and
//! `embedded_methods` the restrictions of Embedded Swift.

mod effects;
mod embedded;
mod embedded_methods;

pub(crate) use embedded_methods::generic_methods;

use rustc_hash::FxHashMap;
use sil_analysis::{ApplyKind, ApplySite, CalleeAnalysis, ModuleExtent};
use sil_ir::context::{FunctionAttribute as TypeAttribute, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{
    Body, Definition, Details, Function, FunctionFlag, FunctionId, InstructionId, LanguageMode, Module, SourcePlace,
    Value,
};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;

use self::effects::{Effect, Effects, Scene};
use super::constant_values::globals_initialized_at_run_time;
use crate::messages::findings::{error_at, note_at, source_place};
use crate::messages::type_names::canonical_type_name;
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const PERFORMANCE_DIAGNOSTICS: Pass = Pass::new(&Description {
    name: "performance-diagnostics",
    class_name: "PerformanceDiagnostics",
    summary: "Diagnoses violations of performance annotations.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, libraries, _| diagnose(module, libraries)),
});

/// Functions with this semantics are not examined.
const NOT_LOOKED_INTO: &str = "no_performance_analysis";

/// Functions with this semantics read an element of an array.
const READS_ELEMENT: &str = "array.get_element";

/// A performance constraint. A function may call functions with a later one (`PerformanceConstraints` in
/// include/swift/SIL/SILFunction.h).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Constraint {
    Allocation,
    Locks,
    Runtime,
    Existentials,
    ObjCBridging,
}

/// Reports the violations of a module's annotated functions.
pub(crate) fn diagnose(module: &mut Module, _: &Libraries<'_>) -> Vec<Diagnostic> {
    let is_embedded = module.mode == LanguageMode::Embedded;
    let mut diagnostics = globals_initialized_at_run_time(module);
    if !is_embedded && !module.functions.values().any(|found| constraint(found).is_some()) {
        return diagnostics;
    }
    let module = &*module;
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    if is_embedded {
        diagnostics.extend(embedded::diagnose(module, queries));
        return diagnostics;
    }
    let callees = CalleeAnalysis::new(module, queries, ModuleExtent::Whole);
    let mut checker = Checker { module, queries, callees, visited: FxHashMap::default() };
    for (id, function) in &module.functions {
        if function.has(FunctionFlag::Canonical) {
            continue;
        }
        let fault = match constraint(function) {
            Some(constraint) => checker.function(id, constraint, Arguments::Checked),
            None => checker.calls_of_annotated(id),
        };
        diagnostics.extend(fault.map(|fault| fault.in_function(function.name)));
    }
    diagnostics
}

fn constraint(function: &Function) -> Option<Constraint> {
    let flags = [
        (FunctionFlag::NoLocks, Constraint::Locks),
        (FunctionFlag::NoAllocation, Constraint::Allocation),
        (FunctionFlag::NoRuntime, Constraint::Runtime),
        (FunctionFlag::NoObjCBridging, Constraint::ObjCBridging),
        (FunctionFlag::NoExistentials, Constraint::Existentials),
    ];
    flags.into_iter().find(|(flag, _)| function.has(*flag)).map(|(_, constraint)| constraint)
}

/// Whether closure arguments are checked at the calls of the function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arguments {
    Checked,
    Unknown,
}

struct Checker<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    /// The callees of calls. Swift analyses the files of a module together.
    callees: CalleeAnalysis<'m>,
    /// The constraints for which functions were visited.
    visited: FxHashMap<FunctionId, Constraint>,
}

impl<'m> Checker<'m> {
    fn body(&self, id: FunctionId) -> Option<&'m Body> {
        self.module.functions[id].body.as_ref()
    }

    /// Returns the first fault of a function with a body.
    fn function(&mut self, id: FunctionId, constraint: Constraint, arguments: Arguments) -> Option<Diagnostic> {
        let body = self.body(id)?;
        let (module, queries, function) = (self.module, self.queries, &self.module.functions[id]);
        let scene = Scene { module, queries, function, body };
        for block in body.blocks.keys() {
            // Code that terminates the program is unrestricted.
            let is_fatal = |id| body.instructions[id].opcode == Opcode::Unreachable;
            if body.terminator(block).is_some_and(is_fatal) {
                continue;
            }
            for instruction in body.instructions_in(block) {
                let own = fault(scene, instruction, constraint);
                let found = own.or_else(|| self.callees_of(body, instruction, constraint, arguments));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Returns the fault of the first closure that an unannotated function passes to an annotated one.
    fn calls_of_annotated(&mut self, id: FunctionId) -> Option<Diagnostic> {
        let body = self.body(id)?;
        body.placed_instructions().find_map(|call| {
            let site = ApplySite::new(body, call).filter(|site| site.kind.is_full())?;
            let callee = referenced(self.module, body, site.callee()?)?;
            let constraint = constraint(&self.module.functions[callee])?;
            self.closure_arguments(body, call, constraint, Arguments::Unknown)
        })
    }

    fn callees_of(
        &mut self,
        body: &'m Body,
        id: InstructionId,
        constraint: Constraint,
        arguments: Arguments,
    ) -> Option<Diagnostic> {
        if let Some(operand) = once_function(body, id) {
            return self.called(body, id, operand, constraint);
        }
        ApplyKind::of(body.instructions[id].opcode).filter(|kind| kind.is_full())?;
        if self.only_reads_element(body, id) {
            return None;
        }
        if let Some(fault) = self.closure_arguments(body, id, constraint, arguments) {
            return Some(fault);
        }
        let callee = *body.operands(id).first()?;
        if self.is_borrowed_closure(body, callee) {
            return self.closure(body, id, callee, constraint, arguments);
        }
        self.called(body, id, callee, constraint)
    }

    /// Returns whether a call only reads a trivial element of an array.
    fn only_reads_element(&self, body: &Body, call: InstructionId) -> bool {
        let function = ApplySite::new(body, call).and_then(|site| referenced(self.module, body, site.callee()?));
        let is_trivial = |value| self.queries.properties(body.ty(value).ty, None).is_trivial();
        function.is_some_and(|function| self.has_semantics(function, READS_ELEMENT))
            && body.result(call).is_some_and(is_trivial)
    }

    /// Returns the first fault of the functions that `callee` may be, which is called at `call`.
    fn called(
        &mut self,
        body: &'m Body,
        call: InstructionId,
        callee: Value,
        constraint: Constraint,
    ) -> Option<Diagnostic> {
        let callees = self.callees.of(body, callee);
        let Some(functions) = callees.all() else { return Some(unknown(body, call)) };
        let is_enough =
            |function: &FunctionId| is_strong(self::constraint(&self.module.functions[*function]), constraint);
        // Functions after one with a sufficient annotation are not examined.
        let looked_at = functions.iter().take_while(|function| !is_enough(function));
        let looked_at: Vec<FunctionId> = looked_at.copied().collect();
        looked_at.into_iter().find_map(|function| self.callee(body, call, function, constraint))
    }

    fn is_borrowed_closure(&self, body: &Body, value: Value) -> bool {
        match self.queries.get(body.ty(value).ty) {
            Type::Function(function) => function.attributes.contains(TypeAttribute::NoEscape),
            _ => false,
        }
    }

    /// Returns the first fault of the closures that a call passes.
    fn closure_arguments(
        &mut self,
        body: &'m Body,
        call: InstructionId,
        constraint: Constraint,
        arguments: Arguments,
    ) -> Option<Diagnostic> {
        let site = ApplySite::new(body, call)?;
        let callee = site.callee().and_then(|callee| referenced(self.module, body, callee));
        if callee.is_some_and(|callee| self.is_not_looked_into(callee)) {
            return None;
        }
        let passed = site.arguments().to_vec().into_iter();
        let mut closures =
            passed.filter(|value| self.is_borrowed_closure(body, *value)).collect::<Vec<_>>().into_iter();
        closures.find_map(|value| self.closure(body, call, value, constraint, arguments))
    }

    /// Returns the first fault of a closure that is called or passed at `call`.
    fn closure(
        &mut self,
        body: &'m Body,
        call: InstructionId,
        closure: Value,
        constraint: Constraint,
        arguments: Arguments,
    ) -> Option<Diagnostic> {
        let mut value = closure;
        loop {
            let Definition::Argument { block, .. } = body.values[value].definition else {
                let Some(id) = body.defining(value) else { return Some(unknown(body, call)) };
                match body.instructions[id].opcode {
                    Opcode::FunctionRef => return self.called(body, call, value, constraint),
                    Opcode::PartialApply => {
                        if let Some(fault) = self.closure_arguments(body, id, constraint, arguments) {
                            return Some(fault);
                        }
                        value = body.operands(id)[0];
                    }
                    Opcode::ThinToThickFunction
                    | Opcode::CopyValue
                    | Opcode::BeginBorrow
                    | Opcode::MoveValue
                    | Opcode::ConvertFunction
                    | Opcode::ConvertEscapeToNoescape => value = Unary::of(body, id).operand,
                    Opcode::MarkDependence => value = views::MarkDependence::of(body, id).value,
                    _ => return Some(unknown(body, call)),
                }
                continue;
            };
            let is_parameter = block == body.entry() && arguments == Arguments::Checked;
            return (!is_parameter).then(|| unknown(body, call));
        }
    }

    fn callee(
        &mut self,
        body: &'m Body,
        call: InstructionId,
        id: FunctionId,
        required: Constraint,
    ) -> Option<Diagnostic> {
        let callee = &self.module.functions[id];
        if self.is_not_looked_into(id) {
            return None;
        }
        if callee.body.is_none() {
            let message = "called function is not available in this module and can have unpredictable performance";
            return Some(error_at(body, call, CODE, message));
        }
        if is_strong(self.visited.get(&id).copied(), required) {
            return None;
        }
        self.visited.insert(id, required);
        let fault = self.function(id, required, Arguments::Checked)?;
        let is_placed = |place: Option<SourcePlace>| place.is_some_and(|place| place.line != 0);
        // Library code has no source locations: the fault is reported at the call in the program.
        let place = source_place(body, call).filter(|_| !is_placed(fault.place));
        Some(match place {
            Some(place) => fault.in_source(Some(place)),
            None => note_at(fault, body, call, "called from here"),
        })
    }

    fn is_not_looked_into(&self, id: FunctionId) -> bool {
        self.has_semantics(id, NOT_LOOKED_INTO)
    }

    fn has_semantics(&self, id: FunctionId, semantics: &str) -> bool {
        self.module.functions[id].semantics(&self.module.context).any(|name| name == semantics)
    }
}

/// Returns the function that a value references.
fn referenced(module: &Module, body: &Body, value: Value) -> Option<FunctionId> {
    let id = body.defining(value)?;
    module.function_named(views::FunctionRef::get(body, id)?.function)
}

/// Returns whether a constraint is at least as strong as the required one.
fn is_strong(constraint: Option<Constraint>, required: Constraint) -> bool {
    constraint.is_some_and(|found| found >= required)
}

/// The code of these errors.
const CODE: &str = "performance";

fn unknown(body: &Body, call: InstructionId) -> Diagnostic {
    let message = "called function is not known at compile time and can have unpredictable performance";
    error_at(body, call, CODE, message)
}

/// Returns the function that a builtin runs once.
fn once_function(body: &Body, id: InstructionId) -> Option<Value> {
    let Details::Builtin(builtin) = &body.instructions[id].details else { return None };
    let kind = builtin.kind()?;
    let is_once = matches!(kind, BuiltinKind::Named(NamedBuiltin::Once | NamedBuiltin::OnceWithContext));
    is_once.then(|| body.operands(id).get(1).copied()).flatten()
}

/// Returns the fault of an instruction.
fn fault(scene: Scene<'_>, id: InstructionId, constraint: Constraint) -> Option<Diagnostic> {
    let effects = scene.effects(id);
    let message = message(scene, id, &effects, constraint)?;
    Some(error_at(scene.body, id, CODE, message))
}

fn message(scene: Scene<'_>, id: InstructionId, effects: &Effects, constraint: Constraint) -> Option<String> {
    let Scene { queries, function, body, .. } = scene;
    let name = |ty| canonical_type_name(queries, ty, function.signature);
    let is_existential = effects.has(Effect::Existential) || effects.has(Effect::ClassExistential);
    if constraint == Constraint::Existentials && is_existential {
        return Some(match effects.ty {
            Some(ty) => format!("cannot use a value of protocol type '{}' in '@_noExistential' function", name(ty)),
            None => "cannot use a value of protocol type in '@_noExistential' function".to_owned(),
        });
    }
    if effects.has(Effect::ObjectiveC) && !matches!(constraint, Constraint::Existentials | Constraint::Runtime) {
        return Some("calls of Objective-C methods can have unpredictable performance".to_owned());
    }
    if constraint > Constraint::Runtime {
        return None;
    }
    let opcode = body.instructions[id].opcode;
    if effects.has(Effect::Cast) {
        return Some("dynamic casting can lock or allocate".to_owned());
    }
    if effects.has(Effect::Metadata) {
        let what = match opcode {
            Opcode::Keypath => "using KeyPath",
            Opcode::AllocGlobal | Opcode::GlobalValue => "global or static variables",
            Opcode::PartialApply => "generic closures or local functions",
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => "generic function calls",
            Opcode::Metatype if is_only_measured(scene, id) => return None,
            _ => match effects.ty {
                Some(ty) => return Some(format!("Using type '{}' can cause metadata allocation or locks", name(ty))),
                None => "this code pattern",
            },
        };
        return Some(format!("{what} can cause metadata allocation or locks"));
    }
    if constraint == Constraint::Runtime {
        return None;
    }
    if effects.has(Effect::Allocation) {
        let what = match opcode {
            Opcode::BeginApply => "co-routine calls",
            Opcode::PartialApply => "closure captures",
            Opcode::AllocRef | Opcode::AllocRefDynamic => "class instance construction",
            _ => "this code pattern",
        };
        return Some(format!("{what} can cause an allocation"));
    }
    // The release of the last reference deallocates the object.
    if effects.has(Effect::Deallocation) || effects.has(Effect::Release) {
        let what = match opcode {
            Opcode::Store | Opcode::CopyAddr => "storing",
            Opcode::DestroyAddr | Opcode::DestroyValue => "ending the lifetime of",
            _ => return Some("this code pattern can cause an deallocation".to_owned()),
        };
        return Some(match effects.ty {
            Some(ty) => format!("{what} a value of type '{}' can cause a deallocation", name(ty)),
            None => "this code pattern can cause an deallocation".to_owned(),
        });
    }
    if constraint == Constraint::Allocation {
        return None;
    }
    if effects.has(Effect::Lock) {
        let what = if function.has(FunctionFlag::GlobalInit) {
            "global/static variable initialization"
        } else {
            "this code pattern"
        };
        return Some(format!("{what} can cause locking"));
    }
    let message = "this code performs reference counting operations which can cause locking";
    effects.has(Effect::Counting).then(|| message.to_owned())
}

/// Returns whether a metatype is only used for the size or a similar property of its type.
fn is_only_measured(scene: Scene<'_>, id: InstructionId) -> bool {
    let Scene { body, .. } = scene;
    let Some(result) = body.result(id) else { return false };
    let users = body.placed_instructions().filter(|user| body.operands(*user).contains(&result));
    users.into_iter().all(|user| {
        let Details::Builtin(builtin) = &body.instructions[user].details else { return false };
        let kind = builtin.kind();
        use NamedBuiltin::*;
        matches!(kind, Some(BuiltinKind::Named(Sizeof | Strideof | Alignof | IsPOD | IsConcrete | IsBitwiseTakable)))
    })
}

//! What Embedded Swift forbids everywhere: values of protocol types that are no classes', metatypes, key paths and casts by way of metadata
//! (lib/SILOptimizer/Mandatory/PerformanceDiagnostics.cpp, `visitFunctionEmbeddedSwift`), and generic functions that only run time could choose
//! (SwiftCompilerSources/Sources/Optimizer/ModulePasses/MandatoryPerformanceOptimizations.swift).
//!
//! Runs on what is left of the program when everything was made for its types. Of what a function that is visible outside calls, the first fault is
//! said. Does not own what IRGen does not support.

use rustc_hash::FxHashSet;

use super::CODE;
use super::effects::{Effect, Effects, Scene};
use crate::analysis::{ApplyKind, CalleeAnalysis, ModuleExtent};
use crate::context::{MetatypeRepresentation, Name, Type, TypeId};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::InitExistential;
use crate::model::{
    Body, Function, FunctionId, InstructionId, Linkage, Module, SourcePlace, VTable, VTableEntry, WitnessEntry,
    WitnessTable,
};
use crate::symbols::{EntityKind, Symbol};
use crate::transform::messages::findings::{error_at, note_at, source_place};
use crate::transform::messages::type_names::canonical_type_name;
use crate::types::TypeQueries;

/// Says what a program does that Embedded Swift forbids.
pub(super) fn diagnose(module: &Module, queries: &TypeQueries<'_>) -> Vec<Diagnostic> {
    let callees = CalleeAnalysis::new(module, queries, ModuleExtent::Whole);
    let mut walk = Walk { module, queries, callees, visited: FxHashSet::default() };
    let mut order: Vec<(Rank, FunctionId)> = module.functions.keys().map(|id| (rank(module, id), id)).collect();
    order.sort();
    let mut found: Vec<Diagnostic> =
        module.vtables.iter().flat_map(|table| generic_methods_of_class(module, queries, table)).collect();
    for (_, id) in order {
        let name = module.functions[id].name;
        found.extend(walk.first_fault(id).map(|fault| fault.in_function(name)));
    }
    found
}

/// Which functions are looked at first: from those that others see the ways to a fault are told best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Visible,
    Method,
    Other,
    InitializerOrDeinitializer,
}

fn rank(module: &Module, id: FunctionId) -> Rank {
    let function = &module.functions[id];
    let symbol = Symbol::demangle(module.context.text(function.name));
    let kind = symbol.and_then(|symbol| symbol.entity()).map(|entity| entity.kind);
    let is_method =
        |name: Name| module.vtables.iter().flat_map(|table| &table.entries).any(|entry| entry.function == name);
    match kind {
        Some(EntityKind::Initializer | EntityKind::Deinitializer) => Rank::InitializerOrDeinitializer,
        _ if is_method(function.name) => Rank::Method,
        _ if is_seen_outside(function) => Rank::Visible,
        _ => Rank::Other,
    }
}

fn is_seen_outside(function: &Function) -> bool {
    matches!(function.linkage, Linkage::Public | Linkage::PublicNonAbi | Linkage::Package | Linkage::PackageNonAbi)
}

/// The walk along the calls of a program. Each function is looked at once.
struct Walk<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    callees: CalleeAnalysis<'m>,
    visited: FxHashSet<FunctionId>,
}

/// A function on the way that is walked.
struct Frame<'m> {
    scene: Scene<'m>,
    /// What is left to be looked at, the next one last.
    left: Vec<Step>,
    /// The call that led to what is looked at next.
    call: Option<InstructionId>,
}

/// What is looked at.
enum Step {
    Instruction(InstructionId),
    Callee(InstructionId, FunctionId),
}

impl<'m> Walk<'m> {
    /// The first fault of a function and of what it calls.
    fn first_fault(&mut self, id: FunctionId) -> Option<Diagnostic> {
        let mut way: Vec<Frame<'m>> = self.enter(id).into_iter().collect();
        while let Some(frame) = way.last_mut() {
            match frame.left.pop() {
                None => {
                    way.pop();
                }
                Some(Step::Instruction(id)) => {
                    if let Some(fault) = fault(frame.scene, id) {
                        return Some(told_along(fault, &way));
                    }
                    let called = self.called(frame.scene.body, id);
                    frame.left.extend(called.into_iter().rev().map(|callee| Step::Callee(id, callee)));
                }
                Some(Step::Callee(call, callee)) => {
                    frame.call = Some(call);
                    way.extend(self.enter(callee));
                }
            }
        }
        None
    }

    /// A function that was not looked at yet. Generic ones are not: they are what others were made of.
    fn enter(&mut self, id: FunctionId) -> Option<Frame<'m>> {
        let (module, queries) = (self.module, self.queries);
        let function = &module.functions[id];
        let body = function.body.as_ref().filter(|_| function.signature.is_none())?;
        if !self.visited.insert(id) {
            return None;
        }
        let instructions: Vec<InstructionId> = body.placed_instructions().collect();
        let left = instructions.into_iter().rev().map(Step::Instruction).collect();
        Some(Frame { scene: Scene { module, queries, function, body }, left, call: None })
    }

    /// The functions that an instruction may call, or that a builtin lets run once.
    fn called(&self, body: &Body, id: InstructionId) -> Vec<FunctionId> {
        let is_call = ApplyKind::of(body.instructions[id].opcode).is_some_and(ApplyKind::is_full);
        let callee = super::once_function(self.module, body, id)
            .or_else(|| body.operands(id).first().copied().filter(|_| is_call));
        callee.map_or_else(Vec::new, |callee| self.callees.of(body, callee).known().to_vec())
    }
}

/// A fault at the end of the way, said at the innermost place in the program; the calls that lead there are noted.
fn told_along(mut fault: Diagnostic, way: &[Frame<'_>]) -> Diagnostic {
    let is_placed = |place: Option<SourcePlace>| place.is_some_and(|place| place.line != 0);
    for frame in way.iter().rev().skip(1) {
        let Some(call) = frame.call else { continue };
        let body = frame.scene.body;
        let place = source_place(body, call);
        fault = match is_placed(fault.place) {
            false if is_placed(place) => fault.in_source(place),
            _ => note_at(fault, body, call, "called from here"),
        };
    }
    fault
}

/// Methods that are made anew for the types that they are called with cannot be found in a vtable.
fn generic_methods_of_class(module: &Module, queries: &TypeQueries<'_>, table: &VTable) -> Vec<Diagnostic> {
    let depth = u32::from(queries.declarations.get(table.class).signature.is_some());
    let is_generic = |entry: &&VTableEntry| entry.formal_type.is_some_and(|ty| is_generic_method(queries, ty, depth));
    let entries = table.entries.iter().filter(|_| table.specialized.is_none()).filter(is_generic);
    let message = "classes cannot have non-final generic functions in embedded Swift";
    let error = |entry: &VTableEntry| {
        Diagnostic::error(CODE, message, entry.span).in_source(module.place_of_function(entry.function))
    };
    entries.map(error).collect()
}

/// Whether a method with this formal type, `<Self><T> (Self) -> (T) -> ()`, has generic parameters of its own: those of its type are less deep.
fn is_generic_method(queries: &TypeQueries<'_>, ty: TypeId, depth: u32) -> bool {
    let Type::FormalFunction(of_self) = queries.get(ty) else { return false };
    let signature = of_self.signature.map(|signature| queries.context.get_signature(signature));
    signature.is_some_and(|signature| signature.parameters.iter().any(|parameter| parameter.depth >= depth))
}

/// What an instruction does that is forbidden.
fn fault(scene: Scene<'_>, id: InstructionId) -> Option<Diagnostic> {
    let effects = scene.effects(id);
    let message = message(scene, id, &effects).or_else(|| generic_method(scene, id))?;
    Some(error_at(scene.body, id, CODE, message))
}

/// The first method of an object of which only protocols are to be known that would have to be made anew for the types that it is called with.
fn generic_method(Scene { module, queries, body, .. }: Scene<'_>, id: InstructionId) -> Option<String> {
    let view = InitExistential::get(body, id).filter(|_| body.instructions[id].opcode == Opcode::InitExistentialRef)?;
    let class = queries.as_nominal(view.concrete).filter(|class| class.arguments.is_empty())?.declaration;
    let protocols = queries.protocols_in(body.ty(body.result(id)?).ty);
    let context = queries.context;
    let is_wanted = |table: &&WitnessTable| {
        let conformance = context.get_conformance(table.conformance);
        queries.as_nominal(conformance.ty).is_some_and(|nominal| nominal.declaration == class)
            && protocols.contains(&conformance.protocol)
    };
    let mut entries = module.witness_tables.iter().filter(is_wanted).flat_map(|table| table.entries.iter().flatten());
    let member = entries.find_map(|entry| match entry {
        WitnessEntry::Method { member, formal_type: Some(ty), .. } => {
            is_generic_method(queries, *ty, 1).then_some(*member)
        }
        _ => None,
    })?;
    let name = context.text(context.get_member(member).name);
    Some(format!("an existential type cannot contain a generic method '{name}' in embedded Swift"))
}

fn message(scene: Scene<'_>, id: InstructionId, effects: &Effects) -> Option<String> {
    let Scene { queries, function, body, .. } = scene;
    let name = effects.ty.map(|ty| canonical_type_name(queries, ty, function.signature));
    if effects.has(Effect::Existential) {
        return Some(match name {
            Some(name) => format!("cannot use a value of protocol type '{name}' in embedded Swift"),
            None => "cannot use a value of protocol type in embedded Swift".into(),
        });
    }
    if !effects.has(Effect::Metadata) {
        return None;
    }
    match body.instructions[id].opcode {
        Opcode::ReleaseValue => name.map(|name| format!("cannot de-virtualize deinit of type '{name}'")),
        Opcode::Keypath => Some("cannot use key path in embedded Swift".into()),
        Opcode::CheckedCastAddrBr | Opcode::UnconditionalCheckedCastAddr => {
            Some("cannot do dynamic casting in embedded Swift".into())
        }
        Opcode::AllocRefDynamic => Some(metatype_message(name)),
        Opcode::Metatype | Opcode::ValueMetatype if !is_of_class(scene, id) => Some(metatype_message(name)),
        _ => None,
    }
}

fn metatype_message(name: Option<String>) -> String {
    match name {
        Some(name) => format!("cannot use metatype of type '{name}' in embedded Swift"),
        None => "cannot use metatype in embedded Swift".into(),
    }
}

/// Whether a metatype is that of a class, or there at compile time alone.
fn is_of_class(Scene { queries, body, .. }: Scene<'_>, id: InstructionId) -> bool {
    let Some(result) = body.result(id) else { return true };
    let Type::Metatype { representation, instance } = queries.get(body.ty(result).ty) else { return true };
    let instance = match queries.get(*instance) {
        Type::DynamicSelf(class) => *class,
        _ => *instance,
    };
    *representation != Some(MetatypeRepresentation::Thick) || queries.is_class(instance)
}

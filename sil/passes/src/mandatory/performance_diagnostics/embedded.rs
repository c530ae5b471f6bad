//! The restrictions of Embedded Swift: no existentials other than of classes, no metatypes, no key paths and no casts
//! by metadata (lib/SILOptimizer/Mandatory/PerformanceDiagnostics.cpp, `visitFunctionEmbeddedSwift`).
//!
//! Runs on the program after specialisation. For each visible function, the first fault in it or its callees is
//! reported. Does not own: methods with dynamic dispatch (`embedded_methods`), and restrictions of IRGen.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, CalleeAnalysis, ModuleExtent, Uses};
use sil_ir::context::{MetatypeRepresentation, Name, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{Body, Function, FunctionId, InstructionId, Linkage, Module, SourcePlace};
use sil_ir::symbols::{EntityKind, Symbol};
use sil_ir::types::TypeQueries;

use super::CODE;
use super::effects::{Effect, Effects, Scene};
use crate::messages::findings::{error_at, note_at, source_place};
use crate::messages::type_names::canonical_type_name;

/// Reports violations of the restrictions of Embedded Swift.
pub(super) fn diagnose(module: &Module, queries: &TypeQueries<'_>) -> Vec<Diagnostic> {
    let callees = CalleeAnalysis::new(module, queries, ModuleExtent::Whole);
    let mut walk = Walk { module, queries, callees, visited: FxHashSet::default() };
    let mut order: Vec<(Rank, FunctionId)> = module.functions.keys().map(|id| (rank(module, id), id)).collect();
    order.sort();
    let mut found = Vec::new();
    for (_, id) in order {
        let name = module.functions[id].name;
        found.extend(walk.first_fault(id).map(|fault| fault.in_function(name)));
    }
    found
}

/// The visiting order of functions: the path from a visible function to a fault is the most helpful.
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

/// The walk along the calls of a program. Each function is visited once.
struct Walk<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    callees: CalleeAnalysis<'m>,
    visited: FxHashSet<FunctionId>,
}

/// A function on the current path.
struct Frame<'m> {
    scene: Scene<'m>,
    /// The remaining steps, the next one last.
    left: Vec<Step>,
    /// The call of the next function on the path.
    call: Option<InstructionId>,
}

/// A step of the walk.
enum Step {
    Instruction(InstructionId),
    Callee(InstructionId, FunctionId),
}

impl<'m> Walk<'m> {
    /// Returns the first fault of a function and its callees.
    fn first_fault(&mut self, id: FunctionId) -> Option<Diagnostic> {
        let mut way: Vec<Frame<'m>> = self.enter(id).into_iter().collect();
        while let Some(frame) = way.last_mut() {
            match frame.left.pop() {
                None => {
                    way.pop();
                }
                Some(Step::Instruction(id)) => {
                    if let Some(fault) = fault(frame.scene, id) {
                        return Some(stated_along(fault, &way));
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

    /// Enters a function that was not visited yet. Generic functions are not visited, as their specialisations are.
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

    /// Returns the functions that an instruction may call, or that a builtin runs once.
    fn called(&self, body: &Body, id: InstructionId) -> Vec<FunctionId> {
        let is_call = ApplyKind::of(body.instructions[id].opcode).is_some_and(ApplyKind::is_full);
        let callee = super::once_function(body, id).or_else(|| body.operands(id).first().copied().filter(|_| is_call));
        callee.map_or_else(Vec::new, |callee| self.callees.of(body, callee).known().to_vec())
    }
}

/// Places a fault at the innermost source location on the path, with notes at the calls.
fn stated_along(mut fault: Diagnostic, way: &[Frame<'_>]) -> Diagnostic {
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

/// Returns the fault of an instruction.
fn fault(scene: Scene<'_>, id: InstructionId) -> Option<Diagnostic> {
    let effects = scene.effects(id);
    Some(error_at(scene.body, id, CODE, message(scene, id, &effects)?))
}

fn message(scene: Scene<'_>, id: InstructionId, effects: &Effects) -> Option<String> {
    let Scene { queries, function, body, .. } = scene;
    let name = effects.ty.map(|ty| canonical_type_name(queries, ty, function.signature));
    if effects.has(Effect::Existential) && !is_of_known_type(scene, id) {
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
        Opcode::Metatype | Opcode::ValueMetatype if is_unneeded(scene, id) => None,
        Opcode::Metatype | Opcode::ValueMetatype if !is_of_class(scene, id) => Some(metatype_message(name)),
        _ => None,
    }
}

/// Returns whether an instruction calls a witness of a known type: a missing specialisation is no use of an
/// existential.
fn is_of_known_type(Scene { queries, body, .. }: Scene<'_>, id: InstructionId) -> bool {
    let Some(callee) = ApplySite::new(body, id).and_then(|site| body.defining(site.callee()?)) else { return false };
    match views::WitnessMethod::get(body, callee) {
        Some(found) => found.method.lookup.is_some_and(|ty| !queries.is_dependent(ty)),
        None => body.instructions[callee].opcode == Opcode::FunctionRef,
    }
}

fn metatype_message(name: Option<String>) -> String {
    match name {
        Some(name) => format!("cannot use metatype of type '{name}' in embedded Swift"),
        None => "cannot use metatype in embedded Swift".into(),
    }
}

/// Returns whether a metatype is of a class, or has no run-time representation.
fn is_of_class(Scene { queries, body, .. }: Scene<'_>, id: InstructionId) -> bool {
    let Some(result) = body.result(id) else { return true };
    let Type::Metatype { representation, instance } = queries.get(body.ty(result).ty) else { return true };
    let instance = match queries.get(*instance) {
        Type::DynamicSelf(class) => *class,
        _ => *instance,
    };
    *representation != Some(MetatypeRepresentation::Thick) || queries.is_class(instance)
}

/// Returns whether a metatype is unused after the specialisation of functions without known metatype arguments of
/// structs and enums (`removeUnusedMetatypeInstructions` and `removeMetatypeArgumentsInCallees` in Swift's pass).
fn is_unneeded(scene: Scene<'_>, id: InstructionId) -> bool {
    let Scene { queries, body, .. } = scene;
    let Some(result) = body.result(id) else { return true };
    let is_known = match queries.get(body.ty(result).ty) {
        Type::Metatype { instance, .. } => {
            let is_value = queries.as_nominal(*instance).is_some() || matches!(queries.get(*instance), Type::Tuple(_));
            is_value && !queries.is_class(*instance)
        }
        _ => false,
    };
    let uses = Uses::new(body);
    uses.of(result).iter().all(|found| match body.instructions[found.user].opcode {
        // Sizes and similar properties are known to IRGen.
        Opcode::DebugValue | Opcode::Builtin => true,
        _ => is_known && found.operand > 0 && is_made_without_metatypes(scene, found.user),
    })
}

/// Returns whether the callee is specialised without its metatype arguments.
fn is_made_without_metatypes(scene: Scene<'_>, call: InstructionId) -> bool {
    let Scene { module, body, .. } = scene;
    let Some(site) = ApplySite::new(body, call) else { return false };
    match site.callee().and_then(|callee| super::referenced(module, body, callee)) {
        Some(callee) => {
            let is_generic = module.functions[callee].signature.is_some();
            matches!(site.kind, ApplyKind::Apply | ApplyKind::TryApply) && !is_generic
        }
        None => is_of_known_type(scene, call),
    }
}

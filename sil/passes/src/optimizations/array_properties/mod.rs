//! Specialises loops over arrays of objects for arrays with native Swift storage. The property checks of each iteration
//! are replaced by one check before both versions of the loop. Follows
//! lib/SILOptimizer/LoopTransforms/ArrayPropertyOpt.cpp.
//!
//! This file owns the selection of loops. `specialization` clones the loop.

mod specialization;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ApplySite, BodyView, Change, Dominators, LoopId};
use sil_ir::context::{ParameterConvention, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Store;
use sil_ir::model::{BlockId, Body, Definition, FunctionId, InstructionId, Module, Value};
use sil_ir::types::ArgumentConvention;

use self::specialization::Specialization;
use crate::editing::array_call_motion::ArrayCallMotion;
use crate::editing::editor::Editor;
use crate::editing::loop_copies::can_be_copied;
use crate::knowledge::array_calls::{ArrayCall, loaded_from};
use crate::knowledge::array_semantics::ArrayFunction;
use crate::knowledge::array_uses::{ArrayPath, ArrayUses};
use crate::knowledge::loop_graph::LoopGraph;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const ARRAY_PROPERTY_SPECIALIZATION: Pass = Pass::new(&Description {
    name: "array-property-opt",
    class_name: "SwiftArrayPropertyOpt",
    summary: "Versions loops over arrays of objects by whether the elements are stored natively.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Steps(&[Runner::Function(specialize), Runner::Function(super::borrowed_phis::update)]),
});

/// The limit on the instructions of a loop's callees, including their callees.
const MOST_CALLED_INSTRUCTIONS: usize = 5000;
/// The limit on the property checks of a loop.
const MOST_QUESTIONS: usize = 500;

/// Specialises the loops of a function.
pub(crate) fn specialize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, settings, .. } = environment;
    if settings.is_for_size(function) || !body.placed_instructions().any(|id| question(environment, body, id).is_some())
    {
        return Ok(None);
    }
    let order = body.blocks.keys().collect();
    let mut made = Specialization { environment, body: body.clone(), order };
    let mut is_changed = false;
    for header in specializable(environment).into_iter().rev() {
        let before = (made.body.clone(), made.order.clone());
        match made.specialize(header) {
            Some(()) => is_changed = true,
            None => (made.body, made.order) = before,
        }
    }
    let Specialization { mut body, order, .. } = made;
    body.keep_blocks(&order);
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Blocks)))
}

/// Returns the array property call if `id` is a check for native storage.
fn question(environment: Environment<'_>, body: &Body, id: InstructionId) -> Option<ArrayCall> {
    if body.instructions[id].opcode != Opcode::Apply {
        return None;
    }
    ArrayCall::of(environment, body, id).filter(|call| call.function == ArrayFunction::NativeTypeCheck)
}

/// The headers of the outermost loops that can be specialised.
fn specializable(environment: Environment<'_>) -> Vec<BlockId> {
    let body = environment.body;
    let graph = LoopGraph::new(body);
    let view = environment.view();
    let dominators = Dominators::new(body, &graph.cfg);
    let mut chosen: Vec<LoopId> = Vec::new();
    for id in 0..graph.nest.loops.len() {
        // Outer loops come before their inner loops.
        let is_in_chosen = chosen.iter().any(|outer| graph.nest.contains(*outer, graph.nest.loops[id].header));
        let candidate = Candidate::new(environment, &view, &graph, &dominators, id);
        if !is_in_chosen && candidate.is_some_and(|mut candidate| candidate.is_specializable()) {
            chosen.push(id);
        }
    }
    chosen.into_iter().map(|id| graph.nest.loops[id].header).collect()
}

/// A loop that may be specialised.
struct Candidate<'c, 'm> {
    environment: Environment<'m>,
    view: &'c BodyView<'m>,
    graph: &'c LoopGraph,
    dominators: &'c Dominators,
    id: LoopId,
    preheader: BlockId,
    /// The arrays that are known to be loop invariant.
    known: FxHashSet<Value>,
}

impl<'c, 'm> Candidate<'c, 'm> {
    fn new(
        environment: Environment<'m>,
        view: &'c BodyView<'m>,
        graph: &'c LoopGraph,
        dominators: &'c Dominators,
        id: LoopId,
    ) -> Option<Self> {
        let preheader = graph.nest.preheader(view.body, &graph.cfg, id)?;
        Some(Self { environment, view, graph, dominators, id, preheader, known: FxHashSet::default() })
    }

    /// Returns whether the loop has property checks, all of them can be hoisted, and the loop can be duplicated.
    fn is_specializable(&mut self) -> bool {
        let body = self.view.body;
        let found = &self.graph.nest.loops[self.id];
        let instructions: Vec<InstructionId> =
            found.blocks.iter().flat_map(|block| body.instructions_in(*block)).collect();
        let mut questions = 0;
        for id in &instructions {
            if !can_be_copied(self.view, self.graph, self.id, *id) {
                return false;
            }
            if let Some(call) = question(self.environment, body, *id) {
                questions += 1;
                if !self.can_ask_in_front(call) {
                    return false;
                }
            }
        }
        let most = MOST_QUESTIONS * (1 + (found.depth - 1) / 10);
        let mut sizes = CalleeSizes { module: self.view.module, known: FxHashMap::default() };
        let is_small = |id: &InstructionId| {
            let site = ApplySite::new(body, *id).filter(|site| site.kind.is_full());
            site.is_none_or(|site| sizes.called(site) < MOST_CALLED_INSTRUCTIONS)
        };
        (1..=most).contains(&questions) && instructions.iter().all(is_small)
    }

    /// Returns whether the result of the check is loop invariant and the check dominates all exits of the loop.
    fn can_ask_in_front(&mut self, call: ArrayCall) -> bool {
        let body = self.view.body;
        let block = body.instructions[call.instruction].block;
        let found = &self.graph.nest.loops[self.id];
        let mut leaving = found.blocks.iter().filter(|exiting| self.graph.leaves(body, self.id, **exiting));
        let is_certain = leaving.all(|exiting| self.dominators.dominates(block, *exiting));
        let Some(array) = call.array(body).filter(|array| is_certain && self.has_objects(*array)) else { return false };
        let origin = self.without_load(array);
        if self.known.contains(&origin) {
            return true;
        }
        let mut editor = Editor::new(self.environment);
        let motion = ArrayCallMotion { editor: &mut editor, dominators: self.dominators, to: self.preheader };
        if !motion.can_hoist(call) {
            return false;
        }
        let path = ArrayPath::of(self.view, origin);
        let uses = ArrayUses::of(self.view, &path);
        let mut addresses = uses.of_container.iter().chain(&uses.of_address);
        let stays = self.is_function_alone(path.container)
            && uses.of_field_address.is_empty()
            && addresses.all(|id| self.is_harmless(*id));
        if stays {
            self.known.insert(origin);
        }
        stays
    }

    /// Returns whether the element type is a reference type. Arrays of other elements always have native storage.
    fn has_objects(&self, array: Value) -> bool {
        let queries = self.view.queries;
        let signature = self.view.function.signature;
        let Some(nominal) = queries.as_nominal(self.view.body.ty(array).ty) else { return false };
        let is_reference = |argument: &TypeId| queries.properties(*argument, signature).is_reference();
        queries.declarations.get(nominal.declaration).kind == NominalKind::Struct
            && !nominal.arguments.is_empty()
            && nominal.arguments.iter().all(is_reference)
    }

    /// Looks through the load of an array and the projection of its address from a struct.
    fn without_load(&self, array: Value) -> Value {
        let Some(address) = loaded_from(self.view.body, array) else { return array };
        match self.view.definition(address) {
            Some((id, Opcode::StructElementAddr)) => self.view.operand(id, 0).unwrap_or(address),
            _ => address,
        }
    }

    /// Returns whether the container of the array is referenced by this function only.
    fn is_function_alone(&self, container: Value) -> bool {
        use ParameterConvention::{Guaranteed, InOut, Owned, Unowned};
        match self.view.definition(container) {
            Some((_, opcode)) => opcode == Opcode::AllocStack,
            None => matches!(
                self.view.argument_convention(container),
                Some(ArgumentConvention::Parameter(InOut | Owned | Guaranteed | Unowned))
            ),
        }
    }

    /// Returns whether a user of the address stores no other array that the loop may read.
    fn is_harmless(&self, id: InstructionId) -> bool {
        use Opcode::*;
        let body = self.view.body;
        let block = body.instructions[id].block;
        let is_inside = self.graph.nest.contains(self.id, block);
        match self.view.opcode(id) {
            DebugValue | DeallocStack | Load => true,
            Apply => ArrayCall::of(self.environment, body, id).is_some() || !is_inside && !self.reaches_loop(block),
            Store => {
                let stored = self::Store::of(body, id).source;
                let is_argument = matches!(body.values[stored].definition, Definition::Argument { .. });
                let is_result = || self.view.definition(stored).is_some_and(|(_, opcode)| opcode == Apply);
                !is_inside && (is_argument || is_result())
            }
            _ => false,
        }
    }

    fn reaches_loop(&self, block: BlockId) -> bool {
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut open = vec![self.preheader];
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(self.graph.cfg.predecessors(next));
            }
        }
        seen.contains(&block)
    }
}

/// The instruction counts of functions, including their callees. The count of an unknown callee exceeds the limit.
struct CalleeSizes<'m> {
    module: &'m Module,
    known: FxHashMap<FunctionId, usize>,
}

impl CalleeSizes<'_> {
    fn called(&mut self, site: ApplySite<'_>) -> usize {
        let called = site.called_function().and_then(|name| self.module.function_named(name));
        called.map_or(MOST_CALLED_INSTRUCTIONS, |called| self.of(called))
    }

    fn of(&mut self, function: FunctionId) -> usize {
        if let Some(size) = self.known.get(&function) {
            return *size;
        }
        self.known.insert(function, 0);
        let Some(body) = &self.module.functions[function].body else { return 0 };
        let mut size = 0;
        for id in body.placed_instructions() {
            size += 1;
            if let Some(site) = ApplySite::new(body, id).filter(|site| site.kind.is_full()) {
                size += self.called(site);
            }
            if size >= MOST_CALLED_INSTRUCTIONS {
                size = MOST_CALLED_INSTRUCTIONS;
                break;
            }
        }
        self.known.insert(function, size);
        size
    }
}

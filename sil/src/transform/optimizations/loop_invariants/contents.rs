//! What a loop does, as far as it matters for what can be done in front of it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::conflicts;
use crate::analysis::{
    AliasAnalysis, AnalyzedModule, ApplySite, BodyView, Dominators, InstructionEffects, LoopId, named_archetypes,
    opening,
};
use crate::context::{Name, ResultConvention};
use crate::instructions::builtins::{BuiltinKind, NamedBuiltin};
use crate::instructions::{Attribute, MemoryBehavior, Opcode, Position};
use crate::model::views::Unary;
use crate::model::{BlockId, Body, Definition, Details, FunctionFlag, InstructionId, Ownership, Value};
use crate::transform::knowledge::array_semantics::{ArrayFunction, Semantics};
use crate::transform::knowledge::loop_graph::LoopGraph;
use crate::transform::pass::Environment;

/// A loop, and what is known of the body around it.
pub(super) struct LoopContext<'l, 'm> {
    pub(super) environment: Environment<'l>,
    pub(super) analyzed: &'l AnalyzedModule<'m>,
    pub(super) aliases: &'l AliasAnalysis<'l, 'm>,
    pub(super) view: &'l BodyView<'m>,
    pub(super) graph: &'l LoopGraph,
    pub(super) dominators: Dominators,
    pub(super) effects: InstructionEffects<'m>,
    pub(super) id: LoopId,
    pub(super) preheader: BlockId,
    /// What opens the archetypes that the loop opens.
    openings: FxHashMap<Name, InstructionId>,
}

impl<'l, 'm> LoopContext<'l, 'm> {
    pub(super) fn new(
        environment: Environment<'l>,
        analyzed: &'l AnalyzedModule<'m>,
        aliases: &'l AliasAnalysis<'l, 'm>,
        view: &'l BodyView<'m>,
        graph: &'l LoopGraph,
        (id, preheader): (LoopId, BlockId),
    ) -> Self {
        let body = environment.body;
        let instructions = graph.nest.loops[id].blocks.iter().flat_map(|block| body.instructions_in(*block));
        let opened = |instruction| opening(view.queries, body, instruction).map(|(name, _)| (name, instruction));
        let openings = instructions.filter_map(opened).collect();
        let (dominators, effects) = (Dominators::new(body, &graph.cfg), analyzed.instruction_effects());
        Self { environment, analyzed, aliases, view, graph, dominators, effects, id, preheader, openings }
    }

    /// The blocks of the loop.
    pub(super) fn blocks(&self) -> &'l [BlockId] {
        &self.graph.nest.loops[self.id].blocks
    }

    pub(super) fn contains(&self, block: BlockId) -> bool {
        self.graph.nest.contains(self.id, block)
    }

    /// Whether a value is made outside the loop, as `body` has it, which may be a later one than that of the context.
    pub(super) fn is_value_invariant(&self, body: &Body, value: Value) -> bool {
        match body.values[value].definition {
            Definition::Result { instruction, .. } => !self.contains(body.instructions[instruction].block),
            Definition::Argument { block, .. } => !self.contains(block),
            Definition::Undef => false,
        }
    }

    /// Whether all that an instruction needs is made outside the loop: values, and the archetypes that it names.
    pub(super) fn is_invariant(&self, body: &Body, id: InstructionId) -> bool {
        let opens_outside = |name: &Name| {
            let opening = self.openings.get(name).filter(|opening| **opening != id);
            opening.is_none_or(|opening| !self.contains(body.instructions[*opening].block))
        };
        body.operands(id).iter().all(|operand| self.is_value_invariant(body, *operand))
            && (self.openings.is_empty() || named_archetypes(self.view.queries, body, id).iter().all(opens_outside))
    }

    /// The blocks of the loop that lead out of it or back.
    pub(super) fn exiting_and_latches(&self) -> Vec<BlockId> {
        let body = self.environment.body;
        let header = self.graph.nest.loops[self.id].header;
        let leads = |block: &&BlockId| {
            let targets = body.terminator(**block).map_or(&[][..], |end| body.targets(end));
            targets.iter().any(|target| *target == header || !self.contains(*target))
        };
        self.blocks().iter().filter(leads).copied().collect()
    }

    /// The blocks that each round of the loop runs through, in their order.
    pub(super) fn certain_blocks(&self) -> Vec<BlockId> {
        let ends = self.exiting_and_latches();
        let is_certain = |block: &&BlockId| ends.iter().all(|end| self.dominators.dominates(**block, *end));
        let mut blocks: Vec<BlockId> = self.blocks().iter().filter(is_certain).copied().collect();
        blocks.sort_by_key(|block| self.graph.cfg.number(*block));
        blocks
    }

    /// Whether an instruction uses or makes values with ownership: those are not moved.
    fn has_ownership(&self, id: InstructionId) -> bool {
        let body = self.environment.body;
        let is_owned = |value: Value| self.view.ownership(value) != Ownership::None;
        self.environment.function.has(FunctionFlag::Ossa)
            && (body.operands(id).iter().any(|operand| is_owned(*operand)) || body.results(id).any(is_owned))
    }
}

/// What is in a loop.
#[derive(Default)]
pub(super) struct Contents {
    /// What does more than its results say.
    pub(super) side_effects: Vec<InstructionId>,
    /// Loads that copy or take nothing.
    pub(super) loads: Vec<InstructionId>,
    /// Stores that destroy nothing.
    pub(super) stores: Vec<InstructionId>,
    /// `fix_lifetime` of memory that is there before the loop.
    pub(super) fixed_lifetimes: Vec<InstructionId>,
    pub(super) accesses: Vec<InstructionId>,
    /// What runs code of other functions.
    pub(super) calls: Vec<InstructionId>,
    /// Addresses of properties of objects.
    pub(super) properties: Vec<InstructionId>,
    /// What can be done in front of the loop if all that it needs is there.
    pub(super) hoistable: FxHashSet<InstructionId>,
    /// Whether something besides the loads reads memory, and does nothing else.
    pub(super) reads_otherwise: bool,
    /// Whether accesses begin or end here of which the other end is elsewhere.
    pub(super) has_unpaired_accesses: bool,
    /// Calls that only read.
    read_only_calls: Vec<InstructionId>,
    /// Calls that initialise globals unless that is done, which nothing in their blocks keeps from being done earlier.
    initializations: Vec<InstructionId>,
}

impl Contents {
    pub(super) fn of(context: &LoopContext<'_, '_>, semantics: Semantics) -> Self {
        let mut contents = Self::default();
        for block in context.blocks() {
            let mut before = Vec::new();
            for id in context.environment.body.instructions_in(*block) {
                contents.instruction(context, semantics, id, &before);
                if contents.side_effects.last() == Some(&id) {
                    before.push(id);
                }
            }
        }
        contents.find_hoistable(context);
        contents
    }

    fn instruction(
        &mut self,
        context: &LoopContext<'_, '_>,
        semantics: Semantics,
        id: InstructionId,
        before: &[InstructionId],
    ) {
        let body = context.environment.body;
        let opcode = body.instructions[id].opcode;
        if runs_code(body, id) {
            self.calls.push(id);
        }
        self.has_unpaired_accesses |= matches!(opcode, Opcode::BeginUnpairedAccess | Opcode::EndUnpairedAccess);
        if context.has_ownership(id) {
            self.add_effects(context, id);
            return;
        }
        match opcode {
            Opcode::FixLifetime => {
                let operand = Unary::of(body, id).operand;
                if body.ty(operand).is_address() && context.is_value_invariant(body, operand) {
                    self.fixed_lifetimes.push(id);
                }
                return;
            }
            Opcode::Load if !body.instructions[id].attributes.contains(Attribute::Take) => {
                self.loads.push(id);
                return;
            }
            Opcode::RefElementAddr => {
                self.properties.push(id);
                return;
            }
            Opcode::Store if !destroys(body, id) => self.stores.push(id),
            Opcode::BeginAccess => self.accesses.push(id),
            // What a check guards must not be done before it is made.
            Opcode::CondFail => {
                self.hoistable.insert(id);
            }
            Opcode::Apply if is_read_only(context, semantics, id) => self.read_only_calls.push(id),
            Opcode::Apply | Opcode::Builtin
                if initializes_global(context, id)
                    && !before.iter().any(|effect| conflicts::with_initialization(context, *effect, id)) =>
            {
                self.initializations.push(id);
            }
            _ => {}
        }
        self.add_effects(context, id);
        if is_pure(context, context.environment.body, id)
            || semantics == Semantics::Called && is_pure_of_arrays(context, id)
        {
            self.hoistable.insert(id);
        }
    }

    fn add_effects(&mut self, context: &LoopContext<'_, '_>, id: InstructionId) {
        let body = context.environment.body;
        if context.effects.may_have_side_effects(body, id) {
            self.side_effects.push(id);
        } else if context.effects.memory_behavior(body, id).may_read() {
            self.reads_otherwise = true;
        }
    }

    fn find_hoistable(&mut self, context: &LoopContext<'_, '_>) {
        let effects = &self.side_effects;
        // Few loops have more; comparing all with all takes long in those.
        let is_cheap = |count: usize| count * effects.len() < conflicts::MOST_COMPARISONS;
        if is_cheap(self.read_only_calls.len()) {
            let calls = self.read_only_calls.iter().filter(|call| !conflicts::change_read(context, effects, **call));
            self.hoistable.extend(calls);
        }
        if is_cheap(self.loads.len()) {
            let loads = self.loads.iter().filter(|load| !conflicts::change_loaded(context, effects, **load));
            self.hoistable.extend(loads);
        }
        let first = conflicts::initializations_that_can_be_first(context, effects, &self.initializations);
        self.hoistable.extend(first);
    }
}

/// Whether a store ends the lifetime of what was there, or begins one.
fn destroys(body: &Body, id: InstructionId) -> bool {
    let attributes = body.instructions[id].attributes;
    attributes.contains(Attribute::Assign) || attributes.contains(Attribute::Init)
}

/// Whether an instruction runs code of other functions, or lets others run.
fn runs_code(body: &Body, id: InstructionId) -> bool {
    ApplySite::new(body, id).is_some_and(|site| site.kind.is_full())
        || matches!(body.instructions[id].opcode, Opcode::EndApply | Opcode::AbortApply | Opcode::HopToExecutor)
}

/// Whether a call only reads, and gives nothing that has to be released.
fn is_read_only(context: &LoopContext<'_, '_>, semantics: Semantics, id: InstructionId) -> bool {
    let BodyView { module, queries, body, .. } = context.view;
    let Some(site) = ApplySite::new(body, id) else { return false };
    let Some(conventions) = site.conventions(queries) else { return false };
    // Passes over arrays look for these calls in loops.
    if semantics == Semantics::Called
        && ArrayFunction::of_call(module, body, id) == Some(ArrayFunction::NativeTypeCheck)
    {
        return false;
    }
    conventions.indirect_results().next().is_none()
        && conventions.direct_results().all(|result| result.convention == ResultConvention::Unowned)
        && conflicts::called_effect(context, id, conflicts::Retains::Ignored) <= MemoryBehavior::MayRead
}

/// Whether a call or a builtin initialises a global where that has not happened yet.
fn initializes_global(context: &LoopContext<'_, '_>, id: InstructionId) -> bool {
    let BodyView { module, body, .. } = context.view;
    if let Details::Builtin(builtin) = &body.instructions[id].details {
        let kind = builtin.kind();
        return matches!(kind, Some(BuiltinKind::Named(NamedBuiltin::Once | NamedBuiltin::OnceWithContext)));
    }
    let called = ApplySite::new(body, id).and_then(ApplySite::called_function);
    let called = called.and_then(|name| module.function_named(name));
    called.is_some_and(|called| module.functions[called].has(FunctionFlag::GlobalInit))
}

/// Whether an instruction does nothing but make values of others, wherever it stands.
pub(super) fn is_pure(context: &LoopContext<'_, '_>, body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    let opcode = body.instructions[id].opcode;
    let is_fixed = opcode.information().position == Position::Terminator
        || matches!(
            opcode,
            AllocStack
                | AllocPack
                | AllocPackMetadata
                | AllocRef
                | AllocRefDynamic
                | AllocBox
                | AllocVector
                | AllocExistentialBox
                | AllocGlobal
                | PartialApply
                | MarkUninitialized
                | MarkFunctionEscape
                | BeginDeallocRef
                | EndCowMutation
                | EndInitLetRef
                | SpecifyTest
                // What is in a pack may be set anew in each round.
                | PackElementGet
        );
    !is_fixed
        && context.effects.memory_behavior(body, id) == MemoryBehavior::None
        && !context.effects.may_have_side_effects(body, id)
}

/// Whether a call asks an array, which is a value, for something that depends on the array alone.
fn is_pure_of_arrays(context: &LoopContext<'_, '_>, id: InstructionId) -> bool {
    let BodyView { module, queries, body, .. } = context.view;
    let function = ArrayFunction::of_call(module, body, id);
    let takes_value = || {
        let site = ApplySite::new(body, id)?;
        let conventions = site.conventions(queries)?;
        Some(conventions.arguments().all(|argument| argument.convention.is_guaranteed() && !argument.ty.is_address()))
    };
    body.instructions[id].opcode == Opcode::Apply
        && matches!(function, Some(ArrayFunction::Count | ArrayFunction::Capacity))
        && takes_value() == Some(true)
}

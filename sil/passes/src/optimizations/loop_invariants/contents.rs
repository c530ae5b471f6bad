//! Classifies the instructions of a loop for hoisting and sinking.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{
    AliasAnalysis, AnalyzedModule, ApplySite, BodyView, Dominators, InstructionEffects, LoopId, named_archetypes,
    opening,
};
use sil_ir::context::{Name, ResultConvention};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode, Position};
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, Body, Definition, Details, FunctionFlag, InstructionId, Ownership, Value};

use super::conflicts;
use crate::knowledge::array_semantics::{ArrayFunction, Semantics};
use crate::knowledge::loop_graph::LoopGraph;
use crate::pass::Environment;

/// A loop and the analyses of its body.
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
    /// The instructions that open archetypes in the loop.
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

    /// Returns whether a value is defined outside of the loop in `body`, which may be newer than the body of the
    /// context.
    pub(super) fn is_value_invariant(&self, body: &Body, value: Value) -> bool {
        match body.values[value].definition {
            Definition::Result { instruction, .. } => !self.contains(body.instructions[instruction].block),
            Definition::Argument { block, .. } => !self.contains(block),
            Definition::Undef => false,
        }
    }

    /// Returns whether the operands of an instruction, and the archetypes of its types, are defined outside of the
    /// loop.
    pub(super) fn is_invariant(&self, body: &Body, id: InstructionId) -> bool {
        let opens_outside = |name: &Name| {
            let opening = self.openings.get(name).filter(|opening| **opening != id);
            opening.is_none_or(|opening| !self.contains(body.instructions[*opening].block))
        };
        body.operands(id).iter().all(|operand| self.is_value_invariant(body, *operand))
            && (self.openings.is_empty() || named_archetypes(self.view.queries, body, id).iter().all(opens_outside))
    }

    /// The exiting blocks and latches of the loop.
    pub(super) fn exiting_and_latches(&self) -> Vec<BlockId> {
        let body = self.environment.body;
        let header = self.graph.nest.loops[self.id].header;
        let leads = |block: &&BlockId| {
            let targets = body.terminator(**block).map_or(&[][..], |end| body.targets(end));
            targets.iter().any(|target| *target == header || !self.contains(*target))
        };
        self.blocks().iter().filter(leads).copied().collect()
    }

    /// The blocks that run in each iteration, in reverse post-order.
    pub(super) fn certain_blocks(&self) -> Vec<BlockId> {
        let ends = self.exiting_and_latches();
        let is_certain = |block: &&BlockId| ends.iter().all(|end| self.dominators.dominates(**block, *end));
        let mut blocks: Vec<BlockId> = self.blocks().iter().filter(is_certain).copied().collect();
        blocks.sort_by_key(|block| self.graph.cfg.number(*block));
        blocks
    }

    /// Returns whether an instruction has operands or results with ownership. Such instructions are not moved.
    fn has_ownership(&self, id: InstructionId) -> bool {
        let body = self.environment.body;
        let is_owned = |value: Value| self.view.ownership(value) != Ownership::None;
        self.environment.function.has(FunctionFlag::Ossa)
            && (body.operands(id).iter().any(|operand| is_owned(*operand)) || body.results(id).any(is_owned))
    }
}

/// The classified instructions of a loop.
#[derive(Default)]
pub(super) struct Contents {
    /// Instructions with side effects.
    pub(super) side_effects: Vec<InstructionId>,
    /// Loads that neither copy nor take.
    pub(super) loads: Vec<InstructionId>,
    /// Stores that destroy nothing.
    pub(super) stores: Vec<InstructionId>,
    /// `fix_lifetime`s of loop-invariant memory.
    pub(super) fixed_lifetimes: Vec<InstructionId>,
    pub(super) accesses: Vec<InstructionId>,
    /// Instructions that run other functions' code.
    pub(super) calls: Vec<InstructionId>,
    /// Addresses of class properties.
    pub(super) properties: Vec<InstructionId>,
    /// Instructions that can be hoisted if their operands are invariant.
    pub(super) hoistable: FxHashSet<InstructionId>,
    /// Whether instructions other than the loads read memory without other effects.
    pub(super) reads_otherwise: bool,
    /// Whether the loop contains only one end of an access.
    pub(super) has_unpaired_accesses: bool,
    /// Read-only calls.
    read_only_calls: Vec<InstructionId>,
    /// Calls of global initialisers, which no instruction of their blocks keeps from being hoisted.
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
            // An instruction must not be hoisted above a check that guards it.
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
        // Few loops exceed the limit. The comparison is quadratic.
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

/// Returns whether a store ends or begins the lifetime of a value in memory.
fn destroys(body: &Body, id: InstructionId) -> bool {
    let attributes = body.instructions[id].attributes;
    attributes.contains(Attribute::Assign) || attributes.contains(Attribute::Init)
}

/// Returns whether an instruction runs other functions' code, or suspends.
fn runs_code(body: &Body, id: InstructionId) -> bool {
    ApplySite::new(body, id).is_some_and(|site| site.kind.is_full())
        || matches!(body.instructions[id].opcode, Opcode::EndApply | Opcode::AbortApply | Opcode::HopToExecutor)
}

/// Returns whether a call only reads and its results need no release.
fn is_read_only(context: &LoopContext<'_, '_>, semantics: Semantics, id: InstructionId) -> bool {
    let BodyView { module, queries, body, .. } = context.view;
    let Some(site) = ApplySite::new(body, id) else { return false };
    let Some(conventions) = site.conventions(queries) else { return false };
    // Array passes look for these calls in loops.
    if semantics == Semantics::Called
        && ArrayFunction::of_call(module, body, id) == Some(ArrayFunction::NativeTypeCheck)
    {
        return false;
    }
    conventions.indirect_results().next().is_none()
        && conventions.direct_results().all(|result| result.convention == ResultConvention::Unowned)
        && conflicts::called_effect(context, id, conflicts::Retains::Ignored) <= MemoryBehavior::MayRead
}

/// Returns whether a call or builtin initialises a global once.
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

/// Returns whether an instruction is pure and does not depend on its position.
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
                // The elements of a pack may be set in each iteration.
                | PackElementGet
        );
    !is_fixed
        && context.effects.memory_behavior(body, id) == MemoryBehavior::None
        && !context.effects.may_have_side_effects(body, id)
}

/// Returns whether a call queries a property of an array value.
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

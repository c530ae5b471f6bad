//! Decides whether inlining is profitable, by comparing cost and benefit. Follows
//! lib/SILOptimizer/Transforms/PerformanceInliner.cpp. Profiles are not read.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, InstructionEffects, Use, Uses};
use sil_ir::context::{CoroutineKind, ParameterConvention, SubstitutionMapId, Type};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{BlockId, Body, Definition, Details, Function, FunctionFlag, FunctionId, InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use super::constants::ConstantTracker;
use super::cost::inline_cost;
use super::paths::Weight;
use super::{Calls, Known, ModuleEnvironment as Environment, Selection};
use crate::pass::settings::{AlwaysInlining, GenericInlining};

/// The benefit of removing a call.
const CALL: i32 = 20;
const COROUTINE_CALL: i32 = 300;
const CLOSURE: i32 = CALL + 50;
const LOAD: i32 = CALL + 5;
const STORE: i32 = CALL + 10;
const TERMINATOR: i32 = CALL + 10;
const COUNTING: i32 = CALL + 20;
const FAST_PATH: i32 = CALL + 40;
const DEVIRTUALIZED: i32 = CALL + 300;
const EXCLUSIVITY: i32 = CALL + 10;
const RETURNED_ALLOCATION: i32 = CALL + 10;
/// The cost limit of class methods in functions that are optimised for size.
const METHOD_OF_SMALL: i32 = 5;
/// The cost limit of callees that do not increase the code size.
const TRIVIAL: i32 = 18;
const BLOCK_LIMIT_DENOMINATOR: i32 = 3000;
const BLOCK_LIMIT: i32 = 18608;

/// An apply site to decide on.
#[derive(Clone, Copy)]
pub(super) struct Decision<'d> {
    pub(super) caller: &'d Function,
    pub(super) body: &'d Body,
    pub(super) call: InstructionId,
    pub(super) callee: FunctionId,
    /// The number of blocks that the caller will have.
    pub(super) blocks: i32,
}

impl Calls<'_> {
    /// Returns whether a callee is inlined at every apply site. `blocks` is the number of blocks of the caller.
    pub(super) fn is_always_inlined(&self, callee: FunctionId, blocks: i32) -> bool {
        let function = &self.environment.module.functions[callee];
        let count = self.body(callee).map_or(0, |body| body.blocks.len());
        let is_heeded = self.environment.settings.inlining.always == AlwaysInlining::Heeded;
        function.has(FunctionFlag::Transparent)
            || function.has(FunctionFlag::AlwaysInline) && is_heeded && (blocks < 64 || count <= 64)
    }

    /// Returns whether a call in a cold block is inlined.
    pub(super) fn is_worth_it_where_cold(&self, decision: Decision<'_>) -> bool {
        if self.is_generic(decision) {
            return self.generic(decision).unwrap_or(false);
        }
        if self.is_always_inlined(decision.callee, decision.blocks) {
            return true;
        }
        self.body(decision.callee).is_some_and(|body| {
            let costs = body.placed_instructions().map(|id| inline_cost(self.environment.queries, body, id));
            costs.sum::<i32>() <= TRIVIAL
        })
    }

    /// Returns whether a call is inlined.
    pub(super) fn is_worth_it(&self, decision: Decision<'_>, weight: Weight, known: &ConstantTracker<'_>) -> bool {
        if self.is_generic(decision)
            && let Some(decided) = self.generic(decision)
        {
            return decided;
        }
        self.is_always_inlined(decision.callee, decision.blocks) || self.is_profitable(decision, weight, known)
    }

    fn is_generic(&self, decision: Decision<'_>) -> bool {
        match &decision.body.instructions[decision.call].details {
            Details::Apply(apply) => apply.substitutions != SubstitutionMapId::EMPTY,
            _ => false,
        }
    }

    /// Decides on a call with substitutions. `None` if the decision depends on the benefit.
    fn generic(&self, Decision { caller, body, call, callee, blocks }: Decision<'_>) -> Option<bool> {
        let Environment { module, queries, settings, .. } = self.environment;
        let function = &module.functions[callee];
        let has_meaning = |name: &str| name.starts_with("array.") || name.starts_with("fixed_storage.");
        if self.is_standard_library() && self.has_semantics(function, has_meaning) || is_thunk(caller) {
            return Some(false);
        }
        if self.is_always_inlined(callee, blocks) {
            return Some(true);
        }
        let Details::Apply(apply) = &body.instructions[call].details else { return Some(false) };
        let mut is_open = |part| {
            (queries.is_type_parameter(part) || matches!(queries.get(part), Type::OpenedArchetype { .. })).then_some(())
        };
        let replacements = queries.context.replacements(apply.substitutions);
        // A call with concrete types is left to the generic specialiser.
        if !replacements.iter().any(|ty| queries.find_in(*ty, &mut is_open).is_some()) {
            return Some(false);
        }
        let is_coroutine = match queries.get(function.ty) {
            Type::Function(ty) => ty.coroutine != CoroutineKind::None,
            _ => false,
        };
        if is_coroutine {
            return None;
        }
        if is_thunk(function) && self.body(callee).is_some_and(returns_closure) {
            return Some(true);
        }
        (settings.inlining.generics == GenericInlining::Forced).then_some(false)
    }

    fn is_profitable(&self, decision: Decision<'_>, weight: Weight, known: &ConstantTracker<'_>) -> bool {
        let Decision { caller, body, call, callee, blocks } = decision;
        let Environment { module, queries, settings, .. } = self.environment;
        let function = &module.functions[callee];
        let (Some(callee_body), Some(facts)) = (self.body(callee), self.facts(callee)) else { return false };
        let is_coroutine = ApplyKind::of(body.instructions[call].opcode) == Some(ApplyKind::BeginApply);
        let is_small = settings.is_for_size(caller) && !is_coroutine;
        if is_small && is_thunk(caller) {
            return false;
        }
        let base = base_benefit(body, call, is_coroutine, is_small);
        if self.is_pure(decision) {
            return true;
        }
        if self.has_semantics(function, |name| name == "optimize.sil.inline.constant.arguments")
            && self.has_constant_arguments(decision)
        {
            return true;
        }
        // A callee that can be specialised is not inlined before that.
        if self.is_generic(decision) && self.selection == Selection::WithoutMeaning && is_prespecialized(function) {
            return false;
        }
        let mut estimate = Estimate {
            calls: self,
            function,
            body: callee_body,
            known: known.of_callee(callee_body, call),
            cost: 0,
            benefit: 0,
            exclusivity: 0,
            all_accesses: true,
            returns_allocation: false,
            is_small,
        };
        weight.update(&mut estimate.benefit, base);
        estimate.run(&facts, weight);
        let Estimate { cost, mut benefit, exclusivity, all_accesses, returns_allocation, .. } = estimate;
        if all_accesses {
            benefit = benefit.max(exclusivity);
        }
        if is_thunk(caller) {
            return cost <= TRIVIAL;
        }
        benefit = match blocks < BLOCK_LIMIT {
            true => benefit - blocks * blocks / BLOCK_LIMIT_DENOMINATOR * blocks / BLOCK_LIMIT_DENOMINATOR,
            false => 0,
        };
        let is_method = match queries.get(function.ty) {
            Type::Function(ty) => {
                ty.representation == sil_ir::context::Representation::Method
                    && ty.parameters.last().is_some_and(|own| queries.is_class(own.ty))
            }
            _ => false,
        };
        if is_small && is_method && benefit > METHOD_OF_SMALL {
            benefit = METHOD_OF_SMALL + if returns_allocation { 10 } else { 0 };
        }
        cost <= benefit
    }

    /// Returns whether a call only computes a value from constants.
    fn is_pure(&self, Decision { body, call, .. }: Decision<'_>) -> bool {
        let Environment { module, queries, .. } = self.environment;
        let effects = InstructionEffects::new(module, queries);
        if effects.memory_behavior(body, call) != MemoryBehavior::None {
            return false;
        }
        let Some(site) = ApplySite::new(body, call) else { return false };
        let Some(conventions) = site.conventions(queries) else { return false };
        let uses = Uses::new(body);
        let results = conventions.indirect_results().count();
        (1 + results..body.operands(call).len())
            .all(|operand| self.is_constant_argument(body, &uses, effects, Use { user: call, operand: operand as u32 }))
    }

    /// Returns whether an argument, and all computations on its components, become dead once the call is inlined.
    fn is_constant_argument(&self, body: &Body, uses: &Uses, effects: InstructionEffects<'_>, argument: Use) -> bool {
        use Opcode::*;
        let Some(first) = body.defining(argument.value(body)) else { return false };
        let (mut seen, mut open): (FxHashSet<InstructionId>, _) = (FxHashSet::from_iter([first]), vec![first]);
        while let Some(id) = open.pop() {
            let goes = matches!(
                body.instructions[id].opcode,
                StrongRetain | StrongRelease | RetainValue | ReleaseValue | Store | DeallocStackRef | DeallocRef
            );
            if !goes && effects.memory_behavior(body, id) != MemoryBehavior::None {
                return false;
            }
            for result in body.results(id) {
                let others = uses.of(result).iter().filter(|found| **found != argument);
                open.extend(others.map(|found| found.user).filter(|user| seen.insert(*user)));
            }
            for operand in body.operands(id) {
                let Some(made) = body.defining(*operand) else { return false };
                if seen.insert(made) {
                    open.push(made);
                }
            }
        }
        true
    }

    fn has_constant_arguments(&self, Decision { body, call, .. }: Decision<'_>) -> bool {
        let Some(conventions) = ApplySite::new(body, call).and_then(|site| site.conventions(self.environment.queries))
        else {
            return false;
        };
        let results = conventions.indirect_results().count();
        body.operands(call)[1 + results..].iter().all(|argument| is_constant(body, *argument))
    }
}

/// Returns whether a value is a literal or a struct of literals.
fn is_constant(body: &Body, value: Value) -> bool {
    use Opcode::*;
    let Some(id) = body.defining(value) else { return false };
    match body.instructions[id].opcode {
        IntegerLiteral | FloatLiteral | StringLiteral | FunctionRef | GlobalAddr | AllocGlobal => true,
        Struct => body.operands(id).iter().all(|part| is_constant(body, *part)),
        _ => false,
    }
}

fn base_benefit(body: &Body, call: InstructionId, is_coroutine: bool, is_small: bool) -> i32 {
    let base = if is_coroutine { COROUTINE_CALL } else { CALL };
    let more = |count: usize| (LOAD + STORE) * (count as i32 - 5).max(0);
    let benefit = base + more(body.operands(call).len()) + more(body.results(call).len());
    if is_small { benefit / 2 } else { benefit }
}

pub(super) fn is_thunk(function: &Function) -> bool {
    use FunctionFlag::*;
    [Thunk, SignatureOptimizedThunk, ReabstractionThunk, BackDeployedThunk].iter().any(|flag| function.has(*flag))
}

fn is_prespecialized(function: &Function) -> bool {
    function.attributes.iter().any(|attribute| matches!(attribute, sil_ir::model::FunctionAttribute::Specialize(_)))
}

fn returns_closure(body: &Body) -> bool {
    let returned = body.blocks.keys().find_map(|block| {
        let id = body.terminator(block).filter(|id| body.instructions[*id].opcode == Opcode::Return)?;
        Some(Unary::of(body, id).operand)
    });
    let made = returned.and_then(|value| body.defining(value));
    made.is_some_and(|id| body.instructions[id].opcode == Opcode::PartialApply)
}

/// The cost and benefit of inlining a callee at one apply site.
struct Estimate<'e, 'm> {
    calls: &'e Calls<'m>,
    function: &'e Function,
    body: &'e Body,
    known: ConstantTracker<'e>,
    cost: i32,
    benefit: i32,
    exclusivity: i32,
    /// Whether the storage of all dynamic accesses is identified.
    all_accesses: bool,
    returns_allocation: bool,
    /// Whether the caller is optimised for size.
    is_small: bool,
}

impl Estimate<'_, '_> {
    fn run(&mut self, facts: &Known, caller: Weight) {
        let mut open = std::collections::VecDeque::from([self.body.entry()]);
        while let Some(block) = open.pop_front() {
            self.known.begin_block();
            let weight = facts.paths.weight(block, caller);
            let is_free = !self.is_small && self.ends_program(block);
            for id in self.body.instructions_in(block) {
                self.known.track(id);
                if !is_free {
                    self.cost += inline_cost(self.calls.environment.queries, self.body, id);
                }
                self.instruction(id, weight);
            }
            let taken = self.body.terminator(block).and_then(|terminator| self.known.taken(terminator));
            if taken.is_some() {
                weight.update(&mut self.benefit, TERMINATOR);
            }
            let is_alive = |child: &BlockId| {
                taken.is_none_or(|taken| facts.cfg.single_predecessor(*child) != Some(block) || *child == taken)
            };
            open.extend(facts.dominated[block].iter().copied().filter(is_alive));
        }
    }

    /// Returns whether a block ends in `unreachable`. Such a block handles a failed check, which costs no time. With
    /// `swiftc -O` it is a trap. In modules that are not built for it, it is the whole report.
    fn ends_program(&self, block: BlockId) -> bool {
        let end = self.body.terminator(block);
        end.is_some_and(|end| self.body.instructions[end].opcode == Opcode::Unreachable)
    }

    fn instruction(&mut self, id: InstructionId, weight: Weight) {
        use Opcode::*;
        let body = self.body;
        let operand = |index: usize| body.operands(id).get(index).copied();
        match body.instructions[id].opcode {
            Apply | TryApply | BeginApply => self.call(id, weight),
            Load if self.known.is_on_stack_of_caller(Unary::of(body, id).operand) => {
                weight.update(&mut self.benefit, LOAD);
            }
            Store if self.known.is_on_stack_of_caller(views::Store::of(body, id).destination) => {
                weight.update(&mut self.benefit, STORE);
            }
            StrongRelease | ReleaseValue if operand(0).is_some_and(|value| self.is_guaranteed_argument(value)) => {
                weight.update(&mut self.benefit, COUNTING);
            }
            Builtin => {
                let Details::Builtin(builtin) = &body.instructions[id].details else { return };
                let kind = builtin.kind();
                if kind == Some(BuiltinKind::Named(NamedBuiltin::OnFastPath)) {
                    weight.update(&mut self.benefit, FAST_PATH);
                }
            }
            BeginAccess if body.instructions[id].attributes.contains(Attribute::Dynamic) => {
                let is_alone = body.instructions[id].attributes.contains(Attribute::NoNestedConflict);
                if is_alone && self.is_known_storage(id) {
                    weight.update(&mut self.exclusivity, EXCLUSIVITY);
                } else {
                    self.all_accesses = false;
                }
            }
            Return if self.is_allocation(Unary::of(body, id).operand) => {
                weight.update(&mut self.benefit, RETURNED_ALLOCATION);
                self.returns_allocation = true;
            }
            _ => {}
        }
    }

    fn call(&mut self, id: InstructionId, weight: Weight) {
        let body = self.body;
        let Some(callee) = ApplySite::new(body, id).and_then(ApplySite::callee) else { return };
        let made = self.known.definition_in_caller(callee);
        let is_closure = made.is_some_and(|made| self.known.caller_makes_function(made));
        if is_closure {
            weight.update(&mut self.benefit, CLOSURE);
        }
        // The benefit of a witness method that becomes known.
        let Details::Apply(apply) = &body.instructions[id].details else { return };
        let is_generic = apply.substitutions != SubstitutionMapId::EMPTY
            && self.calls.environment.settings.inlining.generics == GenericInlining::Worthwhile;
        let looked_up = body.defining(callee).map(|id| body.instructions[id].opcode);
        if is_generic
            && made.is_none()
            && looked_up == Some(Opcode::FunctionRef)
            && self.becomes_concrete(apply.substitutions)
        {
            weight.update(&mut self.benefit, DEVIRTUALIZED);
        }
    }

    /// Returns whether the substitutions become concrete once the callee is inlined.
    fn becomes_concrete(&self, map: SubstitutionMapId) -> bool {
        let queries = self.calls.environment.queries;
        let outer = self.known.substitutions();
        let map = queries.substitute_map(map, outer);
        let mut is_open = |part| queries.is_type_parameter(part).then_some(());
        queries.context.replacements(map).iter().all(|ty| queries.find_in(*ty, &mut is_open).is_none())
    }

    fn is_guaranteed_argument(&self, value: Value) -> bool {
        use Opcode::*;
        let mut value = value;
        while let Some(id) = self.body.defining(value)
            && matches!(
                self.body.instructions[id].opcode,
                Upcast | UncheckedRefCast | RefToRawPointer | RawPointerToRef | UncheckedTrivialBitCast
            )
        {
            value = self.body.operands(id)[0];
        }
        let Definition::Argument { block, index } = self.body.values[value].definition else { return false };
        let conventions = self.calls.environment.queries.conventions(self.function.ty);
        let argument = conventions.and_then(|found| found.argument(index as usize));
        block == self.body.entry()
            && argument.is_some_and(|argument| {
                argument.convention == ArgumentConvention::Parameter(ParameterConvention::Guaranteed)
            })
    }

    /// Returns whether the accessed storage is identified.
    fn is_known_storage(&self, access: InstructionId) -> bool {
        use Opcode::*;
        let mut address = self.body.operands(access)[0];
        loop {
            let Some(id) = self.body.defining(address) else {
                return matches!(self.body.values[address].definition, Definition::Argument { block, .. } if block == self.body.entry());
            };
            match self.body.instructions[id].opcode {
                StructElementAddr | TupleElementAddr | BeginAccess => address = self.body.operands(id)[0],
                GlobalAddr | RefElementAddr | RefTailAddr | ProjectBox | AllocStack => return true,
                _ => return false,
            }
        }
    }

    fn is_allocation(&self, value: Value) -> bool {
        use Opcode::*;
        let body = self.body;
        let opcode = |value: Value| body.defining(value).map(|id| (id, body.instructions[id].opcode));
        let mut value = value;
        while let Some((id, EndInitLetRef | Upcast)) = opcode(value) {
            value = body.operands(id)[0];
        }
        let is_one = |value: Value| {
            let mut value = value;
            while let Some((id, ThinToThickFunction | ConvertFunction | ConvertEscapeToNoescape)) = opcode(value) {
                value = body.operands(id)[0];
            }
            let made = opcode(value).map(|(_, opcode)| opcode);
            matches!(
                made,
                Some(AllocRef | AllocRefDynamic | AllocBox | AllocExistentialBox | AllocStack | PartialApply)
            )
        };
        match opcode(value) {
            Some((id, Tuple)) => body.operands(id).iter().any(|part| is_one(*part)),
            Some((_, AllocRef | AllocRefDynamic | AllocBox | AllocExistentialBox | AllocStack | PartialApply)) => true,
            _ => false,
        }
    }
}

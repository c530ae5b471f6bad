//! Inlining: replaces a call with the body of its callee (lib/SILOptimizer/Utils/SILInliner.cpp). Passes choose the
//! calls. `arguments` passes the arguments, `coroutines` inlines coroutine calls, `casts` converts address casts.

mod arguments;
mod casts;
mod coroutines;

pub(crate) use self::coroutines::can_inline;

use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use sil_analysis::{ControlFlowGraph, OwnershipKinds};
use sil_ir::context::{FunctionAttribute as TypeAttribute, Name, SubstitutionMapId, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{TryApply, Unary};
use sil_ir::model::{
    BlockId, Body, Details, Function, FunctionFlag, InstructionId, LocationKind, LocationTraits, Ownership, Place,
    Replacements, Value,
};
use sil_ir::source::Span;
use sil_ir::types::TypeQueries;

use self::coroutines::Coroutine;
use super::builder::Origin;
use super::cloning::{ClonePlaces, Cloner};
use crate::{InstructionBuilder, LexicalLifetimes};

/// A function whose body can be inlined.
#[derive(Clone, Copy)]
pub(crate) struct Callee<'i> {
    pub(crate) function: &'i Function,
    pub(crate) body: &'i Body,
}

impl<'i> Callee<'i> {
    fn parameters(self) -> &'i [Value] {
        &self.body.blocks[self.body.entry()].arguments
    }

    fn returns_once(self) -> bool {
        let terminators = self.body.blocks.keys().filter_map(|block| self.body.terminator(block));
        terminators.filter(|id| self.body.instructions[*id].opcode == Opcode::Return).count() == 1
    }
}

/// The purpose of inlining.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InlineKind {
    /// Completion of a program for code generation, without other changes.
    Completing,
    /// Mandatory inlining: the callee is never debugged, so its debug variables are dropped.
    Mandatory,
    /// Performance inlining: debug variables are kept.
    Performance,
}

/// The result of inlining a call.
pub(crate) struct Inlined {
    /// The created instructions.
    pub(crate) instructions: Vec<InstructionId>,
    /// The resumptions of a coroutine: the block that ends with one, and the block with the code after the end of the
    /// call.
    pub(crate) resumptions: Vec<(BlockId, BlockId)>,
}

/// A call to inline.
pub(crate) struct CallSite {
    /// An `apply`, `try_apply` or `begin_apply`.
    pub(crate) call: InstructionId,
    /// The arguments.
    pub(crate) arguments: Vec<Value>,
    /// The substitutions of the call.
    pub(crate) substitutions: SubstitutionMapId,
}

/// The chain of functions that an instruction was inlined from.
pub(crate) struct Chain {
    function: Name,
    /// The span of the inlined call, and the chain of the call itself.
    outer: Option<(Span, Arc<Chain>)>,
}

impl Chain {
    /// The chain of an instruction of `function` itself.
    pub(crate) fn new(function: Name) -> Self {
        Self { function, outer: None }
    }

    /// The chain of an instruction that is inlined from `function` for a call at `call`.
    pub(crate) fn with(self: &Arc<Self>, function: Name, call: Span) -> Self {
        Self { function, outer: Some((call, self.clone())) }
    }

    pub(crate) fn contains(&self, function: Name) -> bool {
        self.links().any(|chain| chain.function == function)
    }

    /// The inlined calls, innermost first.
    pub(crate) fn calls(&self) -> impl Iterator<Item = Span> {
        self.links().filter_map(|chain| Some(chain.outer.as_ref()?.0))
    }

    fn links(&self) -> impl Iterator<Item = &Chain> {
        std::iter::successors(Some(self), |chain| Some(&*chain.outer.as_ref()?.1))
    }
}

/// A body that calls are inlined into.
pub(crate) struct Inliner<'i> {
    queries: &'i TypeQueries<'i>,
    function: &'i Function,
    pub(crate) body: Body,
    /// The ownership of values, `None` without ownership.
    kinds: SecondaryMap<Value, OwnedKind>,
    /// The replacements of the results of inlined calls.
    replacements: Replacements,
    /// The original number of blocks.
    original: usize,
    /// The new blocks to place after each block, latest first.
    after: SecondaryMap<BlockId, Vec<BlockId>>,
    kind: InlineKind,
    lexical_lifetimes: LexicalLifetimes,
}

/// An ownership kind that defaults to `None`.
#[derive(Clone, Copy)]
struct OwnedKind(Ownership);

impl Default for OwnedKind {
    fn default() -> Self {
        Self(Ownership::None)
    }
}

/// The targets of the exits of the inlined body.
struct Exits {
    returned: BlockId,
    thrown: Option<BlockId>,
    /// The result of the call, if it is the operand of the only `return`.
    result: Option<Value>,
    /// The coroutine call.
    coroutine: Option<Coroutine>,
}

impl<'i> Inliner<'i> {
    /// Creates an inliner into `function` with the body `body`, for calls that must be inlined for code generation.
    pub(crate) fn new(queries: &'i TypeQueries<'i>, function: &'i Function, body: &Body) -> Self {
        Self::with(queries, function, body, InlineKind::Completing, LexicalLifetimes::Kept)
    }

    /// Creates an inliner into `function` with the body `body`.
    pub(crate) fn with(
        queries: &'i TypeQueries<'i>,
        function: &'i Function,
        body: &Body,
        kind: InlineKind,
        lexical_lifetimes: LexicalLifetimes,
    ) -> Self {
        let mut kinds = SecondaryMap::new();
        if function.has(FunctionFlag::Ossa) {
            let found = OwnershipKinds::new(queries, function, body, &ControlFlowGraph::new(body));
            body.values.keys().for_each(|value| kinds[value] = OwnedKind(found.kind(value)));
        }
        Self {
            queries,
            function,
            body: body.clone(),
            kinds,
            replacements: Replacements::default(),
            original: body.blocks.len(),
            after: SecondaryMap::new(),
            kind,
            lexical_lifetimes,
        }
    }

    /// The current replacement of `value`.
    pub(crate) fn resolve(&self, value: Value) -> Value {
        self.replacements.resolve(value)
    }

    /// Replaces `value` with `by`.
    pub(crate) fn replace(&mut self, value: Value, by: Value) {
        self.replacements.replace(value, by);
    }

    /// Inlines `callee` at a call. The callee operand's definition remains.
    pub(crate) fn inline(&mut self, site: &CallSite, callee: Callee<'_>) -> Inlined {
        let call = site.call;
        let places = ClonePlaces::Call(self.origin(call));
        let block = self.body.instructions[call].block;
        let mut exits = self.exits(call, callee);
        let arguments = self.lend(site, callee, &exits);
        self.body.erase(call);
        let mut cloner =
            Cloner::new(self.queries, callee.body, site.substitutions, self.function.signature, places, call);
        cloner.come_from(callee.function.specialized_from);
        for (parameter, argument) in callee.parameters().iter().zip(&arguments) {
            cloner.map_value(*parameter, *argument);
        }
        cloner.map_block(callee.body.entry(), block);
        let first = self.body.instructions.next_key();
        let first_value = self.body.values.next_key();
        let (caller, kind) = (self.asynchrony(), self.kind);
        let cloned = cloner.blocks(&mut self.body, |cloner, body, into, id| {
            clone_instruction(cloner, body, callee.body, into, id, caller, kind);
        });
        cloned.made.into_iter().rev().for_each(|made| self.place_after(block, made));
        self.learn_kinds(&cloner, callee, first_value);
        for block in cloned.order {
            self.clone_terminator(&mut cloner, callee.body, block, &mut exits, call);
        }
        let resumptions = exits.coroutine.as_ref().map(Coroutine::resumptions).unwrap_or_default();
        if let Some(coroutine) = exits.coroutine {
            self.complete(coroutine, call);
        }
        let instructions = (first.as_u32()..self.body.instructions.len() as u32).map(InstructionId::from_u32).collect();
        Inlined { instructions, resumptions }
    }

    /// The origin of the instructions that are inlined for a call.
    fn origin(&self, call: InstructionId) -> Origin {
        let origin = Origin::of(&self.body, call);
        match self.kind {
            InlineKind::Performance => origin,
            _ => {
                let traits = LocationTraits { kind: LocationKind::MandatoryInlined, ..origin.traits };
                Origin { traits, ..origin }
            }
        }
    }

    /// Returns the body with the inlined calls.
    pub(crate) fn finish(mut self) -> Body {
        self.body.replace_values(&self.replacements);
        let layout = self.layout();
        self.body.reorder_blocks(&layout);
        self.body
    }

    /// Splits the block after an `apply`.
    fn exits(&mut self, call: InstructionId, callee: Callee<'_>) -> Exits {
        if let Some(TryApply { normal, error, .. }) = TryApply::get(&self.body, call) {
            return Exits { returned: normal, thrown: Some(error), result: None, coroutine: None };
        }
        let block = self.body.instructions[call].block;
        // An `apply` is not a terminator, so an instruction follows it.
        let rest = match self.body.next(call) {
            Some(next) => self.body.split_block(next),
            None => self.body.add_block(),
        };
        self.place_after(block, rest);
        if self.body.instructions[call].opcode == Opcode::BeginApply {
            let coroutine = Some(self.coroutine(call));
            return Exits { returned: rest, thrown: None, result: None, coroutine };
        }
        let result = self.body.result(call);
        let is_passed_on = |result: &Value| callee.returns_once() && self.kinds[*result].0 != Ownership::Unowned;
        if let Some(result) = result.filter(is_passed_on) {
            return Exits { returned: rest, thrown: None, result: Some(result), coroutine: None };
        }
        if let Some(result) = result {
            let ty = self.body.ty(result);
            let kind = self.kinds[result];
            // An unowned result is copied there.
            let kind = if kind.0 == Ownership::Unowned { OwnedKind(Ownership::Owned) } else { kind };
            let argument = self.body.add_argument(rest, ty, kind.0);
            self.kinds[argument] = kind;
            self.replacements.replace(result, argument);
        }
        Exits { returned: rest, thrown: None, result: None, coroutine: None }
    }

    fn place_after(&mut self, block: BlockId, placed: BlockId) {
        self.after[block].push(placed);
    }

    /// The block order.
    fn layout(&self) -> Vec<BlockId> {
        let mut layout = Vec::with_capacity(self.body.blocks.len());
        let mut open: Vec<BlockId> = self.body.blocks.keys().take(self.original).collect();
        open.reverse();
        while let Some(block) = open.pop() {
            layout.push(block);
            // The block that was placed last directly follows, so it is on top of the stack.
            open.extend(&self.after[block]);
        }
        layout
    }

    fn asynchrony(&self) -> Asynchrony {
        match self.queries.get(self.function.ty) {
            Type::Function(function) if function.attributes.contains(TypeAttribute::Async) => Asynchrony::Async,
            _ => Asynchrony::Sync,
        }
    }

    fn clone_terminator(
        &mut self,
        cloner: &mut Cloner<'_>,
        from: &Body,
        block: BlockId,
        exits: &mut Exits,
        call: InstructionId,
    ) {
        let Some(terminator) = from.terminator(block) else { return };
        let into = cloner.block(&mut self.body, block);
        if let Some(coroutine) = &mut exits.coroutine
            && self.clone_coroutine_terminator(cloner, from, terminator, coroutine, exits.returned, call)
        {
            return;
        }
        if self.clone_cast(cloner, from, terminator, call) {
            return;
        }
        let exit = match (from.instructions[terminator].opcode, exits.thrown) {
            (Opcode::Return, _) => Some(exits.returned),
            (Opcode::Throw | Opcode::ThrowAddr, Some(thrown)) => Some(thrown),
            // The call is marked `nothrow`.
            (Opcode::Throw | Opcode::ThrowAddr, None) => None,
            _ => {
                cloner.instruction(&mut self.body, into, terminator);
                return;
            }
        };
        let passed = Unary::get(from, terminator).map(|view| cloner.value(&mut self.body, view.operand));
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(into), call);
        match exit {
            Some(exit) if exits.result.is_some() => builder.branch(exit, &[]),
            Some(exit) => builder.branch(exit, passed.as_slice()),
            None => builder.unreachable(),
        };
        if exit.is_some()
            && let Some((result, passed)) = exits.result.zip(passed)
        {
            self.replacements.replace(result, passed);
        }
    }

    /// Records the ownership of cloned values, which is that of the originals unless their types became trivial.
    fn learn_kinds(&mut self, cloner: &Cloner<'_>, callee: Callee<'_>, first: Value) {
        if !self.function.has(FunctionFlag::Ossa) {
            return;
        }
        let graph = ControlFlowGraph::new(callee.body);
        let kinds = OwnershipKinds::new(self.queries, callee.function, callee.body, &graph);
        for (value, clone) in cloner.cloned_values().filter(|(_, clone)| *clone >= first) {
            let ty = self.body.ty(clone);
            let trivial = !ty.is_address() && self.queries.properties(ty.ty, self.function.signature).is_trivial();
            self.kinds[clone] = if trivial { OwnedKind::default() } else { OwnedKind(kinds.kind(value)) };
        }
    }
}

/// Whether a function is asynchronous.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asynchrony {
    Sync,
    Async,
}

/// Clones an instruction. In mandatory inlining, debug variables are not cloned, and the locations of their allocations
/// are removed.
fn clone_instruction(
    cloner: &mut Cloner<'_>,
    to: &mut Body,
    from: &Body,
    into: BlockId,
    id: InstructionId,
    caller: Asynchrony,
    kind: InlineKind,
) {
    match from.instructions[id].opcode {
        Opcode::DebugValue if kind != InlineKind::Performance => return,
        Opcode::HopToExecutor if caller == Asynchrony::Sync => return,
        _ => {}
    }
    let clone = cloner.instruction(to, into, id);
    let instruction = &mut to.instructions[clone];
    let allocates = matches!(instruction.opcode, Opcode::AllocStack | Opcode::AllocBox);
    if allocates && kind != InlineKind::Performance {
        instruction.details = Details::None;
        instruction.locate_automatically();
    }
}

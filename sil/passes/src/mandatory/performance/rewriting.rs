//! The work on one function: devirtualises witness methods, inlines transparent functions, and specialises generic
//! calls. A call whose callee is not linked yet waits for the next round.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ApplyKind, ApplySite};
use sil_ir::context::{Name, Representation, SilType, SubstitutionMapId, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{
    Apply, BlockId, Body, Details, Function, FunctionId, InstructionId, LanguageMode, Module, Place, Value,
};
use sil_ir::types::TypeQueries;
use sil_text::syntax::{Libraries, Wanted};

use super::argument_casts::cast_arguments;
use super::requirements::is_concrete;
use super::{Seen, constants, folding, is_transparent};
use crate::InstructionBuilder;
use crate::editing::block_merging::merge_blocks;
use crate::editing::inlining::{CallSite, Callee, Chain, Inlined, Inliner, can_inline};
use crate::editing::stack_nesting;
use crate::editing::unused::remove_unused;
use crate::knowledge::aggregate_parts::TypePlace;
use crate::knowledge::witnesses::{Witness, WitnessIndex};
use crate::optimizations::generic_specialization::{
    CallSpecialization, Reabstraction, Retargeted, Specialization, SpecializedCall, retarget, retarget_to,
};
use crate::pass::settings::Settings;

/// The scheduled work on a function.
pub(super) struct Work {
    pub(super) function: FunctionId,
    pub(super) progress: Progress,
}

/// The progress of a function's rewriting. Unreachable code is not rewritten.
#[derive(Clone, Default)]
pub(super) struct Progress {
    /// The calls that wait for linked functions.
    waiting: Vec<InstructionId>,
    /// The branches whose conditions depend on these.
    branches: Vec<InstructionId>,
    /// The terminators that were reached.
    reached: FxHashSet<InstructionId>,
    /// Possibly unused values: former callees, and operands of folded instructions.
    unused: Vec<Value>,
    /// The inlining chains of inlined instructions; the function's own instructions have none.
    chains: FxHashMap<InstructionId, Arc<Chain>>,
    /// Whether a coroutine was inlined, whose stack allocations may be freed out of order.
    breaks_nesting: bool,
}

impl Progress {
    /// Returns whether work remains after linking.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// The inputs of rewriting.
#[derive(Clone, Copy)]
pub(super) struct Context<'m> {
    pub(super) module: &'m Module,
    pub(super) libraries: &'m Libraries<'m>,
    pub(super) queries: &'m TypeQueries<'m>,
    pub(super) witnesses: &'m WitnessIndex,
    pub(super) settings: &'m Settings,
}

pub(super) struct Rewriting<'m> {
    module: &'m Module,
    libraries: &'m Libraries<'m>,
    queries: &'m TypeQueries<'m>,
    witnesses: &'m WitnessIndex,
    settings: &'m Settings,
    seen: &'m Seen,
    function: &'m Function,
    inliner: Inliner<'m>,
    /// The inlining chain of the function's own instructions.
    outer: Arc<Chain>,
    /// The reached blocks.
    open: Vec<BlockId>,
    progress: Progress,
    pub(super) wanted: Wanted,
    pub(super) made: Vec<Specialization>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The result of visiting an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visited {
    Kept,
    /// New code replaces it.
    Replaced,
    /// This instruction replaces it, and needs no further work.
    Rewritten(InstructionId),
}

/// The decision on a call.
enum Decision {
    Nothing,
    /// Wait for linking.
    Wait,
    /// Call this function with these generic arguments.
    Retarget(Name, SubstitutionMapId),
    Inline(FunctionId),
    /// Call a specialised function.
    Specialize(Box<CallSpecialization>),
    /// Call the method that this instruction finds in the vtable for the generic arguments.
    LookUp(InstructionId),
}

impl<'m> Rewriting<'m> {
    pub(super) fn new(context: Context<'m>, seen: &'m Seen, work: &Work) -> Self {
        let Context { module, libraries, queries, witnesses, settings } = context;
        let function = &module.functions[work.function];
        let empty = Body::default();
        let body = function.body.as_ref().unwrap_or(&empty);
        Self {
            module,
            libraries,
            queries,
            witnesses,
            settings,
            seen,
            function,
            inliner: Inliner::new(queries, function, body),
            outer: Arc::new(Chain::new(function.name)),
            open: Vec::new(),
            progress: work.progress.clone(),
            wanted: Wanted::default(),
            made: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Rewrites the code reachable from waiting calls, or from the entry in the first round.
    pub(super) fn run(&mut self) {
        let waiting = std::mem::take(&mut self.progress.waiting);
        let branches = std::mem::take(&mut self.progress.branches);
        if self.progress.reached.is_empty() && !self.inliner.body.blocks.is_empty() {
            self.open.push(self.inliner.body.entry());
        }
        // A waiting call may be erased with unreachable code.
        let placed: FxHashSet<InstructionId> = self.inliner.body.placed_instructions().collect();
        for id in waiting.into_iter().filter(|id| placed.contains(id)) {
            let block = self.inliner.body.instructions[id].block;
            let previous = self.inliner.body.previous(id);
            if self.visit(id) == Visited::Replaced {
                self.walk(block, previous);
            }
        }
        for branch in branches.into_iter().filter(|id| placed.contains(id)) {
            self.fold_again(views::CondBr::of(&self.inliner.body, branch).condition);
            self.leave(self.inliner.body.instructions[branch].block);
        }
        self.follow();
    }

    fn follow(&mut self) {
        while let Some(block) = self.open.pop() {
            let terminator = self.inliner.body.terminator(block);
            if terminator.is_some_and(|id| !self.progress.reached.contains(&id)) {
                self.walk(block, None);
            }
        }
    }

    /// Visits the instructions of a block after `previous`.
    fn walk(&mut self, block: BlockId, mut previous: Option<InstructionId>) {
        loop {
            let body = &self.inliner.body;
            let next = previous.map_or_else(|| body.first_instruction(block), |previous| body.next(previous));
            let Some(id) = next else { break };
            match self.visit(id) {
                Visited::Kept => previous = Some(id),
                Visited::Rewritten(made) => previous = Some(made),
                Visited::Replaced => {}
            }
        }
        self.leave(block);
    }

    /// Continues with the successors of a block.
    fn leave(&mut self, block: BlockId) {
        let Some(terminator) = self.inliner.body.terminator(block) else { return };
        if self.inliner.body.instructions[terminator].opcode == Opcode::CondBr {
            let condition = views::CondBr::of(&self.inliner.body, terminator).condition;
            if constants::fold_branch(&mut self.inliner, terminator) {
                self.progress.unused.push(condition);
            } else if self.is_waited_for(condition) {
                self.progress.reached.insert(terminator);
                self.progress.branches.push(terminator);
                return;
            }
        }
        if self.inliner.body.instructions[terminator].opcode == Opcode::SwitchEnum {
            let operand = views::SwitchEnum::of(&self.inliner.body, terminator).operand;
            if constants::fold_switch(self.queries, &mut self.inliner, terminator) {
                self.progress.unused.push(operand);
            }
        }
        let Some(terminator) = self.inliner.body.terminator(block) else { return };
        self.progress.reached.insert(terminator);
        // The first successor is visited first.
        self.open.extend(self.inliner.body.targets(terminator).iter().rev());
    }

    /// Folds the computation of a value again, as more of it may be known now.
    fn fold_again(&mut self, value: Value) {
        for id in self.computation(value).into_iter().rev() {
            if self.inliner.body.instructions[id].opcode != Opcode::Apply {
                self.visit(id);
            }
        }
    }

    /// Returns whether a value depends on the result of a waiting call.
    fn is_waited_for(&self, value: Value) -> bool {
        let mut calls = self.computation(value).into_iter();
        calls.any(|id| self.progress.waiting.contains(&id))
    }

    /// Returns the computation of a value without side effects, and the calls before it, in backward order.
    fn computation(&self, value: Value) -> Vec<InstructionId> {
        let body = &self.inliner.body;
        let mut found = Vec::new();
        let mut open = vec![value];
        let mut seen = FxHashSet::default();
        while let Some(value) = open.pop() {
            let Some(id) = body.defining(self.inliner.resolve(value)).filter(|id| seen.insert(*id)) else { continue };
            match body.instructions[id].opcode {
                Opcode::StructExtract | Opcode::TupleExtract | Opcode::Struct | Opcode::Tuple | Opcode::Builtin => {
                    open.extend(body.operands(id));
                    found.push(id);
                }
                Opcode::Apply => found.push(id),
                _ => {}
            }
        }
        found
    }

    fn visit(&mut self, id: InstructionId) -> Visited {
        let opcode = self.inliner.body.instructions[id].opcode;
        match opcode {
            Opcode::Builtin
            | Opcode::TypeValue
            | Opcode::CheckedCastAddrBr
            | Opcode::StructExtract
            | Opcode::TupleExtract => {
                let arguments = self.inliner.body.operands(id).to_vec();
                if folding::fold(self.queries, self.settings, &mut self.inliner, id) {
                    self.progress.unused.extend(arguments);
                    return Visited::Replaced;
                }
                // Embedded Swift casts objects, but not memory.
                let casts = opcode == Opcode::CheckedCastAddrBr && self.module.mode == LanguageMode::Embedded;
                if casts && self.inliner.cast_loaded(id) { Visited::Replaced } else { Visited::Kept }
            }
            _ if ApplyKind::of(opcode).is_some() => self.visit_call(id),
            _ => Visited::Kept,
        }
    }

    /// Returns the current body, and the remaining work.
    pub(super) fn finish(mut self) -> (Body, Progress) {
        let mut body = self.inliner.finish();
        body.remove_unreachable_blocks();
        let mut unused = std::mem::take(&mut self.progress.unused);
        // Reached blocks stay intact while work remains.
        if self.progress.is_waiting() {
            // Unreached code may still use values.
            self.progress.unused.clone_from(&unused);
        } else {
            merge_blocks(&mut body);
            if self.progress.breaks_nesting {
                stack_nesting::fix(self.queries.context, &mut body);
            }
            // Specialised functions contain unused references of their originals.
            let is_function = |id: &InstructionId| {
                matches!(body.instructions[*id].opcode, Opcode::FunctionRef | Opcode::WitnessMethod)
            };
            unused.extend(body.placed_instructions().filter(is_function).filter_map(|id| body.result(id)));
        }
        remove_unused(&mut body, unused);
        (body, self.progress)
    }

    fn visit_call(&mut self, id: InstructionId) -> Visited {
        let chain = self.progress.chains.get(&id).unwrap_or(&self.outer).clone();
        loop {
            match self.decide(id, &chain) {
                Decision::Nothing => return Visited::Kept,
                Decision::Wait => {
                    self.progress.waiting.push(id);
                    return Visited::Kept;
                }
                Decision::Retarget(name, substitutions) => {
                    if !self.retarget(id, name, substitutions) {
                        return Visited::Kept;
                    }
                }
                Decision::Inline(callee) => {
                    self.inline(id, callee, &chain);
                    return Visited::Replaced;
                }
                Decision::Specialize(specialization) => return self.specialize(id, *specialization),
                Decision::LookUp(lookup) => return self.look_up(id, lookup),
            }
        }
    }

    fn decide(&mut self, id: InstructionId, chain: &Chain) -> Decision {
        let body = &self.inliner.body;
        let Details::Apply(apply) = &body.instructions[id].details else { return Decision::Nothing };
        let substitutions = apply.substitutions;
        let callee = self.inliner.resolve(body.operands(id)[0]);
        let Some(definition) = self.origin(callee) else { return Decision::Nothing };
        match body.instructions[definition].opcode {
            Opcode::WitnessMethod => match self.devirtualize(definition, substitutions) {
                Decision::Retarget(name, _) if !self.may_be_called_directly(name) => Decision::Nothing,
                decision => decision,
            },
            Opcode::FunctionRef => {
                let name = views::FunctionRef::of(body, definition).function;
                let is_direct = body.defining(callee) == Some(definition);
                self.decide_on_function(id, name, substitutions, is_direct, chain)
            }
            Opcode::ClassMethod | Opcode::SuperMethod if self.module.mode == LanguageMode::Embedded => {
                let is_direct = body.defining(callee) == Some(definition);
                let is_generic = is_direct && substitutions != SubstitutionMapId::EMPTY;
                if is_generic && is_concrete(self.queries, substitutions) {
                    Decision::LookUp(definition)
                } else {
                    Decision::Nothing
                }
            }
            _ => Decision::Nothing,
        }
    }

    /// Returns whether calls of a witness are devirtualised: in ordinary Swift only those that are inlined.
    fn may_be_called_directly(&self, witness: Name) -> bool {
        let function = self.module.function_named(witness).map(|id| &self.module.functions[id]);
        self.module.mode == LanguageMode::Embedded || function.is_some_and(is_transparent)
    }

    /// Returns the definition of a callee under copies, borrows and a conversion to a thick function.
    fn origin(&self, callee: Value) -> Option<InstructionId> {
        let body = &self.inliner.body;
        let mut value = callee;
        loop {
            let id = body.defining(value)?;
            match body.instructions[id].opcode {
                Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue | Opcode::ThinToThickFunction => {
                    value = self.inliner.resolve(Unary::of(body, id).operand);
                }
                _ => return Some(id),
            }
        }
    }

    fn devirtualize(&mut self, lookup: InstructionId, substitutions: SubstitutionMapId) -> Decision {
        let views::WitnessMethod { method, .. } = views::WitnessMethod::of(&self.inliner.body, lookup);
        let Some(ty) = method.lookup.filter(|ty| !self.queries.is_dependent(*ty)) else { return Decision::Nothing };
        match self.witnesses.witness(self.module, self.queries, ty, method, substitutions) {
            Witness::Function(name, substitutions) => Decision::Retarget(name, substitutions),
            Witness::Unknown(declaration, protocol) => {
                if self.seen.linked_tables.contains(&(declaration, protocol)) {
                    return Decision::Nothing;
                }
                self.wanted.witness_tables.insert((declaration, protocol));
                Decision::Wait
            }
            Witness::None => Decision::Nothing,
        }
    }

    fn decide_on_function(
        &mut self,
        id: InstructionId,
        name: Name,
        substitutions: SubstitutionMapId,
        is_direct: bool,
        chain: &Chain,
    ) -> Decision {
        let Some(callee) = self.module.function_named(name) else { return Decision::Nothing };
        let function = &self.module.functions[callee];
        let kind = ApplyKind::of(self.inliner.body.instructions[id].opcode);
        let is_call = kind.is_some_and(ApplyKind::is_full);
        if is_call && is_transparent(function) && !chain.contains(name) && !is_foreign(self.queries, function) {
            let can_be_inlined = |body| kind != Some(ApplyKind::BeginApply) || can_inline(&self.inliner.body, id, body);
            match &function.body {
                Some(body) if can_be_inlined(body) => return Decision::Inline(callee),
                None if self.can_link(name) => {
                    self.wanted.functions.insert(name);
                    return Decision::Wait;
                }
                _ => {}
            }
        }
        let is_generic = is_direct && substitutions != SubstitutionMapId::EMPTY;
        if self.module.mode == LanguageMode::Full || !is_generic || !is_concrete(self.queries, substitutions) {
            return Decision::Nothing;
        }
        if function.body.is_none() {
            if !self.can_link(name) {
                return Decision::Nothing;
            }
            // The specialisation depends on the callee's body.
            self.wanted.functions.insert(name);
            return Decision::Wait;
        }
        self.specialization(id, function, substitutions).map_or(Decision::Nothing, Decision::Specialize)
    }

    /// Returns the specialisation for a call of a generic function.
    fn specialization(
        &self,
        id: InstructionId,
        callee: &Function,
        substitutions: SubstitutionMapId,
    ) -> Option<Box<CallSpecialization>> {
        let body = &self.inliner.body;
        let site = ApplySite::new(body, id)?;
        let arguments: Vec<Value> = site.arguments().iter().map(|value| self.inliner.resolve(*value)).collect();
        let call = SpecializedCall { body, instruction: id, kind: site.kind, arguments: &arguments, uses: None };
        let made = CallSpecialization::new(self.module, self.place(), self.function, callee, substitutions, call)?;
        made.fits(self.module, self.queries).then(|| Box::new(made))
    }

    fn place(&self) -> TypePlace<'m> {
        TypePlace { queries: self.queries, signature: self.function.signature, settings: self.settings }
    }

    /// Returns whether a library has a body that was not requested yet.
    fn can_link(&self, name: Name) -> bool {
        !self.seen.linked_functions.contains(&name) && self.libraries.has_function(self.queries.context.text(name))
    }

    /// Replaces the callee of a call by another function of the module. Returns whether the call may be changed
    /// further.
    fn retarget(&mut self, id: InstructionId, name: Name, substitutions: SubstitutionMapId) -> bool {
        let body = &mut self.inliner.body;
        let Details::Apply(before) = &body.instructions[id].details else { return false };
        let Some(known) = self.module.function_named(name).map(|id| &self.module.functions[id]) else { return false };
        let ty = SilType::object(known.ty);
        let (isolation, history) = (before.isolation, before.history);
        let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
        let function = builder.function_ref(name, ty);
        let apply = Apply { isolation, history, ..Apply::new(ty, substitutions) };
        body.instructions[id].details = Details::Apply(Box::new(apply));
        let callee = std::mem::replace(&mut body.operands_mut(id)[0], function);
        self.progress.unused.push(callee);
        cast_arguments(self.queries, self.function, &mut self.inliner.body, id);
        true
    }

    /// Replaces the callee of a call by a specialised function.
    fn specialize(&mut self, id: InstructionId, specialization: CallSpecialization) -> Visited {
        let CallSpecialization { called, inner, .. } = specialization;
        let retargeted = retarget(self.queries, self.function, &mut self.inliner.body, id, &called);
        self.made.extend(inner);
        self.made.push(called);
        self.rewritten(id, retargeted)
    }

    /// Rewrites a call of a class method found by `lookup` to its type in the vtable for the generic arguments.
    fn look_up(&mut self, id: InstructionId, lookup: InstructionId) -> Visited {
        let body = &mut self.inliner.body;
        let Details::Apply(before) = &body.instructions[id].details else { return Visited::Kept };
        let place = TypePlace { queries: self.queries, signature: None, settings: self.settings };
        let found = body.operands(id)[0];
        let Some(reabstraction) = Reabstraction::of_type(place, body.ty(found).ty, before.substitutions) else {
            return Visited::Kept;
        };
        let span = body.instructions[id].span;
        if body.instructions[id].opcode == Opcode::PartialApply && reabstraction.passes_values() {
            self.diagnostics.push(Diagnostic::unsupported("a closure over a method of a generic class", span));
            return Visited::Kept;
        }
        let Details::Method(method) = body.instructions[lookup].details.clone() else { return Visited::Kept };
        let ty = SilType::object(reabstraction.ty);
        let callee = |body: &mut Body| {
            InstructionBuilder::new(body, Place::Before(lookup), lookup).method_like(lookup, *method, ty)
        };
        let retargeted = retarget_to(self.queries, self.function, body, id, &reabstraction, callee);
        if retargeted.is_none() {
            let what = "a call of a method of a generic class that goes on where others do";
            self.diagnostics.push(Diagnostic::unsupported(what, span));
        }
        self.rewritten(id, retargeted)
    }

    /// Continues with a call that replaced another one.
    fn rewritten(&mut self, id: InstructionId, retargeted: Option<Retargeted>) -> Visited {
        let Some(Retargeted { call, unneeded, replaced, .. }) = retargeted else { return Visited::Kept };
        self.progress.unused.extend(unneeded);
        replaced.into_iter().for_each(|(value, by)| self.inliner.replace(value, by));
        if self.progress.reached.contains(&id) {
            self.progress.reached.insert(call);
        }
        Visited::Rewritten(call)
    }

    fn inline(&mut self, id: InstructionId, callee: FunctionId, chain: &Arc<Chain>) {
        let function = &self.module.functions[callee];
        let Some(callee_body) = &function.body else { return };
        let body = &self.inliner.body;
        let Details::Apply(apply) = &body.instructions[id].details else { return };
        let called = body.operands(id)[0];
        let Some(call) = ApplySite::new(body, id) else { return };
        let site = CallSite { call: id, arguments: call.arguments().to_vec(), substitutions: apply.substitutions };
        let span = body.instructions[id].span;
        self.progress.breaks_nesting |= body.instructions[id].opcode == Opcode::BeginApply;
        let Inlined { instructions, resumptions } = self.inliner.inline(&site, Callee { function, body: callee_body });
        self.progress.unused.push(called);
        let chain = Arc::new(chain.with(function.name, span));
        self.progress.chains.extend(instructions.into_iter().map(|id| (id, chain.clone())));
        resumptions.into_iter().for_each(|(from, to)| self.resume(from, to));
    }

    /// Continues after an inlined coroutine, if the end of its call was reached before.
    fn resume(&mut self, from: BlockId, to: BlockId) {
        let body = &self.inliner.body;
        let is_reached = body.terminator(to).is_some_and(|id| self.progress.reached.contains(&id));
        let Some(terminator) = body.terminator(from).filter(|_| is_reached) else { return };
        self.progress.reached.insert(terminator);
        self.open.extend(body.targets(terminator).iter().rev());
    }
}

fn is_foreign(queries: &TypeQueries<'_>, function: &Function) -> bool {
    match queries.get(function.ty) {
        Type::Function(function) => matches!(
            function.representation,
            Representation::C | Representation::CxxMethod | Representation::ObjCMethod | Representation::Block
        ),
        _ => true,
    }
}

//! Memory lifetime: the initialized memory at each place. Memory is read only when it is initialized, initialized only
//! when it is not, and left as the function's type requires (lib/SIL/Verifier/MemoryLifetimeVerifier.cpp states the
//! rules).

mod callee_effects;
mod effects;
mod locations;
mod trivial;

use callee_effects::CalleeEffects;
use effects::{Effect, edge_effects};
use fixedbitset::FixedBitSet;
use locations::Locations;
use sil_analysis::{ControlFlowGraph, DeadEndBlocks, Uses};
use sil_ir::context::{MemberRef, MemberTarget, ParameterConvention};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Details, InstructionId, Value};
use sil_ir::types::ArgumentRole;

use super::checker::{FunctionVerifier, OwnershipForm};
use super::failures::{Complaint, MemoryFault};

/// Verifies the function, where it has ownership.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    if verifier.ownership == OwnershipForm::Lowered || verifier.has_semantics("verify.ownership.sil.never") {
        return;
    }
    let findings = {
        let uses = Uses::new(verifier.body);
        let mut locations = Locations::new(verifier, &uses);
        if locations.len() == 0 {
            return;
        }
        let nontrivial = locations.nontrivial();
        let cfg = ControlFlowGraph::new(verifier.body);
        let dead_ends = DeadEndBlocks::new(verifier.body, &cfg);
        let mut memory = MemoryVerifier {
            verifier,
            body: verifier.body,
            locations,
            nontrivial,
            cfg,
            dead_ends,
            findings: Vec::new(),
        };
        memory.run();
        memory.findings
    };
    for finding in findings {
        let diagnostic = finding.worded(verifier);
        let Finding { fault, at, parts } = finding;
        // Swift reports nothing for memory that holds a borrowed value.
        let parts = if fault == MemoryFault::Borrowed { Vec::new() } else { parts };
        verifier.report_as(Complaint::Memory { fault, parts, at }, diagnostic);
    }
}

struct MemoryVerifier<'v, 'm> {
    verifier: &'v FunctionVerifier<'m>,
    body: &'m Body,
    locations: Locations<'v, 'm>,
    nontrivial: FixedBitSet,
    cfg: ControlFlowGraph,
    dead_ends: DeadEndBlocks,
    findings: Vec<Finding>,
}

/// Memory that is not as it must be at an instruction.
struct Finding {
    fault: MemoryFault,
    at: InstructionId,
    /// Its parts, at least one.
    parts: Vec<Value>,
}

impl Finding {
    /// silc's words, about the first part.
    fn worded(&self, verifier: &FunctionVerifier<'_>) -> Diagnostic {
        let instruction = &verifier.body.instructions[self.at];
        let name = instruction.opcode.name();
        let (code, message) = match self.fault {
            MemoryFault::Uninitialized => {
                ("uninitialized-memory", format!("`{name}` needs memory that is not initialized here"))
            }
            MemoryFault::Initialized => (
                "initialized-memory",
                format!("`{name}` needs memory that is not initialized, but it is initialized here"),
            ),
            MemoryFault::Borrowed => ("borrowed-memory", format!("`{name}` writes memory that holds a borrowed value")),
            MemoryFault::MissingAtReturn => {
                ("uninitialized-memory", format!("`{name}` needs an argument to be initialized that is not"))
            }
            MemoryFault::LeftAtReturn => {
                ("initialized-memory", format!("`{name}` leaves memory behind that is still initialized"))
            }
            MemoryFault::DifferentOnPaths => (
                "memory-mismatch",
                "memory is initialized on this path, but not on another one that meets it".to_owned(),
            ),
        };
        let definition = self.parts.first().and_then(|part| verifier.definition_span(*part));
        Diagnostic::error(code, message, instruction.span).note("the memory is this", definition)
    }
}

/// The initialized memory at the beginning and the end of a block.
#[derive(Clone)]
struct BlockState {
    entry: FixedBitSet,
    exit: FixedBitSet,
}

impl MemoryVerifier<'_, '_> {
    fn run(&mut self) {
        let states = self.solve();
        for block in self.body.blocks.keys() {
            if self.cfg.is_reachable(block) && !self.dead_ends.contains(block) {
                let mut bits = states[block.as_u32() as usize].entry.clone();
                self.check_block(block, &mut bits);
                self.check_edges(block, &states);
                self.check_exit(block, &states[block.as_u32() as usize].exit);
            }
        }
    }

    fn solve(&self) -> Vec<BlockState> {
        let count = self.locations.len();
        let mut all = FixedBitSet::with_capacity(count);
        all.insert_range(..);
        let full = BlockState { entry: all.clone(), exit: all };
        let mut states = vec![full; self.body.blocks.len()];
        let entry = self.body.entry();
        states[entry.as_u32() as usize].entry = self.initialized_arguments();
        let mut changed = true;
        while changed {
            changed = false;
            for block in self.cfg.reverse_post_order() {
                let index = block.as_u32() as usize;
                let mut bits = states[index].entry.clone();
                for predecessor in self.cfg.predecessors(*block).iter().filter(|block| self.cfg.is_reachable(**block)) {
                    bits.intersect_with(&states[predecessor.as_u32() as usize].exit);
                }
                let entry = bits.clone();
                self.transfer(*block, &mut bits);
                if states[index].entry != entry || states[index].exit != bits {
                    changed = true;
                    states[index] = BlockState { entry, exit: bits };
                }
            }
        }
        states
    }

    fn initialized_arguments(&self) -> FixedBitSet {
        let mut bits = FixedBitSet::with_capacity(self.locations.len());
        let Some(conventions) = self.verifier.conventions else { return bits };
        let arguments = &self.body.blocks[self.body.entry()].arguments;
        for (argument, value) in conventions.arguments().zip(arguments) {
            if let (ArgumentRole::Parameter(_), Some(location)) = (argument.role, self.locations.find(*value)) {
                bits.union_with(&location.parts);
            }
        }
        bits
    }

    fn transfer(&self, block: BlockId, bits: &mut FixedBitSet) {
        self.edge(block, &mut |effect| self.apply(effect, bits));
        for id in self.body.instructions_in(block) {
            self.each_effect(id, &mut |effect| self.apply(effect, bits));
        }
    }

    fn each_effect(&self, id: InstructionId, visit: &mut dyn FnMut(Effect)) {
        if self.body.instructions[id].opcode == Opcode::Yield {
            return self.yielded(id, visit);
        }
        match self.injected(id) {
            Some(effect) => visit(effect),
            None => effects::effects(self.verifier.queries, self.body, id, visit),
        }
    }

    /// `inject_enum_addr` of a case without payload initializes the enum.
    fn injected(&self, id: InstructionId) -> Option<Effect> {
        if self.body.instructions[id].opcode != Opcode::InjectEnumAddr {
            return None;
        }
        let address = *self.body.operands(id).first()?;
        self.injects_nothing(id).then_some(Effect::Initialize(address))
    }

    fn injects_nothing(&self, id: InstructionId) -> bool {
        let Details::Member(member) = self.body.instructions[id].details else { return false };
        let Some(address) = self.body.operands(id).first() else { return false };
        let MemberRef { target: MemberTarget::Case(case), .. } = self.verifier.module.context.get_member(member) else {
            return false;
        };
        let payload = self.verifier.queries.case_payload(self.body.ty(*address).ty, *case);
        payload.is_none_or(|payload| self.locations.is_empty(payload))
    }

    fn apply(&self, effect: Effect, bits: &mut FixedBitSet) {
        match effect {
            Effect::Initialize(address) => {
                if let Some(location) = self.locations.find(address) {
                    bits.union_with(&location.parts);
                }
            }
            Effect::Deinitialize(address) => {
                if let Some(location) = self.locations.find(address) {
                    bits.difference_with(&location.parts);
                }
            }
            _ => {}
        }
    }

    /// The effects on the edge from the only predecessor.
    fn edge(&self, block: BlockId, visit: &mut dyn FnMut(Effect)) {
        let Some(predecessor) = self.cfg.single_predecessor(block) else { return };
        let Some(branch) = self.body.terminator(predecessor) else { return };
        let successor = self.body.targets(branch).iter().position(|target| *target == block).unwrap_or(0);
        edge_effects(self.verifier.queries, self.body, branch, successor, visit);
    }

    fn check_block(&mut self, block: BlockId, bits: &mut FixedBitSet) {
        self.edge(block, &mut |effect| self.apply(effect, bits));
        let body = self.body;
        for id in body.instructions_in(block) {
            if body.instructions[id].opcode == Opcode::InjectEnumAddr {
                self.check_injection(id, bits);
            }
            let mut effects = Vec::new();
            self.each_effect(id, &mut |effect| effects.push(effect));
            for effect in effects {
                self.check(effect, id, bits);
                self.apply(effect, bits);
            }
        }
    }

    fn check_injection(&mut self, id: InstructionId, bits: &FixedBitSet) {
        let Some(address) = self.body.operands(id).first().copied() else { return };
        let effect = if self.injects_nothing(id) {
            Effect::NeedsUninitialized(address)
        } else {
            Effect::NeedsInitialized(address)
        };
        self.check(effect, id, bits);
        self.check(Effect::NeedsUnborrowed(address), id, bits);
    }

    /// Yielded memory must be initialized; the caller may have taken it on resumption.
    fn yielded(&self, id: InstructionId, visit: &mut dyn FnMut(Effect)) {
        use ParameterConvention::*;
        let Some(conventions) = self.verifier.conventions else { return };
        for (yielded, address) in conventions.function.yields.iter().zip(self.body.operands(id)) {
            if !self.body.ty(*address).is_address() {
                continue;
            }
            visit(Effect::NeedsInitialized(*address));
            if matches!(yielded.convention, In | InConstant | InCxx) {
                visit(Effect::Deinitialize(*address));
            }
        }
    }

    fn check(&mut self, effect: Effect, id: InstructionId, bits: &FixedBitSet) {
        match effect {
            Effect::NeedsInitialized(address) => self.require_initialized(address, id, bits, None),
            Effect::NeedsRead(address) => self.require_read(address, id, bits),
            Effect::NeedsInitializedIfNontrivial(address) => {
                let nontrivial = self.nontrivial.clone();
                self.require_initialized(address, id, bits, Some(&nontrivial));
            }
            Effect::NeedsUninitialized(address) => self.require_uninitialized(address, id, bits),
            Effect::NeedsUnborrowed(address) => {
                let maker = self.body.defining(address).map(|maker| self.body.instructions[maker].opcode);
                if maker == Some(Opcode::StoreBorrow) {
                    self.findings.push(Finding { fault: MemoryFault::Borrowed, at: id, parts: vec![address] });
                }
            }
            Effect::Initialize(_) | Effect::Deinitialize(_) => {}
        }
    }

    fn require_initialized(
        &mut self,
        address: Value,
        id: InstructionId,
        bits: &FixedBitSet,
        only: Option<&FixedBitSet>,
    ) {
        let Some(location) = self.locations.find(address) else { return };
        let mut missing = location.parts.clone();
        missing.difference_with(bits);
        if let Some(only) = only {
            missing.intersect_with(only);
        }
        self.report(MemoryFault::Uninitialized, id, missing.ones());
    }

    /// Memory that the callee does not read by its effects need not be initialized.
    fn require_read(&mut self, address: Value, id: InstructionId, bits: &FixedBitSet) {
        let Some(effects) = CalleeEffects::of(self.verifier.module, self.body, id) else {
            return self.require_initialized(address, id, bits, None);
        };
        let Some(location) = self.locations.find(address) else { return };
        let mut missing = location.parts.clone();
        missing.difference_with(bits);
        let arguments = self.body.operands(id).iter().skip(1).enumerate().filter(|(_, value)| **value == address);
        let arguments: Vec<usize> = arguments.map(|(argument, _)| argument).collect();
        let is_read = |part: &usize| {
            let path = callee_effects::path(self.verifier, self.locations.get(*part).value, address);
            path.is_some_and(|path| arguments.iter().any(|argument| effects.read(*argument, &path)))
        };
        let read: Vec<usize> = missing.ones().filter(is_read).collect();
        self.report(MemoryFault::Uninitialized, id, read.into_iter());
    }

    fn require_uninitialized(&mut self, address: Value, id: InstructionId, bits: &FixedBitSet) {
        let instruction = &self.body.instructions[id];
        if instruction.opcode == Opcode::DeallocStack && self.dead_ends.contains(instruction.block) {
            return;
        }
        let Some(location) = self.locations.find(address) else { return };
        let mut found = location.parts.clone();
        found.intersect_with(bits);
        found.intersect_with(&self.nontrivial);
        self.report_nontrivial(MemoryFault::Initialized, id, &found);
    }

    fn report(&mut self, fault: MemoryFault, at: InstructionId, parts: impl Iterator<Item = usize>) {
        let parts: Vec<Value> = parts.map(|part| self.locations.get(part).value).collect();
        if !parts.is_empty() {
            self.findings.push(Finding { fault, at, parts });
        }
    }

    /// Reports the parts that hold something there which must be destroyed.
    fn report_nontrivial(&mut self, fault: MemoryFault, at: InstructionId, parts: &FixedBitSet) {
        let parts: Vec<usize> = parts.ones().filter(|part| !self.is_trivial_at(*part, at)).collect();
        self.report(fault, at, parts.into_iter());
    }

    /// All paths must agree on the initialized memory.
    fn check_edges(&mut self, block: BlockId, states: &[BlockState]) {
        for predecessor in self.cfg.predecessors(block).to_vec() {
            let Some(terminator) = self.body.terminator(predecessor).filter(|_| self.cfg.is_reachable(predecessor))
            else {
                continue;
            };
            let mut differing = states[predecessor.as_u32() as usize].exit.clone();
            differing.difference_with(&states[block.as_u32() as usize].entry);
            differing.intersect_with(&self.nontrivial);
            self.report_nontrivial(MemoryFault::DifferentOnPaths, terminator, &differing);
        }
    }

    /// At the end of the function, the memory that its type requires is initialized, and nothing else.
    fn check_exit(&mut self, block: BlockId, exit: &FixedBitSet) {
        let Some(terminator) = self.body.terminator(block) else { return };
        let throws = match self.body.instructions[terminator].opcode {
            Opcode::Return | Opcode::ReturnBorrow | Opcode::Unwind => false,
            Opcode::Throw | Opcode::ThrowAddr => true,
            _ => return,
        };
        let expected = self.expected_at_exit(throws);
        let mut missing = expected.clone();
        missing.difference_with(exit);
        self.report(MemoryFault::MissingAtReturn, terminator, missing.ones());
        let mut left = exit.clone();
        left.difference_with(&expected);
        left.intersect_with(&self.nontrivial);
        self.report_nontrivial(MemoryFault::LeftAtReturn, terminator, &left);
    }

    fn expected_at_exit(&self, throws: bool) -> FixedBitSet {
        let mut bits = FixedBitSet::with_capacity(self.locations.len());
        let Some(conventions) = self.verifier.conventions else { return bits };
        let arguments = &self.body.blocks[self.body.entry()].arguments;
        for (argument, value) in conventions.arguments().zip(arguments) {
            let alive = match argument.role {
                ArgumentRole::IndirectResult(_) => !throws,
                ArgumentRole::IndirectError => throws,
                ArgumentRole::Parameter(index) => matches!(
                    conventions.function.parameters[index as usize].convention,
                    ParameterConvention::InOut | ParameterConvention::InGuaranteed
                ),
            };
            if let (true, Some(location)) = (alive, self.locations.find(*value)) {
                bits.union_with(&location.parts);
            }
        }
        bits
    }
}

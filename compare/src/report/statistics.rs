//! Counts of a function: its instructions by kind, its calls of the runtime, and about how large it becomes.

use crate::atoms::Atoms;
use crate::model::{Body, Instruction, InstructionKind, Module, Term};
use crate::pairing::names::unquoted;

/// Counts of one function, or of several.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Basic blocks.
    pub blocks: u32,
    /// Instructions, without debug records.
    pub instructions: u32,
    /// Loads.
    pub loads: u32,
    /// Stores.
    pub stores: u32,
    /// Stack slots.
    pub stack_slots: u32,
    /// Phis.
    pub phis: u32,
    /// Calls, those of the following three kinds included; not those of LLVM's intrinsics.
    pub calls: u32,
    /// Calls that retain a reference.
    pub retains: u32,
    /// Calls that release one.
    pub releases: u32,
    /// Calls that allocate on the heap.
    pub allocations: u32,
    /// About how many machine instructions it becomes.
    pub size: u32,
}

impl Statistics {
    /// The names of the counts, in their order.
    pub const NAMES: [&'static str; 11] = [
        "blocks",
        "instructions",
        "loads",
        "stores",
        "stack-slots",
        "phis",
        "calls",
        "retains",
        "releases",
        "allocations",
        "size",
    ];

    /// The counts in the order of [`Statistics::NAMES`].
    pub fn values(&self) -> [u32; 11] {
        [
            self.blocks,
            self.instructions,
            self.loads,
            self.stores,
            self.stack_slots,
            self.phis,
            self.calls,
            self.retains,
            self.releases,
            self.allocations,
            self.size,
        ]
    }

    /// Adds another function's.
    pub fn add(&mut self, other: &Statistics) {
        self.blocks += other.blocks;
        self.instructions += other.instructions;
        self.loads += other.loads;
        self.stores += other.stores;
        self.stack_slots += other.stack_slots;
        self.phis += other.phis;
        self.calls += other.calls;
        self.retains += other.retains;
        self.releases += other.releases;
        self.allocations += other.allocations;
        self.size += other.size;
    }

    /// Counts a body of `module`.
    pub fn of(module: &Module, body: &Body, atoms: &Atoms) -> Self {
        let mut counts = Statistics { blocks: body.blocks.len() as u32, ..Statistics::default() };
        for instruction in body.instructions.values() {
            counts.count(module, instruction, atoms);
        }
        counts
    }

    fn count(&mut self, module: &Module, instruction: &Instruction, atoms: &Atoms) {
        self.instructions += u32::from(instruction.kind != InstructionKind::DebugRecord);
        self.size += size(instruction, atoms);
        match instruction.kind {
            InstructionKind::Load => self.loads += 1,
            InstructionKind::Store => self.stores += 1,
            InstructionKind::StackSlot => self.stack_slots += 1,
            InstructionKind::Phi => self.phis += 1,
            InstructionKind::Call => self.count_call(callee(module, instruction, atoms)),
            _ => {}
        }
    }

    fn count_call(&mut self, callee: &str) {
        if callee.starts_with("llvm.") {
            return;
        }
        self.calls += 1;
        match RuntimeCall::of(callee) {
            Some(RuntimeCall::Retain) => self.retains += 1,
            Some(RuntimeCall::Release) => self.releases += 1,
            Some(RuntimeCall::Allocate) => self.allocations += 1,
            None => {}
        }
    }
}

/// The kind of a call to the runtime.
enum RuntimeCall {
    Retain,
    Release,
    Allocate,
}

impl RuntimeCall {
    /// By the names of Swift's entry points (docs/Runtime.md) and of C's allocators.
    fn of(callee: &str) -> Option<Self> {
        let name = callee.strip_prefix("swift_").unwrap_or(callee);
        let name = name.strip_prefix("nonatomic_").unwrap_or(name);
        let is = |names: &[&str]| names.iter().any(|start| name.starts_with(start));
        match callee {
            "malloc" | "calloc" | "realloc" | "posix_memalign" | "aligned_alloc" => Some(Self::Allocate),
            _ if !callee.starts_with("swift_") => None,
            _ if is(&["retain", "bridgeObjectRetain", "unknownObjectRetain", "unownedRetain"]) => Some(Self::Retain),
            _ if is(&["release", "bridgeObjectRelease", "unknownObjectRelease", "unownedRelease"]) => {
                Some(Self::Release)
            }
            _ if is(&["alloc", "slowAlloc"]) => Some(Self::Allocate),
            _ => None,
        }
    }
}

/// The name of the callee; empty for a pointer.
fn callee<'a>(module: &Module, instruction: &Instruction, atoms: &'a Atoms) -> &'a str {
    let symbol = instruction.statement.terms.iter().find_map(|term| match term {
        Term::Symbol(symbol) => Some(*symbol),
        Term::Value(_) => None,
        _ => None,
    });
    symbol.map_or("", |symbol| unquoted(atoms.text(module.symbols[symbol].name)))
}

/// About how many machine instructions an instruction becomes. Rough, but the same on both sides.
fn size(instruction: &Instruction, atoms: &Atoms) -> u32 {
    let operands = instruction.statement.terms.iter().filter(|term| matches!(term, Term::Value(_) | Term::Block(_)));
    let operands = operands.count() as u32;
    match instruction.kind {
        InstructionKind::DebugRecord | InstructionKind::StackSlot => 0,
        InstructionKind::Call => 1 + operands,
        InstructionKind::Division => 3,
        InstructionKind::Terminator => operands.max(1),
        InstructionKind::Computation => match atoms.text(instruction.opcode) {
            "bitcast" | "ptrtoint" | "inttoptr" | "freeze" | "extractvalue" | "insertvalue" => 0,
            _ => 1,
        },
        _ => 1,
    }
}

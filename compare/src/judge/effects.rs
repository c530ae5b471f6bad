//! The effects of an instruction beside its result, as far as its order among others depends on them.

use crate::atoms::Atoms;
use crate::model::{Instruction, InstructionKind, Module, Term};
use crate::part::Part;

/// The effect of an instruction beside its result. Operands do not count: values keep an order by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// It may trap.
    MayTrap,
    /// It reads memory.
    Reads,
    /// It writes memory, or does anything else that can be seen.
    Writes,
    /// It gives debuggers information.
    Tells,
}

impl Effect {
    /// Whether two instructions may change places.
    pub fn may_swap_with(self, other: Effect) -> bool {
        match (self, other) {
            (Effect::Tells, Effect::Tells) => false,
            (Effect::None | Effect::Tells, _) | (_, Effect::None | Effect::Tells) => true,
            (Effect::Writes, _) | (_, Effect::Writes) => false,
            _ => true,
        }
    }
}

/// The effect of an instruction of `module`.
pub fn of(module: &Module, instruction: &Instruction, atoms: &Atoms) -> Effect {
    match instruction.kind {
        InstructionKind::Phi | InstructionKind::StackSlot | InstructionKind::Computation => Effect::None,
        InstructionKind::Division => Effect::MayTrap,
        InstructionKind::Load if is_ordered(instruction, atoms) => Effect::Writes,
        InstructionKind::Load => Effect::Reads,
        InstructionKind::Call => of_call(module, instruction, atoms),
        InstructionKind::DebugRecord => Effect::Tells,
        InstructionKind::Store | InstructionKind::OtherMemory | InstructionKind::Terminator => Effect::Writes,
    }
}

fn is_ordered(instruction: &Instruction, atoms: &Atoms) -> bool {
    let words = instruction.statement.terms.iter().take(3);
    words.into_iter().any(|term| matches!(term, Term::Word(word) if matches!(atoms.text(*word), "volatile" | "atomic")))
}

/// By the attributes of the call and of the callee (LangRef, "Function Attributes").
fn of_call(module: &Module, instruction: &Instruction, atoms: &Atoms) -> Effect {
    let callee = instruction.statement.terms.iter().find_map(|term| match term {
        Term::Symbol(symbol) => Some(&module.symbols[*symbol].header),
        _ => None,
    });
    let headers = std::iter::once(&instruction.statement).chain(callee);
    let attributes: Vec<&str> = headers
        .flat_map(|statement| &statement.adornments)
        .filter(|adornment| adornment.part == Part::Attributes)
        .map(|adornment| atoms.text(adornment.content))
        .collect();
    let has = |name: &str| attributes.contains(&name);
    if !has("willreturn") || !has("nounwind") {
        Effect::Writes
    } else if has("memory(none)") {
        Effect::None
    } else if has("memory(read)") || has("memory(argmem:read)") {
        Effect::Reads
    } else {
        Effect::Writes
    }
}

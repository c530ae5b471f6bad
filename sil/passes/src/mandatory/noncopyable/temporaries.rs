//! Stack memory for a copy of a noncopyable value that is only borrowed: its uses are replaced by uses of the original.

use sil_analysis::{ApplySite, Uses};
use sil_ir::context::{Mutability, ParameterConvention, SignatureId};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{AllocVariable, CopyAddr};
use sil_ir::model::{Body, InstructionId, Replacements, Value};
use sil_ir::types::{ArgumentConvention, Copyability, TypeQueries};

use super::mark_of_memory;

/// Removes such memory.
pub(super) fn forward(queries: &TypeQueries<'_>, signature: Option<SignatureId>, body: &mut Body) {
    let uses = Uses::new(body);
    let is_copy = |id: &InstructionId| {
        let attributes = body.instructions[*id].attributes;
        body.instructions[*id].opcode == Opcode::CopyAddr
            && attributes.contains(Attribute::Init)
            && !attributes.contains(Attribute::Take)
    };
    let copies: Vec<InstructionId> = body.placed_instructions().filter(is_copy).collect();
    let mut replacements = Replacements::default();
    for copy in copies {
        let CopyAddr { source, destination } = CopyAddr::of(body, copy);
        if queries.properties(body.ty(source).ty, signature).copyability != Copyability::Noncopyable {
            continue;
        }
        if !may_be_forwarded(body, source) {
            continue;
        }
        let Some(temporary) = Temporary::new(queries, body, &uses, copy, destination) else { continue };
        for address in temporary.addresses {
            replacements.replace(address, source);
        }
        temporary.erased.into_iter().for_each(|id| body.erase(id));
    }
    body.replace_values(&replacements);
}

/// Returns whether the copy of `source` may be removed. A copy of marked memory is a consume, unless the memory is a
/// constant on the stack (lib/SILOptimizer/Mandatory/MoveOnlyUtils.cpp, `isLetAllocation`).
fn may_be_forwarded(body: &Body, source: Value) -> bool {
    let Some(mark) = mark_of_memory(body, source) else { return true };
    let marked = body.operands(mark).first().and_then(|marked| body.defining(*marked));
    let variable = marked.and_then(|id| AllocVariable::get(body, id)).and_then(|view| view.variable);
    let is_on_stack = marked.is_some_and(|id| body.instructions[id].opcode == Opcode::AllocStack);
    is_on_stack && variable.and_then(|variable| variable.mutability) == Some(Mutability::Let)
}

/// Returns whether only reads and copies are between `copy` and `user`.
fn is_soon(body: &Body, copy: InstructionId, user: InstructionId) -> bool {
    use Opcode::*;
    let is_quiet = |id: InstructionId| {
        matches!(
            body.instructions[id].opcode,
            StructElementAddr
                | TupleElementAddr
                | AllocStack
                | CopyAddr
                | Load
                | LoadBorrow
                | EndBorrow
                | MoveValue
                | CopyValue
                | FunctionRef
                | Metatype
                | MarkUnresolvedNonCopyableValue
                | DebugValue
                | DestroyAddr
                | DeallocStack
        )
    };
    body.instructions[copy].block == body.instructions[user].block
        && body.instructions_up_to(user).rev().skip(1).take_while(|id| *id != copy).all(is_quiet)
}

/// The extent of an address within the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Part,
}

/// Memory that is initialised by a copy and then only read.
struct Temporary {
    /// Its address, marked and unmarked.
    addresses: Vec<Value>,
    /// The instructions that allocate, mark, initialise, destroy and deallocate it.
    erased: Vec<InstructionId>,
}

impl Temporary {
    /// Returns the temporary; `None` if it has other uses.
    fn new(
        queries: &TypeQueries<'_>,
        body: &Body,
        uses: &Uses,
        copy: InstructionId,
        destination: Value,
    ) -> Option<Self> {
        let mut allocation = body.defining(destination)?;
        if body.instructions[allocation].opcode == Opcode::MarkUnresolvedNonCopyableValue {
            allocation = body.defining(*body.operands(allocation).first()?)?;
        }
        // A variable is no temporary: its initialisation consumes the value.
        if body.instructions[allocation].opcode != Opcode::AllocStack || is_variable(body, allocation) {
            return None;
        }
        let mut found = Self { addresses: Vec::new(), erased: vec![allocation] };
        let mut open = vec![(body.result(allocation)?, Extent::Whole)];
        while let Some((address, extent)) = open.pop() {
            if extent == Extent::Whole {
                found.addresses.push(address);
            }
            for used in uses.of(address) {
                let instruction = &body.instructions[used.user];
                let is_taken = instruction.attributes.contains(Attribute::Take);
                match instruction.opcode {
                    Opcode::StructElementAddr | Opcode::TupleElementAddr => {
                        open.extend(body.result(used.user).map(|part| (part, Extent::Part)));
                    }
                    // A part is copied before other effects.
                    Opcode::Load if extent == Extent::Part && !is_taken && is_soon(body, copy, used.user) => {}
                    Opcode::CopyAddr
                        if extent == Extent::Part
                            && !is_taken
                            && used.operand == 0
                            && is_soon(body, copy, used.user) => {}
                    Opcode::MarkUnresolvedNonCopyableValue if extent == Extent::Whole => {
                        found.erased.push(used.user);
                        open.extend(body.result(used.user).map(|marked| (marked, Extent::Whole)));
                    }
                    Opcode::CopyAddr if used.user == copy => found.erased.push(copy),
                    Opcode::DestroyAddr | Opcode::DeallocStack | Opcode::DebugValue if extent == Extent::Whole => {
                        found.erased.push(used.user);
                    }
                    Opcode::LoadBorrow | Opcode::FixLifetime => {}
                    Opcode::Apply | Opcode::TryApply => {
                        let site = ApplySite::new(body, used.user)?;
                        let argument = site.argument_of_operand(site.conventions(queries)?, used.operand as usize)?;
                        if argument.convention != ArgumentConvention::Parameter(ParameterConvention::InGuaranteed) {
                            return None;
                        }
                    }
                    _ => return None,
                }
            }
        }
        Some(found)
    }
}

fn is_variable(body: &Body, allocation: InstructionId) -> bool {
    let attributes = body.instructions[allocation].attributes;
    attributes.contains(Attribute::Lexical) || attributes.contains(Attribute::VarDecl)
}

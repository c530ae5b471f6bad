//! Memory on the stack that a noncopyable value is copied to and only borrowed from: what is done to it is done to what was copied.

use super::mark_of_memory;
use crate::analysis::{ApplySite, Uses};
use crate::context::{Mutability, ParameterConvention, SignatureId};
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{AllocVariable, CopyAddr};
use crate::model::{Body, InstructionId, Replacements, Value};
use crate::types::{ArgumentConvention, Copyability, TypeQueries};

/// Does without such memory.
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

/// Whether a copy of what is at `source` need not be one: a copy of marked memory is who consumes it, unless that is a constant on the stack
/// (lib/SILOptimizer/Mandatory/MoveOnlyUtils.cpp, `isLetAllocation`).
fn may_be_forwarded(body: &Body, source: Value) -> bool {
    let Some(mark) = mark_of_memory(body, source) else { return true };
    let marked = body.operands(mark).first().and_then(|marked| body.defining(*marked));
    let variable = marked.and_then(|id| AllocVariable::get(body, id)).and_then(|view| view.variable);
    let is_on_stack = marked.is_some_and(|id| body.instructions[id].opcode == Opcode::AllocStack);
    is_on_stack && variable.and_then(|variable| variable.mutability) == Some(Mutability::Let)
}

/// Whether nothing but reads and copies comes between `copy` and `user`.
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

/// What of the memory an address is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Part,
}

/// Memory that is initialised by a copy and then only read.
struct Temporary {
    /// Its address, marked and not.
    addresses: Vec<Value>,
    /// What allocates, marks, initialises, destroys and frees it.
    erased: Vec<InstructionId>,
}

impl Temporary {
    /// None where something else is done to it.
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
        // A variable is no temporary: what it is initialised with is consumed.
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
                    // A part is copied before anything else happens.
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

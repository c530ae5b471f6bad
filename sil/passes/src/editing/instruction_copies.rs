//! Copies instructions within a body, and decides whether an instruction can be duplicated.

use rustc_hash::FxHashMap;

use sil_ir::context::SilType;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode, Position};
use sil_ir::model::{Body, Details, InstructionId, NewInstruction, Place, Value};

/// Copies an instruction before `before`. Operands are mapped by `copies`.
pub(crate) fn copy_before(
    body: &mut Body,
    before: InstructionId,
    id: InstructionId,
    copies: &FxHashMap<Value, Value>,
) -> InstructionId {
    copy(body, Place::Before(before), id, copies)
}

/// Copies an instruction to a place. Operands are mapped by `copies`.
pub(crate) fn copy(
    body: &mut Body,
    place: Place,
    id: InstructionId,
    copies: &FxHashMap<Value, Value>,
) -> InstructionId {
    let instruction = body.instructions[id].clone();
    let operands: Vec<Value> =
        body.operands(id).iter().map(|value| copies.get(value).copied().unwrap_or(*value)).collect();
    let (types, targets) = (body.types(id).to_vec(), body.targets(id).to_vec());
    let results: Vec<SilType> = body.results(id).map(|result| body.ty(result)).collect();
    let new = NewInstruction {
        opcode: instruction.opcode,
        attributes: instruction.attributes,
        details: instruction.details,
        operands: &operands,
        types: &types,
        targets: &targets,
        results: &results,
        span: instruction.span,
        location: instruction.location,
        traits: instruction.traits,
    };
    let copy = body.insert(place, new);
    for (result, copied) in body.results(id).zip(body.results(copy)) {
        body.values[copied].flags = body.values[result].flags;
    }
    copy
}

/// Returns whether an instruction can be duplicated.
pub(crate) fn is_duplicable(body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    let instruction = &body.instructions[id];
    match instruction.opcode {
        AllocStack
        | AllocPack
        | AllocPackMetadata
        | AllocVector
        | BeginApply
        | OpenExistentialAddr
        | OpenExistentialRef
        | OpenExistentialMetatype
        | OpenExistentialBox
        | OpenExistentialBoxValue
        | OpenExistentialValue
        | OpenPackElement
        | GetAsyncContinuation
        | GetAsyncContinuationAddr
        | AwaitAsyncContinuation
        | HopToExecutor
        | BeginAccess
        | BeginUnpairedAccess
        | EndUnpairedAccess
        // Their results cannot be block arguments.
        | ObjCMethod
        | ObjCSuperMethod => false,
        AllocRef | AllocRefDynamic | PartialApply => {
            !instruction.attributes.contains(Attribute::Stack) && !instruction.attributes.contains(Attribute::OnStack)
        }
        MarkDependence => !instruction.attributes.contains(Attribute::NonEscaping),
        Builtin => !is_unique(body, id),
        Br | CondBr | SwitchEnum | SwitchEnumAddr => true,
        opcode => opcode.information().position != Position::Terminator,
    }
}

/// Returns whether a builtin allocates or deallocates stack memory, or must be the direct operand of its users.
fn is_unique(body: &Body, id: InstructionId) -> bool {
    let Details::Builtin(builtin) = &body.instructions[id].details else { return true };
    let kind = builtin.kind();
    matches!(
        kind,
        None | Some(BuiltinKind::Named(
            NamedBuiltin::StackAlloc
                | NamedBuiltin::UnprotectedStackAlloc
                | NamedBuiltin::StackDealloc
                | NamedBuiltin::Once
                | NamedBuiltin::OnceWithContext
                | NamedBuiltin::StartAsyncLet
                | NamedBuiltin::StartAsyncLetWithLocalBuffer
                | NamedBuiltin::EndAsyncLet
                | NamedBuiltin::EndAsyncLetLifetime
        ))
    )
}

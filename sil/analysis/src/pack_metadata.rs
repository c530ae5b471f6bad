//! For which instructions metadata of packs may be made where code is generated (lib/SIL/IR/SILInstruction.cpp).

use sil_ir::context::{SilType, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, InstructionId};
use sil_ir::types::TypeQueries;

use super::ApplySite;

/// Whether metadata of a pack may be made for an instruction.
pub fn may_need_pack_metadata(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    let involves = |ty: SilType| involves_pack(queries, ty.ty, DEPTH);
    let instruction = &body.instructions[id];
    match instruction.opcode {
        AllocPack | TuplePackElementAddr | OpenPackElement => true,
        Apply | TryApply | BeginApply | PartialApply => {
            let callee = ApplySite::new(body, id).and_then(|site| site.callee());
            let substituted = match &instruction.details {
                Details::Apply(apply) => queries.context.replacements(apply.substitutions),
                _ => &[],
            };
            callee.is_some_and(|callee| involves(body.ty(callee)))
                || substituted.iter().any(|ty| involves_pack(queries, *ty, DEPTH))
        }
        ClassMethod | DebugValue | DestroyAddr | DestroyValue => {
            body.operands(id).first().is_some_and(|operand| involves(body.ty(*operand)))
        }
        WitnessMethod => match &instruction.details {
            Details::Method(method) => method.lookup.is_some_and(|ty| involves_pack(queries, ty, DEPTH)),
            _ => false,
        },
        DeallocStack | DeallocPack | DeallocPackMetadata | Return | Throw | Unwind | ThrowAddr | Unreachable => false,
        _ => {
            body.results(id).any(|result| involves(body.ty(result)))
                || body.operands(id).iter().any(|operand| involves(body.ty(*operand)))
        }
    }
}

/// So deep types are looked into: those of recursive declarations end nowhere.
const DEPTH: u32 = 8;

/// Whether a type, or a part of its values, involves packs.
fn involves_pack(queries: &TypeQueries<'_>, ty: TypeId, depth: u32) -> bool {
    let is_pack = |ty: TypeId| matches!(queries.get(ty), Type::Pack { .. } | Type::PackExpansion { .. });
    if queries.find_in(ty, &mut |part| is_pack(part).then_some(())).is_some() {
        return true;
    }
    let fields = queries.field_types(ty).filter(|_| depth > 0);
    fields.is_some_and(|fields| fields.iter().any(|field| involves_pack(queries, *field, depth - 1)))
}

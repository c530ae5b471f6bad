//! The inlining cost of instructions: free, or about one machine instruction (lib/SILOptimizer/Utils/SILInliner.cpp,
//! `instructionInlineCost`).

use sil_ir::context::{MetatypeRepresentation, Type};
use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Details, InstructionId};
use sil_ir::types::TypeQueries;

/// The cost of inlining `id`.
pub(crate) fn inline_cost(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> i32 {
    i32::from(!is_free(queries, body, id))
}

fn is_free(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    let instruction = &body.instructions[id];
    match instruction.opcode {
        IntegerLiteral
        | FloatLiteral
        | StringLiteral
        | DebugValue
        | DebugStep
        | FixLifetime
        | BeginBorrow
        | EndBorrow
        | Borrowed
        | MarkDependence
        | MarkDependenceAddr
        | MergeIsolationRegion
        | FunctionRef
        | DynamicFunctionRef
        | PrevDynamicFunctionRef
        | AllocGlobal
        | GlobalAddr
        | BaseAddrForOffset
        | EndLifetime
        | ExtendLifetime
        | UncheckedOwnershipConversion
        | BindMemory
        | RebindMemory
        | MoveValue
        | DropDeinit
        | MarkUnresolvedNonCopyableValue
        | MarkUnresolvedReferenceBinding
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable
        | SpecifyTest
        | MoveonlywrapperToCopyableAddr
        | CopyableToMoveonlywrapperAddr
        | MoveonlywrapperToCopyableBox
        | IgnoredUse
        | ImplicitactorToOpaqueisolationCast
        | TupleElementAddr
        | StructElementAddr
        | ProjectBlockStorage
        | PackLength
        | TypeValue
        | DynamicPackIndex
        | PackPackIndex
        | ScalarPackIndex
        | Tuple
        | Struct
        | StructExtract
        | TupleExtract
        | DestructureStruct
        | DestructureTuple
        | AddressToPointer
        | PointerToAddress
        | UncheckedRefCast
        | UncheckedRefCastAddr
        | UncheckedAddrCast
        | UncheckedTrivialBitCast
        | UncheckedBitwiseCast
        | UncheckedValueCast
        | RawPointerToRef
        | RefToRawPointer
        | Upcast
        | EndInitLetRef
        | ThinToThickFunction
        | ConvertFunction
        | ConvertEscapeToNoescape
        | BridgeObjectToWord
        | ObjCProtocol
        | ObjcExistentialMetatypeToObject
        | ObjcMetatypeToObject
        | Unreachable
        | Return
        | ReturnBorrow
        | Throw
        | ThrowAddr
        | Unwind
        | Yield
        | EndCowMutation
        | EndCowMutationAddr
        | GetAsyncContinuation
        | GetAsyncContinuationAddr => true,
        BeginAccess | BeginUnpairedAccess | EndUnpairedAccess => !instruction.attributes.contains(Attribute::Dynamic),
        EndAccess => {
            let begin = body.operands(id).first().and_then(|access| body.defining(*access));
            begin.is_some_and(|begin| !body.instructions[begin].attributes.contains(Attribute::Dynamic))
        }
        Metatype => {
            let ty = body.result(id).map(|result| queries.get(body.ty(result).ty));
            matches!(ty, Some(Type::Metatype { representation: Some(MetatypeRepresentation::Thin), .. }))
        }
        // The branch of an otherwise empty block will likely be removed.
        Br => body.first_instruction(instruction.block) == Some(id),
        Builtin => is_hint(&instruction.details),
        _ => false,
    }
}

/// Returns whether a builtin is only a branch hint.
fn is_hint(details: &Details) -> bool {
    let Details::Builtin(builtin) = details else { return false };
    let kind = builtin.kind();
    matches!(kind, Some(BuiltinKind::Intrinsic(Intrinsic::Expect) | BuiltinKind::Named(NamedBuiltin::OnFastPath)))
}

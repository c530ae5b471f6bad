//! The family of calls, implemented in several folders: calls and methods, closures, builtins, coroutines.

use sil_ir::instructions::families::Calls;

use super::{Emit, Lowering, builtins, calls, closures, coroutines};

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Calls) -> Lowering {
    use Calls::*;
    let emit: Emit = match opcode {
        Apply => calls::emit_apply,
        BeginApply => coroutines::begin_apply,
        EndApply => coroutines::end_apply,
        AbortApply => coroutines::abort_apply,
        PartialApply => closures::partial_apply,
        ClassMethod => calls::class_method,
        SuperMethod => calls::super_method,
        WitnessMethod => calls::witness_method,
        Builtin => builtins::emit,
        FunctionExtractIsolation => closures::extract_isolation,
        ObjCMethod | ObjCSuperMethod => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

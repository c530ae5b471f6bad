//! Concurrency: entry, calls, suspension and return of async functions, hops to executors, and continuations. Builtins
//! are in `builtins`.

mod continuations;
mod executors;
mod functions;
mod implicit_actors;
pub(super) mod task_locals;

use sil_ir::instructions::families::Concurrency;

use super::{Emit, Lowering};

pub(super) use continuations::await_continuation;
pub(super) use functions::unreachable;
pub use functions::{AsyncCall, begin as begin_async};
pub(super) use implicit_actors::{as_argument, opaque_isolation};

/// Returns the lowering of each instruction of the family.
pub(super) fn lowering(opcode: Concurrency) -> Lowering {
    use Concurrency::*;
    let emit: Emit = match opcode {
        GetAsyncContinuation => continuations::get_continuation,
        GetAsyncContinuationAddr => continuations::get_continuation_of_memory,
        HopToExecutor => executors::hop,
        // Hops have been lowered to hops to executors.
        ExtractExecutor => return Lowering::NotYet,
    };
    Lowering::By(emit)
}

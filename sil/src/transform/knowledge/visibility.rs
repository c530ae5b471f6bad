//! What a function may have in its body, as clients may see some bodies (docs/SIL/SIL.md, `serialized`).
//!
//! Owns: whether a body may be put in another one, and whether a function may be named there. Does not own: what else
//! speaks against inlining it (`editing::inlining`, `optimizations::call_inlining`).

use crate::model::{Function, Linkage, Serialization};

/// Whether the body of `callee` may be a part of `caller`: what clients may see the body of can only have in it what they may see.
pub(in crate::transform) fn may_be_inlined_into(callee: &Function, caller: &Function) -> bool {
    caller.serialization == Serialization::None || callee.serialization != Serialization::None
}

/// Whether `caller` may refer to `function`: from a body that clients may see, that has to be one they can link with, or see the body of too.
pub(in crate::transform) fn may_be_named_in(function: &Function, caller: &Function) -> bool {
    may_be_inlined_into(function, caller) || matches!(function.linkage, Linkage::Public | Linkage::PublicExternal)
}

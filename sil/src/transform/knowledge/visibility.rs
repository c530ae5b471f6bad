//! What a function may have in its body, as clients may see some bodies (docs/SIL/SIL.md, `serialized`).
//!
//! Owns: whether a body may be put in another one, and whether a function may be named there; whether code that is not at hand may use a stored property.
//! Does not own: what else speaks against inlining it (`editing::inlining`, `optimizations::call_inlining`).

use crate::analysis::ModuleExtent;
use crate::context::NominalId;
use crate::declarations::{Access, Origin};
use crate::model::{Function, Linkage, Serialization};
use crate::types::TypeQueries;

/// Whether the body of `callee` may be a part of `caller`: what clients may see the body of can only have in it what they may see.
pub(in crate::transform) fn may_be_inlined_into(callee: &Function, caller: &Function) -> bool {
    caller.serialization == Serialization::None || callee.serialization != Serialization::None
}

/// Whether `caller` may refer to `function`: from a body that clients may see, that has to be one they can link with, or see the body of too.
pub(in crate::transform) fn may_be_named_in(function: &Function, caller: &Function) -> bool {
    may_be_inlined_into(function, caller) || matches!(function.linkage, Linkage::Public | Linkage::PublicExternal)
}

/// Whether code outside of what is at hand may use the stored property with that number of a type (`SILModule::isVisibleExternally`).
pub(in crate::transform) fn is_property_visible_elsewhere(
    queries: &TypeQueries<'_>,
    (declaration, index): (NominalId, u32),
    extent: ModuleExtent,
) -> bool {
    let own = queries.declarations.get(declaration).stored.get(index as usize).map(|property| property.access);
    let access = own.map(|own| own.min(queries.declarations.access_of(declaration)));
    queries.declarations.get(declaration).origin != Origin::Module
        || match access {
            Some(Access::Private | Access::FilePrivate) => false,
            Some(Access::Internal) => extent != ModuleExtent::Whole,
            Some(Access::Package | Access::Public | Access::Open) | None => true,
        }
}

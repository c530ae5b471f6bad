//! The restrictions on bodies that clients may see (docs/SIL/SIL.md, `serialized`).
//!
//! Owns: whether a body may be inlined into another, and whether a function may be referenced there; whether code
//! outside of the module may use a stored property.
//! Does not own: other obstacles to inlining (`editing::inlining`, `optimizations::call_inlining`).

use sil_analysis::ModuleExtent;
use sil_ir::context::NominalId;
use sil_ir::declarations::{Access, Origin};
use sil_ir::model::{Function, Linkage, Serialization};
use sil_ir::types::TypeQueries;

/// Returns whether the body of `callee` may become a part of `caller`: a serialised caller only inlines serialised
/// callees.
pub(crate) fn may_be_inlined_into(callee: &Function, caller: &Function) -> bool {
    caller.serialization == Serialization::None || callee.serialization != Serialization::None
}

/// Returns whether `caller` may reference `function`: a serialised body only references functions that clients can link
/// with, or whose bodies are serialised too.
pub(crate) fn may_be_named_in(function: &Function, caller: &Function) -> bool {
    may_be_inlined_into(function, caller) || matches!(function.linkage, Linkage::Public | Linkage::PublicExternal)
}

/// Returns whether code outside of the available module may use the stored property of a declaration with an index
/// (`SILModule::isVisibleExternally`).
pub(crate) fn is_property_visible_elsewhere(
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

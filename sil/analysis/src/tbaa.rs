//! Type-based alias analysis: memory of one type is not memory of another, by rules of the language
//! (SwiftCompilerSources/Sources/Optimizer/Analysis/AliasAnalysis.swift, docs/SIL/Types.md, "Typed Access TBAA").

use sil_ir::context::{BuiltinType, Type, TypeId};
use sil_ir::instructions::Attribute;
use sil_ir::model::Value;
use sil_ir::types::TypeQueries;

use super::{AccessBase, BodyView};

/// Whether the types of two addresses, with their bases, distinguish the memory.
pub fn are_distinct(view: &BodyView<'_>, first: (Value, AccessBase), second: (Value, AccessBase)) -> bool {
    let (left, right) = (view.body.ty(first.0).ty, view.body.ty(second.0).ty);
    let eligible = |base, ty| is_eligible_base(view, base) && is_eligible_type(view, ty);
    left != right
        && eligible(first.1, left)
        && eligible(second.1, right)
        && !contains(view.queries, left, right, NESTING)
        && !contains(view.queries, right, left, NESTING)
        && !(view.queries.is_class(left) && view.queries.is_class(right))
}

/// Whether memory with this base has the type that it is accessed with: no pointer conversion changes it.
fn is_eligible_base(view: &BodyView<'_>, base: AccessBase) -> bool {
    match base {
        AccessBase::Box(_) | AccessBase::Class(_) | AccessBase::Tail(_) | AccessBase::Global(_) => true,
        AccessBase::Pointer(address) => view
            .body
            .defining(address)
            .is_some_and(|id| view.body.instructions[id].attributes.contains(Attribute::Strict)),
        _ => false,
    }
}

/// Whether the type distinguishes memory. Two types with archetypes may be one.
fn is_eligible_type(view: &BodyView<'_>, ty: TypeId) -> bool {
    let tells = match view.queries.get(ty) {
        Type::Nominal(_) | Type::Tuple(_) => true,
        Type::Builtin(builtin) => {
            matches!(builtin, BuiltinType::Integer(_) | BuiltinType::Word | BuiltinType::Float(_))
        }
        _ => false,
    };
    tells && !view.has_archetype(ty)
}

/// How deep types are looked into.
const NESTING: usize = 32;

/// Whether `whole` is `part` or may have one in it.
fn contains(queries: &TypeQueries<'_>, whole: TypeId, part: TypeId, nesting: usize) -> bool {
    let Some(nesting) = nesting.checked_sub(1) else { return true };
    if whole == part {
        return true;
    }
    let within = |inner: TypeId| contains(queries, inner, part, nesting);
    match queries.get(whole) {
        Type::Tuple(elements) => elements.iter().any(|element| within(element.ty)),
        Type::Builtin(BuiltinType::FixedArray { element, .. }) => within(*element),
        Type::Nominal(nominal) if !queries.is_class(whole) => {
            let fields = queries.field_types(whole);
            let cases = 0..queries.declarations.get(nominal.declaration).cases.len() as u32;
            fields.is_some_and(|fields| fields.iter().any(|field| within(*field)))
                || cases.filter_map(|case| queries.case_payload(whole, case)).any(within)
        }
        // Its structure is not known.
        Type::Unresolved { .. } => true,
        _ => false,
    }
}

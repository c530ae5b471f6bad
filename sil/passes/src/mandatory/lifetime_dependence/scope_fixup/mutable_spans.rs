//! Ends mutations by spans: a copy-on-write mutation of a buffer through a mutable span ends with the access, by
//! `end_cow_mutation_addr`.

use sil_analysis::AccessKind;
use sil_ir::context::{Type, TypeId};

use super::super::facts::Facts;
use super::super::scope::{LifetimeDependence, Scope};

use sil_ir::model::{InstructionId, Place, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use crate::editing::editor::Editor;

/// Ends the mutations of the memory that `mark` depends on by `scope`, if its value may contain a `MutableSpan`.
pub(super) fn end_mutations(editor: &mut Editor<'_>, mark: InstructionId, scope: Scope) {
    let found = {
        let view = editor.view();
        let facts = Facts::new(&view);
        mutations(&facts, mark, scope)
    };
    let Some((address, ends)) = found else { return };
    for end in ends {
        editor.build(Place::Before(end), end, |builder| {
            builder.end_cow_mutation_addr(address);
        });
    }
}

/// Returns the mutated address, and the ends of its scope.
fn mutations(facts: &Facts<'_, '_>, mark: InstructionId, scope: Scope) -> Option<(Value, Vec<InstructionId>)> {
    use sil_ir::context::ParameterConvention::InOut;
    let begin = match scope {
        Scope::Access(begin) if AccessKind::of(facts.view.body, begin) == AccessKind::Modify => begin,
        Scope::Yield(value) => {
            let convention = facts.yield_convention(value)?;
            (convention == ArgumentConvention::Parameter(InOut)).then(|| facts.view.body.defining(value)).flatten()?
        }
        _ => return None,
    };
    let dependence = LifetimeDependence::with_scope(facts, mark, scope)?;
    let ty = facts.view.body.ty(dependence.dependent).ty;
    may_have_mutable_span(facts.view.queries, ty, NESTING)
        .then(|| Some((scope.parent(facts)?, facts.scope_ends(begin))))
        .flatten()
}

/// The greatest nesting depth of types.
const NESTING: usize = 64;

/// Returns whether a value of the type may contain a `MutableSpan`.
fn may_have_mutable_span(queries: &TypeQueries<'_>, ty: TypeId, nesting: usize) -> bool {
    let Some(nesting) = nesting.checked_sub(1) else { return true };
    match queries.get(ty) {
        Type::GenericParameter { .. }
        | Type::NamedParameter { .. }
        | Type::DependentMember { .. }
        | Type::OpenedArchetype { .. }
        | Type::OpaqueResult { .. } => true,
        Type::Nominal(_) if queries.is_class(ty) => false,
        Type::Nominal(nominal) => {
            if queries.is_mutable_span(nominal.declaration) {
                return true;
            }
            let cases = queries.declarations.get(nominal.declaration).cases.len() as u32;
            let is_in_field = queries
                .field_types(ty)
                .is_some_and(|fields| fields.iter().any(|field| may_have_mutable_span(queries, *field, nesting)));
            let mut payloads = (0..cases).filter_map(|case| queries.case_payload(ty, case));
            is_in_field || payloads.any(|payload| may_have_mutable_span(queries, payload, nesting))
        }
        _ => false,
    }
}

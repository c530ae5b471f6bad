//! The parts of structs and tuples, and whether it is worth to treat values part by part (`shouldExpand` in lib/SILOptimizer/Utils/InstOptUtils.cpp).

use super::elements::{Step, property_of};
use crate::context::{SilType, Type, TypeId};
use crate::declarations::{Access, NominalKind, Origin};
use crate::instructions::Opcode;
use crate::model::Details;
use crate::transform::pipeline::Environment;
use crate::transform::settings::{Expansion, LibraryEvolution, Settings};
use crate::types::{Copyability, TypeQueries};

/// Aggregates of more scalars than this are treated as a whole.
const MOST_FIELDS: usize = 6;

/// A part of a struct or a tuple, and its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) struct AggregatePart {
    pub(in crate::transform) step: Step,
    pub(in crate::transform) ty: TypeId,
}

impl AggregatePart {
    /// The instruction that projects its address from that of the whole.
    pub(in crate::transform) fn projection(self) -> (Opcode, Details) {
        match self.step {
            Step::Property(member) => (Opcode::StructElementAddr, Details::Member(member)),
            Step::Tuple(index) => (Opcode::TupleElementAddr, Details::Index(index)),
        }
    }

    /// The instruction that takes it out of a value.
    pub(in crate::transform) fn extraction(self) -> (Opcode, Details) {
        match self.step {
            Step::Property(member) => (Opcode::StructExtract, Details::Member(member)),
            Step::Tuple(index) => (Opcode::TupleExtract, Details::Index(index)),
        }
    }
}

/// The parts of a struct or a tuple, in their order. None for other types, and where they are not known.
pub(in crate::transform) fn parts(queries: &TypeQueries<'_>, ty: TypeId) -> Option<Vec<AggregatePart>> {
    if let Type::Tuple(elements) = queries.get(ty) {
        let part = |(index, element): (u32, &crate::context::TupleElement)| AggregatePart {
            step: Step::Tuple(index),
            ty: element.ty,
        };
        return Some((0..).zip(elements.iter()).map(part).collect());
    }
    let nominal = queries.as_nominal(ty)?;
    let declaration = queries.declarations.get(nominal.declaration);
    if declaration.kind != NominalKind::Struct {
        return None;
    }
    let fields = queries.field_types(ty)?;
    let names = declaration.stored.iter().map(|property| property.name);
    let step = |(index, name)| Step::Property(property_of(queries, nominal.declaration, name, index));
    let steps = (0..).zip(names).map(step);
    Some(steps.zip(fields.iter()).map(|(step, ty)| AggregatePart { step, ty: *ty }).collect())
}

/// Whether the end of a value runs code of its own.
pub(in crate::transform) fn has_deinit(environment: Environment<'_>, ty: TypeId) -> bool {
    let Environment { queries, function, .. } = environment;
    let is_noncopyable = queries.properties(ty, function.signature).copyability == Copyability::Noncopyable;
    is_noncopyable && queries.declaration_of(ty).is_some_and(|declaration| declaration.attributes.has_deinit)
}

/// Whether values of a type are only in memory, or may be.
pub(in crate::transform) fn is_in_memory(environment: Environment<'_>, ty: SilType) -> bool {
    let properties = environment.queries.properties(ty.ty, environment.function.signature);
    properties.is_address_only() || properties.is_guessed()
}

/// Whether only the running program knows what values of a type are made of: a library that it is linked with may have been built anew since.
pub(in crate::transform) fn is_resilient(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let is_itself = queries.declaration_of(ty).is_some_and(|declaration| {
        declaration.attributes.resilient && declaration.origin == Origin::Imported && !queries.is_class(ty)
    });
    let parts = parts(queries, ty).unwrap_or_default();
    is_itself || parts.into_iter().any(|part| is_resilient(queries, part.ty))
}

/// Whether values of a type are treated part by part: they have few, or all are.
pub(in crate::transform) fn is_divided(environment: Environment<'_>, ty: SilType) -> bool {
    !is_in_memory(environment, ty)
        && !has_deinit(environment, ty.ty)
        && !may_change(environment.queries, environment.settings, ty.ty)
        && (environment.settings.expansion == Expansion::All || field_count(environment, ty.ty) <= MOST_FIELDS)
}

/// Whether what values of a type are made of may become something else.
pub(in crate::transform) fn may_change(queries: &TypeQueries<'_>, settings: &Settings, ty: TypeId) -> bool {
    if settings.evolution == LibraryEvolution::Disabled {
        return false;
    }
    let is_public = queries.declaration_of(ty).is_some_and(|declaration| {
        let is_frozen = declaration.attributes.frozen;
        declaration.attributes.access == Access::Public && !is_frozen && declaration.origin == Origin::Module
    });
    let parts = parts(queries, ty).unwrap_or_default();
    is_public || parts.into_iter().any(|part| may_change(queries, settings, part.ty))
}

/// How many scalars values of a type are made of; of an enum, those of its greatest payload.
fn field_count(environment: Environment<'_>, ty: TypeId) -> usize {
    let queries = environment.queries;
    let cases = queries.declaration_of(ty).map_or(0, |declaration| declaration.cases.len() as u32);
    if cases > 0 {
        let payloads = (0..cases).filter_map(|case| queries.case_payload(ty, case));
        return payloads.map(|payload| field_count(environment, payload)).max().unwrap_or(1);
    }
    match parts(queries, ty).filter(|_| !has_deinit(environment, ty)) {
        Some(parts) => parts.into_iter().map(|part| field_count(environment, part.ty)).sum(),
        None => 1,
    }
}

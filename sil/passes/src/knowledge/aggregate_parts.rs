//! The parts of structs and tuples, and the decision to expand values into their parts (`shouldExpand` in
//! lib/SILOptimizer/Utils/InstOptUtils.cpp).

use sil_ir::context::{BuiltinType, SignatureId, SilType, Type, TypeId};
use sil_ir::declarations::{Access, NominalKind, Origin};
use sil_ir::model::Value;
use sil_ir::types::{Copyability, TypeQueries};

use super::elements::{Step, property_of};
use crate::InstructionBuilder;
use crate::pass::Environment;
use crate::pass::settings::{Expansion, LibraryEvolution, Settings};

/// Aggregates of more scalars than this are not expanded.
const MOST_FIELDS: usize = 6;

/// The context of a type: its signature, and the settings that queries about it depend on.
#[derive(Clone, Copy)]
pub(crate) struct TypePlace<'p> {
    /// The type queries.
    pub(crate) queries: &'p TypeQueries<'p>,
    /// The signature whose generic parameters the types refer to.
    pub(crate) signature: Option<SignatureId>,
    /// The settings of the passes.
    pub(crate) settings: &'p Settings,
}

impl<'m> From<Environment<'m>> for TypePlace<'m> {
    fn from(environment: Environment<'m>) -> Self {
        let Environment { queries, function, settings, .. } = environment;
        Self { queries, signature: function.signature, settings }
    }
}

/// A part of a struct or a tuple, and its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AggregatePart {
    pub(crate) step: Step,
    pub(crate) ty: TypeId,
}

impl AggregatePart {
    /// Its address, projected from that of the whole.
    pub(crate) fn project(self, at: &mut InstructionBuilder<'_>, whole: Value) -> Value {
        let address = SilType::address(self.ty);
        match self.step {
            Step::Property(member) => at.struct_element_addr(whole, member, address),
            Step::Tuple(index) => at.tuple_element_addr(whole, index, address),
        }
    }

    /// Its value, taken out of the whole.
    pub(crate) fn extract(self, at: &mut InstructionBuilder<'_>, whole: Value) -> Value {
        let object = SilType::object(self.ty);
        match self.step {
            Step::Property(member) => at.struct_extract(whole, member, object),
            Step::Tuple(index) => at.tuple_extract(whole, index, object),
        }
    }
}

/// Returns the parts of a struct or a tuple in order. `None` for other types, and for types with unknown parts.
pub(crate) fn parts(queries: &TypeQueries<'_>, ty: TypeId) -> Option<Vec<AggregatePart>> {
    if let Type::Tuple(elements) = queries.get(ty) {
        let part = |(index, element): (u32, &sil_ir::context::TupleElement)| AggregatePart {
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

/// Returns whether a type has a deinit, which runs at the end of a value's lifetime.
pub(crate) fn has_deinit<'p>(place: impl Into<TypePlace<'p>>, ty: TypeId) -> bool {
    let TypePlace { queries, signature, .. } = place.into();
    let is_noncopyable = queries.properties(ty, signature).copyability == Copyability::Noncopyable;
    is_noncopyable && queries.declaration_of(ty).is_some_and(|declaration| declaration.attributes.has_deinit)
}

/// Returns whether values of a type are, or may be, address-only.
pub(crate) fn is_in_memory<'p>(place: impl Into<TypePlace<'p>>, ty: SilType) -> bool {
    let TypePlace { queries, signature, .. } = place.into();
    let properties = queries.properties(ty.ty, signature);
    properties.is_address_only() || properties.is_guessed()
}

/// Returns whether the layout of a type is only known at run time: it belongs to a resilient library, which may have
/// been rebuilt since.
pub(crate) fn is_resilient(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let is_itself = queries.declaration_of(ty).is_some_and(|declaration| {
        declaration.attributes.resilient && declaration.origin == Origin::Imported && !queries.is_class(ty)
    });
    let parts = parts(queries, ty).unwrap_or_default();
    is_itself || parts.into_iter().any(|part| is_resilient(queries, part.ty))
}

/// Returns whether values of a type are expanded into their parts: they have few scalars, or the settings expand all
/// types.
pub(crate) fn is_divided<'p>(place: impl Into<TypePlace<'p>>, ty: SilType) -> bool {
    let place = place.into();
    !is_in_memory(place, ty)
        && !has_deinit(place, ty.ty)
        && !may_change(place.queries, place.settings, ty.ty)
        && (place.settings.expansion == Expansion::All || field_count(place.queries, ty.ty) <= MOST_FIELDS)
}

/// Returns whether the parts of a type may change in a later version of the library.
pub(crate) fn may_change(queries: &TypeQueries<'_>, settings: &Settings, ty: TypeId) -> bool {
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

/// Returns the number of scalars in a type as its declarations show: each field of a struct counts at least one, an
/// enum counts those of its greatest payload (`TypeConverter::countNumberOfFields` in lib/SIL/IR/TypeLowering.cpp).
fn field_count(queries: &TypeQueries<'_>, ty: TypeId) -> usize {
    let counts = |parts: Vec<AggregatePart>| parts.into_iter().map(|part| field_count(queries, part.ty));
    match queries.get(ty) {
        Type::Tuple(_) => return parts(queries, ty).map_or(0, |parts| counts(parts).sum()),
        Type::Builtin(BuiltinType::FixedArray { count, .. }) => {
            return match queries.get(*count) {
                Type::Integer(count) => usize::try_from(*count).unwrap_or(1),
                _ => 1,
            };
        }
        _ => {}
    }
    let Some(declaration) = queries.declaration_of(ty) else { return 0 };
    match declaration.kind {
        NominalKind::Struct => parts(queries, ty).map_or(0, |parts| counts(parts).map(|count| count.max(1)).sum()),
        NominalKind::Enum => {
            let direct = (0..).zip(&declaration.cases).filter(|(_, case)| !case.indirect);
            let payloads = direct.filter_map(|(case, _)| queries.case_payload(ty, case));
            payloads.map(|payload| field_count(queries, payload)).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Returns whether a type is an enum or contains one: a value may be of a trivial case although its type is not trivial
/// (`isOrHasEnum` in include/swift/SIL/SILType.h).
pub(crate) fn has_enum(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let is_enum = |ty| queries.declaration_of(ty).is_some_and(|declaration| declaration.kind == NominalKind::Enum);
    queries.find_in(ty, &mut |part| is_enum(part).then_some(())).is_some()
}

//! The tangent vector components of the stored properties of a differentiated type (lib/AST/TypeCheckRequests.cpp,
//! `TangentStoredPropertyRequest`; `getTangentStoredProperty` of lib/SILOptimizer/Differentiation/Common.cpp).

use sil_analysis::BodyView;
use sil_ir::context::{MemberId, MemberTarget, NominalId, SignatureId, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{Details, InstructionId};
use sil_ir::types::TypeQueries;

use crate::knowledge::elements::property_of;
use crate::messages::type_names::type_name;

/// Returns the stored property of the tangent vector of `base` for its stored property `field`, or the reason why there
/// is none.
pub(super) fn tangent_property(
    queries: &TypeQueries<'_>,
    (base, signature): (TypeId, Option<SignatureId>),
    field: MemberId,
) -> Result<MemberId, String> {
    let context = queries.context;
    let member = context.get_member(field);
    let parent = member.parent.map(|parent| context.text(queries.declarations.get(parent).name)).unwrap_or_default();
    let name = context.text(member.name);
    let subject = format!("cannot differentiate access to property '{parent}.{name}'");
    if !queries.is_differentiable(base, signature) {
        return Err(format!("{subject} because '{parent}' does not conform to 'Differentiable'"));
    }
    let Some(ty) = queries.stored_property_type(base, field) else { return Err(subject) };
    if !queries.is_differentiable(ty, signature) {
        let ty = type_name(queries, ty, signature);
        return Err(format!("{subject} because property type '{ty}' does not conform to 'Differentiable'"));
    }
    let space = queries.tangent_space(base, signature);
    if space == Some(base) {
        return Ok(field);
    }
    let nominal = space.and_then(|space| queries.as_nominal(space)).map(|nominal| nominal.declaration);
    let is_structure = |nominal: &NominalId| queries.declarations.get(*nominal).kind == NominalKind::Struct;
    let (Some(space), Some(nominal)) = (space, nominal.filter(is_structure)) else {
        return Err(format!("{subject} because '{parent}.TangentVector' is not a struct"));
    };
    let tangent = format!("'{parent}.TangentVector.{name}'");
    let declaration = queries.declarations.get(nominal);
    let Some(index) = declaration.stored.iter().position(|property| property.name == member.name) else {
        return Err(match declaration.members.iter().any(|other| other.name == member.name) {
            true => format!("{subject} because {tangent} is not a stored property"),
            false => {
                format!("{subject} because '{parent}.TangentVector' does not have a stored property named '{name}'")
            }
        });
    };
    let found = property_of(queries, nominal, member.name, index as u32);
    let expected = queries.tangent_space(ty, signature);
    if queries.stored_property_type(space, found) != expected {
        let expected = expected.map(|expected| type_name(queries, expected, signature)).unwrap_or_default();
        return Err(format!("{subject} because {tangent} does not have expected type '{expected}'"));
    }
    Ok(found)
}

/// Returns the tangent property for the property that an instruction projects.
pub(super) fn projected_tangent(
    view: &BodyView<'_>,
    projection: InstructionId,
    signature: Option<SignatureId>,
) -> Result<MemberId, String> {
    let body = view.body;
    let member = match body.instructions[projection].details {
        Details::Member(member) => Some(member),
        _ => None,
    };
    let stored =
        member.filter(|member| matches!(view.queries.context.get_member(*member).target, MemberTarget::Stored(_)));
    let base = body.operands(projection).first().map(|base| body.ty(*base).ty);
    match (base, stored) {
        (Some(base), Some(member)) => tangent_property(view.queries, (base, signature), member),
        _ => Err("expression is not differentiable".into()),
    }
}

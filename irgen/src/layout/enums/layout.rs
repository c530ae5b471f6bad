//! The choice of an enum's layout strategy, and the resulting type information.

use std::sync::{Arc, OnceLock};

use sil_ir::context::{BuiltinType, Type, TypeId};
use sil_ir::declarations::{Access, EnumCase, NominalDeclaration, NominalKind, Origin};
use sil_ir::types::TypeQueries;

use super::multi_payload::{self, SpareBits};
use super::{Case, CaseKind, EnumLayout, Group, Pattern, PayloadSchema, Strategy, no_payload, single_payload};
use crate::layout::converter::{Clients, Conversion, TypeConverter};
use crate::layout::{Bits, Copying, Element, Scalar, TypeInfo, TypeKind};
use crate::refusal::Generated;

/// The numbers of a layout.
pub(super) struct Numbers {
    pub strategy: Strategy,
    /// The size of the payload area in bytes.
    pub payload_size: u64,
    /// The bits of the payload area that hold a part of the tag.
    pub payload_tag_bits: Bits,
    /// The width of the integer after the payload area.
    pub extra_tag_bits: u32,
    /// The pattern of each case.
    pub patterns: Vec<Pattern>,
    /// The cases by tag.
    pub groups: Vec<Group>,
    /// The bits of the payload area that stay spare.
    pub spare_payload_bits: Bits,
    /// The extra inhabitants of the enum.
    pub extra_inhabitant_count: u32,
}

/// The number of bits that distinguish `count` values.
pub(super) fn bits_for(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

/// The bytes of a tag of `bits` bits.
pub(super) fn tag_size(bits: u32) -> u64 {
    match bits {
        0 => 0,
        1..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8,
    }
}

/// The payload of a case: its SIL type, and whether the layout has room for it.
pub(super) struct Payload {
    pub info: Option<Arc<TypeInfo>>,
    pub kind: CaseKind,
}

/// The layout of the enum `ty` (lib/IRGen/GenEnum.cpp, `EnumImplStrategy::get`).
pub(in crate::layout) fn layout(
    types: &Conversion<'_, '_>,
    ty: TypeId,
    declaration: &NominalDeclaration,
) -> Generated<TypeInfo> {
    let attributes = &declaration.attributes;
    if attributes.objc {
        return Err(types.converter.unsupported(ty));
    }
    if let Some(c_values) = &attributes.c_values {
        let payloads = declaration.cases.iter().map(|_| Payload { info: None, kind: CaseKind::Empty }).collect();
        let numbers = no_payload::of_c(c_values, declaration.cases.len());
        let numbers = numbers.ok_or_else(|| types.converter.unsupported(ty))?;
        return Ok(finish(types.converter.target.pointer_size, payloads, numbers, Copying::Trivial));
    }
    let mut spare = SpareBits::Usable;
    let mut payloads = Vec::new();
    for (case, index) in declaration.cases.iter().zip(0..) {
        let info = types.converter.queries.case_payload(ty, index).map(|payload| types.info(payload)).transpose()?;
        let declared = declared_payload(types, declaration, case, info.as_deref());
        if declared == Declared::Dependent {
            spare = SpareBits::Unusable;
        }
        let kind = if declared == Declared::Empty { CaseKind::Empty } else { CaseKind::Payload };
        payloads.push(Payload { info, kind });
    }
    let mut info = layout_cases(types.converter.target.pointer_size, payloads, spare);
    if let Some(alignment) = attributes.alignment {
        info.alignment = info.alignment.max(u64::from(alignment));
    }
    Ok(info)
}

/// The payload of a case before substitution of generic arguments, since all instances of a generic enum are laid out
/// alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declared {
    /// No payload, or one that is always empty.
    Empty,
    /// A payload with a layout of its own.
    Fixed,
    /// A payload whose layout depends on a generic parameter, or on a type whose layout other modules do not know.
    Dependent,
}

fn declared_payload(
    types: &Conversion<'_, '_>,
    declaration: &NominalDeclaration,
    case: &EnumCase,
    payload: Option<&TypeInfo>,
) -> Declared {
    let (Some(payload), Some(formal)) = (payload, case.payload) else { return Declared::Empty };
    if !case.indirect && declaration.signature.is_some() && depends_on_parameter(types.converter.queries, formal) {
        return Declared::Dependent;
    }
    let is_unknown = is_unknown_to_clients(types.converter, declaration, case);
    if is_unknown && declaration.attributes.frozen {
        return Declared::Dependent;
    }
    // Other modules number cases by whether they have payloads, and may not know that a payload is empty.
    if payload.size == 0 && payload.is_trivial() && !is_unknown { Declared::Empty } else { Declared::Fixed }
}

/// Returns whether the runtime must be able to compute the layout of an enum of this module, even though its payloads
/// do not depend on parameters: other modules know the enum, but not its payloads.
pub(in crate::layout) fn is_found_by_runtime(converter: &TypeConverter<'_>, declaration: &NominalDeclaration) -> bool {
    let is_unknown = |case: &EnumCase| is_unknown_to_clients(converter, declaration, case);
    declaration.attributes.frozen && declaration.cases.iter().any(is_unknown)
}

/// Returns whether other modules that use an enum do not know the layout of a payload.
pub(in crate::layout) fn is_unknown_to_clients(
    converter: &TypeConverter<'_>,
    declaration: &NominalDeclaration,
    case: &EnumCase,
) -> bool {
    converter.clients() == Clients::Uninformed
        && is_seen_by_clients(declaration)
        && !case.indirect
        && case.payload.is_some_and(|payload| may_change(converter.queries, payload))
}

/// Returns whether other modules can name a type of this one.
fn is_seen_by_clients(declaration: &NominalDeclaration) -> bool {
    declaration.origin == Origin::Module && declaration.attributes.access >= Access::Package
}

/// Returns whether values of a type contain, inline, one of this module whose layout other modules do not know, since
/// its library may change it.
fn may_change(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let any = |parts: &[TypeId]| parts.iter().any(|part| may_change(queries, *part));
    match queries.get(ty) {
        Type::Tuple(elements) => elements.iter().any(|element| may_change(queries, element.ty)),
        Type::Nominal(nominal) => {
            let declaration = queries.declarations.get(nominal.declaration);
            match declaration.kind {
                NominalKind::Struct | NominalKind::Enum
                    if is_seen_by_clients(declaration) && !declaration.attributes.frozen =>
                {
                    true
                }
                NominalKind::Struct => any(&queries.stored_property_types(ty).unwrap_or_default()),
                NominalKind::Enum => any(&payloads_in_place(queries, ty, declaration)),
                NominalKind::Class | NominalKind::Actor | NominalKind::Protocol | NominalKind::Unknown => false,
            }
        }
        _ => false,
    }
}

/// Returns the payloads of an enum that are not boxed.
fn payloads_in_place(queries: &TypeQueries<'_>, ty: TypeId, declaration: &NominalDeclaration) -> Vec<TypeId> {
    let cases = declaration.cases.iter().zip(0..);
    let in_place = cases.filter(|(case, _)| !case.indirect && !declaration.attributes.indirect);
    in_place.filter_map(|(_, index)| queries.case_payload(ty, index)).collect()
}

/// Returns whether the layout of a type in terms of generic parameters depends on one of them.
fn depends_on_parameter(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let any = |parts: &[TypeId]| parts.iter().any(|part| depends_on_parameter(queries, *part));
    match queries.get(ty) {
        Type::GenericParameter { .. } | Type::NamedParameter { .. } | Type::DependentMember { .. } => true,
        Type::Tuple(elements) => elements.iter().any(|element| depends_on_parameter(queries, element.ty)),
        Type::Builtin(BuiltinType::FixedArray { count, element }) => any(&[*count, *element]),
        Type::MoveOnlyWrapper(inner) => depends_on_parameter(queries, *inner),
        Type::Nominal(nominal) => {
            let declaration = queries.declarations.get(nominal.declaration);
            match declaration.kind {
                NominalKind::Struct => any(&queries.stored_property_types(ty).unwrap_or_default()),
                NominalKind::Enum => {
                    let payloads =
                        (0..declaration.cases.len() as u32).filter_map(|index| queries.case_payload(ty, index));
                    any(&payloads.collect::<Vec<_>>())
                }
                NominalKind::Class | NominalKind::Actor | NominalKind::Protocol | NominalKind::Unknown => false,
            }
        }
        _ => false,
    }
}

/// The layout of an enum whose cases have these payloads, for pointers of `pointer_size` bytes.
pub(super) fn layout_cases(pointer_size: u64, payloads: Vec<Payload>, spare: SpareBits) -> TypeInfo {
    let copying = payloads.iter().filter_map(|payload| payload.info.as_ref()).map(|info| info.copying).max();
    let copying = copying.unwrap_or(Copying::Trivial);
    let room: Vec<Option<Arc<TypeInfo>>> = payloads.iter().map(Payload::room).collect();
    let with_room: Vec<usize> = (0..room.len()).filter(|index| room[*index].is_some()).collect();
    if payloads.len() <= 1 {
        return singleton(pointer_size, payloads, copying);
    }
    let numbers = match (with_room.as_slice(), with_room.first().and_then(|case| room[*case].as_deref())) {
        ([case], Some(payload)) => single_payload::numbers(payloads.len(), *case, payload),
        ([_, _, ..], _) => {
            let spare = if copying == Copying::AddressOnly { SpareBits::Unusable } else { spare };
            multi_payload::numbers(&room, spare)
        }
        _ => no_payload::numbers(payloads.len()),
    };
    finish(pointer_size, payloads, numbers, copying)
}

impl Payload {
    fn room(&self) -> Option<Arc<TypeInfo>> {
        match self.kind {
            CaseKind::Payload => self.info.clone(),
            CaseKind::Empty => None,
        }
    }
}

/// The layout of an enum with one case is that of its payload; without cases or payload, it is empty.
fn singleton(pointer_size: u64, payloads: Vec<Payload>, copying: Copying) -> TypeInfo {
    let payload = payloads.first().and_then(|payload| payload.info.clone());
    let pattern = |payload: &Payload| Pattern { kind: payload.kind, payload: Bits::zero(0), extra_tag: 0 };
    let group =
        (!payloads.is_empty()).then(|| Group { tag: 0, matched: Vec::new(), otherwise: Some(0), mask: Bits::zero(0) });
    let layout = EnumLayout {
        cases: payloads
            .iter()
            .map(|payload| Case { payload: payload.info.clone(), pattern: pattern(payload) })
            .collect(),
        strategy: Strategy::Singleton,
        schema: PayloadSchema::new(0, pointer_size, &[]),
        payload_size: 0,
        payload_tag_bits: Bits::zero(0),
        extra_tag: None,
        tag_bits: 0,
        groups: group.into_iter().collect(),
        structure: OnceLock::new(),
    };
    let whole = payload.as_deref();
    TypeInfo {
        size: whole.map_or(0, |info| info.size),
        alignment: whole.map_or(1, |info| info.alignment),
        elements: whole.map(|info| info.elements.clone()).unwrap_or_default(),
        copying,
        spare_bits: whole.map(|info| info.spare_bits.clone()).unwrap_or_default(),
        deinit: None,
        extra_inhabitant_count: whole.map_or(0, |info| info.extra_inhabitant_count),
        kind: TypeKind::Enum(Box::new(layout)),
    }
}

fn finish(pointer_size: u64, payloads: Vec<Payload>, numbers: Numbers, copying: Copying) -> TypeInfo {
    let tag_size = tag_size(numbers.extra_tag_bits);
    let size = numbers.payload_size + tag_size;
    let mut spare_bits = numbers.spare_payload_bits.resized(size * 8);
    spare_bits.set_range(numbers.payload_size * 8 + u64::from(numbers.extra_tag_bits), size * 8);
    let alignment = payloads.iter().filter_map(Payload::room).map(|info| info.alignment).max();
    let only_payload = match numbers.strategy {
        Strategy::SinglePayload { case, .. } => payloads[case].info.clone(),
        _ => None,
    };
    let pointers = only_payload.as_ref().map_or(&[][..], |info| &info.elements);
    let schema = PayloadSchema::new(numbers.payload_size, pointer_size, pointers);
    let extra_tag = (tag_size > 0).then(|| {
        let bits = tag_size as u32 * 8;
        Element { scalar: Scalar::Integer(bits), offset: numbers.payload_size, bits }
    });
    let loadable = copying != Copying::AddressOnly;
    let elements = if loadable { schema.chunks().iter().copied().chain(extra_tag).collect() } else { Vec::new() };
    let cases = payloads.into_iter().zip(numbers.patterns);
    let payload_tag_bits_count = numbers.payload_tag_bits.count_ones() as u32;
    let layout = EnumLayout {
        cases: cases.map(|(payload, pattern)| Case { payload: payload.info, pattern }).collect(),
        strategy: numbers.strategy,
        schema,
        payload_size: numbers.payload_size,
        payload_tag_bits: numbers.payload_tag_bits,
        tag_bits: payload_tag_bits_count + numbers.extra_tag_bits,
        extra_tag,
        groups: numbers.groups,
        structure: OnceLock::new(),
    };
    TypeInfo {
        size,
        // The alignment of an enum without payloads is that of its tag.
        alignment: alignment.unwrap_or(tag_size.max(1)),
        elements,
        copying,
        spare_bits,
        deinit: None,
        extra_inhabitant_count: numbers.extra_inhabitant_count,
        kind: TypeKind::Enum(Box::new(layout)),
    }
}

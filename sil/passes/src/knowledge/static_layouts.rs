//! Sizes and alignments that follow from declarations only (docs/ABI/TypeLayout.rst): of numbers, pointers, references,
//! functions, and of structs and tuples of these. Does not own: layouts of enums and existentials, which code
//! generation computes.

use sil_ir::context::{BuiltinType, FunctionType, MetatypeRepresentation, Representation, Type, TypeId};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::model::Platform;
use sil_ir::types::TypeQueries;

/// The size and alignment of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StaticLayout {
    /// In bytes.
    pub(crate) size: u64,
    /// In bytes, a power of two.
    pub(crate) alignment: u64,
}

/// The limit for nested types: invalid input may make a type contain itself.
const DEPTH_LIMIT: u32 = 64;

impl StaticLayout {
    const fn word(size: u64) -> Self {
        Self { size, alignment: size }
    }

    /// Returns the stride of array elements.
    pub(crate) fn stride(self) -> u64 {
        self.size.next_multiple_of(self.alignment).max(1)
    }

    /// Returns the layout of a lowered type, or `None` if it does not follow from declarations.
    pub(crate) fn of(queries: &TypeQueries<'_>, platform: Platform, ty: TypeId) -> Option<Self> {
        within(queries, platform, ty, 0)
    }
}

fn within(queries: &TypeQueries<'_>, platform: Platform, ty: TypeId, depth: u32) -> Option<StaticLayout> {
    let pointer = u64::from(platform.pointer_width.bits()) / 8;
    if depth > DEPTH_LIMIT {
        return None;
    }
    let parts = |types: &[TypeId]| {
        let mut whole = StaticLayout { size: 0, alignment: 1 };
        for ty in types {
            let part = within(queries, platform, *ty, depth + 1)?;
            whole.size = whole.size.next_multiple_of(part.alignment) + part.size;
            whole.alignment = whole.alignment.max(part.alignment);
        }
        Some(whole)
    };
    match queries.get(ty) {
        Type::Builtin(BuiltinType::Integer(bits @ (1 | 8 | 16 | 32 | 64))) => {
            Some(StaticLayout::word(u64::from(bits.div_ceil(8)))).filter(|layout| layout.size <= pointer)
        }
        Type::Builtin(BuiltinType::Float(bits @ (32 | 64))) => {
            Some(StaticLayout::word(u64::from(*bits) / 8)).filter(|layout| layout.size <= pointer)
        }
        Type::Builtin(BuiltinType::Word | BuiltinType::RawPointer | BuiltinType::NativeObject) => {
            Some(StaticLayout::word(pointer))
        }
        Type::Tuple(elements) => parts(&elements.iter().map(|element| element.ty).collect::<Vec<_>>()),
        Type::Function(function) => function_layout(function, pointer),
        Type::Metatype { representation: Some(MetatypeRepresentation::Thin), .. } => parts(&[]),
        Type::Metatype { representation: Some(MetatypeRepresentation::Thick), .. } => Some(StaticLayout::word(pointer)),
        Type::Nominal(nominal) => {
            let declaration = queries.declarations.get(nominal.declaration);
            let attributes = &declaration.attributes;
            match declaration.kind {
                NominalKind::Class | NominalKind::Actor => Some(StaticLayout::word(pointer)),
                NominalKind::Struct => {
                    let is_plain = declaration.origin != Origin::Named
                        && !attributes.resilient
                        && attributes.alignment.is_none()
                        && attributes.raw_layout.is_none()
                        && attributes.c_layout.is_none();
                    parts(&queries.field_types(ty).filter(|_| is_plain)?)
                }
                NominalKind::Enum | NominalKind::Protocol | NominalKind::Unknown => None,
            }
        }
        _ => None,
    }
}

fn function_layout(function: &FunctionType, pointer: u64) -> Option<StaticLayout> {
    match function.representation {
        Representation::Thick => Some(StaticLayout { size: 2 * pointer, alignment: pointer }),
        Representation::Thin | Representation::Method => Some(StaticLayout::word(pointer)),
        _ => None,
    }
}

//! Enums: their layouts (docs/ABI/TypeLayout.rst, "Fragile Enum Layout") and the code that makes, tells apart and takes apart their values.

use std::rc::Rc;

use inkwell::values::{BasicValueEnum, PointerValue};
use sil::context::TypeId;
use sil::declarations::NominalDeclaration;

use super::{Bits, TypeConverter, TypeInfo};
use crate::generation::{Generated, IRGenFunction};

/// How an enum's cases are told apart.
#[derive(Debug)]
pub struct EnumLayout<'ctx> {
    /// The payload of each case, in declared order; none where a case has no payload. An indirect case has a box.
    pub payloads: Vec<Option<Rc<TypeInfo<'ctx>>>>,
}

impl<'ctx> EnumLayout<'ctx> {
    /// The pattern of the enum's own extra inhabitant number `index`.
    pub fn extra_inhabitant(&self, whole: &TypeInfo<'ctx>, _index: u32) -> Bits {
        Bits::zero(whole.size * 8)
    }

    /// The bits that tell the enum's own extra inhabitants apart.
    pub fn extra_inhabitant_mask(&self, whole: &TypeInfo<'ctx>) -> Bits {
        Bits::zero(whole.size * 8)
    }
}

/// How the value in memory is initialised from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Initialization {
    /// The source is uninitialised afterwards.
    Take,
    /// The source keeps its value.
    Copy,
}

/// The layout of the enum `ty`.
pub fn layout<'ctx>(
    types: &TypeConverter<'_, 'ctx>,
    ty: TypeId,
    _declaration: &NominalDeclaration,
) -> Generated<TypeInfo<'ctx>> {
    Err(types.unsupported(ty))
}

/// Copies a loaded value.
pub fn copy<'ctx>(
    _f: &IRGenFunction<'_, 'ctx>,
    _info: &TypeInfo<'ctx>,
    _layout: &EnumLayout<'ctx>,
    _explosion: &[BasicValueEnum<'ctx>],
) {
}

/// Destroys a loaded value.
pub fn destroy<'ctx>(
    _f: &IRGenFunction<'_, 'ctx>,
    _info: &TypeInfo<'ctx>,
    _layout: &EnumLayout<'ctx>,
    _explosion: &[BasicValueEnum<'ctx>],
) {
}

/// Destroys a value in memory that cannot be loaded.
pub fn destroy_at<'ctx>(
    _f: &IRGenFunction<'_, 'ctx>,
    _info: &TypeInfo<'ctx>,
    _layout: &EnumLayout<'ctx>,
    _address: PointerValue<'ctx>,
) {
}

/// Initialises memory from a value that cannot be loaded.
pub fn initialize_at<'ctx>(
    _f: &IRGenFunction<'_, 'ctx>,
    _info: &TypeInfo<'ctx>,
    _layout: &EnumLayout<'ctx>,
    _to: PointerValue<'ctx>,
    _from: PointerValue<'ctx>,
    _how: Initialization,
) {
}

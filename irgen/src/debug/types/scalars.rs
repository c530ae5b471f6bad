//! Numbers, pointers, and other scalar types.

use sil_ir::context::{BuiltinType, Type, TypeId, VectorElement};
use sil_ir::declarations::NominalKind;

use super::TypeDescriber;
use crate::layout::{TypeInfo, TypeKind};
use crate::llvm::debug_types::{self, DebugType, Encoding};

/// The kind of a standard library type whose stored property is an implementation detail.
#[derive(Clone, Copy)]
enum Standard {
    Number(Encoding),
    /// A pointer to its first generic argument, or to anything.
    Pointer,
}

/// The scalar types of the module Swift.
const STANDARD: &[(&str, Standard)] = &[
    ("Bool", Standard::Number(Encoding::Boolean)),
    ("Int", Standard::Number(Encoding::Signed)),
    ("Int8", Standard::Number(Encoding::Signed)),
    ("Int16", Standard::Number(Encoding::Signed)),
    ("Int32", Standard::Number(Encoding::Signed)),
    ("Int64", Standard::Number(Encoding::Signed)),
    ("UInt", Standard::Number(Encoding::Unsigned)),
    ("UInt8", Standard::Number(Encoding::Unsigned)),
    ("UInt16", Standard::Number(Encoding::Unsigned)),
    ("UInt32", Standard::Number(Encoding::Unsigned)),
    ("UInt64", Standard::Number(Encoding::Unsigned)),
    ("Float16", Standard::Number(Encoding::Float)),
    ("Float", Standard::Number(Encoding::Float)),
    ("Double", Standard::Number(Encoding::Float)),
    ("Float80", Standard::Number(Encoding::Float)),
    ("UnsafePointer", Standard::Pointer),
    ("UnsafeMutablePointer", Standard::Pointer),
    ("UnsafeRawPointer", Standard::Pointer),
    ("UnsafeMutableRawPointer", Standard::Pointer),
    ("OpaquePointer", Standard::Pointer),
];

impl<'ctx> TypeDescriber<'_, '_, 'ctx> {
    /// Describes a scalar of the standard library under its name.
    pub(super) fn standard_scalar(&self, ty: TypeId, info: &TypeInfo) -> Option<DebugType<'ctx>> {
        let queries = self.types.queries;
        let declaration = queries.declaration_of(ty)?;
        if queries.context.text(declaration.module) != "Swift" || info.elements.len() != 1 {
            return None;
        }
        let name = queries.context.text(declaration.name);
        match STANDARD.iter().find(|(known, _)| *known == name)?.1 {
            Standard::Number(encoding) => Some(debug_types::basic(&self.debug.builder, name, info.size * 8, encoding)),
            Standard::Pointer => {
                let to = queries.as_nominal(ty)?.arguments.first().and_then(|to| self.pointee(*to));
                Some(self.named(&self.name(ty), self.pointer(to)))
            }
        }
    }

    /// Returns the pointee of a pointer. Enums and tuples are omitted, since they are described immediately and may
    /// refer to the pointer again.
    fn pointee(&self, ty: TypeId) -> Option<DebugType<'ctx>> {
        let is_deferred = match self.types.queries.declaration_of(ty) {
            Some(declaration) => declaration.kind != NominalKind::Enum,
            None => matches!(self.types.queries.get(ty), Type::Builtin(_)),
        };
        is_deferred.then(|| self.ty(ty)).flatten()
    }

    /// Describes `ty` under another name.
    pub(super) fn named(&self, name: &str, ty: DebugType<'ctx>) -> DebugType<'ctx> {
        debug_types::alias(&self.debug.builder, self.debug.unit_scope(), name, ty)
    }

    /// Describes a builtin type.
    pub(super) fn builtin(&self, builtin: BuiltinType, ty: TypeId, info: &TypeInfo) -> DebugType<'ctx> {
        let name = self.name(ty);
        let number = |encoding| debug_types::basic(&self.debug.builder, &name, info.size * 8, encoding);
        match builtin {
            BuiltinType::Integer(1) => number(Encoding::Boolean),
            BuiltinType::Integer(_) | BuiltinType::Word => number(Encoding::Signed),
            BuiltinType::Float(_) => number(Encoding::Float),
            BuiltinType::Vector { element, count } => self.vector(element, count, info),
            _ if info.elements.len() == 1 => self.named(&name, self.pointer(None)),
            _ => number(Encoding::Unsigned),
        }
    }

    fn vector(&self, element: VectorElement, count: u32, info: &TypeInfo) -> DebugType<'ctx> {
        let builder = &self.debug.builder;
        let element = match element {
            VectorElement::Integer(bits) => {
                debug_types::basic(builder, &format!("Builtin.Int{bits}"), bits.into(), Encoding::Signed)
            }
            VectorElement::Float(bits) => {
                debug_types::basic(builder, &format!("Builtin.FPIEEE{bits}"), bits.into(), Encoding::Float)
            }
            VectorElement::RawPointer => self.pointer(None),
        };
        debug_types::array(builder, element, count.into(), info.size * 8)
    }

    pub(super) fn fixed_array(&self, element: TypeId, info: &TypeInfo) -> Option<DebugType<'ctx>> {
        let TypeKind::FixedArray { count, .. } = info.kind else { return None };
        Some(debug_types::array(&self.debug.builder, self.ty(element)?, count, info.size * 8))
    }
}

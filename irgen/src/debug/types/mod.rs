//! Types for debuggers, with the layouts used for code generation.
//!
//! Each type is described as the C type with the same layout, under Swift's name, so that a debugger without Swift
//! support prints it and its members. `scalars` has numbers, pointers and pointer-sized types; `structures` has types
//! with members; `enums` the rest. A type without a layout has no description, and neither has a variable of that type.

mod enums;
mod scalars;
mod structures;

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use sil_ir::context::{BuiltinType, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_text::print::Printer;

use super::DebugInfo;
use crate::layout::{TypeConverter, TypeInfo};
use crate::llvm::debug_types::{self, DebugType, OpenStructure, Shape};

/// The described types.
#[derive(Default)]
pub(super) struct KnownTypes<'ctx> {
    types: RefCell<FxHashMap<TypeId, Option<DebugType<'ctx>>>>,
    /// Structures whose members have yet to be described, with their struct or class: types can be recursive.
    pending: RefCell<Vec<(OpenStructure<'ctx>, TypeId)>>,
}

/// Describes types.
pub(super) struct TypeDescriber<'r, 'a, 'ctx> {
    debug: &'r DebugInfo<'a, 'ctx>,
    types: &'r TypeConverter<'a>,
}

impl<'r, 'a, 'ctx> TypeDescriber<'r, 'a, 'ctx> {
    /// Creates a describer of types laid out by `types`.
    pub fn new(debug: &'r DebugInfo<'a, 'ctx>, types: &'r TypeConverter<'a>) -> Self {
        Self { debug, types }
    }

    /// Describes `ty`, a lowered type, and all types that it refers to.
    pub fn describe(&self, ty: TypeId) -> Option<DebugType<'ctx>> {
        let described = self.ty(ty);
        loop {
            let next = self.debug.types.pending.borrow_mut().pop();
            let Some((structure, nominal)) = next else { return described };
            self.fill(&structure, nominal);
        }
    }

    /// Describes `ty`; structs and objects may be incomplete until [`Self::describe`] returns.
    fn ty(&self, ty: TypeId) -> Option<DebugType<'ctx>> {
        if let Some(known) = self.debug.types.types.borrow().get(&ty) {
            return *known;
        }
        let described = self.types.info(ty).ok().and_then(|info| self.describe_layout(ty, &info));
        self.debug.types.types.borrow_mut().insert(ty, described);
        described
    }

    fn describe_layout(&self, ty: TypeId, info: &Arc<TypeInfo>) -> Option<DebugType<'ctx>> {
        match self.types.queries.get(ty) {
            Type::Builtin(BuiltinType::FixedArray { element, .. }) => self.fixed_array(*element, info),
            Type::Builtin(builtin) => Some(self.builtin(*builtin, ty, info)),
            Type::Nominal(_) => self.nominal(ty, info),
            Type::Tuple(elements) => self.tuple(ty, elements, info),
            Type::MoveOnlyWrapper(inner) => self.ty(*inner),
            Type::DynamicSelf(class) => self.ty(*class),
            Type::Storage { referent, .. } => {
                self.ty(self.types.queries.optional_object(*referent).unwrap_or(*referent))
            }
            _ => self.opaque(ty, info),
        }
    }

    fn nominal(&self, ty: TypeId, info: &Arc<TypeInfo>) -> Option<DebugType<'ctx>> {
        if let Some(scalar) = self.standard_scalar(ty, info) {
            return Some(scalar);
        }
        match self.types.queries.declaration_of(ty)?.kind {
            NominalKind::Struct => self.structure(ty, info),
            NominalKind::Enum => self.enumeration(ty, info),
            NominalKind::Class | NominalKind::Actor => self.class(ty),
            NominalKind::Protocol | NominalKind::Unknown => None,
        }
    }

    /// Returns the name of a type in Swift syntax.
    fn name(&self, ty: TypeId) -> String {
        let mut printer = Printer::new(self.types.queries.context, self.types.queries.declarations);
        printer.lowered_type(ty);
        printer.out
    }

    /// Returns a pointer to a type, or an untyped pointer.
    fn pointer(&self, to: Option<DebugType<'ctx>>) -> DebugType<'ctx> {
        debug_types::pointer(&self.debug.builder, to, self.types.target.pointer_size * 8)
    }

    fn open(&self, shape: Shape, name: &str, info: &TypeInfo) -> Option<OpenStructure<'ctx>> {
        OpenStructure::new(self.debug.context, shape, name, info.size * 8)
    }
}

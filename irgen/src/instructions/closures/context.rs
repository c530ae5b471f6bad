//! The context of a closure: the captures, and their offsets.

use std::sync::Arc;

use sil_ir::context::{FunctionAttribute, FunctionType, ParameterConvention, Type, TypeId};

use crate::generation::{ContextStorage, HeapLayout, IRGenModule};
use crate::layout::{Copying, ReferenceKind, Scalar, TypeInfo, TypeKind, TypeLayout};
use crate::refusal::Generated;

/// The storage of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CaptureKind {
    /// The value.
    Value,
    /// The value, whose address is passed.
    ValueInMemory,
    /// The address of memory that outlives the closure.
    Address,
    /// The value in a box, since its layout is dynamic.
    Boxed(TypeId),
    /// The called function, if it is not known.
    Callee,
    /// A generic argument of the called function, or the metadata of a box's content.
    Metadata,
}

/// A capture.
#[derive(Debug)]
pub(super) struct Capture {
    pub(super) kind: CaptureKind,
    /// The convention of the called function's parameter.
    pub(super) convention: ParameterConvention,
    /// The type stored in the context.
    pub(super) info: Arc<TypeInfo>,
}

/// The captures of a closure, and their representation in the context pointer.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) captures: Vec<Capture>,
    pub(super) form: ContextForm,
}

/// The kind of the context pointer.
#[derive(Debug)]
pub(super) enum ContextForm {
    /// No captures.
    Empty,
    /// The capture with this index, the only one: a reference that the closure owns, or any pointer of a closure on the
    /// stack.
    Single(usize),
    /// An object or a stack slot with a field for each capture.
    Object(HeapLayout),
}

/// Whether the called function is captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CapturedCallee {
    /// It is known statically.
    No,
    /// A function pointer.
    Pointer(TypeId),
}

/// The captures that do not correspond to parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct CalleeCaptures {
    /// Whether the called function is captured.
    pub(super) callee: CapturedCallee,
    /// The number of its generic arguments.
    pub(super) generic_arguments: usize,
    /// Whether the closure's isolation can be extracted.
    pub(super) isolation: Isolation,
}

/// Whether a closure's isolation can be extracted (`@isolated(any)`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Isolation {
    /// Not extractable.
    Unknown,
    /// The isolation is the first bound parameter, which comes before all other captures.
    FirstCapture,
}

impl Isolation {
    /// Returns the isolation of closures of the lowered type `ty`.
    pub(super) fn of(module: &IRGenModule<'_, '_>, ty: TypeId) -> Self {
        match module.types.queries.get(ty) {
            Type::Function(function) if function.attributes.contains(FunctionAttribute::IsolatedAny) => {
                Isolation::FirstCapture
            }
            _ => Isolation::Unknown,
        }
    }

    /// Returns the number of captures before generic arguments.
    pub(super) fn count(self) -> usize {
        match self {
            Isolation::Unknown => 0,
            Isolation::FirstCapture => 1,
        }
    }
}

impl Context {
    /// Creates the context of a closure that binds the last `count` parameters of `callee`.
    pub(super) fn new(
        module: &IRGenModule<'_, '_>,
        callee: &FunctionType,
        count: usize,
        captured: CalleeCaptures,
        storage: ContextStorage,
    ) -> Generated<Self> {
        let (mut captures, mut types) = (Vec::new(), Vec::new());
        let mut add = |kind, convention, ty| {
            types.push(ty);
            module.types.info(ty).map(|info| captures.push(Capture { kind, convention, info }))
        };
        let first = callee.parameters.len().saturating_sub(count);
        let isolation = captured.isolation.count();
        let mut boxed = 0;
        for (number, parameter) in callee.parameters[first..].iter().map(Some).chain([None]).enumerate() {
            if number == isolation {
                for _ in 0..captured.generic_arguments {
                    add(CaptureKind::Metadata, ParameterConvention::Guaranteed, raw_pointer(module))?;
                }
            }
            let Some(parameter) = parameter else { break };
            let (kind, ty) = match capture_kind(parameter.convention, storage) {
                CaptureKind::Address => (CaptureKind::Address, raw_pointer(module)),
                CaptureKind::ValueInMemory => match module.types.layout(parameter.ty)? {
                    TypeLayout::Fixed(_) => (CaptureKind::ValueInMemory, parameter.ty),
                    TypeLayout::Dynamic(ty) => {
                        boxed += 1;
                        (CaptureKind::Boxed(ty), native_object(module))
                    }
                },
                kind => (kind, parameter.ty),
            };
            add(kind, parameter.convention, ty)?;
        }
        if let CapturedCallee::Pointer(ty) = captured.callee {
            add(CaptureKind::Callee, ParameterConvention::Guaranteed, ty)?;
        }
        for _ in 0..boxed {
            add(CaptureKind::Metadata, ParameterConvention::Guaranteed, raw_pointer(module))?;
        }
        let form = match single_pointer(&captures, storage) {
            _ if captures.iter().all(is_empty) => ContextForm::Empty,
            Some(index) => ContextForm::Single(index),
            None => ContextForm::Object(module.heap_layout(&types)?),
        };
        Ok(Self { captures, form })
    }
}

fn raw_pointer(module: &IRGenModule<'_, '_>) -> TypeId {
    module.sil.context.ty(sil_ir::context::Type::Builtin(sil_ir::context::BuiltinType::RawPointer))
}

fn native_object(module: &IRGenModule<'_, '_>) -> TypeId {
    module.sil.context.ty(sil_ir::context::Type::Builtin(sil_ir::context::BuiltinType::NativeObject))
}

fn capture_kind(convention: ParameterConvention, storage: ContextStorage) -> CaptureKind {
    use ParameterConvention::*;
    match convention {
        Unowned | Owned | Guaranteed => CaptureKind::Value,
        InOut | InOutAliasable | PackOwned | PackGuaranteed | PackInOut => CaptureKind::Address,
        In | InConstant | InGuaranteed | InCxx => match storage {
            ContextStorage::Heap => CaptureKind::ValueInMemory,
            ContextStorage::Stack => CaptureKind::Address,
        },
    }
}

/// Returns whether a capture is empty, and not stored. An address is always stored.
fn is_empty(capture: &Capture) -> bool {
    capture.info.size == 0
}

/// Returns the index of the only capture, if it can be the context pointer.
fn single_pointer(captures: &[Capture], storage: ContextStorage) -> Option<usize> {
    let mut filled = captures.iter().enumerate().filter(|(_, capture)| !is_empty(capture));
    let (index, capture) = filled.next()?;
    if filled.next().is_some() || matches!(capture.kind, CaptureKind::ValueInMemory | CaptureKind::Boxed(_)) {
        return None;
    }
    let is_owned = matches!(capture.info.kind, TypeKind::Reference(ReferenceKind::Native));
    let is_pointer = capture.info.copying != Copying::AddressOnly
        && matches!(capture.info.kind, TypeKind::Scalar(_) | TypeKind::Reference(_))
        && matches!(capture.info.elements.as_slice(), [only] if only.scalar == Scalar::Pointer);
    let fits = match storage {
        ContextStorage::Heap => is_owned,
        ContextStorage::Stack => is_pointer,
    };
    fits.then_some(index)
}

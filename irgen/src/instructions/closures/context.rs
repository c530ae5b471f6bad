//! The context of a closure: the captures, and their places.

use std::sync::Arc;

use sil::context::{FunctionAttribute, FunctionType, ParameterConvention, Type, TypeId};

use crate::generation::{ContextStorage, HeapLayout, IRGenModule};
use crate::layout::{Copying, ReferenceKind, Scalar, TypeInfo, TypeKind, TypeLayout};
use crate::refusal::Generated;

/// How a capture is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CaptureKind {
    /// The value itself.
    Value,
    /// The value itself, whose address is passed.
    ValueInMemory,
    /// The address of memory that outlives the closure.
    Address,
    /// The value itself in a box: its layout is not known.
    Boxed(TypeId),
    /// The function that is called, where it is not known.
    Callee,
    /// A generic argument of the called function, or the metadata of the content of a box.
    Metadata,
}

/// A capture.
#[derive(Debug)]
pub(super) struct Capture {
    pub(super) kind: CaptureKind,
    /// How the called function takes it.
    pub(super) convention: ParameterConvention,
    /// The type that lies in the context.
    pub(super) info: Arc<TypeInfo>,
}

/// The captures of a closure and how they become its context pointer.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) captures: Vec<Capture>,
    pub(super) form: ContextForm,
}

/// The kind of the context pointer.
#[derive(Debug)]
pub(super) enum ContextForm {
    /// Nothing is captured.
    Empty,
    /// The only capture with this number: a reference that the closure owns, or any pointer of a closure on the stack.
    Single(usize),
    /// An object or a stack slot; a field per capture.
    Object(HeapLayout),
}

/// Whether the function that is called is captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CapturedCallee {
    /// It is known.
    No,
    /// A function pointer.
    Pointer(TypeId),
}

/// The captures that no parameter names.
#[derive(Clone, Copy, Debug)]
pub(super) struct CalleeCaptures {
    /// Whether the function that is called is captured.
    pub(super) callee: CapturedCallee,
    /// How many generic arguments it gets.
    pub(super) generic_arguments: usize,
    /// Whether the closure can be asked for its isolation.
    pub(super) isolation: Isolation,
}

/// Whether a closure can be asked for its isolation (`@isolated(any)`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Isolation {
    /// It cannot.
    Unknown,
    /// It can: the first parameter that is bound is the isolation, which comes before all other captures.
    FirstCapture,
}

impl Isolation {
    /// That of closures of the lowered type `ty`.
    pub(super) fn of(module: &IRGenModule<'_, '_>, ty: TypeId) -> Self {
        match module.types.queries.get(ty) {
            Type::Function(function) if function.attributes.contains(FunctionAttribute::IsolatedAny) => {
                Isolation::FirstCapture
            }
            _ => Isolation::Unknown,
        }
    }

    /// How many captures come before generic arguments.
    pub(super) fn count(self) -> usize {
        match self {
            Isolation::Unknown => 0,
            Isolation::FirstCapture => 1,
        }
    }
}

impl Context {
    /// The context of a closure that binds the last `count` parameters of `callee`.
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
    module.sil.context.ty(sil::context::Type::Builtin(sil::context::BuiltinType::RawPointer))
}

fn native_object(module: &IRGenModule<'_, '_>) -> TypeId {
    module.sil.context.ty(sil::context::Type::Builtin(sil::context::BuiltinType::NativeObject))
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

/// Values without size are not captured. An address always is.
fn is_empty(capture: &Capture) -> bool {
    capture.info.size == 0
}

/// The number of the only capture, where the context pointer can be it.
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

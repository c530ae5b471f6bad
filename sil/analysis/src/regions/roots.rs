//! The representative of a value in regions: the value that it is a copy, a cast or a part of. Parts of `Sendable`
//! values that are not themselves `Sendable` represent themselves, since the whole may belong to an actor
//! (`getUnderlyingTrackedValue`, lib/SILOptimizer/Analysis/RegionAnalysis.cpp).

use sil_ir::context::{Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use super::isolated_values::ValueIsolation;
use crate::cast_keeps_reference;
use crate::variable_names::is_variable;

/// The representative of a value, and its memory if that differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root {
    /// The representative.
    pub value: Value,
    /// The whole of a `Sendable` part.
    pub base: Option<Value>,
}

impl Root {
    fn new(value: Value, base: Option<Value>) -> Self {
        Self { value, base: base.filter(|base| *base != value) }
    }
}

/// Follows values to their roots.
#[derive(Clone, Copy)]
pub struct Roots<'f, 'v, 'm> {
    /// The isolation of the function's values.
    pub values: &'f ValueIsolation<'v, 'm>,
}

/// A walk from an address to its base.
#[derive(Default)]
struct Walk {
    /// The first value on the way that stands for itself.
    value: Option<Value>,
    /// Whether the way leads out of something that has several parts.
    is_part: bool,
}

impl Roots<'_, '_, '_> {
    /// The representative of a value.
    pub fn of(self, value: Value) -> Root {
        if !self.values.view.body.ty(value).is_address() {
            return self.of_object(value);
        }
        let found = self.of_address(value);
        if let Some(address) = self.loaded_from(found.value) {
            return self.of(address);
        }
        match found.base.and_then(|base| self.loaded_from(base)) {
            Some(address) => {
                let base = self.of(address);
                Root::new(found.value, Some(base.base.unwrap_or(base.value)))
            }
            None => found,
        }
    }

    /// Whether the value that is stored at an address is only a part of its representative.
    pub fn is_part(self, address: Value) -> bool {
        let mut walk = Walk::default();
        self.walk_address(address, &mut walk);
        walk.is_part
    }

    fn of_object(self, value: Value) -> Root {
        let mut walk = Walk::default();
        if self.values.is_sendable(value) {
            walk.value = Some(value);
        }
        let mut base = value;
        while let Some(next) = self.object_step(base, &mut walk) {
            base = next;
        }
        let loaded = self.loaded_from(base);
        match (walk.value.filter(|value| *value != base), loaded) {
            (None, None) => Root::new(walk.value.unwrap_or(base), None),
            (None, Some(address)) => self.of_address(address),
            (Some(value), None) => Root::new(value, None),
            (Some(value), Some(address)) => {
                let memory = self.of_address(address);
                Root::new(value, Some(memory.base.unwrap_or(memory.value)))
            }
        }
    }

    fn of_address(self, address: Value) -> Root {
        let mut walk = Walk::default();
        let base = self.walk_address(address, &mut walk);
        if self.values.view.body.ty(base).is_address() {
            return Root::new(walk.value.unwrap_or(base), Some(base));
        }
        let object = self.of(base);
        match walk.value {
            None => object,
            Some(value) => Root::new(value, Some(object.value)),
        }
    }

    /// The address that a value was loaded from.
    fn loaded_from(self, value: Value) -> Option<Value> {
        let view = self.values.view;
        match view.definition(value)? {
            (id, Opcode::Load | Opcode::LoadBorrow) => view.operand(id, 0),
            _ => None,
        }
    }

    fn object_step(self, value: Value, walk: &mut Walk) -> Option<Value> {
        let view = self.values.view;
        let is_sendable = self.values.is_sendable(value);
        if is_sendable && walk.value.is_none() {
            walk.value = Some(value);
        }
        let (id, _) = view.definition(value)?;
        let operand = view.operand(id, 0)?;
        let is_same = self.is_looked_through(id);
        if is_same || is_conversion(view.opcode(id)) {
            let begins = self.values.is_sendable(operand) && !is_sendable;
            if begins && walk.value.is_none() {
                walk.value = Some(value);
            }
            if is_same || (!is_sendable && !begins) {
                return Some(operand);
            }
        }
        None
    }

    fn walk_address(self, address: Value, walk: &mut Walk) -> Value {
        if self.values.is_sendable(address) {
            walk.value = Some(address);
        }
        let mut base = address;
        while let Some(next) = self.address_step(base, walk) {
            base = next;
        }
        base
    }

    fn address_step(self, value: Value, walk: &mut Walk) -> Option<Value> {
        use Opcode::*;
        let view = self.values.view;
        if view.argument_convention(value).is_some() {
            return None;
        }
        let (id, opcode) = view.definition(value)?;
        let operand = view.operand(id, 0)?;
        match opcode {
            BeginAccess => Some(self.walk_address(operand, walk)),
            StoreBorrow => view.operand(id, 1),
            ProjectBox => Some(operand),
            StructElementAddr | TupleElementAddr | UncheckedTakeEnumDataAddr => {
                let begins = self.values.is_sendable(operand) && !self.values.is_sendable(value);
                if begins && walk.value.is_none() {
                    walk.value = Some(value);
                }
                walk.is_part |= self.part_count(opcode, view.body.ty(operand).ty) > 1;
                Some(operand)
            }
            IndexAddr => {
                walk.is_part |= view.operand(id, 1).is_some_and(|index| view.integer(index).is_some());
                Some(operand)
            }
            TailAddr | InitEnumDataAddr | OpenExistentialAddr => Some(operand),
            ProjectBlockStorage
            | MoveonlywrapperToCopyableAddr
            | CopyableToMoveonlywrapperAddr
            | MoveonlywrapperToCopyableBox
            | UncheckedAddrCast
            | AddressToPointer
            | PointerToAddress => {
                if self.values.is_sendable(value) {
                    return None;
                }
                walk.is_part = true;
                Some(operand)
            }
            BeginBorrow if is_variable(view, id) => None,
            MarkUninitialized
            | MarkUnresolvedNonCopyableValue
            | DropDeinit
            | MarkUnresolvedReferenceBinding
            | MarkDependence
            | CopyValue
            | BeginBorrow => Some(operand),
            _ => None,
        }
    }

    /// How many parts a value has that a projection takes one out of. Of an enum there is one at a time.
    fn part_count(self, opcode: Opcode, whole: TypeId) -> usize {
        let queries = self.values.view.queries;
        match queries.get(whole) {
            Type::Tuple(elements) => elements.len(),
            _ if opcode == Opcode::StructElementAddr => {
                queries.declaration_of(whole).map_or(0, |declaration| declaration.stored.len())
            }
            _ => 1,
        }
    }

    /// Whether the result of an instruction always stands for its first operand.
    pub(super) fn is_looked_through(self, id: InstructionId) -> bool {
        use Opcode::*;
        let view = self.values.view;
        match view.opcode(id) {
            BeginAccess
            | BeginCowMutation
            | BeginDeallocRef
            | Borrowed
            | BridgeObjectToRef
            | CopyValue
            | CopyableToMoveonlywrapperAddr
            | CopyableToMoveonlywrapper
            | DestructureStruct
            | DestructureTuple
            | DifferentiableFunctionExtract
            | DropDeinit
            | EndCowMutation
            | EndInitLetRef
            | ExplicitCopyValue
            | InitEnumDataAddr
            | LinearFunctionExtract
            | MarkDependence
            | MarkUninitialized
            | MarkUnresolvedNonCopyableValue
            | MarkUnresolvedReferenceBinding
            | MoveonlywrapperToCopyableAddr
            | MoveonlywrapperToCopyableBox
            | MoveonlywrapperToCopyable
            | OpenExistentialAddr
            | OpenExistentialValue
            | ProjectBlockStorage
            | ProjectBox
            | RefToBridgeObject
            | RefToUnowned
            | UncheckedRefCast
            | UncheckedTakeEnumDataAddr
            | UnownedCopyValue
            | UnownedToRef
            | Upcast
            | ValueToBridgeObject
            | WeakCopyValue
            | StrongCopyWeakValue
            | StrongCopyUnmanagedValue
            | RefToUnmanaged
            | UnmanagedToRef
            | UncheckedEnumData
            | StructElementAddr
            | TupleElementAddr => true,
            MoveValue | BeginBorrow => !is_variable(view, id),
            InitExistentialValue => !self.values.of_conformances(id).is_known(),
            UnconditionalCheckedCast => {
                let (Some(from), Some(to)) = (view.operand(id, 0), view.body.result(id)) else { return false };
                !self.values.of_conformances(id).is_known() && cast_keeps_reference(view, from, to)
            }
            _ => false,
        }
    }
}

/// Whether the result stands for the operand where neither of them is `Sendable`.
pub(super) fn is_conversion(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        UncheckedTrivialBitCast
            | UncheckedBitwiseCast
            | UncheckedValueCast
            | ConvertEscapeToNoescape
            | ConvertFunction
            | RefToRawPointer
            | RawPointerToRef
    )
}

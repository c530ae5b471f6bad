//! The source of a temporary allocation: the value or the memory whose contents it holds
//! (`VariableNameInferrer::getRootValueForTemporaryAllocation`, lib/SILOptimizer/Utils/VariableNameUtils.cpp).

use rustc_hash::FxHashSet;
use sil_ir::context::Type;
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::{Definition, Details, InstructionId, Value, views};

use super::effects::InstructionEffects;
use super::{AddressEscape, AddressUses, BodyView};

/// Whether the result has the name of the operand.
pub(super) fn is_temporary_source(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        BeginBorrow
            | Load
            | LoadBorrow
            | BeginAccess
            | MarkUnresolvedNonCopyableValue
            | ProjectBox
            | CopyValue
            | ConvertFunction
            | MarkUninitialized
            | MarkDependence
            | CopyableToMoveonlywrapperAddr
            | MoveonlywrapperToCopyableAddr
            | MoveonlywrapperToCopyable
            | CopyableToMoveonlywrapper
            | EndInitLetRef
            | ConvertEscapeToNoescape
            | OpenExistentialAddr
    )
}

/// The value or the memory that the first write to the allocation `allocation` brings there as a whole.
pub(super) fn origin_of_temporary(view: &BodyView<'_>, allocation: Value, id: InstructionId) -> Option<Value> {
    let writes = writes_to(view, allocation)?;
    let ty = view.body.ty(allocation).ty;
    match view.queries.get(ty) {
        Type::Tuple(elements) => TupleOrigin::new(view, allocation, elements.len()).of(id, &writes),
        _ => view.body.instructions_from(id).find(|id| writes.contains(id)).and_then(|id| whole(view, allocation, id)),
    }
}

/// The instructions that may write to an allocation; none where not all are known.
pub(super) fn writes_to(view: &BodyView<'_>, allocation: Value) -> Option<FxHashSet<InstructionId>> {
    let effects = InstructionEffects::new(view.module, view.queries);
    let builtin = |id| effects.builtin(view.body, id);
    let found = AddressUses::of(view.body, &view.uses, allocation, builtin);
    if found.escape == AddressEscape::Unknown {
        return None;
    }
    let may_write = |id: InstructionId| match effects.memory_behavior(view.body, id) {
        MemoryBehavior::None | MemoryBehavior::MayRead => false,
        MemoryBehavior::MayWrite | MemoryBehavior::MayReadWrite | MemoryBehavior::MayHaveSideEffects => true,
    };
    let borrows = view.uses.of(allocation).iter().map(|found| found.user);
    let borrows = borrows.filter(|id| view.opcode(*id) == Opcode::StoreBorrow);
    Some(found.uses.iter().map(|found| found.user).filter(|id| may_write(*id)).chain(borrows).collect())
}

/// The value that a write stores to the whole of an allocation.
fn whole(view: &BodyView<'_>, allocation: Value, id: InstructionId) -> Option<Value> {
    let is_allocation = |address: Value| {
        let inner = match view.definition(address) {
            Some((existential, Opcode::InitExistentialAddr)) => view.operand(existential, 0),
            _ => Some(address),
        };
        inner == Some(allocation)
    };
    let attributes = view.body.instructions[id].attributes;
    let (source, destination, initializes) = match view.opcode(id) {
        Opcode::CopyAddr => {
            let copy = views::CopyAddr::of(view.body, id);
            (copy.source, copy.destination, attributes.contains(Attribute::Init))
        }
        Opcode::Store => {
            let store = views::Store::of(view.body, id);
            (store.source, store.destination, !attributes.contains(Attribute::Assign))
        }
        Opcode::StoreBorrow => {
            let store = views::Store::of(view.body, id);
            (store.source, store.destination, true)
        }
        _ => return None,
    };
    (initializes && is_allocation(destination)).then_some(source)
}

/// The search for a tuple whose elements a temporary tuple is initialised from, one by one.
struct TupleOrigin<'v, 'm> {
    view: &'v BodyView<'m>,
    allocation: Value,
    /// The tuple that each element was taken from.
    wholes: Vec<Option<Value>>,
}

impl<'v, 'm> TupleOrigin<'v, 'm> {
    fn new(view: &'v BodyView<'m>, allocation: Value, count: usize) -> Self {
        Self { view, allocation, wholes: vec![None; count] }
    }

    fn of(mut self, from: InstructionId, writes: &FxHashSet<InstructionId>) -> Option<Value> {
        let body = self.view.body;
        for id in body.instructions_from(from).filter(|id| writes.contains(id)) {
            self.visit(id)?;
            if self.wholes.iter().all(Option::is_some) {
                break;
            }
        }
        let first = self.wholes.first().copied().flatten()?;
        self.wholes.iter().all(|whole| *whole == Some(first)).then_some(first)
    }

    /// None where a write does not bring an element of a tuple.
    fn visit(&mut self, id: InstructionId) -> Option<()> {
        let view = self.view;
        let attributes = view.body.instructions[id].attributes;
        match view.opcode(id) {
            Opcode::CopyAddr if attributes.contains(Attribute::Init) => {
                let copy = views::CopyAddr::of(view.body, id);
                let (_, number) = self.element_address(copy.destination)?;
                let (whole, source) = self.element(copy.source)?;
                self.set(number, whole, source)
            }
            Opcode::Store if !attributes.contains(Attribute::Assign) => {
                let store = views::Store::of(view.body, id);
                if store.destination == self.allocation {
                    return self.visit_tuple(store.source);
                }
                let (_, number) = self.element_address(store.destination)?;
                let (whole, source) = self.destructured(store.source)?;
                self.set(number, whole, source)
            }
            _ => None,
        }
    }

    fn visit_tuple(&mut self, tuple: Value) -> Option<()> {
        let (id, Opcode::Tuple) = self.view.definition(tuple)? else { return None };
        for (number, element) in (0..).zip(self.view.body.operands(id)) {
            let (whole, source) = self.destructured(through_ownership(self.view, *element))?;
            self.set(number, whole, source)?;
        }
        Some(())
    }

    fn set(&mut self, number: u32, whole: Value, source: u32) -> Option<()> {
        let place = self.wholes.get_mut(number as usize)?;
        (number == source && place.is_none()).then(|| *place = Some(whole))
    }

    /// The number of the element of the allocation at an address.
    fn element_address(&self, address: Value) -> Option<(Value, u32)> {
        self.element(address).filter(|(whole, _)| *whole == self.allocation)
    }

    fn element(&self, address: Value) -> Option<(Value, u32)> {
        let (id, Opcode::TupleElementAddr) = self.view.definition(address)? else { return None };
        let Details::Index(index) = self.view.body.instructions[id].details else { return None };
        Some((self.view.operand(id, 0)?, index))
    }

    fn destructured(&self, element: Value) -> Option<(Value, u32)> {
        let (id, Opcode::DestructureTuple) = self.view.definition(element)? else { return None };
        let Definition::Result { index, .. } = self.view.body.values[element].definition else { return None };
        Some((self.view.operand(id, 0)?, index))
    }
}

/// The value under copies, moves and borrows (`lookThroughOwnershipInsts`).
pub(super) fn through_ownership(view: &BodyView<'_>, start: Value) -> Value {
    use Opcode::{BeginBorrow, CopyValue, MoveValue};
    let mut value = start;
    for _ in 0..=view.body.values.len() {
        match view.definition(value) {
            Some((id, CopyValue | MoveValue | BeginBorrow)) => match view.operand(id, 0) {
                Some(operand) => value = operand,
                None => break,
            },
            _ => break,
        }
    }
    value
}

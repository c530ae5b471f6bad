//! The base of an access: the memory that an address was first projected from.

use sil_ir::context::{Name, SilType};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views;
use sil_ir::model::{Details, FunctionFlag, InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use crate::BodyView;

/// The memory that an address was projected from. Each kind but a global has the address at which projections start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessBase {
    /// `project_box`: a field of a box.
    Box(Value),
    /// `alloc_stack`
    Stack(Value),
    /// A global variable: `global_addr`, or the pointer that its addressor returned.
    Global(Name),
    /// `ref_element_addr`: a stored property of an object.
    Class(Value),
    /// `ref_tail_addr`: the tail elements of an object.
    Tail(Value),
    /// An argument of the function that is an address.
    Argument(Value),
    /// An address that `begin_apply` yields.
    Yield(Value),
    /// `store_borrow`: a stack location while a borrowed value lies in it.
    StoreBorrow(Value),
    /// `pointer_to_address`
    Pointer(Value),
    /// `index_addr` by an index that is not known, where a path must be constant.
    Index(Value),
    /// Anything else.
    Unidentified(Value),
}

impl AccessBase {
    /// The base that begins with `address`, which is no projection.
    pub(super) fn of(view: &BodyView<'_>, address: Value) -> AccessBase {
        use AccessBase::*;
        if view.argument_convention(address).is_some() {
            return Argument(address);
        }
        let Some((id, opcode)) = view.definition(address) else { return Unidentified(address) };
        match opcode {
            Opcode::RefElementAddr => Class(address),
            Opcode::RefTailAddr => Tail(address),
            Opcode::ProjectBox => Box(address),
            Opcode::AllocStack => Stack(address),
            Opcode::StoreBorrow => StoreBorrow(address),
            Opcode::BeginApply => Yield(address),
            Opcode::GlobalAddr => match view.body.instructions[id].details {
                Details::Global(name, _) => Global(name),
                _ => Unidentified(address),
            },
            Opcode::PointerToAddress => global_of_addressor_call(view, address).map_or(Pointer(address), Global),
            _ => Unidentified(address),
        }
    }

    /// The address at which projections start; none for a global, which has several.
    pub fn address(self) -> Option<Value> {
        use AccessBase::*;
        match self {
            Global(_) => None,
            Box(address)
            | Stack(address)
            | Class(address)
            | Tail(address)
            | Argument(address)
            | Yield(address)
            | StoreBorrow(address)
            | Pointer(address)
            | Index(address)
            | Unidentified(address) => Some(address),
        }
    }

    /// The reference to the object or box that the memory lies in.
    pub fn reference(self, view: &BodyView<'_>) -> Option<Value> {
        match self {
            AccessBase::Box(address) | AccessBase::Class(address) | AccessBase::Tail(address) => {
                view.body.defining(address).and_then(|id| view.operand(id, 0))
            }
            _ => None,
        }
    }

    /// Whether the memory never changes once it is initialised: a `let` property or global.
    pub fn is_let(self, view: &BodyView<'_>) -> bool {
        match self {
            AccessBase::Class(address) => view.is_let_field(address),
            AccessBase::Global(name) => view.is_let_global(name),
            _ => false,
        }
    }

    /// Whether the function itself allocates the memory.
    pub fn is_local(self, view: &BodyView<'_>) -> bool {
        use AccessBase::*;
        let allocated_by = |opcodes: &[Opcode]| {
            let root = self.reference(view).map(|reference| reference_root(view, reference));
            root.and_then(|root| view.definition(root)).is_some_and(|(_, opcode)| opcodes.contains(&opcode))
        };
        match self {
            Stack(_) | StoreBorrow(_) => true,
            Box(_) => allocated_by(&[Opcode::AllocBox]),
            Class(_) | Tail(_) => allocated_by(&[Opcode::AllocRef, Opcode::AllocRefDynamic]),
            Global(_) | Argument(_) | Yield(_) | Pointer(_) | Index(_) | Unidentified(_) => false,
        }
    }

    /// Whether the kind of this memory is known.
    pub fn has_known_storage(self) -> bool {
        use AccessBase::*;
        match self {
            Box(_) | Class(_) | Tail(_) | Stack(_) | StoreBorrow(_) | Global(_) => true,
            Argument(_) | Yield(_) | Pointer(_) | Index(_) | Unidentified(_) => false,
        }
    }

    /// Whether both are certainly the same memory, though different instructions may project it.
    pub fn is_same(self, view: &BodyView<'_>, other: AccessBase) -> bool {
        use AccessBase::*;
        match (self, other) {
            (Box(_), Box(_)) | (Class(_), Class(_)) => {
                self.field_number(view) == other.field_number(view) && self.root(view) == other.root(view)
            }
            (Tail(first), Tail(second)) => {
                self.root(view) == other.root(view) && view.body.ty(first) == view.body.ty(second)
            }
            (Unidentified(_), _) | (_, Unidentified(_)) => false,
            _ => self == other,
        }
    }

    fn root(self, view: &BodyView<'_>) -> Option<Value> {
        self.reference(view).map(|reference| reference_root(view, reference))
    }

    /// The number of the field that a box's or a class's base is.
    pub fn field_number(self, view: &BodyView<'_>) -> Option<u32> {
        match self {
            AccessBase::Box(address) | AccessBase::Class(address) => view.field_number(view.body.defining(address)?),
            _ => None,
        }
    }

    /// Whether the two are certainly different memory.
    pub fn is_distinct(self, view: &BodyView<'_>, other: AccessBase) -> bool {
        use AccessBase::*;
        match (self, other) {
            (Box(_), Box(_)) => {
                self.field_number(view) != other.field_number(view)
                    || objects_differ(view, self.root(view), other.root(view))
                    || types_differ(view, self.reference(view), other.reference(view))
            }
            (Class(_), Class(_)) => {
                self.field_number(view) != other.field_number(view)
                    || objects_differ(view, self.reference(view), other.reference(view))
                    || types_differ(view, self.reference(view), other.reference(view))
            }
            (Tail(_), Tail(_)) => {
                objects_differ(view, self.reference(view), other.reference(view))
                    || classes_differ(view, self.reference(view), other.reference(view))
            }
            (Stack(first), Stack(second)) => first != second,
            (Global(first), Global(second)) => first != second,
            (Argument(first), Argument(second)) => {
                first != second && (is_exclusive(view, first) || is_exclusive(view, second))
            }
            (Argument(argument), other) | (other, Argument(argument)) => {
                if is_exclusive(view, argument) {
                    other.has_known_storage()
                } else {
                    other.is_local(view)
                }
            }
            (Stack(_) | StoreBorrow(_), Stack(_) | StoreBorrow(_)) => {
                self.stack_location(view) != other.stack_location(view)
            }
            // Kinds of memory do not overlap.
            _ => self.has_known_storage() && other.has_known_storage(),
        }
    }

    /// The `alloc_stack` of a stack location or of a borrow stored in one.
    fn stack_location(self, view: &BodyView<'_>) -> Option<Value> {
        match self {
            AccessBase::StoreBorrow(address) => {
                view.body.defining(address).map(|id| views::Store::of(view.body, id).destination)
            }
            _ => self.address(),
        }
    }
}

pub(super) fn is_exclusive(view: &BodyView<'_>, argument: Value) -> bool {
    view.argument_convention(argument).is_some_and(ArgumentConvention::is_exclusive_indirect)
}

/// Whether two references are certainly to different objects: to two that were allocated here, or to one and one that
/// was passed in.
fn objects_differ(view: &BodyView<'_>, first: Option<Value>, second: Option<Value>) -> bool {
    let (Some(first), Some(second)) = (first, second) else { return false };
    let allocated = |value| view.definition(value).is_some_and(|(_, opcode)| is_allocation(opcode));
    let passed = |value| view.argument_convention(value).is_some();
    match (allocated(first), allocated(second)) {
        (true, true) => first != second,
        (true, false) => passed(second),
        (false, true) => passed(first),
        (false, false) => false,
    }
}

pub(super) fn is_allocation(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, AllocStack | AllocRef | AllocRefDynamic | AllocBox | AllocExistentialBox | AllocPack)
}

/// Whether the types of two references distinguish them. Types with archetypes may turn out to be the same.
fn types_differ(view: &BodyView<'_>, first: Option<Value>, second: Option<Value>) -> bool {
    let (Some(first), Some(second)) = (first, second) else { return false };
    let (first, second): (SilType, SilType) = (view.body.ty(first), view.body.ty(second));
    first != second && !view.has_archetype(first.ty) && !view.has_archetype(second.ty)
}

/// Whether the classes of two references distinguish the objects: neither inherits from the other.
fn classes_differ(view: &BodyView<'_>, first: Option<Value>, second: Option<Value>) -> bool {
    let (Some(left), Some(right)) = (first, second) else { return false };
    let (left, right) = (view.body.ty(left).ty, view.body.ty(right).ty);
    types_differ(view, first, second)
        && !view.queries.is_subclass(left, right)
        && !view.queries.is_subclass(right, left)
}

/// The value that a reference is a copy, a borrow or a cast of.
pub fn reference_root(view: &BodyView<'_>, reference: Value) -> Value {
    use Opcode::*;
    let mut root = reference;
    // Unreachable code may go round in circles.
    for _ in 0..=view.body.instructions.len() {
        let Some((id, opcode)) = view.definition(root) else { break };
        let passes_on = matches!(
            opcode,
            BeginBorrow
                | Borrowed
                | CopyValue
                | ExplicitCopyValue
                | MoveValue
                | EndCowMutation
                | EndInitLetRef
                | BeginDeallocRef
                | UncheckedOwnershipConversion
                | UncheckedOwnership
                | Upcast
                | UncheckedRefCast
                | RefToBridgeObject
                | BridgeObjectToRef
                | MarkDependence
                | MarkUninitialized
                | MarkUnresolvedNonCopyableValue
                | MarkUnresolvedReferenceBinding
                | CopyableToMoveonlywrapper
                | MoveonlywrapperToCopyable
                | MoveonlywrapperToCopyableBox
                | DropDeinit
        );
        match view.operand(id, 0) {
            Some(operand) if passes_on => root = operand,
            _ => break,
        }
    }
    root
}

/// The global whose address a called addressor returns.
pub(crate) enum Addressed {
    /// This global.
    Global(Name),
    /// A global of another module.
    Elsewhere,
}

/// The global whose address the call `call` returns, where it calls an addressor.
pub(crate) fn addressed_global(view: &BodyView<'_>, call: InstructionId) -> Option<Addressed> {
    let callee = views::Apply::get(view.body, call)?.callee;
    let (callee, Opcode::FunctionRef) = view.definition(callee)? else { return None };
    let name = views::FunctionRef::of(view.body, callee).function;
    let addressor = &view.module.functions[view.module.function_named(name)?];
    if !addressor.has(FunctionFlag::GlobalInit) {
        return None;
    }
    let Some(body) = &addressor.body else { return Some(Addressed::Elsewhere) };
    let mut returns = body
        .blocks
        .keys()
        .filter_map(|block| body.terminator(block))
        .filter(|id| body.instructions[*id].opcode.returns());
    let returned = returns.next().filter(|_| returns.next().is_none())?;
    let pointer = body.defining(views::Unary::get(body, returned)?.operand)?;
    if body.instructions[pointer].opcode != Opcode::AddressToPointer {
        return None;
    }
    let address = body.defining(views::Unary::of(body, pointer).operand)?;
    views::GlobalAddr::get(body, address).map(|address| Addressed::Global(address.global.name))
}

/// The global whose addressor returned the pointer of `address`.
fn global_of_addressor_call(view: &BodyView<'_>, address: Value) -> Option<Name> {
    let (id, _) = view.definition(address)?;
    if !view.body.instructions[id].attributes.contains(Attribute::Strict) {
        return None;
    }
    let pointer = views::Unary::get(view.body, id)?.operand;
    let (call, Opcode::Apply) = view.definition(pointer)? else { return None };
    match addressed_global(view, call)? {
        Addressed::Global(name) => Some(name),
        Addressed::Elsewhere => None,
    }
}

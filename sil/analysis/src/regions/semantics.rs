//! The effects of each kind of instruction on regions (`PartitionOpTranslator::visit…Inst`,
//! lib/SILOptimizer/Analysis/RegionAnalysis.cpp).

use sil_ir::context::{MemberTarget, Mutability};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Details, InstructionId};

use super::isolated_values::ValueIsolation;
use super::roots::{Roots, is_conversion};
use crate::variable_names::is_variable;

/// The effect of an instruction on regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Semantics {
    /// Nothing.
    Ignored,
    /// Its results get a region of their own.
    AssignFresh,
    /// Its results get into the region of its operands.
    Assign,
    /// Its results stand for its first operand.
    LookThrough,
    /// Its operands must not have been sent.
    Require,
    /// It stores its first operand in its second.
    Store,
    /// It borrows its first operand into its second.
    StoreBorrow,
    /// It loads.
    Load,
    /// It gives values to block arguments.
    Phi,
    /// It calls.
    Call,
    /// It makes a closure.
    Closure,
    /// It sends its value to the caller.
    SendingReturn,
    /// It allocates a variable or a temporary.
    AllocStack,
    /// It gives its enum to the blocks of its cases.
    SwitchEnum,
    /// It returns one of the values after its first operand.
    Select,
    /// Its first operand is looked through, its second one required.
    MarkDependence,
    /// It makes its operands one region.
    MergeRegions,
    /// It stores its other operands in its first one.
    TupleConstructor,
    /// It stores its first operand in the pack that its last one is.
    PackElementSet,
    /// It takes an element out of the pack that its last operand is.
    PackElement,
    /// It casts from address to address and branches.
    CastAddrBranch,
}

pub(super) fn semantics_of(values: &ValueIsolation<'_, '_>, id: InstructionId) -> Semantics {
    use Opcode::*;
    use Semantics as S;
    let view = values.view;
    let gives_sendable = || view.body.result(id).is_none_or(|result| values.is_sendable(result));
    match view.opcode(id) {
        AllocBox
        | AllocPack
        | AllocRef
        | AllocRefDynamic
        | AllocVector
        | AllocExistentialBox
        | Keypath
        | FunctionRef
        | DynamicFunctionRef
        | PrevDynamicFunctionRef
        | GlobalAddr
        | GlobalValue
        | HasSymbol
        | ObjCProtocol
        | WitnessMethod
        | IntegerLiteral
        | FloatLiteral
        | StringLiteral
        | Metatype
        | DifferentiabilityWitnessFunction => S::AssignFresh,
        AllocStack => S::AllocStack,
        Enum if view.body.operands(id).is_empty() => S::AssignFresh,
        InitExistentialValue | UnconditionalCheckedCast if !(Roots { values }).is_looked_through(id) => S::Assign,
        MoveValue | BeginBorrow if is_variable(view, id) => S::Assign,
        MarkDependence => S::MarkDependence,
        _ if (Roots { values }).is_looked_through(id) => S::LookThrough,
        opcode if is_conversion(opcode) => conversion(values, id),
        PointerToAddress if gives_sendable() => S::Require,
        RefElementAddr | RefTailAddr if gives_sendable() => immutable_or(values, id, S::Require),
        ObjcMetatypeToObject
        | ObjcExistentialMetatypeToObject
        | LoadWeak
        | StrongCopyUnownedValue
        | ClassMethod
        | ObjCMethod
        | SuperMethod
        | ObjCSuperMethod
        | LoadUnowned
        | AddressToPointer
        | PointerToAddress
        | BaseAddrForOffset
        | Thunk
        | CopyBlock
        | CopyBlockWithoutEscaping
        | IndexAddr
        | InitBlockStorageHeader
        | InitExistentialAddr
        | InitExistentialRef
        | OpenExistentialBox
        | OpenExistentialRef
        | TailAddr
        | VectorBaseAddr
        | ThickToObjcMetatype
        | ThinToThickFunction
        | UncheckedAddrCast
        | UncheckedOwnershipConversion
        | IndexRawPointer
        | MarkDependenceAddr
        | ImplicitactorToOpaqueisolationCast
        | InitExistentialMetatype
        | OpenExistentialMetatype
        | ObjcToThickMetatype
        | ValueMetatype
        | ExistentialMetatype
        | Object
        | Struct
        | Tuple
        | TupleExtract
        | StructExtract
        | RefElementAddr
        | RefTailAddr
        | Enum
        | ProjectExistentialBox
        | OpenExistentialBoxValue
        | LinearFunction
        | DifferentiableFunction => S::Assign,
        CopyAddr
        | ExplicitCopyAddr
        | Store
        | Assign
        | StoreWeak
        | MarkUnresolvedMoveAddr
        | UncheckedRefCastAddr
        | UnconditionalCheckedCastAddr
        | StoreUnowned => S::Store,
        StoreBorrow => S::StoreBorrow,
        Load | LoadBorrow => S::Load,
        FixLifetime
        | ClassifyBridgeObject
        | BridgeObjectToWord
        | IsUnique
        | MarkFunctionEscape
        | UnmanagedRetainValue
        | UnmanagedReleaseValue
        | UnmanagedAutoreleaseValue
        | RebindMemory
        | BindMemory
        | BeginUnpairedAccess
        | GetAsyncContinuationAddr
        | SwitchEnumAddr
        | Yield
        | Throw
        | FunctionExtractIsolation => S::Require,
        Br | CondBr | CheckedCastBr | DynamicMethodBr => S::Phi,
        Apply | BeginApply | TryApply | Builtin => S::Call,
        PartialApply => S::Closure,
        Return => S::SendingReturn,
        SwitchEnum => S::SwitchEnum,
        SelectEnum | SelectEnumAddr => S::Select,
        MergeIsolationRegion => S::MergeRegions,
        TupleAddrConstructor => S::TupleConstructor,
        PackElementSet => S::PackElementSet,
        PackElementGet | TuplePackElementAddr | TuplePackExtract => S::PackElement,
        CheckedCastAddrBr => S::CastAddrBranch,
        _ => S::Ignored,
    }
}

/// A cast of a value that is not `Sendable` is that value if the result is not either.
fn conversion(values: &ValueIsolation<'_, '_>, id: InstructionId) -> Semantics {
    let view = values.view;
    let operand = view.operand(id, 0).is_none_or(|operand| values.is_sendable(operand));
    let result = view.body.result(id).is_none_or(|result| values.is_sendable(result));
    match (operand, result) {
        (false, false) => Semantics::LookThrough,
        (false, true) => Semantics::Require,
        (true, _) => Semantics::AssignFresh,
    }
}

/// A value that never changes after its initialisation can be read at any time.
fn immutable_or(values: &ValueIsolation<'_, '_>, id: InstructionId, otherwise: Semantics) -> Semantics {
    let view = values.view;
    let is_immutable = match view.body.instructions[id].details {
        Details::Member(member) => {
            let member = view.queries.context.get_member(member);
            let property = member.parent.zip(match member.target {
                MemberTarget::Stored(index) => Some(index),
                MemberTarget::Case(_) | MemberTarget::Other => None,
            });
            property.is_some_and(|(parent, index)| {
                let stored = view.queries.declarations.get(parent).stored.get(index as usize);
                stored.is_some_and(|property| property.mutability == Mutability::Let)
            })
        }
        _ => view.body.instructions[id].attributes.contains(Attribute::Immutable),
    };
    if is_immutable { Semantics::Ignored } else { otherwise }
}

//! The uses of a storage: which instructions access which part of it, and the addresses that an instruction accesses.

use sil_ir::context::{BuiltinType, Type};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::{InstructionId, Value};

use super::storage::{
    AccessStorage, NestedAccess, StoragePath, UseRelation, is_reference_cast, is_storage_cast, is_unsafe_pointer,
    reference_root_through_phis,
};
use crate::{ApplySite, BodyView, InstructionEffects, Use};

/// The leaf uses of all addresses, pointers and references of a body, with the places that they access.
pub struct StorageUses {
    /// The storage of each use, and the place in it where that is known.
    places: Vec<(Use, AccessStorage, Option<StoragePath>)>,
    references: Vec<(Use, Value)>,
}

impl StorageUses {
    /// Finds the place that each operand leads to.
    pub fn new(view: &BodyView<'_>) -> Self {
        let (mut places, mut references) = (Vec::new(), Vec::new());
        for block in view.body.blocks.keys() {
            for user in view.body.instructions_in(block) {
                for (operand, value) in (0..).zip(view.body.operands(user)) {
                    let found = Use { user, operand };
                    if view.opcode(user) == Opcode::EndBorrow {
                        continue;
                    }
                    if has_place(view, *value)
                        && !is_looked_through(view, found)
                        && let Some(storage) = AccessStorage::of(view, *value, NestedAccess::Ignore)
                    {
                        places.push((found, storage, StoragePath::of(view, *value, NestedAccess::Ignore)));
                    }
                    if is_reference(view, *value) && !is_reference_looked_through(view, found) {
                        references.push((found, reference_root_through_phis(view, *value)));
                    }
                }
            }
        }
        Self { places, references }
    }

    /// The leaf uses that access the same memory, a part of it, or memory that may share some with it, in textual
    /// order.
    pub fn of(&self, path: &StoragePath) -> Vec<(Use, UseRelation)> {
        let related = |(found, storage, place): &(Use, AccessStorage, Option<StoragePath>)| match place {
            Some(place) => Some((*found, path.relation_of(place)?)),
            None => (*storage == path.storage).then_some((*found, UseRelation::Overlapping)),
        };
        let mut uses: Vec<(Use, UseRelation)> = self.places.iter().filter_map(related).collect();
        if let Some(object) = path.storage.object() {
            // A user of the object may use any part of it.
            let whole = self.references.iter().filter(|(_, root)| *root == object);
            uses.extend(whole.map(|(found, _)| (*found, UseRelation::Overlapping)));
            uses.sort_by_key(|(found, _)| *found);
            uses.dedup_by_key(|(found, _)| *found);
        }
        uses
    }
}

/// Whether the value may be the address of a place, a pointer to it or its box.
fn has_place(view: &BodyView<'_>, value: Value) -> bool {
    let ty = view.body.ty(value);
    ty.is_address() || matches!(view.queries.get(ty.ty), Type::Builtin(BuiltinType::RawPointer))
}

fn is_reference(view: &BodyView<'_>, value: Value) -> bool {
    let ty = view.body.ty(value);
    !ty.is_address() && view.queries.properties(ty.ty, view.function.signature).is_reference()
}

/// Whether a use only makes another address of its operand, whose uses count instead.
fn is_looked_through(view: &BodyView<'_>, found: Use) -> bool {
    use Opcode::*;
    let opcode = view.opcode(found.user);
    if opcode == Br {
        let argument = view.branch_argument(found);
        return argument.is_some_and(|argument| StoragePath::of(view, argument, NestedAccess::Ignore).is_some());
    }
    let projects = matches!(
        opcode,
        BeginAccess | StructElementAddr | TupleElementAddr | IndexAddr | TailAddr | VectorBaseAddr | InitEnumDataAddr
    );
    let extracts =
        opcode == StructExtract && view.body.result(found.user).is_some_and(|result| is_unsafe_pointer(view, result));
    found.operand == 0 && (projects || extracts || is_storage_cast(opcode))
}

fn is_reference_looked_through(view: &BodyView<'_>, found: Use) -> bool {
    use Opcode::*;
    let opcode = view.opcode(found.user);
    if opcode == Br {
        let argument = view.branch_argument(found);
        let root = |value| reference_root_through_phis(view, value);
        return argument.is_some_and(|argument| root(argument) == root(view.used_value(found)));
    }
    let projects = matches!(opcode, RefElementAddr | RefTailAddr | ProjectBox);
    found.operand == 0 && (projects || is_reference_cast(opcode))
}

/// The operands through which `id` accesses memory in the sense of the program, not of reference counts or allocation
/// (`visitAccessedAddress`, lib/SIL/Utils/MemAccessUtils.cpp); none where it accesses none.
pub fn accessed_operands(view: &BodyView<'_>, effects: InstructionEffects<'_>, id: InstructionId) -> Vec<u32> {
    use Opcode::*;
    if effects.memory_behavior(view.body, id) == MemoryBehavior::None {
        return Vec::new();
    }
    match view.opcode(id) {
        Apply | TryApply | BeginApply => accessed_arguments(view, id),
        Builtin => accessed_by_builtin(view, effects, id),
        CheckedCastAddrBr | CopyAddr | ExplicitCopyAddr | MarkUnresolvedMoveAddr => vec![0, 1],
        Assign | AssignByWrapper | AssignOrInit | Store | StoreBorrow | StoreWeak | StoreUnowned => vec![1],
        SelectEnumAddr
        | InitExistentialAddr
        | InjectEnumAddr
        | Load
        | LoadBorrow
        | LoadWeak
        | LoadUnowned
        | OpenExistentialAddr
        | SwitchEnumAddr
        | UncheckedTakeEnumDataAddr => vec![0],
        _ => Vec::new(),
    }
}

fn accessed_arguments(view: &BodyView<'_>, id: InstructionId) -> Vec<u32> {
    let Some(site) = ApplySite::new(view.body, id) else { return Vec::new() };
    let Some(conventions) = site.conventions(view.queries) else { return Vec::new() };
    let numbering = site.numbering(conventions);
    let arguments = conventions.arguments().enumerate().filter(|(_, argument)| argument.ty.is_address());
    arguments.filter_map(|(index, _)| numbering.operand_of_sil_argument(index)).map(|operand| operand as u32).collect()
}

fn accessed_by_builtin(view: &BodyView<'_>, effects: InstructionEffects<'_>, id: InstructionId) -> Vec<u32> {
    let address =
        |operand: &u32| view.operand(id, *operand as usize).is_some_and(|value| view.body.ty(value).is_address());
    match effects.builtin(view.body, id) {
        // The effects of these on their addresses are bookkeeping, or formal accesses around them cover them.
        Some(BuiltinKind::Named(NamedBuiltin::TSanInoutAccess)) => Vec::new(),
        _ => (0..view.body.operands(id).len() as u32).filter(address).collect(),
    }
}

impl AccessStorage {
    /// Whether the storage is that of an object or box, whose lifetime may end within the function.
    pub fn is_reference(self) -> bool {
        self.object().is_some()
    }
}

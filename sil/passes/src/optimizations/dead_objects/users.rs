//! Collects the users of an allocation that can be removed together with it.

use rustc_hash::FxHashSet;
use sil_analysis::{ControlFlowGraph, OwnershipKinds};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{MemoryBehavior, Opcode, Position};
use sil_ir::model::views::Store;
use sil_ir::model::{Details, InstructionId, Value};

use super::destructors::is_array_destruction;
use super::tail_elements;
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// Whether reference counting of the object can be removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    /// It has no other effect.
    Removable,
    /// It may run code.
    Needed,
}

/// The stores that can be removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stores {
    All,
    /// Stores of trivial values.
    Trivial,
}

/// The removal of an allocation.
#[derive(Clone, Copy)]
pub(super) struct Removal<'a, 'm> {
    pub(super) editor: &'a Editor<'m>,
    pub(super) counts: Counts,
    pub(super) stores: Stores,
}

impl Removal<'_, '_> {
    /// The allocation and all its users. `None` if one of them must be kept.
    pub(super) fn users(self, allocation: InstructionId) -> Option<Vec<InstructionId>> {
        let editor = self.editor;
        let is_object = matches!(editor.opcode(allocation), Opcode::AllocRef | Opcode::AllocRefDynamic);
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut open = vec![allocation];
        let mut fields = Vec::new();
        let mut destruction = None;
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            found.push(id);
            if editor.opcode(id) == Opcode::RefElementAddr {
                fields.extend((id != allocation && !self.is_trivial_field(id)).then_some(id));
            } else if is_object && is_array_destruction(editor.body(), id) {
                if destruction.replace(id).is_some() {
                    return None;
                }
            } else if !self.can_go(id) {
                return None;
            }
            for result in editor.body().results(id) {
                open.extend(self.users_of(result)?);
            }
        }
        if editor.has_ownership() {
            return Some(found);
        }
        // Values stored to properties would leak.
        let is_removable = match destruction {
            Some(destruction) => tail_elements::hold_all_stores(editor, allocation, destruction, &found),
            None => {
                let inner = Self { stores: Stores::Trivial, ..self };
                fields.into_iter().all(|field| inner.users(field).is_some())
            }
        };
        is_removable.then_some(found)
    }

    fn users_of(self, value: Value) -> Option<Vec<InstructionId>> {
        let is_stored =
            |id: InstructionId| Store::get(self.editor.body(), id).is_some_and(|store| store.source == value);
        let users: Vec<InstructionId> = self.editor.uses(value).into_iter().map(|found| found.user).collect();
        (!users.iter().any(|id| is_stored(*id))).then_some(users)
    }

    fn is_trivial_field(self, id: InstructionId) -> bool {
        let body = self.editor.body();
        body.result(id).is_some_and(|address| self.editor.is_trivial(body.ty(address).object_type()))
    }

    fn can_go(self, id: InstructionId) -> bool {
        use Opcode::*;
        let editor = self.editor;
        match editor.opcode(id) {
            CopyValue | BeginBorrow | MoveValue | EndInitLetRef | BeginDeallocRef | FixLifetime | EndBorrow
            | Upcast | UncheckedRefCast | InjectEnumAddr | Keypath | DestroyAddr | InitExistentialAddr
            | BeginAccess | EndAccess => true,
            AllocStack | AllocRef | AllocRefDynamic | AllocBox | AllocExistentialBox | AllocPack | AllocVector => true,
            DeallocStack | DeallocStackRef | DeallocRef | DeallocBox | DeallocExistentialBox | DeallocPack => true,
            DestroyValue | DeallocPartialRef => self.counts == Counts::Removable,
            opcode if counts_references(opcode) => self.counts == Counts::Removable,
            Store => {
                let source = self::Store::of(editor.body(), id).source;
                editor.is_trivial(editor.body().ty(source)) || self.stores == Stores::All && !self.is_lexical(source)
            }
            Builtin if self.is_zero_initializer(id) => true,
            opcode => {
                opcode.information().position != Position::Terminator
                    && !editor.may_have_side_effects(id)
                    && !editor.memory_behavior(id).may_read()
                    && editor.memory_behavior(id) == MemoryBehavior::None
            }
        }
    }

    fn is_zero_initializer(self, id: InstructionId) -> bool {
        let Details::Builtin(builtin) = &self.editor.body().instructions[id].details else { return false };
        let kind = builtin.kind();
        kind == Some(BuiltinKind::Named(NamedBuiltin::ZeroInitializer))
    }

    /// Returns whether `value` has a lexical lifetime.
    fn is_lexical(self, value: Value) -> bool {
        let Environment { queries, function, .. } = self.editor.environment;
        let body = self.editor.body();
        let cfg = ControlFlowGraph::new(body);
        self.editor.has_ownership() && OwnershipKinds::new(queries, function, body, &cfg).is_lexical(&cfg, value)
    }
}

/// Returns whether an instruction only changes a reference count.
pub(super) fn counts_references(opcode: Opcode) -> bool {
    use Opcode::*;
    may_release(opcode)
        || matches!(
            opcode,
            StrongRetain
                | RetainValue
                | RetainValueAddr
                | UnownedRetain
                | StrongRetainUnowned
                | UnmanagedRetainValue
                | AutoreleaseValue
                | UnmanagedAutoreleaseValue
        )
}

/// Returns whether an instruction releases a reference.
pub(super) fn may_release(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, StrongRelease | ReleaseValue | ReleaseValueAddr | UnownedRelease | UnmanagedReleaseValue)
}

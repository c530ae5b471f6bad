//! Collects all uses of uniquely identified storage, if each of them is of a known kind (`UniqueStorageUseVisitor`,
//! lib/SIL/Utils/MemAccessUtils.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, BodyView, Use, is_storage_cast};
use sil_ir::context::{BuiltinType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{FunctionFlag, InstructionId, Value};

use super::Barriers;
use crate::pass::Environment;
use crate::pass::settings::OptimizationMode;

/// The uses of a storage.
#[derive(Default)]
pub(super) struct KnownUses {
    /// The users that must precede the destroy.
    pub(super) users: FxHashSet<InstructionId>,
    /// The instructions that destroy all of the memory.
    pub(super) destroys: Vec<InstructionId>,
    /// The debug users. They are erased if the memory is destroyed before them.
    pub(super) debug: FxHashSet<InstructionId>,
}

/// The part of the memory that an address refers to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// The payload of an enum. It is not a payload until the enum's tag is injected.
    Payload,
    Inner,
}

struct Search<'s, 'm> {
    view: &'s BodyView<'m>,
    barriers: Barriers,
    keeps_debug: bool,
    found: KnownUses,
}

impl KnownUses {
    /// Collects the uses of the memory at `root`. Returns `None` if a use is unknown or nothing destroys the memory.
    pub(super) fn of(
        environment: Environment<'_>,
        view: &BodyView<'_>,
        root: Value,
        barriers: Barriers,
    ) -> Option<Self> {
        let has_own_mode =
            view.function.has(FunctionFlag::OptimizeForSpeed) || view.function.has(FunctionFlag::OptimizeForSize);
        let keeps_debug = environment.settings.optimization != OptimizationMode::Optimized && !has_own_mode;
        let mut search = Search { view, barriers, keeps_debug, found: Self::default() };
        search.follow(root, Part::Whole)?;
        (!search.found.destroys.is_empty()).then_some(search.found)
    }
}

impl Search<'_, '_> {
    fn follow(&mut self, address: Value, part: Part) -> Option<()> {
        self.view.uses.of(address).iter().try_for_each(|found| self.visit(*found, part))
    }

    fn visit(&mut self, found: Use, part: Part) -> Option<()> {
        use Opcode::*;
        let (id, opcode) = (found.user, self.view.opcode(found.user));
        let within = |part| Some((self.view.body.result(id)?, part));
        let next = match opcode {
            BeginAccess => within(part),
            StructElementAddr | TupleElementAddr | IndexAddr | TailAddr | VectorBaseAddr if found.operand == 0 => {
                within(Part::Inner)
            }
            InitEnumDataAddr => within(if part == Part::Inner { part } else { Part::Payload }),
            _ if is_storage_cast(opcode) && found.operand == 0 => within(part),
            DestroyAddr if part == Part::Whole => {
                self.found.destroys.push(id);
                return Some(());
            }
            DebugValue if self.keeps_debug => return self.user(id),
            DebugValue => {
                self.found.debug.insert(id);
                return Some(());
            }
            EndAccess | DeallocStack | EndBorrow => return Some(()),
            Load | LoadWeak | LoadUnowned | ExistentialMetatype | InjectEnumAddr | CopyAddr | ExplicitCopyAddr => {
                return self.user(id);
            }
            Store | StoreWeak | StoreUnowned if found.operand == 1 => return self.user(id),
            Apply | TryApply | BeginApply => return self.call(found),
            _ => None,
        };
        match next {
            Some((address, part)) => self.follow(address, part),
            None => self.unknown(found),
        }
    }

    fn user(&mut self, id: InstructionId) -> Option<()> {
        self.found.users.insert(id);
        Some(())
    }

    /// A call uses the memory that it takes indirectly. A coroutine uses it until the coroutine ends.
    fn call(&mut self, found: Use) -> Option<()> {
        let site = ApplySite::new(self.view.body, found.user)?;
        let conventions = site.conventions(self.view.queries)?;
        let argument = site.argument_of_operand(conventions, found.operand as usize)?;
        if !argument.ty.is_address() {
            return self.unknown(found);
        }
        self.user(found.user)?;
        let ends = self.view.body.results(found.user).flat_map(|token| self.view.uses.of(token));
        let ends = ends.map(|end| end.user);
        let ends = ends.filter(|end| matches!(self.view.opcode(*end), Opcode::EndApply | Opcode::AbortApply));
        self.found.users.extend(ends.collect::<Vec<_>>());
        Some(())
    }

    /// If barriers are respected, the uses of a raw pointer are barriers themselves.
    fn unknown(&self, found: Use) -> Option<()> {
        let ty = self.view.body.ty(self.view.used_value(found)).ty;
        let is_pointer = *self.view.queries.get(ty) == Type::Builtin(BuiltinType::RawPointer);
        (is_pointer && self.barriers == Barriers::Respected).then_some(())
    }
}

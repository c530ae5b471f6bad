//! The stack memory of closure captures. A closure on the stack captures the original of a copy, if nothing writes to
//! it during the closure's lifetime; otherwise the memory is deallocated after the closure.

use sil_analysis::{AddressEscape, AddressUses, ApplySite, LiveDefinition, LiveUse, PrunedLiveness, Use, Uses};
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::views::{CopyAddr, Unary};
use sil_ir::model::{BlockId, Body, Definition, InstructionId, LocationKind, Place, Value};
use sil_ir::types::{ArgumentConvention, Copyability};

use super::Fixup;
use super::closure_user::builtin;
use crate::editing::editor::Editor;
use crate::pass::Environment;
use crate::pass::settings::CapturedCopies;

/// Stack memory that a closure captures.
pub(super) struct CapturedMemory {
    /// The captured address: the allocation, possibly without its move-only wrapper.
    pub(super) address: Value,
    /// The allocation.
    stack: Value,
    /// The copy that initialises it, and the copied address, if the closure may capture that instead.
    pub(super) original: Option<(InstructionId, Value)>,
}

impl CapturedMemory {
    /// Returns the memory at `address`, which `closure` captures and needs until `ends`. `None` if it is not allocated
    /// on the stack.
    pub(super) fn of(
        fixup: &Fixup<'_>,
        address: Value,
        closure: InstructionId,
        ends: &[InstructionId],
    ) -> Option<CapturedMemory> {
        let editor = &fixup.editor;
        let unwrapped = editor.made_by(address, Opcode::MoveonlywrapperToCopyableAddr);
        let stack = unwrapped.map_or(address, |id| Unary::of(editor.body(), id).operand);
        editor.made_by(stack, Opcode::AllocStack)?;
        let original = initialization(editor, address, closure).filter(|_| unwrapped.is_none());
        let original = original.map(|copy| (copy, CopyAddr::of(editor.body(), copy).source));
        let is_wanted = |(copy, original): &(InstructionId, Value)| {
            may_share(editor, address) && keeps_value(fixup, *original, *copy, ends)
        };
        let original = original.filter(is_wanted);
        Some(CapturedMemory { address, stack, original })
    }

    /// Erases the copy, which nothing captures any more.
    pub(super) fn erase(&self, editor: &mut Editor<'_>) {
        for found in editor.uses(self.stack) {
            editor.erase(found.user);
        }
        if let Some(allocation) = editor.body().defining(self.stack) {
            editor.erase(allocation);
        }
    }

    /// Removes the deallocations of the memory.
    pub(super) fn keep(&self, editor: &mut Editor<'_>) {
        for found in editor.uses(self.stack) {
            if editor.opcode(found.user) == Opcode::DeallocStack {
                editor.erase(found.user);
            }
        }
    }

    /// Deallocates the memory after its last uses, in the last blocks that its allocation dominates.
    pub(super) fn free(&self, fixup: &mut Fixup<'_>) {
        let editor = &fixup.editor;
        let body = editor.body();
        let Some(allocation) = body.defining(self.stack) else { return };
        let uses = AddressUses::of(body, &Uses::new(body), self.stack, |id| builtin(editor, id));
        let is_use = |id: &InstructionId| uses.uses.iter().any(|found| found.user == *id);
        let is_known = matches!(uses.escape, AddressEscape::None | AddressEscape::Dependent);
        let mut places = Vec::new();
        for block in boundary(fixup, body.instructions[allocation].block) {
            let Some(end) = body.terminator(block) else { continue };
            if editor.opcode(end) == Opcode::Unreachable {
                continue;
            }
            let last = body.instructions_in(block).rfind(is_use).filter(|_| is_known);
            places.push(match last {
                Some(last) if last != end => Place::After(last),
                None if is_known => Place::Start(block),
                _ => Place::Before(end),
            });
        }
        for place in places {
            fixup.editor.build(place, allocation, |builder| {
                builder.set_location_kind(LocationKind::Cleanup);
                builder.dealloc_stack(self.stack);
            });
        }
    }
}

/// Returns the blocks dominated by `root` that exit the function or have a successor outside the dominated region.
fn boundary(fixup: &Fixup<'_>, root: BlockId) -> Vec<BlockId> {
    let body = fixup.editor.body();
    let is_inside = |block: &BlockId| fixup.cfg.is_reachable(*block) && fixup.dominators.dominates(root, *block);
    let leaves = |block: &BlockId| {
        let targets = body.terminator(*block).map_or(&[][..], |end| body.targets(end));
        targets.is_empty() || targets.iter().any(|target| *target == root || !is_inside(target))
    };
    body.blocks.keys().filter(is_inside).filter(leaves).collect()
}

/// Returns whether a closure may capture the original of the copy at `address`.
fn may_share(editor: &Editor<'_>, address: Value) -> bool {
    editor.environment.settings.captured_copies == CapturedCopies::Needed || is_noncopyable(editor, address)
}

/// Whether the value at `address` has no copies.
fn is_noncopyable(editor: &Editor<'_>, address: Value) -> bool {
    let Environment { queries, function, .. } = editor.environment;
    let properties = queries.properties(editor.body().ty(address).ty, function.signature);
    properties.copyability == Copyability::Noncopyable
}

/// Returns the copy that initialises the memory at `address`, if `closure` is its only other user.
fn initialization(editor: &Editor<'_>, address: Value, closure: InstructionId) -> Option<InstructionId> {
    let mut copy = None;
    for user in editor.uses(address).into_iter().map(|found| found.user).filter(|user| *user != closure) {
        let attributes = editor.body().instructions[user].attributes;
        match editor.opcode(user) {
            Opcode::DebugValue | Opcode::DestroyAddr | Opcode::DeallocStack => {}
            Opcode::CopyAddr if copy.is_none() => {
                let is_new = attributes.contains(Attribute::Init) && !attributes.contains(Attribute::Take);
                let copied = CopyAddr::of(editor.body(), user);
                (is_new && copied.destination == address && copied.source != address).then_some(())?;
                copy = Some(user);
            }
            _ => return None,
        }
    }
    copy
}

/// Whether `original` holds the value that `copy` copies until `ends`: all uses of its memory are known, and nothing
/// writes there. Of a noncopyable value the uses of `original` count alone, as for Swift: a closure that may write it
/// has no access to it meanwhile.
fn keeps_value(fixup: &Fixup<'_>, original: Value, copy: InstructionId, ends: &[InstructionId]) -> bool {
    let editor = &fixup.editor;
    let body = editor.body();
    let is_noncopyable = is_noncopyable(editor, original);
    let root = if is_noncopyable { Some(original) } else { root(editor, original) };
    let Some(root) = root else { return false };
    let uses = AddressUses::of(body, &Uses::new(body), root, |id| builtin(editor, id));
    if !matches!(uses.escape, AddressEscape::None | AddressEscape::Dependent) {
        return false;
    }
    let mut liveness = PrunedLiveness::new(body, fixup.cfg);
    liveness.define(Some(LiveDefinition::Instruction(copy)));
    ends.iter().for_each(|end| liveness.add(*end, LiveUse::Ending));
    uses.uses.iter().all(|found| match access(editor, *found) {
        Access::Read => true,
        Access::Write => !liveness.is_within(found.user),
        Access::LaterWrites => is_noncopyable,
    })
}

/// Returns the base of an address, if it is memory without aliases: an argument that no other code writes to, or stack
/// memory.
fn root(editor: &Editor<'_>, address: Value) -> Option<Value> {
    use Opcode::*;
    let body = editor.body();
    let mut address = address;
    loop {
        let id = match body.values[address].definition {
            Definition::Result { instruction, .. } => instruction,
            Definition::Argument { block, index } => {
                let conventions = editor.environment.queries.conventions(editor.environment.function.ty)?;
                let argument = conventions.arguments().nth(index as usize)?;
                let aliased = ArgumentConvention::Parameter(ParameterConvention::InOutAliasable);
                let is_own = block == body.entry() && argument.convention != aliased;
                return is_own.then_some(address);
            }
            Definition::Undef => return None,
        };
        address = match editor.opcode(id) {
            AllocStack => return Some(address),
            StructElementAddr
            | TupleElementAddr
            | MarkUninitialized
            | MarkUnresolvedNonCopyableValue
            | MoveonlywrapperToCopyableAddr
            | CopyableToMoveonlywrapperAddr => *body.operands(id).first()?,
            _ => return None,
        };
    }
}

/// The kind of access of an address use.
enum Access {
    Read,
    Write,
    /// A use that lets other code write later.
    LaterWrites,
}

fn access(editor: &Editor<'_>, found: Use) -> Access {
    let body: &Body = editor.body();
    let convention = |site: ApplySite<'_>| {
        let conventions = site.conventions(editor.environment.queries)?;
        Some(site.argument_of_operand(conventions, found.operand as usize)?.convention)
    };
    if let Some(site) = ApplySite::new(body, found.user) {
        let reads = convention(site) == Some(ArgumentConvention::Parameter(ParameterConvention::InGuaranteed));
        return match editor.opcode(found.user) {
            _ if reads => Access::Read,
            Opcode::Apply | Opcode::TryApply => Access::Write,
            _ => Access::LaterWrites,
        };
    }
    let is_source = editor.opcode(found.user) == Opcode::CopyAddr && found.operand == 0;
    if is_source && !body.instructions[found.user].attributes.contains(Attribute::Take) {
        return Access::Read;
    }
    match editor.memory_behavior(found.user) {
        MemoryBehavior::None | MemoryBehavior::MayRead => Access::Read,
        _ => Access::Write,
    }
}

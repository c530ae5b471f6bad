//! The epilogue releases of arguments (`ConsumedArgToEpilogueReleaseMatcher` in
//! lib/SILOptimizer/Analysis/ARCAnalysis.cpp): those in the returning or throwing block, after all other instructions
//! that may release.

use rustc_hash::FxHashMap;
use sil_analysis::{BodyView, InstructionEffects, RcIdentity};
use sil_ir::context::TypeId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, Details, InstructionId, Value};

use crate::knowledge::aggregate_parts::parts;
use crate::knowledge::elements::Step;

/// The kind of exit of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// A return.
    Return,
    /// A throw.
    Throw,
}

impl Exit {
    fn of(self, view: &BodyView<'_>) -> Option<BlockId> {
        let body = view.body;
        let leaves = |block: &BlockId| {
            let end = body.terminator(*block).map(|end| view.opcode(end));
            match self {
                Exit::Return => end == Some(Opcode::Return),
                Exit::Throw => end == Some(Opcode::Throw),
            }
        };
        body.blocks.keys().find(leaves)
    }

    fn other(self) -> Self {
        match self {
            Exit::Return => Exit::Throw,
            Exit::Throw => Exit::Return,
        }
    }
}

/// The owned arguments to find releases for.
#[derive(Clone, Copy)]
pub(crate) struct Owned<'a> {
    /// The values, and the addresses of arguments in memory.
    pub(crate) arguments: &'a [Value],
    /// Whether arguments in memory are included.
    pub(crate) memory: ArgumentMemory,
}

/// Whether arguments in memory, which `destroy_addr` ends, are included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentMemory {
    /// A `destroy_addr` may release anything.
    Ignored,
    /// A `destroy_addr` is matched to its argument.
    Considered,
}

/// The epilogue releases of the owned arguments.
pub(crate) struct EpilogueReleases {
    exit: Option<BlockId>,
    found: FxHashMap<Value, Found>,
}

struct Found {
    releases: Vec<InstructionId>,
    coverage: Coverage,
}

/// Whether all of an argument is released.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coverage {
    Parts,
    All,
}

impl EpilogueReleases {
    /// Finds the releases.
    pub(crate) fn find(view: &BodyView<'_>, owned: Owned<'_>, exit: Exit) -> Self {
        let exit_block = exit.of(view);
        let mut releases = Self { exit: exit_block, found: FxHashMap::default() };
        if let Some(block) = exit_block {
            releases.collect(view, owned, block);
            releases.collect_destructions(view, owned, block, exit.other().of(view));
            for (argument, found) in &mut releases.found {
                if is_complete(view, *argument, &found.releases) {
                    found.coverage = Coverage::All;
                }
            }
        }
        releases
    }

    /// Returns whether the function has this exit.
    pub(crate) fn has_exit(&self) -> bool {
        self.exit.is_some()
    }

    /// Returns the releases of an argument that together release all of it, or nothing if a part is not released.
    pub(crate) fn complete(&self, argument: Value) -> &[InstructionId] {
        match self.found.get(&argument) {
            Some(Found { releases, coverage: Coverage::All }) => releases,
            _ => &[],
        }
    }

    /// Returns the releases of an argument if a part of it is not released, or nothing if all of it is.
    pub(crate) fn partial(&self, argument: Value) -> &[InstructionId] {
        match self.found.get(&argument) {
            Some(Found { releases, coverage: Coverage::Parts }) => releases,
            _ => &[],
        }
    }

    fn add(&mut self, argument: Value, release: InstructionId) {
        let found = self.found.entry(argument).or_insert(Found { releases: Vec::new(), coverage: Coverage::Parts });
        found.releases.push(release);
    }

    fn collect(&mut self, view: &BodyView<'_>, owned: Owned<'_>, block: BlockId) {
        let effects = InstructionEffects::new(view.module, view.queries);
        let identities = RcIdentity::new(view);
        let instructions: Vec<InstructionId> = view.body.instructions_in(block).collect();
        for id in instructions.into_iter().rev() {
            match view.opcode(id) {
                Opcode::DestroyAddr if owned.memory == ArgumentMemory::Considered => continue,
                Opcode::ReleaseValue | Opcode::StrongRelease => {}
                Opcode::DeallocRef | Opcode::DeallocPartialRef => break,
                _ if effects.may_release(view.body, view.function.signature, id) => break,
                _ => continue,
            }
            let released = Unary::of(view.body, id).operand;
            // An unidentified release may be of any argument, so the search ends here.
            let argument = without_projections(view, identities.root(released));
            if !owned.arguments.contains(&argument) {
                break;
            }
            let before = self.partial(argument);
            if !before.is_empty() && is_released_already(view, argument, before, released) {
                break;
            }
            self.add(argument, id);
        }
    }

    /// Adds the `destroy_addr` instructions of arguments in memory if they are only in this block and the block of the
    /// other exit.
    fn collect_destructions(&mut self, view: &BodyView<'_>, owned: Owned<'_>, block: BlockId, other: Option<BlockId>) {
        for argument in owned.arguments.iter().copied().filter(|argument| view.body.ty(*argument).is_address()) {
            let destructions: Vec<InstructionId> = view
                .uses
                .of(argument)
                .iter()
                .map(|found| found.user)
                .filter(|user| view.opcode(*user) == Opcode::DestroyAddr)
                .filter(|user| Some(view.body.instructions[*user].block) != other)
                .collect();
            let is_here = |user: &InstructionId| view.body.instructions[*user].block == block;
            if destructions.iter().all(is_here) {
                destructions.into_iter().for_each(|user| self.add(argument, user));
            } else {
                self.found.remove(&argument);
            }
        }
    }
}

/// Strips extractions from a value.
fn without_projections(view: &BodyView<'_>, value: Value) -> Value {
    let mut value = value;
    while let Some(id) = view.body.defining(value)
        && matches!(view.opcode(id), Opcode::StructExtract | Opcode::TupleExtract)
    {
        value = view.body.operands(id)[0];
    }
    value
}

/// Returns the projection path from `base` to `part`, or `None` if the value is not a part of it.
fn path(view: &BodyView<'_>, base: Value, part: Value) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut value = part;
    while value != base {
        let id = view.body.defining(value)?;
        steps.push(match (view.opcode(id), &view.body.instructions[id].details) {
            (Opcode::StructExtract, Details::Member(member)) => Step::Property(*member),
            (Opcode::TupleExtract, Details::Index(index)) => Step::Tuple(*index),
            _ => return None,
        });
        value = view.body.operands(id)[0];
    }
    steps.reverse();
    Some(steps)
}

/// Returns whether one path is a prefix of the other.
fn overlap(one: &[Step], other: &[Step]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Returns whether a released value is, or may be, released again later.
fn is_released_already(view: &BodyView<'_>, argument: Value, later: &[InstructionId], released: Value) -> bool {
    let Some(new) = path(view, argument, released) else { return true };
    later.iter().any(|release| {
        let known = path(view, argument, Unary::of(view.body, *release).operand);
        known.is_none_or(|known| overlap(&known, &new))
    })
}

/// Returns whether releases cover all of an argument.
fn is_complete(view: &BodyView<'_>, argument: Value, releases: &[InstructionId]) -> bool {
    let released: Vec<Value> = releases.iter().map(|release| Unary::of(view.body, *release).operand).collect();
    if let [only] = released[..]
        && RcIdentity::new(view).root(only) == argument
    {
        return true;
    }
    let paths: Option<Vec<Vec<Step>>> = released.iter().map(|released| path(view, argument, *released)).collect();
    paths.is_some_and(|paths| covers(view, view.body.ty(argument).ty, &mut Vec::new(), &paths))
}

/// Returns whether `paths` cover each non-trivial part of a value of type `ty` at `at`.
fn covers(view: &BodyView<'_>, ty: TypeId, at: &mut Vec<Step>, paths: &[Vec<Step>]) -> bool {
    if view.queries.properties(ty, view.function.signature).is_trivial()
        || paths.iter().any(|path| at.starts_with(path))
    {
        return true;
    }
    let parts = parts(view.queries, ty).unwrap_or_default();
    !parts.is_empty()
        && parts.into_iter().all(|part| {
            at.push(part.step);
            let is_covered = covers(view, part.ty, at, paths);
            at.pop();
            is_covered
        })
}

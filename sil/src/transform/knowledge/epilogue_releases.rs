//! The releases of arguments with which a function ends (`ConsumedArgToEpilogueReleaseMatcher` in lib/SILOptimizer/Analysis/ARCAnalysis.cpp): in the
//! block that it returns or throws from, behind all else that may release something.

use rustc_hash::FxHashMap;

use crate::analysis::{BodyView, InstructionEffects, RcIdentity};
use crate::context::TypeId;
use crate::instructions::Opcode;
use crate::model::views::Unary;
use crate::model::{BlockId, Details, InstructionId, Value};
use crate::transform::knowledge::aggregate_parts::parts;
use crate::transform::knowledge::elements::Step;

/// How a function is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum Exit {
    /// With its result.
    Return,
    /// With an error.
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

/// The arguments that a function owns, of those that matter.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Owned<'a> {
    /// The values, and the addresses of those in memory.
    pub(in crate::transform) arguments: &'a [Value],
    /// Whether those in memory are among them.
    pub(in crate::transform) memory: ArgumentMemory,
}

/// Whether arguments in memory matter, which `destroy_addr` ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum ArgumentMemory {
    /// What is destroyed in memory may be anything.
    Ignored,
    /// What is destroyed in memory is looked at for itself.
    Considered,
}

/// The last releases of the arguments that a function owns.
pub(in crate::transform) struct EpilogueReleases {
    exit: Option<BlockId>,
    found: FxHashMap<Value, Found>,
}

struct Found {
    releases: Vec<InstructionId>,
    coverage: Coverage,
}

/// What of an argument is released.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coverage {
    Parts,
    All,
}

impl EpilogueReleases {
    /// Finds them.
    pub(in crate::transform) fn find(view: &BodyView<'_>, owned: Owned<'_>, exit: Exit) -> Self {
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

    /// Whether the function is left in this way.
    pub(in crate::transform) fn has_exit(&self) -> bool {
        self.exit.is_some()
    }

    /// The releases of an argument that release all of it together; none where some part is not released.
    pub(in crate::transform) fn complete(&self, argument: Value) -> &[InstructionId] {
        match self.found.get(&argument) {
            Some(Found { releases, coverage: Coverage::All }) => releases,
            _ => &[],
        }
    }

    /// The releases of an argument that some part of is not released; none where all is.
    pub(in crate::transform) fn partial(&self, argument: Value) -> &[InstructionId] {
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
            // What is not known to be released may be any argument: nothing before counts.
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

    /// Adds the destructions of arguments in memory, which stand in no other block but that of the other exit.
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

/// What a value was taken out of.
fn without_projections(view: &BodyView<'_>, value: Value) -> Value {
    let mut value = value;
    while let Some(id) = view.body.defining(value)
        && matches!(view.opcode(id), Opcode::StructExtract | Opcode::TupleExtract)
    {
        value = view.body.operands(id)[0];
    }
    value
}

/// The way from `base` to a part of it; none where the value is no such part.
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

/// Whether one path leads to a part of what the other leads to.
fn overlap(one: &[Step], other: &[Step]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Whether a release is of something that is released later, or may be.
fn is_released_already(view: &BodyView<'_>, argument: Value, later: &[InstructionId], released: Value) -> bool {
    let Some(new) = path(view, argument, released) else { return true };
    later.iter().any(|release| {
        let known = path(view, argument, Unary::of(view.body, *release).operand);
        known.is_none_or(|known| overlap(&known, &new))
    })
}

/// Whether releases are of all that an argument is made of.
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

/// Whether each part of a value of type `ty` at `at` that is counted is on one of `paths`.
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

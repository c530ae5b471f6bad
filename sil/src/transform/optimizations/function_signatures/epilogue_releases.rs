//! The releases of arguments with which a function ends (`ConsumedArgToEpilogueReleaseMatcher` in lib/SILOptimizer/Analysis/ARCAnalysis.cpp): in the
//! block that it returns or throws from, behind all else that may release something.

use rustc_hash::FxHashMap;

use super::{ArgumentPlan, Signature};
use crate::analysis::InstructionEffects;
use crate::context::{ParameterConvention, TypeId};
use crate::instructions::Opcode;
use crate::model::views::Unary;
use crate::model::{BlockId, Details, InstructionId, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::editing::reference_identity::identity_root;
use crate::transform::knowledge::aggregate_parts::parts;
use crate::transform::knowledge::elements::Step;
use crate::transform::pipeline::Environment;

/// How a function is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// With its result.
    Return,
    /// With an error.
    Throw,
}

impl Exit {
    fn of(self, editor: &Editor<'_>) -> Option<BlockId> {
        let body = editor.body();
        let leaves = |block: &BlockId| {
            let end = body.terminator(*block).map(|end| editor.opcode(end));
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

/// The last releases of the arguments that a function owns.
pub(super) struct EpilogueReleases {
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
    pub(super) fn find(signature: &Signature<'_>, exit: Exit) -> Self {
        let exit_block = exit.of(&signature.editor);
        let mut releases = Self { exit: exit_block, found: FxHashMap::default() };
        if let Some(block) = exit_block {
            releases.collect(signature, block);
            releases.collect_destructions(signature, block, exit.other().of(&signature.editor));
            for (argument, found) in &mut releases.found {
                if is_complete(&signature.editor, *argument, &found.releases) {
                    found.coverage = Coverage::All;
                }
            }
        }
        releases
    }

    /// Whether the function is left in this way.
    pub(super) fn has_exit(&self) -> bool {
        self.exit.is_some()
    }

    /// The releases of an argument that release all of it together; none where some part is not released.
    pub(super) fn complete(&self, argument: Value) -> &[InstructionId] {
        match self.found.get(&argument) {
            Some(Found { releases, coverage: Coverage::All }) => releases,
            _ => &[],
        }
    }

    /// The releases of an argument that some part of is not released; none where all is.
    pub(super) fn partial(&self, argument: Value) -> &[InstructionId] {
        match self.found.get(&argument) {
            Some(Found { releases, coverage: Coverage::Parts }) => releases,
            _ => &[],
        }
    }

    fn add(&mut self, argument: Value, release: InstructionId) {
        let found = self.found.entry(argument).or_insert(Found { releases: Vec::new(), coverage: Coverage::Parts });
        found.releases.push(release);
    }

    fn collect(&mut self, signature: &Signature<'_>, block: BlockId) {
        let editor = &signature.editor;
        let Environment { module, queries, function, .. } = editor.environment;
        let effects = InstructionEffects::new(module, queries);
        let instructions: Vec<InstructionId> = editor.body().instructions_in(block).collect();
        for id in instructions.into_iter().rev() {
            match editor.opcode(id) {
                Opcode::DestroyAddr => continue,
                Opcode::ReleaseValue | Opcode::StrongRelease => {}
                Opcode::DeallocRef | Opcode::DeallocPartialRef => break,
                _ if effects.may_release(editor.body(), function.signature, id) => break,
                _ => continue,
            }
            let released = Unary::of(editor.body(), id).operand;
            // What is not known to be released may be any argument: nothing before counts.
            let argument = without_projections(editor, identity_root(editor, released));
            let is_owned = |plan: &&ArgumentPlan| {
                plan.argument == argument
                    && matches!(plan.convention, ParameterConvention::Owned | ParameterConvention::In)
            };
            if signature.arguments.iter().find(is_owned).is_none() {
                break;
            }
            let before = self.partial(argument);
            if !before.is_empty() && is_released_already(editor, argument, before, released) {
                break;
            }
            self.add(argument, id);
        }
    }

    /// Adds the destructions of arguments in memory, which stand in no other block but that of the other exit.
    fn collect_destructions(&mut self, signature: &Signature<'_>, block: BlockId, other: Option<BlockId>) {
        let editor = &signature.editor;
        for plan in signature.arguments.iter().filter(|plan| plan.convention == ParameterConvention::In) {
            let destructions: Vec<InstructionId> = editor
                .uses(plan.argument)
                .into_iter()
                .map(|found| found.user)
                .filter(|user| editor.opcode(*user) == Opcode::DestroyAddr)
                .filter(|user| Some(editor.body().instructions[*user].block) != other)
                .collect();
            let is_here = |user: &InstructionId| editor.body().instructions[*user].block == block;
            if destructions.iter().all(is_here) {
                destructions.into_iter().for_each(|user| self.add(plan.argument, user));
            } else {
                self.found.remove(&plan.argument);
            }
        }
    }
}

/// What a value was taken out of.
fn without_projections(editor: &Editor<'_>, value: Value) -> Value {
    let mut value = value;
    while let Some(id) = editor.body().defining(value)
        && matches!(editor.opcode(id), Opcode::StructExtract | Opcode::TupleExtract)
    {
        value = editor.body().operands(id)[0];
    }
    value
}

/// The way from `base` to a part of it; none where the value is no such part.
fn path(editor: &Editor<'_>, base: Value, part: Value) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut value = part;
    while value != base {
        let id = editor.body().defining(value)?;
        steps.push(match (editor.opcode(id), &editor.body().instructions[id].details) {
            (Opcode::StructExtract, Details::Member(member)) => Step::Property(*member),
            (Opcode::TupleExtract, Details::Index(index)) => Step::Tuple(*index),
            _ => return None,
        });
        value = editor.body().operands(id)[0];
    }
    steps.reverse();
    Some(steps)
}

/// Whether one path leads to a part of what the other leads to.
fn overlap(one: &[Step], other: &[Step]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// Whether a release is of something that is released later, or may be.
fn is_released_already(editor: &Editor<'_>, argument: Value, later: &[InstructionId], released: Value) -> bool {
    let Some(new) = path(editor, argument, released) else { return true };
    later.iter().any(|release| {
        let known = path(editor, argument, Unary::of(editor.body(), *release).operand);
        known.is_none_or(|known| overlap(&known, &new))
    })
}

/// Whether releases are of all that an argument is made of.
fn is_complete(editor: &Editor<'_>, argument: Value, releases: &[InstructionId]) -> bool {
    let released: Vec<Value> = releases.iter().map(|release| Unary::of(editor.body(), *release).operand).collect();
    if let [only] = released[..]
        && identity_root(editor, only) == argument
    {
        return true;
    }
    let paths: Option<Vec<Vec<Step>>> = released.iter().map(|released| path(editor, argument, *released)).collect();
    paths.is_some_and(|paths| covers(editor.environment, editor.body().ty(argument).ty, &mut Vec::new(), &paths))
}

/// Whether each part of a value of type `ty` at `at` that is counted is on one of `paths`.
fn covers(environment: Environment<'_>, ty: TypeId, at: &mut Vec<Step>, paths: &[Vec<Step>]) -> bool {
    if environment.queries.properties(ty, environment.function.signature).is_trivial()
        || paths.iter().any(|path| at.starts_with(path))
    {
        return true;
    }
    let parts = parts(environment.queries, ty).unwrap_or_default();
    !parts.is_empty()
        && parts.into_iter().all(|part| {
            at.push(part.step);
            let is_covered = covers(environment, part.ty, at, paths);
            at.pop();
            is_covered
        })
}

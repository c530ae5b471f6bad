//! Argument explosion: passes only the used parts of structs and tuples. The benefit is that unused parts need not live
//! during the call. Follows lib/SILOptimizer/FunctionSignatureTransforms/ArgumentExplosionTransform.cpp, and
//! `ProjectionTree` in lib/SIL/Utils/Projection.cpp.

use sil_analysis::Use;
use sil_ir::context::{ParameterConvention, SilType, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, InstructionId, Place, Value};
use sil_ir::types::TypeQueries;

use super::{Shape, Signature};
use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::knowledge::aggregate_parts::{AggregatePart, is_divided, parts};
use crate::knowledge::elements::Step;
use crate::knowledge::epilogue_releases::Exit;
use crate::pass::Environment;

/// The limit on passed parts if the function needs a thunk.
const MOST_PARTS: usize = 3;

/// The projection tree of an argument.
#[derive(Clone, Debug)]
pub(super) struct ArgumentTree {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    ty: SilType,
    /// The projection from the parent node, or `None` for the root.
    part: Option<AggregatePart>,
    /// The child nodes.
    parts: Vec<usize>,
    use_of_parts: PartsUse,
    use_of_whole: WholeUse,
    /// The uses of the value, without projections.
    users: Vec<Use>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PartsUse {
    /// The value has no projections.
    None,
    Divided,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WholeUse {
    Dead,
    Live,
}

const ROOT: usize = 0;

impl Node {
    fn new(ty: SilType, part: Option<AggregatePart>) -> Self {
        let parts = Vec::new();
        Self { ty, part, parts, use_of_parts: PartsUse::None, use_of_whole: WholeUse::Dead, users: Vec::new() }
    }
}

impl ArgumentTree {
    /// Builds the projection tree of `argument` in the current body.
    fn of(editor: &Editor<'_>, argument: Value) -> Self {
        let mut tree = Self { nodes: vec![Node::new(editor.body().ty(argument), None)] };
        let mut open = vec![(Some(argument), ROOT)];
        while let Some((value, node)) = open.pop() {
            if let Some(value) = value {
                tree.add_users(editor, value, node, &mut open);
            }
            if tree.is_live(node) {
                for part in tree.nodes[node].parts.clone() {
                    tree.nodes[part].use_of_whole = WholeUse::Live;
                    open.push((None, part));
                }
            }
        }
        tree
    }

    fn add_users(&mut self, editor: &Editor<'_>, value: Value, node: usize, open: &mut Vec<(Option<Value>, usize)>) {
        // Swift visits the last use first.
        for found in editor.uses_but_debug(value).into_iter().rev() {
            match self.part_taken(editor, node, found.user) {
                Some(part) => open.push((editor.body().result(found.user), part)),
                None => {
                    self.nodes[node].use_of_whole = WholeUse::Live;
                    self.nodes[node].users.push(found);
                }
            }
        }
    }

    /// The child of `node` that an instruction projects.
    fn part_taken(&mut self, editor: &Editor<'_>, node: usize, user: InstructionId) -> Option<usize> {
        let step = match (editor.opcode(user), &editor.body().instructions[user].details) {
            (Opcode::StructExtract, Details::Member(member)) => Step::Property(*member),
            (Opcode::TupleExtract, Details::Index(index)) => Step::Tuple(*index),
            _ => return None,
        };
        if self.nodes[node].use_of_parts == PartsUse::None {
            self.divide(editor.environment.queries, node);
        }
        let is_it = |part: &usize| self.nodes[*part].part.is_some_and(|part| part.step == step);
        self.nodes[node].parts.iter().copied().find(is_it)
    }

    fn divide(&mut self, queries: &TypeQueries<'_>, node: usize) {
        self.nodes[node].use_of_parts = PartsUse::Divided;
        for part in parts(queries, self.nodes[node].ty.ty).unwrap_or_default() {
            let number = self.nodes.len();
            self.nodes.push(Node::new(SilType::object(part.ty), Some(part)));
            self.nodes[node].parts.push(number);
        }
    }

    fn is_live(&self, node: usize) -> bool {
        self.nodes[node].use_of_whole == WholeUse::Live
    }

    /// Returns whether each node has at most one child, so that there is no choice of parts.
    fn is_single(&self) -> bool {
        let mut node = ROOT;
        loop {
            match self.nodes[node].parts[..] {
                [] => return true,
                [only] => node = only,
                _ => return false,
            }
        }
    }

    /// The leaves, first to last.
    fn leaves(&self) -> Vec<usize> {
        let mut leaves = Vec::new();
        let mut open = vec![ROOT];
        while let Some(node) = open.pop() {
            match &self.nodes[node].parts[..] {
                [] => leaves.push(node),
                parts => open.extend(parts.iter().rev()),
            }
        }
        leaves
    }

    fn live_leaves(&self) -> Vec<usize> {
        self.leaves().into_iter().filter(|leaf| self.is_live(*leaf)).collect()
    }

    /// The types of the passed parts.
    pub(super) fn passed(&self) -> Vec<TypeId> {
        self.live_leaves().into_iter().map(|leaf| self.nodes[leaf].ty.ty).collect()
    }

    /// Extracts the passed parts from `argument`.
    pub(super) fn take_apart(&self, builder: &mut InstructionBuilder<'_>, argument: Value) -> Vec<Value> {
        let mut passed = Vec::new();
        let mut open = vec![(ROOT, argument)];
        while let Some((node, value)) = open.pop() {
            let Node { parts, .. } = &self.nodes[node];
            if parts.is_empty() && self.is_live(node) {
                passed.push(value);
            }
            for part in parts.iter().rev() {
                let Node { part: Some(taken), .. } = &self.nodes[*part] else { continue };
                open.push((*part, taken.extract(builder, value)));
            }
        }
        passed
    }

    /// Replaces the projections of `argument` with the passed parts, and the argument with an aggregate of them, at the
    /// start of the body. Parts that are not passed are `undef`, since they have only debug uses.
    pub(super) fn put_together(&self, body: &mut Body, like: InstructionId, argument: Value, passed: &[Value]) {
        let mut values: Vec<Option<Value>> = vec![None; self.nodes.len()];
        for (leaf, value) in self.live_leaves().into_iter().zip(passed) {
            values[leaf] = Some(*value);
        }
        let mut place = Place::Start(body.entry());
        // Children have higher indices than their parents.
        for node in (0..self.nodes.len()).rev() {
            let value = match (&self.nodes[node].parts[..], values[node]) {
                (_, Some(value)) => value,
                ([], None) => body.undef(self.nodes[node].ty),
                (parts, None) => {
                    let operands: Vec<Value> = parts.iter().filter_map(|part| values[*part]).collect();
                    let ty = self.nodes[node].ty;
                    let mut builder = InstructionBuilder::new(body, place, like);
                    let made = match self.nodes[parts[0]].part.map(|part| part.step) {
                        Some(Step::Tuple(_)) => builder.tuple(&operands, ty),
                        _ => builder.structure(&operands, ty),
                    };
                    place = body.defining(made).map_or(place, Place::After);
                    made
                }
            };
            values[node] = Some(value);
            for found in &self.nodes[node].users {
                body.operands_mut(found.user)[found.operand as usize] = value;
            }
        }
        if let Some(whole) = values[ROOT] {
            body.replace_operands(|value| if value == argument { whole } else { value });
        }
    }
}

/// The way in which unknown callers call the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Callees {
    /// Through a thunk.
    ThroughThunk,
    /// All callers call the new function directly.
    Direct,
}

impl Signature<'_> {
    /// Decides for each argument whether only parts of it are passed. Returns whether any is exploded.
    pub(super) fn explode(&mut self, callees: Callees) -> bool {
        let environment = self.environment();
        let releases = self.epilogue_releases(Exit::Return);
        let mut is_changed = false;
        for index in 0..self.arguments.len() {
            let plan = &self.arguments[index];
            let is_fixed = !matches!(plan.shape, Shape::Whole)
                || plan.ty.is_address()
                || environment.queries.is_dependent(plan.ty.ty);
            if is_fixed {
                continue;
            }
            let tree = ArgumentTree::of(&self.editor, plan.argument);
            let released = match plan.convention {
                ParameterConvention::Owned => releases.partial(plan.argument),
                _ => &[],
            };
            if is_worth_it(environment, &tree, released, callees) {
                self.arguments[index].shape = Shape::Exploded(tree);
                is_changed = true;
            }
        }
        is_changed
    }
}

/// Returns whether few parts are passed and a nontrivial part is not passed. `released` contains the epilogue releases.
fn is_worth_it(
    environment: Environment<'_>,
    tree: &ArgumentTree,
    released: &[InstructionId],
    callees: Callees,
) -> bool {
    if tree.is_single() || !is_divided(environment, tree.nodes[ROOT].ty) {
        return false;
    }
    let is_counted = |leaf: &&usize| {
        let ty = tree.nodes[**leaf].ty.ty;
        !environment.queries.properties(ty, environment.function.signature).is_trivial()
    };
    let leaves = tree.leaves();
    let live = tree.live_leaves();
    let counted = leaves.iter().filter(is_counted).count();
    let live_counted = live.iter().filter(is_counted).count();
    let is_fit = |live: usize, live_counted: usize| match callees {
        Callees::ThroughThunk => live > 0 && live <= MOST_PARTS && live_counted < counted,
        Callees::Direct => live > 0 && live < leaves.len(),
    };
    if live.is_empty() || is_fit(live.len(), live_counted) {
        return !live.is_empty();
    }
    // A part with only epilogue releases will become guaranteed and then dead.
    let is_only_released = |leaf: &&usize| tree.nodes[**leaf].users.iter().all(|found| released.contains(&found.user));
    let gone = if live_counted > 0 && !released.is_empty() { live.iter().filter(is_only_released).count() } else { 0 };
    is_fit(live.len() - gone, live_counted.saturating_sub(gone))
}

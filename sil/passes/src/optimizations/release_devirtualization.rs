//! Devirtualises the last release of a stack-allocated object to a call of its deallocator. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/ReleaseDevirtualizer.swift.
//!
//! Only stack-allocated objects are handled, since they have no associated objects that must be released too.

use rustc_hash::FxHashMap;
use sil_analysis::escape::{self, EscapePath, Follows, Start, Visit, Visitor};
use sil_analysis::walk::{self, Step};
use sil_analysis::{AnalyzedModule, BodyView, Projection, ProjectionPath, Use, value_roots};
use sil_ir::context::TypeId;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Unary;
use sil_ir::model::{Body, InstructionId, Place, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::editing::deinitializer_calls::Deinitializer;
use crate::knowledge::aggregate_parts::{AggregatePart, has_deinit, parts};
use crate::pass::{
    Analyzed, Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner, change_one_by_one,
    over_analyzed,
};

pub(crate) const RELEASE_DEVIRTUALIZATION: Pass = Pass::new(&Description {
    name: "release-devirtualizer",
    class_name: "ReleaseDevirtualizer",
    summary: "Replaces final releases of objects on the stack by calls of their deallocators.",
    gates: Gates::OPEN,
    runner: Runner::Module(devirtualize),
});

/// Devirtualises the last releases of all functions.
pub(crate) fn devirtualize(environment: ModuleEnvironment<'_>) -> Rewrites {
    over_analyzed(environment, in_function)
}

fn in_function(environment: Environment<'_>, analyzed: &AnalyzedModule<'_>) -> Option<Rewrite> {
    change_one_by_one(environment, analyzed, deallocations, |now, id| {
        let object = Unary::of(now.view.body, id).operand;
        let search = Search { analyzed, now, object };
        let release = search.last_release(id)?;
        search.devirtualized(release)
    })
}

fn deallocations(body: &Body) -> Vec<InstructionId> {
    let is_end = |id: &InstructionId| body.instructions[*id].opcode == Opcode::DeallocStackRef;
    body.placed_instructions().filter(is_end).collect()
}

/// A release, and the projection path of the object in the released value.
struct Release {
    id: InstructionId,
    path: ProjectionPath,
}

/// The search for the last release of an object.
struct Search<'a, 'v, 'm> {
    analyzed: &'a AnalyzedModule<'a>,
    now: &'a Analyzed<'v, 'm>,
    object: Value,
}

impl<'v, 'm> Search<'_, 'v, 'm> {
    fn view(&self) -> &'v BodyView<'m> {
        self.now.view
    }

    /// The last release before the deallocation of the object in the same block. `None` if another instruction may be
    /// the last release.
    fn last_release(&self, deallocation: InstructionId) -> Option<Release> {
        let view = self.view();
        let effects = self.analyzed.instruction_effects();
        for id in std::iter::successors(view.body.previous(deallocation), |id| view.body.previous(*id)) {
            let releases_one = match view.opcode(id) {
                Opcode::StrongRelease => true,
                Opcode::ReleaseValue => self.is_one_reference(view.body.ty(Unary::of(view.body, id).operand).ty),
                Opcode::BeginDeallocRef | Opcode::DeallocRef if self.escapes_to(id) => return None,
                _ => false,
            };
            if releases_one && let Some(path) = self.path_to(id) {
                return Some(Release { id, path });
            }
            if effects.may_release(view.body, view.function.signature, id) && self.escapes_to(id) {
                return None;
            }
        }
        None
    }

    /// Returns whether the destruction of a value of type `ty` only releases a single reference.
    fn is_one_reference(&self, ty: TypeId) -> bool {
        let view = self.view();
        if has_deinit(self.now.environment, ty) {
            return false;
        }
        if view.queries.is_class(ty) {
            return true;
        }
        let is_trivial = |ty: TypeId| view.queries.properties(ty, view.function.signature).is_trivial();
        let counted: Vec<AggregatePart> =
            parts(view.queries, ty).unwrap_or_default().into_iter().filter(|part| !is_trivial(part.ty)).collect();
        matches!(counted[..], [only] if self.is_one_reference(only.ty))
    }

    /// The projection path of the object in the value that `release` releases, if the value is forwarded from the
    /// object only.
    fn path_to(&self, release: InstructionId) -> Option<ProjectionPath> {
        let view = self.view();
        let mut seen: FxHashMap<Value, ProjectionPath> = FxHashMap::default();
        let mut open = vec![(self.object, ProjectionPath::EMPTY)];
        let mut found: Option<ProjectionPath> = None;
        while let Some((value, path)) = open.pop() {
            let merged = seen.get(&value).map_or(path, |before| before.merge(path));
            if seen.insert(value, merged) == Some(merged) {
                continue;
            }
            for next in view.uses.of(value).iter().copied() {
                if next.user == release {
                    found = Some(found.map_or(merged, |before| before.merge(merged)));
                    continue;
                }
                match walk::value_down(view, next, merged) {
                    Step::To(value, path) => open.push((value, path)),
                    Step::ToEach(values) => open.extend(values),
                    Step::Unmatched | Step::End => {}
                }
            }
        }
        found
    }

    fn escapes_to(&self, id: InstructionId) -> bool {
        let from = (self.object, ProjectionPath::EMPTY);
        escape::walk(self.analyzed, self.view(), &mut ToInstruction(id), from, Start::Up).is_err()
    }

    /// Returns the body with a call of the deallocator. `None` if it is not known, or if the release may release other
    /// objects.
    fn devirtualized(&self, release: Release) -> Option<Body> {
        let view = self.view();
        let released = Unary::of(view.body, release.id).operand;
        let roots = value_roots(view, released, release.path);
        let is_object = |(root, path): &(Value, ProjectionPath)| *root == self.object && path.is_empty();
        if !roots.iter().all(is_object) {
            return None;
        }
        let class = view.body.ty(self.object);
        let callees = self.analyzed.callees().deallocators(class.ty, Some(class.ty));
        let &[deallocator] = callees.all()? else { return None };
        let steps = projections(view.queries, view.body.ty(released).ty, release.path)?;
        let mut body = view.body.clone();
        let mut builder = InstructionBuilder::new(&mut body, Place::Before(release.id), release.id);
        let mut object = released;
        for part in steps {
            object = part.extract(&mut builder, object);
        }
        if builder.ty(object) != class {
            object = builder.unchecked_ref_cast(object, class);
        }
        let begun = builder.begin_dealloc_ref(object, self.object);
        let known = (view.module, view.queries);
        Deinitializer::refer(known, &mut builder, deallocator, class)?.call(&mut builder, begun);
        body.erase(release.id);
        Some(body)
    }
}

/// The struct and tuple projections of a path, or `None` if it contains others.
fn projections(queries: &TypeQueries<'_>, ty: TypeId, path: ProjectionPath) -> Option<Vec<AggregatePart>> {
    let (mut ty, mut rest) = (ty, path);
    let mut steps = Vec::new();
    while let Some(step) = rest.first() {
        let (Projection::Struct(index) | Projection::Tuple(index)) = step else { return None };
        let part = *parts(queries, ty)?.get(index as usize)?;
        steps.push(part);
        ty = part.ty;
        rest = rest.rest();
    }
    Some(steps)
}

struct ToInstruction(InstructionId);

impl Visitor for ToInstruction {
    fn visit_use(&mut self, _: &BodyView<'_>, found: Use, _: EscapePath) -> Visit {
        if found.user == self.0 { Visit::Escape } else { Visit::Continue }
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}

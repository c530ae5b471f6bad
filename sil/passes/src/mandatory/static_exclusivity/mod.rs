//! Static exclusivity: overlapping accesses to one variable of which one must be exclusive
//! (lib/SILOptimizer/Mandatory/DiagnoseStaticExclusivity.cpp).
//!
//! Owns: the accesses in progress at each instruction, and their conflicts. `messages` has the diagnostics;
//! `analysis::access_summaries` owns accesses by closures. All paths to a block have the same accesses in progress, so
//! that any predecessor determines them.

mod messages;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::access_summaries::{AccessSummaries, CapturedAccess, Path, accessed_path, is_enforced};
use sil_analysis::captured_arguments::{BY_ADDRESS, CapturedArgument};
use sil_analysis::{AccessKind, AccessStorage, ApplyKind, ApplySite, BodyView, NestedAccess, Worklist};
use sil_ir::context::{FunctionAttribute, ParameterConvention, Representation, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, FunctionFlag, FunctionId, InstructionId, Value};
use sil_ir::parallel;
use sil_ir::types::TypeQueries;

use self::messages::Message;
use crate::pass::{Description, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const STATIC_EXCLUSIVITY: Pass = Pass::new(&Description {
    name: "diagnose-static-exclusivity",
    class_name: "DiagnoseStaticExclusivity",
    summary: "Diagnoses overlapping accesses to a variable.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Module(diagnose),
});

/// Reports the conflicting accesses of the program.
pub(crate) fn diagnose(environment: ModuleEnvironment<'_>) -> Rewrites {
    let ModuleEnvironment { module, queries, settings, .. } = environment;
    let may_overlap = |id: &FunctionId| {
        let body = module.functions[*id].body.as_ref();
        body.is_some_and(|body| accesses_may_overlap(queries, body))
    };
    let functions: Vec<FunctionId> = environment.functions().into_iter().filter(may_overlap).collect();
    if functions.is_empty() {
        return Rewrites::new();
    }
    let summaries = AccessSummaries::new(module, queries);
    let rewrite = |id: &FunctionId| {
        let function = &module.functions[*id];
        let body = function.body.as_ref()?;
        let view = &BodyView::new(module, queries, function, body);
        let mut checker = Checker {
            view,
            function: *id,
            summaries: &summaries,
            known: FxHashMap::default(),
            swaps: Vec::new(),
            conflicts: Vec::new(),
        };
        checker.run();
        let message = Message { module, view, swaps: &checker.swaps, names: settings.variable_names };
        let diagnostics = checker.conflicts.iter().map(|conflict| message.of(conflict)).collect();
        Some((*id, Ok(Rewrite::diagnostics_alone(function, body, diagnostics)?)))
    };
    parallel::map(&functions, rewrite).into_iter().flatten().collect()
}

/// Returns whether an access may begin during another one, in this function or in a closure.
fn accesses_may_overlap(queries: &TypeQueries<'_>, body: &Body) -> bool {
    let captures = body.placed_instructions().any(|id| may_capture(queries, body, id));
    body.blocks.keys().any(|block| {
        let mut in_progress = 0usize;
        for id in body.instructions_in(block) {
            match body.instructions[id].opcode {
                Opcode::BeginAccess if in_progress > 0 => return true,
                Opcode::BeginAccess => in_progress += 1,
                Opcode::EndAccess => in_progress = in_progress.saturating_sub(1),
                _ if captures && in_progress > 0 && ApplySite::new(body, id).is_some() => return true,
                _ => {}
            }
        }
        in_progress > 0
    })
}

fn may_capture(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> bool {
    let callee = ApplySite::new(body, id).and_then(ApplySite::callee);
    callee.is_some_and(|callee| match queries.get(body.ty(callee).ty) {
        Type::Function(function) => {
            function.parameters.iter().any(|parameter| parameter.convention == ParameterConvention::InOutAliasable)
        }
        _ => false,
    })
}

/// Two conflicting accesses, in the order in which they begin.
struct Conflict {
    storage: AccessStorage,
    first: CapturedAccess,
    second: CapturedAccess,
}

/// The accesses in progress to a part of a variable.
#[derive(Clone)]
struct Progress {
    path: Path,
    reads: usize,
    others: usize,
    first: CapturedAccess,
}

impl Progress {
    fn of(&mut self, kind: AccessKind) -> &mut usize {
        match kind {
            AccessKind::Read => &mut self.reads,
            AccessKind::Init | AccessKind::Modify | AccessKind::Deinit => &mut self.others,
        }
    }

    /// Returns whether a new access conflicts with these.
    fn excludes(&self, kind: AccessKind, path: &Path) -> bool {
        let is_exclusive = self.others > 0 || kind != AccessKind::Read;
        is_exclusive && (self.path.starts_with(path) || path.starts_with(&self.path))
    }
}

type InProgress = FxHashMap<AccessStorage, Vec<Progress>>;

struct Checker<'c, 'm> {
    view: &'c BodyView<'m>,
    function: FunctionId,
    summaries: &'c AccessSummaries,
    /// The access of each `begin_access`, with its storage.
    known: FxHashMap<InstructionId, (AccessStorage, CapturedAccess)>,
    /// Calls of the standard library's `swap`.
    swaps: Vec<InstructionId>,
    conflicts: Vec<Conflict>,
}

impl Checker<'_, '_> {
    fn run(&mut self) {
        let (cfg, body) = (&self.view.cfg, self.view.body);
        let mut after: SecondaryMap<BlockId, Option<InProgress>> = SecondaryMap::new();
        for block in cfg.reverse_post_order() {
            let before = cfg.predecessors(*block).iter().find_map(|predecessor| after[*predecessor].clone());
            let mut accesses = before.unwrap_or_default();
            for id in body.instructions_in(*block) {
                self.visit(id, &mut accesses);
            }
            after[*block] = Some(accesses);
        }
    }

    fn visit(&mut self, id: InstructionId, accesses: &mut InProgress) {
        let body = self.view.body;
        match body.instructions[id].opcode {
            Opcode::BeginAccess => self.begin(id, accesses),
            Opcode::EndAccess => self.end(id, accesses),
            _ => {
                let Some(site) = ApplySite::new(body, id).filter(|site| site.kind.is_full()) else { return };
                if self.is_swap(site) {
                    self.swaps.push(id);
                } else if !accesses.is_empty() {
                    self.check_call(site, accesses);
                }
            }
        }
    }

    fn begin(&mut self, id: InstructionId, accesses: &mut InProgress) {
        let view = self.view;
        let storage = self.view.operand(id, 0).and_then(|address| AccessStorage::of(view, address, NestedAccess::Stop));
        let Some(storage) = storage.filter(|_| is_enforced(view.body, id)) else { return };
        let kind = AccessKind::of(view.body, id);
        let path = accessed_path(view.queries, view.body, &view.uses, id);
        let access = CapturedAccess { kind, path, function: self.function, instruction: id };
        let known = accesses.entry(storage).or_default();
        if let Some(first) = conflicting(known, kind, &access.path) {
            self.conflicts.push(Conflict { storage, first: first.clone(), second: access.clone() });
        }
        let part = match known.iter().position(|progress| progress.path == access.path) {
            Some(part) => part,
            None => {
                known.push(Progress { path: access.path.clone(), reads: 0, others: 0, first: access.clone() });
                known.len() - 1
            }
        };
        if (known[part].reads, known[part].others) == (0, 0) {
            known[part].first = access.clone();
        }
        *known[part].of(kind) += 1;
        self.known.insert(id, (storage, access));
    }

    fn end(&mut self, id: InstructionId, accesses: &mut InProgress) {
        let begin = self.view.operand(id, 0).and_then(|access| self.view.body.defining(access));
        let Some((storage, access)) = begin.and_then(|begin| self.known.get(&begin)) else { return };
        let Some(known) = accesses.get_mut(storage) else { return };
        if let Some(progress) = known.iter_mut().find(|progress| progress.path == access.path) {
            let count = progress.of(access.kind);
            *count = count.saturating_sub(1);
        }
        if known.iter().all(|progress| (progress.reads, progress.others) == (0, 0)) {
            accesses.remove(storage);
        }
    }

    fn is_swap(&self, site: ApplySite<'_>) -> bool {
        let callee = site.called_function().filter(|_| site.kind == ApplyKind::Apply);
        callee.is_some_and(|name| self.view.queries.context.text(name) == SWAP)
    }

    /// Checks the accesses of a call by captures: of the called closure, of closure arguments, and of those that these
    /// capture.
    fn check_call(&mut self, call: ApplySite<'_>, accesses: &InProgress) {
        let mut seen = FxHashSet::default();
        let mut open = vec![call.instruction];
        while let Some(id) = open.pop() {
            let Some(site) = ApplySite::new(self.view.body, id).filter(|_| seen.insert(id)) else { continue };
            self.check_captures(site, accesses);
            let mut closures = Vec::new();
            for argument in site.arguments().iter().filter(|argument| self.is_noescape_function(**argument)) {
                self.find_closures(*argument, &mut closures);
            }
            if let Some(callee) = site.callee() {
                self.find_closures(callee, &mut closures);
            }
            open.extend(closures.into_iter().rev());
        }
    }

    fn is_noescape_function(&self, value: Value) -> bool {
        let queries = self.view.queries;
        let ty = self.view.body.ty(value).ty;
        match queries.get(queries.optional_object(ty).unwrap_or(ty)) {
            Type::Function(function) => function.attributes.contains(FunctionAttribute::NoEscape),
            _ => false,
        }
    }

    fn check_captures(&mut self, site: ApplySite<'_>, accesses: &InProgress) {
        let view = self.view;
        let Some(conventions) = site.conventions(view.queries) else { return };
        let numbering = site.numbering(conventions);
        let callee = site.called_function().filter(|name| {
            view.module.function_named(*name).is_some_and(|id| view.module.functions[id].body.is_some())
        });
        for (operand, value) in (1..).zip(site.arguments()) {
            let is_captured =
                || site.argument_of_operand(conventions, operand).map(|found| found.convention) == Some(BY_ADDRESS);
            let Some(argument) = numbering.sil_argument_of_operand(operand) else { continue };
            let unknown;
            let begun = match callee {
                Some(function) => self.summaries.of(CapturedArgument { function, argument }),
                None if is_captured() => {
                    let (kind, path) = (AccessKind::Modify, Path::new());
                    unknown = [CapturedAccess { kind, path, function: self.function, instruction: site.instruction }];
                    &unknown
                }
                None => continue,
            };
            if begun.is_empty() {
                continue;
            }
            let Some(storage) = AccessStorage::of(view, *value, NestedAccess::Stop) else { continue };
            let Some(known) = accesses.get(&storage) else { continue };
            let conflicts =
                begun.iter().filter_map(|begun| Some((conflicting(known, begun.kind, &begun.path)?, begun)));
            // The access to the greatest part is the most informative.
            let greatest = conflicts.min_by(|(_, one), (_, other)| {
                let order =
                    |access: &CapturedAccess| (access.path.len(), access.path.iter().rev().copied().collect::<Path>());
                order(one).cmp(&order(other))
            });
            if let Some((first, second)) = greatest {
                self.conflicts.push(Conflict { storage, first: first.clone(), second: second.clone() });
            }
        }
    }

    /// Finds the `partial_apply`s that define a function value.
    fn find_closures(&self, function: Value, closures: &mut Vec<InstructionId>) {
        use Opcode::*;
        let view = self.view;
        let mut open = Worklist::new([function]);
        while let Some(value) = open.pop() {
            let Some((id, opcode)) = view.definition(value) else {
                open.extend(view.incoming_values(value).unwrap_or_default());
                continue;
            };
            match opcode {
                CopyValue
                | CopyBlock
                | CopyBlockWithoutEscaping
                | BeginBorrow
                | MarkDependence
                | MoveValue
                | ConvertFunction
                | ConvertEscapeToNoescape
                | ThinToThickFunction
                | UncheckedRefCast
                | Upcast
                | UncheckedBitwiseCast
                | UncheckedTrivialBitCast
                | UncheckedValueCast
                | Enum => {
                    open.extend(view.operand(id, 0));
                }
                DifferentiableFunction => open.extend(view.body.operands(id)),
                InitBlockStorageHeader => open.extend(self.stored_in_block(id)),
                PartialApply => match self.reabstracted(id) {
                    Some(closure) => open.push(closure),
                    None => closures.push(id),
                },
                _ => {}
            }
        }
    }

    /// Returns the closure that a block calls.
    fn stored_in_block(&self, header: InstructionId) -> Option<Value> {
        let view = self.view;
        let storage = view.operand(header, 0)?;
        let projections =
            view.uses.of(storage).iter().filter(|found| view.opcode(found.user) == Opcode::ProjectBlockStorage);
        let addresses = projections.filter_map(|found| view.body.result(found.user));
        let mut stores = addresses.flat_map(|address| view.uses.of(address));
        let store = stores.find(|found| view.opcode(found.user) == Opcode::Store && found.operand == 1)?;
        view.operand(store.user, 0)
    }

    /// Returns the function that a reabstraction thunk calls.
    fn reabstracted(&self, closure: InstructionId) -> Option<Value> {
        let view = self.view;
        let site = ApplySite::new(view.body, closure)?;
        let [argument] = site.arguments() else { return None };
        let Type::Function(function) = view.queries.get(view.body.ty(*argument).ty) else { return None };
        let thunk = view.module.function_named(site.called_function()?)?;
        let is_thunk = view.module.functions[thunk].has(FunctionFlag::ReabstractionThunk);
        (is_thunk && matches!(function.representation, Representation::Thick | Representation::Block))
            .then_some(*argument)
    }
}

/// Returns the first access in progress that conflicts with a new one. `None` if there is an earlier conflict.
fn conflicting<'p>(known: &'p [Progress], kind: AccessKind, path: &Path) -> Option<&'p CapturedAccess> {
    if known.iter().any(|progress| progress.others > 0 && progress.reads + progress.others > 1) {
        return None;
    }
    let is_open = |progress: &&Progress| progress.reads + progress.others > 0;
    known.iter().filter(is_open).find(|progress| progress.excludes(kind, path)).map(|progress| &progress.first)
}

/// `swap(_:_:)` of the standard library.
const SWAP: &str = "$ss4swapyyxz_xztlF";

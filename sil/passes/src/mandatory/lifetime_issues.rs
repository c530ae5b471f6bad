//! Weak references that become nil at once: a new object that is stored to a weak reference and not used afterwards may
//! be released, although the scope of its variable continues (lib/SILOptimizer/Mandatory/DiagnoseLifetimeIssues.cpp).
//!
//! Only objects without other owners are reported: an escaping object may live on.

use rustc_hash::FxHashMap;
use sil_analysis::{ApplySite, BodyView, LiveUse, OperandOwnership, PrunedLiveness, Use, ValueDependence, Worklist};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Opcode, Position};
use sil_ir::model::{FunctionId, InstructionId, Ownership, Value};
use sil_ir::symbols::Symbol;

use crate::messages::findings::warning_at;
use crate::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const LIFETIME_ISSUES: Pass = Pass::new(&Description {
    name: "diagnose-lifetime-issues",
    class_name: "DiagnoseLifetimeIssues",
    summary: "Warns of weak references to objects that are released at once.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// The greatest depth of followed calls.
const DEEPEST_CALL: usize = 8;

/// The fate of a reference by its uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It does not escape.
    NotKept,
    /// It may escape.
    MayEscape,
    /// It is stored to a weak reference, and does not escape.
    StoredWeakly,
}

/// Warns of the weak references of a function.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module: _, queries: _, function, body, .. } = environment;
    let is_made = |id: &InstructionId| makes_object(environment, *id);
    let made: Vec<InstructionId> = body.placed_instructions().filter(is_made).collect();
    if made.is_empty() {
        return Ok(None);
    }
    let view = environment.view();
    let dependence = ValueDependence::new(&view);
    let references = References { view: &view, dependence: &dependence };
    let mut search = Search { environment, parameters: FxHashMap::default() };
    let mut diagnostics = Vec::new();
    for object in made.into_iter().filter_map(|id| body.result(id)) {
        let mut life = Life { liveness: PrunedLiveness::of(body, &view.cfg, object), weak_stores: Vec::new() };
        if view.ownership(object) != Ownership::Owned
            || search.fate(references, object, Some(&mut life), 0) == Fate::MayEscape
        {
            continue;
        }
        for store in life.weak_stores.iter().filter(|store| !life.liveness.is_within(**store)) {
            let message = "weak reference will always be nil because the referenced object is deallocated here";
            diagnostics.push(warning_at(body, *store, "dead-weak-store", message));
        }
    }
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// Returns whether an instruction makes an object: an allocation, or a call of an allocating initialiser.
fn makes_object(environment: Environment<'_>, id: InstructionId) -> bool {
    let body = environment.body;
    match body.instructions[id].opcode {
        Opcode::AllocRef => true,
        Opcode::Apply => {
            let callee = ApplySite::new(body, id).and_then(ApplySite::called_function);
            let symbol = callee.and_then(|name| Symbol::demangle(environment.module.context.text(name)));
            symbol.is_some_and(|symbol| symbol.is_allocator())
        }
        _ => false,
    }
}

/// The references of one function.
#[derive(Clone, Copy)]
struct References<'v, 'm> {
    view: &'v BodyView<'m>,
    dependence: &'v ValueDependence<'v, 'm>,
}

/// The liveness of an object, and its weak stores.
struct Life<'v> {
    liveness: PrunedLiveness<'v>,
    weak_stores: Vec<InstructionId>,
}

impl Life<'_> {
    fn use_at(&mut self, user: InstructionId) {
        self.liveness.add(user, LiveUse::NonEnding);
    }
}

struct Search<'m> {
    environment: Environment<'m>,
    /// The fates of arguments, by function and index.
    parameters: FxHashMap<(FunctionId, usize), Fate>,
}

impl<'m> Search<'m> {
    /// Returns the fate of `reference` and the values forwarded from it, and records its `life` if requested.
    fn fate<'v>(
        &mut self,
        references: References<'v, 'm>,
        reference: Value,
        mut life: Option<&mut Life<'v>>,
        depth: usize,
    ) -> Fate {
        let References { view, .. } = references;
        let mut open = Worklist::new([reference]);
        let mut fate = Fate::NotKept;
        while let Some(value) = open.pop() {
            for found in view.uses.of(value) {
                let next = match view.opcode(found.user) {
                    Opcode::CopyValue => view.body.results(found.user).collect(),
                    Opcode::StoreWeak => {
                        fate = Fate::StoredWeakly;
                        life.iter_mut().for_each(|life| life.weak_stores.push(found.user));
                        continue;
                    }
                    _ if ApplySite::new(view.body, found.user).is_some() => {
                        match self.fate_of_argument(references, *found, depth) {
                            Fate::MayEscape => return Fate::MayEscape,
                            Fate::NotKept => life.iter_mut().for_each(|life| life.use_at(found.user)),
                            Fate::StoredWeakly => {
                                fate = Fate::StoredWeakly;
                                life.iter_mut().for_each(|life| life.weak_stores.push(found.user));
                            }
                        }
                        continue;
                    }
                    _ => match references.kept_by(*found, life.as_deref_mut()) {
                        Some(next) => next,
                        None => return Fate::MayEscape,
                    },
                };
                open.extend(next);
            }
        }
        fate
    }

    /// Returns the fate of a call's argument in the callee.
    fn fate_of_argument(&mut self, references: References<'_, 'm>, found: Use, depth: usize) -> Fate {
        let Environment { module, queries, .. } = self.environment;
        let called = || {
            let site = ApplySite::new(references.view.body, found.user).filter(|site| site.kind.is_full())?;
            let id = module.function_named(site.called_function()?)?;
            let body = module.functions[id].body.as_ref()?;
            let number = site.numbering(site.conventions(queries)?).sil_argument_of_operand(found.operand as usize)?;
            Some((id, body, number, *body.blocks.get(body.entry())?.arguments.get(number)?))
        };
        let Some((id, body, number, argument)) = called().filter(|_| depth < DEEPEST_CALL) else {
            return Fate::MayEscape;
        };
        if let Some(known) = self.parameters.get(&(id, number)) {
            return *known;
        }
        // A recursive function is not followed again.
        self.parameters.insert((id, number), Fate::MayEscape);
        let view = BodyView::new(module, queries, &module.functions[id], body);
        let dependence = ValueDependence::new(&view);
        let fate = self.fate(References { view: &view, dependence: &dependence }, argument, None, depth + 1);
        self.parameters.insert((id, number), fate);
        fate
    }
}

impl References<'_, '_> {
    /// Returns the values that a use other than a call forwards; `None` if it may keep the reference.
    fn kept_by(self, found: Use, life: Option<&mut Life<'_>>) -> Option<Vec<Value>> {
        let Self { view, dependence } = self;
        let opcode = view.opcode(found.user);
        match dependence.ownership_kinds().operand(found) {
            OperandOwnership::Mention | OperandOwnership::Trivial | OperandOwnership::EndBorrow => Some(Vec::new()),
            OperandOwnership::Instantaneous | OperandOwnership::InstantaneousOrUnowned => {
                life.into_iter().for_each(|life| life.use_at(found.user));
                Some(Vec::new())
            }
            OperandOwnership::ForwardBorrowed | OperandOwnership::ForwardOwned => {
                let is_terminator = opcode.information().position == Position::Terminator;
                let results = view.body.results(found.user);
                let kept = results.filter(|result| view.ownership(*result) != Ownership::None);
                (!is_terminator).then(|| kept.collect())
            }
            OperandOwnership::Consume => (opcode == Opcode::DestroyValue).then(Vec::new),
            OperandOwnership::Borrow if opcode == Opcode::BeginBorrow => self.borrowed(found.user, life),
            // A property's address does not keep the object.
            OperandOwnership::InteriorPointer => (opcode == Opcode::RefElementAddr).then(Vec::new),
            OperandOwnership::Borrow
            | OperandOwnership::ForwardUnowned
            | OperandOwnership::Escape
            | OperandOwnership::Reborrow => None,
        }
    }

    /// Returns the borrow, which needs the object until its end; `None` for a reborrow.
    fn borrowed(self, borrow: InstructionId, life: Option<&mut Life<'_>>) -> Option<Vec<Value>> {
        let kinds = self.dependence.ownership_kinds();
        let borrowed = self.view.body.result(borrow)?;
        let ends = || self.view.uses.of(borrowed).iter().filter(|found| kinds.operand(**found).ends_lifetime());
        if ends().any(|found| kinds.operand(*found) == OperandOwnership::Reborrow) {
            return None;
        }
        life.into_iter().for_each(|life| ends().for_each(|found| life.use_at(found.user)));
        Some(vec![borrowed])
    }
}

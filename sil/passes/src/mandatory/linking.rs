//! Mandatory linking: links the bodies of called transparent functions from libraries, transitively, and the witness
//! tables of concrete types whose methods they look up (lib/SILOptimizer/IPO/MandatorySILLinker of Swift, as far as
//! diagnostics need it).

use rustc_hash::FxHashSet;
use sil_ir::context::{Name, SubstitutionMapId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{FunctionRef, WitnessMethod};
use sil_ir::model::{Body, Details, FunctionFlag, FunctionId, InstructionId, Linkage, Module};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::{Libraries, Wanted};

use crate::knowledge::witnesses::{Witness, WitnessIndex};
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const MANDATORY_LINKING: Pass = Pass::new(&Description {
    name: "mandatory-linker",
    class_name: "MandatorySILLinker",
    summary: "Links the bodies of `[transparent]` functions that are called.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, libraries, _| link(module, libraries)),
});

/// A function with the substitutions for its generic parameters.
type Instance = (FunctionId, SubstitutionMapId);

/// The kind of callees that are linked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Transparent functions.
    Transparent,
    /// All functions.
    All,
}

/// The greatest number of followed instances when all functions are linked: generic functions may call themselves with
/// ever new arguments.
const MOST_INSTANCES: usize = 20_000;

/// Links transparent functions, in rounds.
pub(crate) fn link(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    let functions = module.functions.keys().collect();
    link_called(module, libraries, functions, Reach::Transparent)
}

/// Links all functions called by `functions`, in rounds.
pub(crate) fn link_all_called(
    module: &mut Module,
    libraries: &Libraries<'_>,
    functions: Vec<FunctionId>,
) -> Vec<Diagnostic> {
    link_called(module, libraries, functions, Reach::All)
}

fn link_called(
    module: &mut Module,
    libraries: &Libraries<'_>,
    functions: Vec<FunctionId>,
    reach: Reach,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut requested = Wanted::default();
    let mut open: Vec<Instance> = functions.into_iter().map(|id| (id, SubstitutionMapId::EMPTY)).collect();
    let mut seen: FxHashSet<Instance> = open.iter().copied().collect();
    loop {
        let wanted = Round::new(module, &requested, reach).run(&mut open, &mut seen);
        if wanted.is_empty() || reach == Reach::All && seen.len() > MOST_INSTANCES {
            return diagnostics;
        }
        diagnostics.extend(libraries.link(module, &wanted));
        requested.functions.extend(wanted.functions);
        requested.witness_tables.extend(wanted.witness_tables);
    }
}

/// Links the bodies of referenced functions without code in a library (lib/SIL/IR/Linker.cpp), in rounds, as those
/// reference more.
pub(crate) fn link_referred(module: &mut Module, libraries: &Libraries<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut requested: FxHashSet<Name> = FxHashSet::default();
    loop {
        let functions: FxHashSet<Name> = missing_bodies(module).filter(|name| requested.insert(*name)).collect();
        if functions.is_empty() {
            return diagnostics;
        }
        diagnostics.extend(libraries.link(module, &Wanted { functions, ..Wanted::default() }));
    }
}

fn missing_bodies(module: &Module) -> impl Iterator<Item = Name> {
    let is_missing = |name: &Name| {
        let function = module.function_named(*name).map(|id| &module.functions[id]);
        function.is_some_and(|function| function.body.is_none() && function.linkage == Linkage::HiddenExternal)
    };
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    let referred = bodies.flat_map(|body| {
        let references = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::FunctionRef);
        references.map(|id| FunctionRef::of(body, id).function)
    });
    referred.filter(is_missing)
}

/// The state of a module in one round of linking.
struct Round<'m> {
    module: &'m Module,
    requested: &'m Wanted,
    reach: Reach,
    conformances: ConformanceTable<'m>,
    witnesses: WitnessIndex,
}

/// The callees of a function, and the entities that must be linked to find more.
#[derive(Default)]
struct Called {
    instances: Vec<Instance>,
    wanted: Wanted,
}

impl<'m> Round<'m> {
    fn new(module: &'m Module, requested: &'m Wanted, reach: Reach) -> Self {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        Self { module, requested, reach, conformances, witnesses: WitnessIndex::new(module) }
    }

    /// Follows the calls of the `open` instances. Instances that need linked entities first stay open.
    fn run(&self, open: &mut Vec<Instance>, seen: &mut FxHashSet<Instance>) -> Wanted {
        let queries = TypeQueries::of(self.module, &self.conformances);
        let (mut wanted, mut waiting) = (Wanted::default(), Vec::new());
        while let Some(instance) = open.pop() {
            if self.reach == Reach::All && seen.len() > MOST_INSTANCES {
                break;
            }
            let called = self.called(&queries, instance);
            if !called.wanted.is_empty() {
                waiting.push(instance);
            }
            wanted.functions.extend(called.wanted.functions);
            wanted.witness_tables.extend(called.wanted.witness_tables);
            open.extend(called.instances.into_iter().filter(|called| seen.insert(*called)));
        }
        *open = waiting;
        wanted
    }

    fn called(&self, queries: &TypeQueries<'_>, (function, substitutions): Instance) -> Called {
        let mut called = Called::default();
        let Some(body) = &self.module.functions[function].body else { return called };
        for id in body.placed_instructions() {
            match body.instructions[id].opcode {
                Opcode::FunctionRef => self.refer(FunctionRef::of(body, id).function, None, &mut called),
                Opcode::Apply => self.call(queries, body, id, substitutions, &mut called),
                _ => {}
            }
        }
        called
    }

    /// Collects the callee of a generic call or of a witness method.
    fn call(
        &self,
        queries: &TypeQueries<'_>,
        body: &Body,
        id: InstructionId,
        outer: SubstitutionMapId,
        called: &mut Called,
    ) {
        let Details::Apply(apply) = &body.instructions[id].details else { return };
        let Some(callee) = body.operands(id).first().and_then(|callee| body.defining(*callee)) else { return };
        if apply.substitutions == SubstitutionMapId::EMPTY {
            return;
        }
        let applied = queries.substitute_map(apply.substitutions, outer);
        match body.instructions[callee].opcode {
            Opcode::FunctionRef => self.refer(FunctionRef::of(body, callee).function, Some(applied), called),
            Opcode::WitnessMethod => {
                let method = WitnessMethod::of(body, callee).method;
                let Some(ty) = method.lookup.map(|ty| queries.substitute(ty, outer)) else { return };
                match self.witnesses.witness(self.module, queries, ty, method, applied) {
                    Witness::Function(name, substitutions) => self.refer(name, Some(substitutions), called),
                    Witness::Unknown(declaration, protocol) => {
                        if !self.requested.witness_tables.contains(&(declaration, protocol)) {
                            called.wanted.witness_tables.insert((declaration, protocol));
                        }
                    }
                    Witness::None => {}
                }
            }
            _ => {}
        }
    }

    /// Records a linked function, as an instance if it has a body and is called `with` known generic arguments or none.
    fn refer(&self, name: Name, with: Option<SubstitutionMapId>, called: &mut Called) {
        let Some(id) = self.module.function_named(name) else { return };
        let function = &self.module.functions[id];
        if self.reach == Reach::Transparent && !function.has(FunctionFlag::Transparent) {
            return;
        }
        match (&function.body, with) {
            (Some(_), with) => called.instances.push((id, with.unwrap_or(SubstitutionMapId::EMPTY))),
            (None, _) if !self.requested.functions.contains(&name) => {
                called.wanted.functions.insert(name);
            }
            (None, _) => {}
        }
    }
}

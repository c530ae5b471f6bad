//! Mandatory performance optimisations, at every optimisation level (SwiftCompilerSources,
//! `MandatoryPerformanceOptimizations`; lib/SILOptimizer/Mandatory/MandatoryInlining.cpp): inlines transparent
//! functions, folds literals, and links bodies without code in a library. In Embedded Swift, where all functions lack
//! such code, generic functions are specialised for the types of their calls, witness methods are devirtualised, and
//! classes get vtables for their generic arguments. `annotated` optimises annotated functions of ordinary Swift.
//!
//! The work is done in rounds: all functions that are known to be needed are rewritten in parallel, each with the
//! module as it was before the round. Then the bodies they need are linked from libraries, and functions are
//! specialised; the next round processes those. `rewriting` owns the work on one function, `constants` and `folding`
//! the known values in it, `requirements` the entities it needs; specialised functions are those of
//! `optimizations::generic_specialization`, `tables` owns vtables, `witness_tables` witness tables; `argument_casts`
//! casts an object to the class whose method it inherits.

pub(crate) mod annotated;
mod argument_casts;
mod constants;
mod deinits;
mod folding;
mod opaque_types;
mod overrides;
mod requirements;
mod rewriting;
mod tables;
mod witness_tables;

pub(crate) use deinits::eliminate_unused;
pub use deinits::specialized_symbol;

use rustc_hash::FxHashSet;
use sil_ir::context::{Name, NominalId, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, Function, FunctionFlag, FunctionId, LanguageMode, Linkage, Module};
use sil_ir::parallel;
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::{Libraries, Wanted};

use self::opaque_types::OpaqueTypes;
use self::requirements::{Requirements, required_by};
use self::rewriting::{Context, Progress, Rewriting, Work};
use crate::knowledge::aggregate_parts::TypePlace;
use crate::knowledge::witnesses::WitnessIndex;
use crate::optimizations::dead_functions::eliminate_lent;
use crate::optimizations::generic_specialization::Specialization;
use crate::pass::settings::Settings;
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const DEAD_FUNCTION_ELIMINATION: Pass = Pass::new(&Description {
    name: "sil-deadfuncelim",
    class_name: "DeadFunctionAndGlobalElimination",
    summary: "Removes dead functions, globals and tables.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| eliminate_unused(module, settings)),
});

pub(crate) const MANDATORY_PERFORMANCE: Pass = Pass::new(&Description {
    name: "mandatory-performance-optimizations",
    class_name: "MandatoryPerformanceOptimizations",
    summary: "Specialises all generic code of Embedded Swift; in ordinary Swift that of functions with performance annotations.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Program(optimize_embedded), Runner::Program(annotated::optimize)]),
});

pub(crate) const TRANSPARENT_COMPLETION: Pass = Pass::new(&Description {
    name: "transparent-completion",
    class_name: "TransparentCompletion",
    summary: "Inlines transparent functions with bodies from libraries, in ordinary Swift. A pass of silc alone.",
    gates: Gates::OPEN,
    runner: Runner::Program(complete),
});

/// Rewrites all functions of a module of Embedded Swift, and the functions they need.
pub(crate) fn optimize_embedded(
    module: &mut Module,
    libraries: &Libraries<'_>,
    settings: &Settings,
) -> Vec<Diagnostic> {
    match module.mode {
        LanguageMode::Embedded => optimize(module, libraries, settings),
        LanguageMode::Full => Vec::new(),
    }
}

/// Inlines transparent functions in a module of ordinary Swift, and links functions without code in a library.
pub(crate) fn complete(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Vec<Diagnostic> {
    match module.mode {
        LanguageMode::Full => optimize(module, libraries, settings),
        LanguageMode::Embedded => Vec::new(),
    }
}

/// Rewrites all functions of a module, and the functions they need.
fn optimize(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Vec<Diagnostic> {
    let own_tables = module.witness_tables.len();
    let mut opaque_types = OpaqueTypes::default();
    if module.mode == LanguageMode::Embedded {
        overrides::reabstract(module, settings);
        opaque_types = OpaqueTypes::of(module);
    }
    let (seen, diagnostics) = (Seen::default(), Vec::new());
    let mut driver = Driver { module, libraries, settings, seen, opaque_types, diagnostics };
    let mut works = driver.roots();
    while !works.is_empty() {
        works = driver.round(works);
    }
    let Driver { module, diagnostics, .. } = driver;
    match module.mode {
        LanguageMode::Full => {
            // These tables exist in their library, which contains the functions they name.
            module.witness_tables.truncate(own_tables);
            eliminate_lent(module);
        }
        LanguageMode::Embedded => module.witness_tables.retain(|table| !table.linkage.is_external()),
    }
    diagnostics
}

/// The entities requested before.
#[derive(Default)]
pub(crate) struct Seen {
    /// Functions with scheduled work.
    functions: FxHashSet<FunctionId>,
    /// The entities requested from libraries. A library that lacked one does not get it later.
    pub(crate) linked_functions: FxHashSet<Name>,
    pub(crate) linked_tables: FxHashSet<(NominalId, NominalId)>,
    linked_vtables: FxHashSet<NominalId>,
    classes: FxHashSet<TypeId>,
    conformances: FxHashSet<(TypeId, NominalId)>,
    noncopyable: FxHashSet<TypeId>,
}

struct Driver<'m, 'l> {
    module: &'m mut Module,
    libraries: &'l Libraries<'l>,
    settings: &'l Settings,
    seen: Seen,
    opaque_types: OpaqueTypes,
    diagnostics: Vec<Diagnostic>,
}

/// The result of a round for a function.
struct Outcome {
    id: FunctionId,
    body: Body,
    /// The work that remains after linking.
    rest: Progress,
    requirements: Requirements,
    specializations: Vec<Specialization>,
    diagnostics: Vec<Diagnostic>,
}

impl Driver<'_, '_> {
    /// Returns the module's own functions. A generic function has code for classes as arguments; others are
    /// specialised.
    fn roots(&mut self) -> Vec<Work> {
        let ids: Vec<FunctionId> = self.module.functions.keys().filter(|id| self.is_own(*id)).collect();
        ids.into_iter().filter_map(|id| self.work_on(id)).collect()
    }

    fn is_own(&self, id: FunctionId) -> bool {
        let function = &self.module.functions[id];
        function.body.is_some() && !function.linkage.is_external()
    }

    /// Returns the work on a function, if it was not scheduled before.
    fn work_on(&mut self, id: FunctionId) -> Option<Work> {
        let function = &self.module.functions[id];
        let is_needed = function.body.is_some() && (function.signature.is_none() || self.is_own(id));
        (is_needed && self.seen.functions.insert(id)).then_some(Work { function: id, progress: Progress::default() })
    }

    fn round(&mut self, works: Vec<Work>) -> Vec<Work> {
        let outcomes = self.rewrite(&works);
        let mut next = Vec::new();
        let mut requirements = Requirements::default();
        let mut specializations = Vec::new();
        for outcome in outcomes {
            self.module.functions[outcome.id].body = Some(outcome.body);
            requirements.merge(outcome.requirements);
            specializations.extend(outcome.specializations);
            self.diagnostics.extend(outcome.diagnostics);
            if outcome.rest.is_waiting() {
                next.push(Work { function: outcome.id, progress: outcome.rest });
            }
        }
        if self.module.mode == LanguageMode::Embedded {
            let tables = self.tables(&requirements);
            requirements.functions.extend(tables.functions);
            specializations.extend(tables.specializations);
            specializations.extend(self.deinits(&requirements));
        }
        requirements.wanted.functions.extend(specializations.iter().map(|made| made.from.callee));
        self.link(requirements.wanted);
        self.specialize(specializations, &mut requirements.functions);
        self.link_bodies(&requirements.functions);
        for name in requirements.functions {
            if let Some(id) = self.module.function_named(name) {
                next.extend(self.work_on(id));
            }
        }
        next
    }

    fn rewrite(&self, works: &[Work]) -> Vec<Outcome> {
        let module = &*self.module;
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let witnesses = &WitnessIndex::new(module);
        parallel::map(works, |work| {
            let context = Context { module, libraries: self.libraries, queries, witnesses, settings: self.settings };
            let mut rewriting = Rewriting::new(context, &self.seen, work);
            rewriting.run();
            let requirements =
                Requirements { wanted: std::mem::take(&mut rewriting.wanted), ..Requirements::default() };
            let specializations = std::mem::take(&mut rewriting.made);
            let diagnostics = std::mem::take(&mut rewriting.diagnostics);
            let (body, rest) = rewriting.finish();
            let mut outcome = Outcome { id: work.function, body, rest, requirements, specializations, diagnostics };
            if !outcome.rest.is_waiting() {
                required_by(queries, &outcome.body, &mut outcome.requirements);
            }
            outcome
        })
    }

    /// Links the entities that were not requested before.
    fn link(&mut self, mut wanted: Wanted) {
        wanted.functions.retain(|name| self.seen.linked_functions.insert(*name));
        wanted.witness_tables.retain(|table| self.seen.linked_tables.insert(*table));
        wanted.vtables.retain(|class| self.seen.linked_vtables.insert(*class));
        if !wanted.is_empty() {
            let found = self.libraries.link(self.module, &wanted);
            self.diagnostics.extend(found);
            if self.module.mode == LanguageMode::Embedded {
                self.opaque_types.replace_in_linked(self.module, wanted.functions.into_iter());
            }
        }
    }

    /// Links the bodies of called functions that are only declared.
    fn link_bodies(&mut self, functions: &[Name]) {
        let is_declared = |name: &Name| {
            let id = self.module.function_named(*name);
            id.is_none_or(|id| self.must_be_linked(&self.module.functions[id]))
        };
        let functions = functions.iter().copied().filter(is_declared).collect();
        self.link(Wanted { functions, ..Wanted::default() });
    }

    /// Returns whether a function has neither a body nor code in a library (lib/SIL/IR/Linker.cpp).
    fn must_be_linked(&self, function: &Function) -> bool {
        let has_no_code = match self.module.mode {
            LanguageMode::Embedded => true,
            LanguageMode::Full => matches!(function.linkage, Linkage::HiddenExternal | Linkage::Shared),
        };
        has_no_code && function.body.is_none()
    }

    /// Specialises functions. One whose original has no body stays a declaration.
    fn specialize(&mut self, specializations: Vec<Specialization>, functions: &mut Vec<Name>) {
        let mut wanted: Vec<Specialization> = Vec::new();
        let mut names = FxHashSet::default();
        for specialization in specializations {
            functions.push(specialization.name);
            let is_new = self.module.function_named(specialization.name).is_none();
            if is_new && names.insert(specialization.name) {
                wanted.push(specialization);
            }
        }
        let module = &*self.module;
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let made = parallel::map(&wanted, |specialization| specialization.function(module, queries));
        let made: Vec<FunctionId> =
            made.into_iter().flatten().map(|function| self.module.add_function(function)).collect();
        self.module.give_own_scopes(made);
    }

    /// Returns the functions that destroys of noncopyable values call.
    fn deinits(&mut self, requirements: &Requirements) -> Vec<Specialization> {
        let module = &*self.module;
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        deinits::specializations(
            module,
            TypePlace { queries, signature: None, settings: self.settings },
            &requirements.noncopyable,
            &mut self.seen.noncopyable,
        )
    }

    /// Completes the tables of classes and conformances that were not seen before.
    fn tables(&mut self, requirements: &Requirements) -> tables::Entries {
        let mut entries = tables::Entries::default();
        let classes: Vec<TypeId> =
            requirements.classes.iter().copied().filter(|class| self.seen.classes.insert(*class)).collect();
        if !classes.is_empty() {
            self.link(tables::wanted(self.module, &classes));
            tables::complete(self.module, self.settings, &classes, &mut entries);
        }
        let mut conformances = requirements.conformances.clone();
        conformances.retain(|conformance| self.seen.conformances.insert(*conformance));
        while !conformances.is_empty() {
            self.link(witness_tables::wanted(self.module, &conformances));
            conformances = witness_tables::complete(self.module, self.settings, &conformances, &mut entries);
            conformances.retain(|conformance| self.seen.conformances.insert(*conformance));
        }
        self.diagnostics.append(&mut entries.diagnostics);
        entries
    }
}

/// Returns whether calls of a function are inlined.
fn is_transparent(function: &Function) -> bool {
    function.has(FunctionFlag::Transparent)
}

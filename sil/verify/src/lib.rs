//! The verifier: the rules of a module beyond its syntax (docs/SIL/Instructions.md, docs/SIL/Ownership.md,
//! lib/SIL/Verifier).
//!
//! Finds and reports; changes nothing. A family of rules a file: `structure` (blocks and dominance), `instructions`
//! (types per instruction), `flow` (scopes and stack discipline along paths), `exclusivity` (accesses that overlap),
//! `archetypes`, `debug_variables`, `ownership` (the owner of each value), `memory` (initialized memory), `entities`
//! (functions and globals), `tables` (dispatch tables), `linkage` (visibility of symbols). A type that is not known
//! makes a rule pass: no valid module is rejected.
#![forbid(unsafe_code)]

mod archetypes;
mod checker;
mod cycles;
mod debug_variables;
mod entities;
mod exclusivity;
mod failures;
mod flow;
mod instructions;
mod linkage;
mod memory;
mod ownership;
mod structure;
mod tables;

use checker::FunctionVerifier;
pub use failures::{Failure, FailureKind, Spoiled};
use instructions::BuiltinRules;
pub use instructions::has_own_rules;
use linkage::LinkageRules;
pub use ownership::OwnershipRules;

use sil_ir::context::SilType;
use sil_ir::diagnostic::{Diagnostic, Level};
use sil_ir::model::{FunctionId, Module};
use sil_ir::parallel;
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::print::Printer;

/// All findings about `module`, in the order of its entities, however many threads looked for them. Empty for a valid
/// module.
pub fn verify(module: &Module) -> Vec<Diagnostic> {
    verify_with(module, OwnershipRules::All)
}

/// The errors in the lifetimes of values in the functions of `module`, in textual order, in the words of Swift's
/// verifier in its tests. Empty for a valid module.
pub fn lifetime_errors(module: &Module) -> String {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let verifier = Verifier::new(module, &queries);
    module.functions.keys().map(|id| verifier.lifetime_errors(id)).collect()
}

/// The findings of [`verify`] by these rules of ownership.
pub fn verify_with(module: &Module, ownership: OwnershipRules) -> Vec<Diagnostic> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let verifier = Verifier { ownership, ..Verifier::new(module, &queries) };
    let mut diagnostics = verifier.entities();
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    let portions: Vec<&[FunctionId]> = functions.chunks(PORTION).collect();
    let verify = |portion: &&[FunctionId]| portion.iter().flat_map(|id| verifier.function(*id)).collect::<Vec<_>>();
    diagnostics.extend(parallel::map(&portions, verify).into_iter().flatten());
    diagnostics
}

/// The errors of [`verify`], in the words of Swift's verifier if it continues after errors.
pub fn failures(module: &Module) -> Vec<Failure> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let verifier = Verifier::new(module, &queries);
    let outside: Vec<Diagnostic> = verifier.entities();
    let inside = module.functions.keys().flat_map(|id| verifier.verified(id).map(failures::of_function));
    outside.iter().filter_map(failures::of_entity).chain(inside.flatten()).collect()
}

/// How many functions a thread takes at a time.
const PORTION: usize = 16;

/// Verifies a module piece by piece. Functions are independent of each other, so several threads can share a verifier.
pub struct Verifier<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    builtins: BuiltinRules,
    linkage: LinkageRules,
    ownership: OwnershipRules,
}

impl<'m> Verifier<'m> {
    /// A verifier for `module`; `queries` are about its declarations.
    pub fn new(module: &'m Module, queries: &'m TypeQueries<'m>) -> Self {
        let (builtins, linkage) = (BuiltinRules::default(), LinkageRules::of(module));
        Self { module, queries, builtins, linkage, ownership: OwnershipRules::All }
    }

    /// All findings outside of function bodies.
    pub fn entities(&self) -> Vec<Diagnostic> {
        let mut diagnostics = entities::verify(self.module, self.queries, self.linkage);
        diagnostics.append(&mut tables::verify(self.module, self.queries, self.linkage));
        diagnostics
    }

    /// The errors in the lifetimes of the values of one function, in Swift's words; nothing if it has other errors.
    fn lifetime_errors(&self, id: FunctionId) -> String {
        let function = &self.module.functions[id];
        let Some(body) = &function.body else { return String::new() };
        let mut verifier = FunctionVerifier::new(self, function, body);
        let is_formed = structure::verify_blocks(&mut verifier) && structure::verify_dominance(&mut verifier);
        if is_formed && instructions::are_well_formed(&verifier) {
            return ownership::lifetime_errors(&mut verifier);
        }
        String::new()
    }

    /// All findings about the body of one function.
    pub fn function(&self, id: FunctionId) -> Vec<Diagnostic> {
        self.verified(id).map(FunctionVerifier::into_diagnostics).unwrap_or_default()
    }

    /// The body of a function by all rules; none where it has none.
    fn verified(&self, id: FunctionId) -> Option<FunctionVerifier<'_>> {
        let function = &self.module.functions[id];
        let mut verifier = FunctionVerifier::new(self, function, function.body.as_ref()?);
        if structure::verify_blocks(&mut verifier) {
            let is_ordered = structure::verify_dominance(&mut verifier);
            let follows_paths =
                is_ordered && instructions::are_well_formed(&verifier) && !verifier.has_semantics("sil.verify_none");
            if follows_paths {
                flow::verify(&mut verifier);
            }
            instructions::verify(&mut verifier);
            archetypes::verify(&mut verifier);
            if follows_paths {
                debug_variables::verify(&mut verifier);
                // The pass for raw SIL reports more of it.
                if !verifier.is_raw() {
                    exclusivity::verify(&mut verifier);
                }
                ownership::verify(&mut verifier, self.ownership);
                memory::verify(&mut verifier);
            }
        }
        Some(verifier)
    }
}

/// A finding about code that Swift's own verifier accepts.
fn uncompilable(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.at_level(Level::Uncompilable).hint("Swift's verifier lets this pass, but it cannot be compiled")
}

/// A type as SIL text, for messages.
fn show(queries: &TypeQueries<'_>, ty: SilType) -> String {
    let mut printer = Printer::new(queries.context, queries.declarations);
    printer.sil_type(ty);
    printer.out
}

//! Opened archetypes: each is opened in one place, and instructions name it where it is open.

use rustc_hash::FxHashMap;
use sil_analysis::{ControlFlowGraph, Dominators, opened_archetypes, opening};
use sil_ir::context::{Name, SubstitutionMapId, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Details, InstructionId, Value};

use super::checker::FunctionVerifier;

/// Checks the openings of a function.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>) {
    let named = named(verifier);
    if named.is_empty() {
        return;
    }
    let openings = openings(verifier);
    let body = verifier.body;
    let cfg = ControlFlowGraph::new(body);
    let dominators = Dominators::new(body, &cfg);
    for (id, uuid) in named {
        let opening = openings.get(&uuid).copied();
        let is_open = opening
            .is_some_and(|value| body.defining(value) == Some(id) || dominators.value_dominates(body, value, id));
        if !is_open && cfg.is_reachable(body.instructions[id].block) {
            report(verifier, id, opening);
        }
    }
}

/// The instructions that name an opened archetype. Most functions have none.
fn named(verifier: &FunctionVerifier<'_>) -> Vec<(InstructionId, Name)> {
    let body = verifier.body;
    let mut known: FxHashMap<TypeId, Vec<Name>> = FxHashMap::default();
    let mut named = Vec::new();
    for block in body.blocks.keys() {
        for id in body.instructions_in(block) {
            let results = body.results(id).map(|value| body.ty(value).ty);
            let types = body.types(id).iter().map(|ty| ty.ty).chain(results);
            let substitutions = match &body.instructions[id].details {
                Details::Apply(apply) => apply.substitutions,
                Details::Builtin(builtin) => builtin.substitutions,
                _ => SubstitutionMapId::EMPTY,
            };
            for ty in types.chain(verifier.queries.context.replacements(substitutions).iter().copied()) {
                let names = known.entry(ty).or_insert_with(|| opened_archetypes(verifier.queries, ty));
                named.extend(names.iter().map(|uuid| (id, *uuid)));
            }
        }
    }
    named
}

/// The value by which each archetype is opened.
fn openings(verifier: &mut FunctionVerifier<'_>) -> FxHashMap<Name, Value> {
    let body = verifier.body;
    let mut opened: FxHashMap<Name, Value> = FxHashMap::default();
    for id in body.placed_instructions() {
        let Some((uuid, result)) = opening(verifier.queries, body, id) else { continue };
        if let Some(first) = opened.insert(uuid, result) {
            let message = "another instruction opens an archetype of the same UUID";
            let diagnostic = Diagnostic::error("opened-twice", message, body.instructions[id].span);
            let place = verifier.definition_span(first);
            verifier.report(diagnostic.note("it is opened here too", place));
            opened.insert(uuid, first);
        }
    }
    opened
}

fn report(verifier: &mut FunctionVerifier<'_>, id: InstructionId, opening: Option<Value>) {
    let instruction = &verifier.body.instructions[id];
    let name = instruction.opcode.name();
    let message = match opening {
        Some(_) => format!("`{name}` names an archetype that is not opened on every path that leads here"),
        None => format!("`{name}` names an archetype that nothing opens"),
    };
    let span = opening.and_then(|value| verifier.definition_span(value));
    let diagnostic = Diagnostic::error("unopened-archetype", message, instruction.span);
    verifier.report(if span.is_some() { diagnostic.note("it is opened here", span) } else { diagnostic });
}

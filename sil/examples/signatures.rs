//! Brings the generic signatures of all functions of SIL files, which the compiler wrote in canonical form, into
//! canonical form: `signatures FILE…` writes those that come out differently, and how many there are of each. The
//! entries of witness tables are compared with the requirements that the protocols declare in the same way. Ends with
//! status 1 if anything differs.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use sil::context::{Context, SignatureId, Type};
use sil::model::Module;
use sil::print::Printer;
use sil::source::{SourceFile, SourceMap};
use sil::types::{ConformanceTable, TypeQueries, WitnessSlots};

/// The outcomes of the signatures.
#[derive(Default)]
struct Tally {
    same: usize,
    different: usize,
    unknown: usize,
}

fn main() -> ExitCode {
    let (mut tally, mut entries) = (Tally::default(), Tally::default());
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("{path}: not readable");
            continue;
        };
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(path.clone().into(), text));
        let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &Default::default());
        signatures(&path, &outcome.module, &mut tally);
        tables(&path, &outcome.module, &mut entries);
    }
    for (what, tally) in [("signatures", &tally), ("tables", &entries)] {
        println!("{what}: {} the same, {} different, {} not known", tally.same, tally.different, tally.unknown);
    }
    if tally.different + entries.different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn signatures(path: &str, module: &Module, tally: &mut Tally) {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let mut found = BTreeSet::new();
    for function in module.functions.values() {
        if let Type::Function(ty) = module.context.get(function.ty) {
            found.extend(ty.signature);
            found.extend(ty.pattern.map(|pattern| module.context.get_substitutions(pattern).signature));
        }
    }
    let show = |signature: SignatureId| {
        let mut printer = Printer::new(&module.context, &module.declarations);
        printer.signature(signature);
        printer.out
    };
    for signature in found {
        match queries.generics().canonical_signature(signature) {
            None => {
                tally.unknown += 1;
                println!("{path}: not known: {}", show(signature));
            }
            Some(canonical) if show(canonical) == show(signature) => tally.same += 1,
            Some(canonical) => {
                tally.different += 1;
                println!("{path}: {}\n  {}", show(signature), show(canonical));
            }
        }
    }
}

/// Whether the entries of each witness table are those that the protocol declares, in the order of the declaration.
fn tables(path: &str, module: &Module, tally: &mut Tally) {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let slots = WitnessSlots::new(module);
    for table in &module.witness_tables {
        let Some(written) = &table.entries else { continue };
        let protocol = module.context.get_conformance(table.conformance).protocol;
        let name = module.context.text(module.declarations.get(protocol).name);
        match slots.entries(&queries, protocol, written) {
            Ok(entries)
                if entries
                    .iter()
                    .map(|entry| entry.map(std::ptr::from_ref))
                    .eq(written.iter().map(|entry| Some(std::ptr::from_ref(entry)))) =>
            {
                tally.same += 1
            }
            Ok(_) => {
                tally.different += 1;
                println!("{path}: other entries than the table of {name} has");
            }
            Err(_) => {
                tally.unknown += 1;
                println!("{path}: not known: the entries of {name}");
            }
        }
    }
}

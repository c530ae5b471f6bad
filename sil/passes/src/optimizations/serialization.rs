//! The end of the serialization stage: afterwards function bodies are no longer visible to clients. Follows
//! lib/SILOptimizer/UtilityPasses/SerializeSILPass.cpp. The serialised module has been written by then.

use sil_analysis::ModuleExtent;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Linkage, Module, Serialization};

use crate::pass::settings::Settings;
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const SERIALIZATION_END: Pass = Pass::new(&Description {
    name: "serialize-sil",
    class_name: "SerializeSILPass",
    summary: "Ends the phase in which clients see the bodies of the module.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| end(module, settings)),
});

/// Removes the serialised flag of functions, tables and deinits. In whole-module mode, functions that every client
/// would have emitted itself become shared.
pub(crate) fn end(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    for function in module.functions.values_mut() {
        function.serialization = Serialization::None;
        let is_everybodys = matches!(function.linkage, Linkage::PublicNonAbi | Linkage::PackageNonAbi);
        if is_everybodys && settings.extent == ModuleExtent::Whole {
            function.linkage = Linkage::Shared;
        }
    }
    let witness_tables = module.witness_tables.iter_mut().map(|table| &mut table.serialization);
    let vtables = module.vtables.iter_mut().map(|table| &mut table.serialization);
    let deinits = module.deinits.iter_mut().map(|entry| &mut entry.serialization);
    witness_tables.chain(vtables).chain(deinits).for_each(|serialization| *serialization = Serialization::None);
    Vec::new()
}

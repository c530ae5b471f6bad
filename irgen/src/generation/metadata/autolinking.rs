//! Autolinking: the libraries that an object requests from the linker, which are those of the imported modules. swiftc
//! and silc read them from the objects that they link.

use sil_ir::declarations::with_exported;

use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule};
use crate::target::ObjectFormat;

/// The libraries that every module links with.
const ALWAYS: &[&str] =
    &["swiftSwiftOnoneSupport", "swiftCore", "swift_Concurrency", "swift_StringProcessing", "swift_RegexParser"];

/// Modules of Swift's toolchain for Linux, with their libraries.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("Dispatch", &["dispatch", "BlocksRuntime", "swiftDispatch"]),
    ("Distributed", &["swiftDistributed"]),
    ("Foundation", &["Foundation"]),
    ("FoundationEssentials", &["FoundationEssentials"]),
    ("FoundationInternationalization", &["FoundationInternationalization", "_FoundationICU"]),
    ("FoundationNetworking", &["FoundationNetworking"]),
    ("FoundationXML", &["FoundationXML"]),
    // Including the parts of the C library whose headers it contains.
    ("Glibc", &["swiftGlibc", "m", "pthread"]),
    ("Observation", &["swiftObservation"]),
    ("RegexBuilder", &["swiftRegexBuilder"]),
    ("Runtime", &["swiftRuntime"]),
    ("Synchronization", &["swiftSynchronization"]),
    ("Testing", &["Testing"]),
    ("XCTest", &["XCTest"]),
    ("_Builtin_float", &["swift_Builtin_float"]),
    ("_Differentiation", &["swift_Differentiation"]),
];

impl IRGenModule<'_, '_> {
    /// Declares the list in one unit of the module. Only ELF needs it.
    pub(in crate::generation) fn declare_autolink_entries(&self) {
        if self.options.object_format != ObjectFormat::Elf || !self.is_first_unit() {
            return;
        }
        let imported: Vec<&str> = self.sil.imports.iter().map(|import| self.sil.context.text(import.module)).collect();
        let library_of = |module: &str| LIBRARIES.iter().find(|(name, _)| *name == module);
        let found = with_exported(&imported).into_iter().filter_map(library_of);
        let libraries = ALWAYS.iter().chain(found.flat_map(|(_, libraries)| *libraries));
        let text: String = libraries.map(|library| format!("-l{library}\0")).collect();
        let mut entries = ConstantStruct::new(self.pointer_size());
        entries.add_bytes(text.as_bytes());
        self.declare_constant(Entity::AutolinkEntries, entries, self.pointer_size());
    }
}

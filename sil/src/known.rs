//! What the imports that silc knows bring: the texts in `known/`, read by the same reader as a module's own declarations.

use crate::context::Context;
use crate::declarations::{DeclarationTable, Origin};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax::cursor::Cursor;
use crate::syntax::declarations::{Configuration, DeclarationReader};

/// A module whose declarations are known.
struct KnownModule {
    name: &'static str,
    texts: &'static [&'static str],
}

const SWIFT: KnownModule = KnownModule {
    name: "Swift",
    texts: &[
        include_str!("../known/Swift/Adapters.swift"),
        include_str!("../known/Swift/Arrays.swift"),
        include_str!("../known/Swift/Basics.swift"),
        include_str!("../known/Swift/Bridging.swift"),
        include_str!("../known/Swift/Codable.swift"),
        include_str!("../known/Swift/Collections.swift"),
        include_str!("../known/Swift/FloatingPoint.swift"),
        include_str!("../known/Swift/HashedCollections.swift"),
        include_str!("../known/Swift/Hashing.swift"),
        include_str!("../known/Swift/Integers.swift"),
        include_str!("../known/Swift/KeyPaths.swift"),
        include_str!("../known/Swift/Pointers.swift"),
        include_str!("../known/Swift/Reflection.swift"),
        include_str!("../known/Swift/Runtime.swift"),
        include_str!("../known/Swift/SIMD.swift"),
        include_str!("../known/Swift/Spans.swift"),
        include_str!("../known/Swift/Strings.swift"),
        include_str!("../known/Swift/Time.swift"),
        include_str!("../known/Swift/TypeErased.swift"),
        include_str!("../known/Swift/UTF8Span.swift"),
    ],
};

const SWIFT_SHIMS: KnownModule =
    KnownModule { name: "SwiftShims", texts: &[include_str!("../known/SwiftShims.swift")] };

/// Modules that name the standard library's types, in the order in which they need each other.
const OTHERS: &[KnownModule] = &[
    KnownModule { name: "_Concurrency", texts: &[include_str!("../known/_Concurrency.swift")] },
    KnownModule { name: "_Differentiation", texts: &[include_str!("../known/_Differentiation.swift")] },
    KnownModule { name: "Synchronization", texts: &[include_str!("../known/Synchronization.swift")] },
    KnownModule { name: "_Volatile", texts: &[include_str!("../known/_Volatile.swift")] },
];

/// Modules that bring no type that SIL names.
const EMPTY: [&str; 4] = ["Builtin", "_StringProcessing", "SwiftOnoneSupport", "_SwiftConcurrencyShims"];

/// Adds what `imported` brings to `table`. The standard library comes with each module but `Builtin`, and brings
/// `_Concurrency`. Modules that are not known are noted in the table.
pub(crate) fn load(
    context: &Context,
    configuration: &Configuration,
    imported: &[&str],
    table: &mut DeclarationTable,
) -> Vec<Diagnostic> {
    if imported.iter().all(|module| *module == "Builtin") {
        return Vec::new();
    }
    let mut reader = DeclarationReader::new(context, configuration);
    let mut diagnostics = Vec::new();
    let mut read = |module: &KnownModule| {
        let name = context.name(module.name);
        for text in module.texts {
            diagnostics.extend(reader.all(&mut Cursor::new(text, FileId::KNOWN), name).err().map(|error| *error));
        }
    };
    read(&SWIFT);
    read(&SWIFT_SHIMS);
    for module in OTHERS {
        if module.name == "_Concurrency" || imported.contains(&module.name) {
            read(module);
        }
    }
    diagnostics.extend(reader.finish(table, Origin::Imported));
    for name in imported {
        let known = [&SWIFT, &SWIFT_SHIMS].into_iter().chain(OTHERS).any(|module| module.name == *name);
        if EMPTY.contains(name) {
            table.add_module(context.name(name));
        } else if !known {
            table.add_unknown_import(context.name(name));
        }
    }
    diagnostics
}

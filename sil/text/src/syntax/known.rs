//! The declarations of imports that silc knows: the texts in `known/`, read by the same reader as a module's own
//! declarations.
//!
//! For a small module only the needed declarations are read: those that its text names, and those that they name,
//! transitively. The build lists the names that each piece of the texts declares and mentions (`known/index.rs`).

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use sil_ir::context::Context;
use sil_ir::declarations::{DeclarationTable, Origin, closure, exported_by};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::platform::System;
use sil_ir::model::{PointerWidth, SwiftVersion};
use sil_ir::source::FileId;

use super::cursor::Cursor;
use super::declarations::{Configuration, CoroutineAccessors, DeclarationReader, Evolution, Owner, ReferredMembers};

include!(concat!(env!("OUT_DIR"), "/known.rs"));

/// A text with declarations of a module.
struct KnownText {
    module: &'static str,
    text: &'static str,
    pieces: &'static [Piece],
}

/// A part of a text that can be read without the others: the bytes from `start` to `end`. Names are indices into
/// [`NAMES`].
struct Piece {
    start: u32,
    end: u32,
    declares: &'static [u16],
    mentions: &'static [u16],
}

/// The declarations that the syntax and the rules of SIL use without naming them: sugar such as `[T]`, literals,
/// `hop_to_executor`.
const ALWAYS: [&str; 13] = [
    "Actor",
    "Array",
    "Bool",
    "Dictionary",
    "Differentiable",
    "Double",
    "Error",
    "InlineArray",
    "Int",
    "Never",
    "Optional",
    "Sendable",
    "String",
];

/// The standard library.
const SWIFT: &str = "Swift";

/// Modules whose declarations come with the standard library's. The compiler imports them everywhere and does not print
/// all of these imports.
const WITH_SWIFT: [&str; 4] = [SWIFT, "SwiftShims", "_Concurrency", "_StringProcessing"];

/// The modules whose types have the layout of their declarations: C structures, and modules compiled without library
/// evolution.
const FIXED: [&str; 6] = [
    "Dispatch",
    "Foundation",
    "FoundationEssentials",
    "FoundationInternationalization",
    "SwiftShims",
    "_FoundationCollections",
];

/// Modules that others import internally. Their declarations hide nothing.
const HIDDEN: [&str; 1] = ["_FoundationCollections"];

/// Modules known only as far as others can name them. Their function bodies name further declarations.
const PARTIAL: [&str; 4] =
    ["Foundation", "FoundationEssentials", "FoundationInternationalization", "_FoundationCollections"];

/// Returns whether the known declarations of `module` hold for the configuration. Foundation, whose types have fixed
/// layouts, is known for Swift 6.2 on 64-bit Linux.
fn holds(module: &str, configuration: &Configuration) -> bool {
    let Configuration { version, platform, .. } = configuration;
    let is_known = *version == SwiftVersion::V6_2
        && platform.system == System::Linux
        && platform.pointer_width == PointerWidth::Bits64;
    is_known || !(PARTIAL.contains(&module) || module == NAMES_ONLY)
}

/// Modules that another one does not export, but whose types its declarations name.
const NAMED_BY: [(&str, &[&str]); 3] = [
    ("Foundation", &["CoreFoundation"]),
    ("FoundationEssentials", &["Synchronization", "_FoundationCollections"]),
    ("FoundationInternationalization", &["FoundationEssentials", "_FoundationICU"]),
];

/// Modules without types that SIL names.
const EMPTY: [&str; 3] = ["Builtin", "SwiftOnoneSupport", "_SwiftConcurrencyShims"];

/// Returns whether silc knows the declarations of `module` for the configuration.
pub(super) fn knows_for(configuration: &Configuration, module: &str) -> bool {
    knows(module) && holds(module, configuration)
}

/// Returns whether silc knows the declarations of `module` on at least one platform.
pub fn knows_module(module: &str) -> bool {
    knows(module)
}

/// Returns whether silc knows the declarations of `module` for some configuration.
pub(super) fn knows(module: &str) -> bool {
    EMPTY.contains(&module) || TEXTS.iter().any(|known| known.module == module)
}

/// Returns whether the standard library declares the name `name`.
pub(crate) fn swift_declares(name: &str) -> bool {
    let Some(number) = NAMES.iter().position(|known| *known == name) else { return false };
    let pieces = TEXTS.iter().filter(|known| known.module == SWIFT).flat_map(|known| known.pieces);
    pieces.flat_map(|piece| piece.declares).any(|declared| usize::from(*declared) == number)
}

/// Returns whether silc knows all declarations of `module`, so that code of that module itself needs no others.
pub(super) fn knows_whole(module: &str) -> bool {
    knows(module) && !PARTIAL.contains(&module)
}

/// Returns the modules all of whose declarations silc knows.
pub(super) fn whole_modules() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|known| known.module).filter(|module| knows_whole(module))
}

/// The modules of which silc knows only the declarations that other modules can name.
pub(super) fn partial_modules() -> impl Iterator<Item = &'static str> {
    PARTIAL.into_iter()
}

/// The extent to which the known declarations are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// The declarations that a module needs.
    Needed,
    /// All declarations: a suggestion for a misspelt name can be any of them.
    All,
}

/// From this length on, a module's text is not searched for names: reading all declarations takes less time.
const LONG: usize = 1 << 20;

impl Extent {
    /// Returns the extent for a module with this text.
    pub(crate) fn of(text: &str) -> Self {
        if text.len() < LONG { Extent::Needed } else { Extent::All }
    }
}

/// The declarations that a module needs of its imports.
pub(crate) struct Needs<'a> {
    /// The name of the module.
    pub(crate) own: &'a str,
    /// The text of the module, and of its imports beyond the known ones.
    pub(crate) texts: &'a [&'a str],
    /// The imported modules with their transitive imports ([`brought`]).
    pub(crate) imported: &'a [&'a str],
    /// The extent of reading.
    pub(crate) extent: Extent,
    /// The members whose interface types are needed.
    pub(crate) referred: &'a ReferredMembers<'a>,
}

impl Needs<'_> {
    /// Returns whether the module is the standard library, which contains all its declarations.
    fn is_swift(&self) -> bool {
        self.own == SWIFT
    }

    /// Returns the needed texts in reading order. A module's declarations hide those of its imports, as later
    /// declarations are found first.
    fn known(&self, configuration: &Configuration) -> Vec<&'static KnownText> {
        let is_wanted = |known: &&KnownText| self.brings(known) && holds(known.module, configuration);
        let mut texts: Vec<&KnownText> = TEXTS.iter().filter(is_wanted).collect();
        texts.sort_by_key(|known| Reverse(self.depth(known)));
        texts
    }

    /// Returns the distance of `known` from the module. The standard library is the farthest that can be named.
    fn depth(&self, known: &KnownText) -> Depth {
        let place = self.imported.iter().position(|module| *module == known.module);
        match place {
            Some(_) if HIDDEN.contains(&known.module) => Depth::Hidden,
            Some(place) if !WITH_SWIFT.contains(&known.module) => Depth::Imported(place),
            _ => Depth::Swift,
        }
    }

    /// Returns whether `known` is needed. Each module except `Builtin` imports the standard library and `_Concurrency`.
    /// A module does not import itself.
    fn brings(&self, known: &KnownText) -> bool {
        let with_swift = WITH_SWIFT.contains(&known.module) && !self.is_swift();
        known.module != self.own && (with_swift || self.imported.contains(&known.module))
    }
}

/// The distance of an import from a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    /// The import at this index.
    Imported(usize),
    /// An import with the standard library.
    Swift,
    /// An internal import of another module.
    Hidden,
}

/// Returns the imported modules with their transitive imports: the modules they export, and those whose types their
/// declarations name.
pub(super) fn brought<'a>(imported: &[&'a str]) -> Vec<&'a str> {
    let named =
        |module: &str| NAMED_BY.iter().find(|(importer, _)| *importer == module).map_or(&[][..], |(_, named)| named);
    closure(imported, |module| exported_by(module).iter().chain(named(module)).copied())
}

/// Adds the imported declarations to `table`, as far as a module needs them, and records unknown modules in the table.
/// Returns the diagnostics, and the reader for the module's own declarations: imports of the standard library name its
/// types, so that both are read at once.
pub(crate) fn load<'a>(
    context: &'a Context,
    configuration: &'a Configuration,
    needs: &Needs<'_>,
    table: &mut DeclarationTable,
) -> (DeclarationReader<'a>, Vec<Diagnostic>) {
    let mut reader = DeclarationReader::new(context, configuration);
    let mut diagnostics = Vec::new();
    if needs.imported.iter().all(|module| *module == "Builtin") {
        return (reader, diagnostics);
    }
    let texts = needs.known(configuration);
    for name in needs.imported {
        if EMPTY.contains(name) {
            table.add_module(context.name(name));
        } else if !knows_for(configuration, name) {
            table.add_unknown_import(context.name(name));
        }
    }
    let needed = match needs.extent {
        Extent::Needed => Some(Needed::by(needs.texts, &texts)),
        Extent::All => None,
    };
    for known in texts {
        let owner = owner_of(context, known);
        table.add_module(owner.module);
        if HIDDEN.contains(&known.module) {
            table.hide_module(owner.module);
        }
        for piece in known.pieces {
            if needed.as_ref().is_none_or(|needed| needed.has(piece)) {
                let mut cursor = Cursor::within(known.text, FileId::KNOWN, piece.start, piece.end);
                diagnostics.extend(reader.all(&mut cursor, owner).err().map(|error| *error));
            }
        }
    }
    if !needs.is_swift() {
        diagnostics.extend(reader.finish(table, needs.referred));
        reader = DeclarationReader::new(context, configuration);
    }
    (reader, diagnostics)
}

/// The module of which only names and kinds of types are known.
const NAMES_ONLY: &str = "CoreFoundation";

/// Returns the owner of the declarations in a text. Most of Swift's libraries use library evolution.
fn owner_of(context: &Context, known: &KnownText) -> Owner {
    let coroutines = CoroutineAccessors::Declared;
    if known.module == NAMES_ONLY {
        // C types have no Swift symbols.
        return Owner { module: context.name(""), origin: Origin::Named, evolution: Evolution::Disabled, coroutines };
    }
    let evolution = if FIXED.contains(&known.module) { Evolution::Disabled } else { Evolution::Enabled };
    Owner { module: context.name(known.module), origin: Origin::Imported, evolution, coroutines }
}

/// The names that a module needs.
struct Needed {
    names: Vec<bool>,
}

impl Needed {
    /// Returns the names in `texts` and [`ALWAYS`], and the names that their declarations in `known` mention.
    fn by(texts: &[&str], known: &[&KnownText]) -> Self {
        let numbers: FxHashMap<&[u8], usize> =
            NAMES.iter().enumerate().map(|(number, name)| (name.as_bytes(), number)).collect();
        let mut begins_name = [false; 256];
        NAMES.iter().for_each(|name| begins_name[usize::from(name.as_bytes()[0])] = true);
        let mut needed = Self { names: vec![false; NAMES.len()] };
        let words = texts.iter().flat_map(|text| words(text)).chain(ALWAYS.map(str::as_bytes));
        // Most words of a function are instructions, types of `Builtin` and symbols.
        for word in words.filter(|word| word.first().is_some_and(|first| begins_name[usize::from(*first)])) {
            if let Some(number) = numbers.get(word) {
                needed.names[*number] = true;
            }
        }
        while needed.grow(known) {}
        needed
    }

    /// Adds the names that the needed pieces mention. Returns whether any of them is new.
    fn grow(&mut self, known: &[&KnownText]) -> bool {
        let mut grown = false;
        for piece in known.iter().flat_map(|known| known.pieces) {
            if self.has(piece) {
                for name in piece.mentions {
                    grown |= !std::mem::replace(&mut self.names[usize::from(*name)], true);
                }
            }
        }
        grown
    }

    fn has(&self, piece: &Piece) -> bool {
        piece.declares.iter().any(|name| self.names[usize::from(*name)])
    }
}

/// The bytes of words.
const IN_WORDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// Returns the words of a text.
fn words(text: &str) -> impl Iterator<Item = &[u8]> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| IN_WORDS[usize::from(*byte)])?;
        let after = &rest[start..];
        let end = after.iter().position(|byte| !IN_WORDS[usize::from(*byte)]).unwrap_or(after.len());
        let (word, others) = after.split_at(end);
        rest = others;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sil_ir::declarations::MentionedTypes;
    use sil_ir::model::platform::Architecture;
    use sil_ir::model::{LanguageMode, ObjectiveC, Platform};

    /// Returns the names of all nominal types, sorted, each with its number of parts.
    fn summary(context: &Context, table: &DeclarationTable) -> Vec<(String, usize)> {
        let declarations = table.iter().map(|(_, declaration)| {
            let parts = declaration.conformances.len() + declaration.stored.len() + declaration.aliases.len();
            (context.text(declaration.name).to_owned(), parts)
        });
        let mut summary: Vec<_> = declarations.collect();
        summary.sort();
        summary
    }

    /// Returns a table without declarations, in which types of unknown modules are known by name.
    fn table(context: &Context) -> DeclarationTable {
        let mut table = DeclarationTable::default();
        let known: Vec<&str> = TEXTS.iter().map(|known| known.module).collect();
        brought(&known).into_iter().filter(|module| !knows(module)).for_each(|module| {
            table.add_unknown_import(context.name(module));
        });
        table.allow_named_types(MentionedTypes::new(context.name("")));
        table
    }

    #[test]
    fn pieces_are_all_there_is() {
        let (mode, version, platform) = (LanguageMode::Full, SwiftVersion::V6_2, Platform::default());
        let configuration = Configuration { mode, version, platform, objective_c: ObjectiveC::Absent };
        let context = Context::new();
        let imported: Vec<&str> = brought(&TEXTS.iter().map(|known| known.module).collect::<Vec<&str>>());
        let referred = ReferredMembers::of("");
        let needs = Needs { own: "main", texts: &[], imported: &imported, extent: Extent::All, referred: &referred };
        let mut whole = table(&context);
        let mut reader = DeclarationReader::new(&context, &configuration);
        for known in needs.known(&configuration) {
            let owner = owner_of(&context, known);
            let read = reader.all(&mut Cursor::new(known.text, FileId::KNOWN), owner);
            assert_eq!(read, Ok(()));
        }
        assert_eq!(reader.finish(&mut whole, &ReferredMembers::of("")), []);

        let mut pieces = table(&context);
        assert_eq!(load(&context, &configuration, &needs, &mut pieces).1, []);
        assert_eq!(summary(&context, &pieces), summary(&context, &whole));
    }

    #[test]
    fn what_is_needed_is_complete_in_itself() {
        let modes = [LanguageMode::Full, LanguageMode::Embedded];
        let all = SwiftVersion::ALL.into_iter().flat_map(|version| modes.map(|mode| (mode, version)));
        let platforms = [Platform::default(), Platform::new(Architecture::Arm, System::None)];
        for ((mode, version), platform) in all.flat_map(|of_language| platforms.map(|platform| (of_language, platform)))
        {
            let configuration = Configuration { mode, version, platform, objective_c: ObjectiveC::Absent };
            for name in NAMES.iter().step_by(50) {
                let context = Context::new();
                let mut table = table(&context);
                let imported: Vec<&str> = brought(&TEXTS.iter().map(|known| known.module).collect::<Vec<&str>>());
                let (extent, referred) = (Extent::Needed, ReferredMembers::of(name));
                let needs = Needs { own: "main", texts: &[name], imported: &imported, extent, referred: &referred };
                assert_eq!(load(&context, &configuration, &needs, &mut table).1, [], "{name}");
            }
        }
    }
}

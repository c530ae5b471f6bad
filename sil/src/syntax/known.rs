//! What the imports that silc knows bring: the texts in `known/`, read by the same reader as a module's own declarations.
//!
//! Of a small module only what it needs is read: the declarations that its text names, those that they name, and so on. The build has
//! listed which names each piece of the texts declares and mentions (`known/index.rs`).

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::cursor::Cursor;
use super::declarations::{Configuration, CoroutineAccessors, DeclarationReader, Evolution, Owner, ReferredMembers};
use crate::context::Context;
use crate::declarations::{DeclarationTable, Origin, closure, exported_by};
use crate::diagnostic::Diagnostic;
use crate::model::platform::System;
use crate::model::{PointerWidth, SwiftVersion};
use crate::source::FileId;

include!(concat!(env!("OUT_DIR"), "/known.rs"));

/// A text with declarations of a module.
struct KnownText {
    module: &'static str,
    text: &'static str,
    pieces: &'static [Piece],
}

/// A part of a text that can be read without the others: the bytes from `start` to `end`. Names are given by their number in [`NAMES`].
struct Piece {
    start: u32,
    end: u32,
    declares: &'static [u16],
    mentions: &'static [u16],
}

/// What the syntax and the rules of SIL mean without naming it: sugar such as `[T]`, literals, `hop_to_executor`.
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

/// Modules whose declarations come with the standard library's: the compiler imports them everywhere and prints no import of all of them.
const WITH_SWIFT: [&str; 4] = [SWIFT, "SwiftShims", "_Concurrency", "_StringProcessing"];

/// The modules whose types are laid out as they are declared: structures of C, and what is compiled without library evolution.
const FIXED: [&str; 6] = [
    "Dispatch",
    "Foundation",
    "FoundationEssentials",
    "FoundationInternationalization",
    "SwiftShims",
    "_FoundationCollections",
];

/// Modules that others import for themselves alone: what they declare hides nothing.
const HIDDEN: [&str; 1] = ["_FoundationCollections"];

/// Modules of which only what others can name is known: the bodies of their functions name more.
const PARTIAL: [&str; 4] =
    ["Foundation", "FoundationEssentials", "FoundationInternationalization", "_FoundationCollections"];

/// Whether what is known of `module` is what it declares there: Foundation, whose types have fixed layouts, is known as 6.2 has it for Linux of 64 bits.
fn holds(module: &str, configuration: &Configuration) -> bool {
    let Configuration { version, platform, .. } = configuration;
    let is_known = *version == SwiftVersion::V6_2
        && platform.system == System::Linux
        && platform.pointer_width == PointerWidth::Bits64;
    is_known || !(PARTIAL.contains(&module) || module == NAMES_ONLY)
}

/// Modules that another one does not export, but names types of in what it declares.
const NAMED_BY: [(&str, &[&str]); 3] = [
    ("Foundation", &["CoreFoundation"]),
    ("FoundationEssentials", &["Synchronization", "_FoundationCollections"]),
    ("FoundationInternationalization", &["FoundationEssentials", "_FoundationICU"]),
];

/// Modules that bring no type that SIL names.
const EMPTY: [&str; 3] = ["Builtin", "SwiftOnoneSupport", "_SwiftConcurrencyShims"];

/// Whether silc knows what the import of `module` brings there.
pub(super) fn knows_for(configuration: &Configuration, module: &str) -> bool {
    knows(module) && holds(module, configuration)
}

/// Whether silc knows by itself what the import of `module` brings, on one of its platforms at least.
pub fn knows_module(module: &str) -> bool {
    knows(module)
}

/// Whether silc knows what the import of `module` brings somewhere.
pub(super) fn knows(module: &str) -> bool {
    EMPTY.contains(&module) || TEXTS.iter().any(|known| known.module == module)
}

/// Whether the standard library declares something called `name`.
pub(crate) fn swift_declares(name: &str) -> bool {
    let Some(number) = NAMES.iter().position(|known| *known == name) else { return false };
    let pieces = TEXTS.iter().filter(|known| known.module == SWIFT).flat_map(|known| known.pieces);
    pieces.flat_map(|piece| piece.declares).any(|declared| usize::from(*declared) == number)
}

/// Whether silc knows all that `module` declares, so that code of that module itself needs nothing else.
pub(super) fn knows_whole(module: &str) -> bool {
    knows(module) && !PARTIAL.contains(&module)
}

/// The modules all of whose declarations silc knows.
pub(super) fn whole_modules() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|known| known.module).filter(|module| knows_whole(module))
}

/// The modules of which silc knows what others can name, and no more.
pub(super) fn partial_modules() -> impl Iterator<Item = &'static str> {
    PARTIAL.into_iter()
}

/// How much of what is known is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// What a module needs.
    Needed,
    /// Everything: a suggestion for a misspelt name can be any other.
    All,
}

/// From this length on a module's text is not searched for names: reading everything takes less time than that.
const LONG: usize = 1 << 20;

impl Extent {
    /// How much is read for a module with this text.
    pub(crate) fn of(text: &str) -> Self {
        if text.len() < LONG { Extent::Needed } else { Extent::All }
    }
}

/// What a module needs of what it imports.
pub(crate) struct Needs<'a> {
    /// The name of the module.
    pub(crate) own: &'a str,
    /// The text of the module, and of what it imports beside what is known.
    pub(crate) texts: &'a [&'a str],
    /// The modules that it imports, with those that they bring ([`brought`]).
    pub(crate) imported: &'a [&'a str],
    /// How much is read.
    pub(crate) extent: Extent,
    /// The members whose interface types are wanted.
    pub(crate) referred: &'a ReferredMembers<'a>,
}

impl Needs<'_> {
    /// Whether the module is the standard library, all of whose declarations are its own.
    fn is_swift(&self) -> bool {
        self.own == SWIFT
    }

    /// The texts that are wanted, in the order in which they are read. What a module declares hides what the modules that it brings declare: what is
    /// read later is found first.
    fn known(&self, configuration: &Configuration) -> Vec<&'static KnownText> {
        let is_wanted = |known: &&KnownText| self.brings(known) && holds(known.module, configuration);
        let mut texts: Vec<&KnownText> = TEXTS.iter().filter(is_wanted).collect();
        texts.sort_by_key(|known| Reverse(self.depth(known)));
        texts
    }

    /// How far from the module what brings `known` is: the standard library is behind all that can be named.
    fn depth(&self, known: &KnownText) -> Depth {
        let place = self.imported.iter().position(|module| *module == known.module);
        match place {
            Some(_) if HIDDEN.contains(&known.module) => Depth::Hidden,
            Some(place) if !WITH_SWIFT.contains(&known.module) => Depth::Imported(place),
            _ => Depth::Swift,
        }
    }

    /// Whether `known` is wanted. The standard library comes with each module but `Builtin`, and brings `_Concurrency`; what a module
    /// declares itself is not brought to it.
    fn brings(&self, known: &KnownText) -> bool {
        let with_swift = WITH_SWIFT.contains(&known.module) && !self.is_swift();
        known.module != self.own && (with_swift || self.imported.contains(&known.module))
    }
}

/// How far from a module is what it imports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    /// Imported in this place.
    Imported(usize),
    /// With the standard library.
    Swift,
    /// For what is imported alone.
    Hidden,
}

/// Modules that are imported, with those that they bring: what they export, and what those declarations name types of.
pub(super) fn brought<'a>(imported: &[&'a str]) -> Vec<&'a str> {
    let named =
        |module: &str| NAMED_BY.iter().find(|(importer, _)| *importer == module).map_or(&[][..], |(_, named)| named);
    closure(imported, |module| exported_by(module).iter().chain(named(module)).copied())
}

/// Adds what is imported to `table`, as far as a module needs it. Modules that are not known are noted in the table. Gives what is wrong,
/// and the reader for the module's own declarations: what the standard library imports names types of its own, so that both are read at once.
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

/// What is known of who declares what is in a text: most of Swift's libraries may change what their types store.
fn owner_of(context: &Context, known: &KnownText) -> Owner {
    let coroutines = CoroutineAccessors::Declared;
    if known.module == NAMES_ONLY {
        // No symbol of Swift's is that of a type of C.
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
    /// What `texts` name, what [`ALWAYS`] has, and what their declarations in `known` name.
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

    /// Adds what the pieces that are needed mention. Whether that was anything new.
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

/// Which bytes words are made of.
const IN_WORDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &[u8]> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| IN_WORDS[usize::from(*byte)])?;
        let behind = &rest[start..];
        let end = behind.iter().position(|byte| !IN_WORDS[usize::from(*byte)]).unwrap_or(behind.len());
        let (word, others) = behind.split_at(end);
        rest = others;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declarations::MentionedTypes;
    use crate::model::platform::Architecture;
    use crate::model::{LanguageMode, ObjectiveC, Platform};

    /// The names of all nominal types, sorted, each with how many parts it has.
    fn summary(context: &Context, table: &DeclarationTable) -> Vec<(String, usize)> {
        let declarations = table.iter().map(|(_, declaration)| {
            let parts = declaration.conformances.len() + declaration.stored.len() + declaration.aliases.len();
            (context.text(declaration.name).to_owned(), parts)
        });
        let mut summary: Vec<_> = declarations.collect();
        summary.sort();
        summary
    }

    /// A table without declarations, in which types of unknown modules are known by name.
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

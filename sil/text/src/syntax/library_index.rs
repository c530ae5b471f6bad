//! The index of a library as SIL: its entities and their places in the text. Owns the search for entities in a text,
//! and the bytes of an index, which can be stored and mapped. Does not own: the reading of the entities (`linking.rs`).
//!
//! The bytes are: [`FORMAT`], the length of the text, the number of entries, the entries sorted by kind and name, and
//! the concatenated names. All numbers are four bytes, little-endian.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::names::symbol_name;

/// The version of the format and of the search. An index of another version is rejected.
const FORMAT: u32 = 3;

/// The number of bytes before the entries.
const HEADER: usize = 12;

/// The size of an entry in bytes: five numbers.
const ENTRY: usize = 20;

/// The kind of an entity in a library. Kind and name identify an entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LibraryEntity {
    /// A function with a body, by its symbol.
    Function,
    /// A function that the library itself only declares, by its symbol.
    Declaration,
    /// A global variable, by its symbol.
    Global,
    /// A witness table, by [`conformance_name`].
    WitnessTable,
    /// The table of a class, by its path.
    Vtable,
    /// A differentiability witness with derivatives, by its original function ([`witness_prefix`]) and its
    /// configuration.
    DifferentiabilityWitness,
}

/// The first byte of an entity, and the byte after its last one.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The index of one library.
pub struct LibraryIndex {
    bytes: Cow<'static, [u8]>,
}

impl LibraryIndex {
    /// Indexes the entities of a text.
    pub fn of(text: &str) -> Self {
        let mut entries = entries_of(text);
        // The last of several entities with one name wins.
        entries.sort_by(|a, b| a.key().cmp(&b.key()).then(b.extent.start.cmp(&a.extent.start)));
        entries.dedup_by(|later, first| later.key() == first.key());
        Self { bytes: Cow::Owned(encode(&entries, text.len())) }
    }

    /// Decodes the `bytes` that [`LibraryIndex::as_bytes`] returned for a text of `text_length` bytes; `None` if they
    /// are no such index.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>, text_length: usize) -> Option<Self> {
        let index = Self { bytes: bytes.into() };
        let (format, length, count) = (index.number(0)?, index.number(4)?, index.number(8)?);
        let is_whole = index.bytes.len() >= HEADER + count as usize * ENTRY;
        (format == FORMAT && length as usize == text_length && is_whole).then_some(index)
    }

    /// Returns the bytes to store.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the place of an entity.
    pub(super) fn find(&self, kind: LibraryEntity, name: &str) -> Option<Extent> {
        let entries = self.entries()?;
        let wanted = (kind as u32, name.as_bytes());
        let found = entries.binary_search_by(|entry| self.key(entry).map_or(Ordering::Less, |key| key.cmp(&wanted)));
        let entry = entries.get(found.ok()?)?;
        Some(Extent { start: field(entry, 3), end: field(entry, 4) })
    }

    /// Returns the places of the differentiability witnesses whose names have this prefix, in order of their names.
    pub(super) fn differentiability_witnesses(&self, prefix: &str) -> Vec<Extent> {
        let Some(entries) = self.entries() else { return Vec::new() };
        let wanted = (LibraryEntity::DifferentiabilityWitness as u32, prefix.as_bytes());
        let first = entries.partition_point(|entry| self.key(entry).is_some_and(|key| key < wanted));
        let is_wanted = |entry: &&[u8; ENTRY]| {
            self.key(entry).is_some_and(|(kind, name)| kind == wanted.0 && name.starts_with(wanted.1))
        };
        let extent = |entry: &[u8; ENTRY]| Extent { start: field(entry, 3), end: field(entry, 4) };
        entries[first..].iter().take_while(is_wanted).map(extent).collect()
    }

    fn entries(&self) -> Option<&[[u8; ENTRY]]> {
        let count = self.number(8)? as usize;
        let (entries, _) = self.bytes.get(HEADER..HEADER + count * ENTRY)?.as_chunks();
        Some(entries)
    }

    fn key(&self, entry: &[u8; ENTRY]) -> Option<(u32, &[u8])> {
        let start = field(entry, 1) as usize;
        Some((field(entry, 0), self.bytes.get(start..start + field(entry, 2) as usize)?))
    }

    fn number(&self, at: usize) -> Option<u32> {
        self.bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }
}

fn field(entry: &[u8; ENTRY], number: usize) -> u32 {
    let (fields, _) = entry.as_chunks::<4>();
    u32::from_le_bytes(fields[number])
}

/// An indexed entity.
struct Entry<'s> {
    kind: LibraryEntity,
    name: Cow<'s, str>,
    extent: Extent,
}

impl Entry<'_> {
    fn key(&self) -> (LibraryEntity, &str) {
        (self.kind, &self.name)
    }
}

fn encode(entries: &[Entry<'_>], text_length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut names = Vec::new();
    // Texts of files are shorter than 4 GiB, and so are names made of parts of them.
    for number in [FORMAT, text_length as u32, entries.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    let names_start = HEADER + entries.len() * ENTRY;
    for Entry { kind, name, extent } in entries {
        let name_start = (names_start + names.len()) as u32;
        for number in [*kind as u32, name_start, name.len() as u32, extent.start, extent.end] {
            bytes.extend(number.to_le_bytes());
        }
        names.extend(name.as_bytes());
    }
    bytes.append(&mut names);
    bytes
}

fn entries_of(text: &str) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let mut starts = memchr::memmem::find_iter(text.as_bytes(), b"\nsil").map(|at| at + 1).peekable();
    while let Some(start) = starts.next() {
        let end = starts.peek().copied().unwrap_or(text.len());
        if let Some((kind, name)) = entity_in(&text[start..end]) {
            entries.push(Entry { kind, name, extent: Extent { start: start as u32, end: end as u32 } });
        }
    }
    entries
}

/// Returns the kind and name of the entity at the start of `text`.
fn entity_in(text: &str) -> Option<(LibraryEntity, Cow<'_, str>)> {
    let line = text.split('\n').next().unwrap_or_default();
    let has_body = line.ends_with('{');
    let symbol = || symbols_in(line).next().map(Cow::Borrowed);
    match line.split(' ').next()? {
        "sil" if has_body => Some((LibraryEntity::Function, symbol()?)),
        "sil" => Some((LibraryEntity::Declaration, symbol()?)),
        "sil_global" => Some((LibraryEntity::Global, symbol()?)),
        "sil_witness_table" if has_body => Some((LibraryEntity::WitnessTable, conformance_in(line)?.into())),
        "sil_differentiability_witness" if has_body => {
            Some((LibraryEntity::DifferentiabilityWitness, witness_in(line)?.into()))
        }
        "sil_vtable" => Some((LibraryEntity::Vtable, class_in(text).into())),
        _ => None,
    }
}

/// Returns the prefix of the names of the differentiability witnesses of a function.
pub(super) fn witness_prefix(original: &str) -> String {
    format!("{original} ")
}

/// Returns the name of a differentiability witness: the original function, and the configuration in front of it.
fn witness_in(line: &str) -> Option<String> {
    let (before, _) = line.split_once(" @")?;
    Some(witness_prefix(symbols_in(line).next()?) + before)
}

/// Returns the name of a witness table: the path of the conforming type without its arguments, and the protocol.
pub(super) fn conformance_name(conforming: &str, protocol: &str) -> String {
    format!("{conforming}: {protocol}")
}

/// Returns the conformance of a witness table: `Dictionary.Keys: Equatable` for `sil_witness_table <K, V> Dictionary<K,
/// V>.Keys: Equatable module Swift {`.
fn conformance_in(line: &str) -> Option<String> {
    let (conformance, _) = line.split_once(" module ")?;
    let (ty, protocol) = conformance.rsplit_once(": ")?;
    let mut path = String::new();
    let mut depth = 0;
    let mut before = ' ';
    for character in ty.chars() {
        match character {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            ' ' if depth == 0 => path.clear(),
            _ if depth == 0 => path.push(character),
            _ => {}
        }
        before = character;
    }
    Some(conformance_name(&path, protocol))
}

/// The path of the class of a vtable. The head has the name alone (lib/SIL/IR/SILPrinter.cpp, `SILVTable::print`),
/// which several nested classes may have; the entry of the deallocating deinit has the path.
fn class_in(table: &str) -> &str {
    let mut lines = table.split('\n');
    let head = lines.next().unwrap_or_default();
    let deallocated = lines.find_map(|line| {
        let (member, _) = line.trim_start().strip_prefix('#')?.split_once(':')?;
        DEALLOCATORS.iter().find_map(|deinit| member.strip_suffix(deinit))
    });
    deallocated.unwrap_or_else(|| head.trim_end_matches(['{', ' ']).rsplit(' ').next().unwrap_or_default())
}

/// The members that free an instance, which follow the path of its class.
const DEALLOCATORS: [&str; 2] = [".deinit!deallocator", ".deinit!isolateddeallocator"];

/// Returns the symbols of a text: the names after an `@` that follows a space. Type attributes look the same; no entity
/// has their names.
pub(super) fn symbols_in(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let signs = memchr::memchr_iter(b'@', bytes).filter(|at| *at > 0 && bytes[*at - 1] == b' ');
    signs.filter_map(|at| {
        let rest = &text[at..];
        let is_quoted = rest.as_bytes().get(1) == Some(&b'"');
        let length = match is_quoted {
            true => rest[2..].find('"')? + 3,
            false => rest.find([' ', '\t', '\n', ',', ')', ':']).unwrap_or(rest.len()),
        };
        match symbol_name(&rest[..length])? {
            Cow::Borrowed(name) => Some(name),
            Cow::Owned(_) => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "sil_stage canonical\n\
        \nsil @f : $() -> () {\n}\nsil @g : $() -> ()\n\
        \nsil_global @v : $Int\nsil @f : $() -> Int {\n}\n\
        \nsil_vtable [serialized] C {\n}\nsil_vtable N {\n  #A.N.deinit!deallocator: @a\n}\n\
        \nsil_vtable N {\n  #B.N.deinit!deallocator: @b\n}\nsil_witness_table <T> S<T>.U: P module m {\n}\n";

    fn found(index: &LibraryIndex, kind: LibraryEntity, name: &str) -> Option<&'static str> {
        index.find(kind, name).map(|extent| TEXT[extent.start as usize..extent.end as usize].trim_end())
    }

    #[test]
    fn entities_are_found_by_kind_and_name() {
        let index = LibraryIndex::of(TEXT);
        assert_eq!(found(&index, LibraryEntity::Function, "f"), Some("sil @f : $() -> Int {\n}"));
        assert_eq!(found(&index, LibraryEntity::Function, "g"), None);
        assert_eq!(found(&index, LibraryEntity::Declaration, "g"), Some("sil @g : $() -> ()"));
        assert_eq!(found(&index, LibraryEntity::Global, "v"), Some("sil_global @v : $Int"));
        assert_eq!(found(&index, LibraryEntity::Vtable, "C"), Some("sil_vtable [serialized] C {\n}"));
        assert_eq!(
            found(&index, LibraryEntity::Vtable, "A.N"),
            Some("sil_vtable N {\n  #A.N.deinit!deallocator: @a\n}")
        );
        let table = found(&index, LibraryEntity::WitnessTable, &conformance_name("S.U", "P"));
        assert_eq!(table, Some("sil_witness_table <T> S<T>.U: P module m {\n}"));
    }

    #[test]
    fn witnesses_are_found_by_their_function() {
        let witness = |indices: &str, function: &str| {
            format!(
                "\nsil_differentiability_witness [reverse] [parameters {indices}] [results 0] @{function} : $() -> () {{\n}}\n"
            )
        };
        let text = [witness("0 1", "f"), witness("0", "f"), witness("0", "fg")].concat();
        let index = LibraryIndex::of(&text);
        let found = index.differentiability_witnesses(&witness_prefix("f"));
        let found = found.into_iter().map(|extent| text[extent.start as usize..extent.end as usize].trim());
        let wanted = [witness("0 1", "f"), witness("0", "f")];
        assert_eq!(found.collect::<Vec<_>>(), wanted.each_ref().map(|text| text.trim()));
    }

    #[test]
    fn an_index_is_read_from_its_bytes_and_from_no_others() {
        let bytes = LibraryIndex::of(TEXT).as_bytes().to_vec();
        let index = LibraryIndex::from_bytes(bytes.clone(), TEXT.len()).map(|index| index.as_bytes().to_vec());
        assert_eq!(index, Some(bytes.clone()));
        assert!(LibraryIndex::from_bytes(bytes.clone(), TEXT.len() + 1).is_none());
        assert!(LibraryIndex::from_bytes(bytes[..HEADER + ENTRY].to_vec(), TEXT.len()).is_none());
        let other_format = [&(FORMAT + 1).to_le_bytes(), &bytes[4..]].concat();
        assert!(LibraryIndex::from_bytes(other_format, TEXT.len()).is_none());
    }

    /// A change of the search for entities requires a change of [`FORMAT`] and of this number.
    #[test]
    fn an_index_of_a_format_has_the_same_bytes_in_every_version() {
        let index = LibraryIndex::of(TEXT);
        let sum = index.as_bytes().iter().fold(0u32, |sum, byte| sum.rotate_left(5) ^ u32::from(*byte));
        assert_eq!((FORMAT, sum), (3, 551_476_059));
    }

    #[test]
    fn what_a_table_is_of() {
        let line =
            "sil_witness_table [serialized] <K, V where K : P<Int>> Dictionary<K, V>.Keys: Equatable module Swift {";
        assert_eq!(conformance_in(line), Some("Dictionary.Keys: Equatable".into()));
        let plain = "sil_witness_table hidden Int: P module m {";
        assert_eq!(conformance_in(plain), Some("Int: P".into()));
    }

    #[test]
    fn symbols_are_found_where_they_stand() {
        let text = "  %1 = function_ref @$sf : $() -> ()\n  %2 = global_addr @\"a b\" : $*Int\n  method #P.f: @g // x";
        assert_eq!(symbols_in(text).collect::<Vec<_>>(), ["$sf", "a b", "g"]);
    }
}

//! Cuts a module's text into its top-level entities and the Swift declarations between them, without reading them.

use super::code::Code;

/// The kind of an entity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum EntityKind {
    /// `sil_stage`
    Stage,
    /// `import`, with the attributes and the access level in front of it.
    Import,
    /// `sil`
    Function,
    /// `sil_global`
    Global,
    /// `sil_scope`
    Scope,
    /// `sil_vtable`
    VTable,
    /// `sil_witness_table`
    WitnessTable,
    /// `sil_default_witness_table`
    DefaultWitnessTable,
    /// `sil_default_override_table`
    DefaultOverrideTable,
    /// `sil_moveonlydeinit`
    MoveOnlyDeinit,
    /// `sil_property`
    Property,
    /// `sil_coverage_map`
    CoverageMap,
    /// `sil_differentiability_witness`
    DifferentiabilityWitness,
    /// Swift declarations.
    Declarations,
}

/// An entity: its kind, and the bytes from its keyword up to the next entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entity {
    pub(super) kind: EntityKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Returns the kind of entity that the keyword `word` begins.
fn kind_of(word: &[u8]) -> Option<EntityKind> {
    Some(match word {
        b"sil" => EntityKind::Function,
        b"sil_stage" => EntityKind::Stage,
        b"import" => EntityKind::Import,
        b"sil_global" => EntityKind::Global,
        b"sil_scope" => EntityKind::Scope,
        b"sil_vtable" => EntityKind::VTable,
        b"sil_witness_table" => EntityKind::WitnessTable,
        b"sil_default_witness_table" => EntityKind::DefaultWitnessTable,
        b"sil_default_override_table" => EntityKind::DefaultOverrideTable,
        b"sil_moveonlydeinit" => EntityKind::MoveOnlyDeinit,
        b"sil_property" => EntityKind::Property,
        b"sil_coverage_map" => EntityKind::CoverageMap,
        b"sil_differentiability_witness" => EntityKind::DifferentiabilityWitness,
        _ => return None,
    })
}

/// Cuts a text with this code into entities, in order. An entity begins with a keyword that is the first word of a line
/// outside of all braces.
pub(super) fn entities(code: &Code) -> Vec<Entity> {
    let mut scanner = Scanner { bytes: code.as_str().as_bytes(), at: 0, depth: 0, entities: Vec::new() };
    scanner.scan();
    scanner.entities
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    entities: Vec<Entity>,
}

impl Scanner<'_> {
    fn scan(&mut self) {
        if self.bytes.starts_with(BYTE_ORDER_MARK) {
            self.at = BYTE_ORDER_MARK.len();
        }
        while self.at < self.bytes.len() {
            let space = self.bytes[self.at..].iter().take_while(|byte| is_space(**byte)).count();
            self.at += space;
            if self.bytes.get(self.at).is_some_and(|byte| *byte != b'\n') {
                self.line();
                self.rest_of_line();
            }
            self.at += 1;
        }
        let end = self.bytes.len() as u32;
        self.finish_last(end);
    }

    /// Moves to the end of a line, counting its braces and skipping its quoted names.
    fn rest_of_line(&mut self) {
        loop {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().take_while(|byte| !MATTERS[**byte as usize]).count();
            match self.bytes.get(self.at) {
                Some(b'{') => self.depth += 1,
                Some(b'}') => self.depth = self.depth.saturating_sub(1),
                // In code, the closing quote is in the same line.
                Some(b'"') => {
                    let inner = &self.bytes[self.at + 1..];
                    self.at += 1 + memchr::memchr(b'"', inner).unwrap_or(inner.len());
                }
                Some(_) | None => return,
            }
            self.at += 1;
        }
    }

    /// Examines the first word of a line.
    fn line(&mut self) {
        let rest = &self.bytes[self.at..];
        if self.depth == 0 && is_modified_import(rest) {
            self.begin(EntityKind::Import);
            return;
        }
        let starts = rest.starts_with(b"sil") || rest.starts_with(b"import");
        if starts {
            let length = rest.iter().take_while(|byte| is_word(**byte)).count();
            // Recovers from a missing closing brace: these words begin no other line.
            let kind = kind_of(&rest[..length]).filter(|kind| self.depth == 0 || self.recovers(*kind, length));
            if let Some(kind) = kind {
                self.depth = 0;
                self.begin(kind);
                return;
            }
        }
        let declares = self.depth == 0 && self.entities.last().is_none_or(|last| last.kind != EntityKind::Declarations);
        if declares && self.begins_declaration() {
            self.begin(EntityKind::Declarations);
        }
    }

    /// Returns whether a `sil` function or global begins at the very start of a line, although a brace is open.
    fn recovers(&self, kind: EntityKind, length: usize) -> bool {
        let first = self.at == 0 || self.bytes[self.at - 1] == b'\n';
        let rest = &self.bytes[self.at + length..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        first && matches!(kind, EntityKind::Function | EntityKind::Global) && line.contains(&b'@')
    }

    /// Returns whether a declaration can begin here: not within the lines of another entity.
    fn begins_declaration(&self) -> bool {
        let Some(last) = self.entities.last() else { return true };
        let text = self.bytes[last.start as usize..self.at].trim_ascii_end();
        // A line that ends like this continues in the next one.
        if [&b","[..], b"(", b":", b"->", b"&"].iter().any(|open| text.ends_with(open)) {
            return false;
        }
        match last.kind {
            EntityKind::Declarations => false,
            // Entities that end with their line, or with a brace.
            EntityKind::Stage | EntityKind::Import => true,
            _ => self.at_declaration_word() || text.ends_with(b"}"),
        }
    }

    fn at_declaration_word(&self) -> bool {
        const WORDS: &[&str] = &[
            "struct",
            "class",
            "enum",
            "protocol",
            "extension",
            "actor",
            "func",
            "var",
            "let",
            "typealias",
            "public",
            "private",
            "internal",
            "fileprivate",
            "open",
            "final",
            "indirect",
            "operator",
            "prefix",
            "infix",
            "postfix",
            "precedencegroup",
            "package",
            "distributed",
            "nonisolated",
            "macro",
            "mutating",
            "static",
            "init",
            "deinit",
            "subscript",
            "dynamic",
            "weak",
            "unowned",
            "convenience",
            "required",
            "override",
            "case",
            "async",
        ];
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"@") || rest.starts_with(b"#") {
            return true;
        }
        let length = rest.iter().take_while(|byte| is_word(**byte)).count();
        WORDS.iter().any(|word| word.as_bytes() == &rest[..length])
    }

    fn begin(&mut self, kind: EntityKind) {
        let start = self.at as u32;
        self.finish_last(start);
        self.entities.push(Entity { kind, start, end: start });
    }

    fn finish_last(&mut self, end: u32) {
        if let Some(last) = self.entities.last_mut() {
            last.end = end;
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The access levels of imports.
const ACCESS: [&[u8]; 5] = [b"public", b"package", b"internal", b"fileprivate", b"private"];

/// Returns whether a line is `@preconcurrency internal import M`: an import with attributes or an access level.
fn is_modified_import(line: &[u8]) -> bool {
    if !line.first().is_some_and(|byte| matches!(byte, b'@' | b'p' | b'i' | b'f')) {
        return false;
    }
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.find(|word| !(word.starts_with(b"@") || ACCESS.contains(word))) == Some(b"import")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const MATTERS: [bool; 256] = {
    let mut matters = [false; 256];
    let bytes = b"{}\"\n";
    let mut index = 0;
    while index < bytes.len() {
        matters[bytes[index] as usize] = true;
        index += 1;
    }
    matters
};

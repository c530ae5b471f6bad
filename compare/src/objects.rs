//! Object files: the sizes and contents of their sections, and the sizes of the functions in them.

use std::collections::BTreeMap;

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

/// A section or function on both sides.
pub struct Sized {
    /// The name.
    pub name: String,
    /// Bytes in A, if it is there.
    pub a: Option<u64>,
    /// Bytes in B, if it is there.
    pub b: Option<u64>,
    /// Whether the contents are the same bytes; those of functions are compared with their sections.
    pub is_same: bool,
}

/// Two object files compared.
pub struct Objects {
    /// The name of A in reports.
    pub a: String,
    /// The name of B in reports.
    pub b: String,
    /// Sections that take room in memory, by name.
    pub sections: Vec<Sized>,
    /// Functions, by name.
    pub functions: Vec<Sized>,
}

impl Objects {
    /// Whether anything differs.
    pub fn differs(&self) -> bool {
        self.sections.iter().chain(&self.functions).any(|one| !one.is_same)
    }
}

/// Compares two object files, each given with its name. Fails with a message for bytes that are no object file.
pub fn compare((name_a, a): (String, &[u8]), (name_b, b): (String, &[u8])) -> Result<Objects, String> {
    let parse = |name: &str, bytes| object::File::parse(bytes).map_err(|error| format!("'{name}': {error}"));
    let (ours, theirs) = (parse(&name_a, a)?, parse(&name_b, b)?);
    Ok(Objects {
        sections: paired(sections(&ours), sections(&theirs)),
        functions: paired(functions(&ours), functions(&theirs)),
        a: name_a,
        b: name_b,
    })
}

/// A size, and the compared bytes.
type Content = (u64, Vec<u8>);

fn sections(file: &object::File<'_>) -> BTreeMap<String, Content> {
    let mut found: BTreeMap<String, Content> = BTreeMap::new();
    for section in file.sections() {
        let takes_room = !matches!(
            section.kind(),
            object::SectionKind::Metadata
                | object::SectionKind::Other
                | object::SectionKind::Note
                | object::SectionKind::Unknown
        );
        if let (true, Ok(name)) = (takes_room && section.size() > 0, section.name()) {
            let entry = found.entry(name.to_owned()).or_default();
            entry.0 += section.size();
            entry.1.extend_from_slice(section.data().unwrap_or_default());
        }
    }
    found
}

fn functions(file: &object::File<'_>) -> BTreeMap<String, Content> {
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    functions.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), (symbol.size(), Vec::new())))).collect()
}

fn paired(ours: BTreeMap<String, Content>, mut theirs: BTreeMap<String, Content>) -> Vec<Sized> {
    let mut all = Vec::new();
    for (name, content) in ours {
        let other = theirs.remove(&name);
        let is_same = other.as_ref() == Some(&content);
        all.push(Sized { name, a: Some(content.0), b: other.map(|other| other.0), is_same });
    }
    all.extend(theirs.into_iter().map(|(name, (size, _))| Sized { name, a: None, b: Some(size), is_same: false }));
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

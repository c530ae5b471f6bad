//! Libraries as SIL: what a module only declares gets its body from other text. Owns the index of such a text, by symbols and by what tables
//! are of, and the reading of what is asked for; nothing else of a library is read. What needs what is the business of passes.
//!
//! The entities are read with the declarations of the module that they are linked into, so a library's own declarations are not looked at.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bodies::{Owner, PendingBody, read_bodies};
use super::cursor::Cursor;
use super::names::symbol_name;
use super::reader::Reader;
use super::symbols::Symbols;
use crate::context::{Name, NominalId};
use crate::declarations::DeclarationTable;
use crate::diagnostic::Diagnostic;
use crate::model::{FunctionId, Linkage, Module, WitnessTable};
use crate::source::{FileId, SourceMap};
use crate::types::{ConformanceTable, TypeQueries};

/// Libraries as SIL, the first one that has something counts.
#[derive(Default)]
pub struct Libraries<'s> {
    indexes: Vec<Index<'s>>,
}

/// Where the entities of a library stand.
struct Index<'s> {
    file: FileId,
    text: &'s str,
    /// Functions with bodies.
    functions: FxHashMap<&'s str, Extent>,
    /// Functions that the library itself only declares.
    declarations: FxHashMap<&'s str, Extent>,
    globals: FxHashMap<&'s str, Extent>,
    /// By the conforming type without its arguments and the protocol.
    witness_tables: FxHashMap<(String, &'s str), Extent>,
    vtables: FxHashMap<&'s str, Extent>,
}

/// Functions of a large library have this many bytes or more on average: that of Embedded Swift 4,000.
const FUNCTION_LENGTH: usize = 4096;

/// First and last byte of an entity.
#[derive(Clone, Copy)]
struct Extent {
    start: u32,
    end: u32,
}

/// What a module wants of libraries.
#[derive(Default)]
pub struct Wanted {
    /// Functions that it declares.
    pub functions: FxHashSet<Name>,
    /// Witness tables: the declaration that conforms, and the protocol.
    pub witness_tables: FxHashSet<(NominalId, NominalId)>,
    /// Tables of classes.
    pub vtables: FxHashSet<NominalId>,
}

impl Wanted {
    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.witness_tables.is_empty() && self.vtables.is_empty()
    }
}

impl<'s> Libraries<'s> {
    /// The libraries in `files`.
    pub fn new(sources: &'s SourceMap, files: &[FileId]) -> Self {
        Self { indexes: files.iter().map(|file| Index::new(*file, &sources.file(*file).text)).collect() }
    }

    /// Whether a library has the body of a function.
    pub fn has_function(&self, name: &str) -> bool {
        self.indexes.iter().any(|index| index.functions.contains_key(name))
    }

    /// Reads what is wanted, as far as libraries have it, into `module`, with the lines of what its bodies refer to. Gives what is wrong with the
    /// text.
    pub fn link(&self, module: &mut Module, wanted: &Wanted) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for index in &self.indexes {
            let declarations = std::mem::take(&mut module.declarations);
            index.link(module, &declarations, wanted, &mut diagnostics);
            module.declarations = declarations;
        }
        diagnostics
    }
}

impl<'s> Index<'s> {
    fn new(file: FileId, text: &'s str) -> Self {
        let mut index = Self {
            file,
            text,
            functions: FxHashMap::with_capacity_and_hasher(text.len() / FUNCTION_LENGTH, Default::default()),
            declarations: FxHashMap::default(),
            globals: FxHashMap::default(),
            witness_tables: FxHashMap::default(),
            vtables: FxHashMap::default(),
        };
        let mut starts = memchr::memmem::find_iter(text.as_bytes(), b"\nsil").map(|at| at + 1).peekable();
        while let Some(start) = starts.next() {
            let end = starts.peek().copied().unwrap_or(text.len());
            index.add(&text[start..end], Extent { start: start as u32, end: end as u32 });
        }
        index
    }

    fn add(&mut self, entity: &'s str, extent: Extent) {
        let line = entity.split('\n').next().unwrap_or_default();
        let has_body = line.ends_with('{');
        match line.split(' ').next() {
            Some("sil") => {
                let functions = if has_body { &mut self.functions } else { &mut self.declarations };
                if let Some(symbol) = symbol_in(line) {
                    functions.insert(symbol, extent);
                }
            }
            Some("sil_global") => {
                if let Some(symbol) = symbol_in(line) {
                    self.globals.insert(symbol, extent);
                }
            }
            Some("sil_witness_table") if has_body => {
                if let Some(key) = conformance_in(line) {
                    self.witness_tables.insert(key, extent);
                }
            }
            Some("sil_vtable") => {
                let class = line.trim_end_matches(['{', ' ']).rsplit(' ').next().unwrap_or_default();
                self.vtables.insert(class, extent);
            }
            _ => {}
        }
    }

    fn link(
        &self,
        module: &mut Module,
        declarations: &DeclarationTable,
        wanted: &Wanted,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let context = module.context.clone();
        let mut reading = Reading {
            index: self,
            module,
            reader: Reader::new(&context, declarations, Cursor::new(self.text, self.file)),
            bodies: Vec::new(),
        };
        reading.tables(declarations, wanted);
        reading.functions(&wanted.functions);
        let Reading { module, reader, bodies, .. } = reading;
        diagnostics.extend(reader.diagnostics);
        let conformances = ConformanceTable::new(&context, &module.witness_tables);
        let queries = TypeQueries::new(&context, declarations, &conformances, module.mode, module.address_lowering);
        let read: Vec<_> = read_bodies(&bodies, self.text, self.file, &queries, &symbols_of(module)).collect();
        for (owner, mut read) in read {
            owner.take(read.body, module);
            diagnostics.append(&mut read.diagnostics);
        }
    }
}

/// What is read of one library at once.
struct Reading<'r, 's> {
    index: &'r Index<'s>,
    module: &'r mut Module,
    reader: Reader<'r>,
    bodies: Vec<PendingBody>,
}

impl Reading<'_, '_> {
    fn functions(&mut self, wanted: &FxHashSet<Name>) {
        let mut names: Vec<Name> = wanted.iter().copied().collect();
        // Numbers of names depend on what was read before, and so on threads; places in the text do not.
        names.retain(|name| self.extent_of(*name).is_some());
        names.sort_by_key(|name| self.extent_of(*name).map(|extent| extent.start));
        for name in names {
            let Some(extent) = self.extent_of(name) else { continue };
            let known = self.module.function_named(name);
            if known.is_some_and(|id| self.module.functions[id].body.is_some()) {
                continue;
            }
            if let Some((id, start)) = self.function_line(extent, known) {
                let function = &self.module.functions[id];
                let owner = Owner::Function { id, name: function.name, signature: function.signature };
                self.bodies.push(PendingBody { owner, start, end: extent.end });
                self.mentioned(extent);
            }
        }
    }

    fn extent_of(&self, name: Name) -> Option<Extent> {
        self.index.functions.get(self.reader.context.text(name)).copied()
    }

    /// Reads the line of a function, which takes the place of one that only declares it; gives where its body begins.
    fn function_line(&mut self, extent: Extent, known: Option<FunctionId>) -> Option<(FunctionId, u32)> {
        self.reader.cursor = Cursor::within(self.index.text, self.index.file, extent.start, extent.end);
        match self.reader.function_header() {
            Ok(header) => {
                let mut function = header.function;
                function.linkage = as_external(function.linkage);
                let id = match known {
                    Some(id) => {
                        self.module.functions[id] = function;
                        id
                    }
                    None => self.module.add_function(function),
                };
                header.body.map(|start| (id, start))
            }
            Err(error) => {
                self.reader.diagnostics.push(*error);
                None
            }
        }
    }

    /// Reads the lines of what the text of an entity names, and is not known yet.
    fn mentioned(&mut self, extent: Extent) {
        let text = self.index.text;
        for symbol in symbols_in(&text[extent.start as usize..extent.end as usize]) {
            let name = self.reader.context.name(symbol);
            let index = self.index;
            if let Some(found) = index.functions.get(symbol).or_else(|| index.declarations.get(symbol)) {
                if self.module.function_named(name).is_none() {
                    self.function_line(*found, None);
                }
            } else if let Some(found) = self.index.globals.get(symbol)
                && self.module.global_named(name).is_none()
            {
                self.global(*found);
            }
        }
    }

    fn global(&mut self, extent: Extent) {
        self.reader.cursor = Cursor::within(self.index.text, self.index.file, extent.start, extent.end);
        match self.reader.global_header() {
            Ok(header) => {
                let id = self.module.add_global(header.global);
                if let Some(start) = header.initializer {
                    self.bodies.push(PendingBody { owner: Owner::Global(id), start, end: extent.end });
                    self.mentioned(extent);
                }
            }
            Err(error) => self.reader.diagnostics.push(*error),
        }
    }

    fn tables(&mut self, declarations: &DeclarationTable, wanted: &Wanted) {
        let context = self.reader.context;
        let text = |name: Name| context.text(name);
        let path = |nominal: NominalId| path_of(declarations, nominal, &text);
        let conformances = wanted.witness_tables.iter();
        let keys = conformances.map(|(conforming, protocol)| (path(*conforming), path(*protocol)));
        let found = keys.filter_map(|(ty, protocol)| self.index.witness_tables.get(&(ty, protocol.as_str())).copied());
        let mut tables: Vec<Extent> = found.collect();
        tables.sort_by_key(|extent| extent.start);
        for extent in tables {
            self.reader.cursor = Cursor::within(self.index.text, self.index.file, extent.start, extent.end);
            match self.reader.witness_table() {
                Ok(table) => {
                    let linkage = as_external(table.linkage);
                    self.module.witness_tables.push(WitnessTable { linkage, ..table });
                }
                Err(error) => self.reader.diagnostics.push(*error),
            }
            self.mentioned(extent);
        }
        let classes = wanted.vtables.iter();
        let found = classes.filter_map(|class| self.index.vtables.get(path(*class).as_str()).copied());
        let mut tables: Vec<Extent> = found.collect();
        tables.sort_by_key(|extent| extent.start);
        for extent in tables {
            self.reader.cursor = Cursor::within(self.index.text, self.index.file, extent.start, extent.end);
            match self.reader.vtable() {
                Ok(table) => self.module.vtables.push(table),
                Err(error) => self.reader.diagnostics.push(*error),
            }
            self.mentioned(extent);
        }
    }
}

/// The path of a declaration as tables name it: `Dictionary.Keys`.
fn path_of<'c>(declarations: &DeclarationTable, nominal: NominalId, text: &impl Fn(Name) -> &'c str) -> String {
    let declaration = declarations.get(nominal);
    match declaration.parent {
        Some(parent) => format!("{}.{}", path_of(declarations, parent, text), text(declaration.name)),
        None => text(declaration.name).to_owned(),
    }
}

/// What a definition that another module owns is in the module that it is linked into.
fn as_external(linkage: Linkage) -> Linkage {
    match linkage {
        Linkage::Public => Linkage::PublicExternal,
        Linkage::Package => Linkage::PackageExternal,
        Linkage::Hidden | Linkage::Private => Linkage::HiddenExternal,
        Linkage::PublicNonAbi | Linkage::PackageNonAbi => Linkage::Shared,
        Linkage::Shared
        | Linkage::PublicExternal
        | Linkage::PackageExternal
        | Linkage::HiddenExternal
        | Linkage::SharedExternal
        | Linkage::PrivateExternal => linkage,
    }
}

fn symbols_of(module: &Module) -> Symbols {
    let functions = module.functions.iter().map(|(id, function)| (function.name, (id, function.ty)));
    let globals = module.globals.iter().map(|(id, global)| (global.name, (id, global.ty)));
    Symbols { functions: functions.collect(), globals: globals.collect(), ..Symbols::default() }
}

/// The first symbol of a line.
fn symbol_in(line: &str) -> Option<&str> {
    symbols_in(line).next()
}

/// The symbols of a text: what follows an `@` that stands behind a space. Attributes of types look the same; nothing has their names.
fn symbols_in(text: &str) -> impl Iterator<Item = &str> {
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
            std::borrow::Cow::Borrowed(name) => Some(name),
            std::borrow::Cow::Owned(_) => None,
        }
    })
}

/// What a witness table is of: `("Dictionary.Keys", "Equatable")` of `sil_witness_table <K, V> Dictionary<K, V>.Keys: Equatable module Swift {`.
fn conformance_in(line: &str) -> Option<(String, &str)> {
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
    Some((path, protocol))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_table_is_of() {
        let line =
            "sil_witness_table [serialized] <K, V where K : P<Int>> Dictionary<K, V>.Keys: Equatable module Swift {";
        assert_eq!(conformance_in(line), Some(("Dictionary.Keys".into(), "Equatable")));
        let plain = "sil_witness_table hidden Int: P module m {";
        assert_eq!(conformance_in(plain), Some(("Int".into(), "P")));
    }

    #[test]
    fn symbols_are_found_where_they_stand() {
        let text = "  %1 = function_ref @$sf : $() -> ()\n  %2 = global_addr @\"a b\" : $*Int\n  method #P.f: @g // x";
        assert_eq!(symbols_in(text).collect::<Vec<_>>(), ["$sf", "a b", "g"]);
    }
}

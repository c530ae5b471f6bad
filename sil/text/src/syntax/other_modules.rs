//! Modules that are read together. The declarations of one module, or of a library as SIL, are the declarations that
//! its import provides to the others. Owns the assignment of texts to modules: a dump does not state its name, so that
//! its symbols determine it. Embedded Swift prints no symbols of a module whose code is all generic; such a module is
//! the one that the others import and no other text provides.

use sil_ir::source::{FileId, SourceMap};
use std::collections::BTreeSet;

use super::code::Code;
use super::declarations::{CoroutineAccessors, Evolution};
use super::evolution::evolution_of;
use super::known;
use super::library::is_library;
use super::linking::Library;
use super::mode::UNTOLD_MODE;
use super::module::imported_module;
use super::module_name::name_of;
use super::scan::{EntityKind, entities};

/// The modules in several files.
#[derive(Default)]
pub struct OtherModules {
    modules: Vec<OtherModule>,
}

/// The facts about a module that others need.
pub(super) struct OtherModule {
    pub(super) name: String,
    pub(super) file: FileId,
    /// The extents of its declarations: first byte and end.
    pub(super) declarations: Vec<(u32, u32)>,
    /// The code of its text.
    pub(super) code: Code,
    /// The modules that it imports.
    pub(super) imports: Vec<String>,
    /// Whether it uses library evolution.
    pub(super) evolution: Evolution,
    /// The coroutines among its accessors.
    pub(super) coroutines: CoroutineAccessors,
    /// Whether its text omits its imports.
    pub(super) omits_imports: bool,
    role: Role,
}

/// The role of a text for the modules that are read with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A module of the same program.
    Module,
    /// A library as SIL.
    Library,
}

/// The number of bytes of a library's text, after the declarations, that are searched for its name.
const NAME_WITHIN: usize = 1 << 20;

/// The prefixes of Swift symbols; Embedded Swift has its own (docs/ABI/Mangling.rst).
const PREFIXES: [&str; 2] = ["$s", "$e"];

impl OtherModules {
    /// Returns the modules in `files` and those of `libraries`. A text without a known name provides nothing to others.
    /// Libraries whose declarations silc knows, such as the standard library, are not read here and provide nothing.
    pub fn of(sources: &SourceMap, files: &[FileId], libraries: &[Library]) -> Self {
        // A single module has no other modules to import.
        let files = if files.len() > 1 { files } else { &[] };
        let mut modules: Vec<_> = files.iter().map(|file| OtherModule::new(sources, *file)).collect();
        name_the_rest(sources, &mut modules);
        let named = modules.into_iter().filter_map(|(name, module)| Some(OtherModule { name: name?, ..module }));
        let mut modules: Vec<OtherModule> = named.collect();
        for library in libraries {
            let is_new = |name: &String| !known::knows_whole(name) && modules.iter().all(|module| module.name != *name);
            if let Some(name) = name_of_library(&sources.file(library.file).text).filter(is_new) {
                let (_, module) = OtherModule::new(sources, library.file);
                modules.push(OtherModule { name: name.to_owned(), role: Role::Library, ..module });
            }
        }
        Self { modules }
    }

    /// Marks the modules with one of `names` as using library evolution, whatever their texts show.
    pub fn evolving(mut self, names: &[String]) -> Self {
        for module in self.modules.iter_mut().filter(|module| names.contains(&module.name)) {
            module.evolution = Evolution::Enabled;
            module.coroutines = CoroutineAccessors::of(module.code.as_str(), module.evolution);
        }
        self
    }

    /// Returns the modules to which symbols in `code` belong. Libraries are excluded, as a text may itself declare the
    /// parts of them that it needs.
    pub(super) fn mentioned(&self, code: &str) -> Vec<&str> {
        let modules = self.modules.iter().filter(|module| module.role == Role::Module);
        let names = modules.map(|module| module.name.as_str());
        let is_mentioned =
            |name: &&str| PREFIXES.iter().any(|prefix| code.contains(&format!("@{prefix}{}{name}", name.len())));
        names.filter(is_mentioned).collect()
    }

    /// Returns the modules of `imports` and their transitive imports, in the order of discovery.
    pub(super) fn imported(&self, imports: &[&str]) -> Vec<&OtherModule> {
        let mut wanted: Vec<&str> = imports.to_vec();
        let mut next = 0;
        while let Some(name) = wanted.get(next) {
            let found = self.modules.iter().filter(|module| module.name == *name);
            let more: Vec<&str> = found.flat_map(|module| self.imports_of(module)).collect();
            for name in more {
                if !wanted.contains(&name) {
                    wanted.push(name);
                }
            }
            next += 1;
        }
        self.modules.iter().filter(|module| wanted.contains(&module.name.as_str())).collect()
    }

    /// Returns the modules that a module may import. A library does not state its imports, and may export any other
    /// library, as Foundation does.
    fn imports_of<'m>(&'m self, module: &'m OtherModule) -> impl Iterator<Item = &'m str> {
        let libraries = self.modules.iter().filter(|other| module.omits_imports && other.omits_imports);
        module.imports.iter().map(String::as_str).chain(libraries.map(|other| other.name.as_str()))
    }
}

/// Whether symbols in `code` mention something of `module`: an identifier follows its length (docs/ABI/Mangling.rst,
/// "Identifiers").
pub(super) fn mentions_module(code: &str, module: &str) -> bool {
    memchr::memmem::find(code.as_bytes(), format!("{}{module}", module.len()).as_bytes()).is_some()
}

/// Names the modules without symbols, by the imported modules that no text provides: by the file's name, `Lib.sil`, or
/// if there is only one of each.
fn name_the_rest(sources: &SourceMap, modules: &mut [(Option<String>, OtherModule)]) {
    let imports = modules.iter().flat_map(|(_, module)| module.imports.iter());
    let mut wanted: BTreeSet<String> = imports.filter(|name| !known::knows(name)).cloned().collect();
    wanted.retain(|name| modules.iter().all(|(known, _)| known.as_ref() != Some(name)));
    let stem = |file: FileId| {
        let name = sources.file(file).path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split('.').next().unwrap_or_default().to_owned()
    };
    for (name, module) in modules.iter_mut().filter(|(name, _)| name.is_none()) {
        *name = wanted.take(&stem(module.file));
    }
    let mut unnamed = modules.iter_mut().filter(|(name, module)| name.is_none() && !module.declarations.is_empty());
    if let (Some((name, module)), None, 1) = (unnamed.next(), unnamed.next(), wanted.len()) {
        *name = wanted.pop_first().filter(|wanted| !module.imports.contains(wanted));
    }
}

/// Returns the name of a library by its first symbols.
fn name_of_library(text: &str) -> Option<String> {
    let declared = memchr::memmem::find(text.as_bytes(), b"\nsil").unwrap_or(0);
    let first = &text[declared..text.floor_char_boundary(declared + NAME_WITHIN)];
    let code = Code::of(first);
    name_of(code.as_str(), &entities(&code), UNTOLD_MODE)
}

impl OtherModule {
    /// Creates a module, with its name if its text determines it.
    fn new(sources: &SourceMap, file: FileId) -> (Option<String>, Self) {
        let code = Code::of(&sources.file(file).text);
        let entities = entities(&code);
        let text = code.as_str();
        let slice = |start: u32, end: u32| &text[start as usize..end as usize];
        let of_kind = |kind| entities.iter().filter(move |entity| entity.kind == kind);
        let imports =
            of_kind(EntityKind::Import).map(|entity| imported_module(slice(entity.start, entity.end)).to_owned());
        let name = name_of(text, &entities, UNTOLD_MODE);
        let evolution = evolution_of(text, &entities);
        let module = Self {
            name: String::new(),
            file,
            declarations: of_kind(EntityKind::Declarations).map(|entity| (entity.start, entity.end)).collect(),
            imports: imports.collect(),
            evolution,
            coroutines: CoroutineAccessors::of(text, evolution),
            omits_imports: is_library(text, &entities),
            role: Role::Module,
            code,
        };
        (name, module)
    }
}

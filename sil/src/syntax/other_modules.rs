//! Modules that are read beside each other: the declarations of one are what its import brings to the others, and so are those of libraries
//! as SIL. Owns which text is which module's; a dump does not say its name, so its symbols do. Embedded Swift prints no symbols of a module whose code is all generic: then
//! it is what the others import and nothing else is.

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
use crate::source::{FileId, SourceMap};

/// The modules in several files.
#[derive(Default)]
pub struct OtherModules {
    modules: Vec<OtherModule>,
}

/// What others need of a module.
pub(super) struct OtherModule {
    pub(super) name: String,
    pub(super) file: FileId,
    /// Where its declarations stand: first and last byte.
    pub(super) declarations: Vec<(u32, u32)>,
    /// The code of its text.
    pub(super) code: Code,
    /// What it imports.
    pub(super) imports: Vec<String>,
    /// Whether it may change what its types store.
    pub(super) evolution: Evolution,
    /// Which coroutines are among its accessors.
    pub(super) coroutines: CoroutineAccessors,
    /// Whether its text leaves out what it imports.
    pub(super) omits_imports: bool,
    role: Role,
}

/// What a text is to those that are read beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A module like them.
    Module,
    /// A library as SIL.
    Library,
}

/// How much of a library's text its name is looked for in, in bytes: behind the declarations, which come first.
const NAME_WITHIN: usize = 1 << 20;

/// What symbols of Swift begin with: those of Embedded Swift are others (docs/ABI/Mangling.rst).
const PREFIXES: [&str; 2] = ["$s", "$e"];

impl OtherModules {
    /// The modules in `files`, and those that `libraries` have the SIL of; a text that nothing tells the name of brings nothing to others. Of
    /// libraries that are known without their text, such as the standard library, little is read here, and their text brings nothing.
    pub fn of(sources: &SourceMap, files: &[FileId], libraries: &[Library]) -> Self {
        // One module has no others to import.
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

    /// The same, where those called like one of `names` may change what their types store, whether their texts show it or not.
    pub fn evolving(mut self, names: &[String]) -> Self {
        for module in self.modules.iter_mut().filter(|module| names.contains(&module.name)) {
            module.evolution = Evolution::Enabled;
            module.coroutines = CoroutineAccessors::of(module.code.as_str(), module.evolution);
        }
        self
    }

    /// The modules whose declarations the symbols in `code` are of. What is read with a library may declare itself what it needs of that.
    pub(super) fn mentioned(&self, code: &str) -> Vec<&str> {
        let modules = self.modules.iter().filter(|module| module.role == Role::Module);
        let names = modules.map(|module| module.name.as_str());
        let is_mentioned =
            |name: &&str| PREFIXES.iter().any(|prefix| code.contains(&format!("@{prefix}{}{name}", name.len())));
        names.filter(is_mentioned).collect()
    }

    /// The modules that `imports` name, and those that these may import, in the order of the files.
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

    /// What a module may import: a library does not say it, and may export any other library, as Foundation does.
    fn imports_of<'m>(&'m self, module: &'m OtherModule) -> impl Iterator<Item = &'m str> {
        let libraries = self.modules.iter().filter(|other| module.omits_imports && other.omits_imports);
        module.imports.iter().map(String::as_str).chain(libraries.map(|other| other.name.as_str()))
    }
}

/// Names the modules that have no symbols, among those that others import and nothing else is: by the name of the file, `Lib.sil`, or where
/// there is only one of each.
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

/// The name of a library by its first symbols.
fn name_of_library(text: &str) -> Option<String> {
    let declared = memchr::memmem::find(text.as_bytes(), b"\nsil").unwrap_or(0);
    let first = &text[declared..text.floor_char_boundary(declared + NAME_WITHIN)];
    let code = Code::of(first);
    name_of(code.as_str(), &entities(&code), UNTOLD_MODE)
}

impl OtherModule {
    /// A module, with its name as far as its text tells it.
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

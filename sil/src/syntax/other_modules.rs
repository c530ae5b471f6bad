//! Modules that are read beside each other: the declarations of one are what its import brings to the others. Owns which text is which
//! module's; a dump does not say its name, so its symbols do.

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
    /// What it imports.
    pub(super) imports: Vec<String>,
}

impl OtherModules {
    /// The modules in `files`; a file whose symbols tell no name brings nothing to others.
    pub fn of(sources: &SourceMap, files: &[FileId]) -> Self {
        let modules = files.iter().filter_map(|file| OtherModule::new(sources, *file));
        Self { modules: modules.collect() }
    }

    /// The modules that `imports` name, and those that these import, in the order of the files.
    pub(super) fn imported(&self, imports: &[&str]) -> Vec<&OtherModule> {
        let mut wanted: Vec<&str> = imports.to_vec();
        let mut next = 0;
        while let Some(name) = wanted.get(next) {
            let found = self.modules.iter().filter(|module| module.name == *name);
            let more: Vec<&str> = found.flat_map(|module| module.imports.iter().map(String::as_str)).collect();
            for name in more {
                if !wanted.contains(&name) {
                    wanted.push(name);
                }
            }
            next += 1;
        }
        self.modules.iter().filter(|module| wanted.contains(&module.name.as_str())).collect()
    }
}

impl OtherModule {
    fn new(sources: &SourceMap, file: FileId) -> Option<Self> {
        let text = sources.file(file).text.as_str();
        let entities = entities(text);
        let slice = |start: u32, end: u32| &text[start as usize..end as usize];
        let of_kind = |kind| entities.iter().filter(move |entity| entity.kind == kind);
        let imports =
            of_kind(EntityKind::Import).map(|entity| imported_module(slice(entity.start, entity.end)).to_owned());
        let name = name_of(text, &entities)?;
        Some(Self {
            name: name.to_owned(),
            file,
            declarations: of_kind(EntityKind::Declarations).map(|entity| (entity.start, entity.end)).collect(),
            imports: imports.collect(),
        })
    }
}

//! Modules that are read beside each other: the declarations of one are what its import brings to the others. Owns which text is which
//! module's; a dump does not say its name, so its symbols do.

use std::collections::BTreeMap;

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
        let functions = of_kind(EntityKind::Function).map(|entity| slice(entity.start, entity.end));
        let name = name_of(text, &entities).or_else(|| name_in_symbols(functions))?;
        Some(Self {
            name: name.to_owned(),
            file,
            declarations: of_kind(EntityKind::Declarations).map(|entity| (entity.start, entity.end)).collect(),
            imports: imports.collect(),
        })
    }
}

/// The module whose name begins most symbols of functions with bodies that no other module may own.
fn name_in_symbols<'a>(functions: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for function in functions {
        let Some((before, symbol)) = function.split_once('@') else { continue };
        let elsewhere = before.contains("shared") || before.contains("_external");
        if !elsewhere && function.contains(" {\n") {
            let symbol = symbol.strip_prefix("$s").or_else(|| symbol.strip_prefix("$e"));
            if let Some(name) = symbol.and_then(first_identifier) {
                *counts.entry(name).or_default() += 1;
            }
        }
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(name, _)| name)
}

/// `Lib` of `3Lib5PointV…` (docs/ABI/Mangling.rst, "Identifiers").
fn first_identifier(mangled: &str) -> Option<&str> {
    let digits = mangled.len() - mangled.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let length: usize = mangled[..digits].parse().ok().filter(|length| *length > 0)?;
    if mangled.starts_with('0') {
        return None;
    }
    mangled.get(digits..digits.checked_add(length)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_tell_the_name_of_a_module() {
        let functions = [
            "sil @$s3Lib5PointV1xSdvg : $@convention(method) (Point) -> Double {\n}",
            "sil shared @$s5Other1fyyF : $@convention(thin) () -> () {\n}",
            "sil @$s5Other1gyyF : $@convention(thin) () -> ()",
            "sil @main : $@convention(c) () -> () {\n}",
        ];
        assert_eq!(name_in_symbols(functions.into_iter()), Some("Lib"));
        assert_eq!(name_in_symbols(functions.into_iter().skip(1)), None);
    }
}

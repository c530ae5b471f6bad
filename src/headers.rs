//! The C headers named on the command line, and those of the C modules that the inputs import.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use headers::{HeaderError, HeaderOptions, Headers, module_files};
use sil::declarations::with_exported;

use crate::arguments::HeaderArguments;
use crate::report::{Reporter, Status};

/// The parameters for reading headers once the imports of the inputs are known.
#[derive(Clone, Copy)]
pub struct HeaderReader<'a> {
    /// The arguments of the command line.
    pub arguments: &'a HeaderArguments,
    /// Clang's arguments for the target.
    pub clang_arguments: &'a [String],
    /// Clang's module map of the C library in the toolchain whose library is linked. It is only read if the inputs
    /// import that module and libclang is available: most programs only use functions of it, whose types are in the
    /// SIL.
    pub c_library_map: Option<&'a Path>,
}

impl HeaderReader<'_> {
    /// Reads the headers, if any are named or imported by the texts of the inputs.
    pub fn read<'t>(
        &self,
        texts: impl Iterator<Item = &'t str>,
        reporter: &Reporter,
    ) -> Result<Option<Arc<Headers>>, Status> {
        let read = || {
            let options = self.options(texts)?;
            if options.files.is_empty() {
                return Ok(None);
            }
            match Headers::read(&options, self.clang_arguments) {
                Err(HeaderError::NoLibclang) if !self.arguments.are_given() => Ok(None),
                read => read.map(|headers| Some(Arc::new(headers))),
            }
        };
        read().map_err(|error: HeaderError| reporter.backend(&irgen::Error::from(error)))
    }

    fn options<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Result<HeaderOptions, HeaderError> {
        let folders = self.arguments.include_folders.iter().map(|folder| format!("-I{}", folder.display()));
        let definitions = self.arguments.definitions.iter().map(|definition| format!("-D{definition}"));
        let map = self.c_library_map.map(|map| format!("-fmodule-map-file={}", map.display()));
        let flags = self.arguments.c_flag.iter().cloned();
        let arguments: Vec<String> = folders.chain(definitions).chain(flags).chain(map).collect();
        let mut files = self.arguments.import_header.clone();
        let mut notes = Vec::new();
        if !arguments.is_empty() {
            let of_modules = module_files(&arguments, &texts.flat_map(imports).collect())?;
            files
                .extend(of_modules.headers.into_iter().filter(|header| !self.arguments.import_header.contains(header)));
            notes = of_modules.notes;
        }
        Ok(HeaderOptions { files, notes, arguments })
    }
}

/// Returns the modules that a text imports, by the first components of their names. Exported modules are included if
/// the text names C types, since reading the C library is slow. Attributes and modifiers may precede an import.
fn imports(text: &str) -> BTreeSet<String> {
    let names = text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace().skip_while(|word| word.starts_with('@') || ACCESS.contains(word));
        let name =
            words.next().filter(|word| *word == "import").and_then(|_| words.find(|word| !KINDS.contains(word)))?;
        name.split('.').next()
    });
    let mut names: Vec<&str> = names.collect();
    if mentions_c_types(text) {
        names = with_exported(&names);
    }
    let c_name = |name: &str| RE_EXPORTED.iter().find(|(swift, _)| *swift == name).map_or(name, |(_, c)| c).to_owned();
    names.into_iter().map(c_name).collect()
}

/// Returns whether symbols in `text` mention C types, such as `So8timespecV` (docs/ABI/Mangling.rst, "Substitutions").
fn mentions_c_types(text: &str) -> bool {
    text.match_indices("So").any(|(at, prefix)| text.as_bytes().get(at + prefix.len()).is_some_and(u8::is_ascii_digit))
}

/// Modules of Swift's toolchain that re-export a C module with another name.
const RE_EXPORTED: [(&str, &str); 2] = [("Glibc", "SwiftGlibc"), ("Musl", "SwiftMusl")];

/// The modifiers that may precede `import`.
const ACCESS: [&str; 5] = ["public", "package", "internal", "fileprivate", "private"];

/// The keywords that may follow `import`.
const KINDS: [&str; 8] = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_by_the_modules_that_they_name() {
        let text = "sil_stage canonical\n\nimport Builtin\n@_exported import Hal.Uart\ninternal import struct Board.Pin\n\
                    // import Not\n@preconcurrency import Glibc\nsil @import : $@convention(thin) () -> ()\n";
        let found: Vec<String> = imports(text).into_iter().collect();
        assert_eq!(found, ["Board", "Builtin", "Hal", "SwiftGlibc"]);
    }

    #[test]
    fn what_imported_modules_export_counts_where_types_of_c_are_named() {
        let names = |text| imports(text).contains("SwiftGlibc");
        assert!(!names("import Foundation\nsil @$s1m1fyyF : $@convention(thin) () -> ()\n"));
        assert!(names("import Foundation\nsil @$s1m1fyySo8timespecVF : $@convention(thin) (timespec) -> ()\n"));
        assert!(!names("import Swift\nsil @$s1m1fyySo8timespecVF : $@convention(thin) (timespec) -> ()\n"));
    }
}

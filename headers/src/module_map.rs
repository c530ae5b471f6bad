//! Clang's module maps: which headers the modules have that Swift code imports by name.
//!
//! The other parts of a module map (exports, links, requirements) do not matter for declarations.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::error::HeaderError;

/// The name that clang looks for in folders of headers.
const FILE_NAME: &str = "module.modulemap";

/// The headers of modules.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct ModuleFiles {
    /// Their headers.
    pub headers: Vec<PathBuf>,
    /// The files that give their declarations names and attributes for Swift, each beside its map.
    pub notes: Vec<PathBuf>,
}

/// The files of the modules of these names, by the maps that clang's `arguments` bring: those in folders of `-I`, and
/// those that `-fmodule-map-file` names. Modules that no map has are none of C.
///
/// Fails where a map that is named is not there.
pub fn module_files(arguments: &[String], modules: &BTreeSet<String>) -> Result<ModuleFiles, HeaderError> {
    let mut files = ModuleFiles::default();
    for path in maps(arguments) {
        files.add(&path, |name| modules.contains(name))?;
    }
    Ok(files)
}

/// The files of all modules of the map at `path`.
///
/// Fails where it is not there.
pub fn files_of_map(path: &Path) -> Result<ModuleFiles, HeaderError> {
    let mut files = ModuleFiles::default();
    files.add(path, |_| true)?;
    Ok(files)
}

impl ModuleFiles {
    /// Adds those of the wanted modules of the map at `path`.
    fn add(&mut self, path: &Path, is_wanted: impl Fn(&String) -> bool) -> Result<(), HeaderError> {
        let text = std::fs::read_to_string(path).map_err(|_| HeaderError::NoHeader { path: path.to_owned() })?;
        let folder = path.parent().unwrap_or(Path::new("."));
        for module in read(&text).iter().filter(|module| is_wanted(&module.name)) {
            self.headers.extend(module.headers.iter().map(|header| folder.join(header)));
            for umbrella in &module.umbrellas {
                self.headers.extend(headers_below(&folder.join(umbrella)));
            }
            self.notes.extend(Some(folder.join(format!("{}.apinotes", module.name))).filter(|path| path.is_file()));
        }
        Ok(())
    }
}

/// The paths of the maps, in the order of the arguments.
fn maps(arguments: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(argument) = rest.next() {
        if let Some(file) = argument.strip_prefix("-fmodule-map-file=") {
            found.push(PathBuf::from(file));
        } else if let Some(folder) = argument.strip_prefix("-I") {
            let folder = if folder.is_empty() { rest.next().unwrap_or_default() } else { folder };
            found.extend(Some(Path::new(folder).join(FILE_NAME)).filter(|path| path.is_file()));
        }
    }
    found
}

/// All headers in a folder and those below it, in the order of their names.
fn headers_below(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        folder.read_dir().into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    let mut headers = Vec::new();
    for path in entries {
        if path.is_dir() {
            headers.extend(headers_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "h") {
            headers.push(path);
        }
    }
    headers
}

/// A module of the outermost level, with the headers of its submodules.
#[derive(Debug, Default, PartialEq, Eq)]
struct Module {
    name: String,
    /// Headers by their paths.
    headers: Vec<String>,
    /// Folders whose headers are all the module's.
    umbrellas: Vec<String>,
}

/// A word of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Word(&'t str),
    Text(&'t str),
    Open,
    Close,
    Other,
}

/// The modules of the outermost level. A construct that is not understood is skipped.
fn read(text: &str) -> Vec<Module> {
    let tokens = tokens(text);
    let mut modules: Vec<Module> = Vec::new();
    let mut depth = 0_usize;
    // Headers that are textual or excluded are not imported.
    let mut is_left_out = false;
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).copied();
        match (token, next) {
            (Token::Open, _) => depth += 1,
            (Token::Close, _) => depth = depth.saturating_sub(1),
            (Token::Word("module"), Some(Token::Word(name) | Token::Text(name))) if depth == 0 => {
                modules.push(Module { name: name.to_owned(), ..Module::default() });
            }
            (Token::Word("exclude" | "textual"), _) => is_left_out = true,
            (Token::Word("header"), Some(Token::Text(path))) => {
                if !std::mem::take(&mut is_left_out)
                    && let Some(module) = modules.last_mut()
                {
                    module.headers.push(path.to_owned());
                }
            }
            (Token::Word("umbrella"), Some(Token::Text(path))) => {
                if let Some(module) = modules.last_mut() {
                    module.umbrellas.push(path.to_owned());
                }
            }
            _ => {}
        }
    }
    modules
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let (token, length) = if let Some(comment) = rest.strip_prefix("//") {
            (None, 2 + comment.find('\n').unwrap_or(comment.len()))
        } else if let Some(comment) = rest.strip_prefix("/*") {
            (None, 2 + comment.find("*/").map_or(comment.len(), |end| end + 2))
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').unwrap_or(quoted.len());
            (Some(Token::Text(&quoted[..end])), (end + 2).min(rest.len()))
        } else if is_part(first) {
            let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
            (Some(Token::Word(&rest[..end])), end)
        } else {
            let token = match first {
                '{' => Token::Open,
                '}' => Token::Close,
                _ => Token::Other,
            };
            (Some(token), first.len_utf8())
        };
        found.extend(token);
        rest = rest[length..].trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(name: &str, headers: &[&str], umbrellas: &[&str]) -> Module {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Module { name: name.to_owned(), headers: owned(headers), umbrellas: owned(umbrellas) }
    }

    #[test]
    fn modules_have_their_headers_and_those_of_modules_in_them() {
        let text = r#"
            // module Not { header "not.h" }
            module Hal [system] { /* all of it */
              header "hal.h"
              explicit module Uart { header "uart/uart.h" export * }
              textual header "generated.inc"
              exclude header "internal.h"
              link "hal"
            }
            extern module Elsewhere "elsewhere.modulemap"
            framework module "Quoted" { umbrella header "all.h" umbrella "parts" }
        "#;
        let expected = [
            module("Hal", &["hal.h", "uart/uart.h"], &[]),
            module("Elsewhere", &[], &[]),
            module("Quoted", &["all.h"], &["parts"]),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        for text in ["", "module", "module {", "} } \"", "header \"x", "/* ", "//", "é module é { header \"é.h\""] {
            read(text);
        }
    }

    #[test]
    fn maps_are_those_that_are_named_and_those_in_folders() {
        let arguments = ["-fmodule-map-file=a.modulemap", "-I", "no/such/folder", "-Ino/such", "-DX"];
        assert_eq!(maps(&arguments.map(str::to_owned)), [PathBuf::from("a.modulemap")]);
    }
}

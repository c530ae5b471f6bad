//! Parses the linker's messages: missing or duplicate symbols, and their inputs. Supports the messages of lld, for ELF
//! and for WebAssembly, and of GNU's linker; other messages are kept unchanged.

use std::path::PathBuf;

use crate::error::{DuplicateSymbol, LinkFailure, SymbolPlace, UndefinedSymbol};

/// Reads the linker's standard error. `objects`: the inputs' files and names.
pub(super) fn parse(text: &str, objects: &[(PathBuf, String)]) -> LinkFailure {
    let mut parser = Parser {
        objects,
        failure: LinkFailure::default(),
        last: Last::Other,
        line_before_added_place: false,
        within: None,
    };
    text.lines().for_each(|line| parser.line(line));
    parser.failure
}

/// The subject of lld's `>>>` lines.
#[derive(Clone, Copy)]
enum Last {
    Undefined,
    Duplicate,
    Other,
}

struct Parser<'a> {
    objects: &'a [(PathBuf, String)],
    failure: LinkFailure,
    last: Last,
    /// Whether the previous `>>>` line added a place.
    line_before_added_place: bool,
    /// The place of GNU's preceding "in function" line.
    within: Option<SymbolPlace>,
}

impl Parser<'_> {
    fn line(&mut self, line: &str) {
        if let Some(detail) = line.strip_prefix(">>> ") {
            self.lld_detail(detail);
        } else if let Some((_, symbol)) = split_at_message(line, "undefined symbol: ") {
            self.failure.undefined.push(UndefinedSymbol { symbol: symbol.to_owned(), references: Vec::new() });
            self.last = Last::Undefined;
        } else if let Some((object, symbol)) = webassembly_undefined(line) {
            let place = self.place(object);
            let missing = self.failure.undefined.iter_mut().find(|missing| missing.symbol == symbol);
            match missing {
                Some(missing) => missing.references.extend(place),
                None => {
                    let references = Vec::from_iter(place);
                    self.failure.undefined.push(UndefinedSymbol { symbol: symbol.to_owned(), references });
                }
            }
        } else if let Some((_, symbol)) = split_at_message(line, "duplicate symbol: ") {
            self.failure.duplicates.push(DuplicateSymbol { symbol: symbol.to_owned(), definitions: Vec::new() });
            self.last = Last::Duplicate;
        } else if !self.gnu_line(line) {
            self.other(line);
        }
    }

    /// Parses `referenced by DIR/0.o:(main)`, `defined at DIR/0.o:(f)`, `defined in DIR/0.o`; or the name of a source
    /// file there, with the place in the next line.
    fn lld_detail(&mut self, detail: &str) {
        let text = detail.trim_start();
        let first = ["referenced by ", "defined at ", "defined in "].iter().find_map(|word| text.strip_prefix(word));
        let place = self.place(first.unwrap_or(text));
        let places = match self.last {
            Last::Undefined => self.failure.undefined.last_mut().map(|missing| &mut missing.references),
            Last::Duplicate => self.failure.duplicates.last_mut().map(|twice| &mut twice.definitions),
            Last::Other => None,
        };
        let Some(places) = places else { return };
        if first.is_none() && self.line_before_added_place {
            // The previous line named the source file of the same place.
            places.pop();
        }
        let new = place.filter(|place| !places.contains(place));
        self.line_before_added_place = new.is_some();
        places.extend(new);
    }

    /// Parses a line of GNU's linker. Returns whether it is a known one.
    fn gnu_line(&mut self, line: &str) -> bool {
        if let Some((before, rest)) = line.split_once(": in function `") {
            let function = rest.split('\'').next().map(str::to_owned);
            self.within = self.place(before).map(|place| SymbolPlace { function, ..place });
            return true;
        }
        if let Some((before, rest)) = line.split_once(": undefined reference to `") {
            let symbol = rest.trim_end_matches('\'').to_owned();
            let reference = self.gnu_place(before);
            match self.failure.undefined.iter_mut().find(|missing| missing.symbol == symbol) {
                Some(missing) => missing.references.extend(reference),
                None => {
                    self.failure.undefined.push(UndefinedSymbol { symbol, references: Vec::from_iter(reference) });
                }
            }
            return true;
        }
        if let Some((before, rest)) = line.split_once(": multiple definition of `") {
            let (symbol, first) = rest.split_once("'; ").unwrap_or((rest.trim_end_matches('\''), ""));
            let definitions = [self.place(first), self.gnu_place(before)].into_iter().flatten();
            let definitions = definitions.map(|place| SymbolPlace { function: None, ..place }).collect();
            self.failure.duplicates.push(DuplicateSymbol { symbol: symbol.to_owned(), definitions });
            return true;
        }
        false
    }

    /// If GNU's linker names a source file, the object is in the preceding "in function" line.
    fn gnu_place(&self, text: &str) -> Option<SymbolPlace> {
        let names_object = self.objects.iter().any(|(path, _)| contains_path(text, &path.to_string_lossy()));
        if names_object { self.place(text) } else { self.within.clone().or_else(|| self.place(text)) }
    }

    /// Keeps a line that is neither a summary nor empty, without the linker's own name.
    fn other(&mut self, line: &str) {
        self.last = Last::Other;
        let is_summary = line.contains("ld returned") || line.contains("linker command failed");
        if line.trim().is_empty() || is_summary || line.contains(": warning: ") {
            return;
        }
        let message = split_at_message(line, "error: ").map_or(line, |(_, message)| message);
        self.failure.other.push(self.with_input_names(message));
    }

    /// Returns the place in a text such as `DIR/0.o:(main)` or `ld: DIR/0.o:(.text+0x5)`.
    fn place(&self, text: &str) -> Option<SymbolPlace> {
        let inside = text.rsplit_once(":(").map(|(_, rest)| rest.trim_end_matches([')', ':']));
        let inside = inside.and_then(|rest| rest.split(')').next());
        let function = inside
            .map(|inside| inside.strip_prefix("function ").unwrap_or(inside))
            .map(|inside| inside.split(": ").next().unwrap_or(inside))
            .filter(|inside| !inside.starts_with('.'))
            .map(str::to_owned);
        let known = self.objects.iter().find(|(path, _)| contains_path(text, &path.to_string_lossy()));
        let input = match known {
            Some((_, name)) => name.clone(),
            None => {
                let file = text.rsplit_once(":(").map_or(text, |(file, _)| file);
                let file = file.rsplit_once(": ").map_or(file, |(_, file)| file);
                if file.is_empty() || !file.contains(['/', '.']) {
                    return None;
                }
                file.rsplit('/').next().unwrap_or(file).to_owned()
            }
        };
        Some(SymbolPlace { input, function })
    }

    fn with_input_names(&self, message: &str) -> String {
        self.objects
            .iter()
            .fold(message.to_owned(), |message, (path, name)| message.replace(&*path.to_string_lossy(), name))
    }
}

/// Returns whether a text contains a complete path, not just a prefix of a longer one.
fn contains_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + path.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Splits `wasm-ld: error: DIR/0.o: undefined symbol: f` into the object and the symbol.
fn webassembly_undefined(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = split_at_message(line, "error: ")?;
    rest.split_once(": undefined symbol: ")
}

/// Splits at an lld message: `ld.lld-22: error: undefined symbol: f`.
fn split_at_message<'a>(line: &'a str, message: &str) -> Option<(&'a str, &'a str)> {
    let (program, rest) = line.split_once(": error: ")?;
    let rest = if message == "error: " { rest } else { rest.strip_prefix(message)? };
    Some((program, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects() -> Vec<(PathBuf, String)> {
        vec![(PathBuf::from("/tmp/d/0.o"), "a.sil".to_owned()), (PathBuf::from("/tmp/d/10.o"), "b.sil".to_owned())]
    }

    fn place(input: &str, function: Option<&str>) -> SymbolPlace {
        SymbolPlace { input: input.to_owned(), function: function.map(str::to_owned) }
    }

    #[test]
    fn lld_is_understood() {
        let text = "ld.lld-22: error: undefined symbol: $s1a1fyyF\n\
                    >>> referenced by /tmp/d/0.o:(main)\n\
                    >>> referenced by b.swift\n\
                    >>>               /tmp/d/10.o:(function g: .text.g+0x5)\n\
                    \n\
                    ld.lld-22: error: duplicate symbol: f\n\
                    >>> defined at a\n\
                    >>>            /tmp/d/0.o:(f)\n\
                    >>> defined at b\n\
                    >>>            /tmp/d/10.o:(.text.f+0x0)\n\
                    ld.lld-22: error: /tmp/d/0.o: unknown file type\n\
                    ld.lld-22: warning: nothing\n";
        let failure = parse(text, &objects());
        assert_eq!(
            failure.undefined,
            [UndefinedSymbol {
                symbol: "$s1a1fyyF".to_owned(),
                references: vec![place("a.sil", Some("main")), place("b.sil", Some("g"))],
            }]
        );
        assert_eq!(
            failure.duplicates,
            [DuplicateSymbol {
                symbol: "f".to_owned(),
                definitions: vec![place("a.sil", Some("f")), place("b.sil", None)],
            }]
        );
        assert_eq!(failure.other, ["a.sil: unknown file type"]);
    }

    #[test]
    fn wasm_ld_is_understood() {
        let text = "wasm-ld: error: /tmp/d/0.o: undefined symbol: f\n\
                    wasm-ld: error: /tmp/d/10.o: undefined symbol: f\n\
                    wasm-ld: error: duplicate symbol: g\n\
                    >>> defined in /tmp/d/0.o\n\
                    >>> defined in /tmp/d/10.o\n";
        let failure = parse(text, &objects());
        let places = [place("a.sil", None), place("b.sil", None)];
        assert_eq!(failure.undefined, [UndefinedSymbol { symbol: "f".to_owned(), references: places.to_vec() }]);
        assert_eq!(failure.duplicates, [DuplicateSymbol { symbol: "g".to_owned(), definitions: places.to_vec() }]);
        assert!(failure.other.is_empty(), "{:?}", failure.other);
    }

    #[test]
    fn gnu_ld_is_understood() {
        let text = "/usr/bin/ld: /tmp/d/0.o: in function `main':\n\
                    a.c:(.text+0x5): undefined reference to `f'\n\
                    /usr/bin/ld: /tmp/d/10.o:(.text+0x0): multiple definition of `g'; /tmp/d/0.o:(.text+0x0): first defined here\n\
                    collect2: error: ld returned 1 exit status\n";
        let failure = parse(text, &objects());
        assert_eq!(failure.undefined[0].symbol, "f");
        assert_eq!(failure.undefined[0].references, [place("a.sil", Some("main"))]);
        assert_eq!(failure.duplicates[0].symbol, "g");
        assert_eq!(failure.duplicates[0].definitions, [place("a.sil", None), place("b.sil", None)]);
        assert!(failure.other.is_empty(), "{:?}", failure.other);
    }
}

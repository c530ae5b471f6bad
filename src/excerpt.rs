//! Text that contains SIL and other text: logs of `-sil-print-before` and similar options, articles with fences and
//! prompts, dumps with omitted parts or demangled symbols.
//!
//! Owns: detection of such text, and extraction of the SIL for `--lenient`. The other text is replaced with spaces, so
//! that the SIL keeps its positions. Does not own: parsing of SIL.

use std::collections::BTreeMap;
use std::ops::Range;

/// The kind of text around SIL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surrounding {
    /// The header of one of several dumps: `*** SIL module before …`.
    Head,
    /// A Markdown fence.
    Fence,
    /// A shell prompt with a command.
    Prompt,
    /// An ellipsis, `...`, in place of omitted lines.
    Ellipsis,
    /// A symbol in the form that `swift-demangle` prints.
    DemangledName,
}

impl Surrounding {
    /// Returns the message for a text that contains it.
    pub fn message(self) -> &'static str {
        match self {
            Surrounding::Head => {
                "this is a log of several dumps, as `-sil-print-before` and its like write it, not one module"
            }
            Surrounding::Fence => "this is an article with SIL in it, not SIL alone",
            Surrounding::Prompt => "this is what a terminal shows, not SIL alone",
            Surrounding::Ellipsis => "a part of this SIL was left out here",
            Surrounding::DemangledName => {
                "the symbols of this SIL are demangled: what `swift-demangle` writes is no SIL"
            }
        }
    }

    /// Returns a hint for the user.
    pub fn hint(self) -> &'static str {
        match self {
            Surrounding::Head => "take one of the dumps, or have `--lenient` read the last one",
            Surrounding::Fence | Surrounding::Prompt => "take the SIL out of it, or have `--lenient` do so",
            Surrounding::Ellipsis => "`--lenient` reads the functions that are whole",
            Surrounding::DemangledName => "emit it without `swift-demangle`, or have `--lenient` make up symbols",
        }
    }
}

/// Returns the first surrounding text in `text`, and its range.
pub fn surrounding(text: &str) -> Option<(Surrounding, Range<usize>)> {
    let code = sil::syntax::code_of(text);
    Lines::new(&code).find_map(|line| {
        let kind = line.surrounding()?;
        let whole = line.start..line.start + line.text.trim_end().len();
        Some((kind, line.demangled_name().filter(|_| kind == Surrounding::DemangledName).unwrap_or(whole)))
    })
}

/// Returns the SIL of a text, as far as it can be recognised.
pub fn sil_alone(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let code = sil::syntax::code_of(text);
    outside_of_fences(&code).into_iter().for_each(|range| blank(&mut bytes, range));
    for line in Lines::new(&code).filter(|line| line.is_prompt()) {
        blank(&mut bytes, line.range());
    }
    superseded_dumps(&code).into_iter().for_each(|range| blank(&mut bytes, range));
    left_out(&code).into_iter().for_each(|range| blank(&mut bytes, range));
    let text = in_utf8(bytes);
    let code = sil::syntax::code_of(&text);
    let mut bytes = text.into_bytes();
    for name in Lines::new(&code).filter_map(|line| line.demangled_name()) {
        make_symbol(&mut bytes[name]);
    }
    in_utf8(bytes)
}

/// Decodes bytes in which spaces replace whole characters, and underscores replace non-ASCII characters in names.
fn in_utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A line and its offset.
struct Line<'t> {
    text: &'t str,
    start: usize,
}

/// The lines of a text.
struct Lines<'t> {
    rest: &'t str,
    start: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text, start: 0 }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let (text, rest) = self.rest.split_at(self.rest.find('\n').map_or(self.rest.len(), |end| end + 1));
        let line = Line { text, start: self.start };
        (self.rest, self.start) = (rest, self.start + text.len());
        Some(line)
    }
}

/// The text before the symbol of an instruction, which is followed by its type.
const NAMES_SYMBOL: [&str; 6] = [
    "function_ref @",
    "dynamic_function_ref @",
    "alloc_global @",
    "global_addr @",
    "global_value @",
    "base_addr_for_offset @",
];

impl Line<'_> {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn surrounding(&self) -> Option<Surrounding> {
        if self.is_head() {
            Some(Surrounding::Head)
        } else if self.is_fence() {
            Some(Surrounding::Fence)
        } else if self.is_prompt() {
            Some(Surrounding::Prompt)
        } else if self.is_ellipsis() {
            Some(Surrounding::Ellipsis)
        } else {
            self.demangled_name().map(|_| Surrounding::DemangledName)
        }
    }

    /// Returns whether the line is a dump header such as `*** SIL function after #12, stage …`
    /// (lib/SILOptimizer/PassManager/PassManager.cpp, `dumpPassInfo`).
    fn is_head(&self) -> bool {
        self.text.trim_start().starts_with("*** SIL ")
    }

    fn is_fence(&self) -> bool {
        let text = self.text.trim_start();
        text.starts_with("```") || text.starts_with("~~~")
    }

    /// Returns whether the line is a prompt such as `$ swiftc -emit-sil a.swift`. No line of SIL has this form.
    fn is_prompt(&self) -> bool {
        const SIGNS: [&str; 5] = ["$ ", "% ", "❯ ", "➜ ", ">>> "];
        let text = self.text.trim_start();
        let command = SIGNS.iter().find_map(|sign| text.strip_prefix(sign));
        command.is_some_and(|command| command.starts_with(|first: char| first.is_ascii_alphabetic() || first == '.'))
    }

    fn is_ellipsis(&self) -> bool {
        let text = self.text.trim();
        matches!(text, "..." | "…" | "[...]" | "[…]" | "<...>") || text.ends_with("= ...") || text.ends_with("= …")
    }

    /// Returns whether a function begins here.
    fn is_function(&self) -> bool {
        self.text.starts_with("sil ")
    }

    /// Returns the range of the name after `@` if it is not a valid SIL symbol, such as `main.f(Swift.Int) -> ()`.
    fn demangled_name(&self) -> Option<Range<usize>> {
        let text = self.text.trim_end();
        let is_entity = self.is_function() || text.starts_with("sil_global ");
        let after_word = || NAMES_SYMBOL.iter().find_map(|word| Some(text.find(word)? + word.len()));
        // Attributes in brackets may contain `@`.
        let after_attributes = || text.rfind("] @").map(|at| at + "] @".len()).or_else(|| Some(text.find('@')? + 1));
        let (start, end) = if let Some(start) = if is_entity { after_attributes() } else { after_word() } {
            (start, text[start..].find(" : $").map_or(text.len(), |end| start + end))
        } else {
            // An entry of a table. Its declaration can contain `@` and `#` as well, for `#fileID` and attributes.
            let entry = text.trim_start();
            let is_entry = entry.starts_with('#') || entry.starts_with("method #");
            let start = is_entry.then(|| text.rfind(": @")).flatten()? + ": @".len();
            (start, text[start..].find(" [").map_or(text.len(), |end| start + end))
        };
        let name = &text[start..end];
        let is_odd = |character: char| !(character.is_alphanumeric() || matches!(character, '_' | '$'));
        // No demangled name begins with a dollar sign, and locations may follow a symbol.
        let is_demangled = !name.starts_with(['"', '$']) && name.len() > SYMBOL.len() && name.contains(is_odd);
        is_demangled.then(|| self.start + start..self.start + end)
    }
}

/// Returns the ranges outside of fences, for a text with fences.
fn outside_of_fences(code: &str) -> Vec<Range<usize>> {
    if !Lines::new(code).any(|line| line.is_fence()) {
        return Vec::new();
    }
    let mut is_inside = false;
    let mut outside = Vec::new();
    for line in Lines::new(code) {
        let is_fence = line.is_fence();
        if !is_inside || is_fence {
            outside.push(line.range());
        }
        is_inside ^= is_fence;
    }
    outside
}

/// Returns the ranges of the dump headers, and of all dumps of a module or function except the last one.
fn superseded_dumps(code: &str) -> Vec<Range<usize>> {
    let heads: Vec<Range<usize>> = Lines::new(code).filter(Line::is_head).map(|line| line.range()).collect();
    let Some(first) = heads.first() else { return Vec::new() };
    let mut taken_out: Vec<Range<usize>> = std::iter::once(0..first.start).collect();
    let ends = heads.iter().skip(1).map(|head| head.start).chain([code.len()]);
    let mut last: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    for (head, end) in heads.iter().zip(ends) {
        taken_out.push(head.clone());
        let dump = head.end..end;
        let text = &code[dump.clone()];
        if Lines::new(text).any(|line| line.text.starts_with("sil_stage ")) {
            // A module dump contains everything dumped before it.
            taken_out.extend(std::mem::take(&mut last).into_values());
        }
        let function = Lines::new(text).find(Line::is_function).and_then(|line| line.text.split_once('@'));
        let name = function.map_or("", |(_, name)| name.split(" : $").next().unwrap_or(name));
        taken_out.extend(last.insert(name, dump));
    }
    taken_out
}

/// Returns the ranges of ellipses, and of the function bodies around them: only declarations are kept.
fn left_out(code: &str) -> Vec<Range<usize>> {
    let mut taken_out = Vec::new();
    let mut body: Option<usize> = None;
    let mut is_whole = true;
    for line in Lines::new(code) {
        let text = line.text.trim_end();
        if line.is_function() {
            body = text.ends_with('{').then(|| line.start + text.len() - 1);
            is_whole = true;
        }
        if line.is_ellipsis() {
            is_whole = false;
            taken_out.push(line.range());
        }
        if text == "}"
            && let Some(start) = body.take()
            && !is_whole
        {
            taken_out.push(start..line.start + text.len());
        }
    }
    // A body that is cut off at the end of the text.
    if let Some(start) = body {
        taken_out.push(start..code.len());
    }
    taken_out
}

/// The prefix of Swift symbols.
const SYMBOL: &[u8] = b"$s";

/// Replaces a name with a symbol of the same length.
fn make_symbol(name: &mut [u8]) {
    for byte in name.iter_mut().filter(|byte| !byte.is_ascii_alphanumeric()) {
        *byte = b'_';
    }
    if let Some(beginning) = name.first_chunk_mut::<{ SYMBOL.len() }>() {
        beginning.copy_from_slice(SYMBOL);
    }
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    bytes[range].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Option<Surrounding> {
        surrounding(text).map(|(kind, _)| kind)
    }

    #[test]
    fn what_stands_beside_sil_is_found() {
        assert_eq!(kind("*** SIL module before  Guaranteed Passes ***\nsil_stage raw\n"), Some(Surrounding::Head));
        assert_eq!(kind("Here is SIL:\n```sil\nsil_stage raw\n```\n"), Some(Surrounding::Fence));
        assert_eq!(kind("$ swiftc -emit-sil a.swift\nsil_stage raw\n"), Some(Surrounding::Prompt));
        assert_eq!(kind("sil @f : $() -> () {\nbb0:\n  ...\n}\n"), Some(Surrounding::Ellipsis));
        assert_eq!(kind("sil @main.f() -> () : $() -> ()\n"), Some(Surrounding::DemangledName));
        assert_eq!(
            kind("  %1 = function_ref @closure #1 () in main.f() : $() -> ()\n"),
            Some(Surrounding::DemangledName)
        );
    }

    #[test]
    fn sil_has_nothing_beside_it() {
        let text = "sil_stage raw // ...\n/*\n```\n*/\nsil [_semantics \"a.b\"] @\"a b\" : $@convention(thin) () -> () {\nbb0:\n  \
                    %0 = function_ref @$s4main1fyyF : $@convention(thin) () -> ()\n}\n\nsil_vtable C {\n  #C.f: (C) -> () -> () : \
                    @$s4main1CC1fyyF [override]\n}\n";
        assert_eq!(kind(text), None);
        assert_eq!(sil_alone(text), text);
    }

    #[test]
    fn the_last_dump_counts() {
        let text = "*** SIL function after A\nsil @f : $() -> ()\n*** SIL function after B\nsil @g : $() -> ()\n*** SIL function after C\nsil @f : $() -> Int\n";
        let lines = |text: &str| {
            sil_alone(text)
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(text), ["sil @g : $() -> ()", "sil @f : $() -> Int"]);
        let modules = "swiftc …\n*** SIL module before A\nsil_stage raw\nsil @f : $() -> ()\n*** SIL module after A\nsil_stage canonical\n";
        assert_eq!(lines(modules), ["sil_stage canonical"]);
    }

    #[test]
    fn functions_that_are_not_whole_are_declared() {
        let text = "sil @f : $() -> () {\nbb0:\n  ...\n}\nsil @g : $() -> () {\nbb0:\n}\n...\n";
        let left = sil_alone(text);
        assert_eq!(
            left.split_whitespace().collect::<Vec<_>>().join(" "),
            "sil @f : $() -> () sil @g : $() -> () { bb0: }"
        );
        assert_eq!(left.len(), text.len());
    }

    #[test]
    fn demangled_names_become_symbols() {
        let text = "sil @main.f<A>(A) -> () : $@convention(thin) () -> ()\n";
        assert_eq!(sil_alone(text), "sil @$sin_f_A__A_______ : $@convention(thin) () -> ()\n");
    }

    #[test]
    fn of_an_article_the_fenced_lines_are_left() {
        let text = "Don't \"worry\":\n```\nsil_stage raw\n```\nDone…\n";
        assert_eq!(sil_alone(text).trim(), "sil_stage raw");
    }
}

//! Optimisation remarks as YAML, in LLVM's format (llvm/lib/Remarks/YAMLRemarkSerializer.cpp).

use std::fmt::Write;

use sil::context::SilType;
use sil::model::Module;
use sil::print::Printer;
use sil::source::{SourceMap, Span};
use sil::symbols::{Style, demangle_as};
use sil::transform::{Outcome, Remark, RemarkPart};

/// The column of values, after the keys.
const VALUES: usize = 17;
/// A flow mapping continues on a new line after this column.
const WIDTH: usize = 70;

/// Returns a remark about a function of `module` as a YAML document.
pub fn text(remark: &Remark, module: &Module, sources: &SourceMap) -> String {
    let record = Record { module, sources };
    let outcome = match remark.outcome {
        Outcome::Passed => "Passed",
        Outcome::Missed => "Missed",
    };
    let symbol = module.context.text(remark.function);
    let function = demangle_as(symbol, Style::Simplified).unwrap_or_else(|| symbol.to_owned());
    let mut out = format!("--- !{outcome}\n");
    entry(&mut out, "", "Pass", &scalar(remark.pass));
    entry(&mut out, "", "Name", &scalar(&format!("sil.{}", remark.name)));
    record.place(&mut out, "", remark.span, remark.span.start);
    entry(&mut out, "", "Function", &scalar(&function));
    out.push_str("Args:\n");
    remark.parts.iter().for_each(|part| record.part(&mut out, part));
    out.push_str("...\n");
    out
}

struct Record<'r> {
    module: &'r Module,
    sources: &'r SourceMap,
}

impl Record<'_> {
    fn part(&self, out: &mut String, part: &RemarkPart) {
        match part {
            RemarkPart::Text(text) => entry(out, "  - ", "String", &scalar(text)),
            RemarkPart::Type(key, ty) => {
                let mut printer = Printer::new(&self.module.context, &self.module.declarations);
                printer.sil_type(SilType::object(*ty));
                entry(out, "  - ", key, &scalar(without_convention(printer.out.trim_start_matches('$'))));
            }
            RemarkPart::Function(key, symbol, span) => {
                let symbol = self.module.context.text(*symbol);
                let name = demangle_as(symbol, Style::SimplifiedWithModules);
                entry(out, "  - ", key, &scalar(&format!("\"{}\"", name.as_deref().unwrap_or(symbol))));
                let start = self.first_reference(symbol, *span).unwrap_or_else(|| self.start_of_name(*span));
                self.place(out, "    ", *span, start);
            }
        }
    }

    /// Returns the position of the first `function_ref` to the function in front of its own declaration, where Swift's
    /// parser creates it.
    fn first_reference(&self, symbol: &str, span: Span) -> Option<u32> {
        let before = self.sources.file(span.file).text.get(..span.start as usize)?;
        let goes_on = |character: char| character.is_ascii_alphanumeric() || "_$".contains(character);
        let reference = "function_ref ";
        [format!("@{symbol}"), format!("@\"{symbol}\"")]
            .iter()
            .filter_map(|name| {
                let written = format!("{reference}{name}");
                let mut references = before.match_indices(&written);
                let found = references.find(|(at, found)| !before[at + found.len()..].starts_with(goes_on));
                found.map(|(at, _)| (at + reference.len()) as u32)
            })
            .min()
    }

    /// Returns the position of the function's name in its declaration.
    fn start_of_name(&self, span: Span) -> u32 {
        let text = self.sources.file(span.file).text.get(span.start as usize..).unwrap_or_default();
        let mut is_quoted = false;
        let at = text.char_indices().find(|(_, character)| {
            is_quoted ^= *character == '"';
            *character == '@' && !is_quoted
        });
        at.map_or(span.start, |(at, _)| span.start + at as u32 + 1)
    }

    fn place(&self, out: &mut String, indentation: &str, span: Span, offset: u32) {
        let file = self.sources.file(span.file);
        let position = file.position(offset);
        let start = format!("{indentation}{:<VALUES$}", "DebugLoc:");
        let mut line = format!("{start}{{ File: {}", scalar(&file.path.to_string_lossy()));
        for (key, value) in [("Line", position.line), ("Column", position.column)] {
            line.push_str(", ");
            if line.lines().last().map_or(0, |last| last.chars().count()) > WIDTH {
                line.truncate(line.trim_end().len());
                // Writing to a string does not fail.
                let _ = write!(line, " \n{:1$}", "", start.chars().count() + 2);
            }
            let _ = write!(line, "{key}: {value}");
        }
        out.push_str(&line);
        out.push_str(" }\n");
    }
}

fn entry(out: &mut String, indentation: &str, key: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{indentation}{:<VALUES$}{value}", format!("{key}:"));
}

/// Returns a function type without its convention.
fn without_convention(ty: &str) -> &str {
    let rest = ty.strip_prefix("@convention(").and_then(|rest| rest.split_once(") "));
    rest.map_or(ty, |(_, rest)| rest)
}

/// Returns a text as a scalar, quoted if necessary (llvm/include/llvm/Support/YAMLTraits.h).
fn scalar(text: &str) -> String {
    const INDICATORS: &str = "-?:\\,[]{}#&*!|>'\"%@`";
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-^., \t".contains(character);
    let is_word = |words: &[&str]| words.contains(&text);
    if text.chars().any(|character| !character.is_ascii() || character.is_ascii_control() && character != '\t') {
        return format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    }
    let needs_quotes = text.is_empty()
        || text.starts_with(char::is_whitespace)
        || text.ends_with(char::is_whitespace)
        || text.starts_with(|first| INDICATORS.contains(first))
        || is_word(&["null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE"])
        || text.parse::<f64>().is_ok()
        || !text.chars().all(is_plain);
    if needs_quotes { format!("'{}'", text.replace('\'', "''")) } else { text.to_owned() }
}

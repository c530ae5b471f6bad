//! Code shared by the fuzz targets: reading a text, and mutating one so that it stays SIL more often than with
//! random changes of bytes.

use std::sync::Arc;

use sil::context::Context;
use sil::source::{SourceFile, SourceMap};
use sil::syntax::ParseOutcome;

/// A text that was read.
pub struct Parsed {
    /// The outcome of the reading.
    pub outcome: ParseOutcome,
    sources: SourceMap,
}

/// Reads a text.
pub fn parse(text: &str) -> Parsed {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("input".into(), text.to_owned()));
    let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &Default::default());
    Parsed { outcome, sources }
}

impl Parsed {
    /// Whether nothing was wrong.
    pub fn is_ok(&self) -> bool {
        self.outcome.is_ok()
    }

    /// The module as text.
    pub fn print(&self) -> String {
        sil::print::print_module(&self.outcome.module, &self.sources)
    }
}

/// Changes the first `size` bytes of `data` and returns how many there are then, at most `max_size`. Half of the time
/// lines and words are moved; the other half is libFuzzer's own mutation, which knows the operands of comparisons.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(u64::from(seed) << 1 | 1);
    let text = std::str::from_utf8(&data[..size]).ok().filter(|text| !text.is_empty() && random.below(2) == 0);
    let Some(changed) = text.and_then(|text| changed(text, &mut random)) else {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    };
    let size = changed.len().min(max_size);
    data[..size].copy_from_slice(&changed.as_bytes()[..size]);
    size
}

/// The text with a line or a word changed. None for a text that has too few.
fn changed(text: &str, random: &mut Random) -> Option<String> {
    if random.below(3) > 0 {
        return changed_word(text, random);
    }
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (from, to) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => drop(lines.remove(from)),
        1 => lines.insert(to, lines[from]),
        _ => lines.swap(from, to),
    }
    Some(lines.concat())
}

/// The text with a word in place of another one, of the same text and most often of the same kind.
fn changed_word(text: &str, random: &mut Random) -> Option<String> {
    let words = words(text);
    let (start, end) = *words.get(random.below(words.len().max(1)))?;
    let kind = |start: usize| text.as_bytes()[start].is_ascii_alphanumeric();
    let alike: Vec<_> = words.iter().filter(|(other, _)| kind(*other) == kind(start)).collect();
    let (other, other_end) = *alike[random.below(alike.len())];
    let kept_end = if random.below(8) == 0 { start } else { end };
    let word = if random.below(8) == 0 { "" } else { &text[other..other_end] };
    Some([&text[..start], word, &text[kept_end..]].concat())
}

/// Where words begin and end: names with the sign before them, and single characters between them.
fn words(text: &str) -> Vec<(usize, usize)> {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut words = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((start, first)) = characters.next() {
        if first.is_whitespace() {
            continue;
        }
        let mut end = start + first.len_utf8();
        while is_name(first) || "%@#$".contains(first) {
            let Some((at, next)) = characters.next_if(|(_, next)| is_name(*next)) else { break };
            end = at + next.len_utf8();
        }
        words.push((start, end));
    }
    words
}

/// A sequence of numbers that its seed decides (xorshift).
struct Random(u64);

impl Random {
    /// A number below `bound`, which is not zero.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

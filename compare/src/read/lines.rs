//! From lines of LLVM's printing back to lines of the file that was read: LLVM keeps the order of symbols'
//! instructions, so the nth of a function is the nth in both, where both have as many.

use rustc_hash::FxHashMap;

use super::outline::{Outline, SymbolText, lines, outline};
use super::{header_of, symbol_name};
use crate::model::Span;

/// For each line of `printed`, from 0, the number in `original`, from 1; none if the two do not have the same form.
pub fn original_lines(printed: &str, outline_of_printed: &Outline<'_>, original: &str) -> Option<Vec<u32>> {
    let outline_of_original = outline(original);
    let symbols: FxHashMap<&str, &SymbolText> =
        outline_of_original.symbols.iter().map(|symbol| (symbol_name(original, symbol), symbol)).collect();
    let line_of = |outline: &Outline<'_>, at: u32| outline.line_starts.partition_point(|start| *start <= at) as u32;
    let mut numbers: Vec<u32> = vec![0; outline_of_printed.line_starts.len()];
    let mut relate = |ours: u32, theirs: u32| {
        let ours = line_of(outline_of_printed, ours) as usize - 1;
        numbers[ours] = line_of(&outline_of_original, theirs);
    };
    for symbol in &outline_of_printed.symbols {
        // LLVM declares the functions that it upgrades to.
        let Some(other) = symbols.get(symbol_name(printed, symbol)) else { continue };
        relate(header_of(symbol).start, header_of(other).start);
        if let SymbolText::Function(ours) = symbol {
            let SymbolText::Function(theirs) = other else { return None };
            let (ours, theirs) = (statements(printed, ours.body), statements(original, theirs.body));
            (ours.len() == theirs.len()).then_some(())?;
            ours.into_iter().zip(theirs).for_each(|(ours, theirs)| relate(ours, theirs));
        }
    }
    let name = |text: &str, span: Span| text[span.range()].to_owned();
    let properties = outline_of_original.properties.iter();
    let properties: FxHashMap<String, Span> = properties.map(|(at, _)| (name(original, *at), *at)).collect();
    for (at, _) in &outline_of_printed.properties {
        if let Some(other) = properties.get(&name(printed, *at)) {
            relate(at.start, other.start);
        }
    }
    // Lines between take the number before them, such as the following lines of a switch.
    for index in 1..numbers.len() {
        if numbers[index] == 0 && numbers[index - 1] != 0 {
            numbers[index] = numbers[index - 1] + 1;
        }
    }
    Some(numbers)
}

/// Where the lines of a body that hold something begin.
fn statements(text: &str, body: Span) -> Vec<u32> {
    lines(&text[body.range()])
        .filter(|line| {
            let content = text[(body.start + line.start) as usize..(body.start + line.end) as usize].trim();
            !content.is_empty() && !content.starts_with(';')
        })
        .map(|line| body.start + line.start)
        .collect()
}

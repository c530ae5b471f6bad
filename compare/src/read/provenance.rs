//! Where silc's own IR comes from: silc compiles with debug locations of the SIL text, which are taken out of LLVM's
//! text here, so that only the numbers of the SIL's lines remain and the IR reads as without debug information.

use crate::model::Provenance;
use rustc_hash::FxHashMap;

use super::outline::lines;

/// Takes the locations out of LLVM's text of a module that was compiled from `sil`.
pub fn take(text: &str, sil: &str) -> (String, Provenance) {
    let locations: FxHashMap<&str, u32> = text.lines().filter_map(location).collect();
    let mut stripped = String::with_capacity(text.len());
    let mut numbers = Vec::new();
    for line in lines(text).map(|span| &text[span.range()]) {
        let found = match () {
            () if line.starts_with("  ") => attachment(line, ", !dbg !"),
            () if line.starts_with("define ") => attachment(line, " !dbg !"),
            () => None,
        };
        match found {
            Some((start, end, node)) => {
                stripped.push_str(&line[..start]);
                stripped.push_str(&line[end..]);
                numbers.push(locations.get(node).copied().unwrap_or_default());
            }
            None => {
                stripped.push_str(line);
                numbers.push(0);
            }
        }
        stripped.push('\n');
    }
    stripped.pop();
    let sil = sil.lines().map(str::to_owned).collect();
    (stripped, Provenance { lines: numbers, sil })
}

/// `!12 = !DILocation(line: 34, …)` or the same after `distinct`.
fn location(line: &str) -> Option<(&str, u32)> {
    let (node, content) = line.strip_prefix('!')?.split_once(" = ")?;
    let fields = content.strip_prefix("distinct ").unwrap_or(content).strip_prefix("!DILocation(line: ")?;
    let end = fields.find([',', ')'])?;
    Some((node, fields[..end].parse().ok()?))
}

/// The bounds of `mark` with the number after it, and the number. It is the last of its kind in the line, after all
/// strings.
fn attachment<'a>(line: &'a str, mark: &str) -> Option<(usize, usize, &'a str)> {
    let start = line.rfind(mark)?;
    let digits = &line[start + mark.len()..];
    let length = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    Some((start, start + mark.len() + length, &digits[..length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_become_lines_of_sil() {
        let text = "define void @f() !dbg !1 {\n  call void @g(), !dbg !2, !srcloc !3\n  ret void\n}\n\n!2 = !DILocation(line: 2, column: 1, scope: !1)";
        let (stripped, provenance) = take(text, "sil @f {\n  apply %g\n}");
        assert_eq!(stripped.lines().next(), Some("define void @f() {"));
        assert_eq!(stripped.lines().nth(1), Some("  call void @g(), !srcloc !3"));
        assert_eq!(provenance.of_line(1), Some((2, "  apply %g")));
        assert_eq!(provenance.of_line(2), None);
    }
}

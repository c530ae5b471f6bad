//! LLVM's assembly, cut into functions: a function begins at its label and ends at the label that LLVM puts after it.

use super::{Section, cut_by};

/// Cuts assembly. Comments and empty lines are left out.
pub fn cut(text: &str) -> Vec<Section> {
    cut_by(text, label, |line| line.trim_start().starts_with(".size") || line.starts_with(".Lfunc_end"), key)
}

/// The symbol whose label a line is; local labels are none.
fn label(line: &str) -> Option<String> {
    let end = line.find(':')?;
    let name = &line[..end];
    let is_local =
        name.starts_with(".L") || name.starts_with("Lfunc") || name.starts_with("LBB") || name.starts_with("ltmp");
    let is_label = !name.is_empty() && !name.starts_with([' ', '\t', '#', '/', ';', '@']);
    (is_label && !is_local).then(|| name.trim_matches('"').to_owned())
}

/// The line without its comment, and with the numbers of functions taken out of local labels: `.LBB12_3` is `.LBB_3`.
fn key(line: &str) -> Option<String> {
    let code = without_comment(line).trim();
    if code.is_empty() {
        return None;
    }
    let mut key = String::new();
    let mut rest = code;
    while let Some(at) = LOCAL_LABELS.iter().filter_map(|label| Some((rest.find(label)?, label.len()))).min() {
        let (start, length) = at;
        key.push_str(&rest[..start + length]);
        rest = rest[start + length..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    }
    key.push_str(rest);
    Some(key)
}

/// Local labels whose first number counts functions or places of the module.
const LOCAL_LABELS: [&str; 7] = ["LBB", "Lfunc_end", "Lfunc_begin", "Ltmp", "LCPI", "LJTI", "Lcfi"];

/// Comments begin with `#` (x86), `//` (AArch64), `@` (ARM) or `;` (Mach-O), after a blank or at the line's start.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'#' | b'@' | b';' | b'/' if !quoted => {
                let after_blank = at == 0 || bytes[at - 1] == b' ' || bytes[at - 1] == b'\t';
                let next = bytes.get(at + 1);
                let begins = match byte {
                    b'/' => next == Some(&b'/'),
                    // `#1` and `@function` are operands.
                    b'#' | b'@' => next.is_none_or(|next| matches!(next, b' ' | b'#' | b'-' | b'@')),
                    _ => true,
                };
                if after_blank && begins {
                    return &line[..at];
                }
            }
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_cut_at_labels() {
        let text = "\t.text\nf:                  # @f\n# %bb.0:\n\tjmp .LBB0_2\n.LBB0_2:\n\tret\n.Lfunc_end0:\n\t.size f, .Lfunc_end0-f\n\t.globl g\ng:\n\tret\n";
        let sections = cut(text);
        let names: Vec<&str> = sections.iter().map(|section| section.name.as_str()).collect();
        assert_eq!(names, ["", "f", "g"]);
        let keys: Vec<&str> = sections[1].lines.iter().map(|line| line.key.as_str()).collect();
        assert_eq!(keys, ["f:", "jmp .LBB_2", ".LBB_2:", "ret", ".Lfunc_end:"]);
    }

    #[test]
    fn immediates_are_no_comments() {
        assert_eq!(without_comment("\tmov\tx0, #1 // x"), "\tmov\tx0, #1 ");
        assert_eq!(without_comment("\t.type\tf,@function"), "\t.type\tf,@function");
        assert_eq!(without_comment("\tret # done"), "\tret ");
    }
}

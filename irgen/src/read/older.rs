//! LLVM IR text of older LLVMs that this LLVM's parser does not upgrade itself: constant expressions that have become
//! instructions (`icmp` and `fcmp` in LLVM 19, `shl` and `lshr` in LLVM 18, `mul` in LLVM 20 …). For bitcode LLVM
//! upgrades them.

/// The beginnings of constant expressions that are instructions today.
const EXPANDED: [&str; 20] = [
    "icmp eq (",
    "icmp ne (",
    "icmp ult (",
    "icmp ule (",
    "icmp ugt (",
    "icmp uge (",
    "icmp slt (",
    "icmp sle (",
    "icmp sgt (",
    "icmp sge (",
    "shl (",
    "lshr (",
    "ashr (",
    "and (",
    "or (",
    "mul (",
    "zext (",
    "sext (",
    "select (",
    "mul nsw (",
];

/// Returns the text with such expressions as instructions before their users, on one line each, or `None` if there are
/// none that can be upgraded. An instruction cannot be placed before a phi, so expressions in phis remain, and LLVM
/// reports them.
pub fn upgraded(text: &str) -> Option<String> {
    let mut count = 0;
    let mut upgraded = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_instruction = line.starts_with("  ") && !line.contains(" = phi ") && !line.trim_start().starts_with(';');
        let mut line = line.to_owned();
        while let Some((start, end)) = is_instruction.then(|| innermost(&line)).flatten() {
            let name = format!("%constant.expression.{count}");
            count += 1;
            let (opcode, operands) = line[start..end].split_once(" (").unwrap_or((&line[start..end], ")"));
            let operands = &operands[..operands.len() - 1];
            upgraded.push_str(&format!("  {name} = {opcode} {}\n", as_instruction(opcode, operands)));
            line.replace_range(start..end, &name);
        }
        upgraded.push_str(&line);
    }
    (count > 0).then_some(upgraded)
}

/// Converts operands. Constant expressions repeat the type of the second operand; instructions of these opcodes do not.
fn as_instruction(opcode: &str, operands: &str) -> String {
    let is_cast_or_select = ["zext", "sext", "select"].iter().any(|name| opcode.starts_with(name));
    match split_operands(operands) {
        Some((first, second)) if !is_cast_or_select => format!("{first}, {}", without_type(second)),
        _ => operands.to_owned(),
    }
}

/// Splits the two operands at the comma outside of brackets.
fn split_operands(operands: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let comma = operands.char_indices().find(|(_, letter)| {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        *letter == ',' && depth == 0
    });
    let (at, _) = comma?;
    Some((operands[..at].trim(), operands[at + 1..].trim()))
}

/// Returns an operand without its type, which is one word for integers and pointers.
fn without_type(operand: &str) -> &str {
    operand.split_once(' ').map_or(operand, |(_, value)| value)
}

/// Returns the range of an expression that contains no other.
fn innermost(line: &str) -> Option<(usize, usize)> {
    let starts = EXPANDED.iter().flat_map(|name| line.match_indices(name));
    // The word must not be the end of another, nor the instruction itself.
    let starts = starts.filter(|(at, _)| {
        matches!(line[..*at].chars().next_back(), Some(' ' | '(')) && line[..*at].contains([',', '(', ' '])
    });
    let (start, name) = starts.filter(|(at, _)| !line[..*at].trim_end().ends_with('=')).max_by_key(|(at, _)| *at)?;
    let mut depth = 0usize;
    for (offset, letter) in line[start + name.len() - 1..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((start, start + name.len() + offset));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_become_instructions() {
        let line =
            "  %a = select i1 %x, i1 true, i1 icmp eq (ptr getelementptr inbounds (i8, ptr @t, i64 32), ptr @e)\n";
        let expected = "  %constant.expression.0 = icmp eq ptr getelementptr inbounds (i8, ptr @t, i64 32), @e\n  %a = select i1 %x, i1 true, i1 %constant.expression.0\n";
        assert_eq!(upgraded(line).as_deref(), Some(expected));
    }

    #[test]
    fn instructions_stay() {
        assert_eq!(upgraded("  %a = icmp eq i64 %b, 0\n  %c = select i1 %a, i64 1, i64 2\n"), None);
    }
}

//! Provenance in LLVM's printed IR: an instruction's `!dbg` names a `!DILocation`, whose line is a line of the SIL text
//! (LLVM's LangRef, "Debug Info"). Parts for debuggers alone are left out of the listing.

use std::collections::HashMap;

use crate::provenance::Listing;

/// Reads IR printed by LLVM.
pub fn read(text: &str) -> Listing {
    let lines_of = debug_lines(text);
    let mut listing = Listing::default();
    let mut open_list = None;
    for line in text.lines() {
        if is_for_debuggers(line) {
            continue;
        }
        let (shown, node) = without_debug_location(line);
        let origin = node.and_then(|node| lines_of.get(node)).copied().unwrap_or(0);
        if let Some(symbol) = line.strip_prefix("define ").and_then(symbol_of) {
            listing.begin_function(symbol);
        }
        listing.push(&shown, origin);
        // A switch's list of cases stands on lines of its own; its location follows the closing bracket.
        if line.starts_with("  ") && line.ends_with('[') {
            open_list = Some(listing.next_line() - 1);
        } else if line.trim_start().starts_with(']')
            && let Some(first) = open_list.take()
        {
            listing.set_origin_from(first, origin);
        }
    }
    listing
}

/// The source line of each metadata node that has one, by the node's name such as `!12`.
fn debug_lines(text: &str) -> HashMap<&str, u32> {
    let nodes = text.lines().filter(|line| line.starts_with('!')).filter_map(|line| line.split_once(" = "));
    nodes.filter_map(|(node, value)| Some((node, line_of(value)?))).collect()
}

fn line_of(value: &str) -> Option<u32> {
    let value = value.strip_prefix("distinct ").unwrap_or(value);
    let is_place = value.starts_with("!DILocation(") || value.starts_with("!DISubprogram(");
    let (_, rest) = is_place.then_some(value)?.split_once("line: ")?;
    let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

fn is_for_debuggers(line: &str) -> bool {
    if line.trim_start().starts_with("#dbg_") || line.starts_with("!llvm.dbg.cu = ") {
        return true;
    }
    let Some((_, value)) = line.split_once(" = ").filter(|_| line.starts_with('!')) else { return false };
    value.strip_prefix("distinct ").unwrap_or(value).starts_with("!DI")
}

/// The line without its `!dbg` attachment, and the node that this named.
fn without_debug_location(line: &str) -> (String, Option<&str>) {
    let Some(start) = line.find(" !dbg !") else { return (line.to_owned(), None) };
    let node = &line[start + " !dbg ".len()..];
    let length = node[1..].find(|character: char| !character.is_ascii_digit()).map_or(node.len(), |end| end + 1);
    let before = line[..start].strip_suffix(',').unwrap_or(&line[..start]);
    (format!("{before}{}", &node[length..]), Some(&node[..length]))
}

/// The symbol in a `define` line: the text after the first `@`, quoted or not.
fn symbol_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once('@')?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split('(').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_knows_its_line_and_loses_its_attachment() {
        let listing = read(
            "  %1 = load i64, ptr %0, align 8, !dbg !7, !tbaa !3\n!7 = !DILocation(line: 12, column: 3, scope: !5)\n",
        );
        assert_eq!(listing.text, "  %1 = load i64, ptr %0, align 8, !tbaa !3\n");
        assert_eq!(listing.origins, [12]);
    }

    #[test]
    fn a_function_begins_where_it_is_defined() {
        let listing = read(
            "\ndefine hidden swiftcc i64 @\"$s1m\"(i64 %0) #1 !dbg !4 {\n}\n!4 = distinct !DISubprogram(name: \"m\", line: 9, flags: X)\n",
        );
        assert_eq!(listing.functions, [("$s1m".to_owned(), 2)]);
        assert_eq!(listing.origins, [0, 9, 0]);
        assert!(!listing.text.contains("dbg"));
    }

    #[test]
    fn all_lines_of_a_switch_came_from_the_same_place() {
        let text =
            "  switch i8 %0, label %1 [\n    i8 0, label %2\n  ], !dbg !7\n!7 = !DILocation(line: 3, scope: !5)\n";
        assert_eq!(read(text).origins, [3, 3, 3]);
    }

    #[test]
    fn what_debuggers_alone_need_is_left_out() {
        let text = "    #dbg_value(i64 %0, !1, !DIExpression(), !2)\n!llvm.dbg.cu = !{!0}\n!0 = distinct !DICompileUnit()\n!1 = !{!\"kept\"}\n";
        assert_eq!(read(text).text, "!1 = !{!\"kept\"}\n");
    }
}

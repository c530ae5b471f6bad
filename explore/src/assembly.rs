//! Provenance in assembly: the instructions after `.loc FILE LINE COLUMN` came from that line of the SIL text.
//! Directives that only debuggers and unwinders read are left out of the listing.

use crate::provenance::Listing;

/// Reads assembly printed by LLVM.
pub fn read(text: &str) -> Listing {
    let mut listing = Listing::default();
    let mut origin = 0;
    let mut in_debug_section = false;
    for line in text.lines() {
        match classify(line) {
            Line::Section(Section::Debug) => in_debug_section = true,
            Line::Section(Section::Shown) => {
                in_debug_section = false;
                origin = 0;
                listing.push(line, 0);
            }
            _ if in_debug_section => {}
            Line::Location(line) => origin = line,
            Line::Hidden => {}
            Line::Function(symbol) => {
                origin = 0;
                listing.begin_function(symbol);
                listing.push(line, 0);
            }
            Line::Instruction => listing.push(line, origin),
            Line::Other => listing.push(line, 0),
        }
    }
    listing
}

/// The purpose of a section.
enum Section {
    /// Code or data.
    Shown,
    /// Debuggers, or the linker's bookkeeping.
    Debug,
}

/// The kind of a line of assembly.
enum Line<'a> {
    Section(Section),
    /// The SIL line of the instructions that follow.
    Location(u32),
    /// The label of a function or another symbol.
    Function(&'a str),
    Instruction,
    Hidden,
    Other,
}

fn classify(line: &str) -> Line<'_> {
    let Some(code) = line.strip_prefix('\t') else { return classify_label(line) };
    let word = code.split_whitespace().next().unwrap_or_default();
    match word {
        "" => Line::Hidden,
        ".loc" => Line::Location(code.split_whitespace().nth(2).and_then(|line| line.parse().ok()).unwrap_or(0)),
        ".text" | ".data" | ".bss" => Line::Section(Section::Shown),
        ".section" => Line::Section(section(code)),
        ".file" | ".addrsig" | ".addrsig_sym" | ".ident" | ".size" | ".type" | ".p2align" => Line::Hidden,
        _ if word.starts_with(".cfi_") => Line::Hidden,
        _ if word.starts_with('.') => Line::Other,
        _ => Line::Instruction,
    }
}

fn section(code: &str) -> Section {
    let name = code.split_whitespace().nth(1).unwrap_or_default();
    let is_debug =
        [".debug_", "\".debug_", "\".note", ".note", "__DWARF", ".llvm_"].iter().any(|prefix| name.starts_with(prefix));
    if is_debug { Section::Debug } else { Section::Shown }
}

fn classify_label(line: &str) -> Line<'_> {
    const FOR_DEBUGGERS: [&str; 5] = [".Ltmp", ".Lfunc_", ".Ldebug_", ".Lcfi", ".Linfo"];
    if line.is_empty() || FOR_DEBUGGERS.iter().any(|prefix| line.starts_with(prefix)) {
        return Line::Hidden;
    }
    let symbol = match line.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => line.split(':').next().filter(|symbol| symbol.len() < line.len()),
    };
    match symbol {
        Some(symbol) if !symbol.starts_with('.') && !symbol.starts_with(['#', '/', ';', '@']) => Line::Function(symbol),
        _ => Line::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_came_from_the_location_before_them() {
        let listing = read(
            "\t.text\nmain:\n.Lfunc_begin0:\n\t.loc\t1 7 3 prologue_end\n\tmovl\t$1, %eax\n\t.cfi_endproc\n\t.loc\t1 0 3\n\tretq\n",
        );
        assert_eq!(listing.text, "\t.text\nmain:\n\tmovl\t$1, %eax\n\tretq\n");
        assert_eq!(listing.origins, [0, 0, 7, 0]);
        assert_eq!(listing.functions, [("main".to_owned(), 2)]);
    }

    #[test]
    fn quoted_symbols_lose_their_quotes() {
        assert_eq!(read("\"$s1m\":\n").functions, [("$s1m".to_owned(), 1)]);
    }

    #[test]
    fn debug_sections_are_left_out() {
        let text = "\t.section\t.debug_info,\"\",@progbits\n\t.long\t3\n\t.section\t.rodata\nx:\n\t.long\t4\n";
        assert_eq!(read(text).text, "\t.section\t.rodata\nx:\n\t.long\t4\n");
    }
}

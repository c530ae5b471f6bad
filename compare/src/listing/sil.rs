//! SIL text, cut into functions and tables: an entity begins at a line's start and ends at the brace that closes it.

use super::{Section, cut_by};

/// Cuts SIL. Comments and empty lines are left out.
pub fn cut(text: &str) -> Vec<Section> {
    cut_by(text, symbol, |line| line.starts_with('}'), key)
}

/// The name of an entity with braces.
fn symbol(line: &str) -> Option<String> {
    let is_entity = ["sil ", "sil_"].iter().any(|start| line.starts_with(start)) && line.ends_with('{');
    let name = line.find('@').map(|at| &line[at + 1..]).unwrap_or(line);
    let end = name.find([' ', ':', '{']).unwrap_or(name.len());
    let keyword = line.split(' ').next().unwrap_or_default();
    match keyword {
        _ if !is_entity => None,
        "sil" | "sil_global" => Some(name[..end].trim_matches('"').to_owned()),
        _ => Some(line.trim_end_matches(['{', ' ']).to_owned()),
    }
}

/// The line without the comment that names its users.
fn key(line: &str) -> Option<String> {
    let code = match line.find("//") {
        Some(at) if !line[..at].contains('"') => &line[..at],
        _ => line,
    };
    let code = code.trim_end();
    (!code.is_empty()).then(|| code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_cut_at_braces() {
        let text = "import Swift\n\n// f\nsil hidden @f : $() -> () {\nbb0:\n  %0 = tuple () // user: %1\n  return %0\n}\n\nsil_vtable A {\n}\n";
        let sections = cut(text);
        let names: Vec<&str> = sections.iter().map(|section| section.name.as_str()).collect();
        assert_eq!(names, ["", "f", "sil_vtable A"]);
        assert_eq!(sections[1].lines[2].key, "  %0 = tuple ()");
    }
}

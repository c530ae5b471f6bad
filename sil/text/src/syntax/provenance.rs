//! The provenance of a module: mode, Swift version and pointer width. Text printed by Swift does not state it; it is
//! inferred from the code (`mode.rs`, `version.rs`, `pointer_width.rs`). Passes can remove the evidence; silc's own
//! output then states it in the line of the stage: `sil_stage canonical // silc: embedded, 32-bit`.

use sil_ir::model::{LanguageMode, PointerWidth, Provenance, SwiftVersion};
use sil_ir::source::FileId;

use super::code::Code;
use super::mode::{UNTOLD_MODE, stated_mode};
use super::objective_c::objective_c_of;
use super::pointer_width::{ShownWidth, pointer_width_of};
use super::scan::{Entity, EntityKind, entities};
use super::version::version_of;

/// The prefix of the comment in the line of the stage.
const MARK: &str = "// silc: ";

/// The separator of the facts in the comment.
const BETWEEN: &str = ", ";

/// The inferred provenance of a text.
pub(super) struct Stated {
    /// The provenance, with defaults for facts without evidence.
    pub(super) provenance: Provenance,
    /// The mode, if there is evidence for it.
    pub(super) mode: Option<LanguageMode>,
    /// The instruction that shows the pointer width.
    pub(super) width: Option<ShownWidth>,
}

/// Infers the provenance of a module from its text, code and entities.
pub(super) fn provenance_of(text: &str, file: FileId, code: &Code, entities: &[Entity]) -> Stated {
    let stated = Statement::of(text, entities);
    let shown = pointer_width_of(code);
    let objective_c = objective_c_of(code);
    let mode = stated.mode.or_else(|| stated_mode(code, file, entities, objective_c));
    let provenance = Provenance {
        mode: mode.unwrap_or(UNTOLD_MODE),
        version: stated.version.unwrap_or_else(|| version_of(text, code, entities)),
        pointer_width: shown.as_ref().map(|shown| shown.width).or(stated.pointer_width),
        objective_c,
    };
    Stated { provenance, mode, width: shown }
}

/// Returns whether a text has evidence for the mode of its module.
pub(super) fn states_mode(text: &str, file: FileId) -> bool {
    let code = Code::of(text);
    let entities = entities(&code);
    Statement::of(text, &entities).mode.is_some()
        || stated_mode(&code, file, &entities, objective_c_of(&code)).is_some()
}

/// Returns the comment for the line of the stage of the printed `text`. It states the facts of `made` that a reader
/// would not infer from the text, and is empty if there are none.
pub(crate) fn statement(text: &str, made: Provenance) -> String {
    let code = Code::of(text);
    let told = provenance_of(text, FileId::KNOWN, &code, &entities(&code)).provenance;
    let mut words = Vec::new();
    if told.mode != made.mode {
        words.push(mode_word(made.mode).to_owned());
    }
    if told.version != made.version {
        words.push(format!("Swift {}", made.version.name()));
    }
    let width = |provenance: Provenance| provenance.pointer_width.unwrap_or_default();
    if width(told) != width(made) {
        words.push(width_word(width(made)).to_owned());
    }
    if words.is_empty() { String::new() } else { format!(" {MARK}{}", words.join(BETWEEN)) }
}

/// The facts in the comment that silc printed.
#[derive(Default)]
struct Statement {
    mode: Option<LanguageMode>,
    version: Option<SwiftVersion>,
    pointer_width: Option<PointerWidth>,
}

impl Statement {
    fn of(text: &str, entities: &[Entity]) -> Self {
        let mut statement = Self::default();
        let stage = entities.iter().find(|entity| entity.kind == EntityKind::Stage);
        let line = stage.and_then(|stage| text[stage.start as usize..].lines().next());
        let words = line.and_then(|line| line.split_once(MARK)).map_or("", |(_, words)| words.trim_end());
        for word in words.split(BETWEEN) {
            let is_mode = |mode: &LanguageMode| mode_word(*mode) == word;
            let is_width = |width: &PointerWidth| width_word(*width) == word;
            statement.mode = [LanguageMode::Embedded, LanguageMode::Full].into_iter().find(is_mode).or(statement.mode);
            let version = word.strip_prefix("Swift ").and_then(|version| version.parse().ok());
            statement.version = version.or(statement.version);
            let width = [PointerWidth::Bits32, PointerWidth::Bits64].into_iter().find(is_width);
            statement.pointer_width = width.or(statement.pointer_width);
        }
        statement
    }
}

fn mode_word(mode: LanguageMode) -> &'static str {
    match mode {
        LanguageMode::Embedded => "embedded",
        LanguageMode::Full => "ordinary",
    }
}

fn width_word(width: PointerWidth) -> &'static str {
    match width {
        PointerWidth::Bits32 => "32-bit",
        PointerWidth::Bits64 => "64-bit",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sil_ir::model::ObjectiveC;

    fn provenance(text: &str) -> Provenance {
        let code = Code::of(text);
        provenance_of(text, FileId::KNOWN, &code, &entities(&code)).provenance
    }

    #[test]
    fn what_is_said_of_a_text_is_read_from_it() {
        let modes = [LanguageMode::Embedded, LanguageMode::Full];
        for (mode, version) in modes.into_iter().flat_map(|mode| SwiftVersion::ALL.map(|version| (mode, version))) {
            for width in [PointerWidth::Bits32, PointerWidth::Bits64] {
                let made = Provenance { mode, version, pointer_width: Some(width), objective_c: ObjectiveC::Absent };
                let text = format!("sil_stage raw{}\n", statement("sil_stage raw\n", made));
                let read = provenance(&text);
                assert_eq!((read.mode, read.version), (mode, version));
                assert_eq!(read.pointer_width.unwrap_or_default(), width);
            }
        }
    }

    #[test]
    fn nothing_is_said_of_a_text_that_tells() {
        let text = "sil_stage raw\nsil @$s4main1fyyF : $() -> ()\n";
        assert_eq!(statement(text, provenance(text)), "");
        assert_eq!(statement("sil_stage raw\n", provenance(text)), " // silc: ordinary");
    }
}

//! Passes that remove markers: access markers, lexical flags, and debug instructions.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{DebugLocation, InstructionId};

use crate::editing::accesses::remove_access;
use crate::editing::editor::Editor;
use crate::pass::settings::Exclusivity;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const ACCESS_MARKER_ELIMINATION: Pass = Pass::new(&Description {
    name: "access-marker-elim",
    class_name: "AccessMarkerElimination",
    summary: "Removes the markers of accesses that are not checked at run time.",
    gates: Gates::OPEN,
    runner: Runner::Function(strip_accesses),
});

pub(crate) const DEBUG_INFORMATION_STRIPPING: Pass = Pass::new(&Description {
    name: "strip-debug-info",
    class_name: "StripDebugInfo",
    summary: "Removes debug information.",
    gates: Gates::OPEN,
    runner: Runner::Function(strip_debug_information),
});

pub(crate) const DEBUG_STEP_CLEANUP: Pass = Pass::new(&Description {
    name: "cleanup-debug-steps",
    class_name: "CleanupDebugSteps",
    summary: "Removes `debug_step` instructions next to instructions at the same place.",
    gates: Gates::OPEN,
    runner: Runner::Function(clean_up_debug_steps),
});

pub(crate) const LEXICAL_LIFETIME_ELIMINATOR: Pass = Pass::new(&Description {
    name: "sil-lexical-lifetime-eliminator",
    class_name: "LexicalLifetimeEliminator",
    summary: "Removes lexical lifetimes, so that values may end at their last use.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(strip_lexical_lifetimes),
});

/// Removes all debug instructions.
pub(crate) fn strip_debug_information(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let is_debug = |opcode| matches!(opcode, Opcode::DebugValue | Opcode::DebugStep);
    for id in all(&editor) {
        if is_debug(editor.opcode(id)) {
            editor.erase(id);
        }
    }
    Ok(editor.finish())
}

/// Removes the access markers that are not checked at run time
/// (lib/SILOptimizer/Mandatory/AccessMarkerElimination.cpp).
pub(crate) fn strip_accesses(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    for id in all(&editor).into_iter().rev() {
        let attributes = editor.body().instructions[id].attributes;
        let checked = [Attribute::Dynamic, Attribute::Unknown].into_iter().any(|mark| attributes.contains(mark));
        let is_checked = checked && environment.settings.exclusivity == Exclusivity::Checked;
        let is_needed = [Attribute::Signed, Attribute::FromBuiltin].into_iter().any(|mark| attributes.contains(mark));
        if !editor.is_placed(id) || is_checked || is_needed {
            continue;
        }
        match editor.opcode(id) {
            Opcode::BeginAccess => remove_access(&mut editor, id),
            Opcode::BeginUnpairedAccess | Opcode::EndUnpairedAccess => editor.erase(id),
            _ => {}
        }
    }
    Ok(editor.finish())
}

/// Removes the lexical flags of lifetimes, which may then be shortened to the last use
/// (lib/SILOptimizer/Mandatory/LexicalLifetimeEliminator.cpp).
pub(crate) fn strip_lexical_lifetimes(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    for id in all(&editor) {
        let is_lexical = editor.body().instructions[id].attributes.contains(Attribute::Lexical);
        if is_lexical && matches!(editor.opcode(id), Opcode::BeginBorrow | Opcode::MoveValue | Opcode::AllocStack) {
            editor.edit_attributes(id, |attributes| attributes.remove(Attribute::Lexical));
        }
    }
    Ok(editor.finish())
}

/// Removes `debug_step`s with the location of another instruction that generates machine code (CleanupDebugSteps of
/// SwiftCompilerSources).
pub(crate) fn clean_up_debug_steps(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    for block in editor.body().blocks.keys().collect::<Vec<_>>() {
        let instructions: Vec<InstructionId> = editor.body().instructions_in(block).collect();
        clean_up_block(&mut editor, &instructions);
    }
    Ok(editor.finish())
}

fn clean_up_block(editor: &mut Editor<'_>, instructions: &[InstructionId]) {
    let mut last: Option<(InstructionId, DebugLocation)> = None;
    for id in instructions.iter().copied() {
        let is_step = editor.opcode(id) == Opcode::DebugStep;
        let Some(location) = steppable(editor, id) else {
            if is_step {
                editor.erase(id);
            }
            continue;
        };
        last = last.filter(|(_, found)| found.place == location.place);
        if !becomes_machine_code(editor, id) {
            continue;
        }
        match last {
            Some(_) if is_step => {
                editor.erase(id);
                continue;
            }
            Some((previous, _)) if editor.opcode(previous) == Opcode::DebugStep => editor.erase(previous),
            _ => {}
        }
        last = Some((id, location));
    }
}

/// The location at which debuggers may stop for an instruction.
fn steppable(editor: &Editor<'_>, id: InstructionId) -> Option<DebugLocation> {
    let location = editor.body().instructions[id].location?;
    let is_in_source = location.place.is_some_and(|place| place.line > 0);
    (is_in_source && !location.automatic).then_some(location)
}

fn becomes_machine_code(editor: &Editor<'_>, id: InstructionId) -> bool {
    let opcode = editor.opcode(id);
    let is_terminator = opcode.information().position == sil_ir::instructions::Position::Terminator;
    is_terminator
        || matches!(
            opcode,
            Opcode::DebugStep
                | Opcode::Apply
                | Opcode::BeginApply
                | Opcode::PartialApply
                | Opcode::Load
                | Opcode::Store
        )
}

fn all(editor: &Editor<'_>) -> Vec<InstructionId> {
    editor.body().placed_instructions().collect()
}

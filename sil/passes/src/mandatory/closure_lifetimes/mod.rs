//! Closure lifetime fixup: guarantees that the non-escaping closures which raw SIL converts without a guarantee do not
//! outlive their originals (lib/SILOptimizer/Mandatory/ClosureLifetimeFixup.cpp).
//!
//! Owns: the lifetime extension of closures. `closure_user` finds the user of a closure, `on_stack` promotes closures
//! with a single user to the stack, `captured_memory` owns the memory of their captures, `copies` keeps other closures
//! alive until their users are done, `optionals` those in optionals that become blocks, `extension` those without a
//! known end until the function exits. `blocks` owns closures in blocks.

mod blocks;
mod captured_memory;
mod closure_user;
mod copies;
mod extension;
mod on_stack;
mod optionals;

use captured_memory::CapturedMemory;
use closure_user::ClosureUser;
use extension::Extension;
use on_stack::StackClosure;
use sil_analysis::{Analyses, Change};
use sil_analysis::{ControlFlowGraph, DeadEndBlocks, Dominators};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, InstructionId};

use crate::editing::editor::Editor;
use crate::editing::stack_nesting;
use crate::optimizations::borrowed_phis;
use crate::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const CLOSURE_LIFETIMES: Pass = Pass::new(&Description {
    name: "closure-lifetime-fixup",
    class_name: "ClosureLifetimeFixup",
    summary: "Extends the lifetimes of closures to those of the non-escaping closures made of them.",
    gates: Gates { canonical: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(fix),
});

/// Extends the lifetimes of closures in a function with ownership.
pub(crate) fn fix(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { body: before, analyses, .. } = environment;
    let raw = |id: InstructionId| Some((id, Raw::of(before, id)?));
    let found: Vec<(InstructionId, Raw)> = before.placed_instructions().filter_map(raw).collect();
    if found.is_empty() {
        return Ok(None);
    }
    let cfg = analyses.cfg(before);
    let mut fixup = Fixup {
        cfg,
        dominators: Dominators::new(before, cfg),
        dead_ends: DeadEndBlocks::new(before, cfg),
        extension: Extension::new(environment),
        editor: Editor::new(environment),
        kept: Kept::default(),
    };
    for (id, raw) in found {
        match raw {
            Raw::CopiedBlock => blocks::lower(&mut fixup.editor, &fixup.extension, id)?,
            Raw::Conversion => fixup.guarantee(id)?,
        }
    }
    fixup.finish(environment)
}

/// The instructions that only raw SIL has.
#[derive(Clone, Copy)]
enum Raw {
    /// `convert_escape_to_noescape [not_guaranteed]`
    Conversion,
    /// `copy_block_without_escaping`
    CopiedBlock,
}

impl Raw {
    fn of(body: &Body, id: InstructionId) -> Option<Self> {
        let instruction = &body.instructions[id];
        match instruction.opcode {
            Opcode::ConvertEscapeToNoescape => {
                instruction.attributes.contains(Attribute::NotGuaranteed).then_some(Raw::Conversion)
            }
            Opcode::CopyBlockWithoutEscaping => Some(Raw::CopiedBlock),
            _ => None,
        }
    }
}

/// The effects of the lifetime extensions on the function.
#[derive(Default)]
struct Kept {
    /// Optionals are borrowed on the paths to the exits.
    borrows_optionals: bool,
    /// The deallocations of captured memory have moved.
    moves_deallocations: bool,
}

/// A function whose closures are fixed. Its blocks do not change.
struct Fixup<'m> {
    cfg: &'m ControlFlowGraph,
    dominators: Dominators,
    dead_ends: DeadEndBlocks,
    extension: Extension<'m>,
    editor: Editor<'m>,
    kept: Kept,
}

impl<'m> Fixup<'m> {
    /// Keeps the operand of a conversion alive as long as the converted closure.
    fn guarantee(&mut self, conversion: InstructionId) -> Result<(), Box<Diagnostic>> {
        if optionals::keep(&mut self.editor, self.cfg, conversion) {
            self.promise(conversion);
            return Ok(());
        }
        let user = ClosureUser::of(&self.editor, conversion);
        if let Some(user) = user {
            if let Some(closure) = StackClosure::find(self, conversion, user) {
                self.kept.moves_deallocations |= closure.put_on_stack(self);
                return Ok(());
            }
            if copies::keep(self, conversion, user) {
                self.promise(conversion);
                return Ok(());
            }
        }
        let what = "a closure that does not escape and is kept until the function ends, where control comes on ways that nothing can be passed on";
        let span = self.editor.body().instructions[conversion].span;
        self.promise(conversion);
        let mut is_kept = None;
        let extension = &self.extension;
        self.editor.edit_whole(Change::Instructions, |body| is_kept = extension.keep_converted(body, conversion));
        self.kept.borrows_optionals = true;
        is_kept.ok_or_else(|| Box::new(Diagnostic::unsupported(what, span)))
    }

    /// Removes `[not_guaranteed]` from the conversion.
    fn promise(&mut self, conversion: InstructionId) {
        self.editor.edit_attributes(conversion, |attributes| attributes.remove(Attribute::NotGuaranteed));
    }

    /// Returns the rewritten function.
    fn finish(mut self, environment: Environment<'m>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
        if self.kept.moves_deallocations {
            let context = self.editor.environment.queries.context;
            self.editor.edit_whole(Change::Blocks, |body| stack_nesting::fix(context, body));
        }
        let Some(rewrite) = self.editor.finish() else { return Ok(None) };
        if !self.kept.borrows_optionals {
            return Ok(Some(rewrite));
        }
        let analyses = Analyses::default();
        let environment = environment.with_body(&rewrite.body, &analyses);
        let updated = borrowed_phis::update(environment)?.map(|updated| updated.body);
        let body = updated.unwrap_or_else(|| rewrite.body.clone());
        Ok(Some(Rewrite { body, ..rewrite }))
    }
}

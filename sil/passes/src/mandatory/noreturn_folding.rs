//! Noreturn folding: removes the code after calls that never return, with a warning for source code, and ends the block
//! as unreachable (lib/SILOptimizer/Mandatory/DiagnoseUnreachable.cpp, `NoReturnFolding`).
//!
//! Does not own: branches that are never taken, and missing returns.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, Change, ControlFlowGraph};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Definition, InstructionId, Value};
use sil_ir::symbols::Symbol;

use crate::editing::endings::end_block;
use crate::editing::unused::remove_unused;
use crate::knowledge::never_returning::NeverReturning;
use crate::messages::findings::{note_at, warning_at};
use crate::messages::written_code::WrittenCode;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const NO_RETURN_FOLDING: Pass = Pass::new(&Description {
    name: "noreturn-folding",
    class_name: "NoReturnFolding",
    summary: "Removes code after calls that never return, and warns of it.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(fold),
});

/// Removes the code after calls that never return.
pub(crate) fn fold(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    if before.blocks.is_empty() {
        return Ok(None);
    }
    let folding =
        Folding { environment, never: NeverReturning::new(environment), cfg: environment.analyses.cfg(before) };
    let mut diagnostics = Vec::new();
    let mut body = before.clone();
    let mut unused = Vec::new();
    let mut is_changed = false;
    for block in before.blocks.keys() {
        let Some(end) = folding.end(block) else { continue };
        let dead = folding.after(block, end);
        diagnostics.extend(dead.iter().find_map(|id| folding.warning(end, *id)));
        unused.extend(dead.iter().flat_map(|id| before.operands(*id)));
        end_block(&mut body, block, end, &dead);
        if folding.never.is_unreachable_builtin(end) {
            body.erase(end);
        }
        is_changed = true;
    }
    if !is_changed {
        return Ok(None);
    }
    body.remove_unreachable_blocks();
    // Some of their definitions are erased already.
    let placed: FxHashSet<InstructionId> = body.placed_instructions().collect();
    unused.retain(|value| before.defining(*value).is_some_and(|id| placed.contains(&id)));
    remove_unused(&mut body, unused);
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Blocks) }))
}

struct Folding<'m> {
    environment: Environment<'m>,
    never: NeverReturning<'m>,
    cfg: &'m ControlFlowGraph,
}

impl<'m> Folding<'m> {
    fn body(&self) -> &'m Body {
        self.environment.body
    }

    /// Returns the instruction that never returns: one of `block`, or the `try_apply` of a predecessor.
    fn end(&self, block: BlockId) -> Option<InstructionId> {
        self.calls_before(block)
            .or_else(|| self.body().instructions_in(block).find(|id| self.never.is(*id)))
            // A block that already ends there is unchanged, unless a builtin only duplicates its end.
            .filter(|end| {
                self.never.is_unreachable_builtin(*end)
                    || !self.after(block, *end).iter().all(|id| self.opcode(*id) == Opcode::Unreachable)
            })
    }

    /// Returns the instructions of `block` after `end`.
    fn after(&self, block: BlockId, end: InstructionId) -> Vec<InstructionId> {
        let all = self.body().instructions_in(block);
        if self.body().instructions[end].block == block {
            all.skip_while(|id| *id != end).skip(1).collect()
        } else {
            all.collect()
        }
    }

    /// Returns the first of the `try_apply`s that branch to `block`, if all its predecessors are such calls that never
    /// return.
    fn calls_before(&self, block: BlockId) -> Option<InstructionId> {
        let body = self.body();
        let mut first = None;
        for predecessor in self.cfg.predecessors(block) {
            let call = body.terminator(*predecessor).filter(|id| *predecessor != block && self.never.is_call(*id))?;
            if body.instructions[call].opcode != Opcode::TryApply || body.targets(call).first() != Some(&block) {
                return None;
            }
            first = first.or(Some(call));
        }
        first
    }

    fn opcode(&self, id: InstructionId) -> Opcode {
        self.body().instructions[id].opcode
    }

    /// Returns the warning that `dead`, after `end`, is never executed.
    fn warning(&self, end: InstructionId, dead: InstructionId) -> Option<Diagnostic> {
        let instructions = &self.body().instructions;
        let (call, code) = (&instructions[end], &instructions[dead]);
        let is_same_place = call.location.is_some() && call.location == code.location;
        let is_synthesized = self.is_unimplemented_initializer(end);
        let written = WrittenCode::new(self.environment);
        if is_same_place
            || is_synthesized
            || !written.contains(dead) && !written.is_explicit_return(dead)
            || self.belongs_to_end(dead, end)
        {
            return None;
        }
        // Compiler-generated calls that never return are in unreachable places.
        call.location.is_none_or(|location| !location.automatic).then(|| {
            let warning = warning_at(self.body(), dead, "unreachable-code", "will never be executed");
            let warning = warning.in_source(written.place(dead));
            note_at(warning, self.body(), end, "a call to a never-returning function")
        })
    }

    /// Returns whether a call ends an unimplemented initialiser that a subclass does not inherit.
    fn is_unimplemented_initializer(&self, call: InstructionId) -> bool {
        let called = ApplySite::new(self.body(), call).and_then(ApplySite::called_function);
        let text = called.map(|name| self.environment.module.context.text(name));
        let symbol = text.and_then(Symbol::demangle);
        symbol.is_some_and(|symbol| {
            symbol.declaring_module() == Some("Swift") && symbol.function_name() == Some("_unimplementedInitializer")
        })
    }

    /// Returns whether `dead` ends a scope of `end`, or is a use of its missing result.
    fn belongs_to_end(&self, dead: InstructionId, end: InstructionId) -> bool {
        let instruction = &self.body().instructions[dead];
        match instruction.opcode {
            Opcode::IgnoredUse => {
                let used = self.body().operands(dead).first();
                used.is_some_and(|value| self.is_made_by(*value, end))
            }
            _ => false,
        }
    }

    /// Returns whether `value` is a result of `end`, possibly as the block argument of a `try_apply`.
    fn is_made_by(&self, value: Value, end: InstructionId) -> bool {
        let body = self.body();
        match body.values[value].definition {
            Definition::Result { instruction, .. } => instruction == end,
            Definition::Argument { block, .. } => body.targets(end).first() == Some(&block),
            Definition::Undef => false,
        }
    }
}

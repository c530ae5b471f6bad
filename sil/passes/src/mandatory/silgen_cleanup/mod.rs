//! Cleans up the output of SILGen: splits loads of aggregates, so that only the needed parts are accessed, stores
//! single-property structs as a whole, and removes unnecessary copies and borrows
//! (lib/SILOptimizer/Mandatory/SILGenCleanup.cpp, lib/SILOptimizer/Utils/CanonicalizeInstruction.cpp).
//!
//! Owns: the order of the work, and the removal of dead code. `lifetimes` changes copies and borrows,
//! `checked_lifetimes` completes lifetimes for checks of noncopyable values.

mod checked_lifetimes;
mod lifetimes;

use sil_analysis::field_number;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::{FunctionFlag, InstructionId, Value};

use crate::editing::accesses::remove_idle_access;
use crate::editing::canonical_memory::{DebugInformation, divide_load, store_whole};
use crate::editing::editor::Editor;
use crate::editing::lifetime_completion::availability;
use crate::knowledge::metatypes;
use crate::mandatory::lifetime_dependence;
use crate::pass::settings::{Lifetimes, OptimizationMode};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const SILGEN_CLEANUP: Pass = Pass::new(&Description {
    name: "silgen-cleanup",
    class_name: "SILGenCleanup",
    summary: "Splits loads of aggregates and removes redundant copies and borrows after SILGen.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[Runner::Function(complete_lifetimes), Runner::Function(clean_up)]),
});

/// Completes lifetimes on dead-end paths, if required.
pub(crate) fn complete_lifetimes(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let is_wanted = match environment.settings.lifetimes {
        Lifetimes::Complete => true,
        Lifetimes::WhereDependent => lifetime_dependence::has_nonescapable_values(environment),
        Lifetimes::Incomplete => false,
    };
    let has_ownership = environment.function.has(FunctionFlag::Ossa);
    Ok(if is_wanted && has_ownership { availability::complete(environment) } else { None })
}

/// Completes the lifetimes for checks of noncopyable values on dead-end paths: noreturn folding removed the first ends.
pub(crate) fn complete_checked_lifetimes(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, settings, .. } = environment;
    if !function.has(FunctionFlag::Ossa)
        || settings.lifetimes == Lifetimes::Incomplete
        || !lifetime_dependence::has_nonescapable_values(environment)
    {
        return Ok(None);
    }
    Ok(checked_lifetimes::complete_checked(environment))
}

/// Cleans up a function.
pub(crate) fn clean_up(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    use Opcode::{BeginAccess, BeginBorrow, CopyValue, Load, LoadBorrow, Metatype, Store, StructExtract, TupleExtract};
    let body = environment.body;
    let is_canonicalized = |id: &InstructionId| {
        let opcode = body.instructions[*id].opcode;
        matches!(
            opcode,
            Load | LoadBorrow | Store | CopyValue | BeginBorrow | BeginAccess | Metatype | StructExtract | TupleExtract
        )
    };
    let all: Vec<InstructionId> = body.placed_instructions().filter(is_canonicalized).collect();
    if all.is_empty() {
        return Ok(None);
    }
    let mut cleanup = Cleanup { editor: Editor::new(environment) };
    let mut open: Vec<InstructionId> = all.into_iter().rev().collect();
    while let Some(id) = open.pop() {
        if cleanup.editor.is_placed(id) {
            cleanup.canonicalize(id);
            // A split load may be split further.
            let touched = cleanup.editor.take_touched();
            let is_open = |id: &InstructionId| matches!(cleanup.editor.opcode(*id), Load | LoadBorrow | BeginBorrow);
            open.extend(touched.into_iter().filter(is_open));
        }
    }
    Ok(cleanup.editor.finish())
}

struct Cleanup<'m> {
    editor: Editor<'m>,
}

impl Cleanup<'_> {
    fn canonicalize(&mut self, id: InstructionId) {
        match self.editor.opcode(id) {
            Opcode::Load | Opcode::LoadBorrow => {
                let debug_information = match self.preserves_debug_information() {
                    true => DebugInformation::Preserve,
                    false => DebugInformation::Ignore,
                };
                let address = divide_load(&mut self.editor, id, debug_information);
                self.remove_unused(address.into_iter().collect());
            }
            Opcode::Store => {
                let address = store_whole(&mut self.editor, id);
                self.remove_unused(address.into_iter().collect());
            }
            Opcode::CopyValue => self.remove_copy(id),
            Opcode::BeginBorrow => self.remove_borrow(id),
            Opcode::BeginAccess => remove_idle_access(&mut self.editor, id),
            Opcode::Metatype => self.take_metatype(id),
            Opcode::StructExtract | Opcode::TupleExtract => self.take_part(id),
            _ => {}
        }
    }

    /// Replaces the extraction of a trivial part from an aggregate made here by the part
    /// (`InstSimplifier::visitTupleExtractInst`, `visitStructExtractInst`).
    fn take_part(&mut self, id: InstructionId) {
        let Some(part) = self.part(id) else { return };
        let whole = self.editor.operand(id, 0);
        self.editor.replace(id, part);
        self.remove_unused(whole.into_iter().collect());
    }

    fn part(&self, id: InstructionId) -> Option<Value> {
        let (body, queries) = (self.editor.body(), self.editor.environment.queries);
        let ty = body.ty(body.result(id)?);
        let mut whole = self.editor.operand(id, 0)?;
        while let Some(scope) = body.defining(whole)
            && matches!(self.editor.opcode(scope), Opcode::BeginBorrow | Opcode::CopyValue | Opcode::MoveValue)
        {
            whole = self.editor.operand(scope, 0)?;
        }
        let made = match self.editor.opcode(id) {
            Opcode::StructExtract => self.editor.made_by(whole, Opcode::Struct)?,
            _ => self.editor.made_by(whole, Opcode::Tuple)?,
        };
        let part = self.editor.operand(made, field_number(queries, body, id)? as usize)?;
        self.editor.is_trivial(ty).then_some(part)
    }

    /// Removes an unused borrow that is no lexical scope. Returns whether it was one.
    fn remove_idle_borrow(&mut self, id: InstructionId) -> bool {
        let is_borrow = self.editor.opcode(id) == Opcode::BeginBorrow;
        let is_scope = self.editor.body().instructions[id].attributes.contains(Attribute::Lexical);
        let Some(borrow) = self.editor.body().result(id).filter(|_| is_borrow && !is_scope) else { return false };
        let uses = self.editor.uses(borrow);
        let is_idle = uses.iter().all(|found| self.editor.opcode(found.user) == Opcode::EndBorrow);
        if is_idle {
            self.editor.erase_with_users(id);
        }
        is_idle
    }

    /// Replaces a metatype by the function's metatype argument.
    fn take_metatype(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let Some(ty) = body.result(id).map(|metatype| body.ty(metatype)) else { return };
        if let Some(argument) = metatypes::passed(self.editor.environment.queries, body, ty) {
            self.editor.replace(id, argument);
        }
    }

    fn preserves_debug_information(&self) -> bool {
        self.editor.environment.settings.optimization != OptimizationMode::Optimized
    }

    /// Returns whether a value is unused apart from debug values, as far as those matter.
    fn is_unused(&self, value: Value) -> bool {
        match self.preserves_debug_information() {
            true => self.editor.uses(value).is_empty(),
            false => self.editor.uses_but_debug(value).is_empty(),
        }
    }

    /// Removes the definitions of unused `values`.
    fn remove_unused(&mut self, mut values: Vec<Value>) {
        while let Some(value) = values.pop() {
            let Some(id) = self.editor.body().defining(value).filter(|id| self.editor.is_placed(*id)) else { continue };
            let operands = self.editor.body().operands(id).to_vec();
            if self.destroy_whole(id) {
                continue;
            }
            if self.remove_idle_borrow(id) || self.destroy_parts(id) {
                values.extend(operands);
                continue;
            }
            let editor = &self.editor;
            let is_unused = editor.body().results(id).all(|result| self.is_unused(result));
            let has_no_effect = editor.memory_behavior(id) == MemoryBehavior::None && !editor.may_have_side_effects(id);
            if is_unused && has_no_effect && editor.opcode(id) != Opcode::MarkUninitialized {
                self.editor.erase_with_debug_uses(id);
                values.extend(operands);
            }
        }
    }
}

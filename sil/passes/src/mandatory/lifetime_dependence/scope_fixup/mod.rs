//! Extends scopes to the uses of values that depend on them: the pass `lifetime-dependence-scope-fixup`
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LifetimeDependenceScopeFixup.swift).
//!
//! Owns: the order of the work, and the new bases of dependences. `extension` finds the scopes to extend, `ends`
//! inserts their new ends, `mutable_spans` ends mutations of memory by spans.

mod ends;
mod extension;
mod mutable_spans;

use sil_analysis::{Change, Use};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Place, Value};

use super::facts::{Facts, unresolved};
use super::reachability::Reachabilities;
use super::scope::{LifetimeDependence, Scope};
use crate::editing::editor::Editor;
use crate::editing::stack_nesting;
use crate::pass::{Environment, Rewrite};
use extension::Extension;

/// Extends the scopes of dependencies in a function.
pub(crate) fn fix_up(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { body, .. } = environment;
    let is_mark = |opcode| matches!(opcode, Opcode::MarkDependence | Opcode::MarkDependenceAddr);
    if !body.placed_instructions().any(|id| is_mark(body.instructions[id].opcode)) {
        return Ok(None);
    }
    let mut fixup = Fixup { editor: Editor::new(environment), frees_elsewhere: false };
    let mut marks: Vec<InstructionId> =
        body.placed_instructions().filter(|id| is_mark(body.instructions[*id].opcode)).collect();
    marks.reverse();
    while let Some(mark) = marks.pop() {
        let made = fixup.fix(mark);
        marks.extend(made.into_iter().rev());
    }
    if fixup.frees_elsewhere {
        let context = environment.queries.context;
        fixup.editor.edit_whole(Change::Instructions, |body| stack_nesting::fix(context, body));
    }
    Ok(fixup.editor.finish())
}

struct Fixup<'m> {
    editor: Editor<'m>,
    /// Whether the deallocation of stack memory has moved.
    frees_elsewhere: bool,
}

impl Fixup<'_> {
    /// Extends the scopes of a mark's dependence. Returns the additional marks for it.
    fn fix(&mut self, mark: InstructionId) -> Vec<InstructionId> {
        let Some(scope) = self.redirect_to_scope(mark) else { return Vec::new() };
        let plan = {
            let view = self.editor.view();
            let facts = Facts::new(&view);
            let dependence = LifetimeDependence::with_scope(&facts, mark, scope);
            dependence.and_then(|dependence| Extension::plan(&facts, &Reachabilities::default(), &dependence))
        };
        let Some(plan) = plan else { return Vec::new() };
        let arguments = plan.caller_arguments(&self.editor);
        self.frees_elsewhere |= ends::extend(&mut self.editor, &plan);
        if arguments.is_empty() {
            mutable_spans::end_mutations(&mut self.editor, mark, scope);
        }
        self.redirect_to_arguments(mark, &arguments)
    }

    /// Replaces the base of a mark by the value under borrows that begin no variable. Returns the scope; `None` for an
    /// escaping mark.
    fn redirect_to_scope(&mut self, mark: InstructionId) -> Option<Scope> {
        let (scope, base) = {
            let view = self.editor.view();
            let facts = Facts::new(&view);
            let scope = LifetimeDependence::of_mark(&facts, mark)?.scope;
            match scope.without_borrow(&facts) {
                Some(outer) => (outer, outer.parent(&facts)),
                None => (scope, None),
            }
        };
        if let Some(base) = base.filter(|base| self.editor.operand(mark, 1) != Some(*base)) {
            self.editor.set_operand(Use { user: mark, operand: 1 }, base);
        }
        Some(scope)
    }

    /// Makes a mark depend on the caller's arguments: the first becomes its base, additional marks have the others.
    fn redirect_to_arguments(&mut self, mark: InstructionId, arguments: &[Value]) -> Vec<InstructionId> {
        let Some((first, others)) = arguments.split_first() else { return Vec::new() };
        self.editor.set_operand(Use { user: mark, operand: 1 }, *first);
        let mut made = Vec::new();
        let mut current = mark;
        for argument in others {
            current = match self.editor.body().result(current) {
                Some(value) => self.mark_again(current, value, *argument),
                None => self.mark_address_again(current, *argument),
            };
            made.push(current);
        }
        made
    }

    fn mark_again(&mut self, mark: InstructionId, value: Value, base: Value) -> InstructionId {
        let uses = self.editor.uses(value);
        let marked = self
            .editor
            .build(Place::After(mark), mark, |builder| builder.with(unresolved()).mark_dependence(value, base));
        uses.into_iter().for_each(|found| self.editor.set_operand(found, marked));
        self.editor.forget_ownership();
        self.editor.body().defining(marked).unwrap_or(mark)
    }

    fn mark_address_again(&mut self, mark: InstructionId, base: Value) -> InstructionId {
        let Some(address) = self.editor.operand(mark, 0) else { return mark };
        self.editor
            .build(Place::After(mark), mark, |builder| builder.with(unresolved()).mark_dependence_addr(address, base))
    }
}

//! Determines the values that share memory by their definitions and uses: projections of others, operands of
//! aggregates, and values that are the same memory under another type. Also finds the tuples without storage: the
//! results of a call, and the returned tuple of a function with several results.

use rustc_hash::FxHashSet;
use sil_analysis::{AddressEscape, ApplyKind, ApplySite, InnerBorrows, LifetimeFacts, Use, ValueDependence};
use sil_ir::context::Type;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, InstructionId, Ownership, Value};
use sil_ir::types::FunctionConventions;

use super::lowering::Lowering;

/// Returns the first operand of an instruction.
fn first_operand(user: InstructionId) -> Use {
    Use { user, operand: 0 }
}

impl Lowering<'_> {
    /// Returns the conventions of a call with opaque values.
    pub(super) fn call_conventions(&self, call: InstructionId) -> Option<FunctionConventions<'_>> {
        ApplySite::new(self.body(), call)?.conventions(self.opaque())
    }

    /// Returns the call whose direct results form the tuple `value`. Such a tuple has no storage.
    pub(super) fn call_of_tuple(&self, value: Value) -> Option<InstructionId> {
        let call = self.body().defining(value).or_else(|| self.giving_terminator(value))?;
        let kind = ApplyKind::of(self.opcode(call))?;
        if !matches!(kind, ApplyKind::Apply | ApplyKind::TryApply)
            || !matches!(self.lowered.get(self.ty(value).ty), Type::Tuple(_))
        {
            return None;
        }
        let is_error = kind == ApplyKind::TryApply
            && self.argument(value).is_some_and(|(block, _)| self.body().targets(call).first() != Some(&block));
        let has_several = self.call_conventions(call).is_some_and(|found| found.direct_results().count() > 1);
        (has_several && !is_error).then_some(call)
    }

    /// Returns the number of results that the function returns as values, including opaque ones.
    pub(super) fn direct_result_count(&self) -> usize {
        let conventions = self.opaque().conventions(self.editor.environment.function.ty);
        conventions.map_or(0, |conventions| conventions.direct_results().count())
    }

    /// Returns whether `value` is a tuple of several results whose only use is a return. It has no storage.
    pub(super) fn is_returned_tuple(&self, value: Value) -> bool {
        self.direct_result_count() > 1
            && self.editor.made_by(value, Opcode::Tuple).is_some()
            && self.single_use(value).is_some_and(|found| self.opcode(found.user) == Opcode::Return)
    }

    /// Returns the operand of which `value` is a projection; it shares that operand's memory.
    pub(super) fn taken_from(&self, value: Value) -> Option<Use> {
        let id = self.body().defining(value)?;
        let operand = self.editor.operand(id, 0)?;
        match self.opcode(id) {
            Opcode::BeginBorrow
            | Opcode::MoveValue
            | Opcode::MarkUnresolvedNonCopyableValue
            | Opcode::DestructureStruct
            | Opcode::StructExtract
            | Opcode::OpenExistentialValue
            | Opcode::OpenExistentialBoxValue => Some(first_operand(id)),
            Opcode::CopyValue if self.stored_copies.contains(&value) => Some(first_operand(id)),
            Opcode::DestructureTuple if self.call_of_tuple(operand).is_none() => Some(first_operand(id)),
            Opcode::TupleExtract if self.call_of_tuple(operand).is_none() => Some(first_operand(id)),
            Opcode::TuplePackExtract => Some(Use { user: id, operand: 1 }),
            _ => None,
        }
    }

    /// Returns the operand of which `value` is the same value under another type. The use of that operand determines
    /// the storage.
    pub(super) fn reused(&self, value: Value) -> Option<Use> {
        if let Some(terminator) = self.giving_terminator(value) {
            let (block, _) = self.argument(value)?;
            let is_failure = self.body().targets(terminator).get(1) == Some(&block);
            let is_reused = match self.opcode(terminator) {
                Opcode::SwitchEnum => true,
                Opcode::CheckedCastBr => is_failure,
                _ => false,
            };
            return is_reused.then(|| first_operand(terminator));
        }
        let id = self.body().defining(value)?;
        let is_reused = matches!(
            self.opcode(id),
            Opcode::CopyableToMoveonlywrapper
                | Opcode::MoveonlywrapperToCopyable
                | Opcode::OpenExistentialValue
                | Opcode::OpenExistentialBoxValue
                | Opcode::UncheckedEnumData
                | Opcode::UncheckedBitwiseCast
                | Opcode::UncheckedValueCast
        );
        is_reused.then(|| first_operand(id))
    }

    /// Returns the aggregate in which a use puts its value; for a returned value, the address of the result.
    pub(super) fn put_into(&self, found: Use) -> Option<Value> {
        match self.opcode(found.user) {
            Opcode::Struct | Opcode::Enum | Opcode::InitExistentialValue => self.body().result(found.user),
            Opcode::Tuple => {
                let tuple = self.body().result(found.user)?;
                if self.is_returned_tuple(tuple) { self.result_address(found.operand as usize) } else { Some(tuple) }
            }
            Opcode::Return => self.result_address(0),
            _ => None,
        }
    }

    /// Returns the function's argument for the address of result number `result` among the direct results.
    pub(super) fn result_address(&self, result: usize) -> Option<Value> {
        let ty = self.editor.environment.function.ty;
        let (opaque, lowered) = (self.opaque().conventions(ty)?, self.lowered.conventions(ty)?);
        let results = opaque.function.results.iter().zip(&lowered.function.results);
        let (mut direct, mut indirect) = (0, 0);
        for (before, after) in results {
            let is_indirect = after.convention.is_indirect();
            if !before.convention.is_indirect() {
                if direct == result {
                    let arguments = &self.body().blocks[self.body().entry()].arguments;
                    return arguments.get(indirect).copied().filter(|_| is_indirect);
                }
                direct += 1;
            }
            indirect += usize::from(is_indirect);
        }
        None
    }

    /// Returns whether a value needs no memory of its own: a borrow of memory is in that memory already.
    pub(super) fn needs_no_memory(&self, value: Value) -> bool {
        let Some(id) = self.body().defining(value) else { return false };
        match self.opcode(id) {
            Opcode::LoadBorrow => true,
            Opcode::BeginApply => self.ownership(value) == Ownership::Guaranteed,
            _ => false,
        }
    }

    /// Finds the copies whose only use is a store within the lifetime of the copied value.
    pub(super) fn find_stored_copies(&mut self) {
        let view = self.editor.view();
        let dependence = ValueDependence::new(&view);
        let copies = CopiedLifetimes { facts: LifetimeFacts { view: &view, dependence: &dependence } };
        let opaque = self.storages.ordinals().map(|ordinal| self.storages.get(ordinal).value);
        let found: FxHashSet<Value> = opaque.filter(|value| copies.is_stored_copy(self.body(), *value)).collect();
        self.stored_copies = found;
    }
}

/// Decides which copies are stored within the lifetime of the copied value.
struct CopiedLifetimes<'v, 'm> {
    facts: LifetimeFacts<'v, 'm>,
}

impl CopiedLifetimes<'_, '_> {
    fn is_stored_copy(&self, body: &Body, value: Value) -> bool {
        let view = self.facts.view;
        let Some(copy) = body.defining(value).filter(|id| body.instructions[*id].opcode == Opcode::CopyValue) else {
            return false;
        };
        let &[Use { user, .. }] = view.uses.of(value) else { return false };
        if body.instructions[user].opcode != Opcode::Store {
            return false;
        }
        let &[source] = body.operands(copy) else { return false };
        match view.ownership(source) {
            Ownership::Guaranteed => self.roots(source).into_iter().all(|root| self.root_outlives(root, user)),
            Ownership::Owned => self.outlives(source, user),
            Ownership::None | Ownership::Unowned => true,
        }
    }

    /// Returns whether a borrow is known to last until `store`. A value yielded by a coroutine may end before that.
    fn root_outlives(&self, root: Value, store: InstructionId) -> bool {
        let view = self.facts.view;
        match view.definition(root) {
            None if view.argument_convention(root).is_some() => true,
            None if view.incoming_values(root).is_some() => false,
            Some((_, Opcode::BeginApply)) => false,
            _ => self.outlives(root, store),
        }
    }

    fn outlives(&self, value: Value, store: InstructionId) -> bool {
        let (liveness, summary) = self.facts.simple_liveness(value);
        summary.addresses == AddressEscape::None
            && summary.borrows == InnerBorrows::Contained
            && liveness.is_within(store)
    }

    /// Returns the outermost borrow introducers of a guaranteed value.
    fn roots(&self, value: Value) -> Vec<Value> {
        let view = self.facts.view;
        let (mut roots, mut open, mut seen) = (Vec::new(), vec![value], FxHashSet::default());
        while let Some(value) = open.pop() {
            if !seen.insert(value) || view.ownership(value) != Ownership::Guaranteed {
                continue;
            }
            let introducers = self.facts.dependence.borrow_introducers(value);
            if introducers != [value] {
                open.extend(introducers);
                continue;
            }
            let outer = match view.definition(value) {
                Some((id, Opcode::BeginBorrow)) => view.operand(id, 0),
                _ => None,
            };
            match outer.filter(|outer| view.ownership(*outer) == Ownership::Guaranteed) {
                Some(outer) => open.push(outer),
                None => roots.push(value),
            }
        }
        roots
    }
}

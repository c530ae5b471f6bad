//! Collects the reads of a temporary copy. All of them must be in the block of the copy, and none may destroy or modify
//! it.

use rustc_hash::FxHashSet;

use sil_analysis::{AccessKind, ApplyKind, ApplySite, BodyView, Use};
use sil_ir::context::{ParameterConvention, Type};
use sil_ir::instructions::{Attribute, Opcode, OperandUse};
use sil_ir::model::views;
use sil_ir::model::{BlockId, InstructionId, Value};

/// The instructions that read a copy, and the ends of the scopes that they begin.
pub(super) struct Reads<'v, 'm> {
    view: &'v BodyView<'m>,
    block: BlockId,
    temporary: Value,
    pub(super) found: FxHashSet<InstructionId>,
}

impl<'v, 'm> Reads<'v, 'm> {
    /// Creates an empty set for the copy that `id` makes in `temporary`.
    pub(super) fn new(view: &'v BodyView<'m>, id: InstructionId, temporary: Value) -> Self {
        let block = view.body.instructions[id].block;
        Self { view, block, temporary, found: FxHashSet::default() }
    }

    /// Adds `id`. Returns whether it is in the block of the copy.
    pub(super) fn add(&mut self, id: InstructionId) -> bool {
        self.found.insert(id);
        self.view.body.instructions[id].block == self.block
    }

    /// Adds the transitive uses of the copy. Returns false if one of them may do more than read.
    #[must_use]
    pub(super) fn collect(&mut self, first: Use) -> bool {
        let mut open = vec![first];
        while let Some(found) = open.pop() {
            if self.view.body.instructions[found.user].block != self.block || !self.visit(found, &mut open) {
                return false;
            }
        }
        true
    }

    fn visit(&mut self, found: Use, open: &mut Vec<Use>) -> bool {
        use Opcode::*;
        let (body, id) = (self.view.body, found.user);
        if body.instructions[id].opcode.information().operand_use(found.operand as usize) == OperandUse::Mention {
            return true;
        }
        let attributes = body.instructions[id].attributes;
        let is_whole = self.view.used_value(found) == self.temporary;
        match body.instructions[id].opcode {
            // A read access does not write.
            BeginAccess => AccessKind::of(body, id) == AccessKind::Read && self.add_users(id, &[EndAccess]),
            LoadBorrow => self.add(id) && self.add_users(id, &[EndBorrow]),
            Load => (is_whole || !attributes.contains(Attribute::Take)) && self.add(id),
            CopyAddr => self.is_read_by_copy(found, is_whole) && self.add(id),
            FixLifetime => self.add(id),
            // A base is kept alive by its value, so it must not be replaced.
            MarkDependence if self.view.used_value(found) != views::MarkDependence::of(body, id).base => {
                self.follow(id, open)
            }
            Apply | TryApply | BeginApply | PartialApply => self.visit_call(found),
            Yield => self.is_yielded_as_borrow(found) && self.add(id),
            OpenExistentialAddr => attributes.contains(Attribute::ImmutableAccess) && self.follow(id, open),
            UncheckedTakeEnumDataAddr => {
                let ty = body.ty(self.view.used_value(found)).ty;
                self.view.queries.optional_object(ty).is_some() && self.follow(id, open)
            }
            StructElementAddr | TupleElementAddr | UncheckedAddrCast => self.follow(id, open),
            _ => false,
        }
    }

    fn follow(&self, id: InstructionId, open: &mut Vec<Use>) -> bool {
        open.extend(self.view.body.results(id).flat_map(|result| self.view.uses.of(result)));
        true
    }

    /// Adds the users of these kinds of the results of `id`. Returns whether all of them are in the block.
    fn add_users(&mut self, id: InstructionId, ends: &[Opcode]) -> bool {
        let body = self.view.body;
        let is_end = |user: &InstructionId| ends.contains(&body.instructions[*user].opcode);
        let is_reborrow = |user: &InstructionId| body.instructions[*user].opcode == Opcode::Br;
        let view = self.view;
        let users: Vec<InstructionId> =
            body.results(id).flat_map(|result| view.uses.of(result)).map(|found| found.user).collect();
        !users.iter().any(is_reborrow) && users.into_iter().filter(is_end).all(|user| self.add(user))
    }

    fn is_read_by_copy(&self, found: Use, is_whole: bool) -> bool {
        let views::CopyAddr { destination, .. } = views::CopyAddr::of(self.view.body, found.user);
        let takes = self.view.body.instructions[found.user].attributes.contains(Attribute::Take);
        destination != self.view.used_value(found) && (is_whole || !takes)
    }

    /// A call reads a guaranteed argument until it returns, a stack closure until its end.
    fn visit_call(&mut self, found: Use) -> bool {
        let body = self.view.body;
        let Some(site) = ApplySite::new(body, found.user) else { return false };
        let conventions = site.conventions(self.view.queries);
        let argument =
            conventions.and_then(|conventions| site.argument_of_operand(conventions, found.operand as usize));
        if !argument.is_some_and(|argument| argument.convention.is_guaranteed()) || !self.add(found.user) {
            return false;
        }
        match site.kind {
            ApplyKind::Apply | ApplyKind::TryApply => true,
            ApplyKind::BeginApply => self.add_users(found.user, &[Opcode::EndApply, Opcode::AbortApply]),
            ApplyKind::PartialApply => {
                let is_on_stack = body.instructions[found.user].attributes.contains(Attribute::OnStack);
                is_on_stack && self.add_closure_users(found.user)
            }
        }
    }

    /// Adds the transitive users of a closure.
    fn add_closure_users(&mut self, closure: InstructionId) -> bool {
        let mut closures = vec![closure];
        let mut seen = FxHashSet::from_iter([closure]);
        while let Some(id) = closures.pop() {
            let results: Vec<Value> = self.view.body.results(id).collect();
            for found in results.into_iter().flat_map(|result| self.view.uses.of(result)) {
                if !self.add(found.user) {
                    return false;
                }
                let is_call = ApplySite::new(self.view.body, found.user).is_some_and(|site| site.kind.is_full());
                if !is_call && seen.insert(found.user) {
                    closures.push(found.user);
                }
            }
        }
        true
    }

    fn is_yielded_as_borrow(&self, found: Use) -> bool {
        let Type::Function(function) = self.view.queries.get(self.view.function.ty) else { return false };
        let convention = function.yields.get(found.operand as usize).map(|yielded| yielded.convention);
        convention.is_some_and(|convention| {
            matches!(
                convention,
                ParameterConvention::Guaranteed
                    | ParameterConvention::InGuaranteed
                    | ParameterConvention::PackGuaranteed
            )
        })
    }
}

//! Inlines coroutines: a `yield` branches to the code after the call, and the end of the call branches to the
//! resumption of the callee.

use sil_analysis::Uses;
use sil_ir::context::{BuiltinType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Unary, Yield};
use sil_ir::model::{BlockId, Body, InstructionId, Ownership, Place, Value};

use super::{Exits, Inliner, OwnedKind};
use crate::InstructionBuilder;
use crate::editing::cloning::Cloner;

/// An inlined coroutine call.
pub(super) struct Coroutine {
    end: Option<Resumption>,
    abort: Option<Resumption>,
    /// Other users of the token, which are erased with the call.
    uses: Vec<InstructionId>,
    /// The yielded values in the caller.
    yielded: Vec<Value>,
    has_yielded: bool,
}

/// The resumption of the callee.
struct Resumption {
    /// The `end_apply` or `abort_apply`.
    instruction: InstructionId,
    /// The block that ends with the resumption.
    from: BlockId,
    /// The block that the callee branches to at its end.
    to: BlockId,
}

/// Returns whether a coroutine can be inlined: it has at most one `yield`, and the call has at most one end of each
/// kind, since live values are not passed as block arguments.
pub(crate) fn can_inline(caller: &Body, call: InstructionId, callee: &Body) -> bool {
    let yields = callee.blocks.keys().filter_map(|block| callee.terminator(block));
    let yields = yields.filter(|id| callee.instructions[*id].opcode == Opcode::Yield).count();
    let uses = Uses::new(caller);
    let count = |opcode: Opcode| {
        let used = caller.results(call).flat_map(|result| uses.of(result));
        used.filter(|found| caller.instructions[found.user].opcode == opcode).count()
    };
    yields <= 1 && count(Opcode::EndApply) <= 1 && count(Opcode::AbortApply) <= 1
}

impl Coroutine {
    /// The blocks that end with a resumption of the callee, each with the block that the callee branches to afterwards.
    pub(super) fn resumptions(&self) -> Vec<(BlockId, BlockId)> {
        self.end.iter().chain(&self.abort).map(|resumption| (resumption.from, resumption.to)).collect()
    }
}

impl Exits {
    /// The blocks at whose starts a call has ended.
    pub(super) fn ends(&self) -> Vec<BlockId> {
        match &self.coroutine {
            Some(Coroutine { end, abort, .. }) => end.iter().chain(abort).map(|resumption| resumption.to).collect(),
            None => std::iter::once(self.returned).chain(self.thrown).collect(),
        }
    }
}

impl Inliner<'_> {
    /// Splits the blocks at the ends of a coroutine call.
    pub(super) fn coroutine(&mut self, call: InstructionId) -> Coroutine {
        // The results: the yielded values, the token, and the allocation.
        let results: Vec<Value> = self.body.results(call).collect();
        let (token, allocation): (Vec<Value>, Vec<Value>) =
            results.iter().skip_while(|value| !self.is_token(**value)).partition(|value| self.is_token(**value));
        let yielded = results.iter().copied().take_while(|value| !self.is_token(*value)).collect();
        let users: Vec<InstructionId> = (self.body.placed_instructions())
            .filter(|id| {
                self.body.operands(*id).iter().any(|value| token.contains(value) || allocation.contains(value))
            })
            .collect();
        let mut coroutine = Coroutine { end: None, abort: None, uses: Vec::new(), yielded, has_yielded: false };
        for user in users {
            match self.body.instructions[user].opcode {
                Opcode::EndApply => coroutine.end = Some(self.resumption(user)),
                Opcode::AbortApply => coroutine.abort = Some(self.resumption(user)),
                Opcode::MarkDependence => {
                    let (Some(result), Some(value)) =
                        (self.body.result(user), self.body.operands(user).first().copied())
                    else {
                        continue;
                    };
                    self.replace(result, value);
                    coroutine.uses.push(user);
                }
                _ => coroutine.uses.push(user),
            }
        }
        coroutine
    }

    fn is_token(&self, value: Value) -> bool {
        matches!(self.queries.get(self.body.ty(value).ty), Type::Builtin(BuiltinType::Token))
    }

    fn resumption(&mut self, instruction: InstructionId) -> Resumption {
        let from = self.body.instructions[instruction].block;
        let to = self.body.split_block(instruction);
        self.place_after(from, to);
        Resumption { instruction, from, to }
    }

    /// Clones a terminator that is specific to coroutines. Returns false for others.
    pub(super) fn clone_coroutine_terminator(
        &mut self,
        cloner: &mut Cloner<'_>,
        from: &Body,
        terminator: InstructionId,
        coroutine: &mut Coroutine,
        yielded: BlockId,
        call: InstructionId,
    ) -> bool {
        let into = cloner.block(&mut self.body, from.instructions[terminator].block);
        let end = match from.instructions[terminator].opcode {
            Opcode::Yield => {
                self.yield_to_caller(cloner, from, terminator, coroutine, yielded, call);
                return true;
            }
            Opcode::Return => {
                let returned = cloner.value(&mut self.body, Unary::of(from, terminator).operand);
                let result = coroutine.end.as_ref().and_then(|end| self.body.result(end.instruction));
                if let Some(result) = result {
                    self.replace(result, returned);
                }
                &coroutine.end
            }
            Opcode::Unwind => &coroutine.abort,
            _ => return false,
        };
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(into), call);
        match end {
            Some(end) => builder.branch(end.to, &[]),
            None => builder.unreachable(),
        };
        true
    }

    /// Branches from the `yield` to the code after the call, and from the ends of the call to the resumption blocks.
    fn yield_to_caller(
        &mut self,
        cloner: &mut Cloner<'_>,
        from: &Body,
        terminator: InstructionId,
        coroutine: &mut Coroutine,
        yielded: BlockId,
        call: InstructionId,
    ) {
        let Yield { values, resume, unwind } = Yield::of(from, terminator);
        let into = cloner.block(&mut self.body, from.instructions[terminator].block);
        coroutine.has_yielded = true;
        let mut borrows = Vec::new();
        for (value, result) in values.iter().zip(coroutine.yielded.clone()) {
            let mut value = cloner.value(&mut self.body, *value);
            let is_lent =
                self.kinds[self.resolve(value)].0 == Ownership::Owned && self.kinds[result].0 == Ownership::Guaranteed;
            if is_lent {
                let mut builder = InstructionBuilder::new(&mut self.body, Place::End(into), call);
                value = builder.begin_borrow(value);
                self.kinds[value] = OwnedKind(Ownership::Guaranteed);
                borrows.push(value);
            }
            self.replace(result, value);
        }
        InstructionBuilder::new(&mut self.body, Place::End(into), call).branch(yielded, &[]);
        for (resumption, target) in [(&coroutine.end, resume), (&coroutine.abort, unwind)] {
            let Some(Resumption { instruction, from, .. }) = resumption else { continue };
            let target = cloner.block(&mut self.body, target);
            let mut builder = InstructionBuilder::new(&mut self.body, Place::End(*from), *instruction);
            for borrow in &borrows {
                builder.end_borrow(*borrow);
            }
            builder.branch(target, &[]);
        }
    }

    /// Erases the remains of a call.
    pub(super) fn complete(&mut self, coroutine: Coroutine, call: InstructionId) {
        let Coroutine { end, abort, uses, yielded, has_yielded } = coroutine;
        if !has_yielded {
            for Resumption { from, .. } in end.iter().chain(&abort) {
                let mut builder = InstructionBuilder::new(&mut self.body, Place::End(*from), call);
                builder.unreachable();
            }
            for value in yielded {
                let undefined = self.body.undef(self.body.ty(value));
                self.replace(value, undefined);
            }
        }
        let ends = end.iter().chain(&abort).map(|resumption| resumption.instruction);
        ends.chain(uses).for_each(|id| self.body.erase(id));
    }
}

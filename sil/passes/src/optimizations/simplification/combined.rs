//! Small rules that only sil-combine uses (lib/SILOptimizer/SILCombiner/SILCombinerMiscVisitors.cpp,
//! SILCombinerApplyVisitors.cpp): chained index addresses, switches on bits, closures without captures, and unneeded
//! dependences.

use sil_analysis::{ControlFlowGraph, Use};
use sil_ir::context::{BuiltinType, Representation, SubstitutionMapId, Type};
use sil_ir::instructions::builtins::{BuiltinCast, BuiltinKind};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CheckedCastBr, CondFail, IndexAddr, MarkDependence, SwitchValue};
use sil_ir::model::{DefaultCase, Details, InstructionId, LocationKind, Place, Value};

use super::{Peepholes, Simplifier};
use crate::editing::canonical_memory::{self, DebugInformation};

impl Simplifier<'_> {
    /// Narrows a load to the used parts.
    pub(super) fn divide_load(&mut self, id: InstructionId) -> bool {
        matches!(self.editor.opcode(id), Opcode::Load | Opcode::LoadBorrow)
            && canonical_memory::divide_load(&mut self.editor, id, DebugInformation::Ignore).is_some()
    }

    /// Makes the code after a check that always fails unreachable. Owned values still end before it.
    pub(super) fn certain_failure(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let literal = self.literal(CondFail::of(body, id).condition)?;
        let block = body.instructions[id].block;
        let after: Vec<InstructionId> = body.instructions_in(block).skip_while(|found| *found != id).skip(1).collect();
        let is_end = |id: InstructionId| {
            let is_made_after = |operand: &Value| body.defining(*operand).is_some_and(|made| after.contains(&made));
            matches!(self.editor.opcode(id), Opcode::DestroyValue | Opcode::EndBorrow)
                && !body.operands(id).iter().any(is_made_after)
        };
        let gone: Vec<InstructionId> = after.iter().copied().filter(|id| !is_end(*id)).collect();
        let is_done = matches!(gone[..], [only] if self.editor.opcode(only) == Opcode::Unreachable);
        if literal == 0 || is_done || gone.iter().any(|id| is_named_elsewhere(self.editor.opcode(*id))) {
            return None;
        }
        for gone in gone.into_iter().rev() {
            // A scope that begins after the check has no end.
            for result in self.editor.body().results(gone).collect::<Vec<_>>() {
                for found in self.editor.uses(result) {
                    if is_scope_end(self.editor.opcode(found.user)) {
                        self.editor.erase(found.user);
                    }
                }
            }
            for result in self.editor.body().results(gone).collect::<Vec<_>>() {
                let undef = self.editor.undef(self.editor.body().ty(result));
                self.editor.replace_all(result, undef);
            }
            self.editor.erase(gone);
        }
        self.editor.build(Place::End(block), id, |builder| {
            builder.set_location_kind(LocationKind::ArtificialUnreachable);
            builder.unreachable();
        });
        self.editor.forget_ownership();
        Some(())
    }

    /// The metatype, if it is the argument of the success block of an exact cast, which determines the class exactly.
    pub(super) fn exactly_cast(&self, allocation: InstructionId, metatype: Value) -> Option<Value> {
        if self.peepholes != Peepholes::Combined {
            return None;
        }
        let body = self.editor.body();
        let block = body.instructions[allocation].block;
        let cfg = ControlFlowGraph::new(body);
        let [before] = cfg.predecessors(block) else { return None };
        let cast = body.terminator(*before).filter(|id| self.editor.opcode(*id) == Opcode::CheckedCastBr)?;
        let is_exact = body.instructions[cast].attributes.contains(Attribute::Exact);
        let CheckedCastBr { success, .. } = CheckedCastBr::of(body, cast);
        let is_argument = body.blocks[block].arguments.contains(&metatype);
        (is_exact && success == block && is_argument).then_some(metatype)
    }

    /// Folds the distance of two pointers if one is derived from the other.
    pub(super) fn pointer_distance(&mut self, id: InstructionId) -> Option<()> {
        let pointer = |index: usize| {
            let cast = self.editor.made_by(self.editor.operand(id, index)?, Opcode::Builtin)?;
            matches!(self.builtin(cast)?, BuiltinKind::Cast(BuiltinCast::PtrToInt))
                .then(|| self.editor.operand(cast, 0))
                .flatten()
        };
        let (far, near) = (pointer(0)?, pointer(1)?);
        let moved = self.editor.made_by(far, Opcode::IndexRawPointer)?;
        let (base, distance) = (self.editor.operand(moved, 0)?, self.editor.operand(moved, 1)?);
        let body = self.editor.body();
        if base != near || body.ty(distance) != body.ty(body.result(id)?) {
            return None;
        }
        self.editor.replace(id, distance);
        Some(())
    }

    /// Combines two `index_addr`s with literal indices.
    pub(super) fn index_addr(&mut self, id: InstructionId) -> Option<()> {
        let IndexAddr { base, index } = IndexAddr::of(self.editor.body(), id);
        let inner = self.editor.made_by(base, Opcode::IndexAddr)?;
        let IndexAddr { base: first, index: distance } = IndexAddr::of(self.editor.body(), inner);
        let sum = self.literal(index)?.checked_add(self.literal(distance)?)?;
        let body = self.editor.body();
        let is_protected =
            [id, inner].iter().any(|id| body.instructions[*id].attributes.contains(Attribute::StackProtection));
        let word = body.ty(index);
        let mut attributes = AttributeSet::default();
        if is_protected {
            attributes.insert(Attribute::StackProtection);
        }
        let sum = self.integer(id, sum, word);
        let address =
            self.editor.build(Place::Before(id), id, |builder| builder.with(attributes).index_addr(first, sum));
        self.editor.replace(id, address);
        Some(())
    }

    /// Replaces a `switch_value` on a bit with a `cond_br`.
    pub(super) fn switch_value(&mut self, id: InstructionId) -> Option<()> {
        let SwitchValue { operand, cases, targets, default } = SwitchValue::of(self.editor.body(), id);
        let (cases, targets) = (cases.to_vec(), targets.to_vec());
        if self.width(self.editor.body().ty(operand)) != Some(1) {
            return None;
        }
        let (mut on_true, mut on_false) = (None, None);
        for (case, target) in cases.iter().zip(&targets) {
            let way = if self.literal(*case)? == 0 { &mut on_false } else { &mut on_true };
            *way = Some(*target);
        }
        if default != DefaultCase::Absent {
            let rest = targets.get(cases.len()).copied();
            if on_false.is_none() {
                on_false = rest;
            } else if on_true.is_none() {
                on_true = rest;
            }
        }
        let (on_true, on_false) = (on_true?, on_false?);
        self.editor.build(Place::Before(id), id, |builder| {
            builder.cond_br(operand, [(on_true, &[]), (on_false, &[])], [None; 2]);
        });
        self.editor.erase(id);
        Some(())
    }

    /// Replaces a closure without captures with the function itself.
    pub(super) fn closure_of_nothing(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let [callee] = *body.operands(id) else { return None };
        let Details::Apply(apply) = &body.instructions[id].details else { return None };
        let Type::Function(function) = self.editor.environment.queries.get(apply.callee_type.ty) else { return None };
        let is_plain =
            apply.substitutions == SubstitutionMapId::EMPTY && function.representation == Representation::Thin;
        let is_on_stack = body.instructions[id].attributes.contains(Attribute::OnStack);
        if !is_plain {
            return None;
        }
        let closure = body.result(id)?;
        let ty = body.ty(closure);
        if is_on_stack {
            let frees = |found: &Use| self.editor.opcode(found.user) == Opcode::DeallocStack;
            let frees: Vec<InstructionId> =
                self.editor.uses(closure).into_iter().filter(frees).map(|found| found.user).collect();
            frees.into_iter().for_each(|free| self.editor.erase(free));
        }
        let function = self.editor.build(Place::Before(id), id, |builder| builder.thin_to_thick_function(callee, ty));
        self.editor.replace(id, function);
        Some(())
    }

    /// Removes dependences of literals and on trivial values. Without ownership, also looks through the base's
    /// definition.
    pub(super) fn mark_dependence(&mut self, id: InstructionId) -> Option<()> {
        let MarkDependence { value, base } = MarkDependence::of(self.editor.body(), id);
        if self.is_literal(value) || self.needs_no_dependence(base) {
            match self.editor.body().result(id) {
                Some(_) => self.editor.replace(id, value),
                None => self.editor.erase(id),
            }
            return Some(());
        }
        if self.editor.has_ownership() {
            return None;
        }
        let made = self.editor.body().defining(base)?;
        let is_wrapper =
            matches!(self.editor.opcode(made), Opcode::Enum | Opcode::InitExistentialRef | Opcode::OpenExistentialRef);
        let inner = self.editor.operand(made, 0).filter(|_| is_wrapper)?;
        self.editor.set_operand(Use { user: id, operand: 1 }, inner);
        self.push(id);
        Some(())
    }

    /// Returns whether a value is a literal, or a struct of one literal.
    fn is_literal(&self, value: Value) -> bool {
        use Opcode::{FloatLiteral, FunctionRef, IntegerLiteral, StringLiteral, Struct};
        let Some(id) = self.editor.body().defining(value) else { return false };
        match (self.editor.opcode(id), self.editor.body().operands(id)) {
            (IntegerLiteral | FloatLiteral | StringLiteral | FunctionRef, _) => true,
            (Struct, [only]) => self.is_literal(*only),
            _ => false,
        }
    }

    /// Returns whether a base is trivial. The token of a coroutine is not, since it has an end.
    fn needs_no_dependence(&self, base: Value) -> bool {
        let is_token = self.editor.made_by(base, Opcode::BeginApply).is_some();
        !is_token && self.editor.is_trivial(self.editor.body().ty(base).object_type())
    }

    /// Returns whether a type is a builtin integer or word.
    pub(super) fn is_whole_number(&self, ty: sil_ir::context::SilType) -> bool {
        matches!(self.editor.environment.queries.get(ty.ty), Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word))
    }
}

/// Returns whether code after the instruction, even if unreachable, may refer to its result in a way that cannot be
/// replaced with `undef`: an opened type, a coroutine, a pack index.
fn is_named_elsewhere(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        OpenExistentialAddr
            | OpenExistentialRef
            | OpenExistentialMetatype
            | OpenExistentialValue
            | OpenExistentialBox
            | OpenExistentialBoxValue
            | OpenPackElement
            | AllocPack
            | AllocPackMetadata
            | DynamicPackIndex
            | PackPackIndex
            | ScalarPackIndex
            | AllocExistentialBox
            | BeginApply
    )
}

/// Returns whether an instruction only ends the scope of its operand.
fn is_scope_end(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, EndBorrow | EndAccess | EndLifetime | DeallocStack | DeallocStackRef)
}

//! What sil-combine alone makes simpler, each a rule of few lines (lib/SILOptimizer/SILCombiner/SILCombinerMiscVisitors.cpp,
//! SILCombinerApplyVisitors.cpp): addresses at two distances, switches over bits, closures over nothing, dependences on what needs none.

use super::{Peepholes, Simplifier};
use crate::analysis::Use;
use crate::context::{BuiltinType, Representation, SubstitutionMapId, Type};
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::views::{IndexAddr, MarkDependence, SwitchValue};
use crate::model::{DefaultCase, Details, InstructionId, Place, Value};
use crate::transform::editing::canonical_memory::{self, DebugInformation};

impl Simplifier<'_> {
    /// Only the parts that are used are loaded.
    pub(super) fn divide_load(&mut self, id: InstructionId) -> bool {
        self.peepholes == Peepholes::Combined
            && canonical_memory::divide_load(&mut self.editor, id, DebugInformation::Ignore).is_some()
    }

    /// An address at two known distances is at their sum.
    pub(super) fn index_addr(&mut self, id: InstructionId) -> Option<()> {
        let IndexAddr { base, index } = IndexAddr::of(self.editor.body(), id);
        let inner = self.editor.made_by(base, Opcode::IndexAddr)?;
        let IndexAddr { base: first, index: distance } = IndexAddr::of(self.editor.body(), inner);
        let sum = self.literal(index)?.checked_add(self.literal(distance)?)?;
        let body = self.editor.body();
        let is_protected =
            [id, inner].iter().any(|id| body.instructions[*id].attributes.contains(Attribute::StackProtection));
        let (ty, word) = (body.ty(body.result(id)?), body.ty(index));
        let mut attributes = AttributeSet::default();
        if is_protected {
            attributes.insert(Attribute::StackProtection);
        }
        let sum = self.integer(id, sum, word);
        let address = self.editor.build(Place::Before(id), id, |builder| {
            builder.value_with_attributes(Opcode::IndexAddr, attributes, Details::None, &[first, sum], ty)
        });
        self.editor.replace(id, address);
        Some(())
    }

    /// A switch over a bit is a branch on it.
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
        let ways = [on_true?, on_false?];
        self.editor.build(Place::Before(id), id, |builder| {
            let details = Details::CondBranch { true_arguments: 0, counts: [None; 2] };
            builder.terminator(Opcode::CondBr, details, &[operand], &ways);
        });
        self.editor.erase(id);
        Some(())
    }

    /// A closure over nothing is the function itself.
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
        let function = self.editor.build(Place::Before(id), id, |builder| {
            builder.value_of_written_type(Opcode::ThinToThickFunction, Details::None, &[callee], ty)
        });
        self.editor.replace(id, function);
        Some(())
    }

    /// Literals depend on nothing, and on what is trivial nothing does. Without ownership one may depend on what a value was made of as well.
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

    /// Whether a value is written in the program, maybe in a struct.
    fn is_literal(&self, value: Value) -> bool {
        use Opcode::{FloatLiteral, FunctionRef, IntegerLiteral, StringLiteral, Struct};
        let Some(id) = self.editor.body().defining(value) else { return false };
        match (self.editor.opcode(id), self.editor.body().operands(id)) {
            (IntegerLiteral | FloatLiteral | StringLiteral | FunctionRef, _) => true,
            (Struct, [only]) => self.is_literal(*only),
            _ => false,
        }
    }

    /// Whether a base is trivial. The token of a coroutine is not: it ends.
    fn needs_no_dependence(&self, base: Value) -> bool {
        let is_token = self.editor.made_by(base, Opcode::BeginApply).is_some();
        !is_token && self.editor.is_trivial(self.editor.body().ty(base).object_type())
    }

    /// Whether a type of an operation is an integer or a word.
    pub(super) fn is_whole_number(&self, ty: crate::context::SilType) -> bool {
        matches!(self.editor.environment.queries.get(ty.ty), Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word))
    }
}

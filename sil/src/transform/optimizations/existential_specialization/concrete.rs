//! Which type the value in an existential has that is passed (lib/SILOptimizer/Utils/Existential.cpp): that with which the existential is initialised, or
//! the only one in the module that conforms to the protocol.

use crate::analysis::{ApplySite, ControlFlowGraph, Dominators, Uses};
use crate::context::{ParameterConvention, SilType, Type};
use crate::instructions::Opcode;
use crate::model::views::Unary;
use crate::model::{Body, InstructionId, Value};
use crate::transform::knowledge::sole_conformances::sole_conforming_type;
use crate::transform::pipeline::Environment;
use crate::types::ArgumentConvention;

/// What is known of what a call passes.
pub(super) struct KnownTypes<'m> {
    /// The function that is called.
    environment: Environment<'m>,
    body: &'m Body,
    call: InstructionId,
    passed: &'m [Value],
    uses: Uses,
    dominators: Dominators,
}

impl<'m> KnownTypes<'m> {
    pub(super) fn new(environment: Environment<'m>, body: &'m Body, site: ApplySite<'m>) -> Self {
        let cfg = ControlFlowGraph::new(body);
        let dominators = Dominators::new(body, &cfg);
        Self { environment, body, call: site.instruction, passed: site.arguments(), uses: Uses::new(body), dominators }
    }

    /// Whether the type of what is in argument number `index`, an existential of type `ty`, is known.
    pub(super) fn is_known(&self, index: usize, ty: SilType) -> bool {
        let is_initialized = self.passed.get(index).is_some_and(|passed| match ty.is_address() {
            true => self.is_memory_known(*passed),
            false => self.is_object_known(*passed),
        });
        is_initialized || ty.is_address() && self.is_only_one(ty)
    }

    /// Whether a class existential is made of an object right here.
    fn is_object_known(&self, value: Value) -> bool {
        let mut value = value;
        while let Some(id) = self.body.defining(value) {
            value = match self.body.instructions[id].opcode {
                Opcode::InitExistentialRef => return true,
                Opcode::CopyValue | Opcode::BeginBorrow => Unary::of(self.body, id).operand,
                _ => return false,
            };
        }
        false
    }

    /// Whether an existential on the stack is initialised once, before the call, and never changed.
    fn is_memory_known(&self, address: Value) -> bool {
        let Some(allocation) = self.body.defining(address) else { return false };
        if self.body.instructions[allocation].opcode != Opcode::AllocStack {
            return false;
        }
        let mut initialization = None;
        for found in self.uses.of(address) {
            let opcode = self.body.instructions[found.user].opcode;
            match opcode {
                Opcode::InitExistentialAddr if initialization.is_none() => initialization = Some(found.user),
                Opcode::DeallocStack | Opcode::DestroyAddr | Opcode::DebugValue | Opcode::DeinitExistentialAddr => {}
                Opcode::Apply | Opcode::TryApply | Opcode::BeginApply if self.is_taken(found.user, found.operand) => {}
                _ => return false,
            }
        }
        initialization.is_some_and(|id| self.dominators.instruction_dominates(self.body, id, self.call))
    }

    /// Whether a call does not change what it is passed by its address, but for taking it.
    fn is_taken(&self, call: InstructionId, operand: u32) -> bool {
        use ParameterConvention::{In, InGuaranteed};
        let site = ApplySite::new(self.body, call);
        let conventions = site.and_then(|site| site.conventions(self.environment.queries));
        let argument = site.zip(conventions);
        let argument = argument.and_then(|(site, conventions)| site.argument_of_operand(conventions, operand as usize));
        argument.is_some_and(|argument| matches!(argument.convention, ArgumentConvention::Parameter(In | InGuaranteed)))
    }

    /// Whether one type alone conforms to the protocol of an existential, as far as anybody can know.
    fn is_only_one(&self, ty: SilType) -> bool {
        let queries = self.environment.queries;
        let Type::Existential(constraint) = queries.get(ty.ty) else { return false };
        let Type::Protocol { protocol, .. } = queries.get(*constraint) else { return false };
        sole_conforming_type(self.environment, *protocol).is_some()
    }
}

//! Blocks, their arguments as phis, branches between them, and the entry of a function.

use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_analysis::ControlFlowGraph;
use sil_ir::model::{BlockId, Value};

use super::signature::LlvmParameter;
use super::{Explosion, IRGenFunction, Lowered};
use crate::refusal::Generated;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Creates LLVM's blocks with their phis, for reachable code, in reverse post order: every value is defined before
    /// its uses. The entry gets its block after the prologue.
    pub(crate) fn make_blocks(&mut self, cfg: &ControlFlowGraph) -> Generated<()> {
        let entry = self.body.entry();
        let order = cfg.reverse_post_order().iter().filter(|block| **block != entry);
        for block in order.clone() {
            let llvm = self.new_block("");
            self.blocks[*block] = Some(llvm);
        }
        for block in order {
            self.make_phis(*block)?;
        }
        Ok(())
    }

    fn make_phis(&mut self, block: BlockId) -> Generated<()> {
        self.builder.position_at_end(self.block(block));
        self.locate_label(block);
        let mut phis = Vec::new();
        for argument in &self.body.blocks[block].arguments {
            let ty = self.body.ty(*argument);
            let lowered = if ty.is_address() {
                let phi = self.builder.phi(self.builder.ptr_type().into());
                phis.push(phi);
                Lowered::Address(phi.as_basic_value().into_pointer_value())
            } else {
                let info = self.info(ty)?;
                let start = phis.len();
                phis.extend(
                    info.elements.iter().map(|element| self.builder.phi(self.builder.scalar_type(element.scalar))),
                );
                Lowered::Explosion(phis[start..].iter().map(|phi| phi.as_basic_value()).collect())
            };
            self.bind(*argument, lowered);
        }
        self.phis[block] = phis;
        Ok(())
    }

    /// LLVM's block of a reachable SIL block.
    #[expect(clippy::expect_used, reason = "terminators of reachable blocks lead to reachable blocks")]
    pub fn block(&self, block: BlockId) -> BasicBlock<'ctx> {
        self.blocks[block].expect("the block is reachable")
    }

    /// Returns the concatenated scalars of these values, including addresses.
    pub fn flatten(&self, values: &[Value]) -> Generated<Explosion<'ctx>> {
        let mut scalars = Explosion::new();
        for value in values {
            if self.body.ty(*value).is_address() {
                scalars.push(self.address(*value)?.into());
            } else {
                scalars.extend(self.explosion(*value)?);
            }
        }
        Ok(scalars)
    }

    /// Passes scalars from the current block to the phis of `target`.
    pub fn add_incoming(&self, target: BlockId, scalars: &[BasicValueEnum<'ctx>]) {
        self.add_incoming_from(self.builder.block(), target, scalars);
    }

    /// Passes scalars from `source` to the phis of `target`.
    pub fn add_incoming_from(&self, source: BasicBlock<'ctx>, target: BlockId, scalars: &[BasicValueEnum<'ctx>]) {
        for (phi, scalar) in self.phis[target].iter().zip(scalars) {
            phi.add_incoming(&[(scalar, source)]);
        }
    }

    /// Branches to `target` with scalars for its arguments.
    pub fn branch_to(&self, target: BlockId, scalars: &[BasicValueEnum<'ctx>]) {
        self.add_incoming(target, scalars);
        self.builder.branch(self.block(target));
    }

    /// Returns the SIL arguments passed in LLVM's parameters: indirect results, the indirect error, parameters. An
    /// address is one scalar.
    pub fn incoming_arguments(&self) -> Vec<Explosion<'ctx>> {
        let signature = &self.signature;
        let first = signature.first_parameter();
        let mut arguments: Vec<Explosion<'ctx>> = vec![Vec::new(); first + signature.values.len()];
        for (number, parameter) in signature.parameters.iter().enumerate() {
            let Some(value) = self.llvm.get_nth_param(number as u32) else { continue };
            match parameter {
                LlvmParameter::FormalResult(index) => arguments[*index].push(value),
                LlvmParameter::IndirectError if signature.error.is_none() => {
                    arguments[signature.indirect_results].push(value);
                }
                LlvmParameter::Address(index) | LlvmParameter::Direct(index, _) => arguments[first + index].push(value),
                LlvmParameter::DirectInMemory(index) => {
                    if let Some(direct) = &signature.values[*index] {
                        arguments[first + index] = self.load_explosion(&direct.info, value.into_pointer_value());
                    }
                }
                _ => {}
            }
        }
        for (direct, argument) in signature.values.iter().zip(&mut arguments[first..]) {
            if let Some(native) = direct.as_ref().and_then(|direct| direct.native.as_ref()) {
                *argument = native.unpack(&self.builder, self.module.pointer_bits(), argument);
            }
        }
        arguments
    }

    /// Returns the LLVM parameter that `is` selects.
    pub fn llvm_parameter(&self, is: impl Fn(&LlvmParameter) -> bool) -> Option<BasicValueEnum<'ctx>> {
        let number = self.signature.parameters.iter().position(is)?;
        self.llvm.get_nth_param(number as u32)
    }

    /// Returns the pointer parameter at `number` of a function without SIL.
    pub fn address_parameter(&self, number: u32) -> PointerValue<'ctx> {
        let null = || self.builder.null().into();
        self.llvm.get_nth_param(number).unwrap_or_else(null).into_pointer_value()
    }

    /// Returns the 32-bit parameter at `number` of a function without SIL.
    pub fn number_parameter(&self, number: u32) -> IntValue<'ctx> {
        let zero = || self.builder.int(32, 0).into();
        self.llvm.get_nth_param(number).unwrap_or_else(zero).into_int_value()
    }
}

//! The bodies of SIL functions: the entry, then every reachable block, instruction by instruction.

use sil_analysis::{ControlFlowGraph, Loops};
use sil_ir::model::{BlockId, FunctionId, InstructionId};

use crate::generation::{DistributedTarget, Entity, Frequency, IRGenFunction, IRGenModule, Lowered};
use crate::instructions::{self, concurrency, coroutines};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Emits the body of a function.
    pub(super) fn define_function(&self, id: FunctionId) -> Generated<()> {
        let function = &self.sil.functions[id];
        let llvm = self.function(id)?;
        let signature = self.signature(function.ty)?;
        let Some(body) = &function.body else { return Ok(()) };
        let llvm = match &signature.structures {
            Some(structures) => self.c_body(llvm, structures),
            None => llvm,
        };
        let mut emitted = IRGenFunction::new(self, function, body, llvm, signature).emit();
        if self.is_distributed_thunk(function) {
            let record = self.declare_distributed_target(DistributedTarget::Thunk(id));
            emitted = emitted.and(record.map(|_| ()));
        }
        emitted.map_err(|mut error| {
            error.function = Some(function.name);
            error.span.get_or_insert(function.span);
            error
        })
    }
}

impl IRGenFunction<'_, '_> {
    /// Emits the whole body.
    fn emit(mut self) -> Generated<()> {
        self.begin_locations();
        let cfg = ControlFlowGraph::new(self.body);
        let loops = Loops::new(self.body, &cfg);
        self.make_blocks(&cfg)?;
        self.bind_type_arguments();
        self.emit_entry()?;
        for block in cfg.reverse_post_order() {
            self.frequency = if loops.contain(*block) { Frequency::Loop } else { Frequency::Once };
            self.emit_block(*block)?;
        }
        Ok(())
    }

    fn emit_block(&mut self, block: BlockId) -> Generated<()> {
        let llvm = self.block(block);
        self.builder.position_at_end(llvm);
        self.current_block = Some(block);
        for instruction in self.body.instructions_in(block) {
            self.emit_instruction(instruction)?;
        }
        Ok(())
    }

    /// Emits one instruction. Errors get its span.
    fn emit_instruction(&mut self, instruction: InstructionId) -> Generated<()> {
        self.locate_instruction(instruction);
        let span = self.body.instructions[instruction].span;
        self.module.worklist.set_place(span, Some(self.function.name));
        instructions::emit(self, instruction).map_err(|mut error| {
            error.span.get_or_insert(span);
            error
        })
    }

    /// Binds the entry block's arguments to LLVM's parameters. The entry block continues in the current block.
    fn emit_entry(&mut self) -> Generated<()> {
        self.builder.position_at_end(self.first_block);
        self.builder.set_location(self.locations.as_ref().map(|locations| locations.entry));
        self.locate_prologue();
        let is_async = self.signature.asynchronous.is_some();
        let is_replaceable = self.module.is_replaceable(self.function);
        if is_replaceable && !is_async {
            self.forward_to_replacement()?;
        }
        let entry = self.body.entry();
        let arguments = self.body.blocks[entry].arguments.clone();
        if let Some(id) = self.module.sil.function_named(self.function.name) {
            coroutines::emit_entry(self, Entity::Function(id));
            concurrency::begin_async(self, Entity::Function(id));
        }
        // The call of an async replacement is one of the function's own suspension points.
        if is_replaceable && is_async {
            self.forward_to_replacement()?;
        }
        for (argument, scalars) in arguments.into_iter().zip(self.incoming_arguments()) {
            match scalars.first() {
                Some(address) if self.body.ty(argument).is_address() => {
                    self.bind(argument, Lowered::Address(address.into_pointer_value()));
                }
                _ => self.bind(argument, Lowered::Explosion(scalars)),
            }
        }
        self.end_prologue();
        self.blocks[entry] = Some(self.builder.block());
        Ok(())
    }
}

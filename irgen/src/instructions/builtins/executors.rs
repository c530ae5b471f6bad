//! Builtins of executors and actors. An executor is an identity and what implements it (`SerialExecutorRef`, include/swift/ABI/Executor.h):
//! nothing for a default actor, a witness table for other executors.

use inkwell::values::{BasicValueEnum, IntValue};
use sil::instructions::builtins::NamedBuiltin;

use super::Call;
use crate::generation::{Explosion, RuntimeFunction};
use crate::refusal::Generated;

/// Set in the implementation of a serial executor which has to be asked whether it is the same as another one.
const COMPLEX_EQUALITY: u64 = 1;

impl<'ctx> Call<'_, '_, 'ctx> {
    /// Emits a builtin of executors or actors.
    pub(super) fn emit_of_executors(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        use NamedBuiltin::*;
        match named {
            GetCurrentExecutor => Ok(self.executor_of_runtime(RuntimeFunction::TaskGetCurrentExecutor)),
            BuildMainActorExecutorRef => Ok(self.executor_of_runtime(RuntimeFunction::TaskGetMainExecutor)),
            BuildDefaultActorExecutorRef => self.executor_implemented_by(self.function.module.word_type().const_zero()),
            BuildOrdinaryTaskExecutorRef | BuildOrdinarySerialExecutorRef => {
                let table = self.table_of_executor()?;
                self.executor_implemented_by(table)
            }
            BuildComplexEqualitySerialExecutorRef => {
                let builder = &self.function.builder;
                let flag = self.function.module.word_type().const_int(COMPLEX_EQUALITY, false);
                self.executor_implemented_by(builder.or(self.table_of_executor()?, flag))
            }
            InitializeDefaultActor => self.call_with_arguments(RuntimeFunction::DefaultActorInitialize, 1),
            DestroyDefaultActor => self.call_with_arguments(RuntimeFunction::DefaultActorDestroy, 1),
            _ => Err(self.unsupported()),
        }
    }

    fn executor_of_runtime(&self, callee: RuntimeFunction) -> Explosion<'ctx> {
        let executor = self.function.call_runtime_for(callee, &[]);
        (0..2).map(|index| self.function.builder.extract(executor, index)).collect()
    }

    fn executor_implemented_by(&self, implementation: IntValue<'ctx>) -> Generated<Explosion<'ctx>> {
        let bits = self.function.module.pointer_bits();
        let identity: BasicValueEnum<'ctx> = self.function.builder.to_bits(self.argument(0)?, bits).into();
        Ok(vec![identity, implementation.into()])
    }

    /// The witness table of the executor's only conformance.
    fn table_of_executor(&self) -> Generated<IntValue<'ctx>> {
        let module = self.function.module;
        let conformances = module.types.queries.conformances_of(self.builtin.substitutions);
        let conformance = conformances.first().ok_or_else(|| self.unsupported())?;
        let conformance = module.sil.context.get_conformance(*conformance);
        let table = self.function.witness_table(conformance.ty, conformance.protocol)?;
        Ok(self.function.builder.pointer_to_int(table, module.pointer_bits()))
    }
}

//! Builtins of executors and actors. An executor is an identity and its implementation (`SerialExecutorRef`,
//! include/swift/ABI/Executor.h): null for a default actor, a witness table for other executors.

use inkwell::values::{BasicValueEnum, IntValue};
use sil_ir::instructions::builtins::NamedBuiltin;

use super::Call;
use crate::generation::{Explosion, RuntimeFunction};
use crate::refusal::Generated;

/// The module that declares executors.
const CONCURRENCY: &str = "_Concurrency";

/// The flag in a serial executor's implementation for complex equality: the executor must be asked whether it equals
/// another one.
const COMPLEX_EQUALITY: u64 = 1;

impl<'ctx> Call<'_, '_, 'ctx> {
    /// Emits a builtin of executors or actors.
    pub(super) fn emit_of_executors(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        use NamedBuiltin::*;
        match named {
            GetCurrentExecutor => Ok(self.executor_of_runtime(RuntimeFunction::TaskGetCurrentExecutor)),
            BuildMainActorExecutorRef => Ok(self.executor_of_runtime(RuntimeFunction::TaskGetMainExecutor)),
            BuildDefaultActorExecutorRef => self.executor_implemented_by(self.function.module.word_type().const_zero()),
            BuildOrdinaryTaskExecutorRef => {
                let table = self.table_of_executor("TaskExecutor")?;
                self.executor_implemented_by(table)
            }
            BuildOrdinarySerialExecutorRef => {
                let table = self.table_of_executor("SerialExecutor")?;
                self.executor_implemented_by(table)
            }
            BuildComplexEqualitySerialExecutorRef => {
                let table = self.table_of_executor("SerialExecutor")?;
                let flag = self.function.module.word_type().const_int(COMPLEX_EQUALITY, false);
                self.executor_implemented_by(self.function.builder.or(table, flag))
            }
            InitializeDefaultActor => self.call_with_arguments(RuntimeFunction::DefaultActorInitialize, 1),
            InitializeNonDefaultDistributedActor => {
                self.call_with_arguments(RuntimeFunction::NonDefaultDistributedActorInitialize, 1)
            }
            InitializeDistributedRemoteActor => {
                let callee = RuntimeFunction::DistributedActorRemoteInitialize;
                Ok(vec![self.function.call_runtime_for(callee, &[self.argument(0)?])])
            }
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

    /// Returns the witness table of the builtin's type for a protocol of the library.
    fn table_of_executor(&self, protocol: &str) -> Generated<IntValue<'ctx>> {
        let module = self.function.module;
        let declarations = &module.sil.declarations;
        let name = |text| module.sil.context.find_name(text);
        let library = name(CONCURRENCY).zip(name(protocol));
        let protocol = library.and_then(|(library, protocol)| declarations.in_module(library, protocol));
        let (Some(protocol), Some(executor)) = (protocol, self.generic_arguments().first()) else {
            return Err(self.unsupported());
        };
        let table = self.function.witness_table(*executor, protocol)?;
        Ok(self.function.builder.pointer_to_int(table, module.pointer_bits()))
    }
}

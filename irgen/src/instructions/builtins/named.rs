//! Builtins without a family: sizes, allocation, vectors, hints, one-time initialisation.

use std::sync::Arc;

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use sil_ir::context::Type;
use sil_ir::instructions::builtins::NamedBuiltin;
use sil_ir::model::Value;

use super::Call;
use crate::generation::{Explosion, IRGenFunction, RuntimeFunction};
use crate::layout::{IS_NOT_BITWISE_TAKABLE, IS_NOT_TRIVIAL, TypeInfo, TypeKind, TypeLayout};
use crate::refusal::Generated;
use crate::values::opaque::LayoutFact;

impl<'ctx> Call<'_, '_, 'ctx> {
    pub(super) fn emit_named(&mut self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        match named {
            NamedBuiltin::Sizeof | NamedBuiltin::Strideof | NamedBuiltin::Alignof => self.emit_layout_fact(named),
            NamedBuiltin::IsPOD => self.emit_type_question(|info| info.is_trivial(), IS_NOT_TRIVIAL),
            NamedBuiltin::IsBitwiseTakable => {
                self.emit_type_question(|info| info.is_loadable(), IS_NOT_BITWISE_TAKABLE)
            }
            NamedBuiltin::IsConcrete => Ok(vec![self.function.builder.bool(true).into()]),
            NamedBuiltin::DestroyArray => self.emit_destroy_array(),
            NamedBuiltin::CopyArray
            | NamedBuiltin::TakeArrayNoAlias
            | NamedBuiltin::TakeArrayFrontToBack
            | NamedBuiltin::TakeArrayBackToFront
            | NamedBuiltin::AssignCopyArrayNoAlias
            | NamedBuiltin::AssignCopyArrayFrontToBack
            | NamedBuiltin::AssignCopyArrayBackToFront
            | NamedBuiltin::AssignTakeArray => self.emit_transfer_array(named),
            NamedBuiltin::AllocRaw => self.emit_alloc_raw(),
            NamedBuiltin::DeallocRaw => self.emit_dealloc_raw(),
            NamedBuiltin::StackAlloc | NamedBuiltin::UnprotectedStackAlloc => self.emit_stack_alloc(),
            NamedBuiltin::StackDealloc => self.emit_stack_dealloc(),
            // Compile-time conditions have been checked before.
            NamedBuiltin::OnFastPath
            | NamedBuiltin::WillThrow
            | NamedBuiltin::PrepareInitialization
            | NamedBuiltin::PoundAssert
            | NamedBuiltin::StaticReport => Ok(Vec::new()),
            NamedBuiltin::GetEnumTag => self.emit_enum_tag(),
            NamedBuiltin::AssumeAlignment => self.emit_assume_alignment(),
            NamedBuiltin::ZeroInitializer => self.emit_zero(),
            NamedBuiltin::Once | NamedBuiltin::OnceWithContext => self.emit_once(),
            NamedBuiltin::Unreachable => {
                self.function.builder.unreachable();
                let block = self.function.new_block("");
                self.function.builder.position_at_end(block);
                Ok(Vec::new())
            }
            // The following instruction is the trap or the end of the block.
            NamedBuiltin::CondUnreachable => self.emit_condition_unreachable(),
            NamedBuiltin::ExtractElement => self.emit_extract_element(),
            NamedBuiltin::InsertElement => self.emit_insert_element(),
            NamedBuiltin::Select => self.emit_select(),
            NamedBuiltin::ShuffleVector => self.emit_shuffle(),
            NamedBuiltin::StringObjectOr => self.emit_string_object_or(),
            NamedBuiltin::SToSCheckedTrunc | NamedBuiltin::SToUCheckedTrunc if self.takes_literal() => {
                self.emit_literal_truncation(named)
            }
            NamedBuiltin::IsNegative | NamedBuiltin::BitWidth | NamedBuiltin::WordAtIndex => {
                self.emit_literal_part(named)
            }
            NamedBuiltin::UToSCheckedTrunc
            | NamedBuiltin::SToSCheckedTrunc
            | NamedBuiltin::SToUCheckedTrunc
            | NamedBuiltin::UToUCheckedTrunc => self.emit_checked_truncation(named),
            NamedBuiltin::IsSameMetatype => self.emit_is_same_metatype(),
            NamedBuiltin::CondFailMessage => self.emit_condition_failure(),
            NamedBuiltin::AssertConf => Ok(vec![self.function.builder.int(32, 0).into()]),
            // The operand is the address of the value, which is that of its storage.
            NamedBuiltin::AddressOfRawLayout => Ok(vec![self.argument(0)?]),
            // Passes replace it for string literals; other strings have no such pointer.
            NamedBuiltin::GlobalStringTablePointer => {
                let builder = &self.function.builder;
                builder.trap(&self.function.module.llvm);
                Ok(vec![builder.ptr_type().get_undef().into()])
            }
            NamedBuiltin::ErrorInMain => {
                let error = self.argument(0)?;
                self.function.call_runtime(RuntimeFunction::ErrorInMain, &[error]);
                Ok(Vec::new())
            }
            NamedBuiltin::GetCurrentAsyncTask
            | NamedBuiltin::CancelAsyncTask
            | NamedBuiltin::TaskAddCancellationHandler
            | NamedBuiltin::TaskRemoveCancellationHandler
            | NamedBuiltin::TaskAddPriorityEscalationHandler
            | NamedBuiltin::TaskRemovePriorityEscalationHandler
            | NamedBuiltin::AddTaskLocalValue
            | NamedBuiltin::RemoveTaskLocalValue
            | NamedBuiltin::TaskLocalValuePush
            | NamedBuiltin::TaskLocalValuePop
            | NamedBuiltin::ConvertTaskToJob
            | NamedBuiltin::CreateAsyncTask
            | NamedBuiltin::TaskRunInline
            | NamedBuiltin::StartAsyncLet
            | NamedBuiltin::StartAsyncLetWithLocalBuffer
            | NamedBuiltin::EndAsyncLet
            | NamedBuiltin::EndAsyncLetLifetime
            | NamedBuiltin::FinishAsyncLet
            | NamedBuiltin::CreateTaskGroup
            | NamedBuiltin::CreateTaskGroupWithFlags
            | NamedBuiltin::DestroyTaskGroup
            | NamedBuiltin::ResumeNonThrowingContinuationReturning
            | NamedBuiltin::ResumeThrowingContinuationReturning
            | NamedBuiltin::ResumeThrowingContinuationThrowing => self.emit_of_tasks(named),
            NamedBuiltin::GetCurrentExecutor
            | NamedBuiltin::BuildMainActorExecutorRef
            | NamedBuiltin::BuildDefaultActorExecutorRef
            | NamedBuiltin::BuildOrdinaryTaskExecutorRef
            | NamedBuiltin::BuildOrdinarySerialExecutorRef
            | NamedBuiltin::BuildComplexEqualitySerialExecutorRef
            | NamedBuiltin::InitializeDefaultActor
            | NamedBuiltin::InitializeNonDefaultDistributedActor
            | NamedBuiltin::InitializeDistributedRemoteActor
            | NamedBuiltin::DestroyDefaultActor => self.emit_of_executors(named),
            NamedBuiltin::AutoDiffCreateLinearMapContextWithType
            | NamedBuiltin::AutoDiffProjectTopLevelSubcontext
            | NamedBuiltin::AutoDiffAllocateSubcontextWithType => self.emit_of_linear_maps(named),
            _ => Err(self.unsupported()),
        }
    }

    /// Returns the memory layout of the type that the builtin is substituted with.
    pub(super) fn substituted_layout(&self) -> Generated<TypeLayout> {
        let ty = *self.generic_arguments().first().ok_or_else(|| self.unsupported())?;
        self.function.layout(self.function.module.types.queries.lower_formal(ty))
    }

    fn substituted_info(&self) -> Generated<Arc<TypeInfo>> {
        match self.substituted_layout()? {
            TypeLayout::Fixed(info) => Ok(info),
            TypeLayout::Dynamic(ty) => Err(self.function.module.unsupported_type(ty)),
        }
    }

    fn word(&self, value: u64) -> IntValue<'ctx> {
        self.function.module.word_type().const_int(value, false)
    }

    fn emit_layout_fact(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        let function = &self.function;
        let fact = match (self.substituted_layout()?, named) {
            (TypeLayout::Fixed(info), NamedBuiltin::Sizeof) => self.word(info.size),
            (TypeLayout::Fixed(info), NamedBuiltin::Strideof) => self.word(info.stride()),
            (TypeLayout::Fixed(info), _) => self.word(info.alignment),
            (TypeLayout::Dynamic(ty), _) => {
                let metadata = function.type_metadata(ty)?;
                match named {
                    NamedBuiltin::Sizeof => function.layout_fact(metadata, LayoutFact::Size),
                    NamedBuiltin::Strideof => function.layout_fact(metadata, LayoutFact::Stride),
                    _ => function.builder.add(function.alignment_mask(metadata), self.word(1)),
                }
            }
        };
        Ok(vec![fact.into()])
    }

    /// Returns whether `question` holds for values; `otherwise` is the value witness flag of types for which it does
    /// not.
    fn emit_type_question(&self, question: impl Fn(&TypeInfo) -> bool, otherwise: u64) -> Generated<Explosion<'ctx>> {
        let (function, builder) = (&self.function, &self.function.builder);
        let answer = match self.substituted_layout()? {
            TypeLayout::Fixed(info) => builder.bool(question(&info)),
            TypeLayout::Dynamic(ty) => {
                let flags = function.layout_fact(function.type_metadata(ty)?, LayoutFact::Flags);
                builder.equal(builder.and(flags, self.word(otherwise)), self.word(0))
            }
        };
        Ok(vec![answer.into()])
    }

    /// Returns an alignment mask for the runtime; an alignment of zero requests the default one.
    fn alignment_mask(&self, alignment: IntValue<'ctx>) -> IntValue<'ctx> {
        let builder = &self.function.builder;
        let bits = self.function.module.pointer_bits();
        builder.sub(builder.resize(alignment, bits), self.word(1))
    }

    fn emit_alloc_raw(&self) -> Generated<Explosion<'ctx>> {
        let mask = self.alignment_mask(self.int(1)?);
        let memory = self.function.call_runtime_for(RuntimeFunction::SlowAlloc, &[self.argument(0)?, mask.into()]);
        Ok(vec![memory])
    }

    fn emit_dealloc_raw(&self) -> Generated<Explosion<'ctx>> {
        let mask = self.alignment_mask(self.int(2)?);
        self.function.call_runtime(RuntimeFunction::SlowDealloc, &[self.argument(0)?, self.argument(1)?, mask.into()]);
        Ok(Vec::new())
    }

    /// `stackAlloc(count, stride, alignment)`: a slot in the entry block if the size is constant, otherwise dynamic
    /// stack memory.
    fn emit_stack_alloc(&mut self) -> Generated<Explosion<'ctx>> {
        const ALIGNMENT: u64 = 16;
        let (count, stride, alignment) = (self.int(0)?, self.int(1)?, self.int(2)?);
        let alignment = alignment.get_zero_extended_constant().unwrap_or(ALIGNMENT).clamp(1, 4096);
        let size = self.function.builder.mul(count, stride);
        if let Some(constant) = size.get_zero_extended_constant()
            && constant <= 1 << 16
        {
            return Ok(vec![self.function.stack_slot(constant, alignment).into()]);
        }
        Ok(vec![self.function.enter_slot(size, alignment.max(ALIGNMENT)).into()])
    }

    /// Restores the stack from before the matching `stackAlloc`, if that was dynamic.
    fn emit_stack_dealloc(&self) -> Generated<Explosion<'ctx>> {
        self.function.leave_dynamic_slot(self.pointer(0)?);
        Ok(Vec::new())
    }

    fn emit_assume_alignment(&self) -> Generated<Explosion<'ctx>> {
        let pointer = self.pointer(0)?;
        let builder = &self.function.builder;
        if self.function.module.optimizes() {
            let bits = self.function.module.pointer_bits();
            let mask = self.alignment_mask(self.int(1)?);
            let low = builder.and(builder.pointer_to_int(pointer, bits), mask);
            self.assume(builder.equal(low, self.word(0)))?;
        }
        Ok(vec![pointer.into()])
    }

    /// Returns a zero value, or fills memory with zeros if an address is given.
    fn emit_zero(&self) -> Generated<Explosion<'ctx>> {
        let function = &*self.function;
        let operands = function.body.operands(self.instruction);
        if let Some(address) = operands.first() {
            let ty = function.body.ty(*address).ty;
            let place = function.address(*address)?;
            let [size, _] = function.size_and_alignment(ty)?;
            function.builder.zero_memory(place, size);
            return Ok(Vec::new());
        }
        let Some(result) = function.body.result(self.instruction) else { return Ok(Vec::new()) };
        let info = function.info_of(result)?;
        Ok(info.elements.iter().map(|element| self.function.builder.scalar_type(element.scalar).const_zero()).collect())
    }

    fn emit_enum_tag(&self) -> Generated<Explosion<'ctx>> {
        let info = self.substituted_info()?;
        let TypeKind::Enum(layout) = &info.kind else { return Err(self.unsupported()) };
        let value = layout.load_value(self.function, &info, self.pointer(0)?);
        Ok(vec![layout.case_tag(self.function, &value).into()])
    }

    /// `once(token, function)`: the fast path tests the token, which is -1 after the initialisation.
    fn emit_once(&self) -> Generated<Explosion<'ctx>> {
        let context = self.arguments.get(2).copied().unwrap_or(self.function.builder.null().into());
        self.function.emit_once(self.pointer(0)?, self.argument(1)?, context);
        Ok(Vec::new())
    }

    fn emit_condition_unreachable(&self) -> Generated<Explosion<'ctx>> {
        Ok(Vec::new())
    }

    fn emit_extract_element(&self) -> Generated<Explosion<'ctx>> {
        let vector = self.argument(0)?.into_vector_value();
        Ok(vec![self.function.builder.extract_element(vector, self.int(1)?)])
    }

    fn emit_insert_element(&self) -> Generated<Explosion<'ctx>> {
        let vector = self.argument(0)?.into_vector_value();
        let changed = self.function.builder.insert_element(vector, self.argument(1)?, self.int(2)?);
        Ok(vec![changed.into()])
    }

    fn emit_select(&self) -> Generated<Explosion<'ctx>> {
        let builder = &self.function.builder;
        let (yes, no) = (self.argument(1)?, self.argument(2)?);
        let value = match self.argument(0)? {
            BasicValueEnum::VectorValue(condition) => builder.select(condition, yes, no),
            _ => builder.select(self.int(0)?, yes, no),
        };
        Ok(vec![value])
    }

    fn emit_shuffle(&self) -> Generated<Explosion<'ctx>> {
        let (left, right) = (self.argument(0)?.into_vector_value(), self.argument(1)?.into_vector_value());
        let mask = self.argument(2)?.into_vector_value();
        let shuffled = self.function.builder.shuffle(left, right, mask);
        Ok(vec![shuffled.into()])
    }

    /// Truncates, and returns whether the value changed: `(T) -> (U, Int1)`.
    fn emit_checked_truncation(&self, named: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        let builder = &self.function.builder;
        let value = self.int(0)?;
        let from = value.get_type().get_bit_width();
        let to = match self.ty(1)? {
            inkwell::types::BasicTypeEnum::IntType(ty) => ty.get_bit_width(),
            _ => return Err(self.unsupported()),
        };
        let truncated = builder.resize(value, to);
        let back = match named {
            NamedBuiltin::SToSCheckedTrunc => builder.resize_signed(truncated, from),
            _ => builder.resize(truncated, from),
        };
        let mut changed = builder.compare(IntPredicate::NE, back, value);
        if named == NamedBuiltin::UToSCheckedTrunc {
            let is_negative = builder.compare(IntPredicate::SLT, truncated, truncated.get_type().const_zero());
            changed = builder.or(changed, is_negative);
        }
        Ok(vec![truncated.into(), changed.into()])
    }

    fn emit_is_same_metatype(&self) -> Generated<Explosion<'ctx>> {
        let builder = &self.function.builder;
        if let Some(same) = self.same_types_without_metadata() {
            return Ok(vec![builder.bool(same).into()]);
        }
        match (self.arguments.first(), self.arguments.get(1)) {
            (Some(BasicValueEnum::PointerValue(left)), Some(BasicValueEnum::PointerValue(right))) => {
                let same = builder.compare(IntPredicate::EQ, *left, *right);
                Ok(vec![same.into()])
            }
            _ => Err(self.unsupported()),
        }
    }

    /// Returns whether two metatypes are equal, decided by their types, if one is of a type without metadata.
    fn same_types_without_metadata(&self) -> Option<bool> {
        let module = self.function.module;
        let queries = module.types.queries;
        let body = self.function.body;
        let instance = |operand: &Value| match queries.get(body.ty(*operand).ty) {
            Type::Metatype { instance, .. } => Some(*instance),
            _ => None,
        };
        let [left, right] = body.operands(self.instruction) else { return None };
        let (left, right) = (instance(left)?, instance(right)?);
        let lacks_metadata = [left, right].iter().any(|ty| !module.has_metadata(*ty));
        lacks_metadata.then(|| queries.same_type(left, right))
    }

    fn emit_condition_failure(&mut self) -> Generated<Explosion<'ctx>> {
        let condition = self.int(0)?;
        let failure = self.function.failure_block("unspecified");
        let go_on = self.function.new_block("");
        self.function.builder.branch_if(condition, failure, go_on);
        self.function.builder.position_at_end(go_on);
        Ok(Vec::new())
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Calls `work` with `context` unless the word at `token` is -1, which means that it was called.
    fn emit_once(&self, token: PointerValue<'ctx>, work: BasicValueEnum<'ctx>, context: BasicValueEnum<'ctx>) {
        let word = self.module.word_type();
        let (slow, done) = (self.new_block(""), self.new_block(""));
        let state = self.builder.load(word.into(), token, self.module.pointer_size()).into_int_value();
        let is_done = self.builder.equal(state, word.const_all_ones());
        let branch = self.builder.branch_if(is_done, done, slow);
        self.module.mark_likely(branch);
        self.builder.position_at_end(slow);
        self.call_runtime(RuntimeFunction::Once, &[token.into(), work, context]);
        self.builder.branch(done);
        self.builder.position_at_end(done);
    }
}

//! The bodies of helper functions, which each module that needs them defines.

use inkwell::values::{FunctionValue, IntValue, PointerValue};

use crate::generation::signature::Signature;
use crate::generation::{CFunction, Entity, Helper, IRGenFunction, IRGenModule, RuntimeFunction};
use crate::layout::{EXISTENTIAL_BUFFER_WORDS, IS_NOT_INLINE, ReferenceKind};
use crate::llvm::attributes::{Attribute, Place};
use crate::target::Architecture;
use crate::values::opaque::{LayoutFact, ValueWitness};

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Emits the body of `helper`.
    pub(super) fn define_helper(&self, helper: Helper) {
        let Some(llvm) = self.declared_function(&Entity::Helper(helper)) else { return };
        let signature = Signature::of_thunk(self.context, llvm.get_type(), 0, Vec::new(), &[]);
        let function = IRGenFunction::without_sil(self, llvm, signature);
        match helper {
            Helper::AllocateFrame => return function.call_c(CFunction::Malloc),
            Helper::DeallocateFrame => return function.call_c(CFunction::Free),
            _ => {}
        }
        let arguments: Vec<PointerValue<'ctx>> =
            llvm.get_params().into_iter().map(|argument| argument.into_pointer_value()).collect();
        match (helper, arguments.as_slice()) {
            (Helper::InstantiateFromMangledName, [cache]) => function.instantiate_from_mangled_name(*cache),
            (Helper::DestroyExistential(_), [container]) => function.destroy_existential(*container),
            (Helper::DeallocateExistential(_), [container]) => function.deallocate_existential(*container),
            (Helper::AllocateExistential(_), [container]) => function.allocate_existential(*container),
            (Helper::ProjectExistential(_), [container, metadata]) => {
                function.project_existential(*container, *metadata)
            }
            (Helper::ProjectMutableExistential(_), [container, metadata]) => {
                function.project_mutable_existential(*container, *metadata);
            }
            (Helper::AllocateValueBuffer, [metadata, buffer]) => function.allocate_value_buffer(*metadata, *buffer),
            (Helper::ProjectValueBuffer, [metadata, buffer]) => function.project_value_buffer(*metadata, *buffer),
            (Helper::ProjectAsyncContext, [callee]) => function.project_async_context(*callee),
            (Helper::GetAsyncContext, [own]) => function.builder.ret(Some((*own).into())),
            (Helper::CannotCopy, _) => {
                function.builder.trap(&self.llvm);
                function.builder.unreachable();
            }
            _ => function.builder.unreachable(),
        }
    }

    /// Returns the helper, and declares it if necessary.
    pub fn helper(&self, helper: Helper) -> FunctionValue<'ctx> {
        let entity = Entity::Helper(helper);
        if let Some(found) = self.declared_function(&entity) {
            return found;
        }
        let pointer = self.builder.ptr_type();
        let ty = match helper {
            Helper::AllocateFrame => pointer.fn_type(&[self.word_type().into()], false),
            Helper::DeallocateFrame => self.context.void_type().fn_type(&[pointer.into()], false),
            Helper::InstantiateFromMangledName => pointer.fn_type(&[pointer.into()], false),
            Helper::CannotCopy => self.context.void_type().fn_type(&[], false),
            Helper::DestroyExistential(_) | Helper::DeallocateExistential(_) => {
                self.context.void_type().fn_type(&[pointer.into()], false)
            }
            Helper::AllocateExistential(_) | Helper::ProjectAsyncContext | Helper::GetAsyncContext => {
                pointer.fn_type(&[pointer.into()], false)
            }
            Helper::ProjectExistential(_)
            | Helper::ProjectMutableExistential(_)
            | Helper::AllocateValueBuffer
            | Helper::ProjectValueBuffer => pointer.fn_type(&[pointer.into(), pointer.into()], false),
        };
        // After the split of an async function, its context is computed first.
        let is_inlined = matches!(helper, Helper::ProjectAsyncContext | Helper::GetAsyncContext);
        let attributes: &[_] = if is_inlined { &[(Place::Function, Attribute::AlwaysInline)] } else { &[] };
        let is_swift = matches!(helper, Helper::AllocateFrame | Helper::DeallocateFrame);
        let convention = if is_swift { self.swift_convention() } else { 0 };
        let signature = Signature::of_thunk(self.context, ty, convention, Vec::new(), attributes);
        self.declare_thunk(entity, &signature)
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Calls a function of the C library with the function's own arguments, and returns its result.
    fn call_c(&self, callee: CFunction) {
        let call = self.builder.call(self.module.c_function(callee), &self.llvm.get_params());
        self.builder.ret(call.try_as_basic_value().basic());
    }

    /// A context begins with that of the caller; debuggers find the context in the frame if LLVM has a slot for it.
    fn project_async_context(&self, callee: PointerValue<'ctx>) {
        let word = self.module.pointer_size();
        let caller = self.builder.load(self.builder.ptr_type().into(), callee, word);
        if matches!(self.module.options.architecture, Architecture::X86_64 | Architecture::Aarch64) {
            self.builder.store(caller, self.builder.async_context_address(&self.module.llvm), word);
        }
        self.builder.ret(Some(caller));
    }

    /// A cache contains the metadata, or a negative number with the relative address of the name and, in its upper
    /// half, the negated length of the name.
    fn instantiate_from_mangled_name(&self, cache: PointerValue<'ctx>) {
        let builder = &self.builder;
        let (word, bits) = (self.module.word_type(), self.module.pointer_bits());
        let known = builder.load_monotonic(word, cache, self.module.pointer_size());
        let is_empty = builder.is_negative(known);
        let [full, empty] = [self.new_block("full"), self.new_block("empty")];
        let branch = builder.branch_if(is_empty, empty, full);
        self.module.mark_unlikely(branch);

        builder.position_at_end(full);
        builder.ret(Some(builder.int_to_pointer(known).into()));

        builder.position_at_end(empty);
        let length = builder.sub(builder.int(bits, 0), builder.arithmetic_shift_right(known, builder.int(bits, 32)));
        let distance = builder.resize_signed(builder.resize(known, 32), bits);
        let name = builder.index_bytes(cache, distance);
        let null = builder.null().into();
        let arguments = [name.into(), length.into(), null, null];
        let metadata = self.call_runtime_for(RuntimeFunction::GetTypeByMangledName, &arguments).into_pointer_value();
        builder.store_monotonic(builder.pointer_to_int(metadata, bits), cache, self.module.pointer_size());
        builder.ret(Some(metadata.into()));
    }

    fn destroy_existential(&self, container: PointerValue<'ctx>) {
        let metadata = self.metadata_in_existential(container);
        self.branch_if_inline(metadata, |function| {
            function.call_value_witness(ValueWitness::Destroy, &[container], metadata);
            function.builder.ret(None);
        });
        let object = self.builder.load(self.builder.ptr_type().into(), container, self.module.pointer_size());
        self.release(ReferenceKind::Native, object);
        self.builder.ret(None);
    }

    /// Only the memory is freed: destroying the box would destroy a value that is not initialised.
    fn deallocate_existential(&self, container: PointerValue<'ctx>) {
        let metadata = self.metadata_in_existential(container);
        self.branch_if_inline(metadata, |function| function.builder.ret(None));
        let builder = &self.builder;
        let object = builder.load(builder.ptr_type().into(), container, self.module.pointer_size());
        let size = builder.add(self.offset_in_box(metadata), self.layout_fact(metadata, LayoutFact::Size));
        let of_pointers = builder.int(self.module.pointer_bits(), self.module.pointer_size() - 1);
        let mask = builder.or(self.alignment_mask(metadata), of_pointers);
        self.call_runtime(RuntimeFunction::SlowDealloc, &[object, size.into(), mask.into()]);
        builder.ret(None);
    }

    fn metadata_in_existential(&self, container: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let words = self.module.pointer_size();
        let place = self.builder.offset(container, EXISTENTIAL_BUFFER_WORDS * words);
        self.builder.load(self.builder.ptr_type().into(), place, words).into_pointer_value()
    }

    /// The metadata is already in the container.
    fn allocate_existential(&self, container: PointerValue<'ctx>) {
        let metadata = self.metadata_in_existential(container);
        self.branch_if_inline(metadata, |function| function.builder.ret(Some(container.into())));
        let (object, value) = self.allocate_box_of(metadata);
        self.builder.store(object, container, self.module.pointer_size());
        self.builder.ret(Some(value.into()));
    }

    fn project_existential(&self, container: PointerValue<'ctx>, metadata: PointerValue<'ctx>) {
        self.branch_if_inline(metadata, |function| function.builder.ret(Some(container.into())));
        let words = self.module.pointer_size();
        let object = self.builder.load(self.builder.ptr_type().into(), container, words).into_pointer_value();
        let value = self.value_in_box(object, metadata);
        self.builder.ret(Some(value.into()));
    }

    fn project_mutable_existential(&self, container: PointerValue<'ctx>, metadata: PointerValue<'ctx>) {
        self.branch_if_inline(metadata, |function| function.builder.ret(Some(container.into())));
        let arguments = [container.into(), metadata.into(), self.alignment_mask(metadata).into()];
        let unique = self.call_runtime_for(RuntimeFunction::MakeBoxUnique, &arguments);
        self.builder.ret(Some(self.builder.extract(unique, 1)));
    }

    /// Memory outside of the buffer is not an object: it is not freed before the program ends.
    fn allocate_value_buffer(&self, metadata: PointerValue<'ctx>, buffer: PointerValue<'ctx>) {
        self.branch_if_inline(metadata, |function| function.builder.ret(Some(buffer.into())));
        let arguments = [self.layout_fact(metadata, LayoutFact::Size).into(), self.alignment_mask(metadata).into()];
        let memory = self.call_runtime_for(RuntimeFunction::SlowAlloc, &arguments);
        self.builder.store(memory, buffer, self.module.pointer_size());
        self.builder.ret(Some(memory));
    }

    fn project_value_buffer(&self, metadata: PointerValue<'ctx>, buffer: PointerValue<'ctx>) {
        self.branch_if_inline(metadata, |function| function.builder.ret(Some(buffer.into())));
        let memory = self.builder.load(self.builder.ptr_type().into(), buffer, self.module.pointer_size());
        self.builder.ret(Some(memory));
    }

    /// Emits `inline` for types whose values are stored in the buffer. The builder continues with the other types.
    fn branch_if_inline(&self, metadata: PointerValue<'ctx>, inline: impl FnOnce(&Self)) {
        let bits = self.module.pointer_bits();
        let flags = self.layout_fact(metadata, LayoutFact::Flags);
        let boxed = self.builder.and(flags, self.builder.int(bits, IS_NOT_INLINE));
        let is_inline = self.builder.equal(boxed, self.builder.int(bits, 0));
        let [inline_block, boxed_block] = [self.new_block("inline"), self.new_block("boxed")];
        self.builder.branch_if(is_inline, inline_block, boxed_block);
        self.builder.position_at_end(inline_block);
        inline(self);
        self.builder.position_at_end(boxed_block);
    }

    /// Allocates a box for a value of the type with this metadata. Returns the object and the address of the value.
    pub fn allocate_box_of(&self, metadata: PointerValue<'ctx>) -> (PointerValue<'ctx>, PointerValue<'ctx>) {
        let pair = self.call_runtime_for(RuntimeFunction::AllocBox, &[metadata.into()]);
        let part = |index| self.builder.extract(pair, index).into_pointer_value();
        (part(0), part(1))
    }

    /// Returns the address of the value in a box, which is the next aligned address after the header.
    pub fn value_in_box(&self, object: PointerValue<'ctx>, metadata: PointerValue<'ctx>) -> PointerValue<'ctx> {
        self.builder.index_bytes(object, self.offset_in_box(metadata))
    }

    fn offset_in_box(&self, metadata: PointerValue<'ctx>) -> IntValue<'ctx> {
        let builder = &self.builder;
        let header = self.module.word_type().const_int(self.module.heap_header_size(), false);
        let mask = self.alignment_mask(metadata);
        builder.and(builder.add(header, mask), builder.not(mask))
    }
}

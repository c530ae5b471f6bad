//! The body of one function under construction: values, blocks, the walk over instructions.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, FunctionValue, InstructionValue, PhiValue, PointerValue};
use sil_analysis::{Use, Uses};
use sil_ir::context::{SignatureId, SilType, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{BlockId, Body, Function, InstructionId, Linkage, Module, Serialization, Value};
use sil_ir::source::{FileId, Span};
use sil_ir::types::TypeQueries;

use super::IRGenModule;
use super::metadata::MetadataState;
use super::runtime_inlining::Frequency;
use super::signature::Signature;
use super::state::{CoroutineToken, FunctionState};
use super::type_data::TypeDataCache;
use crate::debug::FunctionLocations;
use crate::layout::{TypeInfo, TypeLayout};
use crate::llvm::builder::Builder;
use crate::llvm::builder::bytes_type;
use crate::refusal::Generated;

/// The scalars of a loaded value, in the order of [`TypeInfo::elements`].
pub type Explosion<'ctx> = Vec<BasicValueEnum<'ctx>>;

/// The lowered form of a SIL value.
#[derive(Clone, Debug)]
pub enum Lowered<'ctx> {
    /// The scalars of an object, in the order of its type's elements.
    Explosion(Explosion<'ctx>),
    /// An address, or a stack slot.
    Address(PointerValue<'ctx>),
    /// A stack promoted object or a stack slot of dynamic size: the address, and the means of freeing it.
    Token(Rc<CoroutineToken<'ctx>>),
}

/// A function under construction.
pub struct IRGenFunction<'m, 'ctx> {
    /// The module.
    pub module: &'m IRGenModule<'m, 'ctx>,
    /// Builds at the end of the current block.
    pub builder: Builder<'ctx>,
    /// The SIL function.
    pub function: &'m Function,
    /// Its body.
    pub body: &'m Body,
    /// LLVM's function.
    pub llvm: FunctionValue<'ctx>,
    /// Its signature.
    pub signature: Rc<Signature<'ctx>>,
    /// The first block, which begins with the prologue: stack slots, and other code that must come first.
    pub(crate) first_block: BasicBlock<'ctx>,
    /// The last instruction of the prologue.
    prologue_end: Cell<Option<InstructionValue<'ctx>>>,
    pub(super) values: SecondaryMap<Value, Option<Lowered<'ctx>>>,
    pub(crate) blocks: SecondaryMap<BlockId, Option<BasicBlock<'ctx>>>,
    pub(super) phis: SecondaryMap<BlockId, Vec<PhiValue<'ctx>>>,
    /// The locations of the instructions, with debug information.
    pub(crate) locations: Option<FunctionLocations<'ctx>>,
    /// The execution frequency of the current block.
    pub(crate) frequency: Frequency,
    /// The SIL block being emitted, or `None` before the first one.
    pub(crate) current_block: Option<BlockId>,
    /// The available metadata and witness tables.
    pub(super) type_data: TypeDataCache<'ctx>,
    /// The signature of the function's type parameters.
    pub(crate) generics: Option<SignatureId>,
    /// The minimum state of metadata that the function requests.
    pub(crate) metadata_state: MetadataState,
    /// State of the families that live longer than an instruction.
    pub state: FunctionState<'ctx>,
}

impl<'m, 'ctx> IRGenFunction<'m, 'ctx> {
    /// Begins the body of `llvm`.
    pub fn new(
        module: &'m IRGenModule<'m, 'ctx>,
        function: &'m Function,
        body: &'m Body,
        llvm: FunctionValue<'ctx>,
        signature: Rc<Signature<'ctx>>,
    ) -> Self {
        let first_block = module.context.append_basic_block(llvm, "entry");
        Self {
            module,
            builder: Builder::new(module.context),
            function,
            body,
            llvm,
            signature,
            first_block,
            prologue_end: Cell::new(None),
            values: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            phis: SecondaryMap::new(),
            locations: None,
            frequency: Frequency::Once,
            current_block: None,
            type_data: TypeDataCache::default(),
            generics: function.signature,
            metadata_state: MetadataState::Complete,
            state: FunctionState::default(),
        }
    }

    /// Creates a synthesised function: a thunk, a destroy function. The builder is at its only block.
    pub fn without_sil(
        module: &'m IRGenModule<'m, 'ctx>,
        llvm: FunctionValue<'ctx>,
        signature: impl Into<Rc<Signature<'ctx>>>,
    ) -> Self {
        let function = Self::new(module, &module.program.no_function, &module.program.no_body, llvm, signature.into());
        function.builder.position_at_end(function.first_block);
        function
    }

    /// The uses of the value as an operand.
    pub fn uses(&self, value: Value) -> &[Use] {
        self.state.uses.get_or_init(|| Uses::new(self.body)).of(value)
    }

    /// Returns whether the value is an operand of an instruction.
    pub fn is_used(&self, value: Value) -> bool {
        !self.uses(value).is_empty()
    }

    /// Returns the error for an unsupported feature at `instruction`.
    pub fn unsupported(&self, instruction: InstructionId, what: impl std::fmt::Display) -> Box<Diagnostic> {
        Box::new(Diagnostic::unsupported(what, self.body.instructions[instruction].span))
    }

    /// The `TypeInfo` of a value's type.
    pub fn info(&self, ty: SilType) -> Generated<Arc<TypeInfo>> {
        self.module.types.info(self.erased(ty.ty))
    }

    /// Returns the memory layout of values of the lowered type `ty`.
    pub fn layout(&self, ty: TypeId) -> Generated<TypeLayout> {
        self.module.types.layout(self.erased(ty))
    }

    /// Returns `ty` without the function's type parameters that are bound to classes, if that type has the same layout.
    pub fn erased(&self, ty: TypeId) -> TypeId {
        self.module.types.erased(ty, self.generics)
    }

    /// The `TypeInfo` of the type of `value`.
    pub fn info_of(&self, value: Value) -> Generated<Arc<TypeInfo>> {
        self.info(self.body.ty(value))
    }

    /// The scalars of `value`, an object. `undef` is poison-free `undef` of each scalar.
    pub fn explosion(&self, value: Value) -> Generated<Explosion<'ctx>> {
        match &self.values[value] {
            Some(Lowered::Explosion(explosion)) => Ok(explosion.clone()),
            Some(Lowered::Address(address)) => Ok(vec![(*address).into()]),
            Some(Lowered::Token(_)) => Ok(Vec::new()),
            None => {
                let info = self.info_of(value)?;
                Ok(info.elements.iter().map(|element| undefined(self.builder.scalar_type(element.scalar))).collect())
            }
        }
    }

    /// The only scalar of `value`.
    pub fn scalar(&self, value: Value) -> Generated<BasicValueEnum<'ctx>> {
        let explosion = self.explosion(value)?;
        match explosion.as_slice() {
            [only] => Ok(*only),
            other => Err(Box::new(crate::refusal::unsupported_without_place(format!(
                "a value of {} scalars where one is expected",
                other.len()
            )))),
        }
    }

    /// The address that `value` is.
    pub fn address(&self, value: Value) -> Generated<PointerValue<'ctx>> {
        match &self.values[value] {
            Some(Lowered::Address(address)) => Ok(*address),
            Some(Lowered::Explosion(explosion)) => match explosion.as_slice() {
                [BasicValueEnum::PointerValue(pointer)] => Ok(*pointer),
                _ => Err(Box::new(crate::refusal::unsupported_without_place("an object where an address is expected"))),
            },
            _ => Ok(self.builder.ptr_type().get_undef()),
        }
    }

    /// The lowered form of `value`.
    pub fn lowered(&self, value: Value) -> Option<&Lowered<'ctx>> {
        self.values[value].as_ref()
    }

    /// Binds `value` to its lowered form.
    pub fn bind(&mut self, value: Value, lowered: Lowered<'ctx>) {
        self.values[value] = Some(lowered);
    }

    /// Binds the result of `instruction`, if there is one, to the scalars of an object.
    pub fn bind_result(&mut self, instruction: InstructionId, explosion: Explosion<'ctx>) {
        if let Some(result) = self.body.result(instruction) {
            self.bind(result, Lowered::Explosion(explosion));
        }
    }

    /// Binds the result of `instruction` to an address.
    pub fn bind_address(&mut self, instruction: InstructionId, address: PointerValue<'ctx>) {
        if let Some(result) = self.body.result(instruction) {
            self.bind(result, Lowered::Address(address));
        }
    }

    /// Returns a stack slot for a value of this type, for the whole call. Its memory is uninitialised.
    pub fn temporary(&self, info: &TypeInfo) -> PointerValue<'ctx> {
        self.stack_slot(info.size, info.alignment)
    }

    /// A stack slot of `size` bytes for the whole call.
    pub fn stack_slot(&self, size: u64, alignment: u64) -> PointerValue<'ctx> {
        self.in_prologue(|builder| builder.alloca(bytes_type(self.module.context, size.max(1)), alignment))
    }

    /// Emits something at the end of the prologue, where stack slots belong.
    pub fn in_prologue<T>(&self, emit: impl FnOnce(&Builder<'ctx>) -> T) -> T {
        let block = self.builder.block();
        let location = self.builder.location();
        let next = match self.prologue_end.get() {
            Some(end) => end.get_next_instruction(),
            None => self.first_block.get_first_instruction(),
        };
        match &next {
            Some(next) => self.builder.position_before(next),
            None => self.builder.position_at_end(self.first_block),
        }
        self.locate_prologue();
        let result = emit(&self.builder);
        self.prologue_end.set(match next {
            Some(next) => next.get_previous_instruction(),
            None => self.first_block.get_last_instruction(),
        });
        self.builder.position_at_end(block);
        self.builder.set_location(location);
        result
    }

    /// Ends the prologue after all code in the first block so far.
    pub(crate) fn end_prologue(&self) {
        let end = match self.first_block.get_terminator() {
            Some(terminator) => terminator.get_previous_instruction(),
            None => self.first_block.get_last_instruction(),
        };
        self.prologue_end.set(end);
    }

    /// A new block of this function.
    pub fn new_block(&self, name: &str) -> BasicBlock<'ctx> {
        self.module.context.append_basic_block(self.llvm, name)
    }
}

/// Returns a placeholder function for synthesised code without SIL.
pub(super) fn no_function(module: &Module, queries: &TypeQueries<'_>) -> Function {
    Function {
        name: module.context.name(""),
        ty: queries.void(),
        signature: None,
        linkage: Linkage::Private,
        serialization: Serialization::None,
        attributes: Vec::new(),
        body: None,
        scope: None,
        entry_count: None,
        specialized_from: None,
        span: Span { file: FileId::from_u32(0), start: 0, end: 0 },
    }
}

/// `undef` of any scalar type.
pub fn undefined(ty: inkwell::types::BasicTypeEnum<'_>) -> BasicValueEnum<'_> {
    use inkwell::types::BasicTypeEnum::*;
    match ty {
        ArrayType(ty) => ty.get_undef().into(),
        FloatType(ty) => ty.get_undef().into(),
        IntType(ty) => ty.get_undef().into(),
        PointerType(ty) => ty.get_undef().into(),
        StructType(ty) => ty.get_undef().into(),
        VectorType(ty) => ty.get_undef().into(),
        ScalableVectorType(ty) => ty.get_undef().into(),
    }
}

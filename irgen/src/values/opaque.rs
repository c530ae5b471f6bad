//! Values of dynamic layout, which the value witnesses of the type operate on (include/swift/ABI/ValueWitness.def).

use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::{BasicValueEnum, CallSiteValue, IntValue, PointerValue};
use sil_ir::context::TypeId;

use crate::generation::IRGenFunction;
use crate::layout::TypeLayout;
use crate::llvm::attributes::{self, Attribute, Place};
use crate::llvm::builder::bytes_type;
use crate::refusal::Generated;

/// A function in a value witness table, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueWitness {
    /// Copies the value in one buffer to another one.
    InitializeBufferWithCopyOfBuffer,
    /// Destroys a value.
    Destroy,
    /// Initialises memory with a copy.
    InitializeWithCopy,
    /// Replaces a value with a copy.
    AssignWithCopy,
    /// Initialises memory with the value of other memory, which is uninitialised afterwards.
    InitializeWithTake,
    /// Replaces a value with that of other memory, which is uninitialised afterwards.
    AssignWithTake,
}

/// The initialisation of memory with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// With a copy.
    Copy,
    /// With the value of other memory, which is uninitialised afterwards.
    Take,
}

/// A number in a value witness table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutFact {
    /// The size in bytes.
    Size,
    /// The distance of elements in an array, in bytes.
    Stride,
    /// The alignment mask in the lowest byte, and the flags of values in the bits above.
    Flags,
    /// The number of extra inhabitants.
    ExtraInhabitants,
}

impl LayoutFact {
    /// Returns its offset in a table, in bytes, for pointers of `word` bytes.
    pub fn offset(self, word: u64) -> u64 {
        match self {
            LayoutFact::Size => FUNCTION_WORDS * word,
            LayoutFact::Stride => (FUNCTION_WORDS + 1) * word,
            LayoutFact::Flags => (FUNCTION_WORDS + 2) * word,
            LayoutFact::ExtraInhabitants => (FUNCTION_WORDS + 2) * word + FLAG_BYTES / 2,
        }
    }
}

/// A function that gets or sets the case of an enum value (the last ones in the tables of enums).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumWitness {
    /// Returns the tag of the value at an address: cases with a payload first.
    GetTag,
    /// Turns the value at an address into its payload.
    ProjectData,
    /// Creates a value from a payload, or nothing, and a tag.
    InjectTag,
}

impl ValueWitness {
    fn number(self) -> u64 {
        match self {
            ValueWitness::InitializeBufferWithCopyOfBuffer => 0,
            ValueWitness::Destroy => 1,
            ValueWitness::InitializeWithCopy => 2,
            ValueWitness::AssignWithCopy => 3,
            ValueWitness::InitializeWithTake => 4,
            ValueWitness::AssignWithTake => 5,
        }
    }
}

/// The indices of the witnesses for extra inhabitants.
const GET_SINGLE_PAYLOAD_TAG: u64 = 6;
const STORE_SINGLE_PAYLOAD_TAG: u64 = 7;

/// The size of the functions in all tables, in words.
const FUNCTION_WORDS: u64 = 8;

/// The bytes of the two 32-bit numbers after size and stride.
const FLAG_BYTES: u64 = 8;

/// The alignment mask among the flags.
const ALIGNMENT_MASK: u64 = 0xFF;

/// The alignment of memory for values of any layout, in bytes.
pub const MAXIMUM_ALIGNMENT: u64 = 16;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The value witness table of the type with this metadata: the word before the metadata.
    pub fn value_witnesses(&self, metadata: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let word = self.module.pointer_size();
        let place =
            self.builder.raw_index_bytes(metadata, self.module.word_type().const_int(word.wrapping_neg(), true));
        self.load_constant_pointer(place, 0)
    }

    /// Returns a number of the layout of the type with this metadata, in pointer size.
    pub fn layout_fact(&self, metadata: PointerValue<'ctx>, fact: LayoutFact) -> IntValue<'ctx> {
        let table = self.value_witnesses(metadata);
        let (word, bits) = (self.module.pointer_size(), self.module.pointer_bits());
        let width = match fact {
            LayoutFact::Size | LayoutFact::Stride => bits,
            LayoutFact::Flags | LayoutFact::ExtraInhabitants => 32,
        };
        let place = self.builder.offset(table, fact.offset(word));
        let ty = self.builder.int_type(width).into();
        let value = self.builder.load_invariant(ty, place, u64::from(width / 8)).into_int_value();
        self.builder.resize(value, bits)
    }

    /// The alignment mask of the type with this metadata.
    pub fn alignment_mask(&self, metadata: PointerValue<'ctx>) -> IntValue<'ctx> {
        let flags = self.layout_fact(metadata, LayoutFact::Flags);
        self.builder.and(flags, self.builder.int(self.module.pointer_bits(), ALIGNMENT_MASK))
    }

    /// Calls a value witness with addresses and, last, the metadata.
    pub fn call_value_witness(
        &self,
        witness: ValueWitness,
        addresses: &[PointerValue<'ctx>],
        metadata: PointerValue<'ctx>,
    ) {
        let function =
            self.load_constant_pointer(self.value_witnesses(metadata), witness.number() * self.module.pointer_size());
        let arguments: Vec<BasicValueEnum<'ctx>> =
            addresses.iter().chain([&metadata]).map(|address| (*address).into()).collect();
        let pointer: BasicMetadataTypeEnum<'ctx> = self.builder.ptr_type().into();
        let parameters = vec![pointer; arguments.len()];
        let ty: FunctionType<'ctx> = match witness {
            ValueWitness::Destroy => self.module.context.void_type().fn_type(&parameters, false),
            _ => self.builder.ptr_type().fn_type(&parameters, false),
        };
        let call = self.builder.call_indirect(ty, function, &arguments);
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
    }

    /// Tests whether the memory at `address` contains a value of the type with this metadata, `empty` of whose extra
    /// inhabitants represent other cases: returns zero for a value, else one more than the index of the extra
    /// inhabitant.
    pub fn get_single_payload_tag(
        &self,
        address: PointerValue<'ctx>,
        empty: IntValue<'ctx>,
        metadata: PointerValue<'ctx>,
    ) -> IntValue<'ctx> {
        let number = self.builder.int_type(32);
        let pointer = self.builder.ptr_type();
        let ty = number.fn_type(&[pointer.into(), number.into(), pointer.into()], false);
        let arguments = [address.into(), empty.into(), metadata.into()];
        let call = self.call_witness_number(GET_SINGLE_PAYLOAD_TAG, ty, &arguments, metadata);
        call.try_as_basic_value().basic().map_or(empty, BasicValueEnum::into_int_value)
    }

    /// Changes the memory at `address` such that [`Self::get_single_payload_tag`] returns `tag` for it.
    pub fn store_single_payload_tag(
        &self,
        address: PointerValue<'ctx>,
        tag: IntValue<'ctx>,
        empty: IntValue<'ctx>,
        metadata: PointerValue<'ctx>,
    ) {
        let number = self.builder.int_type(32);
        let pointer = self.builder.ptr_type();
        let parameters = [pointer.into(), number.into(), number.into(), pointer.into()];
        let ty = self.module.context.void_type().fn_type(&parameters, false);
        let arguments = [address.into(), tag.into(), empty.into(), metadata.into()];
        self.call_witness_number(STORE_SINGLE_PAYLOAD_TAG, ty, &arguments, metadata);
    }

    fn call_witness_number(
        &self,
        number: u64,
        ty: FunctionType<'ctx>,
        arguments: &[BasicValueEnum<'ctx>],
        metadata: PointerValue<'ctx>,
    ) -> CallSiteValue<'ctx> {
        let table = self.value_witnesses(metadata);
        let function = self.load_constant_pointer(table, number * self.module.pointer_size());
        let call = self.builder.call_indirect(ty, function, arguments);
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
        call
    }

    /// Calls a witness of an enum type. `InjectTag` takes a tag, and `GetTag` returns one.
    pub fn call_enum_witness(
        &self,
        witness: EnumWitness,
        address: PointerValue<'ctx>,
        tag: Option<IntValue<'ctx>>,
        metadata: PointerValue<'ctx>,
    ) -> Option<IntValue<'ctx>> {
        let word = self.module.pointer_size();
        let number = match witness {
            EnumWitness::GetTag => 0,
            EnumWitness::ProjectData => 1,
            EnumWitness::InjectTag => 2,
        };
        let offset = (FUNCTION_WORDS + 2 + number) * word + FLAG_BYTES;
        let function = self.load_constant_pointer(self.value_witnesses(metadata), offset);
        let arguments: Vec<BasicValueEnum<'ctx>> =
            [Some(address.into()), tag.map(BasicValueEnum::from), Some(metadata.into())]
                .into_iter()
                .flatten()
                .collect();
        let parameters: Vec<BasicMetadataTypeEnum<'ctx>> =
            arguments.iter().map(|value| value.get_type().into()).collect();
        let ty = match witness {
            EnumWitness::GetTag => self.builder.int_type(32).fn_type(&parameters, false),
            _ => self.module.context.void_type().fn_type(&parameters, false),
        };
        let call = self.builder.call_indirect(ty, function, &arguments);
        attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
        call.try_as_basic_value().basic().map(BasicValueEnum::into_int_value)
    }

    /// Destroys the value of type `ty` at `address`.
    pub fn destroy_value(&self, ty: TypeId, address: PointerValue<'ctx>) -> Generated<()> {
        match self.layout(ty)? {
            TypeLayout::Fixed(info) => self.destroy_at(&info, address),
            // The runtime treats a type with trivial parts as trivial: its witness would not call the `deinit`.
            TypeLayout::Dynamic(ty) if self.is_bitwise_copyable(ty) => {}
            TypeLayout::Dynamic(ty) => {
                if !self.call_dynamic_deinit(ty, address)? {
                    self.call_value_witness(ValueWitness::Destroy, &[address], self.type_metadata(ty)?);
                }
            }
        }
        Ok(())
    }

    /// Initialises memory at the first address with a value of type `ty`, from the second address.
    pub fn initialize_value(
        &self,
        ty: TypeId,
        [to, from]: [PointerValue<'ctx>; 2],
        transfer: Transfer,
    ) -> Generated<()> {
        match (self.module.types.layout(ty)?, transfer) {
            (TypeLayout::Fixed(info), Transfer::Copy) => self.initialize_with_copy(&info, to, from),
            (TypeLayout::Fixed(info), Transfer::Take) => self.initialize_with_take(&info, to, from),
            (TypeLayout::Dynamic(ty), transfer) => {
                let witness = match transfer {
                    Transfer::Copy => ValueWitness::InitializeWithCopy,
                    Transfer::Take => ValueWitness::InitializeWithTake,
                };
                self.move_dynamic(ty, witness, [to, from])?;
            }
        }
        Ok(())
    }

    /// Copies or moves a value of the type `ty` of dynamic layout by a witness with two addresses.
    ///
    /// Bitwise copyable values are copied as bytes, since they may be at addresses that the witnesses of the type would
    /// not accept (`BitwiseCopyableTypeInfo` in lib/IRGen/NonFixedTypeInfo.h).
    pub fn move_dynamic(
        &self,
        ty: TypeId,
        witness: ValueWitness,
        [to, from]: [PointerValue<'ctx>; 2],
    ) -> Generated<()> {
        let metadata = self.type_metadata(ty)?;
        if self.is_bitwise_copyable(ty) {
            self.builder.memcpy(to, from, self.layout_fact(metadata, LayoutFact::Size), 1);
        } else {
            self.call_value_witness(witness, &[to, from], metadata);
        }
        Ok(())
    }

    /// Returns whether `ty` is a type parameter or an archetype that conforms to `BitwiseCopyable`.
    fn is_bitwise_copyable(&self, ty: TypeId) -> bool {
        let queries = self.module.types.queries;
        let (Some(protocol), Some((signature, interface))) = (queries.known_bitwise_copyable(), self.interface_of(ty))
        else {
            return false;
        };
        let generics = queries.generics();
        generics.machine(signature).requires_protocol(&generics, interface, protocol)
    }

    /// Returns the size and the alignment mask of values of type `ty`, in pointer size.
    pub fn size_and_alignment(&self, ty: TypeId) -> Generated<[IntValue<'ctx>; 2]> {
        Ok(match self.module.types.layout(ty)? {
            TypeLayout::Fixed(info) => {
                [info.size, info.alignment - 1].map(|number| self.module.word_type().const_int(number, false))
            }
            TypeLayout::Dynamic(ty) => {
                let metadata = self.type_metadata(ty)?;
                [self.layout_fact(metadata, LayoutFact::Size), self.alignment_mask(metadata)]
            }
        })
    }

    /// Returns the address of element number `index` of the elements of type `ty` at `base`.
    pub fn element_address(
        &self,
        ty: TypeId,
        base: PointerValue<'ctx>,
        index: IntValue<'ctx>,
    ) -> Generated<PointerValue<'ctx>> {
        match self.layout(ty)? {
            TypeLayout::Fixed(info) => {
                Ok(self.builder.element_pointer(bytes_type(self.module.context, info.stride()), base, index))
            }
            TypeLayout::Dynamic(ty) => {
                let stride = self.layout_fact(self.type_metadata(ty)?, LayoutFact::Stride);
                let index = self.builder.resize_signed(index, self.module.pointer_bits());
                Ok(self.builder.index_bytes(base, self.builder.mul(index, stride)))
            }
        }
    }
}

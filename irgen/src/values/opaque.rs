//! Values of dynamic layout: the value witnesses of the type operate on them (include/swift/ABI/ValueWitness.def).

use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::{BasicValueEnum, CallSiteValue, IntValue, PointerValue};
use sil::context::TypeId;

use crate::generation::IRGenFunction;
use crate::layout::TypeLayout;
use crate::llvm::attributes::{self, Attribute, Place};
use crate::llvm::builder::bytes_type;
use crate::refusal::Generated;

/// A function in a value witness table, by its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueWitness {
    /// Copies the value in one buffer to another one.
    InitializeBufferWithCopyOfBuffer,
    /// Ends a value.
    Destroy,
    /// Uninitialised memory gets a copy.
    InitializeWithCopy,
    /// A value is replaced by a copy.
    AssignWithCopy,
    /// Uninitialised memory gets the value of other memory, which is uninitialised afterwards.
    InitializeWithTake,
    /// A value is replaced by that of other memory, which is uninitialised afterwards.
    AssignWithTake,
}

/// How uninitialised memory gets a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// It gets a copy.
    Copy,
    /// It gets the value of other memory, which is uninitialised afterwards.
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
    /// How many extra inhabitants there are.
    ExtraInhabitants,
}

impl LayoutFact {
    /// Where it stands in a table, in bytes, where pointers have `word` bytes.
    pub fn offset(self, word: u64) -> u64 {
        match self {
            LayoutFact::Size => FUNCTION_WORDS * word,
            LayoutFact::Stride => (FUNCTION_WORDS + 1) * word,
            LayoutFact::Flags => (FUNCTION_WORDS + 2) * word,
            LayoutFact::ExtraInhabitants => (FUNCTION_WORDS + 2) * word + FLAG_BYTES / 2,
        }
    }
}

/// A function that gets or sets the case of an enum value (the last ones of the tables of enums).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumWitness {
    /// Which case the value at an address is: those with a payload first.
    GetTag,
    /// Turns the value at an address into its payload.
    ProjectData,
    /// Makes a value of a payload, or nothing, and a tag.
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

/// The numbers of the witnesses about extra inhabitants.
const GET_SINGLE_PAYLOAD_TAG: u64 = 6;
const STORE_SINGLE_PAYLOAD_TAG: u64 = 7;

/// How many words the functions that all tables have take.
const FUNCTION_WORDS: u64 = 8;

/// The bytes of the two 32-bit numbers after size and stride.
const FLAG_BYTES: u64 = 8;

/// The alignment mask among the flags.
const ALIGNMENT_MASK: u64 = 0xFF;

/// Room for values of any layout is aligned to this many bytes.
pub const MAXIMUM_ALIGNMENT: u64 = 16;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The value witness table of the type with this metadata: the word before the metadata.
    pub fn value_witnesses(&self, metadata: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let word = self.module.pointer_size();
        let place =
            self.builder.raw_index_bytes(metadata, self.module.word_type().const_int(word.wrapping_neg(), true));
        self.load_constant_pointer(place, 0)
    }

    /// A number of the layout of the type with this metadata, as wide as a pointer.
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

    /// Asks whether the memory at `address` has a value of the type with this metadata, of which `empty` extra
    /// inhabitants stand for something else: zero for a value, else one more than the number of the extra inhabitant.
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

    /// Changes the memory at `address` such that [`Self::get_single_payload_tag`] gives `tag` for it.
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

    /// Calls a witness of an enum type. A tag is given to `InjectTag`, and given back by `GetTag`.
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
            // The runtime treats a type with plain parts as plain: its witness would not call the `deinit`.
            TypeLayout::Dynamic(ty) => {
                if !self.call_dynamic_deinit(ty, address)? {
                    self.call_value_witness(ValueWitness::Destroy, &[address], self.type_metadata(ty)?);
                }
            }
        }
        Ok(())
    }

    /// Makes uninitialised memory at the first address a value of type `ty`: that at the second one.
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
                self.call_value_witness(witness, &[to, from], self.type_metadata(ty)?);
            }
        }
        Ok(())
    }

    /// The size and the alignment mask of values of type `ty`, as wide as a pointer.
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

    /// The address of element number `index` of the elements of type `ty` at `base`.
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

//! The native convention: which scalars a value is passed and returned in (docs/ABI/CallingConvention.rst, "Physical conventions").
//!
//! Integers and pointers that share a pointer-sized unit of memory travel as one integer; floats and vectors alone. More than
//! four registers' worth goes through memory.

use inkwell::types::BasicTypeEnum;
use inkwell::values::BasicValueEnum;
use sil::context::TypeId;

use super::IRGenModule;
use crate::llvm::builder::{Builder, scalar_bits};
use crate::types::{Element, TypeInfo};

const REGISTERS: u64 = 4;

/// The scalars that a value is passed in.
#[derive(Debug)]
pub struct NativeSchema<'ctx> {
    groups: Vec<Group<'ctx>>,
}

/// One scalar of the schema and the scalars of the explosion in it.
#[derive(Debug)]
struct Group<'ctx> {
    ty: BasicTypeEnum<'ctx>,
    /// Where the group starts in memory, in bytes.
    offset: u64,
    members: Vec<Element<'ctx>>,
}

impl<'ctx> NativeSchema<'ctx> {
    /// The schema of a value; none where it goes through memory.
    pub fn of(module: &IRGenModule<'_, 'ctx>, info: &TypeInfo<'ctx>) -> Option<Self> {
        if !info.is_loadable() {
            return None;
        }
        let unit = module.pointer_size();
        let mut groups: Vec<Vec<Element<'ctx>>> = Vec::new();
        for element in &info.elements {
            match groups.last_mut() {
                Some(group) if shares_unit(group, element, unit) => group.push(*element),
                _ => groups.push(vec![*element]),
            }
        }
        let groups: Vec<Group> = groups.into_iter().map(|members| Group::new(&module.builder, members)).collect();
        let registers: u64 = groups.iter().map(|group| group.registers(unit)).sum();
        (registers <= REGISTERS).then_some(Self { groups })
    }

    /// Every scalar on its own: C functions.
    pub fn scalars(info: &TypeInfo<'ctx>) -> Self {
        let single =
            |element: &Element<'ctx>| Group { ty: element.ty, offset: element.offset, members: vec![*element] };
        Self { groups: info.elements.iter().map(single).collect() }
    }

    /// The types of the scalars.
    pub fn types(&self) -> impl ExactSizeIterator<Item = BasicTypeEnum<'ctx>> + '_ {
        self.groups.iter().map(|group| group.ty)
    }

    /// The number of scalars.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether nothing is passed.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Whether a typed error may share the registers of the result: it is integers and pointers.
    pub fn can_be_direct_error(&self) -> bool {
        self.types().all(is_integer_or_pointer)
    }

    /// From the explosion to the scalars that are passed.
    pub fn pack(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        explosion: &[BasicValueEnum<'ctx>],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let mut rest = explosion.iter();
        let pack = |group: &Group<'ctx>| group.pack(builder, pointer_bits, &mut rest);
        self.groups.iter().map(pack).collect()
    }

    /// From the scalars that are passed to the explosion.
    pub fn unpack(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        scalars: &[BasicValueEnum<'ctx>],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let unpack =
            |(group, scalar): (&Group<'ctx>, &BasicValueEnum<'ctx>)| group.unpack(builder, pointer_bits, *scalar);
        self.groups.iter().zip(scalars).flat_map(unpack).collect()
    }
}

/// Whether LLVM keeps the scalar in a register for integers.
fn is_integer_or_pointer(ty: BasicTypeEnum<'_>) -> bool {
    matches!(ty, BasicTypeEnum::IntType(_) | BasicTypeEnum::PointerType(_))
}

/// Makes place for the scalars of `error` in the registers that are returned: the integer registers of the result in order, widened
/// where they are too small, then further ones. Gives the number of the register of each scalar.
pub fn share_registers<'ctx>(
    builder: &Builder<'ctx>,
    returned: &mut Vec<BasicTypeEnum<'ctx>>,
    error: &NativeSchema<'ctx>,
    pointer_bits: u32,
) -> Vec<usize> {
    let results = returned.len();
    let mut next = 0;
    let mut place = |scalar: BasicTypeEnum<'ctx>| {
        while next < results && !is_integer_or_pointer(returned[next]) {
            next += 1;
        }
        let register = if next < results { next } else { returned.len() };
        next += 1;
        match returned.get(register).copied() {
            None => returned.push(scalar),
            Some(result) if result == scalar => {}
            Some(result) => {
                let bits = scalar_bits(result, pointer_bits).max(scalar_bits(scalar, pointer_bits));
                returned[register] = builder.int_type(bits).into();
            }
        }
        register
    };
    error.types().map(&mut place).collect()
}

/// How many of these scalars a coroutine can return beside its continuation; where not all fit, one register is for an address.
pub fn yields_in_registers(scalars: &[BasicTypeEnum<'_>], pointer_bits: u32) -> usize {
    let registers = |scalar: &BasicTypeEnum<'_>| match scalar {
        BasicTypeEnum::IntType(ty) => u64::from(ty.get_bit_width().div_ceil(pointer_bits)),
        _ => 1,
    };
    let available = REGISTERS - 1;
    if scalars.iter().map(registers).sum::<u64>() <= available {
        return scalars.len();
    }
    let mut used = 0;
    let fits = |scalar: &&BasicTypeEnum<'_>| {
        used += registers(scalar);
        used < available
    };
    scalars.iter().take_while(fits).count()
}

/// The scalars of a C function's parameter or result: those of a type that is one scalar. Larger ones follow rules of each
/// target's C ABI; a pair of words is alike everywhere.
pub fn c_schema<'ctx>(module: &IRGenModule<'_, 'ctx>, info: &TypeInfo<'ctx>) -> Option<NativeSchema<'ctx>> {
    let is_word = |element: &Element<'ctx>| is_mergeable(element) && bytes(element) == module.pointer_size();
    let is_simple = match info.elements.as_slice() {
        [] => info.size == 0,
        [_] => true,
        [first, second] => is_word(first) && is_word(second),
        _ => false,
    };
    is_simple.then(|| NativeSchema::scalars(info))
}

/// `signext` or `zeroext`, where C functions extend a value to a whole register.
pub fn c_extension(module: &IRGenModule<'_, '_>, ty: TypeId, native: &NativeSchema<'_>) -> Option<&'static str> {
    const INT_BITS: u32 = 32;
    match native.types().collect::<Vec<_>>().as_slice() {
        [BasicTypeEnum::IntType(scalar)] if scalar.get_bit_width() < INT_BITS => {
            Some(if module.types.is_signed_integer(ty) { "signext" } else { "zeroext" })
        }
        _ => None,
    }
}

fn is_mergeable(element: &Element<'_>) -> bool {
    matches!(element.ty, BasicTypeEnum::IntType(_) | BasicTypeEnum::PointerType(_))
}

fn bytes(element: &Element<'_>) -> u64 {
    u64::from(element.bits.div_ceil(8))
}

fn shares_unit(group: &[Element<'_>], element: &Element<'_>, unit: u64) -> bool {
    let Some(last) = group.last() else { return false };
    let last_byte = last.offset + bytes(last).max(1) - 1;
    is_mergeable(last) && is_mergeable(element) && bytes(last) <= unit && last_byte / unit == element.offset / unit
}

impl<'ctx> Group<'ctx> {
    fn new(builder: &Builder<'ctx>, members: Vec<Element<'ctx>>) -> Self {
        let offset = members[0].offset;
        let ty = match members.as_slice() {
            [only] => legal_type(builder, only),
            _ => {
                let end = members.iter().map(|member| member.offset + bytes(member)).max().unwrap_or(offset);
                builder.int_type(((end - offset) * 8).next_power_of_two() as u32).into()
            }
        };
        Self { ty, offset, members }
    }

    fn registers(&self, unit: u64) -> u64 {
        match self.ty {
            BasicTypeEnum::IntType(ty) => u64::from(ty.get_bit_width()).div_ceil(unit * 8),
            _ => 1,
        }
    }

    fn pack(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        explosion: &mut std::slice::Iter<'_, BasicValueEnum<'ctx>>,
    ) -> BasicValueEnum<'ctx> {
        let BasicTypeEnum::IntType(whole) = self.ty else {
            return self.next(explosion);
        };
        if let [only] = self.members.as_slice()
            && only.ty == self.ty
        {
            return self.next(explosion);
        }
        let width = whole.get_bit_width();
        let mut packed = whole.const_zero();
        for member in &self.members {
            let bits = builder.to_bits(self.next(explosion), pointer_bits);
            let shift = ((member.offset - self.offset) * 8) as u32;
            packed = builder.or(packed, builder.shl(builder.resize(bits, width), shift));
        }
        packed.into()
    }

    #[expect(clippy::expect_used, reason = "an explosion has a scalar for each element of its schema")]
    fn next(&self, explosion: &mut std::slice::Iter<'_, BasicValueEnum<'ctx>>) -> BasicValueEnum<'ctx> {
        *explosion.next().expect("the explosion is as long as the schema")
    }

    fn unpack(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        scalar: BasicValueEnum<'ctx>,
    ) -> Vec<BasicValueEnum<'ctx>> {
        if let [only] = self.members.as_slice()
            && only.ty == self.ty
        {
            return vec![scalar];
        }
        let whole = builder.to_bits(scalar, pointer_bits);
        let unpack = |member: &Element<'ctx>| {
            let shift = ((member.offset - self.offset) * 8) as u32;
            let bits = builder.resize(builder.lshr(whole, shift), member.bits);
            builder.from_bits(bits, member.ty)
        };
        self.members.iter().map(unpack).collect()
    }
}

/// Integers of odd widths are widened to whole bytes, but for `i1`.
fn legal_type<'ctx>(builder: &Builder<'ctx>, element: &Element<'ctx>) -> BasicTypeEnum<'ctx> {
    match element.ty {
        BasicTypeEnum::IntType(ty) if ty.get_bit_width() > 1 && !ty.get_bit_width().is_power_of_two() => {
            builder.int_type(ty.get_bit_width().next_power_of_two().max(8)).into()
        }
        BasicTypeEnum::IntType(ty) if ty.get_bit_width() > 1 && ty.get_bit_width() < 8 => builder.int_type(8).into(),
        ty => ty,
    }
}

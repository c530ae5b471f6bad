//! The native convention: the scalars in which a value is passed and returned (docs/ABI/CallingConvention.rst,
//! "Physical conventions").
//!
//! Integers and pointers in one pointer-sized unit of memory are passed as one integer; floats and vectors separately.
//! Values that need more registers than the target provides, mostly four, are passed in memory.

use inkwell::values::BasicValueEnum;
use sil_ir::context::TypeId;

use super::IRGenModule;
use crate::layout::{Element, Scalar, TypeInfo};
use crate::llvm::attributes::Attribute;
use crate::llvm::builder::Builder;

/// The scalars that a value is passed in.
#[derive(Debug, Clone)]
pub struct NativeSchema {
    groups: Vec<Group>,
}

/// One scalar of the schema and the scalars of the explosion in it.
#[derive(Debug, Clone)]
struct Group {
    scalar: Scalar,
    /// The offset of the group in memory, in bytes.
    offset: u64,
    members: Vec<Element>,
}

impl NativeSchema {
    /// Returns the schema of a value, or `None` if it is passed in memory.
    pub fn of(module: &IRGenModule<'_, '_>, info: &TypeInfo) -> Option<Self> {
        if !info.is_loadable() {
            return None;
        }
        let unit = module.pointer_size();
        let mut groups: Vec<Vec<Element>> = Vec::new();
        for element in &info.elements {
            match groups.last_mut() {
                Some(group) if shares_unit(group, element, unit) => group.push(*element),
                _ => groups.push(vec![*element]),
            }
        }
        let groups: Vec<Group> = groups.into_iter().map(Group::new).collect();
        let registers: u64 = groups.iter().map(|group| group.registers(unit)).sum();
        (registers <= module.direct_registers()).then_some(Self { groups })
    }

    /// Returns the schema of C functions: every scalar separately.
    pub fn scalars(info: &TypeInfo) -> Self {
        let single =
            |element: &Element| Group { scalar: element.scalar, offset: element.offset, members: vec![*element] };
        Self { groups: info.elements.iter().map(single).collect() }
    }

    /// The types of the scalars.
    pub fn types(&self) -> impl ExactSizeIterator<Item = Scalar> + '_ {
        self.groups.iter().map(|group| group.scalar)
    }

    /// Returns whether nothing is passed.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns whether a typed error may share the registers of the result: it consists of integers and pointers.
    pub fn can_be_direct_error(&self) -> bool {
        self.types().all(is_integer_or_pointer)
    }

    /// Converts the explosion to the passed scalars.
    pub fn pack<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        explosion: &[BasicValueEnum<'ctx>],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let mut rest = explosion.iter();
        let pack = |group: &Group| group.pack(builder, pointer_bits, &mut rest);
        self.groups.iter().map(pack).collect()
    }

    /// Converts the passed scalars to the explosion.
    pub fn unpack<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        scalars: &[BasicValueEnum<'ctx>],
    ) -> Vec<BasicValueEnum<'ctx>> {
        let unpack = |(group, scalar): (&Group, &BasicValueEnum<'ctx>)| group.unpack(builder, pointer_bits, *scalar);
        self.groups.iter().zip(scalars).flat_map(unpack).collect()
    }
}

/// Returns whether LLVM keeps the scalar in an integer register.
fn is_integer_or_pointer(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Integer(_) | Scalar::Pointer)
}

/// Assigns the scalars of `error` to the returned registers: the integer registers of the result in order, widened if
/// they are too small, then further ones. Returns the register index of each scalar.
pub fn share_registers(returned: &mut Vec<Scalar>, error: &NativeSchema, pointer_bits: u32) -> Vec<usize> {
    let results = returned.len();
    let mut next = 0;
    let mut place = |scalar: Scalar| {
        while next < results && !is_integer_or_pointer(returned[next]) {
            next += 1;
        }
        let register = if next < results { next } else { returned.len() };
        next += 1;
        match returned.get(register).copied() {
            None => returned.push(scalar),
            Some(result) if result == scalar => {}
            Some(result) => {
                returned[register] = Scalar::Integer(result.bits(pointer_bits).max(scalar.bits(pointer_bits)));
            }
        }
        register
    };
    error.types().map(&mut place).collect()
}

/// Returns the number of scalars that a coroutine can return in addition to its continuation. If not all fit, one
/// register is used for an address.
pub fn yields_in_registers(scalars: &[Scalar], module: &IRGenModule<'_, '_>) -> usize {
    let pointer_bits = module.pointer_bits();
    let registers = |scalar: &Scalar| match scalar {
        Scalar::Integer(bits) => u64::from(bits.div_ceil(pointer_bits)),
        _ => 1,
    };
    let available = module.direct_registers() - 1;
    if scalars.iter().map(registers).sum::<u64>() <= available {
        return scalars.len();
    }
    let mut used = 0;
    let fits = |scalar: &&Scalar| {
        used += registers(scalar);
        used < available
    };
    scalars.iter().take_while(fits).count()
}

/// Returns the scalars of a C function's parameter or result, for a type with a single scalar. Larger types follow
/// rules of each target's C ABI; a pair of words is passed alike everywhere.
pub fn c_schema(module: &IRGenModule<'_, '_>, info: &TypeInfo) -> Option<NativeSchema> {
    let is_word = |element: &Element| is_mergeable(element) && bytes(element) == module.pointer_size();
    let is_simple = match info.elements.as_slice() {
        [] => info.size == 0,
        [_] => true,
        [first, second] => is_word(first) && is_word(second),
        _ => false,
    };
    is_simple.then(|| NativeSchema::scalars(info))
}

/// Returns `signext` or `zeroext` if C functions extend a value to a whole register.
pub fn c_extension(module: &IRGenModule<'_, '_>, ty: TypeId, native: &NativeSchema) -> Option<Attribute<'static>> {
    const INT_BITS: u32 = 32;
    match native.types().collect::<Vec<_>>().as_slice() {
        [Scalar::Integer(bits)] if *bits < INT_BITS => {
            Some(if module.types.is_signed_integer(ty) { Attribute::SignExtend } else { Attribute::ZeroExtend })
        }
        _ => None,
    }
}

fn is_mergeable(element: &Element) -> bool {
    is_integer_or_pointer(element.scalar)
}

fn bytes(element: &Element) -> u64 {
    u64::from(element.bits.div_ceil(8))
}

fn shares_unit(group: &[Element], element: &Element, unit: u64) -> bool {
    let Some(last) = group.last() else { return false };
    let last_byte = last.offset + bytes(last).max(1) - 1;
    is_mergeable(last) && is_mergeable(element) && bytes(last) <= unit && last_byte / unit == element.offset / unit
}

impl Group {
    fn new(members: Vec<Element>) -> Self {
        let offset = members[0].offset;
        let scalar = match members.as_slice() {
            [only] => legal_type(only),
            _ => {
                let end = members.iter().map(|member| member.offset + bytes(member)).max().unwrap_or(offset);
                Scalar::Integer(((end - offset) * 8).next_power_of_two() as u32)
            }
        };
        Self { scalar, offset, members }
    }

    fn registers(&self, unit: u64) -> u64 {
        match self.scalar {
            Scalar::Integer(bits) => u64::from(bits).div_ceil(unit * 8),
            _ => 1,
        }
    }

    fn pack<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        explosion: &mut std::slice::Iter<'_, BasicValueEnum<'ctx>>,
    ) -> BasicValueEnum<'ctx> {
        let Scalar::Integer(width) = self.scalar else {
            return self.next(explosion);
        };
        if let [only] = self.members.as_slice()
            && only.scalar == self.scalar
        {
            return self.next(explosion);
        }
        let mut packed = builder.int(width, 0);
        for member in &self.members {
            let bits = builder.to_bits(self.next(explosion), pointer_bits);
            let shift = ((member.offset - self.offset) * 8) as u32;
            packed = builder.or(packed, builder.shl(builder.resize(bits, width), shift));
        }
        packed.into()
    }

    #[expect(clippy::expect_used, reason = "an explosion has a scalar for each element of its schema")]
    fn next<'ctx>(&self, explosion: &mut std::slice::Iter<'_, BasicValueEnum<'ctx>>) -> BasicValueEnum<'ctx> {
        *explosion.next().expect("the explosion is as long as the schema")
    }

    fn unpack<'ctx>(
        &self,
        builder: &Builder<'ctx>,
        pointer_bits: u32,
        scalar: BasicValueEnum<'ctx>,
    ) -> Vec<BasicValueEnum<'ctx>> {
        if let [only] = self.members.as_slice()
            && only.scalar == self.scalar
        {
            return vec![scalar];
        }
        let whole = builder.to_bits(scalar, pointer_bits);
        let unpack = |member: &Element| {
            let shift = ((member.offset - self.offset) * 8) as u32;
            let bits = builder.resize(builder.lshr(whole, shift), member.bits);
            builder.scalar_of_bits(bits, builder.scalar_type(member.scalar))
        };
        self.members.iter().map(unpack).collect()
    }
}

/// Returns the passed type. Integers of odd widths are widened to whole bytes, except `i1`.
fn legal_type(element: &Element) -> Scalar {
    match element.scalar {
        Scalar::Integer(bits) if bits > 1 => Scalar::Integer(bits.next_power_of_two().max(8)),
        scalar => scalar,
    }
}

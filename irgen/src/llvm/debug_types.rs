//! Types in debug information: ordinary ones through LLVM's C API, and structures whose members are added later or
//! depend on a value.
//!
//! The C API can create neither a structure before its members are known (types can be recursive) nor a variant part.
//! Both are parsed from LLVM IR text with a placeholder, which is replaced afterwards.

use std::fmt::Write;
use std::marker::PhantomData;

use inkwell::context::Context;
use inkwell::debug_info::{DIScope, DebugInfoBuilder};
use inkwell::llvm_sys::core::{
    LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMMDNodeInContext2, LLVMReplaceMDNodeOperandWith,
    LLVMValueAsMetadata,
};
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use inkwell::values::AsValueRef;

use super::modules;
use crate::layout::BitRange;

/// A type that debug information describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugType<'ctx>(LLVMMetadataRef, PhantomData<&'ctx Context>);

impl DebugType<'_> {
    fn new(raw: LLVMMetadataRef) -> Self {
        Self(raw, PhantomData)
    }

    pub(super) fn raw(self) -> LLVMMetadataRef {
        self.0
    }
}

/// The meaning of the bits of a basic type (`DW_ATE_*`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    Float,
}

impl Encoding {
    /// Returns its number in DWARF (DWARF 5, table 7.11).
    fn number(self) -> u32 {
        match self {
            Encoding::Boolean => 2,
            Encoding::Float => 4,
            Encoding::Signed => 5,
            Encoding::Unsigned => 7,
        }
    }
}

/// A part of a structure.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a, 'ctx> {
    pub name: &'a str,
    pub ty: DebugType<'ctx>,
    pub bits: BitRange,
}

/// A member that exists only for one value of the discriminator, or for all values that are not listed.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'a, 'ctx> {
    pub member: Member<'a, 'ctx>,
    pub value: Option<u64>,
}

/// Creates a basic type with a name, `bits` wide.
pub fn basic<'ctx>(builder: &DebugInfoBuilder<'ctx>, name: &str, bits: u64, encoding: Encoding) -> DebugType<'ctx> {
    let (text, length) = (name.as_ptr().cast(), name.len());
    // SAFETY: the text is `length` bytes long.
    DebugType::new(unsafe {
        LLVMDIBuilderCreateBasicType(builder.as_mut_ptr(), text, length, bits, encoding.number(), 0)
    })
}

/// Creates a pointer, untyped without `pointee`.
pub fn pointer<'ctx>(builder: &DebugInfoBuilder<'ctx>, pointee: Option<DebugType<'ctx>>, bits: u64) -> DebugType<'ctx> {
    let pointee = pointee.map_or(std::ptr::null_mut(), DebugType::raw);
    // SAFETY: a null pointee is `void`; an empty name has no bytes.
    DebugType::new(unsafe {
        LLVMDIBuilderCreatePointerType(builder.as_mut_ptr(), pointee, bits, 0, 0, std::ptr::null(), 0)
    })
}

/// Creates an alias of a type.
pub fn alias<'ctx>(
    builder: &DebugInfoBuilder<'ctx>,
    scope: DIScope<'ctx>,
    name: &str,
    ty: DebugType<'ctx>,
) -> DebugType<'ctx> {
    let (text, length) = (name.as_ptr().cast(), name.len());
    let (no_file, scope) = (std::ptr::null_mut(), scope.as_mut_ptr());
    // SAFETY: the text is `length` bytes long; a type of the standard library is in no file.
    DebugType::new(unsafe {
        LLVMDIBuilderCreateTypedef(builder.as_mut_ptr(), ty.raw(), text, length, no_file, 0, scope, 0)
    })
}

/// Creates an array of `count` elements, with `bits` bits in total.
pub fn array<'ctx>(
    builder: &DebugInfoBuilder<'ctx>,
    element: DebugType<'ctx>,
    count: u64,
    bits: u64,
) -> DebugType<'ctx> {
    let builder = builder.as_mut_ptr();
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    // SAFETY: the one subrange lives until the call returns.
    DebugType::new(unsafe {
        let mut subrange = LLVMDIBuilderGetOrCreateSubrange(builder, 0, count);
        LLVMDIBuilderCreateArrayType(builder, bits, 0, element.raw(), &mut subrange, 1)
    })
}

/// Creates an enumeration: an integer with named values.
pub fn enumeration<'ctx>(
    builder: &DebugInfoBuilder<'ctx>,
    scope: DIScope<'ctx>,
    (name, bits): (&str, u64),
    values: &[(&str, u64)],
) -> DebugType<'ctx> {
    let builder = builder.as_mut_ptr();
    let enumerator = |(name, value): &(&str, u64)| {
        // SAFETY: the text has the given length.
        unsafe { LLVMDIBuilderCreateEnumerator(builder, name.as_ptr().cast(), name.len(), *value as i64, 1) }
    };
    let mut values: Vec<LLVMMetadataRef> = values.iter().map(enumerator).collect();
    let (text, length) = (name.as_ptr().cast(), name.len());
    let (nothing, scope) = (std::ptr::null_mut(), scope.as_mut_ptr());
    let (elements, count) = (values.as_mut_ptr(), values.len() as u32);
    // SAFETY: text and elements have the given lengths; the file and the type below may be null.
    DebugType::new(unsafe {
        LLVMDIBuilderCreateEnumerationType(builder, scope, text, length, nothing, 0, bits, 0, elements, count, nothing)
    })
}

/// A structure or union without members, which are added later.
#[derive(Clone, Copy, Debug)]
pub struct OpenStructure<'ctx> {
    context: &'ctx Context,
    node: LLVMValueRef,
    /// The placeholder of its members.
    gap: LLVMValueRef,
}

/// The arrangement of a structure's members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Consecutive.
    Structure,
    /// Overlapping.
    Union,
}

impl<'ctx> OpenStructure<'ctx> {
    /// A structure of `bits` bits without members.
    pub fn new(context: &'ctx Context, shape: Shape, name: &str, bits: u64) -> Option<Self> {
        let tag = match shape {
            Shape::Structure => "DW_TAG_structure_type",
            Shape::Union => "DW_TAG_union_type",
        };
        let name = quoted(name);
        let text = format!(
            "!silc = !{{!0, !1}}\n!0 = distinct !DICompositeType(tag: {tag}, name: {name}, size: {bits}, elements: !1)\n\
             !1 = !{{!\"silc.members\"}}"
        );
        match *nodes(context, &text)? {
            [node, gap] => Some(Self { context, node, gap }),
            _ => None,
        }
    }

    /// Returns the type.
    pub fn ty(&self) -> DebugType<'ctx> {
        // SAFETY: the value is a node of metadata.
        DebugType::new(unsafe { LLVMValueAsMetadata(self.node) })
    }

    /// Adds members.
    pub fn fill(&self, builder: &DebugInfoBuilder<'ctx>, members: &[Member<'_, 'ctx>]) {
        let members: Vec<LLVMMetadataRef> = members.iter().map(|member| self.member(builder, member)).collect();
        self.set_elements(members);
    }

    /// Adds a discriminator, and the members for its values. Does nothing for text that LLVM cannot parse.
    pub fn fill_with_variants(
        &self,
        builder: &DebugInfoBuilder<'ctx>,
        discriminator: &Member<'_, 'ctx>,
        variants: &[Variant<'_, 'ctx>],
    ) {
        let discriminator = self.member(builder, discriminator);
        let text = variant_part_text(variants);
        let Some(nodes) = nodes(self.context, &text) else { return };
        let [part, members_gap, discriminator_gap, type_gap, ref members @ ..] = *nodes else { return };
        for (member, variant) in members.iter().zip(variants) {
            replace(*member, type_gap, variant.member.ty.raw());
        }
        // SAFETY: the values are nodes of metadata.
        let elements = members.iter().map(|member| unsafe { LLVMValueAsMetadata(*member) }).collect();
        replace(part, members_gap, tuple(self.context, elements));
        replace(part, discriminator_gap, discriminator);
        // SAFETY: as above.
        self.set_elements(vec![unsafe { LLVMValueAsMetadata(part) }]);
    }

    fn set_elements(&self, elements: Vec<LLVMMetadataRef>) {
        replace(self.node, self.gap, tuple(self.context, elements));
    }

    fn member(&self, builder: &DebugInfoBuilder<'ctx>, member: &Member<'_, 'ctx>) -> LLVMMetadataRef {
        let (text, length) = (member.name.as_ptr().cast(), member.name.len());
        let (builder, scope, no_file) = (builder.as_mut_ptr(), self.ty().raw(), std::ptr::null_mut());
        let BitRange { offset, width } = member.bits;
        let storage = member.bits.storage().filter(|_| !member.bits.is_whole_bytes());
        // SAFETY: the text is `length` bytes long; the file may be null.
        unsafe {
            match storage {
                Some(storage) => LLVMDIBuilderCreateBitFieldMemberType(
                    builder,
                    scope,
                    text,
                    length,
                    no_file,
                    0,
                    width,
                    offset,
                    storage.offset,
                    0,
                    member.ty.raw(),
                ),
                None => LLVMDIBuilderCreateMemberType(
                    builder,
                    scope,
                    text,
                    length,
                    no_file,
                    0,
                    width,
                    0,
                    offset,
                    0,
                    member.ty.raw(),
                ),
            }
        }
    }
}

/// Returns the text of a variant part, three placeholders, and a member for each variant, in this order.
fn variant_part_text(variants: &[Variant<'_, '_>]) -> String {
    let mut text = String::from(
        "!0 = distinct !DICompositeType(tag: DW_TAG_variant_part, elements: !1, discriminator: !2)\n\
         !1 = !{!\"silc.members\"}\n\
         !2 = !DIDerivedType(tag: DW_TAG_member, name: \"silc.discriminator\", baseType: !3)\n\
         !3 = !DIBasicType(name: \"silc.type\")\n",
    );
    let mut all = String::from("!silc = !{!0, !1, !2, !3");
    for (variant, number) in variants.iter().zip(4..) {
        let name = quoted(variant.member.name);
        let BitRange { offset, width } = variant.member.bits;
        let flags = if variant.member.bits.is_whole_bytes() { "" } else { ", flags: DIFlagBitField" };
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "!{number} = distinct !DIDerivedType(tag: DW_TAG_member, scope: !0, name: {name}, size: {width}, \
             offset: {offset}, baseType: !3{flags}"
        );
        if let Some(value) = variant.value {
            let _ = write!(text, ", extraData: i64 {}", value as i64);
        }
        text.push_str(")\n");
        let _ = write!(all, ", !{number}");
    }
    all.push_str("}\n");
    all + &text
}

/// Returns the nodes that `!silc` lists in a text of metadata. They outlive the module that they are parsed in.
fn nodes(context: &Context, text: &str) -> Option<Box<[LLVMValueRef]>> {
    let module = modules::parse(context, text.as_bytes(), "types").ok()?;
    Some(module.get_global_metadata("silc").iter().map(AsValueRef::as_value_ref).collect())
}

/// Replaces the operand `gap` of `node` with `new`.
fn replace(node: LLVMValueRef, gap: LLVMValueRef, new: LLVMMetadataRef) {
    // SAFETY: `node` is a distinct node, which can change; the list has room for its operands.
    unsafe {
        let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        for (operand, index) in operands.iter().zip(0..) {
            if *operand == gap {
                LLVMReplaceMDNodeOperandWith(node, index, new);
            }
        }
    }
}

fn tuple(context: &Context, mut elements: Vec<LLVMMetadataRef>) -> LLVMMetadataRef {
    // SAFETY: the number of elements is the given one.
    unsafe { LLVMMDNodeInContext2(context.raw(), elements.as_mut_ptr(), elements.len()) }
}

/// Returns a string literal of LLVM IR text: special characters are written as two hexadecimal digits.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for byte in text.bytes() {
        match byte {
            b' '..=b'~' if byte != b'"' && byte != b'\\' => quoted.push(byte.into()),
            _ => {
                // Writing to a string does not fail.
                let _ = write!(quoted, "\\{byte:02X}");
            }
        }
    }
    quoted.push('"');
    quoted
}

//! Evaluation of static initialisers: an [`Image`] for each value. The instructions are those that Swift's optimiser
//! leaves in initialisers (lib/IRGen/GenConstant.cpp), and arithmetic. Independent of LLVM.

use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use sil_ir::context::{MemberId, MemberTarget, MetatypeRepresentation, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{
    Builtin, Composition, Enum, FloatLiteral, FunctionRef, GlobalAddr, GlobalReference, GlobalUse, IntegerLiteral,
    IntegerValue, StringLiteral, StructExtract, TupleExtract, Unary,
};
use sil_ir::model::{Body, InstructionId, Module, StringEncoding, Value};

use super::image::Image;
use super::numbers;
use crate::generation::Entity;
use crate::generation::function_pointers::entity_of_function;
use crate::layout::enums::{EnumLayout, Strategy};
use crate::layout::{Bits, ParameterValues, TypeConverter, TypeInfo, TypeKind};
use crate::refusal::Generated;

/// The values of a static initialiser.
pub struct Evaluator<'e, 'a> {
    module: &'a Module,
    types: &'e TypeConverter<'a>,
    body: &'e Body,
    values: SecondaryMap<Value, Option<Image>>,
}

impl<'e, 'a> Evaluator<'e, 'a> {
    /// Creates an evaluator of `body`, the initialiser of a global of `module`.
    pub fn new(module: &'a Module, types: &'e TypeConverter<'a>, body: &'e Body) -> Self {
        Self { module, types, body, values: SecondaryMap::new() }
    }

    /// Evaluates one instruction, whose operands have been evaluated. Errors have its span.
    pub fn evaluate(&mut self, instruction: InstructionId) -> Generated<()> {
        let span = self.body.instructions[instruction].span;
        self.evaluate_at(instruction).map_err(|mut error| {
            error.span.get_or_insert(span);
            error
        })
    }

    /// Returns the image of `value`; zeros for `undef`.
    pub fn value(&self, value: Value) -> Generated<Image> {
        match &self.values[value] {
            Some(image) => Ok(image.clone()),
            None => Ok(Image::zero(self.size(value)?)),
        }
    }

    /// The `TypeInfo` of `value`, an object.
    pub fn info(&self, value: Value) -> Generated<Arc<TypeInfo>> {
        self.types.info(self.body.ty(value).ty)
    }

    fn size(&self, value: Value) -> Generated<u64> {
        match self.body.ty(value).is_address() {
            true => Ok(self.types.target.pointer_size),
            false => Ok(self.info(value)?.size),
        }
    }

    fn evaluate_at(&mut self, instruction: InstructionId) -> Generated<()> {
        let Some(result) = self.body.result(instruction) else {
            return Err(self.unsupported(instruction));
        };
        let image = match self.body.instructions[instruction].opcode {
            Opcode::IntegerLiteral => self.integer_literal(instruction, result)?,
            Opcode::FloatLiteral => self.float_literal(instruction, result)?,
            Opcode::StringLiteral => self.string_literal(instruction)?,
            Opcode::Struct | Opcode::Tuple | Opcode::Vector => self.compose(instruction, result)?,
            Opcode::StructExtract | Opcode::TupleExtract => self.extract(instruction)?,
            Opcode::Enum => self.inject(instruction, result)?,
            Opcode::Builtin => self.builtin(instruction, result)?,
            Opcode::FunctionRef => self.function_ref(instruction)?,
            Opcode::GlobalAddr => self.global(instruction, GlobalAddr::of(self.body, instruction).global)?,
            // The runtime initialises the object at its first use.
            Opcode::GlobalValue if self.types.parameter_values() == ParameterValues::Opaque => {
                return Err(self.unsupported(instruction));
            }
            Opcode::GlobalValue => self.global(instruction, GlobalUse::of(self.body, instruction).global)?,
            Opcode::Metatype => self.metatype(instruction, result)?,
            // A thin function gets a null context.
            Opcode::ThinToThickFunction
            | Opcode::ConvertFunction
            | Opcode::Upcast
            | Opcode::AddressToPointer
            | Opcode::PointerToAddress
            | Opcode::UncheckedAddrCast
            | Opcode::UncheckedRefCast
            | Opcode::RefToRawPointer
            | Opcode::RawPointerToRef
            | Opcode::UncheckedTrivialBitCast
            | Opcode::UncheckedBitwiseCast
            | Opcode::UncheckedValueCast
            | Opcode::ValueToBridgeObject => {
                let operand = self.value(Unary::of(self.body, instruction).operand)?;
                self.cut(instruction, &operand, 0, self.size(result)?)?
            }
            _ => return Err(self.unsupported(instruction)),
        };
        self.values[result] = Some(image);
        Ok(())
    }

    fn integer_literal(&self, instruction: InstructionId, result: Value) -> Generated<Image> {
        self.literal(instruction, result, |width| match IntegerLiteral::of(self.body, instruction).value {
            IntegerValue::Narrow(value) => Bits::sign_extended(width, &[value as u64, (value >> 64) as u64]),
            IntegerValue::Wide(words) => Bits::sign_extended(width, words),
        })
    }

    fn float_literal(&self, instruction: InstructionId, result: Value) -> Generated<Image> {
        let FloatLiteral { bits } = FloatLiteral::of(self.body, instruction);
        self.literal(instruction, result, |width| Bits::from_words(width, &[bits as u64, (bits >> 64) as u64]))
    }

    fn literal(&self, instruction: InstructionId, result: Value, bits: impl FnOnce(u64) -> Bits) -> Generated<Image> {
        let info = self.info(result)?;
        let [element] = info.elements.as_slice() else { return Err(self.unsupported(instruction)) };
        Ok(Image::of_bits(info.size, &bits(u64::from(element.bits))))
    }

    fn string_literal(&self, instruction: InstructionId) -> Generated<Image> {
        let literal = StringLiteral::of(self.body, instruction).literal;
        match literal.encoding {
            StringEncoding::Utf8 | StringEncoding::Bytes | StringEncoding::OsLog => {
                Ok(self.address(Entity::String(literal.bytes.clone())))
            }
            StringEncoding::Utf16 | StringEncoding::ObjCSelector => Err(self.unsupported(instruction)),
        }
    }

    fn compose(&self, instruction: InstructionId, result: Value) -> Generated<Image> {
        let info = self.info(result)?;
        let mut image = Image::zero(info.size);
        for (number, operand) in Composition::of(self.body, instruction).elements.iter().enumerate() {
            let offset = match &info.kind {
                TypeKind::Record(fields) => fields.get(number).map(|field| field.offset),
                TypeKind::FixedArray { element, .. } => Some(number as u64 * element.stride()),
                _ => None,
            };
            let offset = offset.ok_or_else(|| self.unsupported(instruction))?;
            image.put(offset, &self.value(*operand)?);
        }
        Ok(image)
    }

    fn extract(&self, instruction: InstructionId) -> Generated<Image> {
        let (aggregate, number) = match StructExtract::get(self.body, instruction) {
            Some(element) => match self.target(element.field) {
                MemberTarget::Stored(index) => (element.operand, index),
                _ => return Err(self.unsupported(instruction)),
            },
            None => {
                let element = TupleExtract::of(self.body, instruction);
                (element.operand, element.index)
            }
        };
        let info = self.info(aggregate)?;
        let field = info.fields().get(number as usize).ok_or_else(|| self.unsupported(instruction))?;
        self.cut(instruction, &self.value(aggregate)?, field.offset, field.info.size)
    }

    fn inject(&self, instruction: InstructionId, result: Value) -> Generated<Image> {
        let info = self.info(result)?;
        let TypeKind::Enum(layout) = &info.kind else { return Err(self.unsupported(instruction)) };
        let Enum { case, payload } = Enum::of(self.body, instruction);
        let MemberTarget::Case(case) = self.target(case) else { return Err(self.unsupported(instruction)) };
        let mut image = Image::zero(info.size);
        if let Some(payload) = payload {
            image.put(0, &self.value(payload)?);
        }
        set_case(layout, case as usize, &mut image);
        Ok(image)
    }

    fn builtin(&self, instruction: InstructionId, result: Value) -> Generated<Image> {
        let Builtin { arguments, builtin } = Builtin::of(self.body, instruction);
        let name = self.module.context.text(builtin.name());
        let unknown = || {
            Diagnostic::unsupported(
                format_args!("the builtin {name} in a static initialiser"),
                self.body.instructions[instruction].span,
            )
        };
        let operation = builtin.operation().ok_or_else(unknown)?;
        let mut operands = Vec::new();
        for operand in arguments {
            let info = self.info(*operand)?;
            let width = info.elements.first().map_or(0, |element| element.bits);
            operands.push(numbers::Operand { image: self.value(*operand)?, width });
        }
        let info = self.info(result)?;
        match numbers::apply(operation.kind, &operands, &info) {
            Ok(image) => Ok(image),
            Err(numbers::Failure::Unknown) => Err(Box::new(unknown())),
            Err(numbers::Failure::NotLinkable) => Err(self.not_linkable(instruction)),
        }
    }

    fn function_ref(&self, instruction: InstructionId) -> Generated<Image> {
        let found = self.module.function_named(FunctionRef::of(self.body, instruction).function);
        let entity = |id| entity_of_function(self.module, self.types.queries, id);
        found.map(|id| self.address(entity(id))).ok_or_else(|| self.unsupported(instruction))
    }

    /// Returns the address of a global. For a static object, this is the reference to it.
    fn global(&self, instruction: InstructionId, global: GlobalReference) -> Generated<Image> {
        let found = global.id.or_else(|| self.module.global_named(global.name));
        found.map(|id| self.address(Entity::Global(id))).ok_or_else(|| self.unsupported(instruction))
    }

    fn metatype(&self, instruction: InstructionId, result: Value) -> Generated<Image> {
        let queries = self.types.queries;
        match queries.get(self.body.ty(result).ty) {
            Type::Metatype { representation: Some(MetatypeRepresentation::Thin), .. } => Ok(Image::zero(0)),
            Type::Metatype { instance, .. } if queries.is_class(*instance) => {
                Ok(self.address(Entity::ClassMetadata(queries.canonical_type(*instance))))
            }
            _ => Err(self.unsupported(instruction)),
        }
    }

    fn address(&self, entity: Entity) -> Image {
        Image::address(entity, self.types.target.pointer_size)
    }

    fn target(&self, member: MemberId) -> MemberTarget {
        self.module.context.get_member(member).target
    }

    fn cut(&self, instruction: InstructionId, image: &Image, offset: u64, size: u64) -> Generated<Image> {
        image.slice(offset, size).ok_or_else(|| self.not_linkable(instruction))
    }

    fn not_linkable(&self, instruction: InstructionId) -> Box<Diagnostic> {
        let what = "an initial value that the linker would have to compute";
        Box::new(Diagnostic::unsupported(what, self.body.instructions[instruction].span))
    }

    fn unsupported(&self, instruction: InstructionId) -> Box<Diagnostic> {
        let instruction = &self.body.instructions[instruction];
        let what = format_args!("this form of {} in a static initialiser", instruction.opcode.name());
        Box::new(Diagnostic::unsupported(what, instruction.span))
    }
}

/// Turns the payload of a case into a value of the case.
fn set_case(layout: &EnumLayout, case: usize, image: &mut Image) {
    let Some(case) = layout.cases.get(case) else { return };
    if matches!(layout.strategy, Strategy::Singleton) {
        return;
    }
    image.set_spare_bits(&case.pattern.payload.resized(image.size() * 8));
    if let Some(tag) = &layout.extra_tag {
        let size = u64::from(tag.bits.div_ceil(8));
        image.put(tag.offset, &Image::of_bits(size, &Bits::from_u64(u64::from(tag.bits), case.pattern.extra_tag)));
    }
}

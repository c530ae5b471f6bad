//! Global variables, statically initialised objects, and the constants that they start with.
//!
//! A static initialiser is emitted like a function body into a scratch function that is thrown away; LLVM's builder folds
//! what it computes to constants.

use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{BasicValue, BasicValueEnum, GlobalValue, PointerValue};
use rustc_hash::FxHashSet;
use sil::context::{Mutability, Name, TypeId};
use sil::diagnostic::Diagnostic;
use sil::instructions::Opcode;
use sil::model::{Body, Details, Global, GlobalId, InstructionId, LanguageMode, Linkage, Value};
use sil::symbols::demangle;

use super::signature::Signature;
use super::{Entity, IRGenFunction, IRGenModule};
use crate::layout::{Element, Scalar, TypeInfo};
use crate::llvm::builder::bytes_type;
use crate::llvm::modules;
use crate::refusal::Generated;

/// A scalar of a constant with its place in bytes.
type PlacedScalar<'ctx> = (u64, BasicValueEnum<'ctx>);

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of the global with this name. For an object that is the reference to it.
    pub fn global_address(&self, name: Name) -> Generated<PointerValue<'ctx>> {
        match self.sil.global_named(name) {
            Some(id) => Ok(self.global(id)?.as_pointer_value()),
            None => Err(Box::new(crate::refusal::unsupported_without_place(format!(
                "the global {}, which the module does not declare",
                self.sil.context.text(name)
            )))),
        }
    }

    /// The LLVM global of a SIL global.
    pub fn global(&self, id: GlobalId) -> Generated<GlobalValue<'ctx>> {
        if let Some(found) = self.declared_variable(&Entity::Global(id)) {
            return Ok(found);
        }
        let global = &self.sil.globals[id];
        let shape = self.shape_of_global(global).map_err(|error| at_global(error, global))?;
        let ty = self.constant_type(&shape);
        Ok(self.declare_variable(Entity::Global(id), ty, shape.alignment))
    }

    /// Gives a global its initial value.
    pub(super) fn define_global(&self, id: GlobalId) -> Generated<()> {
        let (Some(variable), global) = (self.declared_variable(&Entity::Global(id)), &self.sil.globals[id]) else {
            return Ok(());
        };
        let value = || {
            let shape = self.shape_of_global(global)?;
            let scalars = match &global.initializer {
                Some(body) => self.evaluate(body, &shape, object_instruction(body))?,
                None => Vec::new(),
            };
            Ok(self.constant(&shape, &scalars))
        };
        variable.set_initializer(&value().map_err(|error| at_global(error, global))?);
        Ok(())
    }

    fn shape_of_global(&self, global: &Global) -> Generated<Shape> {
        if let Some(body) = &global.initializer
            && let Some(instruction) = object_instruction(body)
        {
            return self.object_shape(body, instruction);
        }
        let info = self.types.info(global.ty)?;
        Ok(Shape { size: info.size, alignment: info.alignment, elements: info.elements.clone() })
    }

    /// Whether the module defines the global.
    pub(super) fn defines_global(&self, global: &Global) -> bool {
        let is_elsewhere = global.linkage.is_external() && !self.emits_external() || self.is_foreign(global);
        global.initializer.is_some() || !is_elsewhere
    }

    /// Objects have reference counts; what starts as zero is written by its initialiser.
    pub(super) fn mutability_of_global(&self, global: &Global) -> Mutability {
        let Some(body) = &global.initializer else { return Mutability::Var };
        if object_instruction(body).is_some() { Mutability::Var } else { global.mutability }
    }

    /// In Embedded Swift a global of another module is defined in each module that uses it.
    fn emits_external(&self) -> bool {
        self.sil.mode == LanguageMode::Embedded
    }

    /// Whether C defines the global: nothing in the module initialises it, and its symbol is not one of Swift.
    fn is_foreign(&self, global: &Global) -> bool {
        let is_visible = global.linkage.is_external() || matches!(global.linkage, Linkage::Public | Linkage::Package);
        let symbol = global.asm_name.unwrap_or(global.name);
        let is_named_by_c = global.clang_name.is_some() || demangle(self.sil.context.text(symbol)).is_none();
        is_visible && is_named_by_c && !self.allocated_globals().contains(&global.name)
    }

    /// The globals that some function of the module initialises.
    fn allocated_globals(&self) -> &FxHashSet<Name> {
        self.program.allocated_globals.get_or_init(|| {
            let bodies = self.sil.functions.values().filter_map(|function| function.body.as_ref());
            let instructions = bodies.flat_map(|body| body.instructions.values());
            let allocated = instructions.filter_map(|instruction| match instruction.details {
                Details::Global(name, _) if instruction.opcode == Opcode::AllocGlobal => Some(name),
                _ => None,
            });
            allocated.collect()
        })
    }

    /// The object's header, its stored properties, and its tail elements.
    fn object_shape(&self, body: &Body, instruction: InstructionId) -> Generated<Shape> {
        let class = body.types(instruction)[0].ty;
        let layout = self.types.class_layout(class)?;
        let bits = self.pointer_bits();
        let mut elements = vec![
            Element { scalar: Scalar::Pointer, offset: 0, bits },
            Element { scalar: Scalar::Integer(bits), offset: self.pointer_size(), bits },
        ];
        for field in &layout.fields {
            elements.extend(shifted(&field.info, field.offset));
        }
        let mut size = layout.size;
        let mut alignment = layout.alignment;
        for tail in tail_elements(body, instruction) {
            let info = self.types.info(body.ty(*tail).ty)?;
            size = size.next_multiple_of(info.alignment);
            alignment = alignment.max(info.alignment);
            elements.extend(shifted(&info, size));
            size += info.stride();
        }
        Ok(Shape { size, alignment, elements })
    }

    /// The scalars of the initial value, in the order of the shape's elements.
    fn evaluate(
        &self,
        body: &Body,
        shape: &Shape,
        object: Option<InstructionId>,
    ) -> Generated<Vec<PlacedScalar<'ctx>>> {
        let scratch = self.llvm.add_function("silc.initializer", self.context.void_type().fn_type(&[], false), None);
        let scalars = self.evaluate_in(scratch, body, object);
        // Nothing refers to the scratch function: what it computed are constants.
        modules::delete_function(scratch);
        Ok(shape.elements.iter().map(|element| element.offset).zip(scalars?).collect())
    }

    fn evaluate_in(
        &self,
        scratch: inkwell::values::FunctionValue<'ctx>,
        body: &Body,
        object: Option<InstructionId>,
    ) -> Generated<Vec<BasicValueEnum<'ctx>>> {
        let signature = self.empty_signature();
        let mut emitter = IRGenFunction::new(self, &self.program.no_function, body, scratch, signature.into());
        let mut before = body.instructions_in(body.entry());
        let Some(last) = before.next_back() else { return Ok(Vec::new()) };
        emitter.begin_straight_line();
        for instruction in before {
            emitter.emit_instruction(instruction)?;
        }
        let scalars = match object {
            Some(instruction) => self.object_scalars(&emitter, instruction)?,
            None => {
                emitter.emit_instruction(last)?;
                let values: Vec<Value> = body.results(last).collect();
                emitter.flatten(&values)?
            }
        };
        // A block must end before its function can be deleted in peace.
        emitter.builder.unreachable();
        let scalars: Vec<_> = scalars.into_iter().map(|scalar| self.storage_form(&emitter, scalar)).collect();
        match scalars.iter().all(|scalar| is_constant(*scalar)) {
            true => Ok(scalars),
            false => Err(emitter.unsupported(last, "an initial value that the linker would have to compute")),
        }
    }

    fn object_scalars(
        &self,
        emitter: &IRGenFunction<'_, 'ctx>,
        instruction: InstructionId,
    ) -> Generated<Vec<BasicValueEnum<'ctx>>> {
        let class = emitter.body.types(instruction)[0].ty;
        let metadata = self.static_object_metadata(class)?;
        let immortal = self.word_type().const_all_ones();
        let mut scalars: Vec<BasicValueEnum> = vec![metadata.into(), immortal.into()];
        scalars.extend(emitter.flatten(emitter.body.operands(instruction))?);
        Ok(scalars)
    }

    /// The metadata of a statically initialised object. Arrays in static memory have a class of their own where the module has it.
    fn static_object_metadata(&self, class: TypeId) -> Generated<PointerValue<'ctx>> {
        self.instance_metadata(class)
    }

    /// Integers of odd widths fill their bytes in memory.
    fn storage_form(&self, emitter: &IRGenFunction<'_, 'ctx>, scalar: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        match scalar {
            BasicValueEnum::IntValue(value) => {
                let bits = value.get_type().get_bit_width();
                emitter.builder.resize(value, bits.next_multiple_of(8)).into()
            }
            other => other,
        }
    }

    fn empty_signature(&self) -> Signature<'ctx> {
        Signature::of_thunk(self.context, self.context.void_type().fn_type(&[], false), 0, Vec::new(), &[])
    }

    /// The LLVM type of a constant of this shape: a packed struct, or bytes where it starts as zero.
    fn constant_type(&self, shape: &Shape) -> BasicTypeEnum<'ctx> {
        let fields = self.constant_fields(shape, |element| storage_type(self, element));
        if fields.is_empty() {
            return bytes_type(self.context, shape.size);
        }
        self.context.struct_type(&fields, true).as_basic_type_enum()
    }

    fn constant(&self, shape: &Shape, scalars: &[PlacedScalar<'ctx>]) -> BasicValueEnum<'ctx> {
        if scalars.is_empty() {
            return self.constant_type(shape).const_zero();
        }
        let mut values = scalars.iter().map(|(_, scalar)| *scalar);
        let mut fields = self.constant_fields(shape, |_| BasicValueEnum::from(self.context.i8_type().const_zero()));
        // Where `constant_fields` was asked for a scalar it gave a placeholder; paddings are arrays.
        for field in &mut fields {
            if !field.is_array_value()
                && let Some(value) = values.next()
            {
                *field = value;
            }
        }
        self.context.const_struct(&fields, true).as_basic_value_enum()
    }

    /// A field for each element and each padding of the shape, in order.
    fn constant_fields<T: ConstantField<'ctx>>(&self, shape: &Shape, element_field: impl Fn(&Element) -> T) -> Vec<T> {
        let mut fields = Vec::new();
        let mut end = 0;
        for element in &shape.elements {
            if element.offset > end {
                fields.push(T::padding(self, element.offset - end));
            }
            fields.push(element_field(element));
            end = element.offset + u64::from(element.bits.div_ceil(8));
        }
        if shape.size > end && !fields.is_empty() {
            fields.push(T::padding(self, shape.size - end));
        }
        fields
    }
}

/// What a constant is made of: a type or a value, with a form for padding.
trait ConstantField<'ctx> {
    fn padding(module: &IRGenModule<'_, 'ctx>, bytes: u64) -> Self;
}

impl<'ctx> ConstantField<'ctx> for BasicTypeEnum<'ctx> {
    fn padding(module: &IRGenModule<'_, 'ctx>, bytes: u64) -> Self {
        bytes_type(module.context, bytes)
    }
}

impl<'ctx> ConstantField<'ctx> for BasicValueEnum<'ctx> {
    fn padding(module: &IRGenModule<'_, 'ctx>, bytes: u64) -> Self {
        bytes_type(module.context, bytes).const_zero()
    }
}

/// Size, alignment and scalars of a constant.
struct Shape {
    size: u64,
    alignment: u64,
    elements: Vec<Element>,
}

fn shifted(info: &TypeInfo, offset: u64) -> impl Iterator<Item = Element> {
    info.elements.iter().map(move |element| Element { offset: element.offset + offset, ..*element })
}

fn storage_type<'ctx>(module: &IRGenModule<'_, 'ctx>, element: &Element) -> BasicTypeEnum<'ctx> {
    match element.scalar {
        Scalar::Integer(bits) => module.builder.int_type(bits.next_multiple_of(8)).into(),
        other => module.builder.scalar_type(other),
    }
}

fn at_global(mut error: Box<Diagnostic>, global: &Global) -> Box<Diagnostic> {
    error.span.get_or_insert(global.span);
    error
}

fn object_instruction(body: &Body) -> Option<InstructionId> {
    let last = body.terminator(body.blocks.keys().next()?)?;
    (body.instructions[last].opcode == Opcode::Object).then_some(last)
}

fn tail_elements(body: &Body, instruction: InstructionId) -> &[Value] {
    let operands = body.operands(instruction);
    match body.instructions[instruction].details {
        Details::BaseElements(count) => &operands[(count as usize).min(operands.len())..],
        _ => &[],
    }
}

fn is_constant(value: BasicValueEnum<'_>) -> bool {
    match value {
        BasicValueEnum::IntValue(value) => value.is_const(),
        BasicValueEnum::FloatValue(value) => value.is_const(),
        BasicValueEnum::PointerValue(value) => value.is_const(),
        BasicValueEnum::VectorValue(value) => value.is_const(),
        BasicValueEnum::ArrayValue(value) => value.is_const(),
        BasicValueEnum::StructValue(value) => value.is_const(),
        BasicValueEnum::ScalableVectorValue(_) => false,
    }
}

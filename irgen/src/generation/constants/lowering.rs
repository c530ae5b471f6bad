//! Lowering of described constants to variables of the LLVM module.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, GlobalValue, PointerValue};

use super::references::Reference;
use super::structs::{ConstantStruct, Field};
use crate::generation::{Entity, IRGenModule};
use crate::layout::Scalar;
use crate::llvm::builder::bytes_type;
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the variable `entity`, which is not declared yet, with the type of `constant`, which is also its
    /// initial value if it is defined here.
    pub fn declare_constant(&self, entity: Entity, constant: ConstantStruct, alignment: u64) -> GlobalValue<'ctx> {
        let fields: Vec<BasicTypeEnum<'ctx>> = constant.fields.iter().map(|field| self.field_type(field)).collect();
        if self.is_emitted(&entity) {
            self.constants.borrow_mut().insert(entity.clone(), constant);
        }
        self.declare_variable(entity, self.builder.packed_type(&fields), alignment)
    }

    /// Gives a declared variable its initial value, with the entities that it refers to.
    pub(crate) fn define_constant(&self, entity: &Entity) -> Generated<()> {
        let constant = self.constants.borrow_mut().remove(entity);
        let (Some(variable), Some(constant)) = (self.declared_variable(entity), constant) else { return Ok(()) };
        let mut offset = 0;
        let mut values = Vec::with_capacity(constant.fields.len());
        for field in &constant.fields {
            values.push(self.field_value(field, variable.as_pointer_value(), offset)?);
            offset += field.size(constant.pointer_size);
        }
        variable.set_initializer(&self.builder.packed_constant(&values));
        Ok(())
    }

    fn field_type(&self, field: &Field) -> BasicTypeEnum<'ctx> {
        match field {
            Field::Scalar(scalar, _) | Field::Address { scalar, .. } => self.builder.scalar_type(*scalar),
            Field::Relative { .. } => self.builder.int_type(32).into(),
            Field::Bytes(bytes) => bytes_type(self.context, bytes.len() as u64),
            Field::Zeros(count) => bytes_type(self.context, *count),
        }
    }

    fn field_value(&self, field: &Field, variable: PointerValue<'ctx>, offset: u64) -> Generated<BasicValueEnum<'ctx>> {
        Ok(match field {
            Field::Scalar(scalar, bits) => self.builder.scalar_constant(*scalar, bits),
            Field::Address { scalar, entity, addend } => {
                let (base, bits) = (self.address_of(entity)?, self.pointer_bits());
                match scalar {
                    Scalar::Integer(_) => self.builder.address_bits_constant(base, *addend, bits).into(),
                    _ => self.builder.address_constant(base, *addend, bits).into(),
                }
            }
            Field::Relative { entity, addend } => {
                let reference = self.reference_to(entity)?;
                let bits = self.pointer_bits();
                let distance = |target| self.builder.relative_constant(target, variable, offset, bits);
                match reference {
                    Reference::Direct(target) => distance(self.builder.address_in(target, *addend)).into(),
                    Reference::Indirect(word) => distance(word).const_add(self.builder.int(32, 1)).into(),
                }
            }
            Field::Bytes(bytes) => self.context.const_string(bytes, false).into(),
            Field::Zeros(count) => bytes_type(self.context, *count).const_zero(),
        })
    }
}

//! Metadata of existential types: shapes of constrained existentials (include/swift/ABI/Metadata.h,
//! `TargetExtendedExistentialTypeShape`), and the code that returns metadata of types that depend on the function's
//! type parameters.

use inkwell::values::{BasicValueEnum, PointerValue};
use sil_ir::context::{GenericSignature, SignatureId, Type, TypeId};
use sil_ir::types::ExistentialShape;

use crate::generation::constants::ConstantStruct;
use crate::generation::entities::ShapePart;
use crate::generation::polymorphic::GenericRequirement;
use crate::generation::{Entity, IRGenFunction, IRGenModule, NominalPart, RuntimeFunction};
use crate::refusal::{Generated, unsupported_without_place};

/// The flags of a shape (`ExtendedExistentialTypeShapeFlags`).
const CLASS_KIND: u64 = 1;
const METATYPE_KIND: u64 = 2;
const HAS_GENERALIZATION: u64 = 0x100;
const HAS_TYPE_EXPRESSION: u64 = 0x200;
const HAS_IMPLICIT_PARAMETERS: u64 = 0x800;
const HAS_IMPLICIT_GENERALIZATION: u64 = 0x1000;

/// The maximum number of parameters without explicit descriptors, if all of them are arguments
/// (`MaxNumImplicitGenericParamDescriptors`).
const MOST_IMPLICIT_PARAMETERS: usize = 16;

/// The alignment of shapes, which is that of other descriptors.
const SHAPE_ALIGNMENT: u64 = 4;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns a part of the shape of the type `ty`, which is in terms of the shape's own parameters.
    pub fn existential_shape_part(&self, part: ShapePart, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::ExistentialShape(part, ty);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let shape = self.types.queries.existential_shape(ty).ok_or_else(|| self.unsupported_type(ty))?;
        let (words, alignment) = match part {
            ShapePart::Description => (self.shape_description(&shape)?, SHAPE_ALIGNMENT),
            ShapePart::Cache => {
                let mut words = ConstantStruct::new(self.pointer_size());
                words.add_null();
                (words, self.pointer_size())
            }
            ShapePart::Name => (self.flat_name(ty, shape.generalization)?, 1),
        };
        Ok(self.declare_constant(entity, words, alignment).as_pointer_value())
    }

    /// Returns the shape: the cache for equal shapes of other modules; flags, the type's name, the numbers of
    /// requirements and of the shape's parameters, the type inside of the metatypes, requirements.
    fn shape_description(&self, shape: &ExistentialShape) -> Generated<ConstantStruct> {
        let existential = self.existential_in(shape.ty);
        let kind = match shape.metatypes {
            0 if self.types.queries.has_class_bound(existential) => CLASS_KIND,
            0 => 0,
            _ => METATYPE_KIND,
        };
        let flag = |flag, is_set: bool| if is_set { flag } else { 0 };
        let general = shape.generalization;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_relative(Entity::ExistentialShape(ShapePart::Cache, shape.ty));
        words.add_integer(
            32,
            kind | flag(HAS_TYPE_EXPRESSION, shape.metatypes > 0)
                | HAS_IMPLICIT_PARAMETERS
                | flag(HAS_GENERALIZATION | HAS_IMPLICIT_GENERALIZATION, general.is_some()),
        );
        words.add_relative(Entity::ExistentialShape(ShapePart::Name, shape.ty));
        self.add_parameter_numbers(&mut words, shape.requirements)?;
        if let Some(signature) = general {
            self.add_parameter_numbers(&mut words, signature)?;
        }
        if shape.metatypes > 0 {
            let context = &self.sil.context;
            let mut ty = context.ty(Type::GenericParameter { depth: 0, index: 0 });
            for _ in 0..shape.metatypes {
                ty = context.ty(Type::Metatype { instance: ty, representation: None });
            }
            words.add_relative(self.name_of_type(ty, None));
        }
        for signature in [Some(shape.requirements), general].into_iter().flatten() {
            let requirements = self.described_requirements(signature)?;
            self.add_requirements(&mut words, &requirements, Some(signature))?;
        }
        Ok(words)
    }

    fn existential_in(&self, ty: TypeId) -> TypeId {
        match self.types.queries.get(ty) {
            Type::ExistentialMetatype { instance, .. } => self.existential_in(*instance),
            _ => ty,
        }
    }

    /// Adds the numbers of parameters, requirements and arguments of a signature, all of whose parameters are
    /// arguments.
    fn add_parameter_numbers(&self, words: &mut ConstantStruct, signature: SignatureId) -> Generated<()> {
        let GenericSignature { parameters, .. } = self.sil.context.get_signature(signature);
        let arguments = self.generic_requirements(signature)?;
        let types = arguments.iter().filter(|argument| matches!(argument, GenericRequirement::Metadata(_))).count();
        if types != parameters.len() || types > MOST_IMPLICIT_PARAMETERS {
            return Err(Box::new(unsupported_without_place("constrained existentials of such parameters")));
        }
        words.add_integer(16, parameters.len() as u64);
        words.add_integer(16, self.described_requirements(signature)?.len() as u64);
        words.add_integer(16, arguments.len() as u64);
        words.add_integer(16, 0);
        Ok(())
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns the metadata of an existential type or existential metatype that depends on the function's type
    /// parameters.
    pub(super) fn existential_type_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let queries = self.module.types.queries;
        if let Some(shape) = queries.existential_shape(ty) {
            return self.extended_existential_metadata(&shape);
        }
        let constraint = match *queries.get(ty) {
            Type::Existential(constraint) => constraint,
            Type::ExistentialMetatype { instance, .. } => {
                let instance = self.type_metadata(instance)?;
                let metadata =
                    self.call_runtime_for(RuntimeFunction::GetExistentialMetatypeMetadata, &[instance.into()]);
                return Ok(metadata.into_pointer_value());
            }
            _ => return Err(self.module.unsupported_type(ty)),
        };
        let superclass = match queries.get(constraint) {
            Type::Composition(composition) => {
                composition.members.iter().copied().find(|member| queries.is_class(*member))
            }
            _ => None,
        };
        let mut protocols = Vec::new();
        let required = self.module.types.witness_table_protocols(constraint);
        if let (true, Some(superclass)) = (required.is_empty(), superclass) {
            return self.type_metadata(superclass);
        }
        for protocol in required {
            protocols.push(self.module.nominal_part(NominalPart::Descriptor, protocol)?);
        }
        let word = |number| self.module.word_type().const_int(number, false);
        let arguments: [BasicValueEnum<'ctx>; 4] = [
            self.builder.bool(!queries.has_class_bound(constraint)).into(),
            match superclass {
                Some(superclass) => self.type_metadata(superclass)?.into(),
                None => self.builder.null().into(),
            },
            word(protocols.len() as u64).into(),
            self.array_of(&protocols).into(),
        ];
        Ok(self.call_runtime_for(RuntimeFunction::GetExistentialTypeMetadata, &arguments).into_pointer_value())
    }

    fn extended_existential_metadata(&self, shape: &ExistentialShape) -> Generated<PointerValue<'ctx>> {
        let description = self.module.existential_shape_part(ShapePart::Description, shape.ty)?;
        let mut arguments = Vec::new();
        for argument in &shape.arguments {
            arguments.push(self.type_metadata(*argument)?);
        }
        let arguments = [description.into(), self.array_of(&arguments).into()];
        let metadata = self.call_runtime_for(RuntimeFunction::GetExtendedExistentialTypeMetadata, &arguments);
        Ok(metadata.into_pointer_value())
    }

    /// Stores pointers to an array on the stack.
    fn array_of(&self, pointers: &[PointerValue<'ctx>]) -> PointerValue<'ctx> {
        let word = self.module.pointer_size();
        let array = self.stack_slot(pointers.len() as u64 * word, word);
        for (number, pointer) in pointers.iter().enumerate() {
            self.builder.store(*pointer, self.builder.offset(array, number as u64 * word), word);
        }
        array
    }
}

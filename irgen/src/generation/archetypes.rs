//! Metadata and witness tables of types as a function sees them: of classes, of opened existentials, of its own generic parameters.

use inkwell::values::PointerValue;
use sil::context::{MetatypeRepresentation, NominalId, Representation, Type, TypeId};

use super::IRGenFunction;
use super::signature::LlvmParameter;
use crate::refusal::Generated;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The metadata of a class, an opened archetype or a generic parameter.
    pub fn type_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let queries = self.module.types.queries;
        let ty = queries.canonical_type(self.module.types.transparent(ty));
        if let Some(opened) = self.state.opened.get(&ty) {
            return Ok(self.opened_metadata(opened));
        }
        if let Some(parameter) = self.generic_parameter(&LlvmParameter::GenericMetadata(ty), ty) {
            return Ok(parameter);
        }
        match queries.get(ty) {
            Type::DynamicSelf(class) => self.dynamic_self_metadata(*class),
            _ => self.module.class_metadata(ty),
        }
    }

    /// The metadata of the dynamic type of `self`, which is `class` or less: `self` is the last argument, an object or a metatype,
    /// also of closures that mention the type (lib/IRGen/IRGenSIL.cpp, local `Self` metadata).
    fn dynamic_self_metadata(&self, class: TypeId) -> Generated<PointerValue<'ctx>> {
        let arguments = self.body.blocks.values().next().map_or(&[][..], |entry| &entry.arguments);
        for argument in arguments.iter().rev() {
            let ty = self.body.ty(*argument);
            if ty.is_address() {
                continue;
            }
            match self.module.types.queries.get(ty.ty) {
                Type::Metatype { instance, representation: Some(MetatypeRepresentation::Thick) }
                    if self.is_self_type(*instance, class) =>
                {
                    return Ok(self.scalar(*argument)?.into_pointer_value());
                }
                _ if self.is_self_type(ty.ty, class) => {
                    return Ok(self.load_heap_metadata(self.scalar(*argument)?.into_pointer_value()));
                }
                _ => {}
            }
        }
        Err(Box::new(crate::refusal::unsupported_without_place(
            "the dynamic type of 'self' where no argument is 'self'",
        )))
    }

    /// Whether `ty`, the type of an argument, can be that of `self` in a function where `self` is some `class`.
    fn is_self_type(&self, ty: TypeId, class: TypeId) -> bool {
        let queries = self.module.types.queries;
        let ty = match queries.get(ty) {
            Type::DynamicSelf(class) => *class,
            _ => ty,
        };
        queries.is_class(ty) && (queries.is_subclass(ty, class) || queries.is_subclass(class, ty))
    }

    /// The witness table of `ty` for `protocol`.
    pub fn witness_table(&self, ty: TypeId, protocol: NominalId) -> Generated<PointerValue<'ctx>> {
        let types = self.module.types;
        let ty = types.queries.canonical_type(types.transparent(ty));
        if let Some(opened) = self.state.opened.get(&ty) {
            for (found, table) in &opened.witness_tables {
                if let Some(table) = self.base_witness_table(*table, *found, protocol)? {
                    return Ok(table);
                }
            }
        }
        for parameter in &self.signature.parameters {
            if let LlvmParameter::GenericWitnessTable(subject, found) = parameter
                && *subject == ty
                && let Some(value) = self.llvm_parameter(|is| is == parameter)
                && let Some(table) = self.base_witness_table(value.into_pointer_value(), *found, protocol)?
            {
                return Ok(table);
            }
        }
        if self.is_witness_self(ty)
            && let Some(value) = self.llvm_parameter(|is| *is == LlvmParameter::WitnessSelfTable)
            && let Some(own) = self.witness_method_protocol()
            && let Some(table) = self.base_witness_table(value.into_pointer_value(), own, protocol)?
        {
            return Ok(table);
        }
        if let Some(table) = self.associated_witness_table(ty, protocol)? {
            return Ok(table);
        }
        self.module.witness_table_of(ty, protocol)
    }

    /// The witness table of an associated type of an archetype: the witness table of the archetype has it.
    fn associated_witness_table(&self, ty: TypeId, protocol: NominalId) -> Generated<Option<PointerValue<'ctx>>> {
        let queries = self.module.types.queries;
        let Some((archetype, member)) = queries.associated_of_archetype(ty) else { return Ok(None) };
        for (stating, found, offset) in self.module.associated_conformances(member) {
            let leads_to = found == protocol || self.module.base_witness_table_path(found, protocol).is_some();
            if leads_to && let Ok(table) = self.witness_table(archetype, stating) {
                return self.base_witness_table(self.load_constant_pointer(table, offset), found, protocol);
            }
        }
        Ok(None)
    }

    /// `table` itself or the table of a protocol that `found` inherits from.
    fn base_witness_table(
        &self,
        table: PointerValue<'ctx>,
        found: NominalId,
        protocol: NominalId,
    ) -> Generated<Option<PointerValue<'ctx>>> {
        if found == protocol {
            return Ok(Some(table));
        }
        let Some(offsets) = self.module.base_witness_table_path(found, protocol) else { return Ok(None) };
        let load = |table, offset: &u64| self.load_constant_pointer(table, *offset);
        Ok(Some(offsets.iter().fold(table, load)))
    }

    fn generic_parameter(&self, parameter: &LlvmParameter, ty: TypeId) -> Option<PointerValue<'ctx>> {
        let witness = self.is_witness_self(ty).then_some(LlvmParameter::WitnessSelfMetadata);
        let value = self.llvm_parameter(|is| is == parameter || Some(is) == witness.as_ref())?;
        Some(value.into_pointer_value())
    }

    fn witness_method_protocol(&self) -> Option<NominalId> {
        match self.module.types.queries.conventions(self.function.ty)?.function.representation {
            Representation::WitnessMethod(protocol) => Some(protocol),
            _ => None,
        }
    }

    /// `Self` of a witness method that is still generic.
    fn is_witness_self(&self, ty: TypeId) -> bool {
        matches!(self.module.types.queries.get(ty), Type::GenericParameter { depth: 0, index: 0 })
            && self.witness_method_protocol().is_some()
    }

    /// The metadata of an object: its first word.
    pub fn load_heap_metadata(&self, object: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let pointer = self.builder.ptr_type().into();
        self.builder.load(pointer, object, self.module.pointer_size()).into_pointer_value()
    }

    /// A word of metadata or of a witness table, which never changes.
    pub fn load_constant_pointer(&self, base: PointerValue<'ctx>, offset: u64) -> PointerValue<'ctx> {
        let place = self.builder.offset(base, offset);
        let pointer = self.builder.ptr_type().into();
        self.builder.load_invariant(pointer, place, self.module.pointer_size()).into_pointer_value()
    }
}

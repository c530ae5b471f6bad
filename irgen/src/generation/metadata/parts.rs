//! Caches, mangled names and descriptors in memory, or their addresses in other modules.

use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{FunctionValue, PointerValue};
use sil_ir::context::{NominalId, SignatureId, Type, TypeId};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::symbols::{MangledReference, Tree, TypeReference};
use sil_ir::types::{Referred, SymbolTypes};

use crate::generation::constants::ConstantStruct;
use crate::generation::entities::ShapePart;
use crate::generation::polymorphic::GenericRequirement;
use crate::generation::{Definition, Entity, IRGenModule, NominalPart, TypePart};
use crate::refusal::{Generated, unsupported_without_place};

/// The maximum number of generic arguments that an accessor takes directly; more are passed in memory
/// (`NumDirectGenericTypeMetadataAccessorArgs`).
pub const DIRECT_ARGUMENTS: usize = 3;

/// The alignment of mangled names, in bytes.
const NAME_ALIGNMENT: u64 = 2;

/// The alignment of descriptors, in bytes.
const DESCRIPTOR_ALIGNMENT: u64 = 4;

/// The function that returns the metadata of a type for given arguments, and the order of these.
pub type MetadataAccessor<'ctx> = (FunctionValue<'ctx>, Vec<GenericRequirement>);

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of a part of a canonical type.
    pub fn type_part(&self, part: TypePart, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::OfType(part, ty);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let (constant, alignment) = match part {
            TypePart::Metadata if self.definition_of(&entity) == Definition::Here => return self.own_metadata(ty),
            TypePart::FullMetadata => (self.full_metadata(ty)?, self.pointer_size()),
            TypePart::ValueWitnessTable => (self.value_witness_table(ty)?, self.pointer_size()),
            TypePart::Metadata => {
                let kind = self.word_type();
                return Ok(self.declare_variable(entity, kind, self.pointer_size()).as_pointer_value());
            }
            TypePart::DemanglingCache => (self.demangling_cache(ty)?, self.pointer_size()),
            TypePart::MangledName | TypePart::MangledNameIn(_) => {
                (self.mangled_name(ty, part.signature())?.0, NAME_ALIGNMENT)
            }
        };
        Ok(self.declare_constant(entity, constant, alignment).as_pointer_value())
    }

    /// Returns the initial value of a cache: the distance of the mangled name, and its negated length, as one negative
    /// number, which the metadata replaces.
    fn demangling_cache(&self, ty: TypeId) -> Generated<ConstantStruct> {
        let (_, length) = self.mangled_name(ty, None)?;
        let mut cache = ConstantStruct::new(self.pointer_size());
        cache.add_relative(Entity::OfType(TypePart::MangledName, ty));
        cache.add_integer(32, length.wrapping_neg() & u64::from(u32::MAX));
        Ok(cache)
    }

    /// Returns the mangled name of `ty`, with numbers for the targets of its references.
    fn type_reference(
        &self,
        ty: TypeId,
        signature: Option<SignatureId>,
    ) -> Generated<(MangledReference, Vec<Referred>)> {
        let (mut tree, mut referred) = (Tree::default(), Vec::new());
        let types = SymbolTypes::new(self.types.queries, &mut tree).with_references(&mut referred);
        let node = types.with_signature(signature).ty(ty);
        let name = node.and_then(|node| TypeReference::new(tree, node).remangle());
        Ok((name.ok_or_else(|| self.unsupported_type(ty))?, referred))
    }

    /// Returns the symbol of the mangled name of `ty`: the name with a placeholder for each reference, and the names of
    /// their targets (`IRGenMangler::mangleSymbolNameForSymbolicMangling` in lib/IRGen/IRGenMangler.cpp). Names that
    /// refer to different types have different symbols, since all units and modules of a program share them.
    pub(in crate::generation) fn type_reference_symbol(
        &self,
        ty: TypeId,
        signature: Option<SignatureId>,
    ) -> Generated<String> {
        let (mut name, referred) = self.type_reference(ty, signature)?;
        for place in &name.addresses {
            name.bytes[place - 1..place + REFERENCE_SIZE].fill(b'_');
        }
        let mut symbol = format!("symbolic {}", String::from_utf8_lossy(&name.bytes));
        for target in referred {
            symbol.push(' ');
            symbol.push_str(&self.name_of_referred(target).ok_or_else(|| self.unsupported_type(ty))?);
        }
        Ok(symbol)
    }

    fn name_of_referred(&self, target: Referred) -> Option<String> {
        let mut tree = Tree::default();
        let mut types = SymbolTypes::new(self.types.queries, &mut tree);
        let node = match target {
            Referred::Opaque(symbol) => return Some(self.sil.context.text(symbol).to_owned()),
            Referred::Nominal(nominal) => types.declared(nominal),
            Referred::Shape(shape) => types.ty(shape)?,
        };
        let name = TypeReference::new(tree, node).remangle()?;
        Some(String::from_utf8_lossy(&name.bytes).into_owned())
    }

    /// Returns the null-terminated mangled name of `ty`, and its length without the null character.
    fn mangled_name(&self, ty: TypeId, signature: Option<SignatureId>) -> Generated<(ConstantStruct, u64)> {
        let (name, referred) = self.type_reference(ty, signature)?;
        let mut text = ConstantStruct::new(self.pointer_size());
        let mut position = 0;
        for place in &name.addresses {
            text.add_bytes(&name.bytes[position..*place]);
            position = place + REFERENCE_SIZE;
            let number =
                name.bytes[*place..position].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte));
            text.add_relative(match *referred.get(number).ok_or_else(|| self.unsupported_type(ty))? {
                Referred::Shape(shape) => Entity::ExistentialShape(ShapePart::Description, shape),
                Referred::Opaque(symbol) => Entity::GotEquivalent(Box::new(Entity::OpaqueDescriptor(symbol))),
                Referred::Nominal(nominal) => {
                    let descriptor = Entity::OfNominal(NominalPart::Descriptor, nominal);
                    match name.bytes[place - 1] {
                        DIRECT_REFERENCE => descriptor,
                        _ => Entity::GotEquivalent(Box::new(descriptor)),
                    }
                }
            });
        }
        text.add_bytes(&name.bytes[position..]);
        text.add_bytes(&[0]);
        Ok((text, name.bytes.len() as u64))
    }

    /// Returns whether `ty` has a mangled name in terms of the parameters of `signature`.
    pub(super) fn has_name(&self, ty: TypeId, signature: Option<SignatureId>) -> bool {
        match self.name_of_type(ty, signature) {
            Entity::OfType(part, ty) => self.mangled_name(ty, part.signature()).is_ok(),
            _ => false,
        }
    }

    /// Returns the null-terminated mangled name of `ty` without references.
    pub(super) fn flat_name(&self, ty: TypeId, signature: Option<SignatureId>) -> Generated<ConstantStruct> {
        let mut tree = Tree::default();
        let node = SymbolTypes::new(self.types.queries, &mut tree).with_signature(signature).for_runtime().ty(ty);
        let name = node.and_then(|node| TypeReference::new(tree, node).remangle());
        let name = name.ok_or_else(|| self.unsupported_type(ty))?;
        let mut text = ConstantStruct::new(self.pointer_size());
        text.add_bytes(&name.bytes);
        text.add_bytes(&[0]);
        Ok(text)
    }

    /// The mangled name of `ty`, which is in terms of the parameters of `signature`.
    pub(in crate::generation) fn name_of_type(&self, ty: TypeId, signature: Option<SignatureId>) -> Entity {
        let queries = self.types.queries;
        let ty = self.types.transparent(ty);
        let is_member = |part| matches!(queries.get(part), Type::DependentMember { .. }).then_some(());
        let part = match signature.filter(|_| queries.find_in(ty, &mut |part| is_member(part)).is_some()) {
            Some(signature) => TypePart::MangledNameIn(signature),
            None => TypePart::MangledName,
        };
        Entity::OfType(part, ty)
    }

    /// Returns a part of a nominal type or a protocol that is not a function.
    pub fn nominal_part(&self, part: NominalPart, nominal: NominalId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::OfNominal(part, nominal);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        if part == NominalPart::MethodLookup {
            return Ok(self.method_lookup(nominal).as_global_value().as_pointer_value());
        }
        if !self.declares(&entity) {
            self.require_c_name(self.sil.declarations.get(nominal))?;
            let flags = self.context.i32_type();
            return Ok(self.declare_variable(entity, flags, DESCRIPTOR_ALIGNMENT).as_pointer_value());
        }
        let constant = match part {
            NominalPart::FieldDescriptor => self.field_descriptor(nominal)?,
            NominalPart::FixedLayout | NominalPart::MultiPayloadLayout => self.layout_descriptor(part, nominal)?,
            NominalPart::AnonymousContext => self.anonymous_context(nominal)?,
            NominalPart::ExtensionContext => self.extension_context(nominal)?,
            NominalPart::Record => {
                let mut record = ConstantStruct::new(self.pointer_size());
                record.add_relative(Entity::OfNominal(NominalPart::Descriptor, nominal));
                record
            }
            NominalPart::Descriptor if self.sil.declarations.get(nominal).kind == NominalKind::Protocol => {
                self.protocol_descriptor(nominal)?
            }
            NominalPart::Descriptor => self.type_descriptor(nominal)?,
            NominalPart::Pattern => self.metadata_pattern(nominal)?,
            NominalPart::PatternOffsets => self.pattern_offsets(nominal)?,
            NominalPart::InstantiationCache | NominalPart::SingletonCache => self.runtime_notes(part),
            NominalPart::ForeignCache => self.foreign_cache(),
            NominalPart::MetadataAccessor | NominalPart::InstantiationFunction | NominalPart::CompletionFunction => {
                return Ok(self.metadata_function(part, nominal).as_global_value().as_pointer_value());
            }
            NominalPart::MetadataBounds => self.own_metadata_bounds(nominal)?,
            NominalPart::MethodLookup | NominalPart::SelfConformance => {
                return Err(Box::new(unsupported_without_place(
                    "a part of a type of the module that only libraries have",
                )));
            }
        };
        let alignment = match part {
            NominalPart::InstantiationCache
            | NominalPart::SingletonCache
            | NominalPart::ForeignCache
            | NominalPart::MetadataBounds
            | NominalPart::Pattern
            | NominalPart::PatternOffsets => self.pointer_size(),
            _ => DESCRIPTOR_ALIGNMENT,
        };
        let address = self.declare_constant(entity, constant, alignment).as_pointer_value();
        if part == NominalPart::Descriptor {
            self.declare_records(nominal)?;
            self.declare_conformances_of(nominal);
            if self.is_own_class(self.identity(nominal)) {
                self.declare_method_descriptors(nominal, address)?;
            }
            if self.sil.declarations.get(nominal).kind == NominalKind::Protocol {
                self.declare_requirements(nominal, address)?;
                self.declare_distributed_requirements(nominal)?;
            }
        }
        Ok(address)
    }

    /// Returns the function that returns the metadata of `nominal` for a request and generic arguments.
    pub fn metadata_accessor(&self, nominal: NominalId) -> Generated<MetadataAccessor<'ctx>> {
        let declaration = self.sil.declarations.get(nominal);
        let requirements =
            declaration.signature.map_or(Ok(Vec::new()), |signature| self.generic_requirements(signature))?;
        let entity = Entity::OfNominal(NominalPart::MetadataAccessor, nominal);
        if let Some(found) = self.declared_function(&entity) {
            return Ok((found, requirements));
        }
        if declaration.origin == Origin::Named && !self.is_named_class(nominal) {
            return Err(Box::new(unsupported_without_place("metadata of a type whose declaration is not at hand")));
        }
        self.require_symbol(&entity)?;
        let word: BasicMetadataTypeEnum<'ctx> = self.word_type().into();
        let pointer: BasicMetadataTypeEnum<'ctx> = self.builder.ptr_type().into();
        let arguments = if requirements.len() > DIRECT_ARGUMENTS { 1 } else { requirements.len() };
        let parameters: Vec<_> = std::iter::once(word).chain(vec![pointer; arguments]).collect();
        let response = self.builder.struct_type(&[self.builder.ptr_type().into(), self.word_type().into()]);
        let function = self.declare_function(entity, response.fn_type(&parameters, false));
        function.set_call_conventions(self.swift_convention());
        Ok((function, requirements))
    }
}

/// The size of a reference in a mangled name, in bytes.
const REFERENCE_SIZE: usize = 4;

/// The byte before a reference to a descriptor in the same module.
const DIRECT_REFERENCE: u8 = 1;

//! Opaque result types (`some P`) at run time (lib/IRGen/GenMeta.cpp, `OpaqueTypeDescriptorBuilder`;
//! lib/IRGen/GenArchetype.cpp): the declaring module has descriptors with the underlying types, and others request them
//! from the runtime.

use inkwell::values::PointerValue;
use sil_ir::context::{GenericSignature, Name, Requirement, SignatureId, Type, TypeId};
use sil_ir::symbols::Symbol;
use sil_ir::types::{OpaqueInterface, PathStep};

use super::contexts::ANONYMOUS_DESCRIPTOR;
use super::value_types::{IS_GENERIC, UNIQUE_DESCRIPTOR};
use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenFunction, IRGenModule, KeyPathTable, RuntimeFunction};
use crate::refusal::{Generated, unsupported_without_place};

/// The context kind of opaque type descriptors (`ContextDescriptorKind::OpaqueType`).
const OPAQUE_DESCRIPTOR: u64 = 4;

/// The bit position of the number of types and witness tables in the flags of a descriptor.
const COUNT_SHIFT: u32 = 16;

/// The alignment of descriptors, in bytes.
const DESCRIPTOR_ALIGNMENT: u64 = 4;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the descriptors of the opaque types of the module's declarations.
    pub(in crate::generation) fn declare_opaque_descriptors(&self) {
        if !self.is_first_unit() {
            return;
        }
        let mut symbols = self.types.known_opaque_results();
        symbols.sort_by_key(|symbol| self.sil.context.text(*symbol));
        symbols.dedup();
        for symbol in symbols.into_iter().filter(|symbol| self.describes_opaque_types(*symbol)) {
            let declared = self.opaque_descriptor(symbol).and_then(|_| self.declare_opaque_accessors(symbol));
            if let Err(error) = declared {
                self.push_error(*error);
            }
        }
    }

    /// Returns whether the module has the descriptor of the opaque types of the declaration with `symbol`.
    pub(in crate::generation) fn describes_opaque_types(&self, symbol: Name) -> bool {
        let text = |name| self.sil.context.text(name);
        let demangled = Symbol::demangle(text(symbol));
        let is_own = demangled.is_some_and(|symbol| symbol.declaring_module() == Some(text(self.sil.name)));
        is_own && self.types_after(symbol).is_some()
    }

    /// Returns the underlying types of a declaration's opaque types, in terms of its own parameters, or `None` if
    /// function bodies do not show all of them.
    fn types_after(&self, symbol: Name) -> Option<Vec<TypeId>> {
        let declaration = self.types.queries.opaque_declaration(symbol)?;
        let arguments: Box<[TypeId]> = self.own_parameters(declaration.outer);
        let after = |ordinal| {
            let opaque = self.sil.context.ty(Type::OpaqueResult { symbol, ordinal, arguments: arguments.clone() });
            self.types.described_opaque_type(opaque).filter(|underlying| *underlying != opaque)
        };
        (0..declaration.count).map(after).collect()
    }

    /// Returns the generic arguments of a declaration within itself: its parameters, or the types that they equal.
    fn own_parameters(&self, signature: Option<SignatureId>) -> Box<[TypeId]> {
        let Some(signature) = signature else { return Box::default() };
        let parameters = self.sil.context.get_signature(signature).parameters.iter();
        let ty = |depth, index| self.sil.context.ty(Type::GenericParameter { depth, index });
        let reduced = |ty| self.types.queries.reduced_type(ty, signature);
        parameters.map(|parameter| reduced(ty(parameter.depth, parameter.index))).collect()
    }

    /// The requirements of the declaration on opaque types and their members that witness tables show.
    fn opaque_conformances(&self, signature: SignatureId) -> Vec<PathStep> {
        let queries = self.types.queries;
        let parameters = &self.sil.context.get_signature(signature).parameters;
        let depth = parameters.last().map_or(0, |last| last.depth);
        let conformances = queries.required_conformances(signature);
        let is_opaque = |step: &&PathStep| {
            queries.has_witness_table(step.protocol) && self.is_of_depth(step.subject, &|found| found == depth)
        };
        conformances.iter().filter(is_opaque).copied().collect()
    }

    /// Returns whether a type contains a parameter whose depth satisfies `is_it`.
    fn is_of_depth(&self, ty: TypeId, is_it: &dyn Fn(u32) -> bool) -> bool {
        let queries = self.types.queries;
        let parameter = |part: TypeId| match *queries.get(part) {
            Type::GenericParameter { depth, .. } | Type::NamedParameter { depth, .. } if is_it(depth) => Some(()),
            _ => None,
        };
        queries.find_in(ty, &mut |part| parameter(part)).is_some()
    }

    /// Returns the descriptor of the opaque types of the declaration with `symbol`: flags, the context, the generic
    /// parameters with the opaque types, the underlying types, and their witness tables.
    pub fn opaque_descriptor(&self, symbol: Name) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::OpaqueDescriptor(symbol);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let queries = self.types.queries;
        let declared = if self.declares(&entity) { queries.opaque_declaration(symbol) } else { None };
        let (Some(declaration), Some(types)) = (declared, self.types_after(symbol)) else {
            let flags = self.context.i32_type();
            return Ok(self.declare_variable(entity, flags, DESCRIPTOR_ALIGNMENT).as_pointer_value());
        };
        let conformances = self.opaque_conformances(declaration.signature);
        let count = (types.len() + conformances.len()) as u64;
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, OPAQUE_DESCRIPTOR | UNIQUE_DESCRIPTOR | IS_GENERIC | count << COUNT_SHIFT);
        words.add_relative(self.context_of_opaque_types(symbol, declaration.outer));
        self.add_generic_context(&mut words, declaration.signature, &[])?;
        for ty in &types {
            words.add_relative(self.name_of_type(*ty, declaration.outer));
        }
        let replacements: Vec<TypeId> = self.own_parameters(declaration.outer).iter().chain(&types).copied().collect();
        let substitutions = self.sil.context.substitutions(declaration.signature, replacements);
        for PathStep { subject, protocol } in conformances {
            let ty = queries.canonical_type(queries.substitute(subject, substitutions));
            let table = KeyPathTable { signature: declaration.outer, ty, protocol };
            words.add_relative(Entity::KeyPathTableName(table));
        }
        Ok(self.declare_constant(entity, words, DESCRIPTOR_ALIGNMENT).as_pointer_value())
    }

    /// The context of opaque types: the module, or the context with the parameters of `outer`.
    fn context_of_opaque_types(&self, symbol: Name, outer: Option<SignatureId>) -> Entity {
        match outer {
            Some(outer) => Entity::OpaqueContext(symbol, outer),
            None => Entity::ModuleDescriptor(self.sil.name),
        }
    }

    /// Returns a context with the parameters of `signature`, nested in one with all of its levels but the last:
    /// arguments are counted by level.
    pub fn opaque_context(&self, symbol: Name, signature: SignatureId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::OpaqueContext(symbol, signature);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, ANONYMOUS_DESCRIPTOR | UNIQUE_DESCRIPTOR | IS_GENERIC);
        words.add_relative(self.context_of_opaque_types(symbol, self.without_last_level(signature)));
        self.add_generic_context(&mut words, signature, &[])?;
        Ok(self.declare_constant(entity, words, DESCRIPTOR_ALIGNMENT).as_pointer_value())
    }

    /// Returns the signature without its innermost parameters, or `None` if there are no others.
    fn without_last_level(&self, signature: SignatureId) -> Option<SignatureId> {
        let GenericSignature { parameters, requirements } = self.sil.context.get_signature(signature);
        let last = parameters.last()?.depth;
        let parameters: Vec<_> = parameters.iter().filter(|parameter| parameter.depth < last).copied().collect();
        if parameters.is_empty() {
            return None;
        }
        let is_outer = |ty: &TypeId| !self.is_of_depth(*ty, &|depth| depth == last);
        let is_about_outer = |requirement: &&Requirement| match requirement {
            Requirement::Conformance { subject, constraint } => is_outer(subject) && is_outer(constraint),
            Requirement::Superclass { subject, superclass } => is_outer(subject) && is_outer(superclass),
            Requirement::SameType { first, second } => is_outer(first) && is_outer(second),
            Requirement::Layout { subject, .. } | Requirement::Inverse { subject, .. } => is_outer(subject),
        };
        let requirements = requirements.iter().filter(is_about_outer).cloned().collect();
        Some(self.sil.context.signature(GenericSignature { parameters: parameters.into(), requirements }))
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns the metadata of an opaque type of another module, for arguments that depend on the function's type
    /// parameters.
    pub(super) fn opaque_type_metadata(&self, ty: TypeId) -> Generated<PointerValue<'ctx>> {
        let (descriptor, arguments) = self.described_opaque_type(ty)?;
        let Type::OpaqueResult { ordinal, .. } = *self.module.types.queries.get(ty) else {
            return Err(self.module.unsupported_type(ty));
        };
        let ordinal = self.module.word_type().const_int(ordinal.into(), false);
        let request = self.metadata_request();
        let passed = [request.into(), arguments.into(), descriptor.into(), ordinal.into()];
        let response = self.call_runtime_for(RuntimeFunction::GetOpaqueTypeMetadata, &passed);
        self.pointer_result(Some(self.builder.extract(response, 0)))
    }

    /// Returns the witness table that the declaration of `opaque` has at `step`, or `None` if only the declaration's
    /// own parameters require it.
    pub(in crate::generation) fn opaque_type_conformance(
        &self,
        opaque: &OpaqueInterface,
        step: PathStep,
    ) -> Generated<Option<PointerValue<'ctx>>> {
        let conformances = self.module.opaque_conformances(opaque.signature);
        let Some(number) = conformances.iter().position(|known| *known == step) else { return Ok(None) };
        let (descriptor, arguments) = self.described_opaque_type(opaque.root)?;
        let queries = self.module.types.queries;
        let types = match queries.get(opaque.root) {
            Type::OpaqueResult { symbol, .. } => queries.opaque_declaration(*symbol).map_or(0, |found| found.count),
            _ => 0,
        };
        let number = self.module.word_type().const_int(u64::from(types) + number as u64, false);
        let passed = [arguments.into(), descriptor.into(), number.into()];
        Ok(Some(self.call_runtime_for(RuntimeFunction::GetOpaqueTypeConformance, &passed).into_pointer_value()))
    }

    /// The descriptor of an opaque type, and the generic arguments of its declaration in memory.
    fn described_opaque_type(&self, ty: TypeId) -> Generated<(PointerValue<'ctx>, PointerValue<'ctx>)> {
        let queries = self.module.types.queries;
        let Type::OpaqueResult { symbol, arguments, .. } = queries.get(ty) else {
            return Err(self.module.unsupported_type(ty));
        };
        let Some(declaration) = queries.opaque_declaration(*symbol) else {
            let what = "opaque types of a module whose declarations are not at hand";
            return Err(Box::new(unsupported_without_place(what)));
        };
        let descriptor = self.current_opaque_descriptor(*symbol)?;
        let Some(outer) = declaration.outer else { return Ok((descriptor, self.builder.null())) };
        let substitutions = queries.context.substitutions(outer, arguments.clone());
        let arguments = self.generic_arguments(outer, substitutions)?;
        let word = self.module.pointer_size();
        let memory = self.stack_slot(arguments.len() as u64 * word, word);
        for (number, argument) in arguments.into_iter().enumerate() {
            self.builder.store(argument, self.builder.offset(memory, number as u64 * word), word);
        }
        Ok((descriptor, memory))
    }
}

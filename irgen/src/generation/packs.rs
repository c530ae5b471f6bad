//! Packs of metadata and of witness tables (lib/IRGen/GenPack.cpp): arrays that functions receive for their parameter
//! packs, with the number of elements. A pack on the heap has the lowest bit of its address set.

use inkwell::values::{IntValue, PointerValue};
use sil_ir::context::{
    GenericParameterKind, Name, NominalId, SignatureId, SubstitutionMapId, TupleElement, Type, TypeId,
};
use sil_ir::model::PackOpening;

use super::dynamic_memory::DynamicMemory;
use super::polymorphic::GenericRequirement;
use super::runtime_functions::RuntimeFunction;
use super::{IRGenFunction, IRGenModule};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Returns the parameter pack, or the member of one, whose elements have the type `ty`.
    pub(super) fn bare_pack(&self, ty: TypeId) -> TypeId {
        let context = &self.sil.context;
        match *context.get(ty) {
            Type::PackElement(inner) | Type::PackExpansion { pattern: inner } => self.bare_pack(inner),
            Type::DependentMember { base, member, protocol } => {
                context.ty(Type::DependentMember { base: self.bare_pack(base), member, protocol })
            }
            Type::PackElementArchetype { uuid, interface } => {
                context.ty(Type::PackElementArchetype { uuid, interface: self.bare_pack(interface) })
            }
            _ => ty,
        }
    }

    /// Returns whether a tuple has expansions among its elements.
    pub(crate) fn has_expansions(&self, elements: &[TupleElement]) -> bool {
        elements.iter().any(|element| matches!(self.types.queries.get(element.ty), Type::PackExpansion { .. }))
    }

    /// Returns whether a tuple with expansions can have a single element at run time, and so be that element.
    pub(crate) fn may_become_one_element(&self, elements: &[TupleElement]) -> bool {
        let is_expansion = |ty| matches!(self.types.queries.get(ty), Type::PackExpansion { .. });
        elements.iter().filter(|element| !is_expansion(element.ty)).count() <= 1
    }

    /// Returns the parameter packs of `signature`.
    fn packs_of(&self, signature: SignatureId) -> impl Iterator<Item = TypeId> {
        let context = &self.sil.context;
        let parameters = context.get_signature(signature).parameters.iter();
        let packs = parameters.filter(|parameter| parameter.kind == GenericParameterKind::Pack);
        packs.map(|pack| context.ty(Type::GenericParameter { depth: pack.depth, index: pack.index }))
    }

    /// Returns the shape parameter of `subject`, a parameter pack of `signature` or a member of one, or `None` for
    /// other types.
    pub(super) fn shape_of_pack(&self, subject: TypeId, signature: SignatureId) -> Option<TypeId> {
        let queries = self.types.queries;
        let (pack, _) = self.members_of_pack(queries.canonical_type(self.bare_pack(subject)));
        let is_pack = self.packs_of(signature).any(|found| found == pack);
        is_pack.then(|| queries.generics().shape_of(signature, pack))
    }

    /// Returns the parameter pack of `signature`, or the member of one, that `ty` expands as a whole; for its shape,
    /// the shape parameter.
    pub(super) fn whole_pack(&self, ty: TypeId, signature: SignatureId) -> Option<TypeId> {
        let queries = self.types.queries;
        let Type::Pack { elements, .. } = queries.get(ty) else { return None };
        let [only] = **elements else { return None };
        let Type::PackExpansion { pattern } = *queries.get(only) else { return None };
        let pack = queries.canonical_type(self.bare_pack(pattern));
        self.shape_of_pack(pack, signature).map(|_| pack)
    }

    /// Returns the shape parameters of the packs of `signature`.
    pub(super) fn shapes_of(&self, signature: SignatureId) -> Vec<TypeId> {
        let generics = self.types.queries.generics();
        let mut shapes = Vec::new();
        for pack in self.packs_of(signature) {
            let shape = generics.shape_of(signature, pack);
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        shapes
    }
}

/// The function that returns the value for each element of a pack.
pub(super) type ElementValue<'f, F, V> = &'f dyn Fn(&F, TypeId) -> Generated<V>;

/// A path of member types, each in the one before it.
type MemberPath = Vec<(Name, Option<NominalId>)>;

impl IRGenModule<'_, '_> {
    /// Returns the type parameter that `ty` is a member of, and the path from there.
    fn members_of_pack(&self, ty: TypeId) -> (TypeId, MemberPath) {
        let (mut base, mut members) = (ty, MemberPath::new());
        while let Type::DependentMember { base: inner, member, protocol } = *self.types.queries.get(base) {
            members.push((member, protocol));
            base = inner;
        }
        members.reverse();
        (base, members)
    }

    fn member_along(&self, base: TypeId, members: &MemberPath) -> TypeId {
        let queries = self.types.queries;
        members.iter().fold(base, |base, (member, protocol)| queries.member_type(base, *member, *protocol))
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The size of a pointer.
    pub(crate) fn word_size(&self) -> IntValue<'ctx> {
        self.module.word_type().const_int(self.module.pointer_size(), false)
    }

    /// Returns the number of elements of a pack.
    pub(crate) fn pack_length(&self, pack: TypeId) -> Generated<IntValue<'ctx>> {
        let Type::Pack { elements, .. } = self.module.types.queries.get(pack) else {
            return Err(self.module.unsupported_type(pack));
        };
        let mut length = self.module.word_type().const_int(0, false);
        for element in elements {
            length = self.builder.add(length, self.component_length(*element)?);
        }
        Ok(length)
    }

    /// Returns the number of elements that a component of a pack expands to.
    pub(crate) fn component_length(&self, component: TypeId) -> Generated<IntValue<'ctx>> {
        let queries = self.module.types.queries;
        let Type::PackExpansion { pattern } = *queries.get(component) else {
            return Ok(self.module.word_type().const_int(1, false));
        };
        let pack = |part: TypeId| match queries.get(part) {
            Type::PackElement(pack) => Some(*pack),
            _ => None,
        };
        let found = queries.find_in(pattern, &mut |part| pack(part)).zip(self.generics);
        let (pack, signature) = found.ok_or_else(|| self.module.unsupported_type(component))?;
        let pack = queries.canonical_type(self.module.bare_pack(pack));
        let shape = queries.generics().shape_of(signature, pack);
        let length = self
            .known_requirement(GenericRequirement::Shape(shape))?
            .ok_or_else(|| self.module.unsupported_type(component))?;
        Ok(self.builder.pointer_to_int(length, self.module.pointer_bits()))
    }

    /// Returns the argument for a requirement of one of the callee's parameter packs, which `substitutions` replaces,
    /// or `None` for other requirements.
    pub(crate) fn pack_argument(
        &self,
        requirement: GenericRequirement,
        substitutions: SubstitutionMapId,
    ) -> Generated<Option<PointerValue<'ctx>>> {
        let queries = self.module.types.queries;
        let (pack, members) = self.module.members_of_pack(requirement.subject());
        let replacement = queries.substitute(pack, substitutions);
        let Type::Pack { elements, .. } = queries.get(replacement) else { return Ok(None) };
        if let GenericRequirement::Shape(_) = requirement {
            return Ok(Some(self.builder.int_to_pointer(self.pack_length(replacement)?)));
        }
        // The expansion of a whole parameter pack is the pack itself.
        if let [only] = **elements
            && let Type::PackExpansion { pattern } = *queries.get(only)
        {
            let whole = queries.canonical_type(self.module.bare_pack(pattern));
            let known = self.known_requirement(requirement.about(self.module.member_along(whole, &members)))?;
            if known.is_some() {
                return Ok(known);
            }
        }
        let value = |function: &Self, element| {
            let element = function.module.member_along(element, &members);
            match requirement {
                GenericRequirement::WitnessTable(_, protocol) => function.witness_table(element, protocol),
                _ => function.type_metadata(element),
            }
        };
        if elements.iter().any(|element| matches!(queries.get(*element), Type::PackExpansion { .. })) {
            return self.expanded_pack(requirement, elements, &value).map(Some);
        }
        let word = self.module.pointer_size();
        let array = self.stack_slot(elements.len() as u64 * word, word);
        for (number, element) in elements.iter().enumerate() {
            let place = self.builder.offset(array, number as u64 * word);
            self.builder.store(value(self, *element)?, place, word);
        }
        Ok(Some(array))
    }

    /// Returns a pack of dynamic length on the heap, where the runtime uniques packs.
    fn expanded_pack(
        &self,
        requirement: GenericRequirement,
        elements: &[TypeId],
        value: ElementValue<'_, Self, PointerValue<'ctx>>,
    ) -> Generated<PointerValue<'ctx>> {
        let (array, count) = self.expanded_array(elements, value)?;
        let pack = self.pack_on_heap(requirement, array.address, count);
        self.free_dynamic(array);
        Ok(pack)
    }

    /// Returns the pack that fulfils `requirement` on the heap, where the runtime uniques packs; it may be there
    /// already.
    fn pack_on_heap(
        &self,
        requirement: GenericRequirement,
        pack: PointerValue<'ctx>,
        count: IntValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let function = match requirement {
            GenericRequirement::WitnessTable(..) => RuntimeFunction::AllocateWitnessTablePack,
            GenericRequirement::Metadata(_) | GenericRequirement::Shape(_) => RuntimeFunction::AllocateMetadataPack,
        };
        self.call_runtime_for(function, &[pack.into(), count.into()]).into_pointer_value()
    }

    /// Returns the generic argument for storage in a closure: packs must outlive the call that creates them.
    pub(crate) fn lasting_argument(
        &self,
        requirement: GenericRequirement,
        substitutions: SubstitutionMapId,
        argument: PointerValue<'ctx>,
    ) -> Generated<PointerValue<'ctx>> {
        let queries = self.module.types.queries;
        let (pack, _) = self.module.members_of_pack(requirement.subject());
        let replacement = queries.substitute(pack, substitutions);
        match (queries.get(replacement), requirement) {
            (Type::Pack { .. }, GenericRequirement::Metadata(_) | GenericRequirement::WitnessTable(..)) => {
                Ok(self.pack_on_heap(requirement, argument, self.pack_length(replacement)?))
            }
            _ => Ok(argument),
        }
    }

    /// Returns the array of the results of `value` for each element, including expanded ones, with room for one more;
    /// and their number.
    pub(super) fn expanded_array(
        &self,
        elements: &[TypeId],
        value: ElementValue<'_, Self, PointerValue<'ctx>>,
    ) -> Generated<(DynamicMemory<'ctx>, IntValue<'ctx>)> {
        let number = |value| self.module.word_type().const_int(value, false);
        let lengths: Generated<Vec<_>> = elements.iter().map(|element| self.component_length(*element)).collect();
        let lengths = lengths?;
        let count = lengths.iter().fold(number(0), |sum, length| self.builder.add(sum, *length));
        let size = self.builder.mul(self.builder.add(count, number(1)), self.word_size());
        let memory = self.allocate_dynamic(size, self.module.pointer_size());
        let array = memory.address;
        let mut start = number(0);
        for (element, length) in elements.iter().zip(lengths) {
            let store = |function: &Self, element, index| {
                let value = value(function, element)?;
                let place = function.builder.index_bytes(array, function.builder.mul(index, function.word_size()));
                function.builder.store(value, place, function.module.pointer_size());
                Ok(())
            };
            match *self.module.types.queries.get(*element) {
                Type::PackExpansion { pattern } => self.for_each_index(length, |function, index| {
                    let element = function.open_pattern(pattern, index)?;
                    store(function, element, function.builder.add(start, index))
                })?,
                _ => store(self, *element, start)?,
            }
            start = self.builder.add(start, length);
        }
        Ok((memory, count))
    }

    /// Emits `each` for all indices below `count`. Type data cached in it is only valid in the loop.
    fn for_each_index(
        &self,
        count: IntValue<'ctx>,
        each: impl FnOnce(&Self, IntValue<'ctx>) -> Generated<()>,
    ) -> Generated<()> {
        let builder = &self.builder;
        let known = self.type_data.known();
        let before = builder.block();
        let [test, body, after] = ["pack.test", "pack.element", "pack.end"].map(|name| self.new_block(name));
        builder.branch(test);
        builder.position_at_end(test);
        let phi = builder.phi(count.get_type().into());
        let index = phi.as_basic_value().into_int_value();
        builder.branch_if(builder.equal(index, count), after, body);
        builder.position_at_end(body);
        each(self, index)?;
        let next = builder.add(index, self.module.word_type().const_int(1, false));
        phi.add_incoming(&[(&count.get_type().const_zero(), before), (&next, builder.block())]);
        builder.branch(test);
        builder.position_at_end(after);
        self.type_data.forget_all_but(known);
        Ok(())
    }

    /// Returns the pattern of an expansion for the elements at `index` of the function's parameter packs.
    fn open_pattern(&self, pattern: TypeId, index: IntValue<'ctx>) -> Generated<TypeId> {
        let queries = self.module.types.queries;
        let (context, generics) = (queries.context, queries.generics());
        let signature = self.generics.ok_or_else(|| self.module.unsupported_type(pattern))?;
        let shape_of = |pack| generics.shape_of(signature, queries.canonical_type(self.module.bare_pack(pack)));
        let pack = queries.find_in(pattern, &mut |part| match queries.get(part) {
            Type::PackElement(pack) => Some(*pack),
            _ => None,
        });
        let shape = shape_of(pack.ok_or_else(|| self.module.unsupported_type(pattern))?);
        let uuid = self.type_data.new_opening(context, signature);
        for requirement in self.module.generic_requirements(signature)? {
            let (pack, _) = self.module.members_of_pack(requirement.subject());
            if matches!(requirement, GenericRequirement::Shape(_)) || shape_of(pack) != shape {
                continue;
            }
            let Some(array) = self.known_requirement(requirement)? else { continue };
            let archetype = context.ty(Type::PackElementArchetype { uuid, interface: requirement.subject() });
            self.bind_requirement(requirement.about(archetype), self.element_of_pack(array, index));
        }
        Ok(queries.canonical_type(queries.opened_pattern(pattern, uuid)))
    }

    /// Binds the archetypes of the elements at `index` of the packs that `opening` opens.
    pub(crate) fn open_pack_element(&mut self, opening: &PackOpening, index: IntValue<'ctx>) -> Generated<()> {
        let context = &self.module.sil.context;
        let signature = context.get_substitutions(opening.substitutions).signature;
        self.remember_opening(opening.uuid, signature);
        let generics = self.module.types.queries.generics();
        let shape_of = |pack| {
            let pack = self.module.types.queries.canonical_type(self.module.bare_pack(pack));
            generics.shape_of(signature, pack)
        };
        let shape = shape_of(opening.shape);
        for requirement in self.module.generic_requirements(signature)? {
            let (pack, _) = self.module.members_of_pack(requirement.subject());
            // Packs of other shapes have different elements.
            if matches!(requirement, GenericRequirement::Shape(_)) || shape_of(pack) != shape {
                continue;
            }
            let Some(array) = self.pack_argument(requirement, opening.substitutions)? else { continue };
            let element = self.element_of_pack(array, index);
            let interface = requirement.subject();
            let archetype = context.ty(Type::PackElementArchetype { uuid: opening.uuid, interface });
            self.bind_requirement(requirement.about(archetype), element);
        }
        Ok(())
    }

    /// Returns the element at `index` of an array that may be on the heap.
    fn element_of_pack(&self, array: PointerValue<'ctx>, index: IntValue<'ctx>) -> PointerValue<'ctx> {
        let builder = &self.builder;
        let mask = self.module.word_type().const_int(u64::MAX - 1, true);
        let address = builder.and(builder.pointer_to_int(array, self.module.pointer_bits()), mask);
        let place = builder.index_bytes(builder.int_to_pointer(address), builder.mul(index, self.word_size()));
        builder.load(builder.ptr_type().into(), place, self.module.pointer_size()).into_pointer_value()
    }
}

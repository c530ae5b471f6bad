//! Packs of metadata and of witness tables (lib/IRGen/GenPack.cpp): arrays that functions get for their parameter packs, with how many elements
//! there are. A pack on the heap has the lowest bit of its address set.

use inkwell::values::{IntValue, PointerValue};
use sil::context::{GenericParameterKind, SignatureId, Type, TypeId};
use sil::model::PackOpening;

use super::polymorphic::GenericRequirement;
use super::{IRGenFunction, IRGenModule};
use crate::refusal::{Generated, unsupported_without_place};

impl IRGenModule<'_, '_> {
    /// A parameter pack, or a member of one, where `ty` is what stands for its elements.
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

    /// The parameters of `signature` that are packs.
    fn packs_of(&self, signature: SignatureId) -> impl Iterator<Item = TypeId> {
        let context = &self.sil.context;
        let parameters = context.get_signature(signature).parameters.iter();
        let packs = parameters.filter(|parameter| parameter.kind == GenericParameterKind::Pack);
        packs.map(|pack| context.ty(Type::GenericParameter { depth: pack.depth, index: pack.index }))
    }

    /// The parameters of `signature` by which the numbers of elements of its packs are known.
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

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The size of a pointer.
    pub(crate) fn word_size(&self) -> IntValue<'ctx> {
        self.module.word_type().const_int(self.module.pointer_size(), false)
    }

    /// How many elements a pack has.
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

    /// How many elements a component of a pack stands for.
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
        let shape = queries.generics().shape_of(signature, self.module.bare_pack(pack));
        let length = self.known_shape(shape)?.ok_or_else(|| self.module.unsupported_type(component))?;
        Ok(self.builder.pointer_to_int(length, self.module.pointer_bits()))
    }

    /// What replaces the parameter pack of a requirement, `replacement`, as a callee gets it.
    pub(crate) fn pack_argument(
        &self,
        requirement: GenericRequirement,
        replacement: TypeId,
    ) -> Generated<PointerValue<'ctx>> {
        match requirement {
            GenericRequirement::Shape(_) => Ok(self.builder.int_to_pointer(self.pack_length(replacement)?)),
            GenericRequirement::Metadata(_) => self.pack_of(replacement, |element| self.type_metadata(element)),
            GenericRequirement::WitnessTable(_, protocol) => {
                self.pack_of(replacement, |element| self.witness_table(element, protocol))
            }
        }
    }

    /// The array of what `of` gives for the elements of a pack. What expands a whole parameter pack is its own.
    fn pack_of(
        &self,
        pack: TypeId,
        of: impl Fn(TypeId) -> Generated<PointerValue<'ctx>>,
    ) -> Generated<PointerValue<'ctx>> {
        let queries = self.module.types.queries;
        let Type::Pack { elements, .. } = queries.get(pack) else { return Err(self.module.unsupported_type(pack)) };
        if let [only] = **elements
            && let Type::PackExpansion { pattern } = *queries.get(only)
            && let parameter = self.module.bare_pack(pattern)
            && matches!(queries.get(parameter), Type::GenericParameter { .. })
        {
            return of(parameter);
        }
        if elements.iter().any(|element| matches!(queries.get(*element), Type::PackExpansion { .. })) {
            return Err(Box::new(unsupported_without_place("generic arguments that are packs of packs")));
        }
        let word = self.module.pointer_size();
        let array = self.stack_slot(elements.len() as u64 * word, word);
        for (number, element) in elements.iter().enumerate() {
            self.builder.store(of(*element)?, self.builder.offset(array, number as u64 * word), word);
        }
        Ok(array)
    }

    /// Says what the archetypes are of the elements at `index` of the packs that `opening` opens.
    pub(crate) fn open_pack_element(&mut self, opening: &PackOpening, index: IntValue<'ctx>) -> Generated<()> {
        let queries = self.module.types.queries;
        let signature = queries.context.get_substitutions(opening.substitutions).signature;
        self.remember_opening(opening.uuid, signature);
        let packs: Vec<TypeId> = self.module.packs_of(signature).collect();
        for requirement in self.module.generic_requirements(signature)? {
            let (GenericRequirement::Metadata(pack) | GenericRequirement::WitnessTable(pack, _)) = requirement else {
                continue;
            };
            if !packs.contains(&pack) {
                continue;
            }
            let replacement = queries.substitute(pack, opening.substitutions);
            let array = self.pack_argument(requirement, replacement)?;
            let element = self.element_of_pack(array, index);
            let archetype = queries.context.ty(Type::PackElementArchetype { uuid: opening.uuid, interface: pack });
            self.bind_requirement(
                match requirement {
                    GenericRequirement::WitnessTable(_, protocol) => {
                        GenericRequirement::WitnessTable(archetype, protocol)
                    }
                    _ => GenericRequirement::Metadata(archetype),
                },
                element,
            );
        }
        Ok(())
    }

    /// What stands at `index` in an array that may lie on the heap.
    fn element_of_pack(&self, array: PointerValue<'ctx>, index: IntValue<'ctx>) -> PointerValue<'ctx> {
        let builder = &self.builder;
        let mask = self.module.word_type().const_int(u64::MAX - 1, true);
        let address = builder.and(builder.pointer_to_int(array, self.module.pointer_bits()), mask);
        let place = builder.index_bytes(builder.int_to_pointer(address), builder.mul(index, self.word_size()));
        builder.load_invariant(builder.ptr_type().into(), place, self.module.pointer_size()).into_pointer_value()
    }
}

//! Packs of metadata and of witness tables (lib/IRGen/GenPack.cpp): arrays that functions get for their parameter packs, with how many elements
//! there are. A pack on the heap has the lowest bit of its address set.

use inkwell::values::{IntValue, PointerValue};
use sil::context::{GenericParameterKind, Name, NominalId, SignatureId, SubstitutionMapId, Type, TypeId};
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

/// Members of a type, each of the one before it.
type MemberPath = Vec<(Name, Option<NominalId>)>;

impl IRGenModule<'_, '_> {
    /// The type parameter that `ty` is a member of, and the way from there.
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
        let pack = queries.canonical_type(self.module.bare_pack(pack));
        let shape = queries.generics().shape_of(signature, pack);
        let length = self
            .known_requirement(GenericRequirement::Shape(shape))?
            .ok_or_else(|| self.module.unsupported_type(component))?;
        Ok(self.builder.pointer_to_int(length, self.module.pointer_bits()))
    }

    /// What a callee gets for a requirement of one of its parameter packs, which `substitutions` replaces; none where it is about something
    /// else.
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
        // What expands a whole parameter pack is its own.
        if let [only] = **elements
            && let Type::PackExpansion { pattern } = *queries.get(only)
        {
            let whole = queries.canonical_type(self.module.bare_pack(pattern));
            let known = self.known_requirement(requirement.about(self.module.member_along(whole, &members)))?;
            return known.map(Some).ok_or_else(|| self.module.unsupported_type(replacement));
        }
        if elements.iter().any(|element| matches!(queries.get(*element), Type::PackExpansion { .. })) {
            return Err(Box::new(unsupported_without_place("generic arguments that are packs of packs")));
        }
        let word = self.module.pointer_size();
        let array = self.stack_slot(elements.len() as u64 * word, word);
        for (number, element) in elements.iter().enumerate() {
            let element = self.module.member_along(*element, &members);
            let value = match requirement {
                GenericRequirement::WitnessTable(_, protocol) => self.witness_table(element, protocol)?,
                _ => self.type_metadata(element)?,
            };
            self.builder.store(value, self.builder.offset(array, number as u64 * word), word);
        }
        Ok(Some(array))
    }

    /// Says what the archetypes are of the elements at `index` of the packs that `opening` opens.
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
            // Packs of other shapes have elements of their own.
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

    /// What stands at `index` in an array that may lie on the heap.
    fn element_of_pack(&self, array: PointerValue<'ctx>, index: IntValue<'ctx>) -> PointerValue<'ctx> {
        let builder = &self.builder;
        let mask = self.module.word_type().const_int(u64::MAX - 1, true);
        let address = builder.and(builder.pointer_to_int(array, self.module.pointer_bits()), mask);
        let place = builder.index_bytes(builder.int_to_pointer(address), builder.mul(index, self.word_size()));
        builder.load(builder.ptr_type().into(), place, self.module.pointer_size()).into_pointer_value()
    }
}

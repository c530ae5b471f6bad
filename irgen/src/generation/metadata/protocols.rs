//! The entities of this module's protocols (lib/IRGen/GenMeta.cpp, `ProtocolDescriptorBuilder`): a descriptor, in which
//! each requirement is known by its position. The descriptors of requirements of other modules' protocols have symbols.

use inkwell::values::PointerValue;
use sil_ir::context::{MemberKind, NominalId, Type};
use sil_ir::declarations::NominalKind;
use sil_ir::types::WitnessSlot;

use crate::generation::constants::ConstantStruct;
use crate::generation::{Definition, Entity, IRGenModule, NominalPart, RequirementKey};
use crate::refusal::{Generated, unsupported_without_place};

/// Flags of a protocol's descriptor: the kind, uniqueness, and no class constraint
/// (include/swift/ABI/MetadataValues.h).
const PROTOCOL_DESCRIPTOR: u64 = 3 | 1 << 6;
const ANY_TYPE_CONFORMS: u64 = 1 << 16;

/// The flag of a resilient protocol.
const MAY_GET_REQUIREMENTS: u64 = 1 << 17;

/// Kinds of requirements (`ProtocolRequirementFlags`), and the flags for instance and async requirements. For
/// coroutines the latter means kind `@yield_once_2`.
const BASE_PROTOCOL: u64 = 0;
const METHOD: u64 = 1;
const INITIALIZER: u64 = 2;
const GETTER: u64 = 3;
const SETTER: u64 = 4;
const READ_COROUTINE: u64 = 5;
const MODIFY_COROUTINE: u64 = 6;
const ASSOCIATED_TYPE: u64 = 7;
const ASSOCIATED_CONFORMANCE: u64 = 8;
const OF_INSTANCES: u64 = 1 << 4;
const IS_ASYNC: u64 = 1 << 5;

/// The size of a requirement descriptor: flags, a default.
const REQUIREMENT_SIZE: u64 = 8;

/// The alignment of descriptors, in bytes.
const DESCRIPTOR_ALIGNMENT: u64 = 4;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the descriptor: flags, the context, the name, the numbers of requirements in its signature and in the
    /// protocol, the names of associated types, then both kinds of requirements.
    pub(super) fn protocol_descriptor(&self, protocol: NominalId) -> Generated<ConstantStruct> {
        let mut words = self.protocol_descriptor_head(protocol)?;
        for (slot, number) in self.witness_slots(protocol)?.iter().zip(0..) {
            let asynchrony = if self.is_async_requirement(slot) { IS_ASYNC } else { 0 };
            words.add_integer(32, requirement_flags(slot) | asynchrony);
            match self.default_witness(protocol, number) {
                Some(witness) => words.add_relative(self.function_entity(witness)),
                None => words.add_integer(32, 0),
            }
        }
        Ok(words)
    }

    /// The words before the requirements in the descriptor of a protocol.
    fn protocol_descriptor_head(&self, protocol: NominalId) -> Generated<ConstantStruct> {
        let declaration = self.sil.declarations.get(protocol);
        let slots = self.witness_slots(protocol)?;
        if declaration.kind != NominalKind::Protocol {
            return Err(Box::new(unsupported_without_place("a descriptor of a type as that of a protocol")));
        }
        let signature = self.known_to_runtime(&self.types.queries.generics().requirement_signature(protocol), None)?;
        let class_bound = declaration.attributes.class_bound || self.types.queries.is_class_protocol(protocol);
        let mut words = ConstantStruct::new(self.pointer_size());
        let conforming = if class_bound { 0 } else { ANY_TYPE_CONFORMS };
        let evolution = if self.sil.evolves() { MAY_GET_REQUIREMENTS } else { 0 };
        words.add_integer(32, PROTOCOL_DESCRIPTOR | conforming | evolution);
        words.add_relative(self.context_around(protocol));
        words.add_relative(Entity::String(self.sil.context.text(declaration.name).as_bytes().into()));
        words.add_integer(32, signature.len() as u64);
        words.add_integer(32, slots.len() as u64);
        let names: Vec<&str> = slots
            .iter()
            .filter_map(|slot| match slot {
                WitnessSlot::AssociatedType(name) => Some(self.sil.context.text(*name)),
                _ => None,
            })
            .collect();
        match names.is_empty() {
            true => words.add_integer(32, 0),
            false => words.add_relative(Entity::String(names.join(" ").into_bytes().into())),
        }
        let constraint = self.sil.context.ty(Type::Protocol { protocol, arguments: Box::default() });
        let of_self = self.types.queries.generics().existential_signature(constraint);
        self.add_requirements(&mut words, &signature, Some(of_self))?;
        Ok(words)
    }

    /// The descriptor of a requirement of a protocol.
    pub fn requirement_descriptor(&self, key: RequirementKey) -> Generated<PointerValue<'ctx>> {
        if let Some((protocol, place)) = self.requirement_place(key)? {
            let descriptor = self.nominal_part(NominalPart::Descriptor, protocol)?;
            return Ok(self.builder.address_in(descriptor, place));
        }
        let entity = Entity::Requirement(key);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let flags = self.context.i32_type();
        Ok(self.declare_variable(entity, flags, DESCRIPTOR_ALIGNMENT).as_pointer_value())
    }

    /// Declares symbols for the descriptors of `protocol` that other modules use for witness tables: the start of the
    /// requirements, associated types, conformances. The protocol's own descriptor is at `descriptor`.
    pub(super) fn declare_requirements(&self, protocol: NominalId, descriptor: PointerValue<'ctx>) -> Generated<()> {
        if self.sil.declarations.get(protocol).attributes.access < self.least_referred_access() {
            return Ok(());
        }
        let slots = self.witness_slots(protocol)?;
        let keys = slots.iter().zip(0..).filter_map(|(slot, number)| match slot {
            WitnessSlot::BaseProtocol(base) => Some(RequirementKey::Base(protocol, *base)),
            WitnessSlot::AssociatedType(name) => Some(RequirementKey::AssociatedType(*name, protocol)),
            WitnessSlot::AssociatedConformance { subject, protocol: required } => {
                Some(RequirementKey::AssociatedConformance(protocol, *subject, *required))
            }
            WitnessSlot::Method { .. } => self.sil.evolves().then_some(RequirementKey::Slot(protocol, number)),
        });
        for key in std::iter::once(RequirementKey::Start(protocol)).chain(keys) {
            let entity = Entity::OwnRequirement(key);
            if self.definition_of(&entity) == Definition::Here
                && self.require_symbol(&entity).is_ok()
                && let Some((_, place)) = self.requirement_place(key)?
            {
                self.declare_alias(entity, self.builder.address_in(descriptor, place));
            }
        }
        Ok(())
    }

    /// Returns the protocol of the module that contains the requirement, and the offset of the requirement's descriptor
    /// in the protocol's, in bytes.
    fn requirement_place(&self, key: RequirementKey) -> Generated<Option<(NominalId, u64)>> {
        let protocol = match key {
            RequirementKey::OfWitness(_) | RequirementKey::ClassMethod(..) => return Ok(None),
            RequirementKey::Start(protocol)
            | RequirementKey::Base(protocol, _)
            | RequirementKey::Slot(protocol, _)
            | RequirementKey::Method(protocol, ..)
            | RequirementKey::AssociatedType(_, protocol)
            | RequirementKey::AssociatedConformance(protocol, ..) => protocol,
        };
        if !self.numbers_members(protocol) {
            return Ok(None);
        }
        let start = self.protocol_descriptor_head(protocol)?.size();
        let slots = self.witness_slots(protocol)?;
        let is_it = |slot: &WitnessSlot| match (key, slot) {
            (RequirementKey::Base(_, base), WitnessSlot::BaseProtocol(found)) => base == *found,
            (RequirementKey::AssociatedType(name, _), WitnessSlot::AssociatedType(found)) => name == *found,
            (
                RequirementKey::AssociatedConformance(_, of, to),
                WitnessSlot::AssociatedConformance { subject, protocol },
            ) => (of, to) == (*subject, *protocol),
            _ => false,
        };
        let place = match (key, slots.iter().position(is_it)) {
            (RequirementKey::Start(_), _) => start - REQUIREMENT_SIZE,
            (RequirementKey::Slot(_, number), _) => start + u64::from(number) * REQUIREMENT_SIZE,
            (_, Some(number)) => start + number as u64 * REQUIREMENT_SIZE,
            (_, None) => {
                return Err(Box::new(unsupported_without_place("a requirement that its protocol does not declare")));
            }
        };
        Ok(Some((protocol, place)))
    }
}

/// The runtime only examines the kind, which a static requirement has as well.
fn requirement_flags(slot: &WitnessSlot) -> u64 {
    let kind = match slot {
        WitnessSlot::BaseProtocol(_) => return BASE_PROTOCOL,
        WitnessSlot::AssociatedConformance { .. } => return ASSOCIATED_CONFORMANCE,
        WitnessSlot::AssociatedType(_) => return ASSOCIATED_TYPE,
        WitnessSlot::Method { kind, .. } => kind,
    };
    OF_INSTANCES
        | match kind {
            MemberKind::Getter => GETTER,
            MemberKind::Setter => SETTER,
            MemberKind::Read => READ_COROUTINE,
            MemberKind::Modify => MODIFY_COROUTINE,
            MemberKind::Read2 => READ_COROUTINE | IS_ASYNC,
            MemberKind::Modify2 => MODIFY_COROUTINE | IS_ASYNC,
            MemberKind::Allocator => INITIALIZER,
            _ => METHOD,
        }
}

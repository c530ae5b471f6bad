//! Generic parameters in descriptors (include/swift/ABI/GenericContext.h): their number, the key arguments in metadata,
//! and the requirements.

use sil_ir::context::{
    GenericParameter, GenericParameterKind, Inverse, LayoutConstraint, NominalId, Requirement, SignatureId, Type,
    TypeId,
};
use sil_ir::types::Invertible;

use crate::generation::constants::ConstantStruct;
use crate::generation::polymorphic::{DescribedRequirement, GenericRequirement};
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::refusal::{Generated, unsupported_without_place};

/// The flag for a key argument, which has a word in metadata: a type parameter, or the witness table of a requirement
/// (`GenericParamDescriptor`, `GenericRequirementFlags`).
const HAS_KEY_ARGUMENT: u64 = 0x80;

/// The kind of an integer parameter, and the flag of requirements on one (`GenericParamKind`,
/// `GenericRequirementFlags`).
const VALUE_PARAMETER: u64 = 2;
const IS_ABOUT_VALUE: u64 = 0x100;

/// The kind of a parameter pack, and the flag of requirements on one.
const PACK_PARAMETER: u64 = 1;
const IS_ABOUT_PACK: u64 = 0x20;

/// The kind of elements of a pack argument (`GenericPackKind`).
const METADATA_PACK: u64 = 0;
const WITNESS_TABLE_PACK: u64 = 1;

/// Kinds of requirements (`GenericRequirementKind`).
const PROTOCOL_REQUIREMENT: u64 = 0;
const SAME_TYPE_REQUIREMENT: u64 = 1;
const BASE_CLASS_REQUIREMENT: u64 = 2;
const INVERTED_REQUIREMENT: u64 = 5;
const LAYOUT_REQUIREMENT: u64 = 0x1F;

/// The bit position of the number of requirements in the flags of a generic environment (`GenericEnvironmentFlags`).
const REQUIREMENTS_SHIFT: u32 = 12;

/// Flags of a generic context (`GenericContextDescriptorFlags`).
const HAS_PACKS: u64 = 1;
const HAS_CONDITIONAL_INVERSES: u64 = 2;
const HAS_VALUES: u64 = 4;

/// The type of value parameters: `Int`, the only one (`GenericValueType`).
const INT_VALUE: u64 = 0;

/// The subject of a requirement that does not concern a single parameter.
const NO_PARAMETER: u64 = 0xFFFF;

/// The class layout, the only layout requirement.
const CLASS_LAYOUT: u64 = 0;

/// Returns the bit of a suppressed protocol (`InvertibleProtocolKind`).
pub(super) fn inverse_bit(inverse: Inverse) -> u64 {
    match inverse {
        Inverse::Copyable => 1,
        Inverse::Escapable => 2,
    }
}

impl IRGenModule<'_, '_> {
    /// Adds the numbers of parameters, requirements and generic arguments, flags, the parameters, the requirements, and
    /// by `conditional` the invertible protocols that a type conforms to if its arguments do.
    pub(super) fn add_generic_context(
        &self,
        words: &mut ConstantStruct,
        signature: SignatureId,
        conditional: &[(Inverse, SignatureId)],
    ) -> Generated<()> {
        let parameters = &self.sil.context.get_signature(signature).parameters;
        let arguments = self.generic_requirements(signature)?;
        let requirements = self.described_requirements(signature)?;
        words.add_integer(16, parameters.len() as u64);
        words.add_integer(16, requirements.len() as u64);
        words.add_integer(16, arguments.len() as u64);
        let values = parameters.iter().filter(|parameter| self.is_value_argument(parameter, &arguments)).count() as u64;
        let flag = |flag, is_set: bool| if is_set { flag } else { 0 };
        let inverses = flag(HAS_CONDITIONAL_INVERSES, !conditional.is_empty());
        let packs = self.described_packs(signature, &arguments);
        words.add_integer(16, flag(HAS_PACKS, !packs.is_empty()) | inverses | flag(HAS_VALUES, values > 0));
        self.add_parameters(words, parameters, &arguments);
        self.add_requirements(words, &requirements, Some(signature))?;
        self.add_pack_shapes(words, signature, &packs);
        self.add_conditional_inverses(words, conditional)?;
        if values > 0 {
            words.add_integer(32, values);
            (0..values).for_each(|_| words.add_integer(32, INT_VALUE));
        }
        Ok(())
    }

    /// Returns the generic arguments that are packs: kind, index, index of the shape.
    pub(super) fn described_packs(&self, signature: SignatureId, arguments: &[GenericRequirement]) -> Vec<[u64; 3]> {
        let shapes = self.shapes_of(signature);
        let pack = |(number, argument): (usize, &GenericRequirement)| {
            let kind = match argument {
                GenericRequirement::Shape(_) => return None,
                GenericRequirement::Metadata(_) => METADATA_PACK,
                GenericRequirement::WitnessTable(..) => WITNESS_TABLE_PACK,
            };
            let shape = self.shape_of_pack(argument.subject(), signature)?;
            let shape = shapes.iter().position(|known| *known == shape)?;
            Some([kind, number as u64, shape as u64])
        };
        arguments.iter().enumerate().filter_map(pack).collect()
    }

    /// Adds the numbers of packs and shapes, then each pack (`GenericPackShapeHeader`, `GenericPackShapeDescriptor`).
    fn add_pack_shapes(&self, words: &mut ConstantStruct, signature: SignatureId, packs: &[[u64; 3]]) {
        if packs.is_empty() {
            return;
        }
        words.add_integer(16, packs.len() as u64);
        words.add_integer(16, self.shapes_of(signature).len() as u64);
        add_packs(words, packs);
    }

    /// Returns whether metadata has a word for an integer parameter.
    fn is_value_argument(&self, parameter: &GenericParameter, arguments: &[GenericRequirement]) -> bool {
        let ty = self.type_of_parameter(parameter);
        let is_argument = arguments.iter().any(|argument| argument.is_metadata_of(ty));
        is_argument && matches!(parameter.kind, GenericParameterKind::Value(_))
    }

    /// The requirements of a signature (`TargetGenericEnvironment`): the numbers of levels and requirements, the number
    /// of parameters up to each level, the parameters, the requirements.
    pub(super) fn generic_environment(&self, signature: SignatureId) -> Generated<ConstantStruct> {
        let parameters = &self.sil.context.get_signature(signature).parameters;
        if parameters.iter().any(|parameter| parameter.kind == GenericParameterKind::Pack) {
            return Err(Box::new(unsupported_without_place("key paths in terms of packs")));
        }
        let arguments = self.generic_requirements(signature)?;
        let requirements = self.described_requirements(signature)?;
        let levels = parameters.chunk_by(|one, other| one.depth == other.depth);
        let counts = levels.scan(0, |count, level| {
            *count += level.len() as u64;
            Some(*count)
        });
        let counts: Vec<u64> = counts.collect();
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, counts.len() as u64 | (requirements.len() as u64) << REQUIREMENTS_SHIFT);
        counts.iter().for_each(|count| words.add_integer(16, *count));
        self.add_parameters(&mut words, parameters, &arguments);
        self.add_requirements(&mut words, &requirements, Some(signature))?;
        Ok(words)
    }

    fn type_of_parameter(&self, parameter: &GenericParameter) -> TypeId {
        self.sil.context.ty(Type::GenericParameter { depth: parameter.depth, index: parameter.index })
    }

    fn add_parameters(
        &self,
        words: &mut ConstantStruct,
        parameters: &[GenericParameter],
        arguments: &[GenericRequirement],
    ) {
        for parameter in parameters {
            let ty = self.type_of_parameter(parameter);
            let is_argument = arguments.iter().any(|argument| argument.is_metadata_of(ty));
            let kind = match parameter.kind {
                GenericParameterKind::Type => 0,
                GenericParameterKind::Pack => PACK_PARAMETER,
                GenericParameterKind::Value(_) => VALUE_PARAMETER,
            };
            words.add_integer(8, kind | if is_argument { HAS_KEY_ARGUMENT } else { 0 });
        }
        words.align_to(4);
    }

    /// The invertible protocols that `nominal` conforms to if the requirements of a signature hold.
    pub(super) fn conditional_inverses(&self, nominal: NominalId) -> Vec<(Inverse, SignatureId)> {
        let declaration = self.sil.declarations.get(nominal);
        let condition = |inverse| match self.types.queries.invertible(declaration, inverse) {
            Invertible::Conditionally(condition) => Some((inverse, condition)),
            Invertible::Always | Invertible::Never => None,
        };
        [Inverse::Copyable, Inverse::Escapable].into_iter().filter_map(condition).collect()
    }

    /// Adds the protocols, the cumulated numbers of requirements, and the requirements.
    fn add_conditional_inverses(
        &self,
        words: &mut ConstantStruct,
        conditional: &[(Inverse, SignatureId)],
    ) -> Generated<()> {
        if conditional.is_empty() {
            return Ok(());
        }
        words.add_integer(16, conditional.iter().fold(0, |bits, (inverse, _)| bits | inverse_bit(*inverse)));
        let mut requirements = Vec::new();
        let mut counts = Vec::new();
        for (_, condition) in conditional {
            let own = self.described_requirements(*condition)?.into_iter();
            requirements.push(own.filter(is_about_inverses).collect::<Vec<_>>());
            counts.push(requirements.iter().map(Vec::len).sum::<usize>());
        }
        counts.iter().for_each(|count| words.add_integer(16, *count as u64));
        words.align_to(4);
        for ((_, condition), requirements) in conditional.iter().zip(&requirements) {
            self.add_requirements(words, requirements, Some(*condition))?;
        }
        Ok(())
    }

    /// Returns the requirements of a signature in canonical order that the runtime knows.
    pub(super) fn described_requirements(&self, signature: SignatureId) -> Generated<Vec<DescribedRequirement>> {
        let generics = self.types.queries.generics();
        let signature = generics.canonical_signature(signature).unwrap_or(signature);
        let requirements = &self.sil.context.get_signature(signature).requirements;
        self.known_to_runtime(requirements, Some(signature))
    }

    /// Returns the `requirements` that the runtime knows: marker protocols only concern the compiler. Inverse
    /// requirements come last, in the order of the parameters of `signature`; without a signature, they concern `Self`.
    pub(super) fn known_to_runtime(
        &self,
        requirements: &[Requirement],
        signature: Option<SignatureId>,
    ) -> Generated<Vec<DescribedRequirement>> {
        let mut known = Vec::new();
        let mut inverted: Vec<(u64, TypeId, u64)> = Vec::new();
        for requirement in requirements {
            match requirement {
                Requirement::Conformance { subject, constraint } => {
                    let subject = self.bare_pack(*subject);
                    let queries = self.types.queries;
                    let inverses = queries.protocols_in(*constraint).into_iter();
                    let inverses = inverses.filter_map(|protocol| queries.inverse_of(protocol));
                    known.extend(
                        inverses.map(|inverse| DescribedRequirement::Invertible(subject, inverse_bit(inverse))),
                    );
                    let protocols = self.types.witness_table_protocols(*constraint).into_iter();
                    known.extend(protocols.map(|protocol| DescribedRequirement::Conformance(subject, protocol)));
                }
                Requirement::SameType { first, second } => {
                    known.push(DescribedRequirement::SameType(self.bare_pack(*first), *second));
                }
                Requirement::Superclass { subject, superclass } => {
                    known.push(DescribedRequirement::Superclass(self.bare_pack(*subject), *superclass));
                }
                Requirement::Layout { subject, constraint: LayoutConstraint::Class(_) } => {
                    known.push(DescribedRequirement::Class(self.bare_pack(*subject)));
                }
                Requirement::Inverse { subject, inverse } => {
                    // The runtime has no inverse requirements on members of parameters.
                    let Some(number) = self.parameter_number(*subject, signature) else { continue };
                    match inverted.iter_mut().find(|known| known.0 == number) {
                        Some(known) => known.2 |= inverse_bit(*inverse),
                        None => inverted.push((number, *subject, inverse_bit(*inverse))),
                    }
                }
                Requirement::Layout { .. } => {
                    let what = "descriptors with parameters of a given layout";
                    return Err(Box::new(unsupported_without_place(what)));
                }
            }
        }
        inverted.sort();
        let inverted = inverted.into_iter();
        known.extend(inverted.map(|(number, subject, bits)| DescribedRequirement::Inverted(subject, number, bits)));
        Ok(known)
    }

    /// Returns the index of the parameter of `signature` that the type is.
    fn parameter_number(&self, ty: TypeId, signature: Option<SignatureId>) -> Option<u64> {
        let Type::GenericParameter { depth, index } = *self.types.queries.get(self.types.queries.canonical_type(ty))
        else {
            return None;
        };
        let Some(signature) = signature else { return Some(u64::from(index)) };
        let parameters = &self.sil.context.get_signature(signature).parameters;
        let number = parameters.iter().position(|parameter| (parameter.depth, parameter.index) == (depth, index))?;
        Some(number as u64)
    }

    /// Returns whether `ty` is a parameter of `signature` that is an integer.
    fn is_value_parameter(&self, ty: TypeId, signature: Option<SignatureId>) -> bool {
        let Some((signature, number)) = signature.zip(self.parameter_number(ty, signature)) else { return false };
        let parameter = self.sil.context.get_signature(signature).parameters.get(number as usize);
        parameter.is_some_and(|parameter| matches!(parameter.kind, GenericParameterKind::Value(_)))
    }

    /// Adds each requirement: flags, the subject, the constraint, in terms of the parameters of `signature`.
    pub(super) fn add_requirements(
        &self,
        words: &mut ConstantStruct,
        requirements: &[DescribedRequirement],
        signature: Option<SignatureId>,
    ) -> Generated<()> {
        let name = |ty: TypeId| self.name_of_type(ty, signature);
        let about = |subject| match signature.and_then(|signature| self.shape_of_pack(subject, signature)) {
            Some(_) => IS_ABOUT_PACK,
            None if self.is_value_parameter(subject, signature) => IS_ABOUT_VALUE,
            None => 0,
        };
        for requirement in requirements {
            match *requirement {
                DescribedRequirement::Conformance(subject, protocol) => {
                    words.add_integer(32, PROTOCOL_REQUIREMENT | HAS_KEY_ARGUMENT | about(subject));
                    words.add_relative(name(subject));
                    words.add_relative(Entity::OfNominal(NominalPart::Descriptor, protocol));
                }
                DescribedRequirement::SameType(first, second) => {
                    words.add_integer(32, SAME_TYPE_REQUIREMENT | about(first));
                    words.add_relative(name(first));
                    words.add_relative(name(second));
                }
                DescribedRequirement::Superclass(subject, superclass) => {
                    words.add_integer(32, BASE_CLASS_REQUIREMENT | about(subject));
                    words.add_relative(name(subject));
                    words.add_relative(name(superclass));
                }
                DescribedRequirement::Inverted(subject, number, protocols) => {
                    words.add_integer(32, INVERTED_REQUIREMENT | about(subject));
                    words.add_relative(name(subject));
                    words.add_integer(16, number);
                    words.add_integer(16, protocols);
                }
                DescribedRequirement::Invertible(subject, protocols) => {
                    words.add_integer(32, INVERTED_REQUIREMENT);
                    words.add_relative(name(subject));
                    words.add_integer(16, NO_PARAMETER);
                    words.add_integer(16, !protocols & 0xFFFF);
                }
                DescribedRequirement::Class(subject) => {
                    words.add_integer(32, LAYOUT_REQUIREMENT | about(subject));
                    words.add_relative(name(subject));
                    words.add_integer(32, CLASS_LAYOUT);
                }
            }
        }
        Ok(())
    }
}

/// Adds kind, index and shape of each pack, without further words.
pub(super) fn add_packs(words: &mut ConstantStruct, packs: &[[u64; 3]]) {
    for pack in packs {
        pack.iter().for_each(|number| words.add_integer(16, *number));
        words.add_integer(16, 0);
    }
}

/// Returns whether a requirement concerns invertible protocols.
fn is_about_inverses(requirement: &DescribedRequirement) -> bool {
    matches!(requirement, DescribedRequirement::Inverted(..) | DescribedRequirement::Invertible(..))
}

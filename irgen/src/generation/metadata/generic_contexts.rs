//! What descriptors say of generic parameters (include/swift/ABI/GenericContext.h): how many there are, which of them metadata have, and
//! what is required of them.

use sil::context::{
    GenericParameter, GenericParameterKind, LayoutConstraint, NominalId, Requirement, SignatureId, TypeId,
};
use sil::declarations::parameter_as_argument;

use crate::generation::constants::ConstantStruct;
use crate::generation::polymorphic::GenericRequirement;
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::refusal::{Generated, unsupported_without_place};

/// What metadata have a word for: a type parameter, or the witness table of a requirement (`GenericParamDescriptor`,
/// `GenericRequirementFlags`).
const HAS_KEY_ARGUMENT: u64 = 0x80;

/// Kinds of requirements (`GenericRequirementKind`).
const PROTOCOL_REQUIREMENT: u64 = 0;
const SAME_TYPE_REQUIREMENT: u64 = 1;
const BASE_CLASS_REQUIREMENT: u64 = 2;
const LAYOUT_REQUIREMENT: u64 = 0x1F;

/// Where the number of requirements stands in the flags of a generic environment (`GenericEnvironmentFlags`).
const REQUIREMENTS_SHIFT: u32 = 12;

/// The only layout that is required of types: they are classes.
const CLASS_LAYOUT: u64 = 0;

/// A requirement that the runtime knows.
#[derive(Clone, Debug)]
pub(in crate::generation) enum DescribedRequirement {
    /// The type conforms to the protocol.
    Conformance(TypeId, NominalId),
    /// The types are the same.
    SameType(TypeId, TypeId),
    /// The first type is the second one or inherits from it.
    Superclass(TypeId, TypeId),
    /// The type is a class.
    Class(TypeId),
}

impl IRGenModule<'_, '_> {
    /// The numbers of parameters, requirements and generic arguments, flags, the parameters, the requirements.
    pub(super) fn add_generic_context(&self, words: &mut ConstantStruct, signature: SignatureId) -> Generated<()> {
        let parameters = &self.sil.context.get_signature(signature).parameters;
        if parameters.iter().any(|parameter| parameter.kind != GenericParameterKind::Type) {
            return Err(Box::new(unsupported_without_place("metadata of types with packs or integers as parameters")));
        }
        let arguments = self.generic_requirements(signature)?;
        let requirements = self.described_requirements(signature)?;
        words.add_integer(16, parameters.len() as u64);
        words.add_integer(16, requirements.len() as u64);
        words.add_integer(16, arguments.len() as u64);
        words.add_integer(16, 0);
        self.add_parameters(words, parameters, &arguments);
        self.add_requirements(words, &requirements, Some(signature))
    }

    /// What a signature requires (`TargetGenericEnvironment`): how many levels and requirements there are, how many parameters up to each
    /// level, the parameters, the requirements.
    pub(super) fn generic_environment(&self, signature: SignatureId) -> Generated<ConstantStruct> {
        let parameters = &self.sil.context.get_signature(signature).parameters;
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

    fn add_parameters(
        &self,
        words: &mut ConstantStruct,
        parameters: &[GenericParameter],
        arguments: &[GenericRequirement],
    ) {
        for parameter in parameters {
            let ty = parameter_as_argument(&self.sil.context, parameter);
            let is_argument = arguments.iter().any(|argument| argument.is_metadata_of(ty));
            words.add_integer(8, if is_argument { HAS_KEY_ARGUMENT } else { 0 });
        }
        words.align_to(4);
    }

    /// The requirements of a signature in canonical order, as far as the runtime knows them.
    pub(super) fn described_requirements(&self, signature: SignatureId) -> Generated<Vec<DescribedRequirement>> {
        let generics = self.types.queries.generics();
        let signature = generics.canonical_signature(signature).unwrap_or(signature);
        let requirements = &self.sil.context.get_signature(signature).requirements;
        self.known_to_runtime(requirements)
    }

    /// Those of `requirements` that the runtime knows: marker protocols are of the compiler alone.
    pub(super) fn known_to_runtime(&self, requirements: &[Requirement]) -> Generated<Vec<DescribedRequirement>> {
        let mut known = Vec::new();
        for requirement in requirements {
            match requirement {
                Requirement::Conformance { subject, constraint } => {
                    let protocols = self.types.witness_table_protocols(*constraint).into_iter();
                    known.extend(protocols.map(|protocol| DescribedRequirement::Conformance(*subject, protocol)));
                }
                Requirement::SameType { first, second } => known.push(DescribedRequirement::SameType(*first, *second)),
                Requirement::Superclass { subject, superclass } => {
                    known.push(DescribedRequirement::Superclass(*subject, *superclass));
                }
                Requirement::Layout { subject, constraint: LayoutConstraint::Class(_) } => {
                    known.push(DescribedRequirement::Class(*subject));
                }
                Requirement::Inverse { .. } | Requirement::Layout { .. } => {
                    let what = "descriptors with noncopyable parameters or parameters of a given layout";
                    return Err(Box::new(unsupported_without_place(what)));
                }
            }
        }
        Ok(known)
    }

    /// Each requirement: flags, the subject, what it is required to be, in terms of the parameters of `signature`.
    pub(super) fn add_requirements(
        &self,
        words: &mut ConstantStruct,
        requirements: &[DescribedRequirement],
        signature: Option<SignatureId>,
    ) -> Generated<()> {
        let name = |ty: TypeId| self.name_of_type(ty, signature);
        for requirement in requirements {
            match *requirement {
                DescribedRequirement::Conformance(subject, protocol) => {
                    words.add_integer(32, PROTOCOL_REQUIREMENT | HAS_KEY_ARGUMENT);
                    words.add_relative(name(subject));
                    words.add_relative(Entity::OfNominal(NominalPart::Descriptor, protocol));
                }
                DescribedRequirement::SameType(first, second) => {
                    words.add_integer(32, SAME_TYPE_REQUIREMENT);
                    words.add_relative(name(first));
                    words.add_relative(name(second));
                }
                DescribedRequirement::Superclass(subject, superclass) => {
                    words.add_integer(32, BASE_CLASS_REQUIREMENT);
                    words.add_relative(name(subject));
                    words.add_relative(name(superclass));
                }
                DescribedRequirement::Class(subject) => {
                    words.add_integer(32, LAYOUT_REQUIREMENT);
                    words.add_relative(name(subject));
                    words.add_integer(32, CLASS_LAYOUT);
                }
            }
        }
        Ok(())
    }
}

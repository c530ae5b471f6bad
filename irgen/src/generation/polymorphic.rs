//! The generic arguments of functions: the metadata and witness tables that their signature requires, unless other
//! arguments provide them (lib/IRGen/GenProto.cpp, `PolymorphicConvention`; lib/IRGen/Fulfillment.cpp). Both sides of a
//! call compute it.

use sil_ir::context::{
    FunctionType, MetatypeRepresentation, NominalId, ParameterConvention, Representation, SignatureId,
    SubstitutionMapId, Type, TypeId,
};

use super::IRGenModule;
use super::native::NativeSchema;
use crate::layout::TypeLayout;
use crate::refusal::Generated;

/// A requirement that the runtime knows.
#[derive(Clone, Debug)]
pub(super) enum DescribedRequirement {
    /// The type conforms to the protocol.
    Conformance(TypeId, NominalId),
    /// The types are the same.
    SameType(TypeId, TypeId),
    /// The first type is the second one or inherits from it.
    Superclass(TypeId, TypeId),
    /// The type is a class.
    Class(TypeId),
    /// The type, a parameter with this index, need not conform to these protocols.
    Inverted(TypeId, u64, u64),
    /// The type conforms to these protocols, although the parameter need not.
    Invertible(TypeId, u64),
}

/// A requirement of a generic signature at run time, on its parameters and their members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GenericRequirement {
    /// The number of elements of a parameter pack, and of those with the same shape. It is passed as if it were a
    /// pointer.
    Shape(TypeId),
    /// The metadata of a type parameter; of a pack, an array of those of its elements; of an integer parameter, the
    /// integer as if it were a pointer.
    Metadata(TypeId),
    /// The witness table of a type parameter for a protocol; of a pack, an array of those of its elements.
    WitnessTable(TypeId, NominalId),
}

impl GenericRequirement {
    /// Returns the type that it concerns.
    pub fn subject(self) -> TypeId {
        match self {
            GenericRequirement::Shape(ty)
            | GenericRequirement::Metadata(ty)
            | GenericRequirement::WitnessTable(ty, _) => ty,
        }
    }

    /// Returns the same requirement on another type.
    pub fn about(self, ty: TypeId) -> Self {
        match self {
            GenericRequirement::Shape(_) => GenericRequirement::Shape(ty),
            GenericRequirement::Metadata(_) => GenericRequirement::Metadata(ty),
            GenericRequirement::WitnessTable(_, protocol) => GenericRequirement::WitnessTable(ty, protocol),
        }
    }

    /// Returns whether it is the metadata of `ty`.
    pub fn is_metadata_of(self, ty: TypeId) -> bool {
        self == GenericRequirement::Metadata(ty)
    }
}

/// The source of metadata among the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetadataSource {
    /// The object that is SIL parameter number `.0`.
    Object(usize),
    /// The metatype that is SIL parameter number `.0`.
    Metatype(usize),
    /// The metadata passed for `self`, which is an address.
    SelfAddress,
    /// The metadata passed for `Self` of a witness method.
    WitnessSelf,
    /// The word at this distance before the end of a key path component's captures.
    KeyPathArguments(u64),
    /// The word at this distance before the witness table passed for `Self`.
    BeforeWitnessTable(u64),
}

/// The fulfilment of a requirement by an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fulfillment {
    /// The requirement.
    pub requirement: GenericRequirement,
    /// The source.
    pub source: MetadataSource,
    /// The path through the metadata of the source.
    pub path: Vec<ArgumentStep>,
}

/// A step from metadata to one of its generic arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentStep {
    /// The type of the metadata.
    pub nominal: NominalId,
    /// The index of the argument.
    pub argument: usize,
}

/// The generic arguments of a function.
#[derive(Clone, Debug, Default)]
pub struct PolymorphicConvention {
    /// The type of `self`, whose metadata is passed because it fulfils other requirements.
    pub self_metadata: Option<TypeId>,
    /// The passed requirements, in this order.
    pub passed: Vec<GenericRequirement>,
    /// The requirements that other arguments fulfil.
    pub fulfilled: Vec<Fulfillment>,
}

impl PolymorphicConvention {
    fn fulfills(&self, requirement: GenericRequirement) -> bool {
        self.fulfilled.iter().any(|found| found.requirement == requirement)
    }
}

impl IRGenModule<'_, '_> {
    /// The requirements of `signature`, in the order in which metadata and functions have them.
    pub fn generic_requirements(&self, signature: SignatureId) -> Generated<Vec<GenericRequirement>> {
        let (context, queries) = (&self.sil.context, self.types.queries);
        let signature = (signature, context.get_signature(signature));
        let shapes = self.shapes_of(signature.0).into_iter();
        let mut requirements: Vec<GenericRequirement> = shapes.map(GenericRequirement::Shape).collect();
        for parameter in &signature.1.parameters {
            let ty = context.ty(Type::GenericParameter { depth: parameter.depth, index: parameter.index });
            if self.is_own_parameter(signature.0, ty) {
                requirements.push(GenericRequirement::Metadata(ty));
            }
        }
        for step in queries.required_conformances(signature.0).iter() {
            if queries.has_witness_table(step.protocol) {
                let subject = self.bare_pack(queries.canonical_type(step.subject));
                requirements.push(GenericRequirement::WitnessTable(subject, step.protocol));
            }
        }
        Ok(requirements)
    }

    /// Returns whether no requirement of `signature` equates its parameter `ty` with another type.
    fn is_own_parameter(&self, signature: SignatureId, ty: TypeId) -> bool {
        let generics = self.types.queries.generics();
        if generics.keeps_parameters(signature) {
            return true;
        }
        let machine = generics.machine(signature);
        machine.reduced_parameter(&generics, ty).is_none_or(|reduced| reduced == ty)
            && machine.bounds(&generics, ty).concrete.is_none()
    }

    /// Returns the convention for parameters bound to classes, which nothing else fulfils: metadata, then witness
    /// tables.
    pub(super) fn polymorphic_convention_of_classes(&self, ty: TypeId) -> Generated<PolymorphicConvention> {
        let Some((function, signature)) = self.generic_function(ty) else {
            return Ok(PolymorphicConvention::default());
        };
        let (context, queries) = (&self.sil.context, self.types.queries);
        for parameter in &context.get_signature(signature).parameters {
            let parameter = context.ty(Type::GenericParameter { depth: parameter.depth, index: parameter.index });
            if !queries.properties(parameter, Some(signature)).is_reference() {
                return Err(self.unsupported_type(ty));
            }
        }
        if matches!(function.representation, Representation::WitnessMethod(_)) {
            return Ok(PolymorphicConvention::default());
        }
        let passed = self.generic_requirements(signature)?;
        Ok(PolymorphicConvention { passed, ..PolymorphicConvention::default() })
    }

    /// The convention of normal Swift.
    pub(super) fn polymorphic_convention_of(&self, ty: TypeId) -> Generated<PolymorphicConvention> {
        let Some((function, signature)) = self.generic_function(ty) else {
            return Ok(PolymorphicConvention::default());
        };
        let mut convention = PolymorphicConvention::default();
        if is_key_path_accessor(function) {
            convention.fulfilled = self.generic_arguments_in_key_path(signature)?;
            return Ok(convention);
        }
        match function.representation {
            Representation::WitnessMethod(protocol) => {
                self.add_witness_self(function, signature, protocol, &mut convention)?
            }
            Representation::ObjCMethod => {}
            _ => self.add_sources(function, signature, &mut convention)?,
        }
        for requirement in self.generic_requirements(signature)? {
            let is_self = match function.representation {
                Representation::WitnessMethod(protocol) => self.is_witness_self(function, protocol, requirement),
                _ => false,
            };
            if !is_self && !convention.fulfills(requirement) {
                convention.passed.push(requirement);
            }
        }
        Ok(convention)
    }

    /// Returns the fulfilments by the generic arguments of a pattern, which are stored after the captures of a
    /// component.
    fn generic_arguments_in_key_path(&self, signature: SignatureId) -> Generated<Vec<Fulfillment>> {
        let requirements = self.generic_requirements(signature)?;
        let count = requirements.len() as u64;
        let fulfillment = |(number, requirement)| {
            let source = MetadataSource::KeyPathArguments(count - number as u64);
            Fulfillment { requirement, source, path: Vec::new() }
        };
        Ok(requirements.into_iter().enumerate().map(fulfillment).collect())
    }

    fn generic_function(&self, ty: TypeId) -> Option<(&FunctionType, SignatureId)> {
        match self.types.queries.get(ty) {
            Type::Function(function) => Some((function, function.signature?)),
            _ => None,
        }
    }

    /// Returns whether `requirement` is an argument of a witness method by which the method is found.
    fn is_witness_self(&self, function: &FunctionType, protocol: NominalId, requirement: GenericRequirement) -> bool {
        let Some(this) = self.self_instance(function) else { return false };
        match requirement {
            GenericRequirement::Shape(_) => false,
            GenericRequirement::Metadata(ty) => ty == this,
            GenericRequirement::WitnessTable(ty, required) => ty == this && required == protocol,
        }
    }

    /// Returns the type of `self`, or its instance type if it is a metatype.
    pub(super) fn self_instance(&self, function: &FunctionType) -> Option<TypeId> {
        let queries = self.types.queries;
        let mut ty = function.parameters.last()?.ty;
        while let Type::Metatype { instance, .. } = queries.get(ty) {
            ty = *instance;
        }
        Some(queries.canonical_type(ty))
    }

    /// Returns the type and the protocol of a witness method of type `ty`, by its `self`: a witness that is called
    /// directly still expects `Self` as passed by a lookup. Not needed if generic functions have no code.
    pub(crate) fn witness_self(&self, ty: TypeId, substitutions: SubstitutionMapId) -> Option<(TypeId, NominalId)> {
        let queries = self.types.queries;
        let called = queries.conventions(ty).filter(|_| self.program.mode.emits_generic_functions())?.function;
        let Representation::WitnessMethod(protocol) = called.representation else { return None };
        let this = self.self_instance(called)?;
        Some((queries.canonical_type(queries.substitute(this, substitutions)), protocol))
    }

    /// Fulfils all arguments of `Self` in a witness method by the metadata of `Self`.
    fn add_witness_self(
        &self,
        function: &FunctionType,
        signature: SignatureId,
        protocol: NominalId,
        convention: &mut PolymorphicConvention,
    ) -> Generated<()> {
        let Some(this) = self.self_instance(function) else { return Ok(()) };
        self.add_arguments(this, signature, MetadataSource::WitnessSelf, convention)?;
        let queries = self.types.queries;
        let conforming = self.conforming_class(this, signature).unwrap_or(this);
        // Conditions are in terms of the parameters of the conforming type. Those of a class follow `Self`.
        let arguments = queries.as_nominal(conforming).filter(|_| conforming != this);
        let arguments = arguments.map_or(SubstitutionMapId::EMPTY, |class| queries.nominal_substitutions(class));
        for (number, (subject, required)) in self.conditional_tables_of(conforming, protocol)?.into_iter().enumerate() {
            let subject = queries.canonical_type(queries.substitute(subject, arguments));
            let requirement = GenericRequirement::WitnessTable(subject, required);
            if !convention.fulfills(requirement) {
                let source = MetadataSource::BeforeWitnessTable(number as u64 + 1);
                convention.fulfilled.push(Fulfillment { requirement, source, path: Vec::new() });
            }
        }
        Ok(())
    }

    /// Returns the class that `this`, the `Self` of a witness method, is a subclass of: a class conforms for all of its
    /// subclasses. None if `this` is no type parameter.
    fn conforming_class(&self, this: TypeId, signature: SignatureId) -> Option<TypeId> {
        let queries = self.types.queries;
        if !queries.is_type_parameter(this) {
            return None;
        }
        let generics = queries.generics();
        let superclass = generics.machine(signature).bounds(&generics, this).superclass;
        superclass.map(|class| queries.canonical_type(class))
    }

    /// Adds the sources, `self` first, then the other parameters: objects and thick metatypes provide metadata; an
    /// address of `self` does not, so its metadata is passed if it fulfils a requirement.
    fn add_sources(
        &self,
        function: &FunctionType,
        signature: SignatureId,
        convention: &mut PolymorphicConvention,
    ) -> Generated<()> {
        let is_method = matches!(function.representation, Representation::Method | Representation::WitnessMethod(_));
        let own = function.parameters.len().checked_sub(1).filter(|_| is_method);
        let others = (0..function.parameters.len()).filter(|index| Some(*index) != own);
        for index in own.into_iter().chain(others) {
            self.add_source(function, signature, index, own == Some(index), convention)?;
        }
        Ok(())
    }

    fn add_source(
        &self,
        function: &FunctionType,
        signature: SignatureId,
        index: usize,
        is_self: bool,
        convention: &mut PolymorphicConvention,
    ) -> Generated<()> {
        use ParameterConvention::*;
        let queries = self.types.queries;
        let parameter = function.parameters[index];
        let ty = queries.canonical_type(parameter.ty);
        match parameter.convention {
            In | InConstant | InGuaranteed | InCxx | InOut | InOutAliasable
                if is_self && !queries.is_type_parameter(ty) =>
            {
                self.add_self_address(ty, signature, convention)
            }
            Owned | Unowned | Guaranteed if is_self && self.is_too_large(ty, signature)? => {
                self.add_self_address(ty, signature, convention)
            }
            Owned | Unowned | Guaranteed => match queries.get(ty) {
                Type::Metatype { instance, representation: Some(MetatypeRepresentation::Thick) } => {
                    self.add_arguments(*instance, signature, MetadataSource::Metatype(index), convention)
                }
                Type::GenericParameter { .. } => {
                    self.add_arguments(ty, signature, MetadataSource::Object(index), convention)
                }
                _ if queries.is_class(ty) => {
                    self.add_arguments(ty, signature, MetadataSource::Object(index), convention)
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Adds the paths through the metadata of a `self` that is an address; the metadata is passed if there are any.
    fn add_self_address(
        &self,
        ty: TypeId,
        signature: SignatureId,
        convention: &mut PolymorphicConvention,
    ) -> Generated<()> {
        let before = convention.fulfilled.len();
        self.add_arguments(ty, signature, MetadataSource::SelfAddress, convention)?;
        if convention.fulfilled.len() > before {
            convention.self_metadata = Some(ty);
        }
        Ok(())
    }

    /// Returns whether a value of a struct or enum is too large for registers: it is passed by address, and its generic
    /// arguments are found like those of an address (lib/IRGen/LoadableByAddress.cpp).
    fn is_too_large(&self, ty: TypeId, signature: SignatureId) -> Generated<bool> {
        if !matches!(self.types.queries.get(ty), Type::Nominal(_)) || self.types.queries.is_class(ty) {
            return Ok(false);
        }
        match self.types.layout(self.types.erased(ty, Some(signature)))? {
            TypeLayout::Fixed(info) => Ok(NativeSchema::of(self, &info).is_none()),
            TypeLayout::Dynamic(_) => Ok(false),
        }
    }

    /// Adds the generic arguments of the nominal type `ty` that are type parameters, recursively; for a type parameter
    /// of `signature`, those of its superclass.
    fn add_arguments(
        &self,
        ty: TypeId,
        signature: SignatureId,
        source: MetadataSource,
        convention: &mut PolymorphicConvention,
    ) -> Generated<()> {
        self.add_arguments_after(ty, signature, source, &[], convention)
    }

    /// The same for metadata at the end of `path`.
    fn add_arguments_after(
        &self,
        ty: TypeId,
        signature: SignatureId,
        source: MetadataSource,
        path: &[ArgumentStep],
        convention: &mut PolymorphicConvention,
    ) -> Generated<()> {
        let queries = self.types.queries;
        if queries.is_type_parameter(ty) {
            let generics = queries.generics();
            let superclass = generics.machine(signature).bounds(&generics, ty).superclass;
            return superclass.map_or(Ok(()), |superclass| {
                self.add_arguments_after(queries.canonical_type(superclass), signature, source, path, convention)
            });
        }
        let Some(nominal) = queries.as_nominal(ty).filter(|_| queries.is_dependent(ty)) else { return Ok(()) };
        let Some(declared) = queries.declarations.get(nominal.declaration).signature else { return Ok(()) };
        let substitutions = queries.nominal_substitutions(nominal);
        for (argument, requirement) in self.generic_requirements(declared)?.into_iter().enumerate() {
            let replaced = |ty| queries.canonical_type(queries.substitute(ty, substitutions));
            let replacement = replaced(requirement.subject());
            let is_shape = matches!(requirement, GenericRequirement::Shape(_));
            let subject = match self.whole_pack(replacement, signature) {
                Some(pack) if is_shape => self.shape_of_pack(pack, signature).unwrap_or(pack),
                Some(pack) => pack,
                None if is_shape => continue,
                None => replacement,
            };
            let requirement = requirement.about(subject);
            let step = ArgumentStep { nominal: nominal.declaration, argument };
            let path: Vec<ArgumentStep> = path.iter().copied().chain([step]).collect();
            if queries.is_type_parameter(subject) {
                if convention.fulfills(requirement) {
                    continue;
                }
                convention.fulfilled.push(Fulfillment { requirement, source, path: path.clone() });
            }
            if matches!(requirement, GenericRequirement::Metadata(_)) {
                self.add_arguments_after(subject, signature, source, &path, convention)?;
            }
        }
        Ok(())
    }
}

fn is_key_path_accessor(function: &FunctionType) -> bool {
    use Representation::*;
    matches!(function.representation, KeyPathGetter | KeyPathSetter | KeyPathEquals | KeyPathHash)
}

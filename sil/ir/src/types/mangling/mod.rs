//! Types and declarations as trees of symbols (docs/ABI/Mangling.rst, "Types"), of which the symbols of IRGen's
//! entities are mangled. Members of types are in `members`. Symbols of functions and globals are in the SIL text
//! already.

mod derivatives;
mod lowered;
mod members;
mod opaque;

use crate::context::{Name, NominalId, SignatureId, TypeId};
use crate::declarations::{CNameSpace, LocalOrigin, NominalDeclaration, NominalKind, Origin};
use crate::symbols::{
    Builtin, Differentiability as Differentiable, FunctionKind, Implicit, Kind, MetatypeRepresentation as Represented,
    NodeId, Nominal, Operation, Pack, Reference, Tree, add_described_type, is_standard_type, module_in_symbols,
};

use super::{
    BuiltinType, Differentiability, FormalFunctionType, FormalParameter, FormalSpecifier, FunctionAttribute,
    GenericParameter, GenericParameterKind, MetatypeRepresentation, NominalType, ParameterOption, Representation,
    Requirement, StorageKind, Throws, TupleElement, Type, TypeQueries, Variadic, VectorElement,
};

/// The target of a reference in the name of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Referred {
    /// The descriptor of a nominal type or a protocol.
    Nominal(NominalId),
    /// The shape of this type ([`ExistentialShape::ty`]).
    Shape(TypeId),
    /// The descriptor of the opaque types of the declaration with this symbol.
    Opaque(Name),
}

/// The requirement of a conditional conformance on a parameter of its type or a member of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// It conforms to the protocol.
    Conformance(TypeId, NominalId),
    /// It is this type.
    SameType(TypeId, TypeId),
    /// It is or inherits from this class.
    Superclass(TypeId, TypeId),
}

/// Makes the trees of types. A type without a tree here, or without a mangling, gives none.
pub struct SymbolTypes<'q> {
    queries: &'q TypeQueries<'q>,
    tree: &'q mut Tree,
    referred: Option<&'q mut Vec<Referred>>,
    /// The protocol or the class whose member is mangled.
    member_of: Option<NominalId>,
    /// The type that the member is named after, if it is another one.
    declared_in: Option<NominalId>,
    /// The signature that type parameters belong to: it determines which protocol declares a member of one.
    signature: Option<SignatureId>,
    equalities: Equalities,
    reader: Reader,
}

/// The reader of the mangled name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reader {
    /// Linkers: it is a symbol.
    Linker,
    /// The runtime, which knows nothing of protocols that are of the compiler alone.
    Runtime,
}

/// The treatment of types of members that their signature makes the same as others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Equalities {
    /// The simplest of them takes the place of all.
    Applied,
    /// They stay as they are: in the requirements that state so.
    Stated,
}

impl<'q> SymbolTypes<'q> {
    /// Adds nodes to `tree`.
    pub fn new(queries: &'q TypeQueries<'q>, tree: &'q mut Tree) -> Self {
        let (referred, member_of, declared_in, signature) = (None, None, None, None);
        Self {
            queries,
            tree,
            referred,
            member_of,
            declared_in,
            signature,
            equalities: Equalities::Applied,
            reader: Reader::Linker,
        }
    }

    /// The same with references to the descriptors of nominal types in the place of their names, except for those that
    /// have letters of their own, and to the shapes of constrained existentials (lib/IRGen/IRGenMangler.cpp,
    /// `withSymbolicReferences`). The number of a reference is that of its target in `referred`.
    pub fn with_references(mut self, referred: &'q mut Vec<Referred>) -> Self {
        self.referred = Some(referred);
        self.for_runtime()
    }

    /// The same for names that the runtime reads.
    pub fn for_runtime(mut self) -> Self {
        self.reader = Reader::Runtime;
        self
    }

    /// The same for a member that is named after `nominal` instead of the protocol that declares it.
    pub fn as_member_of(mut self, nominal: Option<NominalId>) -> Self {
        self.declared_in = nominal;
        self
    }

    /// The same for types in terms of the parameters of `signature`.
    pub fn with_signature(mut self, signature: Option<SignatureId>) -> Self {
        self.signature = signature;
        self
    }

    /// The way from `Self` of `protocol` to its member `subject`.
    pub fn associated_type_path(&mut self, subject: TypeId, protocol: NominalId) -> Option<NodeId> {
        let constraint = self.queries.context.ty(Type::Protocol { protocol, arguments: Box::default() });
        let generics = self.queries.generics();
        let of_self = generics.existential_signature(constraint);
        let mut names = Vec::new();
        let mut next = subject;
        while let Type::DependentMember { base, member, protocol: declaring } = *self.queries.get(next) {
            let first = generics.declaring_protocol(of_self, base, member);
            names.push(self.associated_type(member, first.or(declaring).unwrap_or(protocol))?);
            next = base;
        }
        names.reverse();
        (!names.is_empty()).then(|| self.tree.add(Kind::AssociatedTypePath, &names))
    }

    /// The associated type `name` of `protocol`.
    pub fn associated_type(&mut self, name: Name, protocol: NominalId) -> Option<NodeId> {
        let (name, protocol) = (self.identifier(name), self.protocol(protocol)?);
        Some(self.tree.add(Kind::AssociatedTypeName, &[name, protocol]))
    }

    /// The nominal type that `id` declares, without arguments.
    pub fn declared(&mut self, id: NominalId) -> NodeId {
        let nominal = self.nominal(id);
        self.wrap(nominal)
    }

    /// The function that frees objects of the class that `id` declares.
    pub fn deallocator(&mut self, id: NominalId) -> NodeId {
        let class = self.nominal(id);
        self.tree.add(Kind::Implicit(Implicit::Deallocator), &[class])
    }

    /// The conformance of `ty` to `protocol` that `module` states, under conditions on the type's parameters.
    pub fn conformance(
        &mut self,
        ty: TypeId,
        protocol: NominalId,
        module: Name,
        conditions: &[Condition],
    ) -> Option<NodeId> {
        let declared = self.queries.declaration_of(ty).and_then(|declaration| declaration.signature);
        let mut ty = self.ty(ty)?;
        if !conditions.is_empty() {
            let signature = self.conditions(declared, conditions)?;
            let content = self.tree.add(Kind::GenericType, &[signature, ty]);
            ty = self.wrap(content);
        }
        let protocol = self.protocol(protocol)?;
        let module = self.module(module);
        Some(self.tree.add(Kind::ProtocolConformance, &[ty, protocol, module]))
    }

    /// The requirements on parameters of a type with the signature `declared`. Only a single parameter without
    /// requirements in that is counted.
    fn conditions(&mut self, declared: Option<SignatureId>, conditions: &[Condition]) -> Option<NodeId> {
        let is_inverse = |requirement: &Requirement| matches!(requirement, Requirement::Inverse { .. });
        let is_single = |signature| {
            let signature = self.queries.context.get_signature(signature);
            signature.parameters.len() == 1 && signature.requirements.iter().all(is_inverse)
        };
        let mut children = Vec::new();
        if declared.is_some_and(is_single) {
            children.push(self.tree.add_index(Kind::GenericParamCount, 1));
        }
        for parameter in declared.map_or(&[][..], |declared| &self.queries.context.get_signature(declared).parameters) {
            if parameter.kind == GenericParameterKind::Pack {
                let GenericParameter { depth, index, .. } = *parameter;
                let content = self.tree.add(Kind::GenericParam { depth, index }, &[]);
                let ty = self.wrap(content);
                children.push(self.tree.add(Kind::PackMarker, &[ty]));
            }
        }
        children.extend(self.requirements(conditions)?);
        Some(self.tree.add(Kind::GenericSignature, &children))
    }

    fn requirements(&mut self, conditions: &[Condition]) -> Option<Vec<NodeId>> {
        let outer = std::mem::replace(&mut self.equalities, Equalities::Stated);
        let requirements = conditions.iter().map(|condition| self.requirement(condition)).collect();
        self.equalities = outer;
        requirements
    }

    fn requirement(&mut self, condition: &Condition) -> Option<NodeId> {
        let (kind, subject, other) = match *condition {
            Condition::Conformance(subject, protocol) => {
                (Kind::ConformanceRequirement, subject, self.protocol(protocol)?)
            }
            Condition::SameType(subject, other) => (Kind::SameTypeRequirement, subject, self.ty(other)?),
            Condition::Superclass(subject, class) => (Kind::BaseClassRequirement, subject, self.ty(class)?),
        };
        let subject = self.ty(subject)?;
        Some(self.tree.add(kind, &[subject, other]))
    }

    /// A protocol as a type.
    pub fn protocol(&mut self, id: NominalId) -> Option<NodeId> {
        let is_protocol = self.queries.declarations.get(id).kind == NominalKind::Protocol;
        is_protocol.then(|| self.nominal(id)).map(|protocol| self.wrap(protocol))
    }

    /// A type.
    pub fn ty(&mut self, ty: TypeId) -> Option<NodeId> {
        let content = self.content(ty)?;
        Some(self.wrap(content))
    }

    fn wrap(&mut self, content: NodeId) -> NodeId {
        self.tree.add(Kind::Type, &[content])
    }

    fn identifier(&mut self, name: Name) -> NodeId {
        self.tree.add_text(Kind::Identifier, self.queries.context.text(name))
    }

    fn module(&mut self, module: Name) -> NodeId {
        self.tree.add_text(Kind::Module, module_in_symbols(self.queries.context.text(module)))
    }

    /// A nominal type without its arguments.
    fn nominal(&mut self, id: NominalId) -> NodeId {
        if let Some(reference) = self.reference(id) {
            return reference;
        }
        let declaration = self.queries.declarations.get(id);
        if let Some(local) = self.local(declaration) {
            return local;
        }
        let context = match declaration.parent {
            Some(parent) => {
                let parent = self.nominal(parent);
                self.extension_of(declaration, parent).unwrap_or(parent)
            }
            None => self.module(declaration.module),
        };
        let name = self.name(declaration);
        self.tree.add(Kind::Nominal(kind_of(declaration)), &[context, name])
    }

    /// The name of a type: a private one has that of its file with it.
    fn name(&mut self, declaration: &NominalDeclaration) -> NodeId {
        let name = self.identifier(declaration.name);
        match declaration.attributes.private_to {
            Some(file) => {
                let file = self.identifier(file);
                self.tree.add(Kind::PrivateDeclName, &[file, name])
            }
            None => name,
        }
    }

    /// The extension that declares `id`; none where only the type around it, or none, is part of its name.
    pub fn extension_around(&mut self, id: NominalId) -> Option<NodeId> {
        let declaration = self.queries.declarations.get(id);
        let parent = self.nominal(declaration.parent?);
        self.extension_of(declaration, parent)
    }

    /// The extension of `parent` that declares a type, where that is one of another module's type, or one with
    /// requirements.
    fn extension_of(&mut self, declaration: &NominalDeclaration, parent: NodeId) -> Option<NodeId> {
        let extended = self.queries.declarations.get(declaration.parent?);
        let conditions = declaration
            .extension
            .map_or_else(Vec::new, |signature| extension_conditions(self.queries, signature, extended.signature));
        if conditions.is_empty() && extended.module == declaration.module {
            return None;
        }
        let module = self.module(declaration.module);
        let outer = std::mem::replace(&mut self.signature, declaration.extension);
        let signature = match conditions[..] {
            [] => None,
            _ => self.conditions(extended.signature, &conditions),
        };
        self.signature = outer;
        let parts: Vec<NodeId> = [module, parent].into_iter().chain(signature).collect();
        Some(self.tree.add(Kind::Extension, &parts))
    }

    /// A type that a function declares: the function is part of its name.
    fn local(&mut self, declaration: &NominalDeclaration) -> Option<NodeId> {
        match declaration.attributes.local?.origin {
            LocalOrigin::Descriptor(descriptor) => add_described_type(self.queries.context.text(descriptor), self.tree),
            LocalOrigin::Unknown => None,
        }
    }

    /// A type whose context is anonymous, as its symbol has it: of one that a function declares, or that is private.
    pub fn in_anonymous_context(&mut self, id: NominalId) -> Option<NodeId> {
        let declaration = self.queries.declarations.get(id);
        match declaration.attributes.local {
            Some(_) if declaration.parent.is_none() => self.local(declaration),
            _ => Some(self.nominal(id)),
        }
    }

    /// The reference to the descriptor of `id`, where it takes the place of the name. A module that is imported is
    /// reached by way of a word.
    fn reference(&mut self, id: NominalId) -> Option<NodeId> {
        let declaration = self.queries.declarations.get(id);
        let name = self.queries.context.text(declaration.name);
        let module = self.queries.context.text(declaration.module);
        let has_letters = declaration.parent.is_none() && is_standard_type(module, name);
        self.referred.as_ref().filter(|_| !has_letters)?;
        let reference = match declaration.origin {
            Origin::Module => Reference::Context,
            Origin::Imported | Origin::Named => Reference::IndirectContext,
        };
        self.reference_to(Referred::Nominal(id), reference)
    }

    fn reference_to(&mut self, target: Referred, reference: Reference) -> Option<NodeId> {
        let referred = self.referred.as_mut()?;
        let number = referred.iter().position(|known| *known == target).unwrap_or(referred.len());
        if number == referred.len() {
            referred.push(target);
        }
        Some(self.tree.add_index(Kind::SymbolicReference(reference), number as i64))
    }

    /// A constrained existential, or a metatype of one, as a reference to its shape. Which modules have the same one is
    /// not known.
    fn shape_reference(&mut self, ty: TypeId) -> Option<NodeId> {
        let shape = self.queries.existential_shape(ty)?;
        let reference = self.reference_to(Referred::Shape(shape.ty), Reference::NonUniqueExistentialShape)?;
        let mut parts = vec![self.wrap(reference)];
        for argument in shape.arguments {
            parts.push(self.ty(argument)?);
        }
        Some(self.tree.add(Kind::ExtendedExistential, &parts))
    }

    fn operation(&mut self, operation: Operation, operands: &[NodeId]) -> NodeId {
        self.tree.add(Kind::Operation(operation), operands)
    }

    fn content(&mut self, ty: TypeId) -> Option<NodeId> {
        let ty = match (self.member_of, self.signature) {
            (Some(_), Some(signature)) if self.equalities == Equalities::Applied => {
                self.queries.reduced_type(ty, signature)
            }
            _ => self.queries.canonical_type(ty),
        };
        Some(match self.queries.get(ty) {
            Type::Existential(_) | Type::ExistentialMetatype { .. }
                if self.referred.is_some() && self.queries.is_constrained_existential(ty) =>
            {
                self.shape_reference(ty)?
            }
            Type::Builtin(builtin) => self.builtin(*builtin)?,
            Type::Nominal(nominal) => self.nominal_type(nominal)?,
            Type::Tuple(elements) => self.tuple(elements)?,
            Type::FormalFunction(function) => self.function(function)?,
            Type::Metatype { instance, representation } => self.metatype(Kind::Metatype, *instance, *representation)?,
            Type::ExistentialMetatype { instance, representation } => {
                self.metatype(Kind::ExistentialMetatype, *instance, *representation)?
            }
            Type::Existential(constraint) => self.existential(*constraint)?,
            Type::GenericParameter { depth, index } | Type::NamedParameter { depth, index, .. } => {
                self.tree.add(Kind::GenericParam { depth: *depth, index: *index }, &[])
            }
            // Members of `Self` are known by their names alone.
            Type::DependentMember { base, member, .. } if self.is_of_requirement(*base) => {
                let base = self.ty(*base)?;
                let name = self.identifier(*member);
                let name = self.tree.add(Kind::AssociatedTypeName, &[name]);
                self.tree.add(Kind::DependentMember, &[base, name])
            }
            Type::DependentMember { base, member, .. } => {
                let base = &match *self.queries.get(*base) {
                    Type::PackElement(pack) => pack,
                    _ => *base,
                };
                if let Some(member) = self.opaque_member(*base, *member) {
                    return Some(member);
                }
                let generics = self.queries.generics();
                let protocol = generics.declaring_protocol(self.signature?, *base, *member)?;
                // Symbols do not name the protocol where there is one alone; the runtime wants it.
                let name = if self.referred.is_none() && generics.required_protocols(self.signature?, *base) == 1 {
                    let name = self.identifier(*member);
                    self.tree.add(Kind::AssociatedTypeName, &[name])
                } else {
                    self.associated_type(*member, protocol)?
                };
                let base = self.ty(*base)?;
                self.tree.add(Kind::DependentMember, &[base, name])
            }
            Type::Box(layout) => self.box_type(layout)?,
            Type::Function(function) => self.lowered_function(function)?,
            Type::OpaqueResult { symbol, ordinal, arguments } => self.opaque_type(*symbol, *ordinal, arguments)?,
            Type::Storage { kind, referent } => {
                let referent = self.ty(*referent)?;
                let operation = match kind {
                    StorageKind::Unowned => Operation::Unowned,
                    StorageKind::Unmanaged => Operation::Unmanaged,
                    StorageKind::Weak => Operation::Weak,
                };
                self.operation(operation, &[referent])
            }
            Type::DynamicSelf(inner) => {
                let inner = self.ty(*inner)?;
                self.operation(Operation::DynamicSelf, &[inner])
            }
            Type::PackElement(pack) => self.content(*pack)?,
            Type::PackExpansion { pattern } => {
                let counted = self.counted_pack(*pattern)?;
                let operands = [self.content(*pattern)?, self.content(counted)?];
                self.operation(Operation::PackExpansion, &operands)
            }
            Type::Pack { elements, .. } => {
                let elements = elements.iter().map(|element| self.ty(*element)).collect::<Option<Vec<_>>>()?;
                self.tree.add(Kind::Pack(Pack::Formal), &elements)
            }
            Type::Integer(value) => {
                let kind = if *value < 0 { Kind::NegativeInteger } else { Kind::Integer };
                self.tree.add_index(kind, value.checked_abs()?)
            }
            _ => return None,
        })
    }

    /// The parameter pack that determines the number of elements of the expansion of `pattern`.
    fn counted_pack(&self, pattern: TypeId) -> Option<TypeId> {
        let queries = self.queries;
        let mut pack = queries.find_in(pattern, &mut |part| match queries.get(part) {
            Type::PackElement(pack) => Some(queries.canonical_type(*pack)),
            _ => None,
        })?;
        while let Type::DependentMember { base, .. } | Type::PackElement(base) = *queries.get(pack) {
            pack = base;
        }
        Some(self.signature.map_or(pack, |signature| queries.generics().shape_of(signature, pack)))
    }

    /// Arguments are bound to each level of nesting that has some.
    fn nominal_type(&mut self, nominal: &NominalType) -> Option<NodeId> {
        let declaration = self.queries.declarations.get(nominal.declaration);
        // The parameters of a generic type that a function declares may not be known.
        let is_stated = nominal.arguments.is_empty() || nominal.arguments.len() == declaration.own_parameters as usize;
        if declaration.attributes.local.is_some() && !is_stated {
            return None;
        }
        if let Some(reference) = self.reference(nominal.declaration) {
            return self.bound_reference(reference, nominal);
        }
        if let Some(local) = self.local(declaration) {
            return self.bound(local, kind_of(declaration), nominal);
        }
        let context = match (nominal.parent, declaration.parent) {
            (Some(parent), _) => {
                let parent = self.content(parent)?;
                self.extension_of(declaration, parent).unwrap_or(parent)
            }
            (None, Some(parent)) => {
                let parent = self.nominal(parent);
                self.extension_of(declaration, parent).unwrap_or(parent)
            }
            (None, None) => self.module(declaration.module),
        };
        let kind = kind_of(declaration);
        let name = self.name(declaration);
        let unbound = self.tree.add(Kind::Nominal(kind), &[context, name]);
        self.bound(unbound, kind, nominal)
    }

    /// The type `unbound` with the arguments of `nominal`, where there are any.
    fn bound(&mut self, unbound: NodeId, kind: Nominal, nominal: &NominalType) -> Option<NodeId> {
        if nominal.arguments.is_empty() {
            return Some(unbound);
        }
        let arguments = nominal.arguments.iter().map(|argument| self.ty(*argument)).collect::<Option<Vec<_>>>()?;
        let arguments = self.tree.add(Kind::TypeList, &arguments);
        let unbound = self.wrap(unbound);
        Some(self.tree.add(Kind::BoundGeneric(kind), &[unbound, arguments]))
    }

    /// A reference with a list of arguments for each level of nesting, where there are any.
    fn bound_reference(&mut self, reference: NodeId, nominal: &NominalType) -> Option<NodeId> {
        if nominal.arguments.is_empty() && nominal.parent.is_none() {
            return Some(reference);
        }
        let mut levels = vec![&*nominal.arguments];
        let (mut bound, mut declared) = (nominal.parent, self.queries.declarations.get(nominal.declaration).parent);
        while let Some(outer) = declared {
            let level =
                bound.and_then(|bound| self.queries.as_nominal(bound)).filter(|level| level.declaration == outer);
            levels.push(level.map_or(&[], |level| &*level.arguments));
            bound = level.map_or(bound, |level| level.parent);
            declared = self.queries.declarations.get(outer).parent;
        }
        let mut parts = vec![reference];
        for arguments in levels.into_iter().rev() {
            let arguments = arguments.iter().map(|argument| self.ty(*argument)).collect::<Option<Vec<_>>>()?;
            parts.push(self.tree.add(Kind::TypeList, &arguments));
        }
        Some(self.tree.add(Kind::BoundReference, &parts))
    }

    fn tuple(&mut self, elements: &[TupleElement]) -> Option<NodeId> {
        let mut nodes = Vec::new();
        for element in elements {
            let label = element.label.map(|label| self.queries.context.text(label));
            let label = label.map(|label| self.tree.add_text(Kind::TupleElementName, label));
            let ty = self.ty(element.ty)?;
            let parts: Vec<_> = label.into_iter().chain([ty]).collect();
            nodes.push(self.tree.add(Kind::TupleElement, &parts));
        }
        Some(self.tree.add(Kind::Tuple, &nodes))
    }

    fn function(&mut self, function: &FormalFunctionType) -> Option<NodeId> {
        let kind = match function.representation {
            Representation::Thick if function.attributes.contains(FunctionAttribute::NoEscape) => {
                FunctionKind::NoEscape
            }
            Representation::Thick => FunctionKind::Plain,
            Representation::Thin => FunctionKind::Thin,
            Representation::C => FunctionKind::C,
            Representation::Block => FunctionKind::Block,
            _ => return None,
        };
        self.function_of_kind(function, kind)
    }

    fn function_of_kind(&mut self, function: &FormalFunctionType, kind: FunctionKind) -> Option<NodeId> {
        let has = |attribute| function.attributes.contains(attribute);
        let mut parts = Vec::new();
        if has(FunctionAttribute::SendingResult) {
            parts.push(self.operation(Operation::SendingResult, &[]));
        }
        if let Some(actor) = function.global_actor {
            let actor = self.content(actor)?;
            parts.push(self.operation(Operation::GlobalActor, &[actor]));
        }
        if has(FunctionAttribute::IsolatedAny) {
            parts.push(self.operation(Operation::IsolatedAny, &[]));
        }
        if has(FunctionAttribute::CallerIsolated) {
            parts.push(self.operation(Operation::NonIsolatedCaller, &[]));
        }
        if let Some(differentiability) = function.differentiability {
            let how = match differentiability {
                Differentiability::Forward => Differentiable::Forward,
                Differentiability::Reverse => Differentiable::Reverse,
                Differentiability::Normal => Differentiable::Normal,
                Differentiability::Linear => Differentiable::Linear,
            };
            parts.push(self.tree.add(Kind::Differentiable(how), &[]));
        }
        match function.throws {
            Throws::No => {}
            Throws::Any | Throws::Rethrows => parts.push(self.operation(Operation::Throws, &[])),
            Throws::Typed(error) => {
                let error = self.content(error)?;
                parts.push(self.operation(Operation::TypedThrows, &[error]));
            }
        }
        if has(FunctionAttribute::Sendable) {
            parts.push(self.operation(Operation::Concurrent, &[]));
        }
        if has(FunctionAttribute::Async) {
            parts.push(self.operation(Operation::Async, &[]));
        }
        let parameters = self.parameters(function)?;
        parts.push(self.tree.add(Kind::ArgumentTuple, &[parameters]));
        let result = self.ty(function.result)?;
        parts.push(self.tree.add(Kind::ReturnType, &[result]));
        Some(self.tree.add(Kind::FunctionType(kind), &parts))
    }

    /// A tuple of the parameters; a single one that is none itself stands alone.
    fn parameters(&mut self, function: &FormalFunctionType) -> Option<NodeId> {
        if let [only] = &*function.parameters
            && only.label.is_none()
            && only.variadic == Variadic::No
            && !matches!(self.queries.get(only.ty), Type::Tuple(_))
        {
            let parameter = self.parameter(only)?;
            return Some(self.wrap(parameter));
        }
        let mut elements = Vec::new();
        for parameter in &function.parameters {
            let content = self.parameter(parameter)?;
            let ty = self.wrap(content);
            let marker = match parameter.variadic {
                Variadic::Yes => Some(self.tree.add(Kind::VariadicMarker, &[])),
                Variadic::No => None,
            };
            let parts: Vec<_> = marker.into_iter().chain([ty]).collect();
            elements.push(self.tree.add(Kind::TupleElement, &parts));
        }
        Some(self.tree.add_type(Kind::Tuple, &elements))
    }

    fn parameter(&mut self, parameter: &FormalParameter) -> Option<NodeId> {
        let content = match self.queries.get(parameter.ty) {
            Type::InOut(inner) => {
                let inner = self.content(*inner)?;
                self.operation(Operation::InOut, &[inner])
            }
            _ if self.member_of.is_some() => self.declared_parameter(parameter)?,
            _ => self.parameter_type(parameter)?,
        };
        let owned = match parameter.passing() {
            FormalSpecifier::Default | FormalSpecifier::Borrowing => content,
            FormalSpecifier::LegacyShared => self.operation(Operation::Shared, &[content]),
            FormalSpecifier::LegacyOwned | FormalSpecifier::Consuming => self.operation(Operation::Owned, &[content]),
        };
        let options = [
            (ParameterOption::NotDifferentiable, Operation::NoDerivative),
            (ParameterOption::Isolated, Operation::Isolated),
            (ParameterOption::Sending, Operation::Sending),
        ];
        let options = options.into_iter().filter(|(option, _)| parameter.options.contains(*option));
        Some(options.fold(owned, |content, (_, operation)| self.operation(operation, &[content])))
    }

    /// The type of a parameter: a function escapes if the parameter is marked as escaping.
    fn parameter_type(&mut self, parameter: &FormalParameter) -> Option<NodeId> {
        let Type::FormalFunction(function) = self.queries.get(self.queries.canonical_type(parameter.ty)) else {
            return self.content(parameter.ty);
        };
        let has = |option| parameter.options.contains(option);
        let kind = match (has(ParameterOption::Escaping), has(ParameterOption::Autoclosure)) {
            _ if function.representation != Representation::Thick => return self.function(function),
            (false, false) => FunctionKind::NoEscape,
            (false, true) => FunctionKind::AutoClosure,
            (true, false) => FunctionKind::Plain,
            (true, true) => FunctionKind::EscapingAutoClosure,
        };
        self.function_of_kind(function, kind)
    }

    fn metatype(
        &mut self,
        kind: Kind,
        instance: TypeId,
        representation: Option<MetatypeRepresentation>,
    ) -> Option<NodeId> {
        let represented = representation.map(|representation| match representation {
            MetatypeRepresentation::Thin => Represented::Thin,
            MetatypeRepresentation::Thick => Represented::Thick,
            MetatypeRepresentation::ObjC => Represented::ObjC,
        });
        let represented = represented.map(|it| self.tree.add(Kind::MetatypeRepresentation(it), &[]));
        let instance = self.ty(instance)?;
        let parts: Vec<_> = represented.into_iter().chain([instance]).collect();
        Some(self.tree.add(kind, &parts))
    }

    fn existential(&mut self, constraint: TypeId) -> Option<NodeId> {
        let (members, has_class_constraint) = match self.queries.get(constraint) {
            Type::Protocol { .. } => (vec![constraint], false),
            Type::Composition(composition) => (composition.members.clone(), composition.class_constraint.is_some()),
            _ => return None,
        };
        let (mut protocols, mut superclass, mut requirements) = (Vec::new(), None, Vec::new());
        for member in members {
            match self.queries.get(member) {
                Type::Protocol { protocol, .. }
                    if self.reader == Reader::Runtime && self.queries.declarations.get(*protocol).attributes.marker => {
                }
                Type::Protocol { protocol, arguments } => {
                    protocols.push(self.protocol(*protocol)?);
                    let names = &self.queries.declarations.get(*protocol).primary_associated_types;
                    requirements.extend(names.iter().zip(arguments).map(|(name, is)| (*name, *protocol, *is)));
                }
                _ => superclass = superclass.or(Some(member)),
            }
        }
        if let (true, Some(superclass)) = (self.reader == Reader::Runtime && protocols.is_empty(), superclass) {
            return self.content(superclass);
        }
        let list = self.tree.add(Kind::TypeList, &protocols);
        let list = self.tree.add(Kind::ProtocolList, &[list]);
        let base = match superclass {
            Some(superclass) => {
                let superclass = self.ty(superclass)?;
                self.tree.add(Kind::ProtocolListWithClass, &[list, superclass])
            }
            None if has_class_constraint => self.tree.add(Kind::ProtocolListWithAnyObject, &[list]),
            None => list,
        };
        if requirements.is_empty() {
            return Some(base);
        }
        requirements.sort_by_key(|(name, ..)| self.queries.context.text(*name));
        let base = self.wrap(base);
        let mut same = Vec::new();
        for (name, protocol, is) in requirements {
            same.push(self.same_type_as_member(name, protocol, is)?);
        }
        let same = self.tree.add(Kind::ConstrainedExistentialRequirements, &same);
        Some(self.tree.add(Kind::ConstrainedExistential, &[base, same]))
    }

    /// That the associated type `name` of the type in an existential is `ty`.
    fn same_type_as_member(&mut self, name: Name, protocol: NominalId, ty: TypeId) -> Option<NodeId> {
        let this = self.tree.add(Kind::ConstrainedExistentialSelf, &[]);
        let this = self.wrap(this);
        let protocol = self.declaring_protocol(name, protocol);
        let name = self.associated_type(name, protocol)?;
        let member = self.tree.add(Kind::DependentMember, &[this, name]);
        let parts = [self.wrap(member), self.ty(ty)?];
        Some(self.tree.add(Kind::SameTypeRequirement, &parts))
    }

    /// The protocol, `protocol` or one that it inherits from, that declares its primary associated type `name`: the
    /// declaration that no other one takes up again (lib/Sema/TypeCheckDecl.cpp, `PrimaryAssociatedTypesRequest`).
    fn declaring_protocol(&self, name: Name, protocol: NominalId) -> NominalId {
        let queries = self.queries;
        let declares = |protocol: &NominalId| {
            queries.declarations.get(*protocol).associated_types.iter().any(|declared| declared.name == name)
        };
        let inherited = |protocol| queries.generics().inherited(protocol);
        let above = inherited(protocol);
        let reached = std::iter::once(protocol).chain(above.iter().copied());
        let declaring: Vec<NominalId> = reached.filter(declares).collect();
        let is_last = |protocol: &&NominalId| !declaring.iter().any(|below| inherited(*below).contains(protocol));
        let order = |protocol: &&NominalId| {
            let declaration = queries.declarations.get(**protocol);
            (queries.context.text(declaration.module), queries.context.text(declaration.name))
        };
        declaring.iter().filter(is_last).min_by_key(order).copied().unwrap_or(protocol)
    }

    fn builtin(&mut self, builtin: BuiltinType) -> Option<NodeId> {
        let plain = match builtin {
            BuiltinType::Integer(bits) => return Some(self.tree.add_index(Kind::BuiltinInteger, bits.into())),
            BuiltinType::Float(bits) => return Some(self.tree.add_index(Kind::BuiltinFloat, bits.into())),
            BuiltinType::Vector { element, count } => {
                let element = match element {
                    VectorElement::Integer(bits) => self.tree.add_index(Kind::BuiltinInteger, bits.into()),
                    VectorElement::Float(bits) => self.tree.add_index(Kind::BuiltinFloat, bits.into()),
                    VectorElement::RawPointer => self.tree.add(Kind::Builtin(Builtin::RawPointer), &[]),
                };
                return Some(self.tree.add_vector(element, count.into()));
            }
            BuiltinType::FixedArray { count, element } => {
                let operands = [self.ty(count)?, self.ty(element)?];
                return Some(self.operation(Operation::FixedArray, &operands));
            }
            BuiltinType::Word => Builtin::Word,
            BuiltinType::IntegerLiteral => Builtin::IntLiteral,
            BuiltinType::RawPointer => Builtin::RawPointer,
            BuiltinType::RawUnsafeContinuation => Builtin::RawUnsafeContinuation,
            BuiltinType::NativeObject => Builtin::NativeObject,
            BuiltinType::BridgeObject => Builtin::BridgeObject,
            BuiltinType::UnsafeValueBuffer => Builtin::UnsafeValueBuffer,
            BuiltinType::Job => Builtin::Job,
            BuiltinType::Executor => Builtin::Executor,
            BuiltinType::DefaultActorStorage => Builtin::DefaultActorStorage,
            BuiltinType::NonDefaultDistributedActorStorage => Builtin::NonDefaultDistributedActorStorage,
            BuiltinType::PackIndex => Builtin::PackIndex,
            BuiltinType::Token => Builtin::Token,
            BuiltinType::ImplicitActor => Builtin::ImplicitActor,
        };
        Some(self.tree.add(Kind::Builtin(plain), &[]))
    }
}

/// The requirements of an extension with this signature beyond the type that it extends.
fn extension_conditions(
    queries: &TypeQueries<'_>,
    extension: SignatureId,
    extended: Option<SignatureId>,
) -> Vec<Condition> {
    let generics = queries.generics();
    let requirements = |signature| {
        let signature = generics.canonical_signature(signature).unwrap_or(signature);
        &queries.context.get_signature(signature).requirements
    };
    let machine = extended.map(|extended| generics.machine(extended));
    let holds = |subject, protocol| {
        machine.as_ref().is_some_and(|machine| machine.requires_protocol(&generics, subject, protocol))
    };
    let is_known = |requirement| extended.is_some_and(|extended| requirements(extended).contains(requirement));
    let mut conditions = Vec::new();
    for requirement in requirements(extension) {
        match requirement {
            Requirement::Conformance { subject, constraint } => {
                let protocols = queries.protocols_in(*constraint).into_iter();
                let new = protocols.filter(|protocol| !holds(*subject, *protocol));
                conditions.extend(new.map(|protocol| Condition::Conformance(*subject, protocol)));
            }
            known if is_known(known) => {}
            Requirement::SameType { first, second } => conditions.push(Condition::SameType(*first, *second)),
            Requirement::Superclass { subject, superclass } => {
                conditions.push(Condition::Superclass(*subject, *superclass));
            }
            _ => {}
        }
    }
    conditions
}

/// The kind of a type in symbols. Those of C have the name space of their name, and enums have tags like structures
/// (docs/ABI/Mangling.rst, `entity-spec`).
fn kind_of(declaration: &NominalDeclaration) -> Nominal {
    match declaration.attributes.c_name_space {
        Some(CNameSpace::Tags) => return Nominal::Structure,
        Some(CNameSpace::Ordinary) => return Nominal::TypeAlias,
        None => {}
    }
    match declaration.kind {
        NominalKind::Class | NominalKind::Actor => Nominal::Class,
        // A type of unknown kind has no layout, so that nothing that is emitted mentions it.
        NominalKind::Struct | NominalKind::Unknown => Nominal::Structure,
        NominalKind::Enum => Nominal::Enum,
        NominalKind::Protocol => Nominal::Protocol,
    }
}

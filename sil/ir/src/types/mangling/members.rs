//! Members of protocols and classes as trees of symbols, which name their dispatch thunks and descriptors. Their types
//! are those that SIL names; the labels are the declarations'.

use crate::context::{
    FunctionAttribute, FunctionAttributes, GenericParameterKind, MemberKind, MemberRef, Name, NominalId,
    ParameterOption, ParameterOptions, SignatureId, TypeId, Variadic,
};
use crate::declarations::{DispatchedMember, NominalKind, Overriding};
use crate::symbols::{Accessor, Fixity, Kind, NodeId};

use super::super::{
    FormalFunctionType, FormalParameter, FormalSpecifier, Representation, Requirement, Throws, TupleElement, Type,
};
use super::{Condition, Reader, SymbolTypes, extension_conditions};

impl<'q> SymbolTypes<'q> {
    /// A member of `nominal`, a protocol or a class, that is a function, an operator, an initialiser or an accessor:
    /// `formal` is its type as SIL names it, `<Self where Self : P> (Self) -> (A) -> B`, without the yields of a
    /// coroutine. None for others, and if overloads of the same labels remain or the labels are not known.
    pub fn member(
        mut self,
        nominal: NominalId,
        member: &MemberRef,
        formal: TypeId,
        yielded: Option<TypeId>,
    ) -> Option<NodeId> {
        self.member_of = Some(nominal);
        let (name, kind) = (member.name, member.kind);
        let Type::FormalFunction(outer) = self.queries.get(formal) else { return None };
        let Type::FormalFunction(inner) = self.queries.get(outer.result) else { return None };
        let [this] = &*outer.parameters else { return None };
        let is_static = matches!(self.queries.get(this.ty), Type::Metatype { .. });
        if inner.signature.is_some() || !is_plain(inner) {
            return None;
        }
        self.signature = outer.signature;
        let labels = self.member_labels(nominal, member, formal, inner.parameters.len())?;
        let context = self.nominal(self.declared_in.unwrap_or(nominal));
        if kind == MemberKind::Allocator {
            let mut parts = vec![context];
            parts.extend(self.labelled_type(inner, labels)?);
            return Some(self.tree.add(Kind::Allocator, &parts));
        }
        let entity = match kind {
            // The thunk of a distributed property is called like the property and mangled as a function.
            MemberKind::Plain | MemberKind::DistributedGetter => {
                let mut parts = vec![context, self.function_name(name, inner.parameters.len())];
                // The names before the parameters of an operator are their own, no labels.
                let labels = if self.is_operator(name) { &[] } else { labels };
                parts.extend(self.labelled_type(inner, labels)?);
                self.tree.add(Kind::Function, &parts)
            }
            MemberKind::Getter => self.accessor(Accessor::Getter, context, (name, labels), inner, inner.result)?,
            MemberKind::Setter => {
                let (value, indices) = inner.parameters.split_first()?;
                let storage = FormalFunctionType { parameters: indices.into(), ..(**inner).clone() };
                self.accessor(Accessor::Setter, context, (name, labels), &storage, value.ty)?
            }
            MemberKind::Read => self.accessor(Accessor::Read, context, (name, labels), inner, yielded?)?,
            MemberKind::Modify => self.accessor(Accessor::Modify, context, (name, labels), inner, yielded?)?,
            MemberKind::Read2 => self.accessor(Accessor::Read2, context, (name, labels), inner, yielded?)?,
            MemberKind::Modify2 => self.accessor(Accessor::Modify2, context, (name, labels), inner, yielded?)?,
            _ => return None,
        };
        Some(if is_static { self.tree.add(Kind::Static, &[entity]) } else { entity })
    }

    /// Stored property `number` of the class `nominal`, which has no generic parameters.
    pub fn stored_property(mut self, nominal: NominalId, number: u32) -> Option<NodeId> {
        let queries = self.queries;
        let property = queries.declarations.get(nominal).stored.get(number as usize)?;
        let context = self.nominal(nominal);
        self.variable(context, property.name, queries.stored_as(property, property.ty))
    }

    /// A property: one whose values are functions with parameters has a list of labels, which is empty.
    fn variable(&mut self, context: NodeId, name: Name, value: TypeId) -> Option<NodeId> {
        let takes_arguments = match self.queries.get(self.queries.canonical_type(value)) {
            Type::FormalFunction(function) => {
                function.representation == Representation::Thick && !function.parameters.is_empty()
            }
            _ => false,
        };
        let name = self.identifier(name);
        let labels = takes_arguments.then(|| self.tree.add(Kind::LabelList, &[]));
        let ty = self.ty(value)?;
        let parts: Vec<NodeId> = [context, name].into_iter().chain(labels).chain([ty]).collect();
        Some(self.tree.add(Kind::Variable, &parts))
    }

    /// Case number `case` of the enum `nominal`: a function that makes one.
    pub fn enum_case(mut self, nominal: NominalId, case: u32) -> Option<NodeId> {
        let queries = self.queries;
        let declaration = queries.declarations.get(nominal);
        let case = declaration.cases.get(case as usize)?;
        self.signature = declaration.signature;
        let identity = queries.declarations.identity(queries.context, nominal);
        let elements = match case.payload.map(|payload| (payload, queries.get(payload))) {
            None => None,
            Some((_, Type::Tuple(elements))) => Some(elements.to_vec()),
            Some((ty, _)) => Some(vec![TupleElement { label: None, ty }]),
        };
        let made = match elements {
            None => identity,
            Some(elements) => {
                // A label makes a list of a single parameter.
                let is_single = elements.len() == 1;
                // A payload that is a function is kept.
                let mut options = ParameterOptions::default();
                options.insert(ParameterOption::Escaping);
                let parameter = |element: &TupleElement| FormalParameter {
                    label: element.label.filter(|_| is_single),
                    options,
                    ..plain_parameter(element.ty)
                };
                let parameters = elements.iter().map(parameter).collect();
                queries.context.ty(Type::FormalFunction(Box::new(plain_function(parameters, identity))))
            }
        };
        let metatype = queries.context.ty(Type::Metatype { instance: identity, representation: None });
        let ty = self.function(&plain_function(Box::new([plain_parameter(metatype)]), made))?;
        let mut ty = self.wrap(ty);
        if let Some(signature) = declaration.signature {
            let signature = self.whole_signature(signature)?;
            let generic = self.tree.add(Kind::GenericType, &[signature, ty]);
            ty = self.wrap(generic);
        }
        // The parameters of the function are in its type; the list of its own labels is there, and empty.
        let labels = self.tree.add(Kind::LabelList, &[]);
        let parts = [self.nominal(nominal), self.identifier(case.name), labels, ty];
        Some(self.tree.add(Kind::Function, &parts))
    }

    /// The labels of the member that is meant, of which several may have the name; none if they alone decide which and
    /// are not known.
    fn member_labels(
        &self,
        nominal: NominalId,
        member: &MemberRef,
        formal: TypeId,
        parameters: usize,
    ) -> Option<&'q [Name]> {
        let declaration = self.queries.declarations.get(nominal);
        let known = declaration.dispatched.iter();
        let takes_them = matches!(member.kind, MemberKind::Plain | MemberKind::Allocator);
        // An override is called as the overridden member.
        let may_override = declaration.superclass.is_some();
        let is_new = |known: &DispatchedMember| match known.overriding {
            Overriding::No => true,
            Overriding::WhereInherited => !may_override,
            Overriding::Yes => false,
        };
        let is_named = |known: &&DispatchedMember| {
            (known.name, known.kind) == (member.name, member.kind) && (!takes_them || known.labels.len() == parameters)
        };
        let named: Vec<&DispatchedMember> = known.filter(is_named).collect();
        // An override is new if it is called in another way than the overridden member, as a setter is if a property
        // overrides one that has none, and a required initialiser if the superclass has none like it: members are named
        // by their introducing class.
        let new: Vec<&DispatchedMember> = named.iter().filter(|known| is_new(known)).copied().collect();
        let named = if new.is_empty() { named } else { new };
        let formal = self.queries.canonical_type(formal);
        let is_meant =
            |known: &&&DispatchedMember| known.ty.is_some_and(|ty| self.queries.canonical_type(ty) == formal);
        let meant: Vec<&DispatchedMember> = named.iter().filter(is_meant).copied().collect();
        let meant = if meant.is_empty() { named } else { meant };
        let mut meant = meant.into_iter().filter(|known| member.may_be_labelled_as(known));
        let first = meant.next()?;
        meant.all(|other| other.labels == first.labels).then_some(&*first.labels)
    }

    /// Whether `base` is `Self` of the protocol whose requirement is mangled.
    pub(super) fn is_of_requirement(&self, base: TypeId) -> bool {
        let kind = self.member_of.map(|nominal| self.queries.declarations.get(nominal).kind);
        kind == Some(NominalKind::Protocol)
            && matches!(self.queries.get(base), Type::GenericParameter { depth: 0, index: 0 })
    }

    /// A parameter of a declaration. None where more than its type is mangled.
    pub(super) fn declared_parameter(&mut self, parameter: &FormalParameter) -> Option<NodeId> {
        let mut options = parameter.options;
        options.remove(ParameterOption::Escaping);
        options.remove(ParameterOption::Autoclosure);
        options.remove(ParameterOption::Isolated);
        let is_known = match self.queries.get(self.queries.canonical_type(parameter.ty)) {
            Type::FormalFunction(function) => is_plain(function),
            _ => true,
        };
        (is_known && options == ParameterOptions::default()).then(|| self.parameter_type(parameter))?
    }

    fn is_operator(&self, name: Name) -> bool {
        let text = self.queries.context.text(name);
        !text.starts_with(|first: char| first.is_alphanumeric() || first == '_')
    }

    fn function_name(&mut self, name: Name, parameters: usize) -> NodeId {
        if !self.is_operator(name) {
            return self.identifier(name);
        }
        let text = self.queries.context.text(name);
        let fixity = if parameters == 1 { Fixity::Prefix } else { Fixity::Infix };
        self.tree.add_text(Kind::Operator(fixity), text)
    }

    /// The labels, where there are parameters, and the type of a function.
    fn labelled_type(&mut self, function: &FormalFunctionType, labels: &[Name]) -> Option<Vec<NodeId>> {
        let mut parts = Vec::new();
        if !function.parameters.is_empty() {
            let is_labelled = labels.iter().any(|label| self.queries.context.text(*label) != "_");
            let labels: Vec<NodeId> = labels.iter().filter(|_| is_labelled).map(|label| self.label(*label)).collect();
            parts.push(self.tree.add(Kind::LabelList, &labels));
        }
        // A label makes a list of a single parameter.
        let mut labelled = function.clone();
        if let ([parameter], [label]) = (&mut *labelled.parameters, labels) {
            parameter.label = Some(*label).filter(|label| self.queries.context.text(*label) != "_");
        }
        let ty = self.function(&labelled)?;
        let ty = self.wrap(ty);
        parts.push(match self.own_signature()? {
            Some(signature) => {
                let generic = self.tree.add(Kind::GenericType, &[signature, ty]);
                self.wrap(generic)
            }
            None => ty,
        });
        Some(parts)
    }

    /// A whole signature, no part of which an enclosing one has.
    pub(super) fn whole_signature(&mut self, signature: SignatureId) -> Option<NodeId> {
        let queries = self.queries;
        let parameters = &queries.context.get_signature(signature).parameters;
        if parameters.iter().any(|parameter| parameter.kind != GenericParameterKind::Type) {
            return None;
        }
        let canonical = queries.generics().canonical_signature(signature)?;
        let mut conditions = extension_conditions(queries, canonical, None);
        conditions.retain(|condition| self.is_known_to_reader(condition));
        let outer = self.signature.replace(signature);
        let requirements = self.requirements(&conditions);
        self.signature = outer;
        let mut children = requirements?;
        let deepest = parameters.iter().map(|parameter| parameter.depth).max()?;
        for depth in 0..=deepest {
            let count = parameters.iter().filter(|parameter| parameter.depth == depth).count();
            children.push(self.tree.add_index(Kind::GenericParamCount, count as i64));
        }
        Some(self.tree.add(Kind::GenericSignature, &children))
    }

    /// Whether the reader of the name knows a requirement: the runtime knows no markers.
    fn is_known_to_reader(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Conformance(_, protocol) => {
                self.reader == Reader::Linker || !self.queries.declarations.get(*protocol).attributes.marker
            }
            Condition::SameType(..) | Condition::Superclass(..) => true,
        }
    }

    /// The signature of a member beyond that of its type; the inner none if that is nothing. None for a signature
    /// without a tree here.
    fn own_signature(&mut self) -> Option<Option<NodeId>> {
        let (Some(nominal), Some(signature)) = (self.member_of, self.signature) else { return Some(None) };
        let context = self.context_signature(nominal);
        let queries = self.queries;
        let parameters = |signature| &queries.context.get_signature(signature).parameters;
        let outer = context.map_or(0, |context| parameters(context).len());
        let own = parameters(signature).get(outer..)?;
        let canonical = queries.generics().canonical_signature(signature)?;
        let is_known = |requirement: &Requirement| {
            matches!(
                requirement,
                Requirement::Conformance { .. } | Requirement::SameType { .. } | Requirement::Superclass { .. }
            )
        };
        if own.iter().any(|parameter| parameter.kind != GenericParameterKind::Type)
            || !queries.context.get_signature(canonical).requirements.iter().all(is_known)
        {
            return None;
        }
        let mut conditions = extension_conditions(queries, canonical, context);
        conditions.retain(|condition| self.is_known_to_reader(condition));
        if own.is_empty() && conditions.is_empty() {
            return Some(None);
        }
        let mut children = self.requirements(&conditions)?;
        if !own.is_empty() {
            children.push(self.tree.add_index(Kind::GenericParamCount, own.len() as i64));
        }
        Some(Some(self.tree.add(Kind::GenericSignature, &children)))
    }

    /// The signature of `nominal` itself: that of a protocol is of `Self`.
    fn context_signature(&self, nominal: NominalId) -> Option<SignatureId> {
        let declaration = self.queries.declarations.get(nominal);
        if declaration.kind != NominalKind::Protocol {
            return declaration.signature;
        }
        let constraint = self.queries.context.ty(Type::Protocol { protocol: nominal, arguments: Box::default() });
        Some(self.queries.generics().existential_signature(constraint))
    }

    /// An accessor of a property or a subscript with values of type `value`; `indices` has the parameters of a
    /// subscript.
    fn accessor(
        &mut self,
        accessor: Accessor,
        context: NodeId,
        (name, labels): (Name, &[Name]),
        indices: &FormalFunctionType,
        value: TypeId,
    ) -> Option<NodeId> {
        let storage = if self.queries.context.text(name) == "subscript" {
            if labels.len() != indices.parameters.len() {
                return None;
            }
            let mut parts = vec![context];
            let subscript = FormalFunctionType { result: value, ..indices.clone() };
            parts.extend(self.labelled_type(&subscript, labels)?);
            self.tree.add(Kind::Subscript, &parts)
        } else {
            self.variable(context, name, value)?
        };
        Some(self.tree.add(Kind::Accessor(accessor), &[storage]))
    }

    fn label(&mut self, label: Name) -> NodeId {
        match self.queries.context.text(label) {
            "_" => self.tree.add(Kind::FirstElementMarker, &[]),
            text => self.tree.add_text(Kind::Identifier, text),
        }
    }
}

/// A parameter without a label.
fn plain_parameter(ty: TypeId) -> FormalParameter {
    FormalParameter {
        label: None,
        ty,
        specifier: FormalSpecifier::Default,
        variadic: Variadic::No,
        options: ParameterOptions::default(),
    }
}

/// A function that has nothing but parameters and a result.
fn plain_function(parameters: Box<[FormalParameter]>, result: TypeId) -> FormalFunctionType {
    FormalFunctionType {
        signature: None,
        representation: Representation::Thick,
        attributes: FunctionAttributes::default(),
        differentiability: None,
        parameters,
        result,
        throws: Throws::No,
        global_actor: None,
    }
}

/// Whether a function has nothing that is mangled beside its parameters, its result and its effects.
fn is_plain(function: &FormalFunctionType) -> bool {
    use FunctionAttribute::{CallerIsolated, IsolatedAny, SendingResult};
    let is_mangled = |attribute| function.attributes.contains(attribute);
    function.global_actor.is_none()
        && function.differentiability.is_none()
        && ![CallerIsolated, IsolatedAny, SendingResult].into_iter().any(is_mangled)
}

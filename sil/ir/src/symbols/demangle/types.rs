//! Formal types.

use super::super::kind::Kind;
use super::super::operations::Operation;
use super::super::spelling::{Builtin, Differentiability, FunctionKind, MetatypeRepresentation, Nominal, Pack};
use super::super::tree::NodeId;
use super::{Demangler, Labels};

/// Builtin types have at most this many bits or elements.
const LARGEST_BUILTIN: u32 = 4096;

/// Declarations with generic arguments nest this deep at most.
const NESTING_LIMIT: u32 = 256;

impl Demangler<'_> {
    pub(super) fn builtin_type(&mut self) -> Option<NodeId> {
        if let Some(builtin) = self.eat_spelled::<Builtin>() {
            return Some(self.ty(Kind::Builtin(builtin), &[]));
        }
        let (kind, children) = match self.next() {
            b'T' => return Some(self.ty(Kind::BuiltinTuple, &[])),
            b'f' => (Kind::BuiltinFloat, Vec::new()),
            b'i' => (Kind::BuiltinInteger, Vec::new()),
            b'v' => {
                let element = self.pop_type_content()?;
                let scalar = matches!(
                    self.tree.kind(element),
                    Kind::Builtin(_) | Kind::BuiltinInteger | Kind::BuiltinFloat | Kind::BuiltinVector
                );
                (Kind::BuiltinVector, vec![scalar.then_some(element)?])
            }
            _ => return None,
        };
        let size = self.builtin_size()?;
        let content = self.add(kind, &children);
        self.tree.get_mut(content).index = size.into();
        Some(self.wrap(content))
    }

    fn builtin_size(&mut self) -> Option<u32> {
        self.index()?.checked_sub(1).filter(|size| (1..=LARGEST_BUILTIN).contains(size))
    }

    pub(super) fn nominal(&mut self, nominal: Nominal) -> Option<NodeId> {
        let name = self.pop_name()?;
        let context = self.pop_context()?;
        let ty = self.ty(Kind::Nominal(nominal), &[context, name]);
        Some(self.substitutable(ty))
    }

    pub(super) fn type_mangling(&mut self) -> Option<NodeId> {
        let ty = self.pop_type()?;
        let labels = self.labels(ty);
        let children: Vec<_> = labels.into_iter().chain([ty]).collect();
        Some(self.add(Kind::TypeMangling, &children))
    }

    pub(super) fn differentiable_annotation(&mut self) -> Option<NodeId> {
        if !self.eat(b'j') {
            return None;
        }
        let how = self.eat_spelled::<Differentiability>()?;
        Some(self.add(Kind::Differentiable(how), &[]))
    }

    /// A function type; `clang` is its type in C.
    pub(super) fn function_type(&mut self, kind: FunctionKind, clang: Option<NodeId>) -> Option<NodeId> {
        use Operation::*;
        let mut children: Vec<NodeId> = clang.into_iter().collect();
        children.extend(self.pop_operation(SendingResult));
        let isolations = [GlobalActor, IsolatedAny, NonIsolatedCaller].map(Kind::Operation);
        children.extend(self.pop_if(|kind| isolations.contains(&kind)));
        children.extend(self.pop_if(|kind| matches!(kind, Kind::Differentiable(_))));
        children.extend(self.pop_if(|kind| [Throws, TypedThrows].map(Kind::Operation).contains(&kind)));
        children.extend(self.pop_operation(Concurrent));
        children.extend(self.pop_operation(Async));
        children.push(self.function_part(Kind::ArgumentTuple)?);
        children.push(self.function_part(Kind::ReturnType)?);
        Some(self.ty(Kind::FunctionType(kind), &children))
    }

    fn function_part(&mut self, kind: Kind) -> Option<NodeId> {
        let ty = match self.pop_kind(Kind::EmptyList) {
            Some(_) => self.ty(Kind::Tuple, &[]),
            None => self.pop_type()?,
        };
        Some(self.add(kind, &[ty]))
    }

    fn c_function_type(&mut self, kind: FunctionKind) -> Option<NodeId> {
        let clang = self.clang_type();
        self.function_type(kind, clang)
    }

    pub(super) fn clang_type(&mut self) -> Option<NodeId> {
        let length = self.natural().filter(|length| *length > 0)? as usize;
        let text = self.take(length)?;
        Some(self.tree.add_text(Kind::ClangType, text))
    }

    /// The labels of the parameters of the function type `ty`, if they are on the stack or in it.
    pub(super) fn labels(&mut self, ty: NodeId) -> Option<NodeId> {
        if self.label_place == Labels::BesideTypes && self.pop_kind(Kind::EmptyList).is_some() {
            return Some(self.add(Kind::LabelList, &[]));
        }
        let mut function = self.content(ty)?;
        if self.tree.kind(function) == Kind::GenericType {
            function = self.content(self.tree.child(function, 1)?)?;
        }
        let is_function =
            matches!(self.tree.kind(function), Kind::FunctionType(FunctionKind::Plain | FunctionKind::NoEscape));
        let arguments = is_function.then(|| self.tree.child_of_kind(function, Kind::ArgumentTuple)).flatten()?;
        let parameters = self.content(self.tree.child(arguments, 0)?)?;
        let is_tuple = self.tree.kind(parameters) == Kind::Tuple;
        let count = if is_tuple { self.tree.children(parameters).len() } else { 1 };
        if count == 0 {
            return None;
        }
        let labels = match (self.label_place, is_tuple) {
            (Labels::InTypes, false) => Vec::new(),
            (Labels::InTypes, true) => {
                self.tree.children(parameters).to_vec().into_iter().map(|it| self.old_label(it)).collect()
            }
            (Labels::BesideTypes, _) => {
                let mut labels = Vec::new();
                for _ in 0..count {
                    labels.push(self.pop_if(|kind| matches!(kind, Kind::Identifier | Kind::FirstElementMarker))?);
                }
                labels.reverse();
                labels
            }
        };
        let some = labels.iter().any(|label| self.tree.kind(*label) == Kind::Identifier);
        Some(self.add(Kind::LabelList, if some { &labels } else { &[] }))
    }

    /// Takes the label of a parameter out of its type.
    fn old_label(&mut self, parameter: NodeId) -> NodeId {
        let is_name = |child: &NodeId| self.tree.kind(*child) == Kind::TupleElementName;
        let Some(at) = self.tree.children(parameter).iter().position(is_name) else {
            return self.add(Kind::FirstElementMarker, &[]);
        };
        let name = self.tree.get_mut(parameter).children.remove(at);
        let text = self.node(name).text.clone();
        self.tree.add_text(Kind::Identifier, &text)
    }

    /// The content of the type `ty`.
    pub(super) fn content(&self, ty: NodeId) -> Option<NodeId> {
        (self.tree.kind(ty) == Kind::Type).then(|| self.tree.child(ty, 0)).flatten()
    }

    pub(super) fn tuple(&mut self) -> Option<NodeId> {
        let elements = self.pop_list(|this| {
            let variadic = this.pop_kind(Kind::VariadicMarker);
            let mut children: Vec<_> = variadic.into_iter().collect();
            if let Some(name) = this.pop_kind(Kind::Identifier) {
                let text = this.node(name).text.clone();
                children.push(this.tree.add_text(Kind::TupleElementName, &text));
            }
            children.push(this.pop_type()?);
            Some(this.add(Kind::TupleElement, &children))
        })?;
        Some(self.ty(Kind::Tuple, &elements))
    }

    pub(super) fn type_list(&mut self) -> Option<NodeId> {
        let types = self.pop_list(Self::pop_type)?;
        Some(self.add(Kind::TypeList, &types))
    }

    fn pack(&mut self, pack: Pack) -> Option<NodeId> {
        let types = self.pop_list(Self::pop_type)?;
        Some(self.ty(Kind::Pack(pack), &types))
    }

    /// A protocol: a type on the stack, or its name and context.
    pub(super) fn pop_protocol(&mut self) -> Option<NodeId> {
        if let Some(ty) = self.pop_type() {
            return self.is_protocol(ty).then_some(ty);
        }
        let name = self.pop_name()?;
        let context = self.pop_context()?;
        Some(self.ty(Kind::Nominal(Nominal::Protocol), &[context, name]))
    }

    pub(super) fn is_protocol(&self, ty: NodeId) -> bool {
        let is_one = |kind| matches!(kind, Kind::Nominal(Nominal::Protocol) | Kind::SymbolicReference(_));
        self.content(ty).is_some_and(|content| is_one(self.tree.kind(content)))
    }

    pub(super) fn protocol_list(&mut self) -> Option<NodeId> {
        let protocols = self.pop_list(Self::pop_protocol)?;
        let list = self.add(Kind::TypeList, &protocols);
        Some(self.add(Kind::ProtocolList, &[list]))
    }

    pub(super) fn bound_generic_type(&mut self) -> Option<NodeId> {
        let (lists, conformances) = self.bound_generics()?;
        let nominal = self.pop_type_content().filter(|content| self.tree.kind(*content).is_nominal())?;
        let bound = self.bind(nominal, &lists, 0)?;
        if let Some(conformances) = conformances {
            self.append(bound, conformances);
        }
        let ty = self.wrap(bound);
        Some(self.substitutable(ty))
    }

    /// Lists of generic arguments, the innermost first, and the retroactive conformances that they need.
    pub(super) fn bound_generics(&mut self) -> Option<(Vec<NodeId>, Option<NodeId>)> {
        let conformances = self.pop_retroactive_conformances();
        let mut lists = Vec::new();
        loop {
            let types = self.pop_types();
            lists.push(self.add(Kind::TypeList, &types));
            if self.pop_kind(Kind::EmptyList).is_some() {
                return Some((lists, conformances));
            }
            self.pop_kind(Kind::FirstElementMarker)?;
        }
    }

    /// `declaration` with `lists` of arguments for it and the contexts around it, the innermost first.
    fn bind(&mut self, declaration: NodeId, lists: &[NodeId], depth: u32) -> Option<NodeId> {
        if depth > NESTING_LIMIT {
            return None;
        }
        let (own, outer) = lists.split_first()?;
        let kind = self.tree.kind(declaration);
        if matches!(kind, Kind::SymbolicReference(_)) {
            return self.bind_reference(declaration, lists);
        }
        let consumes = kind.consumes_generic_arguments();
        let left = if consumes { outer } else { lists };
        let context = self.tree.child(declaration, 0)?;
        let mut declaration = declaration;
        if !left.is_empty() {
            let mut children = self.tree.children(declaration).to_vec();
            children[0] = self.bind_context(context, left, depth)?;
            declaration = self.tree.add_with_children(declaration, children);
        }
        if !consumes || self.tree.children(*own).is_empty() {
            return Some(declaration);
        }
        match kind {
            Kind::Nominal(nominal) => {
                let ty = self.wrap(declaration);
                Some(self.add(Kind::BoundGeneric(nominal), &[ty, *own]))
            }
            Kind::Function | Kind::Constructor => Some(self.add(Kind::BoundGenericFunction, &[declaration, *own])),
            _ => None,
        }
    }

    fn bind_context(&mut self, context: NodeId, lists: &[NodeId], depth: u32) -> Option<NodeId> {
        if self.tree.kind(context) != Kind::Extension {
            return self.bind(context, lists, depth + 1);
        }
        let mut children = self.tree.children(context).to_vec();
        children[1] = self.bind(*children.get(1)?, lists, depth + 1)?;
        Some(self.add(Kind::Extension, &children))
    }

    /// A reference takes all arguments: its referent is not known.
    fn bind_reference(&mut self, reference: NodeId, lists: &[NodeId]) -> Option<NodeId> {
        let ty = self.wrap(reference);
        let children: Vec<_> = [ty].into_iter().chain(lists.iter().rev().copied()).collect();
        Some(self.add(Kind::BoundReference, &children))
    }

    /// `Q` and the text after it that no row of the operations covers.
    pub(super) fn archetype(&mut self) -> Option<NodeId> {
        self.back();
        if let Some(pack) = self.eat_spelled::<Pack>() {
            return self.pack(pack);
        }
        self.next();
        let made = match self.next() {
            b'a' => {
                let name = self.pop_kind(Kind::Identifier)?;
                let base = self.pop_type_content()?;
                self.ty(Kind::AssociatedTypeRef, &[base, name])
            }
            b'O' => {
                let context = self.pop_context()?;
                return Some(self.add(Kind::OpaqueReturnTypeOf, &[context]));
            }
            b'o' => {
                let index = self.number()?;
                let (lists, conformances) = self.bound_generics()?;
                let name = self.pop()?;
                let lists: Vec<_> = lists.into_iter().rev().collect();
                let arguments = self.add(Kind::TypeList, &lists);
                let children: Vec<_> = [name, index, arguments].into_iter().chain(conformances).collect();
                self.ty(Kind::OpaqueType, &children)
            }
            b'x' => self.associated_type(None)?,
            b'X' => self.associated_type_path(None)?,
            b'y' => {
                let base = self.generic_parameter()?;
                self.associated_type(Some(base))?
            }
            b'Y' => {
                let base = self.generic_parameter()?;
                self.associated_type_path(Some(base))?
            }
            b'z' => {
                let base = self.generic_parameter_at(0, 0);
                self.associated_type(Some(base))?
            }
            b'Z' => {
                let base = self.generic_parameter_at(0, 0);
                self.associated_type_path(Some(base))?
            }
            _ => return None,
        };
        Some(self.substitutable(made))
    }

    /// `X` and the text after it that no row of the operations covers.
    pub(super) fn special_type(&mut self) -> Option<NodeId> {
        self.back();
        if let Some(kind) = self.eat_spelled::<FunctionKind>() {
            return self.function_type(kind, None);
        }
        if let Some(nominal) = self.eat_spelled::<Nominal>() {
            return self.nominal(nominal);
        }
        self.next();
        match self.next() {
            b'z' => match self.next() {
                b'B' => self.c_function_type(FunctionKind::Block),
                b'C' => self.c_function_type(FunctionKind::C),
                _ => None,
            },
            b'p' => {
                let ty = self.pop_type()?;
                Some(self.ty(Kind::ExistentialMetatype, &[ty]))
            }
            b'M' => self.represented_metatype(Kind::Metatype),
            b'm' => self.represented_metatype(Kind::ExistentialMetatype),
            b'j' => {
                let mut parts = Vec::new();
                loop {
                    parts.push(self.pop_type()?);
                    let last = self.tree.content(*parts.last()?);
                    if matches!(self.tree.kind(last), Kind::SymbolicReference(shape) if shape.is_shape()) {
                        break;
                    }
                }
                parts.reverse();
                Some(self.ty(Kind::ExtendedExistential, &parts))
            }
            b'P' => {
                let requirements = self.pop_list(|this| this.pop_if(Kind::is_requirement))?;
                let requirements = self.add(Kind::ConstrainedExistentialRequirements, &requirements);
                let base = self.pop_type()?;
                Some(self.ty(Kind::ConstrainedExistential, &[base, requirements]))
            }
            b'c' => {
                let superclass = self.pop_type()?;
                let protocols = self.protocol_list()?;
                Some(self.ty(Kind::ProtocolListWithClass, &[protocols, superclass]))
            }
            b'l' => {
                let protocols = self.protocol_list()?;
                Some(self.ty(Kind::ProtocolListWithAnyObject, &[protocols]))
            }
            b'X' => self.generic_box_type(),
            b'x' => self.box_type(&[]),
            b'Z' => {
                let types = self.type_list()?;
                let name = self.pop_kind(Kind::Identifier)?;
                let parent = self.pop_context()?;
                Some(self.add(Kind::AnonymousContext, &[name, parent, types]))
            }
            _ => None,
        }
    }

    fn represented_metatype(&mut self, kind: Kind) -> Option<NodeId> {
        let representation = self.eat_spelled::<MetatypeRepresentation>()?;
        let representation = self.add(Kind::MetatypeRepresentation(representation), &[]);
        let ty = self.pop_type()?;
        Some(self.ty(kind, &[representation, ty]))
    }

    pub(super) fn integer_type(&mut self) -> Option<NodeId> {
        let kind = if self.eat(b'n') { Kind::NegativeInteger } else { Kind::Integer };
        let index = self.index()?;
        let content = self.tree.add_index(kind, index.into());
        Some(self.wrap(content))
    }
}

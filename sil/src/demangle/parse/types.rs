//! Formal types.

use super::super::node::{FunctionKind, Kind, NodeId, Nominal};
use super::{Labels, Parser};

/// Builtin types have at most this many bits or elements.
const LARGEST_BUILTIN: u32 = 4096;

/// Declarations with generic arguments nest this deep at most.
const NESTING_LIMIT: u32 = 256;

impl Parser<'_> {
    pub(super) fn builtin_type(&mut self) -> Option<NodeId> {
        let name = match self.next() {
            b'A' => "ImplicitActor",
            b'b' => "BridgeObject",
            b'B' => "UnsafeValueBuffer",
            b'e' => "Executor",
            b'I' => "IntLiteral",
            b'O' => "UnknownObject",
            b'o' => "NativeObject",
            b'p' => "RawPointer",
            b'j' => "Job",
            b'D' => "DefaultActorStorage",
            b'd' => "NonDefaultDistributedActorStorage",
            b'c' => "RawUnsafeContinuation",
            b't' => "SILToken",
            b'w' => "Word",
            b'P' => "PackIndex",
            b'T' => {
                let content = self.add(Kind::BuiltinTuple, &[]);
                return Some(self.wrap(content));
            }
            b'f' => {
                let bits = self.builtin_size()?;
                return Some(self.builtin(&format!("FPIEEE{bits}")));
            }
            b'i' => {
                let bits = self.builtin_size()?;
                return Some(self.builtin(&format!("Int{bits}")));
            }
            b'v' => {
                let count = self.builtin_size()?;
                let element = self.pop_type_content()?;
                let node = self.node(element);
                let element = node.text.strip_prefix("Builtin.").filter(|_| node.kind == Kind::BuiltinName)?;
                return Some(self.builtin(&format!("Vec{count}x{element}")));
            }
            b'V' => {
                let element = self.pop_type()?;
                let count = self.pop_type()?;
                return Some(self.ty(Kind::SimplePhrase("Builtin.FixedArray<{0}, {1}>"), &[count, element]));
            }
            _ => return None,
        };
        Some(self.builtin(name))
    }

    fn builtin(&mut self, name: &str) -> NodeId {
        let content = self.tree.add_text(Kind::BuiltinName, &format!("Builtin.{name}"));
        self.wrap(content)
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

    pub(super) fn type_annotation(&mut self) -> Option<NodeId> {
        let kind = match self.next() {
            b'a' => Kind::Async,
            b'A' => Kind::IsolatedAny,
            b'b' => Kind::Concurrent,
            b'C' => Kind::NonIsolatedCaller,
            b'T' => Kind::SendingResult,
            b'c' => {
                let actor = self.pop_type_content()?;
                return Some(self.add(Kind::GlobalActor, &[actor]));
            }
            b'K' => {
                let error = self.pop_type_content()?;
                return Some(self.add(Kind::TypedThrows, &[error]));
            }
            b'j' => {
                let letter = self.next();
                let known = matches!(letter, b'f' | b'r' | b'd' | b'l');
                return known.then(|| self.tree.add_index(Kind::Differentiable, letter.into()));
            }
            b'i' => return self.modified_type(Kind::Phrase("isolated {0}")),
            b'k' => return self.modified_type(Kind::Phrase("@noDerivative {0}")),
            b't' => return self.modified_type(Kind::Phrase("_const {0}")),
            b'g' => return self.modified_type(Kind::Phrase("@const {0}")),
            b'u' => return self.modified_type(Kind::Phrase("sending {0}")),
            _ => return None,
        };
        Some(self.add(kind, &[]))
    }

    /// A function type; `clang` is its type in C.
    pub(super) fn function_type(&mut self, kind: FunctionKind, clang: Option<NodeId>) -> Option<NodeId> {
        let mut children: Vec<NodeId> = clang.into_iter().collect();
        children.extend(self.pop_kind(Kind::SendingResult));
        let isolation = |kind| matches!(kind, Kind::GlobalActor | Kind::IsolatedAny | Kind::NonIsolatedCaller);
        children.extend(self.pop_if(isolation));
        children.extend(self.pop_kind(Kind::Differentiable));
        children.extend(self.pop_if(|kind| matches!(kind, Kind::Throws | Kind::TypedThrows)));
        children.extend(self.pop_kind(Kind::Concurrent));
        children.extend(self.pop_kind(Kind::Async));
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
        let text = self.text.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
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

    /// What the type `ty` is.
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

    fn pack(&mut self, template: &'static str) -> Option<NodeId> {
        let types = self.pop_list(Self::pop_type)?;
        Some(self.ty(Kind::Pack(template), &types))
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
        self.content(ty).is_some_and(|content| self.tree.kind(content) == Kind::Nominal(Nominal::Protocol))
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
            let mut types: Vec<_> = std::iter::from_fn(|| self.pop_type()).collect();
            types.reverse();
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
        let mut declaration = declaration;
        let (own, outer) = lists.split_first()?;
        let kind = self.tree.kind(declaration);
        let consumes = !matches!(
            kind,
            Kind::Variable
                | Kind::Subscript
                | Kind::ImplicitClosure
                | Kind::ExplicitClosure
                | Kind::DefaultArgument
                | Kind::Initializer(_)
                | Kind::Static
        );
        let left = if consumes { outer } else { lists };
        let context = self.tree.child(declaration, 0)?;
        if !left.is_empty() {
            let parent = if self.tree.kind(context) == Kind::Extension {
                let extended = self.bind(self.tree.child(context, 1)?, left, depth + 1)?;
                let mut children = self.tree.children(context).to_vec();
                children[1] = extended;
                self.add(Kind::Extension, &children)
            } else {
                self.bind(context, left, depth + 1)?
            };
            let mut children = self.tree.children(declaration).to_vec();
            children[0] = parent;
            let (text, index) = (self.node(declaration).text.clone(), self.node(declaration).index);
            declaration = self.add(kind, &children);
            let node = self.tree.get_mut(declaration);
            (node.text, node.index) = (text, index);
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

    pub(super) fn archetype(&mut self) -> Option<NodeId> {
        let made = match self.next() {
            b'a' => {
                let name = self.pop_kind(Kind::Identifier)?;
                let base = self.pop_type_content()?;
                self.ty(Kind::SimplePhrase("{0}.{1}"), &[base, name])
            }
            b'O' => {
                let context = self.pop_context()?;
                return Some(self.add(Kind::OpaqueReturnTypeOf, &[context]));
            }
            b'o' => {
                let index = self.index()?;
                let (lists, conformances) = self.bound_generics()?;
                let name = self.pop()?;
                let index = self.tree.add_index(Kind::Index, index.into());
                let lists: Vec<_> = lists.into_iter().rev().collect();
                let arguments = self.add(Kind::TypeList, &lists);
                let children: Vec<_> = [name, index, arguments].into_iter().chain(conformances).collect();
                self.ty(Kind::OpaqueType, &children)
            }
            b'r' => return Some(self.ty(Kind::OpaqueReturnType, &[])),
            b'R' => {
                self.index()?;
                return Some(self.ty(Kind::OpaqueReturnType, &[]));
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
            b'p' => {
                let count = self.pop_type_content()?;
                let pattern = self.pop_type_content()?;
                return Some(self.ty(Kind::Phrase("repeat {0}"), &[pattern, count]));
            }
            b'e' => {
                let pack = self.pop_type_content()?;
                let level = self.index()?;
                let ty = self.ty(Kind::Phrase("/* level: {#} */ each {0}"), &[pack]);
                let content = self.content(ty)?;
                self.tree.get_mut(content).index = level.into();
                return Some(ty);
            }
            b'P' => return self.pack("Pack{"),
            b'S' => {
                return match self.next() {
                    b'd' => self.pack("@direct Pack{"),
                    b'i' => self.pack("@indirect Pack{"),
                    _ => None,
                };
            }
            _ => return None,
        };
        Some(self.substitutable(made))
    }

    pub(super) fn special_type(&mut self) -> Option<NodeId> {
        let letter = self.next();
        match letter {
            b'E' => self.function_type(FunctionKind::NoEscape, None),
            b'A' | b'K' => self.function_type(FunctionKind::AutoClosure, None),
            b'f' => self.function_type(FunctionKind::Thin, None),
            b'U' => self.function_type(FunctionKind::Uncurried, None),
            b'L' => self.function_type(FunctionKind::EscapingBlock, None),
            b'B' => self.function_type(FunctionKind::Block, None),
            b'C' => self.function_type(FunctionKind::C, None),
            b'z' => match self.next() {
                b'B' => self.c_function_type(FunctionKind::Block),
                b'C' => self.c_function_type(FunctionKind::C),
                _ => None,
            },
            b'o' => self.special(Kind::Phrase("unowned {0}")),
            b'u' => self.special(Kind::Phrase("unowned(unsafe) {0}")),
            b'w' => self.special(Kind::Phrase("weak {0}")),
            b'b' => self.special(Kind::SimplePhrase("@box {0}")),
            b'D' => self.special(Kind::SimplePhrase("Self")),
            b'p' => self.special(Kind::ExistentialMetatype),
            b'M' => self.represented_metatype(Kind::Metatype),
            b'm' => self.represented_metatype(Kind::ExistentialMetatype),
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
            b'Y' => self.nominal(Nominal::Other),
            b'Z' => {
                let types = self.type_list()?;
                let name = self.pop_kind(Kind::Identifier)?;
                let parent = self.pop_context()?;
                Some(self.add(Kind::AnonymousContext, &[name, parent, types]))
            }
            b'e' => Some(self.ty(Kind::SimplePhrase("<ERROR TYPE>"), &[])),
            b'g' => self.existential_shape(),
            b'G' => self.generic_existential_shape(),
            b'S' => self.sugared_type(),
            _ => None,
        }
    }

    fn special(&mut self, kind: Kind) -> Option<NodeId> {
        let ty = self.pop_type()?;
        Some(self.ty(kind, &[ty]))
    }

    fn represented_metatype(&mut self, kind: Kind) -> Option<NodeId> {
        let representation = match self.next() {
            b't' => "@thin",
            b'T' => "@thick",
            b'o' => "@objc_metatype",
            _ => return None,
        };
        let representation = self.tree.add_text(Kind::MetatypeRepresentation, representation);
        let ty = self.pop_type()?;
        Some(self.ty(kind, &[representation, ty]))
    }

    fn existential_shape(&mut self) -> Option<NodeId> {
        let ty = self.pop_type()?;
        Some(self.add(Kind::Phrase("existential shape for any {0}"), &[ty]))
    }

    fn generic_existential_shape(&mut self) -> Option<NodeId> {
        let ty = self.pop_type()?;
        let signature = self.pop_signature()?;
        Some(self.add(Kind::Phrase("existential shape for {0} any {1}"), &[signature, ty]))
    }

    fn sugared_type(&mut self) -> Option<NodeId> {
        match self.next() {
            b'q' => self.special(Kind::SugaredOptional),
            b'a' => self.special(Kind::SimplePhrase("[{0}]")),
            b'p' => self.special(Kind::SimplePhrase("({0})")),
            b'A' => {
                let element = self.pop_type()?;
                let count = self.pop_type()?;
                Some(self.ty(Kind::SimplePhrase("[{0} of {1}]"), &[count, element]))
            }
            b'D' => {
                let value = self.pop_type()?;
                let key = self.pop_type()?;
                Some(self.ty(Kind::SimplePhrase("[{0} : {1}]"), &[key, value]))
            }
            _ => None,
        }
    }

    pub(super) fn integer_type(&mut self) -> Option<NodeId> {
        let negative = self.eat(b'n');
        let value = i64::from(self.index()?);
        let content = self.tree.add_index(Kind::Integer, if negative { -value } else { value });
        Some(self.wrap(content))
    }
}

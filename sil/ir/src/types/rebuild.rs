//! Rebuilding a type from its parts: the structure that substitution, canonicalisation and lowering share.

use super::*;
use crate::context::{Context, SignatureId};

/// Whether a rebuild goes into parts that a generic signature inside the type binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoundParts {
    /// It does.
    Enter,
    /// It leaves them alone: their parameters mean others than those outside.
    Keep,
}

/// A change to a type that is made part by part.
pub(super) trait Rebuild {
    /// Where types are interned.
    fn context(&self) -> &Context;

    /// Whether parts under a signature are changed too.
    fn bound_parts(&self) -> BoundParts {
        BoundParts::Keep
    }

    /// The new form of `ty`.
    fn rebuild(&mut self, ty: TypeId) -> TypeId;

    /// The new forms of an element of a list: several, where it is a pack expansion.
    fn rebuild_element(&mut self, ty: TypeId, into: &mut Vec<TypeId>) {
        into.push(self.rebuild(ty));
    }

    /// The new form of a signature that binds parts.
    fn signature(&mut self, signature: SignatureId) -> SignatureId {
        signature
    }

    /// The new forms of a list.
    fn rebuild_list(&mut self, types: &[TypeId]) -> Box<[TypeId]> {
        let mut list = Vec::with_capacity(types.len());
        for ty in types {
            self.rebuild_element(*ty, &mut list);
        }
        list.into()
    }
}

/// `ty` with its parts rebuilt; `ty` itself where it has none.
pub(super) fn rebuild_parts<R: Rebuild>(this: &mut R, ty: TypeId) -> TypeId {
    let rebuilt = match this.context().get(ty).clone() {
        Type::Nominal(nominal) => match rebuild_nominal(this, nominal) {
            Some(nominal) => Type::Nominal(nominal),
            None => return ty,
        },
        Type::Tuple(elements) => return rebuild_tuple(this, &elements),
        Type::Function(function) => Type::Function(Box::new(rebuild_function(this, *function))),
        Type::FormalFunction(function) => match rebuild_formal_function(this, *function) {
            Some(function) => Type::FormalFunction(Box::new(function)),
            None => return ty,
        },
        Type::Metatype { instance, representation } => {
            Type::Metatype { instance: this.rebuild(instance), representation }
        }
        Type::ExistentialMetatype { instance, representation } => {
            Type::ExistentialMetatype { instance: this.rebuild(instance), representation }
        }
        Type::Existential(constraint) => Type::Existential(this.rebuild(constraint)),
        Type::Protocol { protocol, arguments } => Type::Protocol { protocol, arguments: this.rebuild_list(&arguments) },
        Type::Composition(composition) => {
            let members = composition.members.iter().map(|member| this.rebuild(*member)).collect();
            Type::Composition(Box::new(Composition { members, ..*composition }))
        }
        Type::DependentMember { base, member, protocol } => {
            Type::DependentMember { base: this.rebuild(base), member, protocol }
        }
        Type::OpenedArchetype { uuid, existential, interface } => {
            Type::OpenedArchetype { uuid, existential: this.rebuild(existential), interface }
        }
        Type::OpaqueResult { symbol, ordinal, arguments } => {
            Type::OpaqueResult { symbol, ordinal, arguments: this.rebuild_list(&arguments) }
        }
        Type::Unresolved { name, arguments } if !arguments.is_empty() => {
            Type::Unresolved { name, arguments: this.rebuild_list(&arguments) }
        }
        Type::Unresolved { .. } => return ty,
        Type::Box(layout) => Type::Box(Box::new(rebuild_box(this, *layout))),
        Type::Storage { kind, referent } => Type::Storage { kind, referent: this.rebuild(referent) },
        Type::Pack { elements, storage } => Type::Pack { elements: this.rebuild_list(&elements), storage },
        Type::PackExpansion { pattern } => Type::PackExpansion { pattern: this.rebuild(pattern) },
        Type::PackElement(inner) => Type::PackElement(this.rebuild(inner)),
        Type::DynamicSelf(inner) => Type::DynamicSelf(this.rebuild(inner)),
        Type::BlockStorage(inner) => Type::BlockStorage(this.rebuild(inner)),
        Type::InOut(inner) => Type::InOut(this.rebuild(inner)),
        Type::MoveOnlyWrapper(inner) => Type::MoveOnlyWrapper(this.rebuild(inner)),
        Type::Builtin(BuiltinType::FixedArray { count, element }) => {
            Type::Builtin(BuiltinType::FixedArray { count: this.rebuild(count), element: this.rebuild(element) })
        }
        Type::Builtin(_)
        | Type::GenericParameter { .. }
        | Type::NamedParameter { .. }
        | Type::PackElementArchetype { .. }
        | Type::Integer(_) => return ty,
    };
    this.context().ty(rebuilt)
}

fn rebuild_nominal<R: Rebuild>(this: &mut R, nominal: NominalType) -> Option<NominalType> {
    if nominal.parent.is_none() && nominal.arguments.is_empty() {
        return None;
    }
    let parent = nominal.parent.map(|parent| this.rebuild(parent));
    let arguments = this.rebuild_list(&nominal.arguments);
    Some(NominalType { declaration: nominal.declaration, parent, arguments })
}

fn rebuild_tuple<R: Rebuild>(this: &mut R, elements: &[TupleElement]) -> TypeId {
    let mut rebuilt = Vec::with_capacity(elements.len());
    let mut parts = Vec::new();
    for element in elements {
        parts.clear();
        this.rebuild_element(element.ty, &mut parts);
        // Only the first element that an expansion becomes keeps the label.
        for (index, part) in parts.iter().enumerate() {
            rebuilt.push(TupleElement { label: element.label.filter(|_| index == 0), ty: *part });
        }
    }
    // A tuple with one element left, because expansions became empty, is that element. A tuple that was written with
    // one stays one.
    let is_expansion = |context: &Context, ty| matches!(context.get(ty), Type::PackExpansion { .. });
    if let [TupleElement { label: None, ty }] = rebuilt[..]
        && elements.iter().any(|written| is_expansion(this.context(), written.ty))
        && !is_expansion(this.context(), ty)
    {
        return ty;
    }
    this.context().ty(Type::Tuple(rebuilt.into()))
}

fn rebuild_box<R: Rebuild>(this: &mut R, mut layout: BoxType) -> BoxType {
    if layout.substitutions.is_none() || this.bound_parts() == BoundParts::Enter {
        for field in &mut layout.fields {
            field.ty = this.rebuild(field.ty);
        }
    }
    layout.substitutions = layout.substitutions.map(|map| rebuild_map(this, map));
    layout
}

/// A map with its replacements rebuilt.
pub(super) fn rebuild_map<R: Rebuild>(this: &mut R, map: SubstitutionMapId) -> SubstitutionMapId {
    let SubstitutionMap { mut signature, replacements } = this.context().get_substitutions(map).clone();
    if this.bound_parts() == BoundParts::Enter {
        signature = this.signature(signature);
    }
    let replacements = this.rebuild_list(&replacements);
    this.context().substitutions(signature, replacements)
}

/// A function type's free parts: the arguments of its invocation, else its components.
pub(super) fn rebuild_function<R: Rebuild>(this: &mut R, mut function: FunctionType) -> FunctionType {
    let enter = this.bound_parts() == BoundParts::Enter;
    function.invocation = function.invocation.map(|map| rebuild_map(this, map));
    if let Some(signature) = function.signature {
        if !enter {
            return function;
        }
        function.signature = Some(this.signature(signature));
    }
    if let Some(pattern) = function.pattern {
        function.pattern = Some(rebuild_map(this, pattern));
        if !enter {
            return function;
        }
    }
    rebuild_components(this, function)
}

/// A function type with its parameters, yields, results and error rebuilt.
pub(super) fn rebuild_components<R: Rebuild>(this: &mut R, mut function: FunctionType) -> FunctionType {
    for parameter in function.parameters.iter_mut().chain(&mut function.yields) {
        parameter.ty = this.rebuild(parameter.ty);
    }
    for result in function.results.iter_mut().chain(&mut function.error) {
        result.ty = this.rebuild(result.ty);
    }
    function
}

fn rebuild_formal_function<R: Rebuild>(this: &mut R, mut function: FormalFunctionType) -> Option<FormalFunctionType> {
    if let Some(signature) = function.signature {
        if this.bound_parts() == BoundParts::Keep {
            return None;
        }
        function.signature = Some(this.signature(signature));
    }
    let mut parameters = Vec::with_capacity(function.parameters.len());
    let mut parts = Vec::new();
    for parameter in &function.parameters {
        parts.clear();
        this.rebuild_element(parameter.ty, &mut parts);
        parameters.extend(parts.iter().map(|part| FormalParameter { ty: *part, ..*parameter }));
    }
    function.parameters = parameters.into();
    function.result = this.rebuild(function.result);
    if let Throws::Typed(error) = function.throws {
        function.throws = Throws::Typed(this.rebuild(error));
    }
    Some(function)
}

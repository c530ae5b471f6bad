//! Substitution: generic parameters replaced by types, in formal types and in lowered ones (docs/SIL/Types.md).
//!
//! Members of types that become concrete are resolved through `conformances`; `lowering` lowers the replacements of
//! lowered parameters.

use super::rebuild::{Rebuild, rebuild_components, rebuild_map, rebuild_parts};
use super::*;
use crate::context::Context;

impl<'a> TypeQueries<'a> {
    /// `ty`, a formal type, with its generic parameters replaced.
    pub fn substitute(&self, ty: TypeId, substitutions: SubstitutionMapId) -> TypeId {
        if substitutions == SubstitutionMapId::EMPTY {
            return ty;
        }
        self.substituter(substitutions, Level::Formal).rebuild(ty)
    }

    /// `ty`, a lowered type, with its generic parameters replaced by formal types, which are lowered in their turn.
    pub fn substitute_lowered(&self, ty: TypeId, substitutions: SubstitutionMapId) -> TypeId {
        if substitutions == SubstitutionMapId::EMPTY {
            return ty;
        }
        self.substituter(substitutions, Level::Lowered).rebuild(ty)
    }

    /// The map that applies `outer` to the replacements of `inner`: first `inner`, then `outer`.
    pub fn substitute_map(&self, inner: SubstitutionMapId, outer: SubstitutionMapId) -> SubstitutionMapId {
        rebuild_map(&mut self.substituter(outer, Level::Formal), inner)
    }

    fn substituter(&self, substitutions: SubstitutionMapId, level: Level) -> Substituter<'_, 'a> {
        let SubstitutionMap { signature, replacements } = self.context.get_substitutions(substitutions);
        let parameters = &self.context.get_signature(*signature).parameters;
        Substituter { queries: self, parameters, replacements, level, pack_element: None }
    }

    /// The replacements of the declaration's parameters by the arguments of `nominal` and of the types around it.
    pub fn nominal_substitutions(&self, nominal: &NominalType) -> SubstitutionMapId {
        let Some(signature) = self.declarations.get(nominal.declaration).signature else {
            return SubstitutionMapId::EMPTY;
        };
        let parameters = &self.context.get_signature(signature).parameters;
        let mut arguments = Vec::with_capacity(parameters.len());
        self.collect_arguments(nominal, &mut arguments);
        if arguments.is_empty() {
            return SubstitutionMapId::EMPTY;
        }
        self.context.substitutions(signature, self.gather_packs(parameters, arguments))
    }

    fn collect_arguments(&self, nominal: &NominalType, into: &mut Vec<TypeId>) {
        if let Some(parent) = nominal.parent.and_then(|parent| self.as_nominal(parent)) {
            self.collect_arguments(parent, into);
        }
        into.extend_from_slice(&nominal.arguments);
    }

    /// The arguments of a parameter pack stand in a row in the list of a nominal type's arguments.
    fn gather_packs(&self, parameters: &[GenericParameter], arguments: Vec<TypeId>) -> Vec<TypeId> {
        let Some(pack) = parameters.iter().position(|parameter| parameter.kind == GenericParameterKind::Pack) else {
            return arguments;
        };
        let is_pack = |ty: &TypeId| matches!(self.get(*ty), Type::Pack { .. });
        if arguments.len() == parameters.len() && arguments.get(pack).is_some_and(is_pack) {
            return arguments;
        }
        let after = parameters.len() - pack - 1;
        if arguments.len() < pack + after {
            return arguments;
        }
        let elements = arguments[pack..arguments.len() - after].into();
        let packed = self.context.ty(Type::Pack { elements, storage: PackStorage::Formal });
        let mut gathered = arguments[..pack].to_vec();
        gathered.push(packed);
        gathered.extend_from_slice(&arguments[arguments.len() - after..]);
        gathered
    }

    /// The type of a generic function after its signature's parameters are replaced; for another type itself.
    ///
    /// A coroutine keeps its abstraction: the map becomes its pattern substitutions, as the ABI of its yields depends
    /// on them.
    pub fn apply_substitutions(&self, callee: TypeId, substitutions: SubstitutionMapId) -> TypeId {
        let Type::Function(function) = self.get(callee) else { return callee };
        if function.signature.is_none() || substitutions == SubstitutionMapId::EMPTY {
            return callee;
        }
        let key = (callee, substitutions);
        match self.caches.applied.get(&key) {
            Some(found) => found,
            None => self.caches.applied.insert(key, self.apply_uncached(function, substitutions)),
        }
    }

    fn apply_uncached(&self, function: &FunctionType, substitutions: SubstitutionMapId) -> TypeId {
        let mut applied = function.clone();
        applied.signature = None;
        applied.attributes.remove(FunctionAttribute::Pseudogeneric);
        if let Some(pattern) = applied.pattern {
            applied.pattern = Some(self.substitute_map(pattern, substitutions));
        } else if applied.coroutine != CoroutineKind::None {
            let SubstitutionMap { signature, replacements } = self.context.get_substitutions(substitutions).clone();
            let nameless = super::canonical::nameless(self.context, signature);
            applied.pattern = Some(self.context.substitutions(nameless, replacements));
        } else {
            applied = self.substitute_components(applied, substitutions);
        }
        self.context.ty(Type::Function(Box::new(applied)))
    }

    /// A function type with its components substituted as lowered types.
    pub(super) fn substitute_components(&self, function: FunctionType, by: SubstitutionMapId) -> FunctionType {
        rebuild_components(&mut self.substituter(by, Level::Lowered), function)
    }
}

/// Whether a type is formal or lowered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Formal,
    Lowered,
}

struct Substituter<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    parameters: &'a [GenericParameter],
    replacements: &'a [TypeId],
    level: Level,
    /// While an expansion is expanded: which element of the packs is meant.
    pack_element: Option<usize>,
}

impl<'a> Substituter<'_, 'a> {
    /// The replacement of the parameter at this place.
    fn replacement(&self, depth: u32, index: u32) -> Option<TypeId> {
        let at = self.parameters.iter().position(|parameter| parameter.depth == depth && parameter.index == index)?;
        self.replacements.get(at).copied()
    }

    fn parameter(&self, ty: TypeId, depth: u32, index: u32) -> TypeId {
        let Some(mut replacement) = self.replacement(depth, index) else { return ty };
        if let (Some(element), Type::Pack { elements, .. }) = (self.pack_element, self.queries.get(replacement)) {
            match elements.get(element) {
                Some(found) => replacement = *found,
                None => return ty,
            }
            if let Type::PackExpansion { pattern } = self.queries.get(replacement) {
                replacement = *pattern;
            }
        }
        self.lowered(ty, replacement)
    }

    /// The replacement of a parameter in a lowered type is lowered in the most general way.
    fn lowered(&self, original: TypeId, replacement: TypeId) -> TypeId {
        if self.level == Level::Formal || original == replacement {
            return replacement;
        }
        self.queries.lower(replacement, AbstractionPattern::Opaque)
    }

    fn formal(&mut self, ty: TypeId) -> TypeId {
        let level = std::mem::replace(&mut self.level, Level::Formal);
        let rebuilt = rebuild_parts(self, ty);
        self.level = level;
        rebuilt
    }

    /// A pack that the pattern of an expansion refers to and that is replaced, as its elements.
    fn pack_in(&self, pattern: TypeId) -> Option<&'a [TypeId]> {
        let found = self.queries.find_in(pattern, &mut |part| {
            let (depth, index) = generic_parameter(self.queries.get(part))?;
            match self.queries.get(self.replacement(depth, index)?) {
                Type::Pack { elements, .. } => Some(elements),
                _ => None,
            }
        })?;
        Some(found)
    }
}

/// Depth and index, where `ty` is a generic parameter.
pub(super) fn generic_parameter(ty: &Type) -> Option<(u32, u32)> {
    match ty {
        Type::GenericParameter { depth, index } | Type::NamedParameter { depth, index, .. } => Some((*depth, *index)),
        _ => None,
    }
}

impl Rebuild for Substituter<'_, '_> {
    fn context(&self) -> &Context {
        self.queries.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        match self.queries.get(ty) {
            Type::GenericParameter { depth, index } | Type::NamedParameter { depth, index, .. } => {
                self.parameter(ty, *depth, *index)
            }
            Type::DependentMember { base, member, protocol } => {
                let level = std::mem::replace(&mut self.level, Level::Formal);
                let base = self.rebuild(*base);
                self.level = level;
                let resolved = self.queries.member_type(base, *member, *protocol);
                self.lowered(ty, resolved)
            }
            Type::PackElement(inner) if self.pack_element.is_some() => self.rebuild(*inner),
            // The parts of these are formal types even where the type itself is lowered; the object of an Optional is
            // lowered.
            Type::Nominal(nominal)
                if self.level == Level::Lowered && Some(nominal.declaration) != self.queries.caches.known.optional =>
            {
                self.formal(ty)
            }
            Type::Metatype { .. } | Type::ExistentialMetatype { .. } | Type::Existential(_) | Type::DynamicSelf(_)
                if self.level == Level::Lowered =>
            {
                self.formal(ty)
            }
            Type::Function(function) if self.level == Level::Lowered => {
                let bound = function.signature.is_some() || function.pattern.is_some();
                if bound { self.formal(ty) } else { rebuild_parts(self, ty) }
            }
            Type::Box(layout) if layout.substitutions.is_some() => self.formal(ty),
            _ => rebuild_parts(self, ty),
        }
    }

    fn rebuild_element(&mut self, ty: TypeId, into: &mut Vec<TypeId>) {
        let Type::PackExpansion { pattern } = *self.queries.get(ty) else {
            return into.push(self.rebuild(ty));
        };
        let Some(elements) = self.pack_in(pattern) else {
            return into.push(rebuild_parts(self, ty));
        };
        let expansions: Vec<bool> =
            elements.iter().map(|element| matches!(self.queries.get(*element), Type::PackExpansion { .. })).collect();
        let outer = self.pack_element;
        for (element, is_expansion) in expansions.into_iter().enumerate() {
            self.pack_element = Some(element);
            let part = self.rebuild(pattern);
            into.push(if is_expansion { self.queries.context.ty(Type::PackExpansion { pattern: part }) } else { part });
        }
        self.pack_element = outer;
    }
}

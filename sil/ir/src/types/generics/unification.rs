//! The consequences of two types that one type parameter must both be, or of two classes that it must both inherit
//! from: their arguments are the same (docs/Generics, "Concrete Unification", "Superclass Unification"). `rewriting`
//! decides which rules to unify.

use super::Generics;
use super::term::{Symbol, Term};
use crate::context::{Context, NominalId, NominalType, Requirement, Type, TypeId};
use crate::types::rebuild::{Rebuild, rebuild_parts};

/// A class does not inherit from more classes than this, unless from itself.
const ANCESTOR_LIMIT: usize = 256;

impl Generics<'_> {
    /// The consequences if both `first` and `second` hold of a term that begins with a symbol of `protocol`, or of a
    /// signature.
    pub(super) fn unify(
        &self,
        first: &Symbol,
        second: &Symbol,
        protocol: Option<NominalId>,
        into: &mut Vec<(Term, Term)>,
    ) {
        let (first, second) = match (first, second) {
            (Symbol::Concrete(first), Symbol::Concrete(second)) => {
                (self.type_of_pattern(first), self.type_of_pattern(second))
            }
            (
                Symbol::Superclass(first) | Symbol::Concrete(first),
                Symbol::Superclass(second) | Symbol::Concrete(second),
            ) => {
                let (first, second) = (self.type_of_pattern(first), self.type_of_pattern(second));
                let pair = self.as_same_class(first, second).map(|first| (first, second));
                let Some(pair) = pair.or_else(|| Some((first, self.as_same_class(second, first)?))) else { return };
                pair
            }
            _ => return,
        };
        self.unify_types(first, second, protocol, into);
    }

    fn unify_types(&self, first: TypeId, second: TypeId, protocol: Option<NominalId>, into: &mut Vec<(Term, Term)>) {
        if first == second {
            return;
        }
        if self.plain_term(first, protocol).is_some() || self.plain_term(second, protocol).is_some() {
            return self.equations(&Requirement::SameType { first, second }, protocol, into);
        }
        let [(shell, parts), (other_shell, other_parts)] = [first, second].map(|ty| self.parts(ty));
        // Types that differ contradict each other: nothing follows.
        if shell == other_shell && parts.len() == other_parts.len() {
            for (first, second) in parts.into_iter().zip(other_parts) {
                self.unify_types(first, second, protocol, into);
            }
        }
    }

    /// A type without its parts, and these.
    fn parts(&self, ty: TypeId) -> (TypeId, Vec<TypeId>) {
        let mut taker = PartTaker { context: self.context, parts: Vec::new() };
        let shell = rebuild_parts(&mut taker, ty);
        (shell, taker.parts)
    }

    /// The ancestor of `class`, or `class` itself, that is declared as `other` is.
    fn as_same_class(&self, class: TypeId, other: TypeId) -> Option<TypeId> {
        let nominal = |ty: TypeId| match self.context.get(ty) {
            Type::Nominal(nominal) => Some(nominal),
            _ => None,
        };
        let declaration = nominal(other)?.declaration;
        let mut current = class;
        for _ in 0..ANCESTOR_LIMIT {
            let this = nominal(current)?;
            if this.declaration == declaration {
                return Some(current);
            }
            let superclass = self.declarations.get(this.declaration).superclass?;
            current = ArgumentGiver { context: self.context, levels: self.argument_levels(this) }.rebuild(superclass);
        }
        None
    }

    /// The arguments of a type by the depth of their parameters.
    fn argument_levels(&self, nominal: &NominalType) -> Vec<Vec<TypeId>> {
        let outer = nominal.parent.and_then(|parent| match self.context.get(parent) {
            Type::Nominal(parent) => Some(self.argument_levels(parent)),
            _ => None,
        });
        let mut levels = outer.unwrap_or_default();
        if !nominal.arguments.is_empty() {
            levels.push(nominal.arguments.to_vec());
        }
        levels
    }
}

struct PartTaker<'g> {
    context: &'g Context,
    parts: Vec<TypeId>,
}

impl Rebuild for PartTaker<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        self.parts.push(ty);
        self.context.ty(Type::Tuple(Box::default()))
    }
}

struct ArgumentGiver<'g> {
    context: &'g Context,
    levels: Vec<Vec<TypeId>>,
}

impl Rebuild for ArgumentGiver<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        match *self.context.get(ty) {
            Type::GenericParameter { depth, index } => {
                let level = self.levels.get(depth as usize);
                level.and_then(|level| level.get(index as usize)).copied().unwrap_or(ty)
            }
            _ => rebuild_parts(self, ty),
        }
    }
}

//! The class method that a library's method is called as: an override with the convention of the overridden method has
//! neither a slot nor a dispatch thunk of its own (lib/SIL/IR/SILDeclRef.cpp, `getOverriddenVTableEntry`;
//! lib/Sema/TypeCheckDecl.cpp, `NeedsNewVTableEntryRequest`).

use sil_ir::context::{MemberId, MemberKind, MemberRef, NominalId, Type, TypeId};
use sil_ir::declarations::{DispatchedMember, NominalKind, Overriding};
use sil_ir::types::MethodRef;

use crate::generation::IRGenModule;

/// The method that a method is called as.
enum CalledAs<'a> {
    /// The method introduces its own slot.
    Itself,
    /// The method is called as the superclass member that it overrides.
    Overridden(NominalId, &'a DispatchedMember),
    /// The overridden method is not known.
    Unknown,
}

/// The limit for chains of superclasses, which invalid input may make circular.
const DEPTH_LIMIT: usize = 256;

impl IRGenModule<'_, '_> {
    /// Returns the method that a method of a library's class is or overrides, as a member of the class that introduces
    /// it.
    pub(super) fn introduced_by_library(
        &self,
        class: NominalId,
        method: MethodRef,
    ) -> (NominalId, MemberId, Option<TypeId>) {
        let wanted = self.sil.context.get_member(method.member);
        let (mut introducing, mut formal) = (class, method.formal_type);
        let mut overriding = self.declared_method(class, wanted, formal);
        for _ in 0..DEPTH_LIMIT {
            let (ancestor, base) = match overriding.map(|member| self.called_as(introducing, member)) {
                Some(CalledAs::Overridden(ancestor, base)) => (ancestor, base),
                Some(CalledAs::Unknown) => return (class, method.member, None),
                Some(CalledAs::Itself) | None => break,
            };
            let classes = [introducing, ancestor].map(|class| self.identity(class));
            formal = base.ty.or_else(|| self.with_self(formal?, wanted.kind, classes));
            (introducing, overriding) = (ancestor, Some(base));
        }
        if introducing == class {
            return (class, method.member, method.formal_type);
        }
        let member = self.sil.context.member(MemberRef { parent: Some(introducing), ..wanted.clone() });
        (introducing, member, formal)
    }

    /// Returns the declaration `wanted` of `class`, which SIL names with the type `formal`, or `None` if it is
    /// ambiguous.
    fn declared_method(
        &self,
        class: NominalId,
        wanted: &MemberRef,
        formal: Option<TypeId>,
    ) -> Option<&DispatchedMember> {
        let named = |known: &&DispatchedMember| (known.name, known.kind) == (wanted.name, wanted.kind);
        let known: Vec<_> = self.sil.declarations.get(class).dispatched.iter().filter(named).collect();
        let is_it = |known: &&DispatchedMember| match (known.ty, formal) {
            (Some(ty), Some(formal)) => self.types.queries.same_type(ty, formal),
            _ => false,
        };
        let same: Vec<_> = known.iter().copied().filter(is_it).collect();
        match (&known[..], &same[..]) {
            ([only], _) | (_, [only]) => Some(*only),
            _ => None,
        }
    }

    /// The method that `member` of `class` is called as.
    fn called_as(&self, class: NominalId, member: &DispatchedMember) -> CalledAs<'_> {
        let not_found = match member.overriding {
            Overriding::No => return CalledAs::Itself,
            Overriding::WhereInherited => CalledAs::Itself,
            Overriding::Yes => CalledAs::Unknown,
        };
        let queries = self.types.queries;
        let mut superclass = queries.superclass_of(self.identity(class));
        for _ in 0..DEPTH_LIMIT {
            let Some(ancestor) = superclass else { break };
            let Some(declared) = queries.as_nominal(ancestor).map(|nominal| nominal.declaration) else { break };
            let is_overridden = |base: &&DispatchedMember| {
                (base.name, base.kind, &base.labels) == (member.name, member.kind, &member.labels)
            };
            let bases: Vec<_> = self.sil.declarations.get(declared).dispatched.iter().filter(is_overridden).collect();
            if !bases.is_empty() {
                // Code that sees the override may not see the overridden method.
                let base = bases.into_iter().find(|base| self.is_called_alike(ancestor, base, member));
                let seen = base.filter(|base| base.access >= member.access);
                return seen.map_or(CalledAs::Itself, |base| CalledAs::Overridden(declared, base));
            }
            superclass = queries.superclass_of(ancestor);
        }
        not_found
    }

    /// Returns whether `member`, which overrides `base` of the type `ancestor`, has the same convention
    /// (lib/SIL/IR/TypeLowering.cpp, `checkFunctionForABIDifferences`). If a type is not known, the name decides.
    fn is_called_alike(&self, ancestor: TypeId, base: &DispatchedMember, member: &DispatchedMember) -> bool {
        let queries = self.types.queries;
        let of_self = |ty: TypeId| match queries.get(ty) {
            Type::FormalFunction(outer) => Some(outer.result),
            _ => None,
        };
        let (Some(base), Some(member)) = (base.ty.and_then(of_self), member.ty.and_then(of_self)) else { return true };
        let arguments = queries.as_nominal(ancestor).map(|nominal| queries.nominal_substitutions(nominal));
        let base = arguments.map_or(base, |arguments| queries.substitute(base, arguments));
        let (Type::FormalFunction(base), Type::FormalFunction(member)) = (queries.get(base), queries.get(member))
        else {
            return queries.same_type(base, member);
        };
        let parameters = base.parameters.iter().zip(&member.parameters);
        base.parameters.len() == member.parameters.len()
            && parameters.map(|(base, member)| (base.ty, member.ty)).all(|types| self.is_passed_alike(types))
            && self.is_passed_alike((base.result, member.result))
    }

    /// Returns whether values of two types are passed alike: any two references are, optional or not.
    fn is_passed_alike(&self, (first, second): (TypeId, TypeId)) -> bool {
        let queries = self.types.queries;
        let is_reference = |ty| {
            let ty = queries.optional_object(ty).unwrap_or(ty);
            let kind = queries.declaration_of(ty).map(|declaration| declaration.kind);
            matches!(kind, Some(NominalKind::Class | NominalKind::Actor))
                || matches!(queries.get(ty), Type::DynamicSelf(_))
        };
        queries.same_type(first, second) || (is_reference(first) && is_reference(second))
    }

    /// Returns the formal type of a method of the first class as a method of the second.
    fn with_self(&self, formal: TypeId, kind: MemberKind, [from, to]: [TypeId; 2]) -> Option<TypeId> {
        let context = &self.sil.context;
        let replaced = |ty: TypeId| match *context.get(ty) {
            Type::Metatype { instance, representation } if instance == from => {
                context.ty(Type::Metatype { instance: to, representation })
            }
            _ if ty == from => to,
            _ => ty,
        };
        let Type::FormalFunction(outer) = context.get(formal) else { return None };
        let mut outer = (**outer).clone();
        for parameter in &mut outer.parameters {
            parameter.ty = replaced(parameter.ty);
        }
        if let (MemberKind::Allocator, Type::FormalFunction(inner)) = (kind, context.get(outer.result)) {
            let mut inner = (**inner).clone();
            inner.result = replaced(inner.result);
            outer.result = context.ty(Type::FormalFunction(Box::new(inner)));
        }
        Some(context.ty(Type::FormalFunction(Box::new(outer))))
    }
}

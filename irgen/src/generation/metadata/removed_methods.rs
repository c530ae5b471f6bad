//! Symbols of methods that dead code elimination has removed: they have no callers in the module, but vtables of
//! subclasses in other modules refer to them (lib/IRGen/GenDecl.cpp, `emitVTableStubs`). Calls of such a function end
//! the program.

use sil_ir::context::{MemberId, MemberKind, MemberRef, MemberTarget, NominalId, Type, TypeId};
use sil_ir::declarations::{Access, DispatchedMember, Origin};

use crate::generation::{Entity, IRGenModule, Roots};

/// A method as [`SymbolTypes::member`](sil_ir::types::SymbolTypes::member) names it.
pub struct RemovedMethod {
    /// The member: the class that introduces it, its name, and its accessor kind.
    pub member: MemberId,
    /// Its formal type, `(C) -> (A) -> B`.
    pub formal: TypeId,
    /// The formal type that it yields as a coroutine, or `None` for a method that is not an accessor.
    pub yielded: Option<TypeId>,
}

impl IRGenModule<'_, '_> {
    /// Declares the entities of removed methods that other modules' subclasses may refer to.
    pub(in crate::generation) fn declare_removed_methods(&self) {
        if !self.is_first_unit() || self.options.roots != Roots::Visible {
            return;
        }
        for (nominal, declaration) in self.sil.declarations.iter() {
            if declaration.origin == Origin::Module && self.sil.declarations.access_of(nominal) == Access::Open {
                self.declare_removed_methods_of(nominal);
            }
        }
    }

    fn declare_removed_methods_of(&self, nominal: NominalId) {
        let Some(vtable) = self.program.vtables.get(&(nominal, None)) else { return };
        for number in self.program.class_slots.removed(self.types.queries, vtable) {
            let entity = Entity::RemovedMethod(nominal, number);
            let symbol = self.removed_method_symbol(nominal, number);
            let is_free = |symbol: String| self.sil.function_named(self.sil.context.name(&symbol)).is_none();
            if symbol.is_some_and(is_free) {
                self.declare_function(entity, self.context.void_type().fn_type(&[], false));
            }
        }
    }

    /// Returns member number `number` among the dispatched members of the class `nominal`. `None` if its symbol
    /// contains a private file context, or if its type is not known.
    pub fn removed_method(&self, nominal: NominalId, number: u32) -> Option<RemovedMethod> {
        let dispatched = &self.sil.declarations.get(nominal).dispatched;
        let method = dispatched.get(number as usize)?;
        let getter = dispatched.iter().find(|other| is_getter_of(method, other));
        let read = getter.unwrap_or(method);
        let is_stated = getter.is_some() || !is_coroutine(method.kind);
        if read.access < Access::Internal || !is_stated {
            return None;
        }
        let reference = MemberRef::new(Some(nominal), method.name, method.kind, MemberTarget::Other);
        let result = |ty| match self.types.queries.get(ty) {
            Type::FormalFunction(function) => Some(function.result),
            _ => None,
        };
        let yielded = read.ty.and_then(result).and_then(result);
        Some(RemovedMethod { member: self.sil.context.member(reference), formal: method.ty?, yielded })
    }
}

fn is_coroutine(kind: MemberKind) -> bool {
    matches!(kind, MemberKind::Read | MemberKind::Read2 | MemberKind::Modify | MemberKind::Modify2)
}

/// Returns whether `other` is the getter of the property of the accessor `method`; a subscript is distinguished by its
/// labels only.
fn is_getter_of(method: &DispatchedMember, other: &DispatchedMember) -> bool {
    (method.kind == MemberKind::Setter || is_coroutine(method.kind))
        && other.kind == MemberKind::Getter
        && (other.name, &other.labels) == (method.name, &method.labels)
}

//! Types whose values lifetimes depend on by their memory: a value that depends on such a value may point into it
//! (`RecursiveProperties::isAddressableForDependencies`, include/swift/SIL/TypeLowering.h).

use super::*;

/// Types nest this deep at most.
const NESTING: usize = 64;

impl TypeQueries<'_> {
    /// Whether a lifetime that depends in this manner on a value of the lowered type `ty` depends on the memory that
    /// the value lies in.
    pub fn is_addressable(&self, kind: LifetimeDependenceKind, ty: TypeId, signature: Option<SignatureId>) -> bool {
        match kind {
            LifetimeDependenceKind::Inherited | LifetimeDependenceKind::Scoped(Addressability::NotAddressable) => false,
            LifetimeDependenceKind::Scoped(Addressability::Addressable) => true,
            LifetimeDependenceKind::Scoped(Addressability::ForDependencies) => {
                self.is_addressable_for_dependencies(ty, signature)
            }
        }
    }

    /// Whether something that a function of this type gives depends on the memory of the argument that parameter number
    /// `parameter` takes (`SILFunctionType::isAddressable`, lib/SIL/IR/SILFunctionType.cpp).
    pub fn is_parameter_addressable(&self, function: &FunctionType, parameter: u32) -> bool {
        let Some(ty) = function.parameters.get(parameter as usize).map(|parameter| parameter.ty) else { return false };
        let mut kinds = function.lifetimes.iter().filter_map(|dependence| dependence.on_parameter(parameter));
        kinds.any(|kind| self.is_addressable(kind, ty, None))
    }

    /// Whether a lifetime that depends on a value of the lowered type `ty`, where that is addressable, depends on the
    /// memory that the value lies in.
    fn is_addressable_for_dependencies(&self, ty: TypeId, signature: Option<SignatureId>) -> bool {
        self.is_part_addressable(ty, signature, NESTING)
    }

    fn is_part_addressable(&self, ty: TypeId, signature: Option<SignatureId>, nesting: usize) -> bool {
        let Some(nesting) = nesting.checked_sub(1) else { return false };
        let within = |part: TypeId| self.is_part_addressable(part, signature, nesting);
        match self.get(ty) {
            Type::Builtin(BuiltinType::FixedArray { .. }) => true,
            Type::Tuple(elements) => elements.iter().any(|element| within(element.ty)),
            Type::MoveOnlyWrapper(inner) => within(*inner),
            // The parts of an archetype are not known.
            Type::GenericParameter { .. }
            | Type::NamedParameter { .. }
            | Type::DependentMember { .. }
            | Type::OpenedArchetype { .. }
            | Type::OpaqueResult { .. } => self.properties(ty, signature).is_address_only(),
            Type::Nominal(_) if self.is_class(ty) => false,
            Type::Nominal(_) => {
                let may_change = || self.properties(ty, signature).is_address_only();
                self.is_nominal_addressable(ty, may_change) || self.formal_parts(ty).into_iter().any(within)
            }
            _ => false,
        }
    }

    /// Whether the declaration of a type states it, or its origin implies it.
    fn is_nominal_addressable(&self, ty: TypeId, is_address_only: impl Fn() -> bool) -> bool {
        let Some(declaration) = self.declaration_of(ty) else { return false };
        let attributes = &declaration.attributes;
        attributes.addressable_for_dependencies
            || attributes.raw_layout.is_some()
            || attributes.c_layout.is_some()
            || attributes.resilient && is_address_only()
    }
}

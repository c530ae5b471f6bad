//! The effective conventions of functions of modules whose address-only values are still SSA values
//! (`-enable-sil-opaque-values`).

use super::*;
use crate::model::AddressLowering;

impl TypeQueries<'_> {
    /// The function type with the conventions that hold in the module: where addresses are not lowered, `@in` takes
    /// over a value, `@in_guaranteed` borrows one, and `@out` and `@error_indirect` give one away
    /// (include/swift/SIL/SILFunctionConventions.h). Another type, and any type where addresses are lowered, is itself.
    pub(super) fn with_opaque_values(&self, function: TypeId) -> TypeId {
        match (self.address_lowering, self.get(function)) {
            (AddressLowering::Opaque, Type::Function(lowered)) => {
                let known = self.caches.opaque.get(&function);
                known.unwrap_or_else(|| self.caches.opaque.insert(function, self.passing_values(lowered)))
            }
            _ => function,
        }
    }

    /// Whether address-only values are values in the module.
    pub fn has_opaque_values(&self) -> bool {
        self.address_lowering == AddressLowering::Opaque
    }

    fn passing_values(&self, lowered: &FunctionType) -> TypeId {
        let mut opaque = lowered.clone();
        for parameter in opaque.parameters.iter_mut().chain(&mut opaque.yields) {
            if !self.has_pack(parameter.ty) && !self.is_opened_error(parameter.ty) {
                parameter.convention = parameter_of_value(parameter.convention);
            }
        }
        for result in opaque.results.iter_mut().chain(&mut opaque.error) {
            if result.convention == ResultConvention::Indirect && !self.is_opened_error(result.ty) {
                result.convention = ResultConvention::Owned;
            }
        }
        self.context.ty(Type::Function(Box::new(opaque)))
    }

    fn has_pack(&self, ty: TypeId) -> bool {
        let is_pack = |part| matches!(self.get(part), Type::Pack { .. } | Type::PackExpansion { .. });
        self.find_in(ty, &mut |part| is_pack(part).then_some(())).is_some()
    }

    /// Whether `ty` is the content of an `any Error`, which a box holds: that has an address.
    fn is_opened_error(&self, ty: TypeId) -> bool {
        let Type::OpenedArchetype { existential, .. } = self.get(ty) else { return false };
        self.protocols_in(*existential).into_iter().any(|protocol| {
            let mut is_error = false;
            self.each_protocol(protocol, &mut |refined| is_error |= Some(refined) == self.caches.known.error);
            is_error || Some(protocol) == self.caches.known.error
        })
    }
}

fn parameter_of_value(convention: ParameterConvention) -> ParameterConvention {
    use ParameterConvention::*;
    match convention {
        In | InConstant | InCxx => Owned,
        InGuaranteed => Guaranteed,
        Unowned | Owned | Guaranteed | InOut | InOutAliasable | PackOwned | PackGuaranteed | PackInOut => convention,
    }
}

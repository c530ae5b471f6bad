//! Requirements of protocols as functions: the lowered type that their witnesses are called with, from the declaration
//! (lib/SIL/IR/SILFunctionType.cpp, `getConstantFunctionType` of a witness method).

use super::*;
use crate::context::{CoroutineKind, MemberKind, Parameter, ParameterConvention, ParameterOptions, SignatureId};

impl TypeQueries<'_> {
    /// The lowered type of a requirement of `protocol`, which is a function, an initialiser or an accessor of type
    /// `formal`: `<Self where Self : P> (Self) -> (A) -> B`. `yielded` is the formal type of a coroutine's yield. None
    /// for a requirement without such a type.
    pub fn requirement_type(
        &self,
        protocol: NominalId,
        kind: MemberKind,
        formal: TypeId,
        yielded: Option<TypeId>,
    ) -> Option<TypeId> {
        let Type::FormalFunction(outer) = self.get(formal) else { return None };
        let Type::FormalFunction(inner) = self.get(outer.result) else { return None };
        let [this] = &*outer.parameters else { return None };
        if inner.signature.is_some() {
            return None;
        }
        let mut inner = (**inner).clone();
        if matches!(kind, MemberKind::Allocator | MemberKind::Setter) {
            inner.parameters.iter_mut().for_each(|parameter| {
                if parameter.specifier == FormalSpecifier::Default {
                    parameter.specifier = FormalSpecifier::LegacyOwned;
                }
            });
        }
        let mut lowered = self.lower_components(&inner, outer.signature);
        lowered.signature = outer.signature;
        lowered.representation = Representation::WitnessMethod(protocol);
        let mut parameters = lowered.parameters.into_vec();
        self.lower_parameter(this, this.ty, outer.signature, &mut parameters);
        lowered.parameters = parameters.into();
        let coroutine = match kind {
            MemberKind::Read | MemberKind::Modify => Some(CoroutineKind::YieldOnce),
            MemberKind::Read2 | MemberKind::Modify2 => Some(CoroutineKind::YieldOnce2),
            _ => None,
        };
        if let Some(coroutine) = coroutine {
            lowered.coroutine = coroutine;
            lowered.results = Box::default();
            lowered.yields = Box::new([self.lower_yield(kind, yielded?, outer.signature)]);
        }
        Some(self.context.ty(Type::Function(Box::new(lowered))))
    }

    fn lower_yield(&self, kind: MemberKind, yielded: TypeId, signature: Option<SignatureId>) -> Parameter {
        let ty = self.lower_formal(yielded);
        let convention = match (kind, self.properties(ty, signature).passing) {
            (MemberKind::Modify | MemberKind::Modify2, _) => ParameterConvention::InOut,
            (_, Passing::AddressOnly) => ParameterConvention::InGuaranteed,
            (_, Passing::Loadable(Triviality::Trivial)) => ParameterConvention::Unowned,
            (_, Passing::Loadable(Triviality::Nontrivial)) => ParameterConvention::Guaranteed,
        };
        Parameter { convention, ty, options: ParameterOptions::default() }
    }
}

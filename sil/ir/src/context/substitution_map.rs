//! Substitution maps: the replacement of each parameter of a generic signature (include/swift/AST/SubstitutionMap.h).
//!
//! A map consists of the signature and the replacements alone: two maps are the same whatever is known of conformances
//! where they are made, so that types that have maps in them are the same too. The conformances of a map are looked up
//! by [`TypeQueries::conformances_of`](crate::types::TypeQueries::conformances_of).

use super::{
    Context, GenericParameter, GenericParameterKind, GenericSignature, SignatureId, SubstitutionMapId, TypeId,
};

/// A replacement for each parameter of a generic signature.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct SubstitutionMap {
    /// Whose parameters are replaced.
    pub signature: SignatureId,
    /// Formal types, in the order of the parameters. Wrong input may have more or fewer.
    pub replacements: Box<[TypeId]>,
}

impl Context {
    /// Interns a map.
    pub fn substitutions(&self, signature: SignatureId, replacements: impl Into<Box<[TypeId]>>) -> SubstitutionMapId {
        self.substitution_maps.intern(SubstitutionMap { signature, replacements: replacements.into() })
    }

    /// The map `id`.
    pub fn get_substitutions(&self, id: SubstitutionMapId) -> &SubstitutionMap {
        self.substitution_maps.get(id)
    }

    /// The replacements of a map, in the order of its signature's parameters.
    pub fn replacements(&self, id: SubstitutionMapId) -> &[TypeId] {
        &self.get_substitutions(id).replacements
    }

    /// The signature with `count` parameters of which nothing is required.
    pub fn unconstrained_signature(&self, count: usize) -> SignatureId {
        let parameter = |index| GenericParameter { name: None, depth: 0, index, kind: GenericParameterKind::Type };
        let parameters = (0..count as u32).map(parameter).collect();
        self.signature(GenericSignature { parameters, requirements: Box::default() })
    }
}

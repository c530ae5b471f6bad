//! Differentiability witnesses: the pair of derivatives of a function, by which code of any module finds them
//! (lib/IRGen/GenDiffWitness.cpp). Owns: references to witnesses, and their contents. Does not own: the instructions of
//! differentiation, and `@differentiable` functions.

use inkwell::values::PointerValue;
use sil_ir::context::Name;
use sil_ir::model::{DerivativeConfiguration, DifferentiabilityWitness, Linkage};

use super::constants::ConstantStruct;
use super::{Entity, IRGenModule, Roots};
use crate::refusal::{Generated, unsupported_without_place};

/// The index of a differentiability witness in the SIL module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DifferentiabilityWitnessId(usize);

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the witness for this configuration, if the SIL module has it.
    pub fn differentiability_witness_for(
        &self,
        configuration: &DerivativeConfiguration,
    ) -> Option<DifferentiabilityWitnessId> {
        let is_it = |witness: &DifferentiabilityWitness| {
            witness.configuration.original == configuration.original
                && self.types.queries.same_derivatives(&witness.configuration, configuration)
        };
        self.sil.differentiability_witnesses.iter().position(is_it).map(DifferentiabilityWitnessId)
    }

    pub(super) fn differentiability_witness(&self, id: DifferentiabilityWitnessId) -> &DifferentiabilityWitness {
        &self.sil.differentiability_witnesses[id.0]
    }

    /// Returns whether the module defines the witness. It does not define copies of other modules' witnesses.
    pub(super) fn defines_differentiability_witness(&self, id: DifferentiabilityWitnessId) -> bool {
        let witness = self.differentiability_witness(id);
        witness.derivatives.is_some() && witness.linkage != Linkage::PublicExternal
    }

    /// Returns the address of the witness: of its JVP, which its VJP follows. It is declared if necessary.
    pub fn address_of_differentiability_witness(
        &self,
        id: DifferentiabilityWitnessId,
    ) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::DifferentiabilityWitness(id);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let mut derivatives = ConstantStruct::new(self.pointer_size());
        if self.is_emitted(&entity) {
            for derivative in self.witnessed_derivatives(id)? {
                derivatives.add_address(derivative);
            }
        } else {
            derivatives.add_null();
            derivatives.add_null();
        }
        Ok(self.declare_constant(entity, derivatives, self.pointer_size()).as_pointer_value())
    }

    /// Returns the JVP and the VJP of a witness that is defined.
    fn witnessed_derivatives(&self, id: DifferentiabilityWitnessId) -> Generated<[Entity; 2]> {
        let witness = self.differentiability_witness(id);
        let entity_of = |derivative: Option<(Name, _)>| {
            let function = derivative.and_then(|(name, _)| self.sil.function_named(name));
            function.map(|function| self.function_entity(function))
        };
        let derivatives = witness.derivatives.as_ref();
        let pair = derivatives.and_then(|found| Some([entity_of(found.jvp)?, entity_of(found.vjp)?]));
        pair.ok_or_else(|| {
            let mut error = unsupported_without_place("a differentiability witness without both derivatives");
            error.span = Some(witness.span);
            Box::new(error)
        })
    }

    /// Declares the witnesses that other modules may refer to.
    pub(super) fn declare_visible_differentiability_witnesses(&self) {
        if self.options.roots != Roots::Visible {
            return;
        }
        for (number, witness) in self.sil.differentiability_witnesses.iter().enumerate() {
            let id = DifferentiabilityWitnessId(number);
            let is_visible = match witness.linkage {
                Linkage::Public | Linkage::Package | Linkage::Hidden => true,
                Linkage::PublicNonAbi
                | Linkage::PackageNonAbi
                | Linkage::Shared
                | Linkage::Private
                | Linkage::PublicExternal
                | Linkage::PackageExternal
                | Linkage::HiddenExternal
                | Linkage::SharedExternal
                | Linkage::PrivateExternal => false,
            };
            let is_own = self.other_unit(&Entity::DifferentiabilityWitness(id)).is_none();
            if is_visible
                && is_own
                && self.defines_differentiability_witness(id)
                && let Err(error) = self.address_of_differentiability_witness(id)
            {
                self.push_error(*error);
            }
        }
    }
}

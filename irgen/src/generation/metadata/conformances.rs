//! The code that returns the witness table of a conformance: symbols for types without generic arguments, tables that
//! the runtime instantiates for the library's protocols, and tables that it looks up for others.

use inkwell::values::{BasicValueEnum, FunctionValue, PointerValue};
use sil_ir::context::{
    Conformance, ConformanceId, ConformanceKind, Name, NominalId, Requirement, SignatureId, SubstitutionMapId, TypeId,
};
use sil_ir::model::WitnessEntry;
use sil_ir::types::WitnessSlot;

use super::generic_contexts::inverse_bit;
use crate::generation::polymorphic::{DescribedRequirement, GenericRequirement};
use crate::generation::{
    ConformancePart, Entity, IRGenFunction, IRGenModule, MetadataState, NominalPart, RuntimeFunction,
};
use crate::llvm::attributes::{self, Attribute, Place};
use crate::refusal::Generated;

impl IRGenModule<'_, '_> {
    /// Returns whether another module declares the conformance of a type of another module, and the runtime
    /// instantiates its witness table.
    fn is_made_by_runtime(&self, conformance: ConformanceId) -> bool {
        let Conformance { ty, kind, .. } = self.sil.context.get_conformance(conformance);
        let declaration = self.types.queries.declaration_of(*ty);
        let is_imported =
            declaration.is_some_and(|declaration| self.sil.declarations.may_conform_elsewhere(declaration));
        is_imported && *kind != ConformanceKind::Missing && self.is_dependent_conformance(conformance)
    }

    /// Returns the declared conformance in terms of the type's own parameters, if `conformance` is that of a
    /// specialised generic type.
    pub(in crate::generation) fn stated_conformance(&self, conformance: ConformanceId) -> ConformanceId {
        let Conformance { ty, protocol, .. } = *self.sil.context.declared_conformance(conformance);
        match self.types.queries.as_nominal(ty) {
            Some(nominal) => self.types.queries.conformance_with_table(self.identity(nominal.declaration), protocol),
            None => conformance,
        }
    }

    /// The signature that the type of a stated conformance is in terms of.
    pub(in crate::generation) fn conformance_signature(&self, conformance: ConformanceId) -> Option<SignatureId> {
        match self.sil.context.declared_conformance(conformance).kind {
            ConformanceKind::Normal { signature, .. } => signature,
            _ => None,
        }
    }

    /// Returns whether the witness tables of a conformance differ between types, so that the runtime instantiates them:
    /// those of resilient libraries, and those that depend on generic arguments (lib/IRGen/GenProto.cpp,
    /// `isDependentConformance`).
    pub(in crate::generation) fn is_dependent_conformance(&self, conformance: ConformanceId) -> bool {
        self.is_dependent_within(conformance, &mut Vec::new())
    }

    fn is_dependent_within(&self, conformance: ConformanceId, open: &mut Vec<ConformanceId>) -> bool {
        let stated = self.stated_conformance(conformance);
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(stated);
        if open.contains(&stated) {
            return false;
        }
        let Some(table) = self.program.witness_tables.table(stated).filter(|_| self.is_defined_witness_table(stated))
        else {
            return self.is_dependent_elsewhere(stated, open);
        };
        if !self.numbers_members(protocol)
            || self.conditional_tables_of(ty, protocol).map_or(true, |found| !found.is_empty())
        {
            return true;
        }
        open.push(stated);
        let queries = self.types.queries;
        let is_dependent = table.entries.iter().flatten().any(|entry| match entry {
            WitnessEntry::AssociatedType { ty, .. } => queries.is_dependent(*ty),
            WitnessEntry::AssociatedConformance { conformance, .. } => {
                let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(*conformance);
                queries.is_dependent(ty) || self.is_dependent_within(queries.conformance_with_table(ty, protocol), open)
            }
            WitnessEntry::BaseProtocol { protocol, .. } => {
                queries.has_witness_table(*protocol)
                    && self.is_dependent_within(queries.conformance_with_table(ty, *protocol), open)
            }
            WitnessEntry::Method { .. } => false,
        });
        open.pop();
        is_dependent
    }

    /// The same for a conformance of another module, in terms of the type's own parameters: the contents of its table
    /// follow from the protocol's requirements.
    fn is_dependent_elsewhere(&self, stated: ConformanceId, open: &mut Vec<ConformanceId>) -> bool {
        let queries = self.types.queries;
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(stated);
        let module = match self.sil.context.declared_conformance(stated).kind {
            ConformanceKind::Normal { module, .. } => module,
            ConformanceKind::Abstract | ConformanceKind::Unknown => return true,
            _ => return false,
        };
        let required = self.sil.declarations.get(protocol);
        let may_change = required.attributes.evolving && (required.module != module || self.is_specialized(ty));
        if may_change || self.conditional_tables_of(ty, protocol).map_or(true, |found| !found.is_empty()) {
            return true;
        }
        open.push(stated);
        let generics = queries.generics();
        let is_witness_dependent = |member: Name| {
            let witness = queries.type_witness(stated, member);
            witness.is_none_or(|witness| queries.is_dependent(queries.canonical_type(witness)))
        };
        let mut members = required.associated_types.iter();
        let this = queries.context.substitutions(queries.context.unconstrained_signature(1), [ty]);
        let is_dependent = members.any(|member| is_witness_dependent(member.name))
            || generics.requirement_signature(protocol).iter().any(|requirement| {
                let Requirement::Conformance { subject, constraint } = requirement else { return false };
                let subject = queries.canonical_type(queries.substitute(*subject, this));
                self.types.witness_table_protocols(*constraint).into_iter().any(|protocol| {
                    queries.is_dependent(subject)
                        || self.is_dependent_within(queries.conformance_with_table(subject, protocol), open)
                })
            });
        open.pop();
        is_dependent
    }

    /// The requirements of a conformance on the arguments of the generic type `ty`, beyond those of the type itself.
    pub(in crate::generation) fn conditions(
        &self,
        ty: TypeId,
        protocol: NominalId,
    ) -> Generated<Vec<DescribedRequirement>> {
        let queries = self.types.queries;
        let conformance = queries.conformance_with_table(ty, protocol);
        let stated = self.sil.context.declared_conformance(conformance);
        let (ConformanceKind::Normal { signature: Some(signature), .. }, Some(declaration)) =
            (&stated.kind, queries.declaration_of(stated.ty))
        else {
            return Ok(Vec::new());
        };
        let generics = queries.generics();
        let Some(own) = declaration.signature else { return Ok(Vec::new()) };
        let machine = generics.machine(own);
        let canonical = |signature| {
            let signature = generics.canonical_signature(signature).unwrap_or(signature);
            &self.sil.context.get_signature(signature).requirements
        };
        let holds = |requirement: &Requirement| match requirement {
            Requirement::Conformance { subject, constraint } => {
                let mut protocols = queries.protocols_in(*constraint).into_iter();
                protocols.all(|protocol| machine.requires_protocol(&generics, self.bare_pack(*subject), protocol))
            }
            Requirement::Inverse { .. } => false,
            other => canonical(own).contains(other),
        };
        let stated = canonical(*signature);
        let conditions: Vec<Requirement> = stated.iter().filter(|requirement| !holds(requirement)).cloned().collect();
        let checked = canonical(own).iter().filter(|requirement| !stated.contains(requirement));
        let checked = checked.filter_map(|requirement| match requirement {
            Requirement::Inverse { subject, inverse } => {
                Some(DescribedRequirement::Invertible(*subject, inverse_bit(*inverse)))
            }
            _ => None,
        });
        Ok(checked.chain(self.known_to_runtime(&conditions, Some(*signature))?).collect())
    }

    /// The witness tables that the runtime keeps before that of a conditional conformance.
    pub(in crate::generation) fn conditional_tables_of(
        &self,
        ty: TypeId,
        protocol: NominalId,
    ) -> Generated<Vec<(TypeId, NominalId)>> {
        let queries = self.types.queries;
        if queries.is_type_parameter(ty) || queries.as_nominal(ty).is_none() {
            return Ok(Vec::new());
        }
        let table = |requirement| match requirement {
            DescribedRequirement::Conformance(subject, required) => Some((queries.canonical_type(subject), required)),
            _ => None,
        };
        Ok(self.conditions(ty, protocol)?.into_iter().filter_map(table).collect())
    }

    /// Returns the base protocols of a conformance whose witness tables differ between types, each with its position in
    /// the table.
    pub(crate) fn made_base_tables(&self, conformance: ConformanceId) -> Generated<Vec<(u64, NominalId)>> {
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let slots = self.witness_slots(protocol)?;
        let mut found = Vec::new();
        for (number, slot) in slots.iter().enumerate() {
            if let WitnessSlot::BaseProtocol(base) = slot
                && self.is_dependent_conformance(self.types.queries.conformance_with_table(ty, *base))
            {
                found.push((self.word_offset(&slots, number), *base));
            }
        }
        Ok(found)
    }
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the function that returns the witness table of a conformance of a specialised type, or `None` if the
    /// conformance has no mangled name.
    fn lazy_table_accessor(&self, conformance: ConformanceId) -> Option<FunctionValue<'ctx>> {
        let entity = Entity::OfConformance(ConformancePart::LazyAccessor, conformance);
        self.require_symbol(&entity).ok()?;
        Some(self.table_accessor(entity))
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The witness table of a conformance that has one of its own.
    pub(in crate::generation) fn request_witness_table(
        &self,
        conformance: ConformanceId,
    ) -> Generated<PointerValue<'ctx>> {
        let module = self.module;
        let Conformance { ty, ref kind, protocol } = *module.sil.context.get_conformance(conformance);
        if *kind == ConformanceKind::SelfConformance {
            return module.nominal_part(NominalPart::SelfConformance, protocol);
        }
        let stated = module.stated_conformance(conformance);
        let is_own = module.is_defined_witness_table(stated) && module.is_dependent_conformance(stated);
        if !is_own && !module.is_made_by_runtime(conformance) {
            return module.static_witness_table(conformance);
        }
        // Incomplete metadata is not waited for.
        let is_kept = self.metadata_state == MetadataState::Complete && !module.is_of_function(ty);
        match is_kept.then(|| module.lazy_table_accessor(conformance)).flatten() {
            Some(accessor) => {
                let call = self.builder.call(accessor, &[]);
                attributes::add(call, Place::Function, &[Attribute::NoUnwind]);
                let table = call.try_as_basic_value().basic();
                Ok(table.map_or(self.builder.null(), BasicValueEnum::into_pointer_value))
            }
            None => self.made_witness_table(conformance),
        }
    }

    /// Returns the witness table of a conformance that the runtime instantiates from its descriptor and the tables for
    /// its conditions. If no known declaration has the conformance, the runtime looks up the descriptor.
    pub(crate) fn made_witness_table(&self, conformance: ConformanceId) -> Generated<PointerValue<'ctx>> {
        let module = self.module;
        let Conformance { ty, ref kind, protocol } = *module.sil.context.get_conformance(conformance);
        let stated = module.stated_conformance(conformance);
        if matches!(module.sil.context.declared_conformance(stated).kind, ConformanceKind::Normal { .. }) {
            let substitutions = match kind {
                ConformanceKind::Specialized { substitutions, .. } => *substitutions,
                _ => SubstitutionMapId::EMPTY,
            };
            let declared = module.sil.context.get_conformance(stated).ty;
            let conditional = module.conditional_tables_of(declared, protocol)?;
            let queries = module.types.queries;
            let word = module.pointer_size();
            let mut tables = Vec::new();
            for (subject, required) in conditional {
                let requirement = GenericRequirement::WitnessTable(subject, required);
                let subject = queries.canonical_type(queries.substitute(subject, substitutions));
                tables.push(match self.pack_argument(requirement, substitutions)? {
                    Some(pack) => self.lasting_argument(requirement, substitutions, pack)?,
                    None => self.witness_table(subject, required)?,
                });
            }
            let arguments = match tables.is_empty() {
                true => self.builder.null(),
                false => self.stack_slot(tables.len() as u64 * word, word),
            };
            for (number, table) in tables.into_iter().enumerate() {
                self.builder.store(table, self.builder.offset(arguments, number as u64 * word), word);
            }
            let descriptor = module.conformance_part(ConformancePart::Descriptor, stated)?;
            let metadata = self.type_metadata(ty)?;
            let arguments = [descriptor.into(), metadata.into(), arguments.into()];
            return Ok(self.call_runtime_for(RuntimeFunction::GetWitnessTable, &arguments).into_pointer_value());
        }
        self.conformance_by_runtime(self.type_metadata(ty)?, protocol)
    }
}

//! The conformances in the witness tables of a module.

use rustc_hash::FxHashMap;

use crate::context::{Conformance, ConformanceId, ConformanceKind, Context, Name, NominalId, Type, TypeId};
use crate::model::{WitnessEntry, WitnessTable};

/// The conformances that the witness tables of a module are of or mention, and the tables.
#[derive(Default)]
pub struct ConformanceTable<'m> {
    /// Those that declarations state, in the order of the text.
    stated: FxHashMap<NominalId, Vec<ConformanceId>>,
    /// The tables of those.
    declared: FxHashMap<NominalId, Vec<(NominalId, &'m WitnessTable)>>,
    /// The tables of types with arguments, as Embedded Swift has them, and of types that no declaration makes.
    concrete: FxHashMap<TypeId, Vec<(NominalId, &'m WitnessTable)>>,
}

impl<'m> ConformanceTable<'m> {
    /// Collects the conformances in the witness tables of a module.
    pub fn new(context: &Context, witness_tables: &'m [WitnessTable]) -> Self {
        let mut table = Self::default();
        for witness_table in witness_tables {
            table.add(context, witness_table);
        }
        table
    }

    fn add(&mut self, context: &Context, table: &'m WitnessTable) {
        let Conformance { ty, protocol, kind } = context.get_conformance(table.conformance);
        match (kind, context.get(*ty)) {
            (ConformanceKind::Normal { .. }, Type::Nominal(nominal)) => {
                self.declared.entry(nominal.declaration).or_default().push((*protocol, table));
            }
            _ => self.concrete.entry(*ty).or_default().push((*protocol, table)),
        }
        self.add_stated(context, table.conformance);
        for entry in table.entries.iter().flatten() {
            match entry {
                WitnessEntry::BaseProtocol { conformance, .. }
                | WitnessEntry::AssociatedConformance { conformance, .. } => self.add_stated(context, *conformance),
                WitnessEntry::AssociatedType { .. } | WitnessEntry::Method { .. } => {}
            }
        }
    }

    fn add_stated(&mut self, context: &Context, conformance: ConformanceId) {
        match context.get_conformance(conformance) {
            Conformance { ty, kind: ConformanceKind::Normal { .. }, .. } => {
                if let Type::Nominal(nominal) = context.get(*ty) {
                    let stated = self.stated.entry(nominal.declaration).or_default();
                    if !stated.contains(&conformance) {
                        stated.push(conformance);
                    }
                }
            }
            Conformance {
                kind: ConformanceKind::Specialized { base, .. } | ConformanceKind::Inherited { base },
                ..
            } => self.add_stated(context, *base),
            _ => {}
        }
    }

    /// The conformances that a declaration states.
    pub(super) fn stated(&self, nominal: NominalId) -> &[ConformanceId] {
        self.stated.get(&nominal).map_or(&[], |stated| stated)
    }

    /// The conformance of a type that a table is of, where no declaration states it.
    pub(super) fn concrete(&self, ty: TypeId, protocol: NominalId) -> Option<ConformanceId> {
        let (_, table) = self.concrete.get(&ty)?.iter().find(|(conforming, _)| *conforming == protocol)?;
        Some(table.conformance)
    }

    /// The associated type of a type, as the tables of the type itself have it.
    pub(super) fn concrete_witness(&self, ty: TypeId, name: Name, protocol: Option<NominalId>) -> Option<TypeId> {
        witness(self.concrete.get(&ty)?, name, protocol)
    }

    /// The associated type that a declaration gives, in terms of its generic parameters.
    pub(super) fn declared_witness(&self, ty: NominalId, name: Name, protocol: Option<NominalId>) -> Option<TypeId> {
        witness(self.declared.get(&ty)?, name, protocol)
    }
}

/// The associated type that tables of one type name. A type has one of a name for all protocols: all tables may show
/// it.
fn witness(tables: &[(NominalId, &WitnessTable)], name: Name, protocol: Option<NominalId>) -> Option<TypeId> {
    let own = tables.iter().filter(|(conforming, _)| Some(*conforming) == protocol);
    let others = tables.iter().filter(|(conforming, _)| Some(*conforming) != protocol);
    let mut entries = own.chain(others).flat_map(|(_, table)| table.entries.iter().flatten());
    entries.find_map(|entry| match entry {
        WitnessEntry::AssociatedType { name: found, ty } if *found == name => Some(*ty),
        _ => None,
    })
}

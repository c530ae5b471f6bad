//! Marks vtable entries without overrides `nonoverridden`, so that calls need no lookup. Follows
//! lib/SILOptimizer/Transforms/PruneVTables.cpp.

use rustc_hash::FxHashSet;
use sil_analysis::ModuleExtent;
use sil_ir::context::{MemberId, MemberKind, MemberRef, NominalId};
use sil_ir::declarations::{Access, DispatchedMember, NominalDeclaration, Origin, Overriding};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Module, VTableEntryKind};
use sil_ir::types::{ConformanceTable, TypeQueries};

use crate::pass::settings::Settings;
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const V_TABLE_PRUNING: Pass = Pass::new(&Description {
    name: "prune-vtables",
    class_name: "PruneVTables",
    summary: "Marks vtable entries that nothing overrides.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| mark(module, settings)),
});

/// Marks the entries that are never overridden.
pub(crate) fn mark(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let classes = Classes { module, queries: &queries, settings, overridden: overridden(module) };
    let tables = module.vtables.iter().map(|table| {
        let is_known = classes.is_known(table.class);
        let is_unique = |member: MemberId| is_known && classes.is_never_overridden(member);
        let is_candidate = |kind| matches!(kind, VTableEntryKind::Normal | VTableEntryKind::Inherited);
        table.entries.iter().map(|entry| is_candidate(entry.kind) && is_unique(entry.member)).collect()
    });
    let found: Vec<Vec<bool>> = tables.collect();
    for (table, found) in module.vtables.iter_mut().zip(found) {
        for (entry, is_unique) in table.entries.iter_mut().zip(found) {
            entry.nonoverridden |= is_unique;
        }
    }
    Vec::new()
}

/// The members that are overridden by a vtable entry.
fn overridden(module: &Module) -> FxHashSet<MemberId> {
    let entries = module.vtables.iter().flat_map(|table| &table.entries);
    entries.filter(|entry| entry.kind == VTableEntryKind::Override).map(|entry| entry.member).collect()
}

struct Classes<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    settings: &'m Settings,
    overridden: FxHashSet<MemberId>,
}

impl Classes<'_> {
    fn is_whole(&self) -> bool {
        self.settings.extent == ModuleExtent::Whole
    }

    fn class(&self, class: NominalId) -> &NominalDeclaration {
        self.queries.declarations.get(class)
    }

    /// Returns whether all subclasses of a class are known.
    fn is_known(&self, class: NominalId) -> bool {
        self.is_whole() || self.class(class).attributes.access == Access::Private && self.class(class).parent.is_some()
    }

    fn is_never_overridden(&self, id: MemberId) -> bool {
        let member = self.module.context.get_member(id);
        let Some(parent) = member.parent.filter(|parent| self.class(*parent).origin == Origin::Module) else {
            return false;
        };
        if member.kind == MemberKind::Deallocator || self.overridden.contains(&id) {
            return false;
        }
        let is_it = |found: &&DispatchedMember| found.name == member.name && found.kind == member.kind;
        let Some(declared) = self.class(parent).dispatched.iter().find(is_it) else {
            // A member without dynamic dispatch is final.
            return self.class(parent).is_complete() && !is_initializer(member);
        };
        self.are_overrides_known(parent, member, declared.access) && !self.is_declared_anew(parent, member)
    }

    /// Returns whether a member can only be overridden in the module.
    fn are_overrides_known(&self, parent: NominalId, member: &MemberRef, access: Access) -> bool {
        match access {
            Access::Private | Access::FilePrivate => true,
            Access::Open => false,
            _ if is_initializer(member) && self.class(parent).attributes.access == Access::Open => false,
            _ => self.is_whole(),
        }
    }

    /// Returns whether a class overrides a member of this name.
    fn is_declared_anew(&self, parent: NominalId, member: &MemberRef) -> bool {
        let overrides = |declaration: &NominalDeclaration| {
            let mut members = declaration.dispatched.iter();
            members.any(|found| {
                found.name == member.name && found.kind == member.kind && found.overriding != Overriding::No
            })
        };
        self.module.vtables.iter().any(|table| table.class != parent && overrides(self.class(table.class)))
    }
}

fn is_initializer(member: &MemberRef) -> bool {
    matches!(member.kind, MemberKind::Initializer | MemberKind::Allocator)
}

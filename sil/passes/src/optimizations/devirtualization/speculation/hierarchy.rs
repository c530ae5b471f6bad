//! The class hierarchy of the module, as its tables show it. Follows
//! lib/SILOptimizer/Analysis/ClassHierarchyAnalysis.cpp.

use rustc_hash::FxHashMap;

use sil_ir::context::NominalId;
use sil_ir::declarations::Origin;
use sil_ir::model::Module;
use sil_ir::types::TypeQueries;

/// The subclasses of the module's classes.
pub(super) struct ClassHierarchy {
    direct: FxHashMap<NominalId, Vec<NominalId>>,
}

impl ClassHierarchy {
    pub(super) fn new(module: &Module, queries: &TypeQueries<'_>) -> Self {
        let mut direct: FxHashMap<NominalId, Vec<NominalId>> = FxHashMap::default();
        for table in &module.vtables {
            let mut class = table.class;
            while let Some(superclass) = superclass(queries, class)
                && queries.declarations.get(superclass).origin == Origin::Module
            {
                let known = direct.entry(superclass).or_default();
                if known.contains(&class) {
                    break;
                }
                known.push(class);
                // Classes without tables may have subclasses too. If a class was seen before, so were its superclasses.
                if known.len() > 1 {
                    break;
                }
                class = superclass;
            }
        }
        Self { direct }
    }

    /// The direct subclasses of `class`, in the order of the tables.
    pub(super) fn direct(&self, class: NominalId) -> &[NominalId] {
        self.direct.get(&class).map_or(&[], Vec::as_slice)
    }

    /// The indirect subclasses of `class`, nearest first.
    pub(super) fn indirect(&self, class: NominalId) -> Vec<NominalId> {
        let below = |class: &NominalId| self.direct(*class).iter().copied();
        let mut found: Vec<NominalId> = self.direct(class).iter().flat_map(below).collect();
        let mut next = 0;
        while let Some(class) = found.get(next) {
            let more: Vec<NominalId> = below(class).filter(|class| !found.contains(class)).collect();
            found.extend(more);
            next += 1;
        }
        found
    }
}

/// The direct superclass of `class`.
pub(super) fn superclass(queries: &TypeQueries<'_>, class: NominalId) -> Option<NominalId> {
    let superclass = queries.declarations.get(class).superclass?;
    queries.as_nominal(superclass).map(|nominal| nominal.declaration)
}

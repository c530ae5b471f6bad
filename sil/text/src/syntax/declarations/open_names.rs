//! Names of several types. SIL omits modules, so that each use of such a name can mean another type: a type of the
//! module or an imported one, one of several files' types, or a type of a function. Owns the set of these names. Does
//! not own: the evidence from symbols (`stated_by_symbols`), the evidence from bodies (`syntax::open_names`).

use memchr::memmem;
use sil_ir::context::{Context, Name, NominalId};
use sil_ir::declarations::{DeclarationTable, Meaning, Origin, StatedPlaces};

use super::fill::Filler;
use super::outline::EntryKind;
use super::private_namesakes::ModuleText;
use super::stated_by_symbols::{OpenName, SymbolEvidence};

impl Filler<'_, '_> {
    /// Opens the names that the module's types share with imported ones, and those of several imported types, if
    /// symbols mention more than the nearest type.
    pub(super) fn open_names(&mut self) {
        let Some(module) = self.module else { return };
        let mut names = self.names_of_several(module);
        if names.is_empty() {
            return;
        }
        let used = self.used(module, &names);
        let mut is_used = used.into_iter();
        names.retain(|_| is_used.next().unwrap_or_default());
        let outline = self.outline;
        let stated = stated_places(self.context, self.table, module, &names, |evidence| evidence.declarations(outline));
        self.table.open_names.tell(stated);
        for OpenName { name, candidates } in names {
            self.table.open_names.open(module.file, name, candidates);
        }
    }

    /// Returns for each of `names` whether it means more than the nearest type.
    fn used(&self, module: ModuleText<'_>, names: &[OpenName]) -> Vec<bool> {
        let evidence = SymbolEvidence::new(self.context, self.table, module, names);
        let is_own = |id: &NominalId| self.table.get(*id).origin == Origin::Module;
        let is_used = |(number, open): (usize, &OpenName)| {
            let own = open.candidates.iter().filter(|candidate| is_own(candidate)).count();
            let nearest = self.table.top_level(open.name);
            own > 1 || evidence.mentioned(number).iter().any(|mentioned| Some(*mentioned) != nearest)
        };
        names.iter().enumerate().map(is_used).collect()
    }

    fn names_of_several(&self, module: ModuleText<'_>) -> Vec<OpenName> {
        let own = self.outline.entries.iter().filter_map(|entry| match entry.kind {
            EntryKind::Nominal { name, .. } if entry.container.is_none() && entry.span.file == module.file => {
                Some(name)
            }
            _ => None,
        });
        // The text mentions few of the names of several imported types.
        let finder = |name: &Name| memmem::find(module.text.as_bytes(), self.context.text(*name).as_bytes()).is_some();
        let imported = self.table.names_of_several().into_iter().filter(finder);
        let mut names: Vec<Name> = own.chain(imported).collect();
        names.sort_unstable();
        names.dedup();
        let open = names.into_iter().map(|name| OpenName { name, candidates: self.candidates(name) });
        open.filter(|open| open.candidates.len() > 1).collect()
    }

    /// The imported module may be the module itself, as in the standard library's own tests. Its types are then the
    /// module's own.
    fn candidates(&self, name: Name) -> Vec<NominalId> {
        let mut candidates = candidates(self.table, name);
        let is_own = |id: &NominalId| self.table.get(*id).origin == Origin::Module;
        let own = candidates.iter().copied().find(is_own).map(|own| self.table.get(own).module);
        candidates.retain(|candidate| is_own(candidate) || Some(self.table.get(*candidate).module) != own);
        candidates
    }
}

/// Opens the names that local types share with other types.
pub(super) fn open_local_names(context: &Context, table: &mut DeclarationTable, module: ModuleText<'_>) {
    let local = table.iter().filter(|(_, declaration)| {
        declaration.attributes.local.is_some() && declaration.parent.is_none() && declaration.origin == Origin::Module
    });
    let mut names: Vec<Name> = local.map(|(_, declaration)| declaration.name).collect();
    names.sort_unstable();
    names.dedup();
    let open = names.into_iter().map(|name| OpenName { name, candidates: candidates(table, name) });
    let open: Vec<OpenName> = open.filter(|open| open.candidates.len() > 1).collect();
    if open.is_empty() {
        return;
    }
    let mut stated = stated_places(context, table, module, &open, |_| {});
    for (place, meaning) in &table.open_names.stated().meanings {
        stated.meanings.entry(*place).or_insert(*meaning);
    }
    table.open_names.tell(stated);
    for OpenName { name, candidates } in open {
        table.open_names.open(module.file, name, candidates);
    }
}

/// Returns the known meanings at the places of `names`, from earlier reading and from symbols. `more` adds evidence
/// beyond the entities of the module.
fn stated_places(
    context: &Context,
    table: &DeclarationTable,
    module: ModuleText<'_>,
    names: &[OpenName],
    more: impl FnOnce(&mut SymbolEvidence<'_>),
) -> StatedPlaces {
    let mut stated = module.stated.clone();
    if stated.is_closed || names.is_empty() {
        return stated;
    }
    let mut evidence = SymbolEvidence::new(context, table, module, names);
    evidence.entities();
    more(&mut evidence);
    for (place, nominal) in evidence.stated {
        stated.meanings.entry(place).or_insert(Meaning::One(nominal));
    }
    stated
}

/// Returns the top-level types called `name`, the nearest first.
fn candidates(table: &DeclarationTable, name: Name) -> Vec<NominalId> {
    let mut candidates: Vec<NominalId> = table.all_top_level(name).iter().rev().copied().collect();
    candidates.sort_by_key(|candidate| table.distance(*candidate));
    candidates
}

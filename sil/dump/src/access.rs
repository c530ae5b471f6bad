//! Accesses as text: the memory that an address leads to.

use sil_analysis::{
    AccessBase, AccessPath, AccessStorage, BodyView, ElementOffset, LocatedAccess, NestedAccess, StoragePath,
    StorageUses, UseRelation, accessed_operands,
};
use sil_text::print::symbol_text;

use super::Dumper;

impl Dumper<'_, '_> {
    pub(super) fn access_paths(&mut self) {
        let view = self.view();
        for address in self.addresses() {
            self.line(format_args!("  {}", self.text.definition(address)));
            let located = LocatedAccess::of(&view, address);
            if let Some(begin) = located.innermost_access() {
                self.line(format_args!("    scope: {}", self.text.instruction(begin)));
            }
            let base = self.base_text(located.access.base);
            self.line(format_args!("    base: {base}, path: \"{}\"", located.access.path));
            let constant = AccessPath::constant(&view, address);
            if constant != located.access {
                let base = self.base_text(constant.base);
                self.line(format_args!("    constant base: {base}, path: \"{}\"", constant.path));
            }
            self.storage_roots(&view, located.access);
        }
    }

    fn storage_roots(&mut self, view: &BodyView<'_>, access: AccessPath) {
        for (value, path) in access.storage_roots(view).unwrap_or_default() {
            self.line(format_args!("    storage: {}, path: \"{path}\"", self.text.definition(value)));
        }
    }

    pub(super) fn access_overlaps(&mut self) {
        let view = self.view();
        let addresses = self.addresses();
        for (index, first) in addresses.iter().enumerate() {
            for second in &addresses[index + 1..] {
                let (left, right) = (AccessPath::of(&view, *first), AccessPath::of(&view, *second));
                let (first, second) = (self.text.value(*first), self.text.value(*second));
                match (left.projection_to(&view, right), right.projection_to(&view, left)) {
                    (Some(path), _) => self.line(format_args!("  {first} contains {second}, path: \"{path}\"")),
                    (None, Some(path)) => self.line(format_args!("  {second} contains {first}, path: \"{path}\"")),
                    _ if left.may_overlap(&view, right) => self.line(format_args!("  {first}, {second}: may overlap")),
                    _ => self.line(format_args!("  {first}, {second}: distinct")),
                }
            }
        }
    }

    pub(super) fn access_storage(&mut self) {
        let view = self.view();
        let effects = self.analyzed.instruction_effects();
        let uses = StorageUses::new(&view);
        for id in self.instructions() {
            for operand in accessed_operands(&view, effects, id) {
                self.line(format_args!("  {}", self.text.instruction(id)));
                let Some(address) = view.operand(id, operand as usize) else { continue };
                match StoragePath::of(&view, address, NestedAccess::Ignore) {
                    Some(place) => self.storage_place(&place, &uses),
                    None => match AccessStorage::of(&view, address, NestedAccess::Ignore) {
                        Some(storage) => self.line(format_args!("    {}, no path", self.storage_text(storage))),
                        None => self.line(format_args!("    no storage")),
                    },
                }
            }
        }
    }

    fn storage_place(&mut self, place: &StoragePath, uses: &StorageUses) {
        let storage = self.storage_text(place.storage);
        let base = place.base.map_or("several".to_owned(), |base| self.text.definition(base));
        self.line(format_args!("    {storage}"));
        self.line(format_args!("    base {base}"));
        self.line(format_args!("    path ({})", place_text(place)));
        for (found, relation) in uses.of(place) {
            let relation = match relation {
                UseRelation::Exact => "exact",
                UseRelation::Inner => "inner",
                UseRelation::Overlapping => "overlapping",
            };
            let user = self.text.instruction(found.user);
            self.line(format_args!("      {relation}: operand {} of {user}", found.operand));
        }
    }

    fn storage_text(&self, storage: AccessStorage) -> String {
        let kind = storage.kind_name();
        match storage {
            AccessStorage::Global(name) => format!("{kind} {}", symbol_text(self.module, name)),
            AccessStorage::Class { object, property } => {
                format!("{kind} property {property} of {}", self.text.definition(object))
            }
            _ => format!("{kind} {}", storage.root().map_or(String::new(), |root| self.text.definition(root))),
        }
    }

    pub(super) fn base_text(&self, base: AccessBase) -> String {
        let with = |kind: &str, address| format!("{kind} {}", self.text.definition(address));
        match base {
            AccessBase::Box(address) => with("box", address),
            AccessBase::Stack(address) => with("stack", address),
            AccessBase::Global(name) => format!("global {}", symbol_text(self.module, name)),
            AccessBase::Class(address) => with("class", address),
            AccessBase::Tail(address) => with("tail", address),
            AccessBase::Argument(address) => with("argument", address),
            AccessBase::Yield(address) => with("yield", address),
            AccessBase::StoreBorrow(address) => with("store_borrow", address),
            AccessBase::Pointer(address) => with("pointer", address),
            AccessBase::Index(address) => with("index", address),
            AccessBase::Unidentified(address) => with("unidentified", address),
        }
    }
}

/// `@1, #0, #2`: the element, where it is not the first, and the fields.
fn place_text(place: &StoragePath) -> String {
    let offset = match place.offset {
        ElementOffset::Known(0) => None,
        ElementOffset::Known(by) => Some(format!("@{by}")),
        ElementOffset::Unknown => Some("@unknown".to_owned()),
    };
    let fields = place.fields.iter().map(|field| format!("#{field}"));
    offset.into_iter().chain(fields).collect::<Vec<_>>().join(", ")
}

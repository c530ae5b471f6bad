//! Accesses as text: what memory an address leads to.

use super::Dumper;
use crate::analysis::{AccessBase, AccessPath, BodyView, LocatedAccess};
use crate::print::symbol_text;

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

//! File-private declarations of the module's other files, if each file was read as a text of its own. They are visible
//! in that text only.

use sil_ir::context::Name;
use sil_ir::declarations::{Access, Meaning};
use sil_ir::source::FileId;

use super::dispatch::access;
use super::fill::Filler;
use super::outline::{Entry, EntryKind};

/// Another file of the module.
#[derive(Clone, Copy, Debug)]
pub struct OtherFile {
    /// The text with its declarations.
    pub(in crate::syntax) text: FileId,
    /// The private discriminator of the file in symbols.
    pub(in crate::syntax) discriminator: Name,
}

impl<'a> Filler<'_, 'a> {
    /// Returns the file of a file-private declaration of another file of the module.
    pub(super) fn sole_file(&self, entry: &Entry<'a>) -> Option<OtherFile> {
        let others = self.module?.other_files;
        let file = others.iter().find(|file| file.text == entry.span.file)?;
        // Declarations in a private extension are private unless they state another access level.
        let extension = entry.container.map(|container| &self.outline.entries[container]);
        let extension = extension.filter(|entry| matches!(entry.kind, EntryKind::Extension { .. }));
        let of_extension = extension.map_or(Access::Open, |extension| access(&extension.modifiers));
        (access(&entry.modifiers).min(of_extension) <= Access::FilePrivate).then_some(*file)
    }

    /// Records that other files do not see the file-private types of the text.
    pub(super) fn resolve_other_files(&mut self) {
        let Some(module) = self.module.filter(|module| !module.other_files.is_empty()) else { return };
        let own: Vec<Name> = self
            .outline
            .entries
            .iter()
            .filter_map(|entry| match entry.kind {
                EntryKind::Nominal { name, .. } if entry.container.is_none() && entry.span.file == module.file => {
                    (access(&entry.modifiers) <= Access::FilePrivate).then_some(name)
                }
                _ => None,
            })
            .collect();
        for name in own {
            let is_own = |id| self.table.get(id).span.file == module.file;
            let seen = self.table.all_top_level(name).iter().rev().copied().filter(|id| !is_own(*id));
            let meaning = seen.min_by_key(|id| self.table.distance(*id)).map_or(Meaning::Unknown, Meaning::One);
            for file in module.other_files {
                if !self.table.namesakes.is_stated_in_file(name, file.text) {
                    self.table.namesakes.add_in_file(name, file.text, meaning);
                }
            }
        }
    }
}

//! File-private nested types and type aliases of the module's files. Several files may declare the same name. Names of
//! top-level types are in `namesakes.rs`.

use rustc_hash::FxHashMap;

use super::TypeAlias;
use crate::context::{Name, NominalId};
use crate::source::FileId;

/// The file-private declarations of all files.
#[derive(Clone, Default, Debug)]
pub struct FilePrivate {
    nested: FxHashMap<(FileId, NominalId, Name), NominalId>,
    /// Those of a type, or outside of all types.
    aliases: FxHashMap<(FileId, Option<NominalId>, Name), TypeAlias>,
}

impl FilePrivate {
    /// Adds a type that `file` declares in `parent`.
    pub fn add_nested(&mut self, file: FileId, parent: NominalId, name: Name, nested: NominalId) {
        self.nested.insert((file, parent, name), nested);
    }

    /// Adds an alias that `file` declares in `parent`, or outside of all types.
    pub fn add_alias(&mut self, file: FileId, parent: Option<NominalId>, alias: TypeAlias) {
        self.aliases.insert((file, parent, alias.name), alias);
    }

    /// The type called `name` that `file` declares in `parent` for itself.
    pub fn nested(&self, file: FileId, parent: NominalId, name: Name) -> Option<NominalId> {
        self.nested.get(&(file, parent, name)).copied()
    }

    /// The alias called `name` that `file` declares for itself, in `parent` or outside of all types.
    pub fn alias(&self, file: FileId, parent: Option<NominalId>, name: Name) -> Option<&TypeAlias> {
        self.aliases.get(&(file, parent, name))
    }
}

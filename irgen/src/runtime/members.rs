//! The members of the runtime's archive that a linker takes for a module. Owns the symbols that those members refer to.
//! The archive itself is `embedded`'s.

use std::collections::BTreeSet;

use object::read::archive::ArchiveFile;
use object::{BinaryFormat, Object, ObjectSymbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// The symbols of one member of an archive.
#[derive(Debug, Default)]
struct Member {
    /// Undefined symbols, for which the linker takes members that define them.
    required: Vec<String>,
    /// All symbols that it defines or uses and that others can define or use.
    visible: Vec<String>,
}

/// The members of an archive, by the symbols that they define.
#[derive(Debug, Default)]
pub struct Members {
    members: Vec<Member>,
    defining: FxHashMap<String, usize>,
    /// The visible symbols of all members.
    visible: FxHashSet<String>,
}

impl Members {
    /// Reads the members of `archive`.
    ///
    /// # Errors
    ///
    /// If `archive` is not an archive of object files.
    pub fn read(archive: &[u8]) -> Result<Self, object::Error> {
        let mut members = Self::default();
        for member in ArchiveFile::parse(archive)?.members() {
            members.add(&object::File::parse(member?.data(archive)?)?);
        }
        Ok(members)
    }

    fn add(&mut self, file: &object::File<'_>) {
        let mut member = Member::default();
        // Mach-O has an underscore in front of the names of C, which are the names in IR.
        let prefix = if file.format() == BinaryFormat::MachO { "_" } else { "" };
        for symbol in file.symbols().filter(ObjectSymbol::is_global) {
            let Ok(name) = symbol.name() else { continue };
            let name = name.strip_prefix(prefix).unwrap_or(name);
            self.visible.insert(name.to_owned());
            member.visible.push(name.to_owned());
            if !symbol.is_undefined() {
                // The linker takes the first member with the symbol.
                self.defining.entry(name.to_owned()).or_insert(self.members.len());
            } else if !symbol.is_weak() {
                member.required.push(name.to_owned());
            }
        }
        self.members.push(member);
    }

    /// Returns the visible symbols of the members that a linker takes to define the symbols `wanted`, directly or for
    /// another member. A definition in the program replaces the one in the archive under these names.
    pub fn shared_symbols(&self, wanted: impl IntoIterator<Item = String>) -> FxHashSet<&str> {
        let mut taken = BTreeSet::new();
        let mut worklist: Vec<usize> = wanted.into_iter().filter_map(|symbol| self.member_of(&symbol)).collect();
        while let Some(number) = worklist.pop() {
            if taken.insert(number) {
                worklist.extend(self.members[number].required.iter().filter_map(|symbol| self.member_of(symbol)));
            }
        }
        taken.iter().flat_map(|number| &self.members[*number].visible).map(String::as_str).collect()
    }

    /// Whether any member defines or uses `symbol`.
    pub fn refer_to(&self, symbol: &str) -> bool {
        self.visible.contains(symbol)
    }

    fn member_of(&self, symbol: &str) -> Option<usize> {
        self.defining.get(symbol).copied()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;
    use crate::runtime::embedded;
    use crate::target::{SUPPORTED_TARGETS, Target};

    fn members_for(triple: &str) -> Members {
        Members::read(embedded::archive(&Target::from_triple(triple).unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn tasks_share_the_state_of_objects_and_a_hook_with_their_program() {
        let members = members_for("thumbv7em-none-eabi");
        let shared = members.shared_symbols(["swift_task_create".to_owned()]);
        assert!(shared.contains("swift_retain") && shared.contains("silc_waitUntil"), "{shared:?}");
    }

    #[test]
    fn a_program_without_members_of_the_archive_shares_nothing() {
        let members = members_for("x86_64-unknown-linux-gnu");
        assert!(members.shared_symbols(["malloc".to_owned(), "mine".to_owned()]).is_empty());
        assert!(members.refer_to("silc_objectPool") && !members.refer_to("mine"));
    }

    #[test]
    fn names_are_those_of_ir_for_every_target() {
        for listed in SUPPORTED_TARGETS {
            let shared = members_for(listed.triple);
            assert!(shared.shared_symbols(["swift_retain".to_owned()]).contains("swift_retain"), "{}", listed.triple);
        }
    }
}

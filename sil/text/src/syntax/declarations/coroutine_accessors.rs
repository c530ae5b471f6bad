//! Determines the coroutine accessors of the properties and subscripts of a module and their kinds. Declarations do not
//! state all of them; references do (lib/AST/Decl.cpp, `visitExpectedOpaqueAccessors`; lib/Sema/TypeCheckStorage.cpp).
//!
//! SIL prints declarations with `get` where a coroutine reads: for requirements with `read`, and for noncopyable types.
//! References to such a member in vtables, witness tables and bodies name the coroutine.

use memchr::memmem;
use rustc_hash::FxHashSet;
use sil_ir::context::MemberKind;
use sil_ir::declarations::Access;

use super::interfaces::member_at_end;
use super::outline::Evolution;

/// The coroutines of a module for in-place accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoroutineAccessors {
    /// `_read` and `_modify`, where declarations state them.
    Declared,
    /// `_read` and `_modify`, where declarations or references state them.
    Underscored,
    /// `read` and `modify`: the module was compiled with `CoroutineAccessors`.
    Plain,
    /// `read` and `modify`, and the underscored ones for members that other modules see: the module uses library
    /// evolution.
    PlainAndUnderscored,
}

impl CoroutineAccessors {
    /// Returns the coroutines of the module with this text.
    pub(in crate::syntax) fn of(text: &str, evolution: Evolution) -> Self {
        let names = |accessor: &str| memmem::find(text.as_bytes(), accessor.as_bytes()).is_some();
        let is_plain = names("!modify2") || names("!read2") || names("@yield_once_2");
        match (is_plain, evolution) {
            (false, _) => Self::Underscored,
            (true, Evolution::Disabled) => Self::Plain,
            (true, Evolution::Enabled) => Self::PlainAndUnderscored,
        }
    }

    /// Returns whether references name coroutines that declarations do not state.
    pub(super) fn is_stated_by_references(self) -> bool {
        self != Self::Declared
    }

    /// Returns whether the module has `read` and `modify`.
    pub(super) fn has_plain(self) -> bool {
        matches!(self, Self::Plain | Self::PlainAndUnderscored)
    }

    /// Returns the coroutine kinds for an in-place access, of the alternatives `underscored` and `plain`, to a member
    /// with the access level `access`.
    pub(super) fn kinds(self, underscored: MemberKind, plain: MemberKind, access: Access) -> Vec<MemberKind> {
        match self {
            Self::Declared | Self::Underscored => vec![underscored],
            Self::PlainAndUnderscored if access >= Access::Public => vec![underscored, plain],
            Self::Plain | Self::PlainAndUnderscored => vec![plain],
        }
    }
}

/// The members whose values are read by coroutines, according to references.
#[derive(Default)]
pub(super) struct ReadCoroutines<'a> {
    /// The type or protocol, and the member's own name.
    members: FxHashSet<(&'a str, &'a str)>,
}

impl<'a> ReadCoroutines<'a> {
    /// Adds the members that `text` refers to by a coroutine. A member that it refers to by a getter too is ambiguous:
    /// several members share the name.
    pub(super) fn add(&mut self, text: &'a str) {
        let read = references(text, "!read");
        if read.is_empty() {
            return;
        }
        let with_getters = references(text, "!getter");
        self.members.extend(read.difference(&with_getters));
    }

    /// Returns whether a coroutine reads the member `name` of the type or protocol `parent`.
    pub(super) fn has(&self, parent: &str, name: &str) -> bool {
        self.members.contains(&(parent, name))
    }
}

/// Returns the last two names of the references of `text` to `accessor`: `P` and `x` of `#M.P.x!read`.
fn references<'a>(text: &'a str, accessor: &str) -> FxHashSet<(&'a str, &'a str)> {
    let path = |end: usize| {
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let start = text[line..end].rfind('#')?;
        Some(member_at_end(&text[line + start + 1..end]))
    };
    memmem::find_iter(text.as_bytes(), accessor.as_bytes()).filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_tell_which_coroutines_there_are() {
        let of = |text| CoroutineAccessors::of(text, Evolution::Disabled);
        assert_eq!(of("  #C.x!modify: (C) -> () -> () : @f\n"), CoroutineAccessors::Underscored);
        assert_eq!(of("  #C.x!modify2: (C) -> () -> () : @f\n"), CoroutineAccessors::Plain);
        let both = CoroutineAccessors::of("  #C.x!read2: (C) -> () -> () : @f\n", Evolution::Enabled);
        assert_eq!(both, CoroutineAccessors::PlainAndUnderscored);
    }

    #[test]
    fn what_getters_read_as_well_is_several_members() {
        let mut read = ReadCoroutines::default();
        read.add("#M.P.x!read : a\n#P.subscript!read2: b\n#P.subscript!getter: c\n");
        assert!(read.has("P", "x"));
        assert!(!read.has("P", "subscript"));
    }
}

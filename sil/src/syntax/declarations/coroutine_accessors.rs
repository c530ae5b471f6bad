//! Which accessors of the properties and subscripts of a module are coroutines, and of which kind, as far as declarations do not tell and
//! references do (lib/AST/Decl.cpp, `visitExpectedOpaqueAccessors`; lib/Sema/TypeCheckStorage.cpp).
//!
//! Declarations are printed with `get` where a coroutine reads: of requirements that say `read`, and of what cannot be copied. What vtables,
//! witness tables and bodies call such a member says so.

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::interfaces::member_at_end;
use super::outline::Evolution;
use crate::context::MemberKind;
use crate::declarations::Access;

/// Which coroutines a module has for accesses in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoroutineAccessors {
    /// `_read` and `_modify`, where declarations say so.
    Declared,
    /// The same, where declarations or references say so.
    Underscored,
    /// `read` and `modify`: the module was compiled with `CoroutineAccessors`.
    Plain,
    /// `read` and `modify`, beside the others for what other modules see: the module evolves.
    PlainAndUnderscored,
}

impl CoroutineAccessors {
    /// Those of the module with this text.
    pub(in crate::syntax) fn of(text: &str, evolution: Evolution) -> Self {
        let names = |accessor: &str| memmem::find(text.as_bytes(), accessor.as_bytes()).is_some();
        let is_plain = names("!modify2") || names("!read2") || names("@yield_once_2");
        match (is_plain, evolution) {
            (false, _) => Self::Underscored,
            (true, Evolution::Disabled) => Self::Plain,
            (true, Evolution::Enabled) => Self::PlainAndUnderscored,
        }
    }

    /// Whether references tell what declarations do not.
    pub(super) fn is_told_by_references(self) -> bool {
        self != Self::Declared
    }

    /// Whether the module has `read` and `modify`.
    pub(super) fn has_plain(self) -> bool {
        matches!(self, Self::Plain | Self::PlainAndUnderscored)
    }

    /// The coroutines for the access that `underscored` and `plain` are for, of a member that is seen as `access` says.
    pub(super) fn kinds(self, underscored: MemberKind, plain: MemberKind, access: Access) -> Vec<MemberKind> {
        match self {
            Self::Declared | Self::Underscored => vec![underscored],
            Self::PlainAndUnderscored if access >= Access::Public => vec![underscored, plain],
            Self::Plain | Self::PlainAndUnderscored => vec![plain],
        }
    }
}

/// The members whose values coroutines read, as references to those say.
#[derive(Default)]
pub(super) struct ReadCoroutines<'a> {
    /// By the type or protocol and their own names.
    members: FxHashSet<(&'a str, &'a str)>,
}

impl<'a> ReadCoroutines<'a> {
    /// Adds those that `text` refers to. What it refers to by a getter too are several members of one name, which nothing tells apart.
    pub(super) fn add(&mut self, text: &'a str) {
        let read = references(text, "!read");
        if read.is_empty() {
            return;
        }
        let with_getters = references(text, "!getter");
        self.members.extend(read.difference(&with_getters));
    }

    /// Whether a coroutine reads the member `name` of the type or protocol `parent`.
    pub(super) fn has(&self, parent: &str, name: &str) -> bool {
        self.members.contains(&(parent, name))
    }
}

/// The last two names of what `text` refers to by `accessor`: `P` and `x` of `#M.P.x!read`.
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

//! Methods of which one name and one type mean several, distinguished by the labels of their parameters alone. SIL does
//! not write labels; a reference has them if another source gave them (`syntax/argument_labels.rs`).

use super::overloads::{is_same_method, may_be_same};
use super::{MethodRef, TypeQueries};
use crate::context::MemberRef;
use crate::declarations::{DispatchedMember, NominalKind, Overriding};

impl TypeQueries<'_> {
    /// The members that the name and the type of `method` can mean, in the order of their declarations. Its labels do
    /// not count.
    pub fn label_overloads(&self, method: MethodRef) -> Vec<&DispatchedMember> {
        let mut found = self.members_named(self.context.get_member(method.member));
        if found.len() > 1 {
            found.retain(|known| may_be_same(self, known.ty, method.formal_type));
        }
        // One may take an array, another one any number of arguments.
        let is_exact = |known: &&DispatchedMember| is_same_method(self, known.ty, method.formal_type);
        if found.len() > 1 && found.iter().any(is_exact) {
            found.retain(is_exact);
        }
        found
    }

    /// The members that the name of `member` can mean, in the order of their declarations. A requirement that overrides
    /// one of an inherited protocol has no entry of its own, and references name the overridden one
    /// (lib/SIL/IR/SILDeclRef.cpp, `getOverriddenWitnessTableEntry`).
    pub fn members_named(&self, member: &MemberRef) -> Vec<&DispatchedMember> {
        let Some(parent) = member.parent else { return Vec::new() };
        if member.derivative.is_some() {
            return Vec::new();
        }
        let parent = self.declarations.get(parent);
        let is_entry =
            |known: &&DispatchedMember| parent.kind != NominalKind::Protocol || known.overriding != Overriding::Yes;
        let declared = parent.dispatched.iter().filter(is_entry);
        declared.filter(|known| known.is_named_by(member)).collect()
    }

    /// Whether labels alone decide which member `method` means, and they are not known.
    pub fn lacks_labels(&self, method: MethodRef) -> bool {
        let is_known = self.context.get_member(method.member).labels.is_some();
        !is_known && have_several_labels(&self.label_overloads(method))
    }

    /// How the members are called that `method` can mean: `'f(a:)' or 'f(b:)'`.
    pub fn names_with_labels(&self, method: MethodRef) -> String {
        let name = self.context.text(self.context.get_member(method.member).name);
        let mut names: Vec<String> = Vec::new();
        for known in self.label_overloads(method) {
            let labels: String = known.labels.iter().map(|label| format!("{}:", self.context.text(*label))).collect();
            let full = format!("'{name}({labels})'");
            if !names.contains(&full) {
                names.push(full);
            }
        }
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => names.concat(),
        }
    }
}

/// Whether members differ in their labels.
pub fn have_several_labels(members: &[&DispatchedMember]) -> bool {
    members.split_first().is_some_and(|(first, others)| others.iter().any(|other| other.labels != first.labels))
}

impl MemberRef {
    /// Whether the known labels allow `declared` as the meaning.
    pub fn may_be_labelled_as(&self, declared: &DispatchedMember) -> bool {
        self.labels.as_ref().is_none_or(|labels| *labels == declared.labels)
    }
}

//! The interface types of members: those that `class_method`, tables and key paths state after a reference to one.

use super::DeclarationTable;
use crate::context::{MemberKind, MemberRef, Name, Sugar, TypeId};

/// The interface of a member, or of one of its accessors.
#[derive(Clone, Debug)]
pub struct MemberInterface {
    /// The name of the member.
    pub name: Name,
    /// The part of the member: [`MemberKind::Plain`] for a function, [`MemberKind::Allocator`] for an initialiser, or
    /// an accessor.
    pub kind: MemberKind,
    /// The formal type, in the form of a canonical one: `<Self where Self : P> (inout Self) -> (Int) -> ()`, and how it
    /// is spelled. None if the declaration has parts that are not understood.
    pub ty: Option<(TypeId, Sugar)>,
}

impl MemberInterface {
    /// Whether it gives the type of the accessor `kind`: coroutines that access values in place look the same to
    /// callers, whatever their ABI.
    pub fn is_about(&self, kind: MemberKind) -> bool {
        declared_kind(kind) == Some(self.kind)
    }
}

impl DeclarationTable {
    /// The interfaces that `member` can mean: overloads have the same name.
    pub fn interfaces(&self, member: &MemberRef) -> impl Iterator<Item = &MemberInterface> {
        let declared = match member.parent {
            Some(parent) => &self.get(parent).interfaces[..],
            None => &[],
        };
        let kind = declared_kind(member.kind);
        let name = member.name;
        declared.iter().filter(move |interface| interface.name == name && Some(interface.kind) == kind)
    }
}

/// The kind of interface that a reference is about; none where a reference of this kind states no type.
fn declared_kind(kind: MemberKind) -> Option<MemberKind> {
    Some(match kind {
        MemberKind::Allocator | MemberKind::Initializer => MemberKind::Allocator,
        MemberKind::Read | MemberKind::Read2 => MemberKind::Read,
        MemberKind::Modify | MemberKind::Modify2 => MemberKind::Modify,
        MemberKind::Plain | MemberKind::Getter | MemberKind::Setter => kind,
        _ => return None,
    })
}

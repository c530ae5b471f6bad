//! Local types: the facts that their metadata needs.

use sil_ir::context::Type;
use sil_ir::declarations::{LocalOrigin, MemberOrder, NominalDeclaration};

use crate::generation::IRGenModule;
use crate::refusal::{Generated, unsupported_without_place};

impl IRGenModule<'_, '_> {
    /// Metadata contains the function that declares a type, and its members in order: for a local type, those in the
    /// module's text.
    pub(super) fn require_known_members(&self, declaration: &NominalDeclaration) -> Generated<()> {
        let Some(local) = declaration.attributes.local else { return Ok(()) };
        let refuse = |what| Err(Box::new(unsupported_without_place(what)));
        match local.origin {
            LocalOrigin::Unknown if declaration.parent.is_none() => {
                return refuse("metadata of a type that is declared in a function which no symbol says");
            }
            LocalOrigin::Descriptor(_) | LocalOrigin::Unknown => {}
        }
        let payloads = declaration.cases.iter().filter_map(|case| case.payload);
        let mut types = declaration.stored.iter().map(|stored| stored.ty).chain(payloads);
        if types.any(|ty| matches!(self.types.queries.get(ty), Type::Unresolved { .. })) {
            return refuse("metadata of a type that is declared in a function and has members of unknown types");
        }
        match local.order {
            MemberOrder::Mentioned if declaration.stored.len() > 1 => {
                refuse("metadata of a type that is declared in a function and has members of unknown order")
            }
            MemberOrder::Unnamed => {
                refuse("metadata of a type that is declared in a function and has members of unknown names")
            }
            MemberOrder::Mentioned | MemberOrder::Declared => Ok(()),
        }
    }
}

//! Types that functions declare: what must be known of one for it to have metadata, and the descriptor of the function around it.

use sil::context::{NominalId, Type};
use sil::declarations::{LocalOrigin, MemberOrder, NominalDeclaration, Origin};
use sil::symbols::types_around_local;

use super::value_types::UNIQUE_DESCRIPTOR;
use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, NominalPart};
use crate::refusal::{Generated, unsupported_without_place};

/// What a context that has no name of its own is (`ContextDescriptorKind::Anonymous`).
pub(super) const ANONYMOUS_DESCRIPTOR: u64 = 2;

impl IRGenModule<'_, '_> {
    /// Metadata show which function declares a type, and its members in order: for a local type, what the module's text tells of that.
    pub(super) fn require_known_members(&self, declaration: &NominalDeclaration) -> Generated<()> {
        let Some(local) = declaration.attributes.local else { return Ok(()) };
        let refuse = |what| Err(Box::new(unsupported_without_place(what)));
        match local.origin {
            LocalOrigin::Unknown if declaration.parent.is_none() => {
                return refuse("metadata of a type that is declared in a function which no symbol says");
            }
            LocalOrigin::Several => {
                return refuse("metadata of a type declared in a function where several have types of the name");
            }
            LocalOrigin::Descriptor(_) | LocalOrigin::Unknown => {}
        }
        let payloads = declaration.cases.iter().filter_map(|case| case.payload);
        let mut types = declaration.stored.iter().map(|stored| stored.ty).chain(payloads);
        if types.any(|ty| matches!(self.types.queries.get(ty), Type::Unresolved(_))) {
            return refuse("metadata of a type that is declared in a function and has members of unknown types");
        }
        match local.order {
            MemberOrder::Mentioned if declaration.stored.len() > 1 => {
                refuse("metadata of a type that is declared in a function and has members of unknown order")
            }
            MemberOrder::Mentioned | MemberOrder::Declared => Ok(()),
        }
    }

    /// What stands for the function that declares a type: what it is, and the type or the module around it.
    pub(super) fn local_context(&self, nominal: NominalId) -> ConstantStruct {
        let declaration = self.sil.declarations.get(nominal);
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, ANONYMOUS_DESCRIPTOR | UNIQUE_DESCRIPTOR);
        words.add_relative(match self.type_around(declaration) {
            Some(outer) => Entity::OfNominal(NominalPart::Descriptor, outer),
            None => Entity::ModuleDescriptor(declaration.module),
        });
        words
    }

    /// The type of this module that has the function which declares a local type.
    fn type_around(&self, declaration: &NominalDeclaration) -> Option<NominalId> {
        let LocalOrigin::Descriptor(descriptor) = declaration.attributes.local?.origin else { return None };
        let path = types_around_local(self.sil.context.text(descriptor))?;
        let declarations = &self.sil.declarations;
        let mut outer = None;
        for name in path {
            let name = self.sil.context.name(&name);
            outer = Some(match outer {
                Some(outer) => declarations.nested(outer, name)?,
                None => declarations.top_level(name)?,
            });
        }
        outer.filter(|outer| declarations.get(*outer).origin == Origin::Module)
    }
}

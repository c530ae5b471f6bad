//! Opened archetypes: which instruction opens one, and which of them a type names.

use crate::context::{Name, Type, TypeId};
use crate::instructions::Opcode;
use crate::model::{Body, Details, InstructionId, Value};
use crate::types::TypeQueries;

/// The archetype that an instruction opens, by its UUID, and the value that stands for it.
pub fn opening(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> Option<(Name, Value)> {
    use Opcode::*;
    let instruction = &body.instructions[id];
    let uuid = match (instruction.opcode, &instruction.details) {
        (
            OpenExistentialAddr
            | OpenExistentialRef
            | OpenExistentialValue
            | OpenExistentialBox
            | OpenExistentialBoxValue
            | OpenExistentialMetatype,
            _,
        ) => *opened_archetypes(queries, body.ty(body.result(id)?).ty).first()?,
        (OpenPackElement, Details::PackOpening(opening)) => opening.uuid,
        _ => return None,
    };
    Some((uuid, body.result(id)?))
}

/// The opened archetypes that a type names, each once, in order.
pub fn opened_archetypes(queries: &TypeQueries<'_>, ty: TypeId) -> Vec<Name> {
    let mut names = Vec::new();
    queries.find_in(ty, &mut |part| -> Option<()> {
        if let Type::OpenedArchetype { uuid, .. } | Type::PackElementArchetype { uuid, .. } = queries.get(part)
            && !names.contains(uuid)
        {
            names.push(*uuid);
        }
        None
    });
    names
}

//! Opened archetypes: which instruction opens one, and which of them a type names.

use sil_ir::context::{Name, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, InstructionId, Value};
use sil_ir::types::TypeQueries;

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

/// The opened archetypes that an instruction names: in its types, those of its results, and in its details.
pub fn named_archetypes(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> Vec<Name> {
    let mut types: Vec<TypeId> = body.types(id).iter().map(|ty| ty.ty).collect();
    types.extend(body.results(id).map(|result| body.ty(result).ty));
    let replacements = |map| queries.context.replacements(map).iter().copied();
    match &body.instructions[id].details {
        Details::Apply(apply) => types.extend(replacements(apply.substitutions).chain([apply.callee_type.ty])),
        Details::Builtin(builtin) => types.extend(replacements(builtin.substitutions)),
        Details::Method(method) => types.extend(method.lookup),
        Details::FormalType(ty) => types.push(*ty),
        Details::Cast(cast) => types.extend(cast.source.into_iter().chain([cast.target])),
        Details::KeyPath(path) => types.extend(replacements(path.substitutions)),
        Details::Variable(variable) => types.extend(variable.ty.map(|ty| ty.ty)),
        _ => {}
    }
    types.into_iter().flat_map(|ty| opened_archetypes(queries, ty)).collect()
}

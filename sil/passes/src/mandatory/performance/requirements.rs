//! The requirements of rewritten code: the functions that it references, the vtables of classes whose objects or
//! metatypes it makes, and the conformances of its existential containers.

use sil_ir::context::{Name, NominalId, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{Body, Details};
use sil_ir::types::{Copyability, TypeQueries};
use sil_text::syntax::Wanted;

/// The requirements of functions, in order.
#[derive(Default)]
pub(super) struct Requirements {
    /// The entities that are read from libraries.
    pub(super) wanted: Wanted,
    pub(super) functions: Vec<Name>,
    pub(super) classes: Vec<TypeId>,
    pub(super) conformances: Vec<(TypeId, NominalId)>,
    /// The noncopyable types of values, and boxes.
    pub(super) noncopyable: Vec<TypeId>,
}

impl Requirements {
    pub(super) fn merge(&mut self, other: Requirements) {
        self.wanted.functions.extend(other.wanted.functions);
        self.wanted.witness_tables.extend(other.wanted.witness_tables);
        self.wanted.vtables.extend(other.wanted.vtables);
        self.functions.extend(other.functions);
        self.classes.extend(other.classes);
        self.conformances.extend(other.conformances);
        self.noncopyable.extend(other.noncopyable);
    }
}

/// Adds the requirements of `body` with concrete types.
pub(super) fn required_by(queries: &TypeQueries<'_>, body: &Body, requirements: &mut Requirements) {
    add_required(queries, body, requirements);
    requirements.classes.retain(|class| !queries.is_dependent(*class));
    requirements.conformances.retain(|(ty, _)| !queries.is_dependent(*ty));
    let may_have_deinit = |ty: &TypeId| {
        let is_noncopyable = queries.properties(*ty, None).copyability == Copyability::Noncopyable;
        !queries.is_dependent(*ty) && (is_noncopyable || matches!(queries.get(*ty), Type::Box(_)))
    };
    let types = body.values.values().map(|value| value.ty.ty);
    requirements.noncopyable.extend(types.filter(may_have_deinit));
}

fn add_required(queries: &TypeQueries<'_>, body: &Body, requirements: &mut Requirements) {
    for id in body.placed_instructions() {
        match body.instructions[id].opcode {
            Opcode::FunctionRef => requirements.functions.push(views::FunctionRef::of(body, id).function),
            Opcode::AllocRef | Opcode::AllocRefDynamic => {
                requirements.classes.extend(body.types(id).last().map(|class| class.ty));
            }
            Opcode::Metatype => {
                if let Type::Metatype { instance, .. } = queries.get(views::Metatype::of(body, id).ty.ty)
                    && queries.is_class(*instance)
                {
                    requirements.classes.push(*instance);
                }
            }
            Opcode::InitExistentialRef | Opcode::InitExistentialAddr | Opcode::AllocExistentialBox => {
                let Some(container) = body.result(id) else { continue };
                let concrete = match &body.instructions[id].details {
                    Details::FormalType(concrete) => *concrete,
                    _ => continue,
                };
                if let Type::Existential(constraint) = queries.get(body.ty(container).ty) {
                    let protocols = queries.protocols_in(*constraint).into_iter();
                    requirements.conformances.extend(protocols.map(|protocol| (concrete, protocol)));
                }
            }
            Opcode::CheckedCastBr | Opcode::UnconditionalCheckedCast => {
                if let Details::Cast(cast) = &body.instructions[id].details
                    && queries.is_class(cast.target)
                {
                    requirements.classes.push(cast.target);
                }
            }
            _ => {}
        }
    }
}

/// Returns whether all replacements of a map are concrete.
pub(super) fn is_concrete(queries: &TypeQueries<'_>, map: SubstitutionMapId) -> bool {
    queries.context.replacements(map).iter().all(|ty| !queries.is_dependent(*ty))
}

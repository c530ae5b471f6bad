//! The executor of an asynchronous actor initialiser after a call: the actor once it is initialised, none before
//! (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp, `handleFlowSensitiveActorIsolationUse`).
//!
//! Owns: the flow-sensitive isolation builtins, and their replacements.

use sil_ir::context::{MemberKind, MemberRef, MemberTarget, SilType};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::{Body, Details, InstructionId, Place, Replacements};
use sil_ir::types::TypeQueries;

use super::unsupported;
use crate::InstructionBuilder;

/// The kind of actors that a builtin returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Actors {
    Local,
    Distributed,
}

/// Returns whether an instruction requests the initialised actor.
pub(super) fn needs_self(body: &Body, id: InstructionId) -> bool {
    requested(body, id).is_some()
}

fn requested(body: &Body, id: InstructionId) -> Option<Actors> {
    let Details::Builtin(builtin) = &body.instructions[id].details else { return None };
    match builtin.kind()? {
        BuiltinKind::Named(NamedBuiltin::FlowSensitiveSelfIsolation) => Some(Actors::Local),
        BuiltinKind::Named(NamedBuiltin::FlowSensitiveDistributedSelfIsolation) => Some(Actors::Distributed),
        _ => None,
    }
}

/// Whether the actor is initialised at the builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Initialized,
    Missing,
}

/// Replaces the builtin `id` by the actor or by none. An initialised distributed actor is not supported.
pub(super) fn resolve(
    queries: &TypeQueries<'_>,
    body: &mut Body,
    id: InstructionId,
    presence: Presence,
) -> Result<(), Box<Diagnostic>> {
    let (Some(actors), Some(requested)) = (requested(body, id), body.result(id)) else { return Ok(()) };
    let optional = body.ty(requested);
    let operand = body.operands(id).first().copied();
    let (Some(object), Some(actor)) = (queries.optional_object(optional.ty), operand) else {
        return Err(unsupported(body, id, "the isolation of an initialiser in a module that does not know 'Optional'"));
    };
    if presence == Presence::Initialized && actors == Actors::Distributed {
        return Err(unsupported(body, id, "the isolation of an initialiser of a distributed actor"));
    }
    let case = |name: &str| {
        let declaration = queries.as_nominal(optional.ty)?.declaration;
        let name = queries.context.name(name);
        let cases = &queries.declarations.get(declaration).cases;
        let (index, _) = (0..).zip(cases).find(|(_, case)| case.name == name)?;
        let target = MemberTarget::Case(index);
        Some(queries.context.member(MemberRef::new(Some(declaration), name, MemberKind::EnumElement, target)))
    };
    let (Some(some), Some(none)) = (case("some"), case("none")) else {
        return Err(unsupported(body, id, "the isolation of an initialiser in a module that does not know 'Optional'"));
    };
    let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
    let found = match presence {
        Presence::Missing => builder.enumeration(none, None, optional),
        Presence::Initialized => {
            let ty = SilType::object(builder.ty(actor).ty);
            let owned = if builder.ty(actor).is_address() {
                let mut attributes = AttributeSet::default();
                attributes.insert(Attribute::Copy);
                builder.with(attributes).load(actor)
            } else {
                builder.copy_value(actor)
            };
            let any = SilType::object(object);
            let any = builder.init_existential_ref(owned, ty.ty, any);
            builder.enumeration(some, Some(any), optional)
        }
    };
    let mut replacements = Replacements::default();
    replacements.replace(requested, found);
    body.replace_values(&replacements);
    body.erase(id);
    Ok(())
}

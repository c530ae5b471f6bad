//! The list of entities that are used and need a definition: functions, variables, tables alike. What is declared comes onto it; each
//! definition may declare more. Owns the list and the place that each was used at first, not what definitions look like.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use sil::context::Name;
use sil::diagnostic::Diagnostic;
use sil::source::Span;

use super::entities::Definition;
use super::{Entity, IRGenModule};
use crate::instructions::define_forwarder;
use crate::refusal::Generated;

/// A place in SIL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub span: Span,
    /// The function, where it is in one.
    pub function: Option<Name>,
}

/// What is used and not defined yet.
#[derive(Default)]
pub(super) struct Worklist {
    pending: RefCell<VecDeque<(Entity, Option<Place>)>>,
    /// What is being emitted.
    place: Cell<Option<Place>>,
}

impl Worklist {
    /// Says what is being emitted: what is declared from now on is used there.
    pub(super) fn set_place(&self, span: Span, function: Option<Name>) {
        self.place.set(Some(Place { span, function }));
    }

    /// Gives an error that has no place yet the place of what is being emitted.
    pub(super) fn locate(&self, error: &mut Diagnostic) {
        let Some(place) = self.place.get() else { return };
        if error.span.is_none() {
            error.span = Some(place.span);
            error.function = error.function.or(place.function);
        }
    }
}

impl IRGenModule<'_, '_> {
    /// Notes that `entity`, which was just declared, is used.
    pub(super) fn need_definition(&self, entity: Entity) {
        if self.definition_of(&entity) == Definition::Here {
            let place = self.worklist.place.get();
            self.worklist.pending.borrow_mut().push_back((entity, place));
        }
    }

    /// Defines everything that is used, and what that uses in turn.
    pub(super) fn define_pending(&self, errors: &mut Vec<Diagnostic>) {
        while let Some((entity, place)) = self.next_pending() {
            self.worklist.place.set(place);
            if let Err(mut error) = self.define(&entity) {
                self.worklist.locate(&mut error);
                errors.push(*error);
            }
        }
    }

    fn next_pending(&self) -> Option<(Entity, Option<Place>)> {
        self.worklist.pending.borrow_mut().pop_front()
    }

    fn define(&self, entity: &Entity) -> Generated<()> {
        match entity {
            Entity::Function(id) => self.define_function(*id),
            Entity::Global(id) => self.define_global(*id),
            Entity::ClassMetadata(class) => self.define_class_metadata(*class),
            Entity::WitnessTable(ty, protocol) => self.define_witness_table(*ty, *protocol),
            Entity::HeapMetadata(fields) => self.define_heap_metadata(fields),
            Entity::HeapDestroyer(fields) => self.define_heap_destroyer(fields),
            Entity::Forwarder(key) => define_forwarder(self, *key),
            Entity::String(bytes) => self.define_string(bytes),
            // Its name does not tell the type, which is at hand only where it is declared.
            Entity::OutlinedEnum(..) => Ok(()),
            Entity::Runtime(_) | Entity::C(_) | Entity::CoroutinePrototype(_) => Ok(()),
        }
    }
}

//! The list of entities that are used and need a definition: functions, variables, tables alike. What is declared comes onto it; each
//! definition may declare more. Owns the list and the place that each was used at first, not what definitions look like.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use sil::context::Name;
use sil::diagnostic::Diagnostic;
use sil::source::Span;

use super::entities::{Definition, share};
use super::{Entity, IRGenModule, UnitId};
use crate::refusal::Generated;

/// A place in SIL.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: Span,
    /// The function, where it is in one.
    function: Option<Name>,
}

/// An entity that is used, with the place that uses it.
#[derive(Clone, Debug)]
pub struct Use {
    entity: Entity,
    place: Option<Place>,
}

/// What is used and not defined yet.
#[derive(Default)]
pub(crate) struct Worklist {
    pending: RefCell<VecDeque<Use>>,
    /// What another unit defines, with that unit.
    elsewhere: RefCell<Vec<(UnitId, Use)>>,
    /// What other units use of this one.
    shared: RefCell<Vec<Entity>>,
    /// What is being emitted.
    place: Cell<Option<Place>>,
}

impl Worklist {
    /// Says what is being emitted: what is declared from now on is used there.
    pub(crate) fn set_place(&self, span: Span, function: Option<Name>) {
        self.place.set(Some(Place { span, function }));
    }

    /// Gives an error that has no place yet the place of what is being emitted.
    pub(crate) fn locate(&self, error: &mut Diagnostic) {
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
        let (definition, place) = (self.definition_of(&entity), self.worklist.place.get());
        if let Definition::OtherUnit(unit) = definition {
            self.worklist.elsewhere.borrow_mut().push((unit, Use { entity: entity.clone(), place }));
        }
        if self.is_emitted(&entity) {
            self.worklist.pending.borrow_mut().push_back(Use { entity, place });
        }
    }

    /// Whether the definition of `entity` is emitted here, if it is used.
    pub(super) fn is_emitted(&self, entity: &Entity) -> bool {
        self.definition_of(entity) == Definition::Here || self.has_copy(entity)
    }

    /// What was used since the last time and other units define.
    pub fn take_used_elsewhere(&self) -> Vec<(UnitId, Use)> {
        self.worklist.elsewhere.take()
    }

    /// Declares what another unit uses.
    pub(crate) fn declare_used(&self, used: &Use) -> Generated<()> {
        self.worklist.place.set(used.place);
        self.worklist.shared.borrow_mut().push(used.entity.clone());
        self.address_of(&used.entity).map(|_| ())
    }

    /// Makes visible what other units use of this one.
    pub(super) fn share_used(&self) {
        for entity in self.worklist.shared.take() {
            if let Some(declared) = self.declared(&entity) {
                share(declared.global());
            }
        }
    }

    /// What is to be defined next, if anything is. What is used from now on is used by that.
    pub(crate) fn next_pending(&self) -> Option<Entity> {
        let Use { entity, place } = self.worklist.pending.borrow_mut().pop_front()?;
        self.worklist.place.set(place);
        Some(entity)
    }
}

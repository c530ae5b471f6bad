//! The worklist of entities that are used and need a definition: functions, variables and tables alike. A declaration
//! adds to it; each definition may declare more. Owns: the list, and the place of each first use. Does not own: the
//! definitions.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::Span;

use super::entities::{Definition, share};
use super::{Entity, IRGenModule, UnitId};
use crate::refusal::Generated;

/// A place in SIL.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: Span,
    /// The function that contains it, if any.
    function: Option<Name>,
}

/// A used entity, with the place of the use.
#[derive(Clone, Debug)]
pub struct Use {
    entity: Entity,
    place: Option<Place>,
}

/// The used entities that are not defined yet.
#[derive(Default)]
pub(crate) struct Worklist {
    pending: RefCell<VecDeque<Use>>,
    /// The entities that other units define, with their units.
    elsewhere: RefCell<Vec<(UnitId, Use)>>,
    /// The entities of this unit that other units use.
    shared: RefCell<Vec<Entity>>,
    /// The place of the current definition.
    place: Cell<Option<Place>>,
}

impl Worklist {
    /// Sets the place of the current definition, which later declarations are used at.
    pub(crate) fn set_place(&self, span: Span, function: Option<Name>) {
        self.place.set(Some(Place { span, function }));
    }

    /// Sets the span of an error without one to that of the current definition.
    pub(crate) fn locate(&self, error: &mut Diagnostic) {
        let Some(place) = self.place.get() else { return };
        if error.span.is_none() {
            error.span = Some(place.span);
            error.function = error.function.or(place.function);
        }
    }
}

impl IRGenModule<'_, '_> {
    /// Records that `entity`, which was just declared, is used.
    pub(super) fn need_definition(&self, entity: Entity) {
        let (definition, place) = (self.definition_of(&entity), self.worklist.place.get());
        if let Definition::OtherUnit(unit) = definition {
            self.worklist.elsewhere.borrow_mut().push((unit, Use { entity: entity.clone(), place }));
        }
        if self.is_emitted(&entity) {
            self.worklist.pending.borrow_mut().push_back(Use { entity, place });
        }
    }

    /// Returns whether the definition of `entity` is emitted here, if it is used.
    pub(super) fn is_emitted(&self, entity: &Entity) -> bool {
        self.definition_of(entity) == Definition::Here || self.has_copy(entity)
    }

    /// Returns the new uses of entities that other units define.
    pub fn take_used_elsewhere(&self) -> Vec<(UnitId, Use)> {
        self.worklist.elsewhere.take()
    }

    /// Declares an entity that another unit uses.
    pub(crate) fn declare_used(&self, used: &Use) -> Generated<()> {
        self.worklist.place.set(used.place);
        self.worklist.shared.borrow_mut().push(used.entity.clone());
        self.address_of(&used.entity).map(|_| ())
    }

    /// Makes the entities visible that other units use from this one.
    pub(super) fn share_used(&self) {
        for entity in self.worklist.shared.take() {
            if let Some(declared) = self.declared(&entity) {
                share(declared.global());
            }
        }
    }

    /// Returns the next entity to define, if any. Later uses are attributed to it.
    pub(crate) fn next_pending(&self) -> Option<Entity> {
        let Use { entity, place } = self.worklist.pending.borrow_mut().pop_front()?;
        self.worklist.place.set(place);
        Some(entity)
    }
}

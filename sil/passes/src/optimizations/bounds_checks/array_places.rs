//! The location of an array: an address or value that is a part of an allocation or of a function argument. Only such
//! an array is known to have no other references (`isIdentifiedUnderlyingArrayObject`).

use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Definition, Value};

use crate::knowledge::value_paths::{PathStep, step};

/// The location of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ArrayPlace {
    root: Value,
    /// The projection path from the root.
    path: Vec<PathStep>,
}

impl ArrayPlace {
    /// The location of an address or a value, or `None` if it is not a part of an allocation or an argument.
    pub(super) fn of(body: &Body, value: Value) -> Option<Self> {
        let mut path = Vec::new();
        let mut root = value;
        loop {
            let id = match body.values[root].definition {
                Definition::Undef => return None,
                Definition::Argument { block, .. } if block == body.entry() => break,
                Definition::Argument { .. } => return None,
                Definition::Result { instruction, .. } => instruction,
            };
            use Opcode::{AllocBox, AllocRef, AllocRefDynamic, AllocStack};
            if matches!(body.instructions[id].opcode, AllocStack | AllocBox | AllocRef | AllocRefDynamic) {
                break;
            }
            let (step, next) = step(body, id).filter(|(step, _)| *step != PathStep::Tail)?;
            path.push(step);
            root = next;
        }
        path.reverse();
        Some(Self { root, path })
    }

    /// Returns whether a mutation of one array may mutate the other one.
    pub(super) fn may_overlap(&self, other: &Self) -> bool {
        let direct = |place: &Self| place.path.iter().rposition(|step| step.is_indirect());
        let (one, two) = match (direct(self), direct(other)) {
            // The contents of an object may be reached through other references as well.
            (Some(one), Some(two)) => (&self.path[one..], &other.path[two..]),
            (None, None) if self.root == other.root => (&self.path[..], &other.path[..]),
            _ => return false,
        };
        one.starts_with(two) || two.starts_with(one)
    }
}

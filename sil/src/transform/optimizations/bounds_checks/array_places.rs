//! Where arrays are: an address or a value that is a part of an allocation or an argument of the function. Only of those is it known that nothing else
//! refers to them (`isIdentifiedUnderlyingArrayObject`).

use crate::instructions::Opcode;
use crate::model::{Body, Definition, Value};
use crate::transform::knowledge::value_paths::{PathStep, step};

/// Where an array is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ArrayPlace {
    root: Value,
    /// From the root.
    path: Vec<PathStep>,
}

impl ArrayPlace {
    /// That of an address or a value; none where that is no part of an allocation or an argument.
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

    /// Whether a change of one may be a change of the other.
    pub(super) fn may_overlap(&self, other: &Self) -> bool {
        let direct = |place: &Self| place.path.iter().rposition(|step| step.is_indirect());
        let (one, two) = match (direct(self), direct(other)) {
            // What objects contain is reached by other references as well.
            (Some(one), Some(two)) => (&self.path[one..], &other.path[two..]),
            (None, None) if self.root == other.root => (&self.path[..], &other.path[..]),
            _ => return false,
        };
        one.starts_with(two) || two.starts_with(one)
    }
}

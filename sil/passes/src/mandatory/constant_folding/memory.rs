//! The known contents of variables at a point of a body, with the instructions that wrote them. Does not own: the set
//! of variables.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::model::{InstructionId, Value};

use super::places::Place;
use crate::knowledge::constants::Known;

/// The known memory at a point of a body.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// The known contents of variables.
    held: FxHashMap<Value, Contents>,
    /// The variables whose addresses other code may have. Unknown code may change them.
    pub(super) escaped: FxHashSet<Value>,
}

impl Memory {
    /// Returns the known value of a part of a variable.
    pub(super) fn read(&self, place: &Place) -> Option<Known> {
        self.held.get(&place.variable)?.part(&place.path)
    }

    /// Records that `by` writes `value`, if known, to a part of a variable.
    pub(super) fn write(&mut self, place: &Place, value: Option<Known>, by: Writer) {
        let value = value.map(|known| Contents::Value(known, by));
        let after = match self.held.remove(&place.variable) {
            Some(before) => before.with(&place.path, value),
            None => value.map(|value| Contents::of_part(&place.path, value)),
        };
        if let Some(after) = after {
            self.held.insert(place.variable, after);
        }
    }

    /// Forgets the contents of a part of a variable.
    pub(super) fn forget(&mut self, place: &Place) {
        if let Some(before) = self.held.remove(&place.variable) {
            self.held.extend(before.with(&place.path, None).map(|after| (place.variable, after)));
        }
    }

    /// Forgets the contents that unknown code may have changed.
    pub(super) fn forget_escaped(&mut self) {
        let escaped = &self.escaped;
        self.held.retain(|variable, _| !escaped.contains(variable));
    }

    /// Keeps the contents that both memories have, for a merge of paths.
    pub(super) fn merge(&mut self, other: &Memory) {
        let common =
            |(variable, held): (Value, Contents)| Some((variable, held.in_common(other.held.get(&variable)?)?));
        self.held = std::mem::take(&mut self.held).into_iter().filter_map(common).collect();
        self.escaped.extend(&other.escaped);
    }
}

/// The writer of a value in memory. Values of different writers differ at a merge of paths, even if they are equal: in
/// SIL they would be a block argument with an unknown value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// The caller: the value is there from the beginning.
    Caller,
    Instruction(InstructionId),
}

/// The contents of a variable or of a part of one.
#[derive(Clone)]
enum Contents {
    Value(Known, Writer),
    /// The fields of a struct or the elements of a tuple. Those after the last one are unknown.
    Parts(Vec<Option<Contents>>),
}

impl Contents {
    /// Returns contents of which only the part at `path` is known.
    fn of_part(path: &[u32], part: Contents) -> Contents {
        path.iter().rev().fold(part, |part, field| {
            let mut parts = vec![None; *field as usize];
            parts.push(Some(part));
            Contents::Parts(parts)
        })
    }

    fn known(&self) -> Option<Known> {
        match self {
            Contents::Value(known, _) => Some(known.clone()),
            Contents::Parts(parts) => Known::whole(parts.iter().map(|part| part.as_ref()?.known()).collect()),
        }
    }

    /// Returns the known value of the part at `path`.
    fn part(&self, path: &[u32]) -> Option<Known> {
        let Some((first, rest)) = path.split_first() else { return self.known() };
        match self {
            Contents::Value(known, _) => known.part(path).cloned(),
            Contents::Parts(parts) => parts.get(*first as usize)?.as_ref()?.part(rest),
        }
    }

    /// Splits the contents into parts; `None` if there are none.
    fn into_parts(self) -> Option<Vec<Option<Contents>>> {
        match self {
            Contents::Parts(parts) => Some(parts),
            Contents::Value(Known::Parts(parts), by) => {
                Some(parts.into_iter().map(|part| Some(Contents::Value(part?, by))).collect())
            }
            Contents::Value(..) => None,
        }
    }

    fn whole(parts: Vec<Option<Contents>>) -> Option<Contents> {
        parts.iter().any(Option::is_some).then_some(Contents::Parts(parts))
    }

    /// Replaces the part at `path`; `None` if nothing is known afterwards.
    fn with(self, path: &[u32], part: Option<Contents>) -> Option<Contents> {
        let Some((first, rest)) = path.split_first() else { return part };
        let (first, mut parts) = (*first as usize, self.into_parts()?);
        parts.resize(parts.len().max(first + 1), None);
        parts[first] = match parts[first].take() {
            Some(whole) => whole.with(rest, part),
            None => part.map(|part| Contents::of_part(rest, part)),
        };
        Contents::whole(parts)
    }

    /// Returns the contents that `self` and `other` have in common.
    fn in_common(self, other: &Contents) -> Option<Contents> {
        if let (Contents::Value(known, by), Contents::Value(others, by_other)) = (&self, other) {
            return (by == by_other && known == others).then_some(self);
        }
        let (parts, others) = (self.into_parts()?, other.clone().into_parts()?);
        Contents::whole(parts.into_iter().zip(&others).map(|(part, other)| part?.in_common(other.as_ref()?)).collect())
    }
}

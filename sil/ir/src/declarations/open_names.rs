//! Names of several types, each place of which can mean another of them: SIL writes types without their modules,
//! functions and files. Until the meaning of a place is known, a *stand-in* is read there: a type of its own with the
//! form of one of the candidates. Owns the candidates of a name, the meanings of single places as far as they are
//! known, the stand-ins, and the comparisons between these.
//!
//! `syntax::open_names` resolves places.

use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Meaning;
use crate::context::{Name, NominalId};
use crate::source::{FileId, Span};

/// The numbers of stand-ins begin here, so that they can be made while the declarations are only read.
pub(super) const FIRST_NUMBER: u32 = 3 << 30;

/// A place in the text at which a name of several types stands, by its first byte.
pub type Place = u32;

/// The known places of open names.
#[derive(Clone, Default, Debug)]
pub struct StatedPlaces {
    /// The meanings of single places.
    pub meanings: FxHashMap<Place, Meaning>,
    /// Whether nothing more is found out, so that no stand-ins are read.
    pub is_closed: bool,
}

/// The meaning of an open name at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenMeaning<'t> {
    /// It was found, or it is not known.
    Stated(Meaning),
    /// Any of these.
    AnyOf(&'t [NominalId]),
}

/// Names of several types, each place of which can mean another one.
#[derive(Default)]
pub struct OpenNames {
    file: Option<FileId>,
    names: FxHashMap<Name, Vec<NominalId>>,
    stated: StatedPlaces,
    stand_ins: boxcar::Vec<StandIn>,
    known: Mutex<Known>,
}

/// The facts that were found while the text was only read.
#[derive(Default)]
struct Known {
    numbers: FxHashMap<(Place, Box<[NominalId]>), NominalId>,
    compared: FxHashSet<(NominalId, NominalId)>,
    /// The places at which one type alone fits.
    narrowed: FxHashSet<(Place, NominalId)>,
}

/// The placeholder of a type until its meaning is known.
pub struct StandIn {
    /// Where its name stands.
    pub place: Place,
    /// The types that can be meant; it looks like the first.
    pub candidates: Box<[NominalId]>,
}

impl OpenNames {
    /// Allows `name` to mean any of `candidates` in `file`, the likeliest of which comes first.
    pub fn open(&mut self, file: FileId, name: Name, candidates: Vec<NominalId>) {
        self.file = Some(file);
        self.names.insert(name, candidates);
    }

    /// Sets the meanings of places.
    pub fn tell(&mut self, stated: StatedPlaces) {
        self.stated = stated;
    }

    /// The known meanings of places.
    pub fn stated(&self) -> &StatedPlaces {
        &self.stated
    }

    /// The names, in no order.
    pub fn names(&self) -> impl Iterator<Item = (Name, &[NominalId])> {
        self.names.iter().map(|(name, candidates)| (*name, &candidates[..]))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The candidates of `name` at `span`. None for a name that is looked up as any other there.
    pub fn meaning(&self, name: Name, span: Span) -> Option<OpenMeaning<'_>> {
        if self.names.is_empty() || self.file != Some(span.file) {
            return None;
        }
        let candidates = self.names.get(&name)?;
        match self.stated.meanings.get(&span.start) {
            Some(stated) => Some(OpenMeaning::Stated(*stated)),
            None if self.stated.is_closed => None,
            None => Some(OpenMeaning::AnyOf(candidates)),
        }
    }

    /// The type that stands at `place` for one of `candidates`: that one where there is no other, which is noted.
    pub fn stand_in(&self, place: Place, candidates: &[NominalId]) -> Option<NominalId> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if candidates.len() < 2 {
            let only = candidates.first().copied()?;
            known.narrowed.insert((place, only));
            return Some(only);
        }
        let number = known.numbers.entry((place, candidates.into())).or_insert_with(|| {
            let stand_in = StandIn { place, candidates: candidates.into() };
            NominalId::from_u32(FIRST_NUMBER + self.stand_ins.push(stand_in) as u32)
        });
        Some(*number)
    }

    /// The stand-in with this number.
    pub fn get(&self, id: NominalId) -> Option<&StandIn> {
        self.stand_ins.get(id.as_u32().checked_sub(FIRST_NUMBER)? as usize)
    }

    /// All stand-ins.
    pub fn stand_ins(&self) -> impl Iterator<Item = (NominalId, &StandIn)> {
        self.stand_ins.iter().map(|(index, stand_in)| (NominalId::from_u32(FIRST_NUMBER + index as u32), stand_in))
    }

    /// Whether two types that are compared can be the same, as one of them stands for others. That they should be is
    /// noted.
    pub fn may_be_same(&self, first: NominalId, second: NominalId) -> bool {
        let (one, other) = (self.get(first), self.get(second));
        let may_be = match (one, other) {
            (None, None) => false,
            (Some(one), None) => one.candidates.contains(&second),
            (None, Some(other)) => other.candidates.contains(&first),
            (Some(one), Some(other)) => one.candidates.iter().any(|candidate| other.candidates.contains(candidate)),
        };
        if may_be {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).compared.insert((first, second));
        }
        may_be
    }

    /// The places at which one type alone fits, with that type.
    pub fn narrowed(&self) -> Vec<(Place, NominalId)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut narrowed: Vec<_> = known.narrowed.iter().copied().collect();
        narrowed.sort_unstable();
        narrowed
    }

    /// The types that were compared.
    pub fn compared(&self) -> Vec<(NominalId, NominalId)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut compared: Vec<_> = known.compared.iter().copied().collect();
        compared.sort_unstable();
        compared
    }
}

/// Whether `id` is the number of a stand-in.
pub(super) fn is_stand_in(id: NominalId) -> bool {
    id.as_u32() >= FIRST_NUMBER
}

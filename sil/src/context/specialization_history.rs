//! How specialisations of generic functions came to be: for which call each was made, and what that call itself came from
//! (include/swift/SIL/SILInstruction.h, `GenericSpecializationInformation`).

use super::{Context, Name, SpecializationHistoryId, SubstitutionMapId};

/// What a generic function's specialisation was made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SpecializationHistory {
    /// The generic function.
    pub callee: Name,
    /// What it was specialised for.
    pub substitutions: SubstitutionMapId,
    /// Of the call for which that was done first, where a specialisation made that.
    pub call: Option<SpecializationHistoryId>,
}

impl Context {
    /// Interns `history`.
    pub fn specialization_history(&self, history: SpecializationHistory) -> SpecializationHistoryId {
        self.specialization_histories.intern(history)
    }

    /// The history behind `id`.
    pub fn get_specialization_history(&self, id: SpecializationHistoryId) -> &SpecializationHistory {
        self.specialization_histories.get(id)
    }
}

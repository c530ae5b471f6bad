//! The history of specialisations of generic functions: the call that each was made for, and the origin of that call
//! (include/swift/SIL/SILInstruction.h, `GenericSpecializationInformation`).

use super::{Context, Name, SpecializationHistoryId, SubstitutionMapId};

/// The origin of a generic function's specialisation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SpecializationHistory {
    /// The generic function.
    pub callee: Name,
    /// The substitutions that it was specialised for.
    pub substitutions: SubstitutionMapId,
    /// Of the call for which that was done first, where a specialisation made that.
    pub call: Option<SpecializationHistoryId>,
}

impl Context {
    /// Interns `history`.
    pub fn specialization_history(&self, history: SpecializationHistory) -> SpecializationHistoryId {
        self.specialization_histories.intern(history)
    }

    /// The history `id`.
    pub fn get_specialization_history(&self, id: SpecializationHistoryId) -> &SpecializationHistory {
        self.specialization_histories.get(id)
    }
}

//! What passes say of the Swift program: where it stands in the source, and the words for types, variables and what is called.

pub(super) mod callees;
pub(super) mod findings;
pub(super) mod type_names;
pub(super) mod variable_names;
pub(super) mod written_code;

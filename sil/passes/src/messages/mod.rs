//! Diagnostics of passes about the Swift program: source locations, and the names of types, variables and callees.

pub(super) mod callees;
pub(super) mod findings;
pub(super) mod type_names;
pub(super) mod variable_names;
pub(super) mod written_code;

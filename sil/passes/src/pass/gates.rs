//! The functions that a pass skips, as fields of the pass: the manager asks them before it runs the pass.
//!
//! Does not own: rules of one pass alone, which stand in its code, and functions that settings exempt from all passes
//! (`settings`).

use sil_ir::model::{Function, FunctionFlag};

/// The functions that a pass skips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gates {
    /// Functions marked `[Onone]` (`SILFunction::shouldOptimize` in include/swift/SIL/SILFunction.h).
    pub optimize_none: Gate,
    /// Functions read as canonical SIL: diagnostics ran on them before (`SILFunction::wasDeserializedCanonical` there).
    pub canonical: Gate,
    /// Functions by their form of ownership (`SILFunction::hasOwnership` there).
    pub ownership: OwnershipGate,
}

/// A decision on one kind of functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The pass runs on them.
    Run,
    /// The pass skips them.
    Skip,
}

/// The forms of ownership that a pass works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnershipGate {
    /// Both.
    Any,
    /// OSSA alone.
    Ossa,
    /// Lowered ownership alone.
    Lowered,
}

impl Gates {
    /// No function is skipped.
    pub const OPEN: Self = Self { optimize_none: Gate::Run, canonical: Gate::Run, ownership: OwnershipGate::Any };

    /// Whether the pass runs on `function`.
    pub(crate) fn admit(self, function: &Function) -> bool {
        let has_form = match self.ownership {
            OwnershipGate::Any => true,
            OwnershipGate::Ossa => function.has(FunctionFlag::Ossa),
            OwnershipGate::Lowered => !function.has(FunctionFlag::Ossa),
        };
        has_form
            && self.optimize_none.admits(function, FunctionFlag::OptimizeNone)
            && self.canonical.admits(function, FunctionFlag::Canonical)
    }

    /// Whether no function is skipped.
    pub(super) const fn are_open(self) -> bool {
        matches!(self, Self { optimize_none: Gate::Run, canonical: Gate::Run, ownership: OwnershipGate::Any })
    }
}

impl Gate {
    fn admits(self, function: &Function, flag: FunctionFlag) -> bool {
        match self {
            Gate::Run => true,
            Gate::Skip => !function.has(flag),
        }
    }
}

//! The optimisation levels. `optimize` has the passes of each.

/// The optimisation level, as clang's flags with the same names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OptimizationLevel {
    /// No optimisation: the fastest to compile.
    #[default]
    O0,
    /// A little.
    O1,
    /// For speed.
    O2,
    /// For speed, regardless of size.
    O3,
    /// For size, without giving up much speed.
    Os,
    /// For size above all.
    Oz,
}

impl OptimizationLevel {
    /// Returns whether size is preferred to speed.
    pub fn is_for_size(self) -> bool {
        matches!(self, OptimizationLevel::Os | OptimizationLevel::Oz)
    }
}

//! The level of optimisation. `optimize` has the passes of each.

/// How much silc optimises, as clang's flags of the same names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OptimizationLevel {
    /// Not at all: the fastest to compile.
    #[default]
    O0,
    /// A little.
    O1,
    /// For speed.
    O2,
    /// For speed, whatever the size.
    O3,
    /// For size, without giving up much speed.
    Os,
    /// For size above all.
    Oz,
}

impl OptimizationLevel {
    /// Whether size counts more than speed.
    pub fn is_for_size(self) -> bool {
        matches!(self, OptimizationLevel::Os | OptimizationLevel::Oz)
    }
}

//! How the sides of a row of a report relate.

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RowKind {
    /// Both sides are the same.
    Same,
    /// The sides differ.
    Changed,
    /// The same instruction stands elsewhere in B.
    Moved,
    /// Only in A.
    OnlyInA,
    /// Only in B.
    OnlyInB,
}

impl RowKind {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RowKind::Same => "same",
            RowKind::Changed => "changed",
            RowKind::Moved => "moved",
            RowKind::OnlyInA => "only-in-a",
            RowKind::OnlyInB => "only-in-b",
        }
    }
}

//! Comparisons as text for terminals, as JSON, and as a page of HTML. The parts that they share are prepared once: the
//! summary ([`summary`]) and the rows of a function ([`rows`]).

pub mod html;
pub mod json;
pub mod listings;
pub mod moved;
pub mod objects;
pub mod rows;
pub mod statistics;
pub mod summary;
pub mod text;

use crate::comparison::Comparison;

/// Two modules compared, under the names that reports give them.
pub struct Entry {
    /// The common title of A and B: a file's name below two folders, a level, a target.
    pub title: String,
    /// The comparison.
    pub comparison: Comparison,
}

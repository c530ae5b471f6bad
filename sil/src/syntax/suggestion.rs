//! "Did you mean": the known word that is closest to an unknown one.

use strsim::osa_distance;

/// The candidate that differs from `word` by the fewest edits (letters changed, added, taken away or swapped with their neighbour), if
/// they are few for its length.
pub fn closest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (word.chars().count() / 3).clamp(1, 3);
    let distances = candidates.map(|candidate| (osa_distance(word, candidate), candidate));
    distances.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

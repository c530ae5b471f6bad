//! "Did you mean" suggestions: the known word that is closest to an unknown one.

use strsim::osa_distance;

/// Returns the candidate with the smallest edit distance to `word` (letters changed, added, removed or swapped with
/// their neighbour), if the distance is small for its length.
pub fn closest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (word.chars().count() / 3).clamp(1, 3);
    let distances = candidates.map(|candidate| (osa_distance(word, candidate), candidate));
    distances.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

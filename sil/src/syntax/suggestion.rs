//! "Did you mean": the known word that is closest to an unknown one.

/// The candidate that differs from `word` by the fewest edits, if they are few for its length.
pub fn closest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (word.chars().count() / 3).clamp(1, 3);
    let distances = candidates.map(|candidate| (edits(word, candidate, limit), candidate));
    let close = distances.filter_map(|(distance, candidate)| Some((distance?, candidate)));
    close.min_by_key(|(distance, candidate)| (*distance, *candidate)).map(|(_, candidate)| candidate)
}

/// How many letters must be changed, added or taken away; none if more than `limit`.
fn edits(first: &str, second: &str, limit: usize) -> Option<usize> {
    if first.len().abs_diff(second.len()) > limit * 4 {
        return None;
    }
    let second: Vec<char> = second.chars().collect();
    let mut row: Vec<usize> = (0..=second.len()).collect();
    for (line, character) in first.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in second.iter().enumerate() {
            let change = diagonal + usize::from(character != *other);
            diagonal = row[column + 1];
            row[column + 1] = change.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().filter(|distance| *distance <= limit)
}

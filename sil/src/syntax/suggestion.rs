//! "Did you mean": the known word that is closest to an unknown one.

/// The candidate that differs from `word` by the fewest edits, if they are few for its length.
pub fn closest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let limit = (word.chars().count() / 3).clamp(1, 3);
    let distances = candidates.map(|candidate| (edits(word, candidate, limit), candidate));
    let close = distances.filter_map(|(distance, candidate)| Some((distance?, candidate)));
    close.min_by_key(|(distance, candidate)| (*distance, *candidate)).map(|(_, candidate)| candidate)
}

/// How many letters must be changed, added, taken away or swapped with their neighbour; none if more than `limit`.
fn edits(first: &str, second: &str, limit: usize) -> Option<usize> {
    if first.len().abs_diff(second.len()) > limit * 4 {
        return None;
    }
    let (first, second): (Vec<char>, Vec<char>) = (first.chars().collect(), second.chars().collect());
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=second.len()).collect();
    for line in 0..first.len() {
        let mut next = vec![line + 1];
        for column in 0..second.len() {
            let change = row[column] + usize::from(first[line] != second[column]);
            let mut edits = change.min(row[column + 1] + 1).min(next[column] + 1);
            if line > 0 && column > 0 && first[line] == second[column - 1] && first[line - 1] == second[column] {
                let former: &[usize] = &before;
                edits = edits.min(former[column - 1] + 1);
            }
            next.push(edits);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|distance| *distance <= limit)
}

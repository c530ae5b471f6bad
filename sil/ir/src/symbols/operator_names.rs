//! The characters of operators, which stand in symbols as letters.

/// The characters that `a`, `b`… stand for; ` ` where a letter stands for none.
const CHARACTERS: &[u8; 26] = b"& @/= >    <*!|+?%-~   ^ .";

/// The operator that is written `letters` in symbols.
pub(super) fn decode(letters: &str) -> Option<String> {
    letters
        .chars()
        .map(|letter| match letter {
            'a'..='z' => Some(char::from(CHARACTERS[usize::from(letter as u8 - b'a')])).filter(|found| *found != ' '),
            _ => (!letter.is_ascii()).then_some(letter),
        })
        .collect()
}

/// The form of `operator` in symbols.
pub(super) fn encode(operator: &str) -> String {
    let letter = |character: char| {
        let at = CHARACTERS.iter().position(|known| char::from(*known) == character);
        at.map_or(character, |at| char::from(b'a' + at as u8))
    };
    operator.chars().map(letter).collect()
}

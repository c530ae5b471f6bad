//! The names of an enum's constants as cases of Swift: without the words that all of them and the enum's name begin
//! with (lib/ClangImporter: ImportEnumInfo.cpp, ImportName.cpp; lib/Basic/StringExtras.cpp).

/// A constant of an enum, as C has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Its name in C.
    pub name: String,
    /// The name that `swift_name` gives it.
    pub swift_name: Option<String>,
    /// Whether it may be used without a warning.
    pub is_current: bool,
    /// Its value, of as many bits as the enum's integer type.
    pub value: u64,
}

/// The names of the cases for the constants of the enum of this name in C, in their order.
pub fn case_names(enumeration: &str, constants: &[Constant]) -> Vec<String> {
    let prefix = prefix(enumeration, constants);
    let name = |constant: &Constant| match (&constant.swift_name, constant.name.strip_prefix(prefix)) {
        (Some(name), _) => name.clone(),
        (None, Some(rest)) if !prefix.is_empty() => lowercased(rest),
        (None, _) => constant.name.clone(),
    };
    constants.iter().map(name).collect()
}

/// The prefix that is removed from the names.
fn prefix<'c>(enumeration: &str, constants: &'c [Constant]) -> &'c str {
    let unnamed = || constants.iter().filter(|constant| constant.swift_name.is_none());
    let current: Vec<&Constant> = unnamed().filter(|constant| constant.is_current).collect();
    let counted = if current.is_empty() { unnamed().collect() } else { current };
    let Some((first, others)) = counted.split_first() else { return "" };
    let mut common = Common { length: first.name.len(), is_before_number: false };
    for other in others {
        common = common_words(&first.name[..common.length], &other.name, common.is_before_number);
        if common.length == 0 {
            return "";
        }
    }
    let shared = &first.name[..common.length];
    let checked = without_k(shared, common.is_before_number);
    let with_enumeration = common_with_plural(checked, enumeration);
    let is_before_underscore = checked.as_bytes().get(with_enumeration) == Some(&b'_') && !common.is_before_number;
    let end = with_enumeration + (shared.len() - checked.len()) + usize::from(is_before_underscore);
    &first.name[..end.min(shared.len())]
}

/// `kConstant`: the letter in front stands for nothing.
fn without_k(shared: &str, is_before_number: bool) -> &str {
    let Some(rest) = shared.strip_prefix('k') else { return shared };
    let can_go = match rest.chars().next() {
        Some(next) => next.is_ascii_uppercase(),
        None => !is_before_number,
    };
    if can_go { rest } else { shared }
}

/// How much of two names is the same words.
struct Common {
    length: usize,
    /// Whether one word less was removed, because the rest would begin with a digit.
    is_before_number: bool,
}

fn common_words(first: &str, second: &str, mut is_before_number: bool) -> Common {
    let (first, second) = (words(first), words(second));
    let same = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
    if same < first.len().min(second.len()) {
        is_before_number = false;
    }
    let begins_with_digit =
        |word: Option<&&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let mut taken = same;
    if begins_with_digit(first.get(same)) || begins_with_digit(second.get(same)) {
        is_before_number = true;
        taken = same.saturating_sub(1);
    }
    Common { length: first[..taken].iter().map(|word| word.len()).sum(), is_before_number }
}

/// How much of `singular` are the words that `plural` begins with, where the last may be a plural there.
fn common_with_plural(singular: &str, plural: &str) -> usize {
    let common = common_words(singular, plural, false).length;
    let (Some(word), Some(stem)) = (words(&singular[common..]).first().copied(), plural.strip_suffix('s')) else {
        return common;
    };
    let stem_of_es = || stem.strip_suffix('e').filter(|stem| stem.ends_with(word));
    let stem_of_ies = || {
        let stem = stem.strip_suffix("ie").filter(|_| singular.ends_with('y'))?;
        word.strip_suffix('y').filter(|word| stem.ends_with(word))
    };
    let is_plural = stem.ends_with(word) || stem_of_es().is_some() || stem_of_ies().is_some();
    if is_plural { common + word.len() } else { common }
}

fn is_plural_suffix(text: &str) -> bool {
    matches!(text, "s" | "es" | "ies")
}

/// The words of a name in camel case; an underscore is one of its own.
fn words(name: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(first_word(rest));
        found.push(word);
        rest = after;
    }
    found
}

/// Where the first word of a text that is not empty ends.
fn first_word(text: &str) -> usize {
    let length_of = |text: &str, is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    if text.starts_with('_') {
        return 1;
    }
    let uppercase = length_of(text, |c| c.is_ascii_uppercase());
    if uppercase < 2 {
        return uppercase + length_of(&text[uppercase..], |c| !c.is_ascii_uppercase() && c != '_');
    }
    // An acronym ends before its last letter where that begins a word.
    let lowercase = length_of(&text[uppercase..], |c| c.is_ascii_lowercase());
    let end = uppercase + lowercase;
    if uppercase == text.len() || is_plural_suffix(&text[uppercase..end]) && &text[uppercase - 1..end] != "Is" {
        end
    } else if lowercase > 0 {
        uppercase - 1
    } else {
        uppercase
    }
}

/// The name with its first word in lowercase letters. One that is all capitals stays.
fn lowercased(name: &str) -> String {
    let is_capitals = !name.contains(|c: char| c.is_ascii_lowercase());
    if is_capitals || !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return name.to_owned();
    }
    let capitals = name.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(name.len());
    let rest = &name[capitals..];
    let is_letter = rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_plural = !rest.is_empty() && is_plural_suffix(&rest[..first_word(rest)]);
    // The last capital begins the next word, unless it is the only one.
    let end = if capitals == 1 || !is_letter || is_plural { capitals } else { capitals - 1 };
    name[..end].to_ascii_lowercase() + &name[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(enumeration: &str, constants: &[&str]) -> Vec<String> {
        let constant =
            |name: &&str| Constant { name: (*name).to_owned(), swift_name: None, is_current: true, value: 0 };
        case_names(enumeration, &constants.iter().map(constant).collect::<Vec<_>>())
    }

    // Each list is the result of swiftc 6.2.3.
    #[test]
    fn cases_are_called_as_in_swift() {
        for (enumeration, constants, expected) in [
            ("PinMode", vec!["PinModeInput", "PinModeOutput"], vec!["input", "output"]),
            ("Speed", vec!["SpeedLow", "SpeedHigh"], vec!["low", "high"]),
            ("Single", vec!["SingleCase"], vec!["case"]),
            ("gpio_mode", vec!["GPIO_MODE_IN", "GPIO_MODE_OUT"], vec!["GPIO_MODE_IN", "GPIO_MODE_OUT"]),
            ("GPIO_MODE", vec!["GPIO_MODE_IN", "GPIO_MODE_OUT"], vec!["IN", "OUT"]),
            ("Rate", vec!["kRateOne", "kRateTwo"], vec!["one", "two"]),
            ("Baud", vec!["Baud_9600", "Baud_115200"], vec!["_9600", "_115200"]),
            ("Port", vec!["PortUARTs", "PortURLLoader", "PortI2C"], vec!["uarts", "urlLoader", "I2C"]),
            ("Properties", vec!["PropertyRead", "PropertyWrite"], vec!["read", "write"]),
            ("State", vec!["Idle", "Busy"], vec!["Idle", "Busy"]),
        ] {
            assert_eq!(names(enumeration, &constants), expected, "{enumeration}");
        }
    }

    #[test]
    fn names_of_their_own_and_old_constants_do_not_count() {
        let constant = |name: &str, swift_name: Option<&str>, is_current| Constant {
            name: name.to_owned(),
            swift_name: swift_name.map(str::to_owned),
            is_current,
            value: 0,
        };
        let constants =
            [constant("ModeOn", None, true), constant("Off", Some("asleep"), true), constant("OldMode", None, false)];
        assert_eq!(case_names("Mode", &constants), ["on", "asleep", "OldMode"]);
    }
}

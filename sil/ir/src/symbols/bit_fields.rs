//! The names that Swift's importer gives to accessors of bit-fields (lib/ClangImporter/SwiftDeclSynthesizer.cpp): they
//! are not mangled, but have a mangled type in them.

use super::mentions::{Place, mentioned_types};

/// A function that Swift's importer makes up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitFieldAccessor {
    /// The names of the structures that the bit-field's is nested in, the outermost first, and its own.
    pub record: Vec<String>,
    /// The bit-field.
    pub field: String,
    /// Whether it sets the field; it gets it otherwise.
    pub sets: bool,
}

/// The accessor of the symbol `$So5flagsa$level$setter`. None for other symbols.
pub fn bit_field_accessor(symbol: &str) -> Option<BitFieldAccessor> {
    let (rest, kind) = symbol.strip_prefix('$')?.rsplit_once('$')?;
    let (record, field) = rest.rsplit_once('$')?;
    let sets = match kind {
        "setter" => true,
        "getter" => false,
        _ => return None,
    };
    // The metadata of a type is one of the shortest symbols that mention it.
    let mentioned = mentioned_types(&format!("$s{record}Ma"));
    let is_of_c = |place: &Place| matches!(place, Place::Module(module) if module == "__C");
    let longest = mentioned.into_iter().filter(|ty| is_of_c(&ty.place)).max_by_key(|ty| ty.path.len())?;
    Some(BitFieldAccessor { record: longest.path, field: field.to_owned(), sets })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessors_say_what_they_are_of() {
        let accessor = |record: &[&str], field: &str, sets| BitFieldAccessor {
            record: record.iter().map(|name| (*name).to_owned()).collect(),
            field: field.to_owned(),
            sets,
        };
        assert_eq!(
            bit_field_accessor("$So12pin_config_ta$level$getter"),
            Some(accessor(&["pin_config_t"], "level", false))
        );
        assert_eq!(bit_field_accessor("$So5flagsV$a_1$setter"), Some(accessor(&["flags"], "a_1", true)));
        let nested = "So12pin_config_ta34__Unnamed_union___Anonymous_field2V02__c10_struct___E7_field1V";
        let path = ["pin_config_t", "__Unnamed_union___Anonymous_field2", "__Unnamed_struct___Anonymous_field1"];
        assert_eq!(bit_field_accessor(&format!("${nested}$low$getter")), Some(accessor(&path, "low", false)));
        for other in ["$s4main1fyyF", "$So5flagsV$a$other", "$$$", "memcpy", "$So$$getter"] {
            assert_eq!(bit_field_accessor(other), None, "{other}");
        }
    }
}

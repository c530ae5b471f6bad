//! The reasons of a failed link, as values: symbols that are missing or defined twice, and their inputs. `link` reads
//! the linkers' messages.

use std::fmt;

/// The reasons why a link failed. At least one of the lists is not empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkFailure {
    /// Symbols without a definition.
    pub undefined: Vec<UndefinedSymbol>,
    /// Symbols that more than one input defines.
    pub duplicates: Vec<DuplicateSymbol>,
    /// Other messages of the linker, unchanged.
    pub other: Vec<String>,
}

/// A symbol without a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndefinedSymbol {
    /// Its name, mangled.
    pub symbol: String,
    /// Some of the places that refer to it.
    pub references: Vec<SymbolPlace>,
}

/// A symbol that more than one input defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateSymbol {
    /// Its name, mangled.
    pub symbol: String,
    /// The inputs that define it.
    pub definitions: Vec<SymbolPlace>,
}

/// A place where a symbol is used or defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolPlace {
    /// The input by its name in the request, or a file of the system.
    pub input: String,
    /// The function, mangled, if the linker names it.
    pub function: Option<String>,
}

impl LinkFailure {
    pub(crate) fn is_empty(&self) -> bool {
        self.undefined.is_empty() && self.duplicates.is_empty() && self.other.is_empty()
    }
}

impl fmt::Display for LinkFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        for missing in &self.undefined {
            let users: Vec<String> = missing.references.iter().map(SymbolPlace::to_string).collect();
            let used = if users.is_empty() { String::new() } else { format!(", used in {}", users.join(", ")) };
            lines.push(format!("undefined symbol '{}'{used}", missing.symbol));
        }
        for twice in &self.duplicates {
            let definitions: Vec<&str> = twice.definitions.iter().map(|place| place.input.as_str()).collect();
            lines.push(format!("symbol '{}' is defined twice: in {}", twice.symbol, definitions.join(" and in ")));
        }
        lines.extend(self.other.iter().cloned());
        formatter.write_str(&lines.join("\n"))
    }
}

impl fmt::Display for SymbolPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(formatter, "{} (function '{function}')", self.input),
            None => formatter.write_str(&self.input),
        }
    }
}

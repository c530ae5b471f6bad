//! Evaluates `#if` conditions in declarations for the compiled program.

use sil_ir::model::{LanguageMode, ObjectiveC, Platform, SwiftVersion};

use super::outline::OutlineReader;
use crate::syntax::Parsed;
use crate::syntax::lexer::Token;

/// The facts that conditions query.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// `$Embedded`, `hasFeature(Embedded)`
    pub mode: LanguageMode,
    /// `compiler(>=6.2)`
    pub version: SwiftVersion,
    /// `_pointerBitWidth(_64)`, `os(Linux)`, `arch(x86_64)`
    pub platform: Platform,
    /// `_runtime(_ObjC)`
    pub objective_c: ObjectiveC,
}

impl Configuration {
    /// Returns whether `>=6.2` or `<6.2` holds for the version.
    fn has_version(&self, argument: &str) -> bool {
        let (is_below, wanted) = match argument.strip_prefix('<') {
            Some(wanted) => (true, wanted),
            None => (false, argument.trim_start_matches(">=")),
        };
        let mut numbers = wanted.trim().split('.').map(|number| number.parse().unwrap_or(0));
        let wanted = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        (self.version.numbers() < wanted) == is_below
    }
}

/// Features of Swift that conditions may query and that silc lacks. All other features are taken to be present.
const ABSENT_FEATURES: [&str; 3] = ["Macros", "DebugDescriptionMacro", "EmbeddedExistentials"];

impl<'a> OutlineReader<'a, '_> {
    /// `A && B || !C`
    pub(super) fn condition(&mut self) -> Parsed<bool> {
        let mut holds = self.conjunction()?;
        while self.cursor.at(Token::Pipe) && !self.cursor.at_line_start() {
            self.cursor.bump();
            self.cursor.expect(Token::Pipe)?;
            holds |= self.conjunction()?;
        }
        Ok(holds)
    }

    fn conjunction(&mut self) -> Parsed<bool> {
        let mut holds = self.negation()?;
        while self.cursor.at(Token::Ampersand) && !self.cursor.at_line_start() {
            self.cursor.bump();
            self.cursor.expect(Token::Ampersand)?;
            holds &= self.negation()?;
        }
        Ok(holds)
    }

    fn negation(&mut self) -> Parsed<bool> {
        let mut negated = false;
        while self.cursor.eat(Token::Exclamation) {
            negated = !negated;
        }
        Ok(self.term()? != negated)
    }

    fn term(&mut self) -> Parsed<bool> {
        match self.cursor.peek() {
            Token::LeftParen => {
                // The nesting of conditions is limited by the brackets of one line.
                self.nested(|reader| {
                    reader.cursor.bump();
                    let holds = reader.condition()?;
                    reader.cursor.expect(Token::RightParen)?;
                    Ok(holds)
                })
            }
            Token::Dollar => {
                self.cursor.bump();
                let feature = self.cursor.expect(Token::Identifier)?;
                Ok(self.has_feature(feature))
            }
            Token::Integer => Ok(self.cursor.bump() != "0"),
            _ => {
                let word = self.cursor.expect(Token::Identifier)?;
                if !(self.cursor.at(Token::LeftParen) && self.cursor.is_adjacent()) {
                    return Ok(word == "true");
                }
                let start = self.cursor.span().end;
                self.skip_balanced()?;
                let end = self.cursor.previous_end() - 1;
                let argument = self.cursor.text()[start as usize..end as usize].trim();
                Ok(self.query(word, argument))
            }
        }
    }

    fn query(&self, word: &str, argument: &str) -> bool {
        let platform = self.configuration.platform;
        match word {
            "os" => argument == platform.system.name(),
            "arch" => argument == platform.architecture.name(),
            "_pointerBitWidth" => {
                argument.strip_prefix('_') == Some(platform.pointer_width.bits().to_string().as_str())
            }
            "_endian" => argument == "little",
            "_runtime" => match self.configuration.objective_c {
                ObjectiveC::Present => argument == "_ObjC",
                ObjectiveC::Absent => argument == "_Native",
            },
            "_ptrauth" => argument == "_none",
            "compiler" | "swift" | "_compiler_version" => self.configuration.has_version(argument),
            "canImport" => matches!(argument, "Swift" | "_Concurrency" | "Glibc" | "Builtin" | "SwiftShims"),
            "hasFeature" => self.has_feature(argument),
            "hasAttribute" => true,
            _ => false,
        }
    }

    fn has_feature(&self, feature: &str) -> bool {
        match feature {
            "Embedded" => self.configuration.mode == LanguageMode::Embedded,
            _ => !ABSENT_FEATURES.contains(&feature),
        }
    }
}

//! A text whose lines know the lines of SIL that they came from.

use serde::Serialize;

/// The lines of LLVM IR or assembly, as a page shows them.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// The lines, each ended by a line feed.
    pub text: String,
    /// For each line the line of the SIL text that it came from, from 1; 0 where none is known.
    pub origins: Vec<u32>,
    /// The symbols of functions and the lines where they begin, from 1.
    pub functions: Vec<(String, u32)>,
}

impl Listing {
    /// Adds a line with its origin.
    pub fn push(&mut self, line: &str, origin: u32) {
        self.text.push_str(line);
        self.text.push('\n');
        self.origins.push(origin);
    }

    /// The next line begins the function of this symbol.
    pub fn begin_function(&mut self, symbol: &str) {
        self.functions.push((symbol.to_owned(), self.next_line()));
    }

    /// The lines from `first` on, which were pushed already, came from `origin`.
    pub fn set_origin_from(&mut self, first: u32, origin: u32) {
        for known in self.origins.iter_mut().skip(first as usize - 1) {
            *known = origin;
        }
    }

    /// The number of the next line to be pushed, from 1.
    pub fn next_line(&self) -> u32 {
        self.origins.len() as u32 + 1
    }
}

//! A Swift source file: its tokens, and the lines of locations. A location names a file and a line by
//! `#sourceLocation`, and a column in bytes.

use super::SwiftPlace;
use super::lexer;
use super::token::{Token, TokenKind};

/// The text of a Swift source file.
pub struct SwiftText {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    line_starts: Vec<u32>,
    regions: Vec<Region>,
}

/// Lines from a `#sourceLocation` to the next.
struct Region {
    /// The first line, from 0.
    first: u32,
    /// The name that locations there have; the file's own where there is none.
    file: Option<String>,
    /// The number of the first line in locations, from 1.
    number: u32,
}

/// The longest text that is read: larger files are no sources of people.
const LONGEST: usize = 1 << 28;

impl SwiftText {
    /// Takes the text apart. None for one that is too long.
    pub fn new(text: String) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let tokens = lexer::tokens(&text);
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        let line_starts = std::iter::once(0).chain(ends.map(|at| at as u32 + 1)).collect();
        let mut text = Self { text, tokens, line_starts, regions: Vec::new() };
        text.regions = text.find_regions();
        Some(text)
    }

    /// Where in the text the place stands that locations call `line` and `column` of `file`: none is the file's own
    /// name. Lines that `#sourceLocation` gives the same number are several.
    pub(super) fn offsets(&self, file: Option<&str>, line: u32, column: u32) -> Vec<u32> {
        let ends = self.regions.iter().skip(1).map(|next| next.first).chain([self.line_starts.len() as u32]);
        let in_region = |(region, end): (&Region, u32)| {
            let line = region.first.checked_add(line.checked_sub(region.number)?)?;
            let offset = self.line_starts.get(line as usize)?.checked_add(column.checked_sub(1)?)?;
            (region.file.as_deref() == file && line < end).then_some(offset)
        };
        self.regions.iter().zip(ends).filter_map(in_region).collect()
    }

    /// The same where the file itself has the name that the place has.
    pub(super) fn own_offsets(&self, place: SwiftPlace<'_>) -> Vec<u32> {
        [None, Some(place.file)].map(|name| self.offsets(name, place.line, place.column)).concat()
    }

    /// The number of the token that begins at `offset`.
    pub(super) fn token_at(&self, offset: u32) -> Option<usize> {
        self.tokens.binary_search_by_key(&offset, |token| token.start).ok()
    }

    /// The text of a token.
    pub(super) fn word(&self, token: &Token) -> &str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn find_regions(&self) -> Vec<Region> {
        let own = Region { first: 0, file: None, number: 1 };
        let directives = self.tokens.iter().enumerate();
        let directives = directives.filter(|(_, token)| token.kind == TokenKind::Directive);
        let named = directives.filter(|(_, token)| self.word(token) == "#sourceLocation");
        std::iter::once(own).chain(named.filter_map(|(number, _)| self.region(number))).collect()
    }

    /// The region of `#sourceLocation(file: "x.swift", line: 10)`, or of `#sourceLocation()`.
    fn region(&self, directive: usize) -> Option<Region> {
        let open = self.tokens.get(directive + 1).filter(|token| token.kind == TokenKind::Open)?;
        let parts = self.tokens.get(directive + 2..open.partner? as usize)?;
        let line = self.line_starts.partition_point(|start| *start <= open.start) as u32;
        let find = |kind| parts.iter().find(|token| token.kind == kind);
        let (Some(quote), Some(number)) = (find(TokenKind::OpenQuote), find(TokenKind::Number)) else {
            return Some(Region { first: line, file: None, number: line + 1 });
        };
        let end = self.tokens.get(quote.partner? as usize)?.start;
        let file = self.text.get(quote.end as usize..end as usize)?;
        Some(Region {
            first: line,
            file: Some(file.to_owned()),
            number: self.word(number).replace('_', "").parse().ok()?,
        })
    }
}

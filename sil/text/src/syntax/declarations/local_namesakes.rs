//! Resolves a name of local types of several functions in a function, a table or a global variable. It means the type
//! that the entity's symbols mention or that the function itself declares. In an entity that mentions several of them
//! it stays open. A witness table without symbols belongs to the type of the adjacent tables: the tables of a type are
//! adjacent (lib/SILGen/SILGenType.cpp), and a type conforms to a protocol once.

use sil_ir::context::NominalId;
use sil_ir::declarations::Meaning;
use sil_ir::source::{FileId, Span};
use sil_ir::symbols::{function_around_local, local_types, stands_in};

use super::local_types::has_local_name;
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};

/// Types of one name that functions declare.
pub(super) struct LocalNamesakes<'t> {
    pub(super) name: &'t str,
    pub(super) types: Vec<LocalNamesake>,
}

/// One of several types of one name.
pub(super) struct LocalNamesake {
    nominal: NominalId,
    descriptor: String,
    /// The symbol of the function that declares it.
    function: Option<String>,
}

impl LocalNamesake {
    /// Creates the namesake for the type `nominal`, whose descriptor has the symbol `descriptor`.
    pub(super) fn new(nominal: NominalId, descriptor: &str) -> Self {
        Self { nominal, descriptor: descriptor.to_owned(), function: function_around_local(descriptor) }
    }

    /// Returns whether the function with this symbol, or one around it, declares the type.
    fn is_around(&self, symbol: &str) -> bool {
        self.function.as_deref().is_some_and(|function| stands_in(symbol, function))
    }

    /// Returns whether a symbol in the text of an entity mentions the type.
    fn is_mentioned(&self, entity: &str) -> bool {
        let mentions = |symbol: &str| local_types(symbol).iter().any(|local| local.descriptor == self.descriptor);
        symbols(entity).any(|(_, symbol)| has_local_name(symbol) && mentions(symbol))
    }
}

impl LocalNamesakes<'_> {
    /// Returns the meaning of the name in each of `entities`, which are in order.
    pub(super) fn meanings(&self, text: &str, file: FileId, entities: &[Entity]) -> Vec<(Span, Meaning)> {
        let entities: Vec<Entity> =
            entities.iter().copied().filter(|entity| entity.kind != EntityKind::Declarations).collect();
        let part = |entity: &Entity| {
            let (start, end) = (entity.start, entity.end);
            (Span { file, start, end }, self.meaning(&text[start as usize..end as usize]))
        };
        let mut parts: Vec<(Span, Meaning)> = entities.iter().map(part).collect();
        let tables = entities.iter().enumerate().filter(|(_, entity)| entity.kind == EntityKind::WitnessTable);
        let tables = tables.filter_map(|(place, entity)| {
            let entity_text = &text[entity.start as usize..entity.end as usize];
            let meant = match parts[place].1 {
                Meaning::One(meant) => Some(meant),
                Meaning::Unknown => None,
            };
            let is_open = meant.is_none() && !self.types.iter().any(|namesake| namesake.is_mentioned(entity_text));
            let cursor = Cursor::within(text, file, entity.start, entity.end);
            Table::read(cursor, self.name, place, meant).filter(|_| meant.is_some() || is_open)
        });
        for Table { place, meant, .. } in resolved_by_neighbours(tables.collect()) {
            if let Some(meant) = meant {
                parts[place].1 = Meaning::One(meant);
            }
        }
        parts
    }

    /// Returns the meaning of the name in an entity. It is unknown in a nested function if both functions declare such
    /// a type: the inner type hides the outer one only from its declaration on.
    fn meaning(&self, entity: &str) -> Meaning {
        let own = symbols(entity).next().map_or("", |(_, own)| own);
        let mut meant = self.types.iter().filter(|namesake| namesake.is_around(own) || namesake.is_mentioned(entity));
        match (meant.next(), meant.next()) {
            (Some(one), None) => Meaning::One(one.nominal),
            _ => Meaning::Unknown,
        }
    }
}

/// The witness table of a conformance of one of the types.
struct Table<'t> {
    /// The index among the entities.
    place: usize,
    protocol: &'t str,
    /// The protocols that the protocol inherits from.
    inherited: Vec<&'t str>,
    /// The type, if it is known.
    meant: Option<NominalId>,
}

impl<'t> Table<'t> {
    /// Reads a table, if it is about a type called `name`.
    fn read(mut cursor: Cursor<'t>, name: &str, place: usize, meant: Option<NominalId>) -> Option<Self> {
        let (conforming, protocol) = conformance(&mut cursor)?;
        if conforming != name {
            return None;
        }
        let mut inherited = Vec::new();
        while !cursor.at(Token::End) {
            if cursor.at_line_start() && cursor.eat_word("base_protocol") {
                // `base_protocol P: T: P module m`
                inherited.extend(base_conformance(&mut cursor).map(|(_, protocol)| protocol));
            } else {
                cursor.bump();
            }
        }
        Some(Self { place, protocol, inherited, meant })
    }
}

fn base_conformance<'t>(cursor: &mut Cursor<'t>) -> Option<(&'t str, &'t str)> {
    conforming_type(cursor)?;
    conformance(cursor)
}

/// Reads `… T<A>: P module`. Returns the type, without generic arguments, and the protocol.
fn conformance<'t>(cursor: &mut Cursor<'t>) -> Option<(&'t str, &'t str)> {
    let conforming = conforming_type(cursor)?;
    let start = cursor.span().start;
    while !cursor.at_word("module") {
        if matches!(cursor.peek(), Token::LeftBrace | Token::End) {
            return None;
        }
        cursor.bump();
    }
    Some((conforming, &cursor.text()[start as usize..cursor.previous_end() as usize]))
}

/// Reads up to the colon after a type. Returns its name, without generic arguments.
fn conforming_type<'t>(cursor: &mut Cursor<'t>) -> Option<&'t str> {
    let (mut name, mut start, mut depth) = ("", 0, 0usize);
    let mut previous = Token::Unknown;
    loop {
        let token = cursor.peek();
        match token {
            Token::LeftBrace | Token::End => return None,
            Token::Less => depth += 1,
            Token::Greater => depth = depth.saturating_sub(1),
            Token::Identifier if depth == 0 => {
                if previous != Token::Period {
                    start = cursor.span().start;
                }
                name = &cursor.text()[start as usize..cursor.span().end as usize];
            }
            _ => {}
        }
        cursor.bump();
        if token == Token::Colon && depth == 0 {
            return Some(name);
        }
        previous = token;
    }
}

/// Resolves the tables without symbols; the tables are in order. Such a table belongs to the type of the table directly
/// before or after it that has the conformances the protocol inherits and no other conformance to the protocol. A table
/// without inherited protocols is not resolved: no symbol may mention its type.
fn resolved_by_neighbours(mut tables: Vec<Table<'_>>) -> Vec<Table<'_>> {
    loop {
        let stated = |(index, table): (usize, &Table<'_>)| {
            let is_open = table.meant.is_none() && !table.inherited.is_empty();
            Some((index, only_neighbour(&tables, index).filter(|_| is_open)?))
        };
        let Some((index, meant)) = tables.iter().enumerate().find_map(stated) else { return tables };
        tables[index].meant = Some(meant);
    }
}

fn only_neighbour(tables: &[Table<'_>], index: usize) -> Option<NominalId> {
    let adjacent = |pair: &[Table<'_>]| pair[0].place + 1 == pair[1].place;
    let start = tables[..=index].windows(2).rposition(|pair| !adjacent(pair)).map_or(0, |before| before + 1);
    let run = tables[index..].windows(2).position(|pair| !adjacent(pair)).map_or(tables.len(), |last| index + last + 1);
    let before = tables[start..index].iter().rev().find_map(|table| table.meant);
    let after = tables[index + 1..run].iter().find_map(|table| table.meant);
    let conforms = |ty, protocol| tables.iter().any(|table| table.meant == Some(ty) && table.protocol == protocol);
    let Table { protocol, inherited, .. } = &tables[index];
    let fits =
        |ty: &NominalId| inherited.iter().all(|inherited| conforms(*ty, *inherited)) && !conforms(*ty, *protocol);
    let mut fitting = before.into_iter().chain(after.filter(|after| Some(*after) != before)).filter(fits);
    fitting.next().filter(|_| fitting.next().is_none())
}

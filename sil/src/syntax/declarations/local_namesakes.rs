//! Which of several local types of one name is meant in a function, a table or a global variable: the one that the entity's symbols mention or that
//! the function itself declares. An entity that has to do with several of them does not tell.

use super::local_types::has_local_name;
use crate::context::NominalId;
use crate::declarations::Meaning;
use crate::source::{FileId, Span};
use crate::symbols::{function_around_local, local_types, stands_in};
use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};

/// Types that functions declare with one name.
pub(super) struct LocalNamesakes {
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
    /// The type `nominal`, whose descriptor has the symbol `descriptor`.
    pub(super) fn new(nominal: NominalId, descriptor: &str) -> Self {
        Self { nominal, descriptor: descriptor.to_owned(), function: function_around_local(descriptor) }
    }

    /// Whether the function with this symbol, or one around it, declares the type.
    fn is_around(&self, symbol: &str) -> bool {
        self.function.as_deref().is_some_and(|function| stands_in(symbol, function))
    }

    /// Whether a symbol in the text of an entity mentions the type.
    fn is_mentioned(&self, entity: &str) -> bool {
        let mentions = |symbol: &str| local_types(symbol).iter().any(|local| local.descriptor == self.descriptor);
        symbols(entity).any(|(_, symbol)| has_local_name(symbol) && mentions(symbol))
    }
}

impl LocalNamesakes {
    /// What the name means in each of `entities`, which are in order.
    pub(super) fn meanings(&self, text: &str, file: FileId, entities: &[Entity]) -> Vec<(Span, Meaning)> {
        let entities = entities.iter().filter(|entity| entity.kind != EntityKind::Declarations);
        let part = |entity: &Entity| {
            let (start, end) = (entity.start, entity.end);
            (Span { file, start, end }, self.meaning(&text[start as usize..end as usize]))
        };
        entities.map(part).collect()
    }

    /// What the name means in an entity. One of a function in a function that both declare a type tells nothing: its own type hides the other
    /// only from where it is declared on.
    fn meaning(&self, entity: &str) -> Meaning {
        let own = symbols(entity).next().map_or("", |(_, own)| own);
        let mut meant = self.types.iter().filter(|namesake| namesake.is_around(own) || namesake.is_mentioned(entity));
        match (meant.next(), meant.next()) {
            (Some(one), None) => Meaning::One(one.nominal),
            _ => Meaning::Unknown,
        }
    }
}

//! Pairs the symbols of A and B: by name; private ones by their contents; the rest by other properties. Owns the
//! reasons and their order.

mod contents;
pub mod names;
mod private;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use crate::align::{self, Identities, Relation, Side};
use crate::atoms::Atoms;
use crate::model::{Module, Naming, Symbol, SymbolId};

/// Why two symbols are taken for the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// They have the same name.
    Name,
    /// Their names mean nothing, and they hold the same.
    Content,
    /// Their mangled names differ in the prefix of the mangling only: `$s` of Swift 6.0, `$e` of Embedded Swift 6.2.
    Mangling,
    /// Their demangled names are the same.
    Demangled,
    /// Their bodies are the same.
    Body,
}

impl Reason {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Name => "name",
            Reason::Content => "content",
            Reason::Mangling => "mangling",
            Reason::Demangled => "demangled-name",
            Reason::Body => "body",
        }
    }
}

/// The readable form of a mangled symbol, given without quotes, if there is one.
pub type Demangle<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The symbols of two modules, paired.
pub struct Pairing {
    /// Which is which.
    pub relation: Relation<SymbolId>,
    /// Why, by the symbol of A.
    pub reasons: SecondaryMap<SymbolId, Option<Reason>>,
    /// The identities of A's symbols.
    pub identities_a: Identities,
    /// The identities of B's symbols.
    pub identities_b: Identities,
}

impl Pairing {
    /// Pairs the symbols of two modules. `given` are two that are taken for each other whatever they are called.
    pub fn new(
        a: &Module,
        b: &Module,
        atoms: &Atoms,
        demangle: Demangle<'_>,
        given: Option<(SymbolId, SymbolId)>,
    ) -> Self {
        let mut making = Making { a, b, relation: Relation::default(), reasons: SecondaryMap::new() };
        if let Some((ours, theirs)) = given {
            making.pair(ours, theirs, Reason::Name);
        }
        making.by(Reason::Name, |symbol| (symbol.naming == Naming::Meaningful).then_some((symbol.name, 0)));
        making.by_content(atoms);
        making.by(Reason::Name, |symbol| Some((symbol.name, symbol.kind as u8)));
        let mut keys = names::Keys::default();
        making.by(Reason::Mangling, |symbol| keys.key(names::without_mangling_prefix(atoms.text(symbol.name))));
        let mut keys = names::Keys::default();
        making.by(Reason::Demangled, |symbol| keys.key(demangle(names::unquoted(atoms.text(symbol.name))).as_deref()));
        // Callees may be paired by their bodies: callers get a second round.
        for _ in 0..2 {
            making.by_body();
        }
        let (identities_a, identities_b) = making.identities();
        Self { relation: making.relation, reasons: making.reasons, identities_a, identities_b }
    }
}

struct Making<'a> {
    a: &'a Module,
    b: &'a Module,
    relation: Relation<SymbolId>,
    reasons: SecondaryMap<SymbolId, Option<Reason>>,
}

impl Making<'_> {
    fn pair(&mut self, ours: SymbolId, theirs: SymbolId, reason: Reason) {
        if self.relation.are_free(ours, theirs) {
            self.relation.relate(ours, theirs);
            self.reasons[ours] = Some(reason);
        }
    }

    /// Pairs unpaired symbols of equal keys, if as many have it on both sides, in the order of the text.
    fn by<K: Eq + std::hash::Hash>(&mut self, reason: Reason, mut key: impl FnMut(&Symbol) -> Option<K>) {
        let mut groups: FxHashMap<K, (Vec<SymbolId>, Vec<SymbolId>)> = FxHashMap::default();
        for (id, symbol) in self.a.symbols.iter().filter(|(id, _)| self.relation.in_b(*id).is_none()) {
            if let Some(key) = key(symbol) {
                groups.entry(key).or_default().0.push(id);
            }
        }
        for (id, symbol) in self.b.symbols.iter().filter(|(id, _)| self.relation.in_a(*id).is_none()) {
            if let Some(key) = key(symbol) {
                groups.entry(key).or_default().1.push(id);
            }
        }
        // Each symbol is in one group, so the order of groups does not show.
        for (ours, theirs) in groups.into_values() {
            if ours.len() == theirs.len() {
                ours.into_iter().zip(theirs).for_each(|(ours, theirs)| self.pair(ours, theirs, reason));
            }
        }
    }

    /// Pairs symbols with meaningless names by their contents.
    fn by_content(&mut self, atoms: &Atoms) {
        let candidates = private::candidates(self.a, self.b, atoms);
        let used = private::Uses::new(self.a, self.b, &self.relation);
        let by_name = private::pairs(self.a, self.b, &candidates, &used, private::Preference::Name);
        let by_use = private::pairs(self.a, self.b, &candidates, &used, private::Preference::Use);
        let best = if used.agreement(&by_use) > used.agreement(&by_name) { by_use } else { by_name };
        for (ours, theirs) in best {
            self.pair(ours, theirs, Reason::Content);
        }
    }

    /// Pairs functions whose bodies nothing else on their side has.
    fn by_body(&mut self) {
        let (identities_a, identities_b) = self.identities();
        let is_free_a = |id: SymbolId| self.relation.in_b(id).is_none();
        let is_free_b = |id: SymbolId| self.relation.in_a(id).is_none();
        let ours = body_hashes(self.a, &identities_a, is_free_a);
        let theirs = body_hashes(self.b, &identities_b, is_free_b);
        let mut groups: FxHashMap<u64, (Vec<SymbolId>, Vec<SymbolId>)> = FxHashMap::default();
        ours.iter().for_each(|(hash, id)| groups.entry(*hash).or_default().0.push(*id));
        theirs.iter().for_each(|(hash, id)| groups.entry(*hash).or_default().1.push(*id));
        for (hash, _) in &ours {
            if let Some(([ours], [theirs])) = groups.get(hash).map(|(ours, theirs)| (&ours[..], &theirs[..])) {
                self.pair(*ours, *theirs, Reason::Body);
            }
        }
    }

    /// Paired symbols have the number of A's symbol, the others numbers of their own.
    fn identities(&self) -> (Identities, Identities) {
        let mut ours = Identities::new();
        let mut theirs = Identities::new();
        for id in self.a.symbols.keys() {
            ours[id] = u64::from(id.as_u32());
        }
        let count = self.a.symbols.len() as u64;
        for id in self.b.symbols.keys() {
            theirs[id] = match self.relation.in_a(id) {
                Some(paired) => u64::from(paired.as_u32()),
                None => count + u64::from(id.as_u32()),
            };
        }
        (ours, theirs)
    }
}

/// Bodies of fewer instructions are the same by chance.
const LEAST_BODY: usize = 4;

fn body_hashes(module: &Module, identities: &Identities, is_free: impl Fn(SymbolId) -> bool) -> Vec<(u64, SymbolId)> {
    let free = module.symbols.iter().filter(|(id, _)| is_free(*id));
    let bodies = free.filter_map(|(id, symbol)| Some((id, symbol.body.as_ref()?)));
    bodies
        .filter(|(_, body)| body.instructions.len() >= LEAST_BODY)
        .map(|(id, body)| (align::body_hash(&Side { body, identities }), id))
        .collect()
}

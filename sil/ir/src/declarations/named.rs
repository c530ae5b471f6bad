//! Types that another module declares and of which only the name is at hand: made when a name first needs one.
//!
//! Symbols and uses alone give facts about such a type: symbols its kind and the module that declares it, uses its
//! kind. Its parts and its layout are not known until the module that declares it is read too. Owns neither how names
//! are looked up nor how symbols and uses are read.

use std::sync::RwLock;

use rustc_hash::FxHashMap;

use super::{NominalDeclaration, NominalKind, Origin};
use crate::context::{Name, NominalId};
use crate::source::{FileId, Span};

/// The numbers of these types begin here, so that they can be made while the declarations are only read.
const FIRST_NUMBER: u32 = 1 << 31;

/// The facts of a text about types, by the path of names to each.
pub struct MentionedTypes {
    /// Which declarations symbols mention.
    types: FxHashMap<Box<[Name]>, Vec<Mention>>,
    /// The kind that a type is used as.
    uses: FxHashMap<Box<[Name]>, NominalKind>,
    /// The placeholder for the module of a type that no symbol mentions.
    unknown_module: Name,
}

/// The facts of a symbol about a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The module that declares it.
    pub module: Name,
    /// Its kind.
    pub kind: NominalKind,
}

impl MentionedTypes {
    /// Nothing is mentioned yet; `unknown_module` stands for the module of a type that no symbol mentions.
    pub fn new(unknown_module: Name) -> Self {
        Self { types: FxHashMap::default(), uses: FxHashMap::default(), unknown_module }
    }

    /// Notes that a symbol mentions the type that `path` leads to.
    pub fn add(&mut self, path: Box<[Name]>, mention: Mention) {
        let mentions = self.types.entry(path).or_default();
        if !mentions.contains(&mention) {
            mentions.push(mention);
        }
    }

    /// Notes that the type that `path` leads to is used as one of this kind. The first use counts.
    pub fn add_use(&mut self, path: Box<[Name]>, kind: NominalKind) {
        self.uses.entry(path).or_insert(kind);
    }

    /// The only type that symbols mention and `path` leads to, in `module` where that is known.
    fn find(&self, path: &[Name], module: Option<Name>) -> Option<Mention> {
        let mentions = self.types.get(path)?;
        let mut fitting = mentions.iter().filter(|mention| module.is_none_or(|module| module == mention.module));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(*only),
            _ => None,
        }
    }

    /// Whether symbols mention several types that `path` leads to.
    pub(super) fn is_ambiguous(&self, path: &[Name]) -> bool {
        self.types.get(path).is_some_and(|mentions| mentions.len() > 1)
    }

    /// Whether a symbol mentions a type that `path` leads to.
    pub(super) fn contains(&self, path: &[Name]) -> bool {
        self.types.contains_key(path)
    }
}

/// A type by its enclosing type, its module if that is known, and its name.
type Key = (Option<NominalId>, Option<Name>, Name);

/// The types that are known by name only.
pub(super) struct NamedTypes {
    declarations: boxcar::Vec<NominalDeclaration>,
    numbers: RwLock<FxHashMap<Key, NominalId>>,
    pub(super) mentioned: MentionedTypes,
}

impl NamedTypes {
    pub(super) fn new(mentioned: MentionedTypes) -> Self {
        Self { declarations: boxcar::Vec::new(), numbers: RwLock::default(), mentioned }
    }

    /// The type in `parent` that `path` leads to, in `module` where that is known.
    pub(super) fn declare(&self, parent: Option<NominalId>, path: &[Name], module: Option<Name>) -> Option<NominalId> {
        let name = *path.last()?;
        let mention = self.mentioned.find(path, module);
        let module = mention.map(|mention| mention.module).or(module);
        let key = (parent, module, name);
        // A poisoned lock means that another thread panicked while it only inserted a finished pair.
        if let Some(known) = self.numbers.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&key) {
            return Some(*known);
        }
        let mut numbers = self.numbers.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let number = numbers.entry(key).or_insert_with(|| {
            let stated = mention.map(|mention| mention.kind).filter(|kind| *kind != NominalKind::Unknown);
            let used = || self.mentioned.uses.get(path).copied();
            let kind = stated.or_else(used).unwrap_or(NominalKind::Unknown);
            let module = module.unwrap_or(self.mentioned.unknown_module);
            let nowhere = Span { file: FileId::KNOWN, start: 0, end: 0 };
            let declaration =
                NominalDeclaration { parent, ..NominalDeclaration::new(name, kind, module, Origin::Named, nowhere) };
            NominalId::from_u32(FIRST_NUMBER + self.declarations.push(declaration) as u32)
        });
        Some(*number)
    }

    pub(super) fn get(&self, id: NominalId) -> &NominalDeclaration {
        &self.declarations[(id.as_u32() - FIRST_NUMBER) as usize]
    }

    pub(super) fn get_mut(&mut self, id: NominalId) -> Option<&mut NominalDeclaration> {
        self.declarations.get_mut((id.as_u32() - FIRST_NUMBER) as usize)
    }
}

/// Whether `id` is the number of a type that is known by name only.
pub(super) fn is_named(id: NominalId) -> bool {
    id.as_u32() >= FIRST_NUMBER
}

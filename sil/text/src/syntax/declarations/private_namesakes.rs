//! Private types of one name in several files of a module: determines the file of each type, and the meaning of the
//! name in a declaration, a function, a table or a global variable. SIL does not mark files, but the declarations of a
//! file are adjacent, and the symbols of file-private entities name their file (docs/ABI/Mangling.rst,
//! `private-decl-name`).
//!
//! Nothing is guessed: without evidence the name means none of the types. A type whose file no symbol states gets a
//! generated file name that makes its symbols unique. As the type is private, no other text names it.

use std::cmp::{Ordering, Reverse};

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::context::{Context, Name, NominalId};
use sil_ir::declarations::{Access, Meaning, StatedPlaces};
use sil_ir::source::{FileId, Span};
use sil_ir::symbols::{PrivateName, Symbol};

use super::dispatch::access;
use super::fill::Filler;
use super::other_files::OtherFile;
use super::outline::{Entry, EntryIndex, EntryKind, Outline};
use super::source_files::SourceFiles;
use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};

/// The text of a module, cut into entities.
#[derive(Clone, Copy)]
pub struct ModuleText<'a> {
    /// The name of the module.
    pub(in crate::syntax) name: Name,
    pub(in crate::syntax) text: &'a str,
    /// The same text with comments and string literals.
    pub(in crate::syntax) with_literals: &'a str,
    pub(in crate::syntax) file: FileId,
    pub(in crate::syntax) entities: &'a [Entity],
    /// The known meanings of names of several types.
    pub(in crate::syntax) stated: &'a StatedPlaces,
    /// Other files of the module that were read as texts of their own.
    pub(in crate::syntax) other_files: &'a [OtherFile],
}

/// A top-level type with its declaration.
struct TopLevelType {
    entry: EntryIndex,
    nominal: NominalId,
    name: Name,
    access: Access,
}

/// Types of one name.
struct PrivateNamesakes {
    name: Name,
    /// The types in the order of their declarations, each with the file that sees it, as named in symbols.
    types: Vec<(NominalId, Option<String>)>,
    /// The meanings of the name in the parts of the text, in order.
    parts: Vec<(Span, Meaning)>,
}

/// Larger groups of types of one name are not assigned to files.
const MOST_NAMESAKES: usize = 6;

/// Returns the names that several of `types` share. All are types of the module with this text and outline.
fn private_namesakes(
    context: &Context,
    module: ModuleText<'_>,
    outline: &Outline<'_>,
    types: &[TopLevelType],
) -> Vec<PrivateNamesakes> {
    let mut groups: FxHashMap<Name, Vec<&TopLevelType>> = FxHashMap::default();
    for ty in types {
        groups.entry(ty.name).or_default().push(ty);
    }
    groups.retain(|_, group| group.len() > 1 && group.iter().all(|ty| ty.access <= Access::FilePrivate));
    if groups.is_empty() {
        return Vec::new();
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, group)| group[0].entry);
    let evidence = Evidence::of(module);
    let sources = SourceFiles::of(module, context.text(module.name));
    let (anchors, known) = (Vec::new(), FxHashMap::default());
    let mut files = Files { context, module, outline, evidence, sources, anchors, known };
    files.anchor();
    let groups: Vec<(Name, Vec<Candidate>)> =
        groups.into_iter().map(|(name, group)| (name, files.candidates(context.text(name), &group))).collect();
    files.know(groups.iter().flat_map(|(_, candidates)| candidates));
    groups.into_iter().map(|(name, candidates)| files.namesakes(name, candidates)).collect()
}

impl Filler<'_, '_> {
    /// Records the meanings of names of several types, each of which belongs to a file of the module.
    pub(super) fn distinguish_files(&mut self) {
        let Some(module) = self.module else { return };
        let top_level = |(index, entry): (EntryIndex, &Entry<'_>)| match entry.kind {
            EntryKind::Nominal { name, .. } if entry.container.is_none() && entry.span.file == module.file => {
                let (nominal, access) = (self.nominals[index]?, access(&entry.modifiers));
                Some(TopLevelType { entry: index, nominal, name, access })
            }
            _ => None,
        };
        let types: Vec<TopLevelType> = self.outline.entries.iter().enumerate().filter_map(top_level).collect();
        for PrivateNamesakes { name, types, parts } in private_namesakes(self.context, module, self.outline, &types) {
            for (number, (nominal, file)) in types.into_iter().enumerate() {
                let file = file.unwrap_or_else(|| format!("_{number:032X}"));
                self.table.get_mut(nominal).attributes.private_to = Some(self.context.name(&file));
            }
            self.table.namesakes.add(name, module.file, parts);
        }
    }
}

/// The evidence of symbols on file-private entities.
#[derive(Default)]
struct Evidence {
    /// The files, in the order of their definitions.
    files: Vec<String>,
    /// The files with a private top-level entity of a name.
    named: FxHashMap<String, FxHashSet<String>>,
    /// The members of types, by the type's name and file.
    members: FxHashMap<(String, String), FxHashSet<String>>,
    /// The private names that the symbols of entities called like the key mention.
    mentions: FxHashMap<String, FxHashSet<PrivateName>>,
}

impl Evidence {
    fn of(module: ModuleText<'_>) -> Self {
        let mut evidence = Self::default();
        let mut seen = FxHashSet::default();
        for (_, symbol) in symbols(module.text).filter(|(_, symbol)| seen.insert(*symbol)) {
            let Some(symbol) = Symbol::demangle(symbol) else { continue };
            let private = symbol.private_names();
            for name in &private {
                if !evidence.files.contains(&name.file) {
                    evidence.files.push(name.file.clone());
                }
            }
            for PrivateName { name, file } in symbol.private_top_level_names() {
                evidence.named.entry(name).or_default().insert(file);
            }
            for (PrivateName { name, file }, member) in symbol.members_of_private() {
                evidence.members.entry((name, file)).or_default().insert(member);
            }
            if let Some(outermost) = symbol.outermost_name().filter(|_| !private.is_empty()) {
                evidence.mentions.entry(outermost).or_default().extend(private);
            }
        }
        evidence
    }
}

/// Determines the files of declarations.
struct Files<'t, 'a> {
    context: &'t Context,
    module: ModuleText<'t>,
    outline: &'t Outline<'a>,
    evidence: Evidence,
    sources: SourceFiles,
    /// Declarations with a known file, in order: only one file has a private entity of the name, or debug scopes state
    /// the file of the code.
    anchors: Vec<(EntryIndex, String)>,
    /// The files of declarations, as far as they are known.
    known: FxHashMap<EntryIndex, String>,
}

/// A type of the examined name, and its file.
struct Candidate {
    entry: EntryIndex,
    nominal: NominalId,
    file: Option<String>,
}

/// The quality of an assignment of types to files: first by the members that symbols mention, then by the order of
/// declarations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    members: i64,
    /// The number of changes of the file from one declaration to the next: the declarations of a file are adjacent.
    changes: Reverse<usize>,
}

/// The search for the files of the private types of a name.
struct Choice<'c> {
    name: &'c str,
    /// The declarations of the types.
    entries: Vec<EntryIndex>,
    files: Vec<&'c String>,
    /// The best assignment, as the index of the file of each type, and its quality.
    best: Option<(Fit, Vec<Option<usize>>)>,
    /// Whether another assignment fits equally well.
    is_tied: bool,
}

impl Files<'_, '_> {
    /// Records the declarations whose names alone determine their file.
    fn anchor(&mut self) {
        let only = |(name, entries): (&str, Vec<EntryIndex>)| {
            let files = self.evidence.named.get(name)?;
            match (&entries[..], files.iter().next()) {
                ([entry], Some(file)) if files.len() == 1 => Some((*entry, file.clone())),
                _ => None,
            }
        };
        let mut anchors: Vec<_> = self.private_declarations().into_iter().filter_map(only).collect();
        anchors.extend(self.declarations_with_scopes());
        anchors.sort_unstable();
        anchors.dedup();
        self.anchors = anchors;
    }

    /// Returns the top-level functions and variables with unique names whose file debug scopes state.
    fn declarations_with_scopes(&self) -> Vec<(EntryIndex, String)> {
        let mut named: FxHashMap<&str, Vec<EntryIndex>> = FxHashMap::default();
        for entry in self.top_level() {
            if let Some(name) = self.declared_name(entry) {
                named.entry(name).or_default().push(entry);
            }
        }
        let own = self.context.text(self.module.name);
        let anchor = |(function, file): (&str, &str)| {
            let symbol = Symbol::demangle(function).filter(|symbol| symbol.declaring_module() == Some(own))?;
            let (path, name) = symbol.declared_function().or_else(|| symbol.storage())?;
            let declared = named.get(name.as_str()).filter(|_| path.is_empty())?;
            let [only] = declared[..] else { return None };
            Some((only, file.to_owned()))
        };
        self.sources.functions().filter_map(anchor).collect()
    }

    /// Returns the private top-level declarations by name, in order of declaration.
    fn private_declarations(&self) -> FxHashMap<&str, Vec<EntryIndex>> {
        let mut private: FxHashMap<&str, Vec<EntryIndex>> = FxHashMap::default();
        for entry in self.top_level() {
            let is_private = access(&self.outline.entries[entry].modifiers) <= Access::FilePrivate;
            if let Some(name) = self.declared_name(entry).filter(|_| is_private) {
                private.entry(name).or_default().push(entry);
            }
        }
        private
    }

    /// Records the files of `types` and of other private declarations: files with entities of one name are in the order
    /// of their types.
    fn know<'c>(&mut self, types: impl Iterator<Item = &'c Candidate>) {
        self.known = types.filter_map(|ty| Some((ty.entry, ty.file.clone()?))).collect();
        let mut first: FxHashMap<String, EntryIndex> = FxHashMap::default();
        for (entry, file) in &self.known {
            let known = first.entry(file.clone()).or_insert(*entry);
            *known = (*known).min(*entry);
        }
        let mut found = Vec::new();
        for (name, mut entries) in self.private_declarations() {
            entries.retain(|entry| !self.known.contains_key(entry));
            let Some(named) = self.evidence.named.get(name).filter(|files| files.len() == entries.len()) else {
                continue;
            };
            let mut files: Vec<&String> = named.iter().collect();
            if files.len() > 1 && !files.iter().all(|file| first.contains_key(*file)) {
                continue;
            }
            files.sort_by_key(|file| first.get(*file));
            found.extend(entries.into_iter().zip(files.into_iter().cloned()));
        }
        self.known.extend(found);
    }

    fn namesakes(&self, name: Name, candidates: Vec<Candidate>) -> PrivateNamesakes {
        let top_level: Vec<EntryIndex> = self.top_level().collect();
        let mut parts: Vec<(Span, Meaning)> = top_level
            .iter()
            .map(|entry| (self.outline.entries[*entry].span, self.meaning_in_declaration(*entry, name, &candidates)))
            .collect();
        let places: FxHashMap<&str, Meaning> = top_level
            .iter()
            .zip(&parts)
            .filter_map(|(entry, (_, meaning))| Some((self.declared_name(*entry)?, *meaning)))
            .collect();
        let entities = self.module.entities.iter().filter(|entity| entity.kind != EntityKind::Declarations);
        let in_order = self.meanings_in_order(self.context.text(name), &candidates);
        parts.extend(entities.map(|entity| {
            let span = Span { file: self.module.file, start: entity.start, end: entity.end };
            let meaning = self.meaning_in_entity(*entity, self.context.text(name), &candidates, &places);
            let in_order = in_order.get(&entity.start).filter(|_| meaning == Meaning::Unknown);
            (span, in_order.copied().unwrap_or(meaning))
        }));
        parts.sort_by_key(|(span, _)| span.start);
        let types = candidates.into_iter().map(|candidate| (candidate.nominal, candidate.file)).collect();
        PrivateNamesakes { name, types, parts }
    }

    /// Returns the meanings of the name in witness tables of types of this name, by the start of the table. If each
    /// type has one table of a kind, the tables are in the order of the types.
    fn meanings_in_order(&self, name: &str, candidates: &[Candidate]) -> FxHashMap<u32, Meaning> {
        let mut alike: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for entity in self.module.entities.iter().filter(|entity| entity.kind == EntityKind::WitnessTable) {
            let text = &self.module.text[entity.start as usize..entity.end as usize];
            let head = text.lines().next().unwrap_or_default();
            let conforming = head.split_once(": ").and_then(|(before, _)| before.rsplit(' ').next());
            if conforming.is_some_and(|conforming| conforming.split(['.', '<']).next() == Some(name)) {
                alike.entry(head).or_default().push(entity.start);
            }
        }
        let complete = alike.into_values().filter(|starts| starts.len() == candidates.len());
        let meant = candidates.iter().map(|candidate| Meaning::One(candidate.nominal));
        complete.flat_map(|starts| starts.into_iter().zip(meant.clone())).collect()
    }

    /// Returns the top-level declarations of the module.
    fn top_level(&self) -> impl Iterator<Item = EntryIndex> {
        let is_own =
            |(_, entry): &(EntryIndex, &Entry<'_>)| entry.container.is_none() && entry.span.file == self.module.file;
        self.outline.entries.iter().enumerate().filter(is_own).map(|(index, _)| index)
    }

    /// Returns the types with their files, by the best fit of the members that symbols mention. If several assignments
    /// fit equally well, the files stay unknown.
    fn candidates(&self, name: &str, group: &[&TopLevelType]) -> Vec<Candidate> {
        let is_named = |file: &&String| self.evidence.named.get(name).is_some_and(|files| files.contains(*file));
        let is_open = group.len() <= MOST_NAMESAKES;
        let files: Vec<&String> = self.evidence.files.iter().filter(is_named).filter(|_| is_open).collect();
        let entries = group.iter().map(|ty| ty.entry).collect();
        let mut choice = Choice { name, entries, files, best: None, is_tied: false };
        if !choice.files.is_empty() {
            self.choose(&mut choice, &mut Vec::new(), 0);
        }
        let chosen = choice.best.filter(|_| !choice.is_tied).map(|(_, chosen)| chosen);
        let chosen = chosen.unwrap_or_else(|| vec![None; group.len()]);
        let found = chosen.into_iter().map(|file| file.map(|file| choice.files[file].clone()));
        let candidate = |(ty, file): (&&TopLevelType, _)| Candidate { entry: ty.entry, nominal: ty.nominal, file };
        group.iter().zip(found).map(candidate).collect()
    }

    /// Tries all assignments of the types to the files or to none, and keeps the best one. `members` is the quality of
    /// the `chosen` part by members.
    fn choose(&self, choice: &mut Choice<'_>, chosen: &mut Vec<Option<usize>>, members: i64) {
        let Some(entry) = choice.entries.get(chosen.len()).copied() else {
            let fit = Fit { members, changes: Reverse(self.changes(choice, chosen)) };
            match choice.best.as_ref().map(|(best, _)| fit.cmp(best)) {
                Some(Ordering::Less) => {}
                Some(Ordering::Equal) => choice.is_tied = true,
                Some(Ordering::Greater) | None => {
                    choice.is_tied = false;
                    choice.best = Some((fit, chosen.clone()));
                }
            }
            return;
        };
        let free: Vec<usize> = (0..choice.files.len()).filter(|file| !chosen.contains(&Some(*file))).collect();
        for file in free {
            let fit = self.fit(entry, choice.name, choice.files[file]);
            chosen.push(Some(file));
            self.choose(choice, chosen, members + fit);
            chosen.pop();
        }
        if choice.entries.len() > choice.files.len() {
            chosen.push(None);
            self.choose(choice, chosen, members);
            chosen.pop();
        }
    }

    /// Returns the number of changes of the file between declarations with known files, under the chosen assignment.
    fn changes(&self, choice: &Choice<'_>, chosen: &[Option<usize>]) -> usize {
        let types = choice.entries.iter().zip(chosen);
        let types = types.filter_map(|(entry, file)| Some((*entry, choice.files[(*file)?].as_str())));
        let mut known: Vec<(EntryIndex, &str)> = types.collect();
        known.extend(self.anchors.iter().map(|(entry, file)| (*entry, file.as_str())));
        known.sort_unstable();
        known.windows(2).filter(|pair| pair[0].1 != pair[1].1).count()
    }

    /// Returns how well the declaration `entry` fits the type `name` of `file`.
    fn fit(&self, entry: EntryIndex, name: &str, file: &str) -> i64 {
        let Some(mentioned) = self.evidence.members.get(&(name.to_owned(), file.to_owned())) else { return 1 };
        let declared = self.member_names(entry);
        let shared = mentioned.iter().filter(|member| declared.contains(member.as_str())).count() as i64;
        2 * shared - mentioned.len() as i64 + 1
    }

    fn member_names(&self, container: EntryIndex) -> FxHashSet<&str> {
        let members = self.outline.entries.iter().filter(|entry| entry.container == Some(container));
        members.filter_map(|member| name_of(&member.kind)).map(|name| self.context.text(name)).collect()
    }

    fn declared_name(&self, entry: EntryIndex) -> Option<&str> {
        name_of(&self.outline.entries[entry].kind).map(|name| self.context.text(name))
    }

    /// Returns the meaning of the name in a declaration: the type of the declaration's file, which is that of the
    /// nearest type of the name before or after it.
    fn meaning_in_declaration(&self, entry: EntryIndex, name: Name, candidates: &[Candidate]) -> Meaning {
        let before = candidates.iter().rev().find(|candidate| candidate.entry <= entry);
        let after = candidates.iter().find(|candidate| candidate.entry >= entry);
        let (before, after) = match (before, after) {
            (Some(before), Some(after)) if before.entry != after.entry => (before, after),
            (Some(only), _) | (None, Some(only)) => return Meaning::One(only.nominal),
            (None, None) => return Meaning::Unknown,
        };
        let is_of = |candidate: &Candidate, other: EntryIndex| {
            candidate.file.is_some() && self.known.get(&other) == candidate.file.as_ref()
        };
        if (entry..after.entry).any(|other| is_of(before, other)) {
            return Meaning::One(before.nominal);
        }
        if (before.entry + 1..=entry).any(|other| is_of(after, other)) {
            return Meaning::One(after.nominal);
        }
        let name = self.context.text(name);
        let stated = [before, after].map(|candidate| self.is_mentioned_by(entry, name, candidate));
        match stated {
            [true, false] => Meaning::One(before.nominal),
            [false, true] => Meaning::One(after.nominal),
            _ => Meaning::Unknown,
        }
    }

    /// Returns whether the symbols of the declaration `entry` mention the candidate. An extension must have its
    /// members.
    fn is_mentioned_by(&self, entry: EntryIndex, name: &str, candidate: &Candidate) -> bool {
        let Some(file) = &candidate.file else { return false };
        match &self.outline.entries[entry].kind {
            EntryKind::Extension { path, .. } if self.context.text(path[0].0) == name => {
                let members = self.evidence.members.get(&(name.to_owned(), file.clone()));
                let own = self.member_names(entry);
                members.is_some_and(|members| members.iter().any(|member| own.contains(member.as_str())))
            }
            _ => {
                let private = PrivateName { name: name.to_owned(), file: file.clone() };
                let mentions = self.declared_name(entry).and_then(|own| self.evidence.mentions.get(own));
                mentions.is_some_and(|mentions| mentions.contains(&private))
            }
        }
    }

    /// Returns the only candidate with all members to which `text` refers as members of such a type.
    fn having_members(&self, text: &str, name: &str, candidates: &[Candidate]) -> Option<NominalId> {
        let referred = referred_members(text, name);
        let has_all = |candidate: &&Candidate| self.member_names(candidate.entry).is_superset(&referred);
        let mut fitting = candidates.iter().filter(has_all);
        fitting.next().filter(|_| !referred.is_empty() && fitting.next().is_none()).map(|fitting| fitting.nominal)
    }

    /// Returns the meaning of the name in a function, a table or a variable. The evidence is the one type of the name
    /// that its symbols mention or that has the members it refers to, the file of a private entity in its own symbol,
    /// and the file of its declaration. If these contradict each other, the entity may contain code of several files.
    fn meaning_in_entity(
        &self,
        entity: Entity,
        name: &str,
        candidates: &[Candidate],
        declarations: &FxHashMap<&str, Meaning>,
    ) -> Meaning {
        let text = &self.module.text[entity.start as usize..entity.end as usize];
        if !text.contains(name) {
            return Meaning::Unknown;
        }
        let candidate = |files: &FxHashSet<String>| {
            let mut meant =
                candidates.iter().filter(|candidate| candidate.file.as_ref().is_some_and(|file| files.contains(file)));
            meant.next().filter(|_| meant.next().is_none())
        };
        let mut own = None;
        let mut mentioned = FxHashSet::default();
        for (number, (_, symbol)) in symbols(text).enumerate() {
            let Some(symbol) = Symbol::demangle(symbol) else { continue };
            let private = symbol.private_names();
            mentioned.extend(private.iter().filter(|private| private.name == name).map(|private| private.file.clone()));
            if number == 0 {
                let mut files: FxHashSet<String> = private.into_iter().map(|private| private.file).collect();
                if files.is_empty() {
                    files.extend(self.sources.file_of(self.module, entity).map(str::to_owned));
                }
                own = Some((files, symbol.outermost_name()));
            }
        }
        let Some((files, outermost)) = own else { return Meaning::Unknown };
        let declared = outermost.as_deref().and_then(|outermost| declarations.get(outermost)).copied();
        let own = match candidate(&files) {
            Some(candidate) => Some(Meaning::One(candidate.nominal)),
            None => declared.filter(|declared| *declared != Meaning::Unknown),
        };
        let stated = match mentioned.is_empty() {
            false => candidate(&mentioned).map_or(Meaning::Unknown, |candidate| Meaning::One(candidate.nominal)),
            true => match self.having_members(text, name, candidates) {
                Some(meant) => Meaning::One(meant),
                None => own.unwrap_or(Meaning::Unknown),
            },
        };
        let may_have_code_of_others =
            own.is_some_and(|own| own != stated) || !self.has_members(text, name, stated, candidates);
        if may_have_code_of_others { Meaning::Unknown } else { stated }
    }

    /// Returns whether a type has all members to which `text` refers as members of such a type.
    fn has_members(&self, text: &str, name: &str, meaning: Meaning, candidates: &[Candidate]) -> bool {
        let Meaning::One(nominal) = meaning else { return true };
        let meant = candidates.iter().find(|candidate| candidate.nominal == nominal);
        meant.is_none_or(|meant| self.member_names(meant.entry).is_superset(&referred_members(text, name)))
    }
}

/// Members that are not declared under these names.
const SPECIAL_MEMBERS: [&str; 2] = ["init", "deinit"];

/// Returns the members of types called `name` that `text` refers to: `#Name.member`.
fn referred_members<'t>(text: &'t str, name: &str) -> FxHashSet<&'t str> {
    let prefix = format!("#{name}.");
    let member = |at: usize| {
        let rest = &text[at + prefix.len()..];
        let ends = |c: char| !(c.is_alphanumeric() || c == '_');
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    };
    let members = memmem::find_iter(text.as_bytes(), &prefix).map(member);
    members.filter(|member| !member.is_empty() && !SPECIAL_MEMBERS.contains(member)).collect()
}

/// Returns the name that an entry declares.
fn name_of(kind: &EntryKind<'_>) -> Option<Name> {
    match kind {
        EntryKind::Nominal { name, .. }
        | EntryKind::Alias { name, .. }
        | EntryKind::AssociatedType { name, .. }
        | EntryKind::Property { name, .. }
        | EntryKind::Case { name, .. }
        | EntryKind::Member { name, .. } => Some(*name),
        EntryKind::Extension { .. } => None,
    }
}

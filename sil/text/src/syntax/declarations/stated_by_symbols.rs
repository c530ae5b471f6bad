//! Resolves names of several types by symbols: a symbol next to a type mangles that type, and names the module, the
//! file or the function that declares each type in it (docs/ABI/Mangling.rst). Owns the pairs of places and symbols in
//! functions, global variables, scopes and tables, and in the declarations that symbols belong to.

use std::collections::hash_map::Entry as MapEntry;

use rustc_hash::FxHashMap;
use sil_ir::context::{Context, Name, NominalId};
use sil_ir::declarations::{DeclarationTable, LocalOrigin, MemberDeclarationKind, Origin, Place};
use sil_ir::symbols::{Declarer, Symbol, WrittenNames};

use super::outline::{Entry, EntryIndex, EntryKind, Outline};
use super::private_namesakes::ModuleText;
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::mentions::symbols;
use crate::syntax::names::{plain_name, symbol_name};
use crate::syntax::scan::{Entity, EntityKind};
use crate::syntax::types::skip_type;

/// The names of the types around a declaration, and its own name.
type DeclaredName = (Vec<String>, String);

/// A name of several types.
pub(super) struct OpenName {
    pub(super) name: Name,
    /// The candidates, the likeliest first.
    pub(super) candidates: Vec<NominalId>,
}

/// The evidence of symbols on the places of open names.
pub(super) struct SymbolEvidence<'t> {
    context: &'t Context,
    table: &'t DeclarationTable,
    module: ModuleText<'t>,
    names: &'t [OpenName],
    /// The names that symbols mention, with the index of each name.
    symbols: FxHashMap<&'t str, Vec<(usize, WrittenNames)>>,
    /// The places resolved so far.
    pub(super) stated: FxHashMap<Place, NominalId>,
}

/// The function that the system calls, whose type names only the library's types.
const MAIN: &str = "main";

impl<'t> SymbolEvidence<'t> {
    pub(super) fn new(
        context: &'t Context,
        table: &'t DeclarationTable,
        module: ModuleText<'t>,
        names: &'t [OpenName],
    ) -> Self {
        let mut found: FxHashMap<&str, Vec<(usize, WrittenNames)>> = FxHashMap::default();
        for (_, text) in symbols(module.text) {
            let MapEntry::Vacant(entry) = found.entry(text) else { continue };
            let names = Symbol::demangle(text).map_or_else(Vec::new, |symbol| {
                let declared = symbol.declared_names();
                let is_mentioned = |name: &str| declared.contains(name);
                let numbered = names.iter().map(|open| context.text(open.name)).enumerate();
                let mentioned = numbered.filter(|(_, name)| is_mentioned(name));
                mentioned.map(|(number, name)| (number, symbol.written_names(name))).collect()
            });
            entry.insert(names);
        }
        found.retain(|_, names| !names.is_empty());
        Self { context, table, module, names, symbols: found, stated: FxHashMap::default() }
    }

    /// Returns the types with the name of this index that any symbol mentions.
    pub(super) fn mentioned(&self, number: usize) -> Vec<NominalId> {
        let names = self.symbols.values().flatten().filter(|(mentioned, _)| *mentioned == number);
        let declarers = names.flat_map(|(_, names)| &names.mentioned);
        let mut mentioned: Vec<NominalId> = declarers.filter_map(|declarer| self.nominal(number, declarer)).collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        mentioned
    }

    /// Returns the type with the name of this index that `declarer` declares.
    fn nominal(&self, number: usize, declarer: &Declarer) -> Option<NominalId> {
        let candidates = &self.names[number].candidates;
        let text = |name| self.context.text(name);
        let fits = |candidate: &&NominalId| {
            let declaration = self.table.get(**candidate);
            let local = declaration.attributes.local.map(|local| local.origin);
            match declarer {
                Declarer::Module(module) => local.is_none() && text(declaration.module) == module,
                Declarer::File { file, .. } => {
                    local.is_none() && declaration.attributes.private_to.is_some_and(|known| text(known) == file)
                }
                Declarer::Function(descriptor) => {
                    matches!(local, Some(LocalOrigin::Descriptor(known)) if text(known) == descriptor)
                }
            }
        };
        candidates.iter().find(fits).copied().or_else(|| match declarer {
            // The file of the only such type is determined later, by symbols.
            Declarer::File { module, .. } => {
                let is_own = |candidate: &&NominalId| {
                    let declaration = self.table.get(**candidate);
                    declaration.attributes.local.is_none() && text(declaration.module) == module
                };
                let mut own = candidates.iter().filter(is_own);
                own.next().filter(|_| own.next().is_none()).copied()
            }
            _ => None,
        })
    }

    fn number(&self, text: &str) -> Option<usize> {
        let name = self.context.find_name(plain_name(text))?;
        self.names.iter().position(|open| open.name == name)
    }

    /// Examines all entities except declarations.
    pub(super) fn entities(&mut self) {
        for entity in self.module.entities {
            match entity.kind {
                EntityKind::Declarations | EntityKind::Import | EntityKind::Stage => {}
                EntityKind::VTable | EntityKind::WitnessTable | EntityKind::DefaultWitnessTable => {
                    self.dispatch_table(*entity)
                }
                _ => self.types_beside_symbols(*entity),
            }
        }
    }

    fn cursor(&self, start: u32, end: u32) -> Cursor<'t> {
        Cursor::within(self.module.text, self.module.file, start, end)
    }

    /// `@symbol : $type`
    fn types_beside_symbols(&mut self, entity: Entity) {
        let mut cursor = self.cursor(entity.start, entity.end);
        while !cursor.at(Token::End) {
            if !cursor.at(Token::AtName) {
                cursor.bump();
                continue;
            }
            let symbol = cursor.bump();
            if !(cursor.at(Token::Colon) && matches!(cursor.peek_second(), Token::Dollar)) {
                continue;
            }
            cursor.bump();
            cursor.bump();
            let start = cursor.span().start;
            skip_type(&mut cursor);
            if let Some(symbol) = symbol_name(symbol) {
                let places = self.places(start, cursor.previous_end());
                self.state_type(&symbol, &places);
            }
        }
    }

    fn state_type(&mut self, symbol: &str, places: &WrittenPlaces) {
        if symbol == MAIN {
            let library = Declarer::Module("Swift".to_owned());
            for (number, place) in places.all() {
                self.report_place(number, place, &library);
            }
            return;
        }
        let Some(names) = self.symbols.get(symbol).cloned() else { return };
        for (number, names) in names {
            if let ([only], true) = (&names.mentioned[..], names.is_complete) {
                places
                    .all()
                    .filter(|(of, _)| *of == number)
                    .for_each(|(_, place)| self.report_place(number, place, only));
                continue;
            }
            let Some(parts) = &names.parts else { continue };
            self.report_in_order(number, &places.signature, &parts.signature, Extent::Whole);
            let extent = if parts.has_captures { Extent::Beginning } else { Extent::Whole };
            self.report_in_order(number, &places.parameters, &parts.parameters, extent);
            self.report_in_order(number, &places.results, &parts.results, Extent::Whole);
        }
    }

    /// Resolves the places of a name in order.
    fn report_in_order(&mut self, number: usize, places: &[(usize, Place)], declarers: &[Declarer], extent: Extent) {
        let places = places.iter().filter(|(of, _)| *of == number).map(|(_, place)| *place);
        let places: Vec<Place> = places.collect();
        let fits = match extent {
            Extent::Whole => places.len() == declarers.len(),
            Extent::Beginning => places.len() >= declarers.len(),
        };
        if fits {
            for (place, declarer) in places.into_iter().zip(declarers) {
                self.report_place(number, place, declarer);
            }
        }
    }

    fn report_place(&mut self, number: usize, place: Place, declarer: &Declarer) {
        if let Some(nominal) = self.nominal(number, declarer) {
            self.stated.entry(place).or_insert(nominal);
        }
    }

    /// Returns the places of open names between two bytes, by the parts of a lowered type.
    fn places(&self, start: u32, end: u32) -> WrittenPlaces {
        let mut places = WrittenPlaces::default();
        let mut cursor = self.cursor(start, end);
        let (mut part, mut depth, mut before, mut word) = (Part::Signature, 0, Token::Dollar, None);
        while !cursor.at(Token::End) {
            let token = cursor.peek();
            match token {
                Token::LeftParen => {
                    if depth == 0 && part == Part::Signature && before != Token::AtName {
                        part = Part::Parameters;
                    }
                    depth += 1;
                }
                Token::RightParen => depth -= 1,
                Token::Arrow if depth == 0 => part = Part::Results,
                Token::Identifier => {
                    let text = cursor.peek_text();
                    // A type after the name of its module is counted too, although the module already determines it.
                    let is_outermost = before != Token::Period || word.is_some_and(|word| self.is_module(word));
                    if let Some(number) = self.number(text).filter(|_| is_outermost) {
                        places.of(part).push((number, cursor.span().start));
                    }
                    word = (before != Token::Period).then_some(text);
                }
                _ => {}
            }
            before = token;
            cursor.bump();
        }
        // A type other than a function type is its own result.
        if part == Part::Signature {
            places.results = std::mem::take(&mut places.signature);
        }
        places
    }

    fn is_module(&self, text: &str) -> bool {
        self.context.find_name(text).is_some_and(|name| self.table.is_module(name))
    }

    /// The types in a line of a table belong to the line's symbol; those in the head belong to all symbols.
    fn dispatch_table(&mut self, entity: Entity) {
        let text = self.module.text;
        let (mut start, mut head) = (entity.start as usize, None);
        let mut of_conformance: FxHashMap<usize, Declarer> = FxHashMap::default();
        for line in text[entity.start as usize..entity.end as usize].split_inclusive('\n') {
            let end = start + line.len();
            let places = self.places(start as u32, end as u32);
            let symbol = symbols(line).last().map(|(_, symbol)| symbol);
            if let Some(names) = symbol.and_then(|symbol| self.symbols.get(symbol).cloned()) {
                for (number, names) in names {
                    if let [only] = &names.mentioned[..] {
                        of_conformance.entry(number).or_insert_with(|| only.clone());
                        let here: Vec<Place> = places.of_name(number).collect();
                        here.into_iter().for_each(|place| self.report_place(number, place, only));
                    }
                }
            }
            head.get_or_insert(places);
            start = end;
        }
        for (number, place) in head.iter().flat_map(WrittenPlaces::all) {
            if let Some(declarer) = of_conformance.get(&number) {
                self.report_place(number, place, declarer);
            }
        }
    }

    /// Examines the declarations of the module.
    pub(super) fn declarations(&mut self, outline: &Outline<'_>) {
        let storage = self.storage();
        let functions = self.functions();
        for (index, entry) in outline.entries.iter().enumerate() {
            if entry.owner.origin != Origin::Module || entry.span.file != self.module.file {
                continue;
            }
            let path = || path_of(self.context, outline, index);
            match &entry.kind {
                EntryKind::Property { name, ty: Some(ty), .. } => {
                    let places = self.places(ty.start, ty.end).results;
                    let known = storage.get(&(path(), self.context.text(*name).to_owned()));
                    for (number, declarers) in known.into_iter().flatten() {
                        self.report_in_order(*number, &places, declarers, Extent::Whole);
                    }
                }
                EntryKind::Member { name, kind, syntax } => {
                    let named = match kind {
                        MemberDeclarationKind::Function | MemberDeclarationKind::Initializer => *name,
                        _ => continue,
                    };
                    let Some(known) = functions.get(&(path(), self.context.text(named).to_owned())) else { continue };
                    let [known] = &known[..] else { continue };
                    for (number, names) in known {
                        let Some(parts) = &names.parts else { continue };
                        let piece = |piece: Option<crate::syntax::types::Piece<'_>>| {
                            piece.map_or_else(Vec::new, |piece| self.all_places(piece.start, piece.end))
                        };
                        let (parameters, results) = (piece(syntax.parameters), piece(syntax.result));
                        let of_name = |places: &[(usize, Place)]| places.iter().filter(|(of, _)| of == number).count();
                        let own = of_name(&parameters).min(parts.parameters.len());
                        self.report_in_order(*number, &parameters, &parts.parameters[..own], Extent::Whole);
                        self.report_in_order(*number, &results, &parts.results, Extent::Whole);
                    }
                }
                _ => {}
            }
        }
        self.heads(outline);
        self.extensions(outline);
    }

    /// Resolves extensions to the type that has their members according to symbols.
    fn extensions(&mut self, outline: &Outline<'_>) {
        for (index, entry) in outline.entries.iter().enumerate() {
            let EntryKind::Extension { path, .. } = &entry.kind else { continue };
            let Some((first, span)) = path.first() else { continue };
            let Some(number) = self.names.iter().position(|open| open.name == *first) else { continue };
            if entry.owner.origin != Origin::Module || entry.span.file != self.module.file {
                continue;
            }
            let name = self.context.text(*first);
            let members: Vec<&str> = outline
                .entries
                .iter()
                .filter_map(|member| {
                    let declared = member_name(&member.kind).filter(|_| member.container == Some(index));
                    declared.map(|declared| self.context.text(declared))
                })
                .collect();
            let mut declarers: Vec<Declarer> = self
                .symbols
                .keys()
                .filter_map(|symbol| {
                    let (declarer, member) = Symbol::demangle(symbol)?.member_of(name)?;
                    members.contains(&member.as_str()).then_some(declarer)
                })
                .collect();
            declarers.sort();
            declarers.dedup();
            if let [only] = &declarers[..] {
                self.report_place(number, span.start, only);
            }
        }
    }

    /// Returns the places of open names between two bytes, in order.
    fn all_places(&self, start: u32, end: u32) -> Vec<(usize, Place)> {
        let WrittenPlaces { mut signature, parameters, results } = self.places(start, end);
        signature.extend(parameters);
        signature.extend(results);
        signature
    }

    /// Returns the types mentioned by properties, by the types around them and their names.
    fn storage(&self) -> FxHashMap<DeclaredName, Vec<(usize, Vec<Declarer>)>> {
        let mut storage: FxHashMap<_, Vec<(usize, Vec<Declarer>)>> = FxHashMap::default();
        for (text, names) in &self.symbols {
            let Some(key) = Symbol::demangle(text).filter(|symbol| self.is_own(symbol)).and_then(|s| s.storage())
            else {
                continue;
            };
            let entry = storage.entry(key).or_default();
            for (number, names) in names {
                let Some(parts) = &names.parts else { continue };
                // The first parameter of a setter is the value.
                if !parts.results.is_empty() && entry.iter().all(|(known, _)| known != number) {
                    entry.push((*number, parts.results.clone()));
                }
            }
        }
        storage
    }

    /// Returns the types mentioned by functions, by the types around them and their names, with an element for each
    /// overload.
    fn functions(&self) -> FxHashMap<DeclaredName, Vec<Vec<(usize, WrittenNames)>>> {
        let mut functions: FxHashMap<_, Vec<Vec<(usize, WrittenNames)>>> = FxHashMap::default();
        for (text, names) in &self.symbols {
            let symbol = Symbol::demangle(text).filter(|symbol| self.is_own(symbol));
            if let Some(declared) = symbol.and_then(|symbol| symbol.declared_function()) {
                functions.entry(declared).or_default().push(names.clone());
            }
        }
        functions
    }

    fn is_own(&self, symbol: &Symbol) -> bool {
        symbol.declaring_module() == Some(self.context.text(self.module.name))
    }

    /// Resolves the protocols in heads of declarations by the witness tables.
    fn heads(&mut self, outline: &Outline<'_>) {
        let conformances = self.conformances();
        for (index, entry) in outline.entries.iter().enumerate() {
            let (EntryKind::Nominal { head, .. } | EntryKind::Extension { head, .. }) = &entry.kind else { continue };
            if entry.owner.origin != Origin::Module || entry.span.file != self.module.file {
                continue;
            }
            let path = own_path(self.context, outline, index);
            for piece in &head.inheritance {
                for (number, place) in self.all_places(piece.start, piece.end) {
                    if let Some([only]) = conformances.get(&(path.clone(), number)).map(|found| &found[..]) {
                        self.stated.entry(place).or_insert(*only);
                    }
                }
            }
        }
    }

    /// Returns the protocol of each name that a type conforms to, as far as the heads of witness tables are resolved.
    fn conformances(&self) -> FxHashMap<(Vec<String>, usize), Vec<NominalId>> {
        let mut found: FxHashMap<_, Vec<NominalId>> = FxHashMap::default();
        for entity in self.module.entities.iter().filter(|entity| entity.kind == EntityKind::WitnessTable) {
            let text = &self.module.text[entity.start as usize..entity.end as usize];
            let line = text.lines().next().unwrap_or_default();
            let Some((before, _)) = line.split_once(": ") else { continue };
            let conforming = before.rsplit(' ').next().unwrap_or_default();
            let path: Vec<String> =
                conforming.split('<').next().unwrap_or_default().split('.').map(str::to_owned).collect();
            let places = self.all_places(entity.start + before.len() as u32, entity.start + line.len() as u32);
            for (number, place) in places {
                if let Some(nominal) = self.stated.get(&place) {
                    let known = found.entry((path.clone(), number)).or_default();
                    if !known.contains(nominal) {
                        known.push(*nominal);
                    }
                }
            }
        }
        found
    }
}

/// Returns the name of a member that has symbols.
fn member_name(kind: &EntryKind<'_>) -> Option<Name> {
    match kind {
        EntryKind::Property { name, .. } | EntryKind::Member { name, .. } => Some(*name),
        _ => None,
    }
}

/// The extent of a part that a symbol resolves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Beginning,
}

/// A part of a lowered type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Signature,
    Parameters,
    Results,
}

/// The places of open names in a type, each with the index of its name.
#[derive(Default)]
struct WrittenPlaces {
    signature: Vec<(usize, Place)>,
    parameters: Vec<(usize, Place)>,
    results: Vec<(usize, Place)>,
}

impl WrittenPlaces {
    fn of(&mut self, part: Part) -> &mut Vec<(usize, Place)> {
        match part {
            Part::Signature => &mut self.signature,
            Part::Parameters => &mut self.parameters,
            Part::Results => &mut self.results,
        }
    }

    fn all(&self) -> impl Iterator<Item = (usize, Place)> {
        self.signature.iter().chain(&self.parameters).chain(&self.results).copied()
    }

    fn of_name(&self, number: usize) -> impl Iterator<Item = Place> {
        self.all().filter(move |(of, _)| *of == number).map(|(_, place)| place)
    }
}

/// Returns the names of the types around an entry.
fn path_of(context: &Context, outline: &Outline<'_>, index: EntryIndex) -> Vec<String> {
    outline.entries[index].container.map_or_else(Vec::new, |container| own_path(context, outline, container))
}

/// Returns the names of the types around an entry, and of the type that it declares or extends.
fn own_path(context: &Context, outline: &Outline<'_>, index: EntryIndex) -> Vec<String> {
    let Entry { kind, .. } = &outline.entries[index];
    let mut path = path_of(context, outline, index);
    match kind {
        EntryKind::Nominal { name, .. } => path.push(context.text(*name).to_owned()),
        EntryKind::Extension { path: extended, .. } => {
            path.extend(extended.iter().map(|(name, _)| context.text(*name).to_owned()));
        }
        _ => {}
    }
    path
}

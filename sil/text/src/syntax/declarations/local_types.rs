//! Types that are declared in functions. A dump names them but does not declare them, so that their declarations are
//! reconstructed from its text: their kind from the mangled symbols that contain their name, their members from
//! references to them (`#<abstract function>Mark.none!enumelt`). Symbols state the file of file-private types.
//!
//! Members are in the order of their first mention, unless the functions of the type determine the order
//! (`local_accessors`). The types of stored properties and payloads are [`Type::Unresolved`] until bodies determine
//! them (`local_members`).

use std::collections::hash_map::Entry;

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::context::{Context, Mutability, Name, NominalId, Type, TypeId};
use sil_ir::declarations::*;
use sil_ir::source::{FileId, Span};
use sil_ir::symbols::{MentionedLocalType, Place, local_types, mentioned_types};

use super::local_accessors::{DefinedProperty, defined_properties, function_type};
use super::local_namesakes::{LocalNamesake, LocalNamesakes};
use super::local_origins::make_up_origins;
use super::local_signatures::LocalSignatures;
use super::open_names::open_local_names;
use super::private_namesakes::ModuleText;
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::mentions::{is_projection, kind_of_parent, nominal_kind, symbols, word_uses};
use crate::syntax::names::plain_name;
use crate::syntax::scan::Entity;

/// The prefix of references to members of local types; a [`LocalContext`] follows.
const PREFIX: &str = "#<";

/// The suffix of a private name in symbols.
const PRIVATE_NAME: &str = "LL";

/// The longest text after [`PREFIX`] that is examined, in bytes.
const LONGEST_REFERENCE: usize = 1000;

/// Adds the local types that `text` names and `table` lacks, as declarations of `module`.
///
/// `entities` are the parts of the text; a name has one meaning in each.
pub(in crate::syntax) fn add_local_types(context: &Context, module_text: ModuleText<'_>, table: &mut DeclarationTable) {
    let ModuleText { name: module, text, file, entities, .. } = module_text;
    let (cases, properties, described) = Default::default();
    let signatures = LocalSignatures::new(text, entities);
    let mut gatherer = Gatherer { context, text, file, module, table, signatures, cases, properties, described };
    gatherer.outermost_types(entities);
    gatherer.types_in_symbols();
    gatherer.referred_types();
    open_local_names(context, gatherer.table, module_text);
    let defined = gatherer.defined_properties(entities);
    gatherer.members();
    gatherer.order(&defined);
    gatherer.types_of_tables();
    make_up_origins(context, text, entities, table);
}

struct Gatherer<'t, 'a> {
    context: &'t Context,
    text: &'a str,
    file: FileId,
    module: Name,
    table: &'t mut DeclarationTable,
    signatures: LocalSignatures<'a>,
    /// The indices of cases in their declarations.
    cases: FxHashMap<(NominalId, Name), usize>,
    properties: FxHashSet<(NominalId, Name)>,
    /// The local types that are not nested in types, by the symbols of their descriptors.
    described: FxHashMap<String, NominalId>,
}

impl<'t> Gatherer<'t, '_> {
    /// Declares the types that symbols attribute to functions, except types nested in types. For a name that several
    /// functions declare, records the meaning at each place.
    fn outermost_types(&mut self, entities: &[Entity]) {
        let mut names: Vec<(Name, Vec<String>, Span)> = Vec::new();
        let mut places: FxHashMap<Name, usize> = FxHashMap::default();
        let (mut seen, mut known) = (FxHashSet::default(), FxHashSet::default());
        for (start, symbol) in symbols(self.text) {
            if !has_local_name(symbol) || !seen.insert(symbol) {
                continue;
            }
            for MentionedLocalType { name, descriptor } in local_types(symbol) {
                if known.insert(descriptor.clone()) {
                    let name = self.context.name(&name);
                    let place = *places.entry(name).or_insert(names.len());
                    if place == names.len() {
                        names.push((name, Vec::new(), self.span(start, symbol)));
                    }
                    names[place].1.push(descriptor);
                }
            }
        }
        for (name, descriptors, span) in names {
            self.outermost_type(name, &descriptors, span, entities);
        }
    }

    /// Declares the types called `name` with `descriptors`, of which there is at least one.
    fn outermost_type(&mut self, name: Name, descriptors: &[String], span: Span, entities: &[Entity]) {
        let first = &descriptors[0];
        let kind = kind_of_described(first);
        let Some(nominal) = self.declare(&[self.context.text(name)], kind, LocalContext::Function, span) else {
            return;
        };
        if descriptors.len() > 1 {
            let namesakes = self.declare_each(nominal, descriptors);
            let parts = namesakes.meanings(self.text, self.file, entities);
            self.table.namesakes.add(name, self.file, parts);
            return;
        }
        if let Some(local) = &mut self.table.get_mut(nominal).attributes.local {
            local.origin = LocalOrigin::Descriptor(self.context.name(first));
        }
        self.described.insert(first.clone(), nominal);
    }

    /// Finds the types nested in local types, and the files of file-private types, from symbols
    /// (docs/ABI/Mangling.rst).
    fn types_in_symbols(&mut self) {
        let mut seen = FxHashSet::default();
        for (start, symbol) in symbols(self.text) {
            if !(has_local_name(symbol) || symbol.contains(PRIVATE_NAME)) || !seen.insert(symbol) {
                continue;
            }
            let span = self.span(start, symbol);
            for ty in mentioned_types(symbol) {
                let path: Vec<&str> = ty.path.iter().map(String::as_str).collect();
                match ty.place {
                    Place::Function => {
                        let outermost = ty.outermost.and_then(|outermost| self.described.get(&outermost).copied());
                        if let (Some(outermost), [_, nested @ ..]) = (outermost, &path[..]) {
                            self.declare_nested(outermost, nested, nominal_kind(ty.kind), span);
                        }
                    }
                    Place::Module(module) => {
                        if let Some(file) = ty.private_to {
                            self.hide(&module, &path, &file);
                        }
                    }
                }
            }
        }
    }

    /// Returns the span of `part`, which is at `start` in the text.
    fn span(&self, start: usize, part: &str) -> Span {
        Span { file: self.file, start: start as u32, end: (start + part.len()) as u32 }
    }

    /// Declares the types with `descriptors`, the first of which is declared as `first` already.
    fn declare_each(&mut self, first: NominalId, descriptors: &[String]) -> LocalNamesakes<'t> {
        // The written parameters cannot be attributed to one of the types.
        let declaration = self.table.get_mut(first);
        (declaration.signature, declaration.own_parameters) = (None, 0);
        let like = declaration.clone();
        let mut types = Vec::with_capacity(descriptors.len());
        for (number, descriptor) in descriptors.iter().enumerate() {
            let nominal = if number == 0 { first } else { self.table.add(like.clone()) };
            self.described.insert(descriptor.clone(), nominal);
            let declaration = self.table.get_mut(nominal);
            declaration.kind = kind_of_described(descriptor);
            if let Some(local) = &mut declaration.attributes.local {
                local.origin = LocalOrigin::Descriptor(self.context.name(descriptor));
            }
            types.push(LocalNamesake::new(nominal, descriptor));
        }
        LocalNamesakes { name: self.context.text(like.name), types }
    }

    /// Declares the local type at the end of `path`. Its enclosing types are structs if their kind is unknown.
    fn declare(&mut self, path: &[&str], kind: NominalKind, context: LocalContext, span: Span) -> Option<NominalId> {
        let (outermost, nested) = path.split_first()?;
        let name = self.context.name(outermost);
        let known = match self.stated(name, span) {
            Some(Meaning::One(meant)) => Some(meant),
            Some(Meaning::Unknown) => return None,
            None => self.table.local(name),
        };
        let outermost = match known {
            Some(known) => known,
            None => {
                let kind = if nested.is_empty() { kind } else { NominalKind::Struct };
                let signature = self.signatures.of(self.context, self.table, self.file, outermost);
                let declared = self.declaration(name, kind, context, span);
                self.table.add(NominalDeclaration {
                    signature: signature.map(|(signature, _)| signature),
                    own_parameters: signature.map_or(0, |(_, count)| count),
                    ..declared
                })
            }
        };
        self.table.get(outermost).attributes.local?;
        self.declare_nested(outermost, nested, kind, span)
    }

    /// Declares the type at `path` in the local type `outer`. An empty path means `outer`.
    fn declare_nested(&mut self, outer: NominalId, path: &[&str], kind: NominalKind, span: Span) -> Option<NominalId> {
        let Some((name, nested)) = path.split_first() else { return Some(outer) };
        let name = self.context.name(name);
        let found = match self.table.nested(outer, name) {
            Some(known) => known,
            None => {
                let context = self.table.get(outer).attributes.local?.context;
                let kind = if nested.is_empty() { kind } else { NominalKind::Struct };
                let declared = self.declaration(name, kind, context, span);
                self.table.add(NominalDeclaration { parent: Some(outer), ..declared })
            }
        };
        self.table.get(found).attributes.local?;
        self.declare_nested(found, nested, kind, span)
    }

    /// Creates a local type without generic parameters or other facts.
    fn declaration(&self, name: Name, kind: NominalKind, context: LocalContext, span: Span) -> NominalDeclaration {
        let attributes = NominalAttributes { local: Some(LocalType::new(context)), ..NominalAttributes::default() };
        NominalDeclaration { attributes, ..NominalDeclaration::new(name, kind, self.module, Origin::Module, span) }
    }

    /// Returns the type that the ambiguous name `name` means at `span`, or that its meaning is unknown; `None` if the
    /// name is not ambiguous.
    fn stated(&self, name: Name, span: Span) -> Option<Meaning> {
        match self.table.open_names.meaning(name, span) {
            Some(OpenMeaning::Stated(stated)) => Some(stated),
            Some(OpenMeaning::AnyOf(_)) | None => self.table.namesakes.meaning(name, span),
        }
    }

    /// Records that only `file` sees the type of `module` at `path`. The files of ambiguous names are known already.
    fn hide(&mut self, module: &str, path: &[&str], file: &str) {
        let is_ambiguous = |name: &&str| self.table.namesakes.has(self.context.name(name));
        if path.first().is_some_and(is_ambiguous) {
            return;
        }
        let mut found = None;
        for name in path {
            let name = self.context.name(name);
            found = match found {
                None => self.table.top_level(name),
                Some(outer) => self.table.nested(outer, name),
            };
            if found.is_none() {
                return;
            }
        }
        let is_of_module = |found: &NominalId| self.context.text(self.table.get(*found).module) == module;
        if let Some(found) = found.filter(is_of_module) {
            self.table.get_mut(found).attributes.private_to.get_or_insert(self.context.name(file));
        }
    }

    /// Adds the stored properties that have initial values and accessors, in declaration order. Returns their number
    /// for each type.
    fn defined_properties(&mut self, entities: &[Entity]) -> FxHashMap<NominalId, usize> {
        let mut defined = FxHashMap::default();
        for DefinedProperty { path, name, ty, symbol, start } in defined_properties(self.text, entities) {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let span = Span { file: self.file, start: start as u32, end: (start + symbol.len()) as u32 };
            if let Some(nominal) = self.declare(&path, NominalKind::Struct, LocalContext::Function, span) {
                let name = self.context.name(&name);
                self.add_property(nominal, name, span);
                let ty = ty.and_then(|ty| function_type(self.context, self.table, self.file, &ty));
                let stored = self.table.get_mut(nominal).stored.iter_mut().find(|stored| stored.name == name);
                if let (Some(stored), Some(ty)) = (stored, ty) {
                    stored.ty = ty;
                }
                defined.insert(nominal, self.table.get(nominal).stored.len());
            }
        }
        defined
    }

    /// Marks the types whose mentioned stored properties are all in declaration order.
    fn order(&mut self, defined: &FxHashMap<NominalId, usize>) {
        for (nominal, count) in defined {
            let declaration = self.table.get_mut(*nominal);
            let is_complete = declaration.stored.len() == *count;
            if let Some(local) = declaration.attributes.local.as_mut().filter(|_| is_complete) {
                local.order = MemberOrder::Declared;
            }
        }
    }

    fn members(&mut self) {
        for Reference { at, context, cursor } in references(self.text, self.file) {
            self.member(cursor, context, &self.text[..at]);
        }
    }

    /// Declares the types that references to members name and no symbol does.
    fn referred_types(&mut self) {
        for Reference { at, context, mut cursor } in references(self.text, self.file) {
            let span = cursor.span();
            let Some(path) = path_ahead(&mut cursor) else { continue };
            let [outermost, .., _] = &path[..] else { continue };
            if self.context.find_name(outermost).is_some_and(|name| self.table.local(name).is_some()) {
                continue;
            }
            let kind = match path.len() {
                2 => kind_of_parent(&self.text[..at], &self.text[cursor.previous_end() as usize..]),
                _ => None,
            };
            self.declare(&[outermost], kind.unwrap_or(NominalKind::Struct), context, span);
        }
    }

    /// Declares types that no symbol mentions from the heads of witness tables (`sil_witness_table private C: P module
    /// main`), and from instructions that make a value (`struct $C (%0)`).
    fn types_of_tables(&mut self) {
        if self.table.has_unknown_imports() {
            // The names can be those of other modules.
            return;
        }
        for at in memmem::find_iter(self.text.as_bytes(), "\nsil_witness_table ") {
            let line = self.text[at + 1..].lines().next().unwrap_or_default();
            let parts = line.rsplit_once(" module ").and_then(|(head, _)| head.rsplit_once(": "));
            let Some((conforming, protocol)) = parts else { continue };
            let conforming = conforming.rsplit(' ').next().unwrap_or_default();
            let conforming = conforming.split('<').next().unwrap_or_default();
            let span = Span { file: self.file, start: (at + 1) as u32, end: (at + 1 + line.len()) as u32 };
            self.type_of_table(conforming, NominalKind::Unknown, span);
            self.type_of_table(protocol, NominalKind::Protocol, span);
        }
        let mut seen = FxHashSet::default();
        for (at, name, kind) in word_uses(self.text) {
            if kind != NominalKind::Struct || !seen.insert(name) {
                continue;
            }
            let span = Span { file: self.file, start: at as u32, end: (at + name.len()) as u32 };
            self.type_of_table(name, kind, span);
        }
    }

    fn type_of_table(&mut self, name: &str, kind: NominalKind, span: Span) {
        let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_known =
            |name| self.table.alias(name).is_some() || self.table.iter().any(|(_, known)| known.name == name);
        if !is_word || self.context.find_name(name).is_some_and(is_known) {
            return;
        }
        // A symbol mentions a type of another module.
        let mangled = format!("{}{name}", name.len());
        if memmem::find(self.text.as_bytes(), mangled.as_bytes()).is_none() {
            self.declare(&[name], kind, LocalContext::Function, span);
        }
    }

    /// `Mark.none!enumelt`, `Lazy.first`, `Outer.Inner.value`
    fn member(&mut self, mut cursor: Cursor<'_>, context: LocalContext, before: &str) -> Option<()> {
        let span = cursor.span();
        let path = path_ahead(&mut cursor)?;
        let after = &self.text[cursor.previous_end() as usize..];
        let kind = kind_of_parent(before, after).unwrap_or(NominalKind::Struct);
        let suffix = if cursor.eat(Token::Exclamation) { Some(cursor.bump()) } else { None };
        let (member, outer) = path.split_last()?;
        let outer: Vec<&str> = outer.iter().map(String::as_str).collect();
        let nominal = self.declare(&outer, kind, context, span)?;
        if let Some(local) = &mut self.table.get_mut(nominal).attributes.local {
            local.context = context;
        }
        let member = self.context.name(member);
        match suffix {
            Some("enumelt") => {
                // `enum $Mark, #…Mark.some!enumelt, %1`, `init_enum_data_addr %0, #…Mark.some!enumelt`
                let has_operand = cursor.at(Token::Comma) && cursor.peek_second() == Token::LocalValue;
                let payload = has_operand || is_projection(before);
                self.add_case(nominal, member, payload, span);
            }
            // `class_method %0, #…Tag.hi : (Tag) -> () -> String`
            None if cursor.at(Token::Colon) => {}
            None => self.add_property(nominal, member, span),
            Some(_) => {}
        }
        Some(())
    }

    fn add_case(&mut self, nominal: NominalId, name: Name, has_payload: bool, span: Span) {
        let payload = has_payload.then(|| self.unknown_type(nominal, name));
        let cases = &mut self.table.get_mut(nominal).cases;
        match self.cases.entry((nominal, name)) {
            Entry::Occupied(place) => {
                let known = &mut cases[*place.get()];
                known.payload = known.payload.or(payload);
            }
            Entry::Vacant(place) => {
                place.insert(cases.len());
                cases.push(EnumCase { name, payload, indirect: false, availability: Availability::Available, span });
            }
        }
    }

    /// Returns the placeholder for the type of a member until bodies determine it. It is unique to the member.
    fn unknown_type(&self, nominal: NominalId, member: Name) -> TypeId {
        let text = |name| self.context.text(name);
        let mut path = text(member).to_owned();
        let mut outer = Some(nominal);
        while let Some(nominal) = outer {
            let declaration = self.table.get(nominal);
            path = match declaration.attributes.local.map(|local| local.origin) {
                Some(LocalOrigin::Descriptor(descriptor)) if self.has_namesakes(declaration.name) => {
                    format!("{}.{path}", text(descriptor))
                }
                _ => format!("{}.{path}", text(declaration.name)),
            };
            outer = declaration.parent;
        }
        let identity = self.table.identity(self.context, nominal);
        let arguments = match self.context.get(identity) {
            Type::Nominal(identity) => identity.arguments.clone(),
            _ => Box::default(),
        };
        self.context.ty(Type::Unresolved { name: self.context.name(&path), arguments })
    }

    /// Returns whether several functions declare a type called `name`.
    fn has_namesakes(&self, name: Name) -> bool {
        self.table
            .all_top_level(name)
            .iter()
            .filter(|nominal| self.table.get(**nominal).attributes.local.is_some())
            .count()
            > 1
    }

    fn add_property(&mut self, nominal: NominalId, name: Name, span: Span) {
        let ty = self.unknown_type(nominal, name);
        let stored = &mut self.table.get_mut(nominal).stored;
        if self.properties.insert((nominal, name)) {
            let mutability = Mutability::Var;
            stored.push(StoredProperty {
                name,
                ty,
                mutability,
                ownership: None,
                lifetime: None,
                access: Access::Private,
                initializer: PropertyInitializer::Program,
                differentiation: PropertyDifferentiation::Followed,
                span,
            });
        }
    }
}

/// Returns the kind of the type with the descriptor `symbol`.
fn kind_of_described(symbol: &str) -> NominalKind {
    nominal_kind(mentioned_types(symbol).last().and_then(|described| described.kind))
}

/// A reference to a member of a local type.
struct Reference<'a> {
    /// The offset of the reference.
    at: usize,
    /// The context that declares the type.
    context: LocalContext,
    /// A cursor at the path.
    cursor: Cursor<'a>,
}

/// Returns the references to members of local types in `text`.
fn references(text: &str, file: FileId) -> impl Iterator<Item = Reference<'_>> {
    memmem::find_iter(text.as_bytes(), PREFIX).filter_map(move |at| {
        let line = &text[at + 1..];
        let line = &line[..line.floor_char_boundary(LONGEST_REFERENCE)];
        let line = line.lines().next().unwrap_or_default();
        let (context, reference) = LocalContext::ahead(line)?;
        let start = at + 1 + line.len() - reference.len();
        let cursor = Cursor::within(text, file, start as u32, (start + reference.len()) as u32);
        Some(Reference { at, context, cursor })
    })
}

/// `Mark.none`, `Outer.Inner.value`
fn path_ahead(cursor: &mut Cursor<'_>) -> Option<Vec<String>> {
    let mut path = vec![name_ahead(cursor)?];
    while cursor.at(Token::Period) && cursor.is_adjacent() {
        cursor.bump();
        path.push(name_ahead(cursor)?);
    }
    Some(path)
}

/// Reads the name of a type or a member: `Mark`, `$__lazy_storage_$_x`.
fn name_ahead(cursor: &mut Cursor<'_>) -> Option<String> {
    if cursor.eat(Token::Dollar) {
        return Some(format!("${}", cursor.expect(Token::Identifier).ok()?));
    }
    Some(plain_name(cursor.expect(Token::Identifier).ok()?).to_owned())
}

/// Returns whether a symbol may contain a local name: `L_`, `L0_`, `L1_`…
pub(super) fn has_local_name(symbol: &str) -> bool {
    symbol
        .match_indices('L')
        .any(|(at, _)| symbol[at + 1..].trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with('_'))
}

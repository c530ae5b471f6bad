//! A module from its text, in phases: cut into entities; declarations; the lines of functions, globals, scopes and tables; bodies.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::address_lowering::{address_lowering_of, use_values};
use super::bodies::{Owner, PendingBody, read_bodies};
use super::cursor::Cursor;
use super::declarations::{
    Configuration, CoroutineAccessors, Evolution, ModuleText, Owner as DeclarationOwner, ReferredMembers,
    add_local_types,
};
use super::evolution::evolution_of;
use super::known;
use super::library::is_library;
use super::local_members::local_members;
use super::mentions::mentions;
use super::mode::mode_of;
use super::module_name::name_of;
use super::other_modules::OtherModules;
use super::pointer_width::pointer_width_of;
use super::reader::Reader;
use super::scan::{Entity, EntityKind, entities};
use super::symbols::Symbols;
use super::types::UNKNOWN_TYPE;
use super::version::version_of;
use crate::context::{Context, Name, NominalId, Type};
use crate::declarations::{DeclarationTable, Origin};
use crate::diagnostic::Diagnostic;
use crate::model::{AddressLowering, LanguageMode, Module, MoveOnlyDeinit, Platform, Stage, SwiftVersion};
use crate::source::{FileId, SourceMap, Span};
use crate::types::{ConformanceTable, TypeQueries};

/// What the text of a module cannot say.
#[derive(Clone, Copy, Default)]
pub struct ParseOptions<'a> {
    /// The mode of the module; what the module contains tells where this is none.
    pub mode: Option<LanguageMode>,
    /// What it is where neither tells.
    pub unmarked: UnmarkedModule,
    /// The version of Swift that printed the module; its text tells where this is none.
    pub version: Option<SwiftVersion>,
    /// What the module is read for; 64-bit Linux where this is none. Where the text shows that it was made for pointers of another
    /// width, that counts.
    pub platform: Option<Platform>,
    /// The modules whose declarations imports bring, where there are any.
    pub others: Option<&'a OtherModules>,
    /// The text with the declarations of C headers, as Swift's importer makes them, where there are any.
    pub c_declarations: Option<FileId>,
    /// Whether libraries are linked into it.
    pub linking: Linking,
    /// How values of address-only types are passed; what functions take tells where this is none.
    pub address_lowering: Option<AddressLowering>,
    /// What the module is called; its text tells where this is none.
    pub module_name: Option<&'a str>,
}

/// What a module is that nothing in its text marks as made for Embedded Swift.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnmarkedModule {
    /// Ordinary Swift where the text shows that, else Embedded Swift, of which most can be compiled.
    #[default]
    Guessed,
    /// Ordinary Swift.
    Ordinary,
}

/// What a module is read for, as to libraries.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Linking {
    /// It is all that there is.
    #[default]
    Alone,
    /// Bodies of [`Libraries`](super::Libraries) are read with its declarations, and may name what it does not.
    Libraries,
}

/// A module as far as it could be read, and what was found wrong with its text.
pub struct ParseOutcome {
    /// The module. Where there are errors, parts of it are missing.
    pub module: Module,
    /// What is wrong, in textual order within each phase; at most a hundred.
    pub diagnostics: Vec<Diagnostic>,
}

impl ParseOutcome {
    /// Whether nothing was wrong.
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| !diagnostic.is_error())
    }
}

/// So many errors are reported for one file.
pub(super) const MOST_DIAGNOSTICS: usize = 100;

/// Reads the module in `file`. It never fails: errors are in the outcome, beside what could be read.
pub fn parse(context: Arc<Context>, sources: &SourceMap, file: FileId, options: &ParseOptions<'_>) -> ParseOutcome {
    let effort = if options.linking == Linking::Alone { Effort::Quick } else { Effort::Linking };
    let outcome = read(context.clone(), sources, file, options, effort);
    if outcome.diagnostics.is_empty() {
        return outcome;
    }
    // What was not read could be what a misspelt name means, and a symbol can mention a type that nothing declares.
    read(context, sources, file, options, Effort::Thorough)
}

/// How far a reader goes to find out what names mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// As far as modules without errors need mostly.
    Quick,
    /// Far enough for bodies of libraries.
    Linking,
    /// As far as it can.
    Thorough,
}

fn read(
    context: Arc<Context>,
    sources: &SourceMap,
    file: FileId,
    options: &ParseOptions<'_>,
    effort: Effort,
) -> ParseOutcome {
    let text = sources.file(file).text.as_ref();
    let entities = entities(text);
    let mut module = empty_module(context.clone());
    let mode = options.mode.unwrap_or_else(|| mode_of(text, file, &entities, options.unmarked));
    let version = options.version.unwrap_or_else(|| version_of(text));
    let platform = options.platform.unwrap_or_default();
    let shown = pointer_width_of(text);
    let platform = shown.as_ref().map_or(platform, |shown| platform.with_pointer_width(shown.width));
    let configuration = Configuration { mode, version, platform };
    let beside = Beside {
        sources,
        others: options.others,
        c_declarations: options.c_declarations,
        module_name: options.module_name,
    };
    let mut diagnostics = read_declarations(&context, &beside, file, &entities, &configuration, effort, &mut module);

    let declarations = std::mem::take(&mut module.declarations);
    let mut reader = Reader::new(&context, &declarations, Cursor::new(text, file));
    let mut lines = Lines { module, symbols: Symbols::default(), bodies: Vec::new() };
    for entity in &entities {
        reader.cursor = Cursor::within(text, file, entity.start, entity.end);
        lines.read(&mut reader, entity);
    }
    let Lines { mut module, symbols, bodies } = lines;
    module.mode = configuration.mode;
    module.version = configuration.version;
    module.platform = configuration.platform;
    module.pointer_width_span = shown.map(|shown| shown.span(file));

    diagnostics.append(&mut reader.diagnostics);
    module.isolations = super::isolation::stated_isolations(&context, &module, text);
    module.declarations = declarations;
    if diagnostics.len() < MOST_DIAGNOSTICS {
        let lowering = options.address_lowering;
        let bodies = Bodies { pending: &bodies, text, file, symbols: &symbols, lowering };
        let mut found = bodies.read(&context, &mut module);
        let conformances = ConformanceTable::new(&context, &module.witness_tables);
        let told = local_members(&module, &TypeQueries::of(&module, &conformances));
        if !told.is_empty() {
            for (id, declaration) in told {
                *module.declarations.get_mut(id) = declaration;
            }
            found = bodies.read(&context, &mut module);
        }
        diagnostics.append(&mut found);
    }
    once_per_type(&mut diagnostics);
    diagnostics.truncate(MOST_DIAGNOSTICS);
    ParseOutcome { module, diagnostics }
}

/// All bodies of a module, and what is needed to read them.
struct Bodies<'a> {
    pending: &'a [PendingBody],
    text: &'a str,
    file: FileId,
    symbols: &'a Symbols,
    lowering: Option<AddressLowering>,
}

impl Bodies<'_> {
    /// Gives what is wrong with them.
    fn read(&self, context: &Context, module: &mut Module) -> Vec<Diagnostic> {
        let &Bodies { pending, text, file, symbols, lowering } = self;
        let conformances = ConformanceTable::new(context, &module.witness_tables);
        let queries = |lowering| TypeQueries::new(context, &module.declarations, &conformances, module.mode, lowering);
        let (lowered, opaque) = (queries(AddressLowering::Lowered), queries(AddressLowering::Opaque));
        let told =
            lowering.or_else(|| address_lowering_of(pending, text, file, &module.functions, [&lowered, &opaque]));
        let read = |queries| -> Vec<_> { read_bodies(pending, text, file, queries, symbols).collect() };
        let mut lowering = told.unwrap_or(AddressLowering::Lowered);
        let mut bodies = match lowering {
            AddressLowering::Lowered => read(&lowered),
            AddressLowering::Opaque => read(&opaque),
        };
        let is_untold = told.is_none() && module.stage == Stage::Raw;
        if is_untold && use_values(bodies.iter().map(|(_, read)| &read.body), &lowered) {
            lowering = AddressLowering::Opaque;
            bodies = read(&opaque);
        }
        module.address_lowering = lowering;
        let mut diagnostics = Vec::new();
        for (owner, mut read) in bodies {
            owner.take(read.body, module);
            diagnostics.append(&mut read.diagnostics);
        }
        diagnostics
    }
}

/// That a type is not known is said where it is named first.
fn once_per_type(diagnostics: &mut Vec<Diagnostic>) {
    let mut said = FxHashSet::default();
    diagnostics.retain(|diagnostic| diagnostic.code != UNKNOWN_TYPE || said.insert(diagnostic.message.clone()));
}

fn empty_module(context: Arc<Context>) -> Module {
    Module {
        name: context.name(DEFAULT_NAME),
        context,
        stage: Stage::Raw,
        mode: LanguageMode::Full,
        version: SwiftVersion::default(),
        platform: Platform::default(),
        pointer_width_span: None,
        address_lowering: AddressLowering::Lowered,
        imports: Vec::new(),
        declarations: DeclarationTable::default(),
        declaration_text: Vec::new(),
        functions: Default::default(),
        globals: Default::default(),
        scopes: Default::default(),
        vtables: Vec::new(),
        witness_tables: Vec::new(),
        default_witness_tables: Vec::new(),
        default_override_tables: Vec::new(),
        deinits: Vec::new(),
        properties: Vec::new(),
        differentiability_witnesses: Vec::new(),
        coverage_maps: Vec::new(),
        function_names: Default::default(),
        global_names: Default::default(),
        isolations: Default::default(),
    }
}

/// What is at hand beside the text of a module.
struct Beside<'a> {
    sources: &'a SourceMap,
    others: Option<&'a OtherModules>,
    c_declarations: Option<FileId>,
    module_name: Option<&'a str>,
}

/// The module that all C declarations are in.
const C_MODULE: &str = "__C";

fn read_declarations(
    context: &Context,
    beside: &Beside<'_>,
    file: FileId,
    entities: &[Entity],
    configuration: &Configuration,
    effort: Effort,
    module: &mut Module,
) -> Vec<Diagnostic> {
    let text = beside.sources.file(file).text.as_ref();
    let imports = entities.iter().filter(|entity| entity.kind == EntityKind::Import);
    let imported = imports.map(|entity| imported_module(&text[entity.start as usize..entity.end as usize]));
    let mut imported = known::brought(&imported.collect::<Vec<&str>>());
    let mentioned = beside.others.map_or_else(Vec::new, |others| others.mentioned(text));
    let wanted: Vec<&str> = imported.iter().chain(&mentioned).copied().collect();
    let others = beside.others.map_or_else(Vec::new, |others| others.imported(&wanted));
    let own = beside.module_name.map(str::to_owned).or_else(|| name_of(text, entities));
    let own = own.as_deref().unwrap_or(DEFAULT_NAME);
    let others: Vec<_> = others.into_iter().filter(|other| other.file != file && other.name != own).collect();
    let theirs: Vec<&str> = others.iter().flat_map(|other| other.imports.iter().map(String::as_str)).collect();
    imported.extend(known::brought(&theirs));
    if others.iter().any(|other| other.omits_imports) {
        known::whole_modules().for_each(|module| imported.push(module));
    }
    imported.retain(|name| others.iter().all(|other| other.name != *name));
    // Code of ordinary Swift that libraries lend calls members by what their types are; in Embedded Swift tables tell what is called.
    let is_lent = effort == Effort::Linking && configuration.mode == LanguageMode::Full;
    // Clients of a library that evolves call all that it declares by what the types are.
    let evolution = evolution_of(text, entities);
    let evolves = evolution == Evolution::Enabled;
    let referred = if is_lent || evolves { ReferredMembers::All } else { ReferredMembers::of(text) };
    let extent = match effort {
        Effort::Quick => known::Extent::of(text),
        Effort::Linking | Effort::Thorough => known::Extent::All,
    };
    let c_text = beside.c_declarations.map(|file| (file, beside.sources.file(file).text.as_ref()));
    let declared = others.iter().flat_map(|other| {
        let text = beside.sources.file(other.file).text.as_ref();
        other.declarations.iter().map(|(start, end)| &text[*start as usize..*end as usize])
    });
    let texts: Vec<&str> = std::iter::once(text).chain(c_text.map(|(_, text)| text)).chain(declared).collect();
    let needs = known::Needs { own, texts: &texts, imported: &imported, extent, referred: &referred };
    let table = &mut module.declarations;
    if is_library(text, entities) || others.iter().any(|other| other.omits_imports) {
        table.omits_imports();
    }
    if effort == Effort::Thorough
        || table.has_unknown_imports()
        || !imported.iter().all(|module| known::knows_for(configuration, module))
    {
        table.allow_named_types(mentions(context, text));
    }
    let (mut reader, mut diagnostics) = known::load(context, configuration, &needs, table);
    if let Some((file, text)) = c_text {
        let module = context.name(C_MODULE);
        let (evolution, coroutines) = (Evolution::Disabled, CoroutineAccessors::Declared);
        let owner = DeclarationOwner { module, origin: Origin::Imported, evolution, coroutines };
        diagnostics.extend(reader.all(&mut Cursor::new(text, file), owner).err().map(|error| *error));
        table.add_module(module);
    }
    for other in &others {
        let owner = DeclarationOwner {
            module: context.name(&other.name),
            origin: Origin::Imported,
            evolution: other.evolution,
            coroutines: other.coroutines,
        };
        let text = beside.sources.file(other.file).text.as_ref();
        reader.note_coroutines(text);
        for (start, end) in &other.declarations {
            let mut cursor = Cursor::within(text, other.file, *start, *end);
            diagnostics.extend(reader.all(&mut cursor, owner).err().map(|error| *error));
        }
    }
    let owner = DeclarationOwner {
        module: context.name(own),
        origin: Origin::Module,
        evolution: Evolution::Disabled,
        coroutines: CoroutineAccessors::of(text, evolution),
    };
    reader.note_coroutines(text);
    module.name = owner.module;
    for entity in entities.iter().filter(|entity| entity.kind == EntityKind::Declarations) {
        module.declaration_text.push(Span { file, start: entity.start, end: entity.end });
        let mut cursor = Cursor::within(text, file, entity.start, entity.end);
        if let Err(error) = reader.all(&mut cursor, owner) {
            diagnostics.push(*error);
        }
    }
    table.add_module(owner.module);
    reader.tell_files_apart(ModuleText { text, file, entities });
    diagnostics.extend(reader.finish(table, &referred));
    add_local_types(context, text, file, entities, owner.module, table);
    diagnostics
}

/// The name of a module whose text does not tell it.
const DEFAULT_NAME: &str = "main";

/// `Swift` of `internal import struct Swift.Int`
pub(super) fn imported_module(import: &str) -> &str {
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"];
    let mut words = import.split_whitespace().skip_while(|word| *word != "import").skip(1);
    let path = words.find(|word| !kinds.contains(word)).unwrap_or_default();
    path.split(['.', ';']).next().unwrap_or_default()
}

/// The lines of entities, bodies left out.
struct Lines {
    module: Module,
    symbols: Symbols,
    bodies: Vec<PendingBody>,
}

impl Lines {
    fn read(&mut self, reader: &mut Reader<'_>, entity: &Entity) {
        if reader.diagnostics.len() >= MOST_DIAGNOSTICS {
            return;
        }
        if let Err(error) = self.entity(reader, entity) {
            reader.diagnostics.push(*error);
        } else if !self.has_pending_body(entity) && !reader.cursor.at(super::lexer::Token::End) {
            let error = reader.cursor.expected("the end of the entity");
            reader.diagnostics.push(*error);
        }
    }

    fn has_pending_body(&self, entity: &Entity) -> bool {
        entity.kind == EntityKind::Declarations || self.bodies.last().is_some_and(|body| body.start > entity.start)
    }

    fn entity(&mut self, reader: &mut Reader<'_>, entity: &Entity) -> super::Parsed<()> {
        let module = &mut self.module;
        match entity.kind {
            EntityKind::Stage => module.stage = reader.stage()?,
            EntityKind::Import => module.imports.push(reader.import()?),
            EntityKind::Function => return self.function(reader, entity),
            EntityKind::Global => return self.global(reader, entity),
            EntityKind::Scope => {
                let span = reader.cursor.span();
                let (number, scope) = reader.scope(&self.symbols)?;
                let id = module.scopes.push(scope);
                if self.symbols.scopes.insert(number, id).is_some() {
                    let message = format!("a second sil_scope has the number {number}");
                    return Err(Box::new(Diagnostic::error("duplicate-scope", message, span)));
                }
            }
            EntityKind::VTable => module.vtables.push(reader.vtable()?),
            EntityKind::WitnessTable => module.witness_tables.push(reader.witness_table()?),
            EntityKind::DefaultWitnessTable => module.default_witness_tables.push(reader.default_witness_table()?),
            EntityKind::DefaultOverrideTable => module.default_override_tables.push(reader.default_override_table()?),
            EntityKind::MoveOnlyDeinit => {
                let deinit = reader.moveonly_deinit()?;
                let nominal = destroyed(reader, module, &deinit).unwrap_or(deinit.nominal);
                module.deinits.push(MoveOnlyDeinit { nominal, ..deinit });
            }
            EntityKind::Property => module.properties.push(reader.property()?),
            EntityKind::CoverageMap => module.coverage_maps.push(reader.coverage_map()?),
            EntityKind::DifferentiabilityWitness => {
                let witness = reader.differentiability_witness()?;
                let known = &mut self.symbols.differentiability_witnesses;
                known.entry(witness.configuration.original).or_default().push(witness.configuration.clone());
                module.differentiability_witnesses.push(witness);
            }
            EntityKind::Declarations => {}
        }
        Ok(())
    }

    fn function(&mut self, reader: &mut Reader<'_>, entity: &Entity) -> super::Parsed<()> {
        let header = reader.function_header()?;
        let (name, span) = (header.function.name, header.function.span);
        if let Some(former) = self.module.function_names.get(&name) {
            let former = self.module.functions[*former].span;
            return Err(Box::new(duplicate(reader.context, "function", name, span, former)));
        }
        let ty = header.function.ty;
        let signature = header.function.signature;
        let id = self.module.functions.push(header.function);
        self.module.function_names.insert(name, id);
        self.symbols.functions.insert(name, (id, ty));
        if let Some(start) = header.body {
            self.bodies.push(PendingBody { owner: Owner::Function { id, name, signature }, start, end: entity.end });
        }
        Ok(())
    }

    fn global(&mut self, reader: &mut Reader<'_>, entity: &Entity) -> super::Parsed<()> {
        let header = reader.global_header()?;
        let (name, span, ty) = (header.global.name, header.global.span, header.global.ty);
        if let Some(former) = self.module.global_names.get(&name) {
            let former = self.module.globals[*former].span;
            return Err(Box::new(duplicate(reader.context, "global", name, span, former)));
        }
        let id = self.module.globals.push(header.global);
        self.module.global_names.insert(name, id);
        self.symbols.globals.insert(name, (id, ty));
        if let Some(start) = header.initializer {
            self.bodies.push(PendingBody { owner: Owner::Global(id), start, end: entity.end });
        }
        Ok(())
    }
}

/// The type that the function of `deinit` takes: `sil_moveonlydeinit Handle {` has the name alone, which several nested types may have.
fn destroyed(reader: &Reader<'_>, module: &Module, deinit: &MoveOnlyDeinit) -> Option<NominalId> {
    let Type::Function(function) = reader.context.get(module.functions[module.function_named(deinit.function)?].ty)
    else {
        return None;
    };
    let Type::Nominal(nominal) = reader.context.get(function.parameters.last()?.ty) else { return None };
    let name = |nominal| reader.declarations.get(nominal).name;
    (name(nominal.declaration) == name(deinit.nominal)).then_some(nominal.declaration)
}

fn duplicate(context: &Context, what: &str, name: Name, span: Span, former: Span) -> Diagnostic {
    let message = format!("a second {what} is called '{}'", context.text(name));
    Diagnostic::error("duplicate-symbol", message, span).note("the first one is here", Some(former))
}

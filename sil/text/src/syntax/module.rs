//! Reads a module from its text, in phases: cutting into entities; declarations; the lines of functions, globals,
//! scopes and tables; bodies.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use sil_ir::context::{Context, Name, NominalId, Type};
use sil_ir::declarations::{DeclarationTable, Origin, StatedPlaces};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{
    AddressLowering, FunctionFlag, LanguageMode, Module, MoveOnlyDeinit, ObjectiveC, Platform, Provenance, Stage,
    SwiftVersion,
};
use sil_ir::source::{FileId, SourceMap, Span};
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::address_lowering::{address_lowering_of, use_values};
use super::argument_labels::ArgumentLabels;
use super::bodies::{Owner, PendingBody, read_bodies};
use super::code::Code;
use super::cursor::Cursor;
use super::declarations::{
    Configuration, CoroutineAccessors, Evolution, ModuleText, OtherFile, Owner as DeclarationOwner, ReferredMembers,
    add_local_types,
};
use super::distributed_stubs::stubs_of;
use super::evolution::evolution_of;
use super::known;
use super::library::is_library;
use super::local_members::local_members;
use super::mentions::mentions;
use super::module_declarations::{OtherFiles, discriminator_of_text, other_file, other_files};
use super::module_name::name_of;
use super::open_names::report_places;
use super::other_modules::{OtherModules, mentions_module};
use super::protocol_metatypes::protocol_metatypes_of;
use super::provenance::{Stated, provenance_of, states_mode};
use super::reader::Reader;
use super::scan::{Entity, EntityKind, entities};
use super::symbols::Symbols;
use super::types::UNKNOWN_TYPE;
use crate::swift_source::SwiftSources;

/// The facts that the text of a module does not state.
#[derive(Clone, Copy, Default)]
pub struct ParseOptions<'a> {
    /// The mode of the module; if `None`, its contents determine it.
    pub mode: Option<LanguageMode>,
    /// The mode if nothing determines it.
    pub unmarked: UnmarkedModule,
    /// The version of Swift that printed the module; if `None`, its text determines it.
    pub version: Option<SwiftVersion>,
    /// The target platform; if `None`, 64-bit Linux. If the text shows another pointer width, that takes precedence.
    pub platform: Option<Platform>,
    /// The modules whose declarations imports provide, if any.
    pub others: Option<&'a OtherModules>,
    /// The text with the declarations of C headers in the form of Swift's importer, if any.
    pub c_declarations: Option<FileId>,
    /// Whether libraries are linked into the module.
    pub linking: Linking,
    /// The convention for values of address-only types; if `None`, the arguments of functions determine it.
    pub address_lowering: Option<AddressLowering>,
    /// The name of the module; if `None`, its text determines it.
    pub module_name: Option<&'a str>,
    /// The text with the declarations of the whole module, if the module's own text covers some of its files.
    pub module_declarations: Option<FileId>,
    /// The texts with the declarations of other files of the module, each named after its file with the suffix `.sil`.
    pub file_declarations: &'a [FileId],
    /// The Swift source files that locations name, if available.
    pub swift_sources: Option<&'a SwiftSources>,
    /// Whether a text without imports may be an excerpt of a module with the default imports.
    pub completeness: Completeness,
}

/// Whether a text is the whole module.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Completeness {
    /// It is the whole module.
    #[default]
    Whole,
    /// It may be an excerpt without the module's imports.
    Excerpt,
}

/// The imports of every module from Swift's compiler.
const IMPORTED_BY_ALL: [&str; 3] = ["Builtin", "Swift", "SwiftShims"];

/// The mode of a module whose text does not determine it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnmarkedModule {
    /// Embedded Swift, in which most modules can be compiled.
    #[default]
    Guessed,
    /// Ordinary Swift.
    Ordinary,
}

/// The use of libraries with a module.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Linking {
    /// The module uses no libraries.
    #[default]
    Alone,
    /// Bodies of [`Libraries`](super::Libraries) are read with its declarations, and may name types that it does not
    /// name.
    Libraries,
}

/// The module as far as it could be read, and the diagnostics on its text.
pub struct ParseOutcome {
    /// The module. After errors, parts of it are missing.
    pub module: Module,
    /// The diagnostics, in textual order within each phase; at most a hundred.
    pub diagnostics: Vec<Diagnostic>,
}

impl ParseOutcome {
    /// Returns whether there are no errors.
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| !diagnostic.is_error())
    }
}

/// The greatest number of errors reported for a file.
pub(super) const MOST_DIAGNOSTICS: usize = 100;

/// Reads the module in `file`. Reading never fails: the outcome contains the errors and the parts that could be read.
pub fn parse(context: Arc<Context>, sources: &SourceMap, file: FileId, options: &ParseOptions<'_>) -> ParseOutcome {
    let effort = if options.linking == Linking::Alone { Effort::Quick } else { Effort::Linking };
    let outcome = read(context.clone(), sources, file, options, effort);
    if outcome.is_ok() {
        return outcome;
    }
    // A misspelt name could mean a declaration that was not read, and a symbol can mention a type that nothing
    // declares.
    let outcome = read(context.clone(), sources, file, options, Effort::Thorough);
    let is_stated = options.mode.is_some() || outcome.module.mode == LanguageMode::Full;
    if outcome.is_ok() || is_stated || states_mode(&sources.file(file).text, file) {
        return outcome;
    }
    // Nothing determines Embedded Swift; the module may name declarations that only ordinary Swift has.
    let ordinary = ParseOptions { mode: Some(LanguageMode::Full), ..*options };
    let mut other = read(context, sources, file, &ordinary, Effort::Thorough);
    other.module.provenance.mode = LanguageMode::Full;
    if other.is_ok() { other } else { outcome }
}

/// The effort to resolve names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// The effort that suffices for most modules without errors.
    Quick,
    /// The effort for bodies of libraries.
    Linking,
    /// The full effort.
    Thorough,
}

/// Reads the module repeatedly until the names of several types are resolved.
fn read(
    context: Arc<Context>,
    sources: &SourceMap,
    file: FileId,
    options: &ParseOptions<'_>,
    effort: Effort,
) -> ParseOutcome {
    let mut stated = StatedPlaces::default();
    loop {
        let outcome = read_with(context.clone(), sources, file, options, effort, &stated);
        if stated.is_closed || outcome.module.declarations.open_names.is_empty() {
            return outcome;
        }
        stated = report_places(&outcome.module, options.swift_sources);
    }
}

/// Reads the module with the known meanings of names of several types.
fn read_with(
    context: Arc<Context>,
    sources: &SourceMap,
    file: FileId,
    options: &ParseOptions<'_>,
    effort: Effort,
    stated: &StatedPlaces,
) -> ParseOutcome {
    let text = sources.file(file).text.as_ref();
    let code = Code::of(text);
    let entities = entities(&code);
    let mut module = empty_module(context.clone());
    let Stated { provenance, mode: stated_mode, width: shown } = provenance_of(text, file, &code, &entities);
    let unmarked = match options.unmarked {
        UnmarkedModule::Guessed => provenance.mode,
        UnmarkedModule::Ordinary => LanguageMode::Full,
    };
    let mode = options.mode.or(stated_mode).unwrap_or(unmarked);
    let version = options.version.unwrap_or(provenance.version);
    let platform = options.platform.unwrap_or_default();
    let platform = provenance.pointer_width.map_or(platform, |width| platform.with_pointer_width(width));
    let configuration = Configuration { mode, version, platform, objective_c: provenance.objective_c };
    let beside = Beside {
        sources,
        others: options.others,
        c_declarations: options.c_declarations,
        module_name: options.module_name,
        module_declarations: options.module_declarations,
        file_declarations: options.file_declarations,
        completeness: options.completeness,
        stated,
    };
    let parts = Parts { file, code: &code, entities: &entities };
    let mut diagnostics = read_declarations(&context, &beside, &parts, &configuration, effort, &mut module);

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
    module.provenance = provenance;
    module.pointer_width_span = shown.map(|shown| shown.span(file));

    diagnostics.append(&mut reader.diagnostics);
    module.isolations = super::isolation::stated_isolations(&context, &module, text);
    module.declarations = declarations;
    module.placements = super::placements::declared_placements(&module);
    if diagnostics.len() < MOST_DIAGNOSTICS {
        let lowering = options.address_lowering;
        let swift_sources = options.swift_sources;
        let bodies = Bodies { pending: &bodies, text, file, symbols: &symbols, lowering, swift_sources };
        let mut found = bodies.read(&context, &mut module);
        let conformances = ConformanceTable::new(&context, &module.witness_tables);
        let stated = local_members(&module, &TypeQueries::of(&module, &conformances));
        if !stated.is_empty() {
            for (id, declaration) in stated {
                *module.declarations.get_mut(id) = declaration;
            }
            found = bodies.read(&context, &mut module);
        }
        diagnostics.append(&mut found);
    }
    once_per_type(&mut diagnostics);
    if module.imports.iter().all(|import| context.text(import.module) == "Builtin") {
        say_what_is_not_imported(&mut diagnostics);
    }
    if let Some(end) = code.open_comment() {
        diagnostics.retain(|diagnostic| diagnostic.span.is_none_or(|span| span.start < end));
    }
    diagnostics.extend(code.oddities(file));
    diagnostics.truncate(MOST_DIAGNOSTICS);
    ParseOutcome { module, diagnostics }
}

/// All bodies of a module, and the inputs for reading them.
struct Bodies<'a> {
    pending: &'a [PendingBody],
    text: &'a str,
    file: FileId,
    symbols: &'a Symbols,
    lowering: Option<AddressLowering>,
    swift_sources: Option<&'a SwiftSources>,
}

impl Bodies<'_> {
    /// Reads the bodies and returns the diagnostics.
    fn read(&self, context: &Context, module: &mut Module) -> Vec<Diagnostic> {
        let &Bodies { pending, text, file, symbols, lowering, swift_sources } = self;
        let conformances = ConformanceTable::new(context, &module.witness_tables);
        let queries = |lowering| TypeQueries::new(context, &module.declarations, &conformances, module.mode, lowering);
        let (lowered, opaque) = (queries(AddressLowering::Lowered), queries(AddressLowering::Opaque));
        let stated =
            lowering.or_else(|| address_lowering_of(pending, text, file, &module.functions, [&lowered, &opaque]));
        let scopes = &module.scopes;
        let read = |queries| -> Vec<_> {
            let labels = ArgumentLabels::new(queries, scopes, swift_sources);
            read_bodies(pending, text, file, queries, symbols, &labels).collect()
        };
        let mut lowering = stated.unwrap_or(AddressLowering::Lowered);
        let mut bodies = match lowering {
            AddressLowering::Lowered => read(&lowered),
            AddressLowering::Opaque => read(&opaque),
        };
        let is_unstated = stated.is_none() && module.stage == Stage::Raw;
        if is_unstated && use_values(bodies.iter().map(|(_, read)| &read.body), &lowered) {
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

/// Keeps one error per unknown type, at its first mention.
fn once_per_type(diagnostics: &mut Vec<Diagnostic>) {
    let mut said = FxHashSet::default();
    diagnostics.retain(|diagnostic| diagnostic.code != UNKNOWN_TYPE || said.insert(diagnostic.message.clone()));
}

/// Merges all errors about types of the standard library into one error, if the library is not imported.
fn say_what_is_not_imported(diagnostics: &mut Vec<Diagnostic>) {
    let name = |diagnostic: &Diagnostic| {
        let name = diagnostic.message.split('\'').nth(1).filter(|_| diagnostic.code == UNKNOWN_TYPE)?;
        known::swift_declares(name).then(|| name.to_owned())
    };
    let names: Vec<String> = diagnostics.iter().filter_map(name).collect();
    let Some((first, others)) = names.split_first() else { return };
    let others = match others.len() {
        0 => String::new(),
        1 => " and another type".to_owned(),
        count => format!(" and {count} other types"),
    };
    let message = format!("cannot find type '{first}'{others} in scope: the text has no `import Swift`");
    let mut said = false;
    diagnostics.retain_mut(|diagnostic| {
        if name(diagnostic).is_none() {
            return true;
        }
        diagnostic.message.clone_from(&message);
        !std::mem::replace(&mut said, true)
    });
    // Errors in the text after a missing type are consequences of it.
    if let Some(missing) = diagnostics.iter_mut().find(|diagnostic| diagnostic.message == message) {
        missing.hint =
            Some("write `import Builtin`, `import Swift` and `import SwiftShims` below `sil_stage`".to_owned());
    }
}

fn empty_module(context: Arc<Context>) -> Module {
    Module {
        name: context.name(DEFAULT_NAME),
        context,
        stage: Stage::Raw,
        mode: LanguageMode::Full,
        version: SwiftVersion::default(),
        platform: Platform::default(),
        provenance: Provenance {
            mode: LanguageMode::Full,
            version: SwiftVersion::default(),
            pointer_width: None,
            objective_c: ObjectiveC::Absent,
        },
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
        placements: Default::default(),
    }
}

/// The inputs beside the text of a module.
struct Beside<'a> {
    sources: &'a SourceMap,
    others: Option<&'a OtherModules>,
    c_declarations: Option<FileId>,
    module_name: Option<&'a str>,
    module_declarations: Option<FileId>,
    file_declarations: &'a [FileId],
    completeness: Completeness,
    /// The known meanings of names of several types.
    stated: &'a StatedPlaces,
}

/// A text and its entities.
struct Parts<'a> {
    file: FileId,
    code: &'a Code,
    entities: &'a [Entity],
}

/// The module of all C declarations.
const C_MODULE: &str = "__C";

fn read_declarations(
    context: &Context,
    beside: &Beside<'_>,
    parts: &Parts<'_>,
    configuration: &Configuration,
    effort: Effort,
    module: &mut Module,
) -> Vec<Diagnostic> {
    let &Parts { file, code, entities } = parts;
    module.declarations.protocol_metatypes = protocol_metatypes_of(code);
    let text = beside.sources.file(file).text.as_ref();
    let code = code.as_str();
    let imports = entities.iter().filter(|entity| entity.kind == EntityKind::Import);
    let mut diagnostics_of_files = None;
    let of_whole = beside.module_declarations.and_then(|whole| {
        let read = other_files(context, configuration, (file, text), entities, whole, beside.sources);
        read.map_err(|error| diagnostics_of_files = Some(*error)).ok()
    });
    let of_files = beside.file_declarations.iter().map(|file| other_file(*file, beside.sources));
    let other_files: Vec<OtherFiles<'_>> = of_whole.into_iter().chain(of_files).collect();
    let of_files = other_files.iter().flat_map(|files| files.imports.iter().copied());
    let imported = imports.map(|entity| imported_module(&code[entity.start as usize..entity.end as usize]));
    let mut imported: Vec<&str> = imported.collect();
    if imported.is_empty() && beside.completeness == Completeness::Excerpt {
        imported.extend(IMPORTED_BY_ALL);
    }
    imported.extend(of_files);
    let mut imported = known::brought(&imported);
    let mentioned = beside.others.map_or_else(Vec::new, |others| others.mentioned(code));
    let wanted: Vec<&str> = imported.iter().chain(&mentioned).copied().collect();
    let others = beside.others.map_or_else(Vec::new, |others| others.imported(&wanted));
    let own = beside.module_name.map(str::to_owned).or_else(|| name_of(code, entities, configuration.mode));
    let own = own.as_deref().unwrap_or(DEFAULT_NAME);
    let others: Vec<_> = others.into_iter().filter(|other| other.file != file && other.name != own).collect();
    let theirs: Vec<&str> = others.iter().flat_map(|other| other.imports.iter().map(String::as_str)).collect();
    imported.extend(known::brought(&theirs));
    if others.iter().any(|other| other.omits_imports) {
        known::whole_modules().for_each(|module| imported.push(module));
        let codes: Vec<&str> = others.iter().map(|other| other.code.as_str()).chain([code]).collect();
        let is_mentioned = |module: &&str| codes.iter().any(|code| mentions_module(code, module));
        known::partial_modules().filter(is_mentioned).for_each(|module| imported.push(module));
    }
    imported.retain(|name| others.iter().all(|other| other.name != *name));
    // Ordinary Swift code from libraries calls members by their types; in Embedded Swift the tables list the called
    // members.
    let is_lent = effort == Effort::Linking && configuration.mode == LanguageMode::Full;
    // Clients of a module with library evolution call all its declarations by their types.
    let evolution = evolution_of(code, entities);
    let evolves = evolution == Evolution::Enabled;
    let referred = if is_lent || evolves { ReferredMembers::All } else { ReferredMembers::of(code) };
    let extent = match effort {
        Effort::Quick => known::Extent::of(text),
        Effort::Linking | Effort::Thorough => known::Extent::All,
    };
    let c_text = beside.c_declarations.map(|file| (file, beside.sources.file(file).text.as_ref()));
    let declared = others.iter().flat_map(|other| {
        let text = beside.sources.file(other.file).text.as_ref();
        other.declarations.iter().map(|(start, end)| &text[*start as usize..*end as usize])
    });
    let of_files = other_files
        .iter()
        .flat_map(|files| files.declarations.iter().map(|(start, end)| &files.text[*start as usize..*end as usize]));
    let texts = std::iter::once(text).chain(c_text.map(|(_, text)| text)).chain(declared).chain(of_files);
    let texts: Vec<&str> = texts.collect();
    let needs = known::Needs { own, texts: &texts, imported: &imported, extent, referred: &referred };
    let table = &mut module.declarations;
    if is_library(code, entities) || others.iter().any(|other| other.omits_imports) {
        table.omits_imports();
    }
    if effort == Effort::Thorough
        || table.has_unknown_imports()
        || !imported.iter().all(|module| known::knows_for(configuration, module))
    {
        table.allow_named_types(mentions(context, code));
    }
    let stubs = stubs_of(code, file, entities);
    let (mut reader, mut diagnostics) = known::load(context, configuration, &needs, table);
    if let Some((file, text)) = c_text {
        let module = context.name(C_MODULE);
        let (evolution, coroutines) = (Evolution::Disabled, CoroutineAccessors::Declared);
        let owner = DeclarationOwner { module, origin: Origin::Imported, evolution, coroutines };
        diagnostics.extend(reader.all(&mut Cursor::new(text, file), owner).err().map(|error| *error));
        table.add_module(module);
        table.set_c_module(module);
    }
    for other in &others {
        let owner = DeclarationOwner {
            module: context.name(&other.name),
            origin: Origin::Imported,
            evolution: other.evolution,
            coroutines: other.coroutines,
        };
        let text = beside.sources.file(other.file).text.as_ref();
        reader.note_coroutines(other.code.as_str());
        for (start, end) in &other.declarations {
            let mut cursor = Cursor::within(text, other.file, *start, *end);
            diagnostics.extend(reader.all(&mut cursor, owner).err().map(|error| *error));
        }
    }
    let owner = DeclarationOwner {
        module: context.name(own),
        origin: Origin::Module,
        evolution: Evolution::Disabled,
        coroutines: CoroutineAccessors::of(code, evolution),
    };
    diagnostics.extend(diagnostics_of_files);
    for files in &other_files {
        // Other jobs generate the code of their declarations.
        let owner = DeclarationOwner { origin: Origin::Imported, ..owner };
        for (start, end) in &files.declarations {
            let mut cursor = Cursor::within(files.text, files.file, *start, *end);
            diagnostics.extend(reader.all(&mut cursor, owner).err().map(|error| *error));
        }
    }
    reader.note_coroutines(code);
    module.name = owner.module;
    for entity in entities.iter().filter(|entity| entity.kind == EntityKind::Declarations) {
        module.declaration_text.push(Span { file, start: entity.start, end: entity.end });
        let mut cursor = Cursor::within(text, file, entity.start, entity.end);
        if let Err(error) = reader.all(&mut cursor, owner) {
            diagnostics.push(*error);
        }
    }
    // Errors in declarations that the text does not have would have no place.
    reader.all(&mut Cursor::new(&stubs, FileId::KNOWN), owner).ok();
    table.add_module(owner.module);
    table.set_own_module(owner.module);
    if !other_files.is_empty() {
        table.add_other_files();
    }
    let apart = beside.file_declarations.iter().map(|text| OtherFile {
        text: *text,
        discriminator: context.name(&discriminator_of_text(own, *text, beside.sources)),
    });
    let apart: Vec<OtherFile> = apart.collect();
    let module_text = ModuleText {
        name: owner.module,
        text: code,
        with_literals: text,
        file,
        entities,
        stated: beside.stated,
        other_files: &apart,
    };
    reader.distinguish_files(module_text);
    // Imports of the standard library name its types. A module of that name that declares a part of them makes no use
    // of the others.
    let is_of_module = |diagnostic: &Diagnostic| diagnostic.span.is_none_or(|span| span.file != FileId::KNOWN);
    diagnostics.extend(reader.finish(table, &referred).into_iter().filter(is_of_module));
    add_local_types(context, module_text, table);
    diagnostics
}

/// The name of a module whose text does not determine it.
const DEFAULT_NAME: &str = "main";

/// Returns `Swift` for `internal import struct Swift.Int`.
pub(super) fn imported_module(import: &str) -> &str {
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"];
    let mut words = import.split_whitespace().skip_while(|word| *word != "import").skip(1);
    let path = words.find(|word| !kinds.contains(word)).unwrap_or_default();
    path.split(['.', ';']).next().unwrap_or_default()
}

/// The lines of entities, without bodies.
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
        if header.function.has(FunctionFlag::ReabstractionThunk) {
            self.symbols.reabstraction_thunks.insert(name);
        }
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

/// Returns the type that the function of `deinit` takes. `sil_moveonlydeinit Handle {` has only the name, which nested
/// types may share.
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

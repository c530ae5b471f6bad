//! Linking of libraries as SIL: a function that a module only declares gets its body from other text. Owns the reading
//! of the requested entities; the rest of a library is not read. Does not own: the places of entities (the library's
//! index), the choice of needed entities (passes).
//!
//! The entities are read with the declarations of the module that they are linked into. The library's own declarations
//! are not read.

use rustc_hash::FxHashSet;
use sil_ir::context::{Name, NominalId, TypeId};
use sil_ir::declarations::{DeclarationTable, Origin, Viewpoint};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::FunctionRef;
use sil_ir::model::{FunctionId, InstructionId, Linkage, Module, WitnessTable};
use sil_ir::source::{FileId, SourceMap, Span};
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::argument_labels::ArgumentLabels;
use super::bodies::{Owner, PendingBody, read_bodies};
use super::cursor::Cursor;
use super::library_index::{Extent, LibraryEntity, LibraryIndex, conformance_name, symbols_in};
use super::reader::Reader;
use super::symbols::Symbols;

/// A library as SIL.
pub struct Library {
    /// Its text.
    pub file: FileId,
    /// The places of the entities in that text.
    pub index: LibraryIndex,
}

/// Libraries as SIL. The first library that has an entity provides it.
#[derive(Default)]
pub struct Libraries<'s> {
    pub(super) texts: Vec<IndexedText<'s>>,
}

/// The text of a library, with its index.
pub(super) struct IndexedText<'s> {
    pub(super) file: FileId,
    pub(super) text: &'s str,
    pub(super) index: &'s LibraryIndex,
}

/// The entities that a module requests from libraries.
#[derive(Default)]
pub struct Wanted {
    /// Functions that it declares.
    pub functions: FxHashSet<Name>,
    /// Witness tables: the declaration that conforms, and the protocol.
    pub witness_tables: FxHashSet<(NominalId, NominalId)>,
    /// Tables of classes.
    pub vtables: FxHashSet<NominalId>,
}

impl Wanted {
    /// Returns whether nothing is requested.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.witness_tables.is_empty() && self.vtables.is_empty()
    }
}

impl<'s> Libraries<'s> {
    /// Returns whether there are no libraries.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Creates the list of libraries whose texts `sources` contains.
    pub fn new(sources: &'s SourceMap, libraries: &'s [Library]) -> Self {
        let texts = libraries.iter().map(|Library { file, index }| {
            let text = sources.file(*file).text.as_ref();
            IndexedText { file: *file, text, index }
        });
        Self { texts: texts.collect() }
    }

    /// Returns whether a library has the body of a function.
    pub fn has_function(&self, name: &str) -> bool {
        self.texts.iter().any(|library| library.find(LibraryEntity::Function, name).is_some())
    }

    /// Declares the functions that code of `module` refers to and the module does not declare, as in excerpts of
    /// modules. Returns diagnostics on the text of libraries.
    pub fn declare_unknown(&self, module: &mut Module) -> Vec<Diagnostic> {
        let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
        let references = bodies.flat_map(|body| {
            let is_reference = |id: &InstructionId| body.instructions[*id].opcode == Opcode::FunctionRef;
            body.placed_instructions().filter(is_reference).map(|id| FunctionRef::of(body, id).function)
        });
        let unknown: FxHashSet<Name> = references.filter(|name| module.function_named(*name).is_none()).collect();
        let mut diagnostics = Vec::new();
        for library in self.texts.iter().filter(|_| !unknown.is_empty()) {
            let declarations = std::mem::take(&mut module.declarations).seen_from(Viewpoint::Library);
            library.declare(module, &declarations, &unknown, &mut diagnostics);
            module.declarations = declarations.seen_from(Viewpoint::Own);
        }
        diagnostics
    }

    /// Reads the requested entities that libraries have into `module`, and declares the functions that their bodies
    /// refer to. Returns diagnostics on the text.
    pub fn link(&self, module: &mut Module, wanted: &Wanted) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for library in &self.texts {
            let declarations = std::mem::take(&mut module.declarations).seen_from(Viewpoint::Library);
            library.link(module, &declarations, wanted, &mut diagnostics);
            module.declarations = declarations.seen_from(Viewpoint::Own);
        }
        diagnostics
    }
}

impl IndexedText<'_> {
    /// Returns the place of an entity. An index of another text may contain places outside this text.
    fn find(&self, kind: LibraryEntity, name: &str) -> Option<Extent> {
        let extent = self.index.find(kind, name)?;
        self.text.get(extent.start as usize..extent.end as usize).map(|_| extent)
    }

    /// Reads the lines of functions that are not declared yet.
    fn declare(
        &self,
        module: &mut Module,
        declarations: &DeclarationTable,
        unknown: &FxHashSet<Name>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let context = module.context.clone();
        let reader = Reader::new(&context, declarations, Cursor::new(self.text, self.file));
        let mut reading = Reading { library: self, module, reader, bodies: Vec::new(), declared: Vec::new() };
        for (name, extent) in reading.placed(unknown) {
            if reading.module.function_named(name).is_none() {
                reading.declare(extent);
            }
        }
        diagnostics.extend(reading.reader.diagnostics);
    }

    fn link(
        &self,
        module: &mut Module,
        declarations: &DeclarationTable,
        wanted: &Wanted,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let context = module.context.clone();
        let mut reading = Reading {
            library: self,
            module,
            reader: Reader::new(&context, declarations, Cursor::new(self.text, self.file)),
            bodies: Vec::new(),
            declared: Vec::new(),
        };
        reading.tables(declarations, wanted);
        reading.functions(&wanted.functions);
        let Reading { module, reader, bodies, declared, .. } = reading;
        diagnostics.extend(reader.diagnostics);
        let conformances = ConformanceTable::new(&context, &module.witness_tables);
        let queries = TypeQueries::new(&context, declarations, &conformances, module.mode, module.address_lowering);
        for (id, ty, span) in declared {
            let function = &module.functions[id];
            if !queries.agree_types(ty, function.ty) {
                let name = context.text(function.name);
                let message =
                    format!("the function '{name}' is declared with another type than the library has it with");
                let diagnostic = Diagnostic::error("library-type", message, span);
                diagnostics.push(diagnostic.note("the library's function is here", Some(function.span)));
            }
        }
        let symbols = symbols_of(module);
        // Libraries as SIL have no locations.
        let labels = ArgumentLabels::new(&queries, &module.scopes, None);
        let read: Vec<_> = read_bodies(&bodies, self.text, self.file, &queries, &symbols, &labels).collect();
        for (owner, mut read) in read {
            owner.take(read.body, module);
            diagnostics.append(&mut read.diagnostics);
        }
    }
}

/// One reading of a library.
struct Reading<'r, 's> {
    library: &'r IndexedText<'s>,
    module: &'r mut Module,
    reader: Reader<'r>,
    bodies: Vec<PendingBody>,
    /// The functions that were declared before they were read, with the types and places of their declarations.
    declared: Vec<(FunctionId, TypeId, Span)>,
}

impl Reading<'_, '_> {
    fn functions(&mut self, wanted: &FxHashSet<Name>) {
        for (name, extent) in self.placed(wanted) {
            let known = self.module.function_named(name);
            if known.is_some_and(|id| self.module.functions[id].body.is_some()) {
                continue;
            }
            if let Some((id, start)) = self.function_line(extent, known) {
                let function = &self.module.functions[id];
                let owner = Owner::Function { id, name: function.name, signature: function.signature };
                self.bodies.push(PendingBody { owner, start, end: extent.end });
                self.mentioned(extent);
            }
        }
    }

    /// Returns the functions that the library has, in the order of its text: interned names depend on earlier reading,
    /// and so on threads.
    fn placed(&self, names: &FxHashSet<Name>) -> Vec<(Name, Extent)> {
        let mut placed: Vec<_> = names.iter().filter_map(|name| Some((*name, self.extent_of(*name)?))).collect();
        placed.sort_by_key(|(_, extent)| extent.start);
        placed
    }

    fn extent_of(&self, name: Name) -> Option<Extent> {
        self.library.find(LibraryEntity::Function, self.reader.context.text(name))
    }

    /// Declares a function that is not known yet by its line.
    fn declare(&mut self, extent: Extent) {
        if let Some((id, _)) = self.header(extent, None) {
            // A shared definition that this module does not have yet.
            let function = &mut self.module.functions[id];
            if function.linkage == Linkage::Shared {
                function.linkage = Linkage::HiddenExternal;
            }
        }
    }

    /// Reads the line of a function in place of its declaration; returns the start of its body.
    fn function_line(&mut self, extent: Extent, known: Option<FunctionId>) -> Option<(FunctionId, u32)> {
        self.header(extent, known).and_then(|(id, body)| Some((id, body?)))
    }

    fn header(&mut self, extent: Extent, known: Option<FunctionId>) -> Option<(FunctionId, Option<u32>)> {
        self.reader.cursor = Cursor::within(self.library.text, self.library.file, extent.start, extent.end);
        match self.reader.function_header() {
            Ok(header) => {
                let mut function = header.function;
                function.linkage = as_external(function.linkage);
                let id = match known {
                    Some(id) => {
                        let declared = std::mem::replace(&mut self.module.functions[id], function);
                        self.declared.push((id, declared.ty, declared.span));
                        id
                    }
                    None => self.module.add_function(function),
                };
                Some((id, header.body))
            }
            Err(error) => {
                self.reader.diagnostics.push(*error);
                None
            }
        }
    }

    /// Reads the lines of unknown functions and globals that the text of an entity names.
    fn mentioned(&mut self, extent: Extent) {
        let library = self.library;
        let text = library.text;
        for symbol in symbols_in(&text[extent.start as usize..extent.end as usize]) {
            let name = self.reader.context.name(symbol);
            let find = |kind| library.find(kind, symbol);
            if let Some(found) = find(LibraryEntity::Function).or_else(|| find(LibraryEntity::Declaration)) {
                if self.module.function_named(name).is_none() {
                    self.declare(found);
                }
            } else if let Some(found) = find(LibraryEntity::Global)
                && self.module.global_named(name).is_none()
            {
                self.global(found);
            }
        }
    }

    fn global(&mut self, extent: Extent) {
        self.reader.cursor = Cursor::within(self.library.text, self.library.file, extent.start, extent.end);
        match self.reader.global_header() {
            Ok(header) => {
                let id = self.module.add_global(header.global);
                if let Some(start) = header.initializer {
                    self.bodies.push(PendingBody { owner: Owner::Global(id), start, end: extent.end });
                    self.mentioned(extent);
                }
            }
            Err(error) => self.reader.diagnostics.push(*error),
        }
    }

    fn tables(&mut self, declarations: &DeclarationTable, wanted: &Wanted) {
        let context = self.reader.context;
        let text = |name: Name| context.text(name);
        let path = |nominal: NominalId| path_of(declarations, nominal, &text);
        // A type of the module may have the name of one of the library's.
        let is_foreign = |nominal: NominalId| declarations.get(nominal).origin != Origin::Module;
        let conformances = wanted.witness_tables.iter().filter(|(conforming, _)| is_foreign(*conforming));
        let keys = conformances.map(|(conforming, protocol)| (path(*conforming), path(*protocol)));
        let found = keys.filter_map(|(ty, protocol)| {
            self.library.find(LibraryEntity::WitnessTable, &conformance_name(&ty, &protocol))
        });
        let mut tables: Vec<Extent> = found.collect();
        tables.sort_by_key(|extent| extent.start);
        for extent in tables {
            self.reader.cursor = Cursor::within(self.library.text, self.library.file, extent.start, extent.end);
            match self.reader.witness_table() {
                Ok(table) => {
                    let linkage = as_external(table.linkage);
                    self.module.witness_tables.push(WitnessTable { linkage, ..table });
                }
                Err(error) => self.reader.diagnostics.push(*error),
            }
            self.mentioned(extent);
        }
        let classes = wanted.vtables.iter().filter(|class| is_foreign(**class));
        let found = classes.filter_map(|class| self.library.find(LibraryEntity::Vtable, &path(*class)));
        let mut tables: Vec<Extent> = found.collect();
        tables.sort_by_key(|extent| extent.start);
        for extent in tables {
            self.reader.cursor = Cursor::within(self.library.text, self.library.file, extent.start, extent.end);
            match self.reader.vtable() {
                Ok(table) => self.module.vtables.push(table),
                Err(error) => self.reader.diagnostics.push(*error),
            }
            self.mentioned(extent);
        }
    }
}

/// Returns the path of a declaration in tables: `Dictionary.Keys`.
fn path_of<'c>(declarations: &DeclarationTable, nominal: NominalId, text: &impl Fn(Name) -> &'c str) -> String {
    let declaration = declarations.get(nominal);
    match declaration.parent {
        Some(parent) => format!("{}.{}", path_of(declarations, parent, text), text(declaration.name)),
        None => text(declaration.name).to_owned(),
    }
}

/// Returns the linkage of a definition that another module owns, in the module that it is linked into.
pub(super) fn as_external(linkage: Linkage) -> Linkage {
    match linkage {
        Linkage::Public => Linkage::PublicExternal,
        Linkage::Package => Linkage::PackageExternal,
        Linkage::Hidden | Linkage::Private => Linkage::HiddenExternal,
        Linkage::PublicNonAbi | Linkage::PackageNonAbi => Linkage::Shared,
        Linkage::Shared
        | Linkage::PublicExternal
        | Linkage::PackageExternal
        | Linkage::HiddenExternal
        | Linkage::SharedExternal
        | Linkage::PrivateExternal => linkage,
    }
}

fn symbols_of(module: &Module) -> Symbols {
    let functions = module.functions.iter().map(|(id, function)| (function.name, (id, function.ty)));
    let globals = module.globals.iter().map(|(id, global)| (global.name, (id, global.ty)));
    Symbols { functions: functions.collect(), globals: globals.collect(), ..Symbols::default() }
}

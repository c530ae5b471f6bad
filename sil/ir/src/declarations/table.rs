//! The table of all nominal types, and the lookup of their names.

use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::named::{MentionedTypes, NamedTypes, is_named};
use super::open_names::{OpenNames, is_stand_in};
use super::{
    Access, DeclaredIsolations, DeclaredPlacements, FilePrivate, ForeignFunction, Meaning, Namesakes,
    NominalDeclaration, OpaqueDeclaration, Origin, TypeAlias,
};
use crate::context::{Context, Name, NominalId};
use crate::source::FileId;

/// The meaning of a type name outside of all declarations.
#[derive(Clone, Copy, Debug)]
pub enum Visible<'d> {
    /// A nominal type or a protocol.
    Nominal(NominalId),
    /// A type alias.
    Alias(&'d TypeAlias),
}

/// Whose text names are looked up for, where types of several modules have one name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Viewpoint {
    /// The module's: its own types hide those that it imports.
    #[default]
    Own,
    /// A library's: it does not know the types of the module that it is linked into.
    Library,
}

/// Whether a text has all imports of its module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ImportList {
    #[default]
    Complete,
    Incomplete,
}

/// The distance of a type from the text of a name: the nearest is meant if nothing else decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Distance {
    /// The module's own.
    Own,
    /// One that another module declares for all.
    Imported,
    /// One of C, which hides none of Swift's.
    OfC,
    /// One that another module declares for itself.
    Unseen,
    /// One that a function declares: nothing outside of that can name it.
    Local,
}

/// The meaning of `P.Type` for a protocol `P`, without `any` and parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ProtocolMetatypes {
    /// The metatype of any type that conforms, `any P.Type`.
    #[default]
    OfConformingTypes,
    /// The metatype of the existential, `(any P).Type`.
    OfExistentials,
}

/// All nominal types and protocols that a module can name.
#[derive(Default)]
pub struct DeclarationTable {
    nominals: PrimaryMap<NominalId, NominalDeclaration>,
    top_level: FxHashMap<Name, Vec<NominalId>>,
    nested: FxHashMap<(NominalId, Name), NominalId>,
    /// With the number of the declaration that was added next.
    top_level_aliases: FxHashMap<Name, (TypeAlias, NominalId)>,
    /// Those that modules declare for themselves, and those of C that are called like a type of Swift; by their
    /// modules.
    unseen_aliases: FxHashMap<(Name, Name), TypeAlias>,
    /// The names that are no words, which only backticks let be names.
    raw_names: Vec<Name>,
    /// The module of all that C declares, where there is any.
    c_module: Option<Name>,
    /// The module that is read, of which other files may be declared as well as those of the text.
    own_module: Option<Name>,
    /// Whether other files of the module, whose code is made elsewhere, have declarations here.
    has_other_files: bool,
    /// Names that some type has a nested type, an alias or an associated type for.
    member_types: FxHashSet<Name>,
    modules: Vec<Name>,
    unknown_imports: Vec<Name>,
    hidden_modules: Vec<Name>,
    imports: ImportList,
    named: Option<NamedTypes>,
    foreign_functions: Vec<ForeignFunction>,
    opaque_declarations: Vec<OpaqueDeclaration>,
    viewpoint: Viewpoint,
    /// The meanings of names that functions of the module give several types.
    pub namesakes: Namesakes,
    /// The file-private declarations of the module's other files.
    pub file_private: FilePrivate,
    /// Names of several types, which single places resolve.
    pub open_names: OpenNames,
    /// The actors that declarations are isolated to.
    pub isolations: DeclaredIsolations,
    /// The sections that declarations ask for.
    pub placements: DeclaredPlacements,
    /// The meaning of `P.Type` in the module.
    pub protocol_metatypes: ProtocolMetatypes,
}

impl DeclarationTable {
    /// The table as `viewpoint` sees it: from now on, names are looked up for that.
    pub fn seen_from(self, viewpoint: Viewpoint) -> Self {
        Self { viewpoint, ..self }
    }

    /// The type at the end of a path of nested types, the outermost first; `Some(None)` for the empty path, which is
    /// the top level, and `None` if a type is not known.
    pub fn at_path(&self, context: &Context, path: &[String]) -> Option<Option<NominalId>> {
        let mut parent = None;
        for part in path {
            let name = context.find_name(part)?;
            parent = Some(match parent {
                None => self.top_level(name)?,
                Some(parent) => self.nested(parent, name)?,
            });
        }
        Some(parent)
    }

    /// Adds a declaration. A later one of the same name hides an imported one.
    pub fn add(&mut self, declaration: NominalDeclaration) -> NominalId {
        let (name, parent) = (declaration.name, declaration.parent);
        let id = self.nominals.push(declaration);
        match parent {
            Some(parent) => {
                self.nested.insert((parent, name), id);
                self.member_types.insert(name);
            }
            None => self.top_level.entry(name).or_default().push(id),
        }
        id
    }

    /// Adds a file-private declaration of another file of the module that is read.
    pub fn add_file_private(&mut self, declaration: NominalDeclaration) -> NominalId {
        let (name, parent, file) = (declaration.name, declaration.parent, declaration.span.file);
        let id = self.nominals.push(declaration);
        match parent {
            Some(parent) => {
                self.file_private.add_nested(file, parent, name, id);
                self.member_types.insert(name);
            }
            None => self.namesakes.add_in_file(name, file, Meaning::One(id)),
        }
        id
    }

    /// How far a type can be seen: no further than those that it is nested in.
    pub fn access_of(&self, nominal: NominalId) -> Access {
        let declaration = self.get(nominal);
        let around = declaration.parent.map(|parent| self.access_of(parent));
        around.map_or(declaration.attributes.access, |around| around.min(declaration.attributes.access))
    }

    /// Adds a function of the module that other languages know.
    pub fn add_foreign_function(&mut self, function: ForeignFunction) {
        self.foreign_functions.push(function);
    }

    /// The functions of the module that other languages know, in declared order.
    pub fn foreign_functions(&self) -> &[ForeignFunction] {
        &self.foreign_functions
    }

    /// Adds a declaration with opaque results.
    pub fn add_opaque_declaration(&mut self, declaration: OpaqueDeclaration) {
        self.opaque_declarations.push(declaration);
    }

    /// The declarations with opaque results, in declared order.
    pub fn opaque_declarations(&self) -> &[OpaqueDeclaration] {
        &self.opaque_declarations
    }

    /// Some type has an alias or an associated type called `name`.
    pub fn add_member_type(&mut self, name: Name) {
        self.member_types.insert(name);
    }

    /// Whether any type has a nested type, an alias or an associated type called `name`.
    pub fn is_member_type(&self, name: Name) -> bool {
        self.member_types.contains(&name)
    }

    /// Adds a type alias outside of all types.
    pub fn add_alias(&mut self, alias: TypeAlias) {
        self.top_level_aliases.insert(alias.name, (alias, self.nominals.next_key()));
    }

    /// Adds a type alias outside of all types that hides nothing outside of `module`.
    pub fn add_unseen_alias(&mut self, module: Name, alias: TypeAlias) {
        self.unseen_aliases.insert((module, alias.name), alias);
    }

    /// The type alias called `name` that `module` declares for itself.
    pub fn unseen_alias(&self, module: Name, name: Name) -> Option<&TypeAlias> {
        self.unseen_aliases.get(&(module, name))
    }

    /// Notes a name that is no word.
    pub fn add_raw_name(&mut self, name: Name) {
        if !self.raw_names.contains(&name) {
            self.raw_names.push(name);
        }
    }

    /// The names that are no words.
    pub fn raw_names(&self) -> &[Name] {
        &self.raw_names
    }

    /// Sets the module with all declarations of C.
    pub fn set_c_module(&mut self, module: Name) {
        self.c_module = Some(module);
    }

    /// Whether `module` has the declarations of C.
    pub fn is_c_module(&self, module: Name) -> bool {
        self.c_module == Some(module)
    }

    /// The names that several types have outside of all types, sorted.
    pub fn names_of_several(&self) -> Vec<Name> {
        let several = self.top_level.iter().filter(|(_, types)| types.len() > 1);
        let mut names: Vec<Name> = several.map(|(name, _)| *name).collect();
        names.sort_unstable();
        names
    }

    /// The declaration.
    pub fn get(&self, id: NominalId) -> &NominalDeclaration {
        let id = self.looks_like(id);
        match &self.named {
            Some(named) if is_named(id) => named.get(id),
            _ => &self.nominals[id],
        }
    }

    /// The type that `id` looks like: that itself where it is no stand-in.
    fn looks_like(&self, id: NominalId) -> NominalId {
        if is_stand_in(id) { self.open_names.get(id).map_or(id, |stand_in| stand_in.candidates[0]) } else { id }
    }

    /// The declaration, to be filled.
    pub fn get_mut(&mut self, id: NominalId) -> &mut NominalDeclaration {
        match self.named.as_mut().and_then(|named| if is_named(id) { named.get_mut(id) } else { None }) {
            Some(named) => named,
            None => &mut self.nominals[id],
        }
    }

    /// Allows names to mean types of modules whose declarations are not at hand. `mentioned` has the facts of symbols
    /// about such types.
    pub fn allow_named_types(&mut self, mentioned: MentionedTypes) {
        self.named = Some(NamedTypes::new(mentioned));
    }

    /// The type called `name` in `parent`, or in `module`, as one that is known by name only. None where nothing at
    /// hand could bring it: all imports are known and no symbol mentions it.
    pub fn named_type(&self, parent: Option<NominalId>, module: Option<Name>, name: Name) -> Option<NominalId> {
        let named = self.named.as_ref()?;
        let mut path = vec![name];
        let mut next = parent;
        while let Some(outer) = next {
            let outer = self.get(outer);
            path.push(outer.name);
            next = outer.parent;
        }
        path.reverse();
        let unknown_outer = parent.is_some_and(is_named);
        if !(unknown_outer || self.has_unknown_imports() || named.mentioned.contains(&path)) {
            return None;
        }
        named.declare(parent, &path, module)
    }

    /// The type called `name` of `module`, whose declarations are not at hand, as one that is known by name only. None
    /// for other modules.
    pub fn named_in_unknown_module(&self, module: Name, name: Name) -> Option<NominalId> {
        if self.unknown_imports.contains(&module) { self.named_type(None, Some(module), name) } else { None }
    }

    /// The type called `name` outside of all types: the nearest, as [`Distance`] has it, and of several that are as
    /// near the one that was added last.
    pub fn top_level(&self, name: Name) -> Option<NominalId> {
        self.top_level.get(&name)?.iter().rev().copied().min_by_key(|id| self.distance(*id))
    }

    /// Other files of the module have declarations here.
    pub fn add_other_files(&mut self) {
        self.has_other_files = true;
    }

    /// Whether other files of the module, whose code is made elsewhere, have declarations here.
    pub fn has_other_files(&self) -> bool {
        self.has_other_files
    }

    /// Whether the table of a conformance of this type may be in code that is made elsewhere: that of another module,
    /// or of other files of this one.
    pub fn may_conform_elsewhere(&self, declaration: &NominalDeclaration) -> bool {
        match declaration.origin {
            Origin::Imported => true,
            Origin::Module => self.has_other_files,
            Origin::Named => false,
        }
    }

    /// Whether a type may have members that are not known: those of local types are known from their uses, each of
    /// which has to be resolved first.
    pub fn may_have_more_members(&self, id: NominalId) -> bool {
        self.get(id).attributes.local.is_some()
    }

    /// Sets the module that is read.
    pub fn set_own_module(&mut self, module: Name) {
        self.own_module = Some(module);
    }

    /// Whether `module` is the one that is read.
    pub fn is_own_module(&self, module: Name) -> bool {
        self.own_module == Some(module)
    }

    /// How far a type that is known by more than its name is from the module's text.
    pub fn distance(&self, id: NominalId) -> Distance {
        let declaration = &self.nominals[id];
        let is_read = declaration.span.file != FileId::KNOWN;
        match (declaration.origin, self.viewpoint) {
            _ if declaration.attributes.local.is_some() => Distance::Local,
            (Origin::Module, Viewpoint::Own) => Distance::Own,
            (Origin::Module, Viewpoint::Library) => Distance::Unseen,
            (_, Viewpoint::Library) => Distance::Imported,
            _ if self.is_own_module(declaration.module) => Distance::Own,
            _ if self.c_module == Some(declaration.module) => Distance::OfC,
            _ if is_read && declaration.attributes.access < Access::Public => Distance::Unseen,
            _ if self.hidden_modules.contains(&declaration.module) => Distance::Unseen,
            _ => Distance::Imported,
        }
    }

    fn is_local(&self, id: NominalId) -> bool {
        self.nominals[id].attributes.local.is_some()
    }

    /// The type called `name` that a function declares: the first, where there are several.
    pub fn local(&self, name: Name) -> Option<NominalId> {
        self.all_top_level(name).iter().copied().find(|id| self.is_local(*id))
    }

    /// All types called `name` outside of all types, those that were added last at the end.
    pub fn all_top_level(&self, name: Name) -> &[NominalId] {
        self.top_level.get(&name).map_or(&[], |found| found)
    }

    /// The meaning of a type name outside of all declarations: a type, or an alias, which hides imported names.
    /// Declarations of modules that were read after the one with the alias hide that: the standard library is read
    /// first. To a library, imported types hide all aliases, which may be the module's.
    pub fn visible(&self, name: Name) -> Option<Visible<'_>> {
        let nominal = self.top_level(name);
        let alias = self.top_level_aliases.get(&name);
        let hides = |nominal: &NominalId| {
            let is_later = alias.is_some_and(|(_, next)| *nominal >= *next);
            match (self.nominals[*nominal].origin, self.viewpoint) {
                (Origin::Module, Viewpoint::Own) | (Origin::Imported, Viewpoint::Library) => true,
                (Origin::Imported, Viewpoint::Own) => is_later,
                (Origin::Module, Viewpoint::Library) | (Origin::Named, _) => false,
            }
        };
        let unseen = || self.modules.iter().find_map(|module| self.unseen_alias(*module, name));
        let alias =
            || alias.map(|(alias, _)| alias).or_else(|| unseen().filter(|_| nominal.is_none())).map(Visible::Alias);
        nominal.filter(hides).map(Visible::Nominal).or_else(alias).or(nominal.map(Visible::Nominal))
    }

    /// The type called `name` of the module `module`.
    pub fn in_module(&self, module: Name, name: Name) -> Option<NominalId> {
        let found = self.top_level.get(&name)?;
        found.iter().copied().find(|id| self.nominals[*id].module == module)
    }

    /// The type called `name` that is nested in `parent`.
    pub fn nested(&self, parent: NominalId, name: Name) -> Option<NominalId> {
        self.nested.get(&(self.looks_like(parent), name)).copied()
    }

    /// The type called `name` that is nested in `parent`, as `file` sees it.
    pub fn nested_in_file(&self, file: FileId, parent: NominalId, name: Name) -> Option<NominalId> {
        self.file_private.nested(file, self.looks_like(parent), name).or_else(|| self.nested(parent, name))
    }

    /// The type alias called `name` outside of all types.
    pub fn alias(&self, name: Name) -> Option<&TypeAlias> {
        self.top_level_aliases.get(&name).map(|(alias, _)| alias)
    }

    /// Adds a module that others import for themselves. Its types can only be named by their code.
    pub fn hide_module(&mut self, module: Name) {
        self.hidden_modules.push(module);
    }

    /// Adds the name of a module, so that `Module.Type` has a meaning.
    pub fn add_module(&mut self, module: Name) {
        if !self.modules.contains(&module) {
            self.modules.push(module);
        }
    }

    /// A module is imported whose declarations are not known.
    pub fn add_unknown_import(&mut self, module: Name) {
        self.add_module(module);
        self.unknown_imports.push(module);
    }

    /// The module imports more than its text shows.
    pub fn omits_imports(&mut self) {
        self.imports = ImportList::Incomplete;
    }

    /// Whether a module with this name is known or imported.
    pub fn is_module(&self, name: Name) -> bool {
        self.modules.contains(&name)
    }

    /// Whether symbols mention types called `name`, outside of all types, of more than one module.
    pub fn is_ambiguous(&self, name: Name) -> bool {
        self.named.as_ref().is_some_and(|named| named.mentioned.is_ambiguous(&[name]))
    }

    /// Whether a name may come from a module whose declarations are not known, so that it is no error.
    pub fn has_unknown_imports(&self) -> bool {
        !self.unknown_imports.is_empty() || self.imports == ImportList::Incomplete
    }

    /// All declarations, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (NominalId, &NominalDeclaration)> {
        self.nominals.iter()
    }
}

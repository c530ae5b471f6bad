//! Nominal types and their parts, and the table of all of them.

use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::named::{MentionedTypes, NamedTypes, is_named};
use super::open_names::{OpenNames, is_stand_in};
use super::{
    Access, DeclaredDerivative, DeclaredIsolations, DeclaredPlacements, DispatchedMember, FilePrivate, ForeignFunction,
    Meaning, MemberInterface, Namesakes, OpaqueDeclaration,
};
use crate::context::{Context, Mutability, Name, NominalId, SignatureId, TypeId};
use crate::source::{FileId, Span};

/// The kind of a nominal type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NominalKind {
    /// `struct`
    Struct,
    /// `enum`
    Enum,
    /// `class`
    Class,
    /// `actor`
    Actor,
    /// `protocol`
    Protocol,
    /// Not known: another module or a function declares the type, and only its name is at hand.
    Unknown,
}

/// Where a declaration comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The module itself.
    Module,
    /// A module that is imported, such as the standard library.
    Imported,
    /// A module whose declarations are not at hand: the type is known by name only, and so has no layout. Its members
    /// and conformances are not known.
    Named,
}

/// A struct, an enum, a class, an actor or a protocol. Types in it are formal, in terms of
/// [`Type::GenericParameter`](crate::context::Type::GenericParameter) (for a protocol, `Self` is depth 0 index 0).
#[derive(Clone, Debug)]
pub struct NominalDeclaration {
    /// Its name.
    pub name: Name,
    /// Its kind.
    pub kind: NominalKind,
    /// The module that declares it.
    pub module: Name,
    /// Where it comes from.
    pub origin: Origin,
    /// The type that it is nested in.
    pub parent: Option<NominalId>,
    /// All generic parameters, the enclosing types' included.
    pub signature: Option<SignatureId>,
    /// How many of the parameters of `signature` are its own.
    pub own_parameters: u32,
    /// The superclass.
    pub superclass: Option<TypeId>,
    /// The signature of the extension with requirements that declares it.
    pub extension: Option<SignatureId>,
    /// The raw type of an enum.
    pub raw_type: Option<TypeId>,
    /// Protocols that it conforms to or inherits from, as written, extensions included.
    pub conformances: Vec<StatedConformance>,
    /// The stored properties, in declared order. For a class without those of its superclass.
    pub stored: Vec<StoredProperty>,
    /// The enum cases, in declared order.
    pub cases: Vec<EnumCase>,
    /// Type aliases and witnesses for associated types.
    pub aliases: Vec<TypeAlias>,
    /// The names of a protocol's primary associated types, in declared order.
    pub primary_associated_types: Vec<Name>,
    /// The associated types of a protocol, in declared order.
    pub associated_types: Vec<AssociatedType>,
    /// Functions, initialisers, subscripts and computed properties, in declared order.
    pub members: Vec<Member>,
    /// The accessors that initialise stored properties when computed ones are assigned to, in declared order.
    pub init_accessors: Vec<InitAccessor>,
    /// The interface types of those members that the module refers to, in declared order.
    pub interfaces: Vec<MemberInterface>,
    /// The members of a class in vtables, or of a protocol in witness tables, in declared order.
    pub dispatched: Vec<DispatchedMember>,
    /// The derivatives of methods that the type declares, in declared order.
    pub derivatives: Vec<DeclaredDerivative>,
    /// The attributes that matter for layout and meaning.
    pub attributes: NominalAttributes,
    /// Where it is declared.
    pub span: Span,
}

impl NominalDeclaration {
    /// Whether all that the type has is known: it is neither known by name only nor declared in a function.
    pub fn is_complete(&self) -> bool {
        self.origin != Origin::Named && self.attributes.local.is_none()
    }

    /// Whether it is known to be an enum without cases, such as `Never`, so that no value of it can be. Those of
    /// Objective-C may have values that they do not name.
    pub fn is_uninhabited_enum(&self) -> bool {
        self.kind == NominalKind::Enum && self.cases.is_empty() && self.is_complete() && !self.attributes.objc
    }

    /// A type of which nothing is known yet but its name, its kind, and where it is declared.
    pub fn new(name: Name, kind: NominalKind, module: Name, origin: Origin, span: Span) -> Self {
        Self {
            name,
            kind,
            module,
            origin,
            parent: None,
            signature: None,
            own_parameters: 0,
            extension: None,
            superclass: None,
            raw_type: None,
            conformances: Vec::new(),
            stored: Vec::new(),
            cases: Vec::new(),
            aliases: Vec::new(),
            primary_associated_types: Vec::new(),
            associated_types: Vec::new(),
            members: Vec::new(),
            init_accessors: Vec::new(),
            interfaces: Vec::new(),
            dispatched: Vec::new(),
            derivatives: Vec::new(),
            attributes: NominalAttributes::default(),
            span,
        }
    }
}

/// The attributes and modifiers of a nominal type.
#[derive(Clone, Debug, Default)]
pub struct NominalAttributes {
    /// `final`
    pub is_final: bool,
    /// `~Copyable`
    pub noncopyable: bool,
    /// `~Escapable`
    pub nonescapable: bool,
    /// `@_addressableForDependencies`
    pub addressable_for_dependencies: bool,
    /// `: AnyObject` on a protocol, or implied by an inherited protocol.
    pub class_bound: bool,
    /// `indirect enum`
    pub indirect: bool,
    /// `@objc`
    pub objc: bool,
    /// `@_marker`: nothing at run time stands for the protocol.
    pub marker: bool,
    /// Declared in a function or its like: the module's declarations do not show it, SIL names it without its context.
    pub local: Option<LocalType>,
    /// The file that alone sees it, as symbols have it: a part of its mangled name. None if the type is not private, or
    /// no symbol shows it.
    pub private_to: Option<Name>,
    /// A user-written `deinit` of a struct or enum.
    pub has_deinit: bool,
    /// Whether its library may change its stored properties: in normal Swift its layout is dynamic.
    pub resilient: bool,
    /// Whether its library may change it at all, stored properties of frozen types apart: it is built for library
    /// evolution.
    pub evolving: bool,
    /// Whether its stored properties never change.
    pub frozen: bool,
    /// Who can see it.
    pub access: Access,
    /// `@_alignment(16)`
    pub alignment: Option<u32>,
    /// `distributed actor`
    pub distributed: bool,
    /// The `unownedExecutor` that an actor declares, or that extensions of a protocol bring to those that do not.
    pub executor: Option<StatedExecutor>,
    /// Whether the program can observe the exact end of a value's lifetime, if that is declared.
    pub lifetime: Option<DeclaredLifetime>,
    /// `@_rawLayout(…)`
    pub raw_layout: Option<RawLayout>,
    /// Which names of C the type's own is one of, where that declares it.
    pub c_name_space: Option<CNameSpace>,
    /// Where clang puts the parts of a structure of C.
    pub c_layout: Option<Box<CLayout>>,
    /// Which integers the cases of an enum of C are.
    pub c_values: Option<Box<CValues>>,
}

/// The name spaces of types in C (ISO C 6.2.3): a tag and a typedef may have the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CNameSpace {
    /// `s` of `struct s`
    Tags,
    /// `s` of `typedef struct { … } s`, or of a typedef that is a type of its own in Swift.
    Ordinary,
}

/// The integers that the cases of an enum of C are. A value of it may be any other as well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CValues {
    /// The size of the integers in bytes.
    pub size: u64,
    /// That of each case, with `size` bits.
    pub values: Vec<u64>,
}

/// How a structure of C lies in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CLayout {
    /// Its size in bytes, with the padding after its last field.
    pub size: u64,
    /// Its alignment in bytes.
    pub alignment: u64,
    /// Where each stored property lies, in bytes.
    pub offsets: Vec<u64>,
    /// The bytes that are copied with the structure and are no stored property: bit-fields, unions, types that Swift
    /// does not import.
    pub opaque: Vec<OpaqueBytes>,
}

/// Bytes that have no name in Swift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpaqueBytes {
    /// The first one.
    pub offset: u64,
    /// How many there are.
    pub size: u64,
}

/// The facts about a type that a function declares, beside its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalType {
    /// Its context.
    pub context: LocalContext,
    /// Which function that is.
    pub origin: LocalOrigin,
    /// Whether the order of its members is that of their declaration.
    pub order: MemberOrder,
}

impl LocalType {
    /// A type of which nothing but its name is seen yet.
    pub fn new(context: LocalContext) -> Self {
        Self { context, origin: LocalOrigin::Unknown, order: MemberOrder::Mentioned }
    }
}

/// The executor of an actor, by its `unownedExecutor`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatedExecutor {
    /// The runtime (`@_semantics("defaultActor")`).
    Default,
    /// That of the program.
    Custom,
}

/// Which function declares a local type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalOrigin {
    /// No symbol shows it.
    Unknown,
    /// The one in this symbol of the type's descriptor.
    Descriptor(Name),
}

/// The meaning of the order of a local type's members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberOrder {
    /// That of their first mention.
    Mentioned,
    /// That of their declaration.
    Declared,
    /// That of their declaration; some are without their names, which nothing mentions.
    Unnamed,
}

/// The context of a local type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalContext {
    /// A function, an initialiser, an accessor.
    Function,
    /// The code of a main file.
    TopLevelCode,
    /// A closure.
    Closure,
    /// The initial value of a property.
    Initializer,
    /// A subscript.
    Subscript,
    /// A case of an enum.
    EnumElement,
}

impl LocalContext {
    /// All contexts, as references to members of types in them spell them.
    const SPELLINGS: &'static [(LocalContext, &'static str)] = &[
        (LocalContext::Function, "<abstract function>"),
        (LocalContext::TopLevelCode, "<top level code>"),
        (LocalContext::Closure, "<anonymous function>"),
        (LocalContext::Initializer, "<initializer>"),
        (LocalContext::Subscript, "<subscript>"),
        (LocalContext::EnumElement, "<enum element>"),
    ];

    /// The text before the path of a member: `<abstract function>`.
    pub fn spelling(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(context, _)| *context == self).map_or("", |(_, spelling)| spelling)
    }

    /// The context whose spelling `text` begins with, and the rest.
    pub fn ahead(text: &str) -> Option<(LocalContext, &str)> {
        Self::SPELLINGS.iter().find_map(|(context, spelling)| Some((*context, text.strip_prefix(spelling)?)))
    }
}

/// `@_rawLayout(size: 8, alignment: 8)`, `@_rawLayout(like: T)`, `@_rawLayout(likeArrayOf: T, count: N)`
#[derive(Clone, Debug)]
pub enum RawLayout {
    /// Size and alignment in bytes.
    Fixed { size: u64, alignment: u64 },
    /// Like a type.
    Like(TypeId),
    /// Like an array of a type; the count is an integer or a value parameter.
    LikeArrayOf { element: TypeId, count: TypeId },
}

/// A conformance as a declaration or an extension states it.
#[derive(Clone, Debug)]
pub struct StatedConformance {
    /// The protocol (or composition) with arguments.
    pub protocol: TypeId,
    /// The signature of the extension with its requirements, for a conditional conformance.
    pub condition: Option<SignatureId>,
    /// The module that states it: that of the extension.
    pub module: Name,
    /// Where it holds.
    pub isolation: ConformanceIsolation,
}

/// Where a conformance holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConformanceIsolation {
    /// Everywhere.
    Nonisolated,
    /// `: @MainActor P`: where this actor runs.
    GlobalActor(TypeId),
}

/// A stored property.
#[derive(Clone, Debug)]
pub struct StoredProperty {
    /// Its name.
    pub name: Name,
    /// Its formal type, in the declaration's generic parameters. A weak one is an `Optional`.
    pub ty: TypeId,
    /// `var` or `let`
    pub mutability: Mutability,
    /// `weak`, `unowned`, `unowned(unsafe)`
    pub ownership: Option<crate::context::StorageKind>,
    /// Whether the program can observe the exact end of its value's lifetime, if that is declared.
    pub lifetime: Option<DeclaredLifetime>,
    /// Its visibility where its type can be seen. Declarations that inlined code may use count as public.
    pub access: Access,
    /// Whose business its initial value is.
    pub initializer: PropertyInitializer,
    /// Whether values are differentiated by it.
    pub differentiation: PropertyDifferentiation,
    /// Where it is declared.
    pub span: Span,
}

/// Whether values are differentiated by a stored property of theirs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PropertyDifferentiation {
    /// They are, if they are differentiable.
    #[default]
    Followed,
    /// `@noDerivative`
    NoDerivative,
}

/// Who gives a stored property its value in initialisers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PropertyInitializer {
    /// The program, or nobody where it has an initial value.
    #[default]
    Program,
    /// `@_compilerInitialized`: the compiler, as with the identity of a distributed actor.
    Compiler,
}

/// The rule for the ends of lifetimes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredLifetime {
    /// `@_eagerMove`: nothing in a program observes them.
    Eager,
    /// `@_noEagerMove`: something may.
    Lexical,
}

/// A case of an enum.
#[derive(Clone, Debug)]
pub struct EnumCase {
    /// Its name.
    pub name: Name,
    /// The payload: a tuple where there are several values or a label.
    pub payload: Option<TypeId>,
    /// `indirect`, on the case or on the enum.
    pub indirect: bool,
    /// Whether programs can make it.
    pub availability: Availability,
    /// Where it is declared.
    pub span: Span,
}

/// Whether programs can use a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Availability {
    /// On some platforms and in some versions at least.
    #[default]
    Available,
    /// `@available(*, unavailable)`: on none.
    Unavailable,
}

/// A type alias.
#[derive(Clone, Debug)]
pub struct TypeAlias {
    /// Its name.
    pub name: Name,
    /// Its own generic parameters beyond the declaration's.
    pub signature: Option<SignatureId>,
    /// The underlying type.
    pub ty: TypeId,
    /// The requirements of the extension that it stands in.
    pub condition: Option<SignatureId>,
    /// The protocol, by its name, and its associated type that it stands for under a name of its own: `@_implements(P,
    /// T)`.
    pub implements: Option<(Name, Name)>,
}

/// An associated type of a protocol.
#[derive(Clone, Debug)]
pub struct AssociatedType {
    /// Its name.
    pub name: Name,
    /// Its default.
    pub default: Option<TypeId>,
}

/// A function, an initialiser, a subscript or a computed property. Only the facts that tables and lookups need.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name (`init`, `subscript`, `deinit` for those).
    pub name: Name,
    /// The kind.
    pub kind: MemberDeclarationKind,
    /// Where it is declared.
    pub span: Span,
}

/// `@storageRestrictions(initializes: _x, accesses: y) init` of a computed property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitAccessor {
    /// The computed property.
    pub property: Name,
    /// The stored properties that it initialises.
    pub initializes: Vec<Name>,
    /// Those that it reads.
    pub accesses: Vec<Name>,
}

/// The kind of a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberDeclarationKind {
    /// `func`
    Function,
    /// `init`
    Initializer,
    /// `deinit`
    Deinitializer,
    /// `subscript`
    Subscript,
    /// A property without storage.
    ComputedProperty,
}

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
pub(crate) enum Distance {
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
    /// Which actors declarations belong to.
    pub isolations: DeclaredIsolations,
    /// The sections that declarations ask for.
    pub placements: DeclaredPlacements,
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
    pub(crate) fn may_have_more_members(&self, id: NominalId) -> bool {
        self.get(id).attributes.local.is_some()
    }

    /// Sets the module that is read.
    pub fn set_own_module(&mut self, module: Name) {
        self.own_module = Some(module);
    }

    /// Whether `module` is the one that is read.
    pub(crate) fn is_own_module(&self, module: Name) -> bool {
        self.own_module == Some(module)
    }

    /// How far a type that is known by more than its name is from the module's text.
    pub(crate) fn distance(&self, id: NominalId) -> Distance {
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

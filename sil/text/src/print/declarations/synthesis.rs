//! The members that Swift adds to types: initialisers, `deinit`, the conformances of enums to `Equatable` and
//! `Hashable`; and their attributes (lib/Sema/CodeSynthesis.cpp, lib/Sema/DerivedConformance).
//!
//! A type with a member that is not understood stays as it is written: its missing members are not known.

use rustc_hash::FxHashMap;
use sil_ir::context::{Context, NominalId, Type};
use sil_ir::declarations::{DeclarationTable, NominalKind};
use sil_ir::model::Module;

use super::attributes;
use super::tree::*;

/// The attributes of stored properties.
const HAS_STORAGE: &str = "@_hasStorage";
const HAS_INITIAL_VALUE: &str = "@_hasInitialValue";

/// Adds Swift's members to each declaration.
pub(super) fn complete(declarations: &mut [&mut Declaration], module: &Module) {
    let (context, table) = (&*module.context, &module.declarations);
    let imports_concurrency = module.imports.iter().any(|import| context.text(import.module) == "_Concurrency");
    for declaration in declarations.iter_mut() {
        mark_members(declaration, None, table);
    }
    let mut classes = FxHashMap::default();
    for declaration in declarations.iter() {
        collect(declaration, context, table, &mut classes);
    }
    let surroundings = Surroundings { table, initializers: Initializers { classes }, imports_concurrency };
    for declaration in declarations.iter_mut() {
        add_members(declaration, &surroundings);
    }
}

/// The facts outside of a type that its added members depend on.
struct Surroundings<'m> {
    table: &'m DeclarationTable,
    initializers: Initializers,
    /// Whether the types of actors and their executors can be named.
    imports_concurrency: bool,
}

fn members(declaration: &mut Declaration) -> Option<&mut TypeDeclaration> {
    match &mut declaration.kind {
        Kind::Type(ty) => Some(ty),
        _ => None,
    }
}

// Stored properties.

/// The context of a member.
#[derive(Clone, Copy)]
struct Around {
    keyword: TypeKeyword,
    is_final: bool,
}

/// Adds `@_hasStorage`, `@_hasInitialValue` and `final` to members.
fn mark_members(declaration: &mut Declaration, around: Option<Around>, table: &DeclarationTable) {
    let is_final = declaration.has("final");
    if let Some(ty) = members(declaration) {
        let around = around_members(ty, is_final, table);
        for member in &mut ty.members {
            mark_members(member, Some(around), table);
        }
        return;
    }
    if let Kind::Property(property) = &declaration.kind
        && property.storage == Storage::Stored
    {
        let has_value = property.initial != Initial::None;
        for (holds, attribute) in [(true, HAS_STORAGE), (has_value, HAS_INITIAL_VALUE)] {
            if holds && !declaration.has(attribute) {
                attributes::add(&mut declaration.attributes, attribute);
            }
        }
    }
    let in_class = around.filter(|around| matches!(around.keyword, TypeKeyword::Class | TypeKeyword::Actor));
    if let Some(around) = in_class
        && !declaration.is_static()
        && !declaration.has("final")
        && is_never_overridden(declaration, around)
    {
        attributes::add(&mut declaration.attributes, "final");
    }
}

/// The facts of the type around members: in an extension of a class with a conformance nothing is overridden.
fn around_members(ty: &TypeDeclaration, is_final: bool, table: &DeclarationTable) -> Around {
    let conforms = ty.keyword == TypeKeyword::Extension && !ty.inherited.is_empty();
    let extended = ty.nominal.filter(|_| conforms).map(|nominal| table.get(nominal).kind);
    match extended {
        Some(NominalKind::Class | NominalKind::Actor) => Around { keyword: TypeKeyword::Class, is_final: true },
        _ => Around { keyword: ty.keyword, is_final },
    }
}

/// Whether a member of a class is `final` although that is not written: constants are, and all in a final class.
fn is_never_overridden(declaration: &Declaration, around: Around) -> bool {
    match &declaration.kind {
        Kind::Property(property) => {
            around.is_final || property.introducer == Introducer::Let && property.storage == Storage::Stored
        }
        Kind::Callable(callable) => around.is_final && callable.keyword != CallableKeyword::Initializer,
        _ => false,
    }
}

// Initialisers.

/// The classes of the module with the facts that their initialisers depend on.
struct Initializers {
    classes: FxHashMap<NominalId, Class>,
}

/// An initialiser that subclasses inherit.
#[derive(Clone)]
struct Designated {
    access: Access,
    is_required: bool,
    is_override: bool,
    callable: Callable,
}

struct Class {
    superclass: Superclass,
    /// The initialisers that are written and not `convenience`.
    designated: Vec<Designated>,
    /// Whether each of those overrides one of the superclass.
    overrides_only: bool,
    has_initializer: bool,
    /// Whether each stored property begins with a value.
    is_initialized: bool,
    is_understood: bool,
    is_generic: bool,
}

#[derive(Clone, Copy)]
enum Superclass {
    None,
    Known(NominalId),
    /// One whose members are not known.
    Unknown,
}

/// Whether other modules see an initialiser.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Public,
    Internal,
}

fn access(declaration: &Declaration) -> Access {
    match declaration.has("public") || declaration.has("open") || declaration.has("@usableFromInline") {
        true => Access::Public,
        false => Access::Internal,
    }
}

fn collect(
    declaration: &Declaration,
    context: &Context,
    table: &DeclarationTable,
    classes: &mut FxHashMap<NominalId, Class>,
) {
    let Kind::Type(ty) = &declaration.kind else { return };
    for member in &ty.members {
        collect(member, context, table, classes);
    }
    let (TypeKeyword::Class | TypeKeyword::Actor, Some(nominal)) = (ty.keyword, ty.nominal) else { return };
    let superclass = match table.get(nominal).superclass.map(|ty| context.get(ty)) {
        // The first thing that a class inherits from may be a class that is not known.
        None if ty.inherited.first().is_some_and(|first| !is_protocol(first, context, table)) => Superclass::Unknown,
        None => Superclass::None,
        Some(Type::Nominal(superclass)) => Superclass::Known(superclass.declaration),
        Some(_) => Superclass::Unknown,
    };
    let initializers = ty.members.iter().filter_map(initializer);
    let designated = initializers.clone().filter(|(declaration, _)| !declaration.has("convenience"));
    classes.insert(
        nominal,
        Class {
            superclass,
            overrides_only: designated
                .clone()
                .all(|(declaration, _)| declaration.has("override") || declaration.has("required")),
            designated: designated.map(|(declaration, callable)| Designated::written(declaration, callable)).collect(),
            has_initializer: initializers.count() > 0,
            is_initialized: stored(ty).all(|property| property.initial != Initial::None),
            is_understood: is_understood(ty),
            is_generic: !ty.generics.is_empty(),
        },
    );
}

fn is_protocol(text: &str, context: &Context, table: &DeclarationTable) -> bool {
    let name = text.split('<').next().unwrap_or(text).rsplit(' ').next().unwrap_or(text);
    let nominal = context.find_name(name).and_then(|name| table.top_level(name));
    name == "AnyObject" || nominal.is_some_and(|nominal| table.get(nominal).kind == NominalKind::Protocol)
}

fn initializer(declaration: &Declaration) -> Option<(&Declaration, &Callable)> {
    match &declaration.kind {
        Kind::Callable(callable) if callable.keyword == CallableKeyword::Initializer => Some((declaration, callable)),
        _ => None,
    }
}

fn stored(ty: &TypeDeclaration) -> impl Iterator<Item = &Property> {
    ty.members.iter().filter_map(|member| match &member.kind {
        Kind::Property(property) if property.storage == Storage::Stored && !member.is_static() => Some(property),
        _ => None,
    })
}

fn is_understood(ty: &TypeDeclaration) -> bool {
    !ty.members.iter().any(|member| matches!(member.kind, Kind::Verbatim(_)))
}

fn callable(parameters: Vec<String>) -> Callable {
    Callable {
        keyword: CallableKeyword::Initializer,
        name: String::new(),
        generics: String::new(),
        parameters,
        effects: String::new(),
        result: None,
        requirements: Vec::new(),
        accessors: Vec::new(),
    }
}

fn member_of(attributes: &[&str], callable: Callable) -> Declaration {
    let attributes = attributes.iter().map(|attribute| (*attribute).to_owned()).collect();
    Declaration { attributes, kind: Kind::Callable(callable) }
}

impl Designated {
    fn written(declaration: &Declaration, callable: &Callable) -> Self {
        Self {
            access: access(declaration),
            is_required: declaration.has("required"),
            is_override: declaration.has("override") || declaration.has("required"),
            callable: callable.clone(),
        }
    }

    /// The one that a class without a superclass gets.
    fn default() -> Self {
        Self { access: Access::Internal, is_required: false, is_override: false, callable: callable(Vec::new()) }
    }

    fn overrides(&self, other: &Designated) -> bool {
        self.callable.parameters == other.callable.parameters
    }
}

impl Initializers {
    /// The designated initialisers of a class; none if they are not known.
    fn designated(&self, nominal: NominalId, depth: u32) -> Option<Vec<Designated>> {
        const DEEPEST: u32 = 50;
        let class = self.classes.get(&nominal).filter(|class| class.is_understood && depth < DEEPEST)?;
        let inherited = match class.superclass {
            Superclass::None => Some(vec![Designated::default()]),
            Superclass::Known(superclass) => self.inherited(superclass, depth + 1),
            Superclass::Unknown => None,
        };
        if class.designated.is_empty() {
            let inherits = !class.has_initializer && class.is_initialized;
            return inherited.map(|inherited| if inherits { inherited } else { Vec::new() });
        }
        // An override is visible where the overridden member is.
        let mut designated = class.designated.clone();
        for own in designated.iter_mut().filter(|own| own.is_override) {
            let overridden = inherited.iter().flatten().find(|inherited| own.overrides(inherited));
            if let Some(overridden) = overridden {
                own.access = overridden.access;
            }
        }
        Some(designated)
    }

    /// The initialisers that a class inherits from a superclass.
    fn inherited(&self, superclass: NominalId, depth: u32) -> Option<Vec<Designated>> {
        let designated = self.designated(superclass, depth)?;
        let generic = self.classes.get(&superclass).is_none_or(|class| class.is_generic);
        // The parameters of a generic superclass would have to be replaced.
        let is_plain = |callable: &Callable| callable.parameters.is_empty() && callable.generics.is_empty();
        let plain = designated.iter().all(|designated| is_plain(&designated.callable));
        (!generic || plain).then_some(designated)
    }
}

fn add_members(declaration: &mut Declaration, surroundings: &Surroundings<'_>) {
    let Some(ty) = members(declaration) else { return };
    for member in &mut ty.members {
        add_members(member, surroundings);
    }
    if !is_understood(ty) {
        return;
    }
    match ty.keyword {
        TypeKeyword::Class | TypeKeyword::Actor => class_members(declaration, surroundings),
        TypeKeyword::Struct => struct_members(ty),
        TypeKeyword::Enum => enum_members(ty, surroundings),
        TypeKeyword::Protocol | TypeKeyword::Extension => {}
    }
}

// Classes.

fn class_members(declaration: &mut Declaration, surroundings: &Surroundings<'_>) {
    let initializers = &surroundings.initializers;
    let is_public = declaration.has("public") || declaration.has("open");
    let Some(ty) = members(declaration) else { return };
    let Some(nominal) = ty.nominal else { return };
    let Some(class) = initializers.classes.get(&nominal) else { return };
    let destroy = Declaration { attributes: Vec::new(), kind: Kind::Deinitializer };
    let destroyed = ty.members.iter().any(|member| matches!(member.kind, Kind::Deinitializer));
    let mut added = Vec::new();
    let mut inherits = false;
    match class.superclass {
        Superclass::Unknown => {
            if !destroyed {
                added.push(destroy);
            }
        }
        Superclass::None => {
            if !destroyed {
                added.push(destroy);
            }
            if !class.has_initializer && class.is_initialized {
                added.push(member_of(&[], callable(Vec::new())));
            }
        }
        Superclass::Known(superclass) => {
            if let Some(inherited) = initializers.inherited(superclass, 0) {
                let all = inherited.iter().all(|inherited| class.designated.iter().any(|own| own.overrides(inherited)));
                let adds = class.designated.is_empty() && !class.has_initializer && class.is_initialized;
                // A class with initialisers of its own as well has explicit overrides that must not be called.
                inherits = adds || all && class.overrides_only;
                if adds {
                    added.extend(inherited.into_iter().map(|inherited| {
                        let word = if inherited.is_required { "required" } else { "override" };
                        member_of(&[word], inherited.callable)
                    }));
                }
            }
            if !destroyed {
                added.push(destroy);
            }
        }
    }
    added.extend(hash_value(ty));
    if ty.keyword == TypeKeyword::Actor && surroundings.imports_concurrency && !has_property(ty, "unownedExecutor") {
        added.push(executor());
    }
    ty.members.extend(added);
    let hides = |all: Vec<Designated>| all.iter().any(|designated| designated.access == Access::Internal);
    let missing = is_public && initializers.designated(nominal, 0).is_some_and(hides);
    for (holds, attribute) in
        [(inherits, "@_inheritsConvenienceInitializers"), (missing, "@_hasMissingDesignatedInitializers")]
    {
        if holds && !declaration.has(attribute) {
            attributes::add(&mut declaration.attributes, attribute);
        }
    }
}

/// The executor of an actor that names none.
fn executor() -> Declaration {
    let attributes = [
        "@available(iOS 13.0, tvOS 13.0, watchOS 6.0, macOS 10.15, *)",
        "@_semantics(\"defaultActor\")",
        "nonisolated",
        "final",
    ];
    let attributes = attributes.iter().map(|attribute| (*attribute).to_owned()).collect();
    Declaration { attributes, ..getter("unownedExecutor", "UnownedSerialExecutor") }
}

// Structs.

fn struct_members(ty: &mut TypeDeclaration) {
    let hash_value = hash_value(ty);
    ty.members.extend(hash_value);
    if ty.members.iter().any(|member| initializer(member).is_some()) {
        return;
    }
    let has_value = |property: &Property| property.initial != Initial::None;
    let arguments = stored(ty).filter(|property| property.introducer == Introducer::Var || !has_value(property));
    let parameters: Vec<String> = arguments.map(memberwise).collect();
    let mut added = Vec::new();
    if stored(ty).all(has_value) {
        added.push(member_of(&[], callable(Vec::new())));
    }
    if !parameters.is_empty() {
        added.push(member_of(&[], callable(parameters)));
    }
    ty.members.extend(added);
}

/// The parameter of a memberwise initialiser.
fn memberwise(property: &Property) -> String {
    let Property { name, ty, initial, .. } = property;
    let storage = ["@sil_weak ", "@sil_unowned ", "@sil_unmanaged "];
    let text = storage.iter().find_map(|word| ty.text.strip_prefix(word)).unwrap_or(&ty.text);
    let (before, escaping) = match ty.form {
        TypeForm::Pointer => ("@_nonEphemeral ", ""),
        TypeForm::Function => ("", "@escaping "),
        TypeForm::ShortOptional | TypeForm::Other => ("", ""),
    };
    let value = match initial {
        Initial::None => String::new(),
        Initial::Nil => " = nil".to_owned(),
        Initial::Written(value) => format!(" = {value}"),
    };
    format!("{before}{name}: {escaping}{text}{value}")
}

// Enums.

/// The members of an enum without payloads: its raw values, or its conformance to `Equatable` and `Hashable`.
fn enum_members(ty: &mut TypeDeclaration, surroundings: &Surroundings<'_>) {
    let mut cases = ty.members.iter().filter_map(|member| match &member.kind {
        Kind::Cases(cases) => Some(cases),
        _ => None,
    });
    let mut any = false;
    let plain = cases.all(|cases| {
        any = true;
        cases.iter().all(|case| case.payload == Payload::None)
    });
    let Some(nominal) = ty.nominal else { return };
    let nominal = surroundings.table.get(nominal);
    if !plain || !any || nominal.attributes.noncopyable {
        return;
    }
    match (nominal.raw_type, &ty.inherited[..]) {
        (Some(_), [raw]) if !ty.members.iter().any(is_raw_value_member) => {
            let added = raw_value_members(raw);
            ty.members.extend(added);
        }
        (None, inherited) if !inherited.iter().any(|name| is_derived_protocol(name)) => {
            let added = hashable_members(ty);
            ty.members.extend(added);
        }
        _ => {}
    }
}

/// Whether a conformance needs more members than all enums get.
fn is_derived_protocol(name: &str) -> bool {
    matches!(
        name,
        "Equatable" | "Hashable" | "Comparable" | "CaseIterable" | "Codable" | "Encodable" | "Decodable" | "CodingKey"
    )
}

fn raw_value_members(raw: &str) -> Vec<Declaration> {
    let initializer = Callable { name: "?".to_owned(), ..callable(vec![format!("rawValue: {raw}")]) };
    vec![
        member_of(&[], initializer),
        Declaration { attributes: Vec::new(), kind: Kind::Line(format!("typealias RawValue = {raw}")) },
        getter("rawValue", raw),
    ]
}

/// Those that the enum has not.
fn hashable_members(ty: &TypeDeclaration) -> Vec<Declaration> {
    let function = |name: &str, parameters| Callable {
        keyword: CallableKeyword::Function,
        name: name.to_owned(),
        ..callable(parameters)
    };
    let identity = &ty.identity;
    let parameters = vec![format!("_ a: {identity}"), format!("_ b: {identity}")];
    let equals = Callable { result: Some("Bool".to_owned()), ..function("__derived_enum_equals", parameters) };
    let hash = function("hash", vec!["into hasher: inout Hasher".to_owned()]);
    let mut added = Vec::new();
    if !has_function(ty, "__derived_enum_equals") && !has_function(ty, "== ") {
        added.push(member_of(&["@_implements(Equatable, ==(_:_:))", "static"], equals));
    }
    if !has_function(ty, "hash") {
        added.push(member_of(&[], hash));
    }
    if !has_property(ty, "hashValue") {
        added.push(getter("hashValue", "Int"));
    }
    added
}

fn has_function(ty: &TypeDeclaration, name: &str) -> bool {
    ty.members.iter().any(|member| matches!(&member.kind, Kind::Callable(callable) if callable.name == name))
}

fn has_property(ty: &TypeDeclaration, name: &str) -> bool {
    ty.members.iter().any(|member| matches!(&member.kind, Kind::Property(property) if property.name == name))
}

/// `var name: ty { get }`
fn getter(name: &str, ty: &str) -> Declaration {
    let property = Property {
        introducer: Introducer::Var,
        name: name.to_owned(),
        ty: PropertyType { text: ty.to_owned(), form: TypeForm::Other },
        storage: Storage::Computed,
        accessors: vec![Accessor { modifiers: Vec::new(), text: "get".to_owned() }],
        layout: AccessorLayout::OneLine,
        initial: Initial::None,
    };
    Declaration { attributes: Vec::new(), kind: Kind::Property(property) }
}

/// The member of a type that states `Hashable` and compares and hashes itself.
fn hash_value(ty: &TypeDeclaration) -> Option<Declaration> {
    let hashable = ty.inherited.iter().any(|name| name == "Hashable");
    let compares = has_function(ty, "== ") || ty.keyword == TypeKeyword::Class;
    (hashable && compares && has_function(ty, "hash") && !has_property(ty, "hashValue"))
        .then(|| getter("hashValue", "Int"))
}

/// Whether a member is one of those that come with raw values.
fn is_raw_value_member(member: &Declaration) -> bool {
    match &member.kind {
        Kind::Property(property) => property.name == "rawValue",
        Kind::Line(text) => text.starts_with("typealias RawValue "),
        _ => false,
    }
}

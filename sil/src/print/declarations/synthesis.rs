//! The members that Swift adds to types: initialisers, `deinit`, what makes enums comparable and hashable; and the attributes
//! that come with them (lib/Sema/CodeSynthesis.cpp, lib/Sema/DerivedConformance).
//!
//! A type with a member that is not understood stays as it is written: what is missing cannot be told.

use rustc_hash::FxHashMap;

use super::attributes;
use super::tree::*;
use crate::context::Context;
use crate::declarations::{DeclarationTable, NominalId};
use crate::model::Module;
use crate::types::Type;

/// The attributes of stored properties.
const HAS_STORAGE: &str = "@_hasStorage";
const HAS_INITIAL_VALUE: &str = "@_hasInitialValue";

/// Adds to each declaration what Swift adds.
pub(super) fn complete(declarations: &mut [&mut Declaration], module: &Module) {
    let (context, table) = (&*module.context, &module.declarations);
    let imports_swift = module.imports.iter().any(|import| context.text(import.module) == "Swift");
    for declaration in declarations.iter_mut() {
        mark_members(declaration, None);
    }
    let mut classes = FxHashMap::default();
    for declaration in declarations.iter() {
        collect(declaration, context, table, &mut classes);
    }
    let surroundings = Surroundings { table, initializers: Initializers { classes }, imports_swift };
    for declaration in declarations.iter_mut() {
        add_members(declaration, &surroundings);
    }
}

/// What additions to a type depend on outside of it.
struct Surroundings<'m> {
    table: &'m DeclarationTable,
    initializers: Initializers,
    /// Whether the protocols that conformances are derived for can be named.
    imports_swift: bool,
}

fn members(declaration: &mut Declaration) -> Option<&mut TypeDeclaration> {
    match &mut declaration.kind {
        Kind::Type(ty) => Some(ty),
        _ => None,
    }
}

// Stored properties.

/// What a member stands in.
#[derive(Clone, Copy)]
struct Around {
    keyword: TypeKeyword,
    is_final: bool,
}

/// Adds `@_hasStorage`, `@_hasInitialValue` and `final` to members.
fn mark_members(declaration: &mut Declaration, around: Option<Around>) {
    let is_final = declaration.has("final");
    if let Some(ty) = members(declaration) {
        let around = Around { keyword: ty.keyword, is_final };
        for member in &mut ty.members {
            mark_members(member, Some(around));
        }
        return;
    }
    if let Kind::Property(property) = &declaration.kind
        && property.storage == Storage::Stored
    {
        let has_value = property.initial != Initial::None;
        let in_type = around.is_some_and(|around| {
            matches!(around.keyword, TypeKeyword::Struct | TypeKeyword::Class | TypeKeyword::Actor)
        });
        for (holds, attribute) in [(in_type, HAS_STORAGE), (has_value, HAS_INITIAL_VALUE)] {
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

/// The classes of the module with what their initialisers depend on.
struct Initializers {
    classes: FxHashMap<NominalId, Class>,
}

struct Class {
    superclass: Superclass,
    /// The initialisers that are written and not `convenience`.
    designated: Vec<(Access, Callable)>,
    /// Whether each of those is an `override`.
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
            overrides_only: designated.clone().all(|(declaration, _)| declaration.has("override")),
            designated: designated.map(|(declaration, callable)| (access(declaration), callable.clone())).collect(),
            has_initializer: initializers.count() > 0,
            is_initialized: stored(ty).all(|property| property.initial != Initial::None),
            is_understood: is_understood(ty),
            is_generic: !ty.generics.is_empty(),
        },
    );
}

fn initializer(declaration: &Declaration) -> Option<(&Declaration, &Callable)> {
    match &declaration.kind {
        Kind::Callable(callable) if callable.keyword == CallableKeyword::Initializer => Some((declaration, callable)),
        _ => None,
    }
}

fn stored(ty: &TypeDeclaration) -> impl Iterator<Item = &Property> {
    ty.members.iter().filter_map(|member| match &member.kind {
        Kind::Property(property) if property.storage == Storage::Stored && !member.is_static() => {
            Some(property)
        }
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
        layout: AccessorLayout::OneLine,
    }
}

fn member_of(attributes: &[&str], callable: Callable) -> Declaration {
    let attributes = attributes.iter().map(|attribute| (*attribute).to_owned()).collect();
    Declaration { attributes, kind: Kind::Callable(callable) }
}

impl Initializers {
    /// The designated initialisers of a class; none if they are not known.
    fn designated(&self, nominal: NominalId, depth: u32) -> Option<Vec<(Access, Callable)>> {
        const DEEPEST: u32 = 50;
        let class = self.classes.get(&nominal).filter(|class| class.is_understood && depth < DEEPEST)?;
        if !class.designated.is_empty() {
            return Some(class.designated.clone());
        }
        if class.has_initializer || !class.is_initialized {
            return Some(Vec::new());
        }
        match class.superclass {
            Superclass::None => Some(vec![(Access::Internal, callable(Vec::new()))]),
            Superclass::Known(superclass) => self.inherited(superclass, depth + 1),
            Superclass::Unknown => None,
        }
    }

    /// What a class inherits from a superclass.
    fn inherited(&self, superclass: NominalId, depth: u32) -> Option<Vec<(Access, Callable)>> {
        let designated = self.designated(superclass, depth)?;
        let generic = self.classes.get(&superclass).is_none_or(|class| class.is_generic);
        // The parameters of a generic superclass would have to be replaced.
        let plain = designated.iter().all(|(_, callable)| callable.parameters.is_empty() && callable.generics.is_empty());
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
        TypeKeyword::Class | TypeKeyword::Actor => class_members(declaration, &surroundings.initializers),
        TypeKeyword::Struct => struct_members(ty),
        TypeKeyword::Enum => enum_members(ty, surroundings),
        TypeKeyword::Protocol | TypeKeyword::Extension => {}
    }
}

// Classes.

fn class_members(declaration: &mut Declaration, initializers: &Initializers) {
    let is_public = declaration.has("public") || declaration.has("open");
    let Some(ty) = members(declaration) else { return };
    let Some(nominal) = ty.nominal else { return };
    let Some(class) = initializers.classes.get(&nominal) else { return };
    let destroy = Declaration { attributes: Vec::new(), kind: Kind::Deinitializer };
    let destroyed = ty.members.iter().any(|member| matches!(member.kind, Kind::Deinitializer));
    let mut added = Vec::new();
    let mut inherits = false;
    match class.superclass {
        Superclass::Unknown => {}
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
                let overrides = |callable: &Callable| {
                    class.designated.iter().any(|(_, own)| own.parameters == callable.parameters)
                };
                let all = inherited.iter().all(|(_, callable)| overrides(callable));
                let adds = class.designated.is_empty() && !class.has_initializer && class.is_initialized;
                // A class with initialisers of its own as well has written overrides that nobody may call.
                inherits = adds || all && class.overrides_only;
                if adds {
                    added.extend(inherited.into_iter().map(|(_, callable)| member_of(&["override"], callable)));
                }
            }
            if !destroyed {
                added.push(destroy);
            }
        }
    }
    added.extend(hash_value(ty));
    ty.members.extend(added);
    let hides = |all: Vec<(Access, Callable)>| all.iter().any(|(access, _)| *access == Access::Internal);
    let missing = is_public && initializers.designated(nominal, 0).is_some_and(hides);
    for (holds, attribute) in
        [(inherits, "@_inheritsConvenienceInitializers"), (missing, "@_hasMissingDesignatedInitializers")]
    {
        if holds && !declaration.has(attribute) {
            attributes::add(&mut declaration.attributes, attribute);
        }
    }
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

/// What an enum without payloads gets: its raw values, or what makes it comparable and hashable.
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
    if !plain || !any || nominal.attributes.noncopyable || ty.members.iter().any(is_derived) {
        return;
    }
    match (nominal.raw_type, &ty.inherited[..]) {
        (Some(_), [raw]) => {
            let added = raw_value_members(raw);
            ty.members.extend(added);
        }
        (None, inherited) if surroundings.imports_swift && !inherited.iter().any(is_derived_protocol) => {
            let added = hashable_members(&ty.identity);
            ty.members.extend(added);
        }
        _ => {}
    }
}

/// Whether more than what all enums get would have to be added for a conformance.
fn is_derived_protocol(name: &String) -> bool {
    matches!(
        name.as_str(),
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

fn hashable_members(identity: &str) -> Vec<Declaration> {
    let function = |name: &str, parameters| Callable {
        keyword: CallableKeyword::Function,
        name: name.to_owned(),
        ..callable(parameters)
    };
    let parameters = vec![format!("_ a: {identity}"), format!("_ b: {identity}")];
    let equals = Callable { result: Some("Bool".to_owned()), ..function("__derived_enum_equals", parameters) };
    let hash = function("hash", vec!["into hasher: inout Hasher".to_owned()]);
    vec![
        member_of(&["@_implements(Equatable, ==(_:_:))", "static"], equals),
        member_of(&[], hash),
        getter("hashValue", "Int"),
    ]
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

/// What a type that says that it is hashable gets where it compares and hashes itself.
fn hash_value(ty: &TypeDeclaration) -> Option<Declaration> {
    let has_function = |wanted: &str| {
        ty.members.iter().any(|member| matches!(&member.kind, Kind::Callable(callable) if callable.name == wanted))
    };
    let has_value = ty.members.iter().any(|member| matches!(&member.kind, Kind::Property(property) if property.name == "hashValue"));
    let hashable = ty.inherited.iter().any(|name| name == "Hashable");
    (hashable && has_function("hash") && has_function("== ") && !has_value).then(|| getter("hashValue", "Int"))
}

/// Whether a member is one of those that are derived.
fn is_derived(member: &Declaration) -> bool {
    match &member.kind {
        Kind::Callable(callable) => matches!(callable.name.as_str(), "__derived_enum_equals" | "== " | "hash"),
        Kind::Property(property) => matches!(property.name.as_str(), "hashValue" | "rawValue"),
        Kind::Line(text) => text.starts_with("typealias RawValue "),
        _ => false,
    }
}

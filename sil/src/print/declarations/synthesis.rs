//! The members that Swift adds to types: initialisers, `deinit`, what makes enums comparable and hashable; and the attributes
//! that come with them (lib/Sema/CodeSynthesis.cpp, lib/Sema/DerivedConformance).
//!
//! A type with a member that is not understood stays as it is written: what is missing cannot be told.

use rustc_hash::FxHashMap;

use super::attributes;
use super::tree::*;
use crate::context::Context;
use crate::declarations::{DeclarationTable, NominalId};
use crate::types::Type;

/// The attributes of stored properties.
const HAS_STORAGE: &str = "@_hasStorage";
const HAS_INITIAL_VALUE: &str = "@_hasInitialValue";

/// Adds to each declaration what Swift adds.
pub(super) fn complete(declarations: &mut [&mut Declaration], context: &Context, table: &DeclarationTable) {
    for declaration in declarations.iter_mut() {
        mark_properties(declaration, None);
    }
    let mut classes = FxHashMap::default();
    for declaration in declarations.iter() {
        collect(declaration, context, table, &mut classes);
    }
    let initializers = Initializers { classes };
    for declaration in declarations.iter_mut() {
        add_members(declaration, Scope { is_final: false }, &initializers);
    }
}

/// What the types around say about a type.
#[derive(Clone, Copy)]
struct Scope {
    is_final: bool,
}

fn members(declaration: &mut Declaration) -> Option<&mut TypeDeclaration> {
    match &mut declaration.kind {
        Kind::Type(ty) => Some(ty),
        _ => None,
    }
}

// Stored properties.

/// `@_hasStorage`, `@_hasInitialValue` and `final`.
fn mark_properties(declaration: &mut Declaration, around: Option<(TypeKeyword, bool)>) {
    let is_final_class = declaration.has("final");
    if let Some(ty) = members(declaration) {
        let inner = (ty.keyword, is_final_class && ty.keyword == TypeKeyword::Class);
        for member in &mut ty.members {
            mark_properties(member, Some(inner));
        }
        return;
    }
    let is_static = declaration.is_static();
    let Kind::Property(property) = &declaration.kind else { return };
    let (is_stored, has_value) = (property.storage == Storage::Stored, property.initial != Initial::None);
    if is_stored && has_value && !declaration.has(HAS_INITIAL_VALUE) {
        attributes::add(&mut declaration.attributes, HAS_INITIAL_VALUE);
    }
    let Some((keyword, in_final_class)) = around else { return };
    let in_type = matches!(keyword, TypeKeyword::Struct | TypeKeyword::Class | TypeKeyword::Actor);
    if is_stored && in_type && !declaration.has(HAS_STORAGE) {
        declaration.attributes.insert(0, HAS_STORAGE.to_owned());
    }
    if is_stored && in_final_class && !is_static && !declaration.has("final") {
        attributes::add(&mut declaration.attributes, "final");
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
    classes.insert(
        nominal,
        Class {
            superclass,
            designated: initializers
                .clone()
                .filter(|(declaration, _)| !declaration.has("convenience"))
                .map(|(declaration, callable)| (access(declaration), callable.clone()))
                .collect(),
            has_initializer: initializers.count() > 0,
            is_initialized: stored(ty).all(|(declaration, _)| declaration.has(HAS_INITIAL_VALUE)),
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

fn stored(ty: &TypeDeclaration) -> impl Iterator<Item = (&Declaration, &Property)> {
    ty.members.iter().filter_map(|member| match &member.kind {
        Kind::Property(property) if property.storage == Storage::Stored && !member.is_static() => {
            Some((member, property))
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
    }
}

fn initializer_of(attributes: &[&str], callable: Callable) -> Declaration {
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

fn add_members(declaration: &mut Declaration, around: Scope, initializers: &Initializers) {
    let scope = Scope { is_final: declaration.has("final") || around.is_final };
    if let Some(ty) = members(declaration) {
        for member in &mut ty.members {
            add_members(member, scope, initializers);
        }
        if !is_understood(ty) {
            return;
        }
    }
    let Kind::Type(ty) = &declaration.kind else { return };
    match ty.keyword {
        TypeKeyword::Class | TypeKeyword::Actor => class_members(declaration, initializers),
        TypeKeyword::Struct => struct_members(declaration),
        TypeKeyword::Enum => enum_members(declaration),
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
                added.push(initializer_of(&[], callable(Vec::new())));
            }
        }
        Superclass::Known(superclass) => {
            if let Some(inherited) = initializers.inherited(superclass, 0) {
                let overrides = |callable: &Callable| {
                    class.designated.iter().any(|(_, own)| own.parameters == callable.parameters)
                };
                let all = inherited.iter().all(|(_, callable)| overrides(callable));
                if class.designated.is_empty() && !class.has_initializer && class.is_initialized {
                    inherits = true;
                    added.extend(inherited.into_iter().map(|(_, callable)| initializer_of(&["override"], callable)));
                } else {
                    inherits = all && (class.is_initialized || !class.designated.is_empty());
                }
            }
            if !destroyed {
                added.push(destroy);
            }
        }
    }
    ty.members.extend(added);
    let missing = is_public
        && initializers
            .designated(nominal, 0)
            .is_some_and(|all| class.designated.is_empty() && !all.is_empty() || all.iter().any(|(access, _)| *access == Access::Internal));
    for (holds, attribute) in
        [(inherits, "@_inheritsConvenienceInitializers"), (missing, "@_hasMissingDesignatedInitializers")]
    {
        if holds && !declaration.has(attribute) {
            attributes::add(&mut declaration.attributes, attribute);
        }
    }
}

// Structs.

fn struct_members(declaration: &mut Declaration) {
    let Some(ty) = members(declaration) else { return };
    if ty.members.iter().any(|member| initializer(member).is_some()) {
        return;
    }
    let arguments: Vec<(&Declaration, &Property)> = stored(ty)
        .filter(|(member, property)| property.introducer == Introducer::Var || !member.has(HAS_INITIAL_VALUE))
        .collect();
    let initialized = stored(ty).all(|(member, _)| member.has(HAS_INITIAL_VALUE));
    let Some(parameters) = arguments.iter().map(|(member, property)| memberwise(member, property)).collect() else {
        return;
    };
    let mut added = Vec::new();
    if initialized {
        added.push(initializer_of(&[], callable(Vec::new())));
    }
    if !arguments.is_empty() {
        added.push(initializer_of(&[], callable(parameters)));
    }
    ty.members.extend(added);
}

/// The parameter of a memberwise initialiser; none if its default is not known.
fn memberwise(member: &Declaration, property: &Property) -> Option<String> {
    let ty = property.ty.text.trim_start_matches("@sil_weak ").trim_start_matches("@sil_unowned ");
    let ty = ty.trim_start_matches("@sil_unmanaged ");
    let (before, escaping) = match property.ty.form {
        TypeForm::Pointer => ("@_nonEphemeral ", ""),
        TypeForm::Function => ("", "@escaping "),
        TypeForm::ShortOptional | TypeForm::Other => ("", ""),
    };
    let value = match &property.initial {
        Initial::None if member.has(HAS_INITIAL_VALUE) => return None,
        Initial::None => String::new(),
        Initial::Nil => " = nil".to_owned(),
        Initial::Written(text) => format!(" = {text}"),
    };
    Some(format!("{before}{}: {escaping}{ty}{value}", property.name))
}

// Enums.

/// What makes an enum without payloads comparable and hashable.
fn enum_members(declaration: &mut Declaration) {
    let public = if declaration.has("public") { vec!["public".to_owned()] } else { Vec::new() };
    let Some(ty) = members(declaration) else { return };
    let mut cases = ty.members.iter().filter_map(|member| match &member.kind {
        Kind::Cases(cases) => Some(cases),
        _ => None,
    });
    let mut any = false;
    let plain = cases.all(|cases| {
        any = true;
        cases.iter().all(|case| case.payload == Payload::None)
    });
    let inherited_elsewhere = !ty.inherited.is_empty();
    if !plain || !any || inherited_elsewhere || ty.members.iter().any(is_derived) {
        return;
    }
    let identity = &ty.identity;
    let equals = Callable {
        keyword: CallableKeyword::Function,
        name: "__derived_enum_equals".to_owned(),
        parameters: vec![format!("_ a: {identity}"), format!("_ b: {identity}")],
        result: Some("Bool".to_owned()),
        ..callable(Vec::new())
    };
    let hash = Callable {
        keyword: CallableKeyword::Function,
        name: "hash".to_owned(),
        ..callable(vec!["into hasher: inout Hasher".to_owned()])
    };
    let value = Property {
        introducer: Introducer::Var,
        name: "hashValue".to_owned(),
        ty: PropertyType { text: "Int".to_owned(), form: TypeForm::Other },
        storage: Storage::Computed,
        accessors: vec![Accessor { modifiers: Vec::new(), text: "get".to_owned() }],
        initial: Initial::None,
    };
    let mut equals_attributes = vec!["@_implements(Equatable, ==(_:_:))".to_owned()];
    equals_attributes.extend(public.iter().cloned());
    equals_attributes.push("static".to_owned());
    ty.members.extend([
        Declaration { attributes: equals_attributes, kind: Kind::Callable(equals) },
        Declaration { attributes: public.clone(), kind: Kind::Callable(hash) },
        Declaration { attributes: public, kind: Kind::Property(value) },
    ]);
}

/// Whether a member is one of those that are derived.
fn is_derived(member: &Declaration) -> bool {
    match &member.kind {
        Kind::Callable(callable) => matches!(callable.name.as_str(), "__derived_enum_equals" | "== " | "hash"),
        Kind::Property(property) => property.name == "hashValue",
        _ => false,
    }
}

//! From libclang's cursors to declarations, by the rules of Swift's importer (lib/ClangImporter: ImportDecl.cpp,
//! ImportName.cpp, ImportType.cpp).

use std::collections::{HashMap, HashSet};

use crate::enum_names::{Constant, case_names};
use crate::libclang::{Cursor, CursorKind, TranslationUnit, Type, TypeKind};
use crate::model::*;

/// The largest array that is imported, in elements (ImportType.cpp).
const LARGEST_ARRAY: u64 = 4096;

/// Types that are aligned to more are not imported.
const LARGEST_ALIGNMENT: u64 = 16;

/// Types nested deeper than this in each other are not imported.
const DEEPEST: usize = 100;

/// All that the unit declares.
pub fn declarations(unit: &TranslationUnit) -> Declarations {
    let mut reader = Reader::default();
    for cursor in unit.declarations() {
        reader.declaration(cursor);
    }
    reader.declared
}

#[derive(Default)]
struct Reader {
    declared: Declarations,
    records: HashMap<usize, Option<RecordId>>,
    enumerations: HashMap<usize, Option<EnumerationId>>,
    aliases: HashSet<TypeName>,
    newtypes: HashMap<usize, Option<NewtypeId>>,
    depth: usize,
}

/// Where a type without a name of its own is used.
#[derive(Clone)]
struct FieldOf {
    record: RecordId,
    field: usize,
    swift_name: String,
}

impl Reader {
    fn declaration(&mut self, cursor: Cursor<'_>) {
        match cursor.kind() {
            CursorKind::Struct | CursorKind::Union => {
                self.record(cursor, None);
            }
            CursorKind::Enum => {
                self.enumeration(cursor, None);
            }
            CursorKind::Typedef => self.alias(cursor),
            CursorKind::Function => {
                if cursor.definition().is_some() {
                    self.declared.functions.insert(cursor.name());
                }
            }
            CursorKind::Variable => {
                if cursor.is_definition() {
                    self.declared.variables.insert(cursor.name());
                }
            }
            CursorKind::EnumConstant | CursorKind::Other => {}
        }
    }

    fn alias(&mut self, cursor: Cursor<'_>) {
        let name = type_name(cursor, cursor.name());
        if library_type(&name.name).is_some() || self.newtype(cursor).is_some() || !self.aliases.insert(name.clone()) {
            return;
        }
        let ty = self.ty(cursor.aliased_type(), None);
        let own_name = match &ty {
            CType::Record(id) => Some(&mut self.declared.records[id.0].name),
            CType::Enumeration(id) => Some(&mut self.declared.enumerations[id.0].name),
            _ => None,
        };
        match own_name {
            Some(own_name) if *own_name == name => {}
            // A type that has its name from this typedef alone: one of another name is a second name of the type.
            Some(own_name)
                if *own_name == TypeName::plain(cursor.aliased_type().canonical().spelling())
                    && *own_name == TypeName::plain(cursor.name()) =>
            {
                *own_name = name;
            }
            _ if ty == CType::Unknown => {}
            _ => self.declared.aliases.push(Alias { name, ty }),
        }
    }

    /// The struct that Swift makes of a typedef with `swift_newtype`, or `swift_wrapper` as it was called.
    fn newtype(&mut self, cursor: Cursor<'_>) -> Option<NewtypeId> {
        if let Some(known) = self.newtypes.get(&cursor.identity()) {
            return *known;
        }
        let text = if cursor.has_attributes() { cursor.declaration_text() } else { String::new() };
        let is_newtype = text.contains("swift_newtype(") || text.contains("swift_wrapper(");
        let ty = if is_newtype { self.ty(cursor.aliased_type(), None) } else { CType::Unknown };
        let id = (ty != CType::Unknown).then(|| {
            let name = type_name(cursor, cursor.name());
            self.declared.newtypes.push(Alias { name, ty });
            NewtypeId(self.declared.newtypes.len() - 1)
        });
        self.newtypes.insert(cursor.identity(), id);
        id
    }

    /// A struct or union that is complete and has a name, or is the type of a field.
    fn record(&mut self, cursor: Cursor<'_>, place: Option<&FieldOf>) -> Option<RecordId> {
        let cursor = cursor.definition()?;
        if let Some(known) = self.records.get(&cursor.identity()) {
            return *known;
        }
        let ty = cursor.ty();
        let (size, alignment) = (ty.size()?, ty.alignment()?);
        let (kind, word) = match cursor.kind() {
            CursorKind::Struct => (RecordKind::Struct, "struct"),
            CursorKind::Union => (RecordKind::Union, "union"),
            _ => return None,
        };
        let (name, spelling) = match (own_name(&ty.spelling()), place) {
            (Some(name), _) => (type_name(cursor, name), Spelling::Named(ty.canonical().spelling())),
            (None, Some(place)) => {
                let spelling = Spelling::TypeOfField { parent: place.record, field: place.field };
                (TypeName::plain(format!("__Unnamed_{word}_{}", place.swift_name)), spelling)
            }
            // A typedef or a variable may come to it.
            (None, None) => return None,
        };
        if alignment > LARGEST_ALIGNMENT {
            self.records.insert(cursor.identity(), None);
            return None;
        }
        let id = RecordId(self.declared.records.len());
        self.records.insert(cursor.identity(), Some(id));
        let c_name = c_name(&ty.canonical().spelling());
        self.declared.records.push(Record { name, spelling, c_name, size, alignment, kind, fields: Vec::new() });
        for (number, field) in ty.fields().into_iter().enumerate() {
            let field = self.field(field, id, number);
            self.declared.records[id.0].fields.push(field);
        }
        Some(id)
    }

    fn field(&mut self, cursor: Cursor<'_>, record: RecordId, number: usize) -> Field {
        let name = Some(cursor.name()).filter(|name| is_identifier(name));
        let unnamed = || format!("__Anonymous_field{number}");
        let swift_name = name.clone().map_or_else(unnamed, |name| type_name(cursor, name).name);
        let ty = cursor.ty();
        let offset = cursor.bit_offset().unwrap_or(0);
        let place = match cursor.bit_width() {
            Some(width) => Place::Bits { offset, width },
            None => Place::Bytes { offset: offset / 8, size: ty.size().unwrap_or(0) },
        };
        let ty = self.ty(ty, Some(&FieldOf { record, field: number, swift_name: swift_name.clone() }));
        Field { name, swift_name, place, ty }
    }

    fn enumeration(&mut self, cursor: Cursor<'_>, place: Option<&FieldOf>) -> Option<EnumerationId> {
        let cursor = cursor.definition()?;
        if let Some(known) = self.enumerations.get(&cursor.identity()) {
            return *known;
        }
        let (name, parent) = match (own_name(&cursor.ty().spelling()), place) {
            (Some(name), _) => (type_name(cursor, name), None),
            (None, Some(place)) => {
                (TypeName::plain(format!("__Unnamed_enum_{}", place.swift_name)), Some(place.record))
            }
            (None, None) => return None,
        };
        let kind = match cursor.has_attributes() {
            true => attributed_kind(cursor),
            false => EnumerationKind::Struct,
        };
        let raw_type = self.ty(cursor.integer_type(), None);
        let c_name = c_name(&cursor.ty().canonical().spelling());
        self.declared.enumerations.push(Enumeration { name, c_name, kind, parent, raw_type });
        let id = Some(EnumerationId(self.declared.enumerations.len() - 1));
        self.enumerations.insert(cursor.identity(), id);
        id
    }

    fn ty(&mut self, ty: Type<'_>, place: Option<&FieldOf>) -> CType {
        if self.depth >= DEEPEST {
            return CType::Unknown;
        }
        self.depth += 1;
        let found = self.ty_at(ty, place);
        self.depth -= 1;
        found
    }

    fn ty_at(&mut self, ty: Type<'_>, place: Option<&FieldOf>) -> CType {
        match ty.kind() {
            TypeKind::Void => CType::Void,
            TypeKind::Elaborated => self.ty(ty.named(), place),
            TypeKind::Attributed => self.ty(ty.modified(), place),
            TypeKind::Typedef => {
                let declaration = ty.declaration();
                match library_type(&declaration.name()) {
                    Some(name) => CType::Library(name),
                    None => match self.newtype(declaration) {
                        Some(newtype) => CType::Newtype(newtype),
                        None => self.ty(declaration.aliased_type(), place),
                    },
                }
            }
            TypeKind::Pointer => self.pointer(ty.pointee()),
            TypeKind::Record => self.record(ty.declaration(), place).map_or(CType::Unknown, CType::Record),
            TypeKind::Enum => self.enumeration(ty.declaration(), place).map_or(CType::Unknown, CType::Enumeration),
            TypeKind::ConstantArray => self.array(ty.element(), ty.count(), place),
            TypeKind::Vector => self.vector(ty.vector_element(), ty.vector_count()),
            kind => fundamental(kind, ty).map_or(CType::Unknown, CType::Library),
        }
    }

    fn array(&mut self, element: Type<'_>, count: Option<u64>, place: Option<&FieldOf>) -> CType {
        // A record without a name is called after a field only where it is the field's own type.
        let place = place.filter(|_| !is_array(element) && own_name(&element.canonical().spelling()).is_some());
        match (self.ty(element, place), count) {
            (CType::Unknown, _) | (_, None) => CType::Unknown,
            (_, Some(count)) if count > LARGEST_ARRAY => CType::Unknown,
            (element, Some(1)) => element,
            (element, Some(count)) => CType::Array(Box::new(element), count),
        }
    }

    /// Swift has vectors of numbers, of as many elements as it has types for (ImportType.cpp).
    fn vector(&mut self, element: Type<'_>, count: Option<u64>) -> CType {
        match (self.ty(element, None), count) {
            (CType::Library(element), Some(count @ (2 | 3 | 4 | 8 | 16 | 32 | 64))) => CType::Vector(element, count),
            _ => CType::Unknown,
        }
    }

    fn pointer(&mut self, pointee: Type<'_>) -> CType {
        if pointee.canonical().kind() == TypeKind::Function {
            return self.function_pointer(pointee.canonical());
        }
        let mutability = if pointee.canonical().is_const() { Mutability::Const } else { Mutability::Mutable };
        match self.ty(pointee, None) {
            CType::Unknown => CType::OpaquePointer,
            pointee => CType::Pointer { pointee: Box::new(pointee), mutability },
        }
    }

    fn function_pointer(&mut self, function: Type<'_>) -> CType {
        let result = self.ty(function.result(), None);
        let parameters: Option<Vec<CType>> =
            function.parameters().map(|types| types.into_iter().map(|ty| self.parameter(ty)).collect());
        match parameters {
            Some(parameters) if result != CType::Unknown && !parameters.contains(&CType::Unknown) => {
                CType::FunctionPointer { parameters, result: Box::new(result) }
            }
            _ => CType::OpaquePointer,
        }
    }

    fn parameter(&mut self, ty: Type<'_>) -> CType {
        match ty.canonical().kind() {
            TypeKind::ConstantArray | TypeKind::IncompleteArray => self.pointer(ty.canonical().element()),
            _ => self.ty(ty, None),
        }
    }
}

fn is_array(ty: Type<'_>) -> bool {
    ty.canonical().kind() == TypeKind::ConstantArray
}

/// `s` of `struct s`, or the name of a typedef. None for a type without a name, which clang describes by its place.
pub fn own_name(spelling: &str) -> Option<String> {
    c_name(spelling).map(|own| own.name)
}

/// The same with its name space.
fn c_name(spelling: &str) -> Option<CName> {
    let (name, space) = match tag(spelling) {
        Some(tag) => (tag, NameSpace::Tags),
        None => (without_qualifiers(spelling), NameSpace::Ordinary),
    };
    is_identifier(name).then(|| CName { name: name.to_owned(), space })
}

fn without_qualifiers(spelling: &str) -> &str {
    ["const ", "volatile "].iter().fold(spelling, |text, qualifier| text.trim_start_matches(qualifier))
}

/// `s` of `struct s`
fn tag(spelling: &str) -> Option<&str> {
    let bare = without_qualifiers(spelling);
    ["struct ", "union ", "enum "].iter().find_map(|word| bare.strip_prefix(word))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '$'))
}

/// The name in Swift of a declaration with the name `name` in C, by its attributes: `swift_name`, which may put it into
/// a type, and `swift_private`.
fn type_name(cursor: Cursor<'_>, name: String) -> TypeName {
    let text = if cursor.has_attributes() { cursor.declaration_text() } else { return TypeName::plain(name) };
    let mut result = given_name(&text).unwrap_or_else(|| TypeName::plain(name));
    let (head, tail) = around_body(&text);
    if head.contains("swift_private") || tail.contains("swift_private") {
        result.name.insert_str(0, "__");
    }
    result
}

/// The name that the attribute `swift_name` gives in the text of a declaration. One that makes a function a member is
/// no name for a type.
fn given_name(text: &str) -> Option<TypeName> {
    let (head, tail) = around_body(text);
    let (_, rest) = head.split_once("swift_name(\"").or_else(|| tail.split_once("swift_name(\""))?;
    let mut names: Vec<String> = rest.split('"').next()?.split('.').map(str::to_owned).collect();
    let name = names.pop()?;
    (is_identifier(&name) && names.iter().all(|name| is_identifier(name))).then_some(TypeName { outer: names, name })
}

/// The text before the members of a type and after them.
fn around_body(text: &str) -> (&str, &str) {
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if start < end => (&text[..start], &text[end..]),
        _ => (text, ""),
    }
}

/// The form of an enum with attributes.
fn attributed_kind(cursor: Cursor<'_>) -> EnumerationKind {
    let text = cursor.declaration_text();
    let (head, tail) = around_body(&text);
    let has = |attribute: &str| head.contains(attribute) || tail.contains(attribute);
    match (has("flag_enum"), has("enum_extensibility")) {
        (true, _) => EnumerationKind::OptionSet,
        (false, true) => own_enum(cursor),
        (false, false) => EnumerationKind::Struct,
    }
}

/// An enum of Swift's own kind. Of several constants of one value, the first is a case.
fn own_enum(cursor: Cursor<'_>) -> EnumerationKind {
    let size = cursor.integer_type().size().unwrap_or(0);
    let mask = if size < 8 { (1 << (size * 8)) - 1 } else { u64::MAX };
    let constants = cursor.members().into_iter().filter(|member| member.kind() == CursorKind::EnumConstant);
    let constants: Vec<Constant> = constants
        .map(|constant| Constant {
            name: constant.name(),
            swift_name: given_name(&constant.declaration_text()).map(|given| given.name),
            is_current: constant.is_current(),
            value: constant.constant_value() & mask,
        })
        .collect();
    let enumeration = own_name(&cursor.ty().spelling()).unwrap_or_default();
    let names = case_names(&enumeration, &constants);
    let mut seen = HashSet::new();
    let cases = names.into_iter().zip(&constants).filter(|(_, constant)| seen.insert(constant.value));
    EnumerationKind::Enum { cases: cases.map(|(name, constant)| (name, constant.value)).collect(), size }
}

/// The type of Swift's library that an arithmetic type of C is (stdlib/public/core/CTypes.swift).
fn fundamental(kind: TypeKind, ty: Type<'_>) -> Option<&'static str> {
    Some(match kind {
        TypeKind::Bool => "Bool",
        TypeKind::Char => "CChar",
        TypeKind::SignedChar => "Int8",
        TypeKind::UnsignedChar => "UInt8",
        TypeKind::Short => "Int16",
        TypeKind::UnsignedShort => "UInt16",
        TypeKind::Int => "Int32",
        TypeKind::UnsignedInt => "UInt32",
        TypeKind::Long => "Int",
        TypeKind::UnsignedLong => "UInt",
        TypeKind::LongLong => "Int64",
        TypeKind::UnsignedLongLong => "UInt64",
        TypeKind::Half => "Float16",
        TypeKind::Float => "Float",
        TypeKind::Double => "Double",
        TypeKind::LongDouble if ty.size() == Some(8) => "Double",
        _ => return None,
    })
}

/// The type of Swift's library that a typedef of this name is, whatever it stands for
/// (lib/ClangImporter/MappedTypes.def).
fn library_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "uint8_t" | "u_int8_t" => "UInt8",
        "uint16_t" | "u_int16_t" => "UInt16",
        "uint32_t" | "u_int32_t" => "UInt32",
        "uint64_t" | "u_int64_t" => "UInt64",
        "int8_t" => "Int8",
        "int16_t" => "Int16",
        "int32_t" => "Int32",
        "int64_t" => "Int64",
        "intptr_t" | "ptrdiff_t" | "size_t" | "rsize_t" | "ssize_t" => "Int",
        "uintptr_t" => "UInt",
        "wchar_t" => "CWideChar",
        "va_list" | "__gnuc_va_list" | "__va_list" => "CVaListPointer",
        _ => return None,
    })
}

//! The boundary to libclang, which is loaded as the program runs: safe functions over its C interface, and all `unsafe`
//! of this crate.
//!
//! libclang takes any cursor and any type, invalid ones too, and answers with invalid ones or negative numbers. Two
//! conditions must hold: the library is loaded on the calling thread, which a [`Library`] proves, and the translation
//! unit lives, which lifetimes ensure.
#![allow(unsafe_code, reason = "this module is the boundary to libclang's C interface")]
#![allow(non_upper_case_globals, reason = "libclang names its constants")]

use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::marker::PhantomData;

use clang_sys::*;

/// libclang, loaded for this thread.
#[derive(Clone, Copy)]
pub struct Library(PhantomData<*const ()>);

/// Headers that were parsed.
pub struct TranslationUnit {
    index: CXIndex,
    unit: CXTranslationUnit,
    _library: Library,
}

/// A declaration or a part of one.
#[derive(Clone, Copy)]
pub struct Cursor<'u>(CXCursor, PhantomData<&'u TranslationUnit>);

/// A type of C.
#[derive(Clone, Copy)]
pub struct Type<'u>(CXType, PhantomData<&'u TranslationUnit>);

/// The kind of a cursor, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CursorKind {
    Struct,
    Union,
    Enum,
    EnumConstant,
    Function,
    Variable,
    Typedef,
    Other,
}

/// The kind of a type, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Half,
    Float,
    Double,
    LongDouble,
    Pointer,
    Record,
    Enum,
    Typedef,
    ConstantArray,
    IncompleteArray,
    Vector,
    Function,
    Elaborated,
    Attributed,
    Other,
}

/// A text that clang is to take for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Where the file is.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Library {
    /// Loads libclang. None where there is none.
    pub fn load() -> Option<Self> {
        if !is_loaded() && load().is_err() {
            return None;
        }
        Some(Self(PhantomData))
    }

    /// Parses the first of the texts, which finds the others at their paths. None if clang gives nothing at all.
    pub fn parse(self, texts: &[SourceText], arguments: &[String]) -> Option<TranslationUnit> {
        let paths: Vec<CString> = texts.iter().map(|text| CString::new(&*text.path)).collect::<Result<_, _>>().ok()?;
        let arguments: Vec<CString> =
            arguments.iter().map(|argument| CString::new(argument.as_str())).collect::<Result<_, _>>().ok()?;
        let arguments: Vec<_> =
            std::iter::once(c"clang".as_ptr()).chain(arguments.iter().map(|a| a.as_ptr())).collect();
        let unsaved = |(path, SourceText { text, .. }): (&CString, &SourceText)| CXUnsavedFile {
            Filename: path.as_ptr(),
            Contents: text.as_ptr().cast(),
            Length: text.len() as _,
        };
        let mut files: Vec<CXUnsavedFile> = paths.iter().zip(texts).map(unsaved).collect();
        let name = paths.first()?;
        let mut unit = std::ptr::null_mut();
        // SAFETY: the library is loaded; all pointers are to memory that lives during the call, with the lengths that
        // are given with them.
        let index = unsafe { clang_createIndex(0, 0) };
        // SAFETY: as above.
        let status = unsafe {
            let count = arguments.len() as c_int;
            let options = CXTranslationUnit_None;
            clang_parseTranslationUnit2FullArgv(
                index,
                name.as_ptr(),
                arguments.as_ptr(),
                count,
                files.as_mut_ptr(),
                files.len() as _,
                options,
                &mut unit,
            )
        };
        if status != CXError_Success || unit.is_null() {
            // SAFETY: the index was made above and nothing refers to it.
            unsafe { clang_disposeIndex(index) };
            return None;
        }
        Some(TranslationUnit { index, unit, _library: self })
    }
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both were made by `Library::parse`, and cursors and types of the unit borrow it.
        unsafe {
            clang_disposeTranslationUnit(self.unit);
            clang_disposeIndex(self.index);
        }
    }
}

/// Takes libclang's string over.
fn text_of(string: CXString) -> String {
    // SAFETY: the string is libclang's own, ends with a zero where it is not null, and is disposed of once.
    unsafe {
        let characters = clang_getCString(string);
        let text = match characters.is_null() {
            true => String::new(),
            false => CStr::from_ptr(characters).to_string_lossy().into_owned(),
        };
        clang_disposeString(string);
        text
    }
}

/// Calls `visit` for each cursor that libclang visits. The data is the closure itself.
extern "C" fn visit_child(cursor: CXCursor, _: CXCursor, data: CXClientData) -> CXChildVisitResult {
    // SAFETY: `Cursor::members` gave its vector, which lives during the visit.
    unsafe { (*data.cast::<Vec<CXCursor>>()).push(cursor) };
    CXChildVisit_Continue
}

extern "C" fn visit_field(cursor: CXCursor, data: CXClientData) -> CXVisitorResult {
    // SAFETY: `Type::fields` gave its vector, which lives during the visit.
    unsafe { (*data.cast::<Vec<CXCursor>>()).push(cursor) };
    CXVisit_Continue
}

impl TranslationUnit {
    /// clang's errors, as it prints them.
    pub fn errors(&self) -> Vec<String> {
        // SAFETY: the unit lives; each diagnostic is disposed of once.
        unsafe {
            let format = clang_defaultDiagnosticDisplayOptions();
            let diagnostics = (0..clang_getNumDiagnostics(self.unit)).filter_map(|number| {
                let diagnostic = clang_getDiagnostic(self.unit, number);
                let is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
                let text = is_error.then(|| text_of(clang_formatDiagnostic(diagnostic, format)));
                clang_disposeDiagnostic(diagnostic);
                text
            });
            diagnostics.collect()
        }
    }

    /// The declarations of the outermost level, in their order.
    pub fn declarations(&self) -> Vec<Cursor<'_>> {
        // SAFETY: the unit lives.
        let root = unsafe { clang_getTranslationUnitCursor(self.unit) };
        Cursor(root, PhantomData).members()
    }
}

impl<'u> Cursor<'u> {
    /// Its kind.
    pub fn kind(self) -> CursorKind {
        match self.0.kind {
            CXCursor_StructDecl => CursorKind::Struct,
            CXCursor_UnionDecl => CursorKind::Union,
            CXCursor_EnumDecl => CursorKind::Enum,
            CXCursor_EnumConstantDecl => CursorKind::EnumConstant,
            CXCursor_FunctionDecl => CursorKind::Function,
            CXCursor_VarDecl => CursorKind::Variable,
            CXCursor_TypedefDecl => CursorKind::Typedef,
            _ => CursorKind::Other,
        }
    }

    /// Its name.
    pub fn name(self) -> String {
        // SAFETY: libclang takes any cursor.
        text_of(unsafe { clang_getCursorSpelling(self.0) })
    }

    /// The declarations directly in it, in order.
    pub fn members(self) -> Vec<Self> {
        let mut found: Vec<CXCursor> = Vec::new();
        // SAFETY: libclang takes any cursor, and `visit_child` casts the data back to the vector that it is.
        unsafe { clang_visitChildren(self.0, visit_child, (&raw mut found).cast::<c_void>()) };
        found.into_iter().map(|cursor| Cursor(cursor, PhantomData)).collect()
    }

    /// The value of a constant of an enum.
    pub fn constant_value(self) -> u64 {
        // SAFETY: libclang takes any cursor.
        unsafe { clang_getEnumConstantDeclUnsignedValue(self.0) }
    }

    /// Whether it may be used without a warning.
    pub fn is_current(self) -> bool {
        // SAFETY: libclang takes any cursor.
        unsafe { clang_getCursorAvailability(self.0) == CXAvailability_Available }
    }

    /// A number that only cursors of the same declaration have.
    pub fn identity(self) -> usize {
        self.0.data[0] as usize
    }

    /// The type that it declares or has.
    pub fn ty(self) -> Type<'u> {
        // SAFETY: libclang takes any cursor.
        Type(unsafe { clang_getCursorType(self.0) }, PhantomData)
    }

    /// The type that a typedef is an alias of.
    pub fn aliased_type(self) -> Type<'u> {
        // SAFETY: libclang takes any cursor.
        Type(unsafe { clang_getTypedefDeclUnderlyingType(self.0) }, PhantomData)
    }

    /// The integer type of an enum.
    pub fn integer_type(self) -> Type<'u> {
        // SAFETY: libclang takes any cursor.
        Type(unsafe { clang_getEnumDeclIntegerType(self.0) }, PhantomData)
    }

    /// Its definition, if there is one.
    pub fn definition(self) -> Option<Self> {
        // SAFETY: libclang takes any cursor.
        unsafe {
            let definition = clang_getCursorDefinition(self.0);
            (clang_Cursor_isNull(definition) == 0).then_some(Cursor(definition, PhantomData))
        }
    }

    /// Whether it is a definition.
    pub fn is_definition(self) -> bool {
        // SAFETY: libclang takes any cursor.
        unsafe { clang_isCursorDefinition(self.0) != 0 }
    }

    /// The text of its declaration, attributes and all.
    pub fn declaration_text(self) -> String {
        // SAFETY: libclang takes any cursor; a null policy means the default.
        text_of(unsafe { clang_getCursorPrettyPrinted(self.0, std::ptr::null_mut()) })
    }

    /// Whether it has attributes.
    pub fn has_attributes(self) -> bool {
        // SAFETY: libclang takes any cursor.
        unsafe { clang_Cursor_hasAttrs(self.0) != 0 }
    }

    /// Where a field lies in its record, in bits.
    pub fn bit_offset(self) -> Option<u64> {
        // SAFETY: libclang takes any cursor.
        u64::try_from(unsafe { clang_Cursor_getOffsetOfField(self.0) }).ok()
    }

    /// The width of a bit-field.
    pub fn bit_width(self) -> Option<u64> {
        // SAFETY: libclang takes any cursor.
        unsafe {
            let is_bit_field = clang_Cursor_isBitField(self.0) != 0;
            is_bit_field.then(|| u64::try_from(clang_getFieldDeclBitWidth(self.0)).unwrap_or(0))
        }
    }
}

impl<'u> Type<'u> {
    /// Its kind.
    pub fn kind(self) -> TypeKind {
        match self.0.kind {
            CXType_Void => TypeKind::Void,
            CXType_Bool => TypeKind::Bool,
            CXType_Char_U | CXType_Char_S => TypeKind::Char,
            CXType_SChar => TypeKind::SignedChar,
            CXType_UChar => TypeKind::UnsignedChar,
            CXType_Short => TypeKind::Short,
            CXType_UShort => TypeKind::UnsignedShort,
            CXType_Int => TypeKind::Int,
            CXType_UInt => TypeKind::UnsignedInt,
            CXType_Long => TypeKind::Long,
            CXType_ULong => TypeKind::UnsignedLong,
            CXType_LongLong => TypeKind::LongLong,
            CXType_ULongLong => TypeKind::UnsignedLongLong,
            CXType_Float16 | CXType_Half => TypeKind::Half,
            CXType_Float => TypeKind::Float,
            CXType_Double => TypeKind::Double,
            CXType_LongDouble => TypeKind::LongDouble,
            CXType_Pointer => TypeKind::Pointer,
            CXType_Record => TypeKind::Record,
            CXType_Enum => TypeKind::Enum,
            CXType_Typedef => TypeKind::Typedef,
            CXType_ConstantArray => TypeKind::ConstantArray,
            CXType_IncompleteArray => TypeKind::IncompleteArray,
            CXType_Vector | CXType_ExtVector => TypeKind::Vector,
            CXType_FunctionProto | CXType_FunctionNoProto => TypeKind::Function,
            CXType_Elaborated => TypeKind::Elaborated,
            CXType_Attributed => TypeKind::Attributed,
            _ => TypeKind::Other,
        }
    }

    /// As C spells it.
    pub fn spelling(self) -> String {
        // SAFETY: libclang takes any type.
        text_of(unsafe { clang_getTypeSpelling(self.0) })
    }

    /// Without typedefs.
    pub fn canonical(self) -> Self {
        // SAFETY: libclang takes any type.
        Type(unsafe { clang_getCanonicalType(self.0) }, PhantomData)
    }

    /// The type that an elaborated type, `struct s`, names.
    pub fn named(self) -> Self {
        // SAFETY: libclang takes any type.
        Type(unsafe { clang_Type_getNamedType(self.0) }, PhantomData)
    }

    /// The type that an attributed type is of.
    pub fn modified(self) -> Self {
        // SAFETY: libclang takes any type.
        Type(unsafe { clang_Type_getModifiedType(self.0) }, PhantomData)
    }

    /// Its declaration.
    pub fn declaration(self) -> Cursor<'u> {
        // SAFETY: libclang takes any type.
        Cursor(unsafe { clang_getTypeDeclaration(self.0) }, PhantomData)
    }

    /// The pointee of a pointer.
    pub fn pointee(self) -> Self {
        // SAFETY: libclang takes any type.
        Type(unsafe { clang_getPointeeType(self.0) }, PhantomData)
    }

    /// Whether it is `const`.
    pub fn is_const(self) -> bool {
        // SAFETY: libclang takes any type.
        unsafe { clang_isConstQualifiedType(self.0) != 0 }
    }

    /// The element of an array.
    pub fn element(self) -> Self {
        // SAFETY: libclang takes any type.
        Type(unsafe { clang_getArrayElementType(self.0) }, PhantomData)
    }

    /// How many elements an array has.
    pub fn count(self) -> Option<u64> {
        // SAFETY: libclang takes any type.
        u64::try_from(unsafe { clang_getArraySize(self.0) }).ok()
    }

    /// The type of a vector's elements.
    pub fn vector_element(self) -> Self {
        // SAFETY: libclang takes any type.
        Type(unsafe { clang_getElementType(self.0) }, PhantomData)
    }

    /// How many elements a vector has.
    pub fn vector_count(self) -> Option<u64> {
        // SAFETY: libclang takes any type.
        u64::try_from(unsafe { clang_getNumElements(self.0) }).ok()
    }

    /// The result of a function.
    pub fn result(self) -> Self {
        // SAFETY: libclang takes any type.
        Type(unsafe { clang_getResultType(self.0) }, PhantomData)
    }

    /// The parameters of a function. None where it takes any number of them.
    pub fn parameters(self) -> Option<Vec<Self>> {
        // SAFETY: libclang takes any type; the numbers are below the count that it gave.
        unsafe {
            if self.0.kind != CXType_FunctionProto || clang_isFunctionTypeVariadic(self.0) != 0 {
                return None;
            }
            let count = c_uint::try_from(clang_getNumArgTypes(self.0)).ok()?;
            Some((0..count).map(|number| Type(clang_getArgType(self.0, number), PhantomData)).collect())
        }
    }

    /// Its size in bytes. None where it is not complete.
    pub fn size(self) -> Option<u64> {
        // SAFETY: libclang takes any type.
        u64::try_from(unsafe { clang_Type_getSizeOf(self.0) }).ok()
    }

    /// Its alignment in bytes. None where it is not complete.
    pub fn alignment(self) -> Option<u64> {
        // SAFETY: libclang takes any type.
        u64::try_from(unsafe { clang_Type_getAlignOf(self.0) }).ok()
    }

    /// The fields of a record, those without a name too.
    pub fn fields(self) -> Vec<Cursor<'u>> {
        let mut found: Vec<CXCursor> = Vec::new();
        // SAFETY: libclang takes any type, and `visit_field` casts the data back to the vector that it is.
        unsafe { clang_Type_visitFields(self.0, visit_field, (&raw mut found).cast::<c_void>()) };
        found.into_iter().map(|cursor| Cursor(cursor, PhantomData)).collect()
    }
}

//! The C that a module needs compiled beside its SIL: bodies of headers, accessors of bit-fields, and calls that pass
//! structures by C's convention; and clang, which compiles it.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Headers;
use crate::error::HeaderError;
use crate::model::*;
use crate::read::own_name;

/// The name of the text that includes the headers.
pub const FILE_NAME: &str = "silc-headers.c";

/// The environment variable that names clang.
const CLANG_VARIABLE: &str = "SILC_CLANG";

/// Tried in this order: bitcode must not be newer than silc's own LLVM.
const KNOWN_CLANGS: &[&str] = &["clang-22", "/usr/lib/llvm-22/bin/clang", "clang"];

/// The array that keeps the requested declarations alive in clang.
pub const KEPT: &str = "silc_wanted";

/// Defines the prefix of the target's symbols.
const PREFIX: &str = "#define SILC_TEXT(text) #text\n#define SILC_TEXT_OF(text) SILC_TEXT(text)\n\
                      #define SILC_PREFIX SILC_TEXT_OF(__USER_LABEL_PREFIX__)\n";

/// A request for definitions of headers.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Request {
    /// Functions and variables that the headers define.
    pub definitions: Vec<String>,
    /// Accessors of bit-fields by their symbols.
    pub accessors: Vec<Accessor>,
    /// Functions that call others by C's convention, by their symbols: they take the function's address, then the
    /// address for the result where that is a structure, then the arguments, structures by their addresses.
    pub calls: BTreeMap<String, CFunction>,
    /// Functions that C calls, by their symbols, each with that of the function that they call in turn, which takes
    /// structures by their addresses.
    pub entries: BTreeMap<String, (String, CFunction)>,
}

impl Request {
    /// Whether nothing is wanted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A function that Swift's importer makes up for a bit-field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accessor {
    /// Its symbol.
    pub symbol: String,
    /// The Swift names of the record and the records around it, outermost first.
    pub record: Vec<String>,
    /// The bit-field.
    pub field: String,
    /// Its kind.
    pub kind: AccessorKind,
    /// The type of the value.
    pub value: CScalar,
}

/// The kind of an accessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessorKind {
    /// It takes a record and returns the value.
    Getter,
    /// It takes the value and the address of a record.
    Setter,
}

/// The type of a function of C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CFunction {
    /// The parameters.
    pub parameters: Vec<CValue>,
    /// The result, if any.
    pub result: Option<CValue>,
}

/// A parameter or the result of a function of C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CValue {
    /// One register's worth.
    Scalar(CScalar),
    /// The structure with this name in Swift, after those that it is nested in.
    Record(Vec<String>),
    /// So many elements in one register.
    Vector { element: CScalar, count: u32 },
}

impl CValue {
    /// Whether it is given to the functions of a request by its address: how it goes by value is clang's knowledge.
    fn goes_by_address(&self) -> bool {
        match self {
            CValue::Scalar(_) => false,
            CValue::Record(_) | CValue::Vector { .. } => true,
        }
    }
}

/// A scalar type of C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CScalar {
    /// `_Bool`
    Bool,
    /// An integer of so many bits: 8, 16, 32, 64.
    Integer { bits: u32, is_signed: bool },
    /// A float of so many bits: 16, 32, 64.
    Float { bits: u32 },
    /// An address.
    Pointer,
}

/// How clang prepares bodies for optimisation, which it leaves to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimization {
    /// Functions stay as they are.
    None,
    /// They may be inlined.
    Optimize,
}

/// The line that includes a header.
pub fn include(file: &Path) -> Result<String, HeaderError> {
    let missing = || HeaderError::NoHeader { path: file.to_owned() };
    let path = file.canonicalize().map_err(|_| missing())?;
    let path = path.to_str().filter(|text| path.is_file() && !text.contains(['"', '\n'])).ok_or_else(missing)?;
    Ok(format!("#include \"{path}\"\n"))
}

/// clang's arguments for each parse. Swift's importer reads C of 2011 and defines its own macros.
pub fn parsing_arguments(arguments: &[String]) -> Vec<String> {
    let own = ["-x", "c", "-std=gnu11", "-w", "-D__swift__=51000"];
    own.iter().map(|argument| (*argument).to_owned()).chain(arguments.iter().cloned()).collect()
}

impl CScalar {
    fn spelling(self) -> &'static str {
        match self {
            CScalar::Bool => "_Bool",
            CScalar::Integer { bits: 8, is_signed: true } => "signed char",
            CScalar::Integer { bits: 8, is_signed: false } => "unsigned char",
            CScalar::Integer { bits: 16, is_signed: true } => "short",
            CScalar::Integer { bits: 16, is_signed: false } => "unsigned short",
            CScalar::Integer { bits: 64, is_signed: true } => "long long",
            CScalar::Integer { bits: 64, is_signed: false } => "unsigned long long",
            CScalar::Integer { is_signed: true, .. } => "int",
            CScalar::Integer { is_signed: false, .. } => "unsigned int",
            CScalar::Float { bits: 16 } => "_Float16",
            CScalar::Float { bits: 32 } => "float",
            CScalar::Float { .. } => "double",
            CScalar::Pointer => "void *",
        }
    }
}

impl Headers {
    /// The record with this name in Swift, after those that it is nested in.
    fn record(&self, path: &[String]) -> Option<RecordId> {
        let records = &self.declarations.records;
        let mut named = records.iter().enumerate().filter_map(|(number, record)| {
            // Symbols have the name in C, types that in Swift.
            let Spelling::Named(spelling) = &record.spelling else { return None };
            let in_c = own_name(spelling).map(TypeName::plain);
            let nested = record.name.strip_from(path).or_else(|| in_c?.strip_from(path))?;
            self.nested(RecordId(number), nested)
        });
        named.next()
    }

    /// The record with this name, after those that it is nested in, from `outer` on.
    fn nested(&self, outer: RecordId, names: &[String]) -> Option<RecordId> {
        let mut found = outer;
        for name in names {
            let is_it = |record: &Record| {
                matches!(record.spelling, Spelling::TypeOfField { parent, .. } if parent == found)
                    && record.name.name == *name
            };
            found = RecordId(self.declarations.records.iter().position(is_it)?);
        }
        Some(found)
    }

    /// Whether the headers have the record with this name in Swift, after those that it is nested in.
    pub fn has_record(&self, path: &[String]) -> bool {
        self.record(path).is_some()
    }

    /// Whether the record has a bit-field of this name in Swift.
    pub fn has_bit_field(&self, path: &[String], field: &str) -> bool {
        self.record(path).is_some_and(|record| self.bit_field(record, field).is_some())
    }

    /// The name in C of a bit-field.
    fn bit_field(&self, record: RecordId, field: &str) -> Option<&str> {
        let fields = &self.declarations.records[record.0].fields;
        let is_it = |known: &&Field| known.swift_name == field && matches!(known.place, Place::Bits { .. });
        fields.iter().find(is_it)?.name.as_deref()
    }

    /// The requested definitions, as LLVM bitcode for the target.
    ///
    /// Fails where there is no clang, or where it refuses the text.
    pub fn bitcode(&self, request: &Request, optimization: Optimization) -> Result<Vec<u8>, HeaderError> {
        compile(&UnitWriter::new(self).text(request), &self.arguments, optimization)
    }
}

/// Writes the text that clang compiles.
struct UnitWriter<'h> {
    headers: &'h Headers,
    /// Declarations that replace records without a name in C.
    stand_ins: String,
    text: String,
}

impl<'h> UnitWriter<'h> {
    fn new(headers: &'h Headers) -> Self {
        Self { headers, stand_ins: String::new(), text: String::new() }
    }

    fn text(mut self, request: &Request) -> String {
        for (name, (element, count)) in vectors(request) {
            let element = element.spelling();
            let _ = writeln!(self.stand_ins, "typedef {element} {name} __attribute__((ext_vector_type({count})));");
        }
        for accessor in &request.accessors {
            self.accessor(accessor);
        }
        for (symbol, function) in &request.calls {
            self.call(symbol, function);
        }
        for (number, (symbol, (callee, function))) in request.entries.iter().enumerate() {
            self.entry(number, symbol, callee, function);
        }
        if !request.definitions.is_empty() {
            let kept: String = request.definitions.iter().map(|name| format!("(const void *)&{name}, ")).collect();
            let _ = writeln!(self.text, "const void *const {KEPT}[] = {{ {kept}}};");
        }
        for number in 0..self.headers.declarations.records.len() {
            if self.text.contains(&stand_in(number)) {
                let record = &self.headers.declarations.records[number];
                let (alignment, size, name) = (record.alignment, record.size, stand_in(number));
                let _ = writeln!(
                    self.stand_ins,
                    "typedef struct {{ _Alignas({alignment}) unsigned char bytes[{size}]; }} {name};"
                );
            }
        }
        format!("{}{PREFIX}{}{}", self.headers.includes, self.stand_ins, self.text)
    }

    fn record_spelling(&self, id: RecordId) -> String {
        match &self.headers.declarations.records[id.0].spelling {
            Spelling::Named(name) => name.clone(),
            Spelling::TypeOfField { .. } => stand_in(id.0),
        }
    }

    fn spelling(&self, value: &CValue) -> String {
        match value {
            CValue::Scalar(scalar) => scalar.spelling().to_owned(),
            CValue::Record(path) => self.headers.record(path).map_or_else(String::new, |id| self.record_spelling(id)),
            CValue::Vector { element, count } => vector(*element, *count),
        }
    }

    /// A record may be known to C only as a part of another one: the accessor then copies it into that.
    fn accessor(&mut self, accessor: &Accessor) {
        let Some(record) = self.headers.record(&accessor.record) else { return };
        let Some(field) = self.headers.bit_field(record, &accessor.field) else { return };
        let (outer, offset, path) = self.outermost(record);
        let (outer, record) = (self.record_spelling(outer), self.record_spelling(record));
        let (value, symbol) = (accessor.value.spelling(), &accessor.symbol);
        let whole = format!("{outer} whole; char *part = (char *)&whole + {offset}");
        let _ = match accessor.kind {
            AccessorKind::Getter => writeln!(
                self.text,
                "{value} {symbol}({record} self) {{ {whole}; __builtin_memcpy(part, &self, sizeof self); return whole.{path}{field}; }}"
            ),
            AccessorKind::Setter => writeln!(
                self.text,
                "void {symbol}({value} value, {record} *self) {{ {whole}; __builtin_memcpy(part, self, sizeof *self); \
                 whole.{path}{field} = value; __builtin_memcpy(self, part, sizeof *self); }}"
            ),
        };
    }

    /// The record around `record` that C has a name for, where in it that lies in bytes, and the path of fields to it.
    fn outermost(&self, record: RecordId) -> (RecordId, u64, String) {
        let (mut found, mut offset, mut path) = (record, 0, String::new());
        while let Spelling::TypeOfField { parent, field } = self.headers.declarations.records[found.0].spelling {
            let field = &self.headers.declarations.records[parent.0].fields[field];
            if let Place::Bytes { offset: within, .. } = field.place {
                offset += within;
            }
            if let Some(name) = &field.name {
                path = format!("{name}.{path}");
            }
            found = parent;
        }
        (found, offset, path)
    }

    fn call(&mut self, symbol: &str, function: &CFunction) {
        let result = function.result.as_ref().map_or_else(|| "void".to_owned(), |result| self.spelling(result));
        let types: Vec<String> = function.parameters.iter().map(|parameter| self.spelling(parameter)).collect();
        let parameters = self.by_address(function);
        let arguments: Vec<String> = function.parameters.iter().enumerate().map(argument_by_value).collect();
        let take = match &function.result {
            None => "",
            Some(CValue::Scalar(_)) => "return ",
            Some(CValue::Record(_) | CValue::Vector { .. }) => "*result = ",
        };
        let returned = returned_directly(function, &result);
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let _ = writeln!(
            self.text,
            "__attribute__((always_inline)) {returned} {symbol}(void *function{parameters}) {{ {take}(({result} (*)({types}))function)({}); }}",
            arguments.join(", ")
        );
    }

    fn entry(&mut self, number: usize, symbol: &str, callee: &str, function: &CFunction) {
        let result = function.result.as_ref().map_or_else(|| "void".to_owned(), |result| self.spelling(result));
        let named = |(number, parameter): (usize, &CValue)| format!("{} a{number}", self.spelling(parameter));
        let parameters: Vec<String> = function.parameters.iter().enumerate().map(named).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let taken = self.by_address(function);
        let taken = taken.strip_prefix(", ").filter(|taken| !taken.is_empty()).unwrap_or("void");
        let returned = returned_directly(function, &result);
        let mut arguments: Vec<String> = function.parameters.iter().enumerate().map(argument_by_address).collect();
        let body = match &function.result {
            None => format!("{callee}({})", arguments.join(", ")),
            Some(CValue::Scalar(_)) => format!("return {callee}({})", arguments.join(", ")),
            Some(CValue::Record(_) | CValue::Vector { .. }) => {
                arguments.insert(0, "&result".to_owned());
                format!("{result} result; {callee}({}); return result", arguments.join(", "))
            }
        };
        // The headers may declare the symbol with other names for the same types.
        let _ = writeln!(
            self.text,
            "{returned} {callee}({taken});\n{result} silc_entry_{number}({parameters}) __asm__(SILC_PREFIX \"{symbol}\");\n\
             {result} silc_entry_{number}({parameters}) {{ {body}; }}"
        );
    }

    /// The parameters of a function that takes structures by their addresses, each after a comma.
    fn by_address(&self, function: &CFunction) -> String {
        let mut parameters = String::new();
        if let Some(result) = function.result.as_ref().filter(|result| result.goes_by_address()) {
            let _ = write!(parameters, ", {} *result", self.spelling(result));
        }
        for (number, parameter) in function.parameters.iter().enumerate() {
            let star = if parameter.goes_by_address() { "*" } else { "" };
            let _ = write!(parameters, ", {} {star}a{number}", self.spelling(parameter));
        }
        parameters
    }
}

/// The return type of a function that gets the address for a structure.
fn returned_directly<'r>(function: &CFunction, result: &'r str) -> &'r str {
    match &function.result {
        Some(CValue::Scalar(_)) => result,
        Some(CValue::Record(_) | CValue::Vector { .. }) | None => "void",
    }
}

fn argument_by_value((number, parameter): (usize, &CValue)) -> String {
    let star = if parameter.goes_by_address() { "*" } else { "" };
    format!("{star}a{number}")
}

fn argument_by_address((number, parameter): (usize, &CValue)) -> String {
    let ampersand = if parameter.goes_by_address() { "&" } else { "" };
    format!("{ampersand}a{number}")
}

/// The name of a vector type: C has only typedefs of them.
fn vector(element: CScalar, count: u32) -> String {
    format!("silc_vector_{}_{count}_", element.spelling().replace([' ', '*'], "_"))
}

/// The vectors that functions take and return.
fn vectors(request: &Request) -> BTreeMap<String, (CScalar, u32)> {
    let functions = request.calls.values().chain(request.entries.values().map(|(_, function)| function));
    let values = functions.flat_map(|function| function.parameters.iter().chain(&function.result));
    let of_value = |value: &CValue| match value {
        CValue::Vector { element, count } => Some((vector(*element, *count), (*element, *count))),
        CValue::Scalar(_) | CValue::Record(_) => None,
    };
    values.filter_map(of_value).collect()
}

fn stand_in(number: usize) -> String {
    format!("silc_record_{number}_")
}

/// Compiles C to bitcode.
fn compile(text: &str, arguments: &[String], optimization: Optimization) -> Result<Vec<u8>, HeaderError> {
    let clang = clang().ok_or(HeaderError::NoClang)?;
    let mut command = Command::new(clang);
    command.args(parsing_arguments(arguments)).args(["-c", "-emit-llvm", "-Qn", "-fno-strict-aliasing"]);
    match optimization {
        Optimization::None => command.arg("-O0"),
        Optimization::Optimize => command.args(["-O1", "-Xclang", "-disable-llvm-passes"]),
    };
    command.args(["-o", "-", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().map_err(|_| HeaderError::NoClang)?;
    // Clang reads all of its input before it writes; if it does not, its own message gives the reason.
    if let Some(mut input) = running.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    let output = running.wait_with_output().map_err(|_| HeaderError::NoClang)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(HeaderError::NotCompiled { message })
}

/// The clang that is used.
fn clang() -> Option<PathBuf> {
    let requested = env::var_os(CLANG_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    match requested {
        Some(requested) => in_search_path(&requested),
        None => KNOWN_CLANGS.iter().find_map(|name| in_search_path(Path::new(name))),
    }
}

fn in_search_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

//! Declarations: the entries that a Swift text adds to the table.

use std::fmt::Write;

use sil::context::{Context, MemberTarget};
use sil::declarations::{DeclarationTable, NominalDeclaration, Origin};
use sil::model::{LanguageMode, ObjectiveC, Platform, SwiftVersion};
use sil::print::Printer;
use sil::source::{FileId, SourceFile, SourceMap};
use sil::syntax::cursor::Cursor;
use sil::syntax::declarations::{
    Configuration, CoroutineAccessors, DeclarationReader, Evolution, Owner, ReferredMembers,
};
use sil::syntax::reader::Reader;

fn read(text: &str, mode: LanguageMode) -> (Context, DeclarationTable, FileId, Vec<String>) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("declarations.swift".into(), text.to_owned()));
    let context = Context::new();
    let mut table = DeclarationTable::default();
    let configuration = Configuration {
        mode,
        version: SwiftVersion::default(),
        platform: Platform::default(),
        objective_c: ObjectiveC::Absent,
    };
    let mut reader = DeclarationReader::new(&context, &configuration);
    let mut messages = Vec::new();
    let (evolution, coroutines) = (Evolution::Disabled, CoroutineAccessors::Declared);
    let owner = Owner { module: context.name("main"), origin: Origin::Module, evolution, coroutines };
    if let Err(error) = reader.all(&mut Cursor::new(text, file), owner) {
        messages.push(error.message);
    }
    messages
        .extend(reader.finish(&mut table, &ReferredMembers::of("")).into_iter().map(|diagnostic| diagnostic.message));
    (context, table, file, messages)
}

/// A line for each nominal type: its name, inherited types, stored properties and cases.
fn summary(text: &str) -> String {
    summary_in(text, LanguageMode::Full)
}

fn summary_in(text: &str, mode: LanguageMode) -> String {
    let (context, table, _, messages) = read(text, mode);
    let mut out = String::new();
    for (_, declaration) in table.iter() {
        line(&context, &table, declaration, &mut out);
    }
    for message in messages {
        let _ = writeln!(out, "error: {message}");
    }
    out
}

fn line(context: &Context, table: &DeclarationTable, declaration: &NominalDeclaration, out: &mut String) {
    let mut printer = Printer::new(context, table);
    if let Some(signature) = declaration.signature {
        printer.signature(signature);
    }
    let written = |ty| {
        let mut printer = Printer::new(context, table);
        printer.formal_type(ty);
        printer.out
    };
    let _ = write!(out, "{:?} {}{}", declaration.kind, context.text(declaration.name), printer.out);
    let inherited = declaration.superclass.into_iter().chain(declaration.raw_type);
    let inherited = inherited.chain(declaration.conformances.iter().map(|conformance| conformance.protocol));
    for ty in inherited {
        let _ = write!(out, " : {}", written(ty));
    }
    for stored in &declaration.stored {
        let _ = write!(out, " {}={}", context.text(stored.name), written(stored.ty));
    }
    for case in &declaration.cases {
        let payload = case.payload.map(|payload| format!("({})", written(payload))).unwrap_or_default();
        let indirect = if case.indirect { "*" } else { "" };
        let _ = write!(out, " .{}{indirect}{payload}", context.text(case.name));
    }
    for alias in &declaration.aliases {
        let _ = write!(out, " {}=>{}", context.text(alias.name), written(alias.ty));
    }
    out.push('\n');
}

#[test]
fn stored_properties() {
    let text = "
struct Int { var _value: Builtin.Int64 }
struct S {
  @_hasStorage let a: Int { get }
  @_hasStorage @_hasInitialValue private(set) var b: Int { get set }
  var c: Int { get }
  static var d: Int
  var e: Int = 5 { didSet { print(\"}\") } }
  lazy var f: Int = { 1 }()
  var g, h: Int
  var i = 1, j = -2
  @available(macOS 10.15, *) var k: (Int) -> Int
  subscript(index: Int) -> Int { get set }
  func method<T>(_ x: T, y: Int = 3) async throws -> [T] where T : Any { return [\"{\\(x)\"] }
  init?(_ x: Int)
}";
    assert_eq!(
        summary(text),
        "Struct Int _value=Builtin.Int64\nStruct S a=Int b=Int e=Int g=Int h=Int i=Int j=Int k=(Int) -> Int\n"
    );
}

#[test]
fn cases() {
    let text = "
struct Int {}
enum E : Int { case a, b = 3, `default` }
indirect enum Tree<T> { case leaf(T), node(left: Tree, right: Tree<T>)\n case empty }
enum Mixed { indirect case one(x: Int)\n case two(Int, Int) }";
    assert_eq!(
        summary(text),
        "Struct Int\nEnum E : Int .a .b .default\n\
         Enum Tree<T> .leaf*(τ_0_0) .node*((left: Tree<τ_0_0>, right: Tree<τ_0_0>)) .empty*\n\
         Enum Mixed .one*((x: Int)) .two((Int, Int))\n"
    );
}

#[test]
fn inheritance_and_extensions() {
    let text = "
class Derived : Base, P, @unchecked Q { }
class Base { deinit { } }
protocol P : Q where Element : Q { associatedtype Element = Base }
protocol Q : AnyObject {}
struct Box<T> where T : P { var value: T }
extension Box : P where T : Q { typealias Element = T.Element\n struct Inner { var outer: Box<T> } }
extension Box.Inner : Q {}
struct Move : ~Copyable { deinit {} }";
    assert_eq!(
        summary(text),
        "Class Derived : Base : P : Q\nClass Base\nProtocol P<Self where Self.Element : Q> : Q\nProtocol Q<Self>\n\
         Struct Box<T where T : P> : P value=τ_0_0 Element=>τ_0_0.Element\n\
         Struct Move\nStruct Inner<T where T : P, T : Q> : Q outer=Box<τ_0_0>\n"
    );
}

#[test]
fn aliases_in_any_order() {
    let text = "
typealias A = B
typealias B = C<Int>
struct C<T> { typealias D = E\n typealias E = T\n var d: D }
struct Int {}
struct F { var a: A\n var d: A.D }
typealias Loop = Loop2
typealias Loop2 = Loop";
    assert_eq!(
        summary(text),
        "Struct C<T> d=τ_0_0 E=>τ_0_0 D=>τ_0_0\nStruct Int\nStruct F a=C<Int> d=Int\n\
         error: the type alias refers to itself\nerror: the type alias refers to itself\n"
    );
}

#[test]
fn conditions() {
    let text = "
struct Int {}
#if $Embedded && _pointerBitWidth(_64)
struct A { var a: Int }
#elseif os(Linux) || arch(arm)
struct B { var b: Int }
#else
struct C {
#endif
struct D {
  #if !hasFeature(Embedded)
  var full: Int
  #if compiler(>=6.0)
  var newer: Int
  #endif
  #else
  var embedded: Int
  #endif
}";
    assert_eq!(summary(text), "Struct Int\nStruct B b=Int\nStruct D full=Int newer=Int\n");
    assert_eq!(summary_in(text, LanguageMode::Embedded), "Struct Int\nStruct A a=Int\nStruct D embedded=Int\n");
}

#[test]
fn skipped_declarations() {
    let text = "
import Swift
@_exported import struct Foo.Bar
infix operator +++ : AdditionPrecedence
prefix operator √
precedencegroup Custom { higherThan: AdditionPrecedence associativity: left }
func + <T>(a: T, b: T) -> T
func <(a: S, b: S) -> Bool { a.x < b.x }
@freestanding(expression) macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: \"M\", type: \"T\")
var global: S { get set }
let text = \"\"\"
  } not the end {
  \"\"\"
actor Act { nonisolated func f() }
struct S { var x: S2; struct S2 {} }";
    assert_eq!(summary(text), "Actor Act\nStruct S x=S.S2\nStruct S2\n");
}

#[test]
fn errors() {
    assert_eq!(
        summary("struct S { var x: Imt }\nstruct Int {}"),
        "Struct S\nStruct Int\nerror: cannot find type 'Imt' in scope\n"
    );
    assert_eq!(summary("struct S {"), "Struct S\nerror: expected '}', found the end of the text\n");
    assert_eq!(summary("extension Missing {}"), "error: cannot find type 'Missing' in scope\n");
    assert_eq!(summary("struct 5 {}"), "error: expected a name, found '5'\n");
}

#[test]
fn cut_texts_do_not_panic() {
    let text = "@attr(x) public struct S<T : P> : Q where T.E == Int { var a: [T : (Int) -> ()]? { get }\n\
        case x(a: Int = 5), y\n #if os(Linux) && (A || !B)\n typealias E = T\n #endif\n func + <T>(x: T) throws(E) -> T { \"\\(x)\" }\n\
        @_rawLayout(like: T) struct R {} }";
    for (at, _) in text.char_indices() {
        summary(&text[..at]);
        summary(&text[at..]);
    }
}

#[test]
fn members() {
    let text = "struct Point { var x: Int\n var y: Int }\nstruct Int {}\nenum E { case a\n case b(Int) }\n\
        class Base { var z: Int }\nclass Derived : Base {}\nprotocol Comparable {}";
    let (context, table, file, _) = read(text, LanguageMode::Full);
    for (text, expected, target) in [
        ("#Point.y", "#Point.y", MemberTarget::Stored(1)),
        ("#E.b!enumelt", "#E.b!enumelt", MemberTarget::Case(1)),
        ("#Derived.z", "#Base.z", MemberTarget::Stored(0)),
        ("#Point.f!getter.foreign", "#Point.f!getter.foreign", MemberTarget::Other),
        ("#Derived!deallocator", "#Derived!deallocator", MemberTarget::Other),
        ("#Derived.init!allocator", "#Derived.init!allocator", MemberTarget::Other),
        ("#Comparable.\"<\"", "#Comparable.\"<\"", MemberTarget::Other),
        ("#Comparable.<", "#Comparable.\"<\"", MemberTarget::Other),
        ("#Point.`default`", "#Point.`default`", MemberTarget::Other),
        ("#main.Point.x", "#Point.x", MemberTarget::Stored(0)),
        ("#Point.$__lazy_storage_$_a", "#Point.$__lazy_storage_$_a", MemberTarget::Other),
        ("#free!defaultarg.2", "#free!defaultarg.2", MemberTarget::Other),
    ] {
        let mut reader = Reader::new(&context, &table, Cursor::new(text, file));
        let member = match reader.member() {
            Ok(member) => member,
            Err(error) => panic!("{text}: {}", error.message),
        };
        let mut printer = Printer::new(&context, &table);
        printer.member(member);
        assert_eq!(printer.out, expected);
        assert_eq!(context.get_member(member).target, target, "{text}");
    }
    let mut reader = Reader::new(&context, &table, Cursor::new("#Pointt.x", file));
    let Err(error) = reader.member() else { panic!("there is no such type") };
    assert_eq!(
        (error.message.as_str(), error.hint.as_deref()),
        ("cannot find type 'Pointt' in scope", Some("did you mean 'Point'?"))
    );
}

//! Types: each text is read and written again; wrong texts are refused at the right place; cut texts never panic.

use sil::context::{Context, Type};
use sil::declarations::{DeclarationTable, Origin};
use sil::model::{LanguageMode, ObjectiveC, Platform, SwiftVersion};
use sil::print::Printer;
use sil::source::{FileId, SourceFile, SourceMap};
use sil::syntax::cursor::Cursor;
use sil::syntax::declarations::{
    Configuration, CoroutineAccessors, DeclarationReader, Evolution, Owner, ReferredMembers,
};
use sil::syntax::reader::Reader;

const DECLARATIONS: &str = "
enum Optional<Wrapped> { case none\n case some(Wrapped) }
struct Array<Element> { var storage: Builtin.NativeObject }
struct Dictionary<Key, Value> { struct Index { var at: Int } }
struct InlineArray<let count : Int, Element> {}
struct Int { var _value: Builtin.Int64 }
struct Outer<T> { struct Inner<U> { var t: T\n var u: U }\n typealias Element = T }
struct Variadic<each T> {}
class Base {}
final class Derived : Base {}
protocol Error {}
protocol P { associatedtype Element }
protocol Q : AnyObject {}
typealias Number = Int
typealias Pair<A> = (A, A)
typealias Both = P & Q
struct `repeat` {}
";

/// The result of reading a text.
enum Read {
    Text(String),
    Error(String, u32),
}

struct Fixture {
    context: Context,
    declarations: DeclarationTable,
    file: FileId,
}

impl Fixture {
    fn new() -> Self {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("types.sil".into(), DECLARATIONS.to_owned()));
        let context = Context::new();
        let mut declarations = DeclarationTable::default();
        let (mode, version) = (LanguageMode::Full, SwiftVersion::default());
        let configuration =
            Configuration { mode, version, platform: Platform::default(), objective_c: ObjectiveC::Absent };
        let mut reader = DeclarationReader::new(&context, &configuration);
        let module = context.name("main");
        let (evolution, coroutines) = (Evolution::Disabled, CoroutineAccessors::Declared);
        let owner = Owner { module, origin: Origin::Module, evolution, coroutines };
        let result = reader.all(&mut Cursor::new(DECLARATIONS, file), owner);
        assert_eq!(result, Ok(()));
        let diagnostics = reader.finish(&mut declarations, &ReferredMembers::of(""));
        assert_eq!(diagnostics, []);
        Self { context, declarations, file }
    }

    /// Reads a type after its dollar sign and prints it.
    fn read(&self, text: &str) -> Read {
        let mut reader = Reader::new(&self.context, &self.declarations, Cursor::new(text, self.file));
        let ty = match reader.sil_type() {
            Ok(ty) => ty,
            Err(error) => return Read::Error(error.message, error.span.map_or(0, |span| span.start)),
        };
        let mut printer = Printer::new(&self.context, &self.declarations);
        printer.sil_type(ty);
        let rest = &text[reader.cursor.span().start as usize..];
        Read::Text(if rest.is_empty() { printer.out } else { format!("{} | {rest}", printer.out) })
    }

    fn check(&self, text: &str, expected: &str) {
        match self.read(text) {
            Read::Text(written) => assert_eq!(written, expected, "for {text}"),
            Read::Error(message, at) => panic!("{text}: {message} at {at}"),
        }
    }
}

/// Texts that are written as they are read.
const CANONICAL: &[&str] = &[
    "$Int",
    "$*Int",
    "$()",
    "$(Int, label: Int)",
    "$(_: Int)",
    "$Builtin.Int64",
    "$Builtin.Word",
    "$Builtin.FPIEEE80",
    "$Builtin.Vec4xInt32",
    "$Builtin.FixedArray<4, Int>",
    "$Optional<Array<Int>>",
    "$Dictionary<Int, Int>.Index",
    "$Outer<Int>.Inner<Base>",
    "$InlineArray<4, Int>",
    "$InlineArray<-1, Int>",
    "$Variadic<Int, Base>",
    "$@thin Int.Type",
    "$@thick Base.Type",
    "$@thick @dynamic_self Base.Type",
    "$@objc_metatype Base.Type",
    "$@thick Base.Type.Type",
    "$@thick any P.Type",
    "$@thick (any P).Type",
    "$any P",
    "$any P & Q",
    "$any P<Int>",
    "$any P & ~Copyable",
    "$Any",
    "$AnyObject",
    "$@opened(\"01234567-89AB\", any P) Self",
    "$@opened(\"01234567-89AB\", any P) Self.Element",
    "$@thick (@opened(\"01234567-89AB\", any P) Self).Type",
    "$@_opaqueReturnTypeOf(\"$s4main1fQryF\", 0) __",
    "$@_opaqueReturnTypeOf(\"$s4main1fQryF\", 0) __<Int>",
    "$@sil_weak Optional<Base>",
    "$@sil_unowned Base",
    "$@sil_unmanaged Base",
    "$@block_storage @callee_guaranteed () -> ()",
    "$@moveOnly Int",
    "${ var Int }",
    "${ var Int, let Base }",
    "$<τ_0_0> { var τ_0_0 } <Int>",
    "$@captures_generics <τ_0_0> { let τ_0_0 } <Int>",
    "$Pack{Int, Base}",
    "$Pack{}",
    "$@direct Pack{Int}",
    "$() -> ()",
    "$@convention(thin) () -> ()",
    "$@convention(method) (Int, @guaranteed Base) -> Int",
    "$@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (@in_guaranteed τ_0_0) -> @out τ_0_0.Element",
    "$@convention(c) (Int) -> Int",
    "$@convention(block) (@guaranteed Base) -> @autoreleased Base",
    "$@convention(thin) (@in Int, @inout Int, @inout_aliasable Int, @in_cxx Int) -> (@out Int, Int, @error any Error)",
    "$@convention(thin) () -> (@owned Base, @error_indirect Int)",
    "$@yield_once @convention(method) (@inout Int) -> @yields @inout Int",
    "$@yield_once @convention(method) (@inout Int) -> (@yields @inout Int, @error any Error)",
    "$@yield_once_2 @convention(thin) () -> (@yields Int, Int)",
    "$@callee_guaranteed @substituted <τ_0_0> (@in_guaranteed τ_0_0) -> @out τ_0_0 for <Int>",
    "$@noescape @callee_guaranteed () -> @owned @callee_guaranteed () -> Int",
    "$@Sendable @async @callee_guaranteed () -> ()",
    "$@isolated(any) @async @callee_guaranteed () -> @out Int",
    "$@convention(thin) (@sil_isolated @guaranteed Base, @sil_sending @owned Base) -> ()",
    "$@convention(thin) <τ_0_0 where τ_0_0 : P><τ_1_0 where τ_1_0 : Base> (@in τ_0_0, @guaranteed τ_1_0) -> ()",
    "$@convention(thin) <τ_0_0 where τ_0_0 : _Trivial(64, 8)> (τ_0_0) -> ()",
    "$@convention(thin) <τ_0_0 where τ_0_0 : AnyObject> (@guaranteed τ_0_0) -> ()",
    "$@convention(thin) <τ_0_0 where τ_0_0 : ~Copyable> (@in τ_0_0) -> ()",
    "$@convention(thin) <each τ_0_0> (@pack_guaranteed Pack{repeat each τ_0_0}) -> @pack_out Pack{repeat each τ_0_0}",
    "$@convention(thin) <each τ_0_0> (@pack_guaranteed Pack{repeat @callee_guaranteed @substituted <τ_0_0> (@in_guaranteed τ_0_0) -> Int for <each τ_0_0>}) -> ()",
    "$@convention(thin) <let τ_0_0 : Int> (@in InlineArray<τ_0_0, Int>) -> ()",
    "$@convention(method) (@guaranteed Base) -> @lifetime(borrow 0) @owned Base",
    "$@convention(thin) (@lifetime(copy 0) @inout Int) -> ()",
    "$@differentiable(reverse) @convention(thin) (Int, @noDerivative Int) -> Int",
    "$@convention(keypath_accessor_getter) (@in_guaranteed Int) -> @out Int",
    "$Array<(Int) -> Int>",
    "$Array<(Int) async throws -> Int>",
    "$Array<(Int) throws(Int) -> Int>",
];

/// Older or longer spellings, each with its printed form.
const SUGAR: &[(&str, &str)] = &[
    ("$Int?", "$Optional<Int>"),
    ("$Int!", "$Optional<Int>"),
    ("$[Int]", "$Array<Int>"),
    ("$[Int : Base]", "$Dictionary<Int, Base>"),
    ("$[4 of Int]", "$InlineArray<4, Int>"),
    ("$Number", "$Int"),
    ("$Pair<Base>", "$(Base, Base)"),
    ("$Outer<Int>.Element", "$Int"),
    ("$main.Int", "$Int"),
    ("$(Int)", "$Int"),
    ("$Void", "$()"),
    ("$P", "$any P"),
    ("$any Both", "$any P & Q"),
    ("$@thick P.Type", "$@thick any P.Type"),
    ("$@opened(\"01234567-89AB\") P", "$@opened(\"01234567-89AB\", any P) Self"),
    ("$@callee_owned (Int) -> ()", "$@callee_owned (Int) -> ()"),
    ("$@convention (thin) () -> ()", "$@convention(thin) () -> ()"),
    (
        "$@convention(thin) <T where T : P> (@in T) -> ()",
        "$@convention(thin) <τ_0_0 where τ_0_0 : P> (@in τ_0_0) -> ()",
    ),
    ("$@convention(thin) <T : P> (@in T) -> ()", "$@convention(thin) <τ_0_0 where τ_0_0 : P> (@in τ_0_0) -> ()"),
    ("$(x: Int) -> ()", "$(Int) -> ()"),
    ("$Builtin.AnyObject", "$AnyObject"),
    // A type ends where its line goes on.
    ("$Int, %1", "$Int | , %1"),
    ("$Base to $Int", "$Base | to $Int"),
    ("$@convention(thin) () -> () {", "$@convention(thin) () -> () | {"),
    ("$*Int // comment", "$*Int"),
];

/// Wrong texts, with a part of the message and the place that it points at.
const WRONG: &[(&str, &str, u32)] = &[
    ("$Imt", "cannot find type 'Imt' in scope", 1),
    ("$", "expected a type", 1),
    ("$Builtin.Int0", "unknown type 'Builtin.Int0'", 1),
    ("$Array", "takes 1 generic arguments, 0 given", 1),
    ("$Array<Int, Int>", "takes 1 generic arguments, 2 given", 1),
    ("$Int.Missing", "'Int' has no type 'Missing'", 1),
    ("$@convention(thim) () -> ()", "unknown convention 'thim'", 1),
    ("$@thik Base.Type", "unknown type attribute '@thik'", 1),
    ("$@thick Int", "a metatype", 1),
    ("$(Int", "expected a type", 5),
    ("$Array<Int", "expected a type", 10),
    ("$() -> () for <Int>", "'for' gives arguments", 1),
    ("$@convention(thin) () -> (@error any Error, @error any Error)", "at most one error", 44),
];

#[test]
fn canonical_texts_are_written_as_they_are_read() {
    let fixture = Fixture::new();
    for text in CANONICAL {
        fixture.check(text, text);
    }
}

#[test]
fn sugar_is_written_as_what_it_stands_for() {
    let fixture = Fixture::new();
    for (text, expected) in SUGAR {
        fixture.check(text, expected);
    }
}

#[test]
fn wrong_texts_are_refused_at_their_place() {
    let fixture = Fixture::new();
    for (text, message, place) in WRONG {
        match fixture.read(text) {
            Read::Text(written) => panic!("{text} was read as {written}"),
            Read::Error(found, at) => {
                assert!(found.contains(message), "{text}: {found}");
                assert_eq!(at, *place, "{text}: {found}");
            }
        }
    }
}

#[test]
fn cut_and_broken_texts_do_not_panic() {
    let fixture = Fixture::new();
    for text in CANONICAL.iter().chain(SUGAR.iter().map(|(text, _)| text)) {
        for (at, character) in text.char_indices() {
            fixture.read(&text[..at]);
            // Without the character, and with it twice.
            fixture.read(&format!("{}{}", &text[..at], &text[at + character.len_utf8()..]));
            fixture.read(&format!("{}{character}{}", &text[..at], &text[at..]));
        }
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let fixture = Fixture::new();
    const DEPTH: usize = 50_000;
    let texts = [
        format!("${}Int{}", "(".repeat(DEPTH), ")".repeat(DEPTH)),
        format!("${}Int{}", "Optional<".repeat(DEPTH), ">".repeat(DEPTH)),
        format!("${}Int", "() -> ".repeat(DEPTH)),
        format!("${}Int", "@sil_weak ".repeat(DEPTH)),
        format!("$Int{}", "?".repeat(DEPTH)),
        format!("${}", "(".repeat(DEPTH)),
    ];
    for text in texts {
        assert!(matches!(fixture.read(&text), Read::Error(..)), "{}", &text[..20]);
    }
}

#[test]
fn names_of_generic_parameters_are_kept_beside_the_type() {
    let fixture = Fixture::new();
    let text = "@convention(thin) <T, U where T : P, U == T.Element> (@in T, @in U) -> ()";
    let mut reader = Reader::new(&fixture.context, &fixture.declarations, Cursor::new(text, fixture.file));
    let Ok((ty, Some(signature))) = reader.function_type() else { panic!("not read") };
    let mut printer = Printer::new(&fixture.context, &fixture.declarations);
    printer.function_type(ty, Some(signature));
    assert_eq!(printer.out, text);
    let Type::Function(function) = fixture.context.get(ty) else { panic!("no function") };
    let own = function.signature.map(|own| fixture.context.get_signature(own));
    assert!(own.is_some_and(|own| own.parameters.iter().all(|parameter| parameter.name.is_none())));
}

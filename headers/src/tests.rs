//! Headers to declarations, as Swift's importer sees them.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use crate::libclang::{Library, SourceText};
use crate::{read, swift, unit};

/// The Swift declarations for these names of a header, on a machine of 32 bits.
fn declared(header: &str, wanted: &[&str]) -> String {
    let arguments = ["--target=thumbv7em-none-eabi", "-nostdlibinc"].map(str::to_owned);
    let texts = [SourceText { path: "test.c".to_owned(), text: header.to_owned() }];
    let parsed = Library::load().unwrap().parse(&texts, &unit::parsing_arguments(&arguments)).unwrap();
    assert_eq!(parsed.errors(), Vec::<String>::new());
    swift::text_of(&read::declarations(&parsed), &|name| wanted.contains(&name))
}

#[test]
fn structures_come_with_the_layout_that_clang_gives_them() {
    let header = "struct part { char tag; long long wide; }; typedef struct { struct part part; int bits : 3; union { int a; float b; }; } whole;";
    let expected = "@_cTag\n@_cLayout(size: 16, alignment: 8, offset: 0, offset: 8)\nstruct `part` {\n  var `tag`: CChar\n  var `wide`: Int64\n}\n\
                    @_cTypedef\n@_cLayout(size: 24, alignment: 8, offset: 0, offset: 20, opaque: 16, bytes: 1)\nstruct `whole` {\n  \
                    var `part`: `part`\n  var `__Anonymous_field2`: `whole`.`__Unnamed_union___Anonymous_field2`\n  \
                    @_cTag\n  @_cLayout(size: 4, alignment: 4, opaque: 0, bytes: 4)\n  struct `__Unnamed_union___Anonymous_field2` {\n  }\n}\n";
    assert_eq!(declared(header, &["whole"]), expected);
}

#[test]
fn only_what_is_wanted_is_declared() {
    assert_eq!(declared("struct a { int x; }; struct b { int y; };", &["c"]), "");
    assert!(!declared("struct a { int x; }; struct b { int y; };", &["b"]).contains("struct `a`"));
}

#[test]
fn enums_are_structs_around_their_integers() {
    let text = declared(
        "typedef enum { A = -1, B } choice; enum __attribute__((flag_enum)) flags { X = 1 };",
        &["choice", "flags"],
    );
    assert!(text.contains("struct `choice` : Equatable, RawRepresentable {\n  var rawValue: Int32\n"), "{text}");
    assert!(text.contains("struct `flags` : OptionSet {\n  var rawValue: UInt32\n"), "{text}");
}

#[test]
fn enums_with_extensibility_have_cases() {
    let header = "enum __attribute__((enum_extensibility(closed))) Speed : short { SpeedSlow = -1, SpeedFast = 3, SpeedLast = 3 };";
    let expected = "@_cTag\n@_cValues(size: 2, value: 65535, value: 3)\nenum `Speed` : Hashable, RawRepresentable {\n  case `slow`\n  \
                    case `fast`\n  typealias RawValue = Int16\n}\n";
    assert_eq!(declared(header, &["Speed"]), expected);
}

#[test]
fn new_types_and_names_for_swift() {
    let header = "typedef unsigned ticks __attribute__((swift_newtype(struct), swift_name(\"Ticks\")));\n\
                  typedef struct __attribute__((swift_name(\"Port\"))) { ticks now; } port_t;\n\
                  typedef int plain;";
    let expected = "@_cLayout(size: 4, alignment: 4, offset: 0)\nstruct `Port` {\n  var `now`: `Ticks`\n}\n\
                    struct `Ticks` : Equatable, RawRepresentable {\n  var rawValue: UInt32\n  typealias RawValue = UInt32\n}\n\
                    typealias `plain` = Int32\n";
    assert_eq!(declared(header, &["Port", "plain"]), expected);
}

#[test]
fn pointers_and_functions() {
    let header = "struct opaque; typedef struct { struct opaque *in; const void *data; void (*call)(int, char *); int (*any)(const char *, ...); int row[2]; } s;";
    let text = declared(header, &["s"]);
    for property in [
        "var `in`: OpaquePointer?\n",
        "var `data`: UnsafeRawPointer?\n",
        "var `call`: (@convention(c) (Int32, UnsafeMutablePointer<CChar>?) -> ())?\n",
        "var `any`: OpaquePointer?\n",
        "var `row`: (Int32, Int32)\n",
    ] {
        assert!(text.contains(property), "{property}{text}");
    }
}

#[test]
fn names_put_types_into_others_and_fields_have_theirs() {
    let header = "typedef struct __attribute__((swift_name(\"Bus\"))) { int x __attribute__((swift_name(\"width\"))); } hal_bus;\n\
                  typedef struct __attribute__((swift_name(\"Bus.Timing\"))) hal_timing { int setup, hold; } hal_timing;\n\
                  typedef unsigned short hal_speed __attribute__((swift_name(\"Bus.Speed\")));\n\
                  struct __attribute__((swift_private)) secret { struct hal_timing timing; };\n\
                  typedef struct { char a; } late __attribute__((swift_name(\"Named\")));";
    let timing = "extension `Bus` {\n  @_cLayout(size: 8, alignment: 4, offset: 0, offset: 4)\n  struct `Timing` {\n    \
                  var `setup`: Int32\n    var `hold`: Int32\n  }\n}\n";
    let bus = "@_cLayout(size: 4, alignment: 4, offset: 0)\nstruct `Bus` {\n  var `width`: Int32\n}\n";
    let secret =
        "@_cLayout(size: 8, alignment: 4, offset: 0)\nstruct `__secret` {\n  var `timing`: `Bus`.`Timing`\n}\n";
    assert_eq!(declared(header, &["__secret"]), format!("{bus}{timing}{secret}"));
    assert!(declared(header, &["Speed"]).contains("extension `Bus` {\n  typealias `Speed` = UInt16\n}\n"));
    assert!(declared(header, &["Named"]).contains("struct `Named` {\n  var `a`: CChar\n"));
}

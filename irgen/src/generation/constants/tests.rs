//! Tests of LLVM's text for constants that do not occur in modules of Embedded Swift.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::Arc;

use inkwell::context::Context as LlvmContext;
use sil_ir::context::Context;
use sil_ir::source::{SourceFile, SourceMap};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::{ParseOptions, parse};

use super::{ConstantStruct, Image};
use crate::compile::{CompileOptions, RuntimeChoice, Visibility, irgen_options};
use crate::generation::{Entity, IRGenModule, Program, Threads};
use crate::layout::{Bits, Element, Scalar};
use crate::llvm::modules;
use crate::test_modules::machine;

const MODULE: &str = "sil_stage canonical
import Builtin
import Swift
sil_global private @here : $Builtin.Int32
sil_global public_external @$s1M9elsewhereBi32_vp : $Builtin.Int32
";

/// Returns the constant's text in a module with `constant` as the initial value of a variable.
fn text_with(triple: &str, constant: impl FnOnce(&IRGenModule<'_, '_>) -> ConstantStruct) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.sil".into(), MODULE.to_owned()));
    let outcome = parse(Arc::new(Context::new()), &sources, file, &ParseOptions::default());
    assert!(outcome.is_ok(), "{:?}", outcome.diagnostics);
    let conformances = ConformanceTable::new(&outcome.module.context, &outcome.module.witness_tables);
    let queries = TypeQueries::of(&outcome.module, &conformances);
    let options = irgen_options(&CompileOptions {
        headers: None,
        machine: &machine(triple),
        runtime: RuntimeChoice::None,
        visibility: Visibility::Module,
        threads: Threads::Any,
        debug: None,
    });
    let program = Program::new(&outcome.module, &queries, None, options);
    let llvm = LlvmContext::create();
    let module = IRGenModule::new(&program, None, &llvm, llvm.create_module("m"));
    let constant = constant(&module);
    module.declare_constant(Entity::EntryPoint, constant, 4);
    module.define_pending();
    modules::verify(&module.llvm).unwrap();
    modules::text_of(&module.llvm)
}

/// The global of the module with this name.
fn global(module: &IRGenModule<'_, '_>, name: &str) -> Entity {
    let name = module.sil.context.find_name(name).unwrap();
    Entity::Global(module.sil.global_named(name).unwrap())
}

fn assert_contains(text: &str, expected: &[&str]) {
    for expected in expected {
        assert!(text.contains(expected), "{expected}\n in\n{text}");
    }
}

#[test]
fn what_the_module_defines_is_reached_directly() {
    let text = text_with("x86_64-unknown-linux-gnu", |module| {
        let mut constant = ConstantStruct::new(8);
        constant.add_integer(32, 7);
        constant.add_relative(global(module, "here"));
        constant
    });
    let place = "getelementptr inbounds (i8, ptr @\"\\01l_entry_point\", i64 4)";
    let distance =
        format!("i32 trunc (i64 sub (i64 ptrtoint (ptr @here to i64), i64 ptrtoint (ptr {place} to i64)) to i32)");
    assert_contains(&text, &[&format!("<{{ i32 7, {distance} }}>")]);
}

#[test]
fn what_another_module_defines_is_reached_by_a_word_with_its_address() {
    let constant = |module: &IRGenModule<'_, '_>| {
        let mut constant = ConstantStruct::new(8);
        constant.add_relative(global(module, "$s1M9elsewhereBi32_vp"));
        constant.add_relative(global(module, "$s1M9elsewhereBi32_vp"));
        constant
    };
    let text = text_with("x86_64-unknown-linux-gnu", constant);
    let first = "i32 add (i32 trunc (i64 sub (i64 ptrtoint (ptr @\"got.$s1M9elsewhereBi32_vp\" to i64), i64 ptrtoint (ptr @\"\\01l_entry_point\" to i64)) to i32), i32 1)";
    let word = "@\"got.$s1M9elsewhereBi32_vp\" = linkonce_odr hidden constant ptr @\"$s1M9elsewhereBi32_vp\", align 8";
    assert_contains(&text, &[first, word, "@\"$s1M9elsewhereBi32_vp\" = external global i32"]);
    assert_eq!(text.matches("@\"got.$s1M9elsewhereBi32_vp\" =").count(), 1);
    // If the linker may replace our word with its own, ours has no significant address.
    let text = text_with("aarch64-unknown-linux-gnu", constant);
    assert_contains(&text, &["@\"got.$s1M9elsewhereBi32_vp\" = private unnamed_addr constant ptr"]);
}

#[test]
fn distances_are_not_cut_where_pointers_have_32_bits() {
    let text = text_with("armv7-unknown-linux-gnueabihf", |module| {
        let mut constant = ConstantStruct::new(4);
        constant.add_relative(global(module, "here"));
        constant
    });
    assert_contains(
        &text,
        &["i32 sub (i32 ptrtoint (ptr @here to i32), i32 ptrtoint (ptr @\"\\01l_entry_point\" to i32))"],
    );
}

#[test]
fn placeholders_are_filled_and_fields_aligned() {
    let text = text_with("x86_64-unknown-linux-gnu", |_| {
        let mut constant = ConstantStruct::new(8);
        let size = constant.add_placeholder(32);
        let unfilled = constant.add_placeholder(16);
        constant.add_bytes(b"ab!");
        constant.align_to(8);
        constant.pad_to(4);
        constant.add_null();
        constant.fill(size, constant.size());
        assert_eq!(constant.size(), 24);
        let _ = unfilled;
        constant
    });
    assert_contains(&text, &["<{ i32 24, i16 0, [3 x i8] c\"ab!\", [7 x i8] zeroinitializer, ptr null }>"]);
}

#[test]
fn values_have_the_bytes_that_swift_gives_them() {
    let element = |scalar, offset, bits| Element { scalar, offset, bits };
    let text = text_with("x86_64-unknown-linux-gnu", |module| {
        let mut image = Image::zero(40);
        image.put(0, &Image::of_bits(3, &Bits::from_u64(24, 0x03_0201)));
        image.put(4, &Image::of_bits(4, &Bits::from_u64(32, u64::from(1.5f32.to_bits()))));
        image.put(8, &Image::address(global(module, "here"), 8));
        image.put(16, &Image::address(global(module, "here"), 8));
        image.put(24, &Image::of_bits(1, &Bits::from_u64(1, 1)));
        image.put(32, &Image::address(global(module, "here"), 8));
        // A tag in the spare bits of an address is an addend.
        image.set_spare_bits(&Bits::from_words(320, &[0, 0, 1 << 63, 0, 0]));
        let elements = [
            element(Scalar::Integer(24), 0, 24),
            element(Scalar::Float(32), 4, 32),
            element(Scalar::Pointer, 8, 64),
            element(Scalar::Integer(64), 16, 64),
            element(Scalar::Integer(1), 24, 1),
            element(Scalar::Pointer, 32, 64),
        ];
        let mut constant = ConstantStruct::new(8);
        constant.add_value(&image, &elements);
        constant
    });
    let tagged = "i64 add (i64 ptrtoint (ptr @here to i64), i64 -9223372036854775808)";
    assert_contains(
        &text,
        &[&format!(
            "<{{ [3 x i8] c\"\\01\\02\\03\", [1 x i8] zeroinitializer, float 1.500000e+00, ptr @here, {tagged}, i8 1, [7 x i8] zeroinitializer, ptr @here }}>"
        )],
    );
}

#[test]
fn addresses_are_not_cut_apart() {
    let image = Image::address(Entity::String(b"text"[..].into()), 8);
    assert!(image.slice(0, 4).is_none() && image.slice(4, 4).is_none());
    assert_eq!(
        image.slice(0, 16).map(|wider| (wider.size(), wider.number(64), wider.is_address())),
        Some((16, None, false))
    );
}

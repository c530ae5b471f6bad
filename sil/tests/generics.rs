//! Generic signatures: their canonical forms, as `swiftc -Xfrontend -debug-generic-signatures` gives them for the same
//! declarations, and what follows from them.

use std::sync::Arc;

use sil::context::{Context, SignatureId, Type};
use sil::declarations::NominalKind;
use sil::model::Module;
use sil::print::Printer;
use sil::source::{SourceFile, SourceMap};
use sil::types::{ConformanceTable, TypeQueries};

const DECLARATIONS: &str = "sil_stage canonical\nimport Builtin\nimport Swift\n
protocol P { associatedtype A\n associatedtype B }
protocol Q : P where Self.A == Self.B { }
protocol R : AnyObject { }
protocol N { associatedtype Next : N\n associatedtype Value }
protocol M : Collection { associatedtype Key : Hashable where Self.Element == (key: Self.Key, value: Self.Value)\n associatedtype Value }
protocol E : Equatable { associatedtype K : Hashable where Self.K == Self.L.K\n associatedtype L : E }
class C : R { init() }
class D<X> : C { override init() }
class F<X> : D<Array<X>> { override init() }
struct Pair<A, B> { init() }
protocol S1 { associatedtype X where Self.X == Pair<Self.A1, Array<Self.B1>>\n associatedtype A1\n associatedtype B1 }
protocol S2 { associatedtype X where Self.X == Pair<Self.A2, Array<Self.B2>>\n associatedtype A2\n associatedtype B2 }
protocol K1 { associatedtype X : D<Self.C1>\n associatedtype C1 }
protocol K2 { associatedtype X : F<Self.C2>\n associatedtype C2 }
";

/// Reads the declarations and a function for each of `signatures`.
fn module(signatures: &[&str]) -> Module {
    let mut text = DECLARATIONS.to_string();
    for (number, signature) in signatures.iter().enumerate() {
        text.push_str(&format!("sil @f{number} : $@convention(thin) <{signature}> () -> ()\n"));
    }
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("generics.sil".into(), text));
    let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &Default::default());
    assert!(outcome.is_ok(), "{:?}", outcome.diagnostics);
    outcome.module
}

fn signatures(module: &Module) -> Vec<SignatureId> {
    let signature = |function: &sil::model::Function| match module.context.get(function.ty) {
        Type::Function(ty) => ty.signature,
        _ => None,
    };
    module.functions.values().filter_map(signature).collect()
}

fn shown(module: &Module, signature: SignatureId) -> String {
    let mut printer = Printer::new(&module.context, &module.declarations);
    printer.signature(signature);
    printer.out.trim().to_string()
}

#[test]
fn signatures_are_brought_into_canonical_form() {
    let rows = [
        (
            "T, U where T : Collection, U : Sequence, T.SubSequence.Element == U.Element, U.Iterator.Element : Hashable, T : Sequence, T.Element : Equatable",
            "<τ_0_0, τ_0_1 where τ_0_0 : Collection, τ_0_1 : Sequence, τ_0_0.Element : Hashable, τ_0_0.Element == τ_0_1.Element>",
        ),
        (
            "T where T : Q, T.B : P, T.A : Sequence, T.A == T.B",
            "<τ_0_0 where τ_0_0 : Q, τ_0_0.A : Sequence, τ_0_0.A : P>",
        ),
        (
            "each T, each U, each V where (repeat (each V, each T)) : Any, (repeat (each U, each V)) : Any, repeat each V : P",
            "<each τ_0_0, each τ_0_1, each τ_0_2 where (repeat (each τ_0_0, each τ_0_1)) : Any, (repeat (each τ_0_1, each τ_0_2)) : Any, repeat each τ_0_2 : P>",
        ),
        (
            "each T, each U where repeat each T : P, repeat (each T).A == each U, (repeat (each T, each U)) : Any",
            "<each τ_0_0, each τ_0_1 where repeat each τ_0_0 : P, repeat each τ_0_1 == (each τ_0_0).A>",
        ),
        ("T, U where T : R, T : AnyObject, U : C, U : R", "<τ_0_0, τ_0_1 where τ_0_0 : R, τ_0_1 : C>"),
        (
            "T where T : N, T.Next.Next.Value == Int, T.Next : N, T.Value == T.Next.Next.Value",
            "<τ_0_0 where τ_0_0 : N, τ_0_0.Value == Int, τ_0_0.Next.Next.Value == Int>",
        ),
        (
            "T, U where T : P, U : P, T.A == U.B, U.B == T.B, U.A == T.A",
            "<τ_0_0, τ_0_1 where τ_0_0 : P, τ_0_1 : P, τ_0_0.A == τ_0_0.B, τ_0_0.B == τ_0_1.A, τ_0_1.A == τ_0_1.B>",
        ),
        (
            "T where T : M, T.SubSequence.Element : Copyable, T.Key == String",
            "<τ_0_0 where τ_0_0 : M, τ_0_0.Key == String>",
        ),
        ("T where T : E, T.L.K : Comparable, T.L : Equatable", "<τ_0_0 where τ_0_0 : E, τ_0_0.K : Comparable>"),
        (
            "T where T : P, T.A == Array<T.B>, T.B == String",
            "<τ_0_0 where τ_0_0 : P, τ_0_0.A == Array<String>, τ_0_0.B == String>",
        ),
        (
            "T, U where T : D<U>, T : C, U : Equatable, U : Hashable",
            "<τ_0_0, τ_0_1 where τ_0_0 : D<τ_0_1>, τ_0_1 : Hashable>",
        ),
        (
            "T, U where T : N, U : N, T.Next == U, U.Next == T",
            "<τ_0_0, τ_0_1 where τ_0_0 : N, τ_0_0 == τ_0_1.Next, τ_0_1 == τ_0_0.Next>",
        ),
        (
            "S where S : StringProtocol, S.Element : Hashable, S.SubSequence : StringProtocol, S.Index == String.Index",
            "<τ_0_0 where τ_0_0 : StringProtocol>",
        ),
        // Types and classes that one parameter must both be have the same arguments.
        (
            "T where T : S1, T : S2, T.A1 : Equatable, T.A2 : Hashable",
            "<τ_0_0 where τ_0_0 : S1, τ_0_0 : S2, τ_0_0.A1 : Hashable>",
        ),
        ("T where T : S1, T : S2, T.A1 == T.A2, T.B2 == T.B1", "<τ_0_0 where τ_0_0 : S1, τ_0_0 : S2>"),
        ("T where T : K1, T : K2, T.C1 == Array<T.C2>", "<τ_0_0 where τ_0_0 : K1, τ_0_0 : K2>"),
        ("T where T : K1, T : K2, T.C2 == Int", "<τ_0_0 where τ_0_0 : K1, τ_0_0 : K2, τ_0_0.C2 == Int>"),
        (
            "T, U where T : Collection<Int>, U : Sequence<String> & Sendable",
            "<τ_0_0, τ_0_1 where τ_0_0 : Collection, τ_0_1 : Sendable, τ_0_1 : Sequence, τ_0_0.Element == Int, τ_0_1.Element == String>",
        ),
    ];
    let written: Vec<&str> = rows.iter().map(|(written, _)| *written).collect();
    let module = module(&written);
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(&module, &conformances);
    let mut wrong = Vec::new();
    for (signature, (written, expected)) in signatures(&module).into_iter().zip(rows) {
        let canonical = queries.generics().canonical_signature(signature);
        let found = canonical.map(|canonical| shown(&module, canonical));
        if found.as_deref() != Some(expected) {
            wrong.push(format!("of <{written}>:\n  expected {expected}\n  found    {}", found.unwrap_or_default()));
        }
        let again = canonical.and_then(|canonical| queries.generics().canonical_signature(canonical));
        assert_eq!(again, canonical, "the canonical form of <{written}> is not its own");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn known_protocols_state_their_requirements_in_canonical_form() {
    let module = module(&[]);
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(&module, &conformances);
    let generics = queries.generics();
    let (mut count, mut different) = (0, Vec::new());
    for (protocol, declaration) in module.declarations.iter() {
        if declaration.kind == NominalKind::Protocol && declaration.attributes.evolving {
            let name = module.context.text(declaration.name);
            let minimal = generics.minimal_requirement_signature(protocol);
            if generics.requirement_signature(protocol) != minimal {
                different.push(name);
            }
            count += 1;
        }
    }
    assert_eq!(different, [""; 0]);
    assert!(count > 80, "{count} protocols");
}

//! Reconstructs the stubs that the macro `@Resolvable` declares for protocols of distributed actors
//! (lib/Macros/Sources/SwiftMacros/DistributedResolvableMacro.swift): `distributed actor $P`. The text of a module does
//! not show declarations that macros add; the witness tables of a stub name its generic parameters and the types of its
//! two properties.

use sil_ir::source::FileId;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::Parsed;
use super::cursor::Cursor;
use super::lexer::Token;
use super::scan::{Entity, EntityKind};
use super::types::Piece;

/// The protocol that stubs alone conform to.
const STUB: &str = "_DistributedActorStub";

/// The facts of a stub in its witness tables.
#[derive(Default)]
struct Stub<'a> {
    /// `public`, unless its tables are hidden.
    modifier: &'a str,
    /// The names of the generic parameters: `ActorSystem, Fruit`.
    parameters: &'a str,
    /// The requirements on these: `ActorSystem : DistributedActorSystem`.
    requirements: &'a str,
    protocols: Vec<&'a str>,
    /// The types by the names of associated types.
    types: BTreeMap<&'a str, &'a str>,
}

/// Returns the declarations of the stubs with witness tables in `text`.
pub(super) fn stubs_of(text: &str, file: FileId, entities: &[Entity]) -> String {
    let mut stubs: BTreeMap<&str, Stub<'_>> = BTreeMap::new();
    for table in entities.iter().filter(|entity| entity.kind == EntityKind::WitnessTable) {
        let mut cursor = Cursor::within(text, file, table.start, table.end);
        // Wrong tables are reported where they are read.
        note_table(&mut cursor, &mut stubs).ok();
    }
    stubs.retain(|_, stub| stub.protocols.contains(&STUB));
    let mut declarations = String::new();
    for (name, stub) in stubs {
        // Writing to a string does not fail.
        declare(&mut declarations, name, &stub).ok();
    }
    declarations
}

/// Adds the facts of `sil_witness_table hidden <A where A : P> $S<A>: P module m { … }`, if the name of the type begins
/// with a dollar.
fn note_table<'a>(cursor: &mut Cursor<'a>, stubs: &mut BTreeMap<&'a str, Stub<'a>>) -> Parsed<()> {
    cursor.expect_word("sil_witness_table")?;
    let mut modifier = "public";
    while cursor.at(Token::Identifier) {
        if cursor.bump() == "hidden" {
            modifier = "";
        }
    }
    while cursor.at(Token::LeftBracket) && cursor.skip_balanced() {}
    let generics = match cursor.at(Token::Less) {
        true => Some(Piece::of_angles(cursor)?),
        false => None,
    };
    if !cursor.at(Token::Dollar) {
        return Ok(());
    }
    cursor.bump();
    let name = cursor.expect(Token::Identifier)?;
    if cursor.at(Token::Less) {
        Piece::of_angles(cursor)?;
    }
    cursor.expect(Token::Colon)?;
    let stub = stubs.entry(name).or_default();
    stub.modifier = modifier;
    if let Some(generics) = generics {
        (stub.parameters, stub.requirements) = halves(&generics);
    }
    stub.protocols.push(cursor.expect(Token::Identifier)?);
    while !cursor.at(Token::End) {
        if cursor.at_line_start() && cursor.at_word("associated_type") {
            cursor.bump();
            let associated = cursor.expect(Token::Identifier)?;
            cursor.expect(Token::Colon)?;
            stub.types.insert(associated, Piece::of_type(cursor)?.slice());
        } else {
            cursor.bump();
        }
    }
    Ok(())
}

/// Returns the parameters and the requirements of `<A, B where A : P>`.
fn halves<'a>(generics: &Piece<'a>) -> (&'a str, &'a str) {
    let (start, end) = (generics.start + 1, generics.end - 1);
    let slice = |from: u32, to: u32| &generics.text[from as usize..to as usize];
    let mut cursor = Cursor::within(generics.text, generics.file, start, end);
    while !cursor.at(Token::End) {
        let span = cursor.span();
        if cursor.at_word("where") {
            return (slice(start, span.start), slice(span.end, end));
        }
        cursor.bump();
    }
    (slice(start, end), "")
}

fn declare(out: &mut String, name: &str, stub: &Stub<'_>) -> std::fmt::Result {
    let (Some(id), Some(system)) = (stub.types.get("ID"), stub.types.get("ActorSystem")) else { return Ok(()) };
    write!(out, "{} distributed actor ${name}", stub.modifier)?;
    if !stub.parameters.is_empty() {
        write!(out, "<{}>", stub.parameters)?;
    }
    write!(out, " : {}", stub.protocols.join(", "))?;
    if !stub.requirements.is_empty() {
        write!(out, " where {}", stub.requirements)?;
    }
    writeln!(out, " {{")?;
    writeln!(out, "  @_compilerInitialized @_hasStorage nonisolated final let id: {id} {{ get }}")?;
    writeln!(out, "  @_hasStorage nonisolated final let actorSystem: {system} {{ get }}")?;
    for (associated, ty) in stub.types.iter().filter(|(associated, ty)| associated != ty) {
        writeln!(out, "  typealias {associated} = {ty}")?;
    }
    writeln!(out, "  deinit")?;
    writeln!(out, "  nonisolated var hashValue: Int {{ get }}")?;
    writeln!(out, "  init(actorSystem system: {system})")?;
    writeln!(
        out,
        "  @_semantics(\"defaultActor\") nonisolated final var unownedExecutor: UnownedSerialExecutor {{ get }}"
    )?;
    writeln!(out, "}}")
}

//! The instruction deleter: tests whether instructions are dead, and erases them together with the users of their
//! results. Operands that an erased instruction consumed are destroyed before it
//! (lib/SILOptimizer/Utils/InstructionDeleter.cpp).
//!
//! Does not own: bodies without an editor (`unused`), and blocks (the editor).

use sil_analysis::{Analyses, Use, named_archetypes, opened_archetypes, opening};
use sil_ir::context::{FunctionAttribute, Type};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode, Position};
use sil_ir::model::{Body, Details, InstructionId, Ownership, Place, Value};
use sil_ir::types::Copyability;

use super::debug_values::salvage;
use super::editor::Editor;
use crate::constant_evaluation::is_read_only_call;
use crate::pass::Environment;
use crate::pass::settings::OptimizationMode;

/// The instructions that count as dead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deadness {
    /// Instructions without uses and side effects (`isInstructionTriviallyDead` in
    /// lib/SILOptimizer/Utils/InstOptUtils.cpp).
    Unused,
    /// In addition, in functions with ownership, instructions whose results have only lifetime-ending or scope-ending
    /// uses (`isScopeAffectingInstructionDead`).
    Scopes,
}

/// Whether an instruction is dead.
pub(crate) fn is_dead(editor: &Editor<'_>, id: InstructionId, deadness: Deadness) -> bool {
    editor.is_placed(id) && (is_trivially_dead(editor, id) || deadness == Deadness::Scopes && is_dead_scope(editor, id))
}

/// Deletes an instruction if it is dead. Returns whether it was deleted (`InstructionDeleter::deleteIfDead`).
pub(crate) fn delete_if_dead(editor: &mut Editor<'_>, id: InstructionId, deadness: Deadness) -> bool {
    let is_dead = is_dead(editor, id, deadness);
    if is_dead {
        force_delete(editor, id);
    }
    is_dead
}

/// Deletes the dead candidates, and then the definitions of their operands that become dead.
pub(crate) fn delete_dead(
    editor: &mut Editor<'_>,
    candidates: impl IntoIterator<Item = InstructionId>,
    deadness: Deadness,
) {
    let mut open: Vec<InstructionId> = candidates.into_iter().collect();
    while let Some(id) = open.pop() {
        let operands = editor.body().operands(id);
        let makers: Vec<InstructionId> = operands.iter().filter_map(|value| editor.body().defining(*value)).collect();
        if delete_if_dead(editor, id, deadness) {
            open.extend(makers);
        }
    }
}

/// Deletes the definitions of these values if they are dead, as `delete_dead` does.
pub(crate) fn delete_dead_values(editor: &mut Editor<'_>, values: &[Value], deadness: Deadness) {
    let makers: Vec<InstructionId> = values.iter().filter_map(|value| editor.body().defining(*value)).collect();
    delete_dead(editor, makers, deadness);
}

/// The body of a function without the dead definitions of `values`.
pub(crate) fn without_dead(environment: Environment<'_>, body: &Body, values: &[Value], deadness: Deadness) -> Body {
    let analyses = Analyses::default();
    let mut editor = Editor::new(Environment { body, analyses: &analyses, ..environment });
    delete_dead_values(&mut editor, values, deadness);
    editor.into_body()
}

/// Deletes an instruction and all users of its results, dead or not (`InstructionDeleter::deleteWithUses`).
pub(crate) fn force_delete(editor: &mut Editor<'_>, id: InstructionId) {
    salvage(editor, id);
    if editor.has_ownership() {
        end_consumed(editor, id);
    }
    editor.erase_with_users(id);
}

/// Ends the lifetimes of the operands that an instruction consumes, before the instruction; the memory of a
/// `load [take]` is destroyed. The result of a `drop_deinit` ends by `end_lifetime` if no result of the instruction
/// has ownership. Swift uses `end_lifetime` in any case, which leaks the parts that such results own.
fn end_consumed(editor: &mut Editor<'_>, id: InstructionId) {
    let operands = editor.body().operands(id).to_vec();
    let takes_memory =
        editor.opcode(id) == Opcode::Load && editor.body().instructions[id].attributes.contains(Attribute::Take);
    let uses: Vec<Use> = (0..operands.len() as u32).map(|operand| Use { user: id, operand }).collect();
    let gives_nothing = editor.body().results(id).all(|result| editor.ownership(result) == Ownership::None);
    for (value, ownership) in operands.into_iter().zip(editor.operand_ownerships(&uses)) {
        let is_consumed = ownership.ends_lifetime() && editor.ownership(value) == Ownership::Owned;
        let is_without_deinit = editor.made_by(value, Opcode::DropDeinit).is_some();
        editor.build(Place::Before(id), id, |builder| {
            if takes_memory {
                builder.destroy_addr(value);
            } else if is_consumed && is_without_deinit && gives_nothing {
                builder.end_lifetime(value);
            } else if is_consumed {
                builder.destroy_value(value);
            }
        });
    }
}

/// Whether debug uses keep a value alive: they do unless functions are optimised.
pub(crate) fn keeps_shown(editor: &Editor<'_>) -> bool {
    editor.environment.settings.optimization != OptimizationMode::Optimized
}

fn is_trivially_dead(editor: &Editor<'_>, id: InstructionId) -> bool {
    let is_unused = |result| match keeps_shown(editor) {
        true => editor.uses(result).is_empty(),
        false => editor.uses_but_debug(result).is_empty(),
    };
    editor.body().results(id).all(is_unused) && is_removable(editor, id)
}

/// Whether an instruction can be removed once its results have no uses.
pub(crate) fn is_removable(editor: &Editor<'_>, id: InstructionId) -> bool {
    let is_removable = match editor.opcode(id) {
        opcode if opcode.information().position == Position::Terminator => false,
        // These mark the start or the extent of a lifetime, or a variable. They matter without uses of their results.
        Opcode::MarkUninitialized | Opcode::DebugValue | Opcode::Borrowed | Opcode::ExtendLifetime => false,
        // Taking the payload ends the lifetime of an owned enum, even if the payload has none itself.
        Opcode::UncheckedEnumData => {
            !editor.operand(id, 0).is_some_and(|taken| editor.ownership(taken) == Ownership::Owned)
        }
        // Types of other instructions may name the archetypes that these open.
        Opcode::OpenExistentialAddr
        | Opcode::OpenExistentialRef
        | Opcode::OpenExistentialMetatype
        | Opcode::OpenExistentialBox
        | Opcode::OpenExistentialBoxValue
        | Opcode::OpenExistentialValue
        | Opcode::OpenPackElement => false,
        Opcode::Builtin => {
            let Details::Builtin(builtin) = &editor.body().instructions[id].details else { return false };
            let operation = builtin.operation();
            operation.map(|operation| operation.kind) != Some(BuiltinKind::Named(NamedBuiltin::OnFastPath))
        }
        _ => true,
    };
    let takes = || editor.body().instructions[id].attributes.contains(Attribute::Take);
    let only_reads = editor.opcode(id) == Opcode::Load && !takes();
    let leaves_memory = only_reads
        || match editor.memory_behavior(id) {
            MemoryBehavior::None => true,
            // Builtins that only read memory, such as LLVM's intrinsics.
            MemoryBehavior::MayRead => editor.opcode(id) == Opcode::Builtin,
            _ => false,
        };
    is_removable && leaves_memory && !editor.may_have_side_effects(id)
}

fn is_dead_scope(editor: &Editor<'_>, id: InstructionId) -> bool {
    let keeps_shown = keeps_shown(editor);
    let is_end = |found: &Use| match editor.opcode(found.user) {
        Opcode::DestroyValue | Opcode::EndLifetime | Opcode::DeallocStack | Opcode::EndBorrow | Opcode::EndAccess => {
            true
        }
        Opcode::DebugValue => !keeps_shown,
        _ => false,
    };
    editor.has_ownership()
        && makes_scope(editor, id)
        && editor
            .body()
            .results(id)
            .all(|result| may_end_earlier(editor, id, result) && editor.uses(result).iter().all(is_end))
}

/// Whether the lifetime of a value may end earlier. Programs observe the end of an owned noncopyable value, and of a
/// lexical lifetime.
fn may_end_earlier(editor: &Editor<'_>, id: InstructionId, value: Value) -> bool {
    let Environment { queries, function, .. } = editor.environment;
    let ty = editor.body().ty(value);
    let is_copyable = queries.properties(ty.ty, function.signature).copyability == Copyability::Copyable;
    let is_lexical = matches!(editor.opcode(id), Opcode::BeginBorrow | Opcode::MoveValue)
        && editor.body().instructions[id].attributes.contains(Attribute::Lexical);
    let is_trivial_closure = || match queries.get(ty.ty) {
        Type::Function(function) => function.attributes.contains(FunctionAttribute::NoEscape) && editor.is_trivial(ty),
        _ => false,
    };
    (is_copyable || editor.ownership(value) != Ownership::Owned) && (!is_lexical || is_trivial_closure())
}

/// Whether the only effect of an instruction is to begin scopes or lifetimes that other instructions end.
fn makes_scope(editor: &Editor<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    match editor.opcode(id) {
        // Copies and casts (`getSingleValueCopyOrCast`).
        CopyValue
        | CopyBlock
        | CopyBlockWithoutEscaping
        | BeginBorrow
        | BeginAccess
        | MarkDependence
        | MoveValue
        | ConvertFunction
        | Upcast
        | AddressToPointer
        | UncheckedTrivialBitCast
        | UncheckedAddrCast
        | UncheckedBitwiseCast
        | RefToRawPointer
        | RawPointerToRef
        | ConvertEscapeToNoescape
        | RefToBridgeObject
        | BridgeObjectToRef
        | BridgeObjectToWord
        | ThinToThickFunction
        | ThickToObjcMetatype
        | ObjcToThickMetatype
        | ObjcMetatypeToObject
        | ObjcExistentialMetatypeToObject
        | UncheckedRefCast
        | UncheckedValueCast
        | RefToUnmanaged
        | RefToUnowned
        | UnmanagedToRef
        | UnownedToRef => true,
        LoadBorrow | Load | Struct | Enum | Tuple | DestructureStruct | DestructureTuple => true,
        AllocStack => {
            let shows = matches!(editor.body().instructions[id].details, Details::Variable(_));
            !shows || !keeps_shown(editor)
        }
        Apply => {
            let Environment { module, queries, .. } = editor.environment;
            is_read_only_call(module, queries, editor.body(), id)
        }
        // The closure destroys the values that it captures by address.
        PartialApply => {
            let captured = &editor.body().operands(id)[1..];
            captured.iter().all(|value| !editor.body().ty(*value).is_address())
        }
        _ => false,
    }
}

/// Whether an instruction opens an existential whose archetype no other instruction or block argument names.
pub(crate) fn names_nothing(editor: &Editor<'_>, id: InstructionId) -> bool {
    let (body, queries) = (editor.body(), editor.environment.queries);
    let opens = matches!(
        editor.opcode(id),
        Opcode::OpenExistentialAddr | Opcode::OpenExistentialRef | Opcode::OpenExistentialMetatype
    );
    let Some((uuid, _)) = opening(queries, body, id).filter(|_| opens) else { return false };
    let mut others = body.placed_instructions().filter(|other| *other != id);
    let mut arguments = body.blocks.values().flat_map(|block| &block.arguments);
    !others.any(|other| named_archetypes(queries, body, other).contains(&uuid))
        && !arguments.any(|argument| opened_archetypes(queries, body.ty(*argument).ty).contains(&uuid))
}

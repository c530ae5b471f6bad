//! Removes unused values without side effects.

use rustc_hash::FxHashSet;

use crate::analysis::{Analyses, Uses, named_archetypes, opened_archetypes, opening};
use crate::instructions::builtins::{BuiltinKind, NamedBuiltin};
use crate::instructions::{Attribute, MemoryBehavior, Opcode, Position};
use crate::model::{Body, Details, InstructionId, Ownership, Value};
use crate::transform::editing::debug_values::salvage;
use crate::transform::editing::editor::Editor;
use crate::transform::pass::Environment;
use crate::transform::pass::settings::OptimizationMode;

/// Removes the unused definitions of `values`, as far as they are references, literals or conversions of these, and
/// then their operands' definitions.
pub(in crate::transform) fn remove_unused(body: &mut Body, values: Vec<Value>) {
    remove(body, values, |_, _| false);
}

/// Removes unused definitions like [`remove_unused`]. Debug uses are ignored and removed too.
pub(in crate::transform) fn remove_unused_and_variables(body: &mut Body, values: Vec<Value>) {
    remove(body, values, |body, user| body.instructions[user].opcode == Opcode::DebugValue);
}

fn remove(body: &mut Body, mut values: Vec<Value>, is_no_use: impl Fn(&Body, InstructionId) -> bool) {
    if values.is_empty() {
        return;
    }
    let uses = Uses::new(body);
    // Uses in removed blocks do not count.
    let placed: FxHashSet<InstructionId> = body.placed_instructions().collect();
    let mut gone: FxHashSet<InstructionId> = FxHashSet::default();
    while let Some(value) = values.pop() {
        let Some(id) = body.defining(value).filter(|id| placed.contains(id) && !gone.contains(id)) else { continue };
        let users: Vec<InstructionId> = uses.of(value).iter().map(|found| found.user).collect();
        let is_unused = users.iter().all(|user| gone.contains(user) || is_no_use(body, *user));
        if is_unused && has_no_effect(body, id) {
            gone.extend(users);
            gone.insert(id);
            values.extend(body.operands(id));
        }
    }
    gone.into_iter().for_each(|id| body.erase(id));
}

/// Removes the copy or borrow `value` if its only uses end it, and then its operand's definition, by the rules of
/// lib/SILOptimizer/Utils/InstructionDeleter.cpp. Lexical scopes are kept.
pub(in crate::transform) fn remove_idle(body: &mut Body, mut value: Value) {
    loop {
        let Some(id) = body.defining(value) else { return };
        let instruction = &body.instructions[id];
        let end = match instruction.opcode {
            Opcode::CopyValue => Opcode::DestroyValue,
            Opcode::BeginBorrow if !instruction.attributes.contains(Attribute::Lexical) => Opcode::EndBorrow,
            _ => return,
        };
        let uses = Uses::new(body);
        let is_idle = uses.of(value).iter().all(|found| body.instructions[found.user].opcode == end);
        if !is_idle || !body.placed_instructions().any(|placed| placed == id) {
            return;
        }
        let operand = body.operands(id).first().copied();
        uses.of(value).iter().for_each(|found| body.erase(found.user));
        body.erase(id);
        let Some(next) = operand else { return };
        value = next;
    }
}

/// Removes the unused instructions among the candidates, and then their operands' definitions. Requires a function
/// without ownership.
pub(in crate::transform) fn remove_unneeded(editor: &mut Editor<'_>, mut candidates: Vec<InstructionId>) {
    while let Some(id) = candidates.pop() {
        let is_unused = |editor: &Editor<'_>| {
            let mut results = editor.body().results(id);
            results.all(|result| editor.uses_but_debug(result).is_empty())
        };
        if editor.is_placed(id) && is_unused(editor) && is_removable(editor, id) {
            let makers = editor.body().operands(id).iter().filter_map(|value| editor.body().defining(*value));
            candidates.extend(makers);
            editor.erase_with_debug_uses(id);
        }
    }
}

/// Returns the body without the dead definitions of `values`, and then without their dead operands' definitions
/// (`recursivelyDeleteTriviallyDeadInstructions` in lib/SILOptimizer/Utils/InstOptUtils.cpp).
pub(in crate::transform) fn without_dead(environment: Environment<'_>, body: &Body, values: Vec<Value>) -> Body {
    let analyses = Analyses::default();
    let mut editor = Editor::new(Environment { body, analyses: &analyses, ..environment });
    let mut candidates: Vec<InstructionId> = values.into_iter().filter_map(|value| body.defining(value)).collect();
    while let Some(id) = candidates.pop() {
        if editor.is_placed(id) && is_unneeded(&editor, id) {
            let makers = editor.body().operands(id).iter().filter_map(|value| editor.body().defining(*value));
            candidates.extend(makers);
            salvage(&mut editor, id);
            editor.erase_with_debug_uses(id);
        }
    }
    editor.into_body()
}

/// Returns whether an instruction is unused and has no side effects (`isInstructionTriviallyDead`).
pub(in crate::transform) fn is_unneeded(editor: &Editor<'_>, id: InstructionId) -> bool {
    let is_unused = |result| match keeps_shown(editor) {
        true => editor.uses(result).is_empty(),
        false => editor.uses_but_debug(result).is_empty(),
    };
    editor.body().results(id).all(is_unused) && is_removable(editor, id)
}

/// Returns whether debug uses keep values alive, which is the case in unoptimised code.
pub(in crate::transform) fn keeps_shown(editor: &Editor<'_>) -> bool {
    editor.environment.settings.optimization != OptimizationMode::Optimized
}

/// Returns whether an unused instruction can be removed.
pub(in crate::transform) fn is_removable(editor: &Editor<'_>, id: InstructionId) -> bool {
    let is_removable = match editor.opcode(id) {
        opcode if opcode.information().position == Position::Terminator => false,
        // They end a lifetime or mark a beginning, whether or not their result is used.
        Opcode::MarkUninitialized | Opcode::DebugValue | Opcode::Borrowed | Opcode::ExtendLifetime => false,
        // The extraction from an owned enum ends its lifetime, even if the payload has no ownership.
        Opcode::UncheckedEnumData => {
            !editor.operand(id, 0).is_some_and(|taken| editor.ownership(taken) == Ownership::Owned)
        }
        // Types may refer to an opened archetype.
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
            // LLVM intrinsics that only read.
            MemoryBehavior::MayRead => editor.opcode(id) == Opcode::Builtin,
            _ => false,
        };
    is_removable && leaves_memory && !editor.may_have_side_effects(id)
}

/// Returns whether an instruction opens an existential, and only its own result refers to the archetype.
pub(in crate::transform) fn names_nothing(editor: &Editor<'_>, id: InstructionId) -> bool {
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

fn has_no_effect(body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    let opcode = body.instructions[id].opcode;
    // The extraction from another owned enum ends its lifetime.
    let takes_out_what_was_put_in = || {
        body.operands(id)
            .first()
            .and_then(|whole| body.defining(*whole))
            .is_some_and(|whole| body.instructions[whole].opcode == Enum)
    };
    if opcode == UncheckedEnumData {
        return takes_out_what_was_put_in();
    }
    matches!(
        opcode,
        FunctionRef
            | ThinToThickFunction
            | ConvertFunction
            | UncheckedRefCast
            | StructExtract
            | TupleExtract
            | Struct
            | Tuple
            | Enum
            | GlobalAddr
            | IntegerLiteral
            | FloatLiteral
            | StringLiteral
            | Metatype
            | InitExistentialMetatype
            | WitnessMethod
    )
}

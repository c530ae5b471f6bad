//! Computes the effects of instructions on the sizes of arrays in memory (`ABCAnalysis`).
//!
//! An array value is immutable: a mutation of a shared buffer copies it first.

use rustc_hash::FxHashSet;
use sil_analysis::{Destruction, RcIdentity};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::Store;
use sil_ir::model::{BlockId, InstructionId, Value};

use super::array_places::ArrayPlace;
use crate::editing::editor::Editor;
use crate::knowledge::array_calls::{ArrayCall, is_array_element, loaded_from};
use crate::pass::Environment;

/// The effect of an instruction on array sizes.
pub(super) enum SizeEffect {
    /// No effect.
    None,
    /// May mutate or overwrite the array at the location.
    At(ArrayPlace),
    /// May mutate any array in memory.
    Any,
}

/// The effects of several instructions on array sizes.
pub(super) enum SizeChanges {
    /// May mutate the arrays at the locations.
    At(Vec<ArrayPlace>),
    /// May mutate any array in memory.
    Any,
}

impl SizeChanges {
    /// Returns whether the size of the array at `place` does not change.
    pub(super) fn spare(&self, place: Option<&ArrayPlace>) -> bool {
        match (self, place) {
            (Self::At(changed), Some(place)) => !changed.iter().any(|changed| changed.may_overlap(place)),
            _ => false,
        }
    }
}

/// The array size effects of the instructions of a function.
pub(super) struct ArraySizes<'a, 'm> {
    environment: Environment<'m>,
    identity: &'a RcIdentity<'a, 'm>,
    /// The arrays, and the addresses that they are loaded from, whose destruction has no visible side effects.
    harmless: FxHashSet<Value>,
}

impl<'a, 'm> ArraySizes<'a, 'm> {
    /// Analyses the arrays that the function passes to array functions.
    pub(super) fn new(environment: Environment<'m>, identity: &'a RcIdentity<'a, 'm>) -> Self {
        let Environment { module, queries, function, body, .. } = environment;
        let destruction = Destruction::new(module, queries);
        let mut harmless = FxHashSet::default();
        for id in body.placed_instructions() {
            let array = ArrayCall::of(environment, body, id).and_then(|call| call.array(body));
            let Some(root) = array.map(|array| identity.root(array)) else { continue };
            if destruction.is_harmless_to_destroy(body.ty(root).ty, function.signature) {
                harmless.insert(root);
                harmless.extend(loaded_from(body, root));
            }
        }
        Self { environment, identity, harmless }
    }

    /// The effects of the instructions of some blocks.
    pub(super) fn changes_in(&self, editor: &Editor<'_>, blocks: &[BlockId]) -> SizeChanges {
        let mut changed = Vec::new();
        for id in blocks.iter().flat_map(|block| editor.body().instructions_in(*block)) {
            match self.effect(editor, id) {
                SizeEffect::None => {}
                SizeEffect::At(place) => changed.push(place),
                SizeEffect::Any => return SizeChanges::Any,
            }
        }
        SizeChanges::At(changed)
    }

    /// The effect of an instruction.
    pub(super) fn effect(&self, editor: &Editor<'_>, id: InstructionId) -> SizeEffect {
        use Opcode::*;
        match editor.opcode(id) {
            StrongRetain | RetainValue | CopyValue | CondFail | DeallocStack | AllocStack | AllocBox | AllocRef
            | AllocRefDynamic | BeginBorrow | EndBorrow => SizeEffect::None,
            StrongRelease | ReleaseValue | DestroyValue => self.effect_of_release(editor, id),
            Store => effect_of_store(editor, id),
            Load => SizeEffect::None,
            Apply => self.effect_of_call(editor, id),
            _ => without_side_effects(editor, id),
        }
    }

    /// The end of a lifetime may run a deinitialiser.
    fn effect_of_release(&self, editor: &Editor<'_>, id: InstructionId) -> SizeEffect {
        let is_harmless = editor.operand(id, 0).is_some_and(|released| {
            // The analysis does not know values created since.
            if !self.environment.body.values.is_valid(released) {
                return false;
            }
            let root = self.identity.root(released);
            let address = loaded_from(self.environment.body, root);
            self.harmless.contains(&root) || address.is_some_and(|address| self.harmless.contains(&address))
        });
        if is_harmless { SizeEffect::None } else { SizeEffect::Any }
    }

    fn effect_of_call(&self, editor: &Editor<'_>, id: InstructionId) -> SizeEffect {
        let body = editor.body();
        let Some(call) = ArrayCall::of(self.environment, body, id) else { return without_side_effects(editor, id) };
        // An array at an unidentified location may alias one at an identified location.
        let Some(place) = call.storage(body).and_then(|array| ArrayPlace::of(body, array)) else {
            return SizeEffect::Any;
        };
        match call.function {
            function if function.makes_array() => SizeEffect::Any,
            function if function.changes_count() => SizeEffect::At(place),
            _ => SizeEffect::None,
        }
    }
}

fn without_side_effects(editor: &Editor<'_>, id: InstructionId) -> SizeEffect {
    if editor.may_have_side_effects(id) { SizeEffect::Any } else { SizeEffect::None }
}

/// A store to a variable overwrites the array. A store to an element changes only the buffer of an array.
fn effect_of_store(editor: &Editor<'_>, id: InstructionId) -> SizeEffect {
    let body = editor.body();
    let destination = Store::of(body, id).destination;
    if body.instructions[id].attributes.contains(Attribute::Assign) {
        return SizeEffect::Any;
    }
    if editor.made_by(destination, Opcode::AllocStack).is_some() {
        return ArrayPlace::of(body, destination).map_or(SizeEffect::Any, SizeEffect::At);
    }
    if is_array_element(editor.environment, body, destination) { SizeEffect::None } else { SizeEffect::Any }
}

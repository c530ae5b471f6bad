//! The uses of an array in memory: of its address, of the address of its container, and of values loaded from it
//! (`StructUseCollector`, lib/SILOptimizer/LoopTransforms/ArrayOpt.h).

use rustc_hash::FxHashSet;
use sil_analysis::{BodyView, Use, cast_keeps_reference};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::IndexAddr;
use sil_ir::model::{InstructionId, Value};

use crate::knowledge::value_paths::{PathStep, step, without_single_arguments};

/// The position of an array in its container.
pub(crate) struct ArrayPath {
    /// The container.
    pub(crate) container: Value,
    /// The path from the container to the array.
    steps: Vec<PathStep>,
}

impl ArrayPath {
    /// Returns the path of an address, or of an array value.
    pub(crate) fn of(view: &BodyView<'_>, address: Value) -> Self {
        let mut steps = Vec::new();
        let mut container = without_casts(view, address);
        loop {
            // The index is irrelevant.
            if let Some((id, Opcode::IndexAddr)) = view.definition(container) {
                container = without_casts(view, IndexAddr::of(view.body, id).base);
                continue;
            }
            let taken = view.body.defining(container).and_then(|id| step(view.body, id));
            let Some((step, operand)) = taken.filter(|(step, _)| *step != PathStep::Content) else { break };
            steps.push(step);
            container = without_casts(view, operand);
        }
        steps.reverse();
        Self { container, steps }
    }
}

/// Strips casts and single-predecessor arguments from a value (`stripCasts`).
fn without_casts(view: &BodyView<'_>, mut value: Value) -> Value {
    loop {
        value = without_single_arguments(view, value);
        let Some((id, opcode)) = view.definition(value) else { return value };
        let Some(operand) = view.operand(id, 0) else { return value };
        use Opcode::*;
        let is_same = match opcode {
            Upcast
            | UncheckedRefCast
            | RefToBridgeObject
            | BridgeObjectToRef
            | UncheckedTrivialBitCast
            | MarkDependence
            | UncheckedOwnershipConversion
            | BeginAccess
            | CopyValue
            | BeginBorrow
            | MoveValue => true,
            UnconditionalCheckedCast => cast_keeps_reference(view, operand, value),
            _ => false,
        };
        if !is_same {
            return value;
        }
        value = operand;
    }
}

/// The uses of an array in memory.
#[derive(Default)]
pub(crate) struct ArrayUses {
    /// The users of the address of a container.
    pub(crate) of_container: Vec<InstructionId>,
    /// The users of the array's address.
    pub(crate) of_address: Vec<InstructionId>,
    /// The users of the loaded array.
    pub(crate) of_value: Vec<InstructionId>,
    /// The users of the address of one of its fields.
    pub(crate) of_field_address: Vec<InstructionId>,
    /// The users of a loaded field.
    pub(crate) of_field: Vec<InstructionId>,
    /// The visited uses.
    seen: FxHashSet<Use>,
}

/// The kind of address whose uses are collected.
#[derive(Clone, Copy)]
enum Part<'p> {
    /// A container of the array, with the remaining path to it; the array itself if the path is empty.
    Container(&'p [PathStep]),
    /// A field of the array.
    Field,
}

impl ArrayUses {
    /// Collects all uses of the array at `path`.
    pub(crate) fn of(view: &BodyView<'_>, path: &ArrayPath) -> Self {
        let mut uses = Self::default();
        let (mut loads, mut field_loads) = (Vec::new(), Vec::new());
        uses.collect(view, path.container, Part::Container(&path.steps), (&mut loads, &mut field_loads));
        let (of_loads, of_field_loads) = (uses.seen_first(view, &loads), uses.seen_first(view, &field_loads));
        uses.of_value.extend(of_loads);
        uses.of_field.extend(of_field_loads);
        uses
    }

    /// Returns the direct users of the array, without those of fields of loaded values.
    pub(crate) fn users(&self) -> FxHashSet<InstructionId> {
        self.seen.iter().map(|found| found.user).collect()
    }

    /// Returns whether only loads and `others` use the array in memory (`hasOnlyAddressUses`).
    pub(crate) fn are_loads_and(&self, view: &BodyView<'_>, others: [InstructionId; 2]) -> bool {
        let is_load = |id: &InstructionId| matches!(view.opcode(*id), Opcode::Load | Opcode::LoadBorrow);
        self.of_container.is_empty()
            && self.of_field_address.is_empty()
            && self.of_address.iter().all(|id| is_load(id) || others.contains(id))
    }

    fn seen_first(&mut self, view: &BodyView<'_>, loads: &[InstructionId]) -> Vec<InstructionId> {
        let uses = loads.iter().flat_map(|load| view.body.results(*load)).flat_map(|value| view.uses.of(value));
        uses.filter(|found| self.seen.insert(**found)).map(|found| found.user).collect()
    }

    fn collect(
        &mut self,
        view: &BodyView<'_>,
        value: Value,
        part: Part<'_>,
        loads: (&mut Vec<InstructionId>, &mut Vec<InstructionId>),
    ) {
        let (of_array, of_fields) = loads;
        for found in view.uses.of(value) {
            let (id, opcode) = (found.user, view.opcode(found.user));
            if !self.seen.insert(*found) || opcode == Opcode::DebugValue {
                continue;
            }
            let is_load = matches!(opcode, Opcode::Load | Opcode::LoadBorrow);
            let skips = matches!(opcode, Opcode::UncheckedRefCast | Opcode::IndexAddr);
            let next = match part {
                Part::Field if is_load => {
                    of_fields.push(id);
                    continue;
                }
                Part::Field if opcode == Opcode::StructElementAddr => Part::Field,
                Part::Field => {
                    self.of_field_address.push(id);
                    continue;
                }
                Part::Container(_) if skips => part,
                Part::Container([]) if opcode == Opcode::StructElementAddr => Part::Field,
                Part::Container([]) => {
                    if is_load {
                        of_array.push(id);
                    }
                    let users = match view.body.ty(value).is_address() {
                        true => &mut self.of_address,
                        false => &mut self.of_value,
                    };
                    users.push(id);
                    continue;
                }
                Part::Container([first, rest @ ..]) => match step(view.body, id) {
                    Some((taken, _)) if taken == *first => Part::Container(rest),
                    // A part next to the array.
                    Some((taken, _)) if taken != PathStep::Content => continue,
                    _ => {
                        self.of_container.push(id);
                        continue;
                    }
                },
            };
            if let Some(result) = view.body.result(id) {
                self.collect(view, result, next, (&mut *of_array, &mut *of_fields));
            }
        }
    }
}

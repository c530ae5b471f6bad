//! Splits loads of aggregates that contain a stored place, into a load of the place and loads of the other parts.

use sil_analysis::StoragePath;

use super::contents::LoopContext;
use super::moving::remove_unused;
use super::promotion::projections;

use sil_ir::instructions::AttributeSet;
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{Body, InstructionId, Place, Replacements, Value};

use crate::InstructionBuilder;
use crate::knowledge::aggregate_parts::{has_deinit, parts};
use crate::knowledge::elements::Step;

/// The limit on additional loads per place.
const MOST_LOADS: usize = 6;

/// Returns the body with `load` split so that the stored `place` is loaded separately. `None` if the place is not a
/// projection of the load's address, or if `count` exceeds the limit on additional loads.
pub(super) fn split(
    context: &LoopContext<'_, '_>,
    (load, loaded): (InstructionId, &StoragePath),
    (store, place): (InstructionId, &StoragePath),
    count: &mut usize,
) -> Option<Body> {
    let before = context.environment.body;
    let depth = place.fields.len() - loaded.fields.len();
    let steps = projections(before, Store::of(before, store).destination, depth)?;
    if *count >= MOST_LOADS || !steps.iter().all(|step| is_divisible(context, step.outer)) {
        return None;
    }
    let outermost = steps.last().map(|step| step.outer)?;
    let address = Unary::of(before, load).operand;
    if before.ty(outermost) != before.ty(address) {
        return None;
    }
    let mut body = before.clone();
    let mut division = Division { context, body: &mut body, load, made: 0 };
    let whole = division.value(address, &place.fields[loaded.fields.len()..])?;
    *count += division.made;
    let mut replacements = Replacements::default();
    replacements.replace(before.result(load)?, whole);
    body.replace_values(&replacements);
    body.erase(load);
    remove_unused(context, &mut body, vec![address]);
    Some(body)
}

/// Returns whether the aggregate at an address can be loaded by parts.
fn is_divisible(context: &LoopContext<'_, '_>, address: Value) -> bool {
    let ty = context.environment.body.ty(address).ty;
    parts(context.view.queries, ty).is_some_and(|parts| !parts.is_empty()) && !has_deinit(context.environment, ty)
}

struct Division<'c, 'l, 'm> {
    context: &'c LoopContext<'l, 'm>,
    body: &'c mut Body,
    /// The load to split.
    load: InstructionId,
    made: usize,
}

impl Division<'_, '_, '_> {
    /// The value at `address`, with the part at `path` loaded separately.
    fn value(&mut self, address: Value, path: &[u32]) -> Option<Value> {
        let ty = self.body.ty(address).object_type();
        let Some((divided, rest)) = path.split_first() else { return Some(self.load(address)) };
        let parts = parts(self.context.view.queries, ty.ty)?;
        let first = parts.first()?.step;
        let mut values = Vec::new();
        for (index, part) in (0..).zip(parts) {
            let place = part.project(&mut self.builder(), address);
            values.push(match index == *divided {
                true => self.value(place, rest)?,
                false => self.load(place),
            });
        }
        Some(match first {
            Step::Tuple(_) => self.builder().tuple(&values, ty),
            Step::Property(_) => self.builder().structure(&values, ty),
        })
    }

    fn load(&mut self, address: Value) -> Value {
        self.made += 1;
        let attributes: AttributeSet = self.body.instructions[self.load].attributes;
        self.builder().with(attributes).load(address)
    }

    fn builder(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, Place::Before(self.load), self.load)
    }
}

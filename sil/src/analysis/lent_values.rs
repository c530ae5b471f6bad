//! Values that the caller of a function keeps alive as long as it runs: what it lends, parts of that, and what indirect cases of lent enums hold, whose
//! boxes nothing changes once they are made. Swift's compiler sees borrows of these where functions have ownership; without it they are retained where
//! they are taken out.
//!
//! Does not own: what is loaded from other memory, which may change, such as properties of lent objects.

use rustc_hash::FxHashSet;

use super::walk::{self, Step};
use super::{BodyView, ProjectionPath};
use crate::context::ParameterConvention;
use crate::instructions::Opcode;
use crate::model::{Definition, Value};
use crate::types::ArgumentConvention;

/// Whether the caller keeps alive whatever `value` may be, in a function without ownership.
pub fn is_lent(view: &BodyView<'_>, value: Value) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![(value, ProjectionPath::EMPTY)];
    while let Some((value, path)) = open.pop() {
        if !seen.insert((value, path)) {
            continue;
        }
        match walk::value_up(view, value, path) {
            Step::To(next, path) => open.push((next, path)),
            Step::ToEach(next) => open.extend(next),
            Step::Unmatched => {}
            Step::End if convention(view, value) == Some(ParameterConvention::Guaranteed) => {}
            Step::End => match indirect_payload(view, value) {
                Some(payload) => open.push((payload, ProjectionPath::EMPTY)),
                None => return false,
            },
        }
    }
    true
}

/// The convention of the parameter that `value` is.
fn convention(view: &BodyView<'_>, value: Value) -> Option<ParameterConvention> {
    match view.argument_convention(value)? {
        ArgumentConvention::Parameter(convention) => Some(convention),
        _ => None,
    }
}

/// The box of an indirect case that `value` is loaded from.
fn indirect_payload(view: &BodyView<'_>, value: Value) -> Option<Value> {
    let (load, _) = view.definition(value).filter(|(_, opcode)| *opcode == Opcode::Load)?;
    let mut address = view.operand(load, 0)?;
    while let Step::To(next, _) = walk::address_up(view, address, ProjectionPath::EMPTY) {
        address = next;
    }
    let (project, _) = view.definition(address).filter(|(_, opcode)| *opcode == Opcode::ProjectBox)?;
    view.operand(project, 0).filter(|payload| is_payload(view, *payload))
}

/// Whether `value` is what a case of an enum holds.
fn is_payload(view: &BodyView<'_>, value: Value) -> bool {
    match view.body.values[value].definition {
        Definition::Result { instruction, .. } => view.opcode(instruction) == Opcode::UncheckedEnumData,
        Definition::Argument { block, .. } => {
            let before = view.cfg.single_predecessor(block).and_then(|before| view.body.terminator(before));
            before
                .is_some_and(|end| view.opcode(end) == Opcode::SwitchEnum && view.case_leading_to(end, block).is_some())
        }
        Definition::Undef => false,
    }
}

//! Variables of loops that grow by a constant each time (lib/SILOptimizer/Analysis/IVAnalysis.cpp): one block argument
//! and one addition of a literal that make each other.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{BodyView, Use};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, OverflowOperation};
use sil_ir::model::{Details, InstructionId, Value};

use super::Subject;

/// The induction variables of a function, and their parts; nothing if there are none.
pub(super) fn inductions(subject: &Subject<'_>) -> String {
    let view = subject.view();
    let mut headers: FxHashMap<Value, Value> = FxHashMap::default();
    for argument in subject.values().into_iter().filter(|value| view.incoming_values(*value).is_some()) {
        let circle = circle(&view, argument);
        if is_induction(&view, &circle) {
            headers.extend(circle.into_iter().map(|value| (value, argument)));
        }
    }
    let mut out = String::new();
    for value in subject.values() {
        match headers.get(&value) {
            Some(header) if *header == value => out += &format!("IV Header: {}", subject.lines.value(value)),
            Some(header) => {
                out += &format!("IV: {}with header: {}", subject.lines.value(value), subject.lines.value(*header));
            }
            None => {}
        }
    }
    if out.is_empty() { out } else { format!("Induction variables for function: {}\n{out}\n", subject.name()) }
}

/// The values that define `value` and that it defines, itself included.
fn circle(view: &BodyView<'_>, value: Value) -> FxHashSet<Value> {
    let made_of = |value: Value| match (view.incoming_values(value), view.body.defining(value)) {
        (Some(incoming), _) => incoming,
        (None, Some(id)) => view.body.operands(id).to_vec(),
        (None, None) => Vec::new(),
    };
    let makes = |value: Value| -> Vec<Value> {
        let made = |found: &Use| match view.branch_argument(*found) {
            Some(argument) => vec![argument],
            None => view.body.results(found.user).collect(),
        };
        view.uses.of(value).iter().flat_map(made).collect()
    };
    let back = reached(value, made_of);
    reached(value, makes).intersection(&back).copied().collect()
}

fn reached(from: Value, next: impl Fn(Value) -> Vec<Value>) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    let mut open = next(from);
    while let Some(value) = open.pop() {
        if found.insert(value) {
            open.extend(next(value));
        }
    }
    found
}

/// Whether a cycle of values is one argument, one addition of a literal and the extractions of the sum from its
/// result.
fn is_induction(view: &BodyView<'_>, circle: &FxHashSet<Value>) -> bool {
    let (mut arguments, mut additions) = (0, 0);
    for value in circle {
        match view.definition(*value) {
            None => arguments += 1,
            Some((id, Opcode::Builtin)) if adds_literal(view, id) => additions += 1,
            Some((_, Opcode::TupleExtract)) => {}
            Some(_) => return false,
        }
    }
    arguments == 1 && additions == 1
}

fn adds_literal(view: &BodyView<'_>, id: InstructionId) -> bool {
    let Details::Builtin(builtin) = &view.body.instructions[id].details else { return false };
    let kind = builtin.kind();
    let is_literal = |value: &Value| matches!(view.definition(*value), Some((_, Opcode::IntegerLiteral)));
    kind == Some(BuiltinKind::WithOverflow(OverflowOperation::SAdd))
        && view.body.operands(id).iter().take(2).any(is_literal)
}

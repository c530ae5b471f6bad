//! A pass of one's own: a part that is taken out of a struct or a tuple of the same function is replaced by the value
//! that went in.
//!
//! ```text
//! %3 = tuple (%1, %2)
//! %4 = tuple_extract %3, 1
//! return %4                      becomes     return %2
//! ```
//!
//! Owns the pass. Does not own the removal of structs and tuples without uses: dead code elimination has that.
//! [`add_zero`] is a second pass.

pub mod add_zero;

use sil::analysis::BodyView;
use sil::diagnostic::Diagnostic;
use sil::instructions::Opcode;
use sil::model::views::{Composition, TupleExtract};
use sil::model::{InstructionId, Module, Ownership, Replacements, Value};
use sil::syntax::Libraries;
use sil::transform::{self, Change, Description, Environment, Gates, Pass, Rewrite, Runner};

/// The pass. silc's own passes are such values too, so both run in one list.
pub const FORWARDING: Pass = Pass::new(&Description {
    name: "part-forwarding",
    class_name: "PartForwarding",
    summary: "Replaces parts of values that the function composes by the values that went in.",
    gates: Gates::OPEN,
    runner: Runner::Function(forward),
});

/// Runs the pass on all functions of a module that the verifier accepts.
pub fn run(module: &mut Module) -> Vec<Diagnostic> {
    transform::run(module, &[FORWARDING], &Libraries::default())
}

/// Replaces the results of extractions from values that the function makes.
fn forward(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let view = environment.view();
    let mut replacements = Replacements::default();
    let mut forwarded = Vec::new();
    for id in body.blocks.keys().flat_map(|block| body.instructions_in(block)) {
        let Some(extracted) = body.result(id) else { continue };
        if let Some(part) = part_taken_by(&view, id, &replacements) {
            replacements.replace(extracted, part);
            forwarded.push(id);
        }
    }
    if forwarded.is_empty() {
        return Ok(None);
    }
    let mut body = body.clone();
    body.replace_values(&replacements);
    forwarded.into_iter().for_each(|id| body.erase(id));
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// The value that the function put where the extraction `id` takes it out. None for a part with ownership: the whole
/// owns it.
fn part_taken_by(view: &BodyView<'_>, id: InstructionId, replacements: &Replacements) -> Option<Value> {
    let number = match view.opcode(id) {
        Opcode::StructExtract => view.field_number(id)?,
        Opcode::TupleExtract => TupleExtract::get(view.body, id)?.index,
        _ => return None,
    };
    let whole = replacements.resolve(view.operand(id, 0)?);
    let (made_by, _) = view.definition(whole)?;
    let part = *Composition::get(view.body, made_by)?.elements.get(number as usize)?;
    (view.ownership(part) == Ownership::None).then_some(part)
}

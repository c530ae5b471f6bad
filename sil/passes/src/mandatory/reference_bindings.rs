//! Reference bindings, `inout x = y`: moves the value into the box of `x` and back at the end of its scope, within one
//! modify access to `y` (lib/SILOptimizer/Mandatory/ReferenceBindingTransform.cpp).
//!
//! Does not own: overlapping accesses (`static_exclusivity`).

use sil_analysis::{Change, LiveUse, PrunedLiveness, Uses};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, InstructionId, Place, Value};

use crate::InstructionBuilder;
use crate::editing::marks::unmark;
use crate::messages::findings::{error_at, note_at};
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const REFERENCE_BINDING_TRANSFORM: Pass = Pass::new(&Description {
    name: "sil-reference-binding-transform",
    class_name: "ReferenceBindingTransform",
    summary: "Lowers reference bindings: values move into the binding and back.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(bind),
});

const CODE: &str = "reference-binding";

/// Lowers the marked bindings of a function.
pub(crate) fn bind(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let is_mark = |id: &InstructionId| before.instructions[*id].opcode == Opcode::MarkUnresolvedReferenceBinding;
    let marks: Vec<InstructionId> = before.placed_instructions().filter(is_mark).collect();
    if marks.is_empty() {
        return Ok(None);
    }
    let mut body = before.clone();
    let mut diagnostics = Vec::new();
    for mark in marks.into_iter().rev() {
        let bound = Binding::of(environment, mark);
        match bound {
            Some(binding) => {
                diagnostics.extend(binding.overlaps(environment));
                binding.bind(&mut body);
            }
            None => {
                let message = "reference binding that the compiler does not understand how to check. Please file a bug";
                diagnostics.push(error_at(before, mark, CODE, message));
            }
        }
        unmark(&mut body, mark);
    }
    Ok(Some(Rewrite { diagnostics, ..Rewrite::new(function, body, Change::Instructions) }))
}

/// A binding in the form that SILGen makes.
struct Binding {
    mark: InstructionId,
    /// The marked box.
    boxed: Value,
    /// The copy of the value into the box.
    init: InstructionId,
    /// The source address of the copy.
    source: Value,
    /// The read access around the copy.
    access: InstructionId,
    /// The destroys of the box.
    destroys: Vec<InstructionId>,
}

impl Binding {
    /// Returns the binding of a mark; `None` for an unknown form.
    fn of(environment: Environment<'_>, mark: InstructionId) -> Option<Self> {
        let Environment { body, analyses, .. } = environment;
        let uses = analyses.uses(body);
        let boxed = body.result(mark)?;
        let init = only_initialization(body, uses, boxed)?;
        let source = body.operands(init).first().copied()?;
        let is_reading = |id: &InstructionId| {
            let access = &body.instructions[*id];
            access.opcode == Opcode::BeginAccess && access.attributes.contains(Attribute::Read)
        };
        let access = body.defining(source).filter(is_reading)?;
        let mut destroys = Vec::new();
        for found in uses.of(boxed) {
            match body.instructions[found.user].opcode {
                Opcode::DestroyValue => destroys.push(found.user),
                Opcode::BeginBorrow | Opcode::ProjectBox | Opcode::DebugValue | Opcode::CopyValue => {}
                _ => return None,
            }
        }
        Some(Self { mark, boxed, init, source, access, destroys })
    }

    /// Reports other uses of the access during the binding.
    fn overlaps(&self, environment: Environment<'_>) -> Vec<Diagnostic> {
        let Environment { body, analyses, .. } = environment;
        let mut liveness = PrunedLiveness::of(body, analyses.cfg(body), self.boxed);
        self.destroys.iter().for_each(|destroy| liveness.add(*destroy, LiveUse::Ending));
        let users = analyses.uses(body).of(self.source).iter().map(|found| found.user);
        let is_other = |id: &InstructionId| {
            *id != self.init && body.instructions[*id].opcode != Opcode::EndAccess && liveness.is_within(*id)
        };
        let message = "var bound to inout binding cannot be used within the inout binding's scope";
        let error = |id| note_at(error_at(body, id, CODE, message), body, self.mark, "inout binding here");
        users.filter(is_other).map(error).collect()
    }

    /// Moves the value into the box, and back in front of the box's destroys, where the access then ends.
    fn bind(&self, body: &mut Body) {
        let attributes = &mut body.instructions[self.access].attributes;
        attributes.remove(Attribute::Read);
        attributes.insert(Attribute::Modify);
        body.instructions[self.init].attributes.insert(Attribute::Take);
        let ends: Vec<InstructionId> = body.placed_instructions().filter(|id| self.ends_access(body, *id)).collect();
        ends.into_iter().for_each(|end| body.erase(end));
        let moved = body.instructions[self.init].attributes;
        let address = body.ty(body.operands(self.init)[1]);
        for destroy in &self.destroys {
            let mut builder = InstructionBuilder::new(body, Place::Before(*destroy), *destroy);
            let projection = builder.project_box(self.boxed, 0, address);
            builder.with(moved).copy_addr(projection, self.source);
            builder.end_access(self.source);
            builder.dealloc_box(self.boxed);
            body.erase(*destroy);
        }
    }

    fn ends_access(&self, body: &Body, id: InstructionId) -> bool {
        body.instructions[id].opcode == Opcode::EndAccess && body.operands(id) == [self.source]
    }
}

/// Returns the only copy into a marked box, which initialises it.
fn only_initialization(body: &Body, uses: &Uses, boxed: Value) -> Option<InstructionId> {
    let mut open = vec![boxed];
    let mut copies = Vec::new();
    while let Some(value) = open.pop() {
        for found in uses.of(value) {
            match body.instructions[found.user].opcode {
                Opcode::BeginBorrow => open.extend(body.result(found.user)),
                Opcode::ProjectBox => {
                    let written = body.result(found.user).into_iter().flat_map(|address| uses.of(address));
                    let copying = written.filter(|found| found.operand == 1).map(|found| found.user);
                    copies.extend(copying.filter(|id| body.instructions[*id].opcode == Opcode::CopyAddr));
                }
                _ => {}
            }
        }
    }
    let [copy] = copies[..] else { return None };
    let attributes = body.instructions[copy].attributes;
    (attributes.contains(Attribute::Init) && !attributes.contains(Attribute::Take)).then_some(copy)
}

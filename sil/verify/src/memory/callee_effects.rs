//! The reads of a callee's arguments by its effects: `[%0: read s0.v**]` (docs/SIL/SIL.md, "Effects").

use sil_ir::context::MemberTarget;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, Function, FunctionAttribute, InstructionId, Module, Value};

use crate::checker::FunctionVerifier;

/// The effects that are written in the callee of an apply site.
pub(super) struct CalleeEffects<'m> {
    written: Vec<&'m str>,
}

/// A step from an address to a part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Struct(u32),
    Tuple(u32),
}

impl<'m> CalleeEffects<'m> {
    /// None if the callee is not known or states no effects.
    pub fn of(module: &'m Module, body: &Body, site: InstructionId) -> Option<Self> {
        let maker = body.operands(site).first().and_then(|callee| body.defining(*callee))?;
        let Details::Function(name) = &body.instructions[maker].details else { return None };
        let function: &Function = &module.functions[module.function_named(*name)?];
        let effects = function.attributes.iter().filter_map(|attribute| match attribute {
            FunctionAttribute::Effects(text) => Some(module.context.text(*text)),
            _ => None,
        });
        let written: Vec<&str> = effects.collect();
        (!written.is_empty()).then_some(Self { written })
    }

    /// Whether the callee may read the part at `path` of its argument.
    pub fn read(&self, argument: usize, path: &[Step]) -> bool {
        let subject = format!("%{argument}:");
        let of_argument = self.written.iter().filter_map(|effect| effect.trim().strip_prefix(&subject));
        let read =
            of_argument.flat_map(|effects| effects.split(',')).filter_map(|effect| effect.trim().strip_prefix("read "));
        read.into_iter().any(|written| overlaps(written.trim(), path))
    }
}

/// Whether a written path such as `s0.1.v**` may be that of a part or of something in it.
fn overlaps(written: &str, path: &[Step]) -> bool {
    for (component, step) in written.split('.').zip(path) {
        let found = match component.strip_prefix('s') {
            Some(number) => number.parse().map(Step::Struct),
            None => component.parse().map(Step::Tuple),
        };
        match found {
            Ok(found) if found == *step => {}
            Ok(_) => return false,
            // Any fields, or the target of a reference.
            Err(_) => return component.contains('v') || component.contains("**"),
        }
    }
    true
}

/// The way from `address` to the address of a part of it.
pub(super) fn path(verifier: &FunctionVerifier<'_>, mut part: Value, address: Value) -> Option<Vec<Step>> {
    let body = verifier.body;
    let mut path = Vec::new();
    while part != address {
        let id = body.defining(part)?;
        let instruction = &body.instructions[id];
        match (instruction.opcode, &instruction.details) {
            (Opcode::TupleElementAddr, Details::Index(index)) => path.push(Step::Tuple(*index)),
            (Opcode::StructElementAddr, Details::Member(member)) => {
                let MemberTarget::Stored(index) = verifier.module.context.get_member(*member).target else {
                    return None;
                };
                path.push(Step::Struct(index));
            }
            (Opcode::BeginAccess | Opcode::MarkDependence, _) => {}
            _ => return None,
        }
        part = *body.operands(id).first()?;
    }
    path.reverse();
    Some(path)
}

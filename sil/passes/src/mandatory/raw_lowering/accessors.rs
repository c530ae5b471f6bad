//! Lowers assignments to properties with `init` accessors: a call of the accessor with the addresses of the properties,
//! or of the property's setter, as definite initialisation decided.

use sil_ir::context::{MemberId, SignatureId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::AssignOrInit;
use sil_ir::model::{Body, InstructionId, Ownership, Value};
use sil_ir::types::TypeQueries;

use super::wrappers::{Call, remove_unused_closure};
use crate::knowledge::elements::{Step, project};
use crate::knowledge::init_accessors::AccessedProperties;

/// Replaces the `assign_or_init` `id`. One without a mode initialises: its memory is not analysed by definite
/// initialisation.
pub(super) fn lower(
    queries: &TypeQueries<'_>,
    signature: Option<SignatureId>,
    body: &mut Body,
    id: InstructionId,
) -> Result<(), Box<Diagnostic>> {
    let AssignOrInit { base, value, initializer, setter, assignment } = AssignOrInit::of(body, id);
    let sets = assignment.mode.is_some();
    let assigned = assignment.assigned.clone();
    let mut call = Call::new(queries, signature, body, id);
    if sets {
        call.apply(setter, &[], value, &[])?;
        call.body.erase(id);
        remove_unused_closure(queries, signature, body, initializer);
        return Ok(());
    }
    let Some(accessed) = AccessedProperties::of(queries, call.body, id) else { return Err(call.unsupported()) };
    let (lender, end) = lend(&mut call, base);
    let mut results = Vec::new();
    for (number, property) in (0..).zip(&accessed.initializes) {
        let address = address_of(&mut call, lender, *property)?;
        let ty = call.body.ty(address);
        if assigned.contains(&number) && !call.is_trivial(ty) {
            call.builder().destroy_addr(address);
        }
        results.push(address);
    }
    let mut read = Vec::new();
    for property in &accessed.accesses {
        read.push(address_of(&mut call, lender, *property)?);
    }
    call.apply(initializer, &results, value, &read)?;
    if let Some(end) = end {
        call.builder().effect(end, lender);
    }
    call.body.erase(id);
    remove_unused_closure(queries, signature, body, setter);
    Ok(())
}

/// Returns the base of the properties' addresses, an access to the memory or a borrow of the object, with its end
/// instruction.
fn lend(call: &mut Call<'_>, base: Value) -> (Value, Option<Opcode>) {
    let ty = call.body.ty(base);
    if !ty.is_address() {
        return match call.body.values[base].ownership {
            Ownership::Guaranteed => (base, None),
            _ => (call.builder().begin_borrow(base), Some(Opcode::EndBorrow)),
        };
    }
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::Modify);
    attributes.insert(Attribute::Dynamic);
    let access = call.builder().with(attributes).begin_access(base);
    (access, Some(Opcode::EndAccess))
}

fn address_of(call: &mut Call<'_>, lender: Value, property: MemberId) -> Result<Value, Box<Diagnostic>> {
    let (queries, ty) = (call.queries, call.body.ty(lender));
    let address = project(queries, &mut call.builder(), lender, ty, &[Step::Property(property)]);
    address.ok_or_else(|| call.unsupported())
}

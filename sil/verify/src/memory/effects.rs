//! The requirements of each instruction on memory, and its effects.

use sil_analysis::ApplySite;
use sil_ir::context::{ParameterConvention, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, CastConsumption, Details, InstructionId, Value};
use sil_ir::types::{ArgumentRole, FunctionConventions, TypeQueries};

/// An effect on the memory at an address, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// The memory must be initialized.
    NeedsInitialized(Value),
    /// A callee may read the memory: it must be initialized.
    NeedsRead(Value),
    /// The memory must be initialized, as far as destroying it does anything.
    NeedsInitializedIfNontrivial(Value),
    /// The memory must not be initialized, as far as destroying it does anything.
    NeedsUninitialized(Value),
    /// The memory must not be borrowed by `store_borrow`.
    NeedsUnborrowed(Value),
    /// Initializes the memory.
    Initialize(Value),
    /// Leaves the memory uninitialized.
    Deinitialize(Value),
}

/// Calls `visit` with the effects of an instruction.
pub(super) fn effects(queries: &TypeQueries<'_>, body: &Body, id: InstructionId, visit: &mut dyn FnMut(Effect)) {
    use Effect::*;
    let operands = body.operands(id);
    let instruction = &body.instructions[id];
    let attributes = instruction.attributes;
    match (instruction.opcode, operands) {
        (Opcode::Load, [address]) => {
            visit(NeedsInitialized(*address));
            if attributes.contains(Attribute::Take) {
                visit(Deinitialize(*address));
                visit(NeedsUnborrowed(*address));
            }
        }
        (Opcode::Store, [_, address]) => {
            if attributes.contains(Attribute::Init) {
                visit(NeedsUninitialized(*address));
            } else if attributes.contains(Attribute::Assign) {
                visit(NeedsInitializedIfNontrivial(*address));
            }
            visit(Initialize(*address));
            visit(NeedsUnborrowed(*address));
        }
        (Opcode::StoreBorrow, [_, address]) => visit(Initialize(*address)),
        (Opcode::CopyAddr, [source, destination]) => copy(*source, *destination, attributes, visit),
        (
            Opcode::OpenExistentialAddr
            | Opcode::SelectEnumAddr
            | Opcode::ExistentialMetatype
            | Opcode::ValueMetatype
            | Opcode::IsUnique
            | Opcode::FixLifetime,
            [address, ..],
        ) => visit(NeedsInitialized(*address)),
        (Opcode::InitExistentialAddr | Opcode::InitEnumDataAddr, [address, ..]) => {
            visit(NeedsUninitialized(*address));
            visit(NeedsUnborrowed(*address));
        }
        // Only where payloads share spare bits, taking one destroys the enum.
        (Opcode::UncheckedTakeEnumDataAddr, [address]) if has_several_payloads(queries, body, *address) => {
            visit(NeedsInitialized(*address));
            visit(NeedsUnborrowed(*address));
        }
        (Opcode::DestroyAddr, [address]) => {
            visit(NeedsInitializedIfNontrivial(*address));
            visit(Deinitialize(*address));
            visit(NeedsUnborrowed(*address));
        }
        (Opcode::EndBorrow, [borrowed]) => end_borrow(body, *borrowed, visit),
        (Opcode::UncheckedRefCastAddr | Opcode::UnconditionalCheckedCastAddr, [source, destination]) => {
            visit(NeedsInitialized(*source));
            visit(Deinitialize(*source));
            visit(NeedsUninitialized(*destination));
            visit(Initialize(*destination));
            visit(NeedsUnborrowed(*destination));
        }
        (Opcode::CheckedCastAddrBr, [source, destination]) => {
            visit(NeedsInitialized(*source));
            visit(NeedsUninitialized(*destination));
        }
        (Opcode::Apply | Opcode::TryApply | Opcode::BeginApply | Opcode::PartialApply, _) => {
            if instruction.opcode != Opcode::BeginApply {
                arguments(queries, body, id, visit);
            }
            if instruction.opcode == Opcode::BeginApply {
                for value in body.results(id).filter(|value| body.ty(*value).is_address()) {
                    visit(Initialize(value));
                }
            }
        }
        (Opcode::EndApply | Opcode::AbortApply, [token]) => end_apply(queries, body, *token, visit),
        (Opcode::DeallocStack, [address]) => {
            visit(NeedsUninitialized(*address));
            visit(Deinitialize(*address));
        }
        // A closure may depend on memory that it does not read.
        (Opcode::MarkDependence, [value, base]) if !matches!(queries.get(body.ty(*value).ty), Type::Function(_)) => {
            visit(NeedsInitialized(*base));
        }
        _ => {}
    }
}

fn has_several_payloads(queries: &TypeQueries<'_>, body: &Body, address: Value) -> bool {
    let declaration = queries.declaration_of(body.ty(address).ty);
    declaration.is_none_or(|declaration| declaration.cases.iter().filter(|case| case.payload.is_some()).count() > 1)
}

fn copy(
    source: Value,
    destination: Value,
    attributes: sil_ir::instructions::AttributeSet,
    visit: &mut dyn FnMut(Effect),
) {
    use Effect::*;
    visit(NeedsInitialized(source));
    if attributes.contains(Attribute::Take) {
        visit(Deinitialize(source));
        visit(NeedsUnborrowed(source));
    }
    visit(match attributes.contains(Attribute::Init) {
        true => NeedsUninitialized(destination),
        false => NeedsInitializedIfNontrivial(destination),
    });
    visit(Initialize(destination));
    visit(NeedsUnborrowed(destination));
}

fn end_borrow(body: &Body, borrowed: Value, visit: &mut dyn FnMut(Effect)) {
    use Effect::*;
    let Some(maker) = body.defining(borrowed) else { return };
    match (body.instructions[maker].opcode, body.operands(maker)) {
        (Opcode::StoreBorrow, [_, address]) => {
            visit(NeedsInitialized(*address));
            visit(Deinitialize(*address));
        }
        (Opcode::LoadBorrow, [address]) => visit(NeedsInitialized(*address)),
        _ => {}
    }
}

/// The conventions of an apply site.
pub(super) fn callee<'a>(queries: &TypeQueries<'a>, body: &Body, id: InstructionId) -> Option<FunctionConventions<'a>> {
    ApplySite::new(body, id)?.conventions(queries)
}

fn arguments(queries: &TypeQueries<'_>, body: &Body, id: InstructionId, visit: &mut dyn FnMut(Effect)) {
    let Some(site) = ApplySite::new(body, id) else { return };
    let Some(conventions) = site.conventions(queries) else { return };
    let opcode = body.instructions[id].opcode;
    let first = site.numbering(conventions).first_sil_argument();
    for (argument, address) in conventions.arguments().skip(first).zip(site.arguments()) {
        if !body.ty(*address).is_address() {
            continue;
        }
        match argument.role {
            ArgumentRole::Parameter(index) => {
                let convention = conventions.function.parameters[index as usize].convention;
                // A closure on the heap owns its captures.
                let owns =
                    opcode == Opcode::PartialApply && !body.instructions[id].attributes.contains(Attribute::OnStack);
                let taken = owns && convention == ParameterConvention::InGuaranteed;
                parameter(if taken { ParameterConvention::In } else { convention }, *address, opcode, visit);
            }
            ArgumentRole::IndirectResult(_) | ArgumentRole::IndirectError => {
                visit(Effect::NeedsUnborrowed(*address));
                visit(Effect::NeedsUninitialized(*address));
                // The memory that a `try_apply` initializes depends on its successor.
                if opcode != Opcode::TryApply {
                    visit(Effect::Initialize(*address));
                }
            }
        }
    }
}

fn parameter(convention: ParameterConvention, address: Value, opcode: Opcode, visit: &mut dyn FnMut(Effect)) {
    use ParameterConvention::*;
    if convention != InGuaranteed {
        visit(Effect::NeedsUnborrowed(address));
    }
    // The captures of a closure are read when it is called.
    let reads = opcode != Opcode::PartialApply;
    match convention {
        In | InConstant | InCxx => {
            if reads {
                visit(Effect::NeedsRead(address));
            }
            visit(Effect::Deinitialize(address));
        }
        InGuaranteed | InOut | InOutAliasable if reads => visit(Effect::NeedsRead(address)),
        _ => {}
    }
}

fn end_apply(queries: &TypeQueries<'_>, body: &Body, token: Value, visit: &mut dyn FnMut(Effect)) {
    let Some(begin) = body.defining(token) else { return };
    let Some(conventions) = callee(queries, body, begin) else { return };
    for (yielded, address) in conventions.function.yields.iter().zip(body.results(begin)) {
        if !body.ty(address).is_address() {
            continue;
        }
        visit(match yielded.convention {
            ParameterConvention::In | ParameterConvention::InConstant | ParameterConvention::InCxx => {
                Effect::NeedsUninitialized(address)
            }
            _ => Effect::NeedsInitializedIfNontrivial(address),
        });
        visit(Effect::Deinitialize(address));
    }
}

/// Calls `visit` with the effects on memory of the only branch to a block; `successor` is its number.
pub(super) fn edge_effects(
    queries: &TypeQueries<'_>,
    body: &Body,
    branch: InstructionId,
    successor: usize,
    visit: &mut dyn FnMut(Effect),
) {
    let operands = body.operands(branch);
    match (&body.instructions[branch].details, operands) {
        (Details::Apply(_), [_, operands @ ..]) => {
            let Some(conventions) = callee(queries, body, branch) else { return };
            for (argument, address) in conventions.arguments().zip(operands) {
                match argument.role {
                    ArgumentRole::IndirectResult(_) if successor == 0 => visit(Effect::Initialize(*address)),
                    ArgumentRole::IndirectError if successor == 1 => visit(Effect::Initialize(*address)),
                    _ => {}
                }
            }
        }
        (Details::Cast(cast), [source, destination]) => {
            let takes = match cast.consumption {
                Some(CastConsumption::TakeAlways) => true,
                Some(CastConsumption::TakeOnSuccess) => successor == 0,
                Some(CastConsumption::CopyOnSuccess) | None => false,
            };
            if takes {
                visit(Effect::Deinitialize(*source));
            }
            if successor == 0 {
                visit(Effect::Initialize(*destination));
            }
        }
        _ => {}
    }
}

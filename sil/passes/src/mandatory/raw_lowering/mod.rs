//! Lowers raw instructions to canonical SIL: `assign` becomes a `store` that initialises or assigns, as definite
//! initialisation decided, and `tuple_addr_constructor` a store to each element
//! (lib/SILOptimizer/Mandatory/RawSILInstLowering.cpp, LowerTupleAddrConstructor.cpp). `wrappers` lowers assignments to
//! properties with wrappers, `accessors` those with `init` accessors.

mod accessors;
mod wrappers;

use sil_analysis::{Change, Uses};
use sil_ir::context::{MetatypeRepresentation, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{Store, TupleAddrConstructor};
use sil_ir::model::{Body, FunctionFlag, InstructionId, Place, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::editing::marks::unmark;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const TUPLE_CONSTRUCTOR_LOWERING: Pass = Pass::new(&Description {
    name: "lower-tuple-addr-constructor",
    class_name: "LowerTupleAddrConstructor",
    summary: "Replaces `tuple_addr_constructor` by stores to the elements.",
    gates: Gates::OPEN,
    runner: Runner::Function(lower_tuples),
});

pub(crate) const RAW_INSTRUCTION_LOWERING: Pass = Pass::new(&Description {
    name: "raw-sil-inst-lowering",
    class_name: "RawSILInstLowering",
    summary: "Lowers instructions of raw SIL to those of canonical SIL.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(lower),
});

/// Lowers the raw instructions of a function.
pub(crate) fn lower(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body: before, .. } = environment;
    let raw: Vec<InstructionId> = before.placed_instructions().filter(|id| is_raw(before, *id)).collect();
    if raw.is_empty() {
        return Ok(None);
    }
    let ownership = if function.has(FunctionFlag::Ossa) { Ownership::Ossa } else { Ownership::Lowered };
    let mut body = before.clone();
    for id in raw {
        match body.instructions[id].opcode {
            Opcode::Assign => lower_assign(queries, &mut body, id, ownership),
            Opcode::AssignByWrapper => {
                wrappers::lower(queries, function.signature, &mut body, id)?;
                continue;
            }
            Opcode::AssignOrInit => {
                accessors::lower(queries, function.signature, &mut body, id)?;
                continue;
            }
            Opcode::MarkUninitialized => {
                unmark(&mut body, id);
                continue;
            }
            _ => {}
        }
        body.erase(id);
    }
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// Lowers only the `tuple_addr_constructor`s of a function.
pub(crate) fn lower_tuples(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body: before, .. } = environment;
    let is_tuple = |id: &InstructionId| before.instructions[*id].opcode == Opcode::TupleAddrConstructor;
    let tuples: Vec<InstructionId> = before.placed_instructions().filter(is_tuple).collect();
    if tuples.is_empty() {
        return Ok(None);
    }
    let ownership = if function.has(FunctionFlag::Ossa) { Ownership::Ossa } else { Ownership::Lowered };
    let uses = environment.analyses.uses(before);
    let mut body = before.clone();
    for id in tuples {
        match taken_apart(queries, before, uses, id) {
            Some(whole) if ownership == Ownership::Ossa => store_whole(queries, &mut body, id, whole),
            _ => {
                lower_tuple(queries, &mut body, id, ownership)?;
                body.erase(id);
            }
        }
    }
    Ok(Some(Rewrite::new(function, body, Change::Instructions)))
}

/// Returns the `destructure_tuple` that defines exactly the elements of a tuple, in order and without other uses.
fn taken_apart(queries: &TypeQueries<'_>, body: &Body, uses: &Uses, id: InstructionId) -> Option<InstructionId> {
    let TupleAddrConstructor { destination, elements } = TupleAddrConstructor::of(body, id);
    let whole = body.defining(*elements.first()?)?;
    let is_taken_apart = body.instructions[whole].opcode == Opcode::DestructureTuple
        && body.results(whole).eq(elements.iter().copied())
        && elements.iter().all(|element| uses.of(*element).len() == 1);
    let tuple = *body.operands(whole).first()?;
    (is_taken_apart && queries.same_sil_type(body.ty(tuple), body.ty(destination).object_type())).then_some(whole)
}

/// Stores a whole tuple instead of its elements.
fn store_whole(queries: &TypeQueries<'_>, body: &mut Body, id: InstructionId, whole: InstructionId) {
    let destination = TupleAddrConstructor::of(body, id).destination;
    let tuple = body.operands(whole)[0];
    let is_trivial = queries.properties(body.ty(tuple).ty, None).is_trivial();
    let kind = match body.instructions[id].attributes.contains(Attribute::Init) {
        _ if is_trivial => Attribute::Trivial,
        true => Attribute::Init,
        false => Attribute::Assign,
    };
    let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
    store(&mut builder, [tuple, destination], Ownership::Ossa, kind);
    body.erase(id);
    body.erase(whole);
}

/// Returns whether an instruction is lowered or removed. Removed ones serve definite initialisation only.
fn is_raw(body: &Body, id: InstructionId) -> bool {
    use Opcode::{Assign, AssignByWrapper, AssignOrInit, MarkFunctionEscape, MarkUninitialized};
    matches!(
        body.instructions[id].opcode,
        Assign | AssignByWrapper | AssignOrInit | MarkFunctionEscape | MarkUninitialized
    )
}

/// Lowers an `assign`. One without a mode assigns: its memory is not analysed by definite initialisation.
fn lower_assign(queries: &TypeQueries<'_>, body: &mut Body, id: InstructionId, ownership: Ownership) {
    let Store { source, destination } = Store::of(body, id);
    let attributes = body.instructions[id].attributes;
    let ty = body.ty(source);
    let is_trivial = queries.properties(ty.ty, None).is_trivial();
    let initializes = attributes.contains(Attribute::Init);
    let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
    if attributes.contains(Attribute::Reinit) {
        // The delegated initialiser returned another object; the previous one was never initialised.
        let before = load(&mut builder, destination, ownership);
        store(&mut builder, [source, destination], ownership, Attribute::Init);
        let representation = Some(MetatypeRepresentation::Thick);
        let metatype = SilType::object(queries.context.ty(Type::Metatype { instance: ty.ty, representation }));
        let class = builder.value_metatype(before, metatype);
        builder.dealloc_partial_ref(before, class);
    } else if is_trivial {
        store(&mut builder, [source, destination], ownership, Attribute::Trivial);
    } else if initializes {
        store(&mut builder, [source, destination], ownership, Attribute::Init);
    } else if ownership == Ownership::Ossa {
        store(&mut builder, [source, destination], ownership, Attribute::Assign);
    } else {
        let before = load(&mut builder, destination, ownership);
        store(&mut builder, [source, destination], ownership, Attribute::Init);
        builder.release_value(before);
    }
}

/// Stores the elements of a tuple, including nested ones in order.
fn lower_tuple(
    queries: &TypeQueries<'_>,
    body: &mut Body,
    id: InstructionId,
    ownership: Ownership,
) -> Result<(), Box<Diagnostic>> {
    let TupleAddrConstructor { destination, elements } = TupleAddrConstructor::of(body, id);
    let elements = elements.to_vec();
    let kind = match body.instructions[id].attributes.contains(Attribute::Init) {
        true => Attribute::Init,
        false => Attribute::Assign,
    };
    if ownership == Ownership::Lowered {
        return Err(Box::new(Diagnostic::unsupported(
            "a tuple made in memory without ownership",
            body.instructions[id].span,
        )));
    }
    let ty = body.ty(destination);
    let types: Vec<SilType> = elements.iter().map(|element| body.ty(*element)).collect();
    let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
    let mut elements = elements.into_iter().zip(types);
    lower_elements(queries, &mut builder, (destination, ty.ty), &mut elements, (ownership, kind));
    Ok(())
}

/// Stores the next elements to the parts of the memory at an address.
fn lower_elements(
    queries: &TypeQueries<'_>,
    builder: &mut InstructionBuilder<'_>,
    (address, memory): (Value, TypeId),
    elements: &mut impl Iterator<Item = (Value, SilType)>,
    (ownership, kind): (Ownership, Attribute),
) {
    if let Type::Tuple(parts) = queries.get(memory) {
        for (index, part) in (0..).zip(parts.iter()) {
            let ty = SilType::address(part.ty);
            let place = builder.tuple_element_addr(address, index, ty);
            lower_elements(queries, builder, (place, part.ty), elements, (ownership, kind));
        }
        return;
    }
    let Some((element, ty)) = elements.next() else { return };
    if ty.is_address() {
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Take);
        if kind == Attribute::Init {
            attributes.insert(Attribute::Init);
        }
        builder.with(attributes).copy_addr(element, address);
    } else {
        let is_trivial = queries.properties(ty.ty, None).is_trivial();
        store(builder, [element, address], ownership, if is_trivial { Attribute::Trivial } else { kind });
    }
}

/// Whether a function has ownership.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ownership {
    Ossa,
    Lowered,
}

fn load(builder: &mut InstructionBuilder<'_>, address: Value, ownership: Ownership) -> Value {
    let mut attributes = AttributeSet::default();
    if ownership == Ownership::Ossa {
        attributes.insert(Attribute::Take);
    }
    builder.with(attributes).load(address)
}

fn store(
    builder: &mut InstructionBuilder<'_>,
    [source, destination]: [Value; 2],
    ownership: Ownership,
    kind: Attribute,
) {
    let mut attributes = AttributeSet::default();
    if ownership == Ownership::Ossa {
        attributes.insert(kind);
    }
    builder.with(attributes).store(source, destination);
}

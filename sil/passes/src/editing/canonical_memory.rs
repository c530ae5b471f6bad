//! Canonicalises loads and stores: loads only used parts, and stores whole structs
//! (lib/SILOptimizer/Utils/CanonicalizeInstruction.cpp).

use sil_analysis::{Use, field_number};
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{DebugValue, Store, StructExtract, TupleExtract, Unary};
use sil_ir::model::{DebugOperator, InstructionId, Place, Stage, Value};
use sil_ir::types::Copyability;

use super::builder::InstructionBuilder;
use super::editor::Editor;
use crate::knowledge::aggregate_parts::is_in_memory;

/// The treatment of debug instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DebugInformation {
    Preserve,
    Ignore,
}

/// The kind of a load.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// A `load` without ownership, or of a trivial value.
    Value(AttributeSet),
    Copy,
    Borrow,
}

/// A part that is extracted from a loaded value.
struct Part {
    field: u32,
    extraction: InstructionId,
    /// The borrow of the loaded value, if that is a copy.
    borrow: Option<InstructionId>,
}

/// The uses of a loaded value.
#[derive(Default)]
struct Parts {
    parts: Vec<Part>,
    /// The ends of its lifetime.
    ends: Vec<InstructionId>,
}

/// Replaces the load of an aggregate with loads of its parts, if only parts are used. Returns `None` if it is
/// unchanged.
pub(crate) fn divide_load(
    editor: &mut Editor<'_>,
    id: InstructionId,
    debug_information: DebugInformation,
) -> Option<Value> {
    let how = how(editor, id)?;
    let Parts { mut parts, ends } = parts(editor, id, how)?;
    // In raw SIL, an unused load is still diagnosed as a use before initialisation.
    if parts.is_empty() && editor.environment.module.stage == Stage::Raw {
        return None;
    }
    parts.sort_by_key(|part| part.field);
    let mut last: Option<(u32, Value, How)> = None;
    for Part { field, extraction, borrow } in parts {
        let (loaded, how) = match last {
            Some((same, loaded, how)) if same == field => (loaded, how),
            _ => load_part(editor, id, how, extraction, &ends),
        };
        last = Some((field, loaded, how));
        replace_part(editor, extraction, borrow, loaded, how);
    }
    let address = Unary::of(editor.body(), id).operand;
    if debug_information == DebugInformation::Preserve {
        describe_memory(editor, id, address);
    }
    editor.erase_with_users(id);
    Some(address)
}

fn how(editor: &Editor<'_>, id: InstructionId) -> Option<How> {
    let attributes = editor.body().instructions[id].attributes;
    match editor.opcode(id) {
        Opcode::LoadBorrow => Some(How::Borrow),
        _ if attributes.contains(Attribute::Take) => None,
        _ if attributes.contains(Attribute::Copy) => Some(How::Copy),
        _ => Some(How::Value(attributes)),
    }
}

/// The uses of a loaded value, or `None` if it has uses other than extractions.
fn parts(editor: &Editor<'_>, load: InstructionId, how: How) -> Option<Parts> {
    let mut found = Parts::default();
    for Use { mut user, .. } in editor.uses_but_debug(editor.body().result(load)?) {
        let mut borrow = None;
        match (how, editor.opcode(user)) {
            (How::Copy, Opcode::DestroyValue) | (How::Borrow, Opcode::EndBorrow) => {
                found.ends.push(user);
                continue;
            }
            (How::Copy, Opcode::BeginBorrow) => {
                borrow = Some(user);
                let mut uses = editor.uses(editor.body().result(user)?);
                uses.retain(|found| editor.opcode(found.user) != Opcode::EndBorrow);
                let [only] = uses[..] else { return None };
                user = only.user;
            }
            (How::Copy, _) => return None,
            (How::Borrow | How::Value(_), _) => {}
        }
        if !matches!(editor.opcode(user), Opcode::StructExtract | Opcode::TupleExtract) {
            return None;
        }
        let field = field_number(editor.environment.queries, editor.body(), user)?;
        found.parts.push(Part { field, extraction: user, borrow });
    }
    Some(found)
}

/// Loads a part before `load`, with the lifetime of the whole.
fn load_part(
    editor: &mut Editor<'_>,
    load: InstructionId,
    how: How,
    extraction: InstructionId,
    ends: &[InstructionId],
) -> (Value, How) {
    let body = editor.body();
    let address = Unary::of(body, load).operand;
    // An extraction has a result.
    let ty = body.result(extraction).map_or(body.ty(address), |result| body.ty(result));
    let (field, index) = (StructExtract::get(body, extraction), TupleExtract::get(body, extraction));
    let part = SilType::address(ty.ty);
    let mut trivial = AttributeSet::default();
    trivial.insert(Attribute::Trivial);
    let how = match how {
        How::Copy | How::Borrow if editor.is_trivial(ty) => How::Value(trivial),
        how => how,
    };
    let loaded = editor.build(Place::Before(load), load, |builder| {
        let part = match (field, index) {
            (Some(extract), _) => builder.struct_element_addr(address, extract.field, part),
            (None, Some(extract)) => builder.tuple_element_addr(address, extract.index, part),
            (None, None) => address,
        };
        let mut copy = AttributeSet::default();
        copy.insert(Attribute::Copy);
        match how {
            How::Value(attributes) => builder.with(attributes).load(part),
            How::Copy => builder.with(copy).load(part),
            How::Borrow => builder.load_borrow(part),
        }
    });
    let end = match how {
        How::Value(_) => return (loaded, how),
        How::Copy => Opcode::DestroyValue,
        How::Borrow => Opcode::EndBorrow,
    };
    for place in ends {
        editor.build(Place::Before(*place), *place, |builder| {
            builder.effect(end, loaded);
        });
    }
    (loaded, how)
}

/// Replaces an extraction with the loaded part. A copied part is borrowed where the whole was.
fn replace_part(
    editor: &mut Editor<'_>,
    extraction: InstructionId,
    borrow: Option<InstructionId>,
    loaded: Value,
    how: How,
) {
    let Some(borrow) = borrow.filter(|_| how == How::Copy) else {
        return editor.replace(extraction, loaded);
    };
    let make = |builder: &mut InstructionBuilder<'_>| builder.begin_borrow(loaded);
    let borrowed = editor.build(Place::Before(borrow), borrow, make);
    let scope = editor.body().result(borrow).map(|value| editor.uses(value)).unwrap_or_default();
    for found in scope {
        if editor.opcode(found.user) == Opcode::EndBorrow {
            editor.build(Place::Before(found.user), found.user, |builder| {
                builder.end_borrow(borrowed);
            });
        }
    }
    editor.replace(extraction, borrowed);
}

/// Inserts `debug_value`s of the memory for those of the loaded value.
fn describe_memory(editor: &mut Editor<'_>, load: InstructionId, address: Value) {
    let Some(value) = editor.body().result(load) else { return };
    for found in editor.uses(value) {
        let body = editor.body();
        let Some(DebugValue { variable: Some(variable), .. }) = DebugValue::get(body, found.user) else { continue };
        let mut variable = variable.clone();
        let is_variable = editor.made_by(address, Opcode::AllocStack).is_some();
        if !is_variable {
            variable.expression.insert(0, DebugOperator::Dereference);
        }
        let attributes = body.instructions[found.user].attributes;
        editor.build(Place::Before(load), found.user, |builder| {
            builder.with(attributes).debug_value(address, Some(Box::new(variable)));
        });
    }
}

/// Replaces the store of the only property of a struct with a store of the struct. Returns `None` if it is unchanged.
pub(crate) fn store_whole(editor: &mut Editor<'_>, id: InstructionId) -> Option<Value> {
    let Store { source, destination } = Store::of(editor.body(), id);
    let mut wholes = Vec::new();
    let mut address = destination;
    while let Some(projection) = editor.made_by(address, Opcode::StructElementAddr) {
        let base = editor.operand(projection, 0)?;
        let ty = editor.body().ty(base);
        if !has_one_property(editor, ty) {
            break;
        }
        wholes.push(ty.object_type());
        address = base;
    }
    if wholes.is_empty() {
        return None;
    }
    let attributes = editor.body().instructions[id].attributes;
    editor.build(Place::Before(id), id, |builder| {
        let whole = wholes.into_iter().fold(source, |part, ty| builder.structure(&[part], ty));
        builder.with(attributes).store(whole, address);
    });
    editor.erase(id);
    Some(destination)
}

/// Returns whether a type is a loadable struct with a single stored property.
fn has_one_property(editor: &Editor<'_>, ty: SilType) -> bool {
    let environment = editor.environment;
    let properties = environment.queries.properties(ty.ty, environment.function.signature);
    let Some(declaration) = environment.queries.declaration_of(ty.ty) else { return false };
    !is_in_memory(environment, ty)
        && properties.copyability == Copyability::Copyable
        && declaration.stored.len() == 1
        && declaration.attributes.c_layout.as_ref().is_none_or(|layout| layout.opaque.is_empty())
}

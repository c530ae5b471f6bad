//! Folds checked casts with a known result (lib/SILOptimizer/Utils/CastOptimizer.cpp). Blocks that become unreachable
//! are left in place.

use sil_analysis::{ControlFlowGraph, Dominators};
use sil_ir::context::{BuiltinType, SilType, Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CastAddr, CheckedCastAddrBr, CheckedCastBr, Store, Unary, UnconditionalCheckedCast};
use sil_ir::model::{BlockId, Cast, CastConsumption, Details, InstructionId, LocationKind, Ownership, Place, Value};
use sil_ir::types::ExistentialKind;

use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::knowledge::cast_feasibility::{CastFeasibility, SourceType};
use crate::knowledge::casts::{Outcome, move_value};
use crate::knowledge::dynamic_self::mentions_dynamic_self;

/// Replaces a cast with a known result. Returns `None` if it is unchanged.
pub(crate) fn fold(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    match editor.opcode(id) {
        Opcode::CheckedCastBr => fold_branch(editor, id),
        Opcode::CheckedCastAddrBr => fold_address_branch(editor, id),
        Opcode::UnconditionalCheckedCast => fold_value(editor, id),
        Opcode::UnconditionalCheckedCastAddr => fold_address(editor, id),
        _ => None,
    }
}

/// Simplifies the operand of a cast branch: a metatype that is wrapped or stored to memory for the cast
/// (`optimizeCheckedCastBranchInst`, `optimizeCheckedCastAddrBranchInst`).
pub(crate) fn cast_metatype(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let is_exact = editor.body().instructions[id].attributes.contains(Attribute::Exact);
    match editor.opcode(id) {
        Opcode::CheckedCastBr if !is_exact => cast_metatype_itself(editor, id),
        Opcode::CheckedCastAddrBr => cast_stored_metatype(editor, id),
        _ => None,
    }
}

fn feasibility<'e>(editor: &Editor<'e>) -> CastFeasibility<'e, 'e> {
    CastFeasibility::new(editor.environment.queries, editor.environment.function.signature)
}

/// The result of a cast of a value, or of the value at an address.
fn outcome(editor: &Editor<'_>, value: Value, from: TypeId, to: TypeId) -> Option<Outcome> {
    let is_made = editor.made_by(value, Opcode::Metatype).is_some();
    let is_exact = is_made && !mentions_dynamic_self(editor.environment.queries, from);
    feasibility(editor).outcome(from, to, if is_exact { SourceType::Exact } else { SourceType::Bound })
}

/// The result of an exact cast of a newly allocated object.
fn exact_outcome(editor: &Editor<'_>, value: Value, to: TypeId) -> Option<Outcome> {
    let mut object = value;
    while let Some(cast) = editor.made_by(object, Opcode::Upcast) {
        object = Unary::of(editor.body(), cast).operand;
    }
    editor.made_by(object, Opcode::AllocRef)?;
    let is_same = editor.environment.queries.same_type(editor.body().ty(object).ty, to);
    Some(if is_same { Outcome::Succeeds } else { Outcome::Fails })
}

fn fold_branch(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let is_exact = editor.body().instructions[id].attributes.contains(Attribute::Exact);
    if !is_exact {
        cast_metatype_itself(editor, id);
    }
    let CheckedCastBr { operand, success, failure, cast } = CheckedCastBr::of(editor.body(), id);
    let from = editor.body().ty(operand);
    let outcome = match is_exact {
        true => exact_outcome(editor, operand, cast.target)?,
        false => outcome(editor, operand, cast.source.unwrap_or(from.ty), cast.target)?,
    };
    let argument = |block: BlockId| match editor.body().blocks[block].arguments[..] {
        [] => Some(None),
        [argument] => Some(Some(argument)),
        _ => None,
    };
    let (succeeded, failed) = (argument(success)?, argument(failure)?);
    let value = match (outcome, succeeded) {
        (Outcome::Fails, _) | (_, None) => operand,
        (Outcome::Succeeds, Some(result)) => {
            let to = editor.body().ty(result);
            if from != to && editor.uses(result).is_empty() {
                editor.undef(to)
            } else {
                converted(editor, id, operand, to)?
            }
        }
    };
    let target = if outcome == Outcome::Succeeds { success } else { failure };
    let passed = if outcome == Outcome::Succeeds { succeeded } else { failed };
    // With ownership, the blocks have no other predecessors.
    if editor.has_ownership() {
        for (block, result) in [(success, succeeded), (failure, failed)] {
            let Some(result) = result else { continue };
            let by = if block == target { value } else { editor.undef(editor.body().ty(result)) };
            editor.replace_all(result, by);
            editor.remove_argument(block, 0);
        }
        editor.build(Place::Before(id), id, |builder| builder.branch(target, &[]));
        editor.erase(id);
        editor.forget_ownership();
    } else {
        let passed = passed.map(|_| value);
        editor.build(Place::Before(id), id, |builder| builder.branch(target, passed.as_slice()));
        editor.erase(id);
    }
    Some(())
}

/// Replaces the cast of a new existential metatype with the cast of the metatype.
fn cast_metatype_itself(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let CheckedCastBr { operand, failure, cast, .. } = CheckedCastBr::of(editor.body(), id);
    let wrapped = editor.made_by(operand, Opcode::InitExistentialMetatype)?;
    let metatype = Unary::of(editor.body(), wrapped).operand;
    editor.made_by(metatype, Opcode::Metatype)?;
    let ty = editor.body().ty(metatype);
    let mut cast: Cast = cast.clone();
    cast.source = Some(ty.ty);
    if let [argument] = editor.body().blocks[failure].arguments[..] {
        if !editor.uses(argument).is_empty() {
            return None;
        }
        editor.set_value_type(argument, ty);
    }
    editor.set_operand(sil_analysis::Use { user: id, operand: 0 }, metatype);
    editor.set_details(id, Details::Cast(Box::new(cast)));
    Some(())
}

/// Replaces the cast of a metatype in temporary memory with a cast of the metatype, whose result is stored on success.
fn cast_stored_metatype(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let CheckedCastAddrBr { source, destination, success, failure, cast } = CheckedCastAddrBr::of(editor.body(), id);
    let mut cast = cast.clone();
    let queries = editor.environment.queries;
    let body = editor.body();
    let is_dependent = |address: Value| queries.is_dependent(body.ty(address).ty);
    let is_metatype = matches!(queries.get(cast.target), Type::Metatype { .. } | Type::ExistentialMetatype { .. });
    if is_dependent(source) || is_dependent(destination) || !is_metatype || editor.edges_to(success) != 1 {
        return None;
    }
    let metatype = stored_metatype(editor, id, source)?;
    let (from, to) = (body.ty(metatype), body.ty(destination).object_type());
    cast.consumption = None;
    let has_ownership = editor.has_ownership();
    let stored = if has_ownership { with(Attribute::Trivial) } else { AttributeSet::default() };
    editor.build(Place::Before(id), id, |builder| {
        builder.checked_cast_br(metatype, Box::new(cast), to, [success, failure]);
    });
    let gives = editor.add_argument(success, to, Ownership::None);
    if has_ownership {
        editor.add_argument(failure, from, Ownership::None);
    }
    editor.build(Place::Start(success), id, |builder| {
        builder.with(stored).store(gives, destination);
    });
    editor.erase(id);
    editor.forget_ownership();
    Some(())
}

/// The metatype that is stored to stack memory, possibly wrapped, if only a cast reads the memory.
fn stored_metatype(editor: &Editor<'_>, cast: InstructionId, memory: Value) -> Option<Value> {
    editor.made_by(memory, Opcode::AllocStack)?;
    let body = editor.body();
    let mut stores = Vec::new();
    for found in editor.uses(memory) {
        let assigns = body.instructions[found.user].attributes.contains(Attribute::Assign);
        match editor.opcode(found.user) {
            Opcode::DeallocStack => {}
            Opcode::Store if found.operand == 1 && !assigns => stores.push(found.user),
            _ if found.user == cast => {}
            _ => return None,
        }
    }
    let [store] = stores[..] else { return None };
    let dominators = Dominators::new(body, &ControlFlowGraph::new(body));
    let stored = Store::of(body, store).source;
    let wrapped = editor.made_by(stored, Opcode::InitExistentialMetatype);
    let metatype = wrapped.map_or(stored, |wrapped| Unary::of(body, wrapped).operand);
    editor.made_by(metatype, Opcode::Metatype)?;
    dominators.instruction_dominates(body, store, cast).then_some(metatype)
}

/// Converts a reference or metatype to the type of a successful cast. Returns `None` if only the cast can do that.
fn converted(editor: &mut Editor<'_>, id: InstructionId, value: Value, to: SilType) -> Option<Value> {
    let queries = editor.environment.queries;
    let from = editor.body().ty(value);
    if queries.same_sil_type(from, to) {
        return Some(value);
    }
    let is_class = |ty: TypeId| match queries.get(ty) {
        Type::Metatype { instance, .. } => queries.is_class(*instance),
        _ => queries.is_class(ty),
    };
    let is_upcast = is_class(from.ty) && is_class(to.ty);
    is_upcast.then(|| editor.build(Place::Before(id), id, |builder| builder.upcast(value, to)))
}

fn fold_value(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let UnconditionalCheckedCast { operand, target } = UnconditionalCheckedCast::of(editor.body(), id);
    let result = editor.body().result(id)?;
    match outcome(editor, operand, editor.body().ty(operand).ty, target)? {
        Outcome::Fails => trap(editor, id),
        Outcome::Succeeds if editor.uses(result).is_empty() => editor.erase(id),
        Outcome::Succeeds => {
            let value = converted(editor, id, operand, editor.body().ty(result))?;
            editor.replace(id, value);
            editor.forget_ownership();
        }
    }
    Some(())
}

fn fold_address(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let CastAddr { source, destination, cast } = CastAddr::of(editor.body(), id);
    let (from, to) = (cast.source?, cast.target);
    let outcome = outcome(editor, source, from, to);
    // The effects of bridging are unknown, but it can be omitted if its result is unused.
    if outcome.is_none() && is_bridging(editor, from, to) && discard_result(editor, id, destination) {
        editor.build(Place::Before(id), id, |builder| {
            builder.destroy_addr(source);
        });
        editor.erase(id);
        return Some(());
    }
    match outcome? {
        Outcome::Fails => trap(editor, id),
        Outcome::Succeeds => {
            if discard_result(editor, id, destination) {
                editor.build(Place::Before(id), id, |builder| {
                    builder.destroy_addr(source);
                });
            } else {
                move_converted(editor, id, Conversion { source, destination, from, to, consumption: None })?;
            }
            editor.erase(id);
        }
    }
    Some(())
}

fn fold_address_branch(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let CheckedCastAddrBr { source, destination, success, failure, cast } = CheckedCastAddrBr::of(editor.body(), id);
    let (from, to, consumption) = (cast.source?, cast.target, cast.consumption);
    let outcome = outcome(editor, source, from, to)?;
    let target = match outcome {
        Outcome::Fails => {
            if consumption == Some(CastConsumption::TakeAlways) {
                destroy(editor, id, source);
            }
            failure
        }
        Outcome::Succeeds => {
            if discard_result(editor, id, destination) {
                if consumption != Some(CastConsumption::CopyOnSuccess) {
                    destroy(editor, id, source);
                }
            } else {
                cast_unconditionally(editor, id, Conversion { source, destination, from, to, consumption });
            }
            success
        }
    };
    editor.build(Place::Before(id), id, |builder| builder.branch(target, &[]));
    editor.erase(id);
    Some(())
}

/// Returns whether one of two types is an object type that values are bridged to (`isBridgingCast` of
/// include/swift/SIL/DynamicCasts.h).
fn is_bridging(editor: &Editor<'_>, from: TypeId, to: TypeId) -> bool {
    let queries = editor.environment.queries;
    let is_any_object = |ty: TypeId| match queries.get(ty) {
        Type::Existential(constraint) => match queries.get(*constraint) {
            Type::Composition(parts) => parts.class_constraint.is_some() && parts.members.is_empty(),
            _ => false,
        },
        _ => false,
    };
    let is_object = |ty: TypeId| queries.is_class(ty) || is_any_object(ty);
    is_object(from) != is_object(to)
}

/// Removes the destroys of a cast's result in stack memory, if it has no other uses. Returns whether it has none.
fn discard_result(editor: &mut Editor<'_>, id: InstructionId, destination: Value) -> bool {
    if editor.made_by(destination, Opcode::AllocStack).is_none() {
        return false;
    }
    let uses = editor.uses(destination);
    let destroys: Vec<InstructionId> =
        uses.iter().map(|found| found.user).filter(|user| editor.opcode(*user) == Opcode::DestroyAddr).collect();
    let is_other =
        |user: InstructionId| user != id && !matches!(editor.opcode(user), Opcode::DeallocStack | Opcode::DestroyAddr);
    if destroys.len() > 1 || uses.iter().any(|found| is_other(found.user)) {
        return false;
    }
    destroys.into_iter().for_each(|destroy| editor.erase(destroy));
    true
}

/// Destroys the value in memory before `id`. A loadable value is loaded.
fn destroy(editor: &mut Editor<'_>, id: InstructionId, address: Value) {
    let object = editor.body().ty(address).object_type();
    if editor.is_trivial(object) {
        return;
    }
    let properties = editor.environment.queries.properties(object.ty, editor.environment.function.signature);
    let is_loaded = !properties.is_address_only() && !properties.is_guessed();
    let has_ownership = editor.has_ownership();
    let release = match has_ownership {
        true => Opcode::DestroyValue,
        false if properties.is_reference() => Opcode::StrongRelease,
        false => Opcode::ReleaseValue,
    };
    editor.build(Place::Before(id), id, |builder| match is_loaded {
        true => {
            let value = load(builder, has_ownership, address);
            builder.effect(release, value)
        }
        false => builder.destroy_addr(address),
    });
}

/// Casts the value at an address, or a copy of it, before `id`. The cast is known to succeed
/// (lib/SIL/Utils/DynamicCasts.cpp, `emitSuccessfulIndirectUnconditionalCast`).
fn cast_unconditionally(editor: &mut Editor<'_>, id: InstructionId, conversion: Conversion) {
    let Conversion { mut source, destination, from, to, consumption } = conversion;
    let ty = editor.body().ty(source);
    let copies = consumption == Some(CastConsumption::CopyOnSuccess) && !editor.is_trivial(ty.object_type());
    if copies {
        source = copied(editor, id, source);
    }
    let queries = editor.environment.queries;
    let target = editor.body().ty(destination);
    let is_same = queries.same_sil_type(ty, target);
    let properties = queries.properties(ty.ty, editor.environment.function.signature);
    let is_loadable = !properties.is_address_only() && !properties.is_guessed();
    let has_ownership = editor.has_ownership();
    let is_trivial = editor.is_trivial(ty.object_type());
    let are_classes = queries.is_class(ty.ty) && queries.is_class(target.ty);
    editor.build(Place::Before(id), id, |builder| {
        if is_same && !is_loadable {
            move_value(builder, Outcome::Succeeds, None, source, destination);
        } else if is_same && is_trivial {
            let trivial = if has_ownership { with(Attribute::Trivial) } else { AttributeSet::default() };
            let value = builder.with(trivial).load(source);
            builder.with(trivial).store(value, destination);
        } else if is_same || are_classes {
            let mut value = load(builder, has_ownership, source);
            if !is_same {
                value = builder.upcast(value, target.object_type());
            }
            store(builder, has_ownership, value, destination);
        } else {
            let cast = Cast { source: Some(from), target: to, consumption: None, counts: [None; 2] };
            builder.unconditional_checked_cast_addr(source, destination, Box::new(cast));
        }
        if copies {
            builder.dealloc_stack(source);
        }
    });
}

fn with(attribute: Attribute) -> AttributeSet {
    let mut attributes = AttributeSet::default();
    attributes.insert(attribute);
    attributes
}

/// Copies the value at an address to new memory.
fn copied(editor: &mut Editor<'_>, id: InstructionId, source: Value) -> Value {
    let ty = editor.body().ty(source);
    editor.build(Place::Before(id), id, |builder| {
        let copy = builder.alloc_stack(ty.object_type(), None);
        builder.with(with(Attribute::Init)).copy_addr(source, copy);
        copy
    })
}

/// A successful cast between addresses.
struct Conversion {
    source: Value,
    destination: Value,
    from: TypeId,
    to: TypeId,
    consumption: Option<CastConsumption>,
}

/// Performs a successful cast between addresses before `id`. Returns `None` if only the cast can do that.
fn move_converted(editor: &mut Editor<'_>, id: InstructionId, conversion: Conversion) -> Option<()> {
    let Conversion { source, destination, from, to, .. } = conversion;
    let queries = editor.environment.queries;
    let types = [source, destination].map(|address| editor.body().ty(address));
    if queries.same_sil_type(types[0], types[1]) {
        cast_unconditionally(editor, id, conversion);
        return Some(());
    }
    let questions = feasibility(editor);
    if questions.only_protocol(to).is_some() && !questions.can_be_existential(from) {
        wrap(editor, id, conversion);
        return Some(());
    }
    if !types.iter().all(|ty| queries.is_class(ty.ty)) {
        return None;
    }
    let has_ownership = editor.has_ownership();
    editor.build(Place::Before(id), id, |builder| {
        let object = load(builder, has_ownership, source);
        let upcast = builder.upcast(object, types[1].object_type());
        store(builder, has_ownership, upcast, destination);
    });
    Some(())
}

/// Creates an existential of a conforming type's value.
fn wrap(editor: &mut Editor<'_>, id: InstructionId, conversion: Conversion) {
    let Conversion { source, destination, from, .. } = conversion;
    let queries = editor.environment.queries;
    let [concrete, existential] = [source, destination].map(|address| editor.body().ty(address));
    let kind = queries.existential_kind(existential.ty);
    let has_ownership = editor.has_ownership();
    editor.build(Place::Before(id), id, |builder| match kind {
        ExistentialKind::Opaque => {
            let inside = builder.init_existential_addr(destination, from, concrete);
            move_value(builder, Outcome::Succeeds, None, source, inside);
        }
        ExistentialKind::Class => {
            let object = load(builder, has_ownership, source);
            let ty = existential.object_type();
            let wrapped = builder.init_existential_ref(object, from, ty);
            store(builder, has_ownership, wrapped, destination);
        }
        ExistentialKind::Error => {
            let ty = existential.object_type();
            let boxed = builder.alloc_existential_box(from, ty);
            let inside = builder.project_existential_box(boxed, concrete.object_type());
            move_value(builder, Outcome::Succeeds, None, source, inside);
            store(builder, has_ownership, boxed, destination);
        }
    });
}

/// Takes a reference from memory.
fn load(builder: &mut InstructionBuilder<'_>, has_ownership: bool, address: Value) -> Value {
    let mut attributes = AttributeSet::default();
    if has_ownership {
        attributes.insert(Attribute::Take);
    }
    builder.with(attributes).load(address)
}

/// Initialises memory with a reference.
fn store(builder: &mut InstructionBuilder<'_>, has_ownership: bool, value: Value, address: Value) {
    let mut attributes = AttributeSet::default();
    if has_ownership {
        attributes.insert(Attribute::Init);
    }
    builder.with(attributes).store(value, address);
}

/// Inserts a trap for a cast that fails. Removes the rest of the block.
fn trap(editor: &mut Editor<'_>, id: InstructionId) {
    let context = editor.environment.queries.context;
    let bit = SilType::object(context.ty(Type::Builtin(BuiltinType::Integer(1))));
    let block = editor.body().instructions[id].block;
    let stop = editor.build(Place::Before(id), id, |builder| {
        let fails = builder.integer_literal(-1, bit);
        builder.cond_fail(fails, "failed cast")
    });
    let gone: Vec<InstructionId> = editor.body().instructions_in(block).skip_while(|found| *found != id).collect();
    for id in gone {
        for result in editor.body().results(id).collect::<Vec<_>>() {
            let undef = editor.undef(editor.body().ty(result));
            editor.replace_all(result, undef);
        }
        editor.erase(id);
    }
    editor.build(Place::End(block), stop, |builder| {
        builder.set_location_kind(LocationKind::ArtificialUnreachable);
        builder.unreachable();
    });
    editor.forget_ownership();
}

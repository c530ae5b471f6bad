//! Single steps along values and addresses, from uses to definitions and back, with the projection path to the subject.
//! The caller keeps the work list, so that no input makes a walk recurse deeply.
//!
//! The instructions that pass on values that they project, build or forward follow
//! SwiftCompilerSources/Sources/SIL/Utilities/WalkUtils.swift.

use sil_ir::context::Type;
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{BlockId, Definition, InstructionId, Value};
use sil_ir::types::ReferenceKind;

use super::{BodyView, Projection, ProjectionPath, Use};

/// Where a step leads.
pub enum Step {
    /// To one value.
    To(Value, ProjectionPath),
    /// To several. A walk may come back to where it was, so it must remember where it has been.
    ToEach(Vec<(Value, ProjectionPath)>),
    /// Nowhere: the path leads past the operands of this instruction.
    Unmatched,
    /// These steps end here; the walk decides itself about the instruction.
    End,
}

impl Step {
    fn matched(to: Value, path: Option<ProjectionPath>) -> Step {
        path.map_or(Step::Unmatched, |path| Step::To(to, path))
    }
}

/// From the object `value` to its source.
pub fn value_up(view: &BodyView<'_>, value: Value, path: ProjectionPath) -> Step {
    match view.body.values[value].definition {
        Definition::Result { instruction, index } => result_up(view, instruction, index, path),
        Definition::Argument { .. } => argument_up(view, value, path),
        Definition::Undef => Step::End,
    }
}

fn argument_up(view: &BodyView<'_>, value: Value, path: ProjectionPath) -> Step {
    if let Some(incoming) = view.incoming_values(value) {
        return Step::ToEach(incoming.into_iter().map(|value| (value, path)).collect());
    }
    let Definition::Argument { block, .. } = view.body.values[value].definition else { return Step::End };
    let terminator = view.cfg.single_predecessor(block).and_then(|predecessor| view.body.terminator(predecessor));
    let Some(switch) = terminator.filter(|id| view.opcode(*id) == Opcode::SwitchEnum) else { return Step::End };
    let from = views::SwitchEnum::of(view.body, switch).operand;
    match view.case_leading_to(switch, block) {
        Some(case) => Step::To(from, path.push(Projection::EnumCase(case))),
        None => Step::End,
    }
}

fn result_up(view: &BodyView<'_>, id: InstructionId, result: u32, path: ProjectionPath) -> Step {
    use Opcode::*;
    let Some(operand) = view.operand(id, 0) else {
        return if view.opcode(id) == Enum { enum_without_payload_up(path) } else { Step::End };
    };
    let through = |step: Option<Projection>| step.map_or(Step::End, |step| Step::To(operand, path.push(step)));
    match view.opcode(id) {
        Struct => aggregate_up(view, id, path, |step| match step {
            Projection::Struct(index) => Some(index),
            _ => None,
        }),
        Tuple => aggregate_up(view, id, path, |step| match step {
            Projection::Tuple(index) => Some(index),
            _ => None,
        }),
        Enum => match view.case_number(id) {
            Some(case) => match path.pop_if_matches(Projection::EnumCase(case)) {
                Some(path) => Step::To(operand, path),
                None => Step::matched(operand, path.pop_if_matches(Projection::AnyValueFields)),
            },
            None => Step::End,
        },
        StructExtract => through(view.field_number(id).map(Projection::Struct)),
        TupleExtract => through(view.field_number(id).map(Projection::Tuple)),
        UncheckedEnumData => through(view.case_number(id).map(Projection::EnumCase)),
        DestructureStruct => through(Some(Projection::Struct(result))),
        DestructureTuple => through(Some(Projection::Tuple(result))),
        InitExistentialRef => Step::matched(operand, path.pop_if_matches(Projection::Existential)),
        OpenExistentialRef => through(Some(Projection::Existential)),
        BeginBorrow
        | Borrowed
        | CopyValue
        | MoveValue
        | Upcast
        | EndCowMutation
        | EndInitLetRef
        | BeginDeallocRef
        | MarkDependence
        | RefToBridgeObject
        | BridgeObjectToRef
        | MarkUnresolvedNonCopyableValue => Step::To(operand, path),
        BeginCowMutation => Step::To(operand, path),
        UncheckedRefCast => reference_cast_up(view, id, operand, path),
        _ => Step::End,
    }
}

fn enum_without_payload_up(path: ProjectionPath) -> Step {
    // Without a payload, the enum itself is where the value comes from.
    if path.pop_if_matches(Projection::AnyValueFields).is_some() { Step::End } else { Step::Unmatched }
}

fn aggregate_up(
    view: &BodyView<'_>,
    id: InstructionId,
    path: ProjectionPath,
    number: impl Fn(Projection) -> Option<u32>,
) -> Step {
    let operands = view.body.operands(id);
    if let Some(index) = path.first().and_then(number) {
        // Types need not agree where concrete types of an existential differ.
        return Step::matched_operand(operands.get(index as usize).copied(), path.rest());
    }
    match path.pop_if_matches(Projection::AnyValueFields) {
        Some(_) => Step::ToEach(operands.iter().map(|operand| (*operand, path)).collect()),
        None => Step::Unmatched,
    }
}

impl Step {
    fn matched_operand(operand: Option<Value>, path: ProjectionPath) -> Step {
        operand.map_or(Step::Unmatched, |operand| Step::To(operand, path))
    }
}

/// `unchecked_ref_cast` also wraps and unwraps `Optional`.
enum ReferenceCast {
    Plain,
    Wrapping,
    Unwrapping,
    /// Between an existential and a class: the path would not show it.
    OfExistential,
}

/// The number of `Optional`'s case `some`.
const SOME: Projection = Projection::EnumCase(1);

fn reference_cast(view: &BodyView<'_>, from: Value, to: Value) -> ReferenceCast {
    let (from, to) = (view.body.ty(from).ty, view.body.ty(to).ty);
    let existential = |ty| {
        matches!(view.queries.get(ty), Type::Existential(_) | Type::Protocol { .. } | Type::Composition(_))
            && view.queries.properties(ty, view.function.signature).reference == Some(ReferenceKind::Class)
    };
    if existential(from) || existential(to) {
        return ReferenceCast::OfExistential;
    }
    match (view.queries.optional_object(from), view.queries.optional_object(to)) {
        (None, Some(_)) => ReferenceCast::Wrapping,
        (Some(_), None) => ReferenceCast::Unwrapping,
        _ => ReferenceCast::Plain,
    }
}

fn reference_cast_up(view: &BodyView<'_>, id: InstructionId, from: Value, path: ProjectionPath) -> Step {
    let Some(to) = view.body.result(id) else { return Step::End };
    match reference_cast(view, from, to) {
        ReferenceCast::OfExistential => Step::End,
        ReferenceCast::Plain => Step::To(from, path),
        ReferenceCast::Wrapping => Step::matched(from, path.pop_if_matches(SOME)),
        ReferenceCast::Unwrapping => Step::To(from, path.push(SOME)),
    }
}

/// From the address `value` to the address that it was projected from.
pub fn address_up(view: &BodyView<'_>, value: Value, path: ProjectionPath) -> Step {
    use Opcode::*;
    let Some((id, opcode)) = view.definition(value) else { return Step::End };
    let Some(operand) = view.operand(id, 0) else { return Step::End };
    match address_projection(view, id) {
        Some(step) => Step::To(operand, path.push(step)),
        None => match opcode {
            BeginAccess
            | MarkUnresolvedNonCopyableValue
            | MarkDependence
            | MarkUninitialized
            | MoveonlywrapperToCopyableAddr
            | CopyableToMoveonlywrapperAddr => Step::To(operand, path),
            _ => Step::End,
        },
    }
}

/// The projection from its operand to its result that the address instruction `id` is.
pub fn address_projection(view: &BodyView<'_>, id: InstructionId) -> Option<Projection> {
    match view.opcode(id) {
        Opcode::StructElementAddr => view.field_number(id).map(Projection::Struct),
        Opcode::TupleElementAddr => view.field_number(id).map(Projection::Tuple),
        Opcode::InitEnumDataAddr | Opcode::UncheckedTakeEnumDataAddr => view.case_number(id).map(Projection::EnumCase),
        Opcode::InitExistentialAddr | Opcode::OpenExistentialAddr => Some(Projection::Existential),
        Opcode::IndexAddr => Some(constant_index(view, id).map_or(Projection::AnyIndex, Projection::Index)),
        _ => None,
    }
}

/// By how many elements `index_addr` goes on, where that is known and not backwards.
pub fn constant_index(view: &BodyView<'_>, id: InstructionId) -> Option<u32> {
    let index = views::IndexAddr::get(view.body, id)?.index;
    view.integer(index).and_then(|index| u32::try_from(index).ok())
}

/// From an object to the result of an instruction that uses it.
pub fn value_down(view: &BodyView<'_>, found: Use, path: ProjectionPath) -> Step {
    use Opcode::*;
    let id = found.user;
    let result = view.body.result(id);
    let on = |path: ProjectionPath| Step::matched_operand(result, path);
    let into = |step: Option<Projection>| match step {
        Some(step) => path.pop_if_matches(step).map_or(Step::Unmatched, on),
        None => Step::End,
    };
    match view.opcode(id) {
        Struct => on(path.push(Projection::Struct(found.operand))),
        Tuple => on(path.push(Projection::Tuple(found.operand))),
        Enum => view.case_number(id).map_or(Step::End, |case| on(path.push(Projection::EnumCase(case)))),
        StructExtract => into(view.field_number(id).map(Projection::Struct)),
        TupleExtract => into(view.field_number(id).map(Projection::Tuple)),
        UncheckedEnumData => into(view.case_number(id).map(Projection::EnumCase)),
        DestructureStruct => destructured(view, id, path, |step| match step {
            Projection::Struct(index) => Some(index),
            _ => None,
        }),
        DestructureTuple => destructured(view, id, path, |step| match step {
            Projection::Tuple(index) => Some(index),
            _ => None,
        }),
        InitExistentialRef => on(path.push(Projection::Existential)),
        OpenExistentialRef => into(Some(Projection::Existential)),
        BeginBorrow
        | CopyValue
        | MoveValue
        | Upcast
        | EndCowMutation
        | EndInitLetRef
        | BridgeObjectToRef
        | MarkUnresolvedNonCopyableValue => on(path),
        RefToBridgeObject | MarkDependence | Borrowed | BeginDeallocRef if found.operand == 0 => on(path),
        RefToBridgeObject | MarkDependence | Borrowed | BeginDeallocRef => Step::Unmatched,
        BeginCowMutation => Step::matched_operand(view.body.results(id).nth(1), path),
        UncheckedRefCast => match result.map(|to| reference_cast(view, view.used_value(found), to)) {
            Some(ReferenceCast::Plain) => on(path),
            Some(ReferenceCast::Wrapping) => on(path.push(SOME)),
            Some(ReferenceCast::Unwrapping) => into(Some(SOME)),
            Some(ReferenceCast::OfExistential) | None => Step::End,
        },
        Br | CondBr => view.branch_argument(found).map_or(Step::End, |argument| Step::ToEach(vec![(argument, path)])),
        SwitchEnum => switched(view, id, path),
        _ => Step::End,
    }
}

fn destructured(
    view: &BodyView<'_>,
    id: InstructionId,
    path: ProjectionPath,
    number: impl Fn(Projection) -> Option<u32>,
) -> Step {
    let mut results = view.body.results(id);
    if let Some(index) = path.first().and_then(number) {
        return Step::matched_operand(results.nth(index as usize), path.rest());
    }
    match path.pop_if_matches(Projection::AnyValueFields) {
        Some(_) => Step::ToEach(results.map(|result| (result, path)).collect()),
        None => Step::Unmatched,
    }
}

fn switched(view: &BodyView<'_>, id: InstructionId, path: ProjectionPath) -> Step {
    let argument = |target: &BlockId| view.body.blocks[*target].arguments.first().copied();
    let targets = view.body.targets(id);
    if let Some(Projection::EnumCase(case)) = path.first() {
        if let Some(target) = targets.iter().find(|target| view.case_leading_to(id, **target) == Some(case)) {
            return Step::matched_operand(argument(target), path.rest());
        }
        // The default's argument is the enum itself.
        let default = targets.iter().find(|target| view.case_leading_to(id, **target).is_none());
        return Step::matched_operand(default.and_then(argument), path);
    }
    match path.pop_if_matches(Projection::AnyValueFields) {
        Some(_) => Step::ToEach(targets.iter().filter_map(argument).map(|argument| (argument, path)).collect()),
        None => Step::Unmatched,
    }
}

/// From an address to the result of an instruction that uses it.
pub fn address_down(view: &BodyView<'_>, found: Use, path: ProjectionPath) -> Step {
    use Opcode::*;
    let id = found.user;
    let on = |path: ProjectionPath| Step::matched_operand(view.body.result(id), path);
    match view.opcode(id) {
        StructElementAddr
        | TupleElementAddr
        | InitEnumDataAddr
        | UncheckedTakeEnumDataAddr
        | InitExistentialAddr
        | OpenExistentialAddr => match address_projection(view, id) {
            Some(step) => path.pop_if_matches(step).map_or(Step::Unmatched, on),
            None => Step::End,
        },
        IndexAddr if found.operand == 0 => match path.first() {
            Some(Projection::Index(index)) if constant_index(view, id) == Some(index) => on(path.rest()),
            Some(Projection::Index(_)) => on(path.rest().push(Projection::AnyIndex)),
            _ => on(path),
        },
        MarkUnresolvedNonCopyableValue | BeginAccess => on(path),
        MarkDependence if found.operand == 0 => on(path),
        MarkDependence => Step::Unmatched,
        MarkDependenceAddr if found.operand == 1 => Step::Unmatched,
        _ => Step::End,
    }
}

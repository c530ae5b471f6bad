//! Devirtualises protocol methods whose conformance is known.

use sil_analysis::{ApplyKind, ApplySite, Use};
use sil_ir::context::{Representation, SilType, SubstitutionMapId, Sugar, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::WitnessMethod;
use sil_ir::model::{Apply, Details, FunctionFlag, InstructionId, LanguageMode, Ownership, Place, Stage};
use sil_ir::types::{ClosureStorage, TypeQueries};

use super::{REMARKS, Reach, borrow, is_lent};
use crate::editing::editor::Editor;
use crate::knowledge::visibility::may_be_named_in;
use crate::knowledge::witnesses::{Witness, WitnessIndex};
use crate::pass::{Outcome, RemarkPart};

/// Replaces the `witness_method` of `call` with its witness. Returns `None` if the witness is not known or has another
/// convention.
pub(super) fn devirtualize(
    editor: &mut Editor<'_>,
    tables: &WitnessIndex,
    reach: Reach,
    call: InstructionId,
) -> Option<()> {
    let module = editor.environment.module;
    let queries = editor.environment.queries;
    let lookup = editor.made_by(editor.operand(call, 0)?, Opcode::WitnessMethod)?;
    let method = WitnessMethod::of(editor.body(), lookup).method;
    let Details::Apply(apply) = editor.body().instructions[call].details.clone() else { return None };
    let witness = tables.witness(module, queries, method.lookup?, method, apply.substitutions);
    let Witness::Function(mut name, mut substitutions) = witness else { return None };
    let is_raw = module.stage == Stage::Raw || reach == Reach::All;
    // In canonical Embedded Swift, generic functions are already specialised.
    if module.mode == LanguageMode::Embedded && !is_raw && substitutions != SubstitutionMapId::EMPTY {
        name = tables.witness_of_type(module, queries, method.lookup?, method)?;
        substitutions = SubstitutionMapId::EMPTY;
    }
    let function = &module.functions[module.function_named(name)?];
    if substitutions == SubstitutionMapId::EMPTY && function.signature.is_some() {
        return None;
    }
    let caller = editor.environment.function;
    if !is_raw && (!may_be_named_in(function, caller) || function.has(FunctionFlag::OptimizeNone)) {
        return None;
    }
    let conventions = queries.applied_conventions(function.ty, substitutions)?;
    let throws = conventions.function.error.is_some();
    let site = ApplySite::new(editor.body(), call)?;
    if site.kind == ApplyKind::TryApply && !throws
        || !matches!(conventions.function.representation, Representation::WitnessMethod(_))
    {
        return None;
    }
    let numbering = site.numbering(conventions);
    let mut casts: Vec<(u32, SilType, Opcode)> = Vec::new();
    for (index, passed) in site.arguments().iter().enumerate() {
        let argument = conventions.argument(numbering.first_sil_argument() + index)?;
        let given = editor.body().ty(*passed);
        if !queries.same_sil_type(given, argument.ty) {
            casts.push((index as u32 + 1, argument.ty, argument_cast(queries, given, argument.ty)?));
        }
    }
    let results_fit = match (site.kind, editor.body().result(call)) {
        (ApplyKind::Apply, Some(result)) => {
            queries.same_sil_type(editor.body().ty(result), queries.direct_result(conventions))
        }
        _ => true,
    };
    if !results_fit {
        return None;
    }
    for (operand, ty, opcode) in casts {
        let mut value = editor.operand(call, operand as usize)?;
        if editor.ownership(value) == Ownership::Owned && is_lent(editor, call, operand) {
            value = borrow(editor, call, value);
        }
        let value = editor.build(Place::Before(call), call, |builder| builder.cast(opcode, value, ty));
        editor.set_operand(Use { user: call, operand }, value);
    }
    let ty = SilType::object(function.ty);
    let callee = editor.build(Place::Before(call), call, |builder| builder.function_ref(name, ty));
    let details = Apply { substitutions, sugar: Sugar::default(), callee_type: ty, ..*apply };
    editor.set_details(call, Details::Apply(Box::new(details)));
    editor.set_operand(Use { user: call, operand: 0 }, callee);
    let parts =
        vec![RemarkPart::Text("Devirtualized call to "), RemarkPart::Function("Method", function.name, function.span)];
    editor.remark((Outcome::Passed, REMARKS, "WitnessMethodDevirtualized"), call, parts);
    convert_closure(editor, call);
    let is_unused = editor.body().result(lookup).is_some_and(|result| editor.uses(result).is_empty());
    if is_unused {
        editor.erase(lookup);
    }
    Some(())
}

/// Converts a closure of the witness to the type of a closure of the method.
fn convert_closure(editor: &mut Editor<'_>, call: InstructionId) {
    let queries = editor.environment.queries;
    let instruction = &editor.body().instructions[call];
    let attributes = instruction.attributes;
    let (Some(result), Details::Apply(apply)) = (editor.body().result(call), instruction.details.clone()) else {
        return;
    };
    let ty = editor.body().ty(result);
    let Type::Function(closure) = queries.get(ty.ty) else { return };
    if instruction.opcode != Opcode::PartialApply {
        return;
    }
    let storage = match attributes.contains(Attribute::OnStack) {
        true => ClosureStorage::Stack,
        false => ClosureStorage::Heap,
    };
    let operands = editor.body().operands(call).to_vec();
    let (callee, substitutions) = (apply.callee_type.ty, apply.substitutions);
    let made = queries.partial_apply_type(callee, substitutions, operands.len() - 1, closure.callee, storage);
    let Some(made) = made.map(SilType::object).filter(|made| !queries.same_sil_type(*made, ty)) else { return };
    let converted = editor.build(Place::Before(call), call, |builder| {
        let closure = builder.with(attributes).partial_apply(apply, &operands, made);
        builder.convert_function(closure, ty)
    });
    editor.forget_ownership();
    editor.replace(call, converted);
}

/// The opcode of a cast between two types of the same layout.
pub(crate) fn argument_cast(queries: &TypeQueries<'_>, from: SilType, to: SilType) -> Option<Opcode> {
    if from.is_address() && to.is_address() {
        return Some(Opcode::UncheckedAddrCast);
    }
    if from.is_address() || to.is_address() {
        return None;
    }
    let instance = |ty: SilType| match queries.get(ty.ty) {
        Type::Metatype { instance, .. } => *instance,
        _ => ty.ty,
    };
    queries.is_subclass(instance(from), instance(to)).then_some(Opcode::Upcast)
}

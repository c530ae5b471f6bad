//! Structs, tuples, objects and their fields.

use sil_ir::context::{MemberId, SilType, Type, ValueCategory};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::families::Aggregates;
use sil_ir::model::views::{self, Composition, StructExtract, TupleExtract, Unary};

use super::{Checker, Rules};
use crate::checker::OwnershipForm;

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Aggregates) -> Option<Rules> {
    use Aggregates::*;
    let rules: Rules = match opcode {
        Struct => build_struct,
        StructExtract => |checker| struct_field(checker, ValueCategory::Object),
        StructElementAddr => |checker| struct_field(checker, ValueCategory::Address),
        RefElementAddr => |checker| {
            let views::RefElementAddr { object, field: member } = checker.view();
            field(checker, object, member, ValueCategory::Object, NominalKind::Class);
        },
        Tuple => build_tuple,
        TupleExtract => |checker| element(checker, ValueCategory::Object),
        TupleElementAddr => |checker| element(checker, ValueCategory::Address),
        DestructureStruct => destructure_struct,
        DestructureTuple => destructure_tuple,
        RefTailAddr => |checker| {
            let views::RefTailAddr { object, .. } = checker.view();
            if checker.object(object) {
                let class = checker.queries().is_class(checker.ty(object).ty);
                checker.require_operand(object, class, "an object of a class");
            }
        },
        Object => return None,
    };
    Some(rules)
}

fn build_struct(checker: &mut Checker<'_, '_>) {
    let Composition { elements: values } = checker.view();
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let declaration = queries.declaration_of(result.ty);
    if declaration.is_none_or(|declaration| declaration.kind != NominalKind::Struct) {
        let known = checker.is_known(result.ty);
        checker.require(!known, "result-type", || "`struct` makes a value of a struct type".into());
        return;
    }
    let Some(fields) = queries.field_types(result.ty) else { return };
    if fields.len() != values.len() {
        let (expected, found) = (fields.len(), values.len());
        let ty = checker.scope.show(result);
        let message = format!("`struct` takes one operand per stored property of `{ty}`: {expected}, not {found}");
        if found < expected {
            return checker.fail("operand-count", message);
        }
        checker.tolerantly(|checker| checker.fail("operand-count", message));
    }
    for (operand, field) in values.zip(fields.iter()) {
        checker.expect(operand, SilType::object(*field));
    }
}

fn struct_field(checker: &mut Checker<'_, '_>, category: ValueCategory) {
    let StructExtract { operand, field: member } = checker.view();
    field(checker, operand, member, category, NominalKind::Struct);
}

/// The member that a projection names, if it is a stored property of the operand's type.
fn field(checker: &mut Checker<'_, '_>, operand: usize, member: MemberId, category: ValueCategory, kind: NominalKind) {
    let fits = checker.has_category(operand, category);
    if !fits || !checker.is_known(checker.ty(operand).ty) || !is_kind(checker, operand, kind) {
        return;
    }
    let Some(expected) = checker.queries().stored_property_type(checker.ty(operand).ty, member) else {
        return no_such_field(checker, operand, member);
    };
    if kind == NominalKind::Class {
        own_field(checker, operand, member);
    }
    let address = category == ValueCategory::Address || kind == NominalKind::Class;
    let category = if address { ValueCategory::Address } else { ValueCategory::Object };
    checker.expect_result(SilType { ty: expected, category });
}

fn is_kind(checker: &mut Checker<'_, '_>, operand: usize, kind: NominalKind) -> bool {
    let declaration = checker.queries().declaration_of(checker.ty(operand).ty);
    let found = declaration.map(|declaration| match declaration.kind {
        NominalKind::Actor => NominalKind::Class,
        other => other,
    });
    let what = if kind == NominalKind::Class { "an object of a class" } else { "of a struct type" };
    checker.require_operand(operand, found == Some(kind), what) && found.is_some()
}

/// A stored property of a superclass is reached through an `upcast`.
fn own_field(checker: &mut Checker<'_, '_>, operand: usize, member: MemberId) {
    let queries = checker.queries();
    let class = queries.as_nominal(checker.ty(operand).ty).map(|nominal| nominal.declaration);
    let parent = queries.context.get_member(member).parent;
    if class.is_some() && parent.is_some() && class != parent {
        checker.fail_at_operand(operand, "unknown-field", "the field is one of a superclass: use `upcast` first");
    }
}

fn no_such_field(checker: &mut Checker<'_, '_>, operand: usize, member: MemberId) {
    let context = checker.queries().context;
    let field = context.text(context.get_member(member).name);
    let ty = checker.scope.show(checker.ty(operand));
    checker.fail_at_operand(operand, "unknown-field", format!("`{ty}` has no stored property `{field}`"));
}

fn build_tuple(checker: &mut Checker<'_, '_>) {
    let Composition { elements: values } = checker.view();
    let Some(result) = checker.result() else { return };
    let Type::Tuple(elements) = checker.queries().get(result.ty) else {
        checker.require(values.len() == 1, "result-type", || "`tuple` makes a value of a tuple type".into());
        return;
    };
    if elements.len() != values.len() {
        let (expected, found) = (elements.len(), values.len());
        checker.fail("operand-count", format!("`tuple` takes one operand per element: {expected}, not {found}"));
        return;
    }
    for (operand, element) in values.zip(elements.iter()) {
        // A wrapped value is in the tuple without its wrapper.
        match *checker.operand(operand) {
            Type::MoveOnlyWrapper(inner) if inner == element.ty => {}
            _ => {
                checker.expect(operand, SilType::object(element.ty));
            }
        }
    }
}

fn element(checker: &mut Checker<'_, '_>, category: ValueCategory) {
    let TupleExtract { operand, index } = checker.view();
    let fits = checker.has_category(operand, category);
    let ty = checker.ty(operand).ty;
    let is_tuple = checker.queries().tuple_element_types(ty).is_some();
    if !fits || !checker.require_operand(operand, is_tuple, "a tuple") || !is_tuple {
        return;
    }
    match checker.queries().tuple_element_type(ty, index) {
        Some(element) => {
            checker.expect_result(SilType { ty: element, category });
        }
        None => checker.fail_at_operand(operand, "element-index", format!("the tuple has no element {index}")),
    }
}

fn destructure_struct(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    let known = checker.object(operand) && checker.is_known(checker.ty(operand).ty);
    if !known || !is_kind(checker, operand, NominalKind::Struct) {
        return;
    }
    if let Some(fields) = checker.queries().field_types(checker.ty(operand).ty) {
        expect_results(checker, &fields);
    }
    let declaration = checker.queries().declaration_of(checker.ty(operand).ty);
    let has_deinit = declaration.is_some_and(|declaration| declaration.attributes.has_deinit);
    if has_deinit && checker.scope.ownership == OwnershipForm::Qualified && !is_without_deinit(checker, operand) {
        let message = "a value with a `deinit` cannot be taken apart: use `drop_deinit` first";
        checker.fail_at_operand(operand, "deinit", message);
    }
}

/// Whether the operand comes from `drop_deinit`, copies and borrows looked through.
fn is_without_deinit(checker: &Checker<'_, '_>, operand: usize) -> bool {
    let body = checker.scope.body;
    let mut value = checker.operands[operand];
    // A value that depends on itself is reported elsewhere.
    for _ in 0..body.values.len() {
        let Some(maker) = body.defining(value) else { return false };
        match (body.instructions[maker].opcode, body.operands(maker).first()) {
            (Opcode::DropDeinit, _) => return true,
            (Opcode::MoveValue | Opcode::CopyValue | Opcode::BeginBorrow, Some(operand)) => value = *operand,
            _ => return false,
        }
    }
    false
}

fn destructure_tuple(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let Some(elements) = checker.queries().tuple_element_types(checker.ty(operand).ty) else {
        checker.require_operand(operand, false, "a tuple");
        return;
    };
    expect_results(checker, &elements);
}

fn expect_results(checker: &mut Checker<'_, '_>, expected: &[sil_ir::context::TypeId]) {
    let results: Vec<SilType> =
        checker.scope.body.results(checker.id).map(|value| checker.scope.body.ty(value)).collect();
    let name = checker.name();
    if results.len() != expected.len() {
        let (expected, found) = (expected.len(), results.len());
        checker.fail("result-count", format!("`{name}` has one result per part: {expected}, not {found}"));
        return;
    }
    for (index, (expected, found)) in expected.iter().zip(results).enumerate() {
        let expected = SilType::object(*expected);
        if !checker.same(expected, found) {
            let (expected, found) = (checker.scope.show(expected), checker.scope.show(found));
            checker.fail(
                "result-type",
                format!("result {} of `{name}` must have type `{expected}`, not `{found}`", index + 1),
            );
        }
    }
}

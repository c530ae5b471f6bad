//! Allocation and deallocation.

use sil_ir::context::{BuiltinType, MetatypeRepresentation, SilType, Type};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::families::Allocation;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{
    self, BeginDeallocRef, DeallocPartialRef, GlobalReference, GlobalUse, Leading, ProjectBox, Unary,
};
use sil_ir::model::{Global, Serialization};
use sil_ir::types::ExistentialKind;

use super::{Checker, Rules};
use crate::failures::BrokenRule;
use crate::linkage::{self, LinkageRules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Allocation) -> Option<Rules> {
    use Allocation::*;
    let rules: Rules = match opcode {
        AllocRef => alloc_ref,
        AllocRefDynamic => alloc_ref_dynamic,
        AllocBox => box_result,
        AllocGlobal => global_exists,
        AllocExistentialBox => existential_box,
        DeallocStack => |checker| dealloc(checker, "alloc_stack"),
        DeallocPack => |checker| dealloc(checker, "alloc_pack"),
        DeallocPackMetadata => |checker| dealloc(checker, "alloc_pack_metadata"),
        DeallocStackRef => |checker| {
            let Unary { operand } = checker.view();
            let made = is_allocated_object(checker, operand);
            let undef = checker.is_undef(operand);
            checker.require(made || undef, "dealloc-source", || {
                "operand 1 of `dealloc_stack_ref` must be an `alloc_ref [stack]`".into()
            });
        },
        DeallocRef => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                let class = checker.queries().is_class(checker.ty(operand).ty);
                checker.require_operand(operand, class, "an object of a class");
            }
        },
        DeallocPartialRef => dealloc_partial_ref,
        DeallocBox => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                let is_box = matches!(checker.operand(operand), Type::Box(_));
                checker.require_operand(operand, is_box, "a box");
            }
        },
        DeallocExistentialBox => |checker| {
            let views::DeallocExistentialBox { operand, .. } = checker.view();
            if checker.object(operand) {
                super::existentials::require_boxed(checker, operand);
            }
        },
        BeginDeallocRef => begin_dealloc_ref,
        EndInitLetRef => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                checker.expect_result(checker.ty(operand));
            }
        },
        ProjectBox => project_box,
        ProjectExistentialBox => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                super::existentials::require_boxed(checker, operand);
            }
        },
        AllocVector => |checker| {
            let views::AllocVector { capacity, .. } = checker.view();
            require_integer(checker, capacity);
        },
        AllocStack | AllocPack | AllocPackMetadata => return None,
    };
    Some(rules)
}

fn alloc_ref(checker: &mut Checker<'_, '_>) {
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let class = queries
        .declaration_of(result.ty)
        .is_some_and(|declaration| matches!(declaration.kind, NominalKind::Class | NominalKind::Actor));
    let objc = checker.instruction.attributes.contains(Attribute::ObjC);
    let name = checker.name();
    let known = checker.is_known(result.ty);
    checker.require(class || objc || !known, "result-type", || format!("`{name}` allocates an object of a class"));
    let views::AllocRef { tail_counts: Leading(counts), .. } = checker.view();
    counts.for_each(|count| require_integer(checker, count));
}

fn alloc_ref_dynamic(checker: &mut Checker<'_, '_>) {
    let views::AllocRefDynamic { tail_counts: Leading(counts), metatype, .. } = checker.view();
    counts.for_each(|count| require_integer(checker, count));
    require_metatype(checker, metatype);
}

/// A builtin integer of any width.
pub(super) fn require_integer(checker: &mut Checker<'_, '_>, operand: usize) {
    if !checker.object(operand) {
        return;
    }
    let integer = matches!(checker.operand(operand), Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word));
    checker.require_operand(operand, integer, "a builtin integer");
}

fn require_metatype(checker: &mut Checker<'_, '_>, operand: usize) {
    if !checker.object(operand) {
        return;
    }
    let objc = checker.instruction.attributes.contains(Attribute::ObjC);
    let expected = if objc { MetatypeRepresentation::ObjC } else { MetatypeRepresentation::Thick };
    let fits = match checker.operand(operand) {
        Type::Metatype { representation, .. } | Type::ExistentialMetatype { representation, .. } => {
            *representation == Some(expected)
        }
        _ => false,
    };
    let what = if objc { "an `@objc_metatype`" } else { "a `@thick` metatype" };
    checker.require_operand(operand, fits, what);
}

fn box_result(checker: &mut Checker<'_, '_>) {
    let Some(result) = checker.result() else { return };
    let is_box = matches!(checker.queries().get(result.ty), Type::Box(_));
    let known = checker.is_known(result.ty);
    checker.require(is_box || !known, "result-type", || "`alloc_box` makes a box, such as `${ var Int }`".into());
}

/// Only `any Error` is a box.
fn existential_box(checker: &mut Checker<'_, '_>) {
    let existential = checker.scope.body.types(checker.id).first().copied().or(checker.result());
    let Some(existential) = existential else { return };
    let queries = checker.queries();
    let boxed = match queries.get(existential.ty) {
        Type::Existential(_) | Type::Protocol { .. } | Type::Composition(_) => {
            queries.existential_kind(existential.ty) == ExistentialKind::Error
        }
        _ => true,
    };
    let shown = checker.scope.show(existential);
    checker.require(boxed, "existential-kind", || {
        format!("`alloc_existential_box` needs an existential that is a box, such as `any Error`, not `{shown}`")
    });
}

fn global_exists(checker: &mut Checker<'_, '_>) {
    let GlobalUse { global: GlobalReference { name, id } } = checker.view();
    let module = checker.scope.module;
    match id {
        Some(id) => require_visible_global(checker, &module.globals[id]),
        None => {
            let name = module.context.text(name).to_owned();
            checker.fail("unknown-global", format!("the module has no global `@{name}`"));
        }
    }
}

/// A global that a serialized body names must be visible to clients as well.
pub(super) fn require_visible_global(checker: &mut Checker<'_, '_>, global: &Global) {
    let module = checker.scope.module;
    let serialized = checker.scope.function.serialization != Serialization::None;
    if !serialized || checker.scope.linkage == LinkageRules::Embedded || linkage::may_name_global(global) {
        return;
    }
    let message =
        format!("a serialized function cannot name `@{}`: clients do not see it", module.context.text(global.name));
    let diagnostic = Diagnostic::error("serialized-reference", message, checker.instruction.span);
    checker.scope.report(diagnostic.note("the global is declared here", Some(global.span)));
}

fn dealloc(checker: &mut Checker<'_, '_>, allocation: &str) {
    let Unary { operand } = checker.view();
    if checker.is_undef(operand) {
        return;
    }
    let made = checker.maker(operand).is_some_and(|maker| match maker.opcode {
        Opcode::PartialApply => maker.attributes.contains(Attribute::OnStack),
        Opcode::BeginApply => true,
        opcode => opcode.name() == allocation,
    });
    let name = checker.name();
    if !made {
        let message = format!("operand 1 of `{name}` must be what an `{allocation}` made");
        match checker.instruction.opcode {
            Opcode::DeallocPackMetadata => {
                checker.fail_at_operand_as(BrokenRule::PackMetadataOperand, operand, "dealloc-source", message);
            }
            _ => checker.fail_at_operand(operand, "dealloc-source", message),
        }
    }
}

fn dealloc_partial_ref(checker: &mut Checker<'_, '_>) {
    let DeallocPartialRef { object, metatype } = checker.view();
    if !checker.object(object) {
        return;
    }
    let queries = checker.queries();
    let class = checker.ty(object).ty;
    checker.require_operand(object, queries.is_class(class), "an object of a class");
    let Type::Metatype { instance, .. } = *checker.operand(metatype) else {
        checker.require_operand(metatype, false, "the metatype of a class");
        return;
    };
    let declaration = queries.as_nominal(instance).map(|nominal| nominal.declaration);
    let related = declaration.is_some_and(|declaration| queries.ancestor_declared_by(class, declaration).is_some());
    checker.require_operand(metatype, related, "the metatype of the object's class or of a superclass");
}

/// Whether an `alloc_ref` or `alloc_ref_dynamic` makes the operand.
fn is_allocated_object(checker: &Checker<'_, '_>, operand: usize) -> bool {
    checker.maker(operand).is_some_and(|maker| matches!(maker.opcode, Opcode::AllocRef | Opcode::AllocRefDynamic))
}

fn begin_dealloc_ref(checker: &mut Checker<'_, '_>) {
    let BeginDeallocRef { object, allocation } = checker.view();
    if !checker.object(object) {
        return;
    }
    checker.expect_result(checker.ty(object));
    let made = is_allocated_object(checker, allocation);
    if !made {
        checker.fail_at_operand(
            allocation,
            "dealloc-source",
            "operand 2 of `begin_dealloc_ref` must be an `alloc_ref`",
        );
    }
}

fn project_box(checker: &mut Checker<'_, '_>) {
    let ProjectBox { operand, field: index } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let is_box = matches!(checker.operand(operand), Type::Box(_));
    if !checker.require_operand(operand, is_box, "a box") || !is_box {
        return;
    }
    match checker.queries().box_field_type(checker.ty(operand).ty, index) {
        Some(field) => {
            checker.expect_result(SilType::address(field));
        }
        None => checker.fail("field-index", format!("the box has no field {index}")),
    }
}

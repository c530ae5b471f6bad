//! Allocation and deallocation.

use super::{Checker, Rules};
use crate::context::{BuiltinType, MetatypeRepresentation, SilType, Type};
use crate::declarations::NominalKind;
use crate::diagnostic::Diagnostic;
use crate::instructions::families::Allocation;
use crate::instructions::{Attribute, Opcode};
use crate::model::{Details, Global, Serialization};
use crate::types::ExistentialKind;
use crate::verify::linkage::{self, LinkageRules};

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: Allocation) -> Option<Rules> {
    use Allocation::*;
    let rules: Rules = match opcode {
        AllocRef | AllocRefDynamic => alloc_ref,
        AllocBox => box_result,
        AllocGlobal => global_exists,
        AllocExistentialBox => existential_box,
        DeallocStack => |checker| dealloc(checker, "alloc_stack"),
        DeallocPack => |checker| dealloc(checker, "alloc_pack"),
        DeallocPackMetadata => |checker| dealloc(checker, "alloc_pack_metadata"),
        DeallocStackRef => |checker| {
            if checker.takes(1) {
                let made = is_allocated_object(checker, 0);
                let undef = checker.is_undef(0);
                checker.require(made || undef, "dealloc-source", || {
                    "operand 1 of `dealloc_stack_ref` must be an `alloc_ref [stack]`".into()
                });
            }
        },
        DeallocRef => |checker| {
            if checker.takes(1) && checker.object(0) {
                let class = checker.queries().is_class(checker.ty(0).ty);
                checker.require_operand(0, class, "an object of a class");
            }
        },
        DeallocPartialRef => dealloc_partial_ref,
        DeallocBox => |checker| {
            if checker.takes(1) && checker.object(0) {
                let is_box = matches!(checker.operand(0), Type::Box(_));
                checker.require_operand(0, is_box, "a box");
            }
        },
        DeallocExistentialBox => |checker| {
            if checker.takes(1) && checker.object(0) {
                super::existentials::require_boxed(checker, 0);
            }
        },
        BeginDeallocRef => begin_dealloc_ref,
        EndInitLetRef => |checker| {
            if checker.takes(1) && checker.object(0) {
                checker.expect_result(checker.ty(0));
            }
        },
        ProjectBox => project_box,
        ProjectExistentialBox => |checker| {
            if checker.takes(1) && checker.object(0) {
                super::existentials::require_boxed(checker, 0);
            }
        },
        AllocStack | AllocVector | AllocPack | AllocPackMetadata => return None,
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
    if checker.instruction.opcode == Opcode::AllocRef {
        checker.require(class || objc || !known, "result-type", || format!("`{name}` allocates an object of a class"));
    }
    if let Details::TailElements(count) = checker.instruction.details {
        for operand in 0..(count as usize).min(checker.operands.len()) {
            require_integer(checker, operand);
        }
        if checker.instruction.opcode == Opcode::AllocRefDynamic && checker.operands.len() > count as usize {
            require_metatype(checker, count as usize);
        }
    }
}

/// A builtin integer of any width.
pub(super) fn require_integer(checker: &mut Checker<'_, '_>, operand: usize) {
    let integer = matches!(checker.operand(operand), Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word));
    checker.require_operand(operand, integer, "a builtin integer");
}

fn require_metatype(checker: &mut Checker<'_, '_>, operand: usize) {
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
    let Details::Global(name, id) = checker.instruction.details else { return };
    let module = checker.scope.module;
    match id {
        Some(id) => require_visible_global(checker, &module.globals[id]),
        None => {
            let name = module.context.text(name).to_owned();
            checker.fail("unknown-global", format!("the module has no global `@{name}`"));
        }
    }
}

/// What a serialized body names must be there for clients as well.
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
    if !checker.takes(1) || checker.is_undef(0) {
        return;
    }
    let made = checker.maker(0).is_some_and(|maker| match maker.opcode {
        Opcode::PartialApply => maker.attributes.contains(Attribute::OnStack),
        Opcode::BeginApply => true,
        opcode => opcode.name() == allocation,
    });
    let name = checker.name();
    if !made {
        checker.fail_at_operand(
            0,
            "dealloc-source",
            format!("operand 1 of `{name}` must be what an `{allocation}` made"),
        );
    }
}

fn dealloc_partial_ref(checker: &mut Checker<'_, '_>) {
    if !checker.takes(2) || !checker.object(0) {
        return;
    }
    let queries = checker.queries();
    let object = checker.ty(0).ty;
    checker.require_operand(0, queries.is_class(object), "an object of a class");
    let Type::Metatype { instance, .. } = *checker.operand(1) else {
        checker.require_operand(1, false, "the metatype of a class");
        return;
    };
    let declaration = queries.as_nominal(instance).map(|nominal| nominal.declaration);
    let related = declaration.is_some_and(|declaration| queries.ancestor_declared_by(object, declaration).is_some());
    checker.require_operand(1, related, "the metatype of the object's class or of a superclass");
}

/// Whether an `alloc_ref` or `alloc_ref_dynamic` makes the operand.
fn is_allocated_object(checker: &Checker<'_, '_>, operand: usize) -> bool {
    checker.maker(operand).is_some_and(|maker| matches!(maker.opcode, Opcode::AllocRef | Opcode::AllocRefDynamic))
}

fn begin_dealloc_ref(checker: &mut Checker<'_, '_>) {
    if !checker.takes(2) || !checker.object(0) {
        return;
    }
    checker.expect_result(checker.ty(0));
    let made = is_allocated_object(checker, 1);
    if !made {
        checker.fail_at_operand(1, "dealloc-source", "operand 2 of `begin_dealloc_ref` must be an `alloc_ref`");
    }
}

fn project_box(checker: &mut Checker<'_, '_>) {
    if !checker.takes(1) || !checker.object(0) {
        return;
    }
    let is_box = matches!(checker.operand(0), Type::Box(_));
    let Details::Index(index) = checker.instruction.details else { return };
    if !checker.require_operand(0, is_box, "a box") || !is_box {
        return;
    }
    match checker.queries().box_field_type(checker.ty(0).ty, index) {
        Some(field) => {
            checker.expect_result(SilType::address(field));
        }
        None => checker.fail("field-index", format!("the box has no field {index}")),
    }
}

//! Loads, stores, copies, addresses and formal accesses.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::families::Memory;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, BeginUnpairedAccess, CopyAddr, GlobalReference, OperandSequence, Store, Unary};
use sil_ir::model::{AddressLowering, Value};

use super::{Checker, Rules};
use crate::checker::OwnershipForm;
use crate::failures::{BrokenRule, Complaint};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Memory) -> Option<Rules> {
    use Memory::*;
    let rules: Rules = match opcode {
        Load | LoadBorrow => load,
        Store | StoreBorrow | Assign => store,
        CopyAddr | ExplicitCopyAddr | MarkUnresolvedMoveAddr => copy_addr,
        DestroyAddr => |checker| {
            let Unary { operand } = checker.view();
            checker.address(operand);
        },
        IndexAddr => |checker| {
            let views::IndexAddr { base, index } = checker.view();
            if checker.address(base) {
                checker.expect_result(checker.ty(base));
                super::allocation::require_integer(checker, index);
            }
        },
        TailAddr => |checker| {
            let views::TailAddr { base, count, .. } = checker.view();
            if checker.address(base) {
                super::allocation::require_integer(checker, count);
            }
        },
        VectorBaseAddr => vector_base_address,
        IndexRawPointer => |checker| {
            let views::IndexAddr { base, index } = checker.view();
            expect_builtin(checker, base, BuiltinType::RawPointer);
            super::allocation::require_integer(checker, index);
        },
        BindMemory => |checker| {
            let views::BindMemory { base, count } = checker.view();
            expect_builtin(checker, base, BuiltinType::RawPointer);
            expect_builtin(checker, count, BuiltinType::Word);
        },
        RebindMemory => |checker| {
            let views::RebindMemory { base, token } = checker.view();
            expect_builtin(checker, base, BuiltinType::RawPointer);
            expect_builtin(checker, token, BuiltinType::Word);
        },
        BeginAccess => begin_access,
        EndAccess => end_access,
        BeginUnpairedAccess => unpaired_access,
        EndUnpairedAccess => |checker| {
            let Unary { operand } = checker.view();
            access_buffer(checker, operand);
            require_known_enforcement(checker);
        },
        MarkUninitialized => mark_uninitialized,
        GlobalAddr => |checker| {
            let views::GlobalAddr { global, .. } = checker.view();
            global_reference(checker, global);
        },
        GlobalValue => |checker| {
            let views::GlobalUse { global } = checker.view();
            global_reference(checker, global);
        },
        MarkFunctionEscape => |checker| {
            let OperandSequence { operands } = checker.view();
            for operand in operands {
                checker.address(operand);
            }
        },
        AssignByWrapper | AssignOrInit | TupleAddrConstructor | BaseAddrForOffset | Vector => return None,
    };
    Some(rules)
}

fn vector_base_address(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    if !checker.address(operand) {
        return;
    }
    let element = checker.queries().vector_element(checker.ty(operand).ty);
    checker.require_operand(operand, element.is_some(), "the address of a `Builtin.FixedArray`");
    if let Some(element) = element {
        checker.expect_result(SilType::address(element));
    }
}

/// The operand must have this builtin type.
pub(super) fn expect_builtin(checker: &mut Checker<'_, '_>, operand: usize, builtin: BuiltinType) -> bool {
    if *checker.operand(operand) == Type::Builtin(builtin) && !checker.ty(operand).is_address() {
        return true;
    }
    let ty = SilType::object(checker.queries().context.ty(Type::Builtin(builtin)));
    checker.expect(operand, ty)
}

fn load(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    if !checker.address(operand) {
        return;
    }
    let ty = checker.ty(operand).ty;
    checker.expect_result(SilType::object(ty));
    require_loadable(checker, ty);
    require_qualifier_fits(checker, ty, &[Attribute::Copy, Attribute::Take]);
    if checker.instruction.attributes.contains(Attribute::Copy) {
        require_copyable(checker, ty);
    }
}

/// Loads and stores of trivial values have `[trivial]`; those of others have the qualifier of their ownership.
fn require_qualifier_fits(checker: &mut Checker<'_, '_>, ty: sil_ir::context::TypeId, owning: &[Attribute]) {
    if checker.scope.ownership == OwnershipForm::Lowered {
        return;
    }
    let properties = checker.scope.properties(ty);
    if properties.knowledge != sil_ir::types::Knowledge::Certain || properties.is_address_only() {
        return;
    }
    let attributes = checker.instruction.attributes;
    let name = checker.name();
    let shown = checker.scope.show(SilType::object(ty));
    if properties.is_trivial() {
        if let Some(found) = owning.iter().find(|attribute| attributes.contains(**attribute)) {
            let found = found.name();
            checker.fail(
                "ownership-qualifier",
                format!("`{name} [{found}]` needs a type with ownership, but `{shown}` is trivial"),
            );
        }
    } else if attributes.contains(Attribute::Trivial) && checker.instruction.opcode != Opcode::Store {
        // A stored value may have no ownership though its type is not trivial: that is a question to the value.
        checker.fail("ownership-qualifier", format!("`{name} [trivial]` needs a trivial type, but `{shown}` is not"));
    }
}

fn require_loadable(checker: &mut Checker<'_, '_>, ty: sil_ir::context::TypeId) {
    if checker.scope.module.address_lowering == AddressLowering::Opaque {
        return;
    }
    let properties = checker.scope.properties(ty);
    if properties.is_address_only() && properties.knowledge == sil_ir::types::Knowledge::Certain {
        let (name, ty) = (checker.name(), checker.scope.show(SilType::object(ty)));
        checker
            .fail("not-loadable", format!("`{name}` needs a type that can be loaded, but `{ty}` lives only in memory"));
    }
}

/// Only raw SIL may copy values that cannot be copied: diagnostics follow.
pub(super) fn require_copyable(checker: &mut Checker<'_, '_>, ty: sil_ir::context::TypeId) {
    let properties = checker.scope.properties(ty);
    let noncopyable = properties.copyability == sil_ir::types::Copyability::Noncopyable;
    if noncopyable && !checker.scope.is_raw() {
        let (name, ty) = (checker.name(), checker.scope.show(SilType::object(ty)));
        checker.fail("copy-of-noncopyable", format!("`{name}` copies a value of the noncopyable type `{ty}`"));
    }
}

fn store(checker: &mut Checker<'_, '_>) {
    let Store { source, destination } = checker.view();
    if !checker.object(source) || !checker.address(destination) {
        return;
    }
    let source = checker.ty(source);
    checker.expect(destination, SilType::address(source.ty));
    if checker.instruction.opcode == Opcode::Store {
        require_loadable(checker, source.ty);
        require_qualifier_fits(checker, source.ty, &[Attribute::Init, Attribute::Assign]);
    }
    if checker.instruction.opcode == Opcode::StoreBorrow && !is_stack_memory(checker, destination) {
        checker.fail_at_operand_as(
            BrokenRule::StoredBorrowDestination,
            destination,
            "store-borrow-destination",
            "`store_borrow` must store to an `alloc_stack`",
        );
    } else if checker.instruction.opcode == Opcode::StoreBorrow {
        borrowed_memory(checker, checker.operands[destination]);
    }
}

/// The uses of memory that holds a borrowed value, besides borrowing.
fn borrowed_memory(checker: &mut Checker<'_, '_>, address: Value) {
    let body = checker.scope.body;
    for block in body.blocks.keys() {
        for user in body.instructions_in(block) {
            let opcode = body.instructions[user].opcode;
            if !matches!(opcode, Opcode::StoreBorrow | Opcode::DeallocStack) && body.operands(user).contains(&address) {
                let message = format!("`{}` uses memory of a `store_borrow` other than by its result", opcode.name());
                let diagnostic = Diagnostic::error("store-borrow-destination", message, body.instructions[user].span);
                let span = Some(checker.instruction.span);
                let complaint = Complaint::Rule { broken: BrokenRule::StoredBorrowUse, at: checker.id };
                checker.scope.report_as(complaint, diagnostic.note("the `store_borrow` is here", span));
            }
        }
    }
}

/// Whether the operand is an `alloc_stack`, marked as noncopyable or not.
fn is_stack_memory(checker: &Checker<'_, '_>, operand: usize) -> bool {
    let body = checker.scope.body;
    let Some(mut maker) = body.defining(checker.operands[operand]) else { return false };
    if body.instructions[maker].opcode == Opcode::MarkUnresolvedNonCopyableValue {
        let marked = body.operands(maker).first().and_then(|value| body.defining(*value));
        maker = marked.unwrap_or(maker);
    }
    body.instructions[maker].opcode == Opcode::AllocStack
}

fn copy_addr(checker: &mut Checker<'_, '_>) {
    let CopyAddr { source, destination } = checker.view();
    if !checker.address(source) || !checker.address(destination) {
        return;
    }
    let source = checker.ty(source);
    if checker.is_known(source.ty) {
        checker.expect(destination, source);
    }
    if checker.instruction.opcode == Opcode::CopyAddr && !checker.instruction.attributes.contains(Attribute::Take) {
        require_copyable(checker, source.ty);
    }
}

fn begin_access(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    if !checker.address(operand) {
        return;
    }
    checker.expect_result(checker.ty(operand));
    require_known_enforcement(checker);
    let attributes = checker.instruction.attributes;
    if attributes.contains(Attribute::Init) && attributes.contains(Attribute::Dynamic) {
        checker.fail("access-enforcement", "an access that initializes must be `[static]`");
    }
}

fn require_known_enforcement(checker: &mut Checker<'_, '_>) {
    if checker.instruction.attributes.contains(Attribute::Unknown) && !checker.scope.is_raw() {
        checker
            .fail("access-enforcement", "an access must be `[static]` or `[dynamic]` outside raw SIL, not `[unknown]`");
    }
}

fn end_access(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    let begin = checker.maker(operand);
    let Some(begin) = begin.filter(|maker| maker.opcode == Opcode::BeginAccess) else {
        checker.fail_at_operand(operand, "access-scope", "operand 1 of `end_access` must be a `begin_access`");
        return;
    };
    let aborts = checker.instruction.attributes.contains(Attribute::Abort);
    let may_abort = begin.attributes.contains(Attribute::Init) || begin.attributes.contains(Attribute::Deinit);
    if aborts && !may_abort {
        checker.fail_at_operand(
            operand,
            "access-scope",
            "only an `[init]` or `[deinit]` access can be ended with `[abort]`",
        );
    }
}

fn unpaired_access(checker: &mut Checker<'_, '_>) {
    let BeginUnpairedAccess { operand, buffer } = checker.view();
    if checker.address(operand) {
        access_buffer(checker, buffer);
        require_known_enforcement(checker);
    }
}

/// Where the access is remembered between its beginning and its end.
fn access_buffer(checker: &mut Checker<'_, '_>, operand: usize) {
    let buffer = checker.queries().context.ty(Type::Builtin(BuiltinType::UnsafeValueBuffer));
    checker.expect(operand, SilType::address(buffer));
}

fn mark_uninitialized(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    let ty = checker.ty(operand);
    let fits = ty.is_address() || checker.queries().is_class(ty.ty) || matches!(checker.operand(operand), Type::Box(_));
    checker.require_operand(operand, fits, "an address, an object or a box");
    checker.expect_result(ty);
}

fn global_reference(checker: &mut Checker<'_, '_>, GlobalReference { name, id }: GlobalReference) {
    let module = checker.scope.module;
    let Some(id) = id else {
        let name = module.context.text(name);
        checker.fail("unknown-global", format!("the module has no global `@{name}`"));
        return;
    };
    let global = &module.globals[id];
    let Some(found) = checker.result() else { return };
    let expected = SilType { ty: global.ty, category: found.category };
    if !checker.same(expected, found) {
        let (name, expected, found) = (checker.name(), checker.scope.show(expected), checker.scope.show(found));
        let message = format!("the result of `{name}` must have the global's type `{expected}`, not `{found}`");
        let diagnostic = Diagnostic::error("result-type", message, checker.instruction.span);
        checker.scope.report(diagnostic.note("the global is declared here", Some(global.span)));
    }
    super::allocation::require_visible_global(checker, global);
    let is_object = global.initializer.as_ref().is_some_and(|body| {
        body.instructions.values().last().is_some_and(|instruction| instruction.opcode == Opcode::Object)
    });
    if is_object && checker.instruction.opcode == Opcode::GlobalAddr {
        checker.fail(
            "object-global",
            "a global that is initialized as an object is taken by `global_value`, not by `global_addr`",
        );
    }
}

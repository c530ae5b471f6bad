//! Parameter packs: indices into packs and the elements there.

use sil_ir::context::{BuiltinType, SilType, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::families::Packs;
use sil_ir::model::Details;
use sil_ir::model::views::{self, PackElement};

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Packs) -> Option<Rules> {
    use Packs::*;
    let rules: Rules = match opcode {
        OpenPackElement => |checker| {
            let views::OpenPackElement { index, .. } = checker.view();
            if super::memory::expect_builtin(checker, index, BuiltinType::PackIndex) {
                pack_index(checker, index);
            }
        },
        DynamicPackIndex => |checker| {
            let views::DynamicPackIndex { index, .. } = checker.view();
            super::memory::expect_builtin(checker, index, BuiltinType::Word);
            indexed_pack(checker);
        },
        PackPackIndex => |checker| {
            let views::PackPackIndex { index, .. } = checker.view();
            pack_index(checker, index);
            component(checker);
        },
        ScalarPackIndex => |checker| {
            if let Some(component) = component(checker) {
                let expansion = matches!(checker.queries().get(component), Type::PackExpansion { .. });
                checker.require(!expansion, "pack-index", || {
                    "`scalar_pack_index` must lead to one element, not to a pack expansion".into()
                });
            }
        },
        PackElementGet => |checker| {
            let PackElement { index, pack: whole } = checker.view();
            pack_index(checker, index);
            pack(checker, whole);
            if let Some(result) = checker.result() {
                scalar_element(checker, index, whole, result);
            }
            let address = checker.result().is_none_or(SilType::is_address);
            checker.require(address, "result-type", || "the result of `pack_element_get` must be an address".into());
        },
        PackElementSet => |checker| {
            let views::PackElementSet { value, index, pack: whole } = checker.view();
            checker.address(value);
            pack_index(checker, index);
            pack(checker, whole);
            scalar_element(checker, index, whole, checker.ty(value));
        },
        TuplePackElementAddr => |checker| {
            let PackElement { index, pack: tuple } = checker.view();
            pack_index(checker, index);
            if checker.address(tuple) {
                let is_tuple = matches!(checker.operand(tuple), Type::Tuple(_));
                checker.require_operand(tuple, is_tuple, "a tuple's address");
                if let Some(result) = checker.result() {
                    scalar_element(checker, index, tuple, result);
                }
            }
        },
        TuplePackExtract => |checker| {
            let PackElement { index, pack: tuple } = checker.view();
            pack_index(checker, index);
            if checker.object(tuple) {
                let is_tuple = matches!(checker.operand(tuple), Type::Tuple(_));
                checker.require_operand(tuple, is_tuple, "a tuple");
            }
        },
        PackLength => |checker| {
            indexed_pack(checker);
        },
    };
    Some(rules)
}

/// The operand must be made by an instruction that makes an index into a pack.
fn pack_index(checker: &mut Checker<'_, '_>, operand: usize) {
    use Opcode::{DynamicPackIndex, PackPackIndex, ScalarPackIndex};
    if checker.is_undef(operand) {
        return;
    }
    let made = checker
        .maker(operand)
        .is_some_and(|maker| matches!(maker.opcode, DynamicPackIndex | PackPackIndex | ScalarPackIndex));
    let name = checker.name();
    if !made {
        let message = format!(
            "operand {} of `{name}` must be a `dynamic_pack_index`, `pack_pack_index` or `scalar_pack_index`",
            operand + 1
        );
        checker.fail_at_operand(operand, "pack-index", message);
    }
}

/// The element at a `scalar_pack_index` in a pack or tuple has the type of that element.
fn scalar_element(checker: &mut Checker<'_, '_>, index: usize, whole: usize, found: SilType) {
    let body = checker.scope.body;
    let Some(maker) = body.defining(checker.operands[index]) else { return };
    if body.instructions[maker].opcode != Opcode::ScalarPackIndex {
        return;
    }
    let queries = checker.queries();
    let elements: Vec<TypeId> = match checker.operand(whole) {
        Type::Pack { elements, .. } => elements.to_vec(),
        Type::Tuple(elements) => elements.iter().map(|element| element.ty).collect(),
        _ => return,
    };
    let named = Checker::new(checker.scope, maker);
    let (Some(number), Some(indexed)) = (named.component_number(), named.written_pack()) else { return };
    let Type::Pack { elements: indexed, .. } = queries.get(indexed) else { return };
    let name = checker.name();
    if indexed.len() != elements.len() {
        let message =
            format!("the index of `{name}` is one into {} components, but there are {}", indexed.len(), elements.len());
        return checker.fail_at_operand(index, "pack-index", message);
    }
    let Some(expected) = elements.get(number as usize).map(|ty| SilType::address(*ty)) else { return };
    if !checker.same(expected, SilType::address(found.ty)) {
        let (expected, found) = (checker.scope.show(expected), checker.scope.show(found));
        checker.fail("pack-element", format!("the element has type `{expected}`, not `{found}`"));
    }
}

fn pack(checker: &mut Checker<'_, '_>, operand: usize) {
    if checker.address(operand) {
        let pack = matches!(checker.operand(operand), Type::Pack { .. });
        checker.require_operand(operand, pack, "a pack's address");
    }
}

/// The pack type that the instruction writes.
fn indexed_pack<'m>(checker: &mut Checker<'_, 'm>) -> Option<&'m [TypeId]> {
    let ty = checker.written_pack()?;
    match checker.queries().get(ty) {
        Type::Pack { elements, .. } => Some(elements),
        Type::Unresolved { .. } => None,
        _ => {
            let (name, shown) = (checker.name(), checker.scope.show(SilType::object(ty)));
            checker.fail("pack-type", format!("`{name}` needs a pack type, not `{shown}`"));
            None
        }
    }
}

/// The component of the pack that the instruction names.
fn component(checker: &mut Checker<'_, '_>) -> Option<TypeId> {
    let index = checker.component_number()?;
    let elements = indexed_pack(checker)?;
    let found = elements.get(index as usize).copied();
    let (name, count) = (checker.name(), elements.len());
    checker.require(found.is_some(), "pack-index", || {
        format!("`{name}` names component {index} of a pack that has {count}")
    });
    found
}

impl Checker<'_, '_> {
    fn written_pack(&self) -> Option<TypeId> {
        self.scope.body.types(self.id).first().map(|ty| ty.ty)
    }

    fn component_number(&self) -> Option<u32> {
        match &self.instruction.details {
            Details::Index(index) => Some(*index),
            _ => None,
        }
    }
}

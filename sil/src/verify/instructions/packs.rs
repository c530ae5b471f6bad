//! Parameter packs: indices into packs and what they lead to.

use super::Checker;
use crate::context::TypeId;
use crate::instructions::Opcode;
use crate::model::Details;
use crate::types::{BuiltinType, SilType, Type};

pub(super) fn verify(checker: &mut Checker<'_, '_>) {
    use Opcode::*;
    let opcode = checker.instruction.opcode;
    match opcode {
        OpenPackElement if checker.takes(1) => {
            if super::memory::expect_builtin(checker, 0, BuiltinType::PackIndex) {
                pack_index(checker, 0);
            }
        }
        DynamicPackIndex if checker.takes(1) => {
            super::memory::expect_builtin(checker, 0, BuiltinType::Word);
            indexed_pack(checker);
        }
        PackPackIndex if checker.takes(1) => {
            pack_index(checker, 0);
            component(checker);
        }
        ScalarPackIndex => {
            if let Some(component) = component(checker) {
                let expansion = matches!(checker.queries().get(component), Type::PackExpansion { .. });
                checker.require(!expansion, "pack-index", || {
                    "`scalar_pack_index` must lead to one element, not to a pack expansion".into()
                });
            }
        }
        PackElementGet if checker.takes(2) => {
            pack_index(checker, 0);
            pack(checker, 1);
            let address = checker.result().is_none_or(SilType::is_address);
            checker.require(address, "result-type", || "the result of `pack_element_get` must be an address".into());
        }
        PackElementSet if checker.takes(3) => {
            checker.address(0);
            pack_index(checker, 1);
            pack(checker, 2);
        }
        TuplePackElementAddr if checker.takes(2) => {
            pack_index(checker, 0);
            if checker.address(1) {
                let tuple = matches!(checker.operand(1), Type::Tuple(_));
                checker.require_operand(1, tuple, "a tuple's address");
            }
        }
        TuplePackExtract if checker.takes(2) => {
            pack_index(checker, 0);
            if checker.object(1) {
                let tuple = matches!(checker.operand(1), Type::Tuple(_));
                checker.require_operand(1, tuple, "a tuple");
            }
        }
        PackLength => {
            indexed_pack(checker);
        }
        _ => {}
    }
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

fn pack(checker: &mut Checker<'_, '_>, operand: usize) {
    if checker.address(operand) {
        let pack = matches!(checker.operand(operand), Type::Pack { .. });
        checker.require_operand(operand, pack, "a pack's address");
    }
}

/// The pack type that the instruction writes.
fn indexed_pack<'m>(checker: &mut Checker<'_, 'm>) -> Option<&'m [TypeId]> {
    let body = checker.scope.body;
    let ty = match &checker.instruction.details {
        Details::PackIndex(index) => index.pack,
        _ => None,
    };
    let ty = ty.or_else(|| body.types(checker.id).first().map(|ty| ty.ty))?;
    match checker.queries().get(ty) {
        Type::Pack { elements, .. } => Some(elements),
        Type::Unresolved(_) => None,
        _ => {
            let (name, shown) = (checker.name(), checker.scope.show(SilType::object(ty)));
            checker.fail("pack-type", format!("`{name}` needs a pack type, not `{shown}`"));
            None
        }
    }
}

/// The component of the pack that the instruction names.
fn component(checker: &mut Checker<'_, '_>) -> Option<TypeId> {
    let index = match &checker.instruction.details {
        Details::Index(index) => Some(*index),
        Details::PackIndex(index) => index.index,
        _ => None,
    }?;
    let elements = indexed_pack(checker)?;
    let found = elements.get(index as usize).copied();
    let (name, count) = (checker.name(), elements.len());
    checker.require(found.is_some(), "pack-index", || {
        format!("`{name}` names component {index} of a pack that has {count}")
    });
    found
}

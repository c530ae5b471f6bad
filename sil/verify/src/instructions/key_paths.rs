//! Key paths: their type, and the requirements of each component.

use sil_ir::context::{MemberId, Name, Representation, SilType, Type, TypeId};
use sil_ir::instructions::families::KeyPaths;
use sil_ir::model::views::KeyPathPattern;
use sil_ir::model::{KeyPath, KeyPathComponentKind, Serialization};

use super::{Checker, Rules};
use crate::linkage::{self, LinkageRules};

/// The rules of each instruction of the family.
pub(super) fn rules(opcode: KeyPaths) -> Option<Rules> {
    match opcode {
        KeyPaths::Keypath => Some(key_path),
    }
}

fn key_path(checker: &mut Checker<'_, '_>) {
    let KeyPathPattern { pattern: path, .. } = checker.view();
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let declaration = queries.declaration_of(result.ty);
    let name = declaration.map(|declaration| queries.context.text(declaration.name));
    let known = matches!(name, Some("KeyPath" | "WritableKeyPath" | "ReferenceWritableKeyPath"));
    // `any KeyPath<A, B> & Sendable`
    let composed = matches!(queries.get(result.ty), Type::Existential(_) | Type::Composition(_));
    if !known && !composed && checker.is_known(result.ty) {
        let shown = checker.scope.show(result);
        checker.fail("result-type", format!("`keypath` makes a key path, not `{shown}`"));
        return;
    }
    if known && path.signature.is_none() {
        ends(checker, path, result.ty);
    }
    let mut base = Some(path.root);
    for component in &path.components {
        match &component.kind {
            KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed) => {
                accessor(checker, computed.getter, "getter", &Representation::KeyPathGetter);
                if let Some(setter) = computed.setter {
                    accessor(checker, setter, "setter", &Representation::KeyPathSetter);
                }
                if let Some(equals) = computed.equals {
                    accessor(checker, equals, "indices_equals", &Representation::KeyPathEquals);
                }
                if let Some(hash) = computed.hash {
                    accessor(checker, hash, "indices_hash", &Representation::KeyPathHash);
                }
                indices(checker, &computed.indices);
            }
            KeyPathComponentKind::OptionalChain | KeyPathComponentKind::OptionalForce => {
                optional(checker, base, "an optional to look into");
            }
            KeyPathComponentKind::OptionalWrap => optional(checker, Some(component.ty), "an optional to wrap with"),
            KeyPathComponentKind::TupleElement(index) => tuple(checker, base, *index),
            KeyPathComponentKind::StoredProperty(member) => {
                let parent = queries.context.get_member(*member).parent;
                let class = base.and_then(|base| queries.as_nominal(base));
                if let (Some(parent), Some(_), Some(base)) = (parent, class, base) {
                    let found = queries.ancestor_declared_by(base, parent).is_some();
                    let shown = checker.scope.show(SilType::object(base));
                    checker.require(found, "key-path", || format!("the component is no stored property of `{shown}`"));
                    stored_type(checker, base, *member, component.ty);
                }
            }
        }
        base = Some(component.ty);
    }
}

/// The component leads to the property's type.
fn stored_type(checker: &mut Checker<'_, '_>, base: TypeId, member: MemberId, found: TypeId) {
    let queries = checker.queries();
    let Some(expected) = queries.stored_property_type(base, member) else { return };
    // A type that is lowered in memory is written as it is declared.
    let plain = |ty: TypeId| matches!(queries.get(ty), Type::Nominal(_) | Type::Builtin(_));
    if plain(expected) && plain(found) && !checker.same(SilType::object(expected), SilType::object(found)) {
        let (expected, found) =
            (checker.scope.show(SilType::object(expected)), checker.scope.show(SilType::object(found)));
        checker.fail("key-path", format!("the component has type `{expected}`, not `{found}`"));
    }
}

/// `KeyPath<Root, Value>` leads from the root to the type of the last component.
fn ends(checker: &mut Checker<'_, '_>, path: &KeyPath, ty: TypeId) {
    let arguments = checker.queries().as_nominal(ty).map_or(&[][..], |nominal| &nominal.arguments);
    let [root, value] = arguments else { return };
    let last = path.components.last().map_or(path.root, |component| component.ty);
    for (expected, found, what) in [(*root, path.root, "root"), (*value, last, "value")] {
        if !checker.same(SilType::object(expected), SilType::object(found)) {
            let (expected, found) =
                (checker.scope.show(SilType::object(expected)), checker.scope.show(SilType::object(found)));
            checker.fail(
                "key-path",
                format!("the {what} of the key path has type `{expected}`, but its pattern says `{found}`"),
            );
        }
    }
}

fn optional(checker: &mut Checker<'_, '_>, ty: Option<TypeId>, what: &str) {
    let Some(ty) = ty.filter(|ty| checker.is_known(*ty)) else { return };
    let fits = checker.queries().optional_object(ty).is_some();
    let shown = checker.scope.show(SilType::object(ty));
    checker.require(fits, "key-path", || format!("the component needs {what}, not `{shown}`"));
}

fn tuple(checker: &mut Checker<'_, '_>, ty: Option<TypeId>, index: u32) {
    let Some(ty) = ty.filter(|ty| checker.is_known(*ty)) else { return };
    let fits = match checker.queries().get(ty) {
        Type::Tuple(elements) => (index as usize) < elements.len(),
        _ => false,
    };
    let shown = checker.scope.show(SilType::object(ty));
    checker.require(fits, "key-path", || format!("`{shown}` has no tuple element {index}"));
}

/// The indices of subscripts are operands of the instruction.
fn indices(checker: &mut Checker<'_, '_>, indices: &[(u32, TypeId, SilType)]) {
    for (number, _, ty) in indices {
        let operand = *number as usize;
        if operand >= checker.operands.len() {
            checker.fail("operand-count", format!("the key path has no operand {number}"));
            return;
        }
        // A generic pattern's types are in its own parameters.
        if !checker.queries().is_dependent(ty.ty) && !ty.is_address() {
            checker.expect(operand, *ty);
        }
    }
}

/// An accessor is a function of the module, called as key paths call it, and visible where the instruction is.
fn accessor(checker: &mut Checker<'_, '_>, accessor: (Name, TypeId), what: &str, convention: &Representation) {
    let module = checker.scope.module;
    let (name, ty) = accessor;
    let text = module.context.text(name);
    let Some(function) = module.function_named(name).map(|id| &module.functions[id]) else {
        return checker.fail("unknown-function", format!("the module has no function `@{text}`"));
    };
    if let Type::Function(function) = checker.queries().get(ty) {
        // Older SIL called them as thin functions.
        let fits = function.representation == *convention || function.representation == Representation::Thin;
        checker.require(fits, "key-path", || {
            format!("`@{text}` cannot be the `{what}` of a key path: its convention is another one")
        });
    }
    let from = checker.scope.function.serialization;
    let serialized = from != Serialization::None && checker.scope.linkage == LinkageRules::Full;
    if serialized && !linkage::may_name_function(from, function) {
        checker.fail(
            "serialized-reference",
            format!("a serialized function cannot name `@{text}`: clients do not see it"),
        );
    }
}

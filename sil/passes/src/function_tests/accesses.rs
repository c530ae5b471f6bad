//! Tests of access bases, paths and storage of addresses.

use sil_analysis::{
    AccessBase, AccessPath, AccessStorage, BodyView, LifetimeFacts, NestedAccess, StoragePath, StorageUses,
    UseRelation, ValueDependence,
};
use sil_ir::context::{MemberTarget, Mutability};
use sil_ir::model::{Details, InstructionId, Value};
use std::collections::BTreeSet;

use super::TestResult;
use super::test::Test;
use crate::messages::type_names::type_name;

/// Takes an address. Prints the function, the address and its access base.
pub(super) fn access_base(test: &mut Test<'_>) -> TestResult<()> {
    let address = take_address(test)?;
    let base = base_of(&test.view(), address).map_or_else(|| "none\n".to_owned(), |base| test.value(base));
    test.write(format_args!("Base: {base}"));
    Ok(())
}

/// Takes an address. Prints the function and the address.
fn take_address(test: &mut Test<'_>) -> TestResult<Value> {
    let address = test.take_value()?;
    test.write_function();
    let line = test.value(address);
    test.write(format_args!("Address: {line}"));
    Ok(address)
}

fn base_of(view: &BodyView<'_>, address: Value) -> Option<Value> {
    StoragePath::of(view, address, NestedAccess::Ignore).and_then(|path| path.base)
}

/// Takes an address. Prints it and the kind of its access base.
pub(super) fn described_access_base(test: &mut Test<'_>) -> TestResult<()> {
    let address = test.take_value()?;
    let line = test.value(address);
    test.write(format_args!("Address: {line}"));
    let view = test.view();
    let base = AccessPath::of(&view, address).base;
    let kind = match base {
        AccessBase::Box(_) => "box",
        AccessBase::Stack(_) => "stack",
        AccessBase::Global(_) => "global",
        AccessBase::Class(_) => "class",
        AccessBase::Tail(_) => "tail",
        AccessBase::Argument(_) => "argument",
        AccessBase::Yield(_) => "yield",
        AccessBase::StoreBorrow(_) => "storeBorrow",
        AccessBase::Pointer(_) => "pointer",
        AccessBase::Index(_) => "index",
        AccessBase::Unidentified(_) => "unidentified",
    };
    let line = base.address().map(|base| test.value(base)).unwrap_or_default();
    test.write(format_args!("Base: {kind} - {}\n", line.trim_end()));
    Ok(())
}

/// Takes an address. Prints the function, the address and the access that contains it.
pub(super) fn typed_access_address(test: &mut Test<'_>) -> TestResult<()> {
    let address = take_address(test)?;
    let line = test.value(address);
    test.write(format_args!("Access: {line}"));
    Ok(())
}

/// Takes an address. Prints the function, the address and its storage.
pub(super) fn access_storage(test: &mut Test<'_>) -> TestResult<()> {
    let address = take_address(test)?;
    let view = test.view();
    let Some(storage) = AccessStorage::of(&view, address, NestedAccess::Ignore) else {
        test.write(format_args!("INVALID\n"));
        return Ok(());
    };
    let root = storage.root().map(|root| test.value(root)).unwrap_or_default();
    test.write(format_args!("{} {root}", storage.kind_name()));
    if let AccessStorage::Class { property, .. } = storage {
        let base = base_of(&view, address).and_then(|base| test.body().defining(base));
        let description = base.and_then(|id| property_text(test, id)).unwrap_or_default();
        test.write(format_args!("  Field: {description} Index: {property}\n"));
    }
    Ok(())
}

/// Returns a declaration such as `var value: T`.
fn property_text(test: &Test<'_>, id: InstructionId) -> Option<String> {
    let queries = test.environment.queries;
    let Details::Member(member) = test.body().instructions[id].details else { return None };
    let member = queries.context.get_member(member);
    let MemberTarget::Stored(index) = member.target else { return None };
    let declaration = queries.declarations.get(member.parent?);
    let property = declaration.stored.get(index as usize)?;
    let word = if property.mutability == Mutability::Let { "let" } else { "var" };
    let ty = type_name(queries, property.ty, declaration.signature);
    Some(format!("{word} {}: {ty}", queries.context.text(member.name)))
}

/// Takes an address. Prints the function, the address, its base, and the uses of the base that access the same path.
pub(super) fn access_path(test: &mut Test<'_>) -> TestResult<()> {
    let address = test.take_value()?;
    test.write_function();
    let line = test.value(address);
    test.write(format_args!("Access path for: {line}"));
    let view = test.view();
    let Some((path, base)) = StoragePath::of(&view, address, NestedAccess::Ignore).and_then(|path| {
        let base = path.base?;
        Some((path, base))
    }) else {
        test.write(format_args!("  base: none\n"));
        return Ok(());
    };
    let line = test.value(base);
    test.write(format_args!("  base: {line}"));
    let dependence = ValueDependence::new(&view);
    let facts = LifetimeFacts { view: &view, dependence: &dependence };
    let of_base: BTreeSet<InstructionId> =
        facts.uses().address_uses(base).uses.into_iter().map(|found| found.user).collect();
    for (found, relation) in StorageUses::new(&view).of(&path) {
        if !of_base.contains(&found.user) {
            continue;
        }
        let word = match relation {
            UseRelation::Exact => "Exact Use: ",
            UseRelation::Inner => "Inner Use: ",
            UseRelation::Overlapping => "Overlapping Use ",
        };
        let line = test.instruction(found.user);
        test.write(format_args!("{word}{line}"));
    }
    Ok(())
}

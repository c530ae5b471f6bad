//! Objective-C blocks: their storage and the function that they invoke.

use sil_ir::context::{FunctionType, ParameterConvention, Representation, SilType, Type};
use sil_ir::instructions::families::Blocks;
use sil_ir::model::views::{InitBlockStorageHeader, Unary};

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Blocks) -> Option<Rules> {
    use Blocks::*;
    let rules: Rules = match opcode {
        ProjectBlockStorage => project_storage,
        InitBlockStorageHeader => header,
    };
    Some(rules)
}

fn project_storage(checker: &mut Checker<'_, '_>) {
    let Unary { operand } = checker.view();
    if !checker.address(operand) {
        return;
    }
    match *checker.operand(operand) {
        Type::BlockStorage(capture) => {
            checker.expect_result(SilType::address(capture));
        }
        _ => {
            checker.require_operand(operand, false, "a `@block_storage` address");
        }
    }
}

/// The invoked function takes the storage, then the parameters of the block, and returns the results of the block.
fn header(checker: &mut Checker<'_, '_>) {
    let InitBlockStorageHeader { storage, invoke, apply } = checker.view();
    if !checker.address(storage) {
        return;
    }
    let Type::BlockStorage(_) = checker.operand(storage) else {
        checker.require_operand(storage, false, "a `@block_storage` address");
        return;
    };
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let Some(invoked) = queries.applied_conventions(checker.ty(invoke).ty, apply.substitutions) else {
        checker.require_operand(invoke, false, "a function");
        return;
    };
    let Type::Function(block) = queries.get(result.ty) else {
        checker.fail("result-type", "the result of `init_block_storage_header` must be a function");
        return;
    };
    checker.require(block.representation == Representation::Block, "result-type", || {
        "the result of `init_block_storage_header` must be `@convention(block)`".into()
    });
    let invoked = invoked.function;
    checker.require_operand(invoke, invoked.representation == Representation::C, "a `@convention(c)` function");
    if let Err(message) = fits(checker, storage, invoked, block) {
        checker.fail_at_operand(invoke, "block-invoke", message);
    }
}

fn fits(checker: &Checker<'_, '_>, held: usize, invoke: &FunctionType, block: &FunctionType) -> Result<(), String> {
    let Some((storage, parameters)) = invoke.parameters.split_first() else {
        return Err("the invoked function must take the block's storage".into());
    };
    let by_address = storage.convention == ParameterConvention::InOutAliasable;
    if !by_address || !checker.same(SilType::object(storage.ty), SilType::object(checker.ty(held).ty)) {
        return Err(
            "the first parameter of the invoked function must be the block's storage, `@inout_aliasable`".into()
        );
    }
    let same = |first, second| checker.same(SilType::object(first), SilType::object(second));
    let parameters_agree = parameters.len() == block.parameters.len()
        && parameters
            .iter()
            .zip(&block.parameters)
            .all(|(first, second)| first.convention == second.convention && same(first.ty, second.ty));
    if !parameters_agree {
        return Err("the block must have the invoked function's parameters after the storage".into());
    }
    let results_agree = invoke.results.len() == block.results.len()
        && invoke
            .results
            .iter()
            .zip(&block.results)
            .all(|(first, second)| first.convention == second.convention && same(first.ty, second.ty));
    if !results_agree {
        return Err("the block must give what the invoked function gives".into());
    }
    Ok(())
}

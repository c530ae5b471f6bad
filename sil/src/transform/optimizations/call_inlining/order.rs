//! The order of functions in which those that are called come before those that call them (lib/SILOptimizer/Analysis/FunctionOrder.cpp).

use crate::analysis::ApplySite;
use crate::model::{Body, FunctionId, Module};

/// The functions with bodies, what is called first. Of those that call each other the one that is called last comes first.
pub(in crate::transform) fn bottom_up(module: &Module) -> Vec<FunctionId> {
    let mut order = Vec::new();
    let mut seen = vec![false; module.functions.len()];
    for start in module.functions.keys() {
        let mut stack: Vec<(FunctionId, Vec<FunctionId>, usize)> = Vec::new();
        visit(module, start, &mut seen, &mut stack);
        while let Some((id, callees, next)) = stack.last_mut() {
            match callees.get(*next).copied() {
                Some(callee) => {
                    *next += 1;
                    visit(module, callee, &mut seen, &mut stack);
                }
                None => {
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    order
}

fn visit(module: &Module, id: FunctionId, seen: &mut [bool], stack: &mut Vec<(FunctionId, Vec<FunctionId>, usize)>) {
    if let Some(body) = module.functions[id].body.as_ref()
        && !std::mem::replace(&mut seen[id.as_u32() as usize], true)
    {
        stack.push((id, callees(module, body), 0));
    }
}

fn callees(module: &Module, body: &Body) -> Vec<FunctionId> {
    let called = body.placed_instructions().filter_map(|id| {
        let site = ApplySite::new(body, id).filter(|site| site.kind.is_full())?;
        module.function_named(site.called_function()?)
    });
    called.collect()
}

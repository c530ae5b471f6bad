//! Which functions are thunks, which only call another one (`SILFunction::isThunk`).

use sil_ir::instructions::Opcode;
use sil_ir::model::{Details, Function, FunctionFlag, Value};

use super::BodyView;

/// Whether a function is a thunk of any kind.
pub fn is_thunk_function(function: &Function) -> bool {
    use FunctionFlag::{BackDeployedThunk, ReabstractionThunk, SignatureOptimizedThunk, Thunk};
    [Thunk, ReabstractionThunk, SignatureOptimizedThunk, BackDeployedThunk].iter().any(|flag| function.has(*flag))
}

/// Whether a callee is a thunk of any kind.
pub fn is_thunk(view: &BodyView<'_>, callee: Option<Value>) -> bool {
    referred_function(view, callee).is_some_and(is_thunk_function)
}

/// Whether a callee is a thunk that changes how a function takes its arguments.
pub fn is_reabstraction_thunk(view: &BodyView<'_>, callee: Option<Value>) -> bool {
    referred_function(view, callee).is_some_and(|function| function.has(FunctionFlag::ReabstractionThunk))
}

fn referred_function<'m>(view: &BodyView<'m>, callee: Option<Value>) -> Option<&'m Function> {
    let (id, Opcode::FunctionRef) = view.definition(callee?)? else { return None };
    let Details::Function(name) = view.body.instructions[id].details else { return None };
    Some(&view.module.functions[view.module.function_named(name)?])
}

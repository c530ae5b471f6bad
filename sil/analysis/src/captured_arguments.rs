//! Arguments that are variables captured by address (`@inout_aliasable`), and the order of the functions that pass them
//! on.

use rustc_hash::FxHashSet;
use sil_ir::context::{Name, ParameterConvention};
use sil_ir::model::{FunctionId, InstructionId, Module};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use super::ApplySite;

/// An argument of a function, by the function's symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CapturedArgument {
    /// The function.
    pub function: Name,
    /// The number of the SIL argument.
    pub argument: usize,
}

/// How variables are captured by address.
pub const BY_ADDRESS: ArgumentConvention = ArgumentConvention::Parameter(ParameterConvention::InOutAliasable);

/// The callee's argument that operand number `operand` of an apply site becomes, if it is captured by address.
pub fn captured_argument(site: ApplySite<'_>, queries: &TypeQueries<'_>, operand: usize) -> Option<CapturedArgument> {
    let conventions = site.conventions(queries)?;
    let argument = site.argument_of_operand(conventions, operand)?;
    let number = site.numbering(conventions).sil_argument_of_operand(operand)?;
    (argument.convention == BY_ADDRESS).then_some(())?;
    Some(CapturedArgument { function: site.called_function()?, argument: number })
}

/// All functions, each before those that it gives variables by address. If local functions call each other in a cycle,
/// one of them comes first: a variable that escapes is a box in all of them.
pub fn closures_last(module: &Module, queries: &TypeQueries<'_>) -> Vec<FunctionId> {
    let mut seen = FxHashSet::default();
    let mut order = Vec::with_capacity(module.functions.len());
    for root in module.functions.keys().rev() {
        if !seen.insert(root) {
            continue;
        }
        let mut open = vec![(root, captors(module, queries, root))];
        while let Some((function, left)) = open.last_mut() {
            match left.pop() {
                Some(next) if seen.insert(next) => open.push((next, captors(module, queries, next))),
                Some(_) => {}
                None => {
                    order.push(*function);
                    open.pop();
                }
            }
        }
    }
    order.reverse();
    order
}

/// The functions that `function` gives variables by address.
fn captors(module: &Module, queries: &TypeQueries<'_>, function: FunctionId) -> Vec<FunctionId> {
    let Some(body) = &module.functions[function].body else { return Vec::new() };
    let captors_at = |id: InstructionId| {
        let site = ApplySite::new(body, id)?;
        let mut operands = 1..body.operands(id).len();
        let capture = operands.find_map(|operand| captured_argument(site, queries, operand))?;
        module.function_named(capture.function)
    };
    body.placed_instructions().filter_map(captors_at).collect()
}

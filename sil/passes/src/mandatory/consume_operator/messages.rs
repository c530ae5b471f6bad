//! The diagnostics of `consume`, in Swift's words
//! (lib/SILOptimizer/Mandatory/ConsumeOperatorCopyableAddressesChecker.cpp, ConsumeOperatorCopyableValuesChecker.cpp).

use sil_analysis::Uses;
use sil_ir::context::Context;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{AllocVariable, DebugValue, Unary};
use sil_ir::model::{Body, InstructionId, Value};

use super::dataflow::Misuse;
use crate::messages::findings::error_at;

const CODE: &str = "consume";

/// The name of a variable without a known name.
const UNKNOWN: &str = "unknown";

/// A variable: its name, and the instruction that declares it.
pub(super) struct Variable {
    name: String,
    /// `None` for a parameter without a debug value.
    declaration: Option<InstructionId>,
    is_parameter: bool,
}

impl Variable {
    /// Returns the variable of `value`, its value or its memory.
    pub(super) fn of(context: &Context, body: &Body, uses: &Uses, value: Value) -> Self {
        let definition = body.defining(value);
        let debug_value = uses.of(value).iter().map(|found| found.user).find_map(|id| {
            let name = DebugValue::get(body, id)?.variable?.name?;
            Some((id, context.text(name).to_owned()))
        });
        let allocated = || {
            let variable = AllocVariable::get(body, definition?)?.variable?;
            Some(context.text(variable.name?).to_owned())
        };
        let declaration = definition.or(debug_value.as_ref().map(|(id, _)| *id));
        let name = debug_value.map(|(_, name)| name).or_else(allocated).unwrap_or_else(|| UNKNOWN.into());
        Self { name, declaration, is_parameter: definition.is_none() }
    }

    /// Reports a use after a consume. A parameter with two debug values has no name.
    pub(super) fn used_after_consume(&self, body: &Body, misuse: &Misuse) -> Diagnostic {
        let Misuse { consume, user, is_replaced } = *misuse;
        let name = if is_replaced && self.is_parameter { UNKNOWN } else { &self.name };
        error_at(body, self.declaration.unwrap_or(consume), CODE, format!("'{name}' used after consume"))
            .note("consumed here", Some(body.instructions[consume].span))
            .note("used here", Some(body.instructions[user].span))
    }

    /// Reports a consume of a borrowed variable.
    pub(super) fn borrowed(&self, body: &Body, consume: InstructionId) -> Diagnostic {
        error_at(
            body,
            self.declaration.unwrap_or(consume),
            CODE,
            format!("'{}' is borrowed and cannot be consumed", self.name),
        )
        .note("consumed here", Some(body.instructions[consume].span))
    }
}

/// Reports a consume whose later uses are not known; `operand` is its operand.
pub(super) fn not_understood(body: &Body, consume: InstructionId, operand: Value) -> Diagnostic {
    let mut source = operand;
    while let Some(id) = body.defining(source)
        && matches!(body.instructions[id].opcode, Opcode::BeginAccess | Opcode::Load | Opcode::CopyValue)
    {
        source = Unary::of(body, id).operand;
    }
    let opcode = body.defining(source).map(|id| body.instructions[id].opcode);
    let message = match opcode {
        Some(Opcode::GlobalAddr) => "'consume' cannot be applied to globals",
        Some(Opcode::ProjectBox) => "'consume' cannot be applied to escaping captures",
        _ => {
            "'consume' applied to value that the compiler does not support. This is a compiler bug. Please file a bug with a \
             small example of the bug"
        }
    };
    error_at(body, consume, CODE, message)
}

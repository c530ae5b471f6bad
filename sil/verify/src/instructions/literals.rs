//! Literals and references to functions.

use sil_ir::context::{BuiltinType, Name, Representation, SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::families::Literals;
use sil_ir::model::views::{self, IntegerValue};
use sil_ir::model::{FunctionFlag, Serialization};

use super::{Checker, Rules};
use crate::linkage::{self, LinkageRules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Literals) -> Option<Rules> {
    use Literals::*;
    let rules: Rules = match opcode {
        IntegerLiteral => integer,
        FloatLiteral => |checker| {
            let fits = |ty: &Type| matches!(ty, Type::Builtin(BuiltinType::Float(_)));
            require_result(checker, fits, "a builtin floating-point type");
        },
        StringLiteral => |checker| {
            let fits = |ty: &Type| matches!(ty, Type::Builtin(BuiltinType::RawPointer));
            require_result(checker, fits, "`$Builtin.RawPointer`");
        },
        FunctionRef | DynamicFunctionRef | PrevDynamicFunctionRef => function,
        HasSymbol => return None,
    };
    Some(rules)
}

fn require_result(checker: &mut Checker<'_, '_>, fits: impl Fn(&Type) -> bool, what: &str) {
    let Some(result) = checker.result() else { return };
    if result.is_address() || !fits(checker.queries().get(result.ty)) {
        let (name, found) = (checker.name(), checker.scope.show(result));
        checker.fail("result-type", format!("the result of `{name}` must be of {what}, not `{found}`"));
    }
}

fn integer(checker: &mut Checker<'_, '_>) {
    let fits = |ty: &Type| {
        matches!(ty, Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word | BuiltinType::IntegerLiteral))
    };
    require_result(checker, fits, "a builtin integer type");
    let views::IntegerLiteral { value, .. } = checker.view();
    let (Some(result), IntegerValue::Narrow(value)) = (checker.result(), value) else { return };
    if let Type::Builtin(BuiltinType::Integer(width)) = checker.queries().get(result.ty)
        && !fits_width(value, *width)
    {
        let shown = checker.scope.show(result);
        checker.fail("literal-range", format!("the literal {value} does not fit `{shown}`"));
    }
}

/// Whether a literal fits as a signed or as an unsigned number.
fn fits_width(value: i128, width: u32) -> bool {
    match width {
        0 => value == 0,
        128.. => true,
        _ => value >= -(1i128 << (width - 1)) && value < (1i128 << width),
    }
}

/// The symbol must be a function of the module, with the type that is written here.
fn function(checker: &mut Checker<'_, '_>) {
    let views::FunctionRef { function: name } = checker.view();
    let Some(result) = checker.result() else { return };
    let Type::Function(ty) = checker.queries().get(result.ty) else {
        require_result(checker, |_| false, "a function type");
        return;
    };
    let has_context = matches!(ty.representation, Representation::Thick | Representation::Block);
    let module = checker.scope.module;
    let Some(id) = module.function_named(name) else {
        return unknown_function(checker, name);
    };
    let declared = &module.functions[id];
    if !checker.same(SilType::object(declared.ty), result) {
        let (opcode, name) = (checker.name(), module.context.text(name));
        let (found, expected) = (checker.scope.show(result), checker.scope.show(SilType::object(declared.ty)));
        let message = format!("`{opcode} @{name}` must have the function's type `{expected}`, not `{found}`");
        let diagnostic = sil_ir::diagnostic::Diagnostic::error("function-type", message, checker.instruction.span);
        checker.scope.report(diagnostic.note("the function is declared here", Some(declared.span)));
    } else if has_context {
        checker.fail("result-type", "a reference to a function has no context: its type must not be thick");
    }
    require_visible(checker, declared);
    let replaceable = declared.has(FunctionFlag::DynamicallyReplaceable);
    match checker.instruction.opcode {
        Opcode::DynamicFunctionRef => {
            checker.tolerantly(|checker| {
                checker.require(replaceable, "dynamic-replacement", || {
                    "`dynamic_function_ref` must name a function that is `[dynamically_replacable]`".into()
                });
            });
        }
        _ => {
            let name = checker.name();
            checker.require(!replaceable, "dynamic-replacement", || {
                format!("`{name}` must not name a function that is `[dynamically_replacable]`")
            });
        }
    }
}

/// A function that a serialized body names must be visible to clients as well.
fn require_visible(checker: &mut Checker<'_, '_>, named: &sil_ir::model::Function) {
    let from = checker.scope.function.serialization;
    let module = checker.scope.module;
    if from == Serialization::None
        || checker.scope.linkage == LinkageRules::Embedded
        || linkage::may_name_function(from, named)
    {
        return;
    }
    let message =
        format!("a serialized function cannot name `@{}`: clients do not see it", module.context.text(named.name));
    let diagnostic = sil_ir::diagnostic::Diagnostic::error("serialized-reference", message, checker.instruction.span);
    checker.scope.report(diagnostic.note("the function is declared here", Some(named.span)));
}

fn unknown_function(checker: &mut Checker<'_, '_>, name: Name) {
    let name = checker.scope.module.context.text(name);
    checker.fail("unknown-function", format!("the module has no function `@{name}`"));
}

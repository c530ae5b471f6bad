//! The diagnostics of operations with known operands, in Swift's words.

use sil_analysis::ApplySite;
use sil_ir::context::{Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{AllocVariable, Store};
use sil_ir::model::{Body, InstructionId, SourcePlace};
use sil_ir::symbols::Symbol;
use sil_ir::types::FunctionConventions;

use crate::knowledge::operations::{Fault, Sign};
use crate::messages::findings::{error_at, source_place, warning_at};
use crate::messages::type_names::type_name;
use crate::pass::Environment;

/// Returns the diagnostic for a fault at `id`.
pub(super) fn message(environment: Environment<'_>, id: InstructionId, fault: &Fault) -> Option<Diagnostic> {
    let quoted = |ty| format!("'{}'", type_name(environment.queries, ty, environment.function.signature));
    let types = Types::of(environment, id);
    let builtin = |sign: Sign, width: u32| format!("{} 'Builtin.Int{width}'", sign_word(sign));
    let text = match fault {
        Fault::Arithmetic { left, operator, right, sign, width } => {
            let on = match types.operands {
                Some(ty) => format!("type {}", quoted(ty)),
                None => format!("{} {width}-bit integer type", sign_word(*sign)),
            };
            format!("arithmetic operation '{left} {operator} {right}' (on {on}) results in an overflow")
        }
        Fault::Literal { value, sign, width } => match types.converted {
            Some((_, to)) if *sign == Sign::Unsigned && *value < 0 => {
                format!("negative integer '{value}' overflows when stored into unsigned type {}", quoted(to))
            }
            Some((_, to)) => format!("integer literal '{value}' overflows when stored into {}", quoted(to)),
            None => format!("integer literal '{value}' overflows when stored into {}", builtin(*sign, *width)),
        },
        Fault::Conversion { from, to } => match types.converted {
            Some((source, target)) => {
                format!("integer overflows when converted from {} to {}", quoted(source), quoted(target))
            }
            None => {
                let (from, to) = (builtin(from.0, from.1), builtin(to.0, to.1));
                format!("integer overflows when converted from {from} to {to}")
            }
        },
        Fault::DivisionByZero => "division by zero".into(),
        Fault::Division { left, operator, right } => {
            format!("division '{left} {operator} {right}' results in an overflow")
        }
        Fault::Negative(value) => format!("assumed non-negative value '{value}' is negative"),
        Fault::TooGreat(value) => {
            let to = types.converted.map_or_else(String::new, |(_, to)| quoted(to));
            format!("integer literal '{value}' overflows when stored into {to}")
        }
        Fault::Inexact { value, becomes } => {
            let to = types.converted.map_or_else(String::new, |(_, to)| quoted(to));
            let text = format!("'{value}' is not exactly representable as {to}; it becomes '{becomes}'");
            return types.literal_warning(environment, id, text);
        }
        Fault::Overflow(value) | Fault::Underflow(value) => {
            let (_, to) = types.converted.filter(|(from, _)| is_builtin(environment, *from))?;
            let infinity = if value.is_negative() { "-inf" } else { "inf" };
            let what = match fault {
                Fault::Overflow(_) => format!("overflows to {infinity}"),
                _ => "underflows and loses precision".into(),
            };
            let text = format!("'{}' {what} during conversion to {}", value.literal_text(), quoted(to));
            return types.literal_warning(environment, id, text);
        }
        Fault::FloatConversion { value, sign, width } => {
            let text = match types.converted {
                Some(_) => value.literal_text(),
                None => value.text(),
            };
            let to = types.converted.map_or_else(|| format!("'Builtin.Int{width}'"), |(_, to)| quoted(to));
            match (sign, types.converted) {
                (Sign::Unsigned, Some(_)) if value.is_negative() => {
                    format!("negative literal '{text}' cannot be converted to {to}")
                }
                (Sign::Unsigned, None) if value.is_negative() => {
                    format!("negative literal '{text}' cannot be converted to unsigned {to}")
                }
                _ => format!("invalid conversion: '{text}' overflows {to}"),
            }
        }
        Fault::Shift => "shift amount is greater than or equal to type size in bits".into(),
    };
    Some(error_at(environment.body, id, "constant-overflow", text))
}

fn is_builtin(environment: Environment<'_>, ty: TypeId) -> bool {
    matches!(environment.queries.get(ty), Type::Builtin(_))
}

fn sign_word(sign: Sign) -> &'static str {
    match sign {
        Sign::Signed => "signed",
        Sign::Unsigned => "unsigned",
    }
}

/// The source types of a call.
#[derive(Default)]
struct Types {
    /// The type of both operands.
    operands: Option<TypeId>,
    /// The types of the only argument and of the result.
    converted: Option<(TypeId, TypeId)>,
}

impl Types {
    /// Returns a warning for a literal that does not have its written value; `None` for an explicit conversion.
    fn literal_warning(&self, environment: Environment<'_>, id: InstructionId, text: String) -> Option<Diagnostic> {
        (!self.is_explicit(environment, id)).then(|| warning_at(environment.body, id, "inexact-literal", text))
    }

    /// Returns whether a literal is in the position of one in `Float(1e50)`. The only trace of that call is an
    /// expression that starts in front of the literal.
    fn is_explicit(&self, environment: Environment<'_>, id: InstructionId) -> bool {
        let Environment { queries, body, function, .. } = environment;
        let (Some((_, to)), Some(place)) = (self.converted, source_place(body, id)) else { return false };
        let before = type_name(queries, to, function.signature).chars().count() + "(".len();
        expression_starts(environment, id).any(|start| {
            (start.file, start.line, start.column as usize + before) == (place.file, place.line, place.column as usize)
        })
    }

    fn of(environment: Environment<'_>, id: InstructionId) -> Types {
        let site = initial_value(environment, id).or_else(|| ApplySite::new(environment.body, id));
        let Some(conventions) = site.and_then(|site| site.conventions(environment.queries)) else {
            return Types::default();
        };
        let written = written_parameters(conventions);
        let result = conventions.function.results.first().map(|result| result.ty);
        match (written.as_slice(), result) {
            ([left, right], _) if left == right => Types { operands: Some(*left), converted: None },
            ([source], Some(result)) => Types { operands: None, converted: Some((*source, result)) },
            _ => Types::default(),
        }
    }
}

/// Returns the possible starts of the expression that contains an instruction: the start of a variable's scope, or the
/// end of the text in front of it in the statement that uses it.
fn expression_starts(environment: Environment<'_>, id: InstructionId) -> impl Iterator<Item = SourcePlace> {
    let Environment { module, body, analyses, .. } = environment;
    let scope = body.instructions[id].location.and_then(|location| module.scopes.get(location.scope?)?.place);
    let uses = body.result(id).map_or(&[][..], |result| analyses.uses(body).of(result));
    let after_keyword = uses.iter().filter_map(move |found| {
        let written = match body.instructions[found.user].opcode {
            Opcode::Return => "return ",
            // The temporary of an argument is made at the start of the argument.
            Opcode::Store if is_temporary(body, found.user) => "",
            // Definite initialisation turns assignments into stores.
            Opcode::Assign | Opcode::Store => "= ",
            _ => return None,
        };
        let place = source_place(body, found.user)?;
        Some(SourcePlace { column: place.column.saturating_add(written.len() as u32), ..place })
    });
    scope.into_iter().chain(after_keyword)
}

/// Returns whether a store initialises stack memory that is no variable.
fn is_temporary(body: &Body, store: InstructionId) -> bool {
    let made = body.defining(Store::of(body, store).destination);
    let allocation = made.filter(|id| body.instructions[*id].opcode == Opcode::AllocStack);
    allocation
        .and_then(|id| AllocVariable::get(body, id))
        .is_some_and(|view| view.variable.is_none_or(|variable| variable.name.is_none()))
}

/// Returns the call that computes the initial value of a stored property, if `id` in an initialiser requests that
/// value. The location of `id` is the whole expression, which is that call if they have the same location.
fn initial_value<'m>(environment: Environment<'m>, id: InstructionId) -> Option<ApplySite<'m>> {
    let module = environment.module;
    let name = ApplySite::new(environment.body, id)?.called_function()?;
    let body = module.functions[module.function_named(name)?].body.as_ref()?;
    let is_initial_value = Symbol::demangle(module.context.text(name)).is_some_and(|symbol| symbol.is_initial_value());
    let is_return = |id: &InstructionId| body.instructions[*id].opcode == Opcode::Return;
    let end = body.placed_instructions().find(is_return).filter(|_| is_initial_value)?;
    let value = body.defining(*body.operands(end).first()?)?;
    let is_whole = source_place(body, value) == source_place(environment.body, id);
    ApplySite::new(body, value).filter(|_| is_whole)
}

/// Returns the types of the parameters without `self`.
fn written_parameters(conventions: FunctionConventions<'_>) -> Vec<TypeId> {
    let parameters = conventions.function.parameters.iter().enumerate();
    let written = parameters.filter(|(number, _)| conventions.self_parameter() != Some(*number));
    written.map(|(_, parameter)| parameter.ty).collect()
}

//! Known constants: reads literals and creates literals for computed results.

use crate::context::{BuiltinType, SilType, Type, TypeId};
use crate::instructions::Opcode;
use crate::model::{Details, InstructionId, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::editor::Editor;
use crate::transform::knowledge::constants::{Known, literal};
use crate::transform::knowledge::numbers::{WIDEST, truncated};

/// The constant that a literal represents.
pub(in crate::transform) fn known(editor: &Editor<'_>, value: Value) -> Option<Known> {
    let body = editor.body();
    literal(editor.environment.queries, body, body.defining(value)?)
}

/// Creates literals before `id`. Returns `None` if a part is unknown.
pub(in crate::transform) fn make(
    editor: &mut Editor<'_>,
    id: InstructionId,
    known: &Known,
    ty: SilType,
) -> Option<Value> {
    let queries = editor.environment.queries;
    let (opcode, details) = match known {
        Known::Integer(value) => (Opcode::IntegerLiteral, Details::Integer(in_width(queries.get(ty.ty), *value))),
        Known::Float(value) => (Opcode::FloatLiteral, Details::Float(value.bits)),
        Known::Parts(parts) => {
            let parts: Vec<&Known> = parts.iter().map(Option::as_ref).collect::<Option<_>>()?;
            let types: Vec<SilType> =
                (0..).map_while(|index| queries.tuple_element_type(ty.ty, index).map(SilType::object)).collect();
            if parts.len() != types.len() {
                return None;
            }
            let made: Vec<Value> =
                parts.iter().zip(types).map(|(part, ty)| make(editor, id, part, ty)).collect::<Option<_>>()?;
            let place = Place::Before(id);
            return Some(editor.build(place, id, |builder| builder.value(Opcode::Tuple, Details::None, &made, ty)));
        }
        Known::Case(_) => return None,
    };
    let is_of_this = match queries.get(ty.ty) {
        Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word) => matches!(known, Known::Integer(_)),
        Type::Builtin(BuiltinType::Float(_)) => matches!(known, Known::Float(_)),
        _ => false,
    };
    is_of_this
        .then(|| editor.build(Place::Before(id), id, |builder| builder.value_of_written_type(opcode, details, &[], ty)))
}

/// The value truncated to the width of a type.
fn in_width(ty: &Type, value: i128) -> i128 {
    match ty {
        Type::Builtin(BuiltinType::Integer(width)) if (1..=WIDEST).contains(width) => truncated(value, *width),
        _ => value,
    }
}

/// The value of an integer generic parameter, as a struct of type `ty` with one field of the type `field`.
pub(in crate::transform) fn parameter_value(
    builder: &mut InstructionBuilder<'_>,
    value: i64,
    ty: SilType,
    field: TypeId,
) -> Value {
    let number = Details::Integer(i128::from(value));
    let number = builder.value_of_written_type(Opcode::IntegerLiteral, number, &[], SilType::object(field));
    builder.value_of_written_type(Opcode::Struct, Details::None, &[number], ty)
}

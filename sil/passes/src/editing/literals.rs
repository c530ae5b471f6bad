//! Known constants: reads literals and creates literals for computed results.

use sil_ir::context::{BuiltinType, SilType, Type, TypeId};
use sil_ir::model::{InstructionId, Place, Value};

use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::knowledge::constants::{Known, literal};
use crate::knowledge::numbers::{WIDEST, truncated};

/// The constant that a literal represents.
pub(crate) fn known(editor: &Editor<'_>, value: Value) -> Option<Known> {
    let body = editor.body();
    literal(editor.environment.queries, body, body.defining(value)?)
}

/// Creates literals before `id`. Returns `None` if a part is unknown.
pub(crate) fn make(editor: &mut Editor<'_>, id: InstructionId, known: &Known, ty: SilType) -> Option<Value> {
    let queries = editor.environment.queries;
    match (known, queries.get(ty.ty)) {
        (Known::Integer(value), found @ Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word)) => {
            let value = in_width(found, *value);
            Some(editor.build(Place::Before(id), id, |builder| builder.integer_literal(value, ty)))
        }
        (Known::Float(value), Type::Builtin(BuiltinType::Float(_))) => {
            Some(editor.build(Place::Before(id), id, |builder| builder.float_literal(value.bits, ty)))
        }
        (Known::Parts(parts), _) => {
            let parts: Vec<&Known> = parts.iter().map(Option::as_ref).collect::<Option<_>>()?;
            let types: Vec<SilType> =
                (0..).map_while(|index| queries.tuple_element_type(ty.ty, index).map(SilType::object)).collect();
            if parts.len() != types.len() {
                return None;
            }
            let made: Vec<Value> =
                parts.iter().zip(types).map(|(part, ty)| make(editor, id, part, ty)).collect::<Option<_>>()?;
            let place = Place::Before(id);
            Some(editor.build(place, id, |builder| builder.tuple(&made, ty)))
        }
        _ => None,
    }
}

/// The value truncated to the width of a type.
fn in_width(ty: &Type, value: i128) -> i128 {
    match ty {
        Type::Builtin(BuiltinType::Integer(width)) if (1..=WIDEST).contains(width) => truncated(value, *width),
        _ => value,
    }
}

/// The value of an integer generic parameter, as a struct of type `ty` with one field of the type `field`.
pub(crate) fn parameter_value(builder: &mut InstructionBuilder<'_>, value: i64, ty: SilType, field: TypeId) -> Value {
    let number = builder.integer_literal(i128::from(value), SilType::object(field));
    builder.structure(&[number], ty)
}

//! Values as far as they are known.

use crate::context::{BuiltinType, MemberId, Type};
use crate::model::views::{self, IntegerValue};
use crate::model::{Body, InstructionId};
use crate::transform::knowledge::floats::Float;
use crate::transform::knowledge::numbers::{WIDEST, truncated};
use crate::types::TypeQueries;

/// A value of which something is known.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::transform) enum Known {
    /// A number, the sign of its width going on.
    Integer(i128),
    /// A floating-point number.
    Float(Float),
    /// The fields of a struct or the elements of a tuple. Of those behind the last nothing is known.
    Parts(Vec<Option<Known>>),
    /// A case of an enum that carries nothing.
    Case(MemberId),
}

impl Known {
    /// The number, where it is one.
    pub(in crate::transform) fn integer(&self) -> Option<i128> {
        match self {
            Known::Integer(value) => Some(*value),
            Known::Float(_) | Known::Parts(_) | Known::Case(_) => None,
        }
    }

    /// The floating-point number, where it is one.
    pub(in crate::transform) fn float(&self) -> Option<Float> {
        match self {
            Known::Float(value) => Some(*value),
            Known::Integer(_) | Known::Parts(_) | Known::Case(_) => None,
        }
    }

    /// A whole made of these parts; none where nothing is known of any.
    pub(in crate::transform) fn whole(parts: Vec<Option<Known>>) -> Option<Known> {
        parts.iter().any(Option::is_some).then_some(Known::Parts(parts))
    }

    /// What is known of the part at `path`.
    pub(in crate::transform) fn part(&self, path: &[u32]) -> Option<&Known> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        match self {
            Known::Parts(parts) => parts.get(*first as usize)?.as_ref()?.part(rest),
            Known::Integer(_) | Known::Float(_) | Known::Case(_) => None,
        }
    }
}

/// The number that a literal is.
pub(in crate::transform) fn literal(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> Option<Known> {
    let ty = queries.get(body.ty(body.result(id)?).ty);
    if let Some(views::FloatLiteral { bits }) = views::FloatLiteral::get(body, id) {
        let Type::Builtin(BuiltinType::Float(width)) = ty else { return None };
        return Float::new(bits, *width).map(Known::Float);
    }
    let IntegerValue::Narrow(value) = views::IntegerLiteral::get(body, id)?.value else { return None };
    match ty {
        Type::Builtin(BuiltinType::Integer(width)) if (1..=WIDEST).contains(width) => {
            Some(Known::Integer(truncated(value, *width)))
        }
        Type::Builtin(BuiltinType::IntegerLiteral | BuiltinType::Word) => Some(Known::Integer(value)),
        _ => None,
    }
}

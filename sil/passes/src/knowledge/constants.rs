//! Partly known constant values.

use sil_ir::context::{BuiltinType, MemberId, Type};
use sil_ir::model::views::{self, IntegerValue};
use sil_ir::model::{Body, InstructionId};
use sil_ir::types::TypeQueries;

use crate::knowledge::floats::Float;
use crate::knowledge::numbers::{WIDEST, truncated};

/// A value that is at least partly known.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Known {
    /// An integer, sign-extended from its width.
    Integer(i128),
    /// A floating-point number.
    Float(Float),
    /// The fields of a struct or the elements of a tuple. Parts beyond the end of the list are unknown.
    Parts(Vec<Option<Known>>),
    /// An enum case without a payload.
    Case(MemberId),
}

impl Known {
    /// Returns the integer, if it is one.
    pub(crate) fn integer(&self) -> Option<i128> {
        match self {
            Known::Integer(value) => Some(*value),
            Known::Float(_) | Known::Parts(_) | Known::Case(_) => None,
        }
    }

    /// Returns the floating-point number, if it is one.
    pub(crate) fn float(&self) -> Option<Float> {
        match self {
            Known::Float(value) => Some(*value),
            Known::Integer(_) | Known::Parts(_) | Known::Case(_) => None,
        }
    }

    /// Returns an aggregate of these parts, or `None` if no part is known.
    pub(crate) fn whole(parts: Vec<Option<Known>>) -> Option<Known> {
        parts.iter().any(Option::is_some).then_some(Known::Parts(parts))
    }

    /// Returns the known value of the part at `path`.
    pub(crate) fn part(&self, path: &[u32]) -> Option<&Known> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        match self {
            Known::Parts(parts) => parts.get(*first as usize)?.as_ref()?.part(rest),
            Known::Integer(_) | Known::Float(_) | Known::Case(_) => None,
        }
    }
}

/// Returns the value of a literal.
pub(crate) fn literal(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> Option<Known> {
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

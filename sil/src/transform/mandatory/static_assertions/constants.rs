//! What the evaluation of assertions computes with: constants, memory, and reasons why something is none.

use crate::context::{MemberId, Name};
use crate::model::{Body, InstructionId, SourcePlace};
use crate::source::Span;
use crate::transform::messages::findings::source_place;

/// A value that is known.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Constant {
    /// A number, the sign of its width going on.
    Number(i128),
    /// The fields of a struct or the elements of a tuple; none where memory has none yet.
    Parts(Vec<Option<Constant>>),
    Case(MemberId, Option<Box<Constant>>),
    /// The address of a part of what is in memory: the number of the memory, and the way to the part.
    Address(usize, Vec<u32>),
    Function(Name),
    /// A string literal, or a metatype: nothing is computed with those.
    Opaque,
}

impl Constant {
    /// The part at the end of `path`; none where memory has none yet.
    pub(super) fn part(&self, path: &[u32]) -> Option<&Constant> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        match self {
            Constant::Parts(parts) => parts.get(*first as usize)?.as_ref()?.part(rest),
            _ => None,
        }
    }

    /// Whether all of it is there.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Constant::Parts(parts) => parts.iter().all(|part| part.as_ref().is_some_and(Constant::is_whole)),
            _ => true,
        }
    }
}

/// Why a value is not known.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum UnknownReason {
    /// No operation that is evaluated makes it.
    Default,
    TooManyInstructions,
    Loop,
    Overflow,
    /// A check fails with this message.
    Trap(Box<str>),
    /// Memory of the function that asserts is written more than once.
    MultipleWriters,
    /// Memory of the function that asserts is used in a way that is not followed.
    NotTopLevelConstant,
    /// An instruction with this name.
    UnsupportedInstruction(&'static str),
    /// The function with this symbol is declared only.
    NoBody(String),
}

/// A place in the SIL and in the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Place {
    pub(super) span: Span,
    pub(super) source: Option<SourcePlace>,
}

impl Place {
    pub(super) fn of(body: &Body, id: InstructionId) -> Self {
        Self { span: body.instructions[id].span, source: source_place(body, id) }
    }
}

/// A value that is not known.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Unknown {
    pub(super) reason: UnknownReason,
    /// Where that is so; none for arguments of functions.
    pub(super) place: Option<Place>,
    /// The call in the function that asserts which led there.
    pub(super) call: Option<Place>,
}

impl Unknown {
    pub(super) fn new(reason: UnknownReason, body: &Body, id: InstructionId) -> Self {
        Self { reason, place: Some(Place::of(body, id)), call: None }
    }

    /// That of an argument.
    pub(super) fn argument() -> Self {
        Self { reason: UnknownReason::Default, place: None, call: None }
    }
}

/// A constant, or why there is none.
pub(super) type Evaluated<T = Constant> = Result<T, Unknown>;

//! Typed views of instructions: the parts of each kind of instruction, by name. The rows are in `rows`; this file makes
//! a type of each, `parts` has the possible parts of a view.
//!
//! The reader makes no instruction that its view does not fit, and the verifier reports one that a pass would make so
//! ([`is_well_formed`]). Behind it, `of` of each view does not fail.

mod parts;
mod rows;

pub use parts::{AllButLast, GlobalReference, IntegerValue, Leading, OperandCount, OperandForm, Part, Parts};
pub use rows::*;

use super::{Body, InstructionId};
use crate::instructions::{Opcode, Piece};

/// The parts of instructions of some kinds. Operands are values, or their numbers for findings.
pub trait View<'b, O>: Sized {
    /// How many operands such an instruction has.
    const OPERANDS: OperandCount;

    /// Whether the view is one of instructions of this kind.
    fn is_of(opcode: Opcode) -> bool;

    /// Takes the instruction apart.
    fn read(parts: &mut Parts<'b>) -> Option<Self>;

    /// The view of an instruction; none if it is of another kind or lacks parts of its kind.
    fn get(body: &'b Body, instruction: InstructionId) -> Option<Self> {
        if !Self::is_of(body.instructions[instruction].opcode) {
            return None;
        }
        let mut parts = Parts::new(body, instruction);
        Self::read(&mut parts).filter(|_| parts.are_all_taken())
    }

    /// The view of an instruction that is of its kinds. Panics if it is not, or if it was not verified.
    fn of_verified(body: &'b Body, instruction: InstructionId) -> Self {
        match Self::get(body, instruction) {
            Some(view) => view,
            None => misfit(body, instruction),
        }
    }
}

#[cold]
fn misfit(body: &Body, instruction: InstructionId) -> ! {
    let name = body.instructions[instruction].opcode.name();
    panic!("this `{name}` is looked at as if it were another instruction, or was not verified")
}

/// Whether the text of `opcode` in the table has as many operands as a view. Irregular forms are not in the table.
const fn agrees(opcode: Opcode, count: OperandCount) -> bool {
    let syntax = opcode.information().syntax;
    let (mut least, mut most) = (0, 0);
    let mut piece = 0;
    while piece < syntax.len() {
        match syntax[piece] {
            Piece::Operand | Piece::UntypedOperand(_) => (least, most) = (least + 1, most + 1),
            Piece::OptionalOperand(..) => most += 1,
            Piece::Operands | Piece::OperandList => most = OperandCount::UNBOUNDED,
            Piece::Own => return true,
            _ => {}
        }
        piece += 1;
    }
    count.least == least && (count.most == most || most >= OperandCount::UNBOUNDED)
}

/// Makes a type with its view of each row `Name<'b, O>(Opcode | …) { part: Type, … }`, and `is_well_formed` of all: an
/// opcode that no row has does not compile, nor one whose operands are not those of the instruction table.
macro_rules! views {
    ($(
        $(#[$doc:meta])*
        $view:ident $(<$($generic:tt),+>)? ($($opcode:ident)|+) $fields:tt
    )*) => {
        $(view! { [$($($generic)+)?] $(#[$doc])* $view ($($opcode)|+) $fields })*

        /// Whether an instruction has the operands, targets, types and details that its kind has.
        pub fn is_well_formed(body: &Body, instruction: InstructionId) -> bool {
            match body.instructions[instruction].opcode {
                $($(Opcode::$opcode)|+ => <$view as View<'_, Value>>::get(body, instruction).is_some(),)*
            }
        }

        $($(const _: () = assert!(
            agrees(Opcode::$opcode, <$view as View<'static, Value>>::OPERANDS),
            concat!("the table gives ", stringify!($opcode), " other operands"),
        );)+)*
    };
}

/// The type of one row. It has a lifetime where it borrows from the body, and `O` where it has operands.
macro_rules! view {
    ([] $(#[$doc:meta])* $view:ident $opcodes:tt { $($field:ident: $ty:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $view { $(#[doc = stringify!($field)] pub $field: $ty,)* }
        view! { @of [] $view }
        impl<'b, O: OperandForm<'b>> View<'b, O> for $view { view! { @parts 'b $opcodes { $($field: $ty,)* } } }
    };
    ([O] $(#[$doc:meta])* $view:ident $opcodes:tt { $($field:ident: $ty:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $view<O = Value> { $(#[doc = stringify!($field)] pub $field: $ty,)* }
        view! { @of [] $view }
        impl<'b, O: OperandForm<'b>> View<'b, O> for $view<O> { view! { @parts 'b $opcodes { $($field: $ty,)* } } }
    };
    ([$b:lifetime] $(#[$doc:meta])* $view:ident $opcodes:tt { $($field:ident: $ty:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $view<$b> { $(#[doc = stringify!($field)] pub $field: $ty,)* }
        view! { @of [$b] $view }
        impl<$b, O: OperandForm<$b>> View<$b, O> for $view<$b> { view! { @parts $b $opcodes { $($field: $ty,)* } } }
    };
    ([$b:lifetime O] $(#[$doc:meta])* $view:ident $opcodes:tt { $($field:ident: $ty:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $view<$b, O: OperandForm<$b> = Value> { $(#[doc = stringify!($field)] pub $field: $ty,)* }
        view! { @of [$b] $view }
        impl<$b, O: OperandForm<$b>> View<$b, O> for $view<$b, O> { view! { @parts $b $opcodes { $($field: $ty,)* } } }
    };
    (@of [$($b:lifetime)?] $view:ident) => {
        impl$(<$b>)? $view$(<$b>)? {
            /// The view of an instruction of a verified body.
            pub fn of(body: &$($b)? Body, instruction: InstructionId) -> Self {
                <Self as View<'_, Value>>::of_verified(body, instruction)
            }

            /// The view of an instruction, if it is one of these kinds.
            pub fn get(body: &$($b)? Body, instruction: InstructionId) -> Option<Self> {
                <Self as View<'_, Value>>::get(body, instruction)
            }
        }
    };
    (@parts $b:lifetime ($($opcode:ident)|+) { $($field:ident: $ty:ty,)* }) => {
        const OPERANDS: OperandCount = OperandCount::NONE$(.and(<$ty as Part<$b>>::OPERANDS))*;

        fn is_of(opcode: Opcode) -> bool {
            matches!(opcode, $(Opcode::$opcode)|+)
        }

        #[allow(unused_variables, reason = "some kinds have no parts")]
        fn read(parts: &mut Parts<$b>) -> Option<Self> {
            Some(Self { $($field: Part::take(parts)?,)* })
        }
    };
}

use {view, views};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Context, SilType, Type};
    use crate::instructions::AttributeSet;
    use crate::model::{Block, BlockId, Details, NewInstruction, Value};
    use crate::source::{FileId, Span};
    use cranelift_entity::EntityRef;

    fn instruction(body: &mut Body, opcode: Opcode, details: Details, operands: &[Value]) -> InstructionId {
        let span = Span { file: FileId::from_u32(0), start: 0, end: 0 };
        let attributes = AttributeSet::default();
        let new = NewInstruction {
            opcode,
            attributes,
            details,
            operands,
            types: &[],
            targets: &[],
            results: &[],
            span,
            location: None,
            traits: Default::default(),
        };
        body.append(BlockId::new(0), new)
    }

    #[test]
    fn a_view_takes_all_that_the_instruction_has() {
        let context = Context::default();
        let ty = SilType::address(context.ty(Type::Tuple(Box::default())));
        let mut body = Body::default();
        body.blocks.push(Block::default());
        let [first, second] = [body.undef(ty), body.undef(ty)];

        let store = instruction(&mut body, Opcode::Store, Details::None, &[first, second]);
        let Store { source, destination } = Store::of(&body, store);
        assert_eq!((source, destination), (first, second));
        assert!(Unary::get(&body, store).is_none());
        let numbered = <Store<usize> as View<'_, usize>>::get(&body, store);
        assert!(numbered.is_some_and(|view| (view.source, view.destination) == (0, 1)));

        let short = instruction(&mut body, Opcode::Store, Details::None, &[first]);
        let long = instruction(&mut body, Opcode::Load, Details::None, &[first, second]);
        let other_details = instruction(&mut body, Opcode::TupleElementAddr, Details::None, &[first]);
        let element = instruction(&mut body, Opcode::TupleElementAddr, Details::Index(1), &[first]);
        let formed = [store, short, long, other_details, element].map(|id| is_well_formed(&body, id));
        assert_eq!(formed, [true, false, false, false, true]);
    }
}

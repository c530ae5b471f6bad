//! Boxes that do not escape become memory on the stack (lib/SILOptimizer/Transforms/AllocBoxToStack.cpp).
//!
//! `escapes` says which boxes these are: the function that makes one may use it, and closures and private functions that it is passed to.
//! `specialization` makes functions anew that take the address of what is in such a box, and passes that; `promotion` then moves what
//! nothing but its function uses.

mod escapes;
mod overlay;
mod promotion;
mod specialization;

use crate::transform::pass::{Description, Gates, Pass, Runner};
pub(in crate::transform) use promotion::promote;
pub(in crate::transform) use specialization::{specialize, specialize_for};

pub(in crate::transform) const BOX_TO_STACK: Pass = Pass::new(&Description {
    name: "allocbox-to-stack",
    class_name: "AllocBoxToStack",
    summary: "Promotes boxes that do not escape to stack slots.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[
        Runner::ProgramOrFunction(|module, _, settings| specialize(module, settings), specialize_for),
        Runner::Function(promote),
    ]),
});

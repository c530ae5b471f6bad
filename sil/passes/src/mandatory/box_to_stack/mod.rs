//! Promotes boxes that do not escape to the stack (lib/SILOptimizer/Transforms/AllocBoxToStack.cpp).
//!
//! `escapes` finds these boxes: the allocating function may use them, and closures and private functions that they are
//! passed to. `specialization` clones the functions that such a box is passed to, with the address of its contents as
//! argument; `promotion` then promotes the boxes that only their function uses.

mod escapes;
mod overlay;
mod promotion;
mod specialization;

use crate::pass::{Description, Gates, Pass, Runner};
pub(crate) use promotion::promote;
pub(crate) use specialization::{specialize, specialize_for};

pub(crate) const BOX_TO_STACK: Pass = Pass::new(&Description {
    name: "allocbox-to-stack",
    class_name: "AllocBoxToStack",
    summary: "Promotes boxes that do not escape to stack slots.",
    gates: Gates::OPEN,
    runner: Runner::Steps(&[
        Runner::ProgramOrFunction(|module, _, settings| specialize(module, settings), specialize_for),
        Runner::Function(promote),
    ]),
});

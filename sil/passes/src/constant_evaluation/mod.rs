//! The constant expression evaluator: computes the values of SIL code at compile time
//! (lib/SILOptimizer/Utils/ConstExpr.cpp).
//!
//! `Evaluator` computes values on demand in code that is not executed itself, and executes the functions called there;
//! `StepEvaluator` evaluates a function instruction by instruction. Unknown values are symbolic values with a reason:
//! nothing is guessed.
//!
//! `values` has the symbolic values, `memory` the contents of memory, `unknown` the reasons and their words.
//! `evaluator` computes single values, `builtins` those of builtins; `control_flow` runs instructions in order, `calls`
//! functions, `known_functions` has those of the standard library whose meaning is known. `single_writers` finds
//! the contents of memory outside of the functions that are run. `description` writes values as text. Used by:
//! `mandatory::static_assertions`, `mandatory::os_log`, `function_tests::constant_evaluator`; `editing::deleter` asks
//! which calls may go.
//!
//! Does not own: constant folding (`mandatory::constant_folding`, `knowledge::constants`), which follows other rules
//! and changes functions.

mod builtins;
mod calls;
mod control_flow;
mod description;
mod evaluator;
mod known_functions;
mod memory;
mod single_writers;
mod steps;
mod unknown;
mod values;

pub(super) use self::evaluator::{EvaluationLimits, Evaluator, FunctionState};
pub(super) use self::known_functions::{is_annotated_evaluable, is_evaluable, is_read_only_call};
pub(super) use self::steps::{Evaluation, StepEvaluator};
pub(super) use self::unknown::{Place, Unknown, UnknownReason};
pub(super) use self::values::{Closure, SymbolicValue};

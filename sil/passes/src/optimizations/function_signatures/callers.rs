//! The callers of a function. Follows lib/SILOptimizer/Analysis/CallerAnalysis.cpp.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, Uses};
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{Body, Value};

use crate::pass::Environment;

/// The callers of a function in the module.
pub(super) struct Callers {
    /// Whether a full apply site refers to the function, directly or through partial applications.
    pub(super) has_full_application: bool,
    /// The minimal number of captured arguments over all closures, or `None` if there are no closures.
    pub(super) fewest_captured: Option<usize>,
    /// Whether all uses of references to the function are calls.
    pub(super) are_all_known: bool,
}

impl Callers {
    /// Finds the callers of the function of `environment`.
    pub(super) fn of(environment: Environment<'_>) -> Self {
        let Environment { module, function: callee, .. } = environment;
        let mut callers = Self { has_full_application: false, fewest_captured: None, are_all_known: true };
        let bodies = module.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)));
        for (_, body) in bodies.filter(|(id, body)| environment.refers_to(*id, body, callee.name)) {
            let references: Vec<Value> = body
                .placed_instructions()
                .filter(|id| views::FunctionRef::get(body, *id).is_some_and(|view| view.function == callee.name))
                .filter_map(|id| body.result(id))
                .collect();
            if !references.is_empty() {
                callers.follow(body, references);
            }
        }
        callers
    }

    /// Follows references to the function to their uses.
    fn follow(&mut self, body: &Body, references: Vec<Value>) {
        let uses = Uses::new(body);
        let mut seen: FxHashSet<Value> = references.iter().copied().collect();
        let mut open = references;
        while let Some(value) = open.pop() {
            for found in uses.of(value) {
                let opcode = body.instructions[found.user].opcode;
                let is_callee = found.operand == 0;
                match ApplyKind::of(opcode) {
                    Some(kind) if kind.is_full() && is_callee => self.has_full_application = true,
                    Some(kind) if !kind.is_full() && is_callee => {
                        let captured = body.operands(found.user).len() - 1;
                        let fewest = self.fewest_captured.map_or(captured, |fewest| fewest.min(captured));
                        self.fewest_captured = Some(fewest);
                        self.are_all_known = false;
                        open.extend(body.result(found.user).filter(|closure| seen.insert(*closure)));
                    }
                    _ if is_conversion(opcode) => {
                        open.extend(body.result(found.user).filter(|converted| seen.insert(*converted)));
                    }
                    _ if opcode == Opcode::DebugValue => {}
                    _ => self.are_all_known = false,
                }
            }
        }
    }
}

/// Returns whether an instruction of this kind forwards the function.
fn is_conversion(opcode: Opcode) -> bool {
    use Opcode::{
        BeginBorrow, ConvertEscapeToNoescape, ConvertFunction, CopyValue, DestroyValue, EndBorrow, MoveValue,
        StrongRelease, StrongRetain, ThinToThickFunction,
    };
    matches!(
        opcode,
        BeginBorrow
            | ConvertEscapeToNoescape
            | ConvertFunction
            | CopyValue
            | DestroyValue
            | EndBorrow
            | MoveValue
            | StrongRelease
            | StrongRetain
            | ThinToThickFunction
    )
}

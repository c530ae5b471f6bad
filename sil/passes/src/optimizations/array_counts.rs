//! Replaces calls of an array's count getter with the number of elements that the array is created with, if nothing
//! changes the array in between. Follows lib/SILOptimizer/Transforms/ArrayCountPropagation.cpp.

use rustc_hash::FxHashSet;
use sil_analysis::ApplySite;
use sil_ir::context::Type;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value, views};

use crate::editing::editor::Editor;
use crate::knowledge::array_semantics::ArrayFunction;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const ARRAY_COUNT_PROPAGATION: Pass = Pass::new(&Description {
    name: "array-count-propagation",
    class_name: "ArrayCountPropagation",
    summary: "Replaces calls for the count of an array by the count it was allocated with.",
    gates: Gates::OPEN,
    runner: Runner::Function(propagate),
});

/// Propagates the counts of the arrays that a function creates.
pub(crate) fn propagate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, body, .. } = environment;
    let function_of = |id| match body.instructions[id].opcode {
        Opcode::Apply => ArrayFunction::of_call(module, body, id),
        _ => None,
    };
    let made: Vec<(InstructionId, ArrayFunction)> = body
        .placed_instructions()
        .filter_map(|id| Some((id, function_of(id)?)))
        .filter(|(_, function)| matches!(function, ArrayFunction::Uninitialized | ArrayFunction::Init))
        .collect();
    if made.is_empty() {
        return Ok(None);
    }
    let mut propagation = Propagation { editor: Editor::new(environment) };
    for (call, function) in made {
        propagation.array(call, function);
    }
    Ok(propagation.editor.finish())
}

struct Propagation<'m> {
    editor: Editor<'m>,
}

impl Propagation<'_> {
    fn array(&mut self, call: InstructionId, function: ArrayFunction) {
        let (Some(count), Some(array)) = (self.count(call, function), self.array_value(call, function)) else { return };
        let mut counted = Vec::new();
        if self.collect(array, &mut counted, &mut FxHashSet::default()).is_none() {
            return;
        }
        for call in counted {
            let Some(result) = self.editor.body().result(call) else { continue };
            if self.editor.body().ty(result) != self.editor.body().ty(count) {
                continue;
            }
            self.editor.replace_all(result, count);
            if self.borrows_array(call) {
                self.editor.erase(call);
            }
        }
    }

    /// The number of elements that a call creates an array with.
    fn count(&self, call: InstructionId, function: ArrayFunction) -> Option<Value> {
        let Environment { queries, function: caller, .. } = self.editor.environment;
        let body = self.editor.body();
        let arguments = ApplySite::new(body, call)?.arguments();
        let first = *arguments.first()?;
        match function {
            // The buffer is the first argument of the variant that takes one.
            ArrayFunction::Uninitialized => {
                let ty = body.ty(first).ty;
                let is_object =
                    matches!(queries.get(ty), Type::Existential(_) | Type::Protocol { .. } | Type::Composition(_))
                        || queries.properties(ty, caller.signature).is_reference();
                if is_object { arguments.get(1).copied() } else { Some(first) }
            }
            ArrayFunction::Init => arguments.get(1).copied().filter(|_| arguments.len() == 3),
            _ => None,
        }
    }

    /// The array that a call returns, directly or in a tuple.
    fn array_value(&self, call: InstructionId, function: ArrayFunction) -> Option<Value> {
        let body = self.editor.body();
        let result = body.result(call)?;
        if function == ArrayFunction::Init {
            return Some(result);
        }
        let mut array = None;
        for found in self.editor.uses(result) {
            let part = match self.editor.opcode(found.user) {
                Opcode::DestructureTuple => body.results(found.user).next(),
                Opcode::TupleExtract => {
                    let index = views::TupleExtract::of(body, found.user).index;
                    body.result(found.user).filter(|_| index == 0)
                }
                _ => return None,
            };
            if part.is_some() && array.is_some() {
                return None;
            }
            array = array.or(part);
        }
        array
    }

    /// Collects the calls of the count getter. Returns `None` if a use may change the array or is unknown.
    fn collect(&self, array: Value, counted: &mut Vec<InstructionId>, seen: &mut FxHashSet<Value>) -> Option<()> {
        use Opcode::*;
        if !seen.insert(array) {
            return Some(());
        }
        let Environment { module, .. } = self.editor.environment;
        let body = self.editor.body();
        for found in self.editor.uses(array) {
            let id = found.user;
            match self.editor.opcode(id) {
                StrongRetain | StrongRelease | RetainValue | ReleaseValue | DestroyValue | DebugValue => {}
                MarkDependence if found.operand == 1 => {}
                MarkDependenceAddr if found.operand == 1 => {}
                StructExtract => self.collect(body.result(id)?, counted, seen)?,
                Apply => match ArrayFunction::of_call(module, body, id)? {
                    ArrayFunction::Count => counted.push(id),
                    ArrayFunction::Finalize => self.collect(body.result(id)?, counted, seen)?,
                    ArrayFunction::Element
                    | ArrayFunction::SubscriptCheck
                    | ArrayFunction::IndexCheck
                    | ArrayFunction::Capacity
                    | ArrayFunction::NativeTypeCheck => {}
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(())
    }

    /// Returns whether a call borrows the array, so that no ownership must be balanced when the call is removed.
    fn borrows_array(&self, call: InstructionId) -> bool {
        let conventions =
            ApplySite::new(self.editor.body(), call).and_then(|site| site.conventions(self.editor.environment.queries));
        conventions
            .is_some_and(|conventions| conventions.arguments().last().is_some_and(|own| own.convention.is_guaranteed()))
    }
}

//! Repeats the debug values of moved variables wherever a coroutine may be split, because LLVM puts the rest into
//! another function. The repeated value is the last one on all paths to that place
//! (lib/SILOptimizer/Mandatory/DebugInfoCanonicalizer.cpp).
//!
//! Does not own: the set of moved variables, which the operator `consume` marks.

use cranelift_entity::SecondaryMap;
use sil_analysis::{ApplyKind, ApplySite, Dominators};
use sil_ir::context::{FunctionAttribute, Mutability, Name};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{BlockId, DebugLocation, DebugOperator, DebugVariable, Details, InstructionId, Place};
use sil_ir::source::Span;

use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const COROUTINE_VARIABLES: Pass = Pass::new(&Description {
    name: "sil-onone-debuginfo-canonicalizer",
    class_name: "DebugInfoCanonicalizer",
    summary: "Repeats the debug information of variables where a coroutine may resume in a function of its own.",
    gates: Gates::OPEN,
    runner: Runner::Function(say_anew),
});

/// Repeats debug values in functions with split points.
pub(crate) fn say_anew(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let cfg = environment.analyses.cfg(environment.body);
    let dominators = Dominators::new(environment.body, cfg);
    let mut speaker = Speaker { editor: Editor::new(environment), dominators, said: SecondaryMap::new() };
    // The debug values of dominating blocks are known before a block is visited.
    cfg.reverse_post_order().iter().try_for_each(|block| speaker.visit(*block))?;
    Ok(speaker.editor.finish())
}

/// A variable of the source, or a part of one.
#[derive(Clone, PartialEq)]
struct Variable {
    name: Option<Name>,
    argument: Option<u32>,
    mutability: Option<Mutability>,
    declared: Declared,
    part: Vec<DebugOperator>,
}

/// The declaration of a variable.
#[derive(Clone, Copy, PartialEq)]
enum Declared {
    InSource(DebugLocation),
    /// The place of the instruction in the text, if it has no other location.
    InText(Span),
}

/// The last debug value of each variable in a block, in the order of the first ones.
type Said = Vec<(Variable, InstructionId)>;

struct Speaker<'m> {
    editor: Editor<'m>,
    dominators: Dominators,
    said: SecondaryMap<BlockId, Said>,
}

impl Speaker<'_> {
    fn visit(&mut self, block: BlockId) -> Result<(), Box<Diagnostic>> {
        let mut said = Said::new();
        for id in self.editor.body().instructions_in(block).collect::<Vec<_>>() {
            if let Some(variable) = self.moved_variable(id) {
                match said.iter_mut().find(|(known, _)| *known == variable) {
                    Some((_, last)) => *last = id,
                    None => said.push((variable, id)),
                }
            } else if self.is_split(id) {
                let mut known: Vec<Variable> = said.iter().map(|(variable, _)| variable.clone()).collect();
                let here = said.iter().map(|(_, last)| *last);
                let repeated: Vec<InstructionId> = here.chain(self.reported_above(block, &mut known)).collect();
                if self.editor.opcode(id) == Opcode::TryApply && !repeated.is_empty() {
                    // Swift's compiler crashes there.
                    let what = "saying what variables are behind an asynchronous call that may throw";
                    return Err(Box::new(Diagnostic::unsupported(what, self.editor.body().instructions[id].span)));
                }
                repeated.into_iter().for_each(|last| self.repeat(last, Place::After(id)));
            } else if self.editor.opcode(id) == Opcode::Yield {
                // As in Swift's compiler, debug values of dominating blocks are repeated in the first successor only.
                let mut known = Vec::new();
                for target in self.editor.body().targets(id).to_vec() {
                    let here = said.iter().map(|(_, last)| *last);
                    let repeated: Vec<InstructionId> = here.chain(self.reported_above(block, &mut known)).collect();
                    repeated.into_iter().for_each(|last| self.repeat(last, Place::Start(target)));
                }
            }
        }
        self.said[block] = said;
        Ok(())
    }

    /// Returns the variable of a debug instruction, if it is marked as moveable.
    fn moved_variable(&self, id: InstructionId) -> Option<Variable> {
        let instruction = &self.editor.body().instructions[id];
        let is_moved = instruction.attributes.contains(Attribute::MoveableValueDebugInfo);
        let says = matches!(instruction.opcode, Opcode::DebugValue | Opcode::AllocStack);
        let Details::Variable(variable) = &instruction.details else { return None };
        if !says || !is_moved || names_nothing(variable) {
            return None;
        }
        let own = instruction.location;
        let location = variable
            .location
            .map(|location| DebugLocation { scope: location.scope.or(own.and_then(|own| own.scope)), ..location });
        let declared = location.or(own.filter(|own| own.place.is_some()));
        let is_part =
            |step: &&DebugOperator| matches!(step, DebugOperator::Fragment(_) | DebugOperator::TupleFragment(..));
        Some(Variable {
            name: variable.name,
            argument: variable.argument,
            mutability: variable.mutability,
            declared: declared.map_or(Declared::InText(instruction.span), Declared::InSource),
            part: variable.expression.iter().filter(is_part).cloned().collect(),
        })
    }

    /// Returns whether a coroutine or an asynchronous function may be split after an instruction.
    fn is_split(&self, id: InstructionId) -> bool {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        match body.instructions[id].opcode {
            Opcode::HopToExecutor | Opcode::EndApply | Opcode::AbortApply | Opcode::BeginApply => true,
            opcode if ApplyKind::of(opcode).is_some_and(ApplyKind::is_full) => {
                let conventions = ApplySite::new(body, id).and_then(|site| site.conventions(queries));
                conventions
                    .is_some_and(|conventions| conventions.function.attributes.contains(FunctionAttribute::Async))
            }
            _ => false,
        }
    }

    /// Returns the last debug values of dominating blocks for variables that are not `known`, and adds these variables.
    fn reported_above(&self, block: BlockId, known: &mut Vec<Variable>) -> Vec<InstructionId> {
        let mut last_words = Vec::new();
        let mut above = self.dominators.immediate_dominator(block);
        while let Some(dominating) = above {
            for (variable, last) in &self.said[dominating] {
                if !known.contains(variable) {
                    known.push(variable.clone());
                    last_words.push(*last);
                }
            }
            above = self.dominators.immediate_dominator(dominating);
        }
        last_words
    }

    fn repeat(&mut self, said: InstructionId, place: Place) {
        let body = self.editor.body();
        let Details::Variable(variable) = body.instructions[said].details.clone() else { return };
        let Some(value) = body.result(said).or_else(|| body.operands(said).first().copied()) else { return };
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::MoveableValueDebugInfo);
        self.editor.build(place, said, |builder| {
            builder.with(attributes).debug_value(value, Some(variable));
        });
    }
}

fn names_nothing(variable: &DebugVariable) -> bool {
    variable.name.is_none() && variable.argument.is_none()
}

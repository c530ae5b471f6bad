//! What debuggers show of variables that move is said anew wherever a coroutine may go on in a function of its own, because LLVM splits it there: behind
//! what is last known on all ways to that place (lib/SILOptimizer/Mandatory/DebugInfoCanonicalizer.cpp).
//!
//! Does not own: which variables move, which the operator `consume` says.

use cranelift_entity::SecondaryMap;

use crate::analysis::{ApplyKind, ApplySite, Dominators};
use crate::context::{FunctionAttribute, Mutability, Name};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::{BlockId, DebugLocation, DebugOperator, DebugVariable, Details, InstructionId, Place};
use crate::source::Span;
use crate::transform::editing::editor::Editor;
use crate::transform::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(in crate::transform) const COROUTINE_VARIABLES: Pass = Pass::new(&Description {
    name: "sil-onone-debuginfo-canonicalizer",
    class_name: "DebugInfoCanonicalizer",
    summary: "Repeats the debug information of variables where a coroutine may resume in a function of its own.",
    gates: Gates::OPEN,
    runner: Runner::Function(say_anew),
});

/// Says anew what variables are, in functions with places where coroutines are split.
pub(in crate::transform) fn say_anew(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let cfg = environment.analyses.cfg(environment.body);
    let dominators = Dominators::new(environment.body, cfg);
    let mut speaker = Speaker { editor: Editor::new(environment), dominators, said: SecondaryMap::new() };
    // Whatever is known at the end of a block that dominates another is known before that is looked at.
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

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq)]
enum Declared {
    InSource(DebugLocation),
    /// Where the instruction stands in the text, which has no more to say.
    InText(Span),
}

/// What a block says of variables last, in the order in which it first speaks of them.
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
                let repeated: Vec<InstructionId> = here.chain(self.said_above(block, &mut known)).collect();
                if self.editor.opcode(id) == Opcode::TryApply && !repeated.is_empty() {
                    // Swift's compiler crashes there.
                    let what = "saying what variables are behind an asynchronous call that may throw";
                    return Err(Box::new(Diagnostic::unsupported(what, self.editor.body().instructions[id].span)));
                }
                repeated.into_iter().for_each(|last| self.repeat(last, Place::After(id)));
            } else if self.editor.opcode(id) == Opcode::Yield {
                // As in Swift's compiler: what was said farther above is said on the first of the ways alone.
                let mut known = Vec::new();
                for target in self.editor.body().targets(id).to_vec() {
                    let here = said.iter().map(|(_, last)| *last);
                    let repeated: Vec<InstructionId> = here.chain(self.said_above(block, &mut known)).collect();
                    repeated.into_iter().for_each(|last| self.repeat(last, Place::Start(target)));
                }
            }
        }
        self.said[block] = said;
        Ok(())
    }

    /// The variable that an instruction says something of, if that moves.
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

    /// Whether a coroutine or an asynchronous function may go on behind an instruction in a function of its own.
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

    /// What is said on all ways to `block` of variables that are not `known`, which become that.
    fn said_above(&self, block: BlockId, known: &mut Vec<Variable>) -> Vec<InstructionId> {
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

//! Keeps the captures of a closure alive for the inlining of its function at a call: the closure may be destroyed
//! before or by the call.

use sil_analysis::{ApplySite, Worklist};
use sil_ir::context::{CalleeConvention, ParameterConvention, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{InstructionId, Place, Value};
use sil_ir::types::ArgumentConvention;

use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::knowledge::counting::Counting;
use crate::knowledge::lifetime_frontier::lifetime_frontier;

/// Returns the values for the captures of `closure` at `call`, in the conventions of its function. `None` if the
/// lifetimes are not known.
pub(super) fn keep_alive(editor: &mut Editor<'_>, closure: InstructionId, call: InstructionId) -> Option<Vec<Value>> {
    let body = editor.body();
    let captured = body.operands(closure)[1..].to_vec();
    if body.instructions[closure].attributes.contains(Attribute::OnStack) {
        return Some(captured);
    }
    let site = ApplySite::new(body, closure)?;
    let conventions = site.conventions(editor.environment.queries)?;
    let conventions: Vec<ParameterConvention> = (1..=captured.len())
        .map(|operand| match site.argument_of_operand(conventions, operand)?.convention {
            ArgumentConvention::Parameter(convention) => Some(convention),
            ArgumentConvention::Result(_) | ArgumentConvention::Error => None,
        })
        .collect::<Option<_>>()?;
    let ends = Ends::new(editor, closure, call)?;
    let is_known = |convention: &ParameterConvention| {
        use ParameterConvention::*;
        matches!(convention, Guaranteed | Owned | Unowned | InGuaranteed | InOut | InOutAliasable)
    };
    let is_trivial: Vec<bool> = captured.iter().map(|value| is_trivial(editor, *value)).collect();
    if !conventions.iter().zip(&is_trivial).all(|(convention, trivial)| *trivial || is_known(convention)) {
        return None;
    }
    let mut capture = Capture { editor, closure, ends };
    let mut kept = Vec::with_capacity(captured.len());
    for ((value, convention), is_trivial) in captured.into_iter().zip(conventions).zip(is_trivial) {
        kept.push(if is_trivial { value } else { capture.keep(value, convention) });
    }
    capture.destroy_closure(call);
    Some(kept)
}

fn is_trivial(editor: &Editor<'_>, value: Value) -> bool {
    editor.is_trivial(editor.body().ty(value).object_type())
}

/// The ends of the lifetimes of copies for a call.
struct Ends {
    /// After the call.
    after: Vec<Place>,
    /// At the start of paths that do not reach the call.
    leaks: Vec<Place>,
    /// Whether the call may execute repeatedly for one closure.
    is_repeated: bool,
}

impl Ends {
    fn new(editor: &Editor<'_>, closure: InstructionId, call: InstructionId) -> Option<Self> {
        let body = editor.body();
        let places = lifetime_frontier(body, closure, &[call])?;
        let targets = body.targets(call);
        let after: Vec<Place> = match targets {
            [] => vec![Place::After(call)],
            targets => targets.iter().map(|target| Place::Start(*target)).collect(),
        };
        let is_repeated = match targets {
            [] => !places.contains(&Place::After(call)) && repeats(editor, closure, call),
            targets => !targets.iter().any(|target| places.contains(&Place::Start(*target))),
        };
        let leaks = places.into_iter().filter(|place| !after.contains(place)).collect();
        Some(Self { after, leaks, is_repeated })
    }
}

/// Returns whether a path leads from `call` back to it without a new closure.
fn repeats(editor: &Editor<'_>, closure: InstructionId, call: InstructionId) -> bool {
    let body = editor.body();
    let (made, called) = (body.instructions[closure].block, body.instructions[call].block);
    let targets = |block| body.terminator(block).map_or(&[][..], |terminator| body.targets(terminator));
    let mut open = Worklist::new(targets(called).iter().copied());
    while let Some(block) = open.pop() {
        if block == called {
            return made != called;
        }
        if block != made {
            open.extend(targets(block));
        }
    }
    false
}

struct Capture<'c, 'm> {
    editor: &'c mut Editor<'m>,
    closure: InstructionId,
    ends: Ends,
}

impl Capture<'_, '_> {
    /// Returns a value for the function that lives as long as the call needs it.
    fn keep(&mut self, value: Value, convention: ParameterConvention) -> Value {
        match convention {
            ParameterConvention::InGuaranteed => self.keep_memory(value),
            ParameterConvention::Guaranteed => {
                let copy = self.copy(value);
                let borrow = self.editor.has_ownership().then(|| self.make(|at| at.begin_borrow(copy)));
                self.end(|capture, place| {
                    capture.destroy(place, copy);
                    if let Some(borrow) = borrow {
                        capture.insert(place, |at| at.end_borrow(borrow));
                    }
                });
                borrow.unwrap_or(copy)
            }
            ParameterConvention::Unowned => {
                let copy = self.copy(value);
                let places: Vec<Place> = self.ends.leaks.iter().chain(&self.ends.after).copied().collect();
                places.into_iter().for_each(|place| self.destroy(place, copy));
                copy
            }
            ParameterConvention::Owned => {
                let copy = self.copy(value);
                self.ends.leaks.clone().into_iter().for_each(|place| self.destroy(place, copy));
                copy
            }
            _ => value,
        }
    }

    fn keep_memory(&mut self, value: Value) -> Value {
        let ty = self.editor.body().ty(value);
        let closure = self.closure;
        let mut initializes = AttributeSet::default();
        initializes.insert(Attribute::Init);
        let memory = self.editor.build(Place::Before(closure), closure, |builder| {
            let memory = builder.alloc_stack(ty.object_type(), None);
            builder.with(initializes).copy_addr(value, memory);
            memory
        });
        self.end(|capture, place| {
            capture.insert(place, |at| at.dealloc_stack(memory));
            capture.insert(place, |at| at.destroy_addr(memory));
        });
        memory
    }

    /// Emits code at the ends of a copy's lifetime. At the same place, each new instruction precedes the earlier ones.
    fn end(&mut self, what: impl Fn(&mut Self, Place)) {
        let mut places = self.ends.leaks.clone();
        if !self.ends.is_repeated {
            places.extend(&self.ends.after);
        }
        places.into_iter().for_each(|place| what(self, place));
    }

    fn copy(&mut self, value: Value) -> Value {
        if self.editor.has_ownership() {
            return self.make(|at| at.copy_value(value));
        }
        let counting = Counting::of(self.editor.environment, self.editor.body().ty(value));
        if let Some(retain) = counting.retain() {
            self.insert(Place::Before(self.closure), |at| at.effect(retain, value));
        }
        value
    }

    fn make(&mut self, make: impl FnOnce(&mut InstructionBuilder<'_>) -> Value) -> Value {
        self.editor.build(Place::Before(self.closure), self.closure, make)
    }

    fn destroy(&mut self, place: Place, value: Value) {
        let opcode = match self.editor.has_ownership() {
            true => Some(Opcode::DestroyValue),
            false => Counting::of(self.editor.environment, self.editor.body().ty(value)).release(),
        };
        if let Some(opcode) = opcode {
            self.insert(place, |at| at.effect(opcode, value));
        }
    }

    fn insert(&mut self, place: Place, make: impl FnOnce(&mut InstructionBuilder<'_>) -> InstructionId) {
        self.editor.build(place, self.closure, make);
    }

    /// Destroys an owned closure, which the call would have consumed.
    fn destroy_closure(&mut self, call: InstructionId) {
        let Some(closure) = self.editor.body().result(self.closure) else { return };
        let is_guaranteed = match self.editor.environment.queries.get(self.editor.body().ty(closure).ty) {
            Type::Function(function) => function.callee == CalleeConvention::Guaranteed,
            _ => false,
        };
        let Some(called) = self.editor.operand(call, 0).filter(|_| !is_guaranteed) else { return };
        self.ends.after.clone().into_iter().for_each(|place| self.destroy(place, called));
    }
}

//! Alias analysis of objects, for what counts references: whether an instruction may release an object, and whether memory can be reached from one
//! (SwiftCompilerSources/Sources/Optimizer/Analysis/AliasAnalysis.swift, `isObjReleasedFn`, `isAddrVisibleFromObj`).

use super::alias::unless_returned;
use super::escape::{self, EscapePath, Follows, Start, Visit, Visitor};
use super::{AliasAnalysis, ApplySite, BodyView, Effect, EffectSet, Projection, ProjectionPath, Use};
use crate::model::{InstructionId, Value};

impl AliasAnalysis<'_, '_> {
    /// Whether the call or builtin `id` may release `object` or what is in it.
    pub fn may_release_object(&self, id: InstructionId, object: Value) -> bool {
        let from = (object, ProjectionPath::from(Projection::AnyValueFields));
        let site = ApplySite::new(self.view.body, id).filter(|site| site.kind.is_full());
        let Some(callee) = site.and_then(ApplySite::callee) else {
            return escape::walk(self.module, self.view, &mut ToInstruction { target: id }, from, Start::Up).is_err();
        };
        let mut visitor = ToCall { analysis: self, call: id, effects: EffectSet::NONE };
        let effects = match escape::walk(self.module, self.view, &mut visitor, from, Start::Up) {
            Ok(()) => visitor.effects,
            // It may be anything that what is called releases.
            Err(_) => self.module.effects_of_call(self.view.body, callee),
        };
        effects.contains(Effect::Destroy)
    }

    /// Whether the memory behind `address` can be reached from `object`, through other objects too.
    pub fn is_visible_from(&self, address: Value, object: Value) -> bool {
        let anything = (object, ProjectionPath::from(Projection::Anything));
        let address = self.contained(address);
        self.goes_to(address, anything) && self.goes_to(anything, address)
    }
}

struct ToInstruction {
    target: InstructionId,
}

impl Visitor for ToInstruction {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, _: EscapePath) -> Visit {
        if found.user == self.target { Visit::Escape } else { unless_returned(view, found) }
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}

/// Collects what a call does to the arguments that an object goes to.
struct ToCall<'a, 'v, 'm> {
    analysis: &'a AliasAnalysis<'v, 'm>,
    call: InstructionId,
    effects: EffectSet,
}

impl Visitor for ToCall<'_, '_, '_> {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, path: EscapePath) -> Visit {
        if found.user != self.call {
            return unless_returned(view, found);
        }
        // A closure that captured it may do anything with it.
        let Some(effects) = self.analysis.argument_effect(found, path.path) else { return Visit::Escape };
        self.effects = self.effects.union(effects);
        Visit::Continue
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}

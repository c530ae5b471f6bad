//! Alias analysis of objects, for reference counting: whether an instruction may release an object, and whether memory
//! can be reached from one (SwiftCompilerSources/Sources/Optimizer/Analysis/AliasAnalysis.swift, `isObjReleasedFn`,
//! `isAddrVisibleFromObj`).

use sil_ir::model::{InstructionId, Value};

use super::alias::unless_returned;
use super::escape::{self, EscapePath, Follows, Start, Visit, Visitor};
use super::{AliasAnalysis, ApplySite, BodyView, Effect, Projection, ProjectionPath, Use};

impl AliasAnalysis<'_, '_> {
    /// Whether the call or builtin `id` may release `object` or its content.
    pub fn may_release_object(&self, id: InstructionId, object: Value) -> bool {
        let from = (object, ProjectionPath::from(Projection::AnyValueFields));
        let site = ApplySite::new(self.view.body, id).filter(|site| site.kind.is_full());
        let Some(callee) = site.and_then(ApplySite::callee) else {
            return escape::walk(self.module, self.view, &mut ToInstruction { target: id }, from, Start::Up).is_err();
        };
        // If it escapes, the callee may release it as any object.
        let effects = self
            .effects_of_call_on(id, from, Start::Up, Follows::Object)
            .unwrap_or_else(|| self.module.effects_of_call(self.view.body, callee));
        effects.contains(Effect::Destroy)
    }

    /// Whether the memory at `address` can be reached from `object`, through other objects too.
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

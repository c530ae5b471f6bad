//! Decides whether an apply site can be inlined at all (lib/SILOptimizer/Utils/PerformanceInlinerUtils.cpp,
//! `getEligibleFunction`).

use sil_analysis::{ApplyKind, ApplySite};
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{Body, Function, FunctionFlag, FunctionId, InstructionId};

use super::{Calls, Selection};
use crate::editing::inlining::can_inline;
use crate::knowledge::array_semantics::SemanticFunctionLevel;
use crate::knowledge::dynamic_self::binds_dynamic_self;
use crate::knowledge::visibility::may_be_inlined_into;

impl<'m> Calls<'m> {
    /// The callee of `call` in `caller`, whose body is `body`, if it can be inlined.
    pub(super) fn eligible(&self, caller: &Function, body: &Body, call: InstructionId) -> Option<FunctionId> {
        let id = self.called(body, call)?;
        let callee = &self.environment.module.functions[id];
        let callee_body = self.body(id)?;
        let can_be = ApplyKind::of(body.instructions[call].opcode) != Some(ApplyKind::BeginApply)
            || can_inline(body, call, callee_body);
        let is_selected = match self.selection {
            Selection::OnlyAlways => callee.has(FunctionFlag::AlwaysInline),
            Selection::WithoutMeaning => {
                !self.has_meaning(callee) && !self.has_semantics(callee, is_late_or_availability)
            }
            Selection::Everything => {
                !(self.is_standard_library() && self.has_semantics(callee, |name| name.starts_with("inline_late")))
            }
        };
        let is_optimized = !callee.has(FunctionFlag::OptimizeNone);
        let is_other = caller.name != callee.name && !calls_itself(callee, callee_body);
        let may_be = can_be
            && is_selected
            && is_optimized
            && is_other
            && !callee.has(FunctionFlag::NoInline)
            && !callee.has(FunctionFlag::DynamicallyReplaceable)
            && !self.is_excluded(callee)
            && may_be_inlined_into(callee, caller)
            && (!binds_dynamic_self(self.environment.queries, callee, callee_body)
                || self.has_same_self(caller, body, call));
        may_be.then_some(id)
    }

    /// The callee, if it is a `function_ref`.
    pub(super) fn called(&self, body: &Body, call: InstructionId) -> Option<FunctionId> {
        let callee = ApplySite::new(body, call)?.callee()?;
        let reference = body.defining(callee).filter(|id| body.instructions[*id].opcode == Opcode::FunctionRef)?;
        self.environment.module.function_named(views::FunctionRef::of(body, reference).function)
    }

    pub(super) fn has_semantics(&self, function: &Function, is_wanted: impl Fn(&str) -> bool) -> bool {
        function.semantics(self.environment.queries.context).any(is_wanted)
    }

    /// Returns whether an attribute has a meaning for early passes.
    fn has_meaning(&self, function: &Function) -> bool {
        let flags =
            [FunctionFlag::ReadNone, FunctionFlag::ReadOnly, FunctionFlag::ReadWrite, FunctionFlag::ReleaseNone];
        flags.iter().any(|flag| function.has(*flag))
            || SemanticFunctionLevel::of(&self.environment.module.context, function)
                == SemanticFunctionLevel::Fundamental
            || self.has_semantics(function, |name| name == "inline_late")
    }

    pub(super) fn is_standard_library(&self) -> bool {
        let name = self.environment.settings.module_name.as_deref();
        matches!(name, Some("Swift" | "SwiftOnoneSupport"))
    }

    fn is_excluded(&self, function: &Function) -> bool {
        let name = self.environment.queries.context.text(function.name);
        let settings = &self.environment.settings.inlining;
        settings.never.iter().any(|never| never == name) || settings.never_with.iter().any(|part| name.contains(part))
    }

    /// Returns whether a call passes on the caller's own `Self`.
    fn has_same_self(&self, caller: &Function, body: &Body, call: InstructionId) -> bool {
        let conventions = self.environment.queries.conventions(caller.ty);
        let own = conventions.and_then(|found| found.self_parameter().map(|index| found.argument_of_parameter(index)));
        let arguments = &body.blocks[body.entry()].arguments;
        let own = own.and_then(|index| arguments.get(index));
        let passed = body.operands(call).last().map(|value| {
            let mut value = *value;
            while let Some(id) = body.defining(value)
                && matches!(body.instructions[id].opcode, Opcode::Upcast | Opcode::UncheckedRefCast)
            {
                value = body.operands(id)[0];
            }
            value
        });
        own.is_some() && own.copied() == passed
    }
}

fn is_late_or_availability(name: &str) -> bool {
    name.starts_with("availability") || name.starts_with("inline_late")
}

fn calls_itself(function: &Function, body: &Body) -> bool {
    body.placed_instructions().any(|id| {
        ApplySite::new(body, id)
            .filter(|site| site.kind.is_full())
            .and_then(|site| site.callee())
            .and_then(|callee| body.defining(callee))
            .filter(|id| body.instructions[*id].opcode == Opcode::FunctionRef)
            .is_some_and(|id| views::FunctionRef::of(body, id).function == function.name)
    })
}

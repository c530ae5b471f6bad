//! Boxes that closures capture and that do not escape even so: nobody but the function that makes them and the closures that it calls or passes on sees
//! what is in them (lib/SILOptimizer/Transforms/AllocBoxToStack.cpp).

use rustc_hash::FxHashSet;

use crate::analysis::{ApplyKind, ApplySite, Use, Uses};
use crate::context::Name;
use crate::instructions::{Attribute, Opcode};
use crate::model::views::{ProjectBox, Unary};
use crate::model::{Body, Function, FunctionFlag, InstructionId, Linkage, Module, Value};
use crate::types::{ArgumentConvention, TypeQueries};

/// Calls are followed so deep.
const DEEPEST_CALL: u32 = 4;

/// Follows boxes through the functions of a module.
pub(in crate::transform) struct CapturedBoxes<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
}

impl<'m> CapturedBoxes<'m> {
    pub(in crate::transform) fn new(module: &'m Module, queries: &'m TypeQueries<'m>) -> Self {
        Self { module, queries }
    }

    /// Whether all that `function` is ever given as its argument `index` is a box that does not escape.
    pub(in crate::transform) fn is_given_local_boxes(&self, function: Name, index: usize) -> bool {
        self.is_given_local(function, index, &mut FxHashSet::default())
    }

    fn is_given_local(&self, function: Name, index: usize, seen: &mut FxHashSet<(Name, usize)>) -> bool {
        if !seen.insert((function, index)) {
            return false;
        }
        let mut is_called = false;
        for caller in self.module.functions.values() {
            let Some(body) = &caller.body else { continue };
            let uses = Uses::new(body);
            for id in body.placed_instructions() {
                // A call of a closure passes what it captures when it is made.
                let is_direct = |site: &ApplySite<'_>| {
                    let callee = site.callee().and_then(|callee| body.defining(callee));
                    callee.is_some_and(|id| body.instructions[id].opcode == Opcode::FunctionRef)
                };
                let calls = |site: &ApplySite<'_>| site.called_function() == Some(function) && is_direct(site);
                let Some(site) = ApplySite::new(body, id).filter(calls) else { continue };
                is_called = true;
                let given = || {
                    let operand = site.numbering(site.conventions(self.queries)?).operand_of_sil_argument(index)?;
                    body.operands(id).get(operand).copied()
                };
                if !given().is_some_and(|given| self.is_local(caller, body, &uses, given, seen)) {
                    return false;
                }
            }
        }
        is_called
    }

    /// Whether a box that a function passes on was made there, or was given to it, and does not escape.
    fn is_local(
        &self,
        function: &Function,
        body: &Body,
        uses: &Uses,
        passed: Value,
        seen: &mut FxHashSet<(Name, usize)>,
    ) -> bool {
        let boxed = box_root(body, passed);
        if let Some(id) = body.defining(boxed) {
            return body.instructions[id].opcode == Opcode::AllocBox && self.is_local_box(body, uses, boxed);
        }
        let parameter = body.blocks[body.entry()].arguments.iter().position(|argument| *argument == boxed);
        parameter.is_some_and(|index| self.is_given_local(function.name, index, seen))
    }

    /// Whether nothing keeps a box longer than the function that makes it.
    pub(in crate::transform) fn is_local_box(&self, body: &Body, uses: &Uses, boxed: Value) -> bool {
        self.stays(body, uses, boxed, DEEPEST_CALL)
    }

    /// Whether nothing keeps a box longer than its owner.
    fn stays(&self, body: &Body, uses: &Uses, boxed: Value, depth: u32) -> bool {
        let mut open = vec![boxed];
        while let Some(value) = open.pop() {
            for found in uses.of(value) {
                match body.instructions[found.user].opcode {
                    Opcode::StrongRetain
                    | Opcode::StrongRelease
                    | Opcode::ProjectBox
                    | Opcode::DestroyValue
                    | Opcode::DeallocBox
                    | Opcode::DebugValue
                    | Opcode::EndBorrow => {}
                    Opcode::MarkUninitialized | Opcode::CopyValue | Opcode::BeginBorrow => {
                        open.extend(body.result(found.user));
                    }
                    _ if depth > 0 && self.is_passed_locally(body, uses, *found, depth - 1) => {}
                    _ => return false,
                }
            }
        }
        true
    }

    fn is_passed_locally(&self, body: &Body, uses: &Uses, found: Use, depth: u32) -> bool {
        let Some((site, callee, parameter)) = self.parameter(body, found) else { return false };
        let Some(inner) = &callee.body else { return false };
        let may_be_passed = match site.kind {
            ApplyKind::PartialApply => {
                body.result(found.user).is_some_and(|closure| !self.escapes(body, uses, closure, depth))
            }
            _ => callee.linkage == Linkage::Private && !callee.has(FunctionFlag::OptimizeNone),
        };
        may_be_passed && self.stays(inner, &Uses::new(inner), parameter, depth)
    }

    /// The function that is called with an operand, and its argument for that.
    fn parameter<'b>(&self, body: &'b Body, found: Use) -> Option<(ApplySite<'b>, &'m Function, Value)> {
        let site = ApplySite::new(body, found.user)?;
        let callee = &self.module.functions[self.module.function_named(site.called_function()?)?];
        let inner = callee.body.as_ref()?;
        let index = site.numbering(site.conventions(self.queries)?).sil_argument_of_operand(found.operand as usize)?;
        Some((site, callee, *inner.blocks[inner.entry()].arguments.get(index)?))
    }

    /// Whether a closure may outlive what it captures.
    fn escapes(&self, body: &Body, uses: &Uses, closure: Value, depth: u32) -> bool {
        let mut open = vec![closure];
        while let Some(value) = open.pop() {
            for found in uses.of(value) {
                let id = found.user;
                match body.instructions[id].opcode {
                    Opcode::DebugValue
                    | Opcode::StrongRetain
                    | Opcode::StrongRelease
                    | Opcode::DestroyValue
                    | Opcode::EndBorrow => {}
                    Opcode::Store | Opcode::Assign if found.operand == 1 => {}
                    Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue => open.extend(body.result(id)),
                    _ if self.is_harmless(body, *found, depth) => {}
                    Opcode::PartialApply if self.is_indirect(body, *found) => open.extend(body.result(id)),
                    _ => return true,
                }
            }
        }
        false
    }

    /// Whether a closure is called, or passed to a function that does not keep it.
    fn is_harmless(&self, body: &Body, found: Use, depth: u32) -> bool {
        let is_full = |site: &ApplySite<'_>| site.kind.is_full();
        if ApplySite::new(body, found.user).filter(is_full).is_none() {
            return false;
        }
        if found.operand == 0 || self.is_indirect(body, found) {
            return true;
        }
        let Some((_, callee, parameter)) = self.parameter(body, found) else { return false };
        let Some(inner) = callee.body.as_ref().filter(|_| depth > 0) else { return false };
        !self.escapes(inner, &Uses::new(inner), parameter, 0)
    }

    fn is_indirect(&self, body: &Body, found: Use) -> bool {
        let argument = || {
            let site = ApplySite::new(body, found.user)?;
            site.argument_of_operand(site.conventions(self.queries)?, found.operand as usize)
        };
        argument().is_some_and(|argument| match argument.convention {
            ArgumentConvention::Parameter(convention) => convention.is_indirect(),
            ArgumentConvention::Result(_) | ArgumentConvention::Error => true,
        })
    }
}

/// The box that `boxed` is a copy or a borrow of.
pub(in crate::transform) fn box_root(body: &Body, boxed: Value) -> Value {
    let mut root = boxed;
    while let Some(id) = body.defining(root)
        && matches!(body.instructions[id].opcode, Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MarkUninitialized)
    {
        root = Unary::of(body, id).operand;
    }
    root
}

/// The box that an address is projected from, as the argument of the function that it is.
pub(in crate::transform) fn captured_box(body: &Body, projection: InstructionId) -> Option<usize> {
    let boxed = box_root(body, ProjectBox::get(body, projection)?.operand);
    body.blocks[body.entry()].arguments.iter().position(|argument| *argument == boxed)
}

/// Where what addresses from `projections` lead to is marked as noncopyable, unless that is for good.
pub(in crate::transform) fn marks_of(body: &Body, uses: &Uses, projections: &[InstructionId]) -> Vec<InstructionId> {
    let mut open: Vec<Value> = projections.iter().filter_map(|id| body.result(*id)).collect();
    let mut marks = Vec::new();
    while let Some(value) = open.pop() {
        for user in uses.of(value).iter().map(|found| found.user) {
            let instruction = &body.instructions[user];
            match instruction.opcode {
                Opcode::BeginAccess => open.extend(body.result(user)),
                Opcode::MarkUnresolvedNonCopyableValue => {
                    open.extend(body.result(user));
                    if !instruction.attributes.contains(Attribute::Strict) {
                        marks.push(user);
                    }
                }
                _ => {}
            }
        }
    }
    marks
}

//! Finds boxes that do not escape: only the allocating function, the closures that it calls or passes on, and the
//! private functions that it calls see the box.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, Use, Uses};
use sil_ir::context::{Name, ParameterConvention};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::FunctionRef;
use sil_ir::model::{Body, Function, FunctionFlag, InstructionId, Linkage, Place, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use super::overlay::Overlay;
use crate::knowledge::lifetime_frontier::frontier_of_all_paths;
use crate::pass::settings::OptimizationMode;

/// The greatest depth of followed calls.
const DEEPEST_CALL: u32 = 4;

/// A box that a function passes to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PassedBox {
    /// The caller.
    pub(super) function: Name,
    /// The apply site.
    pub(super) site: InstructionId,
    /// The index of the callee's SIL argument.
    pub(super) argument: usize,
}

/// Returns the apply sites to which a box of `function` is passed, those in callees first; `None` if it escapes.
pub(super) fn where_passed(
    overlay: &Overlay<'_>,
    queries: &TypeQueries<'_>,
    function: &Function,
    uses: &Uses,
    boxed: Value,
    optimization: OptimizationMode,
) -> Option<Vec<PassedBox>> {
    let body = function.body.as_ref()?;
    Escapes { overlay, queries, optimization, seen: FxHashSet::default() }.passed(function.name, body, uses, boxed, 0)
}

/// Returns the function that an apply site references, if any.
pub(super) fn callee_of(site: ApplySite<'_>, body: &Body) -> Option<Name> {
    Some(FunctionRef::get(body, body.defining(site.callee()?)?)?.function)
}

/// Returns the places where a closure's lifetime ends; `None` if they are not known.
pub(super) fn ends_of_closure(body: &Body, uses: &Uses, closure: InstructionId) -> Option<Vec<Place>> {
    let (mut users, mut open) = (Vec::new(), vec![body.result(closure)?]);
    while let Some(value) = open.pop() {
        for user in uses.of(value).iter().map(|found| found.user) {
            // A copy keeps the captured values too.
            if matches!(body.instructions[user].opcode, Opcode::CopyValue | Opcode::MoveValue) {
                open.extend(body.result(user));
            }
            users.push(user);
        }
    }
    (!users.is_empty()).then(|| frontier_of_all_paths(body, closure, &users))?
}

/// The treatment of functions that a closure is passed to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Callees {
    /// Their bodies are analysed.
    Followed,
    /// Nothing is known of them.
    Unknown,
}

/// Follows one box through functions.
struct Escapes<'m> {
    overlay: &'m Overlay<'m>,
    queries: &'m TypeQueries<'m>,
    /// The optimization mode of the program. For debugging, called functions are left unchanged.
    optimization: OptimizationMode,
    /// The functions that the box is passed to.
    seen: FxHashSet<Name>,
}

impl<'m> Escapes<'m> {
    /// Returns the sites to which `boxed` is passed, in `function` and its callees; `None` if it may outlive its owner.
    fn passed(&mut self, function: Name, body: &Body, uses: &Uses, boxed: Value, depth: u32) -> Option<Vec<PassedBox>> {
        let mut passed = Vec::new();
        let mut open = vec![boxed];
        while let Some(value) = open.pop() {
            for found in uses.of(value).iter().rev() {
                match body.instructions[found.user].opcode {
                    Opcode::StrongRetain
                    | Opcode::StrongRelease
                    | Opcode::ProjectBox
                    | Opcode::DestroyValue
                    | Opcode::DebugValue
                    | Opcode::EndBorrow => {}
                    Opcode::DeallocBox if depth == 0 => {}
                    Opcode::MarkUninitialized | Opcode::CopyValue | Opcode::BeginBorrow => {
                        open.extend(body.result(found.user));
                    }
                    _ if depth <= DEEPEST_CALL => {
                        let (argument, below) = self.passed_to_callee(body, uses, *found, depth)?;
                        passed.extend(below);
                        passed.push(PassedBox { function, site: found.user, argument });
                    }
                    _ => return None,
                }
            }
        }
        Some(passed)
    }

    /// Returns the callee's argument for a box, and the sites to which the callee passes it.
    fn passed_to_callee(
        &mut self,
        body: &Body,
        uses: &Uses,
        found: Use,
        depth: u32,
    ) -> Option<(usize, Vec<PassedBox>)> {
        let (site, callee, argument) = self.parameter(body, found)?;
        let may_be_other = match site.kind {
            ApplyKind::PartialApply => {
                let is_on_stack = body.instructions[found.user].attributes.contains(Attribute::OnStack);
                is_on_stack || ends_of_closure(body, uses, found.user).is_some()
            }
            _ => {
                let passed = site.argument_of_operand(site.conventions(self.queries)?, found.operand as usize)?;
                let borrowed = ArgumentConvention::Parameter(ParameterConvention::Guaranteed);
                let may_change = self.optimization != OptimizationMode::None && is_private(callee);
                passed.convention == borrowed && may_change
            }
        };
        if !may_be_other || !self.seen.insert(callee.name) {
            return None;
        }
        let inner = callee.body.as_ref()?;
        let parameter = *inner.blocks[inner.entry()].arguments.get(argument)?;
        let below = self.passed(callee.name, inner, &Uses::new(inner), parameter, depth + 1)?;
        let escapes = site.kind == ApplyKind::PartialApply
            && self.escapes(body, uses, body.result(found.user)?, Callees::Followed);
        (!escapes).then_some((argument, below))
    }

    /// Returns the function that is called with an operand, and the index of its argument for it.
    fn parameter<'b>(&self, body: &'b Body, found: Use) -> Option<(ApplySite<'b>, &'m Function, usize)> {
        let site = ApplySite::new(body, found.user)?;
        let overlay = self.overlay;
        let callee = overlay.get(callee_of(site, body)?)?;
        let numbering = site.numbering(site.conventions(self.queries)?);
        Some((site, callee, numbering.sil_argument_of_operand(found.operand as usize)?))
    }

    /// Returns whether a closure may outlive its captures.
    fn escapes(&self, body: &Body, uses: &Uses, closure: Value, callees: Callees) -> bool {
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
                    _ if self.is_harmless(body, *found, callees) => {}
                    Opcode::PartialApply if self.is_indirect(body, *found) => open.extend(body.result(id)),
                    _ => return true,
                }
            }
        }
        false
    }

    /// Returns whether a use calls a closure, or passes it to a function that does not let it escape.
    fn is_harmless(&self, body: &Body, found: Use, callees: Callees) -> bool {
        let is_full = |site: &ApplySite<'_>| site.kind.is_full();
        if ApplySite::new(body, found.user).filter(is_full).is_none() {
            return false;
        }
        if found.operand == 0 || self.is_indirect(body, found) {
            return true;
        }
        let Some((_, callee, argument)) = self.parameter(body, found) else { return false };
        let Some(inner) = callee.body.as_ref().filter(|_| callees == Callees::Followed) else { return false };
        let parameter = inner.blocks[inner.entry()].arguments.get(argument);
        parameter.is_some_and(|parameter| !self.escapes(inner, &Uses::new(inner), *parameter, Callees::Unknown))
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

/// Returns whether a callee may be specialised: it is private, and is not inlined anyway.
fn is_private(callee: &Function) -> bool {
    let is_kept = callee.has(FunctionFlag::OptimizeNone) || callee.has(FunctionFlag::AlwaysInline);
    callee.linkage == Linkage::Private && !is_kept
}

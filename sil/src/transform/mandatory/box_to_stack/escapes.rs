//! Which boxes do not escape: nobody but the function that makes one, the closures that it calls or passes on, and the private functions that it calls
//! sees the box.

use rustc_hash::FxHashSet;

use super::overlay::Overlay;
use crate::analysis::{ApplyKind, ApplySite, Use, Uses};
use crate::context::{Name, ParameterConvention};
use crate::instructions::{Attribute, Opcode};
use crate::model::views::FunctionRef;
use crate::model::{Body, Function, FunctionFlag, InstructionId, Linkage, Place, Value};
use crate::transform::knowledge::lifetime_frontier::frontier_of_all_ways;
use crate::transform::pass::settings::OptimizationMode;
use crate::types::{ArgumentConvention, TypeQueries};

/// Calls are followed so deep.
const DEEPEST_CALL: u32 = 4;

/// A box that a function passes to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PassedBox {
    /// The function that passes it.
    pub(super) function: Name,
    /// Where it does.
    pub(super) site: InstructionId,
    /// The number of the callee's SIL argument.
    pub(super) argument: usize,
}

/// Where a box is passed on that `function` makes, those that the callees pass on first; none where it escapes.
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

/// The function that an apply site names, if it names one.
pub(super) fn callee_of(site: ApplySite<'_>, body: &Body) -> Option<Name> {
    Some(FunctionRef::get(body, body.defining(site.callee()?)?)?.function)
}

/// The places at which a closure is over; none where that is not seen.
pub(super) fn ends_of_closure(body: &Body, uses: &Uses, closure: InstructionId) -> Option<Vec<Place>> {
    let (mut users, mut open) = (Vec::new(), vec![body.result(closure)?]);
    while let Some(value) = open.pop() {
        for user in uses.of(value).iter().map(|found| found.user) {
            // A copy keeps what is captured as well.
            if matches!(body.instructions[user].opcode, Opcode::CopyValue | Opcode::MoveValue) {
                open.extend(body.result(user));
            }
            users.push(user);
        }
    }
    (!users.is_empty()).then(|| frontier_of_all_ways(body, closure, &users))?
}

/// What is known of functions that a closure is passed to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Callees {
    /// What they do with it.
    Followed,
    /// Nothing.
    Unknown,
}

/// Follows one box through functions.
struct Escapes<'m> {
    overlay: &'m Overlay<'m>,
    queries: &'m TypeQueries<'m>,
    /// What the program is compiled for: to be debugged, the functions that it calls are left as they are.
    optimization: OptimizationMode,
    /// The functions that it is passed to.
    seen: FxHashSet<Name>,
}

impl<'m> Escapes<'m> {
    /// Where `boxed` is passed on, in `function` and below; none where it may outlive its owner.
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

    /// The callee's argument that a box is passed as, and where the callee passes it on.
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

    /// The function that is called with an operand, and the number of its argument for that.
    fn parameter<'b>(&self, body: &'b Body, found: Use) -> Option<(ApplySite<'b>, &'m Function, usize)> {
        let site = ApplySite::new(body, found.user)?;
        let overlay = self.overlay;
        let callee = overlay.get(callee_of(site, body)?)?;
        let numbering = site.numbering(site.conventions(self.queries)?);
        Some((site, callee, numbering.sil_argument_of_operand(found.operand as usize)?))
    }

    /// Whether a closure may outlive what it captures.
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

    /// Whether a closure is called, or passed to a function that does not keep it.
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

/// Whether a function that is called may be made anew: nobody else sees it, and it does not go to where it is called anyway.
fn is_private(callee: &Function) -> bool {
    let is_kept = callee.has(FunctionFlag::OptimizeNone) || callee.has(FunctionFlag::AlwaysInline);
    callee.linkage == Linkage::Private && !is_kept
}

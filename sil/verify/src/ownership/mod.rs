//! Ownership (OSSA): every owned value is consumed exactly once on every path, borrowed values are used within their
//! scope, and each operand takes a kind of value that it can take (docs/SIL/Ownership.md).

mod findings;
mod lifetimes;
mod load_borrows;
mod phis;
mod stored_borrows;
mod swift_words;

use rustc_hash::FxHashSet;

use findings::Finding;
use lifetimes::{Lifetime, LifetimeChecker};
use sil_analysis::ownership_scopes::{self as scopes, OwnershipUses};
use sil_analysis::{ControlFlowGraph, DeadEndBlocks, OperandOwnership, OwnershipKinds, Use, Uses};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Definition, InstructionId, Ownership, Value};
use sil_ir::source::Span;

use super::checker::{FunctionVerifier, OwnershipForm};
use super::failures::{BrokenRule, Complaint};

/// Which rules of ownership are verified.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OwnershipRules {
    /// All of them.
    All,
    /// All except those on lengths of lifetimes.
    AllButLifetimes,
}

/// Verifies the function, where it has ownership.
pub(super) fn verify(verifier: &mut FunctionVerifier<'_>, rules: OwnershipRules) {
    with_ownership(verifier, |mut ownership| {
        ownership.instructions();
        if rules == OwnershipRules::All {
            let findings = ownership.lifetimes();
            ownership.report(findings);
        }
    });
}

/// The errors in the lifetimes of the function's values, in Swift's words; nothing if it has no ownership.
pub(super) fn lifetime_errors(verifier: &mut FunctionVerifier<'_>) -> String {
    let mut text = String::new();
    with_ownership(verifier, |mut ownership| {
        let findings = ownership.lifetimes();
        text = ownership.in_swift_words(&findings);
    });
    text
}

fn with_ownership(verifier: &mut FunctionVerifier<'_>, run: impl FnOnce(OwnershipVerifier<'_, '_>)) {
    if verifier.ownership == OwnershipForm::Lowered || verifier.has_semantics("verify.ownership.sil.never") {
        return;
    }
    let body = verifier.body;
    let cfg = ControlFlowGraph::new(body);
    let kinds = OwnershipKinds::new(verifier.queries, verifier.function, body, &cfg);
    let dead_ends = DeadEndBlocks::new(body, &cfg);
    let analyses = Analyses { body, uses: Uses::new(body), cfg, kinds, dead_ends, positions: positions(body) };
    let (lifetimes, within) = (LifetimeChecker::new(body), FxHashSet::default());
    run(OwnershipVerifier { lifetimes, verifier, analyses: &analyses, findings: Vec::new(), within });
}

/// The analyses of the function's body.
struct Analyses<'m> {
    body: &'m Body,
    cfg: ControlFlowGraph,
    uses: Uses,
    kinds: OwnershipKinds<'m>,
    dead_ends: DeadEndBlocks,
    /// The position of each instruction in its block.
    positions: Vec<u32>,
}

fn positions(body: &Body) -> Vec<u32> {
    let mut positions = vec![0; body.instructions.len()];
    for block in body.blocks.keys() {
        for (position, id) in (0..).zip(body.instructions_in(block)) {
            positions[id.as_u32() as usize] = position;
        }
    }
    positions
}

impl<'m> Analyses<'m> {
    fn ownership_uses(&self) -> OwnershipUses<'_, 'm> {
        OwnershipUses { body: self.body, uses: &self.uses, kinds: &self.kinds }
    }

    fn position(&self, id: InstructionId) -> u32 {
        self.positions[id.as_u32() as usize]
    }

    fn opcode(&self, id: InstructionId) -> Opcode {
        self.body.instructions[id].opcode
    }

    fn span(&self, found: Use) -> Span {
        self.body.instructions[found.user].span
    }
}

struct OwnershipVerifier<'v, 'm> {
    verifier: &'v mut FunctionVerifier<'m>,
    analyses: &'v Analyses<'m>,
    lifetimes: LifetimeChecker,
    /// The findings about lifetimes.
    findings: Vec<Finding>,
    /// The block arguments that are known to end before the values borrowed for them, or to be wrong.
    within: FxHashSet<(Value, Value)>,
}

/// The uses of a value, sorted by their effects on its lifetime.
#[derive(Default)]
struct Gathered {
    ending: Vec<Use>,
    extending: Vec<Use>,
    regular: Vec<Use>,
}

impl OwnershipVerifier<'_, '_> {
    /// Verifies the rules of each instruction alone.
    fn instructions(&mut self) {
        let body = self.analyses.body;
        for id in self.analyses.kinds.conflicts() {
            let instruction = &body.instructions[*id];
            let message =
                format!("the operands of `{}` must all be owned or all be borrowed", instruction.opcode.name());
            self.verifier.fail("ownership-mix", instruction.span, message);
        }
        self.written_arguments();
        body.placed_instructions().for_each(|id| self.instruction(id));
    }

    /// Looks at the lifetimes of all values, in textual order.
    fn lifetimes(&mut self) -> Vec<Finding> {
        let body = self.analyses.body;
        for (block_id, block) in &body.blocks {
            for argument in &block.arguments {
                self.value(*argument);
            }
            for id in body.instructions_in(block_id) {
                for result in body.results(id) {
                    self.value(result);
                }
            }
        }
        std::mem::take(&mut self.findings)
    }

    /// The entry block's arguments have the ownership of the function's type.
    fn written_arguments(&mut self) {
        let body = self.analyses.body;
        for argument in &body.blocks[body.entry()].arguments {
            let (written, expected) = (body.values[*argument].ownership, self.analyses.kinds.kind(*argument));
            if written != expected && !body.ty(*argument).is_address() && self.analyses.kinds.is_known(*argument) {
                let message = format!(
                    "the argument is {}, but by the function's type it is {}",
                    kind_words(written),
                    kind_words(expected)
                );
                let span = self.definition(*argument);
                let diagnostic = Diagnostic::error("argument-ownership", message, span);
                let declared = Some(self.verifier.function.span);
                self.verifier.report(diagnostic.note("the function's type is declared here", declared));
            }
        }
    }

    /// Rules that need to know where borrows and dead ends are.
    fn instruction(&mut self, id: InstructionId) {
        let instruction = &self.analyses.body.instructions[id];
        match instruction.opcode {
            Opcode::LoadBorrow => self.verify_load_borrow(id),
            Opcode::StoreBorrow => self.verify_stored_borrow(id),
            Opcode::Store if instruction.attributes.contains(Attribute::Trivial) => self.trivial_store(id),
            Opcode::SwitchEnum | Opcode::CheckedCastBr => self.forwarded_arguments(id),
            Opcode::ExtendLifetime
                if !self.verifier.is_raw() && !self.analyses.dead_ends.contains(instruction.block) =>
            {
                let message =
                    "`extend_lifetime` may only stand where no path leaves the function, once raw SIL is done with";
                self.verifier.fail("dead-end", instruction.span, message);
            }
            opcode @ (Opcode::DestroyValue | Opcode::DeallocBox)
                if instruction.attributes.contains(Attribute::DeadEnd)
                    && !self.analyses.dead_ends.contains(instruction.block) =>
            {
                let message =
                    format!("`{} [dead_end]` may only stand where no path leaves the function", opcode.name());
                let broken = match opcode {
                    Opcode::DestroyValue => BrokenRule::DeadEndDestroy,
                    _ => BrokenRule::DeadEndBoxDeallocation,
                };
                let diagnostic = Diagnostic::error("dead-end", message, instruction.span);
                self.verifier.report_as(Complaint::Rule { broken, at: id }, diagnostic);
            }
            _ => {}
        }
    }

    /// `store [trivial]` takes a value without ownership, whether its type is trivial or not: an enum case without
    /// payload, or a value that contains one.
    fn trivial_store(&mut self, id: InstructionId) {
        let body = self.analyses.body;
        let Some(value) = body.operands(id).first() else { return };
        let kind = self.analyses.kinds.kind(*value);
        let ty = body.ty(*value);
        if kind == Ownership::None || !self.analyses.kinds.is_known(*value) {
            return;
        }
        let (is, shown) = (kind_words(kind), self.verifier.show(ty));
        let message = format!("`store [trivial]` needs a value without ownership, but this `{shown}` is {is}");
        self.verifier.fail("ownership-qualifier", body.instructions[id].span, message);
    }

    /// The values that a terminator passes on have the ownership of its operands.
    fn forwarded_arguments(&mut self, id: InstructionId) {
        let analyses = self.analyses;
        let body = analyses.body;
        let Some(operand) = body.operands(id).first() else { return };
        let taken = analyses.kinds.kind(*operand);
        if !matches!(taken, Ownership::Owned | Ownership::Guaranteed) {
            return;
        }
        for argument in body.targets(id).iter().filter_map(|target| body.blocks[*target].arguments.first()) {
            let found = analyses.kinds.kind(*argument);
            if matches!(found, Ownership::Owned | Ownership::Guaranteed) && found != taken {
                let name = analyses.opcode(id).name();
                let message = format!(
                    "the argument is {}, but `{name}` passes on a value that is {}",
                    kind_words(found),
                    kind_words(taken)
                );
                let diagnostic = Diagnostic::error("argument-ownership", message, self.definition(*argument));
                let span = Some(body.instructions[id].span);
                self.verifier.report(diagnostic.note("it is passed on here", span));
            }
        }
    }

    fn value(&mut self, value: Value) {
        let kinds = &self.analyses.kinds;
        if !kinds.is_known(value) {
            return;
        }
        let kind = kinds.kind(value);
        let before = self.findings.len();
        let gathered = match kind {
            Ownership::Guaranteed if kinds.is_forwarded_borrow(&self.analyses.cfg, value) => {
                // The scope does not include the values that branches pass on: their uses are examined by themselves.
                if !kinds.incoming(&self.analyses.cfg, value).is_empty() {
                    self.gather_borrowed(value);
                }
                return;
            }
            Ownership::Guaranteed => self.gather_borrowed(value),
            _ => self.gather_unborrowed(value, kind),
        };
        let is_lost = self.findings[before..]
            .iter()
            .any(|finding| matches!(finding, Finding::Operand { .. } | Finding::EndOfPart { .. }));
        // The length of its lifetime can only be checked if all of its uses fit.
        if !is_lost && matches!(kind, Ownership::Owned | Ownership::Guaranteed) {
            self.lifetime(value, gathered);
        }
    }

    /// Whether an operand can take the kind of value that it has.
    fn fits(&mut self, found: Use) -> bool {
        let kinds = &self.analyses.kinds;
        let value = found.value(self.analyses.body);
        let (kind, does) = (kinds.kind(value), kinds.operand(found));
        let fits = does.accepts(kind) || !kinds.is_known(value);
        if !fits {
            self.findings.push(Finding::Operand { found, kind, does });
        }
        fits
    }

    /// The uses of a value that is not borrowed.
    fn gather_unborrowed(&mut self, value: Value, kind: Ownership) -> Gathered {
        let analyses = self.analyses;
        let mut gathered = Gathered::default();
        for found in analyses.uses.of(value).iter().rev() {
            let does = analyses.kinds.operand(*found);
            if analyses.opcode(found.user) == Opcode::ExtendLifetime {
                gathered.extending.push(*found);
                continue;
            }
            if does == OperandOwnership::Mention || !self.fits(*found) || kind != Ownership::Owned {
                continue;
            }
            if does.ends_lifetime() {
                gathered.ending.push(*found);
                continue;
            }
            gathered.regular.push(*found);
            if does == OperandOwnership::Borrow {
                scopes::scope_ends(analyses.ownership_uses(), *found, &mut gathered.regular);
            }
            if analyses.opcode(found.user) == Opcode::BeginBorrow {
                self.verify_reborrows(*found);
            }
        }
        gathered
    }

    /// The uses of a borrowed value and of all that it is passed on to within its scope.
    fn gather_borrowed(&mut self, value: Value) -> Gathered {
        let analyses = self.analyses;
        let mut gathered = Gathered::default();
        let mut seen = FxHashSet::from_iter([value]);
        let mut open: Vec<Use> = analyses.uses.of(value).iter().rev().copied().collect();
        while let Some(found) = open.pop() {
            let does = analyses.kinds.operand(found);
            if does == OperandOwnership::Mention || !self.fits(found) {
                continue;
            }
            if does.ends_lifetime() {
                self.end_of_borrow(value, found, &mut gathered);
            } else if does == OperandOwnership::ForwardBorrowed {
                gathered.regular.push(found);
                if analyses.opcode(found.user) != Opcode::Br {
                    for passed in analyses.kinds.forwarded_to(found).into_iter().filter(|passed| seen.insert(*passed)) {
                        open.extend(analyses.uses.of(passed).iter().rev());
                    }
                }
            } else {
                self.scopes_of_use(found, does, &mut gathered.regular);
                gathered.regular.push(found);
            }
        }
        gathered
    }

    /// Adds the values that depend on a use of a borrowed value that does not pass it on.
    fn scopes_of_use(&mut self, found: Use, does: OperandOwnership, into: &mut Vec<Use>) {
        let analyses = self.analyses;
        if does == OperandOwnership::Borrow {
            scopes::scope_ends(analyses.ownership_uses(), found, into);
            if analyses.opcode(found.user) == Opcode::BeginBorrow {
                self.verify_reborrows(found);
            }
        }
        // It is a scope of its own, too.
        if analyses.opcode(found.user) == Opcode::StoreBorrow {
            scopes::scope_ends(analyses.ownership_uses(), found, into);
        }
        if does == OperandOwnership::InteriorPointer {
            for address in analyses.body.results(found.user) {
                scopes::address_uses(analyses.ownership_uses(), address, into);
            }
        }
    }

    fn end_of_borrow(&mut self, value: Value, found: Use, gathered: &mut Gathered) {
        let ended = found.value(self.analyses.body);
        let maker = self.analyses.body.defining(ended).map(|id| self.analyses.opcode(id));
        if ended == value || maker == Some(Opcode::Borrowed) {
            gathered.ending.push(found);
        } else {
            self.findings.push(Finding::EndOfPart { value, found });
        }
    }

    fn lifetime(&mut self, value: Value, gathered: Gathered) {
        if gathered.ending.is_empty() {
            self.without_end(value, &gathered);
            return;
        }
        if self.is_borrowed_argument(value) {
            self.findings.push(Finding::BorrowedArgument { value, ending: gathered.ending });
            return;
        }
        if self.is_mixed_phi(value) {
            self.findings.push(Finding::MixedPhi(value));
            return;
        }
        let maker = self.analyses.body.defining(value);
        if let Some(maker) = maker
            && matches!(self.analyses.opcode(maker), Opcode::LoadBorrow | Opcode::BeginBorrow)
        {
            self.verify_forwarded_phis(maker);
        }
        let lifetime =
            Lifetime { value, ending: &gathered.ending, extending: &gathered.extending, regular: &gathered.regular };
        self.check(lifetime);
    }

    fn definition(&self, value: Value) -> Span {
        self.verifier.definition_span(value).unwrap_or(self.verifier.function.span)
    }

    pub(super) fn is_borrowed_argument(&self, value: Value) -> bool {
        let entry = self.analyses.body.entry();
        let argument =
            matches!(self.analyses.body.values[value].definition, Definition::Argument { block, .. } if block == entry);
        argument && self.analyses.kinds.kind(value) == Ownership::Guaranteed
    }

    /// A value that nothing consumes and no `end_borrow` ends.
    fn without_end(&mut self, value: Value, gathered: &Gathered) {
        let analyses = self.analyses;
        let body = analyses.body;
        let kind = analyses.kinds.kind(value);
        let (block, maker) = match body.values[value].definition {
            Definition::Argument { block, .. } => (block, None),
            Definition::Result { instruction, .. } => (body.instructions[instruction].block, Some(instruction)),
            Definition::Undef => return,
        };
        if self.is_borrowed_argument(value) || analyses.dead_ends.contains(block) || !gathered.extending.is_empty() {
            return;
        }
        let opcode = maker.map(|id| analyses.opcode(id));
        match (opcode, kind, maker) {
            (Some(Opcode::BeginApply), Ownership::Guaranteed, Some(maker)) => {
                let mut ends = Vec::new();
                scopes::coroutine_ends(analyses.ownership_uses(), maker, &mut ends);
                if !ends.is_empty() {
                    self.check(Lifetime { value, ending: &ends, extending: &[], regular: &gathered.regular });
                }
                return;
            }
            (Some(Opcode::UncheckedOwnershipConversion), _, Some(maker)) => {
                let operand = body.operands(maker).first().map(|operand| analyses.kinds.kind(*operand));
                if operand == Some(Ownership::Unowned) {
                    return;
                }
            }
            // The results of these are borrowed as long as their operands.
            (Some(Opcode::FunctionExtractIsolation | Opcode::ImplicitactorToOpaqueisolationCast), _, _) => return,
            // Nothing is known of how long its value lives.
            (Some(Opcode::UncheckedOwnership), Ownership::Guaranteed, _) => return,
            _ => {}
        }
        self.findings.push(Finding::NeverEnded(value));
    }
}

fn kind_words(kind: Ownership) -> &'static str {
    match kind {
        Ownership::None => "without ownership",
        Ownership::Owned => "owned",
        Ownership::Guaranteed => "borrowed",
        Ownership::Unowned => "unowned",
    }
}

//! The reports of Swift's verifier if it continues after an error (`-verify-continue-on-failure`,
//! `-dont-abort-on-memory-lifetime-errors`): the rules that have its words, and the words with their instructions
//! (lib/SIL/Verifier/SILVerifier.cpp, MemoryLifetimeVerifier.cpp). `ownership/swift_words` has its reports on lifetimes
//! alone.

use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Definition, InstructionId, Value};
use sil_text::print::CommentedLines;

use super::checker::FunctionVerifier;

/// Text about something that is wrong with a module.
pub struct Failure {
    /// Who found it.
    pub found_by: FailureKind,
    /// The property that does not hold any more.
    pub spoils: Spoiled,
    /// The whole report, with a line end.
    pub text: String,
}

/// The origin of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// A rule of the language.
    Rule,
    /// The analysis of initialised memory.
    MemoryLifetime,
}

/// The properties that do not hold after a failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spoiled {
    /// The contents of memory, and nothing else.
    Memory,
    /// Anything.
    All,
}

/// A report of Swift's verifier.
pub(super) enum Complaint {
    /// A rule is broken at an instruction.
    Rule { broken: BrokenRule, at: InstructionId },
    /// Memory, or several parts of it, is not as it must be at an instruction; there is no report for memory that holds
    /// a borrowed value.
    Memory { fault: MemoryFault, parts: Vec<Value>, at: InstructionId },
}

/// The rules that have words of their own.
#[derive(Clone, Copy)]
pub(super) enum BrokenRule {
    BorrowedMemoryWrite,
    DeadEndDestroy,
    DeadEndBoxDeallocation,
    AllocationsLeft,
    ScopesLeft,
    DifferentStacks,
    DifferentScopes,
    DeallocationOrder { latest: Value, freed: Value },
    EndOfUnborrowedAddress,
    AbortedCoroutine,
    PackMetadataOperand,
    PackMetadataUser,
    StoredBorrowDestination,
    StoredBorrowScope { outside: InstructionId },
    NestedStoredBorrow,
    StoredBorrowUse,
}

impl BrokenRule {
    /// The complaint, with the condition that does not hold, as it is written there.
    fn words(self) -> &'static str {
        match self {
            BrokenRule::BorrowedMemoryWrite => "Load borrow invalidated by a local write",
            BrokenRule::DeadEndDestroy => {
                "a dead_end destroy_value must be in a dead-end block: getDeadEndBlocks().isDeadEnd(I->getParentBlock())"
            }
            BrokenRule::DeadEndBoxDeallocation => {
                "a dead_end dealloc_box must be in a dead-end block: getDeadEndBlocks().isDeadEnd(DI->getParentBlock())"
            }
            BrokenRule::AllocationsLeft => {
                "return with stack allocs that haven't been deallocated: state.Stack.empty()"
            }
            BrokenRule::ScopesLeft => "return with operations still active: state.ActiveOps.empty()",
            BrokenRule::DifferentStacks => {
                "inconsistent stack heights entering basic block: state.Stack == foundState.Stack || isUnreachable()"
            }
            BrokenRule::DifferentScopes => {
                "inconsistent active-operations sets entering basic block: state.ActiveOps == foundState.ActiveOps || isUnreachable()"
            }
            BrokenRule::DeallocationOrder { .. } => {
                "stack dealloc does not match most recent stack alloc: op == state.Stack.back()"
            }
            BrokenRule::EndOfUnborrowedAddress => {
                "end_borrow of an address not produced by store_borrow: isa<StoreBorrowInst>(EBI->getOperand())"
            }
            BrokenRule::AbortedCoroutine => {
                "abort_apply of callee-allocated yield-once coroutine!?: !bai->getSubstCalleeType()->isCalleeAllocatedCoroutine() || AI->getFunction()->getASTContext().LangOpts.hasFeature( Feature::CoroutineAccessorsUnwindOnCallerError)"
            }
            BrokenRule::PackMetadataOperand => {
                "Must have alloc_pack_metadata operand: isa<AllocPackMetadataInst>(apmi)"
            }
            BrokenRule::PackMetadataUser => {
                "Introduces instruction of kind which cannot emit on-stack pack metadata: apmi->getIntroducer()->mayRequirePackMetadata(*apmi->getFunction())"
            }
            BrokenRule::StoredBorrowDestination => {
                "store_borrow destination can only be an alloc_stack: isLegal(SI->getDest())"
            }
            BrokenRule::StoredBorrowScope { .. } => {
                "Ill formed store_borrow scope: !success || checkScopedAddressUses( scopedAddress, &scopedAddressLiveness, DEBlocks.get())"
            }
            BrokenRule::NestedStoredBorrow => {
                "A store_borrow cannot be nested within another store_borrow to its destination: !success || !hasOtherStoreBorrowsInLifetime( SI, &scopedAddressLiveness, DEBlocks.get())"
            }
            BrokenRule::StoredBorrowUse => {
                "A store_borrow destination can be used only via its return address: user == SI || isa<StoreBorrowInst>(user) || isa<DeallocStackInst>(user)"
            }
        }
    }
}

/// How memory is not as it must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MemoryFault {
    Uninitialized,
    Initialized,
    /// It holds a borrowed value, and is written.
    Borrowed,
    /// An argument that the caller is to find initialized is not.
    MissingAtReturn,
    LeftAtReturn,
    DifferentOnPaths,
}

impl MemoryFault {
    fn words(self) -> &'static str {
        match self {
            MemoryFault::Uninitialized => "memory is not initialized, but should be",
            MemoryFault::Initialized => "memory is initialized, but shouldn't be",
            MemoryFault::Borrowed => "store-borrow location cannot be written",
            MemoryFault::MissingAtReturn => "indirect argument is not alive at function return",
            MemoryFault::LeftAtReturn => "memory is initialized at function return but shouldn't be",
            MemoryFault::DifferentOnPaths => "lifetime mismatch in predecessors",
        }
    }
}

/// A finding outside of functions.
pub(super) fn of_entity(diagnostic: &Diagnostic) -> Option<Failure> {
    let text = format!(
        "Begin Error in function ?\nSIL verification failed: {}\nEnd Error in function ?\n",
        diagnostic.message
    );
    diagnostic.is_error().then_some(Failure { found_by: FailureKind::Rule, spoils: Spoiled::All, text })
}

/// The findings about the body of a function. One without words in Swift is reported in those of silc.
pub(super) fn of_function(verifier: FunctionVerifier<'_>) -> Vec<Failure> {
    if verifier.finding_count() == 0 {
        return Vec::new();
    }
    let lines = CommentedLines::new(verifier.module, verifier.queries, verifier.body);
    let name = verifier.module.context.text(verifier.function.name);
    let words = Words { verifier: &verifier, lines, name };
    let findings = verifier.findings().iter().filter(|(diagnostic, _)| diagnostic.is_error());
    findings.map(|(diagnostic, complaint)| words.failure(diagnostic, complaint.as_ref())).collect()
}

struct Words<'w, 'm> {
    verifier: &'w FunctionVerifier<'m>,
    lines: CommentedLines<'m>,
    name: &'w str,
}

impl Words<'_, '_> {
    fn failure(&self, diagnostic: &Diagnostic, complaint: Option<&Complaint>) -> Failure {
        let (found_by, text) = match complaint {
            None => (FailureKind::Rule, self.framed(&diagnostic.message, "")),
            Some(Complaint::Rule { broken, at }) => {
                let place = format!("Verifying instruction:\n{}", self.in_context(*at));
                let text = format!("{}{}", self.reported_before(*broken), self.framed(broken.words(), &place));
                (FailureKind::Rule, text)
            }
            Some(Complaint::Memory { fault, parts, at }) => {
                let text = match parts.as_slice() {
                    [] => self.memory(*fault, "", *at),
                    parts => parts.iter().map(|part| self.memory_location(*fault, *part, *at)).collect(),
                };
                (FailureKind::MemoryLifetime, text)
            }
        };
        let spoils = match complaint {
            Some(Complaint::Memory { .. } | Complaint::Rule { broken: BrokenRule::BorrowedMemoryWrite, .. }) => {
                Spoiled::Memory
            }
            None | Some(Complaint::Rule { .. }) => Spoiled::All,
        };
        Failure { found_by, spoils, text }
    }

    fn framed(&self, words: &str, place: &str) -> String {
        let name = self.name;
        format!(
            "Begin Error in function {name}\nSIL verification failed: {words}\n{place}End Error in function {name}\n"
        )
    }

    fn reported_before(&self, broken: BrokenRule) -> String {
        match broken {
            BrokenRule::DeallocationOrder { latest, freed } => {
                let (latest, freed) = (self.lines.value(latest), self.lines.value(freed));
                format!("Recent stack alloc: {latest}Matching stack alloc: {freed}")
            }
            BrokenRule::StoredBorrowScope { outside } => {
                format!("User found outside scope: {}", self.lines.instruction(outside))
            }
            _ => String::new(),
        }
    }

    fn memory_location(&self, fault: MemoryFault, part: Value, at: InstructionId) -> String {
        self.memory(fault, &format!("memory location: {}", self.lines.value(part)), at)
    }

    fn memory(&self, fault: MemoryFault, location: &str, at: InstructionId) -> String {
        let (name, words, instruction) = (self.name, fault.words(), self.lines.instruction(at));
        format!("SIL memory lifetime failure in @{name}: {words}\n{location}at instruction: {instruction}\n")
    }

    /// An instruction between its operands and the users of its result.
    fn in_context(&self, id: InstructionId) -> String {
        let body = self.verifier.body;
        let mut operands = body.operands(id).to_vec();
        operands.retain(|operand| !matches!(body.values[*operand].definition, Definition::Undef));
        let order: Vec<InstructionId> = body.placed_instructions().collect();
        let place = |id: InstructionId| order.iter().position(|placed| *placed == id);
        operands.sort_by_key(|operand| (body.defining(*operand).and_then(place), *operand));
        let mut text: String = operands.iter().map(|operand| self.lines.marked_value("   ", *operand)).collect();
        text.push_str(&self.lines.marked_instruction("-> ", id));
        if body.results(id).len() == 1 {
            let used = |user: &InstructionId| body.results(id).any(|result| body.operands(*user).contains(&result));
            text.extend(order.iter().filter(|user| used(user)).map(|user| self.lines.marked_instruction("   ", *user)));
        }
        text
    }
}

//! The errors in the lifetimes of a function's values, in the words of Swift's verifier in its tests: all of them, each
//! with a number (lib/SIL/Verifier/SILOwnershipVerifier.cpp, LinearLifetimeChecker.cpp).

use sil_analysis::Use;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Definition, InstructionId, Ownership, Value};
use sil_text::print::CommentedLines;
use std::fmt::Write;

use super::OwnershipVerifier;
use super::findings::Finding;
use super::lifetimes::{Broken, Fault, Placement};

impl OwnershipVerifier<'_, '_> {
    /// The findings, an error each, or several where a lifetime has several faults.
    pub(super) fn in_swift_words(&self, findings: &[Finding]) -> String {
        let verifier = &*self.verifier;
        let lines = CommentedLines::new(verifier.module, verifier.queries, self.analyses.body);
        let name = verifier.module.context.text(verifier.function.name);
        let words = SwiftWords { verifier: self, lines };
        let errors = findings.iter().flat_map(|finding| words.errors(finding));
        errors.enumerate().fold(String::new(), |mut text, (number, error)| {
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "Error#: {number}. Begin Error in Function: '{name}'\n{error}Error#: {number}. End Error in Function: '{name}'\n"
            );
            text
        })
    }
}

struct SwiftWords<'w, 'v, 'm> {
    verifier: &'w OwnershipVerifier<'v, 'm>,
    lines: CommentedLines<'m>,
}

impl SwiftWords<'_, '_, '_> {
    fn errors(&self, finding: &Finding) -> Vec<String> {
        match finding {
            Finding::Operand { found, kind, .. } => vec![self.rejected_operand(*found, *kind)],
            Finding::EndOfPart { value, found } => {
                let (value, user) = (self.value(*value), self.user(*found));
                vec![format!("Invalid End Borrow!\nOriginal Value: {value}End Borrow: {user}\n")]
            }
            Finding::BorrowedArgument { value, ending } => {
                let users: String =
                    ending.iter().map(|found| format!("Lifetime Ending User: {}", self.user(*found))).collect();
                let value = self.value(*value);
                vec![format!("Guaranteed function parameter with lifetime ending uses!\nValue: {value}{users}\n")]
            }
            Finding::MixedPhi(value) => {
                let phi = self.value(*value);
                let missing = "Guaranteed forwarding operands not found on all paths!\n";
                vec![format!("Malformed @guaranteed phi!\nPhi: {phi}{missing}")]
            }
            Finding::NeverEnded(value) => {
                vec![format!("{}\nValue: {}\n", self.never_ended(*value), self.value(*value))]
            }
            Finding::Lifetime(broken) => broken.faults.iter().map(|fault| self.fault(broken, fault)).collect(),
        }
    }

    fn value(&self, value: Value) -> String {
        self.lines.value(value)
    }

    fn instruction(&self, id: InstructionId) -> String {
        self.lines.instruction(id)
    }

    fn user(&self, found: Use) -> String {
        self.instruction(found.user)
    }

    fn rejected_operand(&self, found: Use, kind: Ownership) -> String {
        let analyses = self.verifier.analyses;
        let (value, user) = (self.value(found.value(analyses.body)), self.user(found));
        let (number, constraint) = (found.operand, analyses.kinds.operand(found).constraint());
        format!(
            "Have operand with incompatible ownership?!\nValue: {value}User: {user}Operand Number: {number}\nConv: {}\nConstraint:\n{constraint}\n",
            kind.name()
        )
    }

    fn never_ended(&self, value: Value) -> &'static str {
        let analyses = self.verifier.analyses;
        let body = analyses.body;
        match (body.values[value].definition, analyses.kinds.kind(value)) {
            (Definition::Argument { block, .. }, Ownership::Owned) if block == body.entry() => {
                "Owned function parameter without lifetime ending uses!"
            }
            (Definition::Result { instruction, .. }, Ownership::Owned)
                if analyses.opcode(instruction) == Opcode::BeginApply =>
            {
                "Owned yield without lifetime ending uses!"
            }
            (_, Ownership::Owned) => "Error! Found a leaked owned value that was never consumed.",
            _ => {
                "Non trivial values, non address values, and non guaranteed function args must have at least one lifetime ending use?!"
            }
        }
    }

    fn fault(&self, broken: &Broken, fault: &Fault) -> String {
        let value = self.value(broken.value);
        match fault {
            Fault::OverConsumed { end, block } => {
                let user = end.map_or_else(String::new, |end| format!("User: {}", self.user(end)));
                let all: String = broken.ending.iter().map(|end| self.user(*end)).collect();
                format!(
                    "Found over consume?!\nValue: {value}{user}Block: bb{}\nConsuming Users:\n{all}\n",
                    block.as_u32()
                )
            }
            Fault::Outside { found, placement } => self.outside(&value, *found, *placement),
            Fault::Leak(blocks) => {
                let all: String = blocks.iter().map(|block| format!(" bb{}", block.as_u32())).collect();
                let failure = "Error! Found a leak due to a consuming post-dominance failure!";
                format!("{failure}\nValue: {value}Post Dominating Failure Blocks:\n{all}\n")
            }
        }
    }

    fn outside(&self, value: &str, found: Use, placement: Placement) -> String {
        let (user, block) = (self.user(found), self.verifier.block(found).as_u32());
        match placement {
            Placement::BeforeDefinition => format!("Found use outside of lifetime?!\nValue: {value}User: {user}"),
            Placement::AfterEnd(end) => {
                let end = self.user(end);
                format!(
                    "Found outside of lifetime use?!\nValue: {value}Consuming User: {end}Non Consuming User: {user}Block: bb{block}\n\n"
                )
            }
            Placement::OtherBlock => {
                let verifier = &self.verifier.verifier;
                let name = verifier.module.context.text(verifier.function.name);
                format!(
                    "Function: '{name}'\nFound non consuming use outside of the lifetime being verified.\nValue: {value}User: {user}"
                )
            }
            Placement::Unreached => {
                format!("Found outside of lifetime use!\nValue: {value}User:{user}Block: bb{block}\n")
            }
        }
    }
}

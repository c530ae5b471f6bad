//! The differences of two aligned bodies or headers, and the verdict.

pub mod differences;
pub mod effects;

use crate::align::{Alignment, Side};
use crate::atoms::Atoms;
use crate::model::{Body, InstructionId, Module, Span, SymbolId};
use crate::pairing::Pairing;
use crate::part::{Part, Parts};
use differences::Difference;

/// How two functions, globals or declarations compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// The same to the letter, numbers of metadata and attribute groups aside.
    Identical,
    /// The same but for names of values, blocks, types and private symbols, and the order of blocks.
    Names,
    /// The same but for the order of instructions that do not depend on each other.
    Order,
    /// The same, under another name that means something.
    Renamed,
    /// Different.
    Different,
    /// Only in A.
    OnlyInA,
    /// Only in B.
    OnlyInB,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 7] = [
        Verdict::Identical,
        Verdict::Names,
        Verdict::Order,
        Verdict::Renamed,
        Verdict::Different,
        Verdict::OnlyInA,
        Verdict::OnlyInB,
    ];

    /// The word for it in JSON and filters.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Identical => "identical",
            Verdict::Names => "names",
            Verdict::Order => "order",
            Verdict::Renamed => "renamed",
            Verdict::Different => "different",
            Verdict::OnlyInA => "only-in-a",
            Verdict::OnlyInB => "only-in-b",
        }
    }

    /// The words for it in reports.
    pub fn description(self) -> &'static str {
        match self {
            Verdict::Identical => "identical",
            Verdict::Names => "equal up to names",
            Verdict::Order => "equal up to order",
            Verdict::Renamed => "renamed",
            Verdict::Different => "different",
            Verdict::OnlyInA => "only in A",
            Verdict::OnlyInB => "only in B",
        }
    }

    /// Whether it makes two modules different.
    pub fn is_difference(self) -> bool {
        self >= Verdict::Renamed
    }
}

/// How two aligned bodies compare.
pub struct BodyJudgement {
    /// Which block and instruction is which.
    pub alignment: Alignment,
    /// The differences of each pair of instructions, by A's instruction, in A's order; equal pairs are left out.
    pub differences: Vec<(InstructionId, Difference)>,
    /// Instructions of A whose order towards others differs from B's, though it matters.
    pub out_of_order: Vec<InstructionId>,
    /// Instructions of A that went to another block.
    pub moved: Vec<InstructionId>,
    /// Instructions of A that B lacks.
    pub only_in_a: Vec<InstructionId>,
    /// Instructions of B that A lacks.
    pub only_in_b: Vec<InstructionId>,
    /// The parts that differ.
    pub parts: Parts,
    /// The verdict on the body by itself.
    pub verdict: Verdict,
}

/// The facts by which the functions of two modules are judged.
pub struct Judge<'a> {
    /// A.
    pub a: &'a Module,
    /// B.
    pub b: &'a Module,
    /// Their symbols.
    pub pairing: &'a Pairing,
    /// Their texts.
    pub atoms: &'a Atoms,
}

impl Judge<'_> {
    /// Judges two bodies.
    pub fn bodies(&self, ours: &Body, theirs: &Body) -> BodyJudgement {
        let a = Side { body: ours, identities: &self.pairing.identities_a };
        let b = Side { body: theirs, identities: &self.pairing.identities_b };
        let alignment = crate::align::align(&a, &b);
        let mut judgement = BodyJudgement {
            differences: Vec::new(),
            out_of_order: Vec::new(),
            moved: Vec::new(),
            only_in_a: ours.instructions.keys().filter(|at| alignment.instructions.in_b(*at).is_none()).collect(),
            only_in_b: theirs.instructions.keys().filter(|at| alignment.instructions.in_a(*at).is_none()).collect(),
            parts: Parts::default(),
            verdict: Verdict::Different,
            alignment,
        };
        self.find_differences(&a, &b, &mut judgement);
        let reordered = self.find_order(&a, &b, &mut judgement);
        self.conclude(&a, &b, reordered, &mut judgement);
        judgement
    }

    fn find_differences(&self, a: &Side<'_>, b: &Side<'_>, judgement: &mut BodyJudgement) {
        for (id, instruction) in a.body.instructions.iter() {
            let Some(other) = judgement.alignment.instructions.in_b(id) else { continue };
            let other_instruction = &b.body.instructions[other];
            let difference = differences::of_instructions(a, b, &judgement.alignment, instruction, other_instruction);
            if !difference.parts.is_empty() {
                judgement.parts.extend(difference.parts);
                judgement.differences.push((id, difference));
            }
            let block = judgement.alignment.blocks.in_b(instruction.block);
            if block != Some(other_instruction.block) {
                judgement.moved.push(id);
            }
        }
    }

    /// Finds instructions in another order than B's. Gives whether any is, be it allowed or not.
    fn find_order(&self, a: &Side<'_>, b: &Side<'_>, judgement: &mut BodyJudgement) -> bool {
        let mut reordered = false;
        for block in a.body.blocks.keys() {
            let Some(other) = judgement.alignment.blocks.in_b(block) else { continue };
            let pairs: Vec<(InstructionId, InstructionId)> = a.body.blocks[block]
                .instructions()
                .filter_map(|at| Some((at, judgement.alignment.instructions.in_b(at)?)))
                .filter(|(_, theirs)| b.body.instructions[*theirs].block == other)
                .collect();
            if pairs.is_sorted_by_key(|(_, theirs)| *theirs) {
                continue;
            }
            reordered = true;
            judgement.out_of_order.extend(self.dependent_inversions(a, &pairs));
        }
        reordered
    }

    fn dependent_inversions(&self, a: &Side<'_>, pairs: &[(InstructionId, InstructionId)]) -> Vec<InstructionId> {
        let effects: Vec<_> =
            pairs.iter().map(|(at, _)| effects::of(self.a, &a.body.instructions[*at], self.atoms)).collect();
        let mut found = Vec::new();
        for (index, (at, theirs)) in pairs.iter().enumerate() {
            let earlier = pairs[..index].iter().zip(&effects);
            let inverted = earlier.filter(|((_, before), _)| before > theirs);
            if inverted.into_iter().any(|(_, effect)| !effect.may_swap_with(effects[index])) {
                found.push(*at);
            }
        }
        found
    }

    fn conclude(&self, a: &Side<'_>, b: &Side<'_>, reordered: bool, judgement: &mut BodyJudgement) {
        if !judgement.out_of_order.is_empty() {
            judgement.parts.insert(Part::Order);
        }
        let blocks_alone = a.body.blocks.keys().any(|block| judgement.alignment.blocks.in_b(block).is_none())
            || b.body.blocks.keys().any(|block| judgement.alignment.blocks.in_a(block).is_none());
        let alone = !judgement.only_in_a.is_empty() || !judgement.only_in_b.is_empty();
        if alone || blocks_alone || !judgement.moved.is_empty() {
            judgement.parts.insert(Part::Body);
        }
        judgement.verdict = if !judgement.parts.is_empty() {
            Verdict::Different
        } else if reordered {
            Verdict::Order
        } else if self.has_same_text(a.body, b.body) {
            Verdict::Identical
        } else {
            Verdict::Names
        };
    }

    /// Whether two equal bodies have the same blocks in the same order under the same names, numbers of metadata and
    /// attribute groups aside.
    fn has_same_text(&self, ours: &Body, theirs: &Body) -> bool {
        let names = |body: &Body| -> Vec<_> { body.blocks.values().map(|block| block.name).collect() };
        let statements =
            |body: &Body| -> Vec<Span> { body.instructions.values().map(|at| at.statement.span).collect() };
        names(ours) == names(theirs)
            && ours.values.values().map(|value| value.name).eq(theirs.values.values().map(|value| value.name))
            && statements(ours)
                .into_iter()
                .zip(statements(theirs))
                .all(|(ours, theirs)| self.is_same_text(ours, theirs))
    }

    /// Whether two statements are the same text, numbers of metadata and attribute groups aside.
    pub fn is_same_text(&self, ours: Span, theirs: Span) -> bool {
        crate::read::same_spelling(self.a.slice(ours), self.b.slice(theirs))
    }

    /// The differences of the headers of two symbols.
    pub fn headers(&self, ours: SymbolId, theirs: SymbolId) -> Difference {
        differences::of_headers(self, ours, theirs)
    }
}

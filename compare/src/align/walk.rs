//! Two bodies that are the same but for names, numbers and the order of blocks: walked side by side from their entries.

use super::{Alignment, Identities, Side, arrangement};
use crate::model::{BlockId, Instruction, Origin, Term, ValueId};

/// The alignment, if all blocks of both bodies are reachable and all instructions have the same terms. Adornments do
/// not count.
pub fn walk(a: &Side<'_>, b: &Side<'_>) -> Option<Alignment> {
    if a.body.blocks.len() != b.body.blocks.len() || a.body.instructions.len() != b.body.instructions.len() {
        return None;
    }
    let mut walk = Walk { a: *a, b: *b, alignment: Alignment::default(), open: Vec::new() };
    let entries = a.body.blocks.keys().next().zip(b.body.blocks.keys().next());
    if let Some((ours, theirs)) = entries {
        walk.meet_blocks(ours, theirs).then_some(())?;
    }
    let mut reached = 0;
    while let Some((ours, theirs)) = walk.open.pop() {
        reached += 1;
        walk.enter(ours, theirs).then_some(())?;
    }
    (reached == a.body.blocks.len()).then_some(walk.alignment)
}

struct Walk<'a> {
    a: Side<'a>,
    b: Side<'a>,
    alignment: Alignment,
    open: Vec<(BlockId, BlockId)>,
}

impl Walk<'_> {
    fn enter(&mut self, ours: BlockId, theirs: BlockId) -> bool {
        let (a, b) = (self.a.body, self.b.body);
        let (ours, theirs) = (a.blocks[ours].instructions(), b.blocks[theirs].instructions());
        ours.len() == theirs.len()
            && ours.zip(theirs).all(|(ours, theirs)| {
                self.alignment.instructions.relate(ours, theirs)
                    && self.meet(&a.instructions[ours], &b.instructions[theirs])
            })
    }

    fn meet(&mut self, ours: &Instruction, theirs: &Instruction) -> bool {
        let (terms, other_terms) = (&ours.statement.terms, &theirs.statement.terms);
        let is_exchanged = arrangement::is_exchanged(&self.alignment, &self.a, &self.b, ours, theirs);
        let first = ours.commutes.filter(|_| is_exchanged).map(|first| first as usize);
        // The other one of two operands that are exchanged.
        let theirs_at = |at: usize| match first {
            Some(first) if at == first => first + 1,
            Some(first) if at == first + 1 => first,
            _ => at,
        };
        ours.result.is_some() == theirs.result.is_some()
            && terms.len() == other_terms.len()
            && terms.iter().enumerate().all(|(at, ours)| match (*ours, other_terms[theirs_at(at)]) {
                (Term::Block(ours), Term::Block(theirs)) => self.meet_blocks(ours, theirs),
                (Term::Value(ours), Term::Value(theirs)) => self.meet_values(ours, theirs),
                (ours, theirs) => same_constant(self.a.identities, self.b.identities, ours, theirs),
            })
    }

    fn meet_blocks(&mut self, ours: BlockId, theirs: BlockId) -> bool {
        if self.alignment.blocks.are_free(ours, theirs) {
            self.open.push((ours, theirs));
        }
        self.alignment.blocks.relate(ours, theirs)
    }

    fn meet_values(&mut self, ours: ValueId, theirs: ValueId) -> bool {
        match (self.a.body.values[ours].origin, self.b.body.values[theirs].origin) {
            (Origin::Parameter(ours), Origin::Parameter(theirs)) => ours == theirs,
            (Origin::Instruction(ours), Origin::Instruction(theirs)) => {
                self.alignment.instructions.relate(ours, theirs)
            }
            _ => false,
        }
    }
}

fn same_constant(a: &Identities, b: &Identities, ours: Term, theirs: Term) -> bool {
    match (ours, theirs) {
        (Term::Word(ours), Term::Word(theirs)) => ours == theirs,
        (Term::Symbol(ours), Term::Symbol(theirs)) => a[ours] == b[theirs],
        _ => false,
    }
}

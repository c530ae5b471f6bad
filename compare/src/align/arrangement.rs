//! Parts of an instruction whose order is irrelevant, in the order of the related instruction: the operands of an
//! addition, the incoming values of a `phi`.

use std::borrow::Cow;

use super::{Agreement, Alignment, Side};
use crate::model::{Instruction, InstructionKind, Statement, Term};
use crate::read::canonical::{PAIR, incoming, rearrange};

/// The terms of `theirs`, in the order of `ours` as far as the order is irrelevant.
pub fn arranged<'s>(
    alignment: &Alignment,
    a: &Side<'_>,
    b: &Side<'_>,
    ours: &Instruction,
    theirs: &'s Instruction,
) -> Cow<'s, Statement> {
    let order = match (ours.commutes, theirs.commutes) {
        (Some(first), Some(other)) if first == other => {
            let (ours, theirs) = (&ours.statement.terms, &theirs.statement.terms);
            let (left, right) = (first as usize, first as usize + 1);
            let same = |ours, theirs| alignment.agreement(a, b, ours, theirs) == Agreement::Same;
            let is_exchanged = !(same(ours[left], theirs[left]) && same(ours[right], theirs[right]))
                && same(ours[left], theirs[right])
                && same(ours[right], theirs[left]);
            is_exchanged.then(|| (left, 1, vec![1, 0]))
        }
        _ if ours.kind == InstructionKind::Phi && theirs.kind == InstructionKind::Phi => {
            of_incoming(alignment, ours, theirs)
        }
        _ => None,
    };
    let Some((start, length, order)) = order else { return Cow::Borrowed(&theirs.statement) };
    let mut statement = theirs.statement.clone();
    rearrange(&mut statement, start, length, &order);
    Cow::Owned(statement)
}

/// Where the pairs of `theirs` begin, how long they are, and their order. None where the blocks are not the same.
fn of_incoming(alignment: &Alignment, ours: &Instruction, theirs: &Instruction) -> Option<(usize, usize, Vec<usize>)> {
    let (start, blocks) = incoming(&ours.statement)?;
    let (other_start, others) = incoming(&theirs.statement)?;
    let mut free: Vec<bool> = vec![true; others.len()];
    let mut order = Vec::with_capacity(others.len());
    for block in &blocks {
        let other = alignment.blocks.in_b(*block)?;
        let at = (0..others.len()).find(|at| free[*at] && others[*at] == other)?;
        free[at] = false;
        order.push(at);
    }
    (start == other_start && order.len() == others.len()).then_some((start, PAIR, order))
}

/// Whether the operands of `ours` that commute are the exchanged ones of `theirs`, as far as they are related already.
pub fn is_exchanged(
    alignment: &Alignment,
    a: &Side<'_>,
    b: &Side<'_>,
    ours: &Instruction,
    theirs: &Instruction,
) -> bool {
    let (Some(first), Some(other)) = (ours.commutes, theirs.commutes) else { return false };
    let (ours, theirs) = (&ours.statement.terms, &theirs.statement.terms);
    let term = |terms: &[Term], at: u32| terms.get(at as usize).copied();
    let straight = term(ours, first).zip(term(theirs, first));
    let exchanged = term(ours, first).zip(term(theirs, first + 1));
    let agreement = |pair: Option<(Term, Term)>| pair.map(|(ours, theirs)| alignment.agreement(a, b, ours, theirs));
    first == other && agreement(straight) != Some(Agreement::Same) && agreement(exchanged) == Some(Agreement::Same)
}

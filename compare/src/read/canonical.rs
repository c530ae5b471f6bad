//! Irrelevant orders, made canonical: the cases of a `switch` by their values, the incoming values of a `phi` by the
//! order in which their blocks are reached.
//!
//! Does not own operands that may be exchanged, which only an alignment decides (`align/arrangement.rs`).

use cranelift_entity::SecondaryMap;

use crate::atoms::Atoms;
use crate::model::{BlockId, Body, InstructionKind, Statement, Term};

/// Puts the cases of a `switch` into the order of their values. One with weights of its branches, which stand in the
/// same order, stays as it is.
pub fn order_cases(statement: &mut Statement, atoms: &Atoms) {
    let text = |term: &Term| match term {
        Term::Word(word) => atoms.text(*word),
        _ => "",
    };
    let has_weights = statement.adornments.iter().any(|adornment| atoms.text(adornment.content).starts_with("!prof"));
    let is_switch = statement.terms.first().is_some_and(|term| text(term) == "switch");
    let bracket = |bracket| statement.terms.iter().position(|term| text(term) == bracket);
    let (Some(open), Some(close)) = (bracket("["), bracket("]")) else { return };
    if !is_switch || has_weights {
        return;
    }
    // `i32 7 label %b`
    let is_case = |case: &[Term]| matches!(case, [_, Term::Word(_), _, Term::Block(_)]);
    if open > close || !statement.terms[open + 1..close].chunks(CASE).all(is_case) {
        return;
    }
    let value = |case: usize| {
        let text = text(&statement.terms[open + 1 + case * CASE + 1]);
        // The longer of two numbers of one sign is the greater one, if both are positive; any order will do.
        (text.len(), text)
    };
    let mut order: Vec<usize> = (0..(close - open - 1) / CASE).collect();
    order.sort_by_key(|case| value(*case));
    rearrange(statement, open + 1, CASE, &order);
}

/// How many terms a case has.
const CASE: usize = 4;

/// Sorts the incoming values of each `phi` by the order in which their blocks are reached from the entry.
pub fn order_incoming(body: &mut Body) {
    let mut numbers: SecondaryMap<BlockId, usize> = SecondaryMap::new();
    for (number, block) in body.in_reverse_postorder().into_iter().enumerate() {
        numbers[block] = number;
    }
    for instruction in body.instructions.values_mut().filter(|at| at.kind == InstructionKind::Phi) {
        let statement = &mut instruction.statement;
        let Some((start, blocks)) = incoming(statement) else { continue };
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        order.sort_by_key(|pair| numbers[blocks[*pair]]);
        rearrange(statement, start, PAIR, &order);
    }
}

/// How many terms `[ %v, %b ]` has.
pub const PAIR: usize = 4;

/// Where the pairs of a `phi` begin, and the block of each. None where a value has several terms.
pub fn incoming(phi: &Statement) -> Option<(usize, Vec<BlockId>)> {
    let is_block = |term: &Term| matches!(term, Term::Block(_));
    let first = phi.terms.iter().position(is_block)?;
    let start = first.checked_sub(2)?;
    let block = |pair: &[Term]| match pair {
        [_, value, Term::Block(block), _] if !is_block(value) => Some(*block),
        _ => None,
    };
    let blocks: Option<Vec<BlockId>> = phi.terms[start..].chunks(PAIR).map(block).collect();
    Some((start, blocks?))
}

/// Puts groups of `length` terms from `start` on into an order: the numbers of the groups as they stand.
pub fn rearrange(statement: &mut Statement, start: usize, length: usize, order: &[usize]) {
    let of = |group: &usize| start + group * length..start + (group + 1) * length;
    let terms: Vec<Term> = order.iter().flat_map(|group| statement.terms[of(group)].to_vec()).collect();
    let spans: Vec<_> = order.iter().flat_map(|group| statement.spans[of(group)].to_vec()).collect();
    statement.terms[start..start + terms.len()].copy_from_slice(&terms);
    statement.spans[start..start + spans.len()].copy_from_slice(&spans);
}

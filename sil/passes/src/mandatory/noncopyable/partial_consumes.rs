//! Partial consumes of borrowed values: consumed parts are missing for later uses
//! (lib/SILOptimizer/Mandatory/MoveOnlyBorrowToDestructureUtils.cpp). Reports such uses. Does not own: parts of marked
//! memory.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use sil_analysis::{OperandOwnership, Use};
use sil_ir::context::{Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{StructExtract, TupleExtract};
use sil_ir::model::{InstructionId, Value};

use super::messages::{self, Other, Subject};
use super::{Known, has_deinit};
use crate::knowledge::element_flow::search_after;
use crate::knowledge::elements::Step;

/// Reports faulty uses of parts of a marked value.
pub(super) fn misuses(known: &Known<'_>, subject: &Subject<'_>, value: Value) -> Vec<Diagnostic> {
    if let Type::MoveOnlyWrapper(_) = known.environment.queries.get(known.before.ty(value).ty) {
        return Vec::new();
    }
    let uses = PartUses::of(known, value);
    let mut said: FxHashSet<InstructionId> = FxHashSet::default();
    let mut found = Vec::new();
    for consumed in uses.consuming() {
        if uses.are_needed_after(known, consumed) && said.insert(consumed.found.user) {
            found.push(messages::used_after_partial_consume(known, subject, consumed.found.user));
        }
    }
    if found.is_empty() { uses.used_twice(known, subject) } else { found }
}

/// A use of a part, or of the whole.
struct PartUse {
    path: Vec<Step>,
    found: Use,
    is_consuming: bool,
}

impl PartUse {
    fn overlaps(&self, other: &PartUse) -> bool {
        let common = self.path.len().min(other.path.len());
        self.path[..common] == other.path[..common]
    }
}

/// All uses of borrows of a value and of their parts.
struct PartUses {
    uses: Vec<PartUse>,
}

impl PartUses {
    fn of(known: &Known<'_>, value: Value) -> Self {
        let (mut collected, mut open) = (Self { uses: Vec::new() }, borrows(known, value));
        while let Some((value, path)) = open.pop() {
            for found in known.uses.of(value) {
                let extended = |step| path.iter().copied().chain([step]).collect();
                let next = match known.before.instructions[found.user].opcode {
                    Opcode::StructExtract => {
                        extended(Step::Property(StructExtract::of(known.before, found.user).field))
                    }
                    Opcode::TupleExtract => extended(Step::Tuple(TupleExtract::of(known.before, found.user).index)),
                    Opcode::CopyValue if known.is_noncopyable(value) => path.clone(),
                    Opcode::BeginBorrow => path.clone(),
                    Opcode::EndBorrow | Opcode::DebugValue | Opcode::DestroyValue | Opcode::IgnoredUse => continue,
                    _ => {
                        collected.add(known, *found, value, &path);
                        continue;
                    }
                };
                let part = known.before.result(found.user);
                match part.filter(|part| !is_trivial(known, *part)) {
                    Some(part) => open.push((part, next)),
                    // The extraction of a trivial part is a use of the whole.
                    None => collected.uses.push(PartUse { path: path.clone(), found: *found, is_consuming: false }),
                }
            }
        }
        collected
    }

    fn add(&mut self, known: &Known<'_>, found: Use, value: Value, path: &[Step]) {
        let does = known.kinds.operand(found);
        let consumes = matches!(does, OperandOwnership::Consume | OperandOwnership::ForwardOwned);
        let is_consuming = consumes && !is_trivial(known, value);
        self.uses.push(PartUse { path: path.to_vec(), found, is_consuming });
    }

    fn consuming(&self) -> impl Iterator<Item = &PartUse> {
        self.uses.iter().filter(|used| used.is_consuming)
    }

    /// Returns whether consumed parts are used again later.
    fn are_needed_after(&self, known: &Known<'_>, consumed: &PartUse) -> bool {
        let is_use = |id| self.uses.iter().any(|used| used.found.user == id && used.overlaps(consumed));
        let found = search_after(known.before, consumed.found.user, 1, |id, _| match is_use(id) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        found.is_some()
    }

    /// Reports instructions that consume a part twice, or consume and use it, once per element of the part.
    fn used_twice(&self, known: &Known<'_>, subject: &Subject<'_>) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (number, first) in self.uses.iter().enumerate().filter(|(_, used)| used.is_consuming) {
            let others = self.uses.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, used)| used);
            let same = |other: &&PartUse| other.found.user == first.found.user && other.overlaps(first);
            let Some(other) =
                others.clone().find(|other| same(other) && other.is_consuming).or(others.clone().find(same))
            else {
                continue;
            };
            // Two consuming operands are reported once, by the first one.
            if other.is_consuming && other.found.operand < first.found.operand {
                continue;
            }
            let deeper = if other.path.len() > first.path.len() { other } else { first };
            let count = element_count(known, known.before.ty(deeper.found.value(known.before)).ty, 0);
            let does = if other.is_consuming { Other::Consumes } else { Other::Uses };
            let message = messages::used_twice_at_once(known, subject, first.found.user, does);
            found.extend(std::iter::repeat_n(message, count));
        }
        found
    }
}

/// Returns the borrows of a value and of its moves. Simple borrows count as uses of the value itself
/// (lib/SILOptimizer/Utils/CanonicalizeInstruction.cpp, `eliminateSimpleBorrows`).
fn borrows(known: &Known<'_>, value: Value) -> Vec<(Value, Vec<Step>)> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        for used in known.uses.of(value) {
            match known.before.instructions[used.user].opcode {
                Opcode::BeginBorrow if !is_simple(known, used.user) => {
                    found.extend(known.before.result(used.user).map(|borrow| (borrow, Vec::new())));
                }
                Opcode::MoveValue => open.extend(known.before.result(used.user)),
                _ => {}
            }
        }
    }
    found
}

/// Returns whether a borrow is simple and can be replaced by its value.
pub(super) fn is_simple(known: &Known<'_>, borrow: InstructionId) -> bool {
    let attributes = known.before.instructions[borrow].attributes;
    let kept = [Attribute::Lexical, Attribute::Fixed, Attribute::VarDecl];
    let mut uses = known.before.results(borrow).flat_map(|value| known.uses.of(value));
    !kept.into_iter().any(|kind| attributes.contains(kind))
        && uses.all(|found| known.kinds.operand(*found) != OperandOwnership::ForwardBorrowed)
}

fn is_trivial(known: &Known<'_>, value: Value) -> bool {
    let ty = known.before.ty(value).ty;
    known.environment.queries.properties(ty, known.environment.function.signature).is_trivial()
}

/// The greatest depth to which types are divided: invalid input may make a type a part of itself, and indirect cases
/// do.
const DEEPEST_PART: usize = 16;

/// Returns the number of elements of a type with separate lifetimes (lib/SIL/Utils/FieldSensitivePrunedLiveness.cpp,
/// `TypeSubElementCount`).
fn element_count(known: &Known<'_>, ty: TypeId, depth: usize) -> usize {
    let queries = known.environment.queries;
    let count = |types: Vec<TypeId>| types.into_iter().map(|ty| element_count(known, ty, depth + 1)).sum::<usize>();
    if let Some(elements) = queries.tuple_element_types(ty) {
        return count(elements);
    }
    let Some(nominal) = queries.as_nominal(ty).map(|nominal| nominal.declaration).filter(|_| depth < DEEPEST_PART)
    else {
        return 1;
    };
    let declaration = queries.declarations.get(nominal);
    let deinit = usize::from(has_deinit(known, nominal));
    match declaration.kind {
        NominalKind::Struct => count(queries.stored_property_types(ty).unwrap_or_default()).max(1) + deinit,
        NominalKind::Enum => {
            let payloads = (0..declaration.cases.len() as u32).filter_map(|case| queries.case_payload(ty, case));
            count(payloads.collect()) + 1 + deinit
        }
        _ => 1,
    }
}

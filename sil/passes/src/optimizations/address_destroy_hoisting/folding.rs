//! Folds a destroy into preceding copies. If the copies cover all nontrivial parts of the memory, each once, they
//! become takes (`foldBarrier`).

use rustc_hash::FxHashSet;
use sil_analysis::{AccessKind, AccessStorage, NestedAccess, field_number};
use sil_ir::context::TypeId;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CopyAddr, StructExtract, TupleExtract, Unary};
use sil_ir::model::{Body, InstructionId, Value};
use sil_ir::types::{Copyability, Escapability};

use super::destroys::Hoisting;
use crate::knowledge::aggregate_parts::{is_resilient, parts};

/// The projection path to a part of the memory: field and element indices, outermost first.
type Path = Vec<u32>;

/// The state of the upward scan from the destroy.
#[derive(Default)]
struct Covered {
    /// The nontrivial parts that are not copied yet.
    open: FxHashSet<Path>,
    /// The trivial parts that have been copied.
    trivial: FxHashSet<Path>,
    copies: Vec<InstructionId>,
}

/// Turns a copy into a take.
pub(super) fn take(body: &mut Body, id: InstructionId) {
    let attributes = &mut body.instructions[id].attributes;
    attributes.remove(Attribute::Copy);
    attributes.insert(Attribute::Take);
}

impl Hoisting<'_, '_> {
    /// The copies above `barrier` that can replace a destroy after it by taking the memory.
    pub(super) fn folded(&self, barrier: InstructionId) -> Option<Vec<InstructionId>> {
        let body = self.view.body;
        if self.view.opcode(barrier) == Opcode::EndAccess {
            let begin = body.defining(Unary::of(body, barrier).operand)?;
            if self.without_accesses(body.result(begin)?) != self.without_accesses(self.root) {
                return None;
            }
            for id in std::iter::successors(body.previous(barrier), |id| body.previous(*id)) {
                if id == begin {
                    return None;
                }
                if let Some(copies) = self.covering(id) {
                    return Some(copies);
                }
                if self.is_barrier(id) {
                    return None;
                }
            }
        }
        self.covering(barrier)
    }

    fn without_accesses(&self, mut address: Value) -> Value {
        while let Some((id, Opcode::BeginAccess)) = self.view.definition(address)
            && let Some(operand) = self.view.operand(id, 0)
        {
            address = operand;
        }
        address
    }

    /// Scans upward from `last` for copies that cover all parts.
    fn covering(&self, last: InstructionId) -> Option<Vec<InstructionId>> {
        let body = self.view.body;
        let mut covered = Covered::default();
        for (path, is_trivial) in self.leaves(body.ty(self.root).ty, Path::new()) {
            if !is_trivial {
                covered.open.insert(path);
            }
        }
        for id in std::iter::successors(Some(last), |id| body.previous(*id)) {
            self.cover(id, &mut covered)?;
            if covered.open.is_empty() {
                return Some(covered.copies);
            }
        }
        None
    }

    /// Records the parts that an instruction copies. Returns `None` if the destroy cannot be folded above the
    /// instruction.
    fn cover(&self, id: InstructionId, covered: &mut Covered) -> Option<()> {
        let body = self.view.body;
        let attributes = body.instructions[id].attributes;
        let source = match self.view.opcode(id) {
            Opcode::Load => Some(Unary::of(body, id).operand),
            Opcode::CopyAddr => Some(CopyAddr::of(body, id).source),
            _ => None,
        };
        let Some(source) = source.filter(|source| self.is_of_memory(*source)) else {
            return (!self.is_barrier(id)).then_some(());
        };
        let is_copy = match self.view.opcode(id) {
            Opcode::Load => attributes.contains(Attribute::Copy),
            _ => !attributes.contains(Attribute::Take),
        };
        let path = self.path(source).filter(|_| is_copy)?;
        for (leaf, is_trivial) in self.leaves(body.ty(source).ty, path) {
            let is_first = if is_trivial { covered.trivial.insert(leaf) } else { covered.open.remove(&leaf) };
            is_first.then_some(())?;
        }
        covered.copies.push(id);
        Some(())
    }

    /// Returns whether an address is in the same storage, looking through accesses.
    fn is_of_memory(&self, address: Value) -> bool {
        let root = AccessStorage::of(self.view, self.root, NestedAccess::Stop);
        root.is_some() && AccessStorage::of(self.view, address, NestedAccess::Ignore) == root
    }

    /// The projection path of an address, or `None` if the address is not a projection of the root or the access is a
    /// read.
    fn path(&self, address: Value) -> Option<Path> {
        let body = self.view.body;
        let (mut path, mut current, mut is_accessed) = (Path::new(), address, false);
        while current != self.root {
            let (id, opcode) = self.view.definition(current)?;
            current = match opcode {
                Opcode::StructElementAddr => {
                    path.push(field_number(self.view.queries, body, id)?);
                    StructExtract::of(body, id).operand
                }
                Opcode::TupleElementAddr => {
                    let TupleExtract { operand, index } = TupleExtract::of(body, id);
                    path.push(index);
                    operand
                }
                Opcode::BeginAccess => {
                    if !is_accessed && AccessKind::of(body, id) == AccessKind::Read {
                        return None;
                    }
                    is_accessed = true;
                    self.view.operand(id, 0)?
                }
                _ => return None,
            };
        }
        path.reverse();
        Some(path)
    }

    /// The leaf parts of a type, and whether each of them is trivial.
    fn leaves(&self, ty: TypeId, path: Path) -> Vec<(Path, bool)> {
        let queries = self.view.queries;
        let properties = queries.properties(ty, self.view.function.signature);
        // Other types are destroyed as a whole.
        let is_ordinary = properties.copyability != Copyability::Noncopyable
            && properties.escapability == Escapability::Escapable
            && !is_resilient(queries, ty);
        let Some(parts) = parts(queries, ty).filter(|_| is_ordinary) else {
            return vec![(path, properties.is_trivial())];
        };
        let within = (0..).zip(parts).flat_map(|(index, part)| {
            let mut path = path.clone();
            path.push(index);
            self.leaves(part.ty, path)
        });
        within.collect()
    }
}

//! A partition of elements into regions, with the operands that sent each region away, and the operations that change
//! it (`Partition`, `PartitionOp`, include/swift/SILOptimizer/Utils/PartitionUtils.h).

use sil_ir::model::InstructionId;
use std::collections::{BTreeMap, BTreeSet};

use super::tracked_values::Element;
use crate::Use;

/// The number of a region: of canonical partitions that of its first element.
pub type Region = u32;

/// The effect of an instruction on a partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The kind of operation.
    pub kind: OperationKind,
    /// The instruction, and its operand where one is meant.
    pub source: Source,
}

/// The cause of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An instruction.
    Instruction(InstructionId),
    /// An operand of one.
    Operand(Use),
}

impl Source {
    /// The instruction.
    pub fn instruction(self) -> InstructionId {
        match self {
            Source::Instruction(id) => id,
            Source::Operand(found) => found.user,
        }
    }
}

/// The kind of a change of a partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationKind {
    /// The first element gets into the region of the second.
    Assign(Element, Element),
    /// An element gets a region of its own.
    AssignFresh(Element),
    /// The first element gets into the region of the second, which was new just before.
    AssignFreshWith(Element, Element),
    /// Two regions become one.
    Merge(Element, Element),
    /// A region is sent away.
    Send(Element),
    /// A sent value is back.
    UndoSend(Element),
    /// A region must not have been sent away.
    Require(Element, Requirement),
    /// Nothing is known of how the instruction treats an element.
    Unknown(Element),
    /// An `inout sending` parameter must have a disconnected value at the end of the function.
    InOutSendingAtExit(Element),
    /// A call gives something that belongs to the callee's actor.
    CrossingResult(Element),
}

/// The requirement on a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// That it was not sent.
    NotSent,
    /// The same, where a closure may write the variable that a `Sendable` part of is read.
    NotSentToCapture,
}

/// The elements of each region, and the operands that sent each region.
#[derive(Clone, Default, Debug)]
pub struct Partition {
    regions: BTreeMap<Element, Region>,
    sent: BTreeMap<Region, BTreeSet<Use>>,
    next: Region,
}

impl Partition {
    /// A partition whose elements are all in one region.
    pub fn single_region(elements: &[Element]) -> Self {
        let mut partition = Self::default();
        if let Some(first) = elements.iter().min() {
            partition.next = first.0 + 1;
            partition.regions = elements.iter().map(|element| (*element, first.0)).collect();
        }
        partition
    }

    /// The region of an element; none where it is not tracked yet.
    pub fn region(&self, element: Element) -> Option<Region> {
        self.regions.get(&element).copied()
    }

    /// The elements of a region.
    pub fn elements(&self, region: Region) -> impl Iterator<Item = Element> + '_ {
        self.regions.iter().filter(move |(_, found)| **found == region).map(|(element, _)| *element)
    }

    /// The operands that sent the region of an element.
    pub fn sent_by(&self, element: Element) -> Option<&BTreeSet<Use>> {
        self.sent.get(&self.region(element)?)
    }

    /// Gives an element a region of its own.
    pub fn track_new(&mut self, element: Element) {
        let region = self.fresh();
        self.move_to(element, region);
    }

    /// Puts an element into the region of another one.
    pub fn assign(&mut self, element: Element, other: Element) {
        if element == other {
            return;
        }
        let region = self.region_or_new(other);
        self.move_to(element, region);
    }

    /// Makes two regions one.
    pub fn merge(&mut self, first: Element, second: Element) -> Region {
        let (first, second) = (self.region_or_new(first), self.region_or_new(second));
        if first == second {
            return first;
        }
        let (kept, dropped) = (first.min(second), first.max(second));
        self.regions.values_mut().filter(|region| **region == dropped).for_each(|region| *region = kept);
        if let Some(sent) = self.sent.remove(&dropped) {
            self.sent.entry(kept).or_insert(sent);
        }
        kept
    }

    /// Notes that an operand sends the region of an element.
    pub fn mark_sent(&mut self, element: Element, by: Use) {
        let region = self.region_or_new(element);
        self.sent.entry(region).or_default().insert(by);
    }

    /// Forgets the operands that sent the region of an element.
    pub fn undo_send(&mut self, element: Element) {
        let region = self.region_or_new(element);
        self.sent.remove(&region);
    }

    fn region_or_new(&mut self, element: Element) -> Region {
        match self.region(element) {
            Some(region) => region,
            None => {
                let region = self.fresh();
                self.regions.insert(element, region);
                region
            }
        }
    }

    fn fresh(&mut self) -> Region {
        self.next += 1;
        self.next - 1
    }

    fn move_to(&mut self, element: Element, region: Region) {
        let before = self.regions.insert(element, region);
        if let Some(before) = before.filter(|before| *before != region)
            && !self.regions.values().any(|found| *found == before)
        {
            self.sent.remove(&before);
        }
    }

    /// Gives each region the number of its first element, so that equal partitions are written alike.
    pub fn canonicalize(&mut self) {
        let mut numbers: BTreeMap<Region, Region> = BTreeMap::new();
        for (element, region) in &mut self.regions {
            *region = *numbers.entry(*region).or_insert(element.0);
            self.next = element.0 + 1;
        }
        let sent = std::mem::take(&mut self.sent);
        self.sent = sent.into_iter().filter_map(|(region, by)| Some((*numbers.get(&region)?, by))).collect();
    }

    /// Whether two canonical partitions are the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.regions == other.regions && self.sent == other.sent
    }

    /// The partition where paths with these partitions meet. Both are canonical.
    pub fn join(&self, other: &Self) -> Self {
        let mut joined = self.clone();
        for (element, region) in &other.regions {
            let first = Element(*region);
            if joined.regions.contains_key(element) {
                let mut into = joined.regions[element];
                if *element != first {
                    into = joined.merge(*element, first);
                }
                if let Some(sent) = other.sent.get(region) {
                    joined.sent.entry(into).or_default().extend(sent);
                }
                continue;
            }
            joined.next = joined.next.max(element.0 + 1);
            match joined.region(first) {
                Some(into) if *element != first => _ = joined.regions.insert(*element, into),
                _ => {
                    joined.regions.insert(*element, *region);
                    if let Some(sent) = other.sent.get(region) {
                        joined.sent.entry(*region).or_default().extend(sent);
                    }
                }
            }
        }
        joined.canonicalize();
        joined
    }
}

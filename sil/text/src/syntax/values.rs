//! The names of values and blocks in a body: definitions, and references before their definition.

use rustc_hash::FxHashMap;

use sil_ir::model::{BlockId, Value};
use sil_ir::source::Span;

/// The values of names in a body. Numbers, the most common names, index a table.
#[derive(Default)]
pub(super) struct ValueNames<'a> {
    numbered: Vec<Option<Value>>,
    named: FxHashMap<&'a str, Value>,
    /// Placeholders for values that are used before they are defined.
    pending: FxHashMap<Value, PendingValue<'a>>,
    /// The definitions of placeholders.
    resolved: FxHashMap<Value, Value>,
}

/// A value that is used but not defined yet.
#[derive(Clone, Copy)]
pub(super) struct PendingValue<'a> {
    pub(super) name: &'a str,
    pub(super) span: Span,
}

/// The result of defining a name.
pub(super) enum Defined {
    /// The name is new.
    New,
    /// The name was used before, by this placeholder.
    Pending(Value),
    /// The name is already defined.
    Duplicate,
}

const LARGEST_NUMBER: usize = 1 << 20;

/// Returns the number of a name that can index a table: `%12`, but neither `%012` nor `%x`.
fn number(name: &str) -> Option<usize> {
    let digits = name.as_bytes().get(1..)?;
    if digits.is_empty() || digits.len() > 7 || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    let mut number = 0;
    for digit in digits {
        number = number * 10 + digit.checked_sub(b'0').filter(|digit| *digit < 10)? as usize;
    }
    (number < LARGEST_NUMBER).then_some(number)
}

impl<'a> ValueNames<'a> {
    /// Returns the value, or placeholder, called `name`.
    pub(super) fn find(&self, name: &str) -> Option<Value> {
        match number(name) {
            Some(number) => self.numbered.get(number).copied().flatten(),
            None => self.named.get(name).copied(),
        }
    }

    fn set(&mut self, name: &'a str, value: Value) {
        match number(name) {
            Some(number) => {
                if self.numbered.len() <= number {
                    self.numbered.resize(number + 1, None);
                }
                self.numbered[number] = Some(value);
            }
            None => {
                self.named.insert(name, value);
            }
        }
    }

    /// Makes `value` the placeholder for `name`.
    pub(super) fn expect(&mut self, name: &'a str, value: Value, span: Span) {
        self.set(name, value);
        self.pending.insert(value, PendingValue { name, span });
    }

    /// Defines `name` as `value`.
    pub(super) fn define(&mut self, name: &'a str, value: Value) -> Defined {
        let Some(former) = self.find(name) else {
            self.set(name, value);
            return Defined::New;
        };
        if self.pending.remove(&former).is_none() {
            return Defined::Duplicate;
        }
        self.set(name, value);
        self.resolved.insert(former, value);
        Defined::Pending(former)
    }

    /// Returns the used but undefined values, in textual order of the first use.
    pub(super) fn undefined(&self) -> Vec<PendingValue<'a>> {
        let mut pending: Vec<_> = self.pending.values().copied().collect();
        pending.sort_by_key(|value| value.span.start);
        pending
    }

    /// Replaces placeholders by their definitions.
    pub(super) fn resolve(&self, operands: &mut [Value]) {
        if self.resolved.is_empty() {
            return;
        }
        for operand in operands {
            if let Some(value) = self.resolved.get(operand) {
                *operand = *value;
            }
        }
    }
}

/// The blocks of labels.
#[derive(Default)]
pub(super) struct BlockNames<'a> {
    blocks: FxHashMap<&'a str, BlockId>,
    /// References to blocks that have no definition yet.
    pending: FxHashMap<BlockId, PendingBlock<'a>>,
    /// The blocks in the order of their definitions.
    order: Vec<BlockId>,
}

/// A block that is referred to but not defined yet.
#[derive(Clone, Copy)]
pub(super) struct PendingBlock<'a> {
    pub(super) label: &'a str,
    pub(super) span: Span,
}

impl<'a> BlockNames<'a> {
    /// Returns the block called `label`; `make` creates it at the first reference.
    pub(super) fn refer(&mut self, label: &'a str, span: Span, make: impl FnOnce() -> BlockId) -> BlockId {
        if let Some(block) = self.blocks.get(label) {
            return *block;
        }
        let block = make();
        self.blocks.insert(label, block);
        self.pending.insert(block, PendingBlock { label, span });
        block
    }

    /// Records the definition of `block`. Returns false if it is defined already.
    pub(super) fn define(&mut self, block: BlockId) -> bool {
        let first = self.pending.remove(&block).is_some();
        if first {
            self.order.push(block);
        }
        first
    }

    /// Returns the referenced but undefined blocks, in textual order of the first reference.
    pub(super) fn undefined(&self) -> Vec<PendingBlock<'a>> {
        let mut pending: Vec<_> = self.pending.values().copied().collect();
        pending.sort_by_key(|block| block.span.start);
        pending
    }

    /// Returns the blocks in the order of their definitions.
    pub(super) fn order(&self) -> &[BlockId] {
        &self.order
    }
}

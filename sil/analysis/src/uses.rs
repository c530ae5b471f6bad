//! The uses of each value of a body.

use cranelift_entity::EntityRef;

use sil_ir::model::{Body, InstructionId, Value};

/// A use of a value: an operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Use {
    /// The instruction.
    pub user: InstructionId,
    /// The number of the operand.
    pub operand: u32,
}

impl Use {
    /// The value that is used.
    pub fn value(self, body: &Body) -> Value {
        body.operands(self.user)[self.operand as usize]
    }
}

/// The uses of all values of a body, computed once.
pub struct Uses {
    starts: Vec<u32>,
    uses: Vec<Use>,
}

impl Uses {
    /// Collects the uses in `body`, in the order of its blocks.
    pub fn new(body: &Body) -> Self {
        let mut starts = vec![0u32; body.values.len() + 1];
        each_use(body, |value, _| starts[value.index() + 1] += 1);
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let nothing = Use { user: InstructionId::from_u32(0), operand: 0 };
        let mut uses = vec![nothing; starts.last().map_or(0, |count| *count as usize)];
        each_use(body, |value, found| {
            let at = &mut next[value.index()];
            uses[*at as usize] = found;
            *at += 1;
        });
        Self { starts, uses }
    }

    /// How many values the body has.
    pub fn value_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The uses of `value`; none of a value that is newer.
    pub fn of(&self, value: Value) -> &[Use] {
        match self.starts.get(value.index()..value.index() + 2) {
            Some(&[start, end]) => &self.uses[start as usize..end as usize],
            _ => &[],
        }
    }
}

fn each_use(body: &Body, mut visit: impl FnMut(Value, Use)) {
    for block in body.blocks.keys() {
        for id in body.instructions_in(block) {
            for (operand, value) in (0..).zip(body.operands(id)) {
                visit(*value, Use { user: id, operand });
            }
        }
    }
}

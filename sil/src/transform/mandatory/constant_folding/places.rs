//! Variables of which all that is done to them is seen: their addresses, and where in a variable each leads.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::captured_arguments::BY_ADDRESS;
use crate::analysis::{ApplyKind, ApplySite, Use, Uses, field_number};
use crate::instructions::Opcode;
use crate::model::{BlockId, Body, Value};
use crate::types::TypeQueries;

/// A part of a variable.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The memory, as it was allocated or passed.
    pub(super) variable: Value,
    /// The fields and elements that lead to the part, the outermost first.
    pub(super) path: Vec<u32>,
}

/// The variables of a body.
#[derive(Default)]
pub(super) struct Places {
    addresses: FxHashMap<Value, Place>,
    /// The blocks that may change a variable.
    changed: FxHashMap<Value, FxHashSet<BlockId>>,
}

impl Places {
    /// Adds variables.
    pub(super) fn add(&mut self, queries: &TypeQueries<'_>, body: &Body, variables: impl Iterator<Item = Value>) {
        let uses = Uses::new(body);
        for variable in variables {
            let _is_seen = self.follow(queries, body, &uses, variable);
        }
    }

    /// The part of a variable that an address leads to.
    pub(super) fn of(&self, address: Value) -> Option<&Place> {
        self.addresses.get(&address)
    }

    /// Whether a variable may be changed in one of these blocks.
    pub(super) fn is_changed_in(&self, variable: Value, blocks: &FxHashSet<BlockId>) -> bool {
        self.changed.get(&variable).is_some_and(|changed| !changed.is_disjoint(blocks))
    }

    /// Notes the addresses of a variable; none where what is done to it is not seen.
    fn follow(&mut self, queries: &TypeQueries<'_>, body: &Body, uses: &Uses, variable: Value) -> Option<()> {
        let (mut addresses, mut changed) = (Vec::new(), FxHashSet::default());
        let mut open = vec![(variable, Vec::new())];
        while let Some((value, path)) = open.pop() {
            for found in uses.of(value) {
                let mut inner = path.clone();
                match body.instructions[found.user].opcode {
                    Opcode::BeginAccess | Opcode::MarkUninitialized | Opcode::ProjectBox | Opcode::BeginBorrow => {
                        open.push((body.result(found.user)?, inner));
                    }
                    Opcode::StructElementAddr | Opcode::TupleElementAddr => {
                        inner.push(field_number(queries, body, found.user)?);
                        open.push((body.result(found.user)?, inner));
                    }
                    Opcode::Load | Opcode::LoadBorrow | Opcode::EndAccess | Opcode::EndBorrow | Opcode::DebugValue => {}
                    Opcode::DestroyAddr | Opcode::DeallocStack | Opcode::DeallocBox | Opcode::DestroyValue => {}
                    Opcode::Store | Opcode::Assign if found.operand == 0 => return None,
                    Opcode::Store | Opcode::Assign | Opcode::CopyAddr => {
                        changed.insert(body.instructions[found.user].block);
                    }
                    _ if passes(queries, body, *found)? => {
                        changed.insert(body.instructions[found.user].block);
                    }
                    _ => return None,
                }
            }
            addresses.push((value, Place { variable, path }));
        }
        self.addresses.extend(addresses);
        self.changed.insert(variable, changed);
        Some(())
    }
}

/// Whether an address is passed to a call that is over before anything else happens, and that does not keep it.
fn passes(queries: &TypeQueries<'_>, body: &Body, found: Use) -> Option<bool> {
    let site = ApplySite::new(body, found.user)?;
    let argument = site.argument_of_operand(site.conventions(queries)?, found.operand as usize)?;
    Some(matches!(site.kind, ApplyKind::Apply | ApplyKind::TryApply) && argument.convention != BY_ADDRESS)
}

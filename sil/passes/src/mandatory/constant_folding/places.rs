//! Variables: their addresses with the part of the variable they refer to, and the points where they escape.

use rustc_hash::{FxHashMap, FxHashSet};

use sil_analysis::{Use, Uses, field_number};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Body, InstructionId, Value};
use sil_ir::types::TypeQueries;

/// A part of a variable.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The memory as it was allocated or passed.
    pub(super) variable: Value,
    /// The fields and elements on the path to the part, the outermost first.
    pub(super) path: Vec<u32>,
}

impl Place {
    /// Returns the place of a whole variable.
    pub(super) fn whole(variable: Value) -> Self {
        Self { variable, path: Vec::new() }
    }
}

/// The variables of a body.
#[derive(Default)]
pub(super) struct Places {
    addresses: FxHashMap<Value, Place>,
    /// The places that may be written, with the block.
    changed: Vec<(Place, BlockId)>,
    /// The address captures of closures on the stack and of the closures made from them.
    captured: FxHashMap<Value, Vec<Capture>>,
    /// The variables that escape at an instruction.
    escaping: FxHashMap<InstructionId, Vec<Value>>,
}

/// A variable that a closure captures by address.
#[derive(Clone, Copy)]
pub(super) struct Capture {
    pub(super) variable: Value,
    /// The partial application that captures it.
    pub(super) by: Use,
}

impl Places {
    /// Adds variables.
    pub(super) fn add(&mut self, queries: &TypeQueries<'_>, body: &Body, variables: impl Iterator<Item = Value>) {
        let uses = Uses::new(body);
        for variable in variables {
            self.follow(queries, body, &uses, variable);
        }
    }

    /// Returns the address captures of a closure.
    pub(super) fn captured_by(&self, closure: Value) -> &[Capture] {
        self.captured.get(&closure).map_or(&[], Vec::as_slice)
    }

    /// Returns the variables that escape at an instruction.
    pub(super) fn escaping_at(&self, id: InstructionId) -> &[Value] {
        self.escaping.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Returns the place of an address.
    pub(super) fn of(&self, address: Value) -> Option<&Place> {
        self.addresses.get(&address)
    }

    /// Returns the places that may be written in these blocks.
    pub(super) fn changed_in(&self, blocks: &FxHashSet<BlockId>) -> impl Iterator<Item = &Place> {
        self.changed.iter().filter(|(_, block)| blocks.contains(block)).map(|(place, _)| place)
    }

    /// Returns whether a variable may be written.
    pub(super) fn is_changed(&self, variable: Value) -> bool {
        !self.addresses.contains_key(&variable) || self.changed.iter().any(|(place, _)| place.variable == variable)
    }

    /// Returns the variables that escape in these blocks.
    pub(super) fn escaping_in(&self, body: &Body, blocks: &FxHashSet<BlockId>) -> impl Iterator<Item = Value> {
        let within = self.escaping.iter().filter(|(id, _)| blocks.contains(&body.instructions[**id].block));
        within.flat_map(|(_, variables)| variables.iter().copied())
    }

    /// Collects the addresses of a variable and their uses.
    fn follow(&mut self, queries: &TypeQueries<'_>, body: &Body, uses: &Uses, variable: Value) {
        let mut escapes = Vec::new();
        let mut open = vec![(variable, Vec::new())];
        while let Some((value, path)) = open.pop() {
            for found in uses.of(value) {
                let block = body.instructions[found.user].block;
                match address_use(queries, body, *found) {
                    AddressUse::Derived(derived, field) => {
                        let path: Vec<u32> = path.iter().copied().chain(field).collect();
                        open.push((derived, path));
                    }
                    AddressUse::Read => {}
                    AddressUse::Changed => self.changed.push((Place { variable, path: path.clone() }, block)),
                    AddressUse::Captured(closure) => {
                        let capture = Capture { variable, by: *found };
                        let passed = self.follow_closure(body, uses, capture, closure, &mut escapes);
                        self.changed.extend(passed.into_iter().map(|block| (Place::whole(variable), block)));
                    }
                    AddressUse::Escaping => escapes.push(found.user),
                }
            }
            self.addresses.insert(value, Place { variable, path });
        }
        for id in escapes {
            self.changed.push((Place::whole(variable), body.instructions[id].block));
            self.escaping.entry(id).or_default().push(variable);
        }
    }

    /// Follows a closure on the stack that captures a variable, and returns the blocks in which it is called or passed
    /// on.
    fn follow_closure(
        &mut self,
        body: &Body,
        uses: &Uses,
        capture: Capture,
        closure: Value,
        escapes: &mut Vec<InstructionId>,
    ) -> Vec<BlockId> {
        use Opcode::*;
        let mut passed = Vec::new();
        let mut open = vec![closure];
        while let Some(value) = open.pop() {
            self.captured.entry(value).or_default().push(capture);
            for found in uses.of(value) {
                match body.instructions[found.user].opcode {
                    MarkDependence | ConvertFunction | CopyValue | MoveValue | BeginBorrow if found.operand == 0 => {
                        open.extend(body.result(found.user));
                    }
                    Apply | TryApply => passed.push(body.instructions[found.user].block),
                    DestroyValue | EndBorrow | DeallocStack | DebugValue => {}
                    _ => escapes.push(found.user),
                }
            }
        }
        passed
    }
}

/// A use of an address.
enum AddressUse {
    /// A projection to a field or element, or the same memory.
    Derived(Value, Option<u32>),
    Read,
    Changed,
    /// A capture by a closure on the stack.
    Captured(Value),
    /// An escape.
    Escaping,
}

fn address_use(queries: &TypeQueries<'_>, body: &Body, found: Use) -> AddressUse {
    use Opcode::*;
    let instruction = &body.instructions[found.user];
    let derived = |field| match body.result(found.user) {
        Some(result) => AddressUse::Derived(result, field),
        None => AddressUse::Escaping,
    };
    match instruction.opcode {
        BeginAccess | MarkUninitialized | ProjectBox | BeginBorrow => derived(None),
        StructElementAddr | TupleElementAddr => match field_number(queries, body, found.user) {
            Some(field) => derived(Some(field)),
            None => AddressUse::Escaping,
        },
        Load | LoadBorrow | EndAccess | EndBorrow | DebugValue => AddressUse::Read,
        DestroyAddr | DeallocStack | DeallocBox | DestroyValue => AddressUse::Read,
        MarkDependence if found.operand == 1 => AddressUse::Read,
        Store | Assign if found.operand == 0 => AddressUse::Escaping,
        Store | Assign | CopyAddr => AddressUse::Changed,
        // A call ends before anything else executes, and keeps no address.
        Apply | TryApply
            if found.operand > 0 && body.ty(body.operands(found.user)[found.operand as usize]).is_address() =>
        {
            AddressUse::Changed
        }
        PartialApply if instruction.attributes.contains(Attribute::OnStack) => match body.result(found.user) {
            Some(closure) => AddressUse::Captured(closure),
            None => AddressUse::Escaping,
        },
        _ => AddressUse::Escaping,
    }
}

//! Clones the body of a generic function for concrete types. Follows lib/SILOptimizer/Utils/GenericCloner.cpp. Values
//! that are passed directly are stored to stack memory where the original code expects an address, and direct results
//! are loaded from it. Other passes remove that memory.

use sil_ir::context::{Name, SilType, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{
    BlockId, Body, Function, FunctionAttribute, FunctionFlag, InstructionId, Module, Ownership, Place, Serialization,
    Value,
};
use sil_ir::types::TypeQueries;

use super::reabstraction::{Lending, Passing, Reabstraction};
use super::{borrow_ends, effects};
use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::cloning::{ClonePlaces, Cloner};
use crate::editing::specialized_functions::specialized_linkage;
use crate::knowledge::never_returning;

/// Creates the specialisation `name` of `callee`, or returns `None` if `callee` has no body.
pub(super) fn function(
    module: &Module,
    queries: &TypeQueries<'_>,
    callee: &Function,
    substitutions: SubstitutionMapId,
    reabstraction: &Reabstraction,
    name: Name,
    serialization: Serialization,
) -> Option<Function> {
    let from = callee.body.as_ref()?;
    let is_kept = |attribute: &&FunctionAttribute| match attribute {
        FunctionAttribute::Specialize(_) => false,
        FunctionAttribute::Flag(flag) => !is_own(*flag),
        _ => true,
    };
    let mut maker = Maker {
        body: Body::default(),
        origin: Origin::of(from, from.first_instruction(from.entry())?),
        has_ownership: callee.has(FunctionFlag::Ossa),
        memory: Vec::new(),
        borrows: Vec::new(),
        result: None,
        error: None,
    };
    maker.make(queries, from, substitutions, reabstraction);
    let mut function = Function {
        name,
        ty: reabstraction.ty,
        signature: reabstraction.signature(),
        linkage: specialized_linkage(callee),
        serialization,
        attributes: callee
            .attributes
            .iter()
            .filter(is_kept)
            .filter_map(|attribute| effects::renumbered(queries.context, attribute, &reabstraction.arguments))
            .collect(),
        body: Some(maker.body),
        entry_count: callee.entry_count,
        specialized_from: None,
        scope: None,
        span: callee.span,
    };
    borrow_ends::shorten(module, queries, &mut function, &maker.borrows);
    Some(function)
}

/// Returns whether a flag only applies to the original function.
fn is_own(flag: FunctionFlag) -> bool {
    use FunctionFlag::*;
    matches!(
        flag,
        DynamicallyReplaceable
            | NoLocks
            | NoAllocation
            | NoRuntime
            | NoExistentials
            | NoObjCBridging
            | PerformanceConstraint
            | Used
            | MarkUsed
    )
}

struct Maker {
    body: Body,
    origin: Origin,
    has_ownership: bool,
    /// The created stack memory, in order.
    memory: Vec<Value>,
    /// The borrows that span the whole function.
    borrows: Vec<Value>,
    /// The memory of the direct result.
    result: Option<Value>,
    /// The memory of the direct error.
    error: Option<Value>,
}

impl Maker {
    fn make(
        &mut self,
        queries: &TypeQueries<'_>,
        from: &Body,
        substitutions: SubstitutionMapId,
        reabstraction: &Reabstraction,
    ) {
        let site = InstructionId::from_u32(0);
        let mut cloner = Cloner::new(queries, from, substitutions, reabstraction.signature(), ClonePlaces::Kept, site);
        let entry = self.body.add_block();
        cloner.map_block(from.entry(), entry);
        for (argument, passing) in from.blocks[from.entry()].arguments.iter().zip(&reabstraction.arguments) {
            let ty = cloner.value_type(*argument);
            let stands = match passing {
                Passing::Same => cloner.argument(&mut self.body, entry, *argument),
                Passing::Returned => {
                    let memory = self.allocate(entry, ty);
                    self.result = Some(memory);
                    memory
                }
                Passing::Thrown => {
                    let memory = self.allocate(entry, ty);
                    self.error = Some(memory);
                    memory
                }
                // Nothing reads it.
                Passing::Dropped if ty.is_address() => self.allocate(entry, ty),
                Passing::Dropped => self.builder(entry).metatype(ty),
                Passing::Value(lending) => {
                    let ownership = match lending {
                        Lending::Trivial => Ownership::None,
                        Lending::Lent => Ownership::Guaranteed,
                        Lending::Given => Ownership::Owned,
                    };
                    let ownership = if self.has_ownership { ownership } else { Ownership::None };
                    let value = self.body.add_argument(entry, ty.object_type(), ownership);
                    self.body.values[value].flags = from.values[*argument].flags;
                    self.put(entry, value, ty, *lending)
                }
            };
            cloner.map_value(*argument, stands);
        }
        self.clone_code(queries, cloner, from);
        self.end_at_endless_calls(queries);
    }

    /// Inserts `unreachable` after calls that are now known never to return.
    fn end_at_endless_calls(&mut self, queries: &TypeQueries<'_>) {
        let body = &self.body;
        let never_returns = |id: &InstructionId| {
            body.instructions[*id].opcode == Opcode::Apply && never_returning::is_call(queries, body, *id)
        };
        let calls: Vec<InstructionId> = body.placed_instructions().filter(never_returns).collect();
        for call in calls {
            let Some(next) = self.body.next(call) else { continue };
            if self.body.instructions[next].opcode != Opcode::Unreachable {
                let block = self.body.instructions[call].block;
                self.body.split_block(next);
                // The borrowed arguments have no more uses.
                for borrow in self.borrows.clone().into_iter().rev() {
                    self.builder(block).end_borrow(borrow);
                }
                self.builder(block).unreachable();
            }
        }
    }

    /// Stores a value to new stack memory.
    fn put(&mut self, entry: BlockId, value: Value, ty: SilType, lending: Lending) -> Value {
        let memory = self.allocate(entry, ty);
        let mut attributes = AttributeSet::default();
        match (self.has_ownership, lending) {
            (true, Lending::Lent) => {
                let borrow = self.builder(entry).store_borrow(value, memory);
                self.borrows.push(borrow);
                return borrow;
            }
            (true, Lending::Trivial) => attributes.insert(Attribute::Trivial),
            (true, Lending::Given) => attributes.insert(Attribute::Init),
            (false, _) => {}
        }
        self.builder(entry).with(attributes).store(value, memory);
        memory
    }

    fn allocate(&mut self, entry: BlockId, ty: SilType) -> Value {
        let memory = self.builder(entry).alloc_stack(ty.object_type(), None);
        self.memory.push(memory);
        memory
    }

    fn clone_code(&mut self, queries: &TypeQueries<'_>, mut cloner: Cloner<'_>, from: &Body) {
        let cloned = cloner.blocks(&mut self.body, |cloner, to, into, id| {
            if cloner.is_needless(to, id) {
                return;
            }
            cloner.instruction(to, into, id);
            if from.instructions[id].opcode == Opcode::TupleAddrConstructor {
                leave_out_nothing(queries, to, into);
            }
        });
        for block in cloned.order {
            let into = cloner.block(&mut self.body, block);
            let Some(terminator) = from.terminator(block) else { continue };
            let opcode = from.instructions[terminator].opcode;
            let leaves = matches!(opcode, Opcode::Return | Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind);
            self.origin = Origin::of(from, terminator);
            let returned = if leaves { self.leave(&cloner, into, opcode) } else { None };
            match returned {
                Some(value) if opcode == Opcode::Return => {
                    self.builder(into).return_value(value);
                }
                Some(error) => {
                    self.builder(into).throw(error);
                }
                None => {
                    cloner.instruction(&mut self.body, into, terminator);
                }
            }
        }
    }

    /// Ends the lifetimes of the created memory at an exit. Returns the loaded result or error if it is direct now.
    fn leave(&mut self, cloner: &Cloner<'_>, block: BlockId, opcode: Opcode) -> Option<Value> {
        let memory = match opcode {
            Opcode::Return => self.result,
            Opcode::ThrowAddr => self.error,
            _ => None,
        };
        let returned = memory.map(|memory| {
            let ty = self.body.ty(memory).object_type();
            let mut attributes = AttributeSet::default();
            if self.has_ownership {
                attributes.insert(if cloner.is_trivial(ty) { Attribute::Trivial } else { Attribute::Take });
            }
            self.builder(block).with(attributes).load(memory)
        });
        for borrow in self.borrows.clone().into_iter().rev() {
            self.builder(block).end_borrow(borrow);
        }
        for memory in self.memory.clone().into_iter().rev() {
            self.builder(block).dealloc_stack(memory);
        }
        returned
    }

    fn builder(&mut self, block: BlockId) -> InstructionBuilder<'_> {
        InstructionBuilder::of_origin(&mut self.body, Place::End(block), self.origin)
    }
}

/// Removes operands of empty tuple type from the `tuple_addr_constructor` at the end of a block, and the instruction if
/// no others remain.
fn leave_out_nothing(queries: &TypeQueries<'_>, body: &mut Body, block: BlockId) {
    let Some(last) = body.instructions_in(block).next_back() else { return };
    let is_something = |(index, value): (usize, &Value)| index == 0 || !is_nothing(queries, body.ty(*value).ty);
    let operands = body.operands(last).iter().enumerate();
    let kept: Vec<Value> = operands.filter(|operand| is_something(*operand)).map(|(_, value)| *value).collect();
    match kept.len() {
        1 => body.erase(last),
        _ => body.set_operands(last, &kept),
    }
}

/// Returns whether a type is an empty tuple or a tuple of empty tuples.
fn is_nothing(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    match queries.get(ty) {
        Type::Tuple(elements) => elements.iter().all(|element| is_nothing(queries, element.ty)),
        _ => false,
    }
}

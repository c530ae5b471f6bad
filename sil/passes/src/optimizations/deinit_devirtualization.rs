//! Devirtualises destroys of noncopyable values: they call the `deinit` directly, or, if the type has none, destroy the
//! parts of the value. Follows SwiftCompilerSources/Sources/Optimizer/Utilities/Devirtualization.swift.

use sil_analysis::Change;
use sil_ir::context::SilType;
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::Unary;
use sil_ir::model::{BlockId, Body, EnumCases, FunctionId, InstructionId, MoveOnlyDeinit, Ownership, Place, Value};
use sil_ir::types::Copyability;

use crate::InstructionBuilder;
use crate::editing::block_order::BlockOrder;
use crate::editing::deinitializer_calls::Deinitializer;
use crate::knowledge::aggregate_parts::{is_resilient, parts};
use crate::knowledge::enum_cases::enum_case;
use crate::pass::{Description, Environment, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const DEINIT_DEVIRTUALIZATION: Pass = Pass::new(&Description {
    name: "deinit-devirtualizer",
    class_name: "DeinitDevirtualizer",
    summary: "Replaces destructions of noncopyable values by calls of their `deinit`.",
    gates: Gates { ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(devirtualize),
});

/// Devirtualises the destroys of a function with ownership.
pub(crate) fn devirtualize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let is_destroy =
        |id: &InstructionId| matches!(body.instructions[*id].opcode, Opcode::DestroyValue | Opcode::DestroyAddr);
    let mut open: Vec<InstructionId> = body.placed_instructions().filter(is_destroy).collect();
    open.reverse();
    let order = BlockOrder::of(body);
    let mut devirtualization = Devirtualization { environment, body: body.clone(), open, order, change: None };
    while let Some(destroy) = devirtualization.open.pop() {
        devirtualization.destroy(destroy);
    }
    let Devirtualization { mut body, order, change, .. } = devirtualization;
    let Some(change) = change else { return Ok(None) };
    if change == Change::Blocks {
        body.reorder_blocks(&order.to_vec());
    }
    Ok(Some(Rewrite::new(function, body, change)))
}

struct Devirtualization<'m> {
    environment: Environment<'m>,
    body: Body,
    /// The worklist of destroys. The last element is next.
    open: Vec<InstructionId>,
    /// The block order.
    order: BlockOrder,
    change: Option<Change>,
}

impl Devirtualization<'_> {
    fn destroy(&mut self, destroy: InstructionId) {
        let Environment { queries, function, .. } = self.environment;
        let value = Unary::of(&self.body, destroy).operand;
        let ty = self.body.ty(value);
        let is_noncopyable = queries.properties(ty.ty, function.signature).copyability == Copyability::Noncopyable;
        let Some(declaration) = queries.declaration_of(ty.ty).filter(|_| is_noncopyable) else { return };
        if declaration.origin == Origin::Named {
            return;
        }
        let done = match declaration.kind {
            _ if declaration.attributes.has_deinit && !self.is_without_deinit(destroy) => self.call(destroy, value),
            _ if is_resilient(queries, ty.ty) => None,
            NominalKind::Struct => self.destroy_fields(destroy, value),
            NominalKind::Enum => self.destroy_payload(destroy, value),
            _ => None,
        };
        if let Some(change) = done {
            self.body.erase(destroy);
            self.change = self.change.max(Some(change));
        }
    }

    /// Returns whether the operand's `deinit` is dropped by `drop_deinit`.
    fn is_without_deinit(&self, destroy: InstructionId) -> bool {
        use Opcode::{BeginBorrow, CopyValue, DestroyValue, DropDeinit, MoveValue};
        let opcode = |id: InstructionId| self.body.instructions[id].opcode;
        let mut value = Unary::of(&self.body, destroy).operand;
        while let Some(id) = self.body.defining(value)
            && matches!(opcode(id), BeginBorrow | CopyValue | MoveValue)
        {
            value = Unary::of(&self.body, id).operand;
        }
        opcode(destroy) == DestroyValue && self.body.defining(value).is_some_and(|id| opcode(id) == DropDeinit)
    }

    /// Replaces a destroy with a call of the `deinit`. Returns `None` if the module does not contain it.
    fn call(&mut self, destroy: InstructionId, value: Value) -> Option<Change> {
        let Environment { module, queries, .. } = self.environment;
        let ty = self.body.ty(value);
        let nominal = queries.as_nominal(ty.ty)?.declaration;
        let is_wanted = |deinit: &&MoveOnlyDeinit| deinit.nominal == nominal;
        let deinit: FunctionId = module.function_named(module.deinits.iter().find(is_wanted)?.function)?;
        let takes_address =
            queries.conventions(module.functions[deinit].ty)?.arguments().last()?.convention.is_indirect_in();
        let builder = &mut InstructionBuilder::new(&mut self.body, Place::Before(destroy), destroy);
        let deinit = Deinitializer::refer((module, queries), builder, deinit, ty)?;
        match (takes_address, ty.is_address()) {
            (true, true) | (false, false) => _ = deinit.call(builder, value),
            (true, false) => {
                let memory = builder.alloc_stack(ty, None);
                builder.with(only(Attribute::Init)).store(value, memory);
                deinit.call(builder, memory);
                builder.dealloc_stack(memory);
            }
            (false, true) => {
                let taken = only(Attribute::Take);
                let loaded = builder.with(taken).load(value);
                deinit.call(builder, loaded);
            }
        }
        Some(Change::Instructions)
    }

    /// Destroys the nontrivial fields of a struct.
    fn destroy_fields(&mut self, destroy: InstructionId, value: Value) -> Option<Change> {
        let fields = parts(self.environment.queries, self.body.ty(value).ty)?;
        let is_destroyed: Vec<bool> = fields.iter().map(|field| !self.is_trivial(SilType::object(field.ty))).collect();
        if !is_destroyed.contains(&true) {
            return self.end_lifetime(destroy, value);
        }
        let is_address = self.body.ty(value).is_address();
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(destroy), destroy);
        let mut destroys = Vec::new();
        if is_address {
            for (field, _) in fields.iter().zip(&is_destroyed).filter(|(_, is_destroyed)| **is_destroyed) {
                let address = field.project(&mut builder, value);
                destroys.push(builder.destroy_addr(address));
            }
        } else {
            let types: Vec<SilType> = fields.iter().map(|field| SilType::object(field.ty)).collect();
            let results = builder.destructure_struct(value, &types);
            for (result, _) in results.iter().zip(&is_destroyed).filter(|(_, is_destroyed)| **is_destroyed) {
                destroys.push(builder.destroy_value(*result));
            }
        }
        self.open.extend(destroys.into_iter().rev());
        Some(Change::Instructions)
    }

    /// Destroys the payload of an enum.
    fn destroy_payload(&mut self, destroy: InstructionId, value: Value) -> Option<Change> {
        let queries = self.environment.queries;
        let ty = self.body.ty(value);
        let nominal = queries.as_nominal(ty.ty)?.declaration;
        let cases = 0..queries.declarations.get(nominal).cases.len() as u32;
        let payloads: Vec<Option<SilType>> =
            cases.clone().map(|case| queries.case_payload(ty.ty, case).map(SilType::object)).collect();
        let members: Option<Box<[_]>> = cases.map(|case| enum_case(self.environment, nominal, case)).collect();
        let members = members?;
        if payloads.iter().flatten().all(|payload| self.is_trivial(*payload)) {
            return self.end_lifetime(destroy, value);
        }
        let block = self.body.instructions[destroy].block;
        let end = self.split(block, destroy);
        let mut targets = Vec::new();
        for (member, payload) in members.iter().zip(payloads) {
            let target = self.add_block_after(block);
            let mut builder = InstructionBuilder::new(&mut self.body, Place::End(target), destroy);
            builder.branch(end, &[]);
            targets.push(target);
            let Some(payload) = payload else { continue };
            let is_trivial = self.is_trivial(payload);
            let argument = (!ty.is_address()).then(|| {
                let ownership = if is_trivial { Ownership::None } else { Ownership::Owned };
                self.body.add_argument(target, payload, ownership)
            });
            if is_trivial {
                continue;
            }
            let mut builder = InstructionBuilder::new(&mut self.body, Place::Start(target), destroy);
            let destroyed = match argument {
                Some(argument) => builder.destroy_value(argument),
                None => {
                    let payload = SilType::address(payload.ty);
                    let address = builder.unchecked_take_enum_data_addr(value, *member, payload);
                    builder.destroy_addr(address)
                }
            };
            self.open.push(destroyed);
        }
        let cases = EnumCases::without_default(members);
        let mut builder = InstructionBuilder::new(&mut self.body, Place::End(block), destroy);
        match ty.is_address() {
            true => builder.switch_enum_addr(value, cases, &targets),
            false => builder.switch_enum(value, cases, &targets),
        };
        Some(Change::Blocks)
    }

    /// Splits a block at `from`. The new block follows it in the order.
    fn split(&mut self, block: BlockId, from: InstructionId) -> BlockId {
        let split = self.body.split_block(from);
        self.order.insert_after(block, split);
        split
    }

    fn add_block_after(&mut self, block: BlockId) -> BlockId {
        let added = self.body.add_block();
        self.order.insert_after(block, added);
        added
    }

    /// Ends the lifetime of a value without nontrivial parts.
    fn end_lifetime(&mut self, destroy: InstructionId, value: Value) -> Option<Change> {
        let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(destroy), destroy);
        builder.end_lifetime(value);
        Some(Change::Instructions)
    }

    fn is_trivial(&self, ty: SilType) -> bool {
        let Environment { queries, function, .. } = self.environment;
        queries.properties(ty.ty, function.signature).is_trivial()
    }
}

fn only(attribute: Attribute) -> AttributeSet {
    let mut attributes = AttributeSet::default();
    attributes.insert(attribute);
    attributes
}

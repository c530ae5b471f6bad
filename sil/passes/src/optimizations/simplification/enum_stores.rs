//! Enums that are stored to memory by parts are stored as a whole (`SILCombiner::visitInjectEnumAddrInst` of
//! lib/SILOptimizer/SILCombiner/SILCombinerMiscVisitors.cpp).
//!
//! Does not own: queries of enums in memory, which are in `enum_memory`.

use sil_analysis::{ApplySite, ControlFlowGraph, Dominators, Use};
use sil_ir::context::{MemberId, SilType};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{EnumCase, Store, TupleExtract};
use sil_ir::model::{InstructionId, Place, Value};
use sil_ir::types::ArgumentConvention;

use super::Simplifier;
use crate::InstructionBuilder;

/// A value that is stored to memory by parts.
pub(super) enum Stored {
    Value {
        value: Value,
        store: InstructionId,
    },
    /// An indirect result of a call.
    Given {
        memory: Value,
        attributes: AttributeSet,
    },
    /// A tuple or struct.
    Parts {
        opcode: Opcode,
        ty: SilType,
        parts: Vec<Stored>,
    },
}

impl Stored {
    fn stores(&self) -> Vec<InstructionId> {
        match self {
            Stored::Value { store, .. } => vec![*store],
            Stored::Given { .. } => Vec::new(),
            Stored::Parts { parts, .. } => parts.iter().flat_map(Stored::stores).collect(),
        }
    }

    /// Creates the whole value.
    fn make(&self, builder: &mut InstructionBuilder<'_>) -> Value {
        match self {
            Stored::Value { value, .. } => *value,
            Stored::Given { memory, attributes } => builder.with(*attributes).load(*memory),
            Stored::Parts { opcode, ty, parts } => {
                let parts: Vec<Value> = parts.iter().map(|part| part.make(builder)).collect();
                match opcode {
                    Opcode::Tuple => builder.tuple(&parts, *ty),
                    _ => builder.structure(&parts, *ty),
                }
            }
        }
    }
}

/// An enum with a known case, and the address that it is stored to.
struct Whole {
    case: MemberId,
    ty: SilType,
    address: Value,
    attributes: AttributeSet,
}

impl Whole {
    fn store(&self, builder: &mut InstructionBuilder<'_>, payload: Option<&Stored>) {
        let payload = payload.map(|payload| payload.make(builder));
        let whole = builder.enumeration(self.case, payload, self.ty);
        builder.with(self.attributes).store(whole, self.address);
    }
}

impl Simplifier<'_> {
    /// Stores an enum with the case of an `inject_enum_addr`, which is erased.
    pub(super) fn store_enum(&mut self, inject: InstructionId, payload: Option<&Stored>) {
        let stored = self.whole_of(inject, payload);
        self.editor.build(Place::Before(inject), inject, |builder| stored.store(builder, payload));
        self.editor.forget_ownership();
        self.editor.erase(inject);
    }

    /// The enum in memory after an `inject_enum_addr`.
    fn whole_of(&self, inject: InstructionId, payload: Option<&Stored>) -> Whole {
        let EnumCase { operand: address, case } = EnumCase::of(self.editor.body(), inject);
        let ty = self.editor.body().ty(address).object_type();
        let mut attributes = AttributeSet::default();
        if self.editor.has_ownership() {
            let is_plain = self.editor.is_trivial(ty) || payload.is_none() && self.is_copyable(ty.ty);
            attributes.insert(if is_plain { Attribute::Trivial } else { Attribute::Init });
        }
        Whole { case, ty, address, attributes }
    }

    /// Stores the enum with its payload to stack memory at the injection of its case.
    pub(super) fn store_injected(&mut self, inject: InstructionId, address: Value) -> Option<()> {
        self.editor.made_by(address, Opcode::AllocStack)?;
        let data = self.only_payload_address(inject, address)?;
        if self.is_stored_between(data, inject, address) {
            return None;
        }
        self.store_with_payload(inject, data).or_else(|| self.store_with_result(inject, data))
    }

    /// Stores the enum with the value stored to its payload address.
    fn store_with_payload(&mut self, inject: InstructionId, data: InstructionId) -> Option<()> {
        let stored = self.stored_at(self.editor.body().result(data)?)?;
        let body = self.editor.body();
        let dominators = Dominators::new(body, &ControlFlowGraph::new(body));
        if !stored.stores().iter().all(|store| dominators.instruction_dominates(body, *store, inject)) {
            return None;
        }
        self.store_enum(inject, Some(&stored));
        self.editor.erase_with_users(data);
        Some(())
    }

    /// Stores the enum with the indirect result of a call at its payload address. The call gets new memory, which the
    /// payload is loaded from.
    fn store_with_result(&mut self, inject: InstructionId, data: InstructionId) -> Option<()> {
        let payload_address = self.editor.body().result(data)?;
        let [given] = self.editor.uses_but_debug(payload_address)[..] else { return None };
        if self.editor.opcode(given.user) != Opcode::Apply || !self.is_result(given) {
            return None;
        }
        let ty = self.editor.body().ty(payload_address);
        let memory =
            self.editor.build(Place::Before(given.user), data, |builder| builder.alloc_stack(ty.object_type(), None));
        self.editor.set_operand(given, memory);
        self.erase_with_debug_uses(data);
        // A call may leave an empty result unwritten.
        if let Some(empty) = self.empty_value(ty.object_type()) {
            self.editor.build(Place::After(given.user), inject, |builder| {
                builder.dealloc_stack(memory);
            });
            self.store_enum(inject, Some(&empty));
            return Some(());
        }
        let payload = Stored::Given { memory, attributes: self.taking(ty.object_type()) };
        let whole = self.whole_of(inject, Some(&payload));
        self.editor.build(Place::After(given.user), inject, |builder| {
            whole.store(builder, Some(&payload));
            builder.dealloc_stack(memory);
        });
        self.editor.erase(inject);
        self.editor.forget_ownership();
        Some(())
    }

    /// Returns whether an operand of a call is an indirect result.
    fn is_result(&self, found: Use) -> bool {
        let Some(site) = ApplySite::new(self.editor.body(), found.user) else { return false };
        let conventions = site.conventions(self.editor.environment.queries);
        let argument = conventions.and_then(|found_in| site.argument_of_operand(found_in, found.operand as usize));
        argument.is_some_and(|argument| matches!(argument.convention, ArgumentConvention::Result(_)))
    }

    /// The attributes of a load of a value that is not needed in memory afterwards.
    fn taking(&self, ty: SilType) -> AttributeSet {
        let mut attributes = AttributeSet::default();
        if self.editor.has_ownership() {
            attributes.insert(if self.editor.is_trivial(ty) { Attribute::Trivial } else { Attribute::Take });
        }
        attributes
    }

    /// The value of an empty type.
    fn empty_value(&self, ty: SilType) -> Option<Stored> {
        let queries = self.editor.environment.queries;
        let elements = queries.tuple_element_types(ty.ty).map(|elements| elements.to_vec());
        let (opcode, parts) = match elements {
            Some(elements) => (Opcode::Tuple, elements),
            None => (Opcode::Struct, queries.stored_property_types(ty.ty).filter(|_| !queries.is_class(ty.ty))?),
        };
        let parts = parts.into_iter().map(|part| self.empty_value(SilType::object(part)));
        Some(Stored::Parts { opcode, ty, parts: parts.collect::<Option<Vec<Stored>>>()? })
    }

    /// The only `init_enum_data_addr` of memory whose other uses load and store the whole enum.
    fn only_payload_address(&self, inject: InstructionId, address: Value) -> Option<InstructionId> {
        let mut data = None;
        for found in self.editor.uses_but_debug(address) {
            match self.editor.opcode(found.user) {
                Opcode::DeallocStack | Opcode::Load => {}
                Opcode::Store if found.operand == 1 => {}
                Opcode::InitEnumDataAddr if data.is_none() => data = Some(found.user),
                Opcode::InjectEnumAddr if found.user == inject => {}
                _ => return None,
            }
        }
        data
    }

    /// Returns whether a whole enum is stored between the projection of the payload and the injection of the case.
    fn is_stored_between(&self, data: InstructionId, inject: InstructionId, address: Value) -> bool {
        let body = self.editor.body();
        let cfg = ControlFlowGraph::new(body);
        let is_store =
            |id: InstructionId| self.editor.opcode(id) == Opcode::Store && Store::of(body, id).destination == address;
        let mut seen = vec![body.instructions[inject].block];
        let mut open = vec![inject];
        while let Some(id) = open.pop() {
            let block = body.instructions[id].block;
            let mut current = Some(id);
            while let Some(id) = current.filter(|id| *id != data) {
                if is_store(id) {
                    return true;
                }
                current = body.previous(id);
            }
            if current.is_some() {
                continue;
            }
            if block == body.entry() {
                return true;
            }
            for predecessor in cfg.predecessors(block) {
                if !seen.contains(predecessor) {
                    seen.push(*predecessor);
                    open.extend(body.terminator(*predecessor));
                }
            }
        }
        false
    }

    /// The only value that is stored to an address without other uses.
    fn stored_at(&self, address: Value) -> Option<Stored> {
        let body = self.editor.body();
        let ty = body.ty(address).object_type();
        let uses = self.editor.uses_but_debug(address);
        if let [only] = uses[..]
            && self.editor.opcode(only.user) == Opcode::Store
            && only.operand == 1
        {
            return Some(Stored::Value { value: Store::of(body, only.user).source, store: only.user });
        }
        let count = self.editor.environment.queries.tuple_element_types(ty.ty)?.len();
        let mut elements: Vec<Option<Stored>> = (0..count).map(|_| None).collect();
        for found in uses {
            if self.editor.opcode(found.user) != Opcode::TupleElementAddr {
                return None;
            }
            let index = TupleExtract::of(body, found.user).index as usize;
            let element = self.stored_at(body.result(found.user)?)?;
            if elements.get_mut(index)?.replace(element).is_some() {
                return None;
            }
        }
        let elements = elements.into_iter().collect::<Option<Vec<Stored>>>().filter(|elements| !elements.is_empty())?;
        Some(Stored::Parts { opcode: Opcode::Tuple, ty, parts: elements })
    }
}

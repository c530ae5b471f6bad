//! Who uses each value, in the order of Swift's use lists, for comments.

use rustc_hash::FxHashMap;

use sil_analysis::{ControlFlowGraph, opened_archetypes, opening};
use sil_ir::context::{Name, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Body, Details, InstructionId, Value};
use sil_ir::types::TypeQueries;

/// The uses of the values of a body, the dependences of its types included.
#[derive(Clone)]
pub(super) struct Users {
    /// The users by value; the newest first, as a use is put in front of the others.
    users: Vec<Vec<InstructionId>>,
    /// The values that open the archetypes which the types of an instruction name.
    dependences: FxHashMap<InstructionId, Vec<Value>>,
    graph: ControlFlowGraph,
}

impl Users {
    pub(super) fn new(queries: &TypeQueries, body: &Body) -> Self {
        let dependences = dependences(queries, body);
        let mut users = vec![Vec::new(); body.values.len()];
        for id in body.blocks.keys().rev().flat_map(|block| body.instructions_in(block).rev()) {
            let operands = body.operands(id);
            // A method lookup has the value that its type depends on for an operand already.
            let looks_up = body.instructions[id].opcode == Opcode::WitnessMethod;
            let dependent = dependences.get(&id).into_iter().flatten();
            let dependent = dependent.filter(|value| !looks_up || !operands.contains(value));
            for value in operands.iter().chain(dependent) {
                users[value.as_u32() as usize].push(id);
            }
        }
        Self { users, dependences, graph: ControlFlowGraph::new(body) }
    }

    /// The users of a value.
    pub(super) fn of(&self, value: Value) -> &[InstructionId] {
        &self.users[value.as_u32() as usize]
    }

    /// The values that open the archetypes which the types of an instruction name.
    pub(super) fn dependences(&self, id: InstructionId) -> &[Value] {
        self.dependences.get(&id).map_or(&[], |values| &values[..])
    }

    /// The predecessors of a block, the newest first.
    pub(super) fn predecessors(&self, block: BlockId) -> Vec<BlockId> {
        self.graph.predecessors(block).iter().rev().copied().collect()
    }
}

fn dependences(queries: &TypeQueries, body: &Body) -> FxHashMap<InstructionId, Vec<Value>> {
    let mut found = FxHashMap::default();
    let openers = openers(queries, body);
    let metadata = body.blocks.values().next().and_then(|entry| entry.arguments.last());
    for id in body.placed_instructions() {
        let mut values = Vec::new();
        let mut dynamic_self = None;
        for ty in dependent_types(queries, body, id) {
            let names = if openers.is_empty() { Vec::new() } else { opened_archetypes(queries, ty) };
            for value in names.iter().filter_map(|name| openers.get(name)) {
                if !values.contains(value) {
                    values.push(*value);
                }
            }
            let mut is_dynamic = |part| matches!(queries.get(part), Type::DynamicSelf(_)).then_some(());
            if queries.find_in(ty, &mut is_dynamic).is_some() {
                dynamic_self = metadata.copied();
            }
        }
        // The argument that determines `Self` comes last.
        values.extend(dynamic_self);
        if !values.is_empty() {
            found.insert(id, values);
        }
    }
    found
}

/// The value that opens each opened archetype.
fn openers(queries: &TypeQueries, body: &Body) -> FxHashMap<Name, Value> {
    let instructions = body.placed_instructions();
    instructions.filter_map(|id| opening(queries, body, id)).collect()
}

/// The types that make an instruction depend on the openings of their archetypes: those that its operands do not have.
fn dependent_types(queries: &TypeQueries, body: &Body, id: InstructionId) -> Vec<TypeId> {
    use Opcode::*;
    let replacements = |map| queries.context.replacements(map);
    let instruction = &body.instructions[id];
    if matches!(
        instruction.opcode,
        OpenExistentialAddr
            | OpenExistentialRef
            | OpenExistentialValue
            | OpenExistentialBox
            | OpenExistentialBoxValue
            | OpenExistentialMetatype
            | Struct
            | Enum
            | Tuple
            | Object
            | FunctionRef
            | PackElementGet
    ) {
        return Vec::new();
    }
    let written = match instruction.opcode {
        Apply | BeginApply | TryApply | PartialApply | WitnessMethod => &[],
        _ => body.types(id),
    };
    let mut types: Vec<TypeId> = written.iter().map(|ty| ty.ty).collect();
    match &instruction.details {
        Details::Apply(apply) => {
            types.extend(replacements(apply.substitutions).iter().copied().chain([apply.callee_type.ty]))
        }
        Details::Builtin(builtin) => types.extend(replacements(builtin.substitutions)),
        Details::Method(method) => types.extend(method.lookup),
        Details::FormalType(ty) => types.push(*ty),
        Details::Cast(cast) => types.extend(cast.source.into_iter().chain([cast.target])),
        Details::KeyPath(path) => types.extend(replacements(path.substitutions)),
        _ => {}
    }
    types
}

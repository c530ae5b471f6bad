//! Turns fixed-size arrays that are made on the stack, element by element, and stored as a whole into constants.

use sil_analysis::Uses;
use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{IntegerLiteral, IntegerValue, Store};
use sil_ir::model::{Body, Details, InstructionId, Module, Place, Replacements, Value};

use crate::InstructionBuilder;
use crate::editing::unused::remove_unused;

/// Returns the body of an initialiser with `vector`s in place of such arrays; `None` if there are none. Only initial
/// values of globals contain `vector`s.
pub(super) fn lower(module: &Module, body: &Body) -> Option<Body> {
    let uses = Uses::new(body);
    let is_variable = |id: &InstructionId| body.instructions[*id].opcode == Opcode::AllocStack;
    let arrays: Vec<Array> = body
        .placed_instructions()
        .filter(is_variable)
        .filter_map(|variable| Array::find(module, body, &uses, variable))
        .collect();
    if arrays.is_empty() {
        return None;
    }
    let mut lowered = body.clone();
    let mut replacements = Replacements::default();
    for array in arrays {
        array.lower(module, &mut lowered, &mut replacements);
    }
    lowered.replace_values(&replacements);
    Some(lowered)
}

/// An array on the stack.
struct Array {
    element: SilType,
    /// The elements; those of tuples are separate.
    values: Vec<Value>,
    /// The load of the whole.
    load: InstructionId,
    /// All users of the memory.
    users: Vec<InstructionId>,
}

impl Array {
    fn find(module: &Module, body: &Body, uses: &Uses, variable: InstructionId) -> Option<Self> {
        let (mut load, mut elements) = (None, None);
        let mut users = vec![variable];
        for found in uses.of(body.result(variable)?) {
            let slot = match body.instructions[found.user].opcode {
                Opcode::DeallocStack => {
                    users.push(found.user);
                    continue;
                }
                Opcode::Load => &mut load,
                Opcode::UncheckedAddrCast => &mut elements,
                _ => return None,
            };
            if slot.replace(found.user).is_some() {
                return None;
            }
            users.push(found.user);
        }
        let address = body.result(elements?)?;
        let mut search = Search { module, body, uses, stores: Vec::new(), users };
        search.elements(address, 0)?;
        let values: Vec<Value> = search.stores.into_iter().collect::<Option<_>>()?;
        let is_some = !values.is_empty();
        let found = Self { element: body.ty(address).object_type(), values, load: load?, users: search.users };
        is_some.then_some(found)
    }

    fn lower(self, module: &Module, body: &mut Body, replacements: &mut Replacements) {
        let context = &module.context;
        let parts = match context.get(self.element.ty) {
            Type::Tuple(elements) => Some(elements.len()),
            _ => None,
        };
        let mut builder = InstructionBuilder::new(body, Place::Before(self.load), self.load);
        let elements: Vec<Value> = match parts {
            Some(count) if count > 0 => {
                (self.values.chunks(count)).map(|parts| builder.tuple(parts, self.element)).collect()
            }
            _ => self.values,
        };
        let count = context.ty(Type::Integer(elements.len() as i64));
        let ty = context.ty(Type::Builtin(BuiltinType::FixedArray { count, element: self.element.ty }));
        let vector = builder.vector(&elements, SilType::object(ty));
        if let Some(loaded) = body.result(self.load) {
            replacements.replace(loaded, vector);
        }
        let distances: Vec<Value> = (self.users.iter())
            .filter(|id| body.instructions[**id].opcode == Opcode::IndexAddr)
            .filter_map(|id| body.operands(*id).get(1).copied())
            .collect();
        self.users.into_iter().for_each(|id| body.erase(id));
        remove_unused(body, distances);
    }
}

/// The search for the stores to the elements of an array.
struct Search<'s> {
    module: &'s Module,
    body: &'s Body,
    uses: &'s Uses,
    stores: Vec<Option<Value>>,
    users: Vec<InstructionId>,
}

impl Search<'_> {
    /// Collects the stores to the element number `index` at `address`, and to those after it. `None` for other uses.
    fn elements(&mut self, address: Value, index: usize) -> Option<()> {
        for found in self.uses.of(address) {
            let instruction = &self.body.instructions[found.user];
            self.users.push(found.user);
            match instruction.opcode {
                Opcode::IndexAddr => {
                    let distance = self.body.defining(self.body.operands(found.user)[1])?;
                    let IntegerValue::Narrow(distance) = IntegerLiteral::get(self.body, distance)?.value else {
                        return None;
                    };
                    self.elements(self.body.result(found.user)?, index + usize::try_from(distance).ok()?)?;
                }
                Opcode::TupleElementAddr => {
                    let (Details::Index(part), Type::Tuple(elements)) =
                        (&instruction.details, self.module.context.get(self.body.ty(address).ty))
                    else {
                        return None;
                    };
                    self.elements(self.body.result(found.user)?, index * elements.len() + *part as usize)?;
                }
                Opcode::Store if found.operand == 1 => {
                    let value = Store::of(self.body, found.user).source;
                    if matches!(self.module.context.get(self.body.ty(value).ty), Type::Tuple(_)) || index > LARGEST {
                        return None;
                    }
                    if index >= self.stores.len() {
                        self.stores.resize(index + 1, None);
                    }
                    if self.stores[index].replace(value).is_some() {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }
}

/// The greatest index of an examined element.
const LARGEST: usize = 1 << 20;

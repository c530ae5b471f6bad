//! Structs and tuples on the stack whose parts are used alone become variables of their own (lib/SILOptimizer/Transforms/SILSROA.cpp).

use crate::context::{MemberTarget, SilType, TypeId};
use crate::diagnostic::Diagnostic;
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::views::{Store, StructExtract, TupleExtract};
use crate::model::{DebugLocation, DebugOperator, DebugVariable, Details, InstructionId, Place, Value};
use crate::transform::editing::editor::Editor;
use crate::transform::knowledge::aggregate_parts::{AggregatePart, is_divided, parts};
use crate::transform::knowledge::elements::Step;
use crate::transform::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(in crate::transform) const SCALAR_REPLACEMENT: Pass = Pass::new(&Description {
    name: "sroa",
    class_name: "SROA",
    summary: "Splits structs and tuples on the stack into their fields.",
    gates: Gates::OPEN,
    runner: Runner::Function(replace),
});

/// Divides the variables of a function.
pub(in crate::transform) fn replace(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let is_variable = |id: &InstructionId| editor.opcode(*id) == Opcode::AllocStack;
    let mut open: Vec<InstructionId> = editor.body().placed_instructions().filter(is_variable).collect();
    open.reverse();
    while let Some(id) = open.pop() {
        if let Some(variable) = AggregateVariable::of(&editor, id) {
            open.extend(variable.divide(&mut editor));
        }
    }
    Ok(editor.finish())
}

/// A struct or a tuple on the stack that can be divided.
struct AggregateVariable {
    allocation: InstructionId,
    address: Value,
    ty: TypeId,
    parts: Vec<AggregatePart>,
    loads: Vec<InstructionId>,
    stores: Vec<InstructionId>,
    projections: Vec<InstructionId>,
    deallocations: Vec<InstructionId>,
    debug_values: Vec<InstructionId>,
}

impl AggregateVariable {
    /// None where something is done with the memory as a whole, or nobody would be helped.
    fn of(editor: &Editor<'_>, allocation: InstructionId) -> Option<Self> {
        let address = editor.body().result(allocation)?;
        let ty = editor.body().ty(address).object_type();
        let parts = parts(editor.environment.queries, ty.ty).filter(|_| is_divided(editor.environment, ty))?;
        let mut variable = Self {
            allocation,
            address,
            ty: ty.ty,
            parts,
            loads: Vec::new(),
            stores: Vec::new(),
            projections: Vec::new(),
            deallocations: Vec::new(),
            debug_values: Vec::new(),
        };
        let mut helps = false;
        for found in editor.uses(address) {
            match editor.opcode(found.user) {
                Opcode::Store if found.operand == 1 => {
                    let source = Store::of(editor.body(), found.user).source;
                    let is_made = |opcode| editor.made_by(source, opcode).is_some();
                    helps |= is_made(Opcode::Struct) || is_made(Opcode::Tuple);
                    variable.stores.push(found.user);
                }
                Opcode::Load => variable.loads.push(found.user),
                Opcode::StructElementAddr | Opcode::TupleElementAddr => {
                    helps = true;
                    variable.projections.push(found.user);
                }
                Opcode::DeallocStack => variable.deallocations.push(found.user),
                Opcode::DebugValue => variable.debug_values.push(found.user),
                _ => return None,
            }
        }
        helps.then_some(variable)
    }

    /// Gives each part memory of its own, and those allocations.
    fn divide(self, editor: &mut Editor<'_>) -> Vec<InstructionId> {
        let places = self.allocate(editor);
        for load in &self.loads {
            self.divide_load(editor, *load, &places);
        }
        for store in &self.stores {
            self.divide_store(editor, *store, &places);
        }
        for projection in &self.projections {
            if let Some(place) = part_index(editor, *projection).and_then(|index| places.get(index)) {
                editor.replace(*projection, *place);
            }
        }
        for id in &self.deallocations {
            editor.build(Place::Before(*id), *id, |builder| {
                for place in places.iter().rev() {
                    builder.instruction(Opcode::DeallocStack, Details::None, &[*place]);
                }
            });
            editor.erase(*id);
        }
        for id in &self.debug_values {
            self.divide_debug_value(editor, *id, &places);
        }
        editor.erase(self.allocation);
        places.into_iter().filter_map(|place| editor.body().defining(place)).collect()
    }

    fn allocate(&self, editor: &mut Editor<'_>) -> Vec<Value> {
        let instruction = &editor.body().instructions[self.allocation];
        let mut attributes = AttributeSet::default();
        for kept in [Attribute::DynamicLifetime, Attribute::Lexical] {
            if instruction.attributes.contains(kept) {
                attributes.insert(kept);
            }
        }
        let details = instruction.details.clone();
        // The whole is the variable that the source has: parts are of a place of their own.
        let location = instruction.location;
        let places: Vec<Value> = self
            .parts
            .iter()
            .map(|part| {
                let (ty, details) = (SilType::object(part.ty), self.part_of_variable(&details, *part, location));
                editor.build(Place::Before(self.allocation), self.allocation, |builder| {
                    let address = SilType::address(part.ty);
                    builder.value_of_written_types(Opcode::AllocStack, attributes, details, &[], &[ty], address)
                })
            })
            .collect();
        for place in &places {
            editor.locate_automatically(*place);
        }
        if let (true, Details::Variable(_)) = (places.is_empty(), &details) {
            let undefined = editor.undef(SilType::address(self.ty));
            editor.build(Place::Before(self.allocation), self.allocation, |builder| {
                builder.instruction(Opcode::DebugValue, details, &[undefined]);
            });
        }
        places
    }

    /// What debuggers are told of a part.
    fn part_of_variable(&self, details: &Details, part: AggregatePart, location: Option<DebugLocation>) -> Details {
        let Details::Variable(whole) = details else { return details.clone() };
        let mut variable: DebugVariable = (**whole).clone();
        variable.ty = variable.ty.or(Some(SilType::object(self.ty)));
        variable.location = variable.location.or(location);
        variable.expression.push(match part.step {
            Step::Property(member) => DebugOperator::Fragment(member),
            Step::Tuple(index) => DebugOperator::TupleFragment(self.ty, index),
        });
        Details::Variable(Box::new(variable))
    }

    fn divide_load(&self, editor: &mut Editor<'_>, id: InstructionId, places: &[Value]) {
        let attributes = editor.body().instructions[id].attributes;
        let ty = SilType::object(self.ty);
        let mut loaded = Vec::new();
        for (part, place) in self.parts.iter().zip(places) {
            let part = SilType::object(part.ty);
            let attributes = qualified(editor, attributes, part);
            loaded.push(editor.build(Place::Before(id), id, |builder| {
                builder.value_with_attributes(Opcode::Load, attributes, Details::None, &[*place], part)
            }));
        }
        let is_tuple = matches!(editor.environment.queries.get(self.ty), crate::context::Type::Tuple(_));
        let whole = editor.build(Place::Before(id), id, |builder| match is_tuple {
            true => builder.value(Opcode::Tuple, Details::None, &loaded, ty),
            false => builder.value_of_written_type(Opcode::Struct, Details::None, &loaded, ty),
        });
        editor.replace(id, whole);
    }

    fn divide_store(&self, editor: &mut Editor<'_>, id: InstructionId, places: &[Value]) {
        let source = Store::of(editor.body(), id).source;
        let attributes = editor.body().instructions[id].attributes;
        let types: Vec<SilType> = self.parts.iter().map(|part| SilType::object(part.ty)).collect();
        let is_tuple = matches!(editor.environment.queries.get(self.ty), crate::context::Type::Tuple(_));
        let opcode = if is_tuple { Opcode::DestructureTuple } else { Opcode::DestructureStruct };
        let values = match editor.has_ownership() {
            true => editor.build(Place::Before(id), id, |builder| builder.values(opcode, &[source], &types)),
            false => editor.build(Place::Before(id), id, |builder| {
                let extract = |(part, ty): (&AggregatePart, &SilType)| {
                    let (opcode, details) = part.extraction();
                    builder.value(opcode, details, &[source], *ty)
                };
                self.parts.iter().zip(&types).map(extract).collect()
            }),
        };
        for ((value, ty), place) in values.into_iter().zip(types).zip(places) {
            let attributes = qualified(editor, attributes, ty);
            editor.build(Place::Before(id), id, |builder| {
                builder.with_attributes(Opcode::Store, attributes, Details::None, &[value, *place]);
            });
        }
        editor.erase(id);
    }

    fn divide_debug_value(&self, editor: &mut Editor<'_>, id: InstructionId, places: &[Value]) {
        let details = editor.body().instructions[id].details.clone();
        for (part, place) in self.parts.iter().zip(places) {
            let details = self.part_of_variable(&details, *part, None);
            editor.build(Place::Before(id), id, |builder| {
                builder.instruction(Opcode::DebugValue, details, &[*place]);
            });
        }
        if places.is_empty() {
            let undefined = editor.undef(editor.body().ty(self.address));
            editor.build(Place::Before(id), id, |builder| {
                builder.instruction(Opcode::DebugValue, details, &[undefined]);
            });
        }
        editor.erase(id);
    }
}

/// How a part is loaded or stored: what is trivial is not copied or taken.
fn qualified(editor: &Editor<'_>, attributes: AttributeSet, ty: SilType) -> AttributeSet {
    if !editor.has_ownership() || !editor.is_trivial(ty) {
        return attributes;
    }
    let mut trivial = AttributeSet::default();
    trivial.insert(Attribute::Trivial);
    trivial
}

/// Which part a projection leads to.
fn part_index(editor: &Editor<'_>, id: InstructionId) -> Option<usize> {
    let body = editor.body();
    if editor.opcode(id) == Opcode::TupleElementAddr {
        return Some(TupleExtract::of(body, id).index as usize);
    }
    match editor.environment.queries.context.get_member(StructExtract::of(body, id).field).target {
        MemberTarget::Stored(index) => Some(index as usize),
        MemberTarget::Case(_) | MemberTarget::Other => None,
    }
}

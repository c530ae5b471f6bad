//! Scalar replacement of aggregates: splits stack variables of struct or tuple type into one variable per part, if only
//! parts are used. Follows lib/SILOptimizer/Transforms/SILSROA.cpp.

use sil_ir::context::{MemberTarget, SilType, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{Store, StructExtract, TupleExtract};
use sil_ir::model::{DebugLocation, DebugOperator, DebugVariable, InstructionId, Place, Value};

use crate::editing::debug_values::debug_variable;
use crate::editing::editor::Editor;
use crate::knowledge::aggregate_parts::{AggregatePart, is_divided, parts};
use crate::knowledge::elements::Step;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const SCALAR_REPLACEMENT: Pass = Pass::new(&Description {
    name: "sroa",
    class_name: "SROA",
    summary: "Splits structs and tuples on the stack into their fields.",
    gates: Gates::OPEN,
    runner: Runner::Function(replace),
});

/// Splits the variables of a function.
pub(crate) fn replace(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
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

/// A struct or tuple variable that can be split.
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
    /// Returns `None` if the memory is used as a whole, or splitting gains nothing.
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

    /// Allocates each part separately. Returns the allocations.
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
                    builder.dealloc_stack(*place);
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
        let variable = debug_variable(editor.body(), self.allocation);
        // The source variable is the whole. The parts have locations of their own.
        let location = instruction.location;
        let places: Vec<Value> = self
            .parts
            .iter()
            .map(|part| {
                let variable = self.part_of_variable(variable.as_deref(), *part, location);
                editor.build(Place::Before(self.allocation), self.allocation, |builder| {
                    builder.with(attributes).alloc_stack(SilType::object(part.ty), variable)
                })
            })
            .collect();
        for place in &places {
            editor.locate_automatically(*place);
        }
        if places.is_empty() && variable.is_some() {
            let undefined = editor.undef(SilType::address(self.ty));
            editor.build(Place::Before(self.allocation), self.allocation, |builder| {
                builder.debug_value(undefined, variable);
            });
        }
        places
    }

    /// The debug variable of a part.
    fn part_of_variable(
        &self,
        whole: Option<&DebugVariable>,
        part: AggregatePart,
        location: Option<DebugLocation>,
    ) -> Option<Box<DebugVariable>> {
        let mut variable = Box::new(whole?.clone());
        variable.ty = variable.ty.or(Some(SilType::object(self.ty)));
        variable.location = variable.location.or(location);
        variable.expression.push(match part.step {
            Step::Property(member) => DebugOperator::Fragment(member),
            Step::Tuple(index) => DebugOperator::TupleFragment(self.ty, index),
        });
        Some(variable)
    }

    fn divide_load(&self, editor: &mut Editor<'_>, id: InstructionId, places: &[Value]) {
        let attributes = editor.body().instructions[id].attributes;
        let ty = SilType::object(self.ty);
        let mut loaded = Vec::new();
        for (part, place) in self.parts.iter().zip(places) {
            let part = SilType::object(part.ty);
            let attributes = qualified(editor, attributes, part);
            loaded.push(editor.build(Place::Before(id), id, |builder| builder.with(attributes).load(*place)));
        }
        let is_tuple = matches!(editor.environment.queries.get(self.ty), sil_ir::context::Type::Tuple(_));
        let whole = editor.build(Place::Before(id), id, |builder| match is_tuple {
            true => builder.tuple(&loaded, ty),
            false => builder.structure(&loaded, ty),
        });
        editor.replace(id, whole);
    }

    fn divide_store(&self, editor: &mut Editor<'_>, id: InstructionId, places: &[Value]) {
        let source = Store::of(editor.body(), id).source;
        let attributes = editor.body().instructions[id].attributes;
        let types: Vec<SilType> = self.parts.iter().map(|part| SilType::object(part.ty)).collect();
        let is_tuple = matches!(editor.environment.queries.get(self.ty), sil_ir::context::Type::Tuple(_));
        let values = match editor.has_ownership() {
            true => editor.build(Place::Before(id), id, |builder| match is_tuple {
                true => builder.destructure_tuple(source, &types),
                false => builder.destructure_struct(source, &types),
            }),
            false => editor.build(Place::Before(id), id, |builder| {
                let extract = |part: &AggregatePart| part.extract(builder, source);
                self.parts.iter().map(extract).collect()
            }),
        };
        for ((value, ty), place) in values.into_iter().zip(types).zip(places) {
            let attributes = qualified(editor, attributes, ty);
            editor.build(Place::Before(id), id, |builder| {
                builder.with(attributes).store(value, *place);
            });
        }
        editor.erase(id);
    }

    fn divide_debug_value(&self, editor: &mut Editor<'_>, id: InstructionId, places: &[Value]) {
        let variable = debug_variable(editor.body(), id);
        for (part, place) in self.parts.iter().zip(places) {
            let variable = self.part_of_variable(variable.as_deref(), *part, None);
            editor.build(Place::Before(id), id, |builder| {
                builder.debug_value(*place, variable);
            });
        }
        if places.is_empty() {
            let undefined = editor.undef(editor.body().ty(self.address));
            editor.build(Place::Before(id), id, |builder| {
                builder.debug_value(undefined, variable);
            });
        }
        editor.erase(id);
    }
}

/// The attributes of a load or store of a part. A trivial part is not copied or taken.
fn qualified(editor: &Editor<'_>, attributes: AttributeSet, ty: SilType) -> AttributeSet {
    if !editor.has_ownership() || !editor.is_trivial(ty) {
        return attributes;
    }
    let mut trivial = AttributeSet::default();
    trivial.insert(Attribute::Trivial);
    trivial
}

/// The part index of a projection.
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

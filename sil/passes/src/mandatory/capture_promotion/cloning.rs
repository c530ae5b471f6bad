//! Clones the function of a closure so that it captures values instead of boxes.

use rustc_hash::FxHashMap;
use sil_ir::context::{FunctionType, ParameterConvention, SilType, SubstitutionMapId, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{StructExtract, Unary};
use sil_ir::model::{
    BlockId, Body, DebugOperator, DebugVariable, Function, FunctionAttribute, FunctionFlag, InstructionId, Module,
    Ownership, Place, Serialization, Value,
};
use sil_ir::symbols::{ParameterChange, SpecializationPass};
use sil_ir::types::{FunctionConventions, TypeQueries};

use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::cloning::{ClonePlaces, Cloner};
use crate::editing::debug_values::debug_variable;
use crate::editing::specialized_functions::attributes_without_effects;
use crate::editing::specialized_names::specialized_name;

/// Returns the clone with the values of boxes as its arguments of these numbers; `None` if the function has no
/// specialised symbol.
pub(super) fn with_values(
    module: &Module,
    queries: &TypeQueries<'_>,
    function: &Function,
    serialization: Serialization,
    boxes: &[usize],
) -> Option<Function> {
    let from = function.body.as_ref()?;
    let Type::Function(ty) = queries.get(function.ty) else { return None };
    let first = FunctionConventions::new(ty).first_parameter();
    let mut changed: FunctionType = (**ty).clone();
    let mut changes = vec![ParameterChange::Unchanged; from.blocks[from.entry()].arguments.len()];
    for index in boxes {
        let parameter = changed.parameters.get_mut(index.checked_sub(first)?)?;
        let field = queries.box_field_type(parameter.ty, 0)?;
        parameter.convention = match parameter.convention {
            _ if queries.properties(field, function.signature).is_trivial() => ParameterConvention::Unowned,
            ParameterConvention::Guaranteed => ParameterConvention::Guaranteed,
            _ => ParameterConvention::Owned,
        };
        parameter.ty = field;
        changes[*index] = ParameterChange::BoxToValue;
    }
    let name = specialized_name(module, function.name, SpecializationPass::CapturePromotion, serialization, &changes)?;
    let is_transparent =
        |attribute: &FunctionAttribute| *attribute == FunctionAttribute::Flag(FunctionFlag::Transparent);
    Some(Function {
        name,
        ty: queries.context.ty(Type::Function(Box::new(changed))),
        serialization,
        attributes: attributes_without_effects(function).into_iter().filter(|kept| !is_transparent(kept)).collect(),
        body: Some(Promoter::new(queries, function, from, boxes)?.body()),
        ..function.clone()
    })
}

/// Clones one function.
struct Promoter<'p> {
    from: &'p Body,
    cloner: Cloner<'p>,
    to: Body,
    /// The contents of each box and of each address in it.
    contents: FxHashMap<Value, Content>,
    origin: Origin,
}

/// The contents of a box.
#[derive(Clone, Copy)]
struct Content {
    /// The argument.
    argument: Value,
    /// The argument, borrowed if it is owned.
    value: Value,
}

impl<'p> Promoter<'p> {
    fn new(queries: &'p TypeQueries<'p>, function: &'p Function, from: &'p Body, boxes: &[usize]) -> Option<Self> {
        let mut to = Body::default();
        let entry = to.add_block();
        let origin = from.first_instruction(from.entry()).map(|first| Origin::of(from, first))?;
        let site = InstructionId::from_u32(0);
        let mut cloner =
            Cloner::new(queries, from, SubstitutionMapId::EMPTY, function.signature, ClonePlaces::Kept, site);
        cloner.map_block(from.entry(), entry);
        let mut contents = FxHashMap::default();
        let mut owned = Vec::new();
        for (index, parameter) in from.blocks[from.entry()].arguments.iter().enumerate() {
            let data = &from.values[*parameter];
            if !boxes.contains(&index) {
                let clone = to.add_argument(entry, data.ty, data.ownership);
                to.values[clone].flags = data.flags;
                cloner.map_value(*parameter, clone);
                continue;
            }
            let ty = SilType::object(queries.box_field_type(data.ty.ty, 0)?);
            let is_trivial = queries.properties(ty.ty, function.signature).is_trivial();
            let argument = to.add_argument(entry, ty, if is_trivial { Ownership::None } else { data.ownership });
            to.values[argument].flags = data.flags;
            contents.insert(*parameter, Content { argument, value: argument });
            if to.values[argument].ownership == Ownership::Owned {
                owned.push(*parameter);
            }
        }
        let mut promoter = Self { from, cloner, to, contents, origin };
        for parameter in owned {
            if let Some(content) = promoter.contents.get(&parameter).copied() {
                let value = promoter.at(entry).begin_borrow(content.argument);
                promoter.contents.insert(parameter, Content { value, ..content });
            }
        }
        Some(promoter)
    }

    fn body(mut self) -> Body {
        let from = self.from;
        let mut order = vec![from.entry()];
        let mut next = 0;
        while let Some(block) = order.get(next).copied() {
            next += 1;
            let into = self.cloner.block(&mut self.to, block);
            let terminator = from.terminator(block);
            for id in from.instructions_in(block).filter(|id| Some(*id) != terminator) {
                self.stand_for(id);
                if self.promoted(into, id).is_none() {
                    self.cloner.instruction(&mut self.to, into, id);
                }
            }
            let targets = terminator.map(|end| from.targets(end)).unwrap_or_default();
            for target in targets {
                if !order.contains(target) {
                    order.push(*target);
                }
            }
        }
        for block in order {
            let into = self.cloner.block(&mut self.to, block);
            if let Some(terminator) = from.terminator(block) {
                self.stand_for(terminator);
                self.cloner.instruction(&mut self.to, into, terminator);
            }
        }
        self.to
    }

    /// Sets the location of new instructions to that of `id`.
    fn stand_for(&mut self, id: InstructionId) {
        self.origin = Origin::of(self.from, id);
    }

    /// Clones an instruction on a box or its contents as one on the value; `None` for other instructions.
    fn promoted(&mut self, into: BlockId, id: InstructionId) -> Option<()> {
        let from = self.from;
        let operand = *from.operands(id).first()?;
        let instruction = &from.instructions[id];
        let result = from.result(id);
        if instruction.opcode == Opcode::EndBorrow && self.is_borrowed_content(operand) {
            return Some(());
        }
        let content = *self.contents.get(&operand)?;
        match instruction.opcode {
            Opcode::ProjectBox | Opcode::BeginAccess => {
                self.contents.insert(result?, content);
            }
            Opcode::StructElementAddr => {
                let member = StructExtract::of(from, id).field;
                let ty = from.ty(result?).object_type();
                let value = self.at(into).struct_extract(content.value, member, ty);
                self.contents.insert(result?, Content { value, ..content });
            }
            Opcode::Load if instruction.attributes.contains(Attribute::Copy) => {
                let copy = self.at(into).copy_value(content.value);
                self.cloner.map_value(result?, copy);
            }
            Opcode::Load | Opcode::LoadBorrow => self.cloner.map_value(result?, content.value),
            Opcode::DebugValue => self.debug_value(into, id, content.value),
            Opcode::DestroyValue if content.value != content.argument => {
                self.at(into).end_borrow(content.value);
                self.at(into).destroy_value(content.argument);
            }
            Opcode::DestroyValue | Opcode::EndAccess | Opcode::MarkFunctionEscape => {}
            _ => return None,
        }
        Some(())
    }

    /// Returns whether a borrow is of the contents of a box.
    fn is_borrowed_content(&self, borrow: Value) -> bool {
        let from = self.from;
        let made = from.defining(borrow).filter(|id| from.instructions[*id].opcode == Opcode::LoadBorrow);
        made.is_some_and(|id| self.contents.contains_key(&Unary::of(from, id).operand))
    }

    /// Clones a debug value of an address as one of the value, without the dereference.
    fn debug_value(&mut self, into: BlockId, id: InstructionId, value: Value) {
        let mut variable = debug_variable(self.from, id);
        let dereferences =
            |variable: &&mut Box<DebugVariable>| variable.expression.first() == Some(&DebugOperator::Dereference);
        if let Some(variable) = variable.as_mut().filter(dereferences) {
            variable.expression.remove(0);
        }
        self.at(into).debug_value(value, variable);
    }

    fn at(&mut self, into: BlockId) -> InstructionBuilder<'_> {
        InstructionBuilder::of_origin(&mut self.to, Place::End(into), self.origin)
    }
}

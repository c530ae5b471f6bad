//! Variables of `debug_value`, `alloc_stack` and `alloc_box`. Does not own: the locations of their values
//! (`instructions/variables.rs`).

use inkwell::debug_info::{DIFile, DILocation};
use sil_ir::context::{MemberTarget, TypeId};
use sil_ir::model::{DebugLocation, DebugOperator, DebugVariable as SilVariable, Instruction};

use super::scopes::{ScopeNode, Surroundings};
use super::types::TypeDescriber;
use super::{DebugInfo, Detail, FunctionLocations, Positions};
use crate::layout::{BitRange, TypeConverter};
use crate::llvm::debug_types::DebugType;
use crate::llvm::debug_variables::{self, DebugVariable, VariableFacts};

/// The identity of a variable: the address of the scope's node, the name, the type, the number of an argument.
pub(super) type VariableKey<'ctx> = (usize, Box<str>, DebugType<'ctx>, Option<u32>);

/// A variable, or a part of one, as described by one instruction.
#[derive(Clone)]
pub struct DescribedVariable<'ctx> {
    /// The variable.
    pub variable: DebugVariable<'ctx>,
    /// Its place.
    pub location: DILocation<'ctx>,
    /// The type of the whole variable.
    pub ty: TypeId,
    /// The bits of the variable that the instruction defines.
    pub part: BitRange,
    /// Whether it is an argument of the function.
    pub role: VariableRole,
    /// The relation of the instruction's operand to the variable.
    pub value: ValueKind,
    /// Distinguishes the inlined calls of its function.
    pub call: usize,
}

/// The origin of a variable's first value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableRole {
    /// The caller.
    Argument,
    /// The function.
    Local,
}

/// The relation of an operand to the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// Its value.
    Value,
    /// The address of its value.
    Address,
    /// None: the value is this integer.
    Constant(u64),
}

/// The supported parts of a debug expression.
struct Expression {
    value: ValueKind,
    part: BitRange,
}

impl<'ctx> DebugInfo<'_, 'ctx> {
    /// Describes the variable that `instruction` gives a value of the type `ty`. `None` without a name or a layout, or
    /// if DWARF cannot express the value.
    pub fn describe_variable(
        &self,
        types: &TypeConverter<'_>,
        function: &FunctionLocations<'ctx>,
        instruction: &Instruction,
        variable: &SilVariable,
        ty: TypeId,
    ) -> Option<DescribedVariable<'ctx>> {
        if self.options.detail == Detail::LineTables {
            return None;
        }
        let ty = variable.ty.map_or(ty, |whole| whole.ty);
        let expression = expression(types, ty, &variable.expression)?;
        let place = self.variable_place(function, instruction, variable);
        let described = TypeDescriber::new(self, types).describe(ty)?;
        let name = self.sil.context.text(variable.name?);
        let number = variable.argument.filter(|_| place.can_be_argument);
        let argument = number.filter(|number| self.claim_argument(*number, name, place.node, described));
        let variable = self.variable(name, &place, described, argument);
        // For inlined functions, LLVM identifies arguments by the location.
        let is_own = place.call == 0;
        let role = if argument.is_some() && is_own { VariableRole::Argument } else { VariableRole::Local };
        let Expression { value, part } = expression;
        let (location, call) = (place.location, place.call);
        Some(DescribedVariable { variable, location, ty, part, role, value, call })
    }

    fn variable(
        &self,
        name: &str,
        place: &VariablePlace<'ctx>,
        ty: DebugType<'ctx>,
        argument: Option<u32>,
    ) -> DebugVariable<'ctx> {
        let scope = place.node.scope;
        let key = (scope.as_mut_ptr() as usize, name.into(), ty, argument);
        let facts = VariableFacts { name, scope, file: place.file, line: place.line, argument, ty };
        let make = || debug_variables::create(&self.builder, &facts);
        *self.variables.borrow_mut().entry(key).or_insert_with(make)
    }

    /// Returns whether the argument with this index is the variable called `name`: the first one with the index in its
    /// function. Others, in specialised and inlined code, become local; LLVM aborts if two arguments have the same
    /// index.
    fn claim_argument(&self, number: u32, name: &str, node: ScopeNode<'ctx>, ty: DebugType<'ctx>) -> bool {
        let variable = (node.scope.as_mut_ptr() as usize, name.into(), ty, Some(number));
        let mut arguments = self.arguments.borrow_mut();
        let first =
            arguments.entry((node.subprogram.as_mut_ptr() as usize, number)).or_insert_with(|| variable.clone());
        *first == variable
    }

    fn variable_place(
        &self,
        function: &FunctionLocations<'ctx>,
        instruction: &Instruction,
        variable: &SilVariable,
    ) -> VariablePlace<'ctx> {
        if function.text == Positions::Sil {
            // The scopes are Swift's; arguments of inlined functions are local here.
            let inlined = |location: DebugLocation| location.scope.and_then(|scope| self.sil.scopes[scope].inlined_at);
            return VariablePlace {
                node: function.node,
                file: self.sil_file(instruction.span.file),
                line: self.position(instruction.span).line,
                location: self.location(function, instruction),
                call: 0,
                can_be_argument: instruction.location.and_then(inlined).is_none(),
            };
        }
        let own = variable.location;
        let scope = own.and_then(|own| own.scope).or(instruction.location.and_then(|location| location.scope));
        let place = own.and_then(|own| own.place).or(instruction.location.and_then(|location| location.place));
        let surroundings = match scope {
            Some(scope) => self.surroundings(function, scope),
            None => Surroundings { node: function.node, inlined_at: None },
        };
        let file = place.map(|place| place.file).or(surroundings.node.file);
        VariablePlace {
            node: surroundings.node,
            file: file.map_or_else(|| self.unit_file(), |file| self.swift_file(file)),
            line: place.map_or(0, |place| place.line),
            location: self.place_location(surroundings, place),
            call: surroundings.inlined_at.map_or(0, |call| call.as_mut_ptr() as usize),
            can_be_argument: true,
        }
    }
}

/// The declaration place of a variable.
struct VariablePlace<'ctx> {
    node: ScopeNode<'ctx>,
    file: DIFile<'ctx>,
    line: u32,
    location: DILocation<'ctx>,
    /// The address of the node of the call that it was inlined at.
    call: usize,
    /// Whether its argument index refers to the function of its scope.
    can_be_argument: bool,
}

fn expression(types: &TypeConverter<'_>, whole: TypeId, operators: &[DebugOperator]) -> Option<Expression> {
    let mut value = ValueKind::Value;
    let mut ty = whole;
    let mut offset = 0;
    for operator in operators {
        let index = match operator {
            DebugOperator::Dereference => {
                value = ValueKind::Address;
                continue;
            }
            DebugOperator::ConstantUnsigned(constant) => {
                value = ValueKind::Constant(*constant);
                continue;
            }
            DebugOperator::ConstantSigned(constant) => {
                value = ValueKind::Constant(*constant as u64);
                continue;
            }
            DebugOperator::Fragment(member) => match types.queries.context.get_member(*member).target {
                MemberTarget::Stored(index) => index,
                MemberTarget::Case(_) | MemberTarget::Other => return None,
            },
            DebugOperator::TupleFragment(_, index) => *index,
            DebugOperator::Plus | DebugOperator::Minus => return None,
        };
        offset += types.info(ty).ok()?.fields().get(index as usize)?.offset * 8;
        ty = match operator {
            DebugOperator::Fragment(member) => types.queries.stored_property_type(ty, *member)?,
            _ => types.queries.tuple_element_type(ty, index)?,
        };
    }
    Some(Expression { value, part: BitRange { offset, width: types.info(ty).ok()?.size * 8 } })
}

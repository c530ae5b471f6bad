//! The name of a value: the variable that debug information names, and the path from it to the value, as in
//! `self.pair.0` (lib/SILOptimizer/Utils/VariableNameUtils.cpp).
//!
//! Owns the walk from a value to a variable. `temporary_origins` has the sources of temporaries.

use rustc_hash::FxHashSet;
use sil_ir::context::MemberId;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, DebugValue};
use sil_ir::model::{DebugVariable, Definition, Details, InstructionId, Value};
use sil_ir::symbols::Symbol;
use sil_ir::types::ArgumentConvention;

use super::temporary_origins::{is_temporary_source, origin_of_temporary};
use super::thunks::is_thunk;
use super::{ApplySite, BodyView};

/// A name, and the value that has the first part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableName {
    /// `self.pair.0`
    pub name: String,
    /// The value called `self`.
    pub root: Value,
}

/// Which calls of methods are taken for parts of `self`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallsOfMethods {
    /// Those that give access for a while, and those of addressors.
    Coroutines,
    /// All.
    All,
}

/// The name of `value`; none if it is not known.
pub fn variable_name(view: &BodyView<'_>, value: Value, calls: CallsOfMethods) -> Option<VariableName> {
    let mut search = Search { view, calls, parts: Vec::new(), seen: FxHashSet::default() };
    let root = search.find(value)?;
    search.parts.reverse();
    Some(VariableName { name: search.parts.join("."), root })
}

/// The placeholder for a value that debug information does not name.
const UNKNOWN: &str = "unknown";

/// Where a step of the walk leads.
enum Step {
    /// To another value.
    To(Value),
    /// To another value, of which this one is a part.
    PartOf(Value, String),
    /// It ends at a variable.
    Named(Value, String),
    /// To one of several values: the first that has a name.
    OneOf(Vec<Value>),
    /// Not known.
    Nowhere,
}

struct Search<'v, 'm> {
    view: &'v BodyView<'m>,
    calls: CallsOfMethods,
    /// The parts of the name, the last first.
    parts: Vec<String>,
    seen: FxHashSet<Value>,
}

impl Search<'_, '_> {
    fn find(&mut self, start: Value) -> Option<Value> {
        let mut value = start;
        loop {
            if !self.seen.insert(value) {
                return None;
            }
            match self.step(value) {
                Step::To(next) => value = next,
                Step::PartOf(next, part) => {
                    self.parts.push(part);
                    value = next;
                }
                Step::Named(root, name) => {
                    self.parts.push(name);
                    return Some(root);
                }
                Step::OneOf(values) => {
                    let length = self.parts.len();
                    return values.into_iter().find_map(|next| {
                        self.parts.truncate(length);
                        self.find(next)
                    });
                }
                Step::Nowhere => return None,
            }
        }
    }

    fn step(&self, value: Value) -> Step {
        if let Some(name) = self.debug_name(value) {
            return Step::Named(value, name);
        }
        if let Some(name) = self.name_of_move(value).or_else(|| self.name_of_borrow(value)) {
            return Step::Named(value, name);
        }
        match self.view.definition(value) {
            Some((id, opcode)) => self.step_of_instruction(value, id, opcode),
            None => self.step_of_argument(value),
        }
    }

    /// The name that a `debug_value` gives. The last one in the text counts.
    fn debug_name(&self, value: Value) -> Option<String> {
        let mut uses = self.view.uses.of(value).iter().rev();
        uses.find_map(|found| name_of_variable(self.view, DebugValue::get(self.view.body, found.user)?.variable))
    }

    /// The name that an owned value gets where a variable takes it over.
    fn name_of_move(&self, value: Value) -> Option<String> {
        let [only] = self.view.uses.of(value) else { return None };
        let is_move = self.view.opcode(only.user) == Opcode::MoveValue && is_variable(self.view, only.user);
        self.debug_name(self.view.body.result(only.user).filter(|_| is_move)?)
    }

    /// The name that a value gets where a variable borrows it and nothing else uses it.
    fn name_of_borrow(&self, value: Value) -> Option<String> {
        let mut borrow = None;
        for found in self.view.uses.of(value) {
            match self.view.opcode(found.user) {
                opcode if is_incidental(opcode) => {}
                Opcode::DestroyValue => {}
                Opcode::BeginBorrow if is_variable(self.view, found.user) && borrow.is_none() => {
                    borrow = self.view.body.result(found.user);
                }
                _ => return None,
            }
        }
        self.debug_name(borrow?)
    }

    fn step_of_argument(&self, value: Value) -> Step {
        let view = self.view;
        let Definition::Argument { block, .. } = view.body.values[value].definition else { return Step::Nowhere };
        if block == view.body.entry() {
            return self.name_of_parameter(value).map_or(Step::Nowhere, |name| Step::Named(value, name));
        }
        let terminator = view.cfg.single_predecessor(block).and_then(|before| view.body.terminator(before));
        if let Some(switch) = terminator.filter(|id| view.opcode(*id) == Opcode::SwitchEnum) {
            return view.operand(switch, 0).map_or(Step::Nowhere, Step::To);
        }
        view.incoming_values(value).map_or(Step::Nowhere, Step::OneOf)
    }

    /// The name of a parameter of a function that was written in Swift, whose debug information may only name a copy of
    /// it.
    fn name_of_parameter(&self, parameter: Value) -> Option<String> {
        let view = self.view;
        let Definition::Argument { index, .. } = view.body.values[parameter].definition else { return None };
        let results = (0..index as usize).filter(|number| {
            let convention = view.argument_conventions().get(*number);
            convention.is_some_and(|convention| !matches!(convention, ArgumentConvention::Parameter(_)))
        });
        let number = index + 1 - u32::try_from(results.count()).ok()?;
        let is_own = |id: InstructionId| {
            let scope = view.body.instructions[id].location.and_then(|location| location.scope);
            scope.is_some_and(|scope| view.module.scopes[scope].inlined_at.is_none())
        };
        let mut variables =
            view.body.placed_instructions().filter_map(|id| match &view.body.instructions[id].details {
                Details::Variable(variable) if is_own(id) => Some(&**variable),
                _ => None,
            });
        let variable = variables.find(|variable| variable.argument == Some(number));
        name_of_variable(view, variable)
    }

    fn step_of_instruction(&self, value: Value, id: InstructionId, opcode: Opcode) -> Step {
        use Opcode::*;
        let view = self.view;
        let Some(operand) = view.operand(id, 0) else { return self.step_of_allocation(value, id, opcode) };
        match opcode {
            AllocRef | AllocRefDynamic => self.step_of_allocation(value, id, opcode),
            StoreBorrow => Step::To(views::Store::of(view.body, id).destination),
            RefElementAddr
            | StructExtract
            | StructElementAddr
            | UncheckedEnumData
            | UncheckedTakeEnumDataAddr
            | Enum => match view.body.instructions[id].details {
                Details::Member(member) => Step::PartOf(operand, self.member_name(member)),
                _ => Step::Nowhere,
            },
            TupleExtract | TupleElementAddr => match view.body.instructions[id].details {
                Details::Index(index) => Step::PartOf(operand, index.to_string()),
                _ => Step::Nowhere,
            },
            DestructureTuple => {
                self.result_number(value).map_or(Step::Nowhere, |index| Step::PartOf(operand, index.to_string()))
            }
            DestructureStruct => {
                self.field_of_struct(value, operand).map_or(Step::Nowhere, |name| Step::PartOf(operand, name))
            }
            BeginApply => self.step_of_call(id),
            Apply | TryApply if self.calls == CallsOfMethods::All => self.step_of_call(id),
            PointerToAddress => self.step_of_addressor(operand),
            PartialApply => self.step_of_closure(id),
            GlobalAddr => self.step_of_allocation(value, id, opcode),
            _ if is_temporary_source(opcode) => Step::To(operand),
            _ => Step::Nowhere,
        }
    }

    fn step_of_allocation(&self, value: Value, id: InstructionId, opcode: Opcode) -> Step {
        let view = self.view;
        match (opcode, &view.body.instructions[id].details) {
            (Opcode::AllocStack | Opcode::AllocBox, details) => {
                let variable = if let Details::Variable(variable) = details { Some(&**variable) } else { None };
                match name_of_variable(view, variable) {
                    Some(name) => Step::Named(value, name),
                    None => origin_of_temporary(view, value, id).map_or(Step::Nowhere, Step::To),
                }
            }
            (Opcode::AllocRef | Opcode::AllocRefDynamic | Opcode::AllocPack, _) => {
                origin_of_temporary(view, value, id).map_or(Step::Nowhere, Step::To)
            }
            (Opcode::GlobalAddr, Details::Global(name, _)) => {
                let symbol = Symbol::demangle(view.module.context.text(*name));
                let name = symbol.as_ref().and_then(Symbol::variable_name).unwrap_or(UNKNOWN);
                Step::Named(value, name.to_owned())
            }
            _ => Step::Nowhere,
        }
    }

    /// A call of a method is a part of `self`: the result of an accessor has the name of the property.
    fn step_of_call(&self, id: InstructionId) -> Step {
        let part = ApplySite::new(self.view.body, id).and_then(|site| self.part_called(site));
        part.map_or(Step::Nowhere, |(whole, name)| Step::PartOf(whole, name))
    }

    fn part_called(&self, site: ApplySite<'_>) -> Option<(Value, String)> {
        let view = self.view;
        let conventions = site.conventions(view.queries)?;
        let argument = conventions.argument_of_parameter(conventions.self_parameter()?);
        let operand = site.numbering(conventions).operand_of_sil_argument(argument)?;
        let whole = view.operand(site.instruction, operand)?;
        let (callee, _) = view.definition(site.callee()?)?;
        let name = match &view.body.instructions[callee].details {
            Details::Function(name) => {
                let entity = Symbol::demangle(view.module.context.text(*name))?.entity()?;
                entity.name
            }
            Details::Method(method) => self.member_name(method.member),
            _ => return None,
        };
        Some((whole, name))
    }

    /// The result of an addressor: the pointer itself, or one in an `UnsafePointer`.
    fn step_of_addressor(&self, pointer: Value) -> Step {
        let view = self.view;
        let call = match view.definition(pointer) {
            Some((id, Opcode::StructExtract)) => view.operand(id, 0).and_then(|whole| view.definition(whole)),
            found => found,
        };
        match call {
            Some((id, Opcode::Apply)) => self.step_of_call(id),
            _ => Step::Nowhere,
        }
    }

    /// A function that is converted by a thunk is that function.
    fn step_of_closure(&self, id: InstructionId) -> Step {
        let view = self.view;
        let Some(site) = ApplySite::new(view.body, id) else { return Step::Nowhere };
        let [only] = site.arguments() else { return Step::Nowhere };
        let is_function = matches!(view.queries.get(view.body.ty(*only).ty), sil_ir::context::Type::Function(_));
        if is_function && is_thunk(view, site.callee()) { Step::To(*only) } else { Step::Nowhere }
    }

    fn member_name(&self, member: MemberId) -> String {
        let context = self.view.queries.context;
        context.text(context.get_member(member).name).to_owned()
    }

    fn result_number(&self, value: Value) -> Option<u32> {
        match self.view.body.values[value].definition {
            Definition::Result { index, .. } => Some(index),
            _ => None,
        }
    }

    fn field_of_struct(&self, value: Value, whole: Value) -> Option<String> {
        let queries = self.view.queries;
        let declaration = queries.declaration_of(self.view.body.ty(whole).ty)?;
        let field = declaration.stored.get(self.result_number(value)? as usize)?;
        Some(queries.context.text(field.name).to_owned())
    }
}

fn name_of_variable(view: &BodyView<'_>, variable: Option<&DebugVariable>) -> Option<String> {
    Some(view.module.context.text(variable?.name?).to_owned())
}

/// Whether a move or a borrow begins the life of a variable.
pub(super) fn is_variable(view: &BodyView<'_>, id: InstructionId) -> bool {
    view.body.instructions[id].attributes.contains(Attribute::VarDecl)
}

/// Whether an instruction has no effect on its operands (`isIncidentalUse`, lib/SIL/Utils/InstructionUtils.cpp).
pub(super) fn is_incidental(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, EndBorrow | EndAccess | EndApply | DebugValue | FixLifetime | EndLifetime | IgnoredUse)
}

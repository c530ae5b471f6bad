//! The source variables of dependent values and of their dependencies.

use sil_analysis::{AccessBase, AccessPath, reference_root};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{AllocVariable, DebugValue, GlobalAddr, RefElementAddr, Unary};
use sil_ir::model::{ArgumentFlag, DebugVariable, Definition, InstructionId, SourcePlace, Value};
use sil_ir::source::Span;

use super::super::facts::Facts;
use super::super::introducers::{TrivialCopies, variable_introducers};
use crate::messages::findings::source_place;
use crate::messages::variable_names::global_name;

/// A place for a diagnostic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub(super) span: Span,
    /// The place in the Swift source, if the module has it.
    pub(super) place: Option<SourcePlace>,
}

/// The source variable of a value, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct LifetimeVariable {
    pub(super) name: Option<String>,
    /// Its declaration.
    pub(super) declaration: Option<Location>,
    /// Its declaration, or the access to it.
    pub(super) location: Option<Location>,
    /// Whether the value is an access to the variable.
    pub(super) is_access: bool,
    pub(super) is_argument: bool,
    pub(super) is_capture: bool,
}

impl LifetimeVariable {
    /// Returns the source variable of `value`.
    pub(super) fn of(facts: &Facts<'_, '_>, value: Value) -> Self {
        let introducers = variable_introducers(facts, value, TrivialCopies::Heed);
        let Some(introducer) = introducers.first().copied() else { return Self::default() };
        if !facts.view.body.ty(introducer).is_address() {
            return Self::of_introducer(facts, introducer);
        }
        match facts.view.definition(introducer) {
            Some((begin, Opcode::BeginAccess)) => {
                let variable = Self::of(facts, Unary::of(facts.view.body, begin).operand);
                let location = location(facts, begin).or(variable.location);
                Self { is_access: true, location, ..variable }
            }
            _ => Self::of_base(facts, AccessPath::of(facts.view, introducer).base),
        }
    }

    fn of_base(facts: &Facts<'_, '_>, base: AccessBase) -> Self {
        let view = facts.view;
        let of_reference =
            |found: Option<Value>| found.map_or_else(Self::default, |found| Self::of_introducer(facts, found));
        match base {
            AccessBase::Box(_) => of_reference(base.reference(view).map(|reference| reference_root(view, reference))),
            AccessBase::Tail(_) => of_reference(base.reference(view)),
            AccessBase::Global(name) => {
                let name = Some(global_name(view.module.context.text(name)));
                Self { name, ..Self::default() }
            }
            AccessBase::StoreBorrow(stored) => {
                let source = view.body.defining(stored).and_then(|store| view.operand(store, 0));
                source.map_or_else(Self::default, |source| Self::of(facts, source))
            }
            AccessBase::Stack(found)
            | AccessBase::Class(found)
            | AccessBase::Argument(found)
            | AccessBase::Yield(found)
            | AccessBase::Pointer(found) => Self::of_introducer(facts, found),
            AccessBase::Index(_) | AccessBase::Unidentified(_) => Self::default(),
        }
    }

    fn of_introducer(facts: &Facts<'_, '_>, introducer: Value) -> Self {
        let view = facts.view;
        if view.argument_convention(introducer).is_some() {
            let flags = view.body.values[introducer].flags;
            let declared = parameter(facts, introducer).unwrap_or_default();
            let is_capture = flags.contains(ArgumentFlag::ClosureCapture);
            return Self { is_argument: true, is_capture, ..declared };
        }
        let Definition::Result { instruction, .. } = view.body.values[introducer].definition else {
            return Self::default();
        };
        let unnamed = || Self { location: location(facts, instruction), ..Self::default() };
        declared_by(facts, instruction).unwrap_or_else(unnamed)
    }
}

/// Returns the variable of a parameter: from its debug value, from that of a copy or box projection, or from the memory
/// that it is stored to.
fn parameter(facts: &Facts<'_, '_>, parameter: Value) -> Option<LifetimeVariable> {
    use Opcode::*;
    let view = facts.view;
    let (mut open, mut stored) = (vec![parameter], None);
    while let Some(value) = open.pop() {
        if let Some(found) = debug_variable(facts, value) {
            return Some(found);
        }
        for found in facts.uses(value).into_iter().filter(|found| found.operand == 0) {
            match view.opcode(found.user) {
                ProjectBox
                | CopyableToMoveonlywrapper
                | CopyableToMoveonlywrapperAddr
                | CopyValue
                | MarkUnresolvedNonCopyableValue => open.extend(view.body.result(found.user)),
                Store | CopyAddr if stored.is_none() => stored = memory_stored_to(facts, found.user),
                _ => {}
            }
        }
    }
    stored
}

/// Returns the variable whose memory a store initialises.
fn memory_stored_to(facts: &Facts<'_, '_>, store: InstructionId) -> Option<LifetimeVariable> {
    use Opcode::*;
    let view = facts.view;
    let mut address = view.operand(store, 1)?;
    loop {
        let (id, opcode) = view.definition(address)?;
        match opcode {
            AllocStack | AllocBox => return declared_by(facts, id),
            ProjectBox
            | BeginBorrow
            | MoveonlywrapperToCopyableAddr
            | MarkUnresolvedNonCopyableValue
            | MarkUninitialized => address = view.operand(id, 0)?,
            _ => return None,
        }
    }
}

/// Returns the variable that an instruction declares (`Instruction.findVarDecl`).
fn declared_by(facts: &Facts<'_, '_>, id: InstructionId) -> Option<LifetimeVariable> {
    let view = facts.view;
    let by_result = || view.body.results(id).find_map(|result| debug_variable(facts, result));
    match view.opcode(id) {
        Opcode::AllocStack | Opcode::AllocBox => {
            let variable = AllocVariable::get(view.body, id)?.variable?;
            named(facts, variable, id)
        }
        Opcode::RefElementAddr => {
            let field = view.module.context.get_member(RefElementAddr::get(view.body, id)?.field);
            let name = Some(view.module.context.text(field.name).to_owned());
            Some(LifetimeVariable { name, ..LifetimeVariable::default() })
        }
        Opcode::GlobalAddr => {
            let name = GlobalAddr::get(view.body, id)?.global.name;
            let name = Some(global_name(view.module.context.text(name)));
            Some(LifetimeVariable { name, ..LifetimeVariable::default() })
        }
        _ if facts.is_variable_scope(id) => by_result().or_else(|| {
            let operand = view.operand(id, 0)?;
            declared_by(facts, view.body.defining(operand)?)
        }),
        _ => by_result(),
    }
}

/// Returns the variable of a value by its `debug_value`.
fn debug_variable(facts: &Facts<'_, '_>, value: Value) -> Option<LifetimeVariable> {
    facts.uses(value).into_iter().find_map(|found| {
        let variable = DebugValue::get(facts.view.body, found.user)?.variable?;
        named(facts, variable, found.user)
    })
}

fn named(facts: &Facts<'_, '_>, variable: &DebugVariable, id: InstructionId) -> Option<LifetimeVariable> {
    let name = facts.view.module.context.text(facts.declared(Some(variable))?.name?).to_owned();
    let own = variable.location.and_then(|location| location.place);
    let location = match own {
        Some(_) => Some(Location { span: facts.view.body.instructions[id].span, place: own }),
        None => location(facts, id),
    };
    Some(LifetimeVariable { name: Some(name), declaration: location, location, ..LifetimeVariable::default() })
}

/// Returns the place of an instruction in the Swift source, or in SIL if the module has no source locations.
pub(super) fn location(facts: &Facts<'_, '_>, id: InstructionId) -> Option<Location> {
    let view = facts.view;
    let place = source_place(view.body, id);
    let is_located = place.is_some() || view.module.scopes.is_empty();
    is_located.then(|| Location { span: view.body.instructions[id].span, place })
}

/// Returns the place of the function.
pub(super) fn function_location(facts: &Facts<'_, '_>) -> Option<Location> {
    let view = facts.view;
    let place = view.module.place_of_function(view.function.name);
    let is_located = place.is_some() || view.module.scopes.is_empty();
    is_located.then_some(Location { span: view.function.span, place })
}

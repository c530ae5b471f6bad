//! Removes copies of moved values. Uses of the copy are replaced with the source if the source lives long enough, or
//! the source is initialised directly at the destination. Functions without ownership are left alone, since lifetimes
//! in memory are not visible there. Follows lib/SILOptimizer/Transforms/CopyForwarding.cpp.
//!
//! Swift's pass assumes that certain uses neither begin nor end a lifetime. This one checks that (`load [take]`,
//! `inject_enum_addr`).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, ControlFlowGraph, Dominators, Use, opened_archetypes};
use sil_ir::context::ParameterConvention;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CopyAddr, EnumCase};
use sil_ir::model::{DebugOperator, Details, InstructionId, Place, Value};
use sil_ir::types::ArgumentConvention;

use crate::editing::debug_values::show_instead;
use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const COPY_FORWARDING: Pass = Pass::new(&Description {
    name: "copy-forwarding",
    class_name: "CopyForwarding",
    summary: "Forwards copies in memory to their sources or destinations.",
    gates: Gates { ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(forward),
});

/// Removes copies of moved values.
pub(crate) fn forward(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let mut sources: Vec<Value> = Vec::new();
    for id in environment.body.placed_instructions() {
        if environment.body.instructions[id].opcode == Opcode::CopyAddr {
            let source = CopyAddr::of(environment.body, id).source;
            if is_own_source(&editor, source) && !sources.contains(&source) {
                sources.push(source);
            }
        }
    }
    for source in sources {
        while forward_copies_of(&mut editor, source) {}
    }
    Ok(editor.finish())
}

/// Returns whether the memory has no other address and its value's lifetime ends in the function.
fn is_own_source(editor: &Editor<'_>, address: Value) -> bool {
    use ParameterConvention::{In, InGuaranteed};
    match convention_of_argument(editor, address) {
        Some(convention) => matches!(convention, ArgumentConvention::Parameter(In | InGuaranteed)),
        None => editor.made_by(address, Opcode::AllocStack).is_some(),
    }
}

/// Returns whether the memory has no other address.
fn is_own_destination(editor: &Editor<'_>, address: Value) -> bool {
    match convention_of_argument(editor, address) {
        Some(convention) => {
            convention.is_indirect_out() || convention == ArgumentConvention::Parameter(ParameterConvention::InOut)
        }
        None => editor.made_by(address, Opcode::AllocStack).is_some(),
    }
}

fn convention_of_argument(editor: &Editor<'_>, value: Value) -> Option<ArgumentConvention> {
    let body = editor.body();
    let index = body.blocks[body.entry()].arguments.iter().position(|argument| *argument == value)?;
    let conventions = editor.environment.queries.conventions(editor.environment.function.ty)?;
    Some(conventions.argument(index)?.convention)
}

/// The users of an address that holds one value.
#[derive(Default)]
struct Users {
    plain: FxHashSet<InstructionId>,
    debug: FxHashSet<InstructionId>,
    takes: Vec<InstructionId>,
    destroys: Vec<InstructionId>,
}

impl Users {
    /// Returns `None` if parts of the value are used, an instruction uses it twice, or a use is unknown.
    fn new(editor: &Editor<'_>, address: Value, ignored: Option<InstructionId>) -> Option<Self> {
        let mut users = Self::default();
        for found in editor.uses(address) {
            let user = found.user;
            if Some(user) == ignored {
                continue;
            }
            match editor.opcode(user) {
                Opcode::CopyAddr if found.operand == 0 && takes(editor, user) => {
                    let CopyAddr { source, destination } = CopyAddr::of(editor.body(), user);
                    if source == destination {
                        return None;
                    }
                    users.takes.push(user);
                }
                Opcode::Apply
                | Opcode::CopyAddr
                | Opcode::Load
                | Opcode::ExistentialMetatype
                | Opcode::InjectEnumAddr
                | Opcode::Store => {
                    if !users.plain.insert(user) {
                        return None;
                    }
                }
                Opcode::DestroyAddr => users.destroys.push(user),
                Opcode::DebugValue if shows_memory(editor, user) => {
                    users.debug.insert(user);
                }
                Opcode::DeallocStack => {}
                _ => return None,
            }
        }
        Some(users)
    }

    fn contains(&self, id: InstructionId) -> bool {
        self.plain.contains(&id) || self.debug.contains(&id) || self.takes.contains(&id) || self.destroys.contains(&id)
    }
}

/// Returns whether a `debug_value` describes the memory at its operand.
fn shows_memory(editor: &Editor<'_>, id: InstructionId) -> bool {
    match &editor.body().instructions[id].details {
        Details::Variable(variable) => variable.expression.first() == Some(&DebugOperator::Dereference),
        _ => false,
    }
}

fn has(editor: &Editor<'_>, id: InstructionId, attribute: Attribute) -> bool {
    editor.body().instructions[id].attributes.contains(attribute)
}

fn takes(editor: &Editor<'_>, id: InstructionId) -> bool {
    has(editor, id, Attribute::Take)
}

/// Visits all moves out of `source`. Returns whether another copy has become a copy of `source`.
fn forward_copies_of(editor: &mut Editor<'_>, source: Value) -> bool {
    let Some(users) = Users::new(editor, source, None) else { return false };
    let mut forwarding = Forwarding { editor, source, users, goes_on: false };
    for copy in forwarding.users.takes.clone() {
        if forwarding.editor.is_placed(copy) {
            forwarding.propagate(copy);
        }
    }
    forwarding.goes_on
}

struct Forwarding<'e, 'm> {
    editor: &'e mut Editor<'m>,
    source: Value,
    users: Users,
    /// Whether another copy has become a copy of the same source.
    goes_on: bool,
}

impl Forwarding<'_, '_> {
    /// Removes a copy that takes its source.
    fn propagate(&mut self, copy: InstructionId) {
        if self.skip_temporary(copy).is_some() {
            return;
        }
        let CopyAddr { source, destination } = CopyAddr::of(self.editor.body(), copy);
        if self.use_source(copy).is_some() {
            if !has(self.editor, copy, Attribute::Init) {
                self.destroy(copy, destination);
            }
            show_instead(self.editor, copy, source, destination);
            self.editor.erase(copy);
        } else if has(self.editor, copy, Attribute::Init) && self.make_at_destination(copy).is_some() {
            show_instead(self.editor, copy, destination, source);
            self.editor.erase(copy);
        }
    }

    fn destroy(&mut self, place: InstructionId, address: Value) -> InstructionId {
        self.editor.build(Place::Before(place), place, |builder| builder.destroy_addr(address))
    }

    /// Turns a copy of an uninterrupted copy into a copy of the first source.
    fn skip_temporary(&mut self, copy: InstructionId) -> Option<()> {
        let mut debug = Vec::new();
        let mut current = self.editor.body().previous(copy);
        let first = loop {
            let id = current?;
            if self.editor.opcode(id) == Opcode::CopyAddr
                && CopyAddr::of(self.editor.body(), id).destination == self.source
            {
                break id;
            }
            if self.users.plain.contains(&id) {
                return None;
            }
            if self.editor.opcode(id) == Opcode::DebugValue {
                if self.users.debug.contains(&id) {
                    debug.push(id);
                }
            } else if self.editor.memory_behavior(id).may_write() {
                return None;
            }
            current = self.editor.body().previous(id);
        };
        let CopyAddr { source, destination } = CopyAddr::of(self.editor.body(), first);
        if !has(self.editor, first, Attribute::Init) {
            self.destroy(first, destination);
        }
        show_instead(self.editor, first, source, destination);
        debug
            .into_iter()
            .filter(|id| self.editor.is_placed(*id))
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|id| self.editor.erase(id));
        self.editor.set_operand(Use { user: copy, operand: 0 }, source);
        if !takes(self.editor, first) {
            self.editor.edit_attributes(copy, |attributes| attributes.remove(Attribute::Take));
        }
        self.editor.erase(first);
        Some(())
    }

    /// Replaces the uses of the copy with the source.
    fn use_source(&mut self, copy: InstructionId) -> Option<()> {
        let CopyAddr { source, destination } = CopyAddr::of(self.editor.body(), copy);
        self.editor.made_by(destination, Opcode::AllocStack)?;
        let mut direct: Vec<Use> = Vec::new();
        for found in self.editor.uses(destination) {
            if found.user == copy || self.editor.opcode(found.user) == Opcode::DeallocStack {
                continue;
            }
            if direct.iter().any(|other| other.user == found.user) {
                return None;
            }
            direct.push(found);
        }
        let is_dead_after =
            self.users.takes.len() == 1 && self.users.destroys.is_empty() && self.users.plain.is_empty();
        if is_dead_after && self.dominates(copy, &direct) {
            for found in direct {
                self.goes_on |= self.editor.opcode(found.user) == Opcode::CopyAddr;
                self.editor.set_operand(found, source);
            }
            return Some(());
        }
        let end_of_source = match self.editor.made_by(self.source, Opcode::AllocStack) {
            Some(_) => {
                let ends = self.editor.uses(self.source).into_iter().map(|found| found.user);
                let ends: Vec<InstructionId> =
                    ends.filter(|user| self.editor.opcode(*user) == Opcode::DeallocStack).collect();
                let [end] = ends[..] else { return None };
                Some(end)
            }
            None => None,
        };
        let mut replaced: Vec<Use> = Vec::new();
        let following: Vec<InstructionId> = self.editor.body().instructions_from(copy).skip(1).collect();
        let mut last = None;
        for id in following {
            if self.users.plain.contains(&id) || Some(id) == end_of_source {
                return None;
            }
            let Some(found) = direct.iter().find(|found| found.user == id).copied() else { continue };
            let (ends, replaces) = self.ends_at(found)?;
            if replaces {
                replaced.push(found);
            }
            if ends {
                last = Some(found);
                break;
            }
        }
        let last = last?;
        if self.editor.opcode(last.user) == Opcode::CopyAddr && last.operand == 1 {
            // The copy to the destination destroyed the old value.
            let destroy = self.destroy(last.user, destination);
            self.editor.edit_attributes(last.user, |attributes| attributes.insert(Attribute::Init));
            replaced.pop();
            replaced.push(Use { user: destroy, operand: 0 });
        }
        for found in replaced {
            self.goes_on |= self.editor.opcode(found.user) == Opcode::CopyAddr;
            self.editor.set_operand(found, source);
        }
        Some(())
    }

    fn dominates(&self, copy: InstructionId, uses: &[Use]) -> bool {
        let body = self.editor.body();
        let dominators = Dominators::new(body, &ControlFlowGraph::new(body));
        uses.iter().all(|found| dominators.instruction_dominates(body, copy, found.user))
    }

    /// Returns whether a use of the copy ends the lifetime, and whether its address can be replaced. `None` if the use
    /// is unknown.
    fn ends_at(&self, found: Use) -> Option<(bool, bool)> {
        match self.editor.opcode(found.user) {
            Opcode::Apply => {
                use ParameterConvention::{In, InCxx, InGuaranteed, InOut, InOutAliasable};
                match self.convention(found)? {
                    ArgumentConvention::Parameter(In) => Some((true, true)),
                    ArgumentConvention::Parameter(InGuaranteed | InCxx | InOut | InOutAliasable) => Some((false, true)),
                    _ => None,
                }
            }
            Opcode::CopyAddr if found.operand == 0 => Some((takes(self.editor, found.user), true)),
            Opcode::CopyAddr if has(self.editor, found.user, Attribute::Init) => None,
            Opcode::CopyAddr | Opcode::DestroyAddr | Opcode::UncheckedTakeEnumDataAddr => Some((true, true)),
            // A store of a trivial value may overwrite a value without ending its lifetime.
            Opcode::Store if has(self.editor, found.user, Attribute::Trivial) => Some((true, false)),
            Opcode::Load => Some((takes(self.editor, found.user), true)),
            Opcode::ExistentialMetatype | Opcode::OpenExistentialAddr | Opcode::StructElementAddr => {
                Some((false, true))
            }
            Opcode::DebugValue if shows_memory(self.editor, found.user) => Some((false, true)),
            _ => None,
        }
    }

    fn convention(&self, found: Use) -> Option<ArgumentConvention> {
        let site = ApplySite::new(self.editor.body(), found.user)?;
        let conventions = site.conventions(self.editor.environment.queries)?;
        Some(site.argument_of_operand(conventions, found.operand as usize)?.convention)
    }

    /// Initialises the moved value directly at the destination.
    fn make_at_destination(&mut self, copy: InstructionId) -> Option<()> {
        let CopyAddr { destination, .. } = CopyAddr::of(self.editor.body(), copy);
        let users = Users::new(self.editor, destination, Some(copy))?;
        let definition = self.editor.body().defining(destination);
        let (root, of_root) = match definition.map(|id| (id, self.editor.opcode(id))) {
            Some((id, Opcode::InitEnumDataAddr | Opcode::InitExistentialAddr)) => {
                let root = self.editor.operand(id, 0)?;
                (root, Some(Users::new(self.editor, root, Some(id))?))
            }
            _ => (destination, None),
        };
        if !is_own_destination(self.editor, root) {
            return None;
        }
        let root_definition = self.editor.body().defining(root);
        let mut replaced: Vec<Use> = Vec::new();
        let mut debug = Vec::new();
        let mut moved = None;
        let mut current = self.editor.body().previous(copy);
        let first = loop {
            let id = current?;
            current = self.editor.body().previous(id);
            if Some(id) == definition {
                moved = Some(id);
            }
            let is_of_root = of_root.as_ref().is_some_and(|users| users.contains(id));
            if Some(id) == root_definition || users.contains(id) || is_of_root {
                if self.editor.opcode(id) != Opcode::DebugValue {
                    return None;
                }
                debug.push(id);
                continue;
            }
            if self.users.takes.contains(&id) || self.users.destroys.contains(&id) {
                return None;
            }
            if !self.users.plain.contains(&id) && !self.users.debug.contains(&id) {
                continue;
            }
            let found = self.editor.uses(self.source).into_iter().find(|found| found.user == id)?;
            let begins = self.begins_at(found)?;
            replaced.push(found);
            if begins {
                break id;
            }
        };
        if let Some(id) = moved {
            // The archetype of the destination must dominate.
            let queries = self.editor.environment.queries;
            let types = self.editor.body().types(id).to_vec();
            if types.iter().any(|ty| !opened_archetypes(queries, ty.ty).is_empty()) {
                return None;
            }
        }
        debug.into_iter().for_each(|id| self.editor.erase(id));
        if self.editor.opcode(first) == Opcode::CopyAddr && !has(self.editor, first, Attribute::Init) {
            self.destroy(first, self.source);
            self.editor.edit_attributes(first, |attributes| attributes.insert(Attribute::Init));
        }
        if let Some(id) = moved {
            self.editor.move_to(id, Place::Before(first));
        }
        for found in replaced {
            if self.editor.opcode(found.user) == Opcode::CopyAddr {
                self.goes_on = true;
                let CopyAddr { source, destination } = CopyAddr::of(self.editor.body(), found.user);
                show_instead(self.editor, found.user, source, destination);
            }
            self.editor.set_operand(found, destination);
        }
        Some(())
    }

    /// Returns whether a use of the source initialises it and its address can be replaced. `None` if the use is
    /// unknown.
    fn begins_at(&self, found: Use) -> Option<bool> {
        match self.editor.opcode(found.user) {
            Opcode::Apply => {
                use ParameterConvention::{InGuaranteed, InOut, InOutAliasable};
                match self.convention(found)? {
                    convention if convention.is_indirect_out() => Some(true),
                    ArgumentConvention::Parameter(InOut | InOutAliasable | InGuaranteed) => Some(false),
                    _ => None,
                }
            }
            Opcode::CopyAddr => Some(found.operand == 1),
            Opcode::Store => (found.operand == 1 && !has(self.editor, found.user, Attribute::Assign)).then_some(true),
            Opcode::InjectEnumAddr => {
                let EnumCase { operand, case } = EnumCase::of(self.editor.body(), found.user);
                let ty = self.editor.body().ty(operand).ty;
                self.editor.environment.queries.enum_payload_type(ty, case).is_none().then_some(true)
            }
            Opcode::Load => (!takes(self.editor, found.user)).then_some(false),
            Opcode::ExistentialMetatype | Opcode::OpenExistentialAddr => Some(false),
            Opcode::DebugValue => Some(false),
            _ => None,
        }
    }
}

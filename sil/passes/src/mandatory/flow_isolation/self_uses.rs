//! The uses of `self` in a function: uses of actor-isolated stored properties, and escapes of the object, with the
//! property uses that an escape may precede.
//!
//! Owns: the dataflow through one function and through the bodies of its `defer`s. Does not own: the diagnostics.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

use cranelift_entity::EntitySet;
use sil_analysis::regions::Sendability;
use sil_analysis::regions::actors::{self, ActorIsolation};
use sil_analysis::{ApplySite, BodyView, Worklist};
use sil_ir::context::Mutability;
use sil_ir::declarations::{Origin, StoredProperty};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Details, FunctionId, InstructionId, Value};
use sil_ir::symbols::{Accessor, EntityKind, Symbol};

use super::{Blame, WrongUse, isolation_of_class};
use crate::knowledge::elements::projected_property;

/// The name of the functions of `defer` statements.
const DEFER: &str = "$defer";

/// Whether the object may have escaped at the start of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// It has not escaped.
    Isolated,
    /// It may have escaped.
    Nonisolated,
}

/// The uses of `self` in one function.
pub(super) struct SelfUses<'m> {
    view: BodyView<'m>,
    start: Cell<Start>,
    /// The instructions at which the object escapes.
    nonisolated: EntitySet<InstructionId>,
    /// The instructions that use stored properties of the actor.
    properties: EntitySet<InstructionId>,
    /// The blocks at whose entry, and at whose exit, the object may have escaped.
    entered: EntitySet<BlockId>,
    left: EntitySet<BlockId>,
    defers: BTreeMap<FunctionId, SelfUses<'m>>,
}

impl<'m> SelfUses<'m> {
    /// Collects the uses of the argument `object` of a function.
    pub(super) fn of(view: BodyView<'m>, object: Value, sendability: &Sendability<'_>) -> Self {
        let (nonisolated, properties, entered, left) = Default::default();
        let defers = BTreeMap::new();
        let mut uses = Self { view, start: Cell::new(Start::Isolated), nonisolated, properties, entered, left, defers };
        uses.collect(object, sendability);
        uses
    }

    /// Returns the function.
    pub(super) fn view(&self) -> &BodyView<'m> {
        &self.view
    }

    /// Removes and returns the used stored properties for which `is_wanted` holds.
    pub(super) fn take_fields(
        &mut self,
        is_wanted: impl Fn(&StoredProperty) -> bool,
    ) -> Vec<(InstructionId, &'m StoredProperty)> {
        let properties: Vec<InstructionId> = self.properties.iter().collect();
        let fields = properties.into_iter().filter_map(|id| Some((id, field_of(&self.view, id)?)));
        let taken: Vec<_> = fields.filter(|(_, field)| is_wanted(field)).collect();
        for (id, _) in &taken {
            self.properties.remove(*id);
        }
        taken
    }

    fn collect(&mut self, object: Value, sendability: &Sendability<'_>) {
        let mut open = Worklist::new([object]);
        while let Some(value) = open.pop() {
            for found in self.view.uses.of(value).to_vec() {
                let (id, body) = (found.user, self.view.body);
                match body.instructions[id].opcode {
                    Opcode::RefElementAddr if self.belongs_to_actor(id, sendability) => {
                        self.properties.insert(id);
                    }
                    // A copy may be stored.
                    Opcode::CopyValue => {
                        self.nonisolated.insert(id);
                    }
                    Opcode::BeginAccess | Opcode::BeginBorrow | Opcode::EndInitLetRef | Opcode::MarkUninitialized => {
                        open.extend(body.result(id))
                    }
                    Opcode::Br => {
                        let argument = body
                            .targets(id)
                            .first()
                            .and_then(|target| body.blocks[*target].arguments.get(found.operand as usize));
                        open.extend(argument.copied());
                    }
                    _ if ApplySite::new(body, id).is_some() => self.collect_call(id, found.operand, sendability),
                    _ => {}
                }
            }
        }
    }

    /// Collects a call that passes the object.
    fn collect_call(&mut self, id: InstructionId, operand: u32, sendability: &Sendability<'_>) {
        if let Some((callee, index)) = self.called_defer(id, operand) {
            self.collect_defer(id, callee, index, sendability);
            return;
        }
        match called_accessor(&self.view, id) {
            Some((_, accessor)) if accessor != Accessor::Init => self.properties.insert(id),
            _ => self.nonisolated.insert(id),
        };
    }

    /// Collects a call of a `defer` with the uses in its body.
    fn collect_defer(&mut self, id: InstructionId, callee: FunctionId, index: usize, sendability: &Sendability<'_>) {
        if !self.defers.contains_key(&callee) {
            let function = &self.view.module.functions[callee];
            let Some(body) = &function.body else { return };
            let view = BodyView::new(self.view.module, self.view.queries, function, body);
            let Some(object) = body.blocks[body.entry()].arguments.get(index).copied() else { return };
            let mut defer = SelfUses::of(view, object, sendability);
            defer.solve();
            self.defers.insert(callee, defer);
        }
        let Some(defer) = self.defers.get(&callee) else { return };
        let end = defer.return_instruction().map(|end| defer.view.body.instructions[end].block);
        if end.is_some_and(|block| defer.left.contains(block)) {
            self.nonisolated.insert(id);
        }
        if !defer.properties.is_empty() {
            self.properties.insert(id);
        }
    }

    /// Returns the body of the `defer` that is called, and the index of its argument for the operand.
    fn called_defer(&self, id: InstructionId, operand: u32) -> Option<(FunctionId, usize)> {
        let callee = called_function(&self.view, id)?;
        let name = self.view.module.context.text(self.view.module.functions[callee].name);
        let entity = Symbol::demangle(name)?.entity()?;
        let site = ApplySite::new(self.view.body, id)?;
        let numbering = site.numbering(site.conventions(self.view.queries)?);
        let index = numbering.sil_argument_of_operand(operand as usize)?;
        (entity.name == DEFER).then_some((callee, index))
    }

    /// Returns whether an instruction projects an isolated property.
    fn belongs_to_actor(&self, id: InstructionId, sendability: &Sendability<'_>) -> bool {
        let Some((member, field)) = projected_property(self.view.queries, self.view.body, id) else { return false };
        if self.only_ends_it(id) {
            return false;
        }
        let queries = self.view.queries;
        let stated = actors::of_property(queries, member.parent, field.name);
        let is_isolated = match stated {
            Some(ActorIsolation::NonisolatedUnsafe) => return false,
            Some(isolation) => isolation.is_isolated(),
            None => member.parent.is_some_and(|parent| {
                actors::is_actor(queries, parent) || isolation_of_class(queries, parent).is_some()
            }),
        };
        let is_own = member.parent.is_some_and(|parent| queries.declarations.get(parent).origin == Origin::Module);
        let is_constant = field.mutability == Mutability::Let;
        !is_constant || is_isolated && !(is_own && sendability.is_sendable(field.ty))
    }

    /// Returns whether a projection only destroys the property with the object.
    fn only_ends_it(&self, id: InstructionId) -> bool {
        let body = self.view.body;
        let uses = body.result(id).map(|address| self.view.uses.of(address));
        let Some([only]) = uses else { return false };
        self.view.opcode(only.user) == Opcode::BeginAccess
            && body.instructions[only.user].attributes.contains(Attribute::Deinit)
    }

    /// Computes the blocks in which the object may have escaped.
    pub(super) fn solve(&mut self) {
        let body = self.view.body;
        let mut open: Vec<BlockId> = self.nonisolated.iter().map(|id| body.instructions[id].block).collect();
        while let Some(block) = open.pop() {
            if !self.left.insert(block) {
                continue;
            }
            for successor in body.terminator(block).map_or(&[][..], |end| body.targets(end)) {
                self.entered.insert(*successor);
                open.push(*successor);
            }
        }
    }

    /// Reports the uses of stored properties after the object may have escaped.
    pub(super) fn wrong_uses(&self, report: &mut dyn FnMut(WrongUse<'_, 'm>)) {
        for block in self.view.cfg.reverse_post_order() {
            let is_entered = self.entered.contains(*block);
            let placed: Vec<InstructionId> = self.view.body.instructions_in(*block).collect();
            let letting = placed.iter().position(|id| self.nonisolated.contains(*id));
            let first = if is_entered { Some(0) } else { letting };
            let Some(first) = first else { continue };
            let wrong: Vec<InstructionId> =
                placed[first..].iter().copied().filter(|id| self.properties.contains(*id)).collect();
            let Some(first_wrong) = wrong.first() else { continue };
            let blame = if is_entered { self.blame_before(*first_wrong) } else { self.blame(placed[first]) };
            if let Some(blame) = blame {
                self.report_all(&wrong, blame, report);
            }
        }
        for defer in self.defers.values().filter(|defer| defer.start.get() == Start::Isolated) {
            defer.wrong_uses(report);
        }
    }

    /// Reports uses after `blame`, including those in the bodies of called `defer`s.
    fn report_all(&self, wrong: &[InstructionId], blame: Blame<'_, 'm>, report: &mut dyn FnMut(WrongUse<'_, 'm>)) {
        for user in wrong {
            let Some(defer) = self.defer_called_by(*user) else {
                report(WrongUse { view: &self.view, user: *user, blame });
                continue;
            };
            if defer.start.replace(Start::Nonisolated) == Start::Isolated {
                let all: Vec<InstructionId> = defer.properties.iter().collect();
                defer.report_all(&all, blame, report);
            }
        }
    }

    fn defer_called_by(&self, id: InstructionId) -> Option<&SelfUses<'m>> {
        self.defers.get(&called_function(&self.view, id)?)
    }

    /// Returns the escape at an instruction, or the one in the body of the `defer` that it calls.
    fn blame(&self, id: InstructionId) -> Option<Blame<'_, 'm>> {
        match self.defer_called_by(id) {
            Some(defer) => defer.blame_before(defer.return_instruction()?),
            None => Some(Blame { view: &self.view, id }),
        }
    }

    /// Returns the nearest escape at `id` or before it.
    fn blame_before(&self, id: InstructionId) -> Option<Blame<'_, 'm>> {
        let block = self.view.body.instructions[id].block;
        let mut open = VecDeque::from([block]);
        let mut seen = EntitySet::<BlockId>::new();
        let mut is_start = true;
        while let Some(block) = open.pop_front() {
            let placed = self.view.body.instructions_in(block).rev();
            let mut before = placed.skip_while(|other| is_start && *other != id);
            if let Some(found) = before.find(|other| self.nonisolated.contains(*other)) {
                return self.blame(found);
            }
            is_start = false;
            let predecessors = self.view.cfg.predecessors(block).iter().copied();
            open.extend(predecessors.filter(|before| self.left.contains(*before) && seen.insert(*before)));
        }
        None
    }

    /// Returns the return instruction of the function; `None` if it never returns.
    fn return_instruction(&self) -> Option<InstructionId> {
        let body = self.view.body;
        let mut ends = body.blocks.keys().filter_map(|block| body.terminator(block));
        ends.find(|end| body.instructions[*end].opcode == Opcode::Return)
    }
}

/// Returns the stored property that an instruction projects.
pub(super) fn field_of<'m>(view: &BodyView<'m>, id: InstructionId) -> Option<&'m StoredProperty> {
    projected_property(view.queries, view.body, id).map(|(_, field)| field)
}

/// Returns the name of the property with an `init` accessor whose accessor an instruction calls, and the accessor.
pub(super) fn called_accessor(view: &BodyView<'_>, id: InstructionId) -> Option<(String, Accessor)> {
    let callee = &view.module.functions[called_function(view, id)?];
    let symbol = Symbol::demangle(view.module.context.text(callee.name))?;
    let entity = symbol.entity()?;
    let EntityKind::PropertyAccessor(accessor) = entity.kind else { return None };
    let initializing = view.queries.context.find_name(&symbol.of_accessor(Accessor::Init)?.remangle()?)?;
    view.module.function_named(initializing).map(|_| (entity.name, accessor))
}

/// Returns the callee of a call.
fn called_function(view: &BodyView<'_>, id: InstructionId) -> Option<FunctionId> {
    let (reference, _) = view.definition(ApplySite::new(view.body, id)?.callee()?)?;
    match &view.body.instructions[reference].details {
        Details::Function(name) => view.module.function_named(*name),
        _ => None,
    }
}

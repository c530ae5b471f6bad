//! Diagnoses uses of memory that may be uninitialised, in Swift's words (include/swift/AST/DiagnosticsSIL.def).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, ControlFlowGraph, Use, Uses};
use sil_ir::context::{MemberId, MemberTarget, Mutability, ParameterConvention, Representation, TypeId};
use sil_ir::declarations::{PropertyInitializer, StoredProperty};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{AllocVariable, AssignOrInit, Unary};
use sil_ir::model::{
    Body, DebugVariable, Definition, Details, FunctionFlag, GlobalId, InstructionId, SourcePlace, Value,
};
use sil_ir::source::Span;
use sil_ir::symbols::{Entity, EntityKind, Symbol};
use sil_ir::types::ArgumentConvention;

use super::flow::State;
use super::memory::{Kind, Memory, Owner};
use super::uses::{MemoryUse, UseKind};
use crate::knowledge::elements::{Elements, Node, Step, each_element};
use crate::knowledge::init_accessors::{AccessedProperties, initialized_property};
use crate::messages::findings::{error_at, note_at, source_place};
use crate::messages::variable_names::{global_name, tuple_element_name};
use crate::pass::Environment;

const CODE: &str = "definite-initialization";

/// The search for diagnostics.
pub(super) struct Diagnosis<'d> {
    pub(super) environment: Environment<'d>,
    pub(super) body: &'d Body,
    memory: &'d Memory,
    pub(super) uses: &'d Uses,
    cfg: &'d ControlFlowGraph,
    /// The places with a diagnostic: each place gets one.
    said: FxHashSet<(Option<SourcePlace>, Option<Span>)>,
    found: Vec<Diagnostic>,
}

impl<'d> Diagnosis<'d> {
    pub(super) fn new(
        environment: Environment<'d>,
        body: &'d Body,
        memory: &'d Memory,
        uses: &'d Uses,
        cfg: &'d ControlFlowGraph,
    ) -> Self {
        Self { environment, body, memory, uses, cfg, said: FxHashSet::default(), found: Vec::new() }
    }

    /// Returns the diagnostics for the uses, each with the state before it.
    pub(super) fn diagnose(mut self, uses: &[(MemoryUse, State)]) -> Vec<Diagnostic> {
        for (found, state) in uses {
            match found.kind {
                UseKind::Assign | UseKind::PartialStore | UseKind::Initialize if self.is_for_compiler(found) => {
                    self.say(found.needed_by.user, "illegal assignment to '@_compilerInitialized' storage".into());
                }
                UseKind::Assign | UseKind::Read | UseKind::Escape if self.is_consumed(found, *state, uses) => {
                    self.say(found.needed_by.user, self.used_in_catch());
                }
                UseKind::Read | UseKind::Escape => self.read(found, self.called(*state), uses),
                UseKind::ClosureInOut => self.passed_by_closure(found, *state),
                UseKind::Take => self.take(found, *state, uses),
                UseKind::Assign => self.assign(found, *state),
                UseKind::PartialStore => self.partial_store(found, *state),
                UseKind::Delegate => self.pass_on(found, *state, uses),
                UseKind::Initialize
                | UseKind::Destroy
                | UseKind::TypeOf
                | UseKind::SelfIsolation
                | UseKind::Release
                | UseKind::Exit => {}
            }
        }
        if self.found.is_empty() {
            let is_open = |(found, state): &&(MemoryUse, State)| {
                found.kind == UseKind::Exit && state.may_not_be & found.elements != 0
            };
            let exits: Vec<_> = uses.iter().filter(is_open).map(|(found, _)| found.instruction).collect();
            exits.into_iter().for_each(|exit| self.not_initialized_by_accessor(exit));
        }
        self.found.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        self.found
    }

    /// Reports an instruction, unless its place has a diagnostic.
    fn say(&mut self, id: InstructionId, message: String) {
        self.say_at(id, id, message, 0);
    }

    /// Reports `id` at `shown`, with a note at the declaration of each property among the `missing` elements.
    fn say_at(&mut self, id: InstructionId, shown: InstructionId, message: String, missing: Elements) {
        let place = source_place(self.body, id);
        let span = place.is_none().then_some(self.body.instructions[id].span);
        if self.said.insert((place, span)) {
            self.say_again(shown, message, missing);
        }
    }

    /// Reports `shown` even if its place has a diagnostic.
    fn say_again(&mut self, shown: InstructionId, message: String, missing: Elements) {
        let mut diagnostic = error_at(self.body, shown, CODE, message);
        if self.memory.kind == Kind::Variable {
            let defined = format!("{} defined here", word(self.variable_mutability()));
            diagnostic = note_at(diagnostic, self.body, self.memory.mark, defined);
        }
        for element in self.noted(missing) {
            let declaration = self.property(element).map(|property| property.span);
            diagnostic = diagnostic.note(format!("'{}' not initialized", self.name(element)), declaration);
        }
        // Compiler-generated code has no place in the source.
        if diagnostic.place.is_none_or(|place| place.line == 0) {
            diagnostic =
                diagnostic.in_source(self.environment.module.place_of_function(self.environment.function.name));
        }
        self.found.push(diagnostic);
    }

    /// Returns the missing elements that get a note. Compiler-initialised ones follow from others.
    fn noted(&self, missing: Elements) -> Vec<Elements> {
        let all = each_element(missing & self.memory.root.elements());
        let (compilers, own): (Vec<_>, Vec<_>) = all.partition(|element| self.is_compilers(*element));
        if own.is_empty() { compilers } else { own }
    }

    /// Returns whether an explicit store is to a property that only the compiler initialises.
    fn is_for_compiler(&self, found: &MemoryUse) -> bool {
        let location = self.body.instructions[found.needed_by.user].location;
        self.is_class()
            && location.is_some_and(|location| !location.automatic)
            && found.elements & self.memory.root.elements() != 0
            && each_element(found.elements).all(|element| self.is_compilers(element))
    }

    fn is_compilers(&self, element: Elements) -> bool {
        self.property(element).is_some_and(|property| property.initializer == PropertyInitializer::Compiler)
    }

    /// Reports that an `init` accessor returns without initialising one of its properties.
    fn not_initialized_by_accessor(&mut self, exit: InstructionId) {
        let message = format!("property '{}' not initialized by init accessor", self.base_name());
        let place = self.environment.module.place_of_function(self.environment.function.name);
        self.found.push(error_at(self.body, exit, CODE, message).in_source(place));
    }

    fn take(&mut self, found: &MemoryUse, state: State, uses: &[(MemoryUse, State)]) {
        let needed = found.elements & !self.memory.slot();
        if state.may_not_be & needed != 0 && self.is_returned(found) {
            self.returned(found, state, uses);
        } else if state.may_not_be & needed != 0 {
            self.load(found, state, needed);
        }
    }

    fn read(&mut self, found: &MemoryUse, state: State, uses: &[(MemoryUse, State)]) {
        let missing = state.may_not_be & found.elements;
        if missing == 0 {
            return self.immutable(found);
        }
        if self.is_returned(found) {
            return self.returned(found, state, uses);
        }
        let captured =
            |kind: &str, name: &str| format!("{kind} '{name}' captured by a closure before being initialized");
        match self.passed(found.needed_by) {
            _ if self.memory.kind.is_delegating() => self.before_delegation(found),
            Passed::InOut => self.init_error(found, missing, passed_by_reference),
            Passed::Receiver => self.init_error(found, missing, used),
            Passed::Pointer => self.init_error(found, missing, |kind, name| {
                format!("address of {kind} '{name}' taken before it is initialized")
            }),
            Passed::MutatedSelf if self.body.instructions[found.needed_by.user].opcode == Opcode::Apply => {
                self.before_all_properties(found, missing);
            }
            // For calls other than plain ones, Swift uses the messages for closures.
            Passed::MutatedSelf => self.init_error(found, missing, captured),
            Passed::Closure if self.is_inlined(found.needed_by.user) => self.load(found, state, found.elements),
            Passed::Closure if self.memory.owner == Owner::Object || self.memory.kind.passes_object_on() => {
                let message = "'self' captured by a closure before all members were initialized";
                self.say_at(found.needed_by.user, found.needed_by.user, message.into(), missing);
            }
            Passed::Value if self.memory.kind == Kind::Variable && self.is_loaded_for_closure(found.instruction) => {
                self.init_error(found, missing, captured);
            }
            Passed::Closure => self.init_error(found, missing, captured),
            Passed::Function => {
                let how = self.escape(found.needed_by.user);
                self.init_error(found, missing, |kind, name| format!("{kind} '{name}' {how} before being initialized"));
            }
            Passed::Value => self.load(found, state, found.elements),
        }
    }

    /// Reports a transparent closure that passes elements by reference.
    fn passed_by_closure(&mut self, found: &MemoryUse, state: State) {
        let missing = state.may_not_be & found.elements;
        if missing == 0 {
            return;
        }
        if self.memory.kind.is_delegating() {
            return self.before_delegation(found);
        }
        self.init_error(found, missing, passed_by_reference);
    }

    /// Returns whether everything is initialised except for the result of the delegated initialiser, which may have
    /// failed.
    fn is_consumed(&self, found: &MemoryUse, state: State, uses: &[(MemoryUse, State)]) -> bool {
        let made = self.memory.root.elements() | self.memory.delegated();
        self.memory.kind.passes_object_on()
            && state.may_not_be & made == 0
            && !self.is_given(found.instruction, state, uses)
    }

    /// Returns whether another initialiser has returned its object at `id`. One that does so in the same block counts
    /// (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp, `getSelfInitializedAtInst`).
    fn is_given(&self, id: InstructionId, state: State, uses: &[(MemoryUse, State)]) -> bool {
        let given = self.memory.superclass();
        let block = |id: InstructionId| self.body.instructions[id].block;
        let gives = |found: &MemoryUse| found.kind == UseKind::Initialize && found.elements & given != 0;
        state.may_not_be & given == 0
            || uses.iter().any(|(found, _)| gives(found) && block(found.instruction) == block(id))
    }

    /// Returns `state` with the superclass part taken as initialised after the call of its initialiser, whatever that
    /// returned.
    fn called(&self, state: State) -> State {
        let (called, done) = (self.memory.delegated(), self.memory.superclass() | self.memory.slot());
        match state.may_not_be & called {
            0 => State { may_not_be: state.may_not_be & !done, ..state },
            _ => state,
        }
    }

    fn used_in_catch(&self) -> String {
        format!("'self' used inside 'catch' block reachable from {}.init call", self.delegate())
    }

    /// Returns the name of the delegation target, `self` or `super`.
    fn delegate(&self) -> &'static str {
        if self.memory.kind.is_delegating() { "self" } else { "super" }
    }

    /// Reports a use of the value.
    fn load(&mut self, found: &MemoryUse, state: State, needed: Elements) {
        let memory = self.memory;
        let user = found.needed_by.user;
        if memory.kind.is_delegating() {
            return self.before_delegation(found);
        }
        let missing = state.may_not_be & needed;
        let before_superclass = missing & memory.superclass() != 0;
        if let Some((name, kind)) = self.member(user).filter(|_| self.is_class()) {
            let when = if !before_superclass { "all stored properties are initialized" } else { "'super.init' call" };
            let noted = if before_superclass { 0 } else { missing };
            return self.say_at(user, user, format!("'self' used in {kind} {name} before {when}"), noted);
        }
        if before_superclass {
            return self.say(user, "'self' used before 'super.init' call".into());
        }
        let opcode = self.body.instructions[user].opcode;
        let is_load = match self.is_class() {
            true => opcode == Opcode::Apply,
            false => matches!(opcode, Opcode::Load | Opcode::LoadBorrow),
        };
        if memory.kind != Kind::Variable && is_load {
            return self.before_all_properties(found, missing);
        }
        self.init_error(found, missing, used);
    }

    fn before_delegation(&mut self, found: &MemoryUse) {
        let user = found.needed_by.user;
        self.say(user, "'self' used before 'self.init' call or assignment to 'self'".into());
    }

    fn before_all_properties(&mut self, found: &MemoryUse, missing: Elements) {
        let user = found.needed_by.user;
        self.say_at(user, user, "'self' used before all stored properties are initialized".into(), missing);
    }

    /// Reports the end of an initialiser that is not complete.
    fn returned(&mut self, found: &MemoryUse, state: State, uses: &[(MemoryUse, State)]) {
        let user = found.needed_by.user;
        let missing = state.may_not_be & found.elements;
        let (message, noted) = match self.memory.kind {
            kind if kind.is_delegating() => {
                ("'self.init' isn't called on all paths before returning from initializer", 0)
            }
            Kind::DerivedSelf if state.may_not_be & self.memory.superclass() != 0 => {
                ("'super.init' isn't called on all paths before returning from initializer", 0)
            }
            _ => ("return from initializer without initializing all stored properties", missing),
        };
        let is_load = matches!(self.body.instructions[user].opcode, Opcode::Load | Opcode::LoadBorrow);
        let returning = self.returning(user, uses).filter(|_| is_load && self.memory.kind == Kind::RootSelf);
        let shown = returning.unwrap_or(user);
        self.say_at(user, shown, message.into(), noted);
    }

    /// Returns the `return` of the source for the end of a function: the only one, or the first that branches to the
    /// common end with an uninitialised element. The other predecessor falls through to the end of the function
    /// (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp, `handleLoadUseFailure`).
    fn returning(&self, end: InstructionId, uses: &[(MemoryUse, State)]) -> Option<InstructionId> {
        let block = self.body.instructions[end].block;
        let place = source_place(self.body, end);
        let own = self.body.terminator(block).filter(|own| source_place(self.body, *own) != place);
        if own.is_some() {
            return own;
        }
        let ways = self.cfg.predecessors(block).iter().filter_map(|block| self.body.terminator(*block));
        let (falls, returns): (Vec<_>, Vec<_>) = ways.partition(|way| source_place(self.body, *way) == place);
        let root = self.memory.root.elements();
        let completes = |way: InstructionId, (found, state): &(MemoryUse, State)| {
            let is_here = self.body.instructions[found.instruction].block == self.body.instructions[way].block;
            use UseKind::{Assign, ClosureInOut, Escape, Initialize, PartialStore};
            // A faulty use is reported once: afterwards everything counts as initialised.
            let is_store = matches!(found.kind, Initialize | Assign | PartialStore | Escape | ClosureInOut);
            is_here && is_store && state.may_not_be & !found.elements & root == 0
        };
        let is_open = |way: &&InstructionId| !uses.iter().any(|found| completes(**way, found));
        // Instructions are numbered in the order of the text, which has the exit of a `guard` last; SILGen makes it
        // first.
        let in_source = |way: &&InstructionId| {
            let place = source_place(self.body, **way);
            (place.map(|place| (place.line, place.column)), **way)
        };
        returns.iter().filter(is_open).min_by_key(in_source).filter(|_| !falls.is_empty()).copied()
    }

    /// Returns whether a use only returns the value of an initialiser.
    fn is_returned(&self, found: &MemoryUse) -> bool {
        let user = found.needed_by.user;
        if self.memory.kind == Kind::Variable {
            return false;
        }
        match self.body.instructions[user].opcode {
            Opcode::Return => true,
            Opcode::Load | Opcode::LoadBorrow => {
                let value = self.body.result(user);
                let users = value.map(|value| self.uses.of(value)).unwrap_or_default();
                let is_end = |found: &Use| match self.body.instructions[found.user].opcode {
                    Opcode::Return => true,
                    Opcode::Enum => self.is_returned_value(found.user),
                    _ => false,
                };
                !users.is_empty() && users.iter().all(is_end)
            }
            Opcode::CopyAddr => {
                let destination = self.body.operands(user).get(1).copied();
                let is_init = self.body.instructions[user].attributes.contains(Attribute::Init);
                is_init && destination.is_some_and(|value| self.is_first_argument(value))
            }
            _ => false,
        }
    }

    /// Returns whether the only use of an optional is a return in the block that it is passed to.
    fn is_returned_value(&self, id: InstructionId) -> bool {
        let Some(value) = self.body.result(id) else { return false };
        let [found] = self.uses.of(value) else { return false };
        if self.body.instructions[found.user].opcode == Opcode::Return {
            return true;
        }
        let target = self.body.targets(found.user).first();
        let argument = target.and_then(|block| self.body.blocks[*block].arguments.get(found.operand as usize)).copied();
        let is_returned = |value: Value| {
            let users = self.uses.of(value);
            users.len() == 1 && self.body.instructions[users[0].user].opcode == Opcode::Return
        };
        self.body.instructions[found.user].opcode == Opcode::Br && argument.is_some_and(is_returned)
    }

    fn is_first_argument(&self, value: Value) -> bool {
        let body = self.body;
        matches!(body.values[value].definition, Definition::Argument { block, index: 0 } if block == body.entry())
    }

    fn assign(&mut self, found: &MemoryUse, state: State) {
        // A value of another initialiser replaces everything.
        if !self.memory.kind.is_delegating() {
            let said = self.found.len();
            self.initialized_again(found, state);
            if said == self.found.len() {
                self.initialized_again_by_accessor(found, state);
            }
        }
    }

    /// Reports a second assignment of a property that only its `init` accessor sets, for each stored property that the
    /// accessor initialises.
    fn initialized_again_by_accessor(&mut self, found: &MemoryUse, state: State) {
        let (id, queries) = (found.instruction, self.environment.queries);
        if self.body.instructions[id].opcode != Opcode::AssignOrInit {
            return;
        }
        let AssignOrInit { setter, assignment, .. } = AssignOrInit::of(self.body, id);
        let is_constant = self.body.values[setter].definition == Definition::Undef;
        let (Some(property), Some(accessed)) = (assignment.property, AccessedProperties::of(queries, self.body, id))
        else {
            return;
        };
        if !is_constant {
            return;
        }
        let own = accessed.own.and_then(|own| self.memory.root.part(Step::Property(own))).map_or(0, Node::elements);
        if state.may_be & own != 0 {
            let name = self.name(own);
            self.say(id, format!("immutable value '{name}' may only be initialized once"));
        }
        let name = queries.context.text(queries.context.get_member(property).name);
        for initialized in &accessed.initializes {
            let part = self.memory.root.part(Step::Property(*initialized));
            if part.is_some_and(|part| state.may_not_be & part.elements() == 0) {
                self.say_again(id, format!("immutable value '{name}' may only be initialized once"), 0);
            }
        }
    }

    /// Reports a second initialisation of a constant.
    fn initialized_again(&mut self, found: &MemoryUse, state: State) {
        let again = found.elements & state.may_be;
        if let Some(element) = each_element(again).find(|element| self.is_let(*element)) {
            let name = self.name(element);
            self.say(found.needed_by.user, format!("immutable value '{name}' may only be initialized once"));
        }
    }

    fn partial_store(&mut self, found: &MemoryUse, state: State) {
        let missing = state.may_not_be & found.elements;
        // A member of an optional is stored with the optional as a whole.
        if missing == 0 || !self.is_in_struct(found.needed_by.value(self.body)) {
            return self.initialized_again(found, state);
        }
        if self.memory.kind.is_delegating() {
            return self.before_delegation(found);
        }
        self.init_error(found, missing, |_, name| {
            format!("struct '{name}' must be completely initialized before a member is stored to")
        });
    }

    /// Checks the call of the initialiser that the object is passed on to.
    fn pass_on(&mut self, found: &MemoryUse, state: State, uses: &[(MemoryUse, State)]) {
        let call = found.needed_by.user;
        if state.may_be & self.memory.delegated() != 0 {
            let message = match self.is_given(call, state, uses) {
                true => format!("'{}.init' called multiple times in initializer", self.delegate()),
                false => self.used_in_catch(),
            };
            return self.say(call, message);
        }
        let missing = state.may_not_be & self.memory.root.elements();
        if missing != 0 {
            let place = source_place(self.body, call);
            let has_places = self.environment.module.place_of_function(self.environment.function.name).is_some();
            let is_implicit = has_places && place.is_none_or(|place| place.line == 0);
            let how = if is_implicit { "implicitly generated super.init call" } else { "super.init call" };
            let first = missing & missing.wrapping_neg();
            self.say(call, format!("property '{}' not initialized at {how}", self.name(first)));
        }
    }

    /// Reports that a constant is passed to a call that may change it.
    fn immutable(&mut self, found: &MemoryUse) {
        let Some(change) = self.change(found.needed_by) else { return };
        if found.address.is_none() || self.passed(found.needed_by) == Passed::MutatedSelf {
            return;
        }
        let Some(element) = each_element(found.elements & self.memory.root.elements()).find(|bit| self.is_let(*bit))
        else {
            return;
        };
        let name = self.name(element);
        let user = found.needed_by.user;
        let entity = self.method(change.user);
        let is_receiver = self.is_self_argument(change);
        let message = match entity.as_ref().map(|entity| (entity.kind, entity.name.as_str())) {
            Some((EntityKind::SubscriptAccessor(_), _)) if is_receiver => {
                format!("cannot mutate subscript of immutable value '{name}'")
            }
            Some((EntityKind::PropertyAccessor(_), property)) if is_receiver => {
                format!("cannot mutate property '{property}' of immutable value '{name}'")
            }
            Some((EntityKind::Operator, operator)) => {
                format!("mutating operator '{operator}' may not be used on immutable value '{name}'")
            }
            Some((EntityKind::Function, method)) if is_receiver => {
                format!("mutating method '{method}' may not be used on immutable value '{name}'")
            }
            _ => format!("immutable value '{name}' must not be passed inout"),
        };
        // Swift reports each of several arguments of one call.
        self.say_again(user, message, 0);
    }

    fn init_error(&mut self, found: &MemoryUse, missing: Elements, message: impl Fn(&str, &str) -> String) {
        let first = missing & missing.wrapping_neg();
        let root = self.memory.root.elements();
        // Swift examines the first elements, as many as are used.
        let count = (found.elements & root).count_ones() as usize;
        let is_let = each_element(root).take(count).all(|element| self.is_let(element));
        let kind = word(if is_let { Mutability::Let } else { Mutability::Var });
        let name = self.name(first);
        self.say(found.needed_by.user, message(kind, &name));
    }

    /// Returns the call that may change its argument, directly or as the value of an existential.
    fn change(&self, found: Use) -> Option<Use> {
        let body = self.body;
        if body.instructions[found.user].opcode == Opcode::OpenExistentialAddr {
            let opened = body.result(found.user)?;
            let is_changed = |found: &&Use| ApplySite::new(body, found.user).is_some() && self.is_inout(**found);
            return self.uses.of(opened).iter().find(is_changed).copied();
        }
        self.is_inout(found).then_some(found).filter(|found| {
            let elements = self.memory.root.elements();
            let is_let = each_element(elements).all(|element| self.is_let(element));
            !(is_let && self.convention(*found) == Some(ParameterConvention::InOutAliasable))
        })
    }

    fn convention(&self, found: Use) -> Option<ParameterConvention> {
        let site = ApplySite::new(self.body, found.user).filter(|site| site.kind.is_full())?;
        let conventions = site.conventions(self.environment.queries)?;
        match site.argument_of_operand(conventions, found.operand as usize)?.convention {
            ArgumentConvention::Parameter(convention) => Some(convention),
            _ => None,
        }
    }

    fn is_inout(&self, found: Use) -> bool {
        matches!(self.convention(found), Some(ParameterConvention::InOut | ParameterConvention::InOutAliasable))
    }

    /// Returns whether `address` is that of a part of a struct.
    fn is_in_struct(&self, mut address: Value) -> bool {
        while let Some(id) = self.body.defining(address) {
            match self.body.instructions[id].opcode {
                Opcode::StructElementAddr => return true,
                Opcode::BeginAccess | Opcode::UncheckedTakeEnumDataAddr | Opcode::TupleElementAddr => {
                    address = self.body.operands(id)[0];
                }
                _ => return false,
            }
        }
        false
    }

    /// Returns whether a closure is inlined at its call, so that its captures are uses.
    fn is_inlined(&self, closure: InstructionId) -> bool {
        let module = self.environment.module;
        let name = ApplySite::new(self.body, closure).and_then(ApplySite::called_function);
        let function = name.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
        function.is_some_and(|function| function.has(FunctionFlag::Transparent))
    }

    /// Returns whether a constant is loaded at the place of a closure, which captures its value.
    fn is_loaded_for_closure(&self, load: InstructionId) -> bool {
        matches!(self.body.instructions[load].opcode, Opcode::Load | Opcode::LoadBorrow)
            && self.code_written_at(load).is_some_and(|code| is_closure(&code))
    }

    /// Returns the function whose code contains the source of an instruction.
    fn code_written_at(&self, id: InstructionId) -> Option<Entity> {
        let module = self.environment.module;
        let function = source_place(self.body, id).and_then(|place| module.function_at(place))?;
        Symbol::demangle(module.context.text(function))?.entity()
    }

    /// Returns the use of top-level variables by the code of a `mark_function_escape`, in words.
    fn escape(&self, mark: InstructionId) -> &'static str {
        match self.code_written_at(mark) {
            Some(entity) if is_closure(&entity) => "captured by a closure",
            Some(entity) if entity.name == "$defer" => "used in defer",
            _ => "used by function definition",
        }
    }

    /// Returns the way in which a user gets the memory.
    fn passed(&self, found: Use) -> Passed {
        let body = self.body;
        let instruction = &body.instructions[found.user];
        match instruction.opcode {
            Opcode::PartialApply => Passed::Closure,
            Opcode::MarkFunctionEscape => Passed::Function,
            Opcode::AddressToPointer => Passed::Pointer,
            Opcode::OpenExistentialAddr if instruction.attributes.contains(Attribute::MutableAccess) => Passed::InOut,
            _ => {
                let is_inout = self.is_inout(found);
                let is_aliasable = self.convention(found) == Some(ParameterConvention::InOutAliasable);
                let is_let = each_element(self.memory.root.elements()).all(|element| self.is_let(element));
                if !is_inout || is_aliasable && is_let {
                    Passed::Value
                } else if self.memory.kind == Kind::RootSelf && Memory::is_whole(body, found.value(body)) {
                    Passed::MutatedSelf
                } else if self.is_self_argument(found) {
                    Passed::Receiver
                } else {
                    Passed::InOut
                }
            }
        }
    }

    fn is_self_argument(&self, found: Use) -> bool {
        let Some(site) = ApplySite::new(self.body, found.user) else { return false };
        let conventions = site.conventions(self.environment.queries);
        let is_method = conventions.is_some_and(|conventions| {
            matches!(conventions.function.representation, Representation::Method | Representation::WitnessMethod(_))
        });
        is_method && found.operand as usize == self.body.operands(found.user).len() - 1
    }

    fn is_class(&self) -> bool {
        let ty = self.memory.root.ty;
        self.memory.kind != Kind::Variable && self.environment.queries.is_class(ty)
    }

    /// The name of an element, such as `self.x` or `t.0`. An element that stands for an accessor alone is called as all
    /// of the memory is (lib/SILOptimizer/Mandatory/DIMemoryUseCollector.cpp, `getPathStringToElement`).
    fn name(&self, element: Elements) -> String {
        let mut name = self.base_name();
        let leaves = self.memory.root.leaves();
        let Some((path, _)) = leaves.iter().find(|(_, leaf)| leaf.elements() & element != 0) else { return name };
        let mut ty = self.memory.root.ty;
        let is_stored = |member| self.environment.queries.context.get_member(member).target != MemberTarget::Other;
        for step in path {
            if matches!(*step, Step::Property(member) if !is_stored(member)) {
                return name;
            }
            name.push('.');
            match *step {
                Step::Property(member) => {
                    name.push_str(self.written_name(ty, member));
                    ty = self.environment.queries.stored_property_type(ty, member).unwrap_or(ty);
                }
                Step::Tuple(index) => {
                    name.push_str(&tuple_element_name(self.environment.queries, ty, index));
                    ty = self.environment.queries.tuple_element_type(ty, index).unwrap_or(ty);
                }
            }
        }
        name
    }

    /// Returns the source name of a stored property of `ty`: the wrapped property for the storage of a property
    /// wrapper.
    fn written_name(&self, ty: TypeId, member: MemberId) -> &str {
        let Environment { queries, .. } = self.environment;
        let context = queries.context;
        let stored = context.text(context.get_member(member).name);
        let declares = |ty: TypeId, name: &str| {
            let nominal = queries.as_nominal(ty).map(|nominal| queries.declarations.get(nominal.declaration));
            nominal.is_some_and(|found| {
                let stored = found.stored.iter().map(|property| property.name);
                let others = found.members.iter().map(|member| member.name);
                let accessed = found.interfaces.iter().map(|member| member.name);
                stored.chain(others).chain(accessed).any(|declared| context.text(declared) == name)
            })
        };
        let wrapper = || queries.stored_property_type(ty, member);
        match stored.strip_prefix('_') {
            Some(written) if declares(ty, written) && wrapper().is_some_and(|ty| declares(ty, "wrappedValue")) => {
                written
            }
            _ => stored,
        }
    }

    /// Returns the declaration of the property that contains an element.
    fn property(&self, element: Elements) -> Option<&'d StoredProperty> {
        self.memory.property(self.environment.queries, element)
    }

    fn base_name(&self) -> String {
        if self.memory.kind != Kind::Variable {
            return "self".into();
        }
        let context = &self.environment.module.context;
        let name = self.variable().and_then(|variable| variable.name).map(|name| context.text(name).to_owned());
        name.or_else(|| {
            let global = self.global()?;
            Some(global_name(context.text(self.environment.module.globals[global].name)))
        })
        .or_else(|| Some(context.text(self.accessed_property()?.name).to_owned()))
        .unwrap_or_else(|| "<unknown>".into())
    }

    /// Returns the property whose memory an `init` accessor gets.
    fn accessed_property(&self) -> Option<&'d StoredProperty> {
        let Environment { queries, function, .. } = self.environment;
        let Definition::Argument { index, .. } =
            self.body.values[Unary::of(self.body, self.memory.mark).operand].definition
        else {
            return None;
        };
        let accessor = Symbol::demangle(queries.context.text(function.name))?.entity()?;
        initialized_property(queries, self.body, &accessor.name, index as usize)
    }

    /// Returns whether an element is a constant.
    fn is_let(&self, element: Elements) -> bool {
        if self.memory.kind == Kind::Variable {
            return self.variable_mutability() == Mutability::Let;
        }
        self.property(element).is_some_and(|property| property.mutability == Mutability::Let)
    }

    fn variable_mutability(&self) -> Mutability {
        match (self.variable(), self.global()) {
            (Some(variable), _) => variable.mutability.unwrap_or(Mutability::Var),
            (None, Some(global)) => self.environment.module.globals[global].mutability,
            (None, None) => self.accessed_property().map_or(Mutability::Var, |property| property.mutability),
        }
    }

    /// Returns the instruction that allocates the marked memory.
    fn allocation(&self) -> Option<InstructionId> {
        self.body.defining(Unary::of(self.body, self.memory.mark).operand)
    }

    /// Returns the variable of the marked memory.
    fn variable(&self) -> Option<&'d DebugVariable> {
        AllocVariable::get(self.body, self.allocation()?)?.variable
    }

    /// Returns the marked global variable.
    fn global(&self) -> Option<GlobalId> {
        let allocation = self.allocation()?;
        match &self.body.instructions[allocation].details {
            Details::Global(name, _) => self.environment.module.global_named(*name),
            _ => None,
        }
    }
}

/// Reports a noncopyable variable that may be uninitialised where it is destroyed or replaced.
pub(super) fn conditional_lifetime(body: &Body, memory: &Memory) -> Diagnostic {
    let message = "conditional initialization or destruction of noncopyable types is not supported; this variable must be consistently in an \
                   initialized or uninitialized state through every code path";
    error_at(body, memory.mark, CODE, message)
}

/// The way in which an instruction gets memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passed {
    /// The value.
    Value,
    /// The address, as `inout`.
    InOut,
    /// The address, for a mutating method.
    Receiver,
    /// All memory of an initialiser, for a mutating method.
    MutatedSelf,
    /// The address, for a pointer.
    Pointer,
    /// A capture.
    Closure,
    /// A use by a function of the program besides the top-level code.
    Function,
}

fn passed_by_reference(kind: &str, name: &str) -> String {
    format!("{kind} '{name}' passed by reference before being initialized")
}

fn used(kind: &str, name: &str) -> String {
    format!("{kind} '{name}' used before being initialized")
}

fn word(mutability: Mutability) -> &'static str {
    match mutability {
        Mutability::Let => "constant",
        Mutability::Var => "variable",
    }
}

fn is_closure(code: &Entity) -> bool {
    matches!(code.kind, EntityKind::Closure | EntityKind::ImplicitClosure)
}

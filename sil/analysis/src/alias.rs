//! Alias analysis: whether two addresses may lead to the same memory, and the effects of an instruction on the memory
//! at an address.
//!
//! The rules are those of SwiftCompilerSources/Sources/Optimizer/Analysis/AliasAnalysis.swift: access paths first, then
//! types, then where the values may go; and scopes in which memory cannot change.

use sil_ir::context::ParameterConvention;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::views;
use sil_ir::model::{InstructionId, Value};
use sil_ir::types::{ArgumentConvention, Triviality};

use super::access::{AccessBase, AccessKind, AccessPath};
use super::escape::{self, EscapePath, Escapes, Follows, Start, Visit, Visitor};
use super::immutable_scope::ImmutableScopes;
use super::{AnalyzedModule, ApplySite, BodyView, EffectSet, Projection, ProjectionPath, Reach, Use, tbaa};

/// Alias analysis of one body.
pub struct AliasAnalysis<'v, 'm> {
    pub(super) module: &'v AnalyzedModule<'m>,
    pub(super) view: &'v BodyView<'m>,
    scopes: ImmutableScopes,
}

/// The memory whose effects are asked about.
#[derive(Clone, Copy)]
pub(super) enum Location {
    /// The memory at an address of any origin.
    Address(Value),
    /// The memory of a `begin_access [modify]`, seen from within: nothing else leads there.
    ModifyScope(Value),
}

impl Location {
    fn address(self) -> Value {
        match self {
            Location::Address(address) | Location::ModifyScope(address) => address,
        }
    }

    fn start(self) -> Start {
        match self {
            Location::Address(_) => Start::Up,
            Location::ModifyScope(_) => Start::Down,
        }
    }
}

impl<'v, 'm> AliasAnalysis<'v, 'm> {
    /// The alias analysis of the body that `view` shows.
    pub fn new(module: &'v AnalyzedModule<'m>, view: &'v BodyView<'m>) -> Self {
        Self { module, view, scopes: ImmutableScopes::default() }
    }

    /// Whether two addresses may lead to the same memory. Of an object, the memory that it refers to is meant. A value
    /// that nothing uses leads nowhere.
    pub fn may_alias(&self, first: Value, second: Value) -> bool {
        let view = self.view;
        if view.body.ty(first).is_address() && view.body.ty(second).is_address() {
            let (left, right) = (AccessPath::of(view, first), AccessPath::of(view, second));
            if left.is_distinct(view, right) || tbaa::are_distinct(view, (first, left.base), (second, right.base)) {
                return false;
            }
        }
        let (left, right) = (self.contained(first), self.contained(second));
        self.goes_to(left, right) && self.goes_to(right, left)
    }

    /// The effect of the instruction `id` on the memory at `address`.
    pub fn memory_effect(&self, id: InstructionId, address: Value) -> MemoryBehavior {
        let effect = self.effect(id, Location::Address(address));
        if effect.may_write() && self.scopes.protects(self, address, id) {
            return effect.without_write();
        }
        effect
    }

    /// The effect of the instruction `id` on the memory at `address`, with the memory that is lent for the whole call.
    pub fn access_effect_on(&self, id: InstructionId, address: Value) -> MemoryBehavior {
        let effect = self.memory_effect(id, address);
        if self.may_write(id, address) { effect } else { effect.without_write() }
    }

    /// Whether `id` may read the memory at `address`.
    pub fn may_read(&self, id: InstructionId, address: Value) -> bool {
        self.memory_effect(id, address).may_read()
    }

    /// Whether `id` may write the memory at `address`. Nothing writes to memory that is borrowed for the whole call.
    pub fn may_write(&self, id: InstructionId, address: Value) -> bool {
        let borrowed = match AccessPath::of(self.view, address).base {
            AccessBase::Argument(argument) => {
                self.view.argument_convention(argument)
                    == Some(ArgumentConvention::Parameter(ParameterConvention::InGuaranteed))
            }
            _ => false,
        };
        !borrowed && self.memory_effect(id, address).may_write()
    }

    /// The parts of a value that a question about its aliases means: memory at an address, fields of objects.
    pub(super) fn contained(&self, value: Value) -> (Value, ProjectionPath) {
        (value, self.view.contents(value))
    }

    pub(super) fn goes_to(&self, from: (Value, ProjectionPath), to: (Value, ProjectionPath)) -> bool {
        self.escapes(&mut ToValue { target: to }, from, Start::Up)
    }

    fn escapes(&self, visitor: &mut impl Visitor, from: (Value, ProjectionPath), start: Start) -> bool {
        escape::walk(self.module, self.view, visitor, from, start).is_err()
    }

    fn location_may_alias(&self, location: Location, other: Value) -> bool {
        self.may_alias(location.address(), other)
    }

    fn own_effect(&self, id: InstructionId) -> MemoryBehavior {
        self.module.instruction_effects().memory_behavior(self.view.body, id).union(MemoryBehavior::None)
    }

    /// The effect of `id` on the location, without scopes in which memory cannot change.
    pub(super) fn effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        use Opcode::*;
        let view = self.view;
        let operand = |index| view.operand(id, index);
        let aliases = |index| operand(index).is_some_and(|other| self.location_may_alias(location, other));
        let attributes = view.body.instructions[id].attributes;
        let worst = MemoryBehavior::MayReadWrite;
        let if_aliasing = |index, effect| if aliases(index) { effect } else { MemoryBehavior::None };
        match view.opcode(id) {
            BeginAccess => self.access_effect(id, location),
            EndAccess => match view.definition(views::Unary::of(view.body, id).operand) {
                Some((begin, BeginAccess)) => self.access_effect(begin, location),
                _ => worst,
            },
            InjectEnumAddr
            | UncheckedTakeEnumDataAddr
            | InitExistentialAddr
            | DeinitExistentialAddr
            | FixLifetime
            | ClassifyBridgeObject
            | ValueToBridgeObject
            | DeallocStack => if_aliasing(0, self.own_effect(id)),
            CondFail
            | StrongRetain
            | UnownedRetain
            | StrongRetainUnowned
            | RetainValue
            | UnmanagedRetainValue
            | CopyValue
            | StrongCopyUnownedValue
            | StrongCopyUnmanagedValue
            | StrongCopyWeakValue
            | BeginBorrow
            | BeginCowMutation => MemoryBehavior::None,
            Load if attributes.contains(Attribute::Take) => if_aliasing(0, worst),
            Load => if_aliasing(0, MemoryBehavior::MayRead),
            Store => self.store_effect(id, location),
            StoreBorrow => if_aliasing(1, MemoryBehavior::MayWrite),
            MarkDependence if self.is_address(operand(1)) => if_aliasing(1, MemoryBehavior::MayRead),
            MarkDependence => MemoryBehavior::None,
            MarkDependenceAddr if aliases(0) => worst,
            MarkDependenceAddr if self.is_address(operand(1)) => if_aliasing(1, MemoryBehavior::MayRead),
            MarkDependenceAddr => MemoryBehavior::None,
            CopyAddr | ExplicitCopyAddr | MarkUnresolvedMoveAddr => self.copy_effect(id, location),
            Apply | TryApply | BeginApply => self.call_effect(id, location),
            PartialApply => self.closure_effect(id, location),
            EndApply | AbortApply => self.resumed_effect(id, location),
            Builtin => self.builtin_effect(id, location),
            EndBorrow => self.end_borrow_effect(id, location),
            DebugValue if self.is_address(operand(0)) => if_aliasing(0, MemoryBehavior::MayRead),
            DebugValue => MemoryBehavior::None,
            // A destroy of a closure that cannot escape, or one that never runs, ends no object.
            DestroyValue if attributes.contains(Attribute::DeadEnd) => MemoryBehavior::None,
            DestroyValue if operand(0).is_some_and(|value| view.is_noescape_function(value)) => MemoryBehavior::None,
            _ => self.default_effect(id, location),
        }
    }

    fn is_address(&self, value: Option<Value>) -> bool {
        value.is_some_and(|value| self.view.body.ty(value).is_address())
    }

    fn is_let(&self, location: Location) -> bool {
        match location {
            Location::Address(address) => AccessPath::of(self.view, address).base.is_let(self.view),
            Location::ModifyScope(_) => false,
        }
    }

    /// A formal access is neither a read nor a write, but nothing may move into it.
    fn access_effect(&self, begin: InstructionId, location: Location) -> MemoryBehavior {
        if !self.location_may_alias(location, views::Unary::of(self.view.body, begin).operand) {
            return MemoryBehavior::None;
        }
        match AccessKind::of(self.view.body, begin) {
            AccessKind::Init => MemoryBehavior::MayWrite,
            AccessKind::Read => MemoryBehavior::MayRead,
            AccessKind::Modify if self.is_let(location) => MemoryBehavior::None,
            AccessKind::Modify | AccessKind::Deinit => MemoryBehavior::MayReadWrite,
        }
    }

    fn store_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let destination = views::Store::of(self.view.body, id).destination;
        if self.is_let(location) {
            let written = AccessPath::of(self.view, destination).base;
            if written != AccessPath::of(self.view, location.address()).base {
                return MemoryBehavior::None;
            }
        }
        if self.location_may_alias(location, destination) {
            self.own_effect(id)
        } else if self.view.body.instructions[id].attributes.contains(Attribute::Assign) {
            // The old value's deinitialiser runs.
            self.default_effect(id, location)
        } else {
            MemoryBehavior::None
        }
    }

    fn copy_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let attributes = self.view.body.instructions[id].attributes;
        let views::CopyAddr { source, destination } = views::CopyAddr::of(self.view.body, id);
        let when_touched = |other, behavior| match self.location_may_alias(location, other) {
            true => behavior,
            false => MemoryBehavior::None,
        };
        let moves = self.view.opcode(id) == Opcode::MarkUnresolvedMoveAddr;
        let takes = moves || attributes.contains(Attribute::Take);
        let of_source = if takes { MemoryBehavior::MayReadWrite } else { MemoryBehavior::MayRead };
        let effect = when_touched(source, of_source).union(when_touched(destination, MemoryBehavior::MayWrite));
        if moves || attributes.contains(Attribute::Init) {
            return effect;
        }
        effect.union(self.default_effect(id, location))
    }

    fn call_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let from = (location.address(), ProjectionPath::from(Projection::AnyValueFields));
        self.effects_of_call_on(id, from, location.start(), Follows::Address)
            .map_or_else(|| self.called_effect(id), EffectSet::memory)
    }

    /// The effects of the call `id` on its arguments that `from` goes to; none if it escapes otherwise.
    pub(super) fn effects_of_call_on(
        &self,
        id: InstructionId,
        from: (Value, ProjectionPath),
        start: Start,
        follows: Follows,
    ) -> Option<EffectSet> {
        let mut visitor = ToCall { analysis: self, call: id, follows, effects: EffectSet::NONE };
        escape::walk(self.module, self.view, &mut visitor, from, start).ok().map(|()| visitor.effects)
    }

    /// The effect of the function that `id` calls on any memory.
    fn called_effect(&self, id: InstructionId) -> MemoryBehavior {
        let callee = ApplySite::new(self.view.body, id).and_then(ApplySite::callee);
        callee
            .map_or(MemoryBehavior::MayReadWrite, |callee| self.module.effects_of_call(self.view.body, callee).memory())
    }

    fn closure_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let mut visitor = ToClosure { analysis: self, closure: id, effect: MemoryBehavior::None };
        let from = (location.address(), ProjectionPath::from(Projection::AnyValueFields));
        match escape::walk(self.module, self.view, &mut visitor, from, location.start()) {
            Ok(()) => visitor.effect,
            Err(Escapes) => MemoryBehavior::MayReadWrite,
        }
    }

    fn resumed_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let token = views::Unary::of(self.view.body, id).operand;
        let Some(begin) = self.view.body.defining(token) else { return MemoryBehavior::MayReadWrite };
        // A yielded address is exclusive to the caller until the coroutine is resumed; then others may access it.
        if let AccessBase::Yield(yielded) = AccessPath::of(self.view, location.address()).base
            && self.view.body.defining(yielded) == Some(begin)
        {
            return MemoryBehavior::MayReadWrite;
        }
        self.call_effect(begin, location)
    }

    fn builtin_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let kind = self.module.instruction_effects().builtin(self.view.body, id);
        let Some(BuiltinKind::Named(NamedBuiltin::Once | NamedBuiltin::OnceWithContext)) = kind else {
            return self.default_effect(id, location);
        };
        let from = (location.address(), ProjectionPath::from(Projection::AnyValueFields));
        if !self.escapes(&mut Anywhere, from, location.start()) {
            return MemoryBehavior::None;
        }
        let initializer = self.view.operand(id, 1);
        initializer
            .map_or(MemoryBehavior::MayReadWrite, |callee| self.module.effects_of_call(self.view.body, callee).memory())
    }

    fn end_borrow_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let value = views::Unary::of(self.view.body, id).operand;
        let Some((begin, opcode)) = self.view.definition(value) else { return self.default_effect(id, location) };
        let escapes = self.view.body.instructions[begin].attributes.contains(Attribute::PointerEscape);
        match opcode {
            Opcode::StoreBorrow if self.location_may_alias(location, value) => MemoryBehavior::MayReadWrite,
            Opcode::StoreBorrow => MemoryBehavior::None,
            Opcode::BeginBorrow if !escapes => self.borrow_effect(id, value, location),
            Opcode::LoadBorrow => {
                // Nothing may change the memory that the value was borrowed from.
                let from = views::Unary::of(self.view.body, begin).operand;
                match self.borrow_effect(id, value, location) {
                    MemoryBehavior::MayReadWrite => MemoryBehavior::MayReadWrite,
                    _ if self.location_may_alias(location, from) => MemoryBehavior::MayReadWrite,
                    effect => effect,
                }
            }
            _ => self.default_effect(id, location),
        }
    }

    /// The end of a borrow keeps uses of addresses within the borrowed object before it.
    fn borrow_effect(&self, id: InstructionId, borrow: Value, location: Location) -> MemoryBehavior {
        use AccessBase::*;
        let access = AccessPath::of(self.view, location.address());
        match access.base {
            Stack(_) | Global(_) | Argument(_) | StoreBorrow(_) => MemoryBehavior::None,
            Pointer(_) | Index(_) | Unidentified(_) | Yield(_) => self.default_effect(id, location),
            Box(_) | Class(_) | Tail(_) if self.scopes.may_lie_within(self, access, borrow) => {
                MemoryBehavior::MayReadWrite
            }
            Box(_) | Class(_) | Tail(_) => MemoryBehavior::None,
        }
    }

    /// The effect of `id` on memory, if it can reach the location at all.
    fn default_effect(&self, id: InstructionId, location: Location) -> MemoryBehavior {
        let effect = self.own_effect(id);
        if effect == MemoryBehavior::None {
            return effect;
        }
        let from = (location.address(), ProjectionPath::from(Projection::AnyValueFields));
        if self.escapes(&mut ToInstruction { target: id }, from, location.start()) {
            effect
        } else {
            MemoryBehavior::None
        }
    }
}

/// A returned value goes to no instruction of the function.
pub(super) fn unless_returned(view: &BodyView<'_>, found: Use) -> Visit {
    if view.opcode(found.user).returns() { Visit::Ignore } else { Visit::Continue }
}

struct ToValue {
    target: (Value, ProjectionPath),
}

impl Visitor for ToValue {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, path: EscapePath) -> Visit {
        let (target, part) = self.target;
        if view.used_value(found) == target && path.path.may_overlap(part) {
            return Visit::Escape;
        }
        unless_returned(view, found)
    }

    fn follows(&self) -> Follows {
        Follows::Address
    }
}

struct ToInstruction {
    target: InstructionId,
}

impl Visitor for ToInstruction {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, _: EscapePath) -> Visit {
        if found.user == self.target { Visit::Escape } else { unless_returned(view, found) }
    }

    fn follows(&self) -> Follows {
        Follows::Address
    }
}

struct Anywhere;

impl Visitor for Anywhere {
    fn visit_use(&mut self, _: &BodyView<'_>, _: Use, _: EscapePath) -> Visit {
        Visit::Continue
    }

    fn follows(&self) -> Follows {
        Follows::Address
    }
}

/// Collects the effects of a call on the arguments that an address or an object goes to.
struct ToCall<'a, 'v, 'm> {
    analysis: &'a AliasAnalysis<'v, 'm>,
    call: InstructionId,
    follows: Follows,
    effects: EffectSet,
}

impl Visitor for ToCall<'_, '_, '_> {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, path: EscapePath) -> Visit {
        if found.user != self.call {
            return unless_returned(view, found);
        }
        // A closure that captured it may do anything with it.
        let Some(effects) = self.analysis.argument_effect(found, path.path) else { return Visit::Escape };
        self.effects = self.effects.union(effects);
        Visit::Continue
    }

    fn follows(&self) -> Follows {
        self.follows
    }
}

impl AliasAnalysis<'_, '_> {
    /// The effects of a call on the part `path` of its argument; none for the callee.
    pub(super) fn argument_effect(&self, found: Use, path: ProjectionPath) -> Option<EffectSet> {
        let site = ApplySite::new(self.view.body, found.user)?;
        let conventions = site.conventions(self.view.queries)?;
        let argument = site.numbering(conventions).sil_argument_of_operand(found.operand as usize)?;
        let convention = conventions.argument(argument)?.convention;
        let trivial = self.view.has_trivial_non_pointer_type(self.view.used_value(found));
        let trivial = if trivial { Triviality::Trivial } else { Triviality::Nontrivial };
        let effects = match self.module.callees().of(self.view.body, site.callee()?).all() {
            Some(callees) => callees.iter().fold(EffectSet::NONE, |effects, callee| {
                effects.union(self.module.effects(*callee).on_argument(argument, convention, trivial, path))
            }),
            None => EffectSet::WORST.restricted(convention, trivial, Reach::Objects),
        };
        Some(effects)
    }
}

/// Collects the effects of making a closure on the memory that it captures.
struct ToClosure<'a, 'v, 'm> {
    analysis: &'a AliasAnalysis<'v, 'm>,
    closure: InstructionId,
    effect: MemoryBehavior,
}

impl Visitor for ToClosure<'_, '_, '_> {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, _: EscapePath) -> Visit {
        if found.user != self.closure {
            return unless_returned(view, found);
        }
        let convention = self.analysis.captured_convention(found);
        if convention.is_some_and(ArgumentConvention::is_indirect_in) {
            // The value moves into the closure's context, unless that only lives on the stack.
            let on_stack = view.body.instructions[self.closure].attributes.contains(Attribute::OnStack);
            let effect = if on_stack { MemoryBehavior::MayRead } else { MemoryBehavior::MayReadWrite };
            self.effect = self.effect.union(effect);
        }
        Visit::Continue
    }

    fn follows(&self) -> Follows {
        Follows::Address
    }
}

impl AliasAnalysis<'_, '_> {
    fn captured_convention(&self, found: Use) -> Option<ArgumentConvention> {
        let site = ApplySite::new(self.view.body, found.user)?;
        let conventions = site.conventions(self.view.queries)?;
        Some(site.argument_of_operand(conventions, found.operand as usize)?.convention)
    }
}

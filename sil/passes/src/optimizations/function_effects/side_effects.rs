//! Computes the side effects of functions: reads, writes, copies and destroys, for each argument and globally. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/ComputeSideEffects.swift.

use sil_analysis::escape::{self, EscapePath, Follows, Start, Visit, Visitor};
use sil_analysis::{
    AccessBase, AccessPath, AnalyzedModule, ApplySite, ArgumentEffects, BodyView, Effect, EffectSet, FunctionEffects,
    Projection, ProjectionPath, Reach, SideEffects, Use, may_be_deinit_barrier, value_roots,
};
use sil_ir::context::{CalleeConvention, FunctionAttribute, ParameterConvention, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{FunctionFlag, FunctionId, InstructionId, Value, views};
use sil_ir::types::{ArgumentConvention, FunctionConventions, Triviality};

use super::argument_uses::ArgumentUses;

/// The computed effects of the function. `None` if they do not change, if other attributes state them, or if the
/// function may be replaced by another module's definition.
pub(super) fn effects(
    module: &AnalyzedModule<'_>,
    view: &BodyView<'_>,
    known: &FunctionEffects,
) -> Option<FunctionEffects> {
    let flags = [FunctionFlag::ReadNone, FunctionFlag::ReadOnly, FunctionFlag::ReleaseNone];
    if view.function.linkage.is_external() || flags.iter().any(|flag| view.function.has(*flag)) {
        return None;
    }
    let arguments = &view.body.blocks[view.body.entry()].arguments;
    let side = SideEffects { arguments: vec![ArgumentEffects::default(); arguments.len()], global: EffectSet::NONE };
    let mut collector = Collector { module, view, side };
    view.body.placed_instructions().for_each(|id| collector.instruction(id));
    for argument in arguments {
        collector.escaping_argument(*argument);
        if view.argument_convention(*argument) == Some(ArgumentConvention::Parameter(ParameterConvention::In)) {
            // If no path returns, the read that consumes the argument may have been removed.
            collector.on(*argument, Effect::Read.into());
        }
    }
    (known.side.as_ref() != Some(&collector.side)).then(|| known.with_side_effects(collector.side))
}

struct Collector<'a, 'm> {
    module: &'a AnalyzedModule<'m>,
    view: &'a BodyView<'m>,
    side: SideEffects,
}

impl<'m> Collector<'_, 'm> {
    fn instruction(&mut self, id: InstructionId) {
        use Opcode::*;
        let body = self.view.body;
        let attributes = body.instructions[id].attributes;
        let operand = || body.operands(id)[0];
        match self.view.opcode(id) {
            CopyValue | RetainValue | StrongRetain => self.on_value_itself(operand(), Effect::Copy.into()),
            DestroyValue | DestroyNotEscapedClosure | ReleaseValue | StrongRelease => self.destroyed_value(operand()),
            DestroyAddr => self.destroyed_memory(operand()),
            CopyAddr => {
                let views::CopyAddr { source, destination } = views::CopyAddr::of(body, id);
                self.on(source, Effect::Read.into());
                self.on(destination, Effect::Write.into());
                if !attributes.contains(Attribute::Take) {
                    self.on(source, Effect::Copy.into());
                }
                if !attributes.contains(Attribute::Init) {
                    self.destroyed_memory(destination);
                }
            }
            Store | StoreWeak | StoreUnowned => {
                let destination = views::Store::of(body, id).destination;
                self.on(destination, Effect::Write.into());
                if self.view.opcode(id) == Store && attributes.contains(Attribute::Assign) {
                    self.destroyed_memory(destination);
                }
            }
            Load | LoadWeak | LoadUnowned | LoadBorrow | FixLifetime => self.on(operand(), Effect::Read.into()),
            Apply | TryApply | BeginApply => return self.call(id),
            PartialApply if self.closure(id) => return,
            PartialApply => {}
            BeginCowMutation | IsUnique => self.on_value_itself(operand(), Effect::Destroy.into()),
            // The effects in their table entries only prevent reordering within the function. They are not visible to
            // callers.
            DeallocStack
            | DeallocStackRef
            | BeginAccess
            | EndAccess
            | BeginBorrow
            | EndBorrow
            | DebugValue
            | Keypath
            | EndApply
            | AbortApply
            | EndCowMutation
            | UnconditionalCheckedCast
            | CondFail => {}
            _ => self.other(id),
        }
        if may_be_deinit_barrier(self.view, self.module.instruction_effects(), id) {
            self.global(Effect::DeinitBarrier.into());
        }
    }

    fn other(&mut self, id: InstructionId) {
        let effects = self.module.instruction_effects();
        let body = self.view.body;
        if effects.may_release(body, self.view.function.signature, id) {
            self.global(EffectSet::WORST);
        }
        self.global(effects.memory_behavior(body, id).into());
        if effects.may_have_side_effects(body, id) {
            self.global(Effect::Copy.into());
        }
        let allocates = matches!(
            self.view.opcode(id),
            Opcode::AllocRef | Opcode::AllocRefDynamic | Opcode::AllocBox | Opcode::AllocExistentialBox
        );
        if allocates && body.results(id).any(|object| self.escapes(object)) {
            self.global(Effect::Allocate.into());
        }
    }

    fn escapes(&self, object: Value) -> bool {
        let from = (object, ProjectionPath::EMPTY);
        escape::walk(self.module, self.view, &mut Anywhere, from, Start::Up).is_err()
    }

    fn global(&mut self, effects: EffectSet) {
        self.side.global = self.side.global.union(effects);
    }

    /// Adds effects on all of `value` that is reached without a load.
    fn on(&mut self, value: Value, effects: EffectSet) {
        self.on_part(value, self.view.contents(value), effects);
    }

    fn on_value_itself(&mut self, value: Value, effects: EffectSet) {
        self.on_part(value, ProjectionPath::from(Projection::AnyValueFields), effects);
    }

    /// Adds effects on a part of `value` to the arguments it originates from, or to the global effects if it has
    /// another origin.
    fn on_part(&mut self, value: Value, part: ProjectionPath, effects: EffectSet) {
        let view = self.view;
        let roots = if view.body.ty(value).is_address() {
            let access = AccessPath::of_part(view, value, part);
            match access.base {
                // Stack memory is not visible to callers. A value copied or destroyed there may have been moved to it.
                AccessBase::Stack(_) => return self.global(effects.ownership()),
                AccessBase::Argument(argument) => Some(vec![(argument, access.path)]),
                _ => access.storage_roots(view),
            }
        } else {
            Some(value_roots(view, value, part))
        };
        let Some(roots) = roots else { return self.global(effects) };
        let entry = &view.body.blocks[view.body.entry()].arguments;
        for (root, path) in roots {
            match entry.iter().position(|argument| *argument == root) {
                Some(index) => self.side.arguments[index].add(effects, path),
                // Effects on objects that the function allocates are not visible to callers.
                None if view.definition(root).is_some_and(|(_, opcode)| is_allocation(opcode)) => {}
                None => self.global(effects),
            }
        }
    }

    fn destroyed_value(&mut self, value: Value) {
        self.on(value, Effect::Destroy.into());
        let ty = self.view.body.ty(value).ty;
        if !self.view.queries.is_class(ty) {
            self.on(value, EffectSet::WORST);
            return self.global(EffectSet::WORST);
        }
        match self.module.callees().deallocators(ty, None).all() {
            Some(deallocators) => {
                for deallocator in deallocators {
                    let effects = self.module.effects(*deallocator);
                    self.global(effects.global());
                    self.argument(&effects, (0, value), ArgumentConvention::Parameter(ParameterConvention::Owned));
                }
            }
            None => {
                self.on(value, EffectSet::WORST);
                self.global(EffectSet::WORST);
            }
        }
    }

    fn destroyed_memory(&mut self, address: Value) {
        // The effects of a taking load and a destroy of the value.
        let own = [Effect::Destroy, Effect::Read, Effect::Write].map(EffectSet::from);
        self.on(address, own.into_iter().fold(EffectSet::NONE, EffectSet::union));
        match self.module.callees().deallocators(self.view.body.ty(address).ty, None).all() {
            Some(deallocators) => {
                let each = deallocators.iter().map(|deallocator| self.module.effects(*deallocator).all());
                self.global(each.fold(EffectSet::NONE, EffectSet::union));
            }
            None => self.global(EffectSet::WORST),
        }
    }

    fn call(&mut self, id: InstructionId) {
        let callee = self.view.body.operands(id)[0];
        let is_consumed = match self.view.queries.get(self.view.body.ty(callee).ty) {
            Type::Function(function) => {
                function.callee == CalleeConvention::Owned && !function.attributes.contains(FunctionAttribute::NoEscape)
            }
            _ => false,
        };
        if is_consumed {
            self.on(callee, Effect::Destroy.into());
            self.global(EffectSet::WORST);
        }
        self.applied(id);
    }

    /// Adds the effects of a closure's creation. Returns whether the effects of calling it count.
    fn closure(&mut self, id: InstructionId) -> bool {
        let is_called = self.view.body.result(id).is_some_and(|closure| {
            let from = (closure, ProjectionPath::EMPTY);
            escape::walk(self.module, self.view, &mut Calls, from, Start::Down).is_err()
        });
        if is_called {
            self.applied(id);
        }
        // Captured addresses are moved to the context, unless the closure is on the stack and borrows them.
        if !self.view.body.instructions[id].attributes.contains(Attribute::OnStack) {
            let arguments = ApplySite::new(self.view.body, id).map(ApplySite::arguments).unwrap_or_default();
            for argument in arguments.iter().filter(|argument| self.view.body.ty(**argument).is_address()) {
                self.on(*argument, Effect::Read.into());
            }
        }
        is_called
    }

    /// Adds the effects of called or partially applied functions.
    fn applied(&mut self, id: InstructionId) {
        let Some(site) = ApplySite::new(self.view.body, id) else { return };
        let callees = site.callee().map(|callee| self.module.callees().of(self.view.body, callee)).unwrap_or_default();
        let conventions = site.conventions(self.view.queries);
        let (Some(callees), Some(conventions)) = (callees.all(), conventions) else {
            site.arguments().iter().for_each(|argument| self.on(*argument, EffectSet::WORST));
            return self.global(EffectSet::WORST);
        };
        for callee in callees {
            let effects = self.module.effects(*callee);
            self.global(effects.global());
            for (operand, value) in (1..).zip(site.arguments()) {
                let Some((index, convention)) = passed(self.view, site, conventions, (*callee, operand)) else {
                    self.on(*value, EffectSet::WORST);
                    continue;
                };
                self.argument(&effects, (index, *value), convention);
            }
        }
    }

    /// Adds the effects of a callee on the argument with this index.
    fn argument(&mut self, effects: &FunctionEffects, (index, value): (usize, Value), convention: ArgumentConvention) {
        if let Some(side) = &effects.side {
            side.of_argument(index).iter().for_each(|(effect, part)| self.on_part(value, part, effect.into()));
            return;
        }
        let contents = self.view.contents(value);
        self.on(value, effects.on_argument(index, convention, triviality(self.view, value), contents));
    }

    /// Adds the global effects to an argument whose uses are not all known.
    fn escaping_argument(&mut self, argument: Value) {
        let Some(convention) = self.view.argument_convention(argument) else { return };
        let trivial = triviality(self.view, argument);
        let restricted = |effects: EffectSet| effects.restricted(convention, trivial, Reach::Objects);
        let uses = ArgumentUses::of(self.module, self.view, argument);
        let everything = self.side.global;
        if uses.has_unknown() {
            self.on(argument, restricted(everything));
        } else if uses.has_taking_load {
            // Anything that the function destroys may have been loaded from the argument.
            self.on(argument, restricted(everything.ownership()));
        } else if uses.has_closure && everything.contains(Effect::Destroy) {
            self.on(argument, Effect::Destroy.into());
        }
    }
}

/// The index and convention of the callee's SIL argument for an operand. If the closure of a closure is called, the
/// callee takes the arguments of both.
fn passed(
    view: &BodyView<'_>,
    site: ApplySite<'_>,
    conventions: FunctionConventions<'_>,
    (callee, operand): (FunctionId, usize),
) -> Option<(usize, ArgumentConvention)> {
    let index = site.numbering(conventions).sil_argument_of_operand(operand)?;
    let of_callee = view.queries.conventions(view.module.functions[callee].ty)?;
    Some((index, of_callee.argument(index)?.convention))
}

fn triviality(view: &BodyView<'_>, value: Value) -> Triviality {
    if view.has_trivial_non_pointer_type(value) { Triviality::Trivial } else { Triviality::Nontrivial }
}

fn is_allocation(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, AllocStack | AllocRef | AllocRefDynamic | AllocBox | AllocExistentialBox)
}

/// Decides whether an object escapes.
struct Anywhere;

impl Visitor for Anywhere {
    fn visit_use(&mut self, _: &BodyView<'_>, _: Use, _: EscapePath) -> Visit {
        Visit::Continue
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}

/// Decides whether a closure reaches a call, as its callee or as an argument, so that it may run.
struct Calls;

impl Visitor for Calls {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, _: EscapePath) -> Visit {
        match view.opcode(found.user) {
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => Visit::Escape,
            opcode if opcode.returns() => Visit::Ignore,
            _ => Visit::Continue,
        }
    }

    fn follows(&self) -> Follows {
        Follows::Address
    }
}

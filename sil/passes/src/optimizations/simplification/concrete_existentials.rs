//! Passes the concrete value of an existential to calls if the initialisation of the existential is known, or only one
//! type conforms (`propagateConcreteTypeOfInitExistential` of
//! lib/SILOptimizer/SILCombiner/SILCombinerApplyVisitors.cpp, lib/SILOptimizer/Utils/Existential.cpp).
//!
//! An opened archetype denotes the type of the initialised value wherever it is in scope, so casts between the two are
//! always valid. If the value is still alive, it is passed directly and need not be opened.

use sil_analysis::{ApplySite, ControlFlowGraph, Dominators, Use, opened_archetypes, opening};
use sil_ir::context::{ConformanceKind, Name, ParameterConvention, SilType, SubstitutionMapId, Sugar, Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CopyAddr, InitExistential, Store, Unary, WitnessMethod};
use sil_ir::model::{Details, InstructionId, Ownership, Place, Value};

use super::Simplifier;
use crate::editing::existential_contents::{ExistentialContents, Origin};
use crate::knowledge::sole_conformances::sole_conforming_type;

/// An operand of a call that is an opened existential, with the initialised value.
#[derive(Clone, Copy)]
struct Concrete {
    /// The operand of the call.
    operand: u32,
    /// The opened archetype and its name.
    archetype: TypeId,
    uuid: Name,
    /// The concrete formal type.
    ty: TypeId,
    /// The concrete value: a reference, or the address in the existential's memory.
    value: Value,
    origin: Origin,
}

impl Simplifier<'_> {
    fn contents(&self) -> ExistentialContents<'_, '_> {
        ExistentialContents::new(&self.editor)
    }

    /// Replaces opened existentials of a call with their concrete values.
    pub(super) fn propagate_concrete(&mut self, id: InstructionId) -> Option<()> {
        let operands = 1..self.editor.body().operands(id).len() as u32;
        let passed =
            operands.filter_map(|operand| self.passed(id, operand).or_else(|| self.only_possible(id, operand)));
        let found: Vec<Concrete> = passed.filter(|concrete| self.openings_of(concrete.ty, id).is_some()).collect();
        found.first()?;
        let own = self.editor.body().operands(id).len() as u32 - 1;
        let lookup = self.editor.made_by(self.editor.operand(id, 0)?, Opcode::WitnessMethod);
        if let (Some(lookup), Some(receiver)) = (lookup, found.iter().find(|concrete| concrete.operand == own)) {
            self.look_up_concrete(lookup, *receiver);
        }
        for concrete in found {
            let _ = self.pass_concrete(id, concrete);
        }
        Some(())
    }

    /// The concrete value of an operand that is opened from an existential whose initialisation is known.
    fn passed(&self, call: InstructionId, operand: u32) -> Option<Concrete> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let passed = body.operands(call)[operand as usize];
        opened_archetypes(queries, body.ty(passed).ty).first()?;
        let (opened, first) = self.after_stack(passed, call);
        let opening = body.defining(opened)?;
        if self.editor.opcode(opening) == Opcode::OpenExistentialMetatype {
            return self.passed_metatype(operand, opening);
        }
        if !matches!(self.editor.opcode(opening), Opcode::OpenExistentialAddr | Opcode::OpenExistentialRef) {
            return None;
        }
        let archetype = body.ty(body.result(opening)?).ty;
        let Type::OpenedArchetype { uuid, .. } = *queries.get(archetype) else { return None };
        let existential = Unary::of(body, opening).operand;
        let (made, second) = match body.ty(existential).is_address() {
            true => {
                self.editor.made_by(existential, Opcode::AllocStack)?;
                self.contents().initializer(existential, opening)?
            }
            false => (body.defining(existential)?, Origin::Itself),
        };
        if !matches!(self.editor.opcode(made), Opcode::InitExistentialAddr | Opcode::InitExistentialRef) {
            return None;
        }
        let InitExistential { operand: wrapped, concrete: ty } = InitExistential::of(body, made);
        let value = if self.editor.opcode(made) == Opcode::InitExistentialRef { wrapped } else { body.result(made)? };
        Some(Concrete { operand, archetype, uuid, ty, value, origin: first.or(second) })
    }

    /// The concrete type of an operand that is opened from an existential if only one type conforms. Mutating methods
    /// are excluded.
    fn only_possible(&self, call: InstructionId, operand: u32) -> Option<Concrete> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let passed = body.operands(call)[operand as usize];
        let Type::OpenedArchetype { uuid, existential, interface } = *queries.get(body.ty(passed).ty) else {
            return None;
        };
        let (opened, _) = self.after_stack(passed, call);
        let opening = body.defining(opened)?;
        let is_own = operand as usize + 1 == body.operands(call).len();
        let lookup = self.editor.made_by(self.editor.operand(call, 0)?, Opcode::WitnessMethod).filter(|_| is_own);
        let protocol = match lookup {
            Some(_) if self.is_changed(call, operand) => return None,
            Some(lookup) => queries.context.get_member(WitnessMethod::of(body, lookup).method.member).parent?,
            None => {
                let Type::GenericParameter { .. } = queries.get(interface) else { return None };
                let [protocol] = queries.protocols_in(existential)[..] else { return None };
                protocol
            }
        };
        let opens = matches!(self.editor.opcode(opening), Opcode::OpenExistentialAddr | Opcode::OpenExistentialRef);
        let ty = opens.then(|| sole_conforming_type(self.editor.environment, protocol)).flatten()?;
        Some(Concrete { operand, archetype: body.ty(passed).ty, uuid, ty, value: opened, origin: Origin::Copied })
    }

    fn is_changed(&self, call: InstructionId, operand: u32) -> bool {
        let convention = self.contents().convention(call, operand);
        !convention.is_some_and(|convention| {
            !matches!(convention, ParameterConvention::InOut | ParameterConvention::InOutAliasable)
        })
    }

    /// The concrete metatype of an operand that is opened from an existential metatype whose initialisation is known.
    fn passed_metatype(&self, operand: u32, opening: InstructionId) -> Option<Concrete> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let made = self.editor.made_by(Unary::of(body, opening).operand, Opcode::InitExistentialMetatype)?;
        let value = Unary::of(body, made).operand;
        let instance = |value: Value| match *queries.get(body.ty(value).ty) {
            Type::Metatype { instance, .. } => Some(instance),
            _ => None,
        };
        let (archetype, ty) = (instance(body.result(opening)?)?, instance(value)?);
        let Type::OpenedArchetype { uuid, .. } = *queries.get(archetype) else { return None };
        Some(Concrete { operand, archetype, uuid, ty, value, origin: Origin::Itself })
    }

    /// The value that is copied or stored to passed stack memory, or the value itself.
    fn after_stack(&self, value: Value, user: InstructionId) -> (Value, Origin) {
        let body = self.editor.body();
        let is_memory = self.editor.made_by(value, Opcode::AllocStack).is_some();
        let Some((made, origin)) = is_memory.then(|| self.contents().initializer(value, user)).flatten() else {
            return (value, Origin::Itself);
        };
        match self.editor.opcode(made) {
            Opcode::CopyAddr => (CopyAddr::of(body, made).source, origin),
            Opcode::Store => (Store::of(body, made).source, origin),
            _ => (value, Origin::Itself),
        }
    }

    /// Looks up a method on the concrete type instead of the opened archetype.
    fn look_up_concrete(&mut self, lookup: InstructionId, receiver: Concrete) -> Option<()> {
        let body = self.editor.body();
        let mut method = WitnessMethod::of(body, lookup).method.clone();
        if method.lookup != Some(receiver.archetype) || !self.conforms(&method, receiver.ty) {
            return None;
        }
        let operands = self.openings_of(receiver.ty, lookup)?;
        method.lookup = Some(receiver.ty);
        let (attributes, ty) = (body.instructions[lookup].attributes, body.ty(body.result(lookup)?));
        let made = self.editor.build(Place::Before(lookup), lookup, |builder| {
            builder.with(attributes).witness_method(Box::new(method), operands.first().copied(), ty)
        });
        self.editor.replace(lookup, made);
        Some(())
    }

    /// The values that open the archetypes of a type. `None` if one of them does not dominate `user`.
    fn openings_of(&self, ty: TypeId, user: InstructionId) -> Option<Vec<Value>> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let archetypes = opened_archetypes(queries, ty);
        if archetypes.is_empty() {
            return Some(Vec::new());
        }
        let dominators = Dominators::new(body, &ControlFlowGraph::new(body));
        let opened_by = |uuid: Name| {
            let opens = |id: &InstructionId| opening(queries, body, *id).is_some_and(|(own, _)| own == uuid);
            let found = body.placed_instructions().find(opens)?;
            body.result(found).filter(|_| dominators.instruction_dominates(body, found, user))
        };
        archetypes.into_iter().map(opened_by).collect()
    }

    fn conforms(&self, method: &sil_ir::model::Method, ty: TypeId) -> bool {
        let queries = self.editor.environment.queries;
        let Some(protocol) = queries.context.get_member(method.member).parent else { return false };
        let conformance = queries.conformance(ty, protocol);
        let is_opened = !opened_archetypes(queries, ty).is_empty();
        let is_known = match queries.context.get_conformance(conformance).kind {
            ConformanceKind::Normal { .. }
            | ConformanceKind::Specialized { .. }
            | ConformanceKind::Inherited { .. } => true,
            ConformanceKind::Abstract => queries.is_type_parameter(ty),
            _ => false,
        };
        is_opened || is_known
    }

    /// Passes the concrete value instead of the opened one, and replaces the archetype with the concrete type in the
    /// call.
    fn pass_concrete(&mut self, call: InstructionId, concrete: Concrete) -> Option<()> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let Details::Apply(apply) = body.instructions[call].details.clone() else { return None };
        let convention = self.contents().convention(call, concrete.operand)?;
        if self.involves(call, concrete) {
            return None;
        }
        let substitutions = self.substituted(apply.substitutions, concrete)?;
        let conventions = queries.applied_conventions(body.ty(body.operands(call)[0]).ty, substitutions)?;
        let site = ApplySite::new(body, call)?;
        let numbering = site.numbering(conventions);
        let type_of = |operand: u32| {
            let number = numbering.sil_argument_of_operand(operand as usize)?;
            conventions.argument(number).map(|argument| argument.ty)
        };
        let wanted = type_of(concrete.operand)?;
        let fit = (1..body.operands(call).len() as u32).filter(|operand| *operand != concrete.operand).all(|operand| {
            let given = body.ty(body.operands(call)[operand as usize]);
            type_of(operand).is_some_and(|ty| queries.same_sil_type(ty, given))
        });
        if !fit {
            return None;
        }
        let passed = self.replacement(call, concrete, convention, wanted)?;
        // The replaced operand may be dead now.
        let given = self.editor.body().operands(call)[concrete.operand as usize];
        self.editor.body().defining(given).into_iter().for_each(|definition| self.push(definition));
        self.editor.set_operand(Use { user: call, operand: concrete.operand }, passed);
        let apply = sil_ir::model::Apply { substitutions, sugar: Sugar::default(), ..*apply };
        self.editor.set_details(call, Details::Apply(Box::new(apply)));
        self.editor.forget_ownership();
        Some(())
    }

    /// Returns whether a call refers to the archetype, or a dependent one, other than in one operand.
    fn involves(&self, call: InstructionId, concrete: Concrete) -> bool {
        let body = self.editor.body();
        let names = |value: Value| {
            opened_archetypes(self.editor.environment.queries, body.ty(value).ty).contains(&concrete.uuid)
        };
        let received = body.targets(call).iter().flat_map(|target| body.blocks[*target].arguments.clone());
        let others = (1..).zip(&body.operands(call)[1..]).filter(|(operand, _)| *operand != concrete.operand);
        body.results(call).chain(received).any(names) || others.into_iter().any(|(_, value)| names(*value))
    }

    fn substituted(&self, substitutions: SubstitutionMapId, concrete: Concrete) -> Option<SubstitutionMapId> {
        let queries = self.editor.environment.queries;
        let replacements = queries.context.replacements(substitutions).to_vec();
        let is_plain =
            |ty: &TypeId| *ty == concrete.archetype || !opened_archetypes(queries, *ty).contains(&concrete.uuid);
        if !replacements.contains(&concrete.archetype) || !replacements.iter().all(is_plain) {
            return None;
        }
        let signature = queries.context.get_substitutions(substitutions).signature;
        let replaced: Vec<TypeId> =
            replacements.into_iter().map(|ty| if ty == concrete.archetype { concrete.ty } else { ty }).collect();
        Some(queries.context.substitutions(signature, replaced))
    }

    /// The value to pass: the concrete value, or the opened one cast to the concrete type.
    fn replacement(
        &mut self,
        call: InstructionId,
        concrete: Concrete,
        convention: ParameterConvention,
        wanted: SilType,
    ) -> Option<Value> {
        use ParameterConvention::{In, InConstant, InCxx, InOut, InOutAliasable};
        let queries = self.editor.environment.queries;
        let body = self.editor.body();
        let given = body.operands(call)[concrete.operand as usize];
        let is_changed = matches!(convention, InOut | InOutAliasable);
        let is_there = concrete.origin == Origin::Itself || self.is_still_there(concrete.value, call);
        let is_owned = self.editor.ownership(concrete.value) == Ownership::Owned;
        let is_same_type = queries.same_sil_type(body.ty(concrete.value), wanted);
        if is_changed || !is_there || is_owned || !is_same_type {
            let opcode = if wanted.is_address() { Opcode::UncheckedAddrCast } else { Opcode::UncheckedRefCast };
            let is_opened = !opened_archetypes(queries, concrete.ty).is_empty();
            let is_metatype = matches!(queries.get(wanted.ty), Type::Metatype { .. });
            let is_known_kind = body.ty(given).is_address() == wanted.is_address() && !is_metatype;
            if is_opened || !is_known_kind {
                return None;
            }
            let is_lent = convention == ParameterConvention::Guaranteed;
            let given = match is_lent && self.editor.ownership(given) == Ownership::Owned {
                true => match self.cast_where_opened(call, given, wanted) {
                    Some(cast) => return Some(cast),
                    None => self.borrow_for_call(call, given),
                },
                false => given,
            };
            // A reference of which only the type is known is cast where it is opened.
            let (place, at) = match self.editor.body().defining(given) {
                Some(opening) if given == concrete.value && !wanted.is_address() => (Place::After(opening), opening),
                _ => (Place::Before(call), call),
            };
            return Some(self.editor.build(place, at, |builder| builder.cast(opcode, given, wanted)));
        }
        match convention {
            In | InConstant | InCxx => Some(self.pass_copy(call, concrete.value, given)),
            _ => Some(concrete.value),
        }
    }

    /// Casts an owned value where it is opened, if only the call needs the opened type, so that the opening can be
    /// removed.
    fn cast_where_opened(&mut self, call: InstructionId, opened: Value, wanted: SilType) -> Option<Value> {
        let opening = self.editor.made_by(opened, Opcode::OpenExistentialRef)?;
        let others: Vec<Use> = self.editor.uses(opened).into_iter().filter(|found| found.user != call).collect();
        let takes_any = |found: &Use| {
            matches!(
                self.editor.opcode(found.user),
                Opcode::UncheckedRefCast | Opcode::DestroyValue | Opcode::DebugValue
            )
        };
        if !others.iter().all(takes_any) {
            return None;
        }
        let cast =
            self.editor.build(Place::After(opening), opening, |builder| builder.unchecked_ref_cast(opened, wanted));
        others.into_iter().for_each(|found| self.editor.set_operand(found, cast));
        Some(cast)
    }

    /// Copies the value at an address for a call that consumes it. The original operand `given` is destroyed after the
    /// call.
    fn pass_copy(&mut self, call: InstructionId, value: Value, given: Value) -> Value {
        let ty = self.editor.body().ty(value);
        self.breaks_nesting = true;
        let copy = self.editor.build(Place::Before(call), call, |builder| {
            let object = ty.object_type();
            let memory = builder.alloc_stack(object, None);
            let mut init = AttributeSet::default();
            init.insert(Attribute::Init);
            builder.with(init).copy_addr(value, memory);
            memory
        });
        self.after_call(call, |builder| {
            builder.destroy_addr(given);
            builder.dealloc_stack(copy);
        });
        copy
    }

    /// Returns whether the value in the memory of a copied existential is still alive at the call: it is only destroyed
    /// after it.
    fn is_still_there(&self, value: Value, call: InstructionId) -> bool {
        let body = self.editor.body();
        let put = self.editor.made_by(value, Opcode::InitExistentialAddr);
        let Some(memory) = put.map(|put| InitExistential::of(body, put).operand) else { return false };
        if !self.contents().is_on_stack(memory) {
            return false;
        }
        let dominators = Dominators::new(body, &ControlFlowGraph::new(body));
        self.editor.uses(memory).iter().all(|found| {
            let takes = || body.instructions[found.user].attributes.contains(Attribute::Take);
            let ends = match self.editor.opcode(found.user) {
                Opcode::DestroyAddr | Opcode::DeinitExistentialAddr => true,
                Opcode::CopyAddr => found.operand == 0 && takes(),
                _ => false,
            };
            !ends || dominators.instruction_dominates(body, call, found.user)
        })
    }
}

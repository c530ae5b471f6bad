//! Finds promotable captures: only closures that read the box keep it, and nothing writes to it after they are made.

use rustc_hash::FxHashMap;
use sil_analysis::{ApplyKind, ApplySite, ControlFlowGraph, Use, Uses, Worklist};
use sil_ir::context::{FunctionAttribute, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{AllocVariable, FunctionRef, MarkDependence};
use sil_ir::model::{Body, Function, FunctionFlag, InstructionId, Module, Serialization, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use super::{Promotion, is_variable};
use crate::knowledge::aggregate_parts::may_change;
use crate::messages::findings::{note_at, warning_at};
use crate::pass::settings::Settings;

/// The search in one function.
pub(super) struct Candidates<'c> {
    module: &'c Module,
    queries: &'c TypeQueries<'c>,
    function: &'c Function,
    body: &'c Body,
    settings: &'c Settings,
    uses: Uses,
}

/// The uses of one box.
#[derive(Default)]
struct BoxUses {
    /// The closures that capture it, with operand and argument.
    captures: Vec<(InstructionId, u32, usize)>,
    /// The instructions that write to it.
    mutations: Vec<InstructionId>,
}

/// An unknown use of the box.
struct Escape;

impl<'c> Candidates<'c> {
    pub(super) fn new(
        module: &'c Module,
        queries: &'c TypeQueries<'c>,
        function: &'c Function,
        body: &'c Body,
        settings: &'c Settings,
    ) -> Self {
        Self { module, queries, function, body, settings, uses: Uses::new(body) }
    }

    /// Returns the closures with promotable captures, in order, and warnings for variables that are mutated after
    /// concurrently executing code captured them.
    pub(super) fn all(&self) -> (Vec<Promotion>, Vec<Diagnostic>) {
        let body = self.body;
        let cfg = ControlFlowGraph::new(body);
        let mut found: FxHashMap<InstructionId, Vec<(u32, usize)>> = FxHashMap::default();
        let mut warnings = Vec::new();
        for id in body.placed_instructions() {
            let Some(boxed) = body.result(id).filter(|_| body.instructions[id].opcode == Opcode::AllocBox) else {
                continue;
            };
            let mut uses = BoxUses::default();
            if !is_variable(self.queries, body.ty(boxed).ty) || self.follow(boxed, &mut uses).is_err() {
                continue;
            }
            for (closure, operand, argument) in uses.captures {
                if !cfg.is_reachable(body.instructions[closure].block) {
                    continue;
                }
                // Swift reports the last mutation.
                match uses.mutations.iter().rev().find(|mutation| self.may_follow(closure, **mutation)) {
                    Some(mutation) if self.is_sendable(closure) => warnings.push(self.mutated(id, closure, *mutation)),
                    Some(_) => {}
                    None => found.entry(closure).or_default().push((operand, argument)),
                }
            }
        }
        let closures = body.placed_instructions().filter_map(|closure| {
            let mut captures = found.remove(&closure)?;
            captures.sort_unstable();
            Some(Promotion { closure, captures })
        });
        (closures.collect(), warnings)
    }

    /// Returns whether a closure may run concurrently with its function.
    fn is_sendable(&self, closure: InstructionId) -> bool {
        let ty = self.body.result(closure).map(|closure| self.body.ty(closure).ty);
        match ty.map(|ty| self.queries.get(ty)) {
            Some(Type::Function(function)) => function.attributes.contains(FunctionAttribute::Sendable),
            _ => false,
        }
    }

    /// Returns the warning for a mutation after such a capture (`diagnoseInvalidCaptureByConcurrentClosure`).
    fn mutated(&self, boxed: InstructionId, closure: InstructionId, mutation: InstructionId) -> Diagnostic {
        let body = self.body;
        let variable = AllocVariable::get(body, boxed).and_then(|view| view.variable);
        let name = variable.and_then(|variable| variable.name).map(|name| self.queries.context.text(name));
        let message = format!("'{}' mutated after capture by sendable closure", name.unwrap_or("<unknown>"));
        let warning = warning_at(body, mutation, "captured-variable", message);
        let warning = note_at(warning, body, boxed, "variable defined here");
        note_at(warning, body, closure, "variable captured by sendable closure")
    }

    /// Returns whether one instruction may execute after another.
    fn may_follow(&self, first: InstructionId, second: InstructionId) -> bool {
        let body = self.body;
        let (from, to) = (body.instructions[first].block, body.instructions[second].block);
        if from == to && body.instructions_up_to(second).any(|id| id == first) {
            return true;
        }
        let mut open = Worklist::new([from]);
        while let Some(block) = open.pop() {
            for target in body.terminator(block).map(|end| body.targets(end)).unwrap_or_default() {
                if *target == to {
                    return true;
                }
                open.push(*target);
            }
        }
        false
    }

    /// Follows a box, or a copy or a borrow of it.
    fn follow(&self, boxed: Value, into: &mut BoxUses) -> Result<(), Escape> {
        let body = self.body;
        for found in self.uses.of(boxed) {
            match body.instructions[found.user].opcode {
                Opcode::PartialApply => self.capture(*found, into)?,
                Opcode::MarkDependence if found.operand == 1 => self.dependence(found.user)?,
                Opcode::CopyValue | Opcode::MarkUninitialized | Opcode::BeginBorrow => {
                    if let Some(result) = body.result(found.user) {
                        self.follow(result, into)?;
                    }
                }
                Opcode::ProjectBox => {
                    if let Some(address) = body.result(found.user) {
                        self.follow_address(address, into)?;
                    }
                }
                Opcode::MarkFunctionEscape
                | Opcode::DestroyValue
                | Opcode::EndBorrow
                | Opcode::DeallocBox
                | Opcode::DebugValue => {}
                _ => return Err(Escape),
            }
        }
        Ok(())
    }

    /// Accepts a closure, or a value made from one, that depends on a box.
    fn dependence(&self, id: InstructionId) -> Result<(), Escape> {
        let body = self.body;
        let mut dependent = MarkDependence::of(body, id).value;
        while let Some(made) = body.defining(dependent) {
            match body.instructions[made].opcode {
                Opcode::MarkDependence => dependent = MarkDependence::of(body, made).value,
                Opcode::PartialApply => return Ok(()),
                _ => break,
            }
        }
        Err(Escape)
    }

    fn follow_address(&self, address: Value, into: &mut BoxUses) -> Result<(), Escape> {
        let body = self.body;
        for found in self.uses.of(address) {
            let user = found.user;
            let attributes = body.instructions[user].attributes;
            let mut is_mutation = false;
            match body.instructions[user].opcode {
                Opcode::MarkFunctionEscape
                | Opcode::LoadBorrow
                | Opcode::EndBorrow
                | Opcode::EndAccess
                | Opcode::DebugValue => {}
                Opcode::Load => is_mutation = attributes.contains(Attribute::Take),
                Opcode::StructElementAddr
                | Opcode::TupleElementAddr
                | Opcode::InitEnumDataAddr
                | Opcode::OpenExistentialAddr
                | Opcode::BeginAccess => {
                    if let Some(result) = body.result(user) {
                        self.follow_address(result, into)?;
                    }
                }
                Opcode::CopyAddr => is_mutation = found.operand == 1 || attributes.contains(Attribute::Take),
                Opcode::MarkUnresolvedMoveAddr => is_mutation = found.operand == 1,
                Opcode::Store | Opcode::Assign if found.operand == 1 => is_mutation = true,
                Opcode::Apply if self.is_indirect(*found) => is_mutation = true,
                _ => return Err(Escape),
            }
            if is_mutation {
                into.mutations.push(user);
            }
        }
        Ok(())
    }

    fn is_indirect(&self, found: Use) -> bool {
        let argument = || {
            let site = ApplySite::new(self.body, found.user)?;
            site.argument_of_operand(site.conventions(self.queries)?, found.operand as usize)
        };
        argument().is_some_and(|argument| match argument.convention {
            ArgumentConvention::Parameter(convention) => convention.is_indirect(),
            ArgumentConvention::Result(_) | ArgumentConvention::Error => true,
        })
    }

    /// Records the capture of the box by a closure, whose function must only read it.
    fn capture(&self, found: Use, into: &mut BoxUses) -> Result<(), Escape> {
        let argument = self.captured_as(found).ok_or(Escape)?;
        if into.captures.iter().any(|(closure, ..)| *closure == found.user) {
            return Err(Escape);
        }
        into.captures.push((found.user, found.operand, argument));
        Ok(())
    }

    /// Returns the argument of the closure's function for the box, if the function only reads it.
    fn captured_as(&self, found: Use) -> Option<usize> {
        let body = self.body;
        let closure = &body.instructions[found.user];
        let site = ApplySite::new(body, found.user).filter(|site| site.kind == ApplyKind::PartialApply)?;
        let name = FunctionRef::get(body, body.defining(site.callee()?)?)?.function;
        let callee = &self.module.functions[self.module.function_named(name)?];
        let inner = callee.body.as_ref()?;
        if closure.attributes.contains(Attribute::OnStack)
            || !callee.has(FunctionFlag::Ossa)
            || callee.has(FunctionFlag::DynamicallyReplaceable)
            || callee.has(FunctionFlag::GlobalInit)
        {
            return None;
        }
        let index = site.numbering(site.conventions(self.queries)?).sil_argument_of_operand(found.operand as usize)?;
        let argument = *inner.blocks.get(inner.entry())?.arguments.get(index)?;
        let field = self.queries.box_field_type(inner.ty(argument).ty, 0)?;
        let captured =
            self.queries.box_field_type(body.ty(*body.operands(found.user).get(found.operand as usize)?).ty, 0)?;
        let is_loadable = |ty, signature| {
            let properties = self.queries.properties(ty, signature);
            !properties.is_address_only() && !properties.is_guessed()
        };
        // Code that clients compile must not depend on the layout of resilient types.
        let is_inlinable = self.function.serialization != Serialization::None;
        if is_inlinable && may_change(self.queries, self.settings, captured) {
            return None;
        }
        let may_be_value = is_loadable(field, callee.signature) && is_loadable(captured, self.function.signature);
        (may_be_value && reads_only(inner, argument)).then_some(index)
    }
}

/// Returns whether a closure's function only reads the contents of a captured box.
fn reads_only(body: &Body, boxed: Value) -> bool {
    let uses = Uses::new(body);
    let is_load = |found: &Use| match body.instructions[found.user].opcode {
        Opcode::LoadBorrow => true,
        Opcode::Load => !body.instructions[found.user].attributes.contains(Attribute::Take),
        _ => false,
    };
    let results = |found: &Use| body.results(found.user).collect::<Vec<_>>();
    let reads_address = |address: Value| {
        uses.of(address).iter().all(|found| match body.instructions[found.user].opcode {
            Opcode::StructElementAddr => results(found).iter().all(|part| uses.of(*part).iter().all(is_load)),
            Opcode::DebugValue | Opcode::MarkFunctionEscape | Opcode::EndAccess => true,
            _ => is_load(found),
        })
    };
    let reads_projection = |address: Value| {
        uses.of(address).iter().all(|found| match body.instructions[found.user].opcode {
            Opcode::BeginAccess => results(found).into_iter().all(&reads_address),
            Opcode::StructElementAddr => results(found).iter().all(|part| uses.of(*part).iter().all(is_load)),
            Opcode::DebugValue | Opcode::MarkFunctionEscape => true,
            _ => is_load(found),
        })
    };
    uses.of(boxed).iter().all(|found| match body.instructions[found.user].opcode {
        Opcode::DestroyValue => true,
        Opcode::ProjectBox => results(found).into_iter().all(&reads_projection),
        _ => false,
    })
}

//! Finds the apply sites to specialise: the callee calls the closure that it is passed, or passes it to a function that
//! does.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, Uses};
use sil_ir::context::{Name, Parameter, ParameterConvention, SubstitutionMapId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Apply, MarkDependence, Unary};
use sil_ir::model::{BlockId, Body, Details, Function, FunctionFlag, FunctionId, InstructionId, Module, Value};
use sil_ir::symbols::Symbol;
use sil_ir::types::TypeQueries;

use super::{Closure, ClosureKind, is_noescape};
use crate::knowledge::dynamic_self::binds_dynamic_self;
use crate::knowledge::visibility::may_be_inlined_into;
use crate::pass::Environment;

/// The limit on the specialisation level of a closure's function, which prevents infinite specialisation.
const MOST_LEVELS: usize = 2;
/// The limit on functions that are searched for a call of a closure.
const MOST_FUNCTIONS: usize = 8;

/// A closure with the apply sites to specialise for it.
pub(super) struct Candidate<'m> {
    pub(super) closure: Closure<'m>,
    pub(super) sites: Vec<Site<'m>>,
    /// The users of the closure and of its conversions.
    pub(super) users: Vec<InstructionId>,
}

/// An apply site that passes a closure.
pub(super) struct Site<'m> {
    pub(super) call: InstructionId,
    pub(super) callee: FunctionId,
    pub(super) function: &'m Function,
    /// The argument index.
    pub(super) argument: usize,
    pub(super) parameter: Parameter,
    /// The passed value: the closure or a conversion of it.
    pub(super) passed: Value,
    /// The exit blocks of the callee, where the closure is released.
    pub(super) exits: Vec<BlockId>,
}

/// The closures of a function with their apply sites.
pub(super) fn candidates(environment: Environment<'_>) -> Vec<Candidate<'_>> {
    let uses = environment.analyses.uses(environment.body);
    let mut search = Search {
        environment,
        uses,
        visited: FxHashSet::default(),
        with_several: FxHashSet::default(),
        converting: FxHashSet::default(),
    };
    let mut found = Vec::new();
    for id in environment.body.placed_instructions() {
        if search.converting.contains(&id) {
            continue;
        }
        let Some(closure) = Closure::of(environment, environment.body, id) else { continue };
        match search.sites(closure) {
            Ok(candidate) => found.extend(candidate),
            // A function that depends on dynamic `Self` is not specialised.
            Err(Obstacle::DynamicSelf) => break,
        }
    }
    for candidate in &mut found {
        candidate.sites.retain(|site| !search.with_several.contains(&site.call));
    }
    found.retain(|candidate| !candidate.sites.is_empty());
    found
}

/// The reason to end the search.
enum Obstacle {
    DynamicSelf,
}

struct Search<'m> {
    environment: Environment<'m>,
    uses: &'m Uses,
    /// Apply sites that take a closure.
    visited: FxHashSet<InstructionId>,
    /// Apply sites that take several closures.
    with_several: FxHashSet<InstructionId>,
    /// Closures that only convert specialised closures.
    converting: FxHashSet<InstructionId>,
}

impl<'m> Search<'m> {
    fn sites(&mut self, closure: Closure<'m>) -> Result<Option<Candidate<'m>>, Obstacle> {
        let Environment { body, .. } = self.environment;
        let mut open: Vec<(InstructionId, u32)> = self.uses_of(closure.value);
        // The base of a `mark_dependence` is either passed or recreated.
        let mut bases: FxHashSet<Value> = closure.captured.iter().copied().collect();
        let mut sites = Vec::new();
        let mut is_converted = false;
        let mut next = 0;
        while let Some((user, operand)) = open.get(next).copied() {
            next += 1;
            let opcode = body.instructions[user].opcode;
            let value = body.operands(user)[operand as usize];
            match opcode {
                Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape => {
                    open.extend(self.uses_of_result(user));
                    bases.extend(body.result(user));
                }
                Opcode::PartialApply => {
                    if self.is_reabstraction(user) {
                        open.extend(self.uses_of_result(user));
                        bases.extend(body.result(user));
                        is_converted = true;
                    }
                }
                Opcode::MarkDependence => {
                    let MarkDependence { value: dependent, base, .. } = MarkDependence::of(body, user);
                    let queries = self.environment.queries;
                    if bases.contains(&base) && dependent == value && is_noescape(queries, body.ty(value).ty) {
                        open.extend(self.uses_of_result(user));
                        bases.extend(body.result(user));
                    }
                }
                _ => sites.extend(self.site(&closure, user, operand, is_converted)?),
            }
        }
        if sites.is_empty() {
            return Ok(None);
        }
        for site in &sites {
            self.mark_conversions(closure.value, site.passed);
        }
        let users = open.into_iter().map(|(user, _)| user).collect();
        Ok(Some(Candidate { closure, sites, users }))
    }

    /// The uses of a value, last one first.
    fn uses_of(&self, value: Value) -> Vec<(InstructionId, u32)> {
        self.uses.of(value).iter().rev().map(|found| (found.user, found.operand)).collect()
    }

    fn uses_of_result(&self, id: InstructionId) -> Vec<(InstructionId, u32)> {
        self.environment.body.result(id).map(|value| self.uses_of(value)).unwrap_or_default()
    }

    /// Returns whether a `partial_apply` of a reabstraction thunk captures a non-escaping closure, which it does not
    /// own.
    fn is_reabstraction(&self, id: InstructionId) -> bool {
        let Environment { queries, body, .. } = self.environment;
        let Some(thunk) = Closure::of(self.environment, body, id) else { return false };
        let [captured] = thunk.captured[..] else { return false };
        thunk.function.has(FunctionFlag::ReabstractionThunk) && is_noescape(queries, body.ty(captured).ty)
    }

    /// Returns the apply site that passes the closure, if it is worth specialising.
    fn site(
        &mut self,
        closure: &Closure<'m>,
        call: InstructionId,
        operand: u32,
        is_converted: bool,
    ) -> Result<Option<Site<'m>>, Obstacle> {
        let Environment { module, queries, function: caller, body, .. } = self.environment;
        if !matches!(body.instructions[call].opcode, Opcode::Apply | Opcode::TryApply) {
            return Ok(None);
        }
        let Details::Apply(apply) = &body.instructions[call].details else { return Ok(None) };
        if apply.substitutions != SubstitutionMapId::EMPTY {
            return Ok(None);
        }
        if !self.visited.insert(call) {
            self.with_several.insert(call);
            return Ok(None);
        }
        let name = ApplySite::new(body, call).and_then(ApplySite::called_function);
        let Some(callee) = name.and_then(|name| module.function_named(name)) else { return Ok(None) };
        let function = &module.functions[callee];
        let Some(callee_body) = function.body.as_ref() else { return Ok(None) };
        if function.has(FunctionFlag::OptimizeNone) || !may_be_inlined_into(function, caller) {
            return Ok(None);
        }
        if binds_dynamic_self(queries, function, callee_body) {
            return Err(Obstacle::DynamicSelf);
        }
        let Some(argument) = (operand as usize).checked_sub(1) else { return Ok(None) };
        let mut handled = vec![function.name];
        let passed = body.operands(call)[operand as usize];
        // With ownership, a conversion consumes its operand.
        let is_owned = function.has(FunctionFlag::Ossa) && passed != closure.value;
        if is_owned || !is_applied(module, function, argument, &mut handled) {
            return Ok(None);
        }
        let Some(conventions) = queries.conventions(function.ty) else { return Ok(None) };
        let parameter = conventions.parameter_of_argument(argument);
        let Some(parameter) = parameter.map(|parameter| conventions.function.parameters[parameter]) else {
            return Ok(None);
        };
        let is_trivial = is_noescape(queries, parameter.ty);
        // A closure without captures has stack memory as well.
        let is_thick = closure.kind == ClosureKind::Thick && !is_converted;
        if is_converted && !is_trivial || level(queries, closure.function) > MOST_LEVELS {
            return Ok(None);
        }
        let is_borrowed = is_trivial || matches!(parameter.convention, ParameterConvention::Guaranteed);
        let exits = if is_borrowed && !is_thick { exits(self.environment, callee_body) } else { Some(Vec::new()) };
        let Some(exits) = exits else { return Ok(None) };
        let is_pure = [FunctionFlag::ReadNone, FunctionFlag::ReadOnly, FunctionFlag::ReleaseNone];
        // Such a function may not release a closure.
        if !is_thick && is_pure.into_iter().any(|flag| function.has(flag)) {
            return Ok(None);
        }
        Ok(Some(Site { call, callee, function, argument, parameter, passed, exits }))
    }

    /// Marks the conversions from `closure` to the passed value.
    fn mark_conversions(&mut self, closure: Value, passed: Value) {
        let body = self.environment.body;
        let mut value = passed;
        while value != closure
            && let Some(id) = body.defining(value)
        {
            value = match body.instructions[id].opcode {
                Opcode::PartialApply => {
                    self.converting.insert(id);
                    Apply::of(body, id).arguments[0]
                }
                Opcode::MarkDependence => MarkDependence::of(body, id).value,
                _ => Unary::of(body, id).operand,
            };
        }
    }
}

/// Returns whether a function, or one of its callees, calls its argument `argument`.
fn is_applied(module: &Module, function: &Function, argument: usize, handled: &mut Vec<Name>) -> bool {
    let Some(body) = function.body.as_ref() else { return false };
    let Some(argument) = body.blocks[body.entry()].arguments.get(argument).copied() else { return false };
    let users: Vec<InstructionId> =
        body.placed_instructions().filter(|id| body.operands(*id).contains(&argument)).collect();
    for user in users {
        if !ApplyKind::of(body.instructions[user].opcode).is_some_and(ApplyKind::is_full) {
            continue;
        }
        let operands = body.operands(user);
        if operands.first() == Some(&argument) {
            return true;
        }
        let Some(name) = ApplySite::new(body, user).and_then(ApplySite::called_function) else { continue };
        if handled.contains(&name) || handled.len() > MOST_FUNCTIONS {
            continue;
        }
        handled.push(name);
        let Some(callee) = module.function_named(name).map(|id| &module.functions[id]) else { continue };
        let passed = operands.iter().skip(1).zip(0..).filter(|(operand, _)| **operand == argument);
        if passed
            .map(|(_, index)| index)
            .collect::<Vec<_>>()
            .into_iter()
            .any(|index| is_applied(module, callee, index, handled))
        {
            return true;
        }
    }
    false
}

/// The exit blocks of a body that do not terminate the program. `None` if they are not known.
fn exits(environment: Environment<'_>, body: &Body) -> Option<Vec<BlockId>> {
    let mut exits = Vec::new();
    for block in body.blocks.keys() {
        let end = body.terminator(block)?;
        match body.instructions[end].opcode {
            Opcode::Unreachable => {
                let before = body.previous(end)?;
                if body.instructions[before].opcode != Opcode::Apply {
                    return None;
                }
                if !ends_program(environment, body, before) {
                    exits.push(block);
                }
            }
            _ if body.targets(end).is_empty() => exits.push(block),
            _ => {}
        }
    }
    Some(exits)
}

fn ends_program(environment: Environment<'_>, body: &Body, call: InstructionId) -> bool {
    let module = environment.module;
    let name = ApplySite::new(body, call).and_then(ApplySite::called_function);
    let callee = name.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
    callee.is_some_and(|callee| callee.semantics(&module.context).any(|name| name == "programtermination_point"))
}

/// The nesting depth of closure specialisations in a function's symbol.
fn level(queries: &TypeQueries<'_>, function: &Function) -> usize {
    let symbol = Symbol::demangle(queries.context.text(function.name));
    symbol.map_or(0, |symbol| symbol.constant_function_depth())
}

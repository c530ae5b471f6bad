//! Infinite recursion: warns of recursive calls that are made on every path, or depend only on conditions that are
//! invariant across the calls (lib/SILOptimizer/Mandatory/DiagnoseInfiniteRecursion.cpp).
//!
//! Does not own: mutual recursion.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use sil_analysis::{ApplySite, callee_origin};
use sil_ir::context::{MemberId, Name, NominalId, ParameterConvention, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::ClassMethod;
use sil_ir::model::{BlockId, Body, Definition, Details, Function, FunctionFlag, InstructionId, Value};
use sil_ir::types::{ArgumentConvention, SilArgument};

use crate::messages::findings::warning_at;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const INFINITE_RECURSION: Pass = Pass::new(&Description {
    name: "diagnose-infinite-recursion",
    class_name: "DiagnoseInfiniteRecursion",
    summary: "Warns of functions that call themselves on every path.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(diagnose),
});

/// The `@_semantics` of functions that terminate the program on purpose.
const TERMINATION: &str = "programtermination_point";

/// Warns of the calls of a function.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    if body.blocks.is_empty() || function.has(FunctionFlag::Thunk) {
        return Ok(None);
    }
    let recursion = Recursion { environment };
    let calls: Vec<InstructionId> = environment
        .analyses
        .cfg(body)
        .reverse_post_order()
        .iter()
        .flat_map(|block| recursion.calls_in(*block))
        .collect();
    if calls.is_empty() {
        return Ok(None);
    }
    let mut diagnostics = Vec::new();
    let infinite = recursion.infinite(&calls);
    for call in calls.into_iter().filter(|call| infinite.contains(call)) {
        let message = "function call causes an infinite recursion";
        diagnostics.push(warning_at(body, call, "infinite-recursion", message));
    }
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

/// The values that are invariant across a recursive call.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Invariants {
    /// The indices of arguments that are passed on unchanged.
    arguments: Vec<u32>,
    has_same_types: bool,
}

struct Recursion<'m> {
    environment: Environment<'m>,
}

impl<'m> Recursion<'m> {
    fn body(&self) -> &'m Body {
        self.environment.body
    }

    fn calls_in(&self, block: BlockId) -> Vec<InstructionId> {
        self.body().instructions_in(block).filter(|id| self.is_recursive(*id)).collect()
    }

    /// Returns the `calls` from which every path leads to another one of them.
    fn infinite(&self, calls: &[InstructionId]) -> Vec<InstructionId> {
        let may_write = self.body().placed_instructions().any(|id| self.may_write(id));
        let mut kinds: Vec<Option<Invariants>> = vec![None];
        for call in calls {
            let invariants = Some(self.invariants(*call));
            if !kinds.contains(&invariants) {
                kinds.push(invariants);
            }
        }
        let mut infinite = Vec::new();
        for kind in kinds {
            let is_counted = |call: &&InstructionId| match &kind {
                None => true,
                Some(kind) => kind.is_part_of(&self.invariants(**call)),
            };
            let counted: Vec<InstructionId> = calls.iter().filter(is_counted).copied().collect();
            infinite.extend(self.infinite_of_kind(&counted, kind.as_ref(), may_write));
        }
        infinite
    }

    fn infinite_of_kind(
        &self,
        calls: &[InstructionId],
        invariants: Option<&Invariants>,
        may_write: bool,
    ) -> Vec<InstructionId> {
        let body = self.body();
        let mut first_call: FxHashMap<BlockId, InstructionId> = FxHashMap::default();
        for call in calls {
            first_call.entry(body.instructions[*call].block).or_insert(*call);
        }
        let cfg = self.environment.analyses.cfg(body);
        let is_invariant: FxHashMap<BlockId, bool> = cfg
            .reverse_post_order()
            .iter()
            .map(|block| {
                let end = body.terminator(*block);
                let known = invariants
                    .zip(end)
                    .is_some_and(|(invariants, end)| self.decides_the_same(end, invariants, may_write));
                (*block, known)
            })
            .collect();
        // The blocks from which the function may exit.
        let mut ends: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        loop {
            let mut changed = false;
            for block in cfg.reverse_post_order().iter().rev() {
                let targets = body.terminator(*block).map(|end| body.targets(end)).unwrap_or_default();
                let leads = |target: &BlockId| ends[*target];
                let value = !first_call.contains_key(block)
                    && (self.leaves(*block)
                        || if is_invariant[block] && targets.len() > 1 {
                            targets.iter().all(leads)
                        } else {
                            targets.iter().any(leads)
                        });
                changed |= std::mem::replace(&mut ends[*block], value) != value;
            }
            if !changed {
                break;
            }
        }
        let mut reached = Vec::new();
        let mut open = vec![body.entry()];
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        while let Some(block) = open.pop() {
            if ends[block] || std::mem::replace(&mut seen[block], true) {
                continue;
            }
            match first_call.get(&block) {
                Some(call) => reached.push(*call),
                None => open.extend(body.terminator(block).map(|end| body.targets(end)).unwrap_or_default()),
            }
        }
        reached
    }

    /// Returns whether the function exits in `block`, or the program terminates by a call that is not marked for that.
    fn leaves(&self, block: BlockId) -> bool {
        let body = self.body();
        let Some(end) = body.terminator(block) else { return false };
        if body.instructions[end].opcode != Opcode::Unreachable {
            return body.targets(end).is_empty();
        }
        let mut calls = body.instructions_in(block).filter(|id| ApplySite::new(body, *id).is_some());
        let last = calls.rfind(|id| body.instructions[*id].opcode == Opcode::Apply);
        last.is_some_and(|call| !self.called(call).is_some_and(|callee| self.terminates_program(callee)))
    }

    fn terminates_program(&self, callee: &Function) -> bool {
        let context = &self.environment.module.context;
        // A transparent function ends in a marked function.
        callee.semantics(context).any(|name| name == TERMINATION) || callee.has(FunctionFlag::Transparent)
    }

    fn called(&self, call: InstructionId) -> Option<&'m Function> {
        let name = ApplySite::new(self.body(), call)?.called_function()?;
        let module = self.environment.module;
        module.function_named(name).map(|id| &module.functions[id])
    }

    /// Returns whether an instruction calls its own function.
    fn is_recursive(&self, id: InstructionId) -> bool {
        let function = self.environment.function;
        let Some(site) = ApplySite::new(self.body(), id).filter(|site| site.kind.is_full()) else { return false };
        let called = site.called_function().or_else(|| self.dispatched(site.callee()?));
        called == Some(function.name) && !self.terminates_program(function)
    }

    /// Returns the function of a class method, if no subclass overrides it.
    fn dispatched(&self, callee: Value) -> Option<Name> {
        let Environment { module, queries, .. } = self.environment;
        let body = self.body();
        let id = body.defining(callee_origin(body, callee))?;
        if body.instructions[id].opcode != Opcode::ClassMethod {
            return None;
        }
        let ClassMethod { operand, method } = ClassMethod::of(body, id);
        let member = method.member;
        let mut ty = body.ty(operand).ty;
        if let Type::Metatype { instance, .. } = queries.get(ty) {
            ty = *instance;
        }
        if let Type::DynamicSelf(class) = queries.get(ty) {
            ty = *class;
        }
        let class = queries.as_nominal(ty)?.declaration;
        let entry = |class| {
            let table = module.vtables.iter().find(|table| table.class == class)?;
            let same = |found: MemberId| {
                let (found, member) = (queries.context.get_member(found), queries.context.get_member(member));
                found.name == member.name && found.kind == member.kind && found.overload == member.overload
            };
            let exact = table.entries.iter().find(|entry| entry.member == member);
            exact
                .or_else(|| table.entries.iter().find(|entry| same(entry.member)))
                .map(|entry| (entry.member, entry.function))
        };
        let (introduced, function) = entry(class)?;
        // A recursive call on `self` has been dispatched to this function already.
        let is_self = body.blocks[body.entry()].arguments.last() == Some(&self.origin(operand));
        let is_overridden = !is_self
            && module.vtables.iter().any(|table| {
                self.is_subclass(table.class, class)
                    && table.entries.iter().any(|entry| entry.member == introduced && entry.function != function)
            });
        (!is_overridden).then_some(function)
    }

    fn is_subclass(&self, class: NominalId, of: NominalId) -> bool {
        let queries = self.environment.queries;
        let mut current = Some(class);
        for _ in 0..NESTING {
            let Some(class) = current else { return false };
            let superclass = queries.declarations.get(class).superclass;
            current = superclass.and_then(|ty| queries.as_nominal(ty)).map(|nominal| nominal.declaration);
            if current == Some(of) {
                return true;
            }
        }
        false
    }

    /// Returns the invariants of a call.
    fn invariants(&self, call: InstructionId) -> Invariants {
        let body = self.body();
        let Some(site) = ApplySite::new(body, call) else { return Invariants::default() };
        let entry = &body.blocks[body.entry()].arguments;
        let arguments = (0..).zip(site.arguments().iter().zip(entry));
        let is_same = |value: Value, argument: Value| self.origin(value) == argument;
        let arguments =
            arguments.filter(|(_, (value, argument))| is_same(**value, **argument)).map(|(number, _)| number).collect();
        Invariants { arguments, has_same_types: self.has_same_types(call) }
    }

    fn has_same_types(&self, call: InstructionId) -> bool {
        let Details::Apply(apply) = &self.body().instructions[call].details else { return true };
        let context = &self.environment.module.context;
        let map = context.get_substitutions(apply.substitutions);
        let is_parameter = |number: usize, ty| {
            let own = self.environment.function.signature.map(|signature| context.get_signature(signature));
            let own = own.and_then(|own| own.parameters.get(number));
            match (own, self.environment.queries.get(ty)) {
                (Some(own), Type::GenericParameter { depth, index } | Type::NamedParameter { depth, index, .. }) => {
                    (own.depth, own.index) == (*depth, *index)
                }
                _ => false,
            }
        };
        map.replacements.iter().enumerate().all(|(number, ty)| is_parameter(number, *ty))
    }

    /// Returns the value, looking through copies, borrows and accesses.
    fn origin(&self, value: Value) -> Value {
        let body = self.body();
        let mut origin = value;
        while let Some(id) = body.defining(origin) {
            match body.instructions[id].opcode {
                Opcode::CopyValue
                | Opcode::BeginBorrow
                | Opcode::BeginAccess
                | Opcode::MoveValue
                | Opcode::MarkUnresolvedNonCopyableValue => origin = body.operands(id)[0],
                _ => break,
            }
        }
        origin
    }

    /// Returns whether a terminator decides by an invariant condition.
    fn decides_the_same(&self, end: InstructionId, invariants: &Invariants, may_write: bool) -> bool {
        use Opcode::{CheckedCastAddrBr, CheckedCastBr, CondBr, SwitchEnum, SwitchEnumAddr, SwitchValue};
        let body = self.body();
        let may_decide = match body.instructions[end].opcode {
            CondBr | SwitchValue | SwitchEnum | CheckedCastBr => true,
            SwitchEnumAddr | CheckedCastAddrBr => !may_write,
            _ => false,
        };
        let decisive = body.operands(end).first().filter(|_| may_decide);
        decisive.is_some_and(|value| self.is_invariant(*value, invariants, may_write, body.instructions.len()))
    }

    fn has_invariant_operands(
        &self,
        id: InstructionId,
        invariants: &Invariants,
        may_write: bool,
        depth: usize,
    ) -> bool {
        let operands = self.body().operands(id);
        operands.iter().all(|value| self.is_invariant(*value, invariants, may_write, depth))
    }

    /// Returns whether a value is the same in a call with these invariants.
    fn is_invariant(&self, value: Value, invariants: &Invariants, may_write: bool, depth: usize) -> bool {
        let body = self.body();
        let Some(depth) = depth.checked_sub(1) else { return false };
        match body.values[value].definition {
            Definition::Argument { block, index } => block == body.entry() && invariants.arguments.contains(&index),
            Definition::Undef => true,
            Definition::Result { instruction, .. } => {
                let is_known = match body.instructions[instruction].opcode {
                    Opcode::Load | Opcode::LoadBorrow => !may_write,
                    Opcode::Apply => self.is_plain_call(instruction) && invariants.has_same_types,
                    Opcode::Metatype | Opcode::Builtin => invariants.has_same_types,
                    Opcode::AllocStack | Opcode::AllocBox | Opcode::AllocRef | Opcode::PartialApply => false,
                    _ => true,
                };
                is_known && self.has_invariant_operands(instruction, invariants, may_write, depth)
            }
        }
    }

    /// Returns whether a call is of a function that is inlined, such as the operators of numbers.
    fn is_plain_call(&self, call: InstructionId) -> bool {
        self.called(call).is_some_and(|callee| callee.has(FunctionFlag::Transparent))
    }

    fn changes_arguments(&self, call: InstructionId) -> bool {
        let conventions = ApplySite::new(self.body(), call).and_then(|site| site.conventions(self.environment.queries));
        let is_inout =
            |found: SilArgument| found.convention == ArgumentConvention::Parameter(ParameterConvention::InOut);
        conventions.is_none_or(|conventions| conventions.arguments().any(is_inout))
    }

    fn may_write(&self, id: InstructionId) -> bool {
        match self.body().instructions[id].opcode {
            Opcode::Store | Opcode::CopyAddr | Opcode::Assign | Opcode::EndApply => true,
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => {
                !self.is_recursive(id) && (!self.is_plain_call(id) || self.changes_arguments(id))
            }
            _ => false,
        }
    }
}

/// The maximum number of superclasses that are followed.
const NESTING: usize = 1000;

impl Invariants {
    fn is_part_of(&self, other: &Invariants) -> bool {
        (!self.has_same_types || other.has_same_types)
            && self.arguments.iter().all(|argument| other.arguments.contains(argument))
    }
}

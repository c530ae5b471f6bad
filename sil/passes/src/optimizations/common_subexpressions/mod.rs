//! Common subexpression elimination. Follows lib/SILOptimizer/Transforms/CSE.cpp.
//!
//! Owns: the equality of instructions, and the choice of the dominating one.

mod lazy_getters;

use std::hash::BuildHasher;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use sil_analysis::{ApplySite, Change, ControlFlowGraph, Dominators, Effect, FunctionEffects, Use, opening};
use sil_ir::context::{ResultConvention, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{MemoryBehavior, Opcode, OperandUse};
use sil_ir::model::views;
use sil_ir::model::{BlockId, Details, Function, FunctionFlag, InstructionId, Ownership, Value};
use sil_ir::types::ArgumentConvention;

use crate::editing::cloning::rename_openings;
use crate::editing::deleter::{Deadness, is_dead};
use crate::editing::editor::Editor;
use crate::editing::identities;
use crate::editing::ownership_replacement::{self, BorrowedCopies};
use crate::editing::unneeded_conversions::destroy_uncast;
use crate::knowledge::array_semantics::{ArrayFunction, Semantics};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const COMMON_SUBEXPRESSION_ELIMINATION: Pass = Pass::new(&Description {
    name: "cse",
    class_name: "CSE",
    summary: "Eliminates common subexpressions.",
    gates: Gates::OPEN,
    runner: Runner::Function(eliminate),
});

pub(crate) const HIGH_LEVEL_COMMON_SUBEXPRESSION_ELIMINATION: Pass = Pass::new(&Description {
    name: "high-level-cse",
    class_name: "HighLevelCSE",
    summary: "Eliminates common subexpressions while calls with known semantics are not inlined.",
    gates: Gates::OPEN,
    runner: Runner::Function(eliminate_high_level),
});

/// Replaces redundant instructions with dominating equal ones.
pub(crate) fn eliminate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    in_function(environment, Semantics::Inlined)
}

/// Eliminates common subexpressions while array semantics calls are not inlined. Calls that only query an array are
/// eliminated, other calls are not.
pub(crate) fn eliminate_high_level(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    in_function(environment, Semantics::Called)
}

fn in_function(environment: Environment<'_>, semantics: Semantics) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let cfg = environment.analyses.cfg(environment.body);
    let mut elimination = Elimination {
        dominators: Dominators::new(environment.body, cfg),
        editor: Editor::new(environment),
        semantics,
        available: FxHashMap::default(),
        getters: Vec::new(),
    };
    elimination.run(cfg);
    elimination.look_up_once();
    let Elimination { editor, getters, .. } = elimination;
    let rewrite = editor.finish();
    if getters.is_empty() {
        return Ok(rewrite);
    }
    let whole = || Rewrite::new(environment.function, environment.body.clone(), Change::Blocks);
    let rewrite = rewrite.unwrap_or_else(whole);
    let body = lazy_getters::inline(environment, rewrite.body, &getters)?;
    Ok(Some(Rewrite { body, change: Change::Blocks, ..rewrite }))
}

/// The hash key of an instruction. Equal instructions have equal keys.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    opcode: Opcode,
    operands: Vec<Value>,
    /// A hash of the details.
    details: u64,
}

struct Elimination<'m> {
    editor: Editor<'m>,
    /// The dominator tree of the original body, which stays valid.
    dominators: Dominators,
    semantics: Semantics,
    /// The available instructions, in the order of the traversal.
    available: FxHashMap<Key, Vec<InstructionId>>,
    /// Redundant calls of lazy property getters.
    getters: Vec<InstructionId>,
}

/// An opened existential whose only use is one call of a method.
#[derive(Clone, Copy)]
struct Opened {
    value: Value,
    method: InstructionId,
    call: InstructionId,
}

impl Opened {
    /// Returns `None` if the opened existential has other uses.
    fn of(elimination: &Elimination<'_>, open: InstructionId) -> Option<Self> {
        let editor = &elimination.editor;
        let value = editor.body().result(open)?;
        let (mut method, mut call) = (None, None);
        for Use { user, .. } in editor.uses_but_debug(value) {
            match editor.opcode(user) {
                Opcode::WitnessMethod if method.is_none() => method = Some(user),
                Opcode::Apply if call.is_none() => call = Some(user),
                _ => return None,
            }
        }
        let (method, call) = (method?, call?);
        let is_called = editor.operand(call, 0) == editor.body().result(method);
        is_called.then_some(Self { value, method, call })
    }
}

impl Elimination<'_> {
    fn run(&mut self, cfg: &ControlFlowGraph) {
        let mut dominated: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        for block in cfg.reverse_post_order() {
            if let Some(by) = self.dominators.immediate_dominator(*block) {
                dominated[by].push(*block);
            }
        }
        let mut open = vec![self.editor.body().entry()];
        while let Some(block) = open.pop() {
            let all: Vec<InstructionId> = self.editor.body().instructions_in(block).collect();
            for id in all {
                if self.editor.is_placed(id) {
                    self.visit(id);
                }
            }
            open.extend(dominated[block].iter().rev());
        }
    }

    /// If an existential argument is opened several times, each time for one method call, looks up the witness method
    /// once.
    fn look_up_once(&mut self) {
        let Environment { queries, function, .. } = self.editor.environment;
        let body = self.editor.body();
        let Some(conventions) = queries.conventions(function.ty) else { return };
        let arguments = body.blocks[body.entry()].arguments.clone();
        let mut pairs = Vec::new();
        for (argument, convention) in arguments.into_iter().zip(conventions.arguments()) {
            use sil_ir::context::ParameterConvention::{In, InGuaranteed};
            if !matches!(convention.convention, ArgumentConvention::Parameter(In | InGuaranteed)) {
                continue;
            }
            let users: Vec<InstructionId> =
                self.editor.uses_but_debug(argument).into_iter().map(|found| found.user).collect();
            let opens = |id: &InstructionId| self.editor.opcode(*id) == Opcode::OpenExistentialAddr;
            let is_known = |id: &InstructionId| {
                opens(id) || matches!(self.editor.opcode(*id), Opcode::DestroyAddr | Opcode::WitnessMethod)
            };
            if !users.iter().all(is_known) {
                continue;
            }
            let opened: Vec<InstructionId> = users.into_iter().filter(opens).collect();
            for id in &opened {
                let dominates = |other: &&InstructionId| {
                    *other != id && self.dominators.instruction_dominates(self.editor.body(), **other, *id)
                };
                let first = opened.iter().filter(dominates).min_by_key(|other| self.dominating(&opened, **other));
                pairs.extend(first.and_then(|first| Some((Opened::of(self, *id)?, Opened::of(self, *first)?))));
            }
        }
        for (opened, earlier) in pairs {
            let _ = self.call_looked_up(opened, earlier);
        }
    }

    /// The number of instructions that dominate `id`.
    fn dominating(&self, all: &[InstructionId], id: InstructionId) -> usize {
        let dominates = |other: &&InstructionId| {
            **other != id && self.dominators.instruction_dominates(self.editor.body(), **other, id)
        };
        all.iter().filter(dominates).count()
    }

    /// Replaces the callee of a method call with the witness method of an earlier opening of the same existential.
    fn call_looked_up(&mut self, opened: Opened, earlier: Opened) -> Option<()> {
        let body = self.editor.body();
        let member = |id| views::WitnessMethod::of(body, id).method.member;
        let apply = views::Apply::of(body, earlier.call).apply;
        let is_alone = self.editor.environment.queries.context.replacements(apply.substitutions).len() == 1;
        let is_before = self.dominators.instruction_dominates(body, earlier.method, opened.method);
        if member(opened.method) != member(earlier.method) || !is_alone || !is_before {
            return None;
        }
        let callee = body.result(earlier.method)?;
        self.editor.set_details(opened.call, Details::Apply(Box::new(apply.clone())));
        self.editor.set_operand(Use { user: opened.call, operand: 0 }, callee);
        for found in self.editor.uses(opened.value).into_iter().filter(|found| found.user == opened.call) {
            self.editor.set_operand(found, earlier.value);
        }
        Some(())
    }

    /// Replaces an opened existential with an earlier opening of the same value.
    fn reopen(&mut self, id: InstructionId, earlier: InstructionId) -> Option<()> {
        let queries = self.editor.environment.queries;
        let body = self.editor.body();
        let ((old, _), (new, _)) = (opening(queries, body, id)?, opening(queries, body, earlier)?);
        let (value, by) = (body.result(id)?, body.result(earlier)?);
        self.editor.edit_whole(Change::Instructions, |body| {
            rename_openings(queries, body, FxHashMap::from_iter([(old, new)]));
        });
        self.editor.replace_all(value, by);
        self.editor.erase(id);
        Some(())
    }

    fn visit(&mut self, id: InstructionId) {
        if is_dead(&self.editor, id, Deadness::Unused) {
            self.editor.erase_with_debug_uses(id);
        } else if !destroy_uncast(&mut self.editor, id) && !self.replace_by_same(id) && self.can_be_shared(id) {
            let key = self.key(id);
            let dominates = |earlier: InstructionId| {
                let [before, block] = [earlier, id].map(|id| self.editor.body().instructions[id].block);
                self.dominators.dominates(before, block)
            };
            // The traversal is depth-first in the dominator tree, so an instruction that does not dominate this block
            // does not dominate later ones.
            if let Some(known) = self.available.get_mut(&key) {
                while known.pop_if(|earlier| !dominates(*earlier)).is_some() {}
            }
            let mut known = self.available.get(&key).into_iter().flatten().copied();
            let earlier = known.find(|earlier| self.gives_the_same(*earlier, id));
            match earlier {
                Some(earlier) if self.replace(id, earlier) => {}
                _ => self.available.entry(key).or_default().push(id),
            }
        }
    }

    /// Replaces the result of an instruction with an equal existing value. Returns whether there is one.
    fn replace_by_same(&mut self, id: InstructionId) -> bool {
        let result = self.editor.body().result(id);
        let same = identities::same_as(&self.editor, id).filter(|same| result != Some(*same));
        same.is_some_and(|same| ownership_replacement::replace(&mut self.editor, id, same, BorrowedCopies::Allowed))
    }

    /// The key of an instruction, with copies and borrows looked through.
    fn key(&self, id: InstructionId) -> Key {
        let body = self.editor.body();
        let opcode = self.editor.opcode(id);
        let operands = self.originals(id, body.operands(id).to_vec());
        let details = match (opcode, &body.instructions[id].details) {
            (Opcode::IntegerLiteral, Details::Integer(value)) => {
                FxBuildHasher.hash_one((value, body.result(id).map(|result| body.ty(result).ty)))
            }
            (_, Details::Float(bits)) => FxBuildHasher.hash_one(bits),
            (_, Details::String(literal)) => FxBuildHasher.hash_one(&literal.bytes),
            (_, Details::Method(method)) => FxBuildHasher.hash_one(method.member),
            (_, Details::Function(name) | Details::Global(name, _)) => FxBuildHasher.hash_one(name),
            (_, Details::Member(member)) => FxBuildHasher.hash_one(member),
            (_, Details::Index(index)) => u64::from(*index),
            (_, Details::Builtin(builtin)) => FxBuildHasher.hash_one(builtin.name()),
            _ => 0,
        };
        Key { opcode, operands, details }
    }

    /// Looks through copies and borrows of operands if the identity of the copy does not matter: projections and
    /// methods of an object are the same for all its copies.
    fn originals(&self, id: InstructionId, operands: Vec<Value>) -> Vec<Value> {
        if !self.editor.has_ownership() || matches!(self.editor.opcode(id), Opcode::ClassMethod | Opcode::SuperMethod) {
            return operands;
        }
        let result = self.editor.body().result(id);
        if result.is_some_and(|result| self.editor.ownership(result) == Ownership::Unowned) {
            return operands;
        }
        let information = self.editor.opcode(id).information();
        let escapes = |index: usize| information.operand_use(index) == OperandUse::Escape;
        let operands = operands.into_iter().enumerate();
        operands.map(|(index, operand)| if escapes(index) { operand } else { self.original(operand) }).collect()
    }

    fn original(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(id) = self.editor.body().defining(value) {
            match self.editor.opcode(id) {
                Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue => {
                    value = self.editor.body().operands(id)[0];
                }
                _ => break,
            }
        }
        value
    }

    /// Returns whether two instructions with equal keys have the same result.
    fn gives_the_same(&self, one: InstructionId, other: InstructionId) -> bool {
        let body = self.editor.body();
        let [first, second] = [one, other].map(|id| &body.instructions[id]);
        let types = |id| body.results(id).map(|result| body.ty(result)).collect::<Vec<_>>();
        if first.opcode == Opcode::OpenExistentialRef {
            let queries = self.editor.environment.queries;
            let existential = |id| match queries.get(body.ty(body.result(id)?).ty) {
                Type::OpenedArchetype { existential, interface, .. } => Some((*existential, *interface)),
                _ => None,
            };
            return existential(one).is_some() && existential(one) == existential(other);
        }
        // The message of a redundant check is never reported.
        let has_same_message = first.opcode == Opcode::CondFail || first.details == second.details;
        has_same_message
            && first.attributes == second.attributes
            && body.types(one) == body.types(other)
            && types(one) == types(other)
    }

    /// Replaces the results of `id` with those of `earlier`. Returns whether that is possible.
    fn replace(&mut self, id: InstructionId, earlier: InstructionId) -> bool {
        if self.editor.opcode(id) == Opcode::OpenExistentialRef {
            return self.reopen(id, earlier).is_some();
        }
        if self.is_lazy_getter(id) {
            self.getters.push(id);
            return true;
        }
        let results: Vec<(Value, Value)> =
            self.editor.body().results(id).zip(self.editor.body().results(earlier)).collect();
        match results[..] {
            [(_, known)] => ownership_replacement::replace(&mut self.editor, id, known, BorrowedCopies::Avoided),
            _ if !results.is_empty() && self.editor.has_ownership() => false,
            _ => {
                results.into_iter().for_each(|(old, new)| self.editor.replace_all(old, new));
                self.editor.erase(id);
                true
            }
        }
    }

    /// Returns whether an instruction has the same result each time it runs.
    fn can_be_shared(&self, id: InstructionId) -> bool {
        use Opcode::*;
        match self.editor.opcode(id) {
            Apply => self.is_pure_call(id) || self.is_lazy_getter(id),
            OpenExistentialRef => !self.editor.has_ownership(),
            Builtin => match self.builtin(id) {
                Some(BuiltinKind::Named(NamedBuiltin::OnFastPath)) => false,
                Some(BuiltinKind::Named(NamedBuiltin::Once | NamedBuiltin::OnceWithContext)) => true,
                _ => self.editor.memory_behavior(id) == MemoryBehavior::None,
            },
            ExistentialMetatype => {
                self.editor.operand(id, 0).is_some_and(|operand| !self.editor.body().ty(operand).is_address())
            }
            ClassMethod
            | SuperMethod
            | FunctionRef
            | GlobalAddr
            | IntegerLiteral
            | FloatLiteral
            | StringLiteral
            | Struct
            | StructExtract
            | StructElementAddr
            | Tuple
            | TupleExtract
            | TupleElementAddr
            | Metatype
            | ValueMetatype
            | RefElementAddr
            | RefTailAddr
            | ProjectBox
            | IndexRawPointer
            | IndexAddr
            | PointerToAddress
            | AddressToPointer
            | CondFail
            | Enum
            | UncheckedEnumData
            | UncheckedTrivialBitCast
            | UncheckedBitwiseCast
            | RefToRawPointer
            | RawPointerToRef
            | Upcast
            | ThickToObjcMetatype
            | ObjcToThickMetatype
            | UncheckedRefCast
            | UncheckedAddrCast
            | ObjcMetatypeToObject
            | ObjcExistentialMetatypeToObject
            | SelectEnum
            | RefToBridgeObject
            | BridgeObjectToRef
            | BridgeObjectToWord
            | ClassifyBridgeObject
            | ValueToBridgeObject
            | MarkDependence
            | InitExistentialMetatype
            | WitnessMethod
            | ScalarPackIndex
            | DynamicPackIndex
            | TuplePackElementAddr
            | TypeValue
            | RefToUnmanaged
            | RefToUnowned
            | UnownedToRef
            | UnmanagedToRef => true,
            _ => false,
        }
    }

    fn is_lazy_getter(&self, id: InstructionId) -> bool {
        self.editor.opcode(id) == Opcode::Apply
            && self.semantics == Semantics::Inlined
            && !self.is_pure_call(id)
            && lazy_getters::called(self.editor.environment, self.editor.body(), id).is_some()
    }

    fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.editor.body().instructions[id].details else { return None };
        builtin.kind()
    }

    /// Returns whether a call has no side effects and always returns the same result. Without ownership, the result
    /// must not need a release.
    fn is_pure_call(&self, id: InstructionId) -> bool {
        let Environment { module, queries, .. } = self.editor.environment;
        let body = self.editor.body();
        let callee = views::Apply::of(body, id).callee;
        let gives_values = queries.conventions(body.ty(callee).ty).is_some_and(|conventions| {
            let mut results = conventions.function.results.iter();
            results.all(|result| result.convention == ResultConvention::Unowned)
        });
        if !self.editor.has_ownership() && !gives_values {
            return false;
        }
        if self.semantics == Semantics::Called {
            return self.editor.memory_behavior(id) == MemoryBehavior::None || self.asks_array(id);
        }
        let called = ApplySite::new(body, id).and_then(ApplySite::called_function);
        let called = called.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
        self.editor.memory_behavior(id) == MemoryBehavior::None
            || called.is_some_and(|called| called.has(FunctionFlag::GlobalInit) || self.does_nothing(called))
    }

    /// Returns whether a call queries a property of a borrowed array that does not change while the array does not.
    fn asks_array(&self, id: InstructionId) -> bool {
        use ArrayFunction::{Capacity, Count, IndexCheck, SubscriptCheck};
        let Environment { module, queries, .. } = self.editor.environment;
        let body = self.editor.body();
        let function = ArrayFunction::of_call(module, body, id);
        let asks = matches!(function, Some(Count | Capacity | SubscriptCheck | IndexCheck));
        let conventions = queries.conventions(body.ty(views::Apply::of(body, id).callee).ty);
        let borrows = conventions.and_then(|conventions| {
            let array = conventions.argument(conventions.argument_of_parameter(conventions.self_parameter()?))?;
            Some(array.convention.is_guaranteed() && !array.ty.is_address())
        });
        asks && borrows == Some(true)
    }

    /// Returns whether a function has no effects other than retains of its result.
    fn does_nothing(&self, called: &Function) -> bool {
        let Environment { module, queries, .. } = self.editor.environment;
        let effects = FunctionEffects::of(&module.context, called, queries.conventions(called.ty)).all();
        let is_done = [Effect::Allocate, Effect::Destroy].into_iter().any(|effect| effects.contains(effect));
        !is_done && effects.memory() == MemoryBehavior::None
    }
}

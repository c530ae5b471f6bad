//! Static initialisation of globals: a constant initial value is stored in the global itself, without an initialiser at
//! run time (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/InitializeStaticGlobals.swift, and `once` in
//! InstructionSimplification/SimplifyBuiltin.swift).
//!
//! Owns: the decision which initialisers are constant. Runs after mandatory inlining. `element_stores` merges the
//! stores of all fields, `inline_arrays` makes constants of inline arrays. Does not own: other arrays, strings and
//! closures, which are initialised at run time.

mod element_stores;
mod inline_arrays;

use rustc_hash::FxHashSet;
use sil_analysis::{Change, InstructionEffects, Uses};
use sil_ir::context::Name;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinCast, BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::views::{self, GlobalAddr, GlobalUse, Store};
use sil_ir::model::{Body, Details, Function, FunctionFlag, FunctionId, GlobalId, InstructionId, Module, Value};
use sil_ir::types::{ConformanceTable, TypeQueries};

use crate::editing::initial_values::InitialValueMaker;
use crate::editing::unused::remove_unused;
use crate::pass::settings::Settings;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const STATIC_GLOBAL_INITIALIZATION: Pass = Pass::new(&Description {
    name: "initialize-static-globals",
    class_name: "InitializeStaticGlobals",
    summary: "Replaces initialisers of globals by static initial values.",
    gates: Gates::OPEN,
    runner: Runner::ProgramOrFunction(|module, _, settings| initialize(module, settings), initialize_by),
});

/// Sets the constant initial values of globals, and removes calls of initialisers without remaining effects.
pub(crate) fn initialize(module: &mut Module, _: &Settings) -> Vec<Diagnostic> {
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    let mut idle = Vec::new();
    for id in functions {
        let function = &module.functions[id];
        let made = function.body.as_ref().and_then(|body| initialized(module, function, body));
        let Some(Initialized { body, value }) = made else { continue };
        module.functions[id].body = Some(body);
        if let Some((global, value)) = value {
            module.globals[global].initializer = Some(Box::new(value));
            idle.push(module.functions[id].name);
        }
    }
    if !idle.is_empty() {
        remove_calls(module, &idle);
    }
    Vec::new()
}

/// Sets the constant initial value of the global of an initialiser.
pub(crate) fn initialize_by(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, function, body, .. } = environment;
    Ok(initialized(module, function, body).map(|Initialized { body, value }| Rewrite {
        initial_values: value.into_iter().collect(),
        ..Rewrite::new(function, body, Change::Instructions)
    }))
}

/// A rewritten initialiser.
struct Initialized {
    body: Body,
    /// The initial value of a global, if the initialiser need not store it.
    value: Option<(GlobalId, Body)>,
}

fn initialized(module: &Module, function: &Function, body: &Body) -> Option<Initialized> {
    if !is_initializer(function) {
        return None;
    }
    let merged = element_stores::merge(module, function, body);
    let own = merged.as_ref().unwrap_or(body);
    // Such arrays can only be made in the global's initial value.
    let with_arrays = inline_arrays::lower(module, own);
    let constant = with_arrays.as_ref().unwrap_or(own);
    let initialization = Initialization::of(module, constant);
    let found = initialization.and_then(|initialization| initialization.separate(constant));
    found.or_else(|| merged.map(|body| Initialized { body, value: None }))
}

/// The single effect of an initialiser.
struct Initialization {
    global: GlobalId,
    /// The instructions of the value, in order.
    constants: Vec<InstructionId>,
    alloc: InstructionId,
    store: InstructionId,
}

impl Initialization {
    /// Returns the initialisation; `None` if a function does more than store a constant to a global.
    fn of(module: &Module, body: &Body) -> Option<Self> {
        if body.blocks.len() != 1 {
            return None;
        }
        let (mut alloc, mut store) = (None, None);
        let end = body.terminator(body.entry())?;
        for id in body.instructions_in(body.entry()).filter(|id| *id != end) {
            match body.instructions[id].opcode {
                Opcode::AllocGlobal if alloc.is_none() => alloc = Some(id),
                Opcode::Store if store.is_none() => store = Some(id),
                // The metatype of an inlined initialiser remains.
                Opcode::GlobalAddr
                | Opcode::DebugStep
                | Opcode::Metatype
                | Opcode::BeginAccess
                | Opcode::EndAccess
                | Opcode::Vector => {}
                _ if is_constant(body, id) => {}
                _ => return None,
            }
        }
        let (alloc, store) = (alloc?, store?);
        let allocated = GlobalUse::of(body, alloc).global;
        let Store { source, destination } = Store::of(body, store);
        let stored = GlobalAddr::get(body, body.defining(destination)?)?.global;
        let global = module.global_named(allocated.name)?;
        let declaration = &module.globals[global];
        let can_hold = !declaration.linkage.is_external() && declaration.initializer.is_none();
        let mut constants = Vec::new();
        Collector { body, global: allocated.name, seen: FxHashSet::default(), constants: &mut constants }
            .collect(source)?;
        (can_hold && stored.name == allocated.name && !constants.is_empty()).then_some(Self {
            global,
            constants,
            alloc,
            store,
        })
    }

    /// Returns the initialiser without its store, and the initial value.
    fn separate(self, body: &Body) -> Option<Initialized> {
        let Store { source, destination } = Store::of(body, self.store);
        let mut value = InitialValueMaker::new(body);
        value.value(source)?;
        let value = value.finish();
        let mut body = body.clone();
        body.erase(self.store);
        body.erase(self.alloc);
        remove_unused(&mut body, vec![destination]);
        let uses = Uses::new(&body);
        let mut gone: FxHashSet<InstructionId> = FxHashSet::default();
        for id in self.constants.iter().rev() {
            let is_unused = |value| uses.of(value).iter().all(|found| gone.contains(&found.user));
            if body.results(*id).all(is_unused) {
                body.erase(*id);
                gone.insert(*id);
            }
        }
        Some(Initialized { body, value: Some((self.global, value)) })
    }
}

/// Returns whether a function is a lazy initialiser of a global.
fn is_initializer(function: &Function) -> bool {
    function.has(FunctionFlag::GlobalInitOnce)
}

/// Returns whether an instruction makes a constant from constant operands.
fn is_constant(body: &Body, id: InstructionId) -> bool {
    use Opcode::*;
    match body.instructions[id].opcode {
        IntegerLiteral | FloatLiteral | Struct | Tuple | Enum => true,
        AddressToPointer => true,
        Builtin => {
            let Details::Builtin(builtin) = &body.instructions[id].details else { return false };
            let kind = builtin.kind();
            let operand = body.operands(id).first().and_then(|operand| body.defining(*operand));
            let is_literal = operand.is_some_and(|operand| body.instructions[operand].opcode == IntegerLiteral);
            kind == Some(BuiltinKind::Cast(BuiltinCast::IntToPtr)) && is_literal
        }
        _ => false,
    }
}

/// Collects the instructions of a constant, each after its operands.
struct Collector<'c> {
    body: &'c Body,
    /// The initialised global, whose own address is not constant yet.
    global: Name,
    seen: FxHashSet<InstructionId>,
    constants: &'c mut Vec<InstructionId>,
}

impl Collector<'_> {
    /// Collects `value`; `None` if it is not constant.
    fn collect(&mut self, value: Value) -> Option<()> {
        let id = self.body.defining(value)?;
        let opcode = self.body.instructions[id].opcode;
        let is_other_global = || GlobalAddr::get(self.body, id).is_some_and(|found| found.global.name != self.global);
        let may_be = match opcode {
            // An access to another global ends at its address.
            Opcode::BeginAccess => return self.collect(self.body.operands(id)[0]),
            Opcode::GlobalAddr => is_other_global(),
            Opcode::Vector => true,
            _ => is_constant(self.body, id),
        };
        if !may_be {
            return None;
        }
        if self.seen.insert(id) {
            for operand in self.body.operands(id) {
                self.collect(*operand)?;
            }
            self.constants.push(id);
        }
        Some(())
    }
}

/// Removes the calls of initialisers without remaining effects.
fn remove_calls(module: &mut Module, initialized: &[Name]) {
    let idle: FxHashSet<Name> = {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = TypeQueries::of(module, &conformances);
        let does_nothing = |name: &Name| {
            let function = module.function_named(*name).map(|id| &module.functions[id]);
            let body = function.and_then(|function| function.body.as_ref());
            let effects = InstructionEffects::new(module, &queries);
            body.is_some_and(|body| {
                body.placed_instructions().all(|id| effects.memory_behavior(body, id) == MemoryBehavior::None)
            })
        };
        initialized.iter().copied().filter(does_nothing).collect()
    };
    for function in module.functions.values_mut() {
        let Some(body) = &mut function.body else { continue };
        let is_once = |id: InstructionId| match &body.instructions[id].details {
            Details::Builtin(builtin) => {
                let kind = builtin.kind();
                kind == Some(BuiltinKind::Named(NamedBuiltin::Once))
            }
            _ => false,
        };
        let called = |id: InstructionId| {
            let callee = body.operands(id).get(1).and_then(|callee| body.defining(*callee))?;
            Some(views::FunctionRef::get(body, callee)?.function)
        };
        let is_idle = |id: &InstructionId| is_once(*id) && called(*id).is_some_and(|name| idle.contains(&name));
        let calls: Vec<InstructionId> = body.placed_instructions().filter(is_idle).collect();
        if !calls.is_empty() {
            let uses = Uses::new(body);
            calls.into_iter().for_each(|call| remove_call(body, &uses, call));
        }
    }
}

fn remove_call(body: &mut Body, uses: &Uses, call: InstructionId) {
    let users: Vec<InstructionId> =
        body.results(call).flat_map(|result| uses.of(result)).map(|found| found.user).collect();
    if !users.iter().all(|user| body.instructions[*user].opcode == Opcode::GlobalAddr) {
        return;
    }
    // The addresses are valid at once.
    users.into_iter().for_each(|user| body.set_operands(user, &[]));
    let operands = body.operands(call).to_vec();
    body.erase(call);
    remove_unused(body, operands);
}

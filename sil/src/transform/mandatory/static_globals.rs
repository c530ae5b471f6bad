//! Globals whose initial values are constants: the value stands in the global, and nothing need be run for it
//! (SwiftCompilerSources/Sources/Optimizer/FunctionPasses/InitializeStaticGlobals.swift, and `once` in InstructionSimplification/SimplifyBuiltin.swift).
//!
//! Owns: which initialisers are constants. Runs when what is transparent is inlined. Does not own: arrays, strings and closures, which are initialised
//! as the program runs.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::{InstructionEffects, Uses};
use crate::context::Name;
use crate::diagnostic::Diagnostic;
use crate::instructions::builtins::{BuiltinKind, NamedBuiltin, parse_builtin};
use crate::instructions::{MemoryBehavior, Opcode};
use crate::model::views::{self, GlobalAddr, GlobalUse, Store};
use crate::model::{
    Body, Details, Function, FunctionFlag, FunctionId, GlobalId, InstructionId, Module, NewInstruction, Place, Value,
};
use crate::syntax::Libraries;
use crate::transform::editing::unused::remove_unused;
use crate::types::{ConformanceTable, TypeQueries};

/// Gives globals the constants that their initialisers store to them.
pub(in crate::transform) fn initialize(module: &mut Module, _: &Libraries<'_>) -> Vec<Diagnostic> {
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    let mut initialized = Vec::new();
    for id in functions {
        let constant = Initialization::of(module, &module.functions[id]);
        if let Some(constant) = constant {
            initialized.push(module.functions[id].name);
            constant.apply(module, id);
        }
    }
    if !initialized.is_empty() {
        remove_calls(module, &initialized);
    }
    Vec::new()
}

/// The one thing that an initialiser does.
struct Initialization {
    global: GlobalId,
    /// What makes the value, in order.
    constants: Vec<InstructionId>,
    alloc: InstructionId,
    store: InstructionId,
}

impl Initialization {
    /// None where a function does something else than to store a constant to a global.
    fn of(module: &Module, function: &Function) -> Option<Self> {
        let body = function.body.as_ref().filter(|body| body.blocks.len() == 1)?;
        if !function.has(FunctionFlag::GlobalInitOnce) {
            return None;
        }
        let (mut alloc, mut store) = (None, None);
        let end = body.terminator(body.entry())?;
        for id in body.instructions_in(body.entry()).filter(|id| *id != end) {
            match body.instructions[id].opcode {
                Opcode::AllocGlobal if alloc.is_none() => alloc = Some(id),
                Opcode::Store if store.is_none() => store = Some(id),
                // The type that an initialiser belonged to is left where that was inlined.
                Opcode::GlobalAddr | Opcode::DebugStep | Opcode::Metatype => {}
                opcode if is_constant(opcode) => {}
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
        collect(body, source, &mut FxHashSet::default(), &mut constants)?;
        (can_hold && stored.name == allocated.name && !constants.is_empty()).then_some(Self {
            global,
            constants,
            alloc,
            store,
        })
    }

    fn apply(self, module: &mut Module, function: FunctionId) {
        let Some(body) = &mut module.functions[function].body else { return };
        let initializer = self.initializer(body);
        let destination = Store::of(body, self.store).destination;
        body.erase(self.store);
        body.erase(self.alloc);
        remove_unused(body, vec![destination]);
        let uses = Uses::new(body);
        let mut gone: FxHashSet<InstructionId> = FxHashSet::default();
        for id in self.constants.iter().rev() {
            let is_unused = |value| uses.of(value).iter().all(|found| gone.contains(&found.user));
            if body.results(*id).all(is_unused) {
                body.erase(*id);
                gone.insert(*id);
            }
        }
        module.globals[self.global].initializer = Some(Box::new(initializer));
    }

    /// The constants alone, the value last.
    fn initializer(&self, from: &Body) -> Body {
        let mut to = Body::default();
        let block = to.add_block();
        let mut made: FxHashMap<Value, Value> = FxHashMap::default();
        for id in &self.constants {
            let instruction = &from.instructions[*id];
            let operands: Vec<Value> =
                from.operands(*id).iter().filter_map(|operand| made.get(operand).copied()).collect();
            let results: Vec<_> = from.results(*id).map(|result| from.ty(result)).collect();
            let clone = to.insert(
                Place::End(block),
                NewInstruction {
                    opcode: instruction.opcode,
                    attributes: instruction.attributes,
                    details: instruction.details.clone(),
                    operands: &operands,
                    types: from.types(*id),
                    targets: &[],
                    results: &results,
                    span: instruction.span,
                    location: None,
                },
            );
            made.extend(from.results(*id).zip(to.results(clone)));
        }
        to
    }
}

/// Whether an instruction makes a constant of constants.
fn is_constant(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::IntegerLiteral | Opcode::FloatLiteral | Opcode::Struct | Opcode::Tuple | Opcode::Enum)
}

/// What makes a value, each behind what it is made of. None where that is no constant.
fn collect(
    body: &Body,
    value: Value,
    seen: &mut FxHashSet<InstructionId>,
    into: &mut Vec<InstructionId>,
) -> Option<()> {
    let id = body.defining(value)?;
    if !is_constant(body.instructions[id].opcode) {
        return None;
    }
    if seen.insert(id) {
        for operand in body.operands(id) {
            collect(body, *operand, seen, into)?;
        }
        into.push(id);
    }
    Some(())
}

/// Initialisers that do nothing any more are not called.
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
    let context = module.context.clone();
    for function in module.functions.values_mut() {
        let Some(body) = &mut function.body else { continue };
        let is_once = |id: InstructionId| match &body.instructions[id].details {
            Details::Builtin(builtin) => {
                let kind = parse_builtin(context.text(builtin.name)).map(|operation| operation.kind);
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
    // The addresses are good at once.
    users.into_iter().for_each(|user| body.set_operands(user, &[]));
    let operands = body.operands(call).to_vec();
    body.erase(call);
    remove_unused(body, operands);
}

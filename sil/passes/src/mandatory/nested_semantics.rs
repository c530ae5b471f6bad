//! Nested `@_semantics` calls: a function with known semantics must call others of these directly or through functions
//! that only forward their arguments. Other functions in between hide the inner calls from passes, which process outer
//! calls first (lib/SILOptimizer/Mandatory/NestedSemanticFunctionCheck.cpp).
//!
//! Does not own: the set of known semantics (`knowledge::array_semantics`).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, callees_first};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Family, Opcode};
use sil_ir::model::{Body, FunctionId, InstructionId, Module, Value};

use crate::knowledge::array_semantics::SemanticFunctionLevel;
use crate::messages::findings::warning_at;
use crate::pass::{Description, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const NESTED_SEMANTIC_FUNCTION_CHECK: Pass = Pass::new(&Description {
    name: "nested-semantic-function-check",
    class_name: "NestedSemanticFunctionCheck",
    summary: "Warns of functions with semantics that call others of these through ordinary functions.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Module(diagnose),
});

/// Warns of calls from functions with semantics that reach others through ordinary functions.
pub(crate) fn diagnose(environment: ModuleEnvironment<'_>) -> Rewrites {
    let ModuleEnvironment { module, queries, .. } = environment;
    let has_semantics = |id: &FunctionId| is_optimizable(module, *id) && environment.admits(*id);
    if !module.functions.keys().any(|id| has_semantics(&id)) {
        return Rewrites::new();
    }
    let mut check = Check { module, with_semantics: FxHashSet::default(), calling: FxHashSet::default() };
    let own = callees_first(module, queries).into_iter().filter(|id| environment.admits(*id));
    own.filter_map(|id| {
        let function = &module.functions[id];
        let body = function.body.as_ref()?;
        let diagnostics = check.check(id, body);
        Some((id, Ok(Rewrite::diagnostics_alone(function, body, diagnostics)?)))
    })
    .collect()
}

fn is_optimizable(module: &Module, id: FunctionId) -> bool {
    SemanticFunctionLevel::of(&module.context, &module.functions[id]) != SemanticFunctionLevel::Transient
}

struct Check<'m> {
    module: &'m Module,
    /// Functions with semantics, and those that forward their arguments to one.
    with_semantics: FxHashSet<FunctionId>,
    /// Other functions that transitively call those.
    calling: FxHashSet<FunctionId>,
}

impl Check<'_> {
    /// Checks a function. Its callees were checked before.
    fn check(&mut self, id: FunctionId, body: &Body) -> Vec<Diagnostic> {
        if is_optimizable(self.module, id) {
            self.with_semantics.insert(id);
            let calls = body.placed_instructions();
            let wrong = calls.filter(|call| self.callee(body, *call).is_some_and(|id| self.calling.contains(&id)));
            let message = "'@_semantics' function calls non-'@_semantics' function with nested '@_semantics' calls";
            return wrong.map(|call| warning_at(body, call, "nested-semantics", message)).collect();
        }
        for call in body.placed_instructions() {
            let Some(callee) = self.callee(body, call) else { continue };
            if is_optimizable(self.module, callee) && passes_arguments_on(body, call) {
                self.with_semantics.insert(id);
            } else if self.calling.contains(&callee) || self.with_semantics.contains(&callee) {
                self.calling.insert(id);
            }
        }
        Vec::new()
    }

    /// Returns the function that a call references directly.
    fn callee(&self, body: &Body, call: InstructionId) -> Option<FunctionId> {
        ApplyKind::of(body.instructions[call].opcode).filter(|kind| kind.is_full())?;
        self.module.function_named(ApplySite::new(body, call)?.called_function()?)
    }
}

/// Returns whether all arguments of a call are the function's arguments or literals.
fn passes_arguments_on(body: &Body, call: InstructionId) -> bool {
    ApplySite::new(body, call).is_some_and(|site| site.arguments().iter().all(|value| is_passed_on(body, *value)))
}

fn is_passed_on(body: &Body, mut value: Value) -> bool {
    while let Some(id) = body.defining(value) {
        let opcode = body.instructions[id].opcode;
        if matches!(opcode.family(), Family::Literals(_)) || opcode == Opcode::GlobalAddr {
            return true;
        }
        match body.operands(id).first() {
            Some(operand) if gives_operand_again(opcode) => value = *operand,
            _ => return false,
        }
    }
    body.blocks[body.entry()].arguments.contains(&value)
}

/// Returns whether an instruction only copies, borrows or converts its operand (include/swift/SIL/InstWrappers.h,
/// `ConversionOperation`; lib/SIL/Utils/InstructionUtils.cpp, `getSingleValueCopyOrCast`).
fn gives_operand_again(opcode: Opcode) -> bool {
    use Opcode::*;
    match opcode {
        CopyValue
        | CopyBlock
        | CopyBlockWithoutEscaping
        | BeginBorrow
        | BeginAccess
        | MarkDependence
        | MoveValue
        | MarkUnresolvedNonCopyableValue
        | MarkUninitialized
        | DropDeinit
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable
        | MoveonlywrapperToCopyableBox
        | RefToUnmanaged
        | RefToUnowned
        | UnmanagedToRef
        | UnownedToRef
        | ThickToObjcMetatype
        | ObjcToThickMetatype
        | ObjcMetatypeToObject
        | ObjcExistentialMetatypeToObject => true,
        PointerToAddress | ClassifyBridgeObject | ValueToBridgeObject | Thunk | ImplicitactorToOpaqueisolationCast => {
            false
        }
        _ => matches!(opcode.family(), Family::Casts(_)),
    }
}

//! The order of functions in which those that are called come before those that call them, by the strongly connected
//! components of the call graph (lib/SILOptimizer/Analysis/FunctionOrder.cpp).

use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::{Body, Details, FunctionId, InstructionId, Module};
use sil_ir::types::TypeQueries;

use super::{ApplySite, CalleeAnalysis, ModuleExtent};

/// The functions of `module`, callees first. Those that call each other, and so have no order, are one component; of
/// these the one that is called last comes first.
pub fn bottom_up(module: &Module, callees: &CalleeAnalysis<'_>) -> Vec<Vec<FunctionId>> {
    bottom_up_from(module, callees, module.functions.keys())
}

/// The same of `functions` and their callees alone.
pub(super) fn bottom_up_from(
    module: &Module,
    callees: &CalleeAnalysis<'_>,
    functions: impl IntoIterator<Item = FunctionId>,
) -> Vec<Vec<FunctionId>> {
    let mut search = Search {
        module,
        callees,
        numbers: vec![None; module.functions.len()],
        open: Vec::new(),
        is_open: vec![false; module.functions.len()],
        visits: Vec::new(),
        components: Vec::new(),
        next: 0,
    };
    for start in functions {
        search.run(start);
    }
    search.components
}

/// The same as one list, for a module that need not be a whole program.
pub fn callees_first(module: &Module, queries: &TypeQueries<'_>) -> Vec<FunctionId> {
    let callees = CalleeAnalysis::new(module, queries, ModuleExtent::Files);
    bottom_up(module, &callees).into_iter().flatten().collect()
}

/// Tarjan's search, with a stack of its own.
struct Search<'a, 'm> {
    module: &'m Module,
    callees: &'a CalleeAnalysis<'m>,
    /// By function, when it was found.
    numbers: Vec<Option<u32>>,
    /// Those whose component is not known yet.
    open: Vec<FunctionId>,
    is_open: Vec<bool>,
    visits: Vec<Visit>,
    components: Vec<Vec<FunctionId>>,
    next: u32,
}

struct Visit {
    function: FunctionId,
    called: Vec<FunctionId>,
    position: usize,
    /// The earliest open function that was found from here.
    lowest: u32,
}

impl Search<'_, '_> {
    fn run(&mut self, start: FunctionId) {
        if self.number(start).is_none() {
            self.enter(start);
        }
        while let Some(visit) = self.visits.last_mut() {
            let Some(callee) = visit.called.get(visit.position).copied() else {
                self.leave();
                continue;
            };
            visit.position += 1;
            match self.number(callee) {
                None => self.enter(callee),
                Some(number) if self.is_open[callee.as_u32() as usize] => self.reach(number),
                Some(_) => {}
            }
        }
    }

    fn number(&self, function: FunctionId) -> Option<u32> {
        self.numbers[function.as_u32() as usize]
    }

    fn reach(&mut self, number: u32) {
        if let Some(visit) = self.visits.last_mut() {
            visit.lowest = visit.lowest.min(number);
        }
    }

    fn enter(&mut self, function: FunctionId) {
        let lowest = self.next;
        self.next += 1;
        self.numbers[function.as_u32() as usize] = Some(lowest);
        self.is_open[function.as_u32() as usize] = true;
        self.open.push(function);
        let body = self.module.functions[function].body.as_ref();
        let called = body.map(|body| self.called_by(body)).unwrap_or_default();
        self.visits.push(Visit { function, called, position: 0, lowest });
    }

    fn leave(&mut self) {
        let Some(Visit { function, lowest, .. }) = self.visits.pop() else { return };
        self.reach(lowest);
        if self.number(function) != Some(lowest) {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.open.pop() {
            self.is_open[member.as_u32() as usize] = false;
            component.push(member);
            if member == function {
                break;
            }
        }
        self.components.push(component);
    }

    fn called_by(&self, body: &Body) -> Vec<FunctionId> {
        body.placed_instructions().flat_map(|id| self.called_at(body, id)).collect()
    }

    fn called_at(&self, body: &Body, id: InstructionId) -> Vec<FunctionId> {
        if let Some(site) = ApplySite::new(body, id) {
            let callee = site.callee().filter(|_| site.kind.is_full());
            return callee.map(|callee| self.callees.of(body, callee).functions).unwrap_or_default();
        }
        let operand = |index: usize| body.operands(id).get(index).copied();
        match (body.instructions[id].opcode, &body.instructions[id].details) {
            (Opcode::StrongRelease | Opcode::ReleaseValue | Opcode::DestroyValue, _) => {
                let destroyed = operand(0).map(|value| body.ty(value).ty);
                destroyed.map(|ty| self.callees.deallocators(ty, None).functions).unwrap_or_default()
            }
            (Opcode::Builtin, Details::Builtin(builtin)) => {
                let kind = builtin.kind();
                match kind {
                    Some(BuiltinKind::Named(NamedBuiltin::Once | NamedBuiltin::OnceWithContext)) => {
                        operand(1).map(|callee| self.callees.of(body, callee).functions).unwrap_or_default()
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }
}

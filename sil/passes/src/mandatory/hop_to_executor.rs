//! Removes unnecessary hops to executors: those to the current executor, and those before which no code that needs the
//! executor runs until the next hop (lib/SILOptimizer/Mandatory/OptimizeHopToExecutor.cpp).

use cranelift_entity::SecondaryMap;
use sil_analysis::{AccessBase, AccessPath, ApplySite, BodyView, Change, InstructionEffects};
use sil_ir::context::{FunctionAttribute as TypeAttribute, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::views::{CopyAddr, Store, Unary};
use sil_ir::model::{BlockId, Body, Details, FunctionAttribute, FunctionIsolation, InstructionId, Value};

use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const HOP_TO_EXECUTOR_OPTIMIZATION: Pass = Pass::new(&Description {
    name: "optimize-hop-to-executor",
    class_name: "OptimizeHopToExecutor",
    summary: "Removes redundant hops to executors.",
    gates: Gates::OPEN,
    runner: Runner::Function(optimize),
});

/// Removes the redundant and dead hops of an asynchronous function.
pub(crate) fn optimize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let is_hop = |body: &Body, id: InstructionId| body.instructions[id].opcode == Opcode::HopToExecutor;
    if !is_async(environment, function.ty) || !before.placed_instructions().any(|id| is_hop(before, id)) {
        return Ok(None);
    }
    let mut body = before.clone();
    let redundant = Hops { environment, body: &body }.redundant();
    redundant.iter().for_each(|id| body.erase(*id));
    let dead = Hops { environment, body: &body }.dead();
    dead.iter().for_each(|id| body.erase(*id));
    let is_changed = !redundant.is_empty() || !dead.is_empty();
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Instructions)))
}

fn is_async(environment: Environment<'_>, ty: sil_ir::context::TypeId) -> bool {
    match environment.queries.get(ty) {
        Type::Function(function) => function.attributes.contains(TypeAttribute::Async),
        _ => false,
    }
}

/// The current executor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Executor {
    /// The executor of this value.
    Of(Value),
    Unknown,
}

/// Whether the code needs the current executor up to the next hop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    NotNeeded,
    Needed,
}

struct Hops<'e> {
    environment: Environment<'e>,
    body: &'e Body,
}

impl Hops<'_> {
    fn opcode(&self, id: InstructionId) -> Opcode {
        self.body.instructions[id].opcode
    }

    /// Returns the executor after an instruction, if it changes there.
    fn executor_after(&self, id: InstructionId) -> Option<Executor> {
        match self.opcode(id) {
            Opcode::HopToExecutor => Some(Executor::Of(Unary::of(self.body, id).operand)),
            _ => self.may_suspend(id).then_some(Executor::Unknown),
        }
    }

    fn is_removable(&self, id: InstructionId) -> bool {
        self.opcode(id) == Opcode::HopToExecutor
            && !self.body.instructions[id].attributes.contains(Attribute::Mandatory)
    }

    /// Returns the hops to the current executor.
    fn redundant(&self) -> Vec<InstructionId> {
        let cfg = self.environment.analyses.cfg(self.environment.body);
        let order = cfg.reverse_post_order();
        let mut ends: SecondaryMap<BlockId, Option<Executor>> = SecondaryMap::new();
        let at_start = |ends: &SecondaryMap<BlockId, Option<Executor>>, block: BlockId| {
            let first = (block == self.body.entry()).then_some(Executor::Unknown);
            let arriving = cfg.predecessors(block).iter().filter_map(|from| ends[*from]).chain(first);
            arriving.reduce(|one, other| if one == other { one } else { Executor::Unknown })
        };
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for block in order {
                let last = self.body.instructions_in(*block).rev().find_map(|id| self.executor_after(id));
                let end = last.or_else(|| at_start(&ends, *block));
                is_changed |= ends[*block] != end;
                ends[*block] = end;
            }
        }
        let mut redundant = Vec::new();
        for block in order {
            let mut executor = at_start(&ends, *block);
            for id in self.body.instructions_in(*block) {
                let Some(next) = self.executor_after(id) else { continue };
                if next != Executor::Unknown && executor == Some(next) && self.is_removable(id) {
                    redundant.push(id);
                }
                executor = Some(next);
            }
        }
        redundant
    }

    /// Returns the hops after which no code needs the executor.
    fn dead(&self) -> Vec<InstructionId> {
        let cfg = self.environment.analyses.cfg(self.environment.body);
        let mut order = cfg.reverse_post_order().to_vec();
        order.reverse();
        let view =
            BodyView::new(self.environment.module, self.environment.queries, self.environment.function, self.body);
        let mut starts: SecondaryMap<BlockId, Option<Need>> = SecondaryMap::new();
        let at_end = |starts: &SecondaryMap<BlockId, Option<Need>>, block: BlockId| {
            let targets = self.body.terminator(block).map(|end| self.body.targets(end)).unwrap_or_default();
            match targets.is_empty() {
                true => Some(Need::NotNeeded),
                false => targets.iter().filter_map(|target| starts[*target]).max(),
            }
        };
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for block in &order {
                let instructions: Vec<InstructionId> = self.body.instructions_in(*block).collect();
                let first = instructions.iter().find_map(|id| self.need(&view, *id));
                let start = first.or_else(|| at_end(&starts, *block));
                is_changed |= starts[*block] != start;
                starts[*block] = start;
            }
        }
        let mut dead = Vec::new();
        for block in &order {
            let mut need = at_end(&starts, *block);
            for id in self.body.instructions_in(*block).rev() {
                if self.is_removable(id) && need == Some(Need::NotNeeded) {
                    dead.push(id);
                } else {
                    need = self.need(&view, id).or(need);
                }
            }
        }
        dead
    }

    /// Returns whether an instruction needs the executor; `None` if the following code decides.
    fn need(&self, view: &BodyView<'_>, id: InstructionId) -> Option<Need> {
        match self.opcode(id) {
            Opcode::HopToExecutor => Some(Need::NotNeeded),
            Opcode::Return if self.inherits_isolation() => Some(Need::Needed),
            _ if self.may_suspend(id) && self.passes_isolation_on(id) => Some(Need::Needed),
            _ if self.may_suspend(id) => Some(Need::NotNeeded),
            _ => self.touches_shared_memory(view, id).then_some(Need::Needed),
        }
    }

    fn inherits_isolation(&self) -> bool {
        let inherited = FunctionAttribute::Isolation(FunctionIsolation::CallerIsolationInheriting);
        self.environment.function.attributes.contains(&inherited)
    }

    /// Returns whether a call inherits the isolation of its caller.
    fn passes_isolation_on(&self, id: InstructionId) -> bool {
        let text = |name| self.environment.queries.context.text(name);
        match &self.body.instructions[id].details {
            Details::Apply(apply) => apply
                .isolation
                .is_some_and(|(callee, _)| text(callee) == FunctionIsolation::CallerIsolationInheriting.name()),
            _ => false,
        }
    }

    /// Returns whether an instruction may suspend.
    fn may_suspend(&self, id: InstructionId) -> bool {
        if self.opcode(id) == Opcode::AwaitAsyncContinuation {
            return true;
        }
        let callee = ApplySite::new(self.body, id).filter(|site| site.kind.is_full()).and_then(ApplySite::callee);
        callee.is_some_and(|callee| is_async(self.environment, self.body.ty(callee).ty))
    }

    fn touches_shared_memory(&self, view: &BodyView<'_>, id: InstructionId) -> bool {
        let is_shared = |address: Value| !matches!(AccessPath::of(view, address).base, AccessBase::Stack(_));
        match self.opcode(id) {
            Opcode::Load => is_shared(Unary::of(self.body, id).operand),
            Opcode::Store => is_shared(Store::of(self.body, id).destination),
            Opcode::CopyAddr => {
                let CopyAddr { source, destination } = CopyAddr::of(self.body, id);
                is_shared(source) || is_shared(destination)
            }
            Opcode::BeginBorrow | Opcode::EndBorrow => false,
            Opcode::Builtin if self.initializes_actor(id) => false,
            _ => {
                let effects = InstructionEffects::new(self.environment.module, self.environment.queries);
                effects.memory_behavior(self.body, id) != MemoryBehavior::None
            }
        }
    }

    fn initializes_actor(&self, id: InstructionId) -> bool {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return false };
        builtin.kind() == Some(BuiltinKind::Named(NamedBuiltin::InitializeDefaultActor))
    }
}

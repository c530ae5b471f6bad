//! Lowers hops to actors to hops to their executors. The executor of an actor is computed once for all hops that the
//! first one dominates (lib/SILOptimizer/Mandatory/LowerHopToActor.cpp). Does not own: the computation of an executor
//! (`actor_executors`), the removal of hops (`hop_to_executor`).

use sil_analysis::{Change, Dominators, OwnershipKinds};
use sil_ir::context::{BuiltinType, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{
    BlockId, Body, DefaultCase, EnumCases, FunctionFlag, InstructionId, Ownership, Place, Replacements, Value,
};

use super::actor_executors::ActorExecutors;
use crate::InstructionBuilder;
use crate::editing::block_order::BlockOrder;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const HOP_TO_ACTOR_LOWERING: Pass = Pass::new(&Description {
    name: "lower-hop-to-actor",
    class_name: "LowerHopToActor",
    summary: "Replaces hops to actors by hops to their executors.",
    gates: Gates::OPEN,
    runner: Runner::Function(lower),
});

/// Lowers the hops to actors of a function, and `extract_executor`.
pub(crate) fn lower(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let derivations = derivations(environment);
    if derivations.is_empty() {
        return Ok(None);
    }
    let Environment { queries, function, body, .. } = environment;
    let kinds = OwnershipKinds::new(queries, function, body, environment.analyses.cfg(body));
    let mut lowering = Lowering {
        environment,
        kinds,
        body: body.clone(),
        order: BlockOrder::of(body),
        replacements: Replacements::default(),
    };
    for derivation in derivations {
        lowering.derive(&derivation)?;
    }
    let Lowering { mut body, order, replacements, .. } = lowering;
    body.replace_values(&replacements);
    body.reorder_blocks(&order.to_vec());
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// The wanted form of an executor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// `Optional<Builtin.Executor>`, for a hop.
    Optional,
    /// `Builtin.Executor`, for `extract_executor`. Hops accept it too.
    Plain,
}

/// The instructions that need the executor of one actor. The first one dominates the others.
struct Derivation {
    actor: Value,
    wanted: Wanted,
    askers: Vec<InstructionId>,
}

fn derivations(environment: Environment<'_>) -> Vec<Derivation> {
    let Environment { body, analyses, .. } = environment;
    let dominators = Dominators::new(body, analyses.cfg(body));
    let mut derivations: Vec<Derivation> = Vec::new();
    let order = analyses.cfg(body).reverse_post_order();
    for id in order.iter().flat_map(|block| body.instructions_in(*block)) {
        let Some((actor, wanted)) = requested(environment, id) else { continue };
        let serves = |derivation: &&mut Derivation| {
            derivation.actor == actor
                && (derivation.wanted == wanted || derivation.wanted == Wanted::Plain)
                && dominators.instruction_dominates(body, derivation.askers[0], id)
        };
        match derivations.iter_mut().find(serves) {
            Some(derivation) => derivation.askers.push(id),
            None => derivations.push(Derivation { actor, wanted, askers: vec![id] }),
        }
    }
    derivations
}

/// Returns the actor whose executor an instruction needs. A hop may have an executor already.
fn requested(environment: Environment<'_>, id: InstructionId) -> Option<(Value, Wanted)> {
    let Environment { queries, body, .. } = environment;
    let wanted = match body.instructions[id].opcode {
        Opcode::HopToExecutor => Wanted::Optional,
        Opcode::ExtractExecutor => Wanted::Plain,
        _ => return None,
    };
    let actor = *body.operands(id).first()?;
    let is_executor = |ty: TypeId| *queries.get(ty) == Type::Builtin(BuiltinType::Executor);
    let is_lowered = queries.optional_object(body.ty(actor).ty).is_some_and(is_executor);
    (!is_lowered).then_some((actor, wanted))
}

struct Lowering<'e> {
    environment: Environment<'e>,
    /// The ownership of the original values.
    kinds: OwnershipKinds<'e>,
    body: Body,
    order: BlockOrder,
    replacements: Replacements,
}

impl Lowering<'_> {
    fn derive(&mut self, derivation: &Derivation) -> Result<(), Box<Diagnostic>> {
        let executor = self.executor(derivation)?;
        for asker in &derivation.askers {
            match self.body.result(*asker) {
                Some(result) => {
                    self.replacements.replace(result, executor);
                    self.body.erase(*asker);
                }
                None => self.body.set_operands(*asker, &[executor]),
            }
        }
        Ok(())
    }

    /// Emits the executor in front of the first instruction that needs it.
    fn executor(&mut self, derivation: &Derivation) -> Result<Value, Box<Diagnostic>> {
        let Derivation { actor, wanted, ref askers } = *derivation;
        let first = askers[0];
        let queries = self.environment.queries;
        let generics = self.environment.function.signature;
        let executors = ActorExecutors::new(queries, self.body.instructions[first].span, generics)?;
        let ty = self.body.ty(actor).ty;
        if ty == executors.executor.ty {
            return Ok(executors.some(&mut self.before(first), actor));
        }
        let mut borrow = None;
        let executor = if executors.is_implicit(ty) {
            let unwrapped = executors.unwrap_implicit(&mut self.before(first), actor)?;
            self.of_optional(&executors, first, unwrapped)?
        } else if let Some(object) = queries.optional_object(ty) {
            let has_ownership = self.environment.function.has(FunctionFlag::Ossa);
            if has_ownership && self.kinds.kind(actor) != Ownership::Guaranteed {
                borrow = Some(self.before(first).begin_borrow(actor));
            }
            self.of_optional(&executors, first, (borrow.unwrap_or(actor), object))?
        } else {
            let executor = executors.of_actor(&mut self.before(first), actor, first)?;
            match wanted {
                Wanted::Optional => executors.some(&mut self.before(first), executor),
                Wanted::Plain => executor,
            }
        };
        // The actor must live as long as its executor is used.
        let mut builder = self.before(first);
        let base = borrow.unwrap_or(actor);
        let executor = builder.mark_dependence(executor, base);
        if let Some(borrow) = borrow {
            builder.end_borrow(borrow);
        }
        Ok(executor)
    }

    /// Emits the executor of an optional actor. Without an actor it is none, the generic executor.
    fn of_optional(
        &mut self,
        executors: &ActorExecutors<'_>,
        first: InstructionId,
        (actor, object): (Value, TypeId),
    ) -> Result<Value, Box<Diagnostic>> {
        let head = self.body.instructions[first].block;
        let join = self.body.split_block(first);
        let [some, none] = [self.body.add_block(), self.body.add_block()];
        [join, none, some].into_iter().for_each(|block| self.order.insert_after(head, block));
        let executor = self.body.add_argument(join, executors.optional, Ownership::None);
        self.switch(executors, [head, some, none], (first, actor));
        let object = SilType::object(object);
        let actor = match self.environment.function.has(FunctionFlag::Ossa) {
            true => self.body.add_argument(some, object, Ownership::Guaranteed),
            false => self.at_end(some, first).unchecked_enum_data(actor, executors.some_case, object),
        };
        let mut builder = self.at_end(some, first);
        let unwrapped = executors.of_actor(&mut builder, actor, first)?;
        let wrapped = executors.some(&mut builder, unwrapped);
        builder.branch(join, &[wrapped]);
        let mut builder = self.at_end(none, first);
        let nothing = executors.none(&mut builder);
        builder.branch(join, &[nothing]);
        Ok(executor)
    }

    fn switch(
        &mut self,
        executors: &ActorExecutors<'_>,
        [head, some, none]: [BlockId; 3],
        (like, actor): (InstructionId, Value),
    ) {
        let members = Box::new([executors.some_case]);
        let cases = EnumCases { members, default: DefaultCase::Present, counts: Box::default() };
        self.at_end(head, like).switch_enum(actor, cases, &[some, none]);
    }

    fn before(&mut self, id: InstructionId) -> InstructionBuilder<'_> {
        InstructionBuilder::new(&mut self.body, Place::Before(id), id)
    }

    fn at_end(&mut self, block: BlockId, like: InstructionId) -> InstructionBuilder<'_> {
        InstructionBuilder::new(&mut self.body, Place::End(block), like)
    }
}

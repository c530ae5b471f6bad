//! Activity analysis: determines the values that depend on a parameter (*varied*) and the values that a result depends
//! on (*useful*). A value that is both is *active* and takes part in differentiation
//! (lib/SILOptimizer/Analysis/DifferentiableActivityAnalysis.cpp; docs/DifferentiableProgramming.md).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, BodyView, Use};
use sil_ir::context::DifferentiabilityIndices;
use sil_ir::declarations::PropertyDifferentiation;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{CastAddr, CheckedCastAddrBr, CopyAddr, FunctionRef, Store};
use sil_ir::model::{BlockId, Definition, InstructionId, Value};

use super::values::{
    direct_results, formal_results, indirect_results, modified, parameter_arguments, semantic_result_arguments,
};
use crate::knowledge::elements::projected_property;

/// The `@_semantics` of functions whose results never vary.
const NONVARYING: &str = "autodiff.nonvarying";

/// The activity of the values of a function, by each of its parameters and results.
pub(super) struct Activity {
    /// The varied values by parameter.
    varied: Vec<FxHashSet<Value>>,
    /// The useful values by result, in the numbering of [`DifferentiabilityIndices`].
    useful: Vec<FxHashSet<Value>>,
}

impl Activity {
    /// Computes the activity of a function that returns.
    pub(super) fn of(view: &BodyView<'_>) -> Self {
        let varied = parameters(view).into_iter().map(|parameter| {
            let mut varying =
                Varying { view, varied: FxHashSet::default(), open: Vec::new(), inward: FxHashSet::default() };
            varying.mark(parameter);
            varying.run();
            varying.varied
        });
        let useful = formal_results(view).into_iter().map(|result| {
            let mut using = Using { view, useful: FxHashSet::default(), open: Vec::new(), seen: FxHashSet::default() };
            using.mark(result);
            using.run();
            using.useful
        });
        Self { varied: varied.collect(), useful: useful.collect() }
    }

    /// Returns whether `value` depends on one of the parameters of `indices`.
    pub(super) fn is_varied(&self, value: Value, indices: &DifferentiabilityIndices) -> bool {
        let sets = indices.parameters.iter().filter_map(|index| self.varied.get(*index as usize));
        sets.into_iter().any(|set| set.contains(&value))
    }

    /// Returns whether a result of `indices` depends on `value`, and `value` on a parameter of `indices`.
    pub(super) fn is_active(&self, value: Value, indices: &DifferentiabilityIndices) -> bool {
        let mut sets = indices.results.iter().filter_map(|index| self.useful.get(*index as usize));
        self.is_varied(value, indices) && sets.any(|set| set.contains(&value))
    }
}

/// Returns the arguments of the function that are parameters.
fn parameters(view: &BodyView<'_>) -> Vec<Value> {
    let arguments = &view.body.blocks[view.body.entry()].arguments;
    let first = view.queries.conventions(view.function.ty).map_or(0, |conventions| conventions.first_parameter());
    arguments.iter().skip(first).copied().collect()
}

/// Returns whether a value is a `@noDerivative` field.
fn is_without_derivative(view: &BodyView<'_>, value: Value) -> bool {
    let projection = view.body.defining(value).filter(|id| is_projection(view.body.instructions[*id].opcode));
    let property = projection.and_then(|id| projected_property(view.queries, view.body, id));
    property.is_some_and(|(_, property)| property.differentiation == PropertyDifferentiation::NoDerivative)
}

fn is_projection(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::StructExtract | Opcode::StructElementAddr | Opcode::RefElementAddr)
}

/// Returns whether a call is of a function whose results never vary.
fn is_nonvarying(view: &BodyView<'_>, call: ApplySite<'_>) -> bool {
    let callee = call.callee().and_then(|callee| view.body.defining(callee));
    let Some(reference) = callee.filter(|id| view.body.instructions[*id].opcode == Opcode::FunctionRef) else {
        return false;
    };
    let function = view.module.function_named(FunctionRef::of(view.body, reference).function);
    function.is_some_and(|id| {
        view.module.functions[id].semantics(&view.module.context).any(|semantics| semantics == NONVARYING)
    })
}

/// Returns the call site of an instruction that is a full apply.
fn call<'m>(view: &BodyView<'m>, id: InstructionId) -> Option<ApplySite<'m>> {
    ApplySite::new(view.body, id).filter(|site| site.kind.is_full())
}

/// Returns the source and the destination of an instruction that stores.
fn stored(view: &BodyView<'_>, id: InstructionId) -> Option<(Value, Value)> {
    match view.body.instructions[id].opcode {
        Opcode::Store => {
            let Store { source, destination } = Store::of(view.body, id);
            Some((source, destination))
        }
        Opcode::CopyAddr => {
            let CopyAddr { source, destination } = CopyAddr::of(view.body, id);
            Some((source, destination))
        }
        Opcode::UnconditionalCheckedCastAddr => {
            let CastAddr { source, destination, .. } = CastAddr::of(view.body, id);
            Some((source, destination))
        }
        _ => None,
    }
}

/// The propagation of varied values for one parameter.
struct Varying<'v, 'm> {
    view: &'v BodyView<'m>,
    varied: FxHashSet<Value>,
    /// Varied values whose users are not visited yet.
    open: Vec<Value>,
    /// Varied values whose projection bases were marked.
    inward: FxHashSet<Value>,
}

impl Varying<'_, '_> {
    fn mark(&mut self, value: Value) {
        if self.varied.insert(value) {
            self.open.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.open.pop() {
            for found in self.view.uses.of(value) {
                self.propagate(*found, value);
            }
        }
    }

    /// Propagates variedness from `value` through its use.
    fn propagate(&mut self, found: Use, value: Value) {
        let (view, id) = (self.view, found.user);
        let body = view.body;
        if let Some(call) = call(view, id) {
            return self.propagate_through_call(call);
        }
        if let Some((source, destination)) = stored(view, id) {
            if source == value {
                self.mark_inwards(destination);
            }
            return;
        }
        match body.instructions[id].opcode {
            Opcode::StoreBorrow if Store::of(body, id).source != value => {}
            Opcode::StoreBorrow => body.results(id).for_each(|result| self.mark_inwards(result)),
            Opcode::TupleElementAddr => {
                let signature = view.function.signature;
                let results = body.results(id);
                results
                    .filter(|result| view.queries.is_differentiable(body.ty(*result).ty, signature))
                    .for_each(|result| self.mark(result));
            }
            opcode if is_projection(opcode) => {
                let results = body.results(id).filter(|result| !is_without_derivative(view, *result));
                results.for_each(|result| self.mark(result));
            }
            Opcode::Br | Opcode::CondBr => self.mark_passed(found),
            Opcode::CheckedCastAddrBr => {
                let cast = CheckedCastAddrBr::of(body, id);
                if cast.source == value {
                    self.mark(cast.destination);
                    self.mark_targets(id);
                }
            }
            _ if !body.targets(id).is_empty() => self.mark_targets(id),
            _ => body.results(id).for_each(|result| self.mark(result)),
        }
    }

    /// Marks the results of a call with varied arguments.
    fn propagate_through_call(&mut self, call: ApplySite<'_>) {
        let view = self.view;
        if is_nonvarying(view, call) {
            return;
        }
        indirect_results(view, call).into_iter().for_each(|result| self.mark_inwards(result));
        semantic_result_arguments(view, call).into_iter().for_each(|argument| self.mark_inwards(argument));
        direct_results(view, call).into_iter().for_each(|result| self.mark(result));
    }

    /// Marks the block argument for the operand of a branch.
    fn mark_passed(&mut self, found: Use) {
        if let Some(argument) = self.view.branch_argument(found) {
            self.mark(argument);
        }
    }

    fn mark_targets(&mut self, terminator: InstructionId) {
        let body = self.view.body;
        let arguments = body.targets(terminator).iter().flat_map(|target| &body.blocks[*target].arguments);
        arguments.for_each(|argument| self.mark(*argument));
    }

    /// Marks a value and the bases of its projections.
    fn mark_inwards(&mut self, value: Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if is_without_derivative(self.view, value) || !self.inward.insert(value) {
                continue;
            }
            self.mark(value);
            let Some(id) = self.view.body.defining(value) else { continue };
            match call(self.view, id) {
                Some(call) => open.extend(self.projected_by(call)),
                None => open.extend(self.view.body.operands(id)),
            }
        }
    }

    /// Returns the bases of the addresses that a call of a mutating coroutine accessor yields.
    fn projected_by(&self, call: ApplySite<'_>) -> Vec<Value> {
        match call.kind {
            ApplyKind::BeginApply if !is_nonvarying(self.view, call) => modified(self.view, call),
            _ => Vec::new(),
        }
    }
}

/// The propagation of useful values for one result.
struct Using<'v, 'm> {
    view: &'v BodyView<'m>,
    useful: FxHashSet<Value>,
    /// Useful values whose definitions are not visited yet.
    open: Vec<Value>,
    /// Instructions whose operands were marked.
    seen: FxHashSet<InstructionId>,
}

impl Using<'_, '_> {
    fn mark(&mut self, value: Value) {
        if self.useful.insert(value) {
            self.open.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.open.pop() {
            let body = self.view.body;
            if is_memory(self.view, value) {
                self.propagate_through_memory(value);
                continue;
            }
            match body.values[value].definition {
                Definition::Argument { block, .. } if block != body.entry() => {
                    self.propagate_from_branches(value, block)
                }
                _ => {
                    if let Some(id) = body.defining(value) {
                        self.propagate(id);
                    }
                }
            }
        }
    }

    /// Propagates usefulness from a block argument to the operands of branches.
    fn propagate_from_branches(&mut self, argument: Value, block: BlockId) {
        if let Some(incoming) = self.view.incoming_values(argument) {
            return incoming.into_iter().for_each(|value| self.mark(value));
        }
        for predecessor in self.view.cfg.predecessors(block).to_vec() {
            if let Some(terminator) = self.view.body.terminator(predecessor) {
                self.propagate(terminator);
            }
        }
    }

    /// Propagates usefulness to the operands of `id`, whose result is useful or which writes useful memory.
    fn propagate(&mut self, id: InstructionId) {
        if !self.seen.insert(id) {
            return;
        }
        let (view, body) = (self.view, self.view.body);
        if let Some(call) = call(view, id) {
            return self.propagate_through_call(call);
        }
        if let Some((source, _)) = stored(view, id) {
            return self.mark(source);
        }
        match body.instructions[id].opcode {
            Opcode::StoreBorrow => self.mark(Store::of(body, id).source),
            opcode if is_projection(opcode) => {
                if body.results(id).all(|result| !is_without_derivative(view, result)) {
                    body.operands(id).iter().for_each(|operand| self.mark(*operand));
                }
            }
            _ => body.operands(id).iter().for_each(|operand| self.mark(*operand)),
        }
    }

    fn propagate_through_call(&mut self, call: ApplySite<'_>) {
        let view = self.view;
        if is_nonvarying(view, call) {
            return;
        }
        if call.kind == ApplyKind::BeginApply && !modified(view, call).is_empty() {
            view.body.results(call.instruction).for_each(|yielded| self.mark(yielded));
        }
        parameter_arguments(view, call).into_iter().for_each(|argument| self.mark(argument));
    }

    /// Propagates usefulness from memory to all instructions that write to it or to a part of it.
    fn propagate_through_memory(&mut self, address: Value) {
        let (view, body) = (self.view, self.view.body);
        if let Some(id) = body.defining(address) {
            self.propagate(id);
        }
        for found in view.uses.of(address) {
            self.propagate(found.user);
            let leads_on = matches!(
                body.instructions[found.user].opcode,
                Opcode::StructElementAddr
                    | Opcode::TupleElementAddr
                    | Opcode::RefElementAddr
                    | Opcode::ProjectBox
                    | Opcode::UncheckedTakeEnumDataAddr
                    | Opcode::InitEnumDataAddr
                    | Opcode::BeginAccess
                    | Opcode::BeginBorrow
            );
            let results = body.results(found.user).filter(|result| leads_on && !is_without_derivative(view, *result));
            results.for_each(|result| self.mark(result));
        }
    }
}

/// Returns whether a value is an address or refers to an object.
fn is_memory(view: &BodyView<'_>, value: Value) -> bool {
    let ty = view.body.ty(value);
    ty.is_address() || view.queries.is_class(ty.ty)
}

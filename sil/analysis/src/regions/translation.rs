//! Instructions as operations on partitions (`PartitionOpTranslator`, lib/SILOptimizer/Analysis/RegionAnalysis.cpp).
//!
//! Owns all but calls and closures, which are in `calls` and `closures`.

use sil_ir::context::{Mutability, ParameterConvention, ParameterOption, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Details, InstructionId, Value};
use sil_ir::types::{ArgumentConvention, ArgumentRole};

use super::captures::Captures;
use super::isolation::Isolation;
use super::partition::{Operation, OperationKind, Partition, Requirement, Source};
use super::roots::Roots;
use super::semantics::{Semantics, semantics_of};
use super::tracked_values::{Element, Lookup, Novelty, TrackedValue, TrackedValues};
use crate::{BodyView, Use};

/// Whether an operation requires that its operand was not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Requires {
    /// It does.
    Yes,
    /// A later one does.
    No,
}

/// Makes operations of the instructions of a function.
pub(super) struct Translator<'t, 'f, 'v, 'm> {
    pub(super) tracked: &'t mut TrackedValues<'f, 'v, 'm>,
    pub(super) current: InstructionId,
    operations: Vec<Operation>,
}

impl<'t, 'f, 'v, 'm> Translator<'t, 'f, 'v, 'm> {
    pub(super) fn new(tracked: &'t mut TrackedValues<'f, 'v, 'm>) -> Self {
        Self { tracked, current: InstructionId::from_u32(0), operations: Vec::new() }
    }

    pub(super) fn view(&self) -> &'v BodyView<'m> {
        self.tracked.values.view
    }

    /// The partition of the arguments of the function: those that cannot be sent are in one region.
    pub(super) fn entry(&mut self) -> Partition {
        let view = self.view();
        let (mut joined, mut separate) = (Vec::new(), Vec::new());
        for argument in &view.body.blocks[view.body.entry()].arguments {
            let Some(found) = self.tracked.track(*argument) else { continue };
            let elements = if self.can_be_sent(*argument) { &mut separate } else { &mut joined };
            elements.push(found.value.element);
        }
        let mut partition = Partition::single_region(&joined);
        separate.into_iter().for_each(|element| partition.track_new(element));
        partition.canonicalize();
        partition
    }

    fn can_be_sent(&self, argument: Value) -> bool {
        let view = self.view();
        let conventions = view.queries.conventions(view.function.ty);
        let index = view.body.blocks[view.body.entry()].arguments.iter().position(|other| *other == argument);
        let role = conventions.zip(index).and_then(|(conventions, index)| conventions.argument(index));
        match (conventions, role.map(|argument| argument.role)) {
            (Some(conventions), Some(ArgumentRole::Parameter(number))) => {
                let options = conventions.function.parameters[number as usize].options;
                self.tracked.values.is_sent_capture(argument) || options.contains(ParameterOption::Sending)
            }
            _ => false,
        }
    }

    /// The operations of an instruction.
    pub(super) fn translate(&mut self, id: InstructionId) -> Vec<Operation> {
        self.current = id;
        let view = self.view();
        let values = self.tracked.values;
        let results: Vec<Value> = view.body.results(id).collect();
        let operands = self.operands(id);
        match semantics_of(values, id) {
            Semantics::Ignored => {}
            Semantics::AssignFresh => results
                .into_iter()
                .for_each(|result| self.assign_all(&[result], &[], Isolation::UNKNOWN, Requires::Yes)),
            Semantics::Assign => self.assign_all(&results, &operands, values.of_conformances(id), Requires::Yes),
            Semantics::LookThrough => self.look_through(&results, operands[0]),
            Semantics::Require => self.require_all(&operands),
            Semantics::Store => self.store(operands[1], operands[0], values.of_conformances(id)),
            Semantics::StoreBorrow => self.store_borrow(&results, &operands),
            Semantics::Load => self.load(operands[0]),
            Semantics::Phi => self.branch(id),
            Semantics::Call => self.call(id),
            Semantics::Closure => self.closure(id),
            Semantics::SendingReturn => self.give_back(&operands),
            Semantics::AllocStack => self.allocate(id, &results),
            Semantics::SwitchEnum => self.switch(id, operands[0]),
            Semantics::Select => self.assign_all(&results, &operands[1..], Isolation::UNKNOWN, Requires::Yes),
            Semantics::MarkDependence => {
                self.look_through(&results, operands[0]);
                self.require_all(&operands[1..]);
            }
            Semantics::MergeRegions => self.merge_all(&operands),
            Semantics::TupleConstructor => self.construct(&operands),
            Semantics::PackElementSet => self.set_pack_element(&operands),
            Semantics::PackElement => self.pack_element(&results, &operands),
            Semantics::CastAddrBranch => self.assign_all(&[], &operands, values.of_conformances(id), Requires::Yes),
        }
        if view.opcode(id).returns() || matches!(view.opcode(id), Opcode::Throw | Opcode::ThrowAddr | Opcode::Unwind) {
            self.check_inout_sending();
        }
        std::mem::take(&mut self.operations)
    }

    pub(super) fn operands(&self, id: InstructionId) -> Vec<Use> {
        let information = self.view().opcode(id).information();
        let is_type =
            |operand: &u32| information.operand_use(*operand as usize) == sil_ir::instructions::OperandUse::Mention;
        let count = self.view().body.operands(id).len() as u32;
        (0..count)
            .filter(|operand| *operand == 0 || !is_type(operand))
            .map(|operand| Use { user: id, operand })
            .collect()
    }

    pub(super) fn value(&self, found: Use) -> Value {
        found.value(self.view().body)
    }

    pub(super) fn push(&mut self, kind: OperationKind, source: Source) {
        self.operations.push(Operation { kind, source });
    }

    fn push_here(&mut self, kind: OperationKind) {
        self.push(kind, Source::Instruction(self.current));
    }

    pub(super) fn track_use(&mut self, found: Use) -> Option<Lookup> {
        self.tracked.track(self.value(found))
    }

    /// The looked-up value must not have been sent.
    pub(super) fn require(&mut self, found: Lookup) {
        if !found.value.is_sendable {
            return self.push_here(OperationKind::Require(found.value.element, Requirement::NotSent));
        }
        let Some(base) = found.base.filter(|base| !base.is_sendable) else { return };
        let requirement = match self.mutability_of(base) {
            Some(Mutability::Let) => return,
            Some(Mutability::Var) => Requirement::NotSentToCapture,
            None => Requirement::NotSent,
        };
        self.push_here(OperationKind::Require(base.element, requirement));
    }

    /// Whether the variable that a value is can change; none where it is no variable.
    fn mutability_of(&self, base: TrackedValue) -> Option<Mutability> {
        let view = self.view();
        let value = base.value()?;
        if let Type::Box(layout) = view.queries.get(view.body.ty(value).ty) {
            let is_mutable = layout.fields.iter().any(|field| field.mutability == Mutability::Var);
            return Some(if is_mutable { Mutability::Var } else { Mutability::Let });
        }
        let (id, Opcode::AllocStack) = view.definition(value)? else { return None };
        match &view.body.instructions[id].details {
            Details::Variable(variable) => Some(variable.mutability.unwrap_or(Mutability::Var)),
            _ => Some(Mutability::Var),
        }
    }

    pub(super) fn require_all(&mut self, operands: &[Use]) {
        for operand in operands {
            if let Some(found) = self.track_use(*operand) {
                self.require(found);
            }
        }
    }

    pub(super) fn send(&mut self, value: TrackedValue, by: Use) {
        if !value.is_sendable {
            self.push(OperationKind::Send(value.element), Source::Operand(by));
        }
    }

    /// Requires the value of an operand, and sends it.
    pub(super) fn require_and_send(&mut self, operand: Use) {
        if let Some(found) = self.track_use(operand) {
            self.require(found);
            self.send(found.value, operand);
        }
    }

    pub(super) fn fresh(&mut self, value: TrackedValue) {
        if !value.is_sendable {
            self.push_here(OperationKind::AssignFresh(value.element));
        }
    }

    fn merge(&mut self, into: TrackedValue, source: Use) {
        let element = self.tracked.lookup(self.value(source)).value.element;
        if !into.is_sendable && into.element != element {
            self.push(OperationKind::Merge(into.element, element), Source::Operand(source));
        }
    }

    pub(super) fn unknown(&mut self, element: Element) {
        self.push_here(OperationKind::Unknown(element));
    }

    /// The sources get into one region, the results with them; without sources, into a new one. `isolation` is that of
    /// the results, if it is known.
    pub(super) fn assign_all(&mut self, results: &[Value], sources: &[Use], isolation: Isolation, requires: Requires) {
        let mut merged = Some(isolation.known().unwrap_or(Isolation::DISCONNECTED));
        let mut assigned: Vec<(Use, TrackedValue)> = Vec::new();
        for source in sources {
            let Some(found) = self.track_use(*source) else { continue };
            if requires == Requires::Yes {
                self.require(found);
            }
            if found.value.is_sendable {
                continue;
            }
            assigned.push((*source, found.value));
            merged = merged.and_then(|merged| merged.merge(found.value.isolation()));
            if merged.is_none() {
                self.unknown(found.value.element);
            }
        }
        for pair in assigned.windows(2) {
            self.merge(pair[0].1, pair[1].0);
        }
        let results = self.assigned_results(results, isolation);
        match (results.as_slice(), assigned.as_slice()) {
            ([], [.., (source, value)]) if isolation.is_known() => self.introduce(*value, *source, isolation),
            ([], _) => {}
            ([first, others @ ..], []) => {
                self.push_here(OperationKind::AssignFresh(*first));
                others.iter().for_each(|other| self.push_here(OperationKind::AssignFreshWith(*other, *first)));
            }
            (results, [(source, value), ..]) => {
                for result in results.iter().filter(|result| **result != value.element) {
                    self.push(OperationKind::Assign(*result, value.element), Source::Operand(*source));
                }
            }
        }
    }

    fn assigned_results(&mut self, results: &[Value], isolation: Isolation) -> Vec<Element> {
        let mut assigned = Vec::new();
        for result in results {
            let Some(isolation) = isolation.known() else {
                let found = self.tracked.track(*result).filter(|found| !found.value.is_sendable);
                assigned.extend(found.map(|found| found.value.element));
                continue;
            };
            if let Some((value, novelty)) = self.tracked.track_as(*result, isolation) {
                if novelty == Novelty::Known {
                    self.unknown(value.element);
                }
                assigned.push(value.element);
            }
        }
        assigned
    }

    /// Gives a value the isolation of an instruction.
    fn introduce(&mut self, value: TrackedValue, source: Use, isolation: Isolation) {
        let introducer = self.tracked.introducer(self.current, isolation).element;
        self.push_here(OperationKind::AssignFresh(introducer));
        self.push(OperationKind::Merge(value.element, introducer), Source::Operand(source));
    }

    /// The results have the operand as their representative. A part of a `Sendable` value that is not `Sendable` has a
    /// region of its own.
    fn look_through(&mut self, results: &[Value], operand: Use) {
        let source = self.track_use(operand).filter(|found| !found.value.is_sendable);
        for result in results {
            if let (None, Some(found)) = (source, self.tracked.track(*result)) {
                self.fresh(found.value);
            }
        }
    }

    fn store(&mut self, destination: Use, source: Use, isolation: Isolation) {
        self.store_all(destination, &[source], isolation);
    }

    /// The whole content of memory without aliases is replaced, all else gets into one region.
    fn store_all(&mut self, destination: Use, sources: &[Use], isolation: Isolation) {
        let address = self.value(destination);
        let Some(found) = self.tracked.track(address) else { return };
        let values = self.tracked.values;
        if !found.value.may_alias && !isolation.is_known() && !(Roots { values }).is_part(address) {
            return self.assign_all(&[address], sources, Isolation::UNKNOWN, Requires::Yes);
        }
        self.require(found);
        if let (true, Some(first)) = (isolation.is_known(), sources.first()) {
            self.introduce(found.value, *first, isolation);
        }
        for source in sources {
            let Some(stored) = self.track_use(*source) else { continue };
            self.require(stored);
            if !stored.value.is_sendable {
                self.merge(found.value, *source);
            }
        }
    }

    fn store_borrow(&mut self, results: &[Value], operands: &[Use]) {
        let [source, destination] = operands else { return };
        let address = self.value(*destination);
        let Some(found) = self.tracked.track(address).filter(|found| !found.value.is_sendable) else { return };
        let values = self.tracked.values;
        if !found.value.may_alias && !(Roots { values }).is_part(address) {
            return self.assign_all(results, operands, Isolation::UNKNOWN, Requires::No);
        }
        if self.track_use(*source).is_some_and(|stored| !stored.value.is_sendable) {
            self.merge(found.value, *source);
        }
    }

    /// The loaded value has the memory as its representative. A `Sendable` value may be a part of a variable that
    /// changes.
    fn load(&mut self, operand: Use) {
        if self.tracked.values.is_sendable(self.value(operand)) {
            self.require_all(&[operand]);
        }
    }

    fn branch(&mut self, id: InstructionId) {
        let view = self.view();
        let isolation = self.tracked.values.of_conformances(id);
        let mut passed: Vec<(Value, Vec<Use>)> = Vec::new();
        for operand in self.operands(id) {
            let argument = match view.opcode(id) {
                Opcode::Br | Opcode::CondBr => view.branch_argument(operand),
                _ if operand.operand == 0 => {
                    let success = view.body.targets(id).first();
                    success.and_then(|block| view.body.blocks[*block].arguments.first()).copied()
                }
                _ => None,
            };
            let Some(argument) = argument else { continue };
            match passed.iter_mut().find(|(known, _)| *known == argument) {
                Some((_, uses)) => uses.push(operand),
                None => passed.push((argument, vec![operand])),
            }
        }
        for (argument, uses) in passed {
            self.assign_all(&[argument], &uses, isolation, Requires::Yes);
        }
    }

    fn switch(&mut self, id: InstructionId, operand: Use) {
        let view = self.view();
        let cases = match &view.body.instructions[id].details {
            Details::EnumCases(cases) => cases.members.len(),
            _ => 0,
        };
        for block in view.body.targets(id).iter().take(cases) {
            if let [argument] = view.body.blocks[*block].arguments[..] {
                self.assign_all(&[argument], &[operand], Isolation::UNKNOWN, Requires::Yes);
            }
        }
    }

    fn give_back(&mut self, operands: &[Use]) {
        let view = self.view();
        let results = view.queries.conventions(view.function.ty).map(|found| &found.function.results);
        let first = results.and_then(|results| results.first());
        if !first.is_some_and(|result| result.options.contains(ParameterOption::Sending)) {
            return self.require_all(operands);
        }
        operands.iter().for_each(|operand| self.require_and_send(*operand));
    }

    fn allocate(&mut self, id: InstructionId, results: &[Value]) {
        let isolation = self.tracked.values.of_instruction(id);
        let is_own = isolation.known().is_some_and(|isolation| !isolation.is_disconnected());
        let isolation = if is_own { isolation } else { Isolation::UNKNOWN };
        self.assign_all(results, &[], isolation, Requires::Yes);
    }

    fn merge_all(&mut self, operands: &[Use]) {
        let [first, others @ ..] = operands else { return };
        let Some(into) = self.track_use(*first).filter(|_| !others.is_empty()) else { return };
        self.require(into);
        for operand in others {
            let Some(found) = self.track_use(*operand) else { continue };
            self.require(found);
            if !found.value.is_sendable {
                self.merge(into.value, *operand);
            }
        }
    }

    fn construct(&mut self, operands: &[Use]) {
        if let [destination, elements @ ..] = operands {
            self.store_all(*destination, elements, Isolation::UNKNOWN);
        }
    }

    fn set_pack_element(&mut self, operands: &[Use]) {
        let (Some(value), Some(pack)) = (operands.first(), operands.last()) else { return };
        if self.tracked.values.is_sendable(self.value(*value)) {
            return self.require_all(operands);
        }
        self.store(*pack, *value, Isolation::UNKNOWN);
    }

    fn pack_element(&mut self, results: &[Value], operands: &[Use]) {
        let Some(pack) = operands.last() else { return };
        if results.iter().all(|result| self.tracked.values.is_sendable(*result)) {
            return self.require_all(&[*pack]);
        }
        self.assign_all(results, &[*pack], Isolation::UNKNOWN, Requires::Yes);
    }

    /// The value of an `inout sending` parameter must be disconnected at the end of the function.
    fn check_inout_sending(&mut self) {
        let view = self.view();
        let Some(conventions) = view.queries.conventions(view.function.ty) else { return };
        for (argument, value) in conventions.arguments().zip(&view.body.blocks[view.body.entry()].arguments) {
            let ArgumentRole::Parameter(number) = argument.role else { continue };
            let is_sending =
                conventions.function.parameters[number as usize].options.contains(ParameterOption::Sending);
            let is_inout = matches!(
                argument.convention,
                ArgumentConvention::Parameter(ParameterConvention::InOut | ParameterConvention::InOutAliasable)
            );
            if !is_sending || !is_inout {
                continue;
            }
            if let Some(found) = self.tracked.track(*value).filter(|found| !found.value.is_sendable) {
                self.operations.insert(
                    0,
                    Operation {
                        kind: OperationKind::InOutSendingAtExit(found.value.element),
                        source: Source::Instruction(self.current),
                    },
                );
            }
        }
    }
}

/// All operations of a function, by block, with the partition that it begins with.
pub(super) struct Translation {
    pub(super) captures: Captures,
    pub(super) entry: Partition,
    pub(super) operations: Vec<Vec<Operation>>,
}

impl Translation {
    pub(super) fn of(tracked: &mut TrackedValues<'_, '_, '_>) -> Self {
        let captures = Captures::of(tracked);
        let body = tracked.values.view.body;
        let mut translator = Translator::new(tracked);
        let entry = translator.entry();
        let operations = body
            .blocks
            .keys()
            .map(|block| body.instructions_in(block).flat_map(|id| translator.translate(id)).collect())
            .collect();
        Self { captures, entry, operations }
    }
}

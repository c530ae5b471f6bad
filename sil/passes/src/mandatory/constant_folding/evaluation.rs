//! Evaluates the values of a body: literals, results of transparent functions, and contents of variables.
//!
//! Transparent functions are evaluated at their call sites, block by block. Known values in all blocks count, reachable
//! or not, as they would after inlining.

use std::cell::OnceCell;
use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ApplySite, ControlFlowGraph, field_number};
use sil_ir::context::{ParameterConvention, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{BlockId, Body, Details, FunctionFlag, FunctionId, InstructionId, Module, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};

use super::memory::{Memory, Writer};
use super::places::{Capture, Place, Places};
use crate::knowledge::constants::{Known, literal};
use crate::knowledge::operations::{Fault, computed};
use crate::knowledge::witnesses::{Witness, WitnessIndex};

/// The greatest depth of followed calls of transparent functions.
const DEEPEST_CALL: usize = 16;

/// The greatest number of evaluated instructions for one function of the program.
const BUDGET: usize = 200_000;

/// The greatest number of evaluated instructions for one call.
const CALL_BUDGET: usize = 20_000;

/// The evaluation of one function of the program.
pub(super) struct Evaluation<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    /// Made for the first method lookup.
    witnesses: OnceCell<WitnessIndex>,
    prepared: FxHashMap<FunctionId, Rc<Prepared>>,
    budget: usize,
    /// The callees that exceeded the budget of a call.
    costly: FxHashSet<(FunctionId, SubstitutionMapId)>,
    /// The faults, with the instruction of the function that causes them.
    pub(super) faults: Vec<(InstructionId, Fault)>,
}

struct Prepared {
    cfg: ControlFlowGraph,
    places: Places,
}

impl Prepared {
    /// Prepares a function that is evaluated for a call. Its address arguments are variables of the caller.
    fn callee(queries: &TypeQueries<'_>, body: &Body) -> Self {
        let mut prepared = Self::program(queries, body);
        let arguments = body.blocks.get(body.entry()).map(|entry| entry.arguments.as_slice()).unwrap_or_default();
        let addresses = arguments.iter().copied().filter(|argument| body.ty(*argument).is_address());
        prepared.places.add(queries, body, addresses);
        prepared
    }

    /// Prepares a function of the program. Other code may access its address arguments: their contents are unknown.
    fn program(queries: &TypeQueries<'_>, body: &Body) -> Self {
        let is_allocation = |id: &_| matches!(body.instructions[*id].opcode, Opcode::AllocStack | Opcode::AllocBox);
        let allocations = body.placed_instructions().filter(is_allocation).filter_map(|id| body.result(id));
        let mut places = Places::default();
        places.add(queries, body, allocations);
        Self { cfg: ControlFlowGraph::new(body), places }
    }
}

/// A body under evaluation.
struct Frame<'b> {
    body: &'b Body,
    prepared: &'b Prepared,
    /// The substitutions for the body's generic parameters.
    substitutions: SubstitutionMapId,
    known: FxHashMap<Value, Known>,
    memory: Memory,
    /// Whether unknown code may have run, which may have changed escaped variables.
    ran_unseen: bool,
    /// The call of the program that led to this body; `None` in the program itself.
    call: Option<InstructionId>,
    depth: usize,
    result: Option<Known>,
}

/// The result of evaluating a call.
struct Evaluated {
    result: Option<Known>,
    /// The contents of its argument memory after the call.
    memory: Vec<Option<Known>>,
    /// Whether unknown code may have run.
    ran_unseen: bool,
}

impl<'m> Evaluation<'m> {
    pub(super) fn new(module: &'m Module, queries: &'m TypeQueries<'m>) -> Self {
        Self {
            module,
            queries,
            witnesses: OnceCell::new(),
            prepared: FxHashMap::default(),
            budget: BUDGET,
            costly: FxHashSet::default(),
            faults: Vec::new(),
        }
    }

    /// Returns the known values of a function of the program.
    pub(super) fn of_program(&mut self, body: &Body) -> FxHashMap<Value, Known> {
        let prepared = Prepared::program(self.queries, body);
        let mut frame = Frame::new(body, &prepared, SubstitutionMapId::EMPTY, None);
        self.run(&mut frame);
        frame.known
    }

    fn run(&mut self, frame: &mut Frame<'_>) {
        let (cfg, body) = (&frame.prepared.cfg, frame.body);
        let mut behind: SecondaryMap<BlockId, Option<Memory>> = SecondaryMap::new();
        let mut returned = Memory::default();
        for block in cfg.reverse_post_order() {
            if *block != body.entry() {
                frame.memory = merged(frame, &behind, *block);
            }
            for id in body.instructions_in(*block) {
                let Some(budget) = self.budget.checked_sub(1) else { return };
                self.budget = budget;
                self.instruction(frame, id);
                if body.instructions[id].opcode == Opcode::Return {
                    frame.result = body.operands(id).first().and_then(|value| frame.known.get(value)).cloned();
                    returned = frame.memory.clone();
                }
            }
            behind[*block] = Some(std::mem::take(&mut frame.memory));
        }
        frame.memory = returned;
    }

    fn instruction(&mut self, frame: &mut Frame<'_>, id: InstructionId) {
        use Opcode::*;
        let body = frame.body;
        let operands = body.operands(id);
        // An instruction may change the variables that escape at it.
        frame.memory.escaped.extend(frame.prepared.places.escaping_at(id));
        let known = |value: &Value| frame.known.get(value).cloned();
        let found = match body.instructions[id].opcode {
            IntegerLiteral | FloatLiteral => literal(self.queries, body, id),
            Struct | Tuple => Known::whole(operands.iter().map(known).collect()),
            Enum => {
                let views::Enum { case, .. } = views::Enum::of(body, id);
                Some(Known::Case(case))
            }
            StructExtract | TupleExtract => {
                field_number(self.queries, body, id).and_then(|field| known(&operands[0])?.part(&[field]).cloned())
            }
            CopyValue | MoveValue | BeginBorrow => known(&operands[0]),
            DestructureStruct | DestructureTuple => {
                if let Some(Known::Parts(parts)) = known(&operands[0]) {
                    let results = body.results(id).zip(parts);
                    frame.known.extend(results.filter_map(|(value, part)| Some((value, part?))));
                }
                None
            }
            Load | LoadBorrow => frame.read(operands[0]),
            Store | Assign => {
                let value = known(&operands[0]);
                frame.write(operands[1], value, id);
                None
            }
            CopyAddr => {
                let value = frame.read(operands[0]);
                frame.write(operands[1], value, id);
                None
            }
            BeginAccess | EndAccess | DeallocStack => None,
            Builtin => {
                let computed = self.builtin(frame, id);
                if computed.is_none() {
                    frame.run_unseen();
                }
                computed
            }
            Apply | TryApply => self.call(frame, id),
            opcode => {
                if opcode.information().memory.may_write() {
                    frame.run_unseen();
                }
                None
            }
        };
        if let (Some(found), Some(result)) = (found, body.result(id)) {
            frame.known.insert(result, found);
        }
    }

    fn builtin(&mut self, frame: &Frame<'_>, id: InstructionId) -> Option<Known> {
        let views::Builtin { arguments, builtin } = views::Builtin::of(frame.body, id);
        let word = self.module.platform.pointer_width.bits();
        let operation = builtin.operation()?.with_words_of(word);
        let arguments: Vec<Option<Known>> = arguments.iter().map(|value| frame.known.get(value).cloned()).collect();
        let mut faults = Vec::new();
        let result = computed(&operation, &arguments, &mut faults);
        let at = frame.call.unwrap_or(id);
        self.faults.extend(faults.into_iter().map(|fault| (at, fault)));
        result
    }

    /// Returns the result of a call. Memory that it may write is unknown afterwards, unless the call is evaluated.
    fn call(&mut self, frame: &mut Frame<'_>, id: InstructionId) -> Option<Known> {
        let body = frame.body;
        let site = ApplySite::new(body, id)?;
        let arguments = site.arguments();
        let known: Vec<Option<Known>> = arguments
            .iter()
            .map(|value| match body.ty(*value).is_address() {
                true => frame.read(*value),
                false => frame.known.get(value).cloned(),
            })
            .collect();
        let conventions = site.conventions(self.queries);
        let convention = |number: usize| {
            let argument = conventions.and_then(|conventions| site.argument_of_operand(conventions, number + 1));
            argument.map(|argument| argument.convention)
        };
        let is_apply = body.instructions[id].opcode == Opcode::Apply;
        let callee = is_apply.then(|| self.callee(frame, site)).flatten();
        let evaluated = callee.and_then(|(callee, substitutions)| {
            // In a library function only the arguments can be faulty.
            let is_own = !self.module.functions[callee].has(FunctionFlag::Canonical);
            let is_given =
                |(number, _): &(usize, &Value)| !matches!(convention(*number), Some(ArgumentConvention::Result(_)));
            let mut given = arguments.iter().enumerate().filter(is_given);
            let is_constant = given.all(|(_, value)| self.is_metatype(body.ty(*value).ty));
            if !is_own && !is_constant && known.iter().all(Option::is_none) {
                return None;
            }
            match frame.call {
                Some(_) => self.evaluate((callee, substitutions), &known, frame.call, frame.depth + 1),
                None => self.evaluate_in_program((callee, substitutions), &known, id),
            }
        });
        if evaluated.as_ref().is_none_or(|evaluated| evaluated.ran_unseen) {
            let captures = body.operands(id).iter().flat_map(|value| frame.prepared.places.captured_by(*value));
            for capture in captures {
                // The closures that an inlined function calls are known.
                if evaluated.is_none() || self.may_change(body, capture) {
                    frame.memory.forget(&Place::whole(capture.variable));
                }
            }
            frame.run_unseen();
        }
        let (result, memory) = match evaluated {
            Some(Evaluated { result, memory, .. }) => (result, memory),
            None => (None, vec![None; arguments.len()]),
        };
        for (number, (value, after)) in arguments.iter().zip(memory).enumerate() {
            let is_read = convention(number) == Some(ArgumentConvention::Parameter(ParameterConvention::InGuaranteed));
            if body.ty(*value).is_address() && !is_read {
                frame.write(*value, after, id);
            }
        }
        result
    }

    /// Returns whether a closure may change a captured variable.
    fn may_change(&mut self, body: &Body, capture: &Capture) -> bool {
        self.captured_argument(body, capture).is_none_or(|(id, argument)| {
            let (module, queries) = (self.module, self.queries);
            let Some(body) = &module.functions[id].body else { return true };
            let prepared = self.prepared.entry(id).or_insert_with(|| Rc::new(Prepared::callee(queries, body)));
            let arguments = body.blocks.get(body.entry()).map_or(&[][..], |entry| entry.arguments.as_slice());
            arguments.get(argument).is_none_or(|argument| prepared.places.is_changed(*argument))
        })
    }

    /// Returns the function of a closure, and the index of its argument for a captured variable.
    fn captured_argument(&self, body: &Body, capture: &Capture) -> Option<(FunctionId, usize)> {
        let site = ApplySite::new(body, capture.by.user)?;
        let (reference, conventions) = (body.defining(site.callee()?)?, site.conventions(self.queries)?);
        let function = self.module.function_named(views::FunctionRef::get(body, reference)?.function)?;
        let argument = site.numbering(conventions).sil_argument_of_operand(capture.by.operand as usize)?;
        Some((function, argument))
    }

    /// Returns the callee of a call and its substitutions.
    fn callee(&self, frame: &Frame<'_>, site: ApplySite<'_>) -> Option<(FunctionId, SubstitutionMapId)> {
        let Details::Apply(apply) = &frame.body.instructions[site.instruction].details else { return None };
        let applied = self.queries.substitute_map(apply.substitutions, frame.substitutions);
        if let Some(name) = site.called_function() {
            return Some((self.module.function_named(name)?, applied));
        }
        let lookup = frame.body.defining(site.callee()?)?;
        if frame.body.instructions[lookup].opcode != Opcode::WitnessMethod {
            return None;
        }
        let method = views::WitnessMethod::of(frame.body, lookup).method;
        let ty = self.queries.substitute(method.lookup?, frame.substitutions);
        let witnesses = self.witnesses.get_or_init(|| WitnessIndex::new(self.module));
        match witnesses.witness(self.module, self.queries, ty, method, applied) {
            Witness::Function(name, substitutions) => Some((self.module.function_named(name)?, substitutions)),
            Witness::Unknown(..) | Witness::None => None,
        }
    }

    fn is_metatype(&self, ty: TypeId) -> bool {
        matches!(self.queries.get(ty), Type::Metatype { .. })
    }

    /// Evaluates the callee of a call in the program within the budget of a call.
    fn evaluate_in_program(
        &mut self,
        callee: (FunctionId, SubstitutionMapId),
        arguments: &[Option<Known>],
        call: InstructionId,
    ) -> Option<Evaluated> {
        if self.costly.contains(&callee) {
            return None;
        }
        let kept = self.budget.saturating_sub(CALL_BUDGET);
        self.budget -= kept;
        let evaluated = self.evaluate(callee, arguments, Some(call), 1);
        // An incomplete evaluation may have missed writes to memory.
        let is_done = self.budget > 0;
        if !is_done {
            self.costly.insert(callee);
        }
        self.budget += kept;
        evaluated.filter(|_| is_done)
    }

    /// Evaluates a transparent function with partially known arguments.
    fn evaluate(
        &mut self,
        (id, substitutions): (FunctionId, SubstitutionMapId),
        arguments: &[Option<Known>],
        call: Option<InstructionId>,
        depth: usize,
    ) -> Option<Evaluated> {
        let function = &self.module.functions[id];
        let body = function.body.as_ref()?;
        let parameters = &body.blocks.get(body.entry())?.arguments;
        if !function.has(FunctionFlag::Transparent) || depth > DEEPEST_CALL || parameters.len() != arguments.len() {
            return None;
        }
        let queries = self.queries;
        let prepared = self.prepared.entry(id).or_insert_with(|| Rc::new(Prepared::callee(queries, body))).clone();
        let mut frame = Frame { depth, ..Frame::new(body, &prepared, substitutions, call) };
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let Some(argument) = argument.clone() else { continue };
            if !body.ty(*parameter).is_address() {
                frame.known.insert(*parameter, argument);
            } else if prepared.places.of(*parameter).is_some() {
                frame.memory.write(&Place::whole(*parameter), Some(argument), Writer::Caller);
            }
        }
        self.run(&mut frame);
        let memory = parameters.iter().map(|parameter| frame.memory.read(&Place::whole(*parameter))).collect();
        Some(Evaluated { result: frame.result, memory, ran_unseen: frame.ran_unseen })
    }
}

impl<'b> Frame<'b> {
    /// Creates a frame without known values.
    fn new(
        body: &'b Body,
        prepared: &'b Prepared,
        substitutions: SubstitutionMapId,
        call: Option<InstructionId>,
    ) -> Self {
        let (known, memory) = (FxHashMap::default(), Memory::default());
        Self { body, prepared, substitutions, known, memory, ran_unseen: false, call, depth: 0, result: None }
    }

    /// Accounts for the execution of unknown code.
    fn run_unseen(&mut self) {
        self.ran_unseen = true;
        self.memory.forget_escaped();
    }

    fn read(&self, address: Value) -> Option<Known> {
        self.memory.read(self.prepared.places.of(address)?)
    }

    /// Records that `by` writes a value to an address.
    fn write(&mut self, address: Value, value: Option<Known>, by: InstructionId) {
        match self.prepared.places.of(address) {
            Some(place) => self.memory.write(place, value, Writer::Instruction(by)),
            None => self.run_unseen(),
        }
    }
}

/// Returns the known memory at the start of a block, merged over all predecessors. For back edges, only the variables
/// that change on them are known.
fn merged(frame: &Frame<'_>, behind: &SecondaryMap<BlockId, Option<Memory>>, block: BlockId) -> Memory {
    let predecessors = frame.prepared.cfg.predecessors(block);
    let mut visited = predecessors.iter().filter_map(|predecessor| behind[*predecessor].as_ref());
    let Some(mut memory) = visited.next().cloned() else { return Memory::default() };
    visited.for_each(|other| memory.merge(other));
    let mut open: Vec<BlockId> = predecessors.iter().copied().filter(|block| behind[*block].is_none()).collect();
    let mut round = FxHashSet::from_iter([block]);
    while let Some(inner) = open.pop() {
        if round.insert(inner) {
            open.extend(frame.prepared.cfg.predecessors(inner));
        }
    }
    if round.len() > 1 || predecessors.contains(&block) {
        frame.prepared.places.changed_in(&round).for_each(|place| memory.forget(place));
        memory.escaped.extend(frame.prepared.places.escaping_in(frame.body, &round));
        memory.forget_escaped();
    }
    memory
}

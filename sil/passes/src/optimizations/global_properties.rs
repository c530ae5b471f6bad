//! Folds array property checks if the whole module shows that the arrays have native storage. Follows
//! lib/SILOptimizer/IPO/GlobalPropertyOpt.cpp.
//!
//! The nodes of the dependency graph are values, variables and stored properties that hold arrays. An edge leads from a
//! holder to each receiver of its array. A node that may receive an array of unknown origin is unknown, and so are all
//! nodes that depend on it.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use sil_analysis::{BodyView, ModuleExtent, Use};
use sil_ir::context::{MemberId, MemberTarget, NominalId, SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Store, Unary};
use sil_ir::model::{BlockId, Details, FunctionId, InstructionId, Place, Value};
use sil_ir::types::TypeQueries;

use crate::editing::array_call_motion::answer_native_type_check;
use crate::editing::editor::Editor;
use crate::knowledge::array_calls::ArrayCall;
use crate::knowledge::array_semantics::ArrayFunction;
use crate::knowledge::visibility::is_property_visible_elsewhere;
use crate::pass::{Description, Environment, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const GLOBAL_PROPERTY_OPTIMIZATION: Pass = Pass::new(&Description {
    name: "global-property-opt",
    class_name: "GlobalPropertyOpt",
    summary: "Folds questions for native storage of arrays by properties of the whole module.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Whole(answer),
});

/// Folds the array property checks with a known result.
pub(crate) fn answer(environment: ModuleEnvironment<'_>) -> Rewrites {
    let asking: Vec<(FunctionId, Vec<ArrayCall>)> = environment
        .functions()
        .into_iter()
        .filter_map(|id| Some((id, questions(environment.of_function(id)?)?)))
        .collect();
    if asking.is_empty() {
        return Rewrites::new();
    }
    let mut graph = Graph::new(environment);
    for id in environment.module.functions.keys() {
        if let Some(function) = environment.of_function(id) {
            Scan { graph: &mut graph, environment: function, view: function.view(), function: id }.run();
        }
    }
    graph.propagate();
    let rewritten = asking
        .into_iter()
        .filter_map(|(id, calls)| Some((id, Ok(graph.answer(environment.of_function(id)?, id, calls)?))));
    rewritten.collect()
}

/// The property checks of a function, or `None` if there are none.
fn questions(environment: Environment<'_>) -> Option<Vec<ArrayCall>> {
    let body = environment.body;
    let ask = |id| ArrayCall::of(environment, body, id).filter(|call| call.function == ArrayFunction::NativeTypeCheck);
    let found: Vec<ArrayCall> = body.placed_instructions().filter_map(ask).collect();
    (!found.is_empty()).then_some(found)
}

/// A holder of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    /// An array value, a tuple of arrays, or the contents of a stack variable.
    Value(FunctionId, Value),
    /// A stored property, in all instances of its type.
    Property(NominalId, u32),
    /// Any other memory.
    Unknown,
}

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node(u32);
cranelift_entity::entity_impl!(Node);

/// The property of a holder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// All origins found so far have native storage.
    Native,
    /// It may have foreign storage, or need element checks.
    Unknown,
}

struct Graph<'m> {
    queries: &'m TypeQueries<'m>,
    extent: ModuleExtent,
    nodes: FxHashMap<Holder, Node>,
    layouts: PrimaryMap<Node, Layout>,
    /// The receivers of each node's array.
    receivers: PrimaryMap<Node, Vec<Node>>,
    /// The worklist of unknown nodes.
    open: Vec<Node>,
}

impl<'m> Graph<'m> {
    fn new(environment: ModuleEnvironment<'m>) -> Self {
        let mut graph = Self {
            queries: environment.queries,
            extent: environment.settings.extent,
            nodes: FxHashMap::default(),
            layouts: PrimaryMap::new(),
            receivers: PrimaryMap::new(),
            open: Vec::new(),
        };
        graph.forget(Holder::Unknown);
        graph
    }

    fn node(&mut self, holder: Holder) -> Node {
        if let Some(node) = self.nodes.get(&holder) {
            return *node;
        }
        let node = self.layouts.push(Layout::Native);
        self.receivers.push(Vec::new());
        self.nodes.insert(holder, node);
        if let Holder::Property(declaration, index) = holder
            && is_property_visible_elsewhere(self.queries, (declaration, index), self.extent)
        {
            self.set_unknown(node);
        }
        node
    }

    /// The stored property, or unknown memory if the member is none.
    fn property(&self, member: MemberId) -> Holder {
        let member = self.queries.context.get_member(member);
        match (member.parent, member.target) {
            (Some(parent), MemberTarget::Stored(index)) => Holder::Property(parent, index),
            _ => Holder::Unknown,
        }
    }

    fn pass(&mut self, from: Holder, to: Holder) {
        let (from, to) = (self.node(from), self.node(to));
        self.receivers[from].push(to);
    }

    /// Marks a holder as unknown.
    fn forget(&mut self, holder: Holder) {
        let node = self.node(holder);
        self.set_unknown(node);
    }

    fn set_unknown(&mut self, node: Node) {
        if std::mem::replace(&mut self.layouts[node], Layout::Unknown) == Layout::Native {
            self.open.push(node);
        }
    }

    fn propagate(&mut self) {
        while let Some(node) = self.open.pop() {
            for receiver in self.receivers[node].clone() {
                self.set_unknown(receiver);
            }
        }
    }

    /// Returns the function with the known checks folded.
    fn answer(&self, environment: Environment<'_>, function: FunctionId, calls: Vec<ArrayCall>) -> Option<Rewrite> {
        let mut editor = Editor::new(environment);
        for call in calls {
            let array = call.array(environment.body).map(|array| Holder::Value(function, array));
            let node = array.and_then(|array| self.nodes.get(&array));
            if node.is_some_and(|node| self.layouts[*node] == Layout::Native) {
                answer_native_type_check(&mut editor, call, Place::Before(call.instruction));
            }
        }
        editor.finish()
    }
}

/// Adds the instructions of a function to the graph.
struct Scan<'a, 'm> {
    graph: &'a mut Graph<'m>,
    environment: Environment<'m>,
    view: BodyView<'m>,
    function: FunctionId,
}

impl Scan<'_, '_> {
    fn run(mut self) {
        for block in self.view.body.blocks.keys() {
            self.arguments(block);
            for id in self.view.body.instructions_in(block) {
                if !self.passes_arrays(id) {
                    self.forget_results(id);
                }
            }
        }
    }

    fn value(&self, value: Value) -> Holder {
        Holder::Value(self.function, value)
    }

    fn is_array(&self, value: Value) -> bool {
        let ty = self.view.body.ty(value);
        !ty.is_address() && self.view.queries.is_array(ty.ty)
    }

    /// Returns whether a type is a tuple with an array element. Nested tuples are not considered.
    fn is_tuple_of_arrays(&self, ty: SilType) -> bool {
        let Type::Tuple(elements) = self.view.queries.get(ty.ty) else { return false };
        elements.iter().any(|element| self.view.queries.is_array(element.ty))
    }

    fn may_hold_arrays(&self, value: Value) -> bool {
        self.is_array(value) || self.is_tuple_of_arrays(self.view.body.ty(value))
    }

    /// Adds edges from incoming values to block arguments.
    fn arguments(&mut self, block: BlockId) {
        for argument in self.view.body.blocks[block].arguments.clone() {
            if !self.may_hold_arrays(argument) {
                continue;
            }
            match self.view.incoming_values(argument) {
                Some(passed) => {
                    for value in passed {
                        self.graph.pass(self.value(value), self.value(argument));
                    }
                }
                None => self.graph.forget(self.value(argument)),
            }
        }
    }

    /// Adds the edges of an instruction that does not create arrays. Returns whether it is fully modelled.
    fn passes_arrays(&mut self, id: InstructionId) -> bool {
        let body = self.view.body;
        let result = body.result(id);
        let is_array = result.is_some_and(|result| self.is_array(result));
        match (self.view.opcode(id), result) {
            (Opcode::Apply, _) => self.makes_native(id),
            (Opcode::Load | Opcode::LoadBorrow, Some(loaded)) if is_array => {
                let holder = self.at_address(Unary::of(body, id).operand);
                self.graph.pass(holder, self.value(loaded));
                true
            }
            (Opcode::Store, _) => {
                let Store { source, destination } = Store::of(body, id);
                if self.is_array(source) {
                    let holder = self.at_address(destination);
                    self.graph.pass(self.value(source), holder);
                }
                true
            }
            (Opcode::RefElementAddr | Opcode::StructElementAddr, Some(address)) => {
                if self.view.queries.is_array(body.ty(address).ty) && self.escapes(address) {
                    let holder = self.at_address(address);
                    self.graph.forget(holder);
                }
                // An address holds no array itself.
                true
            }
            (Opcode::StructExtract, Some(part)) if is_array => {
                let holder = self.member(id);
                self.graph.pass(holder, self.value(part));
                true
            }
            (Opcode::TupleExtract, Some(part)) if is_array => {
                self.graph.pass(self.value(body.operands(id)[0]), self.value(part));
                true
            }
            (Opcode::Tuple, Some(whole)) => {
                for (_, part) in self.arrays_among_operands(id) {
                    self.graph.pass(self.value(part), self.value(whole));
                }
                true
            }
            (Opcode::Struct, Some(whole)) => {
                self.parts_of_struct(id, whole);
                false
            }
            (Opcode::AllocStack, _) => true,
            _ => false,
        }
    }

    /// Returns whether a call creates no array or one with native storage.
    fn makes_native(&self, id: InstructionId) -> bool {
        use ArrayFunction::{Init, InitEmpty, MakeMutable, MutateUnknown, Uninitialized};
        ArrayCall::of(self.environment, self.view.body, id)
            .is_some_and(|call| matches!(call.function, Init | InitEmpty | Uninitialized | MutateUnknown | MakeMutable))
    }

    /// Adds edges from the operands of a `struct` to the stored properties.
    fn parts_of_struct(&mut self, id: InstructionId, whole: Value) {
        let body = self.view.body;
        let Some(nominal) = self.view.queries.as_nominal(body.ty(whole).ty) else { return };
        for (index, part) in self.arrays_among_operands(id) {
            self.graph.pass(self.value(part), Holder::Property(nominal.declaration, index));
        }
    }

    /// The array operands, with their indices.
    fn arrays_among_operands(&self, id: InstructionId) -> Vec<(u32, Value)> {
        let operands = (0..).zip(self.view.body.operands(id).iter().copied());
        operands.filter(|(_, operand)| self.is_array(*operand)).collect()
    }

    /// The stored property that a projection refers to.
    fn member(&self, id: InstructionId) -> Holder {
        match self.view.body.instructions[id].details {
            Details::Member(member) => self.graph.property(member),
            _ => Holder::Unknown,
        }
    }

    /// The holder at an address.
    fn at_address(&mut self, mut address: Value) -> Holder {
        while let Some((id, opcode)) = self.view.definition(address) {
            match opcode {
                Opcode::MarkDependence => address = self.view.body.operands(id)[0],
                Opcode::RefElementAddr | Opcode::StructElementAddr => return self.member(id),
                Opcode::AllocStack => {
                    let holder = self.value(address);
                    if !self.graph.nodes.contains_key(&holder) && self.escapes(address) {
                        self.graph.forget(holder);
                    }
                    return holder;
                }
                _ => break,
            }
        }
        Holder::Unknown
    }

    /// Marks the results of an instruction as unknown.
    fn forget_results(&mut self, id: InstructionId) {
        for result in self.view.body.results(id) {
            if self.may_hold_arrays(result) {
                self.graph.forget(self.value(result));
            }
        }
    }

    /// Returns whether unknown instructions may write to an address.
    fn escapes(&self, address: Value) -> bool {
        let mut open = vec![(address, Stores::Seen)];
        while let Some((address, stores)) = open.pop() {
            for found in self.view.uses.of(address) {
                match self.use_of_address(*found, stores) {
                    AddressUse::Harmless => {}
                    AddressUse::Escapes => return true,
                    AddressUse::Projects(stores) => {
                        open.extend(self.view.body.results(found.user).map(|result| (result, stores)));
                    }
                }
            }
        }
        false
    }

    fn use_of_address(&self, found: Use, stores: Stores) -> AddressUse {
        use Opcode::*;
        match self.view.opcode(found.user) {
            Load | LoadBorrow | DebugValue | StrongRelease | StrongRetain | DestroyAddr | DeallocBox | DeallocStack => {
                AddressUse::Harmless
            }
            Store if stores == Stores::Seen && found.operand == 1 => AddressUse::Harmless,
            StructElementAddr | TupleElementAddr | AddressToPointer | PointerToAddress => {
                AddressUse::Projects(Stores::Unseen)
            }
            MarkDependence if found.operand == 0 => AddressUse::Projects(stores),
            MarkDependence => AddressUse::Harmless,
            Apply => {
                let call = ArrayCall::of(self.environment, self.view.body, found.user);
                let is_own = |call: ArrayCall| {
                    call.convention.is_some() && call.array_operand(self.view.body) == found.operand as usize
                };
                if call.is_some_and(is_own) { AddressUse::Harmless } else { AddressUse::Escapes }
            }
            _ => AddressUse::Escapes,
        }
    }
}

/// Whether the graph models the stores to an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stores {
    Seen,
    /// A store counts as an unknown use.
    Unseen,
}

/// The effect of a use on an address.
enum AddressUse {
    Harmless,
    Escapes,
    /// The result is an address of the same memory.
    Projects(Stores),
}

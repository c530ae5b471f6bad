//! A body with the analyses that most questions about it need: its function, uses, control-flow graph, and facts of its
//! types.

use std::sync::{Arc, OnceLock};

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use sil_ir::context::{
    BuiltinType, FunctionAttribute, MemberId, MemberTarget, Mutability, Name, NominalId, Representation, Type, TypeId,
};
use sil_ir::declarations::{Origin, StoredProperty};
use sil_ir::instructions::Opcode;
use sil_ir::model::{
    BlockId, Body, Definition, Details, Function, FunctionFlag, InstructionId, Module, Ownership, Value,
};
use sil_ir::types::{ArgumentConvention, Knowledge, ReferenceKind, TypeQueries};

use super::{
    Analyses, ControlFlowGraph, DeadEndBlocks, Dominators, OwnershipKinds, Projection, ProjectionPath, Use, Uses,
};

/// A body as it was when the view was made; a change of the body makes it stale.
pub struct BodyView<'m> {
    /// The module.
    pub module: &'m Module,
    /// Answers about its types.
    pub queries: &'m TypeQueries<'m>,
    /// The function.
    pub function: &'m Function,
    /// Its body.
    pub body: &'m Body,
    /// The control-flow graph.
    pub cfg: Arc<ControlFlowGraph>,
    /// The uses of all values.
    pub uses: Arc<Uses>,
    /// How each argument of the entry block is passed.
    conventions: Vec<ArgumentConvention>,
    /// The ownership of the values, in a function with ownership.
    ownership: Option<OwnershipKinds<'m>>,
    dominators: Arc<OnceLock<Dominators>>,
    dead_ends: Arc<OnceLock<DeadEndBlocks>>,
    /// By value, whether its type is trivial and has no raw pointer in it. Computed when it is asked for first.
    harmless: OnceLock<Vec<bool>>,
}

impl<'m> BodyView<'m> {
    /// How the arguments of the function are passed, in their order.
    pub fn argument_conventions(&self) -> &[ArgumentConvention] {
        &self.conventions
    }

    /// A view of `body`, the body of `function`.
    pub fn new(module: &'m Module, queries: &'m TypeQueries<'m>, function: &'m Function, body: &'m Body) -> Self {
        Self::with(module, queries, (function, body), &Analyses::default())
    }

    /// A view of a function's body of which something is known.
    pub fn with(
        module: &'m Module,
        queries: &'m TypeQueries<'m>,
        (function, body): (&'m Function, &'m Body),
        known: &Analyses,
    ) -> Self {
        let conventions = queries.conventions(function.ty);
        let conventions = conventions
            .map(|found| found.arguments().map(|argument| argument.convention).collect())
            .unwrap_or_default();
        let (cfg, uses) = (known.cfg(body).clone(), known.uses(body).clone());
        let has_ownership = function.has(FunctionFlag::Ossa);
        let ownership = has_ownership.then(|| known.ownership(queries, function, body));
        let (dominators, dead_ends) = (known.dominators().clone(), known.dead_ends().clone());
        let harmless = OnceLock::new();
        Self { module, queries, function, body, cfg, uses, conventions, ownership, dominators, dead_ends, harmless }
    }

    /// The dominator tree. Computed when it is asked for first.
    pub fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::new(self.body, &self.cfg))
    }

    /// The dead ends. Computed when they are asked for first.
    pub fn dead_ends(&self) -> &DeadEndBlocks {
        self.dead_ends.get_or_init(|| DeadEndBlocks::new(self.body, &self.cfg))
    }

    /// How `value` is passed to the function, where it is an argument of it.
    pub fn argument_convention(&self, value: Value) -> Option<ArgumentConvention> {
        match self.body.values[value].definition {
            Definition::Argument { block, index } if block == self.body.entry() => {
                self.conventions.get(index as usize).copied()
            }
            _ => None,
        }
    }

    /// The ownership of `value`; none in a function without ownership.
    pub fn ownership(&self, value: Value) -> Ownership {
        self.ownership.as_ref().map_or(Ownership::None, |kinds| kinds.kind(value))
    }

    /// The ownership of all values, and the effects of their uses on it; none in a function without ownership.
    pub fn ownership_kinds(&self) -> Option<&OwnershipKinds<'m>> {
        self.ownership.as_ref()
    }

    /// Whether the value's type (of an address: that of its memory) is trivial and contains no raw pointer.
    pub fn has_trivial_non_pointer_type(&self, value: Value) -> bool {
        self.harmless.get_or_init(|| self.find_harmless())[value.index()]
    }

    fn find_harmless(&self) -> Vec<bool> {
        let mut known = FxHashMap::default();
        let mut is_harmless = |ty: TypeId| {
            *known.entry(ty).or_insert_with(|| {
                let properties = self.queries.properties(ty, self.function.signature);
                let certain = properties.knowledge == Knowledge::Certain;
                certain && properties.is_trivial() && !contains_raw_pointer(self.queries, ty, NESTING)
            })
        };
        self.body.values.values().map(|value| is_harmless(value.ty.ty)).collect()
    }

    /// The parts of `value` without a load: the memory at an address, the fields of the objects that it refers to.
    pub fn contents(&self, value: Value) -> ProjectionPath {
        use Projection::*;
        let ty = self.body.ty(value);
        if ty.is_address() {
            return ProjectionPath::from(AnyValueFields);
        }
        let reference = self.queries.properties(ty.ty, self.function.signature).reference;
        if reference == Some(ReferenceKind::Class) && self.queries.is_class(ty.ty) {
            return ProjectionPath::new(&[AnyClassField, AnyValueFields]);
        }
        ProjectionPath::new(&[AnyValueFields, AnyClassField, AnyValueFields])
    }

    /// The instruction that defines `value`, and its opcode.
    pub fn definition(&self, value: Value) -> Option<(InstructionId, Opcode)> {
        let id = self.body.defining(value)?;
        Some((id, self.body.instructions[id].opcode))
    }

    /// The opcode of `id`.
    pub fn opcode(&self, id: InstructionId) -> Opcode {
        self.body.instructions[id].opcode
    }

    /// The operand number `index` of `id`.
    pub fn operand(&self, id: InstructionId, index: usize) -> Option<Value> {
        self.body.operands(id).get(index).copied()
    }

    /// The value that is used.
    pub fn used_value(&self, found: Use) -> Value {
        found.value(self.body)
    }

    /// The number of the field that a projection takes: of a class among all stored properties, those of its
    /// superclasses first.
    pub fn field_number(&self, id: InstructionId) -> Option<u32> {
        field_number(self.queries, self.body, id)
    }

    /// The number of the case that an enum instruction is about.
    pub fn case_number(&self, id: InstructionId) -> Option<u32> {
        match &self.body.instructions[id].details {
            Details::Member(member) => case_number(self.queries, *member),
            _ => None,
        }
    }

    /// The case that alone leads from the switch `id` to `target`, with its number.
    pub fn case_leading_to(&self, id: InstructionId, target: BlockId) -> Option<u32> {
        let Details::EnumCases(cases) = &self.body.instructions[id].details else { return None };
        let mut leading = self.body.targets(id).iter().enumerate().filter(|(_, found)| **found == target);
        let (index, _) = leading.next().filter(|_| leading.next().is_none())?;
        case_number(self.queries, *cases.members.get(index)?)
    }

    /// The values that branches pass to the block argument `value`; none where it is not a phi.
    pub fn incoming_values(&self, value: Value) -> Option<Vec<Value>> {
        let Definition::Argument { block, index } = self.body.values[value].definition else { return None };
        let predecessors = self.cfg.predecessors(block);
        if block == self.body.entry() || predecessors.is_empty() {
            return None;
        }
        let mut incoming = Vec::with_capacity(predecessors.len());
        for predecessor in predecessors {
            self.push_incoming(self.body.terminator(*predecessor)?, block, index as usize, &mut incoming)?;
        }
        Some(incoming)
    }

    fn push_incoming(&self, branch: InstructionId, to: BlockId, index: usize, found: &mut Vec<Value>) -> Option<()> {
        let operands = self.body.operands(branch);
        match self.body.instructions[branch].opcode {
            Opcode::Br => found.push(*operands.get(index)?),
            Opcode::CondBr => {
                let first = self.first_branch_operands(branch)?;
                for (target, start) in self.body.targets(branch).iter().zip(first) {
                    if *target == to {
                        found.push(*operands.get(start + index)?);
                    }
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Where the operands for the true and the false target of a `cond_br` start: the condition comes first.
    fn first_branch_operands(&self, branch: InstructionId) -> Option<[usize; 2]> {
        match &self.body.instructions[branch].details {
            Details::CondBranch { true_arguments, .. } => Some([1, 1 + *true_arguments as usize]),
            _ => None,
        }
    }

    /// The block argument that an operand of a branch becomes; none for the condition.
    pub fn branch_argument(&self, found: Use) -> Option<Value> {
        let targets = self.body.targets(found.user);
        let operand = found.operand as usize;
        let (target, index) = match self.body.instructions[found.user].opcode {
            Opcode::Br => (targets.first()?, operand),
            Opcode::CondBr => {
                let [first, second] = self.first_branch_operands(found.user)?;
                if operand >= second {
                    (targets.get(1)?, operand - second)
                } else {
                    (targets.first()?, operand.checked_sub(first)?)
                }
            }
            _ => return None,
        };
        self.body.blocks[*target].arguments.get(index).copied()
    }

    /// The value that the branch at the end of a block passes for an argument; none if it passes nothing.
    pub fn passed(&self, from: BlockId, argument: Value) -> Option<Value> {
        let user = self.body.terminator(from)?;
        let mut operands = (0..).zip(self.body.operands(user));
        let passed =
            operands.find(|(operand, _)| self.branch_argument(Use { user, operand: *operand }) == Some(argument));
        passed.map(|(_, value)| *value)
    }

    /// Whether the stored property that the `ref_element_addr` of `address` projects is a `let`.
    pub(super) fn is_let_field(&self, address: Value) -> bool {
        let Some(Details::Member(member)) = self.body.defining(address).map(|id| &self.body.instructions[id].details)
        else {
            return false;
        };
        let member = self.queries.context.get_member(*member);
        let (Some(parent), MemberTarget::Stored(index)) = (member.parent, member.target) else { return false };
        let property = self.queries.declarations.get(parent).stored.get(index as usize);
        property.is_some_and(|property| property.mutability == Mutability::Let)
    }

    /// Whether the global `name` is a `let`.
    pub(super) fn is_let_global(&self, name: Name) -> bool {
        let global = self.module.global_named(name);
        global.is_some_and(|global| self.module.globals[global].mutability == Mutability::Let)
    }

    /// Whether `ty` depends on the generic parameters of the function.
    pub(super) fn has_archetype(&self, ty: TypeId) -> bool {
        let open = |part| {
            let unknown = matches!(self.queries.get(part), Type::DynamicSelf(_) | Type::Unresolved { .. });
            (unknown || self.queries.is_type_parameter(part)).then_some(())
        };
        self.queries.find_in(ty, &mut { open }).is_some()
    }

    /// Whether `value` is a function that does not outlive the call that it is passed to.
    pub(super) fn is_noescape_function(&self, value: Value) -> bool {
        match self.queries.get(self.body.ty(value).ty) {
            Type::Function(function) => function.attributes.contains(FunctionAttribute::NoEscape),
            _ => false,
        }
    }

    /// The constant that `value` is.
    pub fn integer(&self, value: Value) -> Option<i128> {
        match self.body.instructions[self.body.defining(value)?].details {
            Details::Integer(integer) => Some(integer),
            _ => None,
        }
    }
}

/// How deep types are looked into for raw pointers.
const NESTING: usize = 32;

fn contains_raw_pointer(queries: &TypeQueries<'_>, ty: TypeId, nesting: usize) -> bool {
    let Some(nesting) = nesting.checked_sub(1) else { return true };
    let within = |part: TypeId| contains_raw_pointer(queries, part, nesting);
    match queries.get(ty) {
        Type::Builtin(BuiltinType::RawPointer) => true,
        Type::Builtin(BuiltinType::FixedArray { element, .. }) => within(*element),
        // A closure that does not escape is trivial, and holds a pointer to its captures.
        Type::Function(function) => function.representation == Representation::Thick,
        Type::Tuple(elements) => elements.iter().any(|element| within(element.ty)),
        Type::Nominal(nominal) => {
            let fields = queries.field_types(ty);
            let cases = 0..queries.declarations.get(nominal.declaration).cases.len() as u32;
            fields.is_some_and(|fields| fields.iter().any(|field| within(*field)))
                || cases.filter_map(|case| queries.case_payload(ty, case)).any(within)
        }
        _ => false,
    }
}

/// The number of the field that the projection `id` takes: of a class among all stored properties, those of its
/// superclasses first.
pub fn field_number(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> Option<u32> {
    match &body.instructions[id].details {
        Details::Member(member) => stored_property_number(queries, *member),
        Details::Index(index) => Some(*index),
        _ => None,
    }
}

/// The number of the stored property `member` in its type; of a class those of the superclasses come first.
fn stored_property_number(queries: &TypeQueries<'_>, member: MemberId) -> Option<u32> {
    let member = queries.context.get_member(member);
    let (Some(parent), MemberTarget::Stored(index)) = (member.parent, member.target) else { return None };
    Some(inherited_properties(queries, parent) + index)
}

/// The stored property that an object of a class has under this number, those of its superclasses counted first.
pub fn stored_property<'q>(queries: &TypeQueries<'q>, class: NominalId, number: u32) -> Option<&'q StoredProperty> {
    let mut current = class;
    // Wrong input may make a class its own superclass.
    for _ in 0..256 {
        let declaration = queries.declarations.get(current);
        let inherited = inherited_properties(queries, current);
        if let Some(own) = number.checked_sub(inherited) {
            return declaration.stored.get(own as usize);
        }
        current = declaration.superclass.and_then(|ty| queries.as_nominal(ty))?.declaration;
    }
    None
}

/// How many stored properties an object of a class has, with those of its superclasses; none where other modules may
/// add some.
pub fn stored_property_count(queries: &TypeQueries<'_>, class: NominalId) -> Option<u32> {
    let has_all = |class: NominalId| {
        let declaration = queries.declarations.get(class);
        declaration.origin != Origin::Named && !declaration.attributes.resilient
    };
    let is_known = has_all(class) && superclasses(queries, class).all(has_all);
    is_known.then(|| inherited_properties(queries, class) + queries.declarations.get(class).stored.len() as u32)
}

fn inherited_properties(queries: &TypeQueries<'_>, class: NominalId) -> u32 {
    superclasses(queries, class).map(|class| queries.declarations.get(class).stored.len() as u32).sum()
}

/// The superclasses of a class, the next one first.
fn superclasses(queries: &TypeQueries<'_>, class: NominalId) -> impl Iterator<Item = NominalId> {
    let superclass = |class: &NominalId| {
        let superclass = queries.declarations.get(*class).superclass.and_then(|ty| queries.as_nominal(ty));
        superclass.map(|superclass| superclass.declaration)
    };
    // Wrong input may make a class its own superclass.
    std::iter::successors(Some(class), superclass).skip(1).take(256)
}

fn case_number(queries: &TypeQueries<'_>, member: MemberId) -> Option<u32> {
    match queries.context.get_member(member).target {
        MemberTarget::Case(index) => Some(index),
        MemberTarget::Stored(_) | MemberTarget::Other => None,
    }
}

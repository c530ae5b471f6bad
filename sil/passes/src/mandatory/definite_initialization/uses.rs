//! Collects the uses of memory that is to be initialised (lib/SILOptimizer/Mandatory/DIMemoryUseCollector.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplyKind, ApplySite, Use, Uses};
use sil_ir::context::{MemberId, ParameterConvention, SignatureId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{RefElementAddr, Store, StructExtract, TupleExtract};
use sil_ir::model::{BlockId, Body, Definition, FunctionFlag, InstructionId, Module, Value};
use sil_ir::types::{ArgumentConvention, Copyability, TypeQueries};

use super::memory::{Kind, Memory, Owner};
use super::self_isolation::needs_self;
use crate::knowledge::elements::{Elements, Node, Step};
use crate::knowledge::init_accessors::AccessedProperties;

/// The effect of a use on elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UseKind {
    /// Initialises or assigns them: the instruction is marked once that is known.
    Assign,
    /// Initialises them.
    Initialize,
    /// Assigns a part of an element, which counts as initialised afterwards.
    PartialStore,
    /// Requires them to be initialised.
    Read,
    /// Requires them to be initialised, and may change them. They count as initialised afterwards: a mistake is
    /// reported once.
    Escape,
    /// The same for a transparent closure that passes them by reference.
    ClosureInOut,
    /// Only gets the class of the object.
    TypeOf,
    /// Requests the actor if it is initialised.
    SelfIsolation,
    /// Requires them to be initialised, and leaves them uninitialised.
    Take,
    /// Destroys the contents at the end of a scope: the memory, the box, the object itself.
    Destroy,
    /// Passes the object on to another initialiser.
    Delegate,
    /// Destroys the object that was taken from the memory to be passed on.
    Release,
    /// The return of a function whose caller expects the memory to be initialised.
    Exit,
}

/// A use of memory.
#[derive(Clone, Debug)]
pub(super) struct MemoryUse {
    /// The instruction at which the state counts.
    pub(super) instruction: InstructionId,
    /// The use that needs the elements: another instruction if the object is loaded or copied first.
    pub(super) needed_by: Use,
    pub(super) kind: UseKind,
    pub(super) elements: Elements,
    /// The address of the elements, if they form one node.
    pub(super) address: Option<Value>,
}

/// The relation of a value to the memory.
#[derive(Clone, Copy)]
enum Place<'n> {
    /// The box or the object. Only the marked value itself is destroyed with its contents.
    Owner { is_marked: bool },
    /// The address of elements.
    Node(&'n Node),
    /// The address of a part of an element.
    Inside(Elements),
    /// The address of the reference in a subclass's initialiser.
    Slot,
    /// The reference, loaded or copied by this instruction.
    Loaded(InstructionId),
    /// The reference, taken by this instruction for the superclass's initialiser.
    Taken(InstructionId),
    /// The taken reference, borrowed or copied for the arguments of that initialiser.
    Lent(InstructionId),
}

/// All uses of a memory.
pub(super) struct Collector<'c> {
    module: &'c Module,
    queries: &'c TypeQueries<'c>,
    signature: Option<SignatureId>,
    body: &'c Body,
    uses: &'c Uses,
    memory: &'c Memory,
    pub(super) found: Vec<MemoryUse>,
    /// Initialisations on the normal edge of a `try_apply`: its target block.
    pub(super) on_entry: Vec<(BlockId, Elements)>,
    seen: FxHashSet<Value>,
}

impl<'c> Collector<'c> {
    pub(super) fn collect(
        module: &'c Module,
        queries: &'c TypeQueries<'c>,
        signature: Option<SignatureId>,
        body: &'c Body,
        uses: &'c Uses,
        memory: &'c Memory,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut collector = Self {
            module,
            queries,
            signature,
            body,
            uses,
            memory,
            found: Vec::new(),
            on_entry: Vec::new(),
            seen: FxHashSet::default(),
        };
        let place = match memory.owner {
            Owner::Address => collector.contents(),
            Owner::Box | Owner::Object => Place::Owner { is_marked: true },
        };
        collector.walk(memory.value, place)?;
        collector.exits();
        Ok(collector)
    }

    /// Adds the exits of an `init` accessor, which initialises the memory of a property for its caller.
    fn exits(&mut self) {
        let body = self.body;
        if !body.instructions[self.memory.mark].attributes.contains(Attribute::Out) {
            return;
        }
        let returns = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::Return);
        for id in returns.collect::<Vec<_>>() {
            // For a tuple, Swift requires the first element only.
            let first = self.memory.root.elements() & 1;
            self.add(Use { user: id, operand: 0 }, UseKind::Exit, first, None);
        }
    }

    /// Returns the kind of place of the memory's contents.
    fn contents(&self) -> Place<'c> {
        match self.memory.kind {
            kind if kind.passes_object_on() => Place::Slot,
            _ => Place::Node(&self.memory.root),
        }
    }

    /// Visits the uses in Swift's order, depth first: of several errors in one place, the first is reported.
    fn walk(&mut self, value: Value, place: Place<'c>) -> Result<(), Box<Diagnostic>> {
        let uses = self.uses;
        let mut open = vec![(value, place, uses.of(value).iter())];
        self.seen.insert(value);
        while let Some((value, place, rest)) = open.last_mut() {
            let (value, place) = (*value, *place);
            let next = if self.is_newest_first(value, place) { rest.next_back() } else { rest.next() };
            if let Some(found) = next {
                if found.operand == 0 && self.body.instructions[found.user].opcode == Opcode::AssignOrInit {
                    self.assign_or_init(*found)?;
                    continue;
                }
                if needs_self(self.body, found.user) {
                    let superclass = if self.memory.kind.passes_object_on() { self.memory.slot() } else { 0 };
                    self.add(*found, UseKind::SelfIsolation, self.memory.all() | superclass, None);
                    continue;
                }
                let next = match place {
                    Place::Owner { is_marked } => self.owner_use(*found, is_marked)?,
                    Place::Node(node) => self.node_use(*found, value, node)?,
                    Place::Inside(elements) => self.inside_use(*found, elements)?,
                    Place::Slot => self.slot_use(*found, value)?,
                    Place::Loaded(load) => self.loaded_use(*found, load),
                    Place::Taken(load) => self.taken_use(*found, load),
                    Place::Lent(load) => self.lent_use(*found, load),
                };
                let inner = next.and_then(|next| Some((self.body.result(found.user)?, next)));
                if let Some((inner, place)) = inner.filter(|(inner, _)| self.seen.insert(*inner)) {
                    open.push((inner, place, uses.of(inner).iter()));
                }
            } else {
                open.pop();
            }
        }
        Ok(())
    }

    /// Returns whether Swift visits the uses of `value` from the last to the first. A use list begins with the newest
    /// use, but the uses of a promoted box were moved one by one, which reversed them.
    fn is_newest_first(&self, value: Value, place: Place<'_>) -> bool {
        let is_address = matches!(place, Place::Node(_) | Place::Inside(_));
        is_address && !(value == self.memory.value && self.memory.is_promoted(self.body))
    }

    fn add(&mut self, found: Use, kind: UseKind, elements: Elements, address: Option<Value>) {
        let kind = if kind == UseKind::Read { self.needs(found) } else { kind };
        self.found.push(MemoryUse { instruction: found.user, needed_by: found, kind, elements, address });
    }

    /// Adds the uses of an accessor, which initialises some properties and reads others.
    fn assign_or_init(&mut self, found: Use) -> Result<(), Box<Diagnostic>> {
        if self.memory.kind == Kind::DelegatingSelf {
            self.add(found, UseKind::Assign, self.memory.all(), None);
            return Ok(());
        }
        let Some(accessed) = AccessedProperties::of(self.queries, self.body, found.user) else {
            let what = "initialisation by an accessor of a property that is not known";
            return Err(Box::new(Diagnostic::unsupported(what, self.body.instructions[found.user].span)));
        };
        let root = &self.memory.root;
        let elements_of = |properties: &[MemberId]| {
            let parts = properties.iter().filter_map(|property| root.part(Step::Property(*property)));
            parts.fold(0, |elements, part| elements | part.elements())
        };
        let read = elements_of(&accessed.accesses);
        let initialized = elements_of(&accessed.initializes) | elements_of(accessed.own.as_slice());
        if read != 0 {
            self.add(found, UseKind::Read, read, None);
        }
        self.add(found, UseKind::Assign, initialized, None);
        Ok(())
    }

    /// Returns the requirement of a use that is no store.
    fn needs(&self, found: Use) -> UseKind {
        let instruction = &self.body.instructions[found.user];
        let may_change = match instruction.opcode {
            Opcode::AddressToPointer => true,
            Opcode::OpenExistentialAddr => instruction.attributes.contains(Attribute::MutableAccess),
            _ => matches!(self.passed(found), Some(UseKind::Escape)),
        };
        if may_change { UseKind::Escape } else { UseKind::Read }
    }

    /// Returns whether the whole value of an initialiser is passed. A method that changes it does not count as its
    /// initialisation.
    fn is_made(&self, found: Use) -> bool {
        let is_value = self.memory.kind == Kind::RootSelf && self.memory.owner != Owner::Object;
        is_value && Memory::is_whole(self.body, found.value(self.body))
    }

    /// Returns whether an object is loaded only for its class, when it may not exist yet.
    fn is_asked_for_class(&self, load: InstructionId) -> bool {
        let body = self.body;
        let users = body.result(load).map(|value| self.uses.of(value)).unwrap_or_default();
        let is_requested = |found: &Use| body.instructions[found.user].opcode == Opcode::ValueMetatype;
        let is_end =
            |found: &Use| matches!(body.instructions[found.user].opcode, Opcode::EndBorrow | Opcode::DestroyValue);
        self.memory.kind == Kind::DelegatingSelf
            && users.iter().any(is_requested)
            && users.iter().all(|found| is_requested(found) || is_end(found))
    }

    /// Returns whether a closure is only used as a setter, which runs when everything is initialised.
    fn is_setter(&self, found: Use) -> bool {
        let body = self.body;
        let mut open: Vec<Value> = body.results(found.user).collect();
        let mut is_setter = false;
        while let Some(value) = open.pop() {
            for found in self.uses.of(value) {
                match body.instructions[found.user].opcode {
                    Opcode::AssignByWrapper | Opcode::AssignOrInit => is_setter = true,
                    Opcode::BeginBorrow
                    | Opcode::CopyValue
                    | Opcode::ConvertFunction
                    | Opcode::ConvertEscapeToNoescape => {
                        open.extend(body.results(found.user));
                    }
                    Opcode::DestroyValue | Opcode::EndBorrow => {}
                    _ => return false,
                }
            }
        }
        body.instructions[found.user].opcode == Opcode::PartialApply && is_setter
    }

    /// Returns whether a value is only loaded for such a closure of a nonmutating setter.
    fn is_for_setter(&self, load: InstructionId) -> bool {
        let users = self.body.result(load).map(|value| self.uses.of(value)).unwrap_or_default();
        let opcode = |found: &Use| self.body.instructions[found.user].opcode;
        let is_end = |found: &Use| matches!(opcode(found), Opcode::EndBorrow | Opcode::DestroyValue);
        users.iter().any(|found| self.is_setter(*found))
            && users.iter().all(|found| is_end(found) || self.is_setter(*found))
    }

    /// Handles a use of the box, or of the object.
    fn owner_use(&mut self, found: Use, is_marked: bool) -> Result<Option<Place<'c>>, Box<Diagnostic>> {
        let all = self.memory.all();
        Ok(match self.body.instructions[found.user].opcode {
            Opcode::BeginBorrow => Some(Place::Owner { is_marked: false }),
            Opcode::MarkUnresolvedNonCopyableValue => Some(Place::Owner { is_marked }),
            Opcode::ProjectBox if self.memory.owner == Owner::Box => Some(self.contents()),
            Opcode::RefElementAddr if self.memory.owner == Owner::Object => self.property(found, all, found.user),
            Opcode::EndBorrow | Opcode::DebugValue | Opcode::MarkUninitialized => None,
            Opcode::DestroyValue if is_marked => {
                self.add(found, UseKind::Destroy, all, None);
                None
            }
            Opcode::CopyValue if self.memory.owner == Owner::Box => Some(Place::Owner { is_marked: false }),
            Opcode::CopyValue => Some(Place::Loaded(found.user)),
            Opcode::Upcast | Opcode::UncheckedRefCast if self.memory.owner == Owner::Object => {
                Some(Place::Owner { is_marked: false })
            }
            Opcode::DestroyValue | Opcode::DeallocBox => None,
            opcode if needs_nothing(opcode) => None,
            _ if self.is_setter(found) => None,
            // `mark_function_escape` has the requirements of closures.
            opcode
                if ApplyKind::of(opcode).is_some() && self.memory.owner == Owner::Box && self.has_marked_escapes() =>
            {
                None
            }
            Opcode::PartialApply if self.memory.owner == Owner::Object => {
                self.capture(found, found.user, &self.memory.root, all);
                None
            }
            _ => {
                self.add(found, UseKind::Read, all, None);
                None
            }
        })
    }

    /// Returns whether the function contains `mark_function_escape`, which has the requirements of closures.
    fn has_marked_escapes(&self) -> bool {
        let body = self.body;
        body.placed_instructions().any(|id| body.instructions[id].opcode == Opcode::MarkFunctionEscape)
    }

    /// Returns the address of an object's property. A superclass's property requires the superclass's initialisation.
    fn property(&mut self, found: Use, all: Elements, at: InstructionId) -> Option<Place<'c>> {
        let field = RefElementAddr::of(self.body, found.user).field;
        match self.memory.root.part(Step::Property(field)) {
            Some(node) => Some(Place::Node(node)),
            None => {
                self.needed_at(at, found, all);
                None
            }
        }
    }

    /// Records a use that requires elements at `at`.
    fn needed_at(&mut self, at: InstructionId, found: Use, elements: Elements) {
        let kind = self.needs(found);
        self.found.push(MemoryUse { instruction: at, needed_by: found, kind, elements, address: None });
    }

    /// Handles a use of the reference in the box of a subclass's initialiser.
    fn slot_use(&mut self, found: Use, value: Value) -> Result<Option<Place<'c>>, Box<Diagnostic>> {
        let (memory, body) = (self.memory, self.body);
        let attributes = body.instructions[found.user].attributes;
        Ok(match body.instructions[found.user].opcode {
            Opcode::BeginAccess => Some(Place::Slot),
            Opcode::Store if found.operand == 1 => {
                let source = Store::of(body, found.user).source;
                // The initialiser begins with the object that it gets.
                let is_given = matches!(body.values[source].definition, Definition::Argument { block, .. } if block == body.entry());
                // A reference that was not passed on is stored back.
                let is_back = is_given || self.is_taken(source);
                let elements = if is_back { memory.slot() } else { memory.slot() | memory.delegated() | memory.all() };
                self.add(found, UseKind::Initialize, elements, Some(value));
                None
            }
            Opcode::Load if attributes.contains(Attribute::Take) => {
                self.add(found, UseKind::Take, memory.slot(), Some(value));
                Some(Place::Taken(found.user))
            }
            Opcode::Load | Opcode::LoadBorrow => Some(Place::Loaded(found.user)),
            Opcode::DestroyAddr => {
                self.add(found, UseKind::Destroy, memory.all(), Some(value));
                None
            }
            Opcode::EndAccess | Opcode::DebugValue | Opcode::DeallocStack => None,
            _ => {
                self.add(found, UseKind::Read, memory.all(), None);
                None
            }
        })
    }

    /// Returns whether `value` was taken from the box.
    fn is_taken(&self, mut value: Value) -> bool {
        while let Some(id) = self.body.defining(value) {
            match self.body.instructions[id].opcode {
                Opcode::Upcast | Opcode::UncheckedRefCast => value = self.body.operands(id)[0],
                Opcode::Load => return self.seen.contains(&self.body.operands(id)[0]),
                _ => return false,
            }
        }
        false
    }

    /// Handles a use of the loaded reference. A use of the whole object requires it at the load: a copy may outlive the
    /// box.
    fn loaded_use(&mut self, found: Use, load: InstructionId) -> Option<Place<'c>> {
        let all = self.memory.all();
        match self.body.instructions[found.user].opcode {
            Opcode::BeginBorrow | Opcode::Upcast | Opcode::UncheckedRefCast | Opcode::CopyValue => {
                Some(Place::Loaded(load))
            }
            Opcode::RefElementAddr => self.property(found, all, load),
            Opcode::EndBorrow | Opcode::DestroyValue | Opcode::DebugValue => None,
            opcode if needs_nothing(opcode) => None,
            _ if self.is_setter(found) => None,
            Opcode::PartialApply if self.memory.owner == Owner::Object || self.uses_known_properties(found) => {
                self.capture(found, load, &self.memory.root, all | self.memory.slot());
                None
            }
            _ => {
                self.needed_at(load, found, all | self.memory.slot());
                None
            }
        }
    }

    /// Handles a use of the reference that the superclass's initialiser gets and returns. Any other use of it requires
    /// complete initialisation.
    fn taken_use(&mut self, found: Use, load: InstructionId) -> Option<Place<'c>> {
        let opcode = self.body.instructions[found.user].opcode;
        match opcode {
            Opcode::Upcast | Opcode::UncheckedRefCast => return Some(Place::Taken(load)),
            Opcode::CopyValue | Opcode::BeginBorrow => return Some(Place::Lent(load)),
            Opcode::DestroyValue => {
                self.add(found, UseKind::Release, self.memory.all(), Some(found.value(self.body)));
            }
            // `self` is the last of all arguments.
            _ if ApplyKind::of(opcode).is_some_and(ApplyKind::is_full)
                && found.operand as usize + 1 == self.body.operands(found.user).len() =>
            {
                self.add(found, UseKind::Delegate, self.memory.delegated(), None);
            }
            _ => {}
        }
        None
    }

    /// Handles a use of the reference in the arguments of that initialiser, which may access own properties.
    fn lent_use(&mut self, found: Use, load: InstructionId) -> Option<Place<'c>> {
        match self.body.instructions[found.user].opcode {
            Opcode::Upcast | Opcode::UncheckedRefCast | Opcode::CopyValue | Opcode::BeginBorrow => {
                Some(Place::Lent(load))
            }
            Opcode::RefElementAddr => {
                let field = RefElementAddr::of(self.body, found.user).field;
                if self.memory.root.part(Step::Property(field)).is_none() {
                    self.needed_at(load, found, self.memory.all());
                }
                None
            }
            _ => self.loaded_use(found, load),
        }
    }

    /// Handles a use of the address of elements.
    fn node_use(&mut self, found: Use, value: Value, node: &'c Node) -> Result<Option<Place<'c>>, Box<Diagnostic>> {
        let (body, elements) = (self.body, node.elements());
        let attributes = body.instructions[found.user].attributes;
        let step = match body.instructions[found.user].opcode {
            Opcode::BeginAccess | Opcode::MarkUnresolvedNonCopyableValue => return Ok(Some(Place::Node(node))),
            Opcode::StructElementAddr => Step::Property(StructExtract::of(body, found.user).field),
            Opcode::TupleElementAddr => Step::Tuple(TupleExtract::of(body, found.user).index),
            Opcode::InitEnumDataAddr => return Ok(None),
            Opcode::UncheckedTakeEnumDataAddr if self.memory.kind == Kind::Variable => {
                return Ok(Some(Place::Inside(elements)));
            }
            Opcode::InjectEnumAddr | Opcode::InitExistentialAddr => {
                self.add(found, UseKind::Initialize, elements, Some(value));
                return Ok(None);
            }
            Opcode::Assign if found.operand == 1 => {
                self.add(found, UseKind::Assign, elements, Some(value));
                return Ok(None);
            }
            Opcode::Store if found.operand == 1 => {
                let kind = if attributes.contains(Attribute::Assign) { UseKind::Read } else { UseKind::Initialize };
                self.add(found, kind, elements, Some(value));
                return Ok(None);
            }
            Opcode::CopyAddr | Opcode::StoreWeak | Opcode::StoreUnowned if found.operand == 1 => {
                let kind = if attributes.contains(Attribute::Init) { UseKind::Initialize } else { UseKind::Assign };
                self.add(found, kind, elements, Some(value));
                return Ok(None);
            }
            Opcode::AssignByWrapper if found.operand == 1 => {
                self.add(found, UseKind::Assign, elements, Some(value));
                return Ok(None);
            }
            Opcode::TupleAddrConstructor if found.operand == 0 => {
                self.add(found, UseKind::Assign, elements, Some(value));
                return Ok(None);
            }
            Opcode::DestroyAddr => {
                self.add(found, UseKind::Destroy, elements, Some(value));
                return Ok(None);
            }
            Opcode::Load | Opcode::LoadBorrow if self.is_asked_for_class(found.user) => {
                self.add(found, UseKind::TypeOf, elements, Some(value));
                return Ok(None);
            }
            Opcode::Load | Opcode::LoadBorrow if self.is_for_setter(found.user) => return Ok(None),
            Opcode::PartialApply if self.is_setter(found) => return Ok(None),
            Opcode::PartialApply => {
                self.capture(found, found.user, node, elements);
                return Ok(None);
            }
            _ => {
                self.other_use(found, elements, value);
                return Ok(None);
            }
        };
        Ok(Some(match node.part(step) {
            Some(part) => Place::Node(part),
            None => Place::Inside(elements),
        }))
    }

    /// Handles a use of the address of a part of an element.
    fn inside_use(&mut self, found: Use, elements: Elements) -> Result<Option<Place<'c>>, Box<Diagnostic>> {
        match self.body.instructions[found.user].opcode {
            Opcode::BeginAccess
            | Opcode::StructElementAddr
            | Opcode::TupleElementAddr
            | Opcode::UncheckedTakeEnumDataAddr => {
                return Ok(Some(Place::Inside(elements)));
            }
            Opcode::TupleAddrConstructor if found.operand == 0 => {
                self.add(found, UseKind::PartialStore, elements, None);
            }
            Opcode::Assign | Opcode::Store | Opcode::CopyAddr | Opcode::StoreWeak | Opcode::StoreUnowned
                if found.operand == 1 =>
            {
                self.add(found, UseKind::PartialStore, elements, None);
            }
            _ => self.other_use(found, elements, found.value(self.body)),
        }
        Ok(None)
    }

    /// Handles a use of an address other than a projection or a store.
    fn other_use(&mut self, found: Use, elements: Elements, value: Value) {
        let body = self.body;
        let attributes = body.instructions[found.user].attributes;
        let kind = match body.instructions[found.user].opcode {
            Opcode::EndAccess | Opcode::DebugValue | Opcode::DeallocStack => return,
            Opcode::Load | Opcode::CopyAddr if attributes.contains(Attribute::Take) => UseKind::Take,
            _ => self.passed(found).unwrap_or(UseKind::Read),
        };
        // The noncopyable checker reports takes from noncopyable memory.
        let is_checked_later = kind == UseKind::Take && self.is_noncopyable(value);
        let kind = if is_checked_later { UseKind::Read } else { kind };
        if kind == UseKind::Initialize && body.instructions[found.user].opcode == Opcode::TryApply {
            let normal = body.targets(found.user)[0];
            return self.on_entry.push((normal, elements));
        }
        self.add(found, kind, elements, Some(value));
    }

    fn is_noncopyable(&self, value: Value) -> bool {
        let properties = self.queries.properties(self.body.ty(value).ty, self.signature);
        properties.copyability == Copyability::Noncopyable
    }

    /// Returns whether a subclass's initialiser makes a closure that is known to use only some of its own properties.
    fn uses_known_properties(&self, found: Use) -> bool {
        let captures = Captures { module: self.module, queries: self.queries, depth: 0 };
        self.memory.kind == Kind::DerivedSelf && captures.captured(self.body, found, &self.memory.root).is_some()
    }

    /// Records the uses of a closure over `node`, which are required at `at`; `otherwise` is required if they are not
    /// known.
    fn capture(&mut self, found: Use, at: InstructionId, node: &Node, otherwise: Elements) {
        let captures = Captures { module: self.module, queries: self.queries, depth: 0 };
        let captured = captures.captured(self.body, found, node).unwrap_or(Captured::read(otherwise));
        for (kind, elements) in [(UseKind::Read, captured.read), (UseKind::ClosureInOut, captured.passed)] {
            if elements != 0 {
                self.found.push(MemoryUse { instruction: at, needed_by: found, kind, elements, address: None });
            }
        }
    }

    /// Returns the effect of a call on an argument address.
    fn passed(&self, found: Use) -> Option<UseKind> {
        let site = ApplySite::new(self.body, found.user).filter(|site| site.kind.is_full())?;
        let argument = site.argument_of_operand(site.conventions(self.queries)?, found.operand as usize)?;
        Some(match argument.convention {
            ArgumentConvention::Result(_) | ArgumentConvention::Error => UseKind::Initialize,
            ArgumentConvention::Parameter(ParameterConvention::In) => UseKind::Take,
            // A closure cannot change constants, but still captures them by reference.
            ArgumentConvention::Parameter(ParameterConvention::InOutAliasable)
                if self.is_made(found) && self.memory.is_constant(self.queries) =>
            {
                UseKind::Escape
            }
            ArgumentConvention::Parameter(ParameterConvention::InOut | ParameterConvention::InOutAliasable)
                if self.is_made(found) =>
            {
                UseKind::Read
            }
            ArgumentConvention::Parameter(
                ParameterConvention::InOut | ParameterConvention::InOutAliasable | ParameterConvention::InGuaranteed,
            ) => UseKind::Escape,
            _ => UseKind::Read,
        })
    }
}

/// Returns whether an instruction only uses the class of an object.
fn needs_nothing(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod | ValueMetatype)
}

/// The greatest nesting depth of closures: invalid input may be circular.
const DEEPEST_CLOSURE: usize = 32;

/// The effects of a closure on its captures.
#[derive(Clone, Copy, Default)]
struct Captured {
    read: Elements,
    /// The elements that it passes by reference.
    passed: Elements,
}

impl Captured {
    fn read(elements: Elements) -> Self {
        Self { read: elements, passed: 0 }
    }

    fn passed(elements: Elements) -> Self {
        Self { read: 0, passed: elements }
    }
}

impl std::ops::BitOrAssign for Captured {
    fn bitor_assign(&mut self, other: Self) {
        self.read |= other.read;
        self.passed |= other.passed;
    }
}

/// The effects of closures on their captures (lib/SILOptimizer/Mandatory/DIMemoryUseCollector.cpp,
/// `addClosureElementUses`).
#[derive(Clone, Copy)]
struct Captures<'c> {
    module: &'c Module,
    queries: &'c TypeQueries<'c>,
    depth: usize,
}

impl Captures<'_> {
    /// Returns the effects of a closure that captures the address of `node` by `found`, if it only reads the elements
    /// or passes them by reference.
    fn captured(self, body: &Body, found: Use, node: &Node) -> Option<Captured> {
        let site = ApplySite::new(body, found.user).filter(|_| self.depth < DEEPEST_CLOSURE)?;
        let conventions = site.conventions(self.queries)?;
        let number = site.numbering(conventions).sil_argument_of_operand(found.operand as usize)?;
        let closure = &self.module.functions[self.module.function_named(site.called_function()?)?];
        // A closure that is not inlined may require all of its captures.
        let body = closure.body.as_ref().filter(|_| closure.has(FunctionFlag::Transparent))?;
        let argument = *body.blocks[body.entry()].arguments.get(number)?;
        Self { depth: self.depth + 1, ..self }.used(body, &Uses::new(body), argument, node)
    }

    /// Returns the effects on the elements of `node` through its address in a closure; `None` for other uses than reads
    /// and passes.
    fn used(self, body: &Body, uses: &Uses, address: Value, node: &Node) -> Option<Captured> {
        let mut captured = Captured::default();
        for found in uses.of(address) {
            let id = found.user;
            let step = match body.instructions[id].opcode {
                Opcode::EndAccess | Opcode::DebugValue | Opcode::EndBorrow | Opcode::DestroyValue => continue,
                Opcode::BeginAccess | Opcode::BeginBorrow | Opcode::CopyValue => {
                    captured |= self.used(body, uses, body.result(id)?, node)?;
                    continue;
                }
                Opcode::PartialApply => {
                    captured |= self.captured(body, *found, node)?;
                    continue;
                }
                Opcode::RefElementAddr => Step::Property(RefElementAddr::of(body, id).field),
                Opcode::StructElementAddr => Step::Property(StructExtract::of(body, id).field),
                Opcode::TupleElementAddr => Step::Tuple(TupleExtract::of(body, id).index),
                Opcode::Load if !body.instructions[id].attributes.contains(Attribute::Take) => {
                    captured |= Captured::read(node.elements());
                    continue;
                }
                Opcode::LoadBorrow => {
                    captured |= Captured::read(node.elements());
                    continue;
                }
                Opcode::CopyAddr
                    if found.operand == 0 && !body.instructions[id].attributes.contains(Attribute::Take) =>
                {
                    captured |= Captured::read(node.elements());
                    continue;
                }
                Opcode::AddressToPointer => {
                    captured |= Captured::passed(node.elements());
                    continue;
                }
                _ if self.is_passed_by_reference(body, *found) => {
                    captured |= Captured::passed(node.elements());
                    continue;
                }
                _ => return None,
            };
            captured |= match node.part(step) {
                Some(part) => self.used(body, uses, body.result(id)?, part)?,
                // A property of a superclass is no element.
                None if body.instructions[id].opcode == Opcode::RefElementAddr => return None,
                None => Captured::read(node.elements()),
            };
        }
        Some(captured)
    }

    /// Returns whether a call gets an address as an `inout` argument other than its `self`.
    fn is_passed_by_reference(self, body: &Body, found: Use) -> bool {
        let site = ApplySite::new(body, found.user).filter(|site| site.kind.is_full());
        let Some((site, conventions)) = site.and_then(|site| Some((site, site.conventions(self.queries)?))) else {
            return false;
        };
        let operand = found.operand as usize;
        let convention = site.argument_of_operand(conventions, operand).map(|argument| argument.convention);
        let receiver = conventions.self_parameter().map(|parameter| conventions.argument_of_parameter(parameter));
        convention == Some(ArgumentConvention::Parameter(ParameterConvention::InOut))
            && (receiver.is_none() || receiver != site.numbering(conventions).sil_argument_of_operand(operand))
    }
}

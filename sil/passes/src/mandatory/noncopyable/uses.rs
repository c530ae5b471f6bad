//! Collects the uses of marked memory (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp, the visitor of
//! uses).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, OwnershipKinds, Use, Uses, Worklist};
use sil_ir::context::ParameterConvention;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{StructExtract, TupleExtract};
use sil_ir::model::{BlockId, Body, Details, InstructionId, Value};
use sil_ir::types::{ArgumentConvention, Copyability, TypeQueries};

use super::copies::Copies;
use crate::knowledge::element_flow::EventKind;
use crate::knowledge::elements::Step;

/// A use of memory, or of a part of it.
pub(super) struct MemoryUse {
    pub(super) instruction: InstructionId,
    pub(super) kind: EventKind,
    pub(super) path: Vec<Step>,
    /// The address of the part.
    pub(super) address: Value,
    pub(super) cause: InstructionId,
    /// Whether the `deinit` of the value is dropped before.
    pub(super) is_dropped: bool,
    /// Whether the whole value is used.
    pub(super) is_whole: bool,
}

/// The replacement of a `load [copy]` of a noncopyable value.
pub(super) enum Load {
    /// A borrow, as its value is not consumed.
    Borrow(Copies),
    /// A take of the value.
    Take(Copies),
}

impl Place {
    fn is_whole(&self) -> bool {
        self.path.is_empty() && !self.is_payload
    }
}

/// All uses of marked memory.
pub(super) struct MemoryUses<'u> {
    queries: &'u TypeQueries<'u>,
    kinds: &'u OwnershipKinds<'u>,
    signature: Option<sil_ir::context::SignatureId>,
    body: &'u Body,
    uses: &'u Uses,
    pub(super) found: Vec<MemoryUse>,
    /// Initialisations on the normal edge of a `try_apply`.
    pub(super) on_entry: Vec<(BlockId, Vec<Step>)>,
    pub(super) loads: Vec<(InstructionId, Load)>,
    /// Copies from the memory that take the value.
    pub(super) moves: Vec<InstructionId>,
    /// The closures that capture it.
    pub(super) closures: Vec<InstructionId>,
    /// Borrows of SILGen that the checker confirms.
    pub(super) unchecked: Vec<InstructionId>,
    /// Whether the `deinit` of the value is dropped.
    pub(super) drops_deinit: bool,
    /// Whether the memory contains a borrowed value by a `store_borrow`.
    pub(super) holds_borrow: bool,
    seen: FxHashSet<Value>,
}

/// The relation of an address to the memory.
#[derive(Clone)]
struct Place {
    path: Vec<Step>,
    /// The payload of an enum: its destroy leaves the enum uninitialised.
    is_payload: bool,
    /// The `deinit` of the value is dropped.
    is_dropped: bool,
    /// It is marked as borrowed; its uses belong to that mark.
    is_lent: bool,
}

impl<'u> MemoryUses<'u> {
    pub(super) fn collect(
        queries: &'u TypeQueries<'u>,
        kinds: &'u OwnershipKinds<'u>,
        signature: Option<sil_ir::context::SignatureId>,
        body: &'u Body,
        uses: &'u Uses,
        address: Value,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut collected = Self {
            queries,
            kinds,
            signature,
            body,
            uses,
            found: Vec::new(),
            on_entry: Vec::new(),
            loads: Vec::new(),
            moves: Vec::new(),
            closures: Vec::new(),
            unchecked: Vec::new(),
            drops_deinit: false,
            holds_borrow: false,
            seen: FxHashSet::default(),
        };
        let mut open =
            vec![(address, Place { path: Vec::new(), is_payload: false, is_dropped: false, is_lent: false })];
        while let Some((address, place)) = open.pop() {
            if !collected.seen.insert(address) {
                continue;
            }
            for found in uses.of(address) {
                let next = collected.visit(*found, address, &place)?;
                open.extend(next.and_then(|next| Some((body.result(found.user)?, next))));
            }
        }
        Ok(collected)
    }

    /// Returns whether the type of an address is noncopyable.
    fn is_noncopyable(&self, address: Value) -> bool {
        let properties = self.queries.properties(self.body.ty(address).ty, self.signature);
        properties.copyability == Copyability::Noncopyable
    }

    /// Returns whether the value at an address must be moved rather than copied to other memory. This includes a whole
    /// value in a move-only wrapper.
    fn is_moved(&self, address: Value) -> bool {
        let made = self.body.defining(address).map(|id| self.body.instructions[id].opcode);
        made == Some(Opcode::MoveonlywrapperToCopyableAddr) || self.is_noncopyable(address)
    }

    fn add(&mut self, instruction: InstructionId, kind: EventKind, place: &Place, address: Value) {
        let kind = match kind {
            _ if place.is_lent => EventKind::Borrow,
            EventKind::Destroy if place.is_payload => EventKind::Consume,
            kind => kind,
        };
        self.found.push(MemoryUse {
            instruction,
            kind,
            path: place.path.clone(),
            address,
            cause: instruction,
            is_dropped: place.is_dropped,
            is_whole: place.is_whole(),
        });
    }

    /// Records a use, and returns the place of the user's result if it is an address of the memory.
    fn visit(&mut self, found: Use, address: Value, place: &Place) -> Result<Option<Place>, Box<Diagnostic>> {
        let (body, id) = (self.body, found.user);
        let attributes = body.instructions[id].attributes;
        let extended = |step: Step| {
            let mut place = place.clone();
            if !place.is_payload {
                place.path.push(step);
            }
            place
        };
        let kind = match body.instructions[id].opcode {
            Opcode::MarkUnresolvedNonCopyableValue => {
                let is_lent =
                    attributes.contains(Attribute::Strict) && attributes.contains(Attribute::NoConsumeOrAssign);
                return Ok(Some(Place { is_lent: is_lent || place.is_lent, ..place.clone() }));
            }
            // The accesses of a `switch` stay opaque: borrowed memory is needed until their ends.
            Opcode::BeginAccess if self.is_opaque(id, Attribute::Read) => {
                self.scope(id, Opcode::EndAccess, place, address);
                EventKind::Borrow
            }
            Opcode::BeginAccess if self.is_opaque(id, Attribute::Deinit) => EventKind::Consume,
            Opcode::BeginAccess
            | Opcode::OpenExistentialAddr
            | Opcode::CopyableToMoveonlywrapperAddr
            | Opcode::MoveonlywrapperToCopyableAddr => {
                return Ok(Some(place.clone()));
            }
            Opcode::StructElementAddr => return Ok(Some(extended(Step::Property(StructExtract::of(body, id).field)))),
            Opcode::TupleElementAddr => return Ok(Some(extended(Step::Tuple(TupleExtract::of(body, id).index)))),
            Opcode::DropDeinit => {
                self.drops_deinit = true;
                return Ok(Some(Place { is_dropped: true, ..place.clone() }));
            }
            Opcode::MarkDependence if found.operand == 0 => return Ok(Some(place.clone())),
            Opcode::StoreBorrow if found.operand == 1 && place.is_whole() => {
                self.holds_borrow = true;
                return Ok(Some(place.clone()));
            }
            Opcode::UncheckedTakeEnumDataAddr => return Ok(Some(Place { is_payload: true, ..place.clone() })),
            Opcode::InitEnumDataAddr
            | Opcode::EndAccess
            | Opcode::EndCowMutationAddr
            | Opcode::DebugValue
            | Opcode::DeallocStack
            | Opcode::WitnessMethod
            | Opcode::EndBorrow => return Ok(None),
            Opcode::Load if attributes.contains(Attribute::Take) => EventKind::Consume,
            Opcode::Load if attributes.contains(Attribute::Copy) && self.is_noncopyable(address) && !place.is_lent => {
                self.load(id, place, address);
                return Ok(None);
            }
            Opcode::LoadBorrow => {
                if attributes.contains(Attribute::Unchecked) && !place.is_lent {
                    self.unchecked.push(id);
                }
                self.scope(id, Opcode::EndBorrow, place, address);
                self.access_of(place, address);
                EventKind::Borrow
            }
            Opcode::Store | Opcode::Assign | Opcode::CopyAddr | Opcode::ExplicitCopyAddr if found.operand == 1 => {
                if attributes.contains(Attribute::Init) {
                    EventKind::Initialize
                } else {
                    EventKind::Assign
                }
            }
            Opcode::InjectEnumAddr | Opcode::InitExistentialAddr => EventKind::Initialize,
            Opcode::Builtin if self.makes_value(id) => EventKind::Initialize,
            Opcode::CopyAddr if attributes.contains(Attribute::Take) => EventKind::Consume,
            Opcode::CopyAddr if self.is_moved(address) && !place.is_lent => {
                self.moves.push(id);
                EventKind::Consume
            }
            Opcode::DestroyAddr => EventKind::Destroy,
            Opcode::PartialApply => {
                self.closures.push(id);
                self.closure(id, place, address);
                self.passed(found).unwrap_or(EventKind::Borrow)
            }
            Opcode::BeginApply => {
                self.coroutine(id, place, address);
                self.passed(found).unwrap_or(EventKind::Borrow)
            }
            Opcode::TryApply => {
                let kind = self.passed(found).unwrap_or(EventKind::Borrow);
                if kind == EventKind::Initialize {
                    self.on_entry.push((body.targets(id)[0], place.path.clone()));
                    return Ok(None);
                }
                kind
            }
            Opcode::Apply => self.passed(found).unwrap_or(EventKind::Borrow),
            Opcode::Load
            | Opcode::CopyAddr
            | Opcode::ExplicitCopyAddr
            | Opcode::FixLifetime
            | Opcode::MarkDependence
            | Opcode::MarkDependenceAddr
            | Opcode::SelectEnumAddr
            | Opcode::SwitchEnumAddr
            | Opcode::AddressToPointer
            | Opcode::Builtin
            | Opcode::Yield
            | Opcode::HopToExecutor
            | Opcode::ExistentialMetatype
            | Opcode::IgnoredUse => EventKind::Borrow,
            _ => {
                let what = "this use of the memory of a noncopyable value";
                return Err(Box::new(Diagnostic::unsupported(what, body.instructions[id].span)));
            }
        };
        self.add(id, kind, place, address);
        Ok(None)
    }

    /// Returns whether a builtin initialises memory.
    fn makes_value(&self, id: InstructionId) -> bool {
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return false };
        let kind = builtin.kind();
        matches!(kind, Some(BuiltinKind::Named(NamedBuiltin::ZeroInitializer | NamedBuiltin::PrepareInitialization)))
    }

    /// Handles a `load [copy]` of a noncopyable value.
    fn load(&mut self, id: InstructionId, place: &Place, address: Value) {
        let Some(value) = self.body.result(id) else { return };
        let copies = Copies::of(self.kinds, self.body, self.uses, value);
        let kind = match copies.consumed.first() {
            Some(_) => EventKind::Consume,
            None => EventKind::Borrow,
        };
        let cause = copies.consumed.first().map_or(id, |found| found.user);
        self.found.push(MemoryUse {
            instruction: id,
            kind,
            path: place.path.clone(),
            address,
            cause,
            is_dropped: place.is_dropped,
            is_whole: place.is_whole(),
        });
        if kind == EventKind::Borrow {
            for (destroy, _) in &copies.destroys {
                self.add(*destroy, EventKind::Borrow, place, address);
            }
            self.access_of(place, address);
            self.loads.push((id, Load::Borrow(copies)));
        } else {
            self.loads.push((id, Load::Take(copies)));
        }
    }

    /// Returns whether an access of `kind` is one of SILGen's for a `switch`
    /// (lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp, `shouldVisitAsEndPointUse`).
    fn is_opaque(&self, access: InstructionId, kind: Attribute) -> bool {
        let attributes = self.body.instructions[access].attributes;
        [kind, Attribute::Static, Attribute::NoNestedConflict].iter().all(|each| attributes.contains(*each))
    }

    /// Records that the memory is needed until the end of a borrow or an access.
    fn scope(&mut self, begin: InstructionId, end: Opcode, place: &Place, address: Value) {
        for value in self.body.results(begin) {
            for found in self.uses.of(value) {
                if self.body.instructions[found.user].opcode == end {
                    self.add(found.user, EventKind::Borrow, place, address);
                }
            }
        }
    }

    /// Records that the memory is needed until the end of the access around `address`: values that depend on the access
    /// may be used until then (`UseState::initializeLiveness`,
    /// lib/SILOptimizer/Mandatory/MoveOnlyAddressCheckerUtils.cpp).
    fn access_of(&mut self, place: &Place, address: Value) {
        if let Some(access) = access_around(self.body, address) {
            self.scope(access, Opcode::EndAccess, place, address);
        }
    }

    /// Records that the memory is needed until the end of a coroutine.
    fn coroutine(&mut self, begin: InstructionId, place: &Place, address: Value) {
        for value in self.body.results(begin) {
            for found in self.uses.of(value) {
                if matches!(self.body.instructions[found.user].opcode, Opcode::EndApply | Opcode::AbortApply) {
                    self.add(found.user, EventKind::Borrow, place, address);
                }
            }
        }
    }

    /// Records that the memory is needed until the last use of a closure.
    fn closure(&mut self, closure: InstructionId, place: &Place, address: Value) {
        let mut open = Worklist::new(self.body.results(closure));
        while let Some(value) = open.pop() {
            for found in self.uses.of(value) {
                let opcode = self.body.instructions[found.user].opcode;
                match opcode {
                    Opcode::DestroyValue | Opcode::DeallocStack | Opcode::EndBorrow | Opcode::DebugValue => {}
                    Opcode::ConvertEscapeToNoescape
                    | Opcode::ConvertFunction
                    | Opcode::CopyValue
                    | Opcode::BeginBorrow
                    | Opcode::MoveValue
                    | Opcode::MarkDependence
                    | Opcode::PartialApply => open.extend(self.body.results(found.user)),
                    _ => self.add(found.user, EventKind::Borrow, place, address),
                }
            }
        }
    }

    /// Returns the effect of a call on an argument address.
    fn passed(&self, found: Use) -> Option<EventKind> {
        let site = ApplySite::new(self.body, found.user)?;
        let argument = site.argument_of_operand(site.conventions(self.queries)?, found.operand as usize)?;
        Some(match argument.convention {
            ArgumentConvention::Result(_) | ArgumentConvention::Error => EventKind::Initialize,
            ArgumentConvention::Parameter(ParameterConvention::In | ParameterConvention::InCxx) => EventKind::Consume,
            ArgumentConvention::Parameter(_) => EventKind::Borrow,
        })
    }
}

/// Returns the access from which an address is projected.
pub(super) fn access_around(body: &Body, address: Value) -> Option<InstructionId> {
    let mut address = Some(address);
    while let Some(id) = address.and_then(|address| body.defining(address)) {
        match body.instructions[id].opcode {
            Opcode::BeginAccess => return Some(id),
            Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::MarkUnresolvedNonCopyableValue => {
                address = body.operands(id).first().copied();
            }
            _ => return None,
        }
    }
    None
}

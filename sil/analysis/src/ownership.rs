//! The ownership kind of each value of an `[ossa]` function, and the effect of each operand on it
//! (docs/SIL/Ownership.md).

use std::sync::Arc;

use cranelift_entity::EntityRef;
use sil_ir::context::{CalleeConvention, Name, ParameterConvention, ResultConvention, SilType, TypeId};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode, OperandUse};
use sil_ir::model::views;
use sil_ir::model::{
    ArgumentFlag, BlockId, Body, Definition, Details, Function, InstructionId, Ownership, Value, ValueData,
};
use sil_ir::types::{ArgumentConvention, ArgumentRole, Copyability, Escapability, FunctionConventions, TypeQueries};

use super::{ApplySite, ControlFlowGraph, Use};

/// The effect of an operand on the ownership of its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandOwnership {
    /// Takes a value without ownership.
    Trivial,
    /// Uses a value for a moment.
    Instantaneous,
    /// Uses a value for a moment; it may be unowned.
    InstantaneousOrUnowned,
    /// The value escapes as bits or a pointer.
    Escape,
    /// Passes an unowned value on.
    ForwardUnowned,
    /// Borrows the value for a scope.
    Borrow,
    /// Ends the lifetime of an owned value.
    Consume,
    /// Passes an owned value on: ends its lifetime here.
    ForwardOwned,
    /// Takes an address inside a borrowed value.
    InteriorPointer,
    /// Passes a borrowed value on, within the same borrow scope.
    ForwardBorrowed,
    /// Ends a borrow scope.
    EndBorrow,
    /// Passes a borrow scope on to a block argument: ends it here.
    Reborrow,
    /// Names a value without using it.
    Mention,
}

impl OperandOwnership {
    /// Whether the operand can take a value of this kind. A value without ownership fits everywhere.
    pub fn accepts(self, kind: Ownership) -> bool {
        use OperandOwnership::*;
        match kind {
            Ownership::None => true,
            Ownership::Unowned => matches!(self, InstantaneousOrUnowned | Escape | ForwardUnowned | Mention),
            Ownership::Owned => !matches!(self, Trivial | InteriorPointer | ForwardBorrowed | EndBorrow | Reborrow),
            Ownership::Guaranteed => !matches!(self, Trivial | Consume | ForwardOwned),
        }
    }

    /// Whether the operand ends the lifetime of an owned value or the scope of a borrowed one.
    pub fn ends_lifetime(self) -> bool {
        use OperandOwnership::*;
        matches!(self, Consume | ForwardOwned | EndBorrow | Reborrow)
    }
}

/// Whether an instruction makes bits of a value that do not keep it alive and need not be followed.
pub fn escapes_as_bits(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::ValueToBridgeObject
            | Opcode::RefToRawPointer
            | Opcode::UncheckedTrivialBitCast
            | Opcode::BridgeObjectToWord
    )
}

/// The values that an operand takes, in the words of Swift's text (include/swift/SIL/SILValue.h): it does not
/// distinguish unowned values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnershipConstraint {
    /// None where it does not matter.
    kind: Option<Ownership>,
    ends_lifetime: bool,
}

impl OperandOwnership {
    /// Which values the operand takes.
    pub fn constraint(self) -> OwnershipConstraint {
        use OperandOwnership::*;
        let kind = match self {
            Trivial => Some(Ownership::None),
            Consume | ForwardOwned => Some(Ownership::Owned),
            InteriorPointer | ForwardBorrowed | EndBorrow | Reborrow => Some(Ownership::Guaranteed),
            Instantaneous | InstantaneousOrUnowned | Escape | ForwardUnowned | Borrow | Mention => None,
        };
        OwnershipConstraint { kind, ends_lifetime: self.ends_lifetime() }
    }
}

impl std::fmt::Display for OwnershipConstraint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = self.kind.map_or("any", Ownership::name);
        let lifetime = if self.ends_lifetime { "LifetimeEnding" } else { "NonLifetimeEnding" };
        write!(formatter, "<Constraint Kind:{kind} LifetimeConstraint:{lifetime}>")
    }
}

/// The ownership of all values of a function.
pub struct OwnershipKinds<'m> {
    body: &'m Body,
    queries: &'m TypeQueries<'m>,
    function: &'m Function,
    conventions: Option<FunctionConventions<'m>>,
    table: Arc<OwnershipTable>,
}

/// The computed ownership of values.
#[derive(Clone, Default)]
pub struct OwnershipTable {
    kinds: Vec<Ownership>,
    /// Instructions whose operands do not agree in ownership, though they pass it on.
    conflicts: Vec<InstructionId>,
    reborrows: Vec<bool>,
}

impl<'m> OwnershipKinds<'m> {
    /// Computes the kinds. Phis have those of the text; the rest follows from definitions.
    pub fn new(queries: &'m TypeQueries<'m>, function: &'m Function, body: &'m Body, cfg: &ControlFlowGraph) -> Self {
        let kinds = body.values.values().map(written_kind).collect();
        let reborrows = vec![false; body.values.len()];
        let table = OwnershipTable { kinds, conflicts: Vec::new(), reborrows };
        let mut this = Self::of_table(queries, function, body, Arc::new(table));
        this.compute_entry();
        let unreachable = body.blocks.keys().filter(|block| !cfg.is_reachable(*block));
        let order: Vec<BlockId> = cfg.reverse_post_order().iter().copied().chain(unreachable).collect();
        for block in order {
            for id in body.instructions_in(block) {
                this.compute_results(id);
            }
        }
        this.compute_reborrows(cfg);
        this
    }

    /// The kinds that were computed of the same body before.
    pub(super) fn of_table(
        queries: &'m TypeQueries<'m>,
        function: &'m Function,
        body: &'m Body,
        table: Arc<OwnershipTable>,
    ) -> Self {
        Self { body, queries, function, conventions: queries.conventions(function.ty), table }
    }

    /// The result.
    pub(super) fn into_table(self) -> Arc<OwnershipTable> {
        self.table
    }

    /// Nobody else has the table while it is computed.
    fn table_mut(&mut self) -> &mut OwnershipTable {
        Arc::make_mut(&mut self.table)
    }

    /// Instructions whose operands do not agree in ownership, though they pass it on.
    pub fn conflicts(&self) -> &[InstructionId] {
        &self.table.conflicts
    }

    /// The kind of `value`.
    pub fn kind(&self, value: Value) -> Ownership {
        self.table.kinds[value.index()]
    }

    /// Whether a borrowed block argument begins a borrow scope of its own, which continues those of its incoming
    /// values.
    pub fn is_reborrow(&self, value: Value) -> bool {
        self.table.reborrows[value.index()]
    }

    /// The text of a name in the function.
    pub fn name_of(&self, name: Name) -> &'m str {
        self.queries.context.text(name)
    }

    fn is_trivial(&self, ty: TypeId) -> bool {
        self.queries.properties(ty, self.function.signature).is_trivial()
    }

    fn compute_entry(&mut self) {
        let Some(conventions) = self.conventions else { return };
        let body = self.body;
        let Some(entry) = body.blocks.get(body.entry()) else { return };
        for (argument, value) in conventions.arguments().zip(&entry.arguments) {
            let kind = match argument.role {
                ArgumentRole::Parameter(index) => {
                    let convention = conventions.function.parameters[index as usize].convention;
                    self.argument_kind(convention, body.ty(*value))
                }
                ArgumentRole::IndirectResult(_) | ArgumentRole::IndirectError => Ownership::None,
            };
            self.table_mut().kinds[value.index()] = kind;
        }
    }

    fn argument_kind(&self, convention: ParameterConvention, ty: SilType) -> Ownership {
        use ParameterConvention::*;
        if ty.is_address() || self.is_trivial(ty.ty) {
            return Ownership::None;
        }
        match convention {
            Unowned => Ownership::Unowned,
            Owned | In | InConstant | InCxx | PackOwned => Ownership::Owned,
            Guaranteed | InGuaranteed | PackGuaranteed => Ownership::Guaranteed,
            InOut | InOutAliasable | PackInOut => Ownership::None,
        }
    }

    fn compute_results(&mut self, id: InstructionId) {
        for (index, value) in self.body.results(id).enumerate() {
            let kind = self.result_kind(id, index, self.body.ty(value));
            self.table_mut().kinds[value.index()] = kind;
        }
    }

    fn result_kind(&mut self, id: InstructionId, index: usize, ty: SilType) -> Ownership {
        use Opcode::*;
        if ty.is_address() {
            return Ownership::None;
        }
        let body = self.body;
        let instruction = &body.instructions[id];
        match instruction.opcode {
            AllocBox
            | AllocExistentialBox
            | AllocRef
            | AllocRefDynamic
            | CopyBlock
            | CopyBlockWithoutEscaping
            | CopyValue
            | ExplicitCopyValue
            | EndCowMutation
            | EndInitLetRef
            | BeginDeallocRef
            | Keypath
            | InitExistentialValue
            | Thunk
            | ObjcExistentialMetatypeToObject
            | ObjcMetatypeToObject
            | ConvertEscapeToNoescape
            | PartialApply
            | LoadWeak
            | LoadUnowned
            | StrongCopyWeakValue
            | StrongCopyUnownedValue
            | StrongCopyUnmanagedValue
            | UnownedCopyValue
            | WeakCopyValue
            | DropDeinit => Ownership::Owned,
            BeginBorrow | Borrowed | LoadBorrow | FunctionExtractIsolation | ImplicitactorToOpaqueisolationCast => {
                Ownership::Guaranteed
            }
            RefToUnowned
            | UnownedToRef
            | UnmanagedToRef
            | InitBlockStorageHeader
            | RawPointerToRef
            | ObjCProtocol
            | ValueToBridgeObject => Ownership::Unowned,
            Load => {
                let loaded = self.loaded_kind(id);
                self.unless_trivial(loaded, ty)
            }
            BeginCowMutation if index == 1 => Ownership::Owned,
            StructExtract | TupleExtract if self.operand_kind(id, 0) == Ownership::None => Ownership::None,
            StructExtract
            | TupleExtract
            | TuplePackExtract
            | DifferentiableFunctionExtract
            | LinearFunctionExtract
            | OpenExistentialValue
            | OpenExistentialBoxValue => self.unless_trivial(Ownership::Guaranteed, ty),
            MarkUninitialized | MoveValue => self.unless_trivial(Ownership::Owned, ty),
            UncheckedBitwiseCast => self.unless_trivial(Ownership::Unowned, ty),
            UncheckedOwnershipConversion => converted_kind(self.queries, id, body),
            UncheckedOwnership => self.forwarded_kind(id),
            Apply | EndApply => self.applied_kind(id, ty),
            BeginApply => self.yielded_kind(id, index, ty),
            Builtin => self.builtin_kind(id, ty),
            Struct if self.is_noncopyable(ty.ty) && self.forwarded(id) == Ok(Ownership::None) => Ownership::Owned,
            _ if forwards(instruction.opcode) => {
                let forwarded = self.forwarded_kind(id);
                self.unless_trivial(forwarded, ty)
            }
            _ => Ownership::None,
        }
    }

    /// Whether a type is noncopyable and not trivial.
    fn is_noncopyable(&self, ty: TypeId) -> bool {
        let properties = self.queries.properties(ty, self.function.signature);
        properties.copyability == Copyability::Noncopyable && !properties.is_trivial()
    }

    fn unless_trivial(&self, kind: Ownership, ty: SilType) -> Ownership {
        if self.is_trivial(ty.ty) { Ownership::None } else { kind }
    }

    fn operand_kind(&self, id: InstructionId, operand: usize) -> Ownership {
        self.body.operands(id).get(operand).map_or(Ownership::None, |value| self.kind(*value))
    }

    fn loaded_kind(&self, id: InstructionId) -> Ownership {
        let attributes = self.body.instructions[id].attributes;
        let owned = attributes.contains(Attribute::Take) || attributes.contains(Attribute::Copy);
        if owned { Ownership::Owned } else { Ownership::None }
    }

    /// The ownership that an instruction passes on: the written one, else the common one of its operands.
    pub fn forwarded(&self, id: InstructionId) -> Result<Ownership, Conflict> {
        let instruction = &self.body.instructions[id];
        if let Some(written) = written_forwarding(instruction.attributes, instruction.opcode) {
            return Ok(written);
        }
        let operands = self.body.operands(id);
        let counted = match instruction.opcode {
            Opcode::Struct | Opcode::Tuple | Opcode::Enum | Opcode::DifferentiableFunction | Opcode::LinearFunction => {
                operands.len()
            }
            _ => operands.len().min(1),
        };
        let operands = operands[..counted].iter().copied();
        self.merged(operands.clone())
            .or_else(|Conflict| self.merged(operands.filter(|operand| self.is_known(*operand))))
    }

    /// The kind that all of these values have, those without ownership left aside.
    fn merged(&self, values: impl Iterator<Item = Value>) -> Result<Ownership, Conflict> {
        let mut merged = Ownership::None;
        for value in values {
            merged = match (merged, self.kind(value)) {
                (Ownership::None, other) | (other, Ownership::None) => other,
                (first, second) if first == second => first,
                _ => return Err(Conflict),
            };
        }
        Ok(merged)
    }

    fn forwarded_kind(&mut self, id: InstructionId) -> Ownership {
        match self.forwarded(id) {
            Ok(kind) => kind,
            Err(Conflict) => {
                self.table_mut().conflicts.push(id);
                Ownership::None
            }
        }
    }

    fn callee(&self, id: InstructionId) -> Option<FunctionConventions<'m>> {
        ApplySite::new(self.body, id)?.conventions(self.queries)
    }

    fn applied_kind(&self, id: InstructionId, ty: SilType) -> Ownership {
        let site = match self.body.instructions[id].opcode {
            Opcode::EndApply => self.body.defining(views::Unary::of(self.body, id).operand),
            _ => Some(id),
        };
        let Some(conventions) = site.and_then(|site| self.callee(site)) else { return Ownership::None };
        if self.is_trivial(ty.ty) {
            return Ownership::None;
        }
        let mut kind = Ownership::None;
        for result in conventions.direct_results() {
            let found = match result.convention {
                _ if self.is_trivial(result.ty) => Ownership::None,
                // Ownership lowering retains an unowned result after the call, so here it is owned.
                ResultConvention::Owned | ResultConvention::Autoreleased | ResultConvention::Unowned => {
                    Ownership::Owned
                }
                ResultConvention::UnownedInnerPointer => Ownership::Unowned,
                ResultConvention::Guaranteed => Ownership::Guaranteed,
                ResultConvention::Indirect
                | ResultConvention::Pack
                | ResultConvention::GuaranteedAddress
                | ResultConvention::InOut => Ownership::None,
            };
            if kind == Ownership::None {
                kind = found;
            }
        }
        kind
    }

    fn yielded_kind(&self, id: InstructionId, index: usize, ty: SilType) -> Ownership {
        let Some(conventions) = self.callee(id) else { return Ownership::None };
        match conventions.function.yields.get(index) {
            Some(yielded) => self.argument_kind(yielded.convention, ty),
            None => Ownership::None,
        }
    }

    fn builtin_kind(&self, id: InstructionId, ty: SilType) -> Ownership {
        use NamedBuiltin::*;
        match self.builtin(id) {
            _ if self.is_trivial(ty.ty) => Ownership::None,
            Some(BuiltinKind::Named(ZeroInitializer | GetCurrentAsyncTask | InitializeDistributedRemoteActor)) => {
                Ownership::None
            }
            Some(BuiltinKind::Named(_)) | None => Ownership::Owned,
            Some(BuiltinKind::AtomicLoad { .. } | BuiltinKind::CompareExchange { .. }) => Ownership::Owned,
            // Results of arithmetic have no ownership, regardless of their types.
            Some(_) => Ownership::None,
        }
    }

    fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        match &self.body.instructions[id].details {
            Details::Builtin(builtin) => builtin.kind(),
            _ => None,
        }
    }

    /// A borrowed phi continues borrow scopes where its own scope is ended, or it is passed on to such a phi.
    fn compute_reborrows(&mut self, cfg: &ControlFlowGraph) {
        let body = self.body;
        let phis = body.blocks.keys().skip(1).flat_map(|block| &body.blocks[block].arguments);
        for phi in phis.copied() {
            let flagged = body.values[phi].flags.contains(ArgumentFlag::Reborrow);
            let is_reborrow = flagged && self.kind(phi) == Ownership::Guaranteed;
            self.table_mut().reborrows[phi.index()] = is_reborrow;
        }
        let written = self.table.reborrows.iter().enumerate().filter(|(_, reborrow)| **reborrow);
        let mut open: Vec<Value> = written.map(|(index, _)| Value::new(index)).collect();
        let ends = body.instructions.keys().filter(|id| body.instructions[*id].opcode == Opcode::EndBorrow);
        for end in ends {
            self.continue_scope(cfg, views::Unary::of(body, end).operand, &mut open);
        }
        while let Some(phi) = open.pop() {
            for value in self.incoming(cfg, phi) {
                self.continue_scope(cfg, value, &mut open);
            }
        }
    }

    fn continue_scope(&mut self, cfg: &ControlFlowGraph, value: Value, open: &mut Vec<Value>) {
        let phi = self.without_borrowed(value);
        let borrowed = self.kind(phi) == Ownership::Guaranteed && self.is_phi(cfg, phi);
        if borrowed && !std::mem::replace(&mut self.table_mut().reborrows[phi.index()], true) {
            open.push(phi);
        }
    }

    /// Whether `value` is an argument that only `br` passes something to.
    pub fn is_phi(&self, cfg: &ControlFlowGraph, value: Value) -> bool {
        let Definition::Argument { block, .. } = self.body.values[value].definition else { return false };
        let mut branches = cfg.predecessors(block).iter().filter_map(|predecessor| self.body.terminator(*predecessor));
        block != self.body.entry() && branches.all(|branch| self.body.instructions[branch].opcode == Opcode::Br)
    }

    /// Whether all that decides the kind of `value` is known, its type among it.
    pub fn is_known(&self, value: Value) -> bool {
        let ty = self.body.ty(value);
        ty.is_address() || !self.queries.properties(ty.ty, self.function.signature).is_guessed()
    }

    /// Whether copies of the value may outlive its source.
    pub fn is_escapable(&self, value: Value) -> bool {
        let properties = self.queries.properties(self.body.ty(value).ty, self.function.signature);
        properties.escapability == Escapability::Escapable
    }

    /// Whether the program observes the end of the lifetime of `value`. A block argument is like the values that are
    /// passed for it.
    pub fn is_lexical(&self, cfg: &ControlFlowGraph, value: Value) -> bool {
        let mut seen = vec![value];
        let mut next = 0;
        while let Some(value) = seen.get(next).copied() {
            next += 1;
            match self.body.values[value].definition {
                Definition::Argument { block, .. } if block == self.body.entry() => {
                    if self.is_lexical_argument(value) {
                        return true;
                    }
                }
                Definition::Argument { .. } if self.is_phi(cfg, value) => {
                    let incoming = self.incoming(cfg, value).into_iter().filter(|value| !seen.contains(value));
                    seen.extend(incoming.collect::<Vec<_>>());
                }
                Definition::Result { instruction, .. } => match self.body.instructions[instruction].opcode {
                    Opcode::BeginBorrow | Opcode::MoveValue
                        if self.body.instructions[instruction].attributes.contains(Attribute::Lexical) =>
                    {
                        return true;
                    }
                    Opcode::EndInitLetRef => seen.extend(self.body.operands(instruction)),
                    _ => {}
                },
                Definition::Argument { .. } | Definition::Undef => {}
            }
        }
        false
    }

    /// The mark on an argument of the function counts, else its type.
    fn is_lexical_argument(&self, value: Value) -> bool {
        let data = &self.body.values[value];
        let properties = self.queries.properties(data.ty.ty, self.function.signature);
        if properties.is_trivial() || data.flags.contains(ArgumentFlag::EagerMove) {
            return false;
        }
        data.flags.contains(ArgumentFlag::Lexical) || properties.is_lexical()
    }

    /// The operand of `borrowed`.
    pub fn without_borrowed(&self, value: Value) -> Value {
        let maker = self.body.defining(value).and_then(|maker| views::Borrowed::get(self.body, maker));
        maker.map_or(value, |borrowed| borrowed.value)
    }

    /// Whether `value` begins a borrow scope that an instruction must end.
    pub fn begins_scope(&self, value: Value) -> bool {
        match self.body.values[value].definition {
            Definition::Result { instruction, .. } => match self.body.instructions[instruction].opcode {
                Opcode::BeginBorrow | Opcode::LoadBorrow => true,
                Opcode::Borrowed => self.is_reborrow(views::Borrowed::of(self.body, instruction).value),
                _ => false,
            },
            Definition::Argument { .. } => self.is_reborrow(value),
            Definition::Undef => false,
        }
    }

    /// The values that `br` passes to the block argument `phi`.
    pub fn incoming(&self, cfg: &ControlFlowGraph, phi: Value) -> Vec<Value> {
        let Definition::Argument { block, index } = self.body.values[phi].definition else { return Vec::new() };
        let branches = cfg.predecessors(block).iter().filter_map(|predecessor| self.body.terminator(*predecessor));
        let passing = branches.filter(|branch| self.body.instructions[*branch].opcode == Opcode::Br);
        passing.filter_map(|branch| self.body.operands(branch).get(index as usize).copied()).collect()
    }

    /// The effect of a use on the ownership of its value.
    pub fn operand(&self, found: Use) -> OperandOwnership {
        let body = self.body;
        let value = found.value(body);
        let instruction = &body.instructions[found.user];
        // Its operand is consumed, even if it is an address.
        if body.ty(value).is_address() && instruction.opcode != Opcode::MarkUninitialized {
            return OperandOwnership::Trivial;
        }
        match instruction.opcode {
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => self.argument_use(found, instruction.opcode),
            Opcode::PartialApply => self.captured_use(found),
            Opcode::Yield => self.yielded_use(found),
            Opcode::Return => self.returned_use(),
            Opcode::ReturnBorrow if found.operand == 0 => self.returned_use(),
            Opcode::Br => self.branch_use(found),
            Opcode::Builtin => self.builtin_use(found),
            Opcode::MarkDependence if found.operand == 1 => dependence_use(instruction.attributes),
            Opcode::CheckedCastBr | Opcode::SwitchEnum => self.forwarding_use(self.kind(value)),
            opcode => self.table_use(found, opcode.information().operand_use(found.operand as usize)),
        }
    }

    fn table_use(&self, found: Use, listed: OperandUse) -> OperandOwnership {
        match listed {
            OperandUse::Instantaneous => OperandOwnership::Instantaneous,
            OperandUse::InstantaneousOrUnowned => OperandOwnership::InstantaneousOrUnowned,
            OperandUse::Consume => OperandOwnership::Consume,
            OperandUse::Borrow => OperandOwnership::Borrow,
            OperandUse::EndBorrow => OperandOwnership::EndBorrow,
            OperandUse::ForwardBorrowed => OperandOwnership::ForwardBorrowed,
            OperandUse::InteriorPointer => OperandOwnership::InteriorPointer,
            OperandUse::Escape => OperandOwnership::Escape,
            OperandUse::Mention => OperandOwnership::Mention,
            OperandUse::NonOwned => OperandOwnership::Trivial,
            OperandUse::Forward => self.forwarding_use(self.forwarded(found.user).unwrap_or(Ownership::None)),
        }
    }

    fn forwarding_use(&self, forwarded: Ownership) -> OperandOwnership {
        match forwarded {
            Ownership::None => OperandOwnership::Trivial,
            Ownership::Owned => OperandOwnership::ForwardOwned,
            Ownership::Guaranteed => OperandOwnership::ForwardBorrowed,
            Ownership::Unowned => OperandOwnership::ForwardUnowned,
        }
    }

    fn argument_use(&self, found: Use, opcode: Opcode) -> OperandOwnership {
        let scoped =
            if opcode == Opcode::BeginApply { OperandOwnership::Borrow } else { OperandOwnership::Instantaneous };
        let Some(conventions) = self.callee(found.user) else { return OperandOwnership::InstantaneousOrUnowned };
        if found.operand == 0 {
            return match conventions.function.callee {
                CalleeConvention::Owned => OperandOwnership::ForwardOwned,
                CalleeConvention::Guaranteed => scoped,
                CalleeConvention::None | CalleeConvention::Unowned => OperandOwnership::InstantaneousOrUnowned,
            };
        }
        let argument = ApplySite::new(self.body, found.user)
            .and_then(|site| site.argument_of_operand(conventions, found.operand as usize));
        let is_self = found.operand as usize + 1 == self.body.operands(found.user).len();
        match argument.map(|argument| argument.convention) {
            // The result of a borrow accessor is borrowed from `self`.
            Some(ArgumentConvention::Parameter(ParameterConvention::Guaranteed))
                if is_self && conventions.returns_borrow() =>
            {
                OperandOwnership::ForwardBorrowed
            }
            Some(ArgumentConvention::Parameter(convention)) => convention_use(convention, scoped),
            Some(ArgumentConvention::Result(_) | ArgumentConvention::Error) | None => OperandOwnership::Trivial,
        }
    }

    fn captured_use(&self, found: Use) -> OperandOwnership {
        let value = found.value(self.body);
        if !self.body.instructions[found.user].attributes.contains(Attribute::OnStack) {
            return OperandOwnership::ForwardOwned;
        }
        if self.is_trivial(self.body.ty(value).ty) { OperandOwnership::Trivial } else { OperandOwnership::Borrow }
    }

    fn yielded_use(&self, found: Use) -> OperandOwnership {
        let yields = self.conventions.map_or(&[][..], |conventions| &conventions.function.yields);
        match yields.get(found.operand as usize) {
            Some(yielded) => convention_use(yielded.convention, OperandOwnership::Instantaneous),
            None => OperandOwnership::Instantaneous,
        }
    }

    fn returned_use(&self) -> OperandOwnership {
        let Some(conventions) = self.conventions else { return OperandOwnership::ForwardOwned };
        let mut found = OperandOwnership::Trivial;
        for result in conventions.direct_results().filter(|result| !self.is_trivial(result.ty)) {
            found = match result.convention {
                ResultConvention::UnownedInnerPointer => OperandOwnership::InstantaneousOrUnowned,
                ResultConvention::Guaranteed => OperandOwnership::Instantaneous,
                _ => OperandOwnership::ForwardOwned,
            };
        }
        found
    }

    fn branch_use(&self, found: Use) -> OperandOwnership {
        let target = self.body.targets(found.user).first().map(|block| &self.body.blocks[*block]);
        let Some(argument) = target.and_then(|block| block.arguments.get(found.operand as usize)) else {
            return OperandOwnership::Trivial;
        };
        match self.kind(*argument) {
            Ownership::Guaranteed if self.is_reborrow(*argument) => OperandOwnership::Reborrow,
            kind => self.forwarding_use(kind),
        }
    }

    fn builtin_use(&self, found: Use) -> OperandOwnership {
        use NamedBuiltin::*;
        let last = self.body.operands(found.user).len() as u32 == found.operand + 1;
        match self.builtin(found.user) {
            Some(BuiltinKind::Named(StartAsyncLet)) => OperandOwnership::Consume,
            Some(BuiltinKind::Named(COWBufferForReading | ConvertTaskToJob)) => OperandOwnership::ForwardOwned,
            Some(BuiltinKind::Named(StartAsyncLetWithLocalBuffer)) if found.operand == 0 => OperandOwnership::Trivial,
            Some(BuiltinKind::Named(StartAsyncLetWithLocalBuffer)) => OperandOwnership::Borrow,
            Some(BuiltinKind::Named(CreateAsyncTask)) if last || found.operand == 4 => OperandOwnership::Consume,
            Some(BuiltinKind::Named(
                ResumeNonThrowingContinuationReturning
                | ResumeThrowingContinuationReturning
                | ResumeThrowingContinuationThrowing,
            )) if found.operand == 1 => OperandOwnership::Consume,
            Some(BuiltinKind::Named(AddTaskLocalValue | TaskLocalValuePush)) if found.operand == 1 => {
                OperandOwnership::Consume
            }
            Some(BuiltinKind::Named(_)) => OperandOwnership::Instantaneous,
            Some(_) => OperandOwnership::Instantaneous,
            None => OperandOwnership::InstantaneousOrUnowned,
        }
    }

    /// Whether `value` passes on a borrow of another scope, so that its scope is not its own.
    pub fn is_forwarded_borrow(&self, cfg: &ControlFlowGraph, value: Value) -> bool {
        if self.kind(value) != Ownership::Guaranteed {
            return false;
        }
        match self.body.values[value].definition {
            Definition::Result { instruction, .. } => {
                let opcode = self.body.instructions[instruction].opcode;
                match opcode {
                    Opcode::Borrowed => !self.begins_scope(value),
                    Opcode::Apply => true,
                    _ => forwards(opcode) || forwards_borrowed(opcode),
                }
            }
            Definition::Argument { block, .. } => {
                block != self.body.entry()
                    && !self.is_reborrow(value)
                    && cfg.predecessors(block).iter().any(|predecessor| {
                        let terminator = self.body.terminator(*predecessor).map(|id| self.body.instructions[id].opcode);
                        matches!(terminator, Some(Opcode::Br | Opcode::SwitchEnum | Opcode::CheckedCastBr))
                    })
            }
            Definition::Undef => false,
        }
    }

    /// The values that a use passes its value's ownership on to.
    pub fn forwarded_to(&self, found: Use) -> Vec<Value> {
        let body = self.body;
        let results: Vec<Value> = body.results(found.user).collect();
        if !results.is_empty() {
            return results.into_iter().filter(|value| self.kind(*value) != Ownership::None).collect();
        }
        match body.instructions[found.user].opcode {
            Opcode::SwitchEnum | Opcode::CheckedCastBr => {
                let arguments = body.targets(found.user).iter().flat_map(|target| &body.blocks[*target].arguments);
                arguments.copied().filter(|value| self.kind(*value) != Ownership::None).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The written ownership of a block argument. A reborrow is borrowed, whether that is written or not.
fn written_kind(value: &ValueData) -> Ownership {
    if value.flags.contains(ArgumentFlag::Reborrow) { Ownership::Guaranteed } else { value.ownership }
}

/// Operands of one instruction have different ownership.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict;

/// Whether an instruction passes an owned value on in its results.
pub fn forwards(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        BridgeObjectToRef
            | ConvertFunction
            | OpenExistentialRef
            | RefToBridgeObject
            | Struct
            | Tuple
            | Enum
            | UncheckedRefCast
            | UnconditionalCheckedCast
            | Upcast
            | UncheckedValueCast
            | UncheckedEnumData
            | MarkDependence
            | InitExistentialRef
            | DifferentiableFunction
            | LinearFunction
            | MarkUnresolvedNonCopyableValue
            | MarkUnresolvedReferenceBinding
            | MoveonlywrapperToCopyable
            | CopyableToMoveonlywrapper
            | MoveonlywrapperToCopyableBox
            | DestructureStruct
            | DestructureTuple
    )
}

/// Whether operands of the instruction live on in its results, owned or borrowed.
pub(super) fn forwards_anything(opcode: Opcode) -> bool {
    forwards(opcode) || forwards_borrowed(opcode) || matches!(opcode, Opcode::SwitchEnum | Opcode::CheckedCastBr)
}

fn forwards_borrowed(opcode: Opcode) -> bool {
    opcode.information().uses.contains(&OperandUse::ForwardBorrowed)
}

/// `, forwarding: @owned`
fn written_forwarding(attributes: sil_ir::instructions::AttributeSet, opcode: Opcode) -> Option<Ownership> {
    let written = attributes.contains(Attribute::Forwarding)
        || matches!(opcode, Opcode::CopyableToMoveonlywrapper | Opcode::MoveonlywrapperToCopyable);
    if written {
        if attributes.contains(Attribute::Owned) {
            return Some(Ownership::Owned);
        }
        if attributes.contains(Attribute::Guaranteed) {
            return Some(Ownership::Guaranteed);
        }
        if attributes.contains(Attribute::Unowned) {
            return Some(Ownership::Unowned);
        }
        return attributes.contains(Attribute::Forwarding).then_some(Ownership::None);
    }
    None
}

/// `unchecked_ownership_conversion %0, @guaranteed to @owned`
fn converted_kind(queries: &TypeQueries<'_>, id: InstructionId, body: &Body) -> Ownership {
    let Details::Words(words) = &body.instructions[id].details else { return Ownership::None };
    match words.last().map(|word| queries.context.text(*word)) {
        Some("owned" | "@owned") => Ownership::Owned,
        Some("guaranteed" | "@guaranteed") => Ownership::Guaranteed,
        Some("unowned" | "@unowned") => Ownership::Unowned,
        _ => Ownership::None,
    }
}

fn convention_use(convention: ParameterConvention, guaranteed: OperandOwnership) -> OperandOwnership {
    use ParameterConvention::*;
    match convention {
        Owned | In | InConstant | InCxx | PackOwned => OperandOwnership::ForwardOwned,
        Guaranteed | InGuaranteed | PackGuaranteed | PackInOut => guaranteed,
        Unowned => OperandOwnership::InstantaneousOrUnowned,
        InOut | InOutAliasable => OperandOwnership::Trivial,
    }
}

fn dependence_use(attributes: sil_ir::instructions::AttributeSet) -> OperandOwnership {
    if attributes.contains(Attribute::NonEscaping) {
        OperandOwnership::Borrow
    } else if attributes.contains(Attribute::Unresolved) {
        OperandOwnership::InstantaneousOrUnowned
    } else {
        OperandOwnership::Escape
    }
}

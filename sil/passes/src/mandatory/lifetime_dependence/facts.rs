//! The queries of the lifetime dependence passes on a body: escapable and trivial values, variables, the parts of
//! calls, uses in the order of Swift's passes.
//!
//! Does not own: accesses, forwarding and borrows (`analysis`).

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use sil_analysis::{ApplyKind, ApplySite, BodyView, OwnershipKinds, Use, ValueDependence};
use sil_ir::context::{FunctionAttribute, LifetimeDependenceKind, ParameterConvention, Type, TypeId};
use sil_ir::instructions::builtins::BuiltinKind;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode, OperandUse};
use sil_ir::model::views::MarkDependence;
use sil_ir::model::{DebugVariable, Definition, Details, InstructionId, Ownership, Value};
use sil_ir::types::{ArgumentConvention, Escapability, FunctionConventions};

use crate::pass::settings::VariableNames;

/// A body with its borrow analysis.
pub(super) struct Facts<'v, 'm> {
    pub(super) view: &'v BodyView<'m>,
    pub(super) dependence: ValueDependence<'v, 'm>,
    /// Whether names of variables other than globals are known.
    names: VariableNames,
    /// The marks resolved by diagnostics so far.
    decided: RefCell<FxHashMap<InstructionId, MarkKind>>,
}

/// The kind of a `mark_dependence`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MarkKind {
    /// `[unresolved]`: diagnostics resolve it.
    Unresolved,
    /// `[nonescaping]`
    NonEscaping,
    /// The value may escape.
    Escaping,
}

impl<'v, 'm> Facts<'v, 'm> {
    pub(super) fn new(view: &'v BodyView<'m>) -> Self {
        Self::with_names(view, VariableNames::Written)
    }

    pub(super) fn with_names(view: &'v BodyView<'m>, names: VariableNames) -> Self {
        Self { view, dependence: ValueDependence::new(view), names, decided: RefCell::default() }
    }

    /// Returns the debug variable if it is declared.
    pub(super) fn declared<'d>(&self, variable: Option<&'d DebugVariable>) -> Option<&'d DebugVariable> {
        variable.filter(|variable| variable.name.is_some() && self.names == VariableNames::Written)
    }

    /// Resolves an unresolved mark.
    pub(super) fn decide(&self, mark: InstructionId, kind: MarkKind) {
        self.decided.borrow_mut().insert(mark, kind);
    }

    /// Returns the resolved marks.
    pub(super) fn decisions(self) -> FxHashMap<InstructionId, MarkKind> {
        self.decided.into_inner()
    }

    /// Returns the operand ownership of uses.
    pub(super) fn kinds(&self) -> &OwnershipKinds<'m> {
        self.dependence.ownership_kinds()
    }

    /// Returns the uses of a value except type-dependent ones, in Swift's order: the newest first. The uses that
    /// `mark_dependence` takes over from another value are moved in that order, which reverses them.
    pub(super) fn uses(&self, value: Value) -> Vec<Use> {
        let is_use = |found: &&Use| {
            self.view.opcode(found.user).information().operand_use(found.operand as usize) != OperandUse::Mention
        };
        let uses = self.view.uses.of(value).iter().filter(is_use).copied();
        if self.is_turned_round(value) { uses.collect() } else { uses.rev().collect() }
    }

    fn is_turned_round(&self, value: Value) -> bool {
        let mut marks = 0;
        let mut current = value;
        while let Some((mark, Opcode::MarkDependence)) = self.view.definition(current) {
            marks += 1;
            current = MarkDependence::of(self.view.body, mark).value;
        }
        marks % 2 == 1
    }

    /// Returns whether a value is escapable (`SILType::isEscapable`). Functions count as escapable.
    pub(super) fn is_escapable(&self, value: Value) -> bool {
        self.is_type_escapable(self.view.body.ty(value).ty)
    }

    fn is_type_escapable(&self, ty: TypeId) -> bool {
        let queries = self.view.queries;
        match queries.get(ty) {
            Type::Function(_) => true,
            Type::Box(_) => queries.box_field_type(ty, 0).is_none_or(|field| self.is_type_escapable(field)),
            _ => queries.properties(ty, self.view.function.signature).escapability == Escapability::Escapable,
        }
    }

    /// Returns whether the lifetime of a value is unlimited: its type is escapable, it is no non-escaping function, and
    /// no closure over a variable of the caller.
    pub(super) fn may_escape(&self, value: Value) -> bool {
        let ty = self.view.body.ty(value).ty;
        if let Type::Function(function) = self.view.queries.get(ty)
            && function.attributes.contains(FunctionAttribute::NoEscape)
        {
            return false;
        }
        let may_escape = self.is_type_escapable(ty);
        match self.view.definition(value) {
            Some((closure, Opcode::PartialApply)) => may_escape && self.closure_may_escape(closure),
            _ => may_escape,
        }
    }

    /// Returns whether the closure of a `partial_apply` is neither on the stack nor captures memory of a caller.
    pub(super) fn closure_may_escape(&self, closure: InstructionId) -> bool {
        if self.view.body.instructions[closure].attributes.contains(Attribute::OnStack) {
            return false;
        }
        let Some(site) = ApplySite::new(self.view.body, closure) else { return true };
        let Some(conventions) = site.conventions(self.view.queries) else { return true };
        let borrowed = ArgumentConvention::Parameter(ParameterConvention::InOutAliasable);
        let count = site.arguments().len();
        let captures = (1..=count).filter_map(|operand| site.argument_of_operand(conventions, operand));
        !captures.into_iter().any(|capture| capture.convention == borrowed)
    }

    /// Returns whether the object type of a value or address is trivial.
    pub(super) fn has_trivial_type(&self, value: Value) -> bool {
        let ty = self.view.body.ty(value).ty;
        self.view.queries.properties(ty, self.view.function.signature).is_trivial()
    }

    /// Returns whether a value is trivial, or the object type of an address.
    pub(super) fn is_trivial(&self, value: Value) -> bool {
        let is_without_ownership = || self.view.ownership(value) == Ownership::None;
        self.has_trivial_type(value) || !self.view.body.ty(value).is_address() && is_without_ownership()
    }

    /// Returns whether an instruction begins the scope of a variable that is a value (`VariableScopeInstruction`).
    pub(super) fn is_variable_scope(&self, id: InstructionId) -> bool {
        matches!(self.view.opcode(id), Opcode::BeginBorrow | Opcode::MoveValue)
            && self.view.body.instructions[id].attributes.contains(Attribute::VarDecl)
    }

    /// Returns the ends of the scope of a variable that is a value.
    pub(super) fn variable_scope_ends(&self, variable: Value) -> Vec<InstructionId> {
        let is_end = |found: &Use| {
            self.kinds().operand(*found).ends_lifetime() || self.view.opcode(found.user) == Opcode::ExtendLifetime
        };
        self.uses(variable).into_iter().filter(is_end).map(|found| found.user).collect()
    }

    /// Returns the kind of a `mark_dependence` or `mark_dependence_addr`.
    pub(super) fn mark_kind(&self, mark: InstructionId) -> MarkKind {
        if let Some(decided) = self.decided.borrow().get(&mark) {
            return *decided;
        }
        let attributes = self.view.body.instructions[mark].attributes;
        if attributes.contains(Attribute::Unresolved) {
            MarkKind::Unresolved
        } else if attributes.contains(Attribute::NonEscaping) {
            MarkKind::NonEscaping
        } else {
            MarkKind::Escaping
        }
    }

    /// Returns the builtin that an instruction calls.
    pub(super) fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.view.body.instructions[id].details else { return None };
        builtin.kind()
    }

    /// Returns the call site of an instruction that is a full apply.
    pub(super) fn full_apply(&self, id: InstructionId) -> Option<(ApplySite<'m>, FunctionConventions<'m>)> {
        ApplyKind::of(self.view.opcode(id)).filter(|kind| kind.is_full())?;
        let site = ApplySite::new(self.view.body, id)?;
        Some((site, site.conventions(self.view.queries)?))
    }

    /// Returns the convention of an operand of a call; `None` for the callee.
    pub(super) fn convention_of(&self, found: Use) -> Option<ArgumentConvention> {
        let (site, conventions) = self.full_apply(found.user)?;
        site.argument_of_operand(conventions, found.operand as usize).map(|argument| argument.convention)
    }

    /// Returns the dependence of a call's results on an operand.
    pub(super) fn result_dependence(&self, found: Use) -> Option<LifetimeDependenceKind> {
        let site = ApplySite::new(self.view.body, found.user)?;
        let conventions = site.conventions(self.view.queries)?;
        let argument = site.numbering(conventions).sil_argument_of_operand(found.operand as usize)?;
        conventions.result_dependence_on(argument)
    }

    /// Returns whether a dependence of this kind on `value` is a dependence on the memory of the value.
    pub(super) fn is_addressable(&self, kind: LifetimeDependenceKind, value: Value) -> bool {
        let ty = self.view.body.ty(value).ty;
        self.view.queries.is_addressable(kind, ty, self.view.function.signature)
    }

    /// Returns the parameter operands of a call.
    pub(super) fn parameter_operands(&self, id: InstructionId) -> Vec<Use> {
        let is_parameter = |found: &Use| matches!(self.convention_of(*found), Some(ArgumentConvention::Parameter(_)));
        self.operands(id).filter(is_parameter).collect()
    }

    /// Returns the indirect result operands of a call.
    pub(super) fn indirect_result_operands(&self, id: InstructionId) -> Vec<Use> {
        let is_result = |found: &Use| matches!(self.convention_of(*found), Some(ArgumentConvention::Result(_)));
        self.operands(id).filter(is_result).collect()
    }

    fn operands(&self, id: InstructionId) -> impl Iterator<Item = Use> + use<> {
        let count = self.view.body.operands(id).len() as u32;
        (0..count).map(move |operand| Use { user: id, operand })
    }

    /// Returns the direct result of a call; `None` for a coroutine.
    pub(super) fn direct_result(&self, id: InstructionId) -> Option<Value> {
        let body = self.view.body;
        match self.view.opcode(id) {
            Opcode::Apply => body.result(id),
            Opcode::TryApply => body.blocks[*body.targets(id).first()?].arguments.first().copied(),
            _ => None,
        }
    }

    /// Returns the direct result of a call, or the yields of a coroutine.
    pub(super) fn result_or_yields(&self, id: InstructionId) -> Vec<Value> {
        if self.view.opcode(id) == Opcode::BeginApply {
            return self.yields(id);
        }
        let is_void = |value: &Value| self.view.body.ty(*value).ty == self.view.queries.void();
        self.direct_result(id).filter(|value| !is_void(value)).into_iter().collect()
    }

    /// Returns the yields of a `begin_apply`.
    pub(super) fn yields(&self, begin: InstructionId) -> Vec<Value> {
        let count = self.full_apply(begin).map_or(0, |(_, conventions)| conventions.function.yields.len());
        self.view.body.results(begin).take(count).collect()
    }

    /// Returns the token of a `begin_apply`: the first result after the yields.
    pub(super) fn token(&self, begin: InstructionId) -> Option<Value> {
        self.view.body.results(begin).nth(self.yields(begin).len())
    }

    /// Returns the convention of a yield of a `begin_apply`; `None` for its token.
    pub(super) fn yield_convention(&self, yielded: Value) -> Option<ArgumentConvention> {
        let Definition::Result { instruction, index } = self.view.body.values[yielded].definition else { return None };
        let (_, conventions) = self.full_apply(instruction)?;
        let convention = conventions.function.yields.get(index as usize)?.convention;
        Some(ArgumentConvention::Parameter(convention))
    }

    /// Returns the ends of the scope that an instruction begins, among its uses (`ScopedInstruction.endOperands`).
    pub(super) fn scope_ends(&self, begin: InstructionId) -> Vec<InstructionId> {
        let ends: &[Opcode] = match self.view.opcode(begin) {
            Opcode::BeginAccess => &[Opcode::EndAccess],
            Opcode::BeginApply => &[Opcode::EndApply, Opcode::AbortApply, Opcode::EndBorrow],
            _ => &[Opcode::EndBorrow],
        };
        let scope = if self.view.opcode(begin) == Opcode::BeginApply {
            self.token(begin)
        } else {
            self.view.body.result(begin)
        };
        let uses = scope.map_or_else(Vec::new, |scope| self.uses(scope));
        let is_end = |id: &InstructionId| ends.contains(&self.view.opcode(*id));
        uses.into_iter().map(|found| found.user).filter(is_end).collect()
    }

    /// Returns whether an instruction begins a scope with explicit ends (`ScopedInstruction`).
    pub(super) fn begins_scope(&self, id: InstructionId) -> bool {
        use Opcode::*;
        matches!(self.view.opcode(id), BeginAccess | BeginApply | BeginBorrow | LoadBorrow | StoreBorrow)
    }
}

/// Returns the attributes of an unresolved mark.
pub(super) fn unresolved() -> AttributeSet {
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::Unresolved);
    attributes
}

/// Returns whether an instruction stores a whole value at an address (`StoringInstruction`).
pub(super) fn is_storing(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, Store | StoreWeak | StoreUnowned | Assign | AssignByWrapper | AssignOrInit | StoreBorrow)
}

/// Returns whether an instruction moves or copies memory from one address to another (`SourceDestAddrInstruction`).
pub(super) fn moves_memory(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        CopyAddr | ExplicitCopyAddr | UnconditionalCheckedCastAddr | UncheckedRefCastAddr | MarkUnresolvedMoveAddr
    )
}

/// Returns whether an instruction only changes the ownership of its operand by a copy, move or borrow
/// (`OwnershipTransitionInstruction`).
pub(super) fn is_ownership_transition(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        CopyValue
            | ExplicitCopyValue
            | UnownedCopyValue
            | WeakCopyValue
            | StrongCopyUnownedValue
            | StrongCopyUnmanagedValue
            | StrongCopyWeakValue
            | MoveValue
            | BeginBorrow
            | BeginCowMutation
            | EndCowMutation
            | EndInitLetRef
            | BeginDeallocRef
    )
}

/// Returns whether a use by the instruction is incidental (`isIncidentalUse`, lib/SIL/Utils/InstructionUtils.cpp).
pub(super) fn is_incidental(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, EndAccess | EndBorrow | DebugValue | DebugStep | FixLifetime | EndLifetime | IgnoredUse)
}

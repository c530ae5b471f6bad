//! Lowers assignments to properties with wrappers: makes the wrapper from the value and stores it, or calls the
//! property's setter, as definite initialisation decided. The unused closure is removed with its captures, which need
//! not be initialised.

use sil_analysis::Uses;
use sil_ir::context::{ParameterConvention, SignatureId, SilType, SubstitutionMapId, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::AssignByWrapper;
use sil_ir::model::{Apply, Body, InstructionId, Ownership, Place, Value};
use sil_ir::types::{ArgumentConvention, FunctionConventions, TypeQueries};

use crate::InstructionBuilder;

/// Replaces the `assign_by_wrapper` `id`.
pub(super) fn lower(
    queries: &TypeQueries<'_>,
    signature: Option<SignatureId>,
    body: &mut Body,
    id: InstructionId,
) -> Result<(), Box<Diagnostic>> {
    let AssignByWrapper { source, destination, initializer, setter } = AssignByWrapper::of(body, id);
    let attributes = body.instructions[id].attributes;
    let mut call = Call::new(queries, signature, body, id);
    if attributes.contains(Attribute::AssignWrappedValue) {
        call.apply(setter, &[], source, &[])?;
        call.body.erase(id);
        remove_unused_access(body, destination);
        remove_unused_closure(queries, signature, body, initializer);
        return Ok(());
    }
    let replaces = attributes.contains(Attribute::Assign);
    call.initialize(initializer, source, destination, replaces)?;
    call.body.erase(id);
    remove_unused_closure(queries, signature, body, setter);
    Ok(())
}

/// The call that replaces an assignment.
pub(super) struct Call<'c> {
    pub(super) queries: &'c TypeQueries<'c>,
    signature: Option<SignatureId>,
    pub(super) body: &'c mut Body,
    /// The lowered instruction.
    id: InstructionId,
}

impl<'c> Call<'c> {
    /// Creates the call in place of `id`.
    pub(super) fn new(
        queries: &'c TypeQueries<'c>,
        signature: Option<SignatureId>,
        body: &'c mut Body,
        id: InstructionId,
    ) -> Self {
        Self { queries, signature, body, id }
    }

    pub(super) fn unsupported(&self) -> Box<Diagnostic> {
        let what = "this assignment to a property with a wrapper or an accessor";
        Box::new(Diagnostic::unsupported(what, self.body.instructions[self.id].span))
    }

    pub(super) fn builder(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, Place::Before(self.id), self.id)
    }

    pub(super) fn is_trivial(&self, ty: SilType) -> bool {
        self.queries.properties(ty.ty, self.signature).is_trivial()
    }

    /// Makes the wrapper of `source` at `destination`.
    fn initialize(
        &mut self,
        initializer: Value,
        source: Value,
        destination: Value,
        replaces: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let conventions = self.conventions(initializer)?;
        let wrapper = self.body.ty(destination);
        if conventions.indirect_results().next().is_some() {
            if replaces {
                self.builder().destroy_addr(destination);
            }
            self.apply(initializer, &[destination], source, &[])?;
            return Ok(());
        }
        let made = self.apply(initializer, &[], source, &[])?;
        let kind = match (self.is_trivial(wrapper), replaces) {
            (true, _) => Attribute::Trivial,
            (false, true) => Attribute::Assign,
            (false, false) => Attribute::Init,
        };
        let mut attributes = AttributeSet::default();
        attributes.insert(kind);
        self.builder().with(attributes).store(made, destination);
        Ok(())
    }

    fn conventions(&self, closure: Value) -> Result<FunctionConventions<'_>, Box<Diagnostic>> {
        self.queries.conventions(self.body.ty(closure).ty).ok_or_else(|| self.unsupported())
    }

    /// Calls a closure with the addresses of its results, the elements of `source`, and the arguments to read. Returns
    /// its direct result.
    pub(super) fn apply(
        &mut self,
        closure: Value,
        results: &[Value],
        source: Value,
        read: &[Value],
    ) -> Result<Value, Box<Diagnostic>> {
        let conventions = self.conventions(closure)?;
        let first = conventions.first_parameter();
        let expected: Vec<ArgumentConvention> =
            conventions.arguments().skip(first).map(|argument| argument.convention).collect();
        let returned = self.queries.direct_result(conventions);
        let mut values = Vec::new();
        self.elements(source, &mut values);
        if values.len() + read.len() != expected.len() {
            return Err(self.unsupported());
        }
        let (mut operands, mut borrowed) = (vec![closure], Vec::new());
        operands.extend(results);
        for (value, convention) in values.into_iter().zip(expected) {
            let ArgumentConvention::Parameter(convention) = convention else { return Err(self.unsupported()) };
            let value = match self.body.ty(value).is_address() && !convention.is_indirect() {
                true => self.take(value),
                false => value,
            };
            if matches!(convention, ParameterConvention::Guaranteed | ParameterConvention::InGuaranteed) {
                borrowed.push(value);
            }
            operands.push(value);
        }
        operands.extend(read);
        let callee_type = self.body.ty(closure);
        let made = self.builder().apply(Apply::new(callee_type, SubstitutionMapId::EMPTY), &operands, returned);
        for value in borrowed {
            let ty = self.body.ty(value);
            let opcode = if ty.is_address() { Opcode::DestroyAddr } else { Opcode::DestroyValue };
            if !self.is_trivial(ty) {
                self.builder().effect(opcode, value);
            }
        }
        Ok(made)
    }

    /// Splits a tuple into its elements, including nested ones in order.
    fn elements(&mut self, value: Value, found: &mut Vec<Value>) {
        let ty = self.body.ty(value);
        let Type::Tuple(elements) = self.queries.get(ty.ty) else { return found.push(value) };
        let types: Vec<SilType> = elements.iter().map(|element| SilType { ty: element.ty, ..ty }).collect();
        let parts: Vec<Value> = match ty.is_address() {
            true => {
                let project = |(index, ty): (u32, &SilType)| self.builder().tuple_element_addr(value, index, *ty);
                (0..).zip(&types).map(project).collect()
            }
            false => self.builder().destructure_tuple(value, &types),
        };
        parts.into_iter().for_each(|part| self.elements(part, found));
    }

    fn take(&mut self, address: Value) -> Value {
        let ty = self.body.ty(address).object_type();
        let mut attributes = AttributeSet::default();
        attributes.insert(if self.is_trivial(ty) { Attribute::Trivial } else { Attribute::Take });
        self.builder().with(attributes).load(address)
    }
}

/// Removes an empty access: the setter has one of its own.
fn remove_unused_access(body: &mut Body, address: Value) {
    let Some(access) = body.defining(address).filter(|id| body.instructions[*id].opcode == Opcode::BeginAccess) else {
        return;
    };
    let users: Vec<InstructionId> = Uses::new(body).of(address).iter().map(|found| found.user).collect();
    if users.iter().all(|id| body.instructions[*id].opcode == Opcode::EndAccess) {
        users.into_iter().chain([access]).for_each(|id| body.erase(id));
    }
}

/// Removes an unused closure and the copies for it.
pub(super) fn remove_unused_closure(
    queries: &TypeQueries<'_>,
    signature: Option<SignatureId>,
    body: &mut Body,
    closure: Value,
) {
    let Some(made) = body.defining(closure) else { return };
    let opcode = body.instructions[made].opcode;
    let Some(owners) = unused(body, closure) else { return };
    if !matches!(opcode, Opcode::PartialApply | Opcode::ThinToThickFunction | Opcode::ConvertFunction) {
        return;
    }
    let owned = opcode == Opcode::PartialApply && !body.instructions[made].attributes.contains(Attribute::OnStack);
    let captured: Vec<Value> = body.operands(made).iter().skip(1).copied().collect();
    owners.into_iter().for_each(|id| body.erase(id));
    for value in captured {
        let is_kept = body.ty(value).is_address() || queries.properties(body.ty(value).ty, signature).is_trivial();
        if owned && !is_kept && body.values[value].ownership != Ownership::None {
            InstructionBuilder::new(body, Place::Before(made), made).destroy_value(value);
        }
    }
    let captured: Vec<Value> = body.operands(made).iter().skip(1).copied().collect();
    body.erase(made);
    captured.into_iter().for_each(|value| remove_unused_copy(body, value));
}

/// Removes a copy or load that is only destroyed.
fn remove_unused_copy(body: &mut Body, value: Value) {
    let Some(made) = body.defining(value) else { return };
    let attributes = body.instructions[made].attributes;
    let is_copy = match body.instructions[made].opcode {
        Opcode::CopyValue | Opcode::BeginBorrow => true,
        Opcode::Load => !attributes.contains(Attribute::Take),
        _ => false,
    };
    if let Some(owners) = unused(body, value).filter(|_| is_copy) {
        owners.into_iter().chain([made]).for_each(|id| body.erase(id));
    }
}

/// Returns the instructions that copy, borrow and destroy a value without other uses.
fn unused(body: &Body, value: Value) -> Option<Vec<InstructionId>> {
    let uses = Uses::new(body);
    let (mut owners, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        for user in uses.of(value).iter().map(|found| found.user) {
            match body.instructions[user].opcode {
                Opcode::DestroyValue | Opcode::EndBorrow | Opcode::DeallocStack => {}
                Opcode::CopyValue | Opcode::BeginBorrow => open.extend(body.result(user)),
                _ => return None,
            }
            owners.push(user);
        }
    }
    Some(owners)
}

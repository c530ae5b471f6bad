//! Lowers functions out of ownership SSA: ownership instructions become retains and releases, or are removed.
//!
//! Follows lib/SILOptimizer/Mandatory/OwnershipModelEliminator.cpp. Blocks are rebuilt one at a time: an instruction is
//! kept, removed, or replaced. The uses of removed results are replaced at the end.

mod closures;
mod destructuring;
mod values;

use sil_analysis::{Analyses, Change};
use sil_analysis::{OwnershipKinds, Uses};
use sil_ir::context::{MemberId, ResultConvention, SilType, Type};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{
    ArgumentFlag, BlockId, Body, DefaultCase, Details, EnumCases, Function, FunctionAttribute, FunctionFlag,
    InstructionId, Ownership, Place, Replacements, Value,
};

use crate::InstructionBuilder;
use crate::editing::stack_nesting;
use crate::knowledge::counting::Counting;
use crate::pass::{Description, Environment, Gates, OwnershipGate, Pass, Rewrite, Runner};
use closures::Closures;

pub(crate) const LATE_OWNERSHIP_LOWERING: Pass = Pass::new(&Description {
    name: "non-transparent-func-ownership-model-eliminator",
    class_name: "NonTransparentFunctionOwnershipModelEliminator",
    summary: "Lowers ownership, except in functions that are always inlined.",
    gates: Gates { ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(lower_what_is_called),
});

pub(crate) const OWNERSHIP_LOWERING: Pass = Pass::new(&Description {
    name: "ownership-model-eliminator",
    class_name: "OwnershipModelEliminator",
    summary: "Lowers ownership (`[ossa]`): copies and destructions become retains and releases.",
    gates: Gates { ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(lower),
});

/// The lowering of destroys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Destroys {
    /// As releases of references.
    Counted,
    /// As `release_value`.
    Values,
}

/// Lowers a function.
pub(crate) fn lower(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    lower_with(environment, Destroys::Counted).map(Some)
}

/// Lowers a function that is not transparent: such functions are inlined into others with ownership.
pub(crate) fn lower_what_is_called(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    if environment.function.has(FunctionFlag::Transparent) { Ok(None) } else { lower(environment) }
}

/// Lowers `callee`, a function with ownership and the body `body`, to be inlined into a function without ownership
/// (include/swift/SIL/SILCloner.h).
pub(crate) fn lower_for_inlining(
    environment: Environment<'_>,
    callee: &Function,
    body: &Body,
) -> Result<(Function, Body), Box<Diagnostic>> {
    let analyses = Analyses::default();
    let environment = Environment { function: callee, body, analyses: &analyses, ..environment };
    let Rewrite { attributes, body, .. } = lower_with(environment, Destroys::Values)?;
    Ok((Function { attributes, body: None, ..callee.clone() }, body))
}

fn lower_with(environment: Environment<'_>, destroys: Destroys) -> Result<Rewrite, Box<Diagnostic>> {
    let Environment { queries, function, body: before, analyses, .. } = environment;
    let uses = analyses.uses(before);
    let kinds = OwnershipKinds::new(queries, function, before, analyses.cfg(before));
    let closures = Closures::new(before, uses, &kinds)?;
    let mut lowered = before.clone();
    let mut lowering = Lowering {
        environment,
        kinds: &kinds,
        uses,
        closures: &closures,
        body: &mut lowered,
        replacements: Replacements::default(),
        erased: Vec::new(),
        block: before.entry(),
        order: Vec::new(),
        destroys,
    };
    lowering.blocks(before)?;
    let Lowering { replacements, order, .. } = lowering;
    closures.replace(&mut lowered, replacements);
    lowered.reorder_blocks(&order);
    if !closures.is_empty() {
        stack_nesting::fix(queries.context, &mut lowered);
    }
    forget_kinds(&mut lowered);
    let change = if lowered.blocks.len() == before.blocks.len() { Change::Instructions } else { Change::Blocks };
    let has_ownership = |attribute: &&FunctionAttribute| **attribute == FunctionAttribute::Flag(FunctionFlag::Ossa);
    let attributes = function.attributes.iter().filter(|attribute| !has_ownership(attribute)).cloned().collect();
    Ok(Rewrite { attributes, ..Rewrite::new(function, lowered, change) })
}

fn forget_kinds(body: &mut Body) {
    for value in body.values.values_mut() {
        value.ownership = Ownership::None;
        value.flags.remove(ArgumentFlag::Reborrow);
        value.flags.remove(ArgumentFlag::PointerEscape);
    }
}

/// A body being lowered.
struct Lowering<'l, 'm> {
    environment: Environment<'m>,
    /// The ownership kinds of the original body.
    kinds: &'l OwnershipKinds<'l>,
    uses: &'l Uses,
    closures: &'l Closures,
    body: &'l mut Body,
    replacements: Replacements,
    /// Instructions to remove when they are visited.
    erased: Vec<InstructionId>,
    /// The block that instructions are appended to.
    block: BlockId,
    /// All blocks so far, in order.
    order: Vec<BlockId>,
    destroys: Destroys,
}

impl Lowering<'_, '_> {
    fn blocks(&mut self, before: &Body) -> Result<(), Box<Diagnostic>> {
        for block in before.blocks.keys() {
            self.block = block;
            self.order.push(block);
            self.body.take_instructions(block);
            for id in before.instructions_in(block) {
                if self.erased.contains(&id) {
                    continue;
                }
                self.instruction(id)?;
                for closure in self.closures.ending_at(id) {
                    self.at(id).dealloc_stack(closure);
                }
            }
        }
        Ok(())
    }

    fn instruction(&mut self, id: InstructionId) -> Result<(), Box<Diagnostic>> {
        use Opcode::*;
        let attributes = self.body.instructions[id].attributes;
        match self.body.instructions[id].opcode {
            CopyValue | ExplicitCopyValue => self.copy_value(id),
            DestroyValue => self.destroy_value(id)?,
            DestroyAddr => self.destroy_addr(id)?,
            // They complete lifetimes in dead ends, which has no effect.
            DeallocBox if attributes.contains(Attribute::DeadEnd) => {}
            MoveValue | BeginBorrow | UncheckedOwnershipConversion | UncheckedOwnership | DropDeinit => {
                self.stand_for_results(id, Unary::of(self.body, id).operand);
            }
            Borrowed => self.stand_for_results(id, views::Borrowed::of(self.body, id).value),
            EndBorrow | EndLifetime | ExtendLifetime | IgnoredUse | MergeIsolationRegion => {}
            ReturnBorrow => {
                let returned = views::ReturnBorrow::of(self.body, id).value;
                self.at(id).return_value(returned);
            }
            Load => self.load(id),
            LoadBorrow => {
                let opcode = &mut self.body.instructions[id].opcode;
                *opcode = Load;
                self.keep_without(id, &[Attribute::Unchecked]);
            }
            Store => self.store(id),
            StoreBorrow => {
                let views::Store { source, destination } = views::Store::of(self.body, id);
                self.at(id).store(source, destination);
                self.stand_for_results(id, destination);
            }
            ExplicitCopyAddr => {
                let views::CopyAddr { source, destination } = views::CopyAddr::of(self.body, id);
                self.at(id).with(attributes).copy_addr(source, destination);
            }
            UnmanagedRetainValue if self.destroys == Destroys::Values => {
                let operand = Unary::of(self.body, id).operand;
                self.at(id).retain_value(operand);
            }
            UnmanagedReleaseValue if self.destroys == Destroys::Values => {
                let operand = Unary::of(self.body, id).operand;
                self.at(id).release_value(operand);
            }
            UnmanagedRetainValue => self.emit_copy(id, Unary::of(self.body, id).operand),
            UnmanagedReleaseValue => self.emit_destroy(id, Unary::of(self.body, id).operand),
            UnmanagedAutoreleaseValue => {
                let operand = Unary::of(self.body, id).operand;
                self.at(id).autorelease_value(operand);
            }
            UncheckedValueCast => self.unchecked_value_cast(id),
            DestructureStruct | DestructureTuple => self.destructure(id)?,
            PartialApply if attributes.contains(Attribute::OnStack) => self.closure(id),
            CheckedCastBr => {
                self.keep(id);
                let views::CheckedCastBr { operand, failure, .. } = views::CheckedCastBr::of(self.body, id);
                self.drop_passed(failure, operand);
            }
            SwitchEnum => {
                self.keep(id);
                self.switch_default(id);
            }
            Apply => self.call(id),
            TryApply if self.returns_unowned(id) => {
                let what = "try_apply of a function with an '@unowned' result in a function with ownership";
                return Err(self.unsupported(id, what));
            }
            _ => self.keep(id),
        }
        Ok(())
    }

    fn unsupported(&self, id: InstructionId, what: impl std::fmt::Display) -> Box<Diagnostic> {
        Box::new(Diagnostic::unsupported(what, self.body.instructions[id].span))
    }

    /// Keeps `id`, without its forwarding ownership.
    fn keep(&mut self, id: InstructionId) {
        if self.body.instructions[id].attributes.contains(Attribute::Forwarding) {
            self.keep_without(
                id,
                &[Attribute::Forwarding, Attribute::Owned, Attribute::Guaranteed, Attribute::Unowned],
            );
        } else {
            self.body.push(self.block, id);
        }
    }

    fn keep_without(&mut self, id: InstructionId, attributes: &[Attribute]) {
        for attribute in attributes {
            self.body.instructions[id].attributes.remove(*attribute);
        }
        self.body.push(self.block, id);
    }

    /// Removes `id`, whose single result is replaced with `by`.
    fn stand_for_results(&mut self, id: InstructionId, by: Value) {
        for result in self.body.results(id) {
            self.replacements.replace(result, by);
        }
    }

    /// A builder at the end of the block, with the location of `id`.
    fn at(&mut self, id: InstructionId) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, Place::End(self.block), id)
    }

    /// Removes the argument of a failure or default block that receives the operand of a cast or switch. The operand
    /// itself is used without ownership.
    fn drop_passed(&mut self, block: BlockId, operand: Value) {
        if let [argument] = self.body.blocks[block].arguments[..] {
            self.replacements.replace(argument, operand);
            self.body.blocks[block].arguments.clear();
        }
    }

    /// Lowers the default of a switch, which receives the whole value. If it covers a single case, it may receive the
    /// payload instead. A destroy of the payload then becomes a destroy of the whole value, and other uses require the
    /// case to be explicit.
    fn switch_default(&mut self, id: InstructionId) {
        let views::SwitchEnum { operand, targets, cases } = views::SwitchEnum::of(self.body, id);
        let Some(default) = targets.last().copied().filter(|_| cases.default == DefaultCase::Present) else { return };
        let [argument] = self.body.blocks[default].arguments[..] else { return };
        let whole = self.body.ty(operand);
        let all = self.parts_of(whole).unwrap_or_default();
        let mut left = all.iter().filter(|part| !self.has_case(cases, part.member));
        match (left.next(), left.next()) {
            (Some(only), None)
                if only.ty == Some(self.body.ty(argument))
                    && only.ty != Some(whole)
                    && !self.is_only_destroyed(argument) =>
            {
                let only = only.member;
                if let Details::EnumCases(cases) = &mut self.body.instructions[id].details {
                    cases.default = DefaultCase::Absent;
                    cases.members = cases.members.iter().copied().chain([only]).collect();
                }
            }
            _ => self.drop_passed(default, operand),
        }
    }

    fn is_only_destroyed(&self, value: Value) -> bool {
        let destroys = |user| self.body.instructions[user].opcode == Opcode::DestroyValue;
        self.uses.of(value).iter().all(|found| destroys(found.user))
    }

    fn has_case(&self, cases: &EnumCases, case: MemberId) -> bool {
        let target = |member| self.environment.queries.context.get_member(member).target;
        cases.members.iter().any(|member| target(*member) == target(case))
    }

    fn unchecked_value_cast(&mut self, id: InstructionId) {
        self.body.instructions[id].opcode = Opcode::UncheckedBitwiseCast;
        self.keep(id);
    }

    /// Lowers a call. An unowned result is retained. Several results are extracted from their tuple for that,
    /// regardless of their conventions.
    fn call(&mut self, id: InstructionId) {
        self.keep(id);
        self.destroy_foreign_arguments(id);
        let Some(result) = self.body.result(id) else { return };
        let conventions: Vec<ResultConvention> = self.direct_result_conventions(id);
        let is_unowned = |convention: &ResultConvention| *convention == ResultConvention::Unowned;
        if let [only] = conventions[..] {
            if is_unowned(&only) && self.kinds.kind(result) == Ownership::Owned {
                self.emit_copy(id, result);
            }
            return;
        }
        let Type::Tuple(elements) = self.environment.queries.get(self.body.ty(result).ty) else { return };
        let types = (0..).zip(elements.iter().map(|element| SilType::object(element.ty)));
        let parts: Vec<(Value, SilType)> =
            types.map(|(index, ty)| (self.at(id).tuple_extract(result, index, ty), ty)).collect();
        for ((part, ty), convention) in parts.into_iter().zip(&conventions) {
            if is_unowned(convention) && self.counting(ty) != Counting::None {
                self.emit_copy(id, part);
            }
        }
    }

    fn returns_unowned(&self, id: InstructionId) -> bool {
        let Some(conventions) = self.conventions(id) else { return false };
        let mut results = conventions.direct_results();
        results.any(|result| {
            result.convention == ResultConvention::Unowned
                && self.counting(SilType::object(result.ty)) != Counting::None
        })
    }
}

/// A member of a nominal type, by the reference that projections use.
struct Part {
    member: MemberId,
    /// `None` for an enum case without payload.
    ty: Option<SilType>,
}

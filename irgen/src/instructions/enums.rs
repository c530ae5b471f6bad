//! Instructions on enums: construction, extraction of payloads, switches and selects, loaded and in memory.
//! `layout::enums` has the representation of the cases, `values::enums` the code for them.

use std::sync::Arc;

use inkwell::basic_block::BasicBlock;
use inkwell::values::BasicValueEnum;
use sil_ir::context::{MemberId, MemberTarget, TypeId};
use sil_ir::instructions::families::Enums;
use sil_ir::model::views::{Enum, EnumCase, SelectEnum, SwitchEnum};
use sil_ir::model::{BlockId, DefaultCase, EnumCases, InstructionId, Value};

use super::dynamic::dynamic_case;
use super::{Emit, Lowering};
use crate::generation::{Explosion, IRGenFunction};
use crate::layout::enums::EnumLayout;
use crate::layout::{TypeInfo, TypeKind};
use crate::refusal::Generated;
use crate::values::enums::{Destinations, EnumValue};

/// The emitter of each instruction of the family.
pub(super) fn lowering(opcode: Enums) -> Lowering {
    use Enums::*;
    let emit: Emit = match opcode {
        Enum => make,
        UncheckedEnumData => unchecked_enum_data,
        InitEnumDataAddr => init_enum_data_addr,
        InjectEnumAddr => inject_enum_addr,
        UncheckedTakeEnumDataAddr => unchecked_take_enum_data_addr,
        SelectEnum | SelectEnumAddr => select,
    };
    Lowering::By(emit)
}

/// The `TypeInfo` of an enum type.
struct Enumeration(Arc<TypeInfo>);

impl Enumeration {
    fn layout(&self) -> Option<&EnumLayout> {
        match &self.0.kind {
            TypeKind::Enum(layout) => Some(layout),
            _ => None,
        }
    }
}

/// Returns the enum's type, and the index of the case of an instruction on one case.
fn enumeration<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    value: Value,
    case: MemberId,
) -> Generated<(Enumeration, usize)> {
    let info = function.info_of(value)?;
    match (case_number(function, case), &info.kind) {
        (Some(case), TypeKind::Enum(_)) => Ok((Enumeration(info), case)),
        _ => Err(function.unsupported(instruction, "a case of a type that is not an enum")),
    }
}

fn case_number(function: &IRGenFunction<'_, '_>, member: MemberId) -> Option<usize> {
    match function.module.sil.context.get_member(member).target {
        MemberTarget::Case(number) => Some(number as usize),
        _ => None,
    }
}

pub(super) fn make<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let Some(result) = function.body.result(instruction) else { return Ok(()) };
    let Enum { case, payload } = Enum::of(function.body, instruction);
    let (info, case) = enumeration(function, instruction, result, case)?;
    let payload = function.flatten(payload.as_slice())?;
    let value = info.layout().map(|layout| layout.inject(function, case, &payload));
    function.bind_result(instruction, value.unwrap_or_default());
    Ok(())
}

pub(super) fn unchecked_enum_data<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let EnumCase { operand, case } = EnumCase::of(function.body, instruction);
    let (info, case) = enumeration(function, instruction, operand, case)?;
    let explosion = function.explosion(operand)?;
    let payload = info.layout().map(|layout| layout.project(function, case, &explosion));
    function.bind_result(instruction, payload.unwrap_or_default());
    Ok(())
}

pub(super) fn init_enum_data_addr<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    // A payload is at the start of its enum.
    let address = function.address(EnumCase::of(function.body, instruction).operand)?;
    function.bind_address(instruction, address);
    Ok(())
}

pub(super) fn inject_enum_addr<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let EnumCase { operand, case } = EnumCase::of(function.body, instruction);
    if let Some((ty, address, case)) = dynamic_case(function, instruction)? {
        return function.inject_dynamic_enum(instruction, ty, address, case);
    }
    let (info, case) = enumeration(function, instruction, operand, case)?;
    let address = function.address(operand)?;
    if let Some(layout) = info.layout() {
        layout.inject_at(function, &info.0, case, address);
    }
    Ok(())
}

pub(super) fn unchecked_take_enum_data_addr<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
) -> Generated<()> {
    let EnumCase { operand, case } = EnumCase::of(function.body, instruction);
    if let Some((ty, address, _)) = dynamic_case(function, instruction)? {
        function.project_dynamic_enum(ty, address)?;
        function.bind_address(instruction, address);
        return Ok(());
    }
    let (info, _) = enumeration(function, instruction, operand, case)?;
    let address = function.address(operand)?;
    if let Some(layout) = info.layout() {
        layout.project_at(function, &info.0, address);
    }
    function.bind_address(instruction, address);
    Ok(())
}

/// A switch or a select: the enum, and the index of each listed case.
struct CaseList<'ctx> {
    info: Enumeration,
    value: EnumValue<'ctx>,
    cases: Vec<usize>,
    default: DefaultCase,
    /// The counts of the cases, then the default's.
    counts: Vec<Option<u64>>,
}

fn case_list<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    operand: Value,
    cases: &EnumCases,
) -> Generated<CaseList<'ctx>> {
    let info = function.info_of(operand)?;
    let not_an_enum = || function.unsupported(instruction, "switching on a type that is not an enum");
    let TypeKind::Enum(layout) = &info.kind else { return Err(not_an_enum()) };
    let value = if function.body.ty(operand).is_address() {
        layout.load_value(function, &info, function.address(operand)?)
    } else {
        layout.loaded_value(&function.explosion(operand)?)
    };
    let EnumCases { members, default, counts } = cases;
    let cases: Option<Vec<usize>> = members.iter().map(|member| case_number(function, *member)).collect();
    let cases = cases.ok_or_else(not_an_enum)?;
    Ok(CaseList { value, cases, default: *default, counts: counts.to_vec(), info: Enumeration(info.clone()) })
}

pub(super) fn switch<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let view = SwitchEnum::of(function.body, instruction);
    let SwitchEnum { operand, targets, cases } = view;
    if function.body.ty(operand).is_address()
        && let Some(ty) = function.dynamic_type(operand)?
    {
        return function.switch_dynamic_enum(instruction, ty, &view);
    }
    let list = case_list(function, instruction, operand, cases)?;
    let Some(layout) = list.info.layout() else { return Ok(()) };
    let mut destinations = Destinations { cases: vec![None; layout.cases.len()], default: None, counts: Vec::new() };
    let mut landings = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let landing = Landing { case: list.cases.get(number).copied(), target: *target };
        let block = landing.block(function);
        match landing.case {
            Some(case) => destinations.cases[case] = Some(block),
            None if list.default == DefaultCase::Present => destinations.default = Some(block),
            None => continue,
        }
        if let Some(Some(count)) = list.counts.get(number) {
            destinations.counts.push((block, *count));
        }
        landings.push((landing, block));
    }
    layout.switch(function, &list.value, &destinations);
    for (landing, block) in landings {
        landing.emit(function, operand, layout, block)?;
    }
    Ok(())
}

/// An edge of a switch: the case, or `None` for the default, and its target.
struct Landing {
    case: Option<usize>,
    target: BlockId,
}

impl Landing {
    fn passes_argument(&self, function: &IRGenFunction<'_, '_>) -> bool {
        !function.body.blocks[self.target].arguments.is_empty()
    }

    /// Returns the block for LLVM's branch: a separate block if an argument is passed.
    fn block<'ctx>(&self, function: &IRGenFunction<'_, 'ctx>) -> BasicBlock<'ctx> {
        if self.passes_argument(function) { function.new_block("") } else { function.block(self.target) }
    }

    /// Emits the block that passes the argument: the payload, or for the default the enum itself.
    fn emit<'ctx>(
        &self,
        function: &IRGenFunction<'_, 'ctx>,
        operand: Value,
        layout: &EnumLayout,
        block: BasicBlock<'ctx>,
    ) -> Generated<()> {
        if !self.passes_argument(function) {
            return Ok(());
        }
        function.builder.position_at_end(block);
        let value = function.explosion(operand)?;
        let argument = match self.case {
            Some(case) => layout.project(function, case, &value),
            None => value,
        };
        function.branch_to(self.target, &argument);
        Ok(())
    }
}

pub(super) fn select<'ctx>(function: &mut IRGenFunction<'_, 'ctx>, instruction: InstructionId) -> Generated<()> {
    let SelectEnum { operand, values, cases } = SelectEnum::of(function.body, instruction);
    if function.body.ty(operand).is_address()
        && let Some(ty) = function.dynamic_type(operand)?
    {
        return select_dynamic(function, instruction, ty, operand, values, cases);
    }
    let list = case_list(function, instruction, operand, cases)?;
    let Some(layout) = list.info.layout() else { return Ok(()) };
    let values: Generated<Vec<Explosion<'ctx>>> = values.iter().map(|value| function.flatten(&[*value])).collect();
    let values = values?;
    let selected = match (list.cases.as_slice(), values.as_slice()) {
        (_, []) => return Err(function.unsupported(instruction, "select_enum without cases")),
        (_, [only]) => only.clone(),
        ([case, ..], [yes, no]) => {
            let test = layout.test(function, &list.value, *case);
            yes.iter().zip(no).map(|(yes, no)| function.builder.select(test, *yes, *no)).collect()
        }
        _ => select_by_switch(function, layout, &list, &values),
    };
    match function.body.result(instruction) {
        Some(result) if function.body.ty(result).is_address() => {
            if let [BasicValueEnum::PointerValue(address)] = selected.as_slice() {
                function.bind_address(instruction, *address);
            }
        }
        _ => function.bind_result(instruction, selected),
    }
    Ok(())
}

/// Selects one of two values by a case of an enum of dynamic layout.
fn select_dynamic<'ctx>(
    function: &mut IRGenFunction<'_, 'ctx>,
    instruction: InstructionId,
    ty: TypeId,
    operand: Value,
    values: &[Value],
    cases: &EnumCases,
) -> Generated<()> {
    let ([case, ..], [yes, no]) = (&*cases.members, values) else {
        return Err(function.unsupported(instruction, "select_enum_addr among more than two values"));
    };
    let test = function.is_dynamic_case(instruction, ty, function.address(operand)?, *case)?;
    let (yes, no) = (function.flatten(&[*yes])?, function.flatten(&[*no])?);
    let selected = yes.iter().zip(&no).map(|(yes, no)| function.builder.select(test, *yes, *no)).collect();
    function.bind_result(instruction, selected);
    Ok(())
}

/// Selects among several values: a switch with a block for each, joined by phis.
fn select_by_switch<'ctx>(
    function: &IRGenFunction<'_, 'ctx>,
    layout: &EnumLayout,
    list: &CaseList<'ctx>,
    values: &[Explosion<'ctx>],
) -> Explosion<'ctx> {
    let mut destinations = Destinations { cases: vec![None; layout.cases.len()], default: None, counts: Vec::new() };
    let blocks: Vec<BasicBlock<'ctx>> = values.iter().map(|_| function.new_block("")).collect();
    for (number, block) in blocks.iter().enumerate() {
        match list.cases.get(number) {
            Some(case) => destinations.cases[*case] = Some(*block),
            None => destinations.default = Some(*block),
        }
    }
    layout.switch(function, &list.value, &destinations);
    let join = function.new_block("");
    for block in &blocks {
        function.builder.position_at_end(*block);
        function.builder.branch(join);
    }
    function.builder.position_at_end(join);
    let phi = |scalar: usize| {
        let phi = function.builder.phi(values[0][scalar].get_type());
        for (value, block) in values.iter().zip(&blocks) {
            phi.add_incoming(&[(&value[scalar], *block)]);
        }
        phi.as_basic_value()
    };
    (0..values[0].len()).map(phi).collect()
}

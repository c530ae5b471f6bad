//! Enums: cases, payloads, selections.

use sil_ir::context::{MemberId, MemberRef, MemberTarget, SilType};
use sil_ir::declarations::{NominalDeclaration, NominalKind, Origin};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::families::Enums;
use sil_ir::model::views::{self, EnumCase};
use sil_ir::model::{DefaultCase, EnumCases};

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Enums) -> Option<Rules> {
    use Enums::*;
    let rules: Rules = match opcode {
        Enum => build,
        UncheckedEnumData => |checker| {
            let EnumCase { operand, case } = checker.view();
            if checker.object(operand) {
                payload(checker, checker.ty(operand), case, SilType::object);
            }
        },
        InitEnumDataAddr | UncheckedTakeEnumDataAddr => |checker| {
            let EnumCase { operand, case } = checker.view();
            if checker.address(operand) {
                payload(checker, checker.ty(operand), case, SilType::address);
            }
        },
        InjectEnumAddr => |checker| {
            let EnumCase { operand, case } = checker.view();
            if checker.address(operand) {
                require_case(checker, checker.ty(operand), case);
            }
        },
        SelectEnum | SelectEnumAddr => select,
    };
    Some(rules)
}

/// The number of the case that `member` names in the enum `ty`; reports it if there is none.
pub(super) fn require_case(checker: &mut Checker<'_, '_>, ty: SilType, member: MemberId) -> Option<u32> {
    let queries = checker.queries();
    let nominal = queries.as_nominal(ty.ty);
    match (nominal, queries.context.get_member(member)) {
        (Some(nominal), MemberRef { parent: Some(parent), target: MemberTarget::Case(index), .. })
            if nominal.declaration == *parent =>
        {
            return Some(*index);
        }
        _ if !checker.is_known(ty.ty) => return None,
        _ => {}
    }
    let (case, ty) = (queries.context.text(queries.context.get_member(member).name), checker.scope.show(ty));
    checker.fail("unknown-case", format!("`{ty}` has no case `{case}`"));
    None
}

fn build(checker: &mut Checker<'_, '_>) {
    let views::Enum { case, payload: given } = checker.view();
    let Some(result) = checker.result() else { return };
    let Some(case) = require_case(checker, result, case) else { return };
    let payload = checker.queries().case_payload(result.ty, case);
    if payload.is_some() != given.is_some() {
        let message = if payload.is_some() {
            "`enum` needs an operand: the case has a payload"
        } else {
            "`enum` takes no operand: the case has no payload"
        };
        checker.fail("operand-count", message);
        return;
    }
    if let (Some(operand), Some(payload)) = (given, payload) {
        checker.expect(operand, SilType::object(payload));
    }
}

fn payload(
    checker: &mut Checker<'_, '_>,
    ty: SilType,
    member: MemberId,
    category: fn(sil_ir::context::TypeId) -> SilType,
) {
    let Some(case) = require_case(checker, ty, member) else { return };
    let name = checker.name();
    match checker.queries().case_payload(ty.ty, case) {
        Some(payload) => {
            checker.expect_result(category(payload));
        }
        None => checker.fail("no-payload", format!("`{name}` needs a case with a payload")),
    }
}

fn select(checker: &mut Checker<'_, '_>) {
    let views::SelectEnum { operand, values, cases } = checker.view();
    let count = cases.members.len() + usize::from(cases.default == DefaultCase::Present);
    if !checker.takes(1 + count) {
        return;
    }
    let is_value = checker.instruction.opcode == Opcode::SelectEnum;
    let fits = if is_value { checker.object(operand) } else { checker.address(operand) };
    if fits {
        require_cases(checker, operand, cases);
    }
    if let Some(result) = checker.result() {
        for operand in values {
            checker.expect(operand, result);
        }
    }
}

/// Each case once, all of them or a default.
pub(super) fn require_cases(checker: &mut Checker<'_, '_>, operand: usize, cases: &EnumCases) {
    let ty = checker.ty(operand);
    let declaration = checker.queries().declaration_of(ty.ty);
    if !checker.is_known(ty.ty) {
        return;
    }
    if declaration.is_none_or(|declaration| declaration.kind != NominalKind::Enum) {
        checker.require_operand(operand, false, "of an enum type");
        return;
    }
    let mut seen = Vec::with_capacity(cases.members.len());
    for member in &cases.members {
        let Some(case) = require_case(checker, ty, *member) else { return };
        if seen.contains(&case) {
            let name = checker.queries().context.get_member(*member).name;
            let name = checker.queries().context.text(name);
            checker.fail("repeated-case", format!("the case `{name}` stands here twice"));
        }
        seen.push(case);
    }
    if cases.default == DefaultCase::Absent
        && let Some(declaration) = declaration
    {
        require_all(checker, declaration, &seen);
    }
}

fn require_all(checker: &mut Checker<'_, '_>, declaration: &NominalDeclaration, seen: &[u32]) {
    // Which cases an imported enum has is only known where silc knows the declaration.
    if declaration.origin == Origin::Imported && declaration.cases.is_empty() {
        return;
    }
    let missing = declaration.cases.iter().zip(0u32..).find(|(_, index)| !seen.contains(index));
    if let Some((case, _)) = missing {
        let (name, case) = (checker.name(), checker.queries().context.text(case.name));
        checker.fail("missing-case", format!("`{name}` needs the case `{case}` or a default"));
    }
}

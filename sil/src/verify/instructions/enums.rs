//! Enums: cases, payloads, selections.

use super::{Checker, Rules};
use crate::context::{MemberId, MemberRef, MemberTarget, SilType};
use crate::declarations::{NominalDeclaration, NominalKind, Origin};
use crate::instructions::Opcode;
use crate::instructions::families::Enums;
use crate::model::{DefaultCase, Details, EnumCases};

/// The rules of each instruction of the family; none where the table says it all.
pub(super) fn rules(opcode: Enums) -> Option<Rules> {
    use Enums::*;
    let rules: Rules = match opcode {
        Enum => build,
        UncheckedEnumData => |checker| {
            if checker.takes(1) && checker.object(0) {
                payload(checker, SilType::object);
            }
        },
        InitEnumDataAddr | UncheckedTakeEnumDataAddr => |checker| {
            if checker.takes(1) && checker.address(0) {
                payload(checker, SilType::address);
            }
        },
        InjectEnumAddr => |checker| {
            if checker.takes(1)
                && checker.address(0)
                && let Details::Member(member) = checker.instruction.details
            {
                require_case(checker, checker.ty(0), member);
            }
        },
        SelectEnum | SelectEnumAddr => select,
    };
    Some(rules)
}

/// The number of the case that `member` names in the enum `ty`; says so where it is none.
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
    let (Some(result), Details::Member(member)) = (checker.result(), &checker.instruction.details) else { return };
    let Some(case) = require_case(checker, result, *member) else { return };
    let payload = checker.queries().case_payload(result.ty, case);
    let expected = usize::from(payload.is_some());
    if expected != checker.operands.len() {
        let message = if expected == 1 {
            "`enum` needs an operand: the case has a payload"
        } else {
            "`enum` takes no operand: the case has no payload"
        };
        checker.fail("operand-count", message);
        return;
    }
    if let Some(payload) = payload {
        checker.expect(0, SilType::object(payload));
    }
}

fn payload(checker: &mut Checker<'_, '_>, category: fn(crate::context::TypeId) -> SilType) {
    let Details::Member(member) = checker.instruction.details else { return };
    let ty = checker.ty(0);
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
    let Details::EnumCases(cases) = &checker.instruction.details else { return };
    let values = cases.members.len() + usize::from(cases.default == DefaultCase::Present);
    if !checker.takes(1 + values) {
        return;
    }
    let fits = if checker.instruction.opcode == Opcode::SelectEnum { checker.object(0) } else { checker.address(0) };
    if fits {
        require_cases(checker, cases);
    }
    if let Some(result) = checker.result() {
        for operand in 1..checker.operands.len() {
            checker.expect(operand, result);
        }
    }
}

/// Each case once, all of them or a default.
pub(super) fn require_cases(checker: &mut Checker<'_, '_>, cases: &EnumCases) {
    let ty = checker.ty(0);
    let declaration = checker.queries().declaration_of(ty.ty);
    if !checker.is_known(ty.ty) {
        return;
    }
    if declaration.is_none_or(|declaration| declaration.kind != NominalKind::Enum) {
        checker.require_operand(0, false, "of an enum type");
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

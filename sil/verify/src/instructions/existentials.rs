//! Existential containers.

use sil_ir::context::{NominalId, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::families::Existentials;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{InitExistential, Unary};
use sil_ir::types::ExistentialKind;

use super::{Checker, Rules};

/// The rules of each instruction of the family; none if the table has all.
pub(super) fn rules(opcode: Existentials) -> Option<Rules> {
    use Existentials::*;
    let rules: Rules = match opcode {
        InitExistentialAddr => |checker| {
            let InitExistential { operand, concrete } = checker.view();
            if checker.address(operand) && require_kind(checker, operand, ExistentialKind::Opaque) {
                check_conformances(checker, concrete, checker.ty(operand).ty);
            }
        },
        OpenExistentialAddr | DeinitExistentialAddr => |checker| {
            let Unary { operand } = checker.view();
            if checker.address(operand) {
                require_kind(checker, operand, ExistentialKind::Opaque);
                require_opened(checker);
            }
            if checker.instruction.opcode == Opcode::OpenExistentialAddr {
                immutable_access(checker);
            }
        },
        OpenExistentialRef => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                require_kind(checker, operand, ExistentialKind::Class);
                require_opened(checker);
            }
        },
        OpenExistentialBox | OpenExistentialBoxValue => |checker| {
            let Unary { operand } = checker.view();
            if checker.object(operand) {
                require_boxed(checker, operand);
                require_opened(checker);
            }
        },
        OpenExistentialValue | DeinitExistentialValue => |checker| {
            let Unary { operand } = checker.view();
            checker.object(operand);
        },
        InitExistentialRef => init_ref,
        InitExistentialValue => return None,
    };
    Some(rules)
}

/// The existential of an operand must have this representation. `any Error` may stand for an opaque one as well.
fn require_kind(checker: &mut Checker<'_, '_>, operand: usize, kind: ExistentialKind) -> bool {
    let ty = match checker.operand(operand) {
        Type::MoveOnlyWrapper(inner) => *inner,
        _ => checker.ty(operand).ty,
    };
    let fits = match checker.queries().get(ty) {
        Type::Existential(_) => {
            let queries = checker.queries();
            let found = queries.existential_kind(ty);
            found == kind
                || (kind == ExistentialKind::Opaque && found == ExistentialKind::Error)
                || (kind == ExistentialKind::Class && queries.may_have_class_bound(ty))
        }
        _ => false,
    };
    let what = match kind {
        ExistentialKind::Opaque => "an existential that can hold any value",
        ExistentialKind::Class => "an existential that is bound to classes",
        ExistentialKind::Error => "`any Error`",
    };
    checker.require_operand(operand, fits, what)
}

/// A boxed existential: `any Error`.
pub(super) fn require_boxed(checker: &mut Checker<'_, '_>, operand: usize) -> bool {
    require_kind(checker, operand, ExistentialKind::Error)
}

fn require_opened(checker: &mut Checker<'_, '_>) {
    let Some(result) = checker.result() else { return };
    let fits = matches!(checker.queries().get(result.ty), Type::OpenedArchetype { .. } | Type::Unresolved { .. });
    let (name, shown) = (checker.name(), checker.scope.show(result));
    checker.require(fits, "result-type", || {
        format!("the result of `{name}` must be an `@opened` archetype, not `{shown}`")
    });
}

fn init_ref(checker: &mut Checker<'_, '_>) {
    let InitExistential { operand, concrete } = checker.view();
    if !checker.object(operand) {
        return;
    }
    let Some(result) = checker.result() else { return };
    let queries = checker.queries();
    let class_bound = matches!(queries.get(result.ty), Type::Existential(_)) && queries.may_have_class_bound(result.ty);
    let shown = checker.scope.show(result);
    if checker.require(class_bound, "result-type", || {
        format!("`init_existential_ref` makes an existential that is bound to classes, not `{shown}`")
    }) {
        check_conformances(checker, concrete, result.ty);
    }
}

/// The concrete type must conform to the existential's protocols, as far as declarations show.
fn check_conformances(checker: &mut Checker<'_, '_>, concrete: TypeId, existential: TypeId) {
    let queries = checker.queries();
    let sendable = queries.context.find_name("Sendable");
    for protocol in queries.protocols_in(existential) {
        if Some(queries.declarations.get(protocol).name) != sendable {
            require_conformance(checker, concrete, protocol);
        }
    }
}

/// Reports a concrete type that is known not to conform to a protocol.
pub(super) fn require_conformance(checker: &mut Checker<'_, '_>, concrete: TypeId, protocol: NominalId) {
    let queries = checker.queries();
    if queries.is_broken(queries.conformance(concrete, protocol)) {
        let protocol = queries.context.text(queries.declarations.get(protocol).name);
        let concrete = checker.scope.show(SilType::object(concrete));
        checker.fail("conformance", format!("`{concrete}` does not conform to `{protocol}`"));
    }
}

/// A container that is opened to be read is neither written nor taken.
fn immutable_access(checker: &mut Checker<'_, '_>) {
    let body = checker.scope.body;
    let immutable = checker.instruction.attributes.contains(Attribute::ImmutableAccess);
    let Some(opened) = body.result(checker.id).filter(|_| immutable) else { return };
    for block in body.blocks.keys() {
        for user in body.instructions_in(block) {
            let instruction = &body.instructions[user];
            let written = body.operands(user).iter().enumerate().any(|(operand, value)| {
                let changes = match instruction.opcode {
                    Opcode::DestroyAddr => true,
                    Opcode::Store => operand == 1,
                    Opcode::Load => instruction.attributes.contains(Attribute::Take),
                    Opcode::CopyAddr => operand == 1 || instruction.attributes.contains(Attribute::Take),
                    _ => false,
                };
                *value == opened && changes
            });
            if written {
                let message =
                    format!("`{}` changes or takes what was opened with `immutable_access`", instruction.opcode.name());
                let diagnostic = Diagnostic::error("immutable-access", message, instruction.span);
                let span = checker.instruction.span;
                checker.scope.report(diagnostic.note("it is opened here", Some(span)));
            }
        }
    }
}

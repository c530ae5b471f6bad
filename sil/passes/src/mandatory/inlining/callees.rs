//! Finds the callee of a call through closures and through conversions that do not affect the call.

use sil_ir::context::{FunctionAttribute, FunctionType, Representation, SubstitutionMapId, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, Store, Unary};
use sil_ir::model::{Details, Function, FunctionId, InstructionId, Value};

use crate::editing::editor::Editor;
use crate::pass::Environment;

/// The callee of a call.
pub(super) struct Found {
    pub(super) function: FunctionId,
    /// The substitutions for the function's generic parameters.
    pub(super) substitutions: SubstitutionMapId,
    /// The `partial_apply` that captures the last arguments.
    pub(super) closure: Option<InstructionId>,
}

/// Finds the callee of `call`.
pub(super) fn find(editor: &Editor<'_>, call: InstructionId) -> Option<Found> {
    let mut value = through_ownership(editor, editor.operand(call, 0)?);
    if let Some(load) = editor.made_by(value, Opcode::Load) {
        value = through_ownership(editor, stored_in_box(editor, load)?);
    }
    value = through_conversions(editor, value);
    let closure = editor.made_by(value, Opcode::PartialApply);
    let maker = closure.or_else(|| editor.made_by(value, Opcode::ThinToThickFunction));
    if let Some(maker) = maker {
        value = through_ownership(editor, editor.operand(maker, 0)?);
    }
    value = through_conversions(editor, value);
    let reference = editor.made_by(value, Opcode::FunctionRef)?;
    let function =
        editor.environment.module.function_named(views::FunctionRef::of(editor.body(), reference).function)?;
    let Details::Apply(apply) = &editor.body().instructions[closure.unwrap_or(call)].details else { return None };
    Some(Found { function, substitutions: apply.substitutions, closure })
}

/// Returns the function values among the operands of a call.
pub(super) fn functions_of(editor: &Editor<'_>, call: InstructionId) -> Vec<Value> {
    let body = editor.body();
    let is_function = |value: &Value| matches!(editor.environment.queries.get(body.ty(*value).ty), Type::Function(_));
    body.operands(call).iter().copied().filter(is_function).collect()
}

/// Returns the value, looking through copies, borrows and moves.
pub(super) fn through_ownership(editor: &Editor<'_>, value: Value) -> Value {
    let mut value = value;
    while let Some(id) = editor.body().defining(value)
        && matches!(editor.opcode(id), Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue)
    {
        value = Unary::of(editor.body(), id).operand;
    }
    value
}

fn through_conversions(editor: &Editor<'_>, value: Value) -> Value {
    let mut value = through_ownership(editor, value);
    loop {
        let Some(id) = editor.body().defining(value) else { return value };
        match editor.opcode(id) {
            Opcode::ConvertFunction if converts_nothing(editor, id) => {
                value = through_ownership(editor, Unary::of(editor.body(), id).operand);
            }
            Opcode::MarkDependence => value = views::MarkDependence::of(editor.body(), id).value,
            Opcode::ConvertEscapeToNoescape => {
                let operand = Unary::of(editor.body(), id).operand;
                let is_same = ends_same(editor, operand, value, &[FunctionAttribute::NoEscape]);
                return if is_same { through_ownership(editor, operand) } else { value };
            }
            _ => return value,
        }
    }
}

/// Returns whether a `convert_function` changes only the spelling of the function type, not the call.
fn converts_nothing(editor: &Editor<'_>, id: InstructionId) -> bool {
    let body = editor.body();
    let (from, Some(to)) = (Unary::of(body, id).operand, body.result(id)) else { return false };
    let is_thin = match editor.environment.queries.get(body.ty(from).ty) {
        Type::Function(function) => function.representation != Representation::Thick,
        _ => false,
    };
    ends_same(editor, from, to, &[FunctionAttribute::Sendable])
        || is_thin && ends_same(editor, from, to, &[FunctionAttribute::NoEscape])
}

/// Returns whether two function types are equal apart from these attributes.
fn ends_same(editor: &Editor<'_>, first: Value, second: Value, ignored: &[FunctionAttribute]) -> bool {
    let plain = |value: Value| {
        let conventions = editor.environment.queries.conventions(editor.body().ty(value).ty)?;
        let mut function: FunctionType = conventions.function.clone();
        ignored.iter().for_each(|attribute| function.attributes.remove(*attribute));
        Some(function)
    };
    plain(first) == plain(second)
}

/// Returns the value that a `load` loads from a box with a single store.
fn stored_in_box(editor: &Editor<'_>, load: InstructionId) -> Option<Value> {
    let body = editor.body();
    let project = editor.made_by(editor.operand(load, 0)?, Opcode::ProjectBox)?;
    let allocation = editor.made_by(editor.operand(project, 0)?, Opcode::AllocBox)?;
    let mut ends = 0;
    for found in editor.uses(body.result(allocation)?) {
        match editor.opcode(found.user) {
            Opcode::StrongRelease | Opcode::DestroyValue if ends == 0 => ends += 1,
            _ if found.user == project => {}
            _ => return None,
        }
    }
    let mut store = None;
    for found in editor.uses(body.result(project)?) {
        match editor.opcode(found.user) {
            _ if found.user == load => {}
            Opcode::Store if store.is_none() && found.operand == 1 => store = Some(found.user),
            _ => return None,
        }
    }
    let store = store.filter(|store| body.instructions[*store].block == body.instructions[allocation].block)?;
    Some(Store::of(body, store).source)
}

/// Returns whether a function has a foreign calling convention.
pub(super) fn is_foreign(environment: Environment<'_>, callee: &Function) -> bool {
    match environment.queries.get(callee.ty) {
        Type::Function(function) => matches!(
            function.representation,
            Representation::C | Representation::CxxMethod | Representation::ObjCMethod | Representation::Block
        ),
        _ => true,
    }
}

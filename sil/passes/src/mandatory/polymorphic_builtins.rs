//! Polymorphic builtins, such as `generic_add`: they represent the builtin operation on their argument type
//! (docs/SIL/Instructions.md, lib/SIL/Utils/InstructionUtils.cpp). Constant propagation replaces them by the concrete
//! builtins; remaining ones are errors.

use sil_analysis::ApplySite;
use sil_ir::context::{BuiltinType, Name, SilType, SubstitutionMapId, Type, TypeId, VectorElement};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind};
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::views;
use sil_ir::model::{Body, Builtin, Details, FunctionFlag, InstructionId, Place};
use sil_ir::types::TypeQueries;

use crate::editing::editor::Editor;
use crate::messages::findings::error_at;
use crate::messages::type_names::type_name;
use crate::pass::{Environment, Rewrite};

/// Reports the polymorphic builtins of a function on unsupported types.
pub(crate) fn diagnose(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    if function.has(FunctionFlag::Transparent) {
        return Ok(None);
    }
    let found = |id| finding(environment, id).or_else(|| finding_of_call(environment, id));
    let diagnostics = body.placed_instructions().filter_map(found).collect();
    Ok(Rewrite::diagnostics_alone(function, body, diagnostics))
}

fn finding(environment: Environment<'_>, id: InstructionId) -> Option<Diagnostic> {
    let Environment { queries, function, body, .. } = environment;
    let operation = operation(body, id)?;
    let named = |ty| type_name(queries, ty, function.signature);
    let types = body.operands(id).iter().map(|operand| body.ty(*operand).ty);
    for ty in types {
        let builtin = builtin_type(queries, ty);
        let Some(builtin) = builtin else { return Some(wrong_argument(environment, id, ty)) };
        if !exists(operation, builtin) {
            let message = format!(
                "Static overload '{}' does not exist for polymorphic builtin 'generic_{}'. Static overload implied by passing argument \
                 of type '{}'",
                overload(queries, operation, ty),
                operation.name(),
                named(ty)
            );
            return Some(error_at(body, id, "polymorphic-builtin", message));
        }
    }
    None
}

/// Reports an argument of the unsupported type `ty` at `id`.
fn wrong_argument(environment: Environment<'_>, id: InstructionId, ty: TypeId) -> Diagnostic {
    let message = format!(
        "Argument of type '{}' can not be passed as an argument to a Polymorphic builtin. Polymorphic builtins can only be passed \
         arguments that are trivial builtin typed",
        type_name(environment.queries, ty, environment.function.signature)
    );
    error_at(environment.body, id, "polymorphic-builtin", message)
}

/// The greatest depth of followed calls of transparent functions.
const DEEPEST_CALL: u32 = 16;

/// Returns the finding for a call of a transparent function whose builtins would be faulty after inlining.
fn finding_of_call(environment: Environment<'_>, id: InstructionId) -> Option<Diagnostic> {
    let (name, substitutions) = called(environment.body, id)?;
    let ty = wrong_type(environment, name, substitutions, DEEPEST_CALL)?;
    Some(wrong_argument(environment, id, ty))
}

/// Returns the unsupported argument type of a polymorphic builtin in the transparent function `name`, called with
/// generic arguments.
fn wrong_type(
    environment: Environment<'_>,
    name: Name,
    substitutions: SubstitutionMapId,
    depth: u32,
) -> Option<TypeId> {
    let Environment { module, queries, .. } = environment;
    let function = &module.functions[module.function_named(name)?];
    let body = function.body.as_ref().filter(|_| function.has(FunctionFlag::Transparent))?;
    let depth = depth.checked_sub(1)?;
    body.placed_instructions().find_map(|id| {
        if operation(body, id).is_some() {
            let types = body.operands(id).iter().map(|operand| body.ty(*operand).ty);
            let mut types = types.map(|ty| queries.substitute_lowered(ty, substitutions));
            return types.find(|ty| builtin_type(queries, *ty).is_none());
        }
        let (name, inner) = called(body, id)?;
        wrong_type(environment, name, queries.substitute_map(inner, substitutions), depth)
    })
}

/// Returns the callee of an instruction, with the generic arguments.
fn called(body: &Body, id: InstructionId) -> Option<(Name, SubstitutionMapId)> {
    let Details::Apply(apply) = &body.instructions[id].details else { return None };
    Some((ApplySite::new(body, id)?.called_function()?, apply.substitutions))
}

/// Replaces a polymorphic builtin by the concrete one; `None` if its type is no builtin type, or if its uses do not
/// allow a builtin.
pub(super) fn specialize(editor: &mut Editor<'_>, id: InstructionId) -> Option<()> {
    let queries = editor.environment.queries;
    let body = editor.body();
    let operation = operation(body, id)?;
    let mut arguments = body.operands(id).to_vec();
    let ty = body.ty(*arguments.first()?);
    // The existence of the operation is checked only when the builtin is lowered.
    let is_builtin = |value| builtin_type(queries, body.ty(value).ty).is_some();
    if !arguments.iter().all(|argument| is_builtin(*argument)) {
        return None;
    }
    let ownership = editor.has_ownership();
    let object = SilType::object(ty.ty);
    let is_usable = match ty.is_address() {
        true => arguments.len() == 3,
        false => arguments.len() == 2 && body.result(id).is_some_and(|result| body.ty(result) == object),
    };
    if !is_usable || arguments.iter().any(|argument| body.ty(*argument) != ty) {
        return None;
    }
    let builtin = Builtin::plain(queries.context, &overload(queries, operation, ty.ty));
    let place = Place::Before(id);
    if !ty.is_address() {
        let made = editor.build(place, id, |builder| builder.builtin(builtin, &arguments, object));
        editor.replace(id, made);
        return Some(());
    }
    let mut attributes = AttributeSet::default();
    if ownership {
        attributes.insert(Attribute::Trivial);
    }
    let result = arguments.remove(0);
    editor.build(place, id, |builder| {
        let mut load = |address| builder.with(attributes).load(address);
        let loaded: Vec<_> = arguments.iter().map(|address| load(*address)).collect();
        let made = builder.builtin(builtin, &loaded, object);
        builder.with(attributes).store(made, result);
    });
    editor.erase(id);
    Some(())
}

/// Returns the operation of a polymorphic builtin.
fn operation(body: &Body, id: InstructionId) -> Option<BinaryOperation> {
    let views::Builtin { builtin, .. } = views::Builtin::get(body, id)?;
    match builtin.kind()? {
        BuiltinKind::GenericBinary(operation) => Some(operation),
        _ => None,
    }
}

fn builtin_type<'q>(queries: &'q TypeQueries<'_>, ty: TypeId) -> Option<&'q BuiltinType> {
    match queries.get(ty) {
        Type::Builtin(builtin) => Some(builtin),
        _ => None,
    }
}

/// Returns the name of the builtin for one type.
fn overload(queries: &TypeQueries<'_>, operation: BinaryOperation, ty: TypeId) -> String {
    let ty = type_name(queries, ty, None);
    format!("{}_{}", operation.name(), ty.strip_prefix("Builtin.").unwrap_or(&ty))
}

/// Returns whether the operation exists for a number type, or for vectors of one.
fn exists(operation: BinaryOperation, ty: &BuiltinType) -> bool {
    use BinaryOperation::{FAdd, FDiv, FMul, FRem, FSub};
    match (operation, ty) {
        (FAdd | FDiv | FMul | FRem | FSub, BuiltinType::Float(_)) => true,
        (FAdd | FDiv | FMul | FRem | FSub, BuiltinType::Vector { element: VectorElement::Float(_), .. }) => true,
        (FAdd | FDiv | FMul | FRem | FSub, _) => false,
        (_, BuiltinType::Integer(_) | BuiltinType::Word) => true,
        (_, BuiltinType::Vector { element: VectorElement::Integer(_), .. }) => true,
        _ => false,
    }
}

//! Types of one name in several modules or functions. SIL omits modules, and a name means the module's own type by
//! default; the use of a type can show that another one is meant.

use sil_ir::context::{Context, NominalId, NominalType, Type, TypeId};
use sil_ir::declarations::{DeclarationTable, NominalKind};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::Span;

use crate::syntax::names::plain_name;

/// Returns the type for `ty` in the place of a reference or of a class's metatype: a class with its name, if the
/// default meaning of the name contains no references.
pub(crate) fn as_reference(context: &Context, declarations: &DeclarationTable, ty: TypeId) -> TypeId {
    let Type::Nominal(NominalType { declaration, parent: None, arguments }) = context.get(ty) else { return ty };
    match class_called_like(declarations, *declaration) {
        Some(class) if stores_nothing(declarations, *declaration) => {
            context.ty(Type::Nominal(NominalType { declaration: class, parent: None, arguments: arguments.clone() }))
        }
        _ => ty,
    }
}

/// Returns the class with the name of a struct or enum and as many parameters, if there is one.
pub(crate) fn class_called_like(declarations: &DeclarationTable, nominal: NominalId) -> Option<NominalId> {
    let declaration = declarations.get(nominal);
    let namesakes = declarations.all_top_level(declaration.name);
    if !(matches!(declaration.kind, NominalKind::Struct | NominalKind::Enum) && namesakes.contains(&nominal)) {
        return None;
    }
    let is_meant = |other: &&NominalId| {
        let other = declarations.get(**other);
        other.kind == NominalKind::Class && other.own_parameters == declaration.own_parameters
    };
    namesakes.iter().rev().find(is_meant).copied()
}

/// Returns the formal type of a method with `class` as the type of `self`.
pub(crate) fn with_self(context: &Context, method: TypeId, class: NominalId) -> TypeId {
    let Type::FormalFunction(function) = context.get(method) else { return method };
    let mut function = function.clone();
    if let Some(parameter) = function.parameters.first_mut()
        && let Type::Nominal(written) = context.get(parameter.ty)
    {
        parameter.ty = context.ty(Type::Nominal(NominalType { declaration: class, ..written.clone() }));
    }
    context.ty(Type::FormalFunction(function))
}

/// Returns whether a type is an enum without payloads or a struct without stored properties.
fn stores_nothing(declarations: &DeclarationTable, nominal: NominalId) -> bool {
    let declaration = declarations.get(nominal);
    match declaration.kind {
        // A noncopyable value is owned, whatever it stores.
        _ if declaration.attributes.noncopyable => false,
        NominalKind::Enum => declaration.cases.iter().all(|case| case.payload.is_none()),
        NominalKind::Struct => declaration.stored.is_empty(),
        _ => false,
    }
}

/// Returns the error for an ambiguous name of types that functions or files declare.
pub(crate) fn unknown_namesake(text: &str, span: Span) -> Box<Diagnostic> {
    let what = format!("the type {}, of which functions or files declare several", plain_name(text));
    Box::new(Diagnostic::unsupported(&what, span))
}

//! Types that are called the same, of several modules, or of several functions. SIL omits modules, and a module's own type is meant first; how a type is used can tell
//! that it is another one.

use crate::context::{Context, NominalId, NominalType, Type, TypeId};
use crate::declarations::{DeclarationTable, NominalKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::names::plain_name;

/// The type that is meant where `ty` is written for what is counted, or for the metatype of a class: a class with that name, if the type that the
/// name means elsewhere stores nothing that could be counted.
pub(crate) fn as_reference(context: &Context, declarations: &DeclarationTable, ty: TypeId) -> TypeId {
    let Type::Nominal(NominalType { declaration, parent: None, arguments }) = context.get(ty) else { return ty };
    match class_called_like(declarations, *declaration) {
        Some(class) if stores_nothing(declarations, *declaration) => {
            context.ty(Type::Nominal(NominalType { declaration: class, parent: None, arguments: arguments.clone() }))
        }
        _ => ty,
    }
}

/// The class with the name of a struct or enum, and with as many parameters, if there is one.
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

/// The formal type of a method with `class` as the type of `self`.
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

/// Whether a type is an enum without payloads or a struct without stored properties.
fn stores_nothing(declarations: &DeclarationTable, nominal: NominalId) -> bool {
    let declaration = declarations.get(nominal);
    match declaration.kind {
        // What cannot be copied is owned, whatever it stores.
        _ if declaration.attributes.noncopyable => false,
        NominalKind::Enum => declaration.cases.iter().all(|case| case.payload.is_none()),
        NominalKind::Struct => declaration.stored.is_empty(),
        _ => false,
    }
}

/// The error for a name of several types that functions or files declare, where nothing tells which of them is meant.
pub(crate) fn unknown_namesake(text: &str, span: Span) -> Box<Diagnostic> {
    let what = format!("the type {}, of which functions or files declare several", plain_name(text));
    Box::new(Diagnostic::unsupported(&what, span))
}

//! The name of a callee in messages, such as `global function 'f'` (`%kind` of a declaration,
//! lib/AST/DiagnosticEngine.cpp), and its parameters.

use sil_analysis::{ApplySite, BodyView, Use, callee_origin};
use sil_ir::context::{MemberKind, Name, Type, TypeId, Variadic};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Details, InstructionId};
use sil_ir::symbols::{EntityKind, EntityPlace, Symbol};
use sil_ir::types::TypeQueries;

/// The callee of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    /// A function, by its kind and name: `global function 'f'`.
    Function(String),
    /// A variable or a subscript, whose accessor is called: `property 'x'`.
    Storage(String),
    /// A closure.
    Closure,
}

impl Callee {
    /// Returns the kind and the name of the declaration.
    fn declaration(self) -> Option<String> {
        match self {
            Callee::Function(words) | Callee::Storage(words) => Some(words),
            Callee::Closure => None,
        }
    }
}

/// Returns the kind and the name of the declaration that the call `id` calls, or `None` for closures and unknown
/// callees.
pub(crate) fn called_declaration(view: &BodyView<'_>, id: InstructionId) -> Option<String> {
    ApplySite::new(view.body, id).filter(|site| site.kind.is_full())?;
    callee(view, id)?.declaration()
}

/// Returns the callee of the call or partial application `id`, or `None` if it is unknown.
pub(crate) fn callee(view: &BodyView<'_>, id: InstructionId) -> Option<Callee> {
    let mut site = ApplySite::new(view.body, id)?;
    for _ in 0..=view.body.values.len() {
        let (definition, opcode) = view.definition(callee_origin(view.body, site.callee()?))?;
        match (opcode, &view.body.instructions[definition].details) {
            // A function declared in a SIL test is not a Swift declaration.
            (Opcode::FunctionRef, Details::Function(name)) => {
                let is_declared = view.module.isolations.contains_key(name);
                return is_declared.then(|| of_symbol(view, *name)).flatten();
            }
            (_, Details::Method(method)) => {
                let member = view.queries.context.get_member(method.member);
                let entries = view.module.vtables.iter().flat_map(|table| &table.entries);
                let listed = entries.into_iter().find(|entry| {
                    let listed = view.queries.context.get_member(entry.member);
                    (listed.parent, listed.name, listed.kind) == (member.parent, member.name, member.kind)
                });
                let named = listed.and_then(|entry| of_symbol(view, entry.function));
                let parameters = method.formal_type.map_or(Parameters::Unknown, |ty| parameters_of(view.queries, ty));
                return named.or_else(|| of_member(view.queries.context.text(member.name), member.kind, parameters));
            }
            (Opcode::PartialApply, _) => site = ApplySite::new(view.body, definition)?,
            _ => return None,
        }
    }
    None
}

fn of_symbol(view: &BodyView<'_>, name: Name) -> Option<Callee> {
    let symbol = Symbol::demangle(view.module.context.text(name))?;
    let entity = symbol.entity()?;
    let kind = match (entity.kind, entity.place) {
        (EntityKind::Function, EntityPlace::Module) => "global function",
        (EntityKind::Function, EntityPlace::Local) => "local function",
        (EntityKind::Function, EntityPlace::Type) if entity.is_static => "static method",
        (EntityKind::Function, EntityPlace::Type) => "instance method",
        (EntityKind::Operator, _) => "operator function",
        (EntityKind::Initializer, _) => "initializer",
        (EntityKind::Deinitializer, _) => return Some(Callee::Function("deinitializer".to_owned())),
        (EntityKind::PropertyAccessor(_), EntityPlace::Module) => "var",
        (EntityKind::PropertyAccessor(_), _) if entity.is_static => "static property",
        (EntityKind::PropertyAccessor(_), _) => "property",
        (EntityKind::SubscriptAccessor(_), _) => "subscript",
        (EntityKind::Closure | EntityKind::ImplicitClosure, _) => return Some(Callee::Closure),
    };
    let own = if entity.kind == EntityKind::Initializer { "init" } else { &entity.name };
    let labels = symbol.parameter_labels().unwrap_or_default();
    Some(match entity.kind {
        EntityKind::PropertyAccessor(_) => Callee::Storage(format!("{kind} '{own}'")),
        EntityKind::SubscriptAccessor(_) => Callee::Storage(format!("{kind} '{}'", with_labels(own, &labels))),
        EntityKind::Initializer => Callee::Function(format!("{kind} '{}'", with_labels(own, &labels))),
        _ => Callee::Function(format!("{kind} '{}'", with_wanted_labels(own, &labels))),
    })
}

/// Returns the type of the values that a call passes for a variadic parameter, if `found` is the operand with their
/// array.
pub(crate) fn variadic_element(view: &BodyView<'_>, found: Use) -> Option<TypeId> {
    let site = ApplySite::new(view.body, found.user).filter(|site| site.kind.is_full())?;
    let conventions = site.conventions(view.queries)?;
    let argument = site.numbering(conventions).sil_argument_of_operand(found.operand as usize)?;
    let parameters = conventions.function.declared_parameters();
    let implicit = conventions.function.parameters.len() - parameters.len();
    let number = conventions.parameter_of_argument(argument)?.checked_sub(implicit)?;
    let (reference, _) = view.definition(site.callee()?)?;
    let variadic = match &view.body.instructions[reference].details {
        Details::Method(method) => variadic_in(view.queries, method.formal_type?)?,
        Details::Function(name) => Symbol::demangle(view.module.context.text(*name))?.variadic_parameters()?,
        _ => return None,
    };
    // If tuples or packs are passed in parts, indices of arguments and parameters do not correspond.
    let of_self = usize::from(conventions.self_parameter().is_some());
    let is_variadic = variadic.len() + of_self == parameters.len() && *variadic.get(number)?;
    let array = view.queries.as_nominal(view.body.ty(found.value(view.body)).ty)?;
    array.arguments.first().copied().filter(|_| is_variadic)
}

/// Returns for each parameter of a method of this formal type whether it is variadic.
fn variadic_in(queries: &TypeQueries<'_>, ty: TypeId) -> Option<Vec<bool>> {
    let Type::FormalFunction(of_self) = queries.get(ty) else { return None };
    let Type::FormalFunction(method) = queries.get(of_self.result) else { return None };
    Some(method.parameters.iter().map(|parameter| parameter.variadic == Variadic::Yes).collect())
}

/// Returns a name with its labels, which are omitted if no parameter has one.
fn with_wanted_labels(name: &str, labels: &[Option<&str>]) -> String {
    match !labels.is_empty() && labels.iter().all(Option::is_none) {
        true => name.to_owned(),
        false => with_labels(name, labels),
    }
}

/// Returns a name with its labels.
fn with_labels(name: &str, labels: &[Option<&str>]) -> String {
    let labels: String = labels.iter().map(|label| format!("{}:", label.unwrap_or("_"))).collect();
    format!("{name}({labels})")
}

/// Returns the parameters, apart from `self`, of a method of this formal type: `(C) -> () -> Int`.
fn parameters_of(queries: &TypeQueries<'_>, ty: TypeId) -> Parameters {
    let Type::FormalFunction(of_self) = queries.get(ty) else { return Parameters::Unknown };
    match queries.get(of_self.result) {
        Type::FormalFunction(method) if method.parameters.is_empty() => Parameters::None,
        _ => Parameters::Unknown,
    }
}

/// Returns the kind and the name of a member that is only known by its lookup, without labels.
fn of_member(name: &str, kind: MemberKind, parameters: Parameters) -> Option<Callee> {
    use MemberKind::*;
    let list = if parameters == Parameters::None { "()" } else { "" };
    match kind {
        Plain => Some(Callee::Function(format!("instance method '{name}{list}'"))),
        Getter | Setter | Read | Read2 | Modify | Modify2 => Some(Callee::Storage(format!("property '{name}'"))),
        Initializer | Allocator => Some(Callee::Function(format!("initializer '{name}{list}'"))),
        _ => None,
    }
}

/// The knowledge of a member's parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameters {
    /// The member has no parameters.
    None,
    /// The member may have parameters.
    Unknown,
}

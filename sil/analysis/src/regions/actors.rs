//! The actor that code runs on (include/swift/AST/ActorIsolation.h), as far as the text of a module shows it.

use sil_ir::context::{Context, MemberKind, MemberRef, Name, NominalId, ParameterOption};
use sil_ir::declarations::{DeclaredIsolation, NominalKind, Origin};
use sil_ir::instructions::Opcode;
use sil_ir::model::{
    ArgumentFlag, Details, Function, FunctionAttribute, FunctionIsolation, InstructionId, Module, Value,
};
use sil_ir::symbols::{Symbol, ValueIsolation};
use sil_ir::types::TypeQueries;

use crate::BodyView;

/// Which actor code runs on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActorIsolation {
    /// Not stated: on none.
    Unspecified,
    /// On none.
    Nonisolated,
    /// On none, and without checks: `nonisolated(unsafe)`.
    NonisolatedUnsafe,
    /// Where its caller runs: `nonisolated(nonsending)`.
    CallerInheriting,
    /// On the actor that a function value has with it: `@isolated(any)`.
    Erased,
    /// On a global actor, by the name of its type; none if the text does not have it.
    Global(Option<Name>),
    /// On an actor that is passed to it, by its type and the name of the parameter where they are known.
    Instance(InstanceActor),
}

/// An actor that is passed to a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct InstanceActor {
    /// Its type.
    pub nominal: Option<NominalId>,
}

/// Whether words stand before a noun or for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wording {
    /// `main actor-isolated`
    Adjective,
    /// `main actor isolation`
    Noun,
}

impl ActorIsolation {
    /// Whether code runs on an actor.
    pub fn is_isolated(self) -> bool {
        match self {
            Self::Global(_) | Self::Instance(_) | Self::Erased => true,
            Self::Unspecified | Self::Nonisolated | Self::NonisolatedUnsafe | Self::CallerInheriting => false,
        }
    }

    /// Whether code runs on no actor, whatever its caller runs on.
    pub fn is_nonisolated(self) -> bool {
        matches!(self, Self::Unspecified | Self::Nonisolated | Self::NonisolatedUnsafe)
    }

    /// The words for it in messages (`ActorIsolation::printForDiagnostics`).
    pub fn words(self, context: &Context, wording: Wording) -> String {
        let ending = match wording {
            Wording::Adjective => "-isolated",
            Wording::Noun => " isolation",
        };
        match self {
            Self::Unspecified | Self::Nonisolated => "nonisolated".to_owned(),
            Self::NonisolatedUnsafe => "nonisolated(unsafe)".to_owned(),
            Self::CallerInheriting => format!("caller isolation inheriting{ending}"),
            Self::Erased => "@isolated(any)".to_owned(),
            Self::Instance(_) => format!("actor{ending}"),
            Self::Global(Some(name)) if context.text(name) == MAIN_ACTOR => format!("main actor{ending}"),
            Self::Global(name) => {
                let name = name.map_or("<null>", |name| context.text(name));
                format!("global actor '{name}'{ending}")
            }
        }
    }

    /// The isolation of a kind, if nothing else is stated.
    pub fn of_kind(kind: FunctionIsolation, actor: Option<Name>) -> Self {
        match kind {
            FunctionIsolation::Unspecified => Self::Unspecified,
            FunctionIsolation::Nonisolated => Self::Nonisolated,
            FunctionIsolation::NonisolatedUnsafe => Self::NonisolatedUnsafe,
            FunctionIsolation::CallerIsolationInheriting => Self::CallerInheriting,
            FunctionIsolation::Erased => Self::Erased,
            FunctionIsolation::GlobalActor | FunctionIsolation::GlobalActorUnsafe => Self::Global(actor),
            FunctionIsolation::ActorInstance => Self::Instance(InstanceActor::default()),
        }
    }
}

/// The global actor that the language itself knows.
const MAIN_ACTOR: &str = "MainActor";

/// The actor that a function runs on; none if nothing states it.
pub fn of_function(module: &Module, function: &Function) -> Option<ActorIsolation> {
    if let Some(stated) = module.isolations.get(&function.name) {
        return Some(ActorIsolation::of_kind(stated.kind, stated.actor));
    }
    function.attributes.iter().find_map(|attribute| match attribute {
        FunctionAttribute::Isolation(kind) => Some(ActorIsolation::of_kind(*kind, None)),
        _ => None,
    })
}

/// The global actor that a type belongs to.
pub fn of_type(queries: &TypeQueries<'_>, nominal: NominalId) -> Option<Name> {
    match queries.declarations.isolations.of_type(nominal)? {
        DeclaredIsolation::Attribute(name) => global_actor_named(queries, name),
        DeclaredIsolation::Nonisolated | DeclaredIsolation::NonisolatedUnsafe => None,
    }
}

/// The isolation of a property by its declaration.
pub fn of_property(queries: &TypeQueries<'_>, parent: Option<NominalId>, name: Name) -> Option<ActorIsolation> {
    match queries.declarations.isolations.of_property(parent, name)? {
        DeclaredIsolation::Nonisolated => Some(ActorIsolation::Nonisolated),
        DeclaredIsolation::NonisolatedUnsafe => Some(ActorIsolation::NonisolatedUnsafe),
        DeclaredIsolation::Attribute(name) => {
            global_actor_named(queries, name).map(|actor| ActorIsolation::Global(Some(actor)))
        }
    }
}

fn global_actor_named(queries: &TypeQueries<'_>, name: Name) -> Option<Name> {
    let declarations = queries.declarations;
    let declared = declarations.all_top_level(name).iter().any(|id| declarations.isolations.is_global_actor(*id));
    (declared || queries.context.text(name) == MAIN_ACTOR).then_some(name)
}

/// Whether a type is an actor that is no global one, or one of those.
pub fn is_actor(queries: &TypeQueries<'_>, nominal: NominalId) -> bool {
    queries.declarations.get(nominal).kind == NominalKind::Actor
}

/// Which actor the method that is looked up by `id`, or the function that it refers to, runs on.
pub fn of_referred(view: &BodyView<'_>, id: InstructionId) -> Option<ActorIsolation> {
    let module = view.module;
    let named = |name: Name| of_function(module, &module.functions[module.function_named(name)?]);
    match &view.body.instructions[id].details {
        Details::Function(name) if view.opcode(id) == Opcode::FunctionRef => named(*name),
        Details::Method(method) => {
            let member = view.queries.context.get_member(method.member);
            let entry = module.vtables.iter().flat_map(|table| &table.entries).find(|entry| {
                let listed = view.queries.context.get_member(entry.member);
                (listed.parent, listed.name, listed.kind) == (member.parent, member.name, member.kind)
                    && overloads_agree(listed, member)
            });
            let stated = entry.and_then(|entry| named(entry.function));
            let stated = stated.or_else(|| of_property(view.queries, member.parent, member.name));
            let takes = || takes_actor(view, id).then(|| ActorIsolation::Instance(InstanceActor::default()));
            stated.or_else(takes).or_else(|| of_requirement(view.queries, member))
        }
        _ => None,
    }
}

/// The actor that a function value runs on that is an argument of the function, by the function's symbol: lowered types
/// do not show it.
pub fn of_function_argument(view: &BodyView<'_>, value: Value) -> Option<ActorIsolation> {
    let arguments = &view.body.blocks[view.body.entry()].arguments;
    let index = arguments.iter().position(|argument| *argument == value)?;
    let conventions = view.queries.conventions(view.function.ty)?;
    let parameters = conventions.function.declared_parameters();
    let implicit = conventions.function.parameters.len() - parameters.len();
    let number = conventions.parameter_of_argument(index)?.checked_sub(implicit)?;
    let symbol = Symbol::demangle(view.module.context.text(view.function.name))?;
    let stated = symbol.isolations_of_parameters()?;
    // After the parameters come captures and `self`. If tuples or packs are passed in parts, the numbers do not
    // distinguish them.
    let is_captured = |argument: &&Value| view.body.values[**argument].flags.contains(ArgumentFlag::ClosureCapture);
    let after = arguments.iter().filter(is_captured).count() + usize::from(conventions.self_parameter().is_some());
    if stated.len() + after != parameters.len() {
        return None;
    }
    Some(match stated.get(number).copied().flatten()? {
        ValueIsolation::Nonisolated => ActorIsolation::Nonisolated,
        ValueIsolation::Caller => ActorIsolation::CallerInheriting,
        ValueIsolation::OwnActor => ActorIsolation::Erased,
        ValueIsolation::GlobalActor(name) => {
            let name = view.queries.context.find_name(name)?;
            ActorIsolation::Global(Some(global_actor_named(view.queries, name)?))
        }
    })
}

/// The isolation of a requirement that states none, of a protocol of the module itself: the global actor of the
/// protocol, or none.
fn of_requirement(queries: &TypeQueries<'_>, member: &MemberRef) -> Option<ActorIsolation> {
    let is_requirement = |protocol: &NominalId| {
        let declaration = queries.declarations.get(*protocol);
        declaration.kind == NominalKind::Protocol && declaration.origin == Origin::Module
    };
    let protocol = member.parent.filter(is_requirement)?;
    let actor = of_type(queries, protocol);
    Some(actor.map_or(ActorIsolation::Unspecified, |actor| ActorIsolation::Global(Some(actor))))
}

fn overloads_agree(first: &MemberRef, second: &MemberRef) -> bool {
    first.overload.is_none() || second.overload.is_none() || first.overload == second.overload
}

/// Whether the function that `id` looks up is passed the actor that it runs on.
fn takes_actor(view: &BodyView<'_>, id: InstructionId) -> bool {
    let ty = view.body.result(id).map(|result| view.body.ty(result).ty);
    let conventions = ty.and_then(|ty| view.queries.conventions(ty));
    conventions.is_some_and(|conventions| {
        conventions.function.parameters.iter().any(|parameter| parameter.options.contains(ParameterOption::Isolated))
    })
}

/// Whether a reference is to an accessor of a property.
pub fn is_accessor(member: &MemberRef) -> bool {
    use MemberKind::*;
    matches!(member.kind, Getter | Setter | Read | Read2 | Modify | Modify2 | Addressor | MutableAddressor)
}

//! The only type that conforms to a protocol, if no code outside of the module can add another
//! (lib/SILOptimizer/Analysis/ProtocolConformanceAnalysis.cpp).
//!
//! Does not own: the conformances of types (`types::conformances`).

use rustc_hash::FxHashSet;
use sil_analysis::ModuleExtent;
use sil_ir::context::{NominalId, NominalType, Type, TypeId};
use sil_ir::declarations::{Access, NominalDeclaration, NominalKind, Origin};
use sil_ir::model::{LanguageMode, Module};
use sil_ir::types::TypeQueries;

use crate::pass::Environment;

/// Returns the only type whose values an existential of `protocol` can hold. `None` if there may be several, or if it
/// is generic.
pub(crate) fn sole_conforming_type(environment: Environment<'_>, protocol: NominalId) -> Option<TypeId> {
    let Environment { module, queries, settings, .. } = environment;
    if settings.extent != ModuleExtent::Whole || !is_internal(queries, protocol) {
        return None;
    }
    let sole = sole_conforming(module, queries, protocol)?;
    let declaration = queries.declarations.get(sole);
    let is_type = matches!(declaration.kind, NominalKind::Struct | NominalKind::Enum | NominalKind::Class);
    let is_plain = is_type && declaration.signature.is_none();
    let nominal = NominalType { declaration: sole, parent: None, arguments: Box::default() };
    (is_plain && declaration.attributes.access != Access::Open && !has_subclasses(queries, sole))
        .then(|| queries.context.ty(Type::Nominal(nominal)))
}

/// Returns whether a protocol is internal to the module.
fn is_internal(queries: &TypeQueries<'_>, protocol: NominalId) -> bool {
    queries.declarations.get(protocol).origin == Origin::Module
        && queries.declarations.access_of(protocol) <= Access::Internal
}

fn sole_conforming(module: &Module, queries: &TypeQueries<'_>, protocol: NominalId) -> Option<NominalId> {
    let refines = |(id, declaration): &(NominalId, &NominalDeclaration)| {
        declaration.kind == NominalKind::Protocol && queries.generics().inherited(*id).contains(&protocol)
    };
    let mut protocols: FxHashSet<NominalId> =
        queries.declarations.iter().filter(refines).map(|(refining, _)| refining).collect();
    protocols.insert(protocol);
    if !protocols.iter().all(|protocol| is_internal(queries, *protocol)) || has_unknown_types(module, queries) {
        return None;
    }
    let states = |(id, declaration): (NominalId, &NominalDeclaration)| {
        let is_type = declaration.kind != NominalKind::Protocol;
        (is_type && states_any(queries, declaration, &protocols)).then_some(id)
    };
    let in_tables = module.witness_tables.iter().filter_map(|table| {
        let conformance = queries.context.get_conformance(table.conformance);
        let nominal = queries.as_nominal(conformance.ty).filter(|_| protocols.contains(&conformance.protocol))?;
        Some(nominal.declaration)
    });
    let mut conforming = queries.declarations.iter().filter_map(states).chain(in_tables);
    let sole = conforming.next()?;
    conforming.all(|other| other == sole).then_some(sole)
}

/// Returns whether there may be conforming types without a visible conformance: local types conform by their witness
/// tables, most of which Embedded Swift omits.
fn has_unknown_types(module: &Module, queries: &TypeQueries<'_>) -> bool {
    let is_unknown = |declaration: &NominalDeclaration| {
        declaration.origin == Origin::Module && declaration.kind != NominalKind::Protocol && !declaration.is_complete()
    };
    module.mode == LanguageMode::Embedded && queries.declarations.iter().any(|(_, declaration)| is_unknown(declaration))
}

fn states_any(queries: &TypeQueries<'_>, declaration: &NominalDeclaration, protocols: &FxHashSet<NominalId>) -> bool {
    declaration.conformances.iter().any(|stated| {
        let mut is_one = |part| match queries.get(part) {
            Type::Protocol { protocol, .. } => protocols.contains(protocol).then_some(()),
            _ => None,
        };
        queries.find_in(stated.protocol, &mut is_one).is_some()
    })
}

/// Returns whether a class may have subclasses. The superclass of a local class is not always known.
fn has_subclasses(queries: &TypeQueries<'_>, class: NominalId) -> bool {
    let is_final = queries.declarations.get(class).attributes.is_final;
    let may_inherit = |declaration: &NominalDeclaration| match declaration.superclass {
        Some(superclass) => queries.as_nominal(superclass).is_some_and(|superclass| superclass.declaration == class),
        None => declaration.kind == NominalKind::Class && declaration.attributes.local.is_some(),
    };
    let is_class = queries.declarations.get(class).kind == NominalKind::Class;
    is_class
        && !is_final
        && queries.declarations.iter().any(|(id, declaration)| id != class && may_inherit(declaration))
}

//! Generic methods with dynamic dispatch, which Embedded Swift cannot support, as generic functions are specialised:
//! methods in vtables, and methods of class existentials
//! (SwiftCompilerSources/Sources/Optimizer/ModulePasses/MandatoryPerformanceOptimizations.swift,
//! `checkVTablesForGenericFunctions` and `checkForGenericMethods`). Runs directly after specialisation, before unused
//! entities are removed.

use sil_ir::context::{NominalId, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::InitExistential;
use sil_ir::model::{InstructionId, LanguageMode, Module, VTable, VTableEntry, WitnessEntry, WitnessTable};
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::CODE;
use super::effects::Scene;
use crate::messages::findings::error_at;

/// Reports the generic methods with dynamic dispatch of a module of Embedded Swift, at their declaration or where an
/// existential is made.
pub(crate) fn generic_methods(module: &Module) -> Vec<Diagnostic> {
    if module.mode != LanguageMode::Embedded {
        return Vec::new();
    }
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let mut found = methods_of_objects(module, queries);
    found.extend(methods_of_classes(module, queries));
    found
}

/// Reports generic methods in vtables. For generic classes, their specialised vtables are examined.
fn methods_of_classes(module: &Module, queries: &TypeQueries<'_>) -> Vec<Diagnostic> {
    let is_pattern = |table: &&VTable| table.specialized.is_none() && depth_of(queries, table.class) > 0;
    let tables = module.vtables.iter().filter(|table| !is_pattern(table));
    let mut found: Vec<&VTableEntry> = Vec::new();
    for entry in tables.flat_map(|table| &table.entries).filter(|entry| is_generic_entry(queries, entry)) {
        let introduced = introducing_entry(module, queries, entry);
        if !found.iter().any(|found| found.function == introduced.function) {
            found.push(introduced);
        }
    }
    let message = "classes cannot have non-final generic functions in embedded Swift";
    let error = |entry: &VTableEntry| {
        Diagnostic::error(CODE, message, entry.span).in_source(module.place_of_function(entry.function))
    };
    found.into_iter().map(error).collect()
}

fn is_generic_entry(queries: &TypeQueries<'_>, entry: &VTableEntry) -> bool {
    let class = queries.context.get_member(entry.member).parent;
    let depth = class.map_or(0, |class| depth_of(queries, class));
    entry.formal_type.is_some_and(|ty| is_generic_method(queries, ty, depth))
}

/// Returns the entry of the class that introduces the method of `entry`.
fn introducing_entry<'m>(module: &'m Module, queries: &TypeQueries<'_>, entry: &'m VTableEntry) -> &'m VTableEntry {
    let class = queries.context.get_member(entry.member).parent;
    let mut tables = module.vtables.iter().filter(|table| Some(table.class) == class && table.specialized.is_none());
    let is_same = |own: &&VTableEntry| own.member == entry.member && own.formal_type == entry.formal_type;
    tables.find_map(|table| table.entries.iter().find(is_same)).unwrap_or(entry)
}

/// Returns the number of levels of a class's generic parameters, including those of enclosing types.
fn depth_of(queries: &TypeQueries<'_>, class: NominalId) -> u32 {
    let signature = queries.declarations.get(class).signature;
    let parameters = signature.map(|signature| &queries.context.get_signature(signature).parameters);
    parameters.into_iter().flatten().map(|parameter| parameter.depth + 1).max().unwrap_or(0)
}

/// Returns whether a method with this formal type, `<Self><T> (Self) -> (T) -> ()`, has generic parameters of its own:
/// those of its type have smaller depths.
fn is_generic_method(queries: &TypeQueries<'_>, ty: TypeId, depth: u32) -> bool {
    let Type::FormalFunction(of_self) = queries.get(ty) else { return false };
    let signature = of_self.signature.map(|signature| queries.context.get_signature(signature));
    signature.is_some_and(|signature| signature.parameters.iter().any(|parameter| parameter.depth >= depth))
}

/// Reports the objects that become existentials with generic methods, in all nongeneric functions.
fn methods_of_objects(module: &Module, queries: &TypeQueries<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for function in module.functions.values().filter(|function| function.signature.is_none()) {
        let Some(body) = &function.body else { continue };
        let scene = Scene { module, queries, function, body };
        let messages = body.placed_instructions().filter_map(|id| Some((id, generic_method(scene, id)?)));
        found.extend(messages.map(|(id, message)| error_at(body, id, CODE, message).in_function(function.name)));
    }
    found
}

/// Returns the message for the first generic method of an object that becomes an existential.
fn generic_method(Scene { module, queries, body, .. }: Scene<'_>, id: InstructionId) -> Option<String> {
    let view = InitExistential::get(body, id).filter(|_| body.instructions[id].opcode == Opcode::InitExistentialRef)?;
    let class = queries.as_nominal(view.concrete)?.declaration;
    let protocols = queries.protocols_in(body.ty(body.result(id)?).ty);
    let context = queries.context;
    let is_wanted = |table: &&WitnessTable| {
        let conformance = context.get_conformance(table.conformance);
        queries.as_nominal(conformance.ty).is_some_and(|nominal| nominal.declaration == class)
            && protocols.contains(&conformance.protocol)
    };
    let mut entries = module.witness_tables.iter().filter(is_wanted).flat_map(|table| table.entries.iter().flatten());
    let member = entries.find_map(|entry| match entry {
        WitnessEntry::Method { member, formal_type: Some(ty), .. } => {
            is_generic_method(queries, *ty, 1).then_some(*member)
        }
        _ => None,
    })?;
    let name = context.text(context.get_member(member).name);
    Some(format!("an existential type cannot contain a generic method '{name}' in embedded Swift"))
}

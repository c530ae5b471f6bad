//! The accesses of functions to the variables that they capture by address
//! (lib/SILOptimizer/UtilityPasses/AccessSummaryDumper.cpp).

use sil_analysis::AccessKind;
use sil_analysis::access_summaries::{AccessSummaries, CapturedAccess};
use sil_analysis::captured_arguments::CapturedArgument;
use sil_ir::context::{Type, TypeId};
use sil_ir::model::{Function, Module};
use sil_ir::types::{SilArgument, TypeQueries};

/// The summary of each function: of each argument, the accesses to it.
pub(super) fn summaries(module: &Module, queries: &TypeQueries<'_>) -> String {
    let summaries = AccessSummaries::new(module, queries);
    let mut out = String::new();
    for function in module.functions.values() {
        let summary = match function.body {
            Some(_) => format!("({})", arguments(queries, &summaries, function).join(", ")),
            None => "<unknown>".to_owned(),
        };
        out += &format!("@{}\n{summary}\n", module.context.text(function.name));
    }
    out
}

fn arguments(queries: &TypeQueries<'_>, summaries: &AccessSummaries, function: &Function) -> Vec<String> {
    let Some(conventions) = queries.conventions(function.ty) else { return Vec::new() };
    let argument = |(argument, passed): (usize, SilArgument)| {
        let mut accesses = summaries.of(CapturedArgument { function: function.name, argument }).to_vec();
        accesses.sort_by(|first, second| first.path.cmp(&second.path));
        let texts: Vec<String> = accesses.iter().map(|access| access_text(queries, passed.ty.ty, access)).collect();
        format!("[{}]", texts.join(", "))
    };
    conventions.arguments().enumerate().map(argument).collect()
}

/// `.f.0 read`
fn access_text(queries: &TypeQueries<'_>, ty: TypeId, access: &CapturedAccess) -> String {
    let kind = match access.kind {
        AccessKind::Init => "init",
        AccessKind::Read => "read",
        AccessKind::Modify => "modify",
        AccessKind::Deinit => "deinit",
    };
    let mut out = String::new();
    let mut current = Some(ty);
    for index in &access.path {
        let Some(whole) = current else { break };
        let (name, part) = part(queries, whole, *index);
        out += &format!(".{name}");
        current = part;
    }
    if out.is_empty() { kind.to_owned() } else { format!("{out} {kind}") }
}

/// The name and the type of a stored property or an element of a tuple.
fn part(queries: &TypeQueries<'_>, whole: TypeId, index: u32) -> (String, Option<TypeId>) {
    if let Type::Tuple(_) = queries.get(whole) {
        return (index.to_string(), queries.tuple_element_type(whole, index));
    }
    let property = queries.declaration_of(whole).and_then(|declaration| declaration.stored.get(index as usize));
    let name = property.map_or_else(|| index.to_string(), |property| queries.context.text(property.name).to_owned());
    let ty = queries.field_types(whole).and_then(|fields| fields.get(index as usize).copied());
    (name, ty)
}

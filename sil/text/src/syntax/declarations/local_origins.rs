//! Assigns origins to local types whose declaring function no symbol states: the outermost of the functions that
//! mention the type, if it contains all others. The declaring function itself is not visible from outside: these types
//! have no names there, and their contexts have none at run time.

use memchr::memmem;
use sil_ir::context::{Context, NominalId};
use sil_ir::declarations::{DeclarationTable, LocalOrigin, NominalKind};
use sil_ir::symbols::{Nominal, first_local_type, plain_function, stands_in};

use crate::syntax::mentions::symbols;
use crate::syntax::scan::{Entity, EntityKind};

/// Assigns the local types of `table` without a known function to functions in `text` that mention them. A type gets no
/// function if the functions that mention it are not nested in one of them, as several functions may declare a type of
/// the name.
pub(super) fn make_up_origins(context: &Context, text: &str, entities: &[Entity], table: &mut DeclarationTable) {
    let is_open = |(nominal, kind)| Some((nominal, symbol_kind(kind)?));
    let local = table.iter().filter(|(_, declaration)| {
        let origin = declaration.attributes.local.map(|local| local.origin);
        origin == Some(LocalOrigin::Unknown) && declaration.parent.is_none() && declaration.own_parameters == 0
    });
    let open: Vec<(NominalId, Nominal)> =
        local.map(|(nominal, declaration)| (nominal, declaration.kind)).filter_map(is_open).collect();
    for (nominal, kind) in open {
        let name = table.get(nominal).name;
        if table.namesakes.has(name) || table.all_top_level(name).len() > 1 {
            continue;
        }
        let name = context.text(name);
        let function = function_around(text, entities, name);
        let descriptor = function.and_then(|function| first_local_type(&function, kind, name));
        if let (Some(descriptor), Some(local)) = (descriptor, &mut table.get_mut(nominal).attributes.local) {
            local.origin = LocalOrigin::Descriptor(context.name(&descriptor));
        }
    }
}

fn symbol_kind(kind: NominalKind) -> Option<Nominal> {
    match kind {
        NominalKind::Struct => Some(Nominal::Structure),
        NominalKind::Enum => Some(Nominal::Enum),
        NominalKind::Class => Some(Nominal::Class),
        NominalKind::Protocol => Some(Nominal::Protocol),
        _ => None,
    }
}

/// Returns the function that contains all mentions of the type called `name`.
fn function_around(text: &str, entities: &[Entity], name: &str) -> Option<String> {
    let mut functions = Vec::new();
    for entity in entities.iter().filter(|entity| states_function(entity.kind)) {
        let text = &text[entity.start as usize..entity.end as usize];
        if mentions(text, name) {
            let (_, symbol) = symbols(text).next().filter(|_| entity.kind == EntityKind::Function)?;
            functions.push(plain_function(symbol)?);
        }
    }
    let outermost = functions.iter().min_by_key(|function| function.len())?;
    functions.iter().all(|function| stands_in(function, outermost)).then(|| outermost.clone())
}

/// Whether a mention in an entity of this kind determines the function that a type is local to. Scopes mention
/// the types that their functions do, and tables have no place.
fn states_function(kind: EntityKind) -> bool {
    !matches!(
        kind,
        EntityKind::Declarations
            | EntityKind::Scope
            | EntityKind::VTable
            | EntityKind::WitnessTable
            | EntityKind::DefaultWitnessTable
            | EntityKind::MoveOnlyDeinit
    )
}

/// Whether `name` stands in `text` as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii());
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, name).any(|at| {
        !is_part(at.checked_sub(1).and_then(|before| bytes.get(before))) && !is_part(bytes.get(at + name.len()))
    })
}

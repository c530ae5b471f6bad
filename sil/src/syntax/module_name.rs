//! The name of a module, which its text does not say: a witness table names the module that states its conformance, and the tables that a
//! module defines for others to use are those of conformances that it states itself.

use super::names::plain_name;
use super::scan::{Entity, EntityKind};

/// Linkages of tables that another module may own.
const OF_OTHERS: [&str; 5] = ["shared", "public_external", "hidden_external", "package_external", "private_external"];

/// The name of the module that was cut into `entities`, as far as a witness table tells it.
pub(super) fn name_of<'a>(text: &'a str, entities: &[Entity]) -> Option<&'a str> {
    let tables = entities.iter().filter(|entity| entity.kind == EntityKind::WitnessTable);
    tables.into_iter().find_map(|table| owner(&text[table.start as usize..table.end as usize]))
}

/// `m` of `sil_witness_table hidden C: P module m {`
fn owner(table: &str) -> Option<&str> {
    let header = table.lines().next()?.strip_suffix('{')?;
    if header.split_whitespace().nth(1).is_some_and(|linkage| OF_OTHERS.contains(&linkage)) {
        return None;
    }
    let (_, module) = header.rsplit_once(" module ")?;
    Some(plain_name(module.trim()))
}

#[cfg(test)]
mod tests {
    use super::super::scan::entities;
    use super::*;

    fn name(text: &str) -> Option<&str> {
        name_of(text, &entities(text))
    }

    #[test]
    fn own_conformances_tell_the_name() {
        assert_eq!(name("sil_witness_table hidden C: P module m {\n}\n"), Some("m"));
        assert_eq!(name("sil_witness_table [serialized] <T> C<T>: P module Swift {\n}\n"), Some("Swift"));
    }

    #[test]
    fn conformances_of_others_do_not() {
        assert_eq!(name("sil_witness_table public_external Int: P module Swift {\n}\n"), None);
        assert_eq!(name("sil_witness_table shared Int: P module Swift {\n}\n"), None);
        assert_eq!(name("sil_witness_table Int: P module Swift\n"), None);
    }
}

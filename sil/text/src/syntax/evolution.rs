//! Infers from its text whether a module was compiled with library evolution. Only such a module has tables of default
//! witnesses and of default overrides, and has property descriptors with the storage of its stored properties
//! (lib/SILGen/SILGen.cpp, `emitDefaultWitnessTable`, `emitDefaultOverrideTable`, `tryEmitPropertyDescriptor`).

use super::declarations::Evolution;
use super::scan::{Entity, EntityKind};

/// The prefix of a property descriptor that states stored access.
const STORED: &str = "(stored_property ";

/// Returns whether the module with the code `code` that was cut into `entities` uses library evolution.
pub(super) fn evolution_of(code: &str, entities: &[Entity]) -> Evolution {
    let shows_it = |entity: &Entity| match entity.kind {
        EntityKind::DefaultWitnessTable | EntityKind::DefaultOverrideTable => true,
        EntityKind::Property => code[entity.start as usize..entity.end as usize].contains(STORED),
        _ => false,
    };
    if entities.iter().any(shows_it) { Evolution::Enabled } else { Evolution::Disabled }
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::super::scan::entities;
    use super::*;

    fn evolution(text: &str) -> Evolution {
        let code = Code::of(text);
        evolution_of(code.as_str(), &entities(&code))
    }

    #[test]
    fn stored_properties_that_may_become_others_are_described() {
        assert_eq!(evolution("sil_property #P.x (stored_property #P.x : $Int)\n"), Evolution::Enabled);
        assert_eq!(evolution("sil_property #P.x ()\n"), Evolution::Disabled);
    }

    #[test]
    fn classes_of_other_modules_may_override_less_than_there_is() {
        assert_eq!(evolution("sil_default_override_table C {\n}\n"), Evolution::Enabled);
    }

    #[test]
    fn protocols_that_may_get_requirements_have_default_witnesses() {
        assert_eq!(evolution("sil_default_witness_table P {\n  no_default\n}\n"), Evolution::Enabled);
    }
}

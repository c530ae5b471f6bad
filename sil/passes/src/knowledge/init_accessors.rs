//! The stored properties of the `init` accessor that an `assign_or_init` names.

use sil_ir::context::{MemberId, MemberKind, MemberRef, MemberTarget, Name, NominalId, Type};
use sil_ir::declarations::{InitAccessor, StoredProperty};
use sil_ir::model::views::AssignOrInit;
use sil_ir::model::{Body, InstructionId};
use sil_ir::types::TypeQueries;

use crate::knowledge::elements::property_of;

/// The stored properties that an `init` accessor initialises and reads, in the order of its parameters.
pub(crate) struct AccessedProperties {
    /// The initialised properties.
    pub(crate) initializes: Vec<MemberId>,
    /// The read properties.
    pub(crate) accesses: Vec<MemberId>,
    /// The property itself, where its accessor initialises no stored property: an initialiser has to call it all the
    /// same.
    pub(crate) own: Option<MemberId>,
}

impl AccessedProperties {
    /// Returns the properties of the accessor of an `assign_or_init`, or `None` for an unknown property.
    pub(crate) fn of(queries: &TypeQueries<'_>, body: &Body, id: InstructionId) -> Option<Self> {
        let property = queries.context.get_member(AssignOrInit::of(body, id).assignment.property?);
        let nominal = property.parent?;
        let declaration = queries.declarations.get(nominal);
        let accessor = declaration.init_accessors.iter().find(|accessor| accessor.property == property.name)?;
        let members = |names: &[Name]| -> Option<Vec<MemberId>> {
            names.iter().map(|name| stored(queries, nominal, *name)).collect()
        };
        let own = accessor.initializes.is_empty().then(|| accessed(queries, nominal, accessor));
        Some(Self { initializes: members(&accessor.initializes)?, accesses: members(&accessor.accesses)?, own })
    }
}

/// The properties whose `init` accessors initialise no stored property. An initialiser sets each of them, as it does
/// stored properties (lib/SILOptimizer/Mandatory/DIMemoryUseCollector.cpp, `getElementCountRec`).
pub(crate) fn set_by_accessors_alone(queries: &TypeQueries<'_>, nominal: NominalId) -> impl Iterator<Item = MemberId> {
    let accessors = queries.declarations.get(nominal).init_accessors.iter();
    accessors.filter(|accessor| accessor.initializes.is_empty()).map(move |one| accessed(queries, nominal, one))
}

/// The property that an accessor belongs to.
fn accessed(queries: &TypeQueries<'_>, nominal: NominalId, accessor: &InitAccessor) -> MemberId {
    queries.context.member(MemberRef::new(Some(nominal), accessor.property, MemberKind::Plain, MemberTarget::Other))
}

/// Returns the stored property `index` that the `init` accessor of `property` with body `body` initialises.
pub(crate) fn initialized_property<'q>(
    queries: &TypeQueries<'q>,
    body: &Body,
    property: &str,
    index: usize,
) -> Option<&'q StoredProperty> {
    // The last argument, after the properties and the new value, is the metatype of the enclosing type.
    let last = *body.blocks[body.entry()].arguments.last()?;
    let Type::Metatype { instance, .. } = *queries.get(body.ty(last).ty) else { return None };
    let declaration = queries.declarations.get(queries.as_nominal(instance)?.declaration);
    let is_named = |accessor: &&InitAccessor| queries.context.text(accessor.property) == property;
    let name = *declaration.init_accessors.iter().find(is_named)?.initializes.get(index)?;
    declaration.stored.iter().find(|stored| stored.name == name)
}

fn stored(queries: &TypeQueries<'_>, nominal: NominalId, name: Name) -> Option<MemberId> {
    let properties = &queries.declarations.get(nominal).stored;
    let index = properties.iter().position(|property| property.name == name)?;
    Some(property_of(queries, nominal, name, index as u32))
}

//! Removes the dynamic checks of accesses to globals and properties that are not visible outside of the module, if no
//! access of them contains a conflicting one. Follows lib/SILOptimizer/Transforms/AccessEnforcementWMO.cpp.
//!
//! Warning: this relies on the fact that the address of a global or a property only comes from its own instruction. An
//! access of an unidentified address ends the analysis.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{AccessStorage, BodyView, Change, ModuleExtent, NestedAccess, StoragePath};
use sil_ir::context::{MemberId, MemberTarget, Name, NominalId};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Details, FunctionId, InstructionId, KeyPathComponentKind, Linkage, Module, Value};
use sil_ir::types::TypeQueries;

use crate::knowledge::visibility::is_property_visible_elsewhere;
use crate::pass::{Description, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const MODULE_ACCESS_REMOVAL: Pass = Pass::new(&Description {
    name: "access-enforcement-wmo",
    class_name: "AccessEnforcementWMO",
    summary: "Removes access checks of globals and properties that no access of the module conflicts with.",
    gates: Gates::OPEN,
    runner: Runner::Whole(remove_checks),
});

/// Removes the checks of these accesses.
pub(crate) fn remove_checks(environment: ModuleEnvironment<'_>) -> Rewrites {
    let ModuleEnvironment { module, queries, settings, .. } = environment;
    let mut accesses = Accesses {
        module,
        queries,
        extent: settings.extent,
        found: FxHashMap::default(),
        conflicting: FxHashSet::default(),
    };
    for id in module.functions.keys() {
        let Some(function) = environment.of_function(id) else { continue };
        let view = function.view();
        if function.body.placed_instructions().any(|instruction| accesses.visit(&view, id, instruction).is_none()) {
            return Rewrites::new();
        }
    }
    let Accesses { found, conflicting, .. } = accesses;
    let mut unchecked: FxHashMap<FunctionId, Vec<InstructionId>> = FxHashMap::default();
    for (location, begins) in found {
        for (function, begin) in begins.into_iter().filter(|_| !conflicting.contains(&location)) {
            unchecked.entry(function).or_default().push(begin);
        }
    }
    let functions = module.functions.keys().filter_map(|id| Some((id, unchecked.remove(&id)?)));
    functions.filter_map(|(id, begins)| Some((id, Ok(rewrite(module, id, &begins)?)))).collect()
}

fn rewrite(module: &Module, id: FunctionId, begins: &[InstructionId]) -> Option<Rewrite> {
    let function = &module.functions[id];
    let mut body: Body = function.body.clone()?;
    for begin in begins {
        let attributes = &mut body.instructions[*begin].attributes;
        attributes.remove(Attribute::Dynamic);
        attributes.insert(Attribute::Static);
    }
    Some(Rewrite::new(function, body, Change::Instructions))
}

/// A storage location that is disjoint from all others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Location {
    Global(Name),
    /// A stored property, by its index among those that its class declares.
    Property(NominalId, u32),
}

struct Accesses<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    extent: ModuleExtent,
    found: FxHashMap<Location, Vec<(FunctionId, InstructionId)>>,
    /// The locations of which an access may contain a conflicting one.
    conflicting: FxHashSet<Location>,
}

impl Accesses<'_> {
    /// Records an access. Returns `None` if its storage may be any location.
    fn visit(&mut self, view: &BodyView<'_>, function: FunctionId, id: InstructionId) -> Option<()> {
        match (view.opcode(id), &view.body.instructions[id].details) {
            (opcode @ (Opcode::BeginAccess | Opcode::BeginUnpairedAccess), _) => {
                let Some(location) = self.location(view, view.operand(id, 0)?)? else { return Some(()) };
                if self.is_visible_elsewhere(location) {
                    return Some(());
                }
                if !view.body.instructions[id].attributes.contains(Attribute::NoNestedConflict) {
                    self.conflicting.insert(location);
                }
                if opcode == Opcode::BeginAccess {
                    self.found.entry(location).or_default().push((function, id));
                }
            }
            (_, Details::KeyPath(path)) => {
                for component in &path.components {
                    if let KeyPathComponentKind::StoredProperty(member) = component.kind
                        && let Some(location) = self.property(member)
                    {
                        self.conflicting.insert(location);
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The location of an address, if it is disjoint from others. `None` if the address may refer to any location.
    fn location(&self, view: &BodyView<'_>, address: Value) -> Option<Option<Location>> {
        Some(match AccessStorage::of(view, address, NestedAccess::Ignore)? {
            AccessStorage::Global(name) => Some(Location::Global(name)),
            AccessStorage::Class { .. } => {
                let base = StoragePath::of(view, address, NestedAccess::Ignore)?.base?;
                match view.body.instructions[view.body.defining(base)?].details {
                    Details::Member(member) => Some(self.property(member)?),
                    _ => return None,
                }
            }
            _ => None,
        })
    }

    fn property(&self, member: MemberId) -> Option<Location> {
        let member = self.queries.context.get_member(member);
        match member.target {
            MemberTarget::Stored(index) => Some(Location::Property(member.parent?, index)),
            MemberTarget::Case(_) | MemberTarget::Other => None,
        }
    }

    fn is_visible_elsewhere(&self, location: Location) -> bool {
        let is_whole = self.extent == ModuleExtent::Whole;
        match location {
            Location::Global(name) => {
                let global = self.module.global_named(name).map(|global| self.module.globals[global].linkage);
                match global {
                    Some(Linkage::Private) => false,
                    Some(Linkage::Hidden | Linkage::Shared) => !is_whole,
                    _ => true,
                }
            }
            Location::Property(class, index) => {
                is_property_visible_elsewhere(self.queries, (class, index), self.extent)
            }
        }
    }
}

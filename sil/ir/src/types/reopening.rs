//! Opened archetypes under other names: each clone of an instruction that opens an existential or a pack opens a new
//! one.

use rustc_hash::FxHashMap;

use super::rebuild::{BoundParts, Rebuild, rebuild_map, rebuild_parts};
use super::*;
use crate::context::{Context, SubstitutionMapId};

impl TypeQueries<'_> {
    /// `ty` with the opened archetypes of the names in `names` replaced by those of the names that these lead to.
    pub fn reopen(&self, ty: TypeId, names: &FxHashMap<Name, Name>) -> TypeId {
        if names.is_empty() { ty } else { Reopener { context: self.context, names }.rebuild(ty) }
    }

    /// The same for the replacements of a map.
    pub fn reopen_map(&self, map: SubstitutionMapId, names: &FxHashMap<Name, Name>) -> SubstitutionMapId {
        if names.is_empty() { map } else { rebuild_map(&mut Reopener { context: self.context, names }, map) }
    }

    /// `pattern`, that of an expansion, with the elements of parameter packs in it replaced by their archetypes in an
    /// opening of this name.
    pub fn opened_pattern(&self, pattern: TypeId, uuid: Name) -> TypeId {
        PatternOpener { queries: self, uuid }.rebuild(pattern)
    }
}

/// Elements of parameter packs replaced by archetypes.
struct PatternOpener<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    uuid: Name,
}

impl Rebuild for PatternOpener<'_, '_> {
    fn context(&self) -> &Context {
        self.queries.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        match *self.queries.get(ty) {
            Type::PackElement(pack) => {
                let interface = self.queries.canonical_type(pack);
                self.context().ty(Type::PackElementArchetype { uuid: self.uuid, interface })
            }
            Type::DependentMember { base, member, protocol } => {
                let base = self.rebuild(base);
                self.queries.member_type(base, member, protocol)
            }
            _ => rebuild_parts(self, ty),
        }
    }
}

struct Reopener<'r> {
    context: &'r Context,
    names: &'r FxHashMap<Name, Name>,
}

impl Rebuild for Reopener<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn bound_parts(&self) -> BoundParts {
        BoundParts::Enter
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        let renamed = |uuid: &Name| self.names.get(uuid).copied();
        match self.context.get(ty) {
            Type::OpenedArchetype { uuid, existential, interface } if renamed(uuid).is_some() => {
                let (uuid, interface) = (renamed(uuid).unwrap_or(*uuid), *interface);
                let existential = self.rebuild(*existential);
                self.context.ty(Type::OpenedArchetype { uuid, existential, interface })
            }
            Type::PackElementArchetype { uuid, interface } => match renamed(uuid) {
                Some(uuid) => self.context.ty(Type::PackElementArchetype { uuid, interface: *interface }),
                None => ty,
            },
            _ => rebuild_parts(self, ty),
        }
    }
}

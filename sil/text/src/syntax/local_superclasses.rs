//! The superclasses of local classes, which no declaration shows. Bodies upcast to them, as the initialisers and the
//! `deinit` of a class do, and vtables name inherited members. Among several ancestors, the superclass is the one that
//! inherits from the others. Vtables do not state the arguments of generic classes: without other evidence the
//! superclass is [`Type::Unresolved`].

use rustc_hash::FxHashMap;

use sil_ir::context::{NominalId, Type, TypeId};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Module, VTable, VTableEntry};
use sil_ir::types::TypeQueries;

/// Returns the superclasses of the local classes of `module` that have one.
pub(super) fn local_superclasses(module: &Module, queries: &TypeQueries<'_>) -> FxHashMap<NominalId, TypeId> {
    let mut ancestors = Ancestors { queries, found: FxHashMap::default() };
    let is_local_class = |(id, _): &(NominalId, _)| ancestors.is_local_class(*id);
    if !queries.declarations.iter().any(|declared| is_local_class(&declared)) {
        return FxHashMap::default();
    }
    for body in module.functions.values().filter_map(|function| function.body.as_ref()) {
        ancestors.add_upcasts(body);
    }
    for table in &module.vtables {
        ancestors.add_inherited(table);
    }
    let mut depths = FxHashMap::default();
    let nearest = |(class, found): (&NominalId, &Vec<TypeId>)| {
        let superclass = found.iter().copied().max_by_key(|ancestor| ancestors.depth(*ancestor, &mut depths))?;
        Some((*class, superclass))
    };
    let mut superclasses: FxHashMap<NominalId, TypeId> = ancestors.found.iter().filter_map(nearest).collect();
    let inherits_more =
        |table: &&VTable| ancestors.is_local_class(table.class) && !ancestors.inherits_all(table, &superclasses);
    let unknown: Vec<NominalId> = module.vtables.iter().filter(inherits_more).map(|table| table.class).collect();
    superclasses.extend(unknown.into_iter().map(|class| (class, ancestors.unknown_superclass(class))));
    superclasses
}

/// The observed direct and indirect ancestors of local classes.
struct Ancestors<'q> {
    queries: &'q TypeQueries<'q>,
    found: FxHashMap<NominalId, Vec<TypeId>>,
}

impl Ancestors<'_> {
    fn is_local_class(&self, id: NominalId) -> bool {
        let declaration = self.queries.declarations.get(id);
        declaration.kind == NominalKind::Class
            && declaration.attributes.local.is_some()
            && declaration.superclass.is_none()
    }

    /// Adds the classes of `upcast %0 : $Local to $Base`, and of upcasts of metatypes.
    fn add_upcasts(&mut self, body: &Body) {
        for upcast in body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::Upcast) {
            if let ([from], Some(to)) = (body.operands(upcast), body.result(upcast)) {
                self.add(self.class_of(body.ty(*from).ty), self.class_of(body.ty(to).ty));
            }
        }
    }

    /// Adds the classes that introduce members in the table. It does not state the arguments of generic classes.
    fn add_inherited(&mut self, table: &VTable) {
        let queries = self.queries;
        for entry in &table.entries {
            let introducing = queries.context.get_member(entry.member).parent.filter(|parent| *parent != table.class);
            if let Some(introducing) = introducing.filter(|id| queries.declarations.get(*id).signature.is_none()) {
                let class = queries.declarations.identity(queries.context, table.class);
                self.add(class, queries.declarations.identity(queries.context, introducing));
            }
        }
    }

    /// Returns whether the class of `table` inherits, according to `superclasses`, from each class that introduces a
    /// member of the table.
    fn inherits_all(&self, table: &VTable, superclasses: &FxHashMap<NominalId, TypeId>) -> bool {
        let declarations = self.queries.declarations;
        let mut chain = vec![table.class];
        while let Some(class) = chain.last()
            && let Some(above) = declarations.get(*class).superclass.or_else(|| superclasses.get(class).copied())
            && let Some(above) = self.queries.as_nominal(above).map(|above| above.declaration)
            && !chain.contains(&above)
        {
            // Its superclass is not known here.
            if declarations.get(above).origin == Origin::Named {
                return true;
            }
            chain.push(above);
        }
        let introducing = |entry: &VTableEntry| self.queries.context.get_member(entry.member).parent;
        table.entries.iter().filter_map(introducing).all(|class| chain.contains(&class))
    }

    fn unknown_superclass(&self, class: NominalId) -> TypeId {
        let context = self.queries.context;
        let name = context.text(self.queries.declarations.get(class).name);
        context.ty(Type::unresolved(context.name(&format!("{name}.superclass"))))
    }

    fn add(&mut self, class: TypeId, ancestor: TypeId) {
        let local = self.queries.as_nominal(class).map(|class| class.declaration);
        if let Some(local) = local.filter(|local| self.is_local_class(*local) && class != ancestor) {
            let known = self.found.entry(local).or_default();
            if !known.contains(&ancestor) {
                known.push(ancestor);
            }
        }
    }

    /// Returns the class of a reference or a metatype.
    fn class_of(&self, ty: TypeId) -> TypeId {
        match self.queries.get(ty) {
            Type::Metatype { instance, .. } => *instance,
            _ => ty,
        }
    }

    /// Returns the number of superclasses of `class`. A circular class, in invalid input, counts as none.
    fn depth(&self, class: TypeId, depths: &mut FxHashMap<NominalId, u32>) -> u32 {
        let Some(id) = self.queries.as_nominal(class).map(|class| class.declaration) else { return 0 };
        if let Some(known) = depths.get(&id) {
            return *known;
        }
        depths.insert(id, 0);
        let declared = self.queries.declarations.get(id).superclass;
        let ancestors = declared.iter().chain(self.found.get(&id).into_iter().flatten());
        let depth = ancestors.map(|ancestor| 1 + self.depth(*ancestor, depths)).max().unwrap_or_default();
        depths.insert(id, depth);
        depth
    }
}

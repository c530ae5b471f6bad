//! The module and its functions' and globals' attributes.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;

use super::{
    Body, CoverageMap, DefaultOverrideTable, DefaultWitnessTable, Details, DifferentiabilityWitness, Function,
    FunctionId, KeyPathComponentKind, MoveOnlyDeinit, Platform, Property, Provenance, Scope, ScopeId, ScopeParent,
    SourcePlace, StatedIsolation, SwiftVersion, VTable, WitnessTable,
};
use crate::context::{Context, Mutability, Name, TypeId};
use crate::declarations::{DeclarationTable, DeclaredPlacement};
use crate::source::Span;

/// The stage of a module (docs/SIL/SIL.md).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// `sil_stage raw`
    Raw,
    /// `sil_stage canonical`
    Canonical,
    /// `sil_stage lowered`
    Lowered,
}

/// Whether the module was made for Embedded Swift.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LanguageMode {
    /// Embedded Swift: no metadata, everything specialised.
    Embedded,
    /// Ordinary Swift.
    Full,
}

/// How functions take and give values of address-only types (docs/SIL/SILValues.md, "Opaque values").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressLowering {
    /// Through addresses: those of `@in` and `@out`.
    Lowered,
    /// As values, whatever the conventions are, until the address lowering pass has run.
    Opaque,
}

/// The number of a global in a [`Module`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(u32);
cranelift_entity::entity_impl!(GlobalId, "global");

/// A SIL module.
pub struct Module {
    /// The names and types that the module uses.
    pub context: Arc<Context>,
    /// Its name, as far as its tables and symbols show it: `main` otherwise.
    pub name: Name,
    /// The stage.
    pub stage: Stage,
    /// The mode, inferred from the module's contents.
    pub mode: LanguageMode,
    /// The version of Swift that printed it, as seen from its text: the declarations of that version are the ones that
    /// it knows.
    pub version: SwiftVersion,
    /// The platform that it was made for: the width of pointers as inferred from its text, else that of the target.
    pub platform: Platform,
    /// Where the text shows how wide pointers are, if it does.
    pub pointer_width_span: Option<Span>,
    /// The facts of its text about its origin, whatever options state: printed text shows the same.
    pub provenance: Provenance,
    /// How address-only values are passed, as seen from the bodies.
    pub address_lowering: AddressLowering,
    /// Imported modules, with their attributes as written, in order.
    pub imports: Vec<Import>,
    /// The declarations.
    pub declarations: DeclarationTable,
    /// The text of the Swift declarations, in order, for printing.
    pub declaration_text: Vec<Span>,
    /// The functions, in textual order.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// The globals, in textual order.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// The debug scopes by their number in the text.
    pub scopes: PrimaryMap<ScopeId, Scope>,
    /// `sil_vtable`
    pub vtables: Vec<VTable>,
    /// `sil_witness_table`
    pub witness_tables: Vec<WitnessTable>,
    /// `sil_default_witness_table`
    pub default_witness_tables: Vec<DefaultWitnessTable>,
    /// `sil_default_override_table`
    pub default_override_tables: Vec<DefaultOverrideTable>,
    /// `sil_moveonlydeinit`
    pub deinits: Vec<MoveOnlyDeinit>,
    /// `sil_property`
    pub properties: Vec<Property>,
    /// `sil_differentiability_witness`
    pub differentiability_witnesses: Vec<DifferentiabilityWitness>,
    /// `sil_coverage_map`
    pub coverage_maps: Vec<CoverageMap>,
    /// The functions by symbol name.
    pub function_names: FxHashMap<Name, FunctionId>,
    /// The globals by symbol name.
    pub global_names: FxHashMap<Name, GlobalId>,
    /// The isolation of functions, by their symbols, if the text has it.
    pub isolations: FxHashMap<Name, StatedIsolation>,
    /// The places that the declarations of globals ask for, by the symbols of the globals.
    pub placements: FxHashMap<Name, DeclaredPlacement>,
}

/// Scopes of one function, copied for another.
struct OwnScopes {
    owner: ScopeParent,
    made: FxHashMap<ScopeId, ScopeId>,
}

impl OwnScopes {
    /// The copy of a scope. A scope of an inlined function stays one of that, but is inlined elsewhere.
    fn own(&mut self, scopes: &mut PrimaryMap<ScopeId, Scope>, scope: ScopeId) -> ScopeId {
        let mut chain = vec![scope];
        while let Some(last) = chain.last().copied().filter(|last| !self.made.contains_key(last)) {
            match self.outer(&scopes[last]) {
                Some(outer) if !chain.contains(&outer) => chain.push(outer),
                _ => break,
            }
        }
        for old in chain.into_iter().rev() {
            if self.made.contains_key(&old) {
                continue;
            }
            let mut new = scopes[old].clone();
            match (&mut new.inlined_at, &mut new.parent) {
                (Some(outer), _) | (None, ScopeParent::Scope(outer)) => {
                    *outer = self.made.get(outer).copied().unwrap_or(*outer)
                }
                (None, parent @ ScopeParent::Function { .. }) => *parent = self.owner.clone(),
                (None, ScopeParent::None) => {}
            }
            let made = scopes.push(new);
            self.made.insert(old, made);
        }
        self.made[&scope]
    }

    /// The scope that leads to the function whose code this is in.
    fn outer(&self, scope: &Scope) -> Option<ScopeId> {
        scope.inlined_at.or(match scope.parent {
            ScopeParent::Scope(parent) => Some(parent),
            ScopeParent::None | ScopeParent::Function { .. } => None,
        })
    }
}

/// An imported module.
#[derive(Clone, Debug)]
pub struct Import {
    /// `@_implementationOnly` and the like, as written.
    pub attributes: Vec<Name>,
    /// The module.
    pub module: Name,
}

impl Module {
    /// Returns the section of a global, and whether it stays without a reference: by its own attributes or by its
    /// declaration.
    pub fn placement(&self, global: &Global) -> DeclaredPlacement {
        let declared = self.placements.get(&global.name).copied().unwrap_or_default();
        let section = global.section.or(declared.section);
        DeclaredPlacement { section, used: global.used || declared.used, ..declared }
    }

    /// Whether it was compiled with library evolution: only then has it tables of default witnesses or default
    /// overrides, and descriptions of its stored properties for clients that make key paths.
    pub fn evolves(&self) -> bool {
        let is_stored = |property: &Property| match &property.component {
            Some(component) => matches!(component.kind, KeyPathComponentKind::StoredProperty(_)),
            None => false,
        };
        !self.default_witness_tables.is_empty()
            || !self.default_override_tables.is_empty()
            || self.properties.iter().any(is_stored)
    }

    /// The function with this symbol name.
    pub fn function_named(&self, name: Name) -> Option<FunctionId> {
        self.function_names.get(&name).copied()
    }

    /// Adds functions, each before another, as far as their names are free. Functions get new numbers: the result maps
    /// the old numbers to these.
    pub fn insert_functions(&mut self, inserted: Vec<(FunctionId, Function)>) -> SecondaryMap<FunctionId, FunctionId> {
        let mut before: SecondaryMap<FunctionId, Vec<Function>> = SecondaryMap::new();
        for (place, function) in inserted {
            before[place].push(function);
        }
        let mut moved = SecondaryMap::with_default(FunctionId::from_u32(0));
        for (id, function) in std::mem::take(&mut self.functions) {
            for new in std::mem::take(&mut before[id]) {
                if let Entry::Vacant(entry) = self.function_names.entry(new.name) {
                    entry.insert(id);
                    self.functions.push(new);
                }
            }
            moved[id] = self.functions.push(function);
        }
        self.function_names = self.functions.iter().map(|(id, function)| (function.name, id)).collect();
        for scope in self.scopes.values_mut() {
            if let ScopeParent::Function { function: Some(function), .. } = &mut scope.parent {
                *function = moved[*function];
            }
        }
        moved
    }

    /// Gives functions that were made from others debug scopes of their own: debuggers distinguish them.
    pub fn give_own_scopes(&mut self, made: impl IntoIterator<Item = FunctionId>) {
        for id in made {
            self.give_scopes(id);
        }
    }

    fn give_scopes(&mut self, id: FunctionId) {
        let function = &mut self.functions[id];
        let owner = ScopeParent::Function { name: function.name, function: Some(id), ty: function.ty };
        let mut scopes = OwnScopes { owner, made: FxHashMap::default() };
        let mut named: Vec<&mut ScopeId> = function.scope.iter_mut().collect();
        for instruction in function.body.iter_mut().flat_map(|body| body.instructions.values_mut()) {
            named.extend(instruction.location.as_mut().and_then(|location| location.scope.as_mut()));
            if let Details::Variable(variable) = &mut instruction.details {
                named.extend(variable.location.as_mut().and_then(|location| location.scope.as_mut()));
            }
        }
        for scope in named {
            *scope = scopes.own(&mut self.scopes, *scope);
        }
    }

    /// Removes the functions that `is_kept` does not want, to which nothing refers. Functions get new numbers.
    pub fn retain_functions(&mut self, is_kept: impl Fn(&Function) -> bool) {
        let mut moved: SecondaryMap<FunctionId, Option<FunctionId>> = SecondaryMap::new();
        for (id, function) in std::mem::take(&mut self.functions) {
            if is_kept(&function) {
                moved[id] = Some(self.functions.push(function));
            }
        }
        self.function_names = self.functions.iter().map(|(id, function)| (function.name, id)).collect();
        for scope in self.scopes.values_mut() {
            if let ScopeParent::Function { function, .. } = &mut scope.parent {
                *function = function.and_then(|function| moved[function]);
            }
        }
    }

    /// Removes the globals that `is_kept` does not want, to which nothing refers. Globals get new numbers.
    pub fn retain_globals(&mut self, is_kept: impl Fn(&Global) -> bool) {
        let mut moved: SecondaryMap<GlobalId, Option<GlobalId>> = SecondaryMap::new();
        for (id, global) in std::mem::take(&mut self.globals) {
            if is_kept(&global) {
                moved[id] = Some(self.globals.push(global));
            }
        }
        self.global_names = self.globals.iter().map(|(id, global)| (global.name, id)).collect();
        let bodies = self.functions.values_mut().filter_map(|function| function.body.as_mut());
        let initializers = self.globals.values_mut().filter_map(|global| global.initializer.as_deref_mut());
        for body in bodies.chain(initializers) {
            for instruction in body.instructions.values_mut() {
                if let Details::Global(_, id) = &mut instruction.details {
                    *id = id.and_then(|id| moved[id]);
                }
            }
        }
    }

    /// Adds a function after all others, whose name is free.
    pub fn add_function(&mut self, function: Function) -> FunctionId {
        let name = function.name;
        let id = self.functions.push(function);
        self.function_names.insert(name, id);
        id
    }

    /// Adds a global after all others, whose name is free.
    pub fn add_global(&mut self, global: Global) -> GlobalId {
        let name = global.name;
        let id = self.globals.push(global);
        self.global_names.insert(name, id);
        id
    }

    /// Adds globals after all others, whose names are free. The instructions that name them, which are in `body` and in
    /// the initial values of later ones, then refer to them.
    pub fn add_globals_of(&mut self, body: &mut Body, globals: Vec<Global>) {
        if globals.is_empty() {
            return;
        }
        for mut global in globals {
            if let Some(initializer) = &mut global.initializer {
                self.refer_to_globals(initializer);
            }
            self.add_global(global);
        }
        self.refer_to_globals(body);
    }

    fn refer_to_globals(&self, body: &mut Body) {
        for instruction in body.instructions.values_mut() {
            if let Details::Global(name, id @ None) = &mut instruction.details {
                *id = self.global_named(*name);
            }
        }
    }

    /// The place in the Swift source where a function begins, from its scopes.
    pub fn place_of_function(&self, name: Name) -> Option<SourcePlace> {
        let is_own =
            |scope: &&Scope| matches!(scope.parent, ScopeParent::Function { name: found, .. } if found == name);
        self.scopes.values().find(is_own).and_then(|scope| scope.place)
    }

    /// The function that begins at a place in the Swift source.
    pub fn function_at(&self, place: SourcePlace) -> Option<Name> {
        self.scopes.values().filter(|scope| scope.place == Some(place)).find_map(|scope| match scope.parent {
            ScopeParent::Function { name, .. } => Some(name),
            ScopeParent::None | ScopeParent::Scope(_) => None,
        })
    }

    /// The global with this symbol name.
    pub fn global_named(&self, name: Name) -> Option<GlobalId> {
        self.global_names.get(&name).copied()
    }
}

/// Who sees a symbol (docs/SIL/SIL.md, "Linkage").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Linkage {
    /// `public`: the default, not written.
    Public,
    /// `non_abi`
    PublicNonAbi,
    /// `package`
    Package,
    /// `package_non_abi`
    PackageNonAbi,
    /// `hidden`
    Hidden,
    /// `shared`
    Shared,
    /// `private`
    Private,
    /// `public_external`
    PublicExternal,
    /// `package_external`
    PackageExternal,
    /// `hidden_external`
    HiddenExternal,
    /// `shared_external`, as older SIL has it.
    SharedExternal,
    /// `private_external`, as older SIL has it.
    PrivateExternal,
}

impl Linkage {
    /// All linkages with their spelling.
    const SPELLINGS: &'static [(Linkage, &'static str)] = &[
        (Linkage::Public, "public"),
        (Linkage::PublicNonAbi, "non_abi"),
        (Linkage::Package, "package"),
        (Linkage::PackageNonAbi, "package_non_abi"),
        (Linkage::Hidden, "hidden"),
        (Linkage::Shared, "shared"),
        (Linkage::Private, "private"),
        (Linkage::PublicExternal, "public_external"),
        (Linkage::PackageExternal, "package_external"),
        (Linkage::HiddenExternal, "hidden_external"),
        (Linkage::SharedExternal, "shared_external"),
        (Linkage::PrivateExternal, "private_external"),
    ];

    /// The spelling.
    pub fn name(self) -> &'static str {
        Self::SPELLINGS.iter().find(|(linkage, _)| *linkage == self).map_or("", |(_, name)| name)
    }

    /// The linkage that is spelled `name`.
    pub fn from_name(name: &str) -> Option<Linkage> {
        Self::SPELLINGS.iter().find(|(_, spelling)| *spelling == name).map(|(linkage, _)| *linkage)
    }

    /// Whether the definition belongs to another module, so that a body here is only for optimising.
    pub fn is_external(self) -> bool {
        use Linkage::*;
        matches!(self, PublicExternal | PackageExternal | HiddenExternal | SharedExternal | PrivateExternal)
    }
}

/// Whether a body travels with the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Serialization {
    /// Not written.
    None,
    /// `[serialized]`
    Serialized,
    /// `[serialized_for_package]`
    SerializedForPackage,
    /// `[serializable]`, as older SIL has it.
    Serializable,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// The symbol.
    pub name: Name,
    /// Its linkage.
    pub linkage: Linkage,
    /// `[serialized]`
    pub serialization: Serialization,
    /// `[let]`
    pub mutability: Mutability,
    /// `[asmname "x"]`
    pub asm_name: Option<Name>,
    /// `// clang name: x` on the line before: a variable of C.
    pub clang_name: Option<Name>,
    /// `[section "x"]`
    pub section: Option<Name>,
    /// `[used]`
    pub used: bool,
    /// Attributes without a field of their own, as written.
    pub other_attributes: Vec<Name>,
    /// Its lowered type.
    pub ty: TypeId,
    /// The static initialiser: a function body of one block without a terminator, whose last value is the initial
    /// value.
    pub initializer: Option<Box<super::Body>>,
    /// Where it is.
    pub span: Span,
}

//! Removes unused functions and globals. Follows lib/SILOptimizer/IPO/DeadFunctionElimination.cpp.
//!
//! A method is alive if a method of its name is called, regardless of the class or conformance. Functions that are
//! visible outside of the module, or outside of the file without whole-module optimisation, stay alive, and so do the
//! table entries of visible declarations. The bodies of functions show the underlying types of their opaque types,
//! which descriptors need at run time: such functions stay alive in ordinary Swift.

use rustc_hash::FxHashSet;

use sil_analysis::ModuleExtent;
use sil_ir::context::{Distribution, MemberId, MemberKind, Name};
use sil_ir::declarations::{Access, NominalDeclaration, Origin};
use sil_ir::model::{
    Body, Details, Function, FunctionAttribute, FunctionFlag, KeyPath, KeyPathComponentKind, KeyPathComputed,
    KeyPathIdentifier, LanguageMode, Linkage, Module, WitnessEntry,
};
use sil_ir::symbols::Symbol;
use sil_ir::types::{ConformanceTable, TypeQueries};

/// Removes the unused functions and globals of a module. `implicit` names functions that are used without a reference
/// by an instruction.
pub(crate) fn eliminate(module: &mut Module, extent: ModuleExtent, implicit: &[Name]) {
    let alive = Liveness::of(module, extent, implicit);
    let (functions, globals) = (alive.functions, alive.globals);
    for table in &mut module.vtables {
        table.entries.retain(|entry| functions.contains(&entry.function));
    }
    for table in &mut module.witness_tables {
        for entry in table.entries.iter_mut().flatten() {
            if let WitnessEntry::Method { function, .. } = entry {
                *function = function.filter(|name| functions.contains(name));
            }
        }
    }
    module.retain_functions(|function| functions.contains(&function.name));
    module.retain_globals(|global| globals.contains(&global.name));
}

/// Removes unused functions and globals that were loaded from libraries or are only declared.
pub(crate) fn eliminate_lent(module: &mut Module) {
    let is_lent = |function: &Function| {
        function.body.is_none() || function.linkage.is_external() || function.linkage == Linkage::Shared
    };
    let alive = Liveness::of_what_is_not(is_lent, module);
    let (functions, globals) = (alive.functions, alive.globals);
    module.retain_functions(|function| !is_lent(function) || functions.contains(&function.name));
    module.retain_globals(|global| !global.linkage.is_external() || globals.contains(&global.name));
}

/// The name of a method.
type MethodName = (Name, MemberKind);

/// The live functions, globals and methods.
struct Liveness<'m> {
    module: &'m Module,
    functions: FxHashSet<Name>,
    globals: FxHashSet<Name>,
    methods: FxHashSet<MethodName>,
    /// The worklist.
    open: Vec<Found>,
}

enum Found {
    Function(Name),
    Global(Name),
    Method(MethodName),
}

impl<'m> Liveness<'m> {
    fn of(module: &'m Module, extent: ModuleExtent, implicit: &[Name]) -> Self {
        let mut liveness = Self::empty(module);
        implicit.iter().for_each(|name| liveness.function(*name));
        liveness.add_anchors(extent);
        liveness.add_tables_of_others();
        liveness.find()
    }

    /// Marks functions that are not lent, all globals that are not external, and all tables as roots.
    fn of_what_is_not(is_lent: impl Fn(&Function) -> bool, module: &'m Module) -> Self {
        let mut liveness = Self::empty(module);
        for function in module.functions.values().filter(|function| !is_lent(function)) {
            liveness.function(function.name);
        }
        for global in module.globals.values().filter(|global| !global.linkage.is_external()) {
            liveness.global(global.name);
        }
        for (_, function) in liveness.table_methods() {
            liveness.function(function);
        }
        liveness.add_tables_of_others();
        liveness.find()
    }

    fn empty(module: &'m Module) -> Self {
        let (functions, globals, methods, open) = Default::default();
        Self { module, functions, globals, methods, open }
    }

    fn find(mut self) -> Self {
        while let Some(found) = self.open.pop() {
            self.look_into(found);
        }
        self
    }

    fn function(&mut self, name: Name) {
        if self.functions.insert(name) {
            self.open.push(Found::Function(name));
        }
    }

    fn global(&mut self, name: Name) {
        if self.globals.insert(name) {
            self.open.push(Found::Global(name));
        }
    }

    fn method(&mut self, member: MemberId) {
        let name = self.method_name(member);
        if self.methods.insert(name) {
            self.open.push(Found::Method(name));
        }
    }

    fn method_name(&self, member: MemberId) -> MethodName {
        let member = self.module.context.get_member(member);
        (member.name, member.kind)
    }

    fn look_into(&mut self, found: Found) {
        let module = self.module;
        match found {
            Found::Function(name) => {
                let Some(function) = module.function_named(name).map(|id| &module.functions[id]) else { return };
                for attribute in &function.attributes {
                    if let FunctionAttribute::DynamicReplacementFor(other)
                    | FunctionAttribute::ObjCReplacementFor(other)
                    | FunctionAttribute::AdHocRequirementWitness(other) = attribute
                    {
                        self.function(*other);
                    }
                }
                if let Some(body) = &function.body {
                    self.body(body);
                }
            }
            Found::Global(name) => {
                let global = module.global_named(name).map(|id| &module.globals[id]);
                if let Some(initializer) = global.and_then(|global| global.initializer.as_deref()) {
                    self.body(initializer);
                }
            }
            Found::Method(name) => self.implementations(name),
        }
    }

    fn implementations(&mut self, name: MethodName) {
        for (member, function) in self.table_methods() {
            if self.method_name(member) == name {
                self.function(function);
            }
        }
    }

    /// The methods of all tables, with their functions.
    fn table_methods(&self) -> Vec<(MemberId, Name)> {
        let module = self.module;
        let methods =
            module.vtables.iter().flat_map(|table| &table.entries).map(|entry| (entry.member, entry.function));
        let witnesses = module.witness_tables.iter().flat_map(|table| table.entries.iter().flatten());
        let defaults = module.default_witness_tables.iter().flat_map(|table| table.entries.iter().flatten());
        let witnesses = witnesses.chain(defaults).filter_map(|entry| match entry {
            WitnessEntry::Method { member, function, .. } => Some((*member, (*function)?)),
            _ => None,
        });
        methods.chain(witnesses).collect()
    }

    fn body(&mut self, body: &Body) {
        for id in body.placed_instructions() {
            match &body.instructions[id].details {
                Details::Function(name) => self.function(*name),
                Details::Global(name, _) => self.global(*name),
                Details::Method(method) => self.method(method.member),
                Details::Member(member) => self.method(*member),
                Details::KeyPath(path) => self.key_path(path),
                Details::DifferentiabilityWitness(_, configuration) => self.function(configuration.original),
                _ => {}
            }
        }
    }

    fn key_path(&mut self, path: &KeyPath) {
        for component in &path.components {
            match &component.kind {
                KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed) => {
                    self.computed(computed);
                }
                _ => {}
            }
        }
    }

    fn computed(&mut self, computed: &KeyPathComputed) {
        match &computed.identifier {
            KeyPathIdentifier::Function(name, _) => self.function(*name),
            KeyPathIdentifier::Member(member, _) | KeyPathIdentifier::Property(member) => self.method(*member),
        }
        let others = [computed.setter, computed.equals, computed.hash];
        self.function(computed.getter.0);
        others.into_iter().flatten().for_each(|(name, _)| self.function(name));
    }

    fn add_anchors(&mut self, extent: ModuleExtent) {
        let module = self.module;
        for function in module.functions.values() {
            if is_anchor(function, extent) || function.linkage == Linkage::Hidden && may_be_named_in_c(module, function)
            {
                self.function(function.name);
            }
        }
        self.add_declarations_of_opaque_types();
        for global in module.globals.values() {
            if is_seen_outside(global.linkage, extent) || global.used || global.section.is_some() {
                self.global(global.name);
            }
        }
        let is_known = |name: &Name| module.function_named(*name).is_some_and(|id| module.functions[id].body.is_some());
        for table in &module.vtables {
            let is_hidden = is_hidden(module.declarations.get(table.class), extent);
            for entry in &table.entries {
                let member = module.context.get_member(entry.member);
                // A method may be called through the class that declares the overridden method.
                let overridden = member.parent.map(|class| module.declarations.get(class));
                let is_hidden = is_hidden && overridden.is_none_or(|class| self::is_hidden(class, extent));
                let is_destroyer = matches!(
                    member.kind,
                    MemberKind::Deallocator | MemberKind::IsolatedDeallocator | MemberKind::IvarDestroyer
                );
                if is_destroyer || !is_hidden || !is_known(&entry.function) {
                    self.function(entry.function);
                }
            }
        }
        for table in &module.witness_tables {
            for entry in table.entries.iter().flatten() {
                if let WitnessEntry::Method { member, function: Some(function), .. } = entry {
                    let member = module.context.get_member(*member);
                    let protocol = member.parent.map(|protocol| module.declarations.get(protocol));
                    // Remote calls find distributed requirements by their names.
                    let is_remote = member.distribution == Distribution::Thunk;
                    let is_hidden = protocol.is_some_and(|protocol| is_hidden(protocol, extent));
                    if is_remote || !is_hidden || !is_known(function) {
                        self.function(*function);
                    }
                }
            }
        }
    }

    /// Marks the functions that declare opaque types. Swift's descriptors get the underlying types from the AST.
    fn add_declarations_of_opaque_types(&mut self) {
        let module = self.module;
        if module.mode == LanguageMode::Embedded {
            return;
        }
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = TypeQueries::of(module, &conformances);
        for function in module.functions.values().filter(|function| function.body.is_some()) {
            if queries.own_opaque_result(function).is_some() {
                self.function(function.name);
            }
        }
    }

    /// Marks the functions of tables that belong to neither classes nor conformances.
    fn add_tables_of_others(&mut self) {
        let module = self.module;
        let defaults = module.default_witness_tables.iter().flat_map(|table| table.entries.iter().flatten());
        let defaults: Vec<Name> = defaults
            .filter_map(|entry| match entry {
                WitnessEntry::Method { function, .. } => *function,
                _ => None,
            })
            .collect();
        let overrides = module.default_override_tables.iter().flat_map(|table| &table.entries);
        let deinits = module.deinits.iter().map(|found| found.function);
        for name in defaults.into_iter().chain(overrides.map(|entry| entry.function)).chain(deinits) {
            self.function(name);
        }
        for property in &module.properties {
            let kind = property.component.as_ref().map(|component| &component.kind);
            if let Some(KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed)) = kind {
                self.computed(computed);
            }
        }
        for witness in &module.differentiability_witnesses {
            self.function(witness.configuration.original);
            let derivatives = witness.derivatives.iter().flat_map(|derivatives| [derivatives.jvp, derivatives.vjp]);
            derivatives.flatten().for_each(|(name, _)| self.function(name));
        }
    }
}

/// Returns whether a function may have C references, as with `@_cdecl` and `@_silgen_name` (`hasCReferences`): its
/// symbol is not a Swift symbol.
pub(crate) fn may_be_named_in_c(module: &Module, function: &Function) -> bool {
    Symbol::demangle(module.context.text(function.name)).is_none()
}

/// Returns whether a declaration is not visible to other files or modules.
fn is_hidden(declaration: &NominalDeclaration, extent: ModuleExtent) -> bool {
    match declaration.attributes.access {
        _ if declaration.origin != Origin::Module => false,
        Access::Private | Access::FilePrivate => true,
        Access::Internal => extent == ModuleExtent::Whole,
        Access::Package | Access::Public | Access::Open => false,
    }
}

/// Returns whether a symbol with this linkage is visible to other files or modules.
fn is_seen_outside(linkage: Linkage, extent: ModuleExtent) -> bool {
    use Linkage::*;
    match linkage {
        Public | PublicNonAbi | Package | PackageNonAbi => true,
        Hidden => extent == ModuleExtent::Files,
        _ => false,
    }
}

/// Returns whether a function is alive regardless of its uses.
fn is_anchor(function: &Function, extent: ModuleExtent) -> bool {
    let keeps = |attribute: &FunctionAttribute| match attribute {
        FunctionAttribute::Flag(flag) => matches!(
            flag,
            FunctionFlag::DynamicallyReplaceable
                | FunctionFlag::OptimizeNone
                | FunctionFlag::Used
                | FunctionFlag::MarkUsed
                | FunctionFlag::RuntimeAccessible
        ),
        FunctionAttribute::DynamicReplacementFor(_)
        | FunctionAttribute::ObjCReplacementFor(_)
        | FunctionAttribute::AdHocRequirementWitness(_)
        | FunctionAttribute::Specialize(_)
        | FunctionAttribute::Expose(_)
        | FunctionAttribute::Section(_) => true,
        _ => false,
    };
    // Remote calls find thunks of distributed methods by their names.
    let is_remote = function.has(FunctionFlag::Distributed) && function.has(FunctionFlag::Thunk);
    is_remote || is_seen_outside(function.linkage, extent) || function.attributes.iter().any(keeps)
}

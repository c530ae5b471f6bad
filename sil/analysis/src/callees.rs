//! The callees of a call: the function that it names, the implementations of a method in vtables and witness tables,
//! the destructors of an object; and whether the list is complete (lib/SIL/Utils/CalleeCache.cpp).

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use sil_ir::context::{MemberId, MemberKind, MemberRef, Name, NominalId, Type, TypeId};
use sil_ir::declarations::{Access, Origin};
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{
    Body, Function, FunctionFlag, FunctionId, Linkage, Module, VTable, VTableEntry, VTableEntryKind, Value,
    WitnessEntry,
};
use sil_ir::symbols::{Flavor, Symbol, Tree};
use sil_ir::types::{SymbolTypes, TypeQueries};

use super::callee_origin;

/// How much of a program a module is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ModuleExtent {
    /// Some files of a Swift module: others may subclass and conform to the types that they see.
    #[default]
    Files,
    /// A whole Swift module.
    Whole,
}

/// The functions that a call may reach.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Callees {
    /// Those that are known, in the order of their symbols, or the order of the tables where that is not asked for.
    pub functions: Vec<FunctionId>,
    /// Whether there are others.
    pub completeness: Completeness,
}

/// Whether all callees are known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Completeness {
    /// There may be others.
    #[default]
    Incomplete,
    /// There are no others.
    Complete,
}

impl Callees {
    fn only(function: FunctionId) -> Self {
        Self { functions: vec![function], completeness: Completeness::Complete }
    }

    /// All functions that may be called; none where others may be, too.
    pub fn all(&self) -> Option<&[FunctionId]> {
        (self.completeness == Completeness::Complete).then_some(&self.functions)
    }

    /// The functions that are known to be called perhaps, whether others may be or not.
    pub fn known(&self) -> &[FunctionId] {
        &self.functions
    }

    /// All functions that may be called, where the body of each is the one that runs; none where not all are known.
    pub fn all_visible(&self, module: &Module) -> Option<&[FunctionId]> {
        self.all().filter(|callees| callees.iter().all(|callee| is_visible(&module.functions[*callee])))
    }
}

/// Whether a function is the module's own definition. Definitions of other modules may differ in other versions of
/// them.
fn is_visible(function: &Function) -> bool {
    function.body.is_some() && (!function.linkage.is_external() || function.linkage == Linkage::SharedExternal)
}

/// The callees of the methods of a module.
pub struct CalleeAnalysis<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    extent: ModuleExtent,
    /// Read when they are asked for first.
    tables: OnceLock<Tables>,
}

/// The contents of the tables of classes and conformances.
#[derive(Default)]
struct Tables {
    /// By the method as its class or protocol names it. Overloads count as one method.
    methods: FxHashMap<MemberRef, Callees>,
    /// The functions that free objects of a class, by it and each of its superclasses.
    deallocators: FxHashMap<NominalId, Vec<FunctionId>>,
    /// That of objects of exactly this class.
    exact_deallocators: FxHashMap<NominalId, FunctionId>,
}

impl<'m> CalleeAnalysis<'m> {
    /// Answers for functions of `module`.
    pub fn new(module: &'m Module, queries: &'m TypeQueries<'m>, extent: ModuleExtent) -> Self {
        Self { module, queries, extent, tables: OnceLock::new() }
    }

    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| self.read_tables())
    }

    fn read_tables(&self) -> Tables {
        let module = self.module;
        let mut tables = Tables::default();
        module.vtables.iter().for_each(|table| self.read_vtable(&mut tables, table));
        for table in &module.witness_tables {
            let conformance = module.context.get_conformance(table.conformance);
            for entry in table.entries.iter().flatten() {
                if let WitnessEntry::Method { member, function: Some(function), .. } = entry {
                    let is_known = self.is_witness_knowable(conformance.ty, conformance.protocol, *member);
                    self.add(&mut tables, self.plain(*member), *function, is_known);
                }
            }
        }
        let lists = tables.methods.values_mut().map(|callees| &mut callees.functions);
        for functions in lists.chain(tables.deallocators.values_mut()) {
            functions.sort_by_key(|function| module.context.text(module.functions[*function].name));
            functions.dedup();
        }
        tables
    }

    /// The functions that `callee`, the first operand of an apply site, may be.
    pub fn of(&self, body: &Body, callee: Value) -> Callees {
        let mut callee = callee;
        // Unreachable code may go round in circles.
        for _ in 0..=body.instructions.len() {
            let Some(definition) = body.defining(callee_origin(body, callee)) else { break };
            match body.instructions[definition].opcode {
                Opcode::FunctionRef => {
                    let name = views::FunctionRef::of(body, definition).function;
                    return self.module.function_named(name).map_or_else(Callees::default, Callees::only);
                }
                Opcode::PartialApply => callee = body.operands(definition)[0],
                Opcode::ClassMethod => return self.of_method(views::ClassMethod::of(body, definition).method.member),
                Opcode::WitnessMethod => {
                    return self.of_method(views::WitnessMethod::of(body, definition).method.member);
                }
                _ => break,
            }
        }
        Callees::default()
    }

    /// The functions that are called for `member` of a class or a protocol.
    pub fn of_method(&self, member: MemberId) -> Callees {
        self.tables().methods.get(&self.plain(member)).cloned().unwrap_or_default()
    }

    /// The functions that run when an object of type `ty` is destroyed. `exact` is its precise class.
    pub fn deallocators(&self, ty: TypeId, exact: Option<TypeId>) -> Callees {
        let mut ty = exact.unwrap_or(ty);
        while let Some(object) = self.queries.optional_object(ty) {
            ty = object;
        }
        let Some(class) = self.queries.as_nominal(ty).map(|nominal| nominal.declaration) else {
            return Callees::default();
        };
        if !self.queries.is_class(ty) {
            return Callees::default();
        }
        if exact.is_some() || self.queries.declarations.get(class).attributes.is_final {
            let specialized = self
                .module
                .vtables
                .iter()
                .find(|table| table.specialized.is_some_and(|specialized| self.queries.same_type(specialized, ty)));
            let found = match specialized {
                Some(table) => self.deallocator_in(table),
                None => {
                    self.tables().exact_deallocators.get(&class).copied().or_else(|| self.deallocator_by_name(class))
                }
            };
            return found.map_or_else(Callees::default, Callees::only);
        }
        let functions = self.tables().deallocators.get(&class).cloned().unwrap_or_default();
        let access = self.queries.declarations.access_of(class);
        let is_known =
            !functions.is_empty() && is_knowable(self.queries, self.extent, (class, access), MemberKind::Deallocator);
        Callees { functions, completeness: completeness(is_known) }
    }

    fn read_vtable(&self, tables: &mut Tables, table: &VTable) {
        if let Some(deallocator) = self.deallocator_in(table) {
            if table.specialized.is_none() {
                tables.exact_deallocators.insert(table.class, deallocator);
            }
            for class in self.with_superclasses(table.class) {
                tables.deallocators.entry(class).or_default().push(deallocator);
            }
        }
        for entry in &table.entries {
            let known = [Some(table.class), self.module.context.get_member(entry.member).parent]
                .into_iter()
                .flatten()
                .all(|class| self.is_method_knowable(class, entry.member));
            self.add(tables, self.plain(entry.member), entry.function, known);
            if entry.kind == VTableEntryKind::Override {
                self.read_override(tables, table.class, entry);
            }
        }
    }

    /// An override may be called by its own name, too, and by those of the methods that it overrides; vtables have that
    /// of the first method alone.
    fn read_override(&self, tables: &mut Tables, class: NominalId, entry: &VTableEntry) {
        let member = self.plain(entry.member);
        let overriding = self.with_superclasses(class).into_iter().take_while(|class| Some(*class) != member.parent);
        for class in overriding {
            let known = self.is_method_knowable(class, entry.member);
            let own = MemberRef { parent: Some(class), ..member.clone() };
            self.add(tables, own, entry.function, known);
        }
    }

    fn add(&self, tables: &mut Tables, member: MemberRef, function: Name, is_known: bool) {
        let Some(function) = self.module.function_named(function) else {
            tables.methods.entry(member).or_default().completeness = Completeness::Incomplete;
            return;
        };
        let is_known = is_known && !self.module.functions[function].has(FunctionFlag::DynamicallyReplaceable);
        let first = || Callees { functions: Vec::new(), completeness: Completeness::Complete };
        let callees = tables.methods.entry(member).or_insert_with(first);
        callees.functions.push(function);
        if !is_known {
            callees.completeness = Completeness::Incomplete;
        }
    }

    fn plain(&self, member: MemberId) -> MemberRef {
        self.module.context.get_member(member).without_overload()
    }

    fn deallocator_in(&self, table: &VTable) -> Option<FunctionId> {
        let is_deallocator = |member| self.module.context.get_member(member).kind == MemberKind::Deallocator;
        let entry = table.entries.iter().find(|entry| is_deallocator(entry.member))?;
        self.module.function_named(entry.function)
    }

    fn deallocator_by_name(&self, class: NominalId) -> Option<FunctionId> {
        let mut tree = Tree::default();
        let entity = SymbolTypes::new(self.queries, &mut tree).deallocator(class);
        let symbol = Symbol::new(Flavor::Default, tree, entity).remangle()?;
        self.module.function_named(self.module.context.name(&symbol))
    }

    /// The class itself, its superclass, and so on.
    fn with_superclasses(&self, class: NominalId) -> Vec<NominalId> {
        let superclass = |class: &NominalId| {
            let ty = self.queries.declarations.get(*class).superclass?;
            self.queries.as_nominal(ty).map(|nominal| nominal.declaration)
        };
        // Wrong input may make a class its own superclass.
        std::iter::successors(Some(class), superclass).take(256).collect()
    }

    fn is_method_knowable(&self, class: NominalId, member: MemberId) -> bool {
        is_method_knowable(self.queries, self.extent, class, member)
    }

    fn is_witness_knowable(&self, conforming: TypeId, protocol: NominalId, requirement: MemberId) -> bool {
        match self.queries.declarations.access_of(protocol) {
            Access::Package | Access::Public | Access::Open => return false,
            Access::Internal if self.extent == ModuleExtent::Files => return false,
            Access::Internal | Access::FilePrivate | Access::Private => {}
        }
        let Type::Nominal(nominal) = self.queries.get(conforming) else { return false };
        self.is_method_knowable(nominal.declaration, requirement)
    }
}

/// Whether nothing outside of the compiled code can have its own version of a member of `class`
/// (`calleesAreStaticallyKnowable` of lib/SIL/Utils/CalleeCache.cpp).
pub fn is_method_knowable(queries: &TypeQueries<'_>, extent: ModuleExtent, class: NominalId, member: MemberId) -> bool {
    let member = queries.context.get_member(member);
    let own = queries.declarations.get(class).dispatched.iter();
    let widest = own.filter(|own| own.name == member.name && own.kind == member.kind).map(|own| own.access).max();
    let whole = queries.declarations.access_of(class);
    is_knowable(queries, extent, (class, widest.map_or(whole, |access| access.min(whole))), member.kind)
}

fn is_knowable(
    queries: &TypeQueries<'_>,
    extent: ModuleExtent,
    (class, access): (NominalId, Access),
    kind: MemberKind,
) -> bool {
    let is_whole = extent == ModuleExtent::Whole;
    let is_known = match access {
        Access::Open => false,
        // Subclasses elsewhere have initialisers of their own, whatever the access of those of the class.
        Access::Public | Access::Package => {
            let makes_objects = matches!(kind, MemberKind::Allocator | MemberKind::Initializer);
            is_whole && !(makes_objects && queries.declarations.access_of(class) == Access::Open)
        }
        Access::Internal => is_whole,
        Access::FilePrivate | Access::Private => true,
    };
    is_known && queries.declarations.get(class).origin == Origin::Module
}

fn completeness(is_known: bool) -> Completeness {
    if is_known { Completeness::Complete } else { Completeness::Incomplete }
}

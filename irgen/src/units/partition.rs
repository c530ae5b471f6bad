//! What each unit of a module is made of. Functions stay in their order, so that those that were written together are compiled
//! together; what only one unit refers to stays local to it.

use inkwell::GlobalVisibility;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::globals::UsedBy;
use crate::llvm::splitting::{self, SymbolKey};

/// A module of fewer instructions stays whole.
const SMALLEST_MODULE: usize = 40_000;

/// About how many instructions a unit has.
const UNIT_SIZE: usize = 10_000;

/// More units would spend too much time on what each of them reads again.
const UNITS_AT_MOST: usize = 64;

/// One of the units, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(usize);

impl UnitId {
    /// Whether it is the one that has what belongs to no unit in particular.
    pub fn is_first(self) -> bool {
        self.0 == 0
    }
}

/// Which unit defines what.
pub struct Partition {
    count: usize,
    owners: FxHashMap<String, UnitId>,
    promoted: FxHashSet<String>,
    used: Vec<(UsedBy, String)>,
}

impl Partition {
    /// The units, in order.
    pub fn units(&self) -> impl Iterator<Item = UnitId> {
        (0..self.count).map(UnitId)
    }

    /// Whether `unit` defines the symbol.
    pub fn owns(&self, unit: UnitId, symbol: &str) -> bool {
        self.owners.get(symbol) == Some(&unit)
    }

    /// Whether the symbol is local to the module, and visible for the sake of other units alone.
    pub fn is_promoted(&self, symbol: &str) -> bool {
        self.promoted.contains(symbol)
    }

    /// The symbols that have to stay though nothing seems to use them.
    pub fn used(&self, by: UsedBy) -> impl Iterator<Item = &str> {
        self.used.iter().filter(move |(kind, _)| *kind == by).map(|(_, name)| name.as_str())
    }
}

/// Whether a module is worth cutting into units.
pub fn is_large(module: &Module<'_>) -> bool {
    let total: usize = module.get_functions().map(splitting::instruction_count).sum();
    total >= SMALLEST_MODULE && splitting::is_plain(module)
}

/// Cuts a large module into units and prepares it: every definition has a name, and what several units refer to is visible to them.
pub fn partition(module: &Module<'_>) -> Partition {
    let functions: Vec<_> = module.get_functions().filter(|function| function.count_basic_blocks() > 0).collect();
    let sizes: Vec<usize> = functions.iter().map(|function| splitting::instruction_count(*function)).collect();
    let total: usize = sizes.iter().sum();
    let used = UsedBy::ALL
        .into_iter()
        .flat_map(|by| splitting::take_used(module, by).into_iter().map(move |name| (by, name)))
        .collect();
    let count = (total / UNIT_SIZE).clamp(1, UNITS_AT_MOST);
    let mut owners = FxHashMap::default();
    let mut before = 0;
    for (function, size) in functions.iter().zip(sizes) {
        owners.insert(splitting::key(*function), UnitId(before * count / total.max(1)));
        before += size;
    }
    let variables: Vec<_> = module.get_globals().filter(|variable| variable.get_initializer().is_some()).collect();
    for variable in &variables {
        owners.insert(splitting::key(*variable), owner_of_variable(*variable, &owners));
    }
    let symbols = functions.into_iter().map(FunctionValue::as_global_value).chain(variables);
    let mut partition = Partition { count, owners: FxHashMap::default(), promoted: FxHashSet::default(), used };
    for (number, symbol) in symbols.enumerate() {
        partition.add(symbol, number, &owners);
    }
    partition
}

/// The unit of the functions that refer to a variable, where that is one; else the first.
fn owner_of_variable(variable: GlobalValue<'_>, owners: &FxHashMap<SymbolKey, UnitId>) -> UnitId {
    let mut units = splitting::referrers(variable).into_iter().map(|referrer| owners.get(&referrer).copied());
    match units.next().flatten() {
        Some(first) if units.all(|unit| unit == Some(first)) => first,
        _ => UnitId(0),
    }
}

impl Partition {
    /// Gives a definition to its unit.
    fn add(&mut self, symbol: GlobalValue<'_>, number: usize, owners: &FxHashMap<SymbolKey, UnitId>) {
        if symbol.get_name().is_empty() {
            symbol.set_name(&format!("silc.unnamed.{number}"));
        }
        let name = splitting::name_of(symbol);
        let owner = owners[&splitting::key(symbol)];
        let linkage = symbol.get_linkage();
        let is_discardable =
            matches!(linkage, Linkage::Internal | Linkage::Private | Linkage::LinkOnceODR | Linkage::LinkOnceAny);
        let is_shared =
            is_discardable && splitting::referrers(symbol).iter().any(|referrer| owners.get(referrer) != Some(&owner));
        match linkage {
            _ if !is_shared => {}
            Linkage::LinkOnceODR => symbol.set_linkage(Linkage::WeakODR),
            Linkage::LinkOnceAny => symbol.set_linkage(Linkage::WeakAny),
            _ => {
                symbol.set_linkage(Linkage::External);
                symbol.set_visibility(GlobalVisibility::Hidden);
                self.promoted.insert(name.clone());
            }
        }
        self.owners.insert(name, owner);
    }
}

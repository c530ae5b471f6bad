//! Symbols that several units refer to, once all units are generated: symbols that nothing outside of the program sees
//! become local to their unit, or hidden if another unit needs them, and variables are aligned as their users need it.

use inkwell::GlobalVisibility;
use inkwell::module::{Linkage, Module};
use inkwell::values::GlobalValue;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::generation::local_name;
use crate::llvm::{globals, modules};

/// The symbols that a unit defines and those that it leaves to others, by name.
#[derive(Default)]
pub struct UnitSymbols {
    defined: Vec<String>,
    /// With the alignment that the unit needs, of variables.
    used: Vec<(String, u32)>,
}

impl UnitSymbols {
    /// Those of a generated unit.
    pub fn of(module: &Module<'_>) -> Self {
        let mut symbols = UnitSymbols::default();
        for symbol in modules::symbols_of(module) {
            let name = modules::name_of(symbol);
            match is_definition(symbol) {
                true => symbols.defined.push(name),
                false => symbols.used.push((name, symbol.get_alignment())),
            }
        }
        symbols
    }

    /// Whether the unit defines nothing.
    pub fn is_empty(&self) -> bool {
        self.defined.is_empty()
    }
}

fn is_definition(symbol: GlobalValue<'_>) -> bool {
    !symbol.is_declaration() && symbol.get_linkage() != Linkage::AvailableExternally
}

/// Which symbols units share.
pub struct Sharing {
    /// The symbols that units leave to others, with the alignment that they need.
    used: FxHashMap<String, u32>,
    /// The symbols that are visible for other units alone.
    promoted: FxHashSet<String>,
}

impl Sharing {
    /// The symbols that `units` share. Symbols for which `is_local` holds are of no use outside of the program.
    pub fn of(units: Vec<UnitSymbols>, is_local: &dyn Fn(&str) -> bool) -> Self {
        let mut sharing = Sharing { used: FxHashMap::default(), promoted: FxHashSet::default() };
        let mut defined = Vec::new();
        for unit in units {
            for (name, alignment) in unit.used {
                let known = sharing.used.entry(name).or_default();
                *known = alignment.max(*known);
            }
            defined.extend(unit.defined);
        }
        let shared = defined.into_iter().filter(|name| is_local(name) && sharing.used.contains_key(name));
        sharing.promoted = shared.collect();
        sharing
    }

    /// The name of a symbol that is local to the program and visible for other units alone.
    pub fn local_name<'n>(&self, symbol: &'n str) -> Option<&'n str> {
        local_name(symbol).or_else(|| self.is_promoted(symbol).then_some(symbol))
    }

    fn is_promoted(&self, symbol: &str) -> bool {
        self.promoted.contains(symbol)
    }

    /// Gives the symbols of a unit the linkage that the others need.
    pub fn apply(&self, module: &Module<'_>, is_local: &dyn Fn(&str) -> bool) {
        for symbol in modules::symbols_of(module) {
            let name = modules::name_of(symbol);
            if !is_definition(symbol) {
                if self.is_promoted(&name) {
                    symbol.set_visibility(GlobalVisibility::Hidden);
                }
                continue;
            }
            if self.is_promoted(&name) {
                symbol.set_linkage(Linkage::External);
                symbol.set_visibility(GlobalVisibility::Hidden);
                globals::remove_comdat(symbol);
            } else if is_local(&name) {
                globals::make_symbol_local(symbol);
            }
            let Some(alignment) = self.used.get(&name) else { continue };
            if *alignment > symbol.get_alignment() {
                symbol.set_alignment(*alignment);
            }
        }
    }
}

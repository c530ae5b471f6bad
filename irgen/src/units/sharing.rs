//! Symbols shared by several units, once all units are generated: symbols that are not visible outside of the program
//! become local to their unit, or hidden if another unit needs them, and variables are aligned for their users.

use inkwell::GlobalVisibility;
use inkwell::module::{Linkage, Module};
use inkwell::values::GlobalValue;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::generation::local_name;
use crate::llvm::{globals, modules};

/// The symbols that a unit defines, and those that it uses from others, by name.
#[derive(Default)]
pub struct UnitSymbols {
    defined: Vec<String>,
    /// For variables, with the alignment that the unit needs.
    used: Vec<(String, u32)>,
}

impl UnitSymbols {
    /// Returns the symbols of a generated unit.
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

    /// Returns whether the unit defines nothing.
    pub fn is_empty(&self) -> bool {
        self.defined.is_empty()
    }
}

fn is_definition(symbol: GlobalValue<'_>) -> bool {
    !symbol.is_declaration() && symbol.get_linkage() != Linkage::AvailableExternally
}

/// The symbols that units share.
pub struct Sharing {
    /// The symbols that units use from others, with the alignment that they need.
    used: FxHashMap<String, u32>,
    /// The symbols that are only visible to other units.
    promoted: FxHashSet<String>,
}

impl Sharing {
    /// Returns the symbols that `units` share. Symbols for which `is_local` holds are not needed outside of the
    /// program.
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

    /// Returns the name of a symbol that is local to the program and only visible to other units.
    pub fn local_name<'n>(&self, symbol: &'n str) -> Option<&'n str> {
        local_name(symbol).or_else(|| self.is_promoted(symbol).then_some(symbol))
    }

    fn is_promoted(&self, symbol: &str) -> bool {
        self.promoted.contains(symbol)
    }

    /// Sets the linkage of a unit's symbols as the others need it.
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

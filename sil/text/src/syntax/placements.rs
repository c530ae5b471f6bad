//! The globals whose declarations ask for a section or stay without a reference. Owns the way from the symbol of a
//! global to its declaration; `declarations` has the attributes.

use rustc_hash::FxHashMap;

use sil_ir::context::Name;
use sil_ir::declarations::DeclaredPlacement;
use sil_ir::model::Module;
use sil_ir::symbols::Symbol;

/// Returns the places that the declarations of globals of `module` ask for, by the symbols of the globals.
pub(super) fn declared_placements(module: &Module) -> FxHashMap<Name, DeclaredPlacement> {
    if module.declarations.placements.is_empty() {
        return FxHashMap::default();
    }
    let names = module.globals.values().map(|global| global.name);
    names.filter_map(|name| Some((name, declared_placement(module, name)?))).collect()
}

fn declared_placement(module: &Module, global: Name) -> Option<DeclaredPlacement> {
    let (path, name) = Symbol::demangle(module.context.text(global))?.variable()?;
    let parent = module.declarations.at_path(&module.context, &path)?;
    module.declarations.placements.of_variable(parent, module.context.find_name(&name)?)
}

//! Functions: their names and their start locations.

use inkwell::debug_info::{DIFile, DISubprogram};
use rustc_hash::FxHashMap;
use sil_ir::context::Name;
use sil_ir::model::{Function, FunctionFlag, Linkage, Module, ScopeId, ScopeParent, SourcePlace};
use sil_ir::symbols::{Style, demangle_as};

use super::DebugInfo;
use super::scopes::Stepping;

impl Stepping {
    /// Returns whether a debugger stops in `function`.
    pub(super) fn of(function: &Function) -> Self {
        const SKIPPED: [FunctionFlag; 5] = [
            FunctionFlag::Transparent,
            FunctionFlag::Thunk,
            FunctionFlag::SignatureOptimizedThunk,
            FunctionFlag::ReabstractionThunk,
            FunctionFlag::BackDeployedThunk,
        ];
        if SKIPPED.iter().any(|flag| function.has(*flag)) { Stepping::Skips } else { Stepping::Stops }
    }
}

/// Returns the scope that represents each function: the first one whose parent is the function.
pub(super) fn function_scopes(sil: &Module) -> FxHashMap<Name, ScopeId> {
    let mut scopes = FxHashMap::default();
    for (id, scope) in sil.scopes.iter() {
        if let ScopeParent::Function { name, .. } = scope.parent {
            scopes.entry(name).or_insert(id);
        }
    }
    scopes
}

impl<'ctx> DebugInfo<'_, 'ctx> {
    /// Returns the Swift location at which a function begins.
    pub(super) fn function_place(&self, name: Name) -> Option<SourcePlace> {
        self.function_scopes.get(&name).and_then(|scope| self.sil.scopes[*scope].place)
    }

    /// Returns the function with this symbol, described at its first use.
    pub(super) fn subprogram(
        &self,
        name: Name,
        function: Option<&Function>,
        place: Option<SourcePlace>,
    ) -> DISubprogram<'ctx> {
        if let Some(found) = self.subprograms.borrow().get(&name) {
            return *found;
        }
        let file = place.map_or_else(|| self.unit_file(), |place| self.swift_file(place.file));
        let subprogram = self.create_subprogram(name, function, file, place.map_or(0, |place| place.line));
        self.subprograms.borrow_mut().insert(name, subprogram);
        subprogram
    }

    /// Describes a function that begins at a line (from 1, 0 is unknown) of `file`.
    pub(super) fn create_subprogram(
        &self,
        name: Name,
        function: Option<&Function>,
        file: DIFile<'ctx>,
        line: u32,
    ) -> DISubprogram<'ctx> {
        let symbol = self.sil.context.text(name);
        let shown = display_name(symbol);
        let linkage_name = if shown == symbol { "" } else { symbol };
        let is_local = function.is_some_and(|function| matches!(function.linkage, Linkage::Private | Linkage::Shared));
        let (unit, ty) = (self.unit_scope(), self.function_type);
        let names = (shown.as_str(), Some(linkage_name));
        self.builder.create_function(unit, names.0, names.1, file, line, ty, is_local, true, line, 0, self.optimizes)
    }
}

/// Returns the name that a debugger shows for a function with this symbol, such as `move(_:by:)`.
fn display_name(symbol: &str) -> String {
    demangle_as(symbol, Style::Simplified).unwrap_or_else(|| symbol.to_owned())
}

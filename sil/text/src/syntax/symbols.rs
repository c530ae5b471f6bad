//! The symbols and numbers that bodies refer to while they are read.

use rustc_hash::{FxHashMap, FxHashSet};

use sil_ir::context::{Name, TypeId};
use sil_ir::model::{DerivativeConfiguration, FunctionId, GlobalId, ScopeId};
use sil_ir::types::TypeQueries;

/// The entities of a module that bodies refer to.
#[derive(Default)]
pub(super) struct Symbols {
    /// The functions, with their types.
    pub(super) functions: FxHashMap<Name, (FunctionId, TypeId)>,
    /// The functions that are reabstraction thunks, whose derivatives take differentiable functions.
    pub(super) reabstraction_thunks: FxHashSet<Name>,
    /// The globals, with their types.
    pub(super) globals: FxHashMap<Name, (GlobalId, TypeId)>,
    /// The debug scopes by their number in the text.
    pub(super) scopes: FxHashMap<u32, ScopeId>,
    /// The configurations of the differentiability witnesses, by their original function.
    pub(super) differentiability_witnesses: FxHashMap<Name, Vec<DerivativeConfiguration>>,
}

impl Symbols {
    /// Returns whether the module has a differentiability witness of `wanted`.
    pub(super) fn has_differentiability_witness(
        &self,
        queries: &TypeQueries<'_>,
        wanted: &DerivativeConfiguration,
    ) -> bool {
        let witnesses = self.differentiability_witnesses.get(&wanted.original);
        witnesses.into_iter().flatten().any(|known| queries.same_derivatives(known, wanted))
    }
}

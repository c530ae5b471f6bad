//! What the symbols and numbers of a module stand for while its bodies are read.

use rustc_hash::FxHashMap;

use crate::context::{Name, TypeId};
use crate::model::{FunctionId, GlobalId, ScopeId};

/// The entities of a module that bodies refer to.
#[derive(Default)]
pub(super) struct Symbols {
    /// The functions.
    pub(super) functions: FxHashMap<Name, FunctionId>,
    /// The globals, with their types.
    pub(super) globals: FxHashMap<Name, (GlobalId, TypeId)>,
    /// The debug scopes by their number in the text.
    pub(super) scopes: FxHashMap<u32, ScopeId>,
}

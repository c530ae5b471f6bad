//! The entities of key paths: a pattern, and functions for the captured arguments of components (docs/ABI/KeyPaths.md).

use std::sync::Arc;

use sil_ir::context::{NominalId, SignatureId, SubstitutionMapId, TypeId};
use sil_ir::model::KeyPath;

/// The identity of a pattern: its contents, independent of the replacements of its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KeyPathPattern(Arc<KeyPath>);

impl KeyPathPattern {
    /// The pattern of `path`.
    pub fn of(path: &KeyPath) -> Self {
        Self(Arc::new(KeyPath { substitutions: SubstitutionMapId::EMPTY, ..path.clone() }))
    }

    /// The contents.
    pub fn path(&self) -> &KeyPath {
        &self.0
    }
}

/// A part of a pattern; functions and tables by the number of their component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyPathPart {
    /// The pattern itself.
    Pattern,
    /// The runtime's cache of the only key path of the pattern.
    Once,
    /// The table of functions for the values that a component captures.
    ArgumentWitnesses(usize),
    /// A function.
    Function(KeyPathFunction, usize),
}

/// A function for the captures of a component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyPathFunction {
    /// Returns the size and the alignment mask.
    Layout,
    /// Destroys the values.
    Destroy,
    /// Copies the values.
    Copy,
    /// Moves the values from the arguments of a key path's instantiation.
    Initialize,
}

/// A witness table that a component of a library needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyPathTable {
    /// The signature of the pattern.
    pub signature: Option<SignatureId>,
    /// The conforming type, in terms of the signature.
    pub ty: TypeId,
    /// The protocol.
    pub protocol: NominalId,
}

impl KeyPathPart {
    /// Returns its name, which no other module refers to.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            KeyPathPart::Pattern => "keypath",
            KeyPathPart::Once => "keypath_once",
            KeyPathPart::ArgumentWitnesses(_) => "keypath_witnesses",
            KeyPathPart::Function(KeyPathFunction::Layout, _) => "keypath_get_arg_layout",
            KeyPathPart::Function(KeyPathFunction::Destroy, _) => "keypath_destroy",
            KeyPathPart::Function(KeyPathFunction::Copy, _) => "keypath_copy",
            KeyPathPart::Function(KeyPathFunction::Initialize, _) => "keypath_arg_init",
        }
    }
}

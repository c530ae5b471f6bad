//! Types and generic signatures: text to tree (`tokens`, the grammar) and tree to interned type (`resolve` and the
//! other modules).

mod attributes;
mod functions;
mod lookup;
mod namesakes;
mod parse;
mod resolve;
mod signatures;
mod tokens;
mod tree;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::unwrap_used, clippy::expect_used, unused, unreachable_pub)]
    grammar,
    "/syntax/types/grammar.rs"
);

pub(crate) use lookup::{InheritanceClause, UNKNOWN_TYPE};
pub(crate) use namesakes::{as_reference, class_called_like, unknown_namesake, with_self};
pub(crate) use parse::*;
pub(in crate::syntax) use resolve::{Resolver, Scope};
pub(in crate::syntax) use signatures::Naming;
pub(in crate::syntax) use tokens::skip_type;
pub(crate) use tree::{Effect, Element, NodeId, NodeKind, ParameterKind, Requirement, SignatureLevel, Tree};

use sil_ir::context::{Name, NominalId};
use sil_ir::source::FileId;

/// The position of a type: lowered or formal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Position {
    /// After `$`, and in parts that are lowered with the type.
    Lowered,
    /// In generic arguments, metatypes, declarations.
    Formal,
}

/// Type aliases that have a name but no meaning yet, by file (if file-private), enclosing type, and name.
pub(crate) type PendingAliases = rustc_hash::FxHashSet<(Option<FileId>, Option<NominalId>, Name)>;

/// The code of the error for an alias without a meaning.
pub(crate) const PENDING: &str = "pending-alias";

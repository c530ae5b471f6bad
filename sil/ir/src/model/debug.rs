//! Debug information: scopes, locations and variables.

use cranelift_entity::PrimaryMap;

use super::{FunctionId, Value};
use crate::context::{MemberId, Name, TypeId};
use crate::source::Span;

/// The number of a debug scope in a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(u32);
cranelift_entity::entity_impl!(ScopeId, "scope");

/// The place of an instruction in the Swift source: its `loc … , scope …`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct DebugLocation {
    /// The place in the Swift source; none where only a scope is written.
    pub place: Option<SourcePlace>,
    /// The scope.
    pub scope: Option<ScopeId>,
    /// `* "f":1:1`: made by the compiler.
    pub automatic: bool,
}

impl DebugLocation {
    /// The differences of a location in an instruction from `here`, the instruction's own. None if there are none
    /// (`DebugValueInst` in lib/SIL/IR/SILInstructions.cpp keeps no more).
    pub fn beside(self, here: Option<DebugLocation>) -> Option<DebugLocation> {
        let here = here.unwrap_or_default();
        let place = self.place.filter(|place| here.place != Some(*place));
        let scope = self.scope.filter(|scope| here.scope != Some(*scope));
        (place.is_some() || scope.is_some()).then_some(Self { place, scope, automatic: self.automatic })
    }
}

/// Facts about an instruction's place that no text states (include/swift/SIL/SILLocation.h).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct LocationTraits {
    /// The relation of the instruction to the source at its place.
    pub kind: LocationKind,
    /// Which part of the function it belongs to.
    pub part: FunctionPart,
}

/// The relation of an instruction to the source at its location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum LocationKind {
    /// It comes from it.
    #[default]
    Regular,
    /// It stands in a transparent function that was inlined for the call that is written there.
    MandatoryInlined,
    /// It ends a value that was made there.
    Cleanup,
    /// It is an `unreachable` that the compiler found.
    ArtificialUnreachable,
}

/// Which part of a function an instruction belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum FunctionPart {
    /// The code of the function.
    #[default]
    Body,
    /// The allocation of memory for it, after which debuggers stop in a function.
    Prologue,
}

/// A place in a Swift source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourcePlace {
    /// The file.
    pub file: Name,
    /// The line, from 1; 0 is unknown.
    pub line: u32,
    /// The column, from 1; 0 is unknown.
    pub column: u32,
}

/// `sil_scope N { loc … parent … inlined_at … }`
#[derive(Clone, Debug)]
pub struct Scope {
    /// The place.
    pub place: Option<SourcePlace>,
    /// Its parent.
    pub parent: ScopeParent,
    /// Where it was inlined.
    pub inlined_at: Option<ScopeId>,
}

/// The parent of a scope.
#[derive(Clone, Debug)]
pub enum ScopeParent {
    /// Nothing is written.
    None,
    /// Another scope.
    Scope(ScopeId),
    /// A function, with its type.
    Function { name: Name, function: Option<FunctionId>, ty: TypeId },
}

/// The function that `scope` belongs to, with its type: the inlined function for a scope that was inlined. None where
/// no parent is a function.
pub fn function_of_scope(scopes: &PrimaryMap<ScopeId, Scope>, mut scope: ScopeId) -> Option<(Name, TypeId)> {
    // Wrong input may make a scope its own parent.
    for _ in 0..=scopes.len() {
        match scopes.get(scope)?.parent {
            ScopeParent::Scope(parent) => scope = parent,
            ScopeParent::Function { name, ty, .. } => return Some((name, ty)),
            ScopeParent::None => return None,
        }
    }
    None
}

/// A variable of the source program, as `debug_value` and `alloc_stack` describe it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugVariable {
    /// `let`, `var` or neither.
    pub mutability: Option<crate::context::Mutability>,
    /// `name "x"`
    pub name: Option<Name>,
    /// `argno 1`
    pub argument: Option<u32>,
    /// `type $T`: of the whole variable.
    pub ty: Option<crate::context::SilType>,
    /// `implicit`
    pub implicit: bool,
    /// `(name "x", loc "f":1:2, scope 3)`: a location of its own.
    pub location: Option<DebugLocation>,
    /// Its declaration in the text, if another place has its contents.
    pub declared: Option<Span>,
    /// `expr op_deref:op_fragment:#T.x`
    pub expression: Vec<DebugOperator>,
}

/// A step of a debug expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DebugOperator {
    /// `op_deref`
    Dereference,
    /// `op_fragment:#T.x`
    Fragment(MemberId),
    /// `op_tuple_fragment:$T:1`
    TupleFragment(TypeId, u32),
    /// `op_constu:1`
    ConstantUnsigned(u64),
    /// `op_consts:-1`
    ConstantSigned(i64),
    /// `op_plus`
    Plus,
    /// `op_minus`
    Minus,
}

/// A value that a location list refers to. Unused operands are `None` in the text.
pub type DebugOperand = Option<Value>;

//! The derivatives of methods in types: `@differentiable(reverse, wrt: x)`.

use crate::context::{Name, SignatureId};
use crate::source::Span;

/// A derivative that a method of a class has, or that a protocol requires with one.
#[derive(Clone, Debug)]
pub struct DeclaredDerivative {
    /// The name of the method.
    pub member: Name,
    /// The declaration of the method, which distinguishes overloads.
    pub method: Span,
    /// How many parameters the method has, `self` included.
    pub parameter_count: u32,
    /// The parameters of differentiation.
    pub parameters: DerivativeParameters,
    /// The generic parameters of the method and of the types around it, with their names.
    pub signature: Option<SignatureId>,
}

/// The parameters by which a method is differentiated, by their numbers, `self` after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DerivativeParameters {
    /// These.
    Stated(Box<[u32]>),
    /// All that are differentiable.
    Differentiable,
    /// The attribute has parts that are not understood.
    Unknown,
}

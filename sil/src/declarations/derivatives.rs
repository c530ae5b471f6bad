//! What types say of derivatives of their methods: `@differentiable(reverse, wrt: x)`.

use crate::context::{Name, SignatureId};
use crate::source::Span;

/// A derivative that a method of a class has, or that a protocol requires with one.
#[derive(Clone, Debug)]
pub struct DeclaredDerivative {
    /// The name of the method.
    pub member: Name,
    /// Where the method is declared, which tells overloads apart.
    pub method: Span,
    /// How many parameters the method has, `self` included.
    pub parameter_count: u32,
    /// What it is differentiated with respect to.
    pub parameters: DerivativeParameters,
    /// The generic parameters of the method and of the types around it, with their names.
    pub signature: Option<SignatureId>,
}

/// What a method is differentiated with respect to, by the numbers of its parameters, `self` behind them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DerivativeParameters {
    /// These.
    Stated(Box<[u32]>),
    /// All that are differentiable.
    Differentiable,
    /// The attribute says more than is understood.
    Unknown,
}

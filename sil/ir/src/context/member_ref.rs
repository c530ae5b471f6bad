//! References to declarations from SIL: `#Point.x`, `#Shape.draw`, `#A.x!getter.foreign`, `#Opt.some!enumelt`.

use super::{Name, NominalId, TypeId};

/// A reference to a declaration as SIL writes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemberRef {
    /// The nominal type or protocol that the path leads to; none for a free function.
    pub parent: Option<NominalId>,
    /// The last name of the path: `x`, `draw`, `init`, `subscript`, an operator. For `#C!allocator` that of the type.
    pub name: Name,
    /// The part of the declaration that is meant.
    pub kind: MemberKind,
    /// Where it leads.
    pub target: MemberTarget,
    /// `!1`: the uncurry level that older SIL wrote.
    pub uncurry_level: Option<u32>,
    /// `!distributed`
    pub distribution: Distribution,
    /// `.foreign`
    pub foreign: Foreign,
    /// `!jvp.SU.<signature>`, `!vjp.SUS`
    pub derivative: Option<Derivative>,
    /// The formal type that distinguishes overloads, if it is written: `#P.f : <Self where Self : P> (Self) -> ()`.
    pub overload: Option<TypeId>,
    /// The labels of the arguments, `_` for none, if they are known and distinguish the member from others; the text
    /// does not have them.
    pub labels: Option<Box<[Name]>>,
}

impl MemberRef {
    /// A reference with only the declaration and its part.
    pub fn new(parent: Option<NominalId>, name: Name, kind: MemberKind, target: MemberTarget) -> Self {
        Self {
            parent,
            name,
            kind,
            target,
            uncurry_level: None,
            distribution: Distribution::None,
            foreign: Foreign::No,
            derivative: None,
            overload: None,
            labels: None,
        }
    }

    /// The reference without the facts that distinguish overloads.
    pub fn without_overload(&self) -> Self {
        Self { overload: None, labels: None, ..self.clone() }
    }
}

/// Where a reference leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberTarget {
    /// The stored property with this number in the parent's [`stored`](super::NominalDeclaration::stored).
    Stored(u32),
    /// The enum case with this number in the parent's [`cases`](super::NominalDeclaration::cases).
    Case(u32),
    /// A function, an initialiser, an accessor, the type itself: the parent's declaration need not name it.
    Other,
}

/// The part of a declaration that is meant (include/swift/SIL/SILDeclRef.h).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberKind {
    /// The declaration itself: a field, a function, a method.
    Plain,
    /// `!getter`
    Getter,
    /// `!_distributed_getter`
    DistributedGetter,
    /// `!setter`
    Setter,
    /// `!read`
    Read,
    /// `!read2`
    Read2,
    /// `!modify`
    Modify,
    /// `!modify2`
    Modify2,
    /// `!borrow`: gives the place or the borrowed value itself
    Borrow,
    /// `!mutate`: gives the place
    Mutate,
    /// `!addressor`
    Addressor,
    /// `!mutableAddressor`
    MutableAddressor,
    /// `!willSet`
    WillSet,
    /// `!didSet`
    DidSet,
    /// `!init`: an init accessor
    InitAccessor,
    /// `!allocator`
    Allocator,
    /// `!initializer`
    Initializer,
    /// `!enumelt`
    EnumElement,
    /// `!destroyer`
    Destroyer,
    /// `!deallocator`
    Deallocator,
    /// `!isolateddeallocator`
    IsolatedDeallocator,
    /// `!globalaccessor`
    GlobalAccessor,
    /// `!ivardestroyer`
    IvarDestroyer,
    /// `!ivarinitializer`
    IvarInitializer,
    /// `!defaultarg.0`
    DefaultArgument(u32),
    /// `!propertyinit`
    PropertyInitializer,
    /// `!backinginit`
    BackingInitializer,
}

/// The part of a distributed method that is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Distribution {
    /// The method is not distributed.
    None,
    /// `!distributed`: the method itself.
    Method,
    /// `!distributed_thunk`: the function that calls it wherever the actor is.
    Thunk,
}

/// Whether the foreign entry point is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Foreign {
    /// `.foreign`
    Yes,
    /// Swift's own.
    No,
}

/// A derivative function of a method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Derivative {
    /// `jvp` or `vjp`.
    pub kind: DerivativeKind,
    /// Parameter indices and a signature, as written.
    pub configuration: Name,
}

/// Forward or reverse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DerivativeKind {
    /// `jvp`
    Jvp,
    /// `vjp`
    Vjp,
}

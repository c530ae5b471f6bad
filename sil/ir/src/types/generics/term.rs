//! Type parameters as words over an alphabet of symbols (docs/Generics, "Type Parameters as Terms"), and the order of
//! such words. `rewriting` has the rules over words.

use std::cmp::Ordering;

use super::Generics;
use crate::context::{Context, LayoutConstraint, Name, NominalId, Type, TypeId};
use crate::declarations::DeclarationTable;
use crate::types::rebuild::{Rebuild, rebuild_parts};
use crate::types::substitution::generic_parameter;

/// A letter of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Symbol {
    /// At the beginning: `Self` of the protocol. At the end: the term before it conforms to the protocol.
    Protocol(NominalId),
    /// The associated type of this name of the term before it, as the protocol has or inherits it; at the beginning
    /// that of `Self`.
    Associated(NominalId, Name),
    /// A generic parameter: depth and index.
    Parameter(u32, u32),
    /// A member of this name, of a protocol that is not known yet.
    Name(Name),
    /// The term before it has this layout.
    Layout(LayoutConstraint),
    /// The term before it is this class or inherits from it.
    Superclass(Pattern),
    /// The term before it is this type.
    Concrete(Pattern),
}

/// A type parameter, or a type parameter and something that holds of it.
pub(super) type Term = Vec<Symbol>;

/// A type whose type parameters are terms: `τ_0_0`, `τ_0_1` and so on in `ty` stand for the first, the second and so on
/// of `arguments`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pattern {
    pub(super) ty: TypeId,
    pub(super) arguments: Box<[Term]>,
}

impl Symbol {
    /// The symbol after `prefix`: the terms in it are members of that.
    pub(super) fn after(&self, prefix: &[Symbol]) -> Symbol {
        match self {
            Symbol::Superclass(pattern) => Symbol::Superclass(pattern.after(prefix)),
            Symbol::Concrete(pattern) => Symbol::Concrete(pattern.after(prefix)),
            _ => self.clone(),
        }
    }

    /// Whether it mentions other terms.
    pub(super) fn is_pattern(&self) -> bool {
        matches!(self, Symbol::Superclass(_) | Symbol::Concrete(_))
    }

    /// The type that mentions other terms.
    pub(super) fn pattern_mut(&mut self) -> Option<&mut Pattern> {
        match self {
            Symbol::Superclass(pattern) | Symbol::Concrete(pattern) => Some(pattern),
            _ => None,
        }
    }

    /// The protocol that a rule beginning with this symbol is about; none where it is about the parameters of a
    /// signature.
    pub(super) fn domain(&self) -> Option<NominalId> {
        match self {
            Symbol::Protocol(protocol) | Symbol::Associated(protocol, _) => Some(*protocol),
            _ => None,
        }
    }

    fn rank(&self) -> u32 {
        match self {
            Symbol::Protocol(_) => 0,
            Symbol::Associated(..) => 1,
            Symbol::Parameter(..) => 2,
            Symbol::Name(_) => 3,
            Symbol::Layout(_) => 4,
            Symbol::Superclass(_) => 5,
            Symbol::Concrete(_) => 6,
        }
    }
}

impl Pattern {
    /// The pattern with its terms as members of `prefix`. A second conformance to the same protocol states no more than
    /// the first: left in, completion would find a longer pattern each time.
    pub(super) fn after(&self, prefix: &[Symbol]) -> Pattern {
        let member = |argument: &Term| {
            let is_reported =
                matches!(argument.first(), Some(Symbol::Protocol(_))) && prefix.last() == argument.first();
            [prefix, &argument[usize::from(is_reported)..]].concat()
        };
        Pattern { ty: self.ty, arguments: self.arguments.iter().map(member).collect() }
    }
}

impl Generics<'_> {
    /// The term of a type parameter, or of its pack; none for another type. `Self` of `protocol` is its symbol, if
    /// there is one.
    pub(super) fn term(&self, ty: TypeId, protocol: Option<NominalId>) -> Option<Term> {
        match self.context.get(ty) {
            Type::DependentMember { base, member, .. } => {
                let mut term = self.term(*base, protocol)?;
                term.push(Symbol::Name(*member));
                Some(term)
            }
            Type::PackElement(inner) | Type::PackExpansion { pattern: inner } => self.term(*inner, protocol),
            other => {
                let (depth, index) = generic_parameter(other)?;
                Some(vec![protocol.map_or(Symbol::Parameter(depth, index), Symbol::Protocol)])
            }
        }
    }

    /// The term of a type parameter that no pack is part of.
    pub(super) fn plain_term(&self, ty: TypeId, protocol: Option<NominalId>) -> Option<Term> {
        let mut part = ty;
        while let Type::DependentMember { base, .. } = self.context.get(part) {
            part = *base;
        }
        generic_parameter(self.context.get(part))?;
        self.term(ty, protocol)
    }

    /// The type parameter that a term is.
    pub(super) fn type_of_term(&self, term: &[Symbol]) -> TypeId {
        let this = || self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let member = |base: Option<TypeId>, member: Name| {
            let base = base.unwrap_or_else(this);
            Some(self.context.ty(Type::DependentMember { base, member, protocol: None }))
        };
        let ty = term.iter().fold(None, |base, symbol| match symbol {
            Symbol::Parameter(depth, index) => {
                Some(self.context.ty(Type::GenericParameter { depth: *depth, index: *index }))
            }
            Symbol::Associated(_, name) | Symbol::Name(name) => member(base, *name),
            Symbol::Protocol(_) | Symbol::Layout(_) | Symbol::Superclass(_) | Symbol::Concrete(_) => base,
        });
        ty.unwrap_or_else(this)
    }

    /// A type with its type parameters taken out as terms.
    pub(super) fn pattern(&self, ty: TypeId, protocol: Option<NominalId>) -> Pattern {
        let mut taker = ParameterTaker { generics: self, protocol, arguments: Vec::new() };
        let ty = taker.rebuild(ty);
        Pattern { ty, arguments: taker.arguments.into() }
    }

    /// The type that a pattern stands for.
    pub(super) fn type_of_pattern(&self, pattern: &Pattern) -> TypeId {
        let arguments: Vec<TypeId> = pattern.arguments.iter().map(|argument| self.type_of_term(argument)).collect();
        ParameterGiver { context: self.context, arguments: &arguments }.rebuild(pattern.ty)
    }

    /// The order of terms: those with members that are not known are greater, then longer ones, then symbol by symbol.
    pub(super) fn compare(&self, first: &[Symbol], second: &[Symbol]) -> Ordering {
        let names = |term: &[Symbol]| term.iter().filter(|symbol| matches!(symbol, Symbol::Name(_))).count();
        let by_size = names(first).cmp(&names(second)).then(first.len().cmp(&second.len()));
        let symbols = || {
            let mut orders = first.iter().zip(second).map(|(one, other)| self.compare_symbols(one, other));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        by_size.then_with(symbols)
    }

    fn compare_symbols(&self, first: &Symbol, second: &Symbol) -> Ordering {
        if first == second {
            return Ordering::Equal;
        }
        let text = |name: &Name| self.context.text(*name);
        match (first, second) {
            (Symbol::Protocol(first), Symbol::Protocol(second)) => self.compare_protocols(*first, *second),
            (Symbol::Associated(first, first_name), Symbol::Associated(second, second_name)) => {
                let by_name = text(first_name).cmp(text(second_name));
                by_name.then_with(|| self.compare_protocols(*first, *second))
            }
            (Symbol::Parameter(depth, index), Symbol::Parameter(other_depth, other_index)) => {
                (depth, index).cmp(&(other_depth, other_index))
            }
            (Symbol::Name(first), Symbol::Name(second)) => text(first).cmp(text(second)),
            _ => first.rank().cmp(&second.rank()),
        }
    }

    /// A protocol stands before those that it inherits from; else names decide.
    fn compare_protocols(&self, first: NominalId, second: NominalId) -> Ordering {
        let inherited = |protocol| self.inherited(protocol).len();
        let by_depth = if first == second { Ordering::Equal } else { inherited(second).cmp(&inherited(first)) };
        by_depth.then_with(|| compare_declarations(self.context, self.declarations, first, second))
    }
}

/// The order of declarations in canonical signatures (lib/AST/Decl.cpp, `TypeDecl::compare`): by nesting, by module, by
/// name.
pub(super) fn compare_declarations(
    context: &Context,
    declarations: &DeclarationTable,
    first: NominalId,
    second: NominalId,
) -> Ordering {
    let (one, other) = (declarations.get(first), declarations.get(second));
    let text = |name: Name| context.text(name);
    match (one.parent, other.parent) {
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (None, None) => text(one.module).cmp(text(other.module)).then_with(|| text(one.name).cmp(text(other.name))),
        (Some(parent), Some(other_parent)) => compare_declarations(context, declarations, parent, other_parent)
            .then_with(|| text(one.name).cmp(text(other.name))),
    }
}

struct ParameterTaker<'g, 'a> {
    generics: &'g Generics<'a>,
    protocol: Option<NominalId>,
    arguments: Vec<Term>,
}

impl Rebuild for ParameterTaker<'_, '_> {
    fn context(&self) -> &Context {
        self.generics.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        let Some(term) = self.generics.plain_term(ty, self.protocol) else { return rebuild_parts(self, ty) };
        let known = self.arguments.iter().position(|argument| *argument == term);
        let index = known.unwrap_or_else(|| {
            self.arguments.push(term);
            self.arguments.len() - 1
        });
        self.context().ty(Type::GenericParameter { depth: 0, index: index as u32 })
    }
}

struct ParameterGiver<'g> {
    context: &'g Context,
    arguments: &'g [TypeId],
}

impl Rebuild for ParameterGiver<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        match self.context.get(ty) {
            Type::GenericParameter { depth: 0, index } => self.arguments.get(*index as usize).copied().unwrap_or(ty),
            _ => rebuild_parts(self, ty),
        }
    }
}

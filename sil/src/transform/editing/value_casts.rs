//! Values as values of other types that are represented and passed in the same way: what overrides a method, or is converted to another function, may take
//! and give such (`castValueToABICompatibleType`, lib/SILOptimizer/Utils/InstOptUtils.cpp).
//!
//! Owns: what the cast is, found out before anything is changed, and the instructions that make it.
//!
//! Does not own: what is borrowed by the block arguments that casts of optionals make (`borrowed_phis`).

use super::flow_builder::{FlowBuilder, InsertionPoint};
use crate::context::{MemberId, SilType, Type, TypeId};
use crate::instructions::Opcode;
use crate::model::{EnumCases, Ownership, Value};
use crate::transform::knowledge::enum_cases::{OptionalCases, optional_some};
use crate::transform::pass::Environment;

/// Optionals in optionals, and tuples in tuples, are looked into this deep.
const NESTING: usize = 16;

/// How a value becomes one of another type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::transform) enum ValueCast {
    /// It is one already.
    Same,
    /// By one instruction of this kind, which says the type.
    By(Opcode, SilType),
    /// It is put into an optional of this type by this case, and that is cast.
    Wrap(SilType, MemberId, Box<ValueCast>),
    /// What an optional has is cast.
    Optional(Box<OptionalCast>),
    /// The elements of a tuple are cast.
    Tuple(Vec<(SilType, ValueCast)>, SilType),
}

/// A cast of what an optional has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::transform) struct OptionalCast {
    /// The cases of the optional, and what it has.
    from: OptionalParts,
    to: OptionalParts,
    /// The optional that comes of it.
    ty: SilType,
    cast: ValueCast,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OptionalParts {
    cases: OptionalCases,
    payload: SilType,
}

impl ValueCast {
    /// The cast from one type to another that is passed in the same way, as those who ask know; none where no cast makes the one of the other.
    pub(in crate::transform) fn new(environment: Environment<'_>, from: SilType, to: SilType) -> Option<Self> {
        Finder { environment }.cast(from, to, NESTING)
    }

    /// Whether what the value is decides which way the cast is made.
    pub(in crate::transform) fn divides_flow(&self) -> bool {
        match self {
            Self::Same | Self::By(..) => false,
            Self::Wrap(_, _, cast) => cast.divides_flow(),
            Self::Optional(_) => true,
            Self::Tuple(elements, _) => elements.iter().any(|(_, cast)| cast.divides_flow()),
        }
    }

    /// Makes the cast of a value with this ownership, none where the function has no ownership, and gives what comes of it. The block arguments that are
    /// made are added to `joined`.
    pub(in crate::transform) fn make(
        &self,
        flow: &mut FlowBuilder<'_>,
        value: Value,
        ownership: Option<Ownership>,
        joined: &mut Vec<Value>,
    ) -> Value {
        match self {
            Self::Same => value,
            Self::By(opcode, ty) => flow.builder().cast(*opcode, value, *ty),
            Self::Wrap(optional, some, cast) => {
                let wrapped = flow.builder().enumeration(*some, Some(value), *optional);
                cast.make(flow, wrapped, ownership, joined)
            }
            Self::Optional(cast) => cast.make(flow, value, ownership, joined),
            Self::Tuple(elements, ty) => {
                let types: Vec<SilType> = elements.iter().map(|(ty, _)| *ty).collect();
                let parts = divide_tuple(flow, value, ownership, &types);
                let parts = elements.iter().zip(parts);
                let cast = parts.map(|((_, cast), part)| cast.make(flow, part, ownership, joined));
                let cast: Vec<Value> = cast.collect();
                flow.builder().tuple(&cast, *ty)
            }
        }
    }
}

impl OptionalCast {
    fn make(
        &self,
        flow: &mut FlowBuilder<'_>,
        value: Value,
        ownership: Option<Ownership>,
        joined: &mut Vec<Value>,
    ) -> Value {
        let Self { from, to, ty, cast } = self;
        let fork = flow.divide();
        let [some, none] = fork.ways;
        let cases = EnumCases::without_default([from.cases.some, from.cases.none]);
        flow.builder().switch_enum(value, cases, &fork.ways);
        let result = flow.body.add_argument(fork.join, *ty, ownership.unwrap_or(Ownership::None));
        joined.push(result);
        let payload = match ownership {
            Some(ownership) => flow.body.add_argument(some, from.payload, ownership),
            None => {
                flow.go_to(InsertionPoint::End(some));
                flow.builder().unchecked_enum_data(value, from.cases.some, from.payload)
            }
        };
        flow.go_to(InsertionPoint::End(some));
        let payload = cast.make(flow, payload, ownership, joined);
        let wrap = |flow: &mut FlowBuilder<'_>, case: MemberId, payload: Option<Value>| {
            let wrapped = flow.builder().enumeration(case, payload, *ty);
            flow.builder().branch(fork.join, &[wrapped]);
        };
        wrap(flow, to.cases.some, Some(payload));
        flow.go_to(InsertionPoint::End(none));
        wrap(flow, to.cases.none, None);
        flow.join(fork);
        result
    }
}

/// The elements of a tuple.
fn divide_tuple(
    flow: &mut FlowBuilder<'_>,
    tuple: Value,
    ownership: Option<Ownership>,
    types: &[SilType],
) -> Vec<Value> {
    match ownership {
        Some(_) => flow.builder().destructure_tuple(tuple, types),
        None => {
            let element = |(index, ty): (u32, &SilType)| flow.builder().tuple_extract(tuple, index, *ty);
            (0..).zip(types).map(element).collect()
        }
    }
}

/// What casts depend on.
#[derive(Clone, Copy)]
struct Finder<'m> {
    environment: Environment<'m>,
}

impl Finder<'_> {
    fn cast(self, from: SilType, to: SilType, nesting: usize) -> Option<ValueCast> {
        let nesting = nesting.checked_sub(1)?;
        let queries = self.environment.queries;
        if queries.same_sil_type(from, to) {
            return Some(ValueCast::Same);
        }
        if from.is_address() || to.is_address() {
            return (from.is_address() && to.is_address()).then_some(ValueCast::By(Opcode::UncheckedAddrCast, to));
        }
        if let Some(opcode) = self.single(from, to) {
            return Some(ValueCast::By(opcode, to));
        }
        match (queries.optional_object(from.ty), queries.optional_object(to.ty)) {
            (Some(payload), Some(wanted)) => {
                let [from, target] = [self.parts(from, payload)?, self.parts(to, wanted)?];
                let cast = self.cast(from.payload, target.payload, nesting)?;
                let cast = OptionalCast { from, to: target, ty: to, cast };
                Some(ValueCast::Optional(Box::new(cast)))
            }
            (None, Some(_)) => {
                let optional = SilType::object(queries.optional_of(from.ty)?);
                let some = optional_some(self.environment, optional.ty)?;
                Some(ValueCast::Wrap(optional, some, Box::new(self.cast(optional, to, nesting)?)))
            }
            (None, None) => self.tuple(from, to, nesting),
            (Some(_), None) => None,
        }
    }

    /// The instruction that makes a value of one type one of another.
    fn single(self, from: SilType, to: SilType) -> Option<Opcode> {
        let queries = self.environment.queries;
        let [source, target] = [queries.get(from.ty), queries.get(to.ty)];
        match (source, target) {
            (
                Type::Metatype { instance: from, representation: source },
                Type::Metatype { instance: to, representation: target },
            ) if source == target => {
                let is_upcast = queries.is_class(*from) && queries.is_class(*to) && queries.is_subclass(*from, *to);
                return Some(if is_upcast { Opcode::Upcast } else { Opcode::UncheckedTrivialBitCast });
            }
            (Type::Function(source), Type::Function(target)) => {
                // Closures of other conventions are called in other ways, and those that escape own what they capture.
                let is_alike = source.representation == target.representation
                    && source.attributes == target.attributes
                    && source.callee == target.callee;
                return is_alike.then_some(Opcode::ConvertFunction);
            }
            _ => {}
        }
        let is_upcast = |from, to| queries.is_class(from) && queries.is_class(to) && queries.is_subclass(from, to);
        if is_upcast(from.ty, to.ty) {
            return Some(Opcode::Upcast);
        }
        if self.is_reference(from) && self.is_reference(to) {
            return Some(Opcode::UncheckedRefCast);
        }
        match (queries.optional_object(from.ty), queries.optional_object(to.ty)) {
            (Some(from), Some(to)) if is_upcast(from, to) => Some(Opcode::Upcast),
            _ => None,
        }
    }

    fn tuple(self, from: SilType, to: SilType, nesting: usize) -> Option<ValueCast> {
        let queries = self.environment.queries;
        let [elements, wanted] = [from.ty, to.ty].map(|ty| queries.tuple_element_types(ty));
        let (elements, wanted) = (elements?, wanted?);
        if elements.len() != wanted.len() {
            return None;
        }
        let casts = elements.into_iter().zip(wanted).map(|(element, wanted)| {
            let element = SilType::object(element);
            Some((element, self.cast(element, SilType::object(wanted), nesting)?))
        });
        Some(ValueCast::Tuple(casts.collect::<Option<_>>()?, to))
    }

    fn parts(self, optional: SilType, payload: TypeId) -> Option<OptionalParts> {
        Some(OptionalParts {
            cases: OptionalCases::of(self.environment, optional.ty)?,
            payload: SilType::object(payload),
        })
    }

    /// Whether a value is a reference to an object on the heap.
    fn is_reference(self, ty: SilType) -> bool {
        let queries = self.environment.queries;
        queries.is_class(ty.ty) || queries.properties(ty.ty, self.environment.function.signature).is_reference()
    }
}

//! Casts between ABI-compatible types, as between a method and its override, or a function and its conversion
//! (`castValueToABICompatibleType`, lib/SILOptimizer/Utils/InstOptUtils.cpp).
//!
//! Owns: the computation of the cast before anything is changed, and its instructions.
//!
//! Does not own: the `borrowed` instructions of block arguments that casts of optionals create (`borrowed_phis`).

use sil_ir::context::{MemberId, SilType, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{EnumCases, Ownership, Value};

use super::flow_builder::{FlowBuilder, InsertionPoint};
use crate::knowledge::enum_cases::{OptionalCases, optional_some};
use crate::pass::Environment;

/// The limit on the nesting of optionals and tuples.
const NESTING: usize = 16;

/// A cast of a value to another type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ValueCast {
    /// No change.
    Same,
    /// A single instruction with the written type.
    By(Opcode, SilType),
    /// Wraps the value in an optional of this type, and casts that.
    Wrap(SilType, MemberId, Box<ValueCast>),
    /// Casts the payload of an optional.
    Optional(Box<OptionalCast>),
    /// Casts the elements of a tuple.
    Tuple(Vec<(SilType, ValueCast)>, SilType),
}

/// A cast of the payload of an optional.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OptionalCast {
    /// The cases and the payload of the source.
    from: OptionalParts,
    to: OptionalParts,
    /// The resulting optional type.
    ty: SilType,
    cast: ValueCast,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OptionalParts {
    cases: OptionalCases,
    payload: SilType,
}

impl ValueCast {
    /// The cast between two types that the caller knows to be ABI compatible. `None` if there is no such cast.
    pub(crate) fn new(environment: Environment<'_>, from: SilType, to: SilType) -> Option<Self> {
        Finder { environment }.cast(from, to, NESTING)
    }

    /// Returns whether the cast branches on the value.
    pub(crate) fn divides_flow(&self) -> bool {
        match self {
            Self::Same | Self::By(..) => false,
            Self::Wrap(_, _, cast) => cast.divides_flow(),
            Self::Optional(_) => true,
            Self::Tuple(elements, _) => elements.iter().any(|(_, cast)| cast.divides_flow()),
        }
    }

    /// Builds the cast of a value with this ownership, `None` without ownership, and returns the result. Adds the
    /// created block arguments to `joined`.
    pub(crate) fn make(
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

/// The context of the search for a cast.
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

    /// The instruction that casts between two types.
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
                // Closures with other conventions are called differently, and escaping closures own their captures.
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

    /// Returns whether a type is a heap object reference.
    fn is_reference(self, ty: SilType) -> bool {
        let queries = self.environment.queries;
        queries.is_class(ty.ty) || queries.properties(ty.ty, self.environment.function.signature).is_reference()
    }
}

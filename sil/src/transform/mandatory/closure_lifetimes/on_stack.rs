//! Closures that do not escape and are made for one conversion alone are made on the stack: what they capture they borrow, until the value of the
//! conversion ends.

use super::lifetimes::Lifetimes;
use crate::analysis::ApplySite;
use crate::context::{FunctionAttribute, ParameterConvention, SilType, Type};
use crate::instructions::{Attribute, AttributeSet, Opcode};
use crate::model::views::Unary;
use crate::model::{Body, Details, InstructionId, LocationKind, NewInstruction, Place, Replacements, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::cloning::Origin;
use crate::types::{ArgumentConvention, Copyability, TypeQueries};

/// Which closures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum Closures {
    All,
    /// Those that capture a copy of a noncopyable value, which they are to borrow.
    OfNoncopyable,
}

/// Finds such closures.
pub(super) fn find(lifetimes: &Lifetimes<'_>, which: Closures) -> Vec<Closure> {
    let body = lifetimes.body;
    let made = body.placed_instructions().filter(|id| body.instructions[*id].opcode == Opcode::PartialApply);
    made.filter_map(|closure| Closure::new(lifetimes, which, closure)).collect()
}

/// Makes closures on the stack that were found in `body`.
pub(super) fn make(queries: &TypeQueries<'_>, closures: &[Closure], body: &mut Body) {
    let mut replacements = Replacements::default();
    for closure in closures {
        closure.put_on_stack(queries, body, &mut replacements);
    }
    body.replace_values(&replacements);
}

/// A closure that does not escape, and is only made to be converted.
pub(super) struct Closure {
    closure: InstructionId,
    /// What gives it another function type before that.
    function_conversion: Option<InstructionId>,
    /// What makes it one that does not escape.
    pub(super) conversion: InstructionId,
    destroys: Vec<InstructionId>,
    captured: Vec<Captured>,
    /// The memory in which values are captured.
    memory: Vec<Value>,
    /// What frees that.
    frees: Vec<InstructionId>,
}

/// A copy that a closure captures.
struct Captured {
    operand: usize,
    value: Value,
    /// Of a noncopyable value, what it is a copy of.
    original: Option<Original>,
}

/// What a copy is of.
#[derive(Clone, Copy)]
enum Original {
    /// This instruction copies this value.
    Value(InstructionId, Value),
    /// This instruction loads what is in memory.
    Memory(InstructionId),
    /// The first instruction takes the wrapper against copies off what the second copied of this value.
    Wrapped(InstructionId, InstructionId, Value),
}

impl Original {
    /// None where something else makes the copy.
    fn of(body: &Body, copied: Value) -> Option<Self> {
        let copy = body.defining(copied)?;
        let instruction = &body.instructions[copy];
        match instruction.opcode {
            Opcode::CopyValue => Some(Original::Value(copy, Unary::of(body, copy).operand)),
            Opcode::Load if instruction.attributes.contains(Attribute::Copy) => Some(Original::Memory(copy)),
            Opcode::MoveonlywrapperToCopyable => match Original::of(body, Unary::of(body, copy).operand)? {
                Original::Value(inner, original) => Some(Original::Wrapped(copy, inner, original)),
                Original::Memory(_) | Original::Wrapped(..) => None,
            },
            _ => None,
        }
    }

    /// Whether a value only wears no wrapper against copies any more.
    fn is_unwrapped(body: &Body, value: Value) -> bool {
        let made = body.defining(value).map(|id| body.instructions[id].opcode);
        made == Some(Opcode::MoveonlywrapperToCopyable) && matches!(Self::of(body, value), Some(Original::Wrapped(..)))
    }
}

impl Closure {
    /// None where a closure escapes, or is not one of those that are wanted.
    fn new(lifetimes: &Lifetimes<'_>, which: Closures, closure: InstructionId) -> Option<Self> {
        let Lifetimes { queries, body, uses, .. } = *lifetimes;
        let function_conversion = only_conversion(lifetimes, body.result(closure)?);
        let value = body.result(function_conversion.unwrap_or(closure))?;
        let (mut conversion, mut destroys) = (None, Vec::new());
        for found in uses.of(value) {
            match body.instructions[found.user].opcode {
                Opcode::ConvertEscapeToNoescape if conversion.is_none() => conversion = Some(found.user),
                Opcode::DestroyValue => destroys.push(found.user),
                _ => return None,
            }
        }
        let site = ApplySite::new(body, closure)?;
        let conventions = site.conventions(queries)?;
        let (mut captured, mut memory, mut is_noncopyable) = (Vec::new(), Vec::new(), false);
        for (number, operand) in body.operands(closure).iter().enumerate().skip(1) {
            let ty = body.ty(*operand);
            let properties = queries.properties(ty.ty, lifetimes.signature);
            let convention = match site.argument_of_operand(conventions, number)?.convention {
                ArgumentConvention::Parameter(convention) => convention,
                ArgumentConvention::Result(_) | ArgumentConvention::Error => return None,
            };
            match convention {
                ParameterConvention::InOut | ParameterConvention::InOutAliasable => continue,
                ParameterConvention::InGuaranteed if lifetimes.is_temporary(*operand, closure, &destroys) => {
                    if !properties.is_trivial() {
                        memory.push(*operand);
                    }
                    continue;
                }
                _ if ty.is_address() => return None,
                _ if properties.is_trivial() => continue,
                ParameterConvention::Guaranteed => {}
                _ => return None,
            }
            let mut original = None;
            if properties.copyability == Copyability::Noncopyable || Original::is_unwrapped(body, *operand) {
                is_noncopyable = true;
                if uses.of(*operand).len() != 1 {
                    return None;
                }
                original = Some(Original::of(body, *operand)?);
            }
            captured.push(Captured { operand: number, value: *operand, original });
        }
        let conversion = conversion?;
        let users = memory.iter().flat_map(|address| uses.of(*address)).map(|found| found.user);
        let frees = users.filter(|user| body.instructions[*user].opcode == Opcode::DeallocStack).collect();
        let is_wanted = which == Closures::All || is_noncopyable;
        let found = is_wanted && lifetimes.ends_before(body.result(conversion)?, &destroys);
        found.then_some(Self { closure, function_conversion, conversion, destroys, captured, memory, frees })
    }

    fn put_on_stack(&self, queries: &TypeQueries<'_>, body: &mut Body, replacements: &mut Replacements) {
        let Some(converted) = body.result(self.conversion) else { return };
        let ty = match (self.function_conversion, body.result(self.closure)) {
            (Some(_), Some(closure)) => without_escaping(queries, body.ty(closure)),
            _ => body.ty(converted),
        };
        let mut borrows = Vec::new();
        for captured in &self.captured {
            let (copy, original) = match captured.original {
                Some(Original::Value(copy, original)) => (copy, original),
                Some(Original::Memory(load)) => {
                    let address = Unary::of(body, load).operand;
                    let ty = body.ty(captured.value);
                    let mut builder = InstructionBuilder::new(body, Place::Before(load), load);
                    let borrow = builder.value(Opcode::LoadBorrow, Details::None, &[address], ty);
                    borrows.push(borrow);
                    (load, borrow)
                }
                Some(Original::Wrapped(unwrap, copy, original)) => {
                    let (wrapped, ty) = (body.ty(original), body.ty(captured.value));
                    let mut attributes = AttributeSet::default();
                    attributes.insert(Attribute::Guaranteed);
                    let mut builder = InstructionBuilder::new(body, Place::Before(copy), copy);
                    let borrow = builder.value(Opcode::BeginBorrow, Details::None, &[original], wrapped);
                    let opcode = Opcode::MoveonlywrapperToCopyable;
                    let lent = builder.value_with_attributes(opcode, attributes, Details::None, &[borrow], ty);
                    borrows.push(borrow);
                    body.erase(copy);
                    (unwrap, lent)
                }
                None => continue,
            };
            body.operands_mut(self.closure)[captured.operand] = original;
            body.erase(copy);
        }
        let operands = body.operands(self.closure).to_vec();
        let types = body.types(self.closure).to_vec();
        let old = &body.instructions[self.closure];
        let mut attributes = old.attributes;
        attributes.insert(Attribute::OnStack);
        let details = old.details.clone();
        let Origin { span, location, traits } = Origin::of(body, self.closure);
        let made = body.insert(
            Place::Before(self.conversion),
            NewInstruction {
                opcode: Opcode::PartialApply,
                attributes,
                details,
                operands: &operands,
                types: &types,
                targets: &[],
                results: &[ty],
                span,
                location,
                traits,
            },
        );
        if let Some(made) = body.result(made) {
            let made = self.convert(body, made, body.ty(converted));
            replacements.replace(converted, made);
        }
        // What was captured as a copy, or borrowed, lives as long as the closure did.
        for destroy in &self.destroys {
            for captured in self.captured.iter().filter(|captured| captured.original.is_none()) {
                let mut builder = InstructionBuilder::new(body, Place::Before(*destroy), *destroy);
                builder.instruction(Opcode::DestroyValue, Details::None, &[captured.value]);
            }
            for address in &self.memory {
                let mut builder = InstructionBuilder::new(body, Place::Before(*destroy), self.closure);
                builder.set_location_kind(LocationKind::Cleanup);
                builder.instruction(Opcode::DestroyAddr, Details::None, &[*address]);
            }
            for borrow in &borrows {
                let mut builder = InstructionBuilder::new(body, Place::Before(*destroy), *destroy);
                builder.instruction(Opcode::EndBorrow, Details::None, &[*borrow]);
            }
            body.erase(*destroy);
        }
        body.erase(self.conversion);
        self.function_conversion.into_iter().for_each(|conversion| body.erase(conversion));
        body.erase(self.closure);
        for free in &self.frees {
            body.instructions[*free].traits.kind = LocationKind::Cleanup;
        }
    }

    /// Gives a closure on the stack the function type that the one before it got.
    fn convert(&self, body: &mut Body, closure: Value, ty: SilType) -> Value {
        let Some(conversion) = self.function_conversion else { return closure };
        let (attributes, details) =
            (body.instructions[conversion].attributes, body.instructions[conversion].details.clone());
        let mut builder = InstructionBuilder::new(body, Place::Before(self.conversion), conversion);
        builder.value_of_written_types(Opcode::ConvertFunction, attributes, details, &[closure], &[ty], ty)
    }
}

/// What gives a closure another function type, where nothing else is done with it.
fn only_conversion(lifetimes: &Lifetimes<'_>, closure: Value) -> Option<InstructionId> {
    let users: Vec<InstructionId> = lifetimes.uses.of(closure).iter().map(|found| found.user).collect();
    let [user] = users.as_slice() else { return None };
    (lifetimes.body.instructions[*user].opcode == Opcode::ConvertFunction).then_some(*user)
}

/// The type of a function that does not escape.
fn without_escaping(queries: &TypeQueries<'_>, ty: SilType) -> SilType {
    let Type::Function(function) = queries.get(ty.ty) else { return ty };
    let mut function = function.clone();
    function.attributes.insert(FunctionAttribute::NoEscape);
    SilType::object(queries.context.ty(Type::Function(function)))
}

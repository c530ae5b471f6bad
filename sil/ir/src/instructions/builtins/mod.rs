//! Builtins: the name in `builtin "sadd_with_overflow_Int64"(…)` as a kind and types. The names are those of
//! include/swift/AST/Builtins.def; the division of a name follows lib/AST/Builtins.cpp.

mod families;
mod memory;
mod named;

pub use families::*;
pub use named::NamedBuiltin;

use crate::context::{BuiltinType, VectorElement};

/// The operation of a `builtin` instruction, read from its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltinOperation {
    /// The operation.
    pub kind: BuiltinKind,
    /// The builtin types at the end of the name, in order.
    pub types: Vec<BuiltinType>,
}

impl BuiltinOperation {
    /// The same operation with integers of that many bits in the place of words.
    pub fn with_words_of(&self, bits: u32) -> Self {
        let mut operation = self.clone();
        for ty in &mut operation.types {
            if *ty == BuiltinType::Word {
                *ty = BuiltinType::Integer(bits);
            }
        }
        operation
    }
}

/// The operation of a builtin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltinKind {
    /// `trunc_Int64_Int8`: from the first type to the second.
    Cast(BuiltinCast),
    /// `add_Int64`
    Binary(BinaryOperation),
    /// `generic_add`: the type is a substitution. Raw SIL only.
    GenericBinary(BinaryOperation),
    /// `sadd_with_overflow_Int64`
    WithOverflow(OverflowOperation),
    /// `fneg_FPIEEE64`
    Unary(UnaryOperation),
    /// `cmp_slt_Int64`
    CompareIntegers(IntegerPredicate),
    /// `fcmp_olt_FPIEEE64`
    CompareFloats(FloatPredicate),
    /// `int_ctlz_Int64`
    Intrinsic(Intrinsic),
    /// `fence_seqcst`
    Fence { ordering: AtomicOrdering, scope: AtomicScope },
    /// `cmpxchg_acquire_monotonic_weak_volatile_Int64`
    CompareExchange { success: AtomicOrdering, failure: AtomicOrdering, strength: Strength, access: AtomicAccess },
    /// `atomicrmw_add_monotonic_Word`
    AtomicReadModifyWrite { operation: AtomicOperation, ordering: AtomicOrdering, access: AtomicAccess },
    /// `atomicload_acquire_Word`
    AtomicLoad { ordering: AtomicOrdering, access: AtomicAccess },
    /// `atomicstore_release_Word`
    AtomicStore { ordering: AtomicOrdering, access: AtomicAccess },
    /// All others: `sizeof`, `once`, `u_to_s_checked_trunc_Int64_Int8`…
    Named(NamedBuiltin),
}

/// Whom an atomic operation orders with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicScope {
    /// All threads.
    System,
    /// `singlethread`
    SingleThread,
}

/// How an atomic operation accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AtomicAccess {
    /// `volatile`
    pub volatility: Volatility,
    /// `singlethread`
    pub scope: AtomicScope,
}

/// Whether an access is volatile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Volatility {
    /// `volatile`
    Volatile,
    /// It is not.
    Ordinary,
}

/// Whether a compare-exchange may fail without reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strength {
    /// `weak`
    Weak,
    /// It may not.
    Strong,
}

/// Reads the name of a builtin; none where there is no such builtin.
pub fn parse_builtin(name: &str) -> Option<BuiltinOperation> {
    let (base, types) = split_types(name);
    let kind =
        atomic(base).or_else(|| family(base)).or_else(|| NamedBuiltin::from_name(base).map(BuiltinKind::Named))?;
    (types.len() >= required_types(kind)).then_some(BuiltinOperation { kind, types })
}

fn family(base: &str) -> Option<BuiltinKind> {
    if let Some(operation) = base.strip_prefix("generic_") {
        return BinaryOperation::from_name(operation).map(BuiltinKind::GenericBinary);
    }
    if base.starts_with("int_") {
        return Intrinsic::from_name(base).map(BuiltinKind::Intrinsic);
    }
    BuiltinCast::from_name(base)
        .map(BuiltinKind::Cast)
        .or_else(|| BinaryOperation::from_name(base).map(BuiltinKind::Binary))
        .or_else(|| OverflowOperation::from_name(base).map(BuiltinKind::WithOverflow))
        .or_else(|| UnaryOperation::from_name(base).map(BuiltinKind::Unary))
        .or_else(|| IntegerPredicate::from_name(base).map(BuiltinKind::CompareIntegers))
        .or_else(|| FloatPredicate::from_name(base).map(BuiltinKind::CompareFloats))
}

fn required_types(kind: BuiltinKind) -> usize {
    use BuiltinKind::*;
    match kind {
        Cast(BuiltinCast::PtrToInt | BuiltinCast::IntToPtr) => 1,
        Cast(_) => 2,
        Unary(UnaryOperation::Assume) => 0,
        Binary(_) | WithOverflow(_) | Unary(_) | CompareIntegers(_) | CompareFloats(_) => 1,
        CompareExchange { .. } | AtomicReadModifyWrite { .. } | AtomicLoad { .. } | AtomicStore { .. } => 1,
        GenericBinary(_) | Intrinsic(_) | Fence { .. } | Named(_) => 0,
    }
}

fn atomic(base: &str) -> Option<BuiltinKind> {
    let (operation, suffix) = base.split_once('_')?;
    let mut parts = suffix.split('_').peekable();
    let kind = match operation {
        "fence" => BuiltinKind::Fence { ordering: AtomicOrdering::from_name(parts.next()?)?, scope: scope(&mut parts) },
        "cmpxchg" => BuiltinKind::CompareExchange {
            success: AtomicOrdering::from_name(parts.next()?)?,
            failure: AtomicOrdering::from_name(parts.next()?)?,
            strength: if parts.next_if_eq(&"weak").is_some() { Strength::Weak } else { Strength::Strong },
            access: access(&mut parts),
        },
        "atomicrmw" => BuiltinKind::AtomicReadModifyWrite {
            operation: AtomicOperation::from_name(parts.next()?)?,
            ordering: AtomicOrdering::from_name(parts.next()?)?,
            access: access(&mut parts),
        },
        "atomicload" => {
            BuiltinKind::AtomicLoad { ordering: AtomicOrdering::from_name(parts.next()?)?, access: access(&mut parts) }
        }
        "atomicstore" => {
            BuiltinKind::AtomicStore { ordering: AtomicOrdering::from_name(parts.next()?)?, access: access(&mut parts) }
        }
        _ => return None,
    };
    parts.next().is_none().then_some(kind)
}

type Parts<'a> = std::iter::Peekable<std::str::Split<'a, char>>;

fn access(parts: &mut Parts<'_>) -> AtomicAccess {
    let volatile = parts.next_if_eq(&"volatile").is_some();
    AtomicAccess { volatility: if volatile { Volatility::Volatile } else { Volatility::Ordinary }, scope: scope(parts) }
}

fn scope(parts: &mut Parts<'_>) -> AtomicScope {
    if parts.next_if_eq(&"singlethread").is_some() { AtomicScope::SingleThread } else { AtomicScope::System }
}

/// Takes the types off the end of a name.
fn split_types(name: &str) -> (&str, Vec<BuiltinType>) {
    let mut base = name;
    let mut types = Vec::new();
    while let Some((before, last)) = base.rsplit_once('_') {
        let Some(ty) = builtin_type(last) else { break };
        types.push(ty);
        base = before;
    }
    types.reverse();
    (base, types)
}

/// Reads a type as names of builtins spell it: `Int64`, `FPIEEE32`, `Vec4xInt32`, `RawPointer`.
fn builtin_type(text: &str) -> Option<BuiltinType> {
    Some(match text {
        "RawPointer" => BuiltinType::RawPointer,
        "Word" => BuiltinType::Word,
        "IntLiteral" => BuiltinType::IntegerLiteral,
        "NativeObject" => BuiltinType::NativeObject,
        "BridgeObject" => BuiltinType::BridgeObject,
        "UnsafeValueBuffer" => BuiltinType::UnsafeValueBuffer,
        "PackIndex" => BuiltinType::PackIndex,
        "Job" => BuiltinType::Job,
        "Executor" => BuiltinType::Executor,
        _ => return scalar(text).or_else(|| vector(text)),
    })
}

fn scalar(text: &str) -> Option<BuiltinType> {
    if let Some(width) = text.strip_prefix("Int") {
        return width.parse().ok().map(BuiltinType::Integer);
    }
    text.strip_prefix("FPIEEE")?.parse().ok().map(BuiltinType::Float)
}

fn vector(text: &str) -> Option<BuiltinType> {
    let (count, element) = text.strip_prefix("Vec")?.split_once('x')?;
    let element = match builtin_type(element)? {
        BuiltinType::Integer(width) => VectorElement::Integer(width),
        BuiltinType::Float(width) => VectorElement::Float(width),
        BuiltinType::RawPointer => VectorElement::RawPointer,
        _ => return None,
    };
    Some(BuiltinType::Vector { element, count: count.parse().ok()? })
}

/// All names that a builtin can start with, for suggestions.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    NamedBuiltin::ALL.iter().map(|builtin| builtin.name()).chain(families::names())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Option<BuiltinKind> {
        parse_builtin(name).map(|operation| operation.kind)
    }

    #[test]
    fn takes_types_off_the_name() {
        let operation = parse_builtin("insertelement_Vec4xInt32_Int32_Int32");
        let vector = BuiltinType::Vector { element: VectorElement::Integer(32), count: 4 };
        let types = vec![vector, BuiltinType::Integer(32), BuiltinType::Integer(32)];
        let kind = BuiltinKind::Named(NamedBuiltin::InsertElement);
        assert_eq!(operation, Some(BuiltinOperation { kind, types }));
    }

    #[test]
    fn tells_families_apart() {
        assert_eq!(kind("sadd_with_overflow_Int64"), Some(BuiltinKind::WithOverflow(OverflowOperation::SAdd)));
        assert_eq!(kind("int_sadd_with_overflow_Int64"), Some(BuiltinKind::Intrinsic(Intrinsic::SAddWithOverflow)));
        assert_eq!(kind("cmp_slt_Int64"), Some(BuiltinKind::CompareIntegers(IntegerPredicate::Slt)));
        assert_eq!(kind("generic_add"), Some(BuiltinKind::GenericBinary(BinaryOperation::Add)));
        assert_eq!(kind("is_same_metatype"), Some(BuiltinKind::Named(NamedBuiltin::IsSameMetatype)));
    }

    #[test]
    fn reads_orderings() {
        let expected = BuiltinKind::CompareExchange {
            success: AtomicOrdering::Acquire,
            failure: AtomicOrdering::Monotonic,
            strength: Strength::Weak,
            access: AtomicAccess { volatility: Volatility::Ordinary, scope: AtomicScope::SingleThread },
        };
        assert_eq!(kind("cmpxchg_acquire_monotonic_weak_singlethread_Int64"), Some(expected));
        assert_eq!(kind("atomicload_sometimes_Word"), None);
    }

    #[test]
    fn refuses_unknown_names() {
        assert_eq!(kind("add"), None);
        assert_eq!(kind("sadd_with_underflow_Int64"), None);
    }
}

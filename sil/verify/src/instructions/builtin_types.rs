//! Which types the name of a builtin may end with: integers for `add`, floats for `fadd`, a wider one for `zext`
//! (include/swift/AST/Builtins.def, lib/AST/Builtins.cpp).

use sil_ir::context::{BuiltinType, VectorElement};
use sil_ir::instructions::builtins::{
    BinaryOperation, BuiltinCast, BuiltinKind, BuiltinOperation, IntegerPredicate, Intrinsic, NamedBuiltin,
    UnaryOperation,
};

/// The types that a builtin can be overloaded for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overload {
    Integer,
    IntegerOrVector,
    IntegerOrPointer,
    IntegerOrPointerOrVector,
    FloatOrVector,
    Atomic,
}

impl Overload {
    fn words(self) -> &'static str {
        match self {
            Self::Integer => "an integer type",
            Self::IntegerOrVector => "a type of integers",
            Self::IntegerOrPointer => "an integer type or `RawPointer`",
            Self::IntegerOrPointerOrVector => "a type of integers, or `RawPointer`",
            Self::FloatOrVector => "a type of floats",
            Self::Atomic => "a type of integers or floats, or `RawPointer`",
        }
    }

    fn has(self, ty: BuiltinType) -> bool {
        let integer = is_integer(ty);
        let pointer = ty == BuiltinType::RawPointer;
        match self {
            Self::Integer => integer,
            Self::IntegerOrPointer => integer || pointer,
            Self::IntegerOrVector => integer || has_elements(ty, ElementKind::Integer),
            Self::IntegerOrPointerOrVector => integer || pointer || has_elements(ty, ElementKind::Integer),
            Self::FloatOrVector => matches!(ty, BuiltinType::Float(_)) || has_elements(ty, ElementKind::Float),
            Self::Atomic => integer || pointer || matches!(ty, BuiltinType::Float(_)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementKind {
    Integer,
    Float,
}

fn is_integer(ty: BuiltinType) -> bool {
    matches!(ty, BuiltinType::Integer(_) | BuiltinType::Word)
}

fn has_elements(ty: BuiltinType, kind: ElementKind) -> bool {
    match ty {
        BuiltinType::Vector { element: VectorElement::Integer(_), .. } => kind == ElementKind::Integer,
        BuiltinType::Vector { element: VectorElement::Float(_), .. } => kind == ElementKind::Float,
        _ => false,
    }
}

/// The fault of the types in a builtin's name, in words; none if they fit.
pub(super) fn misfit(operation: &BuiltinOperation) -> Option<String> {
    if let BuiltinKind::Cast(cast) = operation.kind {
        return cast_misfit(cast, &operation.types);
    }
    if let BuiltinKind::Named(named) = operation.kind {
        return named_misfit(named, &operation.types);
    }
    if let BuiltinKind::Fence { .. } = operation.kind {
        return (!operation.types.is_empty()).then(|| "its name must not end with a type".to_owned());
    }
    let overload = overload(operation.kind)?;
    match operation.types.as_slice() {
        [ty] if overload.has(*ty) => None,
        [] if matches!(operation.kind, BuiltinKind::Intrinsic(_) | BuiltinKind::Unary(_)) => None,
        [_] => Some(format!("its name must end with {}", overload.words())),
        // The other types of an intrinsic are LLVM's.
        _ if matches!(operation.kind, BuiltinKind::Intrinsic(_)) => None,
        _ => Some(format!("its name must end with {} and no other", overload.words())),
    }
}

fn overload(kind: BuiltinKind) -> Option<Overload> {
    use BinaryOperation::{FAdd, FDiv, FMul, FRem, FSub, URem};
    Some(match kind {
        BuiltinKind::Binary(FAdd | FDiv | FMul | FRem | FSub) => Overload::FloatOrVector,
        BuiltinKind::Binary(URem) | BuiltinKind::WithOverflow(_) => Overload::Integer,
        BuiltinKind::Binary(_) => Overload::IntegerOrVector,
        BuiltinKind::Unary(UnaryOperation::FNeg) | BuiltinKind::CompareFloats(_) => Overload::FloatOrVector,
        BuiltinKind::Unary(UnaryOperation::AssumeNonNegative | UnaryOperation::Assume) => Overload::Integer,
        BuiltinKind::Unary(UnaryOperation::Freeze) => Overload::IntegerOrVector,
        BuiltinKind::CompareIntegers(
            IntegerPredicate::Sle | IntegerPredicate::Slt | IntegerPredicate::Sge | IntegerPredicate::Sgt,
        ) => Overload::IntegerOrVector,
        BuiltinKind::CompareIntegers(_) => Overload::IntegerOrPointerOrVector,
        BuiltinKind::AtomicReadModifyWrite { .. } => Overload::IntegerOrPointer,
        BuiltinKind::CompareExchange { .. } => Overload::IntegerOrPointer,
        BuiltinKind::AtomicLoad { .. } | BuiltinKind::AtomicStore { .. } => Overload::Atomic,
        BuiltinKind::Intrinsic(intrinsic) => intrinsic_overload(intrinsic)?,
        BuiltinKind::Cast(_) | BuiltinKind::GenericBinary(_) | BuiltinKind::Fence { .. } | BuiltinKind::Named(_) => {
            return None;
        }
    })
}

fn intrinsic_overload(intrinsic: Intrinsic) -> Option<Overload> {
    use Intrinsic::*;
    Some(match intrinsic {
        Cttz | Ctlz | Ctpop | Bswap | Bitreverse | Smax | Smin | Umax | Umin | Abs | Fshl | Fshr | SAddWithOverflow
        | UAddWithOverflow | SSubWithOverflow | USubWithOverflow | SMulWithOverflow | UMulWithOverflow | SAddSat
        | UAddSat | SSubSat | USubSat => Overload::IntegerOrVector,
        Fabs | Ceil | Floor | Rint | Trunc | Round | Roundeven | Nearbyint | Fma | Fmuladd | Copysign | Sqrt | Sin
        | Cos | Tan | Exp | Exp2 | Exp10 | Log | Log2 | Log10 | Pow | Minnum | Maxnum | Minimum | Maximum => {
            Overload::FloatOrVector
        }
        _ => return None,
    })
}

/// The reason why LLVM has no such intrinsic, in words, though Swift's verifier knows the builtin.
pub(super) fn intrinsic_misfit(operation: &BuiltinOperation) -> Option<&'static str> {
    let BuiltinKind::Intrinsic(intrinsic) = operation.kind else { return None };
    let types = operation.types.as_slice();
    use BuiltinType::{Float, Integer, RawPointer, Word};
    let is_length = |ty: &BuiltinType| matches!(ty, Integer(32 | 64) | Word);
    let element = |ty: &BuiltinType| match ty {
        BuiltinType::Vector { element: VectorElement::Integer(width), .. } => Integer(*width),
        other => *other,
    };
    let (fits, words) = match (intrinsic, types) {
        (Intrinsic::Memcpy | Intrinsic::Memmove, types) => (
            matches!(types, [RawPointer, RawPointer, length] if is_length(length)),
            "its name must end with `RawPointer`, `RawPointer` and the type of a length",
        ),
        (Intrinsic::Memset, types) => (
            matches!(types, [RawPointer, length] if is_length(length)),
            "its name must end with `RawPointer` and the type of a length",
        ),
        (Intrinsic::Powi, types) => {
            (matches!(types, [Float(_), Integer(32)]), "its name must end with a float type and `Int32`")
        }
        (Intrinsic::Bswap, [ty, ..]) => (
            matches!(element(ty), Integer(width) if width % 16 == 0) || *ty == Word,
            "its name must end with a type of an even number of bytes",
        ),
        (Intrinsic::Expect, types) => {
            (matches!(types, [ty, ..] if is_integer(*ty)), "its name must end with an integer type")
        }
        _ => return None,
    };
    (!fits).then_some(words)
}

fn named_misfit(named: NamedBuiltin, types: &[BuiltinType]) -> Option<String> {
    use NamedBuiltin::*;
    let checked_trunc = matches!(named, SToSCheckedTrunc | SToUCheckedTrunc | UToSCheckedTrunc | UToUCheckedTrunc);
    let (fits, words) = match (named, types) {
        (_, [from, to]) if checked_trunc => {
            let literal = *from == BuiltinType::IntegerLiteral;
            let narrows = literal && is_integer(*to) || narrower(*to, *from) == Some(true);
            (narrows, "an integer type and a narrower one")
        }
        _ if checked_trunc => (false, "two integer types"),
        (ExtractElement, [vector, index]) => {
            let fits = element_of(*vector).is_some() && *index == BuiltinType::Integer(32);
            (fits, "a vector type and `Int32`")
        }
        (InsertElement, [vector, element, index]) => {
            let fits = element_of(*vector) == Some(*element) && *index == BuiltinType::Integer(32);
            (fits, "a vector type, the type of its elements and `Int32`")
        }
        // Without the type of the condition it is a bit.
        (Select, [_] | [BuiltinType::Integer(1), _]) => return None,
        (Select, [condition, value]) => {
            let bits = element_of(*condition) == Some(BuiltinType::Integer(1));
            (
                bits && elements(*condition, *value).is_some(),
                "`Int1` or a vector of as many, and the type of the values",
            )
        }
        (ShuffleVector, [vector, mask]) => {
            let fits = element_of(*vector).is_some() && element_of(*mask) == Some(BuiltinType::Integer(32));
            (fits, "a vector type and a vector of `Int32`")
        }
        (StringObjectOr, [ty]) => (is_integer(*ty), "an integer type"),
        (ExtractElement | ShuffleVector, _) => (false, "two types"),
        (Select, _) => (false, "the type of the values"),
        (InsertElement, _) => (false, "three types"),
        (StringObjectOr, _) => (false, "one type"),
        _ => return None,
    };
    (!fits).then(|| format!("its name must end with {words}"))
}

/// The type of a vector's elements.
pub(super) fn element_of(vector: BuiltinType) -> Option<BuiltinType> {
    match vector {
        BuiltinType::Vector { element, .. } => Some(scalar(element)),
        _ => None,
    }
}

fn scalar(element: VectorElement) -> BuiltinType {
    match element {
        VectorElement::Integer(width) => BuiltinType::Integer(width),
        VectorElement::Float(width) => BuiltinType::Float(width),
        VectorElement::RawPointer => BuiltinType::RawPointer,
    }
}

/// The least and the greatest width of an integer type: that of a word depends on the target.
fn widths(ty: BuiltinType) -> Option<(u32, u32)> {
    match ty {
        BuiltinType::Integer(width) => Some((width, width)),
        BuiltinType::Word => Some((16, 64)),
        _ => None,
    }
}

/// Whether `ty` is narrower than `than` on all targets.
fn narrower(ty: BuiltinType, than: BuiltinType) -> Option<bool> {
    Some(widths(ty)?.1 < widths(than)?.0 || (ty != than && [ty, than].contains(&BuiltinType::Word)))
}

/// Whether `ty` may be as narrow as `than`.
fn narrower_or_same(ty: BuiltinType, than: BuiltinType) -> Option<bool> {
    let ((_, most), (least, _)) = (widths(ty)?, widths(than)?);
    Some(most <= least || [ty, than].contains(&BuiltinType::Word))
}

fn cast_misfit(cast: BuiltinCast, types: &[BuiltinType]) -> Option<String> {
    use BuiltinCast::*;
    if matches!(cast, PtrToInt | IntToPtr) {
        let fits = matches!(types, [ty] if is_integer(*ty));
        return (!fits).then(|| "its name must end with one integer type".to_owned());
    }
    let [from, to] = types else { return Some("its name must end with two types".to_owned()) };
    if cast == BitCast {
        return None;
    }
    let Some((from, to)) = elements(*from, *to) else {
        return Some("its name must end with vectors of as many elements".to_owned());
    };
    let float = |ty| match ty {
        BuiltinType::Float(width) => Some(width),
        _ => None,
    };
    let (fits, words) = match cast {
        Trunc => (narrower(to, from), "an integer type and a narrower one"),
        TruncOrBitCast => (narrower_or_same(to, from), "an integer type and one that is not wider"),
        ZExt | SExt => (narrower(from, to), "an integer type and a wider one"),
        ZExtOrBitCast | SExtOrBitCast => (narrower_or_same(from, to), "an integer type and one that is not narrower"),
        FPToUI | FPToSI => (float(from).map(|_| is_integer(to)), "a float type and an integer type"),
        UIToFP | SIToFP => (float(to).map(|_| is_integer(from)), "an integer type and a float type"),
        FPTrunc => (float(from).zip(float(to)).map(|(from, to)| from > to), "a float type and a narrower one"),
        FPExt => (float(from).zip(float(to)).map(|(from, to)| from < to), "a float type and a wider one"),
        PtrToInt | IntToPtr | BitCast => return None,
    };
    (fits != Some(true)).then(|| format!("its name must end with {words}"))
}

/// The types of each element of a cast.
fn elements(from: BuiltinType, to: BuiltinType) -> Option<(BuiltinType, BuiltinType)> {
    match (from, to) {
        (BuiltinType::Vector { element: from, count }, BuiltinType::Vector { element: to, count: other }) => {
            (count == other).then(|| (scalar(from), scalar(to)))
        }
        (BuiltinType::Vector { .. }, _) | (_, BuiltinType::Vector { .. }) => None,
        pair => Some(pair),
    }
}

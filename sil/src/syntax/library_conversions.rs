//! Which conversions of integers functions of the standard library call: `T(x)`, `T(truncatingIfNeeded: x)` or `T(clamping: x)`. The text of SIL has
//! no argument labels, and so does not tell; what the functions are written as does (stdlib/public/core).
//!
//! Does not own: what a conversion is taken for of which nothing is known, and what is done with those that are (`transform/knowledge/witnesses.rs`,
//! `types/mangling/members.rs`).

use crate::context::Conversion::{self, Clamping, Plain, Truncating};
use crate::context::{MemberRef, Name};
use crate::model::{Body, Details, InstructionId, views};
use crate::types::TypeQueries;

/// Functions by their symbols, without what all symbols begin with, and the conversions whose witnesses they look up, in the order in which they do.
/// Of the calls that were inlined into a function, and that one lookup serves, those of the same label are one. Numbers are those of Swift 6.0 and
/// 6.2; the body of a function that has another number of lookups is of another library, and not known.
///
/// Functions are left out where each number that they convert fits (as in comparisons, which convert to the wider type), since it makes no difference
/// there, and those that call `T(x)` alone.
const FUNCTIONS: &[(&str, &[Conversion])] = &[
    // Integers.swift: `&<<`, `&<<=`, `&>>`, `&>>=`: `Self(truncatingIfNeeded: rhs)`
    ("s17FixedWidthIntegerPsE3alloiyxx_qd__tSzRd__lFZ", &[Truncating]),
    ("s17FixedWidthIntegerPsE4alleoiyyxz_qd__tSzRd__lFZ", &[Truncating]),
    ("s17FixedWidthIntegerPsE3aggoiyxx_qd__tSzRd__lFZ", &[Truncating]),
    ("s17FixedWidthIntegerPsE4aggeoiyyxz_qd__tSzRd__lFZ", &[Truncating]),
    // Integers.swift: `split` in `multipliedFullWidth(by:)`: `T.Magnitude(truncatingIfNeeded: x) & ((1 &<< n) &- 1)`
    (
        "s17FixedWidthIntegerPsE014multipliedFullB02byx4high_9MagnitudeQz3lowtx_tF5splitL_yqd__AE_AFQyd__AHtqd__sAARzsAARd__r__lF",
        &[Truncating],
    ),
    // Integers.swift: `UnsignedInteger.dividingFullWidth(_:)`: `Self(dividend.low)` and `Self(1)`; then `&<<` and `&>>`, of negative numbers too, in two
    // branches
    (
        "SUss17FixedWidthIntegerRzrlE012dividingFullB0yx8quotient_x9remaindertx4high_9MagnitudeSjQz3lowt_tF",
        &[Plain, Truncating, Truncating],
    ),
    // Integers.swift: `SignedInteger.dividingFullWidth(_:)`: `Magnitude(truncatingIfNeeded: dividend.high)`, `Self(unsignedQuotient)`,
    // `Self(truncatingIfNeeded: 0 &- unsignedQuotient)`, which the source has before it, `Self(unsignedRemainder)`
    (
        "SZss17FixedWidthIntegerRzrlE012dividingFullB0yx8quotient_x9remaindertx4high_9MagnitudeSjQz3lowt_tF",
        &[Truncating, Plain, Truncating, Plain],
    ),
    // Integers.swift: `_random(using:)`: `Self(truncatingIfNeeded: generator.next())`, `Self(truncatingIfNeeded: next) &<< …`
    ("s17FixedWidthIntegerPsE7_random5usingxqd__z_tSGRd__lFZ", &[Truncating; 2]),
    // Random.swift: `next()` and `next(upperBound:)`, which call `_random(using:)` and compare
    ("SGsE4nextqd__ys17FixedWidthIntegerRd__SURd__lF", &[Truncating; 2]),
    ("SGsE4next10upperBoundqd__qd___ts17FixedWidthIntegerRd__SURd__lF", &[Truncating; 18]),
    ("SGsE4next10upperBoundqd__qd___ts17FixedWidthIntegerRd__SURd__lF", &[Truncating; 22]),
    // Integers.swift: `random(in:using:)` of ranges and closed ranges: `Magnitude(truncatingIfNeeded: …)`, `Self(truncatingIfNeeded: …)`
    ("s17FixedWidthIntegerPsE6random2in5usingxSnyxG_qd__ztSGRd__lFZ", &[Truncating; 2]),
    ("s17FixedWidthIntegerPsE6random2in5usingxSNyxG_qd__ztSGRd__lFZ", &[Truncating; 3]),
    // FloatingPointRandom.swift: `random(in:using:)`, which calls `next()`
    ("SBss17FixedWidthInteger14RawSignificandRpzrlE6random2in5usingxSnyxG_qd__ztSGRd__lFZ", &[Truncating; 4]),
    ("SBss17FixedWidthInteger14RawSignificandRpzrlE6random2in5usingxSNyxG_qd__ztSGRd__lFZ", &[Truncating; 2]),
    // SIMDVector.swift: `random(in:using:)`, which calls those of the elements
    ("s4SIMDPss17FixedWidthInteger6ScalarRpzrlE6random2in5usingxSnyAEG_qd__ztSGRd__lFZ", &[Truncating; 2]),
    ("s4SIMDPss17FixedWidthInteger6ScalarRpzrlE6random2in5usingxSNyAEG_qd__ztSGRd__lFZ", &[Truncating; 3]),
    (
        "s4SIMDPsSB6ScalarRpzs17FixedWidthIntegerAC_14RawSignificandRPzrlE6random2in5usingxSNyADG_qd__ztSGRd__lFZ",
        &[Truncating; 2],
    ),
    // SIMDVectorTypes.swift.gyb: `init(truncatingIfNeeded:)`: `Scalar(truncatingIfNeeded: other[i])`
    (
        "s5SIMD2Vss17FixedWidthIntegerRzrlE18truncatingIfNeededAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC",
        &[Truncating],
    ),
    (
        "s5SIMD3Vss17FixedWidthIntegerRzrlE18truncatingIfNeededAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC",
        &[Truncating],
    ),
    (
        "s5SIMD4Vss17FixedWidthIntegerRzrlE18truncatingIfNeededAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC",
        &[Truncating],
    ),
    (
        "s5SIMD8Vss17FixedWidthIntegerRzrlE18truncatingIfNeededAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC",
        &[Truncating],
    ),
    (
        "s6SIMD16Vss17FixedWidthIntegerRzrlE18truncatingIfNeededAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC",
        &[Truncating],
    ),
    (
        "s6SIMD32Vss17FixedWidthIntegerRzrlE18truncatingIfNeededAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC",
        &[Truncating],
    ),
    (
        "s6SIMD64Vss17FixedWidthIntegerRzrlE18truncatingIfNeededAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC",
        &[Truncating],
    ),
    // SIMDVectorTypes.swift.gyb: `init(clamping:)`: `Scalar(clamping: other[i])`
    ("s5SIMD2Vss17FixedWidthIntegerRzrlE8clampingAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC", &[Clamping]),
    ("s5SIMD3Vss17FixedWidthIntegerRzrlE8clampingAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC", &[Clamping]),
    ("s5SIMD4Vss17FixedWidthIntegerRzrlE8clampingAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC", &[Clamping]),
    ("s5SIMD8Vss17FixedWidthIntegerRzrlE8clampingAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC", &[Clamping]),
    ("s6SIMD16Vss17FixedWidthIntegerRzrlE8clampingAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC", &[Clamping]),
    ("s6SIMD32Vss17FixedWidthIntegerRzrlE8clampingAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC", &[Clamping]),
    ("s6SIMD64Vss17FixedWidthIntegerRzrlE8clampingAByxGAByqd__G_tcsACRd__s10SIMDScalarRd__lufC", &[Clamping]),
    // UIntBuffer.swift: `next()` of the iterator, the subscript, `removeFirst()`: `Element(truncatingIfNeeded: …)`
    ("s11_UIntBufferV8IteratorV4nextxSgyF", &[Truncating]),
    ("s11_UIntBufferV8IteratorVyx_GStsSt4next7ElementQzSgyFTW", &[Truncating]),
    ("s11_UIntBufferVyxAB5IndexVyx_Gcig", &[Truncating]),
    ("s11_UIntBufferVyxAB5IndexVyx_Gcir", &[Truncating]),
    ("s11_UIntBufferV11removeFirstxyF", &[Truncating]),
    ("s11_UIntBufferVyxGSmsSm11removeFirst7ElementQzyFTW", &[Truncating]),
    // UTFEncoding.swift: `parseScalar(from:)`: `Encoding.CodeUnit(truncatingIfNeeded: _buffer._storage)`, and `append(_:)`
    (
        "s10_UTFParserPsSm8Encoding_13EncodedScalarRPzrlE05parseD04froms7UnicodeO11ParseResultOy_AEGqd__z_tStRd__AC_8CodeUnitQZ7ElementRtd__lF",
        &[Truncating; 9],
    ),
];

/// Tells the lookups of conversions in the body of the function `name` apart, where it is one of the library's that are known.
pub(super) fn tell(queries: &TypeQueries<'_>, name: Name, body: &mut Body) {
    let symbol = queries.context.text(name);
    let Some(symbol) = symbol.strip_prefix("$s").or_else(|| symbol.strip_prefix("$e")) else { return };
    let mut known = FUNCTIONS.iter().filter(|(known, _)| *known == symbol).peekable();
    if known.peek().is_none() {
        return;
    }
    let is_lookup = |id: &InstructionId| {
        views::WitnessMethod::get(body, *id).is_some_and(|lookup| queries.may_be_several_conversions(lookup.method))
    };
    let lookups: Vec<InstructionId> = body.placed_instructions().filter(is_lookup).collect();
    let Some((_, conversions)) = known.find(|(_, conversions)| conversions.len() == lookups.len()) else { return };
    for (lookup, conversion) in lookups.into_iter().zip(*conversions) {
        if let Details::Method(method) = &mut body.instructions[lookup].details {
            let referred = queries.context.get_member(method.member).clone();
            method.member = queries.context.member(MemberRef { conversion: Some(*conversion), ..referred });
        }
    }
}

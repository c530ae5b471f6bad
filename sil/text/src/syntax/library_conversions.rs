//! The integer conversions that functions of the standard library call: `T(x)`, `T(truncatingIfNeeded: x)` or
//! `T(clamping: x)`. SIL text has no argument labels, and libraries as SIL have no locations; the labels are those of
//! the functions' source (stdlib/public/core).
//!
//! Does not own: other sources of labels (`argument_labels.rs`).

use Conversion::{Clamping, Plain, Truncating};

use sil_ir::symbols::Symbol;

/// A conversion from any integer that `BinaryInteger` requires. All have the same type, and differ only in their
/// labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conversion {
    /// `init(_:)`, which traps if the value does not fit.
    Plain,
    /// `init(truncatingIfNeeded:)`
    Truncating,
    /// `init(clamping:)`
    Clamping,
}

impl Conversion {
    /// Returns the label of the argument.
    pub(super) fn label(self) -> &'static str {
        match self {
            Plain => "_",
            Truncating => "truncatingIfNeeded",
            Clamping => "clamping",
        }
    }
}

/// Returns the conversions in the body of the function `symbol`, which looks up `count` of them, in order of lookup.
/// `None` if they are not known.
pub(super) fn in_body(symbol: &str, count: usize) -> Option<Vec<Conversion>> {
    let known = unprefixed(symbol).and_then(|symbol| {
        let mut of_it = FUNCTIONS.iter().filter(|(known, _)| *known == symbol);
        of_it.find(|(_, conversions)| conversions.len() == count)
    });
    known.map(|(_, conversions)| conversions.to_vec()).or_else(|| Some(vec![anywhere(symbol)?; count]))
}

/// Returns the only conversion that a library function uses, also after inlining or specialisation. `None` if it uses
/// several, or is not known.
pub(super) fn anywhere(symbol: &str) -> Option<Conversion> {
    let symbol = Symbol::demangle(symbol)?;
    if symbol.declaring_module() != Some("Swift") {
        return None;
    }
    // Witnesses of the library's own integers shift, compare and check before they convert.
    if symbol.is_witness() {
        return Some(Truncating);
    }
    let symbol = symbol.without_specializations().remangle()?;
    let symbol = unprefixed(&symbol)?;
    if ALL_PLAIN.contains(&symbol) {
        return Some(Plain);
    }
    if ALL_TRUNCATING.contains(&symbol) {
        return Some(Truncating);
    }
    let mut conversions = FUNCTIONS.iter().filter(|(known, _)| *known == symbol).flat_map(|(_, list)| *list);
    let first = conversions.next()?;
    conversions.all(|other| other == first).then_some(*first)
}

/// Returns a symbol without its mangling prefix.
fn unprefixed(symbol: &str) -> Option<&str> {
    symbol.strip_prefix("$s").or_else(|| symbol.strip_prefix("$e"))
}

/// Functions by symbol, without the mangling prefix, with the conversions whose witnesses they look up, in order of
/// lookup. Inlined calls with the same label share one lookup. The counts are those of Swift 6.0 and 6.2; a body with
/// another number of lookups belongs to another library.
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
    // Integers.swift: `UnsignedInteger.dividingFullWidth(_:)`: `Self(dividend.low)` and `Self(1)`; then `&<<` and
    // `&>>`, of negative numbers too, in two branches
    (
        "SUss17FixedWidthIntegerRzrlE012dividingFullB0yx8quotient_x9remaindertx4high_9MagnitudeSjQz3lowt_tF",
        &[Plain, Truncating, Truncating],
    ),
    // Integers.swift: `SignedInteger.dividingFullWidth(_:)`: `Magnitude(truncatingIfNeeded: dividend.high)`,
    // `Self(unsignedQuotient)`, `Self(truncatingIfNeeded: 0 &- unsignedQuotient)`, which precedes it in the source,
    // `Self(unsignedRemainder)`
    (
        "SZss17FixedWidthIntegerRzrlE012dividingFullB0yx8quotient_x9remaindertx4high_9MagnitudeSjQz3lowt_tF",
        &[Truncating, Plain, Truncating, Plain],
    ),
    // Integers.swift: `_random(using:)`: `Self(truncatingIfNeeded: generator.next())`, `Self(truncatingIfNeeded: next)
    // &<< …`
    ("s17FixedWidthIntegerPsE7_random5usingxqd__z_tSGRd__lFZ", &[Truncating; 2]),
    // Random.swift: `next()` and `next(upperBound:)`, which call `_random(using:)` and compare
    ("SGsE4nextqd__ys17FixedWidthIntegerRd__SURd__lF", &[Truncating; 2]),
    ("SGsE4next10upperBoundqd__qd___ts17FixedWidthIntegerRd__SURd__lF", &[Truncating; 18]),
    ("SGsE4next10upperBoundqd__qd___ts17FixedWidthIntegerRd__SURd__lF", &[Truncating; 22]),
    // Integers.swift: `random(in:using:)` of ranges and closed ranges: `Magnitude(truncatingIfNeeded: …)`,
    // `Self(truncatingIfNeeded: …)`
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
    // UTFEncoding.swift: `parseScalar(from:)`: `Encoding.CodeUnit(truncatingIfNeeded: _buffer._storage)`, and
    // `append(_:)`
    (
        "s10_UTFParserPsSm8Encoding_13EncodedScalarRPzrlE05parseD04froms7UnicodeO11ParseResultOy_AEGqd__z_tStRd__AC_8CodeUnitQZ7ElementRtd__lF",
        &[Truncating; 9],
    ),
];

/// Functions that convert with `T(x)`, and otherwise only numbers that fit.
const ALL_PLAIN: &[&str] = &[
    "s11numericCastyq_xSzRzSzR_r0_lF",
    "SzsE8advanced2byxSi_tF",
    "SnsSxRzSZ6StrideRpzrlE5index_8offsetByxx_SitF",
    "SNsSxRzSZ6StrideRpzrlE5index_8offsetBySNsSxRzSZABRQrlE5IndexOyx_GAG_SitF",
    "Sxss17FixedWidthIntegerRzSURzrlE5_step5after4from2bySiSg5index_x5valuetAfG_xAHt_x6StrideSxQztFZ",
    "Sxss17FixedWidthIntegerRzSZRzrlE5_step5after4from2bySiSg5index_x5valuetAfG_xAHt_x6StrideSxQztFZ",
];

/// Functions that convert with `T(truncatingIfNeeded: x)`, and otherwise only numbers that fit. Comparisons convert to
/// the wider type.
const ALL_TRUNCATING: &[&str] = &[
    "SBsE7exactlyxSgqd___tcSBRd__lufC",
    "SBsE8_convert4fromx5value_Sb5exacttqd___tSBRd__lFZ",
    "SBss17FixedWidthInteger14RawSignificandRpzrlE8_convert4fromx5value_Sb5exacttqd___tSzRd__lFZ",
    "SS13decodeCString_2as25repairingInvalidCodeUnitsSS6result_Sb11repairsMadetSg0F4UnitQzz_xmSbts16_UnicodeEncodingRzlFZ",
    "SS13decodeCString_2as25repairingInvalidCodeUnitsSS6result_Sb11repairsMadetSgSPy0F4UnitQzGSg_xmSbts16_UnicodeEncodingRzlFZ",
    "SS13decodeCString_2as25repairingInvalidCodeUnitsSS6result_Sb11repairsMadetSgSS_xmSbts16_UnicodeEncodingRzlFZAFSPy0F4UnitQzGXEfU_",
    "SS15decodingCString2asS2S_xmtcs16_UnicodeEncodingRzlufcSSSPy8CodeUnitQzGXEfU_",
    "SS15decodingCString2asSS8CodeUnitQzz_xmtcs16_UnicodeEncodingRzlufC",
    "SS15decodingCString2asSSSPy8CodeUnitQzG_xmtcs16_UnicodeEncodingRzlufC",
    "SS16_slowWithCString9encodedAs_xq_m_xSPy8CodeUnitQy_GKXEtKs16_UnicodeEncodingR_r0_lFxSRys5UInt8VGKXEfU_",
    "SS_5radix9uppercaseSSx_SiSbtcSzRzlufC",
    "SUss17FixedWidthIntegerRzrlE7exactlyxSgqd___tcSzRd__lufC",
    "SUss17FixedWidthIntegerRzrlEyxqd__cSzRd__lufC",
    "SZss17FixedWidthIntegerRzrlE10isMultiple2ofSbx_tF",
    "SZss17FixedWidthIntegerRzrlE7exactlyxSgqd___tcSzRd__lufC",
    "SZss17FixedWidthIntegerRzrlEyxqd__cSzRd__lufC",
    "SlsE5index_8offsetBy07limitedC05IndexQzSgAE_qd__AEtSzRd__lF",
    "SlsE5index_8offsetBy5IndexQzAD_qd__tSzRd__lF",
    "SlsE9formIndex_8offsetBy07limitedD0Sb0B0Qzz_qd__AEtSzRd__lF",
    "SlsE9formIndex_8offsetByy0B0Qzz_qd__tSzRd__lF",
    "Ss15decodingCString2asSsSPy8CodeUnitQzG_xmtcs16_UnicodeEncodingRzlufC",
    "SzsE10isMultiple2ofSbx_tF",
    "SzsE11descriptionSSvg",
    "SzsE1goiySbx_qd__tSzRd__lFZ",
    "SzsE1loiySbx_qd__tSzRd__lFZ",
    "SzsE2eeoiySbx_qd__tSzRd__lFZ",
    "SzsE2geoiySbx_qd__tSzRd__lFZ",
    "SzsE2leoiySbx_qd__tSzRd__lFZ",
    "SzsE2neoiySbx_qd__tSzRd__lFZ",
    "SzsE8distance2toSix_tF",
    "s11_UIntBufferV6appendyyxF",
    "s11_asciiDigit8codeUnit5radixq_Sgx_q_tSURzSzR_r0_lF",
    "s11_parseASCII9codeUnits5radixq_Sgxz_q_tStRzs17FixedWidthIntegerR_SU7ElementRpzr0_lF",
    "s12UnicodeCodecPsE19_nullCodeUnitOffset2inSiSPy0dE0QzG_tFZ",
    "s13_parseInteger5ascii5radixq_Sgx_SitSyRzs010FixedWidthB0R_r0_lF",
    "s13_parseInteger5ascii5radixq_Sgx_SitSyRzs010FixedWidthB0R_r0_lFADSRys5UInt8VGXEfU_",
    "s13_parseInteger5ascii5radixxSgSRys5UInt8VG_Sits010FixedWidthB0RzlF",
    "s17FixedWidthIntegerPsE014multipliedFullB02byx4high_9MagnitudeQz3lowtx_tF",
    "s17FixedWidthIntegerPsE14_fullShiftLeftyxqd__sAARd__lF",
    "s17FixedWidthIntegerPsE15_fullShiftRightyxqd__sAARd__lF",
    "s17FixedWidthIntegerPsE20_nonMaskingLeftShiftyxx_SitFZ",
    "s17FixedWidthIntegerPsE21_nonMaskingRightShiftyxx_SitFZ",
    "s17FixedWidthIntegerPsE27_nonMaskingLeftShiftGenericyyxz_qd__tSzRd__lFZ",
    "s17FixedWidthIntegerPsE28_nonMaskingRightShiftGenericyyxz_qd__tSzRd__lFZ",
    "s17FixedWidthIntegerPsE2ggoiyxx_qd__tSzRd__lFZ",
    "s17FixedWidthIntegerPsE2lloiyxx_qd__tSzRd__lFZ",
    "s17FixedWidthIntegerPsE3ggeoiyyxz_qd__tSzRd__lFZ",
    "s17FixedWidthIntegerPsE3lleoiyyxz_qd__tSzRd__lFZ",
    "s17FixedWidthIntegerPsE8_convert4fromxSg5value_Sb5exacttqd___tSBRd__lFZ",
    "s17FixedWidthIntegerPsE8_lowBitsyxqd__sAARd__lFZ",
    "s17FixedWidthIntegerPsE8clampingxqd___tcSzRd__lufC",
    "s17FixedWidthIntegerPsE_5radixxSgqd___SitcSyRd__lufcADSRys5UInt8VGXEfU_",
    "s17FixedWidthIntegerPsEyxSgSScfC",
    "s19_parseIntegerDigits5ascii5radix10isNegativexSgSRys5UInt8VG_SiSbts010FixedWidthB0RzlF",
    "s19_parseUnsignedASCII5first4rest5radix8positiveq_Sg7ElementQz_xzq_SbtStRzs17FixedWidthIntegerR_SUAHRQr0_lF",
    "s3allySbs8SIMDMaskVyxGs4SIMDRzs17FixedWidthInteger6ScalarRpzSZAHRQlF",
    "s3anyySbs8SIMDMaskVyxGs4SIMDRzs17FixedWidthInteger6ScalarRpzSZAHRQlF",
    "s4SIMDPsE7replace4with5wherey6ScalarQz_s8SIMDMaskVy11MaskStorageQzGtF",
    "s4SIMDPsE7replace4with5whereyx_s8SIMDMaskVy11MaskStorageQzGtF",
    "s4SIMDPsE9replacing4with5wherex6ScalarQz_s8SIMDMaskVy11MaskStorageQzGtF",
    "s4SIMDPsE9replacing4with5wherexx_s8SIMDMaskVy11MaskStorageQzGtF",
    "s4SIMDPsEys5SIMD2Vy6ScalarQzGADyqd__Gcs17FixedWidthIntegerRd__s10SIMDScalarRd__sAjFRQluig",
    "s4SIMDPsEys5SIMD3Vy6ScalarQzGADyqd__Gcs17FixedWidthIntegerRd__s10SIMDScalarRd__sAjFRQluig",
    "s4SIMDPsEys5SIMD4Vy6ScalarQzGADyqd__Gcs17FixedWidthIntegerRd__s10SIMDScalarRd__sAjFRQluig",
    "s4SIMDPsEys5SIMD8Vy6ScalarQzGADyqd__Gcs17FixedWidthIntegerRd__s10SIMDScalarRd__sAjFRQluig",
    "s4SIMDPsEys6SIMD16Vy6ScalarQzGADyqd__Gcs17FixedWidthIntegerRd__s10SIMDScalarRd__sAjFRQluig",
    "s4SIMDPsEys6SIMD32Vy6ScalarQzGADyqd__Gcs17FixedWidthIntegerRd__s10SIMDScalarRd__sAjFRQluig",
    "s4SIMDPsEys6SIMD64Vy6ScalarQzGADyqd__Gcs17FixedWidthIntegerRd__s10SIMDScalarRd__sAjFRQluig",
    "s4SIMDPss17FixedWidthInteger6ScalarRpzrlE15nonzeroBitCountxvg",
    "s4SIMDPss17FixedWidthInteger6ScalarRpzrlE19leadingZeroBitCountxvg",
    "s4SIMDPss17FixedWidthInteger6ScalarRpzrlE20trailingZeroBitCountxvg",
    "s5print_10terminatoryx_s12StaticStringVtSzRzlF",
    "s6Int128V7exactlyABSgx_tcSzRzlufC",
    "s7UInt128V7exactlyABSgx_tcSzRzlufC",
    "s7UnicodeO5UTF16O16transcodedLength2of9decodedAs27repairingIllFormedSequencesSi5count_Sb7isASCIItSgx_q_mSbtStRzs01_A8EncodingR_8CodeUnitQy_7ElementRtzr0_lFZ",
    "s7_Int128V7exactlyABSgx_tcSzRzlufC",
    "s8DurationV11nanosecondsyABxSzRzlFZ",
    "s8DurationV12microsecondsyABxSzRzlFZ",
    "s8DurationV12millisecondsyABxSzRzlFZ",
    "s8DurationV7secondsyABxSzRzlFZ",
    "s8SIMDMaskV9hashValueSivg",
    "s8SIMDMaskVySbSiciM",
    "s8SIMDMaskVySbSicig",
    "s8_UInt128V7exactlyABSgx_tcSzRzlufC",
];

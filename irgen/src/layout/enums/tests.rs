//! Layouts compared with those that swiftc 6.2.3 for x86-64 Linux prints with `MemoryLayout` and the bytes of values.

use std::sync::Arc;

use super::CaseKind;
use super::layout::{Payload, layout_cases};
use super::multi_payload::SpareBits;
use crate::layout::{Bits, Copying, Element, ReferenceKind, Scalar, ScalarKind, TypeInfo, TypeKind, layout_record};

type Info = Arc<TypeInfo>;

/// The spare bits of a reference on x86-64.
const OBJECT_BITS: u64 = 0xFF00_0000_0000_0007;

struct Types;

impl Types {
    fn scalar(&self, scalar: Scalar, bits: u32, spare: u64, inhabitants: u32, kind: TypeKind) -> Info {
        let size = u64::from(bits.div_ceil(8));
        let copying = if matches!(kind, TypeKind::Reference(_)) { Copying::Loadable } else { Copying::Trivial };
        Arc::new(TypeInfo {
            size,
            alignment: size,
            elements: vec![Element { scalar, offset: 0, bits }],
            kind,
            copying,
            spare_bits: Bits::from_u64(size * 8, spare),
            deinit: None,
            extra_inhabitant_count: inhabitants,
        })
    }

    fn int(&self, bits: u32) -> Info {
        self.scalar(Scalar::Integer(bits), bits, 0, 0, TypeKind::Scalar(ScalarKind::Number))
    }

    fn bool(&self) -> Info {
        self.scalar(Scalar::Integer(1), 1, 0xFE, 254, TypeKind::Scalar(ScalarKind::Number))
    }

    fn object(&self) -> Info {
        let kind = TypeKind::Reference(ReferenceKind::Native);
        self.scalar(Scalar::Pointer, 64, OBJECT_BITS, 4096, kind)
    }

    fn function(&self) -> Info {
        let code = self.scalar(Scalar::Pointer, 64, 0, 4096, TypeKind::Scalar(ScalarKind::ValidPointer));
        // The context's spare bits are not available to enums.
        let pair = layout_record(&[code, self.object()], 0);
        Arc::new(TypeInfo { spare_bits: Bits::zero(128), ..pair })
    }

    fn string(&self) -> Info {
        let kind = TypeKind::Reference(ReferenceKind::Bridge);
        let object = self.scalar(Scalar::Pointer, 64, 0, 4096, kind);
        self.record(&[self.int(64), object])
    }

    fn weak(&self) -> Info {
        Arc::new(TypeInfo {
            size: 8,
            alignment: 8,
            elements: Vec::new(),
            kind: TypeKind::Weak,
            copying: Copying::AddressOnly,
            spare_bits: Bits::zero(64),
            deinit: None,
            extra_inhabitant_count: 0,
        })
    }

    fn record(&self, fields: &[Info]) -> Info {
        Arc::new(layout_record(fields, 0))
    }

    /// An enum with these payloads, and `empty` cases after them.
    fn enumeration(&self, payloads: &[Info], empty: usize, spare: SpareBits) -> Info {
        let with_payload = payloads.iter().map(|info| Payload { info: Some(info.clone()), kind: CaseKind::Payload });
        let without = (0..empty).map(|_| Payload { info: None, kind: CaseKind::Empty });
        Arc::new(layout_cases(8, with_payload.chain(without).collect(), spare))
    }

    fn cases(&self, payloads: &[Info], empty: usize) -> Info {
        self.enumeration(payloads, empty, SpareBits::Usable)
    }

    fn optional(&self, object: &Info) -> Info {
        self.cases(std::slice::from_ref(object), 1)
    }
}

fn hexadecimal(bits: &Bits, size: u64) -> String {
    let byte = |index: u64| bits.slice(index * 8, 8).words().first().copied().unwrap_or(0);
    (0..size).rev().map(|index| format!("{:02x}", byte(index))).collect()
}

/// Returns the bytes of each case, most significant first; of a payload case with a payload of zeros.
fn patterns(info: &TypeInfo) -> Vec<String> {
    let TypeKind::Enum(layout) = &info.kind else { return Vec::new() };
    let bytes = |case: &super::Case| {
        let mut bits = case.pattern.payload.resized(info.size * 8);
        bits.insert(
            layout.payload_size * 8,
            &Bits::from_u64(info.size * 8 - layout.payload_size * 8, case.pattern.extra_tag),
        );
        hexadecimal(&bits, info.size)
    };
    layout.cases.iter().map(bytes).collect()
}

fn inhabitants(info: &TypeInfo, count: u32) -> Vec<String> {
    (0..count).map(|index| hexadecimal(&info.extra_inhabitant(index), info.size)).collect()
}

#[test]
fn sizes() {
    let types = Types;
    let record = |fields: &[Info]| fields.iter().map(|info| (info.size, info.alignment)).collect::<Vec<_>>();
    let (bool, byte, word, object) = (types.bool(), types.int(8), types.int(64), types.object());
    let nested = |info: &Info| {
        let once = types.optional(info);
        let twice = types.optional(&once);
        record(&[once, twice.clone(), types.optional(&twice)])
    };
    assert_eq!(nested(&bool), [(1, 1), (1, 1), (1, 1)]);
    assert_eq!(nested(&byte), [(2, 1), (3, 1), (4, 1)]);
    assert_eq!(nested(&word), [(9, 8), (10, 8), (11, 8)]);
    assert_eq!(nested(&object), [(8, 8), (8, 8), (8, 8)]);
    assert_eq!(nested(&types.string()), [(16, 8), (16, 8), (16, 8)]);
    assert_eq!(nested(&types.function()), [(16, 8), (16, 8), (16, 8)]);
    assert_eq!(nested(&types.record(&[])), [(1, 1), (2, 1), (3, 1)]);
    assert_eq!(nested(&types.weak()), [(9, 8), (10, 8), (11, 8)]);
    let enums = [
        types.cases(&[], 0),
        types.cases(&[], 1),
        types.cases(std::slice::from_ref(&word), 0),
        types.cases(&[], 256),
        types.cases(&[], 257),
        types.cases(&[types.string(), types.string()], 0),
        types.cases(&[object.clone(), object.clone()], 3),
        types.enumeration(&[object.clone(), object.clone()], 0, SpareBits::Unusable),
        types.enumeration(&[bool.clone(), bool.clone()], 0, SpareBits::Unusable),
        types.cases(&[types.function(), word.clone()], 0),
        types.cases(&[types.record(&[word.clone(), byte.clone()]), word.clone()], 0),
        types.cases(&[types.weak(), word.clone()], 0),
    ];
    let expected = [(0, 1), (0, 1), (8, 8), (1, 1), (2, 2), (17, 8), (8, 8), (9, 8), (2, 1), (17, 8), (10, 8), (9, 8)];
    assert_eq!(record(&enums), expected);
}

#[test]
fn cases_without_payload_are_numbered() {
    let types = Types;
    let three = types.cases(&[], 3);
    assert_eq!(patterns(&three), ["00", "01", "02"]);
    assert_eq!(inhabitants(&three, 2), ["03", "04"]);
    assert_eq!(three.extra_inhabitant_count, 253);
}

#[test]
fn single_payloads_use_inhabitants_then_tags() {
    let types = Types;
    let byte = types.cases(&[types.int(8)], 3);
    assert_eq!(patterns(&byte), ["0000", "0100", "0101", "0102"]);
    assert_eq!(byte.extra_inhabitant_count, 0);
    let bool = types.cases(&[types.bool()], 3);
    assert_eq!(patterns(&bool), ["00", "02", "03", "04"]);
    assert_eq!((inhabitants(&bool, 1), bool.extra_inhabitant_count), (vec!["05".to_owned()], 251));
    let word = types.cases(&[types.int(64)], 2);
    assert_eq!(patterns(&word), ["000000000000000000", "010000000000000000", "010000000000000001"]);
    let string = types.optional(&types.optional(&types.string()));
    assert_eq!(patterns(&string)[1], "00000000000000010000000000000000");
}

#[test]
fn multiple_payloads_use_spare_bits_then_tags() {
    let types = Types;
    let (bool, object) = (types.bool(), types.object());
    let booleans = types.cases(&[bool.clone(), bool.clone(), bool.clone()], 3);
    assert_eq!(patterns(&booleans), ["00", "20", "40", "60", "61", "80"]);
    assert_eq!(inhabitants(&booleans, 2), ["fe", "de"]);
    let three = types.cases(&[bool.clone(), bool.clone(), bool], 0);
    assert_eq!(patterns(&three), ["00", "40", "80"]);
    assert_eq!(inhabitants(&three, 2), ["fe", "be"]);
    let objects = types.cases(&[object.clone(), object.clone(), object.clone()], 3);
    assert_eq!(
        patterns(&objects),
        [
            "0000000000000000",
            "4000000000000000",
            "8000000000000000",
            "c000000000000000",
            "c000000000000008",
            "c000000000000010"
        ]
    );
    assert_eq!(inhabitants(&objects, 3), ["ff00000000000007", "bf00000000000007", "7f00000000000007"]);
    let two = types.cases(&[object.clone(), object], 0);
    assert_eq!(inhabitants(&two, 3), ["ff00000000000007", "7f00000000000007", "ff00000000000006"]);
    let words = types.cases(&[types.int(64), types.int(64)], 3);
    assert_eq!(patterns(&words)[1..3], ["010000000000000000", "020000000000000000"]);
    assert_eq!(inhabitants(&words, 2), ["ff0000000000000000", "fe0000000000000000"]);
    let mixed = types.cases(&[types.int(32), types.int(8)], 2);
    assert_eq!(patterns(&mixed), ["0000000000", "0100000000", "0200000000", "0200000001"]);
    assert_eq!(inhabitants(&mixed, 1), ["ff00000000"]);
    let padded = types.record(&[types.bool(), types.int(32)]);
    let padded = types.cases(&[padded.clone(), padded], 1);
    assert_eq!(patterns(&padded), ["0000000000000000", "0000000040000000", "0000000080000000"]);
    assert_eq!(inhabitants(&padded, 1), ["00000000fffffffe"]);
}

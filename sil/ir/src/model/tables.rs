//! Dispatch tables and the other top-level entities: vtables, witness tables, deinits, properties.

use std::collections::BTreeMap;

use super::{DerivativeConfiguration, KeyPathComponent, Linkage, Serialization};
use crate::context::{ConformanceId, MemberId, Name, NominalId, SignatureId, Sugar, TypeId};
use crate::source::Span;

/// `sil_vtable`
#[derive(Clone, Debug)]
pub struct VTable {
    /// The class.
    pub class: NominalId,
    /// The specialised class type, in Embedded Swift: `sil_vtable $Box<Int> { … }`.
    pub specialized: Option<TypeId>,
    /// `[serialized]`
    pub serialization: Serialization,
    /// The entries, in order.
    pub entries: Vec<VTableEntry>,
    /// Where it is.
    pub span: Span,
}

/// An entry of a vtable.
#[derive(Clone, Debug)]
pub struct VTableEntry {
    /// The method, as the class that introduces it names it.
    pub member: MemberId,
    /// The formal type, where written.
    pub formal_type: Option<TypeId>,
    /// How the formal type is spelled.
    pub sugar: Sugar,
    /// The function.
    pub function: Name,
    /// The linkage that older SIL wrote before the function.
    pub linkage: Option<Linkage>,
    /// How the entry came about.
    pub kind: VTableEntryKind,
    /// `[nonoverridden]`
    pub nonoverridden: bool,
    /// Where it is.
    pub span: Span,
}

/// How a vtable entry came about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VTableEntryKind {
    /// The class introduces the method.
    Normal,
    /// `[override]`
    Override,
    /// `[inherited]`
    Inherited,
}

/// `sil_witness_table`
#[derive(Clone, Debug)]
pub struct WitnessTable {
    /// Its linkage.
    pub linkage: Linkage,
    /// `[serialized]`
    pub serialization: Serialization,
    /// `[specialized]`
    pub specialized: bool,
    /// The conformance.
    pub conformance: ConformanceId,
    /// The entries; none for a declaration.
    pub entries: Option<Vec<WitnessEntry>>,
    /// The conditional conformances that the table needs.
    pub conditional: Vec<ConformanceRequirement>,
    /// Where it is.
    pub span: Span,
}

/// An entry of a witness table.
#[derive(Clone, Debug)]
pub enum WitnessEntry {
    /// `base_protocol P: …`
    BaseProtocol { protocol: NominalId, conformance: ConformanceId },
    /// `associated_type T: Int`
    AssociatedType { name: Name, ty: TypeId },
    /// `associated_conformance (T: P): …`, as older SIL spells it `associated_type_protocol`; `sugar` is that of the
    /// conforming type and of its arguments.
    AssociatedConformance { subject: TypeId, protocol: NominalId, conformance: ConformanceId, sugar: Sugar },
    /// `method #P.f : <Self where …> (Self) -> () : @f`, `nil` where there is none.
    Method { member: MemberId, formal_type: Option<TypeId>, sugar: Sugar, function: Option<Name>, span: Span },
}

/// `conditional_conformance (T: P): dependent`
#[derive(Clone, Debug)]
pub struct ConformanceRequirement {
    /// The type that must conform.
    pub subject: TypeId,
    /// The protocol.
    pub protocol: NominalId,
    /// The conformance.
    pub conformance: ConformanceId,
}

/// `sil_default_witness_table`
#[derive(Clone, Debug)]
pub struct DefaultWitnessTable {
    /// Its linkage.
    pub linkage: Linkage,
    /// The protocol.
    pub protocol: NominalId,
    /// The entries; none for `no_default`.
    pub entries: Vec<Option<WitnessEntry>>,
    /// Where it is.
    pub span: Span,
}

/// `sil_default_override_table`
#[derive(Clone, Debug)]
pub struct DefaultOverrideTable {
    /// Its linkage.
    pub linkage: Linkage,
    /// The class.
    pub class: NominalId,
    /// The entries, in order.
    pub entries: Vec<DefaultOverride>,
    /// Where it is.
    pub span: Span,
}

/// `#B.f!read2: #B.f!read : (B) -> … : @f`
#[derive(Clone, Debug)]
pub struct DefaultOverride {
    /// The method that is overridden by default.
    pub member: MemberId,
    /// The method whose override leads to it.
    pub original: MemberId,
    /// The formal type, where written.
    pub formal_type: Option<TypeId>,
    /// How the formal type is spelled.
    pub sugar: Sugar,
    /// The function.
    pub function: Name,
}

/// `sil_coverage_map`: which regions of a source file a function's profile counters count. It compiles to nothing yet.
#[derive(Clone, Debug)]
pub struct CoverageMap {
    /// The source file.
    pub file: Name,
    /// The function.
    pub function: Name,
    /// The function's name in profiles.
    pub profile_name: Name,
    /// The hash of the function's structure.
    pub hash: u64,
    /// The regions, in order.
    pub regions: Vec<CoverageRegion>,
    /// Where it is.
    pub span: Span,
}

/// `4:19 -> 31:1 : (0 + 1)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverageRegion {
    /// Line and column of its beginning.
    pub start: (u32, u32),
    /// Line and column of its end.
    pub end: (u32, u32),
    /// How often it ran; none where it is `skipped`.
    pub counter: Option<CoverageCounter>,
}

/// How often a region ran, from the profile's counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoverageCounter {
    /// `zero`
    Zero,
    /// The counter with this number.
    Counter(u32),
    /// `(a + b)`
    Sum(Box<CoverageCounter>, Box<CoverageCounter>),
    /// `(a - b)`
    Difference(Box<CoverageCounter>, Box<CoverageCounter>),
}

impl CoverageCounter {
    /// The same sum in the form of profiles: each counter once, additions before subtractions, and both by their
    /// numbers (`CounterExpressionBuilder::simplify` of LLVM).
    pub fn simplified(&self) -> Self {
        let mut factors = BTreeMap::new();
        self.count(1, &mut factors);
        let repeated = |(number, times): (&u32, &i64)| std::iter::repeat_n(*number, times.unsigned_abs() as usize);
        let added = factors.iter().filter(|(_, times)| **times > 0).flat_map(repeated).map(Self::Counter);
        let sum = added.reduce(|sum, next| Self::Sum(sum.into(), next.into())).unwrap_or(Self::Zero);
        let taken = factors.iter().filter(|(_, times)| **times < 0).flat_map(repeated).map(Self::Counter);
        taken.fold(sum, |sum, next| Self::Difference(sum.into(), next.into()))
    }

    /// Adds to `factors` how often each counter is added to the sum, if this is `times` times a part of it.
    fn count(&self, times: i64, factors: &mut BTreeMap<u32, i64>) {
        match self {
            Self::Zero => {}
            Self::Counter(number) => *factors.entry(*number).or_default() += times,
            Self::Sum(first, second) => {
                first.count(times, factors);
                second.count(times, factors);
            }
            Self::Difference(first, second) => {
                first.count(times, factors);
                second.count(-times, factors);
            }
        }
    }
}

/// `sil_moveonlydeinit`
#[derive(Clone, Debug)]
pub struct MoveOnlyDeinit {
    /// The noncopyable type.
    pub nominal: NominalId,
    /// `[serialized]`
    pub serialization: Serialization,
    /// The function.
    pub function: Name,
    /// Where it is.
    pub span: Span,
}

/// `sil_property`
#[derive(Clone, Debug)]
pub struct Property {
    /// `[serialized]`
    pub serialization: Serialization,
    /// The property.
    pub member: MemberId,
    /// The generic signature of the declaration that has it.
    pub signature: Option<SignatureId>,
    /// The component of key paths that lead to it; none where it can be used as it is.
    pub component: Option<KeyPathComponent>,
    /// Where it is.
    pub span: Span,
}

/// `sil_differentiability_witness`
#[derive(Clone, Debug)]
pub struct DifferentiabilityWitness {
    /// Its linkage.
    pub linkage: Linkage,
    /// `[serialized]`
    pub serialization: Serialization,
    /// The derivative that it is a witness of.
    pub configuration: DerivativeConfiguration,
    /// The derivatives; none for a declaration.
    pub derivatives: Option<Derivatives>,
    /// Where it is.
    pub span: Span,
}

/// The functions in a differentiability witness, with their types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivatives {
    /// `jvp: @f : $…`
    pub jvp: Option<(Name, TypeId)>,
    /// `vjp: @f : $…`
    pub vjp: Option<(Name, TypeId)>,
}

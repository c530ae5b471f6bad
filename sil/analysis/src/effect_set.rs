//! The possible effects of a function, as sets: on memory, on references, whether it allocates or is a barrier for
//! destroys (SwiftCompilerSources/Sources/SIL/Effects.swift, `SideEffects.GlobalEffects`).

use std::fmt;

use sil_ir::context::ParameterConvention;
use sil_ir::instructions::MemoryBehavior;
use sil_ir::types::{ArgumentConvention, Triviality};

/// Something that a function may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Effect {
    /// It reads memory.
    Read,
    /// It writes memory.
    Write,
    /// It copies or retains.
    Copy,
    /// It destroys or releases.
    Destroy,
    /// It allocates an object that outlives the call.
    Allocate,
    /// Destroys of lexical values do not move past a call of it.
    DeinitBarrier,
}

impl Effect {
    /// All effects, in the order in which they are written.
    pub const ALL: [Effect; 6] =
        [Effect::Read, Effect::Write, Effect::Copy, Effect::Destroy, Effect::Allocate, Effect::DeinitBarrier];

    /// Those that can be stated of a single argument.
    pub const OF_ARGUMENTS: [Effect; 4] = [Effect::Read, Effect::Write, Effect::Copy, Effect::Destroy];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Copy => "copy",
            Effect::Destroy => "destroy",
            Effect::Allocate => "allocate",
            Effect::DeinitBarrier => "deinit_barrier",
        }
    }

    /// The effect of this name.
    pub fn from_name(name: &str) -> Option<Effect> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }
}

/// A set of effects.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct EffectSet(u8);

impl From<Effect> for EffectSet {
    fn from(effect: Effect) -> Self {
        Self(1 << effect as u8)
    }
}

impl From<MemoryBehavior> for EffectSet {
    fn from(behavior: MemoryBehavior) -> Self {
        let reads = if behavior.may_read() { Effect::Read.into() } else { Self::NONE };
        let writes = if behavior.may_write() { Effect::Write.into() } else { Self::NONE };
        reads.union(writes)
    }
}

impl EffectSet {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Everything: the effects of an unknown function.
    pub const WORST: Self = Self(0b11_1111);
    /// Copies and destroys.
    const OWNERSHIP: Self = Self(1 << Effect::Copy as u8 | 1 << Effect::Destroy as u8);
    /// Reads and writes.
    const MEMORY: Self = Self(1 << Effect::Read as u8 | 1 << Effect::Write as u8);

    /// Whether `effect` is one of these.
    pub fn contains(self, effect: Effect) -> bool {
        self.0 & Self::from(effect).0 != 0
    }

    /// The effects of either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This without `effect`.
    #[must_use]
    pub fn without(self, effect: Effect) -> Self {
        Self(self.0 & !Self::from(effect).0)
    }

    /// Only the copies and destroys of these.
    #[must_use]
    pub fn ownership(self) -> Self {
        Self(self.0 & Self::OWNERSHIP.0)
    }

    /// Its reads and writes.
    pub fn memory(self) -> MemoryBehavior {
        let when = |effect, behavior| if self.contains(effect) { behavior } else { MemoryBehavior::None };
        when(Effect::Read, MemoryBehavior::MayRead).union(when(Effect::Write, MemoryBehavior::MayWrite))
    }

    /// The effects on an argument that its convention allows. `trivial` types have no raw pointers in them: passed as a
    /// value, such an argument leads to no memory. `reach` distinguishes parts in objects.
    #[must_use]
    pub fn restricted(self, convention: ArgumentConvention, trivial: Triviality, reach: Reach) -> Self {
        use ParameterConvention::*;
        let is_trivial = trivial == Triviality::Trivial;
        let left = if is_trivial { Self(self.0 & !Self::OWNERSHIP.0) } else { self };
        match convention {
            ArgumentConvention::Result(_) | ArgumentConvention::Error | ArgumentConvention::Parameter(PackInOut) => {
                left.without(Effect::Read).without(Effect::Copy).without(Effect::Destroy)
            }
            ArgumentConvention::Parameter(InGuaranteed | PackGuaranteed | InConstant) => {
                left.without(Effect::Write).without(Effect::Destroy)
            }
            ArgumentConvention::Parameter(Owned | Guaranteed | Unowned) => {
                let is_lent = convention.is_guaranteed() && reach == Reach::Value;
                let left = if is_lent { left.without(Effect::Destroy) } else { left };
                if is_trivial { Self(left.0 & !Self::MEMORY.0) } else { left }
            }
            ArgumentConvention::Parameter(_) => left,
        }
    }
}

/// Which part of an argument is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// The value itself, or the memory at an address.
    Value,
    /// Possibly one in an object that it refers to.
    Objects,
}

impl fmt::Display for EffectSet {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Effect::ALL.iter().filter(|effect| self.contains(**effect)).map(|e| e.name()).collect();
        to.write_str(&names.join(","))
    }
}

impl fmt::Debug for EffectSet {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "[{self}]")
    }
}

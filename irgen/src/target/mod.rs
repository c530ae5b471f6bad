//! The targets of silc: one [`Target`] per triple, with the facts for the lowering and the linker. Owns: parsing of
//! triples, and the supported ones. The list for `silc targets` is in `table`.
//!
//! ```text
//! table        the supported targets and the tools that each needs to link and run
//! triple       parses the spellings of triples in the wild
//! swift_abi    Swift's layout facts of a target
//! calling_convention  the calling conventions
//! processors   the CPU and feature names that LLVM knows
//! machine      LLVM's code generator for a target
//! optimization_level  the optimisation levels
//! ```

mod calling_convention;
mod clang;
#[cfg(test)]
mod code_generation_tests;
pub mod machine;
mod optimization_level;
mod processors;
mod swift_abi;
pub mod table;
mod triple;

pub use calling_convention::CallingConvention;
pub use machine::{Machine, MachineOptions};
pub use optimization_level::OptimizationLevel;
pub use swift_abi::SwiftAbi;
pub use table::{SUPPORTED_TARGETS, Support, SupportedTarget};

use sil_ir::model::{Platform, platform};
use sil_text::syntax::suggestion::closest;

use crate::Error;

/// A target that silc compiles for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    triple: String,
    architecture: Architecture,
    system: System,
    environment: Environment,
}

/// Instruction sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// AMD64.
    X86_64,
    /// 32-bit x86.
    I386,
    /// 64-bit Arm.
    Aarch64,
    /// 32-bit Arm in ARM mode (A and R profiles).
    Arm,
    /// 32-bit Arm in Thumb mode (M profile).
    Thumb,
    /// 32-bit RISC-V.
    Riscv32,
    /// 64-bit RISC-V.
    Riscv64,
    /// 32-bit WebAssembly.
    Wasm32,
    /// 64-bit WebAssembly.
    Wasm64,
}

/// The system of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum System {
    /// Linux.
    Linux,
    /// Apple's macOS.
    MacOs,
    /// Microsoft's Windows.
    Windows,
    /// WebAssembly's system interface.
    Wasi,
    /// No operating system.
    BareMetal,
}

/// The C library and the floating-point convention of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Environment {
    /// The system's usual one.
    Default,
    /// Musl libc on Linux.
    Musl,
    /// Floating-point numbers are passed in integer registers (32-bit Arm).
    SoftFloat,
    /// Floating-point numbers are passed in their own registers (32-bit Arm).
    HardFloat,
    /// As `SoftFloat`, with musl libc.
    MuslSoftFloat,
    /// As `HardFloat`, with musl libc.
    MuslHardFloat,
    /// Apple's object format without a system of Apple's.
    MachO,
}

/// The passing of floating-point numbers, if that depends on the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FloatPassing {
    /// According to the architecture.
    Usual,
    /// In integer registers.
    Soft,
    /// In floating-point registers.
    Hard,
}

impl Environment {
    fn passes_floats(self) -> FloatPassing {
        match self {
            Environment::Default | Environment::Musl | Environment::MachO => FloatPassing::Usual,
            Environment::SoftFloat | Environment::MuslSoftFloat => FloatPassing::Soft,
            Environment::HardFloat | Environment::MuslHardFloat => FloatPassing::Hard,
        }
    }
}

/// Formats of object files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectFormat {
    /// Linux and bare metal.
    Elf,
    /// Apple.
    MachO,
    /// Windows.
    Coff,
    /// WebAssembly.
    Wasm,
}

/// Order of bytes in memory. All supported targets are little endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endianness {
    /// Least significant byte first.
    Little,
}

/// The prefix of triples of 32-bit RISC-V without atomic instructions.
const RISCV32_WITHOUT_ATOMICS: &str = "riscv32imc-";

impl Target {
    /// Parses a target triple such as `aarch64-unknown-linux-gnu`, in the spellings of clang, rustc and Swift.
    pub fn from_triple(triple: &str) -> Result<Target, Error> {
        triple::parse(triple).ok_or_else(|| Error::UnknownTarget {
            triple: triple.to_owned(),
            similar: closest(triple, SUPPORTED_TARGETS.iter().map(|target| target.triple)).map(str::to_owned),
        })
    }

    /// The machine that silc runs on.
    pub fn host() -> Result<Target, Error> {
        Target::from_triple(&target_lexicon::HOST.to_string())
    }

    /// The triple as in messages. It contains everything that distinguishes the target from others.
    pub fn triple(&self) -> &str {
        &self.triple
    }

    /// The triple in LLVM's spelling, which has instruction sets of RISC-V as features.
    pub(crate) fn llvm_triple(&self) -> String {
        self.triple.replace(RISCV32_WITHOUT_ATOMICS, "riscv32-")
    }

    /// Returns whether RISC-V's atomic instructions are missing.
    fn lacks_riscv_atomics(&self) -> bool {
        self.triple.starts_with(RISCV32_WITHOUT_ATOMICS)
    }

    /// The instruction set.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The system of the program.
    pub fn system(&self) -> System {
        self.system
    }

    /// The C library and floating-point convention.
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// The format of its object files.
    pub fn object_format(&self) -> ObjectFormat {
        match (self.architecture, self.system, self.environment) {
            (Architecture::Wasm32 | Architecture::Wasm64, ..) => ObjectFormat::Wasm,
            (_, System::MacOs, _) | (_, _, Environment::MachO) => ObjectFormat::MachO,
            (_, System::Windows, _) => ObjectFormat::Coff,
            _ => ObjectFormat::Elf,
        }
    }

    /// The symbol of a program's entry function, as called by the start-up code. A WebAssembly function has one type,
    /// so C's `main` with arguments has a different name there.
    pub fn entry_symbol(&self) -> &'static str {
        match self.object_format() {
            ObjectFormat::Wasm => "__main_argc_argv",
            ObjectFormat::Elf | ObjectFormat::MachO | ObjectFormat::Coff => "main",
        }
    }

    /// Size of a pointer in bytes.
    pub fn pointer_size(&self) -> u32 {
        match self.architecture {
            Architecture::X86_64 | Architecture::Aarch64 | Architecture::Riscv64 | Architecture::Wasm64 => 8,
            Architecture::I386
            | Architecture::Arm
            | Architecture::Thumb
            | Architecture::Riscv32
            | Architecture::Wasm32 => 4,
        }
    }

    /// The platform of modules for the target, as their declarations see it.
    pub fn platform(&self) -> Platform {
        let architecture = match self.architecture {
            Architecture::X86_64 => platform::Architecture::X86_64,
            Architecture::I386 => platform::Architecture::I386,
            Architecture::Aarch64 => platform::Architecture::Arm64,
            Architecture::Arm | Architecture::Thumb => platform::Architecture::Arm,
            Architecture::Riscv32 => platform::Architecture::Riscv32,
            Architecture::Riscv64 => platform::Architecture::Riscv64,
            Architecture::Wasm32 => platform::Architecture::Wasm32,
            Architecture::Wasm64 => platform::Architecture::Wasm64,
        };
        let system = match self.system {
            System::Linux => platform::System::Linux,
            System::MacOs => platform::System::MacOs,
            System::Windows => platform::System::Windows,
            System::Wasi => platform::System::Wasi,
            System::BareMetal => platform::System::None,
        };
        Platform::new(architecture, system)
    }

    /// Order of bytes in memory.
    pub fn endianness(&self) -> Endianness {
        Endianness::Little
    }

    /// Swift's layout facts.
    pub fn swift_abi(&self) -> SwiftAbi {
        SwiftAbi::of(self)
    }

    /// Returns whether LLVM supports `swiftcc` for the target; otherwise LLVM would end the process when it is used.
    pub fn supports_swift_calling_convention(&self) -> bool {
        match self.architecture {
            Architecture::X86_64
            | Architecture::I386
            | Architecture::Aarch64
            | Architecture::Arm
            | Architecture::Thumb
            | Architecture::Wasm32
            | Architecture::Wasm64 => true,
            Architecture::Riscv32 | Architecture::Riscv64 => false,
        }
    }

    /// Returns whether LLVM supports `swifttailcc`, and `musttail` calls with it, for the target.
    pub fn supports_swift_tail_calling_convention(&self) -> bool {
        // The smallest Thumb has no branch that reaches every function.
        self.supports_swift_calling_convention()
            && self.object_format() != ObjectFormat::Wasm
            && self.architecture != Architecture::I386
            && !self.is_smallest_thumb()
    }

    /// Returns whether LLVM's expansion of shifts of integers wider than a register is wrong, as for 32-bit Arm
    /// (`llvm::shifts`). For the smallest Thumb it calls functions.
    pub fn expands_shifts_wrongly(&self) -> bool {
        matches!(self.architecture, Architecture::Arm | Architecture::Thumb) && !self.is_smallest_thumb()
    }

    fn is_smallest_thumb(&self) -> bool {
        ["thumbv6m", "thumbv8m.base"].iter().any(|name| self.triple.starts_with(name))
    }

    /// The convention of Swift functions: Swift's own, or C's if the target has none (as in Swift's IRGen).
    pub fn swift_calling_convention(&self) -> CallingConvention {
        if self.supports_swift_calling_convention() { CallingConvention::Swift } else { CallingConvention::C }
    }

    /// The convention of Swift's async functions.
    pub fn swift_async_calling_convention(&self) -> CallingConvention {
        if self.supports_swift_tail_calling_convention() {
            CallingConvention::SwiftTail
        } else {
            self.swift_calling_convention()
        }
    }

    /// The convention of the runtime's functions that preserve their caller's registers (`KEEPS_REGISTERS` of
    /// runtime-c/runtime.h), if LLVM has one.
    pub fn register_keeping_calling_convention(&self) -> CallingConvention {
        match self.architecture {
            Architecture::X86_64 | Architecture::Aarch64 => CallingConvention::PreserveMost,
            Architecture::I386
            | Architecture::Arm
            | Architecture::Thumb
            | Architecture::Riscv32
            | Architecture::Riscv64
            | Architecture::Wasm32
            | Architecture::Wasm64 => CallingConvention::C,
        }
    }

    /// Returns whether code that is compiled for this target also runs on `other`: it runs on as many processors, and
    /// passes numbers alike.
    pub(crate) fn is_close_relative_of(&self, other: &Target) -> bool {
        let facts = |target: &Target| {
            (target.architecture, target.system, target.object_format(), target.environment.passes_floats())
        };
        facts(self) == facts(other) && self.arm_rank() <= other.arm_rank()
    }

    /// Returns the rank of the version of the Arm architecture in the triple by its instruction set: code for one runs
    /// on those of greater rank. Zero without a version. The small profile of version 8 has hardly more than version 6,
    /// which has atomic operations of all widths only as 6K.
    fn arm_rank(&self) -> u32 {
        let name = self.triple.split('-').next().unwrap_or_default();
        let version = name.strip_prefix("armv").or_else(|| name.strip_prefix("thumbv")).unwrap_or_default();
        let number: String = version.chars().take_while(char::is_ascii_digit).collect();
        let number = if version.ends_with("m.base") { 6 } else { number.parse().unwrap_or(0) };
        2 * number + u32::from(version == "6k")
    }

    /// Returns whether every 32-bit Arm processor of the target has the coprocessor for enabling floating point and for
    /// the address of the exception vectors: those of version 4 may lack it.
    pub(crate) fn has_system_control_coprocessor(&self) -> bool {
        self.architecture == Architecture::Arm && self.arm_rank() >= 2 * 6
    }

    /// Returns whether this is the host, so that programs run without an emulator.
    pub fn is_host(&self) -> bool {
        Target::host().is_ok_and(|host| (host.architecture, host.system) == (self.architecture, self.system))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn spellings_of_one_target_are_one_target() {
        for (given, expected) in [
            ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"),
            ("x86_64-linux-gnu", "x86_64-unknown-linux-gnu"),
            ("x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu"),
            ("aarch64-linux-gnu", "aarch64-unknown-linux-gnu"),
            ("arm64-apple-macosx14.0", "arm64-apple-macosx14.0.0"),
            ("aarch64-apple-darwin", "arm64-apple-macosx11.0.0"),
            ("arm64-apple-none-macho", "arm64-apple-none-macho"),
            ("armv7em-none-none-eabi", "thumbv7em-none-unknown-eabi"),
            ("thumbv7em-none-eabi", "thumbv7em-none-unknown-eabi"),
            ("armv7-unknown-linux-gnueabihf", "armv7-unknown-linux-gnueabihf"),
            ("riscv32-none-none-eabi", "riscv32-unknown-none-elf"),
            ("riscv32imac-unknown-none-elf", "riscv32-unknown-none-elf"),
            ("riscv32imc-unknown-none-elf", "riscv32imc-unknown-none-elf"),
            ("armv7-none-none-eabi", "armv7-none-unknown-eabi"),
            ("armv6-none-none-eabi", "armv6-none-unknown-eabi"),
            ("armv4t-none-none-eabi", "armv4t-none-unknown-eabi"),
            ("armv6-linux-gnueabihf", "armv6-unknown-linux-gnueabihf"),
            ("arm-unknown-linux-gnueabihf", "armv6-unknown-linux-gnueabihf"),
            ("i686-unknown-none-elf", "i686-unknown-none-elf"),
            ("x86_64-unknown-none-elf", "x86_64-unknown-none-elf"),
            ("wasm64-unknown-none-wasm", "wasm64-unknown-unknown"),
            ("armv7r-none-eabihf", "armv7r-none-unknown-eabihf"),
            ("riscv64-none-elf", "riscv64-unknown-none-elf"),
            ("aarch64-none-elf", "aarch64-unknown-none-elf"),
            ("x86_64-pc-windows-msvc", "x86_64-unknown-windows-msvc"),
            ("aarch64-unknown-windows-msvc", "aarch64-unknown-windows-msvc"),
            ("wasm32-unknown-none-wasm", "wasm32-unknown-unknown"),
            ("wasm32-unknown-wasi", "wasm32-unknown-wasip1"),
            ("wasm32-wasip1", "wasm32-unknown-wasip1"),
            ("wasm32-unknown-wasip1", "wasm32-unknown-wasip1"),
        ] {
            assert_eq!(
                Target::from_triple(given).map(|target| target.triple).ok().as_deref(),
                Some(expected),
                "{given}"
            );
        }
    }

    #[test]
    fn every_listed_target_is_supported() {
        for listed in SUPPORTED_TARGETS {
            let target = Target::from_triple(listed.triple).unwrap();
            let machine = target.machine(&MachineOptions::default()).unwrap();
            assert_eq!(machine.pointer_size(), target.pointer_size(), "{}", listed.triple);
        }
    }

    #[test]
    fn unknown_targets_come_with_a_suggestion() {
        let error = Target::from_triple("x86_46-unknown-linux-gnu").unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown target 'x86_46-unknown-linux-gnu'; did you mean 'x86_64-unknown-linux-gnu'?"
        );
        assert_eq!(error.class().exit_status(), 2);
        for nonsense in ["", "x", "-", "x86_64-pc-windows-gnu", "powerpc64-unknown-linux-gnu", "x86_64-a-b-c-d-e-f"] {
            assert!(Target::from_triple(nonsense).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn spare_bits_are_those_of_swift() {
        let facts = |triple| Target::from_triple(triple).unwrap().swift_abi();
        assert_eq!(facts("x86_64-unknown-linux-gnu").pointer_spare_bits, 0xFF00_0000_0000_0007);
        assert_eq!(facts("aarch64-unknown-linux-gnu").pointer_spare_bits, 0xF000_0000_0000_0007);
        assert_eq!(facts("thumbv7em-none-eabi").pointer_spare_bits, 3);
        assert_eq!(facts("i686-unknown-none-elf").pointer_spare_bits, 3);
        assert_eq!(facts("x86_64-apple-macosx").least_valid_pointer, 1 << 32);
        assert_eq!(facts("thumbv7em-none-eabi").heap_object_header_size, 8);
    }
}

//! The platform of a module, as far as declarations depend on it: the subject of `_pointerBitWidth`, `os` and `arch` in
//! conditions. Does not own the facts of a target for code generation.

/// The platform of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Platform {
    /// How wide pointers and `Int` are.
    pub pointer_width: PointerWidth,
    /// The instruction set.
    pub architecture: Architecture,
    /// The operating system.
    pub system: System,
}

/// How wide pointers and `Int` are: `_pointerBitWidth(_64)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PointerWidth {
    /// 32 bits.
    Bits32,
    /// 64 bits.
    #[default]
    Bits64,
}

/// Instruction sets by the names that `arch` takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Architecture {
    /// AMD64.
    #[default]
    X86_64,
    /// 32-bit x86.
    I386,
    /// 64-bit Arm.
    Arm64,
    /// 32-bit Arm, Thumb as well.
    Arm,
    /// 32-bit RISC-V.
    Riscv32,
    /// 64-bit RISC-V.
    Riscv64,
    /// 32-bit WebAssembly.
    Wasm32,
    /// 64-bit WebAssembly, for which `arch` has no name.
    Wasm64,
}

/// Operating systems by the names that `os` takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum System {
    /// Linux.
    #[default]
    Linux,
    /// Apple's macOS.
    MacOs,
    /// Microsoft's Windows.
    Windows,
    /// WebAssembly's system interface.
    Wasi,
    /// No operating system.
    None,
}

impl PointerWidth {
    /// The number of bits.
    pub fn bits(self) -> u32 {
        match self {
            PointerWidth::Bits32 => 32,
            PointerWidth::Bits64 => 64,
        }
    }

    /// The width of so many bits, if pointers can have it.
    pub fn of_bits(bits: u32) -> Option<PointerWidth> {
        [PointerWidth::Bits32, PointerWidth::Bits64].into_iter().find(|width| width.bits() == bits)
    }
}

impl Architecture {
    /// As `arch` spells it.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::X86_64 => "x86_64",
            Architecture::I386 => "i386",
            Architecture::Arm64 => "arm64",
            Architecture::Arm => "arm",
            Architecture::Riscv32 => "riscv32",
            Architecture::Riscv64 => "riscv64",
            Architecture::Wasm32 => "wasm32",
            Architecture::Wasm64 => "wasm64",
        }
    }

    /// The width of its pointers.
    pub fn pointer_width(self) -> PointerWidth {
        match self {
            Architecture::X86_64 | Architecture::Arm64 | Architecture::Riscv64 | Architecture::Wasm64 => {
                PointerWidth::Bits64
            }
            Architecture::I386 | Architecture::Arm | Architecture::Riscv32 | Architecture::Wasm32 => {
                PointerWidth::Bits32
            }
        }
    }
}

impl System {
    /// As `os` spells it.
    pub fn name(self) -> &'static str {
        match self {
            System::Linux => "Linux",
            System::MacOs => "macOS",
            System::Windows => "Windows",
            System::Wasi => "WASI",
            System::None => "none",
        }
    }
}

impl Platform {
    /// The platform of an instruction set and a system.
    pub fn new(architecture: Architecture, system: System) -> Self {
        Self { pointer_width: architecture.pointer_width(), architecture, system }
    }

    /// This platform, or, where its pointers have another width, one that has nothing of its own beside that.
    pub fn with_pointer_width(self, width: PointerWidth) -> Self {
        match width {
            _ if self.pointer_width == width => self,
            PointerWidth::Bits32 => Self::new(Architecture::Arm, System::None),
            PointerWidth::Bits64 => Self::default(),
        }
    }
}

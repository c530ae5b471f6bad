//! The supported targets and the tools that each needs to link and run: the list of `silc targets`.

/// One line of the list of supported targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SupportedTarget {
    /// The triple as a user would write it. Close relatives (other vendors, other C libraries) are accepted too.
    pub triple: &'static str,
    /// The extent of support.
    pub support: Support,
    /// The tools for linking beyond silc, as a phrase.
    pub to_link: &'static str,
    /// The tools for running, as a phrase.
    pub to_run: &'static str,
}

/// The extent of support for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Executables.
    Executables,
    /// Object files, assembly and LLVM IR; the executable is linked by the platform's own tools.
    Objects,
}

/// The tools for programs without an operating system.
const ON_A_BOARD: &str = "lld alone, for a board of qemu's; --linker-script for any other";

/// The tools for programs on boards without start-up code in silc.
const ON_A_BOARD_OF_ONES_OWN: &str = "lld, --linker-script, and the board's own start-up code and output";

/// All supported targets, the best supported first.
pub const SUPPORTED_TARGETS: &[SupportedTarget] = &[
    SupportedTarget {
        triple: "x86_64-unknown-linux-gnu",
        support: Support::Executables,
        to_link: "lld, and the C library of the system or of --sysroot; with --static lld alone",
        to_run: "this machine or qemu-x86_64",
    },
    SupportedTarget {
        triple: "aarch64-unknown-linux-gnu",
        support: Support::Executables,
        to_link: "lld alone (static); with --sysroot the C library there",
        to_run: "qemu-aarch64",
    },
    SupportedTarget {
        triple: "armv7-unknown-linux-gnueabihf",
        support: Support::Executables,
        to_link: "lld alone (static); with --sysroot the C library there",
        to_run: "qemu-arm",
    },
    SupportedTarget {
        triple: "armv7-unknown-linux-gnueabi",
        support: Support::Executables,
        to_link: "lld alone (static); with --sysroot the C library there",
        to_run: "qemu-arm",
    },
    SupportedTarget {
        triple: "armv6-unknown-linux-gnueabihf",
        support: Support::Executables,
        to_link: "lld alone (static); with --sysroot the C library there",
        to_run: "qemu-arm",
    },
    SupportedTarget {
        triple: "armv6-unknown-linux-gnueabi",
        support: Support::Executables,
        to_link: "lld alone (static); with --sysroot the C library there",
        to_run: "qemu-arm",
    },
    SupportedTarget {
        triple: "thumbv6m-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "thumbv7m-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "thumbv7em-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "thumbv7em-none-eabihf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "thumbv8m.base-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "thumbv8m.main-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "thumbv8m.main-none-eabihf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "armv4t-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "armv6-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "armv7a-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "armv7a-none-eabihf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "armv7r-none-eabi",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "armv7r-none-eabihf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-arm",
    },
    SupportedTarget {
        triple: "riscv32imc-unknown-none-elf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-riscv32",
    },
    SupportedTarget {
        triple: "riscv32-unknown-none-elf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-riscv32",
    },
    SupportedTarget {
        triple: "riscv64-unknown-none-elf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-riscv64",
    },
    SupportedTarget {
        triple: "aarch64-unknown-none-elf",
        support: Support::Executables,
        to_link: ON_A_BOARD,
        to_run: "qemu-system-aarch64",
    },
    SupportedTarget {
        triple: "wasm32-unknown-wasip1",
        support: Support::Executables,
        to_link: "lld alone; with --sysroot the C library there",
        to_run: "wasmtime or Node",
    },
    SupportedTarget {
        triple: "wasm32-unknown-unknown",
        support: Support::Executables,
        to_link: "lld alone; what is not defined, the host gives",
        to_run: "Node or a browser",
    },
    SupportedTarget {
        triple: "wasm64-unknown-unknown",
        support: Support::Executables,
        to_link: "lld alone; what is not defined, the host gives",
        to_run: "Node 24 or a browser",
    },
    SupportedTarget {
        triple: "i686-unknown-none-elf",
        support: Support::Objects,
        to_link: ON_A_BOARD_OF_ONES_OWN,
        to_run: "the board",
    },
    SupportedTarget {
        triple: "x86_64-unknown-none-elf",
        support: Support::Objects,
        to_link: ON_A_BOARD_OF_ONES_OWN,
        to_run: "the board",
    },
    SupportedTarget {
        triple: "arm64-apple-macosx",
        support: Support::Objects,
        to_link: "Apple's tools and SDK",
        to_run: "a Mac",
    },
    SupportedTarget {
        triple: "x86_64-apple-macosx",
        support: Support::Objects,
        to_link: "Apple's tools and SDK",
        to_run: "a Mac",
    },
    SupportedTarget {
        triple: "arm64-apple-none-macho",
        support: Support::Objects,
        to_link: "a linker for Mach-O and the board's own C library",
        to_run: "the board",
    },
    SupportedTarget {
        triple: "x86_64-unknown-windows-msvc",
        support: Support::Objects,
        to_link: "lld-link or Microsoft's linker, a C library, and posix_memalign",
        to_run: "Windows",
    },
    SupportedTarget {
        triple: "aarch64-unknown-windows-msvc",
        support: Support::Objects,
        to_link: "lld-link or Microsoft's linker, a C library, and posix_memalign",
        to_run: "Windows",
    },
];

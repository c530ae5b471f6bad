//! Boards without an operating system: the memory of each, and its machine in qemu. Owns: the linker script of a board;
//! `runtime-c/bare_metal` and docs/book/src/targets.md list the symbols that it must define.

use std::fmt::Write;

use crate::Error;
use crate::target::{Architecture, Target};

/// A supported board.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    /// The name for `--board`.
    pub name: &'static str,
    /// The triples of the targets whose code it runs.
    targets: &'static [&'static str],
    memory: Memory,
    /// The size of the stack in writable memory, in bytes.
    stack_size: u64,
    /// The emulator of the board.
    pub emulator: &'static str,
    /// The emulator's arguments besides the program.
    pub machine: &'static [&'static str],
}

/// A range of addresses from `origin` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Region {
    origin: u64,
    length: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// Code and constants are in flash; data is copied from there.
    FlashAndRam { flash: Region, ram: Region },
    /// Everything is loaded to RAM.
    Ram(Region),
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Arm's FPGA boards: the code in memory from zero on, everything else in the large memory.
const MPS2: Memory = Memory::FlashAndRam {
    flash: Region { origin: 0, length: 4 * MIB },
    ram: Region { origin: 0x2100_0000, length: 16 * MIB },
};

/// The boards. The first one for a target is the target's default.
const BOARDS: &[Board] = &[
    Board {
        name: "mps2-an385",
        targets: &["thumbv6m-none-eabi", "thumbv7m-none-eabi"],
        memory: MPS2,
        stack_size: MIB,
        emulator: "qemu-system-arm",
        machine: &["-M", "mps2-an385"],
    },
    Board {
        name: "microbit",
        targets: &["thumbv6m-none-eabi"],
        memory: Memory::FlashAndRam {
            flash: Region { origin: 0, length: 256 * KIB },
            ram: Region { origin: 0x2000_0000, length: 16 * KIB },
        },
        stack_size: 4 * KIB,
        emulator: "qemu-system-arm",
        machine: &["-M", "microbit"],
    },
    Board {
        name: "mps2-an386",
        targets: &["thumbv7em-none-eabi", "thumbv7em-none-eabihf", "thumbv7m-none-eabi", "thumbv6m-none-eabi"],
        memory: MPS2,
        stack_size: MIB,
        emulator: "qemu-system-arm",
        machine: &["-M", "mps2-an386"],
    },
    Board {
        name: "mps2-an500",
        targets: &["thumbv7em-none-eabi", "thumbv7em-none-eabihf", "thumbv7m-none-eabi", "thumbv6m-none-eabi"],
        memory: Memory::FlashAndRam {
            flash: Region { origin: 0, length: 4 * MIB },
            ram: Region { origin: 0x2000_0000, length: 4 * MIB },
        },
        stack_size: MIB,
        emulator: "qemu-system-arm",
        machine: &["-M", "mps2-an500"],
    },
    Board {
        name: "mps2-an505",
        targets: &[
            "thumbv8m.main-none-eabi",
            "thumbv8m.main-none-eabihf",
            "thumbv8m.base-none-eabi",
            "thumbv7em-none-eabi",
            "thumbv7em-none-eabihf",
            "thumbv7m-none-eabi",
            "thumbv6m-none-eabi",
        ],
        memory: Memory::FlashAndRam {
            flash: Region { origin: 0x1000_0000, length: 4 * MIB },
            ram: Region { origin: 0x8000_0000, length: 16 * MIB },
        },
        stack_size: MIB,
        emulator: "qemu-system-arm",
        machine: &["-M", "mps2-an505"],
    },
    Board {
        name: "virt",
        targets: &[
            "armv7a-none-eabi",
            "armv7a-none-eabihf",
            "armv7r-none-eabi",
            "armv7r-none-eabihf",
            "armv7-none-eabi",
            "armv7-none-eabihf",
            "armv6k-none-eabi",
            "armv6-none-eabi",
            "armv4t-none-eabi",
        ],
        // The emulator writes a description of the board to the start of memory.
        memory: Memory::Ram(Region { origin: 0x4010_0000, length: 127 * MIB }),
        stack_size: 8 * MIB,
        emulator: "qemu-system-arm",
        // With the security extension, the address of the exception vectors can be set.
        machine: &["-M", "virt,secure=on", "-cpu", "cortex-a15", "-nic", "none"],
    },
    Board {
        name: "virt",
        targets: &["aarch64-unknown-none-elf"],
        // The emulator writes a description of the board to the start of memory.
        memory: Memory::Ram(Region { origin: 0x4010_0000, length: 127 * MIB }),
        stack_size: 8 * MIB,
        emulator: "qemu-system-aarch64",
        machine: &["-M", "virt", "-cpu", "cortex-a57", "-nic", "none"],
    },
    Board {
        name: "virt",
        targets: &["riscv32-unknown-none-elf", "riscv32imc-unknown-none-elf"],
        memory: Memory::Ram(Region { origin: 0x8000_0000, length: 64 * MIB }),
        stack_size: 8 * MIB,
        emulator: "qemu-system-riscv32",
        machine: &["-M", "virt", "-bios", "none"],
    },
    Board {
        name: "virt",
        targets: &["riscv64-unknown-none-elf"],
        memory: Memory::Ram(Region { origin: 0x8000_0000, length: 64 * MIB }),
        stack_size: 8 * MIB,
        emulator: "qemu-system-riscv64",
        machine: &["-M", "virt", "-bios", "none"],
    },
];

impl Board {
    /// The board with this name that runs the target's code, or the target's default without a name.
    ///
    /// # Errors
    /// [`Error::UnknownBoard`] if there is none.
    pub fn find(name: Option<&str>, target: &Target) -> Result<&'static Board, Error> {
        let mut boards = BOARDS.iter().filter(|board| board.runs(target));
        boards.find(|board| name.is_none_or(|name| board.name == name)).ok_or_else(|| Error::UnknownBoard {
            board: name.map(str::to_owned),
            triple: target.triple().to_owned(),
            known: Board::names(target),
        })
    }

    /// The boards that run a target's code, the default first.
    pub fn names(target: &Target) -> Vec<&'static str> {
        BOARDS.iter().filter(|board| board.runs(target)).map(|board| board.name).collect()
    }

    fn runs(&self, target: &Target) -> bool {
        self.targets.iter().any(|triple| Target::from_triple(triple).is_ok_and(|listed| listed == *target))
    }

    /// The linker script for programs of the target.
    pub fn linker_script(&self, target: &Target) -> String {
        let mut script = String::new();
        let (regions, code, data, ram) = match self.memory {
            Memory::FlashAndRam { flash, ram } => {
                (vec![("FLASH", "rx", flash), ("RAM", "rwx", ram)], "> FLASH", "> RAM AT > FLASH", ram)
            }
            Memory::Ram(ram) => (vec![("RAM", "rwx", ram)], "> RAM", "> RAM", ram),
        };
        let mut line = |text: String| {
            script.push_str(&text);
            script.push('\n');
        };
        line(format!("ENTRY({})\nMEMORY {{", entry_point(target)));
        for (name, access, Region { origin, length }) in regions {
            line(format!("  {name} ({access}) : ORIGIN = {origin:#x}, LENGTH = {length:#x}"));
        }
        line("}".to_owned());
        let sections = SECTIONS.replace("CODE", code).replace("DATA", data);
        let end = ram.origin + ram.length;
        let _ = write!(script, "{sections}");
        let _ = writeln!(script, "__ram_start = {:#x};\n__ram_end = {end:#x};\n__stack_top = {end:#x};", ram.origin);
        let _ = writeln!(script, "__heap_end = {:#x};", end - self.stack_size);
        script
    }
}

/// The entry symbol of programs for the target.
pub(super) fn entry_point(target: &Target) -> &'static str {
    match target.architecture() {
        Architecture::Thumb => "Reset_Handler",
        _ => "_start",
    }
}

/// The order of sections. `CODE` and `DATA` stand for regions. Vector tables come first, under their usual section
/// names.
const SECTIONS: &str = "SECTIONS {
  .text : {
    KEEP(*(.vectors .vectors.* .vector .vector.* .vector_table .isr_vector .isr_vector.* .reset))
    KEEP(*(.text.start))
    *(.text .text.*)
    *(.rodata .rodata.*)
    *(.srodata .srodata.*)
    . = ALIGN(8);
    __init_array_start = .;
    KEEP(*(SORT_BY_INIT_PRIORITY(.init_array.*)))
    KEEP(*(.init_array))
    __init_array_end = .;
  } CODE
  .data : ALIGN(8) {
    __data_start = .;
    *(.data .data.*)
    *(.got .got.plt)
    __global_pointer$ = . + 0x800;
    *(.sdata .sdata.*)
    . = ALIGN(8);
    __data_end = .;
  } DATA
  __data_load = LOADADDR(.data);
  .bss (NOLOAD) : ALIGN(8) {
    __bss_start = .;
    *(.sbss .sbss.*)
    *(.bss .bss.*)
    *(COMMON)
    . = ALIGN(8);
    __bss_end = .;
  } > RAM
  .noinit (NOLOAD) : ALIGN(8) {
    *(.noinit .noinit.*)
    . = ALIGN(16);
    __heap_start = .;
  } > RAM
  /DISCARD/ : { *(.ARM.exidx .ARM.exidx.* .ARM.extab .ARM.extab.* .eh_frame .note.*) }
}
";

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn every_board_is_for_targets_that_there_are() {
        for board in BOARDS {
            for triple in board.targets {
                let target = Target::from_triple(triple).unwrap();
                assert_eq!(Board::find(Some(board.name), &target).unwrap().name, board.name);
            }
        }
    }

    #[test]
    fn boards_are_found_by_name_and_target() {
        let target = Target::from_triple("thumbv7em-none-eabi").unwrap();
        assert_eq!(Board::find(None, &target).unwrap().name, "mps2-an386");
        let error = Board::find(Some("microbit"), &target).unwrap_err();
        assert!(error.to_string().contains("'microbit'"), "{error}");
    }
}

//! Parses the spellings of target triples in the wild (clang's, rustc's, Swift's) to a [`Target`] each.

use std::str::FromStr;

use target_lexicon::{
    Architecture as Arch, BinaryFormat, DeploymentTarget, Environment as Env, OperatingSystem, Riscv32Architecture,
    Triple, Vendor,
};

use super::{Architecture, Environment, System, Target};

/// The first macOS for Apple's own chips: the version of a triple without one.
const OLDEST_MACOS: DeploymentTarget = DeploymentTarget { major: 11, minor: 0, patch: 0 };

/// Parses a triple. `None` for unsupported targets.
pub(super) fn parse(text: &str) -> Option<Target> {
    let parsed = Triple::from_str(&usual_spelling(text)).ok()?;
    let architecture = architecture(&parsed)?;
    let system = system(&parsed)?;
    let environment = environment(&parsed, architecture, system);
    let triple = match (architecture, system) {
        (Architecture::Aarch64, System::BareMetal) if environment == Environment::MachO => {
            "arm64-apple-none-macho".to_owned()
        }
        (Architecture::X86_64, System::Linux) => format!("x86_64-unknown-linux-{}", c_library(environment)),
        (Architecture::Aarch64, System::Linux) => format!("aarch64-unknown-linux-{}", c_library(environment)),
        (Architecture::Riscv64, System::Linux) => format!("riscv64-unknown-linux-{}", c_library(environment)),
        (Architecture::Arm, System::Linux) => {
            format!("{}-unknown-linux-{}", parsed.architecture, c_library(environment))
        }
        (Architecture::Thumb, System::BareMetal) => {
            format!("{}-none-unknown-{}", parsed.architecture, float_convention(environment))
        }
        (Architecture::Arm, System::BareMetal) => {
            format!("{}-none-unknown-{}", parsed.architecture, float_convention(environment))
        }
        (Architecture::X86_64, System::BareMetal) => "x86_64-unknown-none-elf".to_owned(),
        (Architecture::I386, System::BareMetal) => "i686-unknown-none-elf".to_owned(),
        (Architecture::Aarch64, System::BareMetal) => "aarch64-unknown-none-elf".to_owned(),
        (Architecture::Riscv32, System::BareMetal) => match parsed.architecture {
            Arch::Riscv32(Riscv32Architecture::Riscv32imc) => "riscv32imc-unknown-none-elf".to_owned(),
            _ => "riscv32-unknown-none-elf".to_owned(),
        },
        (Architecture::Riscv64, System::BareMetal) => "riscv64-unknown-none-elf".to_owned(),
        (Architecture::Wasm32, System::BareMetal) => "wasm32-unknown-unknown".to_owned(),
        (Architecture::Wasm64, System::BareMetal) => "wasm64-unknown-unknown".to_owned(),
        (Architecture::Wasm32, System::Wasi) => "wasm32-unknown-wasip1".to_owned(),
        (Architecture::X86_64, System::MacOs) => format!("x86_64-apple-macosx{}", macos_version(&parsed)),
        (Architecture::Aarch64, System::MacOs) => format!("arm64-apple-macosx{}", macos_version(&parsed)),
        (Architecture::X86_64, System::Windows) => "x86_64-unknown-windows-msvc".to_owned(),
        (Architecture::Aarch64, System::Windows) => "aarch64-unknown-windows-msvc".to_owned(),
        _ => return None,
    };
    Some(Target { triple, architecture, system, environment })
}

/// Normalises spellings that the triple parser does not know: `none` as the vendor, and M-profile cores called `arm`,
/// which only run Thumb code. Linux on `arm` is at least version 6.
fn usual_spelling(text: &str) -> String {
    let mut parts: Vec<&str> = text.split('-').collect();
    if parts.len() == 4 && parts[1] == "none" {
        parts[1] = "unknown";
    }
    if parts[0] == "arm" && parts.contains(&"linux") {
        parts[0] = "armv6";
    }
    let thumb;
    if let Some(version) = parts[0].strip_prefix("armv")
        && (version.starts_with("8m") || version.starts_with("8.1m") || matches!(version, "6m" | "7m" | "7em"))
    {
        thumb = format!("thumbv{version}");
        parts[0] = &thumb;
    }
    parts.join("-")
}

fn architecture(triple: &Triple) -> Option<Architecture> {
    Some(match triple.architecture {
        Arch::X86_64 => Architecture::X86_64,
        Arch::X86_32(_) => Architecture::I386,
        Arch::Aarch64(target_lexicon::Aarch64Architecture::Aarch64) => Architecture::Aarch64,
        Arch::Arm(arm) if arm.endianness() == target_lexicon::Endianness::Little => {
            if arm.is_thumb() {
                Architecture::Thumb
            } else {
                Architecture::Arm
            }
        }
        Arch::Riscv32(
            Riscv32Architecture::Riscv32 | Riscv32Architecture::Riscv32imac | Riscv32Architecture::Riscv32imc,
        ) => Architecture::Riscv32,
        Arch::Riscv64(_) => Architecture::Riscv64,
        Arch::Wasm32 => Architecture::Wasm32,
        Arch::Wasm64 => Architecture::Wasm64,
        _ => return None,
    })
}

fn system(triple: &Triple) -> Option<System> {
    let is_apple = triple.vendor == Vendor::Apple;
    Some(match triple.operating_system {
        OperatingSystem::Linux if triple.environment != Env::Android => System::Linux,
        OperatingSystem::MacOSX(_) | OperatingSystem::Darwin(_) if is_apple => System::MacOs,
        OperatingSystem::Windows if triple.environment == Env::Msvc => System::Windows,
        OperatingSystem::Wasi | OperatingSystem::WasiP1 => System::Wasi,
        OperatingSystem::None_ if is_apple && triple.binary_format == BinaryFormat::Macho => System::BareMetal,
        OperatingSystem::None_ | OperatingSystem::Unknown if !is_apple => System::BareMetal,
        _ => return None,
    })
}

fn environment(triple: &Triple, architecture: Architecture, system: System) -> Environment {
    let is_arm = matches!(architecture, Architecture::Arm | Architecture::Thumb);
    match triple.environment {
        Env::Musl => Environment::Musl,
        Env::Musleabi if is_arm => Environment::MuslSoftFloat,
        Env::Musleabihf if is_arm => Environment::MuslHardFloat,
        Env::Gnueabihf | Env::Eabihf if is_arm => Environment::HardFloat,
        _ if is_arm => Environment::SoftFloat,
        _ if system == System::BareMetal && triple.binary_format == BinaryFormat::Macho => Environment::MachO,
        _ => Environment::Default,
    }
}

fn c_library(environment: Environment) -> &'static str {
    match environment {
        Environment::Default | Environment::MachO => "gnu",
        Environment::Musl => "musl",
        Environment::SoftFloat => "gnueabi",
        Environment::HardFloat => "gnueabihf",
        Environment::MuslSoftFloat => "musleabi",
        Environment::MuslHardFloat => "musleabihf",
    }
}

fn float_convention(environment: Environment) -> &'static str {
    match environment {
        Environment::HardFloat | Environment::MuslHardFloat => "eabihf",
        _ => "eabi",
    }
}

fn macos_version(triple: &Triple) -> String {
    let version = match triple.operating_system {
        OperatingSystem::MacOSX(version) => version.unwrap_or(OLDEST_MACOS),
        _ => OLDEST_MACOS,
    };
    format!("{}.{}.{}", version.major, version.minor, version.patch)
}

//! The CPU and feature names that LLVM 22 knows. LLVM must never see an unknown one, since it would print to standard
//! error, or end the process if a CPU cannot run the target's code.
//!
//! The lists in `processors/` are those that `llc -mattr=help` prints for each architecture, without the names of modes
//! and of CPUs that `llc` then rejects for the target.

use sil_text::syntax::suggestion::closest;

use super::{Architecture, Target};
use crate::Error;

struct Names {
    cpus: &'static str,
    features: &'static str,
}

macro_rules! names {
    ($cpus:literal, $features:literal) => {
        Names {
            cpus: include_str!(concat!("processors/", $cpus, ".cpus")),
            features: include_str!(concat!("processors/", $features, ".features")),
        }
    };
}

fn names(architecture: Architecture) -> Names {
    match architecture {
        Architecture::X86_64 => names!("x86_64", "x86_64"),
        Architecture::I386 => names!("i386", "x86_64"),
        Architecture::Aarch64 => names!("aarch64", "aarch64"),
        Architecture::Arm | Architecture::Thumb => names!("arm", "arm"),
        Architecture::Riscv32 => names!("riscv32", "riscv32"),
        Architecture::Riscv64 => names!("riscv64", "riscv64"),
        Architecture::Wasm32 | Architecture::Wasm64 => names!("wasm", "wasm"),
    }
}

impl Target {
    /// The CPU names that `--cpu` accepts for this target, in alphabetical order.
    pub fn cpus(&self) -> impl Iterator<Item = &'static str> {
        names(self.architecture()).cpus.lines()
    }

    /// The features that can be enabled with `+name` and disabled with `-name`, in alphabetical order.
    pub fn features(&self) -> impl Iterator<Item = &'static str> {
        names(self.architecture()).features.lines()
    }

    pub(super) fn check_cpu(&self, cpu: &str) -> Result<(), Error> {
        if self.cpus().any(|known| known == cpu) {
            return Ok(());
        }
        Err(Error::UnknownCpu {
            cpu: cpu.to_owned(),
            triple: self.triple().to_owned(),
            similar: closest(cpu, self.cpus()).map(str::to_owned),
        })
    }

    pub(super) fn check_feature(&self, feature: &str) -> Result<(), Error> {
        let name = feature.strip_prefix(['+', '-']);
        if name.is_some_and(|name| self.features().any(|known| known == name)) {
            return Ok(());
        }
        let sign = if feature.starts_with('-') { "-" } else { "+" };
        let similar = closest(name.unwrap_or(feature), self.features()).map(|known| format!("{sign}{known}"));
        Err(Error::UnknownFeature { feature: feature.to_owned(), triple: self.triple().to_owned(), similar })
    }
}

//! clang's arguments for a target, so that it uses the same types, conventions and macros as code generation.

use std::path::Path;

use super::{Architecture, Machine, System};

impl Machine {
    /// Returns the arguments that make clang compile C for the same target, with the headers of the system under
    /// `sysroot`. Without one, foreign targets have no system headers, only clang's own.
    pub fn clang_arguments(&self, sysroot: Option<&Path>) -> Vec<String> {
        let target = self.target();
        let mut arguments = vec![format!("--target={}", target.llvm_triple())];
        let marches = matches!(target.architecture(), Architecture::Riscv32 | Architecture::Riscv64);
        match (target.architecture(), target.system()) {
            (Architecture::Riscv32, _) => {
                let instructions = if target.lacks_riscv_atomics() { "rv32imc" } else { "rv32imac" };
                arguments.extend([format!("-march={instructions}"), "-mabi=ilp32".to_owned()]);
            }
            (Architecture::Riscv64, System::Linux) => {
                arguments.extend(["-march=rv64gc".to_owned(), "-mabi=lp64d".to_owned()]);
            }
            (Architecture::Riscv64, _) => arguments.extend(["-march=rv64imac".to_owned(), "-mabi=lp64".to_owned()]),
            _ => {}
        }
        if self.options().cpu.is_some() && !marches {
            let flag = if matches!(target.architecture(), Architecture::X86_64 | Architecture::I386) {
                "-march"
            } else {
                "-mcpu"
            };
            arguments.push(format!("{flag}={}", self.cpu()));
        }
        for feature in &self.options().features {
            arguments.extend(["-Xclang", "-target-feature", "-Xclang", feature].map(str::to_owned));
        }
        arguments.push(if self.is_position_independent() { "-fPIC" } else { "-fno-pic" }.to_owned());
        match sysroot {
            Some(sysroot) => {
                arguments.push(format!("--sysroot={}", sysroot.display()));
                // clang itself does not search this folder since the system has versions.
                let unversioned = sysroot.join("include/wasm32-wasi");
                if target.system() == System::Wasi && unversioned.is_dir() {
                    arguments.push(format!("-isystem{}", unversioned.display()));
                }
            }
            None if target.is_host() => {}
            None => arguments.push("-nostdlibinc".to_owned()),
        }
        arguments
    }
}

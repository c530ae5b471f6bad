//! LLVM's code generator for a target, created from checked input only, so that LLVM has nothing to reject.

use inkwell::OptimizationLevel as CodeGenerationLevel;
use inkwell::module::Module;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target as LlvmTarget, TargetData, TargetMachine, TargetMachineOptions,
    TargetTriple,
};

use super::OptimizationLevel;
use super::{Architecture, Environment, System, Target};
use crate::Error;
use crate::llvm::fatal;

/// The options of code generation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MachineOptions {
    /// A CPU name of the target (`Target::cpus`), or `native` for the host's own; the target's baseline by default.
    pub cpu: Option<String>,
    /// Features, each `+name` or `-name` (`Target::features`).
    pub features: Vec<String>,
    /// The optimisation level of code generation.
    pub optimization: OptimizationLevel,
    /// Whether code is position independent.
    pub relocation: Relocation,
}

/// Whether code is position independent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Relocation {
    /// The target's default: position independent under an operating system, fixed on bare metal.
    #[default]
    Usual,
    /// Position independent: shared libraries and position independent executables.
    PositionIndependent,
    /// At fixed addresses.
    Static,
}

/// LLVM's code generator, ready for one target, CPU and optimisation level.
#[derive(Debug)]
pub struct Machine {
    machine: TargetMachine,
    data: TargetData,
    target: Target,
    cpu: String,
    features: String,
    options: MachineOptions,
}

impl Target {
    /// Creates the code generator. Fails for CPUs and features that the target does not have.
    pub fn machine(&self, options: &MachineOptions) -> Result<Machine, Error> {
        fatal::install_handler();
        initialize(self.architecture());
        let (cpu, features) = self.processor(options)?;
        let level = match options.optimization {
            OptimizationLevel::O0 => CodeGenerationLevel::None,
            OptimizationLevel::O1 => CodeGenerationLevel::Less,
            OptimizationLevel::O2 | OptimizationLevel::Os | OptimizationLevel::Oz => CodeGenerationLevel::Default,
            OptimizationLevel::O3 => CodeGenerationLevel::Aggressive,
        };
        let mut llvm_options = TargetMachineOptions::new()
            .set_cpu(&cpu)
            .set_features(&features)
            .set_level(level)
            .set_reloc_mode(self.relocation_mode(options.relocation))
            .set_code_model(self.code_model());
        if let Some(abi) = self.abi() {
            llvm_options = llvm_options.set_abi(abi);
        }
        let triple = TargetTriple::create(&self.llvm_triple());
        let machine = LlvmTarget::from_triple(&triple)
            .map_err(|message| Error::Internal(format!("LLVM has no target '{}': {message}", self.triple())))?
            .create_target_machine_from_options(&triple, llvm_options)
            .ok_or_else(|| Error::Internal(format!("LLVM makes no code generator for '{}'", self.triple())))?;
        let data = machine.get_target_data();
        Ok(Machine { machine, data, target: self.clone(), cpu, features, options: options.clone() })
    }

    /// Returns the CPU and the comma-separated features for code generation.
    fn processor(&self, options: &MachineOptions) -> Result<(String, String), Error> {
        let mut features: Vec<String> = self.baseline_features().iter().map(|&feature| feature.to_owned()).collect();
        let cpu = match options.cpu.as_deref() {
            None => self.baseline_cpu(options.optimization).to_owned(),
            Some("native") if self.is_host() => {
                features = known_host_features(self);
                TargetMachine::get_host_cpu_name().to_string()
            }
            Some(cpu) => {
                self.check_cpu(cpu)?;
                // A CPU has its own features.
                features.clear();
                cpu.to_owned()
            }
        };
        for feature in &options.features {
            self.check_feature(feature)?;
            features.push(feature.clone());
        }
        Ok((cpu, features.join(",")))
    }

    /// Returns the processor whose scheduling model LLVM uses if the user names none. For speed it is swiftc's choice,
    /// so that non-volatile device accesses have the same order as with swiftc. For size it is the generic one, since
    /// scheduling increases code size.
    fn baseline_cpu(&self, optimization: OptimizationLevel) -> &'static str {
        let is_for_size = matches!(optimization, OptimizationLevel::Os | OptimizationLevel::Oz);
        match (self.architecture(), self.system()) {
            (Architecture::Thumb, _) if self.triple().starts_with("thumbv7em") && !is_for_size => "cortex-m4",
            (Architecture::Thumb, _) if self.triple().starts_with("thumbv7m") && !is_for_size => "cortex-m3",
            (Architecture::X86_64, _) => "x86-64",
            (Architecture::I386, _) => "pentium4",
            // The first processor of this version that runs Linux: the first Raspberry Pi's.
            (Architecture::Arm, System::Linux) if self.triple().starts_with("armv6") => "arm1176jzf-s",
            (Architecture::Aarch64, System::MacOs) => "apple-m1",
            (Architecture::Riscv32, _) => "generic-rv32",
            (Architecture::Riscv64, _) => "generic-rv64",
            (
                Architecture::Aarch64
                | Architecture::Arm
                | Architecture::Thumb
                | Architecture::Wasm32
                | Architecture::Wasm64,
                _,
            ) => "generic",
        }
    }

    /// The features of the baseline beyond its CPU, as clang and rustc assume for the same triples.
    fn baseline_features(&self) -> &'static [&'static str] {
        match (self.architecture(), self.system(), self.environment()) {
            // `cmpxchg16b` for pairs of words, which Swift requests from clang (lib/ClangImporter/ClangImporter.cpp).
            (Architecture::X86_64, _, _) => &["+cx16"],
            (Architecture::Riscv64, System::Linux, _) => &["+m", "+a", "+f", "+d", "+c"],
            (Architecture::Riscv32, _, _) if self.lacks_riscv_atomics() => &["+m", "+c"],
            (Architecture::Riscv32 | Architecture::Riscv64, _, _) => &["+m", "+a", "+c"],
            (Architecture::Thumb, _, Environment::HardFloat) => &["+vfp4d16sp"],
            (Architecture::Thumb, _, _) => &["-fpregs"],
            // Addresses must be aligned until start-up code has configured memory.
            (Architecture::Arm, System::BareMetal, Environment::HardFloat) => {
                &["+vfp3d16", "-d32", "-neon", "+strict-align"]
            }
            (Architecture::Arm, System::BareMetal, _) => &["+soft-float", "-neon", "+strict-align"],
            (Architecture::Arm, System::Linux, _) if self.triple().starts_with("armv6") => &["+vfp2"],
            // Linux's processors have it, regardless of the registers in which numbers are passed.
            (Architecture::Arm, System::Linux, _) => &["+vfp3d16", "-d32", "-neon"],
            _ => &[],
        }
    }

    /// Returns the name of the calling convention, if the triple does not determine it.
    fn abi(&self) -> Option<&'static str> {
        match (self.architecture(), self.system()) {
            (Architecture::Riscv64, System::Linux) => Some("lp64d"),
            (Architecture::Riscv64, _) => Some("lp64"),
            (Architecture::Riscv32, _) => Some("ilp32"),
            _ => None,
        }
    }

    /// Returns the code model. The memory of boards with 64-bit RISC-V is out of reach of signed 32-bit numbers.
    fn code_model(&self) -> CodeModel {
        match (self.architecture(), self.system()) {
            (Architecture::Riscv64, System::BareMetal) => CodeModel::Medium,
            _ => CodeModel::Default,
        }
    }

    fn relocation_mode(&self, relocation: Relocation) -> RelocMode {
        match (relocation, self.system()) {
            (Relocation::PositionIndependent, _)
            | (Relocation::Usual, System::Linux | System::MacOs | System::Windows) => RelocMode::PIC,
            (Relocation::Static, _) | (Relocation::Usual, System::BareMetal | System::Wasi) => RelocMode::Static,
        }
    }
}

/// Returns the host's features, without unknown ones.
fn known_host_features(target: &Target) -> Vec<String> {
    let features = TargetMachine::get_host_cpu_features().to_string();
    features.split(',').filter(|feature| target.check_feature(feature).is_ok()).map(str::to_owned).collect()
}

/// Loads LLVM's back end for an architecture; cheap to repeat.
fn initialize(architecture: Architecture) {
    let config = InitializationConfig::default();
    match architecture {
        Architecture::X86_64 | Architecture::I386 => LlvmTarget::initialize_x86(&config),
        Architecture::Aarch64 => LlvmTarget::initialize_aarch64(&config),
        Architecture::Arm | Architecture::Thumb => LlvmTarget::initialize_arm(&config),
        Architecture::Riscv32 | Architecture::Riscv64 => LlvmTarget::initialize_riscv(&config),
        Architecture::Wasm32 | Architecture::Wasm64 => LlvmTarget::initialize_webassembly(&config),
    }
}

impl Machine {
    /// The target it generates code for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The CPU it generates code for, in the format of the function attribute `target-cpu`.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// The features it relies on, in the format of the function attribute `target-features`; may be empty.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// Returns whether code is position independent.
    pub(super) fn is_position_independent(&self) -> bool {
        self.target.relocation_mode(self.options.relocation) == RelocMode::PIC
    }

    /// The optimisation level of code generation.
    pub fn optimization(&self) -> OptimizationLevel {
        self.options.optimization
    }

    /// Returns whether LLVM uses its fast instruction selection for x86-64, which supports fewer instructions than
    /// others.
    pub(crate) fn has_fast_selection(&self) -> bool {
        self.optimization() == OptimizationLevel::O0 && self.target.architecture() == Architecture::X86_64
    }

    /// Its options: code generators are for one thread each, and another one is created from these.
    pub fn options(&self) -> &MachineOptions {
        &self.options
    }

    /// Size of a pointer in bytes, by LLVM's data layout.
    pub fn pointer_size(&self) -> u32 {
        self.data.get_pointer_byte_size(None)
    }

    /// Sets the module's triple and data layout, before anything is built into it.
    pub(crate) fn prepare_module(&self, module: &Module<'_>) {
        module.set_triple(&self.machine.get_triple());
        module.set_data_layout(&self.data.get_data_layout());
    }

    pub(crate) fn llvm(&self) -> &TargetMachine {
        &self.machine
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn options(cpu: &str, features: &[&str]) -> MachineOptions {
        MachineOptions {
            cpu: Some(cpu.to_owned()),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            ..MachineOptions::default()
        }
    }

    #[test]
    fn unknown_processors_are_errors_with_a_suggestion() {
        let target = Target::from_triple("x86_64-unknown-linux-gnu").unwrap();
        let error = target.machine(&options("skylaek", &[])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown CPU 'skylaek' for target 'x86_64-unknown-linux-gnu'; did you mean 'skylake'?"
        );
        let error = target.machine(&options("skylake", &["+avx22"])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown feature '+avx22' for target 'x86_64-unknown-linux-gnu' (write +name or -name); did you mean \
             '+avx2'?"
        );
        assert!(target.machine(&options("skylake", &["avx2"])).is_err());
        assert!(target.machine(&options("skylake", &["+avx2", "-bmi2"])).is_ok());
        assert!(target.machine(&options("i386", &[])).is_err(), "a CPU without 64-bit code");
        assert!(target.machine(&options("native", &[])).is_ok());
    }
}

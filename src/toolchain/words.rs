//! The options of a frontend's command line: the number of values of each, and its meaning for a job that makes
//! objects. A table after include/swift/Option/Options.td and FrontendOptions.td.
//!
//! Does not own: the treatment of the options in a job (`job.rs`). Options that are not in the table only concern the
//! frontend: they change the SIL, or do not affect code.

/// The meaning of an option for a job that makes objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The job makes objects.
    MakeObjects,
    /// A primary file: it is compiled, while the module's other files are only parsed.
    Primary,
    /// A file list of primary files, one per line.
    PrimaryList,
    /// An object path.
    Output,
    /// A file list of object paths, one per line.
    OutputList,
    /// An output other than objects.
    Beside(Values),
    /// The file of the compiled module to write.
    Module,
    /// An output that only comes with a compiled module.
    BesideModule(Values),
    /// The dependency file to write.
    Dependencies,
    /// The supplementary output map.
    OutputMap,
    /// A file list of the module's files, one per line.
    SourceList,
    /// The folder of the index store.
    IndexStore,
    /// The name of an object in the index.
    IndexUnit,
    /// The number of threads.
    Threads,
    /// The optimisation level, as silc spells it.
    Level(&'static str),
    /// Requests debug information.
    Debug,
    /// An option that silc takes with the same value, as silc spells it.
    Taken(&'static str),
    /// The same, with a joined value.
    TakenJoined(&'static str),
    /// A language feature.
    Feature,
    /// The toolchain's resource folder.
    Resources,
    /// An option with a value that only concerns the frontend.
    FrontendValue,
    /// A request for the code that silc does not support.
    NotHonoured(Values),
}

/// The number of separate values after an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// No value.
    None,
    /// One value.
    One,
}

impl Meaning {
    /// Returns the number of separate values.
    pub fn values(self) -> Values {
        match self {
            Self::MakeObjects | Self::Level(_) | Self::Debug | Self::TakenJoined(_) => Values::None,
            Self::Beside(values) | Self::BesideModule(values) | Self::NotHonoured(values) => values,
            _ => Values::One,
        }
    }
}

/// Returns the meaning of an option, or `None` for files and for options without a value that only concern the
/// frontend.
pub fn meaning(word: &str) -> Option<Meaning> {
    use Meaning::*;
    let name = word.strip_prefix('-')?;
    Some(match name {
        "c" | "emit-object" => MakeObjects,
        "primary-file" => Primary,
        "primary-filelist" => PrimaryList,
        "o" => Output,
        "output-filelist" => OutputList,
        "emit-dependencies-path" => Dependencies,
        "supplementary-output-file-map" => OutputMap,
        "emit-module-path" => Module,
        "emit-module-doc" | "emit-objc-header" => BesideModule(Values::None),
        "filelist" => SourceList,
        "index-store-path" => IndexStore,
        "index-unit-output-path" => IndexUnit,
        "num-threads" => Threads,
        "Onone" | "disable-llvm-optzns" => Level("-O0"),
        "O" | "Ounchecked" => Level("-O2"),
        "Osize" => Level("-Os"),
        "g" | "gdwarf-types" => Debug,
        "target" => Taken("--target"),
        "target-cpu" => Taken("--cpu"),
        "module-name" => Taken("--module-name"),
        "I" => Taken("-I"),
        "Xcc" => Taken("--c-flag"),
        "import-objc-header" | "import-bridging-header" => Taken("--import-header"),
        "debug-prefix-map" | "file-prefix-map" => Taken("--debug-prefix-map"),
        "assume-single-threaded" => TakenJoined("--assume-single-threaded"),
        "enable-experimental-feature" => Feature,
        "resource-dir" => Resources,
        "Xllvm" | "Xfrontend" | "Xclang-linker" | "Xlinker" | "D" | "F" | "Fsystem" | "Isystem" | "sdk" | "sysroot" => {
            FrontendValue
        }
        _ if MADE_BESIDE.contains(&name) => Beside(Values::One),
        _ if MADE_BESIDE_MODULE.contains(&name) => BesideModule(Values::One),
        _ if ASKED_BESIDE.contains(&name) => Beside(Values::None),
        _ if NOT_HONOURED_WITH_VALUE.contains(&name) => NotHonoured(Values::One),
        _ if NOT_HONOURED.contains(&name) => NotHonoured(Values::None),
        _ if NOT_HONOURED_JOINED.iter().any(|beginning| name.starts_with(beginning)) => NotHonoured(Values::None),
        _ if name.len() > 1 && name.starts_with('I') => TakenJoined("-I"),
        _ => return None,
    })
}

/// Outputs other than objects, each with its path.
const MADE_BESIDE: &[&str] = &[
    "emit-const-values-path",
    "emit-fixits-path",
    "emit-loaded-module-trace-path",
    "emit-reference-dependencies-path",
    "emit-symbol-graph-dir",
    "index-unit-output-path-filelist",
    "save-optimization-record-path",
    "serialize-diagnostics-path",
    "stats-output-dir",
];

/// Outputs that only come with a compiled module, each with its path (lib/Frontend/FrontendOptions.cpp,
/// `canActionEmitModule` and its callees).
const MADE_BESIDE_MODULE: &[&str] = &[
    "emit-abi-descriptor-path",
    "emit-api-descriptor-path",
    "emit-clang-header-path",
    "emit-module-doc-path",
    "emit-module-interface-path",
    "emit-module-semantic-info-path",
    "emit-module-source-info-path",
    "emit-module-summary-path",
    "emit-objc-header-path",
    "emit-package-module-interface-path",
    "emit-private-module-interface-path",
    "emit-tbd-path",
];

/// Outputs other than objects, whose paths the frontend chooses.
const ASKED_BESIDE: &[&str] = &[
    "emit-dependencies",
    "emit-loaded-module-trace",
    "emit-reference-dependencies",
    "serialize-diagnostics",
    "index-ignore-clang-modules",
    "index-ignore-stdlib",
    "index-ignore-system-modules",
    "index-include-locals",
    "index-system-modules",
];

/// Requests for the code that silc does not support.
const NOT_HONOURED: &[&str] = &[
    "cs-profile-generate",
    "disable-reflection-metadata",
    "embed-bitcode",
    "embed-bitcode-marker",
    "enable-cxx-interop",
    "enable-experimental-cxx-interop",
    "enable-llvm-vfe",
    "enable-llvm-wme",
    "enable-objc-interop",
    "enable-stack-protector",
    "force-public-linkage",
    "gline-tables-only",
    "internalize-at-link",
    "ir-profile-generate",
    "mergeable-symbols",
    "profile-coverage-mapping",
    "profile-generate",
    "reflection-metadata-for-debugger-only",
    "stack-check",
];

/// The same, with a value.
const NOT_HONOURED_WITH_VALUE: &[&str] = &["module-abi-name", "target-variant", "trap-function"];

/// Prefixes of the same, with a joined value.
const NOT_HONOURED_JOINED: &[&str] = &[
    "cs-profile-generate=",
    "cxx-interoperability-mode=",
    "debug-info-format=codeview",
    "ir-profile-generate=",
    "ir-profile-use=",
    "lto=",
    "profile-sample-use=",
    "profile-use=",
    "sanitize=",
    "sanitize-coverage=",
    "sanitize-recover=",
];

//! The words of a frontend's command line: how many a word takes, and what it means to a job that makes objects. A table of facts, after
//! include/swift/Option/Options.td and FrontendOptions.td.
//!
//! Does not own what a job does with them (`job.rs`). A word that the table lacks is the frontend's alone: it changes SIL, or nothing of the code.

/// What a word is to a job that makes objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The job makes objects.
    MakeObjects,
    /// A file whose code is made, where the module's other files are only looked at.
    Primary,
    /// A file with the names of such files, a line each.
    PrimaryList,
    /// Where an object goes.
    Output,
    /// A file with the names of objects, a line each.
    OutputList,
    /// Something that is made beside objects.
    Beside(Values),
    /// The file that says which files the job depends on.
    Dependencies,
    /// The file that says where what is made beside objects goes.
    OutputMap,
    /// A file with the names of the module's files, a line each.
    SourceList,
    /// The folder of the index that is made beside objects.
    IndexStore,
    /// What the index calls an object.
    IndexUnit,
    /// How many threads make objects.
    Threads,
    /// The level of optimisation, as silc spells it.
    Level(&'static str),
    /// Debug information is made.
    Debug,
    /// A word that silc takes with the same value, as silc spells it.
    Taken(&'static str),
    /// The same, with the value joined to it.
    TakenJoined(&'static str),
    /// A feature of the language.
    Feature,
    /// The toolchain's folder of resources.
    Resources,
    /// It takes a value and is the frontend's alone.
    FrontendValue,
    /// It asks of the code what silc does not do.
    NotHonoured(Values),
}

/// How many words follow one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// None does.
    None,
    /// One does.
    One,
}

impl Meaning {
    /// How many values it takes as words of their own.
    pub fn values(self) -> Values {
        match self {
            Self::MakeObjects | Self::Level(_) | Self::Debug | Self::TakenJoined(_) => Values::None,
            Self::Beside(values) | Self::NotHonoured(values) => values,
            _ => Values::One,
        }
    }
}

/// What a word without its value means; none for files and for words that are the frontend's alone and take no value.
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
        _ if ASKED_BESIDE.contains(&name) => Beside(Values::None),
        _ if NOT_HONOURED_WITH_VALUE.contains(&name) => NotHonoured(Values::One),
        _ if NOT_HONOURED.contains(&name) => NotHonoured(Values::None),
        _ if NOT_HONOURED_JOINED.iter().any(|beginning| name.starts_with(beginning)) => NotHonoured(Values::None),
        _ if name.len() > 1 && name.starts_with('I') => TakenJoined("-I"),
        _ => return None,
    })
}

/// Outputs beside objects, each with its path.
const MADE_BESIDE: &[&str] = &[
    "emit-abi-descriptor-path",
    "emit-api-descriptor-path",
    "emit-clang-header-path",
    "emit-const-values-path",
    "emit-fixits-path",
    "emit-loaded-module-trace-path",
    "emit-module-doc-path",
    "emit-module-interface-path",
    "emit-module-path",
    "emit-module-semantic-info-path",
    "emit-module-source-info-path",
    "emit-module-summary-path",
    "emit-objc-header-path",
    "emit-package-module-interface-path",
    "emit-private-module-interface-path",
    "emit-reference-dependencies-path",
    "emit-symbol-graph-dir",
    "emit-tbd-path",
    "index-unit-output-path-filelist",
    "save-optimization-record-path",
    "serialize-diagnostics-path",
    "stats-output-dir",
];

/// Outputs beside objects whose places the frontend chooses.
const ASKED_BESIDE: &[&str] = &[
    "emit-dependencies",
    "emit-loaded-module-trace",
    "emit-module-doc",
    "emit-objc-header",
    "emit-reference-dependencies",
    "serialize-diagnostics",
    "index-ignore-clang-modules",
    "index-ignore-stdlib",
    "index-ignore-system-modules",
    "index-include-locals",
    "index-system-modules",
];

/// What asks of the code what silc does not do.
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

/// The same, of words that take a value.
const NOT_HONOURED_WITH_VALUE: &[&str] = &["module-abi-name", "target-variant", "trap-function"];

/// How words begin that carry their value and ask of the code what silc does not do.
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

//! The command line syntax of swift-frontend (include/swift/Option/FrontendOptions.td): options with one dash, values
//! after `=` or as the next word. Unsupported options that change the code are errors.

use std::ffi::OsString;

use sil::transform::ConcurrencyChecking;

use crate::misuse::Misuse;

/// The output of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// `-emit-silgen`: SIL as it was read.
    PrintRaw,
    /// `-emit-sil`.
    PrintCanonical,
    /// `-emit-ir`.
    Ir,
    /// `-emit-irgen`: LLVM IR before LLVM's passes.
    UnoptimizedIr,
    /// `-emit-bc`.
    Bitcode,
    /// `-S`.
    Assembly,
    /// `-c`.
    Object,
}

impl Action {
    /// Returns whether the output is text.
    pub fn writes_text(self) -> bool {
        match self {
            Self::PrintRaw | Self::PrintCanonical | Self::Ir | Self::UnoptimizedIr | Self::Assembly => true,
            Self::Bitcode | Self::Object => false,
        }
    }
}

/// The options of a command line, in silc's own terms.
pub struct Options {
    pub action: Action,
    /// The module; `-` is standard input.
    pub input: OsString,
    pub output: Option<OsString>,
    /// The option for the language mode of the module.
    pub mode: OsString,
    /// The level of concurrency checking.
    pub concurrency: ConcurrencyChecking,
    /// The options for printing SIL, as sil-opt spells them.
    pub printing: Vec<OsString>,
    /// The options for code generation.
    pub generating: Vec<OsString>,
    /// The target triple.
    pub target: Option<OsString>,
    /// The optimisation level.
    pub level: Level,
    /// The optimizers that are disabled regardless of the level.
    pub left_out: Vec<Optimizer>,
}

/// The optimisation goal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Level {
    /// No optimisation.
    #[default]
    None,
    /// Speed.
    Speed,
    /// Size.
    Size,
}

/// An optimizer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimizer {
    /// The SIL performance passes.
    Sil,
    /// LLVM's passes.
    Llvm,
}

/// The meaning of an option.
enum Meaning {
    Action(Action),
    /// An optimisation level.
    Level(Level),
    /// Disables an optimizer regardless of the level.
    LeftOut(Optimizer),
    /// Translates to this option of silc.
    Generating(&'static str),
    /// Translates to this option of silc with the same value.
    GeneratingValue(&'static str),
    /// Is followed by an option of sil-opt.
    SilOption,
    Feature,
    Target,
    Exclusivity,
    /// The level of concurrency checking, according to the value.
    Concurrency(fn(&str) -> ConcurrencyChecking),
    Input,
    Output,
    /// No effect: silc behaves as requested, or the controlled feature does not exist.
    WithoutEffect,
    /// The same, with a value.
    ValueWithoutEffect,
}

fn meaning(name: &str) -> Option<Meaning> {
    use Meaning::*;
    Some(match name {
        "emit-silgen" => Action(self::Action::PrintRaw),
        "emit-sil" => Action(self::Action::PrintCanonical),
        "emit-ir" => Action(self::Action::Ir),
        "emit-irgen" => Action(self::Action::UnoptimizedIr),
        "emit-bc" => Action(self::Action::Bitcode),
        "S" | "emit-assembly" => Action(self::Action::Assembly),
        "c" | "emit-object" => Action(self::Action::Object),
        "O" => Level(self::Level::Speed),
        "Onone" => Level(self::Level::None),
        "Osize" => Level(self::Level::Size),
        "disable-llvm-optzns" => LeftOut(Optimizer::Llvm),
        "disable-sil-perf-optzns" => LeftOut(Optimizer::Sil),
        "g" => Generating("-g"),
        "assume-single-threaded" => Generating("--assume-single-threaded"),
        "target" => Target,
        "enforce-exclusivity" => Exclusivity,
        "target-cpu" => GeneratingValue("--cpu"),
        "import-objc-header" => GeneratingValue("--import-header"),
        "I" => GeneratingValue("-I"),
        "Xcc" => GeneratingValue("--c-flag"),
        "Xllvm" => SilOption,
        "enable-experimental-feature" => Feature,
        "primary-file" => Input,
        "o" => Output,
        "frontend"
        | "assume-parsing-unqualified-ownership-sil"
        | "disable-autolinking-runtime-compatibility-concurrency"
        | "disable-autolinking-runtime-compatibility-dynamic-replacements"
        | "disable-availability-checking"
        | "disable-debugger-shadow-copies"
        | "disable-emit-type-malloc-for-coro-frame"
        | "disable-generic-metadata-prespecialization"
        | "disable-legacy-type-info"
        | "disable-objc-attr-requires-foundation-module"
        | "disable-objc-interop"
        | "disable-swift-specific-llvm-optzns"
        | "disable-type-layout"
        | "enable-experimental-concurrency"
        | "enable-ossa-modules"
        | "gnone"
        | "parse-as-library"
        | "parse-sil"
        | "parse-stdlib"
        | "sil-verify-all"
        | "wmo"
        | "whole-module-optimization" => WithoutEffect,
        "F"
        | "enable-upcoming-feature"
        | "module-cache-path"
        | "module-name"
        | "num-threads"
        | "resource-dir"
        | "runtime-compatibility-version"
        | "sdk" => ValueWithoutEffect,
        "strict-concurrency" => Concurrency(ConcurrencyChecking::of_strictness),
        "swift-version" => Concurrency(ConcurrencyChecking::of_language_mode),
        _ => return None,
    })
}

/// Options after `-Xllvm` without effect: they control checks, or passes that do not run on canonical modules here.
const SIL_OPTIONS_WITHOUT_EFFECT: [&str; 3] =
    ["sil-disable-pass", "sil-verify-all", "type-lowering-disable-verification"];

/// Options after `-Xllvm` for printing SIL.
const SIL_PRINTING: [&str; 3] = ["sil-print-types", "emit-sorted-sil", "sil-print-debuginfo"];

/// The options read so far.
#[derive(Default)]
struct Reading {
    action: Option<Action>,
    inputs: Vec<OsString>,
    output: Option<OsString>,
    mode: Mode,
    concurrency: ConcurrencyChecking,
    printing: Vec<OsString>,
    generating: Vec<OsString>,
    target: Option<OsString>,
    level: Level,
    left_out: Vec<Optimizer>,
}

/// The language mode of a module.
#[derive(Clone, Copy, Default)]
enum Mode {
    /// Ordinary Swift.
    #[default]
    Ordinary,
    /// Embedded Swift.
    Embedded,
}

impl Mode {
    /// Returns the option of silc's command line.
    fn word(self) -> &'static str {
        match self {
            Self::Ordinary => "--no-embedded",
            Self::Embedded => "--embedded",
        }
    }
}

/// Parses a command line.
pub fn read(arguments: &[OsString]) -> Result<Options, Misuse> {
    let mut reading = Reading::default();
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        match argument.to_string_lossy().strip_prefix('-').filter(|rest| !rest.is_empty()) {
            Some(rest) => reading.option(rest, &mut left)?,
            None => reading.inputs.push(argument.clone()),
        }
    }
    reading.finish()
}

impl Reading {
    fn option<'a>(&mut self, text: &str, left: &mut impl Iterator<Item = &'a OsString>) -> Result<(), Misuse> {
        let (name, written) = match text.split_once('=') {
            Some((name, value)) => (name, Some(OsString::from(value))),
            None => (text, None),
        };
        let mut value = || {
            let value = written.clone().or_else(|| left.next().cloned());
            value.ok_or_else(|| Misuse::Wrong(format!("'-{name}' needs a value")))
        };
        match meaning(name) {
            Some(Meaning::Action(action)) => self.action = Some(action),
            Some(Meaning::Level(level)) => self.level = level,
            Some(Meaning::LeftOut(optimizer)) => self.left_out.push(optimizer),
            Some(Meaning::Generating(word)) => self.generating.push(word.into()),
            Some(Meaning::GeneratingValue(word)) => {
                let value = value()?;
                self.generating.extend([word.into(), value]);
            }
            Some(Meaning::SilOption) => {
                let value = value()?;
                self.sil_option(value)?;
            }
            // Other features are already visible in the text.
            Some(Meaning::Feature) => {
                if value()? == "Embedded" {
                    self.mode = Mode::Embedded;
                }
            }
            // The last one counts.
            Some(Meaning::Target) => self.target = Some(value()?),
            Some(Meaning::Exclusivity) => {
                if value()? != "checked" {
                    return Err(Misuse::NotYet(format!("the option '{text}'")));
                }
            }
            Some(Meaning::Concurrency(meaning)) => self.concurrency.at_least(meaning(&value()?.to_string_lossy())),
            Some(Meaning::Input) => {
                let value = value()?;
                self.inputs.push(value);
            }
            Some(Meaning::Output) => self.output = Some(value()?),
            Some(Meaning::WithoutEffect) => {}
            Some(Meaning::ValueWithoutEffect) => drop(value()?),
            None => return Err(Misuse::NotYet(format!("the option '-{name}'"))),
        }
        Ok(())
    }

    /// Parses an option after `-Xllvm`.
    fn sil_option(&mut self, option: OsString) -> Result<(), Misuse> {
        let text = option.to_string_lossy();
        let name = text.trim_start_matches('-').split('=').next().unwrap_or_default();
        if SIL_PRINTING.contains(&name) {
            self.printing.push(option);
        } else if !SIL_OPTIONS_WITHOUT_EFFECT.contains(&name) {
            return Err(Misuse::NotYet(format!("the option '{text}'")));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Options, Misuse> {
        let Some(action) = self.action else {
            return Err(Misuse::Wrong("nothing says what to make".to_owned()));
        };
        let input = match self.inputs.len() {
            0 => return Err(Misuse::Wrong("there is no input file".to_owned())),
            1 => self.inputs.swap_remove(0),
            _ => return Err(Misuse::NotYet("more than one input file".to_owned())),
        };
        if action == Action::PrintCanonical && !self.printing.is_empty() {
            return Err(Misuse::NotYet("options of printing with -emit-sil".to_owned()));
        }
        let is_optimized = self.level != Level::None && !self.left_out.contains(&Optimizer::Sil);
        if action == Action::PrintCanonical && is_optimized && self.concurrency != ConcurrencyChecking::Minimal {
            return Err(Misuse::NotYet("checks of concurrency beside optimised SIL".to_owned()));
        }
        let has_headers = self.generating.iter().any(|word| word == "--import-header");
        if has_headers && matches!(action, Action::PrintRaw | Action::PrintCanonical) {
            return Err(Misuse::NotYet("'-import-objc-header' where SIL is printed".to_owned()));
        }
        let Self { output, mode, concurrency, printing, generating, target, level, left_out, .. } = self;
        Ok(Options {
            action,
            input,
            output,
            mode: mode.word().into(),
            concurrency,
            printing,
            generating,
            target,
            level,
            left_out,
        })
    }
}

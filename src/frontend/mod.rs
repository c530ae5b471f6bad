//! `silc frontend`: the command line of swift-frontend for .sil files, so that silc can replace it in build files and
//! tests.
//!
//! Owns: the translation of the options into silc's own. Does not own: the work of `build`, `print` and `opt`.

mod options;

use std::ffi::OsString;

use sil::transform::ConcurrencyChecking;

use crate::arguments::FrontendOptions;
use crate::report::{Reporter, Status};
use options::{Action, Level, Optimizer, Options};

/// Translates a command line of swift-frontend into one of silc. Invalid command lines are reported.
pub fn as_own(arguments: &FrontendOptions, reporter: &Reporter) -> Result<Vec<OsString>, Status> {
    match options::read(&arguments.arguments) {
        Ok(options) => Ok(words(options)),
        Err(misuse) => Err(misuse.report("silc frontend -emit-ir|-emit-sil|-c FILE.sil … [-o OUT]", reporter)),
    }
}

fn words(options: Options) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["silc".into()];
    let output = options.output.clone();
    let emit = match options.action {
        Action::PrintRaw => {
            words.extend(["opt".into(), options.input]);
            words.extend(options.printing);
            words.extend(output.into_iter().flat_map(|output| ["-o".into(), output]));
            return words;
        }
        Action::PrintCanonical if sil_goal(&options).is_some() => "sil",
        Action::PrintCanonical => {
            words.extend(["print".into(), "--stage".into(), "canonical".into(), options.input]);
            words.push(options.mode);
            words.extend(match options.concurrency {
                ConcurrencyChecking::Minimal => None,
                ConcurrencyChecking::Complete => Some("--concurrency=complete".into()),
                ConcurrencyChecking::Swift6 => Some("--concurrency=swift6".into()),
            });
            words.extend(output.into_iter().flat_map(|output| ["-o".into(), output]));
            return words;
        }
        Action::Object => "obj",
        Action::Assembly => "asm",
        Action::Ir | Action::UnoptimizedIr => "llvm-ir",
        Action::Bitcode => "llvm-bc",
    };
    words.extend(["build", "--runtime", "swift", "--emit", emit].map(OsString::from));
    words.push(options.input.clone());
    words.push(options.mode.clone());
    words.extend(options.generating.iter().cloned());
    words.extend(options.target.clone().into_iter().flat_map(|target| ["--target".into(), target]));
    words.extend(optimization(&options).into_iter().map(OsString::from));
    // Text goes to standard output by default.
    let standard = options.action.writes_text().then(|| OsString::from("-"));
    words.extend(output.or(standard).into_iter().flat_map(|output| ["-o".into(), output]));
    words
}

/// Returns the goal of SIL's performance passes in silc's command line, or `None` if they do not run.
fn sil_goal(options: &Options) -> Option<&'static str> {
    match options.level {
        _ if options.left_out.contains(&Optimizer::Sil) => None,
        Level::None => None,
        Level::Speed => Some("speed"),
        Level::Size => Some("size"),
    }
}

/// Returns the options for the optimisation level.
fn optimization(options: &Options) -> Vec<&'static str> {
    let leaves_llvm_out = options.action == Action::UnoptimizedIr || options.left_out.contains(&Optimizer::Llvm);
    let level = match options.level {
        _ if leaves_llvm_out => None,
        Level::None => None,
        Level::Speed => Some("-O2"),
        Level::Size => Some("-Os"),
    };
    match (level, sil_goal(options)) {
        (Some(level), Some(_)) => vec![level],
        (Some(level), None) => vec![level, "--sil-optimizer", "none"],
        (None, Some(goal)) => vec!["--sil-optimizer", goal],
        (None, None) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(line: &str) -> Option<String> {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let words: Vec<OsString> = words(options::read(&arguments).ok()?);
        Some(words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn actions_are_those_of_silc() {
        let build = "silc build --runtime swift --emit";
        assert_eq!(own("-emit-ir a.sil -O"), Some(format!("{build} llvm-ir a.sil --no-embedded -O2 -o -")));
        let goal = "--sil-optimizer speed";
        assert_eq!(own("-emit-irgen a.sil -O"), Some(format!("{build} llvm-ir a.sil --no-embedded {goal} -o -")));
        assert_eq!(own("-emit-sil -O a.sil"), Some(format!("{build} sil a.sil --no-embedded -O2 -o -")));
        assert_eq!(
            own("-c a.sil -Osize -disable-sil-perf-optzns"),
            Some(format!("{build} obj a.sil --no-embedded -Os --sil-optimizer none"))
        );
        assert_eq!(
            own("-frontend -c -primary-file a.sil -target s -Onone -g -target t -o a.o"),
            Some(format!("{build} obj a.sil --no-embedded -g --target t -o a.o"))
        );
        assert_eq!(
            own("-emit-sil a.sil -enable-experimental-feature Embedded"),
            Some("silc print --stage canonical a.sil --embedded".to_owned())
        );
        assert_eq!(
            own("-emit-silgen -Xllvm -sil-print-types a.sil"),
            Some("silc opt a.sil -sil-print-types".to_owned())
        );
    }

    #[test]
    fn what_changes_the_code_is_not_left_out() {
        assert_eq!(own("-emit-ir a.sil -enable-library-evolution"), None);
        assert_eq!(own("-emit-ir a.sil -no-such-flag"), None);
        assert_eq!(own("-emit-ir a.sil b.sil"), None);
        assert_eq!(own("-emit-ir"), None);
        assert_eq!(own("a.sil"), None);
        assert_eq!(own("-emit-sil -Xllvm -sil-print-types a.sil"), None);
    }
}

//! How inputs are compiled before they are compared: one target and level each.

use clap::Parser;

use crate::arguments::{DiffOptions, TargetOptions};

/// A way to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The triple; none for this machine's.
    pub target: Option<String>,
    /// The level, as after `-O`.
    pub level: String,
}

/// All ways that the options name: each level for each target.
pub fn variants(options: &DiffOptions) -> Vec<Variant> {
    let targets: Vec<Option<String>> = match &options.target[..] {
        [] => vec![None],
        targets => targets.iter().cloned().map(Some).collect(),
    };
    let levels: Vec<String> = match &options.level[..] {
        [] => vec!["0".to_owned()],
        levels => levels.iter().map(|level| level.trim_start_matches("-O").to_owned()).collect(),
    };
    let of_target = |target: &Option<String>| {
        levels.iter().map(|level| Variant { target: target.clone(), level: level.clone() }).collect::<Vec<_>>()
    };
    targets.iter().flat_map(of_target).collect()
}

impl Variant {
    /// What reports call it.
    pub fn name(&self) -> String {
        let level = format!("-O{}", self.level);
        match &self.target {
            Some(target) => format!("{target} {level}"),
            None => level,
        }
    }

    /// The options by which `silc build` would compile so.
    pub fn options(&self, options: &DiffOptions) -> Result<TargetOptions, clap::Error> {
        let mut arguments = vec!["silc".to_owned(), format!("-O{}", self.level)];
        arguments.extend(self.target.iter().map(|target| format!("--target={target}")));
        arguments.extend(options.cpu.iter().map(|cpu| format!("--cpu={cpu}")));
        arguments.extend(options.features.iter().map(|feature| format!("--features={feature}")));
        arguments.extend(options.assume_single_threaded.then(|| "--assume-single-threaded".to_owned()));
        Ok(BuildTarget::try_parse_from(arguments)?.target)
    }
}

/// `silc build`'s options by themselves.
#[derive(Parser)]
struct BuildTarget {
    #[command(flatten)]
    target: TargetOptions,
}

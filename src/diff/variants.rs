//! The variants in which inputs are compiled before comparison: a target and a level each.

use clap::Parser;

use crate::arguments::{DiffOptions, Level, TargetOptions};

/// A variant of compilation.
#[derive(Clone, PartialEq, Eq)]
pub struct Variant {
    /// The triple, or `None` for the host's.
    pub target: Option<String>,
    /// The optimisation level.
    pub level: Level,
}

/// Returns all variants that the options name: each level for each target.
pub fn variants(options: &DiffOptions) -> Vec<Variant> {
    let targets: Vec<Option<String>> = match &options.targets[..] {
        [] => vec![None],
        targets => targets.iter().cloned().map(Some).collect(),
    };
    let variant = |target: &Option<String>, level: Level| Variant { target: target.clone(), level };
    let of_target = |target| options.levels.iter().map(move |level| variant(target, *level));
    targets.iter().flat_map(of_target).collect()
}

impl Variant {
    /// Returns the name of the variant in reports.
    pub fn name(&self) -> String {
        match &self.target {
            Some(target) => format!("{target} {}", self.level),
            None => self.level.to_string(),
        }
    }

    /// Returns the corresponding options of `silc build`.
    pub fn options(&self, options: &DiffOptions) -> Result<TargetOptions, clap::Error> {
        let mut arguments = vec!["silc".to_owned(), self.level.to_string()];
        arguments.extend(self.target.iter().map(|target| format!("--target={target}")));
        arguments.extend(options.cpu.iter().map(|cpu| format!("--cpu={cpu}")));
        arguments.extend(options.features.iter().map(|feature| format!("--features={feature}")));
        arguments.extend(options.assume_single_threaded.then(|| "--assume-single-threaded".to_owned()));
        let target = BuildTarget::try_parse_from(arguments)?.target;
        Ok(TargetOptions { headers: options.headers.clone(), ..target })
    }
}

/// A parser for the target options of `silc build` alone.
#[derive(Parser)]
struct BuildTarget {
    #[command(flatten)]
    target: TargetOptions,
}

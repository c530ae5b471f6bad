//! The options of `silc swift` and `silc swiftc` in addition to the toolchain's own, and their transmission to the jobs
//! of a build through the environment, since drivers start the jobs.

use std::ffi::OsString;
use std::path::PathBuf;

use super::job::Stage;
use super::session::folder_of_environment;
use crate::library::caches;

/// The options of a build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackEndOptions {
    /// The toolchain's folder, if specified.
    pub toolchain: Option<PathBuf>,
    /// The optimizer that prepares the SIL for IRGen.
    pub optimizer: Optimizer,
    /// The treatment of objects that silc cannot make.
    pub refusals: Refusals,
    /// The folder in which the SIL of each object is kept, if any.
    pub kept_sil: Option<PathBuf>,
    /// Whether times are reported at the end.
    pub times: Times,
    /// The cache folder, if specified.
    pub cache: Option<PathBuf>,
    /// Whether objects are cached.
    pub objects: Objects,
    /// The objects that silc makes.
    pub share: Share,
}

/// The objects of a module that silc makes. Half of them is for tests of mixed modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// All objects that it can make.
    All,
    /// Those of the first file, the third and so on.
    Odd,
    /// Those of the second file, the fourth and so on.
    Even,
}

/// Whether objects are cached between jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objects {
    /// Objects are cached, and reused if all their inputs are the same.
    Kept,
    /// Each object is made whenever it is requested.
    Made,
}

/// The optimizer of the SIL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimizer {
    /// Swift's own passes.
    Swift,
    /// silc's passes, from raw SIL.
    Silc,
}

/// The treatment of objects that silc cannot make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusals {
    /// The toolchain makes them.
    FallBack,
    /// They are errors.
    Errors,
}

/// Whether times are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Times {
    /// Times are reported.
    Said,
    /// Times are not reported.
    Unsaid,
}

const OPTIMIZER: &str = "SILC_SIL_OPTIMIZER";
const STRICT: &str = "SILC_STRICT";
const KEPT_SIL: &str = "SILC_KEEP_SIL";
const CACHE: &str = "SILC_CACHE";
const NO_OBJECTS: &str = "SILC_NO_CACHE";
const SHARE: &str = "SILC_SHARE";

/// The folder that outlives a job: the one that the build names, or silc's among the user's caches. A user without
/// caches, as in a container without a home folder, has one for the time of the build.
pub fn cache_folder() -> Option<PathBuf> {
    let of_build = || folder_of_environment().map(|folder| folder.join("cache"));
    std::env::var_os(CACHE).map(PathBuf::from).or_else(caches).or_else(of_build)
}

/// The text of `--help` for silc's own options.
pub const HELP: &str = "\
Options of silc's own, anywhere in front of '--':
  --sil-optimizer swift|silc  Whose passes run over SIL: Swift's (the default) or silc's, from raw SIL
  --strict                    What silc cannot compile is an error, and not left to swiftc
  --keep-sil DIR              Keep the SIL of each object in DIR
  --cache DIR                 Keep objects, and SIL of modules, in DIR; in the user's cache folder by default
  --no-cache                  Make all objects anew
  --share all|odd|even        Which files of each module silc compiles: all (the default), or every second one, to test mixtures
  --time                      Say how long the front end and silc took, module by module
  --toolchain DIR             The Swift toolchain; that of 'swiftc' on PATH by default";

impl BackEndOptions {
    /// Removes silc's own options from a command line, and returns the others. The error is a message for the user.
    pub fn taken_from(words: &[OsString]) -> Result<(Self, Vec<OsString>), String> {
        let mut options = Self::default();
        let mut others = Vec::new();
        let mut left = words.iter();
        while let Some(word) = left.next() {
            let mut value = |name: &str| left.next().cloned().ok_or_else(|| format!("'{name}' needs a value"));
            match word.to_str() {
                Some("--") => {
                    others.push(word.clone());
                    others.extend(left.cloned());
                    break;
                }
                Some("--sil-optimizer") => options.optimizer = Optimizer::named(&value("--sil-optimizer")?)?,
                Some("--strict") => options.refusals = Refusals::Errors,
                Some("--keep-sil") => options.kept_sil = Some(absolute(value("--keep-sil")?)?),
                Some("--cache") => options.cache = Some(absolute(value("--cache")?)?),
                Some("--no-cache") => options.objects = Objects::Made,
                Some("--share") => options.share = Share::named(&value("--share")?)?,
                Some("--time") => options.times = Times::Said,
                Some("--toolchain") => options.toolchain = Some(absolute(value("--toolchain")?)?),
                _ => others.push(word.clone()),
            }
        }
        Ok((options, others))
    }

    /// Returns the environment variables for the jobs of a build.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let optimizer = (self.optimizer == Optimizer::Silc).then(|| (OPTIMIZER, "silc".into()));
        let strict = (self.refusals == Refusals::Errors).then(|| (STRICT, "1".into()));
        let kept = self.kept_sil.clone().map(|folder| (KEPT_SIL, folder.into_os_string()));
        let cache = self.cache.clone().map(|folder| (CACHE, folder.into_os_string()));
        let no_objects = (self.objects == Objects::Made).then(|| (NO_OBJECTS, "1".into()));
        let share = (self.share != Share::All).then(|| (SHARE, self.share.name().into()));
        [optimizer, strict, kept, cache, no_objects, share].into_iter().flatten().collect()
    }

    /// Returns the options of a job from its environment. The error is a message for the user.
    pub fn of_environment() -> Result<Self, String> {
        let optimizer = std::env::var_os(OPTIMIZER).map(|name| Optimizer::named(&name)).transpose()?;
        let refusals = if std::env::var_os(STRICT).is_some() { Refusals::Errors } else { Refusals::FallBack };
        let kept_sil = std::env::var_os(KEPT_SIL).map(PathBuf::from);
        let optimizer = optimizer.unwrap_or(Optimizer::Swift);
        let objects = if std::env::var_os(NO_OBJECTS).is_some() { Objects::Made } else { Objects::Kept };
        let share = std::env::var_os(SHARE).map(|name| Share::named(&name)).transpose()?.unwrap_or(Share::All);
        Ok(Self { optimizer, refusals, kept_sil, objects, share, ..Self::default() })
    }

    /// Returns the stage of the SIL that the frontend prints.
    pub fn stage(&self) -> Stage {
        match self.optimizer {
            Optimizer::Swift => Stage::Canonical,
            Optimizer::Silc => Stage::Raw,
        }
    }

    /// Returns the options for the passes over a job's SIL: none after Swift's own optimizer.
    pub fn passes(&self) -> &'static [&'static str] {
        match self.optimizer {
            Optimizer::Swift => &["--sil-optimizer", "none"],
            Optimizer::Silc => &[],
        }
    }
}

impl Default for BackEndOptions {
    fn default() -> Self {
        Self {
            toolchain: None,
            optimizer: Optimizer::Swift,
            refusals: Refusals::FallBack,
            kept_sil: None,
            times: Times::Unsaid,
            cache: None,
            objects: Objects::Kept,
            share: Share::All,
        }
    }
}

impl Share {
    const ALL: [Self; 3] = [Self::All, Self::Odd, Self::Even];

    /// Returns whether silc compiles the file with this index, from 0, in its module.
    pub fn has(self, place: usize) -> bool {
        match self {
            Self::All => true,
            Self::Odd => place.is_multiple_of(2),
            Self::Even => !place.is_multiple_of(2),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Odd => "odd",
            Self::Even => "even",
        }
    }

    fn named(name: &std::ffi::OsStr) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|share| name == share.name());
        found.ok_or_else(|| format!("'{}' is no share of objects: 'all', 'odd' and 'even' are", name.to_string_lossy()))
    }
}

impl Optimizer {
    fn named(name: &std::ffi::OsStr) -> Result<Self, String> {
        match name.to_str() {
            Some("swift") => Ok(Self::Swift),
            Some("silc") => Ok(Self::Silc),
            _ => Err(format!("'{}' is no optimiser of SIL: 'swift' and 'silc' are", name.to_string_lossy())),
        }
    }
}

/// Returns an absolute path, since jobs run in folders of their own.
fn absolute(path: OsString) -> Result<PathBuf, String> {
    std::path::absolute(&path).map_err(|error| format!("cannot find '{}': {error}", path.to_string_lossy()))
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn words_of_silc_are_taken_out() {
        let words =
            ["build", "--strict", "-c", "release", "--sil-optimizer", "silc", "--", "--strict"].map(OsString::from);
        let (options, others) = BackEndOptions::taken_from(&words).expect("they are right");
        assert_eq!((options.refusals, options.optimizer), (Refusals::Errors, Optimizer::Silc));
        assert_eq!(others, ["build", "-c", "release", "--", "--strict"].map(OsString::from));
        assert!(BackEndOptions::taken_from(&["--keep-sil".into()]).is_err());
        assert!(BackEndOptions::taken_from(&["--share".into(), "half".into()]).is_err());
        assert!(BackEndOptions::taken_from(&["--sil-optimizer".into(), "llvm".into()]).is_err());
    }
}

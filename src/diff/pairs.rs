//! The pairs to compare: two files, the files of two folders, or one file in several variants.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::kind::Kind;
use super::variants::{Variant, variants};
use crate::arguments::DiffOptions;
use crate::report::{Reporter, Status};

/// Two sides to compare. For folders, one may be missing.
pub struct Pair {
    /// The title of the pair.
    pub title: String,
    /// The side A.
    pub a: Option<Side>,
    /// The side B.
    pub b: Option<Side>,
}

/// A file, and the variant it is compiled in if it contains SIL.
pub struct Side {
    /// The file.
    pub path: PathBuf,
    /// The variant.
    pub variant: Variant,
}

/// Returns all pairs that the options name.
pub fn pairs(options: &DiffOptions, reporter: &Reporter) -> Result<Vec<Pair>, Status> {
    let variants = variants(options);
    match (&options.a, &options.b, &variants[..]) {
        (a, Some(b), [variant]) if a.is_dir() && b.is_dir() => folders(a, b, variant, reporter),
        (a, Some(b), [variant]) => {
            let side = |path: &Path| Some(Side { path: path.to_owned(), variant: variant.clone() });
            Ok(vec![Pair { title: title(a), a: side(a), b: side(b) }])
        }
        (_, Some(_), _) => {
            reporter.error("two inputs are compared at one level and for one target", None);
            Err(Status::Usage)
        }
        (a, None, [first, others @ ..]) if !others.is_empty() => {
            let side = |variant: &Variant| Some(Side { path: a.to_owned(), variant: variant.clone() });
            let pair = |other: &Variant| Pair {
                title: format!("{}: {} and {}", title(a), first.name(), other.name()),
                a: side(first),
                b: side(other),
            };
            Ok(others.iter().map(pair).collect())
        }
        (_, None, _) => {
            let hint = "name a second one, or several levels (-O0,-O2) or targets (--target A,B) for this one";
            reporter.error("there is one input only", Some(hint));
            Err(Status::Usage)
        }
    }
}

fn title(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Pairs the files of two folders by their names without suffix. A file without a counterpart has no other side.
fn folders(a: &Path, b: &Path, variant: &Variant, reporter: &Reporter) -> Result<Vec<Pair>, Status> {
    let (ours, mut theirs) = (modules(a, reporter)?, modules(b, reporter)?);
    let side = |path: PathBuf| Some(Side { path, variant: variant.clone() });
    let in_a = ours.into_iter().map(|(stem, path)| {
        let b = theirs.remove(&stem).and_then(side);
        Pair { title: stem, a: side(path), b }
    });
    let mut pairs: Vec<Pair> = in_a.collect();
    pairs.extend(theirs.into_iter().map(|(stem, path)| Pair { title: stem, a: None, b: side(path) }));
    pairs.sort_by(|one, other| one.title.cmp(&other.title));
    Ok(pairs)
}

fn modules(folder: &Path, reporter: &Reporter) -> Result<BTreeMap<String, PathBuf>, Status> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        reporter.error(&format!("cannot read '{}': {error}", folder.display()), None);
        Status::Usage
    })?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_module = |path: &PathBuf| Kind::of_suffix(path).is_some();
    let stem = |path: PathBuf| Some((path.file_stem()?.to_string_lossy().into_owned(), path));
    Ok(paths.filter(is_module).filter_map(stem).collect())
}

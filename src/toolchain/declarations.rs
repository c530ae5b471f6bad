//! The declarations of each file of a module, for jobs that compile other files. They are created once for all jobs of
//! a module.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::installation::Toolchain;
use super::job::Job;
use super::kept::{Key, Kind, kept};

/// The declarations of the files of a module as SIL.
pub struct FileDeclarations {
    /// Each file with its text.
    files: Vec<(PathBuf, PathBuf)>,
}

impl FileDeclarations {
    /// Returns the declarations of the job's module. They are empty for whole-module jobs, or if they cannot be
    /// created. They depend on `dependencies`.
    pub fn of(job: &Job, dependencies: &[PathBuf], toolchain: &Toolchain) -> Self {
        let mut files = Vec::new();
        if !job.primaries.is_empty() && job.sources.len() > 1 {
            let folder = texts(job, dependencies, toolchain);
            let text = |source: &PathBuf| Some((source.clone(), folder.as_ref()?.join(text_name(source))));
            files.extend(job.sources.iter().filter_map(text));
        }
        Self { files }
    }

    /// Iterates over the texts of all files but one.
    pub fn beside(&self, file: &Path) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(move |(other, _)| other != file).map(|(_, text)| text.as_path())
    }
}

/// Returns the name of a file's text. Files of a module have different names, and silc derives the file from the name
/// of the text.
fn text_name(source: &Path) -> String {
    format!("{}.sil", source.file_name().unwrap_or_default().to_string_lossy())
}

/// Returns the folder with the texts.
fn texts(job: &Job, dependencies: &[PathBuf], toolchain: &Toolchain) -> Option<PathBuf> {
    let frontend = toolchain.program("swift-frontend");
    let mut key = Key::default();
    key.file(&frontend);
    // The words are the same for all jobs of a module, apart from the order of files.
    let mut words = job.for_declarations(&[]);
    words.sort();
    key.words(&words);
    let mut files: Vec<&PathBuf> = dependencies.iter().chain(&job.sources).collect();
    files.sort();
    files.dedup();
    files.into_iter().for_each(|file| key.file(file));
    kept(Kind::Texts, key, |folder| {
        let outputs: Vec<PathBuf> = job.sources.iter().map(|source| folder.join(text_name(source))).collect();
        let mut command = Command::new(&frontend);
        command.arg("-frontend").args(job.for_declarations(&outputs));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|ended| ended.success())
    })
}

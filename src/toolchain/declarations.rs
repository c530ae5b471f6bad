//! What the other files of a module declare, for jobs that make the code of some of its files: one text for all jobs of a module.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::installation::Toolchain;
use super::job::Job;
use super::printed::{Key, kept};
use super::words::Meaning;

/// The declarations of the job's whole module as SIL; none where its code is made whole, or where they cannot be had. They depend on `dependencies`.
pub fn of_module(job: &Job, dependencies: &[PathBuf], toolchain: &Toolchain) -> Option<PathBuf> {
    if job.primaries.is_empty() {
        return None;
    }
    let frontend = toolchain.program("swift-frontend");
    let name = job.value(Meaning::Taken("--module-name")).map_or("main".into(), |name| name.to_string_lossy());
    let mut key = Key::default();
    key.file(&frontend);
    // The words are the same for all jobs of a module but for the order of files.
    let mut words = job.for_declarations(Path::new(""));
    words.sort();
    key.words(&words);
    let mut files: Vec<&PathBuf> = dependencies.iter().collect();
    files.sort();
    files.into_iter().for_each(|file| key.file(file));
    kept(&name, key, |output| {
        let mut command = Command::new(&frontend);
        command.arg("-frontend").args(job.for_declarations(output));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|ended| ended.success())
    })
}

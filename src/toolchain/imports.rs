//! The compiled modules that a job imports, as SIL: which ones they are, by the file in which the frontend says what the job depends on, and their
//! texts, which the toolchain prints.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sil::syntax::knows_module;

use super::installation::Toolchain;
use super::job::Job;
use super::printed::{Key, kept};
use super::words::Meaning;

/// The name that has the frontend print modules as SIL.
const PRINTER: &str = "sil-opt";

/// The SIL of the modules among `dependencies` that silc does not know by itself.
pub fn imported(job: &Job, dependencies: &[PathBuf], toolchain: &Toolchain) -> Vec<PathBuf> {
    let modules = dependencies.iter().filter_map(|path| Some((module_name(path)?, path)));
    let wanted = modules.filter(|(name, _)| !knows_module(name));
    wanted.filter_map(|(name, path)| printed(name, path, job, toolchain)).collect()
}

/// `M` of `…/M.swiftmodule` and of `…/M.swiftmodule/x86_64-unknown-linux-gnu.swiftmodule`.
fn module_name(path: &Path) -> Option<&str> {
    let is_module = |path: &&Path| path.extension() == Some(OsStr::new("swiftmodule"));
    let folder = path.parent().filter(is_module);
    folder.or(Some(path).filter(is_module))?.file_stem()?.to_str()
}

/// What a module that was compiled already declares, with the functions that others may have in their code.
fn printed(name: &str, module: &Path, job: &Job, toolchain: &Toolchain) -> Option<PathBuf> {
    let frontend = toolchain.program("swift-frontend");
    let mut words: Vec<OsString> = ["-module-name", name].map(OsString::from).into();
    for (meaning, word) in [
        (Meaning::Taken("--target"), "-target"),
        (Meaning::Taken("-I"), "-I"),
        (Meaning::Taken("--c-flag"), "-Xcc"),
        (Meaning::Feature, "-enable-experimental-feature"),
    ] {
        words.extend(job.values(meaning).flat_map(|value| [word.into(), value.to_owned()]));
    }
    words.extend(["-resource-dir".into(), toolchain.resources().into()]);
    let mut key = Key::default();
    key.file(&frontend);
    key.file(module);
    key.words(&words);
    kept(name, key, |output| {
        let mut command = Command::new(&frontend);
        command.arg0(PRINTER).args(&words).arg(module).arg("-o").arg(output);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|ended| ended.success())
    })
}

/// The files that a file of dependencies names: `object : a b\ c`, a rule in the language of make.
pub fn dependencies(rule: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut file = String::new();
    let mut characters = rule.split_once(" : ").map_or("", |(_, files)| files).chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => file.extend(characters.next().filter(|character| *character != '\n')),
            '$' => {
                // A dollar sign is written twice.
                characters.next();
                file.push('$');
            }
            // The rules of other outputs follow, which depend on the same files.
            '\n' => break,
            character if character.is_whitespace() => files.push(std::mem::take(&mut file)),
            character => file.push(character),
        }
    }
    files.push(file);
    files.into_iter().filter(|file| !file.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_make_name_files() {
        let files = dependencies("/tmp/a\\ b.o : /x/a\\ b.swift /x/$$.swift /x/c\\#.swift\n/tmp/m.swiftmodule : /y\n");
        assert_eq!(files, ["/x/a b.swift", "/x/$.swift", "/x/c#.swift"].map(PathBuf::from));
        assert_eq!(dependencies(""), Vec::<PathBuf>::new());
    }

    #[test]
    fn modules_are_files_or_folders() {
        assert_eq!(module_name(Path::new("/b/M.swiftmodule")), Some("M"));
        assert_eq!(module_name(Path::new("/b/M.swiftmodule/x86_64-unknown-linux-gnu.swiftmodule")), Some("M"));
        assert_eq!(module_name(Path::new("/b/m.swift")), None);
    }
}

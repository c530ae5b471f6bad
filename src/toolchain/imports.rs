//! The compiled modules that a job imports, as SIL: finds them in the frontend's dependency file, and has the toolchain
//! print their text.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sil::syntax::knows_module;

use super::installation::Toolchain;
use super::job::Job;
use super::kept::{Key, Kind, kept};
use super::words::Meaning;

/// The program name with which the frontend prints modules as SIL.
const PRINTER: &str = "sil-opt";

/// Returns the options of `silc build` for the modules among `dependencies` that are not built into silc.
pub fn imported(job: &Job, dependencies: &[PathBuf], toolchain: &Toolchain) -> Vec<OsString> {
    let modules = dependencies.iter().filter_map(|path| Some((module_name(path)?, path)));
    let wanted = modules.filter(|(name, _)| !knows_module(name));
    let texts = wanted.filter_map(|(name, path)| Some((name, path, printed(name, path, job, toolchain)?)));
    let words = texts.flat_map(|(name, path, text)| {
        let library: [OsString; 2] = ["--sil-library".into(), text.into()];
        // Only modules with library evolution are distributed as interfaces.
        let evolving = is_interface(path).then(|| ["--evolving-module".into(), name.into()]);
        library.into_iter().chain(evolving.into_iter().flatten())
    });
    words.collect()
}

/// Returns whether a module is a textual interface.
fn is_interface(module: &Path) -> bool {
    module.extension() == Some(OsStr::new("swiftinterface"))
}

/// Returns `M` for `…/M.swiftmodule` and for `…/M.swiftmodule/x86_64-unknown-linux-gnu.swiftmodule`.
fn module_name(path: &Path) -> Option<&str> {
    let is_module = |path: &&Path| path.extension() == Some(OsStr::new("swiftmodule"));
    let folder = path.parent().filter(is_module);
    folder.or(Some(path).filter(is_module))?.file_stem()?.to_str()
}

/// Prints the declarations of a compiled module, and its inlinable functions.
fn printed(name: &str, module: &Path, job: &Job, toolchain: &Toolchain) -> Option<PathBuf> {
    let frontend = toolchain.program("swift-frontend");
    let mut words: Vec<OsString> = ["-module-name", name].map(OsString::from).into();
    for (meaning, word) in
        [(Meaning::Taken("--target"), "-target"), (Meaning::Taken("-I"), "-I"), (Meaning::Taken("--c-flag"), "-Xcc")]
    {
        words.extend(job.values(meaning).flat_map(|value| [word.into(), value.to_owned()]));
    }
    // Only this feature affects existing modules. The printer rejects some that a compiler accepts.
    if job.values(Meaning::Feature).any(|feature| feature == "Embedded") {
        words.extend(["-enable-experimental-feature", "Embedded"].map(OsString::from));
    }
    words.extend(["-resource-dir".into(), toolchain.resources().into()]);
    let mut key = Key::default();
    key.file(&frontend);
    key.file(module);
    key.words(&words);
    let text = format!("{name}.sil");
    let folder = kept(Kind::Texts, key, |folder| {
        let run = |command: &mut Command| {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|ended| ended.success())
        };
        let compiled = folder.join(format!("{name}.swiftmodule"));
        if is_interface(module) {
            let mut command = Command::new(&frontend);
            command.args(["-frontend", "-compile-module-from-interface"]).arg(module).arg("-o").arg(&compiled);
            if !run(command.args(&words)) {
                return false;
            }
        }
        let module = if is_interface(module) { &compiled } else { module };
        let printer = || {
            let mut command = Command::new(&frontend);
            command.arg0(PRINTER).args(&words).arg(module).arg("-o").arg(folder.join(&text));
            command
        };
        print(printer)
    });
    folder.map(|folder| folder.join(text))
}

/// Runs the printer, which needs every module of C that the module imports, also those that only its own code uses and
/// that nobody has any more. Empty modules take the place of those: the printer succeeds only if no declaration needs
/// anything of them.
fn print(printer: impl Fn() -> Command) -> bool {
    let Ok(stand_ins) = tempfile::tempdir() else { return false };
    let mut absent: Vec<String> = Vec::new();
    loop {
        let mut command = printer();
        if !absent.is_empty() {
            command.arg("-I").arg(stand_ins.path());
        }
        let Ok(output) = command.stdin(Stdio::null()).stdout(Stdio::null()).output() else { return false };
        if output.status.success() {
            return true;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let before = absent.len();
        for name in missing_modules(&said) {
            if !absent.iter().any(|known| known == name) {
                absent.push(name.to_owned());
            }
        }
        if absent.len() == before {
            return false;
        }
        let map: String = absent.iter().map(|name| format!("module {name} {{}}\n")).collect();
        if std::fs::write(stand_ins.path().join("module.modulemap"), map).is_err() {
            return false;
        }
    }
}

/// The modules of C that are missing, from the frontend's errors (`serialization_missing_single_dependency` and
/// `serialization_missing_dependencies`, include/swift/AST/DiagnosticsSema.def).
fn missing_modules(said: &str) -> impl Iterator<Item = &str> {
    let names = said.split_once("missing required module").map_or("", |(_, rest)| rest);
    names.lines().next().unwrap_or_default().split('\'').skip(1).step_by(2)
}

/// Returns the headers of the C module maps that a job depends on, without the toolchain's own.
pub fn c_headers(dependencies: &[PathBuf], toolchain: &Toolchain) -> Vec<PathBuf> {
    let resources = toolchain.resources();
    let is_map = |path: &&PathBuf| path.extension() == Some(OsStr::new("modulemap")) && !path.starts_with(&resources);
    let maps = dependencies.iter().filter(is_map);
    // An unreadable map is reported if the text needs it.
    let headers = maps.flat_map(|map| headers::files_of_map(map).map_or_else(|_| Vec::new(), |files| files.headers));
    headers.collect()
}

/// Returns the files in a dependency file: `object : a b\ c`, a make rule.
pub fn dependencies(rule: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut file = String::new();
    let mut characters = rule.split_once(" : ").map_or("", |(_, files)| files).chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => file.extend(characters.next().filter(|character| *character != '\n')),
            '$' => {
                // A dollar sign is doubled.
                characters.next();
                file.push('$');
            }
            // The rules of other outputs follow, which have the same dependencies.
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
    fn missing_modules_are_named() {
        let said = "<unknown>:0: error: missing required module '_CFXMLInterface'\n";
        assert_eq!(missing_modules(said).collect::<Vec<_>>(), ["_CFXMLInterface"]);
        assert_eq!(missing_modules("error: missing required modules: 'A', 'B'").collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(missing_modules("error: no such module").count(), 0);
    }

    #[test]
    fn modules_are_files_or_folders() {
        assert_eq!(module_name(Path::new("/b/M.swiftmodule")), Some("M"));
        assert_eq!(module_name(Path::new("/b/M.swiftmodule/x86_64-unknown-linux-gnu.swiftmodule")), Some("M"));
        assert_eq!(module_name(Path::new("/b/m.swift")), None);
    }
}

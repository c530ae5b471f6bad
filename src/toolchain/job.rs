//! A frontend call that makes objects: its parsed command line, and the frontend calls that silc derives from it.
//!
//! Does not own: running the calls.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::output_map::OutputMap;
use super::words::{Meaning, Values, meaning};

/// A call that makes objects.
#[derive(Debug)]
pub struct Job {
    parts: Vec<Part>,
    /// The files to compile; empty for a whole-module job.
    pub primaries: Vec<PathBuf>,
    /// The object paths: one for each of `primaries`, or those of the whole module.
    pub outputs: Vec<PathBuf>,
    /// All files of the module.
    pub sources: Vec<PathBuf>,
    /// The dependency files to write: one for each of `primaries`, or that of the whole module. Empty if none are
    /// requested.
    pub dependencies: Vec<PathBuf>,
}

/// A word with its value.
#[derive(Debug)]
struct Part {
    word: OsString,
    value: Option<OsString>,
    meaning: Option<Meaning>,
}

/// The kind of a call.
#[derive(Debug)]
pub enum Call {
    /// A call that makes objects.
    Objects(Job),
    /// A call without code, or with code in another form.
    Other,
}

/// The function that reads files with file names: `-filelist` and similar options, and `@file`.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> std::io::Result<String>;

/// Parses the words of a call, with or without a leading `-frontend`. Response files are expanded. The error names the
/// unreadable file.
pub fn read(words: &[OsString], read_file: ReadFile<'_>) -> Result<Call, String> {
    let words = expanded(words, read_file)?;
    let mut parts = Vec::new();
    let mut left = words.into_iter().skip_while(|word| word == "-frontend");
    while let Some(word) = left.next() {
        let meaning = word.to_str().and_then(meaning);
        let takes_value = meaning.is_some_and(|meaning| meaning.values() == Values::One);
        let value = if takes_value { left.next() } else { None };
        parts.push(Part { word, value, meaning });
    }
    if !parts.iter().any(|part| part.meaning == Some(Meaning::MakeObjects)) {
        return Ok(Call::Other);
    }
    let job = Job { primaries: Vec::new(), outputs: Vec::new(), sources: Vec::new(), dependencies: Vec::new(), parts };
    let primaries = job.files(Meaning::Primary, Meaning::PrimaryList, read_file)?;
    let outputs = job.files(Meaning::Output, Meaning::OutputList, read_file)?;
    let sources = job.all_sources(read_file)?;
    let job = Job { primaries, outputs, sources, ..job };
    let dependencies = job.dependency_files(read_file)?;
    let job = Job { dependencies, ..job };
    // A driver names each object. A direct call of the frontend without names is not handled.
    let is_whole = job.primaries.is_empty() && !job.outputs.is_empty();
    Ok(if is_whole || (job.primaries.len() == job.outputs.len() && !job.outputs.is_empty()) {
        Call::Objects(job)
    } else {
        Call::Other
    })
}

/// Replaces response files with their words.
fn expanded(words: &[OsString], read_file: ReadFile<'_>) -> Result<Vec<OsString>, String> {
    let mut expanded = Vec::new();
    for word in words {
        match word.to_str().and_then(|word| word.strip_prefix('@')) {
            Some(path) => {
                let text = contents(Path::new(path), read_file)?;
                let words = shlex::split(&text).ok_or_else(|| format!("'{path}' has a quotation without an end"))?;
                expanded.extend(words.into_iter().map(OsString::from));
            }
            None => expanded.push(word.clone()),
        }
    }
    Ok(expanded)
}

fn contents(path: &Path, read_file: ReadFile<'_>) -> Result<String, String> {
    read_file(path).map_err(|error| format!("cannot read '{}': {error}", path.display()))
}

/// The stage of the SIL that the frontend prints instead of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Canonical SIL, after Swift's own passes.
    Canonical,
    /// Raw SIL, before any pass.
    Raw,
}

impl Job {
    /// Returns the files that options of the first meaning name, and those in the lists that options of the second
    /// name.
    fn files(&self, one: Meaning, list: Meaning, read_file: ReadFile<'_>) -> Result<Vec<PathBuf>, String> {
        let mut files = Vec::new();
        for Part { meaning, value, .. } in &self.parts {
            let Some(value) = value else { continue };
            if *meaning == Some(one) {
                files.push(PathBuf::from(value));
            } else if *meaning == Some(list) {
                let text = contents(Path::new(value), read_file)?;
                files.extend(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from));
            }
        }
        Ok(files)
    }

    /// Returns all files of the module, in the order of the words.
    fn all_sources(&self, read_file: ReadFile<'_>) -> Result<Vec<PathBuf>, String> {
        let listed = self.files(Meaning::SourceList, Meaning::SourceList, read_file)?;
        if let Some(list) = listed.last() {
            let text = contents(list, read_file)?;
            return Ok(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect());
        }
        let of_part = |part: &Part| match part.meaning {
            Some(Meaning::Primary) => part.value.clone(),
            _ => part.is_source().then(|| part.word.clone()),
        };
        Ok(self.parts.iter().filter_map(of_part).map(PathBuf::from).collect())
    }

    /// Returns the dependency files to write, in the order of the objects. A supplementary output map, which drivers
    /// write in JSON, names them by the compiled files.
    fn dependency_files(&self, read_file: ReadFile<'_>) -> Result<Vec<PathBuf>, String> {
        let Some(map) = self.output_map(read_file)? else {
            return Ok(self.values(Meaning::Dependencies).map(PathBuf::from).collect());
        };
        let files = if self.primaries.is_empty() { &self.sources } else { &self.primaries };
        let found: Vec<PathBuf> = files.iter().filter_map(|file| map.dependencies(file)).cloned().collect();
        let is_complete = self.primaries.is_empty() || found.len() == self.primaries.len();
        Ok(if is_complete { found } else { Vec::new() })
    }

    /// Returns the supplementary output map, if there is one.
    pub fn output_map(&self, read_file: ReadFile<'_>) -> Result<Option<OutputMap>, String> {
        let Some(path) = self.value(Meaning::OutputMap) else { return Ok(None) };
        let text = contents(Path::new(path), read_file)?;
        let map = OutputMap::read(&text);
        map.map(Some).map_err(|error| format!("'{}' is no map of outputs: {error}", path.to_string_lossy()))
    }

    /// Returns the value of the last option with a meaning.
    pub fn value(&self, wanted: Meaning) -> Option<&OsStr> {
        let mut parts = self.parts.iter().rev();
        parts.find(|part| part.meaning == Some(wanted)).and_then(|part| part.value.as_deref())
    }

    /// Returns the values of all options with a meaning.
    pub fn values(&self, wanted: Meaning) -> impl Iterator<Item = &OsStr> {
        self.parts.iter().filter(move |part| part.meaning == Some(wanted)).filter_map(|part| part.value.as_deref())
    }

    /// Returns the index of an object's file in its module; 0 for the first object of a whole module.
    pub fn place(&self, number: usize) -> usize {
        let primary = self.primaries.get(number);
        primary.and_then(|file| self.sources.iter().position(|source| source == file)).unwrap_or(0)
    }

    /// Returns the requested options for code that silc does not support, each once.
    pub fn not_honoured(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for part in self.parts.iter().filter(|part| matches!(part.meaning, Some(Meaning::NotHonoured(_)))) {
            let word = part.word.to_string_lossy().into_owned();
            if !words.contains(&word) {
                words.push(word);
            }
        }
        // Library evolution is inferred from the module's text, and the text of a single file may not show it.
        if !self.primaries.is_empty() && self.parts.iter().any(|part| part.word == "-enable-library-evolution") {
            words.push("-enable-library-evolution of single files".to_owned());
        }
        words
    }

    /// Returns the options of `silc build` for compiling the SIL.
    pub fn building(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        let mut mode = "--no-embedded";
        let mut level = OsStr::new("-O0");
        for Part { word, value, meaning } in &self.parts {
            match (meaning, value) {
                (Some(Meaning::Level(found)), _) => level = OsStr::new(found),
                (Some(Meaning::Debug), _) if !words.iter().any(|word| word == "-g") => words.push("-g".into()),
                (Some(Meaning::Taken(name)), Some(value)) => words.extend([OsString::from(name), value.clone()]),
                (Some(Meaning::TakenJoined("-I")), _) => words.push(word.clone()),
                (Some(Meaning::TakenJoined(name)), _) => words.push(name.into()),
                (Some(Meaning::Feature), Some(value)) if value == "Embedded" => mode = "--embedded",
                _ => {}
            }
        }
        words.extend([mode.into(), level.into()]);
        words
    }

    /// Returns the call that writes SIL to `outputs` instead of objects, and all other outputs as requested; it also
    /// writes dependencies to `dependencies`, if they were not requested. For raw SIL it has neither the outputs that
    /// come with a compiled module nor the supplementary output map.
    pub fn for_sil(&self, stage: Stage, outputs: &[PathBuf], dependencies: &[PathBuf]) -> Vec<OsString> {
        let action = match stage {
            Stage::Canonical => "-emit-sil",
            Stage::Raw => "-emit-silgen",
        };
        let mut words: Vec<OsString> = [action, "-Xllvm", "-sil-print-debuginfo"].map(OsString::from).into();
        // A whole module with several objects has one text, in the first output; its index has a unit for each object.
        let others = if self.primaries.is_empty() { self.outputs.len().saturating_sub(outputs.len()) } else { 0 };
        let is_left_out = |meaning| match meaning {
            Meaning::MakeObjects | Meaning::Output | Meaning::OutputList => true,
            Meaning::Threads => others == 0,
            // The frontend writes no module while it prints raw SIL (lib/Frontend/FrontendOptions.cpp,
            // `canActionEmitModule`).
            Meaning::Module | Meaning::BesideModule(_) | Meaning::OutputMap => stage == Stage::Raw,
            _ => false,
        };
        words.extend(self.words_but(is_left_out));
        words.extend(outputs.iter().flat_map(|output| ["-o".into(), output.into()]));
        words.extend((0..others).flat_map(|_| ["-o".into(), "/dev/null".into()]));
        words.extend(dependencies.iter().flat_map(|file| ["-emit-dependencies-path".into(), file.into()]));
        // An index names its units by the objects.
        let names_units = self.value(Meaning::IndexUnit).is_some()
            || self.parts.iter().any(|part| part.word == "-index-unit-output-path-filelist");
        if self.value(Meaning::IndexStore).is_some() && !names_units {
            let units = &self.outputs;
            words.extend(units.iter().flat_map(|unit| ["-index-unit-output-path".into(), unit.into()]));
        }
        words
    }

    /// Returns the call that writes the compiled `module` and the outputs that come with it, apart from those in a
    /// supplementary output map.
    pub fn for_module(&self, module: &OsStr) -> Vec<OsString> {
        let is_left_out = |meaning| match meaning {
            Meaning::BesideModule(_) => false,
            Meaning::MakeObjects | Meaning::Threads => true,
            _ => is_beside(meaning) || is_selection(meaning),
        };
        let mut words: Vec<OsString> = ["-emit-module", "-suppress-warnings"].map(OsString::from).into();
        words.extend(self.words_but(is_left_out));
        words.extend(self.others(|_| true));
        words.extend(["-o".into(), module.into()]);
        words
    }

    /// Returns the call that makes only the objects with these indices, and no other outputs.
    pub fn for_objects(&self, numbers: &[usize]) -> Vec<OsString> {
        if self.primaries.is_empty() {
            return self.words_but(is_beside).chain(["-suppress-warnings".into()]).collect();
        }
        let is_left_out = |meaning| is_beside(meaning) || is_selection(meaning);
        let mut words: Vec<OsString> = self.words_but(is_left_out).chain(["-suppress-warnings".into()]).collect();
        let is_made = |number: &usize| numbers.contains(number);
        words.extend(self.others(|number| !is_made(&number)));
        for (primary, output) in
            numbers.iter().filter_map(|number| self.primaries.get(*number).zip(self.outputs.get(*number)))
        {
            words.extend(["-primary-file".into(), primary.into(), "-o".into(), output.into()]);
        }
        words
    }

    /// Returns the call that writes the declarations of each file of the module as SIL, without functions, to
    /// `outputs`.
    pub fn for_declarations(&self, outputs: &[PathBuf]) -> Vec<OsString> {
        let action = ["-emit-silgen", "-experimental-skip-all-function-bodies", "-suppress-warnings"];
        let mut words: Vec<OsString> = action.map(OsString::from).into();
        let is_left_out = |part: &&Part| {
            part.is_source()
                || part.meaning.is_some_and(|meaning| {
                    let of_code = matches!(meaning, Meaning::MakeObjects | Meaning::Threads | Meaning::SourceList);
                    of_code || is_beside(meaning) || is_selection(meaning)
                })
        };
        words.extend(self.parts.iter().filter(|part| !is_left_out(part)).flat_map(Part::words));
        for (source, output) in self.sources.iter().zip(outputs) {
            words.extend(["-primary-file".into(), source.into(), "-o".into(), output.into()]);
        }
        words
    }

    /// Returns the selected primary files as non-primary files. If there is a file list, it contains them already.
    fn others(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<OsString> {
        if self.value(Meaning::SourceList).is_some() {
            return Vec::new();
        }
        let numbered = self.primaries.iter().enumerate();
        numbered.filter(|(number, _)| is_wanted(*number)).map(|(_, file)| file.into()).collect()
    }

    fn words_but(&self, is_left_out: impl Fn(Meaning) -> bool) -> impl Iterator<Item = OsString> {
        let kept = self.parts.iter().filter(move |part| !part.meaning.is_some_and(&is_left_out));
        kept.flat_map(Part::words)
    }
}

impl Part {
    fn words(&self) -> impl Iterator<Item = OsString> {
        std::iter::once(self.word.clone()).chain(self.value.clone())
    }

    /// Returns whether it is a source file.
    fn is_source(&self) -> bool {
        self.meaning.is_none() && Path::new(&self.word).extension() == Some(OsStr::new("swift"))
    }
}

/// Returns whether an option requests an output other than objects.
fn is_beside(meaning: Meaning) -> bool {
    use Meaning::{Beside, BesideModule, Dependencies, IndexStore, IndexUnit, Module, OutputMap};
    matches!(meaning, Beside(_) | BesideModule(_) | Dependencies | Module | OutputMap | IndexStore | IndexUnit)
}

/// Returns whether an option selects the files to compile, or the paths of objects.
fn is_selection(meaning: Meaning) -> bool {
    use Meaning::{Output, OutputList, Primary, PrimaryList};
    matches!(meaning, Primary | PrimaryList | Output | OutputList)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(line: &str) -> Job {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let files = |path: &Path| match path.to_str() {
            Some("primaries") => Ok("a.swift\n".to_owned()),
            Some("all") => Ok("a.swift\nb.swift\n".to_owned()),
            Some("map") => Ok(r#"{"a.swift": {"dependencies": "a.d", "diagnostics": "a.dia"}}"#.to_owned()),
            Some("objects") => Ok("a.o\n".to_owned()),
            Some("response") => Ok("-c 'a b.swift' -o\n\"a b.o\"\n".to_owned()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        };
        match read(&words, &files) {
            Ok(Call::Objects(job)) => job,
            other => panic!("no call that makes objects: {other:?}"),
        }
    }

    fn line(words: Vec<OsString>) -> String {
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    const DEBUG: &str = "-c -primary-file a.swift b.swift -primary-file c.swift -emit-dependencies-path a.d -Xcc -c \
                         -index-store-path i -module-name m -Onone -g -I x -Iy -o a.o -o c.o";

    #[test]
    fn sil_goes_where_it_is_asked_for() {
        let outputs = ["1".into(), "2".into()];
        assert_eq!(
            line(job(DEBUG).for_sil(Stage::Canonical, &outputs, &[])),
            "-emit-sil -Xllvm -sil-print-debuginfo -primary-file a.swift b.swift -primary-file c.swift -emit-dependencies-path a.d -Xcc -c \
             -index-store-path i -module-name m -Onone -g -I x -Iy -o 1 -o 2 -index-unit-output-path a.o -index-unit-output-path c.o"
        );
    }

    #[test]
    fn whole_modules_have_one_text() {
        let whole = job("-c a.swift b.swift -module-name m -num-threads 2 -index-store-path i -o a.o -o b.o");
        assert_eq!(
            line(whole.for_sil(Stage::Canonical, &["1".into()], &[])),
            "-emit-sil -Xllvm -sil-print-debuginfo a.swift b.swift -module-name m -num-threads 2 -index-store-path i -o 1 -o /dev/null \
             -index-unit-output-path a.o -index-unit-output-path b.o"
        );
    }

    #[test]
    fn some_objects_are_made_alone() {
        assert_eq!(
            line(job(DEBUG).for_objects(&[1])),
            "-c b.swift -Xcc -c -module-name m -Onone -g -I x -Iy -suppress-warnings a.swift -primary-file c.swift -o c.o"
        );
        let listed = job("-c -filelist all -primary-filelist primaries -output-filelist objects");
        assert_eq!(line(listed.for_objects(&[0])), "-c -filelist all -suppress-warnings -primary-file a.swift -o a.o");
        let whole = job("-c a.swift b.swift -emit-module-path m -num-threads 2 -o a.o -o b.o");
        assert_eq!(
            line(whole.for_objects(&[0, 1])),
            "-c a.swift b.swift -num-threads 2 -o a.o -o b.o -suppress-warnings"
        );
    }

    #[test]
    fn declarations_are_those_of_each_file() {
        let outputs = ["1".into(), "2".into(), "3".into()];
        let words = "-emit-silgen -experimental-skip-all-function-bodies -suppress-warnings -Xcc -c -module-name m -Onone -g -I x -Iy \
                     -primary-file a.swift -o 1 -primary-file b.swift -o 2 -primary-file c.swift -o 3";
        assert_eq!(line(job(DEBUG).for_declarations(&outputs)), words);
        let listed = job("-c -filelist all -primary-filelist primaries -output-filelist objects -module-name m");
        let words = "-emit-silgen -experimental-skip-all-function-bodies -suppress-warnings -module-name m \
                     -primary-file a.swift -o 1 -primary-file b.swift -o 2";
        assert_eq!(line(listed.for_declarations(&outputs)), words);
    }

    #[test]
    fn dependencies_are_named_by_words_or_in_a_map() {
        assert_eq!(job(DEBUG).dependencies, [PathBuf::from("a.d")]);
        let mapped = job("-c -primary-file a.swift b.swift -supplementary-output-file-map map -o a.o");
        assert_eq!(mapped.dependencies, [PathBuf::from("a.d")]);
        let unmapped = job("-c -primary-file b.swift a.swift -supplementary-output-file-map map -o b.o");
        assert_eq!(
            line(unmapped.for_sil(Stage::Raw, &["1".into()], &["b.d".into()])).split(" -o 1 ").nth(1),
            Some("-emit-dependencies-path b.d")
        );
        assert!(unmapped.dependencies.is_empty());
    }

    #[test]
    fn code_is_made_as_it_was_asked_for() {
        let words = line(job(DEBUG).building());
        assert_eq!(words, "--c-flag -c --module-name m -g -I x -Iy --no-embedded -O0");
        let words = line(job("-c a.swift -O -enable-experimental-feature Embedded -o a.o").building());
        assert_eq!(words, "--embedded -O2");
        let requested = job("-c a.swift -sanitize=address -profile-generate -sanitize=address -o a.o").not_honoured();
        assert_eq!(requested, ["-sanitize=address", "-profile-generate"]);
    }

    #[test]
    fn words_may_stand_in_files() {
        let listed = job("-c -filelist all -primary-filelist primaries -output-filelist objects");
        assert_eq!((listed.primaries, listed.outputs), (vec!["a.swift".into()], vec!["a.o".into()]));
        assert_eq!(job("@response").outputs, [PathBuf::from("a b.o")]);
        let missing =
            read(&["-c".into(), "-filelist".into(), "f".into(), "-output-filelist".into(), "none".into()], &|_| {
                Err(std::io::ErrorKind::NotFound.into())
            });
        assert!(missing.is_err());
    }

    #[test]
    fn calls_without_objects_are_others() {
        for line in ["-emit-module a.swift -o m", "-typecheck a.swift", "-c a.swift"] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let call = read(&words, &|_| Err(std::io::ErrorKind::NotFound.into()));
            assert!(matches!(call, Ok(Call::Other)), "{line}");
        }
    }
}

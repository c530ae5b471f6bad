//! One job of a driver: the frontend makes SIL and the other requested outputs, silc makes the objects, and the
//! toolchain makes those that silc cannot make.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::num::NonZeroUsize;
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use irgen::emit::{self, FileMode};

use super::declarations::FileDeclarations;
use super::imports::{c_headers, dependencies, imported};
use super::installation::Toolchain;
use super::job::{Call, Job, Stage, read};
use super::objects::{Ingredients, Made, object as kept_object};
use super::options::{BackEndOptions, Objects, Refusals};
use super::output_map::OutputMap;
use super::session::{FallenBack, Record, folder_of_environment};
use super::words::Meaning;
use crate::arguments::MessageFormat;
use crate::report::{Reporter, Status};

/// The SIL of a module without code. The driver expects an object for each file, including files whose code is in
/// another object.
const EMPTY: &str = "sil_stage canonical\n\nimport Builtin\nimport Swift\nimport SwiftShims\n";

/// The reason for objects that are not in silc's share.
const LEFT: &str = "left to swiftc";

/// The signals that end a process on behalf of another one, by their POSIX numbers: SIGHUP, SIGINT, SIGKILL, SIGTERM.
const KILLING: [i32; 4] = [1, 2, 9, 15];

/// Runs a frontend job of a driver. `words` are the arguments without the program name.
pub fn run_job(words: &[OsString]) -> Status {
    let reporter = Reporter::new(MessageFormat::Human);
    let failed = |message: String| {
        reporter.error(&message, None);
        Status::InputAtFault
    };
    let call = match read(words, &|path: &Path| std::fs::read_to_string(path)) {
        Ok(call) => call,
        Err(message) => return failed(message),
    };
    let toolchain = match toolchain(&call) {
        Ok(toolchain) => toolchain,
        Err(message) => return failed(message),
    };
    let job = match call {
        Call::Objects(job) => job,
        Call::Other => return by_toolchain(words, &toolchain),
    };
    let options = match BackEndOptions::of_environment() {
        Ok(options) => options,
        Err(message) => return failed(message),
    };
    if !(0..job.primaries.len().max(1)).any(|number| options.share.has(job.place(number))) {
        let record = Record { fallen_back: fallen_back(&job, |_| Some(LEFT)), ..Record::of(&job) };
        record.leave();
        return by_toolchain(words, &toolchain);
    }
    let not_honoured = job.not_honoured();
    if !not_honoured.is_empty() {
        let reason = format!("silc does not honour {}", not_honoured.join(", "));
        if options.refusals == Refusals::Errors {
            return failed(format!("not supported yet: {reason}"));
        }
        let record = Record { fallen_back: fallen_back(&job, |_| Some(reason.as_str())), ..Record::of(&job) };
        record.leave();
        return by_toolchain(words, &toolchain);
    }
    let work = Work { job: &job, toolchain: &toolchain, options: &options };
    match work.run() {
        Ok(status) => status,
        Err(error) => failed(format!("cannot run the job: {error}")),
    }
}

/// Returns the toolchain of the call: the environment names it, or the call names its resource folder.
fn toolchain(call: &Call) -> Result<Toolchain, String> {
    let resources = match call {
        Call::Objects(job) => job.value(Meaning::Resources).map(PathBuf::from),
        Call::Other => None,
    };
    let is_named = std::env::var_os(super::installation::TOOLCHAIN).is_some();
    let of_call = resources.filter(|_| !is_named).and_then(|folder| Toolchain::of_resources(&folder));
    of_call.map_or_else(|| Toolchain::find(None), Ok).map_err(|missing| {
        let (message, hint) = missing.message();
        format!("{message}; {hint}")
    })
}

/// Replaces this process with the toolchain's frontend, which does the whole job.
fn by_toolchain(words: &[OsString], toolchain: &Toolchain) -> Status {
    let frontend = toolchain.program("swift-frontend");
    let error = Command::new(&frontend).args(words).exec();
    let reporter = Reporter::new(MessageFormat::Human);
    reporter.error(&format!("cannot run '{}': {error}", frontend.display()), None);
    Status::InputAtFault
}

/// Returns the objects of a job for which `reason` returns a reason, by their names for users.
fn fallen_back<'r>(job: &Job, reason: impl Fn(usize) -> Option<&'r str>) -> Vec<FallenBack> {
    let name = |number: usize| match job.primaries.get(number) {
        Some(file) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        None => Record::of(job).module,
    };
    let numbers = 0..job.primaries.len().max(1);
    let refused = numbers.filter_map(|number| Some((number, reason(number)?)));
    refused.map(|(number, reason)| FallenBack { name: name(number), reason: reason.to_owned() }).collect()
}

impl Record {
    /// Creates an empty record of a job.
    fn of(job: &Job) -> Self {
        let module = job.value(Meaning::Taken("--module-name")).unwrap_or_default().to_string_lossy().into_owned();
        Self { module, ..Self::default() }
    }

    /// Leaves the record for the build, if there is one.
    fn leave(&self) {
        if let Some(folder) = folder_of_environment() {
            self.leave_in(&folder);
        }
    }
}

/// A job that silc does.
struct Work<'a> {
    job: &'a Job,
    toolchain: &'a Toolchain,
    options: &'a BackEndOptions,
}

/// An object and its inputs.
struct Object<'t> {
    text: &'t [u8],
    path: &'t Path,
    /// The options of `silc build`, apart from input and output.
    words: Vec<OsString>,
    /// The C headers that the job depends on.
    headers: Vec<PathBuf>,
}

/// The result of the frontend.
struct Printed {
    ended: ExitStatus,
    /// The output on standard error.
    said: Vec<u8>,
    texts: Vec<Vec<u8>>,
}

/// Writes a supplementary output map, and returns the option that names it.
fn written(map: &OutputMap, path: &Path) -> std::io::Result<[OsString; 2]> {
    map.write(path)?;
    Ok(["-supplementary-output-file-map".into(), path.into()])
}

impl Work<'_> {
    fn run(&self) -> std::io::Result<Status> {
        let start = Instant::now();
        let folder = tempfile::tempdir()?;
        let requested: &[PathBuf] = &self.job.dependencies;
        // If dependencies are not requested, they are still needed to find the imports.
        let count = self.job.primaries.len().max(1);
        let unrequested = (0..count).map(|number| folder.path().join(format!("{number}.d")));
        let unrequested: Vec<PathBuf> = unrequested.take(if requested.is_empty() { count } else { 0 }).collect();
        let map = self.output_map()?;
        let printed = self.print(folder.path(), map.as_ref(), &unrequested)?;
        let frontend = start.elapsed().as_secs_f64();
        if !printed.ended.success() {
            let signal = printed.ended.signal();
            // A fault that ends the frontend while it prints SIL may not end it otherwise. One that was killed ends the
            // job, as without silc: the next build does it again.
            if signal.is_some_and(|signal| !KILLING.contains(&signal)) {
                return self.fall_back(&[(0, "the frontend cannot print its SIL".to_owned())], frontend, 0.0);
            }
            // The frontend has reported the errors in the source.
            std::io::stderr().write_all(&printed.said)?;
            return Ok(program_status(printed.ended));
        }
        std::io::stderr().write_all(&printed.said)?;
        if let Some(ended) = self.make_module(folder.path(), map.as_ref())?.filter(|ended| !ended.success()) {
            return Ok(program_status(ended));
        }
        let depends_on = self.settle_dependencies(if requested.is_empty() { &unrequested } else { requested })?;
        let start = Instant::now();
        let refused = self.compile(&printed.texts, &depends_on)?;
        let silc = start.elapsed().as_secs_f64();
        if refused.is_empty() {
            let made = self.job.primaries.len().max(1) as u64;
            Record { made, frontend, silc, ..Record::of(self.job) }.leave();
            return Ok(Status::Done);
        }
        self.fall_back(&refused, frontend, silc)
    }

    /// Returns the supplementary output map of a job with raw SIL, which is to be divided.
    fn output_map(&self) -> std::io::Result<Option<OutputMap>> {
        match self.options.stage() {
            Stage::Canonical => Ok(None),
            Stage::Raw => {
                self.job.output_map(&|path: &Path| std::fs::read_to_string(path)).map_err(std::io::Error::other)
            }
        }
    }

    /// Has the frontend write the SIL of each object to a pipe, and the dependencies to `dependencies`.
    fn print(&self, folder: &Path, map: Option<&OutputMap>, dependencies: &[PathBuf]) -> std::io::Result<Printed> {
        let count = self.job.primaries.len().max(1);
        let pipes = (0..count).map(|_| std::io::pipe()).collect::<std::io::Result<Vec<_>>>()?;
        let (readers, writers): (Vec<_>, Vec<_>) = pipes.into_iter().unzip();
        // Another process of the same user can open the pipe by this name.
        let name = |writer: &std::io::PipeWriter| format!("/proc/{}/fd/{}", std::process::id(), writer.as_raw_fd());
        let names: Vec<PathBuf> = writers.iter().map(|writer| name(writer).into()).collect();
        let mut command = Command::new(self.toolchain.program("swift-frontend"));
        command.arg("-frontend").args(self.job.for_sil(self.options.stage(), &names, dependencies));
        if let Some(map) = map {
            command.args(written(&map.without_module(), &folder.join("outputs.json"))?);
        }
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        let frontend = command.spawn()?;
        std::thread::scope(|scope| {
            let readers: Vec<_> = readers
                .into_iter()
                .map(|mut reader| {
                    scope.spawn(move || {
                        let mut text = Vec::new();
                        reader.read_to_end(&mut text).map(|_| text)
                    })
                })
                .collect();
            let output = frontend.wait_with_output();
            // A text ends once no process has its pipe open.
            drop(writers);
            let texts = readers.into_iter().map(|reader| reader.join().unwrap_or_else(|_| Ok(Vec::new())));
            let texts = texts.collect::<std::io::Result<_>>()?;
            let output = output?;
            Ok(Printed { ended: output.status, said: output.stderr, texts })
        })
    }

    /// Has the frontend write the compiled module, if the job is to and printing its SIL has not done so.
    fn make_module(&self, folder: &Path, map: Option<&OutputMap>) -> std::io::Result<Option<ExitStatus>> {
        if self.options.stage() != Stage::Raw {
            return Ok(None);
        }
        let mapped = map.and_then(OutputMap::module).map(|module| module.as_os_str());
        let Some(module) = self.job.value(Meaning::Module).or(mapped) else { return Ok(None) };
        let mut command = Command::new(self.toolchain.program("swift-frontend"));
        command.arg("-frontend").args(self.job.for_module(module)).stdin(Stdio::null());
        if let Some(map) = map {
            command.args(written(&map.beside_module(), &folder.join("beside_module.json"))?);
        }
        command.status().map(Some)
    }

    /// Replaces the pipes with the objects in the `written` dependency files, and returns the files that the job
    /// depends on.
    fn settle_dependencies(&self, written: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
        let mut files: Vec<PathBuf> = Vec::new();
        for (path, object) in written.iter().zip(&self.job.outputs) {
            let Ok(rules) = std::fs::read_to_string(path) else { continue };
            for file in dependencies(&rules) {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
            let rules: Vec<String> = rules.lines().map(|rule| with_target(rule, object)).collect();
            replace(path, rules.join("\n") + "\n")?;
        }
        Ok(files)
    }

    /// Compiles the texts. Returns the indices of those that silc refuses, with the reasons.
    fn compile(&self, texts: &[Vec<u8>], depends_on: &[PathBuf]) -> std::io::Result<Vec<(usize, String)>> {
        let objects = self.objects(texts, depends_on);
        self.keep(&objects)?;
        let numbered: Vec<(usize, &Object<'_>)> = objects.iter().enumerate().collect();
        let results = in_parallel(&numbered, |(number, object)| match self.is_ours(*number) {
            true => self.compile_one(object),
            false => Ok(Some(LEFT.to_owned())),
        })?;
        let refused: Vec<(usize, String)> =
            results.into_iter().enumerate().filter_map(|(number, reason)| Some((number, reason?))).collect();
        if refused.is_empty() {
            for path in self.job.outputs.iter().skip(texts.len()) {
                let empty = Object { text: EMPTY.as_bytes(), path, words: self.job.building(), headers: Vec::new() };
                if let Some(reason) = self.compile_one(&empty)? {
                    return Ok(vec![(0, reason)]);
                }
            }
        }
        Ok(refused)
    }

    /// Returns whether the object with this index is in silc's share.
    fn is_ours(&self, number: usize) -> bool {
        self.options.share.has(self.job.place(number))
    }

    /// Returns the objects to make from the texts.
    fn objects<'t>(&'t self, texts: &'t [Vec<u8>], depends_on: &[PathBuf]) -> Vec<Object<'t>> {
        let mut common = self.job.building();
        common.extend(self.options.passes().iter().map(OsString::from));
        common.extend(imported(self.job, depends_on, self.toolchain));
        let headers = c_headers(depends_on, self.toolchain);
        common.extend(headers.into_iter().flat_map(|header| ["--import-header".into(), header.into()]));
        let declarations = FileDeclarations::of(self.job, depends_on, self.toolchain);
        let words_for = |number: usize| {
            let primary = self.job.primaries.get(number);
            let others = primary.into_iter().flat_map(|file| declarations.beside(file));
            let of_others = others.flat_map(|text| ["--file-declarations".into(), text.into()]);
            common.iter().cloned().chain(of_others).collect()
        };
        let numbered = texts.iter().zip(&self.job.outputs).enumerate();
        let is_of_c =
            |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "h" || extension == "modulemap");
        let headers: Vec<PathBuf> = depends_on.iter().filter(is_of_c).cloned().collect();
        let object = |(number, (text, path)): (usize, (&'t Vec<u8>, &'t PathBuf))| Object {
            text,
            path,
            words: words_for(number),
            headers: headers.clone(),
        };
        numbered.map(object).collect()
    }

    /// Makes an object from one text, or takes it from the cache. Returns the reason if silc refuses it.
    fn compile_one(&self, object: &Object<'_>) -> std::io::Result<Option<String>> {
        let silc = std::env::current_exe()?;
        let made = if self.options.objects == Objects::Kept {
            let programs = [silc.clone(), self.toolchain.program("clang")];
            let Object { text, words, .. } = object;
            let ingredients = Ingredients { text, words, headers: &object.headers, programs: &programs };
            kept_object(&ingredients, object.path, |path| self.make(&silc, object, path))?
        } else {
            self.make(&silc, object, object.path)?
        };
        Ok(match made {
            Made::Object => None,
            Made::Refused(reason) | Made::Interrupted(reason) => Some(reason),
        })
    }

    /// Compiles one text to an object at `path`, in a separate process.
    fn make(&self, silc: &Path, object: &Object<'_>, path: &Path) -> std::io::Result<Made> {
        let mut command = Command::new(silc);
        command.args(self.words_for("-".into(), object, path)).envs(self.toolchain.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut silc = command.spawn()?;
        let input = silc.stdin.take();
        let output = std::thread::scope(|scope| {
            // If the process ends before it has read its input, it reports the reason.
            scope.spawn(move || input.map(|mut input| input.write_all(object.text)));
            silc.wait_with_output()
        })?;
        let reason = || reason_of(&String::from_utf8_lossy(&output.stderr), output.status);
        Ok(match output.status.code() {
            Some(0) => Made::Object,
            Some(1) => Made::Refused(reason()),
            _ => Made::Interrupted(reason()),
        })
    }

    /// Returns silc's command line for compiling the text in `file`.
    fn words_for(&self, file: OsString, object: &Object<'_>, path: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = ["build".into(), file].into();
        words.extend(["--emit", "obj", "--runtime", "swift", "--swift-sdk"].map(OsString::from));
        words.push(self.toolchain.resources().into());
        words.extend(object.words.iter().cloned());
        words.extend(["-o".into(), path.into()]);
        words
    }

    /// Keeps the texts if requested, each with the command line for compiling it.
    fn keep(&self, objects: &[Object<'_>]) -> std::io::Result<()> {
        let Some(folder) = &self.options.kept_sil else { return Ok(()) };
        let folder = folder.join(Record::of(self.job).module);
        std::fs::create_dir_all(&folder)?;
        for object in objects {
            let name = object.path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.strip_suffix(".o").unwrap_or(&name);
            let file = folder.join(format!("{name}.sil"));
            replace(&file, object.text)?;
            let words = self.words_for(file.into(), object, object.path);
            let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            // No word of a command line contains a null character, which cannot be quoted.
            let line = shlex::try_join(words.iter().map(|word| word.as_ref())).unwrap_or_default();
            replace(&folder.join(format!("{name}.command")), format!("silc {line}\n"))?;
        }
        Ok(())
    }

    /// Has the toolchain make the objects with these indices, for the given reasons.
    fn fall_back(&self, refused: &[(usize, String)], frontend: f64, silc: f64) -> std::io::Result<Status> {
        let reason = |number: usize| {
            let found = refused.iter().find(|(refused, _)| *refused == number);
            found.map(|(_, reason)| reason.as_str())
        };
        let ours = self::fallen_back(self.job, |number| reason(number).filter(|_| self.is_ours(number)));
        if self.options.refusals == Refusals::Errors && !ours.is_empty() {
            let reporter = Reporter::new(MessageFormat::Human);
            for FallenBack { name, reason } in &ours {
                reporter.error(&format!("{name}: {reason}"), None);
            }
            return Ok(Status::InputAtFault);
        }
        let fallen_back = self::fallen_back(self.job, reason);
        let numbers: Vec<usize> = refused.iter().map(|(number, _)| *number).collect();
        let mut command = Command::new(self.toolchain.program("swift-frontend"));
        command.arg("-frontend").args(self.job.for_objects(&numbers)).stdin(Stdio::null());
        let ended = command.status()?;
        if ended.success() {
            let made = (self.job.primaries.len().max(1) - fallen_back.len()) as u64;
            Record { made, fallen_back, frontend, silc, ..Record::of(self.job) }.leave();
        }
        Ok(program_status(ended))
    }
}

/// Applies `work` to each element in parallel, with one thread for each processor, and returns the results in order.
fn in_parallel<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> std::io::Result<R> + Sync) -> std::io::Result<Vec<R>> {
    let count = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(all.len());
    let next = AtomicUsize::new(0);
    let run = || {
        let mine = std::iter::from_fn(|| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            all.get(number).map(|one| (number, work(one)))
        });
        mine.collect::<Vec<_>>()
    };
    let mut results: Vec<(usize, std::io::Result<R>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(run)).collect();
        let failed = || vec![(0, Err(std::io::Error::other("a thread ended")))];
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|_| failed())).collect()
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Replaces the target of a make rule.
fn with_target(rule: &str, target: &Path) -> String {
    match rule.split_once(" : ") {
        Some((old, files)) if old.starts_with("/proc/") => {
            let target = target.to_string_lossy().replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#");
            format!("{target} : {files}")
        }
        _ => rule.to_owned(),
    }
}

/// Writes a file atomically.
pub fn replace(path: &Path, contents: impl AsRef<[u8]>) -> std::io::Result<()> {
    emit::write_file(contents.as_ref(), path, FileMode::Plain).map_err(std::io::Error::other)
}

/// Returns the reason why silc refused an object, in one line: its first error, or its termination.
fn reason_of(said: &str, ended: ExitStatus) -> String {
    let mut lines = said.lines().filter_map(|line| line.strip_prefix("error: "));
    match (lines.next(), ended.signal()) {
        (Some(error), _) => error.to_owned(),
        (None, Some(signal)) => format!("silc was ended by signal {signal}"),
        (None, None) => "silc says nothing of it".to_owned(),
    }
}

fn program_status(ended: ExitStatus) -> Status {
    Status::Program(ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_name_objects() {
        assert_eq!(with_target("/proc/1/fd/5 : a.swift", Path::new("/b c/a.o")), "/b\\ c/a.o : a.swift");
        assert_eq!(with_target("m.swiftmodule : a.swift", Path::new("a.o")), "m.swiftmodule : a.swift");
    }

    #[test]
    fn the_first_error_is_the_reason() {
        let ended = ExitStatus::from_raw(1 << 8);
        assert_eq!(reason_of("warning: w\nerror: e\nerror: f\n", ended), "e");
        assert_eq!(reason_of("", ExitStatus::from_raw(9)), "silc was ended by signal 9");
    }
}

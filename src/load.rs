//! Loading of .sil files as verified modules, and reporting of their diagnostics.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use headers::Headers;
use irgen::target::Target;
use rustc_hash::FxHashSet;
use sil::context::Context;
use sil::diagnostic::{Diagnostic, Level};
use sil::model::{AddressLowering, LanguageMode, Module, Platform};
use sil::parallel;
use sil::source::{FileId, SourceFile, SourceMap, Span};
use sil::syntax::{Completeness, Libraries, Library, Linking, OtherModules, ParseOptions, UnmarkedModule};
use sil::verify::OwnershipRules;

use crate::arguments::InputOptions;
use crate::headers::HeaderReader;
use crate::report::{Reporter, Status};
use crate::swift_sources::swift_sources;
use crate::{excerpt, library, text};

/// Source files and their modules.
pub struct Loaded {
    /// The files.
    pub sources: SourceMap,
    /// The modules, in the order of the files.
    pub modules: Vec<Module>,
    /// The SIL libraries that they are linked with.
    pub libraries: Vec<Library>,
    /// The C headers that they import.
    pub headers: Option<Arc<Headers>>,
}

/// The verification of modules after reading.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// Verifies, and reports code that cannot be compiled as errors.
    Compile,
    /// Verifies.
    Check,
    /// Verifies all but the lifetimes of values.
    CheckAllButLifetimes,
    /// Does not verify.
    Skip,
}

/// The parameters for reading, apart from the input options.
#[derive(Clone, Copy)]
pub struct Purpose<'a> {
    /// The verification.
    pub verification: Verification,
    /// The mode of modules whose text does not determine it.
    pub unmarked: UnmarkedModule,
    /// The target platform, if any.
    pub platform: Option<Platform>,
    /// The reader of imported C headers.
    pub headers: Option<HeaderReader<'a>>,
    /// Whether address-only values are passed as addresses, if specified.
    pub address_lowering: Option<AddressLowering>,
    /// The name of the modules, if specified.
    pub module_name: Option<&'a str>,
}

impl<'a> Purpose<'a> {
    /// Returns the purpose of reading without compilation.
    pub fn reading(verification: Verification) -> Self {
        Self {
            verification,
            unmarked: UnmarkedModule::default(),
            platform: None,
            headers: None,
            address_lowering: None,
            module_name: None,
        }
    }

    /// Returns the purpose of compiling for a target.
    pub fn compiling(target: &Target) -> Self {
        Self { platform: Some(target.platform()), ..Self::reading(Verification::Compile) }
    }

    /// Adds a reader for imported C headers.
    pub fn with_headers(self, headers: HeaderReader<'a>) -> Self {
        Self { headers: Some(headers), ..self }
    }
}

/// Loads all files, and reports the errors of all of them.
pub fn load(options: &InputOptions, purpose: Purpose<'_>, reporter: &Reporter) -> Result<Loaded, Status> {
    read(options, purpose, reporter)?.report(reporter)
}

/// The modules that were read, valid or not.
pub struct Read {
    pub sources: SourceMap,
    /// The modules with their diagnostics, or the errors of unreadable files.
    pub files: Vec<Result<LoadedModule, String>>,
    pub libraries: Vec<Library>,
    pub headers: Option<Arc<Headers>>,
}

impl Read {
    /// Reports all diagnostics, and fails if one is an error.
    pub fn report(self, reporter: &Reporter) -> Result<Loaded, Status> {
        let Read { sources, files, libraries, headers } = self;
        let mut modules = Vec::new();
        let mut failed = false;
        for loaded in files {
            match loaded {
                Ok(file) => {
                    failed |= has_errors(&file.diagnostics);
                    reporter.diagnostics(&file.diagnostics, &sources, Some(&file.module.context));
                    modules.push(file.module);
                }
                Err(message) => {
                    reporter.error(&message, None);
                    failed = true;
                }
            }
        }
        if failed {
            return Err(Status::InputAtFault);
        }
        Ok(Loaded { sources, modules, libraries, headers })
    }
}

/// Reads the files, without reporting diagnostics of their contents.
pub fn read(options: &InputOptions, purpose: Purpose<'_>, reporter: &Reporter) -> Result<Read, Status> {
    start_threads(options.jobs);
    let mut sources = SourceMap::default();
    let files = options.files.iter().map(|path| read_sil(path, options).map(|file| sources.add(file)));
    let files: Vec<_> = files.collect();
    let known: Vec<FileId> = files.iter().flatten().copied().collect();
    let libraries = libraries(options, &mut sources, reporter)?;
    let others = OtherModules::of(&sources, &known, &libraries).evolving(&options.evolving_module);
    let declared = Declared::read(options, &mut sources, reporter)?;
    // The stored properties in the module's other files count as well.
    let texts: Vec<FileId> = known.iter().chain(&declared.whole).chain(&declared.files).copied().collect();
    let headers = read_headers(&texts, purpose, &sources, reporter)?;
    // Types of other modules may contain C types, too.
    let texts: Vec<FileId> = texts.into_iter().chain(libraries.iter().map(|library| library.file)).collect();
    let c_declarations = headers.as_ref().map(|headers| sources.add(c_declarations(headers, &sources, &texts)));
    let beside = Beside {
        others: Some(&others),
        c_declarations,
        libraries: &libraries,
        module_declarations: declared.whole,
        file_declarations: &declared.files,
    };
    let load_one = |id: FileId| load_text(id, options, purpose, &sources, &beside);
    let files = parallel::map(&files, |file| file.clone().map(load_one));
    Ok(Read { sources, files, libraries, headers })
}

/// Reads the texts of libraries. Their entities are read on demand.
fn libraries(options: &InputOptions, sources: &mut SourceMap, reporter: &Reporter) -> Result<Vec<Library>, Status> {
    let mut libraries = Vec::new();
    for path in &options.sil_library {
        match library::load(path) {
            Ok((file, index)) => libraries.push(Library { file: sources.add(file), index }),
            Err(message) => {
                reporter.error(&message, None);
                return Err(Status::InputAtFault);
            }
        }
    }
    Ok(libraries)
}

/// The declarations in other files of the module.
struct Declared {
    /// The declarations of the whole module.
    whole: Option<FileId>,
    /// The declarations of single files.
    files: Vec<FileId>,
}

impl Declared {
    fn read(options: &InputOptions, sources: &mut SourceMap, reporter: &Reporter) -> Result<Self, Status> {
        let mut read = |path: &PathBuf| read_file(path, sources, reporter);
        let whole = options.module_declarations.as_ref().map(&mut read).transpose()?;
        let files = options.file_declarations.iter().map(&mut read).collect::<Result<_, _>>()?;
        Ok(Self { whole, files })
    }
}

/// Reads the C headers that files import, if the purpose has a reader for them.
fn read_headers(
    files: &[FileId],
    purpose: Purpose<'_>,
    sources: &SourceMap,
    reporter: &Reporter,
) -> Result<Option<Arc<Headers>>, Status> {
    let Some(reader) = purpose.headers else { return Ok(None) };
    reader.read(files.iter().map(|file| sources.file(*file).text.as_ref()), reporter)
}

/// The other inputs of a module.
struct Beside<'a> {
    /// The importable modules.
    others: Option<&'a OtherModules>,
    /// The declarations of C headers.
    c_declarations: Option<FileId>,
    /// The libraries that are linked into it.
    libraries: &'a [Library],
    /// The declarations of the whole module that it is a part of.
    module_declarations: Option<FileId>,
    /// The declarations of other single files of the module.
    file_declarations: &'a [FileId],
}

/// Returns the declarations of headers that `files` name, as Swift text.
fn c_declarations(headers: &Headers, sources: &SourceMap, files: &[FileId]) -> SourceFile {
    // The texts of libraries have millions of words, and a name of C is ASCII.
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
    let mut words: FxHashSet<&[u8]> = FxHashSet::default();
    for text in files.iter().map(|file| sources.file(*file).text.as_bytes()) {
        for word in text.split(|byte| !is_part(*byte)).filter(|word| !word.is_empty()) {
            words.insert(word);
            // The `$` before a SIL type is not part of its name, although C names may contain it.
            if let Some(after) = word.strip_prefix(b"$") {
                words.insert(after);
            }
        }
    }
    SourceFile::new("<C headers>".into(), headers.swift_text(&|name| words.contains(name.as_bytes())))
}

/// The stack size of the main thread: the supported nesting depth must not depend on the thread.
const STACK: usize = 8 << 20;

/// Starts the thread pool of the libraries: `jobs` threads, or one for each processor.
fn start_threads(jobs: Option<NonZeroUsize>) {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, NonZeroUsize::get)).stack_size(STACK);
    // Fails if there is a thread pool already, which is used then.
    let _ = threads.build_global();
}

/// A loaded module with its diagnostics, in textual order.
pub struct LoadedModule {
    /// The module.
    pub module: Module,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file; leniently, if the options request it. The error is a message for the user.
fn read_sil(path: &Path, options: &InputOptions) -> Result<SourceFile, String> {
    let file = text::read(path)?;
    Ok(if options.lenient { SourceFile::new(file.path, excerpt::sil_alone(&file.text)) } else { file })
}

/// Returns a diagnostic about non-SIL text in a file, if that is why it cannot be read.
fn no_sil(sources: &SourceMap, file: FileId) -> Option<Diagnostic> {
    let SourceFile { path, text, .. } = sources.file(file);
    let is_swift = path.extension().is_some_and(|extension| extension == "swift");
    if is_swift && !text.lines().any(|line| line.starts_with("sil")) {
        let name = path.display();
        let start = Span { file, start: 0, end: 0 };
        let message = format!("'{name}' is Swift's source, not SIL");
        let hint = format!("make SIL of it: `swiftc -emit-sil -O {name} -o {}`", path.with_extension("sil").display());
        return Some(Diagnostic::error("not-sil", message, start).hint(hint));
    }
    let (surrounding, place) = excerpt::surrounding(text)?;
    // Files beyond the range of spans are not read.
    let span = Span { file, start: place.start as u32, end: place.end as u32 };
    Some(Diagnostic::error("not-sil", surrounding.message(), span).hint(surrounding.hint()))
}

/// Adds the text of a file to `sources`.
pub fn read_file(path: &Path, sources: &mut SourceMap, reporter: &Reporter) -> Result<FileId, Status> {
    let file = text::read(path).map_err(|message| {
        reporter.error(&message, None);
        Status::InputAtFault
    })?;
    Ok(sources.add(file))
}

/// Loads the module in one file of `sources`, and adds the C headers that it imports to `sources`.
pub fn load_module(
    file: FileId,
    options: &InputOptions,
    purpose: Purpose<'_>,
    sources: &mut SourceMap,
    reporter: &Reporter,
) -> Result<(LoadedModule, Option<Arc<Headers>>), Status> {
    let headers = read_headers(&[file], purpose, sources, reporter)?;
    let c_declarations = headers.as_ref().map(|headers| sources.add(c_declarations(headers, sources, &[file])));
    let beside =
        Beside { others: None, c_declarations, libraries: &[], module_declarations: None, file_declarations: &[] };
    Ok((load_text(file, options, purpose, sources, &beside), headers))
}

/// Loads the module in a file.
fn load_text(
    id: FileId,
    options: &InputOptions,
    purpose: Purpose<'_>,
    sources: &SourceMap,
    beside: &Beside<'_>,
) -> LoadedModule {
    let Purpose { verification, unmarked, platform, address_lowering, module_name, .. } = purpose;
    let Beside { others, c_declarations, libraries, module_declarations, file_declarations } = *beside;
    let mode = language_mode(options);
    let linking = if options.sil_library.is_empty() { Linking::Alone } else { Linking::Libraries };
    let swift_sources = swift_sources(&sources.file(id).path);
    let parse_options = ParseOptions {
        mode,
        unmarked,
        version: options.swift_version,
        platform,
        others,
        c_declarations,
        linking,
        address_lowering,
        module_name: module_name.or(options.module_name.as_deref()),
        module_declarations,
        file_declarations,
        swift_sources: Some(&swift_sources),
        completeness: if options.lenient { Completeness::Excerpt } else { Completeness::Whole },
    };
    let outcome = sil::syntax::parse(Arc::new(Context::new()), sources, id, &parse_options);
    let (mut module, mut diagnostics) = (outcome.module, outcome.diagnostics);
    if has_errors(&diagnostics)
        && let Some(error) = no_sil(sources, id)
    {
        diagnostics = vec![error];
    }
    if !has_errors(&diagnostics) {
        diagnostics.extend(Libraries::new(sources, libraries).declare_unknown(&mut module));
    }
    if verification != Verification::Skip && !has_errors(&diagnostics) {
        let ownership = match verification {
            Verification::CheckAllButLifetimes => OwnershipRules::AllButLifetimes,
            Verification::Compile | Verification::Check | Verification::Skip => OwnershipRules::All,
        };
        let findings = sil::verify::verify_with(&module, ownership).into_iter();
        diagnostics.extend(findings.map(|finding| for_purpose(finding, verification)));
    }
    // Signatures are read before bodies; diagnostics are reported in textual order.
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    LoadedModule { module, diagnostics }
}

/// Turns findings about code that cannot be compiled into errors, if it is to be compiled.
fn for_purpose(finding: Diagnostic, verification: Verification) -> Diagnostic {
    match (verification, finding.level) {
        (Verification::Compile, Level::Uncompilable) => finding.at_level(Level::Error),
        _ => finding,
    }
}

/// Returns whether the diagnostics contain an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

fn language_mode(options: &InputOptions) -> Option<LanguageMode> {
    match (options.embedded, options.no_embedded) {
        (true, _) => Some(LanguageMode::Embedded),
        (false, true) => Some(LanguageMode::Full),
        (false, false) => None,
    }
}

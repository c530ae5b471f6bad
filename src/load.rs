//! Reading .sil files to verified modules, and reporting their diagnostics.

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

/// Source files and the modules in them.
pub struct Loaded {
    /// The files.
    pub sources: SourceMap,
    /// The modules, in the order of the files.
    pub modules: Vec<Module>,
    /// The libraries as SIL that they are linked with.
    pub libraries: Vec<Library>,
    /// The C headers that they import.
    pub headers: Option<Arc<Headers>>,
}

/// Whether modules are verified after reading.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// They are, and code that cannot be compiled is an error.
    Compile,
    /// They are.
    Check,
    /// They are, but for the lifetimes of values.
    CheckAllButLifetimes,
    /// They are not.
    Skip,
}

/// The way files are read, beside the options for all of them.
#[derive(Clone, Copy)]
pub struct Purpose<'a> {
    /// Whether they are verified.
    pub verification: Verification,
    /// The mode of modules whose text does not show it.
    pub unmarked: UnmarkedModule,
    /// The platform that they are compiled for, if any.
    pub platform: Option<Platform>,
    /// The reader of the C headers that they import.
    pub headers: Option<HeaderReader<'a>>,
    /// The passing of values of address-only types, if it is given.
    pub address_lowering: Option<AddressLowering>,
    /// The name of the modules, if it is given.
    pub module_name: Option<&'a str>,
}

impl<'a> Purpose<'a> {
    /// To be looked at.
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

    /// To be compiled for a target.
    pub fn compiling(target: &Target) -> Self {
        Self { platform: Some(target.platform()), ..Self::reading(Verification::Compile) }
    }

    /// The same with the C headers that are imported.
    pub fn with_headers(self, headers: HeaderReader<'a>) -> Self {
        Self { headers: Some(headers), ..self }
    }
}

/// Reads all files. All errors of all files are reported.
pub fn load(options: &InputOptions, purpose: Purpose<'_>, reporter: &Reporter) -> Result<Loaded, Status> {
    read(options, purpose, reporter)?.report(reporter)
}

/// The modules that were read, valid or not.
pub struct Read {
    pub sources: SourceMap,
    /// Each with its diagnostics, or the reason why it cannot be read.
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

/// Reads the files, and reports none of the diagnostics of their contents.
pub fn read(options: &InputOptions, purpose: Purpose<'_>, reporter: &Reporter) -> Result<Read, Status> {
    start_threads(options.jobs);
    let mut sources = SourceMap::default();
    let files = options.files.iter().map(|path| read_sil(path, options).map(|file| sources.add(file)));
    let files: Vec<_> = files.collect();
    let known: Vec<FileId> = files.iter().flatten().copied().collect();
    let libraries = libraries(options, &mut sources, reporter)?;
    let others = OtherModules::of(&sources, &known, &libraries).evolving(&options.evolving_module);
    let declared = Declared::read(options, &mut sources, reporter)?;
    // The stored properties of the module's other files count as well.
    let texts: Vec<FileId> = known.iter().chain(&declared.whole).chain(&declared.files).copied().collect();
    let headers = read_headers(&texts, purpose, &sources, reporter)?;
    // Types of other modules store types of C, too.
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

/// The declarations of other files of the module.
struct Declared {
    /// The declarations of the whole module.
    whole: Option<FileId>,
    /// Those of single files.
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

/// The inputs beside a module.
struct Beside<'a> {
    /// The modules whose declarations imports bring.
    others: Option<&'a OtherModules>,
    /// The declarations of C headers.
    c_declarations: Option<FileId>,
    /// The libraries that are linked into it.
    libraries: &'a [Library],
    /// The declarations of the whole module of which it is a part.
    module_declarations: Option<FileId>,
    /// The declarations of single other files of it.
    file_declarations: &'a [FileId],
}

/// The declarations of headers that `files` name, as Swift's text.
fn c_declarations(headers: &Headers, sources: &SourceMap, files: &[FileId]) -> SourceFile {
    // The texts of libraries have millions of words, and a name of C is ASCII.
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
    let mut words: FxHashSet<&[u8]> = FxHashSet::default();
    for text in files.iter().map(|file| sources.file(*file).text.as_bytes()) {
        for word in text.split(|byte| !is_part(*byte)).filter(|word| !word.is_empty()) {
            words.insert(word);
            // The sign before a SIL type is no part of its name, though names of C can have one.
            if let Some(behind) = word.strip_prefix(b"$") {
                words.insert(behind);
            }
        }
    }
    SourceFile::new("<C headers>".into(), headers.swift_text(&|name| words.contains(name.as_bytes())))
}

/// As much stack as the main thread has: how deep a text may be nested must not depend on the thread that reads it.
const STACK: usize = 8 << 20;

/// Makes the threads that the libraries work with: `jobs`, or one for each processor.
fn start_threads(jobs: Option<NonZeroUsize>) {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, NonZeroUsize::get)).stack_size(STACK);
    // It fails where there are threads already, which then serve as well.
    let _ = threads.build_global();
}

/// A module that was read, with its diagnostics, in the order of its text.
pub struct LoadedModule {
    /// The module.
    pub module: Module,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the text of a file, as much of it as the options ask for. The error is a message for the user.
fn read_sil(path: &Path, options: &InputOptions) -> Result<SourceFile, String> {
    let file = text::read(path)?;
    Ok(if options.lenient { SourceFile::new(file.path, excerpt::sil_alone(&file.text)) } else { file })
}

/// The text in a file that is not SIL, if that is why it cannot be read.
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
    // Files that spans cannot count are not read.
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

/// Reads the module in one file of `sources`, and the C headers that it imports, which are added to `sources`.
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

/// Reads the module in a file.
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
    // Signatures are read before bodies; a reader goes through the text from its beginning.
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    LoadedModule { module, diagnostics }
}

/// Code that cannot be compiled is an error if it is to be compiled.
fn for_purpose(finding: Diagnostic, verification: Verification) -> Diagnostic {
    match (verification, finding.level) {
        (Verification::Compile, Level::Uncompilable) => finding.at_level(Level::Error),
        _ => finding,
    }
}

/// Whether there is an error among the diagnostics.
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

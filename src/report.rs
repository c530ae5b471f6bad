//! Reports: diagnostics as text and as JSON, exit statuses, and internal errors of silc.

use std::io::Write;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Group, Level as SnippetLevel, Origin, Renderer, Snippet};
use irgen::{Error, ErrorClass};
use sil::context::Context;
use sil::diagnostic::{Diagnostic, Level};
use sil::model::SourcePlace;
use sil::source::{SourceMap, Span};

use crate::arguments::MessageFormat;
use crate::progress::Progress;

/// The exit status of silc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Success.
    Done,
    /// The input is invalid.
    InputAtFault,
    /// Wrong usage.
    Usage,
    /// An internal error of silc.
    Internal,
    /// The status of an executed program.
    Program(u8),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::InputAtFault => 1,
            Status::Usage => 2,
            Status::Internal => 70,
            Status::Program(code) => code,
        })
    }
}

/// Reports clap's error, or the requested help.
pub fn usage(error: &clap::Error) -> Status {
    // Nothing can be reported if standard error is closed.
    let _ = error.print();
    if error.use_stderr() { Status::Usage } else { Status::Done }
}

/// Installs a panic hook: a panic is an internal error of silc, reported with the data for a bug report.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        let message = panic.payload_as_str().unwrap_or("no message");
        eprintln!("error: internal: {message}{place}");
        eprintln!("note: this is a fault of silc, not of the input; please report it with the input and this message");
    }));
}

/// The stream of JSON diagnostics. Text diagnostics always go to standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JsonStream {
    /// Findings are the output of the command.
    StandardOutput,
    /// Standard output may be used for other output.
    StandardError,
}

/// Writes to standard output. The reader may be gone, as in `silc targets | head`; errors are ignored.
pub fn print(text: &str) {
    // Nothing else can be done where standard output is closed.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Writes diagnostics.
pub struct Reporter {
    format: MessageFormat,
    json_stream: JsonStream,
    /// The progress of the command.
    pub progress: Progress,
}

impl Reporter {
    /// Creates a reporter for a command with other output than findings.
    pub fn new(format: MessageFormat) -> Self {
        Self { format, json_stream: JsonStream::StandardError, progress: Progress::default() }
    }

    /// Creates a reporter for a command whose findings are its output: JSON goes to standard output.
    pub fn of_findings(format: MessageFormat) -> Self {
        Self { format, json_stream: JsonStream::StandardOutput, progress: Progress::default() }
    }

    fn json(&self, object: &serde_json::Value) {
        self.progress.suspended(|| match self.json_stream {
            JsonStream::StandardOutput => print(&format!("{object}\n")),
            JsonStream::StandardError => eprintln!("{object}"),
        });
    }

    /// Reports the findings in a file.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic], sources: &SourceMap, context: Option<&Context>) {
        for diagnostic in diagnostics {
            match self.format {
                MessageFormat::Human => {
                    self.progress.suspended(|| eprintln!("{}", human(diagnostic, sources, context)))
                }
                MessageFormat::Json => self.json(&json(diagnostic, sources, context)),
            }
        }
    }

    /// Reports an error without a location.
    pub fn error(&self, message: &str, hint: Option<&str>) {
        match self.format {
            MessageFormat::Human => self.progress.suspended(|| {
                eprintln!("error: {message}");
                if let Some(hint) = hint {
                    eprintln!("help: {hint}");
                }
            }),
            MessageFormat::Json => {
                let notes: Vec<&str> = hint.into_iter().collect();
                self.json(
                    &serde_json::json!({ "level": "error", "code": "error", "message": message, "notes": notes }),
                );
            }
        }
    }

    /// Reports an error of the back end, and returns silc's exit status.
    pub fn backend(&self, error: &Error) -> Status {
        self.error(&error.to_string(), error.hint().as_deref());
        match error.class() {
            ErrorClass::Input => Status::InputAtFault,
            ErrorClass::Usage => Status::Usage,
            ErrorClass::Internal => Status::Internal,
        }
    }
}

/// A location, with the text shown for it.
struct Shown {
    path: String,
    line: u32,
    column: u32,
    /// The line, and the range to underline. `None` if the file is not available.
    text: Option<(String, std::ops::Range<usize>)>,
}

impl Shown {
    /// Returns the location in the Swift source if there is one, otherwise that in the SIL.
    fn new(
        span: Option<Span>,
        place: Option<SourcePlace>,
        sources: &SourceMap,
        context: Option<&Context>,
    ) -> Option<Self> {
        match place.zip(context) {
            Some((place, context)) => Some(Self::in_swift(place, context)),
            None => span.map(|span| Self::in_sil(span, sources)),
        }
    }

    fn in_swift(place: SourcePlace, context: &Context) -> Self {
        let path = context.text(place.file).to_owned();
        let text = std::fs::read_to_string(&path).ok();
        let line = text.as_deref().and_then(|text| text.lines().nth((place.line as usize).checked_sub(1)?));
        let text = line.map(|line| {
            let from = line.floor_char_boundary((place.column as usize).saturating_sub(1));
            (line.to_owned(), from..line.ceil_char_boundary(from + 1))
        });
        Self { path, line: place.line, column: place.column, text }
    }

    /// Returns the first line that a span touches, with the span cut to it.
    fn in_sil(span: Span, sources: &SourceMap) -> Self {
        let file = sources.file(span.file);
        let position = file.position(span.start.min(file.text.len() as u32));
        let line = file.line(position.line);
        let start =
            file.text[..(span.start as usize).min(file.text.len())].rfind('\n').map_or(0, |newline| newline + 1);
        let from = (span.start as usize - start).min(line.len());
        let to = (span.end as usize).saturating_sub(start).clamp(from, line.len());
        let path = file.path.display().to_string();
        Self { path, line: position.line, column: position.column, text: Some((line.to_owned(), from..to)) }
    }

    /// Returns the lines below `title`.
    fn group<'a>(shown: Option<&'a Self>, title: annotate_snippets::Title<'a>, kind: AnnotationKind) -> Group<'a> {
        match shown {
            None => Group::with_title(title),
            Some(Self { path, line, column, text: None }) => {
                title.element(Origin::path(path.as_str()).line(*line as usize).char_column(*column as usize))
            }
            Some(Self { path, line, text: Some((text, range)), .. }) => {
                let snippet = Snippet::source(text.as_str()).line_start(*line as usize).path(path.as_str());
                title.element(snippet.annotation(kind.span(range.clone())))
            }
        }
    }
}

fn human(diagnostic: &Diagnostic, sources: &SourceMap, context: Option<&Context>) -> String {
    let level = match diagnostic.level {
        Level::Error => SnippetLevel::ERROR,
        Level::Uncompilable | Level::Warning => SnippetLevel::WARNING,
    };
    let shown = Shown::new(diagnostic.span, diagnostic.place, sources, context);
    let notes: Vec<Option<Shown>> =
        diagnostic.notes.iter().map(|note| Shown::new(note.span, note.place, sources, context)).collect();
    let title = level.primary_title(&diagnostic.message);
    let mut groups = vec![Shown::group(shown.as_ref(), title, AnnotationKind::Primary)];
    for (note, shown) in diagnostic.notes.iter().zip(&notes) {
        let title = SnippetLevel::NOTE.secondary_title(&note.message);
        groups.push(Shown::group(shown.as_ref(), title, AnnotationKind::Context));
    }
    if let Some(hint) = &diagnostic.hint {
        groups.push(Group::with_title(SnippetLevel::HELP.secondary_title(hint)));
    }
    Renderer::plain().render(&groups)
}

fn json(diagnostic: &Diagnostic, sources: &SourceMap, context: Option<&Context>) -> serde_json::Value {
    let notes: Vec<serde_json::Value> = diagnostic
        .notes
        .iter()
        .map(|note| {
            let place = Shown::new(note.span, note.place, sources, context);
            serde_json::json!({
                "message": note.message,
                "file": place.as_ref().map(|place| &place.path),
                "line": place.as_ref().map(|place| place.line),
                "column": place.as_ref().map(|place| place.column),
            })
        })
        .chain(diagnostic.hint.iter().map(|hint| serde_json::json!({ "message": hint })))
        .collect();
    let at = Shown::new(diagnostic.span, diagnostic.place, sources, context);
    let function = diagnostic.function.zip(context).map(|(name, context)| context.text(name).to_owned());
    serde_json::json!({
        "level": match diagnostic.level { Level::Error => "error", Level::Uncompilable | Level::Warning => "warning" },
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": at.as_ref().map(|place| &place.path),
        "line": at.as_ref().map(|place| place.line),
        "column": at.as_ref().map(|place| place.column),
        "function": function,
        "notes": notes,
    })
}

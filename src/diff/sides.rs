//! One side of a comparison: a file, compiled to the compared form.

use std::path::Path;

use clap::Parser;
use compare::read::{Source, provenance};
use irgen::compile::{PhaseTimes, Visibility};
use irgen::debug::{DebugOptions, Detail, Positions};
use irgen::emit::ModuleOutput;
use irgen::target::{Machine, Target};
use sil::diagnostic::Diagnostic;
use sil::source::{SourceFile, SourceMap, Span};

use super::kind::Kind;
use super::pairs::{Pair, Side};
use super::variants::Variant;
use crate::arguments::{DiffOptions, InputOptions, TargetOptions};
use crate::build;
use crate::headers::HeaderReader;
use crate::load::{self, Loaded, Purpose, Verification};
use crate::lower::{Lowering, lower};
use crate::report::{Reporter, Status};
use crate::text;

/// Reads and compiles sides.
pub struct Sides<'a> {
    /// The options.
    pub options: &'a DiffOptions,
    /// The reporter of errors.
    pub reporter: &'a Reporter,
}

impl Sides<'_> {
    /// Iterates over the pairs, each a step of the progress.
    pub fn in_steps(&self, pairs: Vec<Pair>) -> impl Iterator<Item = Pair> {
        pairs.into_iter().inspect(|pair| self.reporter.progress.step(pair.title.as_str()))
    }

    /// Returns the name of a side in reports.
    pub fn name(&self, side: &Side) -> String {
        match self.kind(side) {
            Kind::Sil => format!("{} {}", side.path.display(), side.variant.name()),
            _ => side.path.display().to_string(),
        }
    }

    /// Returns the LLVM IR text of a side, or an empty module for a missing side.
    pub fn llvm(&self, side: Option<&Side>) -> Result<Source, Status> {
        let Some(side) = side else {
            let name = "(nothing)".to_owned();
            return Ok(Source { name, text: String::new(), original: None, provenance: None });
        };
        let name = self.name(side);
        match self.kind(side) {
            Kind::Sil => {
                let (text, sil) = self.compiled_with_places(side)?;
                let (text, provenance) = provenance::take(&text, &sil);
                Ok(Source { name, text, original: None, provenance: Some(provenance) })
            }
            Kind::Llvm => {
                let bytes = self.llvm_bytes(&side.path)?;
                let text = self.canonical(&side.path, &bytes)?;
                Ok(Source { name, text, original: String::from_utf8(bytes).ok(), provenance: None })
            }
            Kind::Assembly | Kind::Object => Err(self.wrong_kind(side, "LLVM IR")),
        }
    }

    /// Returns the assembly of a side.
    pub fn assembly(&self, side: &Side) -> Result<String, Status> {
        match self.kind(side) {
            Kind::Assembly => self.text(self.bytes(&side.path)?),
            Kind::Object => Err(self.wrong_kind(side, "assembly")),
            Kind::Sil | Kind::Llvm => self.text(self.machine_code(side, ModuleOutput::Assembly)?),
        }
    }

    /// Returns the object file of a side.
    pub fn object(&self, side: &Side) -> Result<Vec<u8>, Status> {
        match self.kind(side) {
            Kind::Object => self.bytes(&side.path),
            Kind::Assembly => Err(self.wrong_kind(side, "an object file")),
            Kind::Sil | Kind::Llvm => self.machine_code(side, ModuleOutput::Object),
        }
    }

    /// Returns the canonical SIL of a side.
    pub fn sil(&self, side: &Side) -> Result<String, Status> {
        match self.kind(side) {
            Kind::Sil => {
                let (target, machine) = self.target(side)?;
                let loaded = self.load(side, Purpose::reading(Verification::Check), &target, &machine)?;
                Ok(sil::print::print_module(&loaded.modules[0], &loaded.sources))
            }
            _ => Err(self.wrong_kind(side, "SIL")),
        }
    }

    fn kind(&self, side: &Side) -> Kind {
        let by_contents = || text::bytes(&side.path).map_or(Kind::Sil, |bytes| Kind::of_contents(&bytes));
        Kind::of_suffix(&side.path).unwrap_or_else(by_contents)
    }

    fn wrong_kind(&self, side: &Side, wanted: &str) -> Status {
        self.reporter.error(&format!("'{}' is not {wanted}, nor can it become that", side.path.display()), None);
        Status::Usage
    }

    fn machine_code(&self, side: &Side, output: ModuleOutput) -> Result<Vec<u8>, Status> {
        if self.kind(side) == Kind::Sil {
            return self.compiled(side, output);
        }
        let bytes = self.llvm_bytes(&side.path)?;
        let text = self.canonical(&side.path, &bytes)?;
        let machine = self.machine_of(&side.variant, &text)?;
        let name = side.path.display().to_string();
        irgen::read::emit(text.as_bytes(), &name, &machine, output).map_err(|error| self.reporter.backend(&error))
    }

    /// Creates the code generator for LLVM IR text: for the target of the options, or else the one that the text names.
    fn machine_of(&self, variant: &Variant, text: &str) -> Result<Machine, Status> {
        let triple = text.lines().find_map(|line| line.strip_prefix("target triple = \"")?.strip_suffix('"'));
        let host = Target::host().map(|target| target.triple().to_owned()).unwrap_or_default();
        let target = variant.target.clone().or(triple.map(str::to_owned)).unwrap_or(host);
        let variant = Variant { target: Some(target), level: variant.level };
        let options = variant.options(self.options).map_err(|error| usage(&error))?;
        build::machine(&options, self.reporter)
    }

    /// Returns the target of a side.
    fn target(&self, side: &Side) -> Result<(TargetOptions, Machine), Status> {
        let target = side.variant.options(self.options).map_err(|error| usage(&error))?;
        let machine = build::machine(&target, self.reporter)?;
        Ok((target, machine))
    }

    /// Loads the module of a side, with the C headers that it imports.
    fn load(
        &self,
        side: &Side,
        purpose: Purpose<'_>,
        target: &TargetOptions,
        machine: &Machine,
    ) -> Result<Loaded, Status> {
        let clang_arguments = machine.clang_arguments(target.sysroot.as_deref());
        let headers =
            HeaderReader { arguments: &target.headers, clang_arguments: &clang_arguments, c_library_map: None };
        load::load(&self.input_options(side)?, purpose.with_headers(headers), self.reporter)
    }

    fn input_options(&self, side: &Side) -> Result<InputOptions, Status> {
        let mut arguments = vec!["silc".into()];
        arguments.extend(self.options.embedded.then(|| "--embedded".into()));
        arguments.extend(self.options.no_embedded.then(|| "--no-embedded".into()));
        arguments.extend(["--".into(), side.path.clone().into_os_string()]);
        let mut input = BuildInput::try_parse_from(arguments).map_err(|error| usage(&error))?.input;
        input.message_format = self.options.message_format;
        Ok(input)
    }

    fn compiled(&self, side: &Side, output: ModuleOutput) -> Result<Vec<u8>, Status> {
        let (target, machine) = self.target(side)?;
        let mut loaded = self.load(side, Purpose::compiling(machine.target()), &target, &machine)?;
        lower(&mut loaded, Lowering::at_level(side.variant.level), self.reporter)?;
        let mut times = PhaseTimes::default();
        let visibility = Visibility::Module;
        build::only(build::compile_modules(
            &self.input_options(side)?,
            &target,
            &loaded,
            &machine,
            visibility,
            output,
            self.reporter,
            &mut times,
        ))
    }

    /// Returns the LLVM IR text with debug locations of the SIL text, which do not change the code, and the SIL text.
    fn compiled_with_places(&self, side: &Side) -> Result<(String, String), Status> {
        let (target, machine) = self.target(side)?;
        let mut loaded = self.load(side, Purpose::compiling(machine.target()), &target, &machine)?;
        lower(&mut loaded, Lowering::at_level(side.variant.level), self.reporter)?;
        let debug = DebugOptions { positions: Positions::Sil, detail: Detail::LineTables, ..DebugOptions::default() };
        let bytes =
            build::compile_with(&self.input_options(side)?, &target, &loaded, &machine, Some(&debug), self.reporter)?;
        let sil = loaded.modules[0].functions.values().next().map(|function| function.span.file);
        let sil = sil.map(|file| loaded.sources.file(file).text.to_string()).unwrap_or_default();
        Ok((self.text(bytes)?, sil))
    }

    fn text(&self, bytes: Vec<u8>) -> Result<String, Status> {
        String::from_utf8(bytes).map_err(|_| {
            self.reporter.error("the text to compare is not UTF-8", None);
            Status::Usage
        })
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, Status> {
        text::bytes(path).map_err(|error| {
            self.reporter.error(&text::unreadable(path, &error), None);
            Status::Usage
        })
    }

    /// Returns the contents of a file with LLVM IR, without a byte order mark, which LLVM rejects.
    fn llvm_bytes(&self, path: &Path) -> Result<Vec<u8>, Status> {
        let mut bytes = self.bytes(path)?;
        if bytes.starts_with(text::BYTE_ORDER_MARK) {
            bytes.drain(..text::BYTE_ORDER_MARK.len());
        }
        Ok(bytes)
    }

    /// Returns the text that LLVM prints for LLVM IR or bitcode. LLVM's errors are reported at their positions.
    fn canonical(&self, path: &Path, bytes: &[u8]) -> Result<String, Status> {
        let name = path.display().to_string();
        irgen::read::canonical_text(bytes, &name).map_err(|error| {
            let Some((line, column)) = error.place else {
                let message = format!("'{name}' is not LLVM IR that can be read: {}", error.message);
                self.reporter.error(&message, None);
                return Status::Usage;
            };
            let mut sources = SourceMap::default();
            let text = String::from_utf8_lossy(bytes).into_owned();
            let lines_before = text.split_inclusive('\n').map(str::len).take(line.saturating_sub(1) as usize);
            let at = lines_before.sum::<usize>() + column.saturating_sub(1) as usize;
            // LLVM counts bytes, and its position may be past the end, or inside of a character.
            let start = text.floor_char_boundary(at);
            let end = text.ceil_char_boundary((start + 1).min(text.len()));
            let file = sources.add(SourceFile::new(path.to_owned(), text));
            let span = Span { file, start: start as u32, end: end as u32 };
            self.reporter.diagnostics(&[Diagnostic::error("llvm-ir", error.message, span)], &sources, None);
            Status::Usage
        })
    }
}

fn usage(error: &clap::Error) -> Status {
    // Nothing can be reported if standard error is closed.
    let _ = error.print();
    Status::Usage
}

/// A parser for the input options of `silc build` alone.
#[derive(Parser)]
struct BuildInput {
    #[command(flatten)]
    input: InputOptions,
}

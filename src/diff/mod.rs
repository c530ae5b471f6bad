//! `silc diff`: two modules, or one compiled in two ways, compared.
//!
//! Exit status: 0 the same; 1 different; 2 trouble, as diff's.

mod inputs;
mod variants;

use std::io::IsTerminal;

use compare::report;
use compare::report::text::{Color, Layout, Options};
use irgen::emit::{self, Destination};

use crate::arguments::{ColorChoice, DiffFormat, DiffOptions};
use crate::report::{Reporter, Status};

/// Compares what the options say.
pub fn diff(options: &DiffOptions) -> Status {
    let reporter = Reporter::new(options.message_format);
    match try_diff(options, &reporter) {
        Ok(true) => Status::Program(1),
        Ok(false) => Status::Done,
        Err(Status::Internal) => Status::Internal,
        Err(_) => Status::Usage,
    }
}

/// Gives whether anything differs.
fn try_diff(options: &DiffOptions, reporter: &Reporter) -> Result<bool, Status> {
    let entries = inputs::entries(options, reporter)?;
    let differs = entries.iter().any(|entry| entry.comparison.differs());
    let report = match options.format {
        DiffFormat::Text => report::text::report(&entries, &text_options(options)),
        DiffFormat::Json => report::json::report(&entries),
        DiffFormat::Html => report::html::report(&entries),
    };
    let destination = options.output.as_deref().map_or(Destination::StandardOutput, Destination::from_argument);
    emit::write(report.as_bytes(), &destination).map_err(|error| reporter.backend(&error))?;
    Ok(differs)
}

/// Columns from which on A and B stand side by side.
const WIDE: usize = 160;

fn text_options(options: &DiffOptions) -> Options {
    let is_terminal = options.output.is_none() && std::io::stdout().is_terminal();
    let color = match options.color {
        ColorChoice::Always => Color::Always,
        ColorChoice::Auto if is_terminal => Color::Always,
        ColorChoice::Auto | ColorChoice::Never => Color::Never,
    };
    let measured = if is_terminal { terminal_size::terminal_size() } else { None };
    let width = options.width.unwrap_or_else(|| measured.map_or(0, |(width, _)| usize::from(width.0)));
    let layout = if width >= WIDE { Layout::SideBySide(width) } else { Layout::Unified };
    Options { color, layout, context: options.context, summary_only: options.summary }
}

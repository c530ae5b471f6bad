//! `silc print`: prints canonical text, control flow graphs, and the results of passes.

use std::path::PathBuf;

use irgen::emit::{self, Destination};
use sil::draw::{PictureFormat, draw_control_flow};
use sil::print::{Comments, DebugInformation};
use sil::transform::Settings;

use crate::arguments::{Picture, PrintOptions, PrintStage};
use crate::load::{self, Loaded, Purpose, Verification};
use crate::lower::{Lowering, lower, make_canonical, transform};
use crate::report::{Reporter, Status};

/// Prints all files in order.
pub fn print(options: &PrintOptions) -> Status {
    let reporter = Reporter::new(options.input.message_format);
    // Passes rely on the verifier; printing alone does not.
    let is_as_read = options.passes.is_empty() && options.stage.is_none();
    let verification = if is_as_read { Verification::Skip } else { Verification::Compile };
    match load::load(&options.input, Purpose::reading(verification), &reporter).and_then(|mut loaded| {
        match options.stage {
            Some(PrintStage::Canonical) => {
                let concurrency = options.concurrency.checking();
                make_canonical(&mut loaded, &Settings { concurrency, ..Settings::default() }, &reporter)?;
            }
            Some(PrintStage::Lowered) => drop(lower(&mut loaded, Lowering::UNOPTIMIZED, &reporter)?),
            None => {}
        }
        transform(&mut loaded, &options.passes, &Settings::default(), &reporter)?;
        let text = match &options.cfg {
            Some(name) => graph(&loaded, name, options.format, &reporter)?,
            None => text(&loaded, options),
        };
        let to = options.output.clone().unwrap_or_else(|| PathBuf::from("-"));
        emit::write(text.as_bytes(), &Destination::from_argument(&to)).map_err(|error| reporter.backend(&error))
    }) {
        Ok(()) => Status::Done,
        Err(status) => status,
    }
}

fn text(loaded: &Loaded, options: &PrintOptions) -> String {
    let written = sil::print::PrintOptions {
        comments: if options.comments { Comments::Write } else { Comments::Omit },
        debug_information: if options.debug { DebugInformation::Write } else { DebugInformation::Omit },
        ..sil::print::PrintOptions::default()
    };
    loaded.modules.iter().map(|module| sil::print::print_module_with(module, &loaded.sources, written)).collect()
}

/// Returns the control flow graph of the function called `name`, with or without a leading `@`.
fn graph(loaded: &Loaded, name: &str, format: Picture, reporter: &Reporter) -> Result<String, Status> {
    let symbol = name.strip_prefix('@').unwrap_or(name);
    let named = |(module, function): &(&sil::model::Module, &sil::model::Function)| {
        module.context.text(function.name) == symbol
    };
    let mut functions =
        loaded.modules.iter().flat_map(|module| module.functions.values().map(move |found| (module, found)));
    match functions.find(named) {
        Some((module, function)) => match &function.body {
            Some(body) => Ok(draw_control_flow(module, function, body, picture_format(format))),
            None => {
                reporter.error(&format!("the function '{symbol}' has no body to draw"), None);
                Err(Status::InputAtFault)
            }
        },
        None => {
            reporter.error(
                &format!("there is no function '{symbol}'"),
                Some("name it by its symbol, as `sil @symbol` has it"),
            );
            Err(Status::InputAtFault)
        }
    }
}

fn picture_format(format: Picture) -> PictureFormat {
    match format {
        Picture::Dot => PictureFormat::Graphviz,
        Picture::Svg => PictureFormat::Svg,
    }
}

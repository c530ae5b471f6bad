//! `silc run`: builds to a temporary file, and runs it.

use irgen::compile::PhaseTimes;
use irgen::run::{Runner, runner};

use crate::arguments::RunOptions;
use crate::build::{Product, executable, load_for, machine, placement, swift_library, visibility, write_executable};
use crate::inputs::Inputs;
use crate::lower::{Lowering, lower};
use crate::report::{Reporter, Status};

/// Builds and runs; the status is the program's.
pub fn run(options: &RunOptions) -> Status {
    let reporter = Reporter::new(options.input.message_format);
    try_run(options, &reporter).unwrap_or_else(|status| status)
}

fn try_run(options: &RunOptions, reporter: &Reporter) -> Result<Status, Status> {
    let machine = machine(&options.target, reporter)?;
    let placement = placement(&options.target, machine.target(), reporter)?;
    let inputs = Inputs::new(&options.input, reporter)?;
    let mut loaded = load_for(&inputs, &options.target, &machine, reporter)?;
    let library = swift_library(&options.target, &loaded).map_err(|error| reporter.backend(&error))?;
    let folders: Vec<_> = library.into_iter().map(|library| library.folder).collect();
    let runner = runner(machine.target(), options.target.sysroot.as_deref(), &folders, placement.as_ref());
    let runner = runner.map_err(|error| reporter.backend(&error))?;
    if matches!(runner, Runner::Board { .. }) && !options.arguments.is_empty() {
        reporter.error("the programs of boards have no arguments", None);
        return Err(Status::Usage);
    }
    let visibility = visibility(&inputs, &options.target, Product::Program, &loaded);
    lower(&mut loaded, Lowering::with_options(&options.target, visibility), reporter)?;
    let mut times = PhaseTimes::default();
    let program = executable(&inputs, &options.target, Product::Program, &loaded, &machine, reporter, &mut times)?;
    let folder = tempfile::Builder::new().prefix("silc-run-").tempdir().map_err(|error| {
        reporter.error(&format!("cannot make a temporary folder: {error}"), None);
        Status::Usage
    })?;
    let path = folder.path().join("program");
    write_executable(&program, &path, reporter)?;
    let status = runner.run(&path, &options.arguments).map_err(|error| reporter.backend(&error))?;
    Ok(Status::Program(status as u8))
}

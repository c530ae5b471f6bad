//! The C headers that the command line names.

use std::path::Path;
use std::sync::Arc;

use headers::{HeaderError, HeaderOptions, Headers};
use irgen::target::Machine;

use crate::arguments::HeaderArguments;
use crate::report::{Reporter, Status};

/// Reads the headers, if any are named, for the machine that code is generated for.
pub fn read(
    arguments: &HeaderArguments,
    machine: &Machine,
    sysroot: Option<&Path>,
    reporter: &Reporter,
) -> Result<Option<Arc<Headers>>, Status> {
    if arguments.import_header.is_empty() {
        return Ok(None);
    }
    let folders = arguments.include_folders.iter().map(|folder| format!("-I{}", folder.display()));
    let definitions = arguments.definitions.iter().map(|definition| format!("-D{definition}"));
    let flags = arguments.c_flag.iter().cloned();
    let options = HeaderOptions {
        files: arguments.import_header.clone(),
        arguments: folders.chain(definitions).chain(flags).collect(),
    };
    let read = Headers::read(&options, &machine.clang_arguments(sysroot));
    let report = |error: HeaderError| reporter.backend(&irgen::Error::from(error));
    read.map(|headers| Some(Arc::new(headers))).map_err(report)
}

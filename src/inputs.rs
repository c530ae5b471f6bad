//! The input files of commands that link: .sil files to compile, and files that are passed to the linker.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use irgen::link::is_linkable;

use crate::arguments::InputOptions;
use crate::report::{Reporter, Status};

/// Input files by their use, each in the order of the command line.
pub struct Inputs {
    /// The .sil files, with the options for reading them.
    pub sil: InputOptions,
    /// Object files, archives and libraries.
    pub linked: Vec<PathBuf>,
}

impl Inputs {
    /// Classifies files by their first bytes. Fails without files.
    pub fn new(options: &InputOptions, reporter: &Reporter) -> Result<Inputs, Status> {
        if options.files.is_empty() {
            reporter.error("there is no input file", Some("silc build FILE.sil -o PROGRAM"));
            return Err(Status::Usage);
        }
        let (linked, files) = options.files.iter().cloned().partition(|path| is_linked(path));
        Ok(Inputs { sil: InputOptions { files, ..options.clone() }, linked })
    }

    /// Fails if there are files other than SIL: only executables are linked.
    pub fn require_sil(&self, reporter: &Reporter) -> Result<(), Status> {
        let Some(file) = self.linked.first() else { return Ok(()) };
        let message = format!("'{}' is not SIL, and only executables are linked", file.display());
        reporter.error(&message, Some("leave it out, or use --emit exe"));
        Err(Status::Usage)
    }
}

/// Returns whether a file is linked. An unreadable file is reported when SIL is read.
fn is_linked(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let is_file = path.is_file();
    is_file
        && File::open(path).is_ok_and(|file| file.take(64).read_to_end(&mut beginning).is_ok())
        && is_linkable(&beginning)
}

//! silc as the back end of a Swift toolchain: `silc swift …`, `silc swiftc …`, and the jobs that the toolchain's driver then hands to silc.
//!
//! The toolchain keeps its own front end. A job that makes objects asks it for SIL in their place, which silc compiles; everything else a job
//! makes, and every job without objects, is the toolchain's. An object that silc cannot make is the toolchain's as well, and the build says so.
//!
//! Does not own how SIL is compiled: that is `silc build`, which runs as a process of its own for each object, so that no fault of it ends a job.

mod command;
mod declarations;
mod imports;
mod installation;
mod job;
mod kept;
mod objects;
mod options;
mod run;
mod session;
mod summary;
mod words;

pub use command::{swift, swiftc};
pub use run::run_job as frontend_job;

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Whether the words of a process are those that a driver calls its frontend with, and not the command line of silc.
pub fn is_frontend_call(words: &[OsString]) -> bool {
    let is_of_driver = |word: &OsString| word == "-frontend" || word == "-modulewrap" || is_response_file(word);
    words.get(1).is_some_and(is_of_driver) && !is_about_sil(words)
}

/// Whether the words of a frontend are about a file of SIL, which silc compiles without a toolchain.
pub fn is_about_sil(words: &[OsString]) -> bool {
    let has = |extension: &str| words.iter().any(|word| Path::new(word).extension() == Some(OsStr::new(extension)));
    has("sil") && !has("swift")
}

/// Whether silc was called by the name of the compiler that it stands for.
pub fn is_compiler_call(program: Option<&OsString>) -> bool {
    program.and_then(|program| Path::new(program).file_name()).is_some_and(|name| name == "silc-swiftc")
}

fn is_response_file(word: &OsStr) -> bool {
    word.as_encoded_bytes().first() == Some(&b'@')
}

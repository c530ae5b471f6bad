//! silc as the back end of a Swift toolchain: `silc swift …`, `silc swiftc …`, and the frontend jobs of the toolchain's
//! driver.
//!
//! The toolchain keeps its own front end. A job that makes objects has the frontend print SIL instead, which silc
//! compiles; all other outputs of a job, and all jobs without objects, are left to the toolchain. An object that silc
//! cannot make is left to the toolchain as well, and the build reports it.
//!
//! Does not own: compilation of SIL. `silc build` runs in a process of its own for each object, so that no fault in it
//! ends a job.

mod command;
mod declarations;
mod imports;
mod installation;
mod job;
mod kept;
mod objects;
mod options;
mod output_map;
mod run;
mod session;
mod summary;
mod words;

pub use command::{swift, swiftc};
pub use run::run_job as frontend_job;

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Returns whether the words of a process are a driver's call of its frontend, rather than silc's own command line.
pub fn is_frontend_call(words: &[OsString]) -> bool {
    let is_of_driver = |word: &OsString| word == "-frontend" || word == "-modulewrap" || is_response_file(word);
    words.get(1).is_some_and(is_of_driver) && !is_about_sil(words)
}

/// Returns whether a frontend call is about a SIL file, which silc compiles without a toolchain.
pub fn is_about_sil(words: &[OsString]) -> bool {
    let has = |extension: &str| words.iter().any(|word| Path::new(word).extension() == Some(OsStr::new(extension)));
    has("sil") && !has("swift")
}

/// Returns whether silc was called by the name of the compiler that it replaces.
pub fn is_compiler_call(program: Option<&OsString>) -> bool {
    program.and_then(|program| Path::new(program).file_name()).is_some_and(|name| name == "silc-swiftc")
}

fn is_response_file(word: &OsStr) -> bool {
    word.as_encoded_bytes().first() == Some(&b'@')
}

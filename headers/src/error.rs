//! The errors of headers.

use std::io;
use std::path::PathBuf;

/// Why headers could not be used. `Display` gives the message without a leading `error:`.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// There is no libclang.
    #[error("C headers are read by libclang, which is not installed")]
    NoLibclang,
    /// There is no clang, or none that can be run.
    #[error("what C headers define is compiled by clang, which is not installed")]
    NoClang,
    /// Clang's own headers are not there, and nothing could be put in their place.
    #[error("clang's own headers are not installed, and silc cannot write others in their place: {0}")]
    NoOwnHeaders(#[source] io::Error),
    /// A header is not there.
    #[error("there is no header '{}'", .path.display())]
    NoHeader {
        /// The path as given.
        path: PathBuf,
    },
    /// Clang takes one file with API notes for a folder.
    #[error("not supported yet: API notes for several modules in the folder '{}'", .folder.display())]
    SeveralNotes {
        /// The folder.
        folder: PathBuf,
    },
    /// Clang found errors.
    #[error("clang refuses the C headers{}", lines(.messages))]
    Refused {
        /// clang's messages, each with its place.
        messages: Vec<String>,
    },
    /// clang's errors that are not in the headers themselves.
    #[error("clang does not compile what the module needs of the C headers:\n{message}")]
    NotCompiled {
        /// clang's message.
        message: String,
    },
}

impl HeaderError {
    /// A hint for the user.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            HeaderError::NoLibclang => {
                Some("install it (Debian: libclang-22-dev or libclang1-22), or name its folder in LIBCLANG_PATH")
            }
            HeaderError::NoOwnHeaders(_) => {
                Some("install them (Debian: libclang-common-22-dev), or name their folder: --c-flag -resource-dir=DIR")
            }
            HeaderError::NoClang => Some("install it (Debian: clang-22), or name it in SILC_CLANG"),
            HeaderError::NoHeader { .. } | HeaderError::SeveralNotes { .. } | HeaderError::NotCompiled { .. } => None,
            HeaderError::Refused { .. } => {
                Some("-I names folders of headers, -D defines macros, --c-flag passes anything else to clang")
            }
        }
    }
}

fn lines(messages: &[String]) -> String {
    const MOST: usize = 20;
    messages.iter().take(MOST).map(|message| format!("\n{message}")).collect()
}

//! `silc manual`: manual pages and completions for shells, from the description of the command line. Owns their places
//! below a folder like /usr/share; clap's crates write them.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::{Arguments, MessageFormat};
use crate::report::{Reporter, Status};

/// The folder and the file name of completions for each shell.
const COMPLETIONS: [(Shell, &str, &str); 3] = [
    (Shell::Bash, "bash-completion/completions", "silc"),
    (Shell::Fish, "fish/vendor_completions.d", "silc.fish"),
    (Shell::Zsh, "zsh/site-functions", "_silc"),
];

/// Writes a manual page for each command, and completions for each shell, into folders below `folder`.
pub fn write(folder: &Path) -> Status {
    match write_pages(&folder.join("man/man1")).and_then(|()| write_completions(folder)) {
        Ok(()) => Status::Done,
        Err(error) => {
            let message = format!("cannot write to {}: {error}", folder.display());
            Reporter::new(MessageFormat::Human).error(&message, None);
            Status::InputAtFault
        }
    }
}

fn write_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // A page for `silc help` would repeat the others.
    clap_mangen::generate_to(Arguments::command().disable_help_subcommand(true), folder)
}

fn write_completions(folder: &Path) -> io::Result<()> {
    for (shell, subfolder, name) in COMPLETIONS {
        let subfolder = folder.join(subfolder);
        fs::create_dir_all(&subfolder)?;
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "silc", &mut script);
        fs::write(subfolder.join(name), script)?;
    }
    Ok(())
}

//! How far a long command is: a line on a terminal, which is gone when the command ends. Nothing where standard error
//! is no terminal.

use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressStyle};

/// The line, where a command has several steps.
#[derive(Default)]
pub struct Progress(OnceLock<ProgressBar>);

impl Progress {
    /// Announces `count` steps, each described by one word. A single step has no line.
    pub fn expect(&self, count: usize, what: &'static str) {
        if count < 2 {
            return;
        }
        let bar = self.0.get_or_init(|| ProgressBar::new(count as u64));
        // A template that cannot be read leaves indicatif's own.
        if let Ok(style) = ProgressStyle::with_template("{prefix} {pos} of {len}: {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what);
    }

    /// The next step begins, on `name`.
    pub fn step(&self, name: impl Into<String>) {
        if let Some(bar) = self.0.get() {
            bar.inc(1);
            bar.set_message(name.into());
        }
    }

    /// Removes the line.
    pub fn end(&self) {
        if let Some(bar) = self.0.get() {
            bar.finish_and_clear();
        }
    }

    /// Prints, with the line out of the way.
    pub fn suspended(&self, print: impl FnOnce()) {
        match self.0.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

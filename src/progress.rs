//! The progress of a long command, shown on a line of the terminal until the command ends. Nothing is shown if standard
//! error is not a terminal.

use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressStyle};

/// The progress line, for commands with several steps.
#[derive(Default)]
pub struct Progress(OnceLock<ProgressBar>);

impl Progress {
    /// Announces `count` steps, described by one word. A single step has no progress line.
    pub fn expect(&self, count: usize, what: &'static str) {
        if count < 2 {
            return;
        }
        let bar = self.0.get_or_init(|| ProgressBar::new(count as u64));
        // If the template is invalid, indicatif's default remains.
        if let Ok(style) = ProgressStyle::with_template("{prefix} {pos} of {len}: {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what);
    }

    /// Begins the next step, on `name`.
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

    /// Prints while the line is hidden.
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

//! The limit on the number of pass runs (`-sil-opt-pass-count`), which permits to bisect a miscompile.
//!
//! Does not own: counting (`manager`), and the steps of a pass (the pass itself).

/// The limit on the runs of passes on functions. Each pass on each function counts once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassLimit {
    /// The number of runs.
    pub runs: u32,
    /// The number of steps of the last run, as the pass counts them, or `None` for all.
    pub steps: Option<u32>,
}

impl PassLimit {
    /// Parses the argument of the option: the number of runs, optionally followed by a dot and the number of steps.
    pub fn from_text(text: &str) -> Option<PassLimit> {
        let (runs, steps) = match text.split_once('.') {
            Some((runs, steps)) => (runs, Some(steps.parse().ok()?)),
            None => (text, None),
        };
        Some(PassLimit { runs: runs.parse().ok()?, steps })
    }
}

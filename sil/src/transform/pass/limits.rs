//! How often passes run where that is limited (`-sil-opt-pass-count`). To find the step that goes wrong, one halves the limit.
//!
//! Does not own: counting (`manager`), and the steps of a pass (the pass itself).

/// How often passes run on functions, each pass on each function counted once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassLimit {
    /// So many runs.
    pub runs: u32,
    /// So many steps of the last one, as the pass counts them; all where none is said.
    pub steps: Option<u32>,
}

impl PassLimit {
    /// Reads what stands behind the option: the runs, and behind a dot the steps.
    pub fn from_text(text: &str) -> Option<PassLimit> {
        let (runs, steps) = match text.split_once('.') {
            Some((runs, steps)) => (runs, Some(steps.parse().ok()?)),
            None => (text, None),
        };
        Some(PassLimit { runs: runs.parse().ok()?, steps })
    }
}

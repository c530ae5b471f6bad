//! Work on several threads whose result does not depend on their number. How many there are is the caller's choice, by
//! the thread pool that it installs; rayon's own has one for each processor.

use rayon::prelude::*;

/// The results of `work` for each item, in their order. One item alone needs no other thread.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    match items {
        [] => Vec::new(),
        [one] => vec![work(one)],
        several => several.par_iter().map(work).collect(),
    }
}

//! Measuring passes: they may run several times on what there was before, so that more than chance is measured (`-sil-opt-profile-repeat`,
//! `SILPassManager::runPassOnFunction` in lib/SILOptimizer/PassManager/PassManager.cpp). Those over the program as a whole run once.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use crate::transform::pass::settings::Settings;

/// Does something, and adds the time that it takes.
pub(super) fn timed<R>(spent: &mut Duration, run: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let made = run();
    *spent += start.elapsed();
    made
}

/// Does as often as the settings say what changes nothing by itself, and adds the time that it takes.
pub(super) fn repeated<R>(settings: &Settings, spent: &mut Duration, run: impl Fn() -> R) -> R {
    timed(spent, || {
        for _ in 1..settings.repetitions.map_or(1, NonZeroU32::get) {
            drop(run());
        }
        run()
    })
}
